// SPDX-License-Identifier: MIT
// All buffers of a scene at one time, and the whole pipeline from pose to surfaces.
#include "../base/exact.h"

#include "../kernels/deformer.h"
#include "deform_vertex.h"

enum
{
    // Vertices per task: enough that starting a task takes no time relative to it.
    CHUNK = 2048,
    SMALL = 4 * CHUNK, // vertices of a frame
    CHUNK_BLOCKS = CHUNK / PELT_DEFORMER_BLOCK,
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
    bool is_ok = out != NULL && pelt_joint_parents_find(out, skin, scene) == PELT_OK;
    return is_ok ? out : NULL;
}

static bool allocate_surface(pelt_surface* out, const pelt_mesh* mesh, pelt_arena* arena)
{
    size_t count = mesh->vertex_count;
    out->positions = pelt_arena_alloc(arena, count, sizeof *out->positions);
    out->normals = mesh->normals ? pelt_arena_alloc(arena, count, sizeof *out->normals) : NULL;
    out->tangents = mesh->tangents ? pelt_arena_alloc(arena, count, sizeof *out->tangents) : NULL;
    return out->positions && (out->normals || !mesh->normals) && (out->tangents || !mesh->tangents);
}

// Stencils for morph targets without normals, see pelt_deform_input.displacements.
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

// How many chunks the instances before each one have.
static void count_chunks(pelt_frame* out, const pelt_scene* scene)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        out->first_chunks[i] = (uint32_t)sum;
        sum += (scene->meshes[scene->instances[i].mesh].vertex_count + (uint64_t)CHUNK - 1) / CHUNK;
    }
    PELT_ASSERT(sum <= UINT32_MAX);
    out->first_chunks[scene->instance_count] = (uint32_t)sum;
}

// For each instance, the first instance of its mesh if both have the same skin and no morph
// targets: they coincide in every pose. Else itself.
static uint32_t* find_originals(const pelt_scene* scene, pelt_arena* arena)
{
    uint32_t* originals = pelt_arena_alloc(arena, scene->instance_count, sizeof *originals);
    uint32_t* firsts = pelt_allocate((size_t)scene->mesh_count + 1, sizeof *firsts);
    for (uint32_t i = 0; firsts != NULL && i < scene->mesh_count; ++i)
    {
        firsts[i] = PELT_NONE;
    }
    for (uint32_t i = 0; originals != NULL && firsts != NULL && i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        uint32_t* first = &firsts[instance->mesh];
        *first = *first == PELT_NONE ? i : *first;
        bool is_duplicate = instance->skin != PELT_NONE &&
                            instance->skin == scene->instances[*first].skin &&
                            scene->meshes[instance->mesh].morph_count == 0;
        originals[i] = is_duplicate ? *first : i;
    }
    bool is_ok = firsts != NULL;
    pelt_release(firsts);
    return is_ok ? originals : NULL;
}

static bool allocate_surfaces(pelt_frame* out, const pelt_scene* scene)
{
    const uint32_t* originals = out->originals = find_originals(scene, out->arena);
    bool is_ok = originals != NULL;
    for (uint32_t i = 0; i < scene->instance_count && is_ok; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        is_ok = originals[i] != i || allocate_surface(&out->own_surfaces[i], mesh, out->arena);
        out->surfaces[i] = out->own_surfaces[i] = out->own_surfaces[originals[i]];
    }
    return is_ok;
}

