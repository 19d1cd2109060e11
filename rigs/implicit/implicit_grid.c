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

// Signs of the field that corners of a block may have; *block is NULL where it is not stored.
static uint32_t signs_at(const implicit_block** block, const implicit_grid* grid,
                         const uint32_t coordinates[3])
{
    *block = NULL;
    if (coordinates[0] >= grid->size[0] || coordinates[1] >= grid->size[1] ||
        coordinates[2] >= grid->size[2])
    {
        return IMPLICIT_OUT;
    }
    size_t row = (size_t)coordinates[2] * grid->size[1] + coordinates[1];
    int32_t index = grid->table[row * grid->size[0] + coordinates[0]];
    if (index < 0)
    {
        return index == IMPLICIT_INSIDE ? IMPLICIT_IN : IMPLICIT_OUT;
    }
    *block = &grid->blocks[index];
    return (*block)->signs;
}

// A corner of a block's cube; corner 0 mirrors corner 1 and follows it when that is set to outside.
static void cube_corner(uint32_t out[3], const implicit_block* block, uint32_t index)
{
    out[0] = block->coordinates[0] * IMPLICIT_BLOCK + index % IMPLICIT_CUBE;
    out[1] = block->coordinates[1] * IMPLICIT_BLOCK + index / IMPLICIT_CUBE % IMPLICIT_CUBE;
    out[2] = block->coordinates[2] * IMPLICIT_BLOCK + index / (IMPLICIT_CUBE * IMPLICIT_CUBE);
    out[0] = out[0] == 0 ? 1 : out[0];
}

bool implicit_grid_cube(float out[IMPLICIT_CUBE_SIZE], const implicit_grid* grid,
                        const implicit_block* block)
{
    const implicit_block* blocks[8];
    float far[8];
    uint32_t signs = 0;
    for (uint32_t i = 0; i < 8; ++i)
    {
        const uint32_t coordinates[3] = {block->coordinates[0] + (i & 1),
                                         block->coordinates[1] + (i >> 1 & 1),
                                         block->coordinates[2] + (i >> 2)};
        uint32_t own = signs_at(&blocks[i], grid, coordinates);
        far[i] = own == IMPLICIT_IN ? -IMPLICIT_FAR : IMPLICIT_FAR;
        signs |= own;
    }
    if (signs != (IMPLICIT_IN | IMPLICIT_OUT))
    {
        return false;
    }
    for (uint32_t row = 0; row < IMPLICIT_CUBE * IMPLICIT_CUBE; ++row, out += IMPLICIT_CUBE)
    {
        uint32_t y = row % IMPLICIT_CUBE, z = row / IMPLICIT_CUBE;
        uint32_t i = (y == IMPLICIT_BLOCK ? 2u : 0u) + (z == IMPLICIT_BLOCK ? 4u : 0u);
        uint32_t first =
            (z % IMPLICIT_BLOCK * IMPLICIT_BLOCK + y % IMPLICIT_BLOCK) * IMPLICIT_BLOCK;
        for (uint32_t x = 0; x < IMPLICIT_BLOCK; ++x)
        {
            out[x] = blocks[i] ? blocks[i]->values[first + x] : far[i];
        }
        out[IMPLICIT_BLOCK] = blocks[i + 1] ? blocks[i + 1]->values[first] : far[i + 1];
        out[0] = block->coordinates[0] == 0 ? out[1] : out[0];
    }
    return true;
}

#define ROW IMPLICIT_CUBE
#define LAYER (IMPLICIT_CUBE * IMPLICIT_CUBE)

// Where in a cube the corners of a cell are, from its lowest.
static const uint32_t cell_corners[8] = {0,     1,         ROW,         ROW + 1,
                                         LAYER, LAYER + 1, LAYER + ROW, LAYER + ROW + 1};

uint32_t implicit_grid_mask(float values[8], const float cube[IMPLICIT_CUBE_SIZE], uint32_t slot)
{
    uint32_t first = implicit_grid_cube_slot(slot), mask = 0;
    for (uint32_t i = 0; i < 8; ++i)
    {
        values[i] = cube[first + cell_corners[i]];
        mask |= values[i] < 0.0f ? 1u << i : 0u;
    }
    return mask;
}

