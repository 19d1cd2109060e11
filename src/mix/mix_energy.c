// SPDX-License-Identifier: MIT
// The energy of a character in all frames, and its derivatives by the factors of the groups. The
// part of a group depends on its own factor and on those of its neighbors.
#include "../base/exact.h"

#include "mix.h"

#include <math.h>
#include <string.h>

enum
{
    RANGE_GROUPS = 256, // of a task: what is written of them stays in the cache from frame to frame
};

// ---------------------------------------------------------------------------------------------
// Preparing

static uint32_t slot_of(const pelt_body* body, uint32_t group, uint32_t neighbor)
{
    // Neighbors are in ascending order, since edges are.
    uint32_t low = body->first_neighbors[group], high = body->first_neighbors[group + 1];
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        bool is_below = body->neighbors[middle].group < neighbor;
        low = is_below ? middle + 1 : low;
        high = is_below ? high : middle;
    }
    bool is_found =
        low < body->first_neighbors[group + 1] && body->neighbors[low].group == neighbor;
    return is_found ? low : PELT_NONE;
}

static bool list_corners(pelti_mix* inout)
{
    const pelt_body* body = inout->body;
    uint32_t corner_count = 3 * body->triangle_count;
    uint32_t* first = pelt_arena_alloc(inout->arena, (size_t)body->group_count + 2, sizeof *first);
    inout->corners = pelt_arena_alloc(inout->arena, corner_count, sizeof *inout->corners);
    inout->first_corners = first;
    if (first == NULL || inout->corners == NULL)
    {
        return false;
    }
    // Counted two entries ahead, so that filling moves each offset to where it belongs.
    for (uint32_t i = 0; i < corner_count; ++i)
    {
        ++first[body->triangle_groups[i] + 2];
    }
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        first[g + 2] += first[g + 1];
    }
    for (uint32_t i = 0; i < corner_count; ++i)
    {
        uint32_t group = body->triangle_groups[i];
        pelti_mix_corner* corner = &inout->corners[first[group + 1]++];
        corner->triangle = i / 3;
        for (uint32_t k = 0; k < 3; ++k)
        {
            corner->slots[k] = slot_of(body, group, body->triangle_groups[3 * (i / 3) + k]);
        }
    }
    return true;
}

// Groups that LBS and DQS take to the same position in all frames do not depend on their factor.
static void find_active(pelti_mix* inout)
{
    const pelt_body* body = inout->body;
    float least = 1e-7f * (float)body->info.size;
    size_t count = (size_t)inout->frame_count * body->group_count;
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t group = (uint32_t)(i % body->group_count);
        float apart = pelt_vec3_distance(inout->lbs[i], inout->dqs[i]);
        inout->is_moved[group] |= apart > least;
        inout->spread += body->group_areas[group] * (double)apart * (double)apart;
    }
    double scale = inout->area * inout->frame_count;
    inout->spread = scale > 0.0 ? inout->spread / scale : 0.0;
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        bool is_active = inout->is_moved[g];
        for (uint32_t i = body->first_neighbors[g]; !is_active && i < body->first_neighbors[g + 1];
             ++i)
        {
            is_active = inout->is_moved[body->neighbors[i].group];
        }
        if (is_active)
        {
            inout->active[inout->active_count++] = g;
        }
    }
}

static void measure_body(pelti_mix* inout)
{
    const pelt_body* body = inout->body;
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        inout->area += body->group_areas[g];
        inout->reach += body->group_areas[g] * fmax(body->bone_distances[g], 0.0);
    }
    inout->reach = inout->area > 0.0 ? inout->reach / inout->area : 0.0;
}

