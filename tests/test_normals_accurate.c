// SPDX-License-Identifier: MIT
// Normals and tangents by the derivative of each method at single vertices, against finite
// differences in double precision.
#include "mini.h"
#include "skin_oracle.h"

#include <stdlib.h>
#include <string.h>

static const pelt_method exact_methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                            PELT_METHOD_CRS};

// A mini with random rates on top, of all joints.
typedef struct slope_set
{
    mini m;
    pelt_normal_factors factors;
    uint32_t* first;
    pelt_normal_factor* list;
    pelt_vec3* tangents;
    pelt_vec2* tilts;
    pelt_vec3* centers; // not those of the mesh, as where a vertex has one influence
    pelt_vec3* center_rates;
    pelt_vec3* planes; // normals of the triangles that there could be
    pelt_mat3* center_slopes;

    // joint_count for each vertex
    float* means;
    pelt_vec3* gradients;
    pelt_mat3* products; // as in the oracle
} slope_set;

static void* allocate(const mini* m, size_t count, size_t size)
{
    void* memory = pelt_arena_alloc(m->arena, count, size);
    if (memory == NULL)
    {
        abort();
    }
    return memory;
}

static pelt_vec3 xyz(pelt_vec4 t)
{
    return pelt_vec3_make(t.x, t.y, t.z);
}

// The axes of a vertex as prepare.h tells: normal and tangent, turned until the normal is that of
// the plane.
static void find_axes(pelt_vec3 axes[2], const slope_set* s, uint32_t v)
{
    pelt_vec3 n = s->m.normals[v], u = xyz(s->m.tangents[v]);
    pelt_vec3 about = pelt_vec3_cross(n, s->planes[v]);
    float angle = atan2f(pelt_vec3_length(about), pelt_vec3_dot(n, s->planes[v]));
    pelt_quat turn = angle > 1e-6f ? pelt_quat_axis_angle(pelt_vec3_normalize(about), angle)
                                   : pelt_quat_identity();
    axes[0] = pelt_quat_rotate(turn, u);
    axes[1] = pelt_quat_rotate(turn, pelt_vec3_cross(n, u));
}

static pelt_normal_factor make_factor(const slope_set* s, uint32_t v, uint32_t joint)
{
    uint32_t at = v * s->m.joint_count + joint;
    pelt_vec3 axes[2];
    find_axes(axes, s, v);
    pelt_normal_factor out = {.joint = joint,
                              .weight = s->means[at],
                              .alpha = pelt_vec3_dot(s->gradients[at], axes[0]),
                              .beta = pelt_vec3_dot(s->gradients[at], axes[1])};
    for (int i = 0; i < 4; ++i)
    {
        pelt_vec3 step = pelt_mat3_vector(&s->products[at], axes[i / 2]);
        out.moments[i / 2][i % 2] =
            pelt_vec3_dot(step, axes[i % 2]) + (i / 2 == i % 2 ? s->means[at] : 0.0f);
    }
    return out;
}

static void write_factors(slope_set* s)
{
    const mini* m = &s->m;
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        pelt_vec3 axes[2], n = m->normals[v], u = xyz(m->tangents[v]);
        float lean = 1.0f + pelt_vec3_dot(n, s->planes[v]);
        find_axes(axes, s, v);
        s->tangents[v] = u;
        s->tilts[v] = (pelt_vec2){pelt_vec3_dot(u, s->planes[v]) / lean,
                                  pelt_vec3_dot(pelt_vec3_cross(n, u), s->planes[v]) / lean};
        s->first[v + 1] = (v + 1) * m->joint_count;
        for (uint32_t joint = 0; joint < m->joint_count; ++joint)
        {
            s->list[v * m->joint_count + joint] = make_factor(s, v, joint);
        }
        s->center_rates[2 * v] = pelt_mat3_vector(&s->center_slopes[v], axes[0]);
        s->center_rates[2 * v + 1] = pelt_mat3_vector(&s->center_slopes[v], axes[1]);
    }
    s->factors = (pelt_normal_factors){.vertex_count = m->vertex_count,
                                       .joint_count = m->joint_count,
                                       .factor_count = s->first[m->vertex_count],
                                       .max_factors = m->joint_count,
                                       .first = s->first,
                                       .factors = s->list,
                                       .tangents = s->tangents,
                                       .tilts = s->tilts,
                                       .centers = s->centers,
                                       .center_rates = s->center_rates};
}

