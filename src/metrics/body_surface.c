// SPDX-License-Identifier: MIT
// The surface of a body: instances merged into one mesh, and its welded vertices, edges and seams.
#include "../base/exact.h"

#include "body.h"

#include "../normals/vertex_rings.h"

#include <stdlib.h>
#include <string.h>

static bool is_part(const pelt_scene* scene, const pelt_instance* instance)
{
    return instance->skin != PELT_NONE && scene->meshes[instance->mesh].weights.vertex_count > 0;
}

// ---------------------------------------------------------------------------------------------
// From bind space to where the stored pose has the skin

typedef struct placement
{
    pelt_mat34 map;     // a similarity
    pelt_mat3 rotation; // of normals
} placement;

// The similarity that the joints of a skin apply in the stored pose, on average.
typedef struct mean_motion
{
    double weight;
    double matrix[3][4];
    double scale_weight, scale; // of those that scale equally in all directions
    pelti_double3 center;       // of the vertices, in bind space
} mean_motion;

static void add_motion(mean_motion* inout, const pelt_mat34* matrix)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    double scale = cbrt((double)pelt_mat3_determinant(&linear)), squares = 0.0;
    inout->weight += 1.0;
    for (int i = 0; i < 12; ++i)
    {
        double entry = (double)matrix->m[i / 4][i % 4];
        inout->matrix[i / 4][i % 4] += entry;
        squares += i % 4 < 3 ? entry * entry : 0.0;
    }
    // The sum of the squares of stretches is least for a product where all are equal.
    if (squares <= 3.001 * scale * scale)
    {
        inout->scale_weight += 1.0;
        inout->scale += scale;
    }
}

static mean_motion find_mean_motion(const pelt_scene* scene, uint32_t skin,
                                    const pelt_mat34* model_from_node)
{
    mean_motion out = {0};
    const pelt_skin* of = &scene->skins[skin];
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        const pelt_weights* weights = &mesh->weights;
        bool has_skin = scene->instances[i].skin == skin && is_part(scene, &scene->instances[i]);
        for (uint32_t v = 0; has_skin && v < weights->vertex_count; ++v)
        {
            // By the strongest joint alone: a stored pose that is the bind pose then gives one and
            // the same matrix for all vertices.
            if (weights->first[v] < weights->first[v + 1])
            {
                uint32_t joint = weights->influences[weights->first[v]].joint;
                pelt_mat34 matrix =
                    pelt_mat34_mul(&model_from_node[of->joints[joint]], &of->inverse_binds[joint]);
                add_motion(&out, &matrix);
                out.center =
                    pelti_double3_mad(out.center, 1.0, pelti_double3_from(mesh->positions[v]));
            }
        }
    }
    return out;
}

static const placement no_placement = {
    {{{1.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f, 0.0f}}},
    {{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}}};

// Rounding of a chain of joints: below that the bind pose does not move, to the bit.
static bool is_identity(const pelt_mat34* map, double size)
{
    bool is_same = true;
    for (int i = 0; i < 12; ++i)
    {
        double off = fabs((double)map->m[i / 4][i % 4] - (i / 4 == i % 4 ? 1.0 : 0.0));
        is_same = is_same && off <= (i % 4 == 3 ? 1e-5 * size : 1e-5);
    }
    return is_same;
}

static placement skin_placement(const pelt_scene* scene, uint32_t skin,
                                const pelt_mat34* model_from_node, double size)
{
    mean_motion mean = find_mean_motion(scene, skin, model_from_node);
    // A joint that is stretched in the stored pose does not tell the unit.
    bool has_scale = 2.0 * mean.scale_weight > mean.weight;
    double scale = has_scale ? mean.scale / mean.scale_weight : 1.0;
    if (!(mean.weight > 0.0) || !(fabs(scale) > 1e-12 && fabs(scale) < 1e12))
    {
        return no_placement;
    }
    pelt_mat3 linear, stretch;
    placement out = no_placement;
    for (int i = 0; i < 9; ++i)
    {
        linear.m[i / 3][i % 3] = (float)(mean.matrix[i / 3][i % 3] / mean.weight);
    }
    pelt_mat3_polar(&out.rotation, &stretch, &linear);
    // The center of the vertices moves by their average.
    double c[3] = {mean.center.x / mean.weight, mean.center.y / mean.weight,
                   mean.center.z / mean.weight};
    for (int i = 0; i < 3; ++i)
    {
        double at = mean.matrix[i][3] / mean.weight;
        for (int k = 0; k < 3; ++k)
        {
            double scaled = scale * (double)out.rotation.m[i][k];
            out.map.m[i][k] = (float)scaled;
            at += (mean.matrix[i][k] / mean.weight - scaled) * c[k];
        }
        out.map.m[i][3] = (float)at;
    }
    return is_identity(&out.map, size) ? no_placement : out;
}

