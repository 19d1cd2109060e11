// SPDX-License-Identifier: MIT
// Joints that scale, shear, mirror or vanish.
#include "point_set.h"

#include <string.h>

// The facts below hold for both pivots of scale, but for those that say otherwise.
static pelt_scale_pivot pivot;

static pelt_surface deform_by(const point_set* m, pelt_method method)
{
    return point_set_deform(
        m, &(pelt_deform_options){.method = method, .mix = 0.5f, .scale_pivot = pivot});
}

static pelt_mat34 scaling(float x, float y, float z, pelt_vec3 translation)
{
    pelt_mat3 s = {{{x, 0.0f, 0.0f}, {0.0f, y, 0.0f}, {0.0f, 0.0f, z}}};
    return pelt_mat34_make(&s, translation);
}

static void multiply_left(point_set* m, const pelt_mat34* g)
{
    for (uint32_t joint = 0; joint < m->joint_count; ++joint)
    {
        m->palette.matrices[joint] = pelt_mat34_mul(g, &m->palette.matrices[joint]);
    }
    point_set_pose(m);
}

static void multiply_right(point_set* m, const pelt_mat34* g)
{
    for (uint32_t joint = 0; joint < m->joint_count; ++joint)
    {
        m->palette.matrices[joint] = pelt_mat34_mul(&m->palette.matrices[joint], g);
    }
    point_set_pose(m);
}

// A character that is k times as large deforms k times as far.
static int uniform_scale_of_the_pose_is_exact(void)
{
    const float factors[] = {0.01f, 0.5f, 2.5f, 100.0f};
    for (int i = 0; i < 4; ++i)
    {
        point_set m = point_set_random(21, 200, 9, 4, 150.0f),
                  scaled = point_set_random(21, 200, 9, 4, 150.0f);
        float k = factors[i];
        pelt_mat34 g = scaling(k, k, k, (pelt_vec3){0});
        multiply_left(&scaled, &g);
        for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
        {
            pelt_surface a = deform_by(&m, method), b = deform_by(&scaled, method);
            for (uint32_t v = 0; v < m.vertex_count; ++v)
            {
                ENSURE_POINT(pelt_vec3_scale(b.positions[v], 1.0f / k), a.positions[v], 5e-6);
                ENSURE_POINT(b.normals[v], a.normals[v], 1e-5);
            }
        }
        point_set_free(&m);
        point_set_free(&scaled);
    }
    return 0;
}

// Vertices of a mesh authored at another size: M -> M K with the mesh divided by K.
static int uniform_scale_of_the_bind_pose_is_exact(void)
{
    point_set m = point_set_random(22, 200, 9, 4, 150.0f),
              scaled = point_set_random(22, 200, 9, 4, 150.0f);
    float k = 0.01f;
    pelt_mat34 g = scaling(k, k, k, (pelt_vec3){0});
    multiply_right(&scaled, &g);
    for (uint32_t v = 0; v < m.vertex_count; ++v)
    {
        scaled.positions[v] = pelt_vec3_scale(m.positions[v], 1.0f / k);
        scaled.cors[v] = pelt_vec3_scale(m.cors[v], 1.0f / k);
    }
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface a = deform_by(&m, method), b = deform_by(&scaled, method);
        ENSURE(point_set_distance(a.positions, b.positions, m.vertex_count) < 1e-5);
    }
    point_set_free(&m);
    point_set_free(&scaled);
    return 0;
}

static int one_influence_follows_any_matrix(void)
{
    point_set m = point_set_random(23, 100, 9, 1, 170.0f);
    memcpy(m.cors, m.positions, m.vertex_count * sizeof *m.cors);
    test_random random = {23};
    for (uint32_t joint = 0; joint < m.joint_count; ++joint)
    {
        for (int i = 0; i < 12; ++i)
        {
            m.palette.matrices[joint].m[i / 4][i % 4] = test_uniform(&random, -2.0f, 2.0f);
        }
    }
    point_set_pose(&m);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface out = deform_by(&m, method);
        for (uint32_t v = 0; v < m.vertex_count; ++v)
        {
            const pelt_mat34* matrix = &m.palette.matrices[m.joints[v]];
            ENSURE_POINT(out.positions[v], pelt_mat34_point(matrix, m.positions[v]), 5e-6);
        }
    }
    point_set_free(&m);
    return 0;
}

