// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "script.h"

#include "edit/edit_tools.h"
#include "keys.h"
#include "state_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void trim(char* text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
    {
        text[--length] = '\0';
    }
}

static pelt_result add_line(script* inout, const char* text, uint32_t number, const char* path,
                            pelt_error* error)
{
    script_line line = {.number = number};
    unsigned long long frame;
    int used = 0;
    if (sscanf(text, " frame %llu %15s %n", &frame, line.verb, &used) < 2 || used == 0)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "%s, line %u: expected \"frame N VERB ...\", found \"%s\"", path,
                              number, text);
    }
    script_line* longer = realloc(inout->lines, (inout->count + 1u) * sizeof *longer);
    if (longer == NULL || (line.text = strdup(text + used)) == NULL)
    {
        inout->lines = longer != NULL ? longer : inout->lines;
        return pelt_error_memory(error);
    }
    line.frame = frame;
    inout->lines = longer;
    inout->lines[inout->count++] = line;
    return PELT_OK;
}

pelt_result script_read(script* out, const char* path, pelt_error* error)
{
    *out = (script){0};
    FILE* file = fopen(path, "r");
    if (file == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: %s", path, strerror(errno));
    }
    char text[2048];
    pelt_result result = PELT_OK;
    for (uint32_t number = 1; result == PELT_OK && fgets(text, sizeof text, file); ++number)
    {
        text[strcspn(text, "#")] = '\0';
        trim(text);
        if (text[0] != '\0')
        {
            result = add_line(out, text, number, path, error);
        }
    }
    fclose(file);
    if (result != PELT_OK)
    {
        script_destroy(out);
    }
    return result;
}

void script_destroy(script* in)
{
    for (uint32_t i = 0; i < in->count; ++i)
    {
        free(in->lines[i].text);
    }
    free(in->lines);
    *in = (script){0};
}

// ---------------------------------------------------------------------------------------------

static pelt_result set(view_app* inout, const char* text, pelt_error* error)
{
    char name[64], value[64];
    if (sscanf(text, "%63s %63[^\n]", name, value) != 2)
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "set needs a name and a value");
    }
    return settings_set(&inout->settings, name, value, error);
}

static pelt_result choose_clip(view_app* inout, const char* name, float seconds, pelt_error* error)
{
    uint32_t clip = inout->model != NULL
                        ? pelt_scene_find_clip(inout->model->character->scene, name)
                        : PELT_NONE;
    if (clip == PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is no clip \"%s\"", name);
    }
    app_choose_clip(inout, clip, seconds);
    return PELT_OK;
}

static pelt_result choose_joint(view_app* inout, const char* name, pelt_error* error)
{
    uint32_t node = inout->model != NULL
                        ? pelt_scene_find_node(inout->model->character->scene, name)
                        : PELT_NONE;
    if (node == PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is no joint \"%s\"", name);
    }
    edit_tools_pick(inout, node);
    return PELT_OK;
}

static pelt_result rotate(view_app* inout, int axis, const char* degrees, pelt_error* error)
{
    if (inout->joint == PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "no joint is chosen");
    }
    joint_edit edit = pose_edit_of(&inout->edit, inout->joint);
    edit.degrees[axis] = strtof(degrees, NULL);
    edit_tools_remember(inout);
    pose_edit_set(&inout->edit, &edit);
    return PELT_OK;
}

static pelt_result mix_joint(view_app* inout, const char* factor, pelt_error* error)
{
    if (inout->joint == PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "no joint is chosen");
    }
    joint_mix_set(&inout->model->mix, inout->joint, strtof(factor, NULL));
    return PELT_OK;
}

// The benchmark runs to its end within the frame that starts it.
static pelt_result start_benchmark(view_app* inout, const char* folder, pelt_error* error)
{
    snprintf(inout->benchmark.folder, sizeof inout->benchmark.folder, "%.1000s", folder);
    inout->settings.mode = MODE_BENCHMARK;
    return app_start_benchmark(inout, error);
}

static pelt_result set_camera(view_app* inout, const char* text, pelt_error* error)
{
    float azimuth, elevation, distance;
    if (sscanf(text, "%f %f %f", &azimuth, &elevation, &distance) != 3 || !(distance > 0.0f))
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "camera needs azimuth and elevation in degrees, and meters");
    }
    inout->camera.azimuth = azimuth * PELT_PI / 180.0f;
    inout->camera.elevation = elevation * PELT_PI / 180.0f;
    inout->camera.distance = distance;
    return PELT_OK;
}

