// SPDX-License-Identifier: MIT
// The fit of helper joints, step by step, and the copy of a scene that has them.
#include "../base/exact.h"

#include "../scene/scene_private.h"
#include "helpers.h"

#include <string.h>

enum
{
    DEFAULT_COUNT = 16,
    MOST_COUNT = 256,    // that max_error may ask for
    SAMPLE_COUNT = 3000, // points at which helpers are fitted
    STEP_ROUNDS = 6,     // of refinement after each step
    LAST_ROUNDS = 40,
    SWEEPS = 2, // of smoothing
};

// Numbers of helpers at which the curve is measured and pairs are chosen again.
static const uint32_t step_counts[] = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};

bool pelti_fit_tell(pelti_fit* inout, float part)
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
// Fit

static bool choose_sample(pelti_fit* inout)
{
    uint32_t count = 0, blended = 0;
    for (uint32_t i = 0; i < inout->point_count; ++i)
    {
        blended += inout->first_pairs[i + 1] > inout->first_pairs[i];
    }
    uint32_t stride = blended / SAMPLE_COUNT + 1;
    inout->sample = pelt_arena_alloc(inout->arena, blended, sizeof *inout->sample);
    inout->sample_errors = pelt_arena_alloc(inout->arena, blended, sizeof(double));
    for (uint32_t i = 0; i < inout->point_count && inout->sample != NULL; ++i)
    {
        bool is_blended = inout->first_pairs[i + 1] > inout->first_pairs[i];
        if (is_blended && count++ % stride == 0)
        {
            inout->sample[inout->sample_count++] = i;
        }
    }
    return inout->sample != NULL && inout->sample_errors != NULL;
}

static void add_step(pelt_helpers_step* steps, uint32_t* count, const pelti_fit* fit)
{
    steps[(*count)++] = (pelt_helpers_step){
        fit->helper_count, (float)sqrt(pelti_fit_error(fit, 0, fit->training_count)),
        (float)sqrt(pelti_fit_error(fit, fit->training_count, fit->pose_count))};
}

static pelt_result blend_all(pelti_fit* inout)
{
    PELT_TRY(pelti_fit_solve(inout, NULL, inout->point_count, 0.0));
    for (int i = 0; i < SWEEPS; ++i)
    {
        PELT_TRY(pelti_fit_solve(inout, NULL, inout->point_count, 1e-4));
    }
    return PELT_OK;
}

static double find_most(const pelti_fit* fit)
{
    double most = 0.0;
    for (uint32_t i = 0; i < fit->point_count; ++i)
    {
        for (uint32_t f = 0; f < fit->pose_count; ++f)
        {
            pelti_double3 d = pelti_double3_sub(
                pelti_fit_blended(fit, i, f),
                pelti_double3_from(fit->targets[(size_t)i * fit->pose_count + f]));
            most = fmax(most, pelti_double3_dot(d, d));
        }
    }
    return sqrt(most);
}

static pelt_result reach(bool* is_reached, pelti_fit* inout)
{
    *is_reached = false;
    if (inout->options->max_error > 0.0f)
    {
        PELT_TRY(blend_all(inout));
        *is_reached = find_most(inout) <= (double)inout->options->max_error;
    }
    return PELT_OK;
}

static pelt_result grow(pelti_fit* inout, pelt_helpers_report* report, pelt_helpers_step* steps)
{
    bool is_reached = false;
    add_step(steps, &report->step_count, inout);
    for (size_t i = 0; i < sizeof step_counts / sizeof *step_counts && !is_reached; ++i)
    {
        uint32_t before = inout->helper_count;
        uint32_t count = step_counts[i] < inout->helper_room ? step_counts[i] : inout->helper_room;
        bool is_last = count == inout->helper_room;
        PELT_TRY(pelti_fit_add_helpers(inout, count - before));
        is_last = is_last || inout->helper_count < count;
        if (inout->helper_count > before || is_last)
        {
            PELT_TRY(pelti_fit_refine(inout, is_last ? LAST_ROUNDS : STEP_ROUNDS));
            add_step(steps, &report->step_count, inout);
            PELT_TRY(reach(&is_reached, inout));
        }
        float part = (float)inout->helper_count / (float)inout->helper_room;
        if (!pelti_fit_tell(inout, 0.1f + 0.6f * part))
        {
            return PELT_ERROR_CANCELED;
        }
        if (is_last)
        {
            break;
        }
    }
    report->is_reached = is_reached;
    return blend_all(inout);
}

