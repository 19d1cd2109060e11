// SPDX-License-Identifier: MIT
// The shaders that pelt shaders writes: which there are, their names and their texts.
#ifndef PELT_SHADER_SET_H
#define PELT_SHADER_SET_H

#include "pelt/gpu.h"

#include <stdio.h>

typedef enum shader_language
{
    SHADER_GLSL = 0, ///< from here on put together by the program,
    SHADER_ESSL,
    SHADER_VULKAN,
    SHADER_HLSL, ///< and from here on translated beforehand, by tools/shaders
    SHADER_MSL,
    SHADER_WGSL,
    SHADER_GODOT, ///< functions for animation textures only
    SHADER_LANGUAGE_COUNT,
} shader_language;

/// What a command line asks for.
typedef struct shader_set
{
    shader_language language;
    uint32_t influence_count;
    pelt_palette_kind palette; ///< never AUTO
    pelt_gpu_scale scale;
    pelt_gpu_layout layout;
    pelt_sign_rule sign_rule; ///< one that pelt_gpu_has_signs()
    pelt_normal_rule rule;
    uint32_t slot_count;  ///< for rules other than the standard
    bool is_compact;      ///< their factors are
    pelt_gpu_baked baked; ///< for palettes that are posed or baked
    uint32_t method_count;
    pelt_method methods[PELT_METHOD_COUNT];
} shader_set;

enum
{
    SHADER_NAME_MAX = 64,
    SHADER_BLOCK_TEXELS = 1024, // of the default block, see pelt_shader_desc.block_bytes
};

/// The file name of a shader: "skin_dqs_block_4.hlsl", "skin_dqs_block_4_local_accurate_8.vert",
/// "skin_dqs_block_4_accurate_compact.wgsl", "skin_dqs_baked_4_qt_rgba32ui.wgsl".
void shader_name(char out[SHADER_NAME_MAX], const shader_set* set, pelt_method method);

bool shader_is_translated(shader_language language);

/// Whether joints come out of an animation texture, in one pass or two.
bool shader_is_crowd(const shader_set* set);

/// Whether vertices do, and nothing is skinned.
bool shader_has_vertices(const shader_set* set);

/// How the shader of a method finds normals: under crs with the gradients of centers.
pelt_gpu_normals shader_normals(const shader_set* set, pelt_method method);

/// The layout of a joint: that of the set, or the one that shaders decode to.
pelt_gpu_layout shader_layout(const shader_set* set);

/// Texels of a joint in the palette of a method.
uint32_t shader_joint_texels(const shader_set* set, pelt_method method);

/// The function that skins: "pelt_deform_dqs_accurate".
void shader_deform(char out[SHADER_NAME_MAX], const shader_set* set, pelt_method method);

/// The GLSL of a language that is not translated.
pelt_glsl shader_glsl(shader_language language);

/// The number of the constants PELT_BAKED_POSE and so on, as a name.
const char* shader_baked_kind(pelt_encoding encoding);
const char* shader_baked_layout(pelt_bake_layout layout);

/// Write the fragment shader that fills a palette of poses.
pelt_result shader_write_pose(FILE* stream, const shader_set* set, pelt_error* error);

/// Write modules of WGSL for compute passes: one that skins, and the pose pass.
void shader_write_compute(FILE* stream, const shader_set* set, pelt_method method);
void shader_write_compute_pose(FILE* stream, const shader_set* set);

/// Write a vertex shader.
pelt_result shader_write(FILE* stream, const shader_set* set, pelt_method method,
                         pelt_error* error);

/// The n-th file of the library that a set goes with; NULL past the last.
const pelt_shader_file* shader_library(const shader_set* set, uint32_t n);

/// The text of a file of the library in GLSL.
const char* shader_glsl_file(const char* name);

/// The text of an embedded file, a translation or a page of the README: "hlsl.md".
const char* shader_port(const char* name);

/// Write a text, with the words between @ in it filled in, and lines that begin with @? and a
/// condition only where it holds.
void shader_fill(FILE* stream, const shader_set* set, pelt_method method, const char* text);

/// Write the README of a set.
void shader_readme(FILE* stream, const shader_set* set);

// Texts that the build embeds, see cmake/ports.cmake.
extern const pelt_shader_file shader_ports[];
extern const uint32_t shader_ports_count;

#endif
