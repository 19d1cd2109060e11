// SPDX-License-Identifier: MIT
// How much joints scale, over the stored pose and clips.
#include "pelt/gpu.h"

#include "test.h"

#include <float.h>
#include <string.h>

enum
{
    KEY_MAX = 3,
};

// A root and a joint in it, both of a skin, in a scene without meshes. One clip with one track.
typedef struct rig
{
    pelt_node nodes[2];
    uint32_t joints[2];
    pelt_mat34 inverse_binds[2];
    pelt_skin skin;
    float times[KEY_MAX], values[3 * 4 * KEY_MAX];
    pelt_track track;
    pelt_clip clip;
    pelt_scene scene;
} rig;

static void rig_make(rig* out)
{
    *out = (rig){.nodes = {{"root", PELT_NONE, pelt_transform_identity()},
                           {"jaw", 0, pelt_transform_identity()}},
                 .joints = {0, 1},
                 .inverse_binds = {pelt_mat34_identity(), pelt_mat34_identity()},
                 .times = {0.0f, 1.0f, 2.0f}};
    out->skin = (pelt_skin){"skin", 2, out->joints, out->inverse_binds};
    out->track = (pelt_track){.target = 1, .times = out->times, .values = out->values};
    out->clip = (pelt_clip){"roar", 2.0f, 1, &out->track};
    out->scene = (pelt_scene){.node_count = 2,
                              .nodes = out->nodes,
                              .skin_count = 1,
                              .skins = &out->skin,
                              .clip_count = 1,
                              .clips = &out->clip};
}

static int measure(pelt_joint_scale* out, const rig* r)
{
    ENSURE(pelt_scene_validate(&r->scene, NULL) == PELT_OK);
    ENSURE(pelt_joint_scale_measure(out, &r->scene) == PELT_OK);
    return 0;
}

// Rotating and moving is no scale, and neither is a track of ones.
static int joints_that_rotate_stay_rigid(void)
{
    rig r;
    pelt_joint_scale scale;
    rig_make(&r);
    r.nodes[0].rest.rotation = pelt_quat_axis_angle(pelt_vec3_make(0, 0, 1), 1.0f);
    r.nodes[1].rest.translation = pelt_vec3_make(3, 4, 5);
    r.track.path = PELT_PATH_SCALE;
    r.track.key_count = 2;
    r.track.width = 3;
    for (int i = 0; i < 6; ++i)
    {
        r.values[i] = 1.0f;
    }
    ENSURE(measure(&scale, &r) == 0);
    ENSURE(scale.is_rigid && scale.is_uniform && !scale.has_mirrors && scale.node == PELT_NONE);
    pelt_gpu_scale choice;
    ENSURE(pelt_gpu_scene_scale(&choice, &r.scene) == PELT_OK);
    ENSURE(choice == PELT_GPU_SCALE_NONE);
    return 0;
}

// A spline from 1 to 1 that leaves with slope 4 and arrives with slope -4 is 2 half way.
static int scale_between_keys_is_found(void)
{
    rig r;
    pelt_joint_scale scale;
    rig_make(&r);
    r.track.path = PELT_PATH_SCALE;
    r.track.interpolation = PELT_INTERPOLATION_CUBIC;
    r.track.key_count = 2;
    r.track.width = 3;
    for (int i = 0; i < 3; ++i)
    {
        // Tangent in, value, tangent out of each key.
        const float keys[] = {0.0f, 1.0f, 4.0f, -4.0f, 1.0f, 0.0f};
        for (int k = 0; k < 6; ++k)
        {
            r.values[3 * k + i] = keys[k];
        }
    }
    ENSURE(measure(&scale, &r) == 0);
    ENSURE(!scale.is_rigid && scale.is_uniform && !scale.has_mirrors);
    ENSURE_NEAR(scale.most, 2.0f, 1e-6f);
    ENSURE_NEAR(scale.least, 1.0f, 1e-6f);
    ENSURE(scale.node == 1 && strcmp(scale.clip, "roar") == 0 && scale.time == 0.5f);
    pelt_gpu_scale choice;
    ENSURE(pelt_gpu_scene_scale(&choice, &r.scene) == PELT_OK);
    ENSURE(choice == PELT_GPU_SCALE_LOCAL);
    return 0;
}

