// SPDX-License-Identifier: MIT
// Signs down the hierarchy: twists beyond 180 degrees, against closed forms.
#include "test.h"

#include <string.h>

enum
{
    JOINTS = 5,
    NODES = 2 * JOINTS,
    VERTICES = 8
};

static const float half_rotation = 3.14159265f;

// A straight chain along z. Every other node is a joint, in shuffled order; frames are rotated at
// random, with random signs. Vertex v is at height v / 8 and radius 1, shared equally by the first
// joint and another one, and has its center on the axis.
typedef struct chain
{
    pelt_arena* arena;
    pelt_node nodes[NODES];
    uint32_t joints[JOINTS];
    pelt_mat34 inverse_binds[JOINTS];
    pelt_vec3 positions[VERTICES], cors[VERTICES];
    pelt_mesh mesh;
    pelt_skin skin;
    pelt_instance instance;
    pelt_scene scene;
    pelt_pose pose;
    pelt_frame frame;
} chain;

// Index of joint k of the chain in the list of the skin: 3 and 5 have no divisor in common.
static uint32_t slot_of(uint32_t k)
{
    return k * 3 % JOINTS;
}

static uint32_t node_of(uint32_t k)
{
    return 2 * k + 1;
}

static float random_sign(test_random* random)
{
    return test_uniform(random, -1.0f, 1.0f) < 0.0f ? -1.0f : 1.0f;
}

static void place_nodes(chain* c, test_random* random)
{
    pelt_quat model_from_parent = pelt_quat_identity();
    for (uint32_t i = 0; i < NODES; ++i)
    {
        pelt_quat local = test_rotation(random, 180.0f);
        pelt_vec3 up = {0.0f, 0.0f, i > 0 ? 0.1f : 0.0f};
        c->nodes[i] = (pelt_node){"node", i > 0 ? i - 1 : PELT_NONE, pelt_transform_identity()};
        c->nodes[i].rest.translation = pelt_quat_rotate(pelt_quat_conjugate(model_from_parent), up);
        c->nodes[i].rest.rotation = pelt_quat_scale(local, random_sign(random));
        model_from_parent = pelt_quat_normalize(pelt_quat_mul(model_from_parent, local));
    }
}

static pelt_result bind_vertices(chain* c, uint32_t other)
{
    uint32_t joints[2 * VERTICES];
    float weights[2 * VERTICES];
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        c->cors[v] = pelt_vec3_make(0.0f, 0.0f, 0.125f * (float)v);
        c->positions[v] = pelt_vec3_make(1.0f, 0.0f, 0.125f * (float)v);
        joints[2 * v] = slot_of(0);
        joints[2 * v + 1] = slot_of(other);
        weights[2 * v] = weights[2 * v + 1] = 0.5f;
    }
    pelt_weights_source source = {.vertex_count = VERTICES,
                                  .joint_count = JOINTS,
                                  .per_vertex = 2,
                                  .joints_u32 = joints,
                                  .weights = weights};
    c->mesh = (pelt_mesh){.name = "mesh",
                          .vertex_count = VERTICES,
                          .positions = c->positions,
                          .cors = c->cors,
                          .material = PELT_NONE};
    return pelt_weights_import(&c->mesh.weights, NULL, &source, c->arena);
}

// The bind pose is what the nodes store now.
static bool bind_joints(chain* c)
{
    pelt_mat34 model_from_node[NODES];
    bool is_ok = true;
    pelt_pose_rest(&c->pose, &c->scene);
    pelt_pose_to_model(model_from_node, &c->scene, &c->pose);
    for (uint32_t k = 0; k < JOINTS; ++k)
    {
        c->joints[slot_of(k)] = node_of(k);
        is_ok = is_ok &&
                pelt_mat34_inverse(&c->inverse_binds[slot_of(k)], &model_from_node[node_of(k)]);
    }
    return is_ok;
}

