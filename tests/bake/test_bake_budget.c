// SPDX-License-Identifier: MIT
// Budgets: the bound holds at every vertex and at any time, by a measurement of the test's own; and
// what cannot be met is answered with what can.
#include "bake_compare.h"
#include "bake_scene.h"
#include "rigs.h"

#include <stdlib.h>
#include <string.h>

typedef struct budget_case
{
    pelt_encoding encoding;
    pelt_bake_timing timing;
    double max_error; // meters
} budget_case;

static pelt_bake_options options_of(const budget_case* own)
{
    return (pelt_bake_options){.encoding = own->encoding,
                               .timing = own->timing,
                               .has_budget = true,
                               .max_error = own->max_error};
}

// Times that no encoder has sampled.
static double error_anywhere(const pelt_scene* scene, const pelt_baked* baked, uint32_t count)
{
    bake_comparison c;
    test_random random = {99};
    double most = INFINITY;
    if (bake_comparison_create(&c, scene, baked))
    {
        most = 0.0;
        for (uint32_t clip = 0; clip < baked->clip_count; ++clip)
        {
            most = fmax(most, bake_compare_random(&c, clip, clip, count, &random));
        }
    }
    bake_comparison_destroy(&c);
    return most;
}

static double error_at_keys(const pelt_scene* scene, const pelt_baked* baked)
{
    bake_comparison c;
    double most = INFINITY;
    if (bake_comparison_create(&c, scene, baked))
    {
        most = 0.0;
        for (uint32_t clip = 0; clip < baked->clip_count; ++clip)
        {
            most = fmax(most, bake_compare_keys(&c, clip, clip));
        }
    }
    bake_comparison_destroy(&c);
    return most;
}

// ---------------------------------------------------------------------------------------------
// Errors

static int check_bound(const pelt_scene* scene, const budget_case* own, uint32_t time_count)
{
    // The search takes a second for each clip of a character.
    static const uint32_t first[] = {0, 1};
    uint32_t most = test_is_full_sweep() || scene->node_count < 10 ? 2 : 1;
    pelt_bake_options options = options_of(own);
    options.clip_count = scene->clip_count < most ? scene->clip_count : most;
    options.clips = first;
    pelt_baked* baked = bake_valid(scene, &options);
    ENSURE(baked != NULL);
    double found = error_anywhere(scene, baked, time_count);
    if (!(found <= own->max_error))
    {
        printf("  %s by %s%s: %.4g mm anywhere, %.4g mm were asked for\n", scene->name,
               pelt_encoding_name(own->encoding), own->timing == PELT_BAKE_AUTO ? " auto" : "",
               1e3 * found, 1e3 * own->max_error);
    }
    pelt_baked_destroy(baked);
    ENSURE(found <= own->max_error);
    return 0;
}

// Bounds in meters on 3 m of boxes, whose lower joints swing by 1 m between two keys of others.
static int bound_holds_anywhere(void)
{
    static const budget_case cases[] = {
        {PELT_ENCODING_QT, PELT_BAKE_KEYS, 2e-3},     {PELT_ENCODING_QT, PELT_BAKE_AUTO, 1e-3},
        {PELT_ENCODING_QT, PELT_BAKE_AUTO, 1e-2},     {PELT_ENCODING_LOCAL, PELT_BAKE_KEYS, 1e-3},
        {PELT_ENCODING_LOCAL, PELT_BAKE_KEYS, 3e-5},  {PELT_ENCODING_LOCAL, PELT_BAKE_AUTO, 2e-3},
        {PELT_ENCODING_MATRIX, PELT_BAKE_AUTO, 5e-3}, {PELT_ENCODING_DQ, PELT_BAKE_AUTO, 5e-3}};
    bake_scene* s = bake_scene_dance(4);
    int failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        failures += check_bound(&s->scene, &cases[i], 600);
    }
    bake_scene_free(s);
    return failures;
}

static int bound_holds_anywhere_on_rigs(void)
{
    static const budget_case cases[] = {{PELT_ENCODING_QT, PELT_BAKE_AUTO, 1e-3},
                                        {PELT_ENCODING_LOCAL, PELT_BAKE_KEYS, 2e-4}};
    static const char* const names[] = {"box", "human?vertices=2000"};
    int failures = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n)
    {
        pelt_scene* scene;
        ENSURE(pelt_rig_build(&scene, names[n], NULL) == PELT_OK);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        {
            failures += check_bound(scene, &cases[i], 80);
        }
        pelt_scene_destroy(scene);
    }
    return failures;
}

