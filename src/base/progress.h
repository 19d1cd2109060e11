// SPDX-License-Identifier: MIT
// Progress of parallel tasks: one task at a time reports it, and its callback may cancel all.
#ifndef PELTI_PROGRESS_H
#define PELTI_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct pelti_progress
{
    bool (*tell)(float part, void* user); ///< false cancels; may be NULL
    void* user;
    unsigned step_count; ///< of all tasks
    unsigned step_limit; ///< no more than these are reported
    atomic_uint done;
    atomic_flag is_telling;
    atomic_bool is_canceled;
} pelti_progress;

/// Count finished steps, and report them.
static inline void pelti_progress_add(pelti_progress* progress, unsigned steps)
{
    unsigned done = atomic_fetch_add(&progress->done, steps) + steps;
    if (progress->tell != NULL && !atomic_flag_test_and_set(&progress->is_telling))
    {
        unsigned told = done < progress->step_limit ? done : progress->step_limit;
        if (!progress->tell((float)told / (float)progress->step_count, progress->user))
        {
            atomic_store(&progress->is_canceled, true);
        }
        atomic_flag_clear(&progress->is_telling);
    }
}

static inline bool pelti_progress_is_canceled(pelti_progress* progress)
{
    return atomic_load(&progress->is_canceled);
}

#endif
