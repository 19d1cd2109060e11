// SPDX-License-Identifier: MIT
// Decoding, against a second decoder in double precision that was written after
// docs/texture_format.md alone.
#include "bake_scene.h"
#include "rigs.h"
#include "texture_decoder.h"

#include <stdlib.h>
#include <string.h>

typedef struct bake_choice
{
    pelt_encoding encoding;
    uint32_t bits;
} bake_choice;

static const bake_choice choices[] = {
    {PELT_ENCODING_QT, 64},     {PELT_ENCODING_QT, 96},     {PELT_ENCODING_QT, 128},
    {PELT_ENCODING_LOCAL, 10},  {PELT_ENCODING_LOCAL, 16},  {PELT_ENCODING_MATRIX, 8},
    {PELT_ENCODING_MATRIX, 16}, {PELT_ENCODING_MATRIX, 32}, {PELT_ENCODING_DQ, 8},
    {PELT_ENCODING_DQ, 16},     {PELT_ENCODING_DQ, 32}};

enum
{
    CHOICE_COUNT = sizeof choices / sizeof *choices
};

static pelt_baked* bake(const pelt_scene* scene, const bake_choice* choice)
{
    pelt_bake_options options = {.encoding = choice->encoding, .bits = choice->bits};
    pelt_baked* baked = NULL;
    pelt_error error;
    pelt_result result = pelt_bake(&baked, scene, &options, &error);
    if (result != PELT_OK)
    {
        printf("  %s: %s\n", pelt_encoding_name(choice->encoding), error.message);
    }
    return baked;
}

// Largest difference of both decoders, of points as far from the origin as the model is large,
// relative to that size.
static double difference(const pelt_baked* baked, const pelt_playback* play)
{
    pelt_mat34* own = malloc(baked->joint_count * sizeof *own);
    texture_motion* expected = malloc(baked->joint_count * sizeof *expected);
    pelt_unbake(own, baked, play);
    texture_decode(expected, baked->words, play);
    double size = (double)baked->unit, most = 0.0;
    for (uint32_t joint = 0; joint < baked->joint_count; ++joint)
    {
        for (int i = 0; i < 3; ++i)
        {
            double off = 0.0;
            for (int k = 0; k < 4; ++k)
            {
                double d = fabs((double)own[joint].m[i][k] - expected[joint].m[i][k]);
                off += k < 3 ? d : d / size;
            }
            // Not fmax, which would lose a NaN.
            most = off <= most ? most : off;
        }
    }
    free(own);
    free(expected);
    return most;
}

// Sums of a few products in float along up to eight joints, each off by 2^-24 or so, and a time
// that float holds to 2^-24 of 30 keys.
static const double rounding = 2e-5;

static pelt_moment moment_at(uint32_t clip, float time, pelt_wrap wrap)
{
    return (pelt_moment){clip, time, wrap};
}

// At keys, between, before and after; by every encoding with PELT_SWEEP=full, and otherwise by
// those of a round.
static int check_moments(const pelt_scene* scene, const char* name, size_t round)
{
    test_random random = {11};
    const size_t round_count = test_is_full_sweep() ? 1 : 2;
    for (size_t i = round % round_count; i < CHOICE_COUNT; i += round_count)
    {
        pelt_baked* baked = bake(scene, &choices[i]);
        ENSURE(baked != NULL);
        double most = 0.0;
        for (uint32_t c = 0; c < baked->clip_count; ++c)
        {
            const pelt_baked_clip* clip = &baked->clips[c];
            const pelt_baked_run* run = &clip->runs[0];
            float step = run->rate > 0.0f ? 1.0f / run->rate : 0.0f;
            const float times[] = {0.0f,
                                   run->start,
                                   run->start + step,
                                   run->start + 1.5f * step,
                                   clip->duration,
                                   clip->duration - 0.3f * step,
                                   -0.37f * clip->duration,
                                   2.41f * clip->duration,
                                   test_uniform(&random, 0.0f, clip->duration)};
            for (size_t k = 0; k < sizeof times / sizeof *times; ++k)
            {
                pelt_playback clamp = {.base = moment_at(c, times[k], PELT_WRAP_CLAMP)};
                pelt_playback loop = {.base = moment_at(c, times[k], PELT_WRAP_LOOP)};
                // Just before the end or just after the beginning, that is up to rounding.
                bool is_seam = k == 4;
                most = fmax(most, difference(baked, &clamp));
                most = fmax(most, is_seam ? 0.0 : difference(baked, &loop));
            }
        }
        if (!(most <= rounding))
        {
            printf("  %s by %s %u: off by %g\n", name, pelt_encoding_name(choices[i].encoding),
                   choices[i].bits, most);
        }
        ENSURE(most <= rounding);
        pelt_baked_destroy(baked);
    }
    return 0;
}

