// SPDX-License-Identifier: MIT
// Normal factors of surfaces that say little or nothing: what is built is valid, and reads back.
#include "factor_fixture.h"
#include "mesh_builder.h"

#include <string.h>

enum
{
    PATCH_COUNT = 4000,
    FILE_COUNT = 500, // of them, those that are written and read again
    PATCH_VERTICES = 10,
};

// A few triangles anywhere among a few vertices.
typedef struct patch
{
    mesh_builder* mesh_builder;
    pelt_vec3 normals[PATCH_VERTICES], cors[PATCH_VERTICES];
    pelt_vec4 tangents[PATCH_VERTICES];
} patch;

static float pick(test_random* random, const float* choices, uint32_t count)
{
    return choices[(uint32_t)test_uniform(random, 0.0f, (float)count - 0.001f)];
}

static uint32_t pick_vertex(test_random* random, const mesh_builder* s)
{
    return (uint32_t)test_uniform(random, 0.0f, (float)s->mesh.vertex_count - 0.001f);
}

// In units that float can hold but not square, squeezed along each axis by up to nothing, and so
// far from the origin that floats have few digits left.
static void add_vertices(patch* p, test_random* random)
{
    static const float scales[] = {1e-30f, 1e-6f, 1.0f, 1.0f, 1e6f, 1e30f};
    static const float squeezes[] = {0.0f, 1e-8f, 3e-7f, 1e-6f, 1e-4f, 0.01f, 1.0f, 1.0f};
    static const float distances[] = {0.0f, 0.0f, 1.0f, 1000.0f};
    float scale = pick(random, scales, 6);
    pelt_vec3 squeeze = {pick(random, squeezes, 8), pick(random, squeezes, 8),
                         pick(random, squeezes, 8)};
    pelt_vec3 position = test_point(random, pick(random, distances, 4));
    pelt_quat rotation = test_rotation(random, 180.0f);
    uint32_t count = (uint32_t)test_uniform(random, 3.0f, PATCH_VERTICES + 0.9f);
    for (uint32_t v = 0; v < count; ++v)
    {
        pelt_vec3 x = test_point(random, 1.0f);
        x = pelt_vec3_make(squeeze.x * x.x, squeeze.y * x.y, squeeze.z * x.z);
        x = pelt_vec3_scale(pelt_vec3_add(pelt_quat_rotate(rotation, x), position), scale);
        bool is_copy = v > 0 && test_uniform(random, 0.0f, 1.0f) < 0.1f;
        mesh_builder_add_vertex(
            p->mesh_builder,
            is_copy ? p->mesh_builder->positions[pick_vertex(random, p->mesh_builder)] : x);
        p->normals[v] = pelt_vec3_normalize(test_point(random, 1.0f));
        p->cors[v] = pelt_vec3_scale(pelt_vec3_add(test_point(random, 1.0f), position), scale);
        bool is_parallel = test_uniform(random, 0.0f, 1.0f) < 0.1f;
        pelt_vec3 t = is_parallel ? p->normals[v] : pelt_vec3_normalize(test_point(random, 1.0f));
        p->tangents[v] = (pelt_vec4){t.x, t.y, t.z, 1.0f};
    }
}

// All of one joint, anything, steps, hardly a difference, and weights that float hardly holds.
static void add_weights(patch* p, test_random* random)
{
    int kind = (int)test_uniform(random, 0.0f, 4.99f);
    for (uint32_t v = 0; v < p->mesh_builder->mesh.vertex_count; ++v)
    {
        uint32_t count = kind == 0 ? 1 : (uint32_t)test_uniform(random, 1.0f, BUILDER_SLOTS + 0.9f);
        for (uint32_t i = 0; i < count; ++i)
        {
            float part = test_uniform(random, 0.0f, 1.0f);
            float weight = kind == 2   ? part < 0.5f ? 1e-6f : 1.0f
                           : kind == 3 ? 0.5f + 3e-7f * part
                           : kind == 4 ? powf(10.0f, -44.0f * part)
                                       : part + 0.01f;
            mesh_builder_add_influence(p->mesh_builder, v,
                                       (uint32_t)test_uniform(random, 0.0f, 19.9f), weight);
        }
    }
}