static uint32_t find_room(const pelti_fit* fit)
{
    const pelt_helpers_options* options = fit->options;
    uint32_t wanted = options->count > 0          ? options->count
                      : options->max_error > 0.0f ? MOST_COUNT
                                                  : DEFAULT_COUNT;
    uint32_t limit = options->max_joints > 0 ? options->max_joints : PELT_MAX_JOINTS;
    uint32_t most = 0;
    for (uint32_t i = 0; i < fit->part_count; ++i)
    {
        uint32_t own = fit->scene->skins[fit->parts[i].skin].joint_count;
        most = own > most ? own : most;
    }
    uint32_t room = most < limit ? limit - most : 0;
    return wanted < room ? wanted : room;
}

// ---------------------------------------------------------------------------------------------
// Scene

typedef struct helper_scene
{
    pelti_fit* fit;
    pelt_scene* out;
    pelt_helpers_report* report;
    uint32_t* numbers; // by helper of the fit: in the new scene, or PELT_NONE
    uint32_t* slots;   // [skin][helper]: joint of the skin, or PELT_NONE
    uint32_t* uses;    // by helper of the fit: vertices
} helper_scene;

// Helpers that no vertex uses are left out.
static void number_helpers(helper_scene* work)
{
    pelti_fit* fit = work->fit;
    uint32_t skin_count = work->out->skin_count, count = 0;
    memset(work->slots, 0xff, (size_t)skin_count * fit->helper_count * sizeof *work->slots);
    for (uint32_t i = 0; i < fit->part_count; ++i)
    {
        const pelti_helper_part* part = &fit->parts[i];
        for (uint32_t v = 0; v < fit->scene->meshes[part->mesh].vertex_count; ++v)
        {
            const pelti_blend* blend = &fit->blends[part->points[v]];
            for (uint32_t k = 0; k < blend->count; ++k)
            {
                if (blend->terms[k].index >= fit->joint_count)
                {
                    uint32_t helper = blend->terms[k].index - fit->joint_count;
                    ++work->uses[helper];
                    work->slots[(size_t)part->skin * fit->helper_count + helper] = 0;
                }
            }
        }
    }
    for (uint32_t h = 0; h < fit->helper_count; ++h)
    {
        work->numbers[h] = work->uses[h] > 0 ? count++ : PELT_NONE;
    }
    for (uint32_t s = 0; s < skin_count; ++s)
    {
        uint32_t slot = fit->scene->skins[s].joint_count;
        for (uint32_t h = 0; h < fit->helper_count; ++h)
        {
            uint32_t* out = &work->slots[(size_t)s * fit->helper_count + h];
            *out = *out != PELT_NONE ? slot++ : PELT_NONE;
        }
    }
    work->report->count = count;
}

