// SPDX-License-Identifier: MIT
// Which centers a change of weights concerns: a center is a sum over pairs of joints, and a pair's
// part changes only with triangles that have both joints at their corners, and to the last bit with
// vertices that have both.
#include "../base/exact.h"

#include "cor_change.h"

#include <string.h>

// Joints that appear at the corners of one changed triangle, before or after: all pairs of them
// are concerned. Kept as one row of bits per joint, row j holding the joints it is paired with.
typedef struct pair_bits
{
    uint32_t joint_count;
    uint32_t row_words;
    uint64_t* rows;
} pair_bits;

// The list of weights of a vertex differs.
static bool is_changed(const pelt_weights* before, const pelt_weights* now, uint32_t v)
{
    uint32_t count = now->first[v + 1] - now->first[v];
    if (before->first[v + 1] - before->first[v] != count)
    {
        return true;
    }
    const pelt_influence* a = before->influences + before->first[v];
    const pelt_influence* b = now->influences + now->first[v];
    for (uint32_t i = 0; i < count; ++i)
    {
        if (a[i].joint != b[i].joint || a[i].weight != b[i].weight)
        {
            return true;
        }
    }
    return false;
}

static void collect_joints(uint64_t* bits, const pelt_weights* weights, uint32_t v)
{
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
    {
        uint32_t joint = weights->influences[i].joint;
        bits[joint / 64] |= (uint64_t)1 << (joint % 64);
    }
}

// Pair every joint of the set with every other.
static void pair_up(pair_bits* pairs, const uint64_t* set)
{
    for (uint32_t j = 0; j < pairs->joint_count; ++j)
    {
        if ((set[j / 64] >> (j % 64) & 1) != 0)
        {
            uint64_t* row = pairs->rows + (size_t)j * pairs->row_words;
            for (uint32_t w = 0; w < pairs->row_words; ++w)
            {
                row[w] |= set[w];
            }
        }
    }
}

// Pairs of a changed vertex. Its triangles have them too, if it has any; if not, how a pair is
// summed still follows from the weights of all vertices. `set` is scratch.
static void pair_vertex(pair_bits* pairs, uint64_t* set, const pelt_weights* now,
                        const pelt_weights* before, uint32_t v)
{
    memset(set, 0, pairs->row_words * sizeof *set);
    collect_joints(set, before, v);
    collect_joints(set, now, v);
    pair_up(pairs, set);
}

// Pairs at the triangles of one mesh that have a changed corner. `set` is scratch.
static void pair_triangles(pair_bits* pairs, uint64_t* set, const uint8_t* is_corner_changed,
                           const pelt_mesh* mesh, const pelt_weights* before)
{
    for (uint32_t i = 0; i < mesh->index_count; i += 3)
    {
        const uint32_t* t = mesh->indices + i;
        if (is_corner_changed[t[0]] | is_corner_changed[t[1]] | is_corner_changed[t[2]])
        {
            memset(set, 0, pairs->row_words * sizeof *set);
            for (int k = 0; k < 3; ++k)
            {
                collect_joints(set, before, t[k]);
                collect_joints(set, &mesh->weights, t[k]);
            }
            pair_up(pairs, set);
        }
    }
}

static bool has_pair(const pair_bits* pairs, const pelti_cor_surface* surface, uint32_t v)
{
    for (uint32_t i = surface->first[v]; i < surface->first[v + 1]; ++i)
    {
        for (uint32_t k = i + 1; k < surface->first[v + 1]; ++k)
        {
            uint32_t joint = surface->weights[i].joint, other = surface->weights[k].joint;
            uint64_t word = pairs->rows[(size_t)joint * pairs->row_words + other / 64];
            if ((word >> (other % 64) & 1) != 0)
            {
                return true;
            }
        }
    }
    return false;
}

uint8_t* pelti_cor_concerned(pelti_cor_problem* problem, const pelt_weights* const* before)
{
    const pelt_cor_input* input = problem->input;
    const pelti_cor_surface* surface = &problem->surface;
    pair_bits pairs = {0};
    for (uint32_t m = 0; m < input->mesh_count; ++m)
    {
        uint32_t now = input->meshes[m]->weights.joint_count;
        uint32_t larger = now > before[m]->joint_count ? now : before[m]->joint_count;
        pairs.joint_count = larger > pairs.joint_count ? larger : pairs.joint_count;
    }
    pairs.row_words = pairs.joint_count / 64 + 1;
    size_t word_count = (size_t)pairs.joint_count * pairs.row_words;
    uint64_t* set = pelti_cor_allocate(problem, pairs.row_words, sizeof *set);
    pairs.rows = pelti_cor_allocate(problem, word_count, sizeof *pairs.rows);
    uint8_t* flags = pelti_cor_allocate(problem, surface->vertex_count, 1);
    if (set == NULL || pairs.rows == NULL || flags == NULL)
    {
        pelti_cor_release(problem, flags);
        flags = NULL;
        goto done;
    }
    memset(pairs.rows, 0, word_count * sizeof *pairs.rows);
    for (uint32_t m = 0; m < input->mesh_count; ++m)
    {
        const pelt_mesh* mesh = input->meshes[m];
        uint8_t* mesh_flags = flags + surface->mesh_first[m];
        PELT_ASSERT(before[m]->vertex_count == mesh->vertex_count);
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            mesh_flags[v] = is_changed(before[m], &mesh->weights, v);
            if (mesh_flags[v])
            {
                pair_vertex(&pairs, set, &mesh->weights, before[m], v);
            }
        }
        pair_triangles(&pairs, set, mesh_flags, mesh, before[m]);
    }
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
    {
        flags[v] |= has_pair(&pairs, surface, v);
    }
done:
    pelti_cor_release(problem, pairs.rows);
    pelti_cor_release(problem, set);
    return flags;
}