// Rigid motions of everything, with joints that stretch each in their own way.
static int result_moves_along_under_non_uniform_scale(void)
{
    point_set m = point_set_random(24, 200, 9, 4, 80.0f),
              moved = point_set_random(24, 200, 9, 4, 80.0f);
    test_random random = {24};
    pelt_mat34 g = point_set_rigid(test_rotation(&random, 180.0f), test_point(&random, 1.0f));
    for (uint32_t joint = 0; joint < m.joint_count; ++joint)
    {
        pelt_mat34 s = scaling(test_uniform(&random, 0.5f, 2.0f), test_uniform(&random, 0.5f, 2.0f),
                               test_uniform(&random, 0.5f, 2.0f), (pelt_vec3){0});
        m.palette.matrices[joint] = pelt_mat34_mul(&m.palette.matrices[joint], &s);
        moved.palette.matrices[joint] = m.palette.matrices[joint];
    }
    point_set_pose(&m);
    point_set_move(&moved, &g);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface a = deform_by(&m, method), b = deform_by(&moved, method);
        for (uint32_t v = 0; v < m.vertex_count; ++v)
        {
            ENSURE_POINT(b.positions[v], pelt_mat34_point(&g, a.positions[v]), 3e-5);
        }
    }
    point_set_free(&m);
    point_set_free(&moved);
    return 0;
}

// Mirror mesh, skeleton and pose, or only the pose: the result is the mirror image.
static int mirrored_twin_deforms_as_the_mirror_image(void)
{
    const pelt_mat34 g = scaling(-1.0f, 1.0f, 1.0f, (pelt_vec3){0.3f, 0.0f, 0.0f});
    // A mesh that is moved has another origin.
    for (int is_whole = 0; is_whole < (pivot == PELT_SCALE_LOCAL ? 2 : 1); ++is_whole)
    {
        point_set m = point_set_random(25, 200, 9, 4, 100.0f),
                  twin = point_set_random(25, 200, 9, 4, 100.0f);
        multiply_left(&twin, &g);
        ENSURE(!twin.palette.has_mixed_handedness);
        if (is_whole)
        {
            multiply_right(&twin, &g);
            for (uint32_t v = 0; v < m.vertex_count; ++v)
            {
                twin.positions[v] = pelt_mat34_point(&g, m.positions[v]);
                twin.cors[v] = pelt_mat34_point(&g, m.cors[v]);
                twin.normals[v].x = -m.normals[v].x;
                twin.tangents[v].x = -m.tangents[v].x;
                twin.tangents[v].w = -m.tangents[v].w;
            }
        }
        for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
        {
            pelt_surface a = deform_by(&m, method), b = deform_by(&twin, method);
            for (uint32_t v = 0; v < m.vertex_count; ++v)
            {
                ENSURE_POINT(b.positions[v], pelt_mat34_point(&g, a.positions[v]), 1e-5);
                pelt_vec3 n = a.normals[v];
                ENSURE_POINT(b.normals[v], pelt_vec3_make(-n.x, n.y, n.z), 1e-5);
                pelt_vec4 s = a.tangents[v], t = b.tangents[v];
                ENSURE_POINT(pelt_vec3_make(t.x, t.y, t.z), pelt_vec3_make(-s.x, s.y, s.z), 1e-5);
                ENSURE(t.w == -s.w);
            }
        }
        point_set_free(&m);
        point_set_free(&twin);
    }
    return 0;
}