static pelt_result add_nodes(helper_scene* work)
{
    const pelti_fit* fit = work->fit;
    pelt_scene* out = work->out;
    uint32_t count = work->report->count, first = out->node_count;
    pelt_node* nodes = pelt_arena_alloc(out->arena, (size_t)first + count, sizeof *nodes);
    pelt_helper* helpers = pelt_arena_alloc(out->arena, count, sizeof *helpers);
    uint32_t* of_pair = pelt_arena_alloc(fit->arena, fit->pair_count, sizeof *of_pair);
    if (nodes == NULL || helpers == NULL || of_pair == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(nodes, out->nodes, first * sizeof *nodes);
    for (uint32_t h = 0; h < fit->helper_count; ++h)
    {
        const pelti_fit_helper* helper = &fit->helpers[h];
        const pelti_helper_pair* pair = &fit->pairs[helper->pair];
        if (work->numbers[h] == PELT_NONE)
        {
            continue;
        }
        uint32_t parent = fit->joint_nodes[pair->joints[0]],
                 source = fit->joint_nodes[pair->joints[1]];
        work->report->pair_count += of_pair[helper->pair] == 0;
        const char* name = pelt_arena_format(out->arena, "%s_helper%u", nodes[source].name,
                                             ++of_pair[helper->pair]);
        if (name == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        pelt_helper* rule = &helpers[work->numbers[h]];
        *rule = (pelt_helper){.node = first + work->numbers[h],
                              .source = source,
                              .factor = (float)helper->factor,
                              .center = pelti_double3_to(helper->center),
                              .source_from_parent = pair->source_from_parent};
        nodes[rule->node] = (pelt_node){name, parent, pelt_transform_identity()};
    }
    out->nodes = nodes;
    out->node_count += count;
    out->helpers = helpers;
    out->helper_count = count;
    return PELT_OK;
}

// In the stored pose helpers are where their rules put them.
static pelt_result set_rest(pelt_scene* out)
{
    pelt_pose pose;
    pelt_node* nodes = (pelt_node*)out->nodes;
    pelt_mat34* model_from_node = pelt_allocate(out->node_count, sizeof *model_from_node);
    pelt_result result = model_from_node != NULL ? pelt_pose_create(&pose, out) : PELT_ERROR_MEMORY;
    if (result == PELT_OK)
    {
        pelt_pose_to_model(model_from_node, out, &pose);
        for (uint32_t i = 0; i < out->helper_count; ++i)
        {
            const pelt_helper* helper = &out->helpers[i];
            nodes[helper->node].rest =
                pelt_helper_evaluate(helper, &model_from_node[nodes[helper->node].parent],
                                     &model_from_node[helper->source]);
        }
        pelt_pose_destroy(&pose);
    }
    pelt_release(model_from_node);
    return result;
}

static pelt_result extend_skin(helper_scene* work, uint32_t index)
{
    const pelti_fit* fit = work->fit;
    const pelt_skin* source = &fit->scene->skins[index];
    pelt_skin* skin = &((pelt_skin*)work->out->skins)[index];
    const uint32_t* slots = &work->slots[(size_t)index * fit->helper_count];
    uint32_t count = source->joint_count;
    for (uint32_t h = 0; h < fit->helper_count; ++h)
    {
        count += slots[h] != PELT_NONE;
    }
    uint32_t* joints = pelt_arena_alloc(work->out->arena, count, sizeof *joints);
    pelt_mat34* binds = pelt_arena_alloc(work->out->arena, count, sizeof *binds);
    if (joints == NULL || binds == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(joints, source->joints, source->joint_count * sizeof *joints);
    memcpy(binds, source->inverse_binds, source->joint_count * sizeof *binds);
    for (uint32_t h = 0; h < fit->helper_count; ++h)
    {
        if (slots[h] == PELT_NONE)
        {
            continue;
        }
        // In the bind pose the helper is its parent, moved to the center.
        const pelt_helper* helper = &work->out->helpers[work->numbers[h]];
        uint32_t parent = work->out->nodes[helper->node].parent;
        pelt_mat34* bind = &binds[slots[h]];
        *bind = source->inverse_binds[pelt_skin_find_joint(source, parent)];
        bind->m[0][3] -= helper->center.x;
        bind->m[1][3] -= helper->center.y;
        bind->m[2][3] -= helper->center.z;
        joints[slots[h]] = helper->node;
    }
    skin->joints = joints;
    skin->inverse_binds = binds;
    skin->joint_count = count;
    return PELT_OK;
}

// Strongest first, equal weights by joint.
static uint32_t write_blend(pelt_influence* out, const helper_scene* work, const pelti_blend* blend,
                            const pelti_helper_part* part, uint32_t v)
{
    const pelti_fit* fit = work->fit;
    const pelt_weights* source = &fit->scene->meshes[part->mesh].weights;
    for (uint32_t k = 0; k < blend->count; ++k)
    {
        const pelti_term* term = &blend->terms[k];
        uint32_t joint = term->index < fit->joint_count
                             ? source->influences[source->first[v] + term->influence].joint
                             : work->slots[(size_t)part->skin * fit->helper_count + term->index -
                                           fit->joint_count];
        pelt_influence now = {(pelt_joint_index)joint, 0, (float)term->weight};
        uint32_t at = k;
        while (at > 0 && (out[at - 1].weight < now.weight ||
                          (out[at - 1].weight == now.weight && out[at - 1].joint > now.joint)))
        {
            out[at] = out[at - 1];
            --at;
        }
        out[at] = now;
    }
    for (uint32_t k = 0; k < blend->count; ++k)
    {
        out[k].slot = (uint16_t)k;
    }
    return blend->count;
}

static pelt_result write_weights(helper_scene* work, const pelti_helper_part* part)
{
    const pelti_fit* fit = work->fit;
    pelt_mesh* mesh = &((pelt_mesh*)work->out->meshes)[part->mesh];
    const pelt_weights* source = &fit->scene->meshes[part->mesh].weights;
    size_t room = 0, count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t own = fit->blends[part->points[v]].count;
        room += own > 0 ? own : source->first[v + 1] - source->first[v];
    }
    uint32_t* first =
        pelt_arena_alloc(work->out->arena, (size_t)mesh->vertex_count + 1, sizeof *first);
    pelt_influence* influences = pelt_arena_alloc(work->out->arena, room, sizeof *influences);
    if (first == NULL || influences == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_weights weights = {.vertex_count = mesh->vertex_count,
                            .joint_count = work->out->skins[part->skin].joint_count,
                            .first = first,
                            .influences = influences};
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        const pelti_blend* blend = &fit->blends[part->points[v]];
        uint32_t own = source->first[v + 1] - source->first[v];
        first[v] = (uint32_t)count;
        if (blend->count > 0)
        {
            own = write_blend(influences + count, work, blend, part, v);
        }
        else if (own > 0)
        {
            memcpy(influences + count, source->influences + source->first[v],
                   own * sizeof *influences);
        }
        count += own;
        weights.max_influences = own > weights.max_influences ? own : weights.max_influences;
        work->report->changed_count += blend->count > 0;
        work->report->kept_count += blend->count == 0;
    }
    first[mesh->vertex_count] = (uint32_t)count;
    weights.influence_count = (uint32_t)count;
    mesh->weights = weights;
    return PELT_OK;
}

// Centers follow from the weights of all meshes of a skin, factors from those of the mesh.
static void drop_prepared(helper_scene* work)
{
    pelt_helpers_report* report = work->report;
    pelt_scene* out = work->out;
    pelt_mesh* meshes = (pelt_mesh*)out->meshes;
    for (uint32_t i = 0; i < out->instance_count; ++i)
    {
        uint32_t skin = out->instances[i].skin;
        pelt_mesh* mesh = &meshes[out->instances[i].mesh];
        if (skin == PELT_NONE ||
            out->skins[skin].joint_count == work->fit->scene->skins[skin].joint_count)
        {
            continue;
        }
        report->cors_count += mesh->cors != NULL;
        report->factors_count += mesh->normal_factors != NULL;
        report->mix_count += mesh->is_mix_computed;
        mesh->cors = NULL;
        mesh->normal_factors = NULL;
        mesh->bounds = NULL;
        mesh->mix_factors = mesh->is_mix_computed ? NULL : mesh->mix_factors;
        mesh->is_mix_computed = false;
        mesh->weights.joint_count = out->skins[skin].joint_count > mesh->weights.joint_count
                                        ? out->skins[skin].joint_count
                                        : mesh->weights.joint_count;
    }
}

static pelt_result list_items(helper_scene* work, pelt_arena* arena)
{
    pelt_helpers_report* report = work->report;
    pelt_helpers_item* items = pelt_arena_alloc(arena, report->count, sizeof *items);
    for (uint32_t h = 0; h < work->fit->helper_count && items != NULL; ++h)
    {
        if (work->numbers[h] != PELT_NONE)
        {
            items[report->item_count++] = (pelt_helpers_item){work->numbers[h], work->uses[h]};
        }
    }
    report->items = items;
    return items != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

static pelt_result build_scene(helper_scene* work, pelt_arena* arena)
{
    pelti_fit* fit = work->fit;
    work->out = pelti_scene_copy(fit->scene);
    size_t slot_count = (size_t)fit->scene->skin_count * fit->helper_count;
    work->numbers = pelt_arena_alloc(fit->arena, fit->helper_count, sizeof *work->numbers);
    work->uses = pelt_arena_alloc(fit->arena, fit->helper_count, sizeof *work->uses);
    work->slots = pelt_arena_alloc(fit->arena, slot_count, sizeof *work->slots);
    if (work->out == NULL || work->numbers == NULL || work->uses == NULL || work->slots == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    number_helpers(work);
    PELT_TRY(add_nodes(work));
    PELT_TRY(set_rest(work->out));
    for (uint32_t i = 0; i < work->out->skin_count; ++i)
    {
        PELT_TRY(extend_skin(work, i));
    }
    for (uint32_t i = 0; i < fit->part_count; ++i)
    {
        PELT_TRY(write_weights(work, &fit->parts[i]));
    }
    drop_prepared(work);
    if (!fit->options->is_rule_only)
    {
        PELT_TRY(pelti_helpers_add_tracks(work->out, &work->report->track_count, fit->size));
    }
    PELT_TRY(list_items(work, arena));
    return pelti_helpers_measure(work->report, fit, work->out, arena);
}

// ---------------------------------------------------------------------------------------------

static pelt_result check_options(const pelt_helpers_options* options, const pelt_scene* scene,
                                 pelt_error* error)
{
    if (options->max_influences > PELTI_HELPER_INFLUENCES || !(options->max_error >= 0.0f) ||
        options->max_joints > PELT_MAX_JOINTS)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "Helper joints take up to %d influences, an error that is not "
                              "negative and at most %u joints.",
                              PELTI_HELPER_INFLUENCES, PELT_MAX_JOINTS);
    }
    if (scene->helper_count > 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "The scene has %u helper joints already; start from the file "
                              "without them.",
                              scene->helper_count);
    }
    return pelt_deform_options_validate(&options->target, error);
}

static pelt_result fit_all(helper_scene* work, pelt_arena* arena, pelt_error* error)
{
    pelti_fit* fit = work->fit;
    PELT_TRY(pelti_fit_prepare(fit, error));
    if (!pelti_fit_find_pairs(fit) || !choose_sample(fit))
    {
        return pelt_error_memory(error);
    }
    fit->helper_room = find_room(fit);
    fit->helpers = pelt_arena_alloc(fit->arena, fit->helper_room, sizeof *fit->helpers);
    pelt_helpers_step* steps =
        pelt_arena_alloc(arena, 2 + sizeof step_counts / sizeof *step_counts, sizeof *steps);
    if (fit->helpers == NULL || steps == NULL)
    {
        return pelt_error_memory(error);
    }
    work->report->all_pairs = fit->pair_count;
    work->report->steps = steps;
    // Where no vertex follows more than one joint, linear blending is exact and there is no error.
    work->report->is_reached = fit->sample_count == 0;
    pelt_result result = fit->sample_count > 0 ? grow(fit, work->report, steps) : PELT_OK;
    if (result == PELT_OK)
    {
        pelti_fit_keep(fit);
        result = build_scene(work, arena);
    }
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}

static uint32_t count_shared(const pelti_fit* fit)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < fit->scene->mesh_count; ++i)
    {
        count += fit->scene->meshes[i].weights.first != NULL;
    }
    return count - fit->part_count;
}

