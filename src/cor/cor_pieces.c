// SPDX-License-Identifier: MIT
// Pieces of triangles, bisected until weights along no edge differ by more than epsilon.
#include "../base/exact.h"

#include "cor_pieces.h"

#include "../base/double3.h"
#include "cor.h"

#include <string.h>

enum
{
    HAUL = 256,   // pieces per task
    AT_ONCE = 32, // pieces of a triangle
    NUMBERS_MIN = 16 << 10,
    NUMBERS_MAX = 1024 << 10, // as caches hold: each pair of joints reads them again
    NUMBERS_PER_ELEMENT = 20, // vertex or triangle
};

// ---------------------------------------------------------------------------------------------
// The stream

void pelti_cor_stream_begin(pelti_cor_stream* out, const pelti_cor_pieces* pieces,
                            uint32_t triangle)
{
    out->pieces = pieces;
    out->next = triangle;
    out->is_inside = false;
}

static void open_triangle(pelti_cor_stream* stream, const uint32_t* t)
{
    const pelti_cor_pieces* pieces = stream->pieces;
    const pelti_cor_surface* surface = &pieces->problem->surface;
    for (int i = 0; i < 3; ++i)
    {
        pelt_vec3 p = surface->positions[t[i]];
        stream->corners[i][0] = (double)p.x - pieces->origin[0];
        stream->corners[i][1] = (double)p.y - pieces->origin[1];
        stream->corners[i][2] = (double)p.z - pieces->origin[2];
    }
    stream->area = pelti_cor_area(surface, t) * pieces->area_scale;
}

static pelti_cor_sample make_sample(const pelti_cor_stream* stream, const pelti_cor_piece* piece)
{
    const double b0 = 1.0 - piece->b1 - piece->b2, b1 = piece->b1, b2 = piece->b2;
    const double(*c)[3] = stream->corners;
    return (pelti_cor_sample){
        .b = {b0, b1, b2},
        .area = stream->area * piece->share,
        .center = {c[0][0] * b0 + c[1][0] * b1 + c[2][0] * b2,
                   c[0][1] * b0 + c[1][1] * b1 + c[2][1] * b2,
                   c[0][2] * b0 + c[1][2] * b1 + c[2][2] * b2},
    };
}

uint32_t pelti_cor_stream_next(pelti_cor_stream* stream, uint32_t* triangle, pelti_cor_sample* out,
                               uint32_t capacity)
{
    static const pelti_cor_piece whole = {1.0 / 3.0, 1.0 / 3.0, 1.0};
    const pelti_cor_pieces* pieces = stream->pieces;
    const pelti_cor_surface* surface = &pieces->problem->surface;
    for (;;)
    {
        if (stream->is_inside)
        {
            pelti_cor_piece parts[AT_ONCE];
            uint32_t most = capacity < AT_ONCE ? capacity : AT_ONCE;
            uint32_t count = pelti_cor_split_next(&stream->split, parts, most);
            for (uint32_t i = 0; i < count; ++i)
            {
                out[i] = make_sample(stream, &parts[i]);
            }
            stream->is_inside = count > 0;
            if (count > 0)
            {
                *triangle = stream->next - 1;
                return count;
            }
        }
        uint32_t at = stream->next++;
        const uint32_t* t = surface->indices + (size_t)3 * pieces->sets->triangles[at];
        open_triangle(stream, t);
        if (pieces->counts == NULL || pieces->counts[at] == 1)
        {
            *triangle = at;
            *out = make_sample(stream, &whole);
            return 1;
        }
        pelti_cor_split_begin(&stream->split, surface, t, pieces->problem->epsilon);
        stream->is_inside = true;
    }
}

// ---------------------------------------------------------------------------------------------
// Into memory

