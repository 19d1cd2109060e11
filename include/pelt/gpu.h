// SPDX-License-Identifier: MIT
// What GPU skinning needs from any graphics API: data layouts and the shader library as text. Needs
// no OpenGL and no other library but the core. Link libpelt_gpu.
#ifndef PELT_GPU_H
#define PELT_GPU_H

#include "crowd.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Layout
//
// The data of a vertex and of a joint on the GPU, and their size. The methods with shaders are LBS,
// DQS, MIX and CRS.

/// Vertex attributes; the value is the location in all shaders.
typedef enum pelt_attribute
{
    PELT_ATTRIBUTE_POSITION = 0, ///< vec3
    PELT_ATTRIBUTE_NORMAL,       ///< vec3
    PELT_ATTRIBUTE_TANGENT,      ///< vec4
    PELT_ATTRIBUTE_UV,           ///< vec2
    PELT_ATTRIBUTE_COLOR,        ///< vec4
    PELT_ATTRIBUTE_JOINTS,   ///< uvec4, 16-bit in the buffer: influences 0 to 3, strongest first
    PELT_ATTRIBUTE_WEIGHTS,  ///< vec4: their weights, 0 for unused slots
    PELT_ATTRIBUTE_JOINTS_2, ///< influences 4 to 7
    PELT_ATTRIBUTE_WEIGHTS_2,
    PELT_ATTRIBUTE_COR,    ///< vec3, center of rotation: CRS
    PELT_ATTRIBUTE_MIX,    ///< float, mix factor of the vertex: MIX, optional
    PELT_ATTRIBUTE_VERTEX, ///< uint, index of the vertex in an animation texture of vertices
    PELT_ATTRIBUTE_COUNT
} pelt_attribute;

/// A bit set of attributes: 1 << pelt_attribute.
typedef uint32_t pelt_attribute_set;

enum
{
    PELT_GPU_INFLUENCE_MAX = 8, ///< per vertex
};

PELT_API bool pelt_gpu_has_method(pelt_method method);

/// PELT_SIGN_HEAVIEST and PELT_SIGN_HIERARCHY; other rules depend on the order of influences.
PELT_API bool pelt_gpu_has_signs(pelt_sign_rule rule);

/// Whether shaders support joints that scale, shear or mirror under DQS, MIX and CRS, and about
/// which pivot. LBS always does; there this has no effect.
typedef enum pelt_gpu_scale
{
    PELT_GPU_SCALE_NONE = 0, ///< rigid joints only (palette->is_rigid): a stretch is ignored
    PELT_GPU_SCALE_LOCAL,    ///< as PELT_SCALE_LOCAL
    PELT_GPU_SCALE_ORIGIN,   ///< as PELT_SCALE_ORIGIN
    PELT_GPU_SCALE_COUNT
} pelt_gpu_scale;

PELT_API const char* pelt_gpu_scale_name(pelt_gpu_scale scale); ///< "none", "local", "origin"

/// What a palette needs for the result of pelt_deform(): PELT_GPU_SCALE_NONE if it is rigid.
PELT_API pelt_gpu_scale pelt_gpu_scale_of(const pelt_palette* palette, pelt_scale_pivot pivot);

/// What joints do to lengths, from the bind pose to the stored pose and to moments of all clips:
/// their keys, and half way between. If a clip has more than 256 keys,
/// each n-th.
typedef struct pelt_joint_scale
{
    bool is_rigid;     ///< lengths stay as they are, to PELT_JOINT_SCALE_TOLERANCE
    bool is_uniform;   ///< equally along all directions: no joint scales non-uniformly or shears
    bool has_mirrors;  ///< some joint mirrors
    float least, most; ///< factors of a length, over joints, directions and moments
    float unit;        ///< factor of the first joint in the stored pose: units of the bind pose
    uint32_t node;     ///< the joint that is farthest from that; PELT_NONE: none is
    const char* clip;  ///< in this clip; NULL: in the stored pose
    float time;        ///< and seconds in it
} pelt_joint_scale;

#define PELT_JOINT_SCALE_TOLERANCE 1e-4f ///< relative change of a length that is not visible

/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_joint_scale_measure(pelt_joint_scale* out, const pelt_scene* scene);

/// Whether joints scale in any clip, as a choice for shaders that are compiled once: NONE, or
/// LOCAL, which is the default of pelt_deform().
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_gpu_scene_scale(pelt_gpu_scale* out, const pelt_scene* scene);

/// What the palette stores for each joint.
typedef enum pelt_gpu_layout
{
    PELT_GPU_LAYOUT_COMPACT = 0, ///< what the method reads
    PELT_GPU_LAYOUT_SHARED,      ///< matrix and rotation, the same for every method and scale: one
                                 ///< upload serves all
    PELT_GPU_LAYOUT_COUNT
} pelt_gpu_layout;

