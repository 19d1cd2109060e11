// SPDX-License-Identifier: MIT
// A square on the ground, as large as the grid.

uniform mat4 clip_from_model;
uniform vec4 square; // height, center x and z, half of its width

out vec3 position;

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    position = vec3(square.y, square.x, square.z) + square.w * vec3(corner.x, 0.0, corner.y);
    gl_Position = clip_from_model * vec4(position, 1.0);
}
