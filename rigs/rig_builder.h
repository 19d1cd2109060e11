// SPDX-License-Identifier: MIT
// Puts a rig together: joints, meshes with raw weights, clips. After the first failure every call
// does nothing, and rig_finish() reports it: a rig is written without error handling of its own.
#ifndef PELT_RIG_BUILDER_H
#define PELT_RIG_BUILDER_H

#include "pelt/pelt.h"

/// A mesh under construction. Arrays are zeroed, in the arena, and the caller fills them.
typedef struct rig_mesh
{
    uint32_t vertex_count, index_count;
    uint32_t stride; ///< influences per vertex
    pelt_vec3* positions;
    pelt_vec3* normals; ///< left at zero: computed from the triangles
                        ///< (vertices at one position share it, so that a UV seam does not show)
    pelt_vec2* uvs;
    uint32_t* indices;
    uint32_t* joints;     ///< stride per vertex; indices of rig_joint()
    float* weights;       ///< stride per vertex; 0 where unused; need not sum to one
    bool is_double_sided; ///< for display; set it where both sides of the surface show
} rig_mesh;

typedef struct rig_builder rig_builder;

/// @return NULL when out of memory, which every other call accepts
rig_builder* rig_begin(const char* name);

/// A joint whose axes are those of the model, at a position in the model.
/// @param parent  a joint, or PELT_NONE
/// @return index of the joint
uint32_t rig_joint(rig_builder* rig, const char* name, uint32_t parent, pelt_vec3 position);

/// Where rig_joint() put it.
pelt_vec3 rig_joint_position(const rig_builder* rig, uint32_t joint);

/// @return number of joints so far
uint32_t rig_joint_count(const rig_builder* rig);

/// @param color  linear RGB for display
/// @return NULL after a failure
rig_mesh* rig_mesh_add(rig_builder* rig, const char* name, uint32_t vertex_count,
                       uint32_t index_count, uint32_t stride, pelt_vec3 color);

/// Start a clip. Keys that follow belong to it.
void rig_clip(rig_builder* rig, const char* name, float duration);

/// One key of the current clip, in ascending time for each joint and property. LINEAR tracks.
void rig_key_rotation(rig_builder* rig, uint32_t joint, float time, pelt_quat rotation);

/// Displacement of the joint from its rest position, in its parent's axes.
void rig_key_offset(rig_builder* rig, uint32_t joint, float time, pelt_vec3 offset);

void rig_key_scale(rig_builder* rig, uint32_t joint, float time, pelt_vec3 scale);

/// Make the scene: one skin with all joints, weights imported, missing normals and the tangents
/// computed, everything validated. The builder is gone afterwards, whatever the result.
pelt_result rig_finish(rig_builder* rig, pelt_scene** out, pelt_error* error);

#endif
