// SPDX-License-Identifier: MIT
// A character to deform: of any size, with any number of influences, in a pose.
#ifndef PELT_DEFORM_SUBJECT_H
#define PELT_DEFORM_SUBJECT_H

#include "pelt/prepare.h"

typedef struct deform_subject
{
    uint32_t vertices, influences; ///< as in deform_point; 0 vertices: not prepared yet
    pelt_mesh mesh;
    pelt_normal_factors factors; ///< {0} until deform_subject_factors() is called
    pelt_surface out;            ///< positions and normals, aligned to cache lines
    pelt_arena* arena;           ///< owns all of these
    uint32_t character_vertices; ///< of the rig
    pelt_scene* scene;
    pelt_pose pose;
    pelt_frame frame;
    pelt_palette* palette; ///< of the frame
} deform_subject;

/// Prepare the built-in human in the middle of its clip. Above 25 000 vertices the mesh contains
/// several copies, which is faster to build than a finer mesh and gives the same blocks.
/// @param inout       {0}, or a subject whose character is reused if it has that size
/// @param influences  joints of every vertex, the nearest; DEFORM_OWN_INFLUENCES: the rig's weights
pelt_result deform_subject_prepare(deform_subject* inout, uint32_t vertices, uint32_t influences,
                                   pelt_error* error);
void deform_subject_destroy(deform_subject* subject); ///< {0} is allowed

/// The factors of its normals, built by the first call; NULL: out of memory.
const pelt_normal_factors* deform_subject_factors(deform_subject* subject);

/// Centers of rotation: the vertices themselves, which take as long to deform as real centers.
const pelt_vec3* deform_subject_cors(const deform_subject* subject);

#endif
