// SPDX-License-Identifier: MIT
// The child process. It is a copy of a process that may have had other threads: it must not use
// their locks, hooks or handlers.
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include "load_child.h"

#include "../readers.h"
#include "child_sandbox.h"
#include "scene_transfer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifndef PATH_MAX
#define PATH_MAX 4096
#endif
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

enum
{
    STACK_SIZE = 64 << 20,
    MOST_DESCRIPTORS = 64,
    MOST_FILES = 64, // next to the main file, whose sizes add to its limits
};

static bool is_companion(const char* name)
{
    static const char* const extensions[] = {".mtl", ".md5anim", ".md5camera",
                                             ".smd", ".txt",     ".mdl"};
    const char* dot = strrchr(name, '.');
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0] && dot != NULL; ++i)
    {
        if (strcasecmp(dot, extensions[i]) == 0)
        {
            return true;
        }
    }
    return false;
}

// Bytes of all regular files in the folder of a model that an importer may open: materials of OBJ,
// animations of MD5 and SMD, textures and sequences of MDL.
static size_t companion_size(const char* path)
{
    char folder[PATH_MAX] = "./";
    size_t length = pelti_path_folder(path), sum = 0;
    if (length >= sizeof folder)
    {
        return 0;
    }
    memcpy(folder, path, length);
    folder[length > 0 ? length : 2] = '\0';
    DIR* list = opendir(folder);
    for (struct dirent* entry = list != NULL ? readdir(list) : NULL; entry != NULL;
         entry = readdir(list))
    {
        struct stat status;
        bool is_file = is_companion(entry->d_name) &&
                       fstatat(dirfd(list), entry->d_name, &status, 0) == 0 &&
                       S_ISREG(status.st_mode);
        size_t size = is_file ? (size_t)status.st_size : 0;
        sum = size < SIZE_MAX - sum ? sum + size : SIZE_MAX;
    }
    if (list != NULL)
    {
        closedir(list);
    }
    return sum;
}

// Signals get their default actions: handlers of the caller must not run here.
static void reset_signals(const sigset_t* mask)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; ++number)
    {
        struct sigaction before;
        bool is_fault = number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
                        number == SIGILL || number == SIGABRT || number == SIGPIPE ||
                        number == SIGXCPU;
        // Signals that the caller ignores, for instance under nohup, stay ignored.
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

// Redirect standard streams to nowhere, and close all descriptors of the caller but the pipe.
// @return the descriptor of the pipe
static int close_files(int pipe)
{
    const int kept = STDERR_FILENO + 1;
    dup2(pipe, kept);
    int nowhere = open("/dev/null", O_RDWR);
    for (int number = 0; number < kept && nowhere >= 0; ++number)
    {
        dup2(nowhere, number);
    }
#ifdef SYS_close_range
    if (syscall(SYS_close_range, kept + 1, ~0u, 0) == 0)
    {
        return kept;
    }
#endif
    long most = sysconf(_SC_OPEN_MAX);
    most = most > 0 && most < 65536 ? most : 65536;
    for (int number = kept + 1; number < most; ++number)
    {
        close(number);
    }
    return kept;
}

// glibc counts limits by an enum, others by int as POSIX has it.
#ifdef __GLIBC__
typedef __rlimit_resource_t limit_kind;
#else
typedef int limit_kind;
#endif

// Neither this process nor its descendants can undo this.
static void set_hard_limit(limit_kind which, rlim_t value)
{
    struct rlimit limit;
    if (getrlimit(which, &limit) == 0)
    {
        // The hard limit is that of the caller.
        limit.rlim_max = value < limit.rlim_cur ? value : limit.rlim_cur;
        limit.rlim_cur = limit.rlim_max;
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

// Bytes of address space in use; 0: the system does not tell.
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

// The limits of this process, when it is a child.
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

// The sizes of files that the first one may name are known before they are opened. Files from the
// caller are not: then only the soft limits grow with them.
static void set_hard_limits(const pelt_source* source)
{
    pelti_load_budget most = *own.budget;
    bool is_known = source->files == NULL;
    pelti_load_grow(&most, is_known ? companion_size(source->path) : 0);
    bool is_countable = own.mapped > 0 && most.limits.memory < RLIM_INFINITY - own.mapped;
    // SIGXCPU comes first, SIGKILL a second later.
    set_hard_limit(RLIMIT_CPU, is_known ? (rlim_t)most.limits.seconds + 1 : RLIM_INFINITY);
    set_hard_limit(RLIMIT_AS,
                   is_known && is_countable ? own.mapped + most.limits.memory : RLIM_INFINITY);
    set_hard_limit(RLIMIT_STACK, STACK_SIZE);
    set_hard_limit(RLIMIT_NOFILE, MOST_DESCRIPTORS);
    set_hard_limit(RLIMIT_CORE, 0);
    set_hard_limit(RLIMIT_FSIZE, 0);
#ifdef RLIMIT_NPROC
    set_hard_limit(RLIMIT_NPROC, 0);
    set_hard_limit(RLIMIT_MEMLOCK, 0);
#endif
}

static void start_limits(const pelti_child_job* job)
{
    own.budget = job->budget;
    own.mapped = mapped_size();
    set_hard_limits(job->source);
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
    pelti_child_answer answer;
} last_words;

// An uncaught exception ends here. If memory ran out, errno says so.
static void on_abort(int number)
{
    (void)number;
    if (errno == ENOMEM)
    {
        last_words.answer.result = PELT_ERROR_MEMORY;
        (void)!write(last_words.pipe, &last_words.answer, sizeof last_words.answer);
    }
}

// A broken contract is not the fault of the file: the parent reports it as if it had happened
// there.
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

// Files are read below the folder of the source. Files from the caller, for instance in an archive,
// may be anywhere.
static void enter_sandbox(const pelt_source* source)
{
    char folder[PATH_MAX] = "";
    size_t length = pelti_path_folder(source->path);
    memcpy(folder, source->path, length < sizeof folder ? length : 0);
    pelti_sandbox_enter(source->files == NULL ? folder : NULL);
}

void pelti_child_run(const pelti_child_job* job)
{
    follow_parent(job->parent);
    int pipe = close_files(job->pipe);
    start_limits(job);
    reset_signals(job->signals);
    prepare_last_words(pipe);
    enter_sandbox(job->source);
    FILE* stream = fdopen(pipe, "wb");
    if (stream == NULL)
    {
        _exit(EXIT_FAILURE);
    }
    pelti_child_answer answer = {0};
    pelt_scene* scene = NULL;
    answer.result = pelti_read_assimp(&scene, job->source, &job->budget->options, &answer.error);
    answer.file_size = job->budget->file_size - job->source->size;
    answer.scene_size = answer.result == PELT_OK ? pelti_scene_size(scene) : 0;
    fwrite(&answer, sizeof answer, 1, stream);
    if (answer.result == PELT_OK)
    {
        pelti_scene_write(stream, scene);
    }
    _exit(fflush(stream) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
