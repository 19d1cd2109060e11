// SPDX-License-Identifier: MIT
#include "contender_cost.h"

#include "clock.h"
#include "pelt/ddm.h"
#include "pelt/deformer.h"
#include "pelt/prepare.h"

#include <math.h>
#include <stdlib.h>

enum
{
    RUN_MIN = 5,
    RUN_MAX = 200,
};

static const double time_limit = 0.05; // seconds for each contender

// The work that is timed: all skinned instances of a scene in one pose.
typedef struct cost_job
{
    const pelt_scene* scene;
    pelt_frame frame;
    pelt_deformer** deformers; // one per instance; NULL: it has no skin
    uint64_t vertex_count;
} cost_job;

static pelt_result create_deformers(cost_job* inout)
{
    const pelt_scene* scene = inout->scene;
    inout->deformers = calloc((size_t)scene->instance_count + 1, sizeof *inout->deformers);
    pelt_result result = inout->deformers != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    for (uint32_t i = 0; result == PELT_OK && i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        if (scene->instances[i].skin != PELT_NONE && mesh->weights.vertex_count > 0)
        {
            pelt_deformer_source source = {.positions = mesh->positions,
                                           .normals = mesh->normals,
                                           .cors = mesh->cors,
                                           .mix_factors = mesh->mix_factors,
                                           .weights = &mesh->weights};
            result = pelt_deformer_create(&inout->deformers[i], &source, NULL);
            inout->vertex_count += mesh->vertex_count;
        }
    }
    return result;
}

static void destroy_job(cost_job* job)
{
    for (uint32_t i = 0; job->deformers != NULL && i < job->scene->instance_count; ++i)
    {
        pelt_deformer_destroy(job->deformers[i]);
    }
    free(job->deformers);
    pelt_frame_destroy(&job->frame);
}

static void deform_all(const cost_job* job, const pelt_deform_options* options)
{
    for (uint32_t i = 0; i < job->scene->instance_count; ++i)
    {
        uint32_t skin = job->scene->instances[i].skin;
        if (job->deformers[i] == NULL)
        {
            continue;
        }
        const pelt_mesh* mesh = &job->scene->meshes[job->scene->instances[i].mesh];
        pelt_surface out = job->frame.surfaces[i];
        out.tangents = NULL;
        if (options->distance_correction > 0.0f)
        {
            pelt_deform_input input = {.positions = mesh->positions,
                                       .normals = mesh->normals,
                                       .weights = &mesh->weights,
                                       .palette = &job->frame.palettes[skin],
                                       .bones = &job->frame.bones[skin]};
            pelt_deform(&out, &input, options, (pelt_range){0, mesh->vertex_count});
            continue;
        }
        pelt_range all = {0, pelt_deformer_block_count(job->deformers[i])};
        pelt_deformer_run(job->deformers[i], &out, &job->frame.palettes[skin], options, all);
    }
}

static double time_job(const cost_job* job, const pelt_deform_options* options)
{
    double best = (double)INFINITY, start = clock_seconds();
    for (int run = 0; run < RUN_MIN || (run < RUN_MAX && clock_seconds() - start < time_limit);
         ++run)
    {
        double before = clock_seconds();
        deform_all(job, options);
        best = fmin(best, clock_seconds() - before);
    }
    return best / (double)job->vertex_count;
}

static pelt_result measure_contender(contender_cost* out, const comparison* in, uint32_t contender,
                                     const pelt_pose* pose)
{
    const pelt_deform_options* options = &in->contenders.items[contender].deform;
    cost_job job = {.scene = comparison_scene(in, contender)};
    pelt_result result = pelt_frame_create(&job.frame, job.scene);
    if (result == PELT_OK)
    {
        pelt_frame_update(&job.frame, job.scene, pose, options);
        result = create_deformers(&job);
    }
    if (result == PELT_OK)
    {
        out->cpu_seconds = time_job(&job, options);
    }
    destroy_job(&job);
    return result;
}

// Bytes per vertex of smoothed weights.
static uint32_t count_smoothed(const pelt_scene* scene)
{
    uint64_t bytes = 0, vertex_count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_ddm* ddm = scene->meshes[i].weights.ddm;
        bytes += ddm != NULL ? pelt_ddm_size(ddm) : 0;
        vertex_count += ddm != NULL ? ddm->vertex_count : 0;
    }
    return vertex_count > 0 ? (uint32_t)(bytes / vertex_count) : 0;
}

static void count_memory(contender_cost* out, const comparison* in, uint32_t contender)
{
    const compare_contender* c = &in->contenders.items[contender];
    pelt_method method = c->deform.method;
    *out = (contender_cost){.cpu_seconds = (double)NAN, .gpu_seconds = (double)NAN};
    out->has_kernel = contender_has_kernel(c);
    out->vertex_bytes = pelt_method_info(method)->needs_centers ? (uint32_t)sizeof(pelt_vec3)
                        : pelt_method_info(method)->needs_smoothing
                            ? count_smoothed(comparison_scene(in, contender))
                        : c->is_painted ? (uint32_t)sizeof(float)
                                        : 0;
    out->is_on_gpu = contender_is_on_gpu(c);
    if (out->is_on_gpu)
    {
        out->gpu = gpu_cost_of(comparison_scene(in, contender), method);
    }
}

void contender_costs_count(contender_cost* out, const comparison* in)
{
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        count_memory(&out[i], in, i);
    }
}

pelt_result contender_costs_measure(contender_cost* inout, const comparison* in)
{
    pelt_pose pose;
    pelt_result result = pelt_pose_create(&pose, in->scene);
    const compare_motion* first = &in->motions.items[0];
    if (result == PELT_OK && first->clip != NULL)
    {
        pelt_pose_sample(&pose, in->scene, first->clip, 0.5f * first->clip->duration,
                         PELT_WRAP_CLAMP);
    }
    for (uint32_t i = 0; result == PELT_OK && i < in->contenders.count; ++i)
    {
        result = measure_contender(&inout[i], in, i, &pose);
    }
    pelt_pose_destroy(&pose);
    return result;
}