static chain* make(uint64_t seed, uint32_t other)
{
    static chain storage;
    chain* c = &storage;
    test_random random = {seed};
    *c = (chain){.arena = pelt_arena_create()};
    place_nodes(c, &random);
    c->skin = (pelt_skin){"skin", JOINTS, c->joints, c->inverse_binds};
    c->instance = (pelt_instance){.node = PELT_NONE};
    c->scene = (pelt_scene){.node_count = NODES,
                            .mesh_count = 1,
                            .skin_count = 1,
                            .instance_count = 1,
                            .nodes = c->nodes,
                            .meshes = &c->mesh,
                            .skins = &c->skin,
                            .instances = &c->instance};
    bool is_ok = bind_vertices(c, other) == PELT_OK &&
                 pelt_pose_create(&c->pose, &c->scene) == PELT_OK && bind_joints(c) &&
                 pelt_scene_validate(&c->scene, NULL) == PELT_OK &&
                 pelt_frame_create(&c->frame, &c->scene) == PELT_OK;
    return is_ok ? c : NULL;
}

static void destroy(chain* c)
{
    pelt_frame_destroy(&c->frame);
    pelt_pose_destroy(&c->pose);
    pelt_arena_destroy(c->arena);
}

// Rotate a node, and all nodes below it, about the axis of the chain.
static void twist(chain* c, uint32_t node, float angle)
{
    pelt_override change = {
        .node = node, .space = PELT_SPACE_MODEL, .axis = {0.0f, 0.0f, 1.0f}, .angle = angle};
    pelt_pose_override(&c->pose, &c->scene, &change, 1);
}

static const pelt_surface* deform(chain* c, pelt_method method, pelt_sign_rule rule)
{
    pelt_deform_options options = {.method = method, .sign_rule = rule, .mix = 1.0f};
    pelt_frame_update(&c->frame, &c->scene, &c->pose, &options);
    return &c->frame.surfaces[0];
}

static const pelt_method rotating[4] = {PELT_METHOD_DQS, PELT_METHOD_CRS, PELT_METHOD_SBS,
                                        PELT_METHOD_MIX};

// Whether every method rotates all vertices by this angle.
static int check_rotation(chain* c, pelt_sign_rule rule, double angle, double tolerance)
{
    for (int i = 0; i < 4; ++i)
    {
        const pelt_surface* out = deform(c, rotating[i], rule);
        for (uint32_t v = 0; v < VERTICES; ++v)
        {
            pelt_vec3 expected =
                pelt_vec3_make((float)cos(angle), (float)sin(angle), c->positions[v].z);
            ENSURE_POINT(out->positions[v], expected, tolerance);
        }
    }
    return 0;
}

// A matrix rotated by 240 degrees is one rotated by -120, and half of it is -60.
static int four_rotations_by_60_degrees_are_240(void)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        chain* c = make(seed, 4);
        ENSURE(c != NULL);
        for (uint32_t k = 1; k < JOINTS; ++k)
        {
            // By the joint itself, or by the node between it and its parent.
            twist(c, node_of(k) - seed % 2, half_rotation / 3.0f);
        }
        // Some ten joints of rounding, halved and doubled.
        ENSURE(check_rotation(c, PELT_SIGN_HIERARCHY, 2.0 / 3.0 * (double)half_rotation, 1e-5) ==
               0);
        ENSURE(check_rotation(c, PELT_SIGN_HEAVIEST, -1.0 / 3.0 * (double)half_rotation, 1e-5) ==
               0);
        destroy(c);
    }
    return 0;
}

// The mean of two quaternions 2a apart is cos(a / 2) long: at 350 degrees rounding counts 23 times.
static int one_joint_rotates_by_almost_360_degrees_either_way(void)
{
    for (int degrees = -350; degrees <= 350; degrees += 10)
    {
        chain* c = make(30, 2);
        float angle = half_rotation * (float)degrees / 180.0f;
        ENSURE(c != NULL);
        twist(c, node_of(1), angle);
        ENSURE(check_rotation(c, PELT_SIGN_HIERARCHY, 0.5 * (double)angle, 3e-5) == 0);
        destroy(c);
    }
    return 0;
}

