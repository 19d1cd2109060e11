// SPDX-License-Identifier: MIT
// The joints of a scene as one skeleton.
#include "stage.h"

#include <string.h>

// Mark joints in places[node], then number them in the order of nodes: parents come first.
static uint32_t number_joints(uint32_t* places, const pelt_scene* scene)
{
    uint32_t count = 0;
    memset(places, 0xff, scene->node_count * sizeof *places);
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < scene->skins[s].joint_count; ++j)
        {
            places[scene->skins[s].joints[j]] = 0;
        }
    }
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        if (places[node] != PELT_NONE)
        {
            places[node] = count++;
        }
    }
    return count;
}

static uint32_t joint_above(const uint32_t* places, const pelt_scene* scene, uint32_t node)
{
    uint32_t above = scene->nodes[node].parent;
    while (above != PELT_NONE && places[above] == PELT_NONE)
    {
        above = scene->nodes[above].parent;
    }
    return above == PELT_NONE ? PELT_NONE : places[above];
}

static void list_joints(pelti_skeleton* out, const uint32_t* places, const pelt_scene* scene)
{
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        if (places[node] != PELT_NONE)
        {
            out->nodes[places[node]] = node;
            out->parents[places[node]] = joint_above(places, scene, node);
        }
    }
}

pelt_result pelti_skeleton_create(pelti_skeleton* out, const pelt_scene* scene, pelt_error* error)
{
    *out = (pelti_skeleton){0};
    uint32_t* places = pelt_allocate((size_t)scene->node_count + 1, sizeof *places);
    if (places == NULL)
    {
        return pelt_error_memory(error);
    }
    out->count = number_joints(places, scene);
    out->nodes = pelt_allocate((size_t)out->count + 1, sizeof *out->nodes);
    out->parents = pelt_allocate((size_t)out->count + 1, sizeof *out->parents);
    out->lengths = pelt_allocate((size_t)out->count + 1, sizeof *out->lengths);
    bool is_ok = out->nodes != NULL && out->parents != NULL && out->lengths != NULL;
    if (is_ok)
    {
        list_joints(out, places, scene);
    }
    pelt_release(places);
    return is_ok ? PELT_OK : pelt_error_memory(error);
}

void pelti_skeleton_destroy(pelti_skeleton* skeleton)
{
    pelt_release(skeleton->nodes);
    pelt_release(skeleton->parents);
    pelt_release(skeleton->lengths);
    *skeleton = (pelti_skeleton){0};
}
