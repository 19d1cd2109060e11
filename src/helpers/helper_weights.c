// SPDX-License-Identifier: MIT
// Weights of one vertex on its joints and helpers: least squares under the conditions that weights
// are not negative, sum to one and are few.
#include "../base/exact.h"

#include "helpers.h"

#include <string.h>

enum
{
    COLUMNS = PELTI_HELPER_COLUMNS,
};

// Minimize w^T Q w - 2 b^T w over weights that are not negative and sum to one.
typedef struct quadratic
{
    uint32_t count;
    double q[COLUMNS][COLUMNS];
    double b[COLUMNS];
} quadratic;

// ---------------------------------------------------------------------------------------------
// Simplex

// Solve the equations of the columns in use: Q z = b + m, with m so that z sums to one. Cholesky.
static bool solve_equal(double* z, const quadratic* in, const uint32_t* used, uint32_t count)
{
    double l[COLUMNS][COLUMNS], y[2][COLUMNS];
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = 0; k <= i; ++k)
        {
            double sum = in->q[used[i]][used[k]];
            for (uint32_t m = 0; m < k; ++m)
            {
                sum -= l[i][m] * l[k][m];
            }
            if (k == i && !(sum > 0.0))
            {
                return false;
            }
            l[i][k] = k == i ? sqrt(sum) : sum / l[k][k];
        }
    }
    double sums[2] = {0.0, 0.0};
    for (int side = 0; side < 2; ++side)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            double sum = side == 0 ? in->b[used[i]] : 1.0;
            for (uint32_t k = 0; k < i; ++k)
            {
                sum -= l[i][k] * y[side][k];
            }
            y[side][i] = sum / l[i][i];
        }
        for (uint32_t i = count; i-- > 0;)
        {
            for (uint32_t k = i + 1; k < count; ++k)
            {
                y[side][i] -= l[k][i] * y[side][k];
            }
            y[side][i] /= l[i][i];
            sums[side] += y[side][i];
        }
    }
    double m = (1.0 - sums[0]) / sums[1];
    for (uint32_t i = 0; i < count; ++i)
    {
        z[i] = y[0][i] + m * y[1][i];
    }
    return isfinite(m);
}

static double value_of(const quadratic* in, const double* w)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        double row = -2.0 * in->b[i];
        for (uint32_t k = 0; k < in->count && w[i] > 0.0; ++k)
        {
            row += in->q[i][k] * w[k];
        }
        sum += w[i] * row;
    }
    return sum;
}

// Move from w towards the solution of the columns in use, as far as weights stay positive, and drop
// those that become zero, until the solution is reached.
static void settle(double* w, uint32_t* used, uint32_t* count, const quadratic* in)
{
    double z[COLUMNS];
    while (*count > 0 && solve_equal(z, in, used, *count))
    {
        double step = 1.0;
        for (uint32_t i = 0; i < *count; ++i)
        {
            double now = w[used[i]];
            step = z[i] <= 0.0 && now - z[i] > 0.0 ? fmin(step, now / (now - z[i])) : step;
        }
        uint32_t kept = 0;
        bool is_dropped = false;
        for (uint32_t i = 0; i < *count; ++i)
        {
            uint32_t column = used[i];
            w[column] += step * (z[i] - w[column]);
            bool is_zero = z[i] <= 0.0 && w[column] <= 1e-12;
            w[column] = is_zero ? 0.0 : w[column];
            is_dropped |= is_zero;
            used[kept] = column;
            kept += !is_zero;
        }
        *count = kept;
        if (!is_dropped)
        {
            return;
        }
    }
}

// The column with the least value alone.
static void start_alone(double* w, const quadratic* in, const bool* is_out)
{
    uint32_t first = PELT_NONE;
    double least = 0.0;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        double value = in->q[i][i] - 2.0 * in->b[i];
        bool is_better = !is_out[i] && (first == PELT_NONE || value < least);
        first = is_better ? i : first;
        least = is_better ? value : least;
    }
    memset(w, 0, COLUMNS * sizeof *w);
    w[first] = 1.0;
}

