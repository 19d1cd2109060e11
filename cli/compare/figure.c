// SPDX-License-Identifier: MIT
#include "figure.h"

#include "terminal.h"

#include <stdlib.h>

static bool is_shown(const figure_list* in, const moment* at)
{
    for (uint32_t i = 0; i < in->count; ++i)
    {
        const moment* other = &in->items[i].about.at;
        if (other->motion == at->motion && other->row == at->row && other->what == at->what)
        {
            return true;
        }
    }
    return false;
}

static void add(figure_list* inout, const finding* about, uint32_t limit)
{
    // What each quantity looks like on a surface; strain is what all of them trade with.
    static const pelt_metric maps[QUANTITY_COUNT] = {PELT_METRIC_BULGE, PELT_METRIC_COLLAPSE,
                                                     PELT_METRIC_BULGE, PELT_METRIC_COLLAPSE,
                                                     PELT_METRIC_VOLUME};
    if (about->text != NULL && inout->count < limit && !is_shown(inout, &about->at))
    {
        figure* next = &inout->items[inout->count++];
        *next = (figure){.about = *about};
        next->maps[0].metric = maps[about->at.what];
        next->maps[1].metric = PELT_METRIC_RIGIDITY;
    }
}

// The largest of a quantity where the choice is not the worst.
static const finding* find_gain(const verdict* why, quantity what)
{
    for (uint32_t i = 0; i < why->finding_count; ++i)
    {
        const finding* f = &why->findings[i];
        if ((what == QUANTITY_COUNT || f->at.what == what) && f->at.worst != why->choice)
        {
            return f;
        }
    }
    return NULL;
}

static void choose_moments(figure_list* out, const verdict* why, uint32_t limit)
{
    static const quantity order[] = {QUANTITY_COUNT, QUANTITY_RADIUS, QUANTITY_BULGE,
                                     QUANTITY_VOLUME};
    for (uint32_t i = 0; i < sizeof order / sizeof order[0]; ++i)
    {
        const finding* gain = find_gain(why, order[i]);
        if (gain != NULL)
        {
            add(out, gain, limit > 2 ? limit - 1 : limit); // one is for what speaks against it
        }
    }
    add(out, &why->caveat, limit);
    add(out, &why->shared, limit);
    for (uint32_t i = 0; i < why->finding_count; ++i)
    {
        add(out, &why->findings[i], limit);
    }
}

void figure_pose(pelt_frame* frame, pelt_pose* pose, const comparison* in, const moment* at,
                 uint32_t contender)
{
    const compare_motion* m = &in->motions.items[at->motion];
    const pelt_scene* scene = comparison_scene(in, contender);
    pelt_pose_rest(pose, scene);
    if (m->clip != NULL)
    {
        pelt_pose_sample(pose, scene, m->clip, motion_time(m, at->frame - m->first_frame),
                         PELT_WRAP_CLAMP);
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        frame->mix_factors[i] = scene->meshes[i].mix_factors;
    }
    pelt_frame_update(frame, scene, pose, &in->contenders.items[contender].deform);
}

static void count_crossings(figure* inout, const comparison* in, pelt_frame* frame, pelt_pose* pose,
                            pelt_pose_metrics* metrics)
{
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        figure_pose(frame, pose, in, &inout->about.at, i);
        pelt_metric_input input = {.metrics = PELT_METRIC_BIT(PELT_METRIC_INTERSECTION),
                                   .surfaces = frame->surfaces,
                                   .palettes = frame->palettes};
        pelt_body_measure(metrics, in->body, &input);
        inout->crossings[i] = metrics->intersection_count;
    }
}

int figure_list_choose(figure_list* out, const comparison* in, const verdict* why, uint32_t limit)
{
    *out = (figure_list){0};
    choose_moments(out, why, limit);
    pelt_frame frame = {0};
    pelt_pose pose = {0};
    pelt_pose_metrics metrics = {0};
    bool is_ready = pelt_frame_create(&frame, in->scene) == PELT_OK &&
                    pelt_pose_create(&pose, in->scene) == PELT_OK &&
                    pelt_pose_metrics_create(&metrics, in->body) == PELT_OK;
    for (uint32_t i = 0; is_ready && i < out->count; ++i)
    {
        count_crossings(&out->items[i], in, &frame, &pose, &metrics);
    }
    pelt_pose_metrics_destroy(&metrics);
    pelt_pose_destroy(&pose);
    pelt_frame_destroy(&frame);
    return is_ready ? EXIT_DONE : message_memory();
}

void figure_list_destroy(figure_list* in)
{
    for (uint32_t i = 0; i < in->count; ++i)
    {
        figure* f = &in->items[i];
        for (uint32_t k = 0; k < CONTENDER_MAX; ++k)
        {
            pelt_release(f->shaded[k].bytes);
            for (uint32_t map = 0; map < FIGURE_MAP_COUNT; ++map)
            {
                pelt_release(f->maps[map].pictures[k].bytes);
            }
        }
    }
    *in = (figure_list){0};
}
