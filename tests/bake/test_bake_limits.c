// SPDX-License-Identifier: MIT
// What a small file may not ask for: endless clips, joints at infinity, runs that begin long before
// their clip. Run under AddressSanitizer these are heap overflows where counts wrap.
#include "bake_scene.h"

#include <string.h>

static bake_scene* make_clip(uint32_t key_count, const float* times)
{
    bake_scene* s = bake_scene_make(2);
    pelt_quat values[8];
    for (uint32_t i = 0; i < key_count; ++i)
    {
        values[i] = pelt_quat_axis_angle(pelt_vec3_make(1, 0, 0), 0.5f * (float)(i % 2));
    }
    bake_scene_clip(s, "long", times[key_count - 1]);
    bake_scene_track(s, 1, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, key_count, times,
                     &values[0].x);
    return s;
}

static int refuse(const pelt_scene* scene, const pelt_bake_options* options, pelt_result expected,
                  const char* words)
{
    pelt_baked* baked;
    pelt_error error = {""};
    pelt_result result = pelt_bake(&baked, scene, options, &error);
    if (result != expected || baked != NULL || strstr(error.message, words) == NULL)
    {
        printf("  %d \"%s\" without \"%s\"\n", (int)result, error.message, words);
        return 1;
    }
    return 0;
}

// 2^32 intervals at 24 and at 60 Hz, and multiples of it, are 0 in 32 bits.
static int extreme_times_are_refused_before_memory_is_taken(void)
{
    static const float times[][3] = {{0.0f, 0.5e6f, 1e6f},
                                     {0.0f, 1e-3f, 3e38f},
                                     {0.0f, 71582788.0f, 2 * 71582788.0f},
                                     {0.0f, 178956970.0f, 2 * 178956970.0f},
                                     {-1e30f, 0.0f, 1.0f}};
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i)
    {
        bake_scene* s = make_clip(3, times[i]);
        for (int encoding = 0; encoding < PELT_ENCODING_COUNT; ++encoding)
        {
            for (int has_budget = 0; has_budget < 2; ++has_budget)
            {
                const pelt_bake_options options = {.encoding = (pelt_encoding)encoding,
                                                   .has_budget = has_budget != 0,
                                                   .timing =
                                                       has_budget ? PELT_BAKE_AUTO : PELT_BAKE_KEYS,
                                                   .max_error = 1e-4};
                // LOCAL needs the keys of the source only, if they are evenly spaced.
                pelt_baked* baked;
                bool is_local = encoding == PELT_ENCODING_LOCAL &&
                                pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK;
                ENSURE(is_local ||
                       refuse(&s->scene, &options, PELT_ERROR_UNSUPPORTED, "--rate") == 0);
                if (is_local)
                {
                    ENSURE(baked->clips[0].key_count <= 4);
                    pelt_baked_destroy(baked);
                }
            }
        }
        bake_scene_free(s);
    }
    // A rate that is low enough is accepted.
    bake_scene* s = make_clip(3, times[0]);
    pelt_baked* baked;
    const pelt_bake_options slow = {.timing = PELT_BAKE_RATE, .rate = 0.001f};
    ENSURE(pelt_bake(&baked, &s->scene, &slow, NULL) == PELT_OK);
    ENSURE(baked->clips[0].key_count == 1000);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

