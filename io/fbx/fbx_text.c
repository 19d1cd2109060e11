// SPDX-License-Identifier: MIT
// The text form: "Name: value, value { children }", comments after ';'.
#include "../text_parse.h"
#include "fbx_dom.h"

#include <string.h>

enum
{
    LONGEST_NAME = 255,
};

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// The current byte; 0 at the end.
static uint8_t peek(const pelti_fbx_file* file)
{
    return file->at < file->size ? file->data[file->at] : 0;
}

static void skip_line(pelti_fbx_file* file)
{
    const uint8_t* start = file->data + file->at;
    const uint8_t* end = memchr(start, '\n', file->size - file->at);
    file->at = end != NULL ? (size_t)(end - file->data) : file->size;
}

static void skip_space(pelti_fbx_file* file)
{
    while (file->at < file->size && (is_space(peek(file)) || peek(file) == ';'))
    {
        if (peek(file) == ';')
        {
            skip_line(file);
        }
        else
        {
            file->at++;
        }
    }
}

static void skip_blanks(pelti_fbx_file* file)
{
    while (peek(file) == ' ' || peek(file) == '\t')
    {
        file->at++;
    }
}

// Line numbers are only computed for messages.
static pelt_result fail_here(const pelti_fbx_file* file, const char* what)
{
    size_t line = 1;
    for (size_t i = 0; i < file->at && i < file->size; ++i)
    {
        line += file->data[i] == '\n';
    }
    return pelti_fbx_fail(file, PELT_ERROR_DATA, "%s in line %zu", what, line);
}

// ---------------------------------------------------------------------------------------------
// Values

static pelt_result read_quoted(pelti_fbx_file* file, pelti_fbx_value* out)
{
    const uint8_t* start = file->data + file->at + 1;
    const uint8_t* end = memchr(start, '"', file->size - file->at - 1);
    if (end == NULL)
    {
        return fail_here(file, "a text without an end");
    }
    out->kind = PELTI_FBX_TEXT;
    out->data.bytes = start;
    out->data.size = (size_t)(end - start);
    file->at = (size_t)(end - file->data) + 1;
    return PELT_OK;
}

// A number, or an unquoted word such as T.
static pelt_result read_plain(pelti_fbx_file* file, pelti_fbx_value* out)
{
    const uint8_t *start = file->data + file->at, *end = start, *last = file->data + file->size;
    while (end < last && !is_space(*end) && strchr(",{};\"", *end) == NULL)
    {
        ++end;
    }
    if (end == start)
    {
        return fail_here(file, "no value where one should be");
    }
    file->at = (size_t)(end - file->data);
    pelti_number number = pelti_number_parse((const char*)start, (const char*)end);
    if (number.end != (const char*)end || isnan(number.value))
    {
        out->kind = PELTI_FBX_TEXT;
        out->data.bytes = start;
        out->data.size = (size_t)(end - start);
    }
    else if (number.is_integer)
    {
        out->kind = PELTI_FBX_INTEGER;
        out->integer = number.integer;
    }
    else
    {
        out->kind = PELTI_FBX_REAL;
        out->real = number.value;
    }
    return PELT_OK;
}

