// SPDX-License-Identifier: MIT
// A reader in a child process: whatever it does to its memory, its stack or its time, the caller
// gets a scene or a sentence.
#define _GNU_SOURCE

#include "load_budget.h"
#include "readers.h"
#include "scene_transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

enum
{
    STACK_SIZE = 64 << 20,
    MOST_FILES = 64,  // beside the one that is read, that add to its limits
    CLOCK_FACTOR = 3, // by the clock a busy machine takes longer
    TICK = 50,        // milliseconds between two looks at the caller's wish and the clock
};

// What the child sends before the scene.
typedef struct child_answer
{
    pelt_result result;
    pelt_error error;
    uint64_t scene_size;
    uint64_t file_size; // of the files that the first one names
    int line;           // of a broken contract, whose condition is the error; 0: there is none
    char file[200];     // where it is
} child_answer;

// ---------------------------------------------------------------------------------------------
// The child. It is a copy of a process that may have had other threads: no locks, no hooks.

// Signals shall do what they do to any program: handlers of the caller have no business here.
static void reset_signals(const sigset_t* mask)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; ++number)
    {
        struct sigaction before;
        bool is_fault = number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
                        number == SIGILL || number == SIGABRT || number == SIGPIPE ||
                        number == SIGXCPU;
        // What the caller ignores, nohup for instance, stays ignored.
        if (sigaction(number, NULL, &before) == 0 && (is_fault || before.sa_handler != SIG_IGN))
        {
            sigaction(number, &action, NULL);
        }
    }
    sigset_t faults = *mask;
    sigdelset(&faults, SIGXCPU);
    sigdelset(&faults, SIGPIPE);
    sigprocmask(SIG_SETMASK, &faults, NULL);
}

// Standard streams lead nowhere, and nothing of the caller's stays open but the pipe.
static void close_files(int pipe)
{
    int nowhere = open("/dev/null", O_RDWR);
    for (int number = 0; number <= STDERR_FILENO && nowhere >= 0; ++number)
    {
        if (number != pipe)
        {
            dup2(nowhere, number);
        }
    }
    unsigned first = STDERR_FILENO + 1, kept = (unsigned)pipe;
#ifdef SYS_close_range
    if ((kept <= first || syscall(SYS_close_range, first, kept - 1, 0) == 0) &&
        syscall(SYS_close_range, kept > first ? kept + 1 : first + (kept == first), ~0u, 0) == 0)
    {
        return;
    }
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (unsigned number = first; number < (most > 0 && most < 65536 ? most : 65536); ++number)
    {
        if (number != kept)
        {
            close((int)number);
        }
    }
}

// glibc counts limits by an enum, others by int as POSIX has it.
#ifdef __GLIBC__
typedef __rlimit_resource_t limit_kind;
#else
typedef int limit_kind;
#endif

// What the caller keeps to is the most that this process ever gets.
static void seal_limit(limit_kind which)
{
    struct rlimit limit;
    if (getrlimit(which, &limit) == 0)
    {
        limit.rlim_max = limit.rlim_cur;
        setrlimit(which, &limit);
    }
}

static void set_limit(limit_kind which, rlim_t value)
{
    struct rlimit limit;
    if (getrlimit(which, &limit) == 0)
    {
        limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
        setrlimit(which, &limit);
    }
}

// Bytes of address space in use; 0: this system does not tell.
static rlim_t mapped_size(void)
{
    char text[64] = "";
    int file = open("/proc/self/statm", O_RDONLY);
    if (file >= 0)
    {
        (void)!read(file, text, sizeof text - 1);
        close(file);
    }
    return (rlim_t)strtoull(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
}

// What this process may use, when it is a child.
static struct
{
    pelti_load_budget* budget; // NULL: it is none
    rlim_t mapped;             // when it began
    uint64_t files[MOST_FILES][2];
    uint32_t file_count;
} own;

static void set_limits(void)
{
    const pelt_load_limits* limits = &own.budget->limits;
    set_limit(RLIMIT_CPU, limits->seconds);
    if (own.mapped > 0 && limits->memory < RLIM_INFINITY - own.mapped)
    {
        set_limit(RLIMIT_AS, own.mapped + limits->memory);
    }
}

static void start_limits(pelti_load_budget* budget)
{
    own.budget = budget;
    own.mapped = mapped_size();
    seal_limit(RLIMIT_CPU);
    seal_limit(RLIMIT_AS);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_STACK, STACK_SIZE);
    set_limits();
}

void pelti_child_add_file(const pelti_input* input)
{
    bool is_new = own.budget != NULL && own.file_count < MOST_FILES;
    for (uint32_t i = 0; i < own.file_count && is_new; ++i)
    {
        is_new = own.files[i][0] != input->device || own.files[i][1] != input->number;
    }
    if (is_new)
    {
        own.files[own.file_count][0] = input->device;
        own.files[own.file_count++][1] = input->number;
        pelti_load_grow(own.budget, input->size);
        set_limits();
    }
}

static void follow_parent(pid_t parent)
{
#ifdef __linux__
    // Also keeps programs that collect crashes away.
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
    {
        _exit(EXIT_FAILURE);
    }
}

static struct
{
    int pipe;
    child_answer answer;
} last_words;

