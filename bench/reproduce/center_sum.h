// SPDX-License-Identifier: MIT
// Centers of rotation as a plain sum in double precision (Le and Hodgins 2016, Eq. 1 and 4), with
// the alternatives that section 5 there discusses.
#ifndef PELT_CENTER_SUM_H
#define PELT_CENTER_SUM_H

#include "pelt/pelt.h"

typedef struct center_choice
{
    bool is_gaussian; ///< exp(-|wp - wv|^2 / sigma^2) in place of Eq. 1
    bool is_vertices; ///< a sum over vertices with their Voronoi areas in place of triangles
} center_choice;

typedef struct center_sum
{
    double position[3];
    double mass; ///< area of the surface, times similarity
} center_sum;

/// The time is vertices times triangles. Sigma is 0.1, triangles are not bisected.
/// @param out  mesh->vertex_count
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result center_sum_solve(center_sum* out, const pelt_mesh* mesh, center_choice choice);

#endif
