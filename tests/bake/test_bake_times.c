// SPDX-License-Identifier: MIT
// When clips are sampled: the grid of the source's keys, runs between jumps, loops; and what comes
// with each key: bounds and root motion.
#include "bake_compare.h"
#include "bake_scene.h"
#include "rigs.h"
#include "texture_decoder.h"

#include <string.h>

static const pelt_vec3 x_axis = {1, 0, 0}, z_axis = {0, 0, 1};

static double error_at(const pelt_scene* scene, const pelt_baked* baked, float time)
{
    bake_comparison c;
    bake_difference found = {.max = INFINITY};
    if (bake_comparison_create(&c, scene, baked))
    {
        found.max = 0.0;
        bake_compare_at(&found, &c, 0, 0, time);
    }
    bake_comparison_destroy(&c);
    return found.max;
}

// ---------------------------------------------------------------------------------------------
// The grid

// Keys from 1/30 s on: between two of them the motion is smooth, at each its speed jumps.
static int first_key_later_than_0_is_on_the_grid(void)
{
    bake_scene* s = bake_scene_make(2);
    bake_scene_clip(s, "late", 1.0f / 30.0f + 10.0f / 24.0f);
    bake_scene_rotate(s, 1, x_axis, 1.0f / 30.0f, 24.0f, 11, 0.2f);
    pelt_baked* baked = bake_valid(&s->scene, NULL);
    ENSURE(baked != NULL);
    const pelt_baked_clip* clip = &baked->clips[0];
    ENSURE(clip->run_count == 1 && clip->key_count == 11 && !clip->wraps);
    ENSURE_NEAR(clip->runs[0].start, 1.0 / 30.0, 1e-6);
    ENSURE_NEAR(clip->runs[0].rate, 24.0, 1e-4);
    // Before the first key the source holds it, and so does the bake.
    ENSURE(error_at(&s->scene, baked, 0.0f) < 1e-5);
    ENSURE(error_at(&s->scene, baked, 0.02f) < 1e-5);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

static int rates_of_the_source_are_kept(void)
{
    const float rates[] = {24.0f, 25.0f, 30.0f, 60.0f, 120.0f};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i)
    {
        bake_scene* s = bake_scene_make(2);
        bake_scene_clip(s, "rotation", 10.0f / rates[i]);
        bake_scene_rotate(s, 1, x_axis, 0.0f, rates[i], 11, 0.1f);
        pelt_baked* baked = bake_valid(&s->scene, NULL);
        ENSURE(baked != NULL && baked->clips[0].key_count == 11);
        ENSURE_NEAR(baked->clips[0].runs[0].rate, rates[i], 1e-3);
        pelt_baked_destroy(baked);
        bake_scene_free(s);
    }
    return 0;
}

// Keys at 0, 1/10 and 5/10 s have the grid of 1/10 s; joints in model space need at least 24 Hz,
// which is three keys in each step of it, and LOCAL none but the source's own.
static int sparse_keys_have_their_common_grid(void)
{
    bake_scene* s = bake_scene_make(2);
    const float times[3] = {0.0f, 0.1f, 0.5f};
    pelt_quat rotations[3];
    for (int i = 0; i < 3; ++i)
    {
        rotations[i] = pelt_quat_axis_angle(z_axis, 0.5f * (float)i);
    }
    bake_scene_clip(s, "sparse", 0.5f);
    bake_scene_track(s, 1, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, 3, times,
                     &rotations[0].x);
    pelt_baked* local =
        bake_valid(&s->scene, &(pelt_bake_options){.encoding = PELT_ENCODING_LOCAL, .bits = 20});
    pelt_baked* qt = bake_valid(&s->scene, NULL);
    ENSURE(local != NULL && qt != NULL);
    ENSURE_NEAR(local->clips[0].runs[0].rate, 10.0, 1e-3);
    ENSURE_NEAR(qt->clips[0].runs[0].rate, 30.0, 1e-3);
    for (float time = 0.0f; time < 0.5f; time += 0.013f)
    {
        ENSURE(error_at(&s->scene, local, time) < 1e-5);
    }
    pelt_baked_destroy(local);
    pelt_baked_destroy(qt);
    bake_scene_free(s);
    return 0;
}

