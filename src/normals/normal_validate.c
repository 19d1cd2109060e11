// SPDX-License-Identifier: MIT
// Every promise of pelt_normal_factors, checked for factors that come from outside.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"
#include "../base/double3.h"
#include "normal_quantize.h"

// Sums are taken of floats with either sign, each off by 6e-8 of itself, so this is relative to the
// sum of their sizes. Who computes factors in single precision loses more; nobody sees that.
// Gradients that cancel have no size: for them it is the change of a weight over the length of the
// mesh.
static const double sum_tolerance = 1e-5;
// Tangents may have been quantized; deforming makes them unit and perpendicular again.
static const double tangent_tolerance = 1e-3;

static const char* name_of(const pelt_mesh* mesh)
{
    return mesh->name != NULL ? mesh->name : "";
}

static pelt_result refuse(pelt_error* error, const pelt_mesh* mesh, const char* what)
{
    return pelt_error_set(error, PELT_ERROR_DATA, "normal factors of mesh \"%.60s\": %s",
                          name_of(mesh), what);
}

static pelt_result refuse_vertex(pelt_error* error, const pelt_mesh* mesh, uint32_t v,
                                 const char* what, double value)
{
    return pelt_error_set(error, PELT_ERROR_DATA,
                          "normal factors of mesh \"%.60s\": vertex %u has %s %g", name_of(mesh), v,
                          what, value);
}

// ---------------------------------------------------------------------------------------------
// Arrays

static pelt_result check_arrays(const pelt_normal_factors* f, const pelt_mesh* mesh,
                                pelt_error* error)
{
    if (mesh->weights.first == NULL || f->vertex_count != mesh->vertex_count ||
        f->joint_count != mesh->weights.joint_count)
    {
        return refuse(error, mesh, "they do not fit its weights");
    }
    if (f->bits != 0 && f->bits != 8 && f->bits != 16)
    {
        return refuse(error, mesh, "they have other bits than 8 or 16");
    }
    uint32_t slots = f->slot_count;
    bool has_slots = slots == 2 || slots == 3 || slots == 4 || slots == 8;
    if (slots != 0 && (!has_slots || slots < f->max_factors))
    {
        return refuse(error, mesh, "they have other slots than 2, 3, 4 or 8, or too few");
    }
    bool has_all = f->first != NULL && (f->factors != NULL || f->factor_count == 0) &&
                   f->tangents != NULL && f->plane_normals != NULL;
    if (!has_all || (f->centers == NULL) != (f->center_derivatives == NULL))
    {
        return refuse(error, mesh, "an array is missing");
    }
    // Offsets first, all of them: only then may any be followed.
    bool is_packed = f->first[0] == 0 && f->first[f->vertex_count] == f->factor_count;
    for (uint32_t v = 0; v < f->vertex_count && is_packed; ++v)
    {
        is_packed =
            f->first[v] <= f->first[v + 1] && f->first[v + 1] - f->first[v] <= f->max_factors;
    }
    return is_packed ? PELT_OK : refuse(error, mesh, "their offsets are not in order");
}

// ---------------------------------------------------------------------------------------------
// Factors of one vertex

// What is added up over a vertex, in the order of the struct: weight, alpha, beta, moments.
enum
{
    SUM_COUNT = 7
};

typedef enum sum_kind
{
    SUM_WEIGHT,
    SUM_RATE,
    SUM_MOMENT,
    SUM_KIND_COUNT,
} sum_kind;

// Axes that are turned mix the numbers of a kind, and with them their rounding.
static const struct
{
    const char* what;
    sum_kind kind;
    double expected;
} sums[SUM_COUNT] = {
    {"weights", SUM_WEIGHT, 1.0},      {"gradients alpha", SUM_RATE, 0.0},
    {"gradients beta", SUM_RATE, 0.0}, {"moments uu", SUM_MOMENT, 1.0},
    {"moments uv", SUM_MOMENT, 0.0},   {"moments vu", SUM_MOMENT, 0.0},
    {"moments vv", SUM_MOMENT, 1.0},
};

// @param length  of the mesh
static pelt_result check_sums(const pelt_normal_factors* f, const pelt_mesh* mesh, uint32_t v,
                              double length, pelt_error* error)
{
    double sum[SUM_COUNT] = {0.0}, size[SUM_KIND_COUNT] = {0.0};
    size[SUM_RATE] = length > 0.0 ? 1.0 / length : 0.0;
    for (uint32_t i = f->first[v]; i < f->first[v + 1]; ++i)
    {
        const pelt_normal_factor* factor = &f->factors[i];
        const float values[SUM_COUNT] = {factor->weight,        factor->alpha,
                                         factor->beta,          factor->moments[0][0],
                                         factor->moments[0][1], factor->moments[1][0],
                                         factor->moments[1][1]};
        for (int k = 0; k < SUM_COUNT; ++k)
        {
            sum[k] += (double)values[k];
            size[sums[k].kind] += fabs((double)values[k]);
        }
    }
    for (int k = 0; k < SUM_COUNT; ++k)
    {
        double allowed = sum_tolerance * size[sums[k].kind];
        if (!isfinite(sum[k]) || fabs(sum[k] - sums[k].expected) > allowed)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "normal factors of mesh \"%.60s\": the %s of vertex %u sum to %g "
                                  "instead of %g",
                                  name_of(mesh), sums[k].what, v, sum[k], sums[k].expected);
        }
    }
    return PELT_OK;
}

