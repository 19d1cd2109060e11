// SPDX-License-Identifier: MIT
// The files of gl/shaders as the build embeds them, in the order of CMakeLists.txt: the library for
// others, and what the renderer adds to it.
#ifndef PELTI_SHADER_TEXT_H
#define PELTI_SHADER_TEXT_H

#include "pelt/gl.h"

extern const pelt_shader_file pelti_shader_text[];
extern const uint32_t pelti_shader_text_count;

/// The text of a file of the library.
const char* pelti_shader_file(const char* name);

/// As pelt_shader_pose_source(), without the prologue.
pelt_result pelti_pose_fragment(char** out, const pelt_gpu_baked* baked, pelt_error* error);

extern const pelt_shader_file pelti_render_text[]; // libpelt_gl only
extern const uint32_t pelti_render_text_count;

#endif
