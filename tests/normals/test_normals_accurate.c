// SPDX-License-Identifier: MIT
// The rules for normals at single vertices: what they share, and what they survive.
#include "gradient_points.h"

#include <string.h>

static const pelt_method exact_methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                            PELT_METHOD_CRS};

// To the last bit, but where DQS meets stretches: its standard map is no derivative there.
static int constant_weights_make_accurate_standard(void)
{
    for (int is_stretched = 0; is_stretched < 2; ++is_stretched)
    {
        gradient_points s = gradient_points_make(10, 0.0f, is_stretched);
        for (int i = 0; i < 4; ++i)
        {
            pelt_method method = exact_methods[i];
            bool has_dqs = method == PELT_METHOD_DQS || method == PELT_METHOD_MIX;
            pelt_surface a = gradient_points_deform_by(&s, method, PELT_NORMAL_STANDARD);
            pelt_surface b = gradient_points_deform_by(&s, method, PELT_NORMAL_ACCURATE);
            pelt_surface c = gradient_points_deform_by(&s, method, PELT_NORMAL_PAPER);
            ENSURE(point_set_distance(a.normals, c.normals, s.m.vertex_count) < 1e-6);
            ENSURE((is_stretched && has_dqs) ||
                   point_set_distance(a.normals, b.normals, s.m.vertex_count) < 1e-6);
        }
        point_set_free(&s.m);
    }
    return 0;
}

// The map of one joint is linear, even where it stretches: nothing bends, under no method.
static int one_joint_makes_accurate_standard(void)
{
    gradient_points s = gradient_points_make(19, 0.5f, true);
    point_set* m = &s.m;
    for (uint32_t i = 0; i < m->vertex_count * m->stride; ++i)
    {
        m->raw_weights[i] = i % m->stride == 0 ? 1.0f : 0.0f;
    }
    point_set_bind(m);
    memset(s.first, 0, (m->vertex_count + 1) * sizeof *s.first); // no factors
    pelt_surface standard = gradient_points_deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_STANDARD);
    for (int i = 0; i < 4; ++i)
    {
        pelt_surface out = gradient_points_deform_by(&s, exact_methods[i], PELT_NORMAL_ACCURATE);
        ENSURE(point_set_distance(out.normals, standard.normals, m->vertex_count) < 1e-5);
        for (uint32_t v = 0; v < m->vertex_count; ++v)
        {
            ENSURE_POINT(gradient_xyz(out.tangents[v]), gradient_xyz(standard.tangents[v]), 1e-5);
        }
    }
    point_set_free(m);
    return 0;
}

static int missing_factors_and_other_methods_are_standard(void)
{
    gradient_points s = gradient_points_make(11, 0.5f, true);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        bool is_exact = method < PELT_METHOD_LMS;
        pelt_surface standard = gradient_points_deform_by(&s, method, PELT_NORMAL_STANDARD);
        for (pelt_normal_rule rule = 1; rule < PELT_NORMAL_RULE_COUNT; ++rule)
        {
            pelt_surface with = gradient_points_deform_by(&s, method, rule);
            pelt_surface without = point_set_deform(
                &s.m, &(pelt_deform_options){.method = method, .mix = 0.4f, .normal_rule = rule});
            size_t size = s.m.vertex_count * sizeof *with.normals;
            ENSURE(memcmp(without.normals, standard.normals, size) == 0);
            ENSURE((memcmp(with.normals, standard.normals, size) == 0) == !is_exact);
            ENSURE(memcmp(with.positions, standard.positions, size) == 0);
        }
    }
    point_set_free(&s.m);
    return 0;
}

// What the paper does not know: how weights change within a triangle.
static void shrink_triangles(gradient_points* s)
{
    const pelt_weights* weights = &s->m.weights;
    for (uint32_t v = 0; v < s->m.vertex_count; ++v)
    {
        for (uint32_t joint = 0; joint < s->m.joint_count; ++joint)
        {
            s->means[v * s->m.joint_count + joint] = 0.0f;
            s->products[v * s->m.joint_count + joint] = (pelt_mat3){0};
        }
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            const pelt_influence* inf = &weights->influences[i];
            s->means[v * s->m.joint_count + inf->joint] = inf->weight;
        }
        s->planes[v] = s->m.normals[v];
    }
}

