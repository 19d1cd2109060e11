// SPDX-License-Identifier: MIT
// A vertex of a posed surface, for the picture and for the maps of shadows alike. Skinning is done.

layout(location = 11) in float render_value;

uniform mat4 clip_from_model;

out vec3 place;
out vec3 normal;
out vec2 uv;
out vec4 tint;
out float value;

void main()
{
    place = pelt_position;
    normal = pelt_normal;
    uv = pelt_uv;
    tint = pelt_color;
    value = render_value;
    gl_Position = clip_from_model * vec4(pelt_position, 1.0);
}
