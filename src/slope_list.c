// SPDX-License-Identifier: MIT
// From means around a vertex to a list that keeps the promises of pelt_normal_factors.
#include "exact.h"

#include "normal_slopes.h"

#include "triangle.h"

#include <float.h>
#include <stdlib.h>

// A weight that changes by less than this around a vertex is rounding: weights are floats near one.
static const double flat_change = 2e-7;

// ---------------------------------------------------------------------------------------------
// The weights at which to expand methods that are curved in them. Derivatives at weights c are best
// if the rates of products (w_i - c_i) (w_j - c_j) vanish: with rates a of weights and C of
// products, C = a c^T + c a^T. In general they cannot all: least squares over all pairs and both
// axes, held back by as much towards the means. The normal equations are
//     (2 |a|^2 + a a^T) c = C a + |a|^2 mean,
// summed over the axes, and keep the sum of c.

// Weights stay positive, and near enough to their means.
static double bounded(double weight, double mean)
{
    return fmax(weight, 0.25 * mean);
}

// The matrix is a multiple of the unit matrix and two products of vectors: two unknowns are left,
// the sums of a c along both axes.
void pelti_slopes_solve(pelti_slopes* s)
{
    double a00 = 0.0, a01 = 0.0, a11 = 0.0, b0 = 0.0, b1 = 0.0;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        const pelti_slope* slope = &s->slopes[i];
        a00 += slope->rates[0] * slope->rates[0];
        a01 += slope->rates[0] * slope->rates[1];
        a11 += slope->rates[1] * slope->rates[1];
    }
    double square = a00 + a11, sum = 0.0;
    if (!(square > 0.0))
    {
        return;
    }
    for (uint32_t i = 0; i < s->count; ++i)
    {
        pelti_slope* slope = &s->slopes[i];
        slope->product_rate = (slope->product_rate + square * slope->mean) / (2.0 * square);
        b0 += slope->rates[0] * slope->product_rate;
        b1 += slope->rates[1] * slope->product_rate;
    }
    double m00 = 2.0 * square + a00, m11 = 2.0 * square + a11, determinant = m00 * m11 - a01 * a01;
    double c0 = (m11 * b0 - a01 * b1) / determinant, c1 = (m00 * b1 - a01 * b0) / determinant;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        pelti_slope* slope = &s->slopes[i];
        double weight = slope->product_rate - c0 * slope->rates[0] - c1 * slope->rates[1];
        slope->mean = bounded(weight, slope->mean);
        sum += slope->mean;
    }
    for (uint32_t i = 0; i < s->count; ++i)
    {
        s->slopes[i].mean /= sum;
    }
}

// ---------------------------------------------------------------------------------------------
// Planes

// Rates along both axes, each replaced by a sum of both.
static void turn_rates(double inout[2], double by[2][2])
{
    double first = by[0][0] * inout[0] + by[0][1] * inout[1];
    inout[1] = by[1][0] * inout[0] + by[1][1] * inout[1];
    inout[0] = first;
}

static void turn_slope(pelti_slope* slope, double by[2][2])
{
    double first[2] = {slope->moments[0][0], slope->moments[1][0]};
    double second[2] = {slope->moments[0][1], slope->moments[1][1]};
    turn_rates(slope->rates, by);
    turn_rates(first, by);
    turn_rates(second, by);
    for (int axis = 0; axis < 2; ++axis)
    {
        slope->moments[axis][0] = first[axis];
        slope->moments[axis][1] = second[axis];
    }
}

// By how much a weight changes over the surroundings.
static double steepness(const pelti_slopes* s, const pelti_slope* slope)
{
    double sum = 0.0;
    for (int axis = 0; axis < 2; ++axis)
    {
        double change = slope->rates[axis] * sqrt(s->area);
        double along = slope->moments[axis][axis] - slope->weight;
        double across = slope->moments[axis][1 - axis];
        sum += change * change + along * along + across * across;
    }
    return sqrt(sum);
}

static void turn_centers(pelti_slopes* s, double by[2][2])
{
    pelti_double3 *u = &s->center_rates[0], *v = &s->center_rates[1];
    pelti_double3 first = pelti_double3_mad(pelti_double3_scale(*u, by[0][0]), by[0][1], *v);
    *v = pelti_double3_mad(pelti_double3_scale(*u, by[1][0]), by[1][1], *v);
    *u = first;
}