static pelt_mat3 random_mat3(test_random* random, float size)
{
    pelt_mat3 out;
    for (int i = 0; i < 9; ++i)
    {
        out.m[i / 3][i % 3] = size * test_uniform(random, -1.0f, 1.0f);
    }
    return out;
}

// Everything within the plane, and nothing left of the sum over joints.
static void fill_slopes(slope_set* s, uint32_t v, test_random* random, float size)
{
    uint32_t count = s->m.joint_count, at = v * count;
    const pelt_weights* weights = &s->m.weights;
    pelt_vec3 n =
        pelt_vec3_normalize(pelt_vec3_mad(s->m.normals[v], size, test_point(random, 0.9f)));
    pelt_vec3 sum = {0};
    float mean_sum = 0.0f;
    pelt_mat3 flat = pelt_mat3_outer(n, n), one = pelt_mat3_identity(), product_sum = {0};
    flat = pelt_mat3_mad(&one, -1.0f, &flat);
    s->planes[v] = n;
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        pelt_mat3 product = random_mat3(random, 0.3f * size);
        product = pelt_mat3_mul(&product, &flat);
        s->products[at + joint] = pelt_mat3_mul(&flat, &product);
        s->gradients[at + joint] = pelt_mat3_vector(&flat, test_point(random, size));
        s->means[at + joint] = size * test_uniform(random, -0.1f, 0.1f) / (float)count;
        mean_sum += s->means[at + joint];
        product_sum = pelt_mat3_mad(&product_sum, 1.0f, &s->products[at + joint]);
        sum = pelt_vec3_add(sum, s->gradients[at + joint]);
    }
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        float part = -1.0f / (float)count;
        s->products[at + joint] = pelt_mat3_mad(&s->products[at + joint], part, &product_sum);
        s->gradients[at + joint] = pelt_vec3_mad(s->gradients[at + joint], part, sum);
        s->means[at + joint] += part * mean_sum;
    }
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
    {
        s->means[at + weights->influences[i].joint] += weights->influences[i].weight;
    }
}

// Joints turned by up to 60 degrees, so that signs are not a toss-up; stretched where wanted.
static slope_set make_slopes(uint64_t seed, float size, bool is_stretched)
{
    test_random random = {seed + 100};
    slope_set s = {.m = mini_random(seed, 200, ORACLE_JOINTS, 3, 60.0f)};
    mini* m = &s.m;
    for (uint32_t joint = 0; is_stretched && joint < m->joint_count; ++joint)
    {
        for (int i = 0; i < 9; ++i)
        {
            m->palette.matrices[joint].m[i / 3][i % 3] += test_uniform(&random, -0.3f, 0.3f);
        }
    }
    mini_pose(m);
    size_t factor_count = m->vertex_count * m->joint_count;
    s.first = allocate(m, m->vertex_count + 1, sizeof *s.first);
    s.list = allocate(m, factor_count, sizeof *s.list);
    s.tangents = allocate(m, m->vertex_count, sizeof *s.tangents);
    s.tilts = allocate(m, m->vertex_count, sizeof *s.tilts);
    s.centers = allocate(m, m->vertex_count, sizeof *s.centers);
    s.center_rates = allocate(m, 2 * m->vertex_count, sizeof *s.center_rates);
    s.planes = allocate(m, m->vertex_count, sizeof *s.planes);
    s.center_slopes = allocate(m, m->vertex_count, sizeof *s.center_slopes);
    s.means = allocate(m, factor_count, sizeof *s.means);
    s.gradients = allocate(m, factor_count, sizeof *s.gradients);
    s.products = allocate(m, factor_count, sizeof *s.products);
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        fill_slopes(&s, v, &random, size);
        s.centers[v] = pelt_vec3_add(m->cors[v], test_point(&random, size));
        s.center_slopes[v] = random_mat3(&random, size);
    }
    write_factors(&s);
    return s;
}

static pelt_surface deform(const slope_set* s, const pelt_deform_options* options)
{
    const mini* m = &s->m;
    pelt_surface out = {allocate(m, m->vertex_count, sizeof *out.positions),
                        allocate(m, m->vertex_count, sizeof *out.normals),
                        allocate(m, m->vertex_count, sizeof *out.tangents)};
    pelt_deform_input input = mini_input(m);
    input.normal_factors = &s->factors;
    pelt_deform(&out, &input, options, (pelt_range){0, m->vertex_count});
    return out;
}

static pelt_surface deform_by(const slope_set* s, pelt_method method, pelt_normal_rule rule)
{
    return deform(s, &(pelt_deform_options){.method = method, .mix = 0.4f, .normal_rule = rule});
}

