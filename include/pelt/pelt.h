// SPDX-License-Identifier: MIT
// pelt deforms skinned characters. This header is the manual of the core library; read it top to
// bottom, in the order of a program: scene, pose, palette, deform. base.h, which it includes, has
// errors, hooks and memory; prepare.h has what is computed once per character, offline.
//
// Stability: while the version is 0.x, a minor release may change names and structs, and a patch
// release changes neither; the shared libraries carry both numbers in their name (libpelt.so.0.1),
// so that a program never runs with an interface it was not compiled for. From 1.0 on the stable
// parts keep their source and binary interface within a major version: base.h, math3d.h, and the
// sections Scene, Pose, Palette and Deform of this header. Experimental, and changed whenever
// something better is found: deformer.h, doctor.h, prepare.h, bake.h, crowd.h, metrics.h, io.h,
// gl.h, render.h and color.h. Structs whose {0} is the default may get new fields at their end with
// any minor version; initialize them by name. File formats have rules of their own: docs/files.md.
#ifndef PELT_PELT_H
#define PELT_PELT_H

#include "base.h"
#include "color.h"
#include "math3d.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Scene
//
// Plain immutable data: arrays with counts, and indices instead of pointers between objects. Build
// one from your own arrays, or load one (io.h). Units are meters, seconds and radians; coordinates
// are right-handed with Y up; positions of skinned meshes are in the bind pose.

/// A joint of a skin: its place in pelt_skin.joints.
typedef uint16_t pelt_joint_index;

#define PELT_MAX_JOINTS 65535u   ///< of one skin
#define PELT_NO_JOINT UINT16_MAX ///< where a joint index is expected

/// The influence of one joint on one vertex.
typedef struct pelt_influence
{
    pelt_joint_index joint;
    uint16_t slot; ///< place in the source's own list, which some sign rules follow
    float weight;
} pelt_influence;

/// Influences of every vertex, packed end to end: vertex v owns influences[first[v]] up to, but not
/// including, influences[first[v + 1]], strongest first, equal weights by ascending joint. The
/// weights of a vertex are positive, name each joint once and sum to one; a vertex without
/// influences stays at its rest position. pelt_weights_create() builds this from a vertex buffer.
typedef struct pelt_weights
{
    uint32_t vertex_count;
    uint32_t joint_count;
    uint32_t influence_count;         ///< == first[vertex_count]
    uint32_t max_influences;          ///< most influences on one vertex
    const uint32_t* first;            ///< vertex_count + 1 offsets
    const pelt_influence* influences; ///< influence_count
} pelt_weights;

/// A morph target: displacements that are scaled by its weight and added before skinning.
typedef struct pelt_morph
{
    const char* name;
    const pelt_vec3* positions; ///< vertex_count, or NULL
    const pelt_vec3* normals;   ///< vertex_count, or NULL
    const pelt_vec3* tangents;  ///< vertex_count, or NULL
} pelt_morph;

/// An image embedded in the source file, still encoded: PNG, JPEG or another format.
typedef struct pelt_image
{
    const char* name; ///< what materials call it
    const uint8_t* bytes;
    size_t size;
} pelt_image;

/// How alpha is used: the product of the alphas of base color, texture and vertex color.
typedef enum pelt_alpha_mode
{
    PELT_ALPHA_OPAQUE = 0, ///< ignored
    PELT_ALPHA_MASK,       ///< below the cutoff there is no surface
    PELT_ALPHA_BLEND,      ///< coverage
} pelt_alpha_mode;

typedef enum pelt_texture_wrap
{
    PELT_TEXTURE_REPEAT = 0,
    PELT_TEXTURE_CLAMP,  ///< repeats the texels at the edge
    PELT_TEXTURE_MIRROR, ///< repeats, every other copy mirrored
} pelt_texture_wrap;

typedef enum pelt_texture_filter
{
    PELT_TEXTURE_LINEAR = 0,
    PELT_TEXTURE_NEAREST,
} pelt_texture_filter;

/// Which mip levels are read where a texture is minified.
typedef enum pelt_texture_mips
{
    PELT_MIPS_LINEAR = 0, ///< interpolated between the two nearest
    PELT_MIPS_NEAREST,
    PELT_MIPS_NONE, ///< the largest only
} pelt_texture_mips;

