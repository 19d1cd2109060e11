// SPDX-License-Identifier: MIT
// The bisected mesh of the published algorithm, its edges, and the graph of adjacent triangles.
#include "../base/exact.h"

#include "cor_paper.h"

#include <string.h>

enum
{
    CANCEL_INTERVAL = 1024 // triangles between two checks for cancellation
};

typedef struct builder
{
    pelti_cor_problem* problem;
    pelti_cor_mesh* mesh;
    pelti_cor_edges middles;
    uint32_t vertex_capacity, weight_capacity, triangle_capacity;
} builder;

// ---------------------------------------------------------------------------------------------
// Arrays that grow

// Twice the previous capacity, or the requested one. Offsets into weights and corners have 32 bits:
// a larger capacity is refused, as 0.
static uint32_t next_capacity(uint32_t capacity, uint64_t wanted)
{
    uint64_t limit = UINT32_MAX / 3, twice = 2 * (uint64_t)capacity;
    uint64_t next = twice > wanted ? twice : wanted;
    return wanted > limit ? 0 : (uint32_t)(next < limit ? next : limit);
}

// Move the content to a larger array and release the old one, unless this fails.
static void* moved(pelti_cor_problem* problem, void* old, size_t count, size_t capacity,
                   size_t size)
{
    void* larger = capacity > 0 ? pelti_cor_allocate(problem, capacity, size) : NULL;
    if (larger != NULL && old != NULL)
    {
        memcpy(larger, old, count * size);
        pelti_cor_release(problem, old);
    }
    return larger;
}

static bool reserve_vertices(builder* b, uint64_t wanted)
{
    pelti_cor_mesh* mesh = b->mesh;
    if (wanted <= b->vertex_capacity)
    {
        return true;
    }
    uint32_t capacity = next_capacity(b->vertex_capacity, wanted);
    void* positions =
        moved(b->problem, mesh->positions, mesh->vertex_count, capacity, sizeof *mesh->positions);
    if (positions == NULL)
    {
        return false;
    }
    mesh->positions = positions;
    size_t offset_count = mesh->first != NULL ? (size_t)mesh->vertex_count + 1 : 0;
    void* first =
        moved(b->problem, mesh->first, offset_count, (size_t)capacity + 1, sizeof *mesh->first);
    if (first == NULL)
    {
        return false;
    }
    mesh->first = first;
    b->vertex_capacity = capacity;
    return true;
}

static bool reserve_weights(builder* b, uint32_t count, uint64_t wanted)
{
    if (wanted <= b->weight_capacity)
    {
        return true;
    }
    uint32_t capacity = next_capacity(b->weight_capacity, wanted);
    void* weights = moved(b->problem, b->mesh->weights, count, capacity, sizeof *b->mesh->weights);
    if (weights == NULL)
    {
        return false;
    }
    b->mesh->weights = weights;
    b->weight_capacity = capacity;
    return true;
}

