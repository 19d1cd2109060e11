// SPDX-License-Identifier: MIT
// Fewer vertices: edges of a half mesh are collapsed in the order of the error that they cause.
// Source: Garland and Heckbert, "Surface Simplification Using Quadric Error Metrics", 1997.
#include "implicit.h"

#include <string.h>

// Sum of squared distances to planes: p . A p + 2 b . p + c, upper triangle of A.
typedef struct quadric
{
    double xx, xy, xz, yy, yz, zz, x, y, z, c;
} quadric;

typedef struct collapse
{
    double error;
    uint32_t keep, drop;
    pelt_vec3 position;
} collapse;

// A collapse by its number and the upper bits of its error.
typedef struct sort_key
{
    uint32_t error, collapse;
} sort_key;

typedef struct simplifier
{
    implicit_mesh* mesh;
    quadric* quadrics;
    uint32_t* first;     ///< vertex_count + 1 offsets into `corners`
    uint32_t* corners;   ///< triangles of each vertex
    uint32_t* remap;     ///< where each vertex has gone
    uint32_t* marks;     ///< vertex was touched in this pass
    collapse* collapses; ///< one per half edge at most
    sort_key* order;     ///< of the collapses, cheapest first
    sort_key* spare;     ///< as many, for sorting
} simplifier;

static bool is_border(const implicit_mesh* mesh, uint32_t vertex)
{
    return mesh->positions[vertex].x == 0.0f;
}

static void quadric_add_plane(quadric* q, pelt_vec3 n, pelt_vec3 p, double weight)
{
    double x = n.x, y = n.y, z = n.z;
    double d = -(x * p.x + y * p.y + z * p.z);
    q->xx += weight * x * x;
    q->xy += weight * x * y;
    q->xz += weight * x * z;
    q->yy += weight * y * y;
    q->yz += weight * y * z;
    q->zz += weight * z * z;
    q->x += weight * x * d;
    q->y += weight * y * d;
    q->z += weight * z * d;
    q->c += weight * d * d;
}

static double quadric_error(const quadric* a, const quadric* b, pelt_vec3 p)
{
    double x = p.x, y = p.y, z = p.z;
    double square =
        (a->xx + b->xx) * x * x + (a->yy + b->yy) * y * y + (a->zz + b->zz) * z * z +
        2.0 * ((a->xy + b->xy) * x * y + (a->xz + b->xz) * x * z + (a->yz + b->yz) * y * z);
    return square + 2.0 * ((a->x + b->x) * x + (a->y + b->y) * y + (a->z + b->z) * z) + a->c + b->c;
}

static pelt_vec3 area_vector(pelt_vec3 a, pelt_vec3 b, pelt_vec3 c)
{
    return pelt_vec3_cross(pelt_vec3_sub(b, a), pelt_vec3_sub(c, a));
}

static void find_quadrics(simplifier* s)
{
    const implicit_mesh* mesh = s->mesh;
    memset(s->quadrics, 0, mesh->vertex_count * sizeof *s->quadrics);
    for (uint32_t i = 0; i < mesh->index_count; i += 3)
    {
        const uint32_t* t = mesh->indices + i;
        pelt_vec3 a = mesh->positions[t[0]];
        pelt_vec3 area = area_vector(a, mesh->positions[t[1]], mesh->positions[t[2]]);
        for (int j = 0; j < 3; ++j)
        {
            quadric_add_plane(&s->quadrics[t[j]], pelt_vec3_normalize(area), a,
                              pelt_vec3_length(area));
        }
    }
}

static void link_triangles(simplifier* s)
{
    const implicit_mesh* mesh = s->mesh;
    memset(s->first, 0, (mesh->vertex_count + 1) * sizeof *s->first);
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        ++s->first[mesh->indices[i] + 1];
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        s->first[v + 1] += s->first[v];
    }
    for (uint32_t i = mesh->index_count; i-- > 0;)
    {
        s->corners[s->first[mesh->indices[i] + 1] - 1] = i / 3;
        --s->first[mesh->indices[i] + 1];
    }
    // Counting down has moved every offset to the start of its own list, one entry late.
    memmove(s->first, s->first + 1, mesh->vertex_count * sizeof *s->first);
    s->first[mesh->vertex_count] = mesh->index_count;
}

