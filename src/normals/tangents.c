// SPDX-License-Identifier: MIT
// Tangents after Mikkelsen 2008: triangles around a vertex are divided into groups, each of which
// has one tangent.
#include "../base/exact.h"

#include "../../include/pelt/tangents.h"

#include <stdlib.h>
#include <string.h>

// A corner of a triangle, with what makes two corners the same vertex.
typedef struct corner_key
{
    float values[8]; // position, normal, UV
    uint32_t corner;
} corner_key;

// An edge between two welded vertices, the smaller first.
typedef struct edge_key
{
    uint32_t ends[2];
    uint32_t corner; // the edge goes from this corner to the next of its triangle
} edge_key;

// The texture on a triangle.
typedef struct face
{
    pelt_vec3 along_u;  // unit
    bool is_preserving; // handedness of the texture
    bool is_flexible;   // no direction: belongs to any group
    bool is_degenerate; // two corners at one position
} face;

typedef struct tangent_work
{
    const pelt_mesh* mesh;
    const pelt_vec2* uvs;
    uint32_t corner_count;
    uint32_t* welded;    // by corner
    uint32_t* neighbors; // by edge, which has the corner that it starts at: a corner of the
                         // triangle beyond, from which the same edge starts there; or PELT_NONE
    face* faces;
    uint32_t* groups;  // by corner: group, or PELT_NONE
    uint32_t* first;   // by group: its corners are members[first[group]] to
    uint32_t* members; // members[first[group + 1] - 1]
    float* angles;     // by group: sum of the angles of its corners
    uint32_t* stack;   // corners to visit
} tangent_work;