static double scene_size(const pelt_scene* scene)
{
    pelt_bounds box = pelt_bounds_empty();
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        pelt_bounds_add(&box, scene->meshes[i].positions, scene->meshes[i].vertex_count);
    }
    return (double)pelt_bounds_diagonal(&box);
}

// @param out  scene->skin_count
static bool place_skins(placement* out, const pelt_scene* scene)
{
    pelt_pose pose;
    pelt_mat34* model_from_node =
        pelt_allocate((size_t)scene->node_count + 1, sizeof *model_from_node);
    bool is_ok = model_from_node != NULL && pelt_pose_create(&pose, scene) == PELT_OK;
    if (is_ok)
    {
        double size = scene_size(scene);
        pelt_pose_to_model(model_from_node, scene, &pose);
        for (uint32_t skin = 0; skin < scene->skin_count; ++skin)
        {
            out[skin] = skin_placement(scene, skin, model_from_node, size);
        }
        pelt_pose_destroy(&pose);
    }
    pelt_release(model_from_node);
    return is_ok;
}

// ---------------------------------------------------------------------------------------------
// One mesh

typedef struct merged
{
    pelt_vec3* positions;
    pelt_vec3* normals;
    uint32_t* indices;
    uint32_t* first;
    pelt_influence* influences;
} merged;

// A surface has two triangles for each vertex, four where both sides have some. A mesh with more of
// them is none, and would take the more time the oftener its triangles share their edges: as many
// are measured, evenly spread.
static uint32_t count_triangles(const pelt_mesh* mesh)
{
    uint64_t all = mesh->index_count / 3, most = 4 * (uint64_t)mesh->vertex_count;
    return (uint32_t)(all < most ? all : most);
}

static bool allocate_merged(merged* out, pelt_body* body, const pelt_scene* scene)
{
    size_t vertex_count = 0, index_count = 0, influence_count = 0, part_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        if (is_part(scene, &scene->instances[i]))
        {
            ++part_count;
            vertex_count += mesh->vertex_count;
            index_count += 3 * (size_t)count_triangles(mesh);
            influence_count += mesh->weights.influence_count;
        }
    }
    pelt_arena* arena = body->arena;
    *out = (merged){pelt_arena_alloc(arena, vertex_count, sizeof *out->positions),
                    pelt_arena_alloc(arena, vertex_count, sizeof *out->normals),
                    pelt_arena_alloc(arena, index_count, sizeof *out->indices),
                    pelt_arena_alloc(arena, vertex_count + 1, sizeof *out->first),
                    pelt_arena_alloc(arena, influence_count, sizeof *out->influences)};
    body->bind_positions = pelt_arena_alloc(arena, vertex_count, sizeof *body->bind_positions);
    body->parts = pelt_arena_alloc(arena, part_count, sizeof *body->parts);
    return out->positions != NULL && out->normals != NULL && out->indices != NULL &&
           out->first != NULL && out->influences != NULL && body->bind_positions != NULL &&
           body->parts != NULL;
}

static void append_vertices(merged* out, pelt_body* body, const pelt_mesh* mesh,
                            const placement* at, uint32_t first_slot)
{
    pelt_weights* weights = &body->mesh.weights;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t vertex = body->mesh.vertex_count++;
        body->bind_positions[vertex] = mesh->positions[v];
        out->positions[vertex] = pelt_mat34_point(&at->map, mesh->positions[v]);
        if (mesh->normals != NULL)
        {
            out->normals[vertex] = pelt_mat3_vector(&at->rotation, mesh->normals[v]);
        }
        for (uint32_t i = mesh->weights.first[v]; i < mesh->weights.first[v + 1]; ++i)
        {
            pelt_influence influence = mesh->weights.influences[i];
            influence.joint = (pelt_joint_index)(influence.joint + first_slot);
            out->influences[weights->influence_count++] = influence;
        }
        out->first[vertex + 1] = weights->influence_count;
    }
}

