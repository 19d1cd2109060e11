// SPDX-License-Identifier: MIT
// The state of a bake while it is made, which the stages for joints and for vertices share.
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
    bool has_normals;            ///< of any mesh
} pelti_unique_vertices;

/// Find vertices with the same rest position, influences and morph targets, such as those that
/// exporters duplicate along UV seams: they coincide in every pose.
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

    // Shared by tasks that run in parallel.
    pelti_progress progress;
    atomic_int result;

    size_t most_words;  ///< joints: give up if tables and keys take many more; 0: never
    size_t about_words; ///< an estimate of these words, if it gave up; else 0
    pelti_rate rate;    ///< joints, of all clips: while bytes are fitted
    double error; ///< joints, meters: reached if the budget cannot be met, else the remaining error

    pelti_found shared; ///< joints: keys of all clips, if that takes fewer bytes
    bool is_shared;
    pelti_unique_vertices unique; ///< VERTEX
} pelti_bake_work;

/// Keep the first result of a task that is not PELT_OK.
void pelti_bake_keep_result(pelti_bake_work* work, pelt_result result);

/// PELT_OK, that result, or PELT_ERROR_CANCELED: tasks return at once unless it is PELT_OK.
pelt_result pelti_bake_state(pelti_bake_work* work);

/// The same, with messages for PELT_ERROR_CANCELED and PELT_ERROR_MEMORY.
pelt_result pelti_bake_tasks_end(pelti_bake_work* work, pelt_error* error);

/// Bake by options->encoding.
/// @param found       also filled after a failure
/// @param most_words  in: give up if tables and keys take many more, 0: never; out: their words
pelt_result pelti_bake_as(pelt_baked** out, pelt_bake_candidate* found, size_t* most_words,
                          const pelt_scene* scene, const pelt_bake_options* options,
                          pelt_error* error);

/// Bake by each encoding that options->finds_encoding compares, and take the best.
pelt_result pelti_bake_choose(pelt_baked** out, const pelt_scene* scene,
                              const pelt_bake_options* options, pelt_error* error);

/// The error for a clip that misses options->max_error.
pelt_result pelti_bake_refuse_error(const pelti_bake_work* work, const pelti_bake_clip* clip,
                                    pelt_error* error);

/// Whether a nearly square texture of so many words, whose last row is not full, has no more than
/// options->max_bytes.
bool pelti_bake_fits(const pelti_bake_work* work, size_t words);

/// The error for options->max_bytes that are too few.
/// @param words  the least that are needed
pelt_result pelti_bake_refuse_bytes(const pelti_bake_work* work, size_t words, pelt_error* error);

/// Words of tables and keys of all clips.
size_t pelti_bake_code_words(const pelti_bake_work* work);

/// Words of a clip and its runs, without tables and keys.
size_t pelti_bake_clip_words(const pelti_bake_clip* clip);

/// Encode all clips: each gets its code, or all share one.
pelt_result pelti_bake_joints(pelti_bake_work* work, pelt_error* error);
pelt_result pelti_bake_vertices(pelti_bake_work* work, pelt_error* error);

/// options->texel, or the one that fits the encoding.
pelt_texel pelti_bake_texel(const pelt_bake_options* options);

