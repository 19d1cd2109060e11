// SPDX-License-Identifier: MIT
// Deforms the scene at each key and stores the offset of each vertex from rest, relative to its
// range during the clip. Keys are independent, so threads share them.
#include "../base/exact.h"

#include "bake_work.h"

#include <string.h>

enum
{
    KEY_BLOCK = 8,       // keys of one task
    VERTEX_BLOCK = 1024, // unique vertices of one task
    NORMAL_WIDTH_KEPT = 16,
    NORMAL_WIDTH_LEAST = 6,
    NORMAL_WIDTH_MOST = 8, // errors of a third of a degree, invisible in shading
};

// ---------------------------------------------------------------------------------------------
// Sampling

static uint32_t key_count_of(const pelti_vertex_clip* clip)
{
    return clip->clip->samples.key_count;
}

static pelt_vec3* offsets_at(const pelti_vertex_clip* clip, uint32_t key)
{
    return clip->offsets + (size_t)key * clip->work->unique.count;
}

// The time at a fraction of the interval from a key to the next, in seconds.
static float time_of(const pelti_vertex_clip* clip, uint32_t key, double part)
{
    uint32_t run = clip->runs[key];
    return pelti_run_time(&clip->clip->times.runs[run], key - clip->first_keys[run] + part);
}

static void sample_clip(pelti_surface_sampler* sampler, const pelti_vertex_clip* clip, float time)
{
    const pelti_bake_work* work = clip->work;
    pelti_surface_sample(sampler, work->source.scene, clip->clip->clip, time,
                         &work->options.deform);
}

static pelt_vec3 offset_of(const pelti_surface_sampler* sampler, const pelti_unique_vertex* vertex)
{
    return pelt_vec3_sub(sampler->frame.surfaces[vertex->instance].positions[vertex->vertex],
                         vertex->rest);
}

static void keep_surface(pelti_vertex_clip* clip, uint32_t key,
                         const pelti_surface_sampler* sampler)
{
    const pelti_unique_vertices* unique = &clip->work->unique;
    pelt_vec3* offsets = offsets_at(clip, key);
    for (uint32_t i = 0; i < unique->count; ++i)
    {
        const pelti_unique_vertex* vertex = &unique->firsts[i];
        const pelt_vec3* normals = sampler->frame.surfaces[vertex->instance].normals;
        offsets[i] = offset_of(sampler, vertex);
        if (normals != NULL)
        {
            uint32_t x, y;
            pelti_octahedral_quantize(&x, &y, normals[vertex->vertex], NORMAL_WIDTH_KEPT);
            clip->normals[(size_t)key * unique->count + i] = x | y << NORMAL_WIDTH_KEPT;
        }
    }
}

static void sample_task(void* context, uint32_t index)
{
    pelti_vertex_clip* clip = context;
    pelti_surface_sampler sampler;
    if (pelti_bake_state(clip->work) != PELT_OK)
    {
        return;
    }
    if (pelti_surface_sampler_create(&sampler, clip->work->source.scene, NULL) != PELT_OK)
    {
        pelti_bake_keep_result(clip->work, PELT_ERROR_MEMORY);
        return;
    }
    for (uint32_t key = index * KEY_BLOCK;
         key < (index + 1) * KEY_BLOCK && key < key_count_of(clip); ++key)
    {
        if (pelti_bake_state(clip->work) == PELT_OK)
        {
            sample_clip(&sampler, clip, time_of(clip, key, 0.0));
            keep_surface(clip, key, &sampler);
            pelti_progress_add(&clip->work->progress, 1);
        }
    }
    pelti_surface_sampler_destroy(&sampler);
}

// The format limits the range of a component to 504 units.
static bool is_inside(const pelt_bounds* range, float unit)
{
    bool is_ok = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        float low = pelt_vec3_component(range->min, axis),
              high = pelt_vec3_component(range->max, axis);
        is_ok = is_ok && low > -1e30f && high < 1e30f && high - low <= 500.0f * unit;
    }
    return is_ok;
}

