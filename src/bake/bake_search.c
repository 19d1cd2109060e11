// SPDX-License-Identifier: MIT
// The search for the coarsest encoding within an error: one tolerance for all values of all joints,
// then more for joints whose vertices have room left.
#include "../base/exact.h"

#include "bake_search.h"

#include <string.h>

enum
{
    FITTED = 4,   // samples per interval of the source: what paths are fitted to
    VERIFIED = 8, // the same where an error must hold in between, as pelt_baked_measure() looks
    BISECTIONS = 3,
    ROUNDS = 3, // of giving room to joints
};

pelt_result pelti_bake_clip_sample(pelti_bake_clip* clip, const pelti_bake_source* source,
                                   const pelt_bake_options* options, uint32_t divisor,
                                   uint32_t multiplier)
{
    pelt_arena_destroy(clip->arena);
    clip->arena = pelt_arena_create();
    uint32_t between =
        options->has_budget && !pelti_bake_is_exact(options, clip->clip) ? VERIFIED : FITTED;
    // As close as the source's own keys, so that none is missed.
    between *= multiplier > 1 ? 1 : divisor;
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
    double max_error, reached;
    float* factors; // of each joint
    pelti_found best;
    bool has_best;
    pelt_arena* arena;
} search;

static pelt_result begin_search(search* out, const pelti_bake_job* job,
                                const pelti_samples* samples, bool has_path)
{
    uint32_t joint_count = job->source->joint_count;
    *out = (search){.job = job,
                    .samples = samples,
                    .quality = {.has_path = has_path, .path_weight = 2.0f},
                    .max_error = 0.98 * job->options->max_error, // it may be more between samples
                    .reached = INFINITY,
                    .best = {.has_path = has_path},
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
        out->factors[joint] = 1.0f;
    }
    out->quality.joint_factors = out->factors;
    return PELT_OK;
}

