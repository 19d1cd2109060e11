// SPDX-License-Identifier: MIT
// Growth of time with the length of the lists of a file, and with the number of triangles,
// instances or clips of extreme characters: each should be linear.
#include "load_inputs.h"

#include "pelt/doctor.h"
#include "pelt/io.h"
#include "pelt/prepare.h"
#include "statistics.h"

#include <stdio.h>
#include <time.h>

enum
{
    SMALLEST = 500,
    SIZE_COUNT = 6, // each twice the one before
    QUICK_SIZE_COUNT = 4,
    VERTEX_COUNT = 4,
};

static const bench_column columns[] = {
    {"list", "LIST", BENCH_TEXT}, {"work", "WORK", BENCH_TEXT}, {"smallest", "FROM", 0},
    {"largest", "TO", 0},         {"largest_ms", "TO MS", 2},   {"exponent", "EXPONENT", 2},
};

// ---------------------------------------------------------------------------------------------
// Scenes with one long list

static const pelt_vec3 positions[VERTEX_COUNT] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
static const uint32_t first[VERTEX_COUNT + 1] = {0, 1, 3, 5, 7};
static const pelt_influence influences[7] = {{0, 0, 1.0f}, {0, 0, 0.75f}, {1, 1, 0.25f},
                                             {0, 0, 0.5f}, {1, 1, 0.5f},  {1, 1, 0.75f},
                                             {0, 0, 0.25f}};

typedef struct long_scene
{
    pelt_scene scene;
    pelt_mesh* meshes;
    pelt_node* nodes;
    pelt_instance* instances;
    pelt_material* materials;
    pelt_image* images;
    pelt_skin skin;
    pelt_addition* additions;
    pelt_surface* surfaces;
    pelt_arena* arena;
} long_scene;

static const char* make_name(const long_scene* s, const char* noun, uint32_t index)
{
    return pelt_arena_format(s->arena, "%s %u", noun, index);
}

static void fill_skin(long_scene* s)
{
    static const uint32_t joints[2] = {0, 1};
    static pelt_mat34 binds[2];
    binds[0] = binds[1] = pelt_mat34_identity();
    s->skin = (pelt_skin){"skin", 2, joints, binds};
}

