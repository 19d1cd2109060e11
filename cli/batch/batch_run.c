// SPDX-License-Identifier: MIT
// Runs the jobs of a batch as processes of their own: one that crashes is a failure of its input.
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700

#include "batch.h"
#include "output.h"
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

enum
{
    PROCESS_MAX = 64,
    ARGUMENT_MAX = BATCH_WORD_MAX + 16,
    REPORT_MAX = 64 << 20, // bytes that a command prints
    LINE_MAX_SIZE = 1000,
};

// A character takes this much memory and some times the size of its file, by measurements of
// `enhance`, `bake` and `compare` on files of 0.1 to 60 MB.
#define MEMORY_BASE ((uint64_t)100 << 20)
#define MEMORY_PER_BYTE 40

/// A process that runs; {0}: none.
typedef struct batch_process
{
    pid_t id;
    batch_job* job;
    FILE* report;   ///< its standard output
    FILE* messages; ///< its standard error
    uint64_t memory;
    bool is_picture; ///< it draws the picture of a job that is done
} batch_process;

/// The state of a run.
typedef struct batch_runner
{
    batch* batch;
    const char* program;
    batch_process processes[PROCESS_MAX];
    uint32_t process_count; ///< that may run at a time
    batch_job** queue;      ///< jobs to run, the largest first
    uint32_t queue_count, queue_next;
    uint32_t ended_count;
    uint64_t memory; ///< of all that run
} batch_runner;

// ---------------------------------------------------------------------------------------------
// Folders

