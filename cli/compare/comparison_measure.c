// SPDX-License-Identifier: MIT
// Measures all contenders in all frames, on all threads. Each frame has its own slot in the
// results, so that they do not depend on the schedule.
#include "probe.h"
#include "terminal.h"

#include <math.h>
#include <stdatomic.h>

enum
{
    CHUNK_FRAMES = 8, // of one contender in one motion: a task
    WORKER_MAX = 64,

    SHAPE_METRICS = PELT_METRIC_BIT(PELT_METRIC_VOLUME) | PELT_METRIC_BIT(PELT_METRIC_RADIUS) |
                    PELT_METRIC_BIT(PELT_METRIC_BULGE) | PELT_METRIC_BIT(PELT_METRIC_COLLAPSE),
    SURFACE_METRICS = PELT_METRIC_BIT(PELT_METRIC_RIGIDITY) | PELT_METRIC_BIT(PELT_METRIC_FOLD) |
                      PELT_METRIC_BIT(PELT_METRIC_NORMAL) | PELT_METRIC_BIT(PELT_METRIC_JUMP) |
                      PELT_METRIC_BIT(PELT_METRIC_GAP),
};

// Bytes for each vertex of a worker: two frames, and a body's working memory.
static const uint64_t worker_bytes = 512;
static const uint64_t worker_memory = 1u << 30; // of all workers

typedef struct measure_chunk
{
    uint32_t contender, motion;
    uint32_t first, count; // frames of the motion
} measure_chunk;

typedef struct measure_job
{
    comparison* out;
    uint32_t chunk_count;
    measure_chunk* chunks;
    atomic_uint next_chunk, done_frames;
    atomic_flag is_telling;
    atomic_bool is_out_of_memory;
} measure_job;

