// SPDX-License-Identifier: MIT
// Vertices and triangles by the sets of their joints, and the pairs of joints that share a vertex.
#include "../base/exact.h"

#include "cor_sets.h"

#include "cor_fast.h"

#include <float.h>
#include <string.h>

// Make room for `extra` more elements. The elements may move.
static bool grow(pelti_cor_problem* problem, void** memory, uint32_t* capacity, uint32_t count,
                 uint32_t extra, size_t size)
{
    if (extra <= *capacity - count)
    {
        return true;
    }
    uint32_t wanted = 2 * (count + extra) + 64;
    void* larger = pelti_cor_allocate(problem, wanted, size);
    if (larger == NULL)
    {
        return false;
    }
    if (count > 0)
    {
        memcpy(larger, *memory, count * size);
    }
    pelti_cor_release(problem, *memory);
    *memory = larger;
    *capacity = wanted;
    return true;
}

static uint32_t hash_joints(const uint32_t* joints, uint32_t count)
{
    uint32_t hash = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        hash = (hash ^ joints[i]) * 0x9E3779B1u;
        hash ^= hash >> 15;
    }
    return hash;
}

static uint32_t* find_bucket(const pelti_cor_sets* sets, const uint32_t* joints, uint32_t count)
{
    uint32_t at = hash_joints(joints, count);
    for (;; ++at)
    {
        uint32_t* bucket = &sets->buckets[at & (sets->bucket_count - 1)];
        if (*bucket == PELT_NONE)
        {
            return bucket;
        }
        const pelti_cor_set* set = &sets->sets[*bucket];
        if (set->joint_count == count &&
            memcmp(sets->joints + set->joint_first, joints, count * sizeof *joints) == 0)
        {
            return bucket;
        }
    }
}

static bool grow_buckets(pelti_cor_sets* sets, pelti_cor_problem* problem)
{
    uint32_t wanted = sets->bucket_count > 0 ? 2 * sets->bucket_count : 1024;
    uint32_t* buckets = pelti_cor_allocate(problem, wanted, sizeof *buckets);
    if (buckets == NULL)
    {
        return false;
    }
    memset(buckets, 0xFF, wanted * sizeof *buckets);
    pelti_cor_release(problem, sets->buckets);
    sets->buckets = buckets;
    sets->bucket_count = wanted;
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        const pelti_cor_set* set = &sets->sets[i];
        *find_bucket(sets, sets->joints + set->joint_first, set->joint_count) = i;
    }
    return true;
}

// The set with these joints, made when it is new; PELT_NONE when out of memory.
static uint32_t find_set(pelti_cor_sets* sets, pelti_cor_problem* problem, const uint32_t* joints,
                         uint32_t count)
{
    if (2 * sets->set_count >= sets->bucket_count && !grow_buckets(sets, problem))
    {
        return PELT_NONE;
    }
    uint32_t* bucket = find_bucket(sets, joints, count);
    if (*bucket != PELT_NONE)
    {
        return *bucket;
    }
    // Room for one joint more, so that there is a list even where the first set is empty.
    if (!grow(problem, (void**)&sets->sets, &sets->set_capacity, sets->set_count, 1,
              sizeof *sets->sets) ||
        !grow(problem, (void**)&sets->joints, &sets->joint_capacity, sets->joint_count, count + 1,
              sizeof *sets->joints))
    {
        return PELT_NONE;
    }
    memcpy(sets->joints + sets->joint_count, joints, count * sizeof *joints);
    sets->sets[sets->set_count] =
        (pelti_cor_set){.joint_first = sets->joint_count, .joint_count = count};
    sets->joint_count += count;
    *bucket = sets->set_count;
    return sets->set_count++;
}

// ---------------------------------------------------------------------------------------------
// Vertices

static bool has_joints(const pelti_cor_sets* sets, uint32_t set, const pelti_cor_weight* weights,
                       uint32_t count)
{
    const uint32_t* joints = sets->joints + sets->sets[set].joint_first;
    bool is_same = sets->sets[set].joint_count == count;
    for (uint32_t i = 0; i < count && is_same; ++i)
    {
        is_same = joints[i] == weights[i].joint;
    }
    return is_same;
}

