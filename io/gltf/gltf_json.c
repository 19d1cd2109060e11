// SPDX-License-Identifier: MIT
// Values of a glTF file's JSON with their types checked, and messages about them.
#include "gltf_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char* const kind_names[PELTI_GLTF_KIND_COUNT] = {
    "accessors", "animations", "bufferViews", "buffers", "images", "materials",
    "meshes",    "nodes",      "samplers",    "scenes",  "skins",  "textures"};

const char* pelti_gltf_kind_name(pelti_gltf_kind kind)
{
    return kind_names[kind];
}

// ---------------------------------------------------------------------------------------------
// Words

enum
{
    PATH_SIZE = 200,
    MESSAGE_SIZE = 512,
};

static size_t describe(char* out, const pelti_json_path* at)
{
    if (at == NULL)
    {
        return 0;
    }
    size_t used = describe(out, at->outer);
    int length = at->member ? snprintf(out + used, PATH_SIZE - used, "/%s", at->member)
                            : snprintf(out + used, PATH_SIZE - used, "/%zu", at->index);
    used += length > 0 ? (size_t)length : 0;
    return used < PATH_SIZE ? used : PATH_SIZE - 1;
}

pelt_result pelti_gltf_fail(pelti_gltf* g, const pelti_json_path* at, const char* format, ...)
{
    char path[PATH_SIZE] = "", sentence[MESSAGE_SIZE];
    describe(path, at);
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    return pelt_error_set(g->error, PELT_ERROR_DATA, "%s: %s%s%s", g->path, path,
                          path[0] ? ": " : "", sentence);
}

pelt_result pelti_gltf_repair_add(pelti_gltf* g, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    bool is_ok = pelti_repairs_add(&g->repairs, g->arena, format, list);
    va_end(list);
    return is_ok ? PELT_OK : pelt_error_memory(g->error);
}

