// SPDX-License-Identifier: MIT
// Text on stderr: messages with their exit codes, and progress.
#ifndef PELT_TERMINAL_H
#define PELT_TERMINAL_H

#include "pelt/pelt.h"

// ---------------------------------------------------------------------------------------------
// Messages

/// Exit codes of every command.
enum
{
    EXIT_DONE = 0,
    EXIT_USAGE = 1,
    EXIT_INPUT = 2,
    EXIT_UNSUPPORTED = 3,
    EXIT_WRITE = 4,
};

/// Return the exit code of a call from the enclosing function, unless it is EXIT_DONE. As PELT_TRY.
#define TRY(call)                                                                                  \
    do                                                                                             \
    {                                                                                              \
        int try_code_ = (call);                                                                    \
        if (try_code_ != EXIT_DONE)                                                                \
            return try_code_;                                                                      \
    } while (0)

#if defined(__GNUC__)
#define MESSAGE_FORMAT __attribute__((format(printf, 1, 2)))
#else
#define MESSAGE_FORMAT
#endif

/// One line after "pelt: ".
MESSAGE_FORMAT void message_note(const char* format, ...);

/// The same once the command has succeeded: one that fails prints one sentence, the reason. What
/// does not fit into 64 kB of such lines is left out.
MESSAGE_FORMAT void message_note_later(const char* format, ...);
void message_print_later(void);

/// A sentence about the command line. @return EXIT_USAGE
MESSAGE_FORMAT int message_usage(const char* format, ...);

/// The sentence of a library error. @return the exit code of its class; EXIT_DONE for PELT_OK
int message_error(pelt_result result, const pelt_error* error);

/// @return the exit code of running out of memory
int message_memory(void);

/// The word that goes with a count: "mesh" for 1, else "meshes".
const char* message_plural(uint64_t count, const char* one, const char* many);

// ---------------------------------------------------------------------------------------------
// Progress: a line on stderr; silent unless stderr is a terminal

/// Name the job that begins; label must outlive it.
void progress_begin(const char* label);

/// End the job, if there is one, and begin another. @param label  NULL: no other
void progress_next(const char* label);

/// Report progress, from 0 to 1. The line also has the remaining time, if it can be estimated. Any
/// thread may call, one at a time.
void progress_show(float part);

/// The same, as the library calls it. @return true: go on
bool progress_part(float part, void* unused);

/// The job has ended: clear the line.
void progress_end(void);

/// The program is about to end by a signal: clear the line. A signal handler may call it.
void progress_interrupt(void);

// ---------------------------------------------------------------------------------------------
// Clean text
//
// Names come from files, and none of them may speak to the terminal: no control characters, no
// changes of writing direction, no line ends of other kinds, nothing that is not UTF-8.

/// Replace control characters and bytes that are not UTF-8 by '?'. The text becomes no longer. Line
/// ends are replaced too: the result is one line.
void terminal_text_clean(char* text);

/// The character that a text begins with, or the stray byte.
/// @param is_clean  whether terminal_text_clean() would leave it
/// @return its length in bytes
size_t terminal_letter(bool* is_clean, const char* text);

/// Cut a UTF-8 text to so many letters, the last of which is then '~'.
void terminal_text_cut(char* text, uint32_t letters);

/// Whether terminal_text_clean() would leave it as it is, apart from line ends.
bool terminal_text_is_clean(const char* text);

#endif
