// SPDX-License-Identifier: MIT
// Converts a bake of vertices to morph targets, one for each key, and tracks of their weights.
#include "../base/exact.h"

#include "unbake_scene.h"

#include <string.h>

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

// ---------------------------------------------------------------------------------------------
// Meshes

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

// ---------------------------------------------------------------------------------------------
// Clips

// At each key, the weight of its target is 1 and the others are 0.
static bool make_clip(pelt_clip* out, const morph_work* work, const morph_clip* clip)
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

pelt_result pelti_unbake_morphs(pelt_scene* inout, const pelt_baked* baked,
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
        has_memory = make_clip(&clips[i], &work, &work.clips[i]);
    }
    inout->clips = clips;
    inout->clip_count = work.clip_count;
    return has_memory ? PELT_OK : pelt_error_memory(error);
}
