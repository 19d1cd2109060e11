// SPDX-License-Identifier: MIT
// The target and shaders of benchmarks: a framebuffer without a window, a camera, and minimal
// lighting.
#ifndef PELT_DRAW_TARGET_H
#define PELT_DRAW_TARGET_H

#include "pelt/render.h"

enum
{
    DRAW_WIDTH =
        640, ///< small, because vertices are measured and software renderers are slow at pixels
    DRAW_HEIGHT = 360,
    DRAW_TRANSFORM_LOCATION = 14, ///< vec4 of an instance: x, z, cosine and sine of its heading
};

typedef struct draw_target
{
    pelt_gl* gl;
    bool owns_gl;
    uint32_t framebuffer, depth;
    uint32_t color;            ///< a texture
    int32_t width, height;     ///< part of it that is drawn into; at first all
    float clip_from_world[16]; ///< by columns
} draw_target;

/// Create an offscreen context with a framebuffer, bound, of DRAW_WIDTH x DRAW_HEIGHT.
/// @param out  free with draw_target_destroy(), after all objects of out->gl
/// @return PELT_OK, or PELT_ERROR_UNSUPPORTED with a message
pelt_result draw_target_create(draw_target* out, pelt_error* error);

/// The same in an existing context, which must outlive it.
pelt_result draw_target_attach(draw_target* out, pelt_gl* gl, pelt_error* error);

void draw_target_destroy(draw_target* target); ///< {0} is allowed, and remains

/// Change the size. The content is lost.
void draw_target_resize(draw_target* target, int32_t width, int32_t height);

/// Aim the camera at a box, from the front and above.
void draw_target_look(draw_target* target, const pelt_bounds* box);

/// Start a frame: clear, with the depth test on and nothing culled.
void draw_target_clear(const draw_target* target);

/// Wait for the frame.
void draw_target_finish(void);

/// @param out  DRAW_WIDTH * DRAW_HEIGHT, lowest row first
void draw_target_read(const draw_target* target, pelt_color* out);

/// The source of a program's vertices, and of their transforms.
typedef enum draw_kind
{
    DRAW_SKINNED = 0,   ///< pelt_skin(), transformed by a uniform: one draw for each instance
    DRAW_INSTANCED,     ///< pelt_skin(), transformed by the attribute at DRAW_TRANSFORM_LOCATION
    DRAW_DECODED,       ///< joints of an animation texture are decoded, but nothing is skinned
    DRAW_BY_KEYS,       ///< DRAW_INSTANCED, with all joints at one key, then all at the next: for
                        ///< texts that read one key of a joint
    DRAW_STATIC,        ///< as the buffer has them, transformed by the attribute
    DRAW_STATIC_SINGLE, ///< the same by the uniform
} draw_kind;

typedef struct draw_program
{
    pelt_gl_program program;
    int32_t view, transform; ///< locations of uniforms, or -1
} draw_program;

/// Complete a description with the texts of a kind.
pelt_gl_program_desc draw_program_describe(pelt_gl_program_desc desc, draw_kind kind);

/// Find the uniforms of a program from such a description.
void draw_program_locate(draw_program* inout);

/// Both, with a program from the cache of the context.
pelt_result draw_program_get(draw_program* out, pelt_gl* gl, pelt_gl_program_desc desc,
                             draw_kind kind, pelt_error* error);

/// Set the camera of the program in use.
void draw_program_look(const draw_program* program, const draw_target* target);

/// Set the transform of the program in use. Only for kinds with a uniform.
void draw_program_transform(const draw_program* program, const float transform[4]);

#endif
