// SPDX-License-Identifier: MIT
// Sampling of tracks: STEP, LINEAR and CUBICSPLINE as glTF 2.0 defines them (its appendix C).
#include "../base/exact.h"

#include "scene_private.h"

// Whether a key is not later than a time: one step of a search.
static bool has_come(const pelt_track* track, uint32_t key, float time, uint64_t* steps)
{
    ++*steps;
    return track->times[key] <= time;
}

// The last key from `low` on whose time has come, if that of `high` has not; else `low`.
static uint32_t bisect(const pelt_track* track, float time, uint32_t low, uint32_t high,
                       uint64_t* steps)
{
    while (low + 1 < high)
    {
        uint32_t middle = low + (high - low) / 2;
        if (has_come(track, middle, time, steps))
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

uint32_t pelti_track_find_key(const pelt_track* track, float time, uint32_t hint, uint64_t* steps)
{
    uint32_t count = track->key_count, low = hint, high = hint, stride = 1;
    PELT_ASSERT(hint < count);
    if (has_come(track, hint, time, steps))
    {
        for (high = hint + 1; high < count && has_come(track, high, time, steps); stride *= 2)
        {
            low = high;
            high = count - high > stride ? high + stride : count;
        }
    }
    else
    {
        for (low = hint > 0 ? hint - 1 : 0; low > 0 && !has_come(track, low, time, steps);
             stride *= 2)
        {
            high = low;
            low = low > stride ? low - stride : 0;
        }
    }
    return bisect(track, time, low, high, steps);
}

// The value stored with a key; a cubic key holds in-tangent, value, out-tangent.
static const float* key_value(const pelt_track* track, uint32_t key)
{
    size_t width = track->width;
    return track->interpolation == PELT_INTERPOLATION_CUBIC
               ? track->values + width * (3 * (size_t)key + 1)
               : track->values + width * key;
}

static void copy(float* out, const float* value, uint32_t width)
{
    for (uint32_t i = 0; i < width; ++i)
    {
        out[i] = value[i];
    }
}

static void sample_linear(float* out, const pelt_track* track, uint32_t key, float t)
{
    const float *a = key_value(track, key), *b = key_value(track, key + 1);
    if (track->path == PELT_PATH_ROTATION)
    {
        // Keys of files are unit up to quantization, and slerp computes angles from them.
        pelt_quat from = pelt_quat_normalize(pelt_quat_make(a[0], a[1], a[2], a[3]));
        pelt_quat to = pelt_quat_normalize(pelt_quat_make(b[0], b[1], b[2], b[3]));
        pelt_quat q = pelt_quat_slerp(from, to, t);
        copy(out, &q.x, 4);
        return;
    }
    for (uint32_t i = 0; i < track->width; ++i)
    {
        out[i] = (1.0f - t) * a[i] + t * b[i];
    }
}

// Hermite spline; tangents are per second and therefore multiplied by the key interval.
static void sample_cubic(float* out, const pelt_track* track, uint32_t key, float t)
{
    float interval = track->times[key + 1] - track->times[key];
    const float *a = key_value(track, key), *b = key_value(track, key + 1);
    const float *out_tangent = a + track->width, *in_tangent = b - track->width;
    float t2 = t * t, t3 = t2 * t;

    for (uint32_t i = 0; i < track->width; ++i)
    {
        out[i] = (2.0f * t3 - 3.0f * t2 + 1.0f) * a[i] +
                 (t3 - 2.0f * t2 + t) * interval * out_tangent[i] + (3.0f * t2 - 2.0f * t3) * b[i] +
                 (t3 - t2) * interval * in_tangent[i];
    }
}

void pelti_track_sample_at(float* out, const pelt_track* track, float time, uint32_t key)
{
    bool is_last = key + 1 == track->key_count;

    if (is_last || time <= track->times[key] || track->interpolation == PELT_INTERPOLATION_STEP)
    {
        copy(out, key_value(track, key), track->width);
    }
    else
    {
        float t = (time - track->times[key]) / (track->times[key + 1] - track->times[key]);
        if (track->interpolation == PELT_INTERPOLATION_CUBIC)
        {
            sample_cubic(out, track, key, t);
        }
        else
        {
            sample_linear(out, track, key, t);
        }
    }
    if (track->path == PELT_PATH_ROTATION)
    {
        pelt_quat q = pelt_quat_normalize(pelt_quat_make(out[0], out[1], out[2], out[3]));
        copy(out, &q.x, 4);
    }
}

void pelti_track_sample(float* out, const pelt_track* track, float time)
{
    uint64_t steps = 0;
    pelti_track_sample_at(out, track, time, bisect(track, time, 0, track->key_count, &steps));
}

float pelti_track_sign(const pelt_track* track, pelt_quat rest)
{
    const float* first = key_value(track, 0);
    pelt_quat q = pelt_quat_make(first[0], first[1], first[2], first[3]);
    return pelt_quat_dot(q, rest) < 0.0f ? -1.0f : 1.0f;
}

bool pelti_track_is_moving(const pelt_track* track)
{
    bool is_cubic = track->interpolation == PELT_INTERPOLATION_CUBIC;
    const float* first = key_value(track, 0);
    for (uint32_t key = 1; key < track->key_count; ++key)
    {
        const float *value = key_value(track, key), *before = key_value(track, key - 1);
        for (uint32_t i = 0; i < track->width; ++i)
        {
            float small = 1e-5f * fmaxf(1.0f, fabsf(first[i]));
            // Between equal keys a spline moves by its tangents.
            float slope = is_cubic ? fmaxf(fabsf((value - track->width)[i]),
                                           fabsf((before + track->width)[i]))
                                   : 0.0f;
            if (fabsf(value[i] - first[i]) > small || slope > small)
            {
                return true;
            }
        }
    }
    return false;
}

void pelt_rotations_align(float* values, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i)
    {
        float *q = values + 4 * (size_t)i, *before = q - 4;
        if (before[0] * q[0] + before[1] * q[1] + before[2] * q[2] + before[3] * q[3] < 0.0f)
        {
            for (int k = 0; k < 4; ++k)
            {
                q[k] = -q[k];
            }
        }
    }
}
