// SPDX-License-Identifier: MIT
// Playing with a cursor, against sampling without one, which test_track.c holds against closed
// forms.
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    NODES = 3,
    SHAPES = 2,
    TRACKS = 3 * NODES + 1,
    KEYS_MAX = 300,
};

typedef struct stage
{
    pelt_node nodes[NODES];
    pelt_mesh mesh;
    pelt_morph morphs[SHAPES];
    pelt_instance instance;
    float times[TRACKS][KEYS_MAX];
    float values[TRACKS][KEYS_MAX * 4 * 3];
    pelt_track tracks[TRACKS];
    pelt_clip clips[2]; // all tracks, and the last few at their positions
    pelt_scene scene;
    pelt_pose played, sampled;
    pelt_cursor cursor;
} stage;

// Keys at uneven times, which begin after 0. Some tracks have a single key.
static void fill_track(stage* s, uint32_t index, test_random* random)
{
    pelt_track* track = &s->tracks[index];
    bool is_morph = index == TRACKS - 1;
    track->target = is_morph ? 0 : index / 3;
    track->path = is_morph ? PELT_PATH_MORPH : (pelt_path)(PELT_PATH_TRANSLATION + index % 3);
    track->interpolation = (pelt_interpolation)(test_uniform(random, 0.0f, 2.999f));
    track->width = is_morph ? SHAPES : track->path == PELT_PATH_ROTATION ? 4 : 3;
    track->key_count =
        index % 4 == 3 ? 1 : (uint32_t)test_uniform(random, 2.0f, (float)KEYS_MAX - 1.0f);
    track->times = s->times[index];
    track->values = s->values[index];
    float time = test_uniform(random, 0.0f, 0.5f);
    for (uint32_t key = 0; key < track->key_count; ++key)
    {
        s->times[index][key] = time;
        time += test_uniform(random, 0.01f, 0.1f);
    }
    for (uint32_t i = 0; i < KEYS_MAX * 12; ++i)
    {
        s->values[index][i] = test_uniform(random, -1.0f, 1.0f);
    }
}

static stage* make(uint64_t seed)
{
    stage* s = calloc(1, sizeof *s);
    test_random random = {seed};
    if (s == NULL)
    {
        return NULL;
    }
    for (uint32_t i = 0; i < NODES; ++i)
    {
        s->nodes[i] = (pelt_node){"node", i > 0 ? i - 1 : PELT_NONE, pelt_transform_identity()};
    }
    for (uint32_t i = 0; i < TRACKS; ++i)
    {
        fill_track(s, i, &random);
    }
    s->mesh = (pelt_mesh){.morph_count = SHAPES, .morphs = s->morphs};
    s->instance = (pelt_instance){.skin = PELT_NONE};
    s->clips[0] = (pelt_clip){"all", 9.0f, TRACKS, s->tracks};
    s->clips[1] = (pelt_clip){"few", 4.0f, 4, s->tracks + TRACKS - 4};
    s->scene = (pelt_scene){.node_count = NODES,
                            .mesh_count = 1,
                            .instance_count = 1,
                            .clip_count = 2,
                            .morph_weight_count = SHAPES,
                            .nodes = s->nodes,
                            .meshes = &s->mesh,
                            .instances = &s->instance,
                            .clips = s->clips};
    bool is_ok = pelt_pose_create(&s->played, &s->scene) == PELT_OK &&
                 pelt_pose_create(&s->sampled, &s->scene) == PELT_OK &&
                 pelt_cursor_create(&s->cursor, &s->scene) == PELT_OK;
    return is_ok ? s : NULL;
}

static void destroy(stage* s)
{
    pelt_pose_destroy(&s->played);
    pelt_pose_destroy(&s->sampled);
    pelt_cursor_destroy(&s->cursor);
    free(s);
}

static bool plays_as_sampled(stage* s, uint32_t clip, float time, pelt_wrap wrap)
{
    pelt_pose_play(&s->played, &s->cursor, &s->scene, &s->clips[clip], time, wrap);
    pelt_pose_sample(&s->sampled, &s->scene, &s->clips[clip], time, wrap);
    return memcmp(s->played.locals, s->sampled.locals, NODES * sizeof *s->played.locals) == 0 &&
           memcmp(s->played.morph_weights, s->sampled.morph_weights,
                  SHAPES * sizeof *s->played.morph_weights) == 0;
}

// From small steps to such that pass many keys; several times through the clip.
static int playing_forward_and_backward_is_sampling(void)
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        stage* s = make(seed);
        ENSURE(s != NULL);
        test_random random = {1000 + seed};
        for (uint32_t i = 0; i < 400; ++i)
        {
            float step = 0.002f * (float)(1u << seed % 10), way = seed % 3 == 0 ? -1.0f : 1.0f;
            float time = way * step * ((float)i + test_uniform(&random, 0.0f, 0.5f));
            ENSURE(plays_as_sampled(s, 0, time, PELT_WRAP_LOOP));
            ENSURE(plays_as_sampled(s, 0, 9.0f + time, PELT_WRAP_CLAMP));
        }
        destroy(s);
    }
    return 0;
}

