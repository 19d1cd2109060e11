// SPDX-License-Identifier: MIT
// Normal factors as integers times units of each vertex, which keep their sums; and the validation
// of factors that come from files.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"

#include "../base/double3.h"

#include <float.h>
#include <limits.h>

enum
{
    // With more factors than this on one vertex, the smallest ones round to 0 in 8 bits.
    FACTOR_MAX = 64,
    TABLE_COUNT = 6, // numbers of a factor besides its weight
};

// One number of every factor of a vertex.
typedef struct table
{
    size_t offset;      // in pelt_normal_factor
    bool is_derivative; // else a moment
    int sum;            // over a vertex
} table;

static const table tables[TABLE_COUNT] = {
    {offsetof(pelt_normal_factor, alpha), true, 0},
    {offsetof(pelt_normal_factor, beta), true, 0},
    {offsetof(pelt_normal_factor, moments), false, 1},
    {offsetof(pelt_normal_factor, moments) + 1 * sizeof(float), false, 0},
    {offsetof(pelt_normal_factor, moments) + 2 * sizeof(float), false, 0},
    {offsetof(pelt_normal_factor, moments) + 3 * sizeof(float), false, 1},
};

static float* number_of(pelt_normal_factor* factor, size_t offset)
{
    return (float*)(void*)((char*)factor + offset);
}

static float number_at(const pelt_normal_factor* factor, size_t offset)
{
    return *(const float*)(const void*)((const char*)factor + offset);
}

static int largest_integer(uint32_t bits)
{
    return bits == 8 ? INT8_MAX : INT16_MAX;
}

static int largest_weight(uint32_t bits)
{
    return bits == 8 ? UINT8_MAX : UINT16_MAX;
}

// ---------------------------------------------------------------------------------------------
// Units

// The smallest power of two such that `limit` units cover a size. It stays far enough above the
// smallest float for products with integers to be exact.
static float unit_for(float size, int limit)
{
    int exponent;
    frexpf(size / (float)limit, &exponent);
    float half = ldexpf(1.0f, (exponent > FLT_MIN_EXP + 1 ? exponent : FLT_MIN_EXP + 1) - 1);
    return half * (float)limit >= size ? half : 2.0f * half;
}

static pelt_vec2 units_for(const pelt_normal_factor* factors, uint32_t count, int limit)
{
    float gradient = 0.0f, moment = 0.0f;
    for (uint32_t i = 0; i < count * TABLE_COUNT; ++i)
    {
        const table* t = &tables[i % TABLE_COUNT];
        float* size = t->is_derivative ? &gradient : &moment;
        *size = fmaxf(*size, fabsf(number_at(&factors[i / TABLE_COUNT], t->offset)));
    }
    return (pelt_vec2){unit_for(gradient, limit), unit_for(moment, limit)};
}

pelt_vec2 pelt_normal_units(const pelt_normal_factors* factors, uint32_t vertex)
{
    PELT_ASSERT(factors->bits != 0 && vertex < factors->vertex_count);
    uint32_t first = factors->first[vertex];
    return units_for(factors->factors + first, factors->first[vertex + 1] - first,
                     largest_integer(factors->bits));
}

static bool is_whole(float number, float unit, int limit)
{
    float count = number / unit;
    return fabsf(count) <= (float)limit && count == rintf(count);
}

// Whether a number is the float nearest to a fraction.
static bool is_fraction(float number, int whole)
{
    return number == (float)lrintf(number * (float)whole) / (float)whole;
}

static bool are_axes_quantized(const pelt_normal_factors* factors, uint32_t vertex)
{
    pelt_vec3 t = factors->tangents[vertex];
    pelt_vec2 plane = factors->plane_normals[vertex];
    return is_fraction(t.x, INT16_MAX) && is_fraction(t.y, INT16_MAX) &&
           is_fraction(t.z, INT16_MAX) && is_fraction(plane.x, INT16_MAX) &&
           is_fraction(plane.y, INT16_MAX);
}

