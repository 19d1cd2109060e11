// SPDX-License-Identifier: MIT
// The stored pose and samples of all clips, shown to whoever looks at poses.
#include "../base/exact.h"

#include "doctor.h"

#include <math.h>

static const pelti_observer* const observers[] = {&pelti_observe_influences, &pelti_observe_seams,
                                                  &pelti_observe_signs, &pelti_observe_stretches,
                                                  &pelti_observe_flips};

enum
{
    OBSERVER_COUNT = sizeof observers / sizeof observers[0],
};

// Samples of a clip at a rate, first and last moment included.
static double count_samples(const pelt_clip* clip, double rate)
{
    return ceil((double)clip->duration * rate) + 1.0;
}

// So that all clips together take no more than max_samples, with at least two for each.
static double choose_rate(const pelti_doctor* d)
{
    double rate = (double)d->options.rate, seconds = 0.0;
    for (uint32_t i = 0; i < d->scene->clip_count; ++i)
    {
        seconds += (double)d->scene->clips[i].duration;
    }
    double most = (double)d->options.max_samples;
    return seconds * rate > most ? most / seconds : rate;
}

static void show(void* const* states, pelti_doctor* d, const pelti_sample* sample)
{
    pelti_doctor_pose(d, sample->clip, sample->time);
    for (uint32_t i = 0; i < OBSERVER_COUNT; ++i)
    {
        observers[i]->look(states[i], d, sample);
    }
}

static void show_clip(void* const* states, pelti_doctor* d, uint32_t clip, double rate)
{
    const pelt_clip* shown = &d->scene->clips[clip];
    uint32_t count = (uint32_t)count_samples(shown, rate);
    for (uint32_t i = 0; i < count; ++i)
    {
        double part = count > 1 ? (double)i / (double)(count - 1) : 0.0;
        pelti_sample sample = {clip, (float)(part * (double)shown->duration), i == 0};
        show(states, d, &sample);
    }
    for (uint32_t i = 0; i < OBSERVER_COUNT; ++i)
    {
        if (observers[i]->end_clip != NULL)
        {
            observers[i]->end_clip(states[i], d, clip);
        }
    }
}

void pelti_check_motion(pelti_doctor* d)
{
    void* states[OBSERVER_COUNT];
    for (uint32_t i = 0; i < OBSERVER_COUNT; ++i)
    {
        states[i] = observers[i]->create(d);
        d->has_failed |= states[i] == NULL;
    }
    if (d->has_failed)
    {
        return;
    }
    show(states, d, &(pelti_sample){PELT_NONE, 0.0f, true});
    double rate = choose_rate(d);
    for (uint32_t c = 0; c < d->scene->clip_count; ++c)
    {
        show_clip(states, d, c, rate);
        if (d->options.progress != NULL)
        {
            d->options.progress((float)(c + 1) / (float)d->scene->clip_count, d->options.user);
        }
    }
    for (uint32_t i = 0; i < OBSERVER_COUNT; ++i)
    {
        if (observers[i]->end != NULL)
        {
            observers[i]->end(states[i], d);
        }
    }
}