static void range_task(void* context, uint32_t index)
{
    pelti_vertex_clip* clip = context;
    uint32_t count = clip->work->unique.count, first = index * VERTEX_BLOCK;
    uint32_t end = first + VERTEX_BLOCK < count ? first + VERTEX_BLOCK : count;
    for (uint32_t i = first; i < end; ++i)
    {
        clip->ranges[i] = pelt_bounds_empty();
    }
    bool is_finite = true;
    for (uint32_t key = 0; key < key_count_of(clip); ++key)
    {
        const pelt_vec3* offsets = offsets_at(clip, key);
        for (uint32_t i = first; i < end; ++i)
        {
            pelt_bounds_add(&clip->ranges[i], &offsets[i], 1);
            is_finite = is_finite && isfinite(offsets[i].x + offsets[i].y + offsets[i].z);
        }
    }
    for (uint32_t i = first; i < end; ++i)
    {
        is_finite = is_finite && is_inside(&clip->ranges[i], clip->work->job.unit);
    }
    pelti_bake_keep_result(clip->work, is_finite ? PELT_OK : PELT_ERROR_DATA);
}

static bool create_arrays(pelti_vertex_clip* out)
{
    const pelti_bake_clip* clip = out->clip;
    const pelti_unique_vertices* unique = &out->work->unique;
    uint32_t key_count = key_count_of(out), run_count = clip->times.run_count;
    size_t size = (size_t)key_count * unique->count;
    out->arena = pelt_arena_create();
    if (out->arena == NULL)
    {
        return false;
    }
    out->runs = pelt_arena_alloc(out->arena, key_count, sizeof *out->runs);
    out->first_keys = pelt_arena_alloc(out->arena, run_count, sizeof *out->first_keys);
    out->offsets = pelt_arena_alloc(out->arena, size, sizeof *out->offsets);
    out->ranges = pelt_arena_alloc(out->arena, unique->count, sizeof *out->ranges);
    out->normals =
        unique->has_normals ? pelt_arena_alloc(out->arena, size, sizeof *out->normals) : NULL;
    return out->runs != NULL && out->first_keys != NULL && out->offsets != NULL &&
           out->ranges != NULL && (out->normals != NULL || !unique->has_normals);
}

pelt_result pelti_vertex_clip_create(pelti_vertex_clip* out, pelti_bake_work* work,
                                     const pelti_bake_clip* clip)
{
    *out = (pelti_vertex_clip){.work = work, .clip = clip};
    if (!create_arrays(out))
    {
        pelti_bake_keep_result(work, PELT_ERROR_MEMORY);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t run = 0, key = 0; run < clip->times.run_count; ++run)
    {
        uint32_t count = pelti_run_key_count(&clip->times.runs[run], clip->times.wraps);
        out->first_keys[run] = key;
        for (uint32_t i = 0; i < count; ++i)
        {
            out->runs[key++] = run;
        }
    }
    pelt_run((key_count_of(out) + KEY_BLOCK - 1) / KEY_BLOCK, sample_task, out);
    if (pelti_bake_state(work) == PELT_OK)
    {
        pelt_run((work->unique.count + VERTEX_BLOCK - 1) / VERTEX_BLOCK, range_task, out);
    }
    for (uint32_t i = 1; work->options.has_mesh_bounds && i < work->unique.count; ++i)
    {
        pelt_bounds_add(out->ranges, &out->ranges[i].min, 1);
        pelt_bounds_add(out->ranges, &out->ranges[i].max, 1);
    }
    return pelti_bake_state(work);
}

pelt_vec3 pelti_vertex_clip_normal(const pelti_vertex_clip* clip, uint32_t key, uint32_t vertex)
{
    uint32_t kept = clip->normals[(size_t)key * clip->work->unique.count + vertex];
    return pelti_octahedral_value(kept & 0xFFFF, kept >> NORMAL_WIDTH_KEPT, NORMAL_WIDTH_KEPT);
}

void pelti_vertex_clip_destroy(pelti_vertex_clip* clip)
{
    pelt_arena_destroy(clip->arena);
    *clip = (pelti_vertex_clip){0};
}

// ---------------------------------------------------------------------------------------------
// Tables

typedef struct vertex_table
{
    uint32_t width, normal_width;
    uint32_t range_count; // number of unique vertices, or 1
    uint32_t* words;      // three for each range
    pelti_component* components;
} vertex_table;

