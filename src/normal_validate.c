// SPDX-License-Identifier: MIT
// Every promise of pelt_normal_factors, checked for factors that come from outside.
#include "../include/pelt/pelt.h"

#include <float.h>

// Sums are taken of floats, each of them off by 6e-8 of itself, whose signs differ. Who computes
// factors in single precision loses more, and nobody sees it up to here.
static const double sum_tolerance = 1e-5;
// Tangents may have been quantised; deforming makes them unit and perpendicular again.
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
    bool has_all = f->first != NULL && (f->factors != NULL || f->factor_count == 0) &&
                   f->tangents != NULL && f->tilts != NULL;
    if (!has_all || (f->centers == NULL) != (f->center_rates == NULL))
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

typedef struct factor_values
{
    float values[SUM_COUNT];
} factor_values;

static factor_values values_of(const pelt_normal_factor* f)
{
    return (factor_values){{f->weight, f->alpha, f->beta, f->moments[0][0], f->moments[0][1],
                            f->moments[1][0], f->moments[1][1]}};
}

static pelt_result check_sums(const pelt_normal_factors* f, const pelt_mesh* mesh, uint32_t v,
                              pelt_error* error)
{
    static const struct
    {
        const char* what;
        double expected;
    } sums[SUM_COUNT] = {
        {"weights that sum to", 1.0},    {"rates alpha that sum to", 0.0},
        {"rates beta that sum to", 0.0}, {"moments uu that sum to", 1.0},
        {"moments uv that sum to", 0.0}, {"moments vu that sum to", 0.0},
        {"moments vv that sum to", 1.0},
    };
    double sum[SUM_COUNT] = {0.0}, size[SUM_COUNT] = {0.0};
    for (uint32_t i = f->first[v]; i < f->first[v + 1]; ++i)
    {
        factor_values of = values_of(&f->factors[i]);
        for (int k = 0; k < SUM_COUNT; ++k)
        {
            sum[k] += (double)of.values[k];
            size[k] += fabs((double)of.values[k]);
        }
    }
    for (int k = 0; k < SUM_COUNT; ++k)
    {
        // Where all are zero but for underflow there is nothing to compare with.
        double allowed = sum_tolerance * (size[k] + sums[k].expected) + FLT_MIN;
        if (!isfinite(size[k]) || fabs(sum[k] - sums[k].expected) > allowed)
        {
            return refuse_vertex(error, mesh, v, sums[k].what, sum[k]);
        }
    }
    return PELT_OK;
}

static pelt_result check_joints(const pelt_normal_factors* f, const pelt_mesh* mesh, uint32_t v,
                                pelt_error* error)
{
    const pelt_weights* weights = &mesh->weights;
    const pelt_normal_factor* factors = f->factors + f->first[v];
    uint32_t own = weights->first[v + 1] - weights->first[v];
    for (uint32_t i = 0; i < f->first[v + 1] - f->first[v]; ++i)
    {
        uint32_t joint = factors[i].joint;
        if (joint >= f->joint_count)
        {
            return refuse_vertex(error, mesh, v, "a joint that does not exist,", joint);
        }
        if (i < own && weights->influences[weights->first[v] + i].joint != joint)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "normal factors of mesh \"%.60s\": they belong to other weights, "
                                  "where influence %u of vertex %u is joint %u",
                                  name_of(mesh), i, v, joint);
        }
    }
    return PELT_OK;
}

static pelt_result check_factors(const pelt_normal_factors* f, const pelt_mesh* mesh, uint32_t v,
                                 pelt_error* error)
{
    if (f->first[v] == f->first[v + 1])
    {
        return PELT_OK;
    }
    pelt_result result = check_joints(f, mesh, v, error);
    return result == PELT_OK ? check_sums(f, mesh, v, error) : result;
}

// ---------------------------------------------------------------------------------------------
// Axes and centres of one vertex

static pelt_result check_axes(const pelt_normal_factors* f, const pelt_mesh* mesh, uint32_t v,
                              pelt_error* error)
{
    double length = (double)pelt_vec3_length(f->tangents[v]);
    double tilt = hypot((double)f->tilts[v].x, (double)f->tilts[v].y);
    if (!(fabs(length - 1.0) <= tangent_tolerance))
    {
        return refuse_vertex(error, mesh, v, "a tangent of length", length);
    }
    if (!(tilt <= 1.0 + tangent_tolerance))
    {
        return refuse_vertex(error, mesh, v, "a tilt of length", tilt);
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
    bool is_good =
        f->centers == NULL || (is_finite(f->centers[v]) && is_finite(f->center_rates[2 * v]) &&
                               is_finite(f->center_rates[2 * v + 1]));
    return is_good ? PELT_OK : refuse_vertex(error, mesh, v, "a centre that is not finite", NAN);
}

pelt_result pelt_normal_factors_validate(const pelt_normal_factors* factors, const pelt_mesh* mesh,
                                         pelt_error* error)
{
    pelt_result result = check_arrays(factors, mesh, error);
    for (uint32_t v = 0; result == PELT_OK && v < factors->vertex_count; ++v)
    {
        result = check_factors(factors, mesh, v, error);
        result = result == PELT_OK ? check_axes(factors, mesh, v, error) : result;
        result = result == PELT_OK ? check_centers(factors, mesh, v, error) : result;
    }
    return result;
}
