// SPDX-License-Identifier: MIT
// Encodes the motions of joints: with given bits, within an error, or into a number of bytes.
#include "../base/exact.h"

#include "bake_work.h"

static pelti_quality quality_of(const pelt_bake_options* options)
{
    pelti_quality quality = {
        .value_bits = options->bits, .has_path = !options->has_no_correction, .path_weight = 1.0f};
    if (options->encoding == PELT_ENCODING_QT)
    {
        quality.key_bits = options->bits;
        // Errors between keys are the larger ones; with more bits, keys can be exact as well.
        quality.path_weight = options->bits == 64 ? 1.1f : 0.5f;
    }
    return quality;
}

// A stage runs on all clips in parallel; the first result that is not PELT_OK is kept.
typedef pelt_result (*clip_stage)(pelti_bake_clip* clip, const pelti_bake_work* work);

typedef struct stage_work
{
    pelti_bake_work* work;
    clip_stage stage;
    bool has_progress;
} stage_work;

static void stage_task(void* context, uint32_t index)
{
    const stage_work* in = context;
    pelt_result state = pelti_bake_state(in->work);
    // Go on after a clip that misses the error: the message names the worst of all.
    if (state == PELT_OK || state == PELT_ERROR_UNSUPPORTED)
    {
        pelti_bake_keep_result(in->work, in->stage(&in->work->clips[index], in->work));
        if (in->has_progress)
        {
            pelti_progress_add(&in->work->progress, 1);
        }
    }
}

// Say why clips cannot be baked: a clip misses the error even with almost no rounding, or else the
// joints do not fit into a table.
static pelt_result refuse(pelti_bake_work* work, pelt_error* error)
{
    const pelti_bake_clip* worst = NULL;
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        const pelti_bake_clip* clip = &work->clips[i];
        bool is_missed = isfinite(clip->reached) && clip->reached > work->options.max_error;
        if (is_missed && (worst == NULL || clip->reached > worst->reached))
        {
            worst = clip;
        }
    }
    work->error = worst != NULL ? worst->reached : 0.0;
    return worst != NULL ? pelti_bake_refuse_error(work, worst, error)
                         : pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                          "%u joints take more than the 65535 words of a table, or "
                                          "the 1048575 bits of a key; bake fewer joints",
                                          work->source.joint_count);
}

static pelt_result run_clips(pelti_bake_work* work, clip_stage stage, bool has_progress,
                             pelt_error* error)
{
    stage_work own = {work, stage, has_progress};
    pelt_run(work->clip_count, stage_task, &own);
    pelt_result result = pelti_bake_tasks_end(work, error);
    return result == PELT_ERROR_UNSUPPORTED ? refuse(work, error) : result;
}

static pelt_result encode(pelti_bake_clip* clip, const pelti_bake_work* work)
{
    // Where interpolated keys reproduce the source, a path would only add rounding.
    pelti_quality quality = work->quality;
    quality.has_path = quality.has_path && !pelti_bake_clip_is_exact(clip);
    return pelti_bake_encode(&clip->found.code, NULL, &work->job, &clip->samples, &quality, NULL,
                             clip->arena);
}

static pelt_result choose_rate(pelti_bake_clip* clip, const pelti_bake_work* work)
{
    return pelti_bake_clip_choose_rate(clip, &work->job);
}

static pelt_result search(pelti_bake_clip* clip, const pelti_bake_work* work)
{
    return pelti_bake_clip_search(clip, &work->job);
}

static pelt_result verify(pelti_bake_clip* clip, const pelti_bake_work* work)
{
    return pelti_bake_clip_verify(clip, &work->job);
}

// Samples of all clips in one list.
// @param is_thin  only those that searches use
static pelt_result join_samples(pelti_samples* out, const pelti_bake_work* work, bool is_thin,
                                pelt_arena* arena)
{
    uint32_t joint_count = work->source.joint_count;
    const pelti_samples** parts = pelt_arena_alloc(arena, work->clip_count, sizeof *parts);
    pelti_samples* thin = pelt_arena_alloc(arena, work->clip_count, sizeof *thin);
    if (parts == NULL || thin == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t c = 0; c < work->clip_count; ++c)
    {
        parts[c] = is_thin ? &thin[c] : &work->clips[c].samples;
        if (is_thin &&
            pelti_bake_clip_thin(&thin[c], &work->clips[c], false, joint_count, arena) != PELT_OK)
        {
            return PELT_ERROR_MEMORY;
        }
    }
    return pelti_samples_join(out, parts, work->clip_count, joint_count, arena);
}

