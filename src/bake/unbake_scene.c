// SPDX-License-Identifier: MIT
// Converts a bake to clips of a scene and measures their error.
#include "../base/exact.h"

#include "unbake_scene.h"

#include "../baked/baked_decode.h"
#include "../base/progress.h"
#include "../scene/scene_private.h"

#include <string.h>

// Differences below this are rounding: of rotations, scales, and translations relative to the size.
static const float same_value = 2e-6f;
static const float no_shear = 1e-3f;

enum
{
    DEFAULT_MEMORY = 384 * 1000 * 1000,
    MOST_STEPS = 1000 * 1000,
    MOST_VERTICES = 100 * 1000 * 1000, // times moments: some seconds
};

// A clip that one task makes.
typedef struct unbake_clip
{
    uint32_t index; // of the bake
    pelti_unbake_times keys;
    pelt_transform* locals; // of all nodes at each key
    float* shears;          // one per node
    pelt_arena* arena;      // owns all that the clip refers to
    pelt_result result;
    float max, worst_time; // measured
} unbake_clip;

typedef struct unbake_work
{
    pelt_unbake_options options;
    pelti_unbake_rig rig;
    uint32_t clip_count;
    unbake_clip* clips;
    pelt_clip* made;
    const pelt_scene* scene;      // with the clips that were made
    const pelti_probe_list* list; // vertices to measure
    pelt_arena* arena;

    pelti_progress progress;
    atomic_ullong bytes; // of the keys of all clips
} unbake_work;

// A transform of a node, its values in tracks, and again in the scene that is made.
#define KEY_BYTES (sizeof(pelt_transform) + 2 * 12 * sizeof(float))

// ---------------------------------------------------------------------------------------------
// Tracks

static uint32_t copy_value(float* out, const pelt_transform* t, pelt_path path)
{
    const pelt_vec3* v = path == PELT_PATH_SCALE ? &t->scale : &t->translation;
    bool is_rotation = path == PELT_PATH_ROTATION;
    uint32_t width = is_rotation ? 4 : 3;
    memcpy(out, is_rotation ? &t->rotation.x : &v->x, width * sizeof *out);
    return width;
}

static bool is_near(const float* a, const float* b, uint32_t width, float tolerance)
{
    bool is_same = true;
    float dot = 0.0f;
    for (uint32_t i = 0; i < width; ++i)
    {
        is_same = is_same && fabsf(a[i] - b[i]) <= tolerance;
        dot += a[i] * b[i];
    }
    // q and -q are one rotation.
    return is_same || (width == 4 && fabsf(fabsf(dot) - 1.0f) <= 0.5f * tolerance * tolerance);
}

// Make the track of one property of a node: a single key if it is constant, none if it is as at
// rest.
static bool make_track(pelt_track* out, const unbake_clip* clip, const pelti_unbake_rig* rig,
                       uint32_t node, pelt_path path)
{
    uint32_t node_count = rig->scene->node_count, count = clip->keys.count;
    float* values = pelt_arena_alloc(clip->arena, count, 4 * sizeof *values);
    float rest[4], tolerance = same_value, largest = 0.0f;
    uint32_t width = copy_value(rest, &rig->scene->nodes[node].rest, path);
    if (values == NULL)
    {
        return false;
    }
    for (uint32_t key = 0; key < count; ++key)
    {
        copy_value(values + (size_t)key * width, &clip->locals[(size_t)key * node_count + node],
                   path);
    }
    if (path == PELT_PATH_ROTATION)
    {
        pelt_rotations_align(values, count);
    }
    for (uint32_t i = 0; i < 3 && path == PELT_PATH_TRANSLATION; ++i)
    {
        largest = fmaxf(largest, fabsf(values[i]));
    }
    tolerance *= path == PELT_PATH_TRANSLATION ? fmaxf(largest, rig->source.size) : 1.0f;
    bool is_constant = true;
    for (uint32_t key = 1; key < count && is_constant; ++key)
    {
        is_constant = is_near(values, values + (size_t)key * width, width, tolerance);
    }
    *out = (pelt_track){.target = node,
                        .path = path,
                        .interpolation = clip->keys.is_held ? PELT_INTERPOLATION_STEP
                                                            : PELT_INTERPOLATION_LINEAR,
                        .key_count = is_constant ? 1 : count,
                        .width = width,
                        .times = clip->keys.times,
                        .values = values};
    if (is_constant && is_near(values, rest, width, tolerance))
    {
        out->key_count = 0;
    }
    return true;
}

