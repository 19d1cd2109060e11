// SPDX-License-Identifier: MIT
// Encoding the clips of a bake, and the search for the fewest bytes within an error.
#ifndef PELTI_BAKE_SEARCH_H
#define PELTI_BAKE_SEARCH_H

#include "bake_code.h"

/// An encoding that a search found, and how to make it again.
typedef struct pelti_found
{
    pelti_code code;
    double tolerance;
    float* factors; ///< of the tolerance, for each joint
    bool has_path;
    double floor; ///< meters: the error with next to no rounding
} pelti_found;

/// A rate as a multiple of the source's: multiplier / divisor.
typedef struct pelti_rate
{
    uint32_t divisor, multiplier;
} pelti_rate;

/// A clip on its way into a texture.
typedef struct pelti_bake_clip
{
    const pelt_clip* clip;
    pelti_clip_times source_times; ///< on the grid of the source, or as was asked for
    pelti_clip_times times;        ///< as it is sampled
    pelti_rate rate;               ///< of its source_times
    pelti_samples samples;
    pelti_found found;       ///< of its own; keys may be part of a common one instead
    pelt_bounds* key_bounds; ///< VERTEX: of the surface at each key, as it is decoded
    pelt_arena* arena;       ///< owns times, samples, code and bounds
    double reached;          ///< an error that can be asked for, when the budget cannot be met
    double about_words;      ///< of its keys, by an estimate
} pelti_bake_clip;

/// What all clips of a bake have in common.
typedef struct pelti_bake_job
{
    const pelti_bake_source* source;
    const pelti_bake_plan* plan;
    const pelt_bake_options* options;
    float unit, stretch_unit;
} pelti_bake_job;

/// Sample a clip at the rate of its source. Intervals in which a joint turns by nearly half a turn
/// are divided, in source_times: which way is the shorter one would be left to rounding.
pelt_result pelti_bake_clip_begin(pelti_bake_clip* clip, const pelti_bake_source* source,
                                  const pelt_bake_options* options);

/// Sample a clip anew.
/// @param rate  of its source_times
pelt_result pelti_bake_clip_sample(pelti_bake_clip* clip, const pelti_bake_source* source,
                                   const pelt_bake_options* options, pelti_rate rate);

/// Whether keys at its rate, interpolated, are the source at any time.
bool pelti_bake_clip_is_exact(const pelti_bake_clip* clip);

/// Encode samples.
/// @param error  largest distances at the vertices of a list; may be NULL, and the list too
/// @param arena  owns the code
pelt_result pelti_bake_encode(pelti_code* out, pelti_probe_error* error, const pelti_bake_job* job,
                              const pelti_samples* samples, const pelti_quality* quality,
                              const pelti_probe_list* list, pelt_arena* arena);

/// Words of its table and keys.
size_t pelti_code_words(const pelti_code* code);

/// Encode samples in few words within options->max_error, which holds at the probes.
/// @param inout      tolerance and factors to start with, if it has factors; the code, if any, is
///                   kept unless a smaller one is found
/// @param has_floor  keys interpolated are not the source: look first whether they can be
/// @param reached    an error that can be asked for, if it cannot be met
/// @param arena      owns the result
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED: it cannot be met, or the table
///         has no room and *reached is infinite
pelt_result pelti_bake_search(pelti_found* inout, double* reached, const pelti_bake_job* job,
                              const pelti_samples* samples, bool has_floor, pelt_arena* arena);

/// Encode once, with about as many words as a search would find. *reached is an estimate, too.
pelt_result pelti_bake_estimate(pelti_found* inout, double* reached, const pelti_bake_job* job,
                                const pelti_samples* samples, bool has_floor, pelt_arena* arena);

/// Encode all samples as a search found for some of them, so that options->max_error holds at every
/// vertex, if need be with less rounding.
/// @param has_finest  try next to no rounding, too, which takes many words
pelt_result pelti_bake_verify(pelti_found* inout, double* reached, const pelti_bake_job* job,
                              const pelti_samples* samples, bool has_finest, pelt_arena* arena);

/// A part of the samples, for searches: keys alone where they are exact, and as many between as
/// paths take otherwise.
/// @param has_keys_only  nothing between them
pelt_result pelti_bake_clip_thin(pelti_samples* out, const pelti_bake_clip* clip,
                                 bool has_keys_only, uint32_t joint_count, pelt_arena* arena);

enum
{
    PELTI_FEWER_RATES = 6,
};

/// Rates to try below the source's.
extern const pelti_rate pelti_fewer_rates[PELTI_FEWER_RATES];

/// Sample a clip at a rate and encode it within options->max_error, or estimate its words.
/// @return PELT_OK, PELT_ERROR_UNSUPPORTED: it cannot be met; others end the search
typedef pelt_result (*pelti_rate_trial)(pelti_bake_clip* tried, pelti_rate rate, void* context);

/// Try one rate or, with PELT_BAKE_AUTO, several, and keep what takes the fewest words.
/// @param is_fine  also try rates between those
pelt_result pelti_bake_try_rates(pelti_bake_clip* clip, const pelt_bake_options* options,
                                 pelti_rate_trial trial, void* context, bool is_fine);

/// Choose the rate of a clip by estimates: found.code has about the words that a search finds.
pelt_result pelti_bake_clip_choose_rate(pelti_bake_clip* clip, const pelti_bake_job* job);

/// The lowest fraction of the source's rate at which options->max_error can be met.
/// @param out  its divisor; 0: the rate of the source is too low
pelt_result pelti_bake_clip_lowest(uint32_t* out, const pelti_bake_clip* clip,
                                   const pelti_bake_job* job);

/// Search at the rate that was chosen.
pelt_result pelti_bake_clip_search(pelti_bake_clip* clip, const pelti_bake_job* job);

/// Verify what was found, and take a higher rate if that is the reason why it does not hold.
pelt_result pelti_bake_clip_verify(pelti_bake_clip* clip, const pelti_bake_job* job);

#endif
