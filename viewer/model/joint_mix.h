// SPDX-License-Identifier: MIT
// Factors between LBS and DQS for single joints and vertices. A vertex uses its painted factor,
// otherwise the mean of the factors of its joints by weight, if any joint has one, otherwise the
// factor of the file or the common one.
#ifndef PELT_JOINT_MIX_H
#define PELT_JOINT_MIX_H

#include "pelt/pelt.h"

typedef struct joint_mix
{
    float* factors; ///< one per node; below 0: the factor of all
    uint32_t node_count;
    float** vertices; ///< factors of the vertices of each mesh; NULL: it is not skinned
    float** painted;  ///< those that were painted; below 0: none
    uint32_t mesh_count;
    uint32_t set_count;     ///< nodes with a factor of their own
    uint32_t painted_count; ///< vertices
    uint32_t revision;      ///< another number after each change
    uint32_t filled;        ///< revision, and factor of all, that `vertices` are of
    float filled_mix;
    bool filled_own;
} joint_mix;

/// @return false: no memory
bool joint_mix_create(joint_mix* out, const pelt_scene* scene);
void joint_mix_destroy(joint_mix* in);

/// @param factor  0 is LBS, 1 is DQS; below 0: that of all again
void joint_mix_set(joint_mix* inout, uint32_t node, float factor);

/// Paint a vertex.
/// @param factor  below 0: remove its paint
void joint_mix_paint(joint_mix* inout, uint32_t mesh, uint32_t vertex, float factor);

/// Whether there are factors besides the common one and those of the file.
bool joint_mix_has_any(const joint_mix* in);

/// Bring the factors of vertices up to date.
/// @param mix      of joints without one of their own
/// @param has_own  factors of the file represent it where it has some
void joint_mix_fill(joint_mix* inout, const pelt_scene* scene, float mix, bool has_own);

#endif
