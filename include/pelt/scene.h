// SPDX-License-Identifier: MIT
// Scenes: meshes, skins, nodes and clips. The first chapter of the manual, see pelt.h.
//
// A scene is plain immutable data: arrays with counts, and indices instead of pointers between
// objects. Build one from your own arrays, or load one (io.h). Units are meters, seconds and
// radians; coordinates are right-handed with Y up; positions of skinned meshes are in the bind
// pose.
#ifndef PELT_SCENE_H
#define PELT_SCENE_H

#include "math3d.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A joint of a skin: its index in pelt_skin.joints.
typedef uint16_t pelt_joint_index;

#define PELT_MAX_JOINTS 65535u   ///< of one skin
#define PELT_NO_JOINT UINT16_MAX ///< where a joint index is expected

/// The influence of one joint on one vertex.
typedef struct pelt_influence
{
    pelt_joint_index joint;
    uint16_t slot; ///< index in the list of the source file, which some sign rules follow
    float weight;
} pelt_influence;

/// See ddm.h.
typedef struct pelt_ddm pelt_ddm;

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
    const pelt_ddm* ddm;              ///< smoothed, for PELT_METHOD_DDM: see ddm.h; or NULL
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
    const char* name; ///< pelt_texture.image refers to it by this name
    const uint8_t* bytes;
    size_t size;
} pelt_image;

