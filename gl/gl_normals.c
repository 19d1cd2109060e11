// SPDX-License-Identifier: MIT
// Factors for normals in the memory of the GPU: a texture that belongs to a mesh.
#include "gl_context.h"
#include "pelt/prepare.h"

#include <epoxy/gl.h>
#include <string.h>

static size_t rows_of(const pelt_normal_factors* factors, const pelt_gpu_normals* normals)
{
    return pelti_texels_rows((size_t)factors->vertex_count * pelt_gpu_normal_floats(normals));
}

bool pelti_gl_normals_fit(const pelt_gl* gl, const pelt_normal_factors* factors)
{
    pelt_gpu_normals normals = pelt_gpu_normals_of(factors, PELT_NORMAL_ACCURATE);
    return factors->max_factors <= PELT_GPU_SLOT_MAX &&
           rows_of(factors, &normals) <= gl->info.texture_rows;
}

// Two words per texel.
static pelt_result create_words(uint32_t* out, const pelt_normal_factors* factors,
                                const pelt_vec3* normals, const pelt_gpu_normals* layout,
                                pelt_error* error)
{
    size_t row = 2 * (size_t)PELT_NORMAL_WIDTH;
    size_t count = (size_t)factors->vertex_count * PELT_NORMAL_WORDS;
    size_t rows = count > 0 ? (count + row - 1) / row : 1;
    uint32_t* words = pelt_allocate(rows * row, sizeof *words);
    if (words == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(words + (rows - 1) * row, 0, row * sizeof *words);
    pelt_gpu_normals_pack(words, factors, normals, layout);
    glActiveTexture(GL_TEXTURE0 + PELT_GL_NORMAL_UNIT);
    *out = pelti_words_create(rows, words);
    glActiveTexture(GL_TEXTURE0);
    pelt_release(words);
    pelt_result result = pelti_gl_check(error, "normal factors");
    if (result != PELT_OK)
    {
        glDeleteTextures(1, out);
    }
    return result;
}

static pelt_result create_texture(uint32_t* out, const pelt_normal_factors* factors,
                                  const pelt_gpu_normals* normals, pelt_error* error)
{
    size_t rows = rows_of(factors, normals);
    // Whole rows, since a texture is filled by rows.
    float* texels = pelt_allocate(rows * PELTI_TEXEL_ROW_FLOATS, sizeof *texels);
    if (texels == NULL)
    {
        return pelt_error_memory(error);
    }
    for (size_t i = (rows - 1) * PELTI_TEXEL_ROW_FLOATS; i < rows * PELTI_TEXEL_ROW_FLOATS; ++i)
    {
        texels[i] = 0.0f;
    }
    pelt_gpu_normals_write(texels, factors, normals);
    glActiveTexture(GL_TEXTURE0 + PELT_GL_NORMAL_UNIT);
    *out = pelti_texels_create(rows, texels);
    glActiveTexture(GL_TEXTURE0);
    pelt_release(texels);
    pelt_result result = pelti_gl_check(error, "normal factors");
    if (result != PELT_OK)
    {
        glDeleteTextures(1, out);
    }
    return result;
}

// Texture, layout and its bytes of a mesh, in place of what was there.
static void replace(pelt_gl_mesh* mesh, uint32_t texture, const pelt_gpu_normals* normals)
{
    size_t before = mesh->vertex_count * (size_t)pelt_gpu_normal_floats(&mesh->normals);
    size_t after = mesh->vertex_count * (size_t)pelt_gpu_normal_floats(normals);
    glDeleteTextures(1, &mesh->normal_texture);
    mesh->normal_texture = texture;
    mesh->normals = *normals;
    mesh->byte_count = mesh->byte_count + (after - before) * sizeof(float);
}

pelt_result pelt_gl_mesh_set_normals(pelt_gl_mesh* mesh, pelt_gl* gl,
                                     const pelt_normal_factors* factors, pelt_normal_rule rule,
                                     pelt_error* error)
{
    bool has_normals = (mesh->attributes & 1u << PELT_ATTRIBUTE_NORMAL) != 0;
    if (factors == NULL || rule == PELT_NORMAL_STANDARD || !has_normals)
    {
        replace(mesh, 0, &(pelt_gpu_normals){0});
        return PELT_OK;
    }
    PELT_ASSERT(factors->vertex_count == mesh->vertex_count);
    if (!pelti_gl_normals_fit(gl, factors))
    {
        return pelt_error_set(
            error, PELT_ERROR_UNSUPPORTED,
            "normal factors of %u vertices, up to %u each, do not fit: shaders support %d per "
            "vertex (see max_joints), and this driver's textures have at most %u rows",
            factors->vertex_count, factors->max_factors, PELT_GPU_SLOT_MAX, gl->info.texture_rows);
    }
    uint32_t texture = 0;
    pelt_gpu_normals normals = pelt_gpu_normals_of(factors, rule);
    PELT_TRY(create_texture(&texture, factors, &normals, error));
    replace(mesh, texture, &normals);
    mesh->joint_count =
        factors->joint_count > mesh->joint_count ? factors->joint_count : mesh->joint_count;
    return PELT_OK;
}

// Rows of 1024 texels, 5 texels per vertex.
static bool do_words_fit(const pelt_gl* gl, const pelt_normal_factors* factors)
{
    return (size_t)factors->vertex_count * (PELT_NORMAL_WORDS / 2) <=
           (size_t)gl->info.texture_rows * PELT_NORMAL_WIDTH;
}

// Centers of vertices with one influence, whose positions do not depend on them.
static void replace_centers(const pelt_gl_mesh* mesh, const pelt_normal_factors* factors)
{
    if (factors->centers != NULL && (mesh->attributes & 1u << PELT_ATTRIBUTE_COR) != 0)
    {
        glBindBuffer(GL_ARRAY_BUFFER, mesh->vertex_buffer);
        glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)mesh->offsets[PELT_ATTRIBUTE_COR],
                        (GLsizeiptr)(mesh->vertex_count * sizeof(pelt_vec3)), factors->centers);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
    }
}

pelt_result pelt_gl_mesh_set_compact_normals(pelt_gl_mesh* mesh, pelt_gl* gl,
                                             const pelt_normal_factors* factors,
                                             const pelt_vec3* normals, pelt_normal_rule rule,
                                             pelt_error* error)
{
    PELT_ASSERT((mesh->attributes & 1u << PELT_ATTRIBUTE_NORMAL) != 0);
    PELT_ASSERT(factors->vertex_count == mesh->vertex_count && rule != PELT_NORMAL_STANDARD);
    pelt_gpu_normals layout = pelt_gpu_normals_compact(factors, rule);
    if (layout.rule == PELT_NORMAL_STANDARD || !do_words_fit(gl, factors))
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "compact normal factors of %u vertices, up to %u each, do not fit: "
                              "there are 4 per vertex (see max_joints), and this driver's textures "
                              "have at most %u rows",
                              factors->vertex_count, factors->max_factors, gl->info.texture_rows);
    }
    uint32_t texture = 0;
    PELT_TRY(create_words(&texture, factors, normals, &layout, error));
    replace(mesh, texture, &layout);
    replace_centers(mesh, factors);
    mesh->joint_count =
        factors->joint_count > mesh->joint_count ? factors->joint_count : mesh->joint_count;
    return PELT_OK;
}
