// SPDX-License-Identifier: MIT
// What members of a crowd do: laws of random acts.
#include "crowd_points.h"
#include "rigs.h"

#include <string.h>

static crowd_points human; // baked once for all facts

// Clips change at the start of a fade and at its end, where it weighs nothing. Over 0.1 ms a vertex
// of a human, who is nowhere faster than some 30 m/s, moves by some millimeters.
static int surfaces_move_without_jumps_through_fades(void)
{
    crowd_points* points = &human;
    const double step = 1e-4;
    static pelt_vec3 before[2000];
    ENSURE(points->count <= 2000);
    const pelt_crowd_act act = {.seed = 3, .period = 0.5f, .fade = 0.2f};
    // Clips that end as they begin.
    const uint32_t loops[] = {pelt_baked_find_clip(points->baked, "walk"),
                              pelt_baked_find_clip(points->baked, "wave"),
                              pelt_baked_find_clip(points->baked, "squat")};
    pelt_crowd_act own = act;
    own.clips = loops, own.clip_count = 3;
    uint32_t changes = 0;
    pelt_playback last = {0};
    for (int i = 0; i < 20000; ++i)
    {
        pelt_playback play = pelt_crowd_play(&own, points->baked, 4, 1.0 + step * i);
        bool is_changed = play.base.clip != last.base.clip || (play.fade > 0) != (last.fade > 0);
        if (i > 0 && (is_changed || i % 50 == 0))
        {
            crowd_points_play(points, &last);
            memcpy(before, points->points, points->count * sizeof *before);
            crowd_points_play(points, &play);
            for (uint32_t v = 0; v < points->count; ++v)
            {
                ENSURE(pelt_vec3_distance(before[v], points->points[v]) < 5e-3f);
            }
        }
        changes += is_changed;
        last = play;
    }
    // Two seconds have four periods of half a second, each with a fade that begins and ends.
    ENSURE(changes >= 4 && changes <= 14);
    return 0;
}

static int clips_are_random_and_never_the_same_twice_in_a_row(void)
{
    const crowd_points* points = &human;
    const pelt_crowd_act act = {.seed = 1, .period = 2.0f, .fade = 0.4f};
    double faded = 0.0, total = 0.0, speeds[2] = {INFINITY, 0.0};
    for (uint32_t member = 0; member < 50; ++member)
    {
        for (double time = 0.0; time < 20.0; time += 0.05)
        {
            pelt_playback play = pelt_crowd_play(&act, points->baked, member, time);
            pelt_playback again = pelt_crowd_play(&act, points->baked, member, time);
            ENSURE(memcmp(&play.base, &again.base, sizeof play.base) == 0);
            ENSURE(play.fade >= 0.0f && play.fade < 1.0f);
            ENSURE(play.base.time >= 0.0f &&
                   play.base.time <= points->baked->clips[play.base.clip].duration);
            ENSURE(play.fade == 0.0f || play.base.clip != play.next.clip);
            faded += play.fade > 0.0f;
            total += 1.0;
        }
        pelt_crowd_act alone = act;
        alone.has_no_fades = true;
        pelt_moment a = pelt_crowd_play(&alone, points->baked, member, 0.0).base;
        pelt_moment b = pelt_crowd_play(&alone, points->baked, member, 1e-2).base;
        double speed = (double)(b.time - a.time) / 1e-2;
        if (b.time > a.time)
        {
            speeds[0] = fmin(speeds[0], speed);
            speeds[1] = fmax(speeds[1], speed);
        }
        ENSURE(a.clip == b.clip);
    }
    // 0.4 of 2 s, whose mean over members is that of 1 / (0.75 to 1.25) times 2 s.
    ENSURE_NEAR(faded / total, 0.2 * 2.0 * log(1.25 / 0.75), 0.02);
    ENSURE(speeds[0] > 0.849 && speeds[0] < 0.9 && speeds[1] < 1.151 && speeds[1] > 1.1);
    return 0;
}

