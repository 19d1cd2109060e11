// SPDX-License-Identifier: MIT
// Closed forms and laws that every skinning method must keep, with rigid joints.
#include "point_set.h"

#include <string.h>

// A few roundings of numbers of size one.
static const double rounding = 2e-6;

// Half of a twist by a leaves radius cos(a / 2) under linear blending, 0 at 180 degrees (the
// candy wrapper), and 1 under the methods that average rotations.
static int twist_keeps_radius(void)
{
    for (int step = 0; step <= 36; ++step)
    {
        float angle = PELT_PI * (float)step / 36.0f;
        point_set m = point_set_twist(0.0f, angle);
        for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
        {
            pelt_vec3 p = point_set_deform_by(&m, method).positions[0];
            double cosine = cos(0.5 * (double)angle);
            // Without smoothed weights, ddm is lbs.
            bool is_linear = method == PELT_METHOD_LBS || pelt_method_info(method)->needs_smoothing;
            double expected = is_linear ? cosine : 1.0;
            if (method == PELT_METHOD_MIX)
            {
                // Both lie on the bisector of the twist.
                expected = 0.5 * cosine + 0.5;
            }
            ENSURE_NEAR(hypot((double)p.x, (double)p.y), expected, 1e-6);
        }
        point_set_free(&m);
    }
    return 0;
}

static int rest_pose_in_is_rest_pose_out(void)
{
    point_set m = point_set_random(1, 200, 9, 5, 0.0f);
    for (uint32_t joint = 0; joint < m.joint_count; ++joint)
    {
        m.palette.matrices[joint] = pelt_mat34_identity();
    }
    point_set_pose(&m);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface out = point_set_deform_by(&m, method);
        ENSURE(point_set_distance(out.positions, m.positions, m.vertex_count) < 1e-6);
        ENSURE(point_set_distance(out.normals, m.normals, m.vertex_count) < 1e-6);
        ENSURE(out.tangents[7].w == m.tangents[7].w);
    }
    point_set_free(&m);
    return 0;
}

static int one_influence_follows_its_joint(void)
{
    point_set m = point_set_random(2, 100, 9, 1, 170.0f);
    // Centers of vertices with one influence are their own positions.
    memcpy(m.cors, m.positions, m.vertex_count * sizeof *m.cors);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface out = point_set_deform_by(&m, method);
        for (uint32_t v = 0; v < m.vertex_count; ++v)
        {
            const pelt_mat34* matrix = &m.palette.matrices[m.joints[v]];
            ENSURE_POINT(out.positions[v], pelt_mat34_point(matrix, m.positions[v]), rounding);
        }
    }
    point_set_free(&m);
    return 0;
}

static int result_moves_along_with_everything(void)
{
    point_set m = point_set_random(3, 200, 9, 4, 80.0f),
              moved = point_set_random(3, 200, 9, 4, 80.0f);
    test_random random = {33};
    pelt_mat34 g = point_set_rigid(test_rotation(&random, 180.0f), test_point(&random, 2.0f));
    point_set_move(&moved, &g);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface a = point_set_deform_by(&m, method), b = point_set_deform_by(&moved, method);
        for (uint32_t v = 0; v < m.vertex_count; ++v)
        {
            // Everything is up to four units from the origin here, and SBS solves a system.
            ENSURE_POINT(b.positions[v], pelt_mat34_point(&g, a.positions[v]), 2e-5);
        }
    }
    point_set_free(&m);
    point_set_free(&moved);
    return 0;
}

