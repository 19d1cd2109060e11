// SPDX-License-Identifier: MIT
// Shapes that explain: bones, joints, boxes and lines, one shape drawn many times, and dots.

layout(location = 11) in vec3 mark_from;
layout(location = 12) in vec4 mark_along; // and a radius
layout(location = 13) in vec4 mark_color;
layout(location = 14) in vec3 mark_side; // the other edges of a box
layout(location = 15) in vec3 mark_up;

uniform mat4 clip_from_model;
uniform int kind;          // 0 bone, 1 joint, 2 box, 3 dot, 4 line
uniform float dot_size;    // pixels
uniform float line_length; // meters

out vec3 place;
out vec3 normal;
out vec4 color;

// z along a bone, x and y across it.
vec3 bone_place(vec3 p)
{
    vec3 along = normalize(mark_along.xyz);
    vec3 other = abs(along.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    vec3 across = normalize(cross(other, along));
    return mark_from + p.z * mark_along.xyz +
           mark_along.w * (p.x * across + p.y * cross(along, across));
}

void main()
{
    if (kind == 0)
    {
        place = bone_place(pelt_position);
    }
    else if (kind == 1)
    {
        place = mark_from + mark_along.w * pelt_position;
    }
    else if (kind == 2)
    {
        place = mark_from + pelt_position.x * mark_along.xyz + pelt_position.y * mark_side +
                pelt_position.z * mark_up;
    }
    else if (kind == 4)
    {
        float size = length(mark_along.xyz);
        float reach = gl_VertexID == 0 ? 0.0 : line_length / max(size, 1e-6);
        place = mark_from + reach * mark_along.xyz;
    }
    else
    {
        place = pelt_position;
    }
    normal = kind == 1 ? pelt_position : vec3(0.0);
    color = mark_color;
    gl_PointSize = dot_size;
    gl_Position = clip_from_model * vec4(place, 1.0);
}
