// SPDX-License-Identifier: MIT
// Normal factors for the meshes of a scene.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"

#include <string.h>

typedef struct scene_normals
{
    const pelt_scene_normal_options* options;
    pelt_scene_normal_report* report;
    pelt_mesh* meshes; // of the result
    pelt_arena* arena;
} scene_normals;

// Factors without centers are of no use to the centers that the mesh has.
static bool has_fitting(const pelt_mesh* mesh)
{
    const pelt_normal_factors* own = mesh->normal_factors;
    return own != NULL && (mesh->cors == NULL || own->centers != NULL);
}

static bool copy_centers(pelt_normal_factors* inout, pelt_arena* arena)
{
    size_t count = inout->vertex_count;
    pelt_vec3* centers = pelt_arena_alloc(arena, count, sizeof *centers);
    pelt_vec3* derivatives = pelt_arena_alloc(arena, 2 * count, sizeof *derivatives);
    if (centers == NULL || derivatives == NULL)
    {
        return false;
    }
    inout->centers = memcpy(centers, inout->centers, count * sizeof *centers);
    inout->center_derivatives =
        memcpy(derivatives, inout->center_derivatives, 2 * count * sizeof *derivatives);
    return true;
}

// Rounded factors share the centers of the exact ones, which are not kept.
static pelt_result build_rounded(pelt_normal_factors* out, const pelt_mesh* mesh,
                                 const pelt_normal_options* options, uint32_t bits,
                                 pelt_arena* arena)
{
    pelt_arena* scratch = pelt_arena_create();
    if (scratch == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_normal_factors exact;
    pelt_result result = pelt_normal_factors_build(&exact, mesh, mesh->cors, options, scratch);
    if (result == PELT_OK)
    {
        result = pelt_normal_factors_quantize(out, &exact, bits, arena);
    }
    if (result == PELT_OK && out->centers != NULL && !copy_centers(out, arena))
    {
        result = PELT_ERROR_MEMORY;
    }
    pelt_arena_destroy(scratch);
    return result;
}

static void count_factors(pelt_scene_normal_report* inout, const pelt_normal_factors* factors)
{
    ++inout->mesh_count;
    inout->centered_count += factors->centers != NULL;
    inout->vertex_count += factors->vertex_count;
    for (uint32_t v = 0; v < factors->vertex_count; ++v)
    {
        inout->varying_count += factors->first[v + 1] > factors->first[v];
    }
}

static pelt_result add_to_mesh(scene_normals* s, pelt_mesh* inout)
{
    const pelt_normal_options options = {.max_joints = s->options->max_joints};
    pelt_normal_factors* factors = pelt_arena_alloc(s->arena, 1, sizeof *factors);
    if (factors == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t bits = s->options->bits;
    pelt_result result =
        bits != 0 ? build_rounded(factors, inout, &options, bits, s->arena)
                  : pelt_normal_factors_build(factors, inout, inout->cors, &options, s->arena);
    if (result == PELT_OK)
    {
        inout->normal_factors = factors;
        count_factors(s->report, factors);
    }
    return result;
}

pelt_result pelt_scene_add_normal_factors(pelt_scene* inout, pelt_prepare_scope scope,
                                          const pelt_scene_normal_options* options,
                                          pelt_scene_normal_report* report, pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    static const pelt_scene_normal_options defaults;
    pelt_scene_normal_report unused;
    scene_normals s = {.options = options != NULL ? options : &defaults,
                       .report = report != NULL ? report : &unused,
                       .arena = arena};
    *s.report = (pelt_scene_normal_report){0};
    s.meshes = pelt_arena_alloc(arena, inout->mesh_count, sizeof *s.meshes);
    if (s.meshes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        pelt_mesh* mesh = &s.meshes[i];
        *mesh = inout->meshes[i];
        bool is_skinned = mesh->weights.vertex_count > 0;
        s.report->bare_count += is_skinned && mesh->normals == NULL;
        if (!is_skinned || mesh->normals == NULL ||
            (scope == PELT_PREPARE_MISSING && has_fitting(mesh)))
        {
            continue;
        }
        pelt_result result = add_to_mesh(&s, mesh);
        if (result != PELT_OK)
        {
            return result;
        }
    }
    inout->meshes = s.meshes;
    return PELT_OK;
}
