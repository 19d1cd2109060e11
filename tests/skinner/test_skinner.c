// SPDX-License-Identifier: MIT
// Skinners: the flat interface gives what the reference gives, from any layout of the input.
#include "pelt/skinner.h"
#include "test.h"

#include <string.h>

enum
{
    RING = 12,
    RINGS = 40,
    VERTICES = RING * RINGS,
    TRIANGLES = 2 * RING * (RINGS - 1),
    JOINTS = 3,
    POSES = 130, // more than two batches
};

// A tube along x with three joints on its axis; adjacent joints blend linearly.
typedef struct tube
{
    float positions[VERTICES][3], normals[VERTICES][3], tangents[VERTICES][4];
    uint16_t indices[TRIANGLES][3];
    uint16_t joints[VERTICES][2];
    float weights[VERTICES][2];
    pelt_skinner_desc desc;
} tube;

static const float heads[JOINTS][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
static const uint32_t parents[JOINTS] = {PELT_NONE, 0, 1};

static void make_tube(tube* t)
{
    uint32_t triangle = 0;
    for (uint32_t i = 0; i < RINGS; ++i)
    {
        for (uint32_t k = 0; k < RING; ++k)
        {
            uint32_t v = i * RING + k;
            float angle = 2.0f * PELT_PI * (float)k / RING, x = 3.0f * (float)i / (RINGS - 1);
            float c = cosf(angle), s = sinf(angle);
            float blend = fminf(fmaxf(x - 0.5f, 0.0f), 1.999f);
            memcpy(t->positions[v], (float[]){x, 0.3f * c, 0.3f * s}, 12);
            memcpy(t->normals[v], (float[]){0, c, s}, 12);
            memcpy(t->tangents[v], (float[]){1, 0, 0, 1}, 16);
            t->joints[v][0] = (uint16_t)blend;
            t->joints[v][1] = (uint16_t)((uint16_t)blend + 1);
            t->weights[v][1] = blend - floorf(blend);
            t->weights[v][0] = 1.0f - t->weights[v][1];
            if (i + 1 < RINGS)
            {
                uint16_t a = (uint16_t)v, b = (uint16_t)(i * RING + (k + 1) % RING);
                uint16_t rows[2][3] = {{a, b, (uint16_t)(a + RING)},
                                       {b, (uint16_t)(b + RING), (uint16_t)(a + RING)}};
                memcpy(t->indices[triangle], rows, sizeof rows);
                triangle += 2;
            }
        }
    }
    t->desc = (pelt_skinner_desc){.vertex_count = VERTICES,
                                  .joint_count = JOINTS,
                                  .positions = t->positions[0],
                                  .normals = t->normals[0],
                                  .tangents = t->tangents[0],
                                  .index_count = 3 * TRIANGLES,
                                  .indices_u16 = t->indices[0],
                                  .influences_per_vertex = 2,
                                  .joints_u16 = t->joints[0],
                                  .weights = t->weights[0],
                                  .joint_positions = heads[0],
                                  .joint_parents = parents};
}

// Each joint rotates about its head; matrices as rows of 4x4.
static void make_pose(float (*out)[16], uint64_t seed)
{
    test_random random = {seed};
    for (uint32_t j = 0; j < JOINTS; ++j)
    {
        pelt_quat q = test_rotation(&random, 80.0f);
        pelt_transform about = {{heads[j][0], heads[j][1], heads[j][2]}, q, {1, 1, 1}};
        pelt_transform back = {{-heads[j][0], -heads[j][1], -heads[j][2]}, {0, 0, 0, 1}, {1, 1, 1}};
        pelt_mat34 a = pelt_mat34_from_transform(about), b = pelt_mat34_from_transform(back);
        pelt_mat34 m = pelt_mat34_mul(&a, &b);
        memcpy(out[j], &m, sizeof m);
        memcpy(out[j] + 12, (float[]){0, 0, 0, 1}, 16);
    }
}

static float largest_difference(const float* a, const float* b, size_t count)
{
    float most = 0.0f;
    for (size_t i = 0; i < count; ++i)
    {
        most = !(fabsf(a[i] - b[i]) <= most) ? fabsf(a[i] - b[i]) : most;
    }
    return most;
}

static tube shared_tube;

// pelt_deform() on structs that are filled by hand.
static int all_methods_equal_the_reference(void)
{
    tube* t = &shared_tube;
    make_tube(t);
    pelt_skinner* skinner;
    pelt_error error;
    ENSURE(pelt_skinner_create(&skinner, &t->desc, &error) == PELT_OK);
    unsigned all = PELT_SKINNER_CENTERS | PELT_SKINNER_NORMAL_FACTORS | PELT_SKINNER_SMOOTHING;
    ENSURE(pelt_skinner_prepare(skinner, all, &error) == PELT_OK);
    float matrices[JOINTS][16];
    make_pose(matrices, 5);
    pelt_palette palette;
    ENSURE(pelt_palette_create(&palette, JOINTS) == PELT_OK);
    pelt_palette_set(&palette, matrices[0], PELT_MATRIX_ROWS_4X4);
    for (uint32_t m = 0; m < PELT_METHOD_COUNT; ++m)
    {
        static float got[VERTICES][10], want[VERTICES][10];
        pelt_deform_options options = {.method = (pelt_method)m, .mix = 0.4f};
        options.normal_rule = pelt_method_info(options.method)->has_derivatives
                                  ? PELT_NORMAL_ACCURATE
                                  : PELT_NORMAL_STANDARD;
        pelt_skinner_output out = {got[0], got[0] + 3, got[0] + 6, 40, 40, 40};
        ENSURE(pelt_skinner_deform(skinner, &out, matrices[0], PELT_MATRIX_ROWS_4X4, &options,
                                   &error) == PELT_OK);
        pelt_surface surface = {
            (pelt_vec3*)want[0], (pelt_vec3*)(want[0] + 3), (pelt_vec4*)(want[0] + 6), 40, 40, 40};
        pelt_deform_input input = {.positions = (const pelt_vec3*)t->positions,
                                   .normals = (const pelt_vec3*)pelt_skinner_normals(skinner),
                                   .tangents = (const pelt_vec4*)t->tangents,
                                   .cors = (const pelt_vec3*)pelt_skinner_centers(skinner),
                                   .normal_factors = pelt_skinner_normal_factors(skinner),
                                   .weights = pelt_skinner_weights(skinner),
                                   .palette = &palette};
        pelt_deform(&surface, &input, &options, (pelt_range){0, VERTICES});
        // Kernels round to 2e-6 of the size, which is 3; normals to 0.05 degrees.
        ENSURE(largest_difference(got[0], want[0], 10 * VERTICES) <= 1e-3f);
        for (uint32_t v = 0; v < VERTICES; ++v)
        {
            ENSURE(largest_difference(got[v], want[v], 3) <= 6e-6f);
        }
        options.is_exact = true;
        ENSURE(pelt_skinner_deform(skinner, &out, matrices[0], PELT_MATRIX_ROWS_4X4, &options,
                                   &error) == PELT_OK);
        ENSURE(memcmp(got, want, sizeof got) == 0);
    }
    pelt_palette_destroy(&palette);
    pelt_skinner_destroy(skinner);
    return 0;
}

static int deform_once(float* out, const pelt_skinner_desc* desc, const float* matrices,
                       pelt_matrix_layout layout)
{
    pelt_skinner* skinner;
    ENSURE(pelt_skinner_create(&skinner, desc, NULL) == PELT_OK);
    pelt_skinner_output output = {.positions = out};
    pelt_deform_options options = {.method = PELT_METHOD_DQS};
    ENSURE(pelt_skinner_deform(skinner, &output, matrices, layout, &options, NULL) == PELT_OK);
    pelt_skinner_destroy(skinner);
    return 0;
}

// The same mesh and pose in every layout that the interface takes: the same bits.
static int layouts_do_not_matter(void)
{
    tube* t = &shared_tube;
    make_tube(t);
    float rows[JOINTS][16], columns[JOINTS][16], packed[JOINTS][12];
    make_pose(rows, 9);
    for (uint32_t j = 0; j < JOINTS; ++j)
    {
        memcpy(packed[j], rows[j], sizeof packed[j]);
        for (uint32_t i = 0; i < 16; ++i)
        {
            columns[j][i % 4 * 4 + i / 4] = rows[j][i];
        }
        pelt_mat34 matrix = pelt_mat34_from_columns(columns[j]);
        float again[16];
        pelt_mat34_to_columns(again, &matrix);
        ENSURE(memcmp(&matrix, packed[j], sizeof matrix) == 0);
        ENSURE(memcmp(again, columns[j], sizeof again) == 0);
    }
    static float want[VERTICES][3], got[VERTICES][3];
    ENSURE(deform_once(want[0], &t->desc, rows[0], PELT_MATRIX_ROWS_4X4) == 0);
    ENSURE(deform_once(got[0], &t->desc, packed[0], PELT_MATRIX_ROWS_3X4) == 0);
    ENSURE(memcmp(got, want, sizeof got) == 0);
    ENSURE(deform_once(got[0], &t->desc, columns[0], PELT_MATRIX_COLUMNS_4X4) == 0);
    ENSURE(memcmp(got, want, sizeof got) == 0);

    // A vertex buffer, 32-bit indices, and packed lists that leave out influences of weight 0.
    static struct
    {
        float position[3];
        uint8_t joints[2];
        uint16_t unused;
        float weights[2];
    } buffer[VERTICES];
    static uint32_t first[VERTICES + 1], joints[2 * VERTICES], indices[3 * TRIANGLES];
    static float weights[2 * VERTICES];
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        memcpy(buffer[v].position, t->positions[v], 12);
        memcpy(buffer[v].weights, t->weights[v], 8);
        first[v + 1] = first[v];
        for (uint32_t i = 0; i < 2; ++i)
        {
            buffer[v].joints[i] = (uint8_t)t->joints[v][i];
            joints[first[v + 1]] = t->joints[v][i];
            weights[first[v + 1]] = t->weights[v][i];
            first[v + 1] += t->weights[v][i] > 0.0f;
        }
    }
    for (uint32_t i = 0; i < 3 * TRIANGLES; ++i)
    {
        indices[i] = t->indices[i / 3][i % 3];
    }
    pelt_skinner_desc desc = {.vertex_count = VERTICES,
                              .joint_count = JOINTS,
                              .positions = buffer[0].position,
                              .position_stride = sizeof *buffer,
                              .index_count = 3 * TRIANGLES,
                              .indices_u32 = indices,
                              .influences_per_vertex = 2,
                              .joints_u8 = buffer[0].joints,
                              .joint_stride = sizeof *buffer,
                              .weights = buffer[0].weights,
                              .weight_stride = sizeof *buffer};
    ENSURE(deform_once(got[0], &desc, rows[0], PELT_MATRIX_ROWS_4X4) == 0);
    ENSURE(memcmp(got, want, sizeof got) == 0);
    desc.joints_u8 = NULL;
    desc.first = first;
    desc.joints_u32 = joints;
    desc.weights = weights;
    ENSURE(deform_once(got[0], &desc, rows[0], PELT_MATRIX_ROWS_4X4) == 0);
    ENSURE(memcmp(got, want, sizeof got) == 0);
    return 0;
}

