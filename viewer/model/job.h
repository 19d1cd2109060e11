// SPDX-License-Identifier: MIT
// Work in the background, so that the window never freezes: loading a character, or solving its
// centers again. One job at a time; a new one cancels the one before.
#ifndef PELT_JOB_H
#define PELT_JOB_H

#include "bake_slot.h"
#include "character.h"
#include "pelt/doctor.h"
#include "profile.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum job_kind
{
    JOB_NONE = 0,
    JOB_LOAD,
    JOB_SOLVE,
    JOB_BAKE,
    JOB_MEASURE, ///< the error of a texture
    JOB_PROFILE, ///< the heat map over a clip
    JOB_EXAMINE, ///< findings of pelt/doctor.h
} job_kind;

typedef struct view_job
{
    job_kind kind; ///< JOB_NONE: idle
    pthread_t thread;
    char* path;                ///< JOB_LOAD
    const pelt_scene* scene;   ///< JOB_SOLVE, JOB_BAKE, host of JOB_LOAD: must outlive the job
    character_purpose purpose; ///< JOB_LOAD
    float sigma, epsilon;
    bake_request request;       ///< JOB_BAKE
    uint32_t view;              ///< that it is for
    const pelt_baked* subject;  ///< JOB_MEASURE: must outlive the job
    pelt_deform_options deform; ///< JOB_MEASURE

    _Atomic(float) part; ///< that is done
    _Atomic(const char*) what;
    atomic_bool is_canceled;
    atomic_bool is_finished;

    // Results, valid once it is finished.
    pelt_result result;
    pelt_error error;
    view_character* character; ///< JOB_LOAD
    character_data data;       ///< JOB_SOLVE
    pelt_baked* baked;         ///< JOB_BAKE
    pelt_bake_error measured;  ///< JOB_MEASURE
    pelt_diagnosis diagnosis;  ///< JOB_EXAMINE
    pelt_arena* findings;      ///< owns these
    profile profile;           ///< JOB_PROFILE; its key is set before
} view_job;

/// @param request  without progress; its path is copied
/// @return false: no memory, or no thread
bool job_load(view_job* out, const character_request* request);
bool job_solve(view_job* out, const pelt_scene* scene, float sigma, float epsilon);

bool job_bake(view_job* out, const pelt_scene* scene, const bake_request* request, uint32_t view);

bool job_measure(view_job* out, const pelt_scene* scene, const pelt_baked* baked,
                 const pelt_deform_options* deform, uint32_t view);

bool job_profile(view_job* out, const pelt_scene* scene, const profile_key* key);

bool job_examine(view_job* out, const pelt_scene* scene);

/// Whether results are available: then take them and call job_end().
bool job_is_finished(view_job* in);

/// Wait for the thread and free results that were not taken.
void job_end(view_job* inout);

/// Cancel, wait and free; nothing happens when it is idle.
void job_cancel(view_job* inout);

/// Parallel loops for the hooks of pelt: on the pool, but in place on a background thread, which
/// would else make the window wait.
void job_run(uint32_t count, pelt_task task, void* context, void* pool);

#endif
