// SPDX-License-Identifier: MIT
// Samples of a measurement, whether two of them differ by more than chance, and growth laws.
#ifndef PELT_STATISTICS_H
#define PELT_STATISTICS_H

#include <stdint.h>

typedef struct sample_summary
{
    uint32_t count;
    double mean;
    double deviation; ///< of the sample, with count - 1; 0 for fewer than two
} sample_summary;

sample_summary sample_summarize(const double* values, uint32_t count);

/// A quantile of the sample, with linear interpolation (Hyndman and Fan,
/// "Sample quantiles in statistical packages", 1996, definition 7).
/// @param values  sorted here
/// @param part    from 0 to 1; 0.5 is the median
/// @return NaN for an empty sample
double sample_percentile(double* values, uint32_t count, double part);

/// Welch's t-test of the hypothesis that two means are equal, variances unknown and not the same.
typedef struct welch_test
{
    double t;
    double freedom; ///< degrees of freedom, by Welch and Satterthwaite
    double p; ///< two-tailed: probability of such a difference, or a larger one, if means are equal
} welch_test;

/// NaN where a sample has fewer than two values, or both have no variance.
welch_test welch_compare(const sample_summary* a, const sample_summary* b);

/// The probability that the absolute value of a variable with Student's distribution is at least
/// |t|.
double student_two_tailed(double t, double freedom);

/// The regularized incomplete beta function I_x(a, b), with a, b > 0 and x from 0 to 1.
double incomplete_beta(double a, double b, double x);

/// The exponent e of the law time = c size^e that fits best: the slope of the least-squares line
/// through the logarithms. Pairs that are not finite and above 0 are left out.
/// @return NaN when fewer than two different sizes remain
double growth_exponent(const double* sizes, const double* seconds, uint32_t count);

#endif
