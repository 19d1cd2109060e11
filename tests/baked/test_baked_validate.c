// SPDX-License-Identifier: MIT
// Bakes from outside: whatever words a texture has, it is refused or decoded within its bounds. Run
// it under AddressSanitizer; here it shows that nothing crashes.
#include "bake_scene.h"

#include <stdlib.h>
#include <string.h>

enum
{
    CASES = 4000, // of each encoding
};

// A copy whose words end where the heap block does, so that a sanitizer sees a read beyond; and
// whose struct says what the words say, as a reader makes it.
typedef struct damaged
{
    pelt_baked baked;
    uint32_t* words;
    pelt_baked_joint joints[16];
    pelt_baked_clip clips[4];
    pelt_baked_run runs[4][4];
} damaged;

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

// Read clips and joints again where their tables are still inside.
static void follow_words(damaged* d, size_t word_count)
{
    const uint32_t* words = d->words;
    d->baked.unit = float_of(words[7]);
    d->baked.stretch_unit = float_of(words[8]);
    for (uint32_t i = 0; i < d->baked.joint_count; ++i)
    {
        uint64_t at = words[4] + (uint64_t)4 * i;
        if (at + 4 <= word_count)
        {
            d->joints[i].parent = words[at];
            d->joints[i].pivot = (pelt_vec3){float_of(words[at + 1]), float_of(words[at + 2]),
                                             float_of(words[at + 3])};
        }
    }
    for (uint32_t c = 0; c < d->baked.clip_count; ++c)
    {
        uint64_t at = words[6] + (uint64_t)4 * c;
        if (at + 4 > word_count)
        {
            continue;
        }
        pelt_baked_clip* clip = &d->clips[c];
        clip->duration = float_of(words[at + 2]);
        clip->wraps = words[at + 3] & 1;
        clip->loops = words[at + 3] >> 1 & 1;
        clip->run_count = words[at + 1] <= 4 ? words[at + 1] : 4;
        clip->key_count = 0;
        for (uint32_t r = 0; r < clip->run_count; ++r)
        {
            uint64_t run = words[at] + (uint64_t)8 * r;
            if (run + 8 <= word_count)
            {
                const uint32_t* own = words + run;
                d->runs[c][r] = (pelt_baked_run){
                    float_of(own[0]), float_of(own[1]), own[2], own[3], own[4], own[5], own[6] & 1};
            }
            clip->key_count += d->runs[c][r].key_count;
        }
    }
}

static uint32_t dice(test_random* random, uint32_t count)
{
    uint32_t face = (uint32_t)test_uniform(random, 0.0f, (float)count);
    return face < count ? face : count - 1;
}

static uint32_t damage(uint32_t word, test_random* random)
{
    static const uint32_t values[] = {0,
                                      1,
                                      2,
                                      31,
                                      0xFFFF,
                                      0xFFFFFFFF,
                                      0x7FFFFFFF,
                                      0x80000000,
                                      0x7F800000 /* infinity */,
                                      0x7FC00000 /* NaN */,
                                      0x00000001,
                                      0xFF7FFFFF};
    switch (dice(random, 4))
    {
    case 0:
        return word ^ 1u << dice(random, 32);
    case 1:
        return values[dice(random, sizeof values / sizeof *values)];
    case 2:
        return word + dice(random, 65) - 32;
    default:
        return dice(random, 1 << 24) << 8 ^ dice(random, 1 << 24);
    }
}

static void decode_all(const pelt_baked* baked, test_random* random)
{
    pelt_mat34 out[16];
    for (int i = 0; i < 6; ++i)
    {
        float times[3];
        for (int k = 0; k < 3; ++k)
        {
            times[k] = i == 0 ? 0.0f : i == 1 ? 1e30f : test_uniform(random, -1.0f, 3.0f);
        }
        pelt_playback play = {
            .base = {dice(random, baked->clip_count), times[0], PELT_WRAP_CLAMP},
            .next = {dice(random, baked->clip_count), times[1], PELT_WRAP_LOOP},
            .fade = 0.5f,
            .additive = {dice(random, baked->clip_count), times[2], PELT_WRAP_LOOP},
            .additive_weight = 0.5f,
            .is_spherical = i % 2 == 1};
        pelt_unbake(out, baked, &play);
    }
}

static bool damage_words(damaged* d, const pelt_baked* whole, test_random* random)
{
    size_t count = pelt_baked_bytes(whole) / 4;
    d->baked = *whole;
    d->words = malloc(count * sizeof *d->words);
    if (d->words == NULL)
    {
        return false;
    }
    memcpy(d->words, whole->words, count * sizeof *d->words);
    memcpy(d->joints, whole->joints, whole->joint_count * sizeof *d->joints);
    memcpy(d->clips, whole->clips, whole->clip_count * sizeof *d->clips);
    for (uint32_t c = 0; c < whole->clip_count; ++c)
    {
        memcpy(d->runs[c], whole->clips[c].runs, whole->clips[c].run_count * sizeof **d->runs);
        d->clips[c].runs = d->runs[c];
    }
    d->baked.words = d->words;
    d->baked.joints = d->joints;
    d->baked.clips = d->clips;
    // Most of it is keys, which any bits may be: damage what comes before.
    uint32_t before = whole->clips[0].runs[0].first_word;
    for (uint32_t i = 0; i <= dice(random, 3); ++i)
    {
        uint32_t at =
            dice(random, 10) == 0 ? dice(random, (uint32_t)count) : 2 + dice(random, before - 2);
        d->words[at] = damage(d->words[at], random);
    }
    // Numbers of the header stay, or every case would end there.
    memcpy(d->words, whole->words, 4 * sizeof *d->words);
    d->words[5] = whole->words[5];
    follow_words(d, count);
    return true;
}

