// SPDX-License-Identifier: MIT
// The GPU resources of a crowd for one technique.
#include "crowd_cast.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Creating

static const crowd_technique_info* info_of(const crowd_cast* cast)
{
    return crowd_technique_describe(cast->technique);
}

static pelt_method method_of(const crowd_cast* cast)
{
    return pelt_method_find(info_of(cast)->method);
}

static pelt_result create_part(crowd_part* out, const crowd_cast* cast, uint32_t instance,
                               const pelt_baked* baked, uint32_t max_influences, pelt_error* error)
{
    const crowd_subject* subject = cast->subject;
    bool has_centers = pelt_method_info(method_of(cast))->needs_centers;
    const pelt_scene* scene = has_centers ? &subject->prepared : subject->source;
    const pelt_instance* part = &scene->instances[instance];
    const pelt_baked_instance* in = baked != NULL ? &baked->instances[instance] : NULL;
    pelt_gl_mesh_options options = {.max_influences = max_influences,
                                    .vertex_ids = in != NULL ? in->vertex_ids : NULL};
    out->skin = part->skin;
    out->first_joint = in != NULL ? in->first : 0;
    PELT_TRY(pelt_gl_mesh_create(&out->mesh, cast->target->gl, &scene->meshes[part->mesh], &options,
                                 error));
    if (info_of(cast)->kind == CROWD_STATIC)
    {
        pelt_gl_mesh_update(&out->mesh, &subject->frame.surfaces[instance]);
    }
    return PELT_OK;
}

