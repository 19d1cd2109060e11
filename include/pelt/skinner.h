// SPDX-License-Identifier: MIT
// Skinners: one skinned mesh behind a flat interface, for engines that have their own arrays and
// for other languages. A skinner copies what it is given, checks everything that it reads, and
// answers with a pelt_result and a sentence; it does not abort on wrong input.
//
//     pelt_skinner_desc desc = {
//         .vertex_count = 4096, .joint_count = 60,
//         .positions = &vertices[0].position, .position_stride = sizeof *vertices,
//         .joints_u8 = vertices[0].joints, .joint_stride = sizeof *vertices,
//         .weights_unorm8 = vertices[0].weights, .weight_stride = sizeof *vertices,
//         .indices_u16 = indices, .index_count = index_count};
//     pelt_skinner* skinner;
//     pelt_skinner_create(&skinner, &desc, &error);
//     pelt_skinner_prepare(skinner, PELT_SKINNER_CENTERS, &error);
//     for each frame:
//         pelt_skinner_output out = {.positions = mapped, .position_stride = 12};
//         pelt_deform_options options = {.method = PELT_METHOD_CRS};
//         pelt_skinner_deform(skinner, &out, matrices, PELT_MATRIX_COLUMNS_4X4, &options, &error);
//
// Nothing here reads files or starts threads. Deformation runs through the `run` hook of base.h,
// which is a plain loop unless it is set, and gives the same bits for any number of threads.
//
// Experimental, see pelt.h.
#ifndef PELT_SKINNER_H
#define PELT_SKINNER_H

#include "deform.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A mesh in the bind pose. Arrays may lie in a vertex buffer: strides are bytes from one vertex to
/// the next, multiples of 4; 0: packed. Nothing is referred to after pelt_skinner_create().
typedef struct pelt_skinner_desc
{
    uint32_t vertex_count;
    uint32_t joint_count; ///< up to PELT_MAX_JOINTS

    const float* positions; ///< 3 floats per vertex
    const float* normals;   ///< 3 floats, or NULL; need not be of unit length
    const float* tangents;  ///< 4 floats, or NULL: x y z and the sign of the bitangent
    uint32_t position_stride, normal_stride, tangent_stride;

    /// Triangles, three indices each; set one array or none. Needed for pelt_skinner_prepare().
    uint32_t index_count;
    const uint16_t* indices_u16;
    const uint32_t* indices_u32;

    /// Influences: one array of joints and one of weights, with the same number for every vertex,
    /// or of any number with `first`. Weights are normalized; influences of weight 0 do not count.
    uint32_t influences_per_vertex; ///< 0: 4
    const uint32_t* first;          ///< vertex_count + 1 offsets into packed lists, or NULL
    const uint8_t* joints_u8;
    const uint16_t* joints_u16;
    const uint32_t* joints_u32;
    const float* weights;
    const uint8_t* weights_unorm8;        ///< 255 is 1
    const uint16_t* weights_unorm16;      ///< 65535 is 1
    uint32_t joint_stride, weight_stride; ///< ignored where `first` is set
    uint32_t max_influences;              ///< keep only the strongest; 0: all

    /// What was computed before, packed, or NULL: see pelt_skinner_prepare().
    const float* centers;     ///< 3 floats per vertex
    const float* mix_factors; ///< 1 float per vertex, from 0 for LBS to 1 for DQS

    /// The skeleton in the bind pose, or NULL: for mix factors and distance_correction.
    const float* joint_positions;  ///< 3 floats per joint, packed
    const uint32_t* joint_parents; ///< joint_count, in any order, PELT_NONE for a root
} pelt_skinner_desc;

typedef struct pelt_skinner pelt_skinner;

/// Copy and check a mesh.
/// @param out  free with pelt_skinner_destroy(); NULL after a failure
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_ARGUMENT with a message that names the field,
///         the vertex and the value
PELT_API pelt_result pelt_skinner_create(pelt_skinner** out, const pelt_skinner_desc* desc,
                                         pelt_error* error);