static int poses_equal_single_calls(void)
{
    tube* t = &shared_tube;
    make_tube(t);
    static float matrices[POSES][JOINTS][16], many[POSES][VERTICES][3], one[VERTICES][3];
    for (uint32_t p = 0; p < POSES; ++p)
    {
        make_pose(matrices[p], 100 + p);
    }
    pelt_skinner* skinner;
    ENSURE(pelt_skinner_create(&skinner, &t->desc, NULL) == PELT_OK);
    pelt_skinner_output all = {.positions = many[0][0]}, single = {.positions = one[0]};
    pelt_hooks hooks = {.run = pelt_pool_run, .run_user = pelt_pool_create(3)};
    ENSURE(hooks.run_user != NULL);
    pelt_hooks_set(&hooks);
    pelt_result result = pelt_skinner_deform_poses(skinner, &all, matrices[0][0],
                                                   PELT_MATRIX_ROWS_4X4, POSES, NULL, NULL);
    pelt_hooks_set(&(pelt_hooks){0});
    pelt_pool_destroy(hooks.run_user);
    ENSURE(result == PELT_OK);
    for (uint32_t p = 0; p < POSES; ++p)
    {
        ENSURE(pelt_skinner_deform(skinner, &single, matrices[p][0], PELT_MATRIX_ROWS_4X4, NULL,
                                   NULL) == PELT_OK);
        ENSURE(memcmp(one, many[p], sizeof one) == 0);
    }
    pelt_skinner_destroy(skinner);
    return 0;
}

