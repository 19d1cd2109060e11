// SPDX-License-Identifier: MIT
// A triangle that covers the palette; it needs no attributes.

void main()
{
#if defined(VULKAN)
    int corner = gl_VertexIndex;
#else
    int corner = gl_VertexID;
#endif
    gl_Position = vec4(corner == 1 ? 3.0 : -1.0, corner == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
