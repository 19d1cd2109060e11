// SPDX-License-Identifier: MIT
// JSON as a tree of small values, for files whose JSON has millions of them. The library used
// elsewhere takes ten times as long and as much memory as all the rest of a file (measured).
#ifndef PELTI_JSON_PARSE_H
#define PELTI_JSON_PARSE_H

#include "pelt/pelt.h"

typedef enum pelti_json_type
{
    PELTI_JSON_NULL,
    PELTI_JSON_FALSE,
    PELTI_JSON_TRUE,
    PELTI_JSON_NUMBER,
    PELTI_JSON_STRING,
    PELTI_JSON_ARRAY,
    PELTI_JSON_OBJECT,
} pelti_json_type;

typedef struct pelti_json
{
    pelti_json_type type;
    uint32_t count; ///< elements, members, or bytes of a string
    union
    {
        double number;
        const char* string;              ///< UTF-8, terminated by the only zero
        const struct pelti_json* values; ///< elements; of an object key, value, key, value ...
    } as;
} pelti_json;

typedef struct pelti_json_failure
{
    size_t offset;     ///< where the text is wrong
    const char* wrong; ///< what is wrong, in words; NULL: out of memory
} pelti_json_failure;

/// Parse a whole text. Strict; values deeper than max_depth are refused.
/// @param arena  for the values
/// @return NULL on failure
const pelti_json* pelti_json_parse(const char* text, size_t size, uint32_t max_depth,
                                   pelt_arena* arena, pelti_json_failure* failure);

/// The same with nothing lost, for a text that is to be written again: a number is a string, its
/// digits as in the text, and an integer fits into 64 bits; members keep their order, and the
/// `count` of a name is where it starts in the text; strings may have zeros inside.
const pelti_json* pelti_json_parse_verbatim(const char* text, size_t size, uint32_t max_depth,
                                            pelt_arena* arena, pelti_json_failure* failure);

/// Line and column of an offset, both from 1.
typedef struct pelti_json_position
{
    size_t line, column;
} pelti_json_position;

pelti_json_position pelti_json_position_of(const char* text, size_t offset);

/// Bring the members of an object, key and value one after another, into the order that
/// pelti_json_get() expects.
void pelti_json_sort(pelti_json* members, size_t count);

/// All of these accept NULL for a missing value.
bool pelti_json_is(const pelti_json* value, pelti_json_type type);

/// The member of that name, the last when there are several; NULL: none, or no object.
const pelti_json* pelti_json_get(const pelti_json* object, const char* name);

/// 0 when it is no array.
size_t pelti_json_size(const pelti_json* array);

/// NULL when there is no such element.
const pelti_json* pelti_json_at(const pelti_json* array, size_t index);

/// NULL when it is no string.
const char* pelti_json_string(const pelti_json* value);

#endif
