// SPDX-License-Identifier: MIT
#include "surface_walk.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Points

// The attributes by which vertices are compared.
typedef struct corner
{
    pelt_vec3 position;
    const pelt_influence* influences;
    const uint32_t* joints; // nodes of the skin
    uint32_t influence_count;
    uint32_t vertex; // among all
} corner;

static int compare_floats(float a, float b)
{
    return (a > b) - (a < b);
}

static int compare_weights(const corner* a, const corner* b)
{
    int order =
        (a->influence_count > b->influence_count) - (a->influence_count < b->influence_count);
    for (uint32_t i = 0; i < a->influence_count && order == 0; ++i)
    {
        uint32_t x = a->joints[a->influences[i].joint], y = b->joints[b->influences[i].joint];
        order = (x > y) - (x < y);
        order =
            order != 0 ? order : compare_floats(a->influences[i].weight, b->influences[i].weight);
    }
    return order;
}

static int compare_corners(const void* x, const void* y)
{
    const corner *a = x, *b = y;
    int order = compare_floats(a->position.x, b->position.x);
    order = order != 0 ? order : compare_floats(a->position.y, b->position.y);
    order = order != 0 ? order : compare_floats(a->position.z, b->position.z);
    order = order != 0 ? order : compare_weights(a, b);
    return order;
}

static int compare_members(const void* x, const void* y)
{
    const corner *a = x, *b = y;
    int order = compare_corners(x, y);
    return order != 0 ? order : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static void list_corners(corner* out, const surface_walk* walk, const pelt_scene* scene)
{
    for (uint32_t m = 0; m < scene->mesh_count; ++m)
    {
        uint32_t first = walk->mesh_first[m], count = walk->mesh_first[m + 1] - first;
        const pelt_mesh* mesh = &scene->meshes[m];
        for (uint32_t v = 0; v < count; ++v)
        {
            out[first + v] = (corner){
                .position = mesh->positions[v],
                .influences = mesh->weights.influences + mesh->weights.first[v],
                .joints = scene->skins[walk->skins[m]].joints,
                .influence_count = mesh->weights.first[v + 1] - mesh->weights.first[v],
                .vertex = first + v,
            };
        }
    }
}

static void join_corners(surface_walk* inout, corner* corners, uint32_t count)
{
    qsort(corners, count, sizeof *corners, compare_members);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (i == 0 || compare_corners(&corners[i - 1], &corners[i]) != 0)
        {
            inout->member_first[inout->point_count++] = i;
        }
        inout->members[i] = corners[i].vertex;
        inout->point_of[corners[i].vertex] = inout->point_count - 1;
    }
    inout->member_first[inout->point_count] = count;
}

static bool find_points(surface_walk* inout, const pelt_scene* scene)
{
    uint32_t count = inout->mesh_first[scene->mesh_count];
    corner* corners = calloc((size_t)count + 1, sizeof *corners);
    inout->point_of = pelt_arena_alloc(inout->arena, count, sizeof(uint32_t));
    inout->members = pelt_arena_alloc(inout->arena, count, sizeof(uint32_t));
    inout->member_first = pelt_arena_alloc(inout->arena, (size_t)count + 1, sizeof(uint32_t));
    bool has_memory = corners != NULL && inout->point_of != NULL && inout->members != NULL &&
                      inout->member_first != NULL;
    if (has_memory)
    {
        list_corners(corners, inout, scene);
        join_corners(inout, corners, count);
    }
    free(corners);
    return has_memory;
}

// ---------------------------------------------------------------------------------------------
// Triangles

static void fill_triangles(surface_walk* inout, const pelt_scene* scene)
{
    for (uint32_t m = 0; m < scene->mesh_count; ++m)
    {
        uint32_t first = inout->triangle_first[m], end = inout->triangle_first[m + 1];
        for (uint32_t i = 0; i < 3 * (end - first); ++i)
        {
            uint32_t vertex = inout->mesh_first[m] + scene->meshes[m].indices[i];
            inout->triangles[3 * first + i] = inout->point_of[vertex];
        }
    }
}

// Triangles with each point, by counting.
static void fill_point_triangles(surface_walk* inout, uint32_t triangle_count)
{
    uint32_t* first = inout->first_triangle;
    memset(first, 0, ((size_t)inout->point_count + 1) * sizeof *first);
    for (uint32_t i = 0; i < 3 * triangle_count; ++i)
    {
        ++first[inout->triangles[i] + 1];
    }
    for (uint32_t p = 0; p < inout->point_count; ++p)
    {
        first[p + 1] += first[p];
    }
    memset(inout->slots, 0, inout->point_count * sizeof *inout->slots); // how many so far
    for (uint32_t i = 0; i < 3 * triangle_count; ++i)
    {
        uint32_t point = inout->triangles[i];
        inout->point_triangles[first[point] + inout->slots[point]++] = i / 3;
    }
}