static bool make_tracks(pelt_clip* out, const unbake_clip* clip, const pelti_unbake_rig* rig)
{
    static const pelt_path paths[] = {PELT_PATH_TRANSLATION, PELT_PATH_ROTATION, PELT_PATH_SCALE};
    const pelt_baked_clip* own = &rig->baked->clips[clip->index];
    uint32_t node_count = rig->scene->node_count;
    pelt_track* tracks = pelt_arena_alloc(clip->arena, 3 * (size_t)node_count, sizeof *tracks);
    *out = (pelt_clip){.name = own->name, .duration = own->duration, .tracks = tracks};
    for (uint32_t i = 0; i < 3 * node_count && tracks != NULL; ++i)
    {
        uint32_t node = i / 3;
        if (rig->joint_of[node] == PELT_NONE)
        {
            continue;
        }
        pelt_track* track = &tracks[out->track_count];
        if (!make_track(track, clip, rig, node, paths[i % 3]))
        {
            return false;
        }
        out->track_count += track->key_count > 0;
    }
    // Writers drop clips without tracks: add a constant track to a clip without motion.
    if (tracks != NULL && out->track_count == 0 && node_count > 0)
    {
        float* rest = pelt_arena_alloc(clip->arena, 3, sizeof *rest);
        if (rest == NULL)
        {
            return false;
        }
        copy_value(rest, &rig->scene->nodes[0].rest, PELT_PATH_TRANSLATION);
        tracks[out->track_count++] = (pelt_track){.path = PELT_PATH_TRANSLATION,
                                                  .key_count = 1,
                                                  .width = 3,
                                                  .times = clip->keys.times,
                                                  .values = rest};
    }
    return tracks != NULL;
}

// Keys, the nodes at each, and tracks.
static pelt_result make_clip(pelt_clip* out, unbake_clip* clip, unbake_work* work)
{
    const pelti_unbake_rig* rig = &work->rig;
    uint32_t node_count = rig->scene->node_count;
    PELT_TRY(pelti_unbake_times_choose(&clip->keys, &rig->baked->clips[clip->index], rig,
                                       &work->options, clip->arena));
    size_t local_count = (size_t)clip->keys.count * node_count;
    // All clips count, so that the result does not depend on the order of tasks.
    unsigned long long bytes = KEY_BYTES * (unsigned long long)local_count;
    if (atomic_fetch_add(&work->bytes, bytes) + bytes > work->options.max_memory)
    {
        return PELT_ERROR_UNSUPPORTED;
    }
    pelt_mat34* motions = pelt_arena_alloc(clip->arena, rig->source.joint_count, sizeof *motions);
    pelt_mat34* model = pelt_arena_alloc(clip->arena, node_count, sizeof *model);
    clip->shears = pelt_arena_alloc(clip->arena, node_count, sizeof *clip->shears);
    clip->locals = pelt_arena_alloc(clip->arena, local_count, sizeof *clip->locals);
    if (motions == NULL || model == NULL || clip->shears == NULL || clip->locals == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t key = 0; key < clip->keys.count; ++key)
    {
        pelti_unbake_locals(clip->locals + (size_t)key * node_count, clip->shears, rig, clip->index,
                            clip->keys.times[key], motions, model);
    }
    return make_tracks(out, clip, rig) ? PELT_OK : PELT_ERROR_MEMORY;
}

