// SPDX-License-Identifier: MIT
// Samples of a field at the corners of a grid, stored only in blocks near the surface, and taken
// only where it matters by how much a corner is inside or outside.
#ifndef PELT_IMPLICIT_GRID_H
#define PELT_IMPLICIT_GRID_H

#include "implicit.h"

#define IMPLICIT_BLOCK 4 ///< corners along each edge of a block
#define IMPLICIT_BLOCK_SIZE (IMPLICIT_BLOCK * IMPLICIT_BLOCK * IMPLICIT_BLOCK)

/// One block: corners and, numbered like their lowest corner, cells.
typedef struct implicit_block
{
    uint32_t coordinates[3];                ///< in blocks
    float values[IMPLICIT_BLOCK_SIZE];      ///< negative inside, never 0; or IMPLICIT_FAR
    uint32_t vertices[IMPLICIT_BLOCK_SIZE]; ///< of each cell, or PELT_NONE
    uint32_t signs; ///< of the field at its corners: IMPLICIT_IN, IMPLICIT_OUT
} implicit_block;

/// The absolute value of a corner without a sample, which is in no cell that the surface cuts.
#define IMPLICIT_FAR 1.0f

#define IMPLICIT_IN 1u
#define IMPLICIT_OUT 2u

#define IMPLICIT_CUBE (IMPLICIT_BLOCK + 1) ///< corners along each edge of the cells of a block
#define IMPLICIT_CUBE_SIZE (IMPLICIT_CUBE * IMPLICIT_CUBE * IMPLICIT_CUBE)

typedef struct implicit_grid
{
    const implicit_shape* shape;
    implicit_warp warp;
    pelt_vec3 origin; ///< of corner 0; x is half a cell below 0, so that corner 0 mirrors corner 1
    float spacing;
    uint32_t size[3]; ///< in blocks
    uint32_t root;    ///< blocks along each edge of the octree: a power of two
    int32_t* table;   ///< block at each position, or IMPLICIT_OUTSIDE or IMPLICIT_INSIDE
    uint32_t block_count, block_capacity;
    implicit_block* blocks;
    implicit_solid* scratch; ///< for culling, one set per level
} implicit_grid;

#define IMPLICIT_OUTSIDE (-1)
#define IMPLICIT_INSIDE (-2)

/// @param out  free with implicit_grid_destroy(), whatever the result
pelt_result implicit_grid_create(implicit_grid* out, const implicit_shape* shape,
                                 const implicit_grid_desc* desc);
void implicit_grid_destroy(implicit_grid* grid);

/// Set inside corners to outside until every cell has at most one piece of surface. Afterwards one
/// vertex per cell gives a manifold. The body only shrinks, so no gap is bridged.
void implicit_grid_untangle(implicit_grid* grid);

/// Values at the corners of the cells of a block, x first.
/// @return false, and no values, when all certainly have the same sign
bool implicit_grid_cube(float out[IMPLICIT_CUBE_SIZE], const implicit_grid* grid,
                        const implicit_block* block);

/// The corners of a cell that are inside, as bits: x is the lowest bit of a corner's number.
/// @param values  of its corners
uint32_t implicit_grid_mask(float values[8], const float cube[IMPLICIT_CUBE_SIZE], uint32_t slot);

/// Position in the model of a point given in corners.
pelt_vec3 implicit_grid_point(const implicit_grid* grid, float x, float y, float z);

/// The block of a corner or cell, or NULL where none is stored.
implicit_block* implicit_grid_block(const implicit_grid* grid, const uint32_t corner[3]);

/// Index within its block.
static inline uint32_t implicit_grid_slot(const uint32_t corner[3])
{
    return ((corner[2] % IMPLICIT_BLOCK) * IMPLICIT_BLOCK + corner[1] % IMPLICIT_BLOCK) *
               IMPLICIT_BLOCK +
           corner[0] % IMPLICIT_BLOCK;
}

/// The corner or cell of a slot.
static inline void implicit_grid_corner(uint32_t out[3], const implicit_block* block, uint32_t slot)
{
    out[0] = block->coordinates[0] * IMPLICIT_BLOCK + slot % IMPLICIT_BLOCK;
    out[1] = block->coordinates[1] * IMPLICIT_BLOCK + slot / IMPLICIT_BLOCK % IMPLICIT_BLOCK;
    out[2] = block->coordinates[2] * IMPLICIT_BLOCK + slot / (IMPLICIT_BLOCK * IMPLICIT_BLOCK);
}

/// Blocks are sampled by eighths, whose corners are as many as there are lanes.
#define IMPLICIT_EIGHTH (IMPLICIT_BLOCK / 2)

/// Slot of a corner or cell of an eighth: bits of both numbers are x, y and z.
static inline uint32_t implicit_grid_eighth_slot(uint32_t eighth, uint32_t corner)
{
    uint32_t x = (eighth & 1) * IMPLICIT_EIGHTH + (corner & 1);
    uint32_t y = (eighth >> 1 & 1) * IMPLICIT_EIGHTH + (corner >> 1 & 1);
    uint32_t z = (eighth >> 2) * IMPLICIT_EIGHTH + (corner >> 2);
    return (z * IMPLICIT_BLOCK + y) * IMPLICIT_BLOCK + x;
}

/// Index in its block's cube of the lowest corner of a cell.
static inline uint32_t implicit_grid_cube_slot(uint32_t slot)
{
    uint32_t x = slot % IMPLICIT_BLOCK, y = slot / IMPLICIT_BLOCK % IMPLICIT_BLOCK;
    return (slot / (IMPLICIT_BLOCK * IMPLICIT_BLOCK) * IMPLICIT_CUBE + y) * IMPLICIT_CUBE + x;
}

/// The solids that matter in a block.
/// @param solids  room for all solids of the shape
implicit_shape implicit_grid_local_shape(const implicit_grid* grid, const implicit_block* block,
                                         implicit_solid* solids);

#endif
