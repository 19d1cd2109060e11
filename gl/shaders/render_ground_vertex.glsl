// SPDX-License-Identifier: MIT
// A rectangle on the ground.

uniform mat4 clip_from_model;
uniform vec4 rectangle; // least x and z, largest x and z
uniform float height;

out vec3 position;

void main()
{
    float x = (gl_VertexID & 1) == 0 ? rectangle.x : rectangle.z;
    position = vec3(x, height, gl_VertexID < 2 ? rectangle.y : rectangle.w);
    gl_Position = clip_from_model * vec4(position, 1.0);
}