static uint32_t next_of(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static uint32_t before(uint32_t corner)
{
    return corner % 3 == 0 ? corner + 2 : corner - 1;
}

static pelt_vec3 position_of(const tangent_work* in, uint32_t corner)
{
    return in->mesh->positions[in->mesh->indices[corner]];
}

static int compare_corners(const void* a, const void* b)
{
    const corner_key *p = a, *q = b;
    for (int i = 0; i < 8; ++i)
    {
        if (p->values[i] != q->values[i])
        {
            return p->values[i] < q->values[i] ? -1 : 1;
        }
    }
    return p->corner < q->corner ? -1 : p->corner > q->corner;
}

static int compare_edges(const void* a, const void* b)
{
    const edge_key *p = a, *q = b;
    for (int i = 0; i < 2; ++i)
    {
        if (p->ends[i] != q->ends[i])
        {
            return p->ends[i] < q->ends[i] ? -1 : 1;
        }
    }
    return p->corner < q->corner ? -1 : p->corner > q->corner;
}

static pelt_result weld_corners(tangent_work* inout)
{
    const pelt_mesh* mesh = inout->mesh;
    corner_key* keys = pelt_allocate((size_t)inout->corner_count + 1, sizeof *keys);
    if (keys == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t c = 0; c < inout->corner_count; ++c)
    {
        uint32_t v = mesh->indices[c];
        pelt_vec3 p = mesh->positions[v], n = mesh->normals[v];
        // Adding 0 makes -0 and 0 the same.
        keys[c] = (corner_key){{p.x + 0.0f, p.y + 0.0f, p.z + 0.0f, n.x + 0.0f, n.y + 0.0f,
                                n.z + 0.0f, inout->uvs[v].x + 0.0f, inout->uvs[v].y + 0.0f},
                               c};
    }
    qsort(keys, inout->corner_count, sizeof *keys, compare_corners);
    for (uint32_t i = 0; i < inout->corner_count; ++i)
    {
        bool is_same =
            i > 0 && memcmp(keys[i].values, keys[i - 1].values, sizeof keys[i].values) == 0;
        inout->welded[keys[i].corner] =
            is_same ? inout->welded[keys[i - 1].corner] : keys[i].corner;
    }
    pelt_release(keys);
    return PELT_OK;
}

// Pair edges of two triangles that go in opposite directions; of more, the first two that fit.
static pelt_result find_neighbors(tangent_work* inout)
{
    edge_key* edges = pelt_allocate((size_t)inout->corner_count + 1, sizeof *edges);
    if (edges == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t c = 0; c < inout->corner_count; ++c)
    {
        uint32_t a = inout->welded[c], b = inout->welded[next_of(c)];
        inout->neighbors[c] = PELT_NONE;
        if (!inout->faces[c / 3].is_degenerate)
        {
            edges[count++] = (edge_key){{a < b ? a : b, a < b ? b : a}, c};
        }
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t first = edges[i].corner;
        for (uint32_t k = i + 1;
             k < count && inout->neighbors[first] == PELT_NONE &&
             edges[k].ends[0] == edges[i].ends[0] && edges[k].ends[1] == edges[i].ends[1];
             ++k)
        {
            uint32_t second = edges[k].corner;
            bool is_opposite = inout->welded[first] != inout->welded[second];
            if (is_opposite && inout->neighbors[second] == PELT_NONE)
            {
                inout->neighbors[first] = second;
                inout->neighbors[second] = first;
            }
        }
    }
    pelt_release(edges);
    return PELT_OK;
}

static bool is_same_point(pelt_vec3 a, pelt_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void find_faces(tangent_work* inout)
{
    for (uint32_t c = 0; c < inout->corner_count; c += 3)
    {
        const uint32_t* v = inout->mesh->indices + c;
        pelt_vec3 p = position_of(inout, c), q = position_of(inout, c + 1),
                  r = position_of(inout, c + 2);
        pelt_vec3 d1 = pelt_vec3_sub(q, p), d2 = pelt_vec3_sub(r, p);
        float s1 = inout->uvs[v[1]].x - inout->uvs[v[0]].x;
        float t1 = inout->uvs[v[1]].y - inout->uvs[v[0]].y;
        float s2 = inout->uvs[v[2]].x - inout->uvs[v[0]].x;
        float t2 = inout->uvs[v[2]].y - inout->uvs[v[0]].y;
        float area = s1 * t2 - t1 * s2;
        pelt_vec3 along_u = pelt_vec3_mad(pelt_vec3_scale(d1, t2), -t1, d2);
        pelt_vec3 along_v = pelt_vec3_mad(pelt_vec3_scale(d2, s1), -s2, d1);
        bool has_both = fabsf(area) > 1e-37f && pelt_vec3_length(along_u) > 1e-37f &&
                        pelt_vec3_length(along_v) > 1e-37f;
        inout->faces[c / 3] = (face){
            .along_u = pelt_vec3_scale(pelt_vec3_normalize(along_u), area > 0.0f ? 1.0f : -1.0f),
            .is_preserving = area > 0.0f,
            .is_flexible = !has_both,
            .is_degenerate = is_same_point(p, q) || is_same_point(q, r) || is_same_point(r, p)};
    }
}

// Put a corner and those next to it around the same vertex into a group.
static void grow_group(tangent_work* inout, uint32_t corner, uint32_t group)
{
    uint32_t count = 0;
    bool is_preserving = inout->faces[corner / 3].is_preserving;
    inout->groups[corner] = group;
    inout->stack[count++] = corner;
    while (count > 0)
    {
        uint32_t at = inout->stack[--count];
        // Beyond the edge that starts here the same vertex is the end of the edge, beyond the one
        // that ends here its start.
        uint32_t left = inout->neighbors[at], right = inout->neighbors[before(at)];
        const uint32_t beyond[2] = {left != PELT_NONE ? next_of(left) : PELT_NONE, right};
        for (int i = 0; i < 2; ++i)
        {
            uint32_t other = beyond[i];
            if (other == PELT_NONE || inout->groups[other] != PELT_NONE)
            {
                continue;
            }
            face* to = &inout->faces[other / 3];
            uint32_t first = other / 3 * 3;
            bool is_free = inout->groups[first] == PELT_NONE &&
                           inout->groups[first + 1] == PELT_NONE &&
                           inout->groups[first + 2] == PELT_NONE;
            if (to->is_flexible && is_free)
            {
                to->is_preserving = is_preserving;
            }
            if (to->is_preserving == is_preserving)
            {
                inout->groups[other] = group;
                inout->stack[count++] = other;
            }
        }
    }
}

static uint32_t find_groups(tangent_work* inout)
{
    uint32_t count = 0;
    memset(inout->groups, 0xff, inout->corner_count * sizeof *inout->groups); // PELT_NONE
    for (uint32_t c = 0; c < inout->corner_count; ++c)
    {
        const face* of = &inout->faces[c / 3];
        if (!of->is_degenerate && !of->is_flexible && inout->groups[c] == PELT_NONE)
        {
            grow_group(inout, c, count++);
        }
    }
    return count;
}

// In the plane of a normal, unit; zero where nothing is left.
static pelt_vec3 project(pelt_vec3 vector, pelt_vec3 normal)
{
    return pelt_vec3_normalize(pelt_vec3_mad(vector, -pelt_vec3_dot(normal, vector), normal));
}

static float angle_at(const tangent_work* in, uint32_t corner, pelt_vec3 normal)
{
    pelt_vec3 p = position_of(in, corner);
    pelt_vec3 a = project(pelt_vec3_sub(position_of(in, before(corner)), p), normal);
    pelt_vec3 b = project(pelt_vec3_sub(position_of(in, next_of(corner)), p), normal);
    // The arc cosine is 0 for slivers, whose direction would be lost.
    return atan2f(pelt_vec3_length(pelt_vec3_cross(a, b)), pelt_vec3_dot(a, b));
}

// Sort corners by group, and add up the angles of those with a direction.
static void list_members(tangent_work* inout, uint32_t group_count)
{
    memset(inout->first, 0, ((size_t)group_count + 2) * sizeof *inout->first);
    memset(inout->angles, 0, ((size_t)group_count + 1) * sizeof *inout->angles);
    for (uint32_t c = 0; c < inout->corner_count; ++c)
    {
        if (inout->groups[c] != PELT_NONE)
        {
            ++inout->first[inout->groups[c] + 2];
        }
    }
    for (uint32_t g = 0; g < group_count; ++g)
    {
        inout->first[g + 1] += inout->first[g];
    }
    for (uint32_t c = 0; c < inout->corner_count; ++c)
    {
        uint32_t group = inout->groups[c];
        if (group != PELT_NONE)
        {
            pelt_vec3 normal = inout->mesh->normals[inout->mesh->indices[c]];
            inout->members[inout->first[group + 1]++] = c;
            inout->angles[group] +=
                inout->faces[c / 3].is_flexible ? 0.0f : angle_at(inout, c, normal);
        }
    }
}

// The mean of a group in the plane of the normal of one of its corners.
static pelt_vec3 tangent_at(const tangent_work* in, uint32_t corner)
{
    uint32_t group = in->groups[corner];
    pelt_vec3 normal = in->mesh->normals[in->mesh->indices[corner]], sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = in->first[group]; i < in->first[group + 1]; ++i)
    {
        uint32_t c = in->members[i];
        const face* of = &in->faces[c / 3];
        pelt_vec3 direction = project(of->along_u, normal);
        if (!of->is_flexible)
        {
            sum = pelt_vec3_mad(sum, angle_at(in, c, normal), direction);
        }
    }
    return pelt_vec3_normalize(sum);
}

static pelt_vec3 any_tangent(pelt_vec3 normal)
{
    pelt_vec3 x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f};
    return project(fabsf(normal.x) < 0.9f ? x : y, normal);
}

