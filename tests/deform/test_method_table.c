// SPDX-License-Identifier: MIT
// The table of methods, against what the methods do: an input or option changes a result exactly
// where the table says that the method has it.
#include "point_set.h"

#include "../../include/pelt/color.h"
#include "../../include/pelt/ddm.h"

#include <string.h>

enum
{
    COUNT = 100,
};

static int names_find_their_method(void)
{
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        const pelt_method_traits* traits = pelt_method_info(method);
        ENSURE(pelt_method_find(traits->name) == method);
        ENSURE(strcmp(pelt_method_name(method), traits->name) == 0);
        ENSURE(strlen(traits->label) > 0 && strlen(traits->title) > 0);
    }
    ENSURE(pelt_method_find("") == PELT_METHOD_COUNT);
    ENSURE(pelt_method_find("LBS") == PELT_METHOD_COUNT);
    return 0;
}

static int colors_are_those_of_plots(void)
{
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_color a = pelt_method_info(method)->color, b = pelt_series_color(method);
        ENSURE(a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a);
    }
    return 0;
}

// Whether two inputs give different positions somewhere.
static bool differ(const point_set* a, const pelt_deform_options* options_a, const point_set* b,
                   const pelt_deform_options* options_b)
{
    pelt_vec3 positions[COUNT];
    memcpy(positions, point_set_deform(a, options_a).positions, sizeof positions);
    return point_set_distance(point_set_deform(b, options_b).positions, positions, COUNT) > 0.01;
}

static int options_count_where_the_table_says_so(void)
{
    point_set m = point_set_random(1, COUNT, 9, 4, 150.0f);
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        const pelt_method_traits* traits = pelt_method_info(method);
        const pelt_deform_options plain = {.method = method, .mix = 0.5f};
        pelt_deform_options other = plain;
        other.mix = 0.9f;
        ENSURE(differ(&m, &plain, &m, &other) == traits->has_mix_factor);
        other = plain;
        other.dqs_variant = PELT_DQS_BASIC;
        ENSURE(differ(&m, &plain, &m, &other) == traits->has_dqs_variant);
        other = plain;
        other.lms_variant = PELT_LMS_PUBLISHED;
        ENSURE(differ(&m, &plain, &m, &other) == traits->has_lms_variant);
    }
    point_set_free(&m);
    return 0;
}

static int inputs_count_where_the_table_says_so(void)
{
    point_set m = point_set_random(2, COUNT, 9, 4, 100.0f);
    point_set moved = point_set_random(2, COUNT, 9, 4, 100.0f);
    point_set rotated = point_set_random(2, COUNT, 9, 4, 100.0f);
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        moved.cors[v].x += 1.0f;
    }
    // Motions and stretches that are not those of the matrices.
    m.palette.is_rigid = moved.palette.is_rigid = rotated.palette.is_rigid = false;
    for (uint32_t joint = 0; joint < rotated.joint_count; ++joint)
    {
        rotated.palette.motions[joint] = m.palette.motions[(joint + 1) % m.joint_count];
        rotated.palette.stretches[joint].m[0][0] = 2.0f;
    }
    point_set smoothed = point_set_random(2, COUNT, 9, 4, 100.0f);
    const pelt_ddm_options full = {0};
    ENSURE(point_set_smooth(&rotated, &full) && point_set_smooth(&moved, &full) &&
           point_set_smooth(&m, &full));
    smoothed.palette.is_rigid = false;
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        const pelt_method_traits* traits = pelt_method_info(method);
        const pelt_deform_options options = {.method = method, .mix = 0.5f};
        ENSURE(differ(&m, &options, &moved, &options) == traits->needs_centers);
        ENSURE(differ(&m, &options, &rotated, &options) == traits->needs_motions);
        ENSURE(differ(&m, &options, &smoothed, &options) == traits->needs_smoothing);
    }
    point_set_free(&smoothed);
    point_set_free(&rotated);
    point_set_free(&moved);
    point_set_free(&m);
    return 0;
}

// Shader functions that a method calls have to exist, and its own comes last in the list.
static int shader_parts_have_shaders(void)
{
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        const pelt_method_traits* traits = pelt_method_info(method);
        bool has_shaders = traits->gpu_joint_floats > 0;
        ENSURE((traits->shader_parts != 0) == has_shaders);
        ENSURE(!has_shaders || traits->shader_parts >> method == 1);
        for (pelt_method part = 0; part < PELT_METHOD_COUNT; ++part)
        {
            bool is_part = (traits->shader_parts >> part & 1u) != 0;
            ENSURE(!is_part || pelt_method_info(part)->gpu_joint_floats > 0);
        }
    }
    return 0;
}

void test_method_table(void)
{
    RUN(names_find_their_method);
    RUN(colors_are_those_of_plots);
    RUN(options_count_where_the_table_says_so);
    RUN(inputs_count_where_the_table_says_so);
    RUN(shader_parts_have_shaders);
}