static int paper_is_accurate_for_lbs_without_its_limit(void)
{
    gradient_points s = gradient_points_make(12, 2.0f, true);
    shrink_triangles(&s);
    for (uint32_t i = 0; i < s.m.vertex_count * s.m.joint_count; ++i)
    {
        pelt_vec3 n = s.m.normals[i / s.m.joint_count], *g = &s.gradients[i];
        *g = pelt_vec3_mad(*g, -pelt_vec3_dot(*g, n), n);
    }
    gradient_points_write(&s);
    pelt_deform_options options = {.normal_rule = PELT_NORMAL_PAPER, .normal_clamp = -1.0f};
    pelt_surface paper = gradient_points_deform(&s, &options);
    pelt_surface exact = gradient_points_deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE);
    // Slopes of 2 per meter: cross products of long vectors, that float rounds.
    ENSURE(point_set_distance(paper.normals, exact.normals, s.m.vertex_count) < 1e-4);
    pelt_surface limited = gradient_points_deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_PAPER);
    ENSURE(point_set_distance(limited.normals, exact.normals, s.m.vertex_count) > 0.1);
    point_set_free(&s.m);
    return 0;
}

// The factor of a joint with half the weight, over triangles so small that it hardly changes.
static pelt_normal_factor half_factor(pelt_joint_index joint, float alpha, float beta)
{
    return (pelt_normal_factor){joint, 0.5f, alpha, beta, {{0.5f, 0.0f}, {0.0f, 0.5f}}};
}

// Factors of a vertex with two joints, whose tangent is x and whose normal is that of its
// triangles.
static pelt_normal_factors factors_of_one(const uint32_t first[2], const pelt_normal_factor list[2])
{
    static const pelt_vec3 tangent = {1.0f, 0.0f, 0.0f};
    static const pelt_vec2 plane_normal = {0.0f, 0.0f};
    return (pelt_normal_factors){1,    2,   2, 2, 0, 0, first, list, &tangent, &plane_normal,
                                 NULL, NULL};
}

// One vertex on a plane, weights that change by 1 per meter along x, and a joint that is pulled up:
// the plane gets the slope `height`. The paper never goes beyond 0.9, whatever the size of
// the pose.
static int paper_limits_corrections(void)
{
    point_set m = point_set_make(1, 2, 2);
    m.joints[1] = 1;
    m.raw_weights[0] = m.raw_weights[1] = 0.5f;
    point_set_bind(&m);
    const uint32_t first[2] = {0, 2};
    const pelt_normal_factor list[2] = {half_factor(0, -1.0f, 0.0f), half_factor(1, 1.0f, 0.0f)};
    gradient_points s = {.m = m, .factors = factors_of_one(first, list)};
    const float heights[] = {0.5f, 3.0f}, limits[] = {0.0f, 2.0f, -1.0f};
    const float slopes[2][3] = {{0.5f, 0.5f, 0.5f}, {0.9f, 2.0f, 3.0f}};
    for (int i = 0; i < 6; ++i)
    {
        float size = i % 2 ? 1.0f : 100.0f;
        pelt_mat34 scale = {{{size, 0, 0, 0}, {0, size, 0, 0}, {0, 0, size, 0}}};
        m.palette.matrices[0] = m.palette.matrices[1] = scale;
        m.palette.matrices[1].m[1][3] = size * heights[i / 3];
        point_set_pose(&s.m);
        pelt_deform_options options = {.method = i / 2 == 1 ? PELT_METHOD_LBS : PELT_METHOD_DQS,
                                       .normal_rule = PELT_NORMAL_PAPER,
                                       .normal_clamp = limits[i % 3]};
        pelt_vec3 expected = pelt_vec3_normalize(pelt_vec3_make(-slopes[i / 3][i % 3], 1.0f, 0.0f));
        ENSURE_POINT(gradient_points_deform(&s, &options).normals[0], expected, 1e-6);
    }
    point_set_free(&m);
    return 0;
}

