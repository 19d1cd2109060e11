// SPDX-License-Identifier: MIT
// The diagnosis of a scene: one check after the other, then all findings in order.
#include "../base/exact.h"

#include "doctor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Findings

pelt_finding pelti_finding_make(pelt_finding_kind kind, pelt_severity severity)
{
    return (pelt_finding){.kind = kind,
                          .severity = severity,
                          .mesh = PELT_NONE,
                          .vertex = PELT_NONE,
                          .node = PELT_NONE,
                          .clip = PELT_NONE};
}

static bool grow(pelti_doctor* d)
{
    pelti_finding_list* list = &d->list;
    if (list->count < list->capacity)
    {
        return true;
    }
    uint32_t capacity = list->capacity > 0 ? 2 * list->capacity : 32;
    pelt_finding* items = pelt_arena_alloc(d->arena, capacity, sizeof *items);
    if (items == NULL)
    {
        return false;
    }
    if (list->count > 0)
    {
        memcpy(items, list->items, list->count * sizeof *items);
    }
    list->items = items;
    list->capacity = capacity;
    return true;
}

void pelti_finding_add(pelti_doctor* d, const pelt_finding* finding, const char* format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const char* message = pelt_arena_string(d->arena, sentence);
    if (message == NULL || !grow(d))
    {
        d->has_failed = true;
        return;
    }
    pelt_finding* added = &d->list.items[d->list.count++];
    *added = *finding;
    added->message = message;
}

static const char* or_dash(const char* name)
{
    return name != NULL ? name : "-";
}

const char* pelti_mesh_name(const pelti_doctor* d, uint32_t mesh)
{
    return or_dash(d->scene->meshes[mesh].name);
}

const char* pelti_node_name(const pelti_doctor* d, uint32_t node)
{
    return or_dash(d->scene->nodes[node].name);
}

const char* pelti_clip_name(const pelti_doctor* d, uint32_t clip)
{
    return or_dash(d->scene->clips[clip].name);
}

const char* pelti_word(uint32_t count, const char* one, const char* many)
{
    return count == 1 ? one : many;
}

double pelti_millimeters(float meters)
{
    return 1000.0 * (double)meters;
}

pelti_digits pelti_number(double value)
{
    pelti_digits digits;
    snprintf(digits.text, sizeof digits.text, fabs(value) < 100.0 ? "%.3g" : "%.0f", value);
    return digits;
}

pelti_moment pelti_moment_describe(const pelti_doctor* d, uint32_t clip, float time)
{
    pelti_moment moment;
    if (clip == PELT_NONE)
    {
        snprintf(moment.text, sizeof moment.text, "in the stored pose");
        return moment;
    }
    snprintf(moment.text, sizeof moment.text, "in clip " PELTI_NAME " at %.2f s",
             pelti_clip_name(d, clip), (double)time);
    return moment;
}

// ---------------------------------------------------------------------------------------------
// Setting up

uint32_t* pelti_mesh_skins(const pelt_scene* scene, pelt_arena* arena)
{
    uint32_t* skins = pelt_arena_alloc(arena, scene->mesh_count, sizeof *skins);
    for (uint32_t i = 0; skins != NULL && i < scene->mesh_count; ++i)
    {
        skins[i] = PELT_NONE;
    }
    for (uint32_t i = 0; skins != NULL && i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        bool is_skinned =
            instance->skin != PELT_NONE && scene->meshes[instance->mesh].weights.vertex_count > 0;
        if (is_skinned && skins[instance->mesh] == PELT_NONE)
        {
            skins[instance->mesh] = instance->skin;
        }
    }
    return skins;
}

static bool find_used_joints(pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    d->is_used = pelt_arena_alloc(d->scratch, scene->skin_count, sizeof *d->is_used);
    bool is_ok = d->is_used != NULL;
    for (uint32_t i = 0; i < scene->skin_count && is_ok; ++i)
    {
        d->is_used[i] =
            pelt_arena_alloc(d->scratch, scene->skins[i].joint_count, sizeof *d->is_used[i]);
        is_ok = d->is_used[i] != NULL;
    }
    // Instances of one mesh often follow each other with one skin: once is enough.
    uint32_t last_mesh = PELT_NONE, last_skin = PELT_NONE;
    for (uint32_t n = 0; n < scene->instance_count && is_ok; ++n)
    {
        const pelt_instance* instance = &scene->instances[n];
        const pelt_weights* weights = &scene->meshes[instance->mesh].weights;
        bool is_known = instance->mesh == last_mesh && instance->skin == last_skin;
        last_mesh = instance->mesh;
        last_skin = instance->skin;
        for (uint32_t i = 0; last_skin != PELT_NONE && !is_known && i < weights->influence_count;
             ++i)
        {
            d->is_used[last_skin][weights->influences[i].joint] = true;
        }
    }
    return is_ok;
}

static bool create_palettes(pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    d->model_from_node =
        pelt_arena_alloc(d->scratch, scene->node_count, sizeof *d->model_from_node);
    d->palettes = pelt_arena_alloc(d->scratch, scene->skin_count, sizeof *d->palettes);
    bool is_ok = d->model_from_node != NULL && d->palettes != NULL &&
                 pelt_pose_create(&d->pose, scene) == PELT_OK;
    for (uint32_t i = 0; i < scene->skin_count && is_ok; ++i)
    {
        is_ok = pelt_palette_create(&d->palettes[i], scene->skins[i].joint_count) == PELT_OK;
    }
    return is_ok;
}