// How often b occurs among the triangles of a.
static uint32_t count_shared(const simplifier* s, uint32_t a, uint32_t b)
{
    uint32_t count = 0;
    for (uint32_t i = s->first[a]; i < s->first[a + 1]; ++i)
    {
        const uint32_t* t = s->mesh->indices + 3 * (size_t)s->corners[i];
        count += t[0] == b || t[1] == b || t[2] == b;
    }
    return count;
}

// The two ends of an edge may only have those neighbors in common that face it: otherwise the
// collapse would glue two sheets together.
static bool is_link_clean(const simplifier* s, uint32_t a, uint32_t b)
{
    uint32_t common = 0;
    for (uint32_t i = s->first[a]; i < s->first[a + 1]; ++i)
    {
        const uint32_t* t = s->mesh->indices + 3 * (size_t)s->corners[i];
        for (int j = 0; j < 3; ++j)
        {
            // Each neighbor of an inner vertex occurs twice; the next corner names it once.
            uint32_t next = t[(j + 1) % 3];
            if (t[j] == a && next != b && count_shared(s, b, next) > 0)
            {
                ++common;
            }
            uint32_t last = t[(j + 2) % 3];
            bool is_last_open = t[j] == a && count_shared(s, a, last) == 1;
            if (is_last_open && last != b && count_shared(s, b, last) > 0)
            {
                ++common;
            }
        }
    }
    return common == count_shared(s, a, b);
}

// Whether the triangles of a vertex stay well shaped and are not flipped when it moves.
static bool keeps_shape(const simplifier* s, uint32_t vertex, uint32_t other, pelt_vec3 position)
{
    for (uint32_t i = s->first[vertex]; i < s->first[vertex + 1]; ++i)
    {
        const uint32_t* t = s->mesh->indices + 3 * (size_t)s->corners[i];
        if (t[0] == other || t[1] == other || t[2] == other)
        {
            continue;
        }
        pelt_vec3 old[3], new[3];
        for (int j = 0; j < 3; ++j)
        {
            old[j] = s->mesh->positions[t[j]];
            new[j] = t[j] == vertex ? position : old[j];
        }
        pelt_vec3 before = area_vector(old[0], old[1], old[2]);
        pelt_vec3 after = area_vector(new[0], new[1], new[2]);
        float a = pelt_vec3_distance(new[0], new[1]), b = pelt_vec3_distance(new[1], new[2]);
        float c = pelt_vec3_distance(new[2], new[0]);
        float area = pelt_vec3_length(after);
        bool is_flipped = pelt_vec3_dot(before, after) < 0.5f * pelt_vec3_length(before) * area;
        // 1.15 for an equilateral triangle.
        if (is_flipped || area < 0.1f * (a * a + b * b + c * c) / 3.0f)
        {
            return false;
        }
    }
    return true;
}

