// SPDX-License-Identifier: MIT
// Surface nets: a vertex in every cell that the surface crosses, a quad for every crossed edge.
// Source: Gibson, "Constrained Elastic Surface Nets", 1998.
#include "implicit_grid.h"

#include <string.h>

typedef struct mesher
{
    implicit_grid grid;
    implicit_solid* solids; ///< of the block at hand
    implicit_shape local;   ///< made of them
    implicit_focus focus;   ///< on some of its cells
    float cube[IMPLICIT_CUBE_SIZE];
    implicit_mesh* mesh;
    pelt_vec4* sums; ///< of the neighbors of each vertex, and their count
    float* limits;   ///< how far each vertex may move: half the size of its cell
} mesher;

// Mean of the new_indices where the surface cuts the edges of a cell, in corners.
static pelt_vec3 mean_crossing(const float values[8], uint32_t mask)
{
    pelt_vec3 sum = {0.0f, 0.0f, 0.0f};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 8; ++i)
    {
        for (uint32_t axis = 1; axis < 8; axis *= 2)
        {
            uint32_t j = i | axis;
            if (j == i || (mask >> i & 1) == (mask >> j & 1))
            {
                continue;
            }
            float t = values[i] / (values[i] - values[j]);
            sum.x += axis == 1 ? t : (float)(i & 1);
            sum.y += axis == 2 ? t : (float)(i >> 1 & 1);
            sum.z += axis == 4 ? t : (float)(i >> 2);
            ++count;
        }
    }
    return pelt_vec3_scale(sum, 1.0f / (float)count);
}

static uint32_t number_cells(implicit_grid* grid)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < grid->block_count; ++b)
    {
        float cube[IMPLICIT_CUBE_SIZE], values[8];
        bool is_cut = implicit_grid_cube(cube, grid, &grid->blocks[b]);
        for (uint32_t slot = 0; is_cut && slot < IMPLICIT_BLOCK_SIZE; ++slot)
        {
            uint32_t mask = implicit_grid_mask(values, cube, slot);
            if (mask != 0 && mask != 0xff)
            {
                grid->blocks[b].vertices[slot] = count++;
            }
        }
    }
    return count;
}

// What happens to the vertex of a cell; the focus is on its surroundings.
typedef void (*visit)(mesher* m, const implicit_block* block, uint32_t slot);

static bool has_vertices(const implicit_block* block, uint32_t eighth)
{
    bool result = false;
    for (uint32_t i = 0; i < 8; ++i)
    {
        result = result || block->vertices[implicit_grid_eighth_slot(eighth, i)] != PELT_NONE;
    }
    return result;
}

// A ball that encloses the cells of an eighth, enlarged by the distance that vertices may move.
static void focus_on(mesher* m, const implicit_block* block, uint32_t eighth)
{
    uint32_t first[3];
    implicit_grid_corner(first, block, implicit_grid_eighth_slot(eighth, 0));
    float x = (float)first[0], y = (float)first[1], z = (float)first[2];
    pelt_vec3 center = implicit_grid_point(&m->grid, x + 1.0f, y + 1.0f, z + 1.0f);
    pelt_vec3 low = implicit_grid_point(&m->grid, x, y, z);
    implicit_focus_set(&m->focus, &m->local, center, 1.5f * pelt_vec3_distance(low, center));
}

static void visit_vertices(mesher* m, visit visit_vertex)
{
    for (uint32_t b = 0; b < m->grid.block_count; ++b)
    {
        const implicit_block* block = &m->grid.blocks[b];
        m->local = (implicit_shape){0};
        for (uint32_t eighth = 0; eighth < 8; ++eighth)
        {
            if (!has_vertices(block, eighth))
            {
                continue;
            }
            if (!m->local.solids)
            {
                m->local = implicit_grid_local_shape(&m->grid, block, m->solids);
                implicit_grid_cube(m->cube, &m->grid, block);
            }
            focus_on(m, block, eighth);
            for (uint32_t i = 0; i < 8; ++i)
            {
                uint32_t slot = implicit_grid_eighth_slot(eighth, i);
                if (block->vertices[slot] != PELT_NONE)
                {
                    visit_vertex(m, block, slot);
                }
            }
        }
    }
}

