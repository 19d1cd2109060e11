// SPDX-License-Identifier: MIT
// Words for people, on stderr.
#include "message.h"

#include "progress.h"
#include "terminal_text.h"

#include <stdarg.h>
#include <stdio.h>

static void print_line(const char* format, va_list arguments)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    terminal_text_clean(text);
    progress_clear();
    fprintf(stderr, "pelt: %s\n", text);
}

void message_note(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

int message_usage(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

static int exit_code(pelt_result result)
{
    switch (result)
    {
    case PELT_OK:
        return EXIT_DONE;
    case PELT_ERROR_ARGUMENT:
        return EXIT_USAGE;
    case PELT_ERROR_UNSUPPORTED:
        return EXIT_UNSUPPORTED;
    case PELT_ERROR_CANCELED: // no file was written, as with one that cannot be
    case PELT_ERROR_WRITE:
        return EXIT_WRITE;
    case PELT_ERROR_MEMORY: // the input is too large for this machine
    case PELT_ERROR_DATA:
    case PELT_ERROR_READ:
        break;
    }
    return EXIT_INPUT;
}

int message_error(pelt_result result, const pelt_error* error)
{
    if (result != PELT_OK)
    {
        message_note("%s", error->message);
    }
    return exit_code(result);
}

int message_memory(void)
{
    pelt_error error = {0};
    return message_error(pelt_error_memory(&error), &error);
}
