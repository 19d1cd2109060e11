// SPDX-License-Identifier: MIT
// Blended surfaces: triangles of all of them together, from back to front.
#include "stage.h"

#include <epoxy/gl.h>
#include <stdlib.h>

pelt_result pelti_blend_create(pelti_blend* out, const pelt_stage* stage, pelt_error* error)
{
    const pelt_scene* scene = stage->scene;
    size_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        bool is_blended = pelti_body_alpha(stage, i, NULL) == PELT_ALPHA_BLEND;
        count += is_blended ? scene->meshes[scene->instances[i].mesh].index_count / 3 : 0;
    }
    if (count == 0)
    {
        return PELT_OK;
    }
    if (count > INT32_MAX / 3)
    {
        return pelt_error_set(
            error, PELT_ERROR_UNSUPPORTED,
            "%zu triangles with blended materials are too many to sort; make some "
            "materials opaque or masked",
            count);
    }
    out->capacity = (uint32_t)count;
    out->triangles = pelt_allocate(count, sizeof *out->triangles);
    out->indices = pelt_allocate(3 * count, sizeof *out->indices);
    glGenBuffers(1, &out->index_buffer);
    return out->triangles != NULL && out->indices != NULL ? PELT_OK : pelt_error_memory(error);
}

void pelti_blend_destroy(pelti_blend* blend)
{
    glDeleteBuffers(1, &blend->index_buffer);
    pelt_release(blend->triangles);
    pelt_release(blend->indices);
    *blend = (pelti_blend){0};
}

// ---------------------------------------------------------------------------------------------
// Order

static pelti_blend_triangle measure(const pelt_stage* stage, uint32_t body, uint32_t first,
                                    pelt_vec3 eye)
{
    const pelt_mesh* mesh = &stage->scene->meshes[stage->scene->instances[body].mesh];
    const pelt_vec3* positions = stage->frame->surfaces[body].positions;
    const uint32_t* corners = mesh->indices + first;
    pelt_vec3 a = positions[corners[0]], b = positions[corners[1]], c = positions[corners[2]];
    pelt_vec3 middle = pelt_vec3_scale(pelt_vec3_add(pelt_vec3_add(a, b), c), 1.0f / 3.0f);
    pelt_vec3 to_eye = pelt_vec3_sub(eye, middle);
    pelt_vec3 normal = pelt_vec3_cross(pelt_vec3_sub(b, a), pelt_vec3_sub(c, a));
    float distance = pelt_vec3_dot(to_eye, to_eye);
    return (pelti_blend_triangle){
        .distance = isnan(distance) ? INFINITY : distance,
        .is_front = (pelt_vec3_dot(normal, to_eye) > 0.0f) != stage->bodies[body].is_mirrored,
        .body = body,
        .first = first,
    };
}

static uint32_t gather(pelt_stage* stage, const pelti_shot* shot)
{
    const pelt_scene* scene = stage->scene;
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        bool is_blended = !pelti_body_is_duplicate(stage, i) &&
                          pelti_body_alpha(stage, i, shot->look) == PELT_ALPHA_BLEND;
        uint32_t index_count = stage->bodies[i].drawn_count;
        for (uint32_t first = 0; first < index_count && is_blended; first += 3)
        {
            stage->blend.triangles[count++] = measure(stage, i, first, shot->eye);
        }
    }
    return count;
}

// Far before near; at the same distance back faces before front faces, then in the order of the
// scene.
static int compare(const void* left, const void* right)
{
    const pelti_blend_triangle *a = left, *b = right;
    return a->distance != b->distance   ? (a->distance > b->distance ? -1 : 1)
           : a->is_front != b->is_front ? (a->is_front ? 1 : -1)
           : a->body != b->body         ? (a->body < b->body ? -1 : 1)
                                        : (a->first > b->first) - (a->first < b->first);
}

