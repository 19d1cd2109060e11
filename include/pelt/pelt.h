// SPDX-License-Identifier: MIT
// pelt deforms skinned characters. This header is the manual of the core library; read it top to
// bottom, in the order of a program: hooks, scene, pose, palette, deform. What is computed once for
// a character, before it moves, is in prepare.h.
#ifndef PELT_PELT_H
#define PELT_PELT_H

#include "base.h"
#include "math3d.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Scene
//
// Plain immutable data: arrays with counts, indices instead of pointers between objects. Build
// one from your own arrays, or let a reader or a built-in rig make it. Meters, seconds,
// radians; right handed, Y up; positions of skinned meshes are those of the bind pose.

/// A joint of a skin: its place in pelt_skin.joints.
typedef uint16_t pelt_joint_index;

#define PELT_MAX_JOINTS 65535u   ///< of one skin
#define PELT_NO_JOINT UINT16_MAX ///< where a joint index is expected

/// One joint pulling on one vertex.
typedef struct pelt_influence
{
    pelt_joint_index joint;
    uint16_t slot; ///< place in the source's own list: the sign rules of other programs follow it
    float weight;
} pelt_influence;

/// Influences of every vertex, packed end to end: vertex v owns influences[first[v]] up to
/// influences[first[v + 1]], strongest first, equal weights by ascending joint. Weights of a
/// vertex are positive, name each joint once and sum to one; a vertex without influences stays
/// at its rest position. pelt_weights_create() makes such a list of whatever a vertex buffer holds.
typedef struct pelt_weights
{
    uint32_t vertex_count;
    uint32_t joint_count;
    uint32_t influence_count;         ///< == first[vertex_count]
    uint32_t max_influences;          ///< most influences on one vertex
    const uint32_t* first;            ///< vertex_count + 1 offsets
    const pelt_influence* influences; ///< influence_count
} pelt_weights;

/// Displacements of one shape, added before skinning, each times the weight of the shape.
typedef struct pelt_morph
{
    const char* name;
    const pelt_vec3* positions; ///< vertex_count, or NULL
    const pelt_vec3* normals;   ///< vertex_count, or NULL
    const pelt_vec3* tangents;  ///< vertex_count, or NULL
} pelt_morph;

/// A picture that lies inside the source file, as it lies there: PNG, JPEG or another format.
typedef struct pelt_image
{
    const char* name; ///< what materials call it
    const uint8_t* bytes;
    size_t size;
} pelt_image;

/// What alpha means: that of the base color times those of its texture and of the vertex.
typedef enum pelt_alpha_mode
{
    PELT_ALPHA_OPAQUE = 0, ///< nothing
    PELT_ALPHA_MASK,       ///< the surface has holes where it is below the cutoff
    PELT_ALPHA_BLEND,      ///< how much of what is behind the surface hides
} pelt_alpha_mode;

typedef enum pelt_texture_wrap
{
    PELT_TEXTURE_REPEAT = 0,
    PELT_TEXTURE_CLAMP,  ///< the texels at the edge go on
    PELT_TEXTURE_MIRROR, ///< repeats, every other one mirrored
} pelt_texture_wrap;

typedef enum pelt_texture_filter
{
    PELT_TEXTURE_LINEAR = 0,
    PELT_TEXTURE_NEAREST,
} pelt_texture_filter;

/// Which of the smaller copies of a texture is read where it is drawn smaller.
typedef enum pelt_texture_mips
{
    PELT_MIPS_LINEAR = 0, ///< between the two nearest in size
    PELT_MIPS_NEAREST,
    PELT_MIPS_NONE, ///< the texture itself
} pelt_texture_mips;

/// How a texture is read; {0} repeats, smooth at any size.
typedef struct pelt_sampler
{
    pelt_texture_wrap wrap_u, wrap_v;
    pelt_texture_filter mag_filter, min_filter; ///< drawn larger, drawn smaller
    pelt_texture_mips mips;
} pelt_sampler;

/// For display only.
typedef struct pelt_material
{
    const char* name;
    pelt_vec4 base_color; ///< linear RGBA, alpha not multiplied in
    const char* texture;  ///< of the base color: name of an image of the scene, or else a file,
                          ///< see pelt_texture_load(); or NULL
    float roughness, metallic; ///< 0 to 1
    bool is_double_sided;
    bool is_unlit; ///< the base color is what is seen, whatever the light
    pelt_alpha_mode alpha_mode;
    float alpha_cutoff; ///< for PELT_ALPHA_MASK, not negative; 0: 0.5
    pelt_sampler sampler;
} pelt_material;

