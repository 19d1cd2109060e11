// SPDX-License-Identifier: MIT
// Welded vertices and their triangles. Vertices are welded by a hash table of group
// leaders, in linear time.
#include "../base/exact.h"

#include "vertex_rings.h"

#include <string.h>

enum
{
    // Limit of creases at one point. Further vertices join the group with the nearest normal:
    // otherwise meshes with all vertices at one point would take quadratic time.
    CREASE_MAX = 16
};

// Normals of a seam agree to rounding and quantization; those of a crease differ by far more.
static const float cos_crease = 0.99985f; // 1 degree

static uint32_t mix_float(uint32_t hash, float value)
{
    // Adding zero converts -0 to 0, so that equal values have equal bits.
    float key = value + 0.0f;
    uint32_t bits;
    memcpy(&bits, &key, sizeof bits);
    hash = (hash ^ bits) * 16777619u; // FNV-1a on 32-bit values
    return hash ^ (hash >> 15);
}

static uint32_t influence_count(const pelt_mesh* mesh, uint32_t v)
{
    const pelt_weights* weights = &mesh->weights;
    return weights->vertex_count > 0 ? weights->first[v + 1] - weights->first[v] : 0;
}

static uint32_t hash_vertex(const pelt_mesh* mesh, uint32_t v)
{
    pelt_vec3 p = mesh->positions[v];
    uint32_t hash = mix_float(mix_float(mix_float(2166136261u, p.x), p.y), p.z);
    for (uint32_t i = 0; i < influence_count(mesh, v); ++i)
    {
        const pelt_influence* inf = &mesh->weights.influences[mesh->weights.first[v] + i];
        hash = mix_float(hash ^ inf->joint, inf->weight);
    }
    hash *= 0x85ebca6bu; // the finalizer of MurmurHash3
    return hash ^ (hash >> 13);
}

static bool is_same_point(const pelt_mesh* mesh, uint32_t a, uint32_t b)
{
    pelt_vec3 p = mesh->positions[a], q = mesh->positions[b];
    uint32_t count = influence_count(mesh, a);
    bool is_same = p.x == q.x && p.y == q.y && p.z == q.z && count == influence_count(mesh, b);
    for (uint32_t i = 0; is_same && i < count; ++i)
    {
        const pelt_influence* s = &mesh->weights.influences[mesh->weights.first[a] + i];
        const pelt_influence* t = &mesh->weights.influences[mesh->weights.first[b] + i];
        is_same = s->joint == t->joint && s->weight == t->weight;
    }
    return is_same;
}

static float normal_cosine(const pelt_mesh* mesh, uint32_t a, uint32_t b)
{
    return mesh->normals == NULL ? 1.0f
                                 : pelt_vec3_dot(pelt_vec3_normalize(mesh->normals[a]),
                                                 pelt_vec3_normalize(mesh->normals[b]));
}

// Leaders of groups by hash. Open addressing, at most half full.
typedef struct leaders
{
    uint32_t* slots; // vertex + 1, or 0
    size_t mask;
} leaders;

// The leader of the group of a vertex; the vertex itself when it starts a new group.
static uint32_t find_leader(const leaders* table, const pelt_mesh* mesh, uint32_t v)
{
    uint32_t crease_count = 0, nearest = v;
    float best = -2.0f;
    size_t slot = hash_vertex(mesh, v) & table->mask;
    for (; table->slots[slot] != 0; slot = (slot + 1) & table->mask)
    {
        uint32_t leader = table->slots[slot] - 1;
        if (!is_same_point(mesh, leader, v))
        {
            continue;
        }
        float cosine = normal_cosine(mesh, leader, v);
        nearest = cosine > best ? leader : nearest;
        best = cosine > best ? cosine : best;
        if (best > cos_crease || ++crease_count == CREASE_MAX)
        {
            return nearest;
        }
    }
    table->slots[slot] = v + 1;
    return v;
}

// The group of each vertex, in order of first vertices. @return NULL when out of memory
static uint32_t* number_groups(uint32_t* group_count, const pelt_mesh* mesh, pelt_arena* scratch)
{
    size_t slot_count = 16;
    while (slot_count < 2 * (size_t)mesh->vertex_count)
    {
        slot_count *= 2;
    }
    leaders table = {pelt_arena_alloc(scratch, slot_count, sizeof *table.slots), slot_count - 1};
    uint32_t* group_of = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof *group_of);
    *group_count = 0;
    if (table.slots == NULL || group_of == NULL)
    {
        return NULL;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t leader = find_leader(&table, mesh, v);
        group_of[v] = leader == v ? (*group_count)++ : group_of[leader];
    }
    return group_of;
}

