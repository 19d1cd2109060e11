// SPDX-License-Identifier: MIT
// Mirrored and unmirrored joints on one vertex: no rotation leads from one to the other, so all
// methods are linear there.
#include "point_set.h"

#include <string.h>

enum
{
    COUNT = 300,
    JOINTS = 9,
    MIRROR = 4
};

static bool is_pulled(const point_set* m, uint32_t v, uint32_t joint)
{
    bool is_found = false;
    for (uint32_t i = m->weights.first[v]; i < m->weights.first[v + 1]; ++i)
    {
        is_found = is_found || m->weights.influences[i].joint == joint;
    }
    return is_found;
}

static uint32_t influence_count(const point_set* m, uint32_t v)
{
    return m->weights.first[v + 1] - m->weights.first[v];
}

// Every third vertex has one influence, the others have four. All joints stretch a little.
static point_set make_stretched(uint64_t seed)
{
    point_set m = point_set_random(seed, COUNT, JOINTS, 4, 120.0f);
    test_random random = {seed};
    for (uint32_t i = 0; i < COUNT * 4; ++i)
    {
        m.raw_weights[i] = i / 4 % 3 == 0 && i % 4 > 0 ? 0.0f : m.raw_weights[i];
    }
    for (uint32_t v = 0; v < COUNT; v += 3)
    {
        m.cors[v] = m.positions[v];
    }
    for (uint32_t joint = 0; joint < JOINTS; ++joint)
    {
        pelt_transform size = pelt_transform_identity();
        size.scale = pelt_vec3_add(test_point(&random, 0.3f), pelt_vec3_make(1, 1, 1));
        pelt_mat34 s = pelt_mat34_from_transform(size);
        m.palette.matrices[joint] = pelt_mat34_mul(&m.palette.matrices[joint], &s);
    }
    point_set_bind(&m);
    point_set_pose(&m);
    return m;
}

static void scale_joint(point_set* m, uint32_t joint, pelt_vec3 scale)
{
    pelt_transform change = pelt_transform_identity();
    change.scale = scale;
    pelt_mat34 s = pelt_mat34_from_transform(change);
    m->palette.matrices[joint] = pelt_mat34_mul(&m->palette.matrices[joint], &s);
    point_set_pose(m);
}

static bool is_same(const pelt_surface* a, const pelt_surface* b, uint32_t v)
{
    return memcmp(&a->positions[v], &b->positions[v], sizeof *a->positions) == 0 &&
           memcmp(&a->normals[v], &b->normals[v], sizeof *a->normals) == 0 &&
           memcmp(&a->tangents[v], &b->tangents[v], sizeof *a->tangents) == 0;
}

static int one_mirror_makes_its_neighbors_linear_and_nothing_else(void)
{
    for (uint32_t i = 0; i < 2 * PELT_METHOD_COUNT; ++i)
    {
        pelt_deform_options options = {
            .method = (pelt_method)(i / 2), .scale_pivot = (pelt_scale_pivot)(i % 2), .mix = 0.5f};
        point_set plain = make_stretched(i + 1), m = make_stretched(i + 1);
        scale_joint(&m, MIRROR, pelt_vec3_make(1, 1, -1));
        ENSURE(m.palette.has_mixed_handedness && !plain.palette.has_mixed_handedness);
        pelt_surface before = point_set_deform(&plain, &options),
                     after = point_set_deform(&m, &options);
        pelt_surface lbs = point_set_deform_by(&m, PELT_METHOD_LBS);
        uint32_t mixed = 0;
        for (uint32_t v = 0; v < COUNT; ++v)
        {
            bool is_near = is_pulled(&m, v, MIRROR);
            bool has_mixed_handedness = is_near && influence_count(&m, v) > 1;
            mixed += has_mixed_handedness;
            ENSURE(!has_mixed_handedness || is_same(&after, &lbs, v));
            ENSURE(is_near || is_same(&after, &before, v));
            // Alone, a mirror is followed by all methods.
            ENSURE(!is_near || has_mixed_handedness ||
                   point_set_distance(&after.positions[v], &lbs.positions[v], 1) < 5e-6);
        }
        ENSURE(mixed > COUNT / 10 &&
               pelt_weights_count_mixed_handedness(&m.weights, &m.palette) == mixed);
        ENSURE(pelt_weights_count_mixed_handedness(&plain.weights, &plain.palette) == 0);
        point_set_free(&plain);
        point_set_free(&m);
    }
    return 0;
}

static pelt_normal_factor half_factor(pelt_joint_index joint, float gradient)
{
    return (pelt_normal_factor){
        joint, 0.5f, gradient, -0.5f * gradient, {{0.5f, 0.0f}, {0.0f, 0.5f}}};
}

