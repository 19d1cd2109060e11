// SPDX-License-Identifier: MIT
// Normals and tangents by the derivative of each method at single vertices, against finite
// differences in double precision.
#include "gradient_points.h"

static const pelt_method exact_methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                            PELT_METHOD_CRS};

static void copy3(double out[3], pelt_vec3 v)
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static void copy_joint(oracle* o, const pelt_palette* palette, uint32_t joint, float sign)
{
    pelt_quat q = pelt_quat_scale(palette->motions[joint].real, sign);
    const float components[4] = {q.x, q.y, q.z, q.w};
    for (int i = 0; i < 12; ++i)
    {
        o->matrices[joint][i / 4][i % 4] = (double)palette->matrices[joint].m[i / 4][i % 4];
    }
    for (int i = 0; i < 9; ++i)
    {
        o->stretches[joint][i / 3][i % 3] = (double)palette->stretches[joint].m[i / 3][i % 3];
    }
    for (int i = 0; i < 4; ++i)
    {
        o->rotations[joint][i] = (double)components[i];
    }
}

// +1 or -1 for each joint. The heaviest influence leads; or, in the order of the source, the sum so
// far does. Joints without weight come last.
static void choose_signs(float signs[ORACLE_JOINTS], const point_set* m, uint32_t v,
                         pelt_sign_rule rule)
{
    const pelt_influence* list = m->weights.influences + m->weights.first[v];
    uint32_t count = m->weights.first[v + 1] - m->weights.first[v];
    const pelt_dquat* motions = m->palette.motions;
    pelt_quat pivot = rule == PELT_SIGN_RUNNING ? (pelt_quat){0} : motions[list[0].joint].real;
    for (uint32_t slot = 0; rule == PELT_SIGN_RUNNING && slot < m->stride; ++slot)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            pelt_quat q = motions[list[i].joint].real;
            if (list[i].slot == slot)
            {
                signs[list[i].joint] = pelt_quat_dot(pivot, q) < 0.0f ? -1.0f : 1.0f;
                pivot =
                    pelt_quat_add(pivot, pelt_quat_scale(q, signs[list[i].joint] * list[i].weight));
            }
        }
    }
    for (uint32_t joint = 0; joint < ORACLE_JOINTS; ++joint)
    {
        float sign = pelt_quat_dot(pivot, motions[joint].real) < 0.0f ? -1.0f : 1.0f;
        signs[joint] = signs[joint] == 0.0f ? sign : signs[joint];
    }
}

static oracle oracle_of(const gradient_points* s, uint32_t v, const pelt_deform_options* options)
{
    const point_set* m = &s->m;
    oracle o = {.mix = (double)0.4f,
                .is_stretched_at_origin = options->scale_pivot == PELT_SCALE_ORIGIN};
    float signs[ORACLE_JOINTS] = {0};
    choose_signs(signs, m, v, options->sign_rule);
    for (uint32_t joint = 0; joint < ORACLE_JOINTS; ++joint)
    {
        uint32_t at = v * m->joint_count + joint;
        copy_joint(&o, &m->palette, joint, signs[joint]);
        copy3(o.gradients[joint], s->gradients[at]);
        for (int i = 0; i < 9; ++i)
        {
            o.products[joint][i / 3][i % 3] = (double)s->products[at].m[i / 3][i % 3];
        }
    }
    for (uint32_t i = m->weights.first[v]; i < m->weights.first[v + 1]; ++i)
    {
        o.weights[m->weights.influences[i].joint] = (double)m->weights.influences[i].weight;
    }
    copy3(o.position, m->positions[v]);
    copy3(o.center, m->cors[v]);
    for (int i = 0; i < 9; ++i)
    {
        o.center_gradients[i / 3][i % 3] = (double)s->center_gradients[v].m[i / 3][i % 3];
    }
    return o;
}

// The weights and the center that derivatives are taken at.
static void take_means(oracle* o, const gradient_points* s, uint32_t v)
{
    for (uint32_t joint = 0; joint < ORACLE_JOINTS; ++joint)
    {
        o->weights[joint] = (double)s->means[v * s->m.joint_count + joint];
    }
    copy3(o->center, s->centers[v]);
}

// Length of the sum of quaternions: near zero a blend rotates any way, and digits are lost.
static double blend_length(const oracle* o)
{
    double square = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        double sum = 0.0;
        for (int joint = 0; joint < ORACLE_JOINTS; ++joint)
        {
            sum += o->weights[joint] * o->rotations[joint][i];
        }
        square += sum * sum;
    }
    return sqrt(square);
}

