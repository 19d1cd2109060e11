// SPDX-License-Identifier: MIT
// Suite `load`: time to read a file, relative to reading its bytes and computing a checksum; peak
// memory, relative to file and scene together; growth of time with lists and with extreme shapes.
#define _POSIX_C_SOURCE 200809L

#include "bench.h"
#include "load_inputs.h"
#include "pelt/io.h"
#include "rigs.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const bench_column columns[] = {
    {"file", "FILE", BENCH_TEXT},
    {"bytes", "BYTES", 0},
    {"vertices", "VERTICES", 0},
    {"load_ms", "LOAD MS", 3},
    {"checksum_ms", "CHECKSUM MS", 3},
    {"ratio_to_checksum", "TO CHECKSUM", 2},
    {"peak_of_file_and_scene", "PEAK MEMORY", 2},
};

// About 0.3, 3 and 15 MB.
static const char* const rig_names[] = {
    "rig:human?vertices=4000",
    "rig:human?vertices=40000",
    "rig:human?vertices=200000",
};

// ---------------------------------------------------------------------------------------------
// Memory: each block starts with its size. Counters are static because the hooks of the caller stay
// in use.

static atomic_size_t live_bytes, peak_bytes;

enum
{
    BLOCK_HEAD = 16, // keeps the alignment of malloc
};

static void* count_allocate(size_t size, void* user)
{
    (void)user;
    char* block = size <= SIZE_MAX - BLOCK_HEAD ? malloc(BLOCK_HEAD + size) : NULL;
    if (block == NULL)
    {
        return NULL;
    }
    memcpy(block, &size, sizeof size);
    size_t live = atomic_fetch_add(&live_bytes, size) + size;
    size_t peak = atomic_load(&peak_bytes);
    while (live > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, live))
    {
    }
    return block + BLOCK_HEAD;
}

static void count_release(void* memory, void* user)
{
    (void)user;
    if (memory != NULL)
    {
        size_t size;
        char* block = (char*)memory - BLOCK_HEAD;
        memcpy(&size, block, sizeof size);
        atomic_fetch_sub(&live_bytes, size);
        free(block);
    }
}

// Peak memory while a file is read, as a multiple of the file and the scene. Allocations of assimp
// are not counted.
static pelt_result measure_peak(double* ratio, const char* path, size_t file_size,
                                pelt_error* error)
{
    pelt_hooks before = pelt_hooks_get();
    pelt_hooks counting = before;
    counting.allocate = count_allocate;
    counting.release = count_release;
    pelt_hooks_set(&counting);
    atomic_store(&live_bytes, 0);
    atomic_store(&peak_bytes, 0);

    pelt_scene* scene;
    pelt_result result = pelt_load(&scene, path, NULL, error);
    if (result == PELT_OK)
    {
        double whole = (double)file_size + (double)atomic_load(&live_bytes);
        *ratio = (double)atomic_load(&peak_bytes) / whole;
        pelt_scene_destroy(scene);
    }
    pelt_hooks_set(&before);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Time

typedef struct load_run
{
    const char* path;
    size_t size;
    pelt_result result;
    pelt_error error;
    volatile uint64_t checksum;
} load_run;

static void run_load(void* context)
{
    load_run* run = context;
    pelt_scene* scene = NULL;
    pelt_result result = pelt_load(&scene, run->path, NULL, &run->error);
    run->result = run->result == PELT_OK ? result : run->result;
    pelt_scene_destroy(scene);
}

// 64-bit FNV-1a (Fowler, Noll and Vo), byte by byte, of a file that is read into memory first.
static void run_checksum(void* context)
{
    load_run* run = context;
    FILE* file = fopen(run->path, "rb");
    uint8_t* bytes = malloc(run->size);
    bool is_read = file != NULL && bytes != NULL && fread(bytes, 1, run->size, file) == run->size;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; is_read && i < run->size; ++i)
    {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    run->checksum = hash;
    if (!is_read && run->result == PELT_OK)
    {
        run->result =
            pelt_error_set(&run->error, PELT_ERROR_READ, "cannot read %s again", run->path);
    }
    free(bytes);
    if (file != NULL)
    {
        fclose(file);
    }
}

static double count_vertices(const pelt_scene* scene)
{
    double count = 0.0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        count += scene->meshes[i].vertex_count;
    }
    return count;
}

