// SPDX-License-Identifier: MIT
// Metrics of poses and clips, and bakes.
#include "pelt_python.h"

#include "pelt/bake.h"
#include "pelt/metrics.h"

typedef pelt_python_character character;

enum
{
    SUMMARY_NUMBERS = 6, // mean, rms, percentile95, min, max, time of the largest magnitude
};

static float time_of_worst(const pelt_clip_summary* in)
{
    float low = in->min.value < 0.0f ? -in->min.value : in->min.value;
    float high = in->max.value < 0.0f ? -in->max.value : in->max.value;
    return low > high ? in->min.time : in->max.time;
}

/// Play a clip and measure the whole body. Metrics that were not measured stay as they are.
/// @param out   SUMMARY_NUMBERS for each metric
/// @param clip  PELT_NONE: the stored pose
/// @return a result; *measured has the bits of what was measured
PELT_API int pelt_python_measure_clip(character* in, double* out, uint32_t* measured,
                                      uint32_t* frame_count, uint32_t clip, float rate,
                                      const pelt_python_options* options,
                                      const pelt_python_options* reference, pelt_error* error);
int pelt_python_measure_clip(character* in, double* out, uint32_t* measured, uint32_t* frame_count,
                             uint32_t clip, float rate, const pelt_python_options* options,
                             const pelt_python_options* reference, pelt_error* error)
{
    const pelt_deform_options against =
        reference != NULL ? pelt_python_read_options(reference) : (pelt_deform_options){0};
    const pelt_clip_request request = {.deform = pelt_python_read_options(options),
                                       .reference = reference != NULL ? &against : NULL,
                                       .rate = rate};
    PELT_TRY(pelt_python_check_needs(in, &request.deform, error));
    PELT_TRY(pelt_python_check_needs(in, &against, error));
    pelt_body* body = NULL;
    PELT_TRY(pelt_body_create(&body, &in->scene, error));
    pelt_clip_metrics metrics = {0};
    pelt_result result = pelt_clip_metrics_create(&metrics, body);
    const pelt_clip* from = clip != PELT_NONE ? &in->scene.clips[clip] : NULL;
    result = result == PELT_OK
                 ? pelt_body_measure_clip(&metrics, body, &in->scene, from, &request, error)
                 : pelt_error_memory(error);
    for (uint32_t m = 0; result == PELT_OK && m < PELT_METRIC_COUNT; ++m)
    {
        const pelt_clip_summary* summary = &metrics.regions[0].metrics[m];
        const double numbers[SUMMARY_NUMBERS] = {summary->mean,
                                                 summary->rms,
                                                 summary->percentile95,
                                                 (double)summary->min.value,
                                                 (double)summary->max.value,
                                                 (double)time_of_worst(summary)};
        for (int i = 0; i < SUMMARY_NUMBERS; ++i)
        {
            out[m * SUMMARY_NUMBERS + (uint32_t)i] = numbers[i];
        }
    }
    *measured = metrics.metrics;
    *frame_count = metrics.frame_count;
    pelt_clip_metrics_destroy(&metrics);
    pelt_body_destroy(body);
    return (int)result;
}

/// Vertices of the body: those of all skinned instances, end to end.
PELT_API uint32_t pelt_python_body_vertices(const character* in);
uint32_t pelt_python_body_vertices(const character* in)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->scene.instance_count; ++i)
    {
        const pelt_instance* instance = &in->scene.instances[i];
        count += instance->skin != PELT_NONE ? in->scene.meshes[instance->mesh].vertex_count : 0;
    }
    return count;
}

/// Measure one pose.
/// @param values  one array of pelt_python_body_vertices() floats for each metric, or NULL
PELT_API int pelt_python_measure_pose(character* in, double* out, uint32_t* measured,
                                      float* const* values, float* locals, float* morph_weights,
                                      const pelt_python_options* options, pelt_error* error);
