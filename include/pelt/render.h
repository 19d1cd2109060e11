// SPDX-License-Identifier: MIT
// Rendering a scene with OpenGL: shaded characters and visualizations of their skinning. Read top
// to bottom: camera, stage, joints, look, picture. Link libpelt_gl.
#ifndef PELT_RENDER_H
#define PELT_RENDER_H

#include "color.h"
#include "gl.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Camera

typedef struct pelt_camera
{
    pelt_vec3 eye, target; ///< meters
    float field_of_view;   ///< vertical, radians; 0: 0.5
    float near_plane;      ///< meters; 0: fitted to the stage when it is drawn
    float far_plane;       ///< as near_plane
} pelt_camera;

/// The nearest camera that has a whole box in view, with a margin. An empty box or a point counts
/// as a cube of one meter.
/// @param azimuth    radians about +Y: 0 looks at the front (+Z) of a character, pi / 2 at its left
/// @param elevation  radians above the horizon, clamped just short of straight up and down
/// @param aspect     width / height of the picture
PELT_API pelt_camera pelt_camera_frame(const pelt_bounds* box, float azimuth, float elevation,
                                       float aspect);

/// Projection times view, for shaders of your own and for pelt_frustum_of().
/// @param out     m[4 * column + row], depths from -1 to 1
/// @param camera  with near_plane and far_plane
PELT_API void pelt_camera_matrix(float out[16], const pelt_camera* camera, float aspect);

// =============================================================================================
// Stage
//
// A scene in GPU memory. All functions need the context of its pelt_gl to be current, see gl.h.

typedef struct pelt_stage pelt_stage;

typedef struct pelt_stage_options
{
    /// Pictures of textures, PELT_SLOT_COUNT for each material in the order of pelt_texture_slot,
    /// {0} for none; NULL: none.
    const pelt_picture* textures;
    uint32_t sample_count; ///< per pixel (MSAA); 0: 4; at most what the driver supports
} pelt_stage_options;

/// Upload a scene.
/// @param scene    must outlive the stage
/// @param options  copied; NULL: defaults
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED for what exceeds the driver's
///         limits, such as a large texture
PELT_API pelt_result pelt_stage_create(pelt_stage** out, pelt_gl* gl, const pelt_scene* scene,
                                       const pelt_stage_options* options, pelt_error* error);
PELT_API void pelt_stage_destroy(pelt_stage* stage); ///< NULL is allowed

/// Upload a mesh again whose weights were edited: scene->meshes[mesh].weights. What the stage has
/// derived from them, and its normal factors, are found again with the next pose.
/// @return as pelt_stage_create(); after an error the stage has the old or the new weights
PELT_API pelt_result pelt_stage_update_weights(pelt_stage* stage, uint32_t mesh, pelt_error* error);

typedef enum pelt_skinning
{
    PELT_SKINNING_AUTO = 0, ///< GPU where shaders give the result of the CPU, else CPU
    PELT_SKINNING_CPU,      ///< uploads the surfaces of the frame
    PELT_SKINNING_GPU,      ///< uploads palettes; options that shaders do not support are ignored.
                            ///< LMS, SBS and meshes with a method of their own in the frame still
                            ///< use the CPU. The frame's surfaces of what shaders skin are not
                            ///< read: its box, and so the ground, is that of some vertices, which
                            ///< are deformed for it; it may be up to 1 % too small
} pelt_skinning;

/// Set the pose: a frame after pelt_frame_update() with the same options. Uploads palettes, with
/// normal factors if the rule needs them, and surfaces where meshes are skinned on the CPU, morphed
/// or unskinned. Normal factors, once uploaded, must not be edited where they lie.
/// @param frame  of the stage's scene; drawing reads it too
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED
PELT_API pelt_result pelt_stage_pose(pelt_stage* stage, const pelt_frame* frame,
                                     const pelt_deform_options* deform, pelt_skinning skinning,
                                     pelt_error* error);

/// The two halves of pelt_stage_pose(), for those who measure them: what the CPU uploads, and
/// the skinning on the GPU, which a software driver does within the call.
PELT_API pelt_result pelt_stage_upload(pelt_stage* stage, const pelt_frame* frame,
                                       const pelt_deform_options* deform, pelt_skinning skinning,
                                       pelt_error* error);
PELT_API pelt_result pelt_stage_skin(pelt_stage* stage, pelt_error* error);

// =============================================================================================
// Joints
//
// Colors of a skeleton. No OpenGL is needed. prepare.h has the boxes of joints and ends of bones.

/// A color for each joint. Its hue is at least 90 degrees from that of the joint above, and those
/// of joints below the same one are spread; lightness alternates from joint to joint down a chain.
/// @param out  scene->node_count; other nodes have the color of the joint above, or gray
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_joint_colors(pelt_color* out, const pelt_scene* scene);

