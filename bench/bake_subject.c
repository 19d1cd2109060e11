// SPDX-License-Identifier: MIT
#include "bake_subject.h"

#include "bench.h"
#include "clock.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOMENT_COUNT = 32, // of one timed run, spread over all clips
};

pelt_result bake_scene(pelt_baked** out, const pelt_scene* scene, const pelt_bake_options* options,
                       pelt_error* error)
{
    pelt_result result = pelt_bake(out, scene, options, error);
    if (result == PELT_OK && options->encoding == PELT_ENCODING_VERTEX && (*out)->vertex_count == 0)
    {
        pelt_baked_destroy(*out);
        *out = NULL;
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED, "pelt_bake does not bake vertices");
    }
    return result;
}

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
    pelt_pose_to_model(subject->frame.model_from_node, scene, &subject->pose);
    for (uint32_t skin = 0; skin < scene->skin_count; ++skin)
    {
        pelt_palette_build(&subject->frame.palettes[skin], &scene->skins[skin],
                           subject->frame.model_from_node);
    }
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

// What errors and budgets are relative to.
static pelt_result read_source(bake_subject* out, pelt_error* error)
{
    pelt_baked* baked;
    pelt_bake_options options = {.clip_count = out->clip_count, .clips = out->clips};
    pelt_result result = pelt_bake(&baked, out->scene, &options, error);
    if (result != PELT_OK)
    {
        return result;
    }
    out->height = (double)baked->height_meters;
    out->bytes = pelt_baked_bytes(baked);
    pelt_baked_destroy(baked);
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
    pelt_result result = read_source(out, error);
    if (result == PELT_OK)
    {
        double seconds = out->effort.seconds;
        out->pose_seconds = bench_fastest(run_poses, out, seconds) / MOMENT_COUNT;
        out->surface_seconds = bench_fastest(run_surfaces, out, seconds) / MOMENT_COUNT;
    }
    return result;
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
    pelt_frame_destroy(&subject->frame);
    pelt_pose_destroy(&subject->pose);
    pelt_arena_destroy(subject->arena);
    pelt_scene_destroy(subject->scene);
    *subject = (bake_subject){0};
}

// ---------------------------------------------------------------------------------------------
// Times of a bake

// The fastest of several, the last of which is kept; one is enough when it takes long.
static pelt_result bake_timed(pelt_baked** out, double* seconds, const bake_subject* subject,
                              const pelt_bake_options* options, pelt_error* error)
{
    double end = clock_seconds() + subject->effort.seconds;
    *seconds = (double)INFINITY;
    *out = NULL;
    pelt_result result;
    do
    {
        pelt_baked_destroy(*out);
        *out = NULL;
        double start = clock_seconds();
        result = bake_scene(out, subject->scene, options, error);
        *seconds = fmin(*seconds, clock_seconds() - start);
    } while (result == PELT_OK && clock_seconds() < end);
    return result;
}

static void count_keys(bake_trial* out, const pelt_baked* baked)
{
    double seconds = 0.0;
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        out->key_count += baked->clips[i].key_count;
        seconds += (double)baked->clips[i].duration;
    }
    out->rate = seconds > 0.0 ? out->key_count / seconds : 0.0;
}

typedef struct decode_run
{
    const bake_subject* subject;
    const pelt_baked* baked;
    pelt_mat34* motions;
} decode_run;

static void decode(const decode_run* run, const pelt_playback* playback)
{
    const pelt_scene* scene = run->subject->scene;
    if (run->baked->encoding != PELT_ENCODING_VERTEX)
    {
        pelt_unbake(run->motions, run->baked, playback);
        return;
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        pelt_unbake_vertices(&run->subject->frame.surfaces[i], run->baked, i,
                             &scene->meshes[scene->instances[i].mesh], playback);
    }
}

static void run_decode(void* context)
{
    const decode_run* run = context;
    for (uint32_t i = 0; i < MOMENT_COUNT; ++i)
    {
        moment at = moment_at(run->subject, i);
        decode(run, &(pelt_playback){.base = {at.clip, at.time, PELT_WRAP_LOOP}});
    }
}

static pelt_result time_decode(double* out, const bake_subject* subject, const pelt_baked* baked,
                               pelt_error* error)
{
    decode_run run = {.subject = subject, .baked = baked};
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

// The median is the upper one of an even number of clips.
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

static void summarize(bake_trial* out, double* values, const pelt_bake_report* report, double scale)
{
    for (uint32_t i = 0; i < report->clip_count; ++i)
    {
        values[i] = scale * report->clips[i].error.max_at_keys;
    }
    out->at_keys = spread(values, report->clip_count);
    for (uint32_t i = 0; i < report->clip_count; ++i)
    {
        values[i] = scale * report->clips[i].error.max;
    }
    out->everywhere = spread(values, report->clip_count);
    out->p99 = scale * report->error.p99;
    out->rms = scale * report->error.rms;
    out->normal_mean = report->error.normal_mean;
    out->normal_max = report->error.normal_max;
    out->bytes_per_joint_key = report->bytes_per_joint_key;
}

static pelt_result measure(bake_trial* out, const bake_subject* subject, const pelt_baked* baked,
                           pelt_error* error)
{
    pelt_bake_report report;
    pelt_measure_options options = {.between = subject->effort.between};
    pelt_result result = pelt_baked_measure(&report, baked, subject->scene, &options, error);
    if (result != PELT_OK)
    {
        return result;
    }
    double* values = pelt_arena_alloc(report.arena, report.clip_count, sizeof *values);
    if (values != NULL)
    {
        summarize(out, values, &report, 1e3 / subject->height);
    }
    if (!has_normals(subject->scene))
    {
        out->normal_mean = out->normal_max = (double)NAN;
    }
    pelt_bake_report_destroy(&report);
    return values != NULL ? PELT_OK : pelt_error_memory(error);
}

pelt_result bake_subject_try(bake_trial* out, bake_subject* subject,
                             const pelt_bake_options* options, pelt_error* error)
{
    pelt_baked* baked;
    pelt_bake_options own = *options;
    own.clip_count = subject->clip_count;
    own.clips = subject->clips;
    *out = (bake_trial){0};
    pelt_result result = bake_timed(&baked, &out->bake_seconds, subject, &own, error);
    if (result != PELT_OK)
    {
        return result;
    }
    out->bytes = pelt_baked_bytes(baked);
    count_keys(out, baked);
    out->bake_to_sample = out->bake_seconds / (out->key_count * subject->pose_seconds);
    result = measure(out, subject, baked, error);
    if (result == PELT_OK)
    {
        result = time_decode(&out->decode_to_sample, subject, baked, error);
    }
    pelt_baked_destroy(baked);
    return result;
}
