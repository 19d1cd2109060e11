// SPDX-License-Identifier: MIT
// Instances of a scene, drawn: into maps of shadows, as surfaces, and as edges.
#include "stage.h"

#include <epoxy/gl.h>

enum
{
    // Of drivers that draw on the processor:
    BACKLOG_TRIANGLES = 1u << 17, // that they may keep undrawn
    PASS_TRIANGLES = 3000000,     // that they draw in a pass of a picture
};

// For meshes without a material: clay.
static const pelt_material clay = {
    .base_color = {0.56f, 0.55f, 0.53f, 1.0f}, .roughness = 0.65f, .is_double_sided = true};

static const pelt_material* material_of(const pelt_scene* scene, const pelt_mesh* mesh)
{
    return mesh->material == PELT_NONE ? &clay : &scene->materials[mesh->material];
}

static const float* values_of(const pelt_look* look, uint32_t index)
{
    return look != NULL && look->values != NULL ? look->values[index] : NULL;
}

static const pelt_color* colors_of(const pelt_look* look, uint32_t index)
{
    return look != NULL && look->colors != NULL ? look->colors[index] : NULL;
}

pelt_alpha_mode pelti_body_alpha(const pelt_stage* stage, uint32_t index, const pelt_look* look)
{
    const pelt_mesh* mesh = &stage->scene->meshes[stage->scene->instances[index].mesh];
    return values_of(look, index) != NULL || colors_of(look, index) != NULL
               ? PELT_ALPHA_OPAQUE
               : material_of(stage->scene, mesh)->alpha_mode;
}

// ---------------------------------------------------------------------------------------------
// Values and colors of vertices

// NaN has a color of its own, which must survive interpolation: see render_surface.glsl. Infinite
// numbers would not survive it either.
static float safe_value(float value)
{
    return isnan(value) ? -1e30f : fminf(fmaxf(value, -1e10f), 1e10f);
}

static pelt_result upload_values(pelti_body* body, const float* values, uint32_t count,
                                 pelt_error* error)
{
    GLsizeiptr bytes = (GLsizeiptr)(count * sizeof *values);
    if (body->value_buffer == 0)
    {
        glGenBuffers(1, &body->value_buffer);
    }
    glBindBuffer(GL_ARRAY_BUFFER, body->value_buffer);
    glBufferData(GL_ARRAY_BUFFER, bytes, NULL, GL_DYNAMIC_DRAW);
    float* out = glMapBufferRange(GL_ARRAY_BUFFER, 0, bytes, GL_MAP_WRITE_BIT);
    if (out == NULL)
    {
        pelti_gl_check(NULL, "");
        return pelt_error_set(error, PELT_ERROR_MEMORY, "out of GPU memory: vertex values");
    }
    for (uint32_t v = 0; v < count; ++v)
    {
        out[v] = safe_value(values[v]);
    }
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glEnableVertexAttribArray(PELTI_VALUE_LOCATION);
    glVertexAttribPointer(PELTI_VALUE_LOCATION, 1, GL_FLOAT, GL_FALSE, sizeof(float), NULL);
    return PELT_OK;
}

static void upload_colors(pelti_body* body, const pelt_color* colors, uint32_t count)
{
    if (body->color_buffer == 0)
    {
        glGenBuffers(1, &body->color_buffer);
    }
    glBindBuffer(GL_ARRAY_BUFFER, body->color_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *colors), colors, GL_DYNAMIC_DRAW);
    glEnableVertexAttribArray(PELTI_COLOR_LOCATION);
    glVertexAttribPointer(PELTI_COLOR_LOCATION, 3, GL_UNSIGNED_BYTE, GL_TRUE, sizeof *colors, NULL);
}

// ---------------------------------------------------------------------------------------------
// Surfaces

// @param sampler  NULL: not changed
static void bind_texture(uint32_t unit, uint32_t texture, const pelt_sampler* sampler)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    if (texture != 0 && sampler != NULL)
    {
        pelti_sampler_set(sampler);
    }
    glActiveTexture(GL_TEXTURE0);
}

