// SPDX-License-Identifier: MIT
// Bodies are prepared step by step; everything is in one arena.
#include "../base/exact.h"

#include "body.h"

// Numbers that 32 bits must hold: vertices and corners of all instances, joints of all skins.
static pelt_result check_sizes(const pelt_scene* scene, pelt_error* error)
{
    uint64_t vertices = 0, corners = 0, influences = 0, joints = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        vertices += mesh->vertex_count;
        corners += mesh->index_count;
        influences += mesh->weights.influence_count;
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        joints += scene->skins[i].joint_count;
    }
    if (joints > PELT_MAX_JOINTS)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "The skins of the scene have %llu joints together; measurements "
                              "support up to %u.",
                              (unsigned long long)joints, PELT_MAX_JOINTS);
    }
    // Edges are listed twice per triangle corner at most.
    if (vertices >= UINT32_MAX / 2 || corners >= UINT32_MAX / 4 || influences >= UINT32_MAX)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "The skinned meshes have %llu vertices and %llu triangles together, "
                              "too many to measure them as one body.",
                              (unsigned long long)vertices, (unsigned long long)corners / 3);
    }
    return PELT_OK;
}

static bool add_slots(pelt_body* out, const pelt_scene* scene)
{
    pelt_arena* arena = out->arena;
    out->skin_count = scene->skin_count;
    out->first_slots = pelt_arena_alloc(arena, (size_t)scene->skin_count + 1, sizeof(uint32_t));
    out->placements = pelt_arena_alloc(arena, scene->skin_count, sizeof *out->placements);
    for (uint32_t i = 0; out->first_slots != NULL && i < scene->skin_count; ++i)
    {
        out->slot_count += scene->skins[i].joint_count;
        out->first_slots[i + 1] = out->slot_count;
    }
    out->slot_nodes = pelt_arena_alloc(arena, out->slot_count, sizeof *out->slot_nodes);
    if (out->first_slots == NULL || out->placements == NULL || out->slot_nodes == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        for (uint32_t k = 0; k < scene->skins[i].joint_count; ++k)
        {
            out->slot_nodes[out->first_slots[i] + k] = scene->skins[i].joints[k];
        }
    }
    return true;
}

// What a pose is measured with: nothing of it outlives a measurement.
static bool allocate_scratch(pelt_body* out)
{
    pelt_arena* arena = out->arena;
    size_t vertex_count = out->mesh.vertex_count;
    out->positions = pelt_arena_alloc(arena, vertex_count, sizeof *out->positions);
    out->deformed = pelt_arena_alloc(arena, out->group_count, sizeof *out->deformed);
    out->normals = pelt_arena_alloc(arena, vertex_count, sizeof *out->normals);
    out->segments = pelt_arena_alloc(arena, out->bone_count, sizeof *out->segments);
    out->motions = pelt_arena_alloc(arena, out->slot_count, sizeof *out->motions);
    out->sides = pelt_arena_alloc(arena, out->slot_count, sizeof *out->sides);
    out->values = pelt_arena_alloc(arena, vertex_count, sizeof *out->values);
    out->place_sums = pelt_arena_alloc(arena, out->place_count, sizeof *out->place_sums);
    out->vertex_values = pelt_arena_alloc(arena, vertex_count, sizeof *out->vertex_values);
    out->sorted = pelt_arena_alloc(arena, vertex_count, sizeof *out->sorted);
    out->section_sums = pelt_arena_alloc(arena, out->info.section_count, sizeof *out->section_sums);
    out->pose_volumes = pelt_arena_alloc(arena, out->triangle_count, sizeof *out->pose_volumes);
    out->is_crossing = pelt_arena_alloc(arena, out->triangle_count, sizeof *out->is_crossing);
    return out->is_crossing != NULL && out->positions != NULL && out->deformed != NULL &&
           out->normals != NULL && out->segments != NULL && out->motions != NULL &&
           out->sides != NULL && out->values != NULL && out->place_sums != NULL &&
           out->vertex_values != NULL && out->sorted != NULL && out->section_sums != NULL &&
           out->pose_volumes != NULL;
}

static void measure_volumes_at_rest(pelt_body* inout, pelt_metric_region* regions)
{
    pelti_triangle_volumes(inout->triangle_volumes, inout, inout->rest, inout->rest_segments);
    for (uint32_t i = 0; i < 3 * inout->triangle_count; ++i)
    {
        double third = inout->triangle_volumes[i / 3] / 3.0;
        uint32_t region =
            inout->info.vertex_regions[inout->group_vertices[inout->triangle_groups[i]]];
        regions[0].volume += third;
        regions[region].volume += region > 0 ? third : 0.0;
    }
    inout->info.enclosed_volume =
        inout->info.is_closed
            ? pelt_mesh_volume(inout->mesh.positions, inout->mesh.indices, inout->mesh.index_count)
            : (double)NAN;
}

static void count_pair(uint32_t first, uint32_t second, void* user)
{
    (void)first, (void)second;
    ++*(uint32_t*)user;
}

static bool prepare(pelt_body* out, const pelt_scene* scene)
{
    if (!add_slots(out, scene) || !pelti_body_merge(out, scene) || !pelti_body_connect(out) ||
        !pelti_body_add_bones(out, scene) || !pelti_body_add_regions(out, scene) ||
        !allocate_scratch(out) ||
        !pelti_box_tree_build(&out->tree, out->mesh.positions, out->mesh.indices,
                              out->triangle_count, out->vertex_places, 1e-6 * out->info.size,
                              out->arena))
    {
        return false;
    }
    out->triangle_volumes =
        pelt_arena_alloc(out->arena, out->triangle_count, sizeof *out->triangle_volumes);
    if (out->triangle_volumes == NULL)
    {
        return false;
    }
    measure_volumes_at_rest(out, out->regions);
    pelti_box_tree_cross(&out->tree, out->mesh.positions, count_pair,
                         &out->info.intersection_count);
    return true;
}

// An empty body, or a copy of the pointers of another, in an arena of its own.
static pelt_body* create_body(const pelt_body* other)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_body* body = arena != NULL ? pelt_arena_alloc(arena, 1, sizeof *body) : NULL;
    if (body == NULL)
    {
        pelt_arena_destroy(arena);
        return NULL;
    }
    *body = other != NULL ? *other : (pelt_body){0};
    body->arena = arena;
    return body;
}

pelt_result pelt_body_create(pelt_body** out, const pelt_scene* scene, pelt_error* error)
{
    *out = NULL;
    pelt_result result = check_sizes(scene, error);
    if (result != PELT_OK)
    {
        return result;
    }
    pelt_body* body = create_body(NULL);
    if (body == NULL || !prepare(body, scene))
    {
        pelt_body_destroy(body);
        return pelt_error_memory(error);
    }
    *out = body;
    return PELT_OK;
}

pelt_result pelt_body_share(pelt_body** out, const pelt_body* prepared)
{
    pelt_body* body = create_body(prepared);
    *out = body;
    if (body == NULL || !allocate_scratch(body) ||
        !pelti_box_tree_share(&body->tree, &prepared->tree, body->arena))
    {
        pelt_body_destroy(body);
        *out = NULL;
        return PELT_ERROR_MEMORY;
    }
    return PELT_OK;
}

void pelt_body_destroy(pelt_body* body)
{
    if (body != NULL)
    {
        pelt_arena_destroy(body->arena);
    }
}

const pelt_body_info* pelt_body_get_info(const pelt_body* body)
{
    return &body->info;
}
