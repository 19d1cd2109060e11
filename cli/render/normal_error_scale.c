// SPDX-License-Identifier: MIT
#include "normal_error_scale.h"

static const float ends[] = {1.0f, 2.0f, 5.0f, 10.0f, 20.0f, 30.0f, 45.0f, 60.0f, 90.0f, 180.0f};

_Static_assert(sizeof ends / sizeof ends[0] == NORMAL_ERROR_SCALE_END_COUNT, "one count per end");

pelt_result normal_error_scale_recompute(pelt_frame* truth, const pelt_scene* scene,
                                         const pelt_frame* frame)
{
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < scene->instance_count; ++i)
    {
        pelt_vec3* normals = truth->surfaces[i].normals;
        result = normals != NULL ? normal_truth(normals, scene, i, frame) : PELT_OK;
    }
    return result;
}

static void add_surface(normal_error_scale* inout, const pelt_normal_factors* factors,
                        const pelt_vec3* normals, const pelt_vec3* truth)
{
    normal_error_add(&inout->error, factors, normals, truth);
    for (uint32_t v = 0; v < factors->vertex_count; ++v)
    {
        double angle = normal_angle(normals[v], truth[v]);
        for (uint32_t i = 0; normal_error_counts(factors, v) && i < NORMAL_ERROR_SCALE_END_COUNT;
             ++i)
        {
            inout->within[i] += angle <= (double)ends[i];
        }
    }
}

void normal_error_scale_add(normal_error_scale* inout, const pelt_scene* scene,
                            const pelt_frame* frame, const pelt_frame* truth)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_normal_factors* factors = frame->normal_factors[scene->instances[i].mesh];
        if (factors != NULL && truth->surfaces[i].normals != NULL)
        {
            add_surface(inout, factors, frame->surfaces[i].normals, truth->surfaces[i].normals);
        }
    }
}

float normal_error_scale_end(const normal_error_scale* in)
{
    uint32_t i = 0;
    while (i + 1 < NORMAL_ERROR_SCALE_END_COUNT &&
           (double)in->within[i] < 0.9 * (double)in->error.count)
    {
        ++i;
    }
    return ends[i];
}
