// SPDX-License-Identifier: MIT
// Poses and palettes: from a clip and a time to the motion of every joint. The second chapter of
// the manual, see pelt.h.
#ifndef PELT_POSE_H
#define PELT_POSE_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Pose
//
// Where every node of a scene is, relative to its parent. The buffers are the caller's, or come
// from pelt_pose_create(). Nothing here allocates after that.

typedef struct pelt_pose
{
    uint32_t node_count;
    uint32_t morph_weight_count;
    pelt_transform* locals;
    float* morph_weights;
} pelt_pose;

/// Allocate a pose and set it to the stored pose of the scene.
PELT_API pelt_result pelt_pose_create(pelt_pose* out, const pelt_scene* scene);
PELT_API void pelt_pose_destroy(pelt_pose* pose);

/// The stored pose of the scene.
PELT_API void pelt_pose_rest(pelt_pose* out, const pelt_scene* scene);

typedef enum pelt_wrap
{
    PELT_WRAP_CLAMP = 0, ///< hold the first and the last frame
    PELT_WRAP_LOOP,      ///< time modulo duration
    PELT_WRAP_COUNT
} pelt_wrap;

PELT_API const char* pelt_wrap_name(pelt_wrap wrap); ///< "clamp", "loop"

/// Sample a clip. Nodes and morph targets without a track keep the stored pose. Rotations have the
/// sign with which the first key of their track is nearest to the stored pose.
/// @param time  seconds; any finite number
PELT_API void pelt_pose_sample(pelt_pose* out, const pelt_scene* scene, const pelt_clip* clip,
                               float time, pelt_wrap wrap);

/// Where in its tracks a clip was sampled last. Each character that plays a clip has its own.
typedef struct pelt_cursor
{
    uint32_t track_count; ///< number of tracks that it can hold
    uint32_t* keys;       ///< track_count: the key at or before the last time
    uint64_t step_count;  ///< keys that were compared so far, as a measure of the search
} pelt_cursor;

/// Allocate for the clips that a scene has now; the cursor is at their first keys.
PELT_API pelt_result pelt_cursor_create(pelt_cursor* out, const pelt_scene* scene);
PELT_API void pelt_cursor_destroy(pelt_cursor* cursor); ///< {0} is allowed

/// pelt_pose_sample() to the bit, without its search in every track: the search starts at the key
/// that was found last, and takes at most three steps while time advances steadily. Jumps in time
/// and other clips are allowed, and take about as long as pelt_pose_sample(). Tracks beyond
/// cursor->track_count are searched.
/// @param cursor  is updated; NULL or {0}: all tracks are searched
PELT_API void pelt_pose_play(pelt_pose* out, pelt_cursor* cursor, const pelt_scene* scene,
                             const pelt_clip* clip, float time, pelt_wrap wrap);

/// A clip prepared for playing on one character: pelt_pose_play() in about a fifth of its time.
///
///     pelt_player_create(&player, scene, &scene->clips[0]);
///     for each frame: pelt_player_sample(&pose, player, time, PELT_WRAP_LOOP);
///
/// Linear rotations are stored as arcs between keys, 36 bytes each, and evaluated by polynomials
/// four at a time; tracks with the same key times share one search; tracks that do not move cost
/// nothing. STEP and CUBIC tracks and morph weights are sampled as by pelt_pose_play().
typedef struct pelt_player pelt_player;

/// @param scene  outlives the player, with its clip
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_player_create(pelt_player** out, const pelt_scene* scene,
                                        const pelt_clip* clip);

/// A player for another character with the same clip, with a time of its own.
/// @param prepared  outlives it; no other thread may sample it during the call
PELT_API pelt_result pelt_player_share(pelt_player** out, const pelt_player* prepared);
PELT_API void pelt_player_destroy(pelt_player* player); ///< NULL is allowed

/// Sample the clip, as pelt_pose_sample() does. Rotations are within 3e-7 of exact spherical
/// interpolation in each component, and unit to 4e-7. Fastest while time advances steadily; jumps
/// are allowed. Players may be used in different threads, one player in one at a time.
/// @param time  seconds; any finite number
PELT_API void pelt_player_sample(pelt_pose* out, pelt_player* player, float time, pelt_wrap wrap);

/// Interpolate from a (factor 0) to b (factor 1) in local space, so that limbs keep their length.
/// @param out  may equal a or b
PELT_API void pelt_pose_blend(pelt_pose* out, const pelt_pose* a, const pelt_pose* b, float factor);

typedef enum pelt_space
{
    PELT_SPACE_JOINT = 0, ///< the joint's own axes before the change, in the units of its parent
    PELT_SPACE_MODEL,     ///< the axes of the model
} pelt_space;

/// A change to one joint on top of a pose, for experiments.
typedef struct pelt_override
{
    uint32_t node;
    pelt_space space;
    pelt_vec3 axis;      ///< of the rotation
    float angle;         ///< radians
    pelt_vec3 translate; ///< added, along the axes of `space`
    pelt_vec3 scale;     ///< factors along the joint's own axes; all 0 means 1
} pelt_override;

/// Apply overrides one after the other.
PELT_API void pelt_pose_override(pelt_pose* pose, const pelt_scene* scene,
                                 const pelt_override* overrides, uint32_t count);

