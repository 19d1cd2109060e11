// SPDX-License-Identifier: MIT
// A reader in a process of its own: the protocol between parent and child.
#ifndef PELT_LOAD_CHILD_H
#define PELT_LOAD_CHILD_H

#include "../readers.h"

#include <signal.h>
#include <sys/types.h>

/// The message of the child before the scene.
typedef struct pelti_child_answer
{
    pelt_result result;
    pelt_error error;
    uint64_t scene_size;
    uint64_t file_size; ///< of the files that the first one names
    int line;           ///< of a broken contract, whose condition is the error; 0: there is none
    char file[200];     ///< where it is
} pelti_child_answer;

typedef struct pelti_child_job
{
    pid_t parent;
    int pipe;                ///< to write to
    const sigset_t* signals; ///< that the caller blocks; now all are
    const pelt_source* source;
    pelti_load_budget* budget;
} pelti_child_job;

/// All that a child does, from fork() on.
_Noreturn void pelti_child_run(const pelti_child_job* job);

#endif
