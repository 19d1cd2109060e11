// SPDX-License-Identifier: MIT
// Numbers far from one. A pose that is scaled as a whole scales positions and rotates nothing: so
// what comes out at 1e20 is known from what comes out at 2.
#include "rigs.h"

#include "test.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct arm
{
    pelt_scene* scene;
    pelt_mesh mesh; // the first of the scene, with tangents
    pelt_vec4* tangents;
    pelt_vec3* cors;
    pelt_normal_factors factors;
    pelt_arena* arena;
    pelt_mat34* model_from_node;
    pelt_palette palette;
} arm;

static pelt_vec4 tangent_across(pelt_vec3 n)
{
    pelt_vec3 axis = fabsf(n.x) < 0.6f ? pelt_vec3_make(1, 0, 0) : pelt_vec3_make(0, 1, 0);
    pelt_vec3 t = pelt_vec3_normalize(pelt_vec3_cross(axis, n));
    return (pelt_vec4){t.x, t.y, t.z, 1.0f};
}

static void fill_attributes(arm* a)
{
    uint32_t count = a->mesh.vertex_count;
    a->tangents = pelt_arena_alloc(a->arena, count, sizeof *a->tangents);
    a->cors = pelt_arena_alloc(a->arena, count, sizeof *a->cors);
    for (uint32_t v = 0; v < count; ++v)
    {
        a->tangents[v] = tangent_across(a->mesh.normals[v]);
        // Any center will do, as long as it is none of the vertices.
        a->cors[v] = pelt_vec3_scale(a->mesh.positions[v], 0.5f);
    }
    a->mesh.tangents = a->tangents;
}

// The built-in arm in the middle of its bend, where all rules for normals differ.
static int arm_make(arm* a)
{
    pelt_pose pose;
    *a = (arm){.arena = pelt_arena_create()};
    ENSURE(pelt_rig_build(&a->scene, "rig:arm?vertices=400", NULL) == PELT_OK);
    a->mesh = a->scene->meshes[0];
    fill_attributes(a);
    ENSURE(pelt_normal_factors_build(&a->factors, &a->mesh, a->cors, NULL, a->arena, NULL) ==
           PELT_OK);
    a->model_from_node =
        pelt_arena_alloc(a->arena, a->scene->node_count, sizeof *a->model_from_node);
    ENSURE(pelt_pose_create(&pose, a->scene) == PELT_OK);
    pelt_pose_sample(&pose, a->scene, &a->scene->clips[0], 0.6f, PELT_WRAP_CLAMP);
    pelt_pose_to_model(a->model_from_node, a->scene, &pose);
    pelt_pose_destroy(&pose);
    ENSURE(pelt_palette_create(&a->palette, a->scene->skins[0].joint_count) == PELT_OK);
    return 0;
}

static void arm_free(arm* a)
{
    pelt_palette_destroy(&a->palette);
    pelt_scene_destroy(a->scene);
    pelt_arena_destroy(a->arena);
}

static pelt_surface make_surface(arm* a)
{
    uint32_t count = a->mesh.vertex_count;
    return (pelt_surface){.positions = pelt_arena_alloc(a->arena, count, sizeof(pelt_vec3)),
                          .normals = pelt_arena_alloc(a->arena, count, sizeof(pelt_vec3)),
                          .tangents = pelt_arena_alloc(a->arena, count, sizeof(pelt_vec4))};
}

static void deform_scaled(const pelt_surface* out, arm* a, float scale, bool is_mirrored,
                          const pelt_deform_options* options)
{
    pelt_transform whole = pelt_transform_identity();
    whole.scale = pelt_vec3_make(is_mirrored ? -scale : scale, scale, scale);
    pelt_mat34 by = pelt_mat34_from_transform(whole);
    pelt_palette_build(&a->palette, &a->scene->skins[0], a->model_from_node);
    for (uint32_t i = 0; i < a->palette.joint_count; ++i)
    {
        a->palette.matrices[i] = pelt_mat34_mul(&by, &a->palette.matrices[i]);
    }
    pelt_palette_decompose(&a->palette);
    const pelt_deform_input input = {.positions = a->mesh.positions,
                                     .normals = a->mesh.normals,
                                     .tangents = a->mesh.tangents,
                                     .cors = a->cors,
                                     .normal_factors = &a->factors,
                                     .weights = &a->mesh.weights,
                                     .palette = &a->palette};
    pelt_deform(out, &input, options, (pelt_range){0, a->mesh.vertex_count});
}

