// SPDX-License-Identifier: MIT
#include "crowd_scene.h"

#include "crowd_programs.h"
#include "model/bake_mesh.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

// Blue and orange, which everybody can tell apart.
const pelt_color crowd_level_colors[CROWD_LEVELS] = {{86, 130, 196, 255}, {226, 140, 60, 255}};

struct crowd_part
{
    pelt_gl_mesh mesh;
    crowd_program program;
    uint32_t first_joint;
    uint32_t material; // or PELT_NONE
};

// ---------------------------------------------------------------------------------------------
// Creating

static bool is_drawn(const pelt_scene* scene, uint32_t instance)
{
    const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
    return mesh->index_count > 0;
}

static pelt_result create_part(struct crowd_part* out, crowd_scene* stage, uint32_t level,
                               const pelt_baked* baked, uint32_t instance, pelt_error* error)
{
    const pelt_scene* scene = stage->scene;
    const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
    out->first_joint = baked->instances[instance].first;
    out->material = mesh->material;
    pelt_result result = bake_mesh_create(&out->mesh, stage->gl, baked, scene, instance, error);
    if (result != PELT_OK)
    {
        return result;
    }
    pelt_gl_program_desc desc = pelt_gl_crowd_program_desc(&stage->levels[level].crowd, &out->mesh,
                                                           PELT_METHOD_LBS, PELT_GPU_SCALE_NONE);
    return crowd_program_get(&out->program, stage->gl, CROWD_MEMBER, &desc, error);
}

// Poses once for each member, where that fits, since every vertex would decode its joints else.
static pelt_result create_crowd(crowd_level* out, crowd_scene* stage, pelt_encoding encoding,
                                pelt_error* error)
{
    if (encoding != PELT_ENCODING_VERTEX)
    {
        pelt_result result = pelt_gl_crowd_create(&out->crowd, stage->gl, &out->texture,
                                                  stage->count, PELT_PALETTE_POSED, error);
        if (result != PELT_ERROR_UNSUPPORTED)
        {
            return result;
        }
    }
    return pelt_gl_crowd_create(&out->crowd, stage->gl, &out->texture, stage->count,
                                PELT_PALETTE_BAKED, error);
}

