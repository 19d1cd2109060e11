// SPDX-License-Identifier: MIT
// Colors for JavaScript: those of plots and pictures.
#include "../../include/pelt/color.h"
#include "web.h"

static uint32_t pack(pelt_color color)
{
    return (uint32_t)color.r << 16 | (uint32_t)color.g << 8 | color.b;
}

/// 0xrrggbb, sRGB
uint32_t WEB_EXPORT(web_series_color)(uint32_t index)
{
    return pack(pelt_series_color(index));
}

/// 0xrrggbb, sRGB
/// @param map  of pelt_color_map
uint32_t WEB_EXPORT(web_map_color)(uint32_t map, float t)
{
    return pack(pelt_color_map_at((pelt_color_map)map, t));
}
