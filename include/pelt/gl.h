// SPDX-License-Identifier: MIT
// GPU skinning by OpenGL: objects that use the layouts and the shader library of gpu.h. Link
// libpelt_gl. No OpenGL header is needed: names of OpenGL objects are plain integers.
#ifndef PELT_GL_H
#define PELT_GL_H

#include "gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Context
//
// OpenGL 3.3 core or OpenGL ES 3.0. Everything below belongs to a pelt_gl, whose context must be
// current on the calling thread, also for destroying objects. There is no global state.

typedef struct pelt_gl pelt_gl;

typedef enum pelt_gl_source
{
    PELT_GL_CURRENT = 0,  ///< the current context, for instance of a window
    PELT_GL_OFFSCREEN,    ///< a new one through EGL, without window or display: OpenGL 3.3 core
    PELT_GL_OFFSCREEN_ES, ///< the same with OpenGL ES 3.0
} pelt_gl_source;

/// Wrap the current context, or create an offscreen one and make it current. If there is no driver,
/// the error says what is missing.
/// @param out  free with pelt_gl_destroy(), after all objects created from it
PELT_API pelt_result pelt_gl_create(pelt_gl** out, pelt_gl_source source, pelt_error* error);

/// Free programs and buffers, and the offscreen context if there is one. The EGL display stays
/// initialized, since others in the process may share it. NULL is allowed.
PELT_API void pelt_gl_destroy(pelt_gl* gl);

/// Make an offscreen context current again after another one was.
PELT_API pelt_result pelt_gl_make_current(pelt_gl* gl, pelt_error* error);

/// Properties of the context.
typedef struct pelt_gl_info
{
    pelt_glsl language;
    const char* renderer;   ///< GL_RENDERER
    const char* version;    ///< GL_VERSION
    bool is_software;       ///< the driver draws on the processor, by its name
    uint32_t block_bytes;   ///< size of palette blocks: GL_MAX_UNIFORM_BLOCK_SIZE, at most 65536
    uint32_t texture_rows;  ///< most rows of a palette or normal texture
    uint32_t program_count; ///< in the cache
    uint64_t draw_count;    ///< draws of stages so far
} pelt_gl_info;

PELT_API pelt_gl_info pelt_gl_describe(const pelt_gl* gl);

// =============================================================================================
// Meshes
//
// Static data: the rest surface and its weights. A renderer draws an instance in four steps:
//
//     pelt_gl_palette_update(&palette, &frame.palettes[skin], method, pivot);
//     pelt_gl_program_get(&program, gl, &desc, &error);   // from pelt_gl_program_desc_of()
//     pelt_gl_program_use(&program, &palette, mix);       // then set your own uniforms
//     pelt_gl_mesh_draw(&mesh);

typedef struct pelt_gl_mesh_options
{
    uint32_t max_influences;                   ///< keep the strongest, 1 to 8; 0: 8
    const pelt_vec3* cors;                     ///< vertex_count; NULL: those of the mesh, if any
    const float* mix_factors;                  ///< vertex_count; NULL: those of the mesh, if any
    const pelt_normal_factors* normal_factors; ///< see pelt_gl_mesh_set_normals(); NULL: none
    pelt_normal_rule normal_rule;
    const uint32_t* vertex_ids; ///< of a pelt_baked_instance, for PELT_ENCODING_VERTEX; NULL: none
} pelt_gl_mesh_options;

/// A mesh in GPU memory. Read-only.
typedef struct pelt_gl_mesh
{
    uint32_t vertex_array; ///< all attributes at the locations of pelt_attribute, and indices
    uint32_t vertex_buffer, index_buffer;
    uint32_t vertex_count, index_count;
    uint32_t joint_count;     ///< least number of joints in a palette
    uint32_t influence_count; ///< for shaders: 1 to 8
    uint32_t pruned_count;    ///< vertices that lost influences; the rest were rescaled to one
    pelt_attribute_set attributes;
    size_t offsets[PELT_ATTRIBUTE_COUNT]; ///< bytes, of each attribute in the vertex buffer
    uint32_t normal_texture;              ///< normal factors, or 0
    pelt_gpu_normals normals;             ///< for shaders
    size_t byte_count;                    ///< size of buffers and texture
} pelt_gl_mesh;

