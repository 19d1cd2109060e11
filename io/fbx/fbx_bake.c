// SPDX-License-Identifier: MIT
// Sample functions of time into tracks. FBX rotates by three Euler angles, each on its own curve;
// pelt uses quaternions. Keys are set at the keys of the file, and between them where the
// interpolation error exceeds the tolerance.
#include "fbx_read.h"

#include <stdlib.h>
#include <string.h>

enum
{
    DEEPEST = 12, // times that the span between two keys may be halved
    PROBES = 4,
};

static const double shortest = PELTI_FBX_SECOND / 8000.0; // between keys that are added

// ---------------------------------------------------------------------------------------------
// Times

static int by_time(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

static bool push_time(pelti_fbx_file* file, pelti_fbx_times* times, double time)
{
    void* at = times->at;
    if (!pelti_fbx_grow(file, &at, &times->capacity, times->count, sizeof *times->at))
    {
        return false;
    }
    times->at = at;
    times->at[times->count++] = time;
    return true;
}

// @param curve  NULL: nothing to add
static pelt_result add_curve_times(pelti_fbx_file* file, pelti_fbx_times* times,
                                   const pelti_fbx_curve* curve)
{
    for (uint32_t k = 0; curve != NULL && k < curve->key_count; ++k)
    {
        if (!push_time(file, times, curve->keys[k].time))
        {
            return PELT_ERROR_MEMORY;
        }
    }
    return pelti_fbx_charge(file, curve != NULL ? curve->key_count : 0);
}

pelt_result pelti_fbx_add_times(pelti_fbx_file* file, pelti_fbx_times* times,
                                const pelti_fbx_drive* drive)
{
    for (const pelti_fbx_drive* d = drive; d != NULL; d = d->next)
    {
        for (int i = 0; i < 3; ++i)
        {
            PELT_TRY(add_curve_times(file, times, d->curves[i]));
        }
        PELT_TRY(add_curve_times(file, times, d->layer != NULL ? &d->layer->weight_curve : NULL));
    }
    return PELT_OK;
}

// Sort the times, remove repeated ones, and clamp them to the take.
static void order_times(pelti_fbx_times* times, const pelti_fbx_take* take)
{
    uint32_t count = 0;
    qsort(times->at, times->count, sizeof *times->at, by_time);
    for (uint32_t i = 0; i < times->count; ++i)
    {
        double time = fmin(fmax(times->at[i], take->start), take->stop);
        if (count == 0 || time > times->at[count - 1])
        {
            times->at[count++] = time;
        }
    }
    times->count = count;
}

// ---------------------------------------------------------------------------------------------
// Keys

// Numbers of a key: time, value, incoming slope, outgoing slope. Slopes are in units per tick.
typedef struct key_list
{
    double* numbers;
    uint32_t count, capacity, stride;
} key_list;

typedef struct baker
{
    pelti_fbx* f;
    const pelti_fbx_signal* signal;
    bool is_spline;
    bool is_trial;  // stop, with limit 0, where the keys of the file are not sufficient
    uint32_t limit; // stop when there are more keys than this
    double tolerance;
    double line_count; // for a spline: lower bound of the lines that would be needed instead
    key_list keys;
    double* scratch; // SLOT_COUNT ends of pieces
} baker;

// An end of a piece is a value and, for splines, its slope. A slot holds one end.
enum
{
    SLOT_TRUTH,
    SLOT_GUESS,
    SLOT_FIRST,
    SLOT_LAST,
    SLOT_FREE, // two for each halving: see split_piece()
    SLOT_COUNT = SLOT_FREE + 2 * (DEEPEST + 1),
};

static double* slot(const baker* b, uint32_t index)
{
    return b->scratch + (size_t)index * 2 * b->signal->width;
}

static double* slope_of(const baker* b, double* end)
{
    return end + b->signal->width;
}

static pelt_result push_key(baker* b, double time, const double* value)
{
    key_list* keys = &b->keys;
    uint32_t width = b->signal->width;
    if (keys->count == keys->capacity)
    {
        uint32_t capacity = keys->capacity == 0 ? 64 : 2 * keys->capacity;
        size_t size = (size_t)keys->stride * sizeof(double);
        pelt_budget* memory = &b->f->file.budget.memory;
        double* numbers =
            pelt_budget_charge(memory, capacity * size) ? pelt_allocate(capacity, size) : NULL;
        if (numbers == NULL)
        {
            return pelt_error_memory(b->f->error);
        }
        if (keys->count > 0)
        {
            memcpy(numbers, keys->numbers, (size_t)keys->count * keys->stride * sizeof *numbers);
        }
        pelt_release(keys->numbers);
        pelt_budget_release(memory, keys->capacity * size);
        keys->numbers = numbers;
        keys->capacity = capacity;
    }
    double* key = keys->numbers + (size_t)keys->count++ * keys->stride;
    memset(key, 0, keys->stride * sizeof *key);
    key[0] = time;
    memcpy(key + 1, value, width * sizeof *key);
    return PELT_OK;
}

static void release_keys(baker* b)
{
    size_t size = (size_t)b->keys.stride * sizeof(double);
    pelt_release(b->keys.numbers);
    pelt_budget_release(&b->f->file.budget.memory, b->keys.capacity * size);
}

static double* last_key(const baker* b)
{
    return b->keys.numbers + (size_t)(b->keys.count - 1) * b->keys.stride;
}

// Flip the sign of `count` numbers (a value, or an end) if the quaternion is in the other
// hemisphere than `like`.
static void align(const baker* b, double* value, uint32_t count, const double* like)
{
    double dot = 0.0;
    for (uint32_t i = 0; i < 4 && b->signal->is_rotation; ++i)
    {
        dot += value[i] * like[i];
    }
    for (uint32_t i = 0; i < count && dot < 0.0; ++i)
    {
        value[i] = -value[i];
    }
}

static void align_end(const baker* b, double* end, const double* like)
{
    align(b, end, 2 * b->signal->width, like);
}

static pelt_result evaluate(const baker* b, double* out, double time, bool is_before,
                            const double* like)
{
    b->signal->value(out, b->signal, (pelti_fbx_moment){time, is_before});
    align(b, out, b->signal->width, like != NULL ? like : out);
    return pelti_fbx_charge(&b->f->file, b->signal->cost);
}

// ---------------------------------------------------------------------------------------------
// Pieces

typedef struct piece
{
    double from, to;
    double *first, *last; // ends
    uint32_t depth;
} piece;

// Step of the finite differences: a fraction of the span, because their error grows with the fourth
// power of the step.
static double slope_step(const piece* p)
{
    return (p->to - p->from) / 128.0;
}

// Add weighted values near an end to its slope: `factors` for those 1, 2 ... steps away.
static pelt_result add_differences(const baker* b, double* end, double time, double step,
                                   const double* factors, int count)
{
    double *value = slot(b, SLOT_TRUTH), *slope = slope_of(b, end);
    for (int i = 0; i < count; ++i)
    {
        PELT_TRY(evaluate(b, value, time + (i + 1) * step, false, end));
        for (uint32_t k = 0; k < b->signal->width; ++k)
        {
            slope[k] += factors[i] / (12.0 * step) * value[k];
        }
    }
    return PELT_OK;
}

// One-sided difference at an end of a piece, from inside the piece. Exact for polynomials up to the
// fourth degree.
static pelt_result find_end_slope(const baker* b, const piece* p, bool is_end)
{
    static const double factors[4] = {48.0, -36.0, 16.0, -3.0};
    double step = is_end ? -slope_step(p) : slope_step(p);
    double *end = is_end ? p->last : p->first, *slope = slope_of(b, end);
    for (uint32_t k = 0; k < b->signal->width; ++k)
    {
        slope[k] = -25.0 / (12.0 * step) * end[k];
    }
    return add_differences(b, end, is_end ? p->to : p->from, step, factors, 4);
}

// Central difference in the middle of a piece, where the function is smooth. Exact up to the fourth
// degree.
static pelt_result find_middle_slope(const baker* b, double* middle, double time, double step)
{
    static const double factors[2] = {8.0, -1.0};
    memset(slope_of(b, middle), 0, b->signal->width * sizeof *middle);
    PELT_TRY(add_differences(b, middle, time, step, factors, 2));
    return add_differences(b, middle, time, -step, factors, 2);
}

static void normalize(double* q)
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4 && length > 0.0; ++i)
    {
        q[i] /= length;
    }
}