// The column along which the value falls fastest, or PELT_NONE at the minimum.
static uint32_t find_next(const double* w, const quadratic* in, const bool* is_out)
{
    double slopes[COLUMNS], level = 0.0, largest = 0.0;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        slopes[i] = -in->b[i];
        for (uint32_t k = 0; k < in->count; ++k)
        {
            slopes[i] += in->q[i][k] * w[k];
        }
        level += w[i] * slopes[i];
        largest = fmax(largest, in->q[i][i]);
    }
    uint32_t next = PELT_NONE;
    double least = level - 1e-9 * largest;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        bool is_next = !is_out[i] && w[i] <= 0.0 && slopes[i] < least;
        next = is_next ? i : next;
        least = is_next ? slopes[i] : least;
    }
    return next;
}

// The active set method of Lawson and Hanson, here with weights that sum to one.
// @param w       where it begins: any such weights, on columns that are not out
// @param is_out  columns that are not to be used; at least one is
static double solve_simplex(double* w, const quadratic* in, const bool* is_out)
{
    uint32_t used[COLUMNS], count = 0;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        if (w[i] > 0.0)
        {
            used[count++] = i;
        }
    }
    settle(w, used, &count, in);
    double value = value_of(in, w);
    for (uint32_t turn = 0; turn < 4 * COLUMNS; ++turn)
    {
        uint32_t next = find_next(w, in, is_out);
        if (next == PELT_NONE)
        {
            break;
        }
        used[count++] = next;
        settle(w, used, &count, in);
        double now = value_of(in, w);
        if (!(now < value))
        {
            break; // rounding
        }
        value = now;
    }
    return value;
}

// Weights without one of the columns, which others replace.
static double solve_without(double* out, const double* w, const quadratic* in, bool* is_out,
                            uint32_t column)
{
    double sum = 1.0 - w[column];
    is_out[column] = true;
    if (sum > 1e-6)
    {
        for (uint32_t i = 0; i < COLUMNS; ++i)
        {
            out[i] = i == column ? 0.0 : w[i] / sum;
        }
    }
    else
    {
        start_alone(out, in, is_out);
    }
    double value = solve_simplex(out, in, is_out);
    is_out[column] = false;
    return value;
}

// Drop columns one by one, each time the one that is missed least.
static void solve_sparse(double* w, const quadratic* in, uint32_t most)
{
    bool is_out[COLUMNS] = {false};
    start_alone(w, in, is_out);
    solve_simplex(w, in, is_out);
    for (;;)
    {
        uint32_t count = 0, worst = PELT_NONE;
        double least = 0.0, next[COLUMNS], trial[COLUMNS];
        for (uint32_t i = 0; i < in->count; ++i)
        {
            count += w[i] > 0.0;
            is_out[i] = !(w[i] > 0.0);
        }
        if (count <= most)
        {
            return;
        }
        for (uint32_t i = 0; i < in->count; ++i)
        {
            if (is_out[i])
            {
                continue;
            }
            double value = solve_without(trial, w, in, is_out, i);
            if (worst == PELT_NONE || value < least)
            {
                worst = i;
                least = value;
                memcpy(next, trial, sizeof next);
            }
        }
        memcpy(w, next, COLUMNS * sizeof *w);
    }
}

// ---------------------------------------------------------------------------------------------
// One vertex

typedef struct column_list
{
    uint32_t count;
    pelti_term terms[COLUMNS];
    pelti_double3 locals[PELTI_HELPER_JOINTS];
} column_list;

static void list_columns(column_list* out, const pelti_fit* fit, uint32_t point,
                         const uint32_t* first_helpers, const uint32_t* pair_helpers)
{
    const pelt_influence* influences;
    uint32_t count = pelti_fit_influences(&influences, fit, point);
    const uint32_t* nodes = fit->scene->skins[fit->parts[fit->points[point].part].skin].joints;
    out->count = 0;
    for (uint32_t i = 0; i < count && i < PELTI_HELPER_JOINTS; ++i)
    {
        out->locals[i] = pelti_fit_local(fit, point, i);
        out->terms[out->count++] = (pelti_term){fit->node_joints[nodes[influences[i].joint]], i,
                                                (double)influences[i].weight};
    }
    for (uint32_t i = fit->first_pairs[point]; i < fit->first_pairs[point + 1]; ++i)
    {
        const pelti_point_pair* use = &fit->point_pairs[i];
        for (uint32_t h = first_helpers[use->pair]; h < first_helpers[use->pair + 1]; ++h)
        {
            if (out->count < COLUMNS)
            {
                out->terms[out->count++] =
                    (pelti_term){fit->joint_count + pair_helpers[h], use->influence, 0.0};
            }
        }
    }
}

