// SPDX-License-Identifier: MIT
#include "profile.h"

#include <math.h>

bool profile_key_is_same(const profile_key* a, const profile_key* b)
{
    bool is_same = a->clip == b->clip && a->metric == b->metric && a->view_count == b->view_count &&
                   a->data_revision == b->data_revision;
    for (uint32_t i = 0; i < a->view_count && is_same; ++i)
    {
        is_same = a->is_measured[i] == b->is_measured[i] &&
                  settings_deform_is_same(&a->deform[i], &b->deform[i]) &&
                  settings_deform_is_same(&a->reference[i], &b->reference[i]);
    }
    return is_same;
}

// The state of one pass over the clip.
typedef struct pass
{
    profile* out;
    uint32_t view;
    const pelt_body_info* body;
    bool (*progress)(float part, void* user);
    void* user;
} pass;

static void find_vertex(profile_place* out, const pelt_body_info* body, uint32_t vertex)
{
    out->instance = out->vertex = PELT_NONE;
    for (uint32_t i = 0; i < body->instance_count && vertex != PELT_NONE; ++i)
    {
        uint32_t first = body->first_vertices[i];
        if (first != PELT_NONE && first <= vertex)
        {
            out->instance = i;
            out->vertex = vertex - first;
        }
    }
}

static bool take_moment(const pelt_pose_metrics* pose, float time, uint32_t index, uint32_t count,
                        void* user)
{
    const pass* from = user;
    profile* out = from->out;
    if (index < PROFILE_MOMENTS)
    {
        const pelt_metric_summary* found = &pose->regions[0].metrics[out->key.metric];
        bool is_low = -found->min > found->max;
        profile_place* place = &out->places[from->view][index];
        place->time = time;
        place->value = is_low ? found->min : found->max;
        find_vertex(place, from->body, is_low ? found->min_vertex : found->max_vertex);
        out->times[index] = time;
        out->count = index + 1;
        if (fabsf(place->value) > out->high)
        {
            out->high = fabsf(place->value);
            out->worst_view = from->view;
            out->worst = index;
        }
    }
    float part = (float)(index + 1) / (float)count;
    return from->progress(((float)from->view + part) / (float)out->key.view_count, from->user);
}

static pelt_result measure_view(pass* from, pelt_body* body, const pelt_scene* scene,
                                pelt_error* error)
{
    const profile_key* key = &from->out->key;
    pelt_clip_metrics metrics = {0};
    if (pelt_clip_metrics_create(&metrics, body) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    pelt_clip_request request = {.metrics = PELT_METRIC_BIT(key->metric),
                                 .deform = key->deform[from->view],
                                 .max_frames = PROFILE_MOMENTS,
                                 .frame = take_moment,
                                 .user = from};
    if (key->metric == PELT_METRIC_DISTANCE)
    {
        request.reference = &key->reference[from->view];
    }
    pelt_result result =
        pelt_body_measure_clip(&metrics, body, scene, &scene->clips[key->clip], &request, error);
    pelt_clip_metrics_destroy(&metrics);
    return result;
}

pelt_result profile_measure(profile* out, const pelt_scene* scene,
                            bool (*progress)(float part, void* user), void* user, pelt_error* error)
{
    pelt_body* body = NULL;
    PELT_TRY(pelt_body_create(&body, scene, error));
    out->worst_view = out->worst = PELT_NONE;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < out->key.view_count && result == PELT_OK; ++i)
    {
        pass from = {.out = out,
                     .view = i,
                     .body = pelt_body_get_info(body),
                     .progress = progress,
                     .user = user};
        result = out->key.is_measured[i] ? measure_view(&from, body, scene, error) : PELT_OK;
    }
    pelt_body_destroy(body);
    return result;
}
