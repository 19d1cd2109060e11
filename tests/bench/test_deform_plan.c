// SPDX-License-Identifier: MIT
// Which points the suite `deform` measures.
#include "deform/deform_plan.h"
#include "test.h"

#include <string.h>

static uint32_t count_points(const deform_plan* plan, bool (*is_one)(const deform_point* point))
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < deform_plan_size(plan); ++i)
    {
        deform_point point;
        count += deform_plan_point(&point, plan, i) && is_one(&point);
    }
    return count;
}

static bool is_any(const deform_point* point)
{
    return point != NULL;
}

// Everything as usual but for the method, the size and the threads.
static bool is_usual(const deform_point* point)
{
    return point->influences == DEFORM_OWN_INFLUENCES && point->order == PELT_ORDER_SORTED &&
           point->normals == PELT_NORMAL_STANDARD && point->isa == pelti_isa_get();
}

static bool is_away_from_the_center(const deform_point* point)
{
    return !is_usual(point) && (point->vertices != 25000 || point->threads != 1);
}

static uint32_t isa_count(void)
{
    uint32_t count = 0;
    for (int i = 0; i < PELTI_ISA_COUNT; ++i)
    {
        count += pelti_isa_is_there((pelti_isa)i);
    }
    return count;
}

// Four methods: five sizes by two numbers of threads; then at one point four more numbers of
// influences, one more order, one more rule and the other sets.
static int without_lists_one_axis_varies_at_a_time(void)
{
    deform_plan plan;
    ENSURE(deform_plan_create(&plan, &(bench_options){0}, 2, NULL) == PELT_OK);
    ENSURE(count_points(&plan, is_usual) == 4 * 5 * 2);
    ENSURE(count_points(&plan, is_any) == 4 * (5 * 2 + 4 + 1 + 1 + isa_count() - 1));
    ENSURE(count_points(&plan, is_away_from_the_center) == 0);
    return 0;
}

static int a_quick_run_has_one_small_size(void)
{
    deform_plan plan;
    ENSURE(deform_plan_create(&plan, &(bench_options){.is_quick = true}, 1, NULL) == PELT_OK);
    ENSURE(count_points(&plan, is_any) == 4 * (1 + 4 + 1 + 1 + isa_count() - 1));
    ENSURE(plan.counts[DEFORM_VERTICES] == 1 && plan.values[DEFORM_VERTICES][0] == 2000);
    const bench_options kept = {.is_quick = true, .order = "kept"};
    ENSURE(deform_plan_create(&plan, &kept, 1, NULL) == PELT_OK);
    ENSURE(plan.counts[DEFORM_VERTICES] == 1 && plan.values[DEFORM_VERTICES][0] == 2000);
    return 0;
}

static int lists_give_every_combination(void)
{
    const bench_options options = {.methods = "crs,lbs",
                                   .vertices = "3000,2000,70000",
                                   .influences = "own,8",
                                   .isa = "base",
                                   .normals = "all"};
    deform_plan plan;
    deform_point point;
    ENSURE(deform_plan_create(&plan, &options, 2, NULL) == PELT_OK);
    ENSURE(count_points(&plan, is_any) == 3 * 2 * 2 * 2 * 2);
    ENSURE(deform_plan_point(&point, &plan, 0));
    ENSURE(point.vertices == 3000 && point.influences == DEFORM_OWN_INFLUENCES &&
           point.method == PELT_METHOD_CRS && point.isa == PELTI_ISA_BASE && point.threads == 1 &&
           point.order == PELT_ORDER_SORTED);
    ENSURE(deform_plan_point(&point, &plan, deform_plan_size(&plan) - 1));
    ENSURE(point.vertices == 70000 && point.influences == 8 && point.threads == 2 &&
           point.method == PELT_METHOD_LBS && point.normals == PELT_NORMAL_ACCURATE);
    return 0;
}

// What no list names is as usual, but for methods and threads, which are all.
static int one_list_is_enough(void)
{
    deform_plan plan;
    ENSURE(deform_plan_create(&plan, &(bench_options){.order = "kept"}, 2, NULL) == PELT_OK);
    ENSURE(count_points(&plan, is_any) == 4 * 2);
    ENSURE(plan.values[DEFORM_VERTICES][0] == 25000);
    ENSURE(deform_plan_usual(&plan, DEFORM_ORDER) == PELT_ORDER_KEPT);
    ENSURE(deform_plan_usual(&plan, DEFORM_ISA) == (uint32_t)pelti_isa_get());
    return 0;
}

static int a_value_that_is_not_there_is_refused(void)
{
    static const bench_options wrong[] = {
        {.methods = "lbs,sbs"},
        {.methods = ""},
        {.vertices = "1999"},
        {.vertices = "4000001"},
        {.vertices = "25k"},
        {.vertices = "99999999999999999999"},
        {.influences = "9"},
        {.influences = "0"},
        {.isa = "mmx"},
        {.normals = "paper"},
        {.order = "sorted,,kept"},
        {.influences = "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        deform_plan plan;
        pelt_error error = {0};
        ENSURE(deform_plan_create(&plan, &wrong[i], 1, &error) == PELT_ERROR_ARGUMENT);
        ENSURE(strlen(error.message) > 20);
    }
    return 0;
}

void test_deform_plan(void)
{
    RUN(without_lists_one_axis_varies_at_a_time);
    RUN(a_quick_run_has_one_small_size);
    RUN(lists_give_every_combination);
    RUN(one_list_is_enough);
    RUN(a_value_that_is_not_there_is_refused);
}
