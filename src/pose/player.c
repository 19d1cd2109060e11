// SPDX-License-Identifier: MIT
// Playing: linear tracks are prepared so that a frame needs no search in most of them, no libm and
// no normalization. Tracks with the same key times share one search. A linear rotation between two
// keys is an arc, q(u) = from cos(u angle) + toward sin(u angle), with unit quaternions `from` and
// `toward` at right angles; four of them are evaluated at once.
#include "../base/exact.h"

#include "../../include/pelt/pelt.h"

#include "../base/four.h"
#include "../scene/scene_private.h"
#include "pose_private.h"

#include <stdlib.h>

// Key times that some tracks share, and where in them the last frame was.
typedef struct timeline
{
    const pelt_track* track; // one of them
    uint32_t key;            // the last one at or before the time, or the first
    float factor;            // 0 at this key to 1 at the next; 0 at the last key
} timeline;

typedef struct arc
{
    float from[4];
    float toward[4];
    float angle; // from 0 to a right angle
} arc;

typedef struct rotation_track
{
    uint32_t node;
    uint32_t timeline;
    const arc* arcs; // key_count; the last one ends where it starts
} rotation_track;

typedef struct vector_track
{
    uint32_t node;
    pelt_path path; // translation or scale
    uint32_t timeline;
    const float* values;
} vector_track;

// Everything else, by the reference.
typedef struct other_track
{
    const pelt_track* track;
    uint32_t key;
} other_track;

struct pelt_player
{
    pelt_arena* arena;
    const pelt_scene* scene;
    const pelt_clip* clip;
    uint32_t timeline_count, rotation_count, vector_count, other_count;
    const pelt_transform* rest; // of all nodes, with the tracks that do not move
    const rotation_track* rotations;
    const vector_track* vectors;
    timeline* timelines;
    other_track* others;
};

// ---------------------------------------------------------------------------------------------
// Preparation

typedef struct sorted_track
{
    const pelt_track* track;
    uint32_t timeline;
} sorted_track;

static int compare_times(const pelt_track* a, const pelt_track* b)
{
    if (a->key_count != b->key_count)
    {
        return a->key_count < b->key_count ? -1 : 1;
    }
    return a->times == b->times ? 0 : memcmp(a->times, b->times, a->key_count * sizeof *a->times);
}

static int compare_by_times(const void* a, const void* b)
{
    const pelt_track *x = ((const sorted_track*)a)->track, *y = ((const sorted_track*)b)->track;
    int order = compare_times(x, y);
    return order != 0 ? order : (x > y) - (x < y);
}

static int compare_by_track(const void* a, const void* b)
{
    const pelt_track *x = ((const sorted_track*)a)->track, *y = ((const sorted_track*)b)->track;
    return (x > y) - (x < y);
}

static bool is_linear(const pelt_track* track)
{
    return track->path != PELT_PATH_MORPH && track->interpolation == PELT_INTERPOLATION_LINEAR;
}

static bool is_constant(const pelt_track* track)
{
    size_t size = track->width * sizeof *track->values;
    bool is_equal = is_linear(track);
    for (uint32_t key = 1; key < track->key_count && is_equal; ++key)
    {
        is_equal = memcmp(track->values, track->values + key * (size_t)track->width, size) == 0;
    }
    return is_equal;
}

static pelt_quat key_rotation(const pelt_track* track, uint32_t key, float sign)
{
    const float* value = track->values + 4 * (size_t)key;
    pelt_quat q = pelt_quat_normalize(pelt_quat_make(value[0], value[1], value[2], value[3]));
    return pelt_quat_scale(q, sign);
}

// In double precision: near keys, as dense clips have them, would lose the angle otherwise.
static arc make_arc(pelt_quat a, pelt_quat b)
{
    double from[4] = {a.x, a.y, a.z, a.w}, to[4] = {b.x, b.y, b.z, b.w};
    double dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
    double square = from[0] * from[0] + from[1] * from[1] + from[2] * from[2] + from[3] * from[3];
    double sign = dot < 0.0 ? -1.0 : 1.0, toward[4], length = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        toward[i] = sign * (to[i] - from[i] * dot / square);
        length += toward[i] * toward[i];
    }
    length = sqrt(length);
    arc out = {.from = {a.x, a.y, a.z, a.w}};
    if (length > 0.0)
    {
        out.angle = (float)atan2(length, fabs(dot));
        for (int i = 0; i < 4; ++i)
        {
            out.toward[i] = (float)(toward[i] / length);
        }
    }
    return out;
}

static const arc* make_arcs(const pelt_track* track, const pelt_scene* scene, pelt_arena* arena)
{
    arc* arcs = pelt_arena_alloc(arena, track->key_count, sizeof *arcs);
    float sign = pelti_track_sign(track, scene->nodes[track->target].rest.rotation);
    for (uint32_t key = 0; arcs != NULL && key < track->key_count; ++key)
    {
        uint32_t next = key + 1 < track->key_count ? key + 1 : key;
        arcs[key] = make_arc(key_rotation(track, key, sign), key_rotation(track, next, sign));
    }
    return arcs;
}