PELT_API const char* pelt_gpu_layout_name(pelt_gpu_layout layout); ///< "compact", "shared"

/// Floats per joint in a palette; 0 for methods without shaders.
///
///     compact  LBS                   12  3 rows of the matrix
///     compact  DQS, rigid             8  rotation quaternion, dual part
///     compact  MIX, rigid            20  3 rows of the matrix, rotation quaternion, dual part
///     compact  CRS                   16  3 rows of the matrix, rotation quaternion
///     compact  DQS and MIX, scaled   16  as CRS, for either pivot
///     shared   any                   16  as CRS
///
/// A row is four floats, translation last; a quaternion is x y z w. Stretch and dual part follow
/// from matrix and rotation, so 16 floats suffice for joints that scale. Rigid MIX is larger
/// because it stores the dual part, which saves computing it for every influence.
PELT_API uint32_t pelt_gpu_joint_floats(pelt_method method, pelt_gpu_scale scale,
                                        pelt_gpu_layout layout);

/// Write a palette as shaders read it.
/// @param out    pelt_gpu_joint_floats(method, scale, layout) floats per joint
/// @param scale  as in the shader
PELT_API void pelt_gpu_palette_write(float* out, const pelt_palette* palette, pelt_method method,
                                     pelt_gpu_scale scale, pelt_gpu_layout layout);

/// Influences per vertex that a mesh needs on the GPU: the most on any vertex, up to the limit. An
/// unskinned mesh has one, on joint 0 of a palette with the matrix of its node.
/// @param limit  1 to 8; 0: 8
PELT_API uint32_t pelt_gpu_influence_count(const pelt_mesh* mesh, uint32_t limit);

/// The attributes of a mesh under a method: those it has, joints and weights, and for CRS the
/// center. Mix factors are not included; PELT_ATTRIBUTE_MIX adds them.
PELT_API pelt_attribute_set pelt_gpu_attributes(const pelt_mesh* mesh, pelt_method method,
                                                uint32_t influence_count);

/// Bytes per vertex of one attribute, padded to a multiple of 4.
PELT_API uint32_t pelt_gpu_attribute_bytes(pelt_attribute attribute, uint32_t influence_count);

/// Where pelt_gpu_weights_write() writes: influences 0 to 3 of each vertex to the first arrays,
/// 4 to 7 to the second ones, which are NULL for up to four influences.
typedef struct pelt_gpu_weights
{
    void* joints[2];  ///< PELT_ATTRIBUTE_JOINTS and PELT_ATTRIBUTE_JOINTS_2: uint16_t
    void* weights[2]; ///< PELT_ATTRIBUTE_WEIGHTS and PELT_ATTRIBUTE_WEIGHTS_2: float
    /// Bytes from one vertex to the next; 0: pelt_gpu_attribute_bytes().
    uint32_t joint_strides[2], weight_strides[2];
} pelt_gpu_weights;

/// Write the strongest influences of each vertex as shaders read them. Where influences are left
/// out, the others are scaled to a sum of one; unused slots have joint 0 and weight 0.
/// @param weights          {0} for an unskinned mesh: every vertex follows joint 0
/// @param vertex_count     of the mesh
/// @param influence_count  see pelt_gpu_influence_count()
/// @return vertices that lost influences
PELT_API uint32_t pelt_gpu_weights_write(const pelt_gpu_weights* out, const pelt_weights* weights,
                                         uint32_t vertex_count, uint32_t influence_count);

/// Bytes per vertex of a set of attributes.
PELT_API uint32_t pelt_gpu_vertex_bytes(pelt_attribute_set attributes, uint32_t influence_count);

// ---------------------------------------------------------------------------------------------
// Accurate normals (see prepare.h) need more data per vertex than attributes can hold. Shaders
// fetch it from a texture, by vertex index.

enum
{
    PELT_GPU_SLOT_MAX = 8,    ///< factors per vertex
    PELT_NORMAL_WIDTH = 1024, ///< texels per row of the texture, RGBA32F; vertex v starts at texel
                              ///< v * floats / 4 in row-major order. Compact: RG32UI, at v * 5
    PELT_NORMAL_WORDS = 10,   ///< per vertex in the compact layout
};

/// How shaders compute normals and tangents, and the layout of the texture they need for it.
typedef struct pelt_gpu_normals
{
    pelt_normal_rule rule; ///< 0: standard, no texture. PAPER uses the default normal_clamp
    uint32_t slot_count;   ///< factors per vertex: 2, 3, 4 or 8
    bool has_centers;      ///< factors include centers; without them CRS treats the center of each
                           ///< vertex as constant
    bool is_compact;       ///< 40 bytes per vertex: see pelt_gpu_normals_pack()
} pelt_gpu_normals;