/// The transform of a helper joint relative to its parent, from the motion D of the source relative
/// to the parent since the bind pose:
///
///     D = inverse(model_from_parent) * model_from_source * source_from_parent
///     rotation = normalize((1 - x) * identity + x * q),  q the rotation of D, with q.w >= 0
///     translation = (1 - x) * c + x * D(c)
///     scale = (1 - x) + x * s,  s the diagonal of the stretch of D
///
/// with factor x and center c. Where the parent has no inverse, or D mirrors, the helper moves as
/// the parent.
PELT_API pelt_transform pelt_helper_evaluate(const pelt_helper* helper,
                                             const pelt_mat34* model_from_parent,
                                             const pelt_mat34* model_from_source);

/// From local frames to the model, parents first, without recursion. Helper joints follow their
/// rule, whatever their local frames are.
/// @param model_from_node  scene->node_count matrices
PELT_API void pelt_pose_to_model(pelt_mat34* model_from_node, const pelt_scene* scene,
                                 const pelt_pose* pose);

/// Model-space rotations: products of the local ones, which keep their signs, as
/// pelt_palette_unwrap() needs them. Scale is ignored; a mirrored node contributes the rotation of
/// its polar decomposition.
/// @param rotations  scene->node_count
PELT_API void pelt_pose_to_rotations(pelt_quat* rotations, const pelt_scene* scene,
                                     const pelt_pose* pose);

// =============================================================================================
// Palette
//
// The motion of every joint of a skin from the bind pose to the current pose, in the forms the
// methods need. matrix = motion * stretch: the motion is rigid, the stretch symmetric.

typedef struct pelt_palette
{
    uint32_t joint_count;
    bool is_rigid; ///< every stretch is the identity (to 2e-6): no scale, shear or mirror
    bool has_mixed_handedness; ///< some joints mirror and others do not; see
                               ///< pelt_weights_count_mixed_handedness()
    pelt_mat34* matrices;      ///< joint_count
    pelt_dquat* motions;  ///< joint_count, unit; real.w >= 0 until they are aligned or unwrapped
    pelt_mat3* stretches; ///< joint_count, negative definite for a joint that mirrors; NULL, as
                          ///< `motions` then is: not computed, for LBS needs the matrices alone
} pelt_palette;

/// Allocate a palette; every joint is at the identity, which is the bind pose.
PELT_API pelt_result pelt_palette_create(pelt_palette* out, uint32_t joint_count);
PELT_API void pelt_palette_destroy(pelt_palette* palette);

/// Fill a palette of skin->joint_count joints.
PELT_API void pelt_palette_build(pelt_palette* out, const pelt_skin* skin,
                                 const pelt_mat34* model_from_node);

/// Fill a palette with the matrices of another program and decompose them.
/// @param matrices  palette->joint_count, from the bind pose to the current pose: the world matrix
///                  of the joint times its inverse bind matrix
PELT_API void pelt_palette_set(pelt_palette* palette, const float* matrices,
                               pelt_matrix_layout layout);

/// Decompose the matrices into motions and stretches, for programs that write `matrices`
/// themselves. Needed after each change of them: see pelt_deform_validate().
/// Rotations and stretches are those of pelt_mat3_polar() to within 3e-7, relative to the size of
/// the stretch. A palette without motions and stretches stays as it is, and counts as neither rigid
/// nor of mixed handedness.
PELT_API void pelt_palette_decompose(pelt_palette* palette);

/// Count the vertices with influences of both mirrored and unmirrored joints. There is no rotation
/// between the two, so every method deforms such a vertex as LBS does. A joint that flattens space
/// has no handedness and is compatible with either.
PELT_API uint32_t pelt_weights_count_mixed_handedness(const pelt_weights* weights,
                                                      const pelt_palette* palette);

/// A joint of a skin, its parent joint and its node.
typedef struct pelt_joint_parent
{
    pelt_joint_index joint;
    pelt_joint_index parent; ///< the nearest joint of the skin above it, or PELT_NO_JOINT
    uint32_t node;           ///< of the joint
    pelt_quat bind; ///< its rotation in the bind pose; see pelt_palette_unwrap() for the sign
} pelt_joint_parent;

/// List the joints of a skin, parents before children. Call it once per skin, not per frame.
/// @param out  skin->joint_count
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_joint_parents_find(pelt_joint_parent* out, const pelt_skin* skin,
                                             const pelt_scene* scene);

/// Give the quaternion of each joint the sign that is nearest to its parent joint, as
/// PELT_DQS_OPTIMIZED requires.
/// @param parents  of its skin
PELT_API void pelt_palette_align(pelt_palette* palette, const pelt_joint_parent* parents);

/// Unwrap the signs of the quaternions along the hierarchy, as PELT_SIGN_HIERARCHY requires: the
/// sign then tells how far a joint has rotated, beyond 180 degrees. Four joints in a chain that
/// rotate by 60 degrees each are 240 degrees apart, not -120, and a joint that rotates by 270
/// degrees stays at 270.
///
/// The sign of a joint is that of its parent joint times that of its local rotation since the bind
/// pose, including all nodes between the two joints. Where the stored pose is not the bind pose,
/// each joint is assumed to have rotated along the shorter arc between the two. Only the sign comes
/// from these products. Uniform scale and mirrors do not affect it; with shear it is right as long
/// as shear rotates a joint by less than 180 degrees.
///
/// @param skin       that the palette was built for
/// @param parents    of that skin
/// @param rotations  see pelt_pose_to_rotations()
PELT_API void pelt_palette_unwrap(pelt_palette* palette, const pelt_skin* skin,
                                  const pelt_joint_parent* parents, const pelt_quat* rotations);

#ifdef __cplusplus
}
#endif

#endif
