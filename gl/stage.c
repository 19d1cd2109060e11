// SPDX-License-Identifier: MIT
// A scene in the memory of the GPU: made and released.
#include "stage.h"

#include <epoxy/gl.h>
#include <string.h>

enum
{
    SAMPLE_COUNT = 4,
};

static void* allocate_zero(size_t count, size_t size)
{
    // One more, because an allocation of nothing may look like a failure.
    void* memory = pelt_allocate(count + 1, size);
    if (memory != NULL)
    {
        memset(memory, 0, (count + 1) * size);
    }
    return memory;
}

static pelt_result allocate(pelt_stage* stage, pelt_error* error)
{
    const pelt_scene* scene = stage->scene;
    stage->meshes = allocate_zero(scene->mesh_count, sizeof *stage->meshes);
    stage->bodies = allocate_zero(scene->instance_count, sizeof *stage->bodies);
    stage->palettes = allocate_zero(scene->skin_count, sizeof *stage->palettes);
    stage->textures =
        allocate_zero(PELT_SLOT_COUNT * (size_t)scene->material_count, sizeof *stage->textures);
    const char* light = pelti_render_file("render_light.glsl");
    const char* base = pelti_render_file("render_base.glsl");
    const char* const surface[] = {light, base, pelti_render_file("render_surface.glsl")};
    const char* const cutout[] = {base, pelti_render_file("render_cutout.glsl")};
    const char* const ground[] = {light, pelti_render_file("render_ground.glsl")};
    const char* const grid[] = {"#define WITHOUT_SHADOWS\n", ground[0], ground[1]};
    stage->surface_fragment = pelti_render_join(surface, 3);
    stage->cutout_fragment = pelti_render_join(cutout, 2);
    stage->ground_fragment = pelti_render_join(ground, 2);
    stage->grid_fragment = pelti_render_join(grid, 3);
    bool is_ok = stage->meshes && stage->bodies && stage->palettes && stage->textures &&
                 stage->surface_fragment && stage->cutout_fragment && stage->ground_fragment &&
                 stage->grid_fragment;
    if (!is_ok)
    {
        return pelt_error_memory(error);
    }
    PELT_TRY(pelti_skeleton_create(&stage->skeleton, scene, error));
    return pelti_blend_create(&stage->blend, stage, error);
}

static bool is_opaque(const pelt_stage* stage)
{
    for (uint32_t i = 0; i < stage->scene->instance_count; ++i)
    {
        if (pelti_body_alpha(stage, i, NULL) != PELT_ALPHA_OPAQUE)
        {
            return false;
        }
    }
    return true;
}

// Attributes that do not move come from the mesh; positions and normals are those of a pose. Sets
// the vertex array that is bound.
static void point_body(const pelt_gl_mesh* mesh)
{
    static const pelt_attribute kept[] = {PELT_ATTRIBUTE_UV, PELT_ATTRIBUTE_COLOR};
    glBindBuffer(GL_ARRAY_BUFFER, mesh->vertex_buffer);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
    {
        if (mesh->attributes & 1u << kept[i])
        {
            pelti_gl_mesh_point(mesh, kept[i]);
        }
    }
}

static void create_body(pelti_body* out, const pelt_gl_mesh* mesh)
{
    glGenVertexArrays(1, &out->vertex_array);
    glBindVertexArray(out->vertex_array);
    point_body(mesh);
}

static pelt_result create_meshes(pelt_stage* stage, pelt_error* error)
{
    const pelt_scene* scene = stage->scene;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < scene->mesh_count && result == PELT_OK; ++i)
    {
        result =
            pelt_gl_mesh_create(&stage->meshes[i].mesh, stage->gl, &scene->meshes[i], NULL, error);
    }
    for (uint32_t i = 0; i < scene->instance_count && result == PELT_OK; ++i)
    {
        create_body(&stage->bodies[i], &stage->meshes[scene->instances[i].mesh].mesh);
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return result;
}

static pelt_result create_palettes(pelt_stage* stage, pelt_error* error)
{
    const pelt_scene* scene = stage->scene;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < scene->skin_count && result == PELT_OK; ++i)
    {
        result = pelt_gl_palette_create(&stage->palettes[i], stage->gl, scene->skins[i].joint_count,
                                        PELT_PALETTE_AUTO, error);
    }
    return result;
}

static uint32_t choose_samples(uint32_t wanted)
{
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    uint32_t count = wanted > 0 ? wanted : SAMPLE_COUNT;
    return most > 0 && count > (uint32_t)most ? (uint32_t)most : count;
}

static pelt_result fill(pelt_stage* stage, const pelt_stage_options* options, pelt_error* error)
{
    pelt_result result = allocate(stage, error);
    if (result == PELT_OK)
    {
        result = create_meshes(stage, error);
    }
    if (result == PELT_OK)
    {
        result = create_palettes(stage, error);
    }
    if (result == PELT_OK)
    {
        result = pelti_textures_create(stage, options->textures, error);
    }
    if (result == PELT_OK)
    {
        stage->sample_count = choose_samples(options->sample_count);
        glGenVertexArrays(1, &stage->empty_array);
        pelti_value_maps_create(stage);
        pelti_lights_create(&stage->lights);
        // A joint, the bone to it and the bone at its end; or boxes, of joints or of instances.
        pelti_marks_create(&stage->marks, 3 * stage->skeleton.count + stage->scene->instance_count);
        result = pelti_gl_check(error, "stage objects");
    }
    return result;
}

