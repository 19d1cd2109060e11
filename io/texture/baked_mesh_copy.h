// SPDX-License-Identifier: MIT
// The mesh of a bake, copied from the glTF file that was baked.
#ifndef PELT_BAKED_MESH_COPY_H
#define PELT_BAKED_MESH_COPY_H

#include "pelt/io.h"

#include <stdio.h>

typedef struct pelti_baked_mesh_copy
{
    const pelt_baked* baked;
    const pelt_scene* scene; ///< that was baked, with the arrays that were read
    /// VERTEX: attributes of floats, in the order of instances, which `mesh` is here
    const pelt_addition* additions;
    uint32_t addition_count;
    bool has_openvat; ///< TEXCOORD_1 is among them
} pelti_baked_mesh_copy;

/// Write a GLB file. Failed writes stay in the stream's error flag.
/// @param source  the file that the scene was read from
pelt_result pelti_baked_write_copy(FILE* stream, const pelti_baked_mesh_copy* what,
                                   const pelt_source* source, pelt_error* error);

#endif
