// SPDX-License-Identifier: MIT
// Skinning on the GPU: the shader library as text, what it costs in bytes, and OpenGL objects that
// run it. Link libpelt_gl. Needs pelt.h and bake.h only; names of OpenGL objects are plain
// integers.
#ifndef PELT_GL_H
#define PELT_GL_H

#include "bake.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Layout
//
// What a vertex and a joint look like to the GPU, and how many bytes they take. Nothing here
// needs OpenGL. Methods on the GPU are lbs, dqs, mix and crs.

/// Vertex attributes; the value is the location in every shader of pelt.
typedef enum pelt_attribute
{
    PELT_ATTRIBUTE_POSITION = 0, ///< vec3
    PELT_ATTRIBUTE_NORMAL,       ///< vec3
    PELT_ATTRIBUTE_TANGENT,      ///< vec4
    PELT_ATTRIBUTE_UV,           ///< vec2
    PELT_ATTRIBUTE_COLOR,        ///< vec4
    PELT_ATTRIBUTE_JOINTS,       ///< uvec4 from 16-bit integers: influences 0 to 3, strongest first
    PELT_ATTRIBUTE_WEIGHTS,      ///< vec4: their weights, 0 where there is none
    PELT_ATTRIBUTE_JOINTS_2,     ///< influences 4 to 7
    PELT_ATTRIBUTE_WEIGHTS_2,
    PELT_ATTRIBUTE_COR,    ///< vec3, center of rotation: crs
    PELT_ATTRIBUTE_MIX,    ///< float, factor of the vertex: mix, and optional there
    PELT_ATTRIBUTE_VERTEX, ///< uint, place of the vertex in an animation texture of vertices
    PELT_ATTRIBUTE_COUNT
} pelt_attribute;

/// A set of attributes: bits 1 << pelt_attribute.
typedef uint32_t pelt_attribute_set;

enum
{
    PELT_GPU_INFLUENCE_MAX = 8, ///< influences of a vertex
};

PELT_API bool pelt_gpu_has_method(pelt_method method);

/// Whether joints scale, shear or mirror under dqs, mix and crs, and about which point. Under lbs
/// they always may, and this makes no difference.
typedef enum pelt_gpu_scale
{
    PELT_GPU_SCALE_NONE = 0, ///< they turn and move (palette->is_rigid); a stretch is left out
    PELT_GPU_SCALE_LOCAL,    ///< as PELT_SCALE_LOCAL
    PELT_GPU_SCALE_ORIGIN,   ///< as PELT_SCALE_ORIGIN
} pelt_gpu_scale;

/// What shaders need to give what pelt_deform() gives: nothing for a palette that is rigid.
PELT_API pelt_gpu_scale pelt_gpu_scale_of(const pelt_palette* palette, pelt_scale_pivot pivot);

/// What a palette holds of each joint.
typedef enum pelt_gpu_layout
{
    PELT_GPU_LAYOUT_COMPACT = 0, ///< the least that the method needs
    PELT_GPU_LAYOUT_SHARED, ///< 3 rows of the matrix, rotation quaternion: for every method and
                            ///< scale, so that one upload serves them all
} pelt_gpu_layout;

/// Floats of a joint in a palette; 0 for methods without shaders.
///
///     lbs            12  3 rows of the matrix
///     dqs             8  rotation quaternion, dual part
///     mix            20  3 rows of the matrix, rotation quaternion, dual part
///     crs            16  3 rows of the matrix, rotation quaternion
///     dqs, mix, crs  16  where joints scale, about either pivot: as crs
///     shared layout  16  whatever the method and the scale: as crs
///
/// A row is four floats, translation last; a quaternion is x y z w. Matrix and rotation tell the
/// stretch and the dual part: a joint that scales needs no more.
PELT_API uint32_t pelt_gpu_joint_floats(pelt_method method, pelt_gpu_scale scale,
                                        pelt_gpu_layout layout);

/// Write a palette in the layout of a method.
/// @param out    pelt_gpu_joint_floats(method, scale, layout) for each joint of the palette
/// @param scale  that of the shader
PELT_API void pelt_gpu_palette_write(float* out, const pelt_palette* palette, pelt_method method,
                                     pelt_gpu_scale scale, pelt_gpu_layout layout);

