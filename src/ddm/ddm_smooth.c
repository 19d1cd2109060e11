// SPDX-License-Identifier: MIT
// Implicit smoothing without a factorization. The mean over neighbors P is similar to a symmetric
// matrix with eigenvalues from -1 to 1, so that a function of it is a sum of Chebyshev polynomials
// T_k(P), whose coefficients fall faster than those of any series. T_k reaches k edges far, so a
// joint costs no more than the part of the surface around it.
#include "../base/exact.h"

#include "ddm_smooth.h"

#include <math.h>
#include <string.h>

enum
{
    LEAST_SAMPLES = 64,
    MOST_SAMPLES = 8192,
    PARTS = PELTI_DDM_SUMS - 1, // moments of a point
};

// The sum of the terms that are left out, relative to one.
static const double tolerance = 1e-10;

// ---------------------------------------------------------------------------------------------
// The series

// Functions of the C library differ in the last bit from system to system; square roots, products
// and sums do not.
static double power(double x, uint32_t exponent)
{
    double out = 1.0;
    for (; exponent > 0; exponent /= 2)
    {
        out *= exponent % 2 == 1 ? x : 1.0;
        x *= x;
    }
    return out;
}

// Cosine and sine of i / sample_count quarter turns, by half angles for powers of two and by sums
// of angles for all others.
// @param cosines, sines  4 * sample_count each
// @param sample_count    a power of two
static void fill_circle(double* cosines, double* sines, uint32_t sample_count)
{
    double c = 0.0, s = 1.0;
    cosines[0] = 1.0;
    sines[0] = 0.0;
    cosines[2 * sample_count] = -1.0;
    sines[2 * sample_count] = 0.0;
    for (uint32_t i = sample_count; i > 0; i /= 2)
    {
        cosines[i] = c;
        sines[i] = s;
        c = sqrt(0.5 * (1.0 + c));
        s = s / (2.0 * c);
    }
    for (uint32_t bit = 2; bit < 4 * sample_count; bit *= 2)
    {
        for (uint32_t i = 1; i < bit; ++i)
        {
            cosines[bit + i] = cosines[bit] * cosines[i] - sines[bit] * sines[i];
            sines[bit + i] = sines[bit] * cosines[i] + cosines[bit] * sines[i];
        }
    }
}

// Coefficients of f(x) = (1 + rate - rate x)^-iterations by its values at Chebyshev nodes.
// @param terms   sample_count / 2
// @param values  sample_count, written
// @param cosines 8 * sample_count, written
static void expand(double* terms, double* values, double* cosines, uint32_t sample_count,
                   double rate, uint32_t iterations)
{
    fill_circle(cosines, cosines + 4 * (size_t)sample_count, sample_count);
    for (uint32_t i = 0; i < sample_count; ++i)
    {
        values[i] = 1.0 / power(1.0 + rate - rate * cosines[2 * i + 1], iterations);
    }
    for (uint32_t k = 0; k < sample_count / 2; ++k)
    {
        double sum = 0.0;
        for (uint32_t i = 0; i < sample_count; ++i)
        {
            sum += values[i] * cosines[(uint64_t)k * (2 * i + 1) % (4 * sample_count)];
        }
        terms[k] = sum * (k == 0 ? 1.0 : 2.0) / sample_count;
    }
}

// How many terms are needed.
static uint32_t count_terms(const double* terms, uint32_t count)
{
    double rest = 0.0;
    while (count > 1 && rest + fabs(terms[count - 1]) < tolerance)
    {
        rest += fabs(terms[--count]);
    }
    return count;
}

