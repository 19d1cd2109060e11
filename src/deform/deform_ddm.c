// SPDX-License-Identifier: MIT
// Direct delta mush (Le and Lewis 2019): the vertex follows the rotation that fits the moved
// neighborhood best, about the smoothed and moved position. The neighborhood was summed up
// beforehand, as moments of each joint about the center, which is the smoothed rest position.
#include "../base/exact.h"

#include "deform_each.h"

#include "../../include/pelt/ddm.h"
#include "../base/four.h"
#include "../base/nearest_rotation.h"
#include "../pose/palette.h"

enum
{
    NEWTON_STEPS = 8,
};

// The sums over joints that a vertex needs.
typedef struct ddm_sums
{
    pelt_vec3 position; // of the smoothed surface
    pelti_four rows[3]; // of moved neighborhood times transposed rest neighborhood
} ddm_sums;

PELTI_INLINE pelti_four rows_point(const pelti_rows* rows, pelt_vec3 point)
{
    pelti_four columns[4] = {rows->m[0], rows->m[1], rows->m[2]};
    pelti_four_transpose(columns);
    return point.x * columns[0] + point.y * columns[1] + point.z * columns[2] + columns[3];
}

// The products of matrices and 4x4 blocks of the paper. Their last column is the position. First
// moments about the center sum to zero, so that positions may be relative to that of the first
// joint, which keeps digits.
PELTI_INLINE ddm_sums sum_blocks(const pelti_vertex* vertex, const pelt_ddm* ddm, pelt_vec3 center,
                                 float radius)
{
    const pelt_mat34* matrices = vertex->palette->matrices;
    const float* moments = ddm->moments + PELT_DDM_MOMENTS * (size_t)ddm->first[vertex->index];
    const float unit = 1.0f / radius;
    pelti_four lead = {0}, position = {0}, fit[3] = {{0}};
    for (uint32_t i = 0; i < vertex->count; ++i, moments += PELT_DDM_MOMENTS)
    {
        const pelt_influence* influence = &vertex->influences[i];
        const pelti_rows matrix = pelti_rows_load(&matrices[influence->joint]);
        const pelti_four block[3] = {pelti_four_load(moments), pelti_four_load(moments + 4),
                                     pelti_four_load(moments + 8)};
        const pelti_four vector = {block[0][3], block[1][3], block[2][3], 0.0f};
        pelti_four moved = rows_point(&matrix, center);
        lead = i == 0 ? moved : lead;
        position += influence->weight * moved;
        pelti_four apart = (moved - lead) * unit;
        for (int r = 0; r < 3; ++r)
        {
            fit[r] += matrix.m[r][0] * block[0] + matrix.m[r][1] * block[1] +
                      matrix.m[r][2] * block[2] + apart[r] * vector;
        }
    }
    position += ddm->translation * radius * (pelti_four){fit[0][3], fit[1][3], fit[2][3], 0.0f};
    return (ddm_sums){pelti_four_vector(position), {fit[0], fit[1], fit[2]}};
}

// The smoothed position alone.
static pelt_vec3 sum_vectors(const pelti_vertex* vertex, const pelt_ddm* ddm, pelt_vec3 center,
                             float radius)
{
    pelt_vec3 position = {0.0f, 0.0f, 0.0f}, spread = {0.0f, 0.0f, 0.0f};
    const pelt_vec3* vectors = ddm->vectors + ddm->first[vertex->index];
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* influence = &vertex->influences[i];
        const pelt_mat34* matrix = &vertex->palette->matrices[influence->joint];
        pelt_mat3 linear = pelt_mat34_linear(matrix);
        position = pelt_vec3_mad(position, influence->weight, pelt_mat34_point(matrix, center));
        spread = pelt_vec3_add(spread, pelt_mat3_vector(&linear, vectors[i]));
    }
    return pelt_vec3_mad(position, ddm->translation * radius, spread);
}

// ---------------------------------------------------------------------------------------------
// The rotation R with the largest trace of R^T F