// The roundings of matrices at another scale, some 30 of them in a row.
static const double tolerance = 2e-5;

// @param size  of the small one, in meters, up to a few
static int is_scaled(const pelt_surface* big, const pelt_surface* small, uint32_t count,
                     double factor, double size)
{
    for (uint32_t v = 0; v < count; ++v)
    {
        const float* p = &big->positions[v].x;
        const float* q = &small->positions[v].x;
        for (int i = 0; i < 3; ++i)
        {
            ENSURE_NEAR((double)p[i] / factor, (double)q[i], tolerance * size);
            ENSURE_NEAR((&big->normals[v].x)[i], (&small->normals[v].x)[i], tolerance);
        }
        for (int i = 0; i < 4; ++i)
        {
            ENSURE_NEAR((&big->tangents[v].x)[i], (&small->tangents[v].x)[i], tolerance);
        }
    }
    return 0;
}

static int follows_scale(arm* a, const pelt_deform_options* options, bool is_mirrored)
{
    static const float scales[] = {1e-30f, 1e-20f, 1e-14f, 1e14f, 1e20f, 1e30f};
    pelt_surface big = make_surface(a), small = make_surface(a);
    deform_scaled(&small, a, 2.0f, is_mirrored, options);
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i)
    {
        // Below, this method takes joints for equal.
        if (options->method == PELT_METHOD_SBS && scales[i] < 1.0f)
        {
            continue;
        }
        deform_scaled(&big, a, scales[i], is_mirrored, options);
        if (is_scaled(&big, &small, a->mesh.vertex_count, 0.5 * (double)scales[i], 1.0) != 0)
        {
            printf("  %s, %s normals, pivot %d, scale %g%s\n", pelt_method_name(options->method),
                   pelt_normal_rule_name(options->normal_rule), options->scale_pivot,
                   (double)scales[i], is_mirrored ? ", mirrored" : "");
            return 1;
        }
    }
    return 0;
}

static int every_method_and_rule_follows_scale(void)
{
    arm a;
    ENSURE(arm_make(&a) == 0);
    for (int i = 0; i < PELT_METHOD_COUNT * PELT_NORMAL_RULE_COUNT * 4; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)(i / 4 % PELT_METHOD_COUNT),
                                       .scale_pivot =
                                           i % 2 == 0 ? PELT_SCALE_LOCAL : PELT_SCALE_ORIGIN,
                                       .normal_rule = (pelt_normal_rule)(i / 4 / PELT_METHOD_COUNT),
                                       .mix = 0.5f};
        ENSURE(follows_scale(&a, &options, i / 2 % 2 == 1) == 0);
    }
    arm_free(&a);
    return 0;
}

// Positions that are as large as float allows come back from the rest pose.
static int rest_pose_holds_the_largest_positions(void)
{
    enum
    {
        COUNT = 8
    };
    pelt_vec3 positions[COUNT], out[COUNT];
    uint32_t first[COUNT + 1] = {0};
    pelt_influence influences[2 * COUNT];
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        positions[v] =
            pelt_vec3_make((v & 1) != 0 ? FLT_MAX : -FLT_MAX, (v & 2) != 0 ? FLT_MAX : -FLT_MAX,
                           (v & 4) != 0 ? FLT_MAX : -FLT_MAX);
        influences[2 * v] = (pelt_influence){0, 0, 0.5f};
        influences[2 * v + 1] = (pelt_influence){1, 1, 0.5f};
        first[v + 1] = 2 * (v + 1);
    }
    const pelt_weights weights = {COUNT, 2, 2 * COUNT, 2, first, influences, NULL};
    pelt_palette palette;
    ENSURE(pelt_palette_create(&palette, 2) == PELT_OK);
    palette.matrices[0] = palette.matrices[1] = pelt_mat34_identity();
    pelt_palette_decompose(&palette);
    for (int method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        const pelt_deform_input input = {
            .positions = positions, .cors = positions, .weights = &weights, .palette = &palette};
        const pelt_deform_options options = {.method = (pelt_method)method, .mix = 0.5f};
        pelt_deform(&(pelt_surface){.positions = out}, &input, &options, (pelt_range){0, COUNT});
        ENSURE(memcmp(out, positions, sizeof out) == 0);
    }
    pelt_palette_destroy(&palette);
    return 0;
}

