// SPDX-License-Identifier: MIT
// Metrics over clips: the worst frame is found, and means are over frames.
#include "body_fixture.h"

#include <string.h>

static pelt_result measure_clip(pelt_clip_metrics* out, body_fixture* f, const char* name,
                                const pelt_clip_request* request)
{
    const pelt_clip* clip = &f->scene.clips[pelt_scene_find_clip(&f->scene, name)];
    pelt_result result = pelt_clip_metrics_create(out, f->body);
    return result == PELT_OK ? pelt_body_measure_clip(out, f->body, &f->scene, clip, request, NULL)
                             : result;
}

// The twist goes on to the end of its clip, which lasts a second: there the bar is thinnest.
static int the_worst_frame_of_a_twist_is_its_last(void)
{
    body_fixture f;
    pelt_clip_metrics clip;
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=1000"));
    pelt_clip_request request = {.rate = 10.0f};
    ENSURE(measure_clip(&clip, &f, "twist90", &request) == PELT_OK);
    ENSURE(clip.frame_count == 11);
    ENSURE(clip.frame_counts[PELT_METRIC_EDGE] == 11 && clip.frame_counts[PELT_METRIC_JUMP] == 10);
    ENSURE(clip.frame_counts[PELT_METRIC_DISTANCE] == 0);
    ENSURE((clip.metrics & PELT_METRIC_BIT(PELT_METRIC_DISTANCE)) == 0);
    const pelt_clip_region* whole = &clip.regions[0];
    ENSURE_NEAR(whole->metrics[PELT_METRIC_COLLAPSE].max.value, 1.0 - sqrt(0.5), 1e-5);
    ENSURE_NEAR(whole->metrics[PELT_METRIC_COLLAPSE].max.time, 1.0, 1e-6);
    ENSURE_NEAR(whole->min_volume_time, 1.0, 1e-6);
    ENSURE_NEAR(clip.min_enclosed_time, 1.0, 1e-6);
    ENSURE_NEAR(clip.max_enclosed_time, 0.0, 1e-6);
    ENSURE_NEAR(clip.max_enclosed_volume, f.info->enclosed_volume, 1e-9);
    ENSURE_NEAR(whole->min_volume, clip.min_enclosed_volume, 1e-6);
    ENSURE(whole->metrics[PELT_METRIC_COLLAPSE].min.value == 0.0f);
    pelt_clip_metrics_destroy(&clip);
    body_fixture_close(&f);
    return 0;
}

// Frames of 1, 2 and 6: their mean is 3, of squares 41 / 3.
static int means_are_over_frames(void)
{
    body_fixture f;
    pelt_clip_metrics clip;
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=200"));
    ENSURE(pelt_clip_metrics_create(&clip, f.body) == PELT_OK);
    static const double values[] = {1.0, 6.0, 2.0};
    for (uint32_t i = 0; i < 3; ++i)
    {
        f.metrics.metrics = PELT_METRIC_BIT(PELT_METRIC_FOLD);
        for (uint32_t r = 0; r < f.info->region_count; ++r)
        {
            f.metrics.regions[r].metrics[PELT_METRIC_FOLD] =
                (pelt_metric_summary){.mean = values[i],
                                      .rms = values[i],
                                      .percentile95 = values[i],
                                      .min = (float)-values[i],
                                      .max = (float)values[i],
                                      .min_vertex = 7 + i,
                                      .max_vertex = i};
        }
        pelt_clip_metrics_add(&clip, &f.metrics, 0.5f * (float)i);
    }
    for (uint32_t r = 0; r < f.info->region_count; ++r)
    {
        const pelt_clip_summary* s = &clip.regions[r].metrics[PELT_METRIC_FOLD];
        ENSURE_NEAR(s->mean, 3.0, 1e-12);
        ENSURE_NEAR(s->rms, sqrt(41.0 / 3.0), 1e-12);
        ENSURE_NEAR(s->percentile95, 6.0, 0.0);
        ENSURE(s->max.value == 6.0f && s->max.vertex == 1 && s->max.time == 0.5f);
        ENSURE(s->min.value == -6.0f && s->min.vertex == 8 && s->min.time == 0.5f);
        ENSURE(clip.regions[r].metrics[PELT_METRIC_EDGE].max.vertex == PELT_NONE);
    }
    ENSURE(isnan(clip.min_enclosed_volume) && clip.frame_counts[PELT_METRIC_VOLUME] == 0);
    pelt_clip_metrics_destroy(&clip);
    body_fixture_close(&f);
    return 0;
}