/// Upload a mesh, skinned or not.
/// @param options  NULL: defaults
/// @return PELT_OK, PELT_ERROR_MEMORY (CPU or GPU), or as pelt_gl_mesh_set_normals()
PELT_API pelt_result pelt_gl_mesh_create(pelt_gl_mesh* out, pelt_gl* gl, const pelt_mesh* mesh,
                                         const pelt_gl_mesh_options* options, pelt_error* error);
PELT_API void pelt_gl_mesh_destroy(pelt_gl_mesh* mesh);

/// Replace the rest surface, for instance after pelt_morph_apply(). Where morph targets lack
/// normals (pelt_morph_lacks_normals()), compute them from the new positions:
/// pelt_normals_recompute().
/// @param rest  vertex_count elements each, packed; NULL arrays, and attributes that the mesh was
///              created without, are skipped
PELT_API void pelt_gl_mesh_update(pelt_gl_mesh* mesh, const pelt_surface* rest);

/// Set the rule for normals and tangents. Get programs anew afterward: pelt_gl_program_desc_of().
/// A mesh without normals keeps the standard rule, as under pelt_deform().
/// @param factors  of the mesh; copied; NULL: standard
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED if a vertex has more than 8
///         factors or the texture exceeds the driver's limit; the mesh is then unchanged
PELT_API pelt_result pelt_gl_mesh_set_normals(pelt_gl_mesh* mesh, pelt_gl* gl,
                                              const pelt_normal_factors* factors,
                                              pelt_normal_rule rule, pelt_error* error);

/// The same with 40 bytes per vertex: see pelt_gpu_normals_pack(). Centers of rotation of the mesh
/// become those of the factors.
/// @param factors  of the mesh, up to 4 per vertex; copied
/// @param normals  of the mesh, which has some
/// @param rule     not standard
/// @return as pelt_gl_mesh_set_normals()
PELT_API pelt_result pelt_gl_mesh_set_compact_normals(pelt_gl_mesh* mesh, pelt_gl* gl,
                                                      const pelt_normal_factors* factors,
                                                      const pelt_vec3* normals,
                                                      pelt_normal_rule rule, pelt_error* error);

/// Draw the triangles with the current program. Vertex colors default to white. Leaves the vertex
/// array bound and texture unit 0 active.
PELT_API void pelt_gl_mesh_draw(const pelt_gl_mesh* mesh);

// =============================================================================================
// Palettes
//
// Data that changes per frame: one palette per skin. Functions that use a palette's texture leave
// texture unit 0 active.

enum
{
    PELT_GL_PALETTE_BINDING = 0, ///< uniform buffer binding of a palette block
    PELT_GL_PALETTE_UNIT = 15,   ///< texture unit of a palette texture: the last guaranteed one
    PELT_GL_NORMAL_UNIT = 14,    ///< texture unit of a mesh's normal factors
    PELT_GL_BAKED_UNIT = 13,     ///< texture unit of an animation texture
};

/// A palette in GPU memory. Read-only.
typedef struct pelt_gl_palette
{
    uint32_t joint_count;     ///< capacity
    pelt_palette_kind wanted; ///< as requested
    pelt_gpu_layout layout;   ///< see pelt_gl_palette_set_layout()
    pelt_sign_rule sign_rule; ///< see pelt_gl_palette_set_signs()
    pelt_method method;       ///< of the last update
    pelt_gpu_scale scale;     ///< of the last update
    pelt_palette_kind kind;   ///< of the last update: never AUTO
    uint32_t buffer;          ///< uniform buffer; 0 until needed
    uint32_t texture;         ///< 0 until needed
    uint32_t block_bytes;
    float* staging;
} pelt_gl_palette;

