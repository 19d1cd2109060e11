// SPDX-License-Identifier: MIT
// A mesh that a skinner owns, from the arrays of its description.
#ifndef PELTI_SKINNER_SOURCE_H
#define PELTI_SKINNER_SOURCE_H

#include "../../include/pelt/prepare.h"
#include "../../include/pelt/skinner.h"

typedef struct pelti_skinner_source
{
    pelt_arena* arena;   ///< owns all arrays
    pelt_mesh mesh;      ///< with weights, cors and mix_factors
    pelt_scene skeleton; ///< one node and joint for each joint; node_count 0: not given
    pelt_skin skin;      ///< the one of the skeleton, with node j or later for joint j
    pelt_instance instance;
    pelt_bones bones;
} pelti_skinner_source;

/// Check a description and copy it into source->arena. The skeleton refers to members of *out,
/// which must stay where it is.
pelt_result pelti_skinner_source_read(pelti_skinner_source* out, const pelt_skinner_desc* desc,
                                      pelt_error* error);

#endif