/// How a texture is sampled; {0} repeats with trilinear filtering.
typedef struct pelt_sampler
{
    pelt_texture_wrap wrap_u, wrap_v;
    pelt_texture_filter mag_filter, min_filter;
    pelt_texture_mips mips;
} pelt_sampler;

/// For display only.
typedef struct pelt_material
{
    const char* name;
    pelt_vec4 base_color; ///< linear RGBA, alpha not multiplied in
    const char* texture;  ///< of the base color: the name of an image of the scene, or else of a
                          ///< file, see pelt_texture_path() in io.h; or NULL
    float roughness, metallic; ///< 0 to 1
    bool is_double_sided;
    bool is_unlit; ///< shown in its base color, without lighting
    pelt_alpha_mode alpha_mode;
    float alpha_cutoff; ///< for PELT_ALPHA_MASK, not negative; 0: 0.5
    pelt_sampler sampler;
} pelt_material;

/// See prepare.h, "Accurate normals".
typedef struct pelt_normal_factors pelt_normal_factors;
typedef struct pelt_stencils pelt_stencils;

/// See prepare.h, "Joints".
typedef struct pelt_bones pelt_bones;

/// How joints blend; see "Deform" for each.
typedef enum pelt_method
{
    PELT_METHOD_LBS = 0, ///< linear blend
    PELT_METHOD_DQS,     ///< dual quaternions
    PELT_METHOD_MIX,     ///< between LBS and DQS by a factor
    PELT_METHOD_CRS,     ///< optimized centers of rotation
    PELT_METHOD_LMS,     ///< log-matrix blend
    PELT_METHOD_SBS,     ///< spherical blend
    PELT_METHOD_COUNT
} pelt_method;

/// Triangles with one material. Arrays that do not exist are NULL.
typedef struct pelt_mesh
{
    const char* name;
    uint32_t vertex_count;
    uint32_t index_count; ///< three per triangle
    const pelt_vec3* positions;
    const pelt_vec3* normals; ///< unit length
    const pelt_vec4*
        tangents;            ///< xyz unit length, w is +1 or -1: bitangent = w * cross(normal, xyz)
    const pelt_vec2* uvs;    ///< (0, 0) is the upper left corner of the texture
    const pelt_vec4* colors; ///< linear RGBA
    const uint32_t* indices;
    const pelt_vec3* cors;    ///< centers of rotation in bind space, see pelt_cor_solve(); or NULL
    const float* mix_factors; ///< per vertex for PELT_METHOD_MIX: 0 is LBS, 1 is DQS; or NULL
    const pelt_normal_factors* normal_factors; ///< see pelt_normal_factors_build(); or NULL
    pelt_weights weights;                      ///< {0}: the mesh is not skinned
    /// The method that the source file specifies, as SkinningType of FBX does. Deformation uses the
    /// method of its options all the same; set pelt_frame.methods to follow the file.
    bool has_method;
    pelt_method method; ///< if has_method
    uint32_t morph_count;
    const pelt_morph* morphs;
    const float* morph_weights; ///< morph_count defaults; NULL: all 0
    uint32_t material;          ///< or PELT_NONE
    /// mix_factors were computed, see pelt_scene_add_mix_factors(), and not painted: they depend on
    /// positions, triangles and weights, and files store them with a digest.
    bool is_mix_computed;
} pelt_mesh;

/// A coordinate frame of the hierarchy. A node that a skin refers to is a joint.
typedef struct pelt_node
{
    const char* name;
    uint32_t parent;     ///< smaller than the node's own index, or PELT_NONE
    pelt_transform rest; ///< relative to the parent, in the stored pose
} pelt_node;

/// The joints that deform a mesh. Skins may share nodes; their joints need not form one tree.
typedef struct pelt_skin
{
    const char* name;
    uint32_t joint_count;
    const uint32_t* joints;          ///< joint_count node indices
    const pelt_mat34* inverse_binds; ///< joint_count: from bind space to the joint's own space
} pelt_skin;

/// A mesh placed in the scene.
typedef struct pelt_instance
{
    uint32_t mesh;
    uint32_t skin;               ///< or PELT_NONE: the mesh follows the node rigidly
    uint32_t node;               ///< ignored when there is a skin
    uint32_t first_morph_weight; ///< where its weights start in pelt_pose.morph_weights
} pelt_instance;

