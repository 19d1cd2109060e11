// SPDX-License-Identifier: MIT
// The binary form: records with their end offset, which has 32 bits up to version 7400 and 64 bits
// after.
#include "fbx_dom.h"

#include <string.h>

enum
{
    HEADER_SIZE = 27,
    LITTLE_ENDIAN_MARK = 22, // offset of the byte order in the header
};

static uint64_t read_number(const uint8_t* bytes, uint32_t size)
{
    uint64_t number = 0;
    for (uint32_t i = size; i > 0; --i)
    {
        number = number << 8 | bytes[i - 1];
    }
    return number;
}

// `size` bytes of the file, or NULL when fewer are left before `end`.
static const uint8_t* take_bytes(pelti_fbx_file* file, size_t end, uint64_t size)
{
    if (size > end - file->at)
    {
        return NULL;
    }
    const uint8_t* bytes = file->data + file->at;
    file->at += (size_t)size;
    return bytes;
}

static pelt_result fail_cut(const pelti_fbx_file* file)
{
    return pelti_fbx_fail(file, PELT_ERROR_DATA,
                          "a record at byte %zu reaches past its end; the file is cut or broken",
                          file->at);
}

// ---------------------------------------------------------------------------------------------
// Values

static uint32_t size_of_scalar(char type)
{
    switch (type)
    {
    case 'C':
    case 'B':
    case 'Z':
        return 1;
    case 'Y':
        return 2;
    case 'I':
    case 'F':
        return 4;
    case 'D':
    case 'L':
        return 8;
    default:
        return 0;
    }
}

static void read_scalar(pelti_fbx_value* out, char type, const uint8_t* bytes)
{
    uint32_t size = size_of_scalar(type);
    uint64_t bits = read_number(bytes, size);
    out->kind = type == 'F' || type == 'D' ? PELTI_FBX_REAL : PELTI_FBX_INTEGER;
    if (type == 'F')
    {
        float real;
        uint32_t half = (uint32_t)bits;
        memcpy(&real, &half, sizeof real);
        out->real = (double)real;
    }
    else if (type == 'D')
    {
        memcpy(&out->real, &bits, sizeof out->real);
    }
    else
    {
        // Extend the sign.
        uint64_t sign = size > 1 ? (uint64_t)1 << (8 * size - 1) : 0;
        uint64_t whole = (bits ^ sign) - sign;
        memcpy(&out->integer, &whole, sizeof out->integer);
    }
}

static pelt_result read_array(pelti_fbx_file* file, pelti_fbx_value* out, size_t end)
{
    const uint8_t* header = take_bytes(file, end, 12);
    if (header == NULL)
    {
        return fail_cut(file);
    }
    uint64_t stored = read_number(header + 8, 4);
    uint64_t encoding = read_number(header + 4, 4);
    out->array.count = (uint32_t)read_number(header, 4);
    out->array.is_packed = encoding == 1;
    uint32_t size = out->array.type == 'd' || out->array.type == 'l'   ? 8
                    : out->array.type == 'i' || out->array.type == 'f' ? 4
                                                                       : 1;
    uint64_t whole = (uint64_t)out->array.count * size;
    // zlib compresses at most by a factor of about 1000.
    if (encoding > 1 || (encoding == 1 && whole > 1100 * stored + 64))
    {
        return pelti_fbx_fail(file, PELT_ERROR_DATA, "the array at byte %zu is broken", file->at);
    }
    out->data.size = (size_t)(encoding == 1 ? stored : whole);
    out->data.bytes = take_bytes(file, end, out->data.size);
    return out->data.bytes != NULL ? PELT_OK : fail_cut(file);
}

static pelt_result read_value(pelti_fbx_file* file, pelti_fbx_value* out, size_t end)
{
    const uint8_t* type = take_bytes(file, end, 1);
    if (type == NULL)
    {
        return fail_cut(file);
    }
    uint32_t size = size_of_scalar((char)*type);
    if (size > 0)
    {
        const uint8_t* bytes = take_bytes(file, end, size);
        if (bytes == NULL)
        {
            return fail_cut(file);
        }
        read_scalar(out, (char)*type, bytes);
        return PELT_OK;
    }
    if (*type == 'S' || *type == 'R')
    {
        const uint8_t* length = take_bytes(file, end, 4);
        out->kind = PELTI_FBX_TEXT;
        out->data.size = length != NULL ? (size_t)read_number(length, 4) : 0;
        out->data.bytes = length != NULL ? take_bytes(file, end, out->data.size) : NULL;
        return out->data.bytes != NULL ? PELT_OK : fail_cut(file);
    }
    if (*type == 0 || strchr("bcilfd", *type) == NULL)
    {
        return pelti_fbx_fail(file, PELT_ERROR_DATA, "a value at byte %zu is of unknown type %d",
                              file->at - 1, *type);
    }
    out->kind = PELTI_FBX_ARRAY;
    out->array.type = (char)*type;
    return read_array(file, out, end);
}

