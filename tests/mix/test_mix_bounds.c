// SPDX-License-Identifier: MIT
// The least factor with which a vertex stays near enough to its bones, where it is known.
#include "body_fixture.h"
#include "mix/mix.h"

// A group that both joints of the bar hold, each with one bone.
static uint32_t find_shared(const pelt_body* body)
{
    const pelt_weights* weights = &body->mesh.weights;
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        uint32_t v = body->group_vertices[g], first = weights->first[v];
        if (weights->first[v + 1] - first == 2 && weights->influences[first].weight < 0.6f)
        {
            return g;
        }
    }
    return PELT_NONE;
}

// Two bones across x, far apart: one about the origin, one about x = 10.
static const pelti_segment posts[2] = {{{{0.0, -1.0, 0.0}, {0.0, 1.0, 0.0}}},
                                       {{{10.0, -1.0, 0.0}, {10.0, 1.0, 0.0}}}};

static int bounds_are_where_the_distance_is_the_limit(void)
{
    const struct
    {
        double lbs, dqs; // along x
        double limit, lower, bound;
    } cases[] = {
        {3.0, 1.0, 2.0, 0.0, 0.5},   // near enough from half-way on
        {3.0, 1.0, 2.0, 0.75, 0.75}, // other frames ask for more
        {3.0, 1.0, 4.0, 0.0, 0.0},   // near enough everywhere
        {0.5, 1.0, 0.2, 0.0, 0.0},   // only dqs is too far, and it may be: lbs is nearer
        {3.0, 1.0, 0.5, 0.0, 1.0},   // dqs is too far, and all else farther
        {9.0, 1.0, 2.0, 0.0, 0.875}, // lbs is near the other bone, but there is a gap
        {-1.0, 1.0, 1.5, 0.0, 0.0},  // through the bone to the other side
    };
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=200"));
    uint32_t group = find_shared(f.body);
    ENSURE(group != PELT_NONE && f.body->bone_count == 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelti_double3 lbs = {cases[i].lbs, 0.0, 0.0}, dqs = {cases[i].dqs, 0.0, 0.0};
        double bound =
            pelti_mix_bound(f.body, group, lbs, dqs, posts, cases[i].limit, cases[i].lower);
        ENSURE_NEAR(bound, cases[i].bound, 1.0 / 512.0);
        ENSURE(bound >= cases[i].bound);
    }
    body_fixture_close(&f);
    return 0;
}

// 4800 pairs of 100 groups and 48 frames; as many triangles as closed meshes have change nothing.
static int many_triangles_count_like_vertices(void)
{
    const struct
    {
        uint32_t triangles, pairs, least, stride;
    } cases[] = {
        {200, 4800, 8, 1},   // all
        {200, 2400, 8, 2},   // half
        {800, 4800, 8, 4},   // as 400 groups would be measured
        {80000, 4800, 8, 6}, // in 8 of 48 frames, whatever else
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        pelt_body body = {.group_count = 100, .triangle_count = cases[i].triangles};
        pelti_mix mix = {.body = &body, .frame_count = 48};
        pelti_mix_sample(&mix, cases[i].pairs, cases[i].least);
        ENSURE(mix.stride == cases[i].stride);
    }
    return 0;
}

void test_mix_bounds(void)
{
    RUN(bounds_are_where_the_distance_is_the_limit);
    RUN(many_triangles_count_like_vertices);
}
