// SPDX-License-Identifier: MIT
// Triangles halved at the edge that spans most weight, until none spans more than epsilon (Le and
// Hodgins 2016, section 3.2). Weights vary linearly over a triangle, so that all lengths follow
// from the Gram matrix of two edges, and no mesh is built.
#include "cor.h"

#include <string.h>

double pelti_cor_area(const pelti_cor_surface* surface, const uint32_t t[3])
{
    pelt_vec3 o = surface->positions[t[0]];
    double e[2][3];
    for (int i = 0; i < 2; ++i)
    {
        pelt_vec3 p = surface->positions[t[i + 1]];
        e[i][0] = (double)p.x - (double)o.x;
        e[i][1] = (double)p.y - (double)o.y;
        e[i][2] = (double)p.z - (double)o.z;
    }
    double x = e[0][1] * e[1][2] - e[0][2] * e[1][1];
    double y = e[0][2] * e[1][0] - e[0][0] * e[1][2];
    double z = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

// Scalar products of the edges from corner 0 in weight space. All three lists are walked along at
// once.
static void make_gram(double gram[3], const pelti_cor_surface* surface, const uint32_t corners[3])
{
    const pelti_cor_weight *at[3], *end[3];
    for (int i = 0; i < 3; ++i)
    {
        at[i] = surface->weights + surface->first[corners[i]];
        end[i] = surface->weights + surface->first[corners[i] + 1];
        gram[i] = 0.0;
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
        double u = weights[1] - weights[0], v = weights[2] - weights[0];
        gram[0] += u * u;
        gram[1] += u * v;
        gram[2] += v * v;
    }
}

void pelti_cor_split_begin(pelti_cor_split* out, const pelti_cor_surface* surface,
                           const uint32_t corners[3], double epsilon)
{
    static const pelti_cor_split_corner whole[3] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}};
    out->limit = epsilon * epsilon;
    if (epsilon < (double)INFINITY)
    {
        make_gram(out->gram, surface, corners);
    }
    else
    {
        memset(out->gram, 0, sizeof out->gram);
    }
    memcpy(out->stack[0].corners, whole, sizeof whole);
    out->stack[0].share = 1.0;
    out->depth = 1;
}

static double edge_length2(const double gram[3], pelti_cor_split_corner a, pelti_cor_split_corner b)
{
    double u = b.b1 - a.b1, v = b.b2 - a.b2;
    return u * u * gram[0] + 2.0 * u * v * gram[1] + v * v * gram[2];
}

// The corner opposite the longest edge; 3 when no edge is too long.
static int longest_edge(const pelti_cor_split* split, const pelti_cor_split_corner* c)
{
    double longest = split->limit;
    int opposite = 3;
    for (int i = 0; i < 3; ++i)
    {
        double length2 = edge_length2(split->gram, c[(i + 1) % 3], c[(i + 2) % 3]);
        if (length2 > longest)
        {
            longest = length2;
            opposite = i;
        }
    }
    return opposite;
}

uint32_t pelti_cor_split_next(pelti_cor_split* split, pelti_cor_piece* out, uint32_t capacity)
{
    uint32_t count = 0;
    while (split->depth > 0 && count < capacity)
    {
        pelti_cor_split_corner* c = split->stack[split->depth - 1].corners;
        int opposite = longest_edge(split, c);
        if (opposite == 3 || split->depth == PELTI_COR_SPLIT_DEPTH)
        {
            out[count++] = (pelti_cor_piece){(c[0].b1 + c[1].b1 + c[2].b1) / 3.0,
                                             (c[0].b2 + c[1].b2 + c[2].b2) / 3.0,
                                             split->stack[split->depth - 1].share};
            split->depth--;
            continue;
        }
        int a = (opposite + 1) % 3, b = (opposite + 2) % 3;
        pelti_cor_split_corner middle = {0.5 * (c[a].b1 + c[b].b1), 0.5 * (c[a].b2 + c[b].b2)};
        split->stack[split->depth - 1].share *= 0.5;
        split->stack[split->depth] = split->stack[split->depth - 1];
        c[a] = middle;
        split->stack[split->depth++].corners[b] = middle;
    }
    return count;
}