// The first factors are influences in their order: all of them, or where the list is as long as
// any, those that a limit has left, the strongest always.
static bool fits_influences(const pelt_normal_factors* f, const pelt_weights* weights, uint32_t v)
{
    const pelt_influence* influences = weights->influences + weights->first[v];
    uint32_t own = weights->first[v + 1] - weights->first[v], place = 0;
    uint32_t count = f->first[v + 1] - f->first[v];
    bool is_cut = count == f->max_factors;
    for (uint32_t i = 0; i < count && place < own; ++i, ++place)
    {
        uint32_t joint = f->factors[f->first[v] + i].joint;
        while (is_cut && i > 0 && place < own && influences[place].joint != joint)
        {
            ++place;
        }
        if (place < own && influences[place].joint != joint)
        {
            return false;
        }
    }
    return true;
}

static pelt_result check_factors(const pelt_normal_factors* f, const pelt_mesh* mesh, uint32_t v,
                                 double length, pelt_error* error)
{
    if (f->first[v] == f->first[v + 1])
    {
        return PELT_OK;
    }
    for (uint32_t i = f->first[v]; i < f->first[v + 1]; ++i)
    {
        if (f->factors[i].joint >= f->joint_count)
        {
            return refuse_vertex(error, mesh, v, "a joint that does not exist,",
                                 f->factors[i].joint);
        }
    }
    if (!fits_influences(f, &mesh->weights, v))
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "normal factors of mesh \"%.60s\": they belong to other weights, "
                              "which vertex %u does not have",
                              name_of(mesh), v);
    }
    pelt_result result = check_sums(f, mesh, v, length, error);
    return result == PELT_OK && f->bits != 0 && !pelti_normal_is_quantized(f, v)
               ? refuse_vertex(error, mesh, v, "numbers that are lost in integers of bits", f->bits)
               : result;
}

// ---------------------------------------------------------------------------------------------
// Axes and centers of one vertex

static pelt_result check_axes(const pelt_normal_factors* f, const pelt_mesh* mesh, uint32_t v,
                              pelt_error* error)
{
    double length = (double)pelt_vec3_length(f->tangents[v]);
    double plane_normal = hypot((double)f->plane_normals[v].x, (double)f->plane_normals[v].y);
    if (!(fabs(length - 1.0) <= tangent_tolerance))
    {
        return refuse_vertex(error, mesh, v, "a tangent of length", length);
    }
    if (!(plane_normal <= 1.0 + tangent_tolerance))
    {
        return refuse_vertex(error, mesh, v, "a projected plane normal of length", plane_normal);
    }
    if (mesh->normals != NULL)
    {
        double along = (double)pelt_vec3_dot(f->tangents[v], pelt_vec3_normalize(mesh->normals[v]));
        if (!(fabs(along) <= tangent_tolerance))
        {
            return refuse_vertex(error, mesh, v, "a tangent whose part along the normal is", along);
        }
    }
    return PELT_OK;
}

static bool is_finite(pelt_vec3 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static pelt_result check_centers(const pelt_normal_factors* f, const pelt_mesh* mesh, uint32_t v,
                                 pelt_error* error)
{
    const pelt_vec3* gradients = f->centers != NULL ? f->center_derivatives + 2 * (size_t)v : NULL;
    return gradients == NULL ||
                   (is_finite(f->centers[v]) && is_finite(gradients[0]) && is_finite(gradients[1]))
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_DATA,
                                "normal factors of mesh \"%.60s\": the center of vertex %u or its "
                                "gradients are not finite",
                                name_of(mesh), v);
}

pelt_result pelt_normal_factors_validate(const pelt_normal_factors* factors, const pelt_mesh* mesh,
                                         pelt_error* error)
{
    pelt_result result = check_arrays(factors, mesh, error);
    pelt_bounds bounds = pelt_bounds_empty();
    pelt_bounds_add(&bounds, mesh->positions, mesh->vertex_count);
    // In double: the square of a length may be more or less than float can hold.
    double length = pelti_double3_length(
        pelti_double3_sub(pelti_double3_from(bounds.max), pelti_double3_from(bounds.min)));
    for (uint32_t v = 0; result == PELT_OK && v < factors->vertex_count; ++v)
    {
        result = check_factors(factors, mesh, v, length, error);
        if (result != PELT_OK)
        {
            return result;
        }
        result = check_axes(factors, mesh, v, error);
        if (result != PELT_OK)
        {
            return result;
        }
        result = check_centers(factors, mesh, v, error);
    }
    return result;
}
