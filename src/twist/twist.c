// SPDX-License-Identifier: MIT
// The copy of a scene with twist joints, and the split of weights between them.
#include "../base/exact.h"

#include "twist.h"

#include "../scene/scene_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct twist_work
{
    const pelt_twist_options* options;
    pelti_twist_rig rig; // of the source
    pelti_twist_bone* bones;
    pelti_twist_splits* splits; // of each skin
    pelt_scene* out;
    pelt_twist_report report;
} twist_work;

// ---------------------------------------------------------------------------------------------
// Nodes

static pelt_result add_nodes(twist_work* work)
{
    pelt_scene* out = work->out;
    for (uint32_t i = 0; i < work->options->twist_count; ++i)
    {
        work->bones[i].first_node = out->node_count + work->report.joint_count;
        work->report.joint_count += work->bones[i].facts.count;
    }
    size_t room = (size_t)out->node_count + work->report.joint_count;
    pelt_node* nodes = pelt_arena_alloc(out->arena, room, sizeof *nodes);
    if (nodes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    if (out->node_count > 0)
    {
        memcpy(nodes, out->nodes, out->node_count * sizeof *nodes);
    }
    for (uint32_t i = 0; i < work->options->twist_count; ++i)
    {
        const pelti_twist_bone* bone = &work->bones[i];
        for (uint32_t k = 1; k <= bone->facts.count; ++k)
        {
            double roll = pelti_twist_roll(&bone->facts, bone->rest, k);
            pelt_node* node = &nodes[out->node_count++];
            *node = (pelt_node){.parent = bone->facts.node, .rest = pelt_transform_identity()};
            node->name =
                pelt_arena_format(out->arena, "%s_twist%u", nodes[bone->facts.node].name, k);
            node->rest.translation =
                pelt_vec3_scale(bone->end, pelti_twist_fraction(&bone->facts, k));
            node->rest.rotation = pelt_quat_axis_angle(bone->axis, (float)roll);
            if (node->name == NULL)
            {
                return PELT_ERROR_MEMORY;
            }
        }
    }
    out->nodes = nodes;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Skins

static pelt_result find_splits(pelti_twist_splits* out, const twist_work* work,
                               const pelt_skin* skin, pelt_arena* scratch)
{
    *out = (pelti_twist_splits){
        .joint_count = skin->joint_count,
        .max_influences = work->options->max_influences,
        .list = pelt_arena_alloc(scratch, skin->joint_count, sizeof *out->list),
    };
    if (out->list == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        uint32_t request = work->rig.requests[skin->joints[joint]];
        if (request != PELT_NONE)
        {
            const pelti_twist_bone* bone = &work->bones[request];
            out->list[out->count++] =
                (pelti_twist_split){joint, out->joint_count, bone, skin->inverse_binds[joint]};
            out->joint_count += bone->facts.count;
        }
    }
    return PELT_OK;
}

static pelt_result extend_skin(pelt_skin* skin, const pelti_twist_splits* splits, pelt_arena* arena)
{
    uint32_t* joints = pelt_arena_alloc(arena, splits->joint_count, sizeof *joints);
    pelt_mat34* binds = pelt_arena_alloc(arena, splits->joint_count, sizeof *binds);
    if (joints == NULL || binds == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(joints, skin->joints, skin->joint_count * sizeof *joints);
    memcpy(binds, skin->inverse_binds, skin->joint_count * sizeof *binds);
    for (uint32_t i = 0; i < splits->count; ++i)
    {
        const pelti_twist_split* split = &splits->list[i];
        const pelti_twist_bone* bone = split->bone;
        for (uint32_t k = 1; k <= bone->facts.count; ++k)
        {
            // The joint's own inverse bind, then to the position along the bone: at rest it moves
            // as the joint.
            pelt_mat34* bind = &binds[split->first + k - 1];
            pelt_vec3 position = pelt_vec3_scale(bone->end, pelti_twist_fraction(&bone->facts, k));
            *bind = split->joint_from_bind;
            bind->m[0][3] -= position.x;
            bind->m[1][3] -= position.y;
            bind->m[2][3] -= position.z;
            joints[split->first + k - 1] = bone->first_node + k - 1;
        }
    }
    skin->joint_count = splits->joint_count;
    skin->joints = joints;
    skin->inverse_binds = binds;
    return PELT_OK;
}

static pelt_result extend_skins(twist_work* work, pelt_arena* scratch, pelt_error* error)
{
    pelt_skin* skins = (pelt_skin*)work->out->skins;
    for (uint32_t i = 0; i < work->out->skin_count; ++i)
    {
        pelti_twist_splits* splits = &work->splits[i];
        if (find_splits(splits, work, &skins[i], scratch) != PELT_OK)
        {
            return pelt_error_memory(error);
        }
        if (splits->joint_count > PELT_MAX_JOINTS)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "skin %u would get %u joints with twist joints, and %d are the "
                                  "most that weights can name",
                                  i, splits->joint_count, PELT_MAX_JOINTS);
        }
        if (splits->count > 0 && extend_skin(&skins[i], splits, work->out->arena) != PELT_OK)
        {
            return pelt_error_memory(error);
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Meshes

// A mesh on a skin.
typedef struct pairing
{
    uint32_t mesh, skin, instance;
} pairing;

static int compare_pairings(const void* a, const void* b)
{
    const pairing *x = a, *y = b;
    if (x->mesh != y->mesh)
    {
        return x->mesh < y->mesh ? -1 : 1;
    }
    if (x->skin != y->skin)
    {
        return x->skin < y->skin ? -1 : 1;
    }
    return (x->instance > y->instance) - (x->instance < y->instance);
}

// For each instance: the first of the same mesh on the same skin, which does the work for all.
static uint32_t* find_twins(const pelt_scene* scene, pelt_arena* scratch)
{
    uint32_t count = scene->instance_count;
    uint32_t* twins = pelt_arena_alloc(scratch, count, sizeof *twins);
    pairing* sorted = pelt_arena_alloc(scratch, count, sizeof *sorted);
    if (twins == NULL || sorted == NULL)
    {
        return NULL;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        sorted[i] = (pairing){scene->instances[i].mesh, scene->instances[i].skin, i};
    }
    qsort(sorted, count, sizeof *sorted, compare_pairings);
    for (uint32_t i = 0, first = 0; i < count; ++i)
    {
        bool is_same = sorted[i].mesh == sorted[first].mesh && sorted[i].skin == sorted[first].skin;
        first = is_same ? first : i;
        twins[sorted[i].instance] = sorted[first].instance;
    }
    return twins;
}

static pelt_result split_mesh(twist_work* work, pelt_mesh* mesh, uint32_t skin)
{
    // Centers follow from the weights of all meshes of a skin, factors from those of the mesh; mix
    // factors only if they were computed.
    work->report.cors_count += mesh->cors != NULL;
    work->report.factors_count += mesh->normal_factors != NULL;
    work->report.mix_count += mesh->is_mix_computed;
    mesh->cors = NULL;
    mesh->normal_factors = NULL;
    mesh->bounds = NULL;
    mesh->mix_factors = mesh->is_mix_computed ? NULL : mesh->mix_factors;
    mesh->is_mix_computed = false;
    return pelti_twist_split_weights(mesh, &work->report, &work->splits[skin], work->out->arena);
}

// The first skin that splits a mesh changes the mesh itself, unless another instance needs it
// unchanged.
static pelt_result split_meshes(twist_work* work, pelt_arena* scratch)
{
    pelt_scene* out = work->out;
    const pelt_scene* source = work->rig.scene;
    pelt_instance* instances = (pelt_instance*)out->instances;
    size_t room = (size_t)out->mesh_count + out->instance_count;
    pelt_mesh* meshes = pelt_arena_alloc(out->arena, room, sizeof *meshes);
    bool* is_taken = pelt_arena_alloc(scratch, out->mesh_count, sizeof *is_taken);
    const uint32_t* twins = find_twins(source, scratch);
    if (meshes == NULL || is_taken == NULL || twins == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    if (out->mesh_count > 0)
    {
        memcpy(meshes, out->meshes, out->mesh_count * sizeof *meshes);
    }
    out->meshes = meshes;
    for (uint32_t i = 0; i < out->instance_count; ++i)
    {
        // An instance that follows a node has no weights.
        uint32_t skin = instances[i].skin;
        is_taken[instances[i].mesh] |= skin != PELT_NONE && work->splits[skin].count == 0;
    }
    for (uint32_t i = 0; i < out->instance_count; ++i)
    {
        uint32_t skin = instances[i].skin, original = instances[i].mesh;
        if (skin == PELT_NONE || work->splits[skin].count == 0)
        {
            continue;
        }
        if (twins[i] != i)
        {
            instances[i].mesh = instances[twins[i]].mesh;
            continue;
        }
        if (is_taken[original])
        {
            // Arrays are shared within the arena; they are replaced, never written.
            meshes[out->mesh_count] = meshes[original];
            meshes[out->mesh_count].weights = source->meshes[original].weights;
            instances[i].mesh = out->mesh_count++;
            ++work->report.copied_count;
        }
        is_taken[original] = true;
        if (split_mesh(work, &meshes[instances[i].mesh], skin) != PELT_OK)
        {
            return PELT_ERROR_MEMORY;
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static pelt_result make(twist_work* work, const pelt_scene* scene, pelt_arena* scratch,
                        pelt_error* error)
{
    uint32_t count = work->options->twist_count;
    work->bones = pelt_arena_alloc(scratch, count, sizeof *work->bones);
    work->splits = pelt_arena_alloc(scratch, scene->skin_count, sizeof *work->splits);
    if (!work->bones || !work->splits || !pelti_twist_rig_create(&work->rig, scene, scratch))
    {
        return pelt_error_memory(error);
    }
    PELT_TRY(pelti_twist_plan(work->bones, &work->rig, work->options->twists, count, error));
    work->out = pelti_scene_copy(scene);
    if (work->out == NULL || add_nodes(work) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    PELT_TRY(extend_skins(work, scratch, error));
    if (split_meshes(work, scratch) != PELT_OK ||
        pelti_twist_add_tracks(work->out, &work->report, &work->rig, work->bones, count) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    return PELT_OK;
}

pelt_result pelt_twist_add(pelt_scene** out, const pelt_scene* scene,
                           const pelt_twist_options* options, pelt_twist_report* report,
                           pelt_error* error)
{
    *out = NULL;
    twist_work work = {.options = options};
    pelt_arena* scratch = pelt_arena_create();
    pelt_result result =
        scratch != NULL ? make(&work, scene, scratch, error) : pelt_error_memory(error);
    pelt_arena_destroy(scratch);
    if (result != PELT_OK)
    {
        pelt_scene_destroy(work.out);
        return result;
    }
    *out = work.out;
    if (report != NULL)
    {
        *report = work.report;
    }
    return PELT_OK;
}

// =============================================================================================
// Weights of a joint handed on to its twist joints, by hat functions along the bone.

// Weights as pelt_weights_import() needs them, under construction.
typedef struct raw_weights
{
    uint32_t count;
    uint32_t* first;
    uint32_t* joints;
    float* weights;
    pelt_influence* scratch; // of one vertex
} raw_weights;

// ---------------------------------------------------------------------------------------------
// Hats

// The stations of a bone are evenly spaced: its twist joints and, but for BOTH, the joint itself
// where its own motion is the right one, at the start or at the end.
static uint32_t slot_of_station(const pelti_twist_split* split, uint32_t station)
{
    const pelt_twist_bone* bone = &split->bone->facts;
    bool is_shifted = bone->source == PELT_TWIST_CHILD;
    bool is_joint = is_shifted ? station == 0 : station == bone->count;
    return is_joint ? split->joint : split->first + station - (is_shifted ? 1u : 0u);
}

static float fraction_at_station(const pelt_twist_bone* bone, uint32_t station)
{
    bool is_shifted = bone->source == PELT_TWIST_CHILD;
    return pelti_twist_fraction(bone, station + (is_shifted ? 0u : 1u));
}

static void push(raw_weights* out, uint32_t joint, float weight)
{
    out->joints[out->count] = joint;
    out->weights[out->count++] = weight;
}

static void push_split(raw_weights* out, const pelti_twist_split* split, pelt_vec3 position,
                       float weight)
{
    const pelti_twist_bone* bone = split->bone;
    pelt_vec3 p = pelt_mat34_point(&split->joint_from_bind, position);
    float part = pelt_vec3_dot(p, bone->end) / pelt_vec3_dot(bone->end, bone->end);
    uint32_t last = bone->facts.count - (bone->facts.source == PELT_TWIST_BOTH ? 1u : 0u);
    float begin = fraction_at_station(&bone->facts, 0),
          end = fraction_at_station(&bone->facts, last);
    float u = part > begin ? fminf((part - begin) / (end - begin), 1.0f) * (float)last : 0.0f;
    uint32_t station = u < (float)last ? (uint32_t)u : last - 1;
    float second = weight * (u - (float)station);
    push(out, slot_of_station(split, station), weight - second);
    push(out, slot_of_station(split, station + 1), second);
}

// ---------------------------------------------------------------------------------------------
// Meshes

static int compare_joint(const void* key, const void* split)
{
    uint32_t a = *(const uint32_t*)key, b = ((const pelti_twist_split*)split)->joint;
    return (a > b) - (a < b);
}

static int by_slot(const void* a, const void* b)
{
    const pelt_influence *x = a, *y = b;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

// In the order of the source, which the import then keeps as slots.
static bool push_vertex(raw_weights* out, const pelt_mesh* mesh, const pelti_twist_splits* splits,
                        uint32_t v)
{
    const pelt_weights* weights = &mesh->weights;
    uint32_t count = weights->first[v + 1] - weights->first[v];
    bool has_split = false;
    if (count > 0)
    {
        memcpy(out->scratch, weights->influences + weights->first[v], count * sizeof *out->scratch);
        qsort(out->scratch, count, sizeof *out->scratch, by_slot);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_influence* influence = &out->scratch[i];
        uint32_t joint = influence->joint;
        const pelti_twist_split* split =
            bsearch(&joint, splits->list, splits->count, sizeof *split, compare_joint);
        if (split == NULL)
        {
            push(out, influence->joint, influence->weight);
            continue;
        }
        push_split(out, split, mesh->positions[v], influence->weight);
        has_split = true;
    }
    return has_split;
}

static pelt_result import(pelt_mesh* mesh, pelt_twist_report* report, raw_weights* raw,
                          const pelti_twist_splits* splits, pelt_arena* arena)
{
    pelt_weights* weights = &mesh->weights;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        raw->first[v] = raw->count;
        report->split_count += push_vertex(raw, mesh, splits, v);
    }
    raw->first[mesh->vertex_count] = raw->count;
    pelt_weights_source source = {.vertex_count = mesh->vertex_count,
                                  .joint_count = splits->joint_count,
                                  .first = raw->first,
                                  .joints_u32 = raw->joints,
                                  .weights = raw->weights,
                                  .max_influences = splits->max_influences};
    pelt_weights_report found = {0};
    PELT_TRY(pelt_weights_import(weights, &found, &source, arena));
    report->pruned_count += found.pruned;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        report->over_four_count += weights->first[v + 1] - weights->first[v] > 4;
    }
    bool is_most = weights->max_influences > report->max_influences;
    report->max_influences = is_most ? weights->max_influences : report->max_influences;
    return PELT_OK;
}

pelt_result pelti_twist_split_weights(pelt_mesh* mesh, pelt_twist_report* report,
                                      const pelti_twist_splits* splits, pelt_arena* arena)
{
    size_t room = 2 * (size_t)mesh->weights.influence_count;
    raw_weights raw = {
        .first = pelt_allocate((size_t)mesh->vertex_count + 1, sizeof *raw.first),
        .joints = pelt_allocate(room, sizeof *raw.joints),
        .weights = pelt_allocate(room, sizeof *raw.weights),
        .scratch = pelt_allocate(mesh->weights.max_influences, sizeof *raw.scratch),
    };
    pelt_result result = raw.first && raw.joints && raw.weights && raw.scratch
                             ? import(mesh, report, &raw, splits, arena)
                             : PELT_ERROR_MEMORY;
    pelt_release(raw.first);
    pelt_release(raw.joints);
    pelt_release(raw.weights);
    pelt_release(raw.scratch);
    return result;
}
