// SPDX-License-Identifier: MIT
// How time grows with size.
#include "growth.h"

#include <math.h>
#include <stdbool.h>

static bool has_logarithm(double value)
{
    return isfinite(value) && value > 0.0;
}

double growth_exponent(const double* sizes, const double* seconds, uint32_t count)
{
    // Sums over x - x0 and y - y0 instead of x and y: far from the origin they would cancel.
    double n = 0.0, x0 = 0.0, y0 = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (has_logarithm(sizes[i]) && has_logarithm(seconds[i]))
        {
            x0 = n == 0.0 ? log(sizes[i]) : x0;
            y0 = n == 0.0 ? log(seconds[i]) : y0;
            double x = log(sizes[i]) - x0, y = log(seconds[i]) - y0;
            n += 1.0;
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
        }
    }
    double spread = n * sxx - sx * sx;
    return spread > 0.0 ? (n * sxy - sx * sy) / spread : (double)NAN;
}
