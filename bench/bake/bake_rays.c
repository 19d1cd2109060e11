// SPDX-License-Identifier: MIT
#include "bake_rays.h"

#include "thesis_rays.h"

#include <math.h>

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

// mm/m: millimeters per meter of height.
static const bench_column columns[] = {
    {"subject", "SUBJECT", BENCH_TEXT}, {"code", "CODE", BENCH_TEXT},
    {"bytes_per_offset", "BYTES", 0},   {"offsets", "OFFSETS", 0},
    {"max", "MAX", BENCH_DIGITS},       {"rms", "RMS MM/M", BENCH_DIGITS},
    {"max_to_box", "MAX TO BOX", 2},    {"rms_to_box", "RMS TO BOX", 2},
};

bench_table* bake_rays_begin(bench_report* out)
{
    return bench_table_add(out, "rays", columns, COUNT_OF(columns));
}

static uint32_t count_vertices(const pelt_scene* scene)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        count += scene->meshes[scene->instances[i].mesh].vertex_count;
    }
    return count;
}

// Positions of all vertices in the pose of the subject.
static void deform(pelt_vec3* out, bake_subject* subject)
{
    const pelt_scene* scene = subject->scene;
    pelt_frame_update(&subject->frame, scene, &subject->pose, &(pelt_deform_options){0});
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        uint32_t count = scene->meshes[scene->instances[i].mesh].vertex_count;
        for (uint32_t v = 0; v < count; ++v)
        {
            *out++ = subject->frame.surfaces[i].positions[v];
        }
    }
}

// Offsets from rest at all keys of a clip.
static size_t find_offsets(pelt_vec3* out, bake_subject* subject, uint32_t clip,
                           const pelt_vec3* rest, uint32_t vertex_count)
{
    const pelt_baked_clip* baked = &subject->source->clips[clip];
    size_t count = 0;
    for (uint32_t r = 0; r < baked->run_count; ++r)
    {
        const pelt_baked_run* run = &baked->runs[r];
        for (uint32_t key = 0; key < run->key_count; ++key)
        {
            float time = run->start + (key > 0 ? (float)key / run->rate : 0.0f);
            pelt_pose_sample(&subject->pose, subject->scene,
                             &subject->scene->clips[subject->clips[clip]], time, PELT_WRAP_CLAMP);
            deform(out + count, subject);
            for (uint32_t v = 0; v < vertex_count; ++v, ++count)
            {
                out[count] = pelt_vec3_sub(out[count], rest[v]);
            }
        }
    }
    return count;
}

// Sums over clips.
typedef struct code_sums
{
    size_t count;
    double max, squares;
} code_sums;

static void add_rows(bench_table* out, const char* name, const code_sums* sums, double height)
{
    static const double bytes[THESIS_CODE_COUNT] = {3.0, 4.0, 4.0};
    for (int code = 0; code < THESIS_CODE_COUNT; ++code)
    {
        double count = (double)sums[code].count;
        bench_cell* row = bench_row_add(out);
        bench_cell_set(&row[0], name);
        bench_cell_set(&row[1], thesis_code_name((thesis_code)code));
        row[2].number = bytes[code];
        row[3].number = count;
        row[4].number = 1e3 * sums[code].max / height;
        row[5].number = 1e3 * sqrt(sums[code].squares / count) / height;
        row[6].number = sums[code].max / sums[THESIS_CODE_BOX].max;
        row[7].number = sqrt(sums[code].squares / sums[THESIS_CODE_BOX].squares);
    }
}

pelt_result bake_rays_add(bench_table* out, const char* name, bake_subject* subject,
                          pelt_error* error)
{
    uint32_t vertex_count = count_vertices(subject->scene), key_max = 0;
    for (uint32_t i = 0; i < subject->clip_count; ++i)
    {
        uint32_t key_count = subject->source->clips[i].key_count;
        key_max = key_count > key_max ? key_count : key_max;
    }
    pelt_vec3* rest = pelt_allocate((size_t)vertex_count * (key_max + 1), sizeof *rest);
    if (rest == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_vec3* offsets = rest + vertex_count;
    pelt_pose_rest(&subject->pose, subject->scene);
    deform(rest, subject);
    code_sums sums[THESIS_CODE_COUNT] = {0};
    for (uint32_t i = 0; i < subject->clip_count; ++i)
    {
        size_t count = find_offsets(offsets, subject, i, rest, vertex_count);
        for (int code = 0; code < THESIS_CODE_COUNT; ++code)
        {
            thesis_code_error own = thesis_code_measure((thesis_code)code, offsets, count);
            sums[code].count += count;
            sums[code].max = fmax(sums[code].max, own.max);
            sums[code].squares += own.rms * own.rms * (double)count;
        }
    }
    pelt_release(rest);
    add_rows(out, name, sums, subject->height);
    return PELT_OK;
}
