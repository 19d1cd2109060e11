// SPDX-License-Identifier: MIT
// Mix factors for the meshes of a scene.
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
    // Not more often than a person can see.
    if (inout->options->progress == NULL || part < inout->told + 0.005f)
    {
        return true;
    }
    inout->told = part;
    return inout->options->progress(part, inout->options->user);
}

// ---------------------------------------------------------------------------------------------
// Classes

static uint32_t root_of(uint32_t* links, uint32_t place)
{
    while (links[place] != place)
    {
        links[place] = links[links[place]];
        place = links[place];
    }
    return place;
}

// The smaller one leads, so that it does not matter who comes first.
static void join(uint32_t* links, uint32_t a, uint32_t b)
{
    a = root_of(links, a);
    b = root_of(links, b);
    links[a > b ? a : b] = a > b ? b : a;
}

// Places that hold the same mesh vertex in several instances are one class.
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
            join(links, body->vertex_places[*first + v],
                 body->vertex_places[part->vertices.first + v]);
        }
    }
}

static bool find_classes(pelti_mix* inout)
{
    const pelt_body* body = inout->body;
    size_t place_count = body->place_count;
    uint32_t* links = pelt_arena_alloc(inout->arena, place_count, sizeof *links);
    uint32_t* numbers = pelt_arena_alloc(inout->arena, place_count, sizeof *numbers);
    uint32_t* firsts = pelt_arena_alloc(inout->arena, inout->scene->mesh_count, sizeof *firsts);
    inout->group_classes =
        pelt_arena_alloc(inout->arena, body->group_count, sizeof *inout->group_classes);
    if (links == NULL || numbers == NULL || firsts == NULL || inout->group_classes == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < body->place_count; ++i)
    {
        links[i] = i;
    }
    join_instances(links, inout, firsts);
    for (uint32_t i = 0; i < body->place_count; ++i)
    {
        bool is_root = root_of(links, i) == i;
        numbers[i] = is_root ? inout->class_count : 0;
        inout->class_count += is_root;
    }
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        uint32_t place = body->vertex_places[body->group_vertices[g]];
        inout->group_classes[g] = numbers[root_of(links, place)];
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
