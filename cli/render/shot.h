// SPDX-License-Identifier: MIT
// A posed scene on a stage, method by method: what a film or a sheet of pictures is made from.
#ifndef PELT_SHOT_H
#define PELT_SHOT_H

#include "frame_normals.h"
#include "method_list.h"
#include "normal_map.h"
#include "pelt/render.h"
#include "picture.h"
#include "pose_request.h"
#include "shot_values.h"
#include "show_list.h"
#include "view.h"

typedef struct shot
{
    // From the caller, and to live as long as the shot.
    const pelt_scene* scene;
    const char* source; ///< the file of the scene, for textures; NULL: none
    const method_list* how;
    pose_request* pose; ///< moves from moment to moment
    show_list show;
    view from;
    pelt_color background; ///< {0}: that of the library

    // What shot_survey() has seen so far.
    pelt_bounds box;      ///< along the axes of the picture, see view_from_model()
    float farthest;       ///< meters between a shown method and the one it is compared with
    uint32_t mixed_count; ///< most vertices between mirrored and unmirrored joints at one moment
    normal_map maps[METHOD_LIST_MAX]; ///< of normals, one per method; SHOW_NORMAL_ERROR

    pelt_stage* stage;
    pelt_frame frame, reference; ///< what is shown, and what it is compared with
    pelt_arena* arena;           ///< owns what was computed for the frames
    shot_values values;
    shot_values shares; ///< of the joint in focus
} shot;

/// Compute centers where they are needed, load textures, and upload.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int shot_create(shot* inout, pelt_gl* gl);
void shot_destroy(shot* in);

/// Look at a moment under all methods: add to the box, to the distances and to the angles.
int shot_survey(shot* inout, float time);

/// Draw a moment under one of the methods.
/// @param out  has its size
int shot_take(shot* inout, const pelt_picture* out, uint32_t method, float time,
              const pelt_camera* camera);

/// Where the scale of the colors ends: meters, degrees or weight; NaN where they are no numbers.
float shot_scale(const shot* in);

/// What the colors mean, when they are numbers.
typedef struct shot_legend
{
    pelt_legend legend;
    char title[192];
    bool is_needed;
} shot_legend;

/// @param out  refers to itself: do not copy it
void shot_legend_make(shot_legend* out, const shot* in);

#endif
