// SPDX-License-Identifier: MIT
// Normals and tangents by the derivative of each method at single vertices, against finite
// differences in double precision.
#include "mini.h"
#include "skin_oracle.h"

#include <stdlib.h>
#include <string.h>

static const pelt_method exact_methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                            PELT_METHOD_CRS};

// A mini with random rates on top: those of the influences and of one more joint.
typedef struct slope_set
{
    mini m;
    pelt_normal_factors factors;
    uint32_t* first;
    pelt_normal_factor* list;
    pelt_vec3* tangents;
    pelt_vec3* center_rates;
    pelt_vec3* gradients; // joint_count for each vertex
    pelt_mat3* center_slopes;
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

// Factors of the gradients, in frames that begin with the tangents. All joints get an entry.
static void write_factors(slope_set* s)
{
    const mini* m = &s->m;
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        pelt_vec4 t = m->tangents[v];
        pelt_vec3 u = pelt_vec3_make(t.x, t.y, t.z), w = pelt_vec3_cross(m->normals[v], u);
        s->tangents[v] = u;
        s->first[v + 1] = (v + 1) * m->joint_count;
        for (uint32_t joint = 0; joint < m->joint_count; ++joint)
        {
            pelt_vec3 g = s->gradients[v * m->joint_count + joint];
            s->list[v * m->joint_count + joint] =
                (pelt_normal_factor){joint, pelt_vec3_dot(g, u), pelt_vec3_dot(g, w)};
        }
        s->center_rates[2 * v] = pelt_mat3_vector(&s->center_slopes[v], u);
        s->center_rates[2 * v + 1] = pelt_mat3_vector(&s->center_slopes[v], w);
    }
    s->factors = (pelt_normal_factors){m->vertex_count, m->joint_count, s->first[m->vertex_count],
                                       m->joint_count,  s->first,       s->list,
                                       s->tangents,     s->center_rates};
}

