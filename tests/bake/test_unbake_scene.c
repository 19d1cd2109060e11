// SPDX-License-Identifier: MIT
// Bakes converted to clips deform a character as its own clips do, to the
// error of the bake and that of the new keys.
#include "baked_fixture.h"
#include "shared_rig.h"
#include "test.h"

#include <string.h>

// The largest distance of vertices between two scenes with the same meshes at a time of their
// clips.
static int distance_at(float* inout, const pelt_scene* const scenes[2], const uint32_t clips[2],
                       float time)
{
    pelt_frame frames[2];
    for (int i = 0; i < 2; ++i)
    {
        pelt_pose pose;
        ENSURE(pelt_frame_create(&frames[i], scenes[i]) == PELT_OK);
        ENSURE(pelt_pose_create(&pose, scenes[i]) == PELT_OK);
        pelt_pose_sample(&pose, scenes[i], &scenes[i]->clips[clips[i]], time, PELT_WRAP_CLAMP);
        pelt_frame_update(&frames[i], scenes[i], &pose, &(pelt_deform_options){0});
        pelt_pose_destroy(&pose);
    }
    ENSURE(scenes[0]->instance_count == scenes[1]->instance_count);
    for (uint32_t i = 0; i < scenes[0]->instance_count; ++i)
    {
        uint32_t count = scenes[0]->meshes[scenes[0]->instances[i].mesh].vertex_count;
        for (uint32_t v = 0; v < count; ++v)
        {
            *inout = fmaxf(*inout, pelt_vec3_distance(frames[0].surfaces[i].positions[v],
                                                      frames[1].surfaces[i].positions[v]));
        }
    }
    pelt_frame_destroy(&frames[0]);
    pelt_frame_destroy(&frames[1]);
    return 0;
}

// Bake, unbake, and compare with the source at random times of all clips.
// @param out  largest distance found, and how much of it is the bake's and the new keys' own
typedef struct comparison
{
    float found;
    double baked, unbaked;
    uint32_t key_count;
} comparison;

static int compare(comparison* out, const pelt_scene* scene, const pelt_bake_options* bake,
                   const pelt_unbake_options* options)
{
    pelt_error error = {{0}};
    pelt_baked* baked;
    pelt_scene* clips;
    pelt_bake_report errors;
    pelt_unbake_report report;
    ENSURE(pelt_bake(&baked, scene, bake, &error) == PELT_OK);
    ENSURE(pelt_baked_measure(&errors, baked, scene, NULL, &error) == PELT_OK);
    ENSURE(pelt_unbake_scene(&clips, &report, baked, scene, options, &error) == PELT_OK);
    ENSURE(clips->clip_count == baked->clip_count);
    // Between rotated keys matrices shear.
    ENSURE(report.sheared_count == 0 || baked->encoding == PELT_ENCODING_MATRIX);
    *out = (comparison){0.0f, errors.error.max, report.max, report.key_count};
    test_random random = {7};
    for (uint32_t c = 0; c < clips->clip_count; ++c)
    {
        uint32_t own = pelt_scene_find_clip(scene, clips->clips[c].name);
        ENSURE(own != PELT_NONE && clips->clips[c].duration == scene->clips[own].duration);
        for (int i = 0; i < 12; ++i)
        {
            const pelt_scene* const both[2] = {scene, clips};
            const uint32_t indices[2] = {own, c};
            float time = test_uniform(&random, 0.0f, scene->clips[own].duration);
            ENSURE(distance_at(&out->found, both, indices, time) == 0);
        }
    }
    pelt_scene_destroy(clips);
    pelt_bake_report_destroy(&errors);
    pelt_baked_destroy(baked);
    return 0;
}

// Both errors are largest over times that were looked at; a random one may be a little worse.
static int every_encoding_comes_back_within_its_error(void)
{
    static const char* const rigs[] = {"rig:box", "rig:arm?vertices=400", "rig:human?vertices=2000",
                                       "rig:raptor?vertices=2000"};
    for (int r = 0; r < (test_is_full_sweep() ? 4 : 2); ++r)
    {
        const pelt_scene* scene = shared_rig(rigs[r]);
        ENSURE(scene != NULL);
        for (int i = 0; i < PELT_ENCODING_VERTEX; ++i)
        {
            comparison c;
            const pelt_bake_options bake = {.encoding = (pelt_encoding)i};
            ENSURE(compare(&c, scene, &bake, NULL) == 0);
            ENSURE((double)c.found <= 1.1 * (c.baked + c.unbaked) + 2e-6);
        }
    }
    return 0;
}

