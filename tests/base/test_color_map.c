// SPDX-License-Identifier: MIT
#include "pelt/color.h"
#include "test.h"

#include <string.h>

static bool is_color(pelt_color a, pelt_color b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// Oklab of a color, by Ottosson's published matrices.
static void oklab_of(double out[3], pelt_color c)
{
    double v[3] = {c.r / 255.0, c.g / 255.0, c.b / 255.0};
    for (int i = 0; i < 3; ++i)
    {
        v[i] = v[i] <= 0.04045 ? v[i] / 12.92 : pow((v[i] + 0.055) / 1.055, 2.4);
    }
    double l = cbrt(0.4122214708 * v[0] + 0.5363325363 * v[1] + 0.0514459929 * v[2]);
    double m = cbrt(0.2119034982 * v[0] + 0.6806995451 * v[1] + 0.1073969566 * v[2]);
    double s = cbrt(0.0883024619 * v[0] + 0.2817188376 * v[1] + 0.6299787005 * v[2]);
    out[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    out[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    out[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

// A byte is about 0.004 of lightness in the dark end. Steps of a 20th are compared with their mean;
// 15 % is what the curve was made for, and rounding to bytes adds up to 10.
static int the_sequential_map_is_uniform(void)
{
    double before[3], here[3], steps[20], mean = 0.0;
    oklab_of(before, pelt_color_map_at(PELT_COLOR_MAP_UNIFORM, 0.0f));
    for (int i = 0; i < 20; ++i)
    {
        float t = (float)(i + 1) / 20.0f;
        oklab_of(here, pelt_color_map_at(PELT_COLOR_MAP_UNIFORM, t));
        ENSURE_NEAR(here[0], 0.28 + 0.67 * (double)t, 0.005);
        steps[i] = sqrt(pow(here[0] - before[0], 2) + pow(here[1] - before[1], 2) +
                        pow(here[2] - before[2], 2));
        mean += steps[i] / 20.0;
        memcpy(before, here, sizeof before);
    }
    for (int i = 0; i < 20; ++i)
    {
        ENSURE_NEAR(steps[i] / mean, 1.0, 0.25);
    }
    return 0;
}

// Rounding to bytes moves a color by less than 0.004 in Oklab, a hue of chroma 0.11 by 2 degrees.
static int hues_of_a_lightness_are_equally_strong(void)
{
    for (int i = 0; i < 72; ++i)
    {
        double lab[3], lightness = i % 2 == 0 ? 0.65 : 0.75;
        oklab_of(lab, pelt_color_of_hue(5.0f * (float)i, (float)lightness));
        ENSURE_NEAR(lab[0], lightness, 0.004);
        ENSURE_NEAR(hypot(lab[1], lab[2]), 0.11, 0.004);
        ENSURE_NEAR(remainder(atan2(lab[2], lab[1]) * 180.0 / 3.14159265358979 - 5.0 * i, 360.0),
                    0.0, 2.0);
    }
    return 0;
}

// A color as it is seen without the cones for red or for green, by the matrices of Machado,
// Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
// Deficiency", 2009.
static pelt_color seen_without(bool is_green, pelt_color c)
{
    static const float matrices[2][3][3] = {{{0.152286f, 1.052583f, -0.204868f},
                                             {0.114503f, 0.786281f, 0.099216f},
                                             {-0.003882f, -0.048116f, 1.051998f}},
                                            {{0.367322f, 0.860646f, -0.227968f},
                                             {0.280085f, 0.672501f, 0.047413f},
                                             {-0.011820f, 0.042940f, 0.968881f}}};
    float light[3] = {pelt_srgb_to_linear(c.r), pelt_srgb_to_linear(c.g), pelt_srgb_to_linear(c.b)};
    uint8_t out[3];
    for (int i = 0; i < 3; ++i)
    {
        const float* row = matrices[is_green][i];
        out[i] = pelt_srgb_from_linear(row[0] * light[0] + row[1] * light[1] + row[2] * light[2]);
    }
    return (pelt_color){out[0], out[1], out[2], 255};
}

static double distance_of(pelt_color a, pelt_color b)
{
    double p[3], q[3];
    oklab_of(p, a);
    oklab_of(q, b);
    return sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
}

// A distance of 0.02 is just visible between adjacent colors; separate lines need more.
static int series_are_told_apart_with_any_eyes(void)
{
    for (uint32_t i = 0; i < PELT_SERIES_COLOR_COUNT; ++i)
    {
        for (uint32_t k = 0; k < i; ++k)
        {
            pelt_color a = pelt_series_color(i), b = pelt_series_color(k);
            ENSURE(distance_of(a, b) > 0.15);
            ENSURE(distance_of(seen_without(false, a), seen_without(false, b)) > 0.09);
            ENSURE(distance_of(seen_without(true, a), seen_without(true, b)) > 0.09);
        }
    }
    ENSURE(is_color(pelt_series_color(PELT_SERIES_COLOR_COUNT), pelt_series_color(0)));
    return 0;
}

// Light of 188 is a half, by the standard's formula in double.
static int bytes_go_to_light_and_back(void)
{
    for (int i = 0; i < 256; ++i)
    {
        double v = i / 255.0, light = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
        ENSURE_NEAR(pelt_srgb_to_linear((uint8_t)i), light, 1e-6);
        ENSURE(pelt_srgb_from_linear(pelt_srgb_to_linear((uint8_t)i)) == i);
    }
    ENSURE(pelt_srgb_from_linear(0.5f) == 188);
    ENSURE(pelt_srgb_from_linear(7.0f) == 255 && pelt_srgb_from_linear(-1.0f) == 0);
    ENSURE(pelt_srgb_from_linear(NAN) == 0 && pelt_srgb_from_linear(INFINITY) == 255);
    return 0;
}

// Equal changes up and down are equally light and, within what a byte makes of it, equally far from
// the gray between them; eyes without the cones for red or for green still tell the sides apart.
static int the_signed_map_has_two_sides(void)
{
    pelt_color middle = pelt_color_map_at(PELT_COLOR_MAP_SIGNED, 0.5f);
    ENSURE_NEAR(distance_of(middle, (pelt_color){middle.g, middle.g, middle.g, 255}), 0.0, 0.01);
    for (int i = 1; i <= 10; ++i)
    {
        double low[3], high[3], part = i / 10.0;
        pelt_color a = pelt_color_map_at(PELT_COLOR_MAP_SIGNED, 0.5f - 0.05f * (float)i);
        pelt_color b = pelt_color_map_at(PELT_COLOR_MAP_SIGNED, 0.5f + 0.05f * (float)i);
        oklab_of(low, a);
        oklab_of(high, b);
        ENSURE_NEAR(low[0], high[0], 0.01);
        ENSURE_NEAR(distance_of(a, middle) / distance_of(b, middle), 1.0, 0.1);
        ENSURE(distance_of(seen_without(false, a), seen_without(false, b)) > 0.15 * part);
        ENSURE(distance_of(seen_without(true, a), seen_without(true, b)) > 0.15 * part);
    }
    return 0;
}

static int the_weight_map_goes_from_blue_to_red(void)
{
    ENSURE(is_color(pelt_color_map_at(PELT_COLOR_MAP_WEIGHT, 0.0f), (pelt_color){0, 0, 255, 255}));
    ENSURE(is_color(pelt_color_map_at(PELT_COLOR_MAP_WEIGHT, 0.5f), (pelt_color){0, 255, 0, 255}));
    ENSURE(is_color(pelt_color_map_at(PELT_COLOR_MAP_WEIGHT, 1.0f), (pelt_color){255, 0, 0, 255}));
    for (int map = 0; map < 3; ++map)
    {
        pelt_color_map m = (pelt_color_map)map;
        ENSURE(is_color(pelt_color_map_at(m, -INFINITY), pelt_color_map_at(m, 0.0f)));
        ENSURE(is_color(pelt_color_map_at(m, INFINITY), pelt_color_map_at(m, 1.0f)));
        ENSURE(is_color(pelt_color_map_at(m, NAN), (pelt_color){128, 128, 128, 255}));
    }
    return 0;
}

void test_color_map(void)
{
    RUN(hues_of_a_lightness_are_equally_strong);
    RUN(series_are_told_apart_with_any_eyes);
    RUN(bytes_go_to_light_and_back);
    RUN(the_sequential_map_is_uniform);
    RUN(the_signed_map_has_two_sides);
    RUN(the_weight_map_goes_from_blue_to_red);
}
