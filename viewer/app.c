// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "app.h"

#include "camera.h"
#include "edit/edit_tools.h"
#include "panes/panes.h"
#include "panes/performance.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void app_fail(view_app* inout, const char* message)
{
    snprintf(inout->error, sizeof inout->error, "%s", message);
}

// ---------------------------------------------------------------------------------------------
// Commands

static void toggle(bool* flag)
{
    *flag = !*flag;
}

static void step(view_app* inout, int direction)
{
    inout->settings.is_playing = false;
    if (inout->settings.mode == MODE_CROWD)
    {
        inout->crowd.time = fmax(0.0, inout->crowd.time + (double)direction / 30.0);
    }
    else if (inout->model != NULL)
    {
        playback_step(&inout->playback, inout->model->character->scene, direction);
    }
}

static void toggle_brush(view_settings* inout, brush_target target)
{
    inout->has_brush = !inout->has_brush || inout->brush_target != (int)target;
    inout->brush_target = (int)target;
}

static void toggle_overlay(view_settings* inout, view_overlay overlay)
{
    inout->overlay = settings_overlay(inout) == overlay ? OVERLAY_NONE : (int)overlay;
    inout->layout = inout->layout > 0 ? inout->layout : 1;
}

static void run_view_command(view_app* inout, app_command command)
{
    view_settings* settings = &inout->settings;
    switch (command)
    {
    case COMMAND_ONE_VIEW:
    case COMMAND_TWO_VIEWS:
    case COMMAND_FOUR_VIEWS:
        settings->layout = (int)(command - COMMAND_ONE_VIEW);
        break;
    case COMMAND_HEAT_MAP:
        settings->colors =
            settings->colors == COLORS_DIFFERENCE ? COLORS_MATERIALS : COLORS_DIFFERENCE;
        break;
    case COMMAND_WIRE:
        toggle(&settings->has_wire);
        break;
    case COMMAND_ORTHOGRAPHIC:
        toggle(&settings->is_orthographic);
        break;
    case COMMAND_WIPE:
        toggle_overlay(settings, OVERLAY_WIPE);
        break;
    case COMMAND_ONION:
        toggle_overlay(settings, OVERLAY_ONION);
        break;
    case COMMAND_GRAY:
        toggle(&settings->has_gray);
        break;
    case COMMAND_PICTURE:
        inout->is_picture_wanted = true;
        break;
    case COMMAND_BONES:
        toggle(&settings->has_bones);
        break;
    case COMMAND_GROUND:
        toggle(&settings->has_ground);
        break;
    case COMMAND_NORMALS:
        toggle(&settings->has_normals);
        break;
    case COMMAND_TURNTABLE:
        toggle(&settings->has_turntable);
        break;
    case COMMAND_GIZMO:
        toggle(&settings->has_gizmo);
        break;
    case COMMAND_BRUSH:
        toggle_brush(settings, BRUSH_MIX);
        break;
    case COMMAND_WEIGHT_BRUSH:
        toggle_brush(settings, BRUSH_WEIGHTS);
        break;
    case COMMAND_SIDE:
        toggle(&settings->has_side);
        break;
    case COMMAND_PERFORMANCE:
        toggle(&settings->has_performance);
        break;
    case COMMAND_TEXTURE:
        toggle(&settings->has_texture);
        break;
    case COMMAND_MODE:
        settings->mode = (settings->mode + 1) % MODE_COUNT;
        break;
    case COMMAND_HELP:
        toggle(&settings->has_help);
        break;
    case COMMAND_CLOSE:
        settings->has_help = settings->has_help && gui_has_menu();
        inout->browser.is_open = inout->browser.is_open && gui_has_menu();
        break;
    default:
        break;
    }
}

static void jump_to_worst(view_app* inout)
{
    const view_model* model = inout->model;
    if (model == NULL || !model_has_profile(model, &inout->settings, &inout->playback) ||
        model->profile.worst == PELT_NONE)
    {
        return;
    }
    const profile* found = &model->profile;
    inout->wanted = found->places[found->worst_view][found->worst];
    inout->wanted_view = found->worst_view;
    inout->is_looking_at_worst = true;
    inout->settings.is_playing = false;
    inout->playback = playback_of(found->key.clip);
    inout->playback.time = inout->wanted.time;
}

