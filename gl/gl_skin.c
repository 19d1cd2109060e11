// SPDX-License-Identifier: MIT
// Skinning on the GPU, read back through transform feedback.
#include "gl_context.h"

#include <epoxy/gl.h>

typedef pelti_feedback_vertex feedback_vertex;

static void ensure_framebuffer(pelt_gl* gl)
{
    if (gl->framebuffer != 0)
    {
        return;
    }
    glGenRenderbuffers(1, &gl->renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, gl->renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    glGenFramebuffers(1, &gl->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              gl->renderbuffer);
}

static void ensure_buffer(pelt_gl* gl, size_t bytes)
{
    if (gl->feedback_buffer == 0)
    {
        glGenBuffers(1, &gl->feedback_buffer);
    }
    if (gl->feedback_bytes < bytes)
    {
        glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, gl->feedback_buffer);
        glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_READ);
        gl->feedback_bytes = bytes;
    }
}

static void draw_points(pelt_gl* gl, const pelt_gl_mesh* mesh)
{
    GLint read = 0, draw = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
    ensure_framebuffer(gl);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->framebuffer);
    glEnable(GL_RASTERIZER_DISCARD);
    pelti_gl_mesh_bind(mesh);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, (GLsizei)mesh->vertex_count);
    glEndTransformFeedback();
    ++gl->info.draw_count;
    glBindVertexArray(0);
    glDisable(GL_RASTERIZER_DISCARD);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)draw);
}

static void copy_out(const pelt_surface* out, const pelt_gl_mesh* mesh, const feedback_vertex* in)
{
    bool has_normals = out->normals && (mesh->attributes & 1u << PELT_ATTRIBUTE_NORMAL);
    bool has_tangents = out->tangents && (mesh->attributes & 1u << PELT_ATTRIBUTE_TANGENT);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        if (out->positions)
        {
            *(pelt_vec3*)pelt_vec3_at(out->positions, out->position_stride, v) = in[v].position;
        }
        if (has_normals)
        {
            *(pelt_vec3*)pelt_vec3_at(out->normals, out->normal_stride, v) = in[v].normal;
        }
        if (has_tangents)
        {
            *(pelt_vec4*)pelt_vec4_at(out->tangents, out->tangent_stride, v) = in[v].tangent;
        }
    }
}

static pelt_result read_back(const pelt_surface* out, const pelt_gl_mesh* mesh, pelt_error* error)
{
    size_t bytes = mesh->vertex_count * sizeof(feedback_vertex);
    const feedback_vertex* vertices =
        glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    if (vertices == NULL)
    {
        pelti_gl_check(NULL, "");
        return pelt_error_set(error, PELT_ERROR_MEMORY, "out of GPU memory: skinned vertices");
    }
    copy_out(out, mesh, vertices);
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    return PELT_OK;
}

pelt_result pelti_gl_feedback_draw(uint32_t buffer, pelt_gl* gl, const pelt_gl_mesh* mesh,
                                   pelt_error* error)
{
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    draw_points(gl, mesh);
    glUseProgram(0);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    return pelti_gl_check(error, "transform feedback");
}

pelt_result pelti_gl_feedback(uint32_t buffer, pelt_gl* gl, const pelt_gl_mesh* mesh,
                              const pelt_gl_palette* palette, float mix, pelt_error* error)
{
    PELT_ASSERT(palette->kind != PELT_PALETTE_AUTO);
    PELT_ASSERT(mesh->joint_count <= palette->joint_count);
    PELT_ASSERT(!pelt_method_info(palette->method)->needs_centers ||
                (mesh->attributes & 1u << PELT_ATTRIBUTE_COR));
    pelt_gl_program program;
    pelt_gl_program_desc desc = pelt_gl_program_desc_of(mesh, palette);
    pelt_result result = pelt_gl_program_get(&program, gl, &desc, error);
    if (result != PELT_OK || mesh->vertex_count == 0)
    {
        return result;
    }
    pelt_gl_program_use(&program, palette, mix);
    return pelti_gl_feedback_draw(buffer, gl, mesh, error);
}

uint32_t pelti_gl_feedback_buffer(pelt_gl* gl, const pelt_gl_mesh* mesh)
{
    ensure_buffer(gl, mesh->vertex_count * sizeof(feedback_vertex));
    return gl->feedback_buffer;
}

pelt_result pelti_gl_feedback_read(const pelt_surface* out, pelt_gl* gl, const pelt_gl_mesh* mesh,
                                   pelt_result drawn, pelt_error* error)
{
    pelt_result result = drawn;
    if (result == PELT_OK && mesh->vertex_count > 0)
    {
        glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, gl->feedback_buffer);
        result = read_back(out, mesh, error);
    }
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, 0);
    if (result != PELT_OK)
    {
        // It is not known whether the buffer has its size: it is allocated again next time.
        gl->feedback_bytes = 0;
    }
    return result;
}

pelt_result pelt_gl_skin(const pelt_surface* out, pelt_gl* gl, const pelt_gl_mesh* mesh,
                         const pelt_gl_palette* palette, float mix, pelt_error* error)
{
    uint32_t buffer = pelti_gl_feedback_buffer(gl, mesh);
    pelt_result drawn = pelti_gl_feedback(buffer, gl, mesh, palette, mix, error);
    return pelti_gl_feedback_read(out, gl, mesh, drawn, error);
}