/// How many influences of a mesh go to the GPU: those of its fullest vertex, at most the limit. A
/// mesh without a skin has one, on joint 0 of a palette that holds the matrix of its node.
/// @param limit  1 to 8; 0: 8
PELT_API uint32_t pelt_gpu_influence_count(const pelt_mesh* mesh, uint32_t limit);

/// What the vertices of a mesh carry under a method: the attributes that the mesh has, joints and
/// weights, and for crs the center.
PELT_API pelt_attribute_set pelt_gpu_attributes(const pelt_mesh* mesh, pelt_method method,
                                                uint32_t influence_count);

/// Bytes of one attribute of one vertex, with the padding that keeps elements at multiples of 4.
PELT_API uint32_t pelt_gpu_attribute_bytes(pelt_attribute attribute, uint32_t influence_count);

/// Bytes of all attributes of a set, for one vertex.
PELT_API uint32_t pelt_gpu_vertex_bytes(pelt_attribute_set attributes, uint32_t influence_count);

// ---------------------------------------------------------------------------------------------
// Accurate normals (see prepare.h) need more of a vertex than attributes have room
// for: its factors lie in a texture, and shaders find them by the number of the vertex.

enum
{
    PELT_GPU_SLOT_MAX = 8,    ///< factors of a vertex
    PELT_NORMAL_WIDTH = 1024, ///< of the texture, RGBA32F: vertex v starts at texel v * floats / 4,
                              ///< counted row by row
};

/// How shaders find normals and tangents, and what the texture holds for it.
typedef struct pelt_gpu_normals
{
    pelt_normal_rule rule; ///< 0: standard, without a texture. PAPER has its default normal_clamp
    uint32_t slot_count;   ///< factors that a vertex has room for: 2, 3, 4 or 8
    bool has_centers;      ///< factors came with centers; crs without them takes those of vertices
                           ///< for constant
} pelt_gpu_normals;

/// The smallest layout with room for the factors of every vertex. When one has more than 8 the rule
/// is standard: build them with pelt_normal_options.max_joints.
PELT_API pelt_gpu_normals pelt_gpu_normals_of(const pelt_normal_factors* factors,
                                              pelt_normal_rule rule);

/// Floats of a vertex in the texture, whole texels of four; 0 for the standard rule.
///
///     3  tangent
///     1  number of slots in use; 0: weights are constant, and all slots are 0
///     2  tilt
///     9  with centers: the center, its gradients along axis 0 and axis 1
///     1  with centers, without them 2: padding, 0
///     8  for each slot: joint, weight, alpha, beta, moments 00, 01, 10, 11
PELT_API uint32_t pelt_gpu_normal_floats(const pelt_gpu_normals* normals);

/// Write factors in this layout.
/// @param out      pelt_gpu_normal_floats(normals) for each vertex
/// @param normals  with max_factors slots or more, and centers only if the factors have them
PELT_API void pelt_gpu_normals_write(float* out, const pelt_normal_factors* factors,
                                     const pelt_gpu_normals* normals);

// ---------------------------------------------------------------------------------------------
// Instances that play an animation texture (see bake.h) are two texels of four words each, in a
// texture of integers, or two attributes with a divisor of 1.

enum
{
    PELT_PLAYBACK_LOCATION = 12, ///< uvec4, after all of pelt_attribute: clips to additive_weight
    PELT_TIMES_LOCATION = 13,    ///< vec4: the rest
};

/// What an instance plays, 32 bytes.
typedef struct pelt_gpu_playback
{
    uint16_t base_clip; ///< bit 15: it repeats, PELT_WRAP_LOOP; so have the others
    uint16_t next_clip;
    uint16_t additive_clip;
    uint16_t zero;
    float fade;
    float additive_weight;
    float base_time; ///< seconds
    float next_time;
    float additive_time;
    uint32_t padding;
} pelt_gpu_playback;

/// Pack a playback for shaders. Matrices are interpolated linearly there, whatever is_spherical
/// says.
/// @param playback  with clips below 32768
PELT_API pelt_gpu_playback pelt_gpu_playback_of(const pelt_playback* playback);

/// What shaders are compiled for to decode a bake.
typedef struct pelt_gpu_baked
{
    pelt_encoding encoding;
    pelt_texel texel; ///< AUTO: RGBA32UI
    uint32_t width;   ///< of the texture: fetches are faster when shaders know it; 0: they ask
} pelt_gpu_baked;

PELT_API pelt_gpu_baked pelt_gpu_baked_of(const pelt_baked* baked);

