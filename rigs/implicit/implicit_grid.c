// SPDX-License-Identifier: MIT
// Sparse sampling: an octree of blocks is descended only where the field may be zero.
#include "implicit_grid.h"

#include <string.h>

#define LEVELS 16

pelt_vec3 implicit_grid_point(const implicit_grid* grid, float x, float y, float z)
{
    return grid->warp(pelt_vec3_make(grid->origin.x + grid->spacing * x,
                                     grid->origin.y + grid->spacing * y,
                                     grid->origin.z + grid->spacing * z));
}

implicit_block* implicit_grid_block(const implicit_grid* grid, const uint32_t corner[3])
{
    size_t x = corner[0] / IMPLICIT_BLOCK, y = corner[1] / IMPLICIT_BLOCK;
    size_t z = corner[2] / IMPLICIT_BLOCK;
    if (x >= grid->size[0] || y >= grid->size[1] || z >= grid->size[2])
    {
        return NULL;
    }
    int32_t index = grid->table[(z * grid->size[1] + y) * grid->size[0] + x];
    return index >= 0 ? &grid->blocks[index] : NULL;
}

float implicit_grid_value(const implicit_grid* grid, const uint32_t corner[3])
{
    // Corner 0 mirrors corner 1 and follows it when that is turned outside.
    uint32_t place[3] = {corner[0] == 0 ? 1 : corner[0], corner[1], corner[2]};
    const implicit_block* block = implicit_grid_block(grid, place);
    if (block)
    {
        return block->values[implicit_grid_slot(place)];
    }
    size_t x = place[0] / IMPLICIT_BLOCK, y = place[1] / IMPLICIT_BLOCK;
    size_t z = place[2] / IMPLICIT_BLOCK;
    bool is_within = x < grid->size[0] && y < grid->size[1] && z < grid->size[2];
    bool is_inside =
        is_within && grid->table[(z * grid->size[1] + y) * grid->size[0] + x] == IMPLICIT_INSIDE;
    return is_inside ? -1.0f : 1.0f;
}

typedef struct ball
{
    pelt_vec3 center;
    float radius;
} ball;

// A ball in the model around blocks first to first + count - 1 and one cell beyond on each side.
static ball region_ball(const implicit_grid* grid, const uint32_t first[3], uint32_t count)
{
    float low[3], high[3];
    for (int i = 0; i < 3; ++i)
    {
        low[i] = (float)(first[i] * IMPLICIT_BLOCK) - 1.0f;
        high[i] = (float)((first[i] + count) * IMPLICIT_BLOCK) + 1.0f;
    }
    pelt_vec3 center = implicit_grid_point(grid, 0.5f * (low[0] + high[0]),
                                           0.5f * (low[1] + high[1]), 0.5f * (low[2] + high[2]));
    // The warp bends the faces of a region: their middles count as well as their corners.
    float radius = 0.0f;
    for (int i = 0; i < 27; ++i)
    {
        float x = 0.5f * (float)(i % 3), y = 0.5f * (float)(i / 3 % 3), z = 0.5f * (float)(i / 9);
        pelt_vec3 p =
            implicit_grid_point(grid, low[0] + x * (high[0] - low[0]),
                                low[1] + y * (high[1] - low[1]), low[2] + z * (high[2] - low[2]));
        radius = fmaxf(radius, pelt_vec3_distance(center, p));
    }
    ball result = {center, 1.15f * radius};
    return result;
}

implicit_shape implicit_grid_local_shape(const implicit_grid* grid, const implicit_block* block,
                                         implicit_solid* solids)
{
    ball around = region_ball(grid, block->place, 1);
    implicit_shape local = {0};
    local.solid_count = implicit_cull(solids, grid->shape, around.center, around.radius);
    local.solids = solids;
    return local;
}