static int bound_at_samples_holds_there(void)
{
    bake_scene* s = bake_scene_dance(4);
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        for (double error = 1e-2; error > 5e-5; error *= 0.2)
        {
            pelt_bake_options options = {.encoding = (pelt_encoding)encoding,
                                         .has_budget = true,
                                         .max_error = error,
                                         .scope = PELT_BAKE_AT_SAMPLES};
            pelt_baked* baked = bake_valid(&s->scene, &options);
            ENSURE(baked != NULL && error_at_keys(&s->scene, baked) <= error);
            pelt_baked_destroy(baked);
        }
    }
    bake_scene_free(s);
    return 0;
}

static size_t bytes_of(const pelt_scene* scene, const pelt_bake_options* options)
{
    pelt_baked* baked = bake_valid(scene, options);
    size_t bytes = baked != NULL ? pelt_baked_bytes(baked) : 0;
    pelt_baked_destroy(baked);
    return bytes;
}

// Two bits more for each value: whatever a search finds by chance is less.
static int quarter_of_the_error_takes_more_bytes(void)
{
    static const budget_case cases[] = {{PELT_ENCODING_QT, PELT_BAKE_AUTO, 8e-3},
                                        {PELT_ENCODING_LOCAL, PELT_BAKE_KEYS, 8e-3},
                                        {PELT_ENCODING_LOCAL, PELT_BAKE_AUTO, 8e-3}};
    bake_scene* s = bake_scene_dance(4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        pelt_bake_options options = options_of(&cases[i]);
        size_t before = 0;
        for (int k = 0; k < 4; ++k, options.max_error *= 0.25)
        {
            size_t bytes = bytes_of(&s->scene, &options);
            ENSURE(bytes >= before && bytes > 0);
            before = bytes;
        }
    }
    bake_scene_free(s);
    return 0;
}

static int auto_takes_no_more_bytes_than_keys(void)
{
    pelt_scene* scene;
    bake_scene* s = bake_scene_dance(4);
    ENSURE(pelt_rig_build(&scene, "box", NULL) == PELT_OK);
    const pelt_scene* scenes[] = {&s->scene, scene};
    for (int i = 0; i < 2; ++i)
    {
        for (int encoding = 0; encoding < 2; ++encoding)
        {
            budget_case keys = {(pelt_encoding)encoding, PELT_BAKE_KEYS, 4e-3}, fewer = keys;
            fewer.timing = PELT_BAKE_AUTO;
            pelt_bake_options a = options_of(&keys), b = options_of(&fewer);
            size_t bytes = bytes_of(scenes[i], &a);
            ENSURE(bytes > 0 && bytes_of(scenes[i], &b) <= bytes);
        }
    }
    bake_scene_free(s);
    pelt_scene_destroy(scene);
    return 0;
}