// Each vertex gets the tangent of the group in which its corners have the largest angle.
static void choose(pelt_vec4* out, uint32_t* best, const tangent_work* in,
                   pelt_tangents_report* report)
{
    const pelt_mesh* mesh = in->mesh;
    memset(best, 0xff, mesh->vertex_count * sizeof *best); // PELT_NONE
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        out[v].w = 0.0f;
    }
    for (uint32_t c = 0; c < in->corner_count; ++c)
    {
        uint32_t v = mesh->indices[c], old = best[v];
        if (in->groups[c] == PELT_NONE)
        {
            continue;
        }
        bool is_better =
            old == PELT_NONE || in->angles[in->groups[c]] > in->angles[in->groups[old]];
        if (old != PELT_NONE && in->groups[old] != in->groups[c] && out[v].w == 0.0f)
        {
            out[v].w = 1.0f; // counted
            report->split_count += 1;
        }
        best[v] = is_better ? c : old;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        bool has_group = best[v] != PELT_NONE;
        pelt_vec3 t = {0.0f, 0.0f, 0.0f};
        if (has_group)
        {
            t = tangent_at(in, best[v]);
        }
        bool is_nothing = !(pelt_vec3_dot(t, t) > 0.5f);
        t = is_nothing ? any_tangent(mesh->normals[v]) : t;
        // UVs of glTF have v downwards.
        bool is_preserving = has_group && in->faces[best[v] / 3].is_preserving;
        out[v] = (pelt_vec4){t.x, t.y, t.z, is_preserving ? -1.0f : 1.0f};
    }
}