// Interpolate between unit quaternions of the same hemisphere.
static void slerp(double* out, const double* a, const double* b, double x)
{
    double dot = fmin(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], 1.0);
    double angle = acos(dot), sine = sin(angle);
    double left = sine > 1e-9 ? sin((1.0 - x) * angle) / sine : 1.0 - x;
    double right = sine > 1e-9 ? sin(x * angle) / sine : x;
    for (int i = 0; i < 4; ++i)
    {
        out[i] = left * a[i] + right * b[i];
    }
}

// The value that pelt will interpolate at the fraction x of the piece.
static void guess(const baker* b, double* out, const piece* p, double x, bool is_spline)
{
    double length = p->to - p->from, y = 1.0 - x;
    if (!is_spline && b->signal->is_rotation)
    {
        slerp(out, p->first, p->last, x);
        return;
    }
    const double *slope_first = slope_of(b, p->first), *slope_last = slope_of(b, p->last);
    for (uint32_t k = 0; k < b->signal->width; ++k)
    {
        double straight = y * p->first[k] + x * p->last[k];
        double hermite =
            y * y * (1.0 + 2.0 * x) * p->first[k] + x * x * (3.0 - 2.0 * x) * p->last[k];
        out[k] = is_spline
                     ? hermite + length * (x * y * y * slope_first[k] - x * x * y * slope_last[k])
                     : straight;
    }
    if (b->signal->is_rotation)
    {
        normalize(out);
    }
}

