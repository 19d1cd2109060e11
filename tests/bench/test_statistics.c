// SPDX-License-Identifier: MIT
// Samples and the t-test, against closed forms, tables and published examples.
#include "statistics.h"
#include "test.h"

static const double pi = 3.14159265358979323846;

static int mean_and_deviation_are_those_of_a_textbook(void)
{
    // Squares about 5 add up to 32, over seven degrees of freedom.
    const double values[8] = {2, 4, 4, 4, 5, 5, 7, 9};
    sample_summary all = sample_summarize(values, 8), one = sample_summarize(values, 1);
    ENSURE(all.count == 8 && one.count == 1);
    ENSURE_NEAR(all.mean, 5.0, 1e-15);
    ENSURE_NEAR(all.deviation, sqrt(32.0 / 7.0), 1e-15);
    ENSURE(one.mean == 2.0 && one.deviation == 0.0);
    return 0;
}

static int a_large_offset_does_not_change_the_deviation(void)
{
    const double values[3] = {1e9, 1e9 + 1, 1e9 + 2};
    ENSURE_NEAR(sample_summarize(values, 3).deviation, 1.0, 1e-12);
    return 0;
}

static int percentiles_are_between_the_sorted_values(void)
{
    double values[4] = {40, 10, 30, 20}, one[1] = {7};
    ENSURE_NEAR(sample_percentile(values, 4, 0.0), 10.0, 0.0);
    ENSURE_NEAR(sample_percentile(values, 4, 1.0), 40.0, 0.0);
    ENSURE_NEAR(sample_percentile(values, 4, 0.5), 25.0, 1e-12);
    ENSURE_NEAR(sample_percentile(values, 4, 0.9), 37.0, 1e-12);
    ENSURE(sample_percentile(one, 1, 0.95) == 7.0);
    ENSURE(isnan(sample_percentile(one, 0, 0.5)));
    return 0;
}

// I_x(a, 1) = x^a, I_x(1, b) = 1 - (1 - x)^b, I_x(1/2, 1/2) = 2 asin(sqrt(x)) / pi. Logarithms of
// gamma are good to some 1e-15 of their size, here below 10.
static int the_beta_function_has_its_closed_forms(void)
{
    for (int i = 1; i < 20; ++i)
    {
        double x = i / 20.0;
        for (int k = 1; k <= 12; ++k)
        {
            double a = 0.5 * k;
            ENSURE_NEAR(incomplete_beta(a, 1.0, x), pow(x, a), 1e-13);
            ENSURE_NEAR(incomplete_beta(1.0, a, x), 1.0 - pow(1.0 - x, a), 1e-13);
            ENSURE_NEAR(incomplete_beta(a, 2.5, x), 1.0 - incomplete_beta(2.5, a, 1.0 - x), 1e-13);
        }
        ENSURE_NEAR(incomplete_beta(0.5, 0.5, x), 2.0 * asin(sqrt(x)) / pi, 1e-13);
    }
    ENSURE(incomplete_beta(3.0, 4.0, 0.0) == 0.0 && incomplete_beta(3.0, 4.0, 1.0) == 1.0);
    return 0;
}

// With one degree of freedom the distribution is Cauchy's; with two and four it is algebraic.
static int students_distribution_has_its_closed_forms(void)
{
    for (int i = 0; i <= 40; ++i)
    {
        double t = 0.25 * i, s = t / sqrt(t * t + 4.0);
        ENSURE_NEAR(student_two_tailed(t, 1.0), 1.0 - 2.0 * atan(t) / pi, 1e-13);
        ENSURE_NEAR(student_two_tailed(t, 2.0), 1.0 - t / sqrt(t * t + 2.0), 1e-13);
        ENSURE_NEAR(student_two_tailed(t, 4.0), 1.0 - 1.5 * s + 0.5 * s * s * s, 1e-13);
        ENSURE(student_two_tailed(-t, 7.0) == student_two_tailed(t, 7.0));
    }
    return 0;
}

