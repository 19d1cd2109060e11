// SPDX-License-Identifier: MIT
// Distances along surfaces whose distances are known.
#include "edit/surface_walk.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

// Sheets of squares with one joint, each a mesh.
typedef struct sheets
{
    pelt_mesh meshes[2];
    pelt_instance instances[2];
    pelt_skin skin;
    uint32_t joint;
    pelt_scene scene;
} sheets;

enum
{
    ACROSS = 25, // squares on a side
    SIDE = ACROSS + 1,
};

static void add_sheet(sheets* s)
{
    uint32_t index = s->scene.mesh_count++;
    pelt_vec3* positions = calloc(SIDE * SIDE, sizeof *positions);
    uint32_t* indices = calloc(6 * ACROSS * ACROSS, sizeof *indices);
    uint32_t* first = calloc(SIDE * SIDE + 1, sizeof *first);
    pelt_influence* influences = calloc(SIDE * SIDE, sizeof *influences);
    uint32_t count = 0;
    for (uint32_t v = 0; v < SIDE * SIDE; ++v)
    {
        influences[v].weight = 1.0f;
        first[v + 1] = v + 1;
    }
    for (uint32_t y = 0; y < ACROSS; ++y)
    {
        for (uint32_t x = 0; x < ACROSS; ++x)
        {
            uint32_t a = y * SIDE + x, b = a + 1, c = a + SIDE, d = c + 1;
            const uint32_t corners[6] = {a, b, d, a, d, c};
            memcpy(indices + count, corners, sizeof corners);
            count += 6;
        }
    }
    s->meshes[index] = (pelt_mesh){.vertex_count = SIDE * SIDE,
                                   .index_count = count,
                                   .positions = positions,
                                   .indices = indices,
                                   .weights = {SIDE * SIDE, 1, SIDE * SIDE, 1, first, influences},
                                   .material = PELT_NONE};
    s->instances[index] = (pelt_instance){.mesh = index};
    s->skin = (pelt_skin){.joint_count = 1, .joints = &s->joint};
    s->scene.instance_count = s->scene.mesh_count;
    s->scene.meshes = s->meshes;
    s->scene.instances = s->instances;
    s->scene.skins = &s->skin;
    s->scene.skin_count = 1;
}

static pelt_vec3* place(sheets* s, uint32_t mesh, uint32_t vertex)
{
    return (pelt_vec3*)(uintptr_t)&s->meshes[mesh].positions[vertex];
}

static void destroy(sheets* s)
{
    for (uint32_t i = 0; i < s->scene.mesh_count; ++i)
    {
        free((void*)(uintptr_t)s->meshes[i].positions);
        free((void*)(uintptr_t)s->meshes[i].indices);
        free((void*)(uintptr_t)s->meshes[i].weights.first);
        free((void*)(uintptr_t)s->meshes[i].weights.influences);
    }
}

static surface_place in_triangle(const sheets* s, uint32_t mesh, uint32_t triangle)
{
    const uint32_t* corners = s->meshes[mesh].indices + 3 * triangle;
    const pelt_vec3* p = s->meshes[mesh].positions;
    pelt_vec3 sum = pelt_vec3_add(p[corners[0]], pelt_vec3_add(p[corners[1]], p[corners[2]]));
    return (surface_place){mesh, triangle, pelt_vec3_scale(sum, 1.0f / 3.0f)};
}

static float distance_of(const surface_walk* walk, uint32_t mesh, uint32_t vertex)
{
    return walk->distances[walk->point_of[walk->mesh_first[mesh] + vertex]];
}

// Vertices of a plane of 1 m, off their grid by a quarter of a square.
static void make_plane(sheets* out, float x, float z)
{
    test_random random = {9};
    add_sheet(out);
    uint32_t mesh = out->scene.mesh_count - 1;
    for (uint32_t v = 0; v < SIDE * SIDE; ++v)
    {
        uint32_t column = v % SIDE, row = v / SIDE;
        pelt_vec3 noise = test_point(&random, 0.25f / ACROSS);
        bool is_inside = column > 0 && column < ACROSS && row > 0 && row < ACROSS;
        *place(out, mesh, v) =
            pelt_vec3_make(x + (float)column / ACROSS + (is_inside ? noise.x : 0.0f),
                           (float)row / ACROSS + (is_inside ? noise.y : 0.0f), z);
    }
}

static int distances_on_a_plane_are_straight(void)
{
    sheets s = {0};
    surface_walk walk;
    make_plane(&s, 0.0f, 0.0f);
    ENSURE(surface_walk_create(&walk, &s.scene));
    const pelt_vec3* positions[] = {s.meshes[0].positions};
    for (uint32_t triangle = 0; triangle < 2 * ACROSS * ACROSS; triangle += 97)
    {
        surface_place from = in_triangle(&s, 0, triangle);
        surface_walk_from(&walk, positions, &from, 0.4f);
        for (uint32_t v = 0; v < SIDE * SIDE; ++v)
        {
            // Near the limit the straight way may lead through an edge with an end beyond it.
            float straight = pelt_vec3_distance(positions[0][v], from.position);
            float found = distance_of(&walk, 0, v);
            ENSURE(straight > 0.35f || found <= 1.002f * straight);
            ENSURE(found >= straight - 1e-5f && (found == INFINITY || found <= 0.4f));
        }
    }
    surface_walk_destroy(&walk);
    destroy(&s);
    return 0;
}