// Make the folders above a path.
static int make_folders_above(const batch* in, const char* path)
{
    char* part = pelt_arena_string(in->arena, path);
    if (part == NULL)
    {
        return message_memory();
    }
    for (char* slash = part; (slash = strchr(slash + 1, '/')) != NULL;)
    {
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
        {
            message_note("cannot make the folder %s: %s", part, strerror(errno));
            return EXIT_WRITE;
        }
        *slash = '/';
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// Processes

// The arguments of a job. Strings are in the arena, which is larger than any sum of paths.
static int fill_arguments(const char* out[ARGUMENT_MAX], const batch_runner* in,
                          const batch_process* process)
{
    const batch* all = in->batch;
    const batch_job* job = process->job;
    const char* rule = pelt_arena_format(all->arena, "%s.d", job->record);
    const char* picture = pelt_arena_format(all->arena, "%s.png", job->record);
    if (rule == NULL || picture == NULL)
    {
        return message_memory();
    }
    uint32_t count = 0;
    out[count++] = in->program;
    out[count++] = process->is_picture ? "render" : all->command->name;
    out[count++] = "--threads=1";
    if (process->is_picture)
    {
        out[count++] = "--size=256x256";
        out[count++] = "-o";
        out[count++] = picture;
    }
    else
    {
        out[count++] = "--json";
        out[count++] = "--depfile";
        out[count++] = rule;
        for (uint32_t i = 0; i < all->word_count; ++i)
        {
            out[count++] = all->words[i];
        }
        if (all->command->output != BATCH_OUTPUT_JSON)
        {
            out[count++] = "-o";
            out[count++] = job->output;
        }
    }
    out[count++] = "--";
    out[count++] = job->input;
    out[count] = NULL;
    return EXIT_DONE;
}

// In the child. It ends when this program is killed, so that no process is left that writes.
static void become(const batch_process* process, const char* const* arguments, pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    bool is_orphan = getppid() != parent;
    if (!is_orphan && dup2(fileno(process->report), STDOUT_FILENO) >= 0 &&
        dup2(fileno(process->messages), STDERR_FILENO) >= 0)
    {
        execvp(arguments[0], (char* const*)(uintptr_t)arguments);
    }
    _exit(EXIT_UNSUPPORTED);
}

static void release_process(batch_process* inout)
{
    if (inout->report != NULL)
    {
        fclose(inout->report);
    }
    if (inout->messages != NULL)
    {
        fclose(inout->messages);
    }
    *inout = (batch_process){0};
}

static int start(batch_runner* inout, batch_process* process)
{
    const char* arguments[ARGUMENT_MAX];
    TRY(fill_arguments(arguments, inout, process));
    process->report = tmpfile();
    process->messages = tmpfile();
    pid_t parent = getpid();
    process->id = process->report != NULL && process->messages != NULL ? fork() : -1;
    if (process->id == 0)
    {
        become(process, arguments, parent);
    }
    if (process->id < 0)
    {
        message_note("cannot start a process: %s", strerror(errno));
        release_process(process);
        return EXIT_WRITE;
    }
    return EXIT_DONE;
}

static uint64_t estimate_memory(const batch_job* job)
{
    return MEMORY_BASE + MEMORY_PER_BYTE * job->size;
}

static batch_process* find_free(batch_runner* in)
{
    for (uint32_t i = 0; i < in->process_count; ++i)
    {
        if (in->processes[i].job == NULL)
        {
            return &in->processes[i];
        }
    }
    return NULL;
}

// Start jobs while there is a free processor and memory; one job always runs.
static int start_some(batch_runner* inout)
{
    batch_process* process = NULL;
    while (inout->queue_next < inout->queue_count && (process = find_free(inout)) != NULL)
    {
        batch_job* job = inout->queue[inout->queue_next];
        uint64_t memory = estimate_memory(job);
        if (inout->memory > 0 && inout->memory + memory > inout->batch->max_memory)
        {
            break;
        }
        TRY(make_folders_above(inout->batch, job->output));
        TRY(make_folders_above(inout->batch, job->record));
        *process = (batch_process){.job = job, .memory = memory};
        TRY(start(inout, process));
        inout->memory += memory;
        ++inout->queue_next;
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// Results

// What a process wrote, with a zero at the end; free() it. NULL when out of memory.
static char* read_all(size_t* size, FILE* file)
{
    *size = 0;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    length = length < 0 ? 0 : length > REPORT_MAX ? REPORT_MAX : length;
    rewind(file);
    char* text = malloc((size_t)length + 1);
    if (text != NULL)
    {
        *size = fread(text, 1, (size_t)length, file);
        text[*size] = '\0';
    }
    return text;
}

// The last line is the reason; the ones before are notes. "pelt: " at its start is left out.
static int read_message(const batch* in, batch_job* job, const batch_process* process, int status)
{
    size_t size = 0;
    char* text = read_all(&size, process->messages);
    if (text == NULL)
    {
        return message_memory();
    }
    while (size > 0 && text[size - 1] == '\n')
    {
        text[--size] = '\0';
    }
    char* line = strrchr(text, '\n');
    line = line != NULL ? line + 1 : text;
    line += strncmp(line, "pelt: ", 6) == 0 ? 6 : 0;
    terminal_text_clean(line);
    if (WIFSIGNALED(status))
    {
        job->message = pelt_arena_format(in->arena, "ended by signal %d", WTERMSIG(status));
    }
    else
    {
        job->message = pelt_arena_format(in->arena, "%.*s", LINE_MAX_SIZE, line);
    }
    free(text);
    return job->message != NULL ? EXIT_DONE : message_memory();
}

static int read_report(const batch* in, batch_job* job, const batch_process* process)
{
    size_t size = 0;
    char* text = read_all(&size, process->report);
    if (text == NULL)
    {
        return message_memory();
    }
    job->figures = batch_figures_read(in->command, text, size);
    int code = EXIT_DONE;
    if (job->figures != NULL && in->command->output == BATCH_OUTPUT_JSON)
    {
        pelt_error error = {0};
        code = message_error(pelt_save_bytes(job->output, text, size, &error), &error);
    }
    free(text);
    return code;
}

// A command that ends with an exit code above 0 has a result only where it printed its report:
// findings of `pelt doctor`.
static int take_result(const batch* in, batch_job* job, const batch_process* process, int status)
{
    job->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    bool may_have_report = job->exit_code == EXIT_DONE || job->exit_code == EXIT_INPUT;
    TRY(may_have_report ? read_report(in, job, process) : EXIT_DONE);
    job->is_done = job->exit_code == EXIT_DONE || job->figures != NULL;
    if (job->exit_code == EXIT_DONE)
    {
        return EXIT_DONE;
    }
    if (!job->is_done)
    {
        TRY(read_message(in, job, process, status));
        message_note("%s: %s", job->input, job->message);
    }
    return EXIT_DONE;
}

static void count_end(batch_runner* inout, batch_process* process)
{
    inout->memory -= process->memory;
    release_process(process);
    ++inout->ended_count;
    progress_show((float)inout->ended_count / (float)inout->queue_count);
}

static int save_result(const batch* in, const batch_job* job)
{
    return job->is_done ? batch_record_save(in, job) : EXIT_DONE;
}

// The process of a job ends; that of its picture may follow. A picture that cannot be drawn is left
// out of the report.
static int finish(batch_runner* inout, batch_process* process, int status)
{
    const batch* all = inout->batch;
    batch_job* job = process->job;
    if (process->is_picture)
    {
        int code = save_result(all, job);
        count_end(inout, process);
        return code;
    }
    TRY(take_result(all, job, process, status));
    if (!all->has_pictures || !job->is_done)
    {
        int code = save_result(all, job);
        count_end(inout, process);
        return code;
    }
    uint64_t memory = process->memory;
    release_process(process);
    *process = (batch_process){.job = job, .memory = memory, .is_picture = true};
    return start(inout, process);
}

static int wait_for_one(batch_runner* inout)
{
    int status = 0;
    pid_t id = 0;
    do
    {
        id = waitpid(-1, &status, 0);
    } while (id < 0 && errno == EINTR);
    for (uint32_t i = 0; i < inout->process_count; ++i)
    {
        batch_process* process = &inout->processes[i];
        if (process->job != NULL && process->id == id)
        {
            return finish(inout, process, status);
        }
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// All jobs

static int by_size(const void* a, const void* b)
{
    const batch_job* x = *(batch_job* const*)a;
    const batch_job* y = *(batch_job* const*)b;
    return x->size != y->size ? (x->size < y->size ? 1 : -1) : (x->index < y->index ? -1 : 1);
}

// The largest first, so that no long job is left for the end.
static int fill_queue(batch_runner* inout)
{
    batch* all = inout->batch;
    inout->queue = pelt_arena_alloc(all->arena, all->job_count, sizeof *inout->queue);
    if (inout->queue == NULL)
    {
        return message_memory();
    }
    progress_begin("checking what is up to date");
    int code = EXIT_DONE;
    for (uint32_t i = 0; i < all->job_count && code == EXIT_DONE; ++i)
    {
        bool is_up_to_date = false;
        code = batch_record_check(&is_up_to_date, all, &all->jobs[i]);
        if (!is_up_to_date)
        {
            inout->queue[inout->queue_count++] = &all->jobs[i];
        }
        progress_show((float)(i + 1) / (float)all->job_count);
    }
    progress_end();
    qsort(inout->queue, inout->queue_count, sizeof *inout->queue, by_size);
    return code;
}

static void stop_all(batch_runner* inout)
{
    for (uint32_t i = 0; i < inout->process_count; ++i)
    {
        batch_process* process = &inout->processes[i];
        if (process->job != NULL && process->id > 0)
        {
            kill(process->id, SIGTERM);
            waitpid(process->id, NULL, 0);
        }
        release_process(process);
    }
}

// This program itself: a name for another one could be anything.
static const char* find_program(pelt_arena* arena)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0 ? pelt_arena_string(arena, path) : "pelt";
}

int batch_run(batch* inout)
{
    batch_runner runner = {.batch = inout, .program = find_program(inout->arena)};
    runner.process_count = inout->thread_count < PROCESS_MAX ? inout->thread_count : PROCESS_MAX;
    TRY(runner.program != NULL ? fill_queue(&runner) : message_memory());
    progress_begin(inout->command->name);
    int code = EXIT_DONE;
    while (code == EXIT_DONE && runner.ended_count < runner.queue_count)
    {
        code = start_some(&runner);
        code = code == EXIT_DONE ? wait_for_one(&runner) : code;
    }
    stop_all(&runner);
    progress_end();
    return code;
}
