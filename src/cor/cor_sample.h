// SPDX-License-Identifier: MIT
// Centers of rotation, fast: the pieces of surface that touch a pair of joints, as a stream.
#ifndef PELTI_COR_SAMPLE_H
#define PELTI_COR_SAMPLE_H

#include "cor_sets.h"

/// A piece of surface as one pair of joints sees it.
typedef struct pelti_cor_sample
{
    double v, w; ///< weights on the two joints
    double area;
    double center[3]; ///< relative to the origin of the stream
} pelti_cor_sample;

/// Where pieces come from.
typedef struct pelti_cor_pieces
{
    const pelti_cor_problem* problem;
    const pelti_cor_sets* sets;
    const uint32_t* piece_counts; ///< of each of sets->triangles; NULL: all are taken whole
    double origin[3];             ///< sums about a point near by keep more digits
} pelti_cor_pieces;

/// A walk over the pieces of some triangles of one set. All memory it needs is in here.
typedef struct pelti_cor_stream
{
    const pelti_cor_pieces* pieces;
    uint32_t set;
    uint32_t joints[2], places[2]; ///< the pair, and where it is in the set's list
    uint32_t next, end;            ///< in sets->triangles

    bool is_inside; ///< a triangle that is not whole
    double v[3], w[3], corners[3][3], area;
    pelti_cor_split split;
} pelti_cor_stream;

/// @param places     of the two joints in the set's list
/// @param triangles  of the set, counted from its first
void pelti_cor_stream_begin(pelti_cor_stream* out, const pelti_cor_pieces* pieces, uint32_t set,
                            const uint32_t places[2], pelt_range triangles);

/// The next pieces. @return how many; 0: that was all
uint32_t pelti_cor_stream_next(pelti_cor_stream* stream, pelti_cor_sample* out, uint32_t capacity);

#endif
