// SPDX-License-Identifier: MIT
// The suites that draw: each says SKIP where there is no driver.
SUITE(gl_context)
SUITE(gl_program)
SUITE(gl_mesh)
SUITE(gl_skin)
SUITE(gl_normals)
SUITE(gl_rigs)
SUITE(gl_models)
SUITE(render_camera)
SUITE(render_surface)
SUITE(render_alpha)
SUITE(render_pose)
SUITE(normal_error_scale)
