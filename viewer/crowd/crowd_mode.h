// SPDX-License-Identifier: MIT
// Crowd mode: many instances of the current character, which play from one bake with random offsets
// and cross-fades, are culled by the boxes of the bake, and have two levels of detail.
#ifndef PELT_CROWD_MODE_H
#define PELT_CROWD_MODE_H

#include "crowd_scene.h"
#include "model/bake_slot.h"
#include "model/character.h"
#include "model/view_target.h"
#include "orbit.h"

/// The inputs of a picture, to skip pictures that would not change.
typedef struct crowd_input
{
    view_settings settings;
    orbit camera;
    double time;            ///< seconds since the crowd began
    uint32_t width, height; ///< pixels
} crowd_input;

typedef struct view_crowd
{
    pelt_baked* bakes[CROWD_LEVELS]; ///< NULL: none yet
    bake_request requests[CROWD_LEVELS];
    crowd_scene* stage; ///< NULL: to be made
    view_target target; ///< {0}: to be made
    double time;        ///< seconds
    bool is_frozen;     ///< members are culled by a frustum that stays
    float frozen[16];   ///< its clip from world
    pelt_vec3 frozen_eye;
    crowd_input shown; ///< last picture
    bool is_stale;     ///< something else has changed since
    bool is_drawn;     ///< by the last crowd_mode_draw()
    double cull_ms;    ///< playing and culling
} view_crowd;

/// The first level whose bake is missing or another than settings ask for.
/// @return its index, or PELT_NONE
uint32_t crowd_mode_find_bake(bake_request* out, const view_crowd* in,
                              const view_settings* settings);

/// A bake of a level, which it owns from now on.
void crowd_mode_replace_bake(view_crowd* inout, uint32_t level, pelt_baked* baked,
                             const bake_request* request);

/// The mode is left: release members, GPU memory and the picture, and keep the bakes.
/// @return false: there was nothing to release
bool crowd_mode_leave(view_crowd* inout);

/// Another character: bakes and members are gone.
void crowd_mode_forget(view_crowd* inout);
void crowd_mode_destroy(view_crowd* inout);

/// A camera at the edge of the crowd, over the heads of the first row.
orbit crowd_mode_camera(const view_crowd* in, const view_settings* settings,
                        const pelt_bounds* character);

/// Draw, unless it would be the same picture.
/// @return PELT_OK, also while there is no bake yet; or as crowd_scene_create()
pelt_result crowd_mode_draw(view_crowd* inout, pelt_gl* gl, const view_character* character,
                            const crowd_input* input, pelt_error* error);

#endif
