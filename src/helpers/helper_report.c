// SPDX-License-Identifier: MIT
// How far the character with helpers is from the target method, as any program plays it: by LBS of
// the new scene, with the tracks of the helpers where there are any.
#include "../base/exact.h"

#include "helpers.h"

#include <string.h>

enum
{
    BINS = 2048,       // of distances, each 1.1 % wider than the one below
    BINS_PER_TWO = 64, // between a distance and twice as much
};

typedef struct distance_sum
{
    uint64_t count;
    double most, squares;
    uint32_t bins[BINS];
} distance_sum;

typedef struct pose_sums
{
    uint32_t pose_count;
    distance_sum helpers, lbs;
} pose_sums;

typedef struct measure_work
{
    const pelti_fit* fit;
    const pelt_scene* scene;
    const pelt_frame* frame;
    uint32_t pose;
    float *distances, *lbs_distances; // by point
} measure_work;

// ---------------------------------------------------------------------------------------------
// Sums

static void add_distance(distance_sum* sum, double distance, double size)
{
    double bin = BINS + BINS_PER_TWO * log2(fmax(distance, 1e-300) / fmax(size, 1e-300));
    ++sum->count;
    sum->most = fmax(sum->most, distance);
    sum->squares += distance * distance;
    ++sum->bins[(uint32_t)fmin(fmax(bin, 0.0), BINS - 1.0)];
}

static void add_sum(distance_sum* out, const distance_sum* in)
{
    out->count += in->count;
    out->most = fmax(out->most, in->most);
    out->squares += in->squares;
    for (int i = 0; i < BINS; ++i)
    {
        out->bins[i] += in->bins[i];
    }
}

// The distance that 99 % do not exceed, to 1.1 %.
static double find_p99(const distance_sum* sum, double size)
{
    uint64_t above = 0;
    int bin = BINS - 1;
    while (bin > 0 && (above + sum->bins[bin]) * 100 <= sum->count)
    {
        above += sum->bins[bin--];
    }
    double end = size * exp2((bin + 1.0 - BINS) / BINS_PER_TWO);
    return fmin(end, sum->most);
}

static double find_rms(const distance_sum* sum)
{
    return sum->count > 0 ? sqrt(sum->squares / (double)sum->count) : 0.0;
}

static pelt_helpers_error error_of(const pose_sums* sums, double size)
{
    return (pelt_helpers_error){
        .pose_count = sums->pose_count,
        .max = (float)sums->helpers.most,
        .p99 = (float)find_p99(&sums->helpers, size),
        .rms = (float)find_rms(&sums->helpers),
        .lbs_max = (float)sums->lbs.most,
        .lbs_p99 = (float)find_p99(&sums->lbs, size),
        .lbs_rms = (float)find_rms(&sums->lbs),
    };
}

// ---------------------------------------------------------------------------------------------
// Poses

static void measure_range(void* context, uint32_t range)
{
    const measure_work* work = context;
    const pelti_fit* fit = work->fit;
    uint32_t end = (range + 1) * PELTI_HELPER_RANGE;
    for (uint32_t i = range * PELTI_HELPER_RANGE; i < end && i < fit->point_count; ++i)
    {
        const pelti_helper_point* point = &fit->points[i];
        uint32_t instance = fit->parts[point->part].instance;
        pelti_double3 target =
            pelti_double3_from(fit->targets[(size_t)i * fit->pose_count + work->pose]);
        pelti_double3 now =
            pelti_double3_from(work->frame->surfaces[instance].positions[point->vertex]);
        pelti_double3 lbs = pelti_fit_lbs(fit, i, work->pose);
        work->distances[i] = (float)pelti_double3_length(pelti_double3_sub(now, target));
        work->lbs_distances[i] = (float)pelti_double3_length(pelti_double3_sub(lbs, target));
    }
}

// Place the new scene in a pose of the fit.
static void pose_scene(pelt_frame* frame, pelt_pose* pose, const measure_work* work,
                       const pelt_clip* range)
{
    static const pelt_deform_options lbs = {.is_exact = true};
    const pelti_helper_pose* at = &work->fit->poses[work->pose];
    pelt_scene scene = *work->scene;
    bool is_range = at->clip == PELT_NONE;
    // The rule is for programs that know it; all others play the tracks.
    scene.helper_count =
        is_range || work->fit->options->is_rule_only ? work->scene->helper_count : 0;
    const pelt_clip* clip = is_range ? range : &scene.clips[at->clip];
    pelt_pose_sample(pose, &scene, clip, at->time, PELT_WRAP_CLAMP);
    memset(pose->morph_weights, 0, pose->morph_weight_count * sizeof(float));
    pelt_frame_update(frame, &scene, pose, &lbs);
}