bool pelti_slopes_flatten(pelti_slopes* s)
{
    double rates[2][2] = {{0.0}}, flattening[2][2];
    for (uint32_t i = 0; i < 4 * s->count; ++i)
    {
        rates[i / 2 % 2][i % 2] += s->slopes[i / 4].moments[i / 2 % 2][i % 2];
    }
    if (!pelti_plane_flatten(flattening, rates))
    {
        return false;
    }
    bool is_any = false;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        turn_slope(&s->slopes[i], flattening);
        s->slopes[i].steepness = steepness(s, &s->slopes[i]);
        is_any = is_any || s->slopes[i].steepness > flat_change;
    }
    turn_centers(s, flattening);
    return is_any;
}

// ---------------------------------------------------------------------------------------------
// Limits

static int compare_steepness(const void* left, const void* right)
{
    const pelti_slope *a = left, *b = right;
    if (a->steepness != b->steepness)
    {
        return a->steepness > b->steepness ? -1 : 1;
    }
    return a->joint < b->joint ? -1 : 1;
}

// Neighbours' joints, from `first` on: steepest first, and flat ones gone.
static void sort_neighbours(pelti_slopes* s, uint32_t first)
{
    qsort(s->slopes + first, s->count - first, sizeof *s->slopes, compare_steepness);
    while (s->count > first && !(s->slopes[s->count - 1].steepness > flat_change))
    {
        --s->count;
    }
}

static pelti_slope* steepest_left(pelti_slopes* s)
{
    pelti_slope* best = NULL;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        pelti_slope* slope = &s->slopes[i];
        best =
            !slope->is_kept && (best == NULL || slope->steepness > best->steepness) ? slope : best;
    }
    return best;
}

// Keep the strongest influence, and the steepest of the others up to the limit.
static void drop_flattest(pelti_slopes* s)
{
    if (s->count <= s->limit)
    {
        return;
    }
    s->slopes[0].is_kept = true;
    for (uint32_t i = 1; i < s->limit; ++i)
    {
        steepest_left(s)->is_kept = true;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        if (s->slopes[i].is_kept)
        {
            s->slopes[count++] = s->slopes[i];
        }
    }
    s->count = count;
}

static void add_slope(pelti_slope* to, double part, const pelti_slope* from)
{
    to->mean += part * from->mean;
    for (int axis = 0; axis < 2; ++axis)
    {
        to->rates[axis] += part * from->rates[axis];
        to->moments[axis][0] += part * from->moments[axis][0];
        to->moments[axis][1] += part * from->moments[axis][1];
    }
}

// All weights together are one everywhere. What pruning and rounding have taken away goes to the
// influences by their weights: as if it belonged to a joint that moves as the vertex does.
static void balance(pelti_slopes* s)
{
    pelti_slope lost = {.mean = 1.0, .moments = {{1.0, 0.0}, {0.0, 1.0}}};
    double weight = 0.0;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        add_slope(&lost, -1.0, &s->slopes[i]);
        weight += s->slopes[i].weight;
    }
    for (uint32_t i = 0; i < s->count; ++i)
    {
        add_slope(&s->slopes[i], s->slopes[i].weight / weight, &lost);
    }
}

static bool is_moderate(const pelti_slope* slope)
{
    bool is_ok = true;
    for (int axis = 0; axis < 2; ++axis)
    {
        is_ok = is_ok && fabs(slope->rates[axis]) < (double)FLT_MAX / 2.0 &&
                fabs(slope->moments[axis][0]) < pelti_moment_limit &&
                fabs(slope->moments[axis][1]) < pelti_moment_limit;
    }
    return is_ok;
}

bool pelti_slopes_prune(pelti_slopes* s, uint32_t own_count)
{
    sort_neighbours(s, own_count);
    drop_flattest(s);
    balance(s);
    bool is_ok = true;
    for (uint32_t i = 0; i < s->count; ++i)
    {
        is_ok = is_ok && is_moderate(&s->slopes[i]);
    }
    return is_ok;
}