// 0: there is none, or the mesh has no such UVs.
static uint32_t texture_of(const pelt_stage* stage, const pelt_mesh* mesh, uint32_t slot)
{
    if (mesh->material == PELT_NONE)
    {
        return 0;
    }
    uint32_t uv_set = stage->scene->materials[mesh->material].textures[slot].uv_set;
    return pelt_mesh_uvs(mesh, uv_set) != NULL
               ? stage->textures[PELT_SLOT_COUNT * mesh->material + slot]
               : 0;
}

// The first UV set other than 0 that the material of a mesh uses; 0: none. The stage holds no more.
static uint32_t second_uv_set(const pelt_stage* stage, const pelt_mesh* mesh)
{
    uint32_t uv_set = 0;
    for (uint32_t slot = 0; slot < PELT_SLOT_COUNT && uv_set == 0; ++slot)
    {
        uv_set = texture_of(stage, mesh, slot) != 0
                     ? stage->scene->materials[mesh->material].textures[slot].uv_set
                     : 0;
    }
    return uv_set;
}

static void bind_second_uvs(const pelt_stage* stage, uint32_t index)
{
    uint32_t mesh_index = stage->scene->instances[index].mesh;
    const pelt_mesh* mesh = &stage->scene->meshes[mesh_index];
    pelti_stage_mesh* drawn = &stage->meshes[mesh_index];
    uint32_t uv_set = second_uv_set(stage, mesh);
    if (uv_set == 0)
    {
        return;
    }
    if (drawn->uv_buffer == 0)
    {
        glGenBuffers(1, &drawn->uv_buffer);
        glBindBuffer(GL_ARRAY_BUFFER, drawn->uv_buffer);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(mesh->vertex_count * sizeof(pelt_vec2)),
                     pelt_mesh_uvs(mesh, uv_set), GL_STATIC_DRAW);
    }
    glBindBuffer(GL_ARRAY_BUFFER, drawn->uv_buffer);
    glEnableVertexAttribArray(PELTI_UV_LOCATION);
    glVertexAttribPointer(PELTI_UV_LOCATION, 2, GL_FLOAT, GL_FALSE, sizeof(pelt_vec2), NULL);
}

// The transform from UVs of the mesh to those of the texture: u' is the dot product of x, y, z with
// (u, v, 1), v' that of the second row; w of the first is 1 for the second UV set.
static void set_mapping(uint32_t program, const char* const names[2], const pelt_texture* texture)
{
    bool has_transform = texture->is_transformed;
    pelt_vec2 scale = has_transform ? texture->scale : (pelt_vec2){1.0f, 1.0f};
    float angle = has_transform ? texture->rotation : 0.0f;
    float c = cosf(angle), s = sinf(angle);
    pelti_uniform_vec4(program, names[0],
                       (pelt_vec4){scale.x * c, scale.y * s, has_transform ? texture->offset.x : 0,
                                   texture->uv_set > 0 ? 1.0f : 0.0f});
    pelti_uniform_vec4(
        program, names[1],
        (pelt_vec4){-scale.x * s, scale.y * c, has_transform ? texture->offset.y : 0, 0.0f});
}

