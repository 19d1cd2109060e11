// SPDX-License-Identifier: MIT
// The field of the bodies: what is left out where it cannot matter, does not.
#include "implicit/implicit_grid.h"
#include "rig_character.h"

#include "test.h"

#include <string.h>

typedef struct body
{
    implicit_shape shape;
    implicit_grid_desc desc;
    pelt_arena* arena;
} body;

#define BODY_COUNT 2

static pelt_result make_body(body* out, int which)
{
    const implicit_cone* cones;
    uint32_t count = which == 0 ? rig_human_cones(&cones) : rig_raptor_cones(&cones);
    out->arena = pelt_arena_create();
    // Cells as coarse as these are the hardest for bounds; the rigs have finer ones.
    out->desc = (implicit_grid_desc){.spacing = 0.03f};
    out->desc.warp = which == 0 ? rig_human_warp : rig_raptor_warp;
    out->desc.bounds = which == 0 ? (pelt_bounds){{0.0f, -0.2f, -0.5f}, {1.6f, 2.1f, 0.6f}}
                                  : (pelt_bounds){{0.0f, -0.6f, -2.4f}, {0.9f, 2.6f, 2.1f}};
    return implicit_shape_create(&out->shape, cones, count, out->arena);
}

static pelt_vec3 shifted(test_random* random, pelt_vec3 p, float radius)
{
    pelt_vec3 away = test_point(random, 1.0f);
    return pelt_vec3_mad(p, test_uniform(random, 0.0f, radius), pelt_vec3_normalize(away));
}

// A point near the surface of a body.
static pelt_vec3 point_near(test_random* random, const body* b, float distance)
{
    pelt_vec3 low = b->desc.bounds.min, high = b->desc.bounds.max;
    pelt_vec3 p = {test_uniform(random, -high.x, high.x), test_uniform(random, low.y, high.y),
                   test_uniform(random, low.z, high.z)};
    implicit_focus focus;
    implicit_focus_set(&focus, &b->shape, p, 0.0f);
    return shifted(random, implicit_project(&focus, p, 10.0f, 6, NULL), distance);
}

// What a focus builds on.
static int solids_change_no_faster_than_their_steepness(void)
{
    test_random random = {3};
    for (int which = 0; which < BODY_COUNT; ++which)
    {
        body b;
        ENSURE(make_body(&b, which) == PELT_OK);
        for (uint32_t trial = 0; trial < 500 * b.shape.solid_count; ++trial)
        {
            implicit_solid solid = b.shape.solids[trial % b.shape.solid_count];
            solid.symmetry = IMPLICIT_LEFT;
            solid.is_carved = false;
            const implicit_shape alone = {1, &solid};
            pelt_vec3 origin = {solid.origin.x / solid.inverse_scale.x,
                                solid.origin.y / solid.inverse_scale.y,
                                solid.origin.z / solid.inverse_scale.z};
            float distance = trial % 2 ? 0.1f : 0.5f;
            pelt_vec3 p = shifted(&random, origin, distance), q = shifted(&random, p, 0.02f);
            p.x = fabsf(p.x);
            q.x = fabsf(q.x);
            float bound = solid.steepness * pelt_vec3_distance(p, q) + 1e-5f;
            float value = implicit_value(&alone, p);
            float change = implicit_value(&alone, q) - value;
            ENSURE(fabsf(change) <= bound || value - bound <= solid.core);
        }
        pelt_arena_destroy(b.arena);
    }
    return 0;
}

static int a_focus_gives_the_bits_of_its_shape(void)
{
    test_random random = {1};
    for (int which = 0; which < BODY_COUNT; ++which)
    {
        body b;
        ENSURE(make_body(&b, which) == PELT_OK);
        uint64_t near_count = 0, trials = 2000;
        for (uint64_t trial = 0; trial < trials; ++trial)
        {
            float radius = test_uniform(&random, 0.0f, 0.1f);
            pelt_vec3 center = point_near(&random, &b, 0.05f), points[IMPLICIT_LANES];
            for (int i = 0; i < IMPLICIT_LANES; ++i)
            {
                points[i] = shifted(&random, center, radius);
            }
            implicit_focus focus;
            implicit_focus_set(&focus, &b.shape, center, radius);
            float near[IMPLICIT_LANES], all[IMPLICIT_LANES];
            implicit_values(near, &focus.near, points);
            implicit_values(all, &b.shape, points);
            ENSURE(memcmp(near, all, sizeof near) == 0);
            near_count += focus.near.solid_count;
        }
        // Otherwise there would be nothing to see.
        ENSURE(near_count < trials * b.shape.solid_count / 2);
        pelt_arena_destroy(b.arena);
    }
    return 0;
}

