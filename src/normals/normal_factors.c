// SPDX-License-Identifier: MIT
// Normal factors (after Tarini, Panozzo and Sorkine-Hornung, "Accurate and Efficient Lighting for
// Skinned Models", 2014, section 4): gradients of weights along the axes of each vertex.
#include "../base/exact.h"

#include "plane_axes.h"

#include "../../include/pelt/prepare.h"
#include "../base/mesh_check.h"
#include "vertex_rings.h"

#include <float.h>
#include <string.h>

// Derivatives of centers that overflow float carry no information: they become 0.
static float finite_float(double value)
{
    float out = (float)value;
    return isfinite(out) ? out : 0.0f;
}

static pelt_vec3 finite_vec3(pelti_double3 v)
{
    return pelt_vec3_make(finite_float(v.x), finite_float(v.y), finite_float(v.z));
}

static pelti_double3 normal_of(const pelti_weight_gradients* s, uint32_t v)
{
    pelti_double3 n = {0.0, 0.0, 0.0};
    if (s->mesh->normals != NULL)
    {
        n = pelti_double3_unit(pelti_double3_from(s->mesh->normals[v]));
    }
    if (pelti_double3_length(n) == 0.0)
    {
        n = s->normal;
    }
    return pelti_double3_length(n) > 0.0 ? n : (pelti_double3){0.0, 1.0, 0.0};
}

// Eq. 9: the mesh's tangent without its part along the normal.
static pelti_double3 tangent_of(const pelti_weight_gradients* s, uint32_t v, pelti_double3 normal)
{
    if (s->mesh->tangents == NULL)
    {
        return pelti_double3_across(normal);
    }
    pelt_vec4 t = s->mesh->tangents[v];
    pelti_double3 unit = pelti_double3_unit((pelti_double3){t.x, t.y, t.z});
    pelti_double3 across = pelti_double3_mad(unit, -pelti_double3_dot(unit, normal), normal);
    // A tangent that is nearly parallel to the normal has no usable projection.
    return pelti_double3_length(across) > 1e-3 ? pelti_double3_unit(across)
                                               : pelti_double3_across(normal);
}

// ---------------------------------------------------------------------------------------------
// Derivatives along the axes of one vertex

typedef struct output
{
    uint32_t* first;
    pelt_normal_factor* factors;
    pelt_vec3* tangents;
    pelt_vec2* plane_normals;
    pelt_vec3* centers;
    pelt_vec3* center_derivatives;
} output;

static double derivative_along(const double axis[2], const double gradients[2])
{
    return axis[0] * gradients[0] + axis[1] * gradients[1];
}

// @param to  the axes of the vertex in those of its group
static pelt_normal_factor make_factor(const pelti_weight_gradient* from, double to[2][2])
{
    pelt_normal_factor out = {.joint = from->joint,
                              .weight = fmaxf((float)from->mean, FLT_MIN),
                              .alpha = (float)derivative_along(to[0], from->gradients),
                              .beta = (float)derivative_along(to[1], from->gradients)};
    for (int i = 0; i < 2; ++i)
    {
        for (int k = 0; k < 2; ++k)
        {
            const double along[2] = {derivative_along(to[k], from->moments[0]),
                                     derivative_along(to[k], from->moments[1])};
            out.moments[i][k] = (float)derivative_along(to[i], along);
        }
    }
    return out;
}

static void write_vertex(const output* out, const pelti_weight_gradients* s, uint32_t vertex)
{
    pelti_double3 n = normal_of(s, vertex), u = tangent_of(s, vertex, n);
    pelti_double3 v = pelti_double3_cross(n, u);
    out->tangents[vertex] = pelti_double3_to(u);

    // The plane of the triangles in this basis. Its normal is flipped into the hemisphere of the
    // authored one, because meshes may be wound either way.
    double sign = pelti_double3_dot(s->normal, n) < 0.0 ? -1.0 : 1.0;
    double scale = sign / (1.0 + sign * pelti_double3_dot(s->normal, n));
    pelt_vec2 projected = {(float)(scale * pelti_double3_dot(s->normal, u)),
                           (float)(scale * pelti_double3_dot(s->normal, v))};
    out->plane_normals[vertex] = projected;

    pelt_vec3 axes[2], normal;
    pelti_plane_axes(axes, &normal, pelti_double3_to(u), pelti_double3_to(n), projected);
    double to[2][2];
    for (int i = 0; i < 2; ++i)
    {
        for (int k = 0; k < 2; ++k)
        {
            to[i][k] = pelti_double3_dot(pelti_double3_from(axes[i]), s->axes[k]);
        }
    }
    for (uint32_t i = 0; i < s->count; ++i)
    {
        out->factors[out->first[vertex] + i] = make_factor(&s->entries[i], to);
    }
    if (out->centers == NULL)
    {
        return;
    }
    out->centers[vertex] = finite_vec3(s->center);
    for (uint32_t i = 0; i < 2; ++i)
    {
        pelti_double3 gradient = pelti_double3_scale(s->center_derivatives[0], to[i][0]);
        out->center_derivatives[2 * vertex + i] =
            finite_vec3(pelti_double3_mad(gradient, to[i][1], s->center_derivatives[1]));
    }
}

