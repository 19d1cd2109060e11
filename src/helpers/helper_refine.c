// SPDX-License-Identifier: MIT
// Better factors and centers of helpers: Gauss-Newton steps in turn with the weights.
#include "../base/exact.h"

#include "helpers.h"

#include <string.h>

enum
{
    UNKNOWNS = 4, // of a helper: factor and center
};

// How a helper changes with its unknowns, at one pose.
typedef struct helper_slope
{
    pelti_affine factor;
    pelti_double3 center[3]; // translations
} helper_slope;

// Sums of squares of one helper over points.
typedef struct normal_sum
{
    double h[UNKNOWNS][UNKNOWNS], g[UNKNOWNS];
} normal_sum;

typedef struct refine_work
{
    pelti_fit* fit;
    uint32_t range_count;
    pelti_affine* moved;   // by pose
    helper_slope* slopes;  // [helper][training pose]
    normal_sum* sums;      // [range][helper]
    double* saved_factors; // of the best state
    pelti_double3* saved_centers;
    double damping;
} refine_work;

// ---------------------------------------------------------------------------------------------
// Error

typedef struct error_work
{
    const pelti_fit* fit;
    uint32_t first_pose, end_pose;
    double* errors;
} error_work;

static void error_range(void* context, uint32_t range)
{
    const error_work* work = context;
    const pelti_fit* fit = work->fit;
    uint32_t end = (range + 1) * PELTI_HELPER_RANGE;
    double sum = 0.0;
    for (uint32_t i = range * PELTI_HELPER_RANGE; i < end && i < fit->sample_count; ++i)
    {
        uint32_t point = fit->sample[i];
        for (uint32_t f = work->first_pose; f < work->end_pose; ++f)
        {
            pelt_vec3 target = fit->targets[(size_t)point * fit->pose_count + f];
            pelti_double3 d =
                pelti_double3_sub(pelti_fit_blended(fit, point, f), pelti_double3_from(target));
            sum += pelti_double3_dot(d, d);
        }
    }
    work->errors[range] = sum;
}

double pelti_fit_error(const pelti_fit* fit, uint32_t first_pose, uint32_t end_pose)
{
    uint32_t range_count = (fit->sample_count + PELTI_HELPER_RANGE - 1) / PELTI_HELPER_RANGE;
    error_work work = {fit, first_pose, end_pose, fit->sample_errors};
    double sum = 0.0, count = (double)fit->sample_count * (end_pose - first_pose);
    pelt_run(range_count, error_range, &work);
    for (uint32_t i = 0; i < range_count; ++i)
    {
        sum += work.errors[i];
    }
    return count > 0.0 ? sum / count : 0.0;
}

// ---------------------------------------------------------------------------------------------
// Slopes

static void find_slopes(refine_work* work, uint32_t index)
{
    const pelti_fit* fit = work->fit;
    pelti_fit_helper helper = fit->helpers[index];
    helper_slope* out = work->slopes + (size_t)index * fit->training_count;
    const double step = 1e-4;
    for (int side = 0; side < 2; ++side)
    {
        double sign = side == 0 ? -0.5 / step : 0.5 / step;
        helper.factor = fit->helpers[index].factor + (side == 0 ? -step : step);
        pelti_fit_move(work->moved, fit, &helper);
        for (uint32_t f = 0; f < fit->training_count; ++f)
        {
            for (int i = 0; i < 12; ++i)
            {
                double* slope = &out[f].factor.m[i / 4][i % 4];
                *slope = (side == 0 ? 0.0 : *slope) + sign * work->moved[f].m[i / 4][i % 4];
            }
        }
    }
    helper.factor = fit->helpers[index].factor;
    for (int axis = 0; axis < 3; ++axis)
    {
        // Translations are linear in the center, so the step may be large.
        helper.center = fit->helpers[index].center;
        double* component = axis == 0   ? &helper.center.x
                            : axis == 1 ? &helper.center.y
                                        : &helper.center.z;
        *component += 1.0;
        pelti_fit_move(work->moved, fit, &helper);
        for (uint32_t f = 0; f < fit->training_count; ++f)
        {
            const pelti_affine *a = &work->moved[f], *b = &fit->helpers[index].matrices[f];
            out[f].center[axis] = (pelti_double3){a->m[0][3] - b->m[0][3], a->m[1][3] - b->m[1][3],
                                                  a->m[2][3] - b->m[2][3]};
        }
    }
}

