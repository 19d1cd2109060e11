// SPDX-License-Identifier: MIT
// The current character: in GPU memory, in one pose, deformed for each viewport by its own method.
#ifndef PELT_MODEL_H
#define PELT_MODEL_H

#include "bake_slot.h"
#include "character.h"
#include "edit/mix_brush.h"
#include "edit/weight_brush.h"
#include "joint_mix.h"
#include "orbit.h"
#include "pelt/doctor.h"
#include "playback.h"
#include "pose_edit.h"
#include "profile.h"
#include "settings.h"
#include "view_target.h"

enum
{
    HEAT_BINS = 40,
};

/// The state of one viewport.
typedef struct viewport
{
    pelt_frame frame;
    float** values; ///< of the colors: one array per instance
    view_target target;
    bool is_on_gpu;      ///< as chosen, and possible
    bool lacks_centers;  ///< it shows LBS, since its method needs centers that are missing
    bake_slot bake;      ///< for techniques with textures
    bool is_from_bake;   ///< as chosen, and there
    uint32_t box_count;  ///< of the texture, as they are shown
    double skin_ms;      ///< deforming: on the CPU, or palettes and upload; a running mean
    uint32_t time_count; ///< that it is the mean of
    float farthest;      ///< from the first viewport, meters
    float angle;         ///< mean error of normals, degrees, under COLORS_NORMAL_ERROR
} viewport;

/// Milliseconds of the last update.
typedef struct model_times
{
    double pose;    ///< sampling and edits
    double palette; ///< transforms and palettes of joints
    double deform;  ///< on the CPU: viewports that skin there, and measuring
    double upload;  ///< what is passed to the driver
    double skin;    ///< by the driver: on the GPU, or in software within the call
    double draw;
} model_times;

/// The inputs of the pictures, to skip those that would not change.
typedef struct model_input
{
    view_settings settings;
    orbit camera;
    playback playback;
    uint32_t edit_revision;
    uint32_t mix_revision;  ///< of joint_mix
    uint32_t data_revision; ///< of weights and what depends on them
    uint32_t joint;         ///< node that is chosen, or PELT_NONE
    uint32_t width, height; ///< of each viewport
} model_input;

typedef struct view_model
{
    view_character* character;
    pelt_gl* gl;
    pelt_stage* stage;
    pelt_pose pose, other;
    pelt_cursor cursors[2]; ///< of these
    viewport views[VIEW_MAX];
    joint_mix mix;
    brush_mask mask; ///< of the stroke that is being made, by either brush
    mix_brush mix_brush;
    live_weights weights; ///< {0}: none were painted
    weight_brush weight_brush;
    uint32_t data_revision;                 ///< another number after weights have changed
    const pelt_vec3** surfaces;             ///< scratch: positions of each mesh
    pelt_vec3* scratch;                     ///< normals of one mesh
    pelt_color* joint_colors;               ///< by node
    const pelt_color* const* weight_colors; ///< of vertices, mixed of them; NULL: not needed yet
    pelt_arena* color_arena;                ///< owns these
    pelt_color* gray;                       ///< one for each vertex of the largest mesh
    const pelt_color** gray_colors;         ///< the same for each instance; NULL: not needed yet
    bool needs_surfaces; ///< some instances are not skinned, or have morph targets
    bool has_own_mix;    ///< the file has mix factors
    bool has_centers;    ///< of rotation

    model_input shown;        ///< last update
    bool is_stale;            ///< something else has changed since
    uint32_t frames_since;    ///< the last measurement
    double measure_ms;        ///< cost of it
    float scale;              ///< end of the colors: meters, degrees, parts
    float most;               ///< largest value that was seen: meters, degrees
    profile profile;          ///< of the clip; its key has no clip: not measured
    pelt_diagnosis diagnosis; ///< of the doctor
    pelt_arena* findings;     ///< owns it; NULL: not examined
    pelt_body* body;          ///< for metrics; NULL: not needed yet
    pelt_pose_metrics pose_metrics;
    float* metric_values;          ///< one for each vertex of the body
    uint32_t histogram[HEAT_BINS]; ///< vertices by magnitude, from 0 to the scale
    model_times times;
    pelt_vec3 anchor; ///< that the camera moves along with: where a traveling character is
    bool is_drawn;    ///< by the last update; else there was nothing new
} view_model;

/// Use a character.
/// @return as pelt_stage_create(); the character is the caller's on failure
pelt_result model_create(view_model** out, view_character* character, pelt_gl* gl,
                         pelt_error* error);
void model_destroy(view_model* in); ///< NULL is allowed

/// The camera of the pictures: along with a character that travels, if asked to.
orbit model_camera(const view_model* in, const orbit* from);

/// How a viewport is deformed: by LBS as long as its method lacks centers of rotation.
pelt_deform_options model_view_options(const view_model* in, const view_settings* settings,
                                       uint32_t view);

/// Use new centers, which the model owns from now on.
void model_replace_data(view_model* inout, character_data* data);

/// The character has more clips now: textures lack them.
void model_forget_bakes(view_model* inout);

/// The first viewport whose texture is missing or another than settings ask for.
/// @return its index, or PELT_NONE
uint32_t model_find_bake(bake_request* out, const view_model* in, const view_settings* settings,
                         const playback* from);

/// A new texture for a viewport, which the model owns from now on.
void model_replace_bake(view_model* inout, uint32_t view, pelt_baked* baked,
                        const bake_request* request);

/// Pose, deform and draw all viewports, unless nothing has changed.
pelt_result model_update(view_model* inout, const model_input* input, const pose_edit* edit,
                         pelt_error* error);

/// The object at a point of a viewport.
typedef struct model_hit
{
    uint32_t instance;
    surface_point point;
} model_hit;

/// @param x,y  pixels from its upper left corner
/// @return false: nothing there
bool model_find(model_hit* out, const view_model* in, uint32_t view, float x, float y);

/// The joint with the largest weight at the hit, or PELT_NONE.
uint32_t model_joint_at(const view_model* in, const model_hit* hit);

/// Paint mix factors around it. @return false: no memory
bool model_paint_mix(view_model* inout, uint32_t view, const model_hit* hit, const mix_dab* dab);

/// Paint weights around it, which show after model_update_weights(). No other thread may read the
/// scene. @return false: no memory
bool model_paint_weights(view_model* inout, uint32_t view, const model_hit* hit,
                         const weight_dab* dab);

/// Bring centers, factors for normals and the GPU up to date with weights that were set.
/// @param is_final  see live_weights_update()
pelt_result model_update_weights(view_model* inout, bool is_final, pelt_error* error);

/// Write the character as it was loaded with what pelt_scene_fix() repairs.
pelt_result model_save_fixed(const char* path, const view_model* in, pelt_error* error);

/// Write the character with what was painted on it, see painted_file_save(). With painted weights
/// it has their centers and factors for normals.
pelt_result model_save(const char* path, const view_model* in, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Values

/// The largest distance between two versions of a character, in meters.
float model_values_farthest(const pelt_scene* scene, const pelt_frame* a, const pelt_frame* b);

/// What the heat map of these settings measures over the clip.
/// @return false: nothing
bool model_profile_key(profile_key* out, const view_model* in, const view_settings* settings,
                       const playback* from);

/// Whether the profile is that of these settings.
bool model_has_profile(const view_model* in, const view_settings* settings, const playback* from);

void model_metrics_destroy(view_model* inout);

pelt_color_map model_color_map(view_colors colors);

/// Fill in the values of the first `count` viewports, as parts of inout->scale, which grows to hold
/// them.
void model_values_fill(view_model* inout, const model_input* input, uint32_t count);

#endif
