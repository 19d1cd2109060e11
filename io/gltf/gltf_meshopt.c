// SPDX-License-Identifier: MIT
// Compressed buffer views: EXT_meshopt_compression, and KHR_meshopt_compression as far as the
// installed meshoptimizer decodes it.
#include "gltf_read.h"

#include <meshoptimizer.h>
#include <string.h>

typedef struct packed_view
{
    const uint8_t* data;
    size_t size, count, stride;
    const char* mode;
    const char* filter;
} packed_view;

static pelt_result read_packed(packed_view* out, pelti_gltf* g, const pelti_json* extension,
                               const pelti_json_path* at)
{
    *out = (packed_view){.mode = "", .filter = "NONE"};
    PELT_TRY(pelti_gltf_slice(&out->data, &out->size, g, extension, at));
    PELT_TRY(pelti_gltf_get_size(&out->count, g, extension, "count", at));
    PELT_TRY(pelti_gltf_get_size(&out->stride, g, extension, "byteStride", at));
    PELT_TRY(pelti_gltf_get_string(&out->mode, g, extension, "mode", at));
    return pelti_gltf_get_string(&out->filter, g, extension, "filter", at);
}

// ---------------------------------------------------------------------------------------------
// Filters

// YCoCg with a scale in the high bit of alpha, in components of `bits` bits.
static void decode_color(int color[4], int bits)
{
    int scale = color[3];
    for (int shift = 1; shift < bits; shift *= 2)
    {
        scale |= scale >> shift;
    }
    int sign = 1 << (bits - 1);
    int y = color[0], co = (color[1] ^ sign) - sign, cg = (color[2] ^ sign) - sign;
    int alpha = ((color[3] << 1) & scale) | (color[3] & 1);
    int rgba[4] = {y + co - cg, y + cg, y - co - cg, alpha};
    float largest = (float)((1 << bits) - 1);
    float factor = scale > 0 ? largest / (float)scale : 0.0f;
    for (int i = 0; i < 4; ++i)
    {
        color[i] = (int)fminf(fmaxf((float)rgba[i] * factor + 0.5f, 0.0f), largest);
    }
}

static void filter_color(uint8_t* data, size_t count, size_t stride)
{
    size_t bytes = stride / 4;
    for (size_t i = 0; i < count; ++i, data += stride)
    {
        int color[4];
        for (size_t k = 0; k < 4; ++k)
        {
            color[k] = bytes == 1 ? data[k] : data[2 * k] | data[2 * k + 1] << 8;
        }
        decode_color(color, (int)(8 * bytes));
        for (size_t k = 0; k < 4; ++k)
        {
            data[bytes * k] = (uint8_t)color[k];
            if (bytes == 2)
            {
                data[2 * k + 1] = (uint8_t)(color[k] >> 8);
            }
        }
    }
}

static pelt_result apply_filter(uint8_t* data, pelti_gltf* g, const packed_view* view,
                                const pelti_json_path* at)
{
    bool is_small = view->stride == 4 || view->stride == 8;
    if (strcmp(view->filter, "NONE") == 0)
    {
        return PELT_OK;
    }
    if (strcmp(view->filter, "OCTAHEDRAL") == 0 && is_small)
    {
        meshopt_decodeFilterOct(data, view->count, view->stride);
        return PELT_OK;
    }
    if (strcmp(view->filter, "QUATERNION") == 0 && view->stride == 8)
    {
        meshopt_decodeFilterQuat(data, view->count, view->stride);
        return PELT_OK;
    }
    if (strcmp(view->filter, "EXPONENTIAL") == 0 && view->stride % 4 == 0)
    {
        meshopt_decodeFilterExp(data, view->count, view->stride);
        return PELT_OK;
    }
    if (strcmp(view->filter, "COLOR") == 0 && is_small)
    {
        filter_color(data, view->count, view->stride);
        return PELT_OK;
    }
    return pelti_gltf_fail(g, at, "there is no filter \"%.20s\" for a byteStride of %zu",
                           view->filter, view->stride);
}

// ---------------------------------------------------------------------------------------------
// Modes

// Conditions that the decoder asserts, and the least number of bytes for that many elements: a
// quarter of a byte for 16 values, a byte for a triangle, a byte for an index of a sequence.
static bool is_plausible(const packed_view* view)
{
    bool is_index = view->stride == 2 || view->stride == 4;
    if (strcmp(view->mode, "ATTRIBUTES") == 0)
    {
        return view->stride > 0 && view->stride <= 256 && view->stride % 4 == 0 &&
               view->count / 64 <= view->size / view->stride;
    }
    if (strcmp(view->mode, "TRIANGLES") == 0)
    {
        return is_index && view->count % 3 == 0 && view->count / 3 <= view->size;
    }
    return strcmp(view->mode, "INDICES") == 0 && is_index && view->count <= view->size;
}

static int decode(uint8_t* out, const packed_view* view)
{
    if (strcmp(view->mode, "ATTRIBUTES") == 0)
    {
        return meshopt_decodeVertexBuffer(out, view->count, view->stride, view->data, view->size);
    }
    return strcmp(view->mode, "TRIANGLES") == 0
               ? meshopt_decodeIndexBuffer(out, view->count, view->stride, view->data, view->size)
               : meshopt_decodeIndexSequence(out, view->count, view->stride, view->data,
                                             view->size);
}

static pelt_result decode_view(uint8_t* out, pelti_gltf* g, const packed_view* view,
                               const pelti_json_path* at)
{
    enum
    {
        UNKNOWN_CODEC = -1 // the decoders' result for an unknown first byte
    };
    int code = decode(out, view);
    // The first byte: the codec of the mode in the upper half, its version in the lower one.
    int codec = strcmp(view->mode, "ATTRIBUTES") == 0  ? 0xa0
                : strcmp(view->mode, "TRIANGLES") == 0 ? 0xe0
                                                       : 0xd0;
    if (code == UNKNOWN_CODEC && view->size > 0 && (view->data[0] & 0xf0) == codec)
    {
        pelti_gltf_fail(g, at,
                        "the installed meshoptimizer does not know version %d of this codec; \"npx "
                        "gltfpack -noq -kn -km -ke -kv -af 0 -i IN.glb -o OUT.glb\" removes the "
                        "compression",
                        view->data[0] & 0x0f);
        return PELT_ERROR_UNSUPPORTED;
    }
    return code == 0 ? apply_filter(out, g, view, at)
                     : pelti_gltf_fail(g, at, "the %zu compressed bytes are broken", view->size);
}

pelt_result pelti_gltf_decompress(pelti_gltf_bytes* out, pelti_gltf* g, const pelti_json* extension,
                                  const pelti_json_path* at)
{
    packed_view view;
    PELT_TRY(read_packed(&view, g, extension, at));
    if (!is_plausible(&view))
    {
        return pelti_gltf_fail(g, at,
                               "%zu elements of %zu bytes in mode \"%.20s\" cannot come from %zu "
                               "compressed bytes",
                               view.count, view.stride, view.mode, view.size);
    }
    size_t size = view.count * view.stride;
    if (!pelt_budget_charge(&g->budget.memory, size))
    {
        return pelti_load_fail_memory(&g->budget, g->path, g->error);
    }
    uint8_t* data = pelt_allocate(size + 1, 1);
    if (data == NULL)
    {
        return pelt_error_memory(g->error);
    }
    pelt_result result = decode_view(data, g, &view, at);
    if (result != PELT_OK)
    {
        pelt_release(data);
        return result;
    }
    out->data = out->owned = data;
    out->size = size < out->size ? size : out->size;
    return PELT_OK;
}