void app_run_command(view_app* inout, app_command command)
{
    switch (command)
    {
    case COMMAND_PLAY:
        toggle(&inout->settings.is_playing);
        break;
    case COMMAND_STEP_BACK:
        step(inout, -1);
        break;
    case COMMAND_STEP_FORWARD:
        step(inout, 1);
        break;
    case COMMAND_START:
        inout->playback.time = 0.0f;
        inout->crowd.time = 0.0;
        break;
    case COMMAND_RESET_CAMERA:
        inout->placed_aspect = 0.0f;
        break;
    case COMMAND_FRAME:
    case COMMAND_FRONT:
    case COMMAND_SIDE_VIEW:
    case COMMAND_TOP:
    case COMMAND_THREE_QUARTER:
        camera_run_command(inout, command);
        break;
    case COMMAND_TEXTURE_BACK:
        texture_pane_step(inout, -1);
        break;
    case COMMAND_TEXTURE_FORWARD:
        texture_pane_step(inout, 1);
        break;
    case COMMAND_TEXTURE_RESET:
        texture_pane_reset(inout);
        break;
    case COMMAND_UNDO:
        edit_tools_undo(inout);
        break;
    case COMMAND_WORST:
        jump_to_worst(inout);
        break;
    case COMMAND_OPEN:
        file_browser_open(inout, false);
        break;
    case COMMAND_SAVE:
        file_browser_open(inout, true);
        break;
    case COMMAND_QUIT:
        app_quit(inout);
        break;
    default:
        run_view_command(inout, command);
        break;
    }
}

void app_choose_clip(view_app* inout, uint32_t clip, float fade_seconds)
{
    playback_fade(&inout->playback, clip, fade_seconds);
}

// ---------------------------------------------------------------------------------------------
// Frames

void app_name_clips(view_app* inout)
{
    const pelt_scene* scene = inout->model->character->scene;
    const char** names = calloc((size_t)scene->clip_count + 1, sizeof *names);
    for (uint32_t i = 0; names != NULL && i < scene->clip_count; ++i)
    {
        names[i] = scene->clips[i].name != NULL ? scene->clips[i].name : "clip";
    }
    if (names == NULL)
    {
        app_fail(inout, "out of memory");
        inout->playback = playback_of(PELT_NONE);
    }
    free(inout->clip_names);
    inout->clip_names = names;
}

static uint32_t first_joint(const pelt_scene* scene)
{
    bool has_joints = scene->skin_count > 0 && scene->skins[0].joint_count > 0;
    return has_joints ? scene->skins[0].joints[0] : PELT_NONE;
}

void app_show(view_app* inout, view_character* character)
{
    pelt_error error = {0};
    view_model* model = NULL;
    if (model_create(&model, character, inout->gl, &error) != PELT_OK)
    {
        character_destroy(character);
        app_fail(inout, error.message);
        return;
    }
    benchmark_forget(&inout->benchmark);
    crowd_mode_forget(&inout->crowd);
    model_destroy(inout->model);
    memory_use_trim();
    inout->model = model;
    inout->texels.shown = NULL;
    inout->playback = playback_of(character->clip);
    inout->edit = (pose_edit){0};
    inout->other_clips = (other_clips){0};
    inout->tools.history_count = 0;
    inout->tools.is_joint_picked = inout->tools.is_painting = inout->tools.is_waiting = false;
    inout->tools.undo_waiting = 0;
    inout->tools.hot_ring = inout->tools.held_ring = PELT_NONE;
    inout->joint = first_joint(character->scene);
    inout->placed_aspect = 0.0f;
    inout->settings.has_own_mix = model->has_own_mix;
    inout->saved_revisions[0] = model->mix.revision;
    inout->saved_revisions[1] = model->data_revision;
    snprintf(inout->note, sizeof inout->note, "%s", character->textures.note);
    app_add_recent(inout, character->path);
    app_name_clips(inout);
}

bool app_needs_centers(const view_app* in)
{
    const character_data* data = &in->model->character->data;
    return data->sigma != in->settings.sigma || data->epsilon != in->settings.epsilon;
}