typedef struct ball
{
    pelt_vec3 center;
    float radius;
} ball;

// The ball in model space that encloses blocks first to first + count - 1 and one more layer of
// cells.
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
    float square = 0.0f;
    for (int i = 0; i < 27; ++i)
    {
        float x = 0.5f * (float)(i % 3), y = 0.5f * (float)(i / 3 % 3), z = 0.5f * (float)(i / 9);
        pelt_vec3 p =
            implicit_grid_point(grid, low[0] + x * (high[0] - low[0]),
                                low[1] + y * (high[1] - low[1]), low[2] + z * (high[2] - low[2]));
        pelt_vec3 away = pelt_vec3_sub(center, p);
        float other = pelt_vec3_dot(away, away);
        square = other > square ? other : square;
    }
    ball result = {center, 1.15f * sqrtf(square)};
    return result;
}

implicit_shape implicit_grid_local_shape(const implicit_grid* grid, const implicit_block* block,
                                         implicit_solid* solids)
{
    ball bounds = region_ball(grid, block->coordinates, 1);
    implicit_shape local = {0};
    local.solid_count = implicit_cull(solids, grid->shape, bounds.center, bounds.radius);
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

// The solids of a shape that matter in a ball, in the scratch memory of a level.
static implicit_shape cull_region(const implicit_grid* grid, const implicit_shape* shape,
                                  ball bounds, uint32_t level)
{
    PELT_ASSERT(level < LEVELS);
    implicit_solid* solids = grid->scratch + (size_t)level * grid->shape->solid_count;
    implicit_shape local = {0};
    local.solid_count = implicit_cull(solids, shape, bounds.center, bounds.radius);
    local.solids = solids;
    return local;
}

// @param shape  the solids that matter in the block
static void sample_eighth(const implicit_grid* grid, implicit_block* block, uint32_t eighth,
                          const implicit_shape* shape)
{
    pelt_vec3 points[IMPLICIT_LANES];
    float values[IMPLICIT_LANES];
    for (uint32_t i = 0; i < 8; ++i)
    {
        uint32_t corner[3];
        implicit_grid_corner(corner, block, implicit_grid_eighth_slot(eighth, i));
        points[i] = implicit_grid_point(grid, (float)corner[0], (float)corner[1], (float)corner[2]);
    }
    implicit_values(values, shape, points);
    for (uint32_t i = 0; i < 8; ++i)
    {
        // A corner on the surface counts as outside, by a negligible distance.
        block->values[implicit_grid_eighth_slot(eighth, i)] =
            values[i] < 0.0f ? values[i] : fmaxf(values[i], 1e-7f);
        block->signs |= values[i] < 0.0f ? IMPLICIT_IN : IMPLICIT_OUT;
    }
}

static void fill_eighth(implicit_block* block, uint32_t eighth, float value)
{
    for (uint32_t i = 0; i < 8; ++i)
    {
        block->values[implicit_grid_eighth_slot(eighth, i)] = value;
    }
    block->signs |= value < 0.0f ? IMPLICIT_IN : IMPLICIT_OUT;
}

// Values in the middle of each eighth.
static void find_middles(float out[8], const implicit_grid* grid, const implicit_block* block,
                         const implicit_shape* shape)
{
    pelt_vec3 points[IMPLICIT_LANES];
    for (uint32_t i = 0; i < 8; ++i)
    {
        uint32_t corner[3];
        implicit_grid_corner(corner, block, implicit_grid_eighth_slot(i, 0));
        points[i] = implicit_grid_point(grid, (float)corner[0] + 0.5f, (float)corner[1] + 0.5f,
                                        (float)corner[2] + 0.5f);
    }
    implicit_values(out, shape, points);
}

// An eighth whose middle is farther than this from the surface, in radii of the block's ball, gets
// no samples. Its corners, about a seventh of the radius from the middle, then all have the sign of
// the middle. Their neighbors are rarely cut; sample_late() samples those that are.
#define NEAR 0.45f

// @param shape  the solids that matter near the block
// @param value  at the center of `bounds`
static pelt_result sample_block(implicit_grid* grid, const implicit_shape* shape,
                                const uint32_t coordinates[3], ball bounds, float value,
                                uint32_t level)
{
    implicit_block* block = add_block(grid);
    if (!block)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(block->coordinates, coordinates, sizeof block->coordinates);
    block->signs = 0;
    for (uint32_t slot = 0; slot < IMPLICIT_BLOCK_SIZE; ++slot)
    {
        block->vertices[slot] = PELT_NONE;
    }
    // If the field at the center is larger than the radius, all eighths count as equally far.
    float middles[8] = {value, value, value, value, value, value, value, value};
    if (fabsf(value) <= bounds.radius)
    {
        find_middles(middles, grid, block, shape);
    }
    implicit_shape local = {0};
    for (uint32_t i = 0; i < 8; ++i)
    {
        if (fabsf(middles[i]) > NEAR * bounds.radius)
        {
            fill_eighth(block, i, middles[i] < 0.0f ? -IMPLICIT_FAR : IMPLICIT_FAR);
            continue;
        }
        if (!local.solids)
        {
            local = cull_region(grid, shape, bounds, level);
        }
        sample_eighth(grid, block, i, &local);
    }
    grid->table[(coordinates[2] * grid->size[1] + coordinates[1]) * (size_t)grid->size[0] +
                coordinates[0]] = (int32_t)(grid->block_count - 1);
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

typedef struct region
{
    uint32_t first[3]; ///< in blocks
    uint32_t count;    ///< along each edge
} region;

// One of the eight halves in each direction.
static region region_child(region parent, uint32_t index)
{
    uint32_t half = parent.count / 2;
    region child = {{parent.first[0] + (index & 1 ? half : 0),
                     parent.first[1] + (index & 2 ? half : 0),
                     parent.first[2] + (index & 4 ? half : 0)},
                    half};
    return child;
}

static bool is_in_grid(const implicit_grid* grid, region r)
{
    return r.first[0] < grid->size[0] && r.first[1] < grid->size[1] && r.first[2] < grid->size[2];
}

static pelt_result sample_children(implicit_grid* grid, const implicit_shape* shape, region parent,
                                   uint32_t level);

// @param shape  the solids that matter near the region
// @param value  at the center of `bounds`
static pelt_result sample_region(implicit_grid* grid, const implicit_shape* shape, region r,
                                 ball bounds, float value, uint32_t level)
{
    if (fabsf(value) > IMPLICIT_LIPSCHITZ * bounds.radius)
    {
        fill_table(grid, r.first, r.count, value > 0.0f ? IMPLICIT_OUTSIDE : IMPLICIT_INSIDE);
        return PELT_OK;
    }
    if (r.count == 1)
    {
        return sample_block(grid, shape, r.first, bounds, value, level);
    }
    implicit_shape local = cull_region(grid, shape, bounds, level);
    return sample_children(grid, &local, r, level + 1);
}

static pelt_result sample_children(implicit_grid* grid, const implicit_shape* shape, region parent,
                                   uint32_t level)
{
    ball balls[8];
    pelt_vec3 centers[IMPLICIT_LANES];
    float values[IMPLICIT_LANES];
    for (uint32_t i = 0; i < 8; ++i)
    {
        // The first child is always in the grid; its ball replaces those of children outside.
        region child = region_child(parent, i);
        balls[i] = i == 0 || is_in_grid(grid, child) ? region_ball(grid, child.first, child.count)
                                                     : balls[0];
        centers[i] = balls[i].center;
    }
    implicit_values(values, shape, centers);
    for (uint32_t i = 0; i < 8; ++i)
    {
        region child = region_child(parent, i);
        if (is_in_grid(grid, child))
        {
            PELT_TRY(sample_region(grid, shape, child, balls[i], values[i], level));
        }
    }
    return PELT_OK;
}

// Sample an eighth that was skipped, with the same solids as its block.
static void sample_late(const implicit_grid* grid, implicit_block* block, uint32_t eighth)
{
    region r = {{0, 0, 0}, grid->root};
    implicit_shape local = *grid->shape;
    for (uint32_t level = 0;; ++level)
    {
        local = cull_region(grid, &local, region_ball(grid, r.first, r.count), level);
        if (r.count == 1)
        {
            break;
        }
        uint32_t index = 0;
        for (uint32_t i = 0; i < 3; ++i)
        {
            index |= block->coordinates[i] >= r.first[i] + r.count / 2 ? 1u << i : 0u;
        }
        r = region_child(r, index);
    }
    sample_eighth(grid, block, eighth, &local);
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

    size_t cell_count = (size_t)out->size[0] * out->size[1] * out->size[2];
    out->table = pelt_allocate(cell_count, sizeof *out->table);
    out->scratch = pelt_allocate((size_t)LEVELS * shape->solid_count, sizeof *out->scratch);
    if (!out->table || !out->scratch)
    {
        return PELT_ERROR_MEMORY;
    }
    out->root = 1;
    while (out->root < out->size[0] || out->root < out->size[1] || out->root < out->size[2])
    {
        out->root *= 2;
    }
    region whole = {{0, 0, 0}, out->root};
    ball bounds = region_ball(out, whole.first, whole.count);
    return sample_region(out, shape, whole, bounds, implicit_value(shape, bounds.center), 0);
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

static bool is_tangled(uint32_t mask)
{
    return count_pieces(mask) > 1 || count_pieces(~mask & 0xff) > 1 || has_checkered_face(mask);
}

// Sample missing corners of a cut cell. @return whether there were any
static bool sample_cell(const implicit_grid* grid, const implicit_block* block, uint32_t slot,
                        const float values[8])
{
    bool has_sampled = false;
    for (uint32_t i = 0; i < 8; ++i)
    {
        if (fabsf(values[i]) != IMPLICIT_FAR)
        {
            continue;
        }
        uint32_t corner[3];
        cube_corner(corner, block, implicit_grid_cube_slot(slot) + cell_corners[i]);
        implicit_block* owner = implicit_grid_block(grid, corner);
        if (owner)
        {
            uint32_t x = corner[0] / IMPLICIT_EIGHTH % 2, y = corner[1] / IMPLICIT_EIGHTH % 2;
            sample_late(grid, owner, x + 2 * y + 4 * (corner[2] / IMPLICIT_EIGHTH % 2));
            has_sampled = true;
        }
    }
    return has_sampled;
}

// Set the inside corner nearest to the surface to outside where a cell has two pieces of surface.
static bool untangle_cell(const implicit_grid* grid, const implicit_block* block, uint32_t slot,
                          uint32_t mask)
{
    if (!is_tangled(mask))
    {
        return false;
    }
    float* highest = NULL;
    implicit_block* owner = NULL;
    for (uint32_t i = 0; i < 8; ++i)
    {
        uint32_t corner[3];
        cube_corner(corner, block, implicit_grid_cube_slot(slot) + cell_corners[i]);
        implicit_block* other = implicit_grid_block(grid, corner);
        float* value = other ? &other->values[implicit_grid_slot(corner)] : NULL;
        if ((mask >> i & 1) && value && (!highest || *value > *highest))
        {
            highest = value;
            owner = other;
        }
    }
    if (!highest)
    {
        return false;
    }
    *highest = 1e-7f;
    owner->signs |= IMPLICIT_OUT;
    return true;
}

static bool untangle_block(const implicit_grid* grid, const implicit_block* block)
{
    float cube[IMPLICIT_CUBE_SIZE], values[8];
    bool has_changed = false;
    if (!implicit_grid_cube(cube, grid, block))
    {
        return false;
    }
    for (uint32_t slot = 0; slot < IMPLICIT_BLOCK_SIZE; ++slot)
    {
        uint32_t mask = implicit_grid_mask(values, cube, slot);
        if (mask == 0 || mask == 0xff)
        {
            continue;
        }
        if (sample_cell(grid, block, slot, values))
        {
            implicit_grid_cube(cube, grid, block);
        }
        if (untangle_cell(grid, block, slot, mask))
        {
            has_changed = true;
            implicit_grid_cube(cube, grid, block);
        }
    }
    return has_changed;
}

void implicit_grid_untangle(implicit_grid* grid)
{
    bool has_changed = true;
    while (has_changed)
    {
        has_changed = false;
        for (uint32_t b = 0; b < grid->block_count; ++b)
        {
            has_changed = untangle_block(grid, &grid->blocks[b]) || has_changed;
        }
    }
}
