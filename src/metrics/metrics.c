// SPDX-License-Identifier: MIT
// Measures of meshes and of the difference between two versions of one.
#include "../base/exact.h"

#include "../../include/pelt/metrics.h"
#include "../base/double3.h"

static pelti_double3 difference(pelt_vec3 a, pelt_vec3 b)
{
    return pelti_double3_sub(pelti_double3_from(a), pelti_double3_from(b));
}

pelt_difference pelt_positions_compare(const pelt_vec3* a, const pelt_vec3* b, uint32_t count)
{
    pelt_difference d = {.worst_vertex = PELT_NONE};
    double sum = 0.0, sum_of_squares = 0.0;
    for (uint32_t v = 0; v < count; ++v)
    {
        pelti_double3 apart = difference(a[v], b[v]);
        double square = pelti_double3_dot(apart, apart);
        double distance = sqrt(square);
        sum += distance;
        sum_of_squares += square;
        // The first NaN is the worst, and stays it.
        if (d.worst_vertex == PELT_NONE || (!isnan(d.max) && !(distance <= d.max)))
        {
            d.max = distance;
            d.worst_vertex = v;
        }
    }
    if (count > 0)
    {
        d.mean = sum / count;
        d.rms = sqrt(sum_of_squares / count);
    }
    return d;
}

double pelt_mesh_volume(const pelt_vec3* positions, const uint32_t* indices, uint32_t index_count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i + 2 < index_count; i += 3)
    {
        // Any origin gives the same volume; one on the mesh keeps the terms small.
        pelt_vec3 origin = positions[indices[0]];
        pelti_double3 a = difference(positions[indices[i]], origin);
        pelti_double3 b = difference(positions[indices[i + 1]], origin);
        pelti_double3 c = difference(positions[indices[i + 2]], origin);
        sum += pelti_double3_dot(a, pelti_double3_cross(b, c));
    }
    return sum / 6.0;
}

double pelt_mesh_area(const pelt_vec3* positions, const uint32_t* indices, uint32_t index_count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i + 2 < index_count; i += 3)
    {
        pelt_vec3 a = positions[indices[i]];
        pelti_double3 n = pelti_double3_cross(difference(positions[indices[i + 1]], a),
                                              difference(positions[indices[i + 2]], a));
        sum += 0.5 * pelti_double3_length(n);
    }
    return sum;
}