static void append_triangles(merged* out, pelt_body* body, const pelt_mesh* mesh, uint32_t first)
{
    uint32_t all = mesh->index_count / 3, count = count_triangles(mesh);
    for (uint32_t t = 0; t < count; ++t)
    {
        const uint32_t* corners = mesh->indices + 3 * ((uint64_t)t * all / count);
        for (uint32_t k = 0; k < 3; ++k)
        {
            out->indices[body->mesh.index_count++] = first + corners[k];
        }
    }
    body->info.triangle_total += all;
}

static void append_parts(merged* out, pelt_body* body, const pelt_scene* scene,
                         const placement* placements, uint32_t* first_vertices)
{
    bool has_normals = false;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        first_vertices[i] = PELT_NONE;
        if (!is_part(scene, instance))
        {
            continue;
        }
        uint32_t first = body->mesh.vertex_count;
        first_vertices[i] = first;
        body->parts[body->part_count++] =
            (pelti_body_part){i, instance->skin, {first, mesh->vertex_count}};
        append_vertices(out, body, mesh, &placements[instance->skin],
                        body->first_slots[instance->skin]);
        append_triangles(out, body, mesh, first);
        has_normals |= mesh->normals != NULL;
    }
    body->mesh.positions = out->positions;
    body->mesh.normals = has_normals ? out->normals : NULL;
    body->mesh.indices = out->indices;
    body->mesh.weights.vertex_count = body->mesh.vertex_count;
    body->mesh.weights.joint_count = body->slot_count;
    body->mesh.weights.first = out->first;
    body->mesh.weights.influences = out->influences;
}

bool pelti_body_merge(pelt_body* out, const pelt_scene* scene)
{
    merged buffers;
    uint32_t* first_vertices =
        pelt_arena_alloc(out->arena, scene->instance_count, sizeof *first_vertices);
    placement* placements = pelt_allocate((size_t)scene->skin_count + 1, sizeof *placements);
    bool is_ok = first_vertices != NULL && placements != NULL && place_skins(placements, scene) &&
                 allocate_merged(&buffers, out, scene);
    if (is_ok)
    {
        for (uint32_t skin = 0; skin < scene->skin_count; ++skin)
        {
            out->placements[skin] = placements[skin].map;
        }
        append_parts(&buffers, out, scene, placements, first_vertices);
        out->triangle_count = out->mesh.index_count / 3;
        pelt_bounds box = pelt_bounds_empty();
        pelt_bounds_add(&box, out->mesh.positions, out->mesh.vertex_count);
        out->info.size = (double)pelt_bounds_diagonal(&box);
        out->info.vertex_count = out->mesh.vertex_count;
        out->info.triangle_count = out->triangle_count;
        out->info.instance_count = scene->instance_count;
        out->info.first_vertices = first_vertices;
    }
    pelt_release(placements);
    return is_ok;
}

// =============================================================================================
// Which vertices of a body are one, and which are neighbors.

// ---------------------------------------------------------------------------------------------
// Copies of vertices

// The group of each vertex under a weld.
static void invert_weld(uint32_t* out, const pelti_weld* weld)
{
    for (uint32_t group = 0; group < weld->group_count; ++group)
    {
        for (uint32_t i = weld->vertex_first[group]; i < weld->vertex_first[group + 1]; ++i)
        {
            out[weld->vertices[i]] = group;
        }
    }
}

// The first vertex of each group. @return NULL when out of memory
static uint32_t* first_vertices(const pelti_weld* weld, pelt_arena* arena)
{
    uint32_t* out = pelt_arena_alloc(arena, weld->group_count, sizeof *out);
    for (uint32_t group = 0; out != NULL && group < weld->group_count; ++group)
    {
        out[group] = weld->vertices[weld->vertex_first[group]];
    }
    return out;
}

static bool weld_body(pelt_body* inout)
{
    pelt_arena* arena = inout->arena;
    uint32_t vertex_count = inout->mesh.vertex_count;
    // Without normals there are no creases, and without weights no divisions.
    pelt_mesh smooth = inout->mesh, bare = inout->mesh;
    pelti_weld groups, points;
    smooth.normals = bare.normals = NULL;
    bare.weights = (pelt_weights){0};
    inout->vertex_groups = pelt_arena_alloc(arena, vertex_count, sizeof *inout->vertex_groups);
    inout->vertex_points = pelt_arena_alloc(arena, vertex_count, sizeof *inout->vertex_points);
    if (inout->vertex_groups == NULL || inout->vertex_points == NULL ||
        !pelti_weld_vertices(&groups, &smooth, arena) ||
        !pelti_weld_vertices(&points, &bare, arena) ||
        !pelti_weld_vertices(&inout->normal_weld, &inout->mesh, arena))
    {
        return false;
    }
    invert_weld(inout->vertex_groups, &groups);
    invert_weld(inout->vertex_points, &points);
    inout->point_count = points.group_count;
    inout->group_count = groups.group_count;
    inout->group_vertices = first_vertices(&groups, arena);
    inout->point_vertices = first_vertices(&points, arena);
    inout->rest = pelt_arena_alloc(arena, groups.group_count, sizeof *inout->rest);
    bool is_ok =
        inout->group_vertices != NULL && inout->point_vertices != NULL && inout->rest != NULL;
    for (uint32_t g = 0; is_ok && g < groups.group_count; ++g)
    {
        inout->rest[g] = pelti_double3_from(inout->mesh.positions[inout->group_vertices[g]]);
    }
    return is_ok;
}

