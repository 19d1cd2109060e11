// SPDX-License-Identifier: MIT
// A hierarchical partition of unity over the joint tree.
#include "tree_weights.h"

// From 0 to 1 with two continuous derivatives.
static float quintic_step(float x)
{
    x = fminf(fmaxf(x, 0.0f), 1.0f);
    return x * x * x * (x * (6.0f * x - 15.0f) + 10.0f);
}

// Distance to the bone in units of its radius, which changes along it: about 1 on the skin.
static float bone_distance(const tree_joint* from, const tree_joint* to, pelt_vec3 p)
{
    pelt_vec3 bone = pelt_vec3_sub(to->position, from->position);
    float square = fmaxf(pelt_vec3_dot(bone, bone), 1e-12f);
    float t = pelt_vec3_dot(pelt_vec3_sub(p, from->position), bone) / square;
    t = fminf(fmaxf(t, 0.0f), 1.0f);
    float radius = from->radius + t * (to->radius - from->radius);
    return pelt_vec3_distance(p, pelt_vec3_mad(from->position, t, bone)) / radius;
}

// Distance to the bones of every subtree.
static void measure_subtrees(float* nearest, const tree_joint* tree, uint32_t count, pelt_vec3 p)
{
    for (uint32_t j = 0; j < count; ++j)
    {
        nearest[j] = pelt_vec3_distance(p, tree[j].position) / tree[j].radius;
    }
    for (uint32_t j = count; j-- > 1;)
    {
        uint32_t parent = tree[j].parent;
        float bone = bone_distance(&tree[parent], &tree[j], p);
        nearest[parent] = fminf(nearest[parent], fminf(bone, nearest[j]));
    }
}

// Halfway between the bone that comes in and the first one that goes out.
static pelt_vec3 passage_axis(const tree_joint* tree, uint32_t count, uint32_t joint)
{
    pelt_vec3 axis = tree[joint].axis;
    if (pelt_vec3_dot(axis, axis) > 0.0f)
    {
        return pelt_vec3_normalize(axis);
    }
    pelt_vec3 place = tree[joint].position;
    axis = pelt_vec3_normalize(pelt_vec3_sub(place, tree[tree[joint].parent].position));
    for (uint32_t j = joint + 1; j < count; ++j)
    {
        if (tree[j].parent == joint)
        {
            pelt_vec3 out = pelt_vec3_normalize(pelt_vec3_sub(tree[j].position, place));
            return pelt_vec3_normalize(pelt_vec3_add(axis, out));
        }
    }
    return axis;
}

void tree_prepare(tree_joint* tree, uint32_t count)
{
    for (uint32_t j = 1; j < count; ++j)
    {
        tree[j].axis = passage_axis(tree, count, j);
    }
}

// What a joint would take of its parent's mass if it had no rivals.
static float passage(const tree_joint* to, pelt_vec3 p, float distance)
{
    if (to->width <= 0.0f)
    {
        return 0.0f;
    }
    float across = pelt_vec3_dot(pelt_vec3_sub(p, to->position), to->axis) - to->shift;
    float share = quintic_step(0.5f + 0.5f * across / to->width);
    if (to->reach <= 0.0f)
    {
        return share;
    }
    // From the skin, at about 1, the share fades until it ends at `reach`. Well past the passage
    // the limb is alone, and what sticks out of it, like a claw, belongs to it too.
    const float far = 6.0f;
    float inner = 0.5f * (1.0f + to->reach);
    float near = quintic_step((to->reach - distance) / (to->reach - inner));
    float past = quintic_step(0.5f * (across / to->width - 1.0f)) * quintic_step(far - distance);
    return share * (near + (1.0f - near) * past);
}

// One where the joint is clearly nearer than every rival, zero where a rival is; the halves of two
// rivals add to one.
static float rivalry(const tree_joint* tree, uint32_t count, const float* nearest, uint32_t joint)
{
    const float band = 0.22f;
    float share = 1.0f;
    for (uint32_t j = 1; j < count; ++j)
    {
        if (j != joint && tree[j].parent == tree[joint].parent &&
            tree[j].rival == tree[joint].rival)
        {
            float lead = (nearest[j] - nearest[joint]) / (nearest[j] + nearest[joint] + 1e-6f);
            share *= quintic_step(0.5f + 0.5f * lead / band);
        }
    }
    return share;
}

// Share of every joint in the mass of its parent; those of siblings sum to one at most.
static void find_shares(float* shares, const tree_joint* tree, uint32_t count, pelt_vec3 p)
{
    float nearest[TREE_JOINTS_MAX], sums[TREE_JOINTS_MAX] = {0.0f};
    measure_subtrees(nearest, tree, count, p);
    for (uint32_t j = 1; j < count; ++j)
    {
        shares[j] = passage(&tree[j], p, nearest[j]);
        if (shares[j] > 0.0f && tree[j].rival > 0)
        {
            shares[j] *= rivalry(tree, count, nearest, j);
        }
        sums[tree[j].parent] += shares[j];
    }
    for (uint32_t j = 1; j < count; ++j)
    {
        shares[j] /= fmaxf(sums[tree[j].parent], 1.0f);
    }
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
    float shares[TREE_JOINTS_MAX], masses[TREE_JOINTS_MAX] = {1.0f};
    find_shares(shares, tree, count, p);
    for (uint32_t j = 1; j < count; ++j)
    {
        masses[j] = masses[tree[j].parent] * shares[j];
    }
    float kept[TREE_JOINTS_MAX];
    for (uint32_t j = 0; j < count; ++j)
    {
        kept[j] = masses[j];
    }
    for (uint32_t j = 1; j < count; ++j)
    {
        kept[tree[j].parent] -= masses[j];
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