/// The smallest layout that holds the factors of every vertex. If one has more than 8, the rule is
/// standard; pelt_normal_options.max_joints limits them.
PELT_API pelt_gpu_normals pelt_gpu_normals_of(const pelt_normal_factors* factors,
                                              pelt_normal_rule rule);

/// Floats per vertex in the texture, a multiple of 4; 0 for the standard rule. In the compact
/// layout it is PELT_NORMAL_WORDS words of as many bytes.
///
///     3  tangent
///     1  number of slots in use; 0: weights are constant, and all slots are 0
///     2  plane normal, see pelt_normal_factors
///     9  with centers: the center, its derivatives along axis 0 and axis 1
///     1  with centers, 2 without: padding, 0
///     8  per slot: joint, weight, alpha, beta, moments 00, 01, 10, 11
PELT_API uint32_t pelt_gpu_normal_floats(const pelt_gpu_normals* normals);

/// Write factors in this layout.
/// @param out      pelt_gpu_normal_floats(normals) floats per vertex
/// @param normals  with at least max_factors slots, and with centers only if the factors have them;
///                 not compact
PELT_API void pelt_gpu_normals_write(float* out, const pelt_normal_factors* factors,
                                     const pelt_gpu_normals* normals);

/// The compact layout: 40 bytes per vertex in place of 96 to 192, for up to 4 factors. If a vertex
/// has more, the rule is standard; pelt_normal_options.max_joints limits them.
///
/// Factors sum to constants, so that the first one follows from the others; tangents are projected
/// coordinate axes; and numbers have as many bits as there is room for:
///
///     factors         2   3   4
///     bits           16  16  10
///     with centers   16  11   8
///
/// docs/normals.md has the errors. Shaders define PELT_NORMAL_COMPACT. Under CRS the attribute
/// `pelt_cor` must be factors->centers, which has other centers than the mesh where a vertex has
/// one influence, and there every center gives the same position.
PELT_API pelt_gpu_normals pelt_gpu_normals_compact(const pelt_normal_factors* factors,
                                                   pelt_normal_rule rule);

/// Write factors in the compact layout.
/// @param out      PELT_NORMAL_WORDS words per vertex
/// @param normals  of the mesh, as factors were built for
/// @param layout   as by pelt_gpu_normals_compact()
PELT_API void pelt_gpu_normals_pack(uint32_t* out, const pelt_normal_factors* factors,
                                    const pelt_vec3* normals, const pelt_gpu_normals* layout);

/// Factors as shaders read them from the compact layout, to measure what it costs: the same as of
/// pelt_gpu_normals_pack(), with other axes.
/// @param out      shares `first` and the centers of `factors`
/// @param factors  up to 4 per vertex
/// @param normals  of the mesh
/// @return PELT_OK or PELT_ERROR_MEMORY; *out is then {0}
PELT_API pelt_result pelt_gpu_normals_round(pelt_normal_factors* out,
                                            const pelt_normal_factors* factors,
                                            const pelt_vec3* normals, pelt_arena* arena);

// ---------------------------------------------------------------------------------------------
// Playback of animation textures (see bake.h). Each instance takes 32 bytes: two attributes with
// divisor 1, or two texels of a texture of integers.

enum
{
    PELT_PLAYBACK_LOCATION = 12,       ///< uvec4: clips, fade and additive weight
    PELT_TIMES_LOCATION = 13,          ///< vec4: times
    PELT_CROWD_POSITION_LOCATION = 14, ///< vec4: position and scale, see pelt_gl_crowd_gather()
    PELT_CROWD_ROTATION_LOCATION = 15, ///< vec4: rotation
};

/// What an instance plays, as shaders read it.
typedef struct pelt_gpu_playback
{
    uint16_t base_clip;     ///< bit 15 set: PELT_WRAP_LOOP
    uint16_t next_clip;     ///< likewise
    uint16_t additive_clip; ///< likewise
    uint16_t flags;         ///< bit 0: is_spherical
    float fade;
    float additive_weight;
    float base_time; ///< seconds
    float next_time;
    float additive_time;
    uint32_t padding;
} pelt_gpu_playback;

/// Pack a playback.
/// @param playback  clips below 32768
PELT_API pelt_gpu_playback pelt_gpu_playback_of(const pelt_playback* playback);

/// The format of an animation texture, which shaders are compiled for.
typedef struct pelt_gpu_baked
{
    pelt_encoding encoding;
    pelt_texel texel;        ///< AUTO: RGBA32UI
    uint32_t width;          ///< texels per row; 0: shaders query it, which makes fetches slower
    pelt_bake_layout layout; ///< THESIS: MATRIX, DQ or VERTEX, RGBA8UI
} pelt_gpu_baked;