/// How alpha is used: the product of the alphas of base color, texture and vertex color.
typedef enum pelt_alpha_mode
{
    PELT_ALPHA_OPAQUE = 0, ///< ignored
    PELT_ALPHA_MASK,       ///< nothing is drawn below the cutoff
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

/// A texture of a material. {0}: none.
typedef struct pelt_texture
{
    const char* image; ///< name of an image of the scene, or else of a file, see
                       ///< pelt_texture_path() in io.h; NULL: there is no texture
    uint32_t uv_set;   ///< which of pelt_mesh_uvs() it is mapped with
    pelt_sampler sampler;
    /// Transform of the UVs, as KHR_texture_transform of glTF: scale, then rotate
    /// counter-clockwise by `rotation` radians, then add the offset. Unused if not is_transformed.
    bool is_transformed;
    float rotation;
    pelt_vec2 offset, scale;
} pelt_texture;

/// What a texture of a material is for.
typedef enum pelt_texture_slot
{
    PELT_SLOT_BASE_COLOR = 0,     ///< sRGB with alpha
    PELT_SLOT_METALLIC_ROUGHNESS, ///< green: roughness, blue: metallic
    PELT_SLOT_NORMAL,             ///< tangent space, green up
    PELT_SLOT_OCCLUSION,          ///< red: 1 where ambient light is not occluded
    PELT_SLOT_EMISSIVE,           ///< sRGB
    PELT_SLOT_COUNT
} pelt_texture_slot;

/// "base color", "metallic-roughness", "normal", "occlusion" or "emissive".
PELT_API const char* pelt_texture_slot_name(pelt_texture_slot slot);

/// The metallic-roughness material of glTF 2.0. For display only: nothing here changes how meshes
/// deform. Factors multiply what textures say.
typedef struct pelt_material
{
    const char* name;
    pelt_vec4 base_color;      ///< linear RGBA, alpha not multiplied in
    float roughness, metallic; ///< 0 to 1
    pelt_vec3 emissive;        ///< linear RGB; above 1 as KHR_materials_emissive_strength
    bool is_double_sided;
    bool is_unlit; ///< shown in its base color, without lighting
    pelt_alpha_mode alpha_mode;
    float alpha_cutoff;       ///< for PELT_ALPHA_MASK, not negative; 0: 0.5
    float normal_scale;       ///< of x and y of the normal texture; unused without one
    float occlusion_strength; ///< 0 to 1: how much the occlusion texture darkens; unused without
    pelt_texture textures[PELT_SLOT_COUNT]; ///< by slot
} pelt_material;

/// See prepare.h, "Accurate normals".
typedef struct pelt_normal_factors pelt_normal_factors;
typedef struct pelt_stencils pelt_stencils;

/// See prepare.h, "Joints".
typedef struct pelt_bones pelt_bones;

/// See bounds.h, "Boxes in files".
typedef struct pelt_mesh_bounds pelt_mesh_bounds;

/// How joints blend; see deform.h for each.
typedef enum pelt_method
{
    PELT_METHOD_LBS = 0, ///< linear blend
    PELT_METHOD_DQS,     ///< dual quaternions
    PELT_METHOD_MIX,     ///< between LBS and DQS by a factor
    PELT_METHOD_CRS,     ///< optimized centers of rotation
    PELT_METHOD_LMS,     ///< log-matrix blend
    PELT_METHOD_SBS,     ///< spherical blend
    PELT_METHOD_DDM,     ///< direct delta mush
    PELT_METHOD_COUNT
} pelt_method;

#define PELT_MAX_UV_SETS 8u ///< of one mesh

/// Which vertex attributes of a glTF file have centers of rotation and mix factors.
typedef enum pelt_carrier
{
    PELT_CARRIER_ATTRIBUTES = 0, ///< _PELT_COR and _PELT_MIX, which some programs drop
    PELT_CARRIER_TEXCOORD,       ///< TEXCOORD_2 and TEXCOORD_3, which those keep
    PELT_CARRIER_COUNT
} pelt_carrier;

PELT_API const char* pelt_carrier_name(pelt_carrier carrier); ///< "attributes", "texcoord"

/// Triangles with one material. Arrays that do not exist are NULL.
typedef struct pelt_mesh
{
    const char* name;
    uint32_t vertex_count;
    uint32_t index_count; ///< three per triangle
    const pelt_vec3* positions;
    const pelt_vec3* normals; ///< unit length
    const pelt_vec4*
        tangents;         ///< xyz unit length, w is +1 or -1: bitangent = w * cross(normal, xyz)
    const pelt_vec2* uvs; ///< (0, 0) is the upper left corner of the texture
    const pelt_vec2* more_uvs[PELT_MAX_UV_SETS - 1]; ///< further UV sets; see pelt_mesh_uvs()
    const pelt_vec4* colors;                         ///< linear RGBA
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
    pelt_carrier carrier;           ///< of cors and mix_factors: see pelt_scene_set_carrier()
    const pelt_mesh_bounds* bounds; ///< boxes, see pelt_scene_add_bounds(); or NULL
} pelt_mesh;

/// A UV set of a mesh: 0 is `uvs`, the others are `more_uvs`.
/// @return vertex_count UVs, or NULL if the mesh has no such set
PELT_API const pelt_vec2* pelt_mesh_uvs(const pelt_mesh* mesh, uint32_t uv_set);

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
    PELT_INTERPOLATION_CUBIC, ///< Hermite; keys hold in-tangent, value, out-tangent (1/s)
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
    uint32_t width;      ///< floats per value: 3, 4 or the number of morph targets
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

/// A helper joint: a node whose transform follows from two joints, its parent and a source, instead
/// of from clips; see pelt_helper_evaluate() for the rule and pelt_helpers_add() for what it is
/// good for. It has no children, and neither joint is a helper itself.
typedef struct pelt_helper
{
    uint32_t node;                 ///< the helper; its parent is the first joint
    uint32_t source;               ///< node of the second joint
    float factor;                  ///< 0: moves as the parent; 1: as the source
    pelt_vec3 center;              ///< of rotation, in the parent's own space in the bind pose
    pelt_mat34 source_from_parent; ///< between the spaces of the two joints in the bind pose
} pelt_helper;

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
    PELT_REPAIR_BOUNDS_DROPPED,   ///< its boxes were

    // Only when asked for: pelt_load_options.is_checked. Nothing had to be changed.
    PELT_REPAIR_PADDING_JOINTS, ///< joints that do not exist, with weight 0
    PELT_REPAIR_BIND_ROW,       ///< inverse bind matrices whose last row is not 0 0 0 1
    PELT_REPAIR_SKELETON_ROOT,  ///< joints without a common root, or not below that of the skin
    PELT_REPAIR_MISSING_BOUNDS, ///< positions or key times without min and max
    PELT_REPAIR_BYTE_STRIDE,    ///< strides that are missing, misaligned or not allowed there
    PELT_REPAIR_SKIN_TYPES,     ///< joints or weights of a component type that glTF forbids
} pelt_repair_kind;

/// Something that was fixed on load, as one sentence. Not every reader knows count, mesh and clip.
typedef struct pelt_repair
{
    const char* message;
    pelt_repair_kind kind;
    uint32_t count; ///< vertices, numbers, rotations or keys; 0: not counted
    float value;    ///< see the kinds; 0 for the others
    uint32_t mesh;  ///< or PELT_NONE
    uint32_t clip;  ///< or PELT_NONE
} pelt_repair;

