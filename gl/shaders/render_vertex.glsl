// SPDX-License-Identifier: MIT
// A vertex of a surface, for the picture and for the maps of shadows alike.

layout(location = 11) in float render_value;

uniform mat4 clip_from_model;

out vec3 place;
out vec3 normal;
out vec2 uv;
out vec4 tint;
out float value;

void main()
{
    pelt_vertex vertex = pelt_skin();
    place = vertex.position;
    normal = vertex.normal;
    uv = pelt_uv;
    tint = pelt_color;
    value = render_value;
    gl_Position = clip_from_model * vec4(vertex.position, 1.0);
}