view_settings app_crowd_settings(const view_app* in)
{
    view_settings out = in->settings;
    bool needs_centers = pelt_method_info((pelt_method)out.crowd_method)->needs_centers;
    bool is_missing = needs_centers && !in->model->has_centers;
    out.crowd_method = is_missing ? (int)PELT_METHOD_LBS : out.crowd_method;
    return out;
}

// Whether centers or textures for the current view are missing.
static bool is_work_waiting(const view_app* in)
{
    bake_request unused;
    return app_needs_centers(in) ||
           model_find_bake(&unused, in->model, &in->settings, &in->playback) != PELT_NONE;
}

// For the Texture pane, when nothing else is running.
static bool start_measuring(view_app* inout)
{
    uint32_t view = inout->settings.has_texture ? texture_pane_view(inout) : PELT_NONE;
    if (view == PELT_NONE)
    {
        return false;
    }
    const bake_slot* slot = &inout->model->views[view].bake;
    pelt_deform_options deform = model_view_options(inout->model, &inout->settings, view);
    // The scene that `pelt bake` measures; prepared data change the last digits of figures.
    const view_character* character = inout->model->character;
    bool is_plain = !pelt_method_info(deform.method)->needs_centers &&
                    deform.normal_rule == PELT_NORMAL_STANDARD;
    const pelt_scene* scene = is_plain ? character->scene : &character->data.scene;
    return !bake_slot_is_measured(slot, &deform) &&
           job_measure(&inout->job, scene, slot->baked, &deform, view);
}

// Of the heat map over the clip, for its range and its worst moments.
static bool start_profile(view_app* inout)
{
    profile_key key;
    const view_model* model = inout->model;
    return model_profile_key(&key, model, &inout->settings, &inout->playback) &&
           !profile_key_is_same(&key, &model->profile.key) &&
           job_profile(&inout->job, &model->character->data.scene, &key);
}

// For the Doctor pane, once.
static bool start_examining(view_app* inout)
{
    const view_settings* settings = &inout->settings;
    bool is_shown = settings->has_side && settings->has_doctor && settings->mode == MODE_COMPARE;
    return is_shown && inout->model->findings == NULL &&
           job_examine(&inout->job, inout->model->character->scene);
}

// Bakes of a crowd are missing: the first is needed for any crowd, the second for levels of detail.
static void finish_crowd_bake(view_app* inout, bool is_replaced)
{
    view_job* job = &inout->job;
    uint32_t level = job->view - VIEW_MAX;
    if (job->result == PELT_OK)
    {
        inout->texels.shown = NULL;
        crowd_mode_replace_bake(&inout->crowd, level, job->baked, &job->request);
        job->baked = NULL;
    }
    else if (!is_replaced && level == 0)
    {
        inout->settings.mode = MODE_COMPARE;
    }
    else if (!is_replaced)
    {
        inout->settings.crowd_has_levels = false;
    }
}

// Without new centers the old ones are kept. If there are none, these parameters are not tried
// again.
static void finish_solve(view_app* inout, bool is_replaced)
{
    view_job* job = &inout->job;
    character_data* data = &inout->model->character->data;
    if (job->result == PELT_OK)
    {
        benchmark_forget(&inout->benchmark);
        (void)crowd_mode_leave(&inout->crowd); // it may show the centers that were
        model_replace_data(inout->model, &job->data);
    }
    else if (!is_replaced && data->is_solved)
    {
        inout->settings.sigma = data->sigma;
        inout->settings.epsilon = data->epsilon;
    }
    else if (!is_replaced)
    {
        data->sigma = job->sigma;
        data->epsilon = job->epsilon;
    }
}

