// SPDX-License-Identifier: MIT
// Finding values in a parsed JSON. Objects of a few members are searched one by one; larger ones
// are sorted, so that no file can make the search slow.
#include "json_parse.h"

#include <stdlib.h>
#include <string.h>

enum
{
    LINEAR_COUNT = 32,
};

bool pelti_json_is(const pelti_json* value, pelti_json_type type)
{
    return value != NULL && value->type == type;
}

static int by_name(const void* a, const void* b)
{
    const pelti_json *x = a, *y = b;
    int order = strcmp(x->as.string, y->as.string);
    // Names lie in memory in the order of the text.
    return order != 0 ? order : (x->as.string > y->as.string) - (x->as.string < y->as.string);
}

void pelti_json_sort(pelti_json* members, size_t count)
{
    if (count > LINEAR_COUNT)
    {
        qsort(members, count, 2 * sizeof *members, by_name);
    }
}

// Where the last member of that name is, if it is there at all.
static uint32_t search(const pelti_json* object, const char* name)
{
    uint32_t low = 0, high = object->count;
    while (high - low > 1)
    {
        uint32_t middle = low + (high - low) / 2;
        bool is_past = strcmp(object->as.values[2 * middle].as.string, name) > 0;
        low = is_past ? low : middle;
        high = is_past ? middle : high;
    }
    return high;
}

const pelti_json* pelti_json_get(const pelti_json* object, const char* name)
{
    uint32_t count = pelti_json_is(object, PELTI_JSON_OBJECT) ? object->count : 0;
    bool is_sorted = count > LINEAR_COUNT;
    count = is_sorted ? search(object, name) : count;
    for (uint32_t i = count; i > (is_sorted ? count - 1 : 0); --i)
    {
        const char* key = object->as.values[2 * i - 2].as.string;
        if (key[0] == name[0] && strcmp(key, name) == 0)
        {
            return &object->as.values[2 * i - 1];
        }
    }
    return NULL;
}

size_t pelti_json_size(const pelti_json* array)
{
    return pelti_json_is(array, PELTI_JSON_ARRAY) ? array->count : 0;
}

const pelti_json* pelti_json_at(const pelti_json* array, size_t index)
{
    return index < pelti_json_size(array) ? &array->as.values[index] : NULL;
}

const char* pelti_json_string(const pelti_json* value)
{
    return pelti_json_is(value, PELTI_JSON_STRING) ? value->as.string : NULL;
}
