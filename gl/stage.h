// SPDX-License-Identifier: MIT
// What the files of the renderer share: the stage, its content, and one shot of it.
#ifndef PELTI_STAGE_H
#define PELTI_STAGE_H

#include "gl_context.h"
#include "joints/mesh_extent.h"
#include "pelt/prepare.h"
#include "pelt/render.h"
#include "render_matrix.h"

enum
{
    PELTI_SKY_COUNT = 7,                          // as in render_light.glsl
    PELTI_COLOR_LOCATION = PELT_ATTRIBUTE_MIX,    // as in render_vertex.glsl; no other use here
    PELTI_VALUE_LOCATION = PELT_ATTRIBUTE_VERTEX, // the same
    PELTI_FRAME_BINDING = 1,                      // uniform buffer of render_light.glsl
    PELTI_BASE_UNIT = 0,                          // texture units
    PELTI_KEY_UNIT = 1,
    PELTI_SKY_UNIT = 2,
    PELTI_VALUE_UNIT = 3,
    PELTI_SLOT_UNIT = 3, // + slot: of textures other than the base color
    PELTI_UNIT_COUNT = 8,
    PELTI_UV_LOCATION = 12, // of the second UV set, as in render_vertex.glsl
    PELTI_MAP_COUNT = 3,    // of pelt_color_map
    PELTI_LAYER_COUNT = 32, // of triangles over each pixel, on average; more are not drawn
};

/// How a body is drawn: each has its program.
typedef enum pelti_pass
{
    PELTI_PASS_DEPTH,   // of opaque bodies
    PELTI_PASS_CUTOUT,  // the same of the others
    PELTI_PASS_SURFACE, // of all that are not blended
    PELTI_PASS_WIRE,
    // The same surfaces on a driver that draws on the processor: see stage_shade.c.
    PELTI_PASS_FILL,  // depths of opaque bodies, front sides only if they have no other
    PELTI_PASS_SHADE, // their colors
    PELTI_PASS_COVER, // samples that take these colors
    PELTI_PASS_MASK,  // bodies with masks
    PELTI_PASS_COUNT
} pelti_pass;

/// A mesh of the scene. Buffers are 0 before they are needed.
typedef struct pelti_stage_mesh
{
    pelt_gl_mesh mesh;
    uint32_t cor_buffer, factor_buffer;
    uint64_t normal_stamp;          // of the factors for normals that it has; 0: none
    uint32_t spare_texture;         // theirs, while the standard rule is used
    pelt_gpu_normals spare_normals; // and their layout
    uint32_t edge_buffer;           // pairs of indices
    uint32_t uv_buffer;             // the UV set other than the first that its material uses
    uint32_t edge_count;
    float edge_length; // mean at rest, meters
    pelti_mesh_extent extent;
} pelti_stage_mesh;

/// An instance of the scene.
typedef struct pelti_body
{
    uint32_t vertex_array;
    uint32_t surface_buffer; // as posed: from the CPU, or from transform feedback
    size_t surface_bytes;    // of it
    uint32_t value_buffer, color_buffer;
    bool is_mirrored; // front and back of its triangles are exchanged
    bool is_skinned;  // by shaders: how the surface buffer is laid out
    pelt_bounds bounds;
    uint32_t drawn_count; // indices, in the pass that is drawn
} pelti_body;

/// Joints of all skins, each node once, parents first.
typedef struct pelti_skeleton
{
    uint32_t count;
    uint32_t* nodes;
    uint32_t* parents;        // index in this list of the nearest joint above, or PELT_NONE
    float* lengths;           // of the longest bone at each joint; filled for a shot
    pelt_joint_shape* shapes; // by node
    pelt_color* colors;       // by node
} pelti_skeleton;

typedef struct pelti_lights
{
    uint32_t key_texture, key_framebuffer;
    uint32_t sky_texture, sky_framebuffer;
    uint32_t frame_buffer; // uniforms of render_light.glsl
    bool is_sky_drawn;     // for the pose
    bool is_key_drawn;     // for the pose and key_direction
    pelti_mat4 key_from_model;
    pelt_vec4 key_direction; // w: meters of a texel
    pelti_mat4 sky_from_model[PELTI_SKY_COUNT];
    float sky_texel; // meters, the largest
    pelti_mat4 earth_from_model;
    float earth_slope; // depth of a length, both as parts of the map
} pelti_lights;

