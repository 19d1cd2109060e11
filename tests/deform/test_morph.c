// SPDX-License-Identifier: MIT
// Morph targets: displacements of the rest surface.
#include "test.h"

#include <string.h>

enum
{
    COUNT = 5
};

// Two morph targets; the first moves everything, the second positions alone.
typedef struct shaped
{
    pelt_vec3 positions[COUNT], normals[COUNT];
    pelt_vec4 tangents[COUNT];
    pelt_vec3 lift[COUNT], slope[COUNT], twist[COUNT], push[COUNT];
    pelt_morph morphs[2];
    float defaults[2];
    pelt_mesh mesh;
    pelt_vec3 out_positions[COUNT], out_normals[COUNT];
    pelt_vec4 out_tangents[COUNT];
    pelt_surface out;
} shaped;

static const pelt_range whole = {0, COUNT};

static shaped* make(void)
{
    static shaped storage;
    shaped* s = &storage;
    memset(s, 0, sizeof *s);
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        s->positions[v] = pelt_vec3_make((float)v, 0, 0);
        s->normals[v] = pelt_vec3_make(0, 0, 1);
        s->tangents[v] = (pelt_vec4){1, 0, 0, v % 2 == 0 ? 1.0f : -1.0f};
        s->lift[v] = pelt_vec3_make(0, (float)v, 0);
        s->slope[v] = pelt_vec3_make(1, 0, 0);
        s->twist[v] = pelt_vec3_make(0, 1, 0);
        s->push[v] = pelt_vec3_make(0, 0, 2);
    }
    s->morphs[0] = (pelt_morph){"lift", s->lift, s->slope, s->twist};
    s->morphs[1] = (pelt_morph){"push", s->push, NULL, NULL};
    s->mesh = (pelt_mesh){.vertex_count = COUNT,
                          .positions = s->positions,
                          .normals = s->normals,
                          .tangents = s->tangents,
                          .morph_count = 2,
                          .morphs = s->morphs,
                          .morph_weights = s->defaults};
    s->out = (pelt_surface){
        .positions = s->out_positions, .normals = s->out_normals, .tangents = s->out_tangents};
    return s;
}

static int morph_targets_are_added_by_weight(void)
{
    shaped* s = make();
    const float weights[2] = {0.5f, -0.25f};
    pelt_morph_apply(&s->out, &s->mesh, weights, whole);
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        float x = (float)v;
        ENSURE_POINT(s->out_positions[v], pelt_vec3_make(x, 0.5f * x, -0.5f), 1e-6);
        // (0, 0, 1) + 0.5 (1, 0, 0) at unit length, and likewise the tangent.
        ENSURE_POINT(s->out_normals[v], pelt_vec3_make(sqrtf(0.2f), 0, sqrtf(0.8f)), 1e-6);
        ENSURE_NEAR(s->out_tangents[v].x, sqrt(0.8), 1e-6);
        ENSURE_NEAR(s->out_tangents[v].y, sqrt(0.2), 1e-6);
        ENSURE(s->out_tangents[v].w == s->tangents[v].w);
    }
    return 0;
}

static int no_weight_is_the_rest_surface(void)
{
    shaped* s = make();
    const float weights[2] = {0.0f, 0.0f};
    for (int i = 0; i < 2; ++i)
    {
        memset(s->out_positions, 0x55, sizeof s->out_positions);
        // The second time by defaults that do not exist, which count as 0.
        s->mesh.morph_weights = NULL;
        pelt_morph_apply(&s->out, &s->mesh, i == 0 ? weights : NULL, whole);
        ENSURE(memcmp(s->out_positions, s->positions, sizeof s->positions) == 0);
        ENSURE(memcmp(s->out_normals, s->normals, sizeof s->normals) == 0);
        ENSURE(memcmp(s->out_tangents, s->tangents, sizeof s->tangents) == 0);
    }
    return 0;
}

static int weights_default_to_those_of_the_mesh(void)
{
    shaped* s = make();
    s->defaults[1] = 3.0f;
    pelt_morph_apply(&s->out, &s->mesh, NULL, whole);
    ENSURE_POINT(s->out_positions[2], pelt_vec3_make(2, 0, 6), 0.0);
    return 0;
}

static int only_the_range_is_written(void)
{
    shaped* s = make();
    const float weights[2] = {1.0f, 0.0f};
    pelt_vec3 mark = pelt_vec3_make(-7, -7, -7);
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        s->out_positions[v] = s->out_normals[v] = mark;
        s->out_tangents[v] = (pelt_vec4){-7, -7, -7, -7};
    }
    pelt_morph_apply(&s->out, &s->mesh, weights, (pelt_range){1, 2});
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        bool is_inside = v == 1 || v == 2;
        ENSURE((s->out_positions[v].x != -7.0f) == is_inside);
        ENSURE((s->out_normals[v].x != -7.0f) == is_inside);
        ENSURE((s->out_tangents[v].x != -7.0f) == is_inside);
    }
    pelt_morph_apply(&s->out, &s->mesh, weights, (pelt_range){COUNT, 0});
    return 0;
}

static int what_is_missing_is_left_out(void)
{
    shaped* s = make();
    const float weights[2] = {1.0f, 1.0f};
    pelt_surface positions_alone = {.positions = s->out_positions};
    pelt_morph_apply(&positions_alone, &s->mesh, weights, whole);
    ENSURE_POINT(s->out_positions[4], pelt_vec3_make(4, 4, 2), 0.0);
    ENSURE(s->out_normals[4].z == 0.0f && s->out_tangents[4].w == 0.0f);
    s->mesh.normals = NULL;
    s->mesh.tangents = NULL;
    pelt_morph_apply(&s->out, &s->mesh, weights, whole);
    ENSURE(s->out_normals[4].z == 0.0f && s->out_tangents[4].w == 0.0f);
    return 0;
}

void test_morph(void)
{
    RUN(morph_targets_are_added_by_weight);
    RUN(no_weight_is_the_rest_surface);
    RUN(weights_default_to_those_of_the_mesh);
    RUN(only_the_range_is_written);
    RUN(what_is_missing_is_left_out);
}
