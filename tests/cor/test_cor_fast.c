// SPDX-License-Identifier: MIT
// The fast solver of centers of rotation against the definition, and its inner loops against closed
// forms.
#include "cor/cor_kernel.h"
#include "pelt/metrics.h"
#include "shared_rig.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Inner loops

// One piece of surface, seen by a vertex: exp(-(x w - y v)^2 / sigma^2).
static double similarity(double x, double y, double v, double w, double sigma)
{
    double distance = (x * w - y * v) / sigma;
    return exp(-distance * distance);
}

static const uint64_t every_row = UINT64_MAX;

// Tables for the kernels: those that pieces are spread to, masses, sums.
typedef struct tables
{
    void* memory;
    float *spread, *masses, *sums;
    size_t size; // of each, in floats
} tables;

static tables tables_make(const pelti_cor_grid* grid)
{
    size_t size = pelti_cor_grid_size(grid), count = PELTI_COR_SHIFTS + 2;
    char* memory = calloc(count * size * sizeof(float) + 64, 1);
    float* first = (float*)(memory + (64 - (uintptr_t)memory % 64));
    return (tables){memory, first, first + PELTI_COR_SHIFTS * size,
                    first + (PELTI_COR_SHIFTS + 1) * size, size};
}

// Table n of those that pieces are spread to begins with column n.
static void collect(tables* t)
{
    for (size_t shift = 0; shift < PELTI_COR_SHIFTS; ++shift)
    {
        for (size_t i = 0; i + 4 * shift < t->size; ++i)
        {
            t->masses[i + 4 * shift] += t->spread[shift * t->size + i];
        }
    }
}

// What a table gives for one piece of mass 1, at one vertex.
static void through_table(float out[4], const pelti_cor_chart* chart, const float vertex[2],
                          const float piece[2])
{
    const pelti_cor_kernels* kernels = pelti_cor_kernels_get();
    tables t = tables_make(chart->grid);
    pelti_cor_block block = {.v = {piece[0]}, .w = {piece[1]}, .masses = {{2, 3, 4, 1}}};
    const float x[PELTI_COR_LANES] = {vertex[0]}, y[PELTI_COR_LANES] = {vertex[1]};
    kernels->spread(t.spread, chart, &block, 1);
    collect(&t);
    kernels->convolve(t.sums, t.masses, chart, every_row, every_row);
    kernels->look_up((float(*)[4])out, t.sums, chart, x, y, 1);
    free(t.memory);
}

// Two positive weights whose sum is at most 1, often 1 or one of them tiny.
static void random_weights(float out[2], test_random* random)
{
    float share = test_uniform(random, 0.0f, 1.0f), all = test_uniform(random, 0.0f, 1.5f);
    share = share < 0.1f ? 1e-6f : share;
    all = fminf(all, 1.0f);
    out[0] = all * share;
    out[1] = all - out[0];
}

// Interpolation through eight points twice, of spacing 0.18 sigma: 4e-6 at worst.
static int table_is_the_similarity(void)
{
    static const double sigmas[] = {0.03, 0.05, 0.1, 0.3, 1.0, 20.0};
    test_random random = {5};
    for (int i = 0; i < 6; ++i)
    {
        pelti_cor_grid grid;
        pelti_cor_grid_make(&grid, pelti_cor_grid_find(sigmas[i]));
        const pelti_cor_chart chart = {&grid, (float)sigmas[i], 0.0f, 1.0f, 1.0f, 1.0f};
        for (int k = 0; k < (test_is_full_sweep() ? 60 : 12); ++k)
        {
            float vertex[2], piece[2], read[4];
            random_weights(vertex, &random);
            random_weights(piece, &random);
            if (vertex[1] <= 0.0f || piece[1] <= 0.0f)
            {
                continue;
            }
            through_table(read, &chart, vertex, piece);
            double s = similarity((double)vertex[0], (double)vertex[1], (double)piece[0],
                                  (double)piece[1], sigmas[i]);
            ENSURE_NEAR(read[3], s, 1e-5);
            ENSURE_NEAR(read[0], 2.0 * s, 2e-5);
            ENSURE_NEAR(read[2], 4.0 * s, 4e-5);
        }
    }
    return 0;
}