// ---------------------------------------------------------------------------------------------
// Finite differences

static void copy3(double out[3], pelt_vec3 v)
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static void copy_joint(oracle* o, const pelt_palette* palette, uint32_t joint, float side)
{
    pelt_quat q = pelt_quat_scale(palette->motions[joint].real, side);
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
static void choose_signs(float signs[ORACLE_JOINTS], const mini* m, uint32_t v, pelt_sign_rule rule)
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
        float side = pelt_quat_dot(pivot, motions[joint].real) < 0.0f ? -1.0f : 1.0f;
        signs[joint] = signs[joint] == 0.0f ? side : signs[joint];
    }
}

static oracle oracle_of(const slope_set* s, uint32_t v, const pelt_deform_options* options)
{
    const mini* m = &s->m;
    oracle o = {.mix = (double)0.4f,
                .is_stretched_at_origin = options->scale_pivot == PELT_SCALE_ORIGIN};
    float signs[ORACLE_JOINTS] = {0};
    choose_signs(signs, m, v, options->sign_rule);
    for (uint32_t joint = 0; joint < ORACLE_JOINTS; ++joint)
    {
        uint32_t at = v * m->joint_count + joint;
        copy_joint(&o, &m->palette, joint, signs[joint]);
        copy3(o.slopes[joint], s->gradients[at]);
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
        o.center_slopes[i / 3][i % 3] = (double)s->center_slopes[v].m[i / 3][i % 3];
    }
    return o;
}

// The weights and the centre that derivatives are taken at.
static void take_means(oracle* o, const slope_set* s, uint32_t v)
{
    for (uint32_t joint = 0; joint < ORACLE_JOINTS; ++joint)
    {
        o->weights[joint] = (double)s->means[v * s->m.joint_count + joint];
    }
    copy3(o->center, s->centers[v]);
}

// Length of the sum of quaternions: near zero a blend turns any way, and digits are lost.
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

// What a map makes of a vector: it takes the axes of a vertex to their images, and the normal of
// their plane to that of the images, as much longer as areas are.
static pelt_vec3 map_vector(const slope_set* s, uint32_t v, const pelt_vec3 images[2], float side,
                            pelt_vec3 vector)
{
    pelt_vec3 axes[2], cross = pelt_vec3_cross(images[0], images[1]);
    find_axes(axes, s, v);
    float along = side * pelt_vec3_dot(vector, s->planes[v]) / sqrtf(pelt_vec3_length(cross));
    pelt_vec3 out = pelt_vec3_scale(cross, along);
    out = pelt_vec3_mad(out, pelt_vec3_dot(vector, axes[0]), images[0]);
    return pelt_vec3_mad(out, pelt_vec3_dot(vector, axes[1]), images[1]);
}

// 1e-4, as near as float comes where a cross product is a tenth of its factors; vertices where it
// is less have no direction worth the name.
static int check_derivatives(const slope_set* s, const pelt_deform_options* options,
                             uint32_t* checked)
{
    pelt_surface out = deform(s, options);
    for (uint32_t v = 0; v < s->m.vertex_count; ++v)
    {
        oracle o = oracle_of(s, v, options);
        const double zero[3] = {0};
        double moved[3];
        oracle_move(moved, &o, options->method, zero);
        pelt_vec3 place = pelt_vec3_make((float)moved[0], (float)moved[1], (float)moved[2]);
        ENSURE_POINT(out.positions[v], place, 1e-5);

        take_means(&o, s, v);
        pelt_vec3 axes[2], u = xyz(s->m.tangents[v]), w = pelt_vec3_cross(s->m.normals[v], u);
        find_axes(axes, s, v);
        const pelt_vec3 images[2] = {derivative(&o, options->method, axes[0]),
                                     derivative(&o, options->method, axes[1])};
        float side = out.tangents[v].w * s->m.tangents[v].w;
        pelt_vec3 du = map_vector(s, v, images, side, u), dw = map_vector(s, v, images, side, w);
        pelt_vec3 normal = pelt_vec3_cross(du, dw);
        if (pelt_vec3_length(du) < 0.1f || pelt_vec3_length(normal) < 0.1f ||
            pelt_vec3_length(pelt_vec3_cross(images[0], images[1])) < 0.1f ||
            blend_length(&o) < 0.4)
        {
            continue;
        }
        ENSURE_POINT(xyz(out.tangents[v]), pelt_vec3_normalize(du), 1e-4);
        ENSURE_POINT(out.normals[v], pelt_vec3_scale(pelt_vec3_normalize(normal), side), 1e-4);
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
            slope_set s = make_slopes(seed, 0.5f, false);
            pelt_deform_options options = accurate_by(exact_methods[i]);
            ENSURE(s.m.palette.is_rigid);
            ENSURE(check_derivatives(&s, &options, &checked) == 0);
            mini_free(&s.m);
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
            // Without slopes too: the blend of DQS depends on the place of the vertex then.
            slope_set s = make_slopes(seed, seed == 1 ? 0.0f : 0.5f, true);
            pelt_deform_options options = accurate_by(exact_methods[i / 2]);
            options.scale_pivot = i % 2 ? PELT_SCALE_ORIGIN : PELT_SCALE_LOCAL;
            ENSURE(!s.m.palette.is_rigid);
            ENSURE(check_derivatives(&s, &options, &checked) == 0);
            mini_free(&s.m);
        }
        ENSURE(checked > 800);
    }
    return 0;
}

