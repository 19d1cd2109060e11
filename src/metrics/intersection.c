// SPDX-License-Identifier: MIT
// Triangles that cross, found by a tree of boxes and tested by the intervals in which they meet the
// line between their planes (Moeller, "A Fast Triangle-Triangle Intersection Test", 1997).
#include "../base/exact.h"

#include "body.h"

#include "../base/double3.h"

#include <stdlib.h>

enum
{
    LEAF_SIZE = 4, // triangles that share a box
};

// ---------------------------------------------------------------------------------------------
// Two triangles

typedef struct plane
{
    pelti_double3 normal; // unit
    pelti_double3 origin;
} plane;

static bool plane_of(plane* out, const pelti_double3 p[3])
{
    pelti_double3 n =
        pelti_double3_cross(pelti_double3_sub(p[1], p[0]), pelti_double3_sub(p[2], p[0]));
    double length = pelti_double3_length(n);
    *out = (plane){pelti_double3_scale(n, 1.0 / length), p[0]};
    return length > 0.0;
}

// Distances of the corners of a triangle from a plane.
// @return whether there are corners on both sides
static bool is_cut(double heights[3], const plane* by, const pelti_double3 p[3], double tolerance)
{
    bool has_above = false, has_below = false;
    for (int i = 0; i < 3; ++i)
    {
        double height = pelti_double3_dot(by->normal, pelti_double3_sub(p[i], by->origin));
        heights[i] = fabs(height) <= tolerance ? 0.0 : height;
        has_above |= heights[i] > 0.0;
        has_below |= heights[i] < 0.0;
    }
    return has_above && has_below;
}

typedef struct interval
{
    double low, high;
} interval;