static int memory_can_be_limited(void)
{
    bake_scene* s = bake_scene_dance(3);
    pelt_baked* baked;
    pelt_bake_options options = {.max_memory = 10000};
    ENSURE(refuse(&s->scene, &options, PELT_ERROR_UNSUPPORTED, "--max-memory") == 0);
    // 52 keys, 8 samples to an interval, 3 joints, two matrices of 48 bytes and something.
    options.max_memory = 52 * 8 * 3 * 150;
    ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// Keys off any grid need a higher rate than theirs. Memory for less than twice that rate ends the
// search, however small the file.
static int a_search_tries_no_rate_beyond_the_memory(void)
{
    static const float times[] = {0.0f, 0.3717f, 0.5231f, 1.1133f};
    bake_scene* s = make_clip(4, times);
    pelt_baked* baked;
    pelt_error error = {"would take"};
    pelt_bake_options options = {.encoding = PELT_ENCODING_LOCAL,
                                 .has_budget = true,
                                 .timing = PELT_BAKE_AUTO,
                                 .max_error = 1e-3};
    ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
    pelt_baked_destroy(baked);
    for (options.max_memory = 1000; strstr(error.message, "would take") != NULL;)
    {
        options.max_memory *= 2;
        ENSURE(options.max_memory < 1000000000);
        ENSURE(pelt_bake(&baked, &s->scene, &options, &error) == PELT_ERROR_UNSUPPORTED);
    }
    ENSURE(strstr(error.message, "at any rate that memory allows (--max-memory)") != NULL);
    options.max_memory *= 16;
    ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

static int characters_at_infinity_are_refused(void)
{
    for (int encoding = 0; encoding < PELT_ENCODING_COUNT; ++encoding)
    {
        const pelt_bake_options options = {.encoding = (pelt_encoding)encoding,
                                           .has_budget = true,
                                           .max_error = 1e-4,
                                           .is_relative = true};
        bake_scene* s = bake_scene_dance(3);
        for (int i = 0; i < 9; i += 4)
        {
            s->binds[1].m[i / 3][i % 3] = 3e38f;
        }
        ENSURE(refuse(&s->scene, &options, PELT_ERROR_DATA, "joint \"one\"") == 0);
        bake_scene_free(s);

        s = bake_scene_make(2);
        const float times[2] = {0.0f, 1.0f}, scales[6] = {1, 1, 1, 3e38f, 3e38f, 3e38f};
        bake_scene_clip(s, "burst", 1.0f);
        bake_scene_track(s, 1, PELT_PATH_SCALE, PELT_INTERPOLATION_LINEAR, 2, times, scales);
        ENSURE(refuse(&s->scene, &options, PELT_ERROR_DATA, "clip burst") == 0);
        bake_scene_free(s);
    }
    return 0;
}

// Scales from the smallest float to the largest: whatever is not refused is valid, and measured.
static int what_is_baked_is_valid(void)
{
    for (int exponent = -40; exponent <= 38; exponent += 3)
    {
        float scale = (float)pow(10.0, exponent);
        for (int encoding = 0; encoding < PELT_ENCODING_COUNT; ++encoding)
        {
            for (int where = 0; where < 2; ++where)
            {
                bake_scene* s = bake_scene_dance(2);
                const pelt_bake_options options = {.encoding = (pelt_encoding)encoding};
                s->nodes[0].rest.scale = pelt_vec3_make(scale, scale, scale);
                s->binds[1].m[0][0] = where == 1 ? scale : 1.0f;
                pelt_baked* baked;
                pelt_bake_report report;
                pelt_error error = {""};
                pelt_result result = pelt_bake(&baked, &s->scene, &options, &error);
                ENSURE(result == PELT_OK || error.message[0] != '\0');
                if (result == PELT_OK)
                {
                    ENSURE(pelt_baked_validate(baked, &error) == PELT_OK);
                    ENSURE(pelt_baked_measure(&report, baked, &s->scene, NULL, NULL) == PELT_OK);
                    pelt_bake_report_destroy(&report);
                    pelt_baked_destroy(baked);
                }
                bake_scene_free(s);
            }
        }
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------

static int long_bakes_are_measured_at_fewer_times(void)
{
    bake_scene* s = bake_scene_dance(3);
    pelt_baked* baked;
    pelt_bake_report all, few;
    const pelt_bake_options options = {.encoding = PELT_ENCODING_MATRIX};
    ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
    ENSURE(pelt_baked_measure(&all, baked, &s->scene, NULL, NULL) == PELT_OK);
    // 24 vertices, 3 joints and what goes with them: 100 to a time.
    const pelt_measure_options how = {.max_vertices = 100 * 100};
    ENSURE(pelt_baked_measure(&few, baked, &s->scene, &how, NULL) == PELT_OK);
    uint32_t all_count = all.clips[0].time_count + all.clips[1].time_count;
    uint32_t few_count = few.clips[0].time_count + few.clips[1].time_count;
    ENSURE(all_count > 400 && few_count > 60 && few_count <= 110);
    ENSURE(few.error.max <= all.error.max && few.error.max > 0.9 * all.error.max);
    ENSURE(few.error.max_at_keys > 0.0 && few.error.max_at_keys <= all.error.max_at_keys);
    pelt_bake_report_destroy(&all);
    pelt_bake_report_destroy(&few);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// The first run of the first clip, in the struct and in the texture.
static void set_run(const pelt_baked* baked, float start, float rate)
{
    pelt_baked_run* run = (pelt_baked_run*)&baked->clips[0].runs[0];
    uint32_t* words = (uint32_t*)baked->words;
    uint32_t* entry = words + words[words[6]];
    run->start = start;
    run->rate = rate;
    memcpy(&entry[0], &start, sizeof start);
    memcpy(&entry[1], &rate, sizeof rate);
}

static int unbaking_plays_no_more_than_the_clip(void)
{
    static const struct
    {
        float start, rate;
    } runs[] = {{-1e6f, 30.0f}, {-3e38f, 30.0f}, {-1.0f, 30.0f}, {0.0f, 1e30f},
                {0.5f, 3e38f},  {0.0f, 1e-30f},  {-1e6f, 1e-3f}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i)
    {
        bake_scene* s = bake_scene_dance(3);
        pelt_baked* baked;
        const pelt_bake_options options = {.encoding = PELT_ENCODING_LOCAL};
        ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
        set_run(baked, runs[i].start, runs[i].rate);
        ENSURE(pelt_baked_validate(baked, NULL) == PELT_OK);
        for (int has_rate = 0; has_rate < 2; ++has_rate)
        {
            const pelt_unbake_options how = {.rate = has_rate ? 30.0f : 0.0f};
            pelt_unbake_report report;
            pelt_scene* scene;
            ENSURE(pelt_unbake_scene(&scene, &report, baked, &s->scene, &how, NULL) == PELT_OK);
            // At most 31 keys of a second and 21 of the other clip, each in eight parts.
            ENSURE(report.key_count > 0 && report.key_count <= 8 * (31 + 21));
            ENSURE(!has_rate || report.key_count <= 31 + 21 + 2);
            pelt_scene_destroy(scene);
        }
        pelt_baked_destroy(baked);
        bake_scene_free(s);
    }
    return 0;
}

static int unbaking_has_limits(void)
{
    bake_scene* s = bake_scene_dance(3);
    pelt_baked* baked;
    pelt_scene* scene;
    pelt_error error = {""};
    for (int encoding = PELT_ENCODING_LOCAL; encoding < PELT_ENCODING_COUNT; encoding += 3)
    {
        const pelt_bake_options options = {.encoding = (pelt_encoding)encoding};
        ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
        const pelt_unbake_options how = {.max_memory = 1000};
        ENSURE(pelt_unbake_scene(&scene, NULL, baked, &s->scene, &how, &error) ==
               PELT_ERROR_UNSUPPORTED);
        ENSURE(scene == NULL && strstr(error.message, "--clip") != NULL);
        pelt_baked_destroy(baked);
    }
    // A million keys of a clip are too many, at any rate.
    const pelt_bake_options local = {.encoding = PELT_ENCODING_LOCAL};
    ENSURE(pelt_bake(&baked, &s->scene, &local, NULL) == PELT_OK);
    set_run(baked, 0.0f, 1e-4f);
    pelt_baked_clip* clip = (pelt_baked_clip*)&baked->clips[0];
    uint32_t* words = (uint32_t*)baked->words;
    clip->duration = 1e6f;
    memcpy(&words[words[6] + 2], &clip->duration, sizeof clip->duration);
    ENSURE(pelt_baked_validate(baked, NULL) == PELT_OK);
    const pelt_unbake_options fast = {.rate = 1e4f};
    ENSURE(pelt_unbake_scene(&scene, NULL, baked, &s->scene, &fast, &error) ==
           PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "--rate") != NULL);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

void test_bake_limits(void)
{
    RUN(extreme_times_are_refused_before_memory_is_taken);
    RUN(memory_can_be_limited);
    RUN(a_search_tries_no_rate_beyond_the_memory);
    RUN(characters_at_infinity_are_refused);
    RUN(what_is_baked_is_valid);
    RUN(long_bakes_are_measured_at_fewer_times);
    RUN(unbaking_plays_no_more_than_the_clip);
    RUN(unbaking_has_limits);
}
