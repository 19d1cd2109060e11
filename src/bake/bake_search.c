// SPDX-License-Identifier: MIT
// Searches for the coarsest encoding within an error: one tolerance for all values, times a factor
// for each joint, which grows where the error of its vertices is below the limit.
#include "../base/exact.h"

#include "bake_search.h"

#include <string.h>

enum
{
    ROUNDS = 10,  // of a search: encodings that are tried
    HALVINGS = 8, // of a tolerance, where these have found none
};

static bool copy_code(pelti_code* out, const pelti_code* code, pelt_arena* arena)
{
    size_t key_words = (size_t)code->key_words * code->key_count;
    *out = *code;
    out->table = pelt_arena_alloc(arena, code->table_words, sizeof *out->table);
    out->keys = pelt_arena_alloc(arena, key_words, sizeof *out->keys);
    if (out->table == NULL || out->keys == NULL)
    {
        return false;
    }
    memcpy(out->table, code->table, code->table_words * sizeof *out->table);
    memcpy(out->keys, code->keys, key_words * sizeof *out->keys);
    return true;
}

pelt_result pelti_bake_encode(pelti_code* out, pelti_probe_error* error, const pelti_bake_job* job,
                              const pelti_samples* samples, const pelti_quality* quality,
                              const pelti_probe_list* list, pelt_arena* arena)
{
    pelt_arena* scratch = pelt_arena_create();
    size_t size = (size_t)samples->count * job->source->joint_count;
    pelt_mat34* decoded = scratch == NULL ? NULL : pelt_arena_alloc(scratch, size, sizeof *decoded);
    if (decoded == NULL)
    {
        pelt_arena_destroy(scratch);
        return PELT_ERROR_MEMORY;
    }
    pelti_code_job own = {job->source, job->plan,        samples, job->options->encoding,
                          job->unit,   job->stretch_unit};
    pelti_code code;
    pelt_result result = pelti_code_make(&code, decoded, &own, quality, scratch);
    if (result == PELT_OK && error != NULL)
    {
        result = pelti_code_compare(error, &own, list, decoded);
    }
    if (result == PELT_OK && !copy_code(out, &code, arena))
    {
        result = PELT_ERROR_MEMORY;
    }
    pelt_arena_destroy(scratch);
    return result;
}

size_t pelti_code_words(const pelti_code* code)
{
    return code->table_words + (size_t)code->key_words * code->key_count;
}

// ---------------------------------------------------------------------------------------------

typedef struct search
{
    const pelti_bake_job* job;
    const pelti_samples* samples;
    pelti_quality quality;
    pelti_probe_error error; // of the last try
    double max_error;
    float* factors; // of each joint
    pelti_found best;
    bool has_best;
    pelt_arena* arena;
} search;