// Two joints with keys at 37.5 Hz, each key up to 36 microseconds off, as exporters round them: the
// grid is that of all keys. Sampled on it, the error is the rotation of a joint in that time.
static int keys_that_are_off_by_microseconds_have_their_grid(void)
{
    enum
    {
        KEYS = 301
    };
    static float times[KEYS];
    static pelt_quat rotations[KEYS];
    test_random random = {5};
    bake_scene* s = bake_scene_make(3);
    bake_scene_clip(s, "jitter", (KEYS - 1) / 37.5f);
    for (uint32_t joint = 0; joint < 3; ++joint)
    {
        for (uint32_t i = 0; i < KEYS; ++i)
        {
            bool is_end = i == 0 || i + 1 == KEYS;
            times[i] = (float)i / 37.5f + (is_end ? 0.0f : test_uniform(&random, -36e-6f, 36e-6f));
            rotations[i] = pelt_quat_axis_angle(z_axis, i % 2 == 0 ? 0.3f : -0.3f);
        }
        bake_scene_track(s, joint, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, KEYS, times,
                         &rotations[0].x);
    }
    for (int encoding = 0; encoding < PELT_ENCODING_MATRIX; ++encoding)
    {
        pelt_baked* baked =
            bake_valid(&s->scene, &(pelt_bake_options){.encoding = (pelt_encoding)encoding});
        ENSURE(baked != NULL && baked->clips[0].run_count == 1);
        ENSURE_NEAR(baked->clips[0].runs[0].rate, 37.5, 0.01);
        // 0.6 radians in 1 / 37.5 s at each of three joints, the farthest vertex 1.4 m away.
        bake_comparison c;
        ENSURE(bake_comparison_create(&c, &s->scene, baked));
        ENSURE(bake_compare_keys(&c, 0, 0) < 0.6 * 37.5 * 36e-6 * (1.4 + 0.9 + 0.4));
        bake_comparison_destroy(&c);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

// For rotations by 180 degrees from key to key, both arcs are equally short; the source has one.
// Whatever is rounded, so does the bake: more bits never make it worse.
static int rotations_by_180_degrees_follow_the_source(void)
{
    enum
    {
        KEYS = 11,
        KINDS = 4,
    };
    static const pelt_vec3 axes[3] = {{0, 0, 1}, {1, 0, 0}, {0.6f, 0, 0.8f}};
    for (int kind = 0; kind < KINDS; ++kind)
    {
        bake_scene* s = bake_scene_make(4);
        bake_scene_clip(s, "half circles", 1.0f);
        for (uint32_t joint = 0; joint < 3; ++joint)
        {
            float times[KEYS];
            pelt_quat rotations[KEYS];
            for (int i = 0; i < KEYS; ++i)
            {
                // Back and forth, always forward, with pauses, and nearly 180 degrees.
                const float angles[KINDS] = {(float)(i % 2) * PELT_PI, (float)i * PELT_PI,
                                             (float)(i / 2 % 2) * PELT_PI,
                                             (float)i * 0.999f * PELT_PI};
                times[i] = 0.1f * (float)i;
                rotations[i] = pelt_quat_axis_angle(axes[joint], angles[kind]);
            }
            bake_scene_track(s, joint, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, KEYS, times,
                             &rotations[0].x);
        }
        double before = INFINITY;
        for (uint32_t bits = 2; bits <= 24; ++bits)
        {
            pelt_baked* baked = bake_valid(
                &s->scene, &(pelt_bake_options){.encoding = PELT_ENCODING_LOCAL, .bits = bits});
            bake_comparison c;
            test_random random = {99};
            ENSURE(baked != NULL && bake_comparison_create(&c, &s->scene, baked));
            double found = bake_compare_random(&c, 0, 0, 300, &random);
            // Steps of a width lie elsewhere than those of the next: one may be lucky.
            ENSURE(found <= 1.5 * before || found < 2e-5);
            // Half a step of a range of 2, which is of a quarter of the angle, for three joints
            // with vertices up to 1.9 m away; twice that for a range that is rounded up.
            ENSURE(bits < 5 || found < 2.0 * ldexp(4.0 * 3.0 * 1.9, -(int)bits) + 2e-5);
            before = found;
            bake_comparison_destroy(&c);
            pelt_baked_destroy(baked);
        }
        pelt_bake_options budget = {
            .encoding = PELT_ENCODING_LOCAL, .has_budget = true, .max_error = 2e-4};
        pelt_baked* baked = bake_valid(&s->scene, &budget);
        bake_comparison c;
        test_random random = {7};
        ENSURE(baked != NULL && bake_comparison_create(&c, &s->scene, baked));
        ENSURE(bake_compare_random(&c, 0, 0, 500, &random) <= budget.max_error);
        bake_comparison_destroy(&c);
        pelt_baked_destroy(baked);
        bake_scene_free(s);
    }
    return 0;
}

static int asked_rate_starts_at_0(void)
{
    bake_scene* s = bake_scene_make(2);
    bake_scene_clip(s, "late", 0.5f);
    bake_scene_rotate(s, 1, x_axis, 0.1f, 30.0f, 11, 0.2f);
    pelt_baked* baked =
        bake_valid(&s->scene, &(pelt_bake_options){.timing = PELT_BAKE_RATE, .rate = 50.0f});
    ENSURE(baked != NULL);
    ENSURE(baked->clips[0].runs[0].start == 0.0f && baked->clips[0].key_count == 26);
    ENSURE_NEAR(baked->clips[0].runs[0].rate, 50.0, 1e-3);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

static int one_single_key_is_one_key(void)
{
    bake_scene* s = bake_scene_make(2);
    const float time = 0.25f;
    pelt_quat rotation = pelt_quat_axis_angle(z_axis, 0.7f);
    bake_scene_clip(s, "pose", 0.25f);
    bake_scene_track(s, 1, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, 1, &time, &rotation.x);
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        pelt_baked* baked =
            bake_valid(&s->scene, &(pelt_bake_options){.encoding = (pelt_encoding)encoding});
        ENSURE(baked != NULL && baked->clips[0].key_count == 1);
        ENSURE(error_at(&s->scene, baked, 0.0f) < 1e-5);
        ENSURE(error_at(&s->scene, baked, 7.0f) < 1e-5);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

// x = t^3 by its tangents: between keys the source is no straight line, and the path of a key is a
// parabola. The cubic leaves (u (1 - u) (1 - 2 u)) dt^3, 0.096 dt^3 at most.
static int cubic_keys_are_followed(void)
{
    bake_scene* s = bake_scene_make(2);
    const float dt = 1.0f / 30.0f;
    float times[16], values[16][9] = {{0}};
    for (int i = 0; i < 16; ++i)
    {
        float t = dt * (float)i;
        times[i] = t;
        values[i][0] = values[i][6] = 3.0f * t * t;
        values[i][3] = t * t * t;
        values[i][4] = 0.5f;
    }
    bake_scene_clip(s, "cubic", times[15]);
    bake_scene_track(s, 1, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_CUBIC, 16, times, values[0]);
    const pelt_bake_options options[] = {{.bits = 128},
                                         {.encoding = PELT_ENCODING_LOCAL},
                                         {.encoding = PELT_ENCODING_LOCAL, .bits = 20}};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
    {
        pelt_baked* baked = bake_valid(&s->scene, &options[i]);
        ENSURE(baked != NULL && baked->clips[0].key_count == 16);
        pelt_mat34 out[2];
        for (float t = 0.0f; t < times[15]; t += 0.0017f)
        {
            pelt_unbake(out, baked, &(pelt_playback){.base = {0, t, PELT_WRAP_CLAMP}});
            ENSURE_NEAR(out[1].m[0][3], (double)t * (double)t * (double)t, 0.1 * 3.7e-5 + 2e-6);
        }
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Jumps and loops

// Joint 1 rotates smoothly while joint 2 jumps by 1 m at 0.2 s: no decoded pose is halfway, up to
// the gap before.
static int check_jump(pelt_interpolation interpolation, uint32_t key_count, const float* times,
                      const float* values, float gap)
{
    bake_scene* s = bake_scene_make(3);
    bake_scene_clip(s, "jump", 0.4f);
    bake_scene_rotate(s, 1, x_axis, 0.0f, 30.0f, 13, 0.05f);
    bake_scene_track(s, 2, PELT_PATH_TRANSLATION, interpolation, key_count, times, values);
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        pelt_baked* baked = bake_valid(
            &s->scene, &(pelt_bake_options){.encoding = (pelt_encoding)encoding, .bits = 0});
        ENSURE(baked != NULL && baked->clips[0].run_count == 2);
        ENSURE_NEAR(baked->clips[0].runs[1].start, 0.2, 1e-5);
        for (float time = 0.0f; time <= 0.4f; time += 0.0013f)
        {
            // Two keys that are close are a line in between.
            if (time < 0.2f - gap || time > 0.2001f)
            {
                // Joint 1 is sampled a gap early there, at 1.5 radians per second 1 m away.
                ENSURE(error_at(&s->scene, baked, time) < 2e-3 + 1.5 * (double)gap);
            }
        }
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

static int steps_are_jumps(void)
{
    const float times[2] = {0.0f, 0.2f}, values[6] = {0, 0.5f, 0, 1, 0.5f, 0};
    return check_jump(PELT_INTERPOLATION_STEP, 2, times, values, 1e-4f);
}

static int two_keys_at_nearly_one_time_are_a_jump(void)
{
    const float values[12] = {0, 0.5f, 0, 0, 0.5f, 0, 1, 0.5f, 0, 1, 0.5f, 0};
    for (float gap = 1e-4f; gap < 3e-3f; gap *= 3.0f)
    {
        const float times[4] = {0.0f, 0.2f - gap, 0.2f, 0.4f};
        ENSURE(check_jump(PELT_INTERPOLATION_LINEAR, 4, times, values, gap) == 0);
    }
    return 0;
}

static int steps_alone_are_held(void)
{
    bake_scene* s = bake_scene_make(2);
    const float times[3] = {0.0f, 0.2f, 0.4f};
    const float values[9] = {0, 0.5f, 0, 1, 0.5f, 0, 2, 0.5f, 0};
    bake_scene_clip(s, "held", 0.6f);
    bake_scene_track(s, 1, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_STEP, 3, times, values);
    pelt_baked* baked = bake_valid(&s->scene, NULL);
    ENSURE(baked != NULL && baked->clips[0].run_count == 1 && baked->clips[0].runs[0].is_held);
    ENSURE(baked->clips[0].key_count == 3);
    for (float time = 0.003f; time < 0.6f; time += 0.0061f)
    {
        ENSURE(error_at(&s->scene, baked, time) < 1e-4);
    }
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// A clip that ends as it begins has one key less and goes on from the last to the first; another
// has its last key at its end.
static int loops_wrap_and_others_clamp(void)
{
    bake_scene* s = bake_scene_dance(3);
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        pelt_baked* baked =
            bake_valid(&s->scene, &(pelt_bake_options){.encoding = (pelt_encoding)encoding});
        ENSURE(baked != NULL);
        const pelt_baked_clip *dance = &baked->clips[0], *bow = &baked->clips[1];
        ENSURE(dance->loops && dance->wraps && dance->key_count == 30);
        ENSURE(!bow->loops && !bow->wraps && bow->key_count == 21);
        ENSURE(dance->duration == s->clips[0].duration && bow->duration == s->clips[1].duration);
        // Just before the end and just after the beginning are close: 1 ms at 13 radians per
        // second, three joints that rotate by up to 0.7 * 2 pi each, about 1 m away.
        pelt_mat34 a[3], b[3];
        pelt_unbake(a, baked, &(pelt_playback){.base = {0, 0.9995f, PELT_WRAP_LOOP}});
        pelt_unbake(b, baked, &(pelt_playback){.base = {0, 1.0005f, PELT_WRAP_LOOP}});
        for (int i = 0; i < 36; ++i)
        {
            ENSURE_NEAR((&a[0].m[0][0])[i], (&b[0].m[0][0])[i], 1.5e-2);
        }
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Bounds and root motion

static bool is_inside(const pelt_bounds* bounds, pelt_vec3 p)
{
    return p.x >= bounds->min.x && p.y >= bounds->min.y && p.z >= bounds->min.z &&
           p.x <= bounds->max.x && p.y <= bounds->max.y && p.z <= bounds->max.z;
}

// All vertices by linear blending, at times that nobody sampled.
static int check_bounds(const pelt_scene* scene)
{
    pelt_baked* baked = bake_valid(scene, NULL);
    pelt_pose pose;
    pelt_frame frame;
    test_random random = {3};
    ENSURE(baked != NULL && pelt_pose_create(&pose, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, scene) == PELT_OK);
    for (uint32_t c = 0; c < baked->clip_count; ++c)
    {
        const pelt_baked_clip* clip = &baked->clips[c];
        for (int i = 0; i < 40; ++i)
        {
            float time = test_uniform(&random, 0.0f, clip->duration);
            float x = (time - clip->runs[0].start) * clip->runs[0].rate;
            uint32_t key = (uint32_t)fminf(fmaxf(x, 0.0f), (float)(clip->key_count - 1));
            pelt_pose_sample(&pose, scene, &scene->clips[c], time, PELT_WRAP_CLAMP);
            pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
            for (uint32_t k = 0; k < scene->instance_count; ++k)
            {
                uint32_t count = scene->meshes[scene->instances[k].mesh].vertex_count;
                for (uint32_t v = 0; v < count; ++v)
                {
                    pelt_vec3 p = frame.surfaces[k].positions[v];
                    ENSURE(is_inside(&clip->bounds, p));
                    ENSURE(clip->run_count > 1 || is_inside(&clip->key_bounds[key], p));
                }
            }
        }
    }
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    pelt_baked_destroy(baked);
    return 0;
}

static int bounds_contain_every_vertex(void)
{
    static const char* const names[] = {"box", "human?vertices=2000"};
    bake_scene* s = bake_scene_dance(5);
    ENSURE(check_bounds(&s->scene) == 0);
    bake_scene_free(s);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    {
        pelt_scene* scene;
        ENSURE(pelt_rig_build(&scene, names[i], NULL) == PELT_OK);
        ENSURE(check_bounds(scene) == 0);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// A box that flattens to nothing in y still has a valid box, with room for rounding.
static int flat_surface_has_bounds(void)
{
    bake_scene* s = bake_scene_make(1);
    for (uint32_t v = 0; v < s->mesh.vertex_count; ++v)
    {
        s->positions[v].y = 0.0f;
    }
    bake_scene_clip(s, "rotation", 0.5f);
    bake_scene_rotate(s, 0, pelt_vec3_make(0, 1, 0), 0.0f, 30.0f, 16, 0.1f);
    ENSURE(check_bounds(&s->scene) == 0);
    bake_scene_free(s);
    return 0;
}

static int root_motion_is_the_root_at_keys(void)
{
    bake_scene* s = bake_scene_dance(3);
    pelt_baked* baked = bake_valid(&s->scene, NULL);
    ENSURE(baked != NULL && baked->root == 0);
    const float* times = s->tracks[0][0].times;
    for (uint32_t key = 0; key < baked->clips[0].key_count; ++key)
    {
        // Joint 0 has the axes and the origin of the model when it is bound, and tracks of its own.
        const float *rotation = s->tracks[0][0].values + 4 * key,
                    *translation = s->tracks[0][1].values + 3 * key;
        pelt_transform own = baked->clips[0].root_motion[key];
        ENSURE_NEAR(times[key], key / 30.0, 1e-6);
        ENSURE_POINT(own.translation,
                     pelt_vec3_make(translation[0], translation[1], translation[2]), 1e-6);
        pelt_quat expected = {rotation[0], rotation[1], rotation[2], rotation[3]};
        ENSURE_NEAR(fabsf(pelt_quat_dot(own.rotation, expected)), 1.0, 1e-6);
        ENSURE(own.scale.x == 1.0f && own.scale.y == 1.0f && own.scale.z == 1.0f);
    }
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

void test_bake_times(void)
{
    RUN(first_key_later_than_0_is_on_the_grid);
    RUN(rates_of_the_source_are_kept);
    RUN(sparse_keys_have_their_common_grid);
    RUN(keys_that_are_off_by_microseconds_have_their_grid);
    RUN(rotations_by_180_degrees_follow_the_source);
    RUN(asked_rate_starts_at_0);
    RUN(one_single_key_is_one_key);
    RUN(cubic_keys_are_followed);
    RUN(steps_are_jumps);
    RUN(two_keys_at_nearly_one_time_are_a_jump);
    RUN(steps_alone_are_held);
    RUN(loops_wrap_and_others_clamp);
    RUN(bounds_contain_every_vertex);
    RUN(flat_surface_has_bounds);
    RUN(root_motion_is_the_root_at_keys);
}
