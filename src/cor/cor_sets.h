// SPDX-License-Identifier: MIT
// Centers of rotation, fast: vertices and triangles by the set of joints that pull on them. There
// are few sets, so that what depends on joints alone is done once for each.
#ifndef PELTI_COR_SETS_H
#define PELTI_COR_SETS_H

#include "cor.h"

typedef struct pelti_cor_set
{
    uint32_t joint_first, joint_count; ///< in joints, ascending
    uint32_t vertex_count, todo_count; ///< vertices with these joints, and those to do
    uint32_t triangle_count;           ///< triangles whose corners have these joints together
    uint32_t triangle_first;           ///< in triangles
} pelti_cor_set;

typedef struct pelti_cor_sets
{
    uint32_t set_count, set_capacity;
    pelti_cor_set* sets;
    uint32_t joint_count, joint_capacity;
    uint32_t* joints;
    uint32_t* vertex_sets; ///< the set of each vertex

    uint32_t triangle_count;
    uint32_t* triangles; ///< those of sets with two joints or more, set by set, ascending

    uint32_t bucket_count; ///< power of two
    uint32_t* buckets;     ///< sets by hash, or PELT_NONE
} pelti_cor_sets;

/// @return false when out of memory; release in any case
bool pelti_cor_sets_make(pelti_cor_sets* out, pelti_cor_problem* problem);
void pelti_cor_sets_release(pelti_cor_sets* sets, pelti_cor_problem* problem);

#endif