static bool reserve_triangles(builder* b, uint64_t wanted)
{
    pelti_cor_mesh* mesh = b->mesh;
    if (wanted <= b->triangle_capacity)
    {
        return true;
    }
    uint32_t capacity = next_capacity(b->triangle_capacity, wanted);
    void* indices =
        moved(b->problem, mesh->indices, mesh->triangle_count, capacity, 3 * sizeof *mesh->indices);
    if (indices == NULL)
    {
        return false;
    }
    mesh->indices = indices;
    void* areas =
        moved(b->problem, mesh->areas, mesh->triangle_count, capacity, sizeof *mesh->areas);
    if (areas == NULL)
    {
        return false;
    }
    mesh->areas = areas;
    b->triangle_capacity = capacity;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Middles of edges

// Half of each weight of both lists, by ascending joint. Returns the number of joints.
static uint32_t mean_of_edge(pelti_cor_weight* out, const pelti_cor_mesh* mesh, uint32_t a,
                             uint32_t b)
{
    uint32_t i = mesh->first[a], i_end = mesh->first[a + 1];
    uint32_t k = mesh->first[b], k_end = mesh->first[b + 1];
    uint32_t count = 0;
    while (i < i_end || k < k_end)
    {
        uint32_t joint_a = i < i_end ? mesh->weights[i].joint : UINT32_MAX;
        uint32_t joint_b = k < k_end ? mesh->weights[k].joint : UINT32_MAX;
        uint32_t joint = joint_a < joint_b ? joint_a : joint_b;
        float sum = 0.0f;
        sum += joint_a == joint ? mesh->weights[i++].weight : 0.0f;
        sum += joint_b == joint ? mesh->weights[k++].weight : 0.0f;
        out[count++] = (pelti_cor_weight){joint, 0.5f * sum};
    }
    return count;
}

// The vertex in the middle of an edge, made when it is new; PELT_NONE: out of memory.
static uint32_t middle_of(builder* b, uint32_t u, uint32_t v)
{
    uint32_t* known = pelti_cor_edges_at(&b->middles, b->problem, u, v);
    if (known == NULL || *known != PELT_NONE)
    {
        return known != NULL ? *known : PELT_NONE;
    }
    pelti_cor_mesh* mesh = b->mesh;
    uint32_t middle = mesh->vertex_count, weight_count = mesh->first[middle];
    uint64_t most = (uint64_t)weight_count + (mesh->first[u + 1] - mesh->first[u]) +
                    (mesh->first[v + 1] - mesh->first[v]);
    if (!reserve_vertices(b, (uint64_t)middle + 1) || !reserve_weights(b, weight_count, most))
    {
        return PELT_NONE;
    }
    for (int k = 0; k < 3; ++k)
    {
        mesh->positions[middle][k] = 0.5 * (mesh->positions[u][k] + mesh->positions[v][k]);
    }
    weight_count += mean_of_edge(mesh->weights + weight_count, mesh, u, v);
    mesh->first[++mesh->vertex_count] = weight_count;
    *known = middle;
    return middle;
}

// ---------------------------------------------------------------------------------------------
// Halving

// A part of a triangle. Weights are linear over a triangle, so lengths of parts follow from its
// three: a half edge is half as long, and a median has the length that Apollonius found. Two
// triangles at an edge compute the same lengths along it to the bit, and the same halves.
typedef struct part
{
    uint32_t corners[3];
    double length2[3]; // in weight space, of the edge opposite each corner
} part;

static double weight_distance2(const pelti_cor_mesh* mesh, uint32_t a, uint32_t b)
{
    uint32_t i = mesh->first[a], i_end = mesh->first[a + 1];
    uint32_t k = mesh->first[b], k_end = mesh->first[b + 1];
    double sum = 0.0;
    while (i < i_end || k < k_end)
    {
        uint32_t joint_a = i < i_end ? mesh->weights[i].joint : UINT32_MAX;
        uint32_t joint_b = k < k_end ? mesh->weights[k].joint : UINT32_MAX;
        double difference = 0.0;
        difference += joint_a <= joint_b ? (double)mesh->weights[i++].weight : 0.0;
        difference -= joint_b <= joint_a ? (double)mesh->weights[k++].weight : 0.0;
        sum += difference * difference;
    }
    return sum;
}

// Make the half without corner a of p, and the half without corner b of other.
static void halve(part* p, part* other, int opposite, uint32_t middle)
{
    int a = (opposite + 1) % 3, b = (opposite + 2) % 3;
    double half2 = 0.25 * p->length2[opposite];
    double median2 = 0.5 * (p->length2[a] + p->length2[b]) - half2;
    *other = *p;
    p->corners[a] = middle;
    p->length2[opposite] = half2;
    p->length2[b] = median2;
    other->corners[b] = middle;
    other->length2[opposite] = half2;
    other->length2[a] = median2;
}

static bool add_triangle(builder* b, const part* p, double area)
{
    pelti_cor_mesh* mesh = b->mesh;
    if (!reserve_triangles(b, (uint64_t)mesh->triangle_count + 1))
    {
        return false;
    }
    memcpy(mesh->indices + 3 * (size_t)mesh->triangle_count, p->corners, sizeof p->corners);
    mesh->areas[mesh->triangle_count++] = area;
    return true;
}

static bool add_parts(builder* b, const uint32_t* t, double area)
{
    part stack[PELTI_COR_SPLIT_DEPTH];
    double areas[PELTI_COR_SPLIT_DEPTH] = {area};
    double limit = b->problem->epsilon * b->problem->epsilon;
    for (int i = 0; i < 3; ++i)
    {
        stack[0].corners[i] = t[i];
        stack[0].length2[i] = weight_distance2(b->mesh, t[(i + 1) % 3], t[(i + 2) % 3]);
    }
    for (int depth = 1; depth > 0;)
    {
        part* top = &stack[depth - 1];
        int opposite = pelti_cor_longest_edge(top->length2, limit);
        if (opposite == 3 || depth == PELTI_COR_SPLIT_DEPTH)
        {
            if (!add_triangle(b, top, areas[--depth]))
            {
                return false;
            }
            continue;
        }
        uint32_t middle =
            middle_of(b, top->corners[(opposite + 1) % 3], top->corners[(opposite + 2) % 3]);
        if (middle == PELT_NONE)
        {
            return false;
        }
        // Halves of a triangle have half its area, however thin it is.
        areas[depth] = areas[depth - 1] *= 0.5;
        halve(top, &stack[depth++], opposite, middle);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------

static bool has_two_joints(const pelti_cor_mesh* mesh, const uint32_t* t)
{
    uint32_t joint = UINT32_MAX;
    for (int corner = 0; corner < 3; ++corner)
    {
        for (uint32_t i = mesh->first[t[corner]]; i < mesh->first[t[corner] + 1]; ++i)
        {
            if (joint != UINT32_MAX && mesh->weights[i].joint != joint)
            {
                return true;
            }
            joint = mesh->weights[i].joint;
        }
    }
    return false;
}

static bool add_surface_vertices(builder* b)
{
    const pelti_cor_surface* surface = &b->problem->surface;
    pelti_cor_mesh* mesh = b->mesh;
    uint32_t count = surface->vertex_count, weight_count = surface->first[count];
    if (!reserve_vertices(b, count) || !reserve_weights(b, 0, weight_count))
    {
        return false;
    }
    for (uint32_t v = 0; v < count; ++v)
    {
        pelt_vec3 p = surface->positions[v];
        mesh->positions[v][0] = (double)p.x;
        mesh->positions[v][1] = (double)p.y;
        mesh->positions[v][2] = (double)p.z;
    }
    memcpy(mesh->first, surface->first, ((size_t)count + 1) * sizeof *mesh->first);
    memcpy(mesh->weights, surface->weights, weight_count * sizeof *mesh->weights);
    mesh->vertex_count = count;
    return true;
}

bool pelti_cor_mesh_create(pelti_cor_mesh* out, pelti_cor_problem* problem)
{
    const pelti_cor_surface* surface = &problem->surface;
    builder b = {.problem = problem, .mesh = out};
    *out = (pelti_cor_mesh){0};
    bool is_ok = add_surface_vertices(&b) && reserve_triangles(&b, surface->triangle_count);
    for (uint32_t i = 0; i < surface->triangle_count && is_ok; ++i)
    {
        if (i % CANCEL_INTERVAL == 0 && !pelti_cor_step(problem, 0))
        {
            break;
        }
        const uint32_t* t = surface->indices + 3 * (size_t)i;
        if (has_two_joints(out, t))
        {
            is_ok = add_parts(&b, t, pelti_cor_area(surface, t));
        }
    }
    pelti_cor_edges_release(&b.middles, problem);
    return is_ok;
}

void pelti_cor_mesh_release(pelti_cor_mesh* mesh, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, mesh->areas);
    pelti_cor_release(problem, mesh->indices);
    pelti_cor_release(problem, mesh->weights);
    pelti_cor_release(problem, mesh->first);
    pelti_cor_release(problem, mesh->positions);
    *mesh = (pelti_cor_mesh){0};
}

// =============================================================================================
// A hash table with edges as keys: open addressing, at most half full.

// Ends in ascending order. Those of an empty slot are equal, which no edge's are.
typedef struct pelti_cor_edge
{
    uint32_t ends[2];
    uint32_t value;
} pelti_cor_edge;

enum
{
    FIRST_SLOTS = 1024
};

// The slot of an edge, or the empty one where it belongs.
static pelti_cor_edge* find(const pelti_cor_edges* edges, uint32_t low, uint32_t high)
{
    // Fibonacci hashing: the upper half of the product is well mixed, and the odd constant
    // (2^64 over the golden ratio) spreads edges of neighboring vertices.
    uint64_t key = ((uint64_t)high << 32 | low) * 0x9e3779b97f4a7c15u;
    size_t mask = edges->slot_count - 1;
    for (size_t i = (size_t)(key >> 32 ^ key >> 15) & mask;; i = (i + 1) & mask)
    {
        pelti_cor_edge* slot = &edges->slots[i];
        if ((slot->ends[0] == low && slot->ends[1] == high) || slot->ends[0] == slot->ends[1])
        {
            return slot;
        }
    }
}

static bool grow(pelti_cor_edges* edges, pelti_cor_problem* problem)
{
    pelti_cor_edges larger = {.slot_count = FIRST_SLOTS, .count = edges->count};
    if (edges->slot_count > 0)
    {
        larger.slot_count = 2 * edges->slot_count;
    }
    larger.slots = pelti_cor_allocate(problem, larger.slot_count, sizeof *larger.slots);
    if (larger.slots == NULL)
    {
        return false;
    }
    for (size_t i = 0; i < larger.slot_count; ++i)
    {
        larger.slots[i] = (pelti_cor_edge){0};
    }
    for (size_t i = 0; i < edges->slot_count; ++i)
    {
        const pelti_cor_edge* old = &edges->slots[i];
        if (old->ends[0] != old->ends[1])
        {
            *find(&larger, old->ends[0], old->ends[1]) = *old;
        }
    }
    pelti_cor_edges_release(edges, problem);
    *edges = larger;
    return true;
}

uint32_t* pelti_cor_edges_at(pelti_cor_edges* edges, pelti_cor_problem* problem, uint32_t a,
                             uint32_t b)
{
    if (2 * edges->count >= edges->slot_count && !grow(edges, problem))
    {
        return NULL;
    }
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    pelti_cor_edge* slot = find(edges, low, high);
    if (slot->ends[0] == slot->ends[1])
    {
        *slot = (pelti_cor_edge){{low, high}, PELT_NONE};
        edges->count++;
    }
    return &slot->value;
}

void pelti_cor_edges_release(pelti_cor_edges* edges, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, edges->slots);
    *edges = (pelti_cor_edges){0};
}

// =============================================================================================
// Triangle values and the triangle adjacency graph, computed once for all vertices (Bittner et al.
// 2019, section 4.1, Algorithm 3, lines 2 and 4).

// Walk along the weight lists of three corners. Returns the number of joints; with out, their mean
// weights too.
static uint32_t mean_of_corners(pelti_cor_weight* out, const pelti_cor_mesh* mesh,
                                const uint32_t* t)
{
    uint32_t at[3] = {mesh->first[t[0]], mesh->first[t[1]], mesh->first[t[2]]};
    uint32_t count = 0;
    for (;;)
    {
        uint32_t joint = UINT32_MAX;
        for (int i = 0; i < 3; ++i)
        {
            bool is_left = at[i] < mesh->first[t[i] + 1];
            joint =
                is_left && mesh->weights[at[i]].joint < joint ? mesh->weights[at[i]].joint : joint;
        }
        if (joint == UINT32_MAX)
        {
            return count;
        }
        double sum = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            if (at[i] < mesh->first[t[i] + 1] && mesh->weights[at[i]].joint == joint)
            {
                sum += (double)mesh->weights[at[i]++].weight;
            }
        }
        if (out != NULL)
        {
            out[count] = (pelti_cor_weight){joint, (float)(sum / 3.0)};
        }
        ++count;
    }
}

