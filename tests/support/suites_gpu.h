// SPDX-License-Identifier: MIT
// The suites of what libpelt_gl does without OpenGL, and of what shaders are chosen by.
SUITE(gpu_layout)
SUITE(gpu_normals)
SUITE(shader_source)
SUITE(joint_scale)