int pelt_python_measure_pose(character* in, double* out, uint32_t* measured, float* const* values,
                             float* locals, float* morph_weights,
                             const pelt_python_options* options, pelt_error* error)
{
    const pelt_deform_options how = pelt_python_read_options(options);
    PELT_TRY(pelt_python_check_needs(in, &how, error));
    PELT_TRY(pelt_python_update_frame(in, error));
    pelt_body* body = NULL;
    PELT_TRY(pelt_body_create(&body, &in->scene, error));
    pelt_pose_metrics metrics = {0};
    if (pelt_pose_metrics_create(&metrics, body) != PELT_OK)
    {
        pelt_body_destroy(body);
        return (int)pelt_error_memory(error);
    }
    const pelt_pose pose = pelt_python_pose(in, locals, morph_weights);
    pelt_frame_update(&in->frame, &in->scene, &pose, &how);
    pelt_metric_input input = {.surfaces = in->frame.surfaces, .palettes = in->frame.palettes};
    for (uint32_t m = 0; m < PELT_METRIC_COUNT; ++m)
    {
        input.values[m] = values != NULL ? values[m] : NULL;
    }
    pelt_body_measure(&metrics, body, &input);
    for (uint32_t m = 0; m < PELT_METRIC_COUNT; ++m)
    {
        const pelt_metric_summary* summary = &metrics.regions[0].metrics[m];
        const double numbers[SUMMARY_NUMBERS] = {summary->mean,         summary->rms,
                                                 summary->percentile95, (double)summary->min,
                                                 (double)summary->max,  0.0};
        for (int i = 0; i < SUMMARY_NUMBERS; ++i)
        {
            out[m * SUMMARY_NUMBERS + (uint32_t)i] = numbers[i];
        }
    }
    *measured = metrics.metrics;
    pelt_pose_metrics_destroy(&metrics);
    pelt_body_destroy(body);
    return PELT_OK;
}

/// Bake clips and write the bake.
/// @param out         bytes of the texture, width, height, encoding; largest error at any time,
/// that
///                    of 99 of 100 vertices, root mean square, in meters; height of the character
/// @param encoding    -1: the smaller of local and qt, where there is a budget
/// @param max_error   meters; 0: no budget
/// @param clip_count  0: all
PELT_API int pelt_python_bake(character* in, double out[8], const char* path, int encoding,
                              uint32_t bits, double max_error, int is_relative, size_t max_bytes,
                              float rate, const uint32_t* clips, uint32_t clip_count, int format,
                              const pelt_python_options* options, pelt_error* error);
int pelt_python_bake(character* in, double out[8], const char* path, int encoding, uint32_t bits,
                     double max_error, int is_relative, size_t max_bytes, float rate,
                     const uint32_t* clips, uint32_t clip_count, int format,
                     const pelt_python_options* options, pelt_error* error)
{
    bool has_budget = max_error > 0.0 || max_bytes > 0;
    const pelt_bake_options how = {
        .encoding = encoding >= 0 ? (pelt_encoding)encoding : PELT_ENCODING_QT,
        .finds_encoding =
            has_budget && encoding<0, .bits = bits, .has_budget = has_budget,
                                   .max_error = max_error, .is_relative = is_relative != 0,
                                   .max_bytes = max_bytes, .timing = rate> 0.0f
                ? PELT_BAKE_RATE
            : has_budget ? PELT_BAKE_AUTO
                         : PELT_BAKE_KEYS,
        .rate = rate,
        .clip_count = clip_count,
        .clips = clips,
        .deform = pelt_python_read_options(options)};
    PELT_TRY(pelt_python_check_needs(in, &how.deform, error));
    pelt_baked* baked = NULL;
    pelt_bake_report report = {0};
    const pelt_measure_options measure = {.deform = how.deform};
    const pelt_save_baked_options save = {
        .format = (pelt_texture_format)format, .scene = &in->scene, .source = &in->source};
    pelt_result result;
    PELT_TRY_OR(cleanup, result, pelt_bake(&baked, &in->scene, &how, error));
    PELT_TRY_OR(cleanup, result, pelt_baked_measure(&report, baked, &in->scene, &measure, error));
    PELT_TRY_OR(cleanup, result, pelt_save_baked(path, baked, &save, error));
    const double numbers[8] = {(double)pelt_baked_bytes(baked),
                               (double)baked->width,
                               (double)baked->height,
                               (double)baked->encoding,
                               report.error.max,
                               report.error.p99,
                               report.error.rms,
                               (double)baked->height_meters};
    for (int i = 0; i < 8; ++i)
    {
        out[i] = numbers[i];
    }
cleanup:
    pelt_bake_report_destroy(&report);
    pelt_baked_destroy(baked);
    return (int)result;
}