pelt_result pelt_stage_create(pelt_stage** out, pelt_gl* gl, const pelt_scene* scene,
                              const pelt_stage_options* options, pelt_error* error)
{
    PELT_ASSERT(gl != NULL && scene != NULL);
    const pelt_stage_options defaults = {0};
    *out = NULL;
    pelt_stage* stage = allocate_zero(1, sizeof *stage);
    if (stage == NULL)
    {
        return pelt_error_memory(error);
    }
    stage->gl = gl;
    stage->scene = scene;
    stage->is_opaque = is_opaque(stage);
    stage->shades_pixels = gl->info.is_software;
    pelt_result result = fill(stage, options ? options : &defaults, error);
    if (result != PELT_OK)
    {
        pelt_stage_destroy(stage);
        return result;
    }
    *out = stage;
    return PELT_OK;
}

static void destroy_shapes(pelt_stage* stage)
{
    for (uint32_t i = 0; stage->meshes != NULL && i < stage->scene->mesh_count; ++i)
    {
        pelti_stage_mesh* drawn = &stage->meshes[i];
        pelt_gl_mesh_destroy(&drawn->mesh);
        glDeleteBuffers(1, &drawn->cor_buffer);
        glDeleteTextures(1, &drawn->spare_texture);
        glDeleteBuffers(1, &drawn->factor_buffer);
        glDeleteBuffers(1, &drawn->edge_buffer);
        glDeleteBuffers(1, &drawn->uv_buffer);
        pelti_mesh_extent_destroy(&drawn->extent);
    }
    for (uint32_t i = 0; stage->bodies != NULL && i < stage->scene->instance_count; ++i)
    {
        pelti_body* body = &stage->bodies[i];
        glDeleteVertexArrays(1, &body->vertex_array);
        glDeleteBuffers(1, &body->surface_buffer);
        glDeleteBuffers(1, &body->value_buffer);
        glDeleteBuffers(1, &body->color_buffer);
    }
}

static void destroy_palettes(pelt_stage* stage)
{
    for (uint32_t i = 0; stage->palettes != NULL && i < stage->scene->skin_count; ++i)
    {
        pelt_gl_palette_destroy(&stage->palettes[i]);
    }
}

void pelt_stage_destroy(pelt_stage* stage)
{
    if (stage == NULL)
    {
        return;
    }
    destroy_shapes(stage);
    destroy_palettes(stage);
    if (stage->textures != NULL)
    {
        glDeleteTextures((GLsizei)(PELT_SLOT_COUNT * stage->scene->material_count),
                         stage->textures);
    }
    glDeleteTextures(PELTI_MAP_COUNT, stage->value_maps);
    glDeleteVertexArrays(1, &stage->empty_array);
    pelti_lights_destroy(&stage->lights);
    pelti_marks_destroy(&stage->marks);
    pelti_blend_destroy(&stage->blend);
    pelti_target_destroy(&stage->target);
    pelti_shading_destroy(&stage->shading);
    pelti_skeleton_destroy(&stage->skeleton);
    pelt_release(stage->surface_fragment);
    pelt_release(stage->cutout_fragment);
    pelt_release(stage->ground_fragment);
    pelt_release(stage->grid_fragment);
    pelt_release(stage->textures);
    pelt_release(stage->palettes);
    pelt_release(stage->bodies);
    pelt_release(stage->meshes);
    pelt_release(stage);
}

// ---------------------------------------------------------------------------------------------
// Edited weights

// Others of the same memory are not told apart.
static void forget_factors(pelti_stage_mesh* drawn)
{
    glDeleteTextures(1, &drawn->spare_texture);
    drawn->spare_texture = 0;
    drawn->spare_normals = (pelt_gpu_normals){0};
    drawn->normal_stamp = 0;
}

pelt_result pelt_stage_update_weights(pelt_stage* stage, uint32_t mesh, pelt_error* error)
{
    const pelt_scene* scene = stage->scene;
    PELT_ASSERT(mesh < scene->mesh_count);
    pelti_stage_mesh* drawn = &stage->meshes[mesh];
    // A vertex may have more influences than any had before, which makes all others larger, too.
    pelt_gl_mesh updated;
    PELT_TRY(pelt_gl_mesh_create(&updated, stage->gl, &scene->meshes[mesh], NULL, error));
    pelt_gl_mesh_destroy(&drawn->mesh);
    drawn->mesh = updated;
    forget_factors(drawn);
    pelti_mesh_extent_destroy(&drawn->extent);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (scene->instances[i].mesh == mesh)
        {
            glBindVertexArray(stage->bodies[i].vertex_array);
            point_body(&drawn->mesh);
        }
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return pelt_joint_shapes(stage->skeleton.shapes, scene) == PELT_OK ? PELT_OK
                                                                       : pelt_error_memory(error);
}
