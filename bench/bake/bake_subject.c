// SPDX-License-Identifier: MIT
// A character whose bakes are measured.
#include "bake_subject.h"

#include "bench.h"
#include "clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOMENT_COUNT = 32, // of one timed run, spread over all clips
};

pelt_result bake_leave_out(const char* subject, const char* what, pelt_result result,
                           const pelt_error* error)
{
    if (result != PELT_ERROR_UNSUPPORTED && result != PELT_ERROR_ARGUMENT)
    {
        return result;
    }
    pelt_log(PELT_LOG_WARNING, "%s: %s is left out: %s", subject, what, error->message);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Times of the source

typedef struct moment
{
    uint32_t clip; // of the subject
    float time;
} moment;

static moment moment_at(const bake_subject* subject, uint32_t index)
{
    uint32_t clip = index % subject->clip_count;
    const pelt_clip* own = &subject->scene->clips[subject->clips[clip]];
    return (moment){clip, own->duration * ((float)index + 0.37f) / (float)MOMENT_COUNT};
}

static void sample_palettes(bake_subject* subject, uint32_t index)
{
    const pelt_scene* scene = subject->scene;
    moment at = moment_at(subject, index);
    pelt_pose_sample(&subject->pose, scene, &scene->clips[subject->clips[at.clip]], at.time,
                     PELT_WRAP_LOOP);
    pelt_frame_pose(&subject->frame, scene, &subject->pose, &(pelt_deform_options){0});
}

static void run_poses(void* context)
{
    for (uint32_t i = 0; i < MOMENT_COUNT; ++i)
    {
        sample_palettes(context, i);
    }
}

static void deform_instance(bake_subject* subject, uint32_t index)
{
    const pelt_instance* instance = &subject->scene->instances[index];
    const pelt_mesh* mesh = &subject->scene->meshes[instance->mesh];
    if (instance->skin == PELT_NONE || mesh->weights.vertex_count == 0)
    {
        return;
    }
    pelt_surface out = {.positions = subject->frame.surfaces[index].positions,
                        .normals = subject->frame.surfaces[index].normals};
    pelt_deform_input input = {.positions = mesh->positions,
                               .normals = mesh->normals,
                               .weights = &mesh->weights,
                               .palette = &subject->frame.palettes[instance->skin]};
    pelt_deform(&out, &input, &(pelt_deform_options){0}, (pelt_range){0, mesh->vertex_count});
}

static void run_surfaces(void* context)
{
    bake_subject* subject = context;
    for (uint32_t i = 0; i < MOMENT_COUNT; ++i)
    {
        sample_palettes(subject, i);
        for (uint32_t k = 0; k < subject->scene->instance_count; ++k)
        {
            deform_instance(subject, k);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Subject

static void choose_clips(bake_subject* out)
{
    for (uint32_t i = 0; i < out->scene->clip_count; ++i)
    {
        if (out->scene->clips[i].track_count > 0 && out->clip_count < out->effort.clip_max)
        {
            out->clips[out->clip_count++] = i;
        }
    }
}

// Bake with default options: errors are relative to its height, budgets to its bytes.
static pelt_result read_source(bake_subject* out, pelt_error* error)
{
    pelt_bake_options options = {
        .clip_count = out->clip_count, .clips = out->clips, .has_no_morphs = true};
    PELT_TRY(pelt_bake(&out->source, out->scene, &options, error));
    out->height = (double)out->source->height_meters;
    out->bytes = pelt_baked_bytes(out->source);
    return PELT_OK;
}

static pelt_result prepare(bake_subject* out, pelt_error* error)
{
    pelt_scene* scene = out->scene;
    out->arena = pelt_arena_create();
    out->clips = out->arena != NULL
                     ? pelt_arena_alloc(out->arena, scene->clip_count + 1, sizeof *out->clips)
                     : NULL;
    if (out->clips == NULL || pelt_pose_create(&out->pose, scene) != PELT_OK ||
        pelt_frame_create(&out->frame, scene) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    choose_clips(out);
    PELT_TRY(read_source(out, error));
    double seconds = out->effort.seconds;
    out->pose_seconds = bench_fastest(run_poses, out, seconds) / MOMENT_COUNT;
    out->surface_seconds = bench_fastest(run_surfaces, out, seconds) / MOMENT_COUNT;
    return PELT_OK;
}

pelt_result bake_subject_create(bake_subject* out, pelt_scene* scene, bake_effort effort,
                                pelt_error* error)
{
    *out = (bake_subject){.scene = scene, .effort = effort};
    pelt_result result = prepare(out, error);
    if (result != PELT_OK)
    {
        bake_subject_destroy(out);
    }
    return result;
}

void bake_subject_destroy(bake_subject* subject)
{
    pelt_baked_destroy(subject->source);
    pelt_frame_destroy(&subject->frame);
    pelt_pose_destroy(&subject->pose);
    pelt_arena_destroy(subject->arena);
    pelt_scene_destroy(subject->scene);
    *subject = (bake_subject){0};
}

// ---------------------------------------------------------------------------------------------
// Times of a bake

// One texture for all clips; in the layout of the animation texture thesis (2021) one for each
// clip.
typedef struct texture_list
{
    uint32_t count;
    uint32_t clips_each;
    pelt_baked** textures;
} texture_list;

static void empty(texture_list* list)
{
    for (uint32_t i = 0; i < list->count; ++i)
    {
        pelt_baked_destroy(list->textures[i]);
        list->textures[i] = NULL;
    }
}

static pelt_result fill(texture_list* inout, const bake_subject* subject,
                        const pelt_bake_options* options, pelt_error* error)
{
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        pelt_bake_options own = *options;
        own.clip_count = inout->clips_each;
        own.clips = subject->clips + (size_t)i * inout->clips_each;
        own.has_no_morphs = true; // the measured error includes them
        PELT_TRY(pelt_bake(&inout->textures[i], subject->scene, &own, error));
    }
    return PELT_OK;
}

// Bake repeatedly within a budget of time, keep the last result and the fastest time.
static pelt_result fill_timed(texture_list* inout, double* seconds, const bake_subject* subject,
                              const pelt_bake_options* options, pelt_error* error)
{
    double end = clock_seconds() + subject->effort.seconds;
    *seconds = (double)INFINITY;
    pelt_result result;
    do
    {
        empty(inout);
        double start = clock_seconds();
        result = fill(inout, subject, options, error);
        *seconds = fmin(*seconds, clock_seconds() - start);
    } while (result == PELT_OK && clock_seconds() < end);
    return result;
}

static void count_keys(bake_trial* out, const texture_list* list)
{
    double seconds = 0.0;
    for (uint32_t i = 0; i < list->count * list->clips_each; ++i)
    {
        const pelt_baked* baked = list->textures[i / list->clips_each];
        const pelt_baked_clip* clip = &baked->clips[i % list->clips_each];
        out->key_count += clip->key_count;
        seconds += (double)clip->duration;
    }
    out->rate = seconds > 0.0 ? out->key_count / seconds : 0.0;
}

typedef struct decode_run
{
    const bake_subject* subject;
    const texture_list* list;
    pelt_mat34* motions;
} decode_run;

static void decode(const decode_run* run, moment at)
{
    const pelt_scene* scene = run->subject->scene;
    const pelt_baked* baked = run->list->textures[at.clip / run->list->clips_each];
    pelt_playback playback = {.base = {at.clip % run->list->clips_each, at.time, PELT_WRAP_LOOP}};
    if (baked->encoding != PELT_ENCODING_VERTEX)
    {
        pelt_unbake(run->motions, baked, &playback);
        return;
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        pelt_unbake_vertices(&run->subject->frame.surfaces[i], baked, i,
                             &scene->meshes[scene->instances[i].mesh], &playback);
    }
}

static void run_decode(void* context)
{
    const decode_run* run = context;
    for (uint32_t i = 0; i < MOMENT_COUNT; ++i)
    {
        decode(run, moment_at(run->subject, i));
    }
}

static pelt_result time_decode(double* out, const bake_subject* subject, const texture_list* list,
                               pelt_error* error)
{
    // All textures have the same joints.
    const pelt_baked* baked = list->textures[0];
    decode_run run = {.subject = subject, .list = list};
    run.motions = pelt_allocate(baked->joint_count + 1, sizeof *run.motions);
    if (run.motions == NULL)
    {
        return pelt_error_memory(error);
    }
    double seconds = bench_fastest(run_decode, &run, subject->effort.seconds) / MOMENT_COUNT;
    bool is_vertex = baked->encoding == PELT_ENCODING_VERTEX;
    *out = seconds / (is_vertex ? subject->surface_seconds : subject->pose_seconds);
    pelt_release(run.motions);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Errors of a bake

static int compare_doubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

// The upper median of the values, and the largest.
static bake_spread spread(double* values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return (bake_spread){values[count / 2], values[count - 1]};
}

static bool has_normals(const pelt_scene* scene)
{
    bool has_some = false;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        has_some = has_some || scene->meshes[i].normals != NULL;
    }
    return has_some;
}

// Sums over textures. All have the same vertices, so means are weighted by the number of times.
typedef struct error_sums
{
    uint32_t clip_count;
    double* at_keys; // clip_count: largest of each, meters
    double* everywhere;
    double times, squares, normals;
    double joint_keys; // of the source
} error_sums;

static void add_report(bake_trial* inout, error_sums* sums, const pelt_bake_report* report,
                       double bytes)
{
    double times = 0.0;
    for (uint32_t i = 0; i < report->clip_count; ++i)
    {
        sums->at_keys[sums->clip_count] = report->clips[i].error.max_at_keys;
        sums->everywhere[sums->clip_count++] = report->clips[i].error.max;
        times += report->clips[i].time_count;
    }
    sums->times += times;
    sums->squares += times * report->error.rms * report->error.rms;
    sums->normals += times * report->error.normal_mean;
    sums->joint_keys += bytes / report->bytes_per_joint_key;
    inout->p99 = fmax(inout->p99, report->error.p99);
    inout->normal_max = fmax(inout->normal_max, report->error.normal_max);
}

// From meters to millimeters per meter of height.
static void summarize(bake_trial* inout, error_sums* sums, const bake_subject* subject)
{
    double scale = 1e3 / subject->height;
    for (uint32_t i = 0; i < sums->clip_count; ++i)
    {
        sums->at_keys[i] *= scale;
        sums->everywhere[i] *= scale;
    }
    inout->at_keys = spread(sums->at_keys, sums->clip_count);
    inout->everywhere = spread(sums->everywhere, sums->clip_count);
    inout->p99 *= scale;
    inout->rms = scale * sqrt(sums->squares / sums->times);
    inout->normal_mean = sums->normals / sums->times;
    inout->bytes_per_joint_key = (double)inout->bytes / sums->joint_keys;
    if (!has_normals(subject->scene))
    {
        inout->normal_mean = inout->normal_max = (double)NAN;
    }
}

static pelt_result measure(bake_trial* inout, const bake_subject* subject, const texture_list* list,
                           pelt_error* error)
{
    double* values = pelt_allocate(2 * (size_t)subject->clip_count, sizeof *values);
    if (values == NULL)
    {
        return pelt_error_memory(error);
    }
    error_sums sums = {.at_keys = values, .everywhere = values + subject->clip_count};
    pelt_measure_options options = {.between = subject->effort.between};
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < list->count; ++i)
    {
        pelt_bake_report report;
        const pelt_baked* baked = list->textures[i];
        result = pelt_baked_measure(&report, baked, subject->scene, &options, error);
        if (result == PELT_OK)
        {
            size_t bytes = pelt_baked_bytes(baked);
            inout->bytes += bytes;
            add_report(inout, &sums, &report, (double)bytes);
            pelt_bake_report_destroy(&report);
        }
    }
    if (result == PELT_OK)
    {
        summarize(inout, &sums, subject);
    }
    pelt_release(values);
    return result;
}

pelt_result bake_subject_try(bake_trial* out, bake_subject* subject,
                             const pelt_bake_options* options, pelt_error* error)
{
    uint32_t clips_each = options->layout == PELT_BAKE_LAYOUT_THESIS ? 1 : subject->clip_count;
    texture_list list = {.count = subject->clip_count / clips_each, .clips_each = clips_each};
    *out = (bake_trial){0};
    list.textures = pelt_allocate(list.count, sizeof(pelt_baked*));
    if (list.textures == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(list.textures, 0, list.count * sizeof(pelt_baked*));
    pelt_result result = fill_timed(&list, &out->bake_seconds, subject, options, error);
    if (result == PELT_OK)
    {
        count_keys(out, &list);
        out->bake_to_sample = out->bake_seconds / (out->key_count * subject->pose_seconds);
        result = measure(out, subject, &list, error);
    }
    if (result == PELT_OK)
    {
        result = time_decode(&out->decode_to_sample, subject, &list, error);
    }
    empty(&list);
    pelt_release(list.textures);
    return result;
}