// Gradients across the normal that sum to zero.
static void fill_gradients(slope_set* s, uint32_t v, test_random* random, float size)
{
    const mini* m = &s->m;
    pelt_vec3* gradients = s->gradients + v * m->joint_count;
    pelt_vec3 n = m->normals[v], sum = {0};
    for (uint32_t joint = 0; joint < m->joint_count; ++joint)
    {
        pelt_vec3 g = test_point(random, size);
        gradients[joint] = pelt_vec3_mad(g, -pelt_vec3_dot(g, n), n);
        sum = pelt_vec3_add(sum, gradients[joint]);
    }
    for (uint32_t joint = 0; joint < m->joint_count; ++joint)
    {
        gradients[joint] = pelt_vec3_mad(gradients[joint], -1.0f / (float)m->joint_count, sum);
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
    s.first = allocate(m, m->vertex_count + 1, sizeof *s.first);
    s.list = allocate(m, m->vertex_count * m->joint_count, sizeof *s.list);
    s.tangents = allocate(m, m->vertex_count, sizeof *s.tangents);
    s.center_rates = allocate(m, 2 * m->vertex_count, sizeof *s.center_rates);
    s.gradients = allocate(m, m->vertex_count * m->joint_count, sizeof *s.gradients);
    s.center_slopes = allocate(m, m->vertex_count, sizeof *s.center_slopes);
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        fill_gradients(&s, v, &random, size);
        for (int i = 0; i < 9; ++i)
        {
            s.center_slopes[v].m[i / 3][i % 3] = size * test_uniform(&random, -1.0f, 1.0f);
        }
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

static pelt_vec3 xyz(pelt_vec4 t)
{
    return pelt_vec3_make(t.x, t.y, t.z);
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

static oracle oracle_of(const slope_set* s, uint32_t v, pelt_sign_rule rule)
{
    const mini* m = &s->m;
    oracle o = {.mix = (double)0.4f};
    float signs[ORACLE_JOINTS] = {0};
    choose_signs(signs, m, v, rule);
    for (uint32_t joint = 0; joint < ORACLE_JOINTS; ++joint)
    {
        copy_joint(&o, &m->palette, joint, signs[joint]);
        copy3(o.slopes[joint], s->gradients[v * m->joint_count + joint]);
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

// 1e-4, as near as float comes where a cross product is a tenth of its factors; vertices where it
// is less have no direction worth the name.
static int check_derivatives(const slope_set* s, pelt_method method, pelt_sign_rule rule,
                             uint32_t* checked)
{
    pelt_surface out = deform(s, &(pelt_deform_options){.method = method,
                                                        .sign_rule = rule,
                                                        .mix = 0.4f,
                                                        .normal_rule = PELT_NORMAL_ACCURATE});
    for (uint32_t v = 0; v < s->m.vertex_count; ++v)
    {
        oracle o = oracle_of(s, v, rule);
        const double zero[3] = {0};
        double moved[3];
        oracle_move(moved, &o, method, zero);
        pelt_vec3 place = pelt_vec3_make((float)moved[0], (float)moved[1], (float)moved[2]);
        ENSURE_POINT(out.positions[v], place, 1e-5);

        pelt_vec3 u = xyz(s->m.tangents[v]), w = pelt_vec3_cross(s->m.normals[v], u);
        pelt_vec3 du = derivative(&o, method, u), dw = derivative(&o, method, w);
        pelt_vec3 normal = pelt_vec3_cross(du, dw);
        if (pelt_vec3_length(du) < 0.1f || pelt_vec3_length(normal) < 0.1f ||
            blend_length(&o) < 0.4)
        {
            continue;
        }
        float side = out.tangents[v].w * s->m.tangents[v].w;
        ENSURE_POINT(xyz(out.tangents[v]), pelt_vec3_normalize(du), 1e-4);
        ENSURE_POINT(out.normals[v], pelt_vec3_scale(pelt_vec3_normalize(normal), side), 1e-4);
        ++*checked;
    }
    return 0;
}

static int derivatives_are_those_of_finite_differences(void)
{
    for (uint32_t i = 0; i < 4; ++i)
    {
        uint32_t checked = 0;
        for (uint64_t seed = 1; seed <= 5; ++seed)
        {
            slope_set s = make_slopes(seed, 0.5f, false);
            ENSURE(s.m.palette.is_rigid);
            ENSURE(check_derivatives(&s, exact_methods[i], PELT_SIGN_HEAVIEST, &checked) == 0);
            mini_free(&s.m);
        }
        ENSURE(checked > 800);
    }
    return 0;
}

static int derivatives_are_those_of_finite_differences_where_joints_stretch(void)
{
    for (uint32_t i = 0; i < 4; ++i)
    {
        uint32_t checked = 0;
        for (uint64_t seed = 1; seed <= 5; ++seed)
        {
            // Without slopes too: the blend of DQS depends on the place of the vertex then.
            slope_set s = make_slopes(seed, seed == 1 ? 0.0f : 0.5f, true);
            ENSURE(!s.m.palette.is_rigid);
            ENSURE(check_derivatives(&s, exact_methods[i], PELT_SIGN_HEAVIEST, &checked) == 0);
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
        pelt_sign_rule rule = i % 2 ? PELT_SIGN_RUNNING : PELT_SIGN_HEAVIEST;
        slope_set s = make_slopes(7, 0.5f, false);
        test_random random = {7};
        for (uint32_t joint = 0; joint < s.m.joint_count; ++joint)
        {
            pelt_quat turn = test_rotation(&random, 170.0f);
            s.m.palette.matrices[joint] = mini_rigid(turn, test_point(&random, 0.5f));
        }
        mini_pose(&s.m);
        ENSURE(check_derivatives(&s, exact_methods[i / 2], rule, &checked) == 0);
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

static int paper_is_accurate_for_lbs_without_its_limit(void)
{
    slope_set s = make_slopes(12, 2.0f, true);
    pelt_deform_options options = {.normal_rule = PELT_NORMAL_PAPER, .normal_clamp = -1.0f};
    pelt_surface paper = deform(&s, &options);
    pelt_surface exact = deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE);
    ENSURE(mini_distance(paper.normals, exact.normals, s.m.vertex_count) < 1e-6);
    pelt_surface limited = deform_by(&s, PELT_METHOD_LBS, PELT_NORMAL_PAPER);
    ENSURE(mini_distance(limited.normals, exact.normals, s.m.vertex_count) > 0.1);
    mini_free(&s.m);
    return 0;
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
    const pelt_normal_factor list[2] = {{0, -1.0f, 0.0f}, {1, 1.0f, 0.0f}};
    const pelt_vec3 tangent = {1.0f, 0.0f, 0.0f};
    slope_set s = {.m = m, .factors = {1, 2, 2, 2, first, list, &tangent, NULL}};
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
    const pelt_normal_factor list[2] = {{0, 0.1f, 0.2f}, {1, -0.1f, -0.2f}};
    const pelt_vec3 tangent = {1.0f, 0.0f, 0.0f};
    slope_set s = {.m = m, .factors = {1, 2, 2, 2, first, list, &tangent, NULL}};
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
    const pelt_normal_factor list[2] = {{0, -0.6f, 0.3f}, {1, 0.6f, -0.3f}};
    const pelt_vec3 tangent = {1.0f, 0.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f}, d = {0.2f, 0.9f, -0.4f};
    slope_set s = {.m = m, .factors = {1, 2, 2, 2, first, list, &tangent, NULL}};
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

static void mirror_all(slope_set* s)
{
    mini* m = &s->m;
    const pelt_mat34 g = {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    const pelt_mat3 flip = pelt_mat34_linear(&g);
    mini_move(m, &g);
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        m->normals[v].x = -m->normals[v].x;
        m->tangents[v].x = -m->tangents[v].x;
        m->tangents[v].w = -m->tangents[v].w;
        pelt_mat3 slopes = pelt_mat3_mul(&s->center_slopes[v], &flip);
        s->center_slopes[v] = pelt_mat3_mul(&flip, &slopes);
        for (uint32_t joint = 0; joint < m->joint_count; ++joint)
        {
            s->gradients[v * m->joint_count + joint].x *= -1.0f;
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