bool pelti_mix_prepare(pelti_mix* inout)
{
    pelt_arena* arena = inout->arena;
    const pelt_body* body = inout->body;
    size_t group_count = body->group_count, neighbor_count = 2 * (size_t)body->edge_count;
    inout->is_moved = pelt_arena_alloc(arena, group_count, sizeof *inout->is_moved);
    inout->active = pelt_arena_alloc(arena, group_count, sizeof *inout->active);
    inout->energies = pelt_arena_alloc(arena, group_count, sizeof *inout->energies);
    inout->own = pelt_arena_alloc(arena, group_count, sizeof *inout->own);
    inout->others = pelt_arena_alloc(arena, neighbor_count, sizeof *inout->others);
    inout->crosses = pelt_arena_alloc(arena, neighbor_count, sizeof *inout->crosses);
    inout->volume_rows = pelt_arena_alloc(arena, neighbor_count, sizeof *inout->volume_rows);
    if (inout->is_moved == NULL || inout->active == NULL || inout->energies == NULL ||
        inout->own == NULL || inout->others == NULL || inout->crosses == NULL ||
        inout->volume_rows == NULL || !list_corners(inout))
    {
        return false;
    }
    measure_body(inout);
    find_active(inout);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Terms of one group in one frame

typedef struct element
{
    pelti_mix* mix;
    uint32_t group;
    const pelti_double3* positions; // of all groups in the frame
    const pelti_segment* segments;
    const pelt_vec3 *lbs, *dqs;
    double scale; // of its terms: by area, of one frame
    bool is_derived;
} element;

// The derivative of the position of a group by its factor.
static pelti_double3 way_of(const element* e, uint32_t group)
{
    return pelti_double3_sub(pelti_double3_from(e->dqs[group]), pelti_double3_from(e->lbs[group]));
}

// Add the derivatives of a triangle's volume by the factors of its corners: by the own factor to
// *own, by those of the neighbors to mix->volume_rows.
static void add_volume_rows(double* own, const element* e, const pelti_mix_corner* corner,
                            const pelti_double3 gradient[3], double scale)
{
    pelti_mix* mix = e->mix;
    const uint32_t* groups = mix->body->triangle_groups + 3 * (size_t)corner->triangle;
    for (int k = 0; k < 3; ++k)
    {
        // A triangle with two corners in one group has no edges, and may have no neighbor.
        double* row = corner->slots[k] != PELT_NONE ? &mix->volume_rows[corner->slots[k]]
                      : groups[k] == e->group       ? own
                                                    : NULL;
        if (row != NULL)
        {
            *row += scale * pelti_double3_dot(gradient[k], way_of(e, groups[k]));
        }
    }
}

// The change of volume of a group per area, and its derivatives.
static double sum_volume(double* own, const element* e)
{
    pelti_mix* mix = e->mix;
    const pelt_body* body = mix->body;
    uint32_t first = body->first_neighbors[e->group], end = body->first_neighbors[e->group + 1];
    double volume = 0.0, scale = 1.0 / (3.0 * body->group_areas[e->group]);
    for (uint32_t i = first; e->is_derived && i < end; ++i)
    {
        mix->volume_rows[i] = 0.0;
    }
    for (uint32_t i = mix->first_corners[e->group]; i < mix->first_corners[e->group + 1]; ++i)
    {
        const pelti_mix_corner* corner = &mix->corners[i];
        const uint32_t* groups = body->triangle_groups + 3 * (size_t)corner->triangle;
        pelti_double3 p[3], q[3], gradient[3];
        for (int k = 0; k < 3; ++k)
        {
            p[k] = e->positions[groups[k]];
            q[k] = pelti_anchor_point(body, groups[k], e->positions, e->segments);
        }
        volume += pelti_solid_volume(e->is_derived ? gradient : NULL, p, q) -
                  body->triangle_volumes[corner->triangle];
        if (e->is_derived)
        {
            add_volume_rows(own, e, corner, gradient, scale);
        }
    }
    return scale * volume;
}

static double volume_term(const element* e)
{
    pelti_mix* mix = e->mix;
    const pelt_body* body = mix->body;
    if (!(body->group_areas[e->group] > 0.0) || !(mix->volume_weight > 0.0))
    {
        return 0.0;
    }
    uint32_t first = body->first_neighbors[e->group], end = body->first_neighbors[e->group + 1];
    double own = 0.0, volume = sum_volume(&own, e);
    double scale = e->scale * mix->volume_weight, sum = fabs(own);
    if (e->is_derived)
    {
        // (sum of v_k d_k)^2 is at most (sum of |v_k|) (sum of |v_k| d_k^2), and equal where all
        // move equally.
        for (uint32_t i = first; i < end; ++i)
        {
            sum += fabs(mix->volume_rows[i]);
        }
        for (uint32_t i = first; i < end; ++i)
        {
            mix->others[i].slope += 2.0 * scale * volume * mix->volume_rows[i];
            mix->others[i].curve += 2.0 * scale * sum * fabs(mix->volume_rows[i]);
        }
        mix->own[e->group].slope += 2.0 * scale * volume * own;
        mix->own[e->group].curve += 2.0 * scale * sum * fabs(own);
    }
    return scale * volume * volume;
}

static double bulge_term(const element* e)
{
    pelti_mix* mix = e->mix;
    const pelt_body* body = mix->body;
    double rest = body->bone_distances[e->group], distance;
    if (rest < 0.0 || !(mix->bulge_weight > 0.0))
    {
        return 0.0;
    }
    pelti_double3 at = e->positions[e->group];
    pelti_anchor anchor = pelti_anchor_find(&distance, body, e->group, at, e->segments);
    double bulge = distance - rest, scale = e->scale * mix->bulge_weight;
    if (e->is_derived)
    {
        pelti_double3 bone = pelti_segment_point(&e->segments[anchor.bone], anchor.along);
        pelti_double3 away = pelti_double3_unit(pelti_double3_sub(at, bone));
        double rate = pelti_double3_dot(away, way_of(e, e->group));
        mix->own[e->group].slope += 2.0 * scale * bulge * rate;
        mix->own[e->group].curve += 2.0 * scale * rate * rate;
    }
    return scale * bulge * bulge;
}

// The best rotation is that of a minimum, so that it may stay as it is in derivatives: the slope is
// exact, and the energy with that rotation is an upper bound.
static double rigidity_term(const element* e)
{
    pelti_mix* mix = e->mix;
    const pelt_body* body = mix->body;
    double reach = fmax(body->bone_distances[e->group], 0.0);
    if (!(reach > 0.0) || !(mix->rigidity_weight > 0.0))
    {
        return 0.0;
    }
    pelti_ring ring;
    double rigidity = pelti_ring_fit(&ring, body, e->group, e->positions);
    double scale = e->scale * mix->rigidity_weight * reach * reach;
    uint32_t end = body->first_neighbors[e->group + 1];
    pelti_double3 own = way_of(e, e->group);
    for (uint32_t i = body->first_neighbors[e->group];
         e->is_derived && ring.squares > 0.0 && i < end; ++i)
    {
        const pelti_neighbor* to = &body->neighbors[i];
        pelti_double3 other = way_of(e, to->group);
        pelti_double3 off = pelti_ring_strain(&ring, body, e->group, to, e->positions);
        double weight = 2.0 * scale * pelti_ring_weight(&ring, body, to) / ring.squares;
        mix->own[e->group].slope -= weight * pelti_double3_dot(off, own);
        mix->own[e->group].curve += weight * pelti_double3_dot(own, own);
        mix->others[i].slope += weight * pelti_double3_dot(off, other);
        mix->others[i].curve += weight * pelti_double3_dot(other, other);
        mix->crosses[i] -= weight * pelti_double3_dot(own, other);
    }
    return scale * rigidity * rigidity;
}

// ---------------------------------------------------------------------------------------------
// The sample

// Choose the frames at which a group is measured: one of each `stride`, by a hash of the group. Its
// neighbors have others, so that a part of the surface is measured in all frames.
static uint32_t first_frame(const pelti_mix* mix, uint32_t group)
{
    uint32_t spread = (group + 1) * 2654435769u;
    spread = (spread ^ (spread >> 15u)) * 2246822519u;
    spread = (spread ^ (spread >> 13u)) * 3266489917u;
    return (uint32_t)(((uint64_t)spread * mix->stride) >> 32u);
}

void pelti_mix_sample(pelti_mix* inout, uint32_t pair_count, uint32_t least)
{
    // Closed meshes have two triangles for each vertex. Where there are more, triangles determine
    // the time.
    uint32_t vertices = inout->body->group_count, implied = inout->body->triangle_count / 2;
    uint64_t all = (uint64_t)inout->frame_count * (vertices > implied ? vertices : implied);
    uint64_t stride = all / pair_count, most = inout->frame_count / least;
    stride = stride < most ? stride : most;
    inout->stride = stride > 1 ? (uint32_t)stride : 1;
    inout->is_measured = false;
}

static bool is_measured_at(const pelti_mix* mix, uint32_t group, uint32_t frame)
{
    return frame % mix->stride == first_frame(mix, group);
}

static double group_energy(pelti_mix* mix, uint32_t group, uint32_t frame, bool is_derived)
{
    const pelt_body* body = mix->body;
    size_t first = (size_t)frame * body->group_count;
    uint32_t frame_count =
        (mix->frame_count - first_frame(mix, group) + mix->stride - 1) / mix->stride;
    element e = {.mix = mix,
                 .group = group,
                 .positions = mix->now + first,
                 .segments = mix->segments + (size_t)frame * body->bone_count,
                 .lbs = mix->lbs + first,
                 .dqs = mix->dqs + first,
                 .scale = body->group_areas[group] / (mix->area * frame_count),
                 .is_derived = is_derived};
    return volume_term(&e) + bulge_term(&e) + rigidity_term(&e);
}

// ---------------------------------------------------------------------------------------------
// All groups

typedef struct measurement
{
    pelti_mix* mix;
    const double* factors;
    bool is_first; // groups that are not active are measured once
    bool is_derived;
} measurement;

// As pelt_deform_mix() averages, in float.
static void move_frame(void* context, uint32_t frame)
{
    const measurement* m = context;
    pelti_mix* mix = m->mix;
    size_t first = (size_t)frame * mix->body->group_count;
    for (uint32_t g = 0; g < mix->body->group_count; ++g)
    {
        float factor = (float)m->factors[mix->group_classes[g]];
        if (mix->is_moved[g] || m->is_first)
        {
            mix->now[first + g] = pelti_double3_from(
                pelt_vec3_lerp(mix->lbs[first + g], mix->dqs[first + g], factor));
        }
    }
}

static void clear_slopes(pelti_mix* inout, uint32_t group)
{
    uint32_t first = inout->body->first_neighbors[group];
    uint32_t count = inout->body->first_neighbors[group + 1] - first;
    inout->own[group] = (pelti_mix_slope){0.0, 0.0};
    memset(inout->others + first, 0, count * sizeof *inout->others);
    memset(inout->crosses + first, 0, count * sizeof *inout->crosses);
}

static void measure_range(void* context, uint32_t task)
{
    const measurement* m = context;
    pelti_mix* mix = m->mix;
    uint32_t count = m->is_first ? mix->body->group_count : mix->active_count;
    uint32_t first = task * RANGE_GROUPS;
    count = count - first < RANGE_GROUPS ? count - first : RANGE_GROUPS;
    for (uint32_t i = first; i < first + count; ++i)
    {
        uint32_t group = m->is_first ? i : mix->active[i];
        mix->energies[group] = 0.0;
        if (m->is_derived)
        {
            clear_slopes(mix, group);
        }
    }
    // Frame by frame, since the positions of one are together in memory.
    for (uint32_t k = 0; k < count * mix->frame_count; ++k)
    {
        uint32_t frame = k / count, i = first + k % count;
        uint32_t group = m->is_first ? i : mix->active[i];
        if (is_measured_at(mix, group, frame))
        {
            mix->energies[group] += group_energy(mix, group, frame, m->is_derived);
        }
    }
}

double pelti_mix_measure(pelti_mix* inout, const double* factors, bool is_derived)
{
    const pelt_body* body = inout->body;
    measurement m = {inout, factors, !inout->is_measured, is_derived};
    if (!(inout->area > 0.0))
    {
        return 0.0;
    }
    uint32_t count = m.is_first ? body->group_count : inout->active_count;
    pelt_run(inout->frame_count, move_frame, &m);
    pelt_run((count + RANGE_GROUPS - 1) / RANGE_GROUPS, measure_range, &m);
    inout->is_measured = true;
    double sum = 0.0;
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        sum += inout->energies[g];
    }
    return sum;
}