// What ancestors of the whole chain do is common to all joints and must not show, however far.
static int rigid_motion_of_everything_moves_along(void)
{
    for (int degrees = -720; degrees <= 720; degrees += 45)
    {
        chain* c = make(40, 3);
        pelt_vec3 before[VERTICES];
        ENSURE(c != NULL);
        twist(c, node_of(1), 2.0f);
        twist(c, node_of(2), 2.0f);
        memcpy(before, deform(c, PELT_METHOD_DQS, PELT_SIGN_HIERARCHY)->positions, sizeof before);
        pelt_override change = {.space = PELT_SPACE_MODEL,
                                .axis = {1.0f, 2.0f, 3.0f},
                                .angle = half_rotation * (float)degrees / 180.0f};
        pelt_pose_override(&c->pose, &c->scene, &change, 1);
        pelt_quat rotation = pelt_quat_axis_angle(change.axis, change.angle);
        const pelt_surface* after = deform(c, PELT_METHOD_DQS, PELT_SIGN_HIERARCHY);
        for (uint32_t v = 0; v < VERTICES; ++v)
        {
            ENSURE_POINT(after->positions[v], pelt_quat_rotate(rotation, before[v]), 1e-5);
        }
        destroy(c);
    }
    return 0;
}

// Frames at random, signs at random, scaled and mirrored: at rest no joint has rotated.
static int rest_pose_comes_back_at_rest(void)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        test_random random = {seed};
        chain* c = make(seed, 4);
        ENSURE(c != NULL);
        for (uint32_t i = 0; i < NODES; ++i)
        {
            float size = test_uniform(&random, 0.8f, 1.2f);
            c->nodes[i].rest.scale = pelt_vec3_make(size * random_sign(&random), size, size);
        }
        ENSURE(bind_joints(c));
        pelt_frame_destroy(&c->frame);
        ENSURE(pelt_frame_create(&c->frame, &c->scene) == PELT_OK);
        ENSURE(check_rotation(c, PELT_SIGN_HIERARCHY, 0.0, 1e-5) == 0);
        for (uint32_t joint = 0; joint < JOINTS; ++joint)
        {
            ENSURE_NEAR(c->frame.palettes[0].motions[joint].real.w, 1.0, 1e-6);
        }
        destroy(c);
    }
    return 0;
}

// Scale that keeps the axis changes radii and heights, and no angle; a mirror of everything in x
// reverses angles. Quaternions of rotations that are 240 degrees apart have the cosine of 120.
static int scale_and_mirrors_leave_the_signs(void)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        test_random random = {seed};
        chain* c = make(seed, 4);
        bool is_mirrored = seed % 2 == 0;
        ENSURE(c != NULL);
        for (uint32_t i = 0; i < NODES; ++i)
        {
            // Rotated about the axis only, so that its scale is about it too.
            pelt_quat about = pelt_quat_axis_angle(pelt_vec3_make(0.0f, 0.0f, 1.0f),
                                                   test_uniform(&random, -3.0f, 3.0f));
            c->nodes[i].rest.rotation =
                i > 0 ? pelt_quat_scale(about, random_sign(&random)) : pelt_quat_identity();
            c->nodes[i].rest.translation = pelt_vec3_make(0.0f, 0.0f, 0.1f);
        }
        ENSURE(bind_joints(c));
        pelt_frame_destroy(&c->frame);
        ENSURE(pelt_frame_create(&c->frame, &c->scene) == PELT_OK);
        pelt_pose_rest(&c->pose, &c->scene);
        for (uint32_t k = 1; k < JOINTS; ++k)
        {
            twist(c, node_of(k), half_rotation / 3.0f);
        }
        for (uint32_t i = 0; i < NODES; ++i)
        {
            float radius = test_uniform(&random, 0.5f, 2.0f);
            c->pose.locals[i].scale = pelt_vec3_make(radius, radius, radius * radius);
        }
        c->pose.locals[0].scale.x *= is_mirrored ? -1.0f : 1.0f;
        double angle = (is_mirrored ? 1.0 / 3.0 : 2.0 / 3.0) * (double)half_rotation;
        pelt_vec3 p = deform(c, PELT_METHOD_CRS, PELT_SIGN_HIERARCHY)->positions[0];
        const pelt_dquat* motions = c->frame.palettes[0].motions;
        ENSURE_NEAR(atan2(p.y, p.x), angle, 1e-5);
        ENSURE_NEAR(pelt_quat_dot(motions[slot_of(0)].real, motions[slot_of(4)].real), -0.5, 1e-5);
        destroy(c);
    }
    return 0;
}

