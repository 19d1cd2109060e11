// SPDX-License-Identifier: MIT
// Triangle values and the triangle adjacency graph, computed once for all vertices (Bittner et al.
// 2019, section 4.1, Algorithm 3, lines 2 and 4).
#include "../base/exact.h"

#include "cor_paper.h"

#include <string.h>

// Walk along the weight lists of three corners. Returns the number of joints; with out, their mean
// weights too.
static uint32_t mean_weights(pelti_cor_weight* out, const pelti_cor_mesh* mesh, const uint32_t* t)
{
    uint32_t at[3] = {mesh->first[t[0]], mesh->first[t[1]], mesh->first[t[2]]};
    uint32_t count = 0;
    for (;;)
    {
        uint32_t joint = UINT32_MAX;
        for (int i = 0; i < 3; ++i)
        {
            bool is_left = at[i] < mesh->first[t[i] + 1];
            joint =
                is_left && mesh->weights[at[i]].joint < joint ? mesh->weights[at[i]].joint : joint;
        }
        if (joint == UINT32_MAX)
        {
            return count;
        }
        double sum = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            if (at[i] < mesh->first[t[i] + 1] && mesh->weights[at[i]].joint == joint)
            {
                sum += (double)mesh->weights[at[i]++].weight;
            }
        }
        if (out != NULL)
        {
            out[count] = (pelti_cor_weight){joint, (float)(sum / 3.0)};
        }
        ++count;
    }
}

static bool add_weights(pelti_cor_graph* graph, pelti_cor_problem* problem,
                        const pelti_cor_mesh* mesh)
{
    graph->first =
        pelti_cor_allocate(problem, (size_t)mesh->triangle_count + 1, sizeof *graph->first);
    if (graph->first == NULL)
    {
        return false;
    }
    uint64_t count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        graph->first[t] = (uint32_t)count;
        count += mean_weights(NULL, mesh, mesh->indices + 3 * (size_t)t);
    }
    graph->first[mesh->triangle_count] = (uint32_t)count;
    if (count <= UINT32_MAX)
    {
        graph->weights = pelti_cor_allocate(problem, (size_t)count, sizeof *graph->weights);
    }
    for (uint32_t t = 0; t < mesh->triangle_count && graph->weights != NULL; ++t)
    {
        mean_weights(graph->weights + graph->first[t], mesh, mesh->indices + 3 * (size_t)t);
    }
    return graph->weights != NULL;
}

static bool add_moments(pelti_cor_graph* graph, pelti_cor_problem* problem,
                        const pelti_cor_mesh* mesh)
{
    graph->moments = pelti_cor_allocate(problem, mesh->triangle_count, sizeof *graph->moments);
    for (uint32_t i = 0; i < mesh->triangle_count && graph->moments != NULL; ++i)
    {
        const uint32_t* t = mesh->indices + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k)
        {
            double sum = mesh->positions[t[0]][k] + mesh->positions[t[1]][k];
            graph->moments[i][k] = mesh->areas[i] * ((sum + mesh->positions[t[2]][k]) / 3.0);
        }
        graph->moments[i][3] = mesh->areas[i];
    }
    return graph->moments != NULL;
}

// Close a ring of sides at each edge: a new side goes between one that is there and its next.
static bool add_sides(pelti_cor_graph* graph, pelti_cor_problem* problem,
                      const pelti_cor_mesh* mesh)
{
    uint32_t side_count = 3 * mesh->triangle_count;
    pelti_cor_edges last_sides = {0};
    graph->next_side = pelti_cor_allocate(problem, side_count, sizeof *graph->next_side);
    bool is_ok = graph->next_side != NULL;
    for (uint32_t side = 0; side < side_count && is_ok; ++side)
    {
        uint32_t a = mesh->indices[side];
        uint32_t b = mesh->indices[side % 3 == 2 ? side - 2 : side + 1];
        graph->next_side[side] = side;
        if (a == b)
        {
            continue; // a point is no edge: a triangle may have a corner twice
        }
        uint32_t* last = pelti_cor_edges_at(&last_sides, problem, a, b);
        is_ok = last != NULL;
        if (is_ok && *last != PELT_NONE)
        {
            graph->next_side[side] = graph->next_side[*last];
            graph->next_side[*last] = side;
        }
        if (is_ok)
        {
            *last = side;
        }
    }
    pelti_cor_edges_release(&last_sides, problem);
    return is_ok;
}

static bool add_corners(pelti_cor_graph* graph, pelti_cor_problem* problem,
                        const pelti_cor_mesh* mesh)
{
    uint32_t index_count = 3 * mesh->triangle_count;
    size_t offset_count = (size_t)mesh->vertex_count + 1;
    uint32_t* first = pelti_cor_allocate(problem, offset_count, sizeof *first);
    graph->corner_first = first;
    graph->corner_triangles =
        pelti_cor_allocate(problem, index_count, sizeof *graph->corner_triangles);
    if (first == NULL || graph->corner_triangles == NULL)
    {
        return false;
    }
    memset(first, 0, offset_count * sizeof *first);
    for (uint32_t i = 0; i < index_count; ++i)
    {
        first[mesh->indices[i]]++;
    }
    // Ends of lists; filling from the back turns them into beginnings.
    for (uint32_t v = 0, sum = 0; v <= mesh->vertex_count; ++v)
    {
        first[v] = sum += first[v];
    }
    for (uint32_t i = index_count; i-- > 0;)
    {
        graph->corner_triangles[--first[mesh->indices[i]]] = i / 3;
    }
    return true;
}

bool pelti_cor_graph_create(pelti_cor_graph* out, pelti_cor_problem* problem,
                            const pelti_cor_mesh* mesh)
{
    *out = (pelti_cor_graph){.triangle_count = mesh->triangle_count};
    return add_weights(out, problem, mesh) && add_moments(out, problem, mesh) &&
           add_sides(out, problem, mesh) && add_corners(out, problem, mesh);
}

void pelti_cor_graph_release(pelti_cor_graph* graph, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, graph->corner_triangles);
    pelti_cor_release(problem, graph->corner_first);
    pelti_cor_release(problem, graph->next_side);
    pelti_cor_release(problem, graph->moments);
    pelti_cor_release(problem, graph->weights);
    pelti_cor_release(problem, graph->first);
    *graph = (pelti_cor_graph){0};
}
