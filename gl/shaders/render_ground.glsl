// SPDX-License-Identifier: MIT
// The ground: a grid and shadows, blended over the background; or with WITHOUT_SHADOWS, the grid
// alone.

in vec3 position;

out vec4 pixel;

// Coverage of the lines between cells. Lines thinner than a pixel are drawn a pixel wide and paler;
// where cells are smaller than a pixel, the coverage is the mean (Golus, "The Best Darn Grid Shader
// (Yet)", 2023).
// width  in cells
float grid_coverage(vec2 cell, float width)
{
    vec2 pixel_size = max(fwidth(cell), vec2(1e-6));
    // Limit the width in pixels, for views from near.
    width = min(width, 1.6 * min(pixel_size.x, pixel_size.y));
    vec2 drawn = clamp(vec2(width), pixel_size, vec2(0.5));
    vec2 from_line = 1.0 - abs(fract(cell) * 2.0 - 1.0);
    vec2 line = 1.0 - smoothstep(drawn - 1.5 * pixel_size, drawn + 1.5 * pixel_size, from_line);
    line *= clamp(vec2(width) / drawn, 0.0, 1.0);
    line = mix(line, vec2(width), clamp(2.0 * pixel_size - 1.0, 0.0, 1.0));
    return mix(line.x, 1.0, line.y);
}

#ifndef WITHOUT_SHADOWS
// The part of the sky that is visible from a point of the ground. Geometry above the ground
// occludes it if its height is less than its distance. Outside the tile nothing is occluded.
float open_sky()
{
    vec3 map = (earth_from_model * vec4(position, 1.0)).xyz;
    if (any(lessThan(map.xy, vec2(0.0))) || any(greaterThan(map.xy, vec2(1.0))))
    {
        return 1.0;
    }
    float sum = 0.0;
    float start = 6.2831853 * screen_noise();
    for (int i = 0; i < 28; ++i)
    {
        vec2 shift = disc_point(i, 28, start);
        vec2 at = sky_tile_uv(SKY_COUNT, map.xy + earth.x * shift);
        sum += texture(sky_map, vec3(at, map.z + earth.y * length(shift)));
    }
    return sum / 28.0;
}
#endif

void main()
{
    float radius = length(position.xz - ground.yz) / ground.w;
    float fade = 1.0 - smoothstep(0.25, 1.0, radius);
    vec2 cell = position.xz / ink.w;
    float line = max(0.28 * grid_coverage(10.0 * cell, 0.035), 0.5 * grid_coverage(cell, 0.008));
    line *= fade;

    // Seen from below, the ground is transparent and has no shadows.
    float dark = 0.0;
#ifndef WITHOUT_SHADOWS
    if (eye.y > ground.x)
    {
        float key = key_visibility(position, vec3(0.0), 7.0, 18);
        dark = 1.0 - mix(0.66, 1.0, key) * mix(0.45, 1.0, open_sky());
    }
#endif
    pixel = vec4(srgb_of_linear(ink.rgb) * line, line + dark * (1.0 - line));
}
