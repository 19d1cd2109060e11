// SPDX-License-Identifier: MIT
// Palettes: the motion of every joint, as a matrix, and as a rigid motion after a stretch.
#include "test.h"

#include <string.h>

enum
{
    JOINT_COUNT = 12,
    NODE_COUNT = 2 * JOINT_COUNT
};

// A random tree in a random bind pose. Every other node is a joint, in shuffled order.
typedef struct rig
{
    pelt_node nodes[NODE_COUNT];
    uint32_t joints[JOINT_COUNT];
    pelt_mat34 inverse_binds[JOINT_COUNT];
    pelt_skin skin;
    pelt_scene scene;
    pelt_pose pose;
    pelt_palette palette;
    pelt_mat34 model_from_node[NODE_COUNT];
} rig;

static int make_rig(rig* r, uint64_t seed)
{
    test_random random = {seed};
    for (uint32_t i = 0; i < NODE_COUNT; ++i)
    {
        uint32_t parent =
            i > 0 ? (uint32_t)test_uniform(&random, 0.0f, (float)i - 0.01f) : PELT_NONE;
        pelt_vec3 position = test_point(&random, 1.0f);
        r->nodes[i] =
            (pelt_node){"node", parent, {position, test_rotation(&random, 180.0f), {1, 1, 1}}};
    }
    r->scene = (pelt_scene){.node_count = NODE_COUNT, .nodes = r->nodes};
    ENSURE(pelt_pose_create(&r->pose, &r->scene) == PELT_OK);
    ENSURE(pelt_palette_create(&r->palette, JOINT_COUNT) == PELT_OK);
    pelt_pose_to_model(r->model_from_node, &r->scene, &r->pose);
    for (uint32_t i = 0; i < JOINT_COUNT; ++i)
    {
        // 7 has no divisor in common with 12: each joint once, children before parents too.
        r->joints[i] = 2 * (i * 7 % JOINT_COUNT) + 1;
        ENSURE(pelt_mat34_inverse(&r->inverse_binds[i], &r->model_from_node[r->joints[i]]));
    }
    r->skin = (pelt_skin){"skin", JOINT_COUNT, r->joints, r->inverse_binds};
    return 0;
}

static void build(rig* r)
{
    pelt_pose_to_model(r->model_from_node, &r->scene, &r->pose);
    pelt_palette_build(&r->palette, &r->skin, r->model_from_node);
}

static void free_rig(rig* r)
{
    pelt_pose_destroy(&r->pose);
    pelt_palette_destroy(&r->palette);
}

static int dual_quaternions_move_points_as_matrices_do(void)
{
    test_random random = {11};
    for (int i = 0; i < 500; ++i)
    {
        pelt_quat qa = test_rotation(&random, 360.0f), qb = test_rotation(&random, 360.0f);
        pelt_vec3 ta = test_point(&random, 2.0f), tb = test_point(&random, 2.0f);
        pelt_dquat a = pelt_dquat_make(qa, ta), b = pelt_dquat_make(qb, tb);
        pelt_transform ra = {ta, qa, {1, 1, 1}}, rb = {tb, qb, {1, 1, 1}};
        pelt_mat34 ma = pelt_mat34_from_transform(ra), mb = pelt_mat34_from_transform(rb);
        pelt_mat34 both = pelt_mat34_mul(&ma, &mb);
        pelt_vec3 p = test_point(&random, 2.0f);
        // Numbers up to 8 in size, some ten roundings each.
        ENSURE_POINT(pelt_dquat_point(a, p), pelt_mat34_point(&ma, p), 5e-6);
        ENSURE_POINT(pelt_dquat_point(pelt_dquat_mul(a, b), p), pelt_mat34_point(&both, p), 5e-6);
        ENSURE_POINT(pelt_dquat_translation(pelt_dquat_scale(a, -1.0f)), ta, 2e-6);
        ENSURE_POINT(pelt_dquat_point(pelt_dquat_normalize(pelt_dquat_scale(a, 7.0f)), p),
                     pelt_mat34_point(&ma, p), 5e-6);
    }
    pelt_dquat still = pelt_dquat_normalize((pelt_dquat){0});
    ENSURE_POINT(pelt_dquat_point(still, pelt_vec3_make(1, 2, 3)), pelt_vec3_make(1, 2, 3), 0.0);
    return 0;
}

