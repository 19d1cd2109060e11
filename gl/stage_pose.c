// SPDX-License-Identifier: MIT
// Uploads a pose to a stage: matrices, palettes and morph targets.
#include "stage.h"

#include <epoxy/gl.h>

// The factors by which the reference finds normals of an instance; NULL: by the standard rule.
static const pelt_normal_factors* factors_of(const pelt_stage* stage, uint32_t index)
{
    uint32_t mesh = stage->scene->instances[index].mesh;
    bool has_rule = stage->deform.normal_rule != PELT_NORMAL_STANDARD &&
                    stage->scene->meshes[mesh].normals != NULL;
    return has_rule ? stage->frame->normal_factors[mesh] : NULL;
}

// Whether shaders compute the same normals with them.
static bool are_normals_same_on_gpu(const pelt_stage* stage, const pelt_normal_factors* factors)
{
    bool has_limit =
        stage->deform.normal_rule == PELT_NORMAL_PAPER && stage->deform.normal_clamp != 0.0f;
    return factors == NULL || (pelti_gl_normals_fit(stage->gl, factors) && !has_limit);
}

// Whether the shaders give the result of the reference under these options.
static bool is_same_on_gpu(const pelt_deform_options* deform, const pelt_palette* palette)
{
    if (deform->distance_correction > 0.0f)
    {
        return false;
    }
    const pelt_method_traits* traits = pelt_method_info(deform->method);
    if (!traits->needs_motions)
    {
        return true;
    }
    return !palette->has_mixed_handedness && pelt_gpu_has_signs(deform->sign_rule) &&
           (deform->dqs_variant == PELT_DQS_ANTIPODAL || !traits->has_dqs_variant);
}

// The CPU adds morph targets, and provides instances that follow a node.
static bool choose_gpu(const pelt_stage* stage, uint32_t index, pelt_skinning skinning)
{
    const pelt_instance* instance = &stage->scene->instances[index];
    const pelt_mesh* mesh = &stage->scene->meshes[instance->mesh];
    // Meshes may share a skin, and its palette on the GPU is that of one method.
    pelt_method own = stage->frame->methods[instance->mesh];
    bool is_usual = own == PELT_METHOD_COUNT || own == stage->deform.method;
    bool is_possible = skinning != PELT_SKINNING_CPU && instance->skin != PELT_NONE &&
                       mesh->morph_count == 0 && mesh->weights.vertex_count > 0 && is_usual &&
                       pelt_gpu_has_method(stage->deform.method);
    if (!is_possible || skinning == PELT_SKINNING_GPU)
    {
        return is_possible;
    }
    return mesh->weights.max_influences <= PELT_GPU_INFLUENCE_MAX &&
           is_same_on_gpu(&stage->deform, &stage->frame->palettes[instance->skin]) &&
           are_normals_same_on_gpu(stage, factors_of(stage, index));
}

// A mirror reverses triangles. The strongest joint of the first vertex decides for a skin.
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

static void point_at(pelt_attribute attribute, size_t stride, size_t offset)
{
    glEnableVertexAttribArray(attribute);
    glVertexAttribPointer(attribute, 3, GL_FLOAT, GL_FALSE, (GLsizei)stride, (const void*)offset);
}

static void bind_buffer(uint32_t* buffer)
{
    if (*buffer == 0)
    {
        glGenBuffers(1, buffer);
    }
    glBindBuffer(GL_ARRAY_BUFFER, *buffer);
}

// Fill a buffer whose size never changes, so that the driver need not allocate again.
static void fill_buffer(uint32_t* buffer, const void* values, size_t bytes)
{
    bool is_new = *buffer == 0;
    bind_buffer(buffer);
    if (is_new)
    {
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, values, GL_DYNAMIC_DRAW);
        return;
    }
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, values);
}

// Centers may have been found after the scene was loaded, and edited since the last pose.
static void upload_cors(pelti_stage_mesh* drawn, const pelt_vec3* cors)
{
    PELT_ASSERT(cors != NULL);
    glBindVertexArray(drawn->mesh.vertex_array);
    fill_buffer(&drawn->cor_buffer, cors, drawn->mesh.vertex_count * sizeof *cors);
    point_at(PELT_ATTRIBUTE_COR, sizeof *cors, 0);
    drawn->mesh.attributes |= 1u << PELT_ATTRIBUTE_COR;
}

