// SPDX-License-Identifier: MIT
// Encoding the clips of a bake, and the search for the fewest bytes within an error.
#ifndef PELTI_BAKE_SEARCH_H
#define PELTI_BAKE_SEARCH_H

#include "bake_plan.h"

/// An encoding that a search found, and how to make it again.
typedef struct pelti_found
{
    pelti_code code;
    double tolerance;
    float* factors; ///< of the tolerance, for each joint
    bool has_path;
    double reached; ///< what can be asked for, after a verification that failed
} pelti_found;

/// A clip on its way into a texture.
typedef struct pelti_bake_clip
{
    const pelt_clip* clip;
    pelti_clip_times source_times; ///< on the grid of the source, or as was asked for
    pelti_clip_times times;        ///< as it is sampled
    pelti_samples samples;
    pelti_found found;       ///< of its own; keys may be part of a common one instead
    pelt_bounds* key_bounds; ///< VERTEX: of the surface at each key, as it is decoded
    pelt_arena* arena;       ///< owns times, samples, code and bounds
    double reached;          ///< an error that can be asked for, when the budget cannot be met
} pelti_bake_clip;

/// What all clips of a bake have in common.
typedef struct pelti_bake_job
{
    const pelti_bake_source* source;
    const pelti_bake_plan* plan;
    const pelt_bake_options* options;
    float unit, stretch_unit;
} pelti_bake_job;

/// Sample a clip anew.
/// @param divisor, multiplier  of the intervals of its source_times
pelt_result pelti_bake_clip_sample(pelti_bake_clip* clip, const pelti_bake_source* source,
                                   const pelt_bake_options* options, uint32_t divisor,
                                   uint32_t multiplier);

/// Encode samples.
/// @param error  largest distances at the vertices of a list; may be NULL, and the list too
/// @param arena  owns the code
pelt_result pelti_bake_encode(pelti_code* out, pelti_probe_error* error, const pelti_bake_job* job,
                              const pelti_samples* samples, const pelti_quality* quality,
                              const pelti_probe_list* list, pelt_arena* arena);

/// Words of its table and keys.
size_t pelti_code_words(const pelti_code* code);

/// Encode samples in few words within options->max_error, which holds at the probes.
/// @param has_path  let decoders correct the path between keys
/// @param reached   an error that can be asked for, if it cannot be met
/// @param arena     owns the result
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED: it cannot be met
pelt_result pelti_bake_search(pelti_found* out, double* reached, const pelti_bake_job* job,
                              const pelti_samples* samples, bool has_path, pelt_arena* arena);

/// Make an encoding smaller by giving each joint what its vertices need.
pelt_result pelti_bake_refine(pelti_found* inout, const pelti_bake_job* job,
                              const pelti_samples* samples, pelt_arena* arena);

/// Make sure that options->max_error holds at every vertex.
pelt_result pelti_bake_verify(pelti_found* inout, const pelti_bake_job* job,
                              const pelti_samples* samples, pelt_arena* arena);

/// Whether keys on the grid of the source, interpolated, are the source at any time.
bool pelti_bake_is_exact(const pelt_bake_options* options, const pelt_clip* clip);

/// Rates to try: fractions or multiples of the source's.
typedef struct pelti_rate
{
    uint32_t divisor, multiplier;
} pelti_rate;

enum
{
    PELTI_FEWER_RATES = 6,
};

extern const pelti_rate pelti_fewer_rates[PELTI_FEWER_RATES];

/// Sample a clip at a rate and encode it within options->max_error.
/// @return PELT_OK, PELT_ERROR_UNSUPPORTED: it cannot be met; others end the search
typedef pelt_result (*pelti_rate_trial)(pelti_bake_clip* tried, pelti_rate rate, void* context);

/// Try one rate or, with PELT_BAKE_AUTO, several, and keep what takes the fewest words.
pelt_result pelti_bake_try_rates(pelti_bake_clip* clip, const pelt_bake_options* options,
                                 pelti_rate_trial trial, void* context);

/// Search at one rate or, with PELT_BAKE_AUTO, at several; samples the clip anew.
pelt_result pelti_bake_clip_search(pelti_bake_clip* clip, const pelti_bake_job* job);

#endif
