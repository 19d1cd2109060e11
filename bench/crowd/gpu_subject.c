// SPDX-License-Identifier: MIT
// One character on the GPU.
#include "gpu_subject.h"

#include <epoxy/gl.h>
#include <string.h>

static bool has_joint(const pelt_influence* in, uint32_t count, uint32_t joint)
{
    bool is_there = false;
    for (uint32_t i = 0; i < count; ++i)
    {
        is_there = is_there || in[i].joint == joint;
    }
    return is_there;
}

static uint32_t spare_joint(const pelt_influence* taken, uint32_t count)
{
    uint32_t joint = 0;
    while (has_joint(taken, count, joint))
    {
        ++joint;
    }
    return joint;
}

// Shaders have as many influences as the vertex with the most. Give one vertex `count` influences,
// if there are enough joints, with negligible weights.
static pelt_result widen(pelt_weights* inout, uint32_t count, pelt_arena* arena)
{
    uint32_t own = inout->first[1];
    count = count < inout->joint_count ? count : inout->joint_count;
    if (inout->max_influences >= count)
    {
        return PELT_OK;
    }
    uint32_t extra = count - own;
    uint32_t* first = pelt_arena_alloc(arena, (size_t)inout->vertex_count + 1, sizeof *first);
    pelt_influence* influences =
        pelt_arena_alloc(arena, (size_t)inout->influence_count + extra, sizeof *influences);
    if (first == NULL || influences == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    first[0] = 0;
    for (uint32_t v = 1; v <= inout->vertex_count; ++v)
    {
        first[v] = inout->first[v] + extra;
    }
    memcpy(influences, inout->influences, own * sizeof *influences);
    memcpy(influences + count, inout->influences + own,
           (inout->influence_count - own) * sizeof *influences);
    for (uint32_t i = own; i < count; ++i)
    {
        uint32_t joint = spare_joint(influences, i);
        influences[i] = (pelt_influence){.joint = (pelt_joint_index)joint, .weight = 1e-7f};
    }
    inout->first = first;
    inout->influences = influences;
    inout->influence_count += extra;
    inout->max_influences = count;
    return PELT_OK;
}

static pelt_result create_mesh(pelt_gl_mesh* out, const gpu_body* body, const pelt_mesh* source,
                               pelt_normal_rule rule, pelt_error* error)
{
    pelt_mesh mesh = *source;
    const pelt_normal_factors* factors = source->normal_factors;
    bool has_rule = rule != PELT_NORMAL_STANDARD && factors != NULL;
    pelt_gl_mesh_options options = {.max_influences = body->influence_count,
                                    .normal_factors = has_rule ? factors : NULL,
                                    .normal_rule = has_rule ? rule : PELT_NORMAL_STANDARD};
    mesh.mix_factors = NULL;
    pelt_result result = widen(&mesh.weights, body->influence_count, body->arena);
    return result == PELT_OK ? pelt_gl_mesh_create(out, body->target->gl, &mesh, &options, error)
                             : pelt_error_memory(error);
}

static pelt_result create_meshes(gpu_body* out, pelt_normal_rule rule, pelt_error* error)
{
    const pelt_scene* scene = &out->subject->prepared;
    out->rule = rule;
    for (uint32_t i = 0; i < out->subject->part_count; ++i)
    {
        const pelt_instance* part = &scene->instances[out->subject->parts[i]];
        PELT_TRY(create_mesh(&out->meshes[i], out, &scene->meshes[part->mesh], rule, error));
        out->mesh_count++;
        out->rule = out->meshes[i].normals.rule == rule ? out->rule : PELT_NORMAL_STANDARD;
    }
    return PELT_OK;
}

static pelt_result create_palettes(gpu_body* out, pelt_error* error)
{
    const pelt_scene* scene = out->subject->source;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < scene->skin_count; ++i)
    {
        result = pelt_gl_palette_create(&out->palettes[i], out->target->gl,
                                        scene->skins[i].joint_count, PELT_PALETTE_AUTO, error);
        out->palette_count += result == PELT_OK;
    }
    return result;
}

