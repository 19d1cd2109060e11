// SPDX-License-Identifier: MIT
// Motions of joints as transforms of nodes: from the bind pose to the model, and back down the
// hierarchy.
#include "../base/exact.h"

#include "unbake_scene.h"

#include "../baked/baked_decode.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Joints and nodes

// Ancestors are in the order of their nodes, so names that occur twice are found one after another.
static uint32_t find_node(const pelt_scene* scene, const char* name, uint32_t first)
{
    for (uint32_t i = first; i < scene->node_count; ++i)
    {
        const char* own = scene->nodes[i].name != NULL ? scene->nodes[i].name : "";
        if (strcmp(own, name) == 0)
        {
            return i;
        }
    }
    return PELT_NONE;
}

// The nodes of sockets and ancestors, which a bake knows by name; all others follow from skins and
// instances.
static pelt_result find_named(uint32_t* nodes, uint32_t* count, const pelt_baked* baked,
                              const pelt_scene* scene, pelt_error* error)
{
    uint32_t next = 0;
    *count = 0;
    for (uint32_t i = 0; i < baked->joint_count; ++i)
    {
        const pelt_baked_joint* joint = &baked->joints[i];
        bool is_ancestor = joint->kind == PELT_BAKED_ANCESTOR;
        if (!is_ancestor && joint->kind != PELT_BAKED_SOCKET)
        {
            continue;
        }
        uint32_t node = find_node(scene, joint->name, is_ancestor ? next : 0);
        if (node == PELT_NONE)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "the scene has no node \"%.100s\", which the bake moves: it is "
                                  "not the one that was baked",
                                  joint->name);
        }
        next = is_ancestor ? node + 1 : next;
        nodes[(*count)++] = node;
    }
    return PELT_OK;
}

// Of several joints on a node the first that a vertex follows. Where nothing follows a joint, only
// LOCAL knows how it moves; nodes of the others keep their places relative to their parents.
static void choose_joints(pelti_unbake_rig* rig)
{
    const pelti_bake_source* source = &rig->source;
    bool has_all = rig->baked->encoding == PELT_ENCODING_LOCAL;
    for (uint32_t node = 0; node < rig->scene->node_count; ++node)
    {
        rig->joint_of[node] = PELT_NONE;
    }
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        const pelti_bake_joint* own = &source->joints[joint];
        uint32_t* chosen = &rig->joint_of[own->node];
        bool has_bind = pelt_mat34_inverse(&rig->binds[joint], &own->inverse);
        bool is_better = *chosen == PELT_NONE || (own->is_used && !source->joints[*chosen].is_used);
        if (has_bind && is_better && (own->is_used || has_all))
        {
            *chosen = joint;
        }
    }
}

pelt_result pelti_unbake_rig_create(pelti_unbake_rig* out, const pelt_baked* baked,
                                    const pelt_scene* scene, pelt_arena* arena, pelt_error* error)
{
    *out = (pelti_unbake_rig){.baked = baked, .scene = scene};
    uint32_t* nodes = pelt_arena_alloc(arena, baked->joint_count, sizeof *nodes);
    uint32_t count = 0;
    out->joint_of = pelt_arena_alloc(arena, scene->node_count, sizeof *out->joint_of);
    out->binds = pelt_arena_alloc(arena, baked->joint_count, sizeof *out->binds);
    if (nodes == NULL || out->joint_of == NULL || out->binds == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = find_named(nodes, &count, baked, scene, error);
    if (result == PELT_OK)
    {
        const pelt_bake_options named = {.socket_count = count, .sockets = nodes};
        result = pelti_bake_source_create(&out->source, scene, &named, false, arena, error);
    }
    if (result == PELT_OK && out->source.joint_count != baked->joint_count)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "the scene has %u joints and the bake %u: it is not the one that was "
                              "baked",
                              out->source.joint_count, baked->joint_count);
    }
    if (result == PELT_OK)
    {
        choose_joints(out);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Poses

// The nearest transform, and how much of the stretch is off the axes, relative to the largest.
static pelt_transform decompose(float* shear, const pelt_mat34* matrix)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix), rotation, stretch;
    pelt_mat3_polar(&rotation, &stretch, &linear);
    pelt_vec3 scale = {stretch.m[0][0], stretch.m[1][1], stretch.m[2][2]};
    float largest = fmaxf(fabsf(scale.x), fmaxf(fabsf(scale.y), fabsf(scale.z)));
    float off =
        fmaxf(fabsf(stretch.m[0][1]), fmaxf(fabsf(stretch.m[0][2]), fabsf(stretch.m[1][2])));
    *shear = largest > 0.0f ? off / largest : 0.0f;
    return (pelt_transform){pelt_mat34_translation(matrix), pelt_quat_from_mat3(&rotation), scale};
}

void pelti_unbake_locals(pelt_transform* locals, float* shears, const pelti_unbake_rig* rig,
                         uint32_t clip, float time, pelt_mat34* motions,
                         pelt_mat34* model_from_node)
{
    const pelt_playback playback = {.base = {clip, time, PELT_WRAP_CLAMP}};
    pelt_unbake(motions, rig->baked, &playback);
    for (uint32_t node = 0; node < rig->scene->node_count; ++node)
    {
        const pelt_node* own = &rig->scene->nodes[node];
        uint32_t joint = rig->joint_of[node];
        // Where the parent really is, so that what it cannot hold does not add up.
        pelt_mat34 parent =
            own->parent != PELT_NONE ? model_from_node[own->parent] : pelt_mat34_identity();
        pelt_mat34 back;
        locals[node] = own->rest;
        if (joint != PELT_NONE && pelt_mat34_inverse(&back, &parent))
        {
            float shear;
            pelt_mat34 wanted = pelt_mat34_mul(&motions[joint], &rig->binds[joint]);
            pelt_mat34 local = pelt_mat34_mul(&back, &wanted);
            locals[node] = decompose(&shear, &local);
            if (shears != NULL)
            {
                shears[node] = fmaxf(shears[node], shear);
            }
        }
        pelt_mat34 local = pelt_mat34_from_transform(locals[node]);
        model_from_node[node] = pelt_mat34_mul(&parent, &local);
    }
}

void pelti_rig_motions(pelt_mat34* out, const pelti_unbake_rig* rig,
                       const pelt_mat34* model_from_node)
{
    for (uint32_t joint = 0; joint < rig->source.joint_count; ++joint)
    {
        const pelti_bake_joint* own = &rig->source.joints[joint];
        out[joint] = pelt_mat34_mul(&model_from_node[own->node], &own->inverse);
    }
}

float pelti_probe_distance(const pelti_probe_list* list, const pelt_mat34* a, const pelt_mat34* b)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < list->count; ++i)
    {
        most = fmaxf(most, pelt_vec3_distance(pelti_probe_position(list, i, a),
                                              pelti_probe_position(list, i, b)));
    }
    return most;
}
