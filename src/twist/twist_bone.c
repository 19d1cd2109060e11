// SPDX-License-Identifier: MIT
// Bones that twist joints go along: which child, which axis, how long and how slender.
#include "../base/exact.h"

#include "twist.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Skeleton

static int compare_slots(const void* a, const void* b)
{
    const pelti_twist_slot *x = a, *y = b;
    if (x->node != y->node)
    {
        return x->node < y->node ? -1 : 1;
    }
    if (x->skin != y->skin)
    {
        return x->skin < y->skin ? -1 : 1;
    }
    return (x->joint > y->joint) - (x->joint < y->joint);
}

static bool list_slots(pelti_twist_rig* rig, pelt_arena* arena)
{
    const pelt_scene* scene = rig->scene;
    uint32_t total = 0, count = 0, kept = 0;
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        total += scene->skins[i].joint_count;
    }
    rig->slots = pelt_arena_alloc(arena, total, sizeof *rig->slots);
    rig->slot_first = pelt_arena_alloc(arena, (size_t)scene->node_count + 1, sizeof(uint32_t));
    if (rig->slots == NULL || rig->slot_first == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        const pelt_skin* skin = &scene->skins[i];
        for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
        {
            pelt_mat34 inverse;
            bool has_bind = pelt_mat34_inverse(&inverse, &skin->inverse_binds[joint]);
            rig->slots[count++] = (pelti_twist_slot){skin->joints[joint], i, joint, has_bind};
        }
    }
    qsort(rig->slots, count, sizeof *rig->slots, compare_slots);
    for (uint32_t i = 0; i < count; ++i)
    {
        // If a skin lists a node twice, the first joint counts.
        const pelti_twist_slot slot = rig->slots[i],
                               *last = kept > 0 ? &rig->slots[kept - 1] : NULL;
        if (last == NULL || last->node != slot.node || last->skin != slot.skin)
        {
            rig->slots[kept++] = slot;
            rig->slot_first[slot.node + 1] = kept;
        }
    }
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        uint32_t *first = &rig->slot_first[node], *end = first + 1;
        *end = *end > *first ? *end : *first;
    }
    return true;
}

static void link_nodes(const pelti_twist_rig* rig)
{
    const pelt_scene* scene = rig->scene;
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        uint32_t parent = scene->nodes[node].parent;
        rig->first_child[node] = rig->first_joint[node] = rig->requests[node] = PELT_NONE;
        rig->joint_parent[node] = parent == PELT_NONE || pelti_twist_is_joint(rig, parent)
                                      ? parent
                                      : rig->joint_parent[parent];
        rig->subtree[node] = 1;
    }
    // Parents come before their children: in a loop from the end, every sum is complete when it is
    // added to the parent's, and the first entry of a list has the smallest index.
    for (uint32_t node = scene->node_count; node-- > 0;)
    {
        uint32_t parent = scene->nodes[node].parent, joint_parent = rig->joint_parent[node];
        bool is_joint = pelti_twist_is_joint(rig, node);
        if (parent != PELT_NONE)
        {
            rig->below[parent] += rig->below[node] + is_joint;
            rig->subtree[parent] += rig->subtree[node];
            rig->next_child[node] = rig->first_child[parent];
            rig->first_child[parent] = node;
        }
        if (joint_parent != PELT_NONE && is_joint)
        {
            rig->next_joint[node] = rig->first_joint[joint_parent];
            rig->first_joint[joint_parent] = node;
        }
    }
    uint32_t next_root = 0;
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        bool is_root = scene->nodes[node].parent == PELT_NONE;
        rig->order[node] = is_root ? next_root : rig->order[node];
        next_root += is_root ? rig->subtree[node] : 0;
        uint32_t next = rig->order[node] + 1;
        for (uint32_t i = rig->first_child[node]; i != PELT_NONE; i = rig->next_child[i])
        {
            rig->order[i] = next;
            next += rig->subtree[i];
        }
    }
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

