// SPDX-License-Identifier: MIT
// Rectangles and pictures laid over a picture.
#include "picture.h"

#include <string.h>

// From the first to before the last pixel on one axis.
typedef struct span
{
    uint32_t first, end;
} span;

static span clip(int32_t start, uint32_t length, uint32_t limit)
{
    int64_t first = start > 0 ? start : 0, end = (int64_t)start + length;
    end = end < limit ? end : limit;
    return first < end ? (span){(uint32_t)first, (uint32_t)end} : (span){0, 0};
}

// The exact quotient by 255, rounded, for any product of two bytes.
static uint32_t divide_255(uint32_t value)
{
    value += 128;
    return (value + (value >> 8)) >> 8;
}

pelt_color pelt_color_over(pelt_color below, pelt_color above)
{
    if (above.a == 255 || below.a == 0)
    {
        return above.a > 0 ? above : below;
    }
    // What of the color below is still seen, and how much color there is then in all.
    uint32_t seen = divide_255((255u - above.a) * below.a);
    uint32_t sum = seen + above.a;
    uint32_t half = sum / 2;
    return (pelt_color){(uint8_t)((above.r * (uint32_t)above.a + below.r * seen + half) / sum),
                        (uint8_t)((above.g * (uint32_t)above.a + below.g * seen + half) / sum),
                        (uint8_t)((above.b * (uint32_t)above.a + below.b * seen + half) / sum),
                        (uint8_t)sum};
}

void pelt_picture_clear(pelt_picture* picture, pelt_color color)
{
    PELT_ASSERT(picture != NULL);
    for (size_t i = 0; i < (size_t)picture->width * picture->height; ++i)
    {
        picture->pixels[i] = color;
    }
}

void pelt_picture_fill(pelt_picture* picture, pelt_rect rect, pelt_color color)
{
    PELT_ASSERT(picture != NULL);
    span xs = clip(rect.x, rect.width, picture->width);
    span ys = clip(rect.y, rect.height, picture->height);
    for (uint32_t y = ys.first; y < ys.end; ++y)
    {
        pelt_color* row = picture->pixels + (size_t)y * picture->width;
        for (uint32_t x = xs.first; x < xs.end; ++x)
        {
            row[x] = pelt_color_over(row[x], color);
        }
    }
}

void pelt_picture_outline(pelt_picture* picture, pelt_rect rect, uint32_t thickness,
                          pelt_color color)
{
    if (2 * (uint64_t)thickness >= rect.width || 2 * (uint64_t)thickness >= rect.height)
    {
        pelt_picture_fill(picture, rect, color);
        return;
    }
    // Edges that do not overlap, so that a color that is half seen is so everywhere.
    int32_t inner_y = rect.y + (int32_t)thickness;
    uint32_t inner_height = rect.height - 2 * thickness;
    int32_t right = rect.x + (int32_t)(rect.width - thickness);
    int32_t bottom = rect.y + (int32_t)(rect.height - thickness);
    pelt_picture_fill(picture, (pelt_rect){rect.x, rect.y, rect.width, thickness}, color);
    pelt_picture_fill(picture, (pelt_rect){rect.x, bottom, rect.width, thickness}, color);
    pelt_picture_fill(picture, (pelt_rect){rect.x, inner_y, thickness, inner_height}, color);
    pelt_picture_fill(picture, (pelt_rect){right, inner_y, thickness, inner_height}, color);
}

void pelt_picture_blit(pelt_picture* picture, int32_t x, int32_t y, const pelt_picture* source)
{
    PELT_ASSERT(picture != NULL && source != NULL && picture->pixels != source->pixels);
    span xs = clip(x, source->width, picture->width);
    span ys = clip(y, source->height, picture->height);
    for (uint32_t row = ys.first; row < ys.end && xs.first < xs.end; ++row)
    {
        size_t from = (size_t)((int64_t)row - y) * source->width + (size_t)((int64_t)xs.first - x);
        memcpy(picture->pixels + (size_t)row * picture->width + xs.first, source->pixels + from,
               (xs.end - xs.first) * sizeof *source->pixels);
    }
}

void pelt_picture_blend(pelt_picture* picture, int32_t x, int32_t y, const pelt_picture* source)
{
    PELT_ASSERT(picture != NULL && source != NULL && picture->pixels != source->pixels);
    span xs = clip(x, source->width, picture->width);
    span ys = clip(y, source->height, picture->height);
    for (uint32_t row = ys.first; row < ys.end; ++row)
    {
        pelt_color* below = picture->pixels + (size_t)row * picture->width;
        const pelt_color* above = source->pixels + (size_t)((int64_t)row - y) * source->width;
        for (uint32_t column = xs.first; column < xs.end; ++column)
        {
            below[column] = pelt_color_over(below[column], above[(int64_t)column - x]);
        }
    }
}