// Weights of the pieces of one triangle on all joints of its set, from sorted lists.
static void put_weights(float* out, uint32_t stride, const pelti_cor_pieces* pieces,
                        const pelti_cor_set* set, uint32_t triangle,
                        const pelti_cor_sample* samples, uint32_t count)
{
    const pelti_cor_surface* surface = &pieces->problem->surface;
    const uint32_t* t = surface->indices + (size_t)3 * pieces->sets->triangles[triangle];
    const pelti_cor_weight *at[3], *end[3];
    for (int i = 0; i < 3; ++i)
    {
        at[i] = surface->weights + surface->first[t[i]];
        end[i] = surface->weights + surface->first[t[i] + 1];
    }
    for (uint32_t j = 0; j < set->joint_count; ++j)
    {
        uint32_t joint = pieces->sets->joints[set->joint_first + j];
        double w[3];
        for (int i = 0; i < 3; ++i)
        {
            bool is_here = at[i] < end[i] && at[i]->joint == joint;
            w[i] = is_here ? (double)at[i]->weight : 0.0;
            at[i] += is_here;
        }
        for (uint32_t k = 0; k < count; ++k)
        {
            const double* b = samples[k].b;
            out[(size_t)k * stride + j] = (float)(w[0] * b[0] + w[1] * b[1] + w[2] * b[2]);
        }
    }
}

static void put_pieces(float* out, uint32_t stride, const pelti_cor_sample* samples, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k, out += stride)
    {
        for (int i = 0; i < 3; ++i)
        {
            out[i] = (float)(samples[k].area * samples[k].center[i]);
        }
        out[3] = (float)samples[k].area;
    }
}

static void run_haul(void* context, uint32_t index)
{
    const pelti_cor_store* store = context;
    const pelti_cor_pieces* pieces = store->pieces;
    pelti_cor_haul haul = store->hauls[index];
    const pelti_cor_set* set = &pieces->sets->sets[haul.set];
    float* out = store->numbers + haul.first;
    pelti_cor_stream stream;
    pelti_cor_stream_begin(&stream, pieces, haul.triangle);
    while (haul.count > 0)
    {
        pelti_cor_sample samples[AT_ONCE];
        uint32_t triangle, most = haul.skip > 0 ? haul.skip : haul.count;
        uint32_t count =
            pelti_cor_stream_next(&stream, &triangle, samples, most < AT_ONCE ? most : AT_ONCE);
        if (haul.skip > 0)
        {
            haul.skip -= count;
            continue;
        }
        while (triangle >= set->triangle_first + set->triangle_count)
        {
            ++set;
        }
        uint32_t stride = pelti_cor_piece_stride(set);
        put_pieces(out, stride, samples, count);
        put_weights(out + PELTI_COR_PIECE_WEIGHTS, stride, pieces, set, triangle, samples, count);
        out += (size_t)count * stride;
        haul.count -= count;
    }
}

// ---------------------------------------------------------------------------------------------
// Parts

static uint32_t pieces_of(const pelti_cor_pieces* pieces, uint32_t triangle)
{
    return pieces->counts != NULL ? pieces->counts[triangle] : 1;
}

// As many pieces of the set at hand as there is room for, cut into hauls.
static void take_run(pelti_cor_store* store, uint32_t* used)
{
    const pelti_cor_pieces* pieces = store->pieces;
    pelti_cor_haul* at = &store->next;
    const pelti_cor_set* set = &pieces->sets->sets[at->set];
    uint32_t stride = pelti_cor_piece_stride(set);
    uint32_t end = set->triangle_first + set->triangle_count;
    uint32_t room = (store->number_capacity - *used) / stride;
    pelti_cor_run* run = &store->runs[at->set];
    *run = (pelti_cor_run){0, *used};
    while (at->triangle < end && run->count < room)
    {
        bool is_next = store->haul_count > 0 && at->triangle == store->haul_end;
        if (!is_next || store->hauls[store->haul_count - 1].count >= HAUL)
        {
            PELT_ASSERT(store->haul_count < store->haul_capacity);
            store->hauls[store->haul_count++] = (pelti_cor_haul){at->set, at->triangle, at->skip, 0,
                                                                 run->first + run->count * stride};
        }
        pelti_cor_haul* haul = &store->hauls[store->haul_count - 1];
        uint32_t left = pieces_of(pieces, at->triangle) - at->skip;
        uint32_t most = room - run->count < HAUL ? room - run->count : HAUL;
        uint32_t count = left < most ? left : most;
        haul->count += count;
        run->count += count;
        at->skip = count < left ? at->skip + count : 0;
        at->triangle += count == left;
        store->haul_end = at->triangle;
    }
    *used += run->count * stride;
}