// =============================================================================================
// Shader text
//
// One source for OpenGL 3.3, OpenGL ES 3.0 (WebGL 2) and Vulkan: the files in gl/shaders, put
// together here. Needs no OpenGL. docs/gpu.md describes the functions for use in other engines.

typedef enum pelt_glsl
{
    PELT_GLSL_330 = 0, ///< #version 330 core
    PELT_GLSL_ES_300,  ///< #version 300 es
    PELT_GLSL_VULKAN,  ///< #version 450 with bindings, for compilers to SPIR-V
} pelt_glsl;

/// Where shaders read the palette.
typedef enum pelt_palette_kind
{
    PELT_PALETTE_AUTO = 0, ///< a block when it fits; in shader text, the same as a block
    PELT_PALETTE_BLOCK,    ///< uniform block `pelt_palette`, an array of vec4
    PELT_PALETTE_TEXTURE,  ///< sampler `pelt_palette`, RGBA32F, PELT_PALETTE_WIDTH texels wide
    PELT_PALETTE_POSED,    ///< the same with the joints of every instance, shared layout
    PELT_PALETTE_BAKED,    ///< none: each vertex decodes its joints from sampler `pelt_baked`
} pelt_palette_kind;

enum
{
    PELT_PALETTE_WIDTH = 1024, ///< joint j starts at texel j * floats / 4, counted row by row
};

/// A skinning vertex shader.
typedef struct pelt_shader_desc
{
    pelt_glsl language;
    pelt_method method;
    pelt_gpu_scale scale;     ///< of the joints; 0: none
    pelt_gpu_layout layout;   ///< of the palette; 0: compact
    uint32_t influence_count; ///< 1 to 8; 0: 4
    pelt_palette_kind palette;
    uint32_t block_bytes; ///< size of the block; 0: 16384, which every driver has
    bool has_mix_factors; ///< mix: a factor per vertex; false: the uniform float `pelt_mix`

    /// Rules other than the standard read the sampler `pelt_normal_factors` by gl_VertexID, so
    /// vertices must be drawn in the order of the mesh, and they must have normals.
    pelt_gpu_normals normals;

    /// For PELT_PALETTE_BAKED. With PELT_ENCODING_VERTEX there is no method, and no palette.
    pelt_gpu_baked baked;

    /// GLSL that follows the library and holds main(). It calls pelt_skin(), which returns a
    /// pelt_vertex { vec3 position, normal; vec4 tangent; } in model space; the attributes are
    /// pelt_position, pelt_uv, pelt_color and so on. NULL: a main() that outputs the vertex for
    /// transform feedback as pelt_out_position, pelt_out_normal, pelt_out_tangent.
    const char* main;
} pelt_shader_desc;

/// Put a vertex shader together.
/// @param out  text, zero-terminated; free with pelt_release()
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED for a method without shaders
PELT_API pelt_result pelt_shader_source(char** out, const pelt_shader_desc* desc,
                                        pelt_error* error);

/// Put the fragment shader of the pose pass together, which fills the texture of
/// PELT_PALETTE_POSED: for a triangle that covers as many rows as all instances need.
/// @param out  text, zero-terminated; free with pelt_release()
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_shader_pose_source(char** out, pelt_glsl language,
                                             const pelt_gpu_baked* baked, pelt_error* error);

/// What PELT_LAYOUT is in shaders of a method, see gl/shaders/skin_constants.glsl:
/// "PELT_LAYOUT_MOTION". NULL for methods without shaders.
PELT_API const char* pelt_shader_layout(pelt_method method, pelt_gpu_scale scale,
                                        pelt_gpu_layout layout);

/// The lines that every shader of a language begins with: #version and default precisions.
PELT_API const char* pelt_shader_prologue(pelt_glsl language);

/// A file of the library.
typedef struct pelt_shader_file
{
    const char* name; ///< "skin_dqs.glsl"
    const char* text;
} pelt_shader_file;

/// @return number of files; *out points to static data, in the order that they build on each other
PELT_API uint32_t pelt_shader_files(const pelt_shader_file** out);

// =============================================================================================
// Context
//
// Everything below belongs to a pelt_gl and needs its OpenGL context to be current on the calling
// thread, also to destroy things. Nothing here keeps state outside of these objects. OpenGL 3.3
// core or OpenGL ES 3.0, whichever the context is.

typedef struct pelt_gl pelt_gl;

