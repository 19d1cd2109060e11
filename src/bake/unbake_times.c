// SPDX-License-Identifier: MIT
// When a clip that is made of a bake has keys. Between two keys a bake moves joints in the model
// and a clip moves nodes relative to their parents, so that a clip may need more of them.
#include "../base/exact.h"

#include "unbake_scene.h"

enum
{
    GRID = 16,      // parts of an interval at which both are compared
    MOST_PARTS = 8, // that an interval is divided into
    MOST_KEYS = 1 << 20,
};

// Vertices between the probes may be a little farther off.
static const float probe_part = 0.8f;

float pelti_jump_gap(float time)
{
    return fmaxf(1e-5f, 4e-7f * time); // a float has 7 digits
}

// In order, and no more than there is room for. Nothing is played before 0.
static void push(pelti_unbake_times* inout, float time)
{
    time = fmaxf(time, 0.0f);
    bool is_later = inout->count == 0 || time > inout->times[inout->count - 1];
    if (is_later && inout->count < inout->capacity)
    {
        inout->times[inout->count++] = time;
    }
}

// ---------------------------------------------------------------------------------------------
// An interval between two keys

// What has been decoded of it.
typedef struct interval
{
    const pelti_unbake_rig* rig;
    uint32_t clip;
    float start, length, end; // seconds; end: nothing is decoded past it
    bool is_decoded[GRID + 1];
    pelt_mat34* motions;    // of all joints, at each place of the grid
    pelt_transform* locals; // of all nodes
    pelt_mat34 *model, *blended;
} interval;

static bool create_interval(interval* out, const pelti_unbake_rig* rig, uint32_t clip,
                            pelt_arena* arena)
{
    size_t joints = rig->source.joint_count, nodes = rig->scene->node_count;
    *out = (interval){.rig = rig,
                      .clip = clip,
                      .motions = pelt_arena_alloc(arena, (GRID + 1) * joints, sizeof(pelt_mat34)),
                      .locals = pelt_arena_alloc(arena, (GRID + 1) * nodes, sizeof(pelt_transform)),
                      .model = pelt_arena_alloc(arena, nodes, sizeof(pelt_mat34)),
                      .blended = pelt_arena_alloc(arena, joints, sizeof(pelt_mat34))};
    return out->motions != NULL && out->locals != NULL && out->model != NULL &&
           out->blended != NULL;
}

static float interval_time(const interval* in, uint32_t place)
{
    return fminf(in->start + in->length * ((float)place / GRID), in->end);
}

static void decode(interval* inout, uint32_t place)
{
    if (!inout->is_decoded[place])
    {
        const pelti_unbake_rig* rig = inout->rig;
        pelti_unbake_locals(inout->locals + (size_t)place * rig->scene->node_count, NULL, rig,
                            inout->clip, interval_time(inout, place),
                            inout->motions + (size_t)place * rig->source.joint_count, inout->model);
        inout->is_decoded[place] = true;
    }
}

// How far vertices are off at a place between keys at two others.
static float distance_at(interval* inout, uint32_t place, uint32_t before, uint32_t after)
{
    const pelti_unbake_rig* rig = inout->rig;
    const pelt_scene* scene = rig->scene;
    decode(inout, place);
    decode(inout, before);
    decode(inout, after);
    const pelt_transform* a = inout->locals + (size_t)before * scene->node_count;
    const pelt_transform* b = inout->locals + (size_t)after * scene->node_count;
    float t = (float)(place - before) / (float)(after - before);
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        uint32_t parent = scene->nodes[node].parent;
        pelt_mat34 local = pelt_mat34_from_transform(pelt_transform_blend(a[node], b[node], t));
        inout->model[node] =
            parent != PELT_NONE ? pelt_mat34_mul(&inout->model[parent], &local) : local;
    }
    pelti_rig_motions(inout->blended, rig, inout->model);
    return pelti_probe_distance(&rig->source.probes,
                                inout->motions + (size_t)place * rig->source.joint_count,
                                inout->blended);
}

// The fewest parts that keep vertices within the tolerance, at the middle of each part and halfway
// from there to its ends.
static uint32_t count_parts(interval* inout, float tolerance)
{
    for (uint32_t parts = 1; parts < MOST_PARTS; parts *= 2)
    {
        uint32_t length = GRID / parts, step = length >= 4 ? length / 4 : 1;
        float most = 0.0f;
        for (uint32_t place = step; place < GRID && most <= tolerance; place += step)
        {
            uint32_t before = place / length * length;
            if (place != before)
            {
                most = fmaxf(most, distance_at(inout, place, before, before + length));
            }
        }
        if (most <= tolerance)
        {
            return parts;
        }
    }
    return MOST_PARTS;
}

// ---------------------------------------------------------------------------------------------
// Runs