pelt_result pelt_tangents_compute(pelt_vec4* out, const pelt_mesh* mesh, uint32_t uv_set,
                                  pelt_tangents_report* report)
{
    PELT_ASSERT(out != NULL && mesh != NULL && mesh->normals != NULL);
    PELT_ASSERT(pelt_mesh_uvs(mesh, uv_set) != NULL);
    pelt_tangents_report storage = {0};
    uint32_t corners = mesh->index_count / 3 * 3;
    size_t room = (size_t)corners + 1;
    tangent_work work = {.mesh = mesh,
                         .uvs = pelt_mesh_uvs(mesh, uv_set),
                         .corner_count = corners,
                         .welded = pelt_allocate(room, sizeof *work.welded),
                         .neighbors = pelt_allocate(room, sizeof *work.neighbors),
                         .faces = pelt_allocate(room / 3 + 1, sizeof *work.faces),
                         .groups = pelt_allocate(room, sizeof *work.groups),
                         .first = pelt_allocate(room + 1, sizeof *work.first),
                         .members = pelt_allocate(room, sizeof *work.members),
                         .angles = pelt_allocate(room, sizeof *work.angles),
                         .stack = pelt_allocate(room, sizeof *work.stack)};
    uint32_t* best = pelt_allocate((size_t)mesh->vertex_count + 1, sizeof *best);
    pelt_result result = PELT_ERROR_MEMORY;
    if (work.welded != NULL && work.neighbors != NULL && work.faces != NULL &&
        work.groups != NULL && work.first != NULL && work.members != NULL && work.angles != NULL &&
        work.stack != NULL && best != NULL)
    {
        find_faces(&work);
        PELT_TRY_OR(cleanup, result, weld_corners(&work));
        PELT_TRY_OR(cleanup, result, find_neighbors(&work));
        list_members(&work, find_groups(&work));
        choose(out, best, &work, report != NULL ? report : &storage);
    }
cleanup:
    pelt_release(work.welded);
    pelt_release(work.neighbors);
    pelt_release(work.faces);
    pelt_release(work.groups);
    pelt_release(work.stack);
    pelt_release(work.first);
    pelt_release(work.members);
    pelt_release(work.angles);
    pelt_release(best);
    return result;
}

// ---------------------------------------------------------------------------------------------

static const pelt_texture* normal_map_of(const pelt_scene* scene, const pelt_mesh* mesh)
{
    const pelt_texture* texture = mesh->material != PELT_NONE
                                      ? &scene->materials[mesh->material].textures[PELT_SLOT_NORMAL]
                                      : NULL;
    bool is_needed = texture != NULL && texture->image != NULL && mesh->normals != NULL &&
                     mesh->tangents == NULL && mesh->index_count > 0 &&
                     texture->uv_set < PELT_MAX_UV_SETS &&
                     pelt_mesh_uvs(mesh, texture->uv_set) != NULL;
    return is_needed ? texture : NULL;
}

pelt_result pelt_scene_add_tangents(pelt_scene* inout, pelt_tangents_report* report,
                                    pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    pelt_tangents_report found = {0};
    pelt_mesh* meshes = pelt_arena_alloc(arena, inout->mesh_count, sizeof *meshes);
    if (meshes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        meshes[i] = inout->meshes[i];
        const pelt_texture* texture = normal_map_of(inout, &meshes[i]);
        if (texture == NULL)
        {
            continue;
        }
        pelt_vec4* tangents = pelt_arena_alloc(arena, meshes[i].vertex_count, sizeof *tangents);
        if (tangents == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        PELT_TRY(pelt_tangents_compute(tangents, &meshes[i], texture->uv_set, &found));
        meshes[i].tangents = tangents;
        ++found.mesh_count;
    }
    inout->meshes = found.mesh_count > 0 ? meshes : inout->meshes;
    if (report != NULL)
    {
        *report = found;
    }
    return PELT_OK;
}