// Move the pose alone: M -> G M. Logarithms as published do not follow, and that is known of them.
static int result_follows_the_pose_except_under_published_lms(void)
{
    point_set m = point_set_random(4, 100, 9, 4, 60.0f),
              moved = point_set_random(4, 100, 9, 4, 60.0f);
    test_random random = {44};
    pelt_mat34 g = point_set_rigid(test_rotation(&random, 90.0f), test_point(&random, 2.0f));
    for (uint32_t joint = 0; joint < m.joint_count; ++joint)
    {
        moved.palette.matrices[joint] = pelt_mat34_mul(&g, &m.palette.matrices[joint]);
    }
    point_set_pose(&moved);
    for (uint32_t i = 0; i <= PELT_METHOD_COUNT; ++i)
    {
        bool is_published = i == PELT_METHOD_COUNT;
        pelt_deform_options options = {.method = is_published ? PELT_METHOD_LMS : (pelt_method)i,
                                       .lms_variant =
                                           is_published ? PELT_LMS_PUBLISHED : PELT_LMS_RELATIVE,
                                       .mix = 0.5f};
        pelt_surface a = point_set_deform(&m, &options), b = point_set_deform(&moved, &options);
        for (uint32_t v = 0; v < m.vertex_count; ++v)
        {
            a.positions[v] = pelt_mat34_point(&g, a.positions[v]);
        }
        double distance = point_set_distance(a.positions, b.positions, m.vertex_count);
        ENSURE(is_published ? distance > 1e-2 : distance < 2e-5);
    }
    point_set_free(&m);
    point_set_free(&moved);
    return 0;
}

static void reverse_influences(point_set* m)
{
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        for (uint32_t i = 0; i < m->stride / 2; ++i)
        {
            uint32_t a = v * m->stride + i, b = (v + 1) * m->stride - 1 - i;
            uint32_t joint = m->joints[a];
            float weight = m->raw_weights[a];
            m->joints[a] = m->joints[b];
            m->raw_weights[a] = m->raw_weights[b];
            m->joints[b] = joint;
            m->raw_weights[b] = weight;
        }
    }
    point_set_bind(m);
}

// Duplicates on a UV seam often list their influences in another order; any difference would be a
// crack. The rules of other programs do depend on it, which shows that the test can fail.
static int order_of_influences_never_changes_a_default_result(void)
{
    point_set m = point_set_random(5, 300, 9, 4, 150.0f),
              reversed = point_set_random(5, 300, 9, 4, 150.0f);
    reverse_influences(&reversed);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface a = point_set_deform_by(&m, method),
                     b = point_set_deform_by(&reversed, method);
        ENSURE(memcmp(a.positions, b.positions, m.vertex_count * sizeof(pelt_vec3)) == 0);
        ENSURE(memcmp(a.normals, b.normals, m.vertex_count * sizeof(pelt_vec3)) == 0);
        ENSURE(memcmp(a.tangents, b.tangents, m.vertex_count * sizeof(pelt_vec4)) == 0);
    }
    const pelt_sign_rule rules[] = {PELT_SIGN_RUNNING, PELT_SIGN_FIRST};
    for (int i = 0; i < 2; ++i)
    {
        pelt_deform_options options = {.method = PELT_METHOD_DQS, .sign_rule = rules[i]};
        pelt_surface a = point_set_deform(&m, &options), b = point_set_deform(&reversed, &options);
        ENSURE(point_set_distance(a.positions, b.positions, m.vertex_count) > 0.01);
    }
    point_set_free(&m);
    point_set_free(&reversed);
    return 0;
}

static int mix_ends_are_lbs_and_dqs(void)
{
    point_set m = point_set_random(6, 100, 9, 4, 150.0f);
    pelt_method ends[2] = {PELT_METHOD_LBS, PELT_METHOD_DQS};
    for (int i = 0; i < 2; ++i)
    {
        pelt_deform_options options = {.method = PELT_METHOD_MIX, .mix = (float)i};
        pelt_surface mix = point_set_deform(&m, &options), end = point_set_deform_by(&m, ends[i]);
        ENSURE(point_set_distance(mix.positions, end.positions, m.vertex_count) == 0.0);
        ENSURE(point_set_distance(mix.normals, end.normals, m.vertex_count) == 0.0);
    }
    point_set_free(&m);
    return 0;
}

static int mix_factors_of_vertices_replace_the_common_one(void)
{
    point_set m = point_set_random(7, 2, 9, 4, 100.0f);
    float factors[2] = {0.0f, 1.0f};
    pelt_surface lbs = point_set_deform_by(&m, PELT_METHOD_LBS);
    pelt_surface dqs = point_set_deform_by(&m, PELT_METHOD_DQS);
    pelt_vec3 out[2];
    pelt_deform_input input = point_set_input(&m);
    input.mix_factors = factors;
    pelt_deform_mix(&(pelt_surface){.positions = out}, &input, &(pelt_deform_options){.mix = 0.3f},
                    (pelt_range){0, 2});
    ENSURE_POINT(out[0], lbs.positions[0], 0.0);
    ENSURE_POINT(out[1], dqs.positions[1], 0.0);
    point_set_free(&m);
    return 0;
}

