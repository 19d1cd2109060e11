// SPDX-License-Identifier: MIT
// Skinning methods, morph targets and frames: from a palette to the deformed surface. The third
// chapter of the manual, see pelt.h.
#ifndef PELT_DEFORM_H
#define PELT_DEFORM_H

#include "color.h"
#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Deform
//
// Seven methods, those of pelt_method, with one signature. Each computes the affine map of a vertex
// from the motions of its joints; position, normal and tangent follow from it. These functions are
// the reference: plain, sequential, in float.

/// "lbs", "dqs" ...
PELT_API const char* pelt_method_name(pelt_method method);

/// @return PELT_METHOD_COUNT when there is none of that name
PELT_API pelt_method pelt_method_find(const char* name);

/// What a method needs and supports. Programs that offer methods read this instead of comparing
/// with particular ones, so that a new method needs a new row of the table in src/deform/deform.c
/// and nothing else.
typedef struct pelt_method_traits
{
    const char* name;     ///< "lbs": for options and files
    const char* label;    ///< "LBS": for buttons, legends and columns
    const char* title;    ///< "linear blend": for text
    pelt_color color;     ///< in plots, pictures and the viewer; see pelt_series_color()
    bool needs_motions;   ///< motions and stretches in the palette; see pelt_palette_decompose()
    bool needs_centers;   ///< pelt_deform_input.cors
    bool needs_smoothing; ///< pelt_weights.ddm; without it the method is LBS
    bool has_mix_factor;  ///< options->mix, or pelt_deform_input.mix_factors
    bool has_dqs_variant; ///< options->dqs_variant
    bool has_lms_variant; ///< options->lms_variant
    bool has_derivatives; ///< all of pelt_normal_rule; false: PELT_NORMAL_STANDARD only
    bool has_kernels;     ///< in deformers, which otherwise fall back to the reference
    /// Floats of a rigid joint in PELT_GPU_LAYOUT_OWN: 12 of a matrix, 4 of a rotation, 8 of a dual
    /// quaternion, or a sum of these. 0: the method has no shaders.
    uint32_t gpu_joint_floats;
    uint32_t shader_parts; ///< bits 1 << method of the methods whose shader functions it calls
} pelt_method_traits;

PELT_API const pelt_method_traits* pelt_method_info(pelt_method method);

/// Which of q and -q enters a blend of quaternions.
typedef enum pelt_sign_rule
{
    PELT_SIGN_HEAVIEST = 0, ///< nearest to the strongest influence; never depends on their order
    PELT_SIGN_RUNNING,      ///< nearest to the sum so far, in the source's order (Blender)
    PELT_SIGN_FIRST,        ///< nearest to the source's first influence (OGRE)
    PELT_SIGN_HIERARCHY,    ///< as in the palette, see pelt_palette_unwrap(): twists beyond 180
                            ///< degrees, up to 360 between the joints of a vertex
    PELT_SIGN_RULE_COUNT
} pelt_sign_rule;

PELT_API const char* pelt_sign_rule_name(pelt_sign_rule rule); ///< "heaviest", "running" ...

/// The three variants of Kavan's shaders.
typedef enum pelt_dqs_variant
{
    PELT_DQS_ANTIPODAL = 0, ///< signs per vertex by the sign rule
    PELT_DQS_BASIC,         ///< signs as in the palette: breaks at large rotations
    PELT_DQS_OPTIMIZED, ///< signs as in the palette, see pelt_palette_align(); no matrix is formed
    PELT_DQS_VARIANT_COUNT
} pelt_dqs_variant;

PELT_API const char* pelt_dqs_variant_name(pelt_dqs_variant variant); ///< "antipodal" ...

