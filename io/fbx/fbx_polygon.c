// SPDX-License-Identifier: MIT
// Polygons cut into triangles: hollow ones by cutting ears off, seen along their normal.
#include "fbx_read.h"

#include <string.h>

enum
{
    MOST_CORNERS = 4096, // of a polygon that ears are cut off; larger ones become fans
};

typedef struct point2
{
    double x, y;
} point2;

// Twice the area of a triangle, positive when it turns left.
static double area_of(point2 a, point2 b, point2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static pelt_vec3 corner_point(const pelti_fbx_surface* s, uint32_t corner)
{
    return s->points[s->corners[corner]];
}

// Into the plane of the axes other than the one nearest to the normal, turning left.
static void flatten(point2* out, const pelti_fbx_surface* s, uint32_t first, uint32_t count)
{
    // Newell's normal: twice the area of the polygon in each of the three planes.
    double n[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_vec3 a = corner_point(s, first + i), b = corner_point(s, first + (i + 1) % count);
        n[0] += ((double)a.y - (double)b.y) * ((double)a.z + (double)b.z);
        n[1] += ((double)a.z - (double)b.z) * ((double)a.x + (double)b.x);
        n[2] += ((double)a.x - (double)b.x) * ((double)a.y + (double)b.y);
    }
    int axis = fabs(n[0]) > fabs(n[1]) ? 0 : 1;
    axis = fabs(n[2]) > fabs(n[axis]) ? 2 : axis;
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_vec3 p = corner_point(s, first + i);
        const double at[3] = {(double)p.x, (double)p.y, (double)p.z};
        point2 flat = {at[(axis + 1) % 3], at[(axis + 2) % 3]};
        out[i] = n[axis] < 0.0 ? (point2){flat.y, flat.x} : flat;
    }
}

static bool is_inside(point2 p, point2 a, point2 b, point2 c)
{
    return area_of(a, b, p) >= 0.0 && area_of(b, c, p) >= 0.0 && area_of(c, a, p) >= 0.0;
}

static bool is_same(point2 a, point2 b)
{
    return a.x == b.x && a.y == b.y;
}

// Whether corner `at` of those that are left can be cut off.
static bool is_ear(const point2* flat, const uint32_t* left, uint32_t count, uint32_t at)
{
    point2 a = flat[left[(at + count - 1) % count]], b = flat[left[at]],
           c = flat[left[(at + 1) % count]];
    if (area_of(a, b, c) <= 0.0)
    {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        point2 p = flat[left[i]];
        if (!is_same(p, a) && !is_same(p, b) && !is_same(p, c) && is_inside(p, a, b, c))
        {
            return false;
        }
    }
    return true;
}

// From `first` on in turn; where no ear is left, as in a polygon that crosses itself, any does.
static void cut_ears(uint32_t* out, const point2* flat, uint32_t* left, uint32_t count,
                     uint32_t first)
{
    uint32_t at = 1;
    while (count > 3)
    {
        uint32_t tries = 0;
        while (tries < count && !is_ear(flat, left, count, at % count))
        {
            ++at;
            ++tries;
        }
        at %= count;
        *out++ = first + left[(at + count - 1) % count];
        *out++ = first + left[at];
        *out++ = first + left[(at + 1) % count];
        memmove(left + at, left + at + 1, (count - at - 1) * sizeof *left);
        --count;
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        *out++ = first + left[i];
    }
}

static void cut_fan(uint32_t* out, uint32_t first, uint32_t count)
{
    for (uint32_t i = 2; i < count; ++i)
    {
        *out++ = first;
        *out++ = first + i - 1;
        *out++ = first + i;
    }
}

typedef struct cutter
{
    point2* flat;
    uint32_t* left;
    uint32_t small, huge; // polygons with fewer than three corners, and with too many
} cutter;

static bool is_convex(const point2* flat, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (area_of(flat[i], flat[(i + 1) % count], flat[(i + 2) % count]) < 0.0)
        {
            return false;
        }
    }
    return true;
}

static pelt_result cut_polygon(uint32_t* out, pelti_fbx* f, const pelti_fbx_surface* s, cutter* c,
                               uint32_t polygon)
{
    uint32_t first = s->first[polygon], count = s->first[polygon + 1] - first;
    c->huge += count > MOST_CORNERS;
    if (count <= 3 || count > MOST_CORNERS)
    {
        cut_fan(out, first, count);
        return PELT_OK;
    }
    flatten(c->flat, s, first, count);
    if (is_convex(c->flat, count))
    {
        cut_fan(out, first, count);
        return PELT_OK;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        c->left[i] = i;
    }
    cut_ears(out, c->flat, c->left, count, first);
    return pelti_fbx_charge(&f->file, (uint64_t)count * count);
}

static pelt_result report(pelti_fbx* f, const cutter* c, const char* name)
{
    pelt_result result = PELT_OK;
    if (c->small > 0)
    {
        result = pelti_fbx_repair(f, "mesh %s: left out %u %s", name, c->small,
                                  pelti_plural(c->small, "point, line or broken polygon",
                                               "points, lines or broken polygons"));
    }
    return result == PELT_OK && c->huge > 0
               ? pelti_fbx_repair(f, "mesh %s: cut %u %s with more than %d corners into fans", name,
                                  c->huge, pelti_plural(c->huge, "polygon", "polygons"),
                                  MOST_CORNERS)
               : result;
}

pelt_result pelti_fbx_triangulate(pelti_fbx_surface* s, pelti_fbx* f, const char* name)
{
    cutter c = {pelti_fbx_take(&f->file, MOST_CORNERS, sizeof *c.flat),
                pelti_fbx_take(&f->file, MOST_CORNERS, sizeof *c.left), 0, 0};
    // A polygon gives two triangles fewer than it has corners.
    uint32_t* triangles = pelti_fbx_take(&f->file, s->corner_count, 3 * sizeof *triangles);
    uint32_t* polygons = pelti_fbx_take(&f->file, s->corner_count, sizeof *polygons);
    if (c.flat == NULL || c.left == NULL || triangles == NULL || polygons == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_result result = PELT_OK;
    for (uint32_t p = 0; p < s->polygon_count && result == PELT_OK; ++p)
    {
        uint32_t count = s->first[p + 1] - s->first[p];
        c.small += count < 3;
        if (count >= 3)
        {
            result = cut_polygon(triangles + 3 * (size_t)s->triangle_count, f, s, &c, p);
        }
        for (uint32_t i = 2; i < count; ++i)
        {
            polygons[s->triangle_count++] = p;
        }
    }
    s->triangles = triangles;
    s->polygon_of_triangle = polygons;
    return result == PELT_OK ? report(f, &c, name) : result;
}