// A constant where its error is invisible or not larger than that of steps. Steps begin at a float
// with nine bits, so a constant is better for vertices far from rest that hardly move.
static uint32_t choose_word(float low, float high, uint32_t width, const pelti_bake_work* work)
{
    float unit = work->job.unit;
    uint32_t constant = pelti_component_word(low, high, 0, unit);
    uint32_t stepped = pelti_component_word(low, high, width, unit);
    pelti_component still = pelti_component_read(constant, unit);
    pelti_component moving = pelti_component_read(stepped, unit);
    double off = fmax((double)high - (double)still.low, (double)still.low - (double)low);
    double half_step = 0.5 * (double)moving.range / (double)((UINT32_C(1) << width) - 1);
    return off <= fmax(half_step, 1e-6 * (double)work->source.size) ? constant : stepped;
}

static uint32_t normal_width_of(const pelti_bake_work* work, uint32_t width)
{
    uint32_t chosen = width < NORMAL_WIDTH_LEAST  ? NORMAL_WIDTH_LEAST
                      : width > NORMAL_WIDTH_MOST ? NORMAL_WIDTH_MOST
                                                  : width;
    chosen = work->options.normal_bits > 0 ? work->options.normal_bits : chosen;
    return work->unique.has_normals ? chosen : 0;
}

static bool make_table(vertex_table* out, const pelti_vertex_clip* clip, uint32_t width,
                       pelt_arena* arena)
{
    const pelti_bake_work* work = clip->work;
    *out = (vertex_table){.width = 1,
                          .normal_width = normal_width_of(work, width),
                          .range_count = work->options.has_mesh_bounds ? 1 : work->unique.count};
    out->words = pelt_arena_alloc(arena, out->range_count, 3 * sizeof *out->words);
    out->components = pelt_arena_alloc(arena, out->range_count, 3 * sizeof *out->components);
    if (out->words == NULL || out->components == NULL)
    {
        return false;
    }
    for (size_t i = 0; i < 3 * (size_t)out->range_count; ++i)
    {
        const pelt_bounds* range = &clip->ranges[i / 3];
        int axis = (int)(i % 3);
        float low = pelt_vec3_component(range->min, axis),
              high = pelt_vec3_component(range->max, axis);
        out->words[i] = choose_word(low, high, width, work);
        out->components[i] = pelti_component_read(out->words[i], work->job.unit);
        // If no vertex moves, keys have the smallest width.
        out->width = out->components[i].width > 0 ? width : out->width;
    }
    return true;
}

static const pelti_component* components_of(const vertex_table* table, uint32_t index)
{
    return table->components + (table->range_count > 1 ? 3 * (size_t)index : 0);
}

static uint64_t key_bits(const vertex_table* table, uint32_t unique_count)
{
    return (uint64_t)unique_count * (3 * table->width + 2 * table->normal_width);
}

uint64_t pelti_vertex_words(const pelti_bake_work* work, uint32_t key_count, uint32_t width)
{
    uint32_t unique_count = work->unique.count;
    vertex_table table = {.width = width, .normal_width = normal_width_of(work, width)};
    uint64_t ranges = work->options.has_mesh_bounds ? 1 : unique_count;
    return 1 + 3 * ranges + (key_bits(&table, unique_count) + 31) / 32 * key_count;
}

// ---------------------------------------------------------------------------------------------
// Measuring

typedef struct measure_job
{
    pelti_vertex_clip* clip;
    vertex_table tables[PELTI_VERTEX_WIDTHS];
    pelti_vertex_error (*errors)[PELTI_VERTEX_WIDTHS]; // of each key
    bool is_at_keys;
} measure_job;

static void decode_key(pelt_vec3* out, const pelti_vertex_clip* clip, const vertex_table* table,
                       uint32_t key)
{
    const pelt_vec3* offsets = offsets_at(clip, key);
    for (uint32_t i = 0; i < clip->work->unique.count; ++i)
    {
        const pelti_component* components = components_of(table, i);
        for (int axis = 0; axis < 3; ++axis)
        {
            uint32_t value =
                pelti_component_quantize(&components[axis], pelt_vec3_component(offsets[i], axis));
            *pelt_vec3_component_at(&out[i], axis) =
                pelti_component_value(&components[axis], value);
        }
    }
}