static int joints_scaled_to_nothing_stay_finite(void)
{
    const pelt_vec3 scales[] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, -1, 1}, {1e-30f, 1, 1}};
    for (uint32_t i = 0; i < sizeof scales / sizeof scales[0]; ++i)
    {
        point_set m = point_set_random(26, 100, 4, 4, 150.0f);
        pelt_mat34 flat = scaling(scales[i].x, scales[i].y, scales[i].z, (pelt_vec3){0});
        m.palette.matrices[1] = pelt_mat34_mul(&m.palette.matrices[1], &flat);
        m.palette.matrices[2] = pelt_mat34_mul(&m.palette.matrices[2], &flat);
        point_set_pose(&m);
        for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
        {
            pelt_surface out = deform_by(&m, method);
            for (uint32_t v = 0; v < m.vertex_count; ++v)
            {
                pelt_vec3 p = out.positions[v];
                ENSURE(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
                ENSURE_NEAR(pelt_vec3_length(out.normals[v]), 1.0, 1e-5);
                pelt_vec4 t = out.tangents[v];
                ENSURE_NEAR(pelt_vec3_length(pelt_vec3_make(t.x, t.y, t.z)), 1.0, 1e-5);
            }
        }
        point_set_free(&m);
    }
    return 0;
}

// A plane of normal n under a linear map A has normal A^-T n; here the map is known.
static int sheared_normals_go_with_the_inverse_transpose(void)
{
    point_set m = point_set_make(1, 1, 1);
    m.raw_weights[0] = 1.0f;
    m.normals[0] = pelt_vec3_make(0.0f, 1.0f, 0.0f);
    m.palette.matrices[0] = (pelt_mat34){{{1, 2, 0, 0}, {0, 1, 0, 0}, {0, 0, 3, 0}}};
    point_set_bind(&m);
    point_set_pose(&m);
    // A^-T of that: (0, 1, 0) goes to row 1 of the inverse, (0, 1, 0). The normal (1, 0, 0) goes
    // to (1, -2, 0).
    pelt_surface out = deform_by(&m, PELT_METHOD_LBS);
    ENSURE_POINT(out.normals[0], pelt_vec3_make(0.0f, 1.0f, 0.0f), 1e-6);
    m.normals[0] = pelt_vec3_make(1.0f, 0.0f, 0.0f);
    out = deform_by(&m, PELT_METHOD_LBS);
    ENSURE_POINT(out.normals[0], pelt_vec3_normalize(pelt_vec3_make(1.0f, -2.0f, 0.0f)), 1e-6);
    point_set_free(&m);
    return 0;
}

// Joints R S with a diagonal S, which is then the stretch of R S. Stretched by hand, vertex by
// vertex, the mesh deforms under R alone to the same position.
static int stretches_about_the_origin_come_before_rigid_motions(void)
{
    point_set m = point_set_random(27, 200, 9, 4, 100.0f),
              rigid = point_set_random(27, 200, 9, 4, 100.0f);
    test_random random = {27};
    pelt_vec3 stretches[9];
    for (uint32_t joint = 0; joint < m.joint_count; ++joint)
    {
        stretches[joint] = pelt_vec3_add(test_point(&random, 0.8f), pelt_vec3_make(1, 1, 1));
        pelt_mat34 s =
            scaling(stretches[joint].x, stretches[joint].y, stretches[joint].z, (pelt_vec3){0});
        m.palette.matrices[joint] = pelt_mat34_mul(&m.palette.matrices[joint], &s);
    }
    point_set_pose(&m);
    for (uint32_t v = 0; v < m.vertex_count; ++v)
    {
        pelt_vec3 sum = {0}, p = m.positions[v], c = m.cors[v];
        for (uint32_t i = m.weights.first[v]; i < m.weights.first[v + 1]; ++i)
        {
            const pelt_influence* inf = &m.weights.influences[i];
            sum = pelt_vec3_mad(sum, inf->weight, stretches[inf->joint]);
        }
        rigid.positions[v] = pelt_vec3_make(sum.x * p.x, sum.y * p.y, sum.z * p.z);
        rigid.cors[v] = pelt_vec3_make(sum.x * c.x, sum.y * c.y, sum.z * c.z);
    }
    static const pelt_method methods[3] = {PELT_METHOD_DQS, PELT_METHOD_CRS, PELT_METHOD_LMS};
    for (int i = 0; i < 3; ++i)
    {
        pelt_surface a = deform_by(&m, methods[i]), b = deform_by(&rigid, methods[i]);
        ENSURE(point_set_distance(a.positions, b.positions, m.vertex_count) < 1e-5);
    }
    point_set_free(&m);
    point_set_free(&rigid);
    return 0;
}