/// Weights as colors: each vertex has the mean of the colors of its joints by their weights, in
/// linear light. Without weights it has that of its instance's node.
/// @param out     for pelt_look.colors: one array per instance, in the memory of the arena
/// @param joints  by node: see pelt_joint_colors()
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_weight_colors(const pelt_color* const** out, const pelt_scene* scene,
                                        const pelt_color* joints, pelt_arena* arena);

// =============================================================================================
// Look

/// What to draw: bits to combine.
typedef enum pelt_show
{
    PELT_SHOW_GROUND = 1 << 0, ///< a grid of 0.1 m and 1 m at the lowest point, with a soft shadow;
                               ///< 10 or 100 times as wide below giants
    PELT_SHOW_WIRE = 1 << 1,   ///< wireframe over the surface
    PELT_SHOW_BONES = 1 << 2,  ///< joints green, bones yellow, visible through the surface; bones
                               ///< without a joint at their end up to pelt_joint_shape.tail
    PELT_SHOW_CORS = 1 << 3,   ///< centers of rotation as red dots, moved as under LBS; none for
                               ///< vertices that are their own centers
    PELT_SHOW_BOXES = 1 << 4,  ///< the bounding box of each instance
    PELT_SHOW_FACETS = 1 << 5, ///< flat shading with face normals
    PELT_SHOW_JOINT_BOXES = 1 << 6, ///< pelt_joint_shape.box of each joint, in its color
    PELT_SHOW_NORMALS = 1 << 7,     ///< a line along the normal of each vertex, as long as 1 % of
                                    ///< the diagonal of the character's box
    PELT_SHOW_UNTEXTURED = 1 << 8,  ///< factors without textures, of which only alpha remains
} pelt_show;

typedef struct pelt_look
{
    uint32_t show;         ///< bits of pelt_show
    pelt_color background; ///< {0}: light gray, darker toward the edges; may be transparent, as
                           ///< {255, 255, 255, 0}

    /// Values from 0 to 1 to show as colors instead of materials: one array per instance with one
    /// value per vertex, or NULL for its material. NULL: materials everywhere. Values are
    /// interpolated before they are colored; shading is soft, so that colors stay readable.
    const float* const* values;
    pelt_color_map map; ///< of values

    /// Colors to show instead of materials: one array per instance with one color per vertex, or
    /// NULL. They are interpolated in linear light and shaded as values are, which go first.
    const pelt_color* const* colors;

    /// More boxes in the space of the scene, as lines; NULL: none.
    const pelt_bounds* boxes;
    uint32_t box_count;
} pelt_look;

/// Draw the stage in its pose into an sRGB picture. Deterministic on one machine. The ground is at
/// the lowest point of the pose.
///
/// PELT_ALPHA_MASK discards samples below the cutoff. PELT_ALPHA_BLEND surfaces are drawn after all
/// opaque ones, triangles sorted back to front by centroid, and blended in linear light; over
/// nothing but a background that is not opaque, in sRGB. Shadows respect alpha. Instances that show
/// values are opaque.
///
/// Triangles are drawn until they cover the picture 32 times, counted over all its pixels: no
/// character does, but thousands of triangles that overlap would take minutes. The same goes for
/// shadows. A driver that draws on the processor is given at most 3 million, and no light from the
/// sky where there are more than 600 000. See pelt_stage_cover().
///
/// @param out  its size is that of the result; pixels are the caller's
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED if the driver cannot draw a
///         picture of this size, with the limit in the message
PELT_API pelt_result pelt_stage_picture(const pelt_picture* out, pelt_stage* stage,
                                        const pelt_camera* camera, const pelt_look* look,
                                        pelt_error* error);

/// How triangles cover a picture. Zero if their surfaces are only on the GPU (PELT_SKINNING_GPU).
typedef struct pelt_cover
{
    float layers;      ///< mean count of triangles over a pixel, hidden ones included
    uint32_t left_out; ///< triangles that were not drawn, those at the end of the scene
} pelt_cover;

/// Numbers of the last picture.
PELT_API pelt_cover pelt_stage_cover(const pelt_stage* stage);

/// pelt_stage_picture() with all triangles, into the bound framebuffer of the given size in pixels,
/// for a window. It needs a depth buffer and receives sRGB values. Blending is in linear light if
/// its format is sRGB (GL_SRGB8_ALPHA8) and GL_FRAMEBUFFER_SRGB can be toggled, else in sRGB.
///
/// Assumes no OpenGL state and keeps framebuffer bindings. Leaves viewport, blending, depth,
/// culling, polygon offset, point size, sRGB conversion and the textures of units 0 to 7 changed,
/// and no program, vertex array or array buffer bound.
PELT_API pelt_result pelt_stage_draw(pelt_stage* stage, uint32_t width, uint32_t height,
                                     const pelt_camera* camera, const pelt_look* look,
                                     pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
