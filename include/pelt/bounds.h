// SPDX-License-Identifier: MIT
// Bounding boxes of skinned meshes: from a palette to a box in microseconds, without deforming the
// mesh, and boxes that files store for engines. Link libpelt.
//
//     pelt_skin_bounds_create(&bounds, mesh);                                          // once
//     for each frame:
//         pelt_palette_build(&palette, skin, model_from_node);
//         box = pelt_skin_bounds_at(bounds, &palette, &options, pose.morph_weights);   // to cull
//
// Experimental, see pelt.h.
#ifndef PELT_BOUNDS_H
#define PELT_BOUNDS_H

#include "pelt.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Boxes of palettes
//
// Vertices are divided into some hundred regions with similar weights. A region moves with its
// strongest joint, which takes its extents in 26 directions along, and every other joint adds how
// far it moves vertices away from there. Methods that average rotations change these differences by
// a linear map that is known for the mean weights of the region, and nearly the same for the
// others. docs/bounds.md has the formulas.

typedef struct pelt_skin_bounds pelt_skin_bounds;

/// Prepare a mesh, in the time of a few frames.
/// @param out   free with pelt_skin_bounds_destroy(); NULL on failure. Holds no reference to mesh
/// @param mesh  skinned and valid, see pelt_scene_validate(); with cors for methods that need them,
///              and with the mix factors that PELT_METHOD_MIX uses, if any
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_skin_bounds_create(pelt_skin_bounds** out, const pelt_mesh* mesh);
PELT_API void pelt_skin_bounds_destroy(pelt_skin_bounds* bounds); ///< NULL is allowed

/// A box that contains every vertex as pelt_deform() moves it, in every pose. Along any axis it is
/// 0 to 7 % larger than the smallest box in the median pose of a character. Takes 5 to 60
/// microseconds for a character, however many vertices it has, and allocates nothing.
///
/// Methods that average rotations have no bound where quaternions may cancel: PELT_SIGN_FIRST,
/// PELT_SIGN_HIERARCHY and the variants of DQS without a sign rule, between joints that are more
/// than 180 degrees apart, SBS with scale, and the published LMS with scale. The box is then
/// infinite, so that nothing is culled. options->distance_correction is not taken into account.
/// @param palette        at least the joints of the mesh; with motions for all methods but LBS
/// @param options        method, sign rule and pivot of scale
/// @param morph_weights  mesh->morph_count; NULL: all 0
PELT_API pelt_bounds pelt_skin_bounds_at(const pelt_skin_bounds* bounds,
                                         const pelt_palette* palette,
                                         const pelt_deform_options* options,
                                         const float* morph_weights);

// =============================================================================================
// Boxes in files
//
// What engines need to cull a character correctly: a box for each clip, and a box for each joint,
// whose union contains the mesh in any pose. pelt_save_enhanced() writes them as extras.

/// The box of a mesh while a clip plays.
typedef struct pelt_clip_box
{
    const char* clip; ///< name
    pelt_bounds box;  ///< in the space of the scene
} pelt_clip_box;

/// Boxes of a skinned mesh.
struct pelt_mesh_bounds
{
    pelt_method method;         ///< that deforms it
    pelt_bounds box;            ///< of the stored pose and all clips, in the space of the scene
    uint32_t clip_count;        ///< of the scene when they were computed
    uint32_t joint_count;       ///< of the skin
    const pelt_clip_box* clips; ///< clip_count
    const pelt_bounds* joints;  ///< joint_count, in joint space; empty: it moves no vertex
};

typedef struct pelt_scene_bounds_report
{
    uint32_t mesh_count;  ///< meshes that got boxes: the skinned ones
    uint32_t frame_count; ///< at which the surface was measured
    float margin;         ///< meters by which boxes of joints were enlarged, as the method leaves
                          ///< those of LBS; that of the worst mesh
} pelt_scene_bounds_report;

/// Compute the boxes of all skinned meshes for one method.
///
/// The box of a clip contains the surface at all times: it is measured at all keys and at least 60
/// times per second (at most 4096 times per clip), and enlarged by how far vertices leave the
/// straight line in between.
///
/// The box of a joint contains all vertices that the joint influences, with morph targets from
/// weight 0 to 1 or as far as clips go. With LBS every vertex is a mean of points of such boxes, so
/// that the union of the transformed boxes contains it in any pose. With CRS boxes also contain the
/// ball about the center of rotation that the vertex is on, and the same holds as long as joints do
/// not stretch or shear. Other methods may leave the union: it is measured in all frames of all
/// clips and of pelt_motion_range_build(), and the boxes are enlarged by 1.25 times the largest
/// distance.
///
/// If several instances show a mesh, boxes contain all of them.
PELT_API pelt_result pelt_scene_add_bounds(pelt_scene* inout, const pelt_deform_options* options,
                                           pelt_scene_bounds_report* report, pelt_arena* arena,
                                           pelt_error* error);

/// The union of the transformed boxes of joints: what an engine computes from them.
/// @param skin             of an instance of the mesh
/// @param model_from_node  of its pose, see pelt_pose_to_model()
PELT_API pelt_bounds pelt_mesh_bounds_at(const pelt_mesh_bounds* bounds, const pelt_skin* skin,
                                         const pelt_mat34* model_from_node);

#ifdef __cplusplus
}
#endif

#endif
