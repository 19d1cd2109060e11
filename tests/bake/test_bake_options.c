// SPDX-License-Identifier: MIT
// Options of bakes and their refusals: clips, sockets, sizes; memory, threads and cancellation.
#include "bake_compare.h"
#include "bake_scene.h"
#include "baked_fixture.h"
#include "rigs.h"
#include "test.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// What is baked

static int clips_are_those_of_the_list_in_its_order(void)
{
    bake_scene* s = bake_scene_dance(2);
    bake_scene_clip(s, "empty", 1.0f);
    const uint32_t order[] = {1, 0, 1, 2};
    pelt_baked* baked;
    // Without a list, those that have tracks.
    ENSURE(pelt_bake(&baked, &s->scene, NULL, NULL) == PELT_OK && baked->clip_count == 2);
    ENSURE(strcmp(baked->clips[0].name, "dance") == 0 && strcmp(baked->clips[1].name, "bow") == 0);
    ENSURE(pelt_baked_find_clip(baked, "bow") == 1);
    ENSURE(pelt_baked_find_clip(baked, "empty") == PELT_NONE);
    pelt_baked_destroy(baked);

    pelt_bake_options options = {.clip_count = 4, .clips = order};
    ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK && baked->clip_count == 4);
    ENSURE(pelt_baked_validate(baked, NULL) == PELT_OK);
    for (uint32_t i = 0; i < 4; ++i)
    {
        ENSURE(strcmp(baked->clips[i].name, s->clips[order[i]].name) == 0);
        ENSURE(baked->clips[i].duration == s->clips[order[i]].duration);
        bake_comparison c;
        bake_difference found = {0};
        ENSURE(bake_comparison_create(&c, &s->scene, baked));
        bake_compare_at(&found, &c, order[i], i, 0.3f);
        ENSURE(found.max < 1e-3);
        bake_comparison_destroy(&c);
    }
    // A clip that was asked for and has no tracks is the stored pose.
    ENSURE(baked->clips[3].key_count == 1);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// A socket carries what the node carries: its motion is the node's own matrix.
