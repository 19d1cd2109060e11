// SPDX-License-Identifier: MIT
// Edges of triangles in one color with premultiplied alpha.

uniform vec4 color;

out vec4 pixel;

void main()
{
    pixel = color;
}
