// SPDX-License-Identifier: MIT
#include "crowd_mode.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Bakes

static bool wants_level(const view_settings* settings, uint32_t level)
{
    return level == 0 || settings->crowd_has_levels;
}

// Methods without shaders come from vertices near, too.
static bake_request request_of(const view_settings* settings, uint32_t level)
{
    pelt_method method = (pelt_method)settings->crowd_method;
    bool has_joints = level == 0 && pelt_gpu_has_method(method);
    bake_request out = {.encoding = has_joints ? (pelt_encoding)settings->bake_encoding
                                               : PELT_ENCODING_VERTEX,
                        .rate = settings->bake_rate,
                        .is_spherical = has_joints && bake_is_spherical(settings),
                        .clip = PELT_NONE,
                        .next_clip = PELT_NONE,
                        .keeps_copies = !has_joints && !settings->is_merged};
    if (!has_joints)
    {
        bool has_mix = pelt_method_info(method)->has_mix_factor;
        out.deform.method = method;
        out.deform.mix = has_mix ? settings->mix : 0.0f;
    }
    return out;
}

uint32_t crowd_mode_find_bake(bake_request* out, const view_crowd* in,
                              const view_settings* settings)
{
    for (uint32_t level = 0; level < CROWD_LEVELS; ++level)
    {
        *out = request_of(settings, level);
        bool fits = in->bakes[level] != NULL && bake_request_is_same(&in->requests[level], out);
        if (wants_level(settings, level) && !fits)
        {
            return level;
        }
    }
    return PELT_NONE;
}

static void forget_stage(view_crowd* inout)
{
    crowd_scene_destroy(inout->stage);
    inout->stage = NULL;
    inout->is_stale = true;
}

void crowd_mode_replace_bake(view_crowd* inout, uint32_t level, pelt_baked* baked,
                             const bake_request* request)
{
    forget_stage(inout);
    pelt_baked_destroy(inout->bakes[level]);
    inout->bakes[level] = baked;
    memcpy(&inout->requests[level], request, sizeof *request);
}

bool crowd_mode_leave(view_crowd* inout)
{
    bool has_any = inout->stage != NULL || inout->target.texture != 0;
    if (has_any)
    {
        forget_stage(inout);
        view_target_destroy(&inout->target);
    }
    return has_any;
}

void crowd_mode_forget(view_crowd* inout)
{
    forget_stage(inout);
    for (uint32_t i = 0; i < CROWD_LEVELS; ++i)
    {
        pelt_baked_destroy(inout->bakes[i]);
        inout->bakes[i] = NULL;
    }
    inout->is_frozen = false;
}

void crowd_mode_destroy(view_crowd* inout)
{
    crowd_mode_forget(inout);
    view_target_destroy(&inout->target);
}

// ---------------------------------------------------------------------------------------------
// Camera

static pelt_crowd_act act_of(const view_settings* in)
{
    return (pelt_crowd_act){.seed = (uint32_t)in->crowd_seed,
                            .has_no_fades = !in->crowd_has_fades,
                            .period = in->crowd_period,
                            .fade = fmaxf(in->fade, 1e-3f)};
}

orbit crowd_mode_camera(const view_crowd* in, const view_settings* settings,
                        const pelt_bounds* character)
{
    const float degree = PELT_PI / 180.0f;
    float height = fmaxf(character->max.y - character->min.y, 1e-3f);
    float across = fmaxf(character->max.x - character->min.x, character->max.z - character->min.z);
    float spacing = settings->crowd_spacing > 0.0f ? settings->crowd_spacing : across;
    float half = 0.5f * spacing * sqrtf(settings->crowd_count);
    float radius = in->stage != NULL ? in->stage->radius : half;
    return (orbit){.target = {0.0f, character->min.y + 0.4f * height, 0.0f},
                   .azimuth = 35.0f * degree,
                   .elevation = 14.0f * degree,
                   .distance = 0.75f * radius + 3.0f * height};
}

// Near enough for a member next to the camera, far enough for the far end of the ground.
static pelt_camera camera_of(const view_crowd* in, const orbit* from)
{
    pelt_camera camera = orbit_camera(from);
    float reach = 2.0f * in->stage->radius;
    camera.far_plane = pelt_vec3_length(camera.eye) + 2.0f * reach;
    camera.near_plane = fmaxf(0.05f * in->stage->baked->height_meters, 1e-4f * camera.far_plane);
    return camera;
}

// ---------------------------------------------------------------------------------------------
// Drawing