// Rotations by 180 degrees about x, y and z have the mean -1/3: a point reflection of negative
// determinant, though no joint mirrors. The triangles around the vertex keep their side, and so do
// normals.
static int blends_that_invert_are_no_mirrors(void)
{
    point_set m = point_set_make(1, 3, 3);
    for (uint32_t joint = 0; joint < 3; ++joint)
    {
        pelt_vec3 axis = {joint == 0, joint == 1, joint == 2};
        m.joints[joint] = joint;
        m.raw_weights[joint] = 1.0f / 3.0f;
        m.palette.matrices[joint] =
            point_set_rigid(pelt_quat_axis_angle(axis, PELT_PI), (pelt_vec3){0});
    }
    point_set_bind(&m);
    point_set_pose(&m);
    pelt_surface out = point_set_deform_by(&m, PELT_METHOD_LBS);
    ENSURE_POINT(out.normals[0], m.normals[0], 1e-5);
    ENSURE(out.tangents[0].w == m.tangents[0].w);
    point_set_free(&m);
    return 0;
}

static int conventions_are_told_apart_by_name(void)
{
    pelt_deform_options options = {
        .method = PELT_METHOD_MIX, .mix = 0.25f, .normal_rule = PELT_NORMAL_ACCURATE};
    pelt_convention_apply(&options, PELT_CONVENTION_OGRE);
    ENSURE(options.normal_rule == PELT_NORMAL_STANDARD);
    ENSURE(options.sign_rule == PELT_SIGN_FIRST && options.scale_pivot == PELT_SCALE_ORIGIN);
    ENSURE(options.method == PELT_METHOD_MIX && options.mix == 0.25f);
    pelt_convention_apply(&options, PELT_CONVENTION_PELT);
    ENSURE(options.sign_rule == PELT_SIGN_HEAVIEST && options.scale_pivot == PELT_SCALE_LOCAL);
    ENSURE(strcmp(pelt_convention_name(PELT_CONVENTION_USD), "usd") == 0);
    static const bool recomputes[PELT_CONVENTION_COUNT] = {
        [PELT_CONVENTION_BLENDER] = true, [PELT_CONVENTION_MAYA] = true};
    for (uint32_t i = 0; i < PELT_CONVENTION_COUNT; ++i)
    {
        ENSURE(pelt_convention_recomputes((pelt_convention)i) == recomputes[i]);
    }
    return 0;
}

static void test_pivot(void)
{
    RUN(uniform_scale_of_the_pose_is_exact);
    RUN(uniform_scale_of_the_bind_pose_is_exact);
    RUN(one_influence_follows_any_matrix);
    RUN(mirrored_twin_deforms_as_the_mirror_image);
    RUN(joints_scaled_to_nothing_stay_finite);
}

void test_deform_scale(void)
{
    pivot = PELT_SCALE_LOCAL;
    test_pivot();
    RUN(result_moves_along_under_non_uniform_scale);
    RUN(sheared_normals_go_with_the_inverse_transpose);
    pivot = PELT_SCALE_ORIGIN;
    test_pivot();
    RUN(stretches_about_the_origin_come_before_rigid_motions);
    RUN(blends_that_invert_are_no_mirrors);
    RUN(conventions_are_told_apart_by_name);
}