/// @param joint_count  capacity: most joints of any update
/// @param kind         PELT_PALETTE_AUTO: a block if it fits, decided at each update
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED if a texture would exceed the
///         driver's limit, or a PELT_PALETTE_BLOCK would for some method
PELT_API pelt_result pelt_gl_palette_create(pelt_gl_palette* out, pelt_gl* gl, uint32_t joint_count,
                                            pelt_palette_kind kind, pelt_error* error);
PELT_API void pelt_gl_palette_destroy(pelt_gl_palette* palette);

/// Set the layout of later updates, initially compact. A shared palette serves programs of any
/// method: take pelt_gl_program_desc_of() and change its method.
PELT_API void pelt_gl_palette_set_layout(pelt_gl_palette* palette, pelt_gpu_layout layout);

/// Set the sign rule of programs for this palette: PELT_SIGN_HEAVIEST, the default, or
/// PELT_SIGN_HIERARCHY if all updates are of palettes after pelt_palette_unwrap().
PELT_API void pelt_gl_palette_set_signs(pelt_gl_palette* palette, pelt_sign_rule rule);

/// Upload the joints of a pose, once per frame and skin. Allocates no CPU memory. The method may
/// change between frames. So may the scale, which pelt_gpu_scale_of() determines and programs
/// depend on: get the program after the update.
PELT_API void pelt_gl_palette_update(pelt_gl_palette* palette, const pelt_palette* joints,
                                     pelt_method method, pelt_scale_pivot pivot);

/// Bind to PELT_GL_PALETTE_BINDING or PELT_GL_PALETTE_UNIT, where the programs below read it.
PELT_API void pelt_gl_palette_bind(const pelt_gl_palette* palette);

// =============================================================================================
// Programs

/// A skinning vertex shader and a fragment shader.
typedef struct pelt_gl_program_desc
{
    pelt_method method;
    pelt_gpu_scale scale;     ///< as pelt_gl_palette.scale; 0: rigid joints
    pelt_gpu_layout layout;   ///< as pelt_gl_palette.layout; 0: compact
    uint32_t influence_count; ///< as pelt_gl_mesh.influence_count; 0: 4
    pelt_palette_kind palette;
    bool has_mix_factors;
    pelt_gpu_normals normals; ///< as pelt_gl_mesh.normals
    pelt_gpu_baked baked;     ///< for PELT_PALETTE_BAKED
    pelt_sign_rule sign_rule; ///< as pelt_gl_palette.sign_rule
    const char* vertex_main;  ///< see pelt_shader_desc.main; NULL: for transform feedback
    const char* fragment;     ///< without pelt_shader_prologue(); NULL: a shader without output
} pelt_gl_program_desc;

typedef struct pelt_gl_program
{
    uint32_t name;                    ///< of the OpenGL program, for your own uniforms
    int32_t mix;                      ///< location of the uniform pelt_mix, or -1
    int32_t first_joint, joint_count; ///< of pelt_first_joint, pelt_joint_count, or -1
} pelt_gl_program;

/// The description of a program for a mesh and a palette, both shaders NULL.
PELT_API pelt_gl_program_desc pelt_gl_program_desc_of(const pelt_gl_mesh* mesh,
                                                      const pelt_gl_palette* palette);

/// Get a program, compiled on first use and cached for the life of the pelt_gl. Equal descriptions,
/// with texts compared by content, give the same program.
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_UNSUPPORTED for a method without shaders, or
///         PELT_ERROR_DATA if a shader does not compile, with the first line of the driver's log
PELT_API pelt_result pelt_gl_program_get(pelt_gl_program* out, pelt_gl* gl,
                                         const pelt_gl_program_desc* desc, pelt_error* error);

/// Make a program current and bind a palette, ready for pelt_gl_mesh_draw().
/// @param mix  PELT_METHOD_MIX without factors per vertex: 0 is LBS, 1 is DQS
PELT_API void pelt_gl_program_use(const pelt_gl_program* program, const pelt_gl_palette* palette,
                                  float mix);

