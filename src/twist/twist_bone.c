// SPDX-License-Identifier: MIT
// Bones that twist joints go along: which child, which axis, how long and how slender.
#include "../base/exact.h"

#include "twist.h"

// ---------------------------------------------------------------------------------------------
// Skeleton

static void find_joints(const pelti_twist_rig* rig)
{
    const pelt_scene* scene = rig->scene;
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        for (uint32_t joint = 0; joint < scene->skins[i].joint_count; ++joint)
        {
            rig->is_joint[scene->skins[i].joints[joint]] = true;
        }
    }
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        uint32_t parent = scene->nodes[node].parent;
        rig->joint_parent[node] =
            parent == PELT_NONE || rig->is_joint[parent] ? parent : rig->joint_parent[parent];
    }
    // Parents come before children, so from the end every sum is complete when it is handed up.
    for (uint32_t node = scene->node_count; node-- > 0;)
    {
        uint32_t parent = scene->nodes[node].parent;
        if (parent != PELT_NONE)
        {
            rig->below[parent] += rig->below[node] + (rig->is_joint[node] ? 1u : 0u);
        }
    }
}

bool pelti_twist_rig_create(pelti_twist_rig* out, const pelt_scene* scene, pelt_arena* arena)
{
    uint32_t count = scene->node_count;
    *out = (pelti_twist_rig){
        .scene = scene,
        .is_joint = pelt_arena_alloc(arena, count, sizeof *out->is_joint),
        .joint_parent = pelt_arena_alloc(arena, count, sizeof *out->joint_parent),
        .below = pelt_arena_alloc(arena, count, sizeof *out->below),
        .tracks = pelt_arena_alloc(arena, count, sizeof *out->tracks),
    };
    if (!out->is_joint || !out->joint_parent || !out->below || !out->tracks)
    {
        return false;
    }
    find_joints(out);
    return true;
}

void pelti_twist_rig_use(const pelti_twist_rig* rig, const pelt_clip* clip)
{
    for (uint32_t node = 0; node < rig->scene->node_count; ++node)
    {
        rig->tracks[node] = NULL;
    }
    for (uint32_t i = 0; clip != NULL && i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        if (track->path == PELT_PATH_ROTATION)
        {
            rig->tracks[track->target] = track;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Two joints in the bind pose

static uint32_t find_slot(const pelt_skin* skin, uint32_t node)
{
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        if (skin->joints[joint] == node)
        {
            return joint;
        }
    }
    return PELT_NONE;
}

// By a skin that has both, since the stored pose need not be the bind pose.
static bool relate_by_skin(pelt_mat34* out, const pelt_scene* scene, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        const pelt_skin* skin = &scene->skins[i];
        uint32_t a = find_slot(skin, from), b = find_slot(skin, to);
        pelt_mat34 bind_from_b;
        if (a != PELT_NONE && b != PELT_NONE &&
            pelt_mat34_inverse(&bind_from_b, &skin->inverse_binds[b]))
        {
            *out = pelt_mat34_mul(&skin->inverse_binds[a], &bind_from_b);
            return true;
        }
    }
    return false;
}

// The frame of `to` in that of its ancestor `from`, when nothing is deformed.
static pelt_mat34 relate(const pelt_scene* scene, uint32_t from, uint32_t to)
{
    pelt_mat34 out = pelt_mat34_identity();
    if (!relate_by_skin(&out, scene, from, to))
    {
        for (uint32_t node = to; node != from; node = scene->nodes[node].parent)
        {
            pelt_mat34 local = pelt_mat34_from_transform(scene->nodes[node].rest);
            out = pelt_mat34_mul(&local, &out);
        }
    }
    return out;
}

static pelt_quat rotation_of(const pelt_mat34* a)
{
    pelt_mat3 linear = pelt_mat34_linear(a), rotation, stretch;
    pelt_mat3_polar(&rotation, &stretch, &linear);
    return pelt_quat_from_mat3(&rotation);
}

// ---------------------------------------------------------------------------------------------
// The bone

// Shorter than this part of the way to the farthest child is a helper at the joint's own place.
static const float shortest = 1e-3f;

typedef struct choice
{
    uint32_t child;      // with most joints below it, PELT_NONE: no child has a place of its own
    uint32_t rival;      // another with as many
    uint32_t any, count; // joint children, with those of no length
} choice;

static float distance_to(const pelti_twist_rig* rig, uint32_t node, uint32_t child)
{
    pelt_mat34 place = relate(rig->scene, node, child);
    return pelt_vec3_length(pelt_mat34_translation(&place));
}

static float farthest_child(const pelti_twist_rig* rig, uint32_t node)
{
    float farthest = 0.0f;
    for (uint32_t i = node + 1; i < rig->scene->node_count; ++i)
    {
        if (rig->is_joint[i] && rig->joint_parent[i] == node)
        {
            farthest = fmaxf(farthest, distance_to(rig, node, i));
        }
    }
    return farthest;
}

static choice choose_child(const pelti_twist_rig* rig, uint32_t node)
{
    choice found = {PELT_NONE, PELT_NONE, PELT_NONE, 0};
    float farthest = farthest_child(rig, node);
    for (uint32_t i = node + 1; i < rig->scene->node_count; ++i)
    {
        if (!rig->is_joint[i] || rig->joint_parent[i] != node)
        {
            continue;
        }
        ++found.count;
        found.any = i;
        if (!(distance_to(rig, node, i) > shortest * farthest))
        {
            continue;
        }
        if (found.child == PELT_NONE || rig->below[i] > rig->below[found.child])
        {
            found.child = i;
            found.rival = PELT_NONE;
        }
        else if (rig->below[i] == rig->below[found.child])
        {
            found.rival = i;
        }
    }
    return found;
}

static pelt_result check_choice(const pelti_twist_rig* rig, uint32_t node, const choice* found,
                                pelt_error* error)
{
    const pelt_node* nodes = rig->scene->nodes;
    const char* name = nodes[node].name;
    if (found->count == 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "joint \"%s\" has no child joint, so there is no bone to put twist "
                              "joints along",
                              name);
    }
    if (found->child == PELT_NONE)
    {
        return pelt_error_set(
            error, PELT_ERROR_ARGUMENT,
            "the bone from \"%s\" to \"%s\" has no length, so there is nothing to "
            "put twist joints along",
            name, nodes[found->any].name);
    }
    if (found->rival != PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "several bones alike leave joint \"%s\", to \"%s\" and \"%s\": twist "
                              "joints need one that goes on",
                              name, nodes[found->child].name, nodes[found->rival].name);
    }
    return PELT_OK;
}