typedef struct frame_log
{
    uint32_t count, stop_at;
    float last;
} frame_log;

static bool log_frame(const pelt_pose_metrics* pose, float time, uint32_t index, uint32_t count,
                      void* user)
{
    frame_log* log = user;
    log->last = time;
    ++log->count;
    return pose->region_count == 3 && index < count && log->count != log->stop_at;
}

static int frames_are_told_and_may_be_canceled(void)
{
    body_fixture f;
    pelt_clip_metrics clip;
    frame_log log = {0};
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=200"));
    pelt_clip_request request = {.max_frames = 5, .frame = log_frame, .user = &log};
    ENSURE(measure_clip(&clip, &f, "twist90", &request) == PELT_OK);
    ENSURE(log.count == 5 && log.last == 1.0f && clip.frame_count == 5);
    pelt_clip_metrics_destroy(&clip);
    log = (frame_log){.stop_at = 2};
    ENSURE(measure_clip(&clip, &f, "twist90", &request) == PELT_ERROR_CANCELED);
    ENSURE(log.count == 2 && clip.frame_count == 2);
    pelt_clip_metrics_destroy(&clip);
    body_fixture_close(&f);
    return 0;
}

// The distance of lbs from dqs in a twist by 180 degrees: the whole radius, in the middle at the
// end.
static int the_reference_is_another_method(void)
{
    body_fixture f;
    pelt_clip_metrics clip;
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=500"));
    pelt_deform_options dqs = {.method = PELT_METHOD_DQS};
    pelt_clip_request request = {
        .metrics = PELT_METRIC_BIT(PELT_METRIC_DISTANCE), .reference = &dqs, .rate = 4.0f};
    ENSURE(measure_clip(&clip, &f, "twist180", &request) == PELT_OK);
    ENSURE(clip.metrics == PELT_METRIC_BIT(PELT_METRIC_DISTANCE));
    const pelt_clip_summary* s = &clip.regions[0].metrics[PELT_METRIC_DISTANCE];
    ENSURE_NEAR(s->max.value, 0.2, 1e-5);
    ENSURE(s->max.time == 1.0f);
    pelt_clip_metrics_destroy(&clip);
    body_fixture_close(&f);
    return 0;
}

static int crs_without_centers_is_refused_in_a_sentence(void)
{
    body_fixture f;
    pelt_clip_metrics clip;
    pelt_error error = {{0}};
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=200"));
    ENSURE(pelt_clip_metrics_create(&clip, f.body) == PELT_OK);
    pelt_clip_request request = {.deform = {.method = PELT_METHOD_CRS}};
    ENSURE(f.rig->meshes[0].cors == NULL);
    ENSURE(pelt_body_measure_clip(&clip, f.body, f.rig, f.rig->clips, &request, &error) ==
           PELT_ERROR_ARGUMENT);
    ENSURE(strstr(error.message, "'bar' has no centers of rotation") != NULL);
    ENSURE(clip.frame_count == 0);
    // Without a clip it is the stored pose, which is the bind pose.
    request.deform.method = PELT_METHOD_LBS;
    ENSURE(pelt_body_measure_clip(&clip, f.body, f.rig, NULL, &request, &error) == PELT_OK);
    ENSURE(clip.frame_count == 1);
    ENSURE_NEAR(clip.regions[0].metrics[PELT_METRIC_EDGE].max.value, 0.0, 1e-5);
    pelt_clip_metrics_destroy(&clip);
    body_fixture_close(&f);
    return 0;
}

void test_clip_metrics(void)
{
    RUN(the_worst_frame_of_a_twist_is_its_last);
    RUN(means_are_over_frames);
    RUN(frames_are_told_and_may_be_canceled);
    RUN(the_reference_is_another_method);
    RUN(crs_without_centers_is_refused_in_a_sentence);
}