// Joints turn by up to 170 degrees, so that signs depend on the rule and on the order.
static int derivatives_keep_the_signs_of_the_blend(void)
{
    for (int i = 0; i < 4 * 2; ++i)
    {
        uint32_t checked = 0;
        pelt_deform_options options = accurate_by(exact_methods[i / 2]);
        options.sign_rule = i % 2 ? PELT_SIGN_RUNNING : PELT_SIGN_HEAVIEST;
        slope_set s = make_slopes(7, 0.5f, false);
        test_random random = {7};
        for (uint32_t joint = 0; joint < s.m.joint_count; ++joint)
        {
            pelt_quat turn = test_rotation(&random, 170.0f);
            s.m.palette.matrices[joint] = mini_rigid(turn, test_point(&random, 0.5f));
        }
        mini_pose(&s.m);
        ENSURE(check_derivatives(&s, &options, &checked) == 0);
        ENSURE(checked > 100);
        mini_free(&s.m);
    }
    return 0;
}

// Within 60 degrees of rest all rules choose the same signs, once the palette has them.
static int sign_rules_and_variants_have_the_same_derivative(void)
{
    slope_set s = make_slopes(8, 0.5f, true);
    pelt_surface expected = deform_by(&s, PELT_METHOD_DQS, PELT_NORMAL_ACCURATE);
    for (int i = 0; i < 6; ++i)
    {
        pelt_deform_options options = {.method = PELT_METHOD_DQS,
                                       .sign_rule = (pelt_sign_rule)(i % 4),
                                       .dqs_variant = (pelt_dqs_variant)(i < 4 ? 0 : i - 3),
                                       .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_surface out = deform(&s, &options);
        ENSURE(mini_distance(out.normals, expected.normals, s.m.vertex_count) < 1e-4);
    }
    mini_free(&s.m);
    return 0;
}

// Signs as they stand, by the rule or by the variant, are the same ones; here every third is
// turned.
static int signs_of_the_hierarchy_stay_in_the_derivative(void)
{
    slope_set s = make_slopes(8, 0.5f, true);
    for (uint32_t joint = 0; joint < s.m.joint_count; joint += 3)
    {
        s.m.palette.motions[joint] = pelt_dquat_scale(s.m.palette.motions[joint], -1.0f);
    }
    pelt_deform_options options = {.method = PELT_METHOD_DQS,
                                   .dqs_variant = PELT_DQS_BASIC,
                                   .normal_rule = PELT_NORMAL_ACCURATE};
    pelt_surface basic = deform(&s, &options);
    options.dqs_variant = PELT_DQS_ANTIPODAL;
    pelt_surface heaviest = deform(&s, &options);
    options.sign_rule = PELT_SIGN_HIERARCHY;
    pelt_surface wound = deform(&s, &options);
    ENSURE(mini_distance(wound.normals, basic.normals, s.m.vertex_count) < 1e-6);
    ENSURE(mini_distance(wound.normals, heaviest.normals, s.m.vertex_count) > 0.1);
    mini_free(&s.m);
    return 0;
}

// q and -q are one rotation, in the rates as in the blend.
static int signs_in_the_palette_do_not_show(void)
{
    slope_set s = make_slopes(9, 0.5f, false);
    for (uint32_t i = 0; i < 12; ++i)
    {
        pelt_deform_options options = {.method = exact_methods[i % 4],
                                       .sign_rule = (pelt_sign_rule)(i / 4),
                                       .mix = 0.5f,
                                       .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_surface before = deform(&s, &options);
        s.m.palette.motions[i % 8] = pelt_dquat_scale(s.m.palette.motions[i % 8], -1.0f);
        pelt_surface after = deform(&s, &options);
        ENSURE(mini_distance(before.normals, after.normals, s.m.vertex_count) < 2e-5);
    }
    mini_free(&s.m);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Rules

// To the last bit, but where DQS meets stretches: its standard map is no derivative there.
static int constant_weights_make_accurate_standard(void)
{
    for (int is_stretched = 0; is_stretched < 2; ++is_stretched)
    {
        slope_set s = make_slopes(10, 0.0f, is_stretched);
        for (int i = 0; i < 4; ++i)
        {
            pelt_method method = exact_methods[i];
            bool has_dqs = method == PELT_METHOD_DQS || method == PELT_METHOD_MIX;
            pelt_surface a = deform_by(&s, method, PELT_NORMAL_STANDARD);
            pelt_surface b = deform_by(&s, method, PELT_NORMAL_ACCURATE);
            pelt_surface c = deform_by(&s, method, PELT_NORMAL_PAPER);
            ENSURE(mini_distance(a.normals, c.normals, s.m.vertex_count) < 1e-6);
            ENSURE((is_stretched && has_dqs) ||
                   mini_distance(a.normals, b.normals, s.m.vertex_count) < 1e-6);
        }
        mini_free(&s.m);
    }
    return 0;
}

static int missing_factors_and_other_methods_are_standard(void)
{
    slope_set s = make_slopes(11, 0.5f, true);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        bool is_exact = method < PELT_METHOD_LMS;
        pelt_surface standard = deform_by(&s, method, PELT_NORMAL_STANDARD);
        for (pelt_normal_rule rule = 1; rule < PELT_NORMAL_RULE_COUNT; ++rule)
        {
            pelt_surface with = deform_by(&s, method, rule);
            pelt_surface without = mini_deform(
                &s.m, &(pelt_deform_options){.method = method, .mix = 0.4f, .normal_rule = rule});
            size_t size = s.m.vertex_count * sizeof *with.normals;
            ENSURE(memcmp(without.normals, standard.normals, size) == 0);
            ENSURE((memcmp(with.normals, standard.normals, size) == 0) == !is_exact);
            ENSURE(memcmp(with.positions, standard.positions, size) == 0);
        }
    }
    mini_free(&s.m);
    return 0;
}

// What the paper does not know: how weights change within a triangle.
static void shrink_triangles(slope_set* s)
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
    slope_set s = make_slopes(12, 2.0f, true);
    shrink_triangles(&s);
    for (uint32_t i = 0; i < s.m.vertex_count * s.m.joint_count; ++i)
    {
        pelt_vec3 n = s.m.normals[i / s.m.joint_count], *g = &s.gradients[i];
        *g = pelt_vec3_mad(*g, -pelt_vec3_dot(*g, n), n);
    }
    write_factors(&s);
    pelt_deform_options options = {.normal_rule = PELT_NORMAL_PAPER, .normal_clamp = -1.0f};
    pelt_surface paper = deform(&s, &options);
    pelt_surface exact = deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE);
    // Slopes of 2 per metre: cross products of long vectors, that float rounds.
    ENSURE(mini_distance(paper.normals, exact.normals, s.m.vertex_count) < 1e-4);
    pelt_surface limited = deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_PAPER);
    ENSURE(mini_distance(limited.normals, exact.normals, s.m.vertex_count) > 0.1);
    mini_free(&s.m);
    return 0;
}