static bool add_weights(pelti_cor_graph* graph, pelti_cor_problem* problem,
                        const pelti_cor_mesh* mesh)
{
    graph->first =
        pelti_cor_allocate(problem, (size_t)mesh->triangle_count + 1, sizeof *graph->first);
    if (graph->first == NULL)
    {
        return false;
    }
    uint64_t count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        graph->first[t] = (uint32_t)count;
        count += mean_of_corners(NULL, mesh, mesh->indices + 3 * (size_t)t);
    }
    graph->first[mesh->triangle_count] = (uint32_t)count;
    if (count <= UINT32_MAX)
    {
        graph->weights = pelti_cor_allocate(problem, (size_t)count, sizeof *graph->weights);
    }
    for (uint32_t t = 0; t < mesh->triangle_count && graph->weights != NULL; ++t)
    {
        mean_of_corners(graph->weights + graph->first[t], mesh, mesh->indices + 3 * (size_t)t);
    }
    return graph->weights != NULL;
}

static bool add_moments(pelti_cor_graph* graph, pelti_cor_problem* problem,
                        const pelti_cor_mesh* mesh)
{
    graph->moments = pelti_cor_allocate(problem, mesh->triangle_count, sizeof *graph->moments);
    for (uint32_t i = 0; i < mesh->triangle_count && graph->moments != NULL; ++i)
    {
        const uint32_t* t = mesh->indices + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k)
        {
            double sum = mesh->positions[t[0]][k] + mesh->positions[t[1]][k];
            graph->moments[i][k] = mesh->areas[i] * ((sum + mesh->positions[t[2]][k]) / 3.0);
        }
        graph->moments[i][3] = mesh->areas[i];
    }
    return graph->moments != NULL;
}

