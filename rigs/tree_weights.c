// SPDX-License-Identifier: MIT
// A hierarchical partition of unity over the joint tree.
#include "tree_weights.h"

// Clamp to 0 to 1. fminf() and fmaxf() handle NaN and are function calls; there is no NaN here.
static float clamp(float x)
{
    x = x > 0.0f ? x : 0.0f;
    return x < 1.0f ? x : 1.0f;
}

// From 0 to 1 with two continuous derivatives.
static float quintic_step(float x)
{
    x = clamp(x);
    return x * x * x * (x * (6.0f * x - 15.0f) + 10.0f);
}

// Distance to the bone in units of its radius, which changes along it: about 1 on the skin.
static float bone_distance(const tree_joint* from, const tree_joint* to, pelt_vec3 p)
{
    pelt_vec3 bone = pelt_vec3_sub(to->position, from->position);
    float square = fmaxf(pelt_vec3_dot(bone, bone), 1e-12f);
    float t = pelt_vec3_dot(pelt_vec3_sub(p, from->position), bone) / square;
    t = clamp(t);
    float radius = from->radius + t * (to->radius - from->radius);
    return pelt_vec3_distance(p, pelt_vec3_mad(from->position, t, bone)) / radius;
}

// A point, and its distance to each joint together with the bones of its subtree where known.
typedef struct probe
{
    pelt_vec3 p;
    float nearest[TREE_JOINTS_MAX]; ///< or UNKNOWN
} probe;

#define UNKNOWN (-1.0f)

static float subtree_distance(probe* at, const tree_joint* tree, uint32_t joint)
{
    float nearest = at->nearest[joint];
    if (nearest != UNKNOWN)
    {
        return nearest;
    }
    nearest = pelt_vec3_distance(at->p, tree[joint].position) / tree[joint].radius;
    for (uint32_t j = tree[joint].child; j != PELT_NONE; j = tree[j].sibling)
    {
        float bone = bone_distance(&tree[joint], &tree[j], at->p);
        float below = subtree_distance(at, tree, j);
        nearest = bone < nearest ? bone : nearest;
        nearest = below < nearest ? below : nearest;
    }
    at->nearest[joint] = nearest;
    return nearest;
}

// The direction halfway between the bone from the parent and the bone to the first child.
static pelt_vec3 passage_axis(const tree_joint* tree, uint32_t count, uint32_t joint)
{
    pelt_vec3 axis = tree[joint].axis;
    if (pelt_vec3_dot(axis, axis) > 0.0f)
    {
        return pelt_vec3_normalize(axis);
    }
    pelt_vec3 origin = tree[joint].position;
    axis = pelt_vec3_normalize(pelt_vec3_sub(origin, tree[tree[joint].parent].position));
    for (uint32_t j = joint + 1; j < count; ++j)
    {
        if (tree[j].parent == joint)
        {
            pelt_vec3 out = pelt_vec3_normalize(pelt_vec3_sub(tree[j].position, origin));
            return pelt_vec3_normalize(pelt_vec3_add(axis, out));
        }
    }
    return axis;
}

static void link_children(tree_joint* tree, uint32_t count)
{
    for (uint32_t j = 0; j < count; ++j)
    {
        tree[j].child = tree[j].sibling = PELT_NONE;
    }
    // Prepend in descending order, so that children are ascending.
    for (uint32_t j = count; j-- > 1;)
    {
        tree_joint* parent = &tree[tree[j].parent];
        tree[j].sibling = parent->child;
        parent->child = j;
    }
}

void tree_prepare(tree_joint* tree, uint32_t count)
{
    for (uint32_t j = 1; j < count; ++j)
    {
        tree[j].axis = passage_axis(tree, count, j);
    }
    link_children(tree, count);
}

// The share of its parent's mass that a joint takes without rivals.
static float passage(probe* at, const tree_joint* tree, uint32_t joint)
{
    const tree_joint* to = &tree[joint];
    if (to->width <= 0.0f)
    {
        return 0.0f;
    }
    float across = pelt_vec3_dot(pelt_vec3_sub(at->p, to->position), to->axis) - to->shift;
    float share = quintic_step(0.5f + 0.5f * across / to->width);
    if (to->reach <= 0.0f || share <= 0.0f)
    {
        return share;
    }
    // From the skin, at about 1, the share fades until it ends at `reach`. Well past the passage
    // the limb is alone, and what sticks out of it, like a claw, belongs to it too.
    const float far = 6.0f;
    float distance = subtree_distance(at, tree, joint);
    float inner = 0.5f * (1.0f + to->reach);
    float near = quintic_step((to->reach - distance) / (to->reach - inner));
    float past = quintic_step(0.5f * (across / to->width - 1.0f)) * quintic_step(far - distance);
    return share * (near + (1.0f - near) * past);
}

