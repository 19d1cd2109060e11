// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700

#include "state_file.h"

#include "camera.h"
#include "desktop.h"
#include "panes/panes.h"
#include "panes/quantity.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---------------------------------------------------------------------------------------------
// State

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
        char hints[VIEW_HINT_MAX][VIEW_HINT_BYTES];
        uint32_t hint_count = view_hints_write(hints, in, i);
        json_t* texts = json_array();
        for (uint32_t k = 0; k < hint_count; ++k)
        {
            json_array_append_new(texts, json_string(hints[k]));
        }
        json_array_append_new(
            list, json_pack("{s:s, s:b, s:I, s:b, s:f, s:f, s:i, s:o}", "method",
                            settings_method_name(in->settings.methods[i]), "from_texture",
                            (int)view->is_from_bake, "texture_bytes", bytes, "on_gpu",
                            (int)view->is_on_gpu, "ms", view->skin_ms, "farthest",
                            (double)view->farthest, "boxes", (int)view->box_count, "hints", texts));
    }
    return list;
}

// What the Texture pane shows; null: nothing.
static json_t* describe_texture(const view_app* in)
{
    texel_source source;
    if (!texture_pane_find(&source, in))
    {
        return json_null();
    }
    const bake_slot* slot = source.slot;
    const pelt_baked* baked = source.baked;
    json_t* object = json_pack(
        "{s:i, s:s, s:[i, i], s:i, s:f, s:f, s:f, s:b}", "view", (int)source.index + 1, "encoding",
        pelt_encoding_name(baked->encoding), "size", (int)baked->width, (int)baked->height, "bytes",
        (int)pelt_baked_bytes(baked), "zoom", (double)in->texel_zoom, "x", (double)in->texel_x, "y",
        (double)in->texel_y, "follows", (int)!in->is_texel_free);
    bool is_known = slot != NULL && slot->is_measured && !isnan(slot->error.max);
    json_object_set_new(object, "error",
                        is_known
                            ? json_pack("{s:f, s:f, s:f}", "max", slot->error.max, "rms",
                                        slot->error.rms, "max_at_keys", slot->error.max_at_keys)
                            : json_null());
    return object;
}

// Sums over the skinned vertices of all meshes: of the chosen joint, and of all.
static json_t* describe_weights(const view_app* in)
{
    const view_model* model = in->model;
    const pelt_scene* scene = model->character->scene;
    double chosen = 0.0, all = 0.0;
    uint32_t most = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_weights* weights = &scene->meshes[scene->instances[i].mesh].weights;
        uint32_t skin = scene->instances[i].skin;
        uint32_t count = skin != PELT_NONE ? weights->influence_count : 0;
        most = weights->max_influences > most ? weights->max_influences : most;
        for (uint32_t k = 0; k < count; ++k)
        {
            bool is_chosen = scene->skins[skin].joints[weights->influences[k].joint] == in->joint;
            all += (double)weights->influences[k].weight;
            chosen += is_chosen ? (double)weights->influences[k].weight : 0.0;
        }
    }
    const live_weights* live = &model->weights;
    return json_pack("{s:b, s:f, s:f, s:i, s:i, s:i, s:f, s:f}", "edited", (int)live->is_edited,
                     "joint", chosen, "all", all, "max_influences", (int)most, "revision",
                     (int)model->data_revision, "centers", (int)live->center_count, "center_ms",
                     live->center_ms, "factor_ms", live->factor_ms);
}

// The range of the heat map, and the worst of the clip; null: not measured.
static json_t* describe_heat(const view_app* in)
{
    const profile* found = &in->model->profile;
    bool is_known = model_has_profile(in->model, &in->settings, &in->playback);
    json_t* worst = json_null();
    if (is_known && found->worst != PELT_NONE)
    {
        const profile_place* place = &found->places[found->worst_view][found->worst];
        worst = json_pack("{s:i, s:i, s:i, s:f, s:f}", "view", (int)found->worst_view + 1, "mesh",
                          (int)place->instance, "vertex", (int)place->vertex, "time",
                          (double)place->time, "value", (double)place->value);
    }
    json_int_t sum = 0;
    for (uint32_t i = 0; i < HEAT_BINS; ++i)
    {
        sum += (json_int_t)in->model->histogram[i];
    }
    return json_pack("{s:f, s:I, s:i, s:o}", "scale", (double)in->model->scale, "vertices", sum,
                     "moments", (int)(is_known ? found->count : 0), "worst", worst);
}