// "*12 { a: 1,2 ... }": keep the numbers as text. The stated count is not trusted.
static pelt_result read_array(pelti_fbx_file* file, pelti_fbx_value* out)
{
    while (peek(file) != '{' && file->at < file->size)
    {
        file->at++;
    }
    const uint8_t* start = file->data + file->at;
    const uint8_t* end = memchr(start, '}', file->size - file->at);
    const uint8_t* colon = end != NULL ? memchr(start, ':', (size_t)(end - start)) : NULL;
    if (end == NULL)
    {
        return fail_here(file, "an array without an end");
    }
    file->at = (size_t)(end - file->data) + 1;
    start = colon != NULL ? colon + 1 : end;
    while (start < end && is_space(*start))
    {
        ++start;
    }
    size_t count = start < end;
    for (const uint8_t* c = start; c < end; ++c)
    {
        count += *c == ',';
    }
    if (count > UINT32_MAX)
    {
        return fail_here(file, "an array that is too long");
    }
    out->kind = PELTI_FBX_ARRAY;
    out->array = (pelti_fbx_array){.type = 't', .count = (uint32_t)count};
    out->data.bytes = start;
    out->data.size = (size_t)(end - start);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Nodes

static bool is_end_of_values(uint8_t c)
{
    return c == '\n' || c == '\r' || c == ';' || c == '{' || c == '}' || c == 0;
}

// Values follow the name on the same line, and continue on the next line after a comma.
static pelt_result read_values(pelti_fbx_file* file, pelti_fbx_node* node)
{
    void* memory = NULL;
    uint32_t count = 0, capacity = 0;
    bool is_more = true;
    skip_blanks(file);
    while (is_more && !is_end_of_values(peek(file)))
    {
        uint8_t c = peek(file);
        // Ignore empty values, as before the parts of an embedded image.
        if (c != ',')
        {
            if (!pelti_fbx_grow(file, &memory, &capacity, count, sizeof *node->values))
            {
                return PELT_ERROR_MEMORY;
            }
            pelti_fbx_value* value = (pelti_fbx_value*)memory + count++;
            PELT_TRY(c == '"'   ? read_quoted(file, value)
                     : c == '*' ? read_array(file, value)
                                : read_plain(file, value));
            skip_blanks(file);
        }
        is_more = peek(file) == ',';
        if (is_more)
        {
            file->at++;
            skip_space(file);
        }
    }
    node->values = memory;
    node->value_count = count;
    return PELT_OK;
}

static pelt_result read_name(pelti_fbx_file* file, pelti_fbx_node* node)
{
    const uint8_t* start = file->data + file->at;
    size_t left = file->size - file->at;
    size_t most = left < LONGEST_NAME ? left : LONGEST_NAME;
    const uint8_t* colon = memchr(start, ':', most);
    if (colon == NULL || memchr(start, '\n', (size_t)(colon - start)) != NULL)
    {
        return fail_here(file, "no name with a colon");
    }
    char* name = pelti_fbx_alloc(file, (size_t)(colon - start) + 1, 1);
    if (name == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(name, start, (size_t)(colon - start));
    node->name = name;
    file->at += (size_t)(colon - start) + 1;
    return PELT_OK;
}

static pelt_result read_children(pelti_fbx_file* file, pelti_fbx_node* parent, uint32_t depth);

static pelt_result read_node(pelti_fbx_file* file, pelti_fbx_node* node, uint32_t depth)
{
    PELT_TRY(read_name(file, node));
    PELT_TRY(read_values(file, node));
    skip_space(file);
    if (peek(file) != '{')
    {
        return PELT_OK;
    }
    uint32_t deepest = file->budget.limits.depth;
    if (depth >= deepest)
    {
        return pelti_fbx_fail(file, PELT_ERROR_UNSUPPORTED, "nests its records more than %u deep",
                              deepest);
    }
    file->at++;
    PELT_TRY(read_children(file, node, depth + 1));
    if (peek(file) != '}')
    {
        return fail_here(file, "a '{' without its '}'; the file ends too early,");
    }
    file->at++;
    return PELT_OK;
}

static pelt_result read_children(pelti_fbx_file* file, pelti_fbx_node* parent, uint32_t depth)
{
    pelti_fbx_node** link = &parent->first_child;
    skip_space(file);
    while (file->at < file->size && peek(file) != '}')
    {
        pelti_fbx_node* node = pelti_fbx_alloc(file, 1, sizeof *node);
        if (node == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        PELT_TRY(read_node(file, node, depth));
        *link = node;
        link = &node->next;
        skip_space(file);
    }
    return PELT_OK;
}

pelt_result pelti_fbx_parse_text(pelti_fbx_file* file)
{
    PELT_TRY(read_children(file, &file->root, 0));
    return file->at < file->size ? fail_here(file, "a '}' too many") : PELT_OK;
}