typedef enum pelt_path
{
    PELT_PATH_TRANSLATION, ///< 3 floats per value, target is a node
    PELT_PATH_ROTATION,    ///< 4 floats, unit quaternion x y z w
    PELT_PATH_SCALE,       ///< 3 floats
    PELT_PATH_MORPH,       ///< morph_count floats, target is an instance
} pelt_path;

typedef enum pelt_interpolation
{
    PELT_INTERPOLATION_LINEAR = 0, ///< rotations on the shorter arc
    PELT_INTERPOLATION_STEP,
    PELT_INTERPOLATION_CUBIC, ///< Hermite: each key holds in-tangent, value, out-tangent, per
                              ///< second
} pelt_interpolation;

/// One animated property. Before the first key and after the last it keeps their values.
///
/// q and -q are the same rotation, but the sign tells a rotation by more than 180 degrees from its
/// complement (PELT_SIGN_HIERARCHY). Each key of a LINEAR or STEP rotation therefore has the sign
/// that is nearest to the key before; readers ensure it, and pelt_rotations_align() does it for
/// your own data. CUBIC keys keep their signs, since the curve between them depends on these.
typedef struct pelt_track
{
    uint32_t target; ///< node, or instance for PELT_PATH_MORPH
    pelt_path path;
    pelt_interpolation interpolation;
    uint32_t key_count;
    uint32_t width;      ///< floats per value: 3, 4 or the number of shapes
    const float* times;  ///< key_count, in seconds, strictly increasing
    const float* values; ///< key_count * width, times three for PELT_INTERPOLATION_CUBIC
} pelt_track;

typedef struct pelt_clip
{
    const char* name;
    float duration; ///< seconds, not less than the last key of any track
    uint32_t track_count;
    const pelt_track* tracks;
} pelt_clip;

typedef enum pelt_repair_kind
{
    PELT_REPAIR_OTHER = 0,
    PELT_REPAIR_CORS_DROPPED,     ///< the centers of rotation of a mesh were stale or broken
    PELT_REPAIR_NORMALS_DROPPED,  ///< its normal factors were
    PELT_REPAIR_WEIGHT_SUMS,      ///< weights were rescaled; value: the sum farthest from one
    PELT_REPAIR_DUPLICATE_JOINTS, ///< weights of a joint that a vertex named twice were added
    PELT_REPAIR_NEGATIVE_WEIGHTS, ///< dropped
    PELT_REPAIR_NOT_FINITE,       ///< weights were dropped, other numbers set to 0
    PELT_REPAIR_JOINT_RANGE,      ///< weights of joints that do not exist were dropped
    PELT_REPAIR_UNWEIGHTED,       ///< vertices without weights stay at rest
    PELT_REPAIR_PRUNED,           ///< more influences than asked for
    PELT_REPAIR_DIRECTION_LENGTH, ///< normals or tangents were normalized
    PELT_REPAIR_ROTATION_LENGTH,  ///< rotations of nodes or keys were normalized
    PELT_REPAIR_KEY_ORDER,        ///< keys not later than the one before were dropped
    PELT_REPAIR_MIX_DROPPED,      ///< the computed mix factors of a mesh were stale

    // Only when asked for: pelt_load_options.is_checked. Nothing had to be changed.
    PELT_REPAIR_PADDING_JOINTS, ///< joints that do not exist, with weight 0
    PELT_REPAIR_BIND_ROW,       ///< inverse bind matrices whose last row is not 0 0 0 1
    PELT_REPAIR_SKELETON_ROOT,  ///< joints without a common root, or not below that of the skin
    PELT_REPAIR_MISSING_BOUNDS, ///< positions or key times without min and max
    PELT_REPAIR_BYTE_STRIDE,    ///< strides that are missing, misaligned or out of place
} pelt_repair_kind;

/// Something that was fixed on load, as one sentence. Not every reader knows count and place.
typedef struct pelt_repair
{
    const char* message;
    pelt_repair_kind kind;
    uint32_t count; ///< vertices, numbers, rotations or keys; 0: not counted
    float value;    ///< see the kinds; 0 for the others
    uint32_t mesh;  ///< or PELT_NONE
    uint32_t clip;  ///< or PELT_NONE
} pelt_repair;

