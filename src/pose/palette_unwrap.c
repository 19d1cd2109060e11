// SPDX-License-Identifier: MIT
// Signs of quaternions down the hierarchy: a rotation by 360 degrees leaves a matrix as it is, but
// changes the sign of the quaternion.
#include "../base/exact.h"

#include "../../include/pelt/pelt.h"

#include "pose_private.h"

#include <stdlib.h>

// The rotation of a local frame by polar decomposition, with the sign of its quaternion. If the
// frame mirrors, the remaining rotation is one by 180 degrees about the axis that differs from the
// two others, after all axes are inverted if necessary.
static pelt_quat rotation_of(const pelt_transform* local)
{
    bool x = local->scale.x < 0.0f, y = local->scale.y < 0.0f, z = local->scale.z < 0.0f;
    if (x == y && y == z)
    {
        return local->rotation;
    }
    pelt_quat half = {x != y && x != z ? 1.0f : 0.0f, y != x && y != z ? 1.0f : 0.0f,
                      z != x && z != y ? 1.0f : 0.0f, 0.0f};
    return pelt_quat_mul(local->rotation, half);
}

void pelt_pose_to_rotations(pelt_quat* rotations, const pelt_scene* scene, const pelt_pose* pose)
{
    PELT_ASSERT(pose->node_count == scene->node_count);

    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        pelt_quat local = rotation_of(&pose->locals[node]);
        uint32_t parent = scene->nodes[node].parent;
        rotations[node] = parent == PELT_NONE ? local : pelt_quat_mul(rotations[parent], local);
    }
    pelti_helpers_to_rotations(rotations, scene);
}

// The rotation of a node relative to one of its ancestors in the stored pose; to the model for
// PELT_NONE.
static pelt_quat stored_rotation(const pelt_scene* scene, uint32_t node, uint32_t ancestor)
{
    pelt_quat rotation = pelt_quat_identity();
    for (; node != ancestor; node = scene->nodes[node].parent)
    {
        rotation = pelt_quat_mul(rotation_of(&scene->nodes[node].rest), rotation);
    }
    return rotation;
}

// ---------------------------------------------------------------------------------------------
// Who descends from whom

// Nodes come parents first.
static int compare_nodes(const void* a, const void* b)
{
    const pelt_joint_parent *x = a, *y = b;
    return x->node != y->node ? (x->node < y->node ? -1 : 1)
                              : (x->joint > y->joint) - (x->joint < y->joint);
}

// The first entry of a list sorted by nodes whose joint is this node, or PELT_NONE.
static uint32_t find_entry(const pelt_joint_parent* list, const pelt_skin* skin, uint32_t node)
{
    uint32_t low = 0, high = skin->joint_count;
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle].node < node)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low < skin->joint_count && list[low].node == node ? low : PELT_NONE;
}

// The chain above a node up to the nearest joint of a skin, or up to the root.
typedef struct node_chain
{
    uint32_t entry;     // of that joint, or PELT_NONE
    uint32_t length;    // nodes below it, this one included
    pelt_quat rotation; // of the node against it in the stored pose
} node_chain;

enum
{
    WALKED_JOINTS = 64, // a skin with more of them looks its chains up in a table
    WALKED_NODES = 64,  // a chain with more nodes uses the stored rotation
};

// @return one for each node; NULL: there is no need or no memory, and chains are walked
static node_chain* find_chains(const pelt_joint_parent* list, const pelt_skin* skin,
                               const pelt_scene* scene)
{
    node_chain* out =
        skin->joint_count > WALKED_JOINTS ? pelt_allocate(scene->node_count, sizeof *out) : NULL;
    for (uint32_t node = 0; out != NULL && node < scene->node_count; ++node)
    {
        uint32_t parent = scene->nodes[node].parent;
        uint32_t entry = parent != PELT_NONE ? find_entry(list, skin, parent) : PELT_NONE;
        pelt_quat rotation = rotation_of(&scene->nodes[node].rest);
        bool is_longer = parent != PELT_NONE && entry == PELT_NONE;
        out[node] = is_longer ? (node_chain){out[parent].entry, out[parent].length + 1,
                                             pelt_quat_mul(out[parent].rotation, rotation)}
                              : (node_chain){entry, 1, rotation};
    }
    return out;
}