// M * inverse(M), through a few levels of the tree: some roundings of numbers up to 10.
static int bind_pose_gives_identities(void)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        static rig r;
        ENSURE(make_rig(&r, seed) == 0);
        build(&r);
        ENSURE(r.palette.is_rigid);
        pelt_mat34 identity = pelt_mat34_identity();
        for (uint32_t joint = 0; joint < JOINT_COUNT; ++joint)
        {
            for (int i = 0; i < 12; ++i)
            {
                ENSURE_NEAR(r.palette.matrices[joint].m[i / 4][i % 4], identity.m[i / 4][i % 4],
                            3e-6);
            }
            ENSURE_NEAR(r.palette.motions[joint].real.w, 1.0, 1e-6);
        }
        free_rig(&r);
    }
    return 0;
}

// matrix = motion * stretch, for joints that rotate, move, scale, shear and mirror.
static int check_split(const pelt_palette* palette)
{
    test_random random = {7};
    for (uint32_t joint = 0; joint < palette->joint_count; ++joint)
    {
        pelt_dquat motion = palette->motions[joint];
        const pelt_mat3* stretch = &palette->stretches[joint];
        const pelt_mat34* matrix = &palette->matrices[joint];
        ENSURE(motion.real.w >= 0.0f);
        ENSURE_NEAR(pelt_quat_dot(motion.real, motion.real), 1.0, 5e-7);
        float size = fmaxf(1.0f, pelt_vec3_length(pelt_mat34_translation(matrix)));
        ENSURE_NEAR(pelt_quat_dot(motion.real, motion.dual), 0.0, 5e-7 * (double)size);
        for (int i = 0; i < 10; ++i)
        {
            pelt_vec3 p = test_point(&random, 1.0f);
            pelt_vec3 expected = pelt_mat34_point(matrix, p);
            size = fmaxf(size, pelt_vec3_length(expected));
            ENSURE_POINT(pelt_dquat_point(motion, pelt_mat3_vector(stretch, p)), expected,
                         2e-6f * size);
        }
        for (int i = 0; i < 9; ++i)
        {
            ENSURE(stretch->m[i / 3][i % 3] == stretch->m[i % 3][i / 3]);
        }
    }
    return 0;
}

static int matrix_is_motion_after_stretch(void)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        static rig r;
        test_random random = {seed + 100};
        ENSURE(make_rig(&r, seed) == 0);
        for (uint32_t i = 0; i < NODE_COUNT; ++i)
        {
            r.pose.locals[i].rotation = test_rotation(&random, 180.0f);
            r.pose.locals[i].scale.x = test_uniform(&random, 0.5f, 1.5f);
            r.pose.locals[i].scale.y = i % 3 == 0 ? -1.0f : 1.0f;
        }
        build(&r);
        ENSURE(!r.palette.is_rigid);
        ENSURE(check_split(&r.palette) == 0);
        free_rig(&r);
    }
    return 0;
}