// ---------------------------------------------------------------------------------------------
// Areas

static bool add_areas(pelt_body* inout)
{
    pelt_arena* arena = inout->arena;
    uint32_t vertex_count = inout->mesh.vertex_count;
    size_t corner_count = inout->mesh.index_count;
    float* areas = pelt_arena_alloc(arena, vertex_count, sizeof *areas);
    uint32_t* copies = pelt_arena_alloc(arena, inout->group_count, sizeof *copies);
    inout->triangle_groups = pelt_arena_alloc(arena, corner_count, sizeof *inout->triangle_groups);
    inout->triangle_areas =
        pelt_arena_alloc(arena, inout->triangle_count, sizeof *inout->triangle_areas);
    inout->group_areas = pelt_arena_alloc(arena, inout->group_count, sizeof *inout->group_areas);
    if (areas == NULL || copies == NULL || inout->triangle_groups == NULL ||
        inout->triangle_areas == NULL || inout->group_areas == NULL)
    {
        return false;
    }
    for (uint32_t t = 0; t < inout->triangle_count; ++t)
    {
        pelti_triangle triangle;
        pelti_triangle_edges(&triangle, inout->mesh.positions, inout->mesh.indices, 3 * t);
        pelti_double3 cross = pelti_double3_cross(triangle.edges[0], triangle.edges[1]);
        inout->triangle_areas[t] = 0.5 * pelti_double3_length(cross);
        for (uint32_t k = 0; k < 3; ++k)
        {
            uint32_t group = inout->vertex_groups[inout->mesh.indices[3 * t + k]];
            inout->triangle_groups[3 * t + k] = group;
            inout->group_areas[group] += inout->triangle_areas[t] / 3.0;
        }
    }
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        ++copies[inout->vertex_groups[v]];
    }
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        uint32_t group = inout->vertex_groups[v];
        areas[v] = (float)(inout->group_areas[group] / copies[group]);
    }
    inout->info.vertex_areas = areas;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Edges

typedef struct half_edge
{
    uint32_t low, high; // groups or points
    uint32_t corner;    // opposite to it
    bool is_reversed;   // it goes from high to low
} half_edge;

static int compare_half_edges(const void* a, const void* b)
{
    const half_edge *s = a, *t = b;
    if (s->low != t->low)
    {
        return s->low < t->low ? -1 : 1;
    }
    if (s->high != t->high)
    {
        return s->high < t->high ? -1 : 1;
    }
    return (s->corner > t->corner) - (s->corner < t->corner);
}

// Sorted by their ends; those of triangles with two corners in one are left out.
// @param ends  group or point of each corner
static uint32_t list_half_edges(half_edge* out, const uint32_t* ends, uint32_t corner_count)
{
    uint32_t count = 0;
    for (uint32_t corner = 0; corner < corner_count; ++corner)
    {
        uint32_t first = corner - corner % 3;
        uint32_t from = ends[first + (corner + 1) % 3], to = ends[first + (corner + 2) % 3];
        if (from != to && from != ends[corner] && to != ends[corner])
        {
            out[count++] =
                (half_edge){from < to ? from : to, from < to ? to : from, corner, from > to};
        }
    }
    qsort(out, count, sizeof *out, compare_half_edges);
    return count;
}

static bool is_same_edge(const half_edge* a, const half_edge* b)
{
    return a->low == b->low && a->high == b->high;
}

// Whether every edge occurs equally often in both directions.
static bool is_closed(const half_edge* list, uint32_t count)
{
    int64_t balance = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        balance += list[i].is_reversed ? -1 : 1;
        bool is_last = i + 1 == count || !is_same_edge(&list[i], &list[i + 1]);
        if (is_last && balance != 0)
        {
            return false;
        }
    }
    return count > 0;
}