// Weights that are never all of a vertex, at some ratios only: the table of a kernel so much wider.
static int chart_stretches_weights_over_a_table(void)
{
    const double sigma = 0.1, r = 0.6, q = 0.5, from = 0.2, width = 0.3;
    const double wider = sigma / (r * q * width);
    test_random random = {6};
    pelti_cor_grid grid;
    pelti_cor_grid_make(&grid, pelti_cor_grid_find(wider));
    ENSURE(grid.column_count == PELTI_COR_LANES);
    const pelti_cor_chart chart = {
        &grid, (float)wider, (float)from, (float)(1.0 / width), (float)(1.0 / r), (float)(1.0 / q)};
    for (int k = 0; k < 200; ++k)
    {
        float all[2] = {(float)r * test_uniform(&random, 0.05f, 1.0f),
                        (float)q * test_uniform(&random, 0.05f, 1.0f)};
        float vertex[2], piece[2], read[4];
        vertex[0] = all[0] * test_uniform(&random, (float)from, (float)(from + width));
        piece[0] = all[1] * test_uniform(&random, (float)from, (float)(from + width));
        vertex[1] = all[0] - vertex[0];
        piece[1] = all[1] - piece[0];
        through_table(read, &chart, vertex, piece);
        double s = similarity((double)vertex[0], (double)vertex[1], (double)piece[0],
                              (double)piece[1], sigma);
        ENSURE_NEAR(read[3], s, 1e-5);
        ENSURE_NEAR(read[1], 3.0 * s, 3e-5);
    }
    return 0;
}

enum
{
    LIST = 4099, // more than are added up in float at a time, and not a multiple of anything
    LIST_STRIDE = (LIST + PELTI_COR_LANES - 1) / PELTI_COR_LANES * PELTI_COR_LANES,
};

static pelti_cor_list random_list(float* planes, uint64_t seed, double sigma)
{
    test_random random = {seed};
    pelti_cor_list list = {LIST_STRIDE, planes};
    double scale = sqrt(log2(exp(1.0))) / sigma;
    memset(planes, 0, PELTI_COR_PLANES * list.stride * sizeof *planes);
    for (uint32_t i = 0; i < LIST; ++i)
    {
        float weights[2];
        random_weights(weights, &random);
        planes[PELTI_COR_V * list.stride + i] = (float)((double)weights[0] * scale);
        planes[PELTI_COR_W * list.stride + i] = (float)((double)weights[1] * scale);
        for (uint32_t k = PELTI_COR_MASS_X; k < PELTI_COR_PLANES; ++k)
        {
            planes[k * list.stride + i] = test_uniform(&random, 0.0f, 1.0f);
        }
    }
    return list;
}

static int list_is_summed(void)
{
    static float planes[PELTI_COR_PLANES * LIST_STRIDE];
    pelti_cor_list list = random_list(planes, 7, 0.1);
    test_random random = {8};
    for (int n = 0; n < 20; ++n)
    {
        float vertex[2];
        double sums[4], expected[4] = {0};
        random_weights(vertex, &random);
        pelti_cor_kernels_get()->sum(sums, &list, vertex[0], vertex[1]);
        for (uint32_t i = 0; i < LIST; ++i)
        {
            double s = similarity((double)vertex[0], (double)vertex[1], (double)planes[i],
                                  (double)planes[list.stride + i], sqrt(log2(exp(1.0))));
            for (uint32_t k = 0; k < 4; ++k)
            {
                expected[k] += s * (double)planes[(PELTI_COR_MASS_X + k) * list.stride + i];
            }
        }
        for (int k = 0; k < 4; ++k)
        {
            // Float sums of 256 terms, and distances of up to 10 sigma from float weights.
            ENSURE_NEAR(sums[k], expected[k], 2e-6 * expected[3] + 1e-30);
        }
    }
    return 0;
}

// Tables filled with the same pieces and read at the same positions.
static void run_kernels(const pelti_cor_kernels* kernels, const pelti_cor_chart* chart, tables* t,
                        float (*read)[4])
{
    test_random random = {21};
    for (uint32_t count = 1; count <= PELTI_COR_BLOCK; ++count)
    {
        pelti_cor_block block = {{0}, {0}, {{0}}};
        for (uint32_t i = 0; i < count; ++i)
        {
            float weights[2], m = test_uniform(&random, 0.0f, 1.0f);
            random_weights(weights, &random);
            block.v[i] = weights[0];
            block.w[i] = weights[1] + 1e-7f;
            memcpy(block.masses[i], (const float[4]){m, -m, m, 1}, sizeof block.masses[i]);
        }
        kernels->spread(t->spread, chart, &block, count);
    }
    collect(t);
    kernels->convolve(t->sums, t->masses, chart, every_row, every_row);
    for (uint32_t count = 1; count <= PELTI_COR_LANES; ++count, read += PELTI_COR_LANES)
    {
        float x[PELTI_COR_LANES] = {0}, y[PELTI_COR_LANES] = {0};
        for (uint32_t i = 0; i < count; ++i)
        {
            float weights[2];
            random_weights(weights, &random);
            x[i] = weights[0];
            y[i] = weights[1] + 1e-7f;
        }
        kernels->look_up(read, t->sums, chart, x, y, count);
    }
}