// Columns are positions relative to the target, which weights that sum to one allow.
static void add_pose(quadratic* out, const column_list* columns, const pelti_fit* fit,
                     uint32_t point, uint32_t pose)
{
    pelti_double3 d[COLUMNS];
    pelti_double3 target = pelti_double3_from(fit->targets[(size_t)point * fit->pose_count + pose]);
    const pelti_affine* joints = fit->joint_matrices + (size_t)pose * fit->joint_count;
    for (uint32_t i = 0; i < columns->count; ++i)
    {
        const pelti_term* term = &columns->terms[i];
        const pelti_affine* matrix =
            term->index < fit->joint_count
                ? &joints[term->index]
                : &fit->helpers[term->index - fit->joint_count].matrices[pose];
        d[i] =
            pelti_double3_sub(pelti_affine_point(matrix, columns->locals[term->influence]), target);
    }
    for (uint32_t i = 0; i < columns->count; ++i)
    {
        for (uint32_t k = 0; k <= i; ++k)
        {
            out->q[i][k] += pelti_double3_dot(d[i], d[k]);
        }
    }
}

// Attraction to weights: those of the mesh, or the mean of the neighbors'.
static void attract(quadratic* inout, const column_list* columns, const pelti_fit* fit,
                    uint32_t point, double smoothness)
{
    // As if weights that are off by one cost this distance in each pose.
    double own = 2e-5 * fit->size, near = smoothness * fit->size;
    double own_cost = own * own * (double)fit->training_count,
           near_cost = near * near * (double)fit->training_count;
    uint32_t first = fit->first_neighbors[point], end = fit->first_neighbors[point + 1];
    for (uint32_t i = 0; i < columns->count; ++i)
    {
        inout->q[i][i] += own_cost;
        inout->b[i] += own_cost * columns->terms[i].weight;
    }
    for (uint32_t n = first; n < end && smoothness > 0.0; ++n)
    {
        const pelti_blend* blend = &fit->blends[fit->neighbors[n]];
        double part = near_cost / (double)(end - first);
        for (uint32_t i = 0; i < columns->count && blend->count > 0; ++i)
        {
            inout->q[i][i] += part;
            for (uint32_t k = 0; k < blend->count; ++k)
            {
                bool is_same = blend->terms[k].index == columns->terms[i].index;
                inout->b[i] += is_same ? part * blend->terms[k].weight : 0.0;
            }
        }
    }
}

