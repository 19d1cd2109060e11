// SPDX-License-Identifier: MIT
// A painted patch, on a row of vertices.
#include "cor/cor_stroke.h"
#include "test.h"

#include <string.h>

enum
{
    COUNT = 12
};

// Vertices one meter apart; joint 1 takes over from joint 0 along the row, joint 2 is there nowhere
// but at the last two vertices, alone.
static bool make_row(pelt_mesh* out, pelt_vec3* positions, pelt_arena* arena)
{
    uint32_t joints[2 * COUNT];
    float weights[2 * COUNT];
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        bool is_last = v >= COUNT - 2;
        positions[v] = pelt_vec3_make((float)v, 0, 0);
        joints[2 * v] = is_last ? 2 : 0;
        joints[2 * v + 1] = 1;
        weights[2 * v + 1] = is_last ? 0.0f : (float)v / (float)COUNT;
        weights[2 * v] = 1.0f - weights[2 * v + 1];
    }
    pelt_weights_source source = {.vertex_count = COUNT,
                                  .joint_count = 3,
                                  .per_vertex = 2,
                                  .joints_u32 = joints,
                                  .weights = weights};
    *out = (pelt_mesh){.vertex_count = COUNT, .positions = positions};
    return pelt_weights_import(&out->weights, NULL, &source, arena) == PELT_OK;
}

static float weight_of(const pelt_weights* weights, uint32_t v, uint32_t joint)
{
    float sum = 0.0f;
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
    {
        sum += weights->influences[i].joint == joint ? weights->influences[i].weight : 0.0f;
    }
    return sum;
}

static int shared_vertex_has_the_most_uniform_weights(void)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_vec3 positions[COUNT];
    pelt_mesh mesh;
    ENSURE(make_row(&mesh, positions, arena));
    ENSURE(paint_find_shared(&mesh.weights, 0) == COUNT / 2);
    ENSURE(paint_find_shared(&mesh.weights, 2) == PELT_NONE);
    pelt_arena_destroy(arena);
    return 0;
}

// The five vertices nearest to number 7 are 5 to 9; 5 is joint 0's, 8 and 9 are joint 1's.
static int a_fifth_moves_on_the_nearest_and_nothing_elsewhere(void)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_vec3 positions[COUNT];
    pelt_mesh mesh, before, after;
    ENSURE(make_row(&mesh, positions, arena));
    ENSURE(paint_patch(&before, &after, &mesh, 7, 5, arena) == PELT_OK);
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        bool is_painted = v >= 5 && v <= 9;
        float old = weight_of(&before.weights, v, 1), now = weight_of(&after.weights, v, 1);
        float moved = old > 0.5f ? -0.2f * old : 0.2f * (1.0f - old);
        ENSURE(is_painted || old == now);
        // Rounding of two weights. Number 6 has equal weights, so either may be the strongest.
        ENSURE(!is_painted || v == 6 || fabsf(now - old - moved) < 2e-7f);
        ENSURE(!is_painted || now != old);
    }
    pelt_arena_destroy(arena);
    return 0;
}

// Vertex 11 has joint 2 alone: it gets a share of the stronger joint of the center.
static int vertices_of_other_joints_get_an_influence_more(void)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_vec3 positions[COUNT];
    pelt_mesh mesh, before, after;
    ENSURE(make_row(&mesh, positions, arena));
    ENSURE(paint_patch(&before, &after, &mesh, 9, COUNT, arena) == PELT_OK);
    ENSURE(weight_of(&before.weights, 11, 1) == 0.0f);
    ENSURE_NEAR(weight_of(&after.weights, 11, 1), 0.2, 1e-7);
    ENSURE_NEAR(weight_of(&after.weights, 11, 2), 0.8, 1e-7);
    pelt_arena_destroy(arena);
    return 0;
}

void test_paint(void)
{
    RUN(shared_vertex_has_the_most_uniform_weights);
    RUN(a_fifth_moves_on_the_nearest_and_nothing_elsewhere);
    RUN(vertices_of_other_joints_get_an_influence_more);
}