static collapse plan_collapse(const simplifier* s, uint32_t a, uint32_t b)
{
    const implicit_mesh* mesh = s->mesh;
    if (is_border(mesh, b) && !is_border(mesh, a))
    {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    pelt_vec3 candidates[3] = {mesh->positions[a], mesh->positions[b]};
    candidates[2] = pelt_vec3_lerp(candidates[0], candidates[1], 0.5f);
    // A border vertex stays on the border.
    int choice_count = is_border(mesh, a) && !is_border(mesh, b) ? 1 : 3;
    collapse best = {.error = 1e30, .keep = a, .drop = b};
    for (int i = 0; i < choice_count; ++i)
    {
        double error = quadric_error(&s->quadrics[a], &s->quadrics[b], candidates[i]);
        if (error < best.error)
        {
            best.error = error;
            best.position = candidates[i];
        }
    }
    // Flat parts have no error at all: there the shortest edges go first.
    double length = pelt_vec3_distance(candidates[0], candidates[1]);
    best.error = fmax(best.error, 0.0) + 1e-4 * length * length * length * length;
    return best;
}

static bool is_cheaper(const collapse* a, const collapse* b)
{
    if (a->error != b->error)
    {
        return a->error < b->error;
    }
    return a->keep != b->keep ? a->keep < b->keep : a->drop < b->drop;
}

// Bits of numbers that are not negative are in the order of the numbers.
static uint32_t upper_bits(double error)
{
    uint64_t bits;
    memcpy(&bits, &error, sizeof bits);
    return (uint32_t)(bits >> 32);
}

#define DIGIT_BITS 11
#define DIGIT_COUNT (1u << DIGIT_BITS)

static uint32_t digit(sort_key key, uint32_t shift)
{
    return key.error >> shift & (DIGIT_COUNT - 1);
}

// One step of a radix sort: by a digit, those with the same digit as they were.
static void sort_by_digit(sort_key* out, const sort_key* keys, uint32_t count, uint32_t shift)
{
    uint32_t offsets[DIGIT_COUNT + 1] = {0};
    for (uint32_t i = 0; i < count; ++i)
    {
        ++offsets[digit(keys[i], shift) + 1];
    }
    for (uint32_t i = 0; i < DIGIT_COUNT; ++i)
    {
        offsets[i + 1] += offsets[i];
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        out[offsets[digit(keys[i], shift)]++] = keys[i];
    }
}

static void sort_collapses(simplifier* s, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        s->order[i] = (sort_key){upper_bits(s->collapses[i].error), i};
    }
    for (uint32_t shift = 0; shift < 32; shift += DIGIT_BITS)
    {
        sort_by_digit(s->spare, s->order, count, shift);
        sort_key* swap = s->order;
        s->order = s->spare;
        s->spare = swap;
    }
    // What the upper bits leave open, by insertion: hardly any are equal there.
    for (uint32_t i = 1; i < count; ++i)
    {
        sort_key key = s->order[i];
        const collapse* c = &s->collapses[key.collapse];
        uint32_t j = i;
        for (; j > 0 && s->order[j - 1].error == key.error &&
               is_cheaper(c, &s->collapses[s->order[j - 1].collapse]);
             --j)
        {
            s->order[j] = s->order[j - 1];
        }
        s->order[j] = key;
    }
}

static uint32_t plan_pass(simplifier* s)
{
    const implicit_mesh* mesh = s->mesh;
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        uint32_t a = mesh->indices[i], b = mesh->indices[i % 3 == 2 ? i - 2 : i + 1];
        bool is_rim = is_border(mesh, a) && is_border(mesh, b);
        // An inner edge occurs twice, an edge of the border once.
        uint32_t share = is_rim ? count_shared(s, a, b) : 2;
        if ((a < b && share == 2 && !is_rim) || share == 1)
        {
            s->collapses[count++] = plan_collapse(s, a, b);
        }
    }
    sort_collapses(s, count);
    return count;
}

static bool touches_mark(const simplifier* s, uint32_t vertex)
{
    for (uint32_t i = s->first[vertex]; i < s->first[vertex + 1]; ++i)
    {
        const uint32_t* t = s->mesh->indices + 3 * (size_t)s->corners[i];
        if (s->marks[t[0]] || s->marks[t[1]] || s->marks[t[2]])
        {
            return true;
        }
    }
    return false;
}

static void mark_neighbors(simplifier* s, uint32_t vertex)
{
    for (uint32_t i = s->first[vertex]; i < s->first[vertex + 1]; ++i)
    {
        const uint32_t* t = s->mesh->indices + 3 * (size_t)s->corners[i];
        s->marks[t[0]] = s->marks[t[1]] = s->marks[t[2]] = 1;
    }
}

static void quadric_add(quadric* a, const quadric* b)
{
    a->xx += b->xx;
    a->xy += b->xy;
    a->xz += b->xz;
    a->yy += b->yy;
    a->yz += b->yz;
    a->zz += b->zz;
    a->x += b->x;
    a->y += b->y;
    a->z += b->z;
    a->c += b->c;
}

// Collapse edges whose surroundings do not touch, cheapest first, so that no plan goes stale.
static uint32_t run_pass(simplifier* s, uint32_t plan_count, uint32_t target)
{
    uint32_t done = 0;
    for (uint32_t v = 0; v < s->mesh->vertex_count; ++v)
    {
        s->remap[v] = v;
        s->marks[v] = 0;
    }
    // The dearest plans wait: the next pass may find cheaper ones.
    uint32_t limit = plan_count / 3 + 16 < plan_count ? plan_count / 3 + 16 : plan_count;
    for (uint32_t i = 0; i < limit && done < target; ++i)
    {
        const collapse* c = &s->collapses[s->order[i].collapse];
        if (touches_mark(s, c->keep) || touches_mark(s, c->drop) ||
            !is_link_clean(s, c->keep, c->drop) || !keeps_shape(s, c->keep, c->drop, c->position) ||
            !keeps_shape(s, c->drop, c->keep, c->position))
        {
            continue;
        }
        mark_neighbors(s, c->keep);
        mark_neighbors(s, c->drop);
        s->mesh->positions[c->keep] = c->position;
        quadric_add(&s->quadrics[c->keep], &s->quadrics[c->drop]);
        s->remap[c->drop] = c->keep;
        ++done;
    }
    return done;
}

