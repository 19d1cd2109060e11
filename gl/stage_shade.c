// SPDX-License-Identifier: MIT
// Opaque surfaces on drivers that draw on the processor, where shading takes nearly all of the
// time: depths first, so that no hidden surface is shaded, and one pixel after the other. Samples
// of a framebuffer then take the colors of these pixels.
#include "stage.h"

#include <epoxy/gl.h>

static void create_texture(uint32_t* out, GLenum attachment, GLenum internal, GLenum format,
                           const pelti_shading* target)
{
    GLenum type = format == GL_RGBA ? GL_UNSIGNED_BYTE : GL_UNSIGNED_INT;
    glGenTextures(1, out);
    glBindTexture(GL_TEXTURE_2D, *out);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, (GLsizei)target->width, (GLsizei)target->height,
                 0, format, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, *out, 0);
}

void pelti_shading_destroy(pelti_shading* shading)
{
    glDeleteFramebuffers(1, &shading->framebuffer);
    glDeleteTextures(1, &shading->color);
    glDeleteTextures(1, &shading->depth);
    *shading = (pelti_shading){0};
}

// Kept from picture to picture.
static pelt_result ensure_target(pelti_shading* inout, const pelti_shot* shot, pelt_error* error)
{
    if (inout->width == shot->width && inout->height == shot->height)
    {
        return PELT_OK;
    }
    pelti_shading_destroy(inout);
    inout->width = shot->width;
    inout->height = shot->height;
    glGenFramebuffers(1, &inout->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, inout->framebuffer);
    glActiveTexture(GL_TEXTURE0);
    create_texture(&inout->color, GL_COLOR_ATTACHMENT0, GL_RGBA8, GL_RGBA, inout);
    create_texture(&inout->depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT,
                   inout);
    glBindTexture(GL_TEXTURE_2D, 0);
    pelt_result result = pelti_gl_check(error, "the pixels of a picture");
    if (result != PELT_OK)
    {
        pelti_shading_destroy(inout);
    }
    return result;
}

static pelt_result draw_pass(pelt_stage* stage, pelti_pass pass, const pelti_shot* shot,
                             pelt_error* error)
{
    return pelti_bodies_draw(stage, pass, &shot->clip_from_model, shot, error);
}

static pelt_result draw_shaded(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    pelt_result result = draw_pass(stage, PELTI_PASS_FILL, shot, error);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    return result == PELT_OK ? draw_pass(stage, PELTI_PASS_SHADE, shot, error) : result;
}

static pelt_result shade_pixels(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    const float nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f}, farthest = 1.0f;
    PELT_TRY(ensure_target(&stage->shading, shot, error));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, stage->shading.framebuffer);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glClearBufferfv(GL_DEPTH, 0, &farthest);
    bool has_stencil = glIsEnabled(GL_STENCIL_TEST);
    glDisable(GL_STENCIL_TEST);
    pelt_result result = draw_shaded(stage, shot, error);
    (has_stencil ? glEnable : glDisable)(GL_STENCIL_TEST);
    return result;
}

pelt_result pelti_shade_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    if (!shot->is_sampled)
    {
        PELT_TRY(draw_shaded(stage, shot, error));
    }
    else
    {
        GLint read = 0, draw = 0;
        glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
        glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
        pelt_result result = shade_pixels(stage, shot, error);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)draw);
        PELT_TRY(result);
        PELT_TRY(draw_pass(stage, PELTI_PASS_COVER, shot, error));
    }
    return draw_pass(stage, PELTI_PASS_MASK, shot, error);
}