static int damaged_textures_are_refused_or_decoded(void)
{
    bake_scene* s = bake_scene_dance(5);
    const float times[3] = {0.0f, 0.3f, 0.5f};
    const float jumps[9] = {0, 0.5f, 0, 0.2f, 0.5f, 0.1f, -0.2f, 0.6f, 0.1f};
    bake_scene_track(s, 3, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_STEP, 3, times, jumps);
    const float scales[9] = {1, 1, 1, 1.4f, 1.4f, 1.4f, 0.8f, 0.9f, 0.8f};
    bake_scene_track(s, 2, PELT_PATH_SCALE, PELT_INTERPOLATION_LINEAR, 3, times, scales);
    test_random random = {77};
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        pelt_bake_options options = {.encoding = (pelt_encoding)encoding};
        pelt_baked* whole;
        ENSURE(pelt_bake(&whole, &s->scene, &options, NULL) == PELT_OK);
        uint32_t refused = 0, decoded = 0;
        for (int i = 0; i < CASES; ++i)
        {
            static damaged d;
            ENSURE(damage_words(&d, whole, &random));
            pelt_error error = {""};
            pelt_result result = pelt_baked_validate(&d.baked, &error);
            if (result == PELT_OK)
            {
                decode_all(&d.baked, &random);
                ++decoded;
            }
            else
            {
                ENSURE(result == PELT_ERROR_DATA && error.message[0] != '\0');
                ++refused;
            }
            free(d.words);
        }
        // Both results are frequent, so that both are tested.
        ENSURE(refused > CASES / 10 && decoded > CASES / 10);
        pelt_baked_destroy(whole);
    }
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------

// One damage at a time, and what the sentence names.
typedef struct refusal
{
    uint32_t word, value;
    const char* words;
} refusal;

static int damage_is_named(void)
{
    bake_scene* s = bake_scene_dance(3);
    pelt_baked* baked;
    ENSURE(pelt_bake(&baked, &s->scene, NULL, NULL) == PELT_OK);
    uint32_t* words = (uint32_t*)baked->words; // of the bake's own arena
    uint32_t joints = words[4], clips = words[6], run = words[clips], table = words[run + 5];
    const refusal refusals[] = {{0, 7, "not an animation texture"},
                                {1, 2, "version 2"},
                                {2, 1, "header"},
                                {3, 9, "header (9"},
                                {4, 0xFFFFFFF0, "table of 3 joints"},
                                {5, 7, "header"},
                                {6, 0xFFFFFFF0, "table of 2 clips"},
                                {7, 0, "header"},
                                {8, 0x7F800000, "header"},
                                {joints, 2, "joint 0"},
                                {joints + 5, 0x7FC00000, "joint 1"},
                                {clips, 0xFFFFFFF0, "clip 0"},
                                {clips + 1, 0, "clip 0"},
                                {clips + 6, 0xBF800000, "clip 1"},
                                {run, 0x7FC00000, "run at word"},
                                {run + 2, 0xFFFFFFFF, "run at word"},
                                {run + 3, 0xFFFFFFFF, "run at word"},
                                {run + 5, 0xFFFFFFFF, "run at word"},
                                {table, 0xFFFFFFFF, "record of joint 0"},
                                {table + (words[table] & 0xFFFF), 0xFFFFF, "record of joint 0"}};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
    {
        uint32_t before = words[refusals[i].word];
        pelt_error error = {""};
        words[refusals[i].word] = refusals[i].value;
        pelt_result result = pelt_baked_validate(baked, &error);
        words[refusals[i].word] = before;
        pelt_result expected = refusals[i].word == 1 ? PELT_ERROR_UNSUPPORTED : PELT_ERROR_DATA;
        if (result != expected || strstr(error.message, refusals[i].words) == NULL)
        {
            printf("  word %u = %#x: \"%s\"\n", refusals[i].word, refusals[i].value, error.message);
            return 1;
        }
    }
    ENSURE(pelt_baked_validate(baked, NULL) == PELT_OK);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

static int texture_that_is_cut_off_is_refused(void)
{
    bake_scene* s = bake_scene_dance(3);
    pelt_baked* whole;
    ENSURE(pelt_bake(&whole, &s->scene, NULL, NULL) == PELT_OK);
    pelt_baked cut = *whole;
    for (cut.height = 0; cut.height < whole->height; ++cut.height)
    {
        ENSURE(pelt_baked_validate(&cut, NULL) == PELT_ERROR_DATA);
    }
    ENSURE(pelt_baked_validate(&cut, NULL) == PELT_OK);
    pelt_baked_destroy(whole);
    bake_scene_free(s);
    return 0;
}

// Parents that go in a circle have no order.
static int circle_of_parents_is_refused(void)
{
    bake_scene* s = bake_scene_dance(3);
    pelt_bake_options options = {.encoding = PELT_ENCODING_LOCAL};
    pelt_baked* baked;
    ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
    uint32_t* words = (uint32_t*)baked->words;
    pelt_baked_joint* joints = (pelt_baked_joint*)baked->joints;
    words[words[4]] = joints[0].parent = 2;
    pelt_error error;
    ENSURE(pelt_baked_validate(baked, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "joint 0") != NULL);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

void test_baked_validate(void)
{
    RUN(damaged_textures_are_refused_or_decoded);
    RUN(damage_is_named);
    RUN(texture_that_is_cut_off_is_refused);
    RUN(circle_of_parents_is_refused);
}
