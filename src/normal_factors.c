// SPDX-License-Identifier: MIT
// Rates of weights along the surface (Tarini et al. 2014, section 4): gradients at vertices,
// written in the frame of each.
#include "normal_slopes.h"

// A float of any double; a slope that float cannot hold says nothing.
static float finite_float(double value)
{
    float out = (float)value;
    return isfinite(out) ? out : 0.0f;
}

static pelti_double3 normal_of(const pelti_slopes* s, uint32_t v)
{
    pelti_double3 n = {0.0, 0.0, 0.0};
    if (s->mesh->normals != NULL)
    {
        n = pelti_double3_unit(pelti_double3_from(s->mesh->normals[v]));
    }
    if (pelti_double3_length(n) == 0.0)
    {
        n = pelti_double3_unit(s->normal);
    }
    return pelti_double3_length(n) > 0.0 ? n : (pelti_double3){0.0, 1.0, 0.0};
}

// Eq. 9: the mesh's tangent without its part along the normal.
static pelti_double3 tangent_of(const pelti_slopes* s, uint32_t v, pelti_double3 normal)
{
    if (s->mesh->tangents == NULL)
    {
        return pelti_double3_across(normal);
    }
    pelt_vec4 t = s->mesh->tangents[v];
    pelti_double3 unit = pelti_double3_unit((pelti_double3){t.x, t.y, t.z});
    pelti_double3 across = pelti_double3_mad(unit, -pelti_double3_dot(unit, normal), normal);
    // Less is left only of a tangent that stands on the surface.
    return pelti_double3_length(across) > 1e-3 ? pelti_double3_unit(across)
                                               : pelti_double3_across(normal);
}

typedef struct output
{
    uint32_t* first;
    pelt_normal_factor* factors;
    pelt_vec3* tangents;
    pelt_vec3* center_rates;
} output;

static pelt_vec3 center_rate(const pelti_slopes* s, pelti_double3 along)
{
    return pelt_vec3_make(finite_float(pelti_double3_dot(s->center_changes[0], along)),
                          finite_float(pelti_double3_dot(s->center_changes[1], along)),
                          finite_float(pelti_double3_dot(s->center_changes[2], along)));
}

static void write_vertex(const output* out, const pelti_slopes* s, uint32_t v)
{
    pelti_double3 normal = normal_of(s, v), u = tangent_of(s, v, normal);
    pelti_double3 w = pelti_double3_cross(normal, u);
    out->tangents[v] = pelti_double3_to(u);
    for (uint32_t i = 0; i < s->count; ++i)
    {
        const pelti_slope* from = &s->slopes[i];
        out->factors[out->first[v] + i] =
            (pelt_normal_factor){from->joint, finite_float(pelti_double3_dot(from->gradient, u)),
                                 finite_float(pelti_double3_dot(from->gradient, w))};
    }
    if (out->center_rates != NULL)
    {
        out->center_rates[2 * v] = center_rate(s, u);
        out->center_rates[2 * v + 1] = center_rate(s, w);
    }
}

// ---------------------------------------------------------------------------------------------

// 0: there is no such limit.
static uint32_t limit_of(const pelt_normal_options* options)
{
    uint32_t limit = options != NULL ? options->max_joints : 0;
    bool is_known = limit == 0 || limit == 2 || limit == 3 || limit == 4 || limit == 8;
    return !is_known ? 0 : limit == 0 ? UINT32_MAX : limit;
}

// Counts first: for each vertex, and the largest.
static uint32_t count_factors(uint32_t* first, pelti_slopes* s)
{
    uint32_t most = 0;
    for (uint32_t group = 0; group < s->weld.group_count; ++group)
    {
        pelti_slopes_gather(s, group);
        most = s->count > most ? s->count : most;
        for (uint32_t i = s->weld.vertex_first[group]; i < s->weld.vertex_first[group + 1]; ++i)
        {
            first[s->weld.vertices[i] + 1] = s->count;
        }
    }
    for (uint32_t v = 0; v < s->mesh->vertex_count; ++v)
    {
        first[v + 1] += first[v];
    }
    return most;
}

static void write_factors(const output* out, pelti_slopes* s)
{
    for (uint32_t group = 0; group < s->weld.group_count; ++group)
    {
        pelti_slopes_gather(s, group);
        for (uint32_t i = s->weld.vertex_first[group]; i < s->weld.vertex_first[group + 1]; ++i)
        {
            write_vertex(out, s, s->weld.vertices[i]);
        }
    }
}

static bool build(pelt_normal_factors* out, pelti_slopes* s, pelt_arena* arena)
{
    const pelt_mesh* mesh = s->mesh;
    size_t vertex_count = mesh->vertex_count;
    output to = {.first = pelt_arena_alloc(arena, vertex_count + 1, sizeof *to.first),
                 .tangents = pelt_arena_alloc(arena, vertex_count, sizeof *to.tangents)};
    if (to.first == NULL || to.tangents == NULL)
    {
        return false;
    }
    uint32_t max_factors = count_factors(to.first, s);
    uint32_t factor_count = to.first[vertex_count];
    to.factors = pelt_arena_alloc(arena, factor_count, sizeof *to.factors);
    to.center_rates =
        s->cors ? pelt_arena_alloc(arena, 2 * vertex_count, sizeof *to.center_rates) : NULL;
    if (to.factors == NULL || (s->cors != NULL && to.center_rates == NULL))
    {
        return false;
    }
    write_factors(&to, s);
    *out = (pelt_normal_factors){mesh->vertex_count, mesh->weights.joint_count,
                                 factor_count,       max_factors,
                                 to.first,           to.factors,
                                 to.tangents,        to.center_rates};
    return true;
}

pelt_result pelt_normal_factors_build(pelt_normal_factors* out, const pelt_mesh* mesh,
                                      const pelt_vec3* cors, const pelt_normal_options* options,
                                      pelt_arena* arena)
{
    PELT_ASSERT(mesh->weights.vertex_count == mesh->vertex_count);
    *out = (pelt_normal_factors){0};
    uint32_t limit = limit_of(options);
    if (limit == 0)
    {
        return PELT_ERROR_ARGUMENT;
    }
    pelti_slopes slopes;
    pelt_arena* scratch = pelt_arena_create();
    bool is_ok = scratch != NULL && pelti_slopes_create(&slopes, mesh, cors, limit, scratch) &&
                 build(out, &slopes, arena);
    pelt_arena_destroy(scratch);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