/// See prepare.h, "Normals that know about weights".
typedef struct pelt_normal_factors pelt_normal_factors;
typedef struct pelt_stencils pelt_stencils;

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
    /// The method that the file asks for, as SkinningType of FBX does; false: it does not say.
    /// Functions take the method of their options all the same, unless pelt_frame.methods has it.
    bool has_method;
    pelt_method method;
    uint32_t morph_count;
    const pelt_morph* morphs;
    const float* morph_weights; ///< morph_count defaults; NULL: all 0
    uint32_t material;          ///< or PELT_NONE
} pelt_mesh;

/// One frame of the hierarchy. A node that a skin names is a joint.
typedef struct pelt_node
{
    const char* name;
    uint32_t parent;     ///< smaller than the node's own index, or PELT_NONE
    pelt_transform rest; ///< relative to the parent, in the pose the source stores
} pelt_node;

/// The joints that carry a mesh. Several skins may share nodes; they need not be one tree.
typedef struct pelt_skin
{
    const char* name;
    uint32_t joint_count;
    const uint32_t* joints;          ///< joint_count node indices
    const pelt_mat34* inverse_binds; ///< joint_count: from bind space to the joint's own space
} pelt_skin;

/// A mesh put into the scene.
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
/// A rotation and its negative turn alike, but a joint that turns further than half a turn is known
/// by the sign (PELT_SIGN_HIERARCHY). Each key of a LINEAR or STEP rotation therefore has the sign
/// nearest to the key before: readers see to it, and so does pelt_rotations_align(). CUBIC keys are
/// what they are, since the way between them depends on their signs.
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
    PELT_REPAIR_CORS_DROPPED,    ///< a mesh's centers of rotation do not fit it, or are broken
    PELT_REPAIR_NORMALS_DROPPED, ///< the same of its normal factors
} pelt_repair_kind;

/// Something the reader had to fix, as one sentence.
typedef struct pelt_repair
{
    const char* message;
    pelt_repair_kind kind;
} pelt_repair;

/// Something of the source that a scene has no place for, so that a file written from the scene
/// lacks it.
typedef struct pelt_loss
{
    const char* what; ///< "2 normal textures"
} pelt_loss;

/// Kinds of files, see io.h.
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

/// Check what everything below relies on, so that nothing later has to: arrays where there are
/// counts, indices in range, parents first, finite numbers, unit rotations, packed weights, keys in
/// order. Directions are not measured.
PELT_API pelt_result pelt_scene_validate(const pelt_scene* scene, pelt_error* error);

/// Free a scene that has an arena; NULL is allowed.
PELT_API void pelt_scene_destroy(pelt_scene* scene);

/// @return index, or PELT_NONE
PELT_API uint32_t pelt_scene_find_node(const pelt_scene* scene, const char* name);
PELT_API uint32_t pelt_scene_find_clip(const pelt_scene* scene, const char* name);
PELT_API uint32_t pelt_scene_find_image(const pelt_scene* scene, const char* name);

/// The clip to show when nobody asks for one: the first in which a node or shape changes as time
/// goes by, else the first that has tracks, else the first. Exporters like to write an empty take
/// before the real ones.
/// @return index, or PELT_NONE when there are no clips
PELT_API uint32_t pelt_scene_default_clip(const pelt_scene* scene);

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

/// What to do with each array and string that a scene refers to. What a function returns takes the
/// place of what it was given; NULL also stands for everything that its elements refer to.
typedef struct pelt_scene_visitor
{
    void* (*array)(const void* array, size_t count, size_t size, void* user);
    const char* (*string)(const char* text, void* user);
    void* user; ///< handed to both
} pelt_scene_visitor;

/// Visit every array and string of a scene that is not NULL, always in the same order, arrays
/// before what their elements refer to: to copy a scene, to measure it, to write it somewhere or to
/// read it from there. Elements are changed in what `array` returns, which must be writable.
/// Nothing needs to be valid that has not been visited yet.
PELT_API void pelt_scene_visit(pelt_scene* scene, const pelt_scene_visitor* visitor);