static bool allocate_frame(pelt_frame* out, const pelt_scene* scene)
{
    pelt_arena* arena = out->arena;
    out->model_from_node = pelt_arena_alloc(arena, scene->node_count, sizeof *out->model_from_node);
    out->palettes = pelt_arena_alloc(arena, scene->skin_count, sizeof *out->palettes);
    out->surfaces = pelt_arena_alloc(arena, scene->instance_count, sizeof *out->surfaces);
    out->own_surfaces = pelt_arena_alloc(arena, scene->instance_count, sizeof *out->own_surfaces);
    out->cors = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->cors);
    out->mix_factors = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->mix_factors);
    out->smoothed = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->smoothed);
    out->methods = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->methods);
    out->normal_factors = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->normal_factors);
    out->joint_parents = pelt_arena_alloc(arena, scene->skin_count, sizeof *out->joint_parents);
    out->rotations = pelt_arena_alloc(arena, scene->node_count, sizeof *out->rotations);
    out->stencils = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->stencils);
    out->displacements = pelt_arena_alloc(arena, scene->instance_count, sizeof *out->displacements);
    out->bones = pelt_arena_alloc(arena, scene->skin_count, sizeof *out->bones);
    out->deformers = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->deformers);
    out->own_deformers = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->own_deformers);
    out->first_chunks =
        pelt_arena_alloc(arena, (size_t)scene->instance_count + 1, sizeof *out->first_chunks);
    bool is_ok = out->model_from_node && out->palettes && out->surfaces && out->own_surfaces &&
                 out->cors && out->mix_factors && out->smoothed && out->methods &&
                 out->normal_factors && out->joint_parents && out->rotations && out->stencils &&
                 out->displacements && out->deformers && out->own_deformers && out->first_chunks &&
                 out->bones && pelt_bones_build(out->bones, scene, arena) == PELT_OK;
    if (is_ok)
    {
        count_chunks(out, scene);
        is_ok = allocate_surfaces(out, scene);
    }
    for (uint32_t i = 0; i < scene->skin_count && is_ok; ++i)
    {
        out->joint_parents[i] = trace_skin(&scene->skins[i], scene, arena);
        is_ok = out->joint_parents[i] != NULL &&
                allocate_palette(&out->palettes[i], scene->skins[i].joint_count, arena);
    }
    for (uint32_t i = 0; i < scene->mesh_count && is_ok; ++i)
    {
        out->cors[i] = scene->meshes[i].cors;
        out->mix_factors[i] = scene->meshes[i].mix_factors;
        out->smoothed[i] = scene->meshes[i].weights.ddm;
        out->methods[i] = PELT_METHOD_COUNT;
        out->normal_factors[i] = scene->meshes[i].normal_factors;
    }
    return is_ok && allocate_displacements(out, scene);
}

pelt_result pelt_frame_create(pelt_frame* out, const pelt_scene* scene)
{
    PELT_ASSERT(out != NULL && scene != NULL);
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

static void destroy_deformers(pelt_frame* frame)
{
    // The arrays are NULL where creation has failed.
    for (uint32_t i = 0; frame->own_deformers != NULL && i < frame->mesh_count; ++i)
    {
        pelt_deformer_destroy(frame->own_deformers[i]);
        frame->own_deformers[i] = NULL;
    }
}

void pelt_frame_destroy(pelt_frame* frame)
{
    destroy_deformers(frame);
    pelt_arena_destroy(frame->arena);
    *frame = (pelt_frame){0};
}

// ---------------------------------------------------------------------------------------------
// Deformers

static void check_scene(const pelt_frame* frame, const pelt_scene* scene)
{
    PELT_ASSERT(frame->node_count == scene->node_count && frame->skin_count == scene->skin_count);
    PELT_ASSERT(frame->mesh_count == scene->mesh_count);
    PELT_ASSERT(frame->instance_count == scene->instance_count);
}

static pelt_result prepare_mesh(pelt_frame* frame, const pelt_scene* scene, uint32_t index)
{
    const pelt_mesh* mesh = &scene->meshes[index];
    const pelt_deformer_source source = {.positions = mesh->positions,
                                         .normals = mesh->normals,
                                         .tangents = mesh->tangents,
                                         .cors = frame->cors[index],
                                         .mix_factors = frame->mix_factors[index],
                                         .normal_factors = frame->normal_factors[index],
                                         .weights = &mesh->weights,
                                         .morph_count = mesh->morph_count,
                                         .morphs = mesh->morphs};
    // Mesh order keeps indices valid; sorted weights keep results near the reference.
    const pelt_deformer_options options = {.order = PELT_ORDER_KEPT, .weights = PELT_WEIGHTS_FLOAT};
    pelt_result result = pelt_deformer_create(&frame->own_deformers[index], &source, &options);
    frame->deformers[index] = frame->own_deformers[index];
    return result;
}

pelt_result pelt_frame_prepare(pelt_frame* frame, const pelt_scene* scene)
{
    check_scene(frame, scene);
    destroy_deformers(frame);
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        frame->deformers[i] = NULL;
    }
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < scene->instance_count && result == PELT_OK; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (instance->skin != PELT_NONE && frame->deformers[instance->mesh] == NULL)
        {
            result = prepare_mesh(frame, scene, instance->mesh);
        }
    }
    return result;
}

