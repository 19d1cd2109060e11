// SPDX-License-Identifier: MIT
// Samples of a measurement, whether two of them differ by more than chance, and growth laws.
#include "statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

sample_summary sample_summarize(const double* values, uint32_t count)
{
    sample_summary out = {.count = count};
    double sum = 0.0, squares = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += values[i];
    }
    out.mean = count > 0 ? sum / count : (double)NAN;
    // About the mean in a second pass: squares of large values would cancel.
    for (uint32_t i = 0; i < count; ++i)
    {
        squares += (values[i] - out.mean) * (values[i] - out.mean);
    }
    out.deviation = count > 1 ? sqrt(squares / (count - 1)) : 0.0;
    return out;
}

static int compare_numbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

double sample_percentile(double* values, uint32_t count, double part)
{
    if (count == 0)
    {
        return (double)NAN;
    }
    qsort(values, count, sizeof *values, compare_numbers);
    double position = part * (count - 1);
    uint32_t below = (uint32_t)floor(position);
    uint32_t above = below + 1 < count ? below + 1 : below;
    return values[below] + (position - below) * (values[above] - values[below]);
}

// The continued fraction of I_x(a, b) without its factor, by the method of Lentz: Press et al.,
// "Numerical Recipes in C", 2nd edition, section 6.4. Converges fast for x < (a + 1) / (a + b + 2).
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300, enough = 1e-16;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double out = d;
    for (int m = 1; m <= 10000; ++m)
    {
        double even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0));
        double step = 1.0;
        for (int i = 0; i < 2; ++i)
        {
            double term = i == 0 ? even : odd;
            d = 1.0 + term * d;
            d = 1.0 / (fabs(d) < tiny ? tiny : d);
            c = 1.0 + term / c;
            c = fabs(c) < tiny ? tiny : c;
            step = c * d;
            out *= step;
        }
        if (fabs(step - 1.0) < enough)
        {
            break;
        }
    }
    return out;
}

double incomplete_beta(double a, double b, double x)
{
    if (!(x > 0.0 && x < 1.0))
    {
        return x >= 1.0 ? 1.0 : x <= 0.0 ? 0.0 : x;
    }
    double factor = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1.0) / (a + b + 2.0))
    {
        return factor * beta_fraction(a, b, x) / a;
    }
    return 1.0 - factor * beta_fraction(b, a, 1.0 - x) / b;
}

double student_two_tailed(double t, double freedom)
{
    return incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + t * t));
}

welch_test welch_compare(const sample_summary* a, const sample_summary* b)
{
    welch_test out = {(double)NAN, (double)NAN, (double)NAN};
    if (a->count < 2 || b->count < 2)
    {
        return out;
    }
    // Variances of the means.
    double u = a->deviation * a->deviation / a->count;
    double v = b->deviation * b->deviation / b->count;
    if (!(u + v > 0.0))
    {
        return out;
    }
    out.t = (a->mean - b->mean) / sqrt(u + v);
    out.freedom = (u + v) * (u + v) / (u * u / (a->count - 1) + v * v / (b->count - 1));
    out.p = student_two_tailed(out.t, out.freedom);
    return out;
}

// ---------------------------------------------------------------------------------------------
// Growth

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