static bool is_quantized(const pelt_normal_factors* factors, uint32_t vertex)
{
    pelt_vec2 units = pelt_normal_units(factors, vertex);
    bool is_held = units.y <= 1.0f && are_axes_quantized(factors, vertex);
    for (uint32_t i = factors->first[vertex]; i < factors->first[vertex + 1] && is_held; ++i)
    {
        is_held = is_fraction(factors->factors[i].weight, largest_weight(factors->bits));
        for (uint32_t k = 0; k < TABLE_COUNT && is_held; ++k)
        {
            is_held = is_whole(number_at(&factors->factors[i], tables[k].offset),
                               tables[k].is_derivative ? units.x : units.y,
                               largest_integer(factors->bits));
        }
    }
    return is_held;
}

// ---------------------------------------------------------------------------------------------
// One vertex

// Round numbers, divided by a unit, to integers with a given sum. The remainder goes to the
// integers with the largest rounding errors in its direction.
// @param least  of each
static void round_to_sum(int* out, const double* numbers, uint32_t count, int sum, int least)
{
    int left = sum;
    for (uint32_t i = 0; i < count; ++i)
    {
        int nearest = (int)lrint(numbers[i]);
        out[i] = nearest > least ? nearest : least;
        left -= out[i];
    }
    for (int step = left > 0 ? 1 : -1; left != 0; left -= step)
    {
        uint32_t best = 0;
        double most = -DBL_MAX;
        for (uint32_t i = 0; i < count; ++i)
        {
            double gain = step * (numbers[i] - out[i]);
            if (out[i] + step >= least && gain > most)
            {
                best = i;
                most = gain;
            }
        }
        out[best] += step;
    }
}

static void quantize_vertex(pelt_normal_factor* out, const pelt_normal_factor* in, uint32_t count,
                            uint32_t bits, pelt_vec2 units)
{
    double numbers[FACTOR_MAX];
    int integers[FACTOR_MAX], whole = largest_weight(bits);
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i] = in[i];
        numbers[i] = (double)in[i].weight * whole;
    }
    round_to_sum(integers, numbers, count, whole, 1);
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i].weight = (float)integers[i] / (float)whole;
    }
    for (uint32_t k = 0; k < TABLE_COUNT; ++k)
    {
        float unit = tables[k].is_derivative ? units.x : units.y;
        for (uint32_t i = 0; i < count; ++i)
        {
            numbers[i] = (double)number_at(&in[i], tables[k].offset) / (double)unit;
        }
        int sum = tables[k].sum == 0 ? 0 : (int)lrintf(1.0f / unit);
        round_to_sum(integers, numbers, count, sum, INT_MIN);
        for (uint32_t i = 0; i < count; ++i)
        {
            *number_of(&out[i], tables[k].offset) = (float)integers[i] * unit;
        }
    }
}

// Units that leave room for the remainder that round_to_sum() adds to single factors.
static pelt_vec2 roomy_units(const pelt_normal_factors* in, uint32_t vertex, uint32_t bits)
{
    uint32_t first = in->first[vertex], count = in->first[vertex + 1] - first;
    return units_for(in->factors + first, count, largest_integer(bits) - (int)count);
}

// Whether integers can hold the factors: moments must sum to one, which is then a multiple of their
// unit.
static bool fits(const pelt_normal_factors* in, uint32_t vertex, uint32_t bits)
{
    uint32_t count = in->first[vertex + 1] - in->first[vertex];
    return count > 0 && count <= FACTOR_MAX && roomy_units(in, vertex, bits).y <= 1.0f;
}

// ---------------------------------------------------------------------------------------------

static float round_direction(float x)
{
    return (float)lrintf(x * (float)INT16_MAX) / (float)INT16_MAX;
}

