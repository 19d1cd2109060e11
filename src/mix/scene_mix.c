// SPDX-License-Identifier: MIT
// Mix factors for a scene: the frames at which the energy is measured, the solve, and the report.
#include "../base/exact.h"

#include "mix.h"

#include <math.h>
#include <string.h>

enum
{
    VERTEX_LIMIT = 1u << 14, // from which on a mesh is measured in one instance
};

bool pelti_mix_tell(pelti_mix* inout, float part)
{
    // Not more frames than a person can see.
    if (inout->options->progress == NULL || part < inout->told + 0.005f)
    {
        return true;
    }
    inout->told = part;
    return inout->options->progress(part, inout->options->user);
}

// ---------------------------------------------------------------------------------------------
// Classes

static uint32_t root_of(uint32_t* links, uint32_t point)
{
    while (links[point] != point)
    {
        links[point] = links[links[point]];
        point = links[point];
    }
    return point;
}

// The smaller one leads, so that the result does not depend on the order.
static void join(uint32_t* links, uint32_t a, uint32_t b)
{
    a = root_of(links, a);
    b = root_of(links, b);
    links[a > b ? a : b] = a > b ? b : a;
}

// Points that hold the same mesh vertex in several instances are one class.
// @param firsts  by mesh: the first vertex of its first part, or PELT_NONE
static void join_instances(uint32_t* links, const pelti_mix* mix, uint32_t* firsts)
{
    const pelt_body* body = mix->body;
    memset(firsts, 0xff, mix->scene->mesh_count * sizeof *firsts);
    for (uint32_t i = 0; i < body->part_count; ++i)
    {
        const pelti_body_part* part = &body->parts[i];
        uint32_t* first = &firsts[mix->scene->instances[part->instance].mesh];
        *first = *first == PELT_NONE ? part->vertices.first : *first;
        for (uint32_t v = 0; v < part->vertices.count; ++v)
        {
            join(links, body->vertex_points[*first + v],
                 body->vertex_points[part->vertices.first + v]);
        }
    }
}

static bool find_classes(pelti_mix* inout)
{
    const pelt_body* body = inout->body;
    size_t point_count = body->point_count;
    uint32_t* links = pelt_arena_alloc(inout->arena, point_count, sizeof *links);
    uint32_t* numbers = pelt_arena_alloc(inout->arena, point_count, sizeof *numbers);
    uint32_t* firsts = pelt_arena_alloc(inout->arena, inout->scene->mesh_count, sizeof *firsts);
    inout->group_classes =
        pelt_arena_alloc(inout->arena, body->group_count, sizeof *inout->group_classes);
    if (links == NULL || numbers == NULL || firsts == NULL || inout->group_classes == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < body->point_count; ++i)
    {
        links[i] = i;
    }
    join_instances(links, inout, firsts);
    for (uint32_t i = 0; i < body->point_count; ++i)
    {
        bool is_root = root_of(links, i) == i;
        numbers[i] = is_root ? inout->class_count : 0;
        inout->class_count += is_root;
    }
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        uint32_t point = body->vertex_points[body->group_vertices[g]];
        inout->group_classes[g] = numbers[root_of(links, point)];
    }
    inout->lower = pelt_arena_alloc(inout->arena, inout->class_count, sizeof *inout->lower);
    return inout->lower != NULL;
}

// ---------------------------------------------------------------------------------------------
// Results

static pelt_result write_factors(const pelt_mesh** out, const pelti_mix* mix, pelt_arena* arena)
{
    const pelt_scene* scene = mix->scene;
    const pelt_body* body = mix->body;
    pelt_mesh* meshes = pelt_arena_alloc(arena, scene->mesh_count, sizeof *meshes);
    bool* is_done = pelt_arena_alloc(mix->arena, scene->mesh_count, sizeof *is_done);
    if (meshes == NULL || is_done == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(meshes, scene->meshes, scene->mesh_count * sizeof *meshes);
    for (uint32_t i = 0; i < body->part_count; ++i)
    {
        const pelti_body_part* part = &body->parts[i];
        uint32_t index = scene->instances[part->instance].mesh;
        if (is_done[index])
        {
            continue;
        }
        float* factors = pelt_arena_alloc(arena, part->vertices.count, sizeof *factors);
        if (factors == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        for (uint32_t v = 0; v < part->vertices.count; ++v)
        {
            uint32_t group = body->vertex_groups[part->vertices.first + v];
            factors[v] = (float)mix->factors[mix->group_classes[group]];
        }
        is_done[index] = true;
        meshes[index].mix_factors = factors;
        meshes[index].is_mix_computed = true;
        ++mix->report->mesh_count;
    }
    *out = meshes;
    return PELT_OK;
}

static void summarize(pelti_mix* inout)
{
    const pelt_body* body = inout->body;
    pelt_scene_mix_report* report = inout->report;
    double sum = 0.0;
    report->least = report->mesh_count > 0 ? 1.0f : 0.0f;
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        float factor = (float)inout->factors[inout->group_classes[g]];
        report->least = fminf(report->least, factor);
        report->most = fmaxf(report->most, factor);
        sum += body->group_areas[g] * (double)factor;
    }
    report->mean = inout->area > 0.0 ? (float)(sum / inout->area) : 0.0f;
}

// Whether a vertex has two joints that blend: without any, LBS and DQS are one motion.
static bool has_blend(const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_weights* weights = &scene->meshes[scene->instances[i].mesh].weights;
        for (uint32_t v = 0; scene->instances[i].skin != PELT_NONE && v < weights->vertex_count;
             ++v)
        {
            uint32_t count = 0;
            for (uint32_t k = weights->first[v]; k < weights->first[v + 1]; ++k)
            {
                count += weights->influences[k].weight > 0.0f;
            }
            if (count > 1)
            {
                return true;
            }
        }
    }
    return false;
}