pelt_result pelti_gltf_repair_count(pelti_gltf* g, pelt_repair_kind kind, size_t count,
                                    const char* format, ...)
{
    va_list list;
    va_start(list, format);
    bool is_ok = pelti_repairs_add(&g->repairs, g->arena, format, list);
    va_end(list);
    if (!is_ok)
    {
        return pelt_error_memory(g->error);
    }
    pelti_repairs_classify(&g->repairs, kind, count < UINT32_MAX ? (uint32_t)count : UINT32_MAX);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Memory

// A few bytes of JSON can ask for any amount of memory: arrays of zeros, or one array many times.
static pelt_result alloc_in(void** out, pelti_gltf* g, pelt_arena* arena, size_t count, size_t size)
{
    if (size > 0 && count > g->budget.memory.left / size)
    {
        return pelti_gltf_fail(g, NULL,
                               "its contents would need far more memory than its size explains, "
                               "%zu times %zu bytes at one position",
                               count, size);
    }
    // All allocations of the reader go through here.
    PELT_TRY(pelti_load_charge(&g->budget, count * size / sizeof(float), g->path, g->error));
    *out = pelt_arena_alloc(arena, count, size);
    return *out != NULL ? PELT_OK : pelt_error_memory(g->error);
}

pelt_result pelti_gltf_alloc(void** out, pelti_gltf* g, size_t count, size_t size)
{
    return alloc_in(out, g, g->arena, count, size);
}

pelt_result pelti_gltf_alloc_scratch(void** out, pelti_gltf* g, size_t count, size_t size)
{
    return alloc_in(out, g, g->scratch, count, size);
}

// ---------------------------------------------------------------------------------------------
// Values

static pelt_result wrong(pelti_gltf* g, const char* member, const pelti_json_path* at,
                         const char* wanted)
{
    pelti_json_path here = pelti_json_member(at, member);
    return pelti_gltf_fail(g, &here, "this must be %s", wanted);
}

// Whole numbers, with or without a decimal point, in the range that double represents exactly.
static bool to_size(size_t* out, const pelti_json* value)
{
    double number = pelti_json_is(value, PELTI_JSON_NUMBER) ? value->as.number : -1.0;
    if (!(number >= 0.0 && number <= 9007199254740992.0) || floor(number) != number)
    {
        return false;
    }
    *out = (size_t)number;
    return true;
}

pelt_result pelti_gltf_get_size(size_t* out, pelti_gltf* g, const pelti_json* object,
                                const char* member, const pelti_json_path* at)
{
    const pelti_json* value = pelti_json_get(object, member);
    return value == NULL || to_size(out, value) ? PELT_OK
                                                : wrong(g, member, at, "a whole number, 0 or more");
}

pelt_result pelti_gltf_get_bool(bool* out, pelti_gltf* g, const pelti_json* object,
                                const char* member, const pelti_json_path* at)
{
    const pelti_json* value = pelti_json_get(object, member);
    if (value != NULL && !pelti_json_is(value, PELTI_JSON_TRUE) &&
        !pelti_json_is(value, PELTI_JSON_FALSE))
    {
        return wrong(g, member, at, "true or false");
    }
    *out = value != NULL ? pelti_json_is(value, PELTI_JSON_TRUE) : *out;
    return PELT_OK;
}

static bool to_float(float* out, const pelti_json* value)
{
    // Anything larger would be infinite as a float.
    if (!pelti_json_is(value, PELTI_JSON_NUMBER) || !(fabs(value->as.number) < 3.4e38))
    {
        return false;
    }
    *out = (float)value->as.number;
    return true;
}

pelt_result pelti_gltf_get_floats(float* out, size_t count, pelti_gltf* g, const pelti_json* object,
                                  const char* member, const pelti_json_path* at)
{
    const pelti_json* value = pelti_json_get(object, member);
    if (value == NULL)
    {
        return PELT_OK;
    }
    if (count == 1 && !pelti_json_is(value, PELTI_JSON_ARRAY))
    {
        return to_float(out, value) ? PELT_OK : wrong(g, member, at, "a number");
    }
    bool is_good = pelti_json_is(value, PELTI_JSON_ARRAY) && pelti_json_size(value) == count;
    for (size_t i = 0; i < count && is_good; ++i)
    {
        is_good = to_float(&out[i], pelti_json_at(value, i));
    }
    if (!is_good)
    {
        pelti_json_path here = pelti_json_member(at, member);
        return pelti_gltf_fail(g, &here, "this must be an array of %zu finite numbers", count);
    }
    return PELT_OK;
}

pelt_result pelti_gltf_get_string(const char** out, pelti_gltf* g, const pelti_json* object,
                                  const char* member, const pelti_json_path* at)
{
    const pelti_json* value = pelti_json_get(object, member);
    if (value != NULL && !pelti_json_is(value, PELTI_JSON_STRING))
    {
        return wrong(g, member, at, "a string");
    }
    *out = value != NULL ? pelti_json_string(value) : *out;
    return PELT_OK;
}

pelt_result pelti_gltf_get_object(const pelti_json** out, pelti_gltf* g, const pelti_json* object,
                                  const char* member, const pelti_json_path* at)
{
    const pelti_json* value = pelti_json_get(object, member);
    if (value != NULL && !pelti_json_is(value, PELTI_JSON_OBJECT))
    {
        return wrong(g, member, at, "an object");
    }
    *out = value != NULL ? value : *out;
    return PELT_OK;
}

pelt_result pelti_gltf_get_array(const pelti_json** out, pelti_gltf* g, const pelti_json* object,
                                 const char* member, const pelti_json_path* at)
{
    const pelti_json* value = pelti_json_get(object, member);
    if (value != NULL && !pelti_json_is(value, PELTI_JSON_ARRAY))
    {
        return wrong(g, member, at, "an array");
    }
    *out = value != NULL ? value : *out;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// References

pelt_result pelti_gltf_check_index(uint32_t* out, pelti_gltf* g, pelti_gltf_kind kind,
                                   const pelti_json* value, const pelti_json_path* at)
{
    size_t index;
    if (!to_size(&index, value))
    {
        return pelti_gltf_fail(g, at, "this must be an index into /%s", kind_names[kind]);
    }
    if (index >= g->lists[kind].count)
    {
        return pelti_gltf_fail(g, at, "%zu is no index into /%s, which has %u elements", index,
                               kind_names[kind], g->lists[kind].count);
    }
    *out = (uint32_t)index;
    return PELT_OK;
}

pelt_result pelti_gltf_get_index(uint32_t* out, pelti_gltf* g, pelti_gltf_kind kind,
                                 const pelti_json* object, const char* member,
                                 const pelti_json_path* at)
{
    const pelti_json* value = pelti_json_get(object, member);
    if (value == NULL)
    {
        return PELT_OK;
    }
    pelti_json_path here = pelti_json_member(at, member);
    return pelti_gltf_check_index(out, g, kind, value, &here);
}

const pelti_json* pelti_gltf_extension(const pelti_json* object, const char* name)
{
    return pelti_json_get(pelti_json_get(object, "extensions"), name);
}

const pelti_json* pelti_gltf_item(const pelti_gltf* g, pelti_gltf_kind kind, uint32_t index)
{
    return pelti_json_at(g->lists[kind].array, index);
}

pelt_result pelti_gltf_name(const char** out, pelti_gltf* g, const pelti_json* object,
                            const char* noun, uint32_t index, const pelti_json_path* at)
{
    const char* name = NULL;
    PELT_TRY(pelti_gltf_get_string(&name, g, object, "name", at));
    *out = name != NULL && name[0] != '\0' ? pelt_arena_string(g->arena, name)
                                           : pelt_arena_format(g->arena, "%s_%u", noun, index);
    return *out != NULL ? PELT_OK : pelt_error_memory(g->error);
}