static int matrices_alone_can_be_split(void)
{
    pelt_mat34 matrices[3] = {{{{0, -2, 0, 5}, {2, 0, 0, 6}, {0, 0, 2, 7}}},
                              {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                              {{{0}}}};
    pelt_dquat motions[3];
    pelt_mat3 stretches[3];
    pelt_palette palette = {
        .joint_count = 3, .matrices = matrices, .motions = motions, .stretches = stretches};
    pelt_palette_decompose(&palette);
    ENSURE(!palette.is_rigid && check_split(&palette) == 0);
    // 90 degrees about z, twice as large.
    ENSURE_NEAR(motions[0].real.z, sqrt(0.5), 1e-6);
    ENSURE_NEAR(stretches[0].m[1][1], 2.0, 1e-6);
    // The mirror of x is a rotation by 180 degrees about x after inverting everything.
    ENSURE_NEAR(fabsf(motions[1].real.x), 1.0, 1e-6);
    ENSURE_NEAR(stretches[1].m[0][0], -1.0, 1e-6);
    ENSURE_NEAR(stretches[1].m[1][1], -1.0, 1e-6);
    // A joint scaled to nothing.
    ENSURE(motions[2].real.w == 1.0f && stretches[2].m[0][0] == 0.0f);
    return 0;
}

static bool is_rigid_with(float x, float y, float shear)
{
    pelt_mat34 matrices[2] = {pelt_mat34_identity(), pelt_mat34_identity()};
    pelt_dquat motions[2];
    pelt_mat3 stretches[2];
    matrices[1].m[0][0] = x;
    matrices[1].m[1][1] = y;
    matrices[1].m[0][1] = matrices[1].m[1][0] = shear;
    pelt_palette palette = {
        .joint_count = 2, .matrices = matrices, .motions = motions, .stretches = stretches};
    pelt_palette_decompose(&palette);
    return palette.is_rigid;
}

static int rigid_means_stretched_by_less_than_two_millionths(void)
{
    ENSURE(is_rigid_with(1.0f, 1.0f, 0.0f));
    ENSURE(is_rigid_with(1.0f + 1.8e-6f, 1.0f - 1.8e-6f, 0.0f));
    ENSURE(!is_rigid_with(1.0f + 2.3e-6f, 1.0f, 0.0f));
    ENSURE(!is_rigid_with(1.0f, 1.0f - 2.3e-6f, 0.0f));
    ENSURE(is_rigid_with(1.0f, 1.0f, 1.8e-6f));
    ENSURE(!is_rigid_with(1.0f, 1.0f, 2.3e-6f));
    ENSURE(!is_rigid_with(-1.0f, 1.0f, 0.0f));
    ENSURE(!is_rigid_with(1.0f, 0.0f, 0.0f));
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Joints are split four and two at a time, by ways that depend on how far from rigid they are.
// pelt_mat3_polar() is the definition: principal axes, in double.

static pelt_mat34 joint_of(pelt_quat q, pelt_vec3 position, const pelt_mat3* stretch)
{
    pelt_mat3 rotation = pelt_mat3_from_quat(q), linear = pelt_mat3_mul(&rotation, stretch);
    return pelt_mat34_make(&linear, position);
}

// A symmetric matrix with entries up to that size.
static pelt_mat3 test_symmetric(test_random* random, float size)
{
    pelt_mat3 out;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = i; j < 3; ++j)
        {
            out.m[i][j] = out.m[j][i] = test_uniform(random, -size, size);
        }
    }
    return out;
}

// The identity and a bit of anything, around every threshold; uniform scales of any size; axes that
// scale differently, up to what is flat for float; mirrors of all these.
static pelt_mat34 test_joint(test_random* random, int kind)
{
    pelt_mat3 stretch = pelt_mat3_identity();
    float size = powf(10.0f, test_uniform(random, -7.5f, -3.0f));
    pelt_mat3 change = test_symmetric(random, size), zero = {0};
    stretch = pelt_mat3_mad(&stretch, 1.0f, &change);
    if (kind % 4 == 1)
    {
        float scale = powf(10.0f, test_uniform(random, -30.0f, 30.0f));
        stretch = pelt_mat3_mad(&zero, scale, &stretch);
    }
    if (kind % 4 >= 2)
    {
        float range = kind % 4 == 2 ? 0.5f : 7.0f;
        pelt_quat q = test_rotation(random, 180.0f);
        pelt_mat3 axes = pelt_mat3_from_quat(q), back = pelt_mat3_transpose(&axes);
        for (int i = 0; i < 3; ++i)
        {
            float scale = powf(10.0f, test_uniform(random, -range, 0.0f));
            for (int j = 0; j < 3; ++j)
            {
                back.m[i][j] *= scale;
            }
        }
        stretch = pelt_mat3_mul(&axes, &back);
    }
    stretch = pelt_mat3_mad(&zero, kind % 8 >= 4 ? -1.0f : 1.0f, &stretch);
    return joint_of(test_rotation(random, 180.0f), test_point(random, 2.0f), &stretch);
}

