// SPDX-License-Identifier: MIT
// Meshes of one skin on which solvers of centers of rotation are measured: their times, and the
// distances of their centers from those of the definition.
#ifndef PELT_COR_SUBJECT_H
#define PELT_COR_SUBJECT_H

#include "pelt/prepare.h"

typedef struct cor_subject
{
    pelt_cor_input input;
    uint32_t vertex_count, triangle_count, joint_count;
    uint32_t max_influences;                    ///< of the vertex that has most
    double diagonal;                            ///< of the bounding box of all vertices
    pelt_vec3** centers[PELT_COR_SOLVER_COUNT]; ///< for each mesh, the last result of the solver
    pelt_cor_report report;                     ///< of PELT_COR_FAST
    pelt_arena* arena;
} cor_subject;

/// Gather the meshes of a skin. The scene must outlive the subject. mesh_count is 0 when the skin
/// has none.
pelt_result cor_subject_create(cor_subject* out, const pelt_scene* scene, uint32_t skin);
void cor_subject_destroy(cor_subject* subject);

typedef struct cor_time
{
    double seconds;   ///< NaN: out of memory, or the sample was below the noise
    bool is_estimate; ///< scaled up from a sample of the vertices
} cor_time;

/// The fastest of several whole solves by PELT_COR_FAST within a budget of seconds. Fills
/// subject->report, from which cor_subject_time_slow() derives its sample.
pelt_result cor_subject_time_fast(cor_time* out, cor_subject* subject, float epsilon,
                                  double budget);

/// Limits for solvers that are slower by orders of magnitude.
typedef struct cor_effort
{
    double most_terms; ///< pairs of a vertex and a (halved) triangle in one solve
    uint32_t least;    ///< vertices in a sample, because their times differ widely
    int least_runs;    ///< of which the fastest counts
    double patience;   ///< seconds for which shorter runs are repeated
} cor_effort;

/// Solve as many vertices as most_terms allow, and scale up the part of the time that grows with
/// their number. The sample depends on the meshes only, not on the clock. Call
/// cor_subject_time_fast() first, with the same epsilon.
/// @param options  solver and epsilon
pelt_result cor_subject_time_slow(cor_time* out, cor_subject* subject,
                                  const pelt_cor_options* options, cor_effort effort);

/// The largest distance of a solver's centers from those of PELT_COR_FULL, over the vertices that
/// both have solved, as a part of the diagonal; NaN when there are none.
double cor_subject_error(const cor_subject* subject, pelt_cor_solver solver);

#endif