typedef struct pelti_marks
{
    uint32_t shape_buffer, shape_array, instance_buffer;
    uint32_t mark_capacity; // of the last
    uint32_t dot_buffer, dot_array;
    uint32_t line_array; // of what is drawn once for each vertex of a body
    pelt_vec3* dots;     // scratch
    uint32_t dot_capacity;
} pelti_marks;

/// A triangle of a body that is blended.
typedef struct pelti_blend_triangle
{
    float distance; // squared, from the eye to its middle
    bool is_front;
    uint32_t body;
    uint32_t first; // of its indices
} pelti_blend_triangle;

/// Room for all triangles whose material blends.
typedef struct pelti_blend
{
    uint32_t capacity; // triangles
    pelti_blend_triangle* triangles;
    uint32_t* indices;
    uint32_t index_buffer;
} pelti_blend;

/// The target of pictures.
typedef struct pelti_target
{
    uint32_t width, height;
    uint32_t framebuffer, color, depth; // with samples
    uint32_t resolved_framebuffer, resolved;
} pelti_target;

/// Colors and depths of opaque surfaces at the centers of pixels.
typedef struct pelti_shading
{
    uint32_t width, height;
    uint32_t framebuffer, color, depth; // of textures
} pelti_shading;

struct pelt_stage
{
    pelt_gl* gl;
    const pelt_scene* scene;
    pelti_stage_mesh* meshes;  // mesh_count
    pelti_body* bodies;        // instance_count
    pelt_gl_palette* palettes; // skin_count
    uint32_t* textures;        // material_count, 0 for none; those of one picture are the same
    uint32_t value_maps[PELTI_MAP_COUNT];
    uint32_t sample_count;
    bool is_opaque; // the material of every instance
    char* surface_fragment;
    char* cutout_fragment;
    char *ground_fragment, *grid_fragment; // the latter without shadows
    uint32_t empty_array;                  // for what has no attributes
    pelti_skeleton skeleton;
    pelti_lights lights;
    pelti_marks marks;
    pelti_blend blend;
    pelti_target target;
    pelti_shading shading;
    bool shades_pixels; // the driver draws on the processor: see stage_shade.c

    const pelt_frame* frame; // NULL before the first pose
    bool has_surfaces;       // the frame has them; else only the GPU does
    bool is_limited;         // to PELTI_LAYER_COUNT: a picture is being taken
    pelt_cover cover;        // of the last picture
    uint32_t backlog;        // triangles since the driver was waited for
    pelt_deform_options deform;
    pelt_bounds bounds; // of the pose; never empty
};

/// One picture: the resolved camera and look.
typedef struct pelti_shot
{
    uint32_t width, height;
    const pelt_look* look;
    pelti_view view;
    pelt_vec3 eye;
    pelti_mat4 clip_from_model;
    float pixels_per_radian; // near the middle
    float ground_radius;     // meters
    bool is_sampled;         // the framebuffer has several samples in a pixel
    bool is_srgb;            // and can mix linear light
    bool is_own;             // it is that of the stage, which has a stencil
} pelti_shot;

/// Whether an instance coincides with one before it in every pose: it is not drawn, and has no
/// buffers.
static inline bool pelti_body_is_duplicate(const pelt_stage* stage, uint32_t index)
{
    return stage->frame->originals[index] != index;
}

/// Pixels that a meter takes at a position.
float pelti_shot_scale(const pelti_shot* shot, pelt_vec3 at);

// render_program.c
const char* pelti_render_file(const char* name);
/// Texts one after the other. @return NULL when out of memory
char* pelti_render_join(const char* const* texts, uint32_t count);

/// Factors for normals of a mesh, uploaded where they are not those that it has.
/// @param factors  NULL: by the standard rule
pelt_result pelti_stage_mesh_set_normals(pelti_stage_mesh* drawn, pelt_gl* gl,
                                         const pelt_normal_factors* factors, pelt_normal_rule rule,
                                         pelt_error* error);

/// A program whose vertex shader does not skin.
pelt_result pelti_render_program(uint32_t* out, pelt_gl* gl, const char* vertex,
                                 const char* fragment, pelt_error* error);
void pelti_uniform_matrix(uint32_t program, const char* name, const pelti_mat4* value);
void pelti_uniform_float(uint32_t program, const char* name, float value);
void pelti_uniform_int(uint32_t program, const char* name, int32_t value);
void pelti_uniform_vec3(uint32_t program, const char* name, pelt_vec3 value);
void pelti_uniform_vec4(uint32_t program, const char* name, pelt_vec4 value);

// stage_texture.c
pelt_result pelti_textures_create(pelt_stage* stage, const pelt_picture* pictures,
                                  pelt_error* error);