static void solve_point(pelti_blend* out, const pelti_fit* fit, uint32_t point, double smoothness,
                        const uint32_t* first_helpers, const uint32_t* pair_helpers)
{
    column_list columns;
    quadratic problem = {0};
    double w[COLUMNS];
    list_columns(&columns, fit, point, first_helpers, pair_helpers);
    uint32_t most = fit->options->max_influences > 0 ? fit->options->max_influences : 4;
    *out = (pelti_blend){0};
    if (columns.count < 2)
    {
        return;
    }
    problem.count = columns.count;
    for (uint32_t f = 0; f < fit->training_count; ++f)
    {
        add_pose(&problem, &columns, fit, point, f);
    }
    for (uint32_t i = 0; i < columns.count; ++i)
    {
        for (uint32_t k = 0; k < i; ++k)
        {
            problem.q[k][i] = problem.q[i][k];
        }
    }
    attract(&problem, &columns, fit, point, smoothness);
    solve_sparse(w, &problem, most);
    for (uint32_t i = 0; i < columns.count; ++i)
    {
        if (w[i] > 0.0)
        {
            out->terms[out->count] = columns.terms[i];
            out->terms[out->count++].weight = w[i];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// All of them

typedef struct solve_work
{
    const pelti_fit* fit;
    const uint32_t* points;
    uint32_t count;
    double smoothness;
    uint32_t *first_helpers, *pair_helpers; // helpers of each pair
    pelti_blend* out;
} solve_work;

static void solve_range(void* context, uint32_t range)
{
    const solve_work* work = context;
    uint32_t end = (range + 1) * PELTI_HELPER_RANGE;
    for (uint32_t i = range * PELTI_HELPER_RANGE; i < end && i < work->count; ++i)
    {
        uint32_t point = work->points != NULL ? work->points[i] : i;
        solve_point(&work->out[i], work->fit, point, work->smoothness, work->first_helpers,
                    work->pair_helpers);
    }
}

static void list_pair_helpers(solve_work* inout)
{
    const pelti_fit* fit = inout->fit;
    uint32_t at = 0;
    for (uint32_t i = 0; i < fit->pair_count; ++i)
    {
        inout->first_helpers[i] = at;
        for (uint32_t h = 0; h < fit->helper_count && fit->pairs[i].count > 0; ++h)
        {
            if (fit->helpers[h].pair == i)
            {
                inout->pair_helpers[at++] = h;
            }
        }
    }
    inout->first_helpers[fit->pair_count] = at;
}

pelt_result pelti_fit_solve(pelti_fit* inout, const uint32_t* points, uint32_t count,
                            double smoothness)
{
    solve_work work = {
        .fit = inout,
        .points = points,
        .count = count,
        .smoothness = smoothness,
        .first_helpers = pelt_allocate((size_t)inout->pair_count + 1, sizeof(uint32_t)),
        .pair_helpers = pelt_allocate(inout->helper_count, sizeof(uint32_t)),
        .out = pelt_allocate(count, sizeof *work.out),
    };
    bool is_ok = work.first_helpers != NULL && work.pair_helpers != NULL && work.out != NULL;
    if (is_ok)
    {
        list_pair_helpers(&work);
        pelt_run((count + PELTI_HELPER_RANGE - 1) / PELTI_HELPER_RANGE, solve_range, &work);
    }
    // Afterwards, as neighbors read them.
    for (uint32_t i = 0; i < count && is_ok; ++i)
    {
        inout->blends[points != NULL ? points[i] : i] = work.out[i];
    }
    pelt_release(work.first_helpers);
    pelt_release(work.pair_helpers);
    pelt_release(work.out);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}

static double error_of(const pelti_fit* fit, uint32_t point, bool is_lbs)
{
    double sum = 0.0;
    for (uint32_t f = 0; f < fit->training_count; ++f)
    {
        pelti_double3 p = is_lbs ? pelti_fit_lbs(fit, point, f) : pelti_fit_blended(fit, point, f);
        pelti_double3 d = pelti_double3_sub(
            p, pelti_double3_from(fit->targets[(size_t)point * fit->pose_count + f]));
        sum += pelti_double3_dot(d, d);
    }
    return sum;
}

typedef struct keep_work
{
    pelti_fit* fit;
    uint32_t most;
} keep_work;

static void keep_range(void* context, uint32_t range)
{
    const keep_work* work = context;
    pelti_fit* fit = work->fit;
    uint32_t end = (range + 1) * PELTI_HELPER_RANGE;
    double least = 1e-5 * fit->size;
    for (uint32_t i = range * PELTI_HELPER_RANGE; i < end && i < fit->point_count; ++i)
    {
        const pelt_influence* influences;
        uint32_t own = pelti_fit_influences(&influences, fit, i);
        if (fit->blends[i].count == 0 || own > work->most)
        {
            continue; // too many of its own are not kept
        }
        double lbs = error_of(fit, i, true);
        bool is_small = lbs <= least * least * (double)fit->training_count;
        // 2 % of the distance is 4 % of its square.
        if (is_small || error_of(fit, i, false) > 0.96 * lbs)
        {
            fit->blends[i].count = 0;
        }
    }
}

uint32_t pelti_fit_keep(pelti_fit* inout)
{
    uint32_t kept = 0;
    keep_work work = {inout,
                      inout->options->max_influences > 0 ? inout->options->max_influences : 4};
    pelt_run((inout->point_count + PELTI_HELPER_RANGE - 1) / PELTI_HELPER_RANGE, keep_range, &work);
    for (uint32_t i = 0; i < inout->point_count; ++i)
    {
        kept += inout->blends[i].count == 0;
    }
    return kept;
}
