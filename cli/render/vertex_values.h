// SPDX-License-Identifier: MIT
// Numbers of vertices that a picture shows as colors.
#ifndef PELT_VERTEX_VALUES_H
#define PELT_VERTEX_VALUES_H

#include "pelt/pelt.h"

typedef struct vertex_values
{
    uint32_t instance_count;
    float** arrays; ///< one per instance, a number for each of its vertices
} vertex_values;

/// Room for all vertices of a scene; false when out of memory. {0} is allowed to be destroyed.
bool vertex_values_create(vertex_values* out, const pelt_scene* scene);
void vertex_values_destroy(vertex_values* in);

/// The weight of one joint, a node; 0 where a mesh is not bound to it.
void vertex_values_weights(vertex_values* inout, const pelt_scene* scene, uint32_t node);

/// How far each vertex is from the same in another frame, in parts of `scale` meters.
void vertex_values_distances(vertex_values* inout, const pelt_scene* scene, const pelt_frame* frame,
                             const pelt_frame* other, float scale);

/// The angle between the normals of two frames, in parts of `scale` degrees; NaN, which is gray,
/// for meshes without normals.
void vertex_values_angles(vertex_values* inout, const pelt_scene* scene, const pelt_frame* frame,
                          const pelt_frame* truth, float scale);

/// The part of each vertex's weight that a node and the joints below it have.
void vertex_values_shares(vertex_values* inout, const pelt_scene* scene, uint32_t node);

/// The largest distance between two frames of a scene, meters.
float vertex_values_farthest(const pelt_scene* scene, const pelt_frame* frame,
                             const pelt_frame* other);

#endif
