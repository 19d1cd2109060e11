// SPDX-License-Identifier: MIT
#include "pelt/gpu.h"
#include "point_set.h"

#include <string.h>

// The published counts: 12 and 8 scalars for lbs and dqs, 20 for their mix (thesis of 2019 on
// combining DQS and LBS, Table 5.2); a matrix and a quaternion for crs (Bittner et al. 2019,
// 5.2.2, whose matrices have a fourth row).
static int joints_have_the_published_number_of_floats(void)
{
    ENSURE(pelt_gpu_joint_floats(PELT_METHOD_LBS, PELT_GPU_SCALE_NONE, PELT_GPU_LAYOUT_COMPACT) ==
           12);
    ENSURE(pelt_gpu_joint_floats(PELT_METHOD_DQS, PELT_GPU_SCALE_NONE, PELT_GPU_LAYOUT_COMPACT) ==
           8);
    ENSURE(pelt_gpu_joint_floats(PELT_METHOD_MIX, PELT_GPU_SCALE_NONE, PELT_GPU_LAYOUT_COMPACT) ==
           20);
    ENSURE(pelt_gpu_joint_floats(PELT_METHOD_CRS, PELT_GPU_SCALE_NONE, PELT_GPU_LAYOUT_COMPACT) ==
           20 - 4);
    return 0;
}

// A matrix and a quaternion tell all: 9 + 3 numbers of the joint, and its rotation.
static int joints_that_scale_take_sixteen_floats(void)
{
    const pelt_method methods[] = {PELT_METHOD_DQS, PELT_METHOD_MIX, PELT_METHOD_CRS};
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(pelt_gpu_joint_floats(methods[i], PELT_GPU_SCALE_LOCAL, PELT_GPU_LAYOUT_COMPACT) ==
               16);
        ENSURE(pelt_gpu_joint_floats(methods[i], PELT_GPU_SCALE_ORIGIN, PELT_GPU_LAYOUT_COMPACT) ==
               16);
    }
    ENSURE(pelt_gpu_joint_floats(PELT_METHOD_LBS, PELT_GPU_SCALE_LOCAL, PELT_GPU_LAYOUT_COMPACT) ==
           12);
    ENSURE(pelt_gpu_joint_floats(PELT_METHOD_SBS, PELT_GPU_SCALE_LOCAL, PELT_GPU_LAYOUT_COMPACT) ==
           0);
    return 0;
}

// One upload for all: what crs has is enough for every method, with or without scale.
static int shared_layout_is_the_same_for_every_method(void)
{
    point_set m = point_set_random(1, 1, 2, 1, 90.0f);
    float expected[2 * 16], out[2 * 16];
    pelt_gpu_palette_write(expected, &m.palette, PELT_METHOD_CRS, PELT_GPU_SCALE_NONE,
                           PELT_GPU_LAYOUT_COMPACT);
    for (uint32_t i = 0; i < 3 * PELT_METHOD_COUNT; ++i)
    {
        pelt_method method = (pelt_method)(i / 3);
        pelt_gpu_scale scale = (pelt_gpu_scale)(i % 3);
        bool is_there = pelt_gpu_has_method(method);
        ENSURE(pelt_gpu_joint_floats(method, scale, PELT_GPU_LAYOUT_SHARED) == (is_there ? 16 : 0));
        if (is_there)
        {
            memset(out, 0xff, sizeof out);
            pelt_gpu_palette_write(out, &m.palette, method, scale, PELT_GPU_LAYOUT_SHARED);
            ENSURE(memcmp(out, expected, sizeof expected) == 0);
        }
    }
    point_set_free(&m);
    return 0;
}

static int rigid_palettes_need_no_scale(void)
{
    pelt_palette palette = {.is_rigid = true};
    ENSURE(pelt_gpu_scale_of(&palette, PELT_SCALE_LOCAL) == PELT_GPU_SCALE_NONE);
    ENSURE(pelt_gpu_scale_of(&palette, PELT_SCALE_ORIGIN) == PELT_GPU_SCALE_NONE);
    palette.is_rigid = false;
    ENSURE(pelt_gpu_scale_of(&palette, PELT_SCALE_LOCAL) == PELT_GPU_SCALE_LOCAL);
    ENSURE(pelt_gpu_scale_of(&palette, PELT_SCALE_ORIGIN) == PELT_GPU_SCALE_ORIGIN);
    return 0;
}

static int comparison_methods_have_no_layout(void)
{
    ENSURE(!pelt_gpu_has_method(PELT_METHOD_LMS));
    ENSURE(!pelt_gpu_has_method(PELT_METHOD_SBS));
    return 0;
}