// q and -q are one rotation, so the sign of a palette entry must not show.
static int sign_of_a_motion_is_ignored(void)
{
    point_set m = point_set_random(8, 100, 9, 4, 150.0f);
    pelt_surface plain[PELT_METHOD_COUNT];
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        plain[method] = point_set_deform_by(&m, method);
    }
    for (uint32_t joint = 0; joint < m.joint_count; joint += 2)
    {
        m.palette.motions[joint] = pelt_dquat_scale(m.palette.motions[joint], -1.0f);
    }
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface flipped = point_set_deform_by(&m, method);
        double distance =
            point_set_distance(flipped.positions, plain[method].positions, m.vertex_count);
        ENSURE(distance < 1e-6);
    }
    point_set_free(&m);
    return 0;
}

// Rotated by +100 and -100 degrees, two joints are 160 degrees apart the short way round, through
// 180 degrees. The basic variant does not see it.
static int basic_variant_takes_the_long_way_round(void)
{
    float angle = 100.0f * PELT_PI / 180.0f;
    point_set m = point_set_twist(angle, -angle);
    pelt_deform_options options = {.method = PELT_METHOD_DQS};
    ENSURE_NEAR(point_set_deform(&m, &options).positions[0].x, -1.0f, rounding);
    options.dqs_variant = PELT_DQS_BASIC;
    ENSURE_NEAR(point_set_deform(&m, &options).positions[0].x, 1.0f, rounding);
    point_set_free(&m);
    return 0;
}

// Once the signs agree, all three variants are one method.
static int variants_agree_where_signs_do(void)
{
    point_set m = point_set_random(9, 200, 9, 4, 45.0f);
    pelt_surface variants[3];
    for (int i = 0; i < 3; ++i)
    {
        variants[i] =
            point_set_deform(&m, &(pelt_deform_options){.method = PELT_METHOD_DQS,
                                                        .dqs_variant = (pelt_dqs_variant)i});
    }
    for (int i = 1; i < 3; ++i)
    {
        ENSURE(point_set_distance(variants[0].positions, variants[i].positions, m.vertex_count) <
               1e-6);
        ENSURE(point_set_distance(variants[0].normals, variants[i].normals, m.vertex_count) < 1e-6);
    }
    point_set_free(&m);
    return 0;
}

// Three joints: the first hardly pulls and decides the signs, the others are opposite quaternions
// at a right angle to it, so that what remains of the sum is noise.
static int canceling_quaternions_follow_the_heaviest(void)
{
    point_set m = point_set_make(1, 3, 3);
    m.positions[0] = pelt_vec3_make(1.0f, 0.0f, 0.0f);
    pelt_quat quats[3] = {{0, 0, 0, 1}, {0, 0, 1, 0}, {0, 0, -1, 0}};
    const float weights[3] = {1e-9f, 0.5f, 0.5f};
    for (uint32_t joint = 0; joint < 3; ++joint)
    {
        m.joints[joint] = joint;
        m.raw_weights[joint] = weights[joint];
        m.palette.matrices[joint] = point_set_rigid(quats[joint], (pelt_vec3){0});
    }
    point_set_bind(&m);
    point_set_pose(&m);
    m.palette.motions[2].real = quats[2];
    for (uint32_t i = 0; i <= PELT_METHOD_COUNT; ++i)
    {
        bool is_published = i == PELT_METHOD_COUNT;
        pelt_deform_options options = {.method = is_published ? PELT_METHOD_LMS : (pelt_method)i,
                                       .sign_rule = PELT_SIGN_FIRST,
                                       .dqs_variant = PELT_DQS_BASIC,
                                       .lms_variant =
                                           is_published ? PELT_LMS_PUBLISHED : PELT_LMS_RELATIVE,
                                       .mix = 1.0f};
        pelt_vec3 p = point_set_deform(&m, &options).positions[0];
        // Published, the logarithms of opposite rotations by 180 degrees cancel by their nature:
        // nothing rotates.
        float expected = is_published ? 1.0f : -1.0f;
        ENSURE_POINT(p, pelt_vec3_make(expected, 0.0f, 0.0f), rounding);
    }
    point_set_free(&m);
    return 0;
}

