// SPDX-License-Identifier: MIT
// Skinners: the flat interface over deformers, references and solvers. Every contract of those is
// checked before they are called.
#include "../base/exact.h"

#include "../../include/pelt/ddm.h"
#include "../../include/pelt/deformer.h"
#include "skinner_source.h"

#include <math.h>

enum
{
    POSE_BATCH = 64,   // poses whose palettes are held at the same time
    CHUNK_BLOCKS = 64, // blocks of a task: 2048 vertices
};

struct pelt_skinner
{
    pelti_skinner_source source;
    pelt_normal_factors normal_factors;
    pelt_arena* factor_arena; // of normal_factors
    pelt_arena* mix_arena;    // of computed mix factors
    pelt_arena* ddm_arena;    // of smoothed weights
    pelt_ddm ddm;
    pelt_vec3* centers;      // that were computed, or NULL
    pelt_vec3* normals;      // likewise
    pelt_deformer* deformer; // NULL: not made yet, or out of date
    pelt_palette* palettes;  // palette_count, or NULL
    uint32_t palette_count;
};

pelt_result pelt_skinner_create(pelt_skinner** out, const pelt_skinner_desc* desc,
                                pelt_error* error)
{
    if (out == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is nowhere to return a skinner");
    }
    *out = NULL;
    if (desc == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "the description is NULL");
    }
    pelt_skinner* skinner = pelt_allocate(1, sizeof *skinner);
    if (skinner == NULL)
    {
        return pelt_error_memory(error);
    }
    *skinner = (pelt_skinner){.source.arena = pelt_arena_create()};
    pelt_result result = skinner->source.arena != NULL
                             ? pelti_skinner_source_read(&skinner->source, desc, error)
                             : pelt_error_memory(error);
    if (result != PELT_OK)
    {
        pelt_skinner_destroy(skinner);
        return result;
    }
    *out = skinner;
    return PELT_OK;
}

static void destroy_palettes(pelt_skinner* skinner)
{
    for (uint32_t i = 0; i < skinner->palette_count; ++i)
    {
        pelt_palette_destroy(&skinner->palettes[i]);
    }
    pelt_release(skinner->palettes);
    skinner->palettes = NULL;
    skinner->palette_count = 0;
}

static void destroy_deformer(pelt_skinner* skinner)
{
    pelt_deformer_destroy(skinner->deformer);
    skinner->deformer = NULL;
}

static void drop_factors(pelt_skinner* skinner)
{
    if (skinner->factor_arena != NULL)
    {
        pelt_arena_destroy(skinner->factor_arena);
    }
    skinner->factor_arena = NULL;
    skinner->normal_factors = (pelt_normal_factors){0};
}

void pelt_skinner_destroy(pelt_skinner* skinner)
{
    if (skinner == NULL)
    {
        return;
    }
    destroy_deformer(skinner);
    destroy_palettes(skinner);
    drop_factors(skinner);
    pelt_arena_destroy(skinner->ddm_arena);
    if (skinner->mix_arena != NULL)
    {
        pelt_arena_destroy(skinner->mix_arena);
    }
    pelt_release(skinner->centers);
    pelt_release(skinner->normals);
    if (skinner->source.arena != NULL)
    {
        pelt_arena_destroy(skinner->source.arena);
    }
    pelt_release(skinner);
}

// ---------------------------------------------------------------------------------------------
// Prepare

