// SPDX-License-Identifier: MIT
// Normal factors for the meshes of a scene.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"

#include <string.h>

// Factors without centers are of no use to the centers that the mesh has.
static bool has_fitting(const pelt_mesh* mesh)
{
    const pelt_normal_factors* own = mesh->normal_factors;
    return own != NULL && (mesh->cors == NULL || own->centers != NULL);
}

// Rounded factors would share the centers of the exact ones, which are not kept: they get a copy.
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
    if (result == PELT_OK && out->centers != NULL)
    {
        size_t count = out->vertex_count;
        pelt_vec3* centers = pelt_arena_alloc(arena, count, sizeof *centers);
        pelt_vec3* derivatives = pelt_arena_alloc(arena, 2 * count, sizeof *derivatives);
        if (centers != NULL && derivatives != NULL)
        {
            memcpy(centers, exact.centers, count * sizeof *centers);
            memcpy(derivatives, exact.center_derivatives, 2 * count * sizeof *derivatives);
        }
        else
        {
            result = PELT_ERROR_MEMORY;
        }
        out->centers = centers;
        out->center_derivatives = derivatives;
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

pelt_result pelt_scene_add_normal_factors(pelt_scene* inout, pelt_prepare_scope scope,
                                          const pelt_scene_normal_options* options,
                                          pelt_scene_normal_report* report, pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    uint32_t bits = options != NULL ? options->bits : 0;
    pelt_normal_options limits = {.max_joints = options != NULL ? options->max_joints : 0};
    pelt_scene_normal_report unused;
    report = report != NULL ? report : &unused;
    *report = (pelt_scene_normal_report){0};
    pelt_mesh* meshes = pelt_arena_alloc(arena, inout->mesh_count, sizeof *meshes);
    if (meshes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        pelt_mesh* mesh = &meshes[i];
        *mesh = inout->meshes[i];
        bool is_skinned = mesh->weights.vertex_count > 0;
        report->bare_count += is_skinned && mesh->normals == NULL;
        if (!is_skinned || mesh->normals == NULL ||
            (scope == PELT_PREPARE_MISSING && has_fitting(mesh)))
        {
            continue;
        }
        pelt_normal_factors* factors = pelt_arena_alloc(arena, 1, sizeof *factors);
        if (factors == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        pelt_result result =
            bits != 0 ? build_rounded(factors, mesh, &limits, bits, arena)
                      : pelt_normal_factors_build(factors, mesh, mesh->cors, &limits, arena);
        if (result != PELT_OK)
        {
            return result;
        }
        mesh->normal_factors = factors;
        count_factors(report, factors);
    }
    inout->meshes = meshes;
    return PELT_OK;
}