static pelt_vec3 derivative(const oracle* o, pelt_method method, pelt_vec3 along)
{
    double direction[3], out[3];
    copy3(direction, along);
    oracle_derivative(out, o, method, direction);
    return pelt_vec3_make((float)out[0], (float)out[1], (float)out[2]);
}

// A linear map applied to a vector: it takes the axes of a vertex to the derivatives, and the
// normal of their plane to that of the derivatives, scaled by the ratio of areas.
static pelt_vec3 map_vector(const gradient_points* s, uint32_t v, const pelt_vec3 derivatives[2],
                            float sign, pelt_vec3 vector)
{
    pelt_vec3 axes[2], cross = pelt_vec3_cross(derivatives[0], derivatives[1]);
    gradient_points_axes(axes, s, v);
    float along = sign * pelt_vec3_dot(vector, s->planes[v]) / sqrtf(pelt_vec3_length(cross));
    pelt_vec3 out = pelt_vec3_scale(cross, along);
    out = pelt_vec3_mad(out, pelt_vec3_dot(vector, axes[0]), derivatives[0]);
    return pelt_vec3_mad(out, pelt_vec3_dot(vector, axes[1]), derivatives[1]);
}

// 1e-4, as near as float comes where a cross product is a tenth of its factors; vertices where it
// is less have no direction worth the name.
static int check_derivatives(const gradient_points* s, const pelt_deform_options* options,
                             uint32_t* checked)
{
    pelt_surface out = gradient_points_deform(s, options);
    for (uint32_t v = 0; v < s->m.vertex_count; ++v)
    {
        oracle o = oracle_of(s, v, options);
        const double zero[3] = {0};
        double moved[3];
        oracle_move(moved, &o, options->method, zero);
        pelt_vec3 position = pelt_vec3_make((float)moved[0], (float)moved[1], (float)moved[2]);
        ENSURE_POINT(out.positions[v], position, 1e-5);

        take_means(&o, s, v);
        pelt_vec3 axes[2], u = gradient_xyz(s->m.tangents[v]),
                           w = pelt_vec3_cross(s->m.normals[v], u);
        gradient_points_axes(axes, s, v);
        const pelt_vec3 derivatives[2] = {derivative(&o, options->method, axes[0]),
                                          derivative(&o, options->method, axes[1])};
        float sign = out.tangents[v].w * s->m.tangents[v].w;
        pelt_vec3 du = map_vector(s, v, derivatives, sign, u),
                  dw = map_vector(s, v, derivatives, sign, w);
        pelt_vec3 normal = pelt_vec3_cross(du, dw);
        if (pelt_vec3_length(du) < 0.1f || pelt_vec3_length(normal) < 0.1f ||
            pelt_vec3_length(pelt_vec3_cross(derivatives[0], derivatives[1])) < 0.1f ||
            blend_length(&o) < 0.4)
        {
            continue;
        }
        ENSURE_POINT(gradient_xyz(out.tangents[v]), pelt_vec3_normalize(du), 1e-4);
        ENSURE_POINT(out.normals[v], pelt_vec3_scale(pelt_vec3_normalize(normal), sign), 1e-4);
        ++*checked;
    }
    return 0;
}

static pelt_deform_options accurate_by(pelt_method method)
{
    return (pelt_deform_options){
        .method = method, .mix = 0.4f, .normal_rule = PELT_NORMAL_ACCURATE};
}

static int derivatives_are_those_of_finite_differences(void)
{
    for (uint32_t i = 0; i < 4; ++i)
    {
        uint32_t checked = 0;
        for (uint64_t seed = 1; seed <= 5; ++seed)
        {
            gradient_points s = gradient_points_make(seed, 0.5f, false);
            pelt_deform_options options = accurate_by(exact_methods[i]);
            ENSURE(s.m.palette.is_rigid);
            ENSURE(check_derivatives(&s, &options, &checked) == 0);
            point_set_free(&s.m);
        }
        ENSURE(checked > 800);
    }
    return 0;
}

static int derivatives_are_those_of_finite_differences_where_joints_stretch(void)
{
    for (uint32_t i = 0; i < 4 * 2; ++i)
    {
        uint32_t checked = 0;
        for (uint64_t seed = 1; seed <= 5; ++seed)
        {
            // Without gradients too: the blend of DQS depends on the position of the vertex then.
            gradient_points s = gradient_points_make(seed, seed == 1 ? 0.0f : 0.5f, true);
            pelt_deform_options options = accurate_by(exact_methods[i / 2]);
            options.scale_pivot = i % 2 ? PELT_SCALE_ORIGIN : PELT_SCALE_LOCAL;
            ENSURE(!s.m.palette.is_rigid);
            ENSURE(check_derivatives(&s, &options, &checked) == 0);
            point_set_free(&s.m);
        }
        ENSURE(checked > 800);
    }
    return 0;
}

