// SPDX-License-Identifier: MIT
// A stdio stream that writes to memory.
#define _GNU_SOURCE // fopencookie()

#include "text_stream.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(text_stream* inout, size_t size)
{
    if (size <= inout->capacity - inout->size)
    {
        return true;
    }
    size_t capacity = 2 * (inout->size + size) + 1024;
    char* text = realloc(inout->text, capacity);
    if (text == NULL)
    {
        return false;
    }
    inout->text = text;
    inout->capacity = capacity;
    return true;
}

static ssize_t append(void* cookie, const char* bytes, size_t size)
{
    text_stream* inout = cookie;
    if (!reserve(inout, size))
    {
        inout->is_out_of_memory = true;
        return 0;
    }
    memcpy(inout->text + inout->size, bytes, size);
    inout->size += size;
    return (ssize_t)size;
}

bool text_stream_open(text_stream* out)
{
    *out = (text_stream){0};
    out->stream = fopencookie(out, "w", (cookie_io_functions_t){.write = append});
    return out->stream != NULL;
}

bool text_stream_close(text_stream* inout)
{
    bool is_closed = fclose(inout->stream) == 0;
    inout->stream = NULL;
    return is_closed && !inout->is_out_of_memory;
}

void text_stream_free(text_stream* inout)
{
    if (inout->stream != NULL)
    {
        fclose(inout->stream);
    }
    free(inout->text);
    *inout = (text_stream){0};
}
