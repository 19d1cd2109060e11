// SPDX-License-Identifier: MIT
// Converts motions of joints to transforms of nodes, and chooses the times of keys.
#include "../base/exact.h"

#include "../baked/baked_decode.h"
#include "unbake_scene.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Joints and nodes

// Ancestors are in the order of their nodes: the search for a name starts after the previous one.
static uint32_t find_node(const pelt_scene* scene, const char* name, uint32_t first)
{
    for (uint32_t i = first; i < scene->node_count; ++i)
    {
        const char* own = scene->nodes[i].name != NULL ? scene->nodes[i].name : "";
        if (strcmp(own, name) == 0)
        {
            return i;
        }
    }
    return PELT_NONE;
}

// The nodes of sockets and ancestors, which a bake stores by name. The other joints are those of
// skins and instances.
static pelt_result find_named(uint32_t* nodes, uint32_t* count, const pelt_baked* baked,
                              const pelt_scene* scene, pelt_error* error)
{
    uint32_t next = 0;
    *count = 0;
    for (uint32_t i = 0; i < baked->joint_count; ++i)
    {
        const pelt_baked_joint* joint = &baked->joints[i];
        bool is_ancestor = joint->kind == PELT_BAKED_ANCESTOR;
        if (!is_ancestor && joint->kind != PELT_BAKED_SOCKET)
        {
            continue;
        }
        uint32_t node = find_node(scene, joint->name, is_ancestor ? next : 0);
        if (node == PELT_NONE)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "the scene has no node \"%.100s\", which the bake moves: it is "
                                  "not the one that was baked",
                                  joint->name);
        }
        next = is_ancestor ? node + 1 : next;
        nodes[(*count)++] = node;
    }
    return PELT_OK;
}

// Choose the joint that moves each node: the first used one. Only LOCAL stores joints that are not
// used; in other encodings, their nodes keep their rest transform.
static void choose_joints(pelti_unbake_rig* rig)
{
    const pelti_bake_source* source = &rig->source;
    bool has_all = rig->baked->encoding == PELT_ENCODING_LOCAL;
    for (uint32_t node = 0; node < rig->scene->node_count; ++node)
    {
        rig->joint_of[node] = PELT_NONE;
    }
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        const pelti_bake_joint* own = &source->joints[joint];
        uint32_t* chosen = &rig->joint_of[own->node];
        bool has_bind = pelt_mat34_inverse(&rig->binds[joint], &own->inverse);
        bool is_better = *chosen == PELT_NONE || (own->is_used && !source->joints[*chosen].is_used);
        if (has_bind && is_better && (own->is_used || has_all))
        {
            *chosen = joint;
        }
    }
}

pelt_result pelti_unbake_rig_create(pelti_unbake_rig* out, const pelt_baked* baked,
                                    const pelt_scene* scene, pelt_arena* arena, pelt_error* error)
{
    *out = (pelti_unbake_rig){.baked = baked, .scene = scene};
    uint32_t* nodes = pelt_arena_alloc(arena, baked->joint_count, sizeof *nodes);
    uint32_t count = 0;
    out->joint_of = pelt_arena_alloc(arena, scene->node_count, sizeof *out->joint_of);
    out->binds = pelt_arena_alloc(arena, baked->joint_count, sizeof *out->binds);
    if (nodes == NULL || out->joint_of == NULL || out->binds == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = find_named(nodes, &count, baked, scene, error);
    if (result == PELT_OK)
    {
        const pelt_bake_options named = {.socket_count = count, .sockets = nodes};
        result = pelti_bake_source_create(&out->source, scene, &named, false, arena, error);
    }
    if (result == PELT_OK && out->source.joint_count != baked->joint_count)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "the scene has %u joints and the bake %u: it is not the one that was "
                              "baked",
                              out->source.joint_count, baked->joint_count);
    }
    if (result == PELT_OK)
    {
        choose_joints(out);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Poses

// The nearest transform, and its shear: the largest off-diagonal element of the stretch relative to
// the largest diagonal one.
static pelt_transform decompose(float* shear, const pelt_mat34* matrix)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix), rotation, stretch;
    pelt_mat3_polar(&rotation, &stretch, &linear);
    pelt_vec3 scale = {stretch.m[0][0], stretch.m[1][1], stretch.m[2][2]};
    float largest = fmaxf(fabsf(scale.x), fmaxf(fabsf(scale.y), fabsf(scale.z)));
    float off =
        fmaxf(fabsf(stretch.m[0][1]), fmaxf(fabsf(stretch.m[0][2]), fabsf(stretch.m[1][2])));
    *shear = largest > 0.0f ? off / largest : 0.0f;
    return (pelt_transform){pelt_mat34_translation(matrix), pelt_quat_from_mat3(&rotation), scale};
}