static void finish_job(view_app* inout)
{
    view_job* job = &inout->job;
    bool is_replaced = inout->waiting[0] != '\0' || inout->tools.is_waiting;
    if (job->result != PELT_OK && job->result != PELT_ERROR_CANCELED)
    {
        app_fail(inout, job->error.message);
    }
    if (job->result == PELT_OK && job->kind == JOB_LOAD)
    {
        view_character* loaded = job->character;
        job->character = NULL;
        app_take_file(inout, loaded, job->purpose);
    }
    if (job->kind == JOB_SOLVE)
    {
        finish_solve(inout, is_replaced);
    }
    if (job->kind == JOB_BAKE && job->view >= VIEW_MAX)
    {
        finish_crowd_bake(inout, is_replaced);
    }
    else if (job->result == PELT_OK && job->kind == JOB_BAKE)
    {
        inout->texels.shown = NULL; // a new bake may lie where the old one was
        model_replace_bake(inout->model, job->view, job->baked, &job->request);
        job->baked = NULL;
    }
    else if (job->kind == JOB_BAKE && !is_replaced)
    {
        inout->settings.skinnings[job->view] = SKINNING_GPU;
    }
    if (job->kind == JOB_EXAMINE && job->result == PELT_OK)
    {
        pelt_arena_destroy(inout->model->findings);
        inout->model->findings = job->findings;
        inout->model->diagnosis = job->diagnosis;
        job->findings = NULL;
    }
    if (job->kind == JOB_PROFILE && (job->result == PELT_OK || !is_work_waiting(inout)))
    {
        // One that has failed is not tried again.
        inout->model->profile = job->profile;
        inout->model->is_stale = true;
    }
    if (job->kind == JOB_MEASURE && (job->result == PELT_OK || !is_work_waiting(inout)))
    {
        bake_slot_set_error(&inout->model->views[job->view].bake, &job->deform,
                            job->result == PELT_OK ? &job->measured : NULL);
    }
    job_end(job);
    // After a failure at the start, show a built-in rig: the window is never empty.
    if (!app_open_waiting(inout) && inout->model == NULL && !inout->is_done)
    {
        snprintf(inout->waiting, sizeof inout->waiting, "rig:human");
        inout->waiting_purpose = CHARACTER_OPEN;
        app_open_waiting(inout);
    }
}

// Start what settings require and is not there yet.
// @return whether there is anything
static bool start_job(view_app* inout)
{
    const view_settings* settings = &inout->settings;
    const view_character* character = inout->model->character;
    if (app_open_offered(inout))
    {
        return true;
    }
    if (edit_tools_hold_weights(inout))
    {
        return false;
    }
    if (app_needs_centers(inout))
    {
        return job_solve(&inout->job, character->scene, settings->sigma, settings->epsilon);
    }
    bake_request request;
    if (settings->mode == MODE_CROWD)
    {
        view_settings crowd = app_crowd_settings(inout);
        uint32_t level = crowd_mode_find_bake(&request, &inout->crowd, &crowd);
        return level != PELT_NONE &&
               job_bake(&inout->job, &character->data.scene, &request, VIEW_MAX + level);
    }
    uint32_t view = model_find_bake(&request, inout->model, settings, &inout->playback);
    return view != PELT_NONE
               ? job_bake(&inout->job, &character->data.scene, &request, view)
               : start_measuring(inout) || start_profile(inout) || start_examining(inout);
}

static void update_job(view_app* inout)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    while (inout->is_scripted && inout->job.kind != JOB_NONE && !job_is_finished(&inout->job))
    {
        nanosleep(&nap, NULL);
    }
    bool is_extra = inout->job.kind == JOB_MEASURE || inout->job.kind == JOB_PROFILE;
    if (is_extra && is_work_waiting(inout))
    {
        atomic_store(&inout->job.is_canceled, true);
    }
    if (job_is_finished(&inout->job))
    {
        finish_job(inout);
    }
    app_update_clips(inout);
    bool is_started = inout->job.kind == JOB_NONE && inout->model != NULL && start_job(inout);
    if (is_started && inout->is_scripted)
    {
        update_job(inout);
    }
}

void app_update(view_app* inout, float seconds)
{
    app_update_answer(inout);
    update_job(inout);
    edit_tools_update(inout);
    view_settings* settings = &inout->settings;
    if (settings->mode == MODE_CROWD)
    {
        bool is_moving = settings->is_playing && inout->crowd.stage != NULL;
        inout->crowd.time += is_moving ? (double)(seconds * settings->speed) : 0.0;
    }
    else if (inout->model != NULL && settings->is_playing && inout->playback.clip != PELT_NONE)
    {
        settings->is_playing = playback_advance(&inout->playback, inout->model->character->scene,
                                                seconds * settings->speed, settings->is_looping);
    }
    inout->benchmark.time += settings->is_playing ? (double)seconds : 0.0;
    if (settings->has_turntable)
    {
        orbit_rotate(&inout->camera, -60.0f * seconds, 0.0f);
    }
}

