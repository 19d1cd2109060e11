// SPDX-License-Identifier: MIT
// What is known about a character, as JSON text.
#include "character.h"
#include "json_text.h"
#include "web.h"

#include "../../include/pelt/doctor.h"

#include <string.h>

json_t* web_text(const char* value)
{
    json_t* out = value != NULL ? json_string(value) : json_null();
    return out != NULL ? out : json_string("");
}

json_t* web_index(uint32_t index)
{
    return index != PELT_NONE ? json_integer(index) : json_null();
}

static json_t* describe_nodes(const pelt_scene* scene)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        json_array_append_new(list, json_pack("{s:o, s:o}", "name", web_text(scene->nodes[i].name),
                                              "parent", web_index(scene->nodes[i].parent)));
    }
    return list;
}

static json_t* describe_morphs(const pelt_mesh* mesh)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        json_array_append_new(list, web_text(mesh->morphs[i].name));
    }
    return list;
}

static json_t* describe_meshes(const pelt_scene* scene)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        json_array_append_new(
            list,
            json_pack("{s:o, s:I, s:I, s:I, s:b, s:b, s:b, s:b, s:b, s:o}", "name",
                      web_text(mesh->name), "vertices", (json_int_t)mesh->vertex_count, "triangles",
                      (json_int_t)mesh->index_count / 3, "influences",
                      (json_int_t)mesh->weights.max_influences, "normals", mesh->normals != NULL,
                      "tangents", mesh->tangents != NULL, "centers", mesh->cors != NULL,
                      "normalFactors", mesh->normal_factors != NULL, "mixFactors",
                      mesh->mix_factors != NULL, "morphs", describe_morphs(mesh)));
    }
    return list;
}

static json_t* describe_skins(const pelt_scene* scene)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        json_t* joints = json_array();
        for (uint32_t k = 0; k < scene->skins[i].joint_count; ++k)
        {
            json_array_append_new(joints, json_integer(scene->skins[i].joints[k]));
        }
        json_array_append_new(list, json_pack("{s:o, s:o}", "name", web_text(scene->skins[i].name),
                                              "joints", joints));
    }
    return list;
}

static json_t* describe_instances(const pelt_scene* scene)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        json_array_append_new(list, json_pack("{s:I, s:o, s:o}", "mesh", (json_int_t)instance->mesh,
                                              "skin", web_index(instance->skin), "node",
                                              web_index(instance->node)));
    }
    return list;
}

static json_t* describe_clips(const pelt_scene* scene)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        json_array_append_new(list,
                              json_pack("{s:o, s:f, s:I}", "name", web_text(scene->clips[i].name),
                                        "duration", (double)scene->clips[i].duration, "tracks",
                                        (json_int_t)scene->clips[i].track_count));
    }
    return list;
}

static json_t* describe_repairs(const pelt_scene* scene)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        json_array_append_new(list, web_text(scene->repairs[i].message));
    }
    return list;
}

static json_t* describe_losses(const pelt_scene* scene)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < scene->loss_count; ++i)
    {
        json_array_append_new(list, web_text(scene->losses[i].what));
    }
    return list;
}

static const char* format_name(pelt_format format)
{
    return format == PELT_FORMAT_GLB    ? "glb"
           : format == PELT_FORMAT_GLTF ? "gltf"
           : format == PELT_FORMAT_FBX  ? "fbx"
                                        : "other";
}

char* web_print(json_t* value)
{
    char* out = value != NULL ? json_dumps(value, JSON_COMPACT) : NULL;
    json_decref(value);
    if (out == NULL)
    {
        pelt_error_memory(&web_error);
    }
    return out;
}

/// @return JSON text, for web_release_text(); NULL: see web_message()
char* WEB_EXPORT(web_character_info)(const web_character* character)
{
    const pelt_scene* scene = &character->scene;
    return web_print(json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                               web_text(scene->name), "format", format_name(scene->format), "nodes",
                               describe_nodes(scene), "meshes", describe_meshes(scene), "skins",
                               describe_skins(scene), "instances", describe_instances(scene),
                               "clips", describe_clips(scene), "defaultClip",
                               web_index(pelt_scene_default_clip(scene)), "repairs",
                               describe_repairs(scene), "losses", describe_losses(scene)));
}

static json_t* describe_finding(const pelt_finding* finding)
{
    const pelt_finding_info* info = pelt_finding_describe(finding->kind);
    json_t* value = finding->unit != NULL ? json_real(finding->value) : json_null();
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:f, s:I, s:o, s:o}",
                     "kind", info->id, "severity", pelt_severity_name(finding->severity), "message",
                     web_text(finding->message), "summary", info->summary, "advice", info->advice,
                     "fixable", info->is_fixable, "mesh", web_index(finding->mesh), "vertex",
                     web_index(finding->vertex), "node", web_index(finding->node), "clip",
                     web_index(finding->clip), "time", (double)finding->time, "count",
                     (json_int_t)finding->count, "value", value != NULL ? value : json_null(),
                     "unit", web_text(finding->unit));
}

/// @return as web_character_info()
char* WEB_EXPORT(web_character_doctor)(const web_character* character)
{
    pelt_diagnosis diagnosis;
    pelt_arena* arena = pelt_arena_create();
    if (arena == NULL || pelt_scene_diagnose(&diagnosis, &character->scene, NULL, arena) != PELT_OK)
    {
        pelt_arena_destroy(arena);
        pelt_error_memory(&web_error);
        return NULL;
    }
    json_t* findings = json_array();
    for (uint32_t i = 0; i < diagnosis.finding_count; ++i)
    {
        json_array_append_new(findings, describe_finding(&diagnosis.findings[i]));
    }
    pelt_arena_destroy(arena);
    return web_print(findings);
}

void WEB_EXPORT(web_release_text)(char* value)
{
    // By the function that jansson uses, which a host may have replaced.
    json_malloc_t allocate;
    json_free_t release;
    json_get_alloc_funcs(&allocate, &release);
    release(value);
}