// Section 4.5 of the paper, for one vertex by hand: the tangent is rotated by the mean rotation,
// and the joints pull by their gradients.
static int paper_rotates_frames_and_pulls_for_dqs(void)
{
    point_set m = point_set_twist(0.0f, 1.0f); // at (1, 0, 0), normal y, tangent x
    const uint32_t first[2] = {0, 2};
    const pelt_normal_factor list[2] = {half_factor(0, 0.1f, 0.2f), half_factor(1, -0.1f, -0.2f)};
    gradient_points s = {.m = m, .factors = factors_of_one(first, list)};
    pelt_surface out = gradient_points_deform_by(&s, PELT_METHOD_DQS, PELT_NORMAL_PAPER);
    pelt_vec3 pull = {1.0f - cosf(1.0f), -sinf(1.0f), 0.0f};
    pelt_vec3 u = pelt_vec3_mad(pelt_vec3_make(cosf(0.5f), sinf(0.5f), 0.0f), 0.1f, pull);
    pelt_vec3 w = pelt_vec3_mad(pelt_vec3_make(0.0f, 0.0f, -1.0f), 0.2f, pull);
    ENSURE_POINT(gradient_xyz(out.tangents[0]), pelt_vec3_normalize(u), 1e-6);
    ENSURE_POINT(out.normals[0], pelt_vec3_normalize(pelt_vec3_cross(u, w)), 1e-6);
    point_set_free(&m);
    return 0;
}

// Without normals there is no plane along which weights could change.
static int tangents_alone_are_standard(void)
{
    gradient_points s = gradient_points_make(17, 0.5f, false);
    pelt_surface standard = gradient_points_deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_STANDARD);
    pelt_surface out = gradient_points_deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE);
    pelt_deform_input input = point_set_input(&s.m);
    input.normals = NULL;
    input.normal_factors = &s.factors;
    pelt_deform_options options = {.normal_rule = PELT_NORMAL_ACCURATE};
    pelt_deform(&out, &input, &options, (pelt_range){0, s.m.vertex_count});
    size_t size = s.m.vertex_count * sizeof *out.tangents;
    ENSURE(memcmp(out.tangents, standard.tangents, size) == 0);
    point_set_free(&s.m);
    return 0;
}

// A morph target rotates the normal, about the second direction of the frame: the first rotates
// with it. One joint is moved by d, so that the map is I + d g^T and n becomes n - g (d . n) / (1 +
// d . g).
static int directions_follow_normals_of_morph_targets(void)
{
    point_set m = point_set_make(1, 2, 2); // normal y, tangent x
    m.joints[1] = 1;
    m.raw_weights[0] = m.raw_weights[1] = 0.5f;
    point_set_bind(&m);
    const uint32_t first[2] = {0, 2};
    const pelt_normal_factor list[2] = {half_factor(0, -0.6f, 0.3f), half_factor(1, 0.6f, -0.3f)};
    const pelt_vec3 z = {0.0f, 0.0f, 1.0f}, d = {0.2f, 0.9f, -0.4f};
    gradient_points s = {.m = m, .factors = factors_of_one(first, list)};
    m.palette.matrices[1] = point_set_rigid(pelt_quat_identity(), d);
    point_set_pose(&s.m);
    for (float angle = -1.2f; angle < 1.3f; angle += 0.4f)
    {
        pelt_quat rotation = pelt_quat_axis_angle(z, angle);
        pelt_vec3 n = pelt_quat_rotate(rotation, pelt_vec3_make(0.0f, 1.0f, 0.0f));
        // The second direction is cross(y, x) = -z.
        pelt_vec3 g =
            pelt_vec3_mad(pelt_quat_rotate(rotation, pelt_vec3_make(0.6f, 0, 0)), 0.3f, z);
        m.normals[0] = n;
        pelt_surface out = gradient_points_deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE);
        float slope = pelt_vec3_dot(d, n) / (1.0f + pelt_vec3_dot(d, g));
        ENSURE_POINT(out.normals[0], pelt_vec3_normalize(pelt_vec3_mad(n, -slope, g)), 1e-5);
    }
    point_set_free(&m);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Robustness