/// Something in the source file that a scene cannot hold, so that files written from the scene lack
/// it.
typedef struct pelt_loss
{
    const char* what; ///< "2 normal textures"
} pelt_loss;

/// File formats, see io.h.
typedef enum pelt_format
{
    PELT_FORMAT_UNKNOWN = 0,
    PELT_FORMAT_GLB,    ///< glTF 2.0, binary: read and written
    PELT_FORMAT_GLTF,   ///< glTF 2.0, JSON: read; written with its buffer inside
    PELT_FORMAT_OBJ,    ///< Wavefront, text, written: positions, UVs, normals
    PELT_FORMAT_PLY,    ///< binary little-endian, written: positions, normals, UVs, colors
    PELT_FORMAT_FBX,    ///< FBX 7.0 to 7.7, binary and text: read
    PELT_FORMAT_ASSIMP, ///< Collada and whatever else assimp reads
} pelt_format;

typedef struct pelt_scene
{
    const char* name;
    pelt_format format; ///< of the file it was read from; PELT_FORMAT_UNKNOWN: none
    uint32_t node_count, mesh_count, skin_count, instance_count;
    uint32_t clip_count, material_count, image_count, repair_count, loss_count;
    uint32_t morph_weight_count; ///< sum of morph_count over the instances
    const pelt_node* nodes;      ///< parents before children
    const pelt_mesh* meshes;
    const pelt_skin* skins;
    const pelt_instance* instances;
    const pelt_clip* clips;
    const pelt_material* materials;
    const pelt_image* images; ///< those that materials name
    const pelt_repair* repairs;
    const pelt_loss* losses;
    pelt_arena* arena; ///< owns every array above, and the scene; NULL: they are yours
} pelt_scene;

/// Check what everything below relies on: arrays where there are counts, indices in range, parents
/// before children, finite numbers, unit rotations, packed weights, keys in order, at most
/// PELT_MAX_JOINTS joints in a skin, and less than PELT_NONE vertices, indices, influences, morph
/// targets and joints in all meshes, instances and skins together. The lengths of normals and
/// tangents are not checked. A scene that was loaded is valid.
PELT_API pelt_result pelt_scene_validate(const pelt_scene* scene, pelt_error* error);

/// Free a scene with all that it owns; NULL is allowed.
PELT_API void pelt_scene_destroy(pelt_scene* scene);

/// @return index, or PELT_NONE
PELT_API uint32_t pelt_scene_find_node(const pelt_scene* scene, const char* name);
PELT_API uint32_t pelt_scene_find_clip(const pelt_scene* scene, const char* name);
PELT_API uint32_t pelt_scene_find_image(const pelt_scene* scene, const char* name);

/// The clip to play when none was chosen: the first in which anything moves, else the first that
/// has tracks, else the first. Some exporters write an empty take before the real ones.
/// @return index, or PELT_NONE when there are no clips
PELT_API uint32_t pelt_scene_default_clip(const pelt_scene* scene);

/// For each node of another scene, the node of the same name here. Among nodes that share a name
/// the first is that of the first, the second that of the second, and so on.
/// @param out  from->node_count nodes of `scene`, or PELT_NONE where there is none
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_match_nodes(uint32_t* out, const pelt_scene* scene,
                                            const pelt_scene* from);

typedef struct pelt_add_clips_report
{
    uint32_t clip_count;    ///< that were added
    uint32_t track_count;   ///< of these clips
    uint32_t dropped_count; ///< tracks whose node or instance is not here
} pelt_add_clips_report;

/// Add the clips of another scene with the same skeleton, such as a file with one more motion.
///
/// Tracks go to the node of the same name (pelt_scene_match_nodes()), those of morph targets to the
/// instance of a mesh with the same name and number of targets. Their keys are copied as they are:
/// where both scenes rest alike, clips give the same poses to the bit. Nodes without a track rest
/// as they do here. A clip without any track that fits is left out.
///
/// A clip whose name is taken gets the label behind it: "walk" becomes "walk (label)", then
/// "walk (label 2)"; without a label "walk 2".
///
/// @param inout   gets a list of clips with those it had first; the rest of it stays
/// @param report  may be NULL
/// @param from    its clips are copied: it may be destroyed afterwards
/// @param label   where they come from, such as the name of a file; may be NULL
/// @param arena   owns what is new; scene->arena, or another that lives as long
/// @return PELT_OK, or PELT_ERROR_MEMORY with the scene as it was
PELT_API pelt_result pelt_scene_add_clips(pelt_scene* inout, pelt_add_clips_report* report,
                                          const pelt_scene* from, const char* label,
                                          pelt_arena* arena);