static pelt_result measure_all(pose_sums* sums, pelt_frame* frame, pelt_pose* pose,
                               measure_work* work, const pelt_clip* range)
{
    const pelti_fit* fit = work->fit;
    uint32_t clip_count = fit->scene->clip_count;
    for (uint32_t f = 0; f < fit->pose_count; ++f)
    {
        uint32_t clip = fit->poses[f].clip;
        pose_sums* own = &sums[2 * (clip == PELT_NONE ? clip_count : clip) +
                               (fit->poses[f].is_held_out ? 1 : 0)];
        work->pose = f;
        pose_scene(frame, pose, work, range);
        pelt_run((fit->point_count + PELTI_HELPER_RANGE - 1) / PELTI_HELPER_RANGE, measure_range,
                 work);
        ++own->pose_count;
        for (uint32_t i = 0; i < fit->point_count; ++i)
        {
            add_distance(&own->helpers, (double)work->distances[i], fit->size);
            add_distance(&own->lbs, (double)work->lbs_distances[i], fit->size);
        }
    }
    return PELT_OK;
}

static void summarize(pelt_helpers_report* out, pelt_helpers_clip* clips, pose_sums* sums,
                      const pelti_fit* fit)
{
    uint32_t clip_count = fit->scene->clip_count;
    pose_sums* totals = &sums[2 * ((size_t)clip_count + 1)];
    for (uint32_t i = 0; i <= clip_count; ++i)
    {
        for (uint32_t side = 0; side < 2; ++side)
        {
            const pose_sums* own = &sums[2 * (size_t)i + side];
            totals[side].pose_count += own->pose_count;
            add_sum(&totals[side].helpers, &own->helpers);
            add_sum(&totals[side].lbs, &own->lbs);
        }
        if (sums[2 * (size_t)i].pose_count + sums[2 * (size_t)i + 1].pose_count > 0)
        {
            clips[out->clip_count++] = (pelt_helpers_clip){
                i < clip_count ? i : PELT_NONE, error_of(&sums[2 * (size_t)i], fit->size),
                error_of(&sums[2 * (size_t)i + 1], fit->size)};
        }
    }
    out->clips = clips;
    out->training = error_of(&totals[0], fit->size);
    out->held_out = error_of(&totals[1], fit->size);
}

pelt_result pelti_helpers_measure(pelt_helpers_report* out, const pelti_fit* fit,
                                  const pelt_scene* scene, pelt_arena* arena)
{
    size_t clip_room = (size_t)fit->scene->clip_count + 1;
    pelt_pose pose = {0};
    pelt_frame frame = {0};
    pelt_clip range;
    measure_work work = {.fit = fit, .scene = scene, .frame = &frame};
    pelt_arena* scratch = pelt_arena_create();
    pelt_helpers_clip* clips = pelt_arena_alloc(arena, clip_room, sizeof *clips);
    pose_sums* sums =
        scratch != NULL ? pelt_arena_alloc(scratch, 2 * clip_room + 2, sizeof *sums) : NULL;
    bool is_ok = clips != NULL && sums != NULL;
    if (is_ok)
    {
        work.distances = pelt_arena_alloc(scratch, fit->point_count, sizeof(float));
        work.lbs_distances = pelt_arena_alloc(scratch, fit->point_count, sizeof(float));
        is_ok = work.distances != NULL && work.lbs_distances != NULL &&
                pelt_pose_create(&pose, scene) == PELT_OK &&
                pelt_frame_create(&frame, scene) == PELT_OK &&
                pelt_motion_range_build(&range, fit->scene, NULL, scratch) == PELT_OK;
    }
    pelt_result result =
        is_ok ? measure_all(sums, &frame, &pose, &work, &range) : PELT_ERROR_MEMORY;
    if (result == PELT_OK)
    {
        summarize(out, clips, sums, fit);
    }
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    pelt_arena_destroy(scratch);
    return result;
}
