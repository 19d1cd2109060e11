// SPDX-License-Identifier: MIT
// Helper joints: the look of a better method in every engine that has linear blending.
#ifndef PELT_HELPERS_H
#define PELT_HELPERS_H

#include "prepare.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Helper joints
//
// Additional joints between two joints that share vertices, see pelt_helper, and weights on them,
// so that LBS comes close to another method: crs, dqs, mix or any other. The result is an ordinary
// skinned character. Helpers follow from the joints of the rig, so they also fit motions that are
// not known when they are made.
//
// The fit is by least squares at the poses of the clips and at bends and twists of all joints, see
// pelt_motion_range_build(). Helpers are added a few at a time to the pairs of joints that carry
// the largest error. For each vertex, weights on its joints and on the helpers of its pairs are
// found that are not negative, sum to one and are few. Then factors and centers of the helpers are
// improved by Gauss-Newton steps, in turn with the weights, until the error stops falling. Every
// other pose is held out: it has no part in the fit, and tells what error to expect for new
// motions.
//
// Sources: weights of free bones by least squares are those of Le and Deng, "Smooth Skinning
// Decomposition with Rigid Bones", 2012. Helpers whose motion is a function of two joints of the
// rig are as in Mohr and Gleicher, "Building Efficient, Accurate Character Skins from Examples",
// 2003, here with a center of rotation.

typedef struct pelt_helpers_options
{
    uint32_t count;          ///< helpers to add; 0: as many as max_error takes, or 16 without it
    float max_error;         ///< stop as soon as no vertex is farther from the target in any pose,
                             ///< in meters; 0: no such limit
    uint32_t max_joints;     ///< of each skin, helpers included; 0: PELT_MAX_JOINTS
    uint32_t max_influences; ///< of each vertex whose weights change; 0: 4, at most 16
    uint32_t max_poses;      ///< at which errors are measured, half of them for the fit; 0: 200,
                             ///< fewer where vertices in all poses would be more than 2^23
    pelt_deform_options target; ///< the method to come close to, with its options
    bool is_rule_only; ///< add no tracks to clips: only programs that know the rule move helpers

    /// Called with the part that is done, from 0 to 1; return false to cancel. May be NULL.
    bool (*progress)(float part, void* user);
    void* user; ///< handed to progress
} pelt_helpers_options;

/// Distances of vertices from where the target method has them, in meters.
typedef struct pelt_helpers_error
{
    uint32_t pose_count;
    float max, p99, rms;             ///< with helpers
    float lbs_max, lbs_p99, lbs_rms; ///< by LBS without them
} pelt_helpers_error;

/// Errors in one clip.
typedef struct pelt_helpers_clip
{
    uint32_t clip; ///< of the scene; PELT_NONE: bends and twists of all joints
    pelt_helpers_error training, held_out;
} pelt_helpers_clip;

/// The error with a number of helpers, all poses together.
typedef struct pelt_helpers_step
{
    uint32_t count;
    float rms, held_out_rms; ///< over a sample of the vertices
} pelt_helpers_step;

/// A helper as it was added.
typedef struct pelt_helpers_item
{
    uint32_t helper;       ///< of the new scene
    uint32_t vertex_count; ///< with weight on it
} pelt_helpers_item;

typedef struct pelt_helpers_report
{
    uint32_t count;         ///< helpers added
    uint32_t pair_count;    ///< pairs of joints that have some
    uint32_t all_pairs;     ///< pairs of joints that share vertices
    uint32_t track_count;   ///< tracks added to clips
    uint32_t changed_count; ///< vertices whose weights changed
    uint32_t kept_count;    ///< skinned vertices that keep their weights to the bit
    uint32_t shared_count;  ///< meshes with several skins, whose weights stay as they are
    uint32_t cors_count;    ///< meshes whose centers of rotation were dropped: weights changed
    uint32_t factors_count; ///< meshes whose normal factors were dropped, for the same reason
    uint32_t mix_count;     ///< meshes whose computed mix factors were
    bool is_reached;        ///< no vertex is farther than options->max_error in any pose
    pelt_helpers_error training, held_out; ///< all clips, and bends and twists, together
    uint32_t clip_count, step_count, item_count;
    const pelt_helpers_clip* clips; ///< bends and twists last
    const pelt_helpers_step* steps; ///< by ascending count, from 0
    const pelt_helpers_item* items; ///< one per helper
} pelt_helpers_report;

/// Make a copy of a scene with helper joints.
///
/// New nodes come after the old ones, as children of the first joint of their pair, and are named
/// after the second, with "_helper1" ... appended; new joints come after the old ones in each skin
/// whose vertices use them. The rule of each is in the list `helpers` of the new scene, which
/// pelt_pose_to_model() follows. Clips get tracks for programs that do not know the rule, with
/// as many keys as keep them within 0.05 degrees and 2e-5 of the character's size of it.
///
/// Old nodes, joints and tracks do not change. In the bind pose all helpers coincide with their
/// parents, so it does not change either. Vertices keep their weights to the bit where helpers
/// improve them by less than 2 %. Vertices with equal positions and weights get equal weights.
/// Morph targets pass through; the fit ignores them. Runs in parallel, with the same bits for any
/// number of threads.
///
/// @param out      a valid scene of its own; free with pelt_scene_destroy()
/// @param options  NULL: all defaults, but LBS as target gains nothing
/// @param report   may be NULL; its lists are in the arena
/// @param arena    owns the lists of the report; may be NULL if report is
/// @param error    may be NULL
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_CANCELED, PELT_ERROR_ARGUMENT for an option out
///         of range or for a scene that has helpers already, or an error of pelt_scene_add_cors().
///         Where no vertex follows several joints, the scene is copied without helpers
PELT_API pelt_result pelt_helpers_add(pelt_scene** out, const pelt_scene* scene,
                                      const pelt_helpers_options* options,
                                      pelt_helpers_report* report, pelt_arena* arena,
                                      pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
