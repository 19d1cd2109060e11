// SPDX-License-Identifier: MIT
#include "json_tree.h"

#include "../text_parse.h"
#include "json_parse.h"

#include <stdlib.h>
#include <string.h>

typedef struct tree_builder
{
    bool has_unique_names;
    const pelti_json* repeated; // the second name of its kind; NULL: none so far
} tree_builder;

static json_t* build(tree_builder* builder, const pelti_json* value);

static json_t* build_number(const pelti_json* value)
{
    pelti_number number = pelti_number_parse(value->as.string, value->as.string + value->count);
    // "-0" is a number that an integer cannot represent.
    bool is_integer = number.is_integer && !(number.integer == 0 && value->as.string[0] == '-');
    return is_integer ? json_integer(number.integer) : json_real(number.value);
}

static json_t* build_array(tree_builder* builder, const pelti_json* value)
{
    json_t* out = json_array();
    for (uint32_t i = 0; i < value->count; ++i)
    {
        if (json_array_append_new(out, build(builder, &value->as.values[i])) != 0)
        {
            json_decref(out);
            return NULL;
        }
    }
    return out;
}

static json_t* build_object(tree_builder* builder, const pelti_json* value)
{
    json_t* out = json_object();
    for (uint32_t i = 0; i < value->count; ++i)
    {
        const pelti_json* name = &value->as.values[2 * (size_t)i];
        if (builder->has_unique_names && json_object_get(out, name->as.string) != NULL)
        {
            builder->repeated = name;
        }
        json_t* member = builder->repeated == NULL ? build(builder, name + 1) : NULL;
        if (json_object_set_new_nocheck(out, name->as.string, member) != 0)
        {
            json_decref(out);
            return NULL;
        }
    }
    return out;
}

// The parser has limited the depth.
static json_t* build(tree_builder* builder, const pelti_json* value)
{
    switch (value->type)
    {
    case PELTI_JSON_NULL:
        return json_null();
    case PELTI_JSON_FALSE:
        return json_false();
    case PELTI_JSON_TRUE:
        return json_true();
    case PELTI_JSON_NUMBER:
        return build_number(value);
    case PELTI_JSON_STRING:
        return json_stringn_nocheck(value->as.string, value->count);
    case PELTI_JSON_ARRAY:
        return build_array(builder, value);
    case PELTI_JSON_OBJECT:
        return build_object(builder, value);
    }
    return NULL;
}

static pelt_result fail(const pelti_json_text* text, const char* wrong, size_t offset,
                        pelt_error* error)
{
    pelti_json_position at = pelti_json_position_of(text->bytes, offset);
    return pelt_error_set(error, PELT_ERROR_DATA, "%s: %s at line %zu, column %zu of the JSON",
                          text->name, wrong, at.line, at.column);
}

static pelt_result read(json_t** out, const pelti_json_text* text, pelt_arena* arena,
                        pelt_error* error)
{
    enum
    {
        MAX_DEPTH = 2048 // that of jansson's own reader
    };
    pelti_json_failure failure;
    const pelti_json* root =
        pelti_json_parse_verbatim(text->bytes, text->size, MAX_DEPTH, arena, &failure);
    if (failure.wrong != NULL)
    {
        return fail(text, failure.wrong, failure.offset, error);
    }
    tree_builder builder = {.has_unique_names = text->has_unique_names};
    *out = root != NULL ? build(&builder, root) : NULL;
    if (builder.repeated != NULL)
    {
        return fail(text, "a duplicate name", builder.repeated->count, error);
    }
    return *out != NULL ? PELT_OK : pelt_error_memory(error);
}

pelt_result pelti_json_tree(json_t** out, const pelti_json_text* text, pelt_error* error)
{
    *out = NULL;
    pelt_arena* arena = pelt_arena_create();
    if (arena == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = read(out, text, arena, error);
    pelt_arena_destroy(arena);
    return result;
}
