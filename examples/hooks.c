// SPDX-License-Identifier: MIT
// The hooks of a host: its own allocator, job system, log and handler of broken contracts. Every
// byte and every loop of pelt goes through them.
#include <pelt/io.h>
#include <pelt/prepare.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    WORKERS = 4,
};

// ---------------------------------------------------------------------------------------------
// An allocator that counts. Any thread may call it.

typedef struct heap
{
    atomic_llong blocks, calls;
} heap;

static void* take(size_t size, void* user)
{
    heap* counts = user;
    void* memory = malloc(size); // at least as aligned as this
    atomic_fetch_add(&counts->calls, 1);
    atomic_fetch_add(&counts->blocks, memory != NULL);
    return memory;
}

static void give_back(void* memory, void* user)
{
    heap* counts = user;
    atomic_fetch_sub(&counts->blocks, 1);
    free(memory);
}

// ---------------------------------------------------------------------------------------------
// Jobs. An engine puts `task(context, i)` for all i into its own queue and waits until all are
// done; here each loop starts threads.

typedef struct loop
{
    pelt_task task;
    void* context;
    uint32_t count;
    atomic_uint next;
} loop;

static atomic_uint loop_count;

static void* work(void* user)
{
    loop* job = user;
    for (uint32_t i = atomic_fetch_add(&job->next, 1); i < job->count;
         i = atomic_fetch_add(&job->next, 1))
    {
        job->task(job->context, i);
    }
    return NULL;
}

static void run_loop(uint32_t count, pelt_task task, void* context, void* user)
{
    (void)user;
    loop job = {.task = task, .context = context, .count = count};
    pthread_t threads[WORKERS];
    int started = 0;
    atomic_fetch_add(&loop_count, 1);
    while (started < WORKERS && pthread_create(&threads[started], NULL, work, &job) == 0)
    {
        ++started;
    }
    work(&job); // the calling thread helps, and does all where no thread starts
    while (started > 0)
    {
        pthread_join(threads[--started], NULL);
    }
}

static void print_log(pelt_log_level level, const char* message, void* user)
{
    (void)user;
    fprintf(stderr, "%s: %s\n", level == PELT_LOG_WARNING ? "warning" : "info", message);
}

// A bug in this program: an engine stops in its debugger here.
static void stop(const char* condition, const char* file, int line, void* user)
{
    (void)user;
    fprintf(stderr, "%s:%d: %s\n", file, line, condition);
    exit(2);
}

int main(int argc, char** argv)
{
    heap counts = {0};
    const pelt_hooks hooks = {.allocate = take,
                              .release = give_back,
                              .memory_user = &counts,
                              .assert_failed = stop,
                              .log = print_log,
                              .run = run_loop};
    pelt_hooks_set(&hooks); // before anything else
    pelt_error error = {"usage: hooks INPUT"};
    pelt_scene* scene = NULL;
    pelt_result result = PELT_ERROR_ARGUMENT;
    if (argc == 2)
    {
        result = pelt_load(&scene, argv[1], NULL, &error);
    }
    if (result == PELT_OK)
    {
        result = pelt_scene_add_cors(scene, PELT_PREPARE_ALL, NULL, NULL, scene->arena, &error);
    }
    pelt_scene_destroy(scene);
    if (result != PELT_OK)
    {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%lld allocations, %lld blocks left, %u parallel loops\n", (long long)counts.calls,
           (long long)counts.blocks, (unsigned)loop_count);
    return 0;
}
