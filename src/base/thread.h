// SPDX-License-Identifier: MIT
// The system calls of the thread pool. WebAssembly has no threads: none starts there, and a pool
// runs its loops on the calling thread.
#ifndef PELTI_THREAD_H
#define PELTI_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <float.h>
#include <windows.h>

typedef HANDLE pelti_thread;
typedef SRWLOCK pelti_mutex;
typedef CONDITION_VARIABLE pelti_condition;

/// Begins a function that a thread runs; it ends with `return 0`.
#define PELTI_THREAD_MAIN(name, argument) static DWORD WINAPI name(void* argument)

static inline bool pelti_thread_start(pelti_thread* out, LPTHREAD_START_ROUTINE run, void* argument)
{
    *out = CreateThread(NULL, 0, run, argument, 0, NULL);
    return *out != NULL;
}

/// The first call of a thread: sets the floating-point state of the main thread. The system starts
/// threads with 53-bit x87 precision where mingw's start-up code sets 64 bits, which changes
/// results of exp().
static inline void pelti_thread_begin(void)
{
    _fpreset();
}

static inline void pelti_thread_join(pelti_thread thread)
{
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

static inline void pelti_mutex_init(pelti_mutex* mutex)
{
    InitializeSRWLock(mutex);
}

static inline void pelti_mutex_destroy(pelti_mutex* mutex)
{
    (void)mutex; // the system keeps nothing for it
}

static inline void pelti_mutex_lock(pelti_mutex* mutex)
{
    AcquireSRWLockExclusive(mutex);
}

static inline void pelti_mutex_unlock(pelti_mutex* mutex)
{
    ReleaseSRWLockExclusive(mutex);
}

static inline void pelti_condition_init(pelti_condition* condition)
{
    InitializeConditionVariable(condition);
}

static inline void pelti_condition_destroy(pelti_condition* condition)
{
    (void)condition; // the system keeps nothing for it
}

static inline void pelti_condition_wait(pelti_condition* condition, pelti_mutex* mutex)
{
    SleepConditionVariableSRW(condition, mutex, INFINITE, 0);
}

static inline void pelti_condition_signal(pelti_condition* condition)
{
    WakeConditionVariable(condition);
}

static inline void pelti_condition_broadcast(pelti_condition* condition)
{
    WakeAllConditionVariable(condition);
}

static inline uint32_t pelti_core_count(void)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwNumberOfProcessors > 0 ? (uint32_t)system.dwNumberOfProcessors : 1;
}

#elif defined(__wasi__)

typedef char pelti_thread;
typedef char pelti_mutex;
typedef char pelti_condition;

/// Begins a function that a thread runs; it ends with `return 0`.
#define PELTI_THREAD_MAIN(name, argument) static void* name(void* argument)

static inline bool pelti_thread_start(pelti_thread* out, void* (*run)(void*), void* argument)
{
    (void)out, (void)run, (void)argument;
    return false;
}

static inline void pelti_thread_begin(void)
{
}

static inline void pelti_thread_join(pelti_thread thread)
{
    (void)thread;
}

static inline void pelti_mutex_init(pelti_mutex* mutex)
{
    *mutex = 0;
}

static inline void pelti_mutex_destroy(pelti_mutex* mutex)
{
    (void)mutex;
}

static inline void pelti_mutex_lock(pelti_mutex* mutex)
{
    (void)mutex;
}

static inline void pelti_mutex_unlock(pelti_mutex* mutex)
{
    (void)mutex;
}

static inline void pelti_condition_init(pelti_condition* condition)
{
    *condition = 0;
}

static inline void pelti_condition_destroy(pelti_condition* condition)
{
    (void)condition;
}

static inline void pelti_condition_wait(pelti_condition* condition, pelti_mutex* mutex)
{
    (void)condition, (void)mutex;
}

static inline void pelti_condition_signal(pelti_condition* condition)
{
    (void)condition;
}

static inline void pelti_condition_broadcast(pelti_condition* condition)
{
    (void)condition;
}

static inline uint32_t pelti_core_count(void)
{
    return 1;
}

#else

#include <pthread.h>
#include <unistd.h>

typedef pthread_t pelti_thread;
typedef pthread_mutex_t pelti_mutex;
typedef pthread_cond_t pelti_condition;

/// Begins a function that a thread runs; it ends with `return 0`.
#define PELTI_THREAD_MAIN(name, argument) static void* name(void* argument)

static inline bool pelti_thread_start(pelti_thread* out, void* (*run)(void*), void* argument)
{
    return pthread_create(out, NULL, run, argument) == 0;
}

static inline void pelti_thread_begin(void)
{
}

static inline void pelti_thread_join(pelti_thread thread)
{
    pthread_join(thread, NULL);
}

static inline void pelti_mutex_init(pelti_mutex* mutex)
{
    pthread_mutex_init(mutex, NULL);
}

static inline void pelti_mutex_destroy(pelti_mutex* mutex)
{
    pthread_mutex_destroy(mutex);
}

static inline void pelti_mutex_lock(pelti_mutex* mutex)
{
    pthread_mutex_lock(mutex);
}

static inline void pelti_mutex_unlock(pelti_mutex* mutex)
{
    pthread_mutex_unlock(mutex);
}

static inline void pelti_condition_init(pelti_condition* condition)
{
    pthread_cond_init(condition, NULL);
}

static inline void pelti_condition_destroy(pelti_condition* condition)
{
    pthread_cond_destroy(condition);
}

static inline void pelti_condition_wait(pelti_condition* condition, pelti_mutex* mutex)
{
    pthread_cond_wait(condition, mutex);
}

static inline void pelti_condition_signal(pelti_condition* condition)
{
    pthread_cond_signal(condition);
}

static inline void pelti_condition_broadcast(pelti_condition* condition)
{
    pthread_cond_broadcast(condition);
}

static inline uint32_t pelti_core_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

#endif

#endif