// Start the search for all clips with the means of what was found for each of them.
static pelt_result begin_shared(pelti_found* out, const pelti_bake_work* work, pelt_arena* arena)
{
    uint32_t joint_count = work->source.joint_count;
    double scale = 1.0 / work->clip_count, logarithm = 0.0;
    *out = (pelti_found){.factors = pelt_arena_alloc(arena, joint_count, sizeof *out->factors)};
    if (out->factors == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t c = 0; c < work->clip_count; ++c)
    {
        const pelti_found* own = &work->clips[c].found;
        out->has_path = out->has_path || own->has_path;
        out->floor = fmax(out->floor, own->floor);
        logarithm += scale * log(own->tolerance);
    }
    out->tolerance = exp(logarithm);
    for (uint32_t joint = 0; joint < joint_count; ++joint)
    {
        double sum = 0.0;
        for (uint32_t c = 0; c < work->clip_count; ++c)
        {
            sum += scale * log((double)work->clips[c].found.factors[joint]);
        }
        out->factors[joint] = (float)exp(sum);
    }
    return PELT_OK;
}

// Try one table for all clips, which has wider ranges but is stored once.
static pelt_result share_table(pelti_bake_work* work, pelt_error* error)
{
    pelt_arena* arena = pelt_arena_create();
    pelti_samples samples;
    size_t words = 0;
    double reached;
    for (uint32_t c = 0; c < work->clip_count; ++c)
    {
        words += pelti_code_words(&work->clips[c].found.code);
    }
    pelt_result result =
        arena != NULL ? begin_shared(&work->shared, work, arena) : PELT_ERROR_MEMORY;
    result = result == PELT_OK ? join_samples(&samples, work, true, arena) : result;
    if (result == PELT_OK)
    {
        result = pelti_bake_search(&work->shared, &reached, &work->job, &samples, false, arena);
    }
    if (result == PELT_OK && pelti_code_words(&work->shared.code) < words)
    {
        result = join_samples(&samples, work, false, arena);
        result = result == PELT_OK ? pelti_bake_verify(&work->shared, &reached, &work->job,
                                                       &samples, false, work->arena)
                                   : result;
        work->is_shared = result == PELT_OK && pelti_code_words(&work->shared.code) < words;
    }
    pelt_arena_destroy(arena);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : PELT_OK;
}

// Estimate the words that the keys of a clip take: rounded as in searches, without paths, at the
// lowest sufficient fraction of the source's rate. If the source's rate is too low, a sufficient
// one is often twice as high.
static pelt_result estimate(pelti_bake_clip* clip, const pelti_bake_work* work)
{
    const pelti_quality quality = {.tolerance = 0.5 * work->options.max_error};
    pelti_samples keys;
    pelti_code code;
    pelt_result result =
        pelti_bake_clip_thin(&keys, clip, true, work->source.joint_count, clip->arena);
    if (result == PELT_OK)
    {
        result = pelti_bake_encode(&code, NULL, &work->job, &keys, &quality, NULL, clip->arena);
    }
    uint32_t divisor = 1;
    if (result == PELT_OK && work->options.timing == PELT_BAKE_AUTO)
    {
        result = pelti_bake_clip_lowest(&divisor, clip, &work->job);
    }
    double words = result == PELT_OK ? (double)code.key_words * code.key_count : 0.0;
    clip->about_words = divisor == 0 ? 1.5 * words : words / divisor;
    return result;
}

// Whether all clips together may take fewer words than the other encoding. Estimates are off by
// less than a quarter.
static bool is_worth_it(pelti_bake_work* work)
{
    double words = 0.0;
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        words += work->clips[i].about_words;
    }
    work->about_words = words > 1.25 * (double)work->most_words ? (size_t)words : 0;
    return work->about_words == 0;
}

// Clips in the fewest bytes within an error: with a table each, or one for all.
static pelt_result meet_error(pelti_bake_work* work, pelt_error* error)
{
    if (work->most_words > 0)
    {
        PELT_TRY(run_clips(work, estimate, false, error));
        if (!is_worth_it(work))
        {
            return PELT_ERROR_UNSUPPORTED;
        }
    }
    PELT_TRY(run_clips(work, choose_rate, false, error));
    PELT_TRY(run_clips(work, search, true, error));
    if (work->clip_count > 1)
    {
        PELT_TRY(share_table(work, error));
    }
    return work->is_shared ? PELT_OK : run_clips(work, verify, false, error);
}

