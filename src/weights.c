// SPDX-License-Identifier: MIT
// Import of weights: from whatever a file holds to packed, sorted, normalised influences.
#include "exact.h"

#include "../include/pelt/pelt.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_JOINTS = UINT16_MAX + 1
};

static pelt_range raw_range(const pelt_weights_source* source, uint32_t v)
{
    if (source->first == NULL)
    {
        return (pelt_range){v * source->stride, source->stride};
    }
    return (pelt_range){source->first[v], source->first[v + 1] - source->first[v]};
}

// Copy the usable influences of vertex v; count what is wrong with the others.
static uint32_t collect(pelt_influence* out, pelt_weights_report* report,
                        const pelt_weights_source* source, uint32_t v)
{
    pelt_range range = raw_range(source, v);
    bool has_negative = false, has_not_finite = false, has_out_of_range = false;
    uint32_t count = 0;

    for (uint32_t i = 0; i < range.count; ++i)
    {
        float weight = source->weights[range.first + i];
        uint32_t joint = source->joints[range.first + i];
        if (weight == 0.0f)
        {
            continue;
        }
        has_not_finite |= !isfinite(weight);
        has_negative |= weight < 0.0f && isfinite(weight);
        if (!isfinite(weight) || weight < 0.0f)
        {
            continue;
        }
        if (joint >= source->joint_count)
        {
            has_out_of_range = true;
            continue;
        }
        uint16_t slot = (uint16_t)(i < UINT16_MAX ? i : UINT16_MAX);
        out[count++] = (pelt_influence){(uint16_t)joint, slot, weight};
    }
    report->negative += has_negative;
    report->not_finite += has_not_finite;
    report->out_of_range += has_out_of_range;
    return count;
}

// Ascending joint; equal joints by weight, so that their sum does not depend on the order given.
static int by_joint(const void* a, const void* b)
{
    const pelt_influence *x = a, *y = b;
    if (x->joint != y->joint)
    {
        return x->joint < y->joint ? -1 : 1;
    }
    return (x->weight < y->weight) - (x->weight > y->weight);
}

static int by_strength(const void* a, const void* b)
{
    const pelt_influence *x = a, *y = b;
    if (x->weight != y->weight)
    {
        return x->weight > y->weight ? -1 : 1;
    }
    return (x->joint > y->joint) - (x->joint < y->joint);
}

static uint32_t merge_duplicates(pelt_influence* inf, uint32_t count, pelt_weights_report* report)
{
    qsort(inf, count, sizeof *inf, by_joint);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (kept > 0 && inf[kept - 1].joint == inf[i].joint)
        {
            pelt_influence* same = &inf[kept - 1];
            same->weight += inf[i].weight;
            same->slot = same->slot < inf[i].slot ? same->slot : inf[i].slot;
            continue;
        }
        inf[kept++] = inf[i];
    }
    report->duplicate += kept < count;
    return kept;
}

static void note_sum(pelt_weights_report* report, double sum)
{
    if (fabs(sum - 1.0) <= 1e-3)
    {
        return;
    }
    if (report->unnormalized == 0 || fabs(sum - 1.0) > fabs((double)report->worst_sum - 1.0))
    {
        report->worst_sum = (float)sum;
    }
    report->unnormalized++;
}

static double sum_of(const pelt_influence* inf, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += (double)inf[i].weight;
    }
    return sum;
}

// Weights times a power of two that brings the largest into [1, 2), so that sums neither overflow
// nor lose digits: weights that are normalised are never made smaller, and the tiniest of them keep
// their last bit. Returns the exponent that takes them back.
static int scale_to_unit(pelt_influence* inf, uint32_t count)
{
    int exponent = INT_MIN;
    for (uint32_t i = 0; i < count; ++i)
    {
        int e = ilogbf(inf[i].weight);
        exponent = e > exponent ? e : exponent;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        inf[i].weight = ldexpf(inf[i].weight, -exponent);
    }
    return exponent;
}

// Divide by the sum, and drop what that brings below the normal range of float. A sum that is one
// up to rounding is left alone: what was imported once comes back the same.
static uint32_t normalize(pelt_influence* inf, uint32_t count, int exponent)
{
    double sum = sum_of(inf, count);
    bool is_one = fabs(ldexp(sum, exponent) - 1.0) <= count * (double)FLT_EPSILON;
    double divisor = is_one ? ldexp(1.0, -exponent) : sum;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        inf[i].weight = (float)((double)inf[i].weight / divisor);
        kept += inf[i].weight >= FLT_MIN;
    }
    return kept;
}

static uint32_t import_vertex(pelt_influence* out, pelt_weights_report* report,
                              const pelt_weights_source* source, uint32_t v)
{
    uint32_t count = collect(out, report, source, v);
    if (count == 0)
    {
        report->without_weight++;
        return 0;
    }
    int exponent = scale_to_unit(out, count);
    count = merge_duplicates(out, count, report);
    qsort(out, count, sizeof *out, by_strength);
    note_sum(report, ldexp(sum_of(out, count), exponent));
    if (source->max_influences > 0 && count > source->max_influences)
    {
        report->pruned++;
        count = source->max_influences;
    }
    count = normalize(out, count, exponent);
    // Division may have rounded two weights to the same float; those go by joint.
    qsort(out, count, sizeof *out, by_strength);
    return count;
}

static size_t raw_count(const pelt_weights_source* source)
{
    return source->first ? source->first[source->vertex_count]
                         : (size_t)source->vertex_count * source->stride;
}

pelt_result pelt_weights_import(pelt_weights* out, pelt_weights_report* report,
                                const pelt_weights_source* source, pelt_arena* arena)
{
    PELT_ASSERT(source->joint_count <= MAX_JOINTS);
    PELT_ASSERT(raw_count(source) <= UINT32_MAX);

    pelt_weights_report found = {.worst_sum = 1.0f};
    *out = (pelt_weights){.vertex_count = source->vertex_count, .joint_count = source->joint_count};

    uint32_t* first = pelt_arena_alloc(arena, (size_t)source->vertex_count + 1, sizeof *first);
    pelt_influence* packed = pelt_allocate(raw_count(source), sizeof *packed);
    if (first == NULL || packed == NULL)
    {
        pelt_release(packed);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < source->vertex_count; ++v)
    {
        uint32_t count = import_vertex(packed + first[v], &found, source, v);
        first[v + 1] = first[v] + count;
        out->max_influences = count > out->max_influences ? count : out->max_influences;
    }

    out->influence_count = first[source->vertex_count];
    pelt_influence* influences = pelt_arena_alloc(arena, out->influence_count, sizeof *influences);
    if (influences != NULL)
    {
        memcpy(influences, packed, out->influence_count * sizeof *influences);
        out->first = first;
        out->influences = influences;
    }
    pelt_release(packed);
    if (report != NULL)
    {
        *report = found;
    }
    return influences ? PELT_OK : PELT_ERROR_MEMORY;
}