// The step of Newton's method from R as a rotation vector: with S = R^T F, the derivative of the
// trace is the axial vector of S - S^T, and the second derivative is minus (tr(S) I - S).
// @return false: this is not near the maximum, or not known well enough
PELTI_INLINE bool newton_step(pelt_vec3* out, const pelt_mat3* rotation, const ddm_sums* fit)
{
    pelti_four s[3];
    for (int r = 0; r < 3; ++r)
    {
        s[r] = rotation->m[0][r] * fit->rows[0] + rotation->m[1][r] * fit->rows[1] +
               rotation->m[2][r] * fit->rows[2];
    }
    float trace = s[0][0] + s[1][1] + s[2][2];
    float a = trace - s[0][0], b = trace - s[1][1], c = trace - s[2][2];
    float d = -0.5f * (s[0][1] + s[1][0]), e = -0.5f * (s[0][2] + s[2][0]);
    float f = -0.5f * (s[1][2] + s[2][1]);
    float aa = b * c - f * f, bb = a * c - e * e, cc = a * b - d * d;
    float dd = e * f - d * c, ee = d * f - b * e, ff = d * e - a * f;
    float determinant = a * aa + d * dd + e * ee;
    float x = s[2][1] - s[1][2], y = s[0][2] - s[2][0], z = s[1][0] - s[0][1];
    float unit = 1.0f / determinant;
    *out = pelt_vec3_make((aa * x + dd * y + ee * z) * unit, (dd * x + bb * y + ff * z) * unit,
                          (ee * x + ff * y + cc * z) * unit);
    return a > 0.0f && cc > 0.0f && determinant > 1e-6f * trace * trace * trace;
}

// Where tr(S) I - S is positive definite and S symmetric, the maximum is the only one. Half a turn
// away from the start, and where F has no clear maximum, principal axes in double tell.
static pelt_quat fit_slowly(const ddm_sums* fit, pelt_quat lead)
{
    double sum[3][3], rotation[3][3];
    pelt_mat3 out;
    for (int i = 0; i < 9; ++i)
    {
        if (!isfinite(fit->rows[i / 3][i % 3]))
        {
            return lead;
        }
        sum[i / 3][i % 3] = (double)fit->rows[i / 3][i % 3];
    }
    pelti_nearest_rotation(rotation, sum, (double)INFINITY);
    for (int i = 0; i < 9; ++i)
    {
        out.m[i / 3][i % 3] = (float)rotation[i / 3][i % 3];
    }
    return pelt_quat_from_mat3(&out);
}

// @param lead  where to begin
PELTI_INLINE pelt_mat3 fit_rotation(const ddm_sums* fit, pelt_quat lead)
{
    pelt_quat q = lead;
    for (int i = 0; i < NEWTON_STEPS; ++i)
    {
        pelt_mat3 rotation = pelt_mat3_from_quat(q);
        pelt_vec3 step;
        if (!newton_step(&step, &rotation, fit))
        {
            break;
        }
        float square = pelt_vec3_dot(step, step), unit = 1.0f / sqrtf(1.0f + 0.25f * square);
        float half = 0.5f * unit;
        q = pelt_quat_mul(q, pelt_quat_make(half * step.x, half * step.y, half * step.z, unit));
        // The error after a step is below its cube: S is nearly symmetric, and odd derivatives are
        // small with its asymmetry.
        if (square < 2e-5f)
        {
            return pelt_mat3_from_quat(q);
        }
    }
    q = fit_slowly(fit, lead);
    return pelt_mat3_from_quat(q);
}

static pelt_mat3 blend_linear(const pelti_vertex* vertex)
{
    pelt_mat3 sum = {0};
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* influence = &vertex->influences[i];
        pelt_mat3 linear = pelt_mat34_linear(&vertex->palette->matrices[influence->joint]);
        sum = pelt_mat3_mad(&sum, influence->weight, &linear);
    }
    return sum;
}

static void multiply(ddm_sums* inout, const pelt_mat3* by)
{
    for (int r = 0; r < 3; ++r)
    {
        pelti_four row = inout->rows[r];
        inout->rows[r] =
            row[0] * pelti_four_of(pelt_vec3_make(by->m[0][0], by->m[0][1], by->m[0][2]), 0.0f) +
            row[1] * pelti_four_of(pelt_vec3_make(by->m[1][0], by->m[1][1], by->m[1][2]), 0.0f) +
            row[2] * pelti_four_of(pelt_vec3_make(by->m[2][0], by->m[2][1], by->m[2][2]), 0.0f);
    }
}

