// SPDX-License-Identifier: MIT
// Smoothed weights for the meshes of a scene: those of one skin are one surface.
#include "../base/exact.h"

#include "../../include/pelt/ddm.h"
#include "../scene/skin_chains.h"

typedef struct scene_ddm
{
    const pelt_scene* scene;
    pelt_prepare_scope scope;
    const pelt_ddm_options* options;
    pelt_ddm_report* report;
    pelt_mesh* meshes; // of the result
    pelti_skin_chains chains;
    pelt_arena *arena, *scratch;
    pelt_error* error;
} scene_ddm;

// Whether some mesh of a chain has none, or those of another surface.
static pelt_result check_chain(bool* is_wanted, const scene_ddm* s, uint32_t leader)
{
    *is_wanted = s->scope == PELT_PREPARE_ALL;
    for (uint32_t i = leader; i != PELT_NONE && !*is_wanted; i = s->chains.next[i])
    {
        const pelt_ddm* ddm = s->scene->meshes[i].weights.ddm;
        uint64_t digest = 0;
        if (ddm != NULL)
        {
            PELT_TRY(pelt_cor_digest(&digest, &s->scene->meshes[i]));
        }
        *is_wanted = ddm == NULL || ddm->digest != digest;
    }
    return PELT_OK;
}

static void add_report(pelt_ddm_report* sum, const pelt_ddm_report* part)
{
    sum->mesh_count += part->mesh_count;
    sum->vertex_count += part->vertex_count;
    sum->point_count += part->point_count;
    sum->still_count += part->still_count;
    sum->influence_count += part->influence_count;
    sum->bytes += part->bytes;
    sum->ring_count = part->ring_count;
    sum->max_influences =
        part->max_influences > sum->max_influences ? part->max_influences : sum->max_influences;
    sum->dropped_weight =
        part->dropped_weight > sum->dropped_weight ? part->dropped_weight : sum->dropped_weight;
}

static pelt_result solve_chain(scene_ddm* s, uint32_t leader)
{
    uint32_t count = 0;
    for (uint32_t i = leader; i != PELT_NONE; i = s->chains.next[i])
    {
        ++count;
    }
    const pelt_mesh** meshes = pelt_arena_alloc(s->scratch, count, sizeof *meshes);
    pelt_ddm* ddm = pelt_arena_alloc(s->arena, count, sizeof *ddm);
    if (meshes == NULL || ddm == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t slot = 0;
    for (uint32_t i = leader; i != PELT_NONE; i = s->chains.next[i])
    {
        meshes[slot++] = &s->scene->meshes[i];
    }
    pelt_ddm_report report;
    pelt_cor_input input = {.meshes = meshes, .mesh_count = count};
    PELT_TRY(pelt_ddm_solve(ddm, &input, s->options, &report, s->arena, s->error));
    add_report(s->report, &report);
    slot = 0;
    for (uint32_t i = leader; i != PELT_NONE; i = s->chains.next[i])
    {
        s->meshes[i].weights.ddm = &ddm[slot++];
    }
    return PELT_OK;
}

static pelt_result solve_scene(scene_ddm* s)
{
    const pelt_scene* scene = s->scene;
    s->meshes = pelt_arena_alloc(s->arena, scene->mesh_count, sizeof *s->meshes);
    if (s->meshes == NULL || pelti_skin_chains_find(&s->chains, scene, s->scratch) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        s->meshes[i] = scene->meshes[i];
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        bool is_wanted = false;
        if (s->chains.leaders[i] == i)
        {
            PELT_TRY(check_chain(&is_wanted, s, i));
        }
        PELT_TRY(is_wanted ? solve_chain(s, i) : PELT_OK);
    }
    return PELT_OK;
}

pelt_result pelt_scene_add_ddm(pelt_scene* inout, pelt_prepare_scope scope,
                               const pelt_ddm_options* options, pelt_ddm_report* report,
                               pelt_arena* arena, pelt_error* error)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    pelt_ddm_report unused;
    scene_ddm s = {.scene = inout,
                   .scope = scope,
                   .options = options,
                   .report = report != NULL ? report : &unused,
                   .arena = arena,
                   .scratch = pelt_arena_create(),
                   .error = error};
    *s.report = (pelt_ddm_report){0};
    pelt_result result = s.scratch != NULL ? solve_scene(&s) : PELT_ERROR_MEMORY;
    pelt_arena_destroy(s.scratch);
    if (result == PELT_OK)
    {
        inout->meshes = s.meshes;
    }
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}
