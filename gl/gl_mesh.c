// SPDX-License-Identifier: MIT
// Meshes in the memory of the GPU: one buffer, in which each attribute is an array of its own, so
// that a rest surface can be replaced without touching the rest.
#include "gl_context.h"

#include <epoxy/gl.h>
#include <string.h>

// Where each attribute begins. @return bytes of all
static size_t plan_buffer(pelt_gl_mesh* out)
{
    size_t end = 0;
    for (uint32_t i = 0; i < PELT_ATTRIBUTE_COUNT; ++i)
    {
        if (out->attributes & 1u << i)
        {
            out->offsets[i] = end;
            end += (size_t)out->vertex_count *
                   pelt_gpu_attribute_bytes((pelt_attribute)i, out->influence_count);
        }
    }
    return end;
}

static void write_influences(char* buffer, pelt_gl_mesh* mesh, const pelt_weights* weights)
{
    const pelt_gpu_weights out = {.joints = {buffer + mesh->offsets[PELT_ATTRIBUTE_JOINTS],
                                             buffer + mesh->offsets[PELT_ATTRIBUTE_JOINTS_2]},
                                  .weights = {buffer + mesh->offsets[PELT_ATTRIBUTE_WEIGHTS],
                                              buffer + mesh->offsets[PELT_ATTRIBUTE_WEIGHTS_2]}};
    mesh->pruned_count =
        pelt_gpu_weights_write(&out, weights, mesh->vertex_count, mesh->influence_count);
}

static void write_attribute(char* buffer, const pelt_gl_mesh* mesh, pelt_attribute attribute,
                            const void* values)
{
    if (values != NULL && (mesh->attributes & 1u << attribute))
    {
        size_t size = pelt_gpu_attribute_bytes(attribute, mesh->influence_count);
        memcpy(buffer + mesh->offsets[attribute], values, mesh->vertex_count * size);
    }
}

static void write_buffer(char* buffer, pelt_gl_mesh* out, const pelt_mesh* mesh,
                         const pelt_gl_mesh_options* options)
{
    write_attribute(buffer, out, PELT_ATTRIBUTE_POSITION, mesh->positions);
    write_attribute(buffer, out, PELT_ATTRIBUTE_NORMAL, mesh->normals);
    write_attribute(buffer, out, PELT_ATTRIBUTE_TANGENT, mesh->tangents);
    write_attribute(buffer, out, PELT_ATTRIBUTE_UV, mesh->uvs);
    write_attribute(buffer, out, PELT_ATTRIBUTE_COLOR, mesh->colors);
    write_attribute(buffer, out, PELT_ATTRIBUTE_COR, options->cors ? options->cors : mesh->cors);
    write_attribute(buffer, out, PELT_ATTRIBUTE_MIX,
                    options->mix_factors ? options->mix_factors : mesh->mix_factors);
    write_attribute(buffer, out, PELT_ATTRIBUTE_VERTEX, options->vertex_ids);
    write_influences(buffer, out, &mesh->weights);
}

void pelti_gl_mesh_point(const pelt_gl_mesh* mesh, pelt_attribute attribute)
{
    GLsizei stride = (GLsizei)pelt_gpu_attribute_bytes(attribute, mesh->influence_count);
    const void* offset = (const void*)mesh->offsets[attribute];
    bool is_joints = attribute == PELT_ATTRIBUTE_JOINTS || attribute == PELT_ATTRIBUTE_JOINTS_2;

    glEnableVertexAttribArray(attribute);
    if (attribute == PELT_ATTRIBUTE_VERTEX)
    {
        glVertexAttribIPointer(attribute, 1, GL_UNSIGNED_INT, stride, offset);
        return;
    }
    if (is_joints)
    {
        glVertexAttribIPointer(attribute, stride / (GLsizei)sizeof(uint16_t), GL_UNSIGNED_SHORT,
                               stride, offset);
        return;
    }
    glVertexAttribPointer(attribute, stride / (GLsizei)sizeof(float), GL_FLOAT, GL_FALSE, stride,
                          offset);
}

static void create_objects(pelt_gl_mesh* out, const void* vertices, size_t vertex_bytes,
                           const uint32_t* indices)
{
    size_t index_bytes = out->index_count * sizeof *indices;
    glGenVertexArrays(1, &out->vertex_array);
    glGenBuffers(1, &out->vertex_buffer);
    glGenBuffers(1, &out->index_buffer);
    glBindVertexArray(out->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, out->vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)vertex_bytes, vertices, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, out->index_buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)index_bytes, indices, GL_STATIC_DRAW);
    for (uint32_t i = 0; i < PELT_ATTRIBUTE_COUNT; ++i)
    {
        if (out->attributes & 1u << i)
        {
            pelti_gl_mesh_point(out, (pelt_attribute)i);
        }
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    out->byte_count = vertex_bytes + index_bytes;
}

