// SPDX-License-Identifier: MIT
// The buffer of a glTF document: arrays become views and accessors, equal arrays one accessor.
#include "../text_parse.h"
#include "gltf_write.h"

#include <string.h>

void pelti_gltf_destroy(pelti_gltf_document* document)
{
    json_decref(document->root);
    pelt_release(document->bytes);
    pelt_release(document->known);
    *document = (pelti_gltf_document){0};
}

void pelti_gltf_set(pelti_gltf_document* document, json_t* object, const char* key, json_t* value)
{
    document->is_out_of_memory |= json_object_set_new(object, key, value) != 0;
}

void pelti_gltf_push(pelti_gltf_document* document, json_t* array, json_t* value)
{
    document->is_out_of_memory |= json_array_append_new(array, value) != 0;
}

json_t* pelti_gltf_list_of(pelti_gltf_document* document, const char* name)
{
    if (json_object_get(document->root, name) == NULL)
    {
        pelti_gltf_set(document, document->root, name, json_array());
    }
    return json_object_get(document->root, name);
}

void pelti_gltf_list_extension(pelti_gltf_document* document, const char* list_name,
                               const char* name)
{
    json_t* list = pelti_gltf_list_of(document, list_name);
    for (size_t i = 0; i < json_array_size(list); ++i)
    {
        const char* known = json_string_value(json_array_get(list, i));
        if (known != NULL && strcmp(known, name) == 0)
        {
            return;
        }
    }
    pelti_gltf_push(document, list, json_string(name));
}

json_t* pelti_gltf_floats(pelti_gltf_document* document, const float* values, uint32_t count)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < count; ++i)
    {
        pelti_gltf_push(document, list, json_real((double)values[i]));
    }
    return list;
}

json_t* pelti_gltf_string(const char* text, size_t size)
{
    // JSON cannot hold names that are not UTF-8: they are left out.
    return json_stringn_nocheck(text, pelti_utf8_is_valid(text, size) ? size : 0);
}

void pelti_gltf_set_name(pelti_gltf_document* document, json_t* object, const char* name)
{
    if (name != NULL)
    {
        pelti_gltf_set(document, object, "name", pelti_gltf_string(name, strlen(name)));
    }
}

// ---------------------------------------------------------------------------------------------
// Bytes

static bool reserve(pelti_gltf_document* document, size_t size)
{
    if (size <= document->capacity - document->size)
    {
        return true;
    }
    if (size > SIZE_MAX / 4 - document->size)
    {
        return false;
    }
    size_t capacity = 2 * (document->size + size) + 4096;
    uint8_t* bytes = pelt_allocate(capacity, 1);
    if (bytes == NULL)
    {
        return false;
    }
    if (document->size > 0)
    {
        memcpy(bytes, document->bytes, document->size);
    }
    pelt_release(document->bytes);
    document->bytes = bytes;
    document->capacity = capacity;
    return true;
}

static size_t padding_of(size_t size)
{
    return (4 - size % 4) % 4;
}

// Room at a multiple of four, for glTF needs every array at a multiple of its component.
static uint8_t* grow(pelti_gltf_document* document, size_t size)
{
    size_t padding = padding_of(document->size);
    if (size > SIZE_MAX - 4 || !reserve(document, padding + size))
    {
        document->is_out_of_memory = true;
        return NULL;
    }
    memset(document->bytes + document->size, 0, padding);
    document->size += padding + size;
    return document->bytes + document->size - size;
}

size_t pelti_gltf_append_bytes(pelti_gltf_document* document, const void* bytes, size_t size)
{
    uint8_t* room = grow(document, size);
    if (room == NULL)
    {
        return 0;
    }
    if (size > 0)
    {
        memcpy(room, bytes, size);
    }
    return document->size - size;
}

static size_t size_of_component(pelti_gltf_component component)
{
    switch (component)
    {
    case PELTI_GLTF_S8:
    case PELTI_GLTF_U8:
        return 1;
    case PELTI_GLTF_S16:
    case PELTI_GLTF_U16:
        return 2;
    case PELTI_GLTF_U32:
    case PELTI_GLTF_FLOAT:
        return 4;
    }
    return 0;
}

pelti_gltf_array pelti_gltf_array_of(const pelt_addition* addition, size_t vertex_count)
{
    static const struct
    {
        pelti_gltf_component component;
        bool is_normalized;
    } types[PELT_INTEGER_TYPE_COUNT] = {
        [PELT_INTEGER_U16] = {PELTI_GLTF_U16, false},
        [PELT_INTEGER_U8] = {PELTI_GLTF_U8, false},
        [PELT_INTEGER_S16] = {PELTI_GLTF_S16, false},
        [PELT_INTEGER_S8] = {PELTI_GLTF_S8, false},
        [PELT_INTEGER_UNORM16] = {PELTI_GLTF_U16, true},
        [PELT_INTEGER_UNORM8] = {PELTI_GLTF_U8, true},
        [PELT_INTEGER_SNORM16] = {PELTI_GLTF_S16, true},
    };
    PELT_ASSERT(addition->integer_type < PELT_INTEGER_TYPE_COUNT);
    pelti_gltf_array out = {.data = addition->values,
                            .count = vertex_count,
                            .width = addition->width,
                            .component = PELTI_GLTF_FLOAT,
                            .use = PELTI_GLTF_VERTICES};
    if (addition->integers != NULL)
    {
        out.data = addition->integers;
        out.component = types[addition->integer_type].component;
        out.is_normalized = types[addition->integer_type].is_normalized;
    }
    return out;
}

