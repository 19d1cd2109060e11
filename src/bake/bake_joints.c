// SPDX-License-Identifier: MIT
// Encoding the motions of joints: with the bits that were asked for, within an error, or into so
// many bytes.
#include "../base/exact.h"

#include "bake_layout.h"
#include "bake_work.h"

static pelti_quality quality_of(const pelt_bake_options* options)
{
    pelti_quality quality = {
        .value_bits = options->bits, .has_path = !options->has_no_correction, .path_weight = 1.0f};
    if (options->encoding == PELT_ENCODING_QT)
    {
        quality.key_bits = options->bits;
        // Errors between keys are the larger ones; with more bits there is room to be exact at
        // keys.
        quality.path_weight = options->bits == 64 ? 1.1f : 0.5f;
    }
    return quality;
}

static void encode_task(void* context, uint32_t index)
{
    pelti_bake_work* work = context;
    if (pelti_bake_state(work) != PELT_OK)
    {
        return;
    }
    pelti_bake_clip* clip = &work->clips[index];
    const pelt_bake_options* options = &work->options;
    pelt_result result;
    if (options->has_budget && options->max_error > 0.0)
    {
        result = pelti_bake_clip_search(clip, &work->job);
    }
    else
    {
        // Where keys are interpolated as in the source, a path is the rounding of its fit.
        bool is_exact =
            options->timing != PELT_BAKE_RATE && pelti_bake_is_exact(options, clip->clip);
        pelti_quality quality = work->quality;
        quality.has_path = quality.has_path && !is_exact;
        result = pelti_bake_encode(&clip->found.code, NULL, &work->job, &clip->samples, &quality,
                                   NULL, clip->arena);
    }
    pelti_bake_keep_result(work, result);
    pelti_progress_add(&work->progress, 1);
}

static pelt_result run_clips(pelti_bake_work* work, pelt_task task, pelt_error* error)
{
    pelt_run(work->clip_count, task, work);
    pelt_result result = pelti_bake_tasks_end(work, error);
    if (result != PELT_ERROR_UNSUPPORTED)
    {
        return result;
    }
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        if (work->clips[i].reached > work->options.max_error && isfinite(work->clips[i].reached))
        {
            return pelti_bake_refuse_error(work, &work->clips[i], error);
        }
    }
    return pelt_error_set(error, result, "%u joints are more than one table has room for",
                          work->source.joint_count);
}

// One table for all clips: wider ranges, but only one table.
static pelt_result share_table(pelti_bake_work* work, pelt_error* error)
{
    const pelti_samples** clips = pelt_arena_alloc(work->arena, work->clip_count, sizeof *clips);
    pelti_samples all;
    size_t words = 0;
    bool has_path = false;
    if (clips == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t c = 0; c < work->clip_count; ++c)
    {
        const pelti_bake_clip* clip = &work->clips[c];
        clips[c] = &clip->samples;
        words += pelti_code_words(&clip->found.code);
        has_path = has_path || !pelti_bake_is_exact(&work->options, clip->clip) ||
                   clip->times.runs[0].intervals != clip->source_times.runs[0].intervals;
    }
    double reached;
    pelt_result result =
        pelti_samples_join(&all, clips, work->clip_count, work->source.joint_count, work->arena);
    if (result == PELT_OK)
    {
        result = pelti_bake_search(&work->shared, &reached, &work->job, &all,
                                   has_path && !work->options.has_no_correction, work->arena);
    }
    // Refining makes it smaller by a tenth or so.
    if (result == PELT_OK && 0.8 * (double)pelti_code_words(&work->shared.code) < (double)words)
    {
        result = pelti_bake_refine(&work->shared, &work->job, &all, work->arena);
        result = result == PELT_OK ? pelti_bake_verify(&work->shared, &work->job, &all, work->arena)
                                   : result;
        work->is_shared = result == PELT_OK && pelti_code_words(&work->shared.code) < words;
    }
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : PELT_OK;
}

static void verify_task(void* context, uint32_t index)
{
    pelti_bake_work* work = context;
    pelti_bake_clip* clip = &work->clips[index];
    pelt_result result = pelti_bake_verify(&clip->found, &work->job, &clip->samples, clip->arena);
    clip->reached = result == PELT_ERROR_UNSUPPORTED ? clip->found.reached : clip->reached;
    pelti_bake_keep_result(work, result);
}

// Clips in the fewest bytes within an error: with a table each, or one for all.
static pelt_result meet_error(pelti_bake_work* work, pelt_error* error)
{
    pelt_result result = run_clips(work, encode_task, error);
    if (result == PELT_OK && work->clip_count > 1)
    {
        result = share_table(work, error);
    }
    if (result == PELT_OK && !work->is_shared)
    {
        result = run_clips(work, verify_task, error);
    }
    return result;
}

// The coarsest tolerance of all clips that fits into so many bytes.
static pelt_result fit_bytes(pelti_bake_work* work, pelt_error* error)
{
    double low = 0.0, high = 0.0, height = (double)work->source.height;
    size_t fixed =
        PELTI_BAKE_HEADER_WORDS + PELTI_BAKE_JOINT_WORDS * (size_t)work->source.joint_count;
    work->quality = (pelti_quality){.tolerance = 1e-4 * height,
                                    .path_weight = 0.5f,
                                    .has_path = !work->options.has_no_correction};
    for (int i = 0; i < 24; ++i)
    {
        pelt_result result = run_clips(work, encode_task, error);
        if (result != PELT_OK)
        {
            return result;
        }
        size_t words = fixed;
        for (uint32_t c = 0; c < work->clip_count; ++c)
        {
            words += pelti_bake_clip_words(&work->clips[c]) +
                     pelti_code_words(&work->clips[c].found.code);
        }
        double tolerance = work->quality.tolerance;
        bool fits = pelti_bake_fits(work, words);
        low = fits ? low : tolerance;
        high = fits ? tolerance : high;
        if (fits && (tolerance < 1e-7 * height || (low > 0.0 && high < 1.05 * low)))
        {
            return PELT_OK;
        }
        if (!fits && high == 0.0 && tolerance > height)
        {
            return pelti_bake_refuse_bytes(work, words, error);
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

pelt_result pelti_bake_joints(pelti_bake_work* work, pelt_error* error)
{
    bool has_budget = work->options.has_budget;
    work->quality = quality_of(&work->options);
    return has_budget && work->options.max_error > 0.0 ? meet_error(work, error)
           : has_budget                                ? fit_bytes(work, error)
                                                       : run_clips(work, encode_task, error);
}