/// Weights as they come: any order, any sum. One array of joints and one of weights are given.
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
    uint32_t weight_stride;  ///< the same; both have no effect on lists with `first`
    uint32_t max_influences; ///< keep only the strongest; 0: all
} pelt_weights_source;

/// What pelt_weights_create() had to fix, in vertices.
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

/// Make a list that keeps the promises of pelt_weights. Weights of 0 vanish, whatever joint
/// they name. The result does not depend on the order of the influences of a vertex, apart from
/// `slot`.
/// @param out     free with pelt_weights_destroy(); {0} after a failure
/// @param report  may be NULL
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_weights_create(pelt_weights* out, const pelt_weights_source* source,
                                         pelt_weights_report* report);
PELT_API void pelt_weights_destroy(pelt_weights* weights); ///< {0} is allowed, and remains

/// The same in the memory of an arena, for scenes.
PELT_API pelt_result pelt_weights_import(pelt_weights* out, pelt_weights_report* report,
                                         const pelt_weights_source* source, pelt_arena* arena);

/// Give each of a list of rotations the sign nearest to the one before, as pelt_track wants its
/// keys.
/// @param values  4 floats for each of count
PELT_API void pelt_rotations_align(float* values, uint32_t count);

/// Area-weighted vertex normals, for meshes that bring none. Vertices of no triangle get +Y.
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

/// Allocate a pose and fill it with the one that the scene stores.
PELT_API pelt_result pelt_pose_create(pelt_pose* out, const pelt_scene* scene);
PELT_API void pelt_pose_destroy(pelt_pose* pose);

/// The pose that the scene stores.
PELT_API void pelt_pose_rest(pelt_pose* out, const pelt_scene* scene);

typedef enum pelt_wrap
{
    PELT_WRAP_CLAMP = 0, ///< hold the first and the last frame
    PELT_WRAP_LOOP,      ///< time modulo duration
} pelt_wrap;

/// Sample a clip. What has no track takes the stored pose. The first key of a rotation is taken
/// with the sign nearest to the stored pose, and those after it follow.
/// @param time  seconds; any finite number
PELT_API void pelt_pose_sample(pelt_pose* out, const pelt_scene* scene, const pelt_clip* clip,
                               float time, pelt_wrap wrap);

/// From a (factor 0) to b (factor 1), in the local frames, so that limbs keep their length.
/// @param out  may equal a or b
PELT_API void pelt_pose_blend(pelt_pose* out, const pelt_pose* a, const pelt_pose* b, float factor);

typedef enum pelt_space
{
    PELT_SPACE_JOINT = 0, ///< the joint's own axes before the change, in units of its parent
    PELT_SPACE_MODEL,     ///< the axes of the model
} pelt_space;

/// A change to one joint, on top of whatever pose there is: for experiments.
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

/// The rotations alone, as products of the local ones with the signs that these have: what
/// pelt_palette_unwrap() needs. Scale does not enter, but for the half turn that is left of a
/// mirror.
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
    bool is_rigid;        ///< every stretch is the identity (to 2e-6): no scale, shear or mirror
    bool is_mixed;        ///< some joints mirror and some do not; see pelt_weights_count_mixed()
    pelt_mat34* matrices; ///< joint_count
    pelt_dquat* motions;  ///< joint_count, unit; real.w >= 0 until they are aligned or wound
    pelt_mat3* stretches; ///< joint_count, negative definite for a joint that mirrors
} pelt_palette;

PELT_API pelt_result pelt_palette_create(pelt_palette* out, uint32_t joint_count);
PELT_API void pelt_palette_destroy(pelt_palette* palette);

/// Fill a palette of skin->joint_count joints.
PELT_API void pelt_palette_build(pelt_palette* out, const pelt_skin* skin,
                                 const pelt_mat34* model_from_node);

/// Fill the rest from the matrices, for programs that have only those.
PELT_API void pelt_palette_decompose(pelt_palette* palette);

/// Count the vertices that mirrored and unmirrored joints pull on: some mirror, others do not.
/// There is no rotation between them, so that every method deforms such a vertex as LBS does. A
/// joint that flattens space has no hand, and goes with either.
PELT_API uint32_t pelt_weights_count_mixed(const pelt_weights* weights,
                                           const pelt_palette* palette);

