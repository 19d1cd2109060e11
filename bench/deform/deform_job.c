// SPDX-License-Identifier: MIT
// Times a deformer, the reference, and a copy of the bytes that it moves.
#include "deform_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum
{
    TASK_BLOCKS = 64, // of a task: fewer do not repay starting a thread
    TOUCH_VERTICES = 32 * PELT_DEFORMER_BLOCK,
    MEMORY_BYTE = 1, // the system maps all zero pages to one page
};

// ---------------------------------------------------------------------------------------------
// The deformer and the bytes that it reads

static uint32_t block_vertices(const deform_job* job, uint32_t block)
{
    uint32_t left = job->subject->mesh.vertex_count - block * PELT_DEFORMER_BLOCK;
    return left < PELT_DEFORMER_BLOCK ? left : PELT_DEFORMER_BLOCK;
}

// Blocks that follow one rigid joint are moved by its matrix, and their weights are not read.
static uint32_t count_rigid_blocks(const deform_job* job)
{
    const pelt_weights* weights = job->source.weights;
    const uint32_t* order = pelt_deformer_order(job->deformer);
    uint32_t count = 0;
    for (uint32_t b = 0; b < pelt_deformer_block_count(job->deformer); ++b)
    {
        const uint32_t* vertices = order + (size_t)b * PELT_DEFORMER_BLOCK;
        uint16_t joint = weights->influences[weights->first[vertices[0]]].joint;
        bool is_rigid = job->subject->palette->is_rigid;
        for (uint32_t i = 0; i < block_vertices(job, b) && is_rigid; ++i)
        {
            uint32_t first = weights->first[vertices[i]];
            is_rigid = weights->first[vertices[i] + 1] == first + 1 &&
                       weights->influences[first].joint == joint;
        }
        count += is_rigid;
    }
    return count;
}

// Where weights are constant and joints rigid, accurate normals need no weight gradients.
static uint32_t count_constant_blocks(const deform_job* job)
{
    const pelti_factor_block* blocks = job->deformer->factor_blocks;
    uint32_t count = 0;
    for (uint32_t b = 0; b < pelt_deformer_block_count(job->deformer) && blocks != NULL; ++b)
    {
        count += job->subject->palette->is_rigid && blocks[b].joint_count == 0;
    }
    return count;
}

// The bytes of the deformer without the inverse of the order, the order itself unless it is kept,
// and weights and gradients that kernels do not read.
static size_t count_read_bytes(const deform_job* job)
{
    size_t vertex_count = job->subject->mesh.vertex_count;
    size_t unread = vertex_count * (job->point.order == PELT_ORDER_KEPT ? 1 : 2) * sizeof(uint32_t);
    unread += (size_t)count_rigid_blocks(job) * PELT_DEFORMER_BLOCK * sizeof(uint16_t);
    unread += (size_t)count_constant_blocks(job) * PELT_DEFORMER_BLOCK * sizeof(pelt_vec3);
    return pelt_deformer_bytes(job->deformer) - unread;
}

double deform_job_bytes(const deform_job* job)
{
    double vertex_count = job->subject->mesh.vertex_count;
    return (double)job->read_size / vertex_count + 2.0 * sizeof(pelt_vec3);
}