// ---------------------------------------------------------------------------------------------
// Bytes

// Find the finest tolerance whose encoding fits into options->max_bytes.
// @param words  of the last try
static pelt_result fit_tolerance(pelti_bake_work* work, size_t* words, bool* fits,
                                 pelt_error* error)
{
    double low = 0.0, high = 0.0, height = (double)work->source.height;
    work->quality = (pelti_quality){.tolerance = 1e-4 * height,
                                    .path_weight = 0.5f,
                                    .has_path = !work->options.has_no_correction};
    for (int i = 0; i < 24; ++i)
    {
        PELT_TRY(run_clips(work, encode, i == 0, error));
        *words = PELTI_BAKE_HEADER_WORDS +
                 PELTI_BAKE_JOINT_WORDS * (size_t)work->source.joint_count +
                 pelti_bake_code_words(work);
        for (uint32_t c = 0; c < work->clip_count; ++c)
        {
            *words += pelti_bake_clip_words(&work->clips[c]);
        }
        double tolerance = work->quality.tolerance;
        *fits = pelti_bake_fits(work, *words);
        low = *fits ? low : tolerance;
        high = *fits ? tolerance : high;
        bool is_done = *fits && (tolerance < 1e-7 * height || (low > 0.0 && high < 1.05 * low));
        if (is_done || (!*fits && high == 0.0 && tolerance > height))
        {
            return PELT_OK;
        }
        work->quality.tolerance = high == 0.0  ? 4.0 * tolerance
                                  : low == 0.0 ? 0.25 * tolerance
                                               : sqrt(low * high);
        if (i >= 22)
        {
            work->quality.tolerance = high;
        }
    }
    return PELT_OK;
}

static pelt_result measure(pelti_bake_clip* clip, const pelti_bake_work* work)
{
    pelti_quality quality = work->quality;
    pelti_probe_error error = {0};
    pelti_code code;
    quality.has_path = quality.has_path && !pelti_bake_clip_is_exact(clip);
    pelt_result result = pelti_bake_encode(&code, &error, &work->job, &clip->samples, &quality,
                                           &work->source.vertices, clip->arena);
    clip->reached = error.everywhere;
    return result;
}

static pelt_result sample(pelti_bake_clip* clip, const pelti_bake_work* work)
{
    return pelti_bake_clip_sample(clip, &work->source, &work->options, work->rate);
}

// One rate for all clips.
static pelt_result fit_rate(pelti_bake_work* work, pelti_rate rate, size_t* words, bool* fits,
                            pelt_error* error)
{
    work->rate = rate;
    PELT_TRY(run_clips(work, sample, false, error));
    PELT_TRY(fit_tolerance(work, words, fits, error));
    if (*fits)
    {
        PELT_TRY(run_clips(work, measure, false, error));
    }
    work->error = 0.0;
    for (uint32_t c = 0; c < work->clip_count; ++c)
    {
        work->error = fmax(work->error, work->clips[c].reached);
    }
    return PELT_OK;
}

// Find the smallest error in options->max_bytes; with PELT_BAKE_AUTO also at lower rates, until the
// error grows.
static pelt_result fit_bytes(pelti_bake_work* work, pelt_error* error)
{
    bool is_auto = work->options.timing == PELT_BAKE_AUTO, fits = false, is_found = false;
    pelti_rate best = {1, 1};
    double least = INFINITY;
    size_t words = 0;
    for (int i = -1; i < (is_auto ? PELTI_FEWER_RATES : 0); ++i)
    {
        pelti_rate rate = i < 0 ? best : pelti_fewer_rates[i];
        PELT_TRY(fit_rate(work, rate, &words, &fits, error));
        if (fits && work->error < least)
        {
            is_found = true;
            best = rate;
            least = work->error;
        }
        else if (is_found)
        {
            break;
        }
    }
    if (!is_found)
    {
        return pelti_bake_refuse_bytes(work, words, error);
    }
    return is_auto ? fit_rate(work, best, &words, &fits, error) : PELT_OK;
}

pelt_result pelti_bake_joints(pelti_bake_work* work, pelt_error* error)
{
    bool has_budget = work->options.has_budget;
    work->quality = quality_of(&work->options);
    return has_budget && work->options.max_error > 0.0 ? meet_error(work, error)
           : has_budget                                ? fit_bytes(work, error)
                                                       : run_clips(work, encode, true, error);
}
