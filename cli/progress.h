// SPDX-License-Identifier: MIT
// A line on stderr that says how far a long job is; silent unless stderr is a terminal.
#ifndef PELT_PROGRESS_H
#define PELT_PROGRESS_H

/// Name the job that begins; label must outlive it.
void progress_begin(const char* label);

/// Say how much of the job is done, from 0 to 1. Any thread may call, one at a time.
void progress_show(float part);

/// The job is over: the line vanishes.
void progress_end(void);

/// Make room for another line on stderr.
void progress_clear(void);

#endif
