// SPDX-License-Identifier: MIT
// Writing of EXT_meshopt_compression: buffer views that decoders unpack into a buffer without
// content.
#include "gltf_pack.h"

#include <meshoptimizer.h>
#include <string.h>

enum
{
    VERTEX_SIZE_MAX = 256,
    VERTEX_VERSION = 0, // of the codecs, as the extension names them
    INDEX_VERSION = 1,
};

static const char extension[] = "EXT_meshopt_compression";

// How a view can be compressed.
typedef struct packing
{
    const char* mode; // NULL: as it is
    uint32_t stride;  // bytes of an element
    uint32_t users;   // accessors
    bool is_refused;  // accessors use it in different ways
    bool is_triangle_list;
} packing;

static uint32_t number_at(const json_t* object, const char* member)
{
    double value = json_number_value(json_object_get(object, member));
    return value > 0.0 && value < 4294967296.0 ? (uint32_t)value : 0;
}

static uint32_t element_size(const json_t* accessor)
{
    static const struct
    {
        const char* name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const char* type = json_string_value(json_object_get(accessor, "type"));
    uint32_t component = number_at(accessor, "componentType");
    uint32_t size = component == PELTI_GLTF_S8 || component == PELTI_GLTF_U8     ? 1
                    : component == PELTI_GLTF_S16 || component == PELTI_GLTF_U16 ? 2
                                                                                 : 4;
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof types[0]; ++i)
    {
        if (strcmp(type, types[i].name) == 0)
        {
            return size * types[i].width;
        }
    }
    return 0;
}

// Which views accessors use, and how.
static void find_strides(packing* out, const json_t* root)
{
    const json_t* accessors = json_object_get(root, "accessors");
    const json_t* views = json_object_get(root, "bufferViews");
    for (size_t i = 0; i < json_array_size(accessors); ++i)
    {
        const json_t* accessor = json_array_get(accessors, i);
        uint32_t index = number_at(accessor, "bufferView");
        if (json_object_get(accessor, "bufferView") == NULL || index >= json_array_size(views))
        {
            continue;
        }
        uint32_t given = number_at(json_array_get(views, index), "byteStride");
        uint32_t stride = given > 0 ? given : element_size(accessor);
        packing* view = &out[index];
        view->is_refused |= json_object_get(accessor, "sparse") != NULL ||
                            (view->users > 0 && view->stride != stride);
        view->stride = stride;
        ++view->users;
    }
}

// Views of indices, and which of them are lists of triangles.
static void find_indices(packing* out, const json_t* root)
{
    const json_t* accessors = json_object_get(root, "accessors");
    const json_t* meshes = json_object_get(root, "meshes");
    size_t view_count = json_array_size(json_object_get(root, "bufferViews"));
    for (size_t m = 0; m < json_array_size(meshes); ++m)
    {
        const json_t* primitives = json_object_get(json_array_get(meshes, m), "primitives");
        for (size_t i = 0; i < json_array_size(primitives); ++i)
        {
            const json_t* primitive = json_array_get(primitives, i);
            const json_t* mode = json_object_get(primitive, "mode");
            if (json_object_get(primitive, "indices") == NULL)
            {
                continue;
            }
            const json_t* accessor = json_array_get(accessors, number_at(primitive, "indices"));
            uint32_t index = number_at(accessor, "bufferView");
            // Primitives that were not read may name anything, and zeros need no view.
            if (json_object_get(accessor, "bufferView") == NULL || index >= view_count)
            {
                continue;
            }
            packing* view = &out[index];
            bool is_list = (mode == NULL || json_number_value(mode) == 4.0) &&
                           number_at(accessor, "count") % 3 == 0;
            bool is_first = view->mode == NULL;
            view->mode = "INDICES";
            view->is_triangle_list = is_list && (is_first || view->is_triangle_list);
        }
    }
}