/// Something in the source file that a scene cannot hold. Files written from the scene lack it.
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
    PELT_FORMAT_ASSIMP, ///< Collada and other formats that assimp reads
} pelt_format;

typedef struct pelt_scene
{
    const char* name;
    pelt_format format; ///< of the file it was read from; PELT_FORMAT_UNKNOWN: none
    uint32_t node_count, mesh_count, skin_count, instance_count;
    uint32_t clip_count, material_count, image_count, repair_count, loss_count, helper_count;
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
    const pelt_helper* helpers;
    pelt_arena* arena; ///< owns every array above, and the scene; NULL: they are yours
} pelt_scene;

/// Check what everything below relies on: arrays where there are counts, indices in range, parents
/// before children, finite numbers, unit rotations, packed weights, keys in order, at most
/// PELT_MAX_JOINTS joints in a skin, and less than PELT_NONE vertices, indices, influences, morph
/// targets and joints in all meshes, instances and skins together. The lengths of normals and
/// tangents are not checked. A scene that was loaded is valid.
PELT_API pelt_result pelt_scene_validate(const pelt_scene* scene, pelt_error* error);

/// Free a scene and everything that it owns; NULL is allowed.
PELT_API void pelt_scene_destroy(pelt_scene* scene);

/// @return index, or PELT_NONE
PELT_API uint32_t pelt_scene_find_node(const pelt_scene* scene, const char* name);
PELT_API uint32_t pelt_scene_find_clip(const pelt_scene* scene, const char* name);
PELT_API uint32_t pelt_scene_find_image(const pelt_scene* scene, const char* name);

/// The first joint of a skin that is this node. @return index into joints, or PELT_NONE
PELT_API uint32_t pelt_skin_find_joint(const pelt_skin* skin, uint32_t node);

/// The clip to play when none was chosen: the first in which anything moves, else the first that
/// has tracks, else the first. Some exporters write an empty take before the real ones.
/// @return index, or PELT_NONE when there are no clips
PELT_API uint32_t pelt_scene_default_clip(const pelt_scene* scene);

/// Find, for each node of another scene, the node of the same name here. Nodes that share a name
/// are matched in their order: the first with the first, the second with the second.
///
/// What is left over is matched without prefixes: of Maya's namespaces ("hero:Hips"), and of Mixamo
/// in the spellings of FBX and of files that other tools made of it ("mixamorig:Hips",
/// "mixamorig1:Hips", "mixamorigHips", "mixamorig_Hips").
/// @param out  from->node_count nodes of `scene`, or PELT_NONE where there is none
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_match_nodes(uint32_t* out, const pelt_scene* scene,
                                            const pelt_scene* from);

/// How the rest pose of another scene differs from that of a scene, over joints whose nodes match.
typedef struct pelt_rest_difference
{
    uint32_t bone_count; ///< bones whose length the clips of the other scene set, as they move the
                         ///< joint by translations; 0: the three ratios are 1
    float shortest, longest, median; ///< their lengths as parts of those of the scene
    uint32_t bone;                   ///< node of the scene that differs most; PELT_NONE: no bone
    float angle;    ///< largest between rotations in the rest poses, relative to the scene; radians
    uint32_t joint; ///< node of the scene where that is; PELT_NONE: no joint matches
} pelt_rest_difference;

/// Compare rest poses, to tell whether clips of another scene need to be retargeted.
/// @param from  has clips for joints of the scene
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_compare_rest(pelt_rest_difference* out, const pelt_scene* scene,
                                             const pelt_scene* from);

typedef struct pelt_add_clips_options
{
    const char* label; ///< where the clips come from, such as a file name without its ending; may
                       ///< be NULL
    /// Apply motion relative to the rest poses: each joint rotates in the space of the scene as it
    /// does in the other scene, and moves as far in relation to the length of bones. Otherwise keys
    /// are copied unchanged.
    bool is_relative_to_rest;
} pelt_add_clips_options;

typedef struct pelt_add_clips_report
{
    uint32_t clip_count;    ///< clips that were added
    uint32_t track_count;   ///< of these clips
    uint32_t dropped_count; ///< tracks whose node or instance is not here
    uint32_t held_count;    ///< of track_count: joints that do not move in a clip, but have another
                            ///< rotation in its rest pose than here
} pelt_add_clips_report;