// The factors of the frame, or none: then the one of the options counts for all vertices.
static void upload_factors(pelti_stage_mesh* drawn, const float* factors)
{
    glBindVertexArray(drawn->mesh.vertex_array);
    drawn->mesh.attributes &= ~(1u << PELT_ATTRIBUTE_MIX);
    glDisableVertexAttribArray(PELT_ATTRIBUTE_MIX);
    if (factors != NULL)
    {
        fill_buffer(&drawn->factor_buffer, factors, drawn->mesh.vertex_count * sizeof *factors);
        glEnableVertexAttribArray(PELT_ATTRIBUTE_MIX);
        glVertexAttribPointer(PELT_ATTRIBUTE_MIX, 1, GL_FLOAT, GL_FALSE, sizeof *factors, NULL);
        drawn->mesh.attributes |= 1u << PELT_ATTRIBUTE_MIX;
    }
}

// Factors for normals. Those that shaders do not support are left out.
static pelt_result upload_normals(pelt_stage* stage, uint32_t index, pelt_error* error)
{
    const pelt_normal_factors* factors = factors_of(stage, index);
    pelti_stage_mesh* drawn = &stage->meshes[stage->scene->instances[index].mesh];
    return pelti_stage_mesh_set_normals(drawn, stage->gl,
                                        are_normals_same_on_gpu(stage, factors) ? factors : NULL,
                                        stage->deform.normal_rule, error);
}

// What shaders skin a body with and into.
static pelt_result upload_attributes(pelt_stage* stage, uint32_t index, pelt_error* error)
{
    const pelt_instance* instance = &stage->scene->instances[index];
    pelti_stage_mesh* drawn = &stage->meshes[instance->mesh];
    pelti_body* body = &stage->bodies[index];
    size_t stride = sizeof(pelti_feedback_vertex);
    const pelt_method_traits* traits = pelt_method_info(stage->deform.method);
    if (traits->needs_centers)
    {
        upload_cors(drawn, stage->frame->cors[instance->mesh]);
    }
    if (traits->has_mix_factor)
    {
        upload_factors(drawn, stage->frame->mix_factors[instance->mesh]);
    }
    PELT_TRY(upload_normals(stage, index, error));
    glBindVertexArray(body->vertex_array);
    size_t bytes = drawn->mesh.vertex_count * stride;
    bind_buffer(&body->surface_buffer);
    if (body->surface_bytes != bytes)
    {
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_COPY);
        body->surface_bytes = bytes;
    }
    point_at(PELT_ATTRIBUTE_POSITION, stride, offsetof(pelti_feedback_vertex, position));
    point_at(PELT_ATTRIBUTE_NORMAL, stride, offsetof(pelti_feedback_vertex, normal));
    return PELT_OK;
}

// Skin once by feedback, for any number of draws into shadow maps and the picture.
static pelt_result skin_body(pelt_stage* stage, uint32_t index, pelt_error* error)
{
    const pelt_instance* instance = &stage->scene->instances[index];
    // Meshes without normals: the surface shader then uses those of triangles.
    glVertexAttrib4f(PELT_ATTRIBUTE_NORMAL, 0.0f, 0.0f, 0.0f, 0.0f);
    return pelti_gl_feedback(stage->bodies[index].surface_buffer, stage->gl,
                             &stage->meshes[instance->mesh].mesh, &stage->palettes[instance->skin],
                             stage->deform.mix, error);
}

static void upload_surface(pelti_body* body, const pelt_surface* surface, uint32_t vertex_count)
{
    size_t bytes = vertex_count * sizeof(pelt_vec3);
    glBindVertexArray(body->vertex_array);
    bind_buffer(&body->surface_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(2 * bytes), NULL, GL_DYNAMIC_DRAW);
    body->surface_bytes = 2 * bytes;
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, surface->positions);
    point_at(PELT_ATTRIBUTE_POSITION, sizeof(pelt_vec3), 0);
    glDisableVertexAttribArray(PELT_ATTRIBUTE_NORMAL);
    if (surface->normals != NULL)
    {
        glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)bytes, (GLsizeiptr)bytes, surface->normals);
        point_at(PELT_ATTRIBUTE_NORMAL, sizeof(pelt_vec3), bytes);
    }
}

