// SPDX-License-Identifier: MIT
// Numbers of arrays: unpacked, and made doubles or integers whatever they were.
#include "../number.h"
#include "../packed/packed.h"
#include "fbx_dom.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Text

static int64_t integer_of_real(double real)
{
    return fabs(real) < 9e18 ? (int64_t)real : 0;
}

// Either of `reals` and `integers` is wanted.
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
    // Lengths of FBX arrays have 32 bits, elements up to 8 bytes; zlib counts in 32 bits.
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

// The values of a node, where they are no array but stand one by one.
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
    pelt_result result = pelti_fbx_charge(file, most);
    if (result != PELT_OK)
    {
        return result;
    }
    void* memory = pelti_fbx_take(file, most, 8);
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
    pelt_result result = read_numbers(file, pelti_fbx_child(node, name), &out->count, &at, NULL);
    out->at = at;
    return result;
}

pelt_result pelti_fbx_read_integers(pelti_fbx_integers* out, pelti_fbx_file* file,
                                    const pelti_fbx_node* node, const char* name)
{
    int64_t* at = NULL;
    pelt_result result = read_numbers(file, pelti_fbx_child(node, name), &out->count, NULL, &at);
    out->at = at;
    return result;
}
