// SPDX-License-Identifier: MIT
// A vertex of a posed surface, for the picture and for shadow maps. It is skinned already.

layout(location = 10) in vec3 render_color; // sRGB
layout(location = 11) in float render_value;
layout(location = 12) in vec2 render_uv; // another UV set

uniform mat4 clip_from_model;

invariant gl_Position; // depths of all passes are the same

out vec3 position;
out vec3 normal;
out vec4 uv; // of both sets
out vec4 tint;
out float value;
out vec3 shown;

// Linear, so that colors are interpolated as light.
vec3 linear_of_srgb(vec3 c)
{
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

void main()
{
    position = pelt_position;
    normal = pelt_normal;
    uv = vec4(pelt_uv, render_uv);
    tint = pelt_color;
    value = render_value;
    shown = linear_of_srgb(render_color);
    gl_Position = clip_from_model * vec4(pelt_position, 1.0);
}