// ---------------------------------------------------------------------------------------------
// Nodes

typedef struct record
{
    uint64_t end, value_count, value_size;
    uint8_t name_length;
} record;

static pelt_result read_record(pelti_fbx_file* file, record* out, size_t end)
{
    uint32_t word = file->version >= 7500 ? 8 : 4;
    const uint8_t* bytes = take_bytes(file, end, 3 * word + 1);
    if (bytes == NULL)
    {
        return fail_cut(file);
    }
    *out = (record){read_number(bytes, word), read_number(bytes + word, word),
                    read_number(bytes + 2 * word, word), bytes[3 * word]};
    return PELT_OK;
}

static pelt_result read_values(pelti_fbx_file* file, pelti_fbx_node* node, const record* header)
{
    size_t end = file->at + (size_t)header->value_size;
    pelti_fbx_value* values = pelti_fbx_alloc(file, (size_t)header->value_count, sizeof *values);
    if (values == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    node->values = values;
    node->value_count = (uint32_t)header->value_count;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < node->value_count && result == PELT_OK; ++i)
    {
        result = read_value(file, &values[i], end);
    }
    file->at = result == PELT_OK ? end : file->at;
    return result;
}

static pelt_result read_children(pelti_fbx_file* file, pelti_fbx_node* parent, size_t end,
                                 uint32_t depth);

static pelt_result read_node(pelti_fbx_file* file, pelti_fbx_node* node, const record* header,
                             size_t end, uint32_t depth)
{
    const uint8_t* name = take_bytes(file, end, header->name_length);
    char* copy = pelti_fbx_alloc(file, (size_t)header->name_length + 1, 1);
    if (copy == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    // Every value has at least two bytes.
    bool is_good = name != NULL && header->end <= end && header->end >= file->at &&
                   header->value_size <= header->end - file->at &&
                   header->value_count <= header->value_size / 2;
    uint32_t deepest = file->budget.limits.depth;
    if (!is_good || depth > deepest)
    {
        return is_good ? pelti_fbx_fail(file, PELT_ERROR_UNSUPPORTED,
                                        "nests its records more than %u deep", deepest)
                       : fail_cut(file);
    }
    memcpy(copy, name, header->name_length);
    node->name = copy;
    PELT_TRY(read_values(file, node, header));
    return read_children(file, node, (size_t)header->end, depth + 1);
}

// Read records up to the empty record that ends a list, or up to `end`.
static pelt_result read_children(pelti_fbx_file* file, pelti_fbx_node* parent, size_t end,
                                 uint32_t depth)
{
    pelti_fbx_node** link = &parent->first_child;
    pelt_result result = PELT_OK;
    while (file->at < end && result == PELT_OK)
    {
        record header = {0};
        result = read_record(file, &header, end);
        if (result != PELT_OK || header.end == 0)
        {
            break;
        }
        *link = pelti_fbx_alloc(file, 1, sizeof **link);
        if (*link == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        result = read_node(file, *link, &header, end, depth);
        link = &(*link)->next;
    }
    // The file continues after the last top-level record; nested lists end at their stated offset.
    file->at = result == PELT_OK && depth > 0 ? end : file->at;
    return result;
}

pelt_result pelti_fbx_parse_binary(pelti_fbx_file* file)
{
    if (file->size < HEADER_SIZE)
    {
        return pelti_fbx_fail(file, PELT_ERROR_DATA, "is cut within its header");
    }
    file->version = (uint32_t)read_number(file->data + 23, 4);
    if (file->data[LITTLE_ENDIAN_MARK - 2] != 0)
    {
        return pelti_fbx_fail(file, PELT_ERROR_DATA,
                              "has a broken header; it was copied as text, or is no FBX");
    }
    if (file->data[LITTLE_ENDIAN_MARK] != 0)
    {
        return pelti_fbx_fail(file, PELT_ERROR_UNSUPPORTED,
                              "is FBX with the high bytes first, which pelt does not read");
    }
    file->at = HEADER_SIZE;
    return read_children(file, &file->root, file->size, 0);
}
