// SPDX-License-Identifier: MIT
// Pictures of materials, and colour maps, as textures.
#include "stage.h"

#include <epoxy/gl.h>

enum
{
    MAP_WIDTH = 256, // as in render_surface.glsl
};

// Pixels of the user's own uploads may have been packed in any way.
static void reset_unpacking(void)
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
}

static void set_filters(GLint smaller, GLint wrap)
{
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, smaller);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
}

// Textures start at the first row they are given, which is the upper one here, as UVs do.
static uint32_t make_texture(uint32_t width, uint32_t height, const pelt_color* pixels)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, (GLsizei)width, (GLsizei)height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, pixels);
    return texture;
}

static pelt_result create_texture(uint32_t* out, const pelt_picture* picture, GLint most,
                                  const char* material, pelt_error* error)
{
    if (picture->width > (uint32_t)most || picture->height > (uint32_t)most)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "the texture of material \"%s\" has %u x %u pixels, but this driver "
                              "takes %d x %d at most; make it smaller",
                              material, picture->width, picture->height, (int)most, (int)most);
    }
    *out = make_texture(picture->width, picture->height, picture->pixels);
    set_filters(GL_LINEAR_MIPMAP_LINEAR, GL_REPEAT);
    glGenerateMipmap(GL_TEXTURE_2D);
    return pelti_gl_check(error, "a texture");
}

pelt_result pelti_textures_create(pelt_stage* stage, const pelt_picture* pictures,
                                  pelt_error* error)
{
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    reset_unpacking();
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < stage->scene->material_count && result == PELT_OK; ++i)
    {
        const char* name = stage->scene->materials[i].name;
        if (pictures != NULL && pictures[i].pixels != NULL)
        {
            result =
                create_texture(&stage->textures[i], &pictures[i], most, name ? name : "", error);
        }
    }
    return result;
}

void pelti_value_maps_create(pelt_stage* stage)
{
    reset_unpacking();
    for (uint32_t map = 0; map < PELTI_MAP_COUNT; ++map)
    {
        pelt_color colors[MAP_WIDTH];
        for (uint32_t i = 0; i < MAP_WIDTH; ++i)
        {
            colors[i] = pelt_color_map_at((pelt_color_map)map, (float)i / (MAP_WIDTH - 1));
        }
        stage->value_maps[map] = make_texture(MAP_WIDTH, 1, colors);
        set_filters(GL_LINEAR, GL_CLAMP_TO_EDGE);
    }
}
