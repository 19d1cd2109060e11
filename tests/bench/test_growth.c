// SPDX-License-Identifier: MIT
// The fit of growth laws, against laws.
#include "statistics.h"
#include "test.h"

enum
{
    COUNT = 6
};

static const double sizes[COUNT] = {1000, 2601, 8435, 39158, 100000, 1000000};

// Logarithms are good to 1e-15 of about 14, and the slope divides by a spread of a few.
static int points_on_a_power_law_give_its_exponent(void)
{
    static const double exponents[4] = {0.0, 1.0, 1.5, 2.0};
    for (int e = 0; e < 4; ++e)
    {
        double seconds[COUNT];
        for (int i = 0; i < COUNT; ++i)
        {
            seconds[i] = 3e-7 * pow(sizes[i], exponents[e]);
        }
        ENSURE_NEAR(growth_exponent(sizes, seconds, COUNT), exponents[e], 1e-12);
        ENSURE_NEAR(growth_exponent(sizes + 4, seconds + 4, 2), exponents[e], 1e-12);
    }
    return 0;
}

// x = log10(size) = 0, 1, 2 and y = 0, 0, 3: the slope is sum(dx dy) / sum(dx dx) = 3 / 2.
static int other_points_give_the_least_squares_slope(void)
{
    const double x[3] = {1, 10, 100}, y[3] = {1, 1, 1000};
    ENSURE_NEAR(growth_exponent(x, y, 3), 1.5, 1e-12);
    return 0;
}

static int missing_times_are_left_out(void)
{
    const double x[5] = {10, 100, 1000, 10000, 100000};
    const double y[5] = {1, (double)NAN, 1e4, 0.0, (double)INFINITY};
    ENSURE_NEAR(growth_exponent(x, y, 5), 2.0, 1e-12);
    return 0;
}

static int one_size_has_no_exponent(void)
{
    const double x[3] = {5, 5, 5}, y[3] = {1, 2, 3};
    ENSURE(isnan(growth_exponent(x, y, 3)));
    ENSURE(isnan(growth_exponent(x, y, 1)));
    ENSURE(isnan(growth_exponent(x, y, 0)));
    return 0;
}

void test_growth(void)
{
    RUN(points_on_a_power_law_give_its_exponent);
    RUN(other_points_give_the_least_squares_slope);
    RUN(missing_times_are_left_out);
    RUN(one_size_has_no_exponent);
}