static pelt_result create_parts(crowd_cast* out, const pelt_baked* baked, uint32_t max_influences,
                                pelt_error* error)
{
    const crowd_subject* subject = out->subject;
    out->parts = pelt_allocate(subject->part_count, sizeof *out->parts);
    if (out->parts == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(out->parts, 0, subject->part_count * sizeof *out->parts);
    pelt_result result = PELT_OK;
    while (result == PELT_OK && out->part_count < subject->part_count)
    {
        result = create_part(&out->parts[out->part_count], out, subject->parts[out->part_count],
                             baked, max_influences, error);
        out->part_count += result == PELT_OK;
    }
    return result;
}

static pelt_result create_palettes(crowd_cast* out, pelt_error* error)
{
    const pelt_scene* scene = out->subject->source;
    out->palettes = pelt_allocate(scene->skin_count, sizeof *out->palettes);
    if (out->palettes == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = PELT_OK;
    while (result == PELT_OK && out->palette_count < scene->skin_count)
    {
        result = pelt_gl_palette_create(&out->palettes[out->palette_count], out->target->gl,
                                        scene->skins[out->palette_count].joint_count,
                                        PELT_PALETTE_AUTO, error);
        out->palette_count += result == PELT_OK;
    }
    return result;
}

// Limits a palette of poses to 64 MB and to the rows of a texture.
static uint32_t posed_capacity(uint32_t capacity, const pelt_baked* baked)
{
    uint32_t most = (1u << 20) / (baked->joint_count > 0 ? baked->joint_count : 1);
    most = most > 0 ? most : 1;
    return capacity < most ? capacity : most;
}

static pelt_result create_crowd(crowd_cast* out, const pelt_baked* baked, pelt_error* error)
{
    pelt_palette_kind kind = info_of(out)->palette;
    if (kind == PELT_PALETTE_POSED)
    {
        out->capacity = posed_capacity(out->capacity, baked);
    }
    out->playbacks = pelt_allocate(out->capacity, sizeof *out->playbacks);
    if (out->playbacks == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(out->playbacks, 0, out->capacity * sizeof *out->playbacks);
    PELT_TRY(pelt_gl_baked_create(&out->texture, out->target->gl, baked, error));
    return pelt_gl_crowd_create(&out->crowd, out->target->gl, &out->texture, out->capacity, kind,
                                error);
}

static pelt_result create_baked(crowd_cast* out, const crowd_cast_options* options,
                                pelt_error* error)
{
    GLint most = 0; // the layout of the thesis has a row for each vertex
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    bool is_thesis = info_of(out)->layout == PELT_BAKE_LAYOUT_THESIS;
    pelt_bake_options how = {.encoding = info_of(out)->encoding,
                             .layout = info_of(out)->layout,
                             .bits = options->bits,
                             .clip_count = 1,
                             .clips = &out->subject->clip,
                             .has_no_morphs = true,
                             .max_size = is_thesis ? (uint32_t)most : 0};
    PELT_TRY(pelt_bake(&out->baked, out->subject->source, &how, error));
    const pelt_baked* baked = out->baked;
    pelt_result result = create_crowd(out, baked, error);
    if (result == PELT_OK)
    {
        result = crowd_metadata_create(&out->metadata, baked, error);
    }
    if (result == PELT_OK)
    {
        result = create_parts(out, baked, options->max_influences, error);
    }
    return result;
}

static pelt_result create_kind(crowd_cast* out, const crowd_cast_options* options,
                               pelt_error* error)
{
    const crowd_technique_info* info = info_of(out);
    if (info->kind == CROWD_BAKED)
    {
        return create_baked(out, options, error);
    }
    if (pelt_method_info(method_of(out))->needs_centers)
    {
        PELT_TRY(crowd_subject_add_centers(out->subject, error));
    }
    if (info->kind == CROWD_SINGLY)
    {
        PELT_TRY(create_palettes(out, error));
    }
    if (info->kind == CROWD_SKINNED)
    {
        bool has_memory = pelt_frame_create(&out->frame, out->subject->source) == PELT_OK &&
                          pelt_frame_prepare(&out->frame, out->subject->source) == PELT_OK;
        PELT_TRY(has_memory ? PELT_OK : pelt_error_memory(error));
    }
    return create_parts(out, NULL, options->max_influences, error);
}

pelt_result crowd_cast_create(crowd_cast* out, crowd_technique technique, draw_target* target,
                              crowd_subject* subject, const crowd_cast_options* options,
                              pelt_error* error)
{
    *out = (crowd_cast){.technique = technique,
                        .target = target,
                        .subject = subject,
                        .capacity = options->capacity};
    pelt_result result = create_kind(out, options, error);
    if (result != PELT_OK)
    {
        crowd_cast_destroy(out);
    }
    return result;
}

void crowd_cast_destroy(crowd_cast* cast)
{
    for (uint32_t i = 0; i < cast->part_count; ++i)
    {
        pelt_gl_mesh_destroy(&cast->parts[i].mesh);
        for (uint32_t k = 0; k < CROWD_VARIANT_COUNT; ++k)
        {
            glDeleteProgram(cast->parts[i].variants[k].program.name);
        }
    }
    for (uint32_t i = 0; i < cast->palette_count; ++i)
    {
        pelt_gl_palette_destroy(&cast->palettes[i]);
    }
    pelt_frame_destroy(&cast->frame);
    pelt_gl_crowd_destroy(&cast->crowd);
    pelt_gl_baked_destroy(&cast->texture);
    pelt_baked_destroy(cast->baked);
    glDeleteBuffers(1, &cast->transform_buffer);
    pelt_release(cast->parts);
    pelt_release(cast->palettes);
    pelt_release(cast->playbacks);
    crowd_metadata_destroy(&cast->metadata);
    *cast = (crowd_cast){0};
}

uint32_t crowd_cast_influences(const crowd_cast* cast)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < cast->part_count; ++i)
    {
        uint32_t count = cast->parts[i].mesh.influence_count;
        most = count > most ? count : most;
    }
    return most;
}

size_t crowd_cast_texture_bytes(const crowd_cast* cast)
{
    return cast->texture.byte_count;
}

// ---------------------------------------------------------------------------------------------
// Transforms

static void upload_transforms(crowd_cast* cast)
{
    const crowd_instances* in = cast->instances;
    if (cast->transform_buffer == 0)
    {
        glGenBuffers(1, &cast->transform_buffer);
    }
    for (uint32_t i = 0; i < cast->part_count; ++i)
    {
        glBindVertexArray(cast->parts[i].mesh.vertex_array);
        glBindBuffer(GL_ARRAY_BUFFER, cast->transform_buffer);
        if (i == 0)
        {
            glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(in->count * sizeof *in->transforms),
                         in->transforms, GL_STATIC_DRAW);
        }
        glVertexAttribPointer(DRAW_TRANSFORM_LOCATION, 4, GL_FLOAT, GL_FALSE, 0, NULL);
        glVertexAttribDivisor(DRAW_TRANSFORM_LOCATION, 1);
        glEnableVertexAttribArray(DRAW_TRANSFORM_LOCATION);
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void crowd_cast_arrange(crowd_cast* cast, const crowd_instances* instances)
{
    PELT_ASSERT(instances->count <= cast->capacity);
    cast->instances = instances;
    pelt_bounds box = crowd_instances_bounds(instances, &cast->subject->bounds);
    draw_target_look(cast->target, &box);
    if (info_of(cast)->kind == CROWD_STATIC || info_of(cast)->kind == CROWD_BAKED)
    {
        upload_transforms(cast);
    }
}

static double time_of(const crowd_cast* cast, uint32_t instance, double time)
{
    double duration = (double)cast->subject->duration;
    return fmod(time + (double)cast->instances->offsets[instance] * duration, duration);
}

// ---------------------------------------------------------------------------------------------
// Drawing

// The program of a part.
// @param off  stages of shaders that are left out
static pelt_result find_program(draw_program** out, crowd_cast* cast, crowd_part* part,
                                pelt_gpu_scale scale, crowd_stage_set off, pelt_error* error)
{
    static const draw_kind kinds[] = {[CROWD_STATIC] = DRAW_STATIC,
                                      [CROWD_SINGLY] = DRAW_SKINNED,
                                      [CROWD_BAKED] = DRAW_INSTANCED,
                                      [CROWD_SKINNED] = DRAW_STATIC_SINGLE};
    const crowd_technique_info* info = info_of(cast);
    *out = off != 0 ? &part->variants[crowd_variant_index(off)] : &part->programs[scale];
    if ((*out)->program.name != 0)
    {
        return PELT_OK;
    }
    pelt_gl_program_desc desc = {.influence_count = 1};
    if (info->kind == CROWD_BAKED)
    {
        desc = pelt_gl_crowd_program_desc(&cast->crowd, &part->mesh, method_of(cast), scale);
    }
    else if (info->kind == CROWD_SINGLY)
    {
        desc = pelt_gl_program_desc_of(&part->mesh, &cast->palettes[part->skin]);
    }
    return off != 0
               ? crowd_variant_create(*out, cast->target->gl, &desc, off, &cast->metadata, error)
               : draw_program_get(*out, cast->target->gl, desc, kinds[info->kind], error);
}

static pelt_result draw_static(crowd_cast* cast, pelt_error* error)
{
    for (uint32_t i = 0; i < cast->part_count; ++i)
    {
        crowd_part* part = &cast->parts[i];
        draw_program* program;
        PELT_TRY(find_program(&program, cast, part, PELT_GPU_SCALE_NONE, 0, error));
        glUseProgram(program->program.name);
        draw_program_look(program, cast->target);
        glBindVertexArray(part->mesh.vertex_array);
        glDrawElementsInstanced(GL_TRIANGLES, (GLsizei)part->mesh.index_count, GL_UNSIGNED_INT,
                                NULL, (GLsizei)cast->instances->count);
    }
    return PELT_OK;
}

// The CPU deforms one instance after another (section 3.6.1 of the animation texture thesis, 2021).
static pelt_result draw_skinned(crowd_cast* cast, double time, pelt_error* error)
{
    crowd_subject* subject = cast->subject;
    const pelt_scene* scene = subject->source;
    const pelt_deform_options options = {.method = method_of(cast)};
    for (uint32_t i = 0; i < cast->instances->count; ++i)
    {
        pelt_pose_sample(&subject->pose, scene, &scene->clips[subject->clip],
                         (float)time_of(cast, i, time), PELT_WRAP_LOOP);
        pelt_frame_update(&cast->frame, scene, &subject->pose, &options);
        for (uint32_t k = 0; k < cast->part_count; ++k)
        {
            crowd_part* part = &cast->parts[k];
            draw_program* program;
            PELT_TRY(find_program(&program, cast, part, PELT_GPU_SCALE_NONE, 0, error));
            pelt_gl_mesh_update(&part->mesh, &cast->frame.surfaces[subject->parts[k]]);
            glUseProgram(program->program.name);
            draw_program_look(program, cast->target);
            draw_program_transform(program, cast->instances->transforms[i]);
            pelt_gl_mesh_draw(&part->mesh);
        }
    }
    return PELT_OK;
}

static void play(crowd_cast* cast, double time)
{
    for (uint32_t i = 0; i < cast->instances->count; ++i)
    {
        cast->playbacks[i].base =
            (pelt_moment){.time = (float)time_of(cast, i, time), .wrap = PELT_WRAP_LOOP};
    }
    pelt_gl_crowd_update(&cast->crowd, cast->playbacks, cast->instances->count);
}

static pelt_result draw_baked(crowd_cast* cast, double time, crowd_stage_set off, pelt_error* error)
{
    pelt_range all = {0, cast->instances->count};
    pelt_gpu_scale scale = cast->subject->is_rigid ? PELT_GPU_SCALE_NONE : PELT_GPU_SCALE_LOCAL;
    crowd_stage_set missing = off & crowd_technique_stages(cast->technique) & CROWD_SHADER_STAGES;
    missing &= cast->metadata.texel_count > 0 ? ~0u : ~(uint32_t)CROWD_METADATA;
    if ((off & CROWD_UPLOAD) == 0 || cast->crowd.used_count != all.count)
    {
        play(cast, time);
    }
    PELT_TRY(pelt_gl_crowd_pose(&cast->crowd, error));
    for (uint32_t i = 0; i < cast->part_count; ++i)
    {
        crowd_part* part = &cast->parts[i];
        draw_program* program;
        PELT_TRY(find_program(&program, cast, part, scale, missing, error));
        pelt_gl_crowd_use(&cast->crowd, &program->program, 0.0f);
        crowd_metadata_bind(&cast->metadata);
        draw_program_look(program, cast->target);
        pelt_gl_crowd_draw(&cast->crowd, &program->program, &part->mesh, part->first_joint, all);
    }
    return PELT_OK;
}

// Compute the skeletons of an instance and upload them.
static void move_skeletons(crowd_cast* cast, uint32_t instance, double time, crowd_stage_set off)
{
    if ((off & CROWD_SKELETON) == 0)
    {
        crowd_subject_pose(cast->subject, time_of(cast, instance, time));
    }
    for (uint32_t i = 0; i < cast->palette_count; ++i)
    {
        bool is_empty = cast->palettes[i].kind == PELT_PALETTE_AUTO;
        if ((off & CROWD_UPLOAD) == 0 || is_empty)
        {
            pelt_gl_palette_update(&cast->palettes[i], &cast->subject->frame.palettes[i],
                                   method_of(cast), PELT_SCALE_LOCAL);
        }
    }
}

static pelt_result draw_part(crowd_cast* cast, crowd_part* part, uint32_t instance,
                             pelt_error* error)
{
    const pelt_gl_palette* palette = &cast->palettes[part->skin];
    draw_program* program;
    PELT_TRY(find_program(&program, cast, part, palette->scale, 0, error));
    pelt_gl_program_use(&program->program, palette, 0.0f);
    draw_program_look(program, cast->target);
    draw_program_transform(program, cast->instances->transforms[instance]);
    pelt_gl_mesh_draw(&part->mesh);
    return PELT_OK;
}

static pelt_result draw_singly(crowd_cast* cast, double time, crowd_stage_set off,
                               pelt_error* error)
{
    bool is_by_mesh = (off & CROWD_SWITCH) != 0;
    uint32_t rounds = is_by_mesh ? cast->part_count : 1;
    uint32_t parts = is_by_mesh ? 1 : cast->part_count;
    for (uint32_t round = 0; round < rounds; ++round)
    {
        for (uint32_t i = 0; i < cast->instances->count; ++i)
        {
            move_skeletons(cast, i, time, off);
            for (uint32_t k = 0; k < parts; ++k)
            {
                PELT_TRY(draw_part(cast, &cast->parts[round + k], i, error));
            }
        }
    }
    return PELT_OK;
}

pelt_result crowd_cast_draw(crowd_cast* cast, double time, crowd_stage_set off, pelt_error* error)
{
    draw_target_clear(cast->target);
    pelt_result result = PELT_OK;
    switch (info_of(cast)->kind)
    {
    case CROWD_STATIC:
        result = draw_static(cast, error);
        break;
    case CROWD_SINGLY:
        result = draw_singly(cast, time, off, error);
        break;
    case CROWD_BAKED:
        result = draw_baked(cast, time, off, error);
        break;
    case CROWD_SKINNED:
        result = draw_skinned(cast, time, error);
        break;
    }
    glBindVertexArray(0);
    glUseProgram(0); // programs of variants must not be in use when the cast is destroyed
    return result;
}
