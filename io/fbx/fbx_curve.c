// SPDX-License-Identifier: MIT
// Curves of one number over time: keys, the slopes that programs leave to be computed, and the
// value in between.
#include "fbx_read.h"

#include <string.h>

enum
{
    WAY_CONSTANT = 0x2,
    WAY_LINE = 0x4,
    WAY_SPLINE = 0x8,
    CONSTANT_NEXT = 0x100, // of a constant key
    SLOPE_TCB = 0x200,     // of a spline key: tension, continuity, bias
    SLOPE_USER = 0x400,
    SLOPE_TIME_FREE = 0x2000, // of an automatic slope: long and short ways count the same
    SLOPE_CLAMPED = 0x4000,   // of an automatic slope: nothing swings over a key
    WEIGHT_OUT = 0x1000000,
    WEIGHT_NEXT_IN = 0x2000000,
};

// ---------------------------------------------------------------------------------------------
// Slopes

// What the file says about a key; many keys may share it.
typedef struct key_facts
{
    uint32_t flags;
    float data[4]; // slope, slope at the next key, both weights packed, velocities
} key_facts;

static bool is_spline(const key_facts* facts, uint32_t flag)
{
    return (facts->flags & WAY_SPLINE) != 0 && (flag == 0 || (facts->flags & flag) != 0);
}

static bool is_auto(const key_facts* facts)
{
    return is_spline(facts, 0) && !is_spline(facts, SLOPE_USER | SLOPE_TCB);
}

static double secant(const pelti_fbx_key* a, const pelti_fbx_key* b)
{
    return (b->value - a->value) / (b->time - a->time);
}

static void set_auto_slopes(pelti_fbx_key* keys, uint32_t count, uint32_t i, uint32_t flags)
{
    pelti_fbx_key* key = &keys[i];
    bool is_clamped = (flags & SLOPE_CLAMPED) != 0;
    if (i == 0 || i + 1 == count)
    {
        bool is_flat = count == 1 || is_clamped;
        key->slope_in = is_flat ? 0.0 : i == 0 ? secant(key, key + 1) : secant(key - 1, key);
        key->slope_out = key->slope_in;
        return;
    }
    const pelti_fbx_key *before = key - 1, *after = key + 1;
    double slope = secant(before, after);
    if ((flags & SLOPE_TIME_FREE) == 0)
    {
        double part = (key->time - before->time) / (after->time - before->time);
        double sides = secant(before, key) * (1.0 - part) + secant(key, after) * part;
        slope = 0.5 * (slope + sides);
    }
    if (is_clamped)
    {
        // No steeper than lets the handle reach the value of the neighbor.
        double sign = slope < 0.0 ? -1.0 : 1.0;
        double left = fmax(0.0, sign * secant(before, key) / key->weight_in);
        double right = fmax(0.0, sign * secant(key, after) / key->weight_out);
        slope = sign * fmin(fabs(slope), fmin(left, right));
    }
    key->slope_in = key->slope_out = slope;
}

// Kochanek and Bartels 1984.
static void set_tcb_slopes(pelti_fbx_key* keys, uint32_t count, uint32_t i, const float* data)
{
    double left = i > 0 ? secant(&keys[i - 1], &keys[i]) : 0.0;
    double right = i + 1 < count ? secant(&keys[i], &keys[i + 1]) : left;
    left = i > 0 ? left : right;
    double t = (double)data[0], c = (double)data[1], b = (double)data[2];
    keys[i].slope_in =
        0.5 * (1.0 - t) * ((1.0 - c) * (1.0 + b) * left + (1.0 + c) * (1.0 - b) * right);
    keys[i].slope_out =
        0.5 * (1.0 - t) * ((1.0 + c) * (1.0 + b) * left + (1.0 - c) * (1.0 - b) * right);
}

static void set_weights(pelti_fbx_key* keys, uint32_t count, uint32_t i, const key_facts* facts)
{
    uint32_t packed;
    memcpy(&packed, &facts->data[2], sizeof packed);
    // Below one half each, or handles could cross and time run backwards between them.
    double out = (double)(packed & 0xffff) / 9999.0, in = (double)(packed >> 16) / 9999.0;
    if (is_spline(facts, WEIGHT_OUT))
    {
        keys[i].weight_out = fmin(fmax(out, 1e-4), 1.0);
    }
    if (is_spline(facts, WEIGHT_NEXT_IN) && i + 1 < count)
    {
        keys[i + 1].weight_in = fmin(fmax(in, 1e-4), 1.0);
    }
}

