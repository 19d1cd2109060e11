// SPDX-License-Identifier: MIT
// A clip that bends and twists every joint.
#include "pelt/prepare.h"
#include "rigs.h"
#include "test.h"

#include <string.h>

static float angle_between(pelt_quat a, pelt_quat b)
{
    return 2.0f * acosf(fminf(fabsf(pelt_quat_dot(a, b)), 1.0f));
}

// The bar has a root, which rests, and one joint in the direction of the bone.
static int a_joint_bends_both_ways_about_two_axes_and_twists(void)
{
    pelt_scene* scene;
    pelt_clip clip;
    pelt_pose pose;
    pelt_arena* arena = pelt_arena_create();
    pelt_motion_range_options options = {.bend = 0.8f, .twist = 0.5f};
    ENSURE(pelt_rig_build(&scene, "rig:bar?vertices=100", NULL) == PELT_OK);
    ENSURE(pelt_motion_range_build(&clip, scene, &options, arena) == PELT_OK);
    ENSURE(clip.track_count == 1 && clip.duration == 5.0f && strlen(clip.name) > 0);
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    uint32_t node = clip.tracks[0].target;
    pelt_quat rest = scene->nodes[node].rest.rotation;
    pelt_vec3 axes[5];
    for (int i = 0; i < 5; ++i)
    {
        pelt_pose_sample(&pose, scene, &clip, (float)i, PELT_WRAP_CLAMP);
        ENSURE(angle_between(pose.locals[node].rotation, rest) < 1e-3f);
        pelt_pose_sample(&pose, scene, &clip, (float)i + 0.5f, PELT_WRAP_CLAMP);
        pelt_quat q = pose.locals[node].rotation;
        ENSURE_NEAR(angle_between(q, rest), i < 4 ? 0.8f : 0.5f, 1e-3f);
        pelt_quat rotation = pelt_quat_mul(pelt_quat_conjugate(rest), q);
        float sign = rotation.w < 0.0f ? -1.0f : 1.0f;
        axes[i] = pelt_vec3_normalize(
            pelt_vec3_make(sign * rotation.x, sign * rotation.y, sign * rotation.z));
    }
    ENSURE_NEAR(pelt_vec3_dot(axes[0], axes[1]), -1.0f, 1e-4f);
    ENSURE_NEAR(pelt_vec3_dot(axes[2], axes[3]), -1.0f, 1e-4f);
    ENSURE_NEAR(pelt_vec3_dot(axes[0], axes[2]), 0.0f, 1e-4f);
    ENSURE_NEAR(pelt_vec3_dot(axes[0], axes[4]), 0.0f, 1e-4f);
    // The bar lies along x, in its joints too.
    ENSURE_NEAR(fabsf(axes[4].x), 1.0f, 1e-4f);
    pelt_pose_destroy(&pose);
    pelt_scene_destroy(scene);
    pelt_arena_destroy(arena);
    return 0;
}

// Parents rest while their children move, so that no pose is more than a joint of each chain.
static int joints_move_level_by_level(void)
{
    pelt_scene* scene;
    pelt_clip clip;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_rig_build(&scene, "rig:human?vertices=2000", NULL) == PELT_OK);
    ENSURE(pelt_motion_range_build(&clip, scene, NULL, arena) == PELT_OK);
    pelt_scene tried = *scene;
    tried.clips = &clip;
    tried.clip_count = 1;
    ENSURE(pelt_scene_validate(&tried, NULL) == PELT_OK);
    for (uint32_t i = 0; i < clip.track_count; ++i)
    {
        for (uint32_t k = 0; k < i; ++k)
        {
            const pelt_track *a = &clip.tracks[i], *b = &clip.tracks[k];
            bool is_below = false;
            for (uint32_t up = a->target; up != PELT_NONE; up = scene->nodes[up].parent)
            {
                is_below |= scene->nodes[up].parent == b->target;
            }
            ENSURE(!is_below || a->times[0] >= b->times[b->key_count - 1]);
        }
    }
    ENSURE(clip.track_count == scene->skins[0].joint_count - 1);
    pelt_scene_destroy(scene);
    pelt_arena_destroy(arena);
    return 0;
}

// A chain of three joints along any direction, in frames at random, with a mirrored node above: the
// axes are perpendicular, the first is that of the bone, and a bend moves the end of the bone
// toward +Z, by sin(angle) of its length, or down where it points there.
static int bones_bend_forward(void)
{
    test_random random = {26};
    for (int trial = 0; trial < 64; ++trial)
    {
        pelt_node nodes[4] = {{"root", PELT_NONE, {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}}};
        nodes[0].rest.scale.x = trial % 2 == 0 ? 1.0f : -1.0f;
        const uint32_t joints[3] = {1, 2, 3};
        pelt_mat34 binds[3];
        for (uint32_t i = 1; i < 4; ++i)
        {
            nodes[i] =
                (pelt_node){"joint",
                            i - 1,
                            {test_point(&random, 1.0f), test_rotation(&random, 180.0f), {1, 1, 1}}};
            binds[i - 1] = pelt_mat34_identity();
        }
        pelt_skin skin = {.joint_count = 3, .joints = joints, .inverse_binds = binds};
        pelt_scene scene = {.node_count = 4, .nodes = nodes, .skin_count = 1, .skins = &skin};
        pelt_joint_axes axes[4];
        pelt_pose pose;
        pelt_mat34 model[4];
        ENSURE(pelt_joint_axes_find(axes, &scene) == PELT_OK);
        ENSURE(pelt_pose_create(&pose, &scene) == PELT_OK);
        pelt_pose_to_model(model, &scene, &pose);
        pelt_vec3 head = pelt_mat34_translation(&model[2]);
        pelt_vec3 bone = pelt_vec3_sub(pelt_mat34_translation(&model[3]), head);
        float length = pelt_vec3_length(bone);
        pelt_mat3 linear = pelt_mat34_linear(&model[2]);
        ENSURE_POINT(pelt_mat3_vector(&linear, axes[2].along), pelt_vec3_scale(bone, 1.0f / length),
                     1e-5);
        ENSURE_NEAR(pelt_vec3_dot(axes[2].along, axes[2].bend), 0.0f, 1e-5f);
        ENSURE_NEAR(pelt_vec3_length(axes[2].bend), 1.0f, 1e-5f);
        pelt_quat bend = pelt_quat_axis_angle(axes[2].bend, 0.5f);
        pose.locals[2].rotation = pelt_quat_mul(pose.locals[2].rotation, bend);
        pelt_pose_to_model(model, &scene, &pose);
        pelt_vec3 after = pelt_vec3_sub(pelt_mat34_translation(&model[3]), head);
        // In the plane of the bone and z: its angle to the target direction falls by half.
        bool is_forward = fabsf(bone.z) > 0.9f * length;
        pelt_vec3 to = is_forward ? pelt_vec3_make(0, -1, 0) : pelt_vec3_make(0, 0, 1);
        float before = acosf(pelt_vec3_dot(bone, to) / length);
        float expected = fabsf(before - 0.5f);
        ENSURE_NEAR(acosf(pelt_vec3_dot(after, to) / length), expected, 2e-3f);
        pelt_pose_destroy(&pose);
    }
    return 0;
}

void test_motion_range(void)
{
    RUN(bones_bend_forward);
    RUN(a_joint_bends_both_ways_about_two_axes_and_twists);
    RUN(joints_move_level_by_level);
}
