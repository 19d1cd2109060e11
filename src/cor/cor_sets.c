// SPDX-License-Identifier: MIT
// Vertices and triangles by the set of joints that pull on them.
#include "../base/exact.h"

#include "cor_sets.h"

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
                 sort_triangles(out, problem, triangle_sets);
    pelti_cor_release(problem, triangle_sets);
    pelti_cor_release(problem, joints);
    return is_ok;
}

void pelti_cor_sets_release(pelti_cor_sets* sets, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, sets->buckets);
    pelti_cor_release(problem, sets->triangles);
    pelti_cor_release(problem, sets->vertex_sets);
    pelti_cor_release(problem, sets->joints);
    pelti_cor_release(problem, sets->sets);
}