static void destroy_palettes(pelti_doctor* d)
{
    for (uint32_t i = 0; d->palettes != NULL && i < d->scene->skin_count; ++i)
    {
        pelt_palette_destroy(&d->palettes[i]);
    }
    pelt_pose_destroy(&d->pose);
}

void pelti_doctor_pose(pelti_doctor* d, uint32_t clip, float time)
{
    if (clip == PELT_NONE)
    {
        pelt_pose_rest(&d->pose, d->scene);
    }
    else
    {
        pelt_pose_sample(&d->pose, d->scene, &d->scene->clips[clip], time, PELT_WRAP_CLAMP);
    }
    pelt_pose_to_model(d->model_from_node, d->scene, &d->pose);
    for (uint32_t i = 0; i < d->scene->skin_count; ++i)
    {
        pelt_palette_build(&d->palettes[i], &d->scene->skins[i], d->model_from_node);
    }
}

pelt_vec3 pelti_vertex_blend(const pelt_mesh* mesh, uint32_t vertex, uint32_t limit,
                             const pelt_mat34* matrices)
{
    uint32_t first = mesh->weights.first[vertex], count = mesh->weights.first[vertex + 1] - first;
    const pelt_influence* influences = &mesh->weights.influences[first];
    pelt_vec3 sum = {0}, rest = mesh->positions[vertex];
    float total = 0.0f;
    for (uint32_t i = 0; i < count && i < limit; ++i)
    {
        pelt_vec3 there = pelt_mat34_point(&matrices[influences[i].joint], rest);
        sum = pelt_vec3_mad(sum, influences[i].weight, there);
        total += influences[i].weight;
    }
    return total > 0.0f ? pelt_vec3_scale(sum, 1.0f / total) : rest;
}

// In the stored pose: positions of a mesh may be in any unit before its skin has moved them.
static float measure_size(pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    pelt_bounds bounds = pelt_bounds_empty();
    pelti_doctor_pose(d, PELT_NONE, 0.0f);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        bool is_skinned = instance->skin != PELT_NONE && mesh->weights.vertex_count > 0;
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            pelt_vec3 point =
                is_skinned
                    ? pelti_vertex_blend(mesh, v, PELT_NONE, d->palettes[instance->skin].matrices)
                    : pelt_mat34_point(&d->model_from_node[instance->node], mesh->positions[v]);
            pelt_bounds_add(&bounds, &point, 1);
        }
    }
    return pelt_bounds_diagonal(&bounds);
}

static pelt_diagnose_options fill_options(const pelt_diagnose_options* given)
{
    pelt_diagnose_options options = given != NULL ? *given : (pelt_diagnose_options){0};
    options.max_influences = options.max_influences > 0 ? options.max_influences : 4;
    options.rate = options.rate > 0.0f ? options.rate : 30.0f;
    options.max_samples = options.max_samples > 0 ? options.max_samples : 4096;
    return options;
}

// ---------------------------------------------------------------------------------------------

// A pass for each severity and kind keeps findings that are equal in these in their order.
static bool sort(pelti_doctor* d)
{
    pelti_finding_list* list = &d->list;
    pelt_finding* sorted = pelt_arena_alloc(d->arena, list->count, sizeof *sorted);
    uint32_t count = 0;
    for (int severity = PELT_SEVERITY_COUNT - 1; sorted != NULL && severity >= 0; --severity)
    {
        for (int kind = 0; kind < PELT_FINDING_KIND_COUNT; ++kind)
        {
            for (uint32_t i = 0; i < list->count; ++i)
            {
                const pelt_finding* finding = &list->items[i];
                if ((int)finding->severity == severity && (int)finding->kind == kind)
                {
                    sorted[count++] = *finding;
                }
            }
        }
    }
    list->items = sorted;
    return sorted != NULL;
}

pelt_result pelt_scene_diagnose(pelt_diagnosis* out, const pelt_scene* scene,
                                const pelt_diagnose_options* options, pelt_arena* arena)
{
    PELT_ASSERT(out != NULL && scene != NULL && arena != NULL);
    static void (*const checks[])(pelti_doctor * d) = {pelti_check_repairs, pelti_check_weights,
                                                       pelti_check_binds,   pelti_check_surfaces,
                                                       pelti_check_keys,    pelti_check_motion};
    *out = (pelt_diagnosis){0};
    pelti_doctor d = {.scene = scene,
                      .options = fill_options(options),
                      .arena = arena,
                      .scratch = pelt_arena_create()};
    d.skins = d.scratch != NULL ? pelti_mesh_skins(scene, d.scratch) : NULL;
    d.has_failed = d.skins == NULL || !find_used_joints(&d) || !create_palettes(&d);
    d.is_needed = d.has_failed ? NULL : pelti_nodes_find_needed(&d);
    d.has_failed |= d.is_needed == NULL;
    d.size = d.has_failed ? 0.0f : measure_size(&d);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && !d.has_failed; ++i)
    {
        checks[i](&d);
    }
    destroy_palettes(&d);
    pelt_arena_destroy(d.scratch);
    if (d.has_failed || !sort(&d))
    {
        return PELT_ERROR_MEMORY;
    }
    out->finding_count = d.list.count;
    out->findings = d.list.items;
    for (uint32_t i = 0; i < d.list.count; ++i)
    {
        out->counts[d.list.items[i].severity]++;
    }
    return PELT_OK;
}