/// The reference pose of the logarithms of PELT_METHOD_LMS.
typedef enum pelt_lms_variant
{
    PELT_LMS_RELATIVE = 0, ///< the mean motion of the vertex's joints: invariant under motion of
                           ///< the model; rotates along the shorter arc
    PELT_LMS_PUBLISHED,    ///< the bind pose, with scale about the origin: spikes where joints have
                           ///< rotated by nearly 180 degrees since
    PELT_LMS_VARIANT_COUNT
} pelt_lms_variant;

PELT_API const char* pelt_lms_variant_name(pelt_lms_variant variant); ///< "relative" ...

/// The point about which joints scale and shear when their rotations are averaged.
typedef enum pelt_scale_pivot
{
    PELT_SCALE_LOCAL = 0, ///< dqs, lms: the vertex; crs, sbs: its center; independent of where the
                          ///< model is
    PELT_SCALE_ORIGIN,    ///< the origin of the mesh
} pelt_scale_pivot;

/// How normals and tangents are computed. All but STANDARD need pelt_deform_input.normal_factors.
typedef enum pelt_normal_rule
{
    PELT_NORMAL_STANDARD = 0, ///< from the map of the vertex, as if weights were constant
    PELT_NORMAL_ACCURATE, ///< from the derivative of the method over the adjacent triangles, for
                          ///< methods with has_derivatives
    PELT_NORMAL_PAPER,    ///< from the formula of Tarini et al. 2014, made for LBS and DQS
    PELT_NORMAL_RULE_COUNT
} pelt_normal_rule;

PELT_API const char* pelt_normal_rule_name(pelt_normal_rule rule); ///< "standard", "accurate" ...

/// @return PELT_NORMAL_RULE_COUNT when there is none of that name
PELT_API pelt_normal_rule pelt_normal_rule_find(const char* name);

typedef struct pelt_deform_options
{
    pelt_method method;
    pelt_sign_rule sign_rule;
    pelt_scale_pivot scale_pivot;
    pelt_dqs_variant dqs_variant;
    pelt_lms_variant lms_variant;
    float mix; ///< PELT_METHOD_MIX: 0 is LBS, 1 is DQS
    pelt_normal_rule normal_rule;
    float normal_clamp; ///< PELT_NORMAL_PAPER: largest correction of a frame vector relative to its
                        ///< length under the strongest joint, so that folds do not flip normals;
                        ///< 0: 0.9, below 0: no limit
    bool is_exact;      ///< frames and pelt_baked_measure() use the reference even where there are
                        ///< deformers, for the same bits on every machine

    /// 0 to 1: how far vertices that have moved away from their bones are pushed back; 1 restores
    /// the distance of the rest pose. Removes the bulge of bends under DQS and MIX; works with
    /// every method. The correction is continuous over the surface and in the pose, and does not
    /// move vertices that have come nearer. Normals and tangents follow by its derivative, under
    /// PELT_NORMAL_ACCURATE with weights that vary. Needs pelt_deform_input.bones, which frames
    /// have. Only the reference functions support it: frames use these, and pelt_deformer_run() and
    /// the GPU ignore it. Source: after Kim and Han, "Bulging-free Dual Quaternion Skinning", 2014;
    /// docs/methods.md has the formula.
    float distance_correction;
} pelt_deform_options;

/// Check that every option names something that exists, and that numbers are finite and in range.
/// @return PELT_OK, or PELT_ERROR_ARGUMENT with a message
PELT_API pelt_result pelt_deform_options_validate(const pelt_deform_options* options,
                                                  pelt_error* error);

/// What other programs do: sign rule, pivot of scale and normals belong together.
///
///     pelt     PELT_SIGN_HEAVIEST  PELT_SCALE_LOCAL   PELT_NORMAL_STANDARD
///     blender  PELT_SIGN_RUNNING   PELT_SCALE_LOCAL   recomputed  "Preserve Volume", since 4.0
///     maya     PELT_SIGN_HEAVIEST  PELT_SCALE_ORIGIN  recomputed
///     usd      PELT_SIGN_HEAVIEST  PELT_SCALE_ORIGIN  PELT_NORMAL_STANDARD  UsdSkel
///     ogre     PELT_SIGN_FIRST     PELT_SCALE_ORIGIN  PELT_NORMAL_STANDARD
typedef enum pelt_convention
{
    PELT_CONVENTION_PELT = 0,
    PELT_CONVENTION_BLENDER,
    PELT_CONVENTION_MAYA,
    PELT_CONVENTION_USD,
    PELT_CONVENTION_OGRE,
    PELT_CONVENTION_COUNT
} pelt_convention;

