// SPDX-License-Identifier: MIT
// Joins the vertices that a file repeats for each corner of a polygon.
#ifndef PELT_VERTEX_JOIN_H
#define PELT_VERTEX_JOIN_H

#include "pelt/pelt.h"

/// One attribute: `size` bytes for each vertex.
typedef struct pelti_join_array
{
    const void* data;
    size_t size;
} pelti_join_array;

typedef struct pelti_join_input
{
    uint32_t vertex_count;
    uint32_t array_count;
    const pelti_join_array* arrays;
    const uint32_t* first; ///< vertex_count + 1 offsets of influences, or NULL
    const uint32_t* joints;
    const float* weights;
} pelti_join_input;

/// Join vertices that are equal to the last bit, in all attributes and influences; the order of
/// the first of each is kept.
/// @param sources  vertex_count: the vertex each joined one is taken from
/// @param joined   vertex_count: the joined vertex each one becomes
/// @param count    of joined vertices
pelt_result pelti_join_vertices(uint32_t* sources, uint32_t* joined, uint32_t* count,
                                const pelti_join_input* input);

#endif
