// SPDX-License-Identifier: MIT
// Metrics of real characters: every number is one, whatever the mesh is like.
#define _POSIX_C_SOURCE 200809L

#include "model_files.h"
#include "pelt/io.h"
#include "pelt/metrics.h"

#include <stdlib.h>
#include <string.h>

static bool is_finite_summary(const pelt_clip_summary* s)
{
    return isfinite(s->mean) && isfinite(s->rms) && isfinite(s->percentile95) &&
           isfinite(s->min.value) && isfinite(s->max.value);
}

static bool is_finite_clip(const pelt_clip_metrics* clip, const pelt_body_info* info)
{
    bool is_ok = true;
    for (uint32_t r = 0; is_ok && r < clip->region_count; ++r)
    {
        const pelt_clip_region* region = &clip->regions[r];
        is_ok = isfinite(region->min_volume) && isfinite(region->max_volume) &&
                isfinite(info->regions[r].volume) && isfinite(info->regions[r].area);
        for (pelt_metric m = 0; is_ok && m < PELT_METRIC_COUNT; ++m)
        {
            is_ok = is_finite_summary(&region->metrics[m]);
            if (!is_ok)
            {
                printf(" region %u %s is not finite", r, pelt_metric_describe(m)->name);
            }
        }
    }
    return is_ok && (!info->is_closed || isfinite(clip->min_enclosed_volume));
}

// Volumes of regions sum up to that of the body, and so do their areas.
static bool is_summed_up(const pelt_body_info* info)
{
    double volume = 0.0, area = 0.0, size = 0.0;
    uint32_t count = 0;
    for (uint32_t r = 1; r < info->region_count; ++r)
    {
        volume += info->regions[r].volume;
        size += fabs(info->regions[r].volume);
        area += info->regions[r].area;
        count += info->regions[r].vertex_count;
    }
    // Vertices without weights are of no joint.
    return count < info->regions[0].vertex_count ||
           (fabs(volume - info->regions[0].volume) <= 1e-9 * size + 1e-30 &&
            fabs(area - info->regions[0].area) <= 1e-6 * area + 1e-30);
}

static int check_scene(const pelt_scene* scene, uint32_t frames)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_scene better = *scene;
    pelt_body* body;
    pelt_error error = {{0}};
    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_MISSING, NULL, NULL, arena, NULL) == PELT_OK);
    ENSURE(pelt_body_create(&body, &better, &error) == PELT_OK);
    const pelt_body_info* info = pelt_body_get_info(body);
    ENSURE(is_summed_up(info));
    uint32_t clip_index = pelt_scene_default_clip(scene);
    const pelt_clip* clip = clip_index != PELT_NONE ? &scene->clips[clip_index] : NULL;
    static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_CRS};
    printf(" %u vertices, %s", info->vertex_count, info->is_closed ? "closed" : "open");
    for (int i = 0; i < 3; ++i)
    {
        pelt_clip_metrics metrics;
        pelt_deform_options lbs = {0};
        pelt_clip_request request = {
            .deform = {.method = methods[i]}, .reference = &lbs, .max_frames = frames};
        ENSURE(pelt_clip_metrics_create(&metrics, body) == PELT_OK);
        ENSURE(pelt_body_measure_clip(&metrics, body, &better, clip, &request, &error) == PELT_OK);
        ENSURE(is_finite_clip(&metrics, info));
        // An average of positions cannot jump, nor differ from itself.
        ENSURE(i > 0 || metrics.regions[0].metrics[PELT_METRIC_DISTANCE].max.value == 0.0f);
        printf(", %s bulges %.4f", pelt_method_name(methods[i]),
               (double)metrics.regions[0].metrics[PELT_METRIC_BULGE].max.value / info->size);
        pelt_clip_metrics_destroy(&metrics);
    }
    pelt_body_destroy(body);
    pelt_arena_destroy(arena);
    return 0;
}

// A few frames of each file; all with PELT_SWEEP=full.
static int all_models_have_finite_metrics(void)
{
    int failed = 0;
    uint32_t count = 0;
    glob_t found;
    ENSURE(model_files_find(&found, MODEL_FILES_READ));
    for (size_t i = 0; i < found.gl_pathc; ++i)
    {
        pelt_scene* scene;
        if (test_takes_model(found.gl_pathv[i]) &&
            pelt_load(&scene, found.gl_pathv[i], NULL, NULL) == PELT_OK)
        {
            printf("  %s:", strrchr(found.gl_pathv[i], '/') + 1);
            failed |= check_scene(scene, test_is_full_sweep() ? 30 : 3);
            printf("\n");
            pelt_scene_destroy(scene);
            ++count;
        }
    }
    globfree(&found);
    ENSURE(count > 20);
    return failed;
}

void test_metrics_models(void)
{
    RUN_ON_MODELS(all_models_have_finite_metrics);
}
