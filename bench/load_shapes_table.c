// SPDX-License-Identifier: MIT
// What loading and preparing characters of extreme shapes take.
#include "growth.h"
#include "load_shapes.h"
#include "pelt/doctor.h"
#include "pelt/io.h"
#include "pelt/prepare.h"

#include <time.h>

enum
{
    SIZE_COUNT = 2, // the second is twice the first
};

static const bench_column columns[] = {
    {"shape", "SHAPE", BENCH_TEXT}, {"work", "WORK", BENCH_TEXT}, {"count", "COUNT", 0},
    {"bytes", "BYTES", 0},          {"cpu_ms", "CPU MS", 1},      {"exponent", "EXPONENT", 2},
};

// As many as fit into a file of 1 MB, or nearly.
static const uint32_t largest[LOAD_SHAPE_COUNT] = {20000, 20000, 20000, 7000, 20000, 100, 7000};

static pelt_result load(pelt_scene* scene, const char* path, pelt_arena* arena, pelt_error* error)
{
    (void)scene;
    (void)arena;
    pelt_scene* loaded = NULL;
    pelt_result result = pelt_load(&loaded, path, NULL, error);
    pelt_scene_destroy(loaded);
    return result;
}

static pelt_result add_centers(pelt_scene* scene, const char* path, pelt_arena* arena,
                               pelt_error* error)
{
    (void)path;
    pelt_result result = pelt_scene_add_cors(scene, PELT_PREPARE_ALL, NULL, NULL, arena);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static pelt_result add_normals(pelt_scene* scene, const char* path, pelt_arena* arena,
                               pelt_error* error)
{
    (void)path;
    pelt_result result = pelt_scene_add_normal_factors(scene, PELT_PREPARE_ALL, NULL, NULL, arena);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static pelt_result diagnose(pelt_scene* scene, const char* path, pelt_arena* arena,
                            pelt_error* error)
{
    (void)path;
    pelt_diagnosis diagnosis;
    pelt_result result = pelt_scene_diagnose(&diagnosis, scene, NULL, arena);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static pelt_result deform(pelt_scene* scene, const char* path, pelt_arena* arena, pelt_error* error)
{
    (void)path;
    (void)arena;
    pelt_pose pose;
    pelt_frame frame;
    const pelt_deform_options how = {.method = PELT_METHOD_LBS};
    pelt_result result = pelt_pose_create(&pose, scene);
    if (result != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    result = pelt_frame_create(&frame, scene);
    if (result == PELT_OK)
    {
        pelt_pose_rest(&pose, scene);
        pelt_frame_update(&frame, scene, &pose, &how);
        pelt_frame_destroy(&frame);
    }
    pelt_pose_destroy(&pose);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static const struct
{
    const char* name;
    pelt_result (*run)(pelt_scene* scene, const char* path, pelt_arena* arena, pelt_error* error);
} works[] = {{"load", load},
             {"centers", add_centers},
             {"normal factors", add_normals},
             {"doctor", diagnose},
             {"deform", deform}};

// Processor time of one work, on a scene of its own.
static pelt_result measure(double* seconds, double* bytes, load_shape shape, size_t work,
                           uint32_t count, const char* path, pelt_error* error)
{
    pelt_scene scene;
    pelt_arena* arena = pelt_arena_create();
    if (arena == NULL || !load_shape_build(&scene, shape, count, arena))
    {
        pelt_arena_destroy(arena);
        return pelt_error_memory(error);
    }
    pelt_result result = pelt_save_scene(path, PELT_FORMAT_GLB, &scene, error);
    *bytes = 0.0;
    FILE* file = result == PELT_OK ? fopen(path, "rb") : NULL;
    if (file != NULL)
    {
        *bytes = fseek(file, 0, SEEK_END) == 0 ? (double)ftell(file) : 0.0;
        fclose(file);
    }
    clock_t start = clock();
    if (result == PELT_OK)
    {
        result = works[work].run(&scene, path, arena, error);
    }
    *seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    pelt_arena_destroy(arena);
    return result;
}

pelt_result load_shapes_measure(bench_report* out, const bench_options* options, const char* path,
                                pelt_error* error)
{
    bench_table* table =
        bench_table_add(out, "shapes", columns, sizeof columns / sizeof columns[0]);
    for (int shape = 0; shape < LOAD_SHAPE_COUNT; ++shape)
    {
        for (size_t work = 0; work < sizeof works / sizeof works[0]; ++work)
        {
            uint32_t count = options->is_quick ? largest[shape] / 10 : largest[shape];
            double sizes[SIZE_COUNT] = {count / 2, count}, seconds[SIZE_COUNT], bytes = 0.0;
            for (int i = 0; i < SIZE_COUNT; ++i)
            {
                PELT_TRY(measure(&seconds[i], &bytes, (load_shape)shape, work, (uint32_t)sizes[i],
                                 path, error));
            }
            bench_cell* cells = bench_row_add(table);
            bench_cell_set(&cells[0], load_shape_name((load_shape)shape));
            bench_cell_set(&cells[1], works[work].name);
            cells[2].number = count;
            cells[3].number = bytes;
            cells[4].number = 1e3 * seconds[SIZE_COUNT - 1];
            cells[5].number = growth_exponent(sizes, seconds, SIZE_COUNT);
        }
    }
    return PELT_OK;
}
