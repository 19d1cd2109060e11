// SPDX-License-Identifier: MIT
// Pictures of a scene by OpenGL: lit characters, and what one wants to see of their skinning. Read
// it top to bottom: a camera, a stage with the scene on it, a look, a picture. Link libpelt_gl.
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
    float near_plane;      ///< meters; 0: chosen by pelt_stage_picture() from the stage
    float far_plane;       ///< as near_plane
} pelt_camera;

/// Look at a box so that all of it is in the picture, with some air around.
/// It is as near as that allows. An empty box, or a point, is taken for one of a meter.
/// @param azimuth    radians about +Y: 0 looks at the front (+Z) of a character, pi / 2 at its left
/// @param elevation  radians above the horizon; a little less than straight up or down at most
/// @param aspect     width / height of the picture
PELT_API pelt_camera pelt_camera_frame(const pelt_bounds* box, float azimuth, float elevation,
                                       float aspect);

// =============================================================================================
// Stage
//
// A scene in the memory of the GPU. Everything needs the context of the pelt_gl, as gl.h says.

typedef struct pelt_stage pelt_stage;

typedef struct pelt_stage_options
{
    const pelt_picture* textures; ///< base colors, one per material, {0} for none; NULL: none
    uint32_t sample_count;        ///< per pixel, against jagged edges; 0: 4, or what the driver has
} pelt_stage_options;

/// Upload a scene.
/// @param scene    must live as long as the stage
/// @param options  NULL: defaults; not needed any more afterwards
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED for what the driver cannot take,
/// as
///         a texture that is too large
PELT_API pelt_result pelt_stage_create(pelt_stage** out, pelt_gl* gl, const pelt_scene* scene,
                                       const pelt_stage_options* options, pelt_error* error);
PELT_API void pelt_stage_destroy(pelt_stage* stage); ///< NULL is allowed

typedef enum pelt_skinning
{
    PELT_SKINNING_AUTO = 0, ///< GPU where its shaders give what the CPU gives, else CPU
    PELT_SKINNING_CPU,      ///< the surfaces of the frame are uploaded
    PELT_SKINNING_GPU,      ///< palettes are uploaded; lms and sbs have no shaders: CPU, as are
                            ///< meshes with a method of their own in the frame. What shaders do
                            ///< not know of the options is left out
} pelt_skinning;

/// Take over a pose: what pelt_frame_update() made with the same options. Palettes go to the GPU,
/// with the frame's factors for normals where the rule needs them, and surfaces where the CPU does
/// the skinning, shapes are added or nothing is skinned.
/// @param frame  of the stage's scene; used by pelt_stage_picture() too, and not changed
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED
PELT_API pelt_result pelt_stage_pose(pelt_stage* stage, const pelt_frame* frame,
                                     const pelt_deform_options* deform, pelt_skinning skinning,
                                     pelt_error* error);

// =============================================================================================
// Look

/// What is drawn; bits to be joined.
typedef enum pelt_show
{
    PELT_SHOW_GROUND = 1 << 0, ///< a grid of 0.1 m and 1 m at the lowest point, with a soft shadow;
                               ///< ten times as wide, or a hundred, below giants
    PELT_SHOW_WIRE = 1 << 1,   ///< edges of triangles over the surface
    PELT_SHOW_BONES = 1 << 2,  ///< joints green, bones yellow, through the surface
    PELT_SHOW_CORS = 1 << 3,   ///< centers of rotation as red dots, carried along as under lbs;
                               ///< none where a vertex is its own center
    PELT_SHOW_BOXES = 1 << 4,  ///< the box around each instance
    PELT_SHOW_FACETS = 1 << 5, ///< flat shading, by the triangles' own normals
} pelt_show;

typedef struct pelt_look
{
    uint32_t show;         ///< bits of pelt_show
    pelt_color background; ///< {0}: a light gray that darkens towards the edge; others may be
                           ///< transparent, {255, 255, 255, 0}

    /// Numbers to be shown as colors instead of materials, from 0 to 1: for each instance an array
    /// of one per vertex, or NULL for its material. NULL: materials everywhere. Numbers are
    /// interpolated, then colored, and lit so softly that the map can be read.
    const float* const* values;
    pelt_color_map map; ///< of values
} pelt_look;

/// Draw the stage as posed into a picture, in sRGB. The same input gives the same pixels on one
/// machine. The lowest point of the pose stands on the ground.
///
/// Masks have holes. What blends is drawn after everything opaque, triangles from back to front by
/// their middles, and mixed as light; where only a background that is not opaque is behind it, as
/// bytes. Shadows follow alpha. Instances that show values are opaque.
///
/// @param out  as large as the result shall be, see pelt_picture_create()
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED when the driver cannot draw
///         pictures that large, with a sentence that says how large they may be
PELT_API pelt_result pelt_stage_picture(const pelt_picture* out, pelt_stage* stage,
                                        const pelt_camera* camera, const pelt_look* look,
                                        pelt_error* error);

/// The same into the framebuffer that is bound, as wide and high as said, for a window. It needs a
/// depth buffer; colors are sRGB, written as they are. Blended surfaces are mixed as light when
/// its format is sRGB (GL_SRGB8_ALPHA8) and GL_FRAMEBUFFER_SRGB can be switched, else as bytes.
///
/// No state is relied upon. Framebuffer bindings stay. Viewport, blending, depth, culling, polygon
/// offset, point size, sRGB conversion and texture bindings of units 0 to 3 are left changed; no
/// program, vertex array or array buffer is bound afterwards.
PELT_API pelt_result pelt_stage_draw(pelt_stage* stage, uint32_t width, uint32_t height,
                                     const pelt_camera* camera, const pelt_look* look,
                                     pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
