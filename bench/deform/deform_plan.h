// SPDX-License-Identifier: MIT
// The points at which suite `deform` measures deformers, in a space of seven axes.
#ifndef PELT_DEFORM_PLAN_H
#define PELT_DEFORM_PLAN_H

#include "../../src/kernels/deformer.h"
#include "bench.h"

/// From the slowest to change to the fastest, so that consecutive points can share a deformer.
typedef enum deform_axis
{
    DEFORM_VERTICES,
    DEFORM_INFLUENCES,
    DEFORM_ORDER,
    DEFORM_NORMALS,
    DEFORM_METHOD,
    DEFORM_ISA,
    DEFORM_THREADS,
    DEFORM_AXIS_COUNT
} deform_axis;

enum
{
    DEFORM_OWN_INFLUENCES = 0, ///< the character's own weights, up to four for a vertex
    DEFORM_VALUE_MAX = 16,     ///< of an axis
    DEFORM_TEXT = 32,
};

typedef struct deform_point
{
    uint32_t vertices, influences;
    pelt_vertex_order order;
    pelt_normal_rule normals;
    pelt_method method;
    pelti_isa isa;
    uint32_t threads;
} deform_point;

typedef struct deform_plan
{
    uint32_t counts[DEFORM_AXIS_COUNT];
    uint32_t values[DEFORM_AXIS_COUNT][DEFORM_VALUE_MAX];
    uint32_t usual_vertices; ///< the size at which a star varies the other axes
    bool is_star; ///< points that differ from the usual one in one thing; else all combinations
} deform_plan;

/// Read the lists of the options. Without any the plan is a star: one character of each size on
/// one and on all threads, and at 25 000 vertices one other axis at a time.
/// @param thread_count  of the hooks; points are measured on one thread and on these
/// @return PELT_OK, or PELT_ERROR_ARGUMENT with a message
pelt_result deform_plan_create(deform_plan* out, const bench_options* options,
                               uint32_t thread_count, pelt_error* error);

/// Number of points, including those that deform_plan_point() rejects.
uint32_t deform_plan_size(const deform_plan* plan);

/// @return false: the point is not measured
bool deform_plan_point(deform_point* out, const deform_plan* plan, uint32_t index);

/// The usual value of an axis, or the first of its list if that does not contain it.
uint32_t deform_plan_usual(const deform_plan* plan, deform_axis axis);

/// The name of a value: "lbs", "avx2", "own" ...
void deform_value_write(char out[DEFORM_TEXT], deform_axis axis, uint32_t value);

#endif
