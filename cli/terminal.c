// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "terminal.h"

#include "clock.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------
// Clean text

// One character of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing past U+10FFFF.
// @return its length in bytes; 0 when there is none
static int decode(uint32_t* out, const char* text)
{
    const unsigned char* bytes = (const unsigned char*)text;
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = bytes[0] < 0x80             ? 1
                 : (bytes[0] & 0xe0) == 0xc0 ? 2
                 : (bytes[0] & 0xf0) == 0xe0 ? 3
                 : (bytes[0] & 0xf8) == 0xf0 ? 4
                                             : 0;
    *out = length < 2 ? bytes[0] : bytes[0] & (0x7fu >> length);
    for (int i = 1; i < length; ++i)
    {
        if ((bytes[i] & 0xc0) != 0x80) // the final zero among others
        {
            return 0;
        }
        *out = *out << 6 | (bytes[i] & 0x3fu);
    }
    bool is_surrogate = *out >= 0xd800 && *out <= 0xdfff;
    return length > 0 && *out >= smallest[length] && *out <= 0x10ffff && !is_surrogate ? length : 0;
}

static bool is_letter(uint32_t c)
{
    bool is_control = c < 0x20 || (c >= 0x7f && c <= 0x9f);
    bool is_line_end = c == 0x2028 || c == 0x2029;
    // Unicode, "Bidirectional Algorithm", table 4: marks, embeddings, overrides and isolates.
    bool is_direction = c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
                        (c >= 0x2066 && c <= 0x2069);
    return !is_control && !is_line_end && !is_direction;
}

size_t terminal_letter(bool* is_clean, const char* text)
{
    uint32_t c;
    int length = decode(&c, text);
    *is_clean = length > 0 && is_letter(c);
    return length > 0 ? (size_t)length : 1;
}

void terminal_text_clean(char* text)
{
    char* out = text;
    while (*text != '\0')
    {
        bool is_clean;
        size_t length = terminal_letter(&is_clean, text);
        if (!is_clean)
        {
            *out++ = '?';
            text += length;
            continue;
        }
        for (size_t i = 0; i < length; ++i)
        {
            *out++ = *text++;
        }
    }
    *out = '\0';
}

void terminal_text_cut(char* text, uint32_t letters)
{
    char* last = text;
    for (uint32_t count = 0; *text != '\0'; ++text)
    {
        bool is_letter = ((unsigned char)*text & 0xc0) != 0x80;
        count += is_letter;
        last = is_letter && count == letters ? text : last;
        if (count > letters)
        {
            last[0] = '~';
            last[1] = '\0';
            return;
        }
    }
}

bool terminal_text_is_clean(const char* text)
{
    while (*text != '\0')
    {
        uint32_t c;
        int length = decode(&c, text);
        if (length == 0 || !(is_letter(c) || c == '\n'))
        {
            return false;
        }
        text += length;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Progress

static struct
{
    const char* label; // NULL: no job, nothing to show
    volatile sig_atomic_t is_shown;
    double start_time; // seconds
    double next_time;  // when the line may change again
} state;

void progress_begin(const char* label)
{
    state.label = isatty(STDERR_FILENO) ? label : NULL;
    // A job that ends at once must not flicker.
    state.start_time = clock_seconds();
    state.next_time = state.start_time + 0.5;
}

// ", about 12 s left", from the progress so far; empty while that is not reliable.
static void describe_rest(char out[64], double seconds, float part)
{
    out[0] = '\0';
    double left = seconds / (double)part * (1.0 - (double)part);
    if (seconds >= 1.0 && part >= 0.02f && left < 360000.0)
    {
        bool is_long = left >= 90.0;
        snprintf(out, 64, ", about %.0f %s left", ceil(is_long ? left / 60.0 : left),
                 is_long ? "min" : "s");
    }
}

void progress_next(const char* label)
{
    progress_end();
    if (label != NULL)
    {
        progress_begin(label);
    }
}

void progress_show(float part)
{
    double now = state.label != NULL ? clock_seconds() : 0.0;
    if (state.label == NULL || now < state.next_time)
    {
        return;
    }
    state.next_time = now + 0.1;
    state.is_shown = true;
    // Estimates may run ahead of the work; 100 would mean that it is over.
    unsigned percent = part < 0.99f ? (unsigned)(100.0f * part) : 99;
    char rest[64];
    describe_rest(rest, now - state.start_time, part);
    fprintf(stderr, "\rpelt: %s %3u %%%s\033[K", state.label, percent, rest);
    fflush(stderr);
}

bool progress_part(float part, void* unused)
{
    (void)unused;
    progress_show(part);
    return true;
}

// Make room for another line.
static void clear_progress(void)
{
    if (state.is_shown)
    {
        fputs("\r\033[K", stderr);
        state.is_shown = false;
    }
}

void progress_interrupt(void)
{
    static const char clear[] = "\r\033[K";
    if (state.is_shown && write(STDERR_FILENO, clear, sizeof clear - 1) < 0)
    {
        return; // not a terminal
    }
}

void progress_end(void)
{
    clear_progress();
    state.label = NULL;
}

// ---------------------------------------------------------------------------------------------
// Messages

static void print_line(const char* format, va_list arguments)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    terminal_text_clean(text);
    clear_progress();
    fprintf(stderr, "pelt: %s\n", text);
}

void message_note(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

static char later[64 << 10]; // lines, each with a final zero
static size_t later_size;

void message_note_later(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof later - later_size;
    int length = vsnprintf(later + later_size, room, format, arguments);
    va_end(arguments);
    later_size += length >= 0 && (size_t)length < room ? (size_t)length + 1 : 0;
}

void message_print_later(void)
{
    for (const char* line = later; line < later + later_size; line += strlen(line) + 1)
    {
        message_note("%s", line);
    }
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

const char* message_plural(uint64_t count, const char* one, const char* many)
{
    return count == 1 ? one : many;
}

int message_memory(void)
{
    pelt_error error = {0};
    return message_error(pelt_error_memory(&error), &error);
}