// Go on where another search ended.
static pelt_result resume_search(search* out, const pelti_found* found, const pelti_bake_job* job,
                                 const pelti_samples* samples)
{
    pelt_result result = begin_search(out, job, samples, found->has_path);
    if (result == PELT_OK)
    {
        size_t size = job->source->joint_count * sizeof *out->factors;
        memcpy(out->factors, found->factors, size);
        memcpy(out->best.factors, found->factors, size);
        out->best.code = found->code;
        out->best.tolerance = found->tolerance;
        out->has_best = true;
    }
    return result;
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
    pelt_result result = pelti_bake_encode(&code, &s->error, s->job, s->samples, &s->quality,
                                           &s->job->source->probes, s->arena);
    if (result != PELT_OK)
    {
        return result;
    }
    double error = scoped_error(s);
    s->reached = fmin(s->reached, error);
    bool is_smaller = !s->has_best || pelti_code_words(&code) < pelti_code_words(&s->best.code);
    if (error <= s->max_error && is_smaller)
    {
        s->best.code = code;
        s->best.tolerance = tolerance;
        s->has_best = true;
        memcpy(s->best.factors, s->factors, s->job->source->joint_count * sizeof *s->factors);
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

// What can be asked for instead: the error at all vertices with next to no rounding, and a fifth
// more for what a search rounds to begin with.
static pelt_result tell_reached(search* s)
{
    pelti_probe_error error = {0};
    pelti_code code;
    s->quality.tolerance = 1e-7 * (double)s->job->source->height;
    pelt_result result = pelti_bake_encode(&code, &error, s->job, s->samples, &s->quality,
                                           &s->job->source->vertices, s->arena);
    bool is_at_keys = s->job->options->scope == PELT_BAKE_AT_SAMPLES;
    s->reached = 1.2 * (is_at_keys ? error.at_keys : error.everywhere);
    return result != PELT_OK ? result : PELT_ERROR_UNSUPPORTED;
}

static pelt_result find_tolerance(search* s)
{
    double finest = 1e-7 * (double)s->job->source->height;
    // With next to no rounding, what is left is between keys: more bits do not help.
    pelt_result result = try_tolerance(s, fmax(0.02 * s->max_error, finest));
    if (result != PELT_OK || scoped_error(s) > s->max_error)
    {
        return result != PELT_OK ? result : tell_reached(s);
    }
    double tolerance = 0.5 * s->max_error;
    result = try_tolerance(s, tolerance);
    bool is_fine = result == PELT_OK && scoped_error(s) <= s->max_error;
    // Steps of two, up or down, to a bracket.
    while (result == PELT_OK)
    {
        double next = is_fine ? 2.0 * tolerance : 0.5 * tolerance;
        if (next < 0.02 * s->max_error || next > 1e3 * s->max_error)
        {
            return PELT_OK; // there is one already, or nothing moves
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
        double tolerance = s->best.tolerance;
        pelt_result result = try_tolerance(s, tolerance);
        if (result != PELT_OK)
        {
            return result;
        }
        update_factors(s);
        result = bisect(s, 0.5 * tolerance, 1.4 * tolerance, BISECTIONS);
        if (result != PELT_OK)
        {
            return result;
        }
    }
    return PELT_OK;
}

pelt_result pelti_bake_search(pelti_found* out, double* reached, const pelti_bake_job* job,
                              const pelti_samples* samples, bool has_path, pelt_arena* arena)
{
    search s;
    *reached = INFINITY;
    if (begin_search(&s, job, samples, has_path) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_result result = find_tolerance(&s);
    *reached = s.reached;
    return end_search(out, &s, result, arena);
}

pelt_result pelti_bake_refine(pelti_found* inout, const pelti_bake_job* job,
                              const pelti_samples* samples, pelt_arena* arena)
{
    search s;
    if (resume_search(&s, inout, job, samples) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    return end_search(inout, &s, give_room(&s), arena);
}

// The probes are few: look at all vertices, and aim lower if one of them is worse.
static pelt_result aim_lower(search* s)
{
    double limit = s->max_error;
    bool is_at_keys = s->job->options->scope == PELT_BAKE_AT_SAMPLES;
    for (int round = 0; round < 8; ++round)
    {
        pelti_probe_error error = {0};
        pelti_code code;
        memcpy(s->factors, s->best.factors, s->job->source->joint_count * sizeof *s->factors);
        s->quality.tolerance = s->best.tolerance;
        pelt_result result = pelti_bake_encode(&code, &error, s->job, s->samples, &s->quality,
                                               &s->job->source->vertices, s->arena);
        double found = is_at_keys ? error.at_keys : error.everywhere;
        if (result != PELT_OK || found <= limit)
        {
            return result;
        }
        s->max_error *= 0.99 * limit / found;
        s->has_best = false;
        double tolerance = s->best.tolerance;
        result = bisect(s, 0.5 * tolerance, tolerance, BISECTIONS);
        for (tolerance *= 0.5; result == PELT_OK && !s->has_best; tolerance *= 0.5)
        {
            if (tolerance < 1e-8 * (double)s->job->source->height)
            {
                return tell_reached(s);
            }
            result = try_tolerance(s, tolerance);
        }
        if (result != PELT_OK)
        {
            return result;
        }
    }
    return tell_reached(s);
}

pelt_result pelti_bake_verify(pelti_found* inout, const pelti_bake_job* job,
                              const pelti_samples* samples, pelt_arena* arena)
{
    search s;
    if (resume_search(&s, inout, job, samples) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_result result = aim_lower(&s);
    inout->reached = s.reached;
    return end_search(inout, &s, result, arena);
}

bool pelti_bake_is_exact(const pelt_bake_options* options, const pelt_clip* clip)
{
    return options->encoding == PELT_ENCODING_LOCAL && pelti_clip_is_linear(clip, options);
}

// Fractions of the source's rate as long as they help, multiples where it is too low.
const pelti_rate pelti_fewer_rates[PELTI_FEWER_RATES] = {{2, 1}, {3, 1}, {4, 1},
                                                         {6, 1}, {8, 1}, {12, 1}};
static const pelti_rate more_rates[] = {{1, 2}, {1, 3}, {1, 4}, {1, 6}, {1, 8}};

static pelt_result try_rate(pelti_bake_clip* best, pelti_rate rate, pelti_rate_trial trial,
                            void* context, bool* is_better)
{
    pelti_bake_clip tried = {
        .clip = best->clip, .source_times = best->source_times, .reached = INFINITY};
    pelt_result result = trial(&tried, rate, context);
    *is_better = result == PELT_OK &&
                 (best->found.code.table == NULL ||
                  pelti_code_words(&tried.found.code) < pelti_code_words(&best->found.code));
    best->reached = fmin(best->reached, tried.reached);
    pelt_arena_destroy(*is_better ? best->arena : tried.arena);
    if (*is_better)
    {
        tried.reached = best->reached;
        *best = tried;
    }
    return result;
}

pelt_result pelti_bake_try_rates(pelti_bake_clip* clip, const pelt_bake_options* options,
                                 pelti_rate_trial trial, void* context)
{
    bool is_auto = options->timing == PELT_BAKE_AUTO, is_better;
    clip->reached = INFINITY;
    clip->found = (pelti_found){0};
    pelt_result result = try_rate(clip, (pelti_rate){1, 1}, trial, context, &is_better);
    bool is_down = result == PELT_OK;
    const pelti_rate* rates = is_down ? pelti_fewer_rates : more_rates;
    size_t count = !is_auto  ? 0
                   : is_down ? PELTI_FEWER_RATES
                             : sizeof more_rates / sizeof *more_rates;
    for (size_t i = 0; i < count && (result == PELT_OK || result == PELT_ERROR_UNSUPPORTED); ++i)
    {
        result = try_rate(clip, rates[i], trial, context, &is_better);
        // Down to where it gets worse, up to where it is good enough.
        if (is_down ? !is_better : result == PELT_OK)
        {
            break;
        }
    }
    bool is_found = clip->found.code.table != NULL;
    return is_found && result == PELT_ERROR_UNSUPPORTED ? PELT_OK : result;
}

static pelt_result search_rate(pelti_bake_clip* tried, pelti_rate rate, void* context)
{
    const pelti_bake_job* job = context;
    pelt_result result =
        pelti_bake_clip_sample(tried, job->source, job->options, rate.divisor, rate.multiplier);
    if (result == PELT_OK)
    {
        bool is_exact = rate.divisor == 1 && pelti_bake_is_exact(job->options, tried->clip);
        result = pelti_bake_search(&tried->found, &tried->reached, job, &tried->samples,
                                   !job->options->has_no_correction && !is_exact, tried->arena);
    }
    return result;
}

pelt_result pelti_bake_clip_search(pelti_bake_clip* clip, const pelti_bake_job* job)
{
    pelti_bake_job own = *job;
    pelt_result result = pelti_bake_try_rates(clip, job->options, search_rate, &own);
    return result == PELT_OK ? pelti_bake_refine(&clip->found, job, &clip->samples, clip->arena)
                             : result;
}
