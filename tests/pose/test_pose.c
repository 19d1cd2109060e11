// SPDX-License-Identifier: MIT
// Poses: time, blending, changes to single joints, and the way to the model.
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_NODES = 200
};

// A chain: node i hangs on node i - 1, one meter along its x axis.
typedef struct chain
{
    pelt_node nodes[MAX_NODES];
    pelt_scene scene;
    pelt_pose pose;
} chain;

static chain* make_chain(uint32_t count)
{
    chain* c = calloc(1, sizeof *c);
    for (uint32_t i = 0; i < count; ++i)
    {
        c->nodes[i] = (pelt_node){"node", i - 1, pelt_transform_identity()};
        c->nodes[i].rest.translation.x = i > 0 ? 1.0f : 0.0f;
    }
    c->nodes[0].parent = PELT_NONE;
    c->scene = (pelt_scene){.node_count = count, .nodes = c->nodes};
    return pelt_pose_create(&c->pose, &c->scene) == PELT_OK ? c : NULL;
}

static void free_chain(chain* c)
{
    pelt_pose_destroy(&c->pose);
    free(c);
}

static pelt_vec3 origin_of(const chain* c, uint32_t node)
{
    static pelt_mat34 model_from_node[MAX_NODES];
    pelt_pose_to_model(model_from_node, &c->scene, &c->pose);
    return pelt_mat34_translation(&model_from_node[node]);
}

static pelt_vec3 axis_of(const chain* c, uint32_t node, pelt_vec3 local)
{
    static pelt_mat34 model_from_node[MAX_NODES];
    pelt_pose_to_model(model_from_node, &c->scene, &c->pose);
    pelt_mat3 linear = pelt_mat34_linear(&model_from_node[node]);
    return pelt_mat3_vector(&linear, local);
}

static const pelt_vec3 none = {0, 0, 0}, x_axis = {1, 0, 0}, y_axis = {0, 1, 0}, z_axis = {0, 0, 1};