// Shear rotates rotations away from the product of the joints', by up to 40 degrees here; the sign
// stays with it, which is the sign beyond a jump that never comes.
static int shear_does_not_make_signs_jump(void)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        test_random random = {seed};
        chain* c = make(seed, 4);
        ENSURE(c != NULL);
        pelt_quat last[JOINTS];
        pelt_vec3 scales[NODES];
        for (uint32_t i = 0; i < NODES; ++i)
        {
            scales[i] = pelt_vec3_add(test_point(&random, 0.4f), pelt_vec3_make(1, 1, 1));
        }
        for (int step = 0; step <= 400; ++step)
        {
            pelt_pose_rest(&c->pose, &c->scene);
            for (uint32_t i = 0; i < NODES; ++i)
            {
                c->pose.locals[i].scale = scales[i];
            }
            twist(c, node_of(2), half_rotation * 0.01f * (float)step);
            deform(c, PELT_METHOD_DQS, PELT_SIGN_HIERARCHY);
            for (uint32_t joint = 0; joint < JOINTS; ++joint)
            {
                pelt_quat q = c->frame.palettes[0].motions[joint].real;
                // 1.8 degrees a step, some times that where shear adds to it.
                ENSURE(step == 0 || pelt_quat_dot(q, last[joint]) > 0.97f);
                last[joint] = q;
            }
        }
        destroy(c);
    }
    return 0;
}

