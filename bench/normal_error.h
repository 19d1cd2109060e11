// SPDX-License-Identifier: MIT
// Angles between the normals of each rule and those of the deformed triangles.
#ifndef PELT_NORMAL_ERROR_H
#define PELT_NORMAL_ERROR_H

#include "pelt/prepare.h"

/// Angles in degrees over the vertices where weights vary.
typedef struct normal_error
{
    double sum, max;
    uint64_t count;
} normal_error;

/// Normals of the deformed triangles of an instance, which has normals: those of
/// pelt_normals_recompute(), flipped where joints mirror so that they point outwards. There, the
/// difference between authored normals and those of the triangles has the wrong sign: 0.04 degrees
/// on average on rig:arm.
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result normal_truth(pelt_vec3* out, const pelt_scene* scene, uint32_t instance,
                         const pelt_frame* frame);

/// Degrees.
double normal_angle(pelt_vec3 a, pelt_vec3 b);

/// Whether a vertex counts: where weights are constant, all rules are exact.
bool normal_error_counts(const pelt_normal_factors* factors, uint32_t vertex);

/// Add the angles of a mesh.
void normal_error_add(normal_error* inout, const pelt_normal_factors* factors,
                      const pelt_vec3* normals, const pelt_vec3* truth);

double normal_error_mean(const normal_error* in); ///< 0 if no vertex counts

/// A scene with the data that the rules need.
typedef struct normal_subject
{
    const pelt_scene* scene;
    pelt_frame frame; ///< with centers and factors
    pelt_pose pose;
    pelt_vec3* truth; ///< of all instances, one after the other
    pelt_arena* arena;
} normal_subject;

/// Solve centers and find factors of all skinned meshes.
pelt_result normal_subject_create(normal_subject* out, const pelt_scene* scene);
void normal_subject_destroy(normal_subject* subject);

/// Add the errors of a method in a pose, for each rule.
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_DATA when the pose leaves the range of float
pelt_result normal_subject_measure(normal_error errors[PELT_NORMAL_RULE_COUNT],
                                   normal_subject* subject, pelt_method method, pelt_error* error);

#endif