// Drop the triangles that have lost an edge and close the gaps in the arrays.
static void compact(simplifier* s)
{
    implicit_mesh* mesh = s->mesh;
    uint32_t index_count = 0;
    for (uint32_t i = 0; i < mesh->index_count; i += 3)
    {
        uint32_t a = s->remap[mesh->indices[i]], b = s->remap[mesh->indices[i + 1]];
        uint32_t c = s->remap[mesh->indices[i + 2]];
        if (a != b && b != c && c != a)
        {
            mesh->indices[index_count++] = a;
            mesh->indices[index_count++] = b;
            mesh->indices[index_count++] = c;
        }
    }
    mesh->index_count = index_count;
    uint32_t count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        bool is_kept = s->remap[v] == v;
        mesh->positions[count] = mesh->positions[v];
        s->quadrics[count] = s->quadrics[v];
        s->marks[v] = count;
        count += is_kept;
    }
    for (uint32_t i = 0; i < index_count; ++i)
    {
        mesh->indices[i] = s->marks[mesh->indices[i]];
    }
    mesh->vertex_count = count;
}

static pelt_result create_simplifier(simplifier* s, implicit_mesh* mesh)
{
    *s = (simplifier){.mesh = mesh};
    s->quadrics = pelt_allocate(mesh->vertex_count, sizeof *s->quadrics);
    s->first = pelt_allocate((size_t)mesh->vertex_count + 1, sizeof *s->first);
    s->corners = pelt_allocate(mesh->index_count, sizeof *s->corners);
    s->remap = pelt_allocate(mesh->vertex_count, sizeof *s->remap);
    s->marks = pelt_allocate(mesh->vertex_count, sizeof *s->marks);
    s->collapses = pelt_allocate(mesh->index_count, sizeof *s->collapses);
    s->order = pelt_allocate(mesh->index_count, sizeof *s->order);
    s->spare = pelt_allocate(mesh->index_count, sizeof *s->spare);
    bool is_complete = s->quadrics && s->first && s->corners && s->remap && s->marks &&
                       s->collapses && s->order && s->spare;
    return is_complete ? PELT_OK : PELT_ERROR_MEMORY;
}

static void destroy_simplifier(simplifier* s)
{
    pelt_release(s->quadrics);
    pelt_release(s->first);
    pelt_release(s->corners);
    pelt_release(s->remap);
    pelt_release(s->marks);
    pelt_release(s->collapses);
    pelt_release(s->order);
    pelt_release(s->spare);
}

// The vertices follow one another in space, so that many can share a focus.
static void find_normals(implicit_mesh* mesh, const implicit_shape* shape)
{
    const float radius = 0.08f, margin = 0.001f;
    implicit_focus focus;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        pelt_vec3 p = mesh->positions[v];
        if (v == 0 || implicit_focus_shape(&focus, p, margin) == shape)
        {
            implicit_focus_set(&focus, shape, p, radius);
        }
        mesh->normals[v] = pelt_vec3_normalize(implicit_gradient(&focus, p, NULL));
    }
}

pelt_result implicit_mesh_simplify(implicit_mesh* mesh, const implicit_shape* shape,
                                   uint32_t vertex_count)
{
    simplifier s;
    pelt_result result = create_simplifier(&s, mesh);
    if (result == PELT_OK)
    {
        find_quadrics(&s);
    }
    while (result == PELT_OK && mesh->vertex_count > vertex_count)
    {
        link_triangles(&s);
        uint32_t done = run_pass(&s, plan_pass(&s), mesh->vertex_count - vertex_count);
        if (done == 0)
        {
            break;
        }
        compact(&s);
    }
    if (result == PELT_OK)
    {
        find_normals(mesh, shape);
    }
    destroy_simplifier(&s);
    return result;
}