// facts[i] belongs to keys[i].
static void set_slopes(pelti_fbx_key* keys, uint32_t count, const key_facts* const* facts)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        set_weights(keys, count, i, facts[i]);
        if (!is_spline(facts[i], SLOPE_USER))
        {
            continue;
        }
        // Slopes that the file states: out of this key, and into the next unless that finds its
        // own.
        bool is_user_before = i > 0 && is_spline(facts[i - 1], SLOPE_USER);
        keys[i].slope_out = (double)facts[i]->data[0] / PELTI_FBX_SECOND;
        keys[i].slope_in = is_user_before ? keys[i].slope_in : keys[i].slope_out;
        if (i + 1 < count)
        {
            keys[i + 1].slope_in = (double)facts[i]->data[1] / PELTI_FBX_SECOND;
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (is_spline(facts[i], SLOPE_TCB))
        {
            set_tcb_slopes(keys, count, i, facts[i]->data);
        }
        else if (is_auto(facts[i]))
        {
            set_auto_slopes(keys, count, i, facts[i]->flags);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Reading

typedef struct curve_source
{
    pelti_fbx_integers times;
    pelti_fbx_reals values, data;
    pelti_fbx_integers flags, uses;
} curve_source;

static pelt_result read_source(curve_source* out, pelti_fbx_file* file, const pelti_fbx_node* node)
{
    pelt_result result = pelti_fbx_read_integers(&out->times, file, node, "KeyTime");
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_fbx_read_reals(&out->values, file, node, "KeyValueFloat");
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_fbx_read_integers(&out->flags, file, node, "KeyAttrFlags");
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_fbx_read_reals(&out->data, file, node, "KeyAttrDataFloat");
    return result == PELT_OK ? pelti_fbx_read_integers(&out->uses, file, node, "KeyAttrRefCount")
                             : result;
}

static key_facts* read_facts(const curve_source* source, const pelti_fbx_file* file)
{
    uint32_t count = source->flags.count;
    key_facts* facts = pelti_fbx_take(file, (size_t)count + 1, sizeof *facts);
    if (facts == NULL)
    {
        return NULL;
    }
    // Text files write these floats as the integers with the same bits or, older ones, as numbers:
    // then the packed weights are no whole number.
    bool is_bits = file->is_text;
    for (uint32_t i = 0; i < source->data.count && is_bits; ++i)
    {
        is_bits = source->data.at[i] == floor(source->data.at[i]);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        facts[i].flags = (uint32_t)source->flags.at[i];
        for (uint32_t k = 0; k < 4 && (size_t)4 * i + k < source->data.count; ++k)
        {
            double number = source->data.at[(size_t)4 * i + k];
            float datum = isfinite((float)number) ? (float)number : 0.0f;
            if (is_bits)
            {
                uint32_t bits = fabs(number) < 9e15 ? (uint32_t)(int64_t)number : 0;
                memcpy(&datum, &bits, sizeof datum);
            }
            // The packed weights are no number and stay as they are.
            facts[i].data[k] = k == 2 || isfinite(datum) ? datum : 0.0f;
        }
    }
    facts[count].flags = WAY_LINE;
    return facts;
}

static char way_of(uint32_t flags)
{
    if ((flags & WAY_SPLINE) != 0)
    {
        return 's';
    }
    if ((flags & WAY_CONSTANT) != 0)
    {
        return (flags & CONSTANT_NEXT) != 0 ? 'n' : 'c';
    }
    return 'l';
}

// Keys in order of time; what is no number or not later than the key before is left out.
static uint32_t fill_keys(pelti_fbx_key* keys, const key_facts** facts, const curve_source* source,
                          const key_facts* all)
{
    uint32_t most =
        source->times.count < source->values.count ? source->times.count : source->values.count;
    uint32_t count = 0, fact = 0;
    int64_t left = source->uses.count > 0 ? source->uses.at[0] : 0;
    for (uint32_t i = 0; i < most; ++i, --left)
    {
        while (left <= 0 && fact < source->flags.count)
        {
            fact++;
            left = fact < source->uses.count ? source->uses.at[fact] : INT64_MAX;
        }
        double time = (double)source->times.at[i], value = source->values.at[i];
        if (isfinite((float)value) && (count == 0 || time > keys[count - 1].time))
        {
            keys[count] = (pelti_fbx_key){.time = time,
                                          .value = value,
                                          .way = way_of(all[fact].flags),
                                          .weight_in = 1.0 / 3.0,
                                          .weight_out = 1.0 / 3.0};
            facts[count++] = &all[fact];
        }
    }
    return count;
}

pelt_result pelti_fbx_load_curve(pelti_fbx_curve* out, pelti_fbx_file* file,
                                 const pelti_fbx_node* node)
{
    curve_source source = {0};
    pelt_result result = read_source(&source, file, node);
    if (result != PELT_OK)
    {
        return result;
    }
    pelti_fbx_key* keys = pelti_fbx_take(file, source.times.count, sizeof *keys);
    const key_facts** facts = pelti_fbx_take(file, source.times.count, sizeof *facts);
    const key_facts* all = read_facts(&source, file);
    if (keys == NULL || facts == NULL || all == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    out->key_count = fill_keys(keys, facts, &source, all);
    out->keys = keys;
    set_slopes(keys, out->key_count, facts);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Values

// Where a Bezier curve from 0 to 1 with its inner points at a and b reaches x.
static double solve_time(double a, double b, double x)
{
    double low = 0.0, high = 1.0, u = x;
    for (int i = 0; i < 60; ++i)
    {
        double v = 1.0 - u;
        double at = 3.0 * v * v * u * a + 3.0 * v * u * u * b + u * u * u;
        if (at < x)
        {
            low = u;
        }
        else
        {
            high = u;
        }
        double speed = 3.0 * v * v * a + 6.0 * v * u * (b - a) + 3.0 * u * u * (1.0 - b);
        double next = u - (at - x) / speed;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(next - u) < 1e-15)
        {
            break;
        }
        u = next;
    }
    return u;
}

static double spline_at(const pelti_fbx_key* a, double time)
{
    const pelti_fbx_key* b = a + 1;
    double way = b->time - a->time, x = (time - a->time) / way;
    bool is_even = a->weight_out == 1.0 / 3.0 && b->weight_in == 1.0 / 3.0;
    double u = is_even ? x : solve_time(a->weight_out, 1.0 - b->weight_in, x);
    double v = 1.0 - u;
    double handle_a = a->value + a->slope_out * a->weight_out * way;
    double handle_b = b->value - b->slope_in * b->weight_in * way;
    return v * v * v * a->value + 3.0 * v * v * u * handle_a + 3.0 * v * u * u * handle_b +
           u * u * u * b->value;
}

// The last key at or before the moment; before it, when the moment is a limit from earlier.
static uint32_t find_key(const pelti_fbx_curve* curve, pelti_fbx_moment moment)
{
    uint32_t low = 0, high = curve->key_count, last = high - 1;
    double span = curve->keys[last].time - curve->keys[0].time;
    double part = (moment.time - curve->keys[0].time) / span;
    // Motion capture has keys at equal distances: the one looked for is where it would be then, or
    // next to it. Elsewhere these are two steps too many.
    uint32_t guess = part > 0.0 ? part < 1.0 ? (uint32_t)(part * last) : last : 0;
    uint32_t looks[2] = {guess > 0 ? guess - 1 : 0, guess < last ? guess + 2 : last};
    for (uint32_t i = 0; high - low > 1; ++i)
    {
        uint32_t middle =
            i < 2 && looks[i] > low && looks[i] < high ? looks[i] : low + (high - low) / 2;
        double time = curve->keys[middle].time;
        if (moment.is_before ? time < moment.time : time <= moment.time)
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

double pelti_fbx_curve_at(const pelti_fbx_curve* curve, pelti_fbx_moment moment)
{
    if (curve->key_count == 0)
    {
        return 0.0;
    }
    uint32_t i = find_key(curve, moment);
    const pelti_fbx_key* key = &curve->keys[i];
    if (moment.time <= key->time || i + 1 == curve->key_count)
    {
        return key->value;
    }
    switch (key->way)
    {
    case 'c':
        return key->value;
    case 'n':
        return key[1].value;
    case 'l':
        return key->value + (key[1].value - key->value) *
                                ((moment.time - key->time) / (key[1].time - key->time));
    default:
        return spline_at(key, moment.time);
    }
}