static void quantize_axes(pelt_vec3* tangents, pelt_vec2* plane_normals,
                          const pelt_normal_factors* in)
{
    for (uint32_t v = 0; v < in->vertex_count; ++v)
    {
        pelt_vec3 t = in->tangents[v];
        tangents[v] =
            pelt_vec3_make(round_direction(t.x), round_direction(t.y), round_direction(t.z));
        plane_normals[v] = (pelt_vec2){round_direction(in->plane_normals[v].x),
                                       round_direction(in->plane_normals[v].y)};
    }
}

static bool quantize_all(pelt_normal_factors* inout, const pelt_normal_factors* from,
                         pelt_arena* arena)
{
    uint32_t count = from->vertex_count, bits = inout->bits;
    uint32_t* first = pelt_arena_alloc(arena, (size_t)count + 1, sizeof *first);
    pelt_normal_factor* factors = pelt_arena_alloc(arena, from->factor_count, sizeof *factors);
    pelt_vec3* tangents = pelt_arena_alloc(arena, count, sizeof *tangents);
    pelt_vec2* plane_normals = pelt_arena_alloc(arena, count, sizeof *plane_normals);
    if (first == NULL || factors == NULL || tangents == NULL || plane_normals == NULL)
    {
        return false;
    }
    for (uint32_t v = 0; v < count; ++v)
    {
        uint32_t kept = fits(from, v, bits) ? from->first[v + 1] - from->first[v] : 0;
        if (kept > 0)
        {
            quantize_vertex(factors + first[v], from->factors + from->first[v], kept, bits,
                            roomy_units(from, v, bits));
        }
        first[v + 1] = first[v] + kept;
        inout->max_factors = kept > inout->max_factors ? kept : inout->max_factors;
    }
    quantize_axes(tangents, plane_normals, from);
    inout->factor_count = first[count];
    inout->first = first;
    inout->factors = factors;
    inout->tangents = tangents;
    inout->plane_normals = plane_normals;
    return true;
}

pelt_result pelt_normal_factors_quantize(pelt_normal_factors* out,
                                         const pelt_normal_factors* factors, uint32_t bits,
                                         pelt_arena* arena)
{
    *out = (pelt_normal_factors){0};
    if (bits != 8 && bits != 16)
    {
        return PELT_ERROR_ARGUMENT;
    }
    pelt_normal_factors quantized = *factors;
    quantized.bits = bits;
    quantized.max_factors = 0;
    if (!quantize_all(&quantized, factors, arena))
    {
        return PELT_ERROR_MEMORY;
    }
    *out = quantized;
    return PELT_OK;
}

// =============================================================================================
// Validation: every promise of pelt_normal_factors, for factors that come from files.

// Relative to the sum of absolute values: each float has a relative error of 6e-8, and exporters
// that compute in single precision lose more, without visible effect. Gradients may cancel, so they
// are compared with a change of weight by 1 over the length of the mesh.
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
    // Check all offsets before following any of them.
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

// Members that are summed over a vertex, in the order of the struct.
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

// A rotation of the axes mixes the numbers of one kind and their rounding errors.
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

// The first factors are the influences in their order: all of them, or, in lists of the largest
// length, those that a limit has kept, always with the strongest.
static bool fits_influences(const pelt_normal_factors* f, const pelt_weights* weights, uint32_t v)
{
    const pelt_influence* influences = weights->influences + weights->first[v];
    uint32_t own = weights->first[v + 1] - weights->first[v], influence = 0;
    uint32_t count = f->first[v + 1] - f->first[v];
    bool is_cut = count == f->max_factors;
    for (uint32_t i = 0; i < count && influence < own; ++i, ++influence)
    {
        uint32_t joint = f->factors[f->first[v] + i].joint;
        while (is_cut && i > 0 && influence < own && influences[influence].joint != joint)
        {
            ++influence;
        }
        if (influence < own && influences[influence].joint != joint)
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
    return result == PELT_OK && f->bits != 0 && !is_quantized(f, v)
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
    // In double, because the square of a length may overflow or underflow float.
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
