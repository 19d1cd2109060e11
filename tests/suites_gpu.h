// SPDX-License-Identifier: MIT
// The suites of what libpelt_gl does without OpenGL.
SUITE(gpu_layout)
SUITE(shader_source)