static pelt_result list_chunks(measure_job* inout)
{
    const comparison* in = inout->out;
    size_t most = (size_t)in->contenders.count *
                  (in->motions.frame_count / CHUNK_FRAMES + (size_t)in->motions.count);
    inout->chunks = pelt_arena_alloc(in->arena, most, sizeof *inout->chunks);
    for (uint32_t i = 0; inout->chunks != NULL && i < in->contenders.count * in->motions.count; ++i)
    {
        uint32_t motion = i % in->motions.count, total = in->motions.items[motion].frame_count;
        for (uint32_t first = 0; first < total; first += CHUNK_FRAMES)
        {
            uint32_t count = total - first < CHUNK_FRAMES ? total - first : CHUNK_FRAMES;
            inout->chunks[inout->chunk_count++] =
                (measure_chunk){i / in->motions.count, motion, first, count};
        }
    }
    return inout->chunks != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

static void record_shape(const comparison* out, const pelt_pose_metrics* pose, uint32_t contender,
                         uint32_t frame)
{
    for (uint32_t i = 0; i < out->row_count; ++i)
    {
        uint32_t region = out->rows[i].region;
        double rest = out->info->regions[region].volume;
        const pelt_region_metrics* measured = &pose->regions[region];
        float* values = comparison_values(out, contender, frame, i);
        values[QUANTITY_SHAPE] = (float)measured->metrics[PELT_METRIC_BULGE].rms;
        values[QUANTITY_RADIUS] = fmaxf(-measured->metrics[PELT_METRIC_RADIUS].min, 0.0f);
        values[QUANTITY_BULGE] = fmaxf(measured->metrics[PELT_METRIC_BULGE].max, 0.0f);
        values[QUANTITY_COLLAPSE] = measured->metrics[PELT_METRIC_COLLAPSE].max;
        values[QUANTITY_VOLUME] = rest > 0.0 ? (float)(measured->volume / rest - 1.0) : 0.0f;
    }
}

static void record_surface(comparison_surface* out, const pelt_pose_metrics* pose)
{
    const pelt_metric_summary* m = pose->regions[0].metrics;
    *out = (comparison_surface){.strain_rms = m[PELT_METRIC_RIGIDITY].rms,
                                .fold_95 = m[PELT_METRIC_FOLD].percentile95,
                                .normal_95 = m[PELT_METRIC_NORMAL].percentile95,
                                .jump = (double)m[PELT_METRIC_JUMP].max,
                                .gap = (double)m[PELT_METRIC_GAP].max};
}

// @param at  posed in the slot of its frame; the frame before it in the other one, if has_normals
static void measure_frame(measure_job* job, probe* p, const probe_pose* at)
{
    const comparison* out = job->out;
    uint32_t index = at->motion->first_frame + at->frame;
    const pelt_frame* now = &p->frames[at->frame % 2];
    const pelt_frame* before = &p->frames[1 - at->frame % 2];
    pelt_metric_input input = {
        .metrics = SHAPE_METRICS, .surfaces = now->surfaces, .palettes = now->palettes};
    if (at->has_normals)
    {
        input.metrics |= SURFACE_METRICS;
        input.previous_surfaces = at->frame > 0 ? before->surfaces : NULL;
        input.previous_palettes = at->frame > 0 ? before->palettes : NULL;
    }
    pelt_body_measure(&p->metrics, p->body, &input);
    record_shape(out, &p->metrics, at->contender, index);
    if (at->has_normals)
    {
        record_surface(comparison_surface_at(out, at->contender, index), &p->metrics);
    }
}

static void tell(measure_job* job)
{
    unsigned done = atomic_fetch_add(&job->done_frames, 1) + 1;
    if (!atomic_flag_test_and_set(&job->is_telling))
    {
        uint64_t all = (uint64_t)job->out->contenders.count * job->out->motions.frame_count;
        progress_show((float)((double)done / (double)all));
        atomic_flag_clear(&job->is_telling);
    }
}

static void measure_frames(measure_job* job, probe* p, const measure_chunk* chunk)
{
    const compare_motion* motion = &job->out->motions.items[chunk->motion];
    uint32_t posed[2] = {PELT_NONE, PELT_NONE};
    for (uint32_t frame = chunk->first; frame < chunk->first + chunk->count; ++frame)
    {
        bool is_surface = comparison_has_surface(job->out, motion->first_frame + frame);
        probe_pose at = {chunk->contender, motion, frame, is_surface};
        if (is_surface && frame > 0 && posed[1 - frame % 2] != frame - 1)
        {
            probe_deform(p, 1 - frame % 2, &(probe_pose){at.contender, motion, frame - 1, false});
        }
        probe_deform(p, frame % 2, &at);
        posed[frame % 2] = frame;
        measure_frame(job, p, &at);
        tell(job);
    }
}

// One of several at once: takes chunks until none is left.
static void work(void* context, uint32_t worker)
{
    (void)worker;
    measure_job* job = context;
    probe p = {0};
    for (bool is_ready = false; !atomic_load(&job->is_out_of_memory);)
    {
        uint32_t chunk = atomic_fetch_add(&job->next_chunk, 1);
        if (chunk >= job->chunk_count)
        {
            break;
        }
        if (!is_ready && probe_create(&p, job->out) != PELT_OK)
        {
            atomic_store(&job->is_out_of_memory, true);
            break;
        }
        is_ready = true;
        measure_frames(job, &p, &job->chunks[chunk]);
    }
    probe_destroy(&p);
}

// Numbers that are not finite belong to a character that has left the range of float.
static int check_values(const comparison* in)
{
    for (uint32_t k = 0; k < in->motions.count; ++k)
    {
        const compare_motion* motion = &in->motions.items[k];
        for (uint32_t i = 0; i < in->contenders.count * motion->frame_count; ++i)
        {
            uint32_t frame = i / in->contenders.count, contender = i % in->contenders.count;
            const float* values = comparison_values(in, contender, motion->first_frame + frame, 0);
            for (size_t v = 0; v < (size_t)in->row_count * QUANTITY_COUNT; ++v)
            {
                if (!isfinite(values[v]))
                {
                    message_note("%s: in %s at %.3g s positions are beyond the range of numbers; "
                                 "scale the model down, or leave the clip out",
                                 in->input, motion->name, (double)motion_time(motion, frame));
                    return EXIT_INPUT;
                }
            }
        }
    }
    return EXIT_DONE;
}

uint32_t comparison_worker_count(const comparison* in)
{
    uint64_t count = worker_memory / (worker_bytes * ((uint64_t)in->info->vertex_count + 1));
    return count < 1 ? 1 : count > WORKER_MAX ? WORKER_MAX : (uint32_t)count;
}

int comparison_measure(comparison* inout)
{
    measure_job job = {.out = inout, .is_telling = ATOMIC_FLAG_INIT};
    size_t count = (size_t)inout->contenders.count * inout->motions.frame_count;
    inout->values =
        pelt_arena_alloc(inout->arena, count * inout->row_count * QUANTITY_COUNT, sizeof(float));
    inout->surfaces = pelt_arena_alloc(inout->arena, count, sizeof *inout->surfaces);
    if (inout->values == NULL || inout->surfaces == NULL || list_chunks(&job) != PELT_OK)
    {
        return message_memory();
    }
    progress_begin("measuring");
    pelt_run(comparison_worker_count(inout), work, &job);
    progress_end();
    return atomic_load(&job.is_out_of_memory) ? message_memory() : check_values(inout);
}
