// SPDX-License-Identifier: MIT
// Encoding one run of keys: the motions of all joints over time become a table and keys.
#ifndef PELTI_BAKE_RUN_H
#define PELTI_BAKE_RUN_H

#include "bake_times.h"
#include "unbake.h"

/// Motions of all joints from the first key of a run to its last, at keys and between them.
typedef struct pelti_run_samples
{
    uint32_t intervals, between; ///< samples per interval
    bool wraps, is_held;
    uint32_t key_count;
    uint32_t count;      ///< intervals * between + 1
    pelt_mat34* motions; ///< count * joint_count: those of a sample side by side
} pelti_run_samples;

/// @param divisor  keep only each of so many intervals of the run
pelt_result pelti_run_sample(pelti_run_samples* out, const pelti_bake_source* source,
                             const pelt_clip* clip, const pelti_run_times* run, uint32_t divisor,
                             uint32_t between, bool wraps, pelt_arena* arena);

/// Where joints get their motion from: the same for all clips, so that these can be blended.
typedef struct pelti_bake_plan
{
    uint32_t* parents; ///< joint that a joint moves relative to, or PELT_NONE
    pelt_vec3* pivots;
    bool* is_stored; ///< false: nothing follows the joint, or it is its parent's motion always
    uint32_t* order; ///< parents first
} pelti_bake_plan;

/// How exactly values are stored.
typedef struct pelti_quality
{
    uint32_t key_bits;   ///< QT: of the pose of a joint in a key; 0: by tolerance or value_bits
    uint32_t path_bits;  ///< QT: of its path to the next key
    uint32_t value_bits; ///< MATRIX, DQ: of a value; LOCAL without tolerance: the same
    double tolerance;    ///< meters, of each value at the vertices that it moves
    bool has_path;
    const float* joint_factors; ///< of the tolerance, one per joint; NULL: 1
} pelti_quality;

/// A run as it goes into the texture.
typedef struct pelti_run_code
{
    uint32_t table_words, key_words, key_count;
    uint32_t* table;
    uint32_t* keys; ///< key_words * key_count
} pelti_run_code;

typedef struct pelti_run_job
{
    const pelti_bake_source* source;
    const pelti_bake_plan* plan;
    const pelti_run_samples* samples;
    pelt_encoding encoding;
    float unit;
} pelti_run_job;

/// Encode a run, and decode it again at every sample.
/// @param code     in the arena
/// @param decoded  samples->count * joint_count
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED when a table has no room
pelt_result pelti_run_encode(pelti_run_code* code, pelt_mat34* decoded, const pelti_run_job* job,
                             const pelti_quality* quality, pelt_arena* arena);

/// Largest distances at the probes between samples and what was decoded, in meters.
typedef struct pelti_probe_error
{
    double at_keys, everywhere;
    float* joints; ///< joint_count: largest where a joint has its strongest influence; or NULL
} pelti_probe_error;

void pelti_run_compare(pelti_probe_error* inout, const pelti_run_job* job,
                       const pelt_mat34* decoded);

#endif