pelt_result pelt_helpers_add(pelt_scene** out, const pelt_scene* scene,
                             const pelt_helpers_options* options, pelt_helpers_report* report,
                             pelt_arena* arena, pelt_error* error)
{
    PELT_ASSERT(out != NULL && scene != NULL && (arena != NULL || report == NULL));
    static const pelt_helpers_options defaults;
    pelt_helpers_report unused;
    options = options != NULL ? options : &defaults;
    *out = NULL;
    PELT_TRY(check_options(options, scene, error));
    pelti_fit fit = {.scene = scene, .options = options, .arena = pelt_arena_create()};
    helper_scene work = {.fit = &fit, .report = report != NULL ? report : &unused};
    *work.report = (pelt_helpers_report){0};
    pelt_result result = fit.arena != NULL
                             ? fit_all(&work, arena != NULL ? arena : fit.arena, error)
                             : pelt_error_memory(error);
    if (result == PELT_OK)
    {
        work.report->shared_count = count_shared(&fit);
        *out = work.out;
    }
    else
    {
        pelt_scene_destroy(work.out);
    }
    pelt_arena_destroy(fit.arena);
    return result == PELT_ERROR_CANCELED
               ? pelt_error_set(error, result, "Adding helper joints was canceled by the caller.")
               : result;
}