// "0.5 0.4 0.6 0.4": a stroke over points of the first viewport, in parts of its size.
static pelt_result stroke(view_app* inout, const char* text, pelt_error* error)
{
    float points[2 * 64];
    uint32_t count = 0;
    char* end = NULL;
    for (; count < sizeof points / sizeof *points; text = end)
    {
        points[count] = strtof(text, &end);
        if (end == text)
        {
            break;
        }
        ++count;
    }
    if (count == 0 || count % 2 != 0 || *text != '\0')
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "paint needs up to 64 pairs of numbers");
    }
    edit_tools_stroke(inout, points, count / 2);
    return PELT_OK;
}

static pelt_result press(view_app* inout, const char* key, pelt_error* error)
{
    app_command command = keys_find(key);
    if (command == COMMAND_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is no key \"%s\"", key);
    }
    app_run_command(inout, command);
    return PELT_OK;
}

static pelt_result run_line(view_app* app, const script_line* line, const char** screenshot,
                            pelt_error* error)
{
    static const char* const axes[POSE_AXIS_COUNT] = {"twist", "bend", "side"};
    const char* verb = line->verb;
    for (int i = 0; i < POSE_AXIS_COUNT; ++i)
    {
        if (strcmp(verb, axes[i]) == 0)
        {
            return rotate(app, i, line->text, error);
        }
    }
    if (strcmp(verb, "key") == 0)
    {
        return press(app, line->text, error);
    }
    if (strcmp(verb, "set") == 0)
    {
        return set(app, line->text, error);
    }
    if (strcmp(verb, "clip") == 0 || strcmp(verb, "fade") == 0)
    {
        float seconds = verb[0] == 'f' ? app->settings.fade : 0.0f;
        return choose_clip(app, line->text, seconds, error);
    }
    if (strcmp(verb, "save") == 0)
    {
        const pelt_scene* scene = app->model->character->scene;
        return pose_edit_save(line->text, scene, &app->edit, error);
    }
    if (strcmp(verb, "paint") == 0)
    {
        return stroke(app, line->text, error);
    }
    if (strcmp(verb, "mix") == 0)
    {
        return mix_joint(app, line->text, error);
    }
    if (strcmp(verb, "savemodel") == 0)
    {
        return model_save(line->text, app->model, error);
    }
    if (strcmp(verb, "benchmark") == 0)
    {
        return start_benchmark(app, line->text, error);
    }
    if (strcmp(verb, "state") == 0)
    {
        return state_file_save(line->text, app, error);
    }
    if (strcmp(verb, "joint") == 0)
    {
        return choose_joint(app, line->text, error);
    }
    if (strcmp(verb, "camera") == 0)
    {
        return set_camera(app, line->text, error);
    }
    if (strcmp(verb, "open") == 0)
    {
        app_open(app, line->text);
    }
    else if (strcmp(verb, "rotations") == 0)
    {
        app_keep_rotations(app);
    }
    else if (strcmp(verb, "drop") == 0)
    {
        const char* path = line->text;
        app_open_files(app, &path, 1, true);
    }
    else if (strcmp(verb, "time") == 0)
    {
        float seconds = strtof(line->text, NULL);
        app->playback.time = app->settings.mode == MODE_CROWD ? app->playback.time : seconds;
        app->crowd.time =
            app->settings.mode == MODE_CROWD ? (double)fmaxf(seconds, 0.0f) : app->crowd.time;
    }
    else if (strcmp(verb, "screenshot") == 0)
    {
        *screenshot = line->text;
    }
    else if (strcmp(verb, "quit") == 0)
    {
        app->is_done = true;
    }
    else
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "there is no action \"%s\"", verb);
    }
    return PELT_OK;
}

pelt_result script_run(script* inout, view_app* app, const char** screenshot, pelt_error* error)
{
    *screenshot = NULL;
    while (inout->next < inout->count && inout->lines[inout->next].frame <= app->frame)
    {
        const script_line* line = &inout->lines[inout->next++];
        pelt_error reason = {0};
        pelt_result result = run_line(app, line, screenshot, &reason);
        if (result != PELT_OK)
        {
            return pelt_error_set(error, result, "script, line %u: %.400s", line->number,
                                  reason.message);
        }
    }
    return PELT_OK;
}
