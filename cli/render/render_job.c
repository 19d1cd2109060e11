// SPDX-License-Identifier: MIT
// A picture or an animation of a character, made from a description.
#include "render_job.h"

#include "clock.h"
#include "panel_grid.h"
#include "terminal.h"

static float time_of(const render_job* in, uint32_t frame)
{
    return in->is_still || in->rate == 0.0f ? in->start : in->start + (float)frame / in->rate;
}

static pelt_camera camera_of(const render_job* in, const method_renderer* renderer, uint32_t frame)
{
    float aspect = (float)in->width / (float)in->height;
    pelt_bounds box = renderer->box;
    // Feet shall not stand in the legend.
    float part = fminf(panel_grid_legend_part(renderer, in->height), 0.5f);
    box.min.y -= (box.max.y - box.min.y) * part / (1.0f - part);
    return camera_view_place(in->from, &box, aspect, frame, in->frame_count);
}

static int draw_frame(pelt_picture* out, const render_job* in, method_renderer* renderer,
                      uint32_t frame)
{
    pelt_picture pictures[METHOD_LIST_MAX] = {0};
    char labels[METHOD_LIST_MAX][64];
    panel_row row = {.renderer = renderer, .width = in->width, .height = in->height};
    pelt_camera camera = camera_of(in, renderer, frame);
    int code = panel_row_draw(pictures, labels, &row, time_of(in, frame), &camera);
    if (code == EXIT_DONE)
    {
        code = panel_grid_compose(out, pictures, labels, in->how->count,
                                  method_list_columns(in->how), renderer);
    }
    for (uint32_t i = 0; i < in->how->count; ++i)
    {
        pelt_picture_destroy(&pictures[i]);
    }
    return code;
}

// A first pass, so that the camera and the colors are the same in all frames.
static int survey(const render_job* in, method_renderer* renderer)
{
    uint32_t count = in->is_still ? 1 : in->frame_count;
    progress_begin("framing");
    int code = EXIT_DONE;
    for (uint32_t i = 0; code == EXIT_DONE && i < count; ++i)
    {
        code = method_renderer_measure(renderer, time_of(in, i));
        progress_show((float)i / (float)count);
    }
    progress_end();
    if (code == EXIT_DONE && renderer->box.min.x > renderer->box.max.x)
    {
        message_note("there is nothing to draw: %s", in->show.focus != PELT_NONE
                                                         ? "no vertex follows the joint of --focus"
                                                         : "all meshes are empty");
        return EXIT_INPUT;
    }
    return code;
}

// All is drawn: whatever is to be said is prepared now, so that no file is there when that fails.
static int finish_report(render_report* out, const render_job* in, double start)
{
    out->seconds = clock_seconds() - start;
    return in->summary != NULL ? render_report_prepare(out, in) : EXIT_DONE;
}

static void note_size(render_report* out, const pelt_picture* picture)
{
    out->width = picture->width;
    out->height = picture->height;
}

static int save_picture(render_report* out, const render_job* in, method_renderer* renderer,
                        double start)
{
    pelt_picture picture = {0};
    int code = draw_frame(&picture, in, renderer, 0);
    if (code == EXIT_DONE)
    {
        note_size(out, &picture);
        code = finish_report(out, in, start);
    }
    if (code == EXIT_DONE)
    {
        pelt_error error = {0};
        code = message_error(
            pelt_picture_save(in->path, &picture, "pelt " PELT_VERSION_STRING, &error), &error);
    }
    pelt_picture_destroy(&picture);
    return code;
}

static int add_frame(render_report* out, pelt_animation* animation, const render_job* in,
                     method_renderer* renderer, uint32_t frame)
{
    pelt_picture picture = {0};
    int code = draw_frame(&picture, in, renderer, frame);
    if (code == EXIT_DONE)
    {
        pelt_error error = {0};
        note_size(out, &picture);
        code = message_error(pelt_animation_add(animation, &picture, &error), &error);
    }
    pelt_picture_destroy(&picture);
    return code;
}

static int save_animation(render_report* out, const render_job* in, method_renderer* renderer,
                          double start)
{
    // Lossy, but beyond what an eye sees: lossless files are several times as large.
    pelt_animation_options options = {
        .frames_per_second = in->rate, .quality = 90.0f, .software = "pelt " PELT_VERSION_STRING};
    pelt_error error = {0};
    pelt_animation* animation;
    pelt_result result = pelt_animation_begin(&animation, in->path, &options, &error);
    if (result != PELT_OK)
    {
        return message_error(result, &error);
    }
    int code = EXIT_DONE;
    progress_begin("drawing");
    for (uint32_t i = 0; code == EXIT_DONE && i < in->frame_count; ++i)
    {
        code = add_frame(out, animation, in, renderer, i);
        progress_show((float)(i + 1) / (float)in->frame_count);
    }
    progress_end();
    code = code == EXIT_DONE ? finish_report(out, in, start) : code;
    if (code != EXIT_DONE)
    {
        pelt_animation_cancel(animation);
        return code;
    }
    return message_error(pelt_animation_end(animation, &error), &error);
}

static void note_figures(render_report* out, const render_job* in, const method_renderer* renderer)
{
    out->camera = camera_of(in, renderer, 0);
    out->legend_high = method_renderer_scale(renderer);
    out->mixed_count = renderer->mixed_count;
    for (uint32_t i = 0; i < in->how->count; ++i)
    {
        out->errors[i] = renderer->scales[i].error;
    }
}

static int make_with(render_report* out, const render_job* in, pelt_gl* gl, double start)
{
    method_renderer renderer = {
        .scene = in->scene,
        .source = in->source,
        .how = in->how,
        .pose = in->pose,
        .show = in->show,
        .from = in->from,
    };
    int code = method_renderer_create(&renderer, gl);
    if (code != EXIT_DONE)
    {
        return code;
    }
    code = survey(in, &renderer);
    if (code == EXIT_DONE)
    {
        note_figures(out, in, &renderer);
        code = in->rate > 0.0f ? save_animation(out, in, &renderer, start)
                               : save_picture(out, in, &renderer, start);
    }
    method_renderer_destroy(&renderer);
    return code;
}

int render_job_run(render_report* out, const render_job* in)
{
    *out = (render_report){0};
    double start = clock_seconds();
    pelt_error error = {0};
    pelt_gl* gl;
    pelt_result result = pelt_gl_create(&gl, PELT_GL_OFFSCREEN, &error);
    if (result != PELT_OK)
    {
        return message_error(result, &error);
    }
    snprintf(out->renderer, sizeof out->renderer, "%s", pelt_gl_describe(gl).renderer);
    int code = make_with(out, in, gl, start);
    pelt_gl_destroy(gl);
    out->seconds = clock_seconds() - start;
    return code;
}
