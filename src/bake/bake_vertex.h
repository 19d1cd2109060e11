// SPDX-License-Identifier: MIT
// The vertices of a clip: deformed at keys, measured, and encoded into a texture.
#ifndef PELTI_BAKE_VERTEX_H
#define PELTI_BAKE_VERTEX_H

#include "bake_work.h"

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

/// Words of tables and keys of a clip for a width of coordinates.
uint64_t pelti_vertex_words(const pelti_bake_work* work, uint32_t key_count, uint32_t width);

#endif
