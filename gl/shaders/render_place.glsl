// SPDX-License-Identifier: MIT
// Where an instance of a crowd stands: two attributes with divisor 1, as pelt_gl_crowd_gather()
// uploads them. Follows skin_vertex.glsl.

layout(location = 14) in vec4 pelt_place;          // position, scale
layout(location = 15) in vec4 pelt_place_rotation; // quaternion, x y z w

vec3 pelt_place_turn(vec3 v)
{
    vec4 q = pelt_place_rotation;
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// From the space of the character to that of the crowd.
pelt_vertex pelt_placed(pelt_vertex vertex)
{
    float side = pelt_place.w < 0.0 ? -1.0 : 1.0;
    vertex.position = pelt_place_turn(pelt_place.w * vertex.position) + pelt_place.xyz;
    vertex.normal = side * pelt_place_turn(vertex.normal);
    vertex.tangent = vec4(side * pelt_place_turn(vertex.tangent.xyz), vertex.tangent.w);
    return vertex;
}