static int rigs_decode_as_the_page_says(void)
{
    static const char* const names[] = {"box", "human?vertices=2000", "cloth?vertices=400", "bar"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    {
        pelt_scene* scene;
        pelt_error error;
        if (pelt_rig_build(&scene, names[i], &error) != PELT_OK)
        {
            printf("  %s\n", error.message);
            return 1;
        }
        int failed = check_moments(scene, names[i], i);
        pelt_scene_destroy(scene);
        ENSURE(!failed);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// A scene with everything

// The dance, in which joint 1 breathes evenly, joint 2 is squashed and joint 3 jumps; and a clip of
// held keys.
static bake_scene* make_everything(void)
{
    bake_scene* s = bake_scene_dance(5);
    const float times[3] = {0.0f, 0.4f, 2.0f / 3.0f};
    const float scales[9] = {1, 1, 1, 1.4f, 1.4f, 1.4f, 0.8f, 0.8f, 0.8f};
    const float uneven[9] = {1, 1, 1, 0.5f, 1.8f, 1.2f, 1.1f, 0.7f, 1.3f};
    bake_scene_track(s, 1, PELT_PATH_SCALE, PELT_INTERPOLATION_LINEAR, 3, times, scales);
    bake_scene_track(s, 2, PELT_PATH_SCALE, PELT_INTERPOLATION_LINEAR, 3, times, uneven);
    const float jump_times[3] = {0.0f, 0.3f, 0.5f};
    const float jumps[9] = {0, 0.5f, 0, 0.2f, 0.5f, 0.1f, -0.2f, 0.6f, 0.1f};
    bake_scene_track(s, 3, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_STEP, 3, jump_times, jumps);
    bake_scene_clip(s, "held", 1.0f);
    const float held_times[4] = {0.0f, 0.25f, 0.5f, 0.75f};
    pelt_quat rotations[4];
    for (int i = 0; i < 4; ++i)
    {
        rotations[i] = pelt_quat_axis_angle(pelt_vec3_make(1, 1, 0), 0.6f * (float)i);
    }
    bake_scene_track(s, 2, PELT_PATH_ROTATION, PELT_INTERPOLATION_STEP, 4, held_times,
                     &rotations[0].x);
    return s;
}

// A moment anywhere but within rounding of a jump.
static pelt_moment random_moment(const pelt_baked* baked, test_random* random)
{
    for (;;)
    {
        uint32_t clip = (uint32_t)test_uniform(random, 0.0f, (float)baked->clip_count);
        clip = clip < baked->clip_count ? clip : 0;
        float duration = baked->clips[clip].duration;
        pelt_wrap wrap = test_uniform(random, 0.0f, 1.0f) < 0.5f ? PELT_WRAP_CLAMP : PELT_WRAP_LOOP;
        float time = test_uniform(random, -1.5f * duration, 2.5f * duration);
        float inside = wrap == PELT_WRAP_LOOP ? time - floorf(time / duration) * duration
                                              : fminf(fmaxf(time, 0.0f), duration);
        bool is_near = false;
        for (uint32_t r = 0; r < baked->clips[clip].run_count; ++r)
        {
            const pelt_baked_run* run = &baked->clips[clip].runs[r];
            float x = (inside - run->start) * run->rate;
            is_near = is_near || fabsf(inside - run->start) < 1e-4f ||
                      (run->is_held && fabsf(x - roundf(x)) < 1e-3f);
        }
        if (!is_near || inside == 0.0f)
        {
            return moment_at(clip, time, wrap);
        }
    }
}

typedef struct playback_range
{
    const char* what;
    float fade;                    // up to that
    float low_weight, high_weight; // of additive moments
    bool is_spherical;
    double tolerance;
} playback_range;

static int check_playbacks(const playback_range* range)
{
    bake_scene* s = make_everything();
    for (size_t i = 0; i < CHOICE_COUNT; ++i)
    {
        pelt_baked* baked = bake(&s->scene, &choices[i]);
        ENSURE(baked != NULL);
        ENSURE(baked->clips[2].runs[0].is_held && baked->clips[1].run_count == 3);
        test_random random = {23 + i};
        double most = 0.0;
        for (int k = 0; k < 200; ++k)
        {
            pelt_playback play = {.base = random_moment(baked, &random),
                                  .next = random_moment(baked, &random),
                                  .fade = test_uniform(&random, 0.0f, range->fade),
                                  .additive = random_moment(baked, &random),
                                  .additive_weight =
                                      test_uniform(&random, range->low_weight, range->high_weight),
                                  .is_spherical = range->is_spherical};
            double off = difference(baked, &play);
            most = off <= most ? most : off;
        }
        if (!(most <= range->tolerance))
        {
            printf("  %s by %s %u: off by %g\n", range->what,
                   pelt_encoding_name(choices[i].encoding), choices[i].bits, most);
        }
        ENSURE(most <= range->tolerance);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

static int jumps_holds_and_stretches_decode_as_the_page_says(void)
{
    return check_playbacks(&(playback_range){.what = "a moment", .tolerance = rounding});
}

static int cross_fades_decode_as_the_page_says(void)
{
    return check_playbacks(
        &(playback_range){.what = "a cross-fade", .fade = 1.0f, .tolerance = rounding});
}

static int additive_moments_decode_as_the_page_says(void)
{
    return check_playbacks(&(playback_range){
        .what = "an additive moment", .fade = 1.0f, .high_weight = 1.0f, .tolerance = rounding});
}

// Below 0.06 radians pelt_quat_slerp() takes the chord, which is off by w (1 - w) (1 - 2 w) angle^3
// / 48 at most from the arc: nothing between 0 and 1, but 3e-5 at -1 in each of five joints.
static int additive_moments_may_be_subtracted_and_exaggerated(void)
{
    return check_playbacks(&(playback_range){.what = "an additive moment",
                                             .low_weight = -1.0f,
                                             .high_weight = 2.0f,
                                             .tolerance = 5.0 * 3e-5 + rounding});
}

static int matrices_on_arcs_decode_as_the_page_says(void)
{
    return check_playbacks(&(playback_range){
        .what = "an arc", .fade = 1.0f, .is_spherical = true, .tolerance = rounding});
}

// ---------------------------------------------------------------------------------------------

static bool is_same(const pelt_baked* baked, const pelt_playback* a, const pelt_playback* b)
{
    pelt_mat34 x[16], y[16];
    pelt_unbake(x, baked, a);
    pelt_unbake(y, baked, b);
    return memcmp(x, y, baked->joint_count * sizeof *x) == 0;
}

static int cross_fade_begins_and_ends_with_its_moments(void)
{
    bake_scene* s = make_everything();
    for (size_t i = 0; i < CHOICE_COUNT; ++i)
    {
        pelt_baked* baked = bake(&s->scene, &choices[i]);
        ENSURE(baked != NULL && baked->joint_count <= 16);
        pelt_moment a = moment_at(0, 0.41f, PELT_WRAP_LOOP), b = moment_at(1, 0.2f, PELT_WRAP_LOOP);
        pelt_playback only_a = {.base = a}, only_b = {.base = b};
        ENSURE(is_same(baked, &(pelt_playback){.base = a, .next = b, .fade = 0.0f}, &only_a));
        // At 1 a sum of 0 times one and 1 times the other: rounding of the interpolation only.
        pelt_playback last = {.base = a, .next = b, .fade = 1.0f};
        pelt_mat34 x[16], y[16];
        pelt_unbake(x, baked, &last);
        pelt_unbake(y, baked, &only_b);
        for (uint32_t k = 0; k < 12 * baked->joint_count; ++k)
        {
            ENSURE_NEAR((&x[0].m[0][0])[k], (&y[0].m[0][0])[k], 1e-6 * (1.0 + 4.0 * rounding));
        }
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

static int numbers_are_finite_at_any_time(void)
{
    bake_scene* s = make_everything();
    const float times[] = {0.0f,  -0.0f, -1e-30f, 1e-30f, -3e38f,
                           3e38f, 1e9f,  -1e9f,   1.0f,   0.999999f};
    for (size_t i = 0; i < CHOICE_COUNT; ++i)
    {
        pelt_baked* baked = bake(&s->scene, &choices[i]);
        ENSURE(baked != NULL && baked->joint_count <= 16);
        for (size_t k = 0; k < 2 * 3 * sizeof times / sizeof *times; ++k)
        {
            pelt_moment at = moment_at((uint32_t)(k / 2 % 3), times[k / 6],
                                       k % 2 == 0 ? PELT_WRAP_CLAMP : PELT_WRAP_LOOP);
            pelt_playback play = {
                .base = at, .next = at, .fade = 0.5f, .additive = at, .additive_weight = 1.0f};
            pelt_mat34 out[16];
            pelt_unbake(out, baked, &play);
            for (uint32_t n = 0; n < 12 * baked->joint_count; ++n)
            {
                ENSURE(isfinite((&out[0].m[0][0])[n]));
            }
        }
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

// Weight 0 adds nothing, and the first key has not changed since the first key.
static int additive_first_key_adds_nothing(void)
{
    bake_scene* s = make_everything();
    for (size_t i = 0; i < 5; ++i)
    {
        pelt_baked* baked = bake(&s->scene, &choices[i]);
        ENSURE(baked != NULL && baked->joint_count <= 16);
        pelt_moment at = moment_at(0, 0.41f, PELT_WRAP_LOOP);
        pelt_playback alone = {.base = at};
        pelt_playback none = {.base = at, .additive = moment_at(1, 0.3f, PELT_WRAP_CLAMP)};
        ENSURE(is_same(baked, &alone, &none));
        pelt_playback first = {
            .base = at, .additive = moment_at(1, 0.0f, PELT_WRAP_CLAMP), .additive_weight = 0.7f};
        pelt_mat34 x[16], y[16];
        pelt_unbake(x, baked, &alone);
        pelt_unbake(y, baked, &first);
        for (uint32_t k = 0; k < 12 * baked->joint_count; ++k)
        {
            ENSURE_NEAR((&x[0].m[0][0])[k], (&y[0].m[0][0])[k], 2e-6);
        }
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

void test_unbake(void)
{
    RUN(rigs_decode_as_the_page_says);
    RUN(jumps_holds_and_stretches_decode_as_the_page_says);
    RUN(cross_fades_decode_as_the_page_says);
    RUN(additive_moments_decode_as_the_page_says);
    RUN(additive_moments_may_be_subtracted_and_exaggerated);
    RUN(matrices_on_arcs_decode_as_the_page_says);
    RUN(cross_fade_begins_and_ends_with_its_moments);
    RUN(additive_first_key_adds_nothing);
    RUN(numbers_are_finite_at_any_time);
}