// Squared error: of the angle in radians, or of the number that differs most.
static double distance2(const baker* b, const double* truth, const double* found)
{
    double square = 0.0;
    for (uint32_t k = 0; k < b->signal->width; ++k)
    {
        double off = truth[k] - found[k];
        square = b->signal->is_rotation ? square + 4.0 * off * off : fmax(square, off * off);
    }
    return square;
}

// Interpolation errors of the piece. For a spline, line_error is the error that a line would have.
static pelt_result find_errors(const baker* b, double* error, double* line_error, const piece* p)
{
    // Irregular fractions: at 1/2 or 1/4, whole revolutions would look like no motion.
    static const double probes[PROBES] = {0.17, 0.41, 0.63, 0.86};
    double *truth = slot(b, SLOT_TRUTH), *found = slot(b, SLOT_GUESS);
    double worst = 0.0, worst_line = 0.0;
    for (int i = 0; i < PROBES; ++i)
    {
        guess(b, found, p, probes[i], b->is_spline);
        PELT_TRY(evaluate(b, truth, p->from + probes[i] * (p->to - p->from), false, found));
        worst = fmax(worst, distance2(b, truth, found));
        if (b->is_spline && p->depth == 0)
        {
            guess(b, found, p, probes[i], false);
            worst_line = fmax(worst_line, distance2(b, truth, found));
        }
    }
    *error = sqrt(worst);
    *line_error = sqrt(worst_line);
    return PELT_OK;
}

static pelt_result finish_piece(baker* b, const piece* p)
{
    uint32_t width = b->signal->width;
    if (b->is_spline)
    {
        memcpy(last_key(b) + 1 + 2 * width, slope_of(b, p->first), width * sizeof(double));
    }
    PELT_TRY(push_key(b, p->to, p->last));
    if (b->is_spline)
    {
        memcpy(last_key(b) + 1 + width, slope_of(b, p->last), width * sizeof(double));
    }
    return PELT_OK;
}

static pelt_result bake_piece(baker* b, const piece* p);

static pelt_result split_piece(baker* b, const piece* p)
{
    double time = 0.5 * (p->from + p->to);
    double *middle = slot(b, SLOT_FREE + 2 * p->depth),
           *last = slot(b, SLOT_FREE + 2 * p->depth + 1);
    PELT_TRY(evaluate(b, middle, time, false, p->first));
    if (b->is_spline)
    {
        PELT_TRY(find_middle_slope(b, middle, time, slope_step(p)));
    }
    const piece left = {p->from, time, p->first, middle, p->depth + 1};
    PELT_TRY(bake_piece(b, &left));
    // After baking the left half, the last key may have the opposite sign.
    align_end(b, middle, last_key(b) + 1);
    memcpy(last, p->last, 2 * b->signal->width * sizeof *last);
    align_end(b, last, middle);
    const piece right = {time, p->to, middle, last, p->depth + 1};
    return bake_piece(b, &right);
}