/// Axis-aligned box; empty when min > max.
typedef struct pelt_bounds
{
    pelt_vec3 min, max;
} pelt_bounds;

PELT_API pelt_bounds pelt_bounds_empty(void);
PELT_API void pelt_bounds_add(pelt_bounds* bounds, const pelt_vec3* points, uint32_t count);
PELT_API float pelt_bounds_diagonal(const pelt_bounds* bounds); ///< 0 when empty

// ---------------------------------------------------------------------------------------------
// Building scenes

/// Callbacks for each array and string that a scene refers to. What a callback returns replaces
/// what it was given; after NULL, nothing that the array's elements refer to is visited.
typedef struct pelt_scene_visitor
{
    void* (*array)(const void* array, size_t count, size_t size, void* user);
    const char* (*string)(const char* text, void* user);
    void* user; ///< handed to both
} pelt_scene_visitor;

/// Visit every array and string of a scene that is not NULL, always in the same order, arrays
/// before what their elements refer to: to copy, measure, serialize or deserialize a scene.
/// Elements are changed in what `array` returns, which must be writable.
PELT_API void pelt_scene_visit(pelt_scene* scene, const pelt_scene_visitor* visitor);

/// Weights in any order, with any sum. Set one array of joints and one of weights.
typedef struct pelt_weights_source
{
    uint32_t vertex_count;
    uint32_t joint_count;  ///< of the skin, up to PELT_MAX_JOINTS
    uint32_t per_vertex;   ///< influences of each vertex; 0: 4
    const uint32_t* first; ///< vertex_count + 1 offsets, for lists of any length; NULL: per_vertex
    const uint8_t* joints_u8; ///< joint of each influence
    const uint16_t* joints_u16;
    const uint32_t* joints_u32;
    const float* weights;            ///< weight of each influence
    const uint8_t* weights_unorm8;   ///< 255 is 1
    const uint16_t* weights_unorm16; ///< 65535 is 1
    uint32_t joint_stride;   ///< bytes from one vertex to the next, in a vertex buffer; 0: packed
    uint32_t weight_stride;  ///< the same; both are ignored when `first` is set
    uint32_t max_influences; ///< keep only the strongest; 0: all
} pelt_weights_source;

/// What pelt_weights_create() had to fix: numbers of vertices.
typedef struct pelt_weights_report
{
    uint32_t unnormalized;   ///< sums off by more than 1e-3, rescaled to one
    float worst_sum;         ///< the sum farthest from one among them
    uint32_t duplicate;      ///< a joint named twice: its weights were added
    uint32_t negative;       ///< a negative weight was dropped
    uint32_t not_finite;     ///< a NaN or infinite weight was dropped
    uint32_t out_of_range;   ///< a joint that does not exist, with a weight, was dropped
    uint32_t pruned;         ///< had more than max_influences
    uint32_t without_weight; ///< nothing left: stays at its rest position
} pelt_weights_report;

/// Sort, merge and normalize weights into the form that pelt_weights describes. Influences with
/// weight 0 are dropped, whatever joint they name. The result does not depend on the order of the
/// influences of a vertex, apart from `slot`.
/// @param out     free with pelt_weights_destroy(); {0} after a failure
/// @param report  may be NULL
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_weights_create(pelt_weights* out, const pelt_weights_source* source,
                                         pelt_weights_report* report);
PELT_API void pelt_weights_destroy(pelt_weights* weights); ///< {0} is allowed, and remains

/// The same in the memory of an arena, for scenes.
PELT_API pelt_result pelt_weights_import(pelt_weights* out, pelt_weights_report* report,
                                         const pelt_weights_source* source, pelt_arena* arena);

/// Give each quaternion of a list the sign that is nearest to the one before, as pelt_track
/// requires of its keys.
/// @param values  4 floats for each of count
PELT_API void pelt_rotations_align(float* values, uint32_t count);

