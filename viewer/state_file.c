// SPDX-License-Identifier: MIT
#include "state_file.h"

#include "json_file.h"
#include "memory_use.h"

static json_t* text_or_null(const char* text)
{
    json_t* json = text != NULL && text[0] != '\0' ? json_string(text) : NULL;
    return json != NULL ? json : json_null();
}

static json_t* describe_views(const view_app* in)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < settings_view_count(&in->settings); ++i)
    {
        const viewport* view = &in->model->views[i];
        json_int_t bytes =
            view->is_from_bake ? (json_int_t)pelt_baked_bytes(view->bake.baked) : (json_int_t)0;
        json_array_append_new(list,
                              json_pack("{s:s, s:b, s:I, s:b, s:f, s:f}", "method",
                                        settings_methods[in->settings.methods[i]], "from_texture",
                                        (int)view->is_from_bake, "texture_bytes", bytes, "on_gpu",
                                        (int)view->is_on_gpu, "ms", view->skin_ms, "farthest",
                                        (double)view->farthest));
    }
    return list;
}

static void describe_model(json_t* object, const view_app* in)
{
    const view_model* model = in->model;
    const pelt_scene* scene = model->character->scene;
    uint32_t clip = in->playback.clip, next = in->playback.next_clip;
    json_object_set_new(object, "model", text_or_null(model->character->path));
    json_object_set_new(object, "vertices",
                        json_integer((json_int_t)model->character->vertex_count));
    json_object_set_new(object, "clip",
                        text_or_null(clip != PELT_NONE ? scene->clips[clip].name : NULL));
    json_object_set_new(object, "next_clip",
                        text_or_null(next != PELT_NONE ? scene->clips[next].name : NULL));
    json_t* clips = json_array();
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        json_array_append_new(clips, text_or_null(scene->clips[i].name));
    }
    json_object_set_new(object, "clips", clips);
    json_object_set_new(object, "time", json_real((double)in->playback.time));
    json_object_set_new(object, "joint",
                        text_or_null(in->joint != PELT_NONE ? scene->nodes[in->joint].name : NULL));
    json_object_set_new(object, "solve_ms", json_real(model->character->data.solve_ms));
    json_object_set_new(object, "solved_sigma", json_real((double)model->character->data.sigma));
    json_object_set_new(object, "painted", json_integer((json_int_t)model->mix.painted_count));
    json_object_set_new(object, "views", describe_views(in));
    json_object_set_new(object, "times",
                        json_pack("{s:f, s:f, s:f, s:f}", "pose", model->times.pose, "deform",
                                  model->times.deform, "upload", model->times.upload, "draw",
                                  model->times.draw));
}

static json_t* describe_times(const float* values, uint32_t count)
{
    performance_summary summary = performance_summarize(values, count);
    return json_pack("{s:f, s:f, s:f, s:f}", "mean", (double)summary.mean, "median",
                     (double)summary.median, "p99", (double)summary.p99, "worst",
                     (double)summary.worst);
}

static json_t* describe_edits(const pose_edit* in)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < in->count; ++i)
    {
        const joint_edit* edit = &in->edits[i];
        json_array_append_new(list, json_pack("{s:i, s:[f, f, f]}", "node", (int)edit->node,
                                              "degrees", (double)edit->degrees[0],
                                              (double)edit->degrees[1], (double)edit->degrees[2]));
    }
    return list;
}

static json_t* describe_controls(void)
{
    const gui_control* controls;
    uint32_t count = gui_controls(&controls);
    json_t* object = json_object();
    for (uint32_t i = 0; i < count; ++i)
    {
        const gui_rect* rect = &controls[i].rect;
        json_object_set_new(object, controls[i].name,
                            json_pack("[f, f, f, f]", (double)rect->x, (double)rect->y,
                                      (double)rect->width, (double)rect->height));
    }
    return object;
}

pelt_result state_file_save(const char* path, const view_app* in, pelt_error* error)
{
    json_t* object = json_object();
    json_object_set_new(object, "frame", json_integer((json_int_t)in->frame));
    if (in->model != NULL)
    {
        describe_model(object, in);
    }
    json_object_set_new(object, "error", text_or_null(in->error));
    json_object_set_new(object, "note", text_or_null(in->note));
    json_t* recent = json_array();
    for (uint32_t i = 0; i < in->recent_count; ++i)
    {
        json_array_append_new(recent, json_string(in->recent[i]));
    }
    json_object_set_new(object, "recent", recent);
    json_object_set_new(object, "is_busy", json_boolean(in->job.kind != JOB_NONE));
    json_object_set_new(object, "edits", describe_edits(&in->edit));
    json_object_set_new(object, "camera",
                        json_pack("{s:f, s:f, s:f}", "azimuth", (double)in->camera.azimuth,
                                  "elevation", (double)in->camera.elevation, "distance",
                                  (double)in->camera.distance));
    json_object_set_new(object, "frame_ms",
                        describe_times(in->performance.frame_ms, in->performance.count));
    json_object_set_new(object, "cpu_ms",
                        describe_times(in->performance.cpu_ms, in->performance.count));
    memory_use memory = memory_use_now();
    json_object_set_new(object, "memory",
                        json_pack("{s:I, s:I}", "resident", (json_int_t)memory.resident, "heap",
                                  (json_int_t)memory.heap));
    json_t* settings = json_object();
    settings_write(settings, &in->settings, false);
    json_object_set_new(object, "settings", settings);
    json_object_set_new(object, "controls", describe_controls());
    return json_file_save(path, object, error);
}