static pelt_vec3* vector_of(pelt_transform* transform, pelt_path path)
{
    return path == PELT_PATH_TRANSLATION ? &transform->translation : &transform->scale;
}

static uint32_t target_slot(const pelt_track* track)
{
    return 4 * track->target + (uint32_t)track->path;
}

// The last track of each target, as pelt_pose_sample() has it, split by how it is played.
// @param last   zeroed, for each target: 1 + the index of its last track
// @param moving the linear tracks that move
static uint32_t sort_out_tracks(pelt_player* player, sorted_track* moving, uint32_t* last,
                                pelt_transform* rest)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < player->clip->track_count; ++i)
    {
        last[target_slot(&player->clip->tracks[i])] = i + 1;
    }
    for (uint32_t i = 0; i < player->clip->track_count; ++i)
    {
        const pelt_track* track = &player->clip->tracks[i];
        if (last[target_slot(track)] != i + 1)
        {
            continue;
        }
        if (!is_linear(track))
        {
            player->others[player->other_count++] = (other_track){.track = track};
        }
        else if (!is_constant(track))
        {
            moving[count++] = (sorted_track){.track = track};
        }
        else if (track->path == PELT_PATH_ROTATION)
        {
            float sign = pelti_track_sign(track, rest[track->target].rotation);
            rest[track->target].rotation = key_rotation(track, 0, sign);
        }
        else
        {
            pelt_vec3 value = {track->values[0], track->values[1], track->values[2]};
            *vector_of(&rest[track->target], track->path) = value;
        }
    }
    return count;
}

static void find_timelines(pelt_player* player, sorted_track* moving, uint32_t count)
{
    qsort(moving, count, sizeof *moving, compare_by_times);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (i == 0 || compare_times(moving[i - 1].track, moving[i].track) != 0)
        {
            player->timelines[player->timeline_count++] = (timeline){.track = moving[i].track};
        }
        moving[i].timeline = player->timeline_count - 1;
    }
    qsort(moving, count, sizeof *moving, compare_by_track);
}

static bool add_tracks(pelt_player* player, const sorted_track* moving, uint32_t count)
{
    rotation_track* rotations = pelt_arena_alloc(player->arena, count, sizeof *rotations);
    vector_track* vectors = pelt_arena_alloc(player->arena, count, sizeof *vectors);
    player->rotations = rotations;
    player->vectors = vectors;
    bool is_ok = rotations != NULL && vectors != NULL;
    for (uint32_t i = 0; i < count && is_ok; ++i)
    {
        const pelt_track* track = moving[i].track;
        if (track->path == PELT_PATH_ROTATION)
        {
            const arc* arcs = make_arcs(track, player->scene, player->arena);
            is_ok = arcs != NULL;
            rotations[player->rotation_count++] =
                (rotation_track){track->target, moving[i].timeline, arcs};
        }
        else
        {
            vectors[player->vector_count++] =
                (vector_track){track->target, track->path, moving[i].timeline, track->values};
        }
    }
    return is_ok;
}

static bool prepare(pelt_player* player)
{
    const pelt_scene* scene = player->scene;
    uint32_t track_count = player->clip->track_count, most = scene->node_count;
    most = scene->instance_count > most ? scene->instance_count : most;
    pelt_transform* rest = pelt_arena_alloc(player->arena, scene->node_count, sizeof *rest);
    player->rest = rest;
    player->others = pelt_arena_alloc(player->arena, track_count, sizeof *player->others);
    player->timelines = pelt_arena_alloc(player->arena, track_count, sizeof *player->timelines);
    sorted_track* moving = pelt_allocate(track_count, sizeof *moving);
    uint32_t* last = pelt_allocate((size_t)most * 4, sizeof *last);
    bool is_ok = rest && player->others && player->timelines && moving && last;
    if (is_ok)
    {
        memset(last, 0, (size_t)most * 4 * sizeof *last);
        for (uint32_t node = 0; node < scene->node_count; ++node)
        {
            rest[node] = scene->nodes[node].rest;
        }
        uint32_t count = sort_out_tracks(player, moving, last, rest);
        find_timelines(player, moving, count);
        is_ok = add_tracks(player, moving, count);
    }
    pelt_release(last);
    pelt_release(moving);
    return is_ok;
}

pelt_result pelt_player_create(pelt_player** out, const pelt_scene* scene, const pelt_clip* clip)
{
    PELT_ASSERT(out != NULL && scene != NULL && clip != NULL);
    *out = NULL;
    pelt_arena* arena = pelt_arena_create();
    pelt_player* player = arena == NULL ? NULL : pelt_arena_alloc(arena, 1, sizeof *player);
    if (player == NULL)
    {
        pelt_arena_destroy(arena);
        return PELT_ERROR_MEMORY;
    }
    *player = (pelt_player){.arena = arena, .scene = scene, .clip = clip};
    if (!prepare(player))
    {
        pelt_arena_destroy(arena);
        return PELT_ERROR_MEMORY;
    }
    *out = player;
    return PELT_OK;
}