static void make_task(void* context, uint32_t index)
{
    unbake_work* work = context;
    unbake_clip* clip = &work->clips[index];
    if (!pelti_progress_is_canceled(&work->progress))
    {
        clip->arena = pelt_arena_create();
        clip->result =
            clip->arena != NULL ? make_clip(&work->made[index], clip, work) : PELT_ERROR_MEMORY;
        pelti_progress_add(&work->progress, 1);
    }
}

// ---------------------------------------------------------------------------------------------
// Measuring

static float distance_at(const unbake_clip* clip, const unbake_work* work, float time,
                         pelti_bake_sampler* sampler, pelt_mat34* motions)
{
    const pelti_unbake_rig* rig = &work->rig;
    pelt_mat34* decoded = motions + rig->source.joint_count;
    const pelt_playback playback = {.base = {clip->index, time, PELT_WRAP_CLAMP}};
    pelt_pose_play(&sampler->pose, &sampler->cursor, work->scene,
                   &work->scene->clips[clip - work->clips], time, PELT_WRAP_CLAMP);
    pelt_pose_to_model(sampler->model_from_node, work->scene, &sampler->pose);
    pelti_rig_motions(motions, rig, sampler->model_from_node);
    pelt_unbake(decoded, rig->baked, &playback);
    return pelti_probe_distance(work->list, motions, decoded);
}

// Number of times to compare from one key to the next: two for each key of the bake between them. A
// run ends with its last key, so a clip has no more than twice the keys of the bake and two for
// each of its own.
static uint32_t count_steps(const pelt_baked_clip* baked, float start, float end)
{
    const pelt_baked_run* run = pelti_clip_at(baked, start, PELT_WRAP_CLAMP).run;
    double rate = (double)run->rate, first = fmax((double)start - (double)run->start, 0.0);
    double last = fmin((double)end - (double)run->start, run->key_count / fmax(rate, 1e-30));
    double most = fmin(2.0 * run->key_count + 2.0, MOST_STEPS);
    return (uint32_t)fmin(fmax(2.0, ceil(2.0 * rate * (last - first))), most);
}

// At keys and between them, at least twice from one key of the bake to the next.
static void measure_clip(unbake_clip* clip, const unbake_work* work, pelti_bake_sampler* sampler,
                         pelt_mat34* motions)
{
    const pelt_baked_clip* baked = &work->rig.baked->clips[clip->index];
    for (uint32_t key = 0; key < clip->keys.count; ++key)
    {
        bool is_last = key + 1 == clip->keys.count;
        float start = clip->keys.times[key], end = is_last ? start : clip->keys.times[key + 1];
        bool is_jump = end - start <= 2.0f * pelti_jump_gap(end);
        uint32_t steps = is_jump ? 1 : count_steps(baked, start, end);
        for (uint32_t i = 0; i < steps; ++i)
        {
            float time = start + (end - start) * ((float)i / (float)steps);
            float distance = distance_at(clip, work, time, sampler, motions);
            clip->worst_time = distance > clip->max ? time : clip->worst_time;
            clip->max = fmaxf(clip->max, distance);
        }
    }
}

static void measure_task(void* context, uint32_t index)
{
    unbake_work* work = context;
    unbake_clip* clip = &work->clips[index];
    pelti_bake_sampler sampler;
    pelt_mat34* motions =
        pelt_arena_alloc(clip->arena, 2 * (size_t)work->rig.source.joint_count, sizeof *motions);
    if (motions == NULL || pelti_bake_sampler_create(&sampler, work->scene) != PELT_OK)
    {
        clip->result = PELT_ERROR_MEMORY;
        return;
    }
    if (!pelti_progress_is_canceled(&work->progress))
    {
        measure_clip(clip, work, &sampler, motions);
        pelti_progress_add(&work->progress, 1);
    }
    pelti_bake_sampler_destroy(&sampler);
}