// joints: room for the joints of one vertex.
static bool assign_vertices(pelti_cor_sets* sets, pelti_cor_problem* problem, uint32_t* joints)
{
    const pelti_cor_surface* surface = &problem->surface;
    uint32_t set = PELT_NONE;
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
    {
        const pelti_cor_weight* weights = surface->weights + surface->first[v];
        uint32_t count = pelti_cor_joint_count(surface, v);
        // Neighbors in memory are mostly neighbors on the surface.
        if (set == PELT_NONE || !has_joints(sets, set, weights, count))
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                joints[i] = weights[i].joint;
            }
            set = find_set(sets, problem, joints, count);
            if (set == PELT_NONE)
            {
                return false;
            }
        }
        sets->vertex_sets[v] = set;
        sets->sets[set].vertex_count++;
    }
    for (uint32_t i = 0; i < problem->todo_count; ++i)
    {
        sets->sets[sets->vertex_sets[problem->todo[i]]].todo_count++;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Triangles

// Joints of three ascending lists, each once. Returns how many.
static uint32_t unite(uint32_t* out, const pelti_cor_sets* sets, const uint32_t ids[3])
{
    uint32_t count = 0;
    for (int corner = 0; corner < 3; ++corner)
    {
        const pelti_cor_set* set = &sets->sets[ids[corner]];
        for (uint32_t i = 0; i < set->joint_count; ++i)
        {
            uint32_t joint = sets->joints[set->joint_first + i], at = count;
            while (at > 0 && out[at - 1] > joint)
            {
                --at;
            }
            if (at == 0 || out[at - 1] != joint)
            {
                memmove(out + at + 1, out + at, (count - at) * sizeof *out);
                out[at] = joint;
                ++count;
            }
        }
    }
    return count;
}

// triangle_sets: filled with the set of each triangle. joints: room for those of one triangle.
static bool assign_triangles(pelti_cor_sets* sets, pelti_cor_problem* problem,
                             uint32_t* triangle_sets, uint32_t* joints)
{
    const pelti_cor_surface* surface = &problem->surface;
    uint32_t last[3] = {PELT_NONE, PELT_NONE, PELT_NONE}, last_set = PELT_NONE;
    for (uint32_t t = 0; t < surface->triangle_count; ++t)
    {
        const uint32_t* corners = surface->indices + (size_t)3 * t;
        const uint32_t ids[3] = {sets->vertex_sets[corners[0]], sets->vertex_sets[corners[1]],
                                 sets->vertex_sets[corners[2]]};
        uint32_t set = ids[0];
        if (ids[0] != ids[1] || ids[0] != ids[2])
        {
            if (memcmp(ids, last, sizeof ids) != 0)
            {
                last_set = find_set(sets, problem, joints, unite(joints, sets, ids));
                memcpy(last, ids, sizeof ids);
            }
            set = last_set;
        }
        if (set == PELT_NONE)
        {
            return false;
        }
        bool has_pair = sets->sets[set].joint_count > 1;
        triangle_sets[t] = has_pair ? set : PELT_NONE;
        sets->sets[set].triangle_count += has_pair;
    }
    return true;
}

static bool sort_triangles(pelti_cor_sets* sets, pelti_cor_problem* problem,
                           const uint32_t* triangle_sets)
{
    uint32_t count = problem->surface.triangle_count;
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        sets->sets[i].triangle_first = sets->triangle_count;
        sets->triangle_count += sets->sets[i].triangle_count;
    }
    sets->triangles = pelti_cor_allocate(problem, sets->triangle_count, sizeof *sets->triangles);
    if (sets->triangles == NULL)
    {
        return false;
    }
    for (uint32_t t = 0; t < count; ++t)
    {
        if (triangle_sets[t] != PELT_NONE)
        {
            sets->triangles[sets->sets[triangle_sets[t]].triangle_first++] = t;
        }
    }
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        sets->sets[i].triangle_first -= sets->sets[i].triangle_count;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// What follows from sets

static bool sort_todo(pelti_cor_sets* sets, pelti_cor_problem* problem)
{
    sets->todo = pelti_cor_allocate(problem, problem->todo_count, sizeof *sets->todo);
    if (sets->todo == NULL)
    {
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        sets->sets[i].todo_first = count;
        count += sets->sets[i].todo_count;
    }
    for (uint32_t i = 0; i < problem->todo_count; ++i)
    {
        uint32_t vertex = problem->todo[i];
        sets->todo[sets->sets[sets->vertex_sets[vertex]].todo_first++] = vertex;
    }
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        sets->sets[i].todo_first -= sets->sets[i].todo_count;
    }
    return true;
}

