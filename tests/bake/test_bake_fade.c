// SPDX-License-Identifier: MIT
// Cross-fades: those of LOCAL are the blended pose, and limbs keep their length. Others blend what
// each joint does to the model, and limbs shrink: that is the reason for LOCAL.
#include "bake_compare.h"
#include "bake_scene.h"
#include "rigs.h"

#include <stdlib.h>

typedef struct fade_rig
{
    const pelt_scene* scene;
    pelt_baked* baked;
    pelt_pose a, b, blended;
    pelt_mat34* model_from_node;
    pelt_mat34* motions; // of the bake
} fade_rig;

static bool create(fade_rig* out, const pelt_scene* scene, pelt_encoding encoding, uint32_t bits)
{
    pelt_bake_options options = {.encoding = encoding, .bits = bits};
    *out = (fade_rig){.scene = scene};
    if (pelt_bake(&out->baked, scene, &options, NULL) != PELT_OK)
    {
        return false;
    }
    out->model_from_node = calloc(scene->node_count, sizeof *out->model_from_node);
    out->motions = calloc(out->baked->joint_count, sizeof *out->motions);
    return pelt_pose_create(&out->a, scene) == PELT_OK &&
           pelt_pose_create(&out->b, scene) == PELT_OK &&
           pelt_pose_create(&out->blended, scene) == PELT_OK;
}

static void destroy(fade_rig* r)
{
    pelt_baked_destroy(r->baked);
    pelt_pose_destroy(&r->a);
    pelt_pose_destroy(&r->b);
    pelt_pose_destroy(&r->blended);
    free(r->model_from_node);
    free(r->motions);
}

// A fade of the source, as a pose, and of the bake, as motions.
static void fade(fade_rig* r, uint32_t clip_a, float time_a, uint32_t clip_b, float time_b,
                 float factor)
{
    const pelt_clip* clips = r->scene->clips;
    pelt_playback play = {.base = {clip_a, time_a, PELT_WRAP_CLAMP},
                          .next = {clip_b, time_b, PELT_WRAP_CLAMP},
                          .fade = factor};
    pelt_pose_sample(&r->a, r->scene, &clips[clip_a], time_a, PELT_WRAP_CLAMP);
    pelt_pose_sample(&r->b, r->scene, &clips[clip_b], time_b, PELT_WRAP_CLAMP);
    pelt_pose_blend(&r->blended, &r->a, &r->b, factor);
    pelt_pose_to_model(r->model_from_node, r->scene, &r->blended);
    pelt_unbake(r->motions, r->baked, &play);
}

// Largest distance of joint origins, and of points a tenth of the height away from them.
static double fade_error(const fade_rig* r)
{
    const pelt_skin* skin = &r->scene->skins[0];
    float offset = 0.1f * r->baked->height_meters;
    double most = 0.0;
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        pelt_mat34 bind, expected = pelt_mat34_mul(&r->model_from_node[skin->joints[joint]],
                                                   &skin->inverse_binds[joint]);
        if (!pelt_mat34_inverse(&bind, &skin->inverse_binds[joint]))
        {
            return INFINITY;
        }
        for (int i = 0; i < 4; ++i)
        {
            pelt_vec3 p = pelt_mat34_translation(&bind);
            (&p.x)[i % 3] += i < 3 ? offset : 0.0f;
            pelt_vec3 a = pelt_mat34_point(&expected, p),
                      b = pelt_mat34_point(&r->motions[joint], p);
            most = fmax(most, (double)pelt_vec3_distance(a, b));
        }
    }
    return most;
}

// The project's own criterion: 1e-4 of the size.
static int check_fades(const pelt_scene* scene)
{
    fade_rig r;
    test_random random = {17};
    ENSURE(create(&r, scene, PELT_ENCODING_LOCAL, 0));
    double most = 0.0;
    for (int i = 0; i < 200; ++i)
    {
        uint32_t a = (uint32_t)i % scene->clip_count, b = (uint32_t)(i / 3) % scene->clip_count;
        fade(&r, a, test_uniform(&random, 0.0f, scene->clips[a].duration), b,
             test_uniform(&random, 0.0f, scene->clips[b].duration),
             test_uniform(&random, 0.0f, 1.0f));
        most = fmax(most, fade_error(&r));
    }
    ENSURE(most <= 1e-4 * (double)r.baked->height_meters);
    destroy(&r);
    return 0;
}