/// Area-weighted vertex normals, for meshes that have none. Vertices without a triangle get +Y.
PELT_API void pelt_normals_compute(pelt_vec3* out, const pelt_vec3* positions,
                                   uint32_t vertex_count, const uint32_t* indices,
                                   uint32_t index_count);

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
} pelt_wrap;

/// Sample a clip. What has no track keeps the stored pose. Rotations have the sign with which the
/// first key of their track is nearest to the stored pose.
/// @param time  seconds; any finite number
PELT_API void pelt_pose_sample(pelt_pose* out, const pelt_scene* scene, const pelt_clip* clip,
                               float time, pelt_wrap wrap);

/// Where in its tracks a clip was sampled last, for playing: one for each thing that plays.
typedef struct pelt_cursor
{
    uint32_t track_count; ///< that there is room for
    uint32_t* keys;       ///< track_count: the key at or before the last time
    uint64_t step_count;  ///< keys that were compared so far, as a measure of the search
} pelt_cursor;

/// Make room for any clip that a scene has now, at the beginning of it.
PELT_API pelt_result pelt_cursor_create(pelt_cursor* out, const pelt_scene* scene);
PELT_API void pelt_cursor_destroy(pelt_cursor* cursor); ///< {0} is allowed

/// pelt_pose_sample() to the bit, without its search in every track: from the key that was found
/// last, the next one is at most three steps away. To jump or to change clips is allowed at any
/// time, and takes about as long as the search. Tracks that the cursor has no room for are
/// searched.
/// @param cursor  moves on; NULL or {0}: has room for none
PELT_API void pelt_pose_play(pelt_pose* out, pelt_cursor* cursor, const pelt_scene* scene,
                             const pelt_clip* clip, float time, pelt_wrap wrap);

/// Interpolate from a (factor 0) to b (factor 1) in local space, so that limbs keep their length.
/// @param out  may equal a or b
PELT_API void pelt_pose_blend(pelt_pose* out, const pelt_pose* a, const pelt_pose* b, float factor);

