// SPDX-License-Identifier: MIT
// The search for the coarsest encoding within an error: one tolerance for all values of all joints,
// then more for joints whose vertices have room left.
#include "../base/exact.h"

#include "bake_search.h"

#include <string.h>

enum
{
    SAMPLES_BETWEEN = 4, // per interval of the source: what paths are fitted to
    BISECTIONS = 5,
    ROUNDS = 3, // of giving room to joints
};

pelt_result pelti_bake_clip_sample(pelti_bake_clip* clip, const pelti_bake_source* source,
                                   uint32_t divisor, uint32_t multiplier)
{
    pelt_arena_destroy(clip->arena);
    clip->arena = pelt_arena_create();
    // As close as the source's own keys, so that none is missed.
    uint32_t between = multiplier > 1 ? SAMPLES_BETWEEN : SAMPLES_BETWEEN * divisor;
    if (clip->arena == NULL || pelti_clip_times_scale(&clip->times, &clip->source_times, divisor,
                                                      multiplier, clip->arena) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    return pelti_clip_sample(&clip->samples, source, clip->clip, &clip->times, between,
                             clip->arena);
}

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
                              pelt_arena* arena)
{
    pelt_arena* scratch = pelt_arena_create();
    size_t size = (size_t)samples->count * job->source->joint_count;
    pelt_mat34* decoded = scratch == NULL ? NULL : pelt_arena_alloc(scratch, size, sizeof *decoded);
    if (decoded == NULL)
    {
        pelt_arena_destroy(scratch);
        return PELT_ERROR_MEMORY;
    }
    pelti_code_job own = {job->source, job->plan, samples, job->options->encoding, job->unit};
    pelti_code code;
    pelt_result result = pelti_code_make(&code, decoded, &own, quality, scratch);
    if (result == PELT_OK && error != NULL)
    {
        pelti_code_compare(error, &own, decoded);
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
    double max_error, reached;
    float* factors; // of each joint
    pelti_code best;
    double best_tolerance;
    bool has_best;
    pelt_arena* arena;
} search;

static double scoped_error(const search* s)
{
    return s->job->options->scope == PELT_BAKE_AT_SAMPLES ? s->error.at_keys : s->error.everywhere;
}

// Encode, and keep the result if it is the smallest so far that is good enough.
static pelt_result try_tolerance(search* s, double tolerance)
{
    pelti_code code;
    s->error.at_keys = s->error.everywhere = 0.0;
    for (uint32_t joint = 0; joint < s->job->source->joint_count; ++joint)
    {
        s->error.joints[joint] = 0.0f;
    }
    s->quality.tolerance = tolerance;
    pelt_result result =
        pelti_bake_encode(&code, &s->error, s->job, s->samples, &s->quality, s->arena);
    if (result != PELT_OK)
    {
        return result;
    }
    double error = scoped_error(s);
    s->reached = fmin(s->reached, error);
    bool is_smaller = !s->has_best || pelti_code_words(&code) < pelti_code_words(&s->best);
    if (error <= s->max_error && is_smaller)
    {
        s->best = code;
        s->best_tolerance = tolerance;
        s->has_best = true;
    }
    return PELT_OK;
}

// From a tolerance that is too coarse and one that is fine to where they meet; the error grows with
// the tolerance, roughly.
static pelt_result bisect(search* s, double low, double high, int steps)
{
    for (int i = 0; i < steps; ++i)
    {
        double middle = sqrt(low * high);
        pelt_result result = try_tolerance(s, middle);
        if (result != PELT_OK)
        {
            return result;
        }
        bool is_fine = scoped_error(s) <= s->max_error;
        low = is_fine ? middle : low;
        high = is_fine ? high : middle;
    }
    return PELT_OK;
}

static pelt_result find_tolerance(search* s)
{
    double finest = 1e-7 * (double)s->job->source->height;
    double tolerance = fmax(0.5 * s->max_error, finest);
    pelt_result result = try_tolerance(s, tolerance);
    bool is_fine = result == PELT_OK && scoped_error(s) <= s->max_error;
    // Steps of two, up or down, to a bracket.
    while (result == PELT_OK)
    {
        double next = is_fine ? 2.0 * tolerance : 0.5 * tolerance;
        if (next < finest)
        {
            return PELT_ERROR_UNSUPPORTED;
        }
        if (next > 1e3 * s->max_error)
        {
            return PELT_OK; // nothing moves
        }
        result = try_tolerance(s, next);
        if (result == PELT_OK && (scoped_error(s) <= s->max_error) != is_fine)
        {
            return bisect(s, fmin(tolerance, next), fmax(tolerance, next), BISECTIONS);
        }
        tolerance = next;
    }
    return result;
}

// A joint whose vertices, and those of all that hangs on it, are better than they need to be gets a
// coarser tolerance, others a finer one.
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

static pelt_result give_room(search* s)
{
    for (int round = 0; round < ROUNDS; ++round)
    {
        double tolerance = s->best_tolerance;
        pelt_result result = try_tolerance(s, tolerance);
        if (result != PELT_OK)
        {
            return result;
        }
        update_factors(s);
        result = bisect(s, 0.5 * tolerance, 1.4 * tolerance, BISECTIONS - 1);
        if (result != PELT_OK)
        {
            return result;
        }
    }
    return PELT_OK;
}

pelt_result pelti_bake_search(pelti_code* out, double* reached, const pelti_bake_job* job,
                              const pelti_samples* samples, bool has_path, pelt_arena* arena)
{
    uint32_t joint_count = job->source->joint_count;
    pelt_arena* scratch = pelt_arena_create();
    search s = {.job = job,
                .samples = samples,
                .quality = {.has_path = has_path, .path_weight = 0.5f},
                .max_error = job->options->max_error,
                .reached = INFINITY,
                .arena = scratch};
    s.factors = scratch == NULL ? NULL : pelt_arena_alloc(scratch, joint_count, sizeof *s.factors);
    s.error.joints =
        scratch == NULL ? NULL : pelt_arena_alloc(scratch, joint_count, sizeof *s.error.joints);
    if (s.factors == NULL || s.error.joints == NULL)
    {
        pelt_arena_destroy(scratch);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t joint = 0; joint < joint_count; ++joint)
    {
        s.factors[joint] = 1.0f;
    }
    s.quality.joint_factors = s.factors;
    pelt_result result = find_tolerance(&s);
    if (result == PELT_OK)
    {
        result = give_room(&s);
    }
    if (result == PELT_OK && !copy_code(out, &s.best, arena))
    {
        result = PELT_ERROR_MEMORY;
    }
    *reached = s.reached;
    pelt_arena_destroy(scratch);
    return result;
}

// Rates to try: fractions of the source's as long as they help, multiples where it is too low.
typedef struct rate
{
    uint32_t divisor, multiplier;
} rate;

static pelt_result try_rate(pelti_bake_clip* best, const pelti_bake_job* job, rate own,
                            bool has_correction, bool* is_better)
{
    pelti_bake_clip tried = {.clip = best->clip, .source_times = best->source_times};
    pelt_result result = pelti_bake_clip_sample(&tried, job->source, own.divisor, own.multiplier);
    if (result == PELT_OK)
    {
        bool is_dense = own.divisor == 1 && job->options->encoding == PELT_ENCODING_LOCAL;
        result = pelti_bake_search(&tried.code, &tried.reached, job, &tried.samples,
                                   has_correction && !is_dense, tried.arena);
    }
    *is_better =
        result == PELT_OK &&
        (best->code.table == NULL || pelti_code_words(&tried.code) < pelti_code_words(&best->code));
    best->reached = fmin(best->reached, tried.reached);
    pelt_arena_destroy(*is_better ? best->arena : tried.arena);
    if (*is_better)
    {
        tried.reached = best->reached;
        *best = tried;
    }
    return result;
}

pelt_result pelti_bake_clip_search(pelti_bake_clip* clip, const pelti_bake_job* job)
{
    static const rate fewer[] = {{2, 1}, {3, 1}, {4, 1}, {6, 1}, {8, 1}, {12, 1}};
    static const rate more[] = {{1, 2}, {1, 3}, {1, 4}, {1, 6}, {1, 8}};
    bool has_correction = !job->options->has_no_correction, is_better;
    bool is_auto = job->options->timing == PELT_BAKE_AUTO;
    clip->reached = INFINITY;
    clip->code = (pelti_code){0};
    pelt_result first = try_rate(clip, job, (rate){1, 1}, has_correction, &is_better);
    if (!is_auto || first == PELT_ERROR_MEMORY)
    {
        return first;
    }
    bool is_down = first == PELT_OK;
    const rate* rates = is_down ? fewer : more;
    size_t count = is_down ? sizeof fewer / sizeof *fewer : sizeof more / sizeof *more;
    for (size_t i = 0; i < count; ++i)
    {
        pelt_result result = try_rate(clip, job, rates[i], has_correction, &is_better);
        if (result == PELT_ERROR_MEMORY)
        {
            return result;
        }
        // Down to where it gets worse, up to where it is good enough.
        if (is_down ? !is_better : result == PELT_OK)
        {
            break;
        }
    }
    return clip->code.table != NULL ? PELT_OK : PELT_ERROR_UNSUPPORTED;
}