static int every_instruction_set_gives_the_same_bits(void)
{
    static float planes[PELTI_COR_PLANES * LIST_STRIDE];
    const pelti_cor_kernels* all[PELTI_COR_KERNELS_MAX];
    uint32_t count = pelti_cor_kernels_list(all);
    pelti_cor_list list = random_list(planes, 9, 0.1);
    pelti_cor_grid grid;
    pelti_cor_grid_make(&grid, pelti_cor_grid_find(0.1));
    const pelti_cor_chart chart = {&grid, 0.1f, 0.0f, 1.0f, 1.0f, 1.0f};
    tables expected = tables_make(&grid);
    static float expected_read[PELTI_COR_LANES * PELTI_COR_LANES][4];
    static float read[PELTI_COR_LANES * PELTI_COR_LANES][4];
    run_kernels(all[0], &chart, &expected, expected_read);
    for (uint32_t n = 1; n < count; ++n)
    {
        for (float x = 0.0f; x <= 1.0f; x += 0.0625f)
        {
            double a[4], b[4];
            all[0]->sum(a, &list, x, 1.0f - x);
            all[n]->sum(b, &list, x, 1.0f - x);
            ENSURE(memcmp(a, b, sizeof a) == 0);
        }
        tables found = tables_make(&grid);
        run_kernels(all[n], &chart, &found, read);
        ENSURE(memcmp(expected.masses, found.masses, 2 * found.size * sizeof(float)) == 0);
        ENSURE(memcmp(expected_read, read, sizeof read) == 0);
        free(found.memory);
    }
    printf("  %u sets on this machine\n", count);
    free(expected.memory);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Against the definition

// The largest distance between fast and full centers, as part of the diagonal; -1 for an error.
static double difference_to_full(const pelt_mesh* mesh, pelt_cor_options options,
                                 pelt_cor_report* report)
{
    pelt_cor_input input = {1, &mesh};
    pelt_vec3* fast = malloc(mesh->vertex_count * sizeof *fast);
    pelt_vec3* full = malloc(mesh->vertex_count * sizeof *full);
    options.solver = PELT_COR_FAST;
    pelt_result first = pelt_cor_solve(&fast, &input, &options, report, NULL);
    options.solver = PELT_COR_FULL;
    pelt_result second = pelt_cor_solve(&full, &input, &options, NULL, NULL);
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, mesh->positions, mesh->vertex_count);
    double worst = pelt_positions_compare(fast, full, mesh->vertex_count).max /
                   (double)pelt_bounds_diagonal(&box);
    free(full);
    free(fast);
    return first == PELT_OK && second == PELT_OK ? worst : -1.0;
}

static int compare_rig(const char* name, float epsilon)
{
    const pelt_scene* scene = shared_rig(name);
    ENSURE(scene != NULL);
    for (uint32_t m = 0; m < scene->mesh_count; ++m)
    {
        const pelt_mesh* mesh = &scene->meshes[m];
        pelt_cor_report report;
        double worst = difference_to_full(mesh, (pelt_cor_options){.epsilon = epsilon}, &report);
        double elements = mesh->vertex_count + mesh->index_count / 3.0;
        printf("  %s: %.1e of the diagonal, %u of %u pairs tabulated, %.0f bytes per element\n",
               name, worst, report.tabulated_count, report.pair_count,
               (double)report.peak_bytes / elements);
        ENSURE(worst >= 0.0 && worst <= 2e-6);
        ENSURE(elements < 1000.0 || (double)report.peak_bytes < 300.0 * elements);
    }
    return 0;
}

typedef struct rig_case
{
    const char* name;
    float epsilon;
    bool
        is_quick; // the definition takes the square of the size: the others are for PELT_SWEEP=full
} rig_case;

static int compare_rigs(const rig_case* cases, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (cases[i].is_quick || test_is_full_sweep())
        {
            ENSURE(compare_rig(cases[i].name, cases[i].epsilon) == 0);
        }
    }
    return 0;
}