static float size_of(const pelt_mat3* a)
{
    float largest = 0.0f;
    for (int i = 0; i < 9; ++i)
    {
        largest = fmaxf(largest, fabsf(a->m[i / 3][i % 3]));
    }
    return largest;
}

static bool is_near(float a, float b, float tolerance)
{
    return a == b || (isnan(a) && isnan(b)) || fabsf(a - b) <= tolerance;
}

// Rotations to 3e-7, which is three roundings of float, and stretches to as much of their size.
static int check_against_polar(const pelt_palette* palette, uint32_t joint)
{
    pelt_mat3 linear = pelt_mat34_linear(&palette->matrices[joint]), rotation, stretch;
    pelt_mat3_polar(&rotation, &stretch, &linear);
    pelt_quat expected = pelt_quat_from_mat3(&rotation), q = palette->motions[joint].real;
    float sign = pelt_quat_dot(expected, q) < 0.0f ? -1.0f : 1.0f;
    ENSURE(is_near(q.x, sign * expected.x, 3e-7f) && is_near(q.y, sign * expected.y, 3e-7f));
    ENSURE(is_near(q.z, sign * expected.z, 3e-7f) && is_near(q.w, sign * expected.w, 3e-7f));
    // Near 180 degrees either sign may round to w >= 0.
    ENSURE(sign > 0.0f || isnan(q.w) || q.w <= 3e-7f);
    for (int i = 0; i < 9; ++i)
    {
        float tolerance = 3e-7f * size_of(&stretch);
        ENSURE(
            is_near(palette->stretches[joint].m[i / 3][i % 3], stretch.m[i / 3][i % 3], tolerance));
    }
    return 0;
}

static int joints_are_split_as_by_principal_axes(void)
{
    enum
    {
        COUNT = 31 // no multiple of four
    };
    pelt_palette palette;
    ENSURE(pelt_palette_create(&palette, COUNT) == PELT_OK);
    test_random random = {23};
    for (int round = 0; round < 1000; ++round)
    {
        for (int joint = 0; joint < COUNT; ++joint)
        {
            palette.matrices[joint] = test_joint(&random, round < 100 ? round : round + joint);
        }
        pelt_palette_decompose(&palette);
        for (uint32_t joint = 0; joint < COUNT; ++joint)
        {
            ENSURE(check_against_polar(&palette, joint) == 0);
        }
    }
    pelt_palette_destroy(&palette);
    return 0;
}

static int broken_and_flat_joints_are_split_as_by_principal_axes(void)
{
    pelt_mat34 matrices[9];
    pelt_dquat motions[9];
    pelt_mat3 stretches[9];
    for (int i = 0; i < 9; ++i)
    {
        matrices[i] = pelt_mat34_identity();
    }
    matrices[1].m[1][1] = NAN;
    matrices[2].m[0][2] = INFINITY;
    matrices[3] = (pelt_mat34){0};
    matrices[4].m[2][2] = 0.0f;
    matrices[5].m[1][1] = matrices[5].m[2][2] = 0.0f;
    matrices[6].m[0][0] = matrices[6].m[1][1] = matrices[6].m[2][2] = 3e38f;
    matrices[6].m[0][1] = 3e38f; // a stretch beyond the range of float
    matrices[7].m[0][0] = matrices[7].m[1][1] = matrices[7].m[2][2] = 1e-44f;
    pelt_palette palette = {
        .joint_count = 9, .matrices = matrices, .motions = motions, .stretches = stretches};
    pelt_palette_decompose(&palette);
    ENSURE(!palette.is_rigid && !palette.has_mixed_handedness);
    for (uint32_t joint = 0; joint < 9; ++joint)
    {
        ENSURE(check_against_polar(&palette, joint) == 0);
    }
    return 0;
}

