// SPDX-License-Identifier: MIT
#include "figure.h"

#include "terminal.h"

#include <stdatomic.h>

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
    // The map that shows each quantity on a surface; strain is the price of all of them.
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

// ---------------------------------------------------------------------------------------------
// Crossing triangles

typedef struct crossing_job
{
    figure_list* out;
    const comparison* in;
    atomic_uint next; // of all contenders of all figures
    atomic_bool is_out_of_memory;
} crossing_job;

probe_pose figure_pose(const comparison* in, const moment* at, uint32_t contender)
{
    const compare_motion* motion = &in->motions.items[at->motion];
    return (probe_pose){contender, motion, at->frame - motion->first_frame, true};
}

static void count_crossings(crossing_job* job, probe* p, uint32_t index)
{
    figure* f = &job->out->items[index / job->in->contenders.count];
    uint32_t contender = index % job->in->contenders.count;
    probe_pose at = figure_pose(job->in, &f->about.at, contender);
    at.has_normals = false;
    probe_deform(p, 0, &at);
    pelt_metric_input input = {.metrics = PELT_METRIC_BIT(PELT_METRIC_INTERSECTION),
                               .surfaces = p->frames[0].surfaces,
                               .palettes = p->frames[0].palettes};
    pelt_body_measure(&p->metrics, p->body, &input);
    f->crossings[contender] = p->metrics.intersection_count;
}

// One of several at once: takes poses until none is left.
static void work(void* context, uint32_t worker)
{
    (void)worker;
    crossing_job* job = context;
    uint32_t count = job->out->count * job->in->contenders.count;
    probe p = {0};
    for (bool is_ready = false; !atomic_load(&job->is_out_of_memory);)
    {
        uint32_t index = atomic_fetch_add(&job->next, 1);
        if (index >= count)
        {
            break;
        }
        if (!is_ready && probe_create(&p, job->in) != PELT_OK)
        {
            atomic_store(&job->is_out_of_memory, true);
            break;
        }
        is_ready = true;
        count_crossings(job, &p, index);
    }
    probe_destroy(&p);
}

int figure_list_choose(figure_list* out, const comparison* in, const verdict* why, uint32_t limit)
{
    *out = (figure_list){0};
    choose_moments(out, why, limit);
    crossing_job job = {.out = out, .in = in};
    progress_begin("counting crossing triangles");
    pelt_run(comparison_worker_count(in), work, &job);
    progress_end();
    return atomic_load(&job.is_out_of_memory) ? message_memory() : EXIT_DONE;
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
