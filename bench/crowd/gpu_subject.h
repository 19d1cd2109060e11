// SPDX-License-Identifier: MIT
// One character on the GPU, for a number of influences and a rule of normals.
#ifndef PELT_GPU_SUBJECT_H
#define PELT_GPU_SUBJECT_H

#include "crowd_subject.h"
#include "draw_target.h"

/// The meshes of a character for all methods, and its palettes.
typedef struct gpu_body
{
    draw_target* target;
    crowd_subject* subject;
    uint32_t influence_count;
    pelt_normal_rule rule; ///< standard, if a mesh does not support the requested rule
    uint32_t mesh_count;
    pelt_gl_mesh* meshes; ///< of subject->parts
    uint32_t palette_count;
    pelt_gl_palette* palettes; ///< of the skins
    pelt_arena* arena;
} gpu_body;

/// @param out      free with gpu_body_destroy()
/// @param subject  with centers and normal factors; must outlive it
/// @param influence_count  of every vertex: shaders take the same time for unused ones
pelt_result gpu_body_create(gpu_body* out, draw_target* target, crowd_subject* subject,
                            uint32_t influence_count, pelt_normal_rule rule, pelt_error* error);
void gpu_body_destroy(gpu_body* body);

/// Draw a frame by a method: upload its palettes, draw, and wait.
/// @param programs  one for each mesh, not created until the first frame
/// @param method    PELT_METHOD_COUNT: no skinning
pelt_result gpu_body_draw(gpu_body* body, draw_program* programs, pelt_method method,
                          pelt_error* error);

/// Bytes for a vertex of the first mesh: attributes, and factors of normals.
uint32_t gpu_body_vertex_bytes(const gpu_body* body, pelt_method method);

#endif
