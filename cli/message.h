// SPDX-License-Identifier: MIT
// Words for people, on stderr, and the exit codes that go with them.
#ifndef PELT_MESSAGE_H
#define PELT_MESSAGE_H

#include "pelt/pelt.h"

/// Exit codes of every command.
enum
{
    EXIT_DONE = 0,
    EXIT_USAGE = 1,
    EXIT_INPUT = 2,
    EXIT_UNSUPPORTED = 3,
    EXIT_WRITE = 4,
};

#if defined(__GNUC__)
#define MESSAGE_FORMAT __attribute__((format(printf, 1, 2)))
#else
#define MESSAGE_FORMAT
#endif

/// One line after "pelt: ".
MESSAGE_FORMAT void message_note(const char* format, ...);

/// A sentence about the command line. @return EXIT_USAGE
MESSAGE_FORMAT int message_usage(const char* format, ...);

/// The sentence of a library error. @return the exit code of its class; EXIT_DONE for PELT_OK
int message_error(pelt_result result, const pelt_error* error);

/// @return the exit code of running out of memory
int message_memory(void);

#endif
