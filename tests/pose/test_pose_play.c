// SPDX-License-Identifier: MIT
// Playing with a cursor or a player, against sampling without one, which test_track.c holds against
// closed forms, and against spherical interpolation in double precision.
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

// ---------------------------------------------------------------------------------------------
// Players

typedef struct quat64
{
    double c[4];
} quat64;

static quat64 unit_key(const pelt_track* track, uint32_t key, double sign)
{
    quat64 q;
    double square = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        q.c[i] = track->values[4 * (size_t)key + (size_t)i];
        square += q.c[i] * q.c[i];
    }
    for (int i = 0; i < 4; ++i)
    {
        q.c[i] *= sign / sqrt(square);
    }
    return q;
}

// Spherical interpolation on the shorter arc, with the sign that puts the first key nearest to the
// identity, which is the stored pose of every node here.
static quat64 exact_rotation(const pelt_track* track, float time)
{
    double sign = track->values[3] < 0.0f ? -1.0 : 1.0;
    uint32_t key = 0;
    while (key + 1 < track->key_count && track->times[key + 1] <= time)
    {
        ++key;
    }
    quat64 a = unit_key(track, key, sign);
    if (key + 1 == track->key_count || time <= track->times[key])
    {
        return a;
    }
    quat64 b = unit_key(track, key + 1, sign);
    double dot = 0.0, square = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        dot += a.c[i] * b.c[i];
    }
    double t = (time - track->times[key]) / (track->times[key + 1] - track->times[key]);
    double shorter = dot < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; ++i)
    {
        double difference = shorter * b.c[i] - a.c[i];
        square += difference * difference;
    }
    double angle = 2.0 * asin(fmin(0.5 * sqrt(square), 1.0));
    double wa = angle > 0.0 ? sin((1.0 - t) * angle) / sin(angle) : 1.0 - t;
    double wb = angle > 0.0 ? sin(t * angle) / sin(angle) : t;
    for (int i = 0; i < 4; ++i)
    {
        a.c[i] = wa * a.c[i] + shorter * wb * b.c[i];
    }
    return a;
}

static bool is_near_exact(pelt_quat q, const pelt_track* track, float time)
{
    quat64 exact = exact_rotation(track, time);
    const float values[4] = {q.x, q.y, q.z, q.w};
    bool is_near = fabs(sqrt((double)pelt_quat_dot(q, q)) - 1.0) <= 4e-7;
    for (int i = 0; i < 4; ++i)
    {
        is_near = is_near && fabs(values[i] - exact.c[i]) <= 3e-7;
    }
    return is_near;
}

// Linear rotations are near the exact ones, everything else is that of pelt_pose_sample() to the
// bit.
static bool plays_right(stage* s, pelt_player* player, const pelt_clip* clip, float time)
{
    pelt_player_sample(&s->played, player, time, PELT_WRAP_CLAMP);
    pelt_pose_sample(&s->sampled, &s->scene, clip, time, PELT_WRAP_CLAMP);
    bool is_right = true;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        if (track->path == PELT_PATH_ROTATION && track->key_count > 1 &&
            track->interpolation == PELT_INTERPOLATION_LINEAR)
        {
            float t = fminf(fmaxf(time, 0.0f), clip->duration);
            is_right =
                is_right && is_near_exact(s->played.locals[track->target].rotation, track, t);
            s->sampled.locals[track->target].rotation = s->played.locals[track->target].rotation;
        }
    }
    return is_right &&
           memcmp(s->played.locals, s->sampled.locals, NODES * sizeof *s->played.locals) == 0 &&
           memcmp(s->played.morph_weights, s->sampled.morph_weights,
                  SHAPES * sizeof *s->played.morph_weights) == 0;
}