void pelt_frame_share(pelt_frame* frame, const pelt_frame* prepared)
{
    PELT_ASSERT(frame != prepared && frame->mesh_count == prepared->mesh_count);
    destroy_deformers(frame);
    for (uint32_t i = 0; i < frame->mesh_count; ++i)
    {
        frame->deformers[i] = prepared->deformers[i];
        frame->cors[i] = prepared->cors[i];
        frame->mix_factors[i] = prepared->mix_factors[i];
        frame->smoothed[i] = prepared->smoothed[i];
        frame->normal_factors[i] = prepared->normal_factors[i];
    }
}

// ---------------------------------------------------------------------------------------------
// Updates

typedef struct update_work
{
    pelt_frame* frames;
    const pelt_scene* scene;
    const pelt_pose* poses;
    const pelt_deform_options* options;
    uint32_t chunk_count; // of a frame
} update_work;

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

static void update_palettes(void* context, uint32_t index)
{
    const update_work* work = context;
    pelt_frame* frame = &work->frames[index];
    const pelt_pose* pose = &work->poses[index];
    pelt_pose_to_model(frame->model_from_node, work->scene, pose);
    if (work->options->sign_rule == PELT_SIGN_HIERARCHY)
    {
        pelt_pose_to_rotations(frame->rotations, work->scene, pose);
    }
    for (uint32_t i = 0; i < work->scene->skin_count; ++i)
    {
        update_palette(frame, work->scene, work->options, i);
    }
}

// Some vertices of an instance.
typedef struct chunk
{
    pelt_frame* frame;
    const pelt_instance* instance;
    const pelt_mesh* mesh;
    const pelt_surface* out;
    const pelt_surface* own; // arrays of the frame, for what out lacks
    const float* morph_weights;
    pelt_vec3* displacements; // NULL: not needed
    pelt_range range;
    bool is_shared; // its surface is that of another instance, which has its own chunks
} chunk;

