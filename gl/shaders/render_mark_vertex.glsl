// SPDX-License-Identifier: MIT
// Marks that explain a pose: bones, joints, boxes and lines, drawn by instancing, and dots.

layout(location = 11) in vec3 mark_from;
layout(location = 12) in vec4 mark_along; // w: radius
layout(location = 13) in vec4 mark_color;
layout(location = 14) in vec3 mark_across; // the other edges of a box
layout(location = 15) in vec3 mark_up;

uniform mat4 clip_from_model;
uniform int kind;          // 0 bone, 1 joint, 2 box, 3 dot, 4 line
uniform float dot_size;    // pixels
uniform float line_length; // meters

out vec3 position;
out vec3 normal;
out vec4 color;

// p.z is along the bone, p.x and p.y are across it.
vec3 bone_position(vec3 p)
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
        position = bone_position(pelt_position);
    }
    else if (kind == 1)
    {
        position = mark_from + mark_along.w * pelt_position;
    }
    else if (kind == 2)
    {
        position = mark_from + pelt_position.x * mark_along.xyz + pelt_position.y * mark_across +
                   pelt_position.z * mark_up;
    }
    else if (kind == 4)
    {
        float size = length(mark_along.xyz);
        float reach = gl_VertexID == 0 ? 0.0 : line_length / max(size, 1e-6);
        position = mark_from + reach * mark_along.xyz;
    }
    else
    {
        position = pelt_position;
    }
    normal = kind == 1 ? pelt_position : vec3(0.0);
    color = mark_color;
    gl_PointSize = dot_size;
    gl_Position = clip_from_model * vec4(position, 1.0);
}