static pelt_mat3 mirrored(const pelt_mat3* a)
{
    const pelt_mat3 flip = {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    pelt_mat3 half = pelt_mat3_mul(a, &flip);
    return pelt_mat3_mul(&flip, &half);
}

static void mirror_all(gradient_points* s)
{
    point_set* m = &s->m;
    const pelt_mat34 g = {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    point_set_move(m, &g);
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        m->normals[v].x = -m->normals[v].x;
        m->tangents[v].x = -m->tangents[v].x;
        m->tangents[v].w = -m->tangents[v].w;
        s->planes[v].x = -s->planes[v].x;
        s->centers[v].x = -s->centers[v].x;
        s->center_gradients[v] = mirrored(&s->center_gradients[v]);
        for (uint32_t joint = 0; joint < m->joint_count; ++joint)
        {
            uint32_t at = v * m->joint_count + joint;
            s->gradients[at].x *= -1.0f;
            s->products[at] = mirrored(&s->products[at]);
        }
    }
    gradient_points_write(s);
}

static int mirrored_world_has_mirrored_normals(void)
{
    for (int i = 0; i < 8; ++i)
    {
        gradient_points s = gradient_points_make(13, 0.5f, i % 2),
                        twin = gradient_points_make(13, 0.5f, i % 2);
        mirror_all(&twin);
        for (pelt_normal_rule rule = 1; rule < PELT_NORMAL_RULE_COUNT; ++rule)
        {
            pelt_surface a = gradient_points_deform_by(&s, exact_methods[i / 2], rule);
            pelt_surface b = gradient_points_deform_by(&twin, exact_methods[i / 2], rule);
            for (uint32_t v = 0; v < s.m.vertex_count; ++v)
            {
                pelt_vec3 n = a.normals[v], t = gradient_xyz(a.tangents[v]);
                ENSURE_POINT(b.normals[v], pelt_vec3_make(-n.x, n.y, n.z), 1e-4);
                ENSURE_POINT(gradient_xyz(b.tangents[v]), pelt_vec3_make(-t.x, t.y, t.z), 1e-4);
                ENSURE(b.tangents[v].w == -a.tangents[v].w);
            }
        }
        point_set_free(&s.m);
        point_set_free(&twin.m);
    }
    return 0;
}

// A pose that is mirrored as a whole: the surface and its outside are the mirror image.
static int mirrored_pose_has_mirrored_normals(void)
{
    const pelt_mat34 g = {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (int i = 0; i < 4; ++i)
    {
        gradient_points s = gradient_points_make(14, 0.3f, false),
                        twin = gradient_points_make(14, 0.3f, false);
        for (uint32_t joint = 0; joint < twin.m.joint_count; ++joint)
        {
            pelt_mat34* matrix = &twin.m.palette.matrices[joint];
            *matrix = pelt_mat34_mul(&g, matrix);
        }
        point_set_pose(&twin.m);
        pelt_surface a = gradient_points_deform_by(&s, exact_methods[i], PELT_NORMAL_ACCURATE);
        pelt_surface b = gradient_points_deform_by(&twin, exact_methods[i], PELT_NORMAL_ACCURATE);
        for (uint32_t v = 0; v < s.m.vertex_count; ++v)
        {
            pelt_vec3 n = a.normals[v];
            ENSURE_POINT(b.normals[v], pelt_vec3_make(-n.x, n.y, n.z), 1e-4);
            ENSURE(b.tangents[v].w == -a.tangents[v].w);
        }
        point_set_free(&s.m);
        point_set_free(&twin.m);
    }
    return 0;
}

static int joints_scaled_to_nothing_stay_finite(void)
{
    const float scales[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, -1, 1}, {1e-30f, 1, 1}};
    for (int i = 0; i < 5 * 4; ++i)
    {
        gradient_points s = gradient_points_make(15, i % 2 ? 0.5f : 50.0f, false);
        const float* k = scales[i / 4];
        pelt_mat34 flat = {{{k[0], 0, 0, 0}, {0, k[1], 0, 0}, {0, 0, k[2], 0}}};
        for (uint32_t joint = i % 3 ? 4 : 0; joint < s.m.joint_count; ++joint)
        {
            pelt_mat34* matrix = &s.m.palette.matrices[joint];
            *matrix = pelt_mat34_mul(matrix, &flat);
        }
        point_set_pose(&s.m);
        for (int rule = 0; rule < PELT_NORMAL_RULE_COUNT; ++rule)
        {
            pelt_surface out =
                gradient_points_deform_by(&s, exact_methods[i % 4], (pelt_normal_rule)rule);
            for (uint32_t v = 0; v < s.m.vertex_count; ++v)
            {
                ENSURE_NEAR(pelt_vec3_length(out.normals[v]), 1.0, 1e-5);
                ENSURE_NEAR(pelt_vec3_length(gradient_xyz(out.tangents[v])), 1.0, 1e-5);
            }
        }
        point_set_free(&s.m);
    }
    return 0;
}

static int splitting_the_work_does_not_show(void)
{
    gradient_points s = gradient_points_make(16, 0.5f, true);
    for (int i = 0; i < 4; ++i)
    {
        pelt_deform_options options = {
            .method = exact_methods[i], .mix = 0.4f, .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_surface whole = gradient_points_deform(&s, &options),
                     pieces = gradient_points_deform(&s, &options);
        size_t count = s.m.vertex_count;
        memset(pieces.normals, 0, count * sizeof *pieces.normals);
        pelt_deform_input input = point_set_input(&s.m);
        input.normal_factors = &s.factors;
        for (uint32_t first = 0; first < count; first += 37)
        {
            uint32_t left = (uint32_t)count - first;
            pelt_deform(&pieces, &input, &options, (pelt_range){first, left < 37 ? left : 37});
        }
        ENSURE(memcmp(whole.normals, pieces.normals, count * sizeof *whole.normals) == 0);
        ENSURE(memcmp(whole.tangents, pieces.tangents, count * sizeof *whole.tangents) == 0);
    }
    point_set_free(&s.m);
    return 0;
}

// Morph targets are added into the output, and skinning then works on it in place.
static int output_may_be_the_input(void)
{
    gradient_points s = gradient_points_make(18, 0.5f, true);
    point_set* m = &s.m;
    for (int i = 0; i < 4; ++i)
    {
        pelt_deform_options options = {
            .method = exact_methods[i], .mix = 0.4f, .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_surface expected = gradient_points_deform(&s, &options),
                     inout = gradient_points_deform(&s, &options);
        memcpy(inout.positions, m->positions, m->vertex_count * sizeof *inout.positions);
        memcpy(inout.normals, m->normals, m->vertex_count * sizeof *inout.normals);
        memcpy(inout.tangents, m->tangents, m->vertex_count * sizeof *inout.tangents);
        pelt_deform_input input = point_set_input(m);
        input.positions = inout.positions;
        input.normals = inout.normals;
        input.tangents = inout.tangents;
        input.normal_factors = &s.factors;
        pelt_deform(&inout, &input, &options, (pelt_range){0, m->vertex_count});
        size_t size = m->vertex_count * sizeof *inout.normals;
        ENSURE(memcmp(inout.normals, expected.normals, size) == 0);
        ENSURE(memcmp(inout.positions, expected.positions, size) == 0);
    }
    point_set_free(m);
    return 0;
}

static int rules_have_names(void)
{
    for (pelt_normal_rule rule = 0; rule < PELT_NORMAL_RULE_COUNT; ++rule)
    {
        ENSURE(pelt_normal_rule_find(pelt_normal_rule_name(rule)) == rule);
    }
    ENSURE(pelt_normal_rule_find("xyzzy") == PELT_NORMAL_RULE_COUNT);
    return 0;
}

void test_normals_accurate(void)
{
    RUN(constant_weights_make_accurate_standard);
    RUN(one_joint_makes_accurate_standard);
    RUN(missing_factors_and_other_methods_are_standard);
    RUN(paper_is_accurate_for_lbs_without_its_limit);
    RUN(paper_limits_corrections);
    RUN(paper_rotates_frames_and_pulls_for_dqs);
    RUN(tangents_alone_are_standard);
    RUN(directions_follow_normals_of_morph_targets);
    RUN(mirrored_world_has_mirrored_normals);
    RUN(mirrored_pose_has_mirrored_normals);
    RUN(joints_scaled_to_nothing_stay_finite);
    RUN(splitting_the_work_does_not_show);
    RUN(output_may_be_the_input);
    RUN(rules_have_names);
}
