// SPDX-License-Identifier: MIT
// The node tree that the binary and the text form share, lookup in it, and arrays of numbers.
#include "fbx_dom.h"

#include "../packed/packed.h"
#include "../text_parse.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    OLDEST_VERSION = 7000, // older files identify objects by name instead of number
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

void* pelti_fbx_alloc(const pelti_fbx_file* file, size_t count, size_t size)
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
    void* grown = pelti_fbx_alloc(file, more, size);
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
// Format detection

static const char binary_start[] = "Kaydara FBX Binary  ";

bool pelti_fbx_is_binary(const pelti_blob* blob)
{
    size_t length = sizeof binary_start - 1;
    return blob->size >= length && memcmp(blob->data, binary_start, length) == 0;
}

// Writers other than Autodesk's omit the comment that the text form begins with.
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
    // Skip comments. Any other text before the header means another format that mentions FBX.
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

// The version from the header, otherwise from the comment. 0: neither has it.
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
    // Old versions have a different grammar, so report the version rather than the syntax error.
    bool is_old =
        result != PELT_ERROR_MEMORY && file->version > 0 && file->version < OLDEST_VERSION;
    return result == PELT_OK || is_old ? check_version(file) : result;
}

// ---------------------------------------------------------------------------------------------
// Lookup

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
    const char* text;
    char character;
} escapes[] = {{"&quot;", '"'}, {"&cr;", '\r'}, {"&lf;", '\n'}};

// The character that an escape represents; *length is the length of the escape. 0: no escape.
static char unescape(const uint8_t* bytes, size_t size, size_t* length)
{
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; ++i)
    {
        *length = strlen(escapes[i].text);
        if (size >= *length && memcmp(bytes, escapes[i].text, *length) == 0)
        {
            return escapes[i].character;
        }
    }
    return '\0';
}

// The exporter of 3ds Max writes some characters as "FBXASC" and three digits.
static bool is_coded(const uint8_t* bytes, size_t size, uint8_t* character)
{
    static const char mark[] = "FBXASC";
    const size_t length = sizeof mark - 1;
    if (size < length + 3 || memcmp(bytes, mark, length) != 0)
    {
        return false;
    }
    unsigned code = 0;
    for (size_t i = length; i < length + 3; ++i)
    {
        if (bytes[i] < '0' || bytes[i] > '9')
        {
            return false;
        }
        code = 10 * code + (unsigned)(bytes[i] - '0');
    }
    *character = (uint8_t)code;
    return code > 0 && code < 256;
}

// Text whose characters have 16 bits: with a byte order mark, or Latin letters.
static bool is_wide(const uint8_t* bytes, size_t size, bool* is_big)
{
    bool has_mark = size >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) ||
                                  (bytes[0] == 0xfe && bytes[1] == 0xff));
    *is_big = has_mark && bytes[0] == 0xfe;
    return has_mark ||
           (size >= 4 && bytes[0] != 0 && bytes[1] == 0 && bytes[2] > 1 && bytes[3] == 0);
}

