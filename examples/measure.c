// SPDX-License-Identifier: MIT
// How four methods deform a character in all of its clips: the worst of each, by the library.
#include <pelt/io.h>
#include <pelt/metrics.h>
#include <pelt/prepare.h>

#include <stdio.h>

// The joint whose region has the vertex.
static const char* joint_of(const pelt_body_info* info, const pelt_scene* scene, uint32_t vertex)
{
    uint32_t node = info->regions[info->vertex_regions[vertex]].node;
    return node != PELT_NONE && scene->nodes[node].name != NULL ? scene->nodes[node].name : "-";
}

static pelt_result measure_clip(pelt_body* body, const pelt_scene* scene, const pelt_clip* clip,
                                pelt_method method, pelt_error* error)
{
    pelt_clip_metrics worst;
    pelt_clip_request request = {.deform = {.method = method, .mix = 0.5f}};
    if (pelt_clip_metrics_create(&worst, body) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = pelt_body_measure_clip(&worst, body, scene, clip, &request, error);
    if (result == PELT_OK)
    {
        const pelt_body_info* info = pelt_body_get_info(body);
        const pelt_clip_region* whole = &worst.regions[0];
        const pelt_clip_summary* metrics = whole->metrics;
        pelt_metric_extreme bulge = metrics[PELT_METRIC_BULGE].max;
        double volume = info->regions[0].volume;
        printf("%-16.16s %-4s %+7.2f %+7.2f %+7.1f %8.2f %8.1f %8.1f %6u  %s\n",
               clip != NULL && clip->name != NULL ? clip->name : "-", pelt_method_name(method),
               100.0 * (whole->min_volume / volume - 1.0),
               100.0 * (whole->max_volume / volume - 1.0),
               100.0 * (double)metrics[PELT_METRIC_RADIUS].min.value,
               100.0 * (double)bulge.value / info->size, 100.0 * metrics[PELT_METRIC_RIGIDITY].rms,
               57.29578 * metrics[PELT_METRIC_NORMAL].percentile95, worst.max_intersection_count,
               bulge.vertex != PELT_NONE ? joint_of(info, scene, bulge.vertex) : "-");
    }
    pelt_clip_metrics_destroy(&worst);
    return result;
}

static pelt_result measure(const char* input, pelt_error* error)
{
    static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                          PELT_METHOD_CRS};
    pelt_scene* scene;
    pelt_body* body = NULL;
    pelt_result result = pelt_load(&scene, input, NULL, error);
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelt_scene_add_cors(scene, PELT_PREPARE_MISSING, NULL, NULL, scene->arena, error);
    result = result == PELT_OK ? pelt_body_create(&body, scene, error) : result;
    printf("%-16s %-4s %7s %7s %7s %8s %8s %8s %6s  %s\n", "worst of clip", "", "volume %", "to %",
           "radius", "bulge", "strain", "normal", "cross", "bulge at");
    for (uint32_t i = 0; i < 4 * (scene->clip_count > 0 ? scene->clip_count : 1); ++i)
    {
        const pelt_clip* clip = scene->clip_count > 0 ? &scene->clips[i / 4] : NULL;
        result =
            result == PELT_OK ? measure_clip(body, scene, clip, methods[i % 4], error) : result;
    }
    pelt_body_destroy(body);
    pelt_scene_destroy(scene);
    return result;
}

int main(int argc, char** argv)
{
    pelt_error error = {"usage: measure INPUT"};
    if (argc == 2 && measure(argv[1], &error) == PELT_OK)
    {
        return 0;
    }
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
