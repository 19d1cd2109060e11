// SPDX-License-Identifier: MIT
// The object that owns programs and scratch buffers of one OpenGL context, and knows its limits.
#include "gl_context.h"

#include <epoxy/gl.h>
#include <string.h>

enum
{
    // Larger blocks exist, but are slow to fill, and a texture is as fast above this size.
    BLOCK_BYTES_MAX = 65536,
};

static uint32_t limit_of(GLenum name, uint32_t most)
{
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value < 0 || (uint32_t)value > most ? most : (uint32_t)value;
}

// The software drivers of Mesa, Chromium and Apple.
static bool is_software(const char* renderer)
{
    static const char* const names[] = {"llvmpipe", "softpipe", "SwiftShader", "Software Renderer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    {
        if (strstr(renderer, names[i]) != NULL)
        {
            return true;
        }
    }
    return false;
}

static pelt_result inspect(pelt_gl_info* out, pelt_error* error)
{
    // Without a context, drivers return NULL.
    const char* version = (const char*)glGetString(GL_VERSION);
    if (version == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "no OpenGL context is current on this thread");
    }
    bool is_desktop = epoxy_is_desktop_gl();
    if (epoxy_gl_version() < (is_desktop ? 33 : 30))
    {
        return pelt_error_set(
            error, PELT_ERROR_UNSUPPORTED,
            "the OpenGL context has version \"%s\"; pelt needs OpenGL 3.3 or OpenGL ES 3.0",
            version);
    }
    const char* renderer = (const char*)glGetString(GL_RENDERER);
    *out = (pelt_gl_info){.language = is_desktop ? PELT_GLSL_330 : PELT_GLSL_ES_300,
                          .renderer = renderer,
                          .version = version,
                          .is_software = is_software(renderer),
                          .block_bytes = limit_of(GL_MAX_UNIFORM_BLOCK_SIZE, BLOCK_BYTES_MAX),
                          .texture_rows = limit_of(GL_MAX_TEXTURE_SIZE, UINT32_MAX)};
    return PELT_OK;
}

static pelt_result fill(pelt_gl* gl, pelt_gl_source source, pelt_error* error)
{
    if (source != PELT_GL_CURRENT)
    {
        pelt_glsl language = source == PELT_GL_OFFSCREEN_ES ? PELT_GLSL_ES_300 : PELT_GLSL_330;
        PELT_TRY(pelti_offscreen_create(&gl->offscreen, language, error));
    }
    return inspect(&gl->info, error);
}

pelt_result pelt_gl_create(pelt_gl** out, pelt_gl_source source, pelt_error* error)
{
    *out = NULL;
    pelt_gl* gl = pelt_allocate(1, sizeof *gl);
    if (gl == NULL)
    {
        return pelt_error_memory(error);
    }
    *gl = (pelt_gl){0};
    pelt_result result = fill(gl, source, error);
    if (result != PELT_OK)
    {
        pelti_offscreen_destroy(&gl->offscreen);
        pelt_release(gl);
        return result;
    }
    *out = gl;
    return PELT_OK;
}

void pelt_gl_destroy(pelt_gl* gl)
{
    if (gl == NULL)
    {
        return;
    }
    pelti_programs_destroy(gl);
    glDeleteBuffers(1, &gl->feedback_buffer);
    glDeleteFramebuffers(1, &gl->framebuffer);
    glDeleteRenderbuffers(1, &gl->renderbuffer);
    pelti_offscreen_destroy(&gl->offscreen);
    pelt_release(gl);
}

pelt_result pelt_gl_make_current(pelt_gl* gl, pelt_error* error)
{
    PELT_ASSERT(gl->offscreen.context != NULL);
    return pelti_offscreen_make_current(&gl->offscreen, error);
}

pelt_gl_info pelt_gl_describe(const pelt_gl* gl)
{
    return gl->info;
}

pelt_result pelti_gl_check(pelt_error* error, const char* what)
{
    GLenum code = glGetError();
    if (code == GL_NO_ERROR)
    {
        return PELT_OK;
    }
    // Some errors come in pairs; an old one must not be reported for the next call.
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i)
    {
    }
    return code == GL_OUT_OF_MEMORY
               ? pelt_error_set(error, PELT_ERROR_MEMORY, "out of GPU memory: %s", what)
               : pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                "OpenGL error 0x%x: %s; this may be a driver bug", (unsigned)code,
                                what);
}
