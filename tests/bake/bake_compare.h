// SPDX-License-Identifier: MIT
// How far a bake is from its source, by linear blending in double precision: a second measurement
// independent of src/bake/bake_measure.c.
#ifndef PELT_BAKE_COMPARE_H
#define PELT_BAKE_COMPARE_H

#include "pelt/bake.h"
#include "test.h"

/// Bake and validate. Prints the message of an error.
/// @return NULL after an error
pelt_baked* bake_valid(const pelt_scene* scene, const pelt_bake_options* options);

typedef struct bake_difference
{
    double max, squares; ///< meters, and the sum of their squares
    uint32_t instance, vertex;
    double normal_max, normal_sum; ///< degrees
    uint64_t count, normal_count;
} bake_difference;

/// Buffers for one scene and bake.
typedef struct bake_comparison
{
    const pelt_scene* scene;
    const pelt_baked* baked;
    pelt_pose pose;
    pelt_mat34* model_from_node;
    pelt_mat34* motions;  ///< of the joints of the bake
    double* joint_errors; ///< of the bake: largest at vertices that it influences most
    double* distances;    ///< one per vertex, instance after instance, of the last comparison
} bake_comparison;

bool bake_comparison_create(bake_comparison* out, const pelt_scene* scene, const pelt_baked* baked);
void bake_comparison_destroy(bake_comparison* c);

/// Compare at one time, and add what is found.
/// @param scene_clip  that was baked as `clip`
void bake_compare_at(bake_difference* inout, bake_comparison* c, uint32_t scene_clip, uint32_t clip,
                     float time);

/// Largest distance at random times of a clip.
double bake_compare_random(bake_comparison* c, uint32_t scene_clip, uint32_t clip, uint32_t count,
                           test_random* random);

/// Largest distance at the keys of a clip.
double bake_compare_keys(bake_comparison* c, uint32_t scene_clip, uint32_t clip);

#endif
