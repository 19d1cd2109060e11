// SPDX-License-Identifier: MIT
// A bake in the making: what stages of joints and of vertices share.
#ifndef PELTI_BAKE_WORK_H
#define PELTI_BAKE_WORK_H

#include "../base/progress.h"
#include "bake_places.h"
#include "bake_search.h"

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
    pelti_vertex_places places; ///< VERTEX
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

#endif