/// Add the clips of another scene with the same skeleton, such as a file with one more motion.
///
/// Tracks go to the node of the same name (pelt_scene_match_nodes()), those of morph targets to the
/// instance of a mesh with the same name and number of targets. By default keys are copied
/// unchanged: if both scenes have the same rest pose, clips give the same poses to the bit. A joint
/// without a rotation track holds the rest rotation of the other scene; other properties without a
/// track keep the rest pose of this scene. A clip without any matching track is left out.
///
/// Relative to the rest poses, a rotation key q becomes P^-1 P' q W'^-1 W, where W is the rotation
/// of the joint and P that of its parent in the rest pose, relative to the scene, and primes denote
/// the other scene. Translations are multiplied by the median ratio of bone lengths.
///
/// A clip whose name is taken gets the label as a suffix: "walk" becomes "walk (label)", then
/// "walk (label 2)"; without a label "walk 2". A name that says nothing, such as "mixamo.com" or
/// "Take 001" (pelt_clip_name_is_generic()), is replaced by the label.
///
/// @param inout    its clips are replaced by a list that starts with them; the rest does not change
/// @param report   may be NULL
/// @param from     its clips are copied: it may be destroyed afterwards
/// @param options  NULL: defaults
/// @param arena    owns the copies; scene->arena, or another that lives as long
/// @return PELT_OK, or PELT_ERROR_MEMORY with the scene as it was
PELT_API pelt_result pelt_scene_add_clips(pelt_scene* inout, pelt_add_clips_report* report,
                                          const pelt_scene* from,
                                          const pelt_add_clips_options* options, pelt_arena* arena);

/// Whether the name of a clip is one that programs write when nobody has chosen a name:
/// "mixamo.com", "Take 001", "Motion", "Armature|Action.001" and the like.
PELT_API bool pelt_clip_name_is_generic(const char* name);

/// Choose in which attributes files store the centers and mix factors of the meshes that have any.
/// Meshes with UV sets 2 or 3 of their own keep _PELT_COR and _PELT_MIX.
/// @param inout  a copy of the struct of a scene; its meshes are replaced
/// @param kept_count  such meshes; may be NULL
/// @param arena  owns the new list of meshes
/// @return PELT_OK, or PELT_ERROR_MEMORY with *inout unchanged
PELT_API pelt_result pelt_scene_set_carrier(pelt_scene* inout, uint32_t* kept_count,
                                            pelt_carrier carrier, pelt_arena* arena);

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

/// Callbacks for each array and string that a scene refers to. The returned pointer replaces the
/// one that was passed in; after NULL, nothing that the array's elements refer to is visited.
typedef struct pelt_scene_visitor
{
    void* (*array)(const void* array, size_t count, size_t size, void* user);
    const char* (*string)(const char* text, void* user);
    void* user; ///< passed to both
} pelt_scene_visitor;

/// Visit every array and string of a scene that is not NULL, always in the same order, arrays
/// before what their elements refer to: to copy, measure, serialize or deserialize a scene.
/// Elements are changed in the array that `array` returns, which must be writable.
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
    uint32_t without_weight; ///< no influence is left: stays at its rest position
} pelt_weights_report;

/// Check a source before pelt_weights_create(): one array of joints and one of weights, offsets
/// that do not decrease, less than PELT_NONE influences, and no influence that
/// pelt_weights_create() would drop: joints that do not exist, negative weights and numbers that
/// are not finite. Sums are not checked.
/// @return PELT_OK, or PELT_ERROR_ARGUMENT with a message that names the vertex
PELT_API pelt_result pelt_weights_source_validate(const pelt_weights_source* source,
                                                  pelt_error* error);

/// Sort, merge and normalize weights into the form that pelt_weights describes. Influences with
/// weight 0 are dropped, also if their joint does not exist. The result does not depend on the
/// order of the influences of a vertex, apart from `slot`.
/// @param out     free with pelt_weights_destroy(); {0} after a failure
/// @param report  may be NULL
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_weights_create(pelt_weights* out, const pelt_weights_source* source,
                                         pelt_weights_report* report);
PELT_API void pelt_weights_destroy(pelt_weights* weights); ///< {0} is allowed, and remains

/// As pelt_weights_create(), in the memory of an arena, for scenes.
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

#ifdef __cplusplus
}
#endif

#endif
