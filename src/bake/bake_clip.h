// SPDX-License-Identifier: MIT
// A clip on its way into a texture: sampled, encoded, and encoded again until it meets a budget.
#ifndef PELTI_BAKE_CLIP_H
#define PELTI_BAKE_CLIP_H

#include "bake_plan.h"

typedef struct pelti_bake_clip
{
    const pelt_clip* clip;
    pelti_clip_times times;
    uint32_t divisor;           ///< of the intervals of its runs
    pelti_run_samples* samples; ///< one per run
    pelti_run_code* codes;      ///< one per run
    pelt_arena* arena;          ///< of samples and codes
} pelti_bake_clip;

/// @param divisor  keep only each of so many intervals
pelt_result pelti_bake_clip_sample(pelti_bake_clip* clip, const pelti_bake_source* source,
                                   uint32_t divisor, uint32_t between);

/// What all clips of a bake have in common.
typedef struct pelti_bake_job
{
    const pelti_bake_source* source;
    const pelti_bake_plan* plan;
    const pelt_bake_options* options;
    float unit;
} pelti_bake_job;

/// Encode all runs of a clip.
/// @param error  largest distances at the probes; may be NULL
pelt_result pelti_bake_clip_encode(pelti_bake_clip* clip, const pelti_bake_job* job,
                                   const pelti_quality* quality, pelti_probe_error* error);

/// Words of its tables and keys.
size_t pelti_bake_clip_words(const pelti_bake_clip* clip);

/// Encode a clip in as few words as an error allows.
/// @param max_error  meters, in the scope of the options
/// @param reached    the smallest error that was found, when it cannot be met
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED: it cannot be met
pelt_result pelti_bake_clip_search(pelti_bake_clip* clip, const pelti_bake_job* job,
                                   double max_error, double* reached);

#endif