// Where joints are in the first viewport, in parts of its size.
static json_t* describe_joints(const view_app* in)
{
    const view_model* model = in->model;
    const pelt_scene* scene = model->character->scene;
    orbit from = model_camera(model, &model->shown.camera);
    float width = (float)model->shown.width, height = (float)model->shown.height;
    projection camera = orbit_project(&from, width, height);
    json_t* out = json_object();
    for (uint32_t i = 0; i < scene->node_count && height > 0.0f; ++i)
    {
        pelt_vec3 joint = pelt_mat34_translation(&model->views[0].frame.model_from_node[i]);
        pixel at;
        if (scene->nodes[i].name != NULL && projection_find(&at, &camera, joint))
        {
            json_object_set_new(
                out, scene->nodes[i].name,
                json_pack("[f, f]", (double)(at.x / width), (double)(at.y / height)));
        }
    }
    return out;
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
    json_object_set_new(object, "is_solved", json_boolean(model->character->data.is_solved));
    json_object_set_new(object, "painted", json_integer((json_int_t)model->mix.painted_count));
    json_object_set_new(object, "weights", describe_weights(in));
    json_object_set_new(object, "views", describe_views(in));
    json_object_set_new(object, "heat", describe_heat(in));
    json_object_set_new(object, "findings",
                        model->findings != NULL
                            ? json_integer((json_int_t)model->diagnosis.finding_count)
                            : json_null());
    json_object_set_new(object, "joints", describe_joints(in));
    float fill[2];
    camera_measure(fill, in);
    json_object_set_new(object, "fill", json_pack("[f, f]", (double)fill[0], (double)fill[1]));
    json_object_set_new(object, "times",
                        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "pose", model->times.pose,
                                  "palette", model->times.palette, "deform", model->times.deform,
                                  "upload", model->times.upload, "skin", model->times.skin, "draw",
                                  model->times.draw));
}

static json_t* describe_crowd(const view_crowd* in)
{
    const crowd_counts* counts = &in->stage->counts;
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:I, s:i, s:f, s:f}", "members",
                     (int)counts->members, "visible", (int)counts->visible, "near",
                     (int)counts->by_level[0], "far", (int)counts->by_level[1], "fading",
                     (int)counts->fading, "draw_calls", (int)counts->draw_calls, "triangles",
                     (json_int_t)counts->triangles, "levels", (int)in->stage->level_count,
                     "cull_ms", in->cull_ms, "time", in->time);
}

static json_t* describe_times(const performance* in, performance_part part)
{
    performance_summary summary = performance_summarize(in, part);
    return json_pack("{s:f, s:f, s:f, s:f}", "mean", (double)summary.mean, "median",
                     (double)summary.median, "p99", (double)summary.p99, "worst",
                     (double)summary.worst);
}

static json_t* describe_performance(const performance* in)
{
    bool has_gpu = in->has_timer && in->gpu_ms >= 0.0f;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:I}", "fps",
                     describe_times(in, PART_FPS), "pose", describe_times(in, PART_POSE), "palette",
                     describe_times(in, PART_PALETTE), "upload", describe_times(in, PART_UPLOAD),
                     "interface", describe_times(in, PART_INTERFACE), "deform",
                     describe_times(in, PART_DEFORM), "gpu_ms",
                     has_gpu ? json_real((double)in->gpu_ms) : json_null(), "draws",
                     (int)in->draw_count, "vertices", (json_int_t)in->vertex_count);
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

static json_t* describe_benchmark(const benchmark* in)
{
    static const char* const states[] = {[BENCHMARK_IDLE] = "idle",
                                         [BENCHMARK_RUNNING] = "running",
                                         [BENCHMARK_CANCELED] = "canceled",
                                         [BENCHMARK_WRITTEN] = "written"};
    const crowd_schedule* schedule = benchmark_schedule(in);
    json_t* points = json_object();
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        if (schedule->curves[i].is_measured)
        {
            json_object_set_new(points, settings_technique_name(i),
                                json_integer((json_int_t)schedule->curves[i].point_count));
        }
    }
    return json_pack(
        "{s:s, s:s, s:f, s:o, s:o}", "state", states[in->state], "folder", in->folder, "progress",
        in->state == BENCHMARK_RUNNING ? crowd_schedule_progress(schedule) : 0.0, "points", points,
        "reason", text_or_null(in->reason[0] != '\0' ? in->reason : in->note));
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
    if (in->crowd.stage != NULL)
    {
        json_object_set_new(object, "crowd", describe_crowd(&in->crowd));
    }
    json_object_set_new(object, "texture", in->model != NULL ? describe_texture(in) : json_null());
    json_object_set_new(object, "error", text_or_null(in->error));
    json_object_set_new(object, "note", text_or_null(in->note));
    json_object_set_new(object, "browser",
                        text_or_null(in->browser.is_open ? in->browser.list.folder : NULL));
    json_object_set_new(object, "question", json_integer((json_int_t)in->question));
    json_object_set_new(object, "proportions", text_or_null(in->other_clips.warning));
    json_object_set_new(
        object, "fps",
        json_real(frame_rate(in->performance.values[PART_FRAME], in->performance.count)));
    json_t* recent = json_array();
    for (uint32_t i = 0; i < in->recent_count; ++i)
    {
        json_array_append_new(recent, json_string(in->recent[i]));
    }
    json_object_set_new(object, "recent", recent);
    json_object_set_new(object, "is_busy", json_boolean(in->job.kind != JOB_NONE));
    json_object_set_new(object, "edits", describe_edits(&in->edit));
    json_object_set_new(object, "camera",
                        json_pack("{s:f, s:f, s:f, s:f, s:[f, f, f]}", "azimuth",
                                  (double)in->camera.azimuth, "elevation",
                                  (double)in->camera.elevation, "distance",
                                  (double)in->camera.distance, "lens", (double)in->camera.lens,
                                  "target", (double)in->camera.target.x,
                                  (double)in->camera.target.y, (double)in->camera.target.z));
    json_object_set_new(object, "frame_ms", describe_times(&in->performance, PART_FRAME));
    json_object_set_new(object, "cpu_ms", describe_times(&in->performance, PART_CPU));
    json_object_set_new(object, "performance", describe_performance(&in->performance));
    json_object_set_new(object, "benchmark", describe_benchmark(&in->benchmark));
    memory_use memory = memory_use_now();
    json_object_set_new(object, "memory",
                        json_pack("{s:I, s:I, s:i}", "resident", (json_int_t)memory.resident,
                                  "heap", (json_int_t)memory.heap, "gl_objects",
                                  (int)memory_use_gl_objects()));
    json_t* settings = json_object();
    settings_write(settings, &in->settings, false);
    json_object_set_new(object, "settings", settings);
    json_object_set_new(object, "controls", describe_controls());
    return json_file_save(path, object, error);
}

