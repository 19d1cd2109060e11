// SPDX-License-Identifier: MIT
// All buffers of a scene at one moment, and the whole pipeline from pose to surfaces in one call.
#include "../base/exact.h"

#include "deform_vertex.h"

enum
{
    // Vertices per task: enough that starting a task costs nothing beside it.
    CHUNK = 2048
};

static bool allocate_palette(pelt_palette* out, uint32_t joint_count, pelt_arena* arena)
{
    *out = (pelt_palette){.joint_count = joint_count};
    out->matrices = pelt_arena_alloc(arena, joint_count, sizeof *out->matrices);
    out->motions = pelt_arena_alloc(arena, joint_count, sizeof *out->motions);
    out->stretches = pelt_arena_alloc(arena, joint_count, sizeof *out->stretches);
    return out->matrices && out->motions && out->stretches;
}

static pelt_joint_parent* trace_skin(const pelt_skin* skin, const pelt_scene* scene,
                                     pelt_arena* arena)
{
    pelt_joint_parent* out = pelt_arena_alloc(arena, skin->joint_count, sizeof *out);
    if (out != NULL)
    {
        pelt_joint_parents_find(out, skin, scene);
    }
    return out;
}

static bool allocate_surface(pelt_surface* out, const pelt_mesh* mesh, pelt_arena* arena)
{
    size_t count = mesh->vertex_count;
    out->positions = pelt_arena_alloc(arena, count, sizeof *out->positions);
    out->normals = mesh->normals ? pelt_arena_alloc(arena, count, sizeof *out->normals) : NULL;
    out->tangents = mesh->tangents ? pelt_arena_alloc(arena, count, sizeof *out->tangents) : NULL;
    return out->positions && (out->normals || !mesh->normals) && (out->tangents || !mesh->tangents);
}

// What normals of shapes that bring none need, see pelt_deform_input.displacements.
static bool allocate_displacements(pelt_frame* out, const pelt_scene* scene)
{
    bool is_ok = true;
    for (uint32_t i = 0; i < scene->mesh_count && is_ok; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        is_ok = !pelt_morph_lacks_normals(mesh, NULL) ||
                pelt_stencils_build(&out->stencils[i], mesh, out->arena) == PELT_OK;
    }
    for (uint32_t i = 0; i < scene->instance_count && is_ok; ++i)
    {
        const pelt_stencils* stencils = &out->stencils[scene->instances[i].mesh];
        if (stencils->vertex_count > 0)
        {
            out->displacements[i] =
                pelt_arena_alloc(out->arena, stencils->vertex_count, sizeof **out->displacements);
            is_ok = out->displacements[i] != NULL;
        }
    }
    return is_ok;
}

static bool allocate_frame(pelt_frame* out, const pelt_scene* scene)
{
    pelt_arena* arena = out->arena;
    out->model_from_node = pelt_arena_alloc(arena, scene->node_count, sizeof *out->model_from_node);
    out->palettes = pelt_arena_alloc(arena, scene->skin_count, sizeof *out->palettes);
    out->surfaces = pelt_arena_alloc(arena, scene->instance_count, sizeof *out->surfaces);
    out->cors = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->cors);
    out->mix_factors = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->mix_factors);
    out->methods = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->methods);
    out->normal_factors = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->normal_factors);
    out->joint_parents = pelt_arena_alloc(arena, scene->skin_count, sizeof *out->joint_parents);
    out->rotations = pelt_arena_alloc(arena, scene->node_count, sizeof *out->rotations);
    out->stencils = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->stencils);
    out->displacements = pelt_arena_alloc(arena, scene->instance_count, sizeof *out->displacements);
    bool is_ok = out->model_from_node && out->palettes && out->surfaces && out->cors &&
                 out->mix_factors && out->methods && out->normal_factors && out->joint_parents &&
                 out->rotations && out->stencils && out->displacements;

    for (uint32_t i = 0; i < scene->skin_count && is_ok; ++i)
    {
        out->joint_parents[i] = trace_skin(&scene->skins[i], scene, arena);
        is_ok = out->joint_parents[i] != NULL &&
                allocate_palette(&out->palettes[i], scene->skins[i].joint_count, arena);
    }
    for (uint32_t i = 0; i < scene->instance_count && is_ok; ++i)
    {
        is_ok =
            allocate_surface(&out->surfaces[i], &scene->meshes[scene->instances[i].mesh], arena);
    }
    for (uint32_t i = 0; i < scene->mesh_count && is_ok; ++i)
    {
        out->cors[i] = scene->meshes[i].cors;
        out->mix_factors[i] = scene->meshes[i].mix_factors;
        out->methods[i] = PELT_METHOD_COUNT;
        out->normal_factors[i] = scene->meshes[i].normal_factors;
    }
    return is_ok && allocate_displacements(out, scene);
}