// Textures other than the base color.
static void set_details(const pelt_stage* stage, uint32_t program, const pelt_mesh* mesh,
                        const pelt_look* look)
{
    static const char* const rows[PELT_SLOT_COUNT][2] = {
        [PELT_SLOT_METALLIC_ROUGHNESS] = {"surface_row_u", "surface_row_v"},
        [PELT_SLOT_NORMAL] = {"normal_row_u", "normal_row_v"},
        [PELT_SLOT_OCCLUSION] = {"occlusion_row_u", "occlusion_row_v"},
        [PELT_SLOT_EMISSIVE] = {"emissive_row_u", "emissive_row_v"}};
    const pelt_material* material = material_of(stage->scene, mesh);
    bool is_plain = (look->show & PELT_SHOW_UNTEXTURED) != 0;
    bool has[PELT_SLOT_COUNT] = {false};
    for (uint32_t slot = 1; slot < PELT_SLOT_COUNT; ++slot)
    {
        const pelt_texture* texture = &material->textures[slot];
        uint32_t name = is_plain ? 0 : texture_of(stage, mesh, slot);
        has[slot] = name != 0;
        bind_texture(PELTI_SLOT_UNIT + slot, name, &texture->sampler);
        set_mapping(program, rows[slot], texture);
    }
    pelti_uniform_vec4(program, "details",
                       (pelt_vec4){has[PELT_SLOT_NORMAL] ? material->normal_scale : 0.0f,
                                   has[PELT_SLOT_OCCLUSION] ? material->occlusion_strength : 0.0f,
                                   has[PELT_SLOT_METALLIC_ROUGHNESS] ? 1.0f : 0.0f,
                                   has[PELT_SLOT_EMISSIVE] ? 1.0f : 0.0f});
    bool is_dark = is_plain && material->textures[PELT_SLOT_EMISSIVE].image != NULL;
    pelti_uniform_vec3(program, "emissive", is_dark ? (pelt_vec3){0} : material->emissive);
}

// The base color and what alpha means, for surfaces and for shadow maps.
static void set_base(const pelt_stage* stage, uint32_t program, const pelt_mesh* mesh,
                     pelt_alpha_mode mode, const pelt_look* look)
{
    const pelt_material* material = material_of(stage->scene, mesh);
    uint32_t texture = texture_of(stage, mesh, PELT_SLOT_BASE_COLOR);
    bool has_texture = texture != 0;
    bool is_plain = (look->show & PELT_SHOW_UNTEXTURED) != 0;
    float cutoff = material->alpha_cutoff > 0.0f ? material->alpha_cutoff : 0.5f;
    bind_texture(PELTI_BASE_UNIT, texture, &material->textures[PELT_SLOT_BASE_COLOR].sampler);
    static const char* const rows[2] = {"base_row_u", "base_row_v"};
    set_mapping(program, rows, &material->textures[PELT_SLOT_BASE_COLOR]);
    pelti_uniform_vec4(program, "base_color", material->base_color);
    pelti_uniform_vec3(program, "alpha_rule",
                       (pelt_vec3){(float)mode, cutoff,
                                   !has_texture ? 0.0f
                                   : is_plain   ? 2.0f
                                                : 1.0f});
}

static void set_sides(const pelti_body* body, const pelt_material* material)
{
    glFrontFace(body->is_mirrored ? GL_CW : GL_CCW);
    if (material->is_double_sided)
    {
        glDisable(GL_CULL_FACE);
        return;
    }
    glEnable(GL_CULL_FACE);
}

static void set_enabled(GLenum capability, bool is_enabled)
{
    (is_enabled ? glEnable : glDisable)(capability);
}

// Edges of masks are as smooth as those of triangles: alpha selects samples, and these are opaque.
static void set_sampling(uint32_t program, bool is_sampled)
{
    if (epoxy_is_desktop_gl())
    {
        pelti_uniform_float(program, "is_sampled", is_sampled ? 1.0f : 0.0f);
        set_enabled(GL_SAMPLE_ALPHA_TO_COVERAGE, is_sampled);
        set_enabled(GL_SAMPLE_ALPHA_TO_ONE, is_sampled);
    }
}