// Nodes are taken four at a time, some of them as a rest of four.
static int frames_are_products_of_local_matrices(void)
{
    chain* c = make_chain(11);
    ENSURE(c != NULL);
    test_random random = {5};
    pelt_mat34 frames[11], expected[11];
    for (uint32_t i = 0; i < 11; ++i)
    {
        c->nodes[i].parent = i % 5 == 0 ? PELT_NONE : i - 1 - i % 2;
        float* floats = &c->pose.locals[i].translation.x;
        for (uint32_t k = 0; k < sizeof(pelt_transform) / sizeof(float); ++k)
        {
            floats[k] = test_uniform(&random, -2.0f, 2.0f);
        }
    }
    for (c->scene.node_count = 1; c->scene.node_count <= 11; ++c->scene.node_count)
    {
        c->pose.node_count = c->scene.node_count;
        pelt_pose_to_model(frames, &c->scene, &c->pose);
        for (uint32_t i = 0; i < c->scene.node_count; ++i)
        {
            uint32_t parent = c->nodes[i].parent;
            pelt_mat34 local = pelt_mat34_from_transform(c->pose.locals[i]);
            expected[i] = parent == PELT_NONE ? local : pelt_mat34_mul(&expected[parent], &local);
            for (uint32_t k = 0; k < 12; ++k)
            {
                // Equal but where the compiler of this test fuses products with sums.
                float value = expected[i].m[k / 4][k % 4];
                ENSURE_NEAR(frames[i].m[k / 4][k % 4], value, 2e-5f * (1.0f + fabsf(value)));
            }
        }
    }
    c->scene.node_count = c->pose.node_count = 11;
    free_chain(c);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Time

// x is the time itself, from 0 to 4 seconds.
static float time_seen(float duration, float time, pelt_wrap wrap)
{
    static const float times[2] = {0.0f, 4.0f}, values[6] = {0, 0, 0, 4, 0, 0};
    pelt_track track = {0, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, 2, 3, times, values};
    pelt_clip clip = {"clip", duration, 1, &track};
    chain* c = make_chain(1);
    pelt_pose_sample(&c->pose, &c->scene, &clip, time, wrap);
    float x = c->pose.locals[0].translation.x;
    free_chain(c);
    return x;
}

static int loop_is_time_modulo_duration(void)
{
    for (int round = -3; round <= 3; ++round)
    {
        ENSURE_NEAR(time_seen(4.0f, 1.25f + 4.0f * (float)round, PELT_WRAP_LOOP), 1.25, 1e-6);
    }
    ENSURE(time_seen(4.0f, 4.0f, PELT_WRAP_LOOP) == 0.0f);
    ENSURE_NEAR(time_seen(4.0f, -0.5f, PELT_WRAP_LOOP), 3.5, 1e-6);
    // Large times that float still holds exactly.
    ENSURE_NEAR(time_seen(4.0f, 4000001.0f, PELT_WRAP_LOOP), 1.0, 1e-6);
    ENSURE_NEAR(time_seen(4.0f, -4000001.0f, PELT_WRAP_LOOP), 3.0, 1e-6);
    float far = time_seen(4.0f, 3e38f, PELT_WRAP_LOOP);
    ENSURE(far >= 0.0f && far <= 4.0f);
    return 0;
}

static int clamp_holds_the_ends(void)
{
    ENSURE(time_seen(4.0f, -7.0f, PELT_WRAP_CLAMP) == 0.0f);
    ENSURE(time_seen(4.0f, 9.0f, PELT_WRAP_CLAMP) == 4.0f);
    ENSURE(time_seen(4.0f, 4.0f, PELT_WRAP_CLAMP) == 4.0f);
    ENSURE_NEAR(time_seen(4.0f, 2.5f, PELT_WRAP_CLAMP), 2.5, 1e-6);
    return 0;
}

static int clip_of_no_duration_shows_its_start(void)
{
    ENSURE(time_seen(0.0f, 3.0f, PELT_WRAP_LOOP) == 0.0f);
    ENSURE(time_seen(0.0f, 3.0f, PELT_WRAP_CLAMP) == 0.0f);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Blending

static int transforms_blend_on_a_line_and_an_arc(void)
{
    pelt_transform a = {{1, 2, 3}, pelt_quat_axis_angle(z_axis, 0.5f), {1, 1, 1}};
    pelt_transform b = {{3, 2, -1}, pelt_quat_axis_angle(z_axis, 1.5f), {2, -1, 0}};
    pelt_transform m = pelt_transform_blend(a, b, 0.25f);
    ENSURE_POINT(m.translation, pelt_vec3_make(1.5f, 2.0f, 2.0f), 1e-6);
    ENSURE_POINT(m.scale, pelt_vec3_make(1.25f, 0.5f, 0.75f), 1e-6);
    ENSURE_NEAR(pelt_quat_dot(m.rotation, pelt_quat_axis_angle(z_axis, 0.75f)), 1.0, 3e-7);
    return 0;
}

static void randomize(pelt_pose* pose, uint64_t seed)
{
    test_random random = {seed};
    for (uint32_t i = 0; i < pose->node_count; ++i)
    {
        pose->locals[i].rotation = test_rotation(&random, 170.0f);
        pose->locals[i].translation = test_point(&random, 1.0f);
    }
}

static float quat_distance(pelt_quat a, pelt_quat b)
{
    float sign = pelt_quat_dot(a, b) < 0.0f ? 1.0f : -1.0f;
    pelt_quat d = pelt_quat_add(a, pelt_quat_scale(b, sign));
    return sqrtf(pelt_quat_dot(d, d));
}

static int blend_has_its_ends_and_no_favorite(void)
{
    chain *a = make_chain(50), *b = make_chain(50), *ab = make_chain(50), *ba = make_chain(50);
    randomize(&a->pose, 1);
    randomize(&b->pose, 2);
    for (int step = 0; step <= 4; ++step)
    {
        float f = 0.25f * (float)step;
        pelt_pose_blend(&ab->pose, &a->pose, &b->pose, f);
        pelt_pose_blend(&ba->pose, &b->pose, &a->pose, 1.0f - f);
        for (uint32_t i = 0; i < 50; ++i)
        {
            pelt_transform x = ab->pose.locals[i], y = ba->pose.locals[i];
            ENSURE_POINT(x.translation, y.translation, 2e-7);
            ENSURE_NEAR(quat_distance(x.rotation, y.rotation), 0.0, 5e-7);
            const pelt_transform* end = step == 0 ? &a->pose.locals[i] : &b->pose.locals[i];
            ENSURE(step % 4 != 0 || pelt_vec3_distance(x.translation, end->translation) == 0.0f);
            ENSURE(step % 4 != 0 || quat_distance(x.rotation, end->rotation) < 3e-7f);
        }
    }
    // The result may be one of the two.
    pelt_pose_blend(&ab->pose, &a->pose, &b->pose, 0.3f);
    pelt_pose_blend(&a->pose, &a->pose, &b->pose, 0.3f);
    ENSURE(memcmp(a->pose.locals, ab->pose.locals, 50 * sizeof(pelt_transform)) == 0);
    free_chain(a), free_chain(b), free_chain(ab), free_chain(ba);
    return 0;
}

// Any pose between two poses of a chain of one-meter bones: all bones are one meter long.
static int blending_keeps_the_length_of_limbs(void)
{
    chain *a = make_chain(20), *b = make_chain(20);
    randomize(&a->pose, 3);
    randomize(&b->pose, 4);
    for (uint32_t i = 1; i < 20; ++i)
    {
        a->pose.locals[i].translation = b->pose.locals[i].translation = x_axis;
    }
    for (int step = 0; step <= 10; ++step)
    {
        chain* c = make_chain(20);
        pelt_pose_blend(&c->pose, &a->pose, &b->pose, 0.1f * (float)step);
        for (uint32_t i = 1; i < 20; ++i)
        {
            // Twenty products on the way, each rotated frame off by 1e-7 or two.
            ENSURE_NEAR(pelt_vec3_distance(origin_of(c, i), origin_of(c, i - 1)), 1.0, 1e-5);
        }
        free_chain(c);
    }
    free_chain(a), free_chain(b);
    return 0;
}

static int shape_weights_blend_linearly(void)
{
    float wa[2] = {0, 1}, wb[2] = {1, 0.5f}, wc[2];
    pelt_pose a = {.morph_weight_count = 2, .morph_weights = wa};
    pelt_pose b = {.morph_weight_count = 2, .morph_weights = wb};
    pelt_pose c = {.morph_weight_count = 2, .morph_weights = wc};
    pelt_pose_blend(&c, &a, &b, 0.25f);
    ENSURE_NEAR(wc[0], 0.25, 1e-7);
    ENSURE_NEAR(wc[1], 0.875, 1e-7);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Overrides

static void apply(chain* c, pelt_override change)
{
    pelt_pose_override(&c->pose, &c->scene, &change, 1);
}

static int rotating_a_parent_moves_its_child_on_a_circle(void)
{
    const float third = 2.0f * PELT_PI / 3.0f;
    for (int space = 0; space < 2; ++space)
    {
        chain* c = make_chain(2);
        apply(c, (pelt_override){0, (pelt_space)space, pelt_vec3_make(0, 0, 5), third, none, none});
        ENSURE_POINT(origin_of(c, 1), pelt_vec3_make(-0.5f, 0.5f * sqrtf(3.0f), 0), 3e-7);
        apply(c, (pelt_override){0, (pelt_space)space, z_axis, third, none, none});
        ENSURE_POINT(origin_of(c, 1), pelt_vec3_make(-0.5f, -0.5f * sqrtf(3.0f), 0), 5e-7);
        free_chain(c);
    }
    return 0;
}

// Node 1 is already rotated by 90 degrees about z: its own x axis is the model's y.
static int joint_space_means_the_axes_before_the_change(void)
{
    chain* c = make_chain(3);
    c->pose.locals[1].rotation = pelt_quat_axis_angle(z_axis, 0.5f * PELT_PI);
    apply(c, (pelt_override){1, PELT_SPACE_JOINT, x_axis, 0.5f * PELT_PI, {2, 0, 0}, none});
    // Moved by 2 along its own x; the rotation about its own x leaves the child on it.
    ENSURE_POINT(origin_of(c, 1), pelt_vec3_make(1, 2, 0), 5e-7);
    ENSURE_POINT(origin_of(c, 2), pelt_vec3_make(1, 3, 0), 5e-7);
    // Its y axis, which was -x, is lifted to z.
    ENSURE_POINT(axis_of(c, 1, y_axis), z_axis, 5e-7);
    free_chain(c);
    return 0;
}

// The parent is rotated by 90 degrees about z and three times as large.
static int model_space_means_the_axes_of_the_model(void)
{
    chain* c = make_chain(2);
    c->pose.locals[0].rotation = pelt_quat_axis_angle(z_axis, 0.5f * PELT_PI);
    c->pose.locals[0].scale = pelt_vec3_make(3, 3, 3);
    pelt_vec3 before = origin_of(c, 1);
    ENSURE_POINT(before, pelt_vec3_make(0, 3, 0), 1e-6);
    apply(c, (pelt_override){1, PELT_SPACE_MODEL, x_axis, 0.5f * PELT_PI, {1, 2, -4}, none});
    ENSURE_POINT(origin_of(c, 1), pelt_vec3_make(1, 5, -4), 3e-6);
    // The child's axes were y, -x, z, times 3; rotated about the model's x they are z, -x, -y.
    ENSURE_POINT(axis_of(c, 1, x_axis), pelt_vec3_make(0, 0, 3), 3e-6);
    ENSURE_POINT(axis_of(c, 1, y_axis), pelt_vec3_make(-3, 0, 0), 3e-6);
    ENSURE_POINT(axis_of(c, 1, z_axis), pelt_vec3_make(0, -3, 0), 3e-6);
    free_chain(c);
    return 0;
}

// Under a parent that mirrors x, the child's x axis is the model's -x; 90 degrees about the
// model's z takes that to -y.
static int model_space_rotates_the_right_way_under_a_mirror(void)
{
    chain* c = make_chain(2);
    c->pose.locals[0].scale = pelt_vec3_make(-1, 1, 1);
    apply(c, (pelt_override){1, PELT_SPACE_MODEL, z_axis, 0.5f * PELT_PI, none, none});
    ENSURE_POINT(axis_of(c, 1, x_axis), pelt_vec3_make(0, -1, 0), 1e-6);
    free_chain(c);
    return 0;
}

static int model_space_under_a_vanished_parent_stays_finite(void)
{
    chain* c = make_chain(2);
    c->pose.locals[0].scale = pelt_vec3_make(0, 0, 0);
    apply(c, (pelt_override){1, PELT_SPACE_MODEL, z_axis, 1.0f, {1, 1, 1}, none});
    ENSURE(isfinite(c->pose.locals[1].translation.x) && isfinite(c->pose.locals[1].rotation.x));
    free_chain(c);
    return 0;
}

static int overrides_scale_and_apply_in_order(void)
{
    chain* c = make_chain(2);
    const pelt_override changes[3] = {
        {0, PELT_SPACE_JOINT, z_axis, 0.5f * PELT_PI, none, {2, 1, 0.5f}},
        {0, PELT_SPACE_JOINT, none, 0.0f, {1, 0, 0}, none},
        {0, PELT_SPACE_JOINT, none, 0.0f, none, {1.5f, 0, 1}}};
    pelt_pose_override(&c->pose, &c->scene, changes, 3);
    // The move goes along the axis as rotated by the first; scales multiply, all 0 is no change.
    ENSURE_POINT(origin_of(c, 0), pelt_vec3_make(0, 1, 0), 3e-7);
    ENSURE_POINT(c->pose.locals[0].scale, pelt_vec3_make(3, 0, 0.5f), 1e-6);
    ENSURE_POINT(origin_of(c, 1), pelt_vec3_make(0, 4, 0), 1e-6);
    free_chain(c);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Model space

// Where a node takes a point, by recursion and in double precision: scale, rotate as
// v + 2 u x (u x v + w v), move; then the same for the parent.
static void move_up(double p[3], const chain* c, uint32_t node)
{
    const pelt_transform* t = &c->pose.locals[node];
    const double u[3] = {t->rotation.x, t->rotation.y, t->rotation.z}, w = t->rotation.w;
    const double v[3] = {p[0] * t->scale.x, p[1] * t->scale.y, p[2] * t->scale.z};
    const double move[3] = {t->translation.x, t->translation.y, t->translation.z};
    double a[3];
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        a[i] = u[j] * v[k] - u[k] * v[j] + w * v[i];
    }
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        p[i] = v[i] + 2.0 * (u[j] * a[k] - u[k] * a[j]) + move[i];
    }
    if (c->nodes[node].parent != PELT_NONE)
    {
        move_up(p, c, c->nodes[node].parent);
    }
}

static int model_matrices_agree_with_recursion(void)
{
    test_random random = {5};
    chain* c = make_chain(MAX_NODES);
    randomize(&c->pose, 6);
    for (uint32_t i = 1; i < MAX_NODES; ++i)
    {
        c->nodes[i].parent = (uint32_t)test_uniform(&random, 0.0f, (float)i - 0.01f);
        c->pose.locals[i].scale = pelt_vec3_make(test_uniform(&random, 0.7f, 1.3f),
                                                 test_uniform(&random, -1.3f, -0.7f), 1.0f);
    }
    c->nodes[100].parent = PELT_NONE; // more than one root
    for (uint32_t i = 0; i < MAX_NODES; ++i)
    {
        double p[3] = {0, 0, 0};
        move_up(p, c, i);
        pelt_vec3 expected = pelt_vec3_make((float)p[0], (float)p[1], (float)p[2]);
        // Depth some 20, numbers up to 20, one rounding per level and product.
        ENSURE_POINT(origin_of(c, i), expected, 5e-5);
    }
    free_chain(c);
    return 0;
}

// Parents come first, so depth costs no stack.
static int chain_of_100000_nodes_is_no_problem(void)
{
    enum
    {
        COUNT = 100000
    };
    pelt_node* nodes = calloc(COUNT, sizeof *nodes);
    pelt_mat34* model_from_node = calloc(COUNT, sizeof *model_from_node);
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        nodes[i] = (pelt_node){"node", i - 1, pelt_transform_identity()};
        nodes[i].rest.translation.x = 1.0f / 1024.0f;
    }
    pelt_scene scene = {.node_count = COUNT, .nodes = nodes};
    pelt_pose pose;
    ENSURE(pelt_pose_create(&pose, &scene) == PELT_OK);
    pelt_override change = {COUNT - 1, PELT_SPACE_MODEL, z_axis, 1.0f, {0, 3, 0}, none};
    pelt_pose_override(&pose, &scene, &change, 1);
    pelt_pose_to_model(model_from_node, &scene, &pose);
    // Powers of two add up exactly.
    ENSURE(model_from_node[COUNT - 1].m[0][3] == COUNT / 1024.0f);
    ENSURE(model_from_node[COUNT - 1].m[1][3] == 3.0f);
    pelt_pose_destroy(&pose);
    free(nodes);
    free(model_from_node);
    return 0;
}

void test_pose(void)
{
    RUN(frames_are_products_of_local_matrices);
    RUN(loop_is_time_modulo_duration);
    RUN(clamp_holds_the_ends);
    RUN(clip_of_no_duration_shows_its_start);
    RUN(transforms_blend_on_a_line_and_an_arc);
    RUN(blend_has_its_ends_and_no_favorite);
    RUN(blending_keeps_the_length_of_limbs);
    RUN(shape_weights_blend_linearly);
    RUN(rotating_a_parent_moves_its_child_on_a_circle);
    RUN(joint_space_means_the_axes_before_the_change);
    RUN(model_space_means_the_axes_of_the_model);
    RUN(model_space_rotates_the_right_way_under_a_mirror);
    RUN(model_space_under_a_vanished_parent_stays_finite);
    RUN(overrides_scale_and_apply_in_order);
    RUN(model_matrices_agree_with_recursion);
    RUN(chain_of_100000_nodes_is_no_problem);
}