PELT_API const char* pelt_convention_name(pelt_convention convention); ///< "blender"

/// Set the options that a convention defines and leave the others. The normal rule becomes
/// PELT_NORMAL_STANDARD, the only one that other programs have.
PELT_API void pelt_convention_apply(pelt_deform_options* options, pelt_convention convention);

/// Whether the program computes normals from the deformed triangles: call pelt_normals_recompute()
/// after the deformation.
PELT_API bool pelt_convention_recomputes(pelt_convention convention);

typedef struct pelt_deform_input
{
    const pelt_vec3* positions; ///< weights->vertex_count, in the bind pose
    const pelt_vec3* normals;   ///< or NULL
    const pelt_vec4* tangents;  ///< or NULL
    /// Bytes from one vertex to the next where arrays lie in a vertex buffer, a multiple of 4; 0:
    /// packed.
    uint32_t position_stride, normal_stride, tangent_stride;
    const pelt_vec3* cors;    ///< for methods that need centers; the others ignore them
    const float* mix_factors; ///< PELT_METHOD_MIX: factor of each vertex; NULL: options->mix
    const pelt_normal_factors* normal_factors; ///< of these weights; NULL: PELT_NORMAL_STANDARD
    /// Displacements that positions include and normals and tangents do not, for instance of morph
    /// targets without normals: see pelt_morph_displace(). Normals and tangents then follow the
    /// displaced surface. One for each vertex of the mesh, not only those in range; or NULL.
    const pelt_vec3* displacements;
    const pelt_stencils* stencils; ///< of the mesh; needed where there are displacements
    const pelt_weights* weights;
    const pelt_palette* palette; ///< weights->joint_count joints, or more
    const pelt_bones* bones;     ///< for options->distance_correction; NULL: none
} pelt_deform_input;

/// Output arrays; those that are NULL are not computed, and normals and tangents are left unwritten
/// where the input has none. Each may be the input array itself, with the same stride.
typedef struct pelt_surface
{
    pelt_vec3* positions;
    pelt_vec3* normals;
    pelt_vec4* tangents;
    uint32_t position_stride, normal_stride, tangent_stride; ///< as in pelt_deform_input
} pelt_surface;

/// An element of an array with a stride, see pelt_deform_input.
static inline const pelt_vec3* pelt_vec3_at(const pelt_vec3* array, uint32_t stride, uint32_t index)
{
    size_t bytes = stride > 0 ? stride : sizeof *array;
    return (const pelt_vec3*)(const void*)((const char*)array + bytes * index);
}

static inline const pelt_vec4* pelt_vec4_at(const pelt_vec4* array, uint32_t stride, uint32_t index)
{
    size_t bytes = stride > 0 ? stride : sizeof *array;
    return (const pelt_vec4*)(const void*)((const char*)array + bytes * index);
}

