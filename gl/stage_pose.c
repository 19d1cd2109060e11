// SPDX-License-Identifier: MIT
// A stage takes over a pose: who is skinned where, and what has to be uploaded for it.
#include "stage.h"

#include <epoxy/gl.h>

// Whether the shaders give what the reference gives for this skin and these options.
static bool is_same_on_gpu(const pelt_palette* palette, const pelt_deform_options* deform)
{
    if (deform->method == PELT_METHOD_LBS)
    {
        return true;
    }
    return palette->is_rigid && deform->sign_rule == PELT_SIGN_HEAVIEST &&
           (deform->dqs_variant == PELT_DQS_ANTIPODAL || deform->method == PELT_METHOD_CRS);
}

// Shapes are added by the CPU, and what follows a node is quickest taken from there too.
static bool choose_gpu(const pelt_stage* stage, uint32_t index, pelt_skinning skinning)
{
    const pelt_instance* instance = &stage->scene->instances[index];
    const pelt_mesh* mesh = &stage->scene->meshes[instance->mesh];
    bool is_possible = skinning != PELT_SKINNING_CPU && instance->skin != PELT_NONE &&
                       mesh->morph_count == 0 && mesh->weights.vertex_count > 0 &&
                       pelt_gpu_has_method(stage->deform.method);
    if (!is_possible || skinning == PELT_SKINNING_GPU)
    {
        return is_possible;
    }
    return mesh->weights.max_influences <= PELT_GPU_INFLUENCE_MAX &&
           is_same_on_gpu(&stage->frame->palettes[instance->skin], &stage->deform);
}

// A mirror turns triangles over. Of a skin, the strongest joint of the first vertex tells.
static bool find_mirrored(const pelt_stage* stage, const pelt_instance* instance)
{
    const pelt_mesh* mesh = &stage->scene->meshes[instance->mesh];
    const pelt_mat34* matrix = NULL;
    if (instance->skin == PELT_NONE)
    {
        matrix = &stage->frame->model_from_node[instance->node];
    }
    else if (mesh->weights.influence_count > 0)
    {
        uint32_t joint = mesh->weights.influences[0].joint;
        matrix = &stage->frame->palettes[instance->skin].matrices[joint];
    }
    if (matrix == NULL)
    {
        return false;
    }
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    return pelt_mat3_determinant(&linear) < 0.0f;
}

// Everything that a vertex of the rest surface brings; the vertex array must be bound.
static void point_at_mesh(const pelt_gl_mesh* mesh, pelt_attribute_set wanted)
{
    glBindBuffer(GL_ARRAY_BUFFER, mesh->vertex_buffer);
    for (uint32_t i = 0; i < PELT_ATTRIBUTE_COUNT; ++i)
    {
        glDisableVertexAttribArray(i);
        if (wanted & mesh->attributes & 1u << i)
        {
            pelti_gl_mesh_point(mesh, (pelt_attribute)i);
        }
    }
}

static void point_at(uint32_t buffer, pelt_attribute attribute, size_t offset)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(attribute);
    glVertexAttribPointer(attribute, 3, GL_FLOAT, GL_FALSE, sizeof(pelt_vec3), (const void*)offset);
}

static void ensure_buffer(uint32_t* buffer)
{
    if (*buffer == 0)
    {
        glGenBuffers(1, buffer);
    }
}

// Centres may have been found after the scene was loaded, and edited since the last pose.
static void upload_cors(pelti_shape* shape, const pelt_vec3* cors)
{
    PELT_ASSERT(cors != NULL);
    ensure_buffer(&shape->cor_buffer);
    point_at(shape->cor_buffer, PELT_ATTRIBUTE_COR, 0);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(shape->mesh.vertex_count * sizeof *cors), cors,
                 GL_DYNAMIC_DRAW);
}

static void upload_surface(pelti_body* body, const pelt_surface* surface, uint32_t vertex_count)
{
    size_t bytes = vertex_count * sizeof(pelt_vec3);
    ensure_buffer(&body->surface_buffer);
    point_at(body->surface_buffer, PELT_ATTRIBUTE_POSITION, 0);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(2 * bytes), NULL, GL_DYNAMIC_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, surface->positions);
    if (surface->normals != NULL)
    {
        point_at(body->surface_buffer, PELT_ATTRIBUTE_NORMAL, bytes);
        glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)bytes, (GLsizeiptr)bytes, surface->normals);
    }
}

static void pose_body(pelt_stage* stage, uint32_t index, pelt_skinning skinning)
{
    const pelt_instance* instance = &stage->scene->instances[index];
    pelti_shape* shape = &stage->shapes[instance->mesh];
    pelti_body* body = &stage->bodies[index];
    const pelt_surface* surface = &stage->frame->surfaces[index];

    *body = (pelti_body){.vertex_array = body->vertex_array,
                         .surface_buffer = body->surface_buffer,
                         .value_buffer = body->value_buffer,
                         .is_on_gpu = choose_gpu(stage, index, skinning),
                         .is_mirrored = find_mirrored(stage, instance),
                         .bounds = pelt_bounds_empty()};
    pelt_bounds_add(&body->bounds, surface->positions, shape->mesh.vertex_count);
    pelt_bounds_add(&stage->bounds, surface->positions, shape->mesh.vertex_count);

    glBindVertexArray(body->vertex_array);
    if (!body->is_on_gpu)
    {
        // Without weights the shader leaves a vertex where it is.
        point_at_mesh(&shape->mesh, 1u << PELT_ATTRIBUTE_UV | 1u << PELT_ATTRIBUTE_COLOR);
        upload_surface(body, surface, shape->mesh.vertex_count);
        return;
    }
    point_at_mesh(&shape->mesh, ~(1u << PELT_ATTRIBUTE_COR));
    if (stage->deform.method == PELT_METHOD_CRS)
    {
        upload_cors(shape, stage->frame->cors[instance->mesh]);
    }
}

static void update_palettes(pelt_stage* stage, pelt_skinning skinning)
{
    bool is_wanted = skinning != PELT_SKINNING_CPU && pelt_gpu_has_method(stage->deform.method);
    for (uint32_t i = 0; i < stage->scene->skin_count && is_wanted; ++i)
    {
        pelt_gl_palette_update(&stage->palettes[i], &stage->frame->palettes[i],
                               stage->deform.method);
    }
}

pelt_result pelt_stage_pose(pelt_stage* stage, const pelt_frame* frame,
                            const pelt_deform_options* deform, pelt_skinning skinning,
                            pelt_error* error)
{
    PELT_ASSERT(frame->instance_count == stage->scene->instance_count);
    stage->frame = frame;
    stage->deform = *deform;
    stage->bounds = pelt_bounds_empty();
    stage->lights.is_sky_drawn = false;
    update_palettes(stage, skinning);
    for (uint32_t i = 0; i < stage->scene->instance_count; ++i)
    {
        pose_body(stage, i, skinning);
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    if (!(stage->bounds.min.x <= stage->bounds.max.x))
    {
        stage->bounds = (pelt_bounds){{-0.5f, 0.0f, -0.5f}, {0.5f, 1.0f, 0.5f}};
    }
    return pelti_gl_check(error, "a pose");
}
