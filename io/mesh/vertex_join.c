// SPDX-License-Identifier: MIT
// A hash table of vertices. Importers join within a tolerance and ignore weights, which merges lips
// and eyelids; here vertices must be equal to the bit, with their weights.
#include "vertex_join.h"

#include <string.h>

static uint64_t hash_bytes(uint64_t hash, const void* data, size_t size)
{
    // FNV-1a.
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

static const void* element(const pelti_join_array* array, uint32_t v)
{
    return (const unsigned char*)array->data + v * array->size;
}

static uint64_t hash_vertex(const pelti_join_input* input, uint32_t v)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < input->array_count; ++i)
    {
        hash = hash_bytes(hash, element(&input->arrays[i], v), input->arrays[i].size);
    }
    // The low bits choose the slot, and multiplication never brings high bits down to them.
    return hash ^ (hash >> 32);
}

static bool have_same_influences(const pelti_join_input* input, uint32_t a, uint32_t b)
{
    if (input->first == NULL)
    {
        return true;
    }
    uint32_t at = input->first[a], bt = input->first[b];
    uint32_t count = input->first[a + 1] - at;
    return count == input->first[b + 1] - bt &&
           memcmp(input->joints + at, input->joints + bt, count * sizeof(uint32_t)) == 0 &&
           memcmp(input->weights + at, input->weights + bt, count * sizeof(float)) == 0;
}

static bool are_equal(const pelti_join_input* input, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < input->array_count; ++i)
    {
        const pelti_join_array* array = &input->arrays[i];
        if (memcmp(element(array, a), element(array, b), array->size) != 0)
        {
            return false;
        }
    }
    return have_same_influences(input, a, b);
}

pelt_result pelti_join_vertices(uint32_t* sources, uint32_t* joined, uint32_t* count,
                                const pelti_join_input* input)
{
    size_t capacity = 16;
    while (capacity < 2 * (size_t)input->vertex_count)
    {
        capacity *= 2;
    }
    uint32_t* table = pelt_allocate(capacity, sizeof *table);
    if (table == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memset(table, 0, capacity * sizeof *table);

    *count = 0;
    for (uint32_t v = 0; v < input->vertex_count; ++v)
    {
        size_t slot = (size_t)hash_vertex(input, v) & (capacity - 1);
        while (table[slot] != 0 && !are_equal(input, sources[table[slot] - 1], v))
        {
            slot = (slot + 1) & (capacity - 1);
        }
        if (table[slot] == 0)
        {
            sources[(*count)++] = v;
            table[slot] = *count;
        }
        joined[v] = table[slot] - 1;
    }
    pelt_release(table);
    return PELT_OK;
}
