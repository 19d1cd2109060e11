// SPDX-License-Identifier: MIT
// A triangle that covers the picture; it needs no attributes.

out vec2 corner;

void main()
{
    corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}