// An exception that nobody catches ends here. When it was for want of memory, errno still says so.
static void on_abort(int number)
{
    (void)number;
    if (errno == ENOMEM)
    {
        last_words.answer.result = PELT_ERROR_MEMORY;
        (void)!write(last_words.pipe, &last_words.answer, sizeof last_words.answer);
    }
}

// A mistake of pelt's own is none of the file: the parent hears of it as if it had made it.
static void on_assert(const char* condition, const char* file, int line, void* user)
{
    (void)user;
    last_words.answer.line = line;
    snprintf(last_words.answer.file, sizeof last_words.answer.file, "%s", file);
    pelt_error_set(&last_words.answer.error, PELT_OK, "%s", condition);
    (void)!write(last_words.pipe, &last_words.answer, sizeof last_words.answer);
    _exit(EXIT_FAILURE);
}

static void prepare_last_words(int pipe)
{
    last_words.pipe = pipe;
    pelt_hooks_set(&(pelt_hooks){.assert_failed = on_assert});
    struct sigaction action = {.sa_handler = on_abort};
    sigaction(SIGABRT, &action, NULL);
    errno = 0;
}

static _Noreturn void run_child(int pipe, const pelti_blob* file, const char* path,
                                const pelt_load_options* options)
{
    child_answer answer = {0};
    pelt_scene* scene = NULL;
    FILE* stream = fdopen(pipe, "wb");
    if (stream == NULL)
    {
        _exit(EXIT_FAILURE);
    }
    prepare_last_words(pipe);
    pelt_load_options in_place = {.max_influences = options->max_influences};
    answer.result = pelti_read_assimp(&scene, file, path, &in_place, &answer.error);
    answer.file_size = own.budget->file_size - file->size;
    answer.scene_size = answer.result == PELT_OK ? pelti_scene_size(scene) : 0;
    fwrite(&answer, sizeof answer, 1, stream);
    if (answer.result == PELT_OK)
    {
        pelti_scene_write(stream, scene);
    }
    _exit(fflush(stream) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

// ---------------------------------------------------------------------------------------------
// The parent

typedef struct child
{
    pid_t id;
    int pipe;     // to read from
    bool is_done; // has closed its end, or said all: it ends by itself
    bool is_dead; // and has been waited for
    int status;   // as waitpid() has it; 0 when the caller's own handler was quicker
    double deadline;
    pelti_load_budget* budget;
    const char* path;
    pelt_error* error;
} child;

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static pelt_result fail_system(const char* path, const char* what, pelt_error* error)
{
    return pelt_error_set(error, errno == ENOMEM ? PELT_ERROR_MEMORY : PELT_ERROR_READ,
                          "cannot read %s: %s: %s", path, what, strerror(errno));
}

static pelt_result start_child(child* out, const pelti_blob* file, const pelt_load_options* options)
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
    pid_t parent = getpid();
    out->id = fork();
    if (out->id == 0)
    {
        follow_parent(parent);
        close_files(ends[1]);
        start_limits(out->budget);
        reset_signals(&before);
        run_child(ends[1], file, out->path, options);
    }
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    out->pipe = ends[0];
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
    // Once it ends by itself a handler of the caller may wait for it, and its number be another's.
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

// The child is gone, and has not said all.
static pelt_result fail_silent(const child* c)
{
    int number = WIFSIGNALED(c->status) ? WTERMSIG(c->status) : 0;
    if (number == SIGXCPU)
    {
        return fail_time(c);
    }
    if (number == SIGINT || number == SIGTERM || number == SIGHUP)
    {
        return pelt_error_set(c->error, PELT_ERROR_CANCELLED, "reading %s was interrupted",
                              c->path);
    }
    return pelt_error_set(c->error, PELT_ERROR_DATA,
                          "%s cannot be read: its importer crashed (%s), so the file must be "
                          "broken; convert it to glTF",
                          c->path, number != 0 ? strsignal(number) : "without a word");
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
            // Somebody else holds the other end; nothing more will come.
            return fail_silent(c);
        }
        if (clock_seconds() > c->deadline)
        {
            return fail_time(c);
        }
        pelt_result result = pelti_load_tell(c->budget, c->budget->part, c->path, c->error);
        if (result != PELT_OK)
        {
            return result;
        }
    }
}

static pelt_result receive(child* c, void* out, size_t size, float part)
{
    for (size_t done = 0; done < size;)
    {
        pelt_result result = wait_for_bytes(c);
        if (result != PELT_OK)
        {
            return result;
        }
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
    child_answer answer;
    pelt_result result = receive(c, &answer, sizeof answer, 0.5f);
    if (result != PELT_OK)
    {
        return result;
    }
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

pelt_result pelti_read_isolated(pelt_scene** out, const pelti_blob* file, const char* path,
                                const pelt_load_options* options, pelt_error* error)
{
    *out = NULL;
    pelti_load_budget budget;
    pelti_load_start(&budget, options, file->size);
    child c = {.budget = &budget, .path = path, .error = error};
    c.deadline = clock_seconds() + CLOCK_FACTOR * (double)budget.limits.seconds;
    pelt_result result = pelti_load_tell(&budget, 0.1f, path, error);
    result = result == PELT_OK ? start_child(&c, file, options) : result;
    if (result != PELT_OK)
    {
        return result;
    }
    result = receive_answer(out, &c);
    end_child(&c);
    return result;
}
