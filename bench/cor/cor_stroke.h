// SPDX-License-Identifier: MIT
// What pelt_cor_update() takes after a stroke of a painting tool.
#ifndef PELT_COR_STROKE_H
#define PELT_COR_STROKE_H

#include "pelt/prepare.h"

typedef struct cor_stroke
{
    uint32_t changed_count; ///< vertices that were painted
    uint32_t solved_count;  ///< vertices that this concerned
    double update_seconds;
    double whole_seconds; ///< of a whole solve on the new weights
    double difference;    ///< at most, between the two, in meters
} cor_stroke;

/// Paint 500 vertices where `joint` meets another, and bring the centers of PELT_COR_FAST up to
/// date. Each time is the minimum of several within a budget of seconds.
pelt_result cor_stroke_measure(cor_stroke* out, const pelt_mesh* mesh, uint32_t joint,
                               float epsilon, double budget);

#endif