static int derivatives_of_mixed_vertices_are_those_of_lbs(void)
{
    point_set m = make_stretched(40);
    scale_joint(&m, MIRROR, pelt_vec3_make(-1, 1, 1));
    static pelt_normal_factor factors[2 * COUNT];
    static uint32_t first[COUNT + 1];
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        // The weight of one influence grows along an axis at the cost of another.
        const pelt_influence* list = m.weights.influences + m.weights.first[v];
        uint32_t last = influence_count(&m, v) - 1;
        factors[2 * v] = half_factor(list[0].joint, 0.5f);
        factors[2 * v + 1] = half_factor(list[last].joint, -0.5f);
        first[v + 1] = 2 * v + 2;
    }
    pelt_vec3 tangents[COUNT];
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        tangents[v] = pelt_vec3_make(m.tangents[v].x, m.tangents[v].y, m.tangents[v].z);
    }
    const pelt_vec2 plane_normals[COUNT] = {{0.0f, 0.0f}};
    const pelt_normal_factors gradients = {.vertex_count = COUNT,
                                           .joint_count = JOINTS,
                                           .factor_count = 2 * COUNT,
                                           .max_factors = 2,
                                           .first = first,
                                           .factors = factors,
                                           .tangents = tangents,
                                           .plane_normals = plane_normals};
    pelt_deform_input input = point_set_input(&m);
    input.normal_factors = &gradients;
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        pelt_deform_options options = {.mix = 0.5f, .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_vec3 lbs[COUNT], normals[COUNT];
        pelt_deform(&(pelt_surface){.normals = lbs}, &input, &options, (pelt_range){0, COUNT});
        options.method = (pelt_method)i;
        pelt_deform(&(pelt_surface){.normals = normals}, &input, &options, (pelt_range){0, COUNT});
        for (uint32_t v = 0; v < COUNT; ++v)
        {
            bool has_mixed_handedness = is_pulled(&m, v, MIRROR) && influence_count(&m, v) > 1;
            ENSURE(!has_mixed_handedness || memcmp(&normals[v], &lbs[v], sizeof normals[v]) == 0);
        }
    }
    point_set_free(&m);
    return 0;
}

// What is flat is the limit of both hands; no side of it is a wrong one.
static int flat_joints_go_with_either_handedness(void)
{
    const pelt_vec3 scales[] = {{0, 0, 0}, {0, 1, 1}, {0, -1, 1}, {1, 0, 0}, {1e-7f, 1, 1}};
    for (uint32_t i = 0; i < sizeof scales / sizeof scales[0]; ++i)
    {
        for (int is_mirrored = 0; is_mirrored < 2; ++is_mirrored)
        {
            point_set m = make_stretched(50 + i);
            for (uint32_t joint = 0; joint < JOINTS && is_mirrored; ++joint)
            {
                scale_joint(&m, joint, pelt_vec3_make(1, -1, 1));
            }
            scale_joint(&m, MIRROR, scales[i]);
            ENSURE(!m.palette.has_mixed_handedness && !m.palette.is_rigid);
            ENSURE(pelt_weights_count_mixed_handedness(&m.weights, &m.palette) == 0);
            // And next to joints that are mixed, with finite results.
            scale_joint(&m, MIRROR + 1, pelt_vec3_make(1, 1, -1));
            ENSURE(m.palette.has_mixed_handedness);
            for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
            {
                pelt_surface out = point_set_deform_by(&m, method);
                for (uint32_t v = 0; v < COUNT; ++v)
                {
                    pelt_vec3 p = out.positions[v];
                    ENSURE(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
                    ENSURE_NEAR(pelt_vec3_length(out.normals[v]), 1.0, 1e-5);
                }
            }
            point_set_free(&m);
        }
    }
    return 0;
}

// Small is not flat: a joint of a hundredth, or much thinner than long, has a hand.
static int small_and_thin_joints_have_a_handedness(void)
{
    const pelt_vec3 scales[] = {{-1e-6f, 1e-6f, 1e-6f}, {-1e-3f, 1e-3f, 1}, {-100, 100, 100}};
    for (uint32_t i = 0; i < sizeof scales / sizeof scales[0]; ++i)
    {
        point_set m = make_stretched(60);
        scale_joint(&m, MIRROR, scales[i]);
        ENSURE(m.palette.has_mixed_handedness);
        point_set_free(&m);
    }
    return 0;
}

static int mirrors_of_everything_are_not_mixed(void)
{
    point_set m = make_stretched(70);
    for (uint32_t joint = 0; joint < JOINTS; ++joint)
    {
        scale_joint(&m, joint, pelt_vec3_make(-1, 1, 1));
    }
    ENSURE(!m.palette.has_mixed_handedness && !m.palette.is_rigid);
    point_set_free(&m);
    return 0;
}

void test_deform_handedness(void)
{
    RUN(one_mirror_makes_its_neighbors_linear_and_nothing_else);
    RUN(derivatives_of_mixed_vertices_are_those_of_lbs);
    RUN(flat_joints_go_with_either_handedness);
    RUN(small_and_thin_joints_have_a_handedness);
    RUN(mirrors_of_everything_are_not_mixed);
}