// A view without elements that the codecs support, or with several kinds, is not compressed.
static void choose_modes(packing* inout, const json_t* root)
{
    const json_t* views = json_object_get(root, "bufferViews");
    for (size_t i = 0; i < json_array_size(views); ++i)
    {
        packing* view = &inout[i];
        uint32_t size = number_at(json_array_get(views, i), "byteLength");
        bool is_index = view->mode != NULL;
        bool fits = is_index ? view->stride == 2 || view->stride == 4
                             : view->stride % 4 == 0 && view->stride <= VERTEX_SIZE_MAX;
        bool is_usable = view->users > 0 && !view->is_refused && view->stride > 0 && fits &&
                         size >= view->stride && size % view->stride == 0;
        bool is_list =
            is_usable && is_index && view->is_triangle_list && size / view->stride % 3 == 0;
        view->mode = !is_usable  ? NULL
                     : !is_index ? "ATTRIBUTES"
                     : is_list   ? "TRIANGLES"
                                 : "INDICES";
    }
}

// ---------------------------------------------------------------------------------------------

// Indices of either width as 32 bits, which the encoder takes. @return NULL when out of memory
static unsigned int* widen(const uint8_t* bytes, size_t count, uint32_t stride)
{
    unsigned int* out = pelt_allocate(count + 1, sizeof *out);
    for (size_t i = 0; out != NULL && i < count; ++i)
    {
        const uint8_t* b = bytes + i * stride;
        out[i] = b[0] | (unsigned int)b[1] << 8;
        out[i] |= stride == 4 ? (unsigned int)b[2] << 16 | (unsigned int)b[3] << 24 : 0;
    }
    return out;
}

static size_t encode_indices(uint8_t* out, size_t room, const packing* how, const uint8_t* bytes,
                             size_t count)
{
    unsigned int* indices = widen(bytes, count, how->stride);
    if (indices == NULL)
    {
        return 0;
    }
    size_t size = strcmp(how->mode, "TRIANGLES") == 0
                      ? meshopt_encodeIndexBuffer(out, room, indices, count)
                      : meshopt_encodeIndexSequence(out, room, indices, count);
    pelt_release(indices);
    return size;
}

// At most twice the plain size: beyond that, compression is useless.
static size_t bound_of(const packing* how, size_t count, size_t size)
{
    return strcmp(how->mode, "ATTRIBUTES") == 0
               ? meshopt_encodeVertexBufferBound(count, how->stride)
               : 4 * size + 1024;
}

// @return its size in the document, or 0: it did not become smaller, or memory ran out
static size_t encode(pelti_gltf_document* out, const packing* how, const uint8_t* bytes,
                     size_t size)
{
    size_t count = size / how->stride, room = bound_of(how, count, size);
    uint8_t* packed = pelt_allocate(room + 1, 1);
    if (packed == NULL)
    {
        out->is_out_of_memory = true;
        return 0;
    }
    size_t packed_size = strcmp(how->mode, "ATTRIBUTES") == 0
                             ? meshopt_encodeVertexBuffer(packed, room, bytes, count, how->stride)
                             : encode_indices(packed, room, how, bytes, count);
    bool is_smaller = packed_size > 0 && packed_size < size;
    if (is_smaller)
    {
        pelti_gltf_append_bytes(out, packed, packed_size);
    }
    pelt_release(packed);
    return is_smaller ? packed_size : 0;
}

