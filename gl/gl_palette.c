// SPDX-License-Identifier: MIT
// Palettes in the memory of the GPU: a uniform block where they fit, a texture where they do not.
#include "gl_context.h"

#include <epoxy/gl.h>
#include <string.h>

enum
{
    JOINT_FLOATS_MAX = 20, // mix
};

pelt_result pelt_gl_palette_create(pelt_gl_palette* out, pelt_gl* gl, uint32_t joint_count,
                                   pelt_palette_kind kind, pelt_error* error)
{
    const pelt_gl_info* info = &gl->info;
    size_t floats = (size_t)joint_count * JOINT_FLOATS_MAX;
    bool fits_block = floats * sizeof(float) <= info->block_bytes;

    *out = (pelt_gl_palette){0};
    if ((kind == PELT_PALETTE_BLOCK && !fits_block) ||
        pelti_texels_rows(floats) > info->texture_rows)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "a palette of %u joints exceeds the %s size of this driver",
                              joint_count,
                              kind == PELT_PALETTE_BLOCK ? "uniform block" : "texture");
    }
    // Whole rows, since a texture is filled by rows.
    float* staging =
        pelt_allocate(pelti_texels_rows(floats) * PELTI_TEXEL_ROW_FLOATS, sizeof *staging);
    if (staging == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(staging, 0, pelti_texels_rows(floats) * PELTI_TEXEL_ROW_FLOATS * sizeof *staging);
    *out = (pelt_gl_palette){.joint_count = joint_count,
                             .wanted = kind,
                             .block_bytes = info->block_bytes,
                             .staging = staging};
    return PELT_OK;
}

void pelt_gl_palette_destroy(pelt_gl_palette* palette)
{
    glDeleteBuffers(1, &palette->buffer);
    glDeleteTextures(1, &palette->texture);
    pelt_release(palette->staging);
    *palette = (pelt_gl_palette){0};
}

// The buffer is as long as the block in the shader, whatever the number of joints: a shorter one
// may not be drawn with.
static void update_buffer(pelt_gl_palette* palette, size_t floats)
{
    bool is_new = palette->buffer == 0;
    if (is_new)
    {
        glGenBuffers(1, &palette->buffer);
    }
    glBindBuffer(GL_UNIFORM_BUFFER, palette->buffer);
    if (is_new)
    {
        glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)palette->block_bytes, NULL, GL_DYNAMIC_DRAW);
    }
    glBufferSubData(GL_UNIFORM_BUFFER, 0, (GLsizeiptr)(floats * sizeof(float)), palette->staging);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
}

static void update_texture(pelt_gl_palette* palette, size_t floats)
{
    glActiveTexture(GL_TEXTURE0 + PELT_GL_PALETTE_UNIT);
    if (palette->texture == 0)
    {
        size_t most = (size_t)palette->joint_count * JOINT_FLOATS_MAX;
        palette->texture = pelti_texels_create(pelti_texels_rows(most), NULL);
    }
    glBindTexture(GL_TEXTURE_2D, palette->texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, PELT_PALETTE_WIDTH, (GLsizei)pelti_texels_rows(floats),
                    GL_RGBA, GL_FLOAT, palette->staging);
    glActiveTexture(GL_TEXTURE0);
}

void pelt_gl_palette_set_layout(pelt_gl_palette* palette, pelt_gpu_layout layout)
{
    palette->layout = layout;
}

void pelt_gl_palette_set_signs(pelt_gl_palette* palette, pelt_sign_rule rule)
{
    PELT_ASSERT(pelt_gpu_has_signs(rule));
    palette->sign_rule = rule;
}

void pelt_gl_palette_update(pelt_gl_palette* palette, const pelt_palette* joints,
                            pelt_method method, pelt_scale_pivot pivot)
{
    PELT_ASSERT(joints->joint_count <= palette->joint_count);
    PELT_ASSERT(pelt_gpu_has_method(method));

    palette->method = method;
    palette->scale = pelt_gpu_scale_of(joints, pivot);
    size_t joint_floats = pelt_gpu_joint_floats(method, palette->scale, palette->layout);
    size_t floats = joints->joint_count * joint_floats;
    // By capacity and not by this update, so that a program stays the right one for a method.
    size_t most = palette->joint_count * joint_floats;
    bool fits_block = most * sizeof(float) <= palette->block_bytes;
    bool is_block = fits_block && palette->wanted != PELT_PALETTE_TEXTURE;

    pelt_gpu_palette_write(palette->staging, joints, method, palette->scale, palette->layout);
    palette->kind = is_block ? PELT_PALETTE_BLOCK : PELT_PALETTE_TEXTURE;
    if (is_block)
    {
        update_buffer(palette, floats);
        return;
    }
    update_texture(palette, floats);
}

void pelt_gl_palette_bind(const pelt_gl_palette* palette)
{
    PELT_ASSERT(palette->kind != PELT_PALETTE_AUTO);
    if (palette->kind == PELT_PALETTE_BLOCK)
    {
        glBindBufferBase(GL_UNIFORM_BUFFER, PELT_GL_PALETTE_BINDING, palette->buffer);
        return;
    }
    pelti_texels_bind(palette->texture, PELT_GL_PALETTE_UNIT);
}