static implicit_block* add_block(implicit_grid* grid)
{
    if (grid->block_count == grid->block_capacity)
    {
        uint32_t capacity = grid->block_capacity ? 2 * grid->block_capacity : 256;
        implicit_block* blocks = pelt_allocate(capacity, sizeof *blocks);
        if (!blocks)
        {
            return NULL;
        }
        if (grid->block_count > 0)
        {
            memcpy(blocks, grid->blocks, grid->block_count * sizeof *blocks);
        }
        pelt_release(grid->blocks);
        grid->blocks = blocks;
        grid->block_capacity = capacity;
    }
    return &grid->blocks[grid->block_count++];
}

static pelt_result sample_block(implicit_grid* grid, const implicit_shape* local,
                                const uint32_t place[3])
{
    implicit_block* block = add_block(grid);
    if (!block)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(block->place, place, sizeof block->place);
    pelt_vec3 points[IMPLICIT_BLOCK_SIZE];
    for (uint32_t slot = 0; slot < IMPLICIT_BLOCK_SIZE; ++slot)
    {
        uint32_t corner[3];
        implicit_grid_corner(corner, block, slot);
        points[slot] =
            implicit_grid_point(grid, (float)corner[0], (float)corner[1], (float)corner[2]);
        block->vertices[slot] = PELT_NONE;
    }
    for (uint32_t slot = 0; slot < IMPLICIT_BLOCK_SIZE; slot += IMPLICIT_LANES)
    {
        implicit_values(block->values + slot, local, points + slot);
    }
    // A corner on the surface counts as outside, by a distance that no one can see.
    for (uint32_t slot = 0; slot < IMPLICIT_BLOCK_SIZE; ++slot)
    {
        float value = block->values[slot];
        block->values[slot] = value < 0.0f ? value : fmaxf(value, 1e-7f);
    }
    grid->table[(place[2] * grid->size[1] + place[1]) * (size_t)grid->size[0] + place[0]] =
        (int32_t)(grid->block_count - 1);
    return PELT_OK;
}

static void fill_table(implicit_grid* grid, const uint32_t first[3], uint32_t count, int32_t mark)
{
    for (uint32_t z = first[2]; z < first[2] + count && z < grid->size[2]; ++z)
    {
        for (uint32_t y = first[1]; y < first[1] + count && y < grid->size[1]; ++y)
        {
            for (uint32_t x = first[0]; x < first[0] + count && x < grid->size[0]; ++x)
            {
                grid->table[(z * grid->size[1] + y) * (size_t)grid->size[0] + x] = mark;
            }
        }
    }
}

static pelt_result sample_region(implicit_grid* grid, const implicit_shape* shape,
                                 const uint32_t first[3], uint32_t count, uint32_t level)
{
    if (first[0] >= grid->size[0] || first[1] >= grid->size[1] || first[2] >= grid->size[2])
    {
        return PELT_OK;
    }
    ball around = region_ball(grid, first, count);
    float value = implicit_value(shape, around.center);
    if (fabsf(value) > IMPLICIT_LIPSCHITZ * around.radius)
    {
        fill_table(grid, first, count, value > 0.0f ? IMPLICIT_OUTSIDE : IMPLICIT_INSIDE);
        return PELT_OK;
    }
    PELT_ASSERT(level < LEVELS);
    implicit_solid* solids = grid->scratch + (size_t)level * grid->shape->solid_count;
    implicit_shape local = {0};
    local.solid_count = implicit_cull(solids, shape, around.center, around.radius);
    local.solids = solids;
    if (count == 1)
    {
        return sample_block(grid, &local, first);
    }
    uint32_t half = count / 2;
    for (uint32_t i = 0; i < 8; ++i)
    {
        uint32_t child[3] = {first[0] + (i & 1 ? half : 0), first[1] + (i & 2 ? half : 0),
                             first[2] + (i & 4 ? half : 0)};
        pelt_result result = sample_region(grid, &local, child, half, level + 1);
        if (result != PELT_OK)
        {
            return result;
        }
    }
    return PELT_OK;
}

// Blocks needed for a length, with a block to spare.
static uint32_t blocks_for(float length, float spacing)
{
    return (uint32_t)(length / (spacing * IMPLICIT_BLOCK)) + 2;
}