static uint32_t find_parent_entry(const pelt_joint_parent* list, const pelt_skin* skin,
                                  const pelt_scene* scene, uint32_t joint)
{
    uint32_t entry = PELT_NONE;
    for (uint32_t node = scene->nodes[skin->joints[joint]].parent;
         node != PELT_NONE && entry == PELT_NONE; node = scene->nodes[node].parent)
    {
        entry = find_entry(list, skin, node);
    }
    return entry;
}

static pelt_quat bind_rotation(const pelt_skin* skin, uint32_t joint)
{
    pelt_mat3 linear = pelt_mat34_linear(&skin->inverse_binds[joint]), rotation, stretch;
    pelt_mat3_polar(&rotation, &stretch, &linear);
    return pelt_quat_conjugate(pelt_quat_from_mat3(&rotation));
}

// The sign with which a joint rotates against its parent joint from the stored pose to
// the bind pose by less than 180 degrees.
// @param chain  of the joint; NULL: walk
static pelt_quat signed_bind(const pelt_skin* skin, const pelt_scene* scene, uint32_t joint,
                             const pelt_joint_parent* parent, const node_chain* chain)
{
    pelt_quat bind = bind_rotation(skin, joint);
    uint32_t ancestor = parent != NULL ? parent->node : PELT_NONE;
    pelt_quat stored = chain != NULL && chain->length > WALKED_NODES
                           ? chain->rotation
                           : stored_rotation(scene, skin->joints[joint], ancestor);
    pelt_quat from = parent != NULL ? parent->bind : pelt_quat_identity();
    pelt_quat bound = pelt_quat_mul(pelt_quat_conjugate(from), bind);
    return pelt_quat_scale(bind, pelt_quat_dot(bound, stored) < 0.0f ? -1.0f : 1.0f);
}

pelt_result pelt_joint_parents_find(pelt_joint_parent* out, const pelt_skin* skin,
                                    const pelt_scene* scene)
{
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        out[joint] =
            (pelt_joint_parent){.joint = (pelt_joint_index)joint, .node = skin->joints[joint]};
    }
    qsort(out, skin->joint_count, sizeof *out, compare_nodes);
    node_chain* chains = find_chains(out, skin, scene);
    if (chains == NULL && skin->joint_count > WALKED_JOINTS)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < skin->joint_count; ++i)
    {
        uint32_t joint = out[i].joint;
        const node_chain* chain = chains != NULL ? &chains[skin->joints[joint]] : NULL;
        uint32_t entry = chain != NULL ? chain->entry : find_parent_entry(out, skin, scene, joint);
        const pelt_joint_parent* parent = entry == PELT_NONE ? NULL : &out[entry];
        out[i].parent = parent == NULL ? PELT_NO_JOINT : parent->joint;
        out[i].bind = signed_bind(skin, scene, joint, parent, chain);
    }
    pelt_release(chains);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static void choose_sign(pelt_dquat* motion, pelt_quat lead)
{
    if (pelt_quat_dot(lead, motion->real) < 0.0f)
    {
        *motion = pelt_dquat_scale(*motion, -1.0f);
    }
}

void pelt_palette_align(pelt_palette* palette, const pelt_joint_parent* parents)
{
    for (uint32_t i = 0; i < palette->joint_count; ++i)
    {
        if (parents[i].parent != PELT_NO_JOINT)
        {
            choose_sign(&palette->motions[parents[i].joint],
                        palette->motions[parents[i].parent].real);
        }
    }
}

// Down a chain the signs of rotations and bind rotations multiply: the product of the two signs of
// a joint is the signed rotation of all nodes above it.
void pelt_palette_unwrap(pelt_palette* palette, const pelt_skin* skin,
                         const pelt_joint_parent* parents, const pelt_quat* rotations)
{
    PELT_ASSERT(palette->joint_count == skin->joint_count);

    for (uint32_t i = 0; i < palette->joint_count; ++i)
    {
        uint32_t joint = parents[i].joint;
        pelt_quat back = pelt_quat_conjugate(parents[i].bind);
        choose_sign(&palette->motions[joint], pelt_quat_mul(rotations[parents[i].node], back));
    }
}