static pelt_result prepare_normals(pelt_skinner* skinner, pelt_error* error)
{
    pelt_mesh* mesh = &skinner->source.mesh;
    if (mesh->normals != NULL)
    {
        return PELT_OK;
    }
    skinner->normals = pelt_allocate(mesh->vertex_count, sizeof *skinner->normals);
    if (skinner->normals == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_normals_compute(skinner->normals, mesh->positions, mesh->vertex_count, mesh->indices,
                         mesh->index_count);
    mesh->normals = skinner->normals;
    return PELT_OK;
}

static pelt_result prepare_centers(pelt_skinner* skinner, pelt_error* error)
{
    pelt_mesh* mesh = &skinner->source.mesh;
    pelt_vec3* centers = pelt_allocate(mesh->vertex_count, sizeof *centers);
    if (centers == NULL)
    {
        return pelt_error_memory(error);
    }
    const pelt_cor_input input = {1, &(const pelt_mesh*){mesh}};
    pelt_result result = pelt_cor_solve(&centers, &input, NULL, NULL, error);
    if (result != PELT_OK)
    {
        pelt_release(centers);
        return result;
    }
    drop_factors(skinner);
    pelt_release(skinner->centers);
    skinner->centers = centers;
    mesh->cors = centers;
    return PELT_OK;
}

static pelt_result prepare_factors(pelt_skinner* skinner, pelt_error* error)
{
    const pelt_mesh* mesh = &skinner->source.mesh;
    if (mesh->normals == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "normal factors need normals; pass them, or add "
                              "PELT_SKINNER_NORMALS to compute them");
    }
    drop_factors(skinner);
    skinner->factor_arena = pelt_arena_create();
    pelt_result result = skinner->factor_arena != NULL ? PELT_OK : pelt_error_memory(error);
    if (result == PELT_OK)
    {
        result = pelt_normal_factors_build(&skinner->normal_factors, mesh, mesh->cors, NULL,
                                           skinner->factor_arena, error);
    }
    if (result != PELT_OK)
    {
        drop_factors(skinner);
    }
    return result;
}

static pelt_result prepare_mix(pelt_skinner* skinner, pelt_error* error)
{
    pelt_scene scene = skinner->source.skeleton;
    if (scene.node_count == 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "mix factors are computed over the motion of the skeleton; pass "
                              "joint_positions and joint_parents");
    }
    pelt_arena* arena = pelt_arena_create();
    if (arena == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = pelt_scene_add_mix_factors(&scene, NULL, NULL, arena, error);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(arena);
        return result;
    }
    if (skinner->mix_arena != NULL)
    {
        pelt_arena_destroy(skinner->mix_arena);
    }
    skinner->mix_arena = arena;
    skinner->source.mesh.mix_factors = scene.meshes[0].mix_factors;
    return PELT_OK;
}

static pelt_result prepare_smoothing(pelt_skinner* skinner, pelt_error* error)
{
    pelt_mesh* mesh = &skinner->source.mesh;
    pelt_arena* arena = pelt_arena_create();
    pelt_ddm ddm;
    const pelt_cor_input input = {1, &(const pelt_mesh*){mesh}};
    pelt_result result = arena != NULL ? pelt_ddm_solve(&ddm, &input, NULL, NULL, arena, error)
                                       : pelt_error_memory(error);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(arena);
        return result;
    }
    pelt_arena_destroy(skinner->ddm_arena);
    skinner->ddm_arena = arena;
    skinner->ddm = ddm;
    mesh->weights.ddm = &skinner->ddm;
    return PELT_OK;
}

