// SPDX-License-Identifier: MIT
// Twist joints added to a scene: nodes, skins, weights and clips.
#include "../base/exact.h"

#include "twist.h"

#include "../scene/scene_copy.h"

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

static pelt_node make_node(const twist_work* work, const pelti_twist_bone* bone, uint32_t k)
{
    double roll = pelti_twist_roll(&bone->facts, pelti_twist_rest(bone, &work->rig), k);
    pelt_node node = {.parent = bone->facts.node, .rest = pelt_transform_identity()};
    node.name = pelt_arena_format(work->out->arena, "%s_twist%u",
                                  work->out->nodes[bone->facts.node].name, k);
    node.rest.translation = pelt_vec3_scale(bone->end, pelti_twist_place(&bone->facts, k));
    node.rest.rotation = pelt_quat_axis_angle(bone->axis, (float)roll);
    return node;
}

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
        for (uint32_t k = 1; k <= work->bones[i].facts.count; ++k)
        {
            pelt_node* node = &nodes[out->node_count++];
            *node = make_node(work, &work->bones[i], k);
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

static const pelti_twist_bone* find_bone(const twist_work* work, uint32_t node)
{
    for (uint32_t i = 0; i < work->options->twist_count; ++i)
    {
        if (work->bones[i].facts.node == node)
        {
            return &work->bones[i];
        }
    }
    return NULL;
}

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
        const pelti_twist_bone* bone = find_bone(work, skin->joints[joint]);
        if (bone != NULL)
        {
            out->list[out->count++] =
                (pelti_twist_split){joint, out->joint_count, bone, skin->inverse_binds[joint]};
            out->joint_count += bone->facts.count;
        }
    }
    return PELT_OK;
}

// The joint's own inverse bind, then to the place along the bone: at rest it moves as the joint.
static pelt_mat34 inverse_bind_of(const pelti_twist_split* split, uint32_t k)
{
    pelt_mat34 out = split->joint_from_bind;
    pelt_vec3 place = pelt_vec3_scale(split->bone->end, pelti_twist_place(&split->bone->facts, k));
    out.m[0][3] -= place.x;
    out.m[1][3] -= place.y;
    out.m[2][3] -= place.z;
    return out;
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
        for (uint32_t k = 1; k <= split->bone->facts.count; ++k)
        {
            joints[split->first + k - 1] = split->bone->first_node + k - 1;
            binds[split->first + k - 1] = inverse_bind_of(split, k);
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

static bool is_split(const twist_work* work, const pelt_instance* instance)
{
    return instance->skin != PELT_NONE && work->splits[instance->skin].count > 0;
}

// The first skin that splits a mesh changes the mesh itself, unless somebody needs it as it was.
static bool needs_copy(const twist_work* work, const pelt_scene* source, uint32_t index)
{
    const pelt_instance* wanted = &source->instances[index];
    bool is_first = true;
    for (uint32_t i = 0; i < source->instance_count; ++i)
    {
        const pelt_instance* other = &source->instances[i];
        // Who follows a node looks at no weights.
        if (other->mesh != wanted->mesh || other->skin == PELT_NONE)
        {
            continue;
        }
        if (!is_split(work, other))
        {
            return true;
        }
        is_first = is_first && (i >= index || other->skin == wanted->skin);
    }
    return !is_first;
}

// An earlier instance of the same mesh on the same skin has done the work.
static uint32_t find_twin(const pelt_scene* source, uint32_t index)
{
    const pelt_instance* wanted = &source->instances[index];
    for (uint32_t i = 0; i < index; ++i)
    {
        if (source->instances[i].mesh == wanted->mesh && source->instances[i].skin == wanted->skin)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static pelt_result split_mesh(twist_work* work, pelt_mesh* mesh, uint32_t skin)
{
    // Centers follow from the weights of all meshes of a skin, factors from those of the mesh.
    work->report.cors_count += mesh->cors != NULL;
    work->report.factors_count += mesh->normal_factors != NULL;
    mesh->cors = NULL;
    mesh->normal_factors = NULL;
    return pelti_twist_split_weights(mesh, &work->report, &work->splits[skin], work->out->arena);
}

static pelt_result split_instance(twist_work* work, pelt_mesh* meshes, uint32_t index)
{
    const pelt_scene* source = work->rig.scene;
    pelt_instance* instance = (pelt_instance*)&work->out->instances[index];
    uint32_t twin = find_twin(source, index);
    if (twin != PELT_NONE)
    {
        instance->mesh = work->out->instances[twin].mesh;
        return PELT_OK;
    }
    if (needs_copy(work, source, index))
    {
        // Arrays are shared within the arena; nothing writes to them but their replacement.
        meshes[work->out->mesh_count] = meshes[instance->mesh];
        meshes[work->out->mesh_count].weights = source->meshes[instance->mesh].weights;
        instance->mesh = work->out->mesh_count++;
        ++work->report.copied_count;
    }
    return split_mesh(work, &meshes[instance->mesh], instance->skin);
}

static pelt_result split_meshes(twist_work* work)
{
    pelt_scene* out = work->out;
    size_t room = (size_t)out->mesh_count + out->instance_count;
    pelt_mesh* meshes = pelt_arena_alloc(out->arena, room, sizeof *meshes);
    if (meshes == NULL)
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
        if (is_split(work, &work->rig.scene->instances[i]) &&
            split_instance(work, meshes, i) != PELT_OK)
        {
            return PELT_ERROR_MEMORY;
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static pelt_result extend(twist_work* work, pelt_arena* scratch, pelt_error* error)
{
    if (add_nodes(work) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = extend_skins(work, scratch, error);
    if (result != PELT_OK)
    {
        return result;
    }
    if (split_meshes(work) != PELT_OK ||
        pelti_twist_add_tracks(work->out, &work->report, &work->rig, work->bones,
                               work->options->twist_count) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    return PELT_OK;
}

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
    pelt_result result =
        pelti_twist_plan(work->bones, &work->rig, work->options->twists, count, error);
    if (result != PELT_OK)
    {
        return result;
    }
    work->out = pelti_scene_copy(scene);
    return work->out != NULL ? extend(work, scratch, error) : pelt_error_memory(error);
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