static void upload(pelti_blend* blend, const pelt_scene* scene, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelti_blend_triangle* triangle = &blend->triangles[i];
        const pelt_mesh* mesh = &scene->meshes[scene->instances[triangle->body].mesh];
        for (uint32_t k = 0; k < 3; ++k)
        {
            blend->indices[3 * i + k] = mesh->indices[triangle->first + k];
        }
    }
    // Element buffers belong to vertex arrays, but can be filled without one.
    glBindBuffer(GL_ARRAY_BUFFER, blend->index_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(3 * count * sizeof *blend->indices), blend->indices,
                 GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

// ---------------------------------------------------------------------------------------------
// Drawing

// Consecutive triangles of one body are one call.
static pelt_result draw_runs(pelt_stage* stage, uint32_t count, uint32_t program,
                             const pelti_shot* shot, pelt_error* error)
{
    const pelti_blend* blend = &stage->blend;
    pelt_result result = PELT_OK;
    for (uint32_t first = 0, end; first < count && result == PELT_OK; first = end)
    {
        uint32_t body = blend->triangles[first].body;
        end = first + 1;
        while (end < count && blend->triangles[end].body == body)
        {
            ++end;
        }
        result = pelti_surface_prepare(stage, body, program, shot, error);
        if (result == PELT_OK)
        {
            size_t offset = 3 * (size_t)first * sizeof *blend->indices;
            glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, blend->index_buffer);
            glDrawElements(GL_TRIANGLES, (GLsizei)(3 * (end - first)), GL_UNSIGNED_INT,
                           (const void*)offset);
            ++stage->gl->info.draw_count;
        }
    }
    return result;
}

// Where the background is visible, colors of the framebuffer are bytes times alpha, which is not
// linear light: only samples with an opaque surface behind them blend in linear light.
static bool has_clear_background(const pelt_look* look)
{
    pelt_color c = look->background;
    bool is_default = c.r == 0 && c.g == 0 && c.b == 0 && c.a == 0;
    return !is_default && c.a < 255;
}

bool pelti_blend_needs_stencil(const pelt_stage* stage, const pelti_shot* shot)
{
    return stage->blend.capacity > 0 && shot->is_own && shot->is_srgb &&
           has_clear_background(shot->look);
}

static pelt_result draw_linear(pelt_stage* stage, uint32_t count, uint32_t program,
                               const pelti_shot* shot, pelt_error* error)
{
    glEnable(GL_FRAMEBUFFER_SRGB);
    pelti_uniform_float(program, "is_linear", 1.0f);
    pelt_result result = draw_runs(stage, count, program, shot, error);
    pelti_uniform_float(program, "is_linear", 0.0f);
    glDisable(GL_FRAMEBUFFER_SRGB);
    return result;
}

static pelt_result draw_sorted(pelt_stage* stage, uint32_t count, uint32_t program,
                               const pelti_shot* shot, pelt_error* error)
{
    if (!pelti_blend_needs_stencil(stage, shot))
    {
        return shot->is_srgb && !has_clear_background(shot->look)
                   ? draw_linear(stage, count, program, shot, error)
                   : draw_runs(stage, count, program, shot, error);
    }
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glStencilFunc(GL_EQUAL, 1, 0xff);
    pelt_result result = draw_linear(stage, count, program, shot, error);
    glStencilFunc(GL_EQUAL, 0, 0xff);
    if (result == PELT_OK)
    {
        result = draw_runs(stage, count, program, shot, error);
    }
    glDisable(GL_STENCIL_TEST);
    return result;
}

pelt_result pelti_blend_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    pelti_bodies_limit(stage, PELTI_PASS_SURFACE, true, &shot->clip_from_model, shot);
    uint32_t program, count = gather(stage, shot);
    if (count == 0)
    {
        return PELT_OK;
    }
    qsort(stage->blend.triangles, count, sizeof *stage->blend.triangles, compare);
    upload(&stage->blend, stage->scene, count);
    PELT_TRY(pelti_bodies_begin(&program, stage, PELTI_PASS_SURFACE, &shot->clip_from_model, shot,
                                error));
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    pelt_result result = draw_sorted(stage, count, program, shot, error);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    pelti_bodies_end();
    return result;
}
