// SPDX-License-Identifier: MIT
// Centers of rotation for the meshes of a scene: which are solved together, and for which of them.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"
#include "../scene/skin_chains.h"

typedef struct scene_cors
{
    const pelt_scene* scene;
    pelt_prepare_scope scope;
    const pelt_cor_options* options;
    pelt_scene_cor_report* report;
    pelt_mesh* meshes; // of the result
    pelt_arena *arena, *scratch;
    pelt_error* error;

    pelti_skin_chains chains; // each is a problem
    uint64_t vertex_count, vertex_done, vertex_now;
} scene_cors;

// ---------------------------------------------------------------------------------------------
// Problems

static bool is_wanted(const scene_cors* s, uint32_t index)
{
    return s->scope == PELT_PREPARE_ALL || s->scene->meshes[index].cors == NULL;
}

static bool is_problem(const scene_cors* s, uint32_t index)
{
    for (uint32_t i = index; s->chains.leaders[index] == index && i != PELT_NONE;
         i = s->chains.next[i])
    {
        if (is_wanted(s, i))
        {
            return true;
        }
    }
    return false;
}

static uint64_t count_vertices(const scene_cors* s, uint32_t leader)
{
    uint64_t count = 0;
    for (uint32_t i = leader; i != PELT_NONE; i = s->chains.next[i])
    {
        count += s->scene->meshes[i].vertex_count;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Solving

static bool tell_progress(float part, void* user)
{
    const scene_cors* s = user;
    double done = (double)s->vertex_done + (double)part * (double)s->vertex_now;
    return s->options->progress((float)(done / (double)s->vertex_count), s->options->user);
}

static void add_report(pelt_cor_report* sum, const pelt_cor_report* part)
{
    sum->vertex_count += part->vertex_count;
    sum->triangle_count += part->triangle_count;
    sum->sample_count += part->sample_count;
    sum->solved_count += part->solved_count;
    sum->single_count += part->single_count;
    sum->dissimilar_count += part->dissimilar_count;
    sum->pair_count += part->pair_count;
    sum->tabulated_count += part->tabulated_count;
    sum->exact_count += part->exact_count;
    sum->coarse_count += part->coarse_count;
    sum->epsilon = part->epsilon > sum->epsilon ? part->epsilon : sum->epsilon;
    sum->peak_bytes = part->peak_bytes > sum->peak_bytes ? part->peak_bytes : sum->peak_bytes;
}

static pelt_result solve_problem(scene_cors* s, uint32_t leader)
{
    uint32_t mesh_count = 0;
    for (uint32_t i = leader; i != PELT_NONE; i = s->chains.next[i])
    {
        ++mesh_count;
    }
    const pelt_mesh** meshes = pelt_arena_alloc(s->scratch, mesh_count, sizeof *meshes);
    pelt_vec3** cors = pelt_arena_alloc(s->scratch, mesh_count, sizeof *cors);
    if (meshes == NULL || cors == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t slot = 0;
    for (uint32_t i = leader; i != PELT_NONE; i = s->chains.next[i], ++slot)
    {
        // A mesh that has centers may be part of a problem only because of another: its result is
        // dropped.
        pelt_arena* owner = is_wanted(s, i) ? s->arena : s->scratch;
        meshes[slot] = &s->scene->meshes[i];
        cors[slot] = pelt_arena_alloc(owner, meshes[slot]->vertex_count, sizeof **cors);
        if (cors[slot] == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
    }
    s->vertex_now = count_vertices(s, leader);
    pelt_cor_options options = *s->options;
    if (options.progress != NULL)
    {
        options.progress = tell_progress;
        options.user = s;
    }
    pelt_cor_report report;
    pelt_cor_input input = {.meshes = meshes, .mesh_count = mesh_count};
    PELT_TRY(pelt_cor_solve(cors, &input, &options, &report, s->error));
    slot = 0;
    for (uint32_t i = leader; i != PELT_NONE; i = s->chains.next[i], ++slot)
    {
        if (is_wanted(s, i))
        {
            s->report->factors_count += s->meshes[i].normal_factors != NULL;
            s->meshes[i].cors = cors[slot];
            s->meshes[i].normal_factors = NULL;
            ++s->report->mesh_count;
        }
    }
    add_report(&s->report->total, &report);
    ++s->report->problem_count;
    s->vertex_done += s->vertex_now;
    return PELT_OK;
}

static pelt_result solve_scene(scene_cors* s)
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
        s->vertex_count += is_problem(s, i) ? count_vertices(s, i) : 0;
    }
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < scene->mesh_count && result == PELT_OK; ++i)
    {
        result = is_problem(s, i) ? solve_problem(s, i) : PELT_OK;
    }
    return result;
}

pelt_result pelt_scene_add_cors(pelt_scene* inout, pelt_prepare_scope scope,
                                const pelt_cor_options* options, pelt_scene_cor_report* report,
                                pelt_arena* arena, pelt_error* error)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    static const pelt_cor_options defaults;
    pelt_scene_cor_report unused;
    scene_cors s = {.scene = inout,
                    .scope = scope,
                    .options = options != NULL ? options : &defaults,
                    .report = report != NULL ? report : &unused,
                    .arena = arena,
                    .error = error};
    *s.report = (pelt_scene_cor_report){0};
    // A sample leaves the other vertices without centers.
    if (s.options->stride != 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "stride is %u, but a scene needs the centers of all vertices; "
                              "set it to 0",
                              s.options->stride);
    }
    s.scratch = pelt_arena_create();
    pelt_result result = s.scratch != NULL ? solve_scene(&s) : PELT_ERROR_MEMORY;
    pelt_arena_destroy(s.scratch);
    if (result == PELT_OK)
    {
        inout->meshes = s.meshes;
    }
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}

