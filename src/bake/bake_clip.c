// SPDX-License-Identifier: MIT
// Encoding a clip, and the search for the coarsest encoding within an error.
#include "../base/exact.h"

#include "bake_clip.h"

enum
{
    SAMPLES_BETWEEN = 4, // per interval of the source while searching
    BISECTIONS = 6,
};

pelt_result pelti_bake_clip_sample(pelti_bake_clip* clip, const pelti_bake_source* source,
                                   uint32_t divisor, uint32_t between)
{
    pelt_arena_destroy(clip->arena);
    clip->divisor = divisor;
    clip->arena = pelt_arena_create();
    uint32_t run_count = clip->times.run_count;
    clip->samples = clip->arena == NULL
                        ? NULL
                        : pelt_arena_alloc(clip->arena, run_count, sizeof *clip->samples);
    if (clip->samples == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t run = 0; run < run_count; ++run)
    {
        pelt_result result =
            pelti_run_sample(&clip->samples[run], source, clip->clip, &clip->times.runs[run],
                             divisor, between, clip->times.wraps, clip->arena);
        if (result != PELT_OK)
        {
            return result;
        }
    }
    return PELT_OK;
}

static pelti_run_code copy_code(const pelti_run_code* code, pelt_arena* arena)
{
    pelti_run_code copy = *code;
    size_t key_words = (size_t)code->key_words * code->key_count;
    copy.table = pelt_arena_alloc(arena, code->table_words, sizeof *copy.table);
    copy.keys = pelt_arena_alloc(arena, key_words, sizeof *copy.keys);
    for (size_t i = 0; copy.table != NULL && i < code->table_words; ++i)
    {
        copy.table[i] = code->table[i];
    }
    for (size_t i = 0; copy.keys != NULL && i < key_words; ++i)
    {
        copy.keys[i] = code->keys[i];
    }
    return copy;
}

pelt_result pelti_bake_clip_encode(pelti_bake_clip* clip, const pelti_bake_job* job,
                                   const pelti_quality* quality, pelti_probe_error* error)
{
    uint32_t run_count = clip->times.run_count;
    pelt_arena* scratch = pelt_arena_create();
    clip->codes = pelt_arena_alloc(clip->arena, run_count, sizeof *clip->codes);
    pelt_result result = scratch == NULL || clip->codes == NULL ? PELT_ERROR_MEMORY : PELT_OK;
    for (uint32_t run = 0; run < run_count && result == PELT_OK; ++run)
    {
        pelti_run_job own = {job->source, job->plan, &clip->samples[run], job->options->encoding,
                             job->unit};
        size_t size = (size_t)clip->samples[run].count * job->source->joint_count;
        pelt_mat34* decoded = pelt_arena_alloc(scratch, size, sizeof *decoded);
        pelti_run_code code;
        result = decoded == NULL ? PELT_ERROR_MEMORY
                                 : pelti_run_encode(&code, decoded, &own, quality, scratch);
        if (result != PELT_OK)
        {
            break;
        }
        if (error != NULL)
        {
            pelti_run_compare(error, &own, decoded);
        }
        clip->codes[run] = copy_code(&code, clip->arena);
        if (clip->codes[run].table == NULL || clip->codes[run].keys == NULL)
        {
            result = PELT_ERROR_MEMORY;
        }
    }
    pelt_arena_destroy(scratch);
    return result;
}

size_t pelti_bake_clip_words(const pelti_bake_clip* clip)
{
    size_t words = PELTI_BAKE_CLIP_WORDS;
    for (uint32_t run = 0; run < clip->times.run_count; ++run)
    {
        const pelti_run_code* code = &clip->codes[run];
        words +=
            PELTI_BAKE_RUN_WORDS + code->table_words + (size_t)code->key_words * code->key_count;
    }
    return words;
}

// ---------------------------------------------------------------------------------------------
// Search

static pelt_result try_tolerance(double* error, pelti_bake_clip* clip, const pelti_bake_job* job,
                                 pelti_quality* quality, double tolerance)
{
    pelti_probe_error found = {0};
    quality->tolerance = tolerance;
    pelt_result result = pelti_bake_clip_encode(clip, job, quality, &found);
    *error = job->options->scope == PELT_BAKE_AT_SAMPLES ? found.at_keys : found.everywhere;
    return result;
}

// The coarsest tolerance whose error is within the limit; the error grows with it, roughly.
static pelt_result search_tolerance(pelti_bake_clip* clip, const pelti_bake_job* job,
                                    double max_error, double* reached)
{
    bool has_path = job->options->encoding == PELT_ENCODING_QT || clip->divisor > 1;
    pelti_quality quality = {.has_path = has_path && !job->options->has_no_correction};
    double finest = 1e-7 * (double)job->source->height, low = finest, high = 0.0, error;
    double tolerance = fmax(0.5 * max_error, 2.0 * finest);
    pelt_result result;
    // A bracket, from where it usually is.
    while (high == 0.0 || low == finest)
    {
        result = try_tolerance(&error, clip, job, &quality, tolerance);
        if (result != PELT_OK)
        {
            return result;
        }
        *reached = fmin(*reached, error);
        bool is_fine = error <= max_error;
        low = is_fine ? tolerance : low;
        high = is_fine ? high : tolerance;
        if (!is_fine && tolerance <= finest)
        {
            return PELT_ERROR_UNSUPPORTED;
        }
        if (is_fine && tolerance > 1e3 * max_error)
        {
            return PELT_OK; // nothing moves
        }
        tolerance = is_fine ? 2.0 * tolerance : fmax(0.4 * tolerance, finest);
        if (!is_fine && tolerance <= finest)
        {
            tolerance = finest;
        }
    }
    for (int i = 0; i < BISECTIONS; ++i)
    {
        double middle = sqrt(low * high);
        result = try_tolerance(&error, clip, job, &quality, middle);
        if (result != PELT_OK)
        {
            return result;
        }
        low = error <= max_error ? middle : low;
        high = error <= max_error ? high : middle;
    }
    return try_tolerance(&error, clip, job, &quality, low);
}

pelt_result pelti_bake_clip_search(pelti_bake_clip* clip, const pelti_bake_job* job,
                                   double max_error, double* reached)
{
    static const uint32_t divisors[] = {1, 2, 3, 4, 6, 8};
    size_t count = job->options->timing == PELT_BAKE_AUTO ? sizeof divisors / sizeof *divisors : 1;
    pelti_bake_clip best = {0};
    pelt_result result = PELT_ERROR_UNSUPPORTED;
    *reached = INFINITY;
    for (size_t i = 0; i < count; ++i)
    {
        pelti_bake_clip tried = {.clip = clip->clip, .times = clip->times};
        pelt_result own =
            pelti_bake_clip_sample(&tried, job->source, divisors[i], SAMPLES_BETWEEN * divisors[i]);
        if (own == PELT_OK)
        {
            own = search_tolerance(&tried, job, max_error, reached);
        }
        bool is_better = own == PELT_OK && (best.arena == NULL || pelti_bake_clip_words(&tried) <
                                                                      pelti_bake_clip_words(&best));
        pelt_arena_destroy(is_better ? best.arena : tried.arena);
        best = is_better ? tried : best;
        if (own == PELT_ERROR_MEMORY)
        {
            pelt_arena_destroy(best.arena);
            return own;
        }
        if (own == PELT_ERROR_UNSUPPORTED)
        {
            break; // fewer keys are worse still
        }
        result = PELT_OK;
    }
    if (result == PELT_OK)
    {
        pelt_arena_destroy(clip->arena);
        *clip = best;
    }
    return result;
}