// Measure between a key and the next, which are decoded in each width.
static void measure_between(measure_job* job, uint32_t key, pelt_vec3* const* decoded,
                            pelti_surface_sampler* sampler)
{
    const pelti_vertex_clip* clip = job->clip;
    const pelti_unique_vertices* unique = &clip->work->unique;
    uint32_t span = clip->clip->samples.spans[key];
    for (uint32_t step = 1; step < span; ++step)
    {
        float u = (float)step / (float)span;
        sample_clip(sampler, clip, time_of(clip, key, (double)step / span));
        for (uint32_t i = 0; i < unique->count; ++i)
        {
            pelt_vec3 exact = offset_of(sampler, &unique->firsts[i]);
            for (int w = 0; w < PELTI_VERTEX_WIDTHS; ++w)
            {
                pelt_vec3 now = pelt_vec3_lerp(decoded[2 * w][i], decoded[2 * w + 1][i], u);
                double* most = &job->errors[key][w].everywhere;
                *most = fmax(*most, (double)pelt_vec3_distance(exact, now));
            }
        }
    }
}

static void measure_key(measure_job* job, uint32_t key, pelt_vec3* const* decoded,
                        pelti_surface_sampler* sampler)
{
    const pelti_vertex_clip* clip = job->clip;
    const pelti_samples* samples = &clip->clip->samples;
    const pelt_vec3* offsets = offsets_at(clip, key);
    bool is_interpolated = !job->is_at_keys && samples->spans[key] > 1;
    for (int w = 0; w < PELTI_VERTEX_WIDTHS; ++w)
    {
        double most = 0.0;
        decode_key(decoded[2 * w], clip, &job->tables[w], key);
        for (uint32_t i = 0; i < clip->work->unique.count; ++i)
        {
            most = fmax(most, (double)pelt_vec3_distance(offsets[i], decoded[2 * w][i]));
        }
        job->errors[key][w] = (pelti_vertex_error){most, most};
        if (is_interpolated)
        {
            decode_key(decoded[2 * w + 1], clip, &job->tables[w], samples->next[key]);
        }
    }
    if (is_interpolated)
    {
        measure_between(job, key, decoded, sampler);
    }
}

static void measure_task(void* context, uint32_t index)
{
    measure_job* job = context;
    pelti_bake_work* work = job->clip->work;
    pelt_vec3* decoded[2 * PELTI_VERTEX_WIDTHS];
    pelti_surface_sampler sampler = {0};
    pelt_arena* arena = pelt_arena_create();
    bool has_memory = arena != NULL &&
                      (job->is_at_keys ||
                       pelti_surface_sampler_create(&sampler, work->source.scene, NULL) == PELT_OK);
    for (int i = 0; i < 2 * PELTI_VERTEX_WIDTHS && has_memory; ++i)
    {
        decoded[i] = pelt_arena_alloc(arena, work->unique.count, sizeof *decoded[i]);
        has_memory = decoded[i] != NULL;
    }
    pelti_bake_keep_result(work, has_memory ? PELT_OK : PELT_ERROR_MEMORY);
    for (uint32_t key = index * KEY_BLOCK; key < (index + 1) * KEY_BLOCK; ++key)
    {
        if (key < key_count_of(job->clip) && pelti_bake_state(work) == PELT_OK)
        {
            measure_key(job, key, decoded, &sampler);
            pelti_progress_add(&work->progress, 1);
        }
    }
    pelti_surface_sampler_destroy(&sampler);
    pelt_arena_destroy(arena);
}

pelt_result pelti_vertex_clip_measure(pelti_vertex_error* errors, pelti_vertex_clip* clip,
                                      const uint32_t widths[PELTI_VERTEX_WIDTHS], bool is_at_keys)
{
    pelt_arena* arena = pelt_arena_create();
    measure_job job = {.clip = clip, .is_at_keys = is_at_keys};
    bool has_memory = arena != NULL;
    for (int w = 0; w < PELTI_VERTEX_WIDTHS && has_memory; ++w)
    {
        errors[w] = (pelti_vertex_error){0};
        has_memory = make_table(&job.tables[w], clip, widths[w], arena);
    }
    uint32_t key_count = key_count_of(clip);
    job.errors = has_memory ? pelt_arena_alloc(arena, key_count, sizeof *job.errors) : NULL;
    pelti_bake_keep_result(clip->work, job.errors != NULL ? PELT_OK : PELT_ERROR_MEMORY);
    pelt_run((key_count + KEY_BLOCK - 1) / KEY_BLOCK, measure_task, &job);
    for (uint32_t key = 0; job.errors != NULL && key < key_count; ++key)
    {
        for (int w = 0; w < PELTI_VERTEX_WIDTHS; ++w)
        {
            errors[w].at_keys = fmax(errors[w].at_keys, job.errors[key][w].at_keys);
            errors[w].everywhere = fmax(errors[w].everywhere, job.errors[key][w].everywhere);
        }
    }
    pelt_arena_destroy(arena);
    return pelti_bake_state(clip->work);
}