static void fill_element(long_scene* s, uint32_t i)
{
    static const uint8_t picture[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const char* name = make_name(s, "item", i);
    s->meshes[i] = (pelt_mesh){.name = name,
                               .vertex_count = VERTEX_COUNT,
                               .index_count = 6,
                               .positions = positions,
                               .indices = indices,
                               .weights = {VERTEX_COUNT, 2, 7, 2, first, influences, NULL},
                               .material = PELT_NONE};
    s->nodes[i] = (pelt_node){name, PELT_NONE, pelt_transform_identity()};
    s->instances[i] = (pelt_instance){.mesh = i, .node = i};
    s->images[i] = (pelt_image){name, picture, sizeof picture};
    s->materials[i] = (pelt_material){.name = name, .textures[0].image = name};
    s->additions[i] = (pelt_addition){.mesh = i,
                                      .vertex_count = VERTEX_COUNT,
                                      .name = "_PELT_COR",
                                      .width = 3,
                                      .values = &positions[0].x};
    s->surfaces[i] = (pelt_surface){.positions = (pelt_vec3*)positions};
}

static void long_scene_destroy(long_scene* s)
{
    pelt_arena_destroy(s->arena);
}

// Fill every list with `count` elements; a measurement then selects the lists that it uses.
static bool long_scene_create(long_scene* out, uint32_t count)
{
    *out = (long_scene){.arena = pelt_arena_create()};
    pelt_arena* arena = out->arena;
    if (arena == NULL)
    {
        return false;
    }
    out->meshes = pelt_arena_alloc(arena, count, sizeof *out->meshes);
    out->nodes = pelt_arena_alloc(arena, count, sizeof *out->nodes);
    out->instances = pelt_arena_alloc(arena, count, sizeof *out->instances);
    out->materials = pelt_arena_alloc(arena, count, sizeof *out->materials);
    out->images = pelt_arena_alloc(arena, count, sizeof *out->images);
    out->additions = pelt_arena_alloc(arena, count, sizeof *out->additions);
    out->surfaces = pelt_arena_alloc(arena, count, sizeof *out->surfaces);
    bool is_ok = out->meshes && out->nodes && out->instances && out->materials && out->images &&
                 out->additions && out->surfaces;
    for (uint32_t i = 0; i < count && is_ok; ++i)
    {
        fill_element(out, i);
        is_ok = out->nodes[i].name != NULL;
    }
    fill_skin(out);
    out->scene = (pelt_scene){.name = "list",
                              .node_count = count,
                              .mesh_count = 1,
                              .skin_count = 1,
                              .instance_count = 1,
                              .nodes = out->nodes,
                              .meshes = out->meshes,
                              .skins = &out->skin,
                              .instances = out->instances,
                              .materials = out->materials,
                              .images = out->images};
    return is_ok;
}

// ---------------------------------------------------------------------------------------------
// Work

typedef struct growth_run
{
    const char* path;
    long_scene list;
    uint32_t count;
    pelt_result result;
    pelt_error error;
} growth_run;

static void keep_result(growth_run* run, pelt_result result)
{
    run->result = run->result == PELT_OK ? result : run->result;
}

static void save(void* context)
{
    growth_run* run = context;
    keep_result(run, pelt_save_scene(run->path, PELT_FORMAT_GLB, &run->list.scene, &run->error));
}

static void load(void* context)
{
    growth_run* run = context;
    pelt_scene* scene = NULL;
    keep_result(run, pelt_load(&scene, run->path, NULL, &run->error));
    pelt_scene_destroy(scene);
}

static void add(void* context)
{
    growth_run* run = context;
    char path[4096];
    snprintf(path, sizeof path, "%s.glb", run->path);
    keep_result(run,
                pelt_save_additions(path, run->path, run->list.additions, run->count, &run->error));
    remove(path);
}

static void save_obj(void* context)
{
    growth_run* run = context;
    keep_result(run, pelt_save_surfaces(run->path, PELT_FORMAT_OBJ, &run->list.scene,
                                        run->list.surfaces, &run->error));
}

static void select_meshes(growth_run* run)
{
    run->list.scene.mesh_count = run->list.scene.instance_count = run->count;
}

static void select_instances(growth_run* run)
{
    run->list.scene.instance_count = run->count;
    for (uint32_t i = 0; i < run->count; ++i)
    {
        run->list.instances[i].mesh = 0;
    }
}

static void select_images(growth_run* run)
{
    run->list.scene.material_count = run->list.scene.image_count = run->count;
}

static const struct
{
    const char *list, *work;
    void (*select)(growth_run* run);
    void (*measure)(void* run);
    bool needs_file; // write the file first
} rows[] = {
    {"meshes", "save", select_meshes, save, false},
    {"meshes", "load", select_meshes, load, true},
    {"meshes", "add attributes", select_meshes, add, true},
    {"meshes", "save as OBJ", select_meshes, save_obj, false},
    {"instances", "save", select_instances, save, false},
    {"instances", "load", select_instances, load, true},
    {"images", "save", select_images, save, false},
    {"images", "load", select_images, load, true},
};

// ---------------------------------------------------------------------------------------------

// Processor time, which depends less on other load than elapsed time.
static double find_fastest(void (*measure)(void* run), growth_run* run, uint32_t tries)
{
    double fastest = (double)INFINITY;
    for (uint32_t i = 0; i < tries; ++i)
    {
        clock_t start = clock();
        measure(run);
        fastest = fmin(fastest, (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    return fastest;
}

static pelt_result measure_one(double* seconds, size_t row, uint32_t count, const char* path,
                               uint32_t tries, pelt_error* error)
{
    growth_run run = {.path = path, .count = count};
    if (!long_scene_create(&run.list, count))
    {
        long_scene_destroy(&run.list);
        return pelt_error_memory(error);
    }
    rows[row].select(&run);
    if (rows[row].needs_file)
    {
        save(&run);
    }
    *seconds = find_fastest(rows[row].measure, &run, tries);
    long_scene_destroy(&run.list);
    return run.result == PELT_OK ? PELT_OK
                                 : pelt_error_set(error, run.result, "%s", run.error.message);
}

pelt_result load_growth_measure(bench_report* out, const bench_options* options, const char* path,
                                pelt_error* error)
{
    bench_table* table = bench_table_add(out, "growth", columns, COUNT_OF(columns));
    uint32_t tries = options->is_quick ? 1 : 10;
    uint32_t size_count = options->is_quick ? QUICK_SIZE_COUNT : SIZE_COUNT;
    for (size_t row = 0; row < COUNT_OF(rows); ++row)
    {
        double sizes[SIZE_COUNT], seconds[SIZE_COUNT];
        for (uint32_t i = 0; i < size_count; ++i)
        {
            uint32_t count = (uint32_t)SMALLEST << i;
            sizes[i] = count;
            PELT_TRY(measure_one(&seconds[i], row, count, path, tries, error));
        }
        bench_cell* cells = bench_row_add(table);
        bench_cell_set(&cells[0], rows[row].list);
        bench_cell_set(&cells[1], rows[row].work);
        cells[2].number = sizes[0];
        cells[3].number = sizes[size_count - 1];
        cells[4].number = 1e3 * seconds[size_count - 1];
        cells[5].number = growth_exponent(sizes, seconds, size_count);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Extreme shapes

enum
{
    SHAPE_SIZE_COUNT = 2, // the second is twice the first
};

static const bench_column shape_columns[] = {
    {"shape", "SHAPE", BENCH_TEXT}, {"work", "WORK", BENCH_TEXT}, {"count", "COUNT", 0},
    {"bytes", "BYTES", 0},          {"cpu_ms", "CPU MS", 1},      {"exponent", "EXPONENT", 2},
};

// About as many as fit into a file of 1 MB.
static const uint32_t largest[LOAD_SHAPE_COUNT] = {20000, 20000, 20000, 7000, 20000, 100, 7000};

static pelt_result load_file(pelt_scene* scene, const char* path, pelt_arena* arena,
                             pelt_error* error)
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
    pelt_result result = pelt_scene_add_cors(scene, PELT_PREPARE_ALL, NULL, NULL, arena, NULL);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static pelt_result add_normals(pelt_scene* scene, const char* path, pelt_arena* arena,
                               pelt_error* error)
{
    (void)path;
    pelt_result result =
        pelt_scene_add_normal_factors(scene, PELT_PREPARE_ALL, NULL, NULL, arena, NULL);
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
} works[] = {{"load", load_file},
             {"centers", add_centers},
             {"normal factors", add_normals},
             {"doctor", diagnose},
             {"deform", deform}};

// Processor time of one kind of work on a new scene.
static pelt_result measure_shape(double* seconds, double* bytes, load_shape shape, size_t work,
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
    bench_table* table = bench_table_add(out, "shapes", shape_columns, COUNT_OF(shape_columns));
    for (int shape = 0; shape < LOAD_SHAPE_COUNT; ++shape)
    {
        for (size_t work = 0; work < COUNT_OF(works); ++work)
        {
            uint32_t count = options->is_quick ? largest[shape] / 10 : largest[shape];
            double sizes[SHAPE_SIZE_COUNT] = {count / 2, count}, seconds[SHAPE_SIZE_COUNT],
                   bytes = 0.0;
            for (int i = 0; i < SHAPE_SIZE_COUNT; ++i)
            {
                PELT_TRY(measure_shape(&seconds[i], &bytes, (load_shape)shape, work,
                                       (uint32_t)sizes[i], path, error));
            }
            bench_cell* cells = bench_row_add(table);
            bench_cell_set(&cells[0], load_shape_name((load_shape)shape));
            bench_cell_set(&cells[1], works[work].name);
            cells[2].number = count;
            cells[3].number = bytes;
            cells[4].number = 1e3 * seconds[SHAPE_SIZE_COUNT - 1];
            cells[5].number = growth_exponent(sizes, seconds, SHAPE_SIZE_COUNT);
        }
    }
    return PELT_OK;
}
