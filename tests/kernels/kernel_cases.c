// SPDX-License-Identifier: MIT
// Work for tools/instructions to count: each kernel once, on a small mesh of which every block
// follows the same number of joints. Prints a line for each case, in their order.
#include "kernels/deformer.h"
#include "pelt/prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    COLUMNS = PELT_DEFORMER_BLOCK, // of a grid whose rows become blocks
    ROWS = 16,
    VERTICES = COLUMNS * ROWS,
    JOINTS = ROWS,
    INFLUENCES_MAX = 8,
};

typedef enum case_variant
{
    CASE_PLAIN,
    CASE_FLOATS,   ///< weights as floats
    CASE_KEPT,     ///< the order of the source
    CASE_TANGENTS, ///< tangents as well
    CASE_ACCURATE, ///< accurate normals
    CASE_SHAPED,   ///< which a morph target rotates
    CASE_VARIANT_COUNT
} case_variant;

static const char* const variant_names[CASE_VARIANT_COUNT] = {"plain",    "floats",   "kept",
                                                              "tangents", "accurate", "shaped"};
static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                      PELT_METHOD_CRS};

typedef struct grid
{
    pelt_vec3 positions[VERTICES], normals[VERTICES];
    pelt_vec4 tangents[VERTICES];
    uint32_t indices[6 * (ROWS - 1) * (COLUMNS - 1)];
    pelt_mesh mesh;
    pelt_normal_factors factors;
    pelt_arena* arena;
} grid;

static _Alignas(64) pelt_vec3 out_positions[VERTICES], out_normals[VERTICES];
static _Alignas(64) pelt_vec4 out_tangents[VERTICES];

// ---------------------------------------------------------------------------------------------
// Mesh and poses

static void fill_weights(grid* out, uint32_t influences)
{
    static uint32_t joints[VERTICES * INFLUENCES_MAX];
    static float weights[VERTICES * INFLUENCES_MAX];
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        for (uint32_t i = 0; i < influences; ++i)
        {
            // Strongest first in each vertex of a row, or rows would be torn apart by sorting.
            uint32_t at = v * influences + i;
            joints[at] = (v / COLUMNS + i) % JOINTS;
            weights[at] = (float)(influences - i) + 0.5f * (float)(v % COLUMNS) / COLUMNS;
        }
    }
    const pelt_weights_source source = {.vertex_count = VERTICES,
                                        .joint_count = JOINTS,
                                        .per_vertex = influences,
                                        .joints_u32 = joints,
                                        .weights = weights};
    PELT_ASSERT(pelt_weights_import(&out->mesh.weights, NULL, &source, out->arena) == PELT_OK);
}

static void grid_create(grid* out, uint32_t influences)
{
    uint32_t* index = out->indices;
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        uint32_t row = v / COLUMNS, column = v % COLUMNS;
        float x = 0.1f * (float)column, y = 0.1f * (float)row;
        out->positions[v] = pelt_vec3_make(x, y, 0.05f * x * x);
        out->normals[v] = pelt_vec3_normalize(pelt_vec3_make(-0.1f * x, 0.0f, 1.0f));
        out->tangents[v] = (pelt_vec4){0.0f, 1.0f, 0.0f, 1.0f};
        for (int i = 0; i < 6 && row + 1 < ROWS && column + 1 < COLUMNS; ++i)
        {
            static const uint32_t corners[6] = {0, 1, COLUMNS, COLUMNS, 1, COLUMNS + 1};
            *index++ = v + corners[i];
        }
    }
    out->arena = pelt_arena_create();
    out->mesh = (pelt_mesh){.vertex_count = VERTICES,
                            .index_count = (uint32_t)(index - out->indices),
                            .positions = out->positions,
                            .normals = out->normals,
                            .tangents = out->tangents,
                            .indices = out->indices,
                            .material = PELT_NONE};
    fill_weights(out, influences);
    PELT_ASSERT(pelt_normal_factors_build(&out->factors, &out->mesh, out->positions, NULL,
                                          out->arena, NULL) == PELT_OK);
}

// Small rotations about different axes, so that all blocks lie in one hemisphere.
static void fill_palette(pelt_palette* out, bool is_scaled)
{
    PELT_ASSERT(pelt_palette_create(out, JOINTS) == PELT_OK);
    for (uint32_t i = 0; i < JOINTS; ++i)
    {
        float t = (float)i / JOINTS;
        pelt_vec3 axis = pelt_vec3_normalize(pelt_vec3_make(1.0f, t, -0.5f * t));
        pelt_transform motion = {.translation = {0.1f * t, 0.0f, 0.2f},
                                 .rotation = pelt_quat_axis_angle(axis, 0.4f * t),
                                 .scale = {1.0f, 1.0f, 1.0f}};
        if (is_scaled)
        {
            motion.scale = pelt_vec3_make(1.2f, 0.9f + 0.1f * t, 1.1f);
        }
        out->matrices[i] = pelt_mat34_from_transform(motion);
    }
    pelt_palette_decompose(out);
    PELT_ASSERT(out->is_rigid == !is_scaled);
}

// ---------------------------------------------------------------------------------------------
// Cases

typedef struct work
{
    const pelti_block_kernels* kernels; // NULL: the reference
    const pelt_deformer* deformer;
    const pelt_deform_input* input;
    const pelt_deform_options* options;
    pelt_palette* palette;
    pelt_surface out;
    const float* morph_weights; // or NULL
} work;

