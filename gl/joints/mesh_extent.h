// SPDX-License-Identifier: MIT
// The box of a posed mesh without posing all of it: of the vertices that follow each joint, those
// that are farthest out in some directions.
#ifndef PELTI_MESH_EXTENT_H
#define PELTI_MESH_EXTENT_H

#include "pelt/pelt.h"

typedef struct pelti_mesh_extent
{
    uint32_t count;
    uint32_t* vertices; // of the mesh
    pelt_vec3* rest;    // their rest positions
    pelt_weights weights;
    pelt_vec3* cors; // scratch, as are all below
    float* factors;
    pelt_vec3* posed;
} pelti_mesh_extent;

/// @param mesh  with weights
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_mesh_extent_create(pelti_mesh_extent* out, const pelt_mesh* mesh);
void pelti_mesh_extent_destroy(pelti_mesh_extent* extent); // {0} is allowed, and remains

/// Add the posed surface to a box.
/// @param input    as for pelt_deform(), of the whole mesh; only palette, cors and mix_factors
/// count
void pelti_mesh_extent_add(pelt_bounds* box, pelti_mesh_extent* extent,
                           const pelt_deform_input* input, const pelt_deform_options* options);

#endif
