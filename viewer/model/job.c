// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "job.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local bool is_background;

void job_run(uint32_t count, pelt_task task, void* context, void* pool)
{
    if (!is_background)
    {
        pelt_pool_run(count, task, context, pool);
        return;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        task(context, i);
    }
}

static bool report(float part, const char* what, void* user)
{
    view_job* job = user;
    atomic_store(&job->part, part);
    atomic_store(&job->what, what);
    return !atomic_load(&job->is_canceled);
}

static bool report_baking(float part, void* user)
{
    return report(part, "baking a texture", user);
}

static bool report_measuring(float part, void* user)
{
    return report(part, "measuring a texture", user);
}

static bool report_profile(float part, void* user)
{
    return report(part, "measuring the clip", user);
}

// At the same times as `pelt bake`, so that the figures are the same.
static pelt_result measure(view_job* inout)
{
    pelt_bake_report report;
    pelt_measure_options options = {
        .deform = inout->deform, .progress = report_measuring, .user = inout};
    pelt_result result =
        pelt_baked_measure(&report, inout->subject, inout->scene, &options, &inout->error);
    if (result == PELT_OK)
    {
        inout->measured = report.error;
        pelt_bake_report_destroy(&report);
    }
    return result;
}

static void report_examining(float part, void* user)
{
    (void)report(part, "examining", user);
}

static pelt_result examine(view_job* inout)
{
    const pelt_diagnose_options options = {.progress = report_examining, .user = inout};
    inout->findings = pelt_arena_create();
    bool is_done =
        inout->findings != NULL &&
        pelt_scene_diagnose(&inout->diagnosis, inout->scene, &options, inout->findings) == PELT_OK;
    return is_done ? PELT_OK : pelt_error_memory(&inout->error);
}

static void* work(void* user)
{
    view_job* job = user;
    is_background = true;
    character_request request = {.path = job->path,
                                 .purpose = job->purpose,
                                 .host = job->scene,
                                 .sigma = job->sigma,
                                 .epsilon = job->epsilon,
                                 .progress = report,
                                 .user = job};
    switch (job->kind)
    {
    case JOB_LOAD:
        job->result = character_load(&job->character, &request, &job->error);
        break;
    case JOB_SOLVE:
        job->result = character_prepare(&job->data, job->scene, &request, &job->error);
        break;
    case JOB_BAKE:
        job->result =
            bake_slot_bake(&job->baked, job->scene, &job->request, report_baking, job, &job->error);
        break;
    case JOB_MEASURE:
        job->result = measure(job);
        break;
    case JOB_PROFILE:
        job->result = profile_measure(&job->profile, job->scene, report_profile, job, &job->error);
        break;
    case JOB_EXAMINE:
        job->result = examine(job);
        break;
    case JOB_NONE:
        break;
    }
    atomic_store(&job->is_finished, true);
    return NULL;
}

static bool start(view_job* inout)
{
    if (pthread_create(&inout->thread, NULL, work, inout) == 0)
    {
        return true;
    }
    free(inout->path);
    *inout = (view_job){0};
    return false;
}

bool job_load(view_job* out, const character_request* request)
{
    job_cancel(out);
    *out = (view_job){.kind = JOB_LOAD,
                      .path = strdup(request->path),
                      .scene = request->host,
                      .purpose = request->purpose,
                      .sigma = request->sigma,
                      .epsilon = request->epsilon};
    atomic_store(&out->what, "reading");
    return out->path != NULL && start(out);
}

bool job_solve(view_job* out, const pelt_scene* scene, float sigma, float epsilon)
{
    job_cancel(out);
    *out = (view_job){.kind = JOB_SOLVE, .scene = scene, .sigma = sigma, .epsilon = epsilon};
    atomic_store(&out->what, "solving for centers of rotation");
    return start(out);
}

bool job_bake(view_job* out, const pelt_scene* scene, const bake_request* request, uint32_t view)
{
    job_cancel(out);
    *out = (view_job){.kind = JOB_BAKE, .scene = scene, .view = view};
    memcpy(&out->request, request, sizeof *request);
    atomic_store(&out->what, "baking a texture");
    return start(out);
}

bool job_measure(view_job* out, const pelt_scene* scene, const pelt_baked* baked,
                 const pelt_deform_options* deform, uint32_t view)
{
    job_cancel(out);
    *out = (view_job){.kind = JOB_MEASURE, .scene = scene, .subject = baked, .view = view};
    memcpy(&out->deform, deform, sizeof *deform);
    atomic_store(&out->what, "measuring a texture");
    return start(out);
}

bool job_profile(view_job* out, const pelt_scene* scene, const profile_key* key)
{
    job_cancel(out);
    *out = (view_job){.kind = JOB_PROFILE, .scene = scene, .profile = {.key = *key}};
    atomic_store(&out->what, "measuring the clip");
    return start(out);
}

bool job_examine(view_job* out, const pelt_scene* scene)
{
    job_cancel(out);
    *out = (view_job){.kind = JOB_EXAMINE, .scene = scene};
    atomic_store(&out->what, "examining");
    return start(out);
}

bool job_is_finished(view_job* in)
{
    return in->kind != JOB_NONE && atomic_load(&in->is_finished);
}

void job_end(view_job* inout)
{
    if (inout->kind == JOB_NONE)
    {
        return;
    }
    pthread_join(inout->thread, NULL);
    character_destroy(inout->character);
    character_data_destroy(&inout->data);
    pelt_baked_destroy(inout->baked);
    pelt_arena_destroy(inout->findings);
    free(inout->path);
    *inout = (view_job){0};
}

void job_cancel(view_job* inout)
{
    if (inout->kind != JOB_NONE)
    {
        atomic_store(&inout->is_canceled, true);
        job_end(inout);
    }
}
