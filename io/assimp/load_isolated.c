// SPDX-License-Identifier: MIT
// A reader in a child process: whatever happens to its memory, its stack or its time, the caller
// gets a scene or a message.
#define _XOPEN_SOURCE 700

#include "load_child.h"
#include "scene_transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
    CLOCK_FACTOR = 10, // by the clock, because a busy machine takes longer
    TICK = 50,         // milliseconds between two checks of the clock and of cancellation
    PATIENCE = 1,      // seconds without work until a child counts as stuck, doubled each time
};

typedef struct child
{
    pid_t id;
    int pipe;     // to read from
    bool is_done; // it has closed its end or sent everything, and ends by itself
    bool is_dead; // and has been waited for
    int status;   // as waitpid() has it; 0 when the caller's own handler was quicker
    double deadline;
    double patience;
    double used_seconds; // of CPU time, when last looked at,
    double idle_since;   // and when that last changed
    bool is_stuck;
    pelti_load_budget* budget;
    const char* path;
    pelt_error* error;
} child;

static double read_clock(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double clock_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

// CPU time of a process. If the system does not tell, the process counts as working.
static double used_seconds(pid_t id)
{
#ifdef __linux__
    clockid_t clock;
    if (clock_getcpuclockid(id, &clock) == 0)
    {
        return read_clock(clock);
    }
#endif
    (void)id;
    return clock_seconds();
}

static pelt_result fail_system(const char* path, const char* what, pelt_error* error)
{
    return pelt_error_set(error, errno == ENOMEM ? PELT_ERROR_MEMORY : PELT_ERROR_READ,
                          "cannot read %s: %s: %s", path, what, strerror(errno));
}

static pelt_result start_child(child* out, const pelt_source* source)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        return fail_system(out->path, "there is no pipe for its reader", out->error);
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    // No handler of the caller may run in the child, not even before it has its own.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pelti_child_job job = {getpid(), ends[1], &before, source, out->budget};
    out->id = fork();
    if (out->id == 0)
    {
        pelti_child_run(&job);
    }
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    out->pipe = ends[0];
    out->is_done = out->is_dead = out->is_stuck = false;
    out->idle_since = clock_seconds();
    if (out->id < 0)
    {
        close(ends[0]);
        errno = reason;
        return fail_system(out->path, "there is no process for its reader", out->error);
    }
    return PELT_OK;
}

// @param options  0, or WNOHANG
static void look_after(child* c, int options)
{
    int status = 0;
    pid_t found = 0;
    do
    {
        found = c->is_dead ? 0 : waitpid(c->id, &status, options);
    } while (found < 0 && errno == EINTR);
    if (found != 0)
    {
        c->is_dead = true;
        c->status = found > 0 ? status : 0;
    }
}

static void end_child(child* c)
{
    // When it has ended, a handler of the caller may wait for it, and its number may be reused.
    if (!c->is_done && !c->is_dead)
    {
        kill(c->id, SIGKILL);
    }
    look_after(c, 0);
    close(c->pipe);
}

static pelt_result fail_time(const child* c)
{
    return pelt_error_set(c->error, PELT_ERROR_DATA,
                          "%s: takes more than %u s to read, the limit for a file of %zu bytes",
                          c->path, c->budget->limits.seconds, c->budget->file_size);
}

// The child has ended before it sent everything.
static pelt_result fail_silent(const child* c)
{
    int number = WIFSIGNALED(c->status) ? WTERMSIG(c->status) : 0;
    if (number == SIGXCPU)
    {
        return fail_time(c);
    }
    if (number == SIGINT || number == SIGTERM || number == SIGHUP)
    {
        return pelt_error_set(c->error, PELT_ERROR_CANCELED, "reading %s was interrupted", c->path);
    }
    return pelt_error_set(c->error, PELT_ERROR_DATA,
                          "%s cannot be read: its importer crashed (%s), so the file must be "
                          "broken; convert it to glTF",
                          c->path, number != 0 ? strsignal(number) : "without a word");
}

// A copy of a process with threads has their locks in their state, and no thread that would release
// them: those of an allocator, of AddressSanitizer, or of files from the caller. A child that needs
// such a lock waits forever, without working.
static void watch_work(child* c)
{
    double now = clock_seconds();
    double used = used_seconds(c->id);
    if (used != c->used_seconds)
    {
        c->used_seconds = used;
        c->idle_since = now;
    }
    c->is_stuck = !c->is_dead && now - c->idle_since > c->patience;
}