// Around a cylinder of 0.2 m, whose first and last column are copies of each other: the shorter way
// around, as if it were unrolled.
static int walks_go_round_a_cylinder_and_over_its_seam(void)
{
    const float radius = 0.2f;
    sheets s = {0};
    surface_walk walk;
    add_sheet(&s);
    for (uint32_t v = 0; v < SIDE * SIDE; ++v)
    {
        float angle = 2.0f * PELT_PI * (float)(v % SIDE % ACROSS) / ACROSS;
        *place(&s, 0, v) =
            pelt_vec3_make(radius * cosf(angle), 0.04f * (float)(v / SIDE), radius * sinf(angle));
    }
    ENSURE(surface_walk_create(&walk, &s.scene));
    ENSURE(walk.point_count == SIDE * ACROSS);
    const pelt_vec3* positions[] = {s.meshes[0].positions};
    uint32_t triangle = 2 * ACROSS * 12; // at the seam
    surface_place from = in_triangle(&s, 0, triangle);
    surface_walk_from(&walk, positions, &from, 10.0f);
    ENSURE(walk.reached_count == walk.point_count);
    float chord = 2.0f * radius * sinf(PELT_PI / ACROSS); // a side of the polygon
    for (uint32_t v = 0; v < SIDE * SIDE; ++v)
    {
        // The triangle has corners in columns 0, 1 and 1.
        float column = (float)(v % SIDE % ACROSS) - 2.0f / 3.0f;
        column = fabsf(column) > 0.5f * ACROSS ? ACROSS - fabsf(column) : column;
        float up = positions[0][v].y - from.position.y;
        float expected = hypotf(chord * column, up);
        ENSURE_NEAR(distance_of(&walk, 0, v), expected, 1e-3f * expected);
    }
    for (uint32_t row = 0; row < SIDE; ++row)
    {
        ENSURE(distance_of(&walk, 0, row * SIDE) == distance_of(&walk, 0, row * SIDE + ACROSS));
    }
    surface_walk_destroy(&walk);
    destroy(&s);
    return 0;
}

static int what_is_near_but_not_connected_is_not_reached(void)
{
    sheets s = {0};
    surface_walk walk;
    make_plane(&s, 0.0f, 0.0f);
    make_plane(&s, 0.0f, 0.001f);
    ENSURE(surface_walk_create(&walk, &s.scene));
    const pelt_vec3* positions[] = {s.meshes[0].positions, s.meshes[1].positions};
    surface_place from = in_triangle(&s, 0, 500);
    surface_walk_from(&walk, positions, &from, 10.0f);
    ENSURE(walk.reached_count == SIDE * SIDE);
    ENSURE(isfinite(distance_of(&walk, 0, 0)) && !isfinite(distance_of(&walk, 1, 0)));
    surface_walk_destroy(&walk);
    destroy(&s);
    return 0;
}

// Two meshes with an edge in common, as exporters make of two materials, and a copy of that edge
// that moves with another joint.
static int meshes_are_connected_where_they_have_the_same_vertices(void)
{
    sheets s = {0};
    surface_walk walk;
    make_plane(&s, 0.0f, 0.0f);
    make_plane(&s, 1.0f, 0.0f);
    ENSURE(surface_walk_create(&walk, &s.scene));
    ENSURE(walk.point_count == SIDE * (2 * SIDE - 1));
    const pelt_vec3* positions[] = {s.meshes[0].positions, s.meshes[1].positions};
    surface_place from = in_triangle(&s, 0, 500);
    surface_walk_from(&walk, positions, &from, 10.0f);
    for (uint32_t v = 0; v < SIDE * SIDE; ++v)
    {
        float straight = pelt_vec3_distance(positions[1][v], from.position);
        ENSURE_NEAR(distance_of(&walk, 1, v), straight, 0.01f * straight);
    }
    surface_walk_destroy(&walk);

    pelt_influence* influences = (pelt_influence*)(uintptr_t)s.meshes[1].weights.influences;
    const uint32_t joints[] = {0, 1};
    s.skin = (pelt_skin){.joint_count = 2, .joints = joints};
    for (uint32_t v = 0; v < SIDE * SIDE; ++v)
    {
        influences[v].joint = 1;
    }
    ENSURE(surface_walk_create(&walk, &s.scene));
    ENSURE(walk.point_count == 2 * SIDE * SIDE);
    surface_walk_destroy(&walk);
    destroy(&s);
    return 0;
}

void test_surface_walk(void)
{
    RUN(distances_on_a_plane_are_straight);
    RUN(walks_go_round_a_cylinder_and_over_its_seam);
    RUN(what_is_near_but_not_connected_is_not_reached);
    RUN(meshes_are_connected_where_they_have_the_same_vertices);
}