// Close a ring of halfedges at each edge: a new halfedge goes between one that is there and its
// next.
static bool add_halfedges(pelti_cor_graph* graph, pelti_cor_problem* problem,
                          const pelti_cor_mesh* mesh)
{
    uint32_t halfedge_count = 3 * mesh->triangle_count;
    pelti_cor_edges last_halfedges = {0};
    graph->next_halfedge =
        pelti_cor_allocate(problem, halfedge_count, sizeof *graph->next_halfedge);
    bool is_ok = graph->next_halfedge != NULL;
    for (uint32_t halfedge = 0; halfedge < halfedge_count && is_ok; ++halfedge)
    {
        uint32_t a = mesh->indices[halfedge];
        uint32_t b = mesh->indices[halfedge % 3 == 2 ? halfedge - 2 : halfedge + 1];
        graph->next_halfedge[halfedge] = halfedge;
        if (a == b)
        {
            continue; // a point is no edge: a triangle may have a corner twice
        }
        uint32_t* last = pelti_cor_edges_at(&last_halfedges, problem, a, b);
        is_ok = last != NULL;
        if (is_ok && *last != PELT_NONE)
        {
            graph->next_halfedge[halfedge] = graph->next_halfedge[*last];
            graph->next_halfedge[*last] = halfedge;
        }
        if (is_ok)
        {
            *last = halfedge;
        }
    }
    pelti_cor_edges_release(&last_halfedges, problem);
    return is_ok;
}