static pelt_gl_mesh describe(const pelt_mesh* mesh, const pelt_gl_mesh_options* options)
{
    bool has_cors = options->cors != NULL || mesh->cors != NULL;
    uint32_t influence_count = pelt_gpu_influence_count(mesh, options->max_influences);
    pelt_gl_mesh out = {.vertex_count = mesh->vertex_count,
                        .index_count = mesh->index_count,
                        .joint_count =
                            mesh->weights.joint_count > 0 ? mesh->weights.joint_count : 1,
                        .influence_count = influence_count,
                        .attributes = pelt_gpu_attributes(mesh, PELT_METHOD_LBS, influence_count)};
    bool has_factors = options->mix_factors != NULL || mesh->mix_factors != NULL;
    out.attributes |= has_cors ? 1u << PELT_ATTRIBUTE_COR : 0;
    out.attributes |= has_factors ? 1u << PELT_ATTRIBUTE_MIX : 0;
    out.attributes |= options->vertex_ids != NULL ? 1u << PELT_ATTRIBUTE_VERTEX : 0;
    return out;
}

pelt_result pelt_gl_mesh_create(pelt_gl_mesh* out, pelt_gl* gl, const pelt_mesh* mesh,
                                const pelt_gl_mesh_options* options, pelt_error* error)
{
    PELT_ASSERT(gl != NULL);
    const pelt_gl_mesh_options defaults = {0};
    options = options ? options : &defaults;

    *out = describe(mesh, options);
    size_t vertex_bytes = plan_buffer(out);
    char* buffer = pelt_allocate(vertex_bytes, 1);
    if (buffer == NULL)
    {
        *out = (pelt_gl_mesh){0};
        return pelt_error_memory(error);
    }
    memset(buffer, 0, vertex_bytes);
    write_buffer(buffer, out, mesh, options);
    create_objects(out, buffer, vertex_bytes, mesh->indices);
    pelt_release(buffer);

    pelt_result result = pelti_gl_check(error, "mesh buffers");
    if (result == PELT_OK)
    {
        result =
            pelt_gl_mesh_set_normals(out, gl, options->normal_factors, options->normal_rule, error);
    }
    if (result != PELT_OK)
    {
        pelt_gl_mesh_destroy(out);
    }
    return result;
}

void pelt_gl_mesh_destroy(pelt_gl_mesh* mesh)
{
    glDeleteVertexArrays(1, &mesh->vertex_array);
    glDeleteBuffers(1, &mesh->vertex_buffer);
    glDeleteBuffers(1, &mesh->index_buffer);
    glDeleteTextures(1, &mesh->normal_texture);
    *mesh = (pelt_gl_mesh){0};
}

static void replace(const pelt_gl_mesh* mesh, pelt_attribute attribute, const void* values)
{
    if (values != NULL && (mesh->attributes & 1u << attribute))
    {
        size_t size = mesh->vertex_count * (size_t)pelt_gpu_attribute_bytes(attribute, 1);
        glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)mesh->offsets[attribute], (GLsizeiptr)size,
                        values);
    }
}

void pelt_gl_mesh_update(pelt_gl_mesh* mesh, const pelt_surface* rest)
{
    PELT_ASSERT((rest->position_stride | rest->normal_stride | rest->tangent_stride) == 0);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->vertex_buffer);
    replace(mesh, PELT_ATTRIBUTE_POSITION, rest->positions);
    replace(mesh, PELT_ATTRIBUTE_NORMAL, rest->normals);
    replace(mesh, PELT_ATTRIBUTE_TANGENT, rest->tangents);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void pelti_gl_mesh_bind(const pelt_gl_mesh* mesh)
{
    glBindVertexArray(mesh->vertex_array);
    if (mesh->normal_texture != 0)
    {
        pelti_texels_bind(mesh->normal_texture, PELT_GL_NORMAL_UNIT);
    }
}

void pelti_gl_mesh_draw_instances(const pelt_gl_mesh* mesh, uint32_t count)
{
    // A disabled attribute is black by default.
    if (!(mesh->attributes & 1u << PELT_ATTRIBUTE_COLOR))
    {
        glVertexAttrib4f(PELT_ATTRIBUTE_COLOR, 1.0f, 1.0f, 1.0f, 1.0f);
    }
    pelti_gl_mesh_bind(mesh);
    glDrawElementsInstanced(GL_TRIANGLES, (GLsizei)mesh->index_count, GL_UNSIGNED_INT, NULL,
                            (GLsizei)count);
}

void pelt_gl_mesh_draw(const pelt_gl_mesh* mesh)
{
    pelti_gl_mesh_draw_instances(mesh, 1);
}
