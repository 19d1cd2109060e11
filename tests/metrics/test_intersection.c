// SPDX-License-Identifier: MIT
// Triangles that cross, against bodies whose pairs can be counted and against a test of all pairs.
#include "metrics/body.h"
#include "test.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------------------------
// Two triangles

static int triangles_cross_where_each_passes_through_the_other(void)
{
    const pelt_vec3 flat[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const pelt_vec3 through[3] = {{1, 1, -1}, {1.5f, 1, 1}, {1, 1.5f, 1}};
    ENSURE(pelti_triangles_cross(flat, through, 1e-6));
    ENSURE(pelti_triangles_cross(through, flat, 1e-6));
    // Through the plane, next to the triangle; above it; and half of each within the other.
    const pelt_vec3 outside[3] = {{3, 3, -1}, {3.5f, 3, 1}, {3, 3.5f, 1}};
    const pelt_vec3 above[3] = {{1, 1, 1}, {1.5f, 1, 2}, {1, 1.5f, 2}};
    const pelt_vec3 half[3] = {{-1, 1, -1}, {1, 1, 0.5f}, {-1, 1, 2}};
    ENSURE(!pelti_triangles_cross(flat, outside, 1e-6));
    ENSURE(!pelti_triangles_cross(flat, above, 1e-6));
    ENSURE(pelti_triangles_cross(flat, half, 1e-6));
    return 0;
}

// What only touches does not cross: by a corner, an edge, or lying on each other.
static int touching_is_not_crossing(void)
{
    const pelt_vec3 flat[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const pelt_vec3 corner[3] = {{1, 1, 0}, {1, 2, 1}, {2, 1, 1}};
    const pelt_vec3 edge[3] = {{1, 1, 0}, {2, 1, 0}, {1, 1, 1}};
    const pelt_vec3 on_it[3] = {{1, 1, 0}, {5, 1, 0}, {1, 5, 0}};
    const pelt_vec3 line[3] = {{1, 1, -1}, {1, 1, 0}, {1, 1, 1}};
    ENSURE(!pelti_triangles_cross(flat, corner, 1e-6));
    ENSURE(!pelti_triangles_cross(flat, edge, 1e-6));
    ENSURE(!pelti_triangles_cross(flat, on_it, 1e-6));
    ENSURE(!pelti_triangles_cross(flat, flat, 1e-6));
    ENSURE(!pelti_triangles_cross(flat, line, 1e-6) && !pelti_triangles_cross(line, flat, 1e-6));
    return 0;
}

// Edges that meet exactly, as on mirrored characters: the crossing ends on both, and is there.
static int a_crossing_may_end_on_two_edges(void)
{
    const pelt_vec3 a[3] = {{0, 0, -1}, {0, 0, 1}, {2, 0, 0}};
    const pelt_vec3 b[3] = {{0, -1, 0}, {0, 1, 0}, {2, 0, 0.0f}};
    ENSURE(pelti_triangles_cross(a, b, 1e-6));
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Meshes

typedef struct triangle_list
{
    uint32_t vertex_count, triangle_count;
    pelt_vec3 positions[4096];
    uint32_t corners[3 * 4096], points[4096];
} triangle_list;

static void add_triangle(triangle_list* s, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t* corners = s->corners + 3 * (size_t)s->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

static uint32_t add_point(triangle_list* s, pelt_vec3 p)
{
    s->positions[s->vertex_count] = p;
    s->points[s->vertex_count] = s->vertex_count;
    return s->vertex_count++;
}

// Corner i is at the bits of i; each side is two triangles.
static void add_box(triangle_list* s, pelt_vec3 min, pelt_vec3 max)
{
    static const uint32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    uint32_t first = s->vertex_count;
    for (uint32_t i = 0; i < 8; ++i)
    {
        add_point(
            s, pelt_vec3_make(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z));
    }
    for (uint32_t i = 0; i < 6; ++i)
    {
        const uint32_t* q = quads[i];
        add_triangle(s, first + q[0], first + q[1], first + q[2]);
        add_triangle(s, first + q[0], first + q[2], first + q[3]);
    }
}

static void count_pair(uint32_t first, uint32_t second, void* user)
{
    *(uint64_t*)user += first < second ? 1u : 1u << 20;
}

// @return the number of pairs; more than a million: they were not in order
static uint64_t count_crossings(const triangle_list* s)
{
    pelti_box_tree tree;
    uint64_t count = 0;
    pelt_arena* arena = pelt_arena_create();
    if (pelti_box_tree_build(&tree, s->positions, s->corners, s->triangle_count, s->points, 1e-6,
                             arena))
    {
        pelti_box_tree_cross(&tree, s->positions, count_pair, &count);
    }
    pelt_arena_destroy(arena);
    return count;
}

// A post through the wall of a box: its four sides are eight triangles, each of which goes through
// one triangle of the wall, as the post stays clear of the wall's diagonal. Its foot is in the box
// and its head outside; then both are outside, and the wall opposite counts as well.
static int a_post_crosses_a_wall_eight_times(void)
{
    triangle_list* s = calloc(1, sizeof *s);
    add_box(s, pelt_vec3_make(0, 0, 0), pelt_vec3_make(10, 10, 10));
    add_box(s, pelt_vec3_make(6, 1, 5), pelt_vec3_make(7, 2, 15));
    ENSURE(count_crossings(s) == 8);
    for (uint32_t i = 8; i < 16; ++i)
    {
        s->positions[i].z = s->positions[i].z < 10.0f ? -5.0f : 15.0f;
    }
    ENSURE(count_crossings(s) == 16);
    for (uint32_t i = 8; i < 16; ++i)
    {
        s->positions[i].x += 10.0f;
    }
    ENSURE(count_crossings(s) == 0);
    // Triangles that share a position are neighbors, even if they share no vertex.
    for (uint32_t i = 8; i < 16; ++i)
    {
        s->positions[i].x -= 10.0f;
        s->points[i] = 0;
    }
    s->points[1] = s->points[2] = s->points[3] = s->points[4] = s->points[5] = s->points[6] =
        s->points[7] = 0;
    ENSURE(count_crossings(s) == 0);
    free(s);
    return 0;
}

// Signed volume of a tetrahedron, times six.
static long double orient(pelt_vec3 a, pelt_vec3 b, pelt_vec3 c, pelt_vec3 d)
{
    long double u[3] = {(long double)b.x - a.x, (long double)b.y - a.y, (long double)b.z - a.z};
    long double v[3] = {(long double)c.x - a.x, (long double)c.y - a.y, (long double)c.z - a.z};
    long double w[3] = {(long double)d.x - a.x, (long double)d.y - a.y, (long double)d.z - a.z};
    return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

static bool is_pierced(const pelt_vec3 t[3], pelt_vec3 from, pelt_vec3 to)
{
    if (orient(t[0], t[1], t[2], from) * orient(t[0], t[1], t[2], to) >= 0.0L)
    {
        return false;
    }
    long double a = orient(from, to, t[0], t[1]), b = orient(from, to, t[1], t[2]),
                c = orient(from, to, t[2], t[0]);
    return (a > 0.0L && b > 0.0L && c > 0.0L) || (a < 0.0L && b < 0.0L && c < 0.0L);
}

// Two triangles in general position cross where an edge of one pierces the other.
static uint64_t count_all_pairs(const triangle_list* s)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < s->triangle_count; ++i)
    {
        for (uint32_t k = i + 1; k < s->triangle_count; ++k)
        {
            pelt_vec3 a[3], b[3];
            bool crosses = false, is_neighbor = false;
            for (int e = 0; e < 9; ++e)
            {
                a[e % 3] = s->positions[s->corners[3 * i + (uint32_t)e % 3]];
                b[e % 3] = s->positions[s->corners[3 * k + (uint32_t)e % 3]];
                is_neighbor |= s->points[s->corners[3 * i + (uint32_t)e / 3]] ==
                               s->points[s->corners[3 * k + (uint32_t)e % 3]];
            }
            for (int e = 0; e < 3; ++e)
            {
                crosses |= is_pierced(a, b[e], b[(e + 1) % 3]);
                crosses |= is_pierced(b, a[e], a[(e + 1) % 3]);
            }
            count += crosses && !is_neighbor;
        }
    }
    return count;
}

static int random_triangles_cross_as_often_as_all_pairs_say(void)
{
    triangle_list* s = calloc(1, sizeof *s);
    test_random random = {3};
    for (uint32_t size = 1; size <= 400; size = 2 * size + 1)
    {
        s->vertex_count = s->triangle_count = 0;
        for (uint32_t i = 0; i < size; ++i)
        {
            pelt_vec3 at = test_point(&random, 1.0f);
            uint32_t corners[3];
            for (int k = 0; k < 3; ++k)
            {
                corners[k] = add_point(s, pelt_vec3_add(at, test_point(&random, 0.5f)));
            }
            add_triangle(s, corners[0], corners[1], corners[2]);
        }
        uint64_t count = count_crossings(s);
        ENSURE(count == count_all_pairs(s));
        ENSURE(size < 200 || count > 100);
    }
    free(s);
    return 0;
}

static void add_sphere(triangle_list* s, pelt_vec3 center, uint32_t rings, uint32_t sides)
{
    uint32_t first = s->vertex_count;
    for (uint32_t i = 0; i <= rings; ++i)
    {
        for (uint32_t k = 0; k < sides; ++k)
        {
            // Open at the poles, and rotated a little, so that nothing meets exactly.
            float a = 0.1f + (PELT_PI - 0.2f) * (float)i / (float)rings;
            float b = 2.0f * PELT_PI * (float)k / (float)sides + 0.1f;
            add_point(s, pelt_vec3_add(center, pelt_vec3_make(sinf(a) * cosf(b), cosf(a),
                                                              sinf(a) * sinf(b))));
        }
    }
    for (uint32_t i = 0; i < rings * sides; ++i)
    {
        uint32_t a = first + i, b = first + i / sides * sides + (i + 1) % sides;
        add_triangle(s, a, a + sides, b);
        add_triangle(s, b, a + sides, b + sides);
    }
}

// Unit spheres 1.2 apart cross along a circle: as many pairs as all pairs say, the more the finer,
// wherever both are and in whatever order their triangles come.
static int spheres_cross_along_a_circle(void)
{
    triangle_list* s = calloc(1, sizeof *s);
    add_sphere(s, pelt_vec3_make(0, 0, 0), 20, 23);
    add_sphere(s, pelt_vec3_make(1.1f, 0.4f, 0.27f), 17, 21);
    uint64_t count = count_crossings(s);
    ENSURE(count == count_all_pairs(s));
    ENSURE(count > 60);
    for (uint32_t i = 0; i + 1 < s->triangle_count; i += 2)
    {
        for (uint32_t k = 0; k < 3; ++k)
        {
            uint32_t kept = s->corners[3 * i + k];
            uint32_t other = 3 * (s->triangle_count - 1 - i) + k;
            s->corners[3 * i + k] = s->corners[other];
            s->corners[other] = kept;
        }
    }
    ENSURE(count_crossings(s) == count);
    pelt_quat rotation = pelt_quat_axis_angle(pelt_vec3_make(1, 2, 3), 1.0f);
    for (uint32_t v = 0; v < s->vertex_count; ++v)
    {
        s->positions[v] =
            pelt_vec3_add(pelt_quat_rotate(rotation, s->positions[v]), pelt_vec3_make(3, -2, 5));
    }
    ENSURE(count_crossings(s) == count);
    free(s);
    return 0;
}

static int what_is_no_number_crosses_nothing(void)
{
    triangle_list* s = calloc(1, sizeof *s);
    add_box(s, pelt_vec3_make(0, 0, 0), pelt_vec3_make(10, 10, 10));
    add_box(s, pelt_vec3_make(6, 1, 5), pelt_vec3_make(7, 2, 15));
    for (uint32_t i = 8; i < 16; ++i)
    {
        s->positions[i].y = i % 2 == 0 ? NAN : INFINITY;
    }
    ENSURE(count_crossings(s) == 0);
    s->triangle_count = 0;
    ENSURE(count_crossings(s) == 0);
    free(s);
    return 0;
}

// Long triangles around one axis all cross each other. Counting all pairs of 3000 would take 4.5
// million tests; it stops at the limit that the header states.
static int counting_is_bounded_where_all_triangles_cross(void)
{
    enum
    {
        COUNT = 3000,
    };
    pelt_vec3* positions = calloc((size_t)3 * COUNT, sizeof *positions);
    uint32_t* corners = calloc((size_t)3 * COUNT, sizeof *corners);
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        float angle = PELT_PI * (float)i / COUNT, height = (float)i / COUNT;
        pelt_vec3 across = pelt_vec3_make(cosf(angle), 0.0f, sinf(angle));
        positions[3 * i] = pelt_vec3_mad(pelt_vec3_make(0.0f, height - 5.0f, 0.0f), -1.0f, across);
        positions[3 * i + 1] = pelt_vec3_mad(pelt_vec3_make(0.0f, height, 0.0f), 1.1f, across);
        positions[3 * i + 2] =
            pelt_vec3_mad(pelt_vec3_make(0.0f, height + 5.0f, 0.0f), -0.9f, across);
    }
    for (uint32_t i = 0; i < 3 * COUNT; ++i)
    {
        corners[i] = i;
    }
    uint64_t found = 0;
    pelti_box_tree tree;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelti_box_tree_build(&tree, positions, corners, COUNT, corners, 1e-6, arena));
    pelti_box_tree_cross(&tree, positions, count_pair, &found);
    printf("  %llu pairs\n", (unsigned long long)found);
    ENSURE(found > 100000 && found <= (1u << 17) + 48 * COUNT);
    pelt_arena_destroy(arena);
    free(positions);
    free(corners);
    return 0;
}

void test_intersection(void)
{
    RUN(triangles_cross_where_each_passes_through_the_other);
    RUN(touching_is_not_crossing);
    RUN(a_crossing_may_end_on_two_edges);
    RUN(a_post_crosses_a_wall_eight_times);
    RUN(random_triangles_cross_as_often_as_all_pairs_say);
    RUN(spheres_cross_along_a_circle);
    RUN(what_is_no_number_crosses_nothing);
    RUN(counting_is_bounded_where_all_triangles_cross);
}