// Offsets and members of each group, ascending.
// @param groups  the group of each of `count` members
static bool list_members(uint32_t* offsets, uint32_t* members, const uint32_t* groups,
                         uint32_t count, uint32_t group_count)
{
    if (offsets == NULL || members == NULL)
    {
        return false;
    }
    // Count into entry group + 2: filling then advances each offset to its final value.
    for (uint32_t i = 0; i < count; ++i)
    {
        ++offsets[groups[i] + 2];
    }
    for (uint32_t group = 0; group < group_count; ++group)
    {
        offsets[group + 2] += offsets[group + 1];
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        members[offsets[groups[i] + 1]++] = i;
    }
    return true;
}

bool pelti_weld_vertices(pelti_weld* out, const pelt_mesh* mesh, pelt_arena* scratch)
{
    *out = (pelti_weld){0};
    uint32_t corner_count = mesh->index_count - mesh->index_count % 3;
    uint32_t* vertex_groups = number_groups(&out->group_count, mesh, scratch);
    uint32_t* corner_groups = pelt_arena_alloc(scratch, corner_count, sizeof *corner_groups);
    if (vertex_groups == NULL || corner_groups == NULL)
    {
        return false;
    }
    for (uint32_t corner = 0; corner < corner_count; ++corner)
    {
        corner_groups[corner] = vertex_groups[mesh->indices[corner]];
    }
    size_t offset_count = (size_t)out->group_count + 2;
    out->vertex_first = pelt_arena_alloc(scratch, offset_count, sizeof *out->vertex_first);
    out->corner_first = pelt_arena_alloc(scratch, offset_count, sizeof *out->corner_first);
    out->vertices = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof *out->vertices);
    out->corners = pelt_arena_alloc(scratch, corner_count, sizeof *out->corners);
    return list_members(out->vertex_first, out->vertices, vertex_groups, mesh->vertex_count,
                        out->group_count) &&
           list_members(out->corner_first, out->corners, corner_groups, corner_count,
                        out->group_count);
}

// =============================================================================================
// Normals and gradients of a triangle.

// A triangle is degenerate when its height over the longest edge, relative to that edge, is below
// the rounding of its corners.
static const double flat_height = 1e-7;

// Normals of opposite triangles, such as the two faces of a sheet, cancel: below this length,
// relative to the area, their sum is rounding.
static const double canceled_normal = 1e-6;

void pelti_triangle_edges(pelti_triangle* out, const pelt_vec3* positions, const uint32_t* indices,
                          uint32_t corner)
{
    uint32_t first = corner - corner % 3;
    pelti_double3 p[3];
    for (uint32_t k = 0; k < 3; ++k)
    {
        out->vertices[k] = indices[first + (corner + k) % 3];
        p[k] = pelti_double3_from(positions[out->vertices[k]]);
    }
    for (int k = 0; k < 3; ++k)
    {
        out->edges[k] = pelti_double3_sub(p[(k + 2) % 3], p[(k + 1) % 3]);
    }
}

bool pelti_triangle_at(pelti_triangle* out, const pelt_vec3* positions, const uint32_t* indices,
                       uint32_t corner)
{
    pelti_triangle_edges(out, positions, indices, corner);
    double longest2 = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        longest2 = fmax(longest2, pelti_double3_dot(out->edges[k], out->edges[k]));
    }
    pelti_double3 cross = pelti_double3_cross(out->edges[0], out->edges[1]);
    double twice = pelti_double3_length(cross);
    if (!(twice > flat_height * longest2))
    {
        return false;
    }
    out->normal = pelti_double3_scale(cross, 1.0 / twice);
    out->area = 0.5 * twice;
    for (int k = 0; k < 3; ++k)
    {
        pelti_double3 inwards = pelti_double3_cross(out->normal, out->edges[k]);
        out->gradients[k] = pelti_double3_scale(inwards, 1.0 / twice);
    }
    return true;
}

pelti_double3 pelti_plane_normal(pelti_double3 sum, double area)
{
    bool is_canceled = pelti_double3_length(sum) <= canceled_normal * area;
    return is_canceled ? (pelti_double3){0.0, 0.0, 0.0} : pelti_double3_unit(sum);
}

bool pelti_plane_flatten(double out[2][2], double gradients[2][2])
{
    double determinant = gradients[0][0] * gradients[1][1] - gradients[0][1] * gradients[1][0];
    if (!(determinant > 1e-6))
    {
        return false;
    }
    out[0][0] = gradients[1][1] / determinant;
    out[1][1] = gradients[0][0] / determinant;
    out[0][1] = -gradients[0][1] / determinant;
    out[1][0] = -gradients[1][0] / determinant;
    return true;
}
