// SPDX-License-Identifier: MIT
// What pelt enhance has in hand between reading and writing.
#ifndef PELT_ENHANCE_H
#define PELT_ENHANCE_H

#include "cor_request.h"
#include "factor_request.h"
#include "packed_scene.h"
#include "twist_request.h"

/// Enhancements come one after the other, each working on the scene that the one before has left:
/// twist joints change weights, centers of rotation follow from weights, and factors for normals
/// from both.
typedef struct enhancement
{
    const args* arguments;
    const char* input;
    pelt_source file; ///< the input; {0}: a rig
    const char* path;
    bool is_gltf; ///< the input
    bool has_cor; ///< asked for
    pelt_cor_options cor;
    factors_request normals;
    pelt_scene* scene;
    twists twists;
    centers centers;
    factors factors;
    packed_scene written; ///< when the scene is written anew, else {0}
} enhancement;

/// Additions go into the user's own file. A changed skeleton is more than that, and any other input
/// is no file to add to: then the scene is written anew.
bool enhance_is_addition(const enhancement* in);

/// Write the file. @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int enhance_save(const enhancement* in);

#endif