// ---------------------------------------------------------------------------------------------
// Encoding

typedef struct encode_job
{
    pelti_vertex_clip* clip;
    vertex_table table;
    pelti_code* code;
    pelt_bounds* bounds; // of the decoded surface at each key
} encode_job;

static void encode_key(void* context, uint32_t key)
{
    const encode_job* job = context;
    const pelti_vertex_clip* clip = job->clip;
    const vertex_table* table = &job->table;
    const pelti_unique_vertices* unique = &clip->work->unique;
    const pelt_vec3* offsets = offsets_at(clip, key);
    uint32_t* words = job->code->keys + (size_t)key * job->code->key_words;
    size_t bit = 0;
    job->bounds[key] = pelt_bounds_empty();
    for (uint32_t i = 0; i < unique->count; ++i)
    {
        const pelti_component* components = components_of(table, i);
        pelt_vec3 offset;
        for (int axis = 0; axis < 3; ++axis, bit += table->width)
        {
            uint32_t value =
                pelti_component_quantize(&components[axis], pelt_vec3_component(offsets[i], axis));
            *pelt_vec3_component_at(&offset, axis) =
                pelti_component_value(&components[axis], value);
            pelti_bits_write(words, bit, table->width, value);
        }
        pelt_vec3 position = pelt_vec3_add(unique->firsts[i].rest, offset);
        pelt_bounds_add(&job->bounds[key], &position, 1);
        if (table->normal_width > 0)
        {
            uint32_t x, y;
            pelt_vec3 normal = pelti_vertex_clip_normal(clip, key, i);
            pelti_octahedral_quantize(&x, &y, normal, table->normal_width);
            pelti_bits_write(words, bit, table->normal_width, x);
            pelti_bits_write(words, bit + table->normal_width, table->normal_width, y);
            bit += 2 * table->normal_width;
        }
    }
}

static bool create_code(encode_job* job, pelti_bake_clip* out)
{
    pelti_code* code = &out->found.code;
    uint32_t key_count = key_count_of(job->clip), unique_count = job->clip->work->unique.count;
    uint64_t key_words = (key_bits(&job->table, unique_count) + 31) / 32;
    *code = (pelti_code){.key_count = key_count,
                         .key_words = (uint32_t)key_words,
                         .table_words = 1 + 3 * job->table.range_count};
    job->code = code;
    code->table = pelt_arena_alloc(out->arena, code->table_words, sizeof *code->table);
    code->keys = pelt_arena_alloc(out->arena, (size_t)key_words * key_count, sizeof *code->keys);
    job->bounds = pelt_arena_alloc(out->arena, key_count, sizeof *job->bounds);
    out->key_bounds = job->bounds;
    return key_words <= UINT32_MAX && code->table != NULL && code->keys != NULL &&
           job->bounds != NULL;
}

pelt_result pelti_vertex_clip_encode(pelti_bake_clip* out, pelti_vertex_clip* clip, uint32_t width)
{
    encode_job job = {.clip = clip};
    if (!make_table(&job.table, clip, width, clip->arena) || !create_code(&job, out))
    {
        pelti_bake_keep_result(clip->work, PELT_ERROR_MEMORY);
        return PELT_ERROR_MEMORY;
    }
    const vertex_table* table = &job.table;
    bool is_shared = clip->work->options.has_mesh_bounds;
    job.code->table[0] =
        table->width | table->normal_width << 8 | (is_shared ? (uint32_t)PELTI_VERTEX_SHARED : 0);
    memcpy(job.code->table + 1, table->words,
           3 * (size_t)table->range_count * sizeof *table->words);
    pelt_run(job.code->key_count, encode_key, &job);
    return PELT_OK;
}
