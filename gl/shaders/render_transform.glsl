// SPDX-License-Identifier: MIT
// The transform of a crowd member: two attributes with divisor 1, which pelt_gl_crowd_gather()
// uploads. Follows skin_vertex.glsl.

layout(location = 14) in vec4 pelt_crowd_position; // w: scale
layout(location = 15) in vec4 pelt_crowd_rotation; // quaternion, x y z w

vec3 pelt_crowd_rotate(vec3 v)
{
    vec4 q = pelt_crowd_rotation;
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// From the space of the character to that of the crowd.
pelt_vertex pelt_crowd_transform(pelt_vertex vertex)
{
    float scale = pelt_crowd_position.w, handedness = scale < 0.0 ? -1.0 : 1.0;
    vertex.position = pelt_crowd_rotate(scale * vertex.position) + pelt_crowd_position.xyz;
    vertex.normal = handedness * pelt_crowd_rotate(vertex.normal);
    vertex.tangent =
        vec4(handedness * pelt_crowd_rotate(vertex.tangent.xyz), vertex.tangent.w);
    return vertex;
}