// One where the joint is clearly nearer than every rival, zero where a rival is; the halves of two
// rivals add to one.
static float rivalry(probe* at, const tree_joint* tree, uint32_t joint)
{
    const float band = 0.22f;
    float share = 1.0f, own = subtree_distance(at, tree, joint);
    for (uint32_t j = tree[tree[joint].parent].child; j != PELT_NONE; j = tree[j].sibling)
    {
        if (j != joint && tree[j].rival == tree[joint].rival)
        {
            float other = subtree_distance(at, tree, j);
            float lead = (other - own) / (other + own + 1e-6f);
            share *= quintic_step(0.5f + 0.5f * lead / band);
        }
    }
    return share;
}

// Give the children of a joint their shares of its mass, which sum to one at most.
// @return the share that the joint keeps
static float pass_on(float* masses, probe* at, const tree_joint* tree, uint32_t joint)
{
    float sum = 0.0f;
    for (uint32_t j = tree[joint].child; j != PELT_NONE; j = tree[j].sibling)
    {
        float share = passage(at, tree, j);
        if (share > 0.0f && tree[j].rival > 0)
        {
            share *= rivalry(at, tree, j);
        }
        masses[j] = share;
        sum += share;
    }
    float kept = masses[joint];
    for (uint32_t j = tree[joint].child; j != PELT_NONE; j = tree[j].sibling)
    {
        masses[j] = masses[joint] * (masses[j] / fmaxf(sum, 1.0f));
        kept -= masses[j];
    }
    return kept;
}

// The strongest and one more, in descending order; equal ones by ascending joint.
static void pick_strongest(uint32_t* joints, float* weights, uint32_t most, const float* masses,
                           uint32_t count)
{
    for (uint32_t i = 0; i <= most; ++i)
    {
        joints[i] = 0;
        weights[i] = 0.0f;
    }
    for (uint32_t j = 0; j < count; ++j)
    {
        if (masses[j] <= weights[most])
        {
            continue;
        }
        uint32_t slot = most;
        for (; slot > 0 && masses[j] > weights[slot - 1]; --slot)
        {
            joints[slot] = joints[slot - 1];
            weights[slot] = weights[slot - 1];
        }
        joints[slot] = j;
        weights[slot] = masses[j];
    }
}

void tree_weights_at(uint32_t* joints, float* weights, uint32_t most, const tree_joint* tree,
                     uint32_t count, pelt_vec3 p)
{
    PELT_ASSERT(count > 0 && count <= TREE_JOINTS_MAX);
    PELT_ASSERT(most > 0 && most <= TREE_INFLUENCES_MAX);
    probe at = {.p = p};
    for (uint32_t j = 0; j < count; ++j)
    {
        at.nearest[j] = UNKNOWN;
    }
    // Most of the tree is far from the point and receives no mass: skip it.
    float masses[TREE_JOINTS_MAX] = {1.0f}, kept[TREE_JOINTS_MAX];
    for (uint32_t j = 0; j < count; ++j)
    {
        kept[j] = masses[j] > 0.0f ? pass_on(masses, &at, tree, j) : 0.0f;
    }

    uint32_t best[TREE_INFLUENCES_MAX + 1];
    float strengths[TREE_INFLUENCES_MAX + 1];
    pick_strongest(best, strengths, most, kept, count);
    // Lowering all by the first that is left out makes a joint fade in as it enters the list
    // instead of jumping.
    // Joints that would hold less than a thousandth fade out the same way.
    float floor = fmaxf(strengths[most], 1e-3f);
    float sum = 0.0f;
    for (uint32_t i = 0; i < most; ++i)
    {
        strengths[i] = fmaxf(strengths[i] - floor, 0.0f);
        sum += strengths[i];
    }
    if (sum <= 0.0f)
    {
        strengths[0] = sum = 1.0f; // as strong as the first that is left out
    }
    for (uint32_t i = 0; i < most; ++i)
    {
        joints[i] = strengths[i] > 0.0f ? best[i] : 0;
        weights[i] = strengths[i] / sum;
    }
}