typedef enum pelt_space
{
    PELT_SPACE_JOINT = 0, ///< the joint's own axes before the change, in units of its parent
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

/// From local frames to the model, parents first, without recursion.
/// @param model_from_node  scene->node_count matrices
PELT_API void pelt_pose_to_model(pelt_mat34* model_from_node, const pelt_scene* scene,
                                 const pelt_pose* pose);

/// Model-space rotations: products of the local ones, which keep their signs, as
/// pelt_palette_unwrap() needs them. Scale does not enter; a mirror counts as the half turn that
/// remains of it.
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

PELT_API pelt_result pelt_palette_create(pelt_palette* out, uint32_t joint_count);
PELT_API void pelt_palette_destroy(pelt_palette* palette);

/// Fill a palette of skin->joint_count joints.
PELT_API void pelt_palette_build(pelt_palette* out, const pelt_skin* skin,
                                 const pelt_mat34* model_from_node);

/// Decompose the matrices into motions and stretches, for programs that have matrices only.
/// Rotations and stretches are those of pelt_mat3_polar() to within 3e-7, relative to the size of
/// the stretch. A palette without motions and stretches stays as it is, and counts as neither rigid
/// nor mixed.
PELT_API void pelt_palette_decompose(pelt_palette* palette);

/// Count the vertices with influences of both mirrored and unmirrored joints. There is no rotation
/// between the two, so every method deforms such a vertex as LBS does. A joint that flattens space
/// has no handedness and goes with either.
PELT_API uint32_t pelt_weights_count_mixed_handedness(const pelt_weights* weights,
                                                      const pelt_palette* palette);

/// A joint of a skin, and where it comes from.
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
/// each joint is taken to have gone the shorter way from one to the other. Only the sign comes from
/// these products. Uniform scale and mirrors do not affect it; with shear it is right as long as
/// shear rotates a joint by less than 180 degrees.
///
/// @param skin       that the palette was built for
/// @param parents    of that skin
/// @param rotations  see pelt_pose_to_rotations()
PELT_API void pelt_palette_unwrap(pelt_palette* palette, const pelt_skin* skin,
                                  const pelt_joint_parent* parents, const pelt_quat* rotations);

// =============================================================================================
// Deform
//
// Six methods, those of pelt_method, with one signature. Each computes the affine map of a vertex
// from the motions of its joints; position, normal and tangent follow from it. These functions are
// the reference: plain, sequential, in float.

/// "lbs", "dqs" ...
PELT_API const char* pelt_method_name(pelt_method method);

/// @return PELT_METHOD_COUNT when there is none of that name
PELT_API pelt_method pelt_method_find(const char* name);

/// What sets a method apart. Programs that offer methods read this instead of comparing with
/// particular ones, so that a new method needs a new row and nothing else.
typedef struct pelt_method_traits
{
    const char* name;     ///< "lbs": for options and files
    const char* title;    ///< "linear blend": for people
    pelt_color color;     ///< in plots, pictures and the viewer; see pelt_series_color()
    bool needs_motions;   ///< motions and stretches in the palette; see pelt_palette_decompose()
    bool needs_centers;   ///< pelt_deform_input.cors
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
} pelt_sign_rule;

/// The three variants of Kavan's shaders.
typedef enum pelt_dqs_variant
{
    PELT_DQS_ANTIPODAL = 0, ///< signs per vertex by the sign rule
    PELT_DQS_BASIC,         ///< signs as in the palette: breaks at large rotations
    PELT_DQS_OPTIMIZED, ///< signs as in the palette, see pelt_palette_align(); no matrix is formed
} pelt_dqs_variant;

/// The reference pose of the logarithms of PELT_METHOD_LMS.
typedef enum pelt_lms_variant
{
    PELT_LMS_RELATIVE = 0, ///< the mean motion of the vertex's joints: invariant under motion of
                           ///< the model, and takes the shorter way
    PELT_LMS_PUBLISHED,    ///< the bind pose, with scale about the origin: spikes where joints have
                           ///< rotated by nearly 180 degrees since
} pelt_lms_variant;

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
    PELT_NORMAL_ACCURATE,     ///< from the derivative of the method over the triangles around the
                              ///< vertex (LBS, DQS, MIX, CRS)
    PELT_NORMAL_PAPER,        ///< from the formula of Tarini et al. 2014, made for LBS and DQS
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
    bool is_exact;      ///< frames and pelt_baked_measure(): by the reference, with the same bits
                        ///< on every machine, though there are deformers

    /// 0 to 1: how far vertices that have moved away from their bones are pushed back, 1 to the
    /// distance that they had at rest. Takes the bulge out of bends under DQS and MIX; works with
    /// every method. Continuous over the surface and in the pose; vertices that have come nearer
    /// stay. Normals and tangents are those without it: call pelt_normals_recompute(). Needs
    /// pelt_deform_input.bones, which frames have. References only: frames use them, and
    /// pelt_deformer_run() and the GPU leave it out. Source: after Kim and Han, "Bulging-free Dual
    /// Quaternion Skinning", 2014; docs/methods.md has the formula.
    float distance_correction;
} pelt_deform_options;

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
    const pelt_vec3* cors;    ///< PELT_METHOD_CRS needs them, the others ignore them
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

/// Output arrays; those that are NULL are not computed. Each may be the input array itself, with
/// the same stride.
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
/// and is exact for vertices with one influence. All methods but LBS treat scale and shear in two
/// phases: stretches are blended linearly, rigid motions as the method defines. A vertex that both
/// mirrored and unmirrored joints influence is deformed by LBS: see
/// pelt_weights_count_mixed_handedness().
///
/// Finite input gives finite results as long as they are in the range of float. What is not becomes
/// infinite or NaN; pelt_surfaces_validate() finds it.
///
/// Normals are transformed by the cofactor matrix of the vertex's linear map, tangents by the map
/// itself; a mirror flips tangent.w. By default both ignore that weights vary over the surface;
/// options->normal_rule takes it into account where there are normals and factors. LMS and SBS
/// support the default only.
PELT_API void pelt_deform(const pelt_surface* out, const pelt_deform_input* input,
                          const pelt_deform_options* options, pelt_range range);