static int vertices_without_influences_stay(void)
{
    point_set m = point_set_random(10, 10, 9, 2, 150.0f);
    m.raw_weights[6] = m.raw_weights[7] = 0.0f;
    point_set_bind(&m);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface out = point_set_deform_by(&m, method);
        ENSURE_POINT(out.positions[3], m.positions[3], 0.0);
        ENSURE_POINT(out.normals[3], m.normals[3], 0.0);
    }
    point_set_free(&m);
    return 0;
}

static int ranges_are_independent_and_may_work_in_place(void)
{
    point_set m = point_set_random(11, 50, 9, 4, 100.0f);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface whole = point_set_deform_by(&m, method);
        pelt_vec3 pieces[50];
        memcpy(pieces, m.positions, sizeof pieces);
        pelt_surface out = {.positions = pieces};
        pelt_deform_input input = point_set_input(&m);
        input.positions = pieces;
        pelt_deform_options options = {.method = method, .mix = 0.5f};
        pelt_deform(&out, &input, &options, (pelt_range){20, 30});
        ENSURE(memcmp(pieces, m.positions, 20 * sizeof *pieces) == 0);
        pelt_deform(&out, &input, &options, (pelt_range){0, 20});
        ENSURE(memcmp(pieces, whole.positions, sizeof pieces) == 0);
    }
    point_set_free(&m);
    return 0;
}

// Against a sum in double precision, with forty influences.
static int many_influences_are_summed_right(void)
{
    point_set m = point_set_random(12, 50, 50, 40, 170.0f);
    pelt_surface out = point_set_deform_by(&m, PELT_METHOD_LBS);
    for (uint32_t v = 0; v < m.vertex_count; ++v)
    {
        double sum[3] = {0}, total = 0.0;
        double p[3] = {m.positions[v].x, m.positions[v].y, m.positions[v].z};
        for (uint32_t i = v * m.stride; i < (v + 1) * m.stride; ++i)
        {
            const pelt_mat34* matrix = &m.palette.matrices[m.joints[i]];
            double w = m.raw_weights[i];
            total += w;
            for (int r = 0; r < 3; ++r)
            {
                sum[r] += w * ((double)matrix->m[r][0] * p[0] + (double)matrix->m[r][1] * p[1] +
                               (double)matrix->m[r][2] * p[2] + (double)matrix->m[r][3]);
            }
        }
        ENSURE_NEAR(out.positions[v].x, sum[0] / total, rounding);
        ENSURE_NEAR(out.positions[v].y, sum[1] / total, rounding);
        ENSURE_NEAR(out.positions[v].z, sum[2] / total, rounding);
    }
    point_set_free(&m);
    return 0;
}