// ---------------------------------------------------------------------------------------------

// @return 0 for a limit that is not supported
static uint32_t limit_of(const pelt_normal_options* options)
{
    uint32_t limit = options != NULL ? options->max_joints : 0;
    bool is_known = limit == 0 || limit == 2 || limit == 3 || limit == 4 || limit == 8;
    return !is_known ? 0 : limit == 0 ? UINT32_MAX : limit;
}

// Fill in the offsets. @return the largest number of factors of a vertex
static uint32_t count_factors(uint32_t* first, pelti_weight_gradients* s)
{
    uint32_t most = 0;
    for (uint32_t group = 0; group < s->weld.group_count; ++group)
    {
        pelti_weight_gradients_gather(s, group);
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

static bool build(pelt_normal_factors* out, pelti_weight_gradients* s, pelt_arena* arena)
{
    size_t vertex_count = s->mesh->vertex_count;
    output to = {.first = pelt_arena_alloc(arena, vertex_count + 1, sizeof *to.first),
                 .tangents = pelt_arena_alloc(arena, vertex_count, sizeof *to.tangents),
                 .plane_normals = pelt_arena_alloc(arena, vertex_count, sizeof *to.plane_normals)};
    if (s->cors != NULL)
    {
        to.centers = pelt_arena_alloc(arena, vertex_count, sizeof *to.centers);
        to.center_derivatives =
            pelt_arena_alloc(arena, 2 * vertex_count, sizeof *to.center_derivatives);
    }
    if (to.first == NULL || to.tangents == NULL || to.plane_normals == NULL ||
        (s->cors != NULL && (to.centers == NULL || to.center_derivatives == NULL)))
    {
        return false;
    }
    uint32_t max_factors = count_factors(to.first, s);
    uint32_t factor_count = to.first[vertex_count];
    to.factors = pelt_arena_alloc(arena, factor_count, sizeof *to.factors);
    if (to.factors == NULL)
    {
        return false;
    }
    for (uint32_t group = 0; group < s->weld.group_count; ++group)
    {
        pelti_weight_gradients_gather(s, group);
        for (uint32_t i = s->weld.vertex_first[group]; i < s->weld.vertex_first[group + 1]; ++i)
        {
            write_vertex(&to, s, s->weld.vertices[i]);
        }
    }
    *out = (pelt_normal_factors){.vertex_count = s->mesh->vertex_count,
                                 .joint_count = s->mesh->weights.joint_count,
                                 .factor_count = factor_count,
                                 .max_factors = max_factors,
                                 .slot_count = s->limit == UINT32_MAX ? 0 : s->limit,
                                 .first = to.first,
                                 .factors = to.factors,
                                 .tangents = to.tangents,
                                 .plane_normals = to.plane_normals,
                                 .centers = to.centers,
                                 .center_derivatives = to.center_derivatives};
    return true;
}

pelt_result pelt_normal_factors_build(pelt_normal_factors* out, const pelt_mesh* mesh,
                                      const pelt_vec3* cors, const pelt_normal_options* options,
                                      pelt_arena* arena, pelt_error* error)
{
    PELT_ASSERT(out != NULL && mesh != NULL && arena != NULL);
    *out = (pelt_normal_factors){0};
    uint32_t limit = limit_of(options);
    if (limit == 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "max_joints is %u; it must be 2, 3, 4, 8, or 0 for all",
                              options->max_joints);
    }
    PELT_TRY(pelti_skinned_mesh_check(mesh, error));
    pelti_weight_gradients entries;
    pelt_arena* scratch = pelt_arena_create();
    bool is_ok =
        scratch != NULL && pelti_weight_gradients_create(&entries, mesh, cors, limit, scratch);
    if (is_ok)
    {
        entries.has_cotangents = options != NULL && options->has_cotangents;
        is_ok = build(out, &entries, arena);
    }
    pelt_arena_destroy(scratch);
    return is_ok ? PELT_OK : pelt_error_memory(error);
}

// =============================================================================================
// Normal factors for the meshes of a scene.

// Factors without centers do not serve a mesh with centers of rotation.
static bool has_fitting(const pelt_mesh* mesh)
{
    const pelt_normal_factors* own = mesh->normal_factors;
    return own != NULL && (mesh->cors == NULL || own->centers != NULL);
}

// Quantized factors share the centers of the exact ones, which are released, so copy these.
static pelt_result build_rounded(pelt_normal_factors* out, const pelt_mesh* mesh,
                                 const pelt_normal_options* options, uint32_t bits,
                                 pelt_arena* arena, pelt_error* error)
{
    if (bits != 8 && bits != 16)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "bits is %u; it must be 8, 16, or 0 for floats", bits);
    }
    pelt_arena* scratch = pelt_arena_create();
    if (scratch == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_normal_factors exact;
    pelt_result result =
        pelt_normal_factors_build(&exact, mesh, mesh->cors, options, scratch, error);
    if (result == PELT_OK)
    {
        result = pelt_normal_factors_quantize(out, &exact, bits, arena);
    }
    if (result == PELT_OK && out->centers != NULL)
    {
        size_t count = out->vertex_count;
        pelt_vec3* centers = pelt_arena_alloc(arena, count, sizeof *centers);
        pelt_vec3* derivatives = pelt_arena_alloc(arena, 2 * count, sizeof *derivatives);
        if (centers != NULL && derivatives != NULL)
        {
            memcpy(centers, exact.centers, count * sizeof *centers);
            memcpy(derivatives, exact.center_derivatives, 2 * count * sizeof *derivatives);
        }
        else
        {
            result = PELT_ERROR_MEMORY;
        }
        out->centers = centers;
        out->center_derivatives = derivatives;
    }
    pelt_arena_destroy(scratch);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}