typedef enum pelt_gl_source
{
    PELT_GL_CURRENT = 0,  ///< the context that is current: a window of the program
    PELT_GL_OFFSCREEN,    ///< a new one without window or display, OpenGL 3.3 core, by EGL
    PELT_GL_OFFSCREEN_ES, ///< the same, OpenGL ES 3.0
} pelt_gl_source;

/// Set up, and make a new context current. Without a driver the error says what is missing.
/// @param out  free with pelt_gl_destroy(), after everything made from it
PELT_API pelt_result pelt_gl_create(pelt_gl** out, pelt_gl_source source, pelt_error* error);

/// Release programs and buffers, and an offscreen context; the EGL display stays initialized, as
/// others may share it. NULL is allowed.
PELT_API void pelt_gl_destroy(pelt_gl* gl);

/// Make an offscreen context current again, after another one was.
PELT_API pelt_result pelt_gl_make_current(pelt_gl* gl, pelt_error* error);

/// What the context is.
typedef struct pelt_gl_info
{
    pelt_glsl language;
    const char* renderer;   ///< name of the driver
    const char* version;    ///< as the driver writes it
    uint32_t block_bytes;   ///< size of palette blocks here: GL_MAX_UNIFORM_BLOCK_SIZE, to 65536
    uint32_t texture_rows;  ///< rows that a texture of joints or factors may have
    uint32_t program_count; ///< in the cache
} pelt_gl_info;

PELT_API pelt_gl_info pelt_gl_describe(const pelt_gl* gl);

// =============================================================================================
// Meshes
//
// What stays: the rest surface and who pulls on it. A renderer draws an instance in four steps:
//
//     pelt_gl_palette_update(&palette, &frame.palettes[skin], method, pivot);
//     pelt_gl_program_get(&program, gl, &desc, &error);   // from pelt_gl_program_desc_of()
//     pelt_gl_program_use(&program, &palette, mix);       // then uniforms of its own
//     pelt_gl_mesh_draw(&mesh);

typedef struct pelt_gl_mesh_options
{
    uint32_t max_influences;                   ///< the strongest of each vertex, 1 to 8; 0: 8
    const pelt_vec3* cors;                     ///< vertex_count; NULL: those of the mesh, if any
    const float* mix_factors;                  ///< vertex_count; NULL: those of the mesh, if any
    const pelt_normal_factors* normal_factors; ///< see pelt_gl_mesh_set_normals(); NULL: none
    pelt_normal_rule normal_rule;
    const uint32_t* vertex_ids; ///< of a pelt_baked_instance, for PELT_ENCODING_VERTEX; NULL: none
} pelt_gl_mesh_options;

/// A mesh in the memory of the GPU. Read the members, do not write them.
typedef struct pelt_gl_mesh
{
    uint32_t vertex_array; ///< has all attributes, at the locations of pelt_attribute, and indices
    uint32_t vertex_buffer, index_buffer;
    uint32_t vertex_count, index_count;
    uint32_t joint_count;     ///< that a palette must have at least
    uint32_t influence_count; ///< for shaders: 1 to 8
    uint32_t pruned_count;    ///< vertices that lost influences; the others were scaled up to one
    pelt_attribute_set attributes;
    size_t offsets[PELT_ATTRIBUTE_COUNT]; ///< of each attribute in the vertex buffer, in bytes
    uint32_t normal_texture;              ///< factors of its vertices, or 0
    pelt_gpu_normals normals;             ///< for shaders
    size_t byte_count;                    ///< of both buffers and the texture
} pelt_gl_mesh;

/// Upload a mesh, with or without weights.
/// @param options  NULL: defaults
/// @return PELT_OK, PELT_ERROR_MEMORY, of this machine or of the GPU, or as
///         pelt_gl_mesh_set_normals()
PELT_API pelt_result pelt_gl_mesh_create(pelt_gl_mesh* out, pelt_gl* gl, const pelt_mesh* mesh,
                                         const pelt_gl_mesh_options* options, pelt_error* error);
PELT_API void pelt_gl_mesh_destroy(pelt_gl_mesh* mesh);

/// Replace the rest surface, for instance by that of pelt_morph_apply(). Where shapes bring no
/// normals (pelt_morph_lacks_normals()), pelt_normals_recompute() makes some of the new positions.
/// @param rest  vertex_count of each, packed; arrays that are NULL, or that the mesh came without,
/// stay
PELT_API void pelt_gl_mesh_update(pelt_gl_mesh* mesh, const pelt_surface* rest);