pelt_result pelt_skinner_prepare(pelt_skinner* skinner, unsigned what, pelt_error* error)
{
    if (skinner == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "the skinner is NULL");
    }
    if ((what & ~31u) != 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "0x%x has bits that are none of PELT_SKINNER_...", what);
    }
    if (what != 0 && skinner->source.mesh.index_count == 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the mesh has no triangles, which are needed to prepare it");
    }
    static pelt_result (*const steps[])(pelt_skinner*, pelt_error*) = {
        prepare_normals, prepare_centers, prepare_factors, prepare_mix, prepare_smoothing};
    destroy_deformer(skinner); // it refers to the old data
    for (int i = 0; i < 5; ++i)
    {
        if ((what >> i & 1u) != 0)
        {
            PELT_TRY(steps[i](skinner, error));
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Deform

static pelt_result validate_options(const pelt_skinner* skinner, const pelt_deform_options* options,
                                    pelt_error* error)
{
    PELT_TRY(pelt_deform_options_validate(options, error));
    const pelt_method_traits* traits = pelt_method_info(options->method);
    if (traits->needs_centers && skinner->source.mesh.cors == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s needs centers of rotation; prepare the skinner with "
                              "PELT_SKINNER_CENTERS",
                              traits->name);
    }
    if (traits->needs_smoothing && skinner->source.mesh.weights.ddm == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s needs smoothed weights; prepare the skinner with "
                              "PELT_SKINNER_SMOOTHING",
                              traits->name);
    }
    if (options->normal_rule != PELT_NORMAL_STANDARD &&
        (!traits->has_derivatives || skinner->factor_arena == NULL))
    {
        return pelt_error_set(
            error, PELT_ERROR_ARGUMENT,
            traits->has_derivatives
                ? "%s normals of %s need normal factors; prepare the skinner with "
                  "PELT_SKINNER_NORMAL_FACTORS"
                : "there are no %s normals for %s; use the standard rule",
            pelt_normal_rule_name(options->normal_rule), traits->name);
    }
    if (options->sign_rule == PELT_SIGN_HIERARCHY || options->dqs_variant == PELT_DQS_OPTIMIZED)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "PELT_SIGN_HIERARCHY and PELT_DQS_OPTIMIZED need the rotations of "
                              "all nodes, which matrices do not tell; deform a scene instead");
    }
    if (options->distance_correction > 0.0f && skinner->source.skeleton.node_count == 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "distance_correction needs bones; pass joint_positions and "
                              "joint_parents");
    }
    return PELT_OK;
}

static bool is_stride(uint32_t stride, uint32_t width)
{
    return stride == 0 || (stride % 4 == 0 && stride >= 4 * width);
}

static pelt_result validate_output(const pelt_skinner* skinner, const pelt_skinner_output* out,
                                   pelt_error* error)
{
    const pelt_mesh* mesh = &skinner->source.mesh;
    if (!is_stride(out->position_stride, 3) || !is_stride(out->normal_stride, 3) ||
        !is_stride(out->tangent_stride, 4))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the strides of the output are %u, %u and %u bytes; they must be "
                              "multiples of 4, and hold 3, 3 and 4 floats",
                              out->position_stride, out->normal_stride, out->tangent_stride);
    }
    if ((out->normals != NULL && mesh->normals == NULL) ||
        (out->tangents != NULL && mesh->tangents == NULL))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "%s are asked for, but the mesh has none",
                              out->normals != NULL && mesh->normals == NULL ? "normals"
                                                                            : "tangents");
    }
    return PELT_OK;
}

static pelt_result validate_matrices(const float* matrices, pelt_matrix_layout layout,
                                     uint32_t joint_count, uint32_t pose_count, pelt_error* error)
{
    for (uint32_t pose = 0; pose < pose_count; ++pose)
    {
        for (uint32_t joint = 0; joint < joint_count; ++joint)
        {
            pelt_mat34 matrix =
                pelt_mat34_load(matrices, layout, (size_t)pose * joint_count + joint);
            for (int i = 0; i < 12; ++i)
            {
                if (!isfinite(matrix.m[i / 4][i % 4]))
                {
                    return pelt_error_set(error, PELT_ERROR_DATA,
                                          "the matrix of joint %u of pose %u is not finite", joint,
                                          pose);
                }
            }
        }
    }
    return PELT_OK;
}

static pelt_result make_deformer(pelt_skinner* skinner, pelt_error* error)
{
    if (skinner->deformer != NULL)
    {
        return PELT_OK;
    }
    const pelt_mesh* mesh = &skinner->source.mesh;
    const pelt_deformer_source source = {
        .positions = mesh->positions,
        .normals = mesh->normals,
        .tangents = mesh->tangents,
        .cors = mesh->cors,
        .mix_factors = mesh->mix_factors,
        .normal_factors = skinner->factor_arena != NULL ? &skinner->normal_factors : NULL,
        .weights = &mesh->weights};
    // As in frames: indices stay valid, and results are near the reference.
    const pelt_deformer_options options = {.order = PELT_ORDER_KEPT, .weights = PELT_WEIGHTS_FLOAT};
    pelt_result result = pelt_deformer_create(&skinner->deformer, &source, &options);
    return result != PELT_OK ? pelt_error_memory(error) : PELT_OK;
}