static const pelti_cor_extent nothing = {(float)INFINITY, 0.0f};

static void widen(pelti_cor_extent* out, pelti_cor_extent by)
{
    out->least = by.least < out->least ? by.least : out->least;
    out->most = by.most > out->most ? by.most : out->most;
}

static void measure_vertices(pelti_cor_sets* sets, const pelti_cor_surface* surface)
{
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
    {
        pelti_cor_set* set = &sets->sets[sets->vertex_sets[v]];
        const pelti_cor_weight* weights = surface->weights + surface->first[v];
        pelti_cor_extent* extents = sets->vertex_weights + set->joint_first;
        float sum = 0.0f;
        for (uint32_t i = 0; i < set->joint_count; ++i)
        {
            sum += weights[i].weight;
            widen(&extents[i], (pelti_cor_extent){weights[i].weight, weights[i].weight});
        }
        widen(&set->vertex_sum, (pelti_cor_extent){sum, sum});
    }
}

// Weights of a set at the corners of triangles. Other vertices must not count, although their
// weights are bounded too: pelt_cor_update() relies on each pair of joints depending on its own
// triangles only.
static void measure_set(pelti_cor_sets* sets, pelti_cor_set* set, const pelti_cor_surface* surface)
{
    const uint32_t* joints = sets->joints + set->joint_first;
    pelti_cor_extent* extents = sets->triangle_weights + set->joint_first;
    for (uint32_t t = 0; t < 3 * set->triangle_count; ++t)
    {
        uint32_t triangle = sets->triangles[set->triangle_first + t / 3];
        uint32_t corner = surface->indices[(size_t)3 * triangle + t % 3];
        const pelti_cor_weight* at = surface->weights + surface->first[corner];
        const pelti_cor_weight* end = surface->weights + surface->first[corner + 1];
        float sum = 0.0f;
        for (uint32_t i = 0; i < set->joint_count; ++i)
        {
            bool is_here = at < end && at->joint == joints[i];
            float weight = is_here ? at->weight : 0.0f;
            at += is_here;
            sum += weight;
            widen(&extents[i], (pelti_cor_extent){weight, weight});
        }
        widen(&set->triangle_sum, (pelti_cor_extent){sum, sum});
    }
}

typedef struct set_measure
{
    pelti_cor_sets* sets;
    const pelti_cor_surface* surface;
} set_measure;

enum
{
    SET_CHUNK = 64 // sets per task
};

static void measure_chunk(void* context, uint32_t index)
{
    const set_measure* measure = context;
    pelt_range range = pelti_cor_chunk(measure->sets->set_count, SET_CHUNK, index);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        measure_set(measure->sets, &measure->sets->sets[i], measure->surface);
    }
}

static bool measure_weights(pelti_cor_sets* sets, pelti_cor_problem* problem)
{
    size_t count = (size_t)sets->joint_count + 1;
    sets->vertex_weights = pelti_cor_allocate(problem, count, sizeof *sets->vertex_weights);
    sets->triangle_weights = pelti_cor_allocate(problem, count, sizeof *sets->triangle_weights);
    if (sets->vertex_weights == NULL || sets->triangle_weights == NULL)
    {
        return false;
    }
    for (size_t i = 0; i < count; ++i)
    {
        sets->vertex_weights[i] = sets->triangle_weights[i] = nothing;
    }
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        sets->sets[i].vertex_sum = sets->sets[i].triangle_sum = nothing;
    }
    measure_vertices(sets, &problem->surface);
    set_measure measure = {sets, &problem->surface};
    pelt_run(pelti_cor_chunk_count(sets->set_count, SET_CHUNK), measure_chunk, &measure);
    return true;
}

