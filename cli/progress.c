// SPDX-License-Identifier: MIT
// Progress of parallel loops, counted where they pass: in the `run` hook.
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static struct
{
    const char* label; // NULL: no job, nothing to show
    atomic_bool is_counting;
    atomic_bool is_shown;
    atomic_llong next_time; // milliseconds: when the line may change again
} state;

typedef struct counted_loop
{
    pelt_task task;
    void* context;
    uint32_t count;
    atomic_uint done;
} counted_loop;

static long long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void progress_begin(const char* label)
{
    state.label = isatty(STDERR_FILENO) ? label : NULL;
    // A job that is over at once should not flicker.
    atomic_store(&state.next_time, milliseconds() + 500);
}

void progress_clear(void)
{
    if (atomic_exchange(&state.is_shown, false))
    {
        fputs("\r\033[K", stderr);
    }
}

void progress_end(void)
{
    progress_clear();
    state.label = NULL;
}

static void show(uint32_t done, uint32_t count)
{
    long long now = milliseconds();
    long long due = atomic_load(&state.next_time);
    // One thread wins the right to print, ten times a second.
    if (now < due || !atomic_compare_exchange_strong(&state.next_time, &due, now + 100))
    {
        return;
    }
    atomic_store(&state.is_shown, true);
    fprintf(stderr, "\rpelt: %s %3u %%\033[K", state.label,
            (unsigned)(100 * (uint64_t)done / count));
    fflush(stderr);
}

static void run_counted(void* context, uint32_t index)
{
    counted_loop* loop = context;
    loop->task(loop->context, index);
    show(atomic_fetch_add(&loop->done, 1) + 1, loop->count);
}

void progress_run(uint32_t count, pelt_task task, void* context, void* pool)
{
    // Only the outer of nested loops is counted.
    if (state.label == NULL || count == 0 || atomic_exchange(&state.is_counting, true))
    {
        pelt_pool_run(count, task, context, pool);
        return;
    }
    counted_loop loop = {.task = task, .context = context, .count = count};
    pelt_pool_run(count, run_counted, &loop, pool);
    atomic_store(&state.is_counting, false);
}
