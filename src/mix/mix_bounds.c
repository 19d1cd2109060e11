// SPDX-License-Identifier: MIT
// The least factor with which a vertex does not bulge too much.
#include "../base/exact.h"

#include "mix.h"

#include <math.h>

static const double longest_step = 1.0 / 16.0;
static const double shortest_step = 1.0 / 1024.0;

// Whether all points from a to b are near enough to the bones of a group. The distance to one bone
// is a convex function along a line, so its ends tell.
static bool is_near(const pelt_body* body, uint32_t group, pelti_double3 a, pelti_double3 b,
                    const pelti_segment* segments, double limit)
{
    return pelti_bone_reach(body, group, a, b, segments) <= limit;
}

double pelti_mix_bound(const pelt_body* body, uint32_t group, pelti_double3 lbs, pelti_double3 dqs,
                       const pelti_segment* segments, double limit, double lower)
{
    pelti_double3 way = pelti_double3_sub(dqs, lbs);
    // The worst vertex of all may be as far as it is.
    limit = fmax(limit, pelti_bone_distance(body, group, dqs, segments));
    if (is_near(body, group, pelti_double3_mad(lbs, lower, way), dqs, segments, limit))
    {
        return lower;
    }
    double factor = 1.0;
    for (double step = longest_step; step >= shortest_step && factor > lower;)
    {
        double next = fmax(factor - step, lower);
        bool is_free = is_near(body, group, pelti_double3_mad(lbs, next, way),
                               pelti_double3_mad(lbs, factor, way), segments, limit);
        factor = is_free ? next : factor;
        step = is_free ? step : 0.5 * step;
    }
    return factor;
}
