// SPDX-License-Identifier: MIT
// A character to deform: of any size, with any number of influences, in a pose.
#ifndef PELT_DEFORM_SUBJECT_H
#define PELT_DEFORM_SUBJECT_H

#include "pelt/prepare.h"

typedef struct deform_subject
{
    uint32_t vertices, influences; ///< asked for, as in deform_point; 0 vertices: nothing yet
    pelt_mesh mesh;
    pelt_normal_factors factors; ///< {0} until they are asked for
    pelt_surface out;            ///< positions and normals, each from a cache line on
    pelt_arena* arena;           ///< owns all of these
    uint32_t character_vertices; ///< of the rig
    pelt_scene* scene;
    pelt_pose pose;
    pelt_frame frame;
    pelt_palette* palette; ///< of the frame
} deform_subject;

/// Make it the human in the middle of its clip. Beyond 25 000 vertices there are several of it in
/// one mesh, which is quicker than a finer one and gives the same blocks.
/// @param inout       {0}, or one whose character serves again if it is of that size
/// @param influences  joints of every vertex, the nearest; DEFORM_OWN_INFLUENCES: the rig's weights
pelt_result deform_subject_prepare(deform_subject* inout, uint32_t vertices, uint32_t influences,
                                   pelt_error* error);
void deform_subject_destroy(deform_subject* subject); ///< {0} is allowed

/// The factors of its normals, built when they are first asked for; NULL: no memory.
const pelt_normal_factors* deform_subject_factors(deform_subject* subject);

/// Centers of rotation: the vertices themselves, as fast as true ones, and there at once.
const pelt_vec3* deform_subject_cors(const deform_subject* subject);

#endif
