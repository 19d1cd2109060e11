// SPDX-License-Identifier: MIT
// Parallel loops and the hooks that carry them. These are the tests to run under ThreadSanitizer.
#include "base/thread.h"

#include "test.h"

#include <stdatomic.h>
#include <string.h>

enum
{
    MAX_COUNT = 5000
};

typedef struct visits
{
    atomic_uint seen[MAX_COUNT];
} visits;

static void visit(void* context, uint32_t index)
{
    visits* v = context;
    atomic_fetch_add(&v->seen[index], 1);
}

// Every index below count was visited exactly `times`, the others never.
static bool was_visited(const visits* v, uint32_t count, uint32_t times)
{
    for (uint32_t i = 0; i < MAX_COUNT; ++i)
    {
        if (atomic_load(&v->seen[i]) != (i < count ? times : 0))
        {
            return false;
        }
    }
    return true;
}

static int each_index_is_run_exactly_once(void)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 64, 1001, MAX_COUNT};
    static visits seen;
    for (uint32_t threads = 1; threads <= 5; ++threads)
    {
        pelt_pool* pool = pelt_pool_create(threads);
        for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        {
            memset(&seen, 0, sizeof seen);
            pelt_pool_run(counts[i], visit, &seen, pool);
            ENSURE(was_visited(&seen, counts[i], 1));
        }
        pelt_pool_destroy(pool);
    }
    return 0;
}

static int pool_has_the_threads_asked_for(void)
{
    for (uint32_t threads = 1; threads <= 4; ++threads)
    {
        pelt_pool* pool = pelt_pool_create(threads);
        ENSURE(pool != NULL && pelt_pool_thread_count(pool) == threads);
        pelt_pool_destroy(pool);
    }
    pelt_pool* pool = pelt_pool_create(0);
    ENSURE(pool != NULL && pelt_pool_thread_count(pool) >= 1);
    pelt_pool_destroy(pool);
    pelt_pool_destroy(NULL);
    return 0;
}

// A pool that is destroyed before its threads woke up once, many times over.
static int unused_pool_ends(void)
{
    for (int i = 0; i < 50; ++i)
    {
        pelt_pool_destroy(pelt_pool_create(3));
    }
    return 0;
}

// Plain memory written by one loop and read by the next: the end of a loop orders them.
static void add_one(void* context, uint32_t index)
{
    uint32_t* numbers = context;
    numbers[index] += 1;
}

static int loops_follow_one_another(void)
{
    uint32_t numbers[7] = {0};
    pelt_pool* pool = pelt_pool_create(4);
    for (uint32_t loop = 1; loop <= 3000; ++loop)
    {
        uint32_t count = loop % 7 + 1;
        uint32_t before = numbers[count - 1];
        pelt_pool_run(count, add_one, numbers, pool);
        ENSURE(numbers[count - 1] == before + 1);
    }
    pelt_pool_destroy(pool);
    // Loops of 1 to 7 one after another: index i takes part in 7 - i of 7.
    ENSURE(numbers[0] == 3000 && numbers[6] == 3000 / 7);
    return 0;
}

// Its address is another on every thread.
static _Thread_local char own_thread;

// Two tasks that wait for each other, so that each has a thread of its own; the worker's then
// takes its time. The loop ends when both are done, not when the caller's is.
typedef struct meeting
{
    const char* caller;
    atomic_uint arrived, done;
} meeting;

static void meet(void* context, uint32_t index)
{
    (void)index;
    meeting* m = context;
    atomic_fetch_add(&m->arrived, 1);
    while (atomic_load(&m->arrived) < 2)
    {
    }
    bool is_worker = &own_thread != m->caller;
    for (uint32_t i = 0; is_worker && i < 200000; ++i)
    {
        atomic_fetch_add(&m->arrived, 1);
    }
    atomic_fetch_add(&m->done, 1);
}

static int loop_ends_when_the_last_task_is_done(void)
{
    pelt_pool* pool = pelt_pool_create(2);
    ENSURE(pelt_pool_thread_count(pool) == 2);
    for (int i = 0; i < 10; ++i)
    {
        meeting m = {.caller = &own_thread};
        pelt_pool_run(2, meet, &m, pool);
        ENSURE(atomic_load(&m.done) == 2);
    }
    pelt_pool_destroy(pool);
    return 0;
}