static pelt_result measure_file(bench_table* out, const char* name, const char* path, double budget,
                                pelt_error* error)
{
    struct stat status;
    pelt_scene* scene;
    bool is_stream =
        strcmp(path, "-") == 0 ||
        (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
    if (is_stream)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s cannot be read repeatedly: bench load needs a regular file",
                              path);
    }
    PELT_TRY(pelt_load(&scene, path, NULL, error));
    double vertex_count = count_vertices(scene);
    pelt_scene_destroy(scene);
    if (stat(path, &status) != 0 || status.st_size <= 0)
    {
        return pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: its size is unknown", path);
    }

    load_run run = {.path = path, .size = (size_t)status.st_size};
    double load = bench_fastest(run_load, &run, budget);
    double checksum = bench_fastest(run_checksum, &run, budget);
    if (run.result != PELT_OK)
    {
        return pelt_error_set(error, run.result, "%s", run.error.message);
    }
    bench_cell* row = bench_row_add(out);
    bench_cell_set(&row[0], name);
    row[1].number = (double)run.size;
    row[2].number = vertex_count;
    row[3].number = 1e3 * load;
    row[4].number = 1e3 * checksum;
    row[5].number = load / checksum;
    return measure_peak(&row[6].number, path, run.size, error);
}

// ---------------------------------------------------------------------------------------------

// Create an empty temporary file.
static pelt_result make_temporary(char* path, size_t size, pelt_error* error)
{
    const char* folder = getenv("TMPDIR");
    snprintf(path, size, "%s/pelt-bench-XXXXXX", folder != NULL ? folder : "/tmp");
    int descriptor = mkstemp(path);
    if (descriptor < 0)
    {
        return pelt_error_set(error, PELT_ERROR_WRITE, "cannot make the temporary file %s", path);
    }
    close(descriptor);
    return PELT_OK;
}

static pelt_result measure_rig(bench_table* out, const char* name, double budget, pelt_error* error)
{
    char path[4096];
    pelt_scene* scene;
    pelt_result result;
    PELT_TRY(pelt_rig_build(&scene, name, error));
    PELT_TRY_OR(cleanup, result, make_temporary(path, sizeof path, error));
    result = pelt_save_scene(path, PELT_FORMAT_GLB, scene, error);
    if (result == PELT_OK)
    {
        result = measure_file(out, name, path, budget, error);
    }
    remove(path);
cleanup:
    pelt_scene_destroy(scene);
    return result;
}

// A clip of 20 s of a character with fingers.
static pelt_result measure_dance(bench_table* out, double budget, pelt_error* error)
{
    char path[4096];
    PELT_TRY(make_temporary(path, sizeof path, error));
    pelt_result result =
        load_dance_write(path, (load_dance){.joint_count = 60, .seconds = 20.0}, error);
    if (result == PELT_OK)
    {
        result = measure_file(out, "FBX: 60 joints, 20 s at 30 keys/s", path, budget, error);
    }
    remove(path);
    return result;
}

static pelt_result measure_growth(bench_report* out, const bench_options* options,
                                  pelt_error* error)
{
    char path[4096];
    PELT_TRY(make_temporary(path, sizeof path, error));
    pelt_result result = load_growth_measure(out, options, path, error);
    if (result == PELT_OK)
    {
        result = load_shapes_measure(out, options, path, error);
    }
    remove(path);
    return result;
}

pelt_result bench_load(bench_report* out, const bench_options* options, pelt_error* error)
{
    bench_table* table = bench_table_add(out, "rows", columns, COUNT_OF(columns));
    double budget = options->is_quick ? 0.1 : 3.0;
    if (options->input_count > 0)
    {
        const char* path = options->inputs[0];
        return measure_file(table, bench_file_name(path), path, budget, error);
    }
    for (size_t i = 0; i < COUNT_OF(rig_names); ++i)
    {
        PELT_TRY(measure_rig(table, rig_names[i], budget, error));
    }
    PELT_TRY(measure_dance(table, budget, error));
    return measure_growth(out, options, error);
}