static void take_benchmark(view_app* inout)
{
    if (app_needs_centers(inout))
    {
        return; // it would be measured with the centers that are being replaced
    }
    const view_character* character = inout->model->character;
    benchmark_take(&inout->benchmark, inout->gl, character->path, &character->data.scene);
}

pelt_result app_start_benchmark(view_app* inout, pelt_error* error)
{
    if (inout->model != NULL)
    {
        take_benchmark(inout);
    }
    if (inout->model != NULL && app_needs_centers(inout))
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "centers of rotation are being solved; start again when the bar in "
                              "the toolbar is gone");
    }
    return benchmark_start(&inout->benchmark, &inout->settings, error);
}

static void draw_benchmark(view_app* inout, uint32_t width, uint32_t height)
{
    pelt_error error = {0};
    take_benchmark(inout);
    if (benchmark_update(&inout->benchmark, &inout->settings, (int32_t)width, (int32_t)height,
                         inout->is_scripted, &error) != PELT_OK)
    {
        app_fail(inout, error.message);
    }
}

static void draw_crowd(view_app* inout, uint32_t width, uint32_t height)
{
    crowd_input input;
    memset(&input, 0, sizeof input); // compared as bytes
    input.settings = app_crowd_settings(inout);
    input.camera = inout->camera;
    input.time = inout->crowd.time;
    input.width = width;
    input.height = height;
    pelt_error error = {0};
    inout->model->is_drawn = false;
    if (crowd_mode_draw(&inout->crowd, inout->gl, inout->model->character, &input, &error) !=
        PELT_OK)
    {
        inout->settings.mode = MODE_COMPARE;
        app_fail(inout, error.message);
    }
}

enum
{
    TRIM_FRAMES = 8, // after a mode was left: drivers keep what a frame took for some more
};

// Crowds take much memory: those of a mode that was left are released, and free memory is returned
// to the system.
static void leave_modes(view_app* inout)
{
    int mode = inout->settings.mode;
    bool has_left_crowd = mode != MODE_CROWD && crowd_mode_leave(&inout->crowd);
    bool has_left_benchmark = mode != MODE_BENCHMARK && benchmark_leave(&inout->benchmark);
    if (has_left_crowd || has_left_benchmark)
    {
        memory_use_prepare(); // a benchmark keeps freed memory, for the sake of its timings
        inout->trim_count = TRIM_FRAMES;
    }
    if (inout->trim_count > 0)
    {
        --inout->trim_count;
        glFinish(); // or the driver frees nothing yet
        memory_use_trim();
    }
}

void app_draw(view_app* inout, uint32_t width, uint32_t height)
{
    if (inout->model == NULL || width == 0 || height == 0)
    {
        return;
    }
    leave_modes(inout);
    if (inout->settings.mode == MODE_BENCHMARK)
    {
        draw_benchmark(inout, width, height);
        return;
    }
    camera_place(inout, (float)width, (float)height);
    if (inout->settings.mode == MODE_CROWD)
    {
        draw_crowd(inout, width, height);
        return;
    }
    model_input input;
    memset(&input, 0, sizeof input); // compared as bytes
    input.settings = inout->settings;
    input.camera = inout->camera;
    input.playback = inout->playback;
    input.edit_revision = inout->edit.revision;
    input.mix_revision = inout->model->mix.revision;
    input.data_revision = inout->model->data_revision;
    input.joint = inout->joint;
    input.width = width;
    input.height = height;
    pelt_error error = {0};
    if (model_update(inout->model, &input, &inout->edit, &error) != PELT_OK)
    {
        app_fail(inout, error.message);
    }
    camera_look_at_worst(inout);
}

void app_destroy(view_app* inout)
{
    inout->is_done = true;
    job_cancel(&inout->job);
    benchmark_destroy(&inout->benchmark);
    crowd_mode_destroy(&inout->crowd);
    app_forget_offered(inout);
    model_destroy(inout->model);
    character_destroy(inout->held);
    file_list_destroy(&inout->browser.list);
    texture_pane_destroy(&inout->texels);
    free(inout->clip_names);
    for (uint32_t i = 0; i < inout->recent_count; ++i)
    {
        free(inout->recent[i]);
    }
    inout->model = NULL;
    inout->recent_count = 0;
}
