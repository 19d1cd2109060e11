// SPDX-License-Identifier: MIT
// A line on stderr that says how far a long job is; silent unless stderr is a terminal.
#ifndef PELT_PROGRESS_H
#define PELT_PROGRESS_H

#include "pelt/pelt.h"

/// Name the job that the following parallel loops belong to; label must outlive it.
void progress_begin(const char* label);

/// The job is over: the line vanishes.
void progress_end(void);

/// Make room for another line on stderr.
void progress_clear(void);

/// The `run` hook of the program: pelt_pool_run() on the pool, counting the tasks done.
void progress_run(uint32_t count, pelt_task task, void* context, void* pool);

#endif