// 0 is the default, and below 0 none.
static double weight_of(float option, double otherwise)
{
    return option > 0.0f ? (double)option : option < 0.0f ? 0.0 : otherwise;
}

static pelt_result solve(const pelt_mesh** out, pelti_mix* mix, pelt_arena* arena,
                         pelt_error* error)
{
    if (!find_classes(mix))
    {
        return pelt_error_memory(error);
    }
    pelt_result result = pelti_mix_play(mix, error);
    if (result == PELT_OK)
    {
        result = pelti_mix_prepare(mix) ? pelti_mix_descend(mix) : PELT_ERROR_MEMORY;
    }
    result = result == PELT_OK ? write_factors(out, mix, arena) : result;
    if (result == PELT_ERROR_CANCELED)
    {
        return pelt_error_set(error, result, "Computing mix factors was canceled by the caller.");
    }
    if (result != PELT_OK)
    {
        return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
    }
    summarize(mix);
    return PELT_OK;
}

pelt_result pelt_scene_add_mix_factors(pelt_scene* inout, const pelt_mix_options* options,
                                       pelt_scene_mix_report* report, pelt_arena* arena,
                                       pelt_error* error)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    static const pelt_mix_options defaults;
    pelt_scene_mix_report unused;
    options = options != NULL ? options : &defaults;
    pelti_mix mix = {.scene = inout,
                     .options = options,
                     .report = report != NULL ? report : &unused,
                     .volume_weight = weight_of(options->volume, 1.0),
                     .bulge_weight = weight_of(options->bulge, 1.0),
                     .rigidity_weight = weight_of(options->rigidity, 0.1),
                     .smoothness_weight = weight_of(options->smoothness, 1.0)};
    *mix.report = (pelt_scene_mix_report){.has_blend = has_blend(inout)};
    if (!mix.report->has_blend)
    {
        return PELT_OK;
    }
    const pelt_mesh* meshes = NULL;
    pelt_scene measured = *inout;
    mix.scene = &measured;
    mix.arena = pelt_arena_create();
    pelt_result result =
        mix.arena != NULL && pelt_scene_skip_copies(&measured, VERTEX_LIMIT, mix.arena) == PELT_OK
            ? pelt_body_create(&mix.body, &measured, error)
            : pelt_error_memory(error);
    result = result == PELT_OK ? solve(&meshes, &mix, arena, error) : result;
    pelt_arena_destroy(mix.arena);
    pelt_body_destroy(mix.body);
    if (result == PELT_OK)
    {
        inout->meshes = meshes;
    }
    return result;
}

// =============================================================================================
// The motion of a character, from which mix factors follow.

enum
{
    RANGE_GROUPS = 256,         // of a task
    DEFAULT_FRAMES = 48,        // that are kept
    LEAST_FRAMES = 8,           // of large characters, that are kept
    MOST_POSITIONS = 1u << 20u, // that are kept in all frames, 48 bytes each
    MOST_BOUNDS = 1u << 23u,    // that are bounded in all frames
    LEAST_BOUNDS = 48,          // frames of large characters at which factors are bounded
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

// Whether `index` is one of `wanted` evenly spread indices below `total`.
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

// As many frames as a budget of groups allows, but no fewer than `least`.
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
        least_of(DEFAULT_FRAMES, frames_within(MOST_POSITIONS, body->group_count, LEAST_FRAMES));
    uint32_t wanted = inout->options->max_frames > 0 ? inout->options->max_frames : usual;
    uint32_t count = least_of(wanted, bound_total);
    inout->report->frame_count = count;
    inout->report->bound_count = bound_total;
    size_t group_total = (size_t)count * body->group_count,
           bones = (size_t)count * body->bone_count;
    inout->lbs = pelt_arena_alloc(inout->arena, group_total, sizeof *inout->lbs);
    inout->dqs = pelt_arena_alloc(inout->arena, group_total, sizeof *inout->dqs);
    inout->now = pelt_arena_alloc(inout->arena, group_total, sizeof *inout->now);
    inout->segments = pelt_arena_alloc(inout->arena, bones, sizeof *inout->segments);
    return inout->lbs != NULL && inout->dqs != NULL && inout->now != NULL &&
           inout->segments != NULL;
}

// The clips of the scene; if none of them moves anything, a generated one that tries all joints.
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