static bool list_members(pelti_cor_sets* sets, pelti_cor_problem* problem)
{
    uint32_t joint_end = 0, count = 0;
    for (uint32_t i = 0; i < sets->joint_count; ++i)
    {
        joint_end = sets->joints[i] < joint_end ? joint_end : sets->joints[i] + 1;
    }
    sets->member_first =
        pelti_cor_allocate(problem, (size_t)joint_end + 2, sizeof *sets->member_first);
    sets->members =
        pelti_cor_allocate(problem, (size_t)sets->joint_count + 1, sizeof *sets->members);
    if (sets->member_first == NULL || sets->members == NULL)
    {
        return false;
    }
    // Counted one index further, indices become ends while members are filled in.
    uint32_t* ends = sets->member_first + 1;
    memset(sets->member_first, 0, ((size_t)joint_end + 2) * sizeof *sets->member_first);
    for (int pass = 0; pass < 2; ++pass)
    {
        for (uint32_t i = 0; i < sets->set_count; ++i)
        {
            const pelti_cor_set* set = &sets->sets[i];
            for (uint32_t k = 0; k < set->joint_count && set->triangle_count > 0; ++k)
            {
                uint32_t joint = sets->joints[set->joint_first + k];
                if (pass == 1)
                {
                    sets->members[ends[joint]] = (pelti_cor_member){i, k};
                }
                ends[joint + (pass == 0)]++;
            }
        }
        for (uint32_t joint = 0; joint <= joint_end && pass == 0; ++joint)
        {
            count += ends[joint];
            ends[joint] = count;
        }
    }
    return true;
}

// The first member at or behind a set.
static const pelti_cor_member* find_member(const pelti_cor_member* first,
                                           const pelti_cor_member* end, uint32_t set)
{
    while (first < end)
    {
        const pelti_cor_member* middle = first + (end - first) / 2;
        if (middle->set < set)
        {
            first = middle + 1;
        }
        else
        {
            end = middle;
        }
    }
    return first;
}

void pelti_cor_common_begin(pelti_cor_common* out, const pelti_cor_sets* sets,
                            const uint32_t joints[2], uint32_t set_first)
{
    for (int i = 0; i < 2; ++i)
    {
        const uint32_t* first = &sets->member_first[joints[i]];
        out->end[i] = sets->members + first[1];
        out->at[i] = find_member(sets->members + first[0], out->end[i], set_first);
    }
}

// ---------------------------------------------------------------------------------------------

bool pelti_cor_sets_make(pelti_cor_sets* out, pelti_cor_problem* problem)
{
    const pelti_cor_surface* surface = &problem->surface;
    *out = (pelti_cor_sets){0};
    uint32_t most = pelti_cor_most_joints(surface);
    uint32_t* joints = pelti_cor_allocate(problem, (size_t)3 * most + 1, sizeof *joints);
    uint32_t* triangle_sets =
        pelti_cor_allocate(problem, surface->triangle_count, sizeof *triangle_sets);
    out->vertex_sets = pelti_cor_allocate(problem, surface->vertex_count, sizeof *out->vertex_sets);
    bool is_ok = joints && triangle_sets && out->vertex_sets &&
                 assign_vertices(out, problem, joints) &&
                 assign_triangles(out, problem, triangle_sets, joints) &&
                 sort_triangles(out, problem, triangle_sets) && sort_todo(out, problem) &&
                 measure_weights(out, problem) && list_members(out, problem);
    pelti_cor_release(problem, triangle_sets);
    pelti_cor_release(problem, joints);
    return is_ok;
}