/// Choose the rule for normals and tangents, here and for programs that are described from now on.
/// A mesh without normals stays with the standard rule, as under pelt_deform().
/// @param factors  of the mesh's vertices, not needed any more afterwards; NULL: standard
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED when a vertex has more than 8
///         factors or the texture would be too large for the driver; the mesh is then as before
PELT_API pelt_result pelt_gl_mesh_set_normals(pelt_gl_mesh* mesh, pelt_gl* gl,
                                              const pelt_normal_factors* factors,
                                              pelt_normal_rule rule, pelt_error* error);

/// Draw the triangles with the current program. Colors of a mesh without them are white. Leaves
/// the vertex array bound, and texture unit 0 active.
PELT_API void pelt_gl_mesh_draw(const pelt_gl_mesh* mesh);

// =============================================================================================
// Palettes
//
// What moves, per frame: one for each skin in the scene. Functions that touch a palette's texture
// leave texture unit 0 active.

enum
{
    PELT_GL_PALETTE_BINDING = 0, ///< uniform buffer binding of the block
    PELT_GL_PALETTE_UNIT = 15,   ///< texture unit of the texture: the last that all drivers have
    PELT_GL_NORMAL_UNIT = 14,    ///< texture unit of a mesh's factors for normals
    PELT_GL_BAKED_UNIT = 13,     ///< texture unit of an animation texture
};

/// A palette in the memory of the GPU. Read the members, do not write them.
typedef struct pelt_gl_palette
{
    uint32_t joint_count; ///< capacity
    pelt_palette_kind wanted;
    pelt_gpu_layout layout; ///< see pelt_gl_palette_set_layout()
    pelt_method method;     ///< of the last update
    pelt_gpu_scale scale;   ///< of the last update
    pelt_palette_kind kind; ///< of the last update: never AUTO
    uint32_t buffer;        ///< uniform buffer, or 0 before it is needed
    uint32_t texture;       ///< or 0 before it is needed
    uint32_t block_bytes;
    float* staging;
} pelt_gl_palette;

/// @param joint_count  most joints that an update will bring
/// @param kind         PELT_PALETTE_AUTO: a block when the context has room for it
/// @return PELT_ERROR_UNSUPPORTED when PELT_PALETTE_BLOCK is asked for and may not fit
PELT_API pelt_result pelt_gl_palette_create(pelt_gl_palette* out, pelt_gl* gl, uint32_t joint_count,
                                            pelt_palette_kind kind, pelt_error* error);
PELT_API void pelt_gl_palette_destroy(pelt_gl_palette* palette);

/// Choose the layout of updates from now on; before, it is compact. A shared one is good for
/// programs of any method: describe each by pelt_gl_program_desc_of(), and change its method.
PELT_API void pelt_gl_palette_set_layout(pelt_gl_palette* palette, pelt_gpu_layout layout);

/// Upload the joints of a pose for a method: once per frame and skin. Allocates nothing of this
/// machine's memory. The method may change from frame to frame, and so may whether joints scale:
/// pelt_gpu_scale_of() decides, and programs differ by it, so look for them after this.
PELT_API void pelt_gl_palette_update(pelt_gl_palette* palette, const pelt_palette* joints,
                                     pelt_method method, pelt_scale_pivot pivot);

/// Bind to PELT_GL_PALETTE_BINDING or PELT_GL_PALETTE_UNIT, where the programs below look.
PELT_API void pelt_gl_palette_bind(const pelt_gl_palette* palette);

// =============================================================================================
// Programs

/// A skinning vertex shader and a fragment shader.
typedef struct pelt_gl_program_desc
{
    pelt_method method;
    pelt_gpu_scale scale;     ///< as pelt_gl_palette.scale; 0: none
    pelt_gpu_layout layout;   ///< as pelt_gl_palette.layout; 0: compact
    uint32_t influence_count; ///< as pelt_gl_mesh.influence_count; 0: 4
    pelt_palette_kind palette;
    bool has_mix_factors;
    pelt_gpu_normals normals; ///< as pelt_gl_mesh.normals
    pelt_gpu_baked baked;     ///< for PELT_PALETTE_BAKED
    const char* vertex_main;  ///< see pelt_shader_desc.main; NULL: for transform feedback
    const char* fragment;     ///< goes below pelt_shader_prologue(); NULL: one that writes nothing
} pelt_gl_program_desc;