void pelti_value_maps_create(pelt_stage* stage);
/// How the bound texture is sampled. Materials may share a texture and not their samplers.
void pelti_sampler_set(const pelt_sampler* sampler);

// stage_body.c
/// What alpha means to an instance: the material's own mode, but for values, which are opaque.
/// @param look  NULL: the material's
pelt_alpha_mode pelti_body_alpha(const pelt_stage* stage, uint32_t index, const pelt_look* look);
/// A program for a pass, used, with everything set that bodies share.
pelt_result pelti_bodies_begin(uint32_t* out, pelt_stage* stage, pelti_pass pass,
                               const pelti_mat4* clip_from_model, const pelti_shot* shot,
                               pelt_error* error);
void pelti_bodies_end(void);
/// Bind an instance and its material for PELTI_PASS_SURFACE.
pelt_result pelti_surface_prepare(pelt_stage* stage, uint32_t index, uint32_t program,
                                  const pelti_shot* shot, pelt_error* error);
/// Find how many indices of each instance a pass draws into the viewport.
void pelti_bodies_limit(pelt_stage* stage, pelti_pass pass, bool is_blended,
                        const pelti_mat4* clip_from_model, const pelti_shot* shot);
pelt_result pelti_bodies_draw(pelt_stage* stage, pelti_pass pass, const pelti_mat4* clip_from_model,
                              const pelti_shot* shot, pelt_error* error);

// stage_shade.c
/// Draw all surfaces that are not blended.
pelt_result pelti_shade_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);
void pelti_shading_destroy(pelti_shading* shading);

// stage_cover.c
/// Add the pixels that triangles of an instance cover, until there are PELTI_LAYER_COUNT for each
/// pixel of the viewport.
/// @return how many indices these triangles have
uint32_t pelti_cover_add(double* inout, const pelt_stage* stage, uint32_t index,
                         const pelti_mat4* clip_from_model, uint32_t width, uint32_t height);

// stage_blend.c
pelt_result pelti_blend_create(pelti_blend* out, const pelt_stage* stage, pelt_error* error);
void pelti_blend_destroy(pelti_blend* blend);
/// Whether surfaces have to mark their samples for pelti_blend_draw().
bool pelti_blend_needs_stencil(const pelt_stage* stage, const pelti_shot* shot);
pelt_result pelti_blend_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);

// render_edges.c
/// Each edge of the triangles once, also along seams, where two vertices share a position.
pelt_result pelti_edges_create(pelti_stage_mesh* drawn, const pelt_mesh* mesh, pelt_error* error);

// render_skeleton.c
pelt_result pelti_skeleton_create(pelti_skeleton* out, const pelt_scene* scene, pelt_error* error);
void pelti_skeleton_destroy(pelti_skeleton* skeleton);

// render_shapes.c
enum
{
    PELTI_BONE_VERTICES = 24, // triangles
    PELTI_BALL_RINGS = 8,
    PELTI_BALL_SIDES = 12,
    PELTI_BALL_VERTICES = 6 * PELTI_BALL_RINGS * PELTI_BALL_SIDES, // triangles
    PELTI_BOX_VERTICES = 24,                                       // lines
    PELTI_SHAPE_VERTICES = PELTI_BONE_VERTICES + PELTI_BALL_VERTICES + PELTI_BOX_VERTICES,
};

/// A bone, a ball and a box, one after the other.
void pelti_shapes_write(pelt_vec3 out[PELTI_SHAPE_VERTICES]);

// stage_light.c
void pelti_lights_create(pelti_lights* out);
void pelti_lights_destroy(pelti_lights* lights);
/// Draw the maps of shadows, and bind them with the uniforms. Leaves another framebuffer bound.
pelt_result pelti_lights_update(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);
/// Set the maps and uniforms of a program.
void pelti_lights_use(uint32_t program);

// stage_ground.c
pelt_result pelti_back_draw(pelt_stage* stage, pelt_error* error);
pelt_result pelti_ground_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);

// stage_marks.c
void pelti_marks_create(pelti_marks* out, uint32_t instance_count);
void pelti_marks_destroy(pelti_marks* marks);
pelt_result pelti_boxes_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);
pelt_result pelti_joint_boxes_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);
pelt_result pelti_look_boxes_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);
pelt_result pelti_normals_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);
pelt_result pelti_bones_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);
pelt_result pelti_cors_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);

// stage_draw.c
/// Whether drawing into sRGB can be switched between bytes as they are and linear light.
bool pelti_can_switch_srgb(void);

// stage_picture.c
void pelti_target_destroy(pelti_target* target);

#endif
