// SPDX-License-Identifier: MIT
// Mix factors of least energy, by descent within the bounds of every vertex.
#include "../base/exact.h"

#include "mix.h"

#include <math.h>

enum
{
    GRID_COUNT = 2,         // intervals in which the best common factor is looked for
    PARABOLA_COUNT = 2,     // to find it there
    STEP_COUNT = 16,        // of the descent at most
    HALVING_COUNT = 4,      // of a step that does not lower the energy
    SWEEP_COUNT = 100,      // over the quadratic function at most
    MOST_PAIRS = 1u << 18u, // of group and frame, at which the energy is measured
    LEAST_FRAMES = 8,       // of each group
};

static const double least_gain = 4e-3;  // of a step, as a part of the energy: less ends the descent
static const double first_part = 1.8;   // of a step that is tried: curvatures are upper bounds
static const double least_sweep = 1e-4; // the largest change of a factor: less ends the sweeps
static const double least_edge = 0.1;   // cotangents below count as much for smoothness

// The quadratic function: slopes and diagonal by class, the rest by edges.
typedef struct descent
{
    pelti_mix* mix;
    double *slopes, *curves; // by class
    double* crosses;         // by edge of the body
    uint32_t* first;         // class_count + 1
    pelti_neighbor* links;   // by class: the other class, and the edge
    double *changes, *trial; // by class
} descent;

// ---------------------------------------------------------------------------------------------
// One factor for all

static void set_common(const pelti_mix* mix, double* out, double factor)
{
    for (uint32_t c = 0; c < mix->class_count; ++c)
    {
        out[c] = factor;
    }
}

static double measure_common(pelti_mix* mix, double* scratch, double factor)
{
    set_common(mix, scratch, factor);
    return pelti_mix_measure(mix, scratch, false);
}

// The minimum of the parabola through three points.
static double lowest_point(const double factors[3], const double energies[3])
{
    double a = factors[1] - factors[0], b = factors[1] - factors[2];
    double p = a * (energies[1] - energies[2]), q = b * (energies[1] - energies[0]);
    return p != q ? factors[1] - 0.5 * (a * p - b * q) / (p - q) : factors[1];
}

// On a grid, then by parabolas through the best point and its neighbors.
static bool find_common(pelti_mix* mix, double* scratch)
{
    pelt_scene_mix_report* report = mix->report;
    double factors[GRID_COUNT + 1 + PARABOLA_COUNT], energies[GRID_COUNT + 1 + PARABOLA_COUNT];
    int best = 0;
    for (int i = 0; i <= GRID_COUNT; ++i)
    {
        factors[i] = (double)i / GRID_COUNT;
        energies[i] = measure_common(mix, scratch, factors[i]);
        best = energies[i] < energies[best] ? i : best;
        if (!pelti_mix_tell(mix, 0.2f + 0.06f * (float)i))
        {
            return false;
        }
    }
    report->lbs_energy = energies[0];
    report->dqs_energy = energies[GRID_COUNT];
    for (int i = 0, count = GRID_COUNT + 1; i < PARABOLA_COUNT; ++i, ++count)
    {
        int middle = best == 0 ? 1 : best == count - 1 ? best - 1 : best;
        double at = lowest_point(factors + middle - 1, energies + middle - 1);
        at = fmin(fmax(at, factors[middle - 1]), factors[middle + 1]);
        double energy = measure_common(mix, scratch, at);
        // Kept in order.
        int slot = count;
        for (; slot > 0 && factors[slot - 1] > at; --slot)
        {
            factors[slot] = factors[slot - 1];
            energies[slot] = energies[slot - 1];
        }
        best += slot <= best;
        factors[slot] = at;
        energies[slot] = energy;
        best = energy < energies[best] ? slot : best;
    }
    report->fixed_factor = (float)factors[best];
    report->fixed_energy = energies[best];
    return pelti_mix_tell(mix, 0.4f);
}

// ---------------------------------------------------------------------------------------------
// Smoothness

static double edge_weight(const descent* d, uint32_t edge)
{
    return d->mix->gradient_weight * fmax(d->mix->body->edges[edge].weight, least_edge);
}