static void add_to_report(pelt_scene_normal_report* inout, const pelt_normal_factors* factors)
{
    ++inout->mesh_count;
    inout->centered_count += factors->centers != NULL;
    inout->vertex_count += factors->vertex_count;
    for (uint32_t v = 0; v < factors->vertex_count; ++v)
    {
        inout->varying_count += factors->first[v + 1] > factors->first[v];
    }
}

pelt_result pelt_scene_add_normal_factors(pelt_scene* inout, pelt_prepare_scope scope,
                                          const pelt_scene_normal_options* options,
                                          pelt_scene_normal_report* report, pelt_arena* arena,
                                          pelt_error* error)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    uint32_t bits = options != NULL ? options->bits : 0;
    pelt_normal_options limits = {.max_joints = options != NULL ? options->max_joints : 0,
                                  .has_cotangents = options != NULL && options->has_cotangents};
    pelt_scene_normal_report unused;
    report = report != NULL ? report : &unused;
    *report = (pelt_scene_normal_report){0};
    pelt_mesh* meshes = pelt_arena_alloc(arena, inout->mesh_count, sizeof *meshes);
    if (meshes == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        pelt_mesh* mesh = &meshes[i];
        *mesh = inout->meshes[i];
        bool is_skinned = mesh->weights.vertex_count > 0;
        report->bare_count += is_skinned && mesh->normals == NULL;
        if (!is_skinned || mesh->normals == NULL ||
            (scope == PELT_PREPARE_MISSING && has_fitting(mesh)))
        {
            continue;
        }
        pelt_normal_factors* factors = pelt_arena_alloc(arena, 1, sizeof *factors);
        if (factors == NULL)
        {
            return pelt_error_memory(error);
        }
        PELT_TRY(bits != 0
                     ? build_rounded(factors, mesh, &limits, bits, arena, error)
                     : pelt_normal_factors_build(factors, mesh, mesh->cors, &limits, arena, error));
        mesh->normal_factors = factors;
        add_to_report(report, factors);
    }
    inout->meshes = meshes;
    return PELT_OK;
}