typedef struct pelt_gl_program
{
    uint32_t name;                    ///< of the OpenGL program: look up uniforms of your own there
    int32_t mix;                      ///< location of the uniform pelt_mix, or -1
    int32_t first_joint, joint_count; ///< of pelt_first_joint and pelt_joint_count, or -1
} pelt_gl_program;

/// What a mesh needs under a palette: method, scale, influences, kind, factors and normals. Shaders
/// are left NULL.
PELT_API pelt_gl_program_desc pelt_gl_program_desc_of(const pelt_gl_mesh* mesh,
                                                      const pelt_gl_palette* palette);

/// Find a program, or compile it the first time. It lives as long as the pelt_gl; equal
/// descriptions, with equal texts, give the same program.
/// @return PELT_ERROR_DATA when a shader is not valid, with the first line of the driver's log
PELT_API pelt_result pelt_gl_program_get(pelt_gl_program* out, pelt_gl* gl,
                                         const pelt_gl_program_desc* desc, pelt_error* error);

/// Make a program current with a palette, ready for pelt_gl_mesh_draw().
/// @param mix  factor of PELT_METHOD_MIX where vertices bring none
PELT_API void pelt_gl_program_use(const pelt_gl_program* program, const pelt_gl_palette* palette,
                                  float mix);

// =============================================================================================
// Reading back

/// Deform a mesh on the GPU and fetch the result, by transform feedback.
///
/// The result is that of pelt_deform() up to rounding, with PELT_SIGN_HEAVIEST, PELT_DQS_ANTIPODAL
/// and the mesh's rule for normals, but for vertices with mirrored and unmirrored joints: shaders
/// do not know of pelt_weights_count_mixed(), and the stage leaves palettes with is_mixed to the
/// CPU. Under crs the mesh needs centers. Waits for the GPU. Leaves no program, vertex array or
/// feedback buffer bound, and the framebuffer as it was.
///
/// @param out  mesh->vertex_count of each; NULL arrays, and those the mesh came without, are left
/// @param mix  see pelt_gl_program_use()
PELT_API pelt_result pelt_gl_skin(const pelt_surface* out, pelt_gl* gl, const pelt_gl_mesh* mesh,
                                  const pelt_gl_palette* palette, float mix, pelt_error* error);

// =============================================================================================
// Crowds
//
// Many instances of one character, each at a moment of its own, with no work on the CPU but to say
// which: the clips are on the GPU as an animation texture, and shaders decode it.
//
//     pelt_gl_baked_create(&texture, gl, baked, &error);                        // once
//     pelt_gl_crowd_create(&crowd, gl, &texture, 1000, PELT_PALETTE_AUTO, &error);
//
//     pelt_gl_crowd_update(&crowd, playbacks, count);                           // each frame
//     pelt_gl_crowd_pose(&crowd, &error);
//     for each instance i of the scene, with its mesh:
//         desc = pelt_gl_crowd_program_desc(&crowd, &mesh, method, scale);
//         pelt_gl_program_get(&program, gl, &desc, &error);   // with a main() of your own
//         pelt_gl_crowd_use(&crowd, &program, mix);           // then uniforms of its own
//         pelt_gl_crowd_draw(&crowd, &program, &mesh, baked->instances[i].first, all);
//
// PELT_PALETTE_BAKED is one pass: every vertex decodes the joints that pull on it. Best for qt,
// matrix and dq with few influences, and all there is for VERTEX. PELT_PALETTE_POSED is two: a pose
// pass decodes each joint of each instance once, into a palette that skinning reads as any other.
// Best for local, where a joint is a walk up to its root, for large meshes, for accurate normals,
// and where several meshes share a skeleton. It takes 64 bytes for each joint of each instance, and
// under OpenGL ES and WebGL 2 the extension EXT_color_buffer_float.

/// An animation texture in the memory of the GPU. Read the members, do not write them.
typedef struct pelt_gl_baked
{
    uint32_t texture;
    pelt_gpu_baked format; ///< for shaders
    uint32_t joint_count;  ///< 0 for PELT_ENCODING_VERTEX
    uint32_t clip_count;
    size_t byte_count;
} pelt_gl_baked;

