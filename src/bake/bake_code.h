// SPDX-License-Identifier: MIT
// Encodes the motions of all joints over time into a table and keys.
#ifndef PELTI_BAKE_CODE_H
#define PELTI_BAKE_CODE_H

#include "../baked/baked_decode.h"
#include "bake_source.h"

/// Motions of all joints at keys and between them. Keys of several runs may be in one list.
typedef struct pelti_samples
{
    uint32_t key_count;
    uint32_t count;
    uint32_t* key_samples; ///< key_count: the sample of each key
    uint32_t* spans; ///< key_count: samples from a key to before the next; 1: there is no next key
    uint32_t* next;  ///< key_count: the key that it is interpolated with
    pelt_mat34* motions; ///< count * joint_count, sample by sample
} pelti_samples;

/// Numbers of keys and samples of a clip.
typedef struct pelti_sample_counts
{
    uint64_t keys, samples;
} pelti_sample_counts;

pelti_sample_counts pelti_clip_count_samples(const pelti_clip_times* times, uint32_t between);

/// Sample the runs of a clip.
/// @param times    its runs, with the number of intervals to sample
/// @param between  samples per interval
pelt_result pelti_clip_sample(pelti_samples* out, const pelti_bake_source* source,
                              const pelt_clip* clip, const pelti_clip_times* times,
                              uint32_t between, pelt_arena* arena);

/// Concatenate lists.
pelt_result pelti_samples_join(pelti_samples* out, const pelti_samples* const* parts,
                               uint32_t part_count, uint32_t joint_count, pelt_arena* arena);

/// What the motion of each joint is relative to. All clips share one plan, so they can be blended.
typedef struct pelti_bake_plan
{
    uint32_t* parents; ///< joint that a joint moves relative to, or PELT_NONE
    pelt_vec3* pivots;
    float* reaches;  ///< of a joint's own vertices from its pivot, in units of bind space
    bool* is_stored; ///< false: the joint is not used, or always moves as its parent
    bool* is_solid;  ///< false: it scales to nearly nothing at some time
    uint32_t* order; ///< parents first
} pelti_bake_plan;

/// How exactly values are stored.
typedef struct pelti_quality
{
    uint32_t key_bits;   ///< QT: of the pose of a joint in a key; 0: by tolerance or value_bits
    uint32_t value_bits; ///< MATRIX, DQ: of a value; LOCAL without tolerance: the same
    double tolerance;    ///< meters, of each value at the vertices that it moves
    bool has_path;
    float path_weight;          ///< of errors between keys against those at keys, for bits
    const float* joint_factors; ///< of the tolerance, one per joint; NULL: 1
} pelti_quality;

/// Keys and their table as stored in the texture.
typedef struct pelti_code
{
    uint32_t table_words, key_words, key_count;
    uint32_t* table;
    uint32_t* keys; ///< key_words * key_count
} pelti_code;

typedef struct pelti_code_job
{
    const pelti_bake_source* source;
    const pelti_bake_plan* plan;
    const pelti_samples* samples;
    pelt_encoding encoding;
    float unit, stretch_unit;
} pelti_code_job;

/// Encode samples, and decode them again.
/// @param code     in the arena
/// @param decoded  samples->count * joint_count
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED when a table has no room
pelt_result pelti_code_make(pelti_code* code, pelt_mat34* decoded, const pelti_code_job* job,
                            const pelti_quality* quality, pelt_arena* arena);

/// Largest distances at the probes between samples and what was decoded, in meters.
typedef struct pelti_probe_error
{
    double at_keys, everywhere;
    float* joints; ///< joint_count: largest where a joint has its strongest influence; or NULL
} pelti_probe_error;

/// @param list  of the source: probes, or all vertices
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_code_compare(pelti_probe_error* inout, const pelti_code_job* job,
                               const pelti_probe_list* list, const pelt_mat34* decoded);

/// @param clips      samples of all clips
/// @param tolerance  meters by which a joint may deviate from the joint that it follows
pelt_result pelti_bake_plan_create(pelti_bake_plan* out, const pelti_bake_source* source,
                                   const pelti_samples* const* clips, uint32_t clip_count,
                                   const pelt_bake_options* options, double tolerance,
                                   pelt_arena* arena);

#endif
