// SPDX-License-Identifier: MIT
// A minimal main() that draws: transforms to clip space and passes attributes to the fragment
// shader.

#if defined(VULKAN)
layout(std140, set = 0, binding = 1) uniform pelt_view
{
    mat4 pelt_clip_from_model;
};
layout(location = 0) out vec3 pelt_out_normal;
layout(location = 1) out vec4 pelt_out_tangent;
layout(location = 2) out vec2 pelt_out_uv;
#else
uniform mat4 pelt_clip_from_model;
out vec3 pelt_out_normal;
out vec4 pelt_out_tangent;
out vec2 pelt_out_uv;
#endif

void main()
{
    pelt_vertex vertex = pelt_skin();
    pelt_out_normal = vertex.normal;
    pelt_out_tangent = vertex.tangent;
    pelt_out_uv = pelt_uv;
    gl_Position = pelt_clip_from_model * vec4(vertex.position, 1.0);
}