static void make_report(pelt_unbake_report* out, const unbake_work* work)
{
    float shear = no_shear;
    *out = (pelt_unbake_report){.worst_sheared = PELT_NONE};
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        const unbake_clip* clip = &work->clips[i];
        out->key_count += clip->keys.count;
        if ((double)clip->max > out->max)
        {
            out->max = (double)clip->max;
            out->worst_clip = i;
            out->worst_time = clip->worst_time;
        }
    }
    for (uint32_t node = 0; node < work->scene->node_count; ++node)
    {
        bool is_sheared = false;
        for (uint32_t i = 0; i < work->clip_count; ++i)
        {
            float own = work->clips[i].shears[node];
            is_sheared = is_sheared || own > no_shear;
            out->worst_sheared = own > shear ? node : out->worst_sheared;
            shear = fmaxf(shear, own);
        }
        out->sheared_count += is_sheared;
    }
}

// ---------------------------------------------------------------------------------------------
// Vertices

// A bake of vertices becomes morph targets, one for each key, and tracks of their weights.

// The keys of a clip, and its morph targets: one for each key of the bake, from `first` on.
typedef struct morph_clip
{
    uint32_t index; // of the bake
    uint32_t first;
    pelti_unbake_times keys;
} morph_clip;

typedef struct morph_work
{
    const pelt_baked* baked;
    const pelt_scene* scene;
    uint32_t clip_count, target_count;
    morph_clip* clips;
    pelt_arena* arena;
} morph_work;

static bool has_targets(const morph_work* work, size_t max_memory)
{
    const pelt_scene* scene = work->scene;
    double bytes = 0.0, count = work->target_count;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        size_t size = (mesh->normals != NULL ? 2 : 1) * sizeof(pelt_vec3);
        bytes += count * (double)mesh->vertex_count * (double)size;
        bytes += count * count * (double)sizeof(float); // weights
    }
    // Once while they are made and once in the copied scene.
    return work->target_count < UINT32_MAX && 2.0 * bytes <= (double)max_memory;
}

static pelt_result list_clips(morph_work* work, const pelt_unbake_options* options,
                              pelt_error* error)
{
    work->clip_count = options->clip_count > 0 ? options->clip_count : work->baked->clip_count;
    work->clips = pelt_arena_alloc(work->arena, work->clip_count, sizeof *work->clips);
    for (uint32_t i = 0; i < work->clip_count && work->clips != NULL; ++i)
    {
        uint32_t index = options->clip_count > 0 ? options->clips[i] : i;
        morph_clip* clip = &work->clips[i];
        *clip = (morph_clip){.index = index, .first = work->target_count};
        pelt_result result = pelti_unbake_times_choose(&clip->keys, &work->baked->clips[index],
                                                       NULL, options, work->arena);
        if (result == PELT_ERROR_MEMORY)
        {
            return pelt_error_memory(error);
        }
        // Too many keys in one clip or in all.
        uint64_t count = (uint64_t)work->target_count + clip->keys.count;
        bool is_too_many = result != PELT_OK || count > UINT32_MAX;
        work->target_count = is_too_many ? UINT32_MAX : (uint32_t)count;
        if (is_too_many)
        {
            break;
        }
    }
    if (work->clips == NULL)
    {
        return pelt_error_memory(error);
    }
    return has_targets(work, options->max_memory)
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                "%u keys are too many morph targets for meshes of this size in "
                                "%.1f GB; choose fewer clips (--clip)",
                                work->target_count, 1e-9 * (double)options->max_memory);
}

// The morph target of a key: the difference from the mesh at rest.
static bool make_target(pelt_morph* out, const morph_work* work, uint32_t instance,
                        const pelt_mesh* mesh, uint32_t clip, float time)
{
    uint32_t count = mesh->vertex_count;
    bool has_normals = mesh->normals != NULL;
    pelt_vec3* positions = pelt_arena_alloc(work->arena, count, sizeof *positions);
    pelt_vec3* normals = pelt_arena_alloc(work->arena, has_normals ? count : 0, sizeof *normals);
    const char* name = work->baked->clips[clip].name;
    char* label = pelt_arena_format(work->arena, "%s %.3f s", name, (double)time);
    if (positions == NULL || normals == NULL || label == NULL)
    {
        return false;
    }
    const pelt_playback playback = {.base = {clip, time, PELT_WRAP_CLAMP}};
    const pelt_surface surface = {.positions = positions, .normals = has_normals ? normals : NULL};
    pelt_unbake_vertices(&surface, work->baked, instance, mesh, &playback);
    for (uint32_t v = 0; v < count; ++v)
    {
        positions[v] = pelt_vec3_sub(positions[v], mesh->positions[v]);
        if (has_normals)
        {
            normals[v] = pelt_vec3_sub(normals[v], mesh->normals[v]);
        }
    }
    *out = (pelt_morph){
        .name = label, .positions = positions, .normals = has_normals ? normals : NULL};
    return true;
}

