// SPDX-License-Identifier: MIT
// Accessors: typed arrays in buffers, of any component type, with strides and sparse changes.
// Bounds are checked once, when an accessor is opened, and not in the loops that follow.
#include "gltf_read.h"

#include <string.h>

size_t pelti_component_size(pelti_component component)
{
    switch (component)
    {
    case PELTI_COMPONENT_S8:
    case PELTI_COMPONENT_U8:
        return 1;
    case PELTI_COMPONENT_S16:
    case PELTI_COMPONENT_U16:
        return 2;
    case PELTI_COMPONENT_U32:
    case PELTI_COMPONENT_F32:
        return 4;
    }
    return 0;
}

static bool is_unsigned(pelti_component component)
{
    return component == PELTI_COMPONENT_U8 || component == PELTI_COMPONENT_U16 ||
           component == PELTI_COMPONENT_U32;
}

bool pelti_accessor_is_unsigned(const pelti_accessor* accessor)
{
    return is_unsigned(accessor->component);
}

// MAT2 and MAT3, whose columns are padded, have no use in skinned animation.
static uint32_t width_of_type(const char* type)
{
    static const struct
    {
        const char* name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
    {
        if (strcmp(type, types[i].name) == 0)
        {
            return types[i].width;
        }
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Opening

// A run of elements inside a buffer view.
typedef struct run
{
    uint32_t count;
    size_t size;   // bytes of one element
    size_t stride; // 0: from the view
    size_t offset;
} run;

// Where the elements of a run start, none of them past the end of the view.
static pelt_result find_run(const uint8_t** out, run* wanted, pelti_gltf* g, uint32_t view_index,
                            const pelti_accessor* a, const pelti_json_path* at)
{
    const pelti_gltf_bytes* view;
    PELT_TRY(pelti_gltf_view(&view, g, view_index));
    wanted->stride = wanted->stride == 0 ? view->stride : wanted->stride;
    wanted->stride = wanted->stride == 0 ? wanted->size : wanted->stride;
    if (wanted->count > 0 &&
        (wanted->offset > view->size || wanted->size > view->size - wanted->offset ||
         (wanted->count - 1) > (view->size - wanted->offset - wanted->size) / wanted->stride))
    {
        return pelti_gltf_fail(g, at,
                               "accessor %u needs %u elements of %zu bytes, %zu apart, from byte "
                               "%zu on, but buffer view %u has %zu bytes",
                               a->index, wanted->count, wanted->size, wanted->stride,
                               wanted->offset, view_index, view->size);
    }
    *out = wanted->count > 0 ? view->data + wanted->offset : view->data;
    return PELT_OK;
}

static pelt_result read_type(pelti_accessor* out, pelti_gltf* g, const pelti_json* json,
                             const pelti_json_path* at)
{
    size_t component = 0, count = 0;
    const char* type = "";
    pelt_result result = pelti_gltf_get_size(&component, g, json, "componentType", at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_size(&count, g, json, "count", at);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_string(&type, g, json, "type", at);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_bool(&out->is_normalized, g, json, "normalized", at);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    out->component = component <= PELTI_COMPONENT_F32 ? (pelti_component)component : 0;
    out->width = width_of_type(type);
    if (pelti_component_size(out->component) == 0 || out->width == 0 || count >= UINT32_MAX)
    {
        return pelti_gltf_fail(g, at,
                               "accessor %u has %zu elements of type \"%.10s\" and componentType "
                               "%zu, which cannot be used here",
                               out->index, count, type, component);
    }
    out->count = (uint32_t)count;
    return PELT_OK;
}

static uint32_t load_integer(const uint8_t* p, pelti_component component)
{
    switch (pelti_component_size(component))
    {
    case 1:
        return p[0];
    case 2:
        return p[0] | (uint32_t)p[1] << 8;
    default:
        return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    }
}

static uint32_t sparse_index(const pelti_accessor* a, uint32_t i)
{
    return load_integer(a->sparse_indices + (size_t)i * pelti_component_size(a->sparse_component),
                        a->sparse_component);
}

// One of the two runs of a sparse accessor.
static pelt_result find_sparse_run(const uint8_t** out, pelti_gltf* g, const pelti_json* sparse,
                                   const char* member, run wanted, const pelti_accessor* a,
                                   const pelti_json_path* at)
{
    pelti_json_path here = pelti_json_member(at, member);
    const pelti_json* json = NULL;
    uint32_t view = PELT_NONE;
    pelt_result result = pelti_gltf_get_object(&json, g, sparse, member, at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_index(&view, g, PELTI_GLTF_BUFFER_VIEWS, json, "bufferView", &here);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_size(&wanted.offset, g, json, "byteOffset", &here);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    wanted.stride = wanted.size;
    return view != PELT_NONE ? find_run(out, &wanted, g, view, a, &here)
                             : pelti_gltf_fail(g, &here, "it names no buffer view");
}

static pelt_result check_sparse_indices(pelti_gltf* g, const pelti_accessor* a,
                                        const pelti_json_path* at)
{
    for (uint32_t i = 0; i < a->sparse_count; ++i)
    {
        if (sparse_index(a, i) >= a->count)
        {
            return pelti_gltf_fail(g, at,
                                   "sparse index %u of accessor %u is %u, past its %u "
                                   "elements",
                                   i, a->index, sparse_index(a, i), a->count);
        }
    }
    return PELT_OK;
}

static pelt_result open_sparse(pelti_accessor* a, pelti_gltf* g, const pelti_json* sparse,
                               const pelti_json_path* at)
{
    size_t count = 0, component = 0;
    const pelti_json* indices = pelti_json_get(sparse, "indices");
    pelt_result result = pelti_gltf_get_size(&count, g, sparse, "count", at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_size(&component, g, indices, "componentType", at);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    a->sparse_component = component <= PELTI_COMPONENT_F32 ? (pelti_component)component : 0;
    if (count > a->count || !is_unsigned(a->sparse_component))
    {
        return pelti_gltf_fail(g, at,
                               "%zu changes by indices of componentType %zu cannot apply to "
                               "the %u elements of accessor %u",
                               count, component, a->count, a->index);
    }
    PELT_TRY(pelti_load_charge(&g->budget, count, g->path, g->error));
    run keys = {.count = (uint32_t)count, .size = pelti_component_size(a->sparse_component)};
    run values = {.count = (uint32_t)count, .size = pelti_component_size(a->component) * a->width};
    result = find_sparse_run(&a->sparse_indices, g, sparse, "indices", keys, a, at);
    if (result == PELT_OK)
    {
        result = find_sparse_run(&a->sparse_data, g, sparse, "values", values, a, at);
    }
    if (result == PELT_OK)
    {
        a->sparse_count = (uint32_t)count;
        result = check_sparse_indices(g, a, at);
    }
    return result;
}

static pelt_result open_dense(pelti_accessor* a, pelti_gltf* g, const pelti_json* json,
                              const pelti_json_path* at)
{
    uint32_t view = PELT_NONE;
    run wanted = {.count = a->count, .size = pelti_component_size(a->component) * a->width};
    pelt_result result =
        pelti_gltf_get_index(&view, g, PELTI_GLTF_BUFFER_VIEWS, json, "bufferView", at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_size(&wanted.offset, g, json, "byteOffset", at);
    }
    if (result == PELT_OK && view != PELT_NONE)
    {
        result = find_run(&a->data, &wanted, g, view, a, at);
    }
    a->stride = wanted.stride;
    return result;
}

// Whether the accessor is one of a compressed primitive.
static bool open_decoded(pelti_accessor* a, const pelti_gltf* g)
{
    for (uint32_t i = 0; i < g->decoded_count; ++i)
    {
        const pelti_gltf_decoded* decoded = &g->decoded[i];
        if (decoded->accessor == a->index)
        {
            a->data = decoded->data;
            a->stride = decoded->stride;
            a->component = (pelti_component)decoded->component;
            return true;
        }
    }
    return false;
}

pelt_result pelti_accessor_open(pelti_accessor* out, pelti_gltf* g, uint32_t index,
                                const pelti_json_path* at)
{
    *out = (pelti_accessor){.index = index};
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_ACCESSORS, index);
    const pelti_json* sparse = NULL;
    pelt_result result = read_type(out, g, json, at);
    if (result == PELT_OK && open_decoded(out, g))
    {
        return PELT_OK;
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_object(&sparse, g, json, "sparse", at);
    }
    if (result == PELT_OK)
    {
        result = open_dense(out, g, json, at);
    }
    return result == PELT_OK && sparse != NULL ? open_sparse(out, g, sparse, at) : result;
}

// ---------------------------------------------------------------------------------------------
// Reading
//
// One tight loop for each component type. Divisors are those of the glTF specification, 3.6.2.2;
// numbers that are not normalized are divided by one, which changes nothing.

typedef struct copy
{
    const uint8_t* in;
    float* out;
    size_t count, in_stride, out_stride;
    uint32_t width;
    bool is_normalized;
} copy;

static void copy_u8(const copy* c)
{
    float divisor = c->is_normalized ? 255.0f : 1.0f;
    const uint8_t* in = c->in;
    float* out = c->out;
    for (size_t i = 0; i < c->count; ++i, in += c->in_stride, out += c->out_stride)
    {
        for (uint32_t k = 0; k < c->width; ++k)
        {
            out[k] = (float)in[k] / divisor;
        }
    }
}

static void copy_s8(const copy* c)
{
    float divisor = c->is_normalized ? 127.0f : 1.0f;
    float least = c->is_normalized ? -1.0f : -128.0f;
    const uint8_t* in = c->in;
    float* out = c->out;
    for (size_t i = 0; i < c->count; ++i, in += c->in_stride, out += c->out_stride)
    {
        for (uint32_t k = 0; k < c->width; ++k)
        {
            out[k] = fmaxf((float)(int8_t)in[k] / divisor, least);
        }
    }
}

static uint16_t load_u16(const uint8_t* p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static void copy_u16(const copy* c)
{
    float divisor = c->is_normalized ? 65535.0f : 1.0f;
    const uint8_t* in = c->in;
    float* out = c->out;
    for (size_t i = 0; i < c->count; ++i, in += c->in_stride, out += c->out_stride)
    {
        for (uint32_t k = 0; k < c->width; ++k)
        {
            out[k] = (float)load_u16(in + 2 * k) / divisor;
        }
    }
}

static void copy_s16(const copy* c)
{
    float divisor = c->is_normalized ? 32767.0f : 1.0f;
    float least = c->is_normalized ? -1.0f : -32768.0f;
    const uint8_t* in = c->in;
    float* out = c->out;
    for (size_t i = 0; i < c->count; ++i, in += c->in_stride, out += c->out_stride)
    {
        for (uint32_t k = 0; k < c->width; ++k)
        {
            out[k] = fmaxf((float)(int16_t)load_u16(in + 2 * k) / divisor, least);
        }
    }
}

static void copy_u32(const copy* c)
{
    const uint8_t* in = c->in;
    float* out = c->out;
    for (size_t i = 0; i < c->count; ++i, in += c->in_stride, out += c->out_stride)
    {
        for (uint32_t k = 0; k < c->width; ++k)
        {
            out[k] = (float)load_integer(in + 4 * k, PELTI_COMPONENT_U32);
        }
    }
}

static void copy_f32(const copy* c)
{
    const uint8_t* in = c->in;
    float* out = c->out;
    for (size_t i = 0; i < c->count; ++i, in += c->in_stride, out += c->out_stride)
    {
        for (uint32_t k = 0; k < c->width; ++k)
        {
            uint32_t bits = load_integer(in + 4 * k, PELTI_COMPONENT_F32);
            memcpy(&out[k], &bits, sizeof bits);
        }
    }
}

static void copy_elements(const copy* c, pelti_component component)
{
    switch (component)
    {
    case PELTI_COMPONENT_S8:
        copy_s8(c);
        break;
    case PELTI_COMPONENT_U8:
        copy_u8(c);
        break;
    case PELTI_COMPONENT_S16:
        copy_s16(c);
        break;
    case PELTI_COMPONENT_U16:
        copy_u16(c);
        break;
    case PELTI_COMPONENT_U32:
        copy_u32(c);
        break;
    case PELTI_COMPONENT_F32:
        copy_f32(c);
        break;
    }
}

static void clear_elements(float* out, uint32_t out_width, const pelti_accessor* a)
{
    for (size_t i = 0; i < a->count; ++i)
    {
        memset(out + i * out_width, 0, a->width * sizeof *out);
    }
}

void pelti_accessor_floats(float* out, uint32_t out_width, const pelti_accessor* accessor)
{
    PELT_ASSERT(out_width >= accessor->width);
    copy c = {.in = accessor->data,
              .out = out,
              .count = accessor->count,
              .in_stride = accessor->stride,
              .out_stride = out_width,
              .width = accessor->width,
              .is_normalized = accessor->is_normalized};
    if (accessor->data != NULL)
    {
        copy_elements(&c, accessor->component);
    }
    else
    {
        clear_elements(out, out_width, accessor);
    }

    size_t size = pelti_component_size(accessor->component) * accessor->width;
    for (uint32_t i = 0; i < accessor->sparse_count; ++i)
    {
        c.in = accessor->sparse_data + i * size;
        c.out = out + (size_t)sparse_index(accessor, i) * out_width;
        c.count = 1;
        copy_elements(&c, accessor->component);
    }
}

static void copy_integers(uint32_t* out, const uint8_t* in, const pelti_accessor* a)
{
    size_t size = pelti_component_size(a->component);
    for (uint32_t k = 0; k < a->width; ++k)
    {
        out[k] = load_integer(in + k * size, a->component);
    }
}

void pelti_accessor_integers(uint32_t* out, uint32_t out_width, const pelti_accessor* accessor)
{
    PELT_ASSERT(out_width >= accessor->width && pelti_accessor_is_unsigned(accessor));
    for (size_t i = 0; i < accessor->count; ++i)
    {
        if (accessor->data != NULL)
        {
            copy_integers(out + i * out_width, accessor->data + i * accessor->stride, accessor);
        }
        else
        {
            memset(out + i * out_width, 0, accessor->width * sizeof *out);
        }
    }
    size_t size = pelti_component_size(accessor->component) * accessor->width;
    for (uint32_t i = 0; i < accessor->sparse_count; ++i)
    {
        copy_integers(out + (size_t)sparse_index(accessor, i) * out_width,
                      accessor->sparse_data + i * size, accessor);
    }
}
