// SPDX-License-Identifier: MIT
#include "outline.h"

// Twice each, there and back.
static const pelt_vec3 axes[OUTLINE_AXES] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0}, {1, 0, 1},  {1, 0, -1},
    {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1},
};

outline outline_empty(void)
{
    return (outline){.box = pelt_bounds_empty()};
}

void outline_add(outline* inout, const pelt_vec3* positions, uint32_t count, pelt_vec3 shift)
{
    if (count == 0)
    {
        return;
    }
    pelt_bounds_add(&inout->box, positions, count);
    if (inout->count == 0)
    {
        for (uint32_t i = 0; i < OUTLINE_POINTS; ++i)
        {
            inout->points[i] = pelt_vec3_add(positions[0], shift);
        }
        inout->count = OUTLINE_POINTS;
    }
    for (uint32_t i = 0; i < OUTLINE_AXES; ++i)
    {
        pelt_vec3 *first = &inout->points[2 * i], *last = first + 1;
        float low = pelt_vec3_dot(*first, axes[i]), high = pelt_vec3_dot(*last, axes[i]);
        for (uint32_t v = 0; v < count; ++v)
        {
            pelt_vec3 p = pelt_vec3_add(positions[v], shift);
            float at = pelt_vec3_dot(p, axes[i]);
            if (at < low)
            {
                low = at;
                *first = p;
            }
            if (at > high)
            {
                high = at;
                *last = p;
            }
        }
    }
}

uint32_t outline_root(const pelt_scene* scene)
{
    if (scene->skin_count == 0 || scene->skins[0].joint_count == 0)
    {
        return PELT_NONE;
    }
    const pelt_skin* skin = &scene->skins[0];
    uint32_t highest = skin->joints[0], least = PELT_NONE;
    for (uint32_t j = 0; j < skin->joint_count; ++j)
    {
        uint32_t depth = 0;
        for (uint32_t node = skin->joints[j]; scene->nodes[node].parent != PELT_NONE; ++depth)
        {
            node = scene->nodes[node].parent;
        }
        highest = depth < least ? skin->joints[j] : highest;
        least = depth < least ? depth : least;
    }
    return highest;
}

pelt_vec3 outline_place(const pelt_scene* scene, const pelt_mat34* model_from_node)
{
    uint32_t root = outline_root(scene);
    pelt_vec3 at = {0.0f, 0.0f, 0.0f};
    if (root != PELT_NONE)
    {
        at = pelt_mat34_translation(&model_from_node[root]);
        at.y = 0.0f;
    }
    return at;
}
