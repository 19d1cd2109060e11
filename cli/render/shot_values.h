// SPDX-License-Identifier: MIT
// Numbers of vertices that a picture shows as colors.
#ifndef PELT_SHOT_VALUES_H
#define PELT_SHOT_VALUES_H

#include "pelt/pelt.h"

typedef struct shot_values
{
    uint32_t instance_count;
    float** arrays; ///< one per instance, a number for each of its vertices
} shot_values;

/// Room for all vertices of a scene; false when out of memory. {0} is allowed to be destroyed.
bool shot_values_create(shot_values* out, const pelt_scene* scene);
void shot_values_destroy(shot_values* in);

/// The weight of one joint, a node; 0 where a mesh is not bound to it.
void shot_values_weights(shot_values* inout, const pelt_scene* scene, uint32_t node);

/// How far each vertex is from the same in another frame, in parts of `scale` meters.
void shot_values_distances(shot_values* inout, const pelt_scene* scene, const pelt_frame* frame,
                           const pelt_frame* other, float scale);

/// The angle between the normals of two frames, in parts of `scale` degrees; NaN, which is gray,
/// for meshes without normals.
void shot_values_angles(shot_values* inout, const pelt_scene* scene, const pelt_frame* frame,
                        const pelt_frame* truth, float scale);

/// The part of each vertex's weight that a node and the joints below it have.
void shot_values_shares(shot_values* inout, const pelt_scene* scene, uint32_t node);

/// The largest distance between two frames of a scene, meters.
float shot_values_farthest(const pelt_scene* scene, const pelt_frame* frame,
                           const pelt_frame* other);

#endif
