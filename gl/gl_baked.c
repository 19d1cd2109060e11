// SPDX-License-Identifier: MIT
// Animation textures in the memory of the GPU.
#include "gl_context.h"

#include <epoxy/gl.h>

typedef struct texel_format
{
    GLint internal;
    GLenum type; // of four channels
} texel_format;

static const texel_format formats[] = {
    [PELT_TEXEL_RGBA32UI] = {GL_RGBA32UI, GL_UNSIGNED_INT},
    [PELT_TEXEL_RGBA16UI] = {GL_RGBA16UI, GL_UNSIGNED_SHORT},
    [PELT_TEXEL_RGBA8UI] = {GL_RGBA8UI, GL_UNSIGNED_BYTE},
};

// Words are little-endian in the texture, as they are in the memory of all that this runs on.
static void create_texture(pelt_gl_baked* out, const pelt_baked* baked)
{
    texel_format format = formats[baked->texel];
    glActiveTexture(GL_TEXTURE0 + PELT_GL_BAKED_UNIT);
    glGenTextures(1, &out->texture);
    glBindTexture(GL_TEXTURE_2D, out->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format.internal, (GLsizei)baked->width, (GLsizei)baked->height,
                 0, GL_RGBA_INTEGER, format.type, baked->words);
    // Integers have no filter, and without these the texture is not complete.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glActiveTexture(GL_TEXTURE0);
}

pelt_result pelt_gl_baked_create(pelt_gl_baked* out, pelt_gl* gl, const pelt_baked* baked,
                                 pelt_error* error)
{
    PELT_ASSERT(baked->texel != PELT_TEXEL_AUTO);
    *out = (pelt_gl_baked){.format = pelt_gpu_baked_of(baked),
                           .clip_count = baked->clip_count,
                           .byte_count = pelt_baked_bytes(baked)};
    out->joint_count = baked->encoding != PELT_ENCODING_VERTEX ? baked->joint_count : 0;
    uint32_t most = gl->info.texture_rows;
    if (baked->width > most || baked->height > most)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "an animation texture of %u by %u texels is too large for this "
                              "driver, which has up to %u; bake with max_size",
                              baked->width, baked->height, most);
    }
    create_texture(out, baked);
    pelt_result result = pelti_gl_check(error, "an animation texture");
    if (result != PELT_OK)
    {
        pelt_gl_baked_destroy(out);
    }
    return result;
}

void pelt_gl_baked_destroy(pelt_gl_baked* baked)
{
    glDeleteTextures(1, &baked->texture);
    *baked = (pelt_gl_baked){0};
}