void pelti_cor_sets_release(pelti_cor_sets* sets, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, sets->members);
    pelti_cor_release(problem, sets->member_first);
    pelti_cor_release(problem, sets->triangle_weights);
    pelti_cor_release(problem, sets->vertex_weights);
    pelti_cor_release(problem, sets->buckets);
    pelti_cor_release(problem, sets->triangles);
    pelti_cor_release(problem, sets->todo);
    pelti_cor_release(problem, sets->vertex_sets);
    pelti_cor_release(problem, sets->joints);
    pelti_cor_release(problem, sets->sets);
}

// =============================================================================================
// The pairs of joints that meet on vertices.

static uint32_t hash_pair(uint32_t first, uint32_t second)
{
    uint32_t hash = (first * 0x9E3779B1u ^ second) * 0x85EBCA6Bu;
    return hash ^ hash >> 15;
}

static pelti_cor_bucket* find_pair_bucket(const pelti_cor_pairs* pairs, uint32_t first,
                                          uint32_t second)
{
    for (uint32_t at = hash_pair(first, second);; ++at)
    {
        pelti_cor_bucket* bucket = &pairs->buckets[at & (pairs->bucket_count - 1)];
        if (bucket->pair == PELT_NONE ||
            (bucket->joints[0] == first && bucket->joints[1] == second))
        {
            return bucket;
        }
    }
}

pelti_cor_pair* pelti_cor_pairs_find(const pelti_cor_pairs* pairs, uint32_t first, uint32_t second)
{
    return &pairs->pairs[find_pair_bucket(pairs, first, second)->pair];
}

