// SPDX-License-Identifier: MIT
// What surfaces and the ground share: the lights, what hides them, and the way to the screen.

#define SKY_COUNT 8

precision highp sampler2DShadow;

layout(std140) uniform render_frame
{
    mat4 key_from_model;            // to the map: x, y and depth from 0 to 1
    mat4 sky_from_model[SKY_COUNT]; // to a tile of the map, likewise
    vec4 sky_directions[SKY_COUNT]; // to the light
    vec4 eye;                       // w: metres of a texel of the sky
    vec4 key_direction;             // to the light; w: metres of a texel of its map
    vec4 map_steps;                 // one over texels: xy of the key's map, zw of the sky's
    vec4 ground;                    // height, centre x and z, radius of the grid
    vec4 ink;                       // of the grid, linear; w: metres of a large cell
};

uniform sampler2DShadow key_map;
uniform sampler2DShadow sky_map;

// Places on a disc, evenly spread (Vogel 1979).
vec2 disc_place(int i, int count, float turn)
{
    float angle = 2.39996323 * float(i) + turn;
    return sqrt((float(i) + 0.5) / float(count)) * vec2(cos(angle), sin(angle));
}

// How much of the key light arrives, 0 to 1, by the mean over a disc of so many texels.
float key_visibility(vec3 at, vec3 outwards, float radius, int count)
{
    vec3 lifted = at + (2.0 * key_direction.w) * outwards;
    vec3 map = (key_from_model * vec4(lifted, 1.0)).xyz;
    if (any(lessThan(map.xy, vec2(0.0))) || any(greaterThan(map.xy, vec2(1.0))))
    {
        return 1.0;
    }
    float sum = 0.0;
    for (int i = 0; i < count; ++i)
    {
        vec2 shift = radius * map_steps.xy * disc_place(i, count, 0.0);
        sum += texture(key_map, vec3(map.xy + shift, min(map.z, 1.0)));
    }
    return sum / float(count);
}

// One tile of the sky's map: four by two, each a direction.
float sky_tile_visibility(int i, vec3 lifted)
{
    vec3 map = (sky_from_model[i] * vec4(lifted, 1.0)).xyz;
    if (any(lessThan(map.xy, vec2(0.0))) || any(greaterThan(map.xy, vec2(1.0))))
    {
        return 1.0;
    }
    vec2 at = (map.xy + vec2(float(i & 3), float(i >> 2))) * vec2(0.25, 0.5);
    float depth = min(map.z, 1.0);
    float sum = 0.0;
    for (int tap = 0; tap < 4; ++tap)
    {
        vec2 shift = 2.5 * map_steps.zw * disc_place(tap, 4, float(i));
        sum += texture(sky_map, vec3(at + shift, depth));
    }
    return 0.25 * sum;
}

// How much of the sky a surface sees: ambient occlusion by a few directions, 0 to 1.
float sky_visibility(vec3 at, vec3 outwards)
{
    vec3 lifted = at + (2.5 * eye.w) * outwards;
    float sum = 0.0;
    float all = 0.0;
    for (int i = 0; i < SKY_COUNT; ++i)
    {
        // Wrapped around a little: what faces downwards sees the sky at the horizon.
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

// Bright light fades to white instead of being cut off; base colours stay what they are (Khronos
// PBR Neutral tone mapper, 2024).
vec3 tone_of_light(vec3 light)
{
    const float start = 0.8 - 0.04;
    const float fading = 0.15;
    float least = min(light.r, min(light.g, light.b));
    light -= least < 0.08 ? least - 6.25 * least * least : 0.04;
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
