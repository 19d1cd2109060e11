// SPDX-License-Identifier: MIT
#include "view_target.h"

#include <epoxy/gl.h>

enum
{
    SAMPLES = 4,
};

static void size_buffer(uint32_t name, GLenum format, const view_target* in)
{
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, most < SAMPLES ? most : SAMPLES, format,
                                     (GLsizei)in->width, (GLsizei)in->height);
}

static void size_texture(const view_target* in)
{
    glBindTexture(GL_TEXTURE_2D, in->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)in->width, (GLsizei)in->height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
}

static void set_size(view_target* inout, uint32_t width, uint32_t height)
{
    inout->width = width;
    inout->height = height;
    size_buffer(inout->color, GL_RGBA8, inout);
    size_buffer(inout->depth, GL_DEPTH24_STENCIL8, inout);
    size_texture(inout);
}

void view_target_create(view_target* out)
{
    *out = (view_target){0};
    glGenRenderbuffers(1, &out->color);
    glGenRenderbuffers(1, &out->depth);
    glGenTextures(1, &out->texture);
    glBindTexture(GL_TEXTURE_2D, out->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    set_size(out, 1, 1);
    glGenFramebuffers(1, &out->resolved);
    glBindFramebuffer(GL_FRAMEBUFFER, out->resolved);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, out->texture, 0);
    glGenFramebuffers(1, &out->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, out->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, out->color);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              out->depth);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

pelt_result view_target_bind(view_target* inout, uint32_t width, uint32_t height, pelt_error* error)
{
    if (inout->width != width || inout->height != height)
    {
        set_size(inout, width, height);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, inout->framebuffer);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
    {
        return PELT_OK;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                          "this driver cannot draw a viewport of %u x %u pixels", width, height);
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
