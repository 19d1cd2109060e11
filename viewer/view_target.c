// SPDX-License-Identifier: MIT
#include "view_target.h"

#include <epoxy/gl.h>

enum
{
    SAMPLES = 4,
};

static uint32_t create_buffer(GLenum format, GLsizei samples, uint32_t width, uint32_t height)
{
    uint32_t name;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, (GLsizei)width,
                                     (GLsizei)height);
    return name;
}

static void create_texture(view_target* inout)
{
    glGenTextures(1, &inout->texture);
    glBindTexture(GL_TEXTURE_2D, inout->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)inout->width, (GLsizei)inout->height, 0,
                 GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static pelt_result create(view_target* out, uint32_t width, uint32_t height, pelt_error* error)
{
    *out = (view_target){.width = width, .height = height};
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    GLsizei samples = most < SAMPLES ? most : SAMPLES;
    out->color = create_buffer(GL_RGBA8, samples, width, height);
    out->depth = create_buffer(GL_DEPTH24_STENCIL8, samples, width, height);
    create_texture(out);
    glGenFramebuffers(1, &out->resolved);
    glBindFramebuffer(GL_FRAMEBUFFER, out->resolved);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, out->texture, 0);
    glGenFramebuffers(1, &out->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, out->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, out->color);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              out->depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    {
        view_target_destroy(out);
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "this driver cannot draw a viewport of %u x %u pixels", width,
                              height);
    }
    return PELT_OK;
}

pelt_result view_target_bind(view_target* inout, uint32_t width, uint32_t height, pelt_error* error)
{
    if (inout->framebuffer == 0 || inout->width != width || inout->height != height)
    {
        view_target_destroy(inout);
        pelt_result result = create(inout, width, height, error);
        if (result != PELT_OK)
        {
            return result;
        }
    }
    glBindFramebuffer(GL_FRAMEBUFFER, inout->framebuffer);
    return PELT_OK;
}

void view_target_resolve(const view_target* in)
{
    GLint width = (GLint)in->width, height = (GLint)in->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, in->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, in->resolved);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void view_target_destroy(view_target* in)
{
    glDeleteFramebuffers(1, &in->framebuffer);
    glDeleteFramebuffers(1, &in->resolved);
    glDeleteRenderbuffers(1, &in->color);
    glDeleteRenderbuffers(1, &in->depth);
    glDeleteTextures(1, &in->texture);
    *in = (view_target){0};
}
