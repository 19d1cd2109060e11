// SPDX-License-Identifier: MIT
// What the files of libpelt_gl share: the context object, and its EGL half.
#ifndef PELTI_GL_CONTEXT_H
#define PELTI_GL_CONTEXT_H

#include "pelt/gl.h"

/// A context of its own, without a window. NULL handles: none.
typedef struct pelti_offscreen
{
    void* display; // EGLDisplay
    void* context; // EGLContext
} pelti_offscreen;

/// One entry of the program cache: a list, since a scene needs a handful.
typedef struct pelti_program
{
    struct pelti_program* next;
    pelt_gl_program program;
    pelt_gl_program_desc key; // its texts are our own copies
} pelti_program;

struct pelt_gl
{
    pelti_offscreen offscreen;
    pelt_gl_info info;
    pelti_program* programs;

    // For pelt_gl_skin(): what transform feedback writes to, and a framebuffer of one pixel,
    // because without a complete one nothing is drawn, not even feedback.
    uint32_t feedback_buffer;
    size_t feedback_bytes;
    uint32_t framebuffer, renderbuffer;
};

/// Create a context and make it current.
pelt_result pelti_offscreen_create(pelti_offscreen* out, pelt_glsl language, pelt_error* error);
void pelti_offscreen_destroy(pelti_offscreen* offscreen);
pelt_result pelti_offscreen_make_current(const pelti_offscreen* offscreen, pelt_error* error);

/// Convert an OpenGL error since the last call into a sentence; PELT_OK when there was none.
/// @param what  "the mesh", for the sentence
pelt_result pelti_gl_check(pelt_error* error, const char* what);

enum
{
    PELTI_TEXEL_ROW_FLOATS = 4 * PELT_PALETTE_WIDTH,
};

/// Rows of a texture that hold so many floats, at least one.
size_t pelti_texels_rows(size_t floats);

/// A texture of floats that shaders fetch from, PELT_PALETTE_WIDTH wide. Leaves it bound.
/// @param texels  whole rows; NULL: not yet known
uint32_t pelti_texels_create(size_t rows, const float* texels);

/// A texture of integers, two words per texel, as wide. Leaves it bound.
/// @param words  whole rows
uint32_t pelti_words_create(size_t rows, const uint32_t* words);

/// Bind such a texture. Leaves unit 0 active.
void pelti_texels_bind(uint32_t texture, uint32_t unit);

/// Whether factors for normals fit into shaders and textures.
bool pelti_gl_normals_fit(const pelt_gl* gl, const pelt_normal_factors* factors);

/// Bind the vertex array of a mesh, and its other data for shaders.
void pelti_gl_mesh_bind(const pelt_gl_mesh* mesh);

/// Enable an attribute of a vertex array from the buffer of a mesh; both must be bound.
void pelti_gl_mesh_point(const pelt_gl_mesh* mesh, pelt_attribute attribute);

/// The output of main_feedback.glsl, interleaved.
typedef struct pelti_feedback_vertex
{
    pelt_vec3 position, normal;
    pelt_vec4 tangent;
} pelti_feedback_vertex;

/// Deform a mesh on the GPU into a buffer of vertex_count pelti_feedback_vertex. Leaves what
/// pelt_gl_skin() leaves.
pelt_result pelti_gl_feedback(uint32_t buffer, pelt_gl* gl, const pelt_gl_mesh* mesh,
                              const pelt_gl_palette* palette, float mix, pelt_error* error);

/// The same with the program in use, whatever it reads.
pelt_result pelti_gl_feedback_draw(uint32_t buffer, pelt_gl* gl, const pelt_gl_mesh* mesh,
                                   pelt_error* error);

/// The context's own buffer, with room for a mesh.
uint32_t pelti_gl_feedback_buffer(pelt_gl* gl, const pelt_gl_mesh* mesh);

/// Copy what was drawn into that buffer to a surface, and unbind it.
/// @param drawn  the result so far: if it is an error, nothing is copied, and it is returned
pelt_result pelti_gl_feedback_read(const pelt_surface* out, pelt_gl* gl, const pelt_gl_mesh* mesh,
                                   pelt_result drawn, pelt_error* error);

/// Draw the triangles of a mesh so many times, as pelt_gl_mesh_draw() does once.
void pelti_gl_mesh_draw_instances(const pelt_gl_mesh* mesh, uint32_t count);

void pelti_programs_destroy(pelt_gl* gl);

#endif