pelt_result pelt_frame_create(pelt_frame* out, const pelt_scene* scene)
{
    *out = (pelt_frame){.node_count = scene->node_count,
                        .skin_count = scene->skin_count,
                        .mesh_count = scene->mesh_count,
                        .instance_count = scene->instance_count,
                        .arena = pelt_arena_create()};
    if (out->arena == NULL || !allocate_frame(out, scene))
    {
        pelt_frame_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    return PELT_OK;
}

void pelt_frame_destroy(pelt_frame* frame)
{
    pelt_arena_destroy(frame->arena);
    *frame = (pelt_frame){0};
}

// ---------------------------------------------------------------------------------------------

typedef struct instance_work
{
    const pelt_mesh* mesh;
    const float* morph_weights;
    const pelt_mat34* matrix; // of the node; NULL when a skin deforms the mesh
    const pelt_surface* out;
    pelt_vec3* displacements; // NULL: not needed
    pelt_deform_options options;
    pelt_deform_input input;
} instance_work;

static pelt_range chunk_range(const instance_work* work, uint32_t index)
{
    uint32_t first = index * CHUNK;
    uint32_t left = work->mesh->vertex_count - first;
    return (pelt_range){first, left < CHUNK ? left : CHUNK};
}

static void displace_chunk(void* context, uint32_t index)
{
    const instance_work* work = context;
    pelt_morph_displace(work->displacements, work->mesh, work->morph_weights,
                        chunk_range(work, index));
}

static void deform_chunk(void* context, uint32_t index)
{
    const instance_work* work = context;
    pelt_range range = chunk_range(work, index);

    if (work->mesh->morph_count > 0)
    {
        pelt_morph_apply(work->out, work->mesh, work->morph_weights, range);
    }
    if (work->matrix)
    {
        pelti_deform_rigid(work->out, &work->input, work->matrix, range);
        return;
    }
    pelt_deform(work->out, &work->input, &work->options, range);
}

static void update_instance(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                            const pelt_deform_options* options, uint32_t index)
{
    const pelt_instance* instance = &scene->instances[index];
    const pelt_mesh* mesh = &scene->meshes[instance->mesh];
    const pelt_surface* out = &frame->surfaces[index];
    // Shapes are added into the output, and skinning then works on it in place.
    bool has_morphs = mesh->morph_count > 0;

    instance_work work = {.mesh = mesh,
                          .morph_weights = pose->morph_weights + instance->first_morph_weight,
                          .out = out,
                          .options = *options,
                          .input = {.positions = has_morphs ? out->positions : mesh->positions,
                                    .normals = has_morphs ? out->normals : mesh->normals,
                                    .tangents = has_morphs ? out->tangents : mesh->tangents,
                                    .cors = frame->cors[instance->mesh],
                                    .mix_factors = frame->mix_factors[instance->mesh],
                                    .normal_factors = frame->normal_factors[instance->mesh],
                                    .weights = &mesh->weights}};

    if (frame->methods[instance->mesh] != PELT_METHOD_COUNT)
    {
        work.options.method = frame->methods[instance->mesh];
    }
    if (instance->skin == PELT_NONE)
    {
        work.matrix = &frame->model_from_node[instance->node];
    }
    else
    {
        work.input.palette = &frame->palettes[instance->skin];
    }
    uint32_t chunk_count = (mesh->vertex_count + CHUNK - 1) / CHUNK;
    // The derivative at a vertex looks at its neighbors, so all displacements come first.
    if (options->normal_rule != PELT_NORMAL_STANDARD && frame->displacements[index] != NULL &&
        pelt_morph_lacks_normals(mesh, work.morph_weights))
    {
        work.displacements = frame->displacements[index];
        work.input.displacements = work.displacements;
        work.input.stencils = &frame->stencils[instance->mesh];
        pelt_run(chunk_count, displace_chunk, &work);
    }
    pelt_run(chunk_count, deform_chunk, &work);
}

static void update_palette(pelt_frame* frame, const pelt_scene* scene,
                           const pelt_deform_options* options, uint32_t index)
{
    const pelt_skin* skin = &scene->skins[index];
    pelt_palette* palette = &frame->palettes[index];
    pelt_palette_build(palette, skin, frame->model_from_node);
    if (options->sign_rule == PELT_SIGN_HIERARCHY)
    {
        pelt_palette_unwrap(palette, skin, frame->joint_parents[index], frame->rotations);
    }
    else if (options->dqs_variant == PELT_DQS_OPTIMIZED)
    {
        pelt_palette_align(palette, frame->joint_parents[index]);
    }
}

void pelt_frame_update(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                       const pelt_deform_options* options)
{
    PELT_ASSERT(frame->node_count == scene->node_count && frame->skin_count == scene->skin_count);
    PELT_ASSERT(frame->mesh_count == scene->mesh_count);
    PELT_ASSERT(frame->instance_count == scene->instance_count);
    PELT_ASSERT(pose->morph_weight_count == scene->morph_weight_count);

    pelt_pose_to_model(frame->model_from_node, scene, pose);
    if (options->sign_rule == PELT_SIGN_HIERARCHY)
    {
        pelt_pose_to_rotations(frame->rotations, scene, pose);
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        update_palette(frame, scene, options, i);
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        update_instance(frame, scene, pose, options, i);
    }
}