static int clips_are_chosen_evenly(void)
{
    const crowd_points* points = &human;
    uint32_t counts[5] = {0};
    ENSURE(points->baked->clip_count == 5);
    for (uint32_t member = 0; member < 2000; ++member)
    {
        pelt_crowd_act act = {.seed = 2};
        ++counts[pelt_crowd_play(&act, points->baked, member, 40.0).base.clip];
        // Two clips alternate; a single clip has no fades.
        const uint32_t two[] = {3, 1};
        act.clips = two, act.clip_count = 2;
        pelt_playback play = pelt_crowd_play(&act, points->baked, member, 40.0);
        ENSURE(play.base.clip == 3 || play.base.clip == 1);
        ENSURE(play.fade == 0.0f || play.base.clip + play.next.clip == 4);
        act.clip_count = 1;
        play = pelt_crowd_play(&act, points->baked, member, 40.0 + 0.01 * member);
        ENSURE(play.base.clip == 3 && play.fade == 0.0f);
    }
    for (int i = 0; i < 5; ++i)
    {
        // Four deviations of a fifth of 2000.
        ENSURE_NEAR(counts[i], 400.0, 4.0 * sqrt(2000.0 * 0.2 * 0.8));
    }
    return 0;
}

// At its start a fade shows the clip before, whatever comes, and near its end the next alone.
static int fades_at_their_ends_are_the_plain_clips(void)
{
    crowd_points* points = &human;
    static pelt_vec3 alone[2000];
    ENSURE(points->count <= 2000);
    pelt_playback play = {.base = {.clip = 0, .time = 0.3f}, .next = {.clip = 2, .time = 0.7f}};
    crowd_points_play(points, &(pelt_playback){.base = play.base});
    memcpy(alone, points->points, points->count * sizeof *alone);
    crowd_points_play(points, &play);
    ENSURE(memcmp(alone, points->points, points->count * sizeof *alone) == 0);
    play.fade = 1.0f;
    crowd_points_play(points, &(pelt_playback){.base = play.next});
    memcpy(alone, points->points, points->count * sizeof *alone);
    crowd_points_play(points, &play);
    for (uint32_t v = 0; v < points->count; ++v)
    {
        ENSURE_POINT(points->points[v], alone[v], 1e-5);
    }
    return 0;
}

static int members_stand_apart_and_keep_what_they_are(void)
{
    const pelt_crowd_act act = {.seed = 6};
    pelt_crowd_transform transforms[400];
    pelt_vec3 sum = {0}, ahead = {0};
    for (uint32_t i = 0; i < 400; ++i)
    {
        transforms[i] = pelt_crowd_member_transform(&act, i, 400, 3.0f);
        ENSURE(transforms[i].scale >= 0.92f && transforms[i].scale <= 1.08f &&
               transforms[i].position.y == 0);
        ENSURE_NEAR(pelt_quat_dot(transforms[i].rotation, transforms[i].rotation), 1.0, 1e-6);
        for (uint32_t k = 0; k < i; ++k)
        {
            // The spacing minus a fifth of it for each of the two.
            float apart = pelt_vec3_distance(transforms[i].position, transforms[k].position);
            ENSURE(apart >= 3.0f * 0.6f - 1e-4f);
        }
        pelt_crowd_transform small = pelt_crowd_member_transform(&act, i, i + 1, 3.0f);
        ENSURE(small.scale == transforms[i].scale && small.rotation.y == transforms[i].rotation.y);
        sum = pelt_vec3_add(sum, transforms[i].position);
        pelt_vec3 z = {0.0f, 0.0f, 1.0f};
        ahead = pelt_vec3_add(ahead, pelt_quat_rotate(transforms[i].rotation, z));
    }
    // Means of 400 uniform offsets of up to 0.6 m, and of unit vectors in all directions.
    ENSURE(pelt_vec3_length(sum) / 400.0f < 4.0f * 0.6f / 20.0f);
    ENSURE(pelt_vec3_length(ahead) / 400.0f < 4.0f / 20.0f);
    ENSURE(pelt_crowd_member_transform(&(pelt_crowd_act){.seed = 7}, 3, 400, 3.0f).scale !=
           transforms[3].scale);
    return 0;
}

static int members_play_what_was_baked(void)
{
    return human.points == NULL;
}

void test_crowd_play(void)
{
    pelt_scene* scene = NULL;
    if (pelt_rig_build(&scene, "human?vertices=2000", NULL) == PELT_OK &&
        crowd_points_create(&human, scene, PELT_ENCODING_QT))
    {
        RUN(surfaces_move_without_jumps_through_fades);
        RUN(clips_are_random_and_never_the_same_twice_in_a_row);
        RUN(clips_are_chosen_evenly);
        RUN(fades_at_their_ends_are_the_plain_clips);
    }
    RUN(members_play_what_was_baked);
    RUN(members_stand_apart_and_keep_what_they_are);
    crowd_points_destroy(&human);
    pelt_scene_destroy(scene);
}