bool pelti_ddm_series_create(pelti_ddm_series* out, double rate, uint32_t iterations,
                             pelt_arena* scratch)
{
    *out = (pelti_ddm_series){0};
    for (uint32_t sample_count = LEAST_SAMPLES; sample_count <= MOST_SAMPLES; sample_count *= 2)
    {
        double* terms = pelt_arena_alloc(scratch, sample_count / 2, sizeof *terms);
        double* values = pelt_arena_alloc(scratch, sample_count, sizeof *values);
        double* cosines = pelt_arena_alloc(scratch, 8 * (size_t)sample_count, sizeof *cosines);
        if (terms == NULL || values == NULL || cosines == NULL)
        {
            return false;
        }
        expand(terms, values, cosines, sample_count, rate, iterations);
        *out = (pelti_ddm_series){count_terms(terms, sample_count / 2), terms};
        if (out->count <= sample_count / 4)
        {
            break;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The part of the surface around a joint

// Points in rings: ring 0 are those that the joint influences, ring k is k edges away from them.
typedef struct patch
{
    uint32_t ring_count;
    uint32_t* ring_ends; // ring_count: number of points up to each ring
    uint32_t count;
    uint32_t* points;
    uint32_t* first;     // count + 1
    uint32_t* neighbors; // places in `points`; those beyond the last ring are left out
    double* scales;      // 1 / number of neighbors, of those beyond the last ring too
} patch;

static void destroy_patch(patch* p)
{
    pelt_release(p->ring_ends);
    pelt_release(p->points);
    pelt_release(p->first);
    pelt_release(p->neighbors);
    pelt_release(p->scales);
    *p = (patch){0};
}

// @param places  of each point: place + 1, or 0; all 0 before
// @return the number of neighbors of all points
static size_t gather_rings(patch* inout, const pelti_ddm_surface* s, uint32_t joint,
                           uint32_t* places)
{
    size_t neighbor_count = 0;
    for (uint32_t i = s->column_first[joint]; i < s->column_first[joint + 1]; ++i)
    {
        inout->points[inout->count++] = s->rows[i];
        places[s->rows[i]] = inout->count;
    }
    for (uint32_t ring = 0, begin = 0; ring < inout->ring_count; ++ring)
    {
        uint32_t end = inout->ring_ends[ring] = inout->count;
        for (uint32_t i = begin; i < end; ++i)
        {
            uint32_t point = inout->points[i];
            neighbor_count += s->first[point + 1] - s->first[point];
            for (uint32_t k = s->first[point];
                 k < s->first[point + 1] && ring + 1 < inout->ring_count; ++k)
            {
                uint32_t other = s->neighbors[k];
                if (places[other] == 0)
                {
                    inout->points[inout->count++] = other;
                    places[other] = inout->count;
                }
            }
        }
        begin = end;
    }
    return neighbor_count;
}

static bool create_patch(patch* out, const pelti_ddm_surface* s, uint32_t joint,
                         uint32_t ring_count)
{
    *out = (patch){.ring_count = ring_count,
                   .ring_ends = pelt_allocate(ring_count, sizeof *out->ring_ends),
                   .points = pelt_allocate((size_t)s->point_count + 1, sizeof *out->points)};
    uint32_t* places = pelt_allocate((size_t)s->point_count + 1, sizeof *places);
    bool is_ok = out->ring_ends != NULL && out->points != NULL && places != NULL;
    if (is_ok)
    {
        memset(places, 0, s->point_count * sizeof *places);
        size_t neighbor_count = gather_rings(out, s, joint, places);
        out->first = pelt_allocate((size_t)out->count + 1, sizeof *out->first);
        out->neighbors = pelt_allocate(neighbor_count + 1, sizeof *out->neighbors);
        out->scales = pelt_allocate((size_t)out->count + 1, sizeof *out->scales);
        is_ok = out->first != NULL && out->neighbors != NULL && out->scales != NULL;
    }
    for (uint32_t i = 0, to = 0; i < out->count && is_ok; ++i)
    {
        uint32_t point = out->points[i];
        out->first[i] = to;
        for (uint32_t k = s->first[point]; k < s->first[point + 1]; ++k)
        {
            uint32_t place = places[s->neighbors[k]];
            if (place != 0)
            {
                out->neighbors[to++] = place - 1;
            }
        }
        uint32_t degree = s->first[point + 1] - s->first[point];
        out->scales[i] = degree > 0 ? 1.0 / degree : 0.0;
        out->first[i + 1] = to;
    }
    pelt_release(places);
    return is_ok;
}

// ---------------------------------------------------------------------------------------------
// Smoothing

typedef struct smoother
{
    patch patch;
    double (*before)[PARTS]; // T_k-1 of the moments
    double (*now)[PARTS];    // T_k
    double (*sums)[PELTI_DDM_SUMS];
} smoother;

static void set_moments(smoother* inout, const pelti_ddm_surface* s, uint32_t joint)
{
    for (uint32_t i = 0; i < inout->patch.ring_ends[0]; ++i)
    {
        double w = s->weights[s->column_first[joint] + i];
        pelti_double3 x = s->positions[inout->patch.points[i]];
        double moments[PARTS] = {x.x,       x.y,       x.z,       x.x * x.x, x.x * x.y,
                                 x.x * x.z, x.y * x.y, x.y * x.z, x.z * x.z, 1.0};
        for (int k = 0; k < PARTS; ++k)
        {
            inout->now[i][k] = w * moments[k];
        }
    }
}

static void add_term(smoother* inout, uint32_t count, double moment, double weight)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        for (int k = 0; k < PARTS; ++k)
        {
            inout->sums[i][k] += moment * inout->now[i][k];
        }
        inout->sums[i][PARTS] += weight * inout->now[i][PARTS - 1];
    }
}

// T_k = 2 P T_k-1 - T_k-2, and T_1 = P T_0.
static void advance(smoother* inout, uint32_t count, double factor)
{
    const patch* p = &inout->patch;
    for (uint32_t i = 0; i < count; ++i)
    {
        double mean[PARTS] = {0.0};
        for (uint32_t n = p->first[i]; n < p->first[i + 1]; ++n)
        {
            const double* other = inout->now[p->neighbors[n]];
            for (int k = 0; k < PARTS; ++k)
            {
                mean[k] += other[k];
            }
        }
        bool is_alone = p->scales[i] == 0.0;
        double scale = factor * (is_alone ? 1.0 : p->scales[i]);
        const double* from = is_alone ? inout->now[i] : mean;
        for (int k = 0; k < PARTS; ++k)
        {
            inout->before[i][k] = scale * from[k] - (factor - 1.0) * inout->before[i][k];
        }
    }
    double(*next)[PARTS] = inout->before;
    inout->before = inout->now;
    inout->now = next;
}

static bool collect(pelti_ddm_column* out, const smoother* s, double min_weight)
{
    uint32_t count = 0;
    min_weight = fmax(min_weight, 10.0 * tolerance);
    for (uint32_t i = 0; i < s->patch.count; ++i)
    {
        count += s->sums[i][PARTS - 1] >= min_weight;
    }
    out->entries = pelt_allocate((size_t)count + 1, sizeof *out->entries);
    for (uint32_t i = 0; i < s->patch.count && out->entries != NULL; ++i)
    {
        if (s->sums[i][PARTS - 1] >= min_weight)
        {
            pelti_ddm_entry* entry = &out->entries[out->count++];
            entry->point = s->patch.points[i];
            memcpy(entry->sums, s->sums[i], sizeof entry->sums);
        }
    }
    return out->entries != NULL;
}

bool pelti_ddm_smooth(pelti_ddm_column* out, const pelti_ddm_surface* surface, uint32_t joint,
                      const pelti_ddm_series* moments, const pelti_ddm_series* weights,
                      double min_weight)
{
    *out = (pelti_ddm_column){0};
    uint32_t count = moments->count > weights->count ? moments->count : weights->count;
    smoother s = {0};
    bool is_ok = create_patch(&s.patch, surface, joint, count);
    size_t room = (size_t)s.patch.count + 1;
    s.before = is_ok ? pelt_allocate(room, sizeof *s.before) : NULL;
    s.now = is_ok ? pelt_allocate(room, sizeof *s.now) : NULL;
    s.sums = is_ok ? pelt_allocate(room, sizeof *s.sums) : NULL;
    is_ok = s.before != NULL && s.now != NULL && s.sums != NULL;
    if (is_ok)
    {
        memset(s.before, 0, room * sizeof *s.before);
        memset(s.now, 0, room * sizeof *s.now);
        memset(s.sums, 0, room * sizeof *s.sums);
        set_moments(&s, surface, joint);
    }
    for (uint32_t k = 0; k < count && is_ok; ++k)
    {
        uint32_t reached = s.patch.ring_ends[k];
        if (k > 0)
        {
            advance(&s, reached, k == 1 ? 1.0 : 2.0);
        }
        add_term(&s, reached, k < moments->count ? moments->terms[k] : 0.0,
                 k < weights->count ? weights->terms[k] : 0.0);
    }
    is_ok = is_ok && collect(out, &s, min_weight);
    pelt_release(s.before);
    pelt_release(s.now);
    pelt_release(s.sums);
    destroy_patch(&s.patch);
    return is_ok;
}
