// SPDX-License-Identifier: MIT
// Clips of a skeleton with other proportions.
#include "model/painted_file.h"
#include "model/proportions.h"
#include "rigs.h"
#include "test.h"

#include <string.h>

// rig:arm with translation tracks, as exporters write them for all joints.
typedef struct moving_arm
{
    pelt_scene* scene;
    pelt_node nodes[64];
    pelt_track tracks[3];
    float values[3][3];
    pelt_clip clip;
} moving_arm;

static const float start_time[1] = {0.0f};

static void name_tracks(moving_arm* inout)
{
    static const pelt_path paths[3] = {PELT_PATH_TRANSLATION, PELT_PATH_ROTATION, PELT_PATH_SCALE};
    static const float rotation[4] = {0.0f, 0.0f, 0.0f, 1.0f}, scale[3] = {1.0f, 1.0f, 1.0f};
    uint32_t joint = inout->scene->skins[0].joints[1];
    pelt_vec3 offset = inout->scene->nodes[joint].rest.translation;
    memcpy(inout->values[0], &offset, sizeof offset);
    for (uint32_t i = 0; i < 3; ++i)
    {
        inout->tracks[i] = (pelt_track){.target = joint,
                                        .path = paths[i],
                                        .key_count = 1,
                                        .width = i == 1 ? 4 : 3,
                                        .times = start_time,
                                        .values = i == 0   ? inout->values[0]
                                                  : i == 1 ? rotation
                                                           : scale};
    }
    inout->clip =
        (pelt_clip){.name = "move", .duration = 1.0f, .track_count = 3, .tracks = inout->tracks};
    inout->scene->clips = &inout->clip;
    inout->scene->clip_count = 1;
}

// @param factor  on the length of bones
static bool build(moving_arm* out, float factor)
{
    pelt_error error = {0};
    *out = (moving_arm){0};
    if (pelt_rig_build(&out->scene, "rig:arm?vertices=300", &error) != PELT_OK ||
        out->scene->node_count > 64)
    {
        return false;
    }
    memcpy(out->nodes, out->scene->nodes, out->scene->node_count * sizeof *out->nodes);
    for (uint32_t i = 0; i < out->scene->node_count; ++i)
    {
        out->nodes[i].rest.translation = pelt_vec3_scale(out->nodes[i].rest.translation, factor);
    }
    out->scene->nodes = out->nodes;
    name_tracks(out);
    return true;
}

static int bones_of_the_same_skeleton_are_as_long(void)
{
    moving_arm here, there;
    pelt_rest_difference ratio;
    ENSURE(build(&here, 1.0f) && build(&there, 1.0f));
    ENSURE(pelt_scene_compare_rest(&ratio, here.scene, there.scene) == PELT_OK);
    ENSURE(ratio.bone_count == 1 && ratio.shortest == 1.0f && ratio.longest == 1.0f);
    ENSURE(!proportions_differ(&ratio));
    pelt_scene_destroy(here.scene);
    pelt_scene_destroy(there.scene);
    return 0;
}

static int other_proportions_are_found_by_their_ratio(void)
{
    moving_arm here, there;
    pelt_rest_difference ratio;
    ENSURE(build(&here, 1.0f) && build(&there, 0.62f));
    ENSURE(pelt_scene_compare_rest(&ratio, here.scene, there.scene) == PELT_OK);
    ENSURE_NEAR(ratio.shortest, 0.62f, 1e-5f);
    ENSURE(proportions_differ(&ratio));
    // Rotations alone move nothing away.
    there.clip.track_count = 1;
    there.clip.tracks = &there.tracks[1];
    ENSURE(pelt_scene_compare_rest(&ratio, here.scene, there.scene) == PELT_OK);
    ENSURE(ratio.bone_count == 0 && !proportions_differ(&ratio));
    pelt_scene_destroy(here.scene);
    pelt_scene_destroy(there.scene);
    return 0;
}

static int rotations_only_are_kept(void)
{
    moving_arm arm;
    ENSURE(build(&arm, 1.0f));
    ENSURE(proportions_keep_rotations(arm.scene, 0, 1) == PELT_OK);
    const pelt_clip* clip = &arm.scene->clips[0];
    ENSURE(clip->track_count == 1 && clip->tracks[0].path == PELT_PATH_ROTATION);
    ENSURE(strcmp(clip->name, "move") == 0 && clip->duration == 1.0f);
    pelt_scene_destroy(arm.scene);
    return 0;
}

static int mix_factors_are_saved_as_glb_only(void)
{
    moving_arm arm;
    joint_mix mix;
    pelt_error error = {0};
    ENSURE(build(&arm, 1.0f) && joint_mix_create(&mix, arm.scene));
    ENSURE(painted_file_save("mixed.obj", arm.scene, &mix, "rig:arm", &error) ==
           PELT_ERROR_ARGUMENT);
    ENSURE(strstr(error.message, "mixed.obj") != NULL && strstr(error.message, ".glb") != NULL);
    ENSURE(painted_file_save(".glb", arm.scene, &mix, "rig:arm", &error) == PELT_ERROR_ARGUMENT);
    joint_mix_destroy(&mix);
    pelt_scene_destroy(arm.scene);
    return 0;
}

void test_proportions(void)
{
    RUN(bones_of_the_same_skeleton_are_as_long);
    RUN(other_proportions_are_found_by_their_ratio);
    RUN(rotations_only_are_kept);
    RUN(mix_factors_are_saved_as_glb_only);
}
