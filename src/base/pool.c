// SPDX-License-Identifier: MIT
// A thread pool that runs one loop at a time: the threads take indices from a shared counter.
#include "../../include/pelt/pelt.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum
{
    MAX_THREADS = 256
};

struct pelt_pool
{
    pthread_mutex_t loop_mutex; // held for the length of a loop: callers take turns
    pthread_mutex_t mutex;      // guards everything below but `next`
    pthread_cond_t work_ready, work_done;
    uint32_t loop; // number of the current loop, so that a thread joins each once
    uint32_t busy_count;
    uint32_t worker_count;
    bool is_stopping;

    uint32_t count;
    pelt_task task;
    void* context;
    atomic_uint next;
    pthread_t workers[MAX_THREADS];
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

static void* worker_main(void* argument)
{
    pelt_pool* pool = argument;
    uint32_t seen_loop = 0;

    pthread_mutex_lock(&pool->mutex);
    for (;;)
    {
        while (!pool->is_stopping && pool->loop == seen_loop)
        {
            pthread_cond_wait(&pool->work_ready, &pool->mutex);
        }
        if (pool->is_stopping)
        {
            break;
        }
        seen_loop = pool->loop;
        pthread_mutex_unlock(&pool->mutex);

        work(pool);

        pthread_mutex_lock(&pool->mutex);
        if (--pool->busy_count == 0)
        {
            pthread_cond_signal(&pool->work_done);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static uint32_t core_count(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint32_t)n : 1;
}

pelt_pool* pelt_pool_create(uint32_t thread_count)
{
    pelt_pool* pool = pelt_allocate(1, sizeof *pool);
    if (pool == NULL)
    {
        return NULL;
    }
    *pool = (pelt_pool){0};
    pthread_mutex_init(&pool->loop_mutex, NULL);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work_ready, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    atomic_init(&pool->next, 0);

    uint32_t wanted = (thread_count > 0 ? thread_count : core_count()) - 1;
    wanted = wanted < MAX_THREADS ? wanted : MAX_THREADS;
    for (uint32_t i = 0; i < wanted; ++i)
    {
        if (pthread_create(&pool->workers[i], NULL, worker_main, pool) != 0)
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
    pthread_mutex_lock(&pool->mutex);
    pool->is_stopping = true;
    pthread_cond_broadcast(&pool->work_ready);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->worker_count; ++i)
    {
        pthread_join(pool->workers[i], NULL);
    }
    pthread_cond_destroy(&pool->work_done);
    pthread_cond_destroy(&pool->work_ready);
    pthread_mutex_destroy(&pool->mutex);
    pthread_mutex_destroy(&pool->loop_mutex);
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

    pthread_mutex_lock(&pool->loop_mutex);
    pthread_mutex_lock(&pool->mutex);
    pool->count = count;
    pool->task = task;
    pool->context = context;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->busy_count = pool->worker_count;
    pool->loop++;
    pthread_cond_broadcast(&pool->work_ready);
    pthread_mutex_unlock(&pool->mutex);

    work(pool);

    pthread_mutex_lock(&pool->mutex);
    while (pool->busy_count > 0)
    {
        pthread_cond_wait(&pool->work_done, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    pthread_mutex_unlock(&pool->loop_mutex);
}