/// Linear blend skinning: the weighted average of the joint matrices. Simple, fast, and collapses
/// where joints rotate far apart: halfway along a twist by angle a, only cos(a / 2) of the radius
/// remains.
/// Source: Magnenat-Thalmann et al. 1988.
PELT_API void pelt_deform_lbs(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Dual quaternion skinning: the rigid motions are averaged as unit dual quaternions. Keeps the
/// radius of a twist; bends bulge, because all vertices rotate about the joint. Under
/// PELT_SCALE_LOCAL the motion of a joint is replaced by the rigid motion with the same rotation
/// that takes this vertex to the same place, so that the pivot of scale is the vertex. Source:
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
/// like DQS, and with two joints rotates by the weighted angle. As published it takes the longer
/// way when joints rotate by more than 90 degrees in opposite directions, and is not invariant when
/// only the pose moves; see pelt_lms_variant. Source: Alexa 2002; Magnenat-Thalmann et al. 2004.
PELT_API void pelt_deform_lms(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Spherical blend: as CRS, but the center is found for each pose, as the point whose images under
/// the joints of the vertex are closest together (least squares). For comparison: it bulges like
/// DQS and tears where neighbors have different joints. Source: Kavan and Zara, "Spherical Blend
/// Skinning", 2005.
PELT_API void pelt_deform_sbs(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Add the morph targets of a mesh to its rest surface, before skinning.
/// @param weights  mesh->morph_count; NULL: the mesh's own
PELT_API void pelt_morph_apply(const pelt_surface* out, const pelt_mesh* mesh, const float* weights,
                               pelt_range range);

/// Whether a mesh is not at rest before skinning.
/// @param weights  mesh->morph_count
PELT_API bool pelt_morph_is_active(const pelt_mesh* mesh, const float* weights);

/// Whether a mesh with normals has morph targets that move vertices and have no normals themselves.
/// @param weights  mesh->morph_count: targets with weight 0 do not count; NULL: all do
PELT_API bool pelt_morph_lacks_normals(const pelt_mesh* mesh, const float* weights);

/// How far such targets move the vertices: for pelt_deform_input.displacements.
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
// Crowds share what is prepared, and are updated in one call:
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
    pelt_surface* own_surfaces; ///< one per instance: the arrays that surfaces starts with
    const pelt_vec3** cors;     ///< one per mesh, for PELT_METHOD_CRS; starts as the mesh's own
    const float** mix_factors;  ///< one per mesh, for PELT_METHOD_MIX; starts as the mesh's own;
                                ///< NULL: options->mix
    pelt_method* methods; ///< one per mesh; PELT_METHOD_COUNT, as it starts, is options->method;
                          ///< set it to pelt_mesh.method to deform as the file specifies
    const pelt_normal_factors** normal_factors; ///< one per mesh, or NULL; starts as the
                                                ///< mesh's own, made with the mesh's own cors
    pelt_joint_parent** joint_parents;          ///< one list per skin
    pelt_quat* rotations;      ///< node_count, for PELT_SIGN_HIERARCHY; not up to date otherwise
    pelt_stencils* stencils;   ///< one per mesh; {0}: no morph target lacks normals
    pelt_vec3** displacements; ///< one list per instance with such a target, else NULL; not up to
                               ///< date under PELT_NORMAL_STANDARD
    const pelt_deformer** deformers; ///< one per mesh; NULL, as it starts, is the reference
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
/// on the machine. Without this, or with options->is_exact, they are those of the reference.
///
/// From now on the frame refers to the arrays of the scene's meshes, and to cors, mix_factors and
/// normal_factors as they are now: their content must not change. Where another array is put in
/// their place the reference is used, until they are prepared again. It is also used for
/// everything that deformers do not cover, see pelt_deformer_run(), and where normals follow morph
/// targets without normals, see pelt_frame_update().
/// @return PELT_OK or PELT_ERROR_MEMORY, after which the frame works, by the reference where it
/// must
PELT_API pelt_result pelt_frame_prepare(pelt_frame* frame, const pelt_scene* scene);

/// Use the deformers of another frame of the same scene, with its cors, mix_factors and
/// normal_factors. The other must outlive this one, and must not be prepared again.
PELT_API void pelt_frame_share(pelt_frame* frame, const pelt_frame* prepared);

/// From pose to surfaces, in parallel through the `run` hook. Palettes are unwrapped or aligned if
/// the options require it. Allocates nothing. Every skinned mesh under PELT_METHOD_CRS needs its
/// entry in frame->cors.
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
/// @return PELT_OK, or PELT_ERROR_DATA with a sentence that names instance and vertex
PELT_API pelt_result pelt_surfaces_validate(const pelt_surface* surfaces, const pelt_scene* scene,
                                            pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