/// Upload a bake, which is not needed any more afterwards.
/// @return PELT_OK, PELT_ERROR_MEMORY of this machine or of the GPU, or PELT_ERROR_UNSUPPORTED when
///         the texture is too large for the driver
PELT_API pelt_result pelt_gl_baked_create(pelt_gl_baked* out, pelt_gl* gl, const pelt_baked* baked,
                                          pelt_error* error);
PELT_API void pelt_gl_baked_destroy(pelt_gl_baked* baked);

/// Instances and what they play. Read the members, do not write them.
typedef struct pelt_gl_crowd
{
    const pelt_gl_baked* baked;
    pelt_palette_kind kind;  ///< PELT_PALETTE_BAKED or PELT_PALETTE_POSED
    uint32_t instance_count; ///< capacity
    uint32_t used_count;     ///< of the last update
    uint32_t buffer;         ///< BAKED: pelt_gpu_playback of each instance, for attributes
    uint32_t playbacks;      ///< POSED: the same as a texture, RGBA32UI, two texels each
    uint32_t palette;        ///< POSED: joints of each instance, instance after instance
    uint32_t framebuffer;    ///< POSED: to write the palette
    uint32_t pose_program;   ///< POSED: lives as long as the pelt_gl
    uint32_t vertex_array;   ///< POSED: an empty one, for the triangle of the pose pass
    pelt_gpu_playback* staging;
} pelt_gl_crowd;

/// @param baked           to be kept as long as the crowd
/// @param instance_count  most that an update will bring
/// @param kind            PELT_PALETTE_AUTO: POSED for local where the context can, else BAKED
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED for POSED where the driver cannot
///         write textures of floats, or where all joints do not fit into one
PELT_API pelt_result pelt_gl_crowd_create(pelt_gl_crowd* out, pelt_gl* gl,
                                          const pelt_gl_baked* baked, uint32_t instance_count,
                                          pelt_palette_kind kind, pelt_error* error);
PELT_API void pelt_gl_crowd_destroy(pelt_gl_crowd* crowd);

/// Upload what instances play: 32 bytes each. Instances that are out of sight are left out here, so
/// that none of what follows sees them.
PELT_API void pelt_gl_crowd_update(pelt_gl_crowd* crowd, const pelt_playback* playbacks,
                                   uint32_t count);

/// The pose pass, after each update; nothing is to be done for PELT_PALETTE_BAKED. Leaves the
/// framebuffer, viewport, depth test, scissor test, culling, blending and color mask as they were,
/// and no program and no vertex array bound.
PELT_API pelt_result pelt_gl_crowd_pose(pelt_gl_crowd* crowd, pelt_error* error);

/// The program of a mesh in a crowd. Shaders are left NULL.
/// @param scale  whether joints scale: a bake of pelt_palettes that are rigid needs none
PELT_API pelt_gl_program_desc pelt_gl_crowd_program_desc(const pelt_gl_crowd* crowd,
                                                         const pelt_gl_mesh* mesh,
                                                         pelt_method method, pelt_gpu_scale scale);

/// Make a program current with a crowd, ready for pelt_gl_crowd_draw().
/// @param mix  see pelt_gl_program_use()
PELT_API void pelt_gl_crowd_use(const pelt_gl_crowd* crowd, const pelt_gl_program* program,
                                float mix);

/// Draw a mesh for a range of the instances of the last update, with the program in use. Shaders
/// count instances from the range's first: gl_InstanceID is 0 there. Leaves the vertex array bound,
/// and texture unit 0 active.
/// @param first_joint  pelt_baked_instance.first
PELT_API void pelt_gl_crowd_draw(const pelt_gl_crowd* crowd, const pelt_gl_program* program,
                                 const pelt_gl_mesh* mesh, uint32_t first_joint,
                                 pelt_range instances);

typedef struct pelt_gl_crowd_skin_desc
{
    const pelt_gl_crowd* crowd;
    const pelt_gl_mesh* mesh;
    uint32_t instance;    ///< of the crowd
    uint32_t first_joint; ///< pelt_baked_instance.first
    pelt_method method;
    pelt_gpu_scale scale;
    float mix;
} pelt_gl_crowd_skin_desc;

/// Deform a mesh as one instance of a crowd has it and fetch the result, as pelt_gl_skin() does.
/// @param out  mesh->vertex_count of each; NULL arrays, and those the mesh came without, are left
PELT_API pelt_result pelt_gl_crowd_skin(const pelt_surface* out, pelt_gl* gl,
                                        const pelt_gl_crowd_skin_desc* desc, pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