/// A joint of a skin, and where it comes from.
typedef struct pelt_joint_parent
{
    pelt_joint_index joint;
    pelt_joint_index parent; ///< the nearest joint of the skin above it, or PELT_NO_JOINT
    uint32_t node;           ///< of the joint
    pelt_quat bind; ///< its rotation in the bind pose; see pelt_palette_unwrap() for the sign
} pelt_joint_parent;

/// List the joints of a skin, parents before children: once for a skin, not for each frame.
/// @param out  skin->joint_count
PELT_API void pelt_joint_parents_find(pelt_joint_parent* out, const pelt_skin* skin,
                                      const pelt_scene* scene);

/// Give the quaternion of each joint the sign nearest to that of its parent joint, as
/// PELT_DQS_OPTIMIZED wants it.
/// @param parents  of its skin
PELT_API void pelt_palette_align(pelt_palette* palette, const pelt_joint_parent* parents);

/// Give the quaternion of each joint the sign of the way it was turned, as PELT_SIGN_HIERARCHY
/// wants it. The sign is that of the parent joint times the side of the local turn since the bind
/// pose: four joints turned by 60 degrees each are 240 apart, and not -120, and a joint turned by
/// 270 stays so.
///
/// The local turn is that of the pose's rotations, all nodes between the two joints included; where
/// the stored pose is not the bind pose, each joint has gone the shorter way from one to the other.
/// Only the sign is taken from these products, that one which is nearer to the palette's own
/// rotation. Uniform scale and mirrors leave the two equal; shear turns them apart, and the sign is
/// right as long as that is less than half a turn.
///
/// @param skin      that the palette was built for
/// @param parents  of that skin
/// @param rotations     see pelt_pose_to_rotations()
PELT_API void pelt_palette_unwrap(pelt_palette* palette, const pelt_skin* skin,
                                  const pelt_joint_parent* parents, const pelt_quat* rotations);

// =============================================================================================
// Deform
//
// Six methods, those of pelt_method, with one signature. Each finds the affine motion of a vertex
// from those of its joints; positions, normals and tangents follow from it. The functions here are
// the reference: plain, sequential, float.

/// "lbs", "dqs" ...
PELT_API const char* pelt_method_name(pelt_method method);

/// @return PELT_METHOD_COUNT when there is none of that name
PELT_API pelt_method pelt_method_find(const char* name);

/// Which of q and -q enters a blend of quaternions.
typedef enum pelt_sign_rule
{
    PELT_SIGN_HEAVIEST = 0, ///< nearest to the strongest influence; never depends on their order
    PELT_SIGN_RUNNING,      ///< nearest to the sum so far, in the source's order (Blender)
    PELT_SIGN_FIRST,        ///< nearest to the source's first influence (OGRE)
    PELT_SIGN_HIERARCHY,    ///< as it stands, see pelt_palette_unwrap(): twists beyond half a turn,
                            ///< up to less than a whole turn between the joints of a vertex
} pelt_sign_rule;

/// The three ways of Kavan's shaders.
typedef enum pelt_dqs_variant
{
    PELT_DQS_ANTIPODAL = 0, ///< signs per vertex by the sign rule
    PELT_DQS_BASIC,         ///< signs as they stand in the palette: breaks at large rotations
    PELT_DQS_OPTIMIZED,     ///< signs as they stand, see pelt_palette_align(); no matrix is formed
} pelt_dqs_variant;

/// From where the logarithms of PELT_METHOD_LMS are taken.
typedef enum pelt_lms_variant
{
    PELT_LMS_RELATIVE = 0, ///< from the mean motion of the vertex's joints: moves along with the
                           ///< pose, and takes the short way round
    PELT_LMS_PUBLISHED,    ///< from the bind pose, scale about the origin: spikes where joints have
                           ///< turned by nearly half a turn since
} pelt_lms_variant;

/// About which point joints scale and shear when their rotations are averaged.
typedef enum pelt_scale_pivot
{
    PELT_SCALE_LOCAL = 0, ///< dqs, lms: the vertex; crs, sbs: its center. Moves along with the
                          ///< model
    PELT_SCALE_ORIGIN,    ///< the origin of the mesh
} pelt_scale_pivot;