// Critical values as every textbook prints them, to three decimals: half of the last one, times
// the density there.
static int critical_values_are_those_of_the_tables(void)
{
    static const double rows[][3] = {{5, 2.571, 0.05},   {10, 2.228, 0.05}, {30, 2.042, 0.05},
                                     {120, 1.980, 0.05}, {10, 3.169, 0.01}, {20, 2.845, 0.01},
                                     {60, 2.660, 0.01},  {10, 4.587, 0.001}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    {
        ENSURE_NEAR(student_two_tailed(rows[i][1], rows[i][0]), rows[i][2], 1e-4);
    }
    return 0;
}

// Two samples of equal size, means and variances done by hand: 3 and 6, 2.5 each; t = -3 / 1,
// freedom 2 (n - 1) = 8, where 3.355 is the critical value of 1 % and 2.896 that of 2 %.
static int equal_variances_give_the_freedom_of_students_test(void)
{
    const double a[5] = {1, 2, 3, 4, 5}, b[5] = {4, 5, 6, 7, 8};
    sample_summary x = sample_summarize(a, 5), y = sample_summarize(b, 5);
    welch_test test = welch_compare(&x, &y);
    ENSURE_NEAR(test.t, -3.0, 1e-12);
    ENSURE_NEAR(test.freedom, 8.0, 1e-12);
    ENSURE(test.p > 0.01 && test.p < 0.02);
    test = welch_compare(&x, &x);
    ENSURE(test.t == 0.0);
    ENSURE_NEAR(test.p, 1.0, 1e-12);
    return 0;
}

// The animation texture thesis (2021), Tables 11 and 14: means and variances have three digits
// there, so t is good to 1 %, and the logarithm of p, about t^2 / 2 of it, to a few times that.
static int the_tests_of_the_thesis_come_out_again(void)
{
    static const struct
    {
        sample_summary a, b;
        double t, freedom, p;
    } rows[] = {
        {{39, 1.44e6, 0}, {38, 6.49e5, 0}, 13.19, 52, 3.25e-18},
        {{43, 20012.14, 0}, {40, 15579.11, 0}, 6.89, 78, 1.25e-9},
    };
    static const double variances[2][2] = {{1.18e11, 2.20e10}, {1.08e7, 6.47e6}};
    for (int i = 0; i < 2; ++i)
    {
        sample_summary a = rows[i].a, b = rows[i].b;
        a.deviation = sqrt(variances[i][0]);
        b.deviation = sqrt(variances[i][1]);
        welch_test test = welch_compare(&a, &b);
        ENSURE_NEAR(test.t, rows[i].t, 0.01 * rows[i].t);
        // Spreadsheets round it to a whole number.
        ENSURE_NEAR(test.freedom, rows[i].freedom, 0.6);
        ENSURE_NEAR(log(test.p), log(rows[i].p), 0.02 * fabs(log(rows[i].p)));
        ENSURE_NEAR(log(student_two_tailed(rows[i].t, rows[i].freedom)), log(rows[i].p), 0.05);
    }
    return 0;
}

static int too_small_samples_have_no_test(void)
{
    const double same[3] = {2, 2, 2}, other[3] = {3, 3, 3};
    sample_summary one = sample_summarize(same, 1), flat = sample_summarize(same, 3);
    sample_summary flat_too = sample_summarize(other, 3);
    ENSURE(isnan(welch_compare(&one, &flat).p));
    ENSURE(isnan(welch_compare(&flat, &flat_too).p));
    return 0;
}

void test_statistics(void)
{
    RUN(mean_and_deviation_are_those_of_a_textbook);
    RUN(a_large_offset_does_not_change_the_deviation);
    RUN(percentiles_are_between_the_sorted_values);
    RUN(the_beta_function_has_its_closed_forms);
    RUN(students_distribution_has_its_closed_forms);
    RUN(critical_values_are_those_of_the_tables);
    RUN(equal_variances_give_the_freedom_of_students_test);
    RUN(the_tests_of_the_thesis_come_out_again);
    RUN(too_small_samples_have_no_test);
}
