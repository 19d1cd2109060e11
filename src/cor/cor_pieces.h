// SPDX-License-Identifier: MIT
// Centers of rotation, fast: triangles and what they are halved into, as a stream, and a part of
// them at a time in memory with the weights of all their joints.
#ifndef PELTI_COR_PIECES_H
#define PELTI_COR_PIECES_H

#include "cor_sets.h"

/// Where pieces come from.
typedef struct pelti_cor_pieces
{
    const pelti_cor_problem* problem;
    const pelti_cor_sets* sets;
    const uint32_t* counts; ///< of each of sets->triangles; NULL: all are taken whole
    double origin[3];       ///< sums about a near point keep more digits
    double area_scale;      ///< scales areas to near 1, into the range of float
} pelti_cor_pieces;

/// A piece of surface.
typedef struct pelti_cor_sample
{
    double b[3]; ///< barycentric coordinates of its center
    double area; ///< scaled
    double center[3];
} pelti_cor_sample;

/// Iterates over the pieces of sets->triangles, from some triangle on, without further memory.
typedef struct pelti_cor_stream
{
    const pelti_cor_pieces* pieces;
    uint32_t next; ///< triangle
    bool is_inside;
    double corners[3][3], area;
    pelti_cor_split split;
} pelti_cor_stream;

void pelti_cor_stream_begin(pelti_cor_stream* out, const pelti_cor_pieces* pieces,
                            uint32_t triangle);

/// The next pieces of one triangle.
/// @param triangle  that they are of
/// @return how many, at least 1
uint32_t pelti_cor_stream_next(pelti_cor_stream* stream, uint32_t* triangle, pelti_cor_sample* out,
                               uint32_t capacity);

// ---------------------------------------------------------------------------------------------
// A part of the pieces in memory

enum
{
    /// Numbers of a piece, before its weights on the joints of its set: center times area, area.
    PELTI_COR_PIECE_WEIGHTS = 4,
};

/// Pieces of one set.
typedef struct pelti_cor_run
{
    uint32_t count;
    uint32_t first; ///< in numbers; a piece has PELTI_COR_PIECE_WEIGHTS and the joints of the set
} pelti_cor_run;

/// Where a task begins that brings pieces into memory.
typedef struct pelti_cor_haul
{
    uint32_t set, triangle;
    uint32_t skip; ///< pieces of the triangle
    uint32_t count;
    uint32_t first; ///< in numbers
} pelti_cor_haul;

typedef struct pelti_cor_store
{
    const pelti_cor_pieces* pieces;
    uint32_t set_first, set_end; ///< sets that have runs now
    pelti_cor_run* runs;         ///< by set
    float* numbers;
    uint32_t number_capacity;
    pelti_cor_haul* hauls;
    uint32_t haul_capacity;
    uint32_t haul_count, haul_end; ///< how many, and the triangle behind the last
    pelti_cor_haul next;           ///< where the next part begins
    bool fits;          ///< all pieces fit together; otherwise only the requested ones are loaded
    bool is_there;      ///< what fits
    uint8_t* is_wanted; ///< by set
} pelti_cor_store;

/// @param set_samples  pieces of all triangles of each set
/// @return false when out of memory; release in any case
bool pelti_cor_store_make(pelti_cor_store* out, const pelti_cor_pieces* pieces,
                          const uint64_t* set_samples, pelti_cor_problem* problem);
void pelti_cor_store_release(pelti_cor_store* store, pelti_cor_problem* problem);

/// Clear all requests, and start at the first piece.
void pelti_cor_store_rewind(pelti_cor_store* store);

/// Request the sets that have both of two joints.
void pelti_cor_store_want(pelti_cor_store* store, const uint32_t joints[2]);

/// Load the next part into memory.
/// @return false: there is none
bool pelti_cor_store_advance(pelti_cor_store* store);

static inline uint32_t pelti_cor_piece_stride(const pelti_cor_set* set)
{
    return PELTI_COR_PIECE_WEIGHTS + set->joint_count;
}

#endif
