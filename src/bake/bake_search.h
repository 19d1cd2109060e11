// SPDX-License-Identifier: MIT
// Encodes the clips of a bake and searches for the fewest bytes within an error.
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

/// A clip while it is baked.
typedef struct pelti_bake_clip
{
    const pelt_clip* clip;
    pelti_clip_times source_times; ///< on the grid of the source, or as the options say
    pelti_clip_times times;        ///< as it is sampled
    pelti_rate rate;               ///< of its source_times
    double most_rate;              ///< of its source_times, as much as memory allows for all clips
    pelti_samples samples;
    pelti_found found;       ///< for this clip alone; unused if all clips share one table
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

/// Sample a clip at the rate of its source. Intervals in which a joint rotates by nearly 180
/// degrees are divided, in source_times: rounding would decide which arc is the shorter one.
pelt_result pelti_bake_clip_begin(pelti_bake_clip* clip, const pelti_bake_source* source,
                                  const pelt_bake_options* options);

/// Sample a clip again.
/// @param rate  of its source_times
pelt_result pelti_bake_clip_sample(pelti_bake_clip* clip, const pelti_bake_source* source,
                                   const pelt_bake_options* options, pelti_rate rate);

/// Whether interpolated keys reproduce the source at any time.
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
/// @param has_floor  interpolated keys do not reproduce the source: first find the error that
///                   remains without rounding
/// @param reached    an error that can be asked for, if it cannot be met
/// @param arena      owns the result
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED: it cannot be met, or the table
///         has no room and *reached is infinite
pelt_result pelti_bake_search(pelti_found* inout, double* reached, const pelti_bake_job* job,
                              const pelti_samples* samples, bool has_floor, pelt_arena* arena);

/// Encode once, for an estimate of the words that a search would find. *reached is an estimate too.
pelt_result pelti_bake_estimate(pelti_found* inout, double* reached, const pelti_bake_job* job,
                                const pelti_samples* samples, bool has_floor, pelt_arena* arena);

/// Encode all samples with the result of a search on a part of them. Reduces rounding until
/// options->max_error holds at every vertex.
/// @param has_finest  also try almost no rounding, which takes many words
pelt_result pelti_bake_verify(pelti_found* inout, double* reached, const pelti_bake_job* job,
                              const pelti_samples* samples, bool has_finest, pelt_arena* arena);

/// Part of the samples, for searches: keys alone where these are exact, else also those between
/// keys that paths are fitted to.
/// @param has_keys_only  keys alone in any case
pelt_result pelti_bake_clip_thin(pelti_samples* out, const pelti_bake_clip* clip,
                                 bool has_keys_only, uint32_t joint_count, pelt_arena* arena);

enum
{
    PELTI_FEWER_RATES = 6,
};

/// Rates to try below the source's.
extern const pelti_rate pelti_fewer_rates[PELTI_FEWER_RATES];

/// Sample a clip at a rate and encode it within options->max_error, or estimate its words.
/// @return PELT_OK, or PELT_ERROR_UNSUPPORTED: the error cannot be met; other results end the
/// search
typedef pelt_result (*pelti_rate_trial)(pelti_bake_clip* tried, pelti_rate rate, void* context);

/// Try one rate or, with PELT_BAKE_AUTO, several, and keep the one with the fewest words.
/// @param is_fine  also try rates between these
pelt_result pelti_bake_try_rates(pelti_bake_clip* clip, const pelt_bake_options* options,
                                 pelti_rate_trial trial, void* context, bool is_fine);

/// Choose the rate of a clip by estimates: found.code has about as many words as a search would
/// find.
pelt_result pelti_bake_clip_choose_rate(pelti_bake_clip* clip, const pelti_bake_job* job);

/// The lowest fraction of the source's rate at which options->max_error can be met.
/// @param out  its divisor; 0: the rate of the source is too low
pelt_result pelti_bake_clip_lowest(uint32_t* out, const pelti_bake_clip* clip,
                                   const pelti_bake_job* job);

/// Search at the rate that was chosen.
pelt_result pelti_bake_clip_search(pelti_bake_clip* clip, const pelti_bake_job* job);

/// Verify the result of a search, and try a higher rate if the error does not hold.
pelt_result pelti_bake_clip_verify(pelti_bake_clip* clip, const pelti_bake_job* job);

#endif
