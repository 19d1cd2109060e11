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
static int the_even_map_is_even(void)
{
    double before[3], here[3], steps[20], mean = 0.0;
    oklab_of(before, pelt_color_map_at(PELT_COLOR_MAP_EVEN, 0.0f));
    for (int i = 0; i < 20; ++i)
    {
        float t = (float)(i + 1) / 20.0f;
        oklab_of(here, pelt_color_map_at(PELT_COLOR_MAP_EVEN, t));
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

static int the_weight_map_goes_from_blue_to_red(void)
{
    ENSURE(is_color(pelt_color_map_at(PELT_COLOR_MAP_WEIGHT, 0.0f), (pelt_color){0, 0, 255, 255}));
    ENSURE(is_color(pelt_color_map_at(PELT_COLOR_MAP_WEIGHT, 0.5f), (pelt_color){0, 255, 0, 255}));
    ENSURE(is_color(pelt_color_map_at(PELT_COLOR_MAP_WEIGHT, 1.0f), (pelt_color){255, 0, 0, 255}));
    for (int map = 0; map < 2; ++map)
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
    RUN(bytes_go_to_light_and_back);
    RUN(the_even_map_is_even);
    RUN(the_weight_map_goes_from_blue_to_red);
}