// ---------------------------------------------------------------------------------------------
// Updates

static pelt_result update_problem(pelt_vec3* const* cors, const pelt_weights* before,
                                  const scene_cors* s, uint32_t leader, const pelt_mesh** meshes,
                                  pelt_vec3** own, const pelt_weights** old)
{
    uint32_t count = 0;
    for (uint32_t i = leader; i != PELT_NONE; i = s->chains.next[i], ++count)
    {
        PELT_ASSERT(cors[i] != NULL);
        meshes[count] = &s->scene->meshes[i];
        own[count] = cors[i];
        old[count] = &before[i];
    }
    pelt_cor_report report;
    pelt_cor_input input = {.meshes = meshes, .mesh_count = count};
    PELT_TRY(pelt_cor_update(own, &input, old, s->options, &report, s->error));
    add_report(&s->report->total, &report);
    s->report->mesh_count += count;
    ++s->report->problem_count;
    return PELT_OK;
}

static pelt_result update_scene(pelt_vec3* const* cors, const pelt_weights* before, scene_cors* s)
{
    uint32_t count = s->scene->mesh_count;
    const pelt_mesh** meshes = pelt_arena_alloc(s->scratch, count, sizeof *meshes);
    pelt_vec3** own = pelt_arena_alloc(s->scratch, count, sizeof *own);
    const pelt_weights** old = pelt_arena_alloc(s->scratch, count, sizeof *old);
    if (meshes == NULL || own == NULL || old == NULL ||
        pelti_skin_chains_find(&s->chains, s->scene, s->scratch) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_leader = s->chains.leaders[i] == i;
        PELT_TRY(is_leader ? update_problem(cors, before, s, i, meshes, own, old) : PELT_OK);
    }
    return PELT_OK;
}

pelt_result pelt_scene_update_cors(pelt_vec3* const* cors, const pelt_scene* scene,
                                   const pelt_weights* before, const pelt_cor_options* options,
                                   pelt_scene_cor_report* report, pelt_error* error)
{
    PELT_ASSERT(cors != NULL && scene != NULL && before != NULL);
    pelt_scene_cor_report unused;
    scene_cors s = {.scene = scene,
                    .options = options,
                    .report = report != NULL ? report : &unused,
                    .error = error,
                    .scratch = pelt_arena_create()};
    *s.report = (pelt_scene_cor_report){0};
    pelt_result result = s.scratch != NULL ? update_scene(cors, before, &s) : PELT_ERROR_MEMORY;
    pelt_arena_destroy(s.scratch);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}