pelt_result pelt_player_share(pelt_player** out, const pelt_player* prepared)
{
    PELT_ASSERT(out != NULL && prepared != NULL);
    *out = NULL;
    pelt_arena* arena = pelt_arena_create();
    pelt_player* player = arena == NULL ? NULL : pelt_arena_alloc(arena, 1, sizeof *player);
    uint32_t timelines = prepared->timeline_count, others = prepared->other_count;
    if (player != NULL)
    {
        *player = *prepared;
        player->arena = arena;
        player->timelines = pelt_arena_alloc(arena, timelines, sizeof *player->timelines);
        player->others = pelt_arena_alloc(arena, others, sizeof *player->others);
    }
    if (player == NULL || player->timelines == NULL || player->others == NULL)
    {
        pelt_arena_destroy(arena);
        return PELT_ERROR_MEMORY;
    }
    memcpy(player->timelines, prepared->timelines, timelines * sizeof *player->timelines);
    memcpy(player->others, prepared->others, others * sizeof *player->others);
    *out = player;
    return PELT_OK;
}

void pelt_player_destroy(pelt_player* player)
{
    if (player != NULL)
    {
        pelt_arena_destroy(player->arena);
    }
}

// ---------------------------------------------------------------------------------------------
// Playing

static void advance(timeline* line, float time)
{
    const pelt_track* track = line->track;
    uint64_t steps = 0;
    line->key = pelti_track_find_key(track, time, line->key, &steps);
    line->factor = 0.0f;
    if (line->key + 1 < track->key_count && time > track->times[line->key])
    {
        float start = track->times[line->key];
        line->factor = (time - start) / (track->times[line->key + 1] - start);
    }
}

// Sine and cosine of angles from 0 to a right angle: minimax polynomials, within 5e-9 before
// rounding.
static inline pelti_four sine(pelti_four x)
{
    pelti_four z = x * x;
    return x + x * z *
                   (-0.166666567f +
                    z * (0.00833301712f + z * (-0.000198066147f + z * 2.60005481e-06f)));
}

static inline pelti_four cosine(pelti_four x)
{
    pelti_four z = x * x;
    return 1.0f - 0.5f * z +
           z * z *
               (0.0416666567f +
                z * (-0.00138885691f + z * (2.47693042e-05f - z * 2.61938141e-07f)));
}

// Four rotations; their nodes are different, or the same ones again.
static void play_rotations(pelt_transform* locals, const rotation_track* const tracks[4],
                           const timeline* timelines)
{
    pelti_four from[4], toward[4], angle;
    for (int i = 0; i < 4; ++i)
    {
        const timeline* line = &timelines[tracks[i]->timeline];
        const arc* at = &tracks[i]->arcs[line->key];
        from[i] = pelti_four_load(at->from);
        toward[i] = pelti_four_load(at->toward);
        angle[i] = line->factor * at->angle;
    }
    pelti_four c = cosine(angle), s = sine(angle);
    for (int i = 0; i < 4; ++i)
    {
        pelti_four rotation = pelti_four_splat(c[i]) * from[i] + pelti_four_splat(s[i]) * toward[i];
        pelti_four_store(&locals[tracks[i]->node].rotation, rotation);
    }
}

static void play_vector(pelt_transform* locals, const vector_track* track,
                        const timeline* timelines)
{
    const timeline* line = &timelines[track->timeline];
    const float* a = track->values + 3 * (size_t)line->key;
    const float* b = line->factor > 0.0f ? a + 3 : a;
    float t = line->factor, s = 1.0f - t;
    *vector_of(&locals[track->node], track->path) =
        pelt_vec3_make(s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]);
}

void pelt_player_sample(pelt_pose* out, pelt_player* player, float time, pelt_wrap wrap)
{
    PELT_ASSERT(out != NULL && player != NULL && isfinite(time));
    PELT_ASSERT(out->node_count == player->scene->node_count);
    PELT_ASSERT(out->morph_weight_count == player->scene->morph_weight_count);
    float t = pelti_clip_time(player->clip, time, wrap);
    memcpy(out->locals, player->rest, out->node_count * sizeof *out->locals);
    pelti_morph_weights_rest(out, player->scene);
    for (uint32_t i = 0; i < player->timeline_count; ++i)
    {
        advance(&player->timelines[i], t);
    }
    for (uint32_t i = 0; i < player->rotation_count; i += 4)
    {
        uint32_t last = player->rotation_count - 1;
        const rotation_track* tracks[4];
        for (uint32_t k = 0; k < 4; ++k)
        {
            tracks[k] = &player->rotations[i + k < last ? i + k : last];
        }
        play_rotations(out->locals, tracks, player->timelines);
    }
    for (uint32_t i = 0; i < player->vector_count; ++i)
    {
        play_vector(out->locals, &player->vectors[i], player->timelines);
    }
    for (uint32_t i = 0; i < player->other_count; ++i)
    {
        other_track* other = &player->others[i];
        pelti_pose_sample_track(out, player->scene, other->track, t, &other->key);
    }
}
