// SPDX-License-Identifier: MIT
// The search for the coarsest encoding within an error: one tolerance for all values of all joints,
// and more of it for joints whose vertices have room left.
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
                    .max_error = 0.98 * job->options->max_error, // it may be more between samples
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

// With next to no rounding, at every vertex: kept if that is good enough. What can be asked for
// otherwise is a fifth more, for what a search rounds to begin with.
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

// What rounding may add to the error that is there without.
static double room_for_rounding(const search* s)
{
    return fmax(s->max_error - s->best.floor, 0.02 * s->max_error);
}

// The error grows with the tolerance, roughly in proportion beyond its floor, but in steps: one
// that is too large by little needs more than a little less.
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
            break; // nothing moves
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

// With next to no rounding, what is left is between keys: more bits do not help.
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
    if (begin_search(&s, inout, job, samples) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_result result = has_floor ? find_floor(&s, reached) : PELT_OK;
    result = result == PELT_OK ? search_tolerance(&s, reached) : result;
    return end_search(inout, &s, result, arena);
}

pelt_result pelti_bake_estimate(pelti_found* inout, double* reached, const pelti_bake_job* job,
                                const pelti_samples* samples, bool has_floor, pelt_arena* arena)
{
    search s;
    *reached = INFINITY;
    if (begin_search(&s, inout, job, samples) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
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

// The probes are few, and samples of searches too: look at all, and aim lower if one is worse.
static pelt_result aim_lower(search* s, double* reached, bool has_finest)
{
    double tolerance = s->best.tolerance;
    for (int round = 0; round < ROUNDS; ++round)
    {
        pelti_code code;
        pelt_result result = try_tolerance(s, &code, tolerance, &s->job->source->vertices);
        if (result != PELT_OK)
        {
            return result;
        }
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
    if (begin_search(&s, inout, job, samples) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    return end_search(inout, &s, aim_lower(&s, reached, has_finest), arena);
}
