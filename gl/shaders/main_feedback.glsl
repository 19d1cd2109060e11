// SPDX-License-Identifier: MIT
// main() for transform feedback: outputs the skinned vertex.

#if defined(VULKAN)
layout(location = 0) out vec3 pelt_out_position;
layout(location = 1) out vec3 pelt_out_normal;
layout(location = 2) out vec4 pelt_out_tangent;
#else
out vec3 pelt_out_position;
out vec3 pelt_out_normal;
out vec4 pelt_out_tangent;
#endif

void main()
{
    pelt_vertex vertex = pelt_skin();
    pelt_out_position = vertex.position;
    pelt_out_normal = vertex.normal;
    pelt_out_tangent = vertex.tangent;
    gl_Position = vec4(vertex.position, 1.0);
}
