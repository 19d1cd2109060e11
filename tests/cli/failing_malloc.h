// SPDX-License-Identifier: MIT
// How allocation_sweep asks failing_malloc for one run after another of a program that is loaded.
#ifndef FAILING_MALLOC_H
#define FAILING_MALLOC_H

/// Descriptors of the program that serves; report is also where it says what failed.
enum
{
    FAIL_REPORT = 9,
    FAIL_REQUESTS, ///< where it reads a fail_request for each run
    FAIL_ANSWERS,  ///< where it writes how the run ended, as of waitpid()
};

/// Exit code of a process that did not release all of its memory.
enum
{
    FAIL_EXIT_LEAK = 99
};

typedef struct fail_request
{
    unsigned long at, from; ///< as PELT_FAIL_AT and PELT_FAIL_FROM; 0: none
    unsigned patience;      ///< seconds
} fail_request;

#endif
