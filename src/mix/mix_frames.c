// SPDX-License-Identifier: MIT
// The motion of a character, from which mix factors follow.
#include "../base/exact.h"

#include "mix.h"

#include <math.h>
#include <string.h>

enum
{
    RANGE_GROUPS = 256,      // of a task
    DEFAULT_FRAMES = 48,     // that are kept
    LEAST_FRAMES = 8,        // of large characters, that are kept
    MOST_PLACES = 1u << 20u, // that are kept in all frames, 48 bytes each
    MOST_BOUNDS = 1u << 23u, // that are bounded in all frames
    LEAST_BOUNDS = 48,       // frames of large characters at which factors are bounded
};

// One frame of the motion after the other.
typedef struct player
{
    pelti_mix* mix;
    pelt_pose pose;
    pelt_frame lbs, dqs;
    pelti_double3* lbs_groups; // where LBS has the groups; those of DQS are in body->deformed
    double* worst;             // by task
    double* bounds;            // by group: the least factor so far
    double most;               // bulge of DQS in any frame
    uint32_t frame_total;      // of the clips
    uint32_t bound_total;      // of these, that are played
} player;

static void leave_normals_out(pelt_frame* inout)
{
    for (uint32_t i = 0; i < inout->instance_count; ++i)
    {
        inout->surfaces[i].normals = NULL;
        inout->surfaces[i].tangents = NULL;
    }
}

static bool create_player(player* out, pelti_mix* mix)
{
    size_t group_count = mix->body->group_count, task_count = group_count / RANGE_GROUPS + 1;
    *out =
        (player){.mix = mix,
                 .lbs_groups = pelt_arena_alloc(mix->arena, group_count, sizeof *out->lbs_groups),
                 .worst = pelt_arena_alloc(mix->arena, task_count, sizeof *out->worst),
                 .bounds = pelt_arena_alloc(mix->arena, group_count, sizeof *out->bounds)};
    bool is_ok = out->lbs_groups != NULL && out->worst != NULL && out->bounds != NULL &&
                 pelt_pose_create(&out->pose, mix->scene) == PELT_OK &&
                 pelt_frame_create(&out->lbs, mix->scene) == PELT_OK &&
                 pelt_frame_create(&out->dqs, mix->scene) == PELT_OK;
    if (is_ok)
    {
        leave_normals_out(&out->lbs);
        leave_normals_out(&out->dqs);
    }
    return is_ok;
}

static void destroy_player(player* p)
{
    pelt_pose_destroy(&p->pose);
    pelt_frame_destroy(&p->lbs);
    pelt_frame_destroy(&p->dqs);
}

static void deform(player* p, pelt_frame* frame, pelt_method method)
{
    pelt_deform_options options = {.method = method};
    pelt_frame_update(frame, p->mix->scene, &p->pose, &options);
    pelti_body_gather(p->mix->body, frame->surfaces);
}

static bool is_finite(const pelt_body* body)
{
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        pelti_double3 at = body->deformed[g];
        if (!isfinite(at.x + at.y + at.z))
        {
            return false;
        }
    }
    return true;
}

static uint32_t range_end(const pelt_body* body, uint32_t task)
{
    uint32_t end = (task + 1) * RANGE_GROUPS;
    return end < body->group_count ? end : body->group_count;
}

// ---------------------------------------------------------------------------------------------
// The first time: the largest bulge of DQS

static void measure_bulge(void* context, uint32_t task)
{
    player* p = context;
    const pelt_body* body = p->mix->body;
    p->worst[task] = 0.0;
    for (uint32_t g = task * RANGE_GROUPS; g < range_end(body, task); ++g)
    {
        double rest = body->bone_distances[g];
        double now = pelti_bone_distance(body, g, body->deformed[g], body->segments);
        p->worst[task] = rest >= 0.0 ? fmax(p->worst[task], now - rest) : p->worst[task];
    }
}