// The rotation takes S x nearest to where the joints move the neighborhood x, with S the mean
// stretch.
PELTI_INLINE void map_full(pelti_vertex_map* out, const pelti_vertex* vertex, const pelt_ddm* ddm)
{
    pelt_vec3 center = ddm->centers[vertex->index];
    ddm_sums sums = sum_blocks(vertex, ddm, center, ddm->radii[vertex->index]);
    pelt_quat lead = vertex->palette->motions[vertex->influences[0].joint].real;
    out->is_rotation = vertex->palette->is_rigid;
    if (out->is_rotation)
    {
        out->linear = fit_rotation(&sums, lead);
    }
    else
    {
        pelt_mat3 stretch = pelti_blend_stretch(vertex);
        multiply(&sums, &stretch);
        out->linear = fit_rotation(&sums, lead);
        out->linear = pelt_mat3_mul(&out->linear, &stretch);
    }
    pelt_vec3 offset = pelt_vec3_sub(vertex->position, center);
    out->position = pelt_vec3_add(sums.position, pelt_mat3_vector(&out->linear, offset));
}

// V2 and V3: the mean quaternion or matrix instead.
static void map_mean(pelti_vertex_map* out, const pelti_vertex* vertex, const pelt_ddm* ddm,
                     const pelt_deform_options* options)
{
    pelt_vec3 center = ddm->centers[vertex->index];
    if (ddm->variant == PELT_DDM_V2)
    {
        pelti_map_about(out, vertex, center, options); // for its linear map
    }
    else
    {
        out->linear = blend_linear(vertex);
        out->is_rotation = false;
    }
    pelt_vec3 offset = pelt_vec3_sub(vertex->position, center);
    out->position = pelt_vec3_add(sum_vectors(vertex, ddm, center, ddm->radii[vertex->index]),
                                  pelt_mat3_vector(&out->linear, offset));
}

static void map_ddm(pelti_vertex_map* out, const pelti_vertex* vertex,
                    const pelt_deform_input* input, const pelt_deform_options* options)
{
    const pelt_ddm* ddm = input->weights->ddm;
    if (ddm == NULL || !(ddm->radii[vertex->index] > 0.0f))
    {
        pelti_map_lbs(out, vertex, input, options);
        return;
    }
    pelti_vertex smoothed = *vertex;
    smoothed.influences = ddm->influences + ddm->first[vertex->index];
    smoothed.count = ddm->first[vertex->index + 1] - ddm->first[vertex->index];
    if (smoothed.count == 1) // which the vertex follows exactly, whatever the variant
    {
        pelti_map_lbs(out, &smoothed, input, options);
        return;
    }
    if (vertex->palette->has_mixed_handedness && pelti_has_mixed_handedness(&smoothed))
    {
        pelti_map_lbs(out, vertex, input, options);
        return;
    }
    if (ddm->variant == PELT_DDM_V0)
    {
        map_full(out, &smoothed, ddm);
        return;
    }
    pelt_deform_options local = *options;
    local.scale_pivot = PELT_SCALE_LOCAL; // centers move as under lbs in every convention
    switch (ddm->variant)
    {
    case PELT_DDM_V4:
        pelti_map_about(out, &smoothed, ddm->centers[vertex->index], &local);
        break;
    case PELT_DDM_V5:
        pelti_map_lbs(out, &smoothed, input, &local);
        break;
    default:
        map_mean(out, &smoothed, ddm, &local);
        break;
    }
}

void pelt_deform_ddm(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    const pelt_ddm* ddm = input->weights->ddm;
    PELT_ASSERT(ddm == NULL || ddm->vertex_count == input->weights->vertex_count);
    PELT_ASSERT(ddm == NULL || ddm->joint_count <= input->palette->joint_count);
    const pelti_method method = {.move = map_ddm};
    pelti_deform_each(out, input, options, range, map_ddm, &method);
}