/// Deform the vertices in range, and only those. Threads may share a mesh, and the result does not
/// depend on how the work is divided.
///
/// Every method reproduces the rest pose, is invariant when mesh, skeleton and pose move together,
/// and is exact for vertices with one influence (DDM: where all of the neighborhood has that one).
/// All methods but LBS treat scale and shear in two
/// phases: stretches are blended linearly, rigid motions as the method defines. A vertex that both
/// mirrored and unmirrored joints influence is deformed by LBS: see
/// pelt_weights_count_mixed_handedness().
///
/// Finite input gives finite results as long as they are in the range of float. Other results
/// become infinite or NaN; pelt_surfaces_validate() finds them.
///
/// Normals are transformed by the cofactor matrix of the vertex's linear map, tangents by the map
/// itself; a mirror flips tangent.w. By default both ignore that weights vary over the surface;
/// options->normal_rule takes it into account where there are normals and factors. LMS, SBS
/// and DDM support the default only.
PELT_API void pelt_deform(const pelt_surface* out, const pelt_deform_input* input,
                          const pelt_deform_options* options, pelt_range range);

/// Check everything that pelt_deform() takes for granted, and what it would silently not do: null
/// pointers, strides, ranges, influences that are out of range, options, matrices that are not
/// finite, a palette whose motions do not belong to its matrices because pelt_palette_decompose()
/// was not called, normals that are asked for where there are none, a distance correction without
/// bones. For programs that fill these structs themselves: once per mesh, or per frame while
/// something looks wrong. It takes about as long as the deformation.
/// @return PELT_OK, PELT_ERROR_ARGUMENT or PELT_ERROR_DATA with a message that says what to do
PELT_API pelt_result pelt_deform_validate(const pelt_surface* out, const pelt_deform_input* input,
                                          const pelt_deform_options* options, pelt_range range,
                                          pelt_error* error);

