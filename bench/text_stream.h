// SPDX-License-Identifier: MIT
// A stdio stream that writes to memory.
#ifndef PELT_TEXT_STREAM_H
#define PELT_TEXT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/// Unlike open_memstream(), it reports lost output when out of memory. {0} is empty. It must not be
/// moved while it is open.
typedef struct text_stream
{
    FILE* stream; ///< write here; NULL: closed
    char* text;
    size_t size, capacity;
    bool is_out_of_memory;
} text_stream;

/// @return false when out of memory
bool text_stream_open(text_stream* out);

/// Complete the text. @return false when part of it was lost because memory ran out
bool text_stream_close(text_stream* inout);

void text_stream_free(text_stream* inout); ///< in any state; {0} afterwards

#endif
