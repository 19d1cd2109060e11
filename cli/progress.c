// SPDX-License-Identifier: MIT
// A line on stderr that says how far a long job is.
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include "clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static struct
{
    const char* label; // NULL: no job, nothing to show
    bool is_shown;
    double next_time; // seconds: when the line may change again
} state;

void progress_begin(const char* label)
{
    state.label = isatty(STDERR_FILENO) ? label : NULL;
    // A job that is over at once should not flicker.
    state.next_time = clock_seconds() + 0.5;
}

void progress_show(float part)
{
    double now = state.label != NULL ? clock_seconds() : 0.0;
    if (state.label == NULL || now < state.next_time)
    {
        return;
    }
    state.next_time = now + 0.1;
    state.is_shown = true;
    // Estimates may run ahead of the work; 100 would say that it is over.
    unsigned percent = part < 0.99f ? (unsigned)(100.0f * part) : 99;
    fprintf(stderr, "\rpelt: %s %3u %%\033[K", state.label, percent);
    fflush(stderr);
}

void progress_clear(void)
{
    if (state.is_shown)
    {
        fputs("\r\033[K", stderr);
        state.is_shown = false;
    }
}

void progress_end(void)
{
    progress_clear();
    state.label = NULL;
}