// =============================================================================================
// Reading back

/// Deform a mesh on the GPU by transform feedback and read the result back.
///
/// Equals pelt_deform() up to rounding, with the palette's sign rule, PELT_DQS_ANTIPODAL and the
/// mesh's normal rule, except for vertices with both mirrored and unmirrored joints: shaders do not
/// fall back to LBS there, so use the CPU for palettes with has_mixed_handedness. CRS needs a mesh
/// with centers. Waits for the GPU. Leaves no program, vertex array or feedback buffer bound, and
/// the framebuffer unchanged.
///
/// @param out  mesh->vertex_count elements each; NULL arrays, and attributes that the mesh was
///             created without, are skipped
/// @param mix  see pelt_gl_program_use()
PELT_API pelt_result pelt_gl_skin(const pelt_surface* out, pelt_gl* gl, const pelt_gl_mesh* mesh,
                                  const pelt_gl_palette* palette, float mix, pelt_error* error);

// =============================================================================================
// Crowds
//
// Many instances of one character, each at its own moment. The clips are on the GPU as an animation
// texture, which shaders decode; the CPU only says what each instance plays.
//
//     pelt_gl_baked_create(&texture, gl, baked, &error);                        // once
//     pelt_gl_crowd_create(&crowd, gl, &texture, 1000, PELT_PALETTE_AUTO, &error);
//
//     pelt_gl_crowd_update(&crowd, playbacks, count);                           // per frame
//     pelt_gl_crowd_pose(&crowd, &error);
//     for each instance i of the scene, with its mesh:
//         desc = pelt_gl_crowd_program_desc(&crowd, &mesh, method, scale);
//         pelt_gl_program_get(&program, gl, &desc, &error);   // with your main()
//         pelt_gl_crowd_use(&crowd, &program, mix);           // then your uniforms
//         pelt_gl_crowd_draw(&crowd, &program, &mesh, baked->instances[i].first, all);
//
// PELT_PALETTE_BAKED takes one pass: each vertex decodes its own joints. Best for QT, MATRIX and DQ
// with few influences; the only choice for VERTEX. PELT_PALETTE_POSED takes two: the pose pass
// decodes every joint of every instance once, into a palette texture that skinning reads. Best for
// LOCAL, where a joint is a walk up its chain, for dense meshes, for accurate normals, and where
// several meshes share a skeleton. It takes 64 bytes per joint and instance, and on OpenGL ES and
// WebGL 2 the extension EXT_color_buffer_float.
//
// In a large crowd, draw the members in view (crowd.h). Each level of detail is a crowd with its
// own bake and meshes; all bakes have the same clips in the same order.
//
//     seen = pelt_crowd_cull(visible, &members, &view, everyone);               // per frame
//     pelt_crowd_sort(order, levels, visible, seen);
//     for each level:
//         pelt_gl_crowd_gather(&crowds[level], &members, order + levels[level].first,
//                              levels[level].count);
//         and on with pelt_gl_crowd_pose() as above, with a main() after
//         pelt_gl_crowd_transform_text()

/// An animation texture in GPU memory. Read-only.
typedef struct pelt_gl_baked
{
    uint32_t texture;
    pelt_gpu_baked format;
    uint32_t joint_count; ///< 0 for VERTEX
    uint32_t clip_count;
    size_t byte_count;
} pelt_gl_baked;

/// Upload a bake; it may be destroyed afterwards.
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED if the texture exceeds the limits
///         of the driver
PELT_API pelt_result pelt_gl_baked_create(pelt_gl_baked* out, pelt_gl* gl, const pelt_baked* baked,
                                          pelt_error* error);
PELT_API void pelt_gl_baked_destroy(pelt_gl_baked* baked);