// Each joint has gone the shorter way from the bind pose to the stored one: by 100 degrees, so that
// the third is 300 from the first, and not -60.
static int stored_poses_are_unwrapped_joint_by_joint(void)
{
    chain* c = make(50, 3);
    ENSURE(c != NULL);
    for (uint32_t k = 1; k < JOINTS; ++k)
    {
        twist(c, node_of(k), half_rotation * 100.0f / 180.0f);
    }
    for (uint32_t i = 0; i < NODES; ++i)
    {
        c->nodes[i].rest = c->pose.locals[i];
        c->nodes[i].rest.rotation =
            pelt_quat_scale(pelt_quat_normalize(c->nodes[i].rest.rotation), i % 3 ? 1.0f : -1.0f);
    }
    pelt_frame_destroy(&c->frame);
    ENSURE(pelt_frame_create(&c->frame, &c->scene) == PELT_OK);
    pelt_pose_rest(&c->pose, &c->scene);
    ENSURE(check_rotation(c, PELT_SIGN_HIERARCHY, 150.0 / 180.0 * (double)half_rotation, 1e-5) ==
           0);
    twist(c, node_of(1), -half_rotation);
    ENSURE(check_rotation(c, PELT_SIGN_HIERARCHY, 60.0 / 180.0 * (double)half_rotation, 1e-5) == 0);
    destroy(c);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Clips

enum
{
    KEYS = 6
};

// Keys at 0, 70 ... 350 degrees about the axis, one a second, on top of the stored rotation of a
// node whose parent is not rotated; each key has a random sign.
static void fill_keys(float* values, const chain* c, uint32_t node, uint32_t stride,
                      test_random* random)
{
    pelt_quat rest = c->nodes[node].rest.rotation;
    for (uint32_t key = 0; key < KEYS; ++key)
    {
        pelt_quat rotation = pelt_quat_axis_angle(pelt_vec3_make(0.0f, 0.0f, 1.0f),
                                                  half_rotation * 70.0f / 180.0f * (float)key);
        pelt_quat q = pelt_quat_scale(pelt_quat_mul(rotation, rest), random_sign(random));
        memcpy(values + 4 * (size_t)(key * stride), &q.x, sizeof q);
    }
}

// Frames above the node are those of the model, and so is the axis.
static chain* make_for_clip(uint64_t seed, uint32_t node)
{
    chain* c = make(seed, 4);
    for (uint32_t i = 0; c != NULL && i < NODES; ++i)
    {
        c->nodes[i].rest.rotation = i < node ? pelt_quat_identity() : c->nodes[i].rest.rotation;
        c->nodes[i].rest.translation = pelt_vec3_make(0.0f, 0.0f, i <= node ? 0.1f : 0.0f);
    }
    bool is_ok = c != NULL && bind_joints(c);
    if (is_ok)
    {
        pelt_frame_destroy(&c->frame);
        is_ok = pelt_frame_create(&c->frame, &c->scene) == PELT_OK;
    }
    return is_ok ? c : NULL;
}

static int clips_unwrap_as_far_as_their_keys_go(void)
{
    static const float times[KEYS] = {0, 1, 2, 3, 4, 5};
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        test_random random = {seed};
        uint32_t node = node_of(1);
        chain* c = make_for_clip(seed, node);
        float values[4 * KEYS];
        ENSURE(c != NULL);
        fill_keys(values, c, node, 1, &random);
        pelt_rotations_align(values, KEYS);
        pelt_track track = {node,  PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, KEYS, 4, times,
                            values};
        pelt_clip clip = {"clip", 5.0f, 1, &track};
        for (float t = 0.0f; t <= 5.0f; t += 0.03125f)
        {
            pelt_pose_sample(&c->pose, &c->scene, &clip, t, PELT_WRAP_CLAMP);
            double angle = 35.0 / 180.0 * (double)half_rotation * (double)t;
            ENSURE(check_rotation(c, PELT_SIGN_HIERARCHY, angle, 3e-5) == 0);
        }
        track.interpolation = PELT_INTERPOLATION_STEP;
        for (uint32_t key = 0; key < KEYS; ++key)
        {
            pelt_pose_sample(&c->pose, &c->scene, &clip, (float)key + 0.5f, PELT_WRAP_CLAMP);
            double angle = 35.0 / 180.0 * (double)half_rotation * (double)key;
            ENSURE(check_rotation(c, PELT_SIGN_HIERARCHY, angle, 3e-5) == 0);
        }
        destroy(c);
    }
    return 0;
}