static void add_triangles(patch* p, test_random* random)
{
    uint32_t count = (uint32_t)test_uniform(random, 1.0f, 8.9f);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t a = pick_vertex(random, p->mesh_builder), b = pick_vertex(random, p->mesh_builder);
        uint32_t c = pick_vertex(random, p->mesh_builder);
        mesh_builder_add_triangle(p->mesh_builder, a, b, c);
        // The other side of a sheet has the same corners.
        if (test_uniform(random, 0.0f, 1.0f) < 0.2f)
        {
            mesh_builder_add_triangle(p->mesh_builder, b, a, c);
        }
    }
}

static bool make_patch(patch* out, uint64_t seed)
{
    test_random random = {seed};
    out->mesh_builder = mesh_builder_create();
    add_vertices(out, &random);
    add_weights(out, &random);
    add_triangles(out, &random);
    out->mesh_builder->mesh.name = "patch";
    out->mesh_builder->mesh.normals = out->normals;
    out->mesh_builder->mesh.tangents = seed % 2 == 0 ? out->tangents : NULL;
    out->mesh_builder->mesh.cors = seed % 3 == 0 ? out->cors : NULL;
    return mesh_builder_bind(out->mesh_builder);
}

// What prepare.h promises, in absolute numbers: no moment is so large that rounding would show.
static int check_promises(const pelt_normal_factors* f, const pelt_mesh* mesh)
{
    pelt_error error = {{0}};
    pelt_result result = pelt_normal_factors_validate(f, mesh, &error);
    if (result != PELT_OK)
    {
        printf("  %s\n", error.message);
    }
    ENSURE(result == PELT_OK);
    for (uint32_t v = 0; v < f->vertex_count; ++v)
    {
        double sums[4] = {0};
        for (uint32_t i = f->first[v]; i < f->first[v + 1]; ++i)
        {
            ENSURE(f->factors[i].weight > 0.0f);
            for (int k = 0; k < 4; ++k)
            {
                sums[k] += (double)f->factors[i].moments[k / 2][k % 2];
            }
        }
        for (int k = 0; k < 4 && f->first[v + 1] > f->first[v]; ++k)
        {
            // 20 joints with moments of up to 2000, each off by 6e-8 of that at most.
            ENSURE_NEAR(sums[k], k == 0 || k == 3 ? 1.0 : 0.0, 2.4e-3);
        }
    }
    return 0;
}

static int factors_of_degenerate_surfaces_are_valid(void)
{
    static const uint32_t limits[] = {0, 2, 3, 4, 8};
    for (uint64_t seed = 1; seed <= PATCH_COUNT; ++seed)
    {
        patch p;
        ENSURE(make_patch(&p, seed));
        for (uint32_t i = 0; i < 5; ++i)
        {
            pelt_normal_factors f;
            const pelt_mesh* mesh = &p.mesh_builder->mesh;
            pelt_normal_options options = {.max_joints = limits[i]};
            ENSURE(pelt_normal_factors_build(&f, mesh, mesh->cors, &options, p.mesh_builder->arena,
                                             NULL) == PELT_OK);
            if (check_promises(&f, mesh) != 0)
            {
                printf("  in patch %llu, with %u joints\n", (unsigned long long)seed, limits[i]);
                return 1;
            }
        }
        pelt_arena_destroy(p.mesh_builder->arena);
    }
    return 0;
}