static bool find_triangles(surface_walk* inout, const pelt_scene* scene)
{
    uint32_t count = inout->triangle_first[scene->mesh_count];
    size_t points = inout->point_count;
    inout->triangles = pelt_arena_alloc(inout->arena, 3 * (size_t)count, sizeof(uint32_t));
    inout->point_triangles = pelt_arena_alloc(inout->arena, 3 * (size_t)count, sizeof(uint32_t));
    inout->first_triangle = pelt_arena_alloc(inout->arena, points + 1, sizeof(uint32_t));
    inout->distances = pelt_arena_alloc(inout->arena, points, sizeof(float));
    inout->reached = pelt_arena_alloc(inout->arena, points, sizeof(uint32_t));
    inout->heap = pelt_arena_alloc(inout->arena, points, sizeof(uint32_t));
    inout->slots = pelt_arena_alloc(inout->arena, points, sizeof(uint32_t));
    if (inout->triangles == NULL || inout->point_triangles == NULL ||
        inout->first_triangle == NULL || inout->distances == NULL || inout->reached == NULL ||
        inout->heap == NULL || inout->slots == NULL)
    {
        return false;
    }
    fill_triangles(inout, scene);
    fill_point_triangles(inout, count);
    for (uint32_t p = 0; p < inout->point_count; ++p)
    {
        inout->distances[p] = INFINITY;
        inout->slots[p] = PELT_NONE;
    }
    return true;
}

// The skin that each mesh has first, or PELT_NONE.
static void find_skins(uint32_t* out, const pelt_scene* scene)
{
    memset(out, 0xff, scene->mesh_count * sizeof *out);
    for (uint32_t i = scene->instance_count; i > 0; --i)
    {
        const pelt_instance* instance = &scene->instances[i - 1];
        out[instance->mesh] = instance->skin != PELT_NONE ? instance->skin : out[instance->mesh];
    }
}

// Vertices and triangles of the meshes that have weights. @return false: too many, or no memory
static bool count_all(surface_walk* inout, const pelt_scene* scene)
{
    uint64_t vertices = 0, corners = 0;
    inout->mesh_first =
        pelt_arena_alloc(inout->arena, (size_t)scene->mesh_count + 1, sizeof(uint32_t));
    inout->triangle_first =
        pelt_arena_alloc(inout->arena, (size_t)scene->mesh_count + 1, sizeof(uint32_t));
    inout->skins = pelt_arena_alloc(inout->arena, scene->mesh_count, sizeof(uint32_t));
    if (inout->mesh_first == NULL || inout->triangle_first == NULL || inout->skins == NULL)
    {
        return false;
    }
    find_skins(inout->skins, scene);
    for (uint32_t m = 0; m <= scene->mesh_count; ++m)
    {
        inout->mesh_first[m] = (uint32_t)vertices;
        inout->triangle_first[m] = (uint32_t)(corners / 3);
        const pelt_mesh* mesh = m < scene->mesh_count ? &scene->meshes[m] : NULL;
        if (mesh != NULL && mesh->weights.vertex_count > 0 && inout->skins[m] != PELT_NONE)
        {
            vertices += mesh->vertex_count;
            corners += mesh->index_count - mesh->index_count % 3;
        }
    }
    return vertices < UINT32_MAX && corners < UINT32_MAX;
}

bool surface_walk_create(surface_walk* out, const pelt_scene* scene)
{
    *out = (surface_walk){.mesh_count = scene->mesh_count, .arena = pelt_arena_create()};
    bool is_whole = out->arena != NULL && count_all(out, scene) && find_points(out, scene) &&
                    find_triangles(out, scene);
    if (!is_whole)
    {
        surface_walk_destroy(out);
    }
    return is_whole;
}

void surface_walk_destroy(surface_walk* in)
{
    pelt_arena_destroy(in->arena);
    *in = (surface_walk){0};
}

// ---------------------------------------------------------------------------------------------
// A heap of points by distance, in which a point can move up

static void put(surface_walk* inout, uint32_t slot, uint32_t point)
{
    inout->heap[slot] = point;
    inout->slots[point] = slot;
}

static void move_up(surface_walk* inout, uint32_t slot, uint32_t point)
{
    while (slot > 0)
    {
        uint32_t above = (slot - 1) / 2, other = inout->heap[above];
        if (inout->distances[other] <= inout->distances[point])
        {
            break;
        }
        put(inout, slot, other);
        slot = above;
    }
    put(inout, slot, point);
}

static uint32_t take_nearest(surface_walk* inout)
{
    uint32_t nearest = inout->heap[0], last = inout->heap[--inout->heap_count];
    uint32_t slot = 0;
    inout->slots[nearest] = PELT_NONE;
    for (uint32_t below = 1; below < inout->heap_count; below = 2 * slot + 1)
    {
        bool is_right = below + 1 < inout->heap_count && inout->distances[inout->heap[below + 1]] <
                                                             inout->distances[inout->heap[below]];
        below += is_right ? 1 : 0;
        if (inout->distances[last] <= inout->distances[inout->heap[below]])
        {
            break;
        }
        put(inout, slot, inout->heap[below]);
        slot = below;
    }
    if (inout->heap_count > 0)
    {
        put(inout, slot, last);
    }
    return nearest;
}