// The interval in which a triangle meets the line, along it.
static interval cut_interval(const pelti_double3 p[3], const double heights[3],
                             pelti_double3 direction, pelti_double3 origin)
{
    interval out = {(double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3;
        double from = heights[i], to = heights[j];
        if (from * to < 0.0 || from == 0.0)
        {
            pelti_double3 edge = pelti_double3_sub(p[j], p[i]);
            pelti_double3 at =
                from == 0.0 ? p[i] : pelti_double3_mad(p[i], from / (from - to), edge);
            double along = pelti_double3_dot(direction, pelti_double3_sub(at, origin));
            out.low = fmin(out.low, along);
            out.high = fmax(out.high, along);
        }
    }
    return out;
}

bool pelti_triangles_cross(const pelt_vec3 a[3], const pelt_vec3 b[3], double tolerance)
{
    pelti_double3 p[3], q[3];
    for (int i = 0; i < 3; ++i)
    {
        p[i] = pelti_double3_from(a[i]);
        q[i] = pelti_double3_from(b[i]);
    }
    plane of_a, of_b;
    double heights_a[3], heights_b[3];
    if (!plane_of(&of_a, p) || !is_cut(heights_b, &of_a, q, tolerance) || !plane_of(&of_b, q) ||
        !is_cut(heights_a, &of_b, p, tolerance))
    {
        return false;
    }
    pelti_double3 line = pelti_double3_cross(of_a.normal, of_b.normal);
    double sine = pelti_double3_length(line);
    if (!(sine > 1e-9)) // coplanar up to rounding: triangles touch
    {
        return false;
    }
    line = pelti_double3_scale(line, 1.0 / sine);
    interval s = cut_interval(p, heights_a, line, p[0]);
    interval t = cut_interval(q, heights_b, line, p[0]);
    return fmin(s.high, t.high) - fmax(s.low, t.low) > tolerance;
}

// ---------------------------------------------------------------------------------------------
// The tree
//
// A node covers some triangles that are neighbors in the list; its halves are its children, the
// first right behind it, the second behind all that the first may need.

typedef struct node
{
    uint32_t index;
    pelt_range range;
} node;

static bool is_leaf(node n)
{
    return n.range.count <= LEAF_SIZE;
}

static node child_of(node n, int which)
{
    uint32_t half = n.range.count / 2;
    node first = {n.index + 1, {n.range.first, half}};
    node second = {n.index + 2 * half, {n.range.first + half, n.range.count - half}};
    return which == 0 ? first : second;
}

typedef struct coded
{
    uint64_t code;
    uint32_t triangle;
} coded;

static int compare_codes(const void* a, const void* b)
{
    const coded *s = a, *t = b;
    if (s->code != t->code)
    {
        return s->code < t->code ? -1 : 1;
    }
    return (s->triangle > t->triangle) - (s->triangle < t->triangle);
}

// 21 bits with two zeros between any two.
static uint64_t spread_bits(uint64_t x)
{
    x = (x | x << 32) & 0x1f00000000ffffu;
    x = (x | x << 16) & 0x1f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

static uint64_t axis_bits(float sum, float low, float high)
{
    double part = high > low ? (double)(sum / 3.0f - low) / (double)(high - low) : 0.0;
    return spread_bits((uint64_t)(fmin(fmax(part, 0.0), 1.0) * 0x1fffff));
}

// Neighbors along a Z-order curve are near each other.
static uint64_t triangle_code(const pelt_vec3* positions, const uint32_t* corners,
                              const pelt_bounds* box)
{
    pelt_vec3 sum = positions[corners[0]];
    sum = pelt_vec3_add(pelt_vec3_add(sum, positions[corners[1]]), positions[corners[2]]);
    return axis_bits(sum.x, box->min.x, box->max.x) |
           axis_bits(sum.y, box->min.y, box->max.y) << 1 |
           axis_bits(sum.z, box->min.z, box->max.z) << 2;
}

bool pelti_box_tree_build(pelti_box_tree* out, const pelt_vec3* positions, const uint32_t* corners,
                          uint32_t triangle_count, const uint32_t* points, double tolerance,
                          pelt_arena* arena)
{
    *out = (pelti_box_tree){
        .triangle_count = triangle_count,
        .triangles = pelt_arena_alloc(arena, triangle_count, sizeof *out->triangles),
        .boxes = pelt_arena_alloc(arena, (size_t)triangle_count * 2, sizeof *out->boxes),
        .leaf_boxes = pelt_arena_alloc(arena, triangle_count, sizeof *out->leaf_boxes),
        .corners = corners,
        .points = points,
        .tolerance = tolerance};
    coded* codes = pelt_allocate((size_t)triangle_count + 1, sizeof *codes);
    bool is_ok =
        out->triangles != NULL && out->boxes != NULL && out->leaf_boxes != NULL && codes != NULL;
    pelt_bounds box = pelt_bounds_empty();
    for (uint32_t i = 0; is_ok && i < 3 * triangle_count; ++i)
    {
        pelt_bounds_add(&box, &positions[corners[i]], 1);
    }
    for (uint32_t t = 0; is_ok && t < triangle_count; ++t)
    {
        codes[t] = (coded){triangle_code(positions, corners + 3 * (size_t)t, &box), t};
    }
    if (is_ok)
    {
        qsort(codes, triangle_count, sizeof *codes, compare_codes);
    }
    for (uint32_t t = 0; is_ok && t < triangle_count; ++t)
    {
        out->triangles[t] = codes[t].triangle;
    }
    pelt_release(codes);
    return is_ok;
}

bool pelti_box_tree_share(pelti_box_tree* out, const pelti_box_tree* other, pelt_arena* arena)
{
    size_t count = other->triangle_count;
    *out = *other;
    out->boxes = pelt_arena_alloc(arena, 2 * count, sizeof *out->boxes);
    out->leaf_boxes = pelt_arena_alloc(arena, count, sizeof *out->leaf_boxes);
    return out->boxes != NULL && out->leaf_boxes != NULL;
}

static pelt_bounds join(pelt_bounds a, pelt_bounds b)
{
    return (pelt_bounds){
        pelt_vec3_make(fminf(a.min.x, b.min.x), fminf(a.min.y, b.min.y), fminf(a.min.z, b.min.z)),
        pelt_vec3_make(fmaxf(a.max.x, b.max.x), fmaxf(a.max.y, b.max.y), fmaxf(a.max.z, b.max.z))};
}

static pelt_bounds fit_boxes(pelti_box_tree* tree, const pelt_vec3* positions, node n)
{
    pelt_bounds box = pelt_bounds_empty();
    for (uint32_t i = n.range.first; is_leaf(n) && i < n.range.first + n.range.count; ++i)
    {
        const uint32_t* corners = tree->corners + 3 * (size_t)tree->triangles[i];
        pelt_vec3 a = positions[corners[0]], b = positions[corners[1]], c = positions[corners[2]];
        tree->leaf_boxes[i] =
            join(join((pelt_bounds){a, a}, (pelt_bounds){b, b}), (pelt_bounds){c, c});
        box = join(box, tree->leaf_boxes[i]);
    }
    if (!is_leaf(n))
    {
        box = join(fit_boxes(tree, positions, child_of(n, 0)),
                   fit_boxes(tree, positions, child_of(n, 1)));
    }
    tree->boxes[n.index] = box;
    return box;
}

// ---------------------------------------------------------------------------------------------
// All pairs

typedef struct search
{
    const pelti_box_tree* tree;
    const pelt_vec3* positions;
    pelti_crossing found;
    void* user;
    uint64_t left; // pairs of boxes that may still be tested
} search;

// Surfaces of characters take 15 to 35 tests for each triangle. If all triangles were at one
// position, the number would be half the square of theirs.
static uint64_t test_limit(uint32_t triangle_count)
{
    return (1u << 17) + 48 * (uint64_t)triangle_count;
}

static bool is_apart(const pelt_bounds* a, const pelt_bounds* b)
{
    return !(a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y &&
             b->min.y <= a->max.y && a->min.z <= b->max.z && b->min.z <= a->max.z);
}

// @param i, k  points in the list of triangles
static void test_pair(search* s, uint32_t i, uint32_t k)
{
    if (s->left == 0 || is_apart(&s->tree->leaf_boxes[i], &s->tree->leaf_boxes[k]))
    {
        return;
    }
    --s->left;
    uint32_t first = s->tree->triangles[i], second = s->tree->triangles[k];
    const uint32_t* a = s->tree->corners + 3 * (size_t)first;
    const uint32_t* b = s->tree->corners + 3 * (size_t)second;
    for (int pair = 0; pair < 9; ++pair)
    {
        if (s->tree->points[a[pair / 3]] == s->tree->points[b[pair % 3]])
        {
            return;
        }
    }
    pelt_vec3 p[3], q[3];
    for (int corner = 0; corner < 3; ++corner)
    {
        p[corner] = s->positions[a[corner]];
        q[corner] = s->positions[b[corner]];
    }
    if (pelti_triangles_cross(p, q, s->tree->tolerance))
    {
        s->found(first < second ? first : second, first < second ? second : first, s->user);
    }
}

static void search_between(search* s, node a, node b)
{
    if (s->left == 0 || is_apart(&s->tree->boxes[a.index], &s->tree->boxes[b.index]))
    {
        return;
    }
    --s->left;
    if (!is_leaf(a) && a.range.count >= b.range.count)
    {
        search_between(s, child_of(a, 0), b);
        search_between(s, child_of(a, 1), b);
        return;
    }
    if (!is_leaf(b))
    {
        search_between(s, a, child_of(b, 0));
        search_between(s, a, child_of(b, 1));
        return;
    }
    for (uint32_t i = a.range.first; i < a.range.first + a.range.count; ++i)
    {
        bool is_near = !is_apart(&s->tree->leaf_boxes[i], &s->tree->boxes[b.index]);
        for (uint32_t k = b.range.first; is_near && k < b.range.first + b.range.count; ++k)
        {
            test_pair(s, i, k);
        }
    }
}

static void search_within(search* s, node n)
{
    if (!is_leaf(n))
    {
        search_within(s, child_of(n, 0));
        search_within(s, child_of(n, 1));
        search_between(s, child_of(n, 0), child_of(n, 1));
        return;
    }
    uint32_t end = n.range.first + n.range.count;
    for (uint32_t i = n.range.first; i < end; ++i)
    {
        for (uint32_t k = i + 1; k < end; ++k)
        {
            test_pair(s, i, k);
        }
    }
}

void pelti_box_tree_cross(pelti_box_tree* tree, const pelt_vec3* positions, pelti_crossing found,
                          void* user)
{
    node root = {0, {0, tree->triangle_count}};
    search s = {tree, positions, found, user, test_limit(tree->triangle_count)};
    if (tree->triangle_count > 0)
    {
        fit_boxes(tree, positions, root);
        search_within(&s, root);
    }
}