// Of a joint with half the weight, over triangles so small that it hardly changes.
static pelt_normal_factor half_factor(uint32_t joint, float alpha, float beta)
{
    return (pelt_normal_factor){joint, 0.5f, alpha, beta, {{0.5f, 0.0f}, {0.0f, 0.5f}}};
}

// Of a vertex with two joints, whose tangent is x and whose normal is that of its triangles.
static pelt_normal_factors factors_of_one(const uint32_t first[2], const pelt_normal_factor list[2])
{
    static const pelt_vec3 tangent = {1.0f, 0.0f, 0.0f};
    static const pelt_vec2 tilt = {0.0f, 0.0f};
    return (pelt_normal_factors){1, 2, 2, 2, first, list, &tangent, &tilt, NULL, NULL};
}

// One vertex on a plane, weights that change by 1 per metre along x, and a joint that is pulled up:
// the plane tilts to slope `height`. The paper never goes beyond 0.9, whatever the size of the
// pose.
static int paper_limits_corrections(void)
{
    mini m = mini_make(1, 2, 2);
    m.joints[1] = 1;
    m.raw_weights[0] = m.raw_weights[1] = 0.5f;
    mini_bind(&m);
    const uint32_t first[2] = {0, 2};
    const pelt_normal_factor list[2] = {half_factor(0, -1.0f, 0.0f), half_factor(1, 1.0f, 0.0f)};
    slope_set s = {.m = m, .factors = factors_of_one(first, list)};
    const float heights[] = {0.5f, 3.0f}, limits[] = {0.0f, 2.0f, -1.0f};
    const float slopes[2][3] = {{0.5f, 0.5f, 0.5f}, {0.9f, 2.0f, 3.0f}};
    for (int i = 0; i < 6; ++i)
    {
        float size = i % 2 ? 1.0f : 100.0f;
        pelt_mat34 scale = {{{size, 0, 0, 0}, {0, size, 0, 0}, {0, 0, size, 0}}};
        m.palette.matrices[0] = m.palette.matrices[1] = scale;
        m.palette.matrices[1].m[1][3] = size * heights[i / 3];
        mini_pose(&s.m);
        pelt_deform_options options = {.method = i / 2 == 1 ? PELT_METHOD_LBS : PELT_METHOD_DQS,
                                       .normal_rule = PELT_NORMAL_PAPER,
                                       .normal_clamp = limits[i % 3]};
        pelt_vec3 expected = pelt_vec3_normalize(pelt_vec3_make(-slopes[i / 3][i % 3], 1.0f, 0.0f));
        ENSURE_POINT(deform(&s, &options).normals[0], expected, 1e-6);
    }
    mini_free(&m);
    return 0;
}

