// SPDX-License-Identifier: MIT
// Pictures of materials, and color maps, as textures.
#include "stage.h"

#include <epoxy/gl.h>

enum
{
    MAP_WIDTH = 256, // as in render_surface.glsl
};

// The user's program may have changed the packing of uploads.
static void reset_unpacking(void)
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
}

void pelti_sampler_set(const pelt_sampler* sampler)
{
    static const GLint wraps[] = {[PELT_TEXTURE_REPEAT] = GL_REPEAT,
                                  [PELT_TEXTURE_CLAMP] = GL_CLAMP_TO_EDGE,
                                  [PELT_TEXTURE_MIRROR] = GL_MIRRORED_REPEAT};
    static const GLint larger[] = {
        [PELT_TEXTURE_LINEAR] = GL_LINEAR, [PELT_TEXTURE_NEAREST] = GL_NEAREST};
    static const GLint smaller[][3] = {
        [PELT_TEXTURE_LINEAR] = {[PELT_MIPS_LINEAR] = GL_LINEAR_MIPMAP_LINEAR,
                                 [PELT_MIPS_NEAREST] = GL_LINEAR_MIPMAP_NEAREST,
                                 [PELT_MIPS_NONE] = GL_LINEAR},
        [PELT_TEXTURE_NEAREST] = {[PELT_MIPS_LINEAR] = GL_NEAREST_MIPMAP_LINEAR,
                                  [PELT_MIPS_NEAREST] = GL_NEAREST_MIPMAP_NEAREST,
                                  [PELT_MIPS_NONE] = GL_NEAREST}};
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    smaller[sampler->min_filter][sampler->mips]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, larger[sampler->mag_filter]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wraps[sampler->wrap_u]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wraps[sampler->wrap_v]);
}

static bool is_color(uint32_t slot)
{
    return slot == PELT_SLOT_BASE_COLOR || slot == PELT_SLOT_EMISSIVE;
}

// Textures start at the first row of the upload, which is the upper one here, as in UVs.
static uint32_t make_texture(uint32_t width, uint32_t height, const pelt_color* pixels,
                             bool is_color)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, is_color ? GL_SRGB8_ALPHA8 : GL_RGBA8, (GLsizei)width,
                 (GLsizei)height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    return texture;
}

// Colors are light times alpha: means of texels are correct only then. Transparent texels have any
// color, which would show along edges.
static pelt_color* multiply_alpha(const pelt_picture* picture)
{
    size_t count = (size_t)picture->width * picture->height;
    pelt_color* out = pelt_allocate(count, sizeof *out);
    float light[256];
    for (int i = 0; i < 256; ++i)
    {
        light[i] = pelt_srgb_to_linear((uint8_t)i);
    }
    for (size_t i = 0; i < count && out != NULL; ++i)
    {
        pelt_color c = picture->pixels[i];
        float alpha = (float)c.a / 255.0f;
        out[i] = c.a == 255 ? c
                            : (pelt_color){pelt_srgb_from_linear(alpha * light[c.r]),
                                           pelt_srgb_from_linear(alpha * light[c.g]),
                                           pelt_srgb_from_linear(alpha * light[c.b]), c.a};
    }
    return out;
}

static pelt_result create_texture(uint32_t* out, const pelt_picture* picture, GLint most,
                                  const pelt_material* material, uint32_t slot, pelt_error* error)
{
    if (picture->width > (uint32_t)most || picture->height > (uint32_t)most)
    {
        return pelt_error_set(
            error, PELT_ERROR_UNSUPPORTED,
            "the texture of material \"%s\" has %u x %u pixels; the limit of this "
            "driver is %d x %d",
            material->name != NULL ? material->name : "", picture->width, picture->height,
            (int)most, (int)most);
    }
    bool has_alpha = slot == PELT_SLOT_BASE_COLOR && material->alpha_mode != PELT_ALPHA_OPAQUE;
    pelt_color* pixels = has_alpha ? multiply_alpha(picture) : NULL;
    if (has_alpha && pixels == NULL)
    {
        return pelt_error_memory(error);
    }
    *out = make_texture(picture->width, picture->height, has_alpha ? pixels : picture->pixels,
                        is_color(slot));
    pelt_release(pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    return pelti_gl_check(error, "a texture");
}

// The kind of a texture: premultiplied color, color or numbers.
static uint32_t kind_of(const pelt_stage* stage, uint32_t index)
{
    uint32_t slot = index % PELT_SLOT_COUNT;
    const pelt_material* material = &stage->scene->materials[index / PELT_SLOT_COUNT];
    return !is_color(slot)                                                             ? 2
           : slot == PELT_SLOT_BASE_COLOR && material->alpha_mode != PELT_ALPHA_OPAQUE ? 1
                                                                                       : 0;
}

// An earlier texture with the same pixels, of the same kind; 0: there is none. Samplers differ, and
// are set when a texture is bound.
static uint32_t find_texture(const pelt_stage* stage, const pelt_picture* pictures, uint32_t index)
{
    for (uint32_t i = 0; i < index; ++i)
    {
        if (pictures[i].pixels == pictures[index].pixels &&
            pictures[i].width == pictures[index].width &&
            pictures[i].height == pictures[index].height &&
            kind_of(stage, i) == kind_of(stage, index))
        {
            return stage->textures[i];
        }
    }
    return 0;
}

pelt_result pelti_textures_create(pelt_stage* stage, const pelt_picture* pictures,
                                  pelt_error* error)
{
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    reset_unpacking();
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < PELT_SLOT_COUNT * stage->scene->material_count && result == PELT_OK;
         ++i)
    {
        if (pictures == NULL || pictures[i].pixels == NULL)
        {
            continue;
        }
        stage->textures[i] = find_texture(stage, pictures, i);
        if (stage->textures[i] == 0)
        {
            result = create_texture(&stage->textures[i], &pictures[i], most,
                                    &stage->scene->materials[i / PELT_SLOT_COUNT],
                                    i % PELT_SLOT_COUNT, error);
        }
    }
    return result;
}

void pelti_value_maps_create(pelt_stage* stage)
{
    const pelt_sampler clamped = {
        .wrap_u = PELT_TEXTURE_CLAMP, .wrap_v = PELT_TEXTURE_CLAMP, .mips = PELT_MIPS_NONE};
    reset_unpacking();
    for (uint32_t map = 0; map < PELTI_MAP_COUNT; ++map)
    {
        pelt_color colors[MAP_WIDTH];
        for (uint32_t i = 0; i < MAP_WIDTH; ++i)
        {
            colors[i] = pelt_color_map_at((pelt_color_map)map, (float)i / (MAP_WIDTH - 1));
        }
        stage->value_maps[map] = make_texture(MAP_WIDTH, 1, colors, true);
        pelti_sampler_set(&clamped);
    }
}