// Wait for more bytes, or the end of the child, while the caller agrees.
static pelt_result wait_for_bytes(child* c)
{
    for (;;)
    {
        struct pollfd ready = {.fd = c->pipe, .events = POLLIN};
        if (poll(&ready, 1, TICK) > 0)
        {
            return PELT_OK;
        }
        bool was_dead = c->is_dead;
        look_after(c, WNOHANG);
        if (was_dead)
        {
            // Another process holds the other end; nothing more will come.
            return fail_silent(c);
        }
        if (clock_seconds() > c->deadline)
        {
            return fail_time(c);
        }
        watch_work(c);
        if (c->is_stuck)
        {
            return PELT_ERROR_READ; // not reported: another child is started
        }
        PELT_TRY(pelti_load_progress(c->budget, c->budget->part, c->path, c->error));
    }
}

static pelt_result receive(child* c, void* out, size_t size, float part)
{
    for (size_t done = 0; done < size;)
    {
        PELT_TRY(wait_for_bytes(c));
        ssize_t step = read(c->pipe, (char*)out + done, size - done);
        if (step == 0)
        {
            c->is_done = true;
            look_after(c, 0);
            return fail_silent(c);
        }
        done += step > 0 ? (size_t)step : 0;
        c->budget->part = fmaxf(c->budget->part, part * (float)done / (float)size);
    }
    return PELT_OK;
}

static pelt_result receive_scene(pelt_scene** out, child* c, uint64_t size)
{
    pelt_arena* arena = pelt_arena_create();
    bool is_small = size <= c->budget->limits.memory;
    void* bytes = arena != NULL && is_small ? pelt_arena_alloc(arena, (size_t)size, 1) : NULL;
    pelt_result result = bytes != NULL ? receive(c, bytes, (size_t)size, 1.0f)
                         : is_small    ? pelt_error_memory(c->error)
                                       : pelti_load_fail_memory(c->budget, c->path, c->error);
    c->is_done = c->is_done || result == PELT_OK;
    pelt_scene* scene = result == PELT_OK ? pelti_scene_read(bytes, (size_t)size) : NULL;
    if (scene == NULL)
    {
        pelt_arena_destroy(arena);
        return result == PELT_OK ? fail_silent(c) : result;
    }
    scene->arena = arena;
    *out = scene;
    return PELT_OK;
}

static pelt_result receive_answer(pelt_scene** out, child* c)
{
    pelti_child_answer answer;
    PELT_TRY(receive(c, &answer, sizeof answer, 0.5f));
    c->is_done = answer.result != PELT_OK || answer.line != 0;
    pelti_load_grow(c->budget, answer.file_size);
    answer.error.message[sizeof answer.error.message - 1] = '\0';
    answer.file[sizeof answer.file - 1] = '\0';
    if (answer.line != 0)
    {
        pelt_assert_failed(answer.error.message, answer.file, answer.line);
        return fail_silent(c);
    }
    if (answer.result == PELT_ERROR_MEMORY)
    {
        return pelti_load_fail_memory(c->budget, c->path, c->error);
    }
    return answer.result == PELT_OK
               ? receive_scene(out, c, answer.scene_size)
               : pelt_error_set(c->error, answer.result, "%s", answer.error.message);
}

pelt_result pelti_read_isolated(pelt_scene** out, const pelt_source* source,
                                const pelt_load_options* options, pelt_error* error)
{
    *out = NULL;
    pelti_load_budget budget;
    pelti_load_start(&budget, options, source->size);
    child c = {.budget = &budget, .path = source->path, .error = error, .patience = PATIENCE};
    c.deadline = clock_seconds() + CLOCK_FACTOR * (double)budget.limits.seconds;
    pelt_result result = pelti_load_progress(&budget, 0.1f, source->path, error);
    if (result != PELT_OK)
    {
        return result;
    }
    do
    {
        result = start_child(&c, source);
        if (result != PELT_OK)
        {
            return result;
        }
        result = receive_answer(out, &c);
        end_child(&c);
        c.patience *= 2;
    } while (c.is_stuck);
    return result;
}
