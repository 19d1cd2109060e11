// SPDX-License-Identifier: MIT
// Text put together in memory by the functions of stdio.
#ifndef PELT_TEXT_STREAM_H
#define PELT_TEXT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/// Unlike open_memstream(), which drops what it finds no memory for and goes on, this one tells.
/// {0} holds nothing; it must not be moved while it is open.
typedef struct text_stream
{
    FILE* stream; ///< write here; NULL: closed
    char* text;
    size_t size, capacity;
    bool is_out_of_memory;
} text_stream;

/// @return false when out of memory
bool text_stream_open(text_stream* out);

/// Complete the text. @return false when part of it is lost for want of memory
bool text_stream_close(text_stream* inout);

void text_stream_free(text_stream* inout); ///< in any state; {0} afterwards

#endif