static bool make_mesh(pelt_mesh* out, const morph_work* work, uint32_t instance)
{
    const pelt_mesh* mesh = &work->scene->meshes[work->scene->instances[instance].mesh];
    pelt_morph* morphs = pelt_arena_alloc(work->arena, work->target_count, sizeof *morphs);
    *out = *mesh;
    out->weights = (pelt_weights){0};
    out->cors = NULL;
    out->mix_factors = NULL;
    out->normal_factors = NULL;
    out->bounds = NULL;
    out->has_method = false;
    out->morph_count = work->target_count;
    out->morphs = morphs;
    out->morph_weights = NULL;
    for (uint32_t c = 0; c < work->clip_count && morphs != NULL; ++c)
    {
        const morph_clip* clip = &work->clips[c];
        for (uint32_t key = 0; key < clip->keys.count; ++key)
        {
            if (!make_target(&morphs[clip->first + key], work, instance, mesh, clip->index,
                             clip->keys.times[key]))
            {
                return false;
            }
        }
    }
    return morphs != NULL;
}

// Whether the node of an instance is at the origin, has no parent and no other mesh.
static bool is_own_origin(const pelt_scene* scene, uint32_t instance)
{
    const pelt_transform identity = pelt_transform_identity();
    const pelt_instance* own = &scene->instances[instance];
    bool is_free = own->skin == PELT_NONE && scene->nodes[own->node].parent == PELT_NONE &&
                   memcmp(&scene->nodes[own->node].rest, &identity, sizeof identity) == 0;
    for (uint32_t i = 0; i < instance && is_free; ++i)
    {
        is_free = scene->instances[i].skin != PELT_NONE || scene->instances[i].node != own->node;
    }
    return is_free;
}

// Make a mesh without a skin at the origin for each instance.
static bool make_meshes(pelt_scene* inout, const morph_work* work)
{
    const pelt_scene* scene = work->scene;
    uint32_t count = scene->instance_count, node_count = scene->node_count;
    pelt_mesh* meshes = pelt_arena_alloc(work->arena, count, sizeof *meshes);
    pelt_instance* instances = pelt_arena_alloc(work->arena, count, sizeof *instances);
    pelt_node* nodes = pelt_arena_alloc(work->arena, (size_t)node_count + count, sizeof *nodes);
    if (meshes == NULL || instances == NULL || nodes == NULL)
    {
        return false;
    }
    memcpy(nodes, scene->nodes, node_count * sizeof *nodes);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!make_mesh(&meshes[i], work, i))
        {
            return false;
        }
        bool is_kept = is_own_origin(scene, i);
        nodes[node_count] = (pelt_node){meshes[i].name, PELT_NONE, pelt_transform_identity()};
        instances[i] = (pelt_instance){.mesh = i,
                                       .skin = PELT_NONE,
                                       .node = is_kept ? scene->instances[i].node : node_count,
                                       .first_morph_weight = i * work->target_count};
        node_count += is_kept ? 0 : 1;
    }
    inout->meshes = meshes;
    inout->mesh_count = count;
    inout->instances = instances;
    inout->nodes = nodes;
    inout->node_count = node_count;
    inout->morph_weight_count = count * work->target_count;
    return true;
}