// ---------------------------------------------------------------------------------------------
// Configuration

// $XDG_CONFIG_HOME/pelt, or ~/.config/pelt. @return false: there is no such folder
static bool find_folder(char* out, size_t size)
{
    const char* folder = getenv("XDG_CONFIG_HOME");
    const char* home = getenv("HOME");
    int length = -1;
    if (folder != NULL && folder[0] == '/')
    {
        length = snprintf(out, size, "%s/pelt", folder);
    }
    else if (home != NULL)
    {
        length = snprintf(out, size, "%s/.config/pelt", home);
    }
    return length > 0 && (size_t)length < size;
}

static void read_recent(view_app* inout, const json_t* list)
{
    size_t count = json_array_size(list);
    for (size_t i = count < RECENT_MAX ? count : RECENT_MAX; i > 0; --i)
    {
        const char* path = json_string_value(json_array_get(list, i - 1));
        if (path != NULL && strlen(path) < PATH_BYTES)
        {
            app_add_recent(inout, path);
        }
    }
}

static void read_size(int size[2], const json_t* window)
{
    json_int_t width = json_integer_value(json_array_get(window, 0));
    json_int_t height = json_integer_value(json_array_get(window, 1));
    if (width > 0 && width <= 16384 && height > 0 && height <= 16384)
    {
        size[0] = width > WINDOW_MIN_WIDTH ? (int)width : WINDOW_MIN_WIDTH;
        size[1] = height > WINDOW_MIN_HEIGHT ? (int)height : WINDOW_MIN_HEIGHT;
    }
}

void config_file_read(view_app* inout, int size[2])
{
    char path[PATH_BYTES];
    if (!find_folder(path, sizeof path - 16))
    {
        return;
    }
    strcat(path, "/view.json");
    json_t* object = json_load_file(path, 0, NULL);
    if (json_is_object(object))
    {
        settings_read(&inout->settings, json_object_get(object, "settings"));
        read_recent(inout, json_object_get(object, "recent"));
        read_size(size, json_object_get(object, "window"));
    }
    json_decref(object);
}

static void make_folders(char* path)
{
    for (char* at = path + 1; *at != '\0'; ++at)
    {
        if (*at == '/')
        {
            *at = '\0';
            mkdir(path, 0777);
            *at = '/';
        }
    }
    mkdir(path, 0777);
}

void config_file_write(const view_app* in, const int size[2])
{
    char path[PATH_BYTES];
    if (!find_folder(path, sizeof path - 16))
    {
        return;
    }
    make_folders(path);
    strcat(path, "/view.json");
    json_t* settings = json_object();
    settings_write(settings, &in->settings, true);
    json_t* recent = json_array();
    for (uint32_t i = 0; i < in->recent_count; ++i)
    {
        json_array_append_new(recent, json_string(in->recent[i]));
    }
    json_t* object = json_object();
    json_object_set_new(object, "settings", settings);
    json_object_set_new(object, "recent", recent);
    json_object_set_new(object, "window", json_pack("[i, i]", size[0], size[1]));
    // Settings are not worth an error message.
    (void)json_file_save(path, object, NULL);
}