void pelti_unbake_locals(pelt_transform* locals, float* shears, const pelti_unbake_rig* rig,
                         uint32_t clip, float time, pelt_mat34* motions,
                         pelt_mat34* model_from_node)
{
    const pelt_playback playback = {.base = {clip, time, PELT_WRAP_CLAMP}};
    pelt_unbake(motions, rig->baked, &playback);
    for (uint32_t node = 0; node < rig->scene->node_count; ++node)
    {
        const pelt_node* own = &rig->scene->nodes[node];
        uint32_t joint = rig->joint_of[node];
        // The parent as its transform represents it, so that the error of lost shear does not
        // accumulate.
        pelt_mat34 parent =
            own->parent != PELT_NONE ? model_from_node[own->parent] : pelt_mat34_identity();
        pelt_mat34 back;
        locals[node] = own->rest;
        if (joint != PELT_NONE && pelt_mat34_inverse(&back, &parent))
        {
            float shear;
            pelt_mat34 global = pelt_mat34_mul(&motions[joint], &rig->binds[joint]);
            pelt_mat34 local = pelt_mat34_mul(&back, &global);
            locals[node] = decompose(&shear, &local);
            if (shears != NULL)
            {
                shears[node] = fmaxf(shears[node], shear);
            }
        }
        pelt_mat34 local = pelt_mat34_from_transform(locals[node]);
        model_from_node[node] = pelt_mat34_mul(&parent, &local);
    }
}

void pelti_rig_motions(pelt_mat34* out, const pelti_unbake_rig* rig,
                       const pelt_mat34* model_from_node)
{
    for (uint32_t joint = 0; joint < rig->source.joint_count; ++joint)
    {
        const pelti_bake_joint* own = &rig->source.joints[joint];
        out[joint] = pelt_mat34_mul(&model_from_node[own->node], &own->inverse);
    }
}

float pelti_probe_distance(const pelti_probe_list* list, const pelt_mat34* a, const pelt_mat34* b)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < list->count; ++i)
    {
        most = fmaxf(most, pelt_vec3_distance(pelti_probe_position(list, i, a),
                                              pelti_probe_position(list, i, b)));
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// Key times

enum
{
    GRID = 16,      // parts of an interval, at which clip and bake are compared
    MOST_PARTS = 8, // that an interval is divided into
    MOST_KEYS = 1 << 20,
};

// Fraction of the tolerance at the probes: the error of other vertices may be a little larger.
static const float probe_part = 0.8f;

float pelti_jump_gap(float time)
{
    return fmaxf(1e-5f, 4e-7f * time); // a float has 7 digits
}

// Append a time, if it is later than the last and there is capacity. Clips begin at 0.
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

// Transforms and motions that are decoded on demand.
typedef struct interval
{
    const pelti_unbake_rig* rig;
    uint32_t clip;
    float start, length, end; // seconds; end: nothing is decoded past it
    bool is_decoded[GRID + 1];
    pelt_mat34* motions;    // of all joints, at each point of the grid
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

static float interval_time(const interval* in, uint32_t point)
{
    return fminf(in->start + in->length * ((float)point / GRID), in->end);
}

static void decode(interval* inout, uint32_t point)
{
    if (!inout->is_decoded[point])
    {
        const pelti_unbake_rig* rig = inout->rig;
        pelti_unbake_locals(inout->locals + (size_t)point * rig->scene->node_count, NULL, rig,
                            inout->clip, interval_time(inout, point),
                            inout->motions + (size_t)point * rig->source.joint_count, inout->model);
        inout->is_decoded[point] = true;
    }
}

// The error of vertices at a grid point if keys are at two others.
static float distance_at(interval* inout, uint32_t point, uint32_t before, uint32_t after)
{
    const pelti_unbake_rig* rig = inout->rig;
    const pelt_scene* scene = rig->scene;
    decode(inout, point);
    decode(inout, before);
    decode(inout, after);
    const pelt_transform* a = inout->locals + (size_t)before * scene->node_count;
    const pelt_transform* b = inout->locals + (size_t)after * scene->node_count;
    float t = (float)(point - before) / (float)(after - before);
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        uint32_t parent = scene->nodes[node].parent;
        pelt_mat34 local = pelt_mat34_from_transform(pelt_transform_blend(a[node], b[node], t));
        inout->model[node] =
            parent != PELT_NONE ? pelt_mat34_mul(&inout->model[parent], &local) : local;
    }
    pelti_rig_motions(inout->blended, rig, inout->model);
    return pelti_probe_distance(&rig->source.probes,
                                inout->motions + (size_t)point * rig->source.joint_count,
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
        for (uint32_t point = step; point < GRID && most <= tolerance; point += step)
        {
            uint32_t before = point / length * length;
            if (point != before)
            {
                most = fmaxf(most, distance_at(inout, point, before, before + length));
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

// The time at which a run begins to play.
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

// An upper bound on the number of keys; MOST_KEYS: too many.
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
    // A held key may need two: the end of a value and the beginning of the next.
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
            push(out, span.end); // hold the last pose until the jump
        }
    }
    return PELT_OK;
}