static void deform(const work* w)
{
    if (w->kernels != NULL)
    {
        pelti_deformer_run_morphed(w->deformer, w->kernels, &w->out, w->palette, w->options,
                                   w->morph_weights,
                                   (pelt_range){0, pelt_deformer_block_count(w->deformer)});
        return;
    }
    pelt_deform(&w->out, w->input, w->options, (pelt_range){0, VERTICES});
}

static void decompose(const work* w)
{
    pelt_palette_decompose(w->palette);
}

static volatile uint32_t case_count;

// What is counted is whatever runs below this name.
static void count_case(void (*run)(const work*), const work* w)
{
    run(w);
    case_count = case_count + 1; // or the call would be the end of the function, and a jump
}

// A volatile pointer, so that compilers make no specialized copies of the function.
static void (*volatile counter)(void (*run)(const work*), const work* w) = count_case;

// Once before, for what is done at a first call.
static void run_case(void (*run)(const work*), const work* w)
{
    run(w);
    counter(run, w);
}

static void run_deform(const char* set, const pelti_block_kernels* kernels, const grid* mesh,
                       pelt_palette* palette, pelt_method method, case_variant variant)
{
    const pelt_weights* weights = &mesh->mesh.weights;
    bool has_tangents = variant == CASE_TANGENTS, is_shaped = variant == CASE_SHAPED;
    bool is_accurate = variant == CASE_ACCURATE || is_shaped;
    // Its displacements are what is at hand.
    const pelt_morph morph = {"target", mesh->positions, mesh->positions, NULL};
    const float morph_weight = 0.1f;
    const pelt_deform_options options = {.method = method,
                                         .mix = 0.5f,
                                         .normal_rule = is_accurate ? PELT_NORMAL_ACCURATE
                                                                    : PELT_NORMAL_STANDARD};
    const pelt_deform_input input = {.positions = mesh->positions,
                                     .normals = mesh->normals,
                                     .tangents = has_tangents ? mesh->tangents : NULL,
                                     .cors = mesh->positions,
                                     .normal_factors = is_accurate ? &mesh->factors : NULL,
                                     .weights = weights,
                                     .palette = palette};
    const pelt_deformer_source source = {
        .positions = input.positions,
        .normals = input.normals,
        .tangents = input.tangents,
        .cors = method == PELT_METHOD_CRS ? input.cors : NULL,
        .normal_factors = input.normal_factors,
        .weights = weights,
        .morph_count = is_shaped ? 1 : 0,
        .morphs = &morph,
    };
    const pelt_deformer_options how = {
        .order = variant == CASE_KEPT ? PELT_ORDER_KEPT : PELT_ORDER_SORTED,
        .weights = variant == CASE_FLOATS ? PELT_WEIGHTS_FLOAT : PELT_WEIGHTS_UNORM16};
    pelt_deformer* deformer;
    PELT_ASSERT(pelt_deformer_create(&deformer, &source, &how) == PELT_OK);
    work w = {kernels,
              deformer,
              &input,
              &options,
              palette,
              {.positions = out_positions,
               .normals = out_normals,
               .tangents = has_tangents ? out_tangents : NULL},
              is_shaped ? &morph_weight : NULL};
    printf("%s %s %s %u %s %d\n", set, pelt_method_name(method),
           palette->is_rigid ? "rigid" : "scaled", weights->max_influences, variant_names[variant],
           VERTICES);
    run_case(deform, &w);
    pelt_deformer_destroy(deformer);
}

// A set by all methods: plain ones for all poses and influences, the others at one point.
static void run_set(const char* set, const pelti_block_kernels* kernels, pelt_palette palettes[2])
{
    static const uint32_t influences[] = {1, 2, 4, 8};
    for (size_t i = 0; i < sizeof influences / sizeof influences[0]; ++i)
    {
        static grid mesh;
        grid_create(&mesh, influences[i]);
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m)
        {
            run_deform(set, kernels, &mesh, &palettes[0], methods[m], CASE_PLAIN);
            run_deform(set, kernels, &mesh, &palettes[1], methods[m], CASE_PLAIN);
            for (int v = 1; v < CASE_VARIANT_COUNT && influences[i] == 4; ++v)
            {
                bool is_of_deformers = v == CASE_FLOATS || v == CASE_KEPT || v == CASE_SHAPED;
                if (kernels != NULL || !is_of_deformers)
                {
                    run_deform(set, kernels, &mesh, &palettes[0], methods[m], (case_variant)v);
                }
                if (kernels != NULL && v == CASE_ACCURATE)
                {
                    run_deform(set, kernels, &mesh, &palettes[1], methods[m], (case_variant)v);
                }
            }
        }
        pelt_arena_destroy(mesh.arena);
    }
}

int main(int argc, char** argv)
{
    if (argc > 1 && strcmp(argv[1], "--build") == 0)
    {
        puts(PELT_BUILD);
        return EXIT_SUCCESS;
    }
    pelt_palette palettes[2];
    for (int i = 0; i < 2; ++i)
    {
        fill_palette(&palettes[i], i == 1);
        work w = {.palette = &palettes[i]};
        printf("reference palette %s - - %d\n", i == 0 ? "rigid" : "scaled", JOINTS);
        run_case(decompose, &w);
    }
    run_set("reference", NULL, palettes);
    for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        const pelti_block_kernels* kernels = pelti_block_kernels_for((pelti_isa)isa);
        if (kernels != NULL)
        {
            run_set(pelti_isa_name((pelti_isa)isa), kernels, palettes);
        }
    }
    pelt_palette_destroy(&palettes[0]);
    pelt_palette_destroy(&palettes[1]);
    return EXIT_SUCCESS;
}