pelt_result deform_job_create(deform_job* out, deform_subject* subject, const deform_point* point)
{
    bool has_centers = pelt_method_info(point->method)->needs_centers;
    bool is_standard = point->normals == PELT_NORMAL_STANDARD;
    *out = (deform_job){
        .subject = subject,
        .point = *point,
        .source = {.positions = subject->mesh.positions,
                   .normals = subject->mesh.normals,
                   .cors = has_centers ? deform_subject_cors(subject) : NULL,
                   .normal_factors = is_standard ? NULL : deform_subject_factors(subject),
                   .weights = &subject->mesh.weights},
        .options = {.method = point->method, .mix = 0.5f, .normal_rule = point->normals},
    };
    const pelt_deformer_options how = {.order = point->order};
    if ((!is_standard && out->source.normal_factors == NULL) ||
        pelt_deformer_create(&out->deformer, &out->source, &how) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    out->read_size = count_read_bytes(out);
    PELT_ASSERT(out->read_size >=
                subject->mesh.vertex_count * 2 * sizeof(pelt_vec3)); // see touch()
    out->memory = malloc(out->read_size);
    if (out->memory == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memset(out->memory, MEMORY_BYTE, out->read_size);
    return PELT_OK;
}

void deform_job_destroy(deform_job* job)
{
    pelt_deformer_destroy(job->deformer);
    free(job->memory);
    *job = (deform_job){0};
}

bool deform_job_fits(const deform_job* job, const deform_point* point)
{
    const deform_point* own = &job->point;
    return job->deformer != NULL && own->vertices == point->vertices &&
           own->influences == point->influences && own->order == point->order &&
           own->normals == point->normals && own->method == point->method;
}

// ---------------------------------------------------------------------------------------------
// Passes over all blocks

typedef struct block_pass
{
    const deform_job* job;
    const pelti_block_kernels* kernels;
    void (*run)(const struct block_pass* pass, pelt_range blocks);
    uint32_t task_blocks;
} block_pass;

static void run_task(void* context, uint32_t index)
{
    const block_pass* pass = context;
    uint32_t count = pelt_deformer_block_count(pass->job->deformer);
    uint32_t first = index * pass->task_blocks, left = count - first;
    pass->run(pass, (pelt_range){first, left < pass->task_blocks ? left : pass->task_blocks});
}

// Run on the number of threads of the point: one, or those of the hooks.
static void run_pass(void* context)
{
    block_pass* pass = context;
    uint32_t count = pelt_deformer_block_count(pass->job->deformer);
    if (pass->job->point.threads == 1)
    {
        pass->run(pass, (pelt_range){0, count});
        return;
    }
    pass->task_blocks = TASK_BLOCKS;
    pelt_run((count + pass->task_blocks - 1) / pass->task_blocks, run_task, pass);
}

static void deform_blocks(const block_pass* pass, pelt_range blocks)
{
    const deform_job* job = pass->job;
    pelti_deformer_run(job->deformer, pass->kernels, &job->subject->out, job->subject->palette,
                       &job->options, blocks);
}

// Copy part of the input to the output and scan the rest, many vertices per call so that the cost
// of calls is negligible. Both by functions of libc, which run at the speed of memory.
static void touch(const block_pass* pass, pelt_range blocks,
                  void (*copy)(void* out, const void* from, size_t size))
{
    const deform_job* job = pass->job;
    const pelt_surface* out = &job->subject->out;
    size_t vertex_count = job->subject->mesh.vertex_count;
    size_t end = (size_t)(blocks.first + blocks.count) * PELT_DEFORMER_BLOCK;
    end = end < vertex_count ? end : vertex_count;
    for (size_t v = (size_t)blocks.first * PELT_DEFORMER_BLOCK; v < end; v += TOUCH_VERTICES)
    {
        size_t count = end - v < TOUCH_VERTICES ? end - v : TOUCH_VERTICES;
        size_t size = count * sizeof(pelt_vec3), read = job->read_size * count / vertex_count;
        const char* from = job->memory + job->read_size * v / vertex_count;
        copy(out->positions + v, from, size);
        copy(out->normals + v, from + size, size);
        const void* volatile sink = memchr(from + 2 * size, MEMORY_BYTE + 1, read - 2 * size);
        (void)sink;
    }
}

static void copy_plainly(void* out, const void* from, size_t size)
{
    memcpy(out, from, size);
}

static void touch_plainly(const block_pass* pass, pelt_range blocks)
{
    touch(pass, blocks, copy_plainly);
}

#if defined(__SSE2__)
static void copy_past_caches(void* out, const void* from, size_t size)
{
    __m128i* to = out;
    const __m128i* at = from;
    for (size_t i = 0; i < size / sizeof *to; ++i)
    {
        _mm_stream_si128(to + i, _mm_loadu_si128(at + i));
    }
}

static void touch_past_caches(const block_pass* pass, pelt_range blocks)
{
    touch(pass, blocks, copy_past_caches);
    _mm_sfence();
}
#else
#define touch_past_caches touch_plainly
#endif

const pelti_block_kernels* deform_job_kernels(const deform_job* job)
{
    return pelti_block_kernels_for(job->point.isa);
}

deform_times deform_job_measure(deform_job* job, double budget)
{
    block_pass own = {job, deform_job_kernels(job), deform_blocks, 0};
    block_pass plain = {job, NULL, touch_plainly, 0}, past = {job, NULL, touch_past_caches, 0};
    deform_times out = {(double)INFINITY, (double)INFINITY};
    enum
    {
        ROUNDS = 3
    };
    for (int i = 0; i < ROUNDS; ++i)
    {
        out.own = fmin(out.own, bench_fastest(run_pass, &own, budget / ROUNDS));
        out.touch = fmin(out.touch, bench_fastest(run_pass, &plain, 0.5 * budget / ROUNDS));
        out.touch = fmin(out.touch, bench_fastest(run_pass, &past, 0.5 * budget / ROUNDS));
    }
    return out;
}

// ---------------------------------------------------------------------------------------------

typedef struct reference_run
{
    const deform_job* job;
    pelt_deform_input input;
    pelt_range range;
} reference_run;

static void run_reference(void* context)
{
    reference_run* run = context;
    pelt_deform(&run->job->subject->out, &run->input, &run->job->options, run->range);
}

double deform_job_measure_reference(const deform_job* job, double budget)
{
    const uint32_t most = 25000;
    uint32_t count = job->subject->mesh.vertex_count;
    reference_run run = {.job = job,
                         .input = {.positions = job->source.positions,
                                   .normals = job->source.normals,
                                   .cors = job->source.cors,
                                   .normal_factors = job->source.normal_factors,
                                   .weights = job->source.weights,
                                   .palette = job->subject->palette},
                         .range = {0, count < most ? count : most}};
    return bench_fastest(run_reference, &run, budget) / run.range.count;
}

static void run_create(void* context)
{
    const deform_job* job = context;
    const pelt_deformer_options how = {.order = job->point.order};
    pelt_deformer* deformer;
    if (pelt_deformer_create(&deformer, &job->source, &how) == PELT_OK)
    {
        pelt_deformer_destroy(deformer);
    }
}

double deform_job_measure_create(const deform_job* job, double budget)
{
    deform_job copy = *job;
    return bench_fastest(run_create, &copy, budget);
}
