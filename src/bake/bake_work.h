// SPDX-License-Identifier: MIT
// A bake in the making: what stages of joints and of vertices share.
#ifndef PELTI_BAKE_WORK_H
#define PELTI_BAKE_WORK_H

#include "../base/progress.h"
#include "bake_search.h"

/// The first of the vertices that share a slot of the texture.
typedef struct pelti_unique_vertex
{
    uint32_t instance, vertex;
    pelt_vec3 rest;
} pelti_unique_vertex;

typedef struct pelti_unique_vertices
{
    uint32_t count;
    pelti_unique_vertex* firsts; ///< count, by instance and vertex
    uint32_t** ids;              ///< one list per instance: the slot of each vertex
    bool has_normals;            ///< a mesh has
} pelti_unique_vertices;

/// Find vertices that are the same at rest and follow the same, as those that exporters duplicate
/// along seams of UVs: they are the same in every pose.
/// @param options  deform and keeps_copies matter
/// @param arena    owns the result
pelt_result pelti_unique_vertices_find(pelti_unique_vertices* out, const pelt_scene* scene,
                                       const pelt_bake_options* options, pelt_arena* arena);

typedef struct pelti_bake_work
{
    pelt_bake_options options;
    pelti_bake_source source;
    pelti_bake_plan plan;
    pelti_bake_job job;
    pelti_quality quality; ///< joints, without a budget
    uint32_t clip_count;
    pelti_bake_clip* clips;
    pelt_arena* arena;

    // For tasks that run at once.
    pelti_progress progress;
    atomic_int result;

    size_t most_words;  ///< joints: give up if it takes many more of tables and keys; 0: never
    size_t about_words; ///< if it was given up: that it would take, by an estimate
    pelti_rate rate;    ///< joints, of all clips: while bytes are fitted
    double error;       ///< joints, meters: what a budget cannot be met by, or what is left

    pelti_found shared; ///< joints: keys of all clips, if that takes fewer bytes
    bool is_shared;
    pelti_unique_vertices unique; ///< VERTEX
} pelti_bake_work;

/// Keep the first result of a task that is not PELT_OK.
void pelti_bake_keep_result(pelti_bake_work* work, pelt_result result);

/// PELT_OK, that result, or PELT_ERROR_CANCELED: other tasks have nothing to do anymore.
pelt_result pelti_bake_state(pelti_bake_work* work);

/// The same, with sentences for PELT_ERROR_CANCELED and PELT_ERROR_MEMORY.
pelt_result pelti_bake_tasks_end(pelti_bake_work* work, pelt_error* error);

/// Bake by options->encoding.
/// @param found      what is known about it then, if it fails, too
/// @param most_words in: give up if it takes many more, 0: never; out: of tables and keys
pelt_result pelti_bake_as(pelt_baked** out, pelt_bake_candidate* found, size_t* most_words,
                          const pelt_scene* scene, const pelt_bake_options* options,
                          pelt_error* error);

/// Bake by each encoding that options->finds_encoding compares, and take the best.
pelt_result pelti_bake_choose(pelt_baked** out, const pelt_scene* scene,
                              const pelt_bake_options* options, pelt_error* error);

/// A clip misses options->max_error.
pelt_result pelti_bake_refuse_error(const pelti_bake_work* work, const pelti_bake_clip* clip,
                                    pelt_error* error);

/// Whether a nearly square texture of so many words, whose last row is not full, has no more than
/// options->max_bytes.
bool pelti_bake_fits(const pelti_bake_work* work, size_t words);

/// options->max_bytes are too few.
/// @param words  at least
pelt_result pelti_bake_refuse_bytes(const pelti_bake_work* work, size_t words, pelt_error* error);

/// Words of tables and keys of all clips.
size_t pelti_bake_code_words(const pelti_bake_work* work);

/// Words of a clip and its runs, without tables and keys.
size_t pelti_bake_clip_words(const pelti_bake_clip* clip);