// Section 4.5 of the paper, for one vertex by hand: the tangent is turned by the mean rotation, and
// the joints pull by their rates.
static int paper_rotates_frames_and_pulls_for_dqs(void)
{
    mini m = mini_twist(0.0f, 1.0f); // at (1, 0, 0), normal y, tangent x
    const uint32_t first[2] = {0, 2};
    const pelt_normal_factor list[2] = {half_factor(0, 0.1f, 0.2f), half_factor(1, -0.1f, -0.2f)};
    slope_set s = {.m = m, .factors = factors_of_one(first, list)};
    pelt_surface out = deform_by(&s, PELT_METHOD_DQS, PELT_NORMAL_PAPER);
    pelt_vec3 pull = {1.0f - cosf(1.0f), -sinf(1.0f), 0.0f};
    pelt_vec3 u = pelt_vec3_mad(pelt_vec3_make(cosf(0.5f), sinf(0.5f), 0.0f), 0.1f, pull);
    pelt_vec3 w = pelt_vec3_mad(pelt_vec3_make(0.0f, 0.0f, -1.0f), 0.2f, pull);
    ENSURE_POINT(xyz(out.tangents[0]), pelt_vec3_normalize(u), 1e-6);
    ENSURE_POINT(out.normals[0], pelt_vec3_normalize(pelt_vec3_cross(u, w)), 1e-6);
    mini_free(&m);
    return 0;
}

// Without normals there is no plane along which weights could change.
static int tangents_alone_are_standard(void)
{
    slope_set s = make_slopes(17, 0.5f, false);
    pelt_surface standard = deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_STANDARD);
    pelt_surface out = deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE);
    pelt_deform_input input = mini_input(&s.m);
    input.normals = NULL;
    input.normal_factors = &s.factors;
    pelt_deform_options options = {.normal_rule = PELT_NORMAL_ACCURATE};
    pelt_deform(&out, &input, &options, (pelt_range){0, s.m.vertex_count});
    size_t size = s.m.vertex_count * sizeof *out.tangents;
    ENSURE(memcmp(out.tangents, standard.tangents, size) == 0);
    mini_free(&s.m);
    return 0;
}