static pelt_result make_palettes(pelt_skinner* skinner, uint32_t count, pelt_error* error)
{
    if (skinner->palette_count >= count)
    {
        return PELT_OK;
    }
    destroy_palettes(skinner);
    skinner->palettes = pelt_allocate(count, sizeof *skinner->palettes);
    pelt_result result = skinner->palettes != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    while (result == PELT_OK && skinner->palette_count < count)
    {
        result = pelt_palette_create(&skinner->palettes[skinner->palette_count],
                                     skinner->source.mesh.weights.joint_count);
        skinner->palette_count += result == PELT_OK;
    }
    return result != PELT_OK ? pelt_error_memory(error) : PELT_OK;
}

// Some poses of a call. Task i is chunk i % chunk_count of pose i / chunk_count.
typedef struct deform_job
{
    const pelt_skinner* skinner;
    const pelt_skinner_output* out;
    const pelt_deform_options* options;
    const float* matrices;
    pelt_matrix_layout layout;
    uint32_t first_pose, chunk_count;
    bool is_reference;
} deform_job;

static void set_palette(void* context, uint32_t index)
{
    const deform_job* job = context;
    size_t joint_count = job->skinner->palettes[index].joint_count;
    size_t width = job->layout == PELT_MATRIX_ROWS_3X4 ? 12 : 16;
    pelt_palette_set(&job->skinner->palettes[index],
                     job->matrices + (job->first_pose + (size_t)index) * joint_count * width,
                     job->layout);
}

static void* at_pose(float* array, uint32_t stride, uint32_t width, size_t vertex)
{
    size_t bytes = stride > 0 ? stride : width * sizeof(float);
    return array != NULL ? (char*)array + bytes * vertex : NULL;
}

static void deform_chunk(void* context, uint32_t index)
{
    const deform_job* job = context;
    const pelt_skinner* skinner = job->skinner;
    const pelt_mesh* mesh = &skinner->source.mesh;
    const pelt_palette* palette = &skinner->palettes[index / job->chunk_count];
    size_t pose = job->first_pose + index / job->chunk_count;
    size_t vertex = pose * mesh->vertex_count;
    const pelt_skinner_output* out = job->out;
    const pelt_surface surface = {at_pose(out->positions, out->position_stride, 3, vertex),
                                  at_pose(out->normals, out->normal_stride, 3, vertex),
                                  at_pose(out->tangents, out->tangent_stride, 4, vertex),
                                  out->position_stride,
                                  out->normal_stride,
                                  out->tangent_stride};
    uint32_t block = index % job->chunk_count * CHUNK_BLOCKS;
    if (!job->is_reference)
    {
        uint32_t left = pelt_deformer_block_count(skinner->deformer) - block;
        pelt_range blocks = {block, left < CHUNK_BLOCKS ? left : CHUNK_BLOCKS};
        pelt_deformer_run(skinner->deformer, &surface, palette, job->options, blocks);
        return;
    }
    const pelt_deform_input input = {
        .positions = mesh->positions,
        .normals = mesh->normals,
        .tangents = mesh->tangents,
        .cors = mesh->cors,
        .mix_factors = mesh->mix_factors,
        .normal_factors = skinner->factor_arena != NULL ? &skinner->normal_factors : NULL,
        .weights = &mesh->weights,
        .palette = palette,
        .bones = skinner->source.skeleton.node_count > 0 ? &skinner->source.bones : NULL};
    uint32_t first = block * PELT_DEFORMER_BLOCK, left = mesh->vertex_count - first;
    uint32_t most = CHUNK_BLOCKS * PELT_DEFORMER_BLOCK;
    pelt_deform(&surface, &input, job->options, (pelt_range){first, left < most ? left : most});
}

