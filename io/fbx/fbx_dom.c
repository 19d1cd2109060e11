// SPDX-License-Identifier: MIT
// The tree: what both forms of FBX share, and how to find things in it.
#include "fbx_dom.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
    OLDEST_VERSION = 7000, // before it, objects have names instead of numbers
    NEWEST_VERSION = 7999,
};

pelt_result pelti_fbx_fail(const pelti_fbx_file* file, pelt_result code, const char* format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return pelt_error_set(file->error, code, "%s: %s", file->path, message);
}

pelt_result pelti_fbx_charge(pelti_fbx_file* file, uint64_t amount)
{
    return pelti_load_charge(&file->budget, amount, file->path, file->error);
}

void* pelti_fbx_take(const pelti_fbx_file* file, size_t count, size_t size)
{
    void* memory = pelt_arena_alloc(file->scratch, count, size);
    if (memory == NULL)
    {
        pelt_error_memory(file->error);
    }
    return memory;
}

bool pelti_fbx_grow(const pelti_fbx_file* file, void** items, uint32_t* capacity, uint32_t count,
                    size_t size)
{
    if (count < *capacity)
    {
        return true;
    }
    uint32_t more = *capacity == 0 ? 8 : 2 * *capacity;
    void* grown = pelti_fbx_take(file, more, size);
    if (grown == NULL)
    {
        return false;
    }
    if (count > 0)
    {
        memcpy(grown, *items, count * size);
    }
    *items = grown;
    *capacity = more;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Which form

static const char binary_start[] = "Kaydara FBX Binary  ";

bool pelti_fbx_is_binary(const pelti_blob* blob)
{
    size_t length = sizeof binary_start - 1;
    return blob->size >= length && memcmp(blob->data, binary_start, length) == 0;
}

// Writers other than Autodesk's leave out the comment that the text form begins with.
bool pelti_fbx_is_text(const pelti_blob* blob)
{
    static const char comment[] = "; FBX", header[] = "FBXHeaderExtension:";
    size_t at = 0, end = blob->size < 4096 ? blob->size : 4096;
    while (at < end && blob->data[at] != 0 && strchr(" \t\r\n", blob->data[at]) != NULL)
    {
        ++at;
    }
    if (end - at >= sizeof comment - 1 && memcmp(blob->data + at, comment, sizeof comment - 1) == 0)
    {
        return true;
    }
    // Comments may come first; anything else is another format that speaks of FBX.
    while (at < end && blob->data[at] == ';')
    {
        while (at < end && blob->data[at] != '\n')
        {
            ++at;
        }
        while (at < end && blob->data[at] != 0 && strchr(" \t\r\n", blob->data[at]) != NULL)
        {
            ++at;
        }
    }
    return end - at >= sizeof header - 1 && memcmp(blob->data + at, header, sizeof header - 1) == 0;
}

// The version that the text form tells in its header, or else in its comment. 0: neither.
static uint32_t text_version(const pelti_fbx_file* file)
{
    const pelti_fbx_node* header = pelti_fbx_child(&file->root, "FBXHeaderExtension");
    int64_t version = pelti_fbx_integer(pelti_fbx_child(header, "FBXVersion"), 0, 0);
    if (version > 0 && version < 100000)
    {
        return (uint32_t)version;
    }
    char start[64] = "";
    uint32_t major, minor, patch;
    memcpy(start, file->data, file->size < sizeof start ? file->size : sizeof start - 1);
    return sscanf(start, " ; FBX %2" SCNu32 ".%2" SCNu32 ".%2" SCNu32, &major, &minor, &patch) == 3
               ? 1000 * major + 100 * minor + 10 * patch
               : 0;
}

static pelt_result check_version(const pelti_fbx_file* file)
{
    if (file->version < OLDEST_VERSION || file->version > NEWEST_VERSION)
    {
        return pelti_fbx_fail(file, PELT_ERROR_UNSUPPORTED,
                              "is FBX of version %u, and pelt reads 7000 (FBX 2011) to 7700; "
                              "convert it with a newer program",
                              file->version);
    }
    return PELT_OK;
}

pelt_result pelti_fbx_parse(pelti_fbx_file* file)
{
    const pelti_blob blob = {(uint8_t*)file->data, file->size};
    file->is_text = !pelti_fbx_is_binary(&blob);
    pelt_result result = file->is_text ? pelti_fbx_parse_text(file) : pelti_fbx_parse_binary(file);
    if (file->is_text)
    {
        file->version = text_version(file);
    }
    // Old versions have a grammar of their own: how old a file is says more than where it stopped
    // making sense.
    bool is_old =
        result != PELT_ERROR_MEMORY && file->version > 0 && file->version < OLDEST_VERSION;
    return result == PELT_OK || is_old ? check_version(file) : result;
}

// ---------------------------------------------------------------------------------------------
// Looking things up

const pelti_fbx_node* pelti_fbx_child(const pelti_fbx_node* node, const char* name)
{
    const pelti_fbx_node* child = node != NULL ? node->first_child : NULL;
    while (child != NULL && strcmp(child->name, name) != 0)
    {
        child = child->next;
    }
    return child;
}

int64_t pelti_fbx_integer(const pelti_fbx_node* node, uint32_t index, int64_t otherwise)
{
    if (node == NULL || index >= node->value_count)
    {
        return otherwise;
    }
    const pelti_fbx_value* value = &node->values[index];
    if (value->kind == PELTI_FBX_REAL && fabs(value->real) < 9e18)
    {
        return (int64_t)value->real;
    }
    return value->kind == PELTI_FBX_INTEGER ? value->integer : otherwise;
}

double pelti_fbx_real(const pelti_fbx_node* node, uint32_t index, double otherwise)
{
    if (node == NULL || index >= node->value_count)
    {
        return otherwise;
    }
    const pelti_fbx_value* value = &node->values[index];
    double real = value->kind == PELTI_FBX_REAL      ? value->real
                  : value->kind == PELTI_FBX_INTEGER ? (double)value->integer
                                                     : otherwise;
    return isfinite(real) ? real : otherwise;
}

const pelti_fbx_value* pelti_fbx_text(const pelti_fbx_node* node, uint32_t index)
{
    bool is_text =
        node != NULL && index < node->value_count && node->values[index].kind == PELTI_FBX_TEXT;
    return is_text ? &node->values[index] : NULL;
}

bool pelti_fbx_is_word(const pelti_fbx_value* text, const char* word)
{
    size_t length = strlen(word);
    return text != NULL && text->data.size == length && memcmp(text->data.bytes, word, length) == 0;
}

bool pelti_fbx_child_is(const pelti_fbx_node* node, const char* child, const char* word)
{
    return pelti_fbx_is_word(pelti_fbx_text(pelti_fbx_child(node, child), 0), word);
}

// ---------------------------------------------------------------------------------------------
// Strings

static const struct
{
    const char* mark;
    char sign;
} marks[] = {{"&quot;", '"'}, {"&cr;", '\r'}, {"&lf;", '\n'}};

// The sign that a mark stands for; *length is how long the mark is. 0: no mark.
static char sign_of(const uint8_t* bytes, size_t size, size_t* length)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; ++i)
    {
        *length = strlen(marks[i].mark);
        if (size >= *length && memcmp(bytes, marks[i].mark, *length) == 0)
        {
            return marks[i].sign;
        }
    }
    return '\0';
}

char* pelti_fbx_string(const pelti_fbx_file* file, const pelti_fbx_value* text)
{
    size_t size = text != NULL ? text->data.size : 0, length = 0;
    char* out = pelti_fbx_take(file, size + 1, 1);
    for (size_t i = 0; i < size && out != NULL && text->data.bytes[i] != 0; ++length)
    {
        size_t skip = 1;
        char sign = file->is_text && text->data.bytes[i] == '&'
                        ? sign_of(text->data.bytes + i, size - i, &skip)
                        : '\0';
        out[length] = sign != '\0' ? sign : (char)text->data.bytes[i];
        i += sign != '\0' ? skip : 1;
    }
    return out;
}