// A shape turns the normal, about the second direction of the frame: the first turns with it. One
// joint is moved by d, so that the map is I + d g^T and n becomes n - g (d . n) / (1 + d . g).
static int directions_follow_normals_that_shapes_turn(void)
{
    mini m = mini_make(1, 2, 2); // normal y, tangent x
    m.joints[1] = 1;
    m.raw_weights[0] = m.raw_weights[1] = 0.5f;
    mini_bind(&m);
    const uint32_t first[2] = {0, 2};
    const pelt_normal_factor list[2] = {half_factor(0, -0.6f, 0.3f), half_factor(1, 0.6f, -0.3f)};
    const pelt_vec3 z = {0.0f, 0.0f, 1.0f}, d = {0.2f, 0.9f, -0.4f};
    slope_set s = {.m = m, .factors = factors_of_one(first, list)};
    m.palette.matrices[1] = mini_rigid(pelt_quat_identity(), d);
    mini_pose(&s.m);
    for (float angle = -1.2f; angle < 1.3f; angle += 0.4f)
    {
        pelt_quat turn = pelt_quat_axis_angle(z, angle);
        pelt_vec3 n = pelt_quat_rotate(turn, pelt_vec3_make(0.0f, 1.0f, 0.0f));
        // The second direction is cross(y, x) = -z.
        pelt_vec3 g = pelt_vec3_mad(pelt_quat_rotate(turn, pelt_vec3_make(0.6f, 0, 0)), 0.3f, z);
        m.normals[0] = n;
        pelt_surface out = deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE);
        float lean = pelt_vec3_dot(d, n) / (1.0f + pelt_vec3_dot(d, g));
        ENSURE_POINT(out.normals[0], pelt_vec3_normalize(pelt_vec3_mad(n, -lean, g)), 1e-5);
    }
    mini_free(&m);
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

static void mirror_all(slope_set* s)
{
    mini* m = &s->m;
    const pelt_mat34 g = {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    mini_move(m, &g);
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        m->normals[v].x = -m->normals[v].x;
        m->tangents[v].x = -m->tangents[v].x;
        m->tangents[v].w = -m->tangents[v].w;
        s->planes[v].x = -s->planes[v].x;
        s->centers[v].x = -s->centers[v].x;
        s->center_slopes[v] = mirrored(&s->center_slopes[v]);
        for (uint32_t joint = 0; joint < m->joint_count; ++joint)
        {
            uint32_t at = v * m->joint_count + joint;
            s->gradients[at].x *= -1.0f;
            s->products[at] = mirrored(&s->products[at]);
        }
    }
    write_factors(s);
}

static int mirrored_world_has_mirrored_normals(void)
{
    for (int i = 0; i < 8; ++i)
    {
        slope_set s = make_slopes(13, 0.5f, i % 2), twin = make_slopes(13, 0.5f, i % 2);
        mirror_all(&twin);
        for (pelt_normal_rule rule = 1; rule < PELT_NORMAL_RULE_COUNT; ++rule)
        {
            pelt_surface a = deform_by(&s, exact_methods[i / 2], rule);
            pelt_surface b = deform_by(&twin, exact_methods[i / 2], rule);
            for (uint32_t v = 0; v < s.m.vertex_count; ++v)
            {
                pelt_vec3 n = a.normals[v], t = xyz(a.tangents[v]);
                ENSURE_POINT(b.normals[v], pelt_vec3_make(-n.x, n.y, n.z), 1e-4);
                ENSURE_POINT(xyz(b.tangents[v]), pelt_vec3_make(-t.x, t.y, t.z), 1e-4);
                ENSURE(b.tangents[v].w == -a.tangents[v].w);
            }
        }
        mini_free(&s.m);
        mini_free(&twin.m);
    }
    return 0;
}

// A pose that is mirrored as a whole: the surface and its outside are the mirror image.
static int mirrored_pose_has_mirrored_normals(void)
{
    const pelt_mat34 g = {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (int i = 0; i < 4; ++i)
    {
        slope_set s = make_slopes(14, 0.3f, false), twin = make_slopes(14, 0.3f, false);
        for (uint32_t joint = 0; joint < twin.m.joint_count; ++joint)
        {
            pelt_mat34* matrix = &twin.m.palette.matrices[joint];
            *matrix = pelt_mat34_mul(&g, matrix);
        }
        mini_pose(&twin.m);
        pelt_surface a = deform_by(&s, exact_methods[i], PELT_NORMAL_ACCURATE);
        pelt_surface b = deform_by(&twin, exact_methods[i], PELT_NORMAL_ACCURATE);
        for (uint32_t v = 0; v < s.m.vertex_count; ++v)
        {
            pelt_vec3 n = a.normals[v];
            ENSURE_POINT(b.normals[v], pelt_vec3_make(-n.x, n.y, n.z), 1e-4);
            ENSURE(b.tangents[v].w == -a.tangents[v].w);
        }
        mini_free(&s.m);
        mini_free(&twin.m);
    }
    return 0;
}

static int joints_scaled_to_nothing_stay_finite(void)
{
    const float scales[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, -1, 1}, {1e-30f, 1, 1}};
    for (int i = 0; i < 5 * 4; ++i)
    {
        slope_set s = make_slopes(15, i % 2 ? 0.5f : 50.0f, false);
        const float* k = scales[i / 4];
        pelt_mat34 flat = {{{k[0], 0, 0, 0}, {0, k[1], 0, 0}, {0, 0, k[2], 0}}};
        for (uint32_t joint = i % 3 ? 4 : 0; joint < s.m.joint_count; ++joint)
        {
            pelt_mat34* matrix = &s.m.palette.matrices[joint];
            *matrix = pelt_mat34_mul(matrix, &flat);
        }
        mini_pose(&s.m);
        for (int rule = 0; rule < PELT_NORMAL_RULE_COUNT; ++rule)
        {
            pelt_surface out = deform_by(&s, exact_methods[i % 4], (pelt_normal_rule)rule);
            for (uint32_t v = 0; v < s.m.vertex_count; ++v)
            {
                ENSURE_NEAR(pelt_vec3_length(out.normals[v]), 1.0, 1e-5);
                ENSURE_NEAR(pelt_vec3_length(xyz(out.tangents[v])), 1.0, 1e-5);
            }
        }
        mini_free(&s.m);
    }
    return 0;
}