static bool add_corners(pelti_cor_graph* graph, pelti_cor_problem* problem,
                        const pelti_cor_mesh* mesh)
{
    uint32_t index_count = 3 * mesh->triangle_count;
    size_t offset_count = (size_t)mesh->vertex_count + 1;
    uint32_t* first = pelti_cor_allocate(problem, offset_count, sizeof *first);
    graph->corner_first = first;
    graph->corner_triangles =
        pelti_cor_allocate(problem, index_count, sizeof *graph->corner_triangles);
    if (first == NULL || graph->corner_triangles == NULL)
    {
        return false;
    }
    memset(first, 0, offset_count * sizeof *first);
    for (uint32_t i = 0; i < index_count; ++i)
    {
        first[mesh->indices[i]]++;
    }
    // Ends of lists; filling from the back converts them into beginnings.
    for (uint32_t v = 0, sum = 0; v <= mesh->vertex_count; ++v)
    {
        first[v] = sum += first[v];
    }
    for (uint32_t i = index_count; i-- > 0;)
    {
        graph->corner_triangles[--first[mesh->indices[i]]] = i / 3;
    }
    return true;
}

bool pelti_cor_graph_create(pelti_cor_graph* out, pelti_cor_problem* problem,
                            const pelti_cor_mesh* mesh)
{
    *out = (pelti_cor_graph){.triangle_count = mesh->triangle_count};
    return add_weights(out, problem, mesh) && add_moments(out, problem, mesh) &&
           add_halfedges(out, problem, mesh) && add_corners(out, problem, mesh);
}

void pelti_cor_graph_release(pelti_cor_graph* graph, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, graph->corner_triangles);
    pelti_cor_release(problem, graph->corner_first);
    pelti_cor_release(problem, graph->next_halfedge);
    pelti_cor_release(problem, graph->moments);
    pelti_cor_release(problem, graph->weights);
    pelti_cor_release(problem, graph->first);
    *graph = (pelti_cor_graph){0};
}