/// How normals and tangents follow. All but STANDARD need pelt_deform_input.normal_factors.
typedef enum pelt_normal_rule
{
    PELT_NORMAL_STANDARD = 0, ///< by the motion of the vertex alone, as if weights were constant
    PELT_NORMAL_ACCURATE,     ///< by the derivative of the method over the triangles around the
                              ///< vertex (LBS, DQS, MIX, CRS)
    PELT_NORMAL_PAPER,        ///< by the formula of Tarini et al. 2014, made for LBS and DQS
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
    float normal_clamp; ///< PELT_NORMAL_PAPER: longest correction of a frame vector, as a part of
                        ///< its length under the strongest joint, so that folds do not turn
                        ///< normals over; 0: 0.9, below 0: no limit
} pelt_deform_options;

/// What other programs do, by name: sign rule, pivot of scale and normals go together.
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

/// Set what a convention speaks of, and leave the other options. The rule for normals becomes
/// PELT_NORMAL_STANDARD in each, the only one that other programs have.
PELT_API void pelt_convention_apply(pelt_deform_options* options, pelt_convention convention);

/// Whether the program takes normals from the deformed triangles: then pelt_normals_recompute()
/// follows the deformation.
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
    /// How far positions were moved from rest where normals and tangents do not know of it, by
    /// shapes without normals for instance: see pelt_morph_displace(). Normals and tangents are
    /// then carried along first, and the derivatives of the other rules are taken on the displaced
    /// surface. Of all vertices, not only those in range; or NULL.
    const pelt_vec3* displacements;
    const pelt_stencils* stencils; ///< of the mesh; needed where there are displacements
    const pelt_weights* weights;   ///< who pulls on what
    const pelt_palette* palette;   ///< weights->joint_count joints, or more
} pelt_deform_input;

/// Where results go; NULL arrays are not wanted. Each may be the input array itself, with the same
/// stride.
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

/// Deform the vertices in range, and only those: threads may share a mesh, and splitting the
/// work differently never changes the result.
///
/// Every method gives the rest pose back at rest, follows when mesh, skeleton and pose are
/// moved together, and is exact where a vertex has one influence. Joints that scale or shear go
/// through two phases in all methods but LBS: stretches are blended linearly, rigid motions as
/// the method says. Where mirrored and unmirrored joints meet, all methods are LBS: see
/// pelt_weights_count_mixed().
///
/// Finite input gives finite results as long as float can hold them: matrices of 1e-30 and 1e30
/// carry normals as well as others do. What it cannot hold becomes infinite or NaN, and
/// pelt_surfaces_validate() finds it.
///
/// Normals are carried by the cofactor of the vertex's linear map, tangents by the map; a
/// mirror flips tangent.w. By default both ignore that weights vary from vertex to vertex;
/// options->normal_rule takes it into account where there are normals and factors. LMS and SBS
/// know the default only.
PELT_API void pelt_deform(const pelt_surface* out, const pelt_deform_input* input,
                          const pelt_deform_options* options, pelt_range range);

