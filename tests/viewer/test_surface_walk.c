// SPDX-License-Identifier: MIT
// Distances along surfaces whose distances are known.
#include "edit/surface_walk.h"
#include "sheets.h"

static float distance_of(const surface_walk* walk, uint32_t mesh, uint32_t vertex)
{
    return walk->distances[walk->point_of[walk->mesh_first[mesh] + vertex]];
}

static int distances_on_a_plane_are_straight(void)
{
    sheets s = {0};
    surface_walk walk;
    sheets_add_plane(&s, 0.0f, 0.0f);
    ENSURE(surface_walk_create(&walk, &s.scene));
    const pelt_vec3* positions[] = {s.meshes[0].positions};
    for (uint32_t triangle = 0; triangle < 2 * SHEET_SQUARES * SHEET_SQUARES; triangle += 97)
    {
        surface_point from = sheets_point(&s, 0, triangle);
        surface_walk_from(&walk, positions, &from, 0.4f);
        for (uint32_t v = 0; v < SHEET_SIDE * SHEET_SIDE; ++v)
        {
            // Near the limit the straight way may lead through an edge with an end beyond it.
            float straight = pelt_vec3_distance(positions[0][v], from.position);
            float found = distance_of(&walk, 0, v);
            ENSURE(straight > 0.35f || found <= 1.002f * straight);
            ENSURE(found >= straight - 1e-5f && (found == INFINITY || found <= 0.4f));
        }
    }
    surface_walk_destroy(&walk);
    sheets_destroy(&s);
    return 0;
}

// Around a cylinder of 0.2 m, whose first and last column are copies of each other: the shorter way
// around, as if it were unrolled.
static int walks_go_round_a_cylinder_and_over_its_seam(void)
{
    const float radius = 0.2f;
    sheets s = {0};
    surface_walk walk;
    sheets_add_cylinder(&s, radius);
    ENSURE(surface_walk_create(&walk, &s.scene));
    ENSURE(walk.point_count == SHEET_SIDE * SHEET_SQUARES);
    const pelt_vec3* positions[] = {s.meshes[0].positions};
    uint32_t triangle = 2 * SHEET_SQUARES * 12; // at the seam
    surface_point from = sheets_point(&s, 0, triangle);
    surface_walk_from(&walk, positions, &from, 10.0f);
    ENSURE(walk.reached_count == walk.point_count);
    float chord = 2.0f * radius * sinf(PELT_PI / SHEET_SQUARES); // a side of the polygon
    for (uint32_t v = 0; v < SHEET_SIDE * SHEET_SIDE; ++v)
    {
        // The triangle has corners in columns 0, 1 and 1.
        float column = (float)(v % SHEET_SIDE % SHEET_SQUARES) - 2.0f / 3.0f;
        column = fabsf(column) > 0.5f * SHEET_SQUARES ? SHEET_SQUARES - fabsf(column) : column;
        float up = positions[0][v].y - from.position.y;
        float expected = hypotf(chord * column, up);
        ENSURE_NEAR(distance_of(&walk, 0, v), expected, 1e-3f * expected);
    }
    for (uint32_t row = 0; row < SHEET_SIDE; ++row)
    {
        ENSURE(distance_of(&walk, 0, row * SHEET_SIDE) ==
               distance_of(&walk, 0, row * SHEET_SIDE + SHEET_SQUARES));
    }
    surface_walk_destroy(&walk);
    sheets_destroy(&s);
    return 0;
}

static int what_is_near_but_not_connected_is_not_reached(void)
{
    sheets s = {0};
    surface_walk walk;
    sheets_add_plane(&s, 0.0f, 0.0f);
    sheets_add_plane(&s, 0.0f, 0.001f);
    ENSURE(surface_walk_create(&walk, &s.scene));
    const pelt_vec3* positions[] = {s.meshes[0].positions, s.meshes[1].positions};
    surface_point from = sheets_point(&s, 0, 500);
    surface_walk_from(&walk, positions, &from, 10.0f);
    ENSURE(walk.reached_count == SHEET_SIDE * SHEET_SIDE);
    ENSURE(isfinite(distance_of(&walk, 0, 0)) && !isfinite(distance_of(&walk, 1, 0)));
    surface_walk_destroy(&walk);
    sheets_destroy(&s);
    return 0;
}

// Two meshes with an edge in common, as exporters make of two materials, and a copy of that edge
// that moves with another joint.
static int meshes_are_connected_where_they_have_the_same_vertices(void)
{
    sheets s = {0};
    surface_walk walk;
    sheets_add_plane(&s, 0.0f, 0.0f);
    sheets_add_plane(&s, 1.0f, 0.0f);
    ENSURE(surface_walk_create(&walk, &s.scene));
    ENSURE(walk.point_count == SHEET_SIDE * (2 * SHEET_SIDE - 1));
    const pelt_vec3* positions[] = {s.meshes[0].positions, s.meshes[1].positions};
    surface_point from = sheets_point(&s, 0, 500);
    surface_walk_from(&walk, positions, &from, 10.0f);
    for (uint32_t v = 0; v < SHEET_SIDE * SHEET_SIDE; ++v)
    {
        float straight = pelt_vec3_distance(positions[1][v], from.position);
        ENSURE_NEAR(distance_of(&walk, 1, v), straight, 0.01f * straight);
    }
    surface_walk_destroy(&walk);

    pelt_influence* influences = (pelt_influence*)(uintptr_t)s.meshes[1].weights.influences;
    const uint32_t joints[] = {0, 1};
    s.skin = (pelt_skin){.joint_count = 2, .joints = joints};
    for (uint32_t v = 0; v < SHEET_SIDE * SHEET_SIDE; ++v)
    {
        influences[v].joint = 1;
    }
    ENSURE(surface_walk_create(&walk, &s.scene));
    ENSURE(walk.point_count == 2 * SHEET_SIDE * SHEET_SIDE);
    surface_walk_destroy(&walk);
    sheets_destroy(&s);
    return 0;
}

void test_surface_walk(void)
{
    RUN(distances_on_a_plane_are_straight);
    RUN(walks_go_round_a_cylinder_and_over_its_seam);
    RUN(what_is_near_but_not_connected_is_not_reached);
    RUN(meshes_are_connected_where_they_have_the_same_vertices);
}