// A run of the bake: until when it plays, and how many intervals it has.
typedef struct run_span
{
    const pelt_baked_run* run;
    float end;
    uint32_t intervals;
    bool is_last;
} run_span;

static run_span span_of(const pelt_baked_clip* clip, uint32_t index)
{
    const pelt_baked_run* run = &clip->runs[index];
    run_span span = {.run = run, .end = clip->duration, .is_last = index + 1 == clip->run_count};
    if (!span.is_last)
    {
        float jump = clip->runs[index + 1].start;
        span.end = fmaxf(jump - pelti_jump_gap(jump), run->start);
    }
    span.intervals = run->rate > 0.0f ? run->key_count - (clip->wraps ? 0 : 1) : 0;
    return span;
}

static float key_time(const run_span* span, double key)
{
    double time = (double)span->run->start;
    time += span->run->rate > 0.0f ? key / (double)span->run->rate : 0.0;
    return fminf((float)time, span->end);
}

static void push_held(pelti_unbake_times* inout, const run_span* span)
{
    for (uint32_t key = 0; key <= span->intervals; ++key)
    {
        float time = key_time(span, key);
        if (!inout->is_held && key > 0)
        {
            push(inout, time - pelti_jump_gap(time));
        }
        push(inout, time);
    }
}

// From when a run plays to its last key.
static double played_from(const pelt_baked_run* run)
{
    return fmax((double)run->start, 0.0);
}

static void push_rate(pelti_unbake_times* inout, const run_span* span, double rate)
{
    float last = key_time(span, span->intervals);
    double start = played_from(span->run);
    for (uint32_t i = 0; i < MOST_KEYS && start + i / rate < (double)last; ++i)
    {
        push(inout, (float)(start + i / rate));
    }
    push(inout, last);
}

static void push_parts(pelti_unbake_times* inout, const run_span* span, interval* scratch,
                       float tolerance)
{
    for (uint32_t key = 0; key < span->intervals; ++key)
    {
        uint32_t parts = 1;
        if (scratch != NULL)
        {
            scratch->start = key_time(span, key);
            scratch->length = 1.0f / span->run->rate;
            scratch->end = span->end;
            for (uint32_t i = 0; i <= GRID; ++i)
            {
                scratch->is_decoded[i] = false;
            }
            parts = count_parts(scratch, tolerance);
        }
        for (uint32_t i = 0; i < parts; ++i)
        {
            push(inout, key_time(span, key + (double)i / parts));
        }
    }
    push(inout, key_time(span, span->intervals));
}

// No fewer than there will be; MOST_KEYS: too many.
// @param parts  of an interval, at most
static uint32_t bound_keys(const pelt_baked_clip* clip, double rate, uint32_t parts)
{
    double count = 0.0;
    for (uint32_t i = 0; i < clip->run_count; ++i)
    {
        const pelt_baked_run* run = &clip->runs[i];
        run_span span = span_of(clip, i);
        double length = fmax((double)key_time(&span, span.intervals) - played_from(run), 0.0);
        bool has_rate = rate > 0.0 && !run->is_held;
        count += (has_rate ? ceil(rate * length) : (double)parts * run->key_count) + 4.0;
    }
    return count < MOST_KEYS ? (uint32_t)count : MOST_KEYS;
}

pelt_result pelti_unbake_times_choose(pelti_unbake_times* out, const pelt_baked_clip* clip,
                                      const pelti_unbake_rig* rig,
                                      const pelt_unbake_options* options, pelt_arena* arena)
{
    double rate = rig != NULL ? (double)options->rate : 0.0;
    interval scratch;
    bool is_adaptive = rig != NULL && rate == 0.0;
    // Held keys may be two: the end of one and the begin of the next.
    uint32_t bound = bound_keys(clip, rate, is_adaptive ? MOST_PARTS : 2);
    if (bound == MOST_KEYS)
    {
        return PELT_ERROR_UNSUPPORTED;
    }
    *out = (pelti_unbake_times){.capacity = bound,
                                .times = pelt_arena_alloc(arena, bound, sizeof *out->times),
                                .is_held = true};
    if (out->times == NULL ||
        (is_adaptive &&
         !create_interval(&scratch, rig, (uint32_t)(clip - rig->baked->clips), arena)))
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < clip->run_count; ++i)
    {
        out->is_held = out->is_held && clip->runs[i].is_held;
    }
    for (uint32_t i = 0; i < clip->run_count; ++i)
    {
        run_span span = span_of(clip, i);
        if (span.run->is_held)
        {
            push_held(out, &span);
        }
        else if (rate > 0.0)
        {
            push_rate(out, &span, rate);
        }
        else
        {
            push_parts(out, &span, is_adaptive ? &scratch : NULL,
                       probe_part * (float)options->max_error);
        }
        if (!span.is_last && !out->is_held)
        {
            push(out, span.end); // the last pose stays until the jump
        }
    }
    return PELT_OK;
}
