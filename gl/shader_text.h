// SPDX-License-Identifier: MIT
// The files of gl/shaders as the build embeds them, in the order of CMakeLists.txt: the library for
// others, and what the renderer adds to it.
#ifndef PELTI_SHADER_TEXT_H
#define PELTI_SHADER_TEXT_H

#include "pelt/gpu.h"

extern const pelt_shader_file pelti_shader_text[];
extern const uint32_t pelti_shader_text_count;

extern const pelt_shader_file pelti_render_text[]; // libpelt_gl only
extern const uint32_t pelti_render_text_count;

#endif