static void place_vertex(mesher* m, const implicit_block* block, uint32_t slot)
{
    float values[8];
    uint32_t mask = implicit_grid_mask(values, m->cube, slot);
    pelt_vec3 c = mean_crossing(values, mask);
    uint32_t cell[3], vertex = block->vertices[slot];
    implicit_grid_corner(cell, block, slot);
    float x = (float)cell[0], y = (float)cell[1], z = (float)cell[2];
    pelt_vec3 p = implicit_grid_point(&m->grid, x + c.x, y + c.y, z + c.z);
    pelt_vec3 low = implicit_grid_point(&m->grid, x, y, z);
    pelt_vec3 high = implicit_grid_point(&m->grid, x + 1.0f, y + 1.0f, z + 1.0f);
    m->limits[vertex] = 0.3f * pelt_vec3_distance(low, high);
    // The first layer of cells lies across the mirror.
    p.x = cell[0] == 0 ? 0.0f : p.x;
    m->mesh->positions[vertex] = implicit_project(&m->focus, p, m->limits[vertex], 1, NULL);
}

// The vertices of the four cells that share the edge from a corner along an axis: counterclockwise
// as seen from the second end of the edge, if that is outside.
static void edge_quad(uint32_t quad[4], const implicit_grid* grid, const uint32_t corner[3],
                      uint32_t axis, bool is_inside)
{
    uint32_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (uint32_t i = 0; i < 4; ++i)
    {
        uint32_t cell[3] = {corner[0], corner[1], corner[2]};
        uint32_t step = is_inside ? i : 3 - i;
        cell[u] -= step == 0 || step == 3;
        cell[v] -= step == 0 || step == 1;
        const implicit_block* block = implicit_grid_block(grid, cell);
        quad[i] = block ? block->vertices[implicit_grid_slot(cell)] : PELT_NONE;
        PELT_ASSERT(quad[i] != PELT_NONE);
    }
}

// Two triangles, cut along the shorter diagonal.
static void split_quad(uint32_t out[6], const uint32_t q[4], const pelt_vec3* positions)
{
    bool is_first = pelt_vec3_distance(positions[q[0]], positions[q[2]]) <=
                    pelt_vec3_distance(positions[q[1]], positions[q[3]]);
    uint32_t s = is_first ? 0 : 1;
    uint32_t tris[6] = {q[s], q[s + 1], q[s + 2], q[s + 2], q[(s + 3) % 4], q[s]};
    memcpy(out, tris, sizeof tris);
}

// Write the triangles; or only count them.
static uint32_t make_triangles(const implicit_grid* grid, const pelt_vec3* positions, uint32_t* out)
{
    static const uint32_t steps[3] = {1, IMPLICIT_CUBE, IMPLICIT_CUBE * IMPLICIT_CUBE};
    uint32_t count = 0;
    for (uint32_t b = 0; b < grid->block_count; ++b)
    {
        float cube[IMPLICIT_CUBE_SIZE];
        bool is_cut = implicit_grid_cube(cube, grid, &grid->blocks[b]);
        for (uint32_t i = 0; is_cut && i < 3 * IMPLICIT_BLOCK_SIZE; ++i)
        {
            uint32_t corner[3], quad[4], axis = i % 3;
            const float* value = cube + implicit_grid_cube_slot(i / 3);
            bool is_inside = value[0] < 0.0f;
            implicit_grid_corner(corner, &grid->blocks[b], i / 3);
            // An edge at the border belongs to the other half.
            if (is_inside == (value[steps[axis]] < 0.0f) || corner[(axis + 1) % 3] == 0 ||
                corner[(axis + 2) % 3] == 0)
            {
                continue;
            }
            if (out)
            {
                edge_quad(quad, grid, corner, axis, is_inside);
                split_quad(out + count, quad, positions);
            }
            count += 6;
        }
    }
    return count;
}