// At each key, the weight of its target is 1 and the others are 0.
static bool make_morph_clip(pelt_clip* out, const morph_work* work, const morph_clip* clip)
{
    uint32_t count = work->scene->instance_count, width = work->target_count;
    const pelt_baked_clip* own = &work->baked->clips[clip->index];
    pelt_track* tracks = pelt_arena_alloc(work->arena, count, sizeof *tracks);
    float* values = pelt_arena_alloc(work->arena, (size_t)clip->keys.count * width, sizeof *values);
    *out = (pelt_clip){own->name, own->duration, count, tracks};
    if (tracks == NULL || values == NULL)
    {
        return false;
    }
    for (uint32_t key = 0; key < clip->keys.count; ++key)
    {
        values[(size_t)key * width + clip->first + key] = 1.0f;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        tracks[i] = (pelt_track){.target = i,
                                 .path = PELT_PATH_MORPH,
                                 .interpolation = clip->keys.is_held ? PELT_INTERPOLATION_STEP
                                                                     : PELT_INTERPOLATION_LINEAR,
                                 .key_count = clip->keys.count,
                                 .width = width,
                                 .times = clip->keys.times,
                                 .values = values};
    }
    return true;
}

static pelt_result add_morphs(pelt_scene* inout, const pelt_baked* baked,
                              const pelt_unbake_options* options, pelt_arena* arena,
                              pelt_error* error)
{
    const pelt_scene scene = *inout;
    morph_work work = {.baked = baked, .scene = &scene, .arena = arena};
    PELT_TRY(list_clips(&work, options, error));
    pelt_clip* clips = pelt_arena_alloc(arena, work.clip_count, sizeof *clips);
    bool has_memory = clips != NULL && make_meshes(inout, &work);
    for (uint32_t i = 0; i < work.clip_count && has_memory; ++i)
    {
        has_memory = make_morph_clip(&clips[i], &work, &work.clips[i]);
    }
    inout->clips = clips;
    inout->clip_count = work.clip_count;
    return has_memory ? PELT_OK : pelt_error_memory(error);
}

// ---------------------------------------------------------------------------------------------
// Scenes

static pelt_result run_clips(unbake_work* work, pelt_task task, pelt_error* error)
{
    pelt_run(work->clip_count, task, work);
    if (pelti_progress_is_canceled(&work->progress))
    {
        return pelt_error_set(error, PELT_ERROR_CANCELED, "unbaking was canceled");
    }
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        pelt_result result = work->clips[i].result;
        if (result == PELT_ERROR_UNSUPPORTED)
        {
            const pelt_baked_clip* clip = &work->rig.baked->clips[work->clips[i].index];
            return pelt_error_set(error, result,
                                  "clip %.100s of %g s would have too many keys, for %u nodes in "
                                  "%.1f GB; choose fewer clips (--clip) or a lower rate (--rate)",
                                  clip->name, (double)clip->duration, work->rig.scene->node_count,
                                  1e-9 * (double)work->options.max_memory);
        }
        if (result != PELT_OK)
        {
            return pelt_error_memory(error);
        }
    }
    return PELT_OK;
}

// All vertices, or the probes alone for long clips.
static const pelti_probe_list* choose_list(const unbake_work* work)
{
    double times = 0.0;
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        times += 2.0 * work->clips[i].keys.count +
                 2.0 * work->rig.baked->clips[work->clips[i].index].key_count;
    }
    const pelti_bake_source* source = &work->rig.source;
    return times * source->vertices.count <= MOST_VERTICES ? &source->vertices : &source->probes;
}