/// Encode all clips: each has its code then, or all a shared one.
pelt_result pelti_bake_joints(pelti_bake_work* work, pelt_error* error);
pelt_result pelti_bake_vertices(pelti_bake_work* work, pelt_error* error);

/// The texel that was asked for, or the one that fits.
pelt_texel pelti_bake_texel(const pelt_bake_options* options);

/// Lay out encoded clips in a texture, and describe it.
pelt_result pelti_bake_result(pelt_baked** out, const pelti_bake_work* work, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Limits, checked before a bake takes time and memory

/// Whether the character at rest is finite, with room for squares of distances in float.
/// @return PELT_OK or PELT_ERROR_DATA
pelt_result pelti_bake_check_rest(const pelti_bake_source* source, pelt_error* error);

/// Whether baking takes no more than options->max_memory.
/// @return PELT_OK or PELT_ERROR_UNSUPPORTED
pelt_result pelti_bake_check_memory(const pelti_bake_work* work, pelt_error* error);

/// Whether all clips, which have been sampled, keep the character finite.
/// @return PELT_OK or PELT_ERROR_DATA
pelt_result pelti_bake_check_samples(const pelti_bake_work* work, pelt_error* error);

/// Whether the encoding stores everything that moves vertices in all clips.
/// @return PELT_OK or PELT_ERROR_UNSUPPORTED
pelt_result pelti_bake_check_morphs(const pelti_bake_work* work, pelt_error* error);

/// An upper bound on how far the morph tracks of a clip move vertices away from the default
/// weights, in meters.
/// @param instance  the one that they move farthest; may be NULL
double pelti_clip_morph_motion(uint32_t* instance, const pelti_bake_source* source,
                               const pelt_clip* clip);

/// Below this nothing counts as moved, in meters.
double pelti_morph_tolerance(const pelti_bake_source* source);

// ---------------------------------------------------------------------------------------------
// Texture

/// The keys of a run: part of a code, which runs may share.
typedef struct pelti_run_keys
{
    const pelti_code* code;
    uint32_t first_key, key_count;
} pelti_run_keys;

/// Lay out a bake whose clips, joints and counts are set, and write its texture.
/// @param inout     gets the size of the texture and its words
/// @param runs      of all clips, in order: get their places
/// @param keys      of these runs; those that share a code follow each other
/// @param has_rows  each key starts a row
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED: larger than max_size allows
pelt_result pelti_layout_write(pelt_baked* inout, pelt_baked_run* runs, const pelti_run_keys* keys,
                               uint32_t run_count, bool has_rows, uint32_t max_size,
                               pelt_error* error);

/// Say that so many words are larger than max_size allows.
pelt_result pelti_layout_refuse(uint64_t words, uint32_t max_size, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// The layout of the animation texture thesis (2021)

/// Whether options are possible, and their defaults.
pelt_result pelti_thesis_check(pelt_bake_options* inout, pelt_error* error);

/// Make one run of all, from time 0 on.
/// @return PELT_OK, or PELT_ERROR_UNSUPPORTED: more keys than max_size allows
pelt_result pelti_thesis_times(pelti_clip_times* inout, uint32_t joint_count,
                               const pelt_bake_options* options, pelt_error* error);

/// Set the pivots as the texture holds them.
/// @param inout  every joint without a parent, with its origin as pivot
/// @return the unit, in meters
float pelti_thesis_plan(pelti_bake_plan* inout, const pelti_bake_source* source,
                        const pelti_samples* samples);

/// Write the texture of a bake whose one clip, joints and unit are set.
/// @param inout  gets the size of the texture and its words
/// @param run    of the clip: gets its place
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED: larger than max_size allows
pelt_result pelti_thesis_write(pelt_baked* inout, pelt_baked_run* run, const pelti_samples* samples,
                               const pelt_bake_options* options, pelt_error* error);

#endif
