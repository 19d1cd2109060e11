// SPDX-License-Identifier: MIT
// Tangents for normal maps, against closed forms. tests/outside/mikktspace.mjs compares characters.
#include "pelt/tangents.h"

#include "failing_heap.h"

// A square of two triangles in the plane z = 0, with u along x and v downwards, as in glTF.
typedef struct square
{
    pelt_vec3 positions[6], normals[6];
    pelt_vec2 uvs[6];
    uint32_t indices[12];
    pelt_mesh mesh;
} square;

static void square_make(square* s)
{
    *s = (square){.positions = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}, {4, 0, 0}, {4, 1, 0}},
                  .uvs = {{0, 1}, {1, 1}, {0, 0}, {1, 0}, {2, 1}, {2, 0}},
                  .indices = {0, 1, 2, 2, 1, 3, 1, 4, 3, 3, 4, 5}};
    for (int i = 0; i < 6; ++i)
    {
        s->normals[i] = pelt_vec3_make(0, 0, 1);
    }
    s->mesh = (pelt_mesh){.vertex_count = 6,
                          .index_count = 12,
                          .positions = s->positions,
                          .normals = s->normals,
                          .uvs = s->uvs,
                          .indices = s->indices};
}

static int is_near(pelt_vec4 t, float x, float y, float z, float w)
{
    ENSURE_NEAR(t.x, x, 1e-6f);
    ENSURE_NEAR(t.y, y, 1e-6f);
    ENSURE_NEAR(t.z, z, 1e-6f);
    ENSURE(t.w == w);
    return 0;
}

// The bitangent w cross(n, t) points to where v decreases, up in the picture.
static int tangents_point_along_u_and_bitangents_up(void)
{
    square s;
    pelt_vec4 out[6];
    pelt_tangents_report report = {0};
    square_make(&s);
    ENSURE(pelt_tangents_compute(out, &s.mesh, 0, &report) == PELT_OK);
    for (int i = 0; i < 6; ++i)
    {
        ENSURE(is_near(out[i], 1, 0, 0, 1) == 0);
    }
    ENSURE(report.split_count == 0);
    return 0;
}

// The right half repeats the left one in a mirror: two groups meet at the vertices between.
static int mirrored_textures_have_other_tangents(void)
{
    square s;
    pelt_vec4 out[6];
    pelt_tangents_report report = {0};
    square_make(&s);
    s.uvs[4].x = s.uvs[5].x = 0.0f;
    ENSURE(pelt_tangents_compute(out, &s.mesh, 0, &report) == PELT_OK);
    ENSURE(is_near(out[0], 1, 0, 0, 1) == 0 && is_near(out[2], 1, 0, 0, 1) == 0);
    ENSURE(is_near(out[4], -1, 0, 0, -1) == 0 && is_near(out[5], -1, 0, 0, -1) == 0);
    ENSURE(report.split_count == 2);
    return 0;
}

// The angles of a sliver are 0 in single precision by their cosine; its texture still has a
// direction, here -x.
static int slivers_have_a_direction(void)
{
    pelt_vec3 positions[3] = {{0, 0, 0}, {-1, 1e-5f, 0}, {-2, 0, 0}};
    pelt_vec3 normals[3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    pelt_vec2 uvs[3] = {{0, 0}, {1, 1}, {2, 0}};
    uint32_t indices[3] = {0, 1, 2};
    pelt_mesh mesh = {.vertex_count = 3,
                      .index_count = 3,
                      .positions = positions,
                      .normals = normals,
                      .uvs = uvs,
                      .indices = indices};
    pelt_vec4 out[3];
    ENSURE(pelt_tangents_compute(out, &mesh, 0, NULL) == PELT_OK);
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(fabsf(out[i].x + 1.0f) < 1e-4f);
    }
    return 0;
}

// Two triangles with directions 90 degrees apart and angles of 90 and 45 degrees at vertex 0.
static int directions_are_weighted_by_angles(void)
{
    pelt_vec3 positions[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 1, 0}};
    pelt_vec3 normals[4] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    // u is x in the first triangle and y in the second.
    pelt_vec2 uvs[4] = {{0, 0}, {1, 0}, {0, -1}, {0, -1}};
    uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    uvs[3] = (pelt_vec2){-1.0f, -2.0f};
    pelt_mesh mesh = {.vertex_count = 4,
                      .index_count = 6,
                      .positions = positions,
                      .normals = normals,
                      .uvs = uvs,
                      .indices = indices};
    pelt_vec4 out[4];
    ENSURE(pelt_tangents_compute(out, &mesh, 0, NULL) == PELT_OK);
    // Second triangle: along_u = d1 t2 - d2 t1 = (0,1)(-2) - (-1,1)(-1) = (-1,-1), area -1: (1,1).
    float first = 0.5f * PELT_PI, second = 0.25f * PELT_PI, root = sqrtf(0.5f);
    pelt_vec3 sum = {first + second * root, second * root, 0.0f};
    sum = pelt_vec3_normalize(sum);
    ENSURE(is_near(out[0], sum.x, sum.y, 0, 1) == 0);
    return 0;
}

// Any unit tangent across the normal will do.
static int textures_without_size_give_unit_tangents(void)
{
    square s;
    pelt_vec4 out[6];
    square_make(&s);
    for (int i = 0; i < 6; ++i)
    {
        s.uvs[i] = (pelt_vec2){0.25f, 0.25f};
    }
    ENSURE(pelt_tangents_compute(out, &s.mesh, 0, NULL) == PELT_OK);
    for (int i = 0; i < 6; ++i)
    {
        ENSURE_NEAR(hypotf(out[i].x, out[i].y), 1.0f, 1e-6f);
        ENSURE(out[i].z == 0.0f && fabsf(out[i].w) == 1.0f);
    }
    return 0;
}

static pelt_result try_scene(const void* context)
{
    square s = *(const square*)context;
    square_make(&s);
    pelt_material material = {.name = "m"};
    material.textures[PELT_SLOT_NORMAL].image = "bumps.png";
    pelt_scene scene = {
        .mesh_count = 1, .meshes = &s.mesh, .material_count = 1, .materials = &material};
    pelt_tangents_report report;
    pelt_arena* arena = pelt_arena_create();
    pelt_result result =
        arena != NULL ? pelt_scene_add_tangents(&scene, &report, arena) : PELT_ERROR_MEMORY;
    if (result == PELT_OK && (report.mesh_count != 1 || scene.meshes[0].tangents == NULL))
    {
        result = PELT_ERROR_DATA;
    }
    pelt_arena_destroy(arena);
    return result;
}

static int meshes_with_normal_maps_get_tangents(void)
{
    square s;
    square_make(&s);
    ENSURE(failing_heap_check(try_scene, &s, 20) == 0);
    return 0;
}

void test_tangents(void)
{
    RUN(tangents_point_along_u_and_bitangents_up);
    RUN(mirrored_textures_have_other_tangents);
    RUN(directions_are_weighted_by_angles);
    RUN(slivers_have_a_direction);
    RUN(textures_without_size_give_unit_tangents);
    RUN(meshes_with_normal_maps_get_tangents);
}