PELT_API pelt_gpu_baked pelt_gpu_baked_of(const pelt_baked* baked);

// =============================================================================================
// Shader text
//
// Assembled from the files in gl/shaders, for OpenGL 3.3, OpenGL ES 3.0 (WebGL 2) and Vulkan.
// docs/gpu.md describes the functions and their use in other engines.

typedef enum pelt_glsl
{
    PELT_GLSL_330 = 0, ///< #version 330 core
    PELT_GLSL_ES_300,  ///< #version 300 es
    PELT_GLSL_VULKAN,  ///< #version 450 with bindings, for SPIR-V compilers
} pelt_glsl;

/// Where shaders read the palette from.
typedef enum pelt_palette_kind
{
    PELT_PALETTE_AUTO = 0, ///< a block if it fits, else a texture; in shader text, a block
    PELT_PALETTE_BLOCK,    ///< uniform block `pelt_palette`, an array of vec4
    PELT_PALETTE_TEXTURE,  ///< sampler `pelt_palette`, RGBA32F, PELT_PALETTE_WIDTH texels per row
    PELT_PALETTE_POSED,    ///< the same with the joints of all instances, shared layout
    PELT_PALETTE_BAKED,    ///< none: vertices decode their joints from the sampler `pelt_baked`
    PELT_PALETTE_KIND_COUNT
} pelt_palette_kind;

PELT_API const char* pelt_palette_kind_name(pelt_palette_kind kind); ///< "auto", "block" ...

enum
{
    PELT_PALETTE_WIDTH = 1024, ///< joint j starts at texel j * floats / 4 in row-major order
};

/// A skinning vertex shader.
typedef struct pelt_shader_desc
{
    pelt_glsl language;
    pelt_method method;
    pelt_gpu_scale scale;     ///< 0: rigid joints
    pelt_gpu_layout layout;   ///< of the palette; 0: compact
    uint32_t influence_count; ///< 1 to 8; 0: 4
    pelt_palette_kind palette;
    uint32_t block_bytes; ///< size of the block; 0: 16384, which every driver supports
    bool has_mix_factors; ///< MIX: a factor per vertex; false: the uniform float `pelt_mix`

    /// Rules other than the standard fetch from the sampler `pelt_normal_factors` by gl_VertexID:
    /// vertices must be numbered as in the mesh and have normals.
    pelt_gpu_normals normals;

    pelt_gpu_baked baked; ///< for PELT_PALETTE_BAKED; with VERTEX there is no method

    /// HEAVIEST, or HIERARCHY: signs are those of the palette, see pelt_palette_unwrap(). Animation
    /// textures have no such signs.
    pelt_sign_rule sign_rule;

    /// GLSL with main(), appended to the library. It calls pelt_skin(), which returns a
    /// pelt_vertex { vec3 position, normal; vec4 tangent; } in model space; attributes are named
    /// pelt_position, pelt_uv, pelt_color and so on. NULL: a main() for transform feedback, with
    /// outputs pelt_out_position, pelt_out_normal and pelt_out_tangent.
    const char* main;
} pelt_shader_desc;

/// Assemble a vertex shader.
/// @param out  zero-terminated text; free with pelt_release()
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED for a method without shaders
PELT_API pelt_result pelt_shader_source(char** out, const pelt_shader_desc* desc,
                                        pelt_error* error);

/// Assemble the fragment shader of the pose pass, which fills the texture of PELT_PALETTE_POSED.
/// Draw one triangle that covers as many rows as the joints of all instances need.
/// @param out  zero-terminated text; free with pelt_release()
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_shader_pose_source(char** out, pelt_glsl language,
                                             const pelt_gpu_baked* baked, pelt_error* error);

/// The value of the macro PELT_LAYOUT, such as "PELT_LAYOUT_MOTION"; see
/// gl/shaders/skin_constants.glsl. NULL for methods without shaders.
PELT_API const char* pelt_shader_layout(pelt_method method, pelt_gpu_scale scale,
                                        pelt_gpu_layout layout);

/// The first lines of any shader in a language: #version and default precisions.
PELT_API const char* pelt_shader_prologue(pelt_glsl language);

/// A file of the shader library.
typedef struct pelt_shader_file
{
    const char* name; ///< "skin_dqs.glsl"
    const char* text;
} pelt_shader_file;

/// @return number of files; *out points to static data, each file after those it depends on
PELT_API uint32_t pelt_shader_files(const pelt_shader_file** out);

#ifdef __cplusplus
}
#endif

#endif
