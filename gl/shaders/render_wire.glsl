// SPDX-License-Identifier: MIT
// Edges of triangles: one color, already times its alpha.

uniform vec4 color;

out vec4 pixel;

void main()
{
    pixel = color;
}
