// SPDX-License-Identifier: MIT
// Gradients of weights in means by cotangents, against Voronoi cells from circumcenters.
#include "pelt/prepare.h"
#include "test.h"

enum
{
    RING = 5,
    VERTEX_COUNT = RING + 1,
};

// A fan of acute triangles in a plane around vertex 0, with weights of two joints.
static const pelt_vec3 positions[VERTEX_COUNT] = {{0.0f, 0.0f, 0.0f},      {1.0f, 0.0f, 0.0f},
                                                  {0.414f, 0.888f, 0.0f},  {-0.705f, 0.591f, 0.0f},
                                                  {-0.77f, -0.539f, 0.0f}, {0.352f, -0.968f, 0.0f}};
static const float weights_of_first[VERTEX_COUNT] = {0.6f, 0.9f, 0.7f, 0.55f, 0.8f, 0.65f};

typedef struct point
{
    double x, y;
} point;

static point at(uint32_t v)
{
    return (point){(double)positions[v].x, (double)positions[v].y};
}

static double cross(point a, point b)
{
    return a.x * b.y - a.y * b.x;
}

// The point as far from the origin as from a and b.
static point circumcenter(point a, point b)
{
    double aa = a.x * a.x + a.y * a.y, bb = b.x * b.x + b.y * b.y, d = 2.0 * cross(a, b);
    return (point){(aa * b.y - bb * a.y) / d, (bb * a.x - aa * b.x) / d};
}

// The gradient of a linear function with three values, 0 at the origin's corner first.
static point gradient(point a, point b, double origin, double at_a, double at_b)
{
    double d = cross(a, b), da = at_a - origin, db = at_b - origin;
    return (point){(da * b.y - db * a.y) / d, (db * a.x - da * b.x) / d};
}

static point expected_gradient(bool has_cotangents)
{
    point sum = {0.0, 0.0};
    double total = 0.0;
    for (uint32_t i = 0; i < RING; ++i)
    {
        uint32_t v = 1 + i, w = 1 + (i + 1) % RING;
        point a = at(v), b = at(w), c = circumcenter(a, b);
        // The cell is a kite: the origin, the middles of both edges and the circumcenter.
        double cell = 0.25 * (cross(a, c) + cross(c, b));
        double part = has_cotangents ? cell : 0.5 * cross(a, b);
        point own = gradient(a, b, (double)weights_of_first[0], (double)weights_of_first[v],
                             (double)weights_of_first[w]);
        sum = (point){sum.x + part * own.x, sum.y + part * own.y};
        total += part;
    }
    return (point){sum.x / total, sum.y / total};
}

static int check_fan(bool has_cotangents)
{
    uint32_t indices[3 * RING], first[VERTEX_COUNT + 1];
    pelt_influence influences[2 * VERTEX_COUNT];
    pelt_vec3 normals[VERTEX_COUNT];
    pelt_vec4 tangents[VERTEX_COUNT];
    for (uint32_t i = 0; i < RING; ++i)
    {
        indices[3 * i] = 0;
        indices[3 * i + 1] = 1 + i;
        indices[3 * i + 2] = 1 + (i + 1) % RING;
    }
    for (uint32_t v = 0; v <= VERTEX_COUNT; ++v)
    {
        first[v] = 2 * v;
    }
    for (uint32_t v = 0; v < VERTEX_COUNT; ++v)
    {
        influences[2 * v] = (pelt_influence){.joint = 0, .weight = weights_of_first[v]};
        influences[2 * v + 1] =
            (pelt_influence){.joint = 1, .slot = 1, .weight = 1.0f - weights_of_first[v]};
        normals[v] = pelt_vec3_make(0.0f, 0.0f, 1.0f);
        tangents[v] = (pelt_vec4){1.0f, 0.0f, 0.0f, 1.0f};
    }
    const pelt_mesh mesh = {.vertex_count = VERTEX_COUNT,
                            .index_count = 3 * RING,
                            .positions = positions,
                            .normals = normals,
                            .tangents = tangents,
                            .indices = indices,
                            .weights = {VERTEX_COUNT, 2, 2 * VERTEX_COUNT, 2, first, influences},
                            .material = PELT_NONE};
    const pelt_normal_options options = {.has_cotangents = has_cotangents};
    pelt_arena* arena = pelt_arena_create();
    pelt_normal_factors factors;
    ENSURE(pelt_normal_factors_build(&factors, &mesh, NULL, &options, arena, NULL) == PELT_OK);
    ENSURE(factors.first[1] - factors.first[0] == 2);
    point expected = expected_gradient(has_cotangents);
    // The gradients of both weights cancel; floats have seven digits.
    ENSURE_NEAR(factors.factors[0].alpha, expected.x, 1e-6);
    ENSURE_NEAR(factors.factors[0].beta, expected.y, 1e-6);
    ENSURE_NEAR(factors.factors[1].alpha, -expected.x, 1e-6);
    pelt_arena_destroy(arena);
    return 0;
}

static int means_are_by_voronoi_cells_or_by_area(void)
{
    point area = expected_gradient(false), cells = expected_gradient(true);
    ENSURE(fabs(area.x - cells.x) + fabs(area.y - cells.y) > 1e-3);
    ENSURE(check_fan(false) == 0);
    ENSURE(check_fan(true) == 0);
    return 0;
}

void test_normal_cotangents(void)
{
    RUN(means_are_by_voronoi_cells_or_by_area);
}