// The patch on a skin of joints that are all at the origin.
static int check_file(const patch* p, uint32_t limit)
{
    static pelt_node nodes[BUILDER_JOINTS];
    static uint32_t joints[BUILDER_JOINTS];
    static pelt_mat34 binds[BUILDER_JOINTS];
    for (uint32_t i = 0; i < BUILDER_JOINTS; ++i)
    {
        nodes[i] = (pelt_node){"joint", PELT_NONE, pelt_transform_identity()};
        joints[i] = i;
        binds[i] = pelt_mat34_identity();
    }
    pelt_skin skin = {"skin", BUILDER_JOINTS, joints, binds};
    pelt_instance instance = {0, 0, PELT_NONE, 0};
    pelt_normal_factors f;
    pelt_mesh mesh = p->mesh_builder->mesh;
    pelt_scene *again = NULL, scene = {.node_count = BUILDER_JOINTS,
                                       .mesh_count = 1,
                                       .skin_count = 1,
                                       .instance_count = 1,
                                       .nodes = nodes,
                                       .meshes = &mesh,
                                       .skins = &skin,
                                       .instances = &instance};
    pelt_normal_options options = {.max_joints = limit};
    ENSURE(pelt_normal_factors_build(&f, &mesh, mesh.cors, &options, p->mesh_builder->arena,
                                     NULL) == PELT_OK);
    mesh.normal_factors = &f;
    ENSURE(pelt_save_scene(factor_fixture_path, PELT_FORMAT_GLB, &scene, NULL) == PELT_OK);
    ENSURE(pelt_load(&again, factor_fixture_path, NULL, NULL) == PELT_OK);
    const pelt_normal_factors* read = again->meshes[0].normal_factors;
    if (read == NULL && again->repair_count > 0)
    {
        printf("  %s\n", again->repairs[again->repair_count - 1].message);
    }
    ENSURE(read != NULL && read->factor_count == f.factor_count);
    ENSURE(memcmp(read->factors, f.factors, f.factor_count * sizeof *f.factors) == 0);
    pelt_scene_destroy(again);
    return 0;
}

static int files_with_degenerate_surfaces_read_back(void)
{
    static const uint32_t limits[] = {2, 3, 4, 8, 0};
    for (uint64_t seed = 1; seed <= FILE_COUNT; ++seed)
    {
        patch p;
        ENSURE(make_patch(&p, seed));
        if (check_file(&p, limits[seed % 5]) != 0)
        {
            printf("  in patch %llu\n", (unsigned long long)seed);
            return 1;
        }
        pelt_arena_destroy(p.mesh_builder->arena);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Surfaces with a known answer

// Corners of three different joints, in the plane z = 0.
static mesh_builder* make_triangle(float height)
{
    mesh_builder* s = mesh_builder_create();
    const pelt_vec3 corners[3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.5f, height, 0.0f}};
    for (uint32_t k = 0; k < 3; ++k)
    {
        mesh_builder_add_shared(s, corners[k], k, 9, 0.25f);
    }
    mesh_builder_add_triangle(s, 0, 1, 2);
    return mesh_builder_bind(s) ? s : NULL;
}

static uint32_t count_factors(const mesh_builder* s)
{
    pelt_normal_factors f;
    return pelt_normal_factors_build(&f, &s->mesh, NULL, NULL, s->arena, NULL) == PELT_OK
               ? f.factor_count
               : UINT32_MAX;
}

// Moments are as large as a triangle is longer than high.
static int slivers_have_no_factors(void)
{
    const float heights[] = {1.0f, 0.01f, 1e-4f, 1e-6f, 1e-9f, 0.0f};
    for (uint32_t i = 0; i < 6; ++i)
    {
        mesh_builder* s = make_triangle(heights[i]);
        ENSURE(s != NULL && count_factors(s) == (heights[i] >= 0.01f ? 12 : 0));
        pelt_arena_destroy(s->arena);
    }
    return 0;
}

// Both sides of a sheet at one vertex leave it no plane.
static int sheets_with_two_sides_have_no_factors(void)
{
    mesh_builder* s = make_triangle(1.0f);
    ENSURE(s != NULL);
    mesh_builder_add_triangle(s, 0, 2, 1);
    ENSURE(count_factors(s) == 0);
    pelt_arena_destroy(s->arena);
    return 0;
}

void test_normal_degenerate(void)
{
    RUN(factor_fixture_folder_is_made);
    RUN(factors_of_degenerate_surfaces_are_valid);
    RUN(files_with_degenerate_surfaces_read_back);
    RUN(slivers_have_no_factors);
    RUN(sheets_with_two_sides_have_no_factors);
    factor_fixture_close();
}