static bool grow_pairs(pelti_cor_pairs* pairs, pelti_cor_problem* problem)
{
    uint32_t capacity = pairs->pair_capacity > 0 ? 2 * pairs->pair_capacity : 256;
    pelti_cor_pair* larger = pelti_cor_allocate(problem, capacity, sizeof *larger);
    pelti_cor_bucket* buckets = pelti_cor_allocate(problem, (size_t)2 * capacity, sizeof *buckets);
    if (larger == NULL || buckets == NULL)
    {
        pelti_cor_release(problem, buckets);
        pelti_cor_release(problem, larger);
        return false;
    }
    if (pairs->pair_count > 0)
    {
        memcpy(larger, pairs->pairs, pairs->pair_count * sizeof *larger);
    }
    pelti_cor_release(problem, pairs->pairs);
    pelti_cor_release(problem, pairs->buckets);
    pairs->pairs = larger;
    pairs->pair_capacity = capacity;
    pairs->buckets = buckets;
    pairs->bucket_count = 2 * capacity;
    memset(buckets, 0xFF, pairs->bucket_count * sizeof *buckets);
    for (uint32_t i = 0; i < pairs->pair_count; ++i)
    {
        const uint32_t* joints = larger[i].joints;
        *find_pair_bucket(pairs, joints[0], joints[1]) =
            (pelti_cor_bucket){{joints[0], joints[1]}, i};
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Bounds

// Bounds of float sums have room for their rounding.
static const float slack = 1e-5f;

// Bounds of two weights of a set together, when each weight and the sum of all are within extents.
// In a set of two joints the sum is 1.
// others: the sum of the other weights
static void widen_reach(pelti_cor_reach* out, pelti_cor_extent x, pelti_cor_extent y,
                        pelti_cor_extent sum, pelti_cor_extent others)
{
    float least = fmaxf(x.least + y.least, sum.least - others.most);
    float most = fminf(x.most + y.most, sum.most - others.least);
    widen(&out->r, (pelti_cor_extent){least - slack, most + slack});
    widen(&out->a, (pelti_cor_extent){x.least / fmaxf(x.least + y.most, FLT_MIN),
                                      x.most / fmaxf(x.most + y.least, FLT_MIN)});
}

static pelti_cor_extent sum_extents(const pelti_cor_extent* extents, uint32_t count)
{
    pelti_cor_extent sum = {0.0f, 0.0f};
    for (uint32_t i = 0; i < count; ++i)
    {
        sum.least += extents[i].least;
        sum.most += extents[i].most;
    }
    return sum;
}

static pelti_cor_extent without(pelti_cor_extent all, pelti_cor_extent x, pelti_cor_extent y)
{
    return (pelti_cor_extent){fmaxf(all.least - x.least - y.least, 0.0f),
                              fmaxf(all.most - x.most - y.most, 0.0f)};
}

// ---------------------------------------------------------------------------------------------

static const pelti_cor_reach nowhere = {{(float)INFINITY, 0.0f}, {(float)INFINITY, 0.0f}};

// Pairs of a set that has vertices.
static bool add_pairs(pelti_cor_pairs* pairs, pelti_cor_problem* problem,
                      const pelti_cor_sets* sets, const pelti_cor_set* set)
{
    const uint32_t* joints = sets->joints + set->joint_first;
    const pelti_cor_extent* weights = sets->vertex_weights + set->joint_first;
    const pelti_cor_extent all = sum_extents(weights, set->joint_count);
    for (uint32_t i = 0; i < set->joint_count; ++i)
    {
        for (uint32_t k = i + 1; k < set->joint_count; ++k)
        {
            if (pairs->pair_count == pairs->pair_capacity && !grow_pairs(pairs, problem))
            {
                return false;
            }
            pelti_cor_bucket* bucket = find_pair_bucket(pairs, joints[i], joints[k]);
            if (bucket->pair == PELT_NONE)
            {
                *bucket = (pelti_cor_bucket){{joints[i], joints[k]}, pairs->pair_count++};
                pairs->pairs[bucket->pair] = (pelti_cor_pair){
                    .joints = {joints[i], joints[k]}, .vertices = nowhere, .samples = nowhere};
            }
            pelti_cor_pair* pair = &pairs->pairs[bucket->pair];
            pair->vertex_count += set->vertex_count;
            pair->todo_count += set->todo_count;
            widen_reach(&pair->vertices, weights[i], weights[k], set->vertex_sum,
                        without(all, weights[i], weights[k]));
        }
    }
    return true;
}

typedef struct sample_count
{
    const pelti_cor_pairs* pairs;
    const pelti_cor_sets* sets;
    const uint64_t* set_samples;
} sample_count;

static void count_samples(void* context, uint32_t index)
{
    const sample_count* count = context;
    const pelti_cor_sets* sets = count->sets;
    pelti_cor_pair* pair = &count->pairs->pairs[index];
    pelti_cor_common common;
    uint32_t indices[2];
    pelti_cor_common_begin(&common, sets, pair->joints, 0);
    for (uint32_t s; (s = pelti_cor_common_next(&common, indices)) != PELT_NONE;)
    {
        const pelti_cor_set* set = &sets->sets[s];
        const pelti_cor_extent* weights = sets->triangle_weights + set->joint_first;
        pelti_cor_extent x = weights[indices[0]], y = weights[indices[1]];
        pair->sample_count += count->set_samples[s];
        // Most sets have few joints, and for long lists the other weights do not tighten the bound.
        pelti_cor_extent others = set->joint_count > 2 ? (pelti_cor_extent){0.0f, (float)INFINITY}
                                                       : (pelti_cor_extent){0.0f, 0.0f};
        widen_reach(&pair->samples, x, y, set->triangle_sum, others);
    }
}

bool pelti_cor_pairs_make(pelti_cor_pairs* out, pelti_cor_problem* problem,
                          const pelti_cor_sets* sets, const uint64_t* set_samples)
{
    *out = (pelti_cor_pairs){0};
    if (!grow_pairs(out, problem))
    {
        return false;
    }
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        if (sets->sets[i].vertex_count > 0 && !add_pairs(out, problem, sets, &sets->sets[i]))
        {
            return false;
        }
    }
    sample_count count = {out, sets, set_samples};
    pelt_run(out->pair_count, count_samples, &count);
    return true;
}

void pelti_cor_pairs_release(pelti_cor_pairs* pairs, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, pairs->buckets);
    pelti_cor_release(problem, pairs->pairs);
}