pelt_result pelti_twist_bone_find(pelti_twist_bone* out, const pelti_twist_rig* rig, uint32_t node,
                                  pelt_error* error)
{
    choice found = choose_child(rig, node);
    pelt_result result = check_choice(rig, node, &found, error);
    if (result != PELT_OK)
    {
        return result;
    }
    pelt_mat34 child = relate(rig->scene, node, found.child);
    *out = (pelti_twist_bone){
        .facts = {.node = node, .child = found.child},
        .parent = rig->joint_parent[node],
        .end = pelt_mat34_translation(&child),
        .own_reference = pelt_quat_identity(),
        .child_reference = rotation_of(&child),
    };
    out->axis = pelt_vec3_normalize(out->end);
    if (out->parent != PELT_NONE)
    {
        pelt_mat34 own = relate(rig->scene, out->parent, node);
        out->own_reference = rotation_of(&own);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// The bone in its skin

typedef struct girth
{
    double weight, distance;   // sums over vertices beside the bone
    double skin, above, below; // over all: weight, and how much of it is shared with joints of the
                               // parent's side and of the child's
    pelt_bounds bounds;        // of all meshes that its skins carry
} girth;

static bool is_at_or_below(const pelt_scene* scene, uint32_t node, uint32_t ancestor)
{
    while (node != PELT_NONE && node > ancestor)
    {
        node = scene->nodes[node].parent;
    }
    return node == ancestor;
}

// At most as much weight as the joint has itself is shared.
static void add_shared(girth* sum, const pelti_twist_bone* bone, const pelt_scene* scene,
                       const pelt_skin* skin, const pelt_influence* influences, uint32_t count)
{
    double own = 0.0, above = 0.0, below = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t node = skin->joints[influences[i].joint];
        double weight = (double)influences[i].weight;
        own += node == bone->facts.node ? weight : 0.0;
        below += is_at_or_below(scene, node, bone->facts.child) ? weight : 0.0;
        above += is_at_or_below(scene, node, bone->facts.node) ? 0.0 : weight;
    }
    sum->skin += own;
    sum->above += fmin(own, above);
    sum->below += fmin(own, below);
}

static void add_girth(girth* sum, const pelti_twist_bone* bone, const pelt_scene* scene,
                      const pelt_mesh* mesh, const pelt_skin* skin, uint32_t slot)
{
    const pelt_weights* weights = &mesh->weights;
    float square = pelt_vec3_dot(bone->end, bone->end);
    pelt_bounds_add(&sum->bounds, mesh->positions, mesh->vertex_count);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            if (weights->influences[i].joint != slot)
            {
                continue;
            }
            add_shared(sum, bone, scene, skin, weights->influences + weights->first[v],
                       weights->first[v + 1] - weights->first[v]);
            pelt_vec3 p = pelt_mat34_point(&skin->inverse_binds[slot], mesh->positions[v]);
            float part = pelt_vec3_dot(p, bone->end) / square;
            if (part >= 0.0f && part <= 1.0f)
            {
                double weight = (double)weights->influences[i].weight;
                pelt_vec3 foot = pelt_vec3_scale(bone->end, part);
                sum->weight += weight;
                sum->distance += weight * (double)pelt_vec3_distance(p, foot);
            }
        }
    }
}

void pelti_twist_bone_measure(pelti_twist_bone* bone, const pelt_scene* scene)
{
    girth sum = {.bounds = pelt_bounds_empty()};
    bone->facts.length = pelt_vec3_length(bone->end);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_skin* skin = instance->skin != PELT_NONE ? &scene->skins[instance->skin] : NULL;
        uint32_t slot = skin != NULL ? find_slot(skin, bone->facts.node) : PELT_NONE;
        pelt_mat34 bind_from_joint;
        if (slot == PELT_NONE || !pelt_mat34_inverse(&bind_from_joint, &skin->inverse_binds[slot]))
        {
            continue;
        }
        pelt_mat3 linear = pelt_mat34_linear(&bind_from_joint);
        bone->facts.length = pelt_vec3_length(pelt_mat3_vector(&linear, bone->end));
        add_girth(&sum, bone, scene, &scene->meshes[instance->mesh], skin, slot);
    }
    bone->facts.own_blend = sum.skin > 0.0 ? (float)(sum.above / sum.skin) : 0.0f;
    bone->facts.child_blend = sum.skin > 0.0 ? (float)(sum.below / sum.skin) : 0.0f;
    // Both lengths in the joint's own space, whatever its scale.
    double mean = sum.weight > 0.0 ? sum.distance / sum.weight : 0.0;
    bone->facts.slenderness =
        mean > 0.0 ? (float)((double)pelt_vec3_length(bone->end) / mean) : 0.0f;
    bone->facts.is_long = bone->facts.length >= 0.05f * pelt_bounds_diagonal(&sum.bounds) &&
                          bone->facts.slenderness >= 2.5f;
}
