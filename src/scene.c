// SPDX-License-Identifier: MIT
// Scenes: lookup, bounds, destruction. What a scene promises is checked in scene_validate.c.
#include "../include/pelt/pelt.h"

#include <float.h>
#include <string.h>

void pelt_scene_destroy(pelt_scene* scene)
{
    if (scene != NULL)
    {
        pelt_arena_destroy(scene->arena);
    }
}

uint32_t pelt_scene_find_node(const pelt_scene* scene, const char* name)
{
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        if (strcmp(scene->nodes[node].name, name) == 0)
        {
            return node;
        }
    }
    return PELT_NONE;
}

uint32_t pelt_scene_find_clip(const pelt_scene* scene, const char* name)
{
    for (uint32_t clip = 0; clip < scene->clip_count; ++clip)
    {
        if (strcmp(scene->clips[clip].name, name) == 0)
        {
            return clip;
        }
    }
    return PELT_NONE;
}

uint32_t pelt_scene_find_image(const pelt_scene* scene, const char* name)
{
    for (uint32_t image = 0; image < scene->image_count; ++image)
    {
        if (strcmp(scene->images[image].name, name) == 0)
        {
            return image;
        }
    }
    return PELT_NONE;
}

pelt_bounds pelt_bounds_empty(void)
{
    return (pelt_bounds){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

void pelt_bounds_add(pelt_bounds* bounds, const pelt_vec3* points, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_vec3 p = points[i];
        bounds->min = pelt_vec3_make(fminf(bounds->min.x, p.x), fminf(bounds->min.y, p.y),
                                     fminf(bounds->min.z, p.z));
        bounds->max = pelt_vec3_make(fmaxf(bounds->max.x, p.x), fmaxf(bounds->max.y, p.y),
                                     fmaxf(bounds->max.z, p.z));
    }
}

float pelt_bounds_diagonal(const pelt_bounds* bounds)
{
    return bounds->min.x <= bounds->max.x ? pelt_vec3_distance(bounds->min, bounds->max) : 0.0f;
}