// LOCAL interpolates what a clip does, so nothing is lost but bits, and no key is needed between.
static int local_comes_back_to_its_bits(void)
{
    const pelt_scene* scene = shared_rig("rig:human?vertices=2000");
    const pelt_bake_options bake = {.encoding = PELT_ENCODING_LOCAL, .bits = 24};
    comparison c;
    pelt_baked* baked;
    uint32_t keys = 0;
    ENSURE(scene != NULL && compare(&c, scene, &bake, NULL) == 0);
    ENSURE(c.found < 2e-5f && c.unbaked < 2e-5);
    ENSURE(pelt_bake(&baked, scene, &bake, NULL) == PELT_OK);
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        keys += baked->clips[i].key_count + baked->clips[i].wraps;
    }
    ENSURE(c.key_count == keys);
    pelt_baked_destroy(baked);
    return 0;
}

// QT at 6 Hz: keys alone are far off. Errors of a chord fall with the square of its length, so that
// those of 8 parts are near a 64th.
static int keys_are_as_dense_as_the_error_asks(void)
{
    const pelt_scene* scene = shared_rig("rig:human?vertices=2000");
    const uint32_t walk = 0;
    const pelt_bake_options bake = {
        .timing = PELT_BAKE_RATE, .rate = 6.0f, .clip_count = 1, .clips = &walk};
    const pelt_unbake_options loose = {.max_error = 1.0}, coarse = {.rate = 6.0f};
    comparison fine, few, rated;
    ENSURE(scene != NULL && compare(&fine, scene, &bake, NULL) == 0);
    ENSURE(compare(&few, scene, &bake, &loose) == 0);
    ENSURE(compare(&rated, scene, &bake, &coarse) == 0);
    ENSURE(fine.key_count > 4 * few.key_count && rated.key_count < few.key_count + 5);
    ENSURE(few.unbaked > 16.0 * fine.unbaked && rated.unbaked > 16.0 * fine.unbaked);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Clips of one bone

// The first node of a rig moves along x by the keys of one track.
static pelt_scene move_first(const pelt_scene* scene, pelt_clip* clip, pelt_track* track)
{
    pelt_scene out = *scene;
    *clip = (pelt_clip){"move", track->times[track->key_count - 1], 1, track};
    out.clips = clip;
    out.clip_count = 1;
    return out;
}

static float first_x(const pelt_scene* scene, float time)
{
    pelt_pose pose;
    if (pelt_pose_create(&pose, scene) != PELT_OK)
    {
        return NAN;
    }
    pelt_pose_sample(&pose, scene, &scene->clips[0], time, PELT_WRAP_CLAMP);
    float x = pose.locals[0].translation.x;
    pelt_pose_destroy(&pose);
    return x;
}

static int check_positions(const pelt_track* keys, const float (*expected)[2], uint32_t count)
{
    const pelt_scene* rig = shared_rig("rig:box");
    pelt_scene* clips;
    pelt_track track = *keys;
    pelt_clip clip;
    pelt_baked* baked;
    ENSURE(rig != NULL);
    pelt_scene scene = move_first(rig, &clip, &track);
    ENSURE(pelt_bake(&baked, &scene, NULL, NULL) == PELT_OK);
    ENSURE(pelt_unbake_scene(&clips, NULL, baked, &scene, NULL, NULL) == PELT_OK);
    for (uint32_t i = 0; i < count; ++i)
    {
        ENSURE_NEAR(first_x(clips, expected[i][0]), expected[i][1], 2e-4);
    }
    pelt_scene_destroy(clips);
    pelt_baked_destroy(baked);
    return 0;
}

static int held_keys_stay_held(void)
{
    static const float times[] = {0.0f, 0.5f, 1.0f, 1.5f};
    static const float values[] = {0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0};
    static const float expected[][2] = {{0.0f, 0.0f},  {0.49f, 0.0f},  {0.51f, 1.0f},
                                        {0.99f, 1.0f}, {1.01f, -1.0f}, {1.49f, -1.0f}};
    const pelt_track track = {0,     PELT_PATH_TRANSLATION, PELT_INTERPOLATION_STEP, 4, 3, times,
                              values};
    return check_positions(&track, expected, 6);
}

// From 0 to 1 in half a second, then at once to 5, and on to 6.
static int jumps_stay_jumps(void)
{
    static const float times[] = {0.0f, 0.25f, 0.5f, 0.50002f, 0.75f, 1.0f};
    static const float values[] = {0, 0, 0, 0.5f, 0, 0, 1, 0, 0, 5, 0, 0, 5.5f, 0, 0, 6, 0, 0};
    static const float expected[][2] = {{0.0f, 0.0f},    {0.125f, 0.25f}, {0.49f, 0.98f},
                                        {0.505f, 5.01f}, {0.75f, 5.5f},   {1.0f, 6.0f}};
    const pelt_track track = {0,     PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, 6, 3, times,
                              values};
    return check_positions(&track, expected, 6);
}

static int one_clip_of_several_and_nodes_that_do_not_move(void)
{
    const pelt_scene* scene = shared_rig("rig:human?vertices=2000");
    pelt_scene* clips;
    pelt_baked* baked;
    const uint32_t wave = 1;
    const pelt_unbake_options options = {.clip_count = 1, .clips = &wave};
    const pelt_bake_options bake = {.encoding = PELT_ENCODING_LOCAL};
    ENSURE(scene != NULL && pelt_bake(&baked, scene, &bake, NULL) == PELT_OK);
    ENSURE(pelt_unbake_scene(&clips, NULL, baked, scene, &options, NULL) == PELT_OK);
    ENSURE(clips->clip_count == 1 && strcmp(clips->clips[0].name, "wave") == 0);
    ENSURE(clips->clips[0].track_count < 3 * scene->node_count / 2);
    pelt_scene_destroy(clips);
    pelt_baked_destroy(baked);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Vertices

static int keys_of_vertices_become_morph_targets(void)
{
    const pelt_scene* scene = shared_rig("rig:box");
    pelt_scene* clips;
    ENSURE(scene != NULL);
    pelt_baked* baked = baked_fixture_vertices(PELT_TEXEL_RGBA32UI, scene);
    ENSURE(baked != NULL);
    ENSURE(pelt_unbake_scene(&clips, NULL, baked, scene, NULL, NULL) == PELT_OK);
    ENSURE(clips->clip_count == baked->clip_count);
    pelt_frame frame;
    pelt_pose pose;
    ENSURE(pelt_frame_create(&frame, clips) == PELT_OK);
    ENSURE(pelt_pose_create(&pose, clips) == PELT_OK);
    pelt_vec3 positions[312];
    test_random random = {3};
    for (uint32_t i = 0; i < 40; ++i)
    {
        uint32_t clip = i % clips->clip_count, instance = i % scene->instance_count;
        const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
        float time = test_uniform(&random, 0.0f, clips->clips[clip].duration);
        const pelt_playback playback = {.base = {clip, time, PELT_WRAP_CLAMP}};
        pelt_unbake_vertices(&(pelt_surface){.positions = positions}, baked, instance, mesh,
                             &playback);
        pelt_pose_sample(&pose, clips, &clips->clips[clip], time, PELT_WRAP_CLAMP);
        pelt_frame_update(&frame, clips, &pose, &(pelt_deform_options){0});
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            ENSURE_POINT(frame.surfaces[instance].positions[v], positions[v], 1e-5f);
        }
    }
    pelt_pose_destroy(&pose);
    pelt_frame_destroy(&frame);
    pelt_scene_destroy(clips);
    pelt_baked_destroy(baked);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// What goes wrong

static bool refuse(float part, void* user)
{
    (void)part, (void)user;
    return false;
}

static int what_does_not_fit_is_refused(void)
{
    const pelt_scene *box = shared_rig("rig:box"), *arm = shared_rig("rig:arm?vertices=400");
    pelt_scene* clips;
    pelt_baked* baked;
    const uint32_t none = 99;
    ENSURE(box != NULL && arm != NULL && pelt_bake(&baked, box, NULL, NULL) == PELT_OK);
    const struct
    {
        const pelt_scene* scene;
        pelt_unbake_options options;
        pelt_result result;
    } cases[] = {{arm, {0}, PELT_ERROR_DATA},
                 {box, {.clip_count = 1, .clips = &none}, PELT_ERROR_ARGUMENT},
                 {box, {.rate = -1.0f}, PELT_ERROR_ARGUMENT},
                 {box, {.rate = NAN}, PELT_ERROR_ARGUMENT},
                 {box, {.max_error = -1.0}, PELT_ERROR_ARGUMENT},
                 {box, {.progress = refuse}, PELT_ERROR_CANCELED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_error error = {{0}};
        ENSURE(pelt_unbake_scene(&clips, NULL, baked, cases[i].scene, &cases[i].options, &error) ==
               cases[i].result);
        ENSURE(clips == NULL && strlen(error.message) > 10);
    }
    pelt_baked_destroy(baked);
    return 0;
}

void test_unbake_scene(void)
{
    RUN(every_encoding_comes_back_within_its_error);
    RUN(local_comes_back_to_its_bits);
    RUN(keys_are_as_dense_as_the_error_asks);
    RUN(held_keys_stay_held);
    RUN(jumps_stay_jumps);
    RUN(one_clip_of_several_and_nodes_that_do_not_move);
    RUN(keys_of_vertices_become_morph_targets);
    RUN(what_does_not_fit_is_refused);
}