/// Linear blend skinning: the weighted average of the joint matrices. Simple, fast, and collapses
/// where joints rotate far apart: halfway along a twist by angle a, only cos(a / 2) of the radius
/// remains.
/// Source: Magnenat-Thalmann et al. 1988.
PELT_API void pelt_deform_lbs(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Dual quaternion skinning: the rigid motions are averaged as unit dual quaternions. Keeps the
/// radius of a twist; bends bulge, because all vertices rotate about the joint. Under
/// PELT_SCALE_LOCAL the motion of a joint is replaced by the rigid motion with the same rotation
/// that moves this vertex to the same position, so that the pivot of scale is the vertex. Source:
/// Kavan et al., "Geometric Skinning with Approximate Dual Quaternion Blending", 2008.
PELT_API void pelt_deform_dqs(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// The matrices of LBS and DQS, averaged by a factor; exactly those at 0 and 1.
PELT_API void pelt_deform_mix(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Optimized centers of rotation: the vertex rotates by the average quaternion about its own
/// center, which moves as under LBS. Neither collapses in a twist nor bulges much in a bend.
/// Source: Le and Hodgins, "Real-time Skeletal Skinning with Optimized Centers of Rotation", 2016.
PELT_API void pelt_deform_crs(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Log-matrix blend: the logarithms of the rigid motions are averaged. For comparison: it bulges
/// like DQS, and with two joints rotates by the weighted angle. As published it rotates along the
/// longer arc when joints rotate by more than 90 degrees in opposite directions, and is not
/// invariant when only the pose moves; see pelt_lms_variant. Source: Alexa 2002; Magnenat-Thalmann
/// et al. 2004.
PELT_API void pelt_deform_lms(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Spherical blend: as CRS, but the center is found for each pose, as the point that
/// the joints of the vertex move to the nearest positions (least squares). For comparison: it
/// bulges like DQS and tears where neighbors have different joints. Source: Kavan and Zara,
/// "Spherical Blend Skinning", 2005.
PELT_API void pelt_deform_sbs(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Direct delta mush: as if the result of LBS were smoothed, and the details of the rest pose added
/// back in the frame of the smoothed surface. Makes rigid and rough weights look good, and keeps
/// most of the volume of twists and bends. Needs input->weights->ddm, see pelt_scene_add_ddm();
/// without it, and at vertices where nothing was smoothed, it is LBS. The scale pivot does not
/// apply, and sign rules only to its variants V2 and V4: smoothed positions move as under LBS, and
/// what scales the neighborhood scales the vertex about its smoothed position. Source: Le and
/// Lewis, "Direct Delta Mush Skinning and Variants", 2019.
PELT_API void pelt_deform_ddm(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Add the morph targets of a mesh to its rest surface, before skinning.
/// @param weights  mesh->morph_count; NULL: the mesh's own
PELT_API void pelt_morph_apply(const pelt_surface* out, const pelt_mesh* mesh, const float* weights,
                               pelt_range range);

/// Whether the morph targets of a mesh change its rest surface.
/// @param weights  mesh->morph_count
PELT_API bool pelt_morph_is_active(const pelt_mesh* mesh, const float* weights);

/// Whether a mesh with normals has morph targets that move vertices and have no normals themselves.
/// @param weights  mesh->morph_count: targets with weight 0 do not count; NULL: all do
PELT_API bool pelt_morph_lacks_normals(const pelt_mesh* mesh, const float* weights);

/// The displacements of vertices by such targets, for pelt_deform_input.displacements.
/// @param out      mesh->vertex_count; only those in range are written
/// @param weights  mesh->morph_count; NULL: the mesh's own
PELT_API void pelt_morph_displace(pelt_vec3* out, const pelt_mesh* mesh, const float* weights,
                                  pelt_range range);

// =============================================================================================
// Frame
//
// All buffers of a scene at one point in time: the whole pipeline in one call, for programs that do
// not manage these buffers themselves.
//
//     pelt_frame_create(&frame, scene);
//     pelt_frame_prepare(&frame, scene);
//     for each frame:
//         pelt_pose_play(&pose, &cursor, scene, clip, time, PELT_WRAP_LOOP);
//         pelt_frame_update(&frame, scene, &pose, &options);
//
// The frames of a crowd share deformers and are updated in one call:
//
//     pelt_frame_share(&frames[i], &frames[0]);
//     for each frame:
//         pelt_frames_update(frames, scene, poses, count, &options);

typedef struct pelt_deformer pelt_deformer; ///< see deformer.h

typedef struct pelt_frame
{
    uint32_t node_count, skin_count, mesh_count, instance_count; ///< of the scene
    pelt_mat34* model_from_node;                                 ///< node_count
    pelt_palette* palettes;                                      ///< one per skin
    pelt_surface* surfaces; ///< one per instance, in model space; packed, unless they are set to
                            ///< arrays of the caller, for instance in a vertex buffer; arrays
                            ///< that are NULL are not computed.
                            ///< Instances that coincide in every pose share one
    pelt_surface* own_surfaces; ///< one per instance: the initial arrays of surfaces
    const pelt_vec3**
        cors; ///< one per mesh, for methods that need centers; initially the mesh's own
    const float** mix_factors; ///< one per mesh, for PELT_METHOD_MIX; initially the mesh's own;
                               ///< NULL: options->mix
    const pelt_ddm** smoothed; ///< one per mesh, for PELT_METHOD_DDM; initially that of the mesh's
                               ///< own weights
    pelt_method* methods; ///< one per mesh; PELT_METHOD_COUNT, the initial value: options->method;
                          ///< set it to pelt_mesh.method to deform as the file specifies
    const pelt_normal_factors** normal_factors; ///< one per mesh, or NULL; initially the
                                                ///< mesh's own, made with the mesh's own cors
    pelt_joint_parent** joint_parents;          ///< one list per skin
    pelt_quat* rotations;      ///< node_count, for PELT_SIGN_HIERARCHY; not up to date otherwise
    pelt_stencils* stencils;   ///< one per mesh; {0}: no morph target lacks normals
    pelt_vec3** displacements; ///< one list per instance with such a target, else NULL; not up to
                               ///< date under PELT_NORMAL_STANDARD
    const pelt_deformer** deformers; ///< one per mesh; NULL, the initial value: the reference
    pelt_deformer** own_deformers;   ///< those of them that pelt_frame_prepare() made
    pelt_bones* bones;               ///< one per skin, for options->distance_correction
    uint32_t* first_chunks;          ///< instance_count + 1: how work is divided
    const uint32_t* originals; ///< per instance: the first one that coincides with it in every pose
    pelt_arena* arena;
} pelt_frame;

/// Allocate for a scene. The frame holds no reference to it.
PELT_API pelt_result pelt_frame_create(pelt_frame* out, const pelt_scene* scene);
PELT_API void pelt_frame_destroy(pelt_frame* frame);

/// Prepare a frame for many updates: pelt_frame_update() is then six to fifteen times faster. Makes
/// a deformer for each skinned mesh, which takes as long as one to three updates and somewhat more
/// memory than the mesh: see pelt_deformer_create(). Surfaces are those of the reference to 2e-6 of
/// the size, normals to 0.05 degrees, in the order of the mesh's vertices; their last bits depend
/// on the machine. Without this call, or with options->is_exact, they are those of the reference.
///
/// From now on the frame refers to the arrays of the scene's meshes, and to cors, mix_factors and
/// normal_factors as they are now: their content must not change. If one of them is replaced by
/// another array the reference is used until the frame is prepared again. The reference is also
/// used for everything that deformers do not support, see pelt_deformer_run(), and where normals
/// follow morph targets without normals, see pelt_frame_update().
/// @return PELT_OK, or PELT_ERROR_MEMORY: the frame then uses the reference for meshes without a
/// deformer
PELT_API pelt_result pelt_frame_prepare(pelt_frame* frame, const pelt_scene* scene);

/// Use the deformers of another frame of the same scene, with its cors, mix_factors, smoothed and
/// normal_factors. The other must outlive this one, and must not be prepared again.
PELT_API void pelt_frame_share(pelt_frame* frame, const pelt_frame* prepared);

/// From pose to surfaces, in parallel through the `run` hook. Palettes are unwrapped or aligned if
/// the options require it. Allocates nothing. If the method needs centers, every skinned mesh must
/// have its entry in frame->cors.
///
/// Morph targets without normals leave normals as they are under PELT_NORMAL_STANDARD, as glTF
/// specifies; under the other rules normals and tangents follow them, also in unskinned meshes.
PELT_API void pelt_frame_update(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                                const pelt_deform_options* options);

/// The first step of pelt_frame_update(): from pose to model_from_node and palettes, on the calling
/// thread. A program that deforms on the GPU needs this step alone.
PELT_API void pelt_frame_pose(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                              const pelt_deform_options* options);

/// The second step of pelt_frame_update(): surfaces, from the palettes that the frame has.
/// @param pose     for its morph weights
/// @param options  those of pelt_frame_pose(), which prepares palettes for a sign rule; the method,
///                 mix factor and normal rule may differ
PELT_API void pelt_frame_deform(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                                const pelt_deform_options* options);

/// pelt_frame_update() for many frames of one scene, each in its own pose, to the bit: threads
/// share the work of all of them.
/// @param frames, poses  count
PELT_API void pelt_frames_update(pelt_frame* frames, const pelt_scene* scene,
                                 const pelt_pose* poses, uint32_t count,
                                 const pelt_deform_options* options);

/// Check that every number of some surfaces is finite: a pose or model may hold numbers whose
/// products exceed the range of float.
/// @param surfaces  one per instance
/// @return PELT_OK, or PELT_ERROR_DATA with a message that names instance and vertex
PELT_API pelt_result pelt_surfaces_validate(const pelt_surface* surfaces, const pelt_scene* scene,
                                            pelt_error* error);

/// The box of all instances of a scene in one pose, by LBS, in model space: for cameras and units.
/// @param out   empty if there are no vertices
/// @param pose  NULL: the stored pose
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_bounds(pelt_bounds* out, const pelt_scene* scene,
                                       const pelt_pose* pose);

#ifdef __cplusplus
}
#endif

#endif
