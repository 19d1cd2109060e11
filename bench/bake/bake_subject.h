// SPDX-License-Identifier: MIT
// A character whose bakes are measured: size, error, and time against sampling the source.
#ifndef PELT_BAKE_SUBJECT_H
#define PELT_BAKE_SUBJECT_H

#include "bench.h"
#include "pelt/bake.h"

/// Warn about a case that an encoding does not support, so that the suite can go on.
/// @return result, or PELT_OK for PELT_ERROR_UNSUPPORTED and PELT_ERROR_ARGUMENT
pelt_result bake_leave_out(const char* subject, const char* what, pelt_result result,
                           const pelt_error* error);

/// How much to measure.
typedef struct bake_effort
{
    uint32_t clip_max; ///< clips that are baked: the first ones that have tracks
    uint32_t between;  ///< times between two keys at which a bake is compared with its source
    double seconds;    ///< budget of each timing
} bake_effort;

typedef struct bake_subject
{
    pelt_scene* scene;
    uint32_t clip_count;
    uint32_t* clips; ///< of the scene
    bake_effort effort;

    pelt_baked* source; ///< a bake with default options: its keys are those of the source
    double height;      ///< meters; errors are relative to it
    size_t bytes;       ///< of that bake

    double pose_seconds;    ///< to sample a pose of the source and build its palettes, one thread
    double surface_seconds; ///< the same and to deform all skinned instances by lbs
    pelt_pose pose;
    pelt_frame frame;
    pelt_arena* arena;
} bake_subject;

/// @param scene  owned by the subject, also after an error
pelt_result bake_subject_create(bake_subject* out, pelt_scene* scene, bake_effort effort,
                                pelt_error* error);
void bake_subject_destroy(bake_subject* subject);

/// Median and maximum over clips.
typedef struct bake_spread
{
    double median, max;
} bake_spread;

/// One bake of all clips. Errors are distances in millimeters per meter of the subject's height.
typedef struct bake_trial
{
    size_t bytes;
    double bytes_per_joint_key; ///< by keys of the source
    double key_count;
    double rate; ///< keys per second, over all clips
    bake_spread at_keys, everywhere;
    double p99; ///< the largest, if each clip has a texture of its own
    double rms;
    double normal_mean, normal_max; ///< degrees; NaN where no mesh has normals
    double bake_seconds;            ///< on all threads
    double bake_to_sample;          ///< relative to sampling as many poses as the bake has keys
    double
        decode_to_sample; ///< relative to sampling the source: one pose, or all surfaces of VERTEX
} bake_trial;

/// Bake, measure and decode.
/// @param options  clips are those of the subject; in PELT_BAKE_LAYOUT_THESIS one bake for each of
/// them
/// @return the result of pelt_bake() or pelt_baked_measure()
pelt_result bake_subject_try(bake_trial* out, bake_subject* subject,
                             const pelt_bake_options* options, pelt_error* error);

/// Add table `document`: sizes of animation textures in the animation texture thesis (2021), Tables
/// 1 to 8, and those of pelt for as many bones, vertices and frames.
pelt_result thesis_sizes_measure(bench_report* out, const bench_options* options,
                                 pelt_error* error);

#endif
