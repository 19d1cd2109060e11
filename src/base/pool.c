// SPDX-License-Identifier: MIT
// A thread pool that runs one loop at a time: the threads take indices from a shared counter.
#include "../../include/pelt/pelt.h"

#include "thread.h"

#include <stdatomic.h>

enum
{
    MAX_THREADS = 256
};

struct pelt_pool
{
    pelti_mutex loop_mutex; // held during a loop: other callers wait
    pelti_mutex mutex;      // guards everything below but `next`
    pelti_condition work_ready, work_done;
    uint32_t loop;       // number of the current loop, so that a thread joins each once
    bool is_open;        // the current loop may have indices left: threads join it
    uint32_t busy_count; // of those that have joined
    uint32_t worker_count;
    bool is_stopping;

    uint32_t count;
    pelt_task task;
    void* context;
    atomic_uint next;
    pelti_thread workers[MAX_THREADS];
};

// Set while a thread works on a loop: a loop inside a task then runs in place.
static _Thread_local bool is_inside_loop;

static void work(pelt_pool* pool)
{
    is_inside_loop = true;
    for (;;)
    {
        uint32_t i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (i >= pool->count)
        {
            break;
        }
        pool->task(pool->context, i);
    }
    is_inside_loop = false;
}

PELTI_THREAD_MAIN(worker_main, argument)
{
    pelt_pool* pool = argument;
    uint32_t seen_loop = 0;

    pelti_thread_begin();
    pelti_mutex_lock(&pool->mutex);
    for (;;)
    {
        while (!pool->is_stopping && pool->loop == seen_loop)
        {
            pelti_condition_wait(&pool->work_ready, &pool->mutex);
        }
        if (pool->is_stopping)
        {
            break;
        }
        seen_loop = pool->loop;
        if (!pool->is_open)
        {
            continue; // it has ended before this thread woke up
        }
        ++pool->busy_count;
        pelti_mutex_unlock(&pool->mutex);

        work(pool);

        pelti_mutex_lock(&pool->mutex);
        if (--pool->busy_count == 0)
        {
            pelti_condition_signal(&pool->work_done);
        }
    }
    pelti_mutex_unlock(&pool->mutex);
    return 0;
}

pelt_pool* pelt_pool_create(uint32_t thread_count)
{
    pelt_pool* pool = pelt_allocate(1, sizeof *pool);
    if (pool == NULL)
    {
        return NULL;
    }
    *pool = (pelt_pool){0};
    pelti_mutex_init(&pool->loop_mutex);
    pelti_mutex_init(&pool->mutex);
    pelti_condition_init(&pool->work_ready);
    pelti_condition_init(&pool->work_done);
    atomic_init(&pool->next, 0);

    uint32_t wanted = (thread_count > 0 ? thread_count : pelti_core_count()) - 1;
    wanted = wanted < MAX_THREADS ? wanted : MAX_THREADS;
    for (uint32_t i = 0; i < wanted; ++i)
    {
        if (!pelti_thread_start(&pool->workers[i], worker_main, pool))
        {
            pelt_log(PELT_LOG_WARNING, "only %u of %u threads could be started", i + 1, wanted + 1);
            break;
        }
        pool->worker_count = i + 1;
    }
    return pool;
}

void pelt_pool_destroy(pelt_pool* pool)
{
    if (pool == NULL)
    {
        return;
    }
    pelti_mutex_lock(&pool->mutex);
    pool->is_stopping = true;
    pelti_condition_broadcast(&pool->work_ready);
    pelti_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->worker_count; ++i)
    {
        pelti_thread_join(pool->workers[i]);
    }
    pelti_condition_destroy(&pool->work_done);
    pelti_condition_destroy(&pool->work_ready);
    pelti_mutex_destroy(&pool->mutex);
    pelti_mutex_destroy(&pool->loop_mutex);
    pelt_release(pool);
}

uint32_t pelt_pool_thread_count(const pelt_pool* pool)
{
    return pool->worker_count + 1;
}

static void run_in_place(uint32_t count, pelt_task task, void* context)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        task(context, i);
    }
}

void pelt_pool_run(uint32_t count, pelt_task task, void* context, void* user)
{
    pelt_pool* pool = user;
    if (is_inside_loop || pool->worker_count == 0)
    {
        run_in_place(count, task, context);
        return;
    }

    pelti_mutex_lock(&pool->loop_mutex);
    pelti_mutex_lock(&pool->mutex);
    pool->count = count;
    pool->task = task;
    pool->context = context;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->is_open = true;
    pool->loop++;
    pelti_condition_broadcast(&pool->work_ready);
    pelti_mutex_unlock(&pool->mutex);

    work(pool);

    // A short loop has ended before others wake up: they are not waited for.
    pelti_mutex_lock(&pool->mutex);
    pool->is_open = false;
    while (pool->busy_count > 0)
    {
        pelti_condition_wait(&pool->work_done, &pool->mutex);
    }
    pelti_mutex_unlock(&pool->mutex);
    pelti_mutex_unlock(&pool->loop_mutex);
}
