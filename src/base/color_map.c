// SPDX-License-Identifier: MIT
// Numbers, hues and series as colors.
#include "exact.h"

#include "../../include/pelt/color.h"
#include "../../include/pelt/math3d.h"

// A color by lightness, chroma and hue in Oklab, where equal distances look equally far (Ottosson,
// "A perceptual color space for image processing", 2020).
typedef struct tone
{
    float lightness, chroma, hue; // hue in degrees
} tone;

static uint8_t byte_of(float value)
{
    return (uint8_t)(255.0f * fminf(fmaxf(value, 0.0f), 1.0f) + 0.5f);
}

uint8_t pelt_srgb_from_linear(float light)
{
    float unit = light > 0.0f ? fminf(light, 1.0f) : 0.0f;
    return byte_of(unit <= 0.0031308f ? 12.92f * unit : 1.055f * powf(unit, 1.0f / 2.4f) - 0.055f);
}

float pelt_srgb_to_linear(uint8_t value)
{
    float unit = (float)value / 255.0f;
    return unit <= 0.04045f ? unit / 12.92f : powf((unit + 0.055f) / 1.055f, 2.4f);
}

// The matrices are Ottosson's.
static pelt_color color_of_tone(tone t)
{
    float angle = t.hue * PELT_PI / 180.0f;
    float a = t.chroma * cosf(angle), b = t.chroma * sinf(angle);
    float l = t.lightness + 0.3963377774f * a + 0.2158037573f * b;
    float m = t.lightness - 0.1055613458f * a - 0.0638541728f * b;
    float s = t.lightness - 0.0894841775f * a - 1.2914855480f * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (pelt_color){
        pelt_srgb_from_linear(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
        pelt_srgb_from_linear(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
        pelt_srgb_from_linear(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s), 255};
}

// Lightness and hue change linearly from violet over blue and green to yellow. The chroma is the
// largest that screens can show for all of them; greenish blues limit it. Steps differ by 15 % at
// most.
static pelt_color uniform_color(float t)
{
    float from_dull = t - 0.45f;
    tone here = {.lightness = 0.28f + 0.67f * t,
                 .chroma = 0.098f + 0.2f * from_dull * from_dull,
                 .hue = 305.0f - 200.0f * t};
    return color_of_tone(here);
}

// Blue, cyan, green, yellow and red at equal distances: the ends are those of the usual pictures of
// skinning weights, and a weight of one half has a color of its own.
static pelt_color weight_color(float t)
{
    float red = 4.0f * t - 2.0f;
    float green = fminf(4.0f * t, 4.0f - 4.0f * t);
    float blue = 2.0f - 4.0f * t;
    return (pelt_color){byte_of(red), byte_of(green), byte_of(blue), 255};
}

// From gray in the middle to both ends, lightness falls and chroma grows linearly up to what
// screens can show.
static pelt_color signed_color(float t)
{
    float signed_value = 2.0f * t - 1.0f, distance = fabsf(signed_value);
    tone here = {.lightness = 0.90f - 0.38f * distance,
                 .chroma = (signed_value < 0.0f ? 0.145f : 0.15f) * distance,
                 .hue = signed_value < 0.0f ? 255.0f : 45.0f};
    return color_of_tone(here);
}

pelt_color pelt_color_map_at(pelt_color_map map, float t)
{
    if (isnan(t))
    {
        return (pelt_color){128, 128, 128, 255};
    }
    t = fminf(fmaxf(t, 0.0f), 1.0f);
    return map == PELT_COLOR_MAP_UNIFORM  ? uniform_color(t)
           : map == PELT_COLOR_MAP_SIGNED ? signed_color(t)
                                          : weight_color(t);
}

pelt_color pelt_color_of_hue(float degrees, float lightness)
{
    return color_of_tone((tone){.lightness = lightness, .chroma = 0.11f, .hue = degrees});
}

pelt_color pelt_series_color(uint32_t index)
{
    static const pelt_color colors[PELT_SERIES_COLOR_COUNT] = {{0x00, 0x72, 0xb2, 255}, // blue
                                                               {0xd5, 0x5e, 0x00, 255}, // vermilion
                                                               {0x8f, 0x3f, 0x73, 255}, // purple
                                                               {0x00, 0x9e, 0x73, 255}, // green
                                                               {0x22, 0x22, 0x22, 255}, // black
                                                               {0x56, 0xb4, 0xe9, 255}, // sky blue
                                                               {0xe6, 0x9f, 0x00, 255}}; // orange
    return colors[index % PELT_SERIES_COLOR_COUNT];
}