static double measure_gradient(const descent* d, const double* factors)
{
    const pelt_body* body = d->mix->body;
    double sum = 0.0;
    for (uint32_t i = 0; i < body->edge_count; ++i)
    {
        const uint32_t* groups = body->edges[i].groups;
        double apart =
            factors[d->mix->group_classes[groups[0]]] - factors[d->mix->group_classes[groups[1]]];
        sum += edge_weight(d, i) * apart * apart;
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// One step

// The parts of groups, and the smoothness, as one function of the classes.
static void assemble(descent* d)
{
    const pelti_mix* mix = d->mix;
    const pelt_body* body = mix->body;
    for (uint32_t c = 0; c < mix->class_count; ++c)
    {
        d->slopes[c] = d->curves[c] = 0.0;
    }
    for (uint32_t i = 0; i < body->edge_count; ++i)
    {
        d->crosses[i] = 0.0;
    }
    for (uint32_t k = 0; k < mix->active_count; ++k)
    {
        uint32_t group = mix->active[k], own = mix->group_classes[group];
        d->slopes[own] += mix->own[group].slope;
        d->curves[own] += mix->own[group].curve;
        for (uint32_t i = body->first_neighbors[group]; i < body->first_neighbors[group + 1]; ++i)
        {
            uint32_t other = mix->group_classes[body->neighbors[i].group];
            d->slopes[other] += mix->others[i].slope;
            d->curves[other] += mix->others[i].curve;
            d->crosses[body->neighbors[i].edge] += mix->crosses[i];
        }
    }
    for (uint32_t i = 0; i < body->edge_count; ++i)
    {
        uint32_t a = mix->group_classes[body->edges[i].groups[0]];
        uint32_t b = mix->group_classes[body->edges[i].groups[1]];
        double weight = 2.0 * edge_weight(d, i), apart = mix->factors[a] - mix->factors[b];
        if (a == b)
        {
            d->curves[a] += 2.0 * d->crosses[i];
            continue;
        }
        d->slopes[a] += weight * apart;
        d->slopes[b] -= weight * apart;
        d->curves[a] += weight;
        d->curves[b] += weight;
        d->crosses[i] -= weight;
    }
}

// Between the bounds, by sweeps of Gauss and Seidel.
static void minimize(descent* d)
{
    const pelti_mix* mix = d->mix;
    double largest = 1.0;
    for (uint32_t c = 0; c < mix->class_count; ++c)
    {
        d->changes[c] = 0.0;
    }
    for (int sweep = 0; sweep < SWEEP_COUNT && largest > least_sweep; ++sweep)
    {
        largest = 0.0;
        for (uint32_t c = 0; c < mix->class_count; ++c)
        {
            double slope = d->slopes[c];
            for (uint32_t i = d->first[c]; i < d->first[c + 1]; ++i)
            {
                slope += d->crosses[d->links[i].edge] * d->changes[d->links[i].group];
            }
            if (d->curves[c] > 0.0)
            {
                double change = fmin(fmax(-slope / d->curves[c], mix->lower[c] - mix->factors[c]),
                                     1.0 - mix->factors[c]);
                largest = fmax(largest, fabs(change - d->changes[c]));
                d->changes[c] = change;
            }
        }
    }
}

// @return whether the energy fell; *energy and *gradient are then new
static bool take_step(descent* d, double* energy, double* gradient)
{
    pelti_mix* mix = d->mix;
    double part = first_part;
    for (int i = 0; i < HALVING_COUNT; ++i, part *= 0.5)
    {
        for (uint32_t c = 0; c < mix->class_count; ++c)
        {
            d->trial[c] = fmin(fmax(mix->factors[c] + part * d->changes[c], mix->lower[c]), 1.0);
        }
        double next = pelti_mix_measure(mix, d->trial, true), slack = measure_gradient(d, d->trial);
        if (next + slack < *energy + *gradient)
        {
            double* old = mix->factors;
            mix->factors = d->trial;
            d->trial = old;
            *energy = next;
            *gradient = slack;
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// The descent

static bool link_classes(descent* d)
{
    const pelti_mix* mix = d->mix;
    const pelt_body* body = mix->body;
    for (uint32_t i = 0; i < 2 * body->edge_count; ++i)
    {
        ++d->first[mix->group_classes[body->edges[i / 2].groups[i % 2]] + 2];
    }
    for (uint32_t c = 0; c < mix->class_count; ++c)
    {
        d->first[c + 2] += d->first[c + 1];
    }
    for (uint32_t i = 0; i < 2 * body->edge_count; ++i)
    {
        const uint32_t* groups = body->edges[i / 2].groups;
        uint32_t own = mix->group_classes[groups[i % 2]];
        uint32_t other = mix->group_classes[groups[1 - i % 2]];
        d->links[d->first[own + 1]++] = (pelti_neighbor){other, i / 2};
    }
    return true;
}

static bool create_descent(descent* out, pelti_mix* mix)
{
    pelt_arena* arena = mix->arena;
    size_t count = mix->class_count, edge_count = mix->body->edge_count;
    *out = (descent){.mix = mix,
                     .slopes = pelt_arena_alloc(arena, count, sizeof(double)),
                     .curves = pelt_arena_alloc(arena, count, sizeof(double)),
                     .crosses = pelt_arena_alloc(arena, edge_count, sizeof(double)),
                     .first = pelt_arena_alloc(arena, count + 2, sizeof(uint32_t)),
                     .links = pelt_arena_alloc(arena, 2 * edge_count, sizeof(pelti_neighbor)),
                     .changes = pelt_arena_alloc(arena, count, sizeof(double)),
                     .trial = pelt_arena_alloc(arena, count, sizeof(double))};
    mix->factors = pelt_arena_alloc(arena, count, sizeof(double));
    return out->slopes != NULL && out->curves != NULL && out->crosses != NULL &&
           out->first != NULL && out->links != NULL && out->changes != NULL && out->trial != NULL &&
           mix->factors != NULL && link_classes(out);
}

// Starts from the best common factor, and from the bound where that bulges too much; or from a
// common factor that bulges too much nowhere, if that is better.
static void start(descent* d, double* energy, double* gradient)
{
    pelti_mix* mix = d->mix;
    pelt_scene_mix_report* report = mix->report;
    double bound = (double)report->fixed_factor;
    for (uint32_t c = 0; c < mix->class_count; ++c)
    {
        bound = fmax(bound, mix->lower[c]);
        mix->factors[c] = fmax((double)report->fixed_factor, mix->lower[c]);
    }
    report->bound_factor = (float)bound;
    report->bound_energy = bound > (double)report->fixed_factor
                               ? measure_common(mix, d->trial, bound)
                               : report->fixed_energy;
    *energy = pelti_mix_measure(mix, mix->factors, true);
    *gradient = measure_gradient(d, mix->factors);
    if (*energy + *gradient > report->bound_energy)
    {
        set_common(mix, mix->factors, bound);
        *energy = pelti_mix_measure(mix, mix->factors, true);
        *gradient = 0.0;
    }
}

pelt_result pelti_mix_descend(pelti_mix* inout)
{
    descent d;
    pelt_scene_mix_report* report = inout->report;
    if (!create_descent(&d, inout))
    {
        return PELT_ERROR_MEMORY;
    }
    // With a number of frames that the caller gives, all vertices are measured in each.
    pelti_mix_sample(inout, inout->options->max_frames > 0 ? UINT32_MAX : MOST_PAIRS, LEAST_FRAMES);
    if (!find_common(inout, d.trial))
    {
        return PELT_ERROR_CANCELED;
    }
    // A difference of 1 over the mean distance to the bone counts as much as the whole way from LBS
    // to DQS.
    inout->gradient_weight = inout->area > 0.0 ? inout->smoothness_weight * inout->spread *
                                                     inout->reach * inout->reach / inout->area
                                               : 0.0;
    double energy, gradient;
    start(&d, &energy, &gradient);
    while (inout->active_count > 0 && report->step_count < STEP_COUNT)
    {
        double before = energy + gradient;
        assemble(&d);
        minimize(&d);
        bool is_lower = take_step(&d, &energy, &gradient);
        report->step_count += is_lower;
        if (!pelti_mix_tell(inout, 0.4f + 0.6f * (float)report->step_count / STEP_COUNT))
        {
            return PELT_ERROR_CANCELED;
        }
        if (is_lower && energy + gradient < (1.0 - least_gain) * before)
        {
            continue;
        }
        // Where the best common factor bulges too much, bounds cost more energy than the descent
        // may save.
        if (energy < report->fixed_energy || !(inout->gradient_weight > 0.0))
        {
            break;
        }
        inout->gradient_weight = gradient > 1e-3 * energy ? 0.1 * inout->gradient_weight : 0.0;
        gradient = measure_gradient(&d, inout->factors);
        energy = is_lower ? energy : pelti_mix_measure(inout, inout->factors, true);
    }
    report->energy = energy;
    report->smoothness = gradient;
    return PELT_OK;
}

// =============================================================================================
// The least factor with which a vertex does not bulge too much.

static const double longest_step = 1.0 / 16.0;
static const double shortest_step = 1.0 / 1024.0;

// Whether all points from a to b are near enough to the bones of a group. The distance to one bone
// is a convex function along a line, so its ends decide.
static bool is_near(const pelt_body* body, uint32_t group, pelti_double3 a, pelti_double3 b,
                    const pelti_segment* segments, double limit)
{
    return pelti_bone_reach(body, group, a, b, segments) <= limit;
}

double pelti_mix_bound(const pelt_body* body, uint32_t group, pelti_double3 lbs, pelti_double3 dqs,
                       const pelti_segment* segments, double limit, double lower)
{
    pelti_double3 difference = pelti_double3_sub(dqs, lbs);
    // The worst vertex of all may keep its distance.
    limit = fmax(limit, pelti_bone_distance(body, group, dqs, segments));
    if (is_near(body, group, pelti_double3_mad(lbs, lower, difference), dqs, segments, limit))
    {
        return lower;
    }
    double factor = 1.0;
    for (double step = longest_step; step >= shortest_step && factor > lower;)
    {
        double next = fmax(factor - step, lower);
        bool is_free = is_near(body, group, pelti_double3_mad(lbs, next, difference),
                               pelti_double3_mad(lbs, factor, difference), segments, limit);
        factor = is_free ? next : factor;
        step = is_free ? step : 0.5 * step;
    }
    return factor;
}
