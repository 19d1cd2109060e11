// SPDX-License-Identifier: MIT
// Triangles halved at the edge that spans most weight, until none spans more than epsilon (Le and
// Hodgins 2016, section 3.2). Weights vary linearly over a triangle, so that all lengths follow
// from those of its edges, and no mesh is built.
#include "../base/exact.h"

#include "../base/double3.h"
#include "cor.h"

#include <string.h>

double pelti_cor_area(const pelti_cor_surface* surface, const uint32_t t[3])
{
    pelti_double3 o = pelti_double3_from(surface->positions[t[0]]);
    pelti_double3 u = pelti_double3_sub(pelti_double3_from(surface->positions[t[1]]), o);
    pelti_double3 v = pelti_double3_sub(pelti_double3_from(surface->positions[t[2]]), o);
    return 0.5 * pelti_double3_length(pelti_double3_cross(u, v));
}

// Squared lengths of the edges opposite each corner in weight space. All lists are walked along at
// once.
static void measure_edges(double lengths2[3], const pelti_cor_surface* surface,
                          const uint32_t corners[3])
{
    const pelti_cor_weight *at[3], *end[3];
    for (int i = 0; i < 3; ++i)
    {
        at[i] = surface->weights + surface->first[corners[i]];
        end[i] = surface->weights + surface->first[corners[i] + 1];
        lengths2[i] = 0.0;
    }
    for (;;)
    {
        uint32_t joint = UINT32_MAX;
        for (int i = 0; i < 3; ++i)
        {
            joint = at[i] < end[i] && at[i]->joint < joint ? at[i]->joint : joint;
        }
        if (joint == UINT32_MAX)
        {
            return;
        }
        double weights[3];
        for (int i = 0; i < 3; ++i)
        {
            bool is_here = at[i] < end[i] && at[i]->joint == joint;
            weights[i] = is_here ? (double)at[i]->weight : 0.0;
            at[i] += is_here;
        }
        for (int i = 0; i < 3; ++i)
        {
            double difference = weights[(i + 1) % 3] - weights[(i + 2) % 3];
            lengths2[i] += difference * difference;
        }
    }
}

void pelti_cor_split_begin(pelti_cor_split* out, const pelti_cor_surface* surface,
                           const uint32_t corners[3], double epsilon)
{
    out->limit2 = epsilon * epsilon;
    out->depth = 1;
    out->stack[0] = (pelti_cor_part){.corners = {{0, 0}, {1, 0}, {0, 1}}, .share = 1.0};
    if (epsilon < (double)INFINITY)
    {
        measure_edges(out->stack[0].lengths2, surface, corners);
    }
}

// The corner opposite the longest edge; 3 when no edge is too long.
static int longest_edge(const pelti_cor_part* part, double limit2)
{
    double longest = limit2;
    int opposite = 3;
    for (int i = 0; i < 3; ++i)
    {
        if (part->lengths2[i] > longest)
        {
            longest = part->lengths2[i];
            opposite = i;
        }
    }
    return opposite;
}

// Cut the edge opposite a corner in its middle. The new edge is a median, whose length Apollonius
// knows from the others'.
static void halve(pelti_cor_part* first, pelti_cor_part* second, int opposite)
{
    int a = (opposite + 1) % 3, b = (opposite + 2) % 3;
    const double* lengths2 = first->lengths2;
    double half2 = 0.25 * lengths2[opposite];
    double median2 = 0.5 * (lengths2[a] + lengths2[b]) - half2;
    first->share *= 0.5;
    *second = *first;
    for (int k = 0; k < 2; ++k)
    {
        double middle = 0.5 * (first->corners[a][k] + first->corners[b][k]);
        first->corners[a][k] = middle;
        second->corners[b][k] = middle;
    }
    first->lengths2[opposite] = second->lengths2[opposite] = half2;
    first->lengths2[b] = second->lengths2[a] = median2;
}

uint32_t pelti_cor_split_next(pelti_cor_split* split, pelti_cor_piece* out, uint32_t capacity)
{
    uint32_t count = 0;
    while (split->depth > 0 && count < capacity)
    {
        pelti_cor_part* top = &split->stack[split->depth - 1];
        int opposite = longest_edge(top, split->limit2);
        if (opposite < 3 && split->depth < PELTI_COR_SPLIT_DEPTH)
        {
            halve(top, &split->stack[split->depth++], opposite);
            continue;
        }
        const double(*c)[2] = (const double(*)[2])top->corners;
        out[count++] = (pelti_cor_piece){(c[0][0] + c[1][0] + c[2][0]) / 3.0,
                                         (c[0][1] + c[1][1] + c[2][1]) / 3.0, top->share};
        split->depth--;
    }
    return count;
}
