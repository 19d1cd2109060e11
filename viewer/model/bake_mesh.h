// SPDX-License-Identifier: MIT
// The mesh of a bake on the GPU.
#ifndef PELT_BAKE_MESH_H
#define PELT_BAKE_MESH_H

#include "pelt/gl.h"

/// Upload the mesh of an instance. Shaders add no morph targets: those that a bake of joints leaves
/// at default weights become part of the rest surface. A bake of vertices is relative to the mesh
/// as it is.
/// @return as pelt_gl_mesh_create()
pelt_result bake_mesh_create(pelt_gl_mesh* out, pelt_gl* gl, const pelt_baked* baked,
                             const pelt_scene* scene, uint32_t instance, pelt_error* error);

#endif