// diag(2, 1) R(45 degrees) diag(1/2, 1) has the determinant 1 and the sum of squares 25/8, so the
// singular values s and 1/s with s + 1/s = sqrt(41/8) and s - 1/s = sqrt(9/8).
static int shear_of_a_child_is_measured(void)
{
    rig r;
    pelt_joint_scale scale;
    rig_make(&r);
    r.scene.clip_count = 0;
    r.nodes[0].rest.scale = pelt_vec3_make(2, 1, 1);
    r.inverse_binds[0].m[0][0] = 0.5f; // the root itself is as it was bound
    r.nodes[1].rest.rotation = pelt_quat_axis_angle(pelt_vec3_make(0, 0, 1), 0.25f * PELT_PI);
    r.nodes[1].rest.scale = pelt_vec3_make(0.5f, 1, 1);
    ENSURE(measure(&scale, &r) == 0);
    float most = 0.5f * (sqrtf(41.0f / 8.0f) + sqrtf(9.0f / 8.0f));
    ENSURE_NEAR(scale.most, most, 1e-5f);
    ENSURE_NEAR(scale.least, 1.0f / most, 1e-5f);
    ENSURE(!scale.is_uniform && !scale.is_rigid && !scale.has_mirrors && scale.node == 1);
    return 0;
}

// A mirror keeps lengths, and is no motion.
static int mirrors_are_told_apart(void)
{
    rig r;
    pelt_joint_scale scale;
    rig_make(&r);
    r.scene.clip_count = 0;
    r.nodes[1].rest.scale = pelt_vec3_make(1, -1, 1);
    ENSURE(measure(&scale, &r) == 0);
    ENSURE(scale.has_mirrors && !scale.is_rigid && scale.node == PELT_NONE);
    ENSURE_NEAR(scale.most, 1.0f, 1e-6f);
    ENSURE_NEAR(scale.least, 1.0f, 1e-6f);
    return 0;
}

// Models in centimeters: the joints undo what the bind pose is scaled by, all equally.
static int units_of_the_bind_pose_count(void)
{
    rig r;
    pelt_joint_scale scale;
    rig_make(&r);
    r.scene.clip_count = 0;
    r.nodes[0].rest.scale = pelt_vec3_make(0.01f, 0.01f, 0.01f);
    ENSURE(measure(&scale, &r) == 0);
    ENSURE(scale.is_uniform && !scale.is_rigid && scale.node == PELT_NONE);
    ENSURE_NEAR(scale.least, 0.01f, 1e-6f);
    ENSURE_NEAR(scale.most, 0.01f, 1e-6f);
    r.inverse_binds[0].m[0][0] = r.inverse_binds[0].m[1][1] = r.inverse_binds[0].m[2][2] = 100.0f;
    r.inverse_binds[1] = r.inverse_binds[0];
    ENSURE(measure(&scale, &r) == 0);
    ENSURE(scale.is_rigid);
    return 0;
}

// Half way between the two largest times that a file can hold is a time too.
static int keys_may_lie_at_the_end_of_time(void)
{
    rig r;
    pelt_joint_scale scale;
    rig_make(&r);
    r.times[1] = 0.75f * FLT_MAX;
    r.times[2] = FLT_MAX;
    r.clip.duration = FLT_MAX;
    r.track.path = PELT_PATH_SCALE;
    r.track.width = 3;
    r.track.key_count = 3;
    for (int i = 0; i < 9; ++i)
    {
        r.values[i] = 2.0f;
    }
    ENSURE(measure(&scale, &r) == 0);
    ENSURE(scale.most == 2.0f);
    return 0;
}

void test_joint_scale(void)
{
    RUN(joints_that_rotate_stay_rigid);
    RUN(scale_between_keys_is_found);
    RUN(shear_of_a_child_is_measured);
    RUN(mirrors_are_told_apart);
    RUN(units_of_the_bind_pose_count);
    RUN(keys_may_lie_at_the_end_of_time);
}