typedef struct nest
{
    pelt_pool* pool;
    atomic_uint inner_runs, strangers;
} nest;

typedef struct inner_nest
{
    nest* outer;
    const char* thread;
} inner_nest;

static void run_inner(void* context, uint32_t index)
{
    (void)index;
    inner_nest* inner = context;
    atomic_fetch_add(&inner->outer->inner_runs, 1);
    atomic_fetch_add(&inner->outer->strangers, &own_thread != inner->thread);
}

static void run_outer(void* context, uint32_t index)
{
    (void)index;
    inner_nest inner = {context, &own_thread};
    pelt_pool_run(10, run_inner, &inner, inner.outer->pool);
}

static int loop_inside_a_task_runs_in_place(void)
{
    for (uint32_t threads = 1; threads <= 3; ++threads)
    {
        nest outer = {.pool = pelt_pool_create(threads)};
        pelt_pool_run(50, run_outer, &outer, outer.pool);
        pelt_pool_destroy(outer.pool);
        ENSURE(atomic_load(&outer.inner_runs) == 500);
        ENSURE(atomic_load(&outer.strangers) == 0);
    }
    return 0;
}

// Two callers; each task says whose it is while it runs, and looks for the other's.
typedef struct shared_pool
{
    pelt_pool* pool;
    atomic_uint active[2];
    atomic_uint runs, overlaps;
} shared_pool;

typedef struct caller
{
    shared_pool* shared;
    uint32_t index;
} caller;

static void run_alone(void* context, uint32_t index)
{
    (void)index;
    caller* c = context;
    atomic_fetch_add(&c->shared->active[c->index], 1);
    atomic_fetch_add(&c->shared->overlaps, atomic_load(&c->shared->active[1 - c->index]) > 0);
    atomic_fetch_add(&c->shared->runs, 1);
    atomic_fetch_sub(&c->shared->active[c->index], 1);
}

PELTI_THREAD_MAIN(call_many_times, context)
{
    caller* c = context;
    for (int i = 0; i < 300; ++i)
    {
        pelt_pool_run(20, run_alone, c, c->shared->pool);
    }
    return 0;
}