// @param out  has room for three bytes per unit
static void read_wide(char* out, const uint8_t* bytes, size_t size, bool is_big)
{
    uint32_t high = 0;
    for (size_t i = 0; i + 1 < size; i += 2)
    {
        uint32_t unit = is_big ? (uint32_t)(bytes[i] << 8 | bytes[i + 1])
                               : (uint32_t)(bytes[i + 1] << 8 | bytes[i]);
        bool is_high = unit >= 0xd800 && unit < 0xdc00, is_low = unit >= 0xdc00 && unit < 0xe000;
        if (unit == 0)
        {
            return;
        }
        if (is_low && high != 0)
        {
            out += pelti_utf8_put(out, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
        }
        else if (unit != 0xfeff && !is_high)
        {
            out += pelti_utf8_put(out, is_low ? '?' : unit);
        }
        high = is_high ? unit : 0;
    }
}

// Bytes that are not UTF-8 are taken for Latin-1, so that different names stay different.
static char* from_latin(const pelti_fbx_file* file, const char* text)
{
    char* out = pelti_fbx_alloc(file, 2 * strlen(text) + 1, 1);
    size_t length = 0;
    for (; out != NULL && *text != '\0'; ++text)
    {
        length += pelti_utf8_put(out + length, (unsigned char)*text);
    }
    return out;
}

char* pelti_fbx_string(const pelti_fbx_file* file, const pelti_fbx_value* text)
{
    size_t size = text != NULL ? text->data.size : 0, length = 0;
    const uint8_t* bytes = text != NULL ? text->data.bytes : NULL;
    bool is_big = false;
    if (size > 0 && is_wide(bytes, size, &is_big))
    {
        char* wide = pelti_fbx_alloc(file, 3 * (size / 2) + 4, 1);
        if (wide != NULL)
        {
            read_wide(wide, bytes, size, is_big);
        }
        return wide;
    }
    char* out = pelti_fbx_alloc(file, size + 1, 1);
    for (size_t i = 0; i < size && out != NULL && bytes[i] != 0; ++length)
    {
        size_t skip = 1;
        uint8_t coded = 0;
        char escaped =
            file->is_text && bytes[i] == '&' ? unescape(bytes + i, size - i, &skip) : '\0';
        if (escaped == '\0' && is_coded(bytes + i, size - i, &coded))
        {
            escaped = (char)coded;
            skip = 9;
        }
        out[length] = escaped != '\0' ? escaped : (char)bytes[i];
        i += escaped != '\0' ? skip : 1;
    }
    return out == NULL || pelti_utf8_is_valid(out, strlen(out)) ? out : from_latin(file, out);
}

// =============================================================================================
// Arrays of numbers: inflate, and convert to doubles or integers.

// ---------------------------------------------------------------------------------------------
// Text

static int64_t integer_of_real(double real)
{
    return fabs(real) < 9e18 ? (int64_t)real : 0;
}

// One of `reals` and `integers` is NULL.
static uint32_t read_text(double* reals, int64_t* integers, const pelti_fbx_value* value)
{
    const uint8_t *at = value->data.bytes, *end = at + value->data.size;
    uint32_t count = 0;
    while (at < end && count < value->array.count)
    {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        {
            ++at;
        }
        pelti_number number = pelti_number_parse((const char*)at, (const char*)end);
        at = (const uint8_t*)number.end;
        if (reals != NULL)
        {
            reals[count] = number.value;
        }
        if (integers != NULL)
        {
            integers[count] = number.is_integer ? number.integer : integer_of_real(number.value);
        }
        ++count;
        const uint8_t* comma = memchr(at, ',', (size_t)(end - at));
        at = comma != NULL ? comma + 1 : end;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Binary

static uint32_t size_of_element(char type)
{
    return type == 'd' || type == 'l' ? 8 : type == 'i' || type == 'f' ? 4 : 1;
}

static pelt_result unpack(pelti_fbx_file* file, uint8_t* out, size_t size,
                          const pelti_fbx_value* value)
{
    // Lengths of FBX arrays have 32 bits and elements up to 8 bytes; zlib counts in 32 bits.
    if (size > UINT32_MAX || value->data.size > UINT32_MAX)
    {
        return pelti_fbx_fail(file, PELT_ERROR_UNSUPPORTED, "has an array of %zu bytes", size);
    }
    pelt_result result = pelti_unpack(out, size, value->data.bytes, value->data.size);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(file->error)
           : result == PELT_OK
               ? PELT_OK
               : pelti_fbx_fail(file, PELT_ERROR_DATA, "a packed array cannot be unpacked");
}

static uint64_t read_bits(const uint8_t* bytes, uint32_t size)
{
    uint64_t bits = 0;
    for (uint32_t i = size; i > 0; --i)
    {
        bits = bits << 8 | bytes[i - 1];
    }
    return bits;
}

static double real_of(char type, const uint8_t* bytes, int64_t* integer)
{
    uint64_t bits = read_bits(bytes, size_of_element(type));
    uint32_t low = (uint32_t)bits;
    float single;
    double real;
    memcpy(&single, &low, sizeof single);
    memcpy(&real, &bits, sizeof real);
    switch (type)
    {
    case 'f':
        *integer = integer_of_real((double)single);
        return (double)single;
    case 'd':
        *integer = integer_of_real(real);
        return real;
    case 'l':
        memcpy(integer, &bits, sizeof *integer);
        return (double)*integer;
    case 'i':
        *integer = (int32_t)low;
        return (double)*integer;
    default:
        *integer = (int64_t)bits;
        return (double)bits;
    }
}

static pelt_result read_binary(pelti_fbx_file* file, double* reals, int64_t* integers,
                               const pelti_fbx_value* value)
{
    uint32_t size = size_of_element(value->array.type);
    const uint8_t* bytes = value->data.bytes;
    uint8_t* unpacked = NULL;
    pelt_result result = PELT_OK;
    size_t whole = value->array.is_packed ? (size_t)value->array.count * size : 0;
    if (value->array.is_packed)
    {
        unpacked =
            pelt_budget_charge(&file->budget.memory, whole) ? pelt_allocate(whole + 1, 1) : NULL;
        if (unpacked == NULL)
        {
            return pelt_error_memory(file->error);
        }
        result = unpack(file, unpacked, whole, value);
        bytes = unpacked;
    }
    for (uint32_t i = 0; i < value->array.count && result == PELT_OK; ++i)
    {
        int64_t integer;
        double real = real_of(value->array.type, bytes + (size_t)i * size, &integer);
        if (reals != NULL)
        {
            reals[i] = real;
        }
        if (integers != NULL)
        {
            integers[i] = integer;
        }
    }
    pelt_release(unpacked);
    pelt_budget_release(&file->budget.memory, whole);
    return result;
}

// ---------------------------------------------------------------------------------------------

// Numbers that are separate values of a node instead of an array.
static void read_single(double* reals, int64_t* integers, const pelti_fbx_node* node)
{
    for (uint32_t i = 0; i < node->value_count; ++i)
    {
        if (reals != NULL)
        {
            reals[i] = pelti_fbx_real(node, i, (double)NAN);
        }
        if (integers != NULL)
        {
            integers[i] = pelti_fbx_integer(node, i, 0);
        }
    }
}

static pelt_result read_numbers(pelti_fbx_file* file, const pelti_fbx_node* node, uint32_t* count,
                                double** reals, int64_t** integers)
{
    *count = 0;
    if (node == NULL || node->value_count == 0)
    {
        return PELT_OK;
    }
    const pelti_fbx_value* value = &node->values[0];
    bool is_array = value->kind == PELTI_FBX_ARRAY;
    uint32_t most = is_array ? value->array.count : node->value_count;
    PELT_TRY(pelti_fbx_charge(file, most));
    void* memory = pelti_fbx_alloc(file, most, 8);
    if (memory == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    double* real = reals != NULL ? (*reals = memory) : NULL;
    int64_t* integer = integers != NULL ? (*integers = memory) : NULL;
    *count = most;
    if (!is_array)
    {
        read_single(real, integer, node);
        return PELT_OK;
    }
    if (value->array.type == 't')
    {
        *count = read_text(real, integer, value);
        return PELT_OK;
    }
    return read_binary(file, real, integer, value);
}

pelt_result pelti_fbx_read_reals(pelti_fbx_reals* out, pelti_fbx_file* file,
                                 const pelti_fbx_node* node, const char* name)
{
    double* at = NULL;
    PELT_TRY(read_numbers(file, pelti_fbx_child(node, name), &out->count, &at, NULL));
    out->at = at;
    return PELT_OK;
}

pelt_result pelti_fbx_read_integers(pelti_fbx_integers* out, pelti_fbx_file* file,
                                    const pelti_fbx_node* node, const char* name)
{
    int64_t* at = NULL;
    PELT_TRY(read_numbers(file, pelti_fbx_child(node, name), &out->count, NULL, &at));
    out->at = at;
    return PELT_OK;
}