// Signs of a spline belong to its way; those of the whole track do not.
static int cubic_clips_start_with_the_sign_of_the_stored_pose(void)
{
    static const float times[KEYS] = {0, 1, 2, 3, 4, 5};
    for (uint64_t seed = 1; seed <= 10; ++seed)
    {
        uint32_t node = node_of(1);
        chain* c = make_for_clip(seed, node);
        ENSURE(c != NULL);
        float values[12 * KEYS] = {0};
        for (uint32_t key = 0; key < KEYS; ++key)
        {
            pelt_quat rotation = pelt_quat_axis_angle(pelt_vec3_make(0.0f, 0.0f, 1.0f),
                                                      half_rotation * 70.0f / 180.0f * (float)key);
            pelt_quat q = pelt_quat_mul(rotation, c->nodes[node].rest.rotation);
            q = pelt_quat_scale(q, seed % 2 == 0 ? 1.0f : -1.0f);
            memcpy(values + 12 * (size_t)key + 4, &q.x, sizeof q);
        }
        pelt_track track = {node,  PELT_PATH_ROTATION, PELT_INTERPOLATION_CUBIC, KEYS, 4, times,
                            values};
        pelt_clip clip = {"clip", 5.0f, 1, &track};
        // Between keys without tangents a spline is halfway in the middle.
        for (uint32_t half = 0; half <= 2 * (KEYS - 1); ++half)
        {
            pelt_pose_sample(&c->pose, &c->scene, &clip, 0.5f * (float)half, PELT_WRAP_CLAMP);
            double angle = 17.5 / 180.0 * (double)half_rotation * (double)half;
            ENSURE(check_rotation(c, PELT_SIGN_HIERARCHY, angle, 3e-5) == 0);
        }
        destroy(c);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------

// A node may be named twice, with two bind poses that differ by less than 180 degrees.
static int joints_of_one_node_unwrap_equally(void)
{
    chain* c = make(60, 4);
    ENSURE(c != NULL);
    c->joints[slot_of(4)] = node_of(3);
    pelt_joint_parent parents[JOINTS];
    pelt_joint_parents_find(parents, &c->skin, &c->scene);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < JOINTS; ++i)
    {
        uint32_t parent = parents[i].parent;
        ENSURE(parent == PELT_NO_JOINT || (seen >> parent & 1u) == 1u);
        seen |= 1u << parents[i].joint;
        bool is_twin = parents[i].joint == slot_of(3) || parents[i].joint == slot_of(4);
        ENSURE(!is_twin || parent == slot_of(2));
    }
    ENSURE(seen == (1u << JOINTS) - 1u);
    destroy(c);
    return 0;
}

// 100 nodes that rotate by 0.08 each, and 100 joints below: 8 are more than 360 degrees, and the
// quaternion of that is (0, 0, sin 4, cos 4), with this sign.
static int many_joints_below_a_long_chain_have_its_sign(void)
{
    enum
    {
        LONG = 100
    };
    pelt_node nodes[2 * LONG];
    uint32_t joints[LONG];
    pelt_mat34 inverse_binds[LONG];
    pelt_joint_parent parents[LONG];
    pelt_transform undo = pelt_transform_identity();
    undo.rotation = (pelt_quat){0.0f, 0.0f, sinf(-4.0f), cosf(-4.0f)};
    for (uint32_t i = 0; i < LONG; ++i)
    {
        nodes[i] = (pelt_node){"above", i > 0 ? i - 1 : PELT_NONE, pelt_transform_identity()};
        nodes[i].rest.rotation = (pelt_quat){0.0f, 0.0f, sinf(0.04f), cosf(0.04f)};
        nodes[LONG + i] = (pelt_node){"joint", LONG - 1, pelt_transform_identity()};
        joints[i] = LONG + i;
        inverse_binds[i] = pelt_mat34_from_transform(undo);
    }
    const pelt_skin skin = {.joints = joints, .inverse_binds = inverse_binds, .joint_count = LONG};
    const pelt_scene scene = {.nodes = nodes, .node_count = 2 * LONG};
    pelt_joint_parents_find(parents, &skin, &scene);
    for (uint32_t i = 0; i < LONG; ++i)
    {
        ENSURE(parents[i].parent == PELT_NO_JOINT && parents[i].node == LONG + i);
        ENSURE(fabsf(parents[i].bind.z - sinf(4.0f)) < 1e-5f);
        ENSURE(fabsf(parents[i].bind.w - cosf(4.0f)) < 1e-5f);
    }
    return 0;
}

void test_palette_unwrap(void)
{
    RUN(many_joints_below_a_long_chain_have_its_sign);
    RUN(four_rotations_by_60_degrees_are_240);
    RUN(one_joint_rotates_by_almost_360_degrees_either_way);
    RUN(rigid_motion_of_everything_moves_along);
    RUN(rest_pose_comes_back_at_rest);
    RUN(scale_and_mirrors_leave_the_signs);
    RUN(shear_does_not_make_signs_jump);
    RUN(stored_poses_are_unwrapped_joint_by_joint);
    RUN(clips_unwrap_as_far_as_their_keys_go);
    RUN(cubic_clips_start_with_the_sign_of_the_stored_pose);
    RUN(joints_of_one_node_unwrap_equally);
}