static int polar_decomposition_of_finite_matrices_is_finite(void)
{
    const float m = FLT_MAX, t = FLT_TRUE_MIN;
    const pelt_mat3 cases[] = {{{{m, m, m}, {m, m, m}, {m, m, m}}},
                               {{{m, -m, m}, {-m, m, m}, {m, m, -m}}},
                               {{{m, 0, 0}, {0, t, 0}, {0, 0, -m}}},
                               {{{t, t, t}, {-t, t, t}, {t, t, -t}}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_mat3 rotation, stretch;
        pelt_mat3_polar(&rotation, &stretch, &cases[i]);
        for (int k = 0; k < 9; ++k)
        {
            ENSURE(isfinite(rotation.m[k / 3][k % 3]) && isfinite(stretch.m[k / 3][k % 3]));
        }
        ENSURE_NEAR(pelt_mat3_determinant(&rotation), 1.0f, 1e-5);
    }
    return 0;
}

static int mirrored_and_unmirrored_joints_are_told_apart_at_every_size(void)
{
    static const float sizes[] = {1e-30f, 1e-14f, 1.0f, 1e14f, 1e30f};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    {
        pelt_palette palette;
        ENSURE(pelt_palette_create(&palette, 2) == PELT_OK);
        pelt_transform plain = pelt_transform_identity(), mirror = pelt_transform_identity();
        plain.scale = pelt_vec3_make(sizes[i], sizes[i], sizes[i]);
        mirror.scale = pelt_vec3_make(-sizes[i], sizes[i], sizes[i]);
        palette.matrices[0] = pelt_mat34_from_transform(plain);
        palette.matrices[1] = pelt_mat34_from_transform(mirror);
        pelt_palette_decompose(&palette);
        ENSURE(palette.has_mixed_handedness);
        pelt_palette_destroy(&palette);
    }
    return 0;
}

static int lengths_hold_where_squares_do_not(void)
{
    static const float sizes[] = {1e-44f, 1e-30f, 1e-20f, 1.0f, 1e20f, 1e30f, 6e37f};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    {
        pelt_vec3 v = pelt_vec3_scale(pelt_vec3_make(3.0f, 0.0f, -4.0f), sizes[i]);
        double expected = hypot((double)v.x, (double)v.z);
        ENSURE_NEAR((double)pelt_vec3_length(v) / expected, 1.0, 1e-6);
    }
    ENSURE(pelt_vec3_length(pelt_vec3_make(0.0f, 0.0f, 0.0f)) == 0.0f);
    ENSURE(isinf(pelt_vec3_length(pelt_vec3_make(INFINITY, 0.0f, 0.0f))));
    ENSURE(isnan(pelt_vec3_length(pelt_vec3_make(NAN, 0.0f, 1.0f))));
    return 0;
}

static int normals_of_triangles_do_not_depend_on_size(void)
{
    static const float sizes[] = {1e-36f, 1e-20f, 1e20f, 1e38f};
    const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    const pelt_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5f}, {-1, 1, 0}};
    pelt_vec3 expected[4], positions[4], normals[4];
    pelt_normals_compute(expected, corners, 4, indices, 6);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    {
        for (int v = 0; v < 4; ++v)
        {
            positions[v] = pelt_vec3_scale(corners[v], sizes[i]);
        }
        pelt_normals_compute(normals, positions, 4, indices, 6);
        for (int v = 0; v < 4; ++v)
        {
            ENSURE_POINT(normals[v], expected[v], 1e-5);
        }
    }
    return 0;
}

