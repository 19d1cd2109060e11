// SPDX-License-Identifier: MIT
// One metric over each region of a body.
#include "../base/exact.h"

#include "body.h"

#include <string.h>

enum
{
    BIN_COUNT = 1024, // of magnitudes, by exponent and two bits behind it
    BIN_SHIFT = 21,   // of the bits of a float, whose order is that of magnitudes
    BIN_LEAST = 512,  // magnitudes that are worth bins
};

static uint32_t bin_of(float magnitude)
{
    uint32_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    return (bits >> BIN_SHIFT) % BIN_COUNT;
}

// Keep the magnitudes of the one bin in which the weight of those up to it reaches *wanted, and
// take the weight of those below from *wanted. @return how many are left, in front
static uint32_t keep_bin(pelti_weighted* list, uint32_t count, double* wanted)
{
    double weights[BIN_COUNT] = {0.0};
    uint32_t last = 0, chosen = 0, kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t bin = bin_of(list[i].magnitude);
        weights[bin] += (double)list[i].weight;
        last = bin > last ? bin : last;
    }
    for (; chosen<last&& * wanted> weights[chosen]; ++chosen)
    {
        *wanted -= weights[chosen];
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        list[kept] = list[i];
        kept += bin_of(list[i].magnitude) == chosen;
    }
    return kept;
}

static void swap(pelti_weighted* a, pelti_weighted* b)
{
    pelti_weighted kept = *a;
    *a = *b;
    *b = kept;
}

// Three parts: below the pivot, equal to it, above it. Equal ones, of which there are many zeros,
// need no further division.
static pelt_range divide(pelti_weighted* list, uint32_t count, float pivot)
{
    uint32_t below = 0, above = count;
    for (uint32_t i = 0; i < above;)
    {
        if (list[i].magnitude < pivot)
        {
            swap(&list[below++], &list[i++]);
        }
        else if (list[i].magnitude > pivot)
        {
            swap(&list[--above], &list[i]);
        }
        else
        {
            ++i;
        }
    }
    return (pelt_range){below, above - below};
}

static double weight_of(const pelti_weighted* list, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += (double)list[i].weight;
    }
    return sum;
}

// The least magnitude such that the weight of those up to it is at least `wanted`. Changes the
// order.
static double select_magnitude(pelti_weighted* list, uint32_t count, double wanted)
{
    uint32_t random = 1;
    count = count < BIN_LEAST ? count : keep_bin(list, count, &wanted);
    while (count > 1)
    {
        // Anywhere: values go up and down along a surface, and fixed places would be the same part
        // of a slope again and again.
        random = 1664525u * random + 1013904223u;
        pelt_range equal = divide(list, count, list[(random >> 8) % count].magnitude);
        double below = weight_of(list, equal.first);
        double middle = weight_of(list + equal.first, equal.count);
        if (wanted <= below && equal.first > 0)
        {
            count = equal.first;
        }
        else if (wanted <= below + middle || equal.first + equal.count == count)
        {
            return (double)list[equal.first].magnitude;
        }
        else
        {
            wanted -= below + middle;
            count -= equal.first + equal.count;
            list += equal.first + equal.count;
        }
    }
    return count > 0 ? (double)list[0].magnitude : 0.0;
}

// @param vertices  of the region; NULL: all
static pelt_metric_summary summarize(pelt_body* body, const uint32_t* vertices, uint32_t count,
                                     double area)
{
    pelt_metric_summary out = {.min_vertex = PELT_NONE, .max_vertex = PELT_NONE};
    double weight = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t v = vertices != NULL ? vertices[i] : i;
        float value = body->vertex_values[v];
        // Where nothing has an area all vertices count alike.
        float share = area > 0.0 ? body->info.vertex_areas[v] : 1.0f;
        body->sorted[i] = (pelti_weighted){fabsf(value), share};
        weight += (double)share;
        // A vertex without a triangle has no area, and infinity times zero is no number.
        double part = share > 0.0f ? (double)share * (double)value : 0.0;
        out.mean += part;
        out.rms += share > 0.0f ? part * (double)value : 0.0;
        if (out.min_vertex == PELT_NONE || value < out.min)
        {
            out.min = value;
            out.min_vertex = v;
        }
        if (out.max_vertex == PELT_NONE || value > out.max)
        {
            out.max = value;
            out.max_vertex = v;
        }
    }
    if (weight > 0.0)
    {
        out.mean = pelti_number(out.mean / weight);
        out.rms = pelti_number(sqrt(out.rms / weight));
        out.percentile95 = select_magnitude(body->sorted, count, 0.95 * weight);
    }
    return out;
}

void pelti_summarize(pelt_pose_metrics* out, pelt_body* body, pelt_metric metric)
{
    const pelt_metric_region* regions = body->info.regions;
    out->regions[0].metrics[metric] =
        summarize(body, NULL, body->mesh.vertex_count, regions[0].area);
    for (uint32_t i = 1; i < out->region_count; ++i)
    {
        uint32_t first = body->first_in_region[i];
        out->regions[i].metrics[metric] =
            summarize(body, body->region_vertices + first, body->first_in_region[i + 1] - first,
                      regions[i].area);
    }
}
