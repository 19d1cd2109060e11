// SPDX-License-Identifier: MIT
// GLB: the JSON or the buffer changes, and the lengths fit again.
#include "mutator.h"

#include <stdlib.h>
#include <string.h>

enum
{
    HEADER_SIZE = 20, // of the file and of its first chunk
};

// One number of the JSON becomes another: indices, counts and offsets are what a reader looks at
// most.
static void put_other_number(mutator_bytes* out, const uint8_t* json, size_t size, uint64_t* state)
{
    static const char* const numbers[] = {"0",  "1",     "2",   "3",          "4",    "7",   "8",
                                          "12", "16",    "255", "65535",      "-1",   "0.5", "1e38",
                                          "36", "65536", "100", "4294967295", "5121", "5123"};
    size_t start = size > 0 ? mutator_pick(state, (uint32_t)size) : 0;
    while (start < size && strchr("0123456789", json[start]) == NULL)
    {
        ++start;
    }
    size_t end = start;
    while (end < size && json[end] != '\0' && strchr("0123456789.eE+-", json[end]) != NULL)
    {
        ++end;
    }
    const char* number = numbers[mutator_pick(state, sizeof numbers / sizeof numbers[0])];
    mutator_put(out, json, start);
    mutator_put(out, number, start < size ? strlen(number) : 0);
    mutator_put(out, json + end, size - end);
}

// A float of the buffer becomes an extreme one, or another of the buffer.
static void put_other_float(mutator_bytes* out, const uint8_t* bytes, size_t size, uint64_t* state)
{
    static const uint32_t floats[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0x00000001,
                                      0x80000000, 0x3f800000, 0xbf800000, 0x00800000, 0x60000000};
    size_t start = out->size;
    mutator_put(out, bytes, size);
    if (size >= 4 && !out->is_full)
    {
        uint32_t last = (uint32_t)(size / 4), pick = mutator_pick(state, 16);
        const uint8_t* other = bytes + 4 * (size_t)mutator_pick(state, last);
        uint8_t* element = out->data + start + 4 * (size_t)mutator_pick(state, last);
        memcpy(element, pick < 10 ? (const uint8_t*)&floats[pick] : other, 4);
    }
}

static void put_json(mutator_bytes* out, const uint8_t* json, size_t size, uint64_t* state)
{
    size_t start = out->size;
    if (mutator_pick(state, 3) == 0)
    {
        mutator_put_changed(out, json, size);
    }
    else
    {
        put_other_number(out, json, size, state);
    }
    while ((out->size - start) % 4 != 0 && !out->is_full)
    {
        mutator_put(out, " ", 1);
    }
}

static void put_buffer(mutator_bytes* out, const uint8_t* bytes, size_t size, uint64_t* state)
{
    if (mutator_pick(state, 2) == 0)
    {
        mutator_put_changed(out, bytes, size);
    }
    else
    {
        put_other_float(out, bytes, size, state);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    uint64_t state = seed;
    bool is_glb = size > HEADER_SIZE && memcmp(data, "glTF", 4) == 0;
    size_t json_size = is_glb ? (size_t)mutator_read(data + 12, 4) : 0;
    mutator_bytes out = {.data = malloc(max_size), .room = max_size};
    if (out.data == NULL || !is_glb || json_size > size - HEADER_SIZE ||
        mutator_pick(&state, 8) == 0)
    {
        free(out.data);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    const uint8_t *json = data + HEADER_SIZE, *rest = json + json_size, *end = data + size;
    bool has_buffer = end - rest > 8;
    bool is_json = !has_buffer || mutator_pick(&state, 2) == 0;

    mutator_put(&out, data, HEADER_SIZE);
    is_json ? put_json(&out, json, json_size, &state) : mutator_put(&out, json, json_size);
    size_t json_end = out.size;
    if (has_buffer)
    {
        mutator_put(&out, rest, 8);
        is_json ? mutator_put(&out, rest + 8, (size_t)(end - rest) - 8)
                : put_buffer(&out, rest + 8, (size_t)(end - rest) - 8, &state);
    }
    if (!out.is_full)
    {
        size_t total = out.size;
        out.size = 8;
        mutator_put_number(&out, total, 4);
        mutator_put_number(&out, json_end - HEADER_SIZE, 4);
        out.size = json_end;
        if (has_buffer)
        {
            mutator_put_number(&out, total - json_end - 8, 4);
        }
        memcpy(data, out.data, total);
        size = total;
    }
    free(out.data);
    return size;
}