// To the bit, or a character would change when another of its joints does.
static int a_joint_does_not_depend_on_its_neighbors(void)
{
    pelt_palette all, one;
    ENSURE(pelt_palette_create(&all, 8) == PELT_OK && pelt_palette_create(&one, 1) == PELT_OK);
    test_random random = {29};
    for (int round = 0; round < 500; ++round)
    {
        for (int joint = 0; joint < 8; ++joint)
        {
            all.matrices[joint] = test_joint(&random, (round >> (joint % 3)) + joint);
        }
        pelt_palette_decompose(&all);
        for (uint32_t joint = 0; joint < 8; ++joint)
        {
            one.matrices[0] = all.matrices[joint];
            pelt_palette_decompose(&one);
            ENSURE(memcmp(&one.motions[0], &all.motions[joint], sizeof *one.motions) == 0);
            ENSURE(memcmp(&one.stretches[0], &all.stretches[joint], sizeof *one.stretches) == 0);
        }
    }
    pelt_palette_destroy(&all);
    pelt_palette_destroy(&one);
    return 0;
}

// ---------------------------------------------------------------------------------------------

// The joint of the skin on the nearest ancestor, found by looking everywhere.
static uint32_t parent_joint(const rig* r, uint32_t joint)
{
    uint32_t node = r->nodes[r->joints[joint]].parent;
    while (node != PELT_NONE)
    {
        for (uint32_t i = 0; i < JOINT_COUNT; ++i)
        {
            if (r->joints[i] == node)
            {
                return i;
            }
        }
        node = r->nodes[node].parent;
    }
    return PELT_NONE;
}

// Joints are shuffled, and half of the nodes between them are none. Signs may change, and nothing
// else; roots keep theirs.
static int aligned_joints_agree_with_their_parents(void)
{
    uint32_t flips = 0, parent_count = 0;
    for (uint64_t seed = 1; seed <= 50; ++seed)
    {
        static rig r;
        test_random random = {seed + 200};
        ENSURE(make_rig(&r, seed) == 0);
        for (uint32_t i = 0; i < NODE_COUNT; ++i)
        {
            r.pose.locals[i].rotation = test_rotation(&random, 180.0f);
        }
        build(&r);
        pelt_dquat before[JOINT_COUNT];
        for (uint32_t joint = 0; joint < JOINT_COUNT; ++joint)
        {
            before[joint] = r.palette.motions[joint];
        }
        pelt_joint_parent parents[JOINT_COUNT];
        pelt_joint_parents_find(parents, &r.skin, &r.scene);
        pelt_palette_align(&r.palette, parents);
        for (uint32_t joint = 0; joint < JOINT_COUNT; ++joint)
        {
            pelt_dquat after = r.palette.motions[joint];
            float sign = pelt_quat_dot(after.real, before[joint].real) < 0.0f ? -1.0f : 1.0f;
            pelt_dquat same = pelt_dquat_scale(before[joint], sign);
            ENSURE(after.real.x == same.real.x && after.real.w == same.real.w);
            ENSURE(after.dual.x == same.dual.x && after.dual.w == same.dual.w);
            uint32_t parent = parent_joint(&r, joint);
            ENSURE(parent != PELT_NONE || sign > 0.0f);
            ENSURE(parent == PELT_NONE ||
                   pelt_quat_dot(after.real, r.palette.motions[parent].real) >= 0.0f);
            parent_count += parent != PELT_NONE;
            flips += sign < 0.0f;
        }
        free_rig(&r);
    }
    // The test would be empty without joints that have parents and signs that change.
    ENSURE(parent_count > 200 && flips > 50);
    return 0;
}

void test_palette(void)
{
    RUN(dual_quaternions_move_points_as_matrices_do);
    RUN(bind_pose_gives_identities);
    RUN(matrix_is_motion_after_stretch);
    RUN(matrices_alone_can_be_split);
    RUN(rigid_means_stretched_by_less_than_two_millionths);
    RUN(joints_are_split_as_by_principal_axes);
    RUN(broken_and_flat_joints_are_split_as_by_principal_axes);
    RUN(a_joint_does_not_depend_on_its_neighbors);
    RUN(aligned_joints_agree_with_their_parents);
}