// A triangle whose corners have the same weights and center goes through one affine map, so that
// the carried normal is that of the moved triangle, and a carried edge is the moved edge.
static int directions_follow_a_patch_of_constant_weights(void)
{
    point_set m = point_set_random(13, 300, 9, 4, 120.0f);
    for (uint32_t v = 0; v < m.vertex_count; ++v)
    {
        uint32_t lead = v - v % 3;
        m.cors[v] = m.cors[lead];
        memcpy(m.joints + v * 4, m.joints + lead * 4, 4 * sizeof *m.joints);
        memcpy(m.raw_weights + v * 4, m.raw_weights + lead * 4, 4 * sizeof *m.raw_weights);
        if (v == lead)
        {
            pelt_vec3 e1 = pelt_vec3_sub(m.positions[v + 1], m.positions[v]);
            pelt_vec3 e2 = pelt_vec3_sub(m.positions[v + 2], m.positions[v]);
            pelt_vec3 t = pelt_vec3_normalize(e1);
            m.normals[v] = pelt_vec3_normalize(pelt_vec3_cross(e1, e2));
            m.tangents[v] = (pelt_vec4){t.x, t.y, t.z, 1.0f};
        }
    }
    point_set_bind(&m);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_surface out = point_set_deform_by(&m, method);
        for (uint32_t v = 0; v < m.vertex_count; v += 3)
        {
            pelt_vec3 e1 = pelt_vec3_sub(out.positions[v + 1], out.positions[v]);
            pelt_vec3 e2 = pelt_vec3_sub(out.positions[v + 2], out.positions[v]);
            pelt_vec3 n = pelt_vec3_normalize(pelt_vec3_cross(e1, e2));
            pelt_vec4 t = out.tangents[v];
            // Thin triangles divide the rounding of positions by their height.
            ENSURE_POINT(out.normals[v], n, 3e-4);
            ENSURE_POINT(pelt_vec3_make(t.x, t.y, t.z), pelt_vec3_normalize(e1), 3e-4);
        }
    }
    point_set_free(&m);
    return 0;
}

// At the candy wrapper the blended matrix has rank one and no normal: still unit vectors.
static int normals_of_a_collapsed_vertex_are_unit(void)
{
    point_set m = point_set_twist(0.0f, PELT_PI);
    m.palette.matrices[1] = (pelt_mat34){{{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, 1, 0}}};
    point_set_pose(&m);
    m.normals[0] = pelt_vec3_make(1.0f, 0.0f, 0.0f);
    pelt_surface out = point_set_deform_by(&m, PELT_METHOD_LBS);
    ENSURE_NEAR(pelt_vec3_length(out.normals[0]), 1.0, 1e-6);
    ENSURE_NEAR(hypotf(out.tangents[0].x, out.tangents[0].y), 1.0, 1e-6);
    point_set_free(&m);
    return 0;
}

// Nothing is decomposed for lbs, not even where a vertex collapses and its normal is that of its
// strongest joint.
static int lbs_needs_matrices_alone(void)
{
    point_set m = point_set_random(12, 200, 9, 1, 150.0f);
    m.palette.matrices[3] = (pelt_mat34){{{0, 0, 2, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
    m.palette.matrices[4].m[1][0] = 3.0f;
    point_set_pose(&m);
    pelt_surface whole = point_set_deform_by(&m, PELT_METHOD_LBS);
    pelt_vec3 positions[200], normals[200];
    memcpy(positions, whole.positions, sizeof positions);
    memcpy(normals, whole.normals, sizeof normals);

    pelt_palette all = m.palette;
    m.palette.motions = NULL;
    m.palette.stretches = NULL;
    pelt_palette_decompose(&m.palette);
    ENSURE(!m.palette.is_rigid && !m.palette.has_mixed_handedness);
    pelt_surface alone = point_set_deform_by(&m, PELT_METHOD_LBS);
    ENSURE(point_set_distance(alone.positions, positions, 200) == 0.0);
    ENSURE(point_set_distance(alone.normals, normals, 200) < 1e-6);
    m.palette = all;
    point_set_free(&m);
    return 0;
}

void test_deform(void)
{
    RUN(twist_keeps_radius);
    RUN(rest_pose_in_is_rest_pose_out);
    RUN(one_influence_follows_its_joint);
    RUN(result_moves_along_with_everything);
    RUN(result_follows_the_pose_except_under_published_lms);
    RUN(order_of_influences_never_changes_a_default_result);
    RUN(mix_ends_are_lbs_and_dqs);
    RUN(mix_factors_of_vertices_replace_the_common_one);
    RUN(sign_of_a_motion_is_ignored);
    RUN(basic_variant_takes_the_long_way_round);
    RUN(variants_agree_where_signs_do);
    RUN(canceling_quaternions_follow_the_heaviest);
    RUN(vertices_without_influences_stay);
    RUN(ranges_are_independent_and_may_work_in_place);
    RUN(many_influences_are_summed_right);
    RUN(directions_follow_a_patch_of_constant_weights);
    RUN(normals_of_a_collapsed_vertex_are_unit);
    RUN(lbs_needs_matrices_alone);
}