/// Linear blend skinning: the joint matrices are averaged. Simple, fast, and collapses where
/// joints differ much: a half-shared twist by a keeps only cos(a / 2) of its radius.
/// Source: Magnenat-Thalmann et al. 1988.
PELT_API void pelt_deform_lbs(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Dual quaternion skinning: the rigid motions are averaged as unit dual quaternions. Keeps the
/// radius of a twist; bends bulge, because all vertices turn about the joint.
/// Under PELT_SCALE_LOCAL, a joint's motion is replaced by the rigid motion of the same rotation
/// that takes this vertex where the joint takes it; so the pivot of scale is the vertex. Source:
/// Kavan et al., "Geometric Skinning with Approximate Dual Quaternion Blending", 2008.
PELT_API void pelt_deform_dqs(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// The matrices of LBS and DQS, averaged by a factor; exactly those at 0 and 1.
PELT_API void pelt_deform_mix(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Centers of rotation: the rotation is the average quaternion, and the vertex turns about its
/// own center, which moves as under LBS. Neither collapses in a twist nor bulges much in a
/// bend. Source: Le and Hodgins, "Real-time Skeletal Skinning with Optimized Centers of
/// Rotation", 2016.
PELT_API void pelt_deform_crs(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Log-matrix blend: the logarithms of the rigid motions are averaged. For comparison: it
/// bulges like DQS, and for two joints turns by the weighted angle. As published, it takes the long
/// way round once joints turn by more than 90 degrees in opposite senses, and does not move along
/// when only the pose is moved; see pelt_lms_variant. Source: Alexa 2002; Magnenat-Thalmann et al.
/// 2004.
PELT_API void pelt_deform_lms(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Spherical blend: as CRS, but the center is the point that the joints of the vertex agree
/// best upon, by least squares, for each pose. For comparison: it bulges like DQS and tears
/// where neighbors have different joints. Source: Kavan and Zara, "Spherical Blend Skinning",
/// 2005.
PELT_API void pelt_deform_sbs(const pelt_surface* out, const pelt_deform_input* input,
                              const pelt_deform_options* options, pelt_range range);

/// Add the shapes of a mesh to its rest surface, before skinning.
/// @param weights  mesh->morph_count; NULL: the mesh's own
PELT_API void pelt_morph_apply(const pelt_surface* out, const pelt_mesh* mesh, const float* weights,
                               pelt_range range);

/// Whether shapes move vertices of a mesh with normals and bring no normals themselves.
/// @param weights  mesh->morph_count: shapes with weight 0 do not count; NULL: all do
PELT_API bool pelt_morph_lacks_normals(const pelt_mesh* mesh, const float* weights);

/// How far such shapes move the vertices: for pelt_deform_input.displacements.
/// @param out      mesh->vertex_count; only those in range are written
/// @param weights  mesh->morph_count; NULL: the mesh's own
PELT_API void pelt_morph_displace(pelt_vec3* out, const pelt_mesh* mesh, const float* weights,
                                  pelt_range range);

// =============================================================================================
// Frame
//
// All buffers of a scene at one moment: the whole pipeline in one call, for programs that want no
// other memory plan.

typedef struct pelt_frame
{
    uint32_t node_count, skin_count, mesh_count, instance_count; ///< of the scene
    pelt_mat34* model_from_node;                                 ///< node_count
    pelt_palette* palettes;                                      ///< one per skin
    pelt_surface* surfaces;    ///< one per instance, in model space; packed
    const pelt_vec3** cors;    ///< one per mesh, for PELT_METHOD_CRS; starts as the mesh's own
    const float** mix_factors; ///< one per mesh, for PELT_METHOD_MIX; starts as the mesh's own;
                               ///< NULL: options->mix
    pelt_method* methods;      ///< one per mesh; starts as PELT_METHOD_COUNT: options->method; put
                               ///< pelt_mesh.method there to deform as the file asks for
    const pelt_normal_factors** normal_factors; ///< one per mesh, or NULL; starts as the
                                                ///< mesh's own, made with the mesh's own cors
    pelt_joint_parent** joint_parents;          ///< one list per skin
    pelt_quat* rotations;      ///< node_count, for PELT_SIGN_HIERARCHY; not up to date otherwise
    pelt_stencils* stencils;   ///< one per mesh; {0}: no shape lacks normals
    pelt_vec3** displacements; ///< one list per instance with such a shape, else NULL; not up to
                               ///< date under PELT_NORMAL_STANDARD
    pelt_arena* arena;
} pelt_frame;

/// Allocate for a scene. The frame holds no reference to it.
PELT_API pelt_result pelt_frame_create(pelt_frame* out, const pelt_scene* scene);
PELT_API void pelt_frame_destroy(pelt_frame* frame);

/// Pose to surfaces, in parallel by the `run` hook. Palettes are wound or aligned if the options
/// ask for it. Allocates nothing. Every skinned mesh under PELT_METHOD_CRS needs its entry in
/// frame->cors.
///
/// Shapes that bring no normals leave them as they are under PELT_NORMAL_STANDARD, as glTF has it;
/// under the other rules normals and tangents follow them, in meshes without a skin too.
PELT_API void pelt_frame_update(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                                const pelt_deform_options* options);

/// Check that every number of some surfaces is finite. Poses and models may hold numbers whose
/// products leave the range of float; what comes out then is no mesh, and writers refuse it.
/// @param surfaces  one per instance
/// @return PELT_OK, or PELT_ERROR_DATA with a sentence that names instance and vertex
PELT_API pelt_result pelt_surfaces_validate(const pelt_surface* surfaces, const pelt_scene* scene,
                                            pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