static int jumps_and_other_clips_do_not_show(void)
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        stage* s = make(50 + seed);
        ENSURE(s != NULL);
        test_random random = {2000 + seed};
        for (uint32_t i = 0; i < 400; ++i)
        {
            pelt_wrap wrap = i % 3 == 0 ? PELT_WRAP_CLAMP : PELT_WRAP_LOOP;
            ENSURE(plays_as_sampled(s, i / 7 % 2, test_uniform(&random, -20.0f, 20.0f), wrap));
        }
        destroy(s);
    }
    return 0;
}

// Clips may be added to a scene after a cursor was made for it.
static int tracks_without_room_are_searched(void)
{
    stage* s = make(31);
    ENSURE(s != NULL);
    for (uint32_t room = TRACKS; room-- > 0;)
    {
        s->cursor.track_count = room;
        for (uint32_t i = 0; i < 20; ++i)
        {
            ENSURE(plays_as_sampled(s, 0, 0.4f * (float)i, PELT_WRAP_LOOP));
        }
    }
    pelt_cursor_destroy(&s->cursor);
    ENSURE(plays_as_sampled(s, 0, 1.0f, PELT_WRAP_LOOP));
    destroy(s);
    return 0;
}

// At a key, just before it and just after it, from every other key.
static int every_key_is_found_from_every_key(void)
{
    stage* s = make(99);
    ENSURE(s != NULL);
    pelt_track track = s->tracks[0];
    const pelt_clip clip = {"one", 100.0f, 1, &track};
    track.interpolation = PELT_INTERPOLATION_STEP;
    track.key_count = 40;
    for (uint32_t key = 0; key < 40; ++key)
    {
        s->times[0][key] = 0.1f + 0.01f * (float)(key * key);
    }
    for (uint32_t i = 0; i < 3 * 40 * 40; ++i)
    {
        uint32_t from = i / 3 % 40, to = i / 120;
        float time = i % 3 == 0   ? nextafterf(track.times[to], 0.0f)
                     : i % 3 == 1 ? track.times[to]
                                  : nextafterf(track.times[to], 100.0f);
        uint32_t expected = i % 3 == 0 && to > 0 ? to - 1 : to;
        s->cursor.keys[0] = from;
        pelt_pose_play(&s->played, &s->cursor, &s->scene, &clip, time, PELT_WRAP_CLAMP);
        ENSURE(s->cursor.keys[0] == expected);
        ENSURE(s->played.locals[0].translation.x == track.values[3 * (size_t)expected]);
    }
    destroy(s);
    return 0;
}

// One track with keys 1/30 s apart, played at 60 Hz. @return steps of each sample, at most
static uint64_t most_steps(uint32_t key_count, uint64_t* sum)
{
    float* times = malloc(key_count * sizeof *times);
    float* values = calloc(key_count, 3 * sizeof *values);
    pelt_node node = {"node", PELT_NONE, pelt_transform_identity()};
    uint64_t most = times != NULL && values != NULL ? 0 : UINT64_MAX;
    *sum = 0;
    for (uint32_t i = 0; most == 0 && i < key_count; ++i)
    {
        times[i] = (float)i / 30.0f;
    }
    pelt_track track = {
        0, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, key_count, 3, times, values};
    pelt_clip clip = {"clip", (float)key_count / 30.0f, 1, &track};
    pelt_scene scene = {.node_count = 1, .clip_count = 1, .nodes = &node, .clips = &clip};
    pelt_pose pose;
    pelt_cursor cursor;
    if (pelt_pose_create(&pose, &scene) != PELT_OK ||
        pelt_cursor_create(&cursor, &scene) != PELT_OK)
    {
        return UINT64_MAX;
    }
    for (uint32_t i = 0; most != UINT64_MAX && i < 1000; ++i)
    {
        uint64_t before = cursor.step_count;
        pelt_pose_play(&pose, &cursor, &scene, &clip, (float)i / 60.0f, PELT_WRAP_LOOP);
        uint64_t steps = cursor.step_count - before;
        most = steps > most ? steps : most;
    }
    *sum = cursor.step_count;
    pelt_cursor_destroy(&cursor);
    pelt_pose_destroy(&pose);
    free(times);
    free(values);
    return most;
}

static int playing_forward_takes_as_long_for_any_number_of_keys(void)
{
    uint64_t few, many;
    ENSURE(most_steps(1000, &few) <= 3);
    ENSURE(most_steps(100000, &many) <= 3);
    ENSURE(few == many);
    return 0;
}

// Back to the beginning, and on to the end: twice the length of a bisection, and a few.
static int a_jump_takes_about_a_search(void)
{
    stage* s = make(7);
    ENSURE(s != NULL);
    const pelt_clip clip = {"one", 100.0f, 1, &s->tracks[0]};
    double bisection = log2((double)s->tracks[0].key_count);
    for (int i = 0; i < 10; ++i)
    {
        uint64_t before = s->cursor.step_count;
        pelt_pose_play(&s->played, &s->cursor, &s->scene, &clip, i % 2 == 0 ? 100.0f : 0.0f,
                       PELT_WRAP_CLAMP);
        ENSURE((double)(s->cursor.step_count - before) <= 2.0 * bisection + 3.0);
    }
    destroy(s);
    return 0;
}

void test_pose_play(void)
{
    RUN(playing_forward_and_backward_is_sampling);
    RUN(jumps_and_other_clips_do_not_show);
    RUN(tracks_without_room_are_searched);
    RUN(every_key_is_found_from_every_key);
    RUN(playing_forward_takes_as_long_for_any_number_of_keys);
    RUN(a_jump_takes_about_a_search);
}