/// Lay out encoded clips in a texture, and describe it.
pelt_result pelti_bake_result(pelt_baked** out, const pelti_bake_work* work, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Limits, checked before a bake takes time and memory

/// Whether the character at rest is finite, and squares of distances fit into float.
/// @return PELT_OK or PELT_ERROR_DATA
pelt_result pelti_bake_check_rest(const pelti_bake_source* source, pelt_error* error);

/// Whether baking takes no more than options->max_memory.
/// @param inout  gets most_rate of its clips
/// @return PELT_OK or PELT_ERROR_UNSUPPORTED
pelt_result pelti_bake_check_memory(pelti_bake_work* inout, pelt_error* error);

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

/// Displacements below this count as none, in meters.
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
/// @param runs      of all clips, in order: get their offsets
/// @param keys      of these runs; runs that share a code are consecutive
/// @param has_rows  each key starts a row
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED: larger than max_size allows
pelt_result pelti_layout_write(pelt_baked* inout, pelt_baked_run* runs, const pelti_run_keys* keys,
                               uint32_t run_count, bool has_rows, uint32_t max_size,
                               pelt_error* error);

/// The error for a texture that is larger than max_size allows.
pelt_result pelti_layout_refuse(uint64_t words, uint32_t max_size, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// The layout of the animation texture thesis (2021)

/// Check options and set their defaults.
pelt_result pelti_thesis_check(pelt_bake_options* inout, pelt_error* error);

/// Join all runs to one, from time 0 on.
/// @return PELT_OK, or PELT_ERROR_UNSUPPORTED: more keys than max_size allows
pelt_result pelti_thesis_times(pelti_clip_times* inout, const pelt_bake_options* options,
                               pelt_error* error);

/// Set the pivots, rounded as in the texture.
/// @param inout  every joint without a parent, with its origin as pivot
/// @return the unit, in meters
float pelti_thesis_plan(pelti_bake_plan* inout, const pelti_bake_source* source,
                        const pelti_samples* samples);

/// Write the texture of a bake whose one clip, joints and unit are set.
/// @param inout  gets the size of the texture and its words
/// @param run    of the clip: gets its offsets
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED: larger than max_size allows
pelt_result pelti_thesis_write(pelt_baked* inout, pelt_baked_run* run, const pelti_bake_clip* clip,
                               const pelt_bake_options* options, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// The vertices of a clip: bake_vertex.c, bake_vertices.c

/// The surface of a scene at the keys of a clip.
typedef struct pelti_vertex_clip
{
    pelti_bake_work* work;
    const pelti_bake_clip* clip; ///< with its times and samples
    uint32_t* runs;              ///< the run of each key of the samples
    uint32_t* first_keys;        ///< of each run
    pelt_vec3* offsets;          ///< key_count * unique vertices: from rest
    uint32_t* normals;           ///< the same, octahedral in 2 * 16 bits; NULL: no mesh has any
    pelt_bounds* ranges;         ///< of the offsets of each unique vertex, or one of all
    pelt_arena* arena;           ///< owns the arrays
} pelti_vertex_clip;

/// Deform the scene at all keys of a clip. Tasks that fail leave their result in work.
/// @param out  free with pelti_vertex_clip_destroy()
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_DATA: a vertex is too far away or not finite
pelt_result pelti_vertex_clip_create(pelti_vertex_clip* out, pelti_bake_work* work,
                                     const pelti_bake_clip* clip);
void pelti_vertex_clip_destroy(pelti_vertex_clip* clip);

/// Largest distances from the source, in meters.
typedef struct pelti_vertex_error
{
    double at_keys, everywhere;
} pelti_vertex_error;

enum
{
    PELTI_VERTEX_WIDTHS = 4, ///< that are measured at once
};

/// The errors of a clip if it were encoded in several widths.
/// @param errors      PELTI_VERTEX_WIDTHS
/// @param widths      of a coordinate
/// @param is_at_keys  skip times between keys, which take long
pelt_result pelti_vertex_clip_measure(pelti_vertex_error* errors, pelti_vertex_clip* clip,
                                      const uint32_t widths[PELTI_VERTEX_WIDTHS], bool is_at_keys);

/// Encode a clip.
/// @param out    gets its code and bounds, in its arena
/// @param width  of a coordinate
pelt_result pelti_vertex_clip_encode(pelti_bake_clip* out, pelti_vertex_clip* clip, uint32_t width);

/// Encode a clip in the layout of the thesis: its box is the table of the code, and a key has a
/// word for each position, then one for each normal.
pelt_result pelti_thesis_encode(pelti_bake_clip* out, pelti_vertex_clip* clip);

/// The normal of a unique vertex at a key; the meshes have normals.
pelt_vec3 pelti_vertex_clip_normal(const pelti_vertex_clip* clip, uint32_t key, uint32_t vertex);

/// Words of tables and keys of a clip for a width of coordinates.
uint64_t pelti_vertex_words(const pelti_bake_work* work, uint32_t key_count, uint32_t width);

#endif
