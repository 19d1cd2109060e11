// SPDX-License-Identifier: MIT
// What is promised of mix factors that are computed, held against the public metrics.
#ifndef PELT_MIX_CHECK_H
#define PELT_MIX_CHECK_H

#include "pelt/metrics.h"
#include "pelt/prepare.h"
#include "test.h"

/// The largest bulge of any vertex in any clip, in meters; without tracks in the motion range.
static inline float mix_check_bulge(pelt_body* body, const pelt_scene* scene, pelt_method method)
{
    pelt_clip range;
    pelt_arena* arena = pelt_arena_create();
    bool has_clips = false;
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        has_clips |= scene->clips[i].track_count > 0;
    }
    float worst = -INFINITY;
    if (!has_clips && pelt_motion_range_build(&range, scene, NULL, arena) != PELT_OK)
    {
        worst = INFINITY;
    }
    for (uint32_t i = 0; i < (has_clips ? scene->clip_count : 1); ++i)
    {
        pelt_clip_metrics metrics;
        pelt_clip_request request = {.metrics = PELT_METRIC_BIT(PELT_METRIC_BULGE),
                                     .deform = {.method = method}};
        const pelt_clip* clip = has_clips ? &scene->clips[i] : &range;
        if (pelt_clip_metrics_create(&metrics, body) != PELT_OK ||
            pelt_body_measure_clip(&metrics, body, scene, clip, &request, NULL) != PELT_OK)
        {
            worst = INFINITY;
        }
        else
        {
            worst = fmaxf(worst, metrics.regions[0].metrics[PELT_METRIC_BULGE].max.value);
        }
        pelt_clip_metrics_destroy(&metrics);
    }
    pelt_arena_destroy(arena);
    return worst;
}

/// Whether a vertex has two influences. Readers drop those without weight.
static inline bool mix_check_has_blend(const pelt_scene* scene)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_weights* weights = &scene->meshes[i].weights;
        for (uint32_t v = 0; weights->first != NULL && v < weights->vertex_count; ++v)
        {
            uint32_t count = weights->first[v + 1] - weights->first[v];
            most = count > most ? count : most;
        }
    }
    return most > 1;
}

/// Less energy than any common factor, and no vertex that bulges more than the worst of dqs.
static inline int mix_check_scene(const pelt_scene* scene, uint32_t max_frames)
{
    pelt_scene better = *scene;
    pelt_scene_mix_report report;
    pelt_mix_options options = {.max_frames = max_frames};
    pelt_error error = {{0}};
    pelt_body* body;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_scene_add_mix_factors(&better, &options, &report, arena, &error) == PELT_OK);
    ENSURE(pelt_scene_validate(&better, &error) == PELT_OK);
    ENSURE(pelt_body_create(&body, &better, &error) == PELT_OK);
    float dqs = mix_check_bulge(body, &better, PELT_METHOD_DQS);
    float mix = mix_check_bulge(body, &better, PELT_METHOD_MIX);
    // Where both methods give the same, nothing can be won.
    double effect = fabs(report.lbs_energy - report.dqs_energy);
    bool has_effect = effect > 1e-6 * report.lbs_energy;
    printf(" factor %.2f %.4g, map %.4g m^2, bulge %.4g of %.4g m", (double)report.fixed_factor,
           report.fixed_energy, report.energy, (double)mix, (double)dqs);
    ENSURE(report.fixed_energy <= report.lbs_energy && report.fixed_energy <= report.dqs_energy);
    ENSURE(report.energy <= report.bound_energy);
    ENSURE(!has_effect || report.energy < report.fixed_energy);
    ENSURE(mix <= dqs);
    // Without a vertex of two joints, nothing is measured.
    ENSURE(report.has_blend == mix_check_has_blend(scene));
    float expected = report.has_blend ? fmaxf(dqs, 0.0f) : 0.0f;
    ENSURE_NEAR(report.dqs_bulge, expected, 1e-6f * fabsf(dqs));
    pelt_body_destroy(body);
    pelt_arena_destroy(arena);
    return 0;
}

#endif
