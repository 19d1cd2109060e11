// SPDX-License-Identifier: MIT
// Measurements on deformed meshes. Link libpelt.
#ifndef PELT_METRICS_H
#define PELT_METRICS_H

#include "math3d.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Distances between corresponding vertices of two versions of a mesh, in meters.
typedef struct pelt_difference
{
    double mean, rms, max;
    uint32_t worst_vertex;
} pelt_difference;

PELT_API pelt_difference pelt_positions_compare(const pelt_vec3* a, const pelt_vec3* b,
                                                uint32_t count);

/// Signed volume enclosed by a triangle mesh, in cubic meters; meaningful only if it is closed.
PELT_API double pelt_mesh_volume(const pelt_vec3* positions, const uint32_t* indices,
                                 uint32_t index_count);

/// Area of a triangle mesh, in square meters.
PELT_API double pelt_mesh_area(const pelt_vec3* positions, const uint32_t* indices,
                               uint32_t index_count);

#ifdef __cplusplus
}
#endif

#endif