static int players_sample_forward_and_at_any_time(void)
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        stage* s = make(200 + seed);
        pelt_player *player, *other;
        ENSURE(s != NULL && pelt_player_create(&player, &s->scene, &s->clips[0]) == PELT_OK);
        ENSURE(pelt_player_share(&other, player) == PELT_OK);
        test_random random = {3000 + seed};
        for (uint32_t i = 0; i < 400; ++i)
        {
            float step = 0.002f * (float)(1u << seed % 10);
            ENSURE(plays_right(s, player, &s->clips[0], step * (float)i));
            ENSURE(plays_right(s, other, &s->clips[0], test_uniform(&random, -1.0f, 30.0f)));
        }
        pelt_player_destroy(other);
        pelt_player_destroy(player);
        destroy(s);
    }
    return 0;
}

static int players_loop(void)
{
    stage* s = make(11);
    pelt_player* player;
    ENSURE(s != NULL && pelt_player_create(&player, &s->scene, &s->clips[1]) == PELT_OK);
    for (int i = -50; i < 50; ++i)
    {
        float time = 0.37f * (float)i, inside = fmodf(time, 4.0f);
        pelt_player_sample(&s->sampled, player, inside < 0.0f ? inside + 4.0f : inside,
                           PELT_WRAP_CLAMP);
        pelt_player_sample(&s->played, player, time, PELT_WRAP_LOOP);
        ENSURE(memcmp(s->played.locals, s->sampled.locals, NODES * sizeof *s->played.locals) == 0);
    }
    pelt_player_destroy(player);
    destroy(s);
    return 0;
}

// Tracks with equal key times share a search; the last of several tracks of one target wins.
static int players_allow_shared_times_and_targets(void)
{
    stage* s = make(12);
    ENSURE(s != NULL);
    const uint32_t chosen[] = {0, 1, 2, 4, 5, 6, 8};
    for (uint32_t i = 0; i < 7; ++i)
    {
        pelt_track* track = &s->tracks[chosen[i]];
        track->interpolation = PELT_INTERPOLATION_LINEAR;
        track->key_count = 60;
        track->times = s->times[i % 2];
    }
    s->tracks[4].target = s->tracks[1].target; // two rotations of a node
    pelt_player* player;
    ENSURE(pelt_player_create(&player, &s->scene, &s->clips[0]) == PELT_OK);
    pelt_track last = s->tracks[4], seen[TRACKS];
    memcpy(seen, s->tracks, sizeof seen);
    seen[1] = last; // the check of rotations expects the last one
    const pelt_clip clip = {"all", 9.0f, TRACKS, seen};
    for (uint32_t i = 0; i < 200; ++i)
    {
        ENSURE(plays_right(s, player, &clip, 0.02f * (float)i));
    }
    pelt_player_destroy(player);
    destroy(s);
    return 0;
}

// Keys a hundredth of a degree apart, whose product is 1 in float.
static int players_keep_small_angles(void)
{
    stage* s = make(13);
    ENSURE(s != NULL);
    pelt_track* track = &s->tracks[1];
    track->interpolation = PELT_INTERPOLATION_LINEAR;
    track->key_count = 200;
    for (uint32_t key = 0; key < 200; ++key)
    {
        double angle = 0.5 * 1.7453e-4 * key;
        s->times[1][key] = 0.01f * (float)key;
        const float value[4] = {(float)sin(angle), 0.0f, 0.0f, (float)cos(angle)};
        memcpy(&s->values[1][4 * (size_t)key], value, sizeof value);
    }
    const pelt_clip clip = {"slow", 2.0f, 1, track};
    pelt_player* player;
    ENSURE(pelt_player_create(&player, &s->scene, &clip) == PELT_OK);
    for (uint32_t i = 0; i < 1990; ++i)
    {
        ENSURE(plays_right(s, player, &clip, 0.001f * (float)i));
        double angle = 0.5 * 1.7453e-4 * 0.1 * i;
        ENSURE_NEAR(s->played.locals[0].rotation.x, (float)sin(angle), 1e-7f);
    }
    pelt_player_destroy(player);
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
    RUN(players_sample_forward_and_at_any_time);
    RUN(players_loop);
    RUN(players_allow_shared_times_and_targets);
    RUN(players_keep_small_angles);
}