// Fewer keys, not only fewer bits, where the motion is slow.
static int auto_drops_keys_of_slow_clips(void)
{
    bake_scene* s = bake_scene_make(2);
    bake_scene_clip(s, "slow", 2.0f);
    bake_scene_rotate(s, 1, pelt_vec3_make(1, 0, 0), 0.0f, 60.0f, 121, 0.005f);
    budget_case own = {PELT_ENCODING_QT, PELT_BAKE_AUTO, 1e-3};
    pelt_bake_options options = options_of(&own);
    pelt_baked* baked = bake_valid(&s->scene, &options);
    ENSURE(baked != NULL && baked->clips[0].key_count <= 121 / 4);
    ENSURE(error_anywhere(&s->scene, baked, 300) <= 1e-3);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Bytes

static int bytes_are_respected_and_more_of_them_help(void)
{
    bake_scene* s = bake_scene_dance(4);
    for (int encoding = 0; encoding < 2; ++encoding)
    {
        double before = INFINITY;
        for (size_t bytes = 1500; bytes <= 6000; bytes *= 2)
        {
            pelt_bake_options options = {
                .encoding = (pelt_encoding)encoding, .has_budget = true, .max_bytes = bytes};
            pelt_baked* baked = bake_valid(&s->scene, &options);
            ENSURE(baked != NULL && pelt_baked_bytes(baked) <= bytes);
            double error = error_at_keys(&s->scene, baked);
            ENSURE(error < before);
            before = error;
            pelt_baked_destroy(baked);
        }
    }
    bake_scene_free(s);
    return 0;
}

// The number before a word of a sentence.
static double number_before(const char* message, const char* word)
{
    const char* at = strstr(message, word);
    while (at != NULL && at > message && at[-1] == ' ')
    {
        --at;
    }
    while (at != NULL && at > message && at[-1] != ' ')
    {
        --at;
    }
    return at != NULL ? strtod(at, NULL) : 0.0;
}

static int error_that_cannot_be_met_is_answered_with_one_that_can(void)
{
    bake_scene* s = bake_scene_dance(3);
    const pelt_encoding encodings[] = {PELT_ENCODING_QT, PELT_ENCODING_MATRIX, PELT_ENCODING_DQ};
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; ++i)
    {
        // Between keys of 30 Hz, whatever the bits.
        pelt_bake_options options = {
            .encoding = encodings[i], .has_budget = true, .max_error = 1e-6};
        pelt_baked* baked;
        pelt_error error;
        ENSURE(pelt_bake(&baked, &s->scene, &options, &error) == PELT_ERROR_UNSUPPORTED);
        ENSURE(baked == NULL && strstr(error.message, "clip ") != NULL);
        double reached = 1e-3 * number_before(error.message, "mm; choose");
        ENSURE(reached > 1e-6);
        // In between, where it might do for most vertices, it does or says the same.
        for (double part = 0.7; part < 1.0; part += 0.1)
        {
            options.max_error = part * reached;
            pelt_result result = pelt_bake(&baked, &s->scene, &options, &error);
            ENSURE(result == PELT_OK || (result == PELT_ERROR_UNSUPPORTED &&
                                         strstr(error.message, "it reaches") != NULL));
            pelt_baked_destroy(baked);
        }
        // That clip is the worst; the figure has three digits.
        options.max_error = 1.006 * reached;
        baked = bake_valid(&s->scene, &options);
        ENSURE(baked != NULL && error_anywhere(&s->scene, baked, 300) <= options.max_error);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

static int bytes_that_are_too_few_are_answered_with_what_it_takes(void)
{
    bake_scene* s = bake_scene_dance(3);
    pelt_bake_options options = {
        .encoding = PELT_ENCODING_LOCAL, .has_budget = true, .max_bytes = 100};
    pelt_baked* baked;
    pelt_error error;
    ENSURE(pelt_bake(&baked, &s->scene, &options, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(baked == NULL && strstr(error.message, "100 bytes are too few") != NULL);
    double least = number_before(error.message, "bytes are needed");
    ENSURE(least > 100.0);
    options.max_bytes = (size_t)least;
    baked = bake_valid(&s->scene, &options);
    ENSURE(baked != NULL && pelt_baked_bytes(baked) <= options.max_bytes);
    pelt_baked_destroy(baked);

    // Both bounds at once.
    options.max_error = 1e-4;
    ENSURE(pelt_bake(&baked, &s->scene, &options, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(baked == NULL && strstr(error.message, "0.1 mm takes") != NULL);
    options.max_bytes = (size_t)number_before(error.message, "bytes, more than");
    baked = bake_valid(&s->scene, &options);
    ENSURE(baked != NULL && pelt_baked_bytes(baked) == options.max_bytes);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// The choice of the encoding

// Each encoding by itself is the oracle of the choice.
static int budget_alone_takes_the_smaller_encoding(void)
{
    for (int kind = 0; kind < 2; ++kind)
    {
        bake_scene* s = kind == 0 ? bake_scene_dance(6) : bake_scene_make(1);
        if (kind == 1)
        {
            bake_scene_clip(s, "rotation", 2.0f);
            bake_scene_rotate(s, 0, pelt_vec3_make(0, 0, 1), 0.0f, 30.0f, 61, 0.05f);
        }
        pelt_bake_options options = {
            .has_budget = true, .max_error = 5e-4, .timing = PELT_BAKE_AUTO};
        size_t bytes[2];
        for (int i = 0; i < 2; ++i)
        {
            options.encoding = i == 0 ? PELT_ENCODING_QT : PELT_ENCODING_LOCAL;
            pelt_baked* own = bake_valid(&s->scene, &options);
            ENSURE(own != NULL && own->candidate_count == 0);
            bytes[i] = pelt_baked_bytes(own);
            pelt_baked_destroy(own);
        }
        options.encoding = PELT_ENCODING_VERTEX; // which is not looked at
        options.finds_encoding = true;
        pelt_baked* baked = bake_valid(&s->scene, &options);
        ENSURE(baked != NULL && baked->candidate_count == 2);
        size_t smaller = bytes[0] < bytes[1] ? bytes[0] : bytes[1];
        const pelt_bake_candidate* other = &baked->candidates[1];
        ENSURE(pelt_baked_bytes(baked) == smaller && baked->candidates[0].bytes == smaller);
        ENSURE(baked->candidates[0].is_met && baked->candidates[0].encoding == baked->encoding);
        ENSURE(other->is_given_up ? !other->is_met && other->bytes > smaller
                                  : other->is_met && other->bytes >= smaller);
        ENSURE(error_anywhere(&s->scene, baked, 300) <= options.max_error);
        pelt_baked_destroy(baked);
        bake_scene_free(s);
    }
    return 0;
}

// Within so many bytes it is the smaller error.
static int bytes_alone_take_the_smaller_error(void)
{
    bake_scene* s = bake_scene_dance(4);
    pelt_bake_options options = {.has_budget = true, .max_bytes = 2000, .timing = PELT_BAKE_AUTO};
    double errors[2];
    for (int i = 0; i < 2; ++i)
    {
        options.encoding = i == 0 ? PELT_ENCODING_QT : PELT_ENCODING_LOCAL;
        pelt_baked* own = bake_valid(&s->scene, &options);
        ENSURE(own != NULL && pelt_baked_bytes(own) <= options.max_bytes);
        errors[i] = error_anywhere(&s->scene, own, 300);
        pelt_baked_destroy(own);
    }
    options.finds_encoding = true;
    pelt_baked* baked = bake_valid(&s->scene, &options);
    ENSURE(baked != NULL && pelt_baked_bytes(baked) <= options.max_bytes);
    ENSURE(baked->encoding == (errors[0] < errors[1] ? PELT_ENCODING_QT : PELT_ENCODING_LOCAL));
    ENSURE(baked->candidates[0].max_error < baked->candidates[1].max_error);
    // Random times are no more than some of all.
    ENSURE_NEAR(baked->candidates[0].max_error, fmin(errors[0], errors[1]),
                0.2 * baked->candidates[0].max_error);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// What neither encoding reaches is answered with what each does.
static int budget_that_no_encoding_meets_is_refused_with_both(void)
{
    bake_scene* s = bake_scene_dance(3);
    // Ten keys a second are too few for either, whatever the bits.
    pelt_bake_options options = {.has_budget = true,
                                 .finds_encoding = true,
                                 .timing = PELT_BAKE_RATE,
                                 .rate = 10.0f,
                                 .max_error = 1e-6};
    pelt_baked* baked;
    pelt_error error;
    ENSURE(pelt_bake(&baked, &s->scene, &options, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(baked == NULL && strstr(error.message, "encoding local") != NULL);
    ENSURE(strstr(error.message, "encoding qt") != NULL);
    ENSURE(strstr(error.message, "; encoding ") != NULL);
    double reached = 1e-3 * number_before(error.message, "mm; choose");
    ENSURE(reached > 1e-6);
    options.max_error = 1.006 * reached;
    baked = bake_valid(&s->scene, &options);
    ENSURE(baked != NULL && error_anywhere(&s->scene, baked, 300) <= options.max_error);
    pelt_baked_destroy(baked);
    // Without a budget there is nothing to compare by.
    options.has_budget = false;
    ENSURE(pelt_bake(&baked, &s->scene, &options, &error) == PELT_ERROR_ARGUMENT);
    bake_scene_free(s);
    return 0;
}

void test_bake_budget(void)
{
    RUN(bound_holds_anywhere);
    RUN(bound_holds_anywhere_on_rigs);
    RUN(bound_at_samples_holds_there);
    RUN(quarter_of_the_error_takes_more_bytes);
    RUN(auto_takes_no_more_bytes_than_keys);
    RUN(auto_drops_keys_of_slow_clips);
    RUN(bytes_are_respected_and_more_of_them_help);
    RUN(error_that_cannot_be_met_is_answered_with_one_that_can);
    RUN(bytes_that_are_too_few_are_answered_with_what_it_takes);
    RUN(budget_alone_takes_the_smaller_encoding);
    RUN(bytes_alone_take_the_smaller_error);
    RUN(budget_that_no_encoding_meets_is_refused_with_both);
}