PELT_API void pelt_skinner_destroy(pelt_skinner* skinner); ///< NULL is allowed

/// What can be computed, as bits. All need triangles.
enum
{
    PELT_SKINNER_NORMALS = 1u,        ///< of the triangles, if there are none
    PELT_SKINNER_CENTERS = 2u,        ///< for PELT_METHOD_CRS, see pelt_cor_solve()
    PELT_SKINNER_NORMAL_FACTORS = 4u, ///< for PELT_NORMAL_ACCURATE; need normals
    PELT_SKINNER_MIX_FACTORS = 8u,    ///< for PELT_METHOD_MIX, over the motion range of the
                                      ///< skeleton: see pelt_scene_add_mix_factors()
    PELT_SKINNER_SMOOTHING = 16u,     ///< for PELT_METHOD_DDM, see pelt_ddm_solve()
};

/// Compute what methods need, once, in the order of the bits. What is there already is computed
/// again, except normals. New centers drop normal factors unless these are asked for as well.
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_ARGUMENT for something that is missing; the
///         skinner then has what was computed before the failure
PELT_API pelt_result pelt_skinner_prepare(pelt_skinner* skinner, unsigned what, pelt_error* error);

/// Where results go; arrays that are NULL are not computed. They may lie in a vertex buffer, and
/// may be the arrays of the description, which were copied.
typedef struct pelt_skinner_output
{
    float* positions;                                        ///< 3 floats per vertex
    float* normals;                                          ///< 3 floats
    float* tangents;                                         ///< 4 floats
    uint32_t position_stride, normal_stride, tangent_stride; ///< bytes, multiples of 4; 0: packed
} pelt_skinner_output;

/// Deform the mesh. A skinner deforms one pose at a time: threads need a skinner each, or
/// pelt_skinner_deform_poses(). Allocates nothing after the first call.
/// @param matrices  joint_count, each from the bind pose to the current pose: the world matrix of
///                  the joint times its inverse bind matrix
/// @param options   NULL: linear blend
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_ARGUMENT for options or outputs that need
///         something that the skinner does not have, or PELT_ERROR_DATA for a matrix that is not
///         finite; nothing was written then
PELT_API pelt_result pelt_skinner_deform(pelt_skinner* skinner, const pelt_skinner_output* out,
                                         const float* matrices, pelt_matrix_layout layout,
                                         const pelt_deform_options* options, pelt_error* error);

/// The same for many poses, in parallel through the `run` hook: pose p of an output is
/// vertex_count * stride * p bytes after the first.
/// @param matrices  pose_count * joint_count
PELT_API pelt_result pelt_skinner_deform_poses(pelt_skinner* skinner,
                                               const pelt_skinner_output* out,
                                               const float* matrices, pelt_matrix_layout layout,
                                               uint32_t pose_count,
                                               const pelt_deform_options* options,
                                               pelt_error* error);

PELT_API uint32_t pelt_skinner_vertex_count(const pelt_skinner* skinner);
PELT_API uint32_t pelt_skinner_joint_count(const pelt_skinner* skinner);

/// What the skinner has; it owns the arrays, which the next pelt_skinner_prepare() may replace.
/// @return NULL: there is none
PELT_API const float* pelt_skinner_normals(const pelt_skinner* skinner);     ///< 3 per vertex
PELT_API const float* pelt_skinner_centers(const pelt_skinner* skinner);     ///< 3 per vertex
PELT_API const float* pelt_skinner_mix_factors(const pelt_skinner* skinner); ///< 1 per vertex
PELT_API const pelt_normal_factors* pelt_skinner_normal_factors(const pelt_skinner* skinner);

/// The influences, sorted and normalized.
PELT_API const pelt_weights* pelt_skinner_weights(const pelt_skinner* skinner);

#ifdef __cplusplus
}
#endif

#endif