// Halfway between two joints that twist by angle a about the axis of the tube, cos(a / 2) of the
// radius is left under linear blending, and all of it under dual quaternions and centers, which
// lie on the axis.
static int twist_keeps_radius(void)
{
    tube* t = &shared_tube;
    make_tube(t);
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        t->weights[v][0] = t->weights[v][1] = 0.5f;
    }
    float angle = 2.0f, c = cosf(angle), s = sinf(angle);
    float rows[2][12] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                         {1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0}};
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        t->joints[v][0] = 0;
        t->joints[v][1] = 1;
    }
    t->desc.joint_count = 2;
    pelt_skinner* skinner;
    ENSURE(pelt_skinner_create(&skinner, &t->desc, NULL) == PELT_OK);
    ENSURE(pelt_skinner_prepare(skinner, PELT_SKINNER_CENTERS, NULL) == PELT_OK);
    const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_CRS};
    const float kept[] = {cosf(0.5f * angle), 1.0f, 1.0f};
    for (int m = 0; m < 3; ++m)
    {
        static float got[VERTICES][3];
        pelt_skinner_output out = {.positions = got[0]};
        pelt_deform_options options = {.method = methods[m]};
        ENSURE(pelt_skinner_deform(skinner, &out, rows[0], PELT_MATRIX_ROWS_3X4, &options, NULL) ==
               PELT_OK);
        for (uint32_t v = 0; v < VERTICES; ++v)
        {
            ENSURE_NEAR(hypotf(got[v][1], got[v][2]), 0.3f * kept[m], 2e-6);
        }
    }
    pelt_skinner_destroy(skinner);
    return 0;
}