// Half way from p to the mean of its neighbors, within the tangent plane: a step inwards would
// fold the tip of a finger. What lies on the mirror stays there.
static pelt_vec3 slide(pelt_vec3 p, pelt_vec3 mean, pelt_vec3 gradient, float limit)
{
    pelt_vec3 normal = pelt_vec3_normalize(gradient);
    pelt_vec3 step = pelt_vec3_sub(mean, p);
    step = pelt_vec3_scale(pelt_vec3_mad(step, -pelt_vec3_dot(step, normal), normal), 0.5f);
    step.x = p.x == 0.0f ? 0.0f : step.x;
    float length = pelt_vec3_length(step);
    return pelt_vec3_mad(p, length > limit ? limit / length : 1.0f, step);
}

static void relax_vertex(mesher* m, uint32_t vertex, int step_count, pelt_vec3* gradient)
{
    pelt_vec3 p = m->mesh->positions[vertex];
    pelt_vec4 sum = m->sums[vertex];
    pelt_vec3 mean = pelt_vec3_scale(pelt_vec3_make(sum.x, sum.y, sum.z), 1.0f / sum.w);
    float limit = m->limits[vertex];
    pelt_vec3 goal = slide(p, mean, implicit_gradient(&m->focus, p, NULL), limit);
    m->mesh->positions[vertex] = implicit_project(&m->focus, goal, limit, step_count, gradient);
}

static void relax_roughly(mesher* m, const implicit_block* block, uint32_t slot)
{
    relax_vertex(m, block->vertices[slot], 1, NULL);
}

static void relax_finally(mesher* m, const implicit_block* block, uint32_t slot)
{
    pelt_vec3 gradient;
    relax_vertex(m, block->vertices[slot], 3, &gradient);
    m->mesh->normals[block->vertices[slot]] = pelt_vec3_normalize(gradient);
}

// Move every vertex towards the mean of its neighbors and back to the surface: evens out the thin
// triangles where the surface grazes corners.
static void relax(mesher* m, visit visit_vertex)
{
    const implicit_mesh* mesh = m->mesh;
    memset(m->sums, 0, mesh->vertex_count * sizeof *m->sums);
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        pelt_vec4* sum = &m->sums[mesh->indices[i]];
        pelt_vec3 p = mesh->positions[mesh->indices[i % 3 == 2 ? i - 2 : i + 1]];
        *sum = (pelt_vec4){sum->x + p.x, sum->y + p.y, sum->z + p.z, sum->w + 1.0f};
    }
    visit_vertices(m, visit_vertex);
}

static uint32_t find_root(uint32_t* parents, uint32_t vertex)
{
    while (parents[vertex] != vertex)
    {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    return vertex;
}

// The piece with the most vertices, as its root; every vertex gets its own root.
static uint32_t find_largest_piece(uint32_t* roots, uint32_t* sizes, const implicit_mesh* mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        roots[v] = v;
        sizes[v] = 0;
    }
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        uint32_t a = find_root(roots, mesh->indices[i]);
        uint32_t b = find_root(roots, mesh->indices[i % 3 == 2 ? i - 2 : i + 1]);
        roots[a > b ? a : b] = a > b ? b : a;
    }
    uint32_t largest = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        roots[v] = find_root(roots, v);
        largest = ++sizes[roots[v]] > sizes[largest] ? roots[v] : largest;
    }
    return largest;
}

// The tip of a claw may be thinner than a cell and come out as an island: only the body stays.
static pelt_result drop_islands(implicit_mesh* mesh)
{
    uint32_t* roots = pelt_allocate(mesh->vertex_count, sizeof *roots);
    uint32_t* new_indices = pelt_allocate(mesh->vertex_count, sizeof *new_indices);
    if (!roots || !new_indices)
    {
        pelt_release(roots);
        pelt_release(new_indices);
        return PELT_ERROR_MEMORY;
    }
    uint32_t largest = find_largest_piece(roots, new_indices, mesh);
    uint32_t vertex_count = 0, index_count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        new_indices[v] = vertex_count;
        mesh->positions[vertex_count] = mesh->positions[v];
        mesh->normals[vertex_count] = mesh->normals[v];
        vertex_count += roots[v] == largest;
    }
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        uint32_t vertex = mesh->indices[i];
        mesh->indices[index_count] = new_indices[vertex];
        index_count += roots[vertex] == largest;
    }
    mesh->vertex_count = vertex_count;
    mesh->index_count = index_count;
    pelt_release(roots);
    pelt_release(new_indices);
    return PELT_OK;
}