static pelt_result bake_piece(baker* b, const piece* p)
{
    if (b->keys.count > b->limit)
    {
        return PELT_OK;
    }
    double error, line_error;
    PELT_TRY(find_errors(b, &error, &line_error, p));
    // The error of a line grows with the square of its duration.
    b->line_count += p->depth == 0 ? fmax(1.0, sqrt(line_error / b->tolerance)) : 0.0;
    bool is_good = error <= b->tolerance || p->depth == DEEPEST || p->to - p->from < shortest;
    if (!is_good && b->is_trial)
    {
        b->limit = 0;
        return PELT_OK;
    }
    return is_good ? finish_piece(b, p) : split_piece(b, p);
}

// ---------------------------------------------------------------------------------------------
// Tracks

// Bake from one key of the file to the next.
static pelt_result bake_span(baker* b, double from, double to)
{
    double *first = slot(b, SLOT_FIRST), *last = slot(b, SLOT_LAST);
    pelt_result result =
        evaluate(b, first, from, false, b->keys.count > 0 ? last_key(b) + 1 : NULL);
    double jump = 0.0;
    for (uint32_t k = 0; k < b->signal->width && b->keys.count > 0; ++k)
    {
        jump = fmax(jump, fabs(first[k] - last_key(b)[1 + k]));
    }
    // A discontinuity has two keys at the same time; write_track() separates them.
    if (result == PELT_OK && (b->keys.count == 0 || jump > b->tolerance))
    {
        result = push_key(b, from, first);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    result = evaluate(b, last, to, true, first);
    const piece whole = {from, to, first, last, 0};
    for (int i = 0; i < 2 && result == PELT_OK && b->is_spline; ++i)
    {
        result = find_end_slope(b, &whole, i == 1);
    }
    return result == PELT_OK ? bake_piece(b, &whole) : result;
}

// The tolerance of rotations is absolute; that of other numbers is relative to the largest value of
// the signal.
static pelt_result find_tolerance(baker* b, const pelti_fbx_times* times)
{
    double* value = slot(b, SLOT_TRUTH);
    double largest = 1e-3;
    for (uint32_t i = 0; i < times->count && !b->signal->is_rotation; ++i)
    {
        PELT_TRY(evaluate(b, value, times->at[i], false, NULL));
        for (uint32_t k = 0; k < b->signal->width; ++k)
        {
            largest = fmax(largest, fabs(value[k]));
        }
    }
    b->tolerance = b->signal->tolerance * (b->signal->is_rotation ? 1.0 : largest);
    return PELT_OK;
}

static pelt_result bake_keys(baker* b, const pelti_fbx_times* times)
{
    b->keys.stride = 1 + 3 * b->signal->width;
    if (times->count == 1)
    {
        double* value = slot(b, SLOT_TRUTH);
        PELT_TRY(evaluate(b, value, times->at[0], false, NULL));
        return push_key(b, times->at[0], value);
    }
    for (uint32_t i = 0; i + 1 < times->count && b->keys.count <= b->limit; ++i)
    {
        PELT_TRY(bake_span(b, times->at[i], times->at[i + 1]));
    }
    return PELT_OK;
}

// Seconds from the start of the take, after the previous key in float precision.
static float key_time(double ticks, const pelti_fbx_take* take)
{
    return (float)((ticks - take->start) / PELTI_FBX_SECOND);
}

// Keys that are so close that their times are equal as floats are merged: the later one is kept,
// with the incoming slope of the earlier one.
static void write_key(const baker* b, float* values, const double* key, bool is_repeated)
{
    uint32_t width = b->signal->width;
    for (uint32_t k = 0; k < width; ++k)
    {
        if (!b->is_spline)
        {
            values[k] = (float)key[1 + k];
            continue;
        }
        values[k] = is_repeated ? values[k] : (float)(key[1 + width + k] * PELTI_FBX_SECOND);
        values[width + k] = (float)key[1 + k];
        values[2 * width + k] = (float)(key[1 + 2 * width + k] * PELTI_FBX_SECOND);
    }
    if (b->signal->is_rotation)
    {
        pelt_quat q;
        float* at = values + (b->is_spline ? width : 0);
        memcpy(&q, at, sizeof q);
        q = pelt_quat_normalize(q);
        memcpy(at, &q, sizeof q);
    }
}

static bool is_still(const pelt_track* track)
{
    for (uint32_t i = track->width; i < track->key_count * track->width; ++i)
    {
        if (track->values[i] != track->values[i % track->width])
        {
            return false;
        }
    }
    return track->interpolation == PELT_INTERPOLATION_LINEAR;
}

static pelt_result write_track(const baker* b, pelt_track* out)
{
    uint32_t width = b->signal->width, row = width * (b->is_spline ? 3 : 1);
    float* times = pelt_arena_alloc(b->f->arena, b->keys.count, sizeof *times);
    float* values = pelt_arena_alloc(b->f->arena, b->keys.count, row * sizeof *values);
    if (times == NULL || values == NULL)
    {
        return pelt_error_memory(b->f->error);
    }
    *out = (pelt_track){.interpolation =
                            b->is_spline ? PELT_INTERPOLATION_CUBIC : PELT_INTERPOLATION_LINEAR,
                        .width = width,
                        .times = times,
                        .values = values};
    for (uint32_t i = 0; i < b->keys.count; ++i)
    {
        const double* key = b->keys.numbers + (size_t)i * b->keys.stride;
        float time = key_time(key[0], b->signal->take);
        bool is_repeated = out->key_count > 0 && !(time > times[out->key_count - 1]);
        // A key that only marks the end of a discontinuity is moved to the previous float.
        if (is_repeated &&
            (out->key_count == 1 || times[out->key_count - 2] < nextafterf(time, -1.0f)))
        {
            times[out->key_count - 1] = nextafterf(time, -1.0f);
            is_repeated = times[out->key_count - 1] < 0.0f;
        }
        out->key_count += !is_repeated;
        times[out->key_count - 1] = time;
        write_key(b, values + (size_t)(out->key_count - 1) * row, key, is_repeated);
    }
    out->key_count = is_still(out) ? 1 : out->key_count;
    return PELT_OK;
}

static size_t cost_of(const baker* b)
{
    return (size_t)b->keys.count * (1 + (b->is_spline ? 3 : 1) * (size_t)b->signal->width);
}

pelt_result pelti_fbx_bake(pelt_track* out, pelti_fbx* f, const pelti_fbx_signal* signal,
                           pelti_fbx_times* times)
{
    double* scratch =
        pelti_fbx_alloc(&f->file, (size_t)SLOT_COUNT * 2 * signal->width, sizeof *scratch);
    if (scratch == NULL || !push_time(&f->file, times, signal->take->start) ||
        !push_time(&f->file, times, signal->take->stop))
    {
        return PELT_ERROR_MEMORY;
    }
    order_times(times, signal->take);
    // Lines between the keys of the file are the smallest possible track.
    baker line = {
        .f = f, .signal = signal, .is_trial = true, .limit = UINT32_MAX, .scratch = scratch};
    pelt_result result = find_tolerance(&line, times);
    baker spline = {.f = f,
                    .signal = signal,
                    .is_spline = true,
                    .limit = UINT32_MAX,
                    .tolerance = line.tolerance,
                    .scratch = scratch};
    if (result == PELT_OK)
    {
        result = bake_keys(&line, times);
    }
    bool is_line = line.limit > 0;
    if (result == PELT_OK && !is_line)
    {
        result = bake_keys(&spline, times);
        line.limit = (uint32_t)(cost_of(&spline) / (1 + signal->width)) + 1;
        line.keys.count = 0;
        line.is_trial = false;
        // Twice, because pieces may be shorter where the curvature is high and longer elsewhere.
        if (result == PELT_OK && spline.line_count <= 2.0 * line.limit)
        {
            result = bake_keys(&line, times);
            is_line = cost_of(&line) <= cost_of(&spline);
        }
    }
    if (result == PELT_OK)
    {
        result = write_track(is_line ? &line : &spline, out);
    }
    release_keys(&spline);
    release_keys(&line);
    return result;
}
