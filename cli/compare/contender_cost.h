// SPDX-License-Identifier: MIT
// The costs of each contender: time that is measured here, and memory that is counted.
#ifndef PELT_CONTENDER_COST_H
#define PELT_CONTENDER_COST_H

#include "comparison.h"
#include "gpu_cost.h"

typedef struct contender_cost
{
    double cpu_seconds; ///< per vertex, by one thread; the best of several runs; NaN: not measured
    bool has_kernel;    ///< by a deformer; false: by the reference, one vertex after the other
    uint32_t vertex_bytes; ///< that it needs besides weights: a center, a factor
    bool is_on_gpu;
    gpu_cost gpu;       ///< if is_on_gpu
    double gpu_seconds; ///< per vertex; NaN: not measured
} contender_cost;

/// Count memory.
/// @param out  one per contender; times are NaN
void contender_costs_count(contender_cost* out, const comparison* in);

/// Measure the time on the CPU, halfway through the first motion.
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result contender_costs_measure(contender_cost* inout, const comparison* in);

#endif