static int splitting_the_work_does_not_show(void)
{
    slope_set s = make_slopes(16, 0.5f, true);
    for (int i = 0; i < 4; ++i)
    {
        pelt_deform_options options = {
            .method = exact_methods[i], .mix = 0.4f, .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_surface whole = deform(&s, &options), pieces = deform(&s, &options);
        size_t count = s.m.vertex_count;
        memset(pieces.normals, 0, count * sizeof *pieces.normals);
        pelt_deform_input input = mini_input(&s.m);
        input.normal_factors = &s.factors;
        for (uint32_t first = 0; first < count; first += 37)
        {
            uint32_t left = (uint32_t)count - first;
            pelt_deform(&pieces, &input, &options, (pelt_range){first, left < 37 ? left : 37});
        }
        ENSURE(memcmp(whole.normals, pieces.normals, count * sizeof *whole.normals) == 0);
        ENSURE(memcmp(whole.tangents, pieces.tangents, count * sizeof *whole.tangents) == 0);
    }
    mini_free(&s.m);
    return 0;
}

// Shapes are added into the output, and skinning then works on it in place.
static int output_may_be_the_input(void)
{
    slope_set s = make_slopes(18, 0.5f, true);
    mini* m = &s.m;
    for (int i = 0; i < 4; ++i)
    {
        pelt_deform_options options = {
            .method = exact_methods[i], .mix = 0.4f, .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_surface expected = deform(&s, &options), inout = deform(&s, &options);
        memcpy(inout.positions, m->positions, m->vertex_count * sizeof *inout.positions);
        memcpy(inout.normals, m->normals, m->vertex_count * sizeof *inout.normals);
        memcpy(inout.tangents, m->tangents, m->vertex_count * sizeof *inout.tangents);
        pelt_deform_input input = mini_input(m);
        input.positions = inout.positions;
        input.normals = inout.normals;
        input.tangents = inout.tangents;
        input.normal_factors = &s.factors;
        pelt_deform(&inout, &input, &options, (pelt_range){0, m->vertex_count});
        size_t size = m->vertex_count * sizeof *inout.normals;
        ENSURE(memcmp(inout.normals, expected.normals, size) == 0);
        ENSURE(memcmp(inout.positions, expected.positions, size) == 0);
    }
    mini_free(m);
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
    RUN(derivatives_are_those_of_finite_differences);
    RUN(derivatives_are_those_of_finite_differences_where_joints_stretch);
    RUN(derivatives_keep_the_signs_of_the_blend);
    RUN(sign_rules_and_variants_have_the_same_derivative);
    RUN(signs_of_the_hierarchy_stay_in_the_derivative);
    RUN(signs_in_the_palette_do_not_show);
    RUN(constant_weights_make_accurate_standard);
    RUN(missing_factors_and_other_methods_are_standard);
    RUN(paper_is_accurate_for_lbs_without_its_limit);
    RUN(paper_limits_corrections);
    RUN(paper_rotates_frames_and_pulls_for_dqs);
    RUN(tangents_alone_are_standard);
    RUN(directions_follow_normals_that_shapes_turn);
    RUN(mirrored_world_has_mirrored_normals);
    RUN(mirrored_pose_has_mirrored_normals);
    RUN(joints_scaled_to_nothing_stay_finite);
    RUN(splitting_the_work_does_not_show);
    RUN(output_may_be_the_input);
    RUN(rules_have_names);
}