static int local_fades_are_blended_poses(void)
{
    static const char* const names[] = {"human?vertices=2000", "raptor?vertices=2000"};
    bake_scene* s = bake_scene_dance(5);
    ENSURE(check_fades(&s->scene) == 0);
    bake_scene_free(s);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    {
        pelt_scene* scene;
        ENSURE(pelt_rig_build(&scene, names[i], NULL) == PELT_OK);
        ENSURE(check_fades(scene) == 0);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// An animated node above the skeleton is a joint of LOCAL, or fades would blend its motion with the
// root's.
static int nodes_above_the_skeleton_are_blended_alone(void)
{
    bake_scene* s = bake_scene_dance(4);
    s->skin.joint_count = 3;
    // Joints are nodes 1 to 3; node 0 has tracks and is none of them.
    for (uint32_t i = 0; i < 3; ++i)
    {
        s->joints[i] = i + 1;
        s->binds[i] = s->binds[i + 1];
    }
    pelt_weights weights = {0};
    uint32_t joints[4 * BAKE_SCENE_VERTICES];
    float ones[4 * BAKE_SCENE_VERTICES];
    for (uint32_t v = 0; v < 4 * BAKE_SCENE_VERTICES; ++v)
    {
        joints[v] = v / BAKE_SCENE_VERTICES % 3;
        ones[v] = 1.0f;
    }
    pelt_weights_source source = {.vertex_count = 4 * BAKE_SCENE_VERTICES,
                                  .joint_count = 3,
                                  .per_vertex = 1,
                                  .joints_u32 = joints,
                                  .weights = ones};
    ENSURE(pelt_weights_import(&weights, NULL, &source, s->arena) == PELT_OK);
    s->mesh.weights = weights;
    ENSURE(check_fades(&s->scene) == 0);
    fade_rig r;
    ENSURE(create(&r, &s->scene, PELT_ENCODING_LOCAL, 0));
    ENSURE(r.baked->joint_count == 4 && r.baked->joints[3].kind == PELT_BAKED_ANCESTOR);
    ENSURE(r.baked->joints[0].parent == 3);
    destroy(&r);
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------

enum
{
    TIMES = 5
};

// Two joints half a meter apart: the root is rotated by 69 degrees in one clip and by -69 degrees
// in the other, so that a fade is far from both.
static double length_of_limb(pelt_encoding encoding, float factor)
{
    bake_scene* s = bake_scene_make(2);
    float times[TIMES];
    pelt_quat rotations[2][TIMES];
    for (int i = 0; i < TIMES; ++i)
    {
        times[i] = (float)i / 30.0f;
        rotations[0][i] = pelt_quat_axis_angle(pelt_vec3_make(0, 0, 1), 1.2f + 0.01f * (float)i);
        rotations[1][i] = pelt_quat_axis_angle(pelt_vec3_make(0, 0, 1), -1.2f - 0.01f * (float)i);
    }
    for (int clip = 0; clip < 2; ++clip)
    {
        bake_scene_clip(s, clip == 0 ? "left" : "right", times[TIMES - 1]);
        bake_scene_track(s, 0, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, TIMES, times,
                         &rotations[clip][0].x);
        // The child rotates as well, so that it does not follow the root rigidly.
        bake_scene_rotate(s, 1, pelt_vec3_make(1, 0, 0), 0.0f, 30.0f, TIMES, 0.2f);
    }
    fade_rig r;
    double length = -1.0;
    if (create(&r, &s->scene, encoding, encoding == PELT_ENCODING_QT ? 128 : 16))
    {
        fade(&r, 0, 0.0f, 1, 0.0f, factor);
        pelt_vec3 root = pelt_mat34_point(&r.motions[0], pelt_vec3_make(0, 0, 0));
        pelt_vec3 child = pelt_mat34_point(&r.motions[1], pelt_vec3_make(0, 0.5f, 0));
        length = (double)pelt_vec3_distance(root, child);
    }
    destroy(&r);
    bake_scene_free(s);
    return length;
}

// The child is at half a meter times the mean of two directions 2.4 radians apart: the chord
// instead of the arc. A quaternion with a position of its own does the same.
static int limbs_keep_their_length_in_fades_of_local_only(void)
{
    for (float f = 0.0f; f <= 1.0f; f += 0.125f)
    {
        double x = (1.0 - 2.0 * (double)f) * sin(1.2), y = cos(1.2), chord = 0.5 * hypot(x, y);
        ENSURE_NEAR(length_of_limb(PELT_ENCODING_LOCAL, f), 0.5, 1e-4);
        ENSURE_NEAR(length_of_limb(PELT_ENCODING_MATRIX, f), chord, 1e-3);
        double qt = length_of_limb(PELT_ENCODING_QT, f);
        ENSURE(f == 0.0f || f == 1.0f ? fabs(qt - 0.5) < 1e-3 : qt < 0.5 - 1e-2);
    }
    return 0;
}

void test_bake_fade(void)
{
    RUN(local_fades_are_blended_poses);
    RUN(nodes_above_the_skeleton_are_blended_alone);
    RUN(limbs_keep_their_length_in_fades_of_local_only);
}
