// SPDX-License-Identifier: MIT
#include "playback.h"

// Keys nearer than this are one.
static const float moment = 1e-4f;

playback playback_of(uint32_t clip)
{
    return (playback){.clip = clip, .next_clip = PELT_NONE};
}

static float duration_of(const pelt_scene* scene, uint32_t clip)
{
    return clip != PELT_NONE ? scene->clips[clip].duration : 0.0f;
}

float playback_duration(const playback* in, const pelt_scene* scene)
{
    return duration_of(scene, in->clip);
}

static float wrap(float time, float duration)
{
    float rest = duration > 0.0f ? fmodf(time, duration) : 0.0f;
    return rest < 0.0f ? rest + duration : rest;
}

bool playback_advance(playback* inout, const pelt_scene* scene, float seconds, bool is_looping)
{
    float duration = playback_duration(inout, scene);
    float time = inout->time + seconds;
    bool is_over = !is_looping && (time > duration || time < 0.0f);
    inout->time = is_over ? fminf(fmaxf(time, 0.0f), duration) : wrap(time, duration);
    if (inout->next_clip != PELT_NONE)
    {
        inout->next_time = wrap(inout->next_time + seconds, duration_of(scene, inout->next_clip));
        inout->faded += fabsf(seconds);
        if (inout->faded >= inout->fade_length)
        {
            float arrived = inout->next_time;
            *inout = playback_of(inout->next_clip);
            inout->time = arrived;
            return true;
        }
    }
    return !is_over;
}

// The nearest key after a moment, or before it; the limit when there is none.
static float nearest_key(const pelt_clip* clip, float time, int way, float limit)
{
    float nearest = limit;
    for (uint32_t t = 0; t < clip->track_count; ++t)
    {
        const pelt_track* track = &clip->tracks[t];
        for (uint32_t k = 0; k < track->key_count; ++k)
        {
            float key = track->times[k];
            bool is_beyond = way > 0 ? key > time + moment : key < time - moment;
            bool is_nearer = way > 0 ? key < nearest : key > nearest;
            nearest = is_beyond && is_nearer ? key : nearest;
        }
    }
    return nearest;
}

void playback_step(playback* inout, const pelt_scene* scene, int way)
{
    if (inout->clip == PELT_NONE)
    {
        return;
    }
    const pelt_clip* clip = &scene->clips[inout->clip];
    float limit = way > 0 ? clip->duration : 0.0f;
    bool is_at_end = fabsf(inout->time - limit) < moment;
    inout->time = is_at_end ? clip->duration - limit : nearest_key(clip, inout->time, way, limit);
}

void playback_fade(playback* inout, uint32_t clip, float seconds)
{
    if (seconds <= 0.0f || inout->clip == PELT_NONE || clip == inout->clip)
    {
        *inout = playback_of(clip);
        return;
    }
    inout->next_clip = clip;
    inout->next_time = 0.0f;
    inout->fade_length = seconds;
    inout->faded = 0.0f;
}

void playback_sample(pelt_pose* out, pelt_pose* other, pelt_cursor cursors[2], const playback* in,
                     const pelt_scene* scene)
{
    if (in->clip == PELT_NONE)
    {
        pelt_pose_rest(out, scene);
        return;
    }
    // playback_advance() loops: the last moment is not the first.
    pelt_pose_play(out, &cursors[0], scene, &scene->clips[in->clip], in->time, PELT_WRAP_CLAMP);
    if (in->next_clip != PELT_NONE)
    {
        pelt_pose_play(other, &cursors[1], scene, &scene->clips[in->next_clip], in->next_time,
                       PELT_WRAP_CLAMP);
        pelt_pose_blend(out, out, other, in->faded / in->fade_length);
    }
}