static const pelti_twist_slot* find_slot(const pelti_twist_rig* rig, uint32_t node, uint32_t skin)
{
    uint32_t low = rig->slot_first[node], end = rig->slot_first[node + 1], high = end;
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        bool is_before = rig->slots[middle].skin < skin;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low < end && rig->slots[low].skin == skin ? &rig->slots[low] : NULL;
}

// The frame of `to` in that of its ancestor `from` in the bind pose: by a skin that has both, since
// the stored pose need not be the bind pose.
static pelt_mat34 relate(const pelti_twist_rig* rig, uint32_t from, uint32_t to)
{
    const pelt_scene* scene = rig->scene;
    for (uint32_t i = rig->slot_first[to]; i < rig->slot_first[to + 1]; ++i)
    {
        const pelti_twist_slot *b = &rig->slots[i], *a = find_slot(rig, from, b->skin);
        const pelt_mat34* inverse_binds = scene->skins[b->skin].inverse_binds;
        pelt_mat34 bind_from_b;
        if (a != NULL && pelt_mat34_inverse(&bind_from_b, &inverse_binds[b->joint]))
        {
            return pelt_mat34_mul(&inverse_binds[a->joint], &bind_from_b);
        }
    }
    pelt_mat34 out = pelt_mat34_identity();
    for (uint32_t node = to; node != from; node = scene->nodes[node].parent)
    {
        pelt_mat34 local = pelt_mat34_from_transform(scene->nodes[node].rest);
        out = pelt_mat34_mul(&local, &out);
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

// A child nearer than this fraction of the distance to the farthest child is a helper at the
// joint's own position.
static const float shortest = 1e-3f;

static float distance_to(const pelti_twist_rig* rig, uint32_t node, uint32_t child)
{
    pelt_mat34 joint_from_child = relate(rig, node, child);
    return pelt_vec3_length(pelt_mat34_translation(&joint_from_child));
}

// The child with most joints below it, which no other may have as many of.
static pelt_result choose_child(uint32_t* out, const pelti_twist_rig* rig, uint32_t node,
                                pelt_error* error)
{
    const pelt_node* nodes = rig->scene->nodes;
    const char* name = nodes[node].name;
    uint32_t child = PELT_NONE, rival = PELT_NONE, any = PELT_NONE;
    float farthest = 0.0f;
    for (uint32_t i = rig->first_joint[node]; i != PELT_NONE; i = rig->next_joint[i])
    {
        farthest = fmaxf(farthest, distance_to(rig, node, i));
    }
    for (uint32_t i = rig->first_joint[node]; i != PELT_NONE; i = rig->next_joint[i])
    {
        any = i;
        if (!(distance_to(rig, node, i) > shortest * farthest))
        {
            continue;
        }
        if (child == PELT_NONE || rig->below[i] > rig->below[child])
        {
            child = i;
            rival = PELT_NONE;
        }
        else if (rig->below[i] == rig->below[child])
        {
            rival = i;
        }
    }
    *out = child;
    if (any == PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "joint \"%s\" has no child joint, so there is no bone to put twist "
                              "joints along",
                              name);
    }
    if (child == PELT_NONE)
    {
        return pelt_error_set(
            error, PELT_ERROR_ARGUMENT,
            "the bone from \"%s\" to \"%s\" has no length, so there is nothing to "
            "put twist joints along",
            name, nodes[any].name);
    }
    if (rival != PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "several equal bones leave joint \"%s\", to \"%s\" and \"%s\": twist "
                              "joints need one that goes on",
                              name, nodes[child].name, nodes[rival].name);
    }
    return PELT_OK;
}