static pelt_result begin_search(search* out, const pelti_found* found, const pelti_bake_job* job,
                                const pelti_samples* samples)
{
    uint32_t joint_count = job->source->joint_count;
    *out = (search){.job = job,
                    .samples = samples,
                    .quality = {.has_path = found->has_path, .path_weight = 2.0f},
                    .max_error =
                        0.98 * job->options->max_error, // errors between samples may be larger
                    .best = *found,
                    .has_best = found->code.table != NULL,
                    .arena = pelt_arena_create()};
    if (out->arena == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    out->factors = pelt_arena_alloc(out->arena, joint_count, sizeof *out->factors);
    out->best.factors = pelt_arena_alloc(out->arena, joint_count, sizeof *out->best.factors);
    out->error.joints = pelt_arena_alloc(out->arena, joint_count, sizeof *out->error.joints);
    if (out->factors == NULL || out->best.factors == NULL || out->error.joints == NULL)
    {
        pelt_arena_destroy(out->arena);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t joint = 0; joint < joint_count; ++joint)
    {
        out->factors[joint] = out->best.factors[joint] =
            found->factors != NULL ? found->factors[joint] : 1.0f;
    }
    out->quality.joint_factors = out->factors;
    return PELT_OK;
}

static pelt_result end_search(pelti_found* out, search* s, pelt_result result, pelt_arena* arena)
{
    if (result == PELT_OK)
    {
        size_t count = s->job->source->joint_count;
        pelti_found found = s->best;
        found.factors = pelt_arena_alloc(arena, count, sizeof *found.factors);
        if (found.factors == NULL || !copy_code(&found.code, &s->best.code, arena))
        {
            result = PELT_ERROR_MEMORY;
        }
        else
        {
            memcpy(found.factors, s->best.factors, count * sizeof *found.factors);
            *out = found;
        }
    }
    pelt_arena_destroy(s->arena);
    return result;
}

static double scoped_error(const search* s)
{
    return s->job->options->scope == PELT_BAKE_AT_SAMPLES ? s->error.at_keys : s->error.everywhere;
}

static double finest(const search* s)
{
    return 1e-7 * (double)s->job->source->height;
}

// Encode with a tolerance, and look at the vertices of a list.
static pelt_result try_tolerance(search* s, pelti_code* code, double tolerance,
                                 const pelti_probe_list* list)
{
    s->error.at_keys = s->error.everywhere = 0.0;
    for (uint32_t joint = 0; joint < s->job->source->joint_count; ++joint)
    {
        s->error.joints[joint] = 0.0f;
    }
    s->quality.tolerance = tolerance;
    return pelti_bake_encode(code, &s->error, s->job, s->samples, &s->quality, list, s->arena);
}

static void keep(search* s, const pelti_code* code)
{
    s->best.code = *code;
    s->best.tolerance = s->quality.tolerance;
    s->has_best = true;
    memcpy(s->best.factors, s->factors, s->job->source->joint_count * sizeof *s->factors);
}

// Try at the probes, and keep the result if it is the smallest so far that is good enough.
static pelt_result try_probes(search* s, double tolerance)
{
    pelti_code code;
    pelt_result result = try_tolerance(s, &code, tolerance, &s->job->source->probes);
    bool is_smaller = result == PELT_OK &&
                      (!s->has_best || pelti_code_words(&code) < pelti_code_words(&s->best.code));
    if (is_smaller && scoped_error(s) <= s->max_error)
    {
        keep(s, &code);
    }
    return result;
}

// Encode with almost no rounding and check every vertex. If even that misses the error, *reached is
// 1.2 times what remains, which leaves room for rounding.
static pelt_result try_finest(search* s, double* reached)
{
    pelti_code code;
    for (uint32_t joint = 0; joint < s->job->source->joint_count; ++joint)
    {
        s->factors[joint] = 1.0f;
    }
    pelt_result result = try_tolerance(s, &code, finest(s), &s->job->source->vertices);
    if (result == PELT_OK && scoped_error(s) <= s->max_error)
    {
        keep(s, &code);
        return PELT_OK;
    }
    *reached = result == PELT_OK ? 1.2 * scoped_error(s) : *reached;
    return result != PELT_OK ? result : PELT_ERROR_UNSUPPORTED;
}

// Coarsen the tolerance of a joint if its vertices and those of its descendants are below the
// limit, refine it otherwise.
static void update_factors(search* s)
{
    const pelti_bake_plan* plan = s->job->plan;
    uint32_t joint_count = s->job->source->joint_count;
    for (uint32_t i = joint_count; i-- > 0;)
    {
        uint32_t joint = plan->order[i], parent = plan->parents[joint];
        float* errors = s->error.joints;
        if (parent != PELT_NONE)
        {
            errors[parent] = fmaxf(errors[parent], errors[joint]);
        }
        if (errors[joint] > 0.0f)
        {
            double room = pow(s->max_error / (double)errors[joint], 0.7);
            double factor = (double)s->factors[joint] * fmin(fmax(room, 0.6), 1.8);
            s->factors[joint] = (float)fmin(fmax(factor, 0.1), 10.0);
        }
    }
}

// How much rounding may add to the error that remains without it.
static double room_for_rounding(const search* s)
{
    return fmax(s->max_error - s->best.floor, 0.02 * s->max_error);
}

// Above its floor, the error grows roughly in proportion to the tolerance, but in steps. A
// tolerance that is slightly too large is therefore reduced by at least 7 %.
static double next_tolerance(const search* s)
{
    double room = room_for_rounding(s), used = fmax(scoped_error(s) - s->best.floor, 0.02 * room);
    double factor = fmin(fmax(pow(room / used, 0.8), 0.4), 2.0);
    factor = scoped_error(s) > s->max_error ? fmin(factor, 0.93) : factor;
    return fmax(factor * s->quality.tolerance, finest(s));
}

static pelt_result search_tolerance(search* s, double* reached)
{
    double tolerance = s->best.tolerance > 0.0 ? s->best.tolerance : 0.5 * room_for_rounding(s);
    pelt_result result = PELT_OK;
    for (int round = 0; round < ROUNDS && result == PELT_OK; ++round)
    {
        result = try_probes(s, tolerance);
        if (!(scoped_error(s) > 0.0))
        {
            break; // no joint moves
        }
        if (round % 2 == 1)
        {
            update_factors(s);
        }
        tolerance = next_tolerance(s);
    }
    for (int i = 0; i < HALVINGS && result == PELT_OK && !s->has_best; ++i)
    {
        tolerance = fmax((i < 3 ? 0.8 : 0.5) * tolerance, finest(s));
        result = try_probes(s, tolerance);
    }
    return result == PELT_OK && !s->has_best ? try_finest(s, reached) : result;
}

// With almost no rounding, the remaining error is that of interpolation: more bits do not help.
static pelt_result find_floor(search* s, double* reached)
{
    pelt_result result = try_probes(s, fmax(0.02 * s->max_error, finest(s)));
    s->best.floor = result == PELT_OK ? scoped_error(s) : 0.0;
    return result == PELT_OK && s->best.floor > s->max_error ? try_finest(s, reached) : result;
}

pelt_result pelti_bake_search(pelti_found* inout, double* reached, const pelti_bake_job* job,
                              const pelti_samples* samples, bool has_floor, pelt_arena* arena)
{
    search s;
    *reached = INFINITY;
    PELT_TRY(begin_search(&s, inout, job, samples));
    pelt_result result = has_floor ? find_floor(&s, reached) : PELT_OK;
    result = result == PELT_OK ? search_tolerance(&s, reached) : result;
    return end_search(inout, &s, result, arena);
}

pelt_result pelti_bake_estimate(pelti_found* inout, double* reached, const pelti_bake_job* job,
                                const pelti_samples* samples, bool has_floor, pelt_arena* arena)
{
    search s;
    *reached = INFINITY;
    PELT_TRY(begin_search(&s, inout, job, samples));
    pelt_result result = has_floor ? try_probes(&s, fmax(0.02 * s.max_error, finest(&s))) : PELT_OK;
    if (has_floor && result == PELT_OK)
    {
        s.best.floor = scoped_error(&s);
        bool is_met = s.best.floor <= s.max_error;
        *reached = is_met ? INFINITY : 1.2 * s.best.floor;
        result = is_met ? PELT_OK : PELT_ERROR_UNSUPPORTED;
    }
    pelti_code code;
    if (result == PELT_OK)
    {
        result = try_tolerance(&s, &code, 0.5 * room_for_rounding(&s), &job->source->probes);
    }
    if (result == PELT_OK)
    {
        keep(&s, &code);
    }
    return end_search(inout, &s, result, arena);
}

// Searches use part of the vertices and samples. Check all, and lower the tolerance where needed.
static pelt_result aim_lower(search* s, double* reached, bool has_finest)
{
    double tolerance = s->best.tolerance;
    for (int round = 0; round < ROUNDS; ++round)
    {
        pelti_code code;
        PELT_TRY(try_tolerance(s, &code, tolerance, &s->job->source->vertices));
        if (scoped_error(s) <= s->max_error)
        {
            keep(s, &code);
            return PELT_OK;
        }
        tolerance = fmax(fmin(next_tolerance(s), (round < 3 ? 1.0 : 0.5) * tolerance), finest(s));
    }
    return has_finest ? try_finest(s, reached) : PELT_ERROR_UNSUPPORTED;
}

pelt_result pelti_bake_verify(pelti_found* inout, double* reached, const pelti_bake_job* job,
                              const pelti_samples* samples, bool has_finest, pelt_arena* arena)
{
    search s;
    *reached = INFINITY;
    PELT_TRY(begin_search(&s, inout, job, samples));
    return end_search(inout, &s, aim_lower(&s, reached, has_finest), arena);
}

// ---------------------------------------------------------------------------------------------
// Clips at a rate

enum
{
    FITTED = 4,   // samples per interval that paths are fitted to
    VERIFIED = 8, // samples per interval where an error must hold, as in pelt_baked_measure()
    PARTS = 24,   // of the rate of the source, between multiples of it
    STEPS = 2,    // between two rates
    HIGHER = 3,   // steps up from a rate that is too low
    DIVISIONS = 2,
    MOST_INTERVALS = 24, // of the source, sampled between two keys
};

// ---------------------------------------------------------------------------------------------
// Sampling

bool pelti_bake_clip_is_exact(const pelti_bake_clip* clip)
{
    return clip->source_times.is_exact && clip->rate.multiplier % clip->rate.divisor == 0;
}

// Intervals of the source in the longest interpolated interval of a clip, up to MOST_INTERVALS.
static uint32_t source_intervals(const pelti_clip_times* times)
{
    double most = 1.0;
    for (uint32_t i = 0; i < times->run_count; ++i)
    {
        const pelti_run_times* run = &times->runs[i];
        if (run->intervals > 0 && !run->is_held && times->source_interval > 0.0)
        {
            double interval = (run->end - run->start) / run->intervals;
            most = fmax(most, ceil(interval / times->source_interval - 0.01));
        }
    }
    return (uint32_t)fmin(most, MOST_INTERVALS);
}

static bool is_allowed(const pelti_bake_clip* clip, pelti_rate rate)
{
    return rate.multiplier <= rate.divisor || rate.multiplier <= clip->most_rate * rate.divisor;
}

pelt_result pelti_bake_clip_sample(pelti_bake_clip* clip, const pelti_bake_source* source,
                                   const pelt_bake_options* options, pelti_rate rate)
{
    pelt_arena_destroy(clip->arena);
    clip->arena = pelt_arena_create();
    clip->rate = rate;
    clip->found = (pelti_found){0};
    uint32_t between = options->has_budget && !pelti_bake_clip_is_exact(clip) ? VERIFIED : FITTED;
    if (clip->arena == NULL ||
        pelti_clip_times_scale(&clip->times, &clip->source_times, rate.divisor, rate.multiplier,
                               clip->arena) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    // At least as dense as the keys of the source, so that none is missed.
    between *= source_intervals(&clip->times);
    return pelti_clip_sample(&clip->samples, source, clip->clip, &clip->times, between,
                             clip->arena);
}

// The cosine of the angle from one motion to another, without scale; 1 where one is singular.
static double rotation_cosine(const pelt_mat34* a, const pelt_mat34* b)
{
    double dot = 0.0, a_square = 0.0, b_square = 0.0;
    for (int k = 0; k < 9; ++k)
    {
        double x = (double)a->m[k / 3][k % 3], y = (double)b->m[k / 3][k % 3];
        dot += x * y;
        a_square += x * x;
        b_square += y * y;
    }
    double size = sqrt(a_square * b_square);
    return size > 1e-30 ? 0.5 * (3.0 * dot / size - 1.0) : 1.0;
}

// Whether a joint rotates by more than 150 degrees from one key to the next.
static bool has_large_rotation(const pelti_bake_clip* clip, const pelti_bake_source* source,
                               bool is_local)
{
    const pelti_samples* samples = &clip->samples;
    for (uint32_t key = 0; key < samples->key_count; ++key)
    {
        size_t from = (size_t)samples->key_samples[key] * source->joint_count;
        size_t to = (size_t)samples->key_samples[samples->next[key]] * source->joint_count;
        for (uint32_t joint = 0; joint < source->joint_count; ++joint)
        {
            uint32_t above = is_local ? source->joints[joint].above : PELT_NONE;
            pelt_mat34 a = samples->motions[from + joint], b = samples->motions[to + joint], back;
            if (above != PELT_NONE && pelt_mat34_inverse(&back, &samples->motions[from + above]))
            {
                a = pelt_mat34_mul(&back, &a);
            }
            if (above != PELT_NONE && pelt_mat34_inverse(&back, &samples->motions[to + above]))
            {
                b = pelt_mat34_mul(&back, &b);
            }
            if (rotation_cosine(&a, &b) < -0.866)
            {
                return true;
            }
        }
    }
    return false;
}

pelt_result pelti_bake_clip_begin(pelti_bake_clip* clip, const pelti_bake_source* source,
                                  const pelt_bake_options* options)
{
    bool is_free = options->timing != PELT_BAKE_RATE && options->layout == PELT_BAKE_LAYOUT_MODERN;
    bool has_rotations = options->encoding == PELT_ENCODING_QT ||
                         options->encoding == PELT_ENCODING_LOCAL ||
                         options->encoding == PELT_ENCODING_DQ;
    pelt_result result = pelti_bake_clip_sample(clip, source, options, (pelti_rate){1, 1});
    for (int i = 0; i < DIVISIONS && result == PELT_OK && is_free && has_rotations; ++i)
    {
        if (!is_allowed(clip, (pelti_rate){1, 2}) ||
            !has_large_rotation(clip, source, options->encoding == PELT_ENCODING_LOCAL))
        {
            break;
        }
        clip->most_rate *= 0.5;
        for (uint32_t run = 0; run < clip->source_times.run_count; ++run)
        {
            clip->source_times.runs[run].intervals *= clip->source_times.runs[run].is_held ? 1 : 2;
        }
        result = pelti_bake_clip_sample(clip, source, options, (pelti_rate){1, 1});
    }
    return result;
}

pelt_result pelti_bake_clip_thin(pelti_samples* out, const pelti_bake_clip* clip,
                                 bool has_keys_only, uint32_t joint_count, pelt_arena* arena)
{
    const pelti_samples* all = &clip->samples;
    bool is_exact = has_keys_only || pelti_bake_clip_is_exact(clip);
    *out = *all;
    out->count = 0;
    out->key_samples = pelt_arena_alloc(arena, all->key_count, sizeof *out->key_samples);
    out->spans = pelt_arena_alloc(arena, all->key_count, sizeof *out->spans);
    if (out->key_samples == NULL || out->spans == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t key = 0; key < all->key_count; ++key)
    {
        uint32_t span = all->spans[key];
        uint32_t step = is_exact ? span : span > VERIFIED ? 4 : span == VERIFIED ? 2 : 1;
        out->key_samples[key] = out->count;
        out->spans[key] = span / step;
        out->count += out->spans[key];
    }
    out->motions = pelt_arena_alloc(arena, (size_t)out->count * joint_count, sizeof *out->motions);
    for (uint32_t key = 0; out->motions != NULL && key < all->key_count; ++key)
    {
        for (uint32_t i = 0; i < out->spans[key]; ++i)
        {
            size_t from = all->key_samples[key] + (size_t)i * (all->spans[key] / out->spans[key]);
            memcpy(out->motions + (size_t)(out->key_samples[key] + i) * joint_count,
                   all->motions + from * joint_count, joint_count * sizeof *out->motions);
        }
    }
    return out->motions != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Rates

// Fractions of the source's rate as long as they help.
const pelti_rate pelti_fewer_rates[PELTI_FEWER_RATES] = {{2, 1}, {3, 1}, {4, 1},
                                                         {6, 1}, {8, 1}, {12, 1}};

// Tries rates of one clip.
typedef struct rate_search
{
    pelti_bake_clip* best;
    pelti_rate_trial trial;
    void* context;
} rate_search;

static pelti_bake_clip start_trial(const pelti_bake_clip* clip)
{
    return (pelti_bake_clip){.clip = clip->clip,
                             .source_times = clip->source_times,
                             .most_rate = clip->most_rate,
                             .reached = INFINITY};
}

static pelt_result try_rate(rate_search* s, pelti_rate rate, bool* is_better)
{
    pelti_bake_clip* best = s->best;
    pelti_bake_clip tried = start_trial(best);
    pelt_result result =
        is_allowed(best, rate) ? s->trial(&tried, rate, s->context) : PELT_ERROR_UNSUPPORTED;
    *is_better = result == PELT_OK &&
                 (best->found.code.table == NULL ||
                  pelti_code_words(&tried.found.code) < pelti_code_words(&best->found.code));
    bool is_nearer = best->found.code.table == NULL && tried.reached < best->reached;
    best->rate = is_nearer ? rate : best->rate;
    best->reached = fmin(best->reached, tried.reached);
    pelt_arena_destroy(*is_better ? best->arena : tried.arena);
    if (*is_better)
    {
        tried.reached = best->reached;
        *best = tried;
    }
    return result;
}

static bool goes_on(pelt_result result)
{
    return result == PELT_OK || result == PELT_ERROR_UNSUPPORTED;
}

// Bisect between a rate that is too low and one that is high enough, both in units of 1 / PARTS of
// the source's rate.
static pelt_result try_between(rate_search* s, uint32_t low, uint32_t high)
{
    pelt_result result = PELT_OK;
    for (int i = 0; i < STEPS && high - low > 1 && goes_on(result); ++i)
    {
        bool is_better;
        uint32_t middle = (low + high) / 2;
        result = try_rate(s, (pelti_rate){PARTS, middle}, &is_better);
        low = is_better ? low : middle;
        high = is_better ? middle : high;
    }
    return result;
}

// Lower rates, until the number of words grows.
static pelt_result try_lower(rate_search* s, bool is_fine)
{
    pelt_result result = PELT_OK;
    bool is_better = true;
    uint32_t good = 1, bad = 0; // divisors
    for (int i = 0; i < PELTI_FEWER_RATES && is_better && goes_on(result); ++i)
    {
        result = try_rate(s, pelti_fewer_rates[i], &is_better);
        good = is_better ? pelti_fewer_rates[i].divisor : good;
        bad = is_better ? 0 : pelti_fewer_rates[i].divisor;
    }
    if (is_fine && bad > 0 && goes_on(result))
    {
        result = try_between(s, PARTS / bad, PARTS / good);
    }
    // If the rate of the source is only just enough, little error is left for rounding.
    if (is_fine && s->best->rate.divisor == s->best->rate.multiplier && goes_on(result))
    {
        result = try_rate(s, (pelti_rate){4, 5}, &is_better);
    }
    return result;
}

// Higher rates, until one is enough.
static pelt_result try_higher(rate_search* s, bool is_fine)
{
    static const uint32_t multiples[] = {1, 2, 3, 4, 6, 8};
    pelt_result result = PELT_ERROR_UNSUPPORTED;
    bool is_better = false;
    size_t i = 0;
    while (result == PELT_ERROR_UNSUPPORTED && i + 1 < sizeof multiples / sizeof *multiples)
    {
        result = try_rate(s, (pelti_rate){1, multiples[++i]}, &is_better);
    }
    return is_fine && is_better ? try_between(s, PARTS * multiples[i - 1], PARTS * multiples[i])
                                : result;
}

pelt_result pelti_bake_try_rates(pelti_bake_clip* clip, const pelt_bake_options* options,
                                 pelti_rate_trial trial, void* context, bool is_fine)
{
    rate_search s = {clip, trial, context};
    bool is_better;
    clip->reached = INFINITY;
    clip->found = (pelti_found){0};
    pelt_result result = try_rate(&s, (pelti_rate){1, 1}, &is_better);
    if (options->timing == PELT_BAKE_AUTO && goes_on(result))
    {
        result = result == PELT_OK ? try_lower(&s, is_fine) : try_higher(&s, is_fine);
    }
    bool is_found = clip->found.code.table != NULL;
    clip->reached = is_found ? INFINITY : clip->reached;
    return is_found && result == PELT_ERROR_UNSUPPORTED ? PELT_OK : result;
}

// ---------------------------------------------------------------------------------------------
// Clips of joints

static pelt_result estimate_rate(pelti_bake_clip* tried, pelti_rate rate, void* context)
{
    const pelti_bake_job* job = context;
    pelti_samples samples;
    PELT_TRY(pelti_bake_clip_sample(tried, job->source, job->options, rate));
    PELT_TRY(pelti_bake_clip_thin(&samples, tried, false, job->source->joint_count, tried->arena));
    bool is_exact = pelti_bake_clip_is_exact(tried);
    tried->found.has_path = !job->options->has_no_correction && !is_exact;
    return pelti_bake_estimate(&tried->found, &tried->reached, job, &samples, !is_exact,
                               tried->arena);
}

pelt_result pelti_bake_clip_choose_rate(pelti_bake_clip* clip, const pelti_bake_job* job)
{
    pelti_bake_job own = *job;
    pelt_result result =
        pelti_bake_try_rates(clip, job->options, estimate_rate, &own, !clip->source_times.is_exact);
    if (result != PELT_ERROR_UNSUPPORTED || !isfinite(clip->reached))
    {
        return result;
    }
    // Search at the rate that comes nearest.
    pelti_samples samples;
    PELT_TRY(pelti_bake_clip_sample(clip, job->source, job->options, clip->rate));
    PELT_TRY(pelti_bake_clip_thin(&samples, clip, false, job->source->joint_count, clip->arena));
    clip->found.has_path = !job->options->has_no_correction && !pelti_bake_clip_is_exact(clip);
    return pelti_bake_search(&clip->found, &clip->reached, job, &samples, true, clip->arena);
}

pelt_result pelti_bake_clip_lowest(uint32_t* out, const pelti_bake_clip* clip,
                                   const pelti_bake_job* job)
{
    pelti_bake_job own = *job;
    pelt_result result = PELT_OK;
    *out = 0;
    for (int i = -1; i < PELTI_FEWER_RATES && result == PELT_OK; ++i)
    {
        pelti_bake_clip tried = start_trial(clip);
        pelti_rate rate = i < 0 ? (pelti_rate){1, 1} : pelti_fewer_rates[i];
        result = estimate_rate(&tried, rate, &own);
        pelt_arena_destroy(tried.arena);
        *out = result == PELT_OK ? rate.divisor : *out;
    }
    return result == PELT_ERROR_UNSUPPORTED ? PELT_OK : result;
}

pelt_result pelti_bake_clip_search(pelti_bake_clip* clip, const pelti_bake_job* job)
{
    pelti_samples samples;
    PELT_TRY(pelti_bake_clip_thin(&samples, clip, false, job->source->joint_count, clip->arena));
    clip->found.code = (pelti_code){0};
    return pelti_bake_search(&clip->found, &clip->reached, job, &samples, false, clip->arena);
}

static pelt_result verify(pelti_bake_clip* clip, const pelti_bake_job* job, bool has_finest)
{
    return pelti_bake_verify(&clip->found, &clip->reached, job, &clip->samples, has_finest,
                             clip->arena);
}

// Almost no rounding takes many words; a rate that is 25 % higher may take fewer.
pelt_result pelti_bake_clip_verify(pelti_bake_clip* clip, const pelti_bake_job* job)
{
    bool is_free = job->options->timing == PELT_BAKE_AUTO && !pelti_bake_clip_is_exact(clip);
    pelt_result result = verify(clip, job, !is_free);
    pelti_rate rate = clip->rate;
    for (int i = 0; i < HIGHER && result == PELT_ERROR_UNSUPPORTED && is_free; ++i)
    {
        pelti_bake_clip tried = start_trial(clip);
        rate = (pelti_rate){4 * rate.divisor, 5 * rate.multiplier};
        result = is_allowed(clip, rate) ? estimate_rate(&tried, rate, (void*)job) : result;
        result = result == PELT_OK ? pelti_bake_clip_search(&tried, job) : result;
        result = result == PELT_OK ? verify(&tried, job, false) : result;
        pelt_arena_destroy(result == PELT_OK ? clip->arena : tried.arena);
        *clip = result == PELT_OK ? tried : *clip;
    }
    return result == PELT_ERROR_UNSUPPORTED && is_free ? verify(clip, job, true) : result;
}