static int callers_alternate(void)
{
    shared_pool shared = {.pool = pelt_pool_create(3)};
    caller callers[2] = {{&shared, 0}, {&shared, 1}};
    pelti_thread other;
    ENSURE(pelti_thread_start(&other, call_many_times, &callers[1]));
    call_many_times(&callers[0]);
    pelti_thread_join(other);
    pelt_pool_destroy(shared.pool);
    ENSURE(atomic_load(&shared.runs) == 2 * 300 * 20);
    ENSURE(atomic_load(&shared.overlaps) == 0);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Hooks

typedef struct host
{
    uint32_t run_count, assert_count, allocated;
    int line;
    pelt_log_level level;
    char message[64];
} host;

static void run_backwards(uint32_t count, pelt_task task, void* context, void* user)
{
    ((host*)user)->run_count++;
    for (uint32_t i = count; i > 0; --i)
    {
        task(context, i - 1);
    }
}

static void note_assert(const char* condition, const char* file, int line, void* user)
{
    host* h = user;
    (void)file;
    h->assert_count++;
    h->line = line;
    snprintf(h->message, sizeof h->message, "%s", condition);
}

static void note_log(pelt_log_level level, const char* message, void* user)
{
    host* h = user;
    h->level = level;
    snprintf(h->message, sizeof h->message, "%s", message);
}

// The order in which tasks came.
typedef struct order
{
    uint32_t count, indices[8];
} order;

static void note_index(void* context, uint32_t index)
{
    order* o = context;
    o->indices[o->count++] = index;
}

static int host_runs_the_loops(void)
{
    host h = {0};
    order o = {0};
    pelt_hooks before = pelt_hooks_get();
    pelt_hooks_set(&(pelt_hooks){.run = run_backwards, .run_user = &h});
    pelt_run(5, note_index, &o);
    pelt_hooks_set(&before);
    ENSURE(h.run_count == 1 && o.count == 5 && o.indices[0] == 4 && o.indices[4] == 0);
    return 0;
}

static int pool_serves_as_hook(void)
{
    static visits seen;
    memset(&seen, 0, sizeof seen);
    pelt_hooks before = pelt_hooks_get();
    pelt_pool* pool = pelt_pool_create(3);
    pelt_hooks_set(&(pelt_hooks){.run = pelt_pool_run, .run_user = pool});
    pelt_run(100, visit, &seen);
    pelt_run(1, visit, &seen);
    pelt_run(0, visit, &seen);
    pelt_hooks_set(&before);
    pelt_pool_destroy(pool);
    ENSURE(atomic_load(&seen.seen[0]) == 2);
    atomic_store(&seen.seen[0], 1);
    ENSURE(was_visited(&seen, 100, 1));
    return 0;
}

static int hooks_reset_to_a_plain_loop(void)
{
    host h = {0};
    order o = {0};
    pelt_hooks before = pelt_hooks_get();
    pelt_hooks_set(
        &(pelt_hooks){.run = run_backwards, .run_user = &h, .log = note_log, .log_user = &h});
    pelt_hooks_set(&(pelt_hooks){0});
    pelt_hooks now = pelt_hooks_get();
    pelt_run(3, note_index, &o);
    pelt_log(PELT_LOG_WARNING, "nobody listens");
    pelt_hooks_set(&before);
    ENSURE(now.run == NULL && now.allocate == NULL && now.release == NULL && now.run_user == NULL &&
           now.log_user == NULL);
    ENSURE(now.log == NULL && now.assert_failed == NULL);
    ENSURE(h.run_count == 0 && h.message[0] == '\0');
    ENSURE(o.count == 3 && o.indices[0] == 0 && o.indices[1] == 1 && o.indices[2] == 2);
    return 0;
}

static int broken_contract_and_log_go_to_the_host(void)
{
    host asserts = {0}, logs = {0};
    pelt_hooks before = pelt_hooks_get();
    pelt_hooks_set(&(pelt_hooks){.assert_failed = note_assert, .assert_user = &asserts});
    PELT_ASSERT(asserts.assert_count == 0);
    PELT_ASSERT(asserts.assert_count == 7);
    pelt_hooks_set(&(pelt_hooks){.log = note_log, .log_user = &logs});
    pelt_log(PELT_LOG_WARNING, "%d of %s", 3, "five");
    pelt_hooks_set(&before);
    ENSURE(asserts.assert_count == 1 && asserts.line > 0);
    ENSURE(strcmp(asserts.message, "asserts.assert_count == 7") == 0);
    ENSURE(logs.level == PELT_LOG_WARNING && strcmp(logs.message, "3 of five") == 0);
    return 0;
}

static int error_sentence_is_cut_never_overrun(void)
{
    char words[2000];
    memset(words, 'x', sizeof words);
    words[sizeof words - 1] = '\0';
    pelt_error error;
    ENSURE(pelt_error_set(&error, PELT_ERROR_DATA, "%s", words) == PELT_ERROR_DATA);
    ENSURE(strlen(error.message) == sizeof error.message - 1);
    ENSURE(pelt_error_set(NULL, PELT_ERROR_READ, "%d", 1) == PELT_ERROR_READ);
    ENSURE(pelt_error_memory(&error) == PELT_ERROR_MEMORY && strstr(error.message, "memory"));
    return 0;
}

void test_pool(void)
{
    RUN(each_index_is_run_exactly_once);
    RUN(pool_has_the_threads_asked_for);
    RUN(unused_pool_ends);
    RUN(loops_follow_one_another);
    RUN(loop_ends_when_the_last_task_is_done);
    RUN(loop_inside_a_task_runs_in_place);
    RUN(callers_alternate);
    RUN(host_runs_the_loops);
    RUN(pool_serves_as_hook);
    RUN(hooks_reset_to_a_plain_loop);
    RUN(broken_contract_and_log_go_to_the_host);
    RUN(error_sentence_is_cut_never_overrun);
}
