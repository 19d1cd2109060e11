// SPDX-License-Identifier: MIT
// Shared by surfaces and the ground: lights, shadows, ambient occlusion and tone mapping.

#define SKY_COUNT 7 // tiles of the sky map; one more tile looks up from below the ground

#ifdef GL_ES
precision highp sampler2DShadow;
#endif

layout(std140) uniform render_frame
{
    mat4 key_from_model;            // to the shadow map: x, y and depth from 0 to 1
    mat4 sky_from_model[SKY_COUNT]; // to a tile of the sky map, likewise
    mat4 earth_from_model;          // to the last tile; depth is the height above the ground
    vec4 sky_directions[SKY_COUNT]; // to the light
    vec4 eye;                       // w: size of a texel of the sky map in meters
    vec4 key_direction;             // to the light; w: size of a texel of its map in meters
    vec4 map_steps;                 // size of a texel: xy of the key's map, zw of the sky's
    vec4 ground;                    // height, center x and z, radius of the grid
    vec4 ink;                       // color of the grid, linear; w: size of a large cell in meters
    vec4 earth;                     // radius of occlusion in the last tile, as x and as depth
};

uniform sampler2DShadow key_map;
uniform sampler2DShadow sky_map;

// Points of a disc, evenly distributed (Vogel 1979).
// start  angle of the first
vec2 disc_point(int i, int count, float start)
{
    float angle = 2.39996323 * float(i) + start;
    return sqrt((float(i) + 0.5) / float(count)) * vec2(cos(angle), sin(angle));
}

// Interleaved gradient noise (Jimenez, "Next Generation Post Processing in Call of Duty: Advanced
// Warfare", 2014), whose mean over neighboring pixels is nearly constant.
float screen_noise()
{
    return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
}

// The part of the key light that arrives, 0 to 1: the mean over a disc.
// radius  in texels
// count   samples
float key_visibility(vec3 at, vec3 outwards, float radius, int count)
{
    // A larger offset at grazing angles, where a texel spans more depth.
    float grazing = 1.0 - clamp(dot(outwards, key_direction.xyz), 0.0, 1.0);
    vec3 lifted = at + (1.5 + 3.0 * grazing) * key_direction.w * outwards;
    vec3 map = (key_from_model * vec4(lifted, 1.0)).xyz;
    if (any(lessThan(map.xy, vec2(0.0))) || any(greaterThan(map.xy, vec2(1.0))))
    {
        return 1.0;
    }
    float sum = 0.0;
    for (int i = 0; i < count; ++i)
    {
        vec2 shift = radius * map_steps.xy * disc_point(i, count, 0.0);
        sum += texture(key_map, vec3(map.xy + shift, min(map.z, 1.0)));
    }
    return sum / float(count);
}

// Coordinates in a tile as coordinates in the sky map, which has four by two tiles.
vec2 sky_tile_uv(int tile, vec2 tile_uv)
{
    return (tile_uv + vec2(float(tile & 3), float(tile >> 2))) * vec2(0.25, 0.5);
}

float sky_tile_visibility(int tile, vec3 lifted)
{
    vec3 map = (sky_from_model[tile] * vec4(lifted, 1.0)).xyz;
    if (any(lessThan(map.xy, vec2(0.0))) || any(greaterThan(map.xy, vec2(1.0))))
    {
        return 1.0;
    }
    vec2 at = sky_tile_uv(tile, map.xy);
    float sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        vec2 shift = 2.5 * map_steps.zw * disc_point(i, 3, float(tile));
        sum += texture(sky_map, vec3(at + shift, min(map.z, 1.0)));
    }
    return sum / 3.0;
}

// The visible part of the sky, 0 to 1: ambient occlusion by a few directions.
float sky_visibility(vec3 at, vec3 outwards)
{
    vec3 lifted = at + (2.5 * eye.w) * outwards;
    float sum = 0.0;
    float all = 0.0;
    for (int i = 0; i < SKY_COUNT; ++i)
    {
        // Wrap lighting: surfaces that face slightly downwards see the sky at the horizon.
        float share = max(dot(outwards, sky_directions[i].xyz) + 0.35, 0.0);
        if (share > 0.0)
        {
            sum += share * sky_tile_visibility(i, lifted);
            all += share;
        }
    }
    return all > 0.0 ? sum / all : 1.0;
}

vec3 srgb_of_linear(vec3 linear)
{
    vec3 low = 12.92 * linear;
    vec3 high = 1.055 * pow(max(linear, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, vec3(lessThanEqual(linear, vec3(0.0031308))));
}

// Bright light is desaturated to white instead of being clipped; the rest is unchanged. This is the
// upper part of the Khronos PBR Neutral tone mapper (2024); the lower part expects a brighter sky.
vec3 tone_of_light(vec3 light)
{
    const float start = 0.76;
    const float fading = 0.15;
    float peak = max(light.r, max(light.g, light.b));
    if (peak < start)
    {
        return light;
    }
    float range = 1.0 - start;
    float top = 1.0 - range * range / (peak + range - start);
    float white = 1.0 - 1.0 / (fading * (peak - top) + 1.0);
    return mix(light * top / peak, vec3(top), white);
}