static int sockets_follow_their_nodes(void)
{
    bake_scene* s = bake_scene_dance(4);
    const uint32_t nodes[] = {3, 1};
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        pelt_bake_options options = {
            .encoding = (pelt_encoding)encoding, .socket_count = 2, .sockets = nodes};
        pelt_baked* baked;
        bake_comparison c;
        ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
        ENSURE(pelt_baked_validate(baked, NULL) == PELT_OK && baked->joint_count == 6);
        ENSURE(bake_comparison_create(&c, &s->scene, baked));
        for (uint32_t i = 0; i < 2; ++i)
        {
            ENSURE(baked->joints[4 + i].kind == PELT_BAKED_SOCKET);
            ENSURE(strcmp(baked->joints[4 + i].name, s->nodes[nodes[i]].name) == 0);
            for (uint32_t key = 0; key < 30; ++key)
            {
                bake_difference found = {0};
                bake_compare_at(&found, &c, 0, 0, (float)(key / 30.0));
                const pelt_mat34 *own = &c.motions[4 + i], *expected = &c.model_from_node[nodes[i]];
                pelt_vec3 hand = {0.1f, 0.05f, 0.1f};
                // 16 bits of a meter or two, 96 for six numbers and their paths.
                ENSURE_POINT(pelt_mat34_point(own, hand), pelt_mat34_point(expected, hand), 5e-4);
            }
        }
        bake_comparison_destroy(&c);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

// The words are the same, whatever the texel.
static int texels_hold_the_same_keys(void)
{
    bake_scene* s = bake_scene_dance(3);
    const pelt_texel texels[] = {PELT_TEXEL_RGBA32UI, PELT_TEXEL_RGBA16UI, PELT_TEXEL_RGBA8UI};
    pelt_baked* all[3];
    for (int i = 0; i < 3; ++i)
    {
        pelt_bake_options options = {.texel = texels[i]};
        ENSURE(pelt_bake(&all[i], &s->scene, &options, NULL) == PELT_OK);
        ENSURE(pelt_baked_validate(all[i], NULL) == PELT_OK && all[i]->texel == texels[i]);
        ENSURE(pelt_texel_words(texels[i]) == 4u >> i);
        ENSURE(pelt_baked_bytes(all[i]) ==
               (size_t)4 * pelt_texel_words(texels[i]) * all[i]->width * all[i]->height);
        pelt_mat34 a[3], b[3];
        pelt_playback play = {.base = {1, 0.123f, PELT_WRAP_LOOP}};
        pelt_unbake(a, all[0], &play);
        pelt_unbake(b, all[i], &play);
        ENSURE(memcmp(a, b, sizeof a) == 0);
    }
    for (int i = 0; i < 3; ++i)
    {
        pelt_baked_destroy(all[i]);
    }
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// What cannot be

typedef struct refusal
{
    pelt_bake_options options;
    pelt_result result;
    const char* words; // that the sentence has
} refusal;

static int options_out_of_range_are_named(void)
{
    static const uint32_t seven[] = {7};
    static const refusal refusals[] = {
        {{.encoding = PELT_ENCODING_COUNT}, PELT_ERROR_ARGUMENT, "5"},
        {{.bits = 95}, PELT_ERROR_ARGUMENT, "qt has 64, 96 or 128 bits, not 95"},
        {{.encoding = PELT_ENCODING_LOCAL, .bits = 25}, PELT_ERROR_ARGUMENT, "local"},
        {{.encoding = PELT_ENCODING_LOCAL, .bits = 1}, PELT_ERROR_ARGUMENT, "bits, not 1"},
        {{.encoding = PELT_ENCODING_MATRIX, .bits = 24}, PELT_ERROR_ARGUMENT, "24"},
        {{.encoding = PELT_ENCODING_DQ, .bits = 96}, PELT_ERROR_ARGUMENT, "96"},
        {{.encoding = PELT_ENCODING_VERTEX, .bits = 3}, PELT_ERROR_ARGUMENT, "3"},
        {{.timing = PELT_BAKE_RATE}, PELT_ERROR_ARGUMENT, "0 Hz"},
        {{.timing = PELT_BAKE_RATE, .rate = -5.0f}, PELT_ERROR_ARGUMENT, "-5 Hz"},
        {{.timing = PELT_BAKE_RATE, .rate = 1e9f}, PELT_ERROR_ARGUMENT, "Hz"},
        {{.timing = PELT_BAKE_RATE, .rate = (float)NAN}, PELT_ERROR_ARGUMENT, "nan Hz"},
        {{.clip_count = 1, .clips = seven}, PELT_ERROR_ARGUMENT, "clip 7"},
        {{.socket_count = 1, .sockets = seven}, PELT_ERROR_ARGUMENT, "node 7"},
        {{.max_size = 4}, PELT_ERROR_UNSUPPORTED, "4 x 4"},
        {{.encoding = PELT_ENCODING_LOCAL, .max_size = 4}, PELT_ERROR_UNSUPPORTED, "4 x 4"},
    };
    bake_scene* s = bake_scene_dance(2);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
    {
        pelt_baked* baked = (pelt_baked*)s;
        pelt_error error = {""};
        ENSURE(pelt_bake(&baked, &s->scene, &refusals[i].options, &error) == refusals[i].result);
        if (baked != NULL || strstr(error.message, refusals[i].words) == NULL)
        {
            printf("  %s: \"%s\"\n", refusals[i].words, error.message);
            return 1;
        }
        ENSURE(pelt_bake(&baked, &s->scene, &refusals[i].options, NULL) == refusals[i].result);
    }
    bake_scene_free(s);
    return 0;
}

static int scene_without_anything_to_bake_is_refused(void)
{
    bake_scene* s = bake_scene_make(2);
    pelt_baked* baked;
    pelt_error error;
    ENSURE(pelt_bake(&baked, &s->scene, NULL, &error) == PELT_ERROR_DATA && baked == NULL);
    ENSURE(strstr(error.message, "chain has no clips") != NULL);
    bake_scene_clip(s, "empty", 1.0f);
    ENSURE(pelt_bake(&baked, &s->scene, NULL, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "no clips") != NULL);

    pelt_scene empty = {.node_count = 2, .nodes = s->nodes, .clip_count = 1, .clips = s->clips};
    s->scene.clip_count = 1;
    bake_scene_rotate(s, 1, pelt_vec3_make(1, 0, 0), 0.0f, 30.0f, 5, 0.1f);
    ENSURE(pelt_bake(&baked, &empty, NULL, &error) == PELT_ERROR_DATA && baked == NULL);
    ENSURE(strstr(error.message, "no meshes") != NULL);
    pelt_scene nothing = {.clip_count = 1, .clips = s->clips};
    s->clips[0].track_count = 0;
    const uint32_t first = 0;
    pelt_bake_options options = {.clip_count = 1, .clips = &first};
    ENSURE(pelt_bake(&baked, &nothing, &options, &error) == PELT_ERROR_DATA && baked == NULL);
    bake_scene_free(s);
    return 0;
}

// Width and height are within the limit, and the content is the same.
static int textures_fit_the_largest_size(void)
{
    bake_scene* s = bake_scene_dance(4);
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        pelt_bake_options options = {.encoding = (pelt_encoding)encoding};
        pelt_baked *whole, *baked;
        ENSURE(pelt_bake(&whole, &s->scene, &options, NULL) == PELT_OK);
        bool was_refused = false;
        for (options.max_size = 256; options.max_size > 4; options.max_size -= 3)
        {
            pelt_result result = pelt_bake(&baked, &s->scene, &options, NULL);
            ENSURE(result == PELT_OK || result == PELT_ERROR_UNSUPPORTED);
            // What is too large for a size is for any smaller one.
            ENSURE(!was_refused || result != PELT_OK);
            was_refused = result != PELT_OK;
            if (result == PELT_OK)
            {
                ENSURE(baked->width <= options.max_size && baked->height <= options.max_size);
                ENSURE(pelt_baked_validate(baked, NULL) == PELT_OK);
                pelt_mat34 a[4], b[4];
                pelt_playback play = {.base = {1, 0.321f, PELT_WRAP_LOOP}};
                pelt_unbake(a, whole, &play);
                pelt_unbake(b, baked, &play);
                ENSURE(memcmp(a, b, sizeof a) == 0);
                pelt_baked_destroy(baked);
            }
        }
        pelt_baked_destroy(whole);
    }
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Progress

typedef struct listener
{
    int calls, cancel_at;
    float last;
    bool goes_back;
} listener;

static bool listen(float part, void* user)
{
    listener* own = user;
    own->goes_back = own->goes_back || part < own->last || part > 1.0f;
    own->last = part;
    return ++own->calls != own->cancel_at;
}

static int baking_can_be_canceled_at_any_call(void)
{
    bake_scene* s = bake_scene_dance(2);
    for (int has_budget = 0; has_budget < 2; ++has_budget)
    {
        listener all = {0};
        pelt_bake_options options = {
            .has_budget = has_budget != 0, .max_error = 1e-3, .progress = listen, .user = &all};
        pelt_baked* baked;
        pelt_error error;
        ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
        ENSURE(all.calls >= 4 && !all.goes_back && all.last == 1.0f);
        pelt_baked_destroy(baked);
        for (int i = 1; i <= all.calls; ++i)
        {
            listener own = {.cancel_at = i};
            options.user = &own;
            ENSURE(pelt_bake(&baked, &s->scene, &options, &error) == PELT_ERROR_CANCELED);
            ENSURE(baked == NULL && own.calls == i);
            ENSURE(strstr(error.message, "canceled") != NULL);
        }
    }
    bake_scene_free(s);
    return 0;
}

static int measuring_can_be_canceled_at_any_call(void)
{
    bake_scene* s = bake_scene_dance(2);
    pelt_baked* baked;
    pelt_bake_report report;
    listener all = {0};
    pelt_measure_options options = {.progress = listen, .user = &all};
    ENSURE(pelt_bake(&baked, &s->scene, NULL, NULL) == PELT_OK);
    ENSURE(pelt_baked_measure(&report, baked, &s->scene, &options, NULL) == PELT_OK);
    ENSURE(all.calls > 4 && !all.goes_back && all.last == 1.0f);
    pelt_bake_report_destroy(&report);
    for (int i = 1; i <= all.calls; i += 5)
    {
        listener own = {.cancel_at = i};
        options.user = &own;
        ENSURE(pelt_baked_measure(&report, baked, &s->scene, &options, NULL) ==
               PELT_ERROR_CANCELED);
        ENSURE(own.calls == i && report.arena == NULL);
    }
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Memory and threads

static int threads_do_not_change_a_bit(void)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, "box", NULL) == PELT_OK);
    bake_scene* s = bake_scene_dance(3);
    const pelt_scene* scenes[] = {scene, &s->scene};
    for (int i = 0; i < 2 * (PELT_ENCODING_VERTEX + 2); ++i)
    {
        int kind = i / 2;
        pelt_bake_options options = {
            .encoding = kind < PELT_ENCODING_VERTEX    ? (pelt_encoding)kind
                        : kind == PELT_ENCODING_VERTEX ? PELT_ENCODING_QT
                                                       : PELT_ENCODING_LOCAL,
            .has_budget = kind >= PELT_ENCODING_VERTEX,
            .timing = kind >= PELT_ENCODING_VERTEX ? PELT_BAKE_AUTO : PELT_BAKE_KEYS,
            .max_error = 2e-3};
        pelt_baked *alone, *baked;
        ENSURE(pelt_bake(&alone, scenes[i % 2], &options, NULL) == PELT_OK);
        for (uint32_t threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3)
        {
            // Each number with one of the two scenes, or with both.
            if ((threads + (uint32_t)i) % 2 == 0 && !test_is_full_sweep())
            {
                continue;
            }
            pelt_pool* pool = pelt_pool_create(threads);
            pelt_hooks before = pelt_hooks_get(), hooks = before;
            hooks.run = pelt_pool_run;
            hooks.run_user = pool;
            pelt_hooks_set(&hooks);
            pelt_result result = pelt_bake(&baked, scenes[i % 2], &options, NULL);
            pelt_hooks_set(&before);
            pelt_pool_destroy(pool);
            ENSURE(result == PELT_OK && baked_is_same(alone, baked));
            pelt_baked_destroy(baked);
        }
        pelt_baked_destroy(alone);
    }
    bake_scene_free(s);
    pelt_scene_destroy(scene);
    return 0;
}

void test_bake_options(void)
{
    RUN(clips_are_those_of_the_list_in_its_order);
    RUN(sockets_follow_their_nodes);
    RUN(texels_hold_the_same_keys);
    RUN(options_out_of_range_are_named);
    RUN(scene_without_anything_to_bake_is_refused);
    RUN(textures_fit_the_largest_size);
    RUN(baking_can_be_canceled_at_any_call);
    RUN(measuring_can_be_canceled_at_any_call);
    RUN(threads_do_not_change_a_bit);
}