/// Instances and what they play. Read-only.
typedef struct pelt_gl_crowd
{
    const pelt_gl_baked* baked;
    pelt_palette_kind kind;  ///< BAKED or POSED
    uint32_t instance_count; ///< capacity
    uint32_t used_count;     ///< of the last update
    uint32_t buffer;         ///< BAKED: pelt_gpu_playback of each instance, for attributes
    uint32_t playbacks;      ///< POSED: the same as a texture, RGBA32UI
    uint32_t palette;        ///< POSED: joints of all instances, one instance after another
    uint32_t framebuffer;    ///< POSED: to draw into the palette
    uint32_t pose_program;   ///< POSED: owned by the pelt_gl
    uint32_t vertex_array;   ///< POSED: without attributes, for the pose pass
    pelt_gpu_playback* staging;
    uint32_t transform_buffer; ///< pelt_crowd_transform of each instance
    bool has_transforms;       ///< the last update was pelt_gl_crowd_gather()
    pelt_crowd_transform* transform_staging;
} pelt_gl_crowd;

/// @param baked           must outlive the crowd
/// @param instance_count  capacity, at least 1
/// @param kind            BAKED, POSED, or AUTO: POSED for LOCAL if the context supports it, else
///                        BAKED
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED for POSED if the joints do not fit
///         into a texture, or the driver cannot draw into one of floats
PELT_API pelt_result pelt_gl_crowd_create(pelt_gl_crowd* out, pelt_gl* gl,
                                          const pelt_gl_baked* baked, uint32_t instance_count,
                                          pelt_palette_kind kind, pelt_error* error);
PELT_API void pelt_gl_crowd_destroy(pelt_gl_crowd* crowd);

/// Upload what the instances play. Leave out those out of sight: they cost nothing then.
PELT_API void pelt_gl_crowd_update(pelt_gl_crowd* crowd, const pelt_playback* playbacks,
                                   uint32_t count);

/// Upload the playbacks and transforms of some members: the attributes PELT_CROWD_POSITION_LOCATION
/// and PELT_CROWD_ROTATION_LOCATION of every draw until the next update.
/// @param order  count members, as pelt_crowd_sort() has them; NULL: the first so many
PELT_API void pelt_gl_crowd_gather(pelt_gl_crowd* crowd, const pelt_crowd_members* members,
                                   const uint32_t* order, uint32_t count);

/// GLSL that reads them, to be put before a main() of yours:
///
///     pelt_vertex vertex = pelt_crowd_transform(pelt_skin()); // in the space of the crowd
PELT_API const char* pelt_gl_crowd_transform_text(void);

/// The pose pass, after each update; does nothing for BAKED. Restores framebuffer, viewport, color
/// mask, and the depth, stencil, scissor, culling and blending switches; leaves no program and no
/// vertex array bound.
PELT_API pelt_result pelt_gl_crowd_pose(pelt_gl_crowd* crowd, pelt_error* error);

/// The description of a program for a mesh of a crowd, both shaders NULL.
/// @param scale  NONE if no joint scales in any clip
PELT_API pelt_gl_program_desc pelt_gl_crowd_program_desc(const pelt_gl_crowd* crowd,
                                                         const pelt_gl_mesh* mesh,
                                                         pelt_method method, pelt_gpu_scale scale);

/// Make a program current with a crowd, ready for pelt_gl_crowd_draw().
/// @param mix  see pelt_gl_program_use()
PELT_API void pelt_gl_crowd_use(const pelt_gl_crowd* crowd, const pelt_gl_program* program,
                                float mix);

/// Draw a mesh for a range of the instances of the last update, with the current program.
/// gl_InstanceID counts from the first of the range. Leaves the vertex array bound, and texture
/// unit 0 active.
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

/// Deform a mesh as one instance of a crowd and read the result back, like pelt_gl_skin(). The
/// result is that of pelt_unbake() and pelt_deform(), or of pelt_unbake_vertices(), up to rounding.
/// @param out  mesh->vertex_count of each; NULL arrays, and those the mesh lacks, are skipped
PELT_API pelt_result pelt_gl_crowd_skin(const pelt_surface* out, pelt_gl* gl,
                                        const pelt_gl_crowd_skin_desc* desc, pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
