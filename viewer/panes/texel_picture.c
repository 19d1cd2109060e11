// SPDX-License-Identifier: MIT
#include "texel_picture.h"

#include <epoxy/gl.h>
#include <stdlib.h>

// Four bytes of each texel, which has 4, 2 or 1 words.
static void fill(uint8_t* out, const pelt_baked* baked)
{
    uint32_t words = pelt_texel_words(baked->texel);
    size_t count = (size_t)baked->width * baked->height;
    for (size_t i = 0; i < count; ++i)
    {
        const uint32_t* texel = baked->words + i * words;
        for (uint32_t k = 0; k < 4; ++k)
        {
            uint32_t byte = (k + 1) * words - 1; // the highest of component k
            out[4 * i + k] = (uint8_t)(texel[byte / 4] >> (8 * (byte % 4)));
        }
        out[4 * i + 3] = 255; // alpha would hide the others
    }
}

bool texel_picture_update(texel_picture* inout, const pelt_baked* baked)
{
    if (inout->texture != 0 && inout->shown == baked)
    {
        return true;
    }
    uint8_t* pixels = calloc((size_t)baked->width * baked->height, 4);
    if (pixels == NULL)
    {
        return false;
    }
    fill(pixels, baked);
    if (inout->texture == 0)
    {
        glGenTextures(1, &inout->texture);
    }
    glBindTexture(GL_TEXTURE_2D, inout->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)baked->width, (GLsizei)baked->height, 0,
                 GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    free(pixels);
    inout->shown = baked;
    return true;
}

void texel_picture_destroy(texel_picture* in)
{
    glDeleteTextures(1, &in->texture);
    *in = (texel_picture){0};
}