static pelt_result make_half(mesher* m, const implicit_shape* shape, const implicit_grid_desc* desc)
{
    pelt_result result = implicit_grid_create(&m->grid, shape, desc);
    m->solids = pelt_allocate(shape->solid_count, sizeof *m->solids);
    if (result != PELT_OK || !m->solids)
    {
        return PELT_ERROR_MEMORY;
    }
    implicit_grid_untangle(&m->grid);
    implicit_mesh* mesh = m->mesh;
    mesh->vertex_count = number_cells(&m->grid);
    mesh->index_count = make_triangles(&m->grid, NULL, NULL);
    mesh->positions = pelt_allocate(mesh->vertex_count, sizeof *mesh->positions);
    mesh->normals = pelt_allocate(mesh->vertex_count, sizeof *mesh->normals);
    mesh->indices = pelt_allocate(mesh->index_count, sizeof *mesh->indices);
    m->sums = pelt_allocate(mesh->vertex_count, sizeof *m->sums);
    m->limits = pelt_allocate(mesh->vertex_count, sizeof *m->limits);
    if (!mesh->positions || !mesh->normals || !mesh->indices || !m->sums || !m->limits)
    {
        return PELT_ERROR_MEMORY;
    }
    visit_vertices(m, place_vertex);
    make_triangles(&m->grid, mesh->positions, mesh->indices);
    relax(m, relax_roughly);
    relax(m, relax_finally);
    return drop_islands(mesh);
}

pelt_result implicit_mesh_create(implicit_mesh* out, const implicit_shape* shape,
                                 const implicit_grid_desc* desc)
{
    *out = (implicit_mesh){0};
    mesher m = {.mesh = out};
    pelt_result result = make_half(&m, shape, desc);
    implicit_grid_destroy(&m.grid);
    pelt_release(m.solids);
    pelt_release(m.sums);
    pelt_release(m.limits);
    return result;
}

static void fill_mirrored(implicit_mesh* out, const implicit_mesh* half, uint32_t* image)
{
    uint32_t count = half->vertex_count;
    memcpy(out->positions, half->positions, count * sizeof *out->positions);
    memcpy(out->normals, half->normals, count * sizeof *out->normals);
    memcpy(out->indices, half->indices, half->index_count * sizeof *out->indices);
    for (uint32_t v = 0; v < half->vertex_count; ++v)
    {
        pelt_vec3 p = half->positions[v], n = half->normals[v];
        image[v] = p.x == 0.0f ? v : count;
        if (p.x != 0.0f)
        {
            out->positions[count] = pelt_vec3_make(-p.x, p.y, p.z);
            out->normals[count++] = pelt_vec3_make(-n.x, n.y, n.z);
        }
    }
    for (uint32_t i = 0; i < half->index_count; ++i)
    {
        // Reversed, so that the image faces outwards too.
        out->indices[2 * half->index_count - 1 - i] = image[half->indices[i]];
    }
}

pelt_result implicit_mesh_mirror(implicit_mesh* mesh)
{
    implicit_mesh whole = {.vertex_count = 2 * mesh->vertex_count,
                           .index_count = 2 * mesh->index_count};
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        whole.vertex_count -= mesh->positions[v].x == 0.0f;
    }
    uint32_t* image = pelt_allocate(mesh->vertex_count, sizeof *image);
    whole.positions = pelt_allocate(whole.vertex_count, sizeof *whole.positions);
    whole.normals = pelt_allocate(whole.vertex_count, sizeof *whole.normals);
    whole.indices = pelt_allocate(whole.index_count, sizeof *whole.indices);
    if (!image || !whole.positions || !whole.normals || !whole.indices)
    {
        pelt_release(image);
        implicit_mesh_destroy(&whole);
        return PELT_ERROR_MEMORY;
    }
    fill_mirrored(&whole, mesh, image);
    pelt_release(image);
    implicit_mesh_destroy(mesh);
    *mesh = whole;
    return PELT_OK;
}

void implicit_mesh_destroy(implicit_mesh* mesh)
{
    pelt_release(mesh->positions);
    pelt_release(mesh->normals);
    pelt_release(mesh->indices);
    *mesh = (implicit_mesh){0};
}