static pelti_double3 slope_at(const helper_slope* slope, int unknown, pelti_double3 local)
{
    return unknown == 0 ? pelti_affine_point(&slope->factor, local) : slope->center[unknown - 1];
}

static void add_term(normal_sum* sum, const pelti_term* term, const helper_slope* slope,
                     pelti_double3 local, pelti_double3 residual)
{
    pelti_double3 d[UNKNOWNS];
    for (int i = 0; i < UNKNOWNS; ++i)
    {
        d[i] = pelti_double3_scale(slope_at(slope, i, local), term->weight);
        sum->g[i] += pelti_double3_dot(d[i], residual);
        for (int k = 0; k <= i; ++k)
        {
            sum->h[i][k] += pelti_double3_dot(d[i], d[k]);
        }
    }
}

static void sum_range(void* context, uint32_t range)
{
    const refine_work* work = context;
    const pelti_fit* fit = work->fit;
    normal_sum* sums = work->sums + (size_t)range * fit->helper_count;
    uint32_t end = (range + 1) * PELTI_HELPER_RANGE;
    memset(sums, 0, fit->helper_count * sizeof *sums);
    for (uint32_t i = range * PELTI_HELPER_RANGE; i < end && i < fit->sample_count; ++i)
    {
        uint32_t point = fit->sample[i];
        const pelti_blend* blend = &fit->blends[point];
        for (uint32_t f = 0; f < fit->training_count && blend->count > 0; ++f)
        {
            pelt_vec3 target = fit->targets[(size_t)point * fit->pose_count + f];
            pelti_double3 residual =
                pelti_double3_sub(pelti_fit_blended(fit, point, f), pelti_double3_from(target));
            for (uint32_t k = 0; k < blend->count; ++k)
            {
                const pelti_term* term = &blend->terms[k];
                if (term->index >= fit->joint_count)
                {
                    uint32_t h = term->index - fit->joint_count;
                    add_term(&sums[h], term, &work->slopes[(size_t)h * fit->training_count + f],
                             pelti_fit_local(fit, point, term->influence), residual);
                }
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Steps

// h x = g by Cholesky; h is positive definite after damping.
static bool solve4(double x[UNKNOWNS], double h[UNKNOWNS][UNKNOWNS], const double g[UNKNOWNS])
{
    for (int i = 0; i < UNKNOWNS; ++i)
    {
        for (int k = 0; k <= i; ++k)
        {
            double sum = h[i][k];
            for (int m = 0; m < k; ++m)
            {
                sum -= h[i][m] * h[k][m];
            }
            if (k == i && !(sum > 0.0))
            {
                return false;
            }
            h[i][k] = k == i ? sqrt(sum) : sum / h[k][k];
        }
        x[i] = g[i];
        for (int k = 0; k < i; ++k)
        {
            x[i] -= h[i][k] * x[k];
        }
        x[i] /= h[i][i];
    }
    for (int i = UNKNOWNS; i-- > 0;)
    {
        for (int k = i + 1; k < UNKNOWNS; ++k)
        {
            x[i] -= h[k][i] * x[k];
        }
        x[i] /= h[i][i];
    }
    return true;
}

// A center that is hardly determined, as along the axis of a hinge, stays near that of its pair,
// and none goes farther from it than twice the radius of the pair: the fit would follow its own
// poses better, and others worse.
static void restrain(normal_sum* sum, const pelti_fit_helper* helper, const pelti_helper_pair* pair)
{
    double mean = (sum->h[1][1] + sum->h[2][2] + sum->h[3][3]) / 3.0;
    pelti_double3 away = pelti_double3_sub(helper->center, pair->center);
    const double offsets[3] = {away.x, away.y, away.z};
    for (int i = 0; i < 3; ++i)
    {
        sum->h[i + 1][i + 1] += 0.001 * mean;
        sum->g[i + 1] += 0.001 * mean * offsets[i];
    }
}

static void move_center(pelti_fit_helper* helper, const pelti_helper_pair* pair, pelti_double3 by)
{
    pelti_double3 away =
        pelti_double3_sub(pelti_double3_mad(helper->center, -1.0, by), pair->center);
    double length = pelti_double3_length(away), limit = 2.0 * pair->radius;
    double part = length > limit ? limit / length : 1.0;
    helper->center = pelti_double3_mad(pair->center, part, away);
}

static void step_helper(refine_work* work, uint32_t index)
{
    pelti_fit* fit = work->fit;
    pelti_fit_helper* helper = &fit->helpers[index];
    const pelti_helper_pair* pair = &fit->pairs[helper->pair];
    normal_sum sum = {0};
    double x[UNKNOWNS];
    for (uint32_t r = 0; r < work->range_count; ++r)
    {
        const normal_sum* part = &work->sums[(size_t)r * fit->helper_count + index];
        for (int i = 0; i < UNKNOWNS; ++i)
        {
            sum.g[i] += part->g[i];
            for (int k = 0; k <= i; ++k)
            {
                sum.h[i][k] += part->h[i][k];
            }
        }
    }
    restrain(&sum, helper, pair);
    for (int i = 0; i < UNKNOWNS; ++i)
    {
        sum.h[i][i] *= 1.0 + work->damping;
    }
    if (!solve4(x, sum.h, sum.g))
    {
        return;
    }
    helper->factor = fmin(fmax(helper->factor - fmin(fmax(x[0], -0.1), 0.1), 0.01), 0.99);
    move_center(helper, pair, (pelti_double3){x[1], x[2], x[3]});
    pelti_fit_move(helper->matrices, fit, helper);
}

static void save_state(refine_work* work)
{
    for (uint32_t i = 0; i < work->fit->helper_count; ++i)
    {
        work->saved_factors[i] = work->fit->helpers[i].factor;
        work->saved_centers[i] = work->fit->helpers[i].center;
    }
}

static void restore_state(refine_work* work)
{
    for (uint32_t i = 0; i < work->fit->helper_count; ++i)
    {
        pelti_fit_helper* helper = &work->fit->helpers[i];
        helper->factor = work->saved_factors[i];
        helper->center = work->saved_centers[i];
        pelti_fit_move(helper->matrices, work->fit, helper);
    }
}

static void step_all(refine_work* work)
{
    for (uint32_t i = 0; i < work->fit->helper_count; ++i)
    {
        find_slopes(work, i);
    }
    pelt_run(work->range_count, sum_range, work);
    for (uint32_t i = 0; i < work->fit->helper_count; ++i)
    {
        step_helper(work, i);
    }
}

static pelt_result solve_sample(pelti_fit* fit, double* error)
{
    PELT_TRY(pelti_fit_solve(fit, fit->sample, fit->sample_count, 0.0));
    *error = pelti_fit_error(fit, 0, fit->training_count);
    return PELT_OK;
}

static pelt_result run_rounds(refine_work* work, uint32_t rounds)
{
    pelti_fit* fit = work->fit;
    double best, error;
    uint32_t idle = 0;
    PELT_TRY(solve_sample(fit, &best));
    save_state(work);
    for (uint32_t round = 0; round < rounds && idle < 4 && best > 0.0; ++round)
    {
        step_all(work);
        PELT_TRY(solve_sample(fit, &error));
        bool is_better = error < best;
        idle = is_better && error < 0.998 * best ? 0 : idle + 1;
        work->damping *= is_better ? 0.5 : 4.0;
        if (is_better)
        {
            best = error;
            save_state(work);
            continue;
        }
        restore_state(work);
        PELT_TRY(solve_sample(fit, &error));
    }
    return PELT_OK;
}

pelt_result pelti_fit_refine(pelti_fit* inout, uint32_t rounds)
{
    uint32_t range_count = (inout->sample_count + PELTI_HELPER_RANGE - 1) / PELTI_HELPER_RANGE;
    size_t count = inout->helper_count;
    refine_work work = {
        .fit = inout,
        .range_count = range_count,
        .moved = pelt_allocate(inout->pose_count, sizeof *work.moved),
        .slopes = pelt_allocate(count * inout->training_count, sizeof *work.slopes),
        .sums = pelt_allocate(count * range_count, sizeof *work.sums),
        .saved_factors = pelt_allocate(count, sizeof *work.saved_factors),
        .saved_centers = pelt_allocate(count, sizeof *work.saved_centers),
        .damping = 0.3,
    };
    bool is_ok = work.moved && work.slopes && work.sums && work.saved_factors && work.saved_centers;
    pelt_result result = is_ok ? run_rounds(&work, rounds) : PELT_ERROR_MEMORY;
    pelt_release(work.moved);
    pelt_release(work.slopes);
    pelt_release(work.sums);
    pelt_release(work.saved_factors);
    pelt_release(work.saved_centers);
    return result;
}