// @param fallback  bytes of the buffer without content so far
static void pack_view(pelti_gltf_document* out, json_t* view, const packing* how,
                      const pelti_gltf_document* from, size_t* fallback)
{
    size_t offset = number_at(view, "byteOffset"), size = number_at(view, "byteLength");
    const uint8_t* bytes = from->bytes + offset;
    size_t packed_size = how->mode != NULL ? encode(out, how, bytes, size) : 0;
    if (packed_size == 0)
    {
        pelti_gltf_set(out, view, "byteOffset",
                       json_integer((json_int_t)pelti_gltf_append_bytes(out, bytes, size)));
        return;
    }
    json_t *members = json_object(), *extensions = json_object_get(view, "extensions");
    pelti_gltf_set(out, members, "buffer", json_integer(0));
    pelti_gltf_set(out, members, "byteOffset", json_integer((json_int_t)(out->size - packed_size)));
    pelti_gltf_set(out, members, "byteLength", json_integer((json_int_t)packed_size));
    pelti_gltf_set(out, members, "byteStride", json_integer(how->stride));
    pelti_gltf_set(out, members, "mode", json_string(how->mode));
    pelti_gltf_set(out, members, "count", json_integer((json_int_t)(size / how->stride)));
    if (extensions == NULL)
    {
        extensions = json_object();
        pelti_gltf_set(out, view, "extensions", extensions);
    }
    pelti_gltf_set(out, extensions, extension, members);
    pelti_gltf_set(out, view, "buffer", json_integer(1));
    pelti_gltf_set(out, view, "byteOffset", json_integer((json_int_t)*fallback));
    *fallback += (size + 3) / 4 * 4;
}

static void set_buffers(pelti_gltf_document* out, size_t fallback)
{
    json_t *buffers = json_array(), *own = json_object(), *empty = json_object();
    json_t *extensions = json_object(), *members = json_object();
    pelti_gltf_set(out, own, "byteLength", json_integer((json_int_t)out->size));
    pelti_gltf_push(out, buffers, own);
    pelti_gltf_set(out, members, "fallback", json_true());
    pelti_gltf_set(out, extensions, extension, members);
    pelti_gltf_set(out, empty, "byteLength", json_integer((json_int_t)fallback));
    pelti_gltf_set(out, empty, "extensions", extensions);
    pelti_gltf_push(out, buffers, empty);
    pelti_gltf_set(out, out->root, "buffers", buffers);
}

static bool has_views_beyond(const pelti_gltf_document* document, const json_t* views)
{
    for (size_t i = 0; i < json_array_size(views); ++i)
    {
        const json_t* view = json_array_get(views, i);
        size_t offset = number_at(view, "byteOffset"), size = number_at(view, "byteLength");
        if (number_at(view, "buffer") != 0 || offset > document->size ||
            size > document->size - offset)
        {
            return true;
        }
    }
    return false;
}

pelt_result pelti_gltf_compress(pelti_gltf_document* document, pelt_error* error)
{
    if (document->is_out_of_memory)
    {
        return pelt_error_memory(error); // bytes are missing
    }
    json_t* root = document->root;
    json_t* views = json_object_get(root, "bufferViews");
    size_t count = json_array_size(views), fallback = 0;
    if (json_array_size(json_object_get(root, "buffers")) != 1 || has_views_beyond(document, views))
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "compression needs all data in the chunk of the GLB file");
    }
    packing* how = pelt_allocate(count + 1, sizeof *how);
    if (how == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(how, 0, (count + 1) * sizeof *how);
    find_strides(how, root);
    find_indices(how, root);
    choose_modes(how, root);
    meshopt_encodeVertexVersion(VERTEX_VERSION);
    meshopt_encodeIndexVersion(INDEX_VERSION);
    pelti_gltf_document packed = {.root = root};
    for (size_t i = 0; i < count; ++i)
    {
        pack_view(&packed, json_array_get(views, i), &how[i], document, &fallback);
    }
    if (fallback > 0)
    {
        set_buffers(&packed, fallback);
        pelti_gltf_require(&packed, extension);
    }
    else
    {
        pelti_gltf_set(&packed, json_array_get(json_object_get(root, "buffers"), 0), "byteLength",
                       json_integer((json_int_t)packed.size));
    }
    pelt_release(how);
    // The document has the same root, and other bytes.
    pelt_release(document->bytes);
    document->bytes = packed.bytes;
    document->size = packed.size;
    document->capacity = packed.capacity;
    document->is_out_of_memory |= packed.is_out_of_memory;
    return PELT_OK;
}
