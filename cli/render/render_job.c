// SPDX-License-Identifier: MIT
#include "render_job.h"

#include "clock.h"
#include "panel_grid.h"
#include "terminal.h"

static float time_of(const render_job* job, uint32_t frame)
{
    return job->is_still || job->rate == 0.0f ? job->start : job->start + (float)frame / job->rate;
}

static pelt_camera camera_of(const render_job* job, const method_renderer* renderer, uint32_t frame)
{
    float aspect = (float)job->width / (float)job->height;
    pelt_bounds box = renderer->box;
    // Keep the feet above the legend.
    float part = fminf(panel_grid_legend_part(renderer, job->height), 0.5f);
    box.min.y -= (box.max.y - box.min.y) * part / (1.0f - part);
    return camera_view_make(job->view, &box, aspect, frame, job->frame_count);
}

// All panels of a frame in one picture, which the caller frees also after a failure.
static int draw_frame(pelt_picture* out, const render_job* job, method_renderer* renderer,
                      uint32_t frame)
{
    pelt_picture pictures[METHOD_LIST_MAX] = {0};
    char labels[METHOD_LIST_MAX][64];
    panel_row row = {.renderer = renderer, .width = job->width, .height = job->height};
    pelt_camera camera = camera_of(job, renderer, frame);
    int code = panel_row_draw(pictures, labels, &row, time_of(job, frame), &camera);
    if (code == EXIT_DONE)
    {
        code = panel_grid_compose(out, pictures, labels, job->how->count,
                                  method_list_columns(job->how), renderer);
    }
    for (uint32_t i = 0; i < job->how->count; ++i)
    {
        pelt_picture_destroy(&pictures[i]);
    }
    return code;
}

// A first pass, so that the camera and the colors are the same in all frames.
static int measure_frames(const render_job* job, method_renderer* renderer)
{
    uint32_t count = job->is_still ? 1 : job->frame_count;
    int code = EXIT_DONE;
    progress_begin("framing");
    for (uint32_t i = 0; code == EXIT_DONE && i < count; ++i)
    {
        code = method_renderer_measure(renderer, time_of(job, i));
        progress_show((float)i / (float)count);
    }
    progress_end();
    if (code == EXIT_DONE && renderer->box.min.x > renderer->box.max.x)
    {
        message_note("nothing to draw: %s", job->show.focus != PELT_NONE
                                                ? "no vertex follows the joint of --focus"
                                                : "all meshes are empty");
        return EXIT_INPUT;
    }
    return code;
}

// All frames are drawn: the report is prepared now, so that no file is written if that fails.
static int finish_report(render_report* out, const render_job* job, double start)
{
    out->seconds = clock_seconds() - start;
    return job->summary != NULL ? render_report_prepare(out, job) : EXIT_DONE;
}

static int save_picture(render_report* out, const render_job* job, method_renderer* renderer,
                        double start)
{
    pelt_picture picture = {0};
    pelt_error error = {0};
    int code = draw_frame(&picture, job, renderer, 0);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    out->width = picture.width;
    out->height = picture.height;
    code = finish_report(out, job, start);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    code = message_error(
        pelt_picture_save(job->path, &picture, "pelt " PELT_VERSION_STRING, &error), &error);
cleanup:
    pelt_picture_destroy(&picture);
    return code;
}

static int save_animation(render_report* out, const render_job* job, method_renderer* renderer,
                          double start)
{
    // Lossy without visible loss: lossless files are several times as large.
    pelt_animation_options options = {
        .frames_per_second = job->rate, .quality = 90.0f, .software = "pelt " PELT_VERSION_STRING};
    pelt_error error = {0};
    pelt_animation* animation;
    pelt_result result = pelt_animation_begin(&animation, job->path, &options, &error);
    if (result != PELT_OK)
    {
        return message_error(result, &error);
    }
    int code = EXIT_DONE;
    progress_begin("drawing");
    for (uint32_t i = 0; code == EXIT_DONE && i < job->frame_count; ++i)
    {
        pelt_picture picture = {0};
        code = draw_frame(&picture, job, renderer, i);
        if (code == EXIT_DONE)
        {
            out->width = picture.width;
            out->height = picture.height;
            code = message_error(pelt_animation_add(animation, &picture, &error), &error);
        }
        pelt_picture_destroy(&picture);
        progress_show((float)(i + 1) / (float)job->frame_count);
    }
    progress_end();
    if (code == EXIT_DONE)
    {
        code = finish_report(out, job, start);
    }
    if (code != EXIT_DONE)
    {
        pelt_animation_cancel(animation);
        return code;
    }
    return message_error(pelt_animation_end(animation, &error), &error);
}

static int run_on(render_report* out, const render_job* job, pelt_gl* gl, double start)
{
    method_renderer renderer = {
        .scene = job->scene,
        .source = job->source,
        .how = job->how,
        .pose = job->pose,
        .show = job->show,
        .view = job->view,
        .skinning = job->is_skinned_on_gpu ? PELT_SKINNING_AUTO : PELT_SKINNING_CPU,
        .is_prepared = !job->is_exact,
    };
    TRY(method_renderer_create(&renderer, gl));
    int code = measure_frames(job, &renderer);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    out->camera = camera_of(job, &renderer, 0);
    out->legend_high = method_renderer_scale(&renderer);
    out->mixed_count = renderer.mixed_count;
    for (uint32_t i = 0; i < job->how->count; ++i)
    {
        out->errors[i] = renderer.scales[i].error;
    }
    code = job->rate > 0.0f ? save_animation(out, job, &renderer, start)
                            : save_picture(out, job, &renderer, start);
cleanup:
    method_renderer_destroy(&renderer);
    return code;
}

int render_job_run(render_report* out, const render_job* job)
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
    int code = run_on(out, job, gl, start);
    pelt_gl_destroy(gl);
    out->seconds = clock_seconds() - start;
    return code;
}