size_t pelti_gltf_array_size(const pelti_gltf_array* array)
{
    return array->count * array->width * size_of_component(array->component);
}

static uint32_t read_component(const uint8_t* data, size_t size)
{
    uint32_t word;
    uint16_t half;
    switch (size)
    {
    case 4:
        memcpy(&word, data, sizeof word);
        return word;
    case 2:
        memcpy(&half, data, sizeof half);
        return half;
    default:
        return *data;
    }
}

// Bytes from one element to the next in the file.
static size_t stride_of(const pelti_gltf_array* array)
{
    size_t size = array->width * size_of_component(array->component);
    return array->is_padded ? (size + 3) / 4 * 4 : size;
}

// Little-endian on any machine.
static void copy_components(uint8_t* out, const pelti_gltf_array* array)
{
    size_t count = array->count * array->width, size = size_of_component(array->component);
    size_t padding = stride_of(array) - array->width * size;
    const uint8_t* data = array->data;
    for (size_t i = 0; i < count; ++i, data += size)
    {
        uint32_t value = read_component(data, size);
        for (size_t k = 0; k < size; ++k)
        {
            *out++ = (uint8_t)(value >> (8 * k));
        }
        for (size_t k = 0; k < padding && (i + 1) % array->width == 0; ++k)
        {
            *out++ = 0;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Accessors that hold the same

// FNV-1a (Fowler, Noll, Vo), four bytes at a time.
static uint64_t hash_bytes(uint64_t hash, const uint8_t* bytes, size_t size)
{
    for (size_t i = 0; i < size; i += 4)
    {
        uint32_t word = 0;
        memcpy(&word, bytes + i, size - i < 4 ? size - i : 4);
        hash = (hash ^ word) * 0x100000001b3u;
        hash ^= hash >> 32;
    }
    return hash;
}

// The same bytes as another type, or for another use, are another accessor.
static uint64_t kind_of(const pelti_gltf_array* array)
{
    return ((uint64_t)array->component << 32) | ((uint64_t)array->use << 8) |
           ((uint64_t)array->width << 3) | (array->is_padded ? 4u : 0u) |
           (array->is_normalized ? 2u : 0u) | (array->has_bounds ? 1u : 0u);
}

static uint64_t hash_known(const pelti_gltf_known* known, const uint8_t* bytes)
{
    uint64_t hash = 0xcbf29ce484222325u ^ known->kind * 0x9e3779b97f4a7c15u;
    hash = hash_bytes(hash, bytes, known->size);
    return hash != 0 ? hash : 1;
}

static bool widen_known(pelti_gltf_document* document)
{
    if (2 * (document->known_count + 1) <= document->known_capacity)
    {
        return true;
    }
    size_t room = document->known_capacity > 0 ? 2 * document->known_capacity : 256;
    pelti_gltf_known* wider = pelt_allocate(room, sizeof *wider);
    if (wider == NULL)
    {
        return false;
    }
    memset(wider, 0, room * sizeof *wider);
    for (size_t i = 0; i < document->known_capacity; ++i)
    {
        size_t slot = document->known[i].hash & (room - 1);
        while (document->known[i].hash != 0 && wider[slot].hash != 0)
        {
            slot = (slot + 1) & (room - 1);
        }
        if (document->known[i].hash != 0)
        {
            wider[slot] = document->known[i];
        }
    }
    pelt_release(document->known);
    document->known = wider;
    document->known_capacity = room;
    return true;
}

static bool is_same(const pelti_gltf_document* document, const pelti_gltf_known* a,
                    const pelti_gltf_known* b)
{
    return a->hash == b->hash && a->kind == b->kind && a->size == b->size &&
           memcmp(document->bytes + a->offset, document->bytes + b->offset, a->size) == 0;
}

// The entry that equals it, or the free one for it.
static pelti_gltf_known* find_known(pelti_gltf_document* document, const pelti_gltf_known* wanted)
{
    size_t slot = wanted->hash & (document->known_capacity - 1);
    while (document->known[slot].hash != 0 && !is_same(document, &document->known[slot], wanted))
    {
        slot = (slot + 1) & (document->known_capacity - 1);
    }
    return &document->known[slot];
}

// ---------------------------------------------------------------------------------------------

static const char* type_of_width(uint32_t width)
{
    static const char* const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    return width == 16 ? "MAT4" : types[width];
}

static void set_bounds(pelti_gltf_document* document, json_t* accessor,
                       const pelti_gltf_array* array)
{
    float low[4] = {0}, high[4] = {0};
    const float* values = array->data;
    for (size_t i = 0; values != NULL && i < array->count; ++i, values += array->width)
    {
        for (uint32_t k = 0; k < array->width; ++k)
        {
            low[k] = i == 0 || values[k] < low[k] ? values[k] : low[k];
            high[k] = i == 0 || values[k] > high[k] ? values[k] : high[k];
        }
    }
    pelti_gltf_set(document, accessor, "min", pelti_gltf_floats(document, low, array->width));
    pelti_gltf_set(document, accessor, "max", pelti_gltf_floats(document, high, array->width));
}

static uint32_t add_view(pelti_gltf_document* document, const pelti_gltf_known* where,
                         pelti_gltf_use use)
{
    json_t* views = pelti_gltf_list_of(document, "bufferViews");
    json_t* view = json_object();
    pelti_gltf_set(document, view, "buffer", json_integer(document->buffer));
    pelti_gltf_set(document, view, "byteOffset", json_integer((json_int_t)where->offset));
    pelti_gltf_set(document, view, "byteLength", json_integer((json_int_t)where->size));
    if (use != PELTI_GLTF_PLAIN)
    {
        pelti_gltf_set(document, view, "target", json_integer(use));
    }
    pelti_gltf_push(document, views, view);
    return (uint32_t)json_array_size(views) - 1;
}

uint32_t pelti_gltf_add_view(pelti_gltf_document* document, const void* bytes, size_t size)
{
    pelti_gltf_known where = {.offset = pelti_gltf_append_bytes(document, bytes, size),
                              .size = size};
    return add_view(document, &where, PELTI_GLTF_PLAIN);
}

// @param where  NULL: zeros
static uint32_t add_accessor(pelti_gltf_document* document, const pelti_gltf_array* array,
                             const pelti_gltf_known* where)
{
    json_t* accessors = pelti_gltf_list_of(document, "accessors");
    json_t* accessor = json_object();
    if (where != NULL)
    {
        uint32_t view = add_view(document, where, array->use);
        pelti_gltf_set(document, accessor, "bufferView", json_integer(view));
        if (array->is_padded)
        {
            json_t* views = pelti_gltf_list_of(document, "bufferViews");
            pelti_gltf_set(document, json_array_get(views, view), "byteStride",
                           json_integer((json_int_t)stride_of(array)));
        }
    }
    pelti_gltf_set(document, accessor, "componentType", json_integer(array->component));
    if (array->is_normalized)
    {
        pelti_gltf_set(document, accessor, "normalized", json_true());
    }
    pelti_gltf_set(document, accessor, "count", json_integer((json_int_t)array->count));
    pelti_gltf_set(document, accessor, "type", json_string(type_of_width(array->width)));
    if (array->has_bounds)
    {
        set_bounds(document, accessor, array);
    }
    pelti_gltf_push(document, accessors, accessor);
    return (uint32_t)json_array_size(accessors) - 1;
}

uint32_t pelti_gltf_add_array(pelti_gltf_document* document, const pelti_gltf_array* array)
{
    if (array->data == NULL)
    {
        return add_accessor(document, array, NULL);
    }
    size_t element = stride_of(array);
    if (array->count > SIZE_MAX / element)
    {
        document->is_out_of_memory = true;
        return 0;
    }
    size_t size_before = document->size;
    pelti_gltf_known wanted = {.kind = kind_of(array), .size = array->count * element};
    uint8_t* room = grow(document, wanted.size);
    if (room == NULL || !widen_known(document))
    {
        document->is_out_of_memory = true;
        return 0;
    }
    copy_components(room, array);
    wanted.offset = document->size - wanted.size;
    wanted.hash = hash_known(&wanted, room);

    pelti_gltf_known* known = find_known(document, &wanted);
    if (known->hash != 0)
    {
        document->size = size_before;
        return known->accessor;
    }
    wanted.accessor = add_accessor(document, array, &wanted);
    *known = wanted;
    document->known_count++;
    return wanted.accessor;
}

void pelti_gltf_replace_array(pelti_gltf_document* document, const pelti_gltf_array* array,
                              uint32_t accessor, size_t offset)
{
    pelti_gltf_known wanted = {.kind = kind_of(array),
                               .offset = offset,
                               .size = pelti_gltf_array_size(array),
                               .accessor = accessor};
    PELT_ASSERT(offset <= document->size && wanted.size <= document->size - offset);
    if (!widen_known(document))
    {
        document->is_out_of_memory = true;
        return;
    }
    copy_components(document->bytes + offset, array);
    wanted.hash = hash_known(&wanted, document->bytes + offset);
    pelti_gltf_known* known = find_known(document, &wanted);
    if (known->hash == 0)
    {
        *known = wanted;
        document->known_count++;
    }
}