static int values_change_no_faster_than_the_bound(void)
{
    test_random random = {2};
    for (int which = 0; which < BODY_COUNT; ++which)
    {
        body b;
        ENSURE(make_body(&b, which) == PELT_OK);
        for (int trial = 0; trial < 2000; ++trial)
        {
            pelt_vec3 p = point_near(&random, &b, 0.1f), q = shifted(&random, p, 0.1f);
            float change = implicit_value(&b.shape, p) - implicit_value(&b.shape, q);
            // Differences to a trunk that is far are rounded like numbers near 10.
            ENSURE(fabsf(change) <= IMPLICIT_LIPSCHITZ * pelt_vec3_distance(p, q) + 1e-5f);
        }
        pelt_arena_destroy(b.arena);
    }
    return 0;
}

static int every_corner_of_a_grid_has_the_sign_of_the_field(void)
{
    for (int which = 0; which < BODY_COUNT; ++which)
    {
        body b;
        implicit_grid grid;
        ENSURE(make_body(&b, which) == PELT_OK);
        ENSURE(implicit_grid_create(&grid, &b.shape, &b.desc) == PELT_OK);
        uint32_t far_count = 0;
        for (uint32_t i = 0; i < grid.block_count * IMPLICIT_BLOCK_SIZE; ++i)
        {
            const implicit_block* block = &grid.blocks[i / IMPLICIT_BLOCK_SIZE];
            uint32_t slot = i % IMPLICIT_BLOCK_SIZE, corner[3];
            implicit_grid_corner(corner, block, slot);
            pelt_vec3 p =
                implicit_grid_point(&grid, (float)corner[0], (float)corner[1], (float)corner[2]);
            float value = implicit_value(&b.shape, p), stored = block->values[slot];
            ENSURE((value < 0.0f) == (stored < 0.0f) || fabsf(value) < 1e-5f);
            far_count += fabsf(stored) == IMPLICIT_FAR;
        }
        ENSURE(far_count > grid.block_count * IMPLICIT_BLOCK_SIZE / 4);
        implicit_grid_destroy(&grid);
        pelt_arena_destroy(b.arena);
    }
    return 0;
}

static int corners_of_cut_cells_have_samples(void)
{
    for (int which = 0; which < BODY_COUNT; ++which)
    {
        body b;
        implicit_grid grid;
        ENSURE(make_body(&b, which) == PELT_OK);
        ENSURE(implicit_grid_create(&grid, &b.shape, &b.desc) == PELT_OK);
        // As if fewer had been taken at first: those that are needed come back as they were.
        float before[IMPLICIT_BLOCK_SIZE];
        implicit_block* block = NULL;
        float cube[IMPLICIT_CUBE_SIZE], values[8];
        for (uint32_t i = 0; i < grid.block_count && !block; ++i)
        {
            bool is_cut = grid.blocks[i].signs == (IMPLICIT_IN | IMPLICIT_OUT);
            block = is_cut ? &grid.blocks[i] : NULL;
        }
        ENSURE(block);
        memcpy(before, block->values, sizeof before);
        for (uint32_t slot = 0; slot < IMPLICIT_BLOCK_SIZE; ++slot)
        {
            block->values[slot] = before[slot] < 0.0f ? -IMPLICIT_FAR : IMPLICIT_FAR;
        }
        implicit_grid_untangle(&grid);
        implicit_grid_cube(cube, &grid, block);
        uint32_t cut_count = 0;
        for (uint32_t slot = 0; slot < IMPLICIT_BLOCK_SIZE; ++slot)
        {
            uint32_t mask = implicit_grid_mask(values, cube, slot);
            bool is_cut = mask != 0 && mask != 0xff;
            cut_count += is_cut;
            for (int i = 0; i < 8 && is_cut; ++i)
            {
                ENSURE(fabsf(values[i]) != IMPLICIT_FAR);
            }
            float value = block->values[slot];
            ENSURE(value == before[slot] || fabsf(value) == IMPLICIT_FAR);
        }
        ENSURE(cut_count > 0);
        implicit_grid_destroy(&grid);
        pelt_arena_destroy(b.arena);
    }
    return 0;
}

void test_implicit(void)
{
    RUN(solids_change_no_faster_than_their_steepness);
    RUN(a_focus_gives_the_bits_of_its_shape);
    RUN(values_change_no_faster_than_the_bound);
    RUN(every_corner_of_a_grid_has_the_sign_of_the_field);
    RUN(corners_of_cut_cells_have_samples);
}