// Tarini et al. 2014, Table 1: joints and weights of 2, 3 and 4 influences at 6 bytes each; pelt
// pads an odd number of 16-bit joints.
static int influences_take_six_bytes_and_padding(void)
{
    pelt_attribute_set skin = 1u << PELT_ATTRIBUTE_JOINTS | 1u << PELT_ATTRIBUTE_WEIGHTS |
                              1u << PELT_ATTRIBUTE_JOINTS_2 | 1u << PELT_ATTRIBUTE_WEIGHTS_2;
    for (uint32_t count = 1; count <= PELT_GPU_INFLUENCE_MAX; ++count)
    {
        ENSURE(pelt_gpu_vertex_bytes(skin, count) == 6 * count + 2 * (count % 2));
    }
    return 0;
}

// The deform factor thesis (2019) counts 64 bytes with 32-bit joints; 16 bits save 8. A center is 3
// floats.
static int vertex_of_four_influences_takes_56_bytes_and_68_with_a_center(void)
{
    pelt_vec3 vectors[1] = {{0}};
    pelt_vec2 uvs[1] = {{0}};
    pelt_mesh mesh = {.vertex_count = 1,
                      .positions = vectors,
                      .normals = vectors,
                      .uvs = uvs,
                      .weights = {.vertex_count = 1, .max_influences = 4}};
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        pelt_attribute_set set = pelt_gpu_attributes(&mesh, (pelt_method)i, 4);
        uint32_t expected = i == PELT_METHOD_CRS ? 64 - 8 + 12 : 64 - 8;
        ENSURE(pelt_gpu_vertex_bytes(set, 4) == expected);
    }
    return 0;
}

static int influence_count_stays_within_the_limit(void)
{
    pelt_mesh mesh = {.weights = {.max_influences = 11}};
    ENSURE(pelt_gpu_influence_count(&mesh, 0) == 8);
    ENSURE(pelt_gpu_influence_count(&mesh, 3) == 3);
    mesh.weights.max_influences = 2;
    ENSURE(pelt_gpu_influence_count(&mesh, 3) == 2);
    mesh.weights.max_influences = 0;
    ENSURE(pelt_gpu_influence_count(&mesh, 3) == 1);
    return 0;
}

static int palette_is_written_as_documented(void)
{
    point_set m = point_set_random(1, 1, 2, 1, 90.0f);
    const pelt_mat34* matrix = &m.palette.matrices[1];
    const pelt_dquat* motion = &m.palette.motions[1];
    float out[2 * 20];

    pelt_gpu_palette_write(out, &m.palette, PELT_METHOD_MIX, PELT_GPU_SCALE_NONE,
                           PELT_GPU_LAYOUT_COMPACT);
    ENSURE(out[20 + 3] == matrix->m[0][3] && out[20 + 4] == matrix->m[1][0]);
    ENSURE(out[20 + 12] == motion->real.x && out[20 + 15] == motion->real.w);
    ENSURE(out[20 + 16] == motion->dual.x && out[20 + 19] == motion->dual.w);
    pelt_gpu_palette_write(out, &m.palette, PELT_METHOD_CRS, PELT_GPU_SCALE_NONE,
                           PELT_GPU_LAYOUT_COMPACT);
    ENSURE(out[16 + 11] == matrix->m[2][3] && out[16 + 12] == motion->real.x);
    pelt_gpu_palette_write(out, &m.palette, PELT_METHOD_DQS, PELT_GPU_SCALE_NONE,
                           PELT_GPU_LAYOUT_COMPACT);
    ENSURE(out[8] == motion->real.x && out[8 + 7] == motion->dual.w);
    pelt_gpu_palette_write(out, &m.palette, PELT_METHOD_LBS, PELT_GPU_SCALE_NONE,
                           PELT_GPU_LAYOUT_COMPACT);
    ENSURE(out[12] == matrix->m[0][0] && out[12 + 11] == matrix->m[2][3]);
    point_set_free(&m);
    return 0;
}

static int scaled_palette_is_written_as_documented(void)
{
    point_set m = point_set_random(1, 1, 2, 1, 90.0f);
    const pelt_method methods[] = {PELT_METHOD_DQS, PELT_METHOD_MIX, PELT_METHOD_CRS};
    const pelt_mat34* matrix = &m.palette.matrices[1];
    const pelt_quat* rotation = &m.palette.motions[1].real;
    float out[2 * 16];
    for (int i = 0; i < 3; ++i)
    {
        pelt_gpu_palette_write(out, &m.palette, methods[i], PELT_GPU_SCALE_ORIGIN,
                               PELT_GPU_LAYOUT_COMPACT);
        ENSURE(out[16] == matrix->m[0][0] && out[16 + 3] == matrix->m[0][3]);
        ENSURE(out[16 + 11] == matrix->m[2][3]);
        ENSURE(out[16 + 12] == rotation->x && out[16 + 15] == rotation->w);
    }
    point_set_free(&m);
    return 0;
}