// A morph target without normals bends the surface: of a large weight nothing remains but the morph
// target.
static int weights_of_morph_targets_may_be_large(void)
{
    static const float weights[] = {1e10f, 1e20f, 1e30f};
    arm a;
    ENSURE(arm_make(&a) == 0);
    uint32_t count = a.mesh.vertex_count;
    pelt_stencils stencils;
    ENSURE(pelt_stencils_build(&stencils, &a.mesh, a.arena) == PELT_OK);
    pelt_palette_build(&a.palette, &a.scene->skins[0], a.model_from_node);
    pelt_surface surfaces[3];
    pelt_vec3* moved = pelt_arena_alloc(a.arena, count, sizeof *moved);
    pelt_vec3* displacements = pelt_arena_alloc(a.arena, count, sizeof *displacements);
    for (int i = 0; i < 3; ++i)
    {
        for (uint32_t v = 0; v < count; ++v)
        {
            pelt_vec3 p = a.mesh.positions[v];
            pelt_vec3 shape = pelt_vec3_make(p.x + p.y * p.y, 2.0f * p.y, p.z + p.x * p.z);
            displacements[v] = pelt_vec3_scale(shape, weights[i]);
            moved[v] = pelt_vec3_add(p, displacements[v]);
        }
        surfaces[i] = make_surface(&a);
        const pelt_deform_input input = {.positions = moved,
                                         .normals = a.mesh.normals,
                                         .tangents = a.mesh.tangents,
                                         .weights = &a.mesh.weights,
                                         .palette = &a.palette,
                                         .displacements = displacements,
                                         .stencils = &stencils};
        pelt_deform(&surfaces[i], &input, &(pelt_deform_options){0}, (pelt_range){0, count});
        ENSURE(is_scaled(&surfaces[i], &surfaces[0], count, (double)weights[i] / (double)weights[0],
                         (double)weights[0]) == 0);
    }
    arm_free(&a);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static int surfaces_that_are_not_finite_are_named(void)
{
    arm a;
    ENSURE(arm_make(&a) == 0);
    pelt_surface surface = make_surface(&a);
    deform_scaled(&surface, &a, 1.0f, false, &(pelt_deform_options){0});
    pelt_scene scene = *a.scene;
    scene.meshes = &a.mesh;
    ENSURE(scene.instance_count == 1);
    ENSURE(pelt_surfaces_validate(&surface, &scene, NULL) == PELT_OK);

    float* const positions[] = {&surface.positions[7].y, &surface.normals[8].z,
                                &surface.tangents[9].w};
    static const char* const words[] = {"position of vertex 7 of instance 0",
                                        "normal of vertex 8 of instance 0",
                                        "tangent of vertex 9 of instance 0"};
    static const float values[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 9; ++i)
    {
        pelt_error error = {0};
        float was = *positions[i / 3];
        *positions[i / 3] = values[i % 3];
        ENSURE(pelt_surfaces_validate(&surface, &scene, &error) == PELT_ERROR_DATA);
        ENSURE(strstr(error.message, words[i / 3]) != NULL);
        *positions[i / 3] = was;
    }
    arm_free(&a);
    return 0;
}

void test_overflow(void)
{
    RUN(every_method_and_rule_follows_scale);
    RUN(rest_pose_holds_the_largest_positions);
    RUN(polar_decomposition_of_finite_matrices_is_finite);
    RUN(mirrored_and_unmirrored_joints_are_told_apart_at_every_size);
    RUN(lengths_hold_where_squares_do_not);
    RUN(normals_of_triangles_do_not_depend_on_size);
    RUN(weights_of_morph_targets_may_be_large);
    RUN(surfaces_that_are_not_finite_are_named);
}