// Make the clips of joints, in a scene that shares everything else with the source.
static pelt_result unbake_joints(pelt_scene** out, pelt_unbake_report* report, unbake_work* work,
                                 pelt_scene* shell, pelt_error* error)
{
    const pelt_unbake_options* options = &work->options;
    work->clips = pelt_arena_alloc(work->arena, work->clip_count, sizeof *work->clips);
    work->made = pelt_arena_alloc(work->arena, work->clip_count, sizeof *work->made);
    if (work->clips == NULL || work->made == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        work->clips[i].index = options->clip_count > 0 ? options->clips[i] : i;
    }
    pelt_result result = run_clips(work, make_task, error);
    shell->clips = work->made;
    shell->clip_count = work->clip_count;
    *out = result == PELT_OK ? pelti_scene_copy(shell) : NULL;
    if (result == PELT_OK && *out == NULL)
    {
        result = pelt_error_memory(error);
    }
    work->scene = *out;
    if (result == PELT_OK && report != NULL)
    {
        work->list = choose_list(work);
        result = run_clips(work, measure_task, error);
    }
    if (result == PELT_OK && report != NULL)
    {
        make_report(report, work);
    }
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        pelt_arena_destroy(work->clips[i].arena);
    }
    return result;
}

static pelt_result unbake_vertices(pelt_scene** out, pelt_unbake_report* report,
                                   const unbake_work* work, const pelt_baked* baked,
                                   pelt_scene* shell, pelt_error* error)
{
    pelt_result result = add_morphs(shell, baked, &work->options, work->arena, error);
    *out = result == PELT_OK ? pelti_scene_copy(shell) : NULL;
    if (result == PELT_OK && *out == NULL)
    {
        result = pelt_error_memory(error);
    }
    if (result == PELT_OK && report != NULL)
    {
        // Morph weights interpolate targets exactly as decoders interpolate vertices: no error.
        *report = (pelt_unbake_report){.worst_sheared = PELT_NONE};
        for (uint32_t i = 0; i < shell->clip_count; ++i)
        {
            report->key_count += shell->clips[i].tracks[0].key_count;
        }
    }
    return result;
}

static pelt_result check_options(const pelt_unbake_options* options, const pelt_baked* baked,
                                 pelt_error* error)
{
    bool has_rate = options->rate == 0.0f || (options->rate >= 1e-3f && options->rate <= 1e4f);
    if (!has_rate || !(options->max_error >= 0.0))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "%s of %g is not possible",
                              has_rate ? "an error" : "a rate",
                              has_rate ? options->max_error : (double)options->rate);
    }
    for (uint32_t i = 0; i < options->clip_count; ++i)
    {
        if (options->clips[i] >= baked->clip_count)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT, "the bake has no clip %u",
                                  options->clips[i]);
        }
    }
    return PELT_OK;
}

pelt_result pelt_unbake_scene(pelt_scene** out, pelt_unbake_report* report, const pelt_baked* baked,
                              const pelt_scene* scene, const pelt_unbake_options* options,
                              pelt_error* error)
{
    *out = NULL;
    unbake_work work = {.options = options != NULL ? *options : (pelt_unbake_options){0},
                        .progress = {.is_telling = ATOMIC_FLAG_INIT}};
    work.progress.tell = work.options.progress;
    work.progress.user = work.options.user;
    PELT_TRY(check_options(&work.options, baked, error));
    PELT_TRY(pelti_baked_match(baked, scene, error));
    double height = (double)baked->height_meters;
    work.options.max_error = work.options.max_error > 0.0 ? work.options.max_error : 1e-4 * height;
    work.options.max_memory =
        work.options.max_memory > 0 ? work.options.max_memory : (size_t)DEFAULT_MEMORY;
    work.clip_count = work.options.clip_count > 0 ? work.options.clip_count : baked->clip_count;
    work.progress.step_count = work.progress.step_limit = 2 * work.clip_count;
    work.arena = pelt_arena_create();
    if (work.arena == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_scene shell = *scene;
    bool has_joints = baked->encoding != PELT_ENCODING_VERTEX;
    pelt_result result = has_joints
                             ? pelti_unbake_rig_create(&work.rig, baked, scene, work.arena, error)
                             : unbake_vertices(out, report, &work, baked, &shell, error);
    if (result == PELT_OK && has_joints)
    {
        result = unbake_joints(out, report, &work, &shell, error);
    }
    result = result == PELT_OK ? pelt_scene_validate(*out, error) : result;
    pelt_arena_destroy(work.arena);
    if (result != PELT_OK)
    {
        pelt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}