static pelti_twist_bone make_bone(const pelti_twist_rig* rig, uint32_t node)
{
    pelti_twist_bone bone = {.facts = {.node = node, .child = PELT_NONE}};
    uint32_t child;
    if (!pelti_twist_is_joint(rig, node) || choose_child(&child, rig, node, NULL) != PELT_OK)
    {
        return bone;
    }
    pelt_mat34 joint_from_child = relate(rig, node, child);
    bone.facts.child = child;
    bone.parent = rig->joint_parent[node];
    bone.end = pelt_mat34_translation(&joint_from_child);
    bone.axis = pelt_vec3_normalize(bone.end);
    bone.own_reference = pelt_quat_identity();
    bone.child_reference = rotation_of(&joint_from_child);
    if (bone.parent != PELT_NONE)
    {
        pelt_mat34 own = relate(rig, bone.parent, node);
        bone.own_reference = rotation_of(&own);
    }
    return bone;
}

pelt_result pelti_twist_bone_check(const pelti_twist_rig* rig, uint32_t node, pelt_error* error)
{
    uint32_t child;
    return choose_child(&child, rig, node, error);
}

// ---------------------------------------------------------------------------------------------
// Bones in their skins

typedef struct girth
{
    double weight, distance;   // sums over vertices next to the bone
    double skin, above, below; // over all: weight, and how much of it is shared with joints of the
                               // parent's side and of the child's
} girth;

static bool is_at_or_below(const pelti_twist_rig* rig, uint32_t node, uint32_t ancestor)
{
    return rig->order[node] - rig->order[ancestor] < rig->subtree[ancestor];
}

// Add influence `index` of a vertex to the sums of the bone of its joint.
static void add_influence(girth* sums, const pelti_twist_rig* rig, const pelt_instance* instance,
                          uint32_t v, uint32_t index)
{
    const pelt_skin* skin = &rig->scene->skins[instance->skin];
    const pelt_mesh* mesh = &rig->scene->meshes[instance->mesh];
    const pelt_influence* influence = &mesh->weights.influences[index];
    uint32_t node = skin->joints[influence->joint];
    const pelti_twist_slot* slot = find_slot(rig, node, instance->skin);
    const pelti_twist_bone* bone = &rig->bones[node];
    if (slot == NULL || slot->joint != influence->joint || !slot->has_bind ||
        bone->facts.child == PELT_NONE)
    {
        return;
    }
    double own = 0.0, above = 0.0, below = 0.0;
    for (uint32_t i = mesh->weights.first[v]; i < mesh->weights.first[v + 1]; ++i)
    {
        uint32_t other = skin->joints[mesh->weights.influences[i].joint];
        double weight = (double)mesh->weights.influences[i].weight;
        own += other == node ? weight : 0.0;
        below += is_at_or_below(rig, other, bone->facts.child) ? weight : 0.0;
        above += is_at_or_below(rig, other, node) ? 0.0 : weight;
    }
    // At most as much weight as the joint has itself is shared.
    girth* sum = &sums[node];
    sum->skin += own;
    sum->above += fmin(own, above);
    sum->below += fmin(own, below);

    pelt_vec3 p = pelt_mat34_point(&skin->inverse_binds[slot->joint], mesh->positions[v]);
    float part = pelt_vec3_dot(p, bone->end) / pelt_vec3_dot(bone->end, bone->end);
    if (part >= 0.0f && part <= 1.0f)
    {
        pelt_vec3 foot = pelt_vec3_scale(bone->end, part);
        sum->weight += (double)influence->weight;
        sum->distance += (double)influence->weight * (double)pelt_vec3_distance(p, foot);
    }
}

// A skin in the scene: its meshes, and the last instance that wears it.
typedef struct worn_skin
{
    uint32_t last; // plus one; 0: none
    pelt_bounds bounds;
} worn_skin;