pelt_result implicit_grid_create(implicit_grid* out, const implicit_shape* shape,
                                 const implicit_grid_desc* desc)
{
    *out = (implicit_grid){.shape = shape, .warp = desc->warp, .spacing = desc->spacing};
    out->origin = pelt_vec3_make(-0.5f * desc->spacing, desc->bounds.min.y, desc->bounds.min.z);
    out->size[0] = blocks_for(desc->bounds.max.x, desc->spacing);
    out->size[1] = blocks_for(desc->bounds.max.y - desc->bounds.min.y, desc->spacing);
    out->size[2] = blocks_for(desc->bounds.max.z - desc->bounds.min.z, desc->spacing);

    size_t place_count = (size_t)out->size[0] * out->size[1] * out->size[2];
    out->table = pelt_allocate(place_count, sizeof *out->table);
    out->scratch = pelt_allocate((size_t)LEVELS * shape->solid_count, sizeof *out->scratch);
    if (!out->table || !out->scratch)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t count = 1;
    while (count < out->size[0] || count < out->size[1] || count < out->size[2])
    {
        count *= 2;
    }
    const uint32_t first[3] = {0, 0, 0};
    return sample_region(out, shape, first, count, 0);
}

void implicit_grid_destroy(implicit_grid* grid)
{
    pelt_release(grid->table);
    pelt_release(grid->blocks);
    pelt_release(grid->scratch);
    *grid = (implicit_grid){0};
}

// How many pieces the corners in a mask form along the edges of a cube.
static uint32_t count_pieces(uint32_t mask)
{
    uint32_t pieces = 0;
    while (mask)
    {
        uint32_t piece = mask & (~mask + 1), grown = piece;
        do
        {
            piece = grown;
            grown |= ((piece & 0x55) << 1) | ((piece & 0xaa) >> 1);
            grown |= ((piece & 0x33) << 2) | ((piece & 0xcc) >> 2);
            grown |= ((piece & 0x0f) << 4) | ((piece & 0xf0) >> 4);
            grown &= mask;
        } while (grown != piece);
        mask &= ~piece;
        ++pieces;
    }
    return pieces;
}

static bool has_checkered_face(uint32_t mask)
{
    static const uint8_t faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    for (int i = 0; i < 6; ++i)
    {
        uint32_t a = mask >> faces[i][0] & 1, b = mask >> faces[i][1] & 1;
        uint32_t c = mask >> faces[i][2] & 1, d = mask >> faces[i][3] & 1;
        if (a == c && b == d && a != b)
        {
            return true;
        }
    }
    return false;
}

// Turn the inside corner nearest to the surface outside, when the cell has two pieces of surface.
static bool untangle_cell(implicit_grid* grid, const uint32_t cell[3])
{
    uint32_t mask = 0;
    float* highest = NULL;
    for (uint32_t i = 0; i < 8; ++i)
    {
        uint32_t corner[3] = {cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2)};
        if (implicit_grid_value(grid, corner) >= 0.0f)
        {
            continue;
        }
        mask |= 1u << i;
        corner[0] = corner[0] == 0 ? 1 : corner[0];
        implicit_block* block = implicit_grid_block(grid, corner);
        float* value = block ? &block->values[implicit_grid_slot(corner)] : NULL;
        highest = value && (!highest || *value > *highest) ? value : highest;
    }
    if (mask == 0 || mask == 0xff || !highest ||
        (count_pieces(mask) < 2 && count_pieces(~mask & 0xff) < 2 && !has_checkered_face(mask)))
    {
        return false;
    }
    *highest = 1e-7f;
    return true;
}

void implicit_grid_untangle(implicit_grid* grid)
{
    bool has_changed = true;
    while (has_changed)
    {
        has_changed = false;
        for (uint32_t b = 0; b < grid->block_count; ++b)
        {
            for (uint32_t slot = 0; slot < IMPLICIT_BLOCK_SIZE; ++slot)
            {
                uint32_t cell[3];
                implicit_grid_corner(cell, &grid->blocks[b], slot);
                has_changed = untangle_cell(grid, cell) || has_changed;
            }
        }
    }
}