static void play_dqs(player* p, uint32_t index)
{
    (void)index;
    pelt_body* body = p->mix->body;
    deform(p, &p->dqs, PELT_METHOD_DQS);
    if (!is_finite(body))
    {
        return;
    }
    uint32_t task_count = body->group_count / RANGE_GROUPS + 1;
    pelti_bones_pose(body->segments, body, p->dqs.palettes);
    pelt_run(task_count, measure_bulge, p);
    for (uint32_t i = 0; i < task_count; ++i)
    {
        p->most = fmax(p->most, p->worst[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// The second time: bounds by it

static void bound_factors(void* context, uint32_t task)
{
    player* p = context;
    const pelt_body* body = p->mix->body;
    // Frames that are prepared for many updates may be off by 2e-6 of the size.
    double most = p->most - 4e-6 * body->info.size;
    for (uint32_t g = task * RANGE_GROUPS; g < range_end(body, task); ++g)
    {
        double rest = body->bone_distances[g];
        if (rest >= 0.0)
        {
            p->bounds[g] = pelti_mix_bound(body, g, p->lbs_groups[g], body->deformed[g],
                                           body->segments, rest + most, p->bounds[g]);
        }
    }
}

static void keep_frame(player* p)
{
    pelti_mix* mix = p->mix;
    const pelt_body* body = mix->body;
    size_t first = (size_t)mix->frame_count * body->group_count;
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        mix->lbs[first + g] = pelti_double3_to(p->lbs_groups[g]);
        mix->dqs[first + g] = pelti_double3_to(body->deformed[g]);
    }
    memcpy(mix->segments + (size_t)mix->frame_count * body->bone_count, body->segments,
           body->bone_count * sizeof *body->segments);
    ++mix->frame_count;
}

// Whether one of `total` is among `wanted` of them that are evenly spread.
static bool is_sample(uint32_t index, uint64_t wanted, uint64_t total)
{
    return (index + 1) * wanted / total > index * wanted / total;
}

static void play_both(player* p, uint32_t index)
{
    pelt_body* body = p->mix->body;
    deform(p, &p->lbs, PELT_METHOD_LBS);
    bool is_usable = is_finite(body);
    memcpy(p->lbs_groups, body->deformed, body->group_count * sizeof *body->deformed);
    deform(p, &p->dqs, PELT_METHOD_DQS);
    if (!is_usable || !is_finite(body))
    {
        return;
    }
    pelti_bones_pose(body->segments, body, p->dqs.palettes);
    pelt_run(body->group_count / RANGE_GROUPS + 1, bound_factors, p);
    if (is_sample(index, p->mix->report->frame_count, p->bound_total))
    {
        keep_frame(p);
    }
}

// ---------------------------------------------------------------------------------------------
// All frames

static pelt_result play_all(player* p, void (*play)(player* p, uint32_t index), float from)
{
    const pelti_mix* mix = p->mix;
    uint32_t index = 0, bound = 0;
    for (uint32_t i = 0; i < mix->clip_count; ++i)
    {
        uint32_t count = pelti_clip_frame_count(&mix->clips[i], 0.0f, 0);
        for (uint32_t k = 0; k < count; ++k, ++index)
        {
            if (!is_sample(index, p->bound_total, p->frame_total))
            {
                continue;
            }
            float time = pelti_clip_frame_time(&mix->clips[i], k, count);
            pelt_pose_sample(&p->pose, mix->scene, &mix->clips[i], time, PELT_WRAP_CLAMP);
            play(p, bound++);
            float part = (float)index / (float)p->frame_total;
            if (!pelti_mix_tell(p->mix, from + 0.1f * part))
            {
                return PELT_ERROR_CANCELED;
            }
        }
    }
    return PELT_OK;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// As many as a budget of groups in all frames has, but no fewer than `least`.
static uint32_t frames_within(uint32_t budget, uint32_t group_count, uint32_t least)
{
    uint32_t count = budget / (group_count + 1);
    return count > least ? count : least;
}

static uint32_t count_bounds(const pelti_mix* mix, uint32_t frame_total)
{
    uint32_t usual = frames_within(MOST_BOUNDS, mix->body->group_count, LEAST_BOUNDS);
    uint32_t wanted = mix->options->max_bound_frames > 0 ? mix->options->max_bound_frames : usual;
    return least_of(wanted, frame_total);
}

static bool allocate_frames(pelti_mix* inout, uint32_t bound_total)
{
    const pelt_body* body = inout->body;
    uint32_t usual =
        least_of(DEFAULT_FRAMES, frames_within(MOST_PLACES, body->group_count, LEAST_FRAMES));
    uint32_t wanted = inout->options->max_frames > 0 ? inout->options->max_frames : usual;
    uint32_t count = least_of(wanted, bound_total);
    inout->report->frame_count = count;
    inout->report->bound_count = bound_total;
    size_t places = (size_t)count * body->group_count, bones = (size_t)count * body->bone_count;
    inout->lbs = pelt_arena_alloc(inout->arena, places, sizeof *inout->lbs);
    inout->dqs = pelt_arena_alloc(inout->arena, places, sizeof *inout->dqs);
    inout->now = pelt_arena_alloc(inout->arena, places, sizeof *inout->now);
    inout->segments = pelt_arena_alloc(inout->arena, bones, sizeof *inout->segments);
    return inout->lbs != NULL && inout->dqs != NULL && inout->now != NULL &&
           inout->segments != NULL;
}

// Those of the scene; without any that moves something, one that tries all joints.
static bool choose_clips(pelti_mix* inout)
{
    for (uint32_t i = 0; i < inout->scene->clip_count; ++i)
    {
        inout->report->clip_count += inout->scene->clips[i].track_count > 0;
    }
    if (inout->report->clip_count > 0)
    {
        inout->report->clip_count = inout->scene->clip_count;
        inout->clip_count = inout->scene->clip_count;
        inout->clips = inout->scene->clips;
        return true;
    }
    pelt_clip* clip = pelt_arena_alloc(inout->arena, 1, sizeof *clip);
    inout->clip_count = 1;
    inout->clips = clip;
    return clip != NULL &&
           pelt_motion_range_build(clip, inout->scene, NULL, inout->arena) == PELT_OK;
}

pelt_result pelti_mix_play(pelti_mix* inout, pelt_error* error)
{
    player p = {0};
    uint64_t frame_total = 0;
    bool is_ok = choose_clips(inout);
    for (uint32_t i = 0; is_ok && i < inout->clip_count; ++i)
    {
        frame_total += pelti_clip_frame_count(&inout->clips[i], 0.0f, 0);
    }
    if (frame_total > UINT32_MAX / 2)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED, "The scene has too many clips.");
    }
    uint32_t bound_total = count_bounds(inout, (uint32_t)frame_total);
    is_ok = is_ok && allocate_frames(inout, bound_total) && create_player(&p, inout);
    pelt_result result = is_ok ? PELT_OK : pelt_error_memory(error);
    p.frame_total = (uint32_t)frame_total;
    p.bound_total = bound_total;
    result = result == PELT_OK ? play_all(&p, play_dqs, 0.0f) : result;
    result = result == PELT_OK ? play_all(&p, play_both, 0.1f) : result;
    for (uint32_t g = 0; result == PELT_OK && g < inout->body->group_count; ++g)
    {
        double* lower = &inout->lower[inout->group_classes[g]];
        *lower = fmax(*lower, p.bounds[g]);
    }
    inout->report->dqs_bulge = (float)p.most;
    inout->report->frame_count = inout->frame_count;
    destroy_player(&p);
    return result;
}
