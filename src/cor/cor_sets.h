// SPDX-License-Identifier: MIT
// Centers of rotation, fast: vertices and triangles by the set of joints that influence them. There
// are few sets, so that what depends on joints alone is done once for each.
#ifndef PELTI_COR_SETS_H
#define PELTI_COR_SETS_H

#include "cor.h"

/// From least to most.
typedef struct pelti_cor_extent
{
    float least, most;
} pelti_cor_extent;

typedef struct pelti_cor_set
{
    uint32_t joint_first, joint_count; ///< in joints, ascending
    uint32_t vertex_count, todo_count; ///< vertices with these joints, and those to do
    uint32_t todo_first;               ///< in todo
    uint32_t triangle_count;           ///< triangles whose corners have these joints together
    uint32_t triangle_first;           ///< in triangles
    pelti_cor_extent vertex_sum;       ///< of the weights of a vertex
    pelti_cor_extent triangle_sum;     ///< at the corners of triangles
} pelti_cor_set;

/// A set that has a joint.
typedef struct pelti_cor_member
{
    uint32_t set;
    uint32_t index; ///< of the joint in the set's list
} pelti_cor_member;

typedef struct pelti_cor_sets
{
    uint32_t set_count, set_capacity;
    pelti_cor_set* sets;
    uint32_t joint_count, joint_capacity;
    uint32_t* joints;
    uint32_t* vertex_sets; ///< the set of each vertex
    uint32_t* todo;        ///< vertices to do, set by set, ascending

    uint32_t triangle_count;
    uint32_t* triangles; ///< those of sets with two joints or more, set by set, ascending

    // Parallel to joints: what weights a joint of a set has.
    pelti_cor_extent* vertex_weights;
    pelti_cor_extent* triangle_weights; ///< at the corners of triangles

    uint32_t* member_first;    ///< by joint, and one more: indices in members
    pelti_cor_member* members; ///< sets with triangles, ascending

    uint32_t bucket_count; ///< power of two
    uint32_t* buckets;     ///< sets by hash, or PELT_NONE
} pelti_cor_sets;

/// @return false when out of memory; release in any case
bool pelti_cor_sets_make(pelti_cor_sets* out, pelti_cor_problem* problem);
void pelti_cor_sets_release(pelti_cor_sets* sets, pelti_cor_problem* problem);

/// The sets that have both of two joints, within a range of sets.
typedef struct pelti_cor_common
{
    const pelti_cor_member *at[2], *end[2];
} pelti_cor_common;

/// @param set_first  the first set that counts
void pelti_cor_common_begin(pelti_cor_common* out, const pelti_cor_sets* sets,
                            const uint32_t joints[2], uint32_t set_first);

/// The next set, with the indices of both joints.
/// @return PELT_NONE: there is no other
static inline uint32_t pelti_cor_common_next(pelti_cor_common* common, uint32_t indices[2])
{
    const pelti_cor_member *a = common->at[0], *b = common->at[1];
    while (a < common->end[0] && b < common->end[1])
    {
        if (a->set == b->set)
        {
            indices[0] = a->index;
            indices[1] = b->index;
            common->at[0] = a + 1;
            common->at[1] = b + 1;
            return a->set;
        }
        bool is_first = a->set < b->set;
        a += is_first;
        b += !is_first;
    }
    return PELT_NONE;
}

#endif