pelt_result gpu_body_create(gpu_body* out, draw_target* target, crowd_subject* subject,
                            uint32_t influence_count, pelt_normal_rule rule, pelt_error* error)
{
    *out = (gpu_body){.target = target,
                      .subject = subject,
                      .influence_count = influence_count,
                      .arena = pelt_arena_create()};
    if (out->arena != NULL)
    {
        out->meshes = pelt_arena_alloc(out->arena, subject->part_count, sizeof *out->meshes);
        out->palettes =
            pelt_arena_alloc(out->arena, subject->source->skin_count, sizeof *out->palettes);
    }
    pelt_result result = out->meshes != NULL && out->palettes != NULL
                             ? create_meshes(out, rule, error)
                             : pelt_error_memory(error);
    result = result == PELT_OK ? create_palettes(out, error) : result;
    if (result != PELT_OK)
    {
        gpu_body_destroy(out);
    }
    return result;
}

void gpu_body_destroy(gpu_body* body)
{
    for (uint32_t i = 0; i < body->mesh_count; ++i)
    {
        pelt_gl_mesh_destroy(&body->meshes[i]);
    }
    for (uint32_t i = 0; i < body->palette_count; ++i)
    {
        pelt_gl_palette_destroy(&body->palettes[i]);
    }
    pelt_arena_destroy(body->arena);
    *body = (gpu_body){0};
}

static const pelt_gl_palette* palette_of(const gpu_body* body, uint32_t mesh)
{
    const crowd_subject* subject = body->subject;
    return &body->palettes[subject->source->instances[subject->parts[mesh]].skin];
}

static pelt_result find_program(draw_program* inout, const gpu_body* body, uint32_t mesh,
                                pelt_method method, pelt_error* error)
{
    if (inout->program.name != 0)
    {
        return PELT_OK;
    }
    if (method == PELT_METHOD_COUNT)
    {
        return draw_program_get(inout, body->target->gl,
                                (pelt_gl_program_desc){.influence_count = 1}, DRAW_STATIC_SINGLE,
                                error);
    }
    pelt_gl_program_desc desc =
        pelt_gl_program_desc_of(&body->meshes[mesh], palette_of(body, mesh));
    return draw_program_get(inout, body->target->gl, desc, DRAW_SKINNED, error);
}

pelt_result gpu_body_draw(gpu_body* body, draw_program* programs, pelt_method method,
                          pelt_error* error)
{
    static const float origin[4] = {0.0f, 0.0f, 1.0f, 0.0f};
    draw_target_clear(body->target);
    for (uint32_t i = 0; method != PELT_METHOD_COUNT && i < body->palette_count; ++i)
    {
        pelt_gl_palette_update(&body->palettes[i], &body->subject->frame.palettes[i], method,
                               PELT_SCALE_LOCAL);
    }
    for (uint32_t i = 0; i < body->mesh_count; ++i)
    {
        PELT_TRY(find_program(&programs[i], body, i, method, error));
        glUseProgram(programs[i].program.name);
        if (method != PELT_METHOD_COUNT)
        {
            pelt_gl_program_use(&programs[i].program, palette_of(body, i), 0.5f);
        }
        draw_program_look(&programs[i], body->target);
        draw_program_transform(&programs[i], origin);
        pelt_gl_mesh_draw(&body->meshes[i]);
    }
    draw_target_finish();
    return PELT_OK;
}

uint32_t gpu_body_vertex_bytes(const gpu_body* body, pelt_method method)
{
    const pelt_gl_mesh* mesh = &body->meshes[0];
    const crowd_subject* subject = body->subject;
    const pelt_scene* scene = &subject->prepared;
    const pelt_mesh* source = &scene->meshes[scene->instances[subject->parts[0]].mesh];
    bool is_skinned = method != PELT_METHOD_COUNT;
    pelt_attribute_set set =
        pelt_gpu_attributes(source, is_skinned ? method : PELT_METHOD_LBS, mesh->influence_count);
    if (!is_skinned)
    {
        set &= (1u << PELT_ATTRIBUTE_JOINTS) - 1u;
    }
    uint32_t factors = is_skinned ? pelt_gpu_normal_floats(&mesh->normals) : 0;
    return pelt_gpu_vertex_bytes(set, mesh->influence_count) + factors * (uint32_t)sizeof(float);
}
