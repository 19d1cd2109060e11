// SPDX-License-Identifier: MIT
// Points by a hash table of positions, neighbors from the edges of triangles, and weights sorted by
// joint.
#include "../base/exact.h"

#include "ddm_surface.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Points

typedef struct point_table
{
    uint32_t* slots; // point + 1, or 0
    size_t mask;     // open addressing, at most half full
    pelt_vec3* positions;
    uint32_t count;
} point_table;

// Both zeros are one number.
static pelt_vec3 key_of(pelt_vec3 position)
{
    return pelt_vec3_make(position.x + 0.0f, position.y + 0.0f, position.z + 0.0f);
}

static size_t hash_of(const pelt_vec3* key)
{
    uint32_t bits[3];
    memcpy(bits, key, sizeof bits);
    uint64_t hash = 0;
    for (int i = 0; i < 3; ++i)
    {
        hash = (hash ^ bits[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (size_t)hash;
}

static uint32_t find_point(point_table* table, pelt_vec3 position)
{
    const pelt_vec3 key = key_of(position);
    size_t slot = hash_of(&key) & table->mask;
    for (; table->slots[slot] != 0; slot = (slot + 1) & table->mask)
    {
        uint32_t point = table->slots[slot] - 1;
        if (memcmp(&table->positions[point], &key, sizeof key) == 0)
        {
            return point;
        }
    }
    table->positions[table->count] = key;
    table->slots[slot] = ++table->count;
    return table->count - 1;
}

static bool find_points(pelti_ddm_surface* out, const pelt_cor_input* input, pelt_arena* scratch)
{
    size_t vertex_count = 0, slot_count = 16;
    for (uint32_t i = 0; i < input->mesh_count; ++i)
    {
        vertex_count += input->meshes[i]->vertex_count;
    }
    while (slot_count < 2 * vertex_count)
    {
        slot_count *= 2;
    }
    point_table table = {.slots = pelt_arena_alloc(scratch, slot_count, sizeof *table.slots),
                         .mask = slot_count - 1,
                         .positions =
                             pelt_arena_alloc(scratch, vertex_count, sizeof *table.positions)};
    out->points = pelt_arena_alloc(scratch, input->mesh_count, sizeof *out->points);
    bool is_ok = table.slots != NULL && table.positions != NULL && out->points != NULL;
    for (uint32_t i = 0; i < input->mesh_count && is_ok; ++i)
    {
        const pelt_mesh* mesh = input->meshes[i];
        out->points[i] = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof **out->points);
        is_ok = out->points[i] != NULL;
        for (uint32_t v = 0; v < mesh->vertex_count && is_ok; ++v)
        {
            out->points[i][v] = find_point(&table, mesh->positions[v]);
        }
    }
    out->point_count = table.count;
    out->positions = pelt_arena_alloc(scratch, table.count, sizeof *out->positions);
    if (!is_ok || out->positions == NULL)
    {
        return false;
    }
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, table.positions, table.count);
    out->origin = table.count > 0
                      ? pelti_double3_scale(pelti_double3_mad(pelti_double3_from(box.min), 1.0,
                                                              pelti_double3_from(box.max)),
                                            0.5)
                      : (pelti_double3){0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < table.count; ++i)
    {
        out->positions[i] = pelti_double3_sub(pelti_double3_from(table.positions[i]), out->origin);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Neighbors

static int compare_points(const void* a, const void* b)
{
    uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

// The next point of a triangle after a corner, and the one after that.
static uint32_t point_at(const pelti_ddm_surface* s, const pelt_cor_input* input, uint32_t mesh,
                         uint32_t corner, uint32_t step)
{
    uint32_t index = corner - corner % 3 + (corner % 3 + step) % 3;
    return s->points[mesh][input->meshes[mesh]->indices[index]];
}

// Visit each corner with both of its edges: count them, or write them with `neighbors`.
// @param ends  of each point: where its next neighbor goes
static void visit_edges(const pelti_ddm_surface* s, const pelt_cor_input* input, uint32_t* ends,
                        uint32_t* neighbors)
{
    for (uint32_t i = 0; i < input->mesh_count; ++i)
    {
        uint32_t corner_count = input->meshes[i]->index_count;
        for (uint32_t corner = 0; corner < corner_count; ++corner)
        {
            uint32_t from = point_at(s, input, i, corner, 0);
            for (uint32_t step = 1; step < 3; ++step)
            {
                uint32_t to = point_at(s, input, i, corner, step);
                if (to != from)
                {
                    if (neighbors != NULL)
                    {
                        neighbors[ends[from]] = to;
                    }
                    ++ends[from];
                }
            }
        }
    }
}

// Sort the neighbors of each point and drop repetitions.
static void compress(pelti_ddm_surface* inout)
{
    uint32_t count = 0, begin = 0;
    for (uint32_t point = 0; point < inout->point_count; ++point)
    {
        uint32_t end = inout->first[point + 1];
        uint32_t* own = inout->neighbors + begin;
        qsort(own, end - begin, sizeof *own, compare_points);
        for (uint32_t i = 0; i < end - begin; ++i)
        {
            if (i == 0 || own[i] != own[i - 1])
            {
                inout->neighbors[count++] = own[i];
            }
        }
        begin = end;
        inout->first[point + 1] = count;
    }
}

static bool find_neighbors(pelti_ddm_surface* out, const pelt_cor_input* input, pelt_arena* scratch)
{
    size_t count = (size_t)out->point_count + 1;
    out->first = pelt_arena_alloc(scratch, count, sizeof *out->first);
    uint32_t* ends = pelt_arena_alloc(scratch, count, sizeof *ends);
    if (out->first == NULL || ends == NULL)
    {
        return false;
    }
    visit_edges(out, input, ends, NULL);
    for (uint32_t point = 0; point < out->point_count; ++point)
    {
        out->first[point + 1] = out->first[point] + ends[point];
        ends[point] = out->first[point];
    }
    out->neighbors =
        pelt_arena_alloc(scratch, out->first[out->point_count], sizeof *out->neighbors);
    if (out->neighbors == NULL)
    {
        return false;
    }
    visit_edges(out, input, ends, out->neighbors);
    compress(out);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Weights

// Count the influences of each joint, or write them in the order of meshes and vertices.
static void visit_influences(const pelti_ddm_surface* s, const pelt_cor_input* input,
                             const uint32_t* shares, uint32_t* ends, bool is_writing)
{
    for (uint32_t i = 0; i < input->mesh_count; ++i)
    {
        const pelt_weights* weights = &input->meshes[i]->weights;
        for (uint32_t v = 0; v < weights->vertex_count; ++v)
        {
            uint32_t point = s->points[i][v];
            for (uint32_t k = weights->first[v]; k < weights->first[v + 1]; ++k)
            {
                const pelt_influence* influence = &weights->influences[k];
                uint32_t at = ends[influence->joint]++;
                if (is_writing)
                {
                    s->rows[at] = point;
                    s->weights[at] = (double)influence->weight / shares[point];
                }
            }
        }
    }
}

// Add up the entries of a joint that are at one point.
// @param slots  of each point: entry + 1, or 0; all 0 before and after
static uint32_t merge_column(pelti_ddm_surface* inout, uint32_t* slots, uint32_t begin,
                             uint32_t end, uint32_t to)
{
    uint32_t first = to;
    for (uint32_t i = begin; i < end; ++i)
    {
        uint32_t point = inout->rows[i];
        double weight = inout->weights[i];
        if (slots[point] != 0)
        {
            inout->weights[slots[point] - 1] += weight;
            continue;
        }
        inout->rows[to] = point;
        inout->weights[to] = weight;
        slots[point] = ++to;
    }
    for (uint32_t i = first; i < to; ++i)
    {
        slots[inout->rows[i]] = 0;
    }
    return to;
}

static bool sort_weights(pelti_ddm_surface* out, const pelt_cor_input* input, pelt_arena* scratch)
{
    for (uint32_t i = 0; i < input->mesh_count; ++i)
    {
        uint32_t count = input->meshes[i]->weights.joint_count;
        out->joint_count = count > out->joint_count ? count : out->joint_count;
    }
    size_t joint_count = (size_t)out->joint_count + 1;
    uint32_t* shares = pelt_arena_alloc(scratch, out->point_count, sizeof *shares);
    uint32_t* slots = pelt_arena_alloc(scratch, out->point_count, sizeof *slots);
    uint32_t* ends = pelt_arena_alloc(scratch, joint_count, sizeof *ends);
    out->column_first = pelt_arena_alloc(scratch, joint_count, sizeof *out->column_first);
    if (shares == NULL || slots == NULL || ends == NULL || out->column_first == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < input->mesh_count; ++i)
    {
        const pelt_weights* weights = &input->meshes[i]->weights;
        for (uint32_t v = 0; v < weights->vertex_count; ++v)
        {
            shares[out->points[i][v]] += weights->first[v + 1] > weights->first[v];
        }
    }
    visit_influences(out, input, shares, ends, false);
    for (uint32_t joint = 0; joint < out->joint_count; ++joint)
    {
        out->column_first[joint + 1] = out->column_first[joint] + ends[joint];
        ends[joint] = out->column_first[joint];
    }
    size_t count = out->column_first[out->joint_count];
    out->rows = pelt_arena_alloc(scratch, count, sizeof *out->rows);
    out->weights = pelt_arena_alloc(scratch, count, sizeof *out->weights);
    if (out->rows == NULL || out->weights == NULL)
    {
        return false;
    }
    visit_influences(out, input, shares, ends, true);
    for (uint32_t joint = 0, begin = 0, to = 0; joint < out->joint_count; ++joint)
    {
        uint32_t end = out->column_first[joint + 1];
        to = merge_column(out, slots, begin, end, to);
        begin = end;
        out->column_first[joint + 1] = to;
    }
    return true;
}

bool pelti_ddm_surface_create(pelti_ddm_surface* out, const pelt_cor_input* input,
                              pelt_arena* scratch)
{
    *out = (pelti_ddm_surface){0};
    return find_points(out, input, scratch) && find_neighbors(out, input, scratch) &&
           sort_weights(out, input, scratch);
}