// The last instance that starts at this chunk or before, and is not empty.
static uint32_t find_instance(const pelt_frame* frame, uint32_t at)
{
    uint32_t low = 0, high = frame->instance_count;
    while (low + 1 < high)
    {
        uint32_t middle = low + (high - low) / 2;
        if (frame->first_chunks[middle] <= at)
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

// A caller may have given each its own arrays.
static bool is_same_surface(const pelt_surface* a, const pelt_surface* b)
{
    return a->positions == b->positions && a->normals == b->normals && a->tangents == b->tangents;
}

static chunk find_chunk(const update_work* work, uint32_t task)
{
    uint32_t at = task % work->chunk_count, who = task / work->chunk_count;
    chunk found = {.frame = &work->frames[who]};
    uint32_t index = find_instance(found.frame, at);
    found.instance = &work->scene->instances[index];
    found.mesh = &work->scene->meshes[found.instance->mesh];
    found.out = &found.frame->surfaces[index];
    found.own = &found.frame->own_surfaces[index];
    uint32_t original = found.frame->originals[index];
    found.is_shared =
        original != index && is_same_surface(found.out, &found.frame->surfaces[original]);
    found.morph_weights = work->poses[who].morph_weights + found.instance->first_morph_weight;
    if (work->options->normal_rule != PELT_NORMAL_STANDARD &&
        pelt_morph_lacks_normals(found.mesh, found.morph_weights))
    {
        found.displacements = found.frame->displacements[index];
    }
    uint32_t first = (at - found.frame->first_chunks[index]) * CHUNK;
    uint32_t left = found.mesh->vertex_count - first;
    found.range = (pelt_range){first, left < CHUNK ? left : CHUNK};
    return found;
}

static void displace_chunk(void* context, uint32_t task)
{
    chunk at = find_chunk(context, task);
    if (at.displacements != NULL)
    {
        pelt_morph_displace(at.displacements, at.mesh, at.morph_weights, at.range);
    }
}

// Adds morph targets into the output, on which skinning then works in place. A result may depend on
// an attribute that is not computed itself, as normals do on positions: the frame's own array holds
// that one.
static pelt_surface apply_morphs(const chunk* at)
{
    pelt_surface morphed = *at->out;
    if (morphed.positions == NULL)
    {
        morphed.positions = at->own->positions;
        morphed.position_stride = 0;
    }
    if (morphed.normals == NULL)
    {
        morphed.normals = at->own->normals;
        morphed.normal_stride = 0;
    }
    if (morphed.tangents == NULL)
    {
        morphed.tangents = at->own->tangents;
        morphed.tangent_stride = 0;
    }
    pelt_morph_apply(&morphed, at->mesh, at->morph_weights, at->range);
    return morphed;
}

static void deform_by_reference(const chunk* at, const pelt_deform_options* options)
{
    const pelt_frame* frame = at->frame;
    const pelt_mesh* mesh = at->mesh;
    uint32_t index = at->instance->mesh;
    bool has_morphs = mesh->morph_count > 0;
    const pelt_surface morphed = has_morphs ? apply_morphs(at) : (pelt_surface){0};
    pelt_weights weights = mesh->weights;
    weights.ddm = frame->smoothed[index];
    const pelt_deform_input input = {
        .positions = has_morphs ? morphed.positions : mesh->positions,
        .normals = has_morphs ? morphed.normals : mesh->normals,
        .tangents = has_morphs ? morphed.tangents : mesh->tangents,
        .position_stride = morphed.position_stride,
        .normal_stride = morphed.normal_stride,
        .tangent_stride = morphed.tangent_stride,
        .cors = frame->cors[index],
        .mix_factors = frame->mix_factors[index],
        .normal_factors = frame->normal_factors[index],
        .displacements = at->displacements,
        .stencils = at->displacements != NULL ? &frame->stencils[index] : NULL,
        .weights = &weights,
        .bones = at->instance->skin != PELT_NONE ? &frame->bones[at->instance->skin] : NULL,
        .palette = at->instance->skin != PELT_NONE ? &frame->palettes[at->instance->skin] : NULL};
    if (at->instance->skin == PELT_NONE)
    {
        const pelt_mat34* matrix = &frame->model_from_node[at->instance->node];
        pelti_deform_rigid(at->out, &input, matrix, at->range);
        return;
    }
    pelt_deform(at->out, &input, options, at->range);
}

// Whether a deformer was made of what the frame has now, as far as these options need it.
static bool is_current(const pelt_deformer* deformer, const chunk* at,
                       const pelt_deform_options* options)
{
    const pelt_deformer_source* source = &deformer->source;
    const pelt_method_traits* traits = pelt_method_info(options->method);
    uint32_t mesh = at->instance->mesh;
    return source->positions == at->mesh->positions &&
           source->weights->influences == at->mesh->weights.influences &&
           source->morphs == at->mesh->morphs &&
           (!traits->needs_centers || source->cors == at->frame->cors[mesh]) &&
           (!traits->needs_smoothing || source->weights->ddm == at->frame->smoothed[mesh]) &&
           (!traits->has_mix_factor || source->mix_factors == at->frame->mix_factors[mesh]) &&
           (options->normal_rule == PELT_NORMAL_STANDARD ||
            source->normal_factors == at->frame->normal_factors[mesh]);
}

// Use a deformer if there is one that supports this. Its chunks differ from those of the reference:
// all are done when all chunks are.
static bool deform_by_deformer(const chunk* at, const pelt_deform_options* options)
{
    uint32_t skin = at->instance->skin;
    const pelt_deformer* deformer = at->frame->deformers[at->instance->mesh];
    if (options->is_exact || options->distance_correction > 0.0f || deformer == NULL ||
        skin == PELT_NONE || at->displacements != NULL || !is_current(deformer, at, options) ||
        !pelti_deformer_covers(deformer, at->out, &at->frame->palettes[skin], options))
    {
        return false;
    }
    uint32_t first = at->range.first / PELT_DEFORMER_BLOCK;
    uint32_t left = pelt_deformer_block_count(deformer) - first;
    pelt_deformer_run_morphed(deformer, at->out, &at->frame->palettes[skin], options,
                              at->morph_weights,
                              (pelt_range){first, left < CHUNK_BLOCKS ? left : CHUNK_BLOCKS});
    return true;
}

static void deform_chunk(void* context, uint32_t task)
{
    const update_work* work = context;
    chunk at = find_chunk(work, task);
    bool has_output =
        at.out->positions != NULL || at.out->normals != NULL || at.out->tangents != NULL;
    if (at.is_shared || !has_output)
    {
        return;
    }
    pelt_deform_options options = *work->options;
    pelt_method own = at.frame->methods[at.instance->mesh];
    options.method = own != PELT_METHOD_COUNT ? own : options.method;
    if (!deform_by_deformer(&at, &options))
    {
        deform_by_reference(&at, &options);
    }
}

static bool has_displacements(const pelt_frame* frame)
{
    uint32_t i = 0;
    while (i < frame->instance_count && frame->displacements[i] == NULL)
    {
        ++i;
    }
    return i < frame->instance_count;
}

static update_work begin_update(pelt_frame* frames, const pelt_scene* scene, const pelt_pose* poses,
                                uint32_t count, const pelt_deform_options* options)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        check_scene(&frames[i], scene);
        PELT_ASSERT(poses[i].node_count == scene->node_count);
        PELT_ASSERT(poses[i].morph_weight_count == scene->morph_weight_count);
    }
    return (update_work){.frames = frames,
                         .scene = scene,
                         .poses = poses,
                         .options = options,
                         .chunk_count =
                             count > 0 ? frames[0].first_chunks[scene->instance_count] : 0};
}

