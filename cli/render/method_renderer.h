// SPDX-License-Identifier: MIT
// Draws a scene in a pose by each of several methods and rules of normals.
#ifndef PELT_METHOD_RENDERER_H
#define PELT_METHOD_RENDERER_H

#include "camera_view.h"
#include "method_frame.h"
#include "method_list.h"
#include "normal_error_scale.h"
#include "pelt/render.h"
#include "picture.h"
#include "requests/pose_request.h"
#include "show_list.h"
#include "vertex_values.h"

typedef struct method_renderer
{
    // From the caller; must outlive this.
    const pelt_scene* scene;
    const char* source; ///< the file of the scene, for textures; NULL: none
    const method_list* how;
    pose_request* pose; ///< moves from moment to moment
    show_list show;
    camera_view view;
    pelt_skinning skinning;
    bool is_prepared;      ///< for many frames: see pelt_frame_prepare()
    pelt_color background; ///< {0}: that of the library

    // What method_renderer_measure() has measured so far.
    pelt_bounds box;      ///< along the axes of the picture, see camera_view_from_model()
    float farthest;       ///< meters between a shown method and the one it is compared with
    uint32_t mixed_count; ///< most vertices between mirrored and unmirrored joints at one moment
    normal_error_scale scales[METHOD_LIST_MAX]; ///< of normals, one per method; SHOW_NORMAL_ERROR

    pelt_stage* stage;
    pelt_frame frame, reference; ///< what is shown, and what it is compared with
    pelt_arena* arena;           ///< owns what was computed for the frames
    vertex_values values;
    const pelt_color* const* colors; ///< SHOW_JOINTS: of vertices, else NULL
    pelt_color* parts;               ///< SHOW_JOINTS: of the legend, one per joint
    const char** part_names;
    uint32_t part_count;
    vertex_values shares; ///< of the joint in focus
} method_renderer;

/// Compute centers where they are needed, load textures, and upload.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int method_renderer_create(method_renderer* inout, pelt_gl* gl);
void method_renderer_destroy(method_renderer* in);

/// Measure a moment under all methods: add to the box, to the distances and to the angles.
int method_renderer_measure(method_renderer* inout, float time);

/// Draw a moment under one of the methods.
/// @param out  has its size
int method_renderer_draw(method_renderer* inout, const pelt_picture* out, uint32_t method,
                         float time, const pelt_camera* camera);

/// Where the scale of the colors ends: meters, degrees or weight; NaN where they are no numbers.
float method_renderer_scale(const method_renderer* in);

/// The meaning of the colors, if they represent numbers.
typedef struct method_renderer_legend
{
    pelt_legend legend;
    char title[192];
    bool is_needed;
} method_renderer_legend;

/// @param out  refers to itself: do not copy it
void method_renderer_legend_make(method_renderer_legend* out, const method_renderer* in);

#endif