// ---------------------------------------------------------------------------------------------
// Walking

uint32_t surface_walk_mesh(const surface_walk* in, uint32_t vertex)
{
    uint32_t low = 0, high = in->mesh_count;
    while (high - low > 1)
    {
        uint32_t middle = low + (high - low) / 2;
        low = in->mesh_first[middle] <= vertex ? middle : low;
        high = in->mesh_first[middle] <= vertex ? high : middle;
    }
    return low;
}

typedef struct walking
{
    surface_walk* walk;
    const pelt_vec3* const* positions;
    float limit;
} walking;

static bool find_position(pelt_vec3* out, const walking* w, uint32_t point)
{
    const surface_walk* walk = w->walk;
    for (uint32_t i = walk->member_first[point]; i < walk->member_first[point + 1]; ++i)
    {
        uint32_t mesh = surface_walk_mesh(walk, walk->members[i]);
        if (w->positions[mesh] != NULL)
        {
            *out = w->positions[mesh][walk->members[i] - walk->mesh_first[mesh]];
            return true;
        }
    }
    return false;
}

// A point that was visited may be found again on a shorter path, through an edge with one end
// farther away than the point itself.
static void offer(walking* w, uint32_t point, float distance)
{
    const float shorter = 0.9999f; // so that rounding ends
    surface_walk* walk = w->walk;
    float old = walk->distances[point];
    if (!(distance <= w->limit) || !(distance < shorter * old))
    {
        return;
    }
    if (old == INFINITY)
    {
        walk->reached[walk->reached_count++] = point;
    }
    if (walk->slots[point] == PELT_NONE)
    {
        walk->slots[point] = walk->heap_count++;
    }
    walk->distances[point] = distance;
    move_up(walk, walk->slots[point], point);
}

// The distance of c, by the point in the plane of the triangle that is as far from a and b as the
// start is, on the other side of their edge; infinite when the way to it does not cross the edge.
static float unfold(pelt_vec3 a, float from_a, pelt_vec3 b, float from_b, pelt_vec3 c)
{
    float length = pelt_vec3_distance(a, b);
    pelt_vec3 along = pelt_vec3_scale(pelt_vec3_sub(b, a), 1.0f / length);
    pelt_vec3 way = pelt_vec3_sub(c, a);
    float x = pelt_vec3_dot(way, along);
    float y = sqrtf(fmaxf(pelt_vec3_dot(way, way) - x * x, 0.0f));
    float start_x = (from_a * from_a - from_b * from_b + length * length) / (2.0f * length);
    float below = from_a * from_a - start_x * start_x;
    if (!(below >= 0.0f) || !(length > 0.0f))
    {
        return INFINITY;
    }
    float start_y = sqrtf(below);
    float crossing = start_x + (x - start_x) * start_y / fmaxf(start_y + y, 1e-30f);
    bool is_through = crossing >= 0.0f && crossing <= length;
    return is_through ? hypotf(x - start_x, y + start_y) : INFINITY;
}

static void cross_triangle(walking* w, uint32_t triangle, uint32_t from)
{
    surface_walk* walk = w->walk;
    const uint32_t* corners = walk->triangles + 3 * (size_t)triangle;
    pelt_vec3 positions[3];
    uint32_t at = 0;
    for (uint32_t i = 0; i < 3; ++i)
    {
        at = corners[i] == from ? i : at;
        if (!find_position(&positions[i], w, corners[i]))
        {
            return;
        }
    }
    float distance = walk->distances[from];
    for (uint32_t i = 1; i < 3; ++i)
    {
        uint32_t next = (at + i) % 3, other = (at + 3 - i) % 3;
        offer(w, corners[next], distance + pelt_vec3_distance(positions[at], positions[next]));
        if (walk->distances[corners[other]] < INFINITY)
        {
            offer(w, corners[next],
                  unfold(positions[at], distance, positions[other], walk->distances[corners[other]],
                         positions[next]));
        }
    }
}

static void forget_last(surface_walk* inout)
{
    for (uint32_t i = 0; i < inout->reached_count; ++i)
    {
        inout->distances[inout->reached[i]] = INFINITY;
    }
    inout->reached_count = 0;
}

void surface_walk_from(surface_walk* inout, const pelt_vec3* const* positions,
                       const surface_point* from, float limit)
{
    walking w = {inout, positions, limit};
    forget_last(inout);
    uint32_t triangle = inout->triangle_first[from->mesh] + from->triangle;
    if (triangle >= inout->triangle_first[from->mesh + 1])
    {
        return; // a mesh that is not skinned
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        uint32_t point = inout->triangles[3 * (size_t)triangle + i];
        pelt_vec3 position;
        if (find_position(&position, &w, point))
        {
            offer(&w, point, pelt_vec3_distance(position, from->position));
        }
    }
    while (inout->heap_count > 0)
    {
        uint32_t nearest = take_nearest(inout);
        for (uint32_t i = inout->first_triangle[nearest]; i < inout->first_triangle[nearest + 1];
             ++i)
        {
            cross_triangle(&w, inout->point_triangles[i], nearest);
        }
    }
}
