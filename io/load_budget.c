// SPDX-License-Identifier: MIT
// Limits grow with the file, so that honest files of any size pass: measured ones take less than 6
// times their bytes and one element for each.
#include "load_budget.h"

enum
{
    MEMORY_BASE = 96 << 20,
    // Primitives of a glTF that share one large array take as many as they are.
    MEMORY_PER_BYTE = 256,
    ELEMENTS_BASE = 1 << 22,
    ELEMENTS_PER_BYTE = 64,
    DEPTH = 256,
    DEEPEST = 1024, // readers call themselves for each level
    SECONDS_BASE = 8,
    BYTES_PER_SECOND = 1 << 20,
    TELL_EVERY = 1 << 18, // elements; some milliseconds
};

// What the caller leaves open, for files of so many bytes together.
static pelt_load_limits fill_limits(pelt_load_limits limits, size_t file_size)
{
    if (limits.memory == 0)
    {
        bool is_countable = file_size < (SIZE_MAX - MEMORY_BASE) / MEMORY_PER_BYTE;
        limits.memory = is_countable ? MEMORY_BASE + MEMORY_PER_BYTE * file_size : SIZE_MAX;
    }
    if (limits.elements == 0)
    {
        limits.elements = ELEMENTS_BASE + ELEMENTS_PER_BYTE * (uint64_t)file_size;
    }
    if (limits.seconds == 0)
    {
        uint64_t seconds = SECONDS_BASE + (uint64_t)file_size / BYTES_PER_SECOND;
        limits.seconds = seconds < INT32_MAX ? (uint32_t)seconds : INT32_MAX;
    }
    limits.depth = limits.depth == 0 ? DEPTH : limits.depth < DEEPEST ? limits.depth : DEEPEST;
    return limits;
}

void pelti_load_start(pelti_load_budget* out, const pelt_load_options* options, size_t file_size)
{
    *out = (pelti_load_budget){.file_size = file_size, .until_told = TELL_EVERY};
    out->options = options != NULL ? *options : (pelt_load_options){0};
    out->limits = fill_limits(out->options.limits, file_size);
    out->memory.left = out->limits.memory;
    out->elements = out->limits.elements;
}

void pelti_load_grow(pelti_load_budget* inout, size_t file_size)
{
    inout->file_size += file_size;
    pelt_load_limits grown = fill_limits(inout->options.limits, inout->file_size);
    inout->memory.left += grown.memory - inout->limits.memory;
    inout->elements += grown.elements - inout->limits.elements;
    inout->limits = grown;
}

pelt_result pelti_load_tell(pelti_load_budget* inout, float part, const char* path,
                            pelt_error* error)
{
    inout->until_told = TELL_EVERY;
    inout->part = part > inout->part ? part : inout->part;
    const pelt_load_options* options = &inout->options;
    return options->progress == NULL || options->progress(inout->part, options->user)
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_CANCELED, "reading %s was canceled", path);
}

pelt_result pelti_load_charge(pelti_load_budget* inout, uint64_t elements, const char* path,
                              pelt_error* error)
{
    if (elements > inout->elements)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "%s: takes more work than a file of %zu bytes should", path,
                              inout->file_size);
    }
    inout->elements -= elements;
    if (elements < inout->until_told)
    {
        inout->until_told -= elements;
        return PELT_OK;
    }
    return pelti_load_tell(inout, inout->part, path, error);
}

pelt_result pelti_load_fail_memory(const pelti_load_budget* budget, const char* path,
                                   pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_DATA,
                          "%s: takes more than %zu MB of memory, the limit for a file of %zu bytes",
                          path, budget->limits.memory >> 20, budget->file_size);
}

pelt_result pelti_load_finish(const pelti_load_budget* budget, pelt_result result, const char* path,
                              pelt_error* error)
{
    return result == PELT_ERROR_MEMORY && budget->memory.is_exceeded
               ? pelti_load_fail_memory(budget, path, error)
               : result;
}