static pelt_result make_stage(view_crowd* inout, pelt_gl* gl, const view_character* character,
                              const view_settings* settings, pelt_error* error)
{
    forget_stage(inout);
    pelt_method method = (pelt_method)settings->crowd_method;
    crowd_scene_desc desc = {.scene = &character->data.scene,
                             .textures = character->textures.pictures,
                             .bakes = {inout->bakes[0], inout->bakes[1]},
                             .count = (uint32_t)settings->crowd_count,
                             .method = pelt_gpu_has_method(method) ? method : PELT_METHOD_LBS,
                             .mix = settings->mix};
    return crowd_scene_create(&inout->stage, gl, &desc, error);
}

static void arrange(view_crowd* inout, const view_settings* settings)
{
    pelt_crowd_act act = act_of(settings);
    bool is_set = settings->crowd_spacing > 0.0f;
    crowd_scene_arrange(inout->stage, &act,
                        is_set ? settings->crowd_spacing : inout->stage->spacing);
}

static bool has_same_arrangement(const view_settings* a, const view_settings* b)
{
    return a->crowd_seed == b->crowd_seed && a->crowd_spacing == b->crowd_spacing;
}

// The frustum that culls: the camera's, or the one of the frame in which it was frozen.
static pelt_crowd_view view_of(view_crowd* inout, const view_settings* settings,
                               const crowd_shot* shot)
{
    if (!settings->crowd_is_frozen || !inout->is_frozen)
    {
        memcpy(inout->frozen, shot->clip_from_world, sizeof inout->frozen);
        inout->frozen_eye = shot->eye;
    }
    inout->is_frozen = settings->crowd_is_frozen;
    return (pelt_crowd_view){.frustum = pelt_frustum_of(inout->frozen),
                             .has_no_culling = !settings->crowd_has_culling,
                             .eye = inout->frozen_eye,
                             .level_count = settings->crowd_has_levels ? CROWD_LEVELS : 1,
                             .distances = {settings->crowd_distance},
                             .hysteresis = 0.05f};
}

static pelt_result draw(view_crowd* inout, const crowd_input* input, pelt_error* error)
{
    const view_settings* settings = &input->settings;
    pelt_camera camera = camera_of(inout, &input->camera);
    crowd_shot shot = {.eye = camera.eye,
                       .has_level_colors = settings->crowd_has_colors,
                       .has_ground = settings->has_ground};
    pelt_camera_matrix(shot.clip_from_world, &camera, (float)input->width / (float)input->height);
    pelt_crowd_view view = view_of(inout, settings, &shot);
    shot.frozen = inout->is_frozen ? inout->frozen : NULL;
    pelt_crowd_act act = act_of(settings);
    double start = character_clock();
    crowd_scene_play(inout->stage, &act, input->time, &view);
    inout->cull_ms = character_clock() - start;
    pelt_result result = crowd_scene_upload(inout->stage, error);
    if (result != PELT_OK ||
        view_target_bind(&inout->target, input->width, input->height, error) != PELT_OK)
    {
        return result != PELT_OK ? result : PELT_ERROR_UNSUPPORTED;
    }
    glViewport(0, 0, (GLsizei)input->width, (GLsizei)input->height);
    result = crowd_scene_draw(inout->stage, &shot, error);
    view_target_resolve(&inout->target);
    return result;
}

// While the texture of another method is being baked, the picture stays.
static bool is_bake_of_other(const view_crowd* in, const view_settings* settings)
{
    bool has_joints = pelt_gpu_has_method((pelt_method)settings->crowd_method);
    return has_joints == (in->requests[0].encoding == PELT_ENCODING_VERTEX);
}

pelt_result crowd_mode_draw(view_crowd* inout, pelt_gl* gl, const view_character* character,
                            const crowd_input* input, pelt_error* error)
{
    inout->is_drawn = false;
    if (inout->target.texture == 0)
    {
        view_target_create(&inout->target);
    }
    // A bake of joints and the shaders of the method go together.
    if (inout->bakes[0] == NULL || is_bake_of_other(inout, &input->settings))
    {
        return PELT_OK;
    }
    const view_settings* settings = &input->settings;
    bool is_new = inout->stage == NULL || inout->stage->count != (uint32_t)settings->crowd_count ||
                  inout->shown.settings.crowd_method != settings->crowd_method;
    PELT_TRY(is_new ? make_stage(inout, gl, character, settings, error) : PELT_OK);
    inout->stage->mix = settings->mix;
    if (is_new || !has_same_arrangement(settings, &inout->shown.settings))
    {
        arrange(inout, settings);
    }
    inout->is_drawn = inout->is_stale || memcmp(input, &inout->shown, sizeof *input) != 0;
    if (inout->is_drawn)
    {
        memcpy(&inout->shown, input, sizeof *input);
        inout->is_stale = false;
        PELT_TRY(draw(inout, input, error));
    }
    return PELT_OK;
}
