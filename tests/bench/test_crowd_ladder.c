// SPDX-License-Identifier: MIT
// The choice of instance counts, against machines whose frame time is a formula.
#include "crowd/crowd_curve.h"
#include "test.h"

enum
{
    MOST = 200
};

typedef struct climb
{
    uint32_t sample_count, kept_count;
    double counts[MOST], times[MOST];
} climb;

// A machine with a fixed cost and one of each instance, both in milliseconds; noise is added to
// every other sample.
static climb climb_machine(double fixed, double each, double noise, uint32_t max_instances)
{
    climb out = {0};
    crowd_ladder ladder = crowd_ladder_begin(1e-3, 2e-3, 36e-3, max_instances);
    while (!ladder.is_done && out.sample_count < MOST)
    {
        uint32_t count = ladder.count;
        double time = 1e-3 * (fixed + each * count + (out.sample_count % 2 ? noise : 0.0));
        out.sample_count++;
        if (crowd_ladder_step(&ladder, time))
        {
            out.counts[out.kept_count] = count;
            out.times[out.kept_count++] = time;
        }
    }
    return out;
}

// Whatever an instance costs: from 1 ms on to beyond the last breakpoint in steps of 1 to 2 ms,
// which makes 18 to 36 of them.
static int a_linear_machine_is_sampled_every_millisecond_or_two(void)
{
    static const double costs[] = {0.0005, 0.003, 0.01, 0.0371, 0.2, 0.77};
    for (int i = 0; i < 6; ++i)
    {
        climb c = climb_machine(0.3, costs[i], 0.0, 1u << 20);
        ENSURE(c.kept_count >= 18 && c.kept_count <= 38 && c.sample_count < 60);
        ENSURE(c.counts[0] == 1.0 && c.times[c.kept_count - 1] >= 36e-3);
        for (uint32_t k = 1; k < c.kept_count; ++k)
        {
            double step = c.times[k] - c.times[k - 1];
            bool is_single = c.counts[k] == c.counts[k - 1] + 1.0;
            ENSURE(c.counts[k] > c.counts[k - 1]);
            ENSURE(is_single || (step >= 1e-3 && step < 2e-3));
        }
    }
    return 0;
}

static int costly_instances_come_one_by_one(void)
{
    climb c = climb_machine(0.3, 9.0, 0.0, 1000);
    ENSURE(c.kept_count == 4 && c.sample_count == 4);
    for (uint32_t k = 0; k < 4; ++k)
    {
        ENSURE(c.counts[k] == k + 1.0);
    }
    return 0;
}

static int noise_does_not_keep_it_from_ending(void)
{
    static const double noises[] = {-1.5, -0.9, -0.6, 0.7, 1.4};
    for (int i = 0; i < 5; ++i)
    {
        climb c = climb_machine(0.3, 0.01, noises[i], 1u << 20);
        ENSURE(c.sample_count < MOST && c.kept_count >= 8);
    }
    return 0;
}

static int the_largest_crowd_ends_it(void)
{
    climb c = climb_machine(0.3, 1e-5, 0.0, 1000);
    ENSURE(c.counts[c.kept_count - 1] == 1000.0);
    return 0;
}

static int breakpoints_lie_on_the_line_between_samples(void)
{
    const double counts[4] = {1, 10, 30, 40}, times[4] = {2, 8, 12, 40};
    ENSURE_NEAR(crowd_breakpoint(counts, times, 4, 5.0), 5.5, 1e-12);
    ENSURE_NEAR(crowd_breakpoint(counts, times, 4, 8.0), 10.0, 1e-12);
    ENSURE_NEAR(crowd_breakpoint(counts, times, 4, 19.0), 32.5, 1e-12);
    ENSURE(isnan(crowd_breakpoint(counts, times, 4, 1.0)));
    ENSURE(isnan(crowd_breakpoint(counts, times, 4, 41.0)));
    ENSURE(isnan(crowd_breakpoint(counts, times, 0, 1.0)));
    return 0;
}

void test_crowd_ladder(void)
{
    RUN(a_linear_machine_is_sampled_every_millisecond_or_two);
    RUN(costly_instances_come_one_by_one);
    RUN(noise_does_not_keep_it_from_ending);
    RUN(the_largest_crowd_ends_it);
    RUN(breakpoints_lie_on_the_line_between_samples);
}
