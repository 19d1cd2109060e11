// SPDX-License-Identifier: MIT
// The edges of a mesh, each once: a hash table by the positions of both ends.
#include "stage.h"

#include <epoxy/gl.h>
#include <string.h>

// Open addressing; slots hold the number of an edge plus one.
typedef struct edge_table
{
    const pelt_vec3* positions;
    uint32_t* slots;
    uint32_t mask;
    uint32_t* edges; // pairs of vertices
    uint32_t edge_count;
    double length; // of all
} edge_table;

static uint32_t hash_edge(const pelt_vec3* a, const pelt_vec3* b)
{
    uint32_t words[6], hash = 2166136261u;
    memcpy(words, a, sizeof *a);
    memcpy(words + 3, b, sizeof *b);
    for (int i = 0; i < 6; ++i)
    {
        hash = (hash ^ words[i]) * 0x9e3779b1u;
        hash ^= hash >> 15;
    }
    return hash;
}

static bool is_same_edge(const edge_table* table, uint32_t edge, const pelt_vec3* a,
                         const pelt_vec3* b)
{
    const uint32_t* ends = table->edges + 2 * (size_t)edge;
    return memcmp(&table->positions[ends[0]], a, sizeof *a) == 0 &&
           memcmp(&table->positions[ends[1]], b, sizeof *b) == 0;
}

static void add_edge(edge_table* table, uint32_t first, uint32_t second)
{
    const pelt_vec3* a = &table->positions[first];
    const pelt_vec3* b = &table->positions[second];
    int order = memcmp(a, b, sizeof *a);
    if (order == 0)
    {
        return;
    }
    if (order > 0)
    {
        add_edge(table, second, first);
        return;
    }
    uint32_t slot = hash_edge(a, b) & table->mask;
    while (table->slots[slot] != 0)
    {
        if (is_same_edge(table, table->slots[slot] - 1, a, b))
        {
            return;
        }
        slot = (slot + 1) & table->mask;
    }
    table->edges[2 * (size_t)table->edge_count] = first;
    table->edges[2 * (size_t)table->edge_count + 1] = second;
    table->slots[slot] = ++table->edge_count;
    table->length += (double)pelt_vec3_distance(*a, *b);
}

static void collect(edge_table* table, const pelt_mesh* mesh)
{
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
    {
        const uint32_t* corner = mesh->indices + i;
        add_edge(table, corner[0], corner[1]);
        add_edge(table, corner[1], corner[2]);
        add_edge(table, corner[2], corner[0]);
    }
}

static pelt_result upload(pelti_stage_mesh* drawn, const edge_table* table, pelt_error* error)
{
    size_t bytes = 2 * (size_t)table->edge_count * sizeof *table->edges;
    drawn->edge_count = table->edge_count;
    drawn->edge_length =
        table->edge_count > 0 ? (float)(table->length / (double)table->edge_count) : 0.0f;
    glGenBuffers(1, &drawn->edge_buffer);
    glBindBuffer(GL_ARRAY_BUFFER, drawn->edge_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, table->edges, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return pelti_gl_check(error, "mesh edges");
}

pelt_result pelti_edges_create(pelti_stage_mesh* drawn, const pelt_mesh* mesh, pelt_error* error)
{
    // At most one edge for each index; slots are half empty, so that chains stay short.
    size_t slot_count = 16;
    while (slot_count < 2 * (size_t)mesh->index_count)
    {
        slot_count *= 2;
    }
    edge_table table = {.positions = mesh->positions, .mask = (uint32_t)(slot_count - 1)};
    table.slots = pelt_allocate(slot_count, sizeof *table.slots);
    table.edges = pelt_allocate(2 * (size_t)mesh->index_count + 1, sizeof *table.edges);
    pelt_result result = PELT_ERROR_MEMORY;
    if (table.slots != NULL && table.edges != NULL)
    {
        memset(table.slots, 0, slot_count * sizeof *table.slots);
        collect(&table, mesh);
        result = upload(drawn, &table, error);
    }
    else
    {
        pelt_error_memory(error);
    }
    pelt_release(table.edges);
    pelt_release(table.slots);
    return result;
}
