// SPDX-License-Identifier: MIT
// Centres of rotation for every skinned mesh of a frame: the mesh's own, or computed.
#ifndef PELT_CENTRES_H
#define PELT_CENTRES_H

#include "pelt/pelt.h"

typedef struct centres
{
    uint32_t mesh_count;
    pelt_vec3** computed; ///< one per mesh; NULL where the mesh's own are used
    double seconds;       ///< spent on computing
} centres;

typedef enum centres_source
{
    CENTRES_AUTO = 0, ///< the mesh's own, computed where it has none
    CENTRES_FULL,     ///< computed for every mesh
} centres_source;

/// Give frame->cors an entry for every skinned mesh. The frame refers to *out until it is
/// destroyed.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int centres_create(centres* out, pelt_frame* frame, const pelt_scene* scene, centres_source source,
                   float sigma);

void centres_destroy(centres* in);

#endif