// Whether a frame takes less time than a second thread needs to begin: some 10 microseconds. Only
// deformers are that fast.
static bool is_small(const update_work* work)
{
    const pelt_scene* scene = work->scene;
    uint64_t vertices = 0;
    bool is_prepared = true;
    for (uint32_t i = 0; i < scene->instance_count && is_prepared && vertices < SMALL; ++i)
    {
        uint32_t mesh = scene->instances[i].mesh;
        vertices += scene->meshes[mesh].vertex_count;
        is_prepared =
            scene->instances[i].skin == PELT_NONE || work->frames[0].deformers[mesh] != NULL;
    }
    return is_prepared && vertices < SMALL;
}

static void deform_frames(update_work* work, uint32_t count)
{
    uint64_t task_count = (uint64_t)count * work->chunk_count;
    PELT_ASSERT(task_count <= UINT32_MAX);
    // The derivative at a vertex depends on its neighbors, so all displacements come first.
    if (work->options->normal_rule != PELT_NORMAL_STANDARD && has_displacements(&work->frames[0]))
    {
        pelt_run((uint32_t)task_count, displace_chunk, work);
    }
    if (count == 1 && is_small(work))
    {
        for (uint32_t i = 0; i < task_count; ++i)
        {
            deform_chunk(work, i);
        }
        return;
    }
    pelt_run((uint32_t)task_count, deform_chunk, work);
}

void pelt_frame_pose(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                     const pelt_deform_options* options)
{
    update_work work = begin_update(frame, scene, pose, 1, options);
    update_palettes(&work, 0); // too little work for threads
}

void pelt_frame_deform(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                       const pelt_deform_options* options)
{
    update_work work = begin_update(frame, scene, pose, 1, options);
    deform_frames(&work, 1);
}

void pelt_frame_update(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                       const pelt_deform_options* options)
{
    pelt_frame_pose(frame, scene, pose, options);
    pelt_frame_deform(frame, scene, pose, options);
}

void pelt_frames_update(pelt_frame* frames, const pelt_scene* scene, const pelt_pose* poses,
                        uint32_t count, const pelt_deform_options* options)
{
    if (count == 1)
    {
        pelt_frame_update(frames, scene, poses, options);
    }
    else if (count > 1)
    {
        update_work work = begin_update(frames, scene, poses, count, options);
        pelt_run(count, update_palettes, &work);
        deform_frames(&work, count);
    }
}

pelt_result pelt_scene_bounds(pelt_bounds* out, const pelt_scene* scene, const pelt_pose* pose)
{
    PELT_ASSERT(out != NULL && scene != NULL);
    *out = pelt_bounds_empty();
    static const pelt_deform_options lbs;
    pelt_frame frame = {0};
    pelt_pose rest = {0};
    pelt_result result;
    PELT_TRY_OR(cleanup, result, pelt_frame_create(&frame, scene));
    if (pose == NULL)
    {
        PELT_TRY_OR(cleanup, result, pelt_pose_create(&rest, scene));
        pose = &rest;
    }
    pelt_frame_update(&frame, scene, pose, &lbs);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        pelt_bounds_add(out, frame.surfaces[i].positions, mesh->vertex_count);
    }
cleanup:
    pelt_pose_destroy(&rest);
    pelt_frame_destroy(&frame);
    return result;
}
