// SPDX-License-Identifier: MIT
// The time of pelt_cor_update() after a stroke of a painting tool.
#ifndef PELT_COR_STROKE_H
#define PELT_COR_STROKE_H

#include "pelt/prepare.h"

// ---------------------------------------------------------------------------------------------
// Painting

/// The vertex that a joint shares most evenly with others; PELT_NONE when it shares none.
uint32_t paint_find_shared(const pelt_weights* weights, uint32_t joint);

/// Move a fifth of the strongest weight of the `count` vertices nearest to `center` to another
/// joint: between the two strongest joints of `center`, where a vertex has one of them.
/// @param before, after  mesh with its weights as they were and as they become; vertices outside
///                       the patch have the same bits in both. They share the mesh's other arrays.
/// @param center         a vertex with two influences or more
pelt_result paint_patch(pelt_mesh* before, pelt_mesh* after, const pelt_mesh* mesh, uint32_t center,
                        uint32_t count, pelt_arena* arena);

// ---------------------------------------------------------------------------------------------
// Measuring

typedef struct cor_stroke
{
    uint32_t changed_count; ///< vertices that were painted
    uint32_t solved_count;  ///< vertices that were solved again
    double update_seconds;
    double whole_seconds; ///< of a whole solve on the new weights
    double difference;    ///< at most, between the two, in meters
} cor_stroke;

/// Paint 500 vertices where `joint` meets another, and bring the centers of PELT_COR_FAST up to
/// date. Each time is the minimum of several within a budget of seconds.
pelt_result cor_stroke_measure(cor_stroke* out, const pelt_mesh* mesh, uint32_t joint,
                               float epsilon, double budget);

#endif
