// SPDX-License-Identifier: MIT
// The pieces of surface that touch a pair of joints, as a stream.
#include "../base/exact.h"

#include "cor_sample.h"

void pelti_cor_stream_begin(pelti_cor_stream* out, const pelti_cor_pieces* pieces, uint32_t set,
                            const uint32_t places[2], pelt_range triangles)
{
    const pelti_cor_set* joints = &pieces->sets->sets[set];
    out->pieces = pieces;
    out->set = set;
    for (int i = 0; i < 2; ++i)
    {
        out->places[i] = places[i];
        out->joints[i] = pieces->sets->joints[joints->joint_first + places[i]];
    }
    out->next = joints->triangle_first + triangles.first;
    out->end = out->next + triangles.count;
    out->is_inside = false;
}

static double weight_at(const pelti_cor_stream* stream, uint32_t vertex, int which)
{
    const pelti_cor_surface* surface = &stream->pieces->problem->surface;
    const pelti_cor_weight* weights = surface->weights + surface->first[vertex];
    if (stream->pieces->sets->vertex_sets[vertex] == stream->set)
    {
        return (double)weights[stream->places[which]].weight;
    }
    for (uint32_t i = 0, count = pelti_cor_joint_count(surface, vertex); i < count; ++i)
    {
        if (weights[i].joint == stream->joints[which])
        {
            return (double)weights[i].weight;
        }
    }
    return 0.0;
}

static void open_triangle(pelti_cor_stream* stream, const uint32_t* t)
{
    const pelti_cor_surface* surface = &stream->pieces->problem->surface;
    const double* origin = stream->pieces->origin;
    for (int i = 0; i < 3; ++i)
    {
        pelt_vec3 p = surface->positions[t[i]];
        stream->v[i] = weight_at(stream, t[i], 0);
        stream->w[i] = weight_at(stream, t[i], 1);
        stream->corners[i][0] = (double)p.x - origin[0];
        stream->corners[i][1] = (double)p.y - origin[1];
        stream->corners[i][2] = (double)p.z - origin[2];
    }
    stream->area = pelti_cor_area(surface, t);
}

static pelti_cor_sample make_sample(const pelti_cor_stream* stream, const pelti_cor_piece* piece)
{
    const double b0 = 1.0 - piece->b1 - piece->b2, b1 = piece->b1, b2 = piece->b2;
    const double(*c)[3] = stream->corners;
    return (pelti_cor_sample){
        .v = stream->v[0] * b0 + stream->v[1] * b1 + stream->v[2] * b2,
        .w = stream->w[0] * b0 + stream->w[1] * b1 + stream->w[2] * b2,
        .area = stream->area * piece->share,
        .center = {c[0][0] * b0 + c[1][0] * b1 + c[2][0] * b2,
                   c[0][1] * b0 + c[1][1] * b1 + c[2][1] * b2,
                   c[0][2] * b0 + c[1][2] * b1 + c[2][2] * b2},
    };
}

// The rest of the pieces of the triangle at hand.
static uint32_t next_inside(pelti_cor_stream* stream, pelti_cor_sample* out, uint32_t capacity)
{
    pelti_cor_piece pieces[64];
    uint32_t count = pelti_cor_split_next(&stream->split, pieces, capacity < 64 ? capacity : 64);
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i] = make_sample(stream, &pieces[i]);
    }
    stream->is_inside = count > 0;
    return count;
}

uint32_t pelti_cor_stream_next(pelti_cor_stream* stream, pelti_cor_sample* out, uint32_t capacity)
{
    static const pelti_cor_piece whole = {1.0 / 3.0, 1.0 / 3.0, 1.0};
    const pelti_cor_pieces* pieces = stream->pieces;
    const pelti_cor_surface* surface = &pieces->problem->surface;
    uint32_t count = 0;
    while (count < capacity)
    {
        if (stream->is_inside)
        {
            count += next_inside(stream, out + count, capacity - count);
            continue;
        }
        if (stream->next == stream->end)
        {
            break;
        }
        uint32_t at = stream->next++;
        const uint32_t* t = surface->indices + (size_t)3 * pieces->sets->triangles[at];
        open_triangle(stream, t);
        if (pieces->piece_counts == NULL || pieces->piece_counts[at] == 1)
        {
            out[count++] = make_sample(stream, &whole);
            continue;
        }
        pelti_cor_split_begin(&stream->split, surface, t, pieces->problem->epsilon);
        stream->is_inside = true;
    }
    return count;
}