static void finish_bone(pelti_twist_bone* bone, const pelti_twist_rig* rig, const girth* sum,
                        const worn_skin* worn)
{
    uint32_t node = bone->facts.node, last = 0;
    pelt_bounds bounds = pelt_bounds_empty();
    bone->facts.length = pelt_vec3_length(bone->end);
    for (uint32_t i = rig->slot_first[node]; i < rig->slot_first[node + 1]; ++i)
    {
        const pelti_twist_slot* slot = &rig->slots[i];
        const worn_skin* skin = &worn[slot->skin];
        pelt_mat34 bind_from_joint;
        if (skin->last == 0 ||
            !pelt_mat34_inverse(&bind_from_joint,
                                &rig->scene->skins[slot->skin].inverse_binds[slot->joint]))
        {
            continue;
        }
        if (skin->bounds.min.x <= skin->bounds.max.x)
        {
            pelt_bounds_add(&bounds, &skin->bounds.min, 1);
            pelt_bounds_add(&bounds, &skin->bounds.max, 1);
        }
        // Skins may differ in scale: the last instance counts.
        if (skin->last > last)
        {
            last = skin->last;
            pelt_mat3 linear = pelt_mat34_linear(&bind_from_joint);
            bone->facts.length = pelt_vec3_length(pelt_mat3_vector(&linear, bone->end));
        }
    }
    bone->facts.own_blend = sum->skin > 0.0 ? (float)(sum->above / sum->skin) : 0.0f;
    bone->facts.child_blend = sum->skin > 0.0 ? (float)(sum->below / sum->skin) : 0.0f;
    // Both lengths in the joint's own space, whatever its scale.
    double mean = sum->weight > 0.0 ? sum->distance / sum->weight : 0.0;
    bone->facts.slenderness =
        mean > 0.0 ? (float)((double)pelt_vec3_length(bone->end) / mean) : 0.0f;
    bone->facts.is_long = bone->facts.length >= 0.05f * pelt_bounds_diagonal(&bounds) &&
                          bone->facts.slenderness >= 2.5f;
}

// All bones in one walk over the vertices.
static bool measure_bones(const pelti_twist_rig* rig, pelt_arena* arena)
{
    const pelt_scene* scene = rig->scene;
    girth* sums = pelt_arena_alloc(arena, scene->node_count, sizeof *sums);
    worn_skin* worn = pelt_arena_alloc(arena, scene->skin_count, sizeof *worn);
    if (sums == NULL || worn == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        worn[i].bounds = pelt_bounds_empty();
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        if (instance->skin == PELT_NONE)
        {
            continue;
        }
        worn[instance->skin].last = i + 1;
        pelt_bounds_add(&worn[instance->skin].bounds, mesh->positions, mesh->vertex_count);
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            for (uint32_t k = mesh->weights.first[v]; k < mesh->weights.first[v + 1]; ++k)
            {
                add_influence(sums, rig, instance, v, k);
            }
        }
    }
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        if (rig->bones[node].facts.child != PELT_NONE)
        {
            finish_bone(&rig->bones[node], rig, &sums[node], worn);
        }
    }
    return true;
}

bool pelti_twist_rig_create(pelti_twist_rig* out, const pelt_scene* scene, pelt_arena* arena)
{
    *out = (pelti_twist_rig){.scene = scene};
    uint32_t** const tables[] = {&out->first_child,  &out->next_child, &out->first_joint,
                                 &out->next_joint,   &out->order,      &out->subtree,
                                 &out->joint_parent, &out->below,      &out->requests};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i)
    {
        *tables[i] = pelt_arena_alloc(arena, scene->node_count, sizeof **tables[i]);
        if (*tables[i] == NULL)
        {
            return false;
        }
    }
    out->tracks = pelt_arena_alloc(arena, scene->node_count, sizeof *out->tracks);
    out->bones = pelt_arena_alloc(arena, scene->node_count, sizeof *out->bones);
    if (out->tracks == NULL || out->bones == NULL || !list_slots(out, arena))
    {
        return false;
    }
    link_nodes(out);
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        out->bones[node] = make_bone(out, node);
    }
    return measure_bones(out, arena);
}