// Half the cotangent of the angle at a corner.
static double corner_weight(const pelt_body* body, uint32_t corner)
{
    pelti_triangle triangle;
    if (!pelti_triangle_at(&triangle, body->mesh.positions, body->mesh.indices, corner))
    {
        return 0.0;
    }
    // Edges go round, so those at the corner point at each other's tails.
    return -0.5 * pelti_double3_dot(triangle.edges[1], triangle.edges[2]) / (2.0 * triangle.area);
}

static pelti_edge make_edge(const pelt_body* body, const half_edge* list, uint32_t count)
{
    // Limit of cotangents: larger ones belong to slivers, which would dominate the sum.
    const double largest = 100.0;
    pelti_edge edge = {.groups = {list[0].low, list[0].high}, .triangles = {PELT_NONE, PELT_NONE}};
    uint32_t counts[2] = {0, 0};
    for (uint32_t i = 0; i < count; ++i)
    {
        edge.weight += corner_weight(body, list[i].corner);
        edge.triangles[list[i].is_reversed] = list[i].corner / 3;
        ++counts[list[i].is_reversed];
    }
    for (int k = 0; k < 2; ++k)
    {
        edge.triangles[k] = counts[k] == 1 ? edge.triangles[k] : PELT_NONE;
    }
    edge.weight = fmin(fmax(edge.weight, 0.0), largest);
    edge.length =
        pelti_double3_length(pelti_double3_sub(body->rest[list[0].high], body->rest[list[0].low]));
    edge.angle = pelti_edge_angle(body, &edge, body->rest);
    return edge;
}

static bool add_edges(pelt_body* inout, const half_edge* list, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        inout->edge_count += i == 0 || !is_same_edge(&list[i - 1], &list[i]);
    }
    inout->edges = pelt_arena_alloc(inout->arena, inout->edge_count, sizeof *inout->edges);
    if (inout->edges == NULL)
    {
        return false;
    }
    pelti_edge* next = inout->edges;
    for (uint32_t i = 0, end; i < count; i = end)
    {
        for (end = i + 1; end < count && is_same_edge(&list[i], &list[end]); ++end)
        {
        }
        *next++ = make_edge(inout, list + i, end - i);
    }
    return true;
}

// The neighbors of each group, in the order of edges.
static bool add_neighbors(pelt_body* inout)
{
    size_t offset_count = (size_t)inout->group_count + 2;
    uint32_t* first = pelt_arena_alloc(inout->arena, offset_count, sizeof *inout->first_neighbors);
    inout->neighbors =
        pelt_arena_alloc(inout->arena, (size_t)inout->edge_count * 2, sizeof *inout->neighbors);
    inout->first_neighbors = first;
    if (first == NULL || inout->neighbors == NULL)
    {
        return false;
    }
    // Counts are stored two entries ahead: filling moves each offset to its final value.
    for (uint32_t i = 0; i < 2 * inout->edge_count; ++i)
    {
        ++first[inout->edges[i / 2].groups[i % 2] + 2];
    }
    for (uint32_t group = 0; group < inout->group_count; ++group)
    {
        first[group + 2] += first[group + 1];
    }
    for (uint32_t i = 0; i < 2 * inout->edge_count; ++i)
    {
        const pelti_edge* edge = &inout->edges[i / 2];
        inout->neighbors[first[edge->groups[i % 2] + 1]++] =
            (pelti_neighbor){edge->groups[1 - i % 2], i / 2};
    }
    return true;
}

bool pelti_body_connect(pelt_body* inout)
{
    if (!weld_body(inout) || !add_areas(inout))
    {
        return false;
    }
    uint32_t corner_count = inout->mesh.index_count;
    half_edge* list = pelt_allocate((size_t)corner_count + 1, sizeof *list);
    uint32_t* points = pelt_allocate((size_t)corner_count + 1, sizeof *points);
    bool is_ok = list != NULL && points != NULL;
    if (is_ok)
    {
        for (uint32_t i = 0; i < corner_count; ++i)
        {
            points[i] = inout->vertex_points[inout->mesh.indices[i]];
        }
        inout->info.is_closed = is_closed(list, list_half_edges(list, points, corner_count));
        uint32_t count = list_half_edges(list, inout->triangle_groups, corner_count);
        is_ok = add_edges(inout, list, count) && add_neighbors(inout);
    }
    pelt_release(list);
    pelt_release(points);
    return is_ok;
}
