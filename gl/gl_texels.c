// SPDX-License-Identifier: MIT
// Textures of floats that shaders fetch texel by texel: palettes, and factors for normals.
#include "gl_context.h"

#include <epoxy/gl.h>

_Static_assert((int)PELT_NORMAL_WIDTH == (int)PELT_PALETTE_WIDTH,
               "one width for all such textures");

size_t pelti_texels_rows(size_t floats)
{
    return floats > 0 ? (floats + PELTI_TEXEL_ROW_FLOATS - 1) / PELTI_TEXEL_ROW_FLOATS : 1;
}

static uint32_t create_texture(GLint format, size_t rows, GLenum channels, GLenum type,
                               const void* texels)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, PELT_PALETTE_WIDTH, (GLsizei)rows, 0, channels, type,
                 texels);
    // Without these a texture that has no mipmaps is not complete.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    return texture;
}

uint32_t pelti_texels_create(size_t rows, const float* texels)
{
    return create_texture(GL_RGBA32F, rows, GL_RGBA, GL_FLOAT, texels);
}

uint32_t pelti_words_create(size_t rows, const uint32_t* words)
{
    return create_texture(GL_RG32UI, rows, GL_RG_INTEGER, GL_UNSIGNED_INT, words);
}

void pelti_texels_bind(uint32_t texture, uint32_t unit)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glActiveTexture(GL_TEXTURE0);
}