static int standard_normals_need_no_texture(void)
{
    pelt_gpu_normals standard = {.slot_count = 4, .has_centers = true};
    ENSURE(pelt_gpu_normal_floats(&standard) == 0);
    return 0;
}

// Tangent, count and plane normal are 6 numbers, with centers 15: padded to texels of four. A
// factor has 8.
static int vertices_take_eight_floats_for_normals_and_eight_for_each_slot(void)
{
    const uint32_t slots[] = {2, 3, 4, 8};
    for (int i = 0; i < 4; ++i)
    {
        pelt_gpu_normals normals = {PELT_NORMAL_ACCURATE, slots[i], false, false};
        ENSURE(pelt_gpu_normal_floats(&normals) == 8 + 8 * slots[i]);
        normals.has_centers = true;
        ENSURE(pelt_gpu_normal_floats(&normals) == 16 + 8 * slots[i]);
    }
    return 0;
}

static int slots_are_as_many_as_the_fullest_vertex_needs(void)
{
    const uint32_t expected[] = {2, 2, 2, 3, 4, 8, 8, 8, 8};
    for (uint32_t most = 0; most <= 9; ++most)
    {
        pelt_normal_factors factors = {.max_factors = most};
        pelt_gpu_normals normals = pelt_gpu_normals_of(&factors, PELT_NORMAL_PAPER);
        ENSURE(normals.rule == (most <= 8 ? PELT_NORMAL_PAPER : PELT_NORMAL_STANDARD));
        ENSURE(normals.slot_count == (most <= 8 ? expected[most] : 0));
        ENSURE(!normals.has_centers);
    }
    return 0;
}

// Two vertices by hand: one with two factors of three that there is room for, one with none.
static int factors_are_written_as_documented(void)
{
    const uint32_t first[] = {0, 2, 2};
    const pelt_normal_factor slots[] = {{7, 0.75f, 1, 2, {{3, 4}, {5, 6}}},
                                        {65535, 0.25f, -1, -2, {{-3, -4}, {-5, -6}}}};
    const pelt_vec3 tangents[] = {{1, 0, 0}, {0, 0, 1}}, centers[] = {{11, 12, 13}, {21, 22, 23}};
    const pelt_vec3 gradients[] = {{14, 15, 16}, {17, 18, 19}, {24, 25, 26}, {27, 28, 29}};
    const pelt_vec2 plane_normals[] = {{0.5f, 0.25f}, {-0.5f, -0.25f}};
    const pelt_normal_factors factors = {
        2, 65536, 2, 2, 0, 0, first, slots, tangents, plane_normals, centers, gradients};
    // clang-format off
    const float expected[] = {
        1, 0, 0, 2, 0.5f, 0.25f, 11, 12, 13, 14, 15, 16, 17, 18, 19, 0,
        7, 0.75f, 1, 2, 3, 4, 5, 6,
        65535, 0.25f, -1, -2, -3, -4, -5, -6,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 1, 0, -0.5f, -0.25f, 21, 22, 23, 24, 25, 26, 27, 28, 29, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0};
    const float plain[] = {
        1, 0, 0, 2, 0.5f, 0.25f, 0, 0,
        7, 0.75f, 1, 2, 3, 4, 5, 6,
        65535, 0.25f, -1, -2, -3, -4, -5, -6,
        0, 0, 1, 0, -0.5f, -0.25f, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0};
    // clang-format on
    float out[2 * (16 + 3 * 8)];
    memset(out, 0xff, sizeof out);
    pelt_gpu_normals_write(out, &factors,
                           &(pelt_gpu_normals){PELT_NORMAL_ACCURATE, 3, true, false});
    ENSURE(memcmp(out, expected, sizeof expected) == 0);
    pelt_gpu_normals_write(out, &factors, &(pelt_gpu_normals){PELT_NORMAL_PAPER, 2, false, false});
    ENSURE(memcmp(out, plain, sizeof plain) == 0);
    return 0;
}