pelt_result pelt_skinner_deform_poses(pelt_skinner* skinner, const pelt_skinner_output* out,
                                      const float* matrices, pelt_matrix_layout layout,
                                      uint32_t pose_count, const pelt_deform_options* options,
                                      pelt_error* error)
{
    static const pelt_deform_options defaults = {0};
    options = options != NULL ? options : &defaults;
    if (skinner == NULL || out == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "the skinner or the output is NULL");
    }
    const pelt_mesh* mesh = &skinner->source.mesh;
    uint32_t joint_count = mesh->weights.joint_count;
    if (matrices == NULL && joint_count > 0 && pose_count > 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "the matrices are NULL");
    }
    if ((uint32_t)layout >= PELT_MATRIX_LAYOUT_COUNT)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is no matrix layout %u",
                              (unsigned)layout);
    }
    PELT_TRY(validate_options(skinner, options, error));
    PELT_TRY(validate_output(skinner, out, error));
    PELT_TRY(validate_matrices(matrices, layout, joint_count, pose_count, error));
    if (mesh->vertex_count == 0)
    {
        return PELT_OK;
    }
    uint32_t batch = pose_count < POSE_BATCH ? pose_count : POSE_BATCH;
    deform_job job = {.skinner = skinner,
                      .out = out,
                      .options = options,
                      .matrices = matrices,
                      .layout = layout,
                      .is_reference = options->is_exact || options->distance_correction > 0.0f};
    PELT_TRY(make_palettes(skinner, batch, error));
    if (!job.is_reference)
    {
        PELT_TRY(make_deformer(skinner, error));
    }
    uint32_t chunk = CHUNK_BLOCKS * PELT_DEFORMER_BLOCK;
    job.chunk_count = mesh->vertex_count / chunk + (mesh->vertex_count % chunk != 0);
    for (uint32_t pose = 0; pose < pose_count; pose += batch)
    {
        uint32_t left = pose_count - pose, count = left < batch ? left : batch;
        job.first_pose = pose;
        pelt_run(count, set_palette, &job);
        // At most 64 times 2^21 chunks.
        pelt_run(count * job.chunk_count, deform_chunk, &job);
    }
    return PELT_OK;
}

pelt_result pelt_skinner_deform(pelt_skinner* skinner, const pelt_skinner_output* out,
                                const float* matrices, pelt_matrix_layout layout,
                                const pelt_deform_options* options, pelt_error* error)
{
    return pelt_skinner_deform_poses(skinner, out, matrices, layout, 1, options, error);
}

// ---------------------------------------------------------------------------------------------
// What a skinner has

uint32_t pelt_skinner_vertex_count(const pelt_skinner* skinner)
{
    return skinner != NULL ? skinner->source.mesh.vertex_count : 0;
}

uint32_t pelt_skinner_joint_count(const pelt_skinner* skinner)
{
    return skinner != NULL ? skinner->source.mesh.weights.joint_count : 0;
}

const float* pelt_skinner_normals(const pelt_skinner* skinner)
{
    return skinner != NULL ? (const float*)skinner->source.mesh.normals : NULL;
}

const float* pelt_skinner_centers(const pelt_skinner* skinner)
{
    return skinner != NULL ? (const float*)skinner->source.mesh.cors : NULL;
}

const float* pelt_skinner_mix_factors(const pelt_skinner* skinner)
{
    return skinner != NULL ? skinner->source.mesh.mix_factors : NULL;
}

const pelt_normal_factors* pelt_skinner_normal_factors(const pelt_skinner* skinner)
{
    return skinner != NULL && skinner->factor_arena != NULL ? &skinner->normal_factors : NULL;
}

const pelt_weights* pelt_skinner_weights(const pelt_skinner* skinner)
{
    return skinner != NULL ? &skinner->source.mesh.weights : NULL;
}