void pelti_cor_store_rewind(pelti_cor_store* store)
{
    store->next = (pelti_cor_haul){0};
    memset(store->is_wanted, 0, store->pieces->sets->set_count);
}

void pelti_cor_store_want(pelti_cor_store* store, const uint32_t joints[2])
{
    pelti_cor_common common;
    uint32_t indices[2];
    pelti_cor_common_begin(&common, store->pieces->sets, joints, 0);
    for (uint32_t set;
         !store->fits && (set = pelti_cor_common_next(&common, indices)) != PELT_NONE;)
    {
        store->is_wanted[set] = 1;
    }
}

bool pelti_cor_store_advance(pelti_cor_store* store)
{
    const pelti_cor_sets* sets = store->pieces->sets;
    pelti_cor_haul* at = &store->next;
    uint32_t used = 0;
    if (at->set == sets->set_count)
    {
        return false;
    }
    if (store->is_there)
    {
        at->set = sets->set_count;
        return true;
    }
    store->haul_count = 0;
    store->set_first = at->set;
    for (; at->set < sets->set_count; ++at->set)
    {
        const pelti_cor_set* set = &sets->sets[at->set];
        uint32_t end = set->triangle_first + set->triangle_count;
        if (!store->fits && !store->is_wanted[at->set])
        {
            store->runs[at->set] = (pelti_cor_run){0, used};
            at->triangle = end;
            continue;
        }
        take_run(store, &used);
        if (at->triangle < end)
        {
            break;
        }
    }
    store->set_end = at->set < sets->set_count ? at->set + 1 : at->set;
    store->is_there = store->fits;
    pelt_run(store->haul_count, run_haul, store);
    return true;
}

bool pelti_cor_store_make(pelti_cor_store* out, const pelti_cor_pieces* pieces,
                          const uint64_t* set_samples, pelti_cor_problem* problem)
{
    const pelti_cor_sets* sets = pieces->sets;
    size_t elements = (size_t)problem->surface.vertex_count + problem->surface.triangle_count;
    uint64_t capacity = NUMBERS_PER_ELEMENT * (uint64_t)elements, widest = 0, all = 0;
    capacity = capacity < NUMBERS_MAX ? capacity : NUMBERS_MAX;
    capacity = capacity > NUMBERS_MIN ? capacity : NUMBERS_MIN;
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        uint64_t stride = pelti_cor_piece_stride(&sets->sets[i]);
        widest = stride > widest ? stride : widest;
        all += stride * set_samples[i];
    }
    capacity = capacity > widest ? capacity : widest;
    bool fits = all <= capacity;
    capacity = fits ? all : capacity;
    *out = (pelti_cor_store){.pieces = pieces, .number_capacity = (uint32_t)capacity, .fits = fits};
    out->runs = pelti_cor_allocate(problem, sets->set_count, sizeof *out->runs);
    out->is_wanted = pelti_cor_allocate(problem, sets->set_count, sizeof *out->is_wanted);
    out->numbers = pelti_cor_allocate(problem, (size_t)capacity, sizeof *out->numbers);
    // A haul ends when it is full, or where a set is left out.
    out->haul_capacity =
        (uint32_t)(capacity / PELTI_COR_PIECE_WEIGHTS / HAUL) + sets->set_count + 1;
    out->hauls = pelti_cor_allocate(problem, out->haul_capacity, sizeof *out->hauls);
    return out->runs && out->is_wanted && out->numbers && out->hauls;
}

void pelti_cor_store_release(pelti_cor_store* store, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, store->hauls);
    pelti_cor_release(problem, store->numbers);
    pelti_cor_release(problem, store->is_wanted);
    pelti_cor_release(problem, store->runs);
}

// =============================================================================================
// Triangles halved at the edge that spans most weight, until none spans more than epsilon (Le and
// Hodgins 2016, section 3.2). Weights vary linearly over a triangle, so that all lengths follow
// from those of its edges, and no mesh is built.

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
        int opposite = pelti_cor_longest_edge(top->lengths2, split->limit2);
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
