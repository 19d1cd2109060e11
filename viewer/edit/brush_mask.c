// SPDX-License-Identifier: MIT
#include "brush_mask.h"

#include <stdlib.h>

bool brush_mask_prepare(brush_mask* inout, const pelt_scene* scene)
{
    if (inout->walk.arena != NULL)
    {
        return true;
    }
    if (!surface_walk_create(&inout->walk, scene))
    {
        return false;
    }
    size_t count = (size_t)inout->walk.point_count + 1;
    inout->masks = calloc(count, sizeof *inout->masks);
    inout->touched = calloc(count, sizeof *inout->touched);
    inout->raised = calloc(count, sizeof *inout->raised);
    bool is_whole = inout->masks != NULL && inout->touched != NULL && inout->raised != NULL;
    if (!is_whole)
    {
        brush_mask_destroy(inout);
    }
    return is_whole;
}

void brush_mask_destroy(brush_mask* in)
{
    free(in->masks);
    free(in->touched);
    free(in->raised);
    surface_walk_destroy(&in->walk);
    *in = (brush_mask){0};
}

void brush_mask_dab(brush_mask* inout, const pelt_vec3* const* positions, const surface_point* from,
                    float radius, float strength)
{
    surface_walk* walk = &inout->walk;
    surface_walk_from(walk, positions, from, radius);
    inout->raised_count = 0;
    for (uint32_t i = 0; i < walk->reached_count; ++i)
    {
        uint32_t point = walk->reached[i];
        float part = walk->distances[point] / radius;
        float mask = strength * (1.0f - part * part) * (1.0f - part * part);
        if (!(mask > inout->masks[point]))
        {
            continue;
        }
        if (inout->masks[point] == 0.0f)
        {
            inout->touched[inout->touched_count++] = point;
        }
        inout->masks[point] = mask;
        inout->raised[inout->raised_count++] = point;
    }
}

void brush_mask_lift(brush_mask* inout)
{
    for (uint32_t i = 0; i < inout->touched_count; ++i)
    {
        inout->masks[inout->touched[i]] = 0.0f;
    }
    inout->touched_count = 0;
    inout->raised_count = 0;
}
