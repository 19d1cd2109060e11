// SPDX-License-Identifier: MIT
// Pictures without a window: drawn with samples, resolved, and fetched.
#include "stage.h"

#include <epoxy/gl.h>
#include <string.h>

static void create_buffer(uint32_t* out, GLenum format, uint32_t samples,
                          const pelti_target* target)
{
    glGenRenderbuffers(1, out);
    glBindRenderbuffer(GL_RENDERBUFFER, *out);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)(samples > 1 ? samples : 0), format,
                                     (GLsizei)target->width, (GLsizei)target->height);
}

static void attach(uint32_t* framebuffer, uint32_t color, uint32_t depth)
{
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
}

static pelt_result create_target(pelti_target* out, uint32_t width, uint32_t height,
                                 uint32_t samples, pelt_error* error)
{
    *out = (pelti_target){.width = width, .height = height};
    // Most surfaces are drawn as bytes; blending uses linear light.
    GLenum format = pelti_can_switch_srgb() ? GL_SRGB8_ALPHA8 : GL_RGBA8;
    create_buffer(&out->color, format, samples, out);
    create_buffer(&out->depth, GL_DEPTH24_STENCIL8, samples, out);
    create_buffer(&out->resolved, format, 1, out);
    attach(&out->resolved_framebuffer, out->resolved, 0);
    attach(&out->framebuffer, out->color, out->depth);
    pelt_result result = pelti_gl_check(error, "a picture");
    if (result == PELT_OK && glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    {
        result = pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                "this driver cannot draw %u x %u pixels with %u samples each; try "
                                "a smaller picture",
                                width, height, samples);
    }
    if (result != PELT_OK)
    {
        pelti_target_destroy(out);
    }
    return result;
}

void pelti_target_destroy(pelti_target* target)
{
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteFramebuffers(1, &target->resolved_framebuffer);
    glDeleteRenderbuffers(1, &target->color);
    glDeleteRenderbuffers(1, &target->depth);
    glDeleteRenderbuffers(1, &target->resolved);
    *target = (pelti_target){0};
}

static pelt_result check_size(uint32_t width, uint32_t height, pelt_error* error)
{
    GLint side = 0, view[2] = {0};
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, view);
    uint32_t most_wide = (uint32_t)(side < view[0] ? side : view[0]);
    uint32_t most_high = (uint32_t)(side < view[1] ? side : view[1]);
    if (width <= most_wide && height <= most_high)
    {
        return PELT_OK;
    }
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                          "a picture of %u x %u pixels is too large for this driver, which draws "
                          "%u x %u at most",
                          width, height, most_wide, most_high);
}

// Kept from picture to picture, for animations.
static pelt_result ensure_target(pelt_stage* stage, uint32_t width, uint32_t height,
                                 pelt_error* error)
{
    pelti_target* target = &stage->target;
    if (target->framebuffer != 0 && target->width == width && target->height == height)
    {
        return PELT_OK;
    }
    pelt_result result = check_size(width, height, error);
    if (result == PELT_OK)
    {
        pelti_target_destroy(target);
        result = create_target(target, width, height, stage->sample_count, error);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------

static void fetch(const pelt_picture* out, const pelti_target* target)
{
    GLint width = (GLint)target->width, height = (GLint)target->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved_framebuffer);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->resolved_framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_SKIP_ROWS, 0);
    glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, out->pixels);
}

// OpenGL starts at the bottom.
static void flip_rows(const pelt_picture* picture)
{
    for (uint32_t y = 0; y < picture->height / 2; ++y)
    {
        pelt_color* upper = picture->pixels + (size_t)y * picture->width;
        pelt_color* lower = picture->pixels + (size_t)(picture->height - 1 - y) * picture->width;
        for (uint32_t x = 0; x < picture->width; ++x)
        {
            pelt_color kept = upper[x];
            upper[x] = lower[x];
            lower[x] = kept;
        }
    }
}

static uint8_t times_alpha(uint8_t value, uint8_t alpha)
{
    return (uint8_t)((value * alpha + 127) / 255);
}

static uint8_t divided_by_alpha(uint8_t value, uint8_t alpha)
{
    int quotient = (255 * value + alpha / 2) / alpha;
    return (uint8_t)(quotient < 255 ? quotient : 255);
}

// Pictures have straight alpha; drawing, sums and means are correct with premultiplied colors.
// Pixels without a surface get the exact background, which division would reproduce only
// approximately.
static void straighten_alpha(const pelt_picture* picture, pelt_color background)
{
    uint8_t a = background.a;
    const pelt_color untouched = {times_alpha(background.r, a), times_alpha(background.g, a),
                                  times_alpha(background.b, a), a};
    size_t count = (size_t)picture->width * picture->height;
    for (size_t i = 0; i < count; ++i)
    {
        pelt_color* c = &picture->pixels[i];
        if (memcmp(c, &untouched, sizeof untouched) == 0)
        {
            *c = background;
        }
        else if (c->a > 0 && c->a < 255)
        {
            *c = (pelt_color){divided_by_alpha(c->r, c->a), divided_by_alpha(c->g, c->a),
                              divided_by_alpha(c->b, c->a), c->a};
        }
    }
}

pelt_result pelt_stage_picture(const pelt_picture* out, pelt_stage* stage,
                               const pelt_camera* camera, const pelt_look* look, pelt_error* error)
{
    PELT_ASSERT(out->width > 0 && out->height > 0 && out->pixels != NULL);
    GLint read = 0, draw = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
    pelt_result result = ensure_target(stage, out->width, out->height, error);
    if (result == PELT_OK)
    {
        glBindFramebuffer(GL_FRAMEBUFFER, stage->target.framebuffer);
        stage->is_limited = stage->has_surfaces;
        stage->cover = (pelt_cover){0};
        result = pelt_stage_draw(stage, out->width, out->height, camera, look, error);
        stage->is_limited = false;
    }
    if (result == PELT_OK)
    {
        fetch(out, &stage->target);
        result = pelti_gl_check(error, "reading back a picture");
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)draw);
    if (result == PELT_OK)
    {
        flip_rows(out);
        straighten_alpha(out, look->background);
    }
    return result;
}

pelt_cover pelt_stage_cover(const pelt_stage* stage)
{
    return stage->cover;
}