// Joints rotate by up to 170 degrees, so that signs depend on the rule and on the order.
static int derivatives_keep_the_signs_of_the_blend(void)
{
    for (int i = 0; i < 4 * 2; ++i)
    {
        uint32_t checked = 0;
        pelt_deform_options options = accurate_by(exact_methods[i / 2]);
        options.sign_rule = i % 2 ? PELT_SIGN_RUNNING : PELT_SIGN_HEAVIEST;
        gradient_points s = gradient_points_make(7, 0.5f, false);
        test_random random = {7};
        for (uint32_t joint = 0; joint < s.m.joint_count; ++joint)
        {
            pelt_quat rotation = test_rotation(&random, 170.0f);
            s.m.palette.matrices[joint] = point_set_rigid(rotation, test_point(&random, 0.5f));
        }
        point_set_pose(&s.m);
        ENSURE(check_derivatives(&s, &options, &checked) == 0);
        ENSURE(checked > 100);
        point_set_free(&s.m);
    }
    return 0;
}

// Within 60 degrees of rest all rules choose the same signs, once the palette has them.
static int sign_rules_and_variants_have_the_same_derivative(void)
{
    gradient_points s = gradient_points_make(8, 0.5f, true);
    pelt_surface expected = gradient_points_deform_by(&s, PELT_METHOD_DQS, PELT_NORMAL_ACCURATE);
    for (int i = 0; i < 6; ++i)
    {
        pelt_deform_options options = {.method = PELT_METHOD_DQS,
                                       .sign_rule = (pelt_sign_rule)(i % 4),
                                       .dqs_variant = (pelt_dqs_variant)(i < 4 ? 0 : i - 3),
                                       .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_surface out = gradient_points_deform(&s, &options);
        ENSURE(point_set_distance(out.normals, expected.normals, s.m.vertex_count) < 1e-4);
    }
    point_set_free(&s.m);
    return 0;
}

// Signs as given, by the rule or by the variant, are the same ones; here every third is
// rotated.
static int signs_of_the_hierarchy_stay_in_the_derivative(void)
{
    gradient_points s = gradient_points_make(8, 0.5f, true);
    for (uint32_t joint = 0; joint < s.m.joint_count; joint += 3)
    {
        s.m.palette.motions[joint] = pelt_dquat_scale(s.m.palette.motions[joint], -1.0f);
    }
    pelt_deform_options options = {.method = PELT_METHOD_DQS,
                                   .dqs_variant = PELT_DQS_BASIC,
                                   .normal_rule = PELT_NORMAL_ACCURATE};
    pelt_surface basic = gradient_points_deform(&s, &options);
    options.dqs_variant = PELT_DQS_ANTIPODAL;
    pelt_surface heaviest = gradient_points_deform(&s, &options);
    options.sign_rule = PELT_SIGN_HIERARCHY;
    pelt_surface wound = gradient_points_deform(&s, &options);
    ENSURE(point_set_distance(wound.normals, basic.normals, s.m.vertex_count) < 1e-6);
    ENSURE(point_set_distance(wound.normals, heaviest.normals, s.m.vertex_count) > 0.1);
    point_set_free(&s.m);
    return 0;
}

// q and -q are one rotation, in the gradients as in the blend.
static int signs_in_the_palette_do_not_show(void)
{
    gradient_points s = gradient_points_make(9, 0.5f, false);
    for (uint32_t i = 0; i < 12; ++i)
    {
        pelt_deform_options options = {.method = exact_methods[i % 4],
                                       .sign_rule = (pelt_sign_rule)(i / 4),
                                       .mix = 0.5f,
                                       .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_surface before = gradient_points_deform(&s, &options);
        s.m.palette.motions[i % 8] = pelt_dquat_scale(s.m.palette.motions[i % 8], -1.0f);
        pelt_surface after = gradient_points_deform(&s, &options);
        ENSURE(point_set_distance(before.normals, after.normals, s.m.vertex_count) < 2e-5);
    }
    point_set_free(&s.m);
    return 0;
}

void test_normals_derivative(void)
{
    RUN(derivatives_are_those_of_finite_differences);
    RUN(derivatives_are_those_of_finite_differences_where_joints_stretch);
    RUN(derivatives_keep_the_signs_of_the_blend);
    RUN(sign_rules_and_variants_have_the_same_derivative);
    RUN(signs_of_the_hierarchy_stay_in_the_derivative);
    RUN(signs_in_the_palette_do_not_show);
}