static pelt_result create_level(crowd_scene* stage, uint32_t level, const pelt_baked* baked,
                                pelt_error* error)
{
    crowd_level* out = &stage->levels[level];
    uint32_t count = stage->scene->instance_count;
    out->parts = pelt_allocate(count, sizeof *out->parts);
    if (out->parts == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(out->parts, 0, count * sizeof *out->parts);
    pelt_result result = pelt_gl_baked_create(&out->texture, stage->gl, baked, error);
    if (result == PELT_OK)
    {
        result = create_crowd(out, stage, baked->encoding, error);
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = is_drawn(stage->scene, i)
                     ? create_part(&out->parts[i], stage, level, baked, i, error)
                     : PELT_OK;
    }
    stage->level_count += result == PELT_OK;
    return result;
}

static pelt_result create_members(crowd_scene* out, pelt_error* error)
{
    out->places = pelt_allocate(out->count, sizeof *out->places);
    out->playbacks = pelt_allocate(out->count, sizeof *out->playbacks);
    out->member_levels = pelt_allocate(out->count, sizeof *out->member_levels);
    out->visible = pelt_allocate(out->count, sizeof *out->visible);
    out->order = pelt_allocate(out->count, sizeof *out->order);
    out->shadows = pelt_allocate(out->count, sizeof *out->shadows);
    if (out->places == NULL || out->playbacks == NULL || out->member_levels == NULL ||
        out->visible == NULL || out->order == NULL || out->shadows == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(out->member_levels, 0, out->count);
    return PELT_OK;
}

static pelt_result create_textures(crowd_scene* out, const pelt_picture* pictures,
                                   pelt_error* error)
{
    uint32_t count = out->scene->material_count;
    out->textures = pelt_allocate(count + 1u, sizeof *out->textures);
    if (out->textures == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(out->textures, 0, (count + 1u) * sizeof *out->textures);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    for (uint32_t i = 0; i < count && pictures != NULL; ++i)
    {
        if (pictures[i].pixels == NULL)
        {
            continue;
        }
        // Materials that show the same picture share its texture.
        for (uint32_t k = 0; k < i && out->textures[i] == 0; ++k)
        {
            out->textures[i] = pictures[k].pixels == pictures[i].pixels ? out->textures[k] : 0;
        }
        if (out->textures[i] != 0)
        {
            continue;
        }
        glGenTextures(1, &out->textures[i]);
        glBindTexture(GL_TEXTURE_2D, out->textures[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, (GLsizei)pictures[i].width,
                     (GLsizei)pictures[i].height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pictures[i].pixels);
        glGenerateMipmap(GL_TEXTURE_2D);
    }
    return PELT_OK;
}

// Attributes of shadows are one place for each.
static void create_arrays(crowd_scene* out)
{
    glGenVertexArrays(1, &out->empty_array);
    glGenVertexArrays(1, &out->shadow_array);
    glGenBuffers(1, &out->shadow_buffer);
    glBindVertexArray(out->shadow_array);
    glBindBuffer(GL_ARRAY_BUFFER, out->shadow_buffer);
    glVertexAttribPointer(PELT_CROWD_POSITION_LOCATION, 4, GL_FLOAT, GL_FALSE, sizeof *out->shadows,
                          NULL);
    glVertexAttribDivisor(PELT_CROWD_POSITION_LOCATION, 1);
    glEnableVertexAttribArray(PELT_CROWD_POSITION_LOCATION);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

// The ground is as low as anybody gets. Boxes of joints have a margin all around.
static void measure(crowd_scene* out)
{
    pelt_bounds all = pelt_bounds_empty();
    float narrow = INFINITY;
    for (uint32_t i = 0; i < out->baked->clip_count; ++i)
    {
        pelt_bounds box = out->baked->clips[i].bounds;
        pelt_bounds_add(&all, &box.min, 1);
        pelt_bounds_add(&all, &box.max, 1);
        narrow = fminf(narrow, fminf(box.max.x - box.min.x, box.max.z - box.min.z));
    }
    bool has_margin = out->baked->encoding != PELT_ENCODING_VERTEX;
    out->ground = all.min.y + (has_margin ? 0.02f * out->baked->height_meters : 0.0f);
    out->footprint = 0.5f * narrow;
    pelt_vec3 size = pelt_vec3_sub(all.max, all.min);
    out->spacing = fmaxf(hypotf(size.x, size.z), 1e-3f);
}

static pelt_result fill(crowd_scene* out, const crowd_scene_desc* desc, pelt_error* error)
{
    pelt_result result = pelt_crowd_bounds_create(&out->bounds, out->baked, out->scene, error);
    result = result == PELT_OK ? create_members(out, error) : result;
    result = result == PELT_OK ? create_textures(out, desc->textures, error) : result;
    for (uint32_t i = 0; i < CROWD_LEVELS && desc->bakes[i] != NULL && result == PELT_OK; ++i)
    {
        result = create_level(out, i, desc->bakes[i], error);
    }
    create_arrays(out);
    measure(out);
    return result;
}

pelt_result crowd_scene_create(crowd_scene** out, pelt_gl* gl, const crowd_scene_desc* desc,
                               pelt_error* error)
{
    PELT_ASSERT(desc->count > 0 && desc->bakes[0] != NULL);
    *out = pelt_allocate(1, sizeof **out);
    if (*out == NULL)
    {
        return pelt_error_memory(error);
    }
    **out = (crowd_scene){
        .gl = gl, .scene = desc->scene, .baked = desc->bakes[0], .count = desc->count};
    pelt_result result = fill(*out, desc, error);
    if (result != PELT_OK)
    {
        crowd_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}

static void destroy_level(crowd_level* in, uint32_t part_count)
{
    for (uint32_t i = 0; in->parts != NULL && i < part_count; ++i)
    {
        pelt_gl_mesh_destroy(&in->parts[i].mesh);
    }
    pelt_gl_crowd_destroy(&in->crowd);
    pelt_gl_baked_destroy(&in->texture);
    pelt_release(in->parts);
}

void crowd_scene_destroy(crowd_scene* in)
{
    if (in == NULL)
    {
        return;
    }
    for (uint32_t i = 0; i < CROWD_LEVELS; ++i)
    {
        destroy_level(&in->levels[i], in->scene->instance_count);
    }
    if (in->textures != NULL)
    {
        glDeleteTextures((GLsizei)in->scene->material_count, in->textures);
    }
    glDeleteVertexArrays(1, &in->empty_array);
    glDeleteVertexArrays(1, &in->shadow_array);
    glDeleteBuffers(1, &in->shadow_buffer);
    pelt_release(in->textures);
    pelt_release(in->places);
    pelt_release(in->playbacks);
    pelt_release(in->member_levels);
    pelt_release(in->visible);
    pelt_release(in->order);
    pelt_release(in->shadows);
    pelt_release(in);
}

// ---------------------------------------------------------------------------------------------
// Members

void crowd_scene_arrange(crowd_scene* inout, const pelt_crowd_act* act, float spacing)
{
    inout->radius = 0.0f;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        inout->places[i] = pelt_crowd_member_transform(act, i, inout->count, spacing);
        inout->radius = fmaxf(inout->radius, pelt_vec3_length(inout->places[i].position));
    }
    inout->radius += inout->spacing;
}

static void count_members(crowd_scene* inout, uint32_t visible)
{
    inout->counts = (crowd_counts){.members = inout->count, .visible = visible};
    for (uint32_t i = 0; i < CROWD_LEVELS; ++i)
    {
        inout->counts.by_level[i] = inout->by_level[i].count;
    }
    for (uint32_t i = 0; i < visible; ++i)
    {
        inout->counts.fading += inout->playbacks[inout->order[i]].fade > 0.0f;
    }
}

static pelt_crowd_members members_of(const crowd_scene* in)
{
    return (pelt_crowd_members){&in->bounds, in->places, in->playbacks, in->member_levels};
}

void crowd_scene_play(crowd_scene* inout, const pelt_crowd_act* act, double time,
                      const pelt_crowd_view* view)
{
    pelt_crowd_view here = *view;
    here.level_count =
        view->level_count < inout->level_count ? view->level_count : inout->level_count;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        inout->playbacks[i] = pelt_crowd_play(act, inout->baked, i, time);
    }
    pelt_crowd_members members = members_of(inout);
    uint32_t seen = pelt_crowd_cull(inout->visible, &members, &here, (pelt_range){0, inout->count});
    pelt_crowd_sort(inout->order, inout->by_level, inout->visible, seen);
    count_members(inout, seen);
}

pelt_result crowd_scene_upload(crowd_scene* inout, pelt_error* error)
{
    pelt_crowd_members members = members_of(inout);
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < inout->level_count && result == PELT_OK; ++i)
    {
        pelt_gl_crowd* crowd = &inout->levels[i].crowd;
        pelt_gl_crowd_gather(crowd, &members, inout->order + inout->by_level[i].first,
                             inout->by_level[i].count);
        result = pelt_gl_crowd_pose(crowd, error);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Drawing

static void set_frame(const crowd_program* program, const crowd_scene* stage,
                      const crowd_shot* shot)
{
    float reach = fmaxf(2.0f * stage->radius, pelt_vec3_length(shot->eye) + stage->radius);
    glUniformMatrix4fv(program->view, 1, GL_FALSE, shot->clip_from_world);
    glUniform4f(program->eye, shot->eye.x, shot->eye.y, shot->eye.z, reach);
}

static void draw_background(const crowd_scene* stage, const crowd_program* program)
{
    glDisable(GL_DEPTH_TEST);
    glUseProgram(program->program.name);
    glBindVertexArray(stage->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void draw_ground(const crowd_scene* stage, const crowd_program* program,
                        const crowd_shot* shot)
{
    float far_out = 3.0f * stage->radius + pelt_vec3_length(shot->eye);
    glUseProgram(program->program.name);
    set_frame(program, stage, shot);
    glUniform4f(program->size, stage->ground, far_out, stage->radius, stage->footprint);
    glBindVertexArray(stage->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

// Of everybody in front of the camera: a shadow may be in view when its member is not, and shows
// where those stand whom a frozen frustum leaves out.
static void draw_shadows(crowd_scene* inout, const crowd_program* program, const crowd_shot* shot)
{
    float r = inout->footprint;
    pelt_bounds flat = {{-r, inout->ground, -r}, {r, inout->ground, r}};
    pelt_frustum frustum = pelt_frustum_of(shot->clip_from_world);
    uint32_t count = 0;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        if (pelt_frustum_meets(&frustum, &flat, &inout->places[i]))
        {
            inout->shadows[count++] = inout->places[i];
        }
    }
    glBindBuffer(GL_ARRAY_BUFFER, inout->shadow_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *inout->shadows), inout->shadows,
                 GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glUseProgram(program->program.name);
    set_frame(program, inout, shot);
    glUniform4f(program->size, inout->ground, 0.0f, inout->radius, inout->footprint);
    glBindVertexArray(inout->shadow_array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
}

static void draw_frozen(const crowd_scene* stage, const crowd_program* program,
                        const crowd_shot* shot)
{
    glUseProgram(program->program.name);
    set_frame(program, stage, shot);
    glUniformMatrix4fv(program->frozen, 1, GL_FALSE, shot->frozen);
    glBindVertexArray(stage->empty_array);
    glDrawArrays(GL_LINES, 0, 24);
}

static void set_material(const crowd_scene* stage, const struct crowd_part* part, uint32_t level,
                         bool has_level_colors)
{
    const crowd_program* program = &part->program;
    pelt_material plain = {.base_color = {0.56f, 0.55f, 0.53f, 1.0f}};
    const pelt_material* material =
        part->material != PELT_NONE ? &stage->scene->materials[part->material] : &plain;
    pelt_vec4 color = material->base_color;
    uint32_t texture = part->material != PELT_NONE ? stage->textures[part->material] : 0;
    if (has_level_colors)
    {
        pelt_color c = crowd_level_colors[level];
        color = (pelt_vec4){pelt_srgb_to_linear(c.r), pelt_srgb_to_linear(c.g),
                            pelt_srgb_to_linear(c.b), 1.0f};
        texture = 0;
    }
    bool is_mask = material->alpha_mode == PELT_ALPHA_MASK && !has_level_colors;
    float cutoff = material->alpha_cutoff > 0.0f ? material->alpha_cutoff : 0.5f;
    glUniform4f(program->color, color.x, color.y, color.z, color.w);
    glUniform2f(program->rule, texture != 0 ? 1.0f : 0.0f, is_mask ? cutoff : -1.0f);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
}

static void draw_level(crowd_scene* inout, uint32_t index, const crowd_shot* shot)
{
    const crowd_level* level = &inout->levels[index];
    pelt_range all = {0, level->crowd.used_count};
    for (uint32_t i = 0; i < inout->scene->instance_count && all.count > 0; ++i)
    {
        const struct crowd_part* part = &level->parts[i];
        if (part->mesh.index_count == 0)
        {
            continue;
        }
        pelt_gl_crowd_use(&level->crowd, &part->program.program, 0.0f);
        set_frame(&part->program, inout, shot);
        set_material(inout, part, index, shot->has_level_colors);
        pelt_gl_crowd_draw(&level->crowd, &part->program.program, &part->mesh, part->first_joint,
                           all);
        ++inout->counts.draw_calls;
        inout->counts.triangles += (uint64_t)all.count * (part->mesh.index_count / 3);
    }
}

pelt_result crowd_scene_draw(crowd_scene* inout, const crowd_shot* shot, pelt_error* error)
{
    crowd_program programs[CROWD_MEMBER];
    for (int i = 0; i < CROWD_MEMBER; ++i)
    {
        pelt_result result =
            crowd_program_get(&programs[i], inout->gl, (crowd_program_kind)i, NULL, error);
        if (result != PELT_OK)
        {
            return result;
        }
    }
    inout->counts.draw_calls = 0;
    inout->counts.triangles = 0;
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_background(inout, &programs[CROWD_BACKGROUND]);
    // The ground hides nothing and is hidden by nobody below it: it comes before all of them.
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    if (shot->has_ground)
    {
        draw_ground(inout, &programs[CROWD_GROUND], shot);
        draw_shadows(inout, &programs[CROWD_SHADOW], shot);
    }
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    for (uint32_t i = 0; i < inout->level_count; ++i)
    {
        draw_level(inout, i, shot);
    }
    if (shot->frozen != NULL)
    {
        draw_frozen(inout, &programs[CROWD_FRUSTUM], shot);
    }
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
    return PELT_OK;
}
