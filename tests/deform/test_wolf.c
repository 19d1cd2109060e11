// SPDX-License-Identifier: MIT
// Six poses of a wolf with the weights and handle transforms that made them, by another program:
// p = sum of w [v 1] T. The files carry seven to eight digits.
#include "pelt/metrics.h"
#include "test.h"

enum
{
    HANDLES = 21,
    POSES = 6,
    LINE = 256,
};

// Relative to the extent; the files round to 8e-7 of it.
static const float tolerance = 1e-5f;

typedef struct wolf
{
    pelt_arena* arena;
    uint32_t vertex_count;
    pelt_vec3* rest;
    pelt_vec3* expected;
    pelt_vec3* deformed;
    pelt_weights weights;
    pelt_palette palette;
} wolf;

// ---------------------------------------------------------------------------------------------
// Text files

static FILE* open_text(const char* name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/CraGL_wolf_poses1/%s", test_models_folder(), name);
    return fopen(path, "r");
}

// The "v" lines of an OBJ file. Returns how many were read.
static uint32_t read_points(pelt_vec3* out, uint32_t capacity, const char* name)
{
    FILE* file = open_text(name);
    char line[LINE];
    uint32_t count = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
    {
        pelt_vec3 p;
        if (count < capacity && sscanf(line, "v %f %f %f", &p.x, &p.y, &p.z) == 3)
        {
            out[count++] = p;
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return count;
}

// Columns and rows, then numbers column by column: one column per vertex, one row per handle, which
// is the order of pelt_weights_source with a stride.
static bool read_weights(wolf* w, FILE* file)
{
    unsigned columns, rows;
    if (fscanf(file, "%u %u", &columns, &rows) != 2 || columns != HANDLES || rows == 0 ||
        rows > 100000)
    {
        return false;
    }
    w->vertex_count = rows;
    size_t count = (size_t)rows * HANDLES;
    float* weights = pelt_arena_alloc(w->arena, count, sizeof *weights);
    uint32_t* joints = pelt_arena_alloc(w->arena, count, sizeof *joints);
    for (size_t i = 0; i < count && weights != NULL && joints != NULL; ++i)
    {
        // i runs down the column of one handle.
        size_t at = i % rows * HANDLES + i / rows;
        joints[at] = (uint32_t)(i / rows);
        if (fscanf(file, "%f", &weights[at]) != 1)
        {
            return false;
        }
    }
    pelt_weights_source source = {.vertex_count = rows,
                                  .joint_count = HANDLES,
                                  .per_vertex = HANDLES,
                                  .joints_u32 = joints,
                                  .weights = weights};
    return pelt_weights_import(&w->weights, NULL, &source, w->arena) == PELT_OK;
}

// Four rows of three per handle, for row vectors: the transpose of a pelt_mat34.
static bool read_handles(pelt_palette* palette, int pose)
{
    char name[LINE];
    snprintf(name, sizeof name, "wolf-%d.Tmat", pose);
    FILE* file = open_text(name);
    bool is_good = file != NULL;
    for (int i = 0; i < HANDLES * 12 && is_good; ++i)
    {
        float* target = &palette->matrices[i / 12].m[i % 3][i % 12 / 3];
        is_good = fscanf(file, "%f", target) == 1;
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return is_good;
}

// ---------------------------------------------------------------------------------------------
// Facts

static bool load_wolf(wolf* w)
{
    *w = (wolf){.arena = pelt_arena_create()};
    FILE* file = open_text("wolf.DMAT");
    bool is_good = file != NULL && read_weights(w, file);
    if (file != NULL)
    {
        fclose(file);
    }
    if (!is_good || pelt_palette_create(&w->palette, HANDLES) != PELT_OK)
    {
        return false;
    }
    w->rest = pelt_arena_alloc(w->arena, w->vertex_count, sizeof *w->rest);
    w->expected = pelt_arena_alloc(w->arena, w->vertex_count, sizeof *w->expected);
    w->deformed = pelt_arena_alloc(w->arena, w->vertex_count, sizeof *w->deformed);
    return read_points(w->rest, w->vertex_count, "wolf_clean.obj") == w->vertex_count;
}

static void free_wolf(wolf* w)
{
    pelt_palette_destroy(&w->palette);
    pelt_arena_destroy(w->arena);
}

static int check_pose(wolf* w, int pose)
{
    char name[LINE];
    snprintf(name, sizeof name, "wolf-%d.obj", pose);
    ENSURE(read_points(w->expected, w->vertex_count, name) == w->vertex_count);
    ENSURE(read_handles(&w->palette, pose));
    pelt_palette_decompose(&w->palette);

    pelt_surface out = {.positions = w->deformed};
    pelt_deform_input input = {
        .positions = w->rest, .weights = &w->weights, .palette = &w->palette};
    pelt_deform_lbs(&out, &input, &(pelt_deform_options){0}, (pelt_range){0, w->vertex_count});

    pelt_bounds bounds = pelt_bounds_empty();
    pelt_bounds_add(&bounds, w->expected, w->vertex_count);
    pelt_difference difference = pelt_positions_compare(w->deformed, w->expected, w->vertex_count);
    ENSURE_NEAR(difference.max / (double)pelt_bounds_diagonal(&bounds), 0.0, tolerance);
    return 0;
}

static int six_poses_of_the_wolf_are_met_by_lbs(void)
{
    wolf w;
    int result = load_wolf(&w) ? 0 : 1;
    for (int pose = 1; pose <= POSES && result == 0; ++pose)
    {
        result = check_pose(&w, pose);
    }
    free_wolf(&w);
    return result;
}

void test_wolf(void)
{
    RUN_ON_MODELS(six_poses_of_the_wolf_are_met_by_lbs);
}