static int playbacks_are_packed_as_documented(void)
{
    pelt_playback playback = {.base = {5, 1.5f, PELT_WRAP_LOOP},
                              .next = {6, 2.5f, PELT_WRAP_CLAMP},
                              .fade = 0.25f,
                              .additive = {7, 3.5f, PELT_WRAP_LOOP},
                              .additive_weight = 0.75f};
    pelt_gpu_playback packed = pelt_gpu_playback_of(&playback);
    uint32_t words[8];
    float floats[8];
    ENSURE(sizeof packed == sizeof words);
    memcpy(words, &packed, sizeof words);
    memcpy(floats, &packed, sizeof floats);
    ENSURE(words[0] == (0x8005u | 6u << 16));
    ENSURE(words[1] == 0x8007u);
    ENSURE(floats[2] == 0.25f && floats[3] == 0.75f);
    ENSURE(floats[4] == 1.5f && floats[5] == 2.5f && floats[6] == 3.5f);
    ENSURE(words[7] == 0);
    return 0;
}

// Three vertices with one, two and six influences, into columns of a vertex buffer.
static int weights_go_into_a_vertex_buffer(void)
{
    typedef struct vertex
    {
        uint16_t before, joints[4], joints_2[2];
        uint16_t after;
        float weights[4], weights_2[1], end;
    } vertex;
    static const uint32_t first[] = {0, 1, 3, 9};
    static const pelt_influence influences[] = {{4, 0, 1.0f},   {2, 0, 0.75f},   {9, 1, 0.25f},
                                                {1, 0, 0.25f},  {2, 1, 0.25f},   {3, 2, 0.25f},
                                                {4, 3, 0.125f}, {5, 4, 0.0625f}, {6, 5, 0.0625f}};
    const pelt_weights weights = {.vertex_count = 3,
                                  .joint_count = 10,
                                  .influence_count = 9,
                                  .max_influences = 6,
                                  .first = first,
                                  .influences = influences};
    vertex buffer[3];
    memset(buffer, 0xff, sizeof buffer);
    const pelt_gpu_weights out = {.joints = {buffer->joints, buffer->joints_2},
                                  .weights = {buffer->weights, buffer->weights_2},
                                  .joint_strides = {sizeof(vertex), sizeof(vertex)},
                                  .weight_strides = {sizeof(vertex), sizeof(vertex)}};
    ENSURE(pelt_gpu_weights_write(&out, &weights, 3, 5) == 1);
    const uint16_t joints[3][6] = {{4, 0, 0, 0, 0, 0}, {2, 9, 0, 0, 0, 0}, {1, 2, 3, 4, 5, 0}};
    // Without the sixth influence of 1 / 16 the others are 16 / 15 times as large.
    const float values[3][5] = {{1.0f, 0, 0, 0, 0},
                                {0.75f, 0.25f, 0, 0, 0},
                                {4.0f / 15, 4.0f / 15, 4.0f / 15, 2.0f / 15, 1.0f / 15}};
    for (int v = 0; v < 3; ++v)
    {
        ENSURE(memcmp(buffer[v].joints, joints[v], 12) == 0);
        for (int i = 0; i < 5; ++i)
        {
            ENSURE_NEAR(i < 4 ? buffer[v].weights[i] : buffer[v].weights_2[0], values[v][i], 1e-7);
        }
        ENSURE(buffer[v].before == 0xffff && buffer[v].after == 0xffff);
        ENSURE(isnan(buffer[v].end));
    }
    // Packed, and of an unskinned mesh: joint 0 has all.
    uint16_t packed_joints[3][2];
    float packed[3];
    const pelt_gpu_weights plain = {.joints = {packed_joints}, .weights = {packed}};
    memset(packed_joints, 0xff, sizeof packed_joints);
    ENSURE(pelt_gpu_weights_write(&plain, &(pelt_weights){0}, 3, 1) == 0);
    ENSURE(packed_joints[2][0] == 0 && packed_joints[2][1] == 0 && packed[2] == 1.0f);
    return 0;
}

void test_gpu_layout(void)
{
    RUN(weights_go_into_a_vertex_buffer);
    RUN(joints_have_the_published_number_of_floats);
    RUN(joints_that_scale_take_sixteen_floats);
    RUN(shared_layout_is_the_same_for_every_method);
    RUN(rigid_palettes_need_no_scale);
    RUN(comparison_methods_have_no_layout);
    RUN(influences_take_six_bytes_and_padding);
    RUN(vertex_of_four_influences_takes_56_bytes_and_68_with_a_center);
    RUN(influence_count_stays_within_the_limit);
    RUN(palette_is_written_as_documented);
    RUN(scaled_palette_is_written_as_documented);
    RUN(standard_normals_need_no_texture);
    RUN(vertices_take_eight_floats_for_normals_and_eight_for_each_slot);
    RUN(slots_are_as_many_as_the_fullest_vertex_needs);
    RUN(factors_are_written_as_documented);
    RUN(playbacks_are_packed_as_documented);
}