static int rigs_agree_with_the_definition(void)
{
    static const rig_case cases[] = {{"bar?vertices=2000", -1.0f, true},
                                     {"cuboid?vertices=4000", -1.0f, true},
                                     {"arm?vertices=1000", -1.0f, true},
                                     {"arm?vertices=3000", -1.0f, false},
                                     {"box", -1.0f, true},
                                     {"human?vertices=2000", -1.0f, true},
                                     {"human?vertices=8000", -1.0f, false},
                                     {"human?vertices=4000&influences=8", -1.0f, false},
                                     {"raptor?vertices=2000&influences=16", -1.0f, true},
                                     {"raptor?vertices=3000&influences=16", -1.0f, false},
                                     {"raptor?vertices=6000", -1.0f, false},
                                     {"cloth?vertices=1200", -1.0f, true},
                                     {"cloth", -1.0f, false}};
    return compare_rigs(cases, sizeof cases / sizeof cases[0]);
}

static int rigs_agree_when_triangles_are_halved(void)
{
    static const rig_case cases[] = {{"box", 0.0f, true},
                                     {"arm?vertices=600", 0.0f, true},
                                     {"arm?vertices=1000", 0.0f, false},
                                     {"human?vertices=2000", 0.0f, true},
                                     {"human?vertices=2000&influences=12", 0.0f, false},
                                     {"cuboid?vertices=1200", 0.02f, true},
                                     {"cuboid?vertices=2000", 0.02f, false}};
    return compare_rigs(cases, sizeof cases / sizeof cases[0]);
}

