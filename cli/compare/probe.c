// SPDX-License-Identifier: MIT
#include "probe.h"

#include <string.h>

pelt_result probe_create(probe* out, const comparison* in)
{
    *out = (probe){.in = in, .arena = pelt_arena_create()};
    if (out->arena == NULL || pelt_body_share(&out->body, in->body) != PELT_OK ||
        pelt_pose_create(&out->pose, in->scene) != PELT_OK ||
        pelt_pose_metrics_create(&out->metrics, in->body) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    size_t count = in->scene->instance_count;
    for (uint32_t i = 0; i < 2; ++i)
    {
        out->surfaces[i] = pelt_arena_alloc(out->arena, count, sizeof *out->surfaces[i]);
        if (out->surfaces[i] == NULL || pelt_frame_create(&out->frames[i], in->scene) != PELT_OK)
        {
            return PELT_ERROR_MEMORY;
        }
        memcpy(out->surfaces[i], out->frames[i].surfaces, count * sizeof *out->surfaces[i]);
    }
    return PELT_OK;
}

void probe_destroy(probe* p)
{
    pelt_pose_metrics_destroy(&p->metrics);
    pelt_frame_destroy(&p->frames[0]);
    pelt_frame_destroy(&p->frames[1]);
    pelt_pose_destroy(&p->pose);
    pelt_body_destroy(p->body);
    pelt_arena_destroy(p->arena);
    *p = (probe){0};
}

void probe_deform(probe* inout, uint32_t slot, const probe_pose* at)
{
    const comparison* in = inout->in;
    const pelt_scene* scene = comparison_scene(in, at->contender);
    pelt_frame* frame = &inout->frames[slot];
    pelt_pose_rest(&inout->pose, scene);
    if (at->motion->clip != NULL)
    {
        pelt_pose_sample(&inout->pose, scene, at->motion->clip, motion_time(at->motion, at->frame),
                         PELT_WRAP_CLAMP);
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        frame->mix_factors[i] = scene->meshes[i].mix_factors;
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_surface* whole = &inout->surfaces[slot][i];
        frame->surfaces[i].normals = at->has_normals ? whole->normals : NULL;
        frame->surfaces[i].tangents = at->has_normals ? whole->tangents : NULL;
    }
    pelt_frame_update(frame, scene, &inout->pose, &in->contenders.items[at->contender].deform);
}