pelt_result pelti_surface_prepare(pelt_stage* stage, uint32_t index, uint32_t program,
                                  const pelti_shot* shot, pelt_error* error)
{
    const pelt_mesh* mesh = &stage->scene->meshes[stage->scene->instances[index].mesh];
    const pelt_material* material = material_of(stage->scene, mesh);
    const float* values = values_of(shot->look, index);
    const pelt_color* colors = values == NULL ? colors_of(shot->look, index) : NULL;
    pelt_alpha_mode mode = pelti_body_alpha(stage, index, shot->look);
    pelti_body* body = &stage->bodies[index];

    glBindVertexArray(body->vertex_array);
    bind_second_uvs(stage, index);
    set_base(stage, program, mesh, mode, shot->look);
    set_details(stage, program, mesh, shot->look);
    set_sides(body, material);
    set_sampling(program, shot->is_sampled && mode == PELT_ALPHA_MASK);
    float instead = values != NULL ? 1.0f : colors != NULL ? 2.0f : 0.0f;
    bool is_unlit = material->is_unlit && instead == 0.0f;
    pelti_uniform_vec4(
        program, "material",
        (pelt_vec4){material->roughness, material->metallic, is_unlit ? 1.0f : 0.0f, instead});
    glDisableVertexAttribArray(PELTI_VALUE_LOCATION);
    glDisableVertexAttribArray(PELTI_COLOR_LOCATION);
    if (colors != NULL)
    {
        upload_colors(body, colors, mesh->vertex_count);
    }
    return values != NULL ? upload_values(body, values, mesh->vertex_count, error) : PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Wire

// Edges are drawn paler where they are denser on the screen, so that they do not hide the surface.
static float wire_alpha(const pelti_body* body, const pelti_stage_mesh* drawn,
                        const pelti_shot* shot)
{
    pelt_vec3 center = pelt_vec3_lerp(body->bounds.min, body->bounds.max, 0.5f);
    float pixels = drawn->edge_length * pelti_shot_scale(shot, center);
    float t = fminf(fmaxf((pixels - 2.0f) / 12.0f, 0.0f), 1.0f);
    return 0.10f + 0.5f * t;
}

static pelt_result prepare_wire(pelt_stage* stage, uint32_t index, uint32_t program,
                                const pelti_shot* shot, pelt_error* error)
{
    uint32_t mesh = stage->scene->instances[index].mesh;
    pelti_stage_mesh* drawn = &stage->meshes[mesh];
    if (drawn->edge_buffer == 0)
    {
        PELT_TRY(pelti_edges_create(drawn, &stage->scene->meshes[mesh], error));
    }
    float alpha = wire_alpha(&stage->bodies[index], drawn, shot);
    const pelt_vec4 ink = {0.05f * alpha, 0.07f * alpha, 0.11f * alpha, alpha};
    pelti_uniform_vec4(program, "color", ink);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static bool is_in_pass(const pelt_stage* stage, uint32_t index, pelti_pass pass,
                       const pelti_shot* shot)
{
    switch (pass)
    {
    case PELTI_PASS_DEPTH:
        return pelti_body_alpha(stage, index, NULL) == PELT_ALPHA_OPAQUE;
    case PELTI_PASS_CUTOUT:
        return pelti_body_alpha(stage, index, NULL) != PELT_ALPHA_OPAQUE;
    case PELTI_PASS_SURFACE:
        return pelti_body_alpha(stage, index, shot->look) != PELT_ALPHA_BLEND;
    case PELTI_PASS_FILL:
    case PELTI_PASS_SHADE:
    case PELTI_PASS_COVER:
        return pelti_body_alpha(stage, index, shot->look) == PELT_ALPHA_OPAQUE;
    case PELTI_PASS_MASK:
        return pelti_body_alpha(stage, index, shot->look) == PELT_ALPHA_MASK;
    default:
        return true;
    }
}

static pelt_result prepare(pelt_stage* stage, uint32_t index, pelti_pass pass, uint32_t program,
                           const pelti_shot* shot, pelt_error* error)
{
    const pelt_mesh* mesh = &stage->scene->meshes[stage->scene->instances[index].mesh];
    glBindVertexArray(stage->bodies[index].vertex_array);
    switch (pass)
    {
    case PELTI_PASS_CUTOUT:
        bind_second_uvs(stage, index);
        set_base(stage, program, mesh, pelti_body_alpha(stage, index, NULL), shot->look);
        return PELT_OK;
    case PELTI_PASS_FILL:
    case PELTI_PASS_COVER:
        set_sides(&stage->bodies[index], material_of(stage->scene, mesh));
        return PELT_OK;
    case PELTI_PASS_SURFACE:
    case PELTI_PASS_SHADE:
    case PELTI_PASS_MASK:
        return pelti_surface_prepare(stage, index, program, shot, error);
    case PELTI_PASS_WIRE:
        return prepare_wire(stage, index, program, shot, error);
    default:
        return PELT_OK;
    }
}

// Whether a pass draws surfaces in their colors, in the picture.
static bool has_materials(pelti_pass pass)
{
    return pass == PELTI_PASS_SURFACE || pass == PELTI_PASS_SHADE || pass == PELTI_PASS_MASK;
}

static bool is_drawn(const pelt_stage* stage, uint32_t index)
{
    return stage->meshes[stage->scene->instances[index].mesh].mesh.index_count > 0 &&
           !pelti_body_is_duplicate(stage, index);
}

void pelti_bodies_limit(pelt_stage* stage, pelti_pass pass, bool is_blended,
                        const pelti_mat4* clip_from_model, const pelti_shot* shot)
{
    GLint viewport[4]; // x, y, width, height
    double pixels = 0.0;
    glGetIntegerv(GL_VIEWPORT, viewport);
    uint32_t width = (uint32_t)viewport[2], height = (uint32_t)viewport[3];
    uint32_t left = stage->gl->info.is_software ? 3 * PASS_TRIANGLES : UINT32_MAX; // indices
    for (uint32_t i = 0; i < stage->scene->instance_count; ++i)
    {
        uint32_t all = stage->meshes[stage->scene->instances[i].mesh].mesh.index_count;
        bool is_counted = stage->is_limited && is_drawn(stage, i) &&
                          is_in_pass(stage, i, pass, shot) != is_blended;
        uint32_t count = all;
        if (is_counted)
        {
            uint32_t covering =
                left > 0 ? pelti_cover_add(&pixels, stage, i, clip_from_model, width, height) : 0;
            count = covering < left ? covering : left;
            left -= left < UINT32_MAX ? count : 0;
        }
        stage->bodies[i].drawn_count = count;
        stage->cover.left_out += has_materials(pass) ? (all - count) / 3 : 0;
    }
    stage->cover.layers += has_materials(pass) ? (float)(pixels / ((double)width * height)) : 0.0f;
}

// Drivers that draw on the processor keep triangles until they have drawn them: gigabytes where a
// mesh has many instances.
static void limit_backlog(pelt_stage* stage, uint32_t triangle_count)
{
    stage->backlog += triangle_count;
    if (stage->gl->info.is_software && stage->backlog >= BACKLOG_TRIANGLES)
    {
        glFinish();
        stage->backlog = 0;
    }
}

static pelt_result draw_body(pelt_stage* stage, uint32_t index, pelti_pass pass, uint32_t program,
                             const pelti_shot* shot, pelt_error* error)
{
    const pelti_stage_mesh* drawn = &stage->meshes[stage->scene->instances[index].mesh];
    bool is_wire = pass == PELTI_PASS_WIRE;
    PELT_TRY(prepare(stage, index, pass, program, shot, error));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, is_wire ? drawn->edge_buffer : drawn->mesh.index_buffer);
    glDrawElements(is_wire ? GL_LINES : GL_TRIANGLES,
                   (GLsizei)(is_wire ? 2 * drawn->edge_count : stage->bodies[index].drawn_count),
                   GL_UNSIGNED_INT, NULL);
    ++stage->gl->info.draw_count;
    limit_backlog(stage, is_wire ? 0 : stage->bodies[index].drawn_count / 3);
    return PELT_OK;
}

// Defaults of missing attributes: no normal, white.
static void set_missing_attributes(void)
{
    glVertexAttrib4f(PELT_ATTRIBUTE_NORMAL, 0.0f, 0.0f, 0.0f, 0.0f);
    glVertexAttrib4f(PELT_ATTRIBUTE_UV, 0.0f, 0.0f, 0.0f, 0.0f);
    glVertexAttrib4f(PELTI_UV_LOCATION, 0.0f, 0.0f, 0.0f, 0.0f);
    glVertexAttrib4f(PELT_ATTRIBUTE_COLOR, 1.0f, 1.0f, 1.0f, 1.0f);
    glVertexAttrib4f(PELTI_VALUE_LOCATION, 0.0f, 0.0f, 0.0f, 0.0f);
    glVertexAttrib4f(PELTI_COLOR_LOCATION, 0.0f, 0.0f, 0.0f, 0.0f);
}

pelt_result pelti_bodies_begin(uint32_t* out, pelt_stage* stage, pelti_pass pass,
                               const pelti_mat4* clip_from_model, const pelti_shot* shot,
                               pelt_error* error)
{
    const char* const fragments[PELTI_PASS_COUNT] = {
        [PELTI_PASS_CUTOUT] = stage->cutout_fragment,
        [PELTI_PASS_SURFACE] = stage->surface_fragment,
        [PELTI_PASS_WIRE] = pelti_render_file("render_wire.glsl"),
        [PELTI_PASS_SHADE] = stage->surface_fragment,
        [PELTI_PASS_COVER] = pelti_render_file("render_cover.glsl"),
        [PELTI_PASS_MASK] = stage->surface_fragment};
    const pelt_look* look = shot->look;
    PELT_TRY(pelti_render_program(out, stage->gl, pelti_render_file("render_vertex.glsl"),
                                  fragments[pass], error));
    pelti_uniform_matrix(*out, "clip_from_model", clip_from_model);
    pelti_uniform_int(*out, "base_map", PELTI_BASE_UNIT);
    if (pass == PELTI_PASS_COVER)
    {
        pelti_uniform_int(*out, "shaded_color", PELTI_BASE_UNIT);
        pelti_uniform_int(*out, "shaded_depth", PELTI_VALUE_UNIT);
        bind_texture(PELTI_BASE_UNIT, stage->shading.color, NULL);
        bind_texture(PELTI_VALUE_UNIT, stage->shading.depth, NULL);
    }
    if (has_materials(pass))
    {
        pelti_lights_use(*out);
        pelti_uniform_int(*out, "value_map", PELTI_VALUE_UNIT);
        pelti_uniform_int(*out, "surface_map", PELTI_SLOT_UNIT + PELT_SLOT_METALLIC_ROUGHNESS);
        pelti_uniform_int(*out, "normal_map", PELTI_SLOT_UNIT + PELT_SLOT_NORMAL);
        pelti_uniform_int(*out, "occlusion_map", PELTI_SLOT_UNIT + PELT_SLOT_OCCLUSION);
        pelti_uniform_int(*out, "emissive_map", PELTI_SLOT_UNIT + PELT_SLOT_EMISSIVE);
        pelti_uniform_float(*out, "is_flat", look->show & PELT_SHOW_FACETS ? 1.0f : 0.0f);
        pelti_uniform_float(*out, "is_linear", 0.0f);
        bind_texture(PELTI_VALUE_UNIT, stage->value_maps[look->map], NULL);
    }
    set_missing_attributes();
    return PELT_OK;
}

void pelti_bodies_end(void)
{
    glDisable(GL_CULL_FACE);
    glFrontFace(GL_CCW);
    if (epoxy_is_desktop_gl())
    {
        glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
        glDisable(GL_SAMPLE_ALPHA_TO_ONE);
    }
}

pelt_result pelti_bodies_draw(pelt_stage* stage, pelti_pass pass, const pelti_mat4* clip_from_model,
                              const pelti_shot* shot, pelt_error* error)
{
    uint32_t program;
    pelt_result result = pelti_bodies_begin(&program, stage, pass, clip_from_model, shot, error);
    if (pass != PELTI_PASS_WIRE)
    {
        pelti_bodies_limit(stage, pass, false, clip_from_model, shot);
    }
    for (uint32_t i = 0; i < stage->scene->instance_count && result == PELT_OK; ++i)
    {
        if (is_drawn(stage, i) && is_in_pass(stage, i, pass, shot))
        {
            result = draw_body(stage, i, pass, program, shot, error);
        }
    }
    pelti_bodies_end();
    return result;
}