// The box of an instance whose surface exists on the GPU only.
static pelt_result measure_extent(pelt_bounds* out, pelt_stage* stage, uint32_t index,
                                  pelt_error* error)
{
    const pelt_instance* instance = &stage->scene->instances[index];
    pelti_mesh_extent* extent = &stage->meshes[instance->mesh].extent;
    if (extent->count == 0 &&
        pelti_mesh_extent_create(extent, &stage->scene->meshes[instance->mesh]) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    const pelt_deform_input input = {.cors = stage->frame->cors[instance->mesh],
                                     .mix_factors = stage->frame->mix_factors[instance->mesh],
                                     .palette = &stage->frame->palettes[instance->skin]};
    pelti_mesh_extent_add(out, extent, &input, &stage->deform);
    return PELT_OK;
}

static pelt_result upload_body(pelt_stage* stage, uint32_t index, pelt_skinning skinning,
                               pelt_error* error)
{
    const pelt_instance* instance = &stage->scene->instances[index];
    const pelt_surface* surface = &stage->frame->surfaces[index];
    uint32_t vertex_count = stage->scene->meshes[instance->mesh].vertex_count;
    pelti_body* body = &stage->bodies[index];
    if (pelti_body_is_duplicate(stage, index))
    {
        const pelti_body* drawn = &stage->bodies[stage->frame->originals[index]];
        body->is_mirrored = drawn->is_mirrored;
        body->bounds = drawn->bounds;
        return PELT_OK;
    }

    body->is_mirrored = find_mirrored(stage, instance);
    body->bounds = pelt_bounds_empty();
    body->is_skinned = choose_gpu(stage, index, skinning);
    if (body->is_skinned && skinning == PELT_SKINNING_GPU)
    {
        PELT_TRY(measure_extent(&body->bounds, stage, index, error));
    }
    else
    {
        pelt_bounds_add(&body->bounds, surface->positions, vertex_count);
    }
    if (body->bounds.min.x <= body->bounds.max.x)
    {
        pelt_bounds_add(&stage->bounds, &body->bounds.min, 1);
        pelt_bounds_add(&stage->bounds, &body->bounds.max, 1);
    }
    if (body->is_skinned)
    {
        return upload_attributes(stage, index, error);
    }
    upload_surface(body, surface, vertex_count);
    return PELT_OK;
}

static void update_palettes(pelt_stage* stage, pelt_skinning skinning)
{
    pelt_sign_rule rule = stage->deform.sign_rule;
    bool is_wanted = skinning != PELT_SKINNING_CPU && pelt_gpu_has_method(stage->deform.method);
    for (uint32_t i = 0; i < stage->scene->skin_count && is_wanted; ++i)
    {
        pelt_gl_palette_set_signs(&stage->palettes[i],
                                  pelt_gpu_has_signs(rule) ? rule : PELT_SIGN_HEAVIEST);
        pelt_gl_palette_update(&stage->palettes[i], &stage->frame->palettes[i],
                               stage->deform.method, stage->deform.scale_pivot);
    }
}

pelt_result pelt_stage_upload(pelt_stage* stage, const pelt_frame* frame,
                              const pelt_deform_options* deform, pelt_skinning skinning,
                              pelt_error* error)
{
    PELT_ASSERT(frame->instance_count == stage->scene->instance_count);
    stage->frame = frame;
    stage->has_surfaces = skinning != PELT_SKINNING_GPU;
    stage->deform = *deform;
    stage->bounds = pelt_bounds_empty();
    stage->lights.is_sky_drawn = false;
    stage->lights.is_key_drawn = false;
    update_palettes(stage, skinning);
    for (uint32_t i = 0; i < stage->scene->instance_count; ++i)
    {
        PELT_TRY(upload_body(stage, i, skinning, error));
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    if (!(stage->bounds.min.x <= stage->bounds.max.x))
    {
        stage->bounds = (pelt_bounds){{-0.5f, 0.0f, -0.5f}, {0.5f, 1.0f, 0.5f}};
    }
    return pelti_gl_check(error, "a pose");
}

pelt_result pelt_stage_skin(pelt_stage* stage, pelt_error* error)
{
    for (uint32_t i = 0; i < stage->scene->instance_count; ++i)
    {
        PELT_TRY(stage->bodies[i].is_skinned ? skin_body(stage, i, error) : PELT_OK);
    }
    glBindVertexArray(0);
    return pelti_gl_check(error, "a pose");
}

pelt_result pelt_stage_pose(pelt_stage* stage, const pelt_frame* frame,
                            const pelt_deform_options* deform, pelt_skinning skinning,
                            pelt_error* error)
{
    PELT_TRY(pelt_stage_upload(stage, frame, deform, skinning, error));
    return pelt_stage_skin(stage, error);
}