static int width_of_the_kernel_may_be_any(void)
{
    static const float sigmas[] = {0.005f, 0.02f, 0.03f, 0.06f, 0.4f, 3.0f, 1e5f};
    const pelt_scene* scene = shared_rig("arm?vertices=2000");
    ENSURE(scene != NULL);
    for (int i = 0; i < 7; ++i)
    {
        pelt_cor_options options = {.epsilon = -1.0f, .sigma = sigmas[i]};
        double worst = difference_to_full(&scene->meshes[0], options, NULL);
        printf("  sigma %g: %.1e\n", (double)sigmas[i], worst);
        ENSURE(worst >= 0.0 && worst <= 2e-6);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// A patch of surface with weights at will

enum
{
    STRIDE = 4,
    SIDE = 31,
    LOOSE = 40, // vertices without triangles
};

typedef struct patch
{
    pelt_arena* arena;
    pelt_mesh mesh;
    pelt_vec3* positions;
    uint32_t* joints;
    float* weights;
} patch;

static patch make_patch(pelt_vec3 corner)
{
    patch p = {.arena = pelt_arena_create()};
    uint32_t count = SIDE * SIDE + LOOSE;
    p.positions = pelt_arena_alloc(p.arena, count, sizeof *p.positions);
    p.joints = pelt_arena_alloc(p.arena, (size_t)count * STRIDE, sizeof *p.joints);
    p.weights = pelt_arena_alloc(p.arena, (size_t)count * STRIDE, sizeof *p.weights);
    uint32_t* indices = pelt_arena_alloc(p.arena, 6 * SIDE * SIDE, sizeof *indices);
    test_random random = {31};
    for (uint32_t i = 0; i < count; ++i)
    {
        p.positions[i] = pelt_vec3_add(corner, pelt_vec3_make((float)(i % SIDE), (float)(i / SIDE),
                                                              test_uniform(&random, -3.0f, 3.0f)));
    }
    p.mesh = (pelt_mesh){
        .vertex_count = count, .positions = p.positions, .indices = indices, .material = PELT_NONE};
    for (uint32_t i = 0; i + SIDE < SIDE * SIDE; ++i)
    {
        if (i % SIDE != SIDE - 1)
        {
            const uint32_t two[6] = {i, i + 1, i + SIDE, i + SIDE, i + 1, i + SIDE + 1};
            memcpy(indices + p.mesh.index_count, two, sizeof two);
            p.mesh.index_count += 6;
        }
    }
    return p;
}

static void set_weights(patch* p, uint32_t vertex, const float weights[STRIDE])
{
    for (uint32_t i = 0; i < STRIDE; ++i)
    {
        p->joints[vertex * STRIDE + i] = i;
        p->weights[vertex * STRIDE + i] = weights[i];
    }
}

static bool bind(patch* p)
{
    pelt_weights_source source = {.vertex_count = p->mesh.vertex_count,
                                  .joint_count = STRIDE,
                                  .per_vertex = STRIDE,
                                  .joints_u32 = p->joints,
                                  .weights = p->weights};
    return pelt_weights_import(&p->mesh.weights, NULL, &source, p->arena) == PELT_OK;
}

// Four joints at the corners of the patch.
static void blend_corners(patch* p)
{
    for (uint32_t i = 0; i < p->mesh.vertex_count; ++i)
    {
        float x = (float)(i % SIDE) / (SIDE - 1), y = fminf((float)(i / SIDE) / (SIDE - 1), 1.0f);
        const float weights[4] = {(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y};
        set_weights(p, i, weights);
    }
}

static int distance_from_the_origin_costs_nothing(void)
{
    patch p = make_patch(pelt_vec3_make(3000, -2000, 1000));
    blend_corners(&p);
    ENSURE(bind(&p));
    double worst = difference_to_full(&p.mesh, (pelt_cor_options){.epsilon = -1.0f}, NULL);
    ENSURE(worst >= 0.0 && worst <= 7e-6); // steps of float at 3000 m, on three axes: 5e-4 m
    pelt_arena_destroy(p.arena);
    return 0;
}

static int size_of_the_model_does_not_show(void)
{
    patch p = make_patch(pelt_vec3_make(0, 0, 0));
    blend_corners(&p);
    ENSURE(bind(&p));
    for (int power = -9; power <= 9; power += 6)
    {
        float scale = (float)pow(10.0, power);
        for (uint32_t v = 0; v < p.mesh.vertex_count; ++v)
        {
            p.positions[v] = pelt_vec3_scale(p.positions[v], scale);
        }
        double worst = difference_to_full(&p.mesh, (pelt_cor_options){.epsilon = -1.0f}, NULL);
        ENSURE(worst >= 0.0 && worst <= 2e-6);
        for (uint32_t v = 0; v < p.mesh.vertex_count; ++v)
        {
            p.positions[v] = pelt_vec3_scale(p.positions[v], 1.0f / scale);
        }
    }
    pelt_arena_destroy(p.arena);
    return 0;
}

// The surface has all of its weight near the middle of two joints; loose vertices are at every
// other ratio, down to where only 1e-40 of a similarity is left, which no table holds.
static int vertices_unlike_the_surface_are_done_exactly(void)
{
    patch p = make_patch(pelt_vec3_make(0, 0, 0));
    for (uint32_t i = 0; i < p.mesh.vertex_count; ++i)
    {
        float w = 0.5f + 0.02f * (float)(i % SIDE) / SIDE;
        w = i < SIDE * SIDE ? w : (float)(i - SIDE * SIDE + 1) / (LOOSE + 1);
        const float weights[STRIDE] = {w, 1.0f - w};
        set_weights(&p, i, weights);
    }
    ENSURE(bind(&p));
    pelt_cor_report report;
    for (float sigma = 0.1f; sigma > 0.04f; sigma *= 0.5f)
    {
        pelt_cor_options options = {.epsilon = -1.0f, .sigma = sigma};
        double worst = difference_to_full(&p.mesh, options, &report);
        printf("  %u vertices exactly, of %u loose: %.1e\n", report.exact_count, LOOSE, worst);
        ENSURE(report.tabulated_count == 1 && report.exact_count > LOOSE / 4);
        ENSURE(report.exact_count < LOOSE && worst >= 0.0 && worst <= 2e-6);
    }
    pelt_arena_destroy(p.arena);
    return 0;
}

static int weights_of_any_kind_agree(void)
{
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        test_random random = {seed};
        patch p = make_patch(pelt_vec3_make(0, 0, 0));
        for (uint32_t i = 0; i < p.mesh.vertex_count; ++i)
        {
            float weights[STRIDE];
            for (int k = 0; k < STRIDE; ++k)
            {
                // From all equal to one far above the rest.
                weights[k] = powf(test_uniform(&random, 0.0f, 1.0f), (float)(4 * seed));
            }
            set_weights(&p, i, weights);
        }
        ENSURE(bind(&p));
        pelt_cor_report report;
        double worst = difference_to_full(&p.mesh, (pelt_cor_options){.epsilon = -1.0f}, &report);
        printf("  noise %u: %.1e, %u exactly\n", (unsigned)seed, worst, report.exact_count);
        ENSURE(report.tabulated_count > 0 && worst >= 0.0 && worst <= 2e-6);
        pelt_arena_destroy(p.arena);
    }
    return 0;
}

void test_cor_fast(void)
{
    RUN(table_is_the_similarity);
    RUN(chart_stretches_weights_over_a_table);
    RUN(list_is_summed);
    RUN(every_instruction_set_gives_the_same_bits);
    RUN(rigs_agree_with_the_definition);
    RUN(rigs_agree_when_triangles_are_halved);
    RUN(width_of_the_kernel_may_be_any);
    RUN(distance_from_the_origin_costs_nothing);
    RUN(size_of_the_model_does_not_show);
    RUN(vertices_unlike_the_surface_are_done_exactly);
    RUN(weights_of_any_kind_agree);
}