// Normals that are not given are those of the triangles; mix factors need the skeleton alone.
static int everything_can_be_prepared(void)
{
    tube* t = &shared_tube;
    make_tube(t);
    t->desc.normals = NULL;
    t->desc.tangents = NULL;
    // Children before parents are allowed.
    static const uint32_t reversed[JOINTS] = {1, 2, PELT_NONE};
    t->desc.joint_parents = reversed;
    pelt_skinner* skinner;
    pelt_error error;
    ENSURE(pelt_skinner_create(&skinner, &t->desc, &error) == PELT_OK);
    ENSURE(pelt_skinner_prepare(skinner, 15, &error) == PELT_OK);
    const float* normals = pelt_skinner_normals(skinner);
    const float* factors = pelt_skinner_mix_factors(skinner);
    ENSURE(normals != NULL && factors != NULL && pelt_skinner_centers(skinner) != NULL);
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        // Facets of twelve sides: normals are off by less than half of 30 degrees.
        const float* n = normals + 3 * v;
        ENSURE(n[1] * t->normals[v][1] + n[2] * t->normals[v][2] > cosf(PELT_PI / 12.0f));
        ENSURE(factors[v] >= 0.0f && factors[v] <= 1.0f);
    }
    static float got[VERTICES][3];
    float matrices[JOINTS][16];
    make_pose(matrices, 3);
    pelt_skinner_output out = {.positions = got[0]};
    pelt_deform_options options = {.method = PELT_METHOD_DQS, .distance_correction = 1.0f};
    ENSURE(pelt_skinner_deform(skinner, &out, matrices[0], PELT_MATRIX_ROWS_4X4, &options,
                               &error) == PELT_OK);
    pelt_skinner_destroy(skinner);
    return 0;
}

static int names_and_version(void)
{
    ENSURE(strcmp(pelt_version(), PELT_VERSION_STRING) == 0);
    ENSURE(strcmp(pelt_result_name(PELT_OK), "ok") == 0);
    ENSURE(strcmp(pelt_result_name(PELT_ERROR_CANCELED), "canceled") == 0);
    ENSURE(strcmp(pelt_result_name((pelt_result)99), "unknown") == 0);
    return 0;
}

void test_skinner(void)
{
    RUN(all_methods_equal_the_reference);
    RUN(layouts_do_not_matter);
    RUN(poses_equal_single_calls);
    RUN(twist_keeps_radius);
    RUN(everything_can_be_prepared);
    RUN(names_and_version);
}
