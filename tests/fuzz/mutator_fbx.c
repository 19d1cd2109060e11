// SPDX-License-Identifier: MIT
// Binary FBX: one record is changed, left out or doubled, and all records say again where they end.
#include "mutator.h"

#include <stdlib.h>
#include <string.h>

enum
{
    HEADER_SIZE = 27,
    DEEPEST = 16,
};

typedef enum edit
{
    EDIT_VALUES,  // bytes of one value
    EDIT_REMOVE,  // the record is gone
    EDIT_REPEAT,  // it is there twice
    EDIT_REPLACE, // it is the one copied from elsewhere
} edit;

typedef struct editor
{
    const uint8_t* data;
    size_t size;
    uint32_t word; // bytes of an offset
    uint32_t next; // number of the record that comes next
    uint32_t target, other;
    edit what;
    size_t other_at; // of the record `other`; 0: not met yet
    uint64_t state;
    mutator_bytes* out; // NULL: only count
} editor;

typedef struct record
{
    size_t values, children, end; // where they begin
    uint64_t value_count;
    bool is_good;
} record;

static record read_record(const editor* e, size_t at, size_t end)
{
    size_t head = 3 * (size_t)e->word + 1;
    record r = {0};
    if (end - at < head)
    {
        return r;
    }
    r.end = (size_t)mutator_read(e->data + at, e->word);
    r.value_count = mutator_read(e->data + at + e->word, e->word);
    uint64_t value_size = mutator_read(e->data + at + 2 * e->word, e->word);
    r.values = at + head + e->data[at + head - 1];
    r.is_good = r.end <= end && r.values <= r.end && value_size <= r.end - r.values;
    r.children = r.is_good ? r.values + (size_t)value_size : 0;
    return r;
}

// ---------------------------------------------------------------------------------------------
// Values

// Bytes of a value after its type; 0: not known.
static size_t value_size(const uint8_t* at, size_t left)
{
    static const char types[] = "CBZYIFDL";
    static const uint8_t sizes[] = {1, 1, 1, 2, 4, 4, 8, 8};
    const char* found = at[0] != 0 ? strchr(types, at[0]) : NULL;
    if (found != NULL)
    {
        return sizes[found - types];
    }
    if (at[0] == 'S' || at[0] == 'R')
    {
        return left >= 5 ? 4 + (size_t)mutator_read(at + 1, 4) : 0;
    }
    static const char arrays[] = "bcilfd";
    static const uint8_t widths[] = {1, 1, 4, 8, 4, 8};
    found = at[0] != 0 ? strchr(arrays, at[0]) : NULL;
    if (found == NULL || left < 13)
    {
        return 0;
    }
    bool is_packed = mutator_read(at + 5, 4) == 1;
    return 12 + (size_t)(is_packed ? mutator_read(at + 9, 4)
                                   : mutator_read(at + 1, 4) * widths[found - arrays]);
}

static void put_changed_value(editor* e, const uint8_t* at, size_t size)
{
    size_t start = e->out->size;
    mutator_put(e->out, at, 1);
    if (at[0] == 'S' || at[0] == 'R')
    {
        mutator_put_number(e->out, 0, 4);
        mutator_put_changed(e->out, at + 5, size - 4);
    }
    else if (size > 12)
    {
        bool is_packed = mutator_read(at + 5, 4) == 1;
        mutator_put(e->out, at + 1, 12);
        is_packed ? mutator_put_repacked(e->out, at + 13, size - 12)
                  : mutator_put_changed(e->out, at + 13, size - 12);
    }
    else
    {
        mutator_put_changed(e->out, at + 1, size);
        e->out->size = e->out->is_full ? e->out->size : start + 1 + size;
        return;
    }
    // The length of the text, or of the stored array; the count of the array stays, right or wrong.
    size_t end = e->out->size,
           length_at = start + (size > 12 && strchr("SR", at[0]) == NULL ? 9 : 1);
    size_t body = length_at + 4;
    if (!e->out->is_full && end >= body)
    {
        e->out->size = length_at;
        mutator_put_number(e->out, end - body, 4);
        e->out->size = end;
    }
}

static void put_values(editor* e, const record* r, bool is_changed)
{
    uint32_t count = r->value_count < 1000 ? (uint32_t)r->value_count : 1000;
    uint32_t chosen = mutator_pick(&e->state, count + 1);
    size_t at = r->values;
    for (uint64_t i = 0; at < r->children; ++i)
    {
        size_t left = r->children - at, size = value_size(e->data + at, left);
        if (size == 0 || size >= left)
        {
            size = left - 1;
        }
        if (is_changed && i == chosen)
        {
            put_changed_value(e, e->data + at, size);
        }
        else
        {
            mutator_put(e->out, e->data + at, 1 + size);
        }
        at += 1 + size;
    }
}

// ---------------------------------------------------------------------------------------------
// Records

static void put_records(editor* e, size_t at, size_t end, uint32_t depth);

static void put_record(editor* e, size_t at, const record* r, bool is_changed, uint32_t depth)
{
    size_t start = e->out->size, head = 3 * (size_t)e->word;
    mutator_put(e->out, e->data + at, r->values - at);
    size_t values = e->out->size;
    put_values(e, r, is_changed);
    size_t value_bytes = e->out->size - values;
    put_records(e, r->children, r->end, depth + 1);
    size_t last = e->out->size;
    if (!e->out->is_full && last >= start + head)
    {
        e->out->size = start;
        mutator_put_number(e->out, last, e->word);
        mutator_put_number(e->out, r->value_count, e->word);
        mutator_put_number(e->out, value_bytes, e->word);
        e->out->size = last;
    }
}

static void put_edited(editor* e, size_t at, const record* r, uint32_t depth)
{
    uint32_t after = e->next;
    if (e->what == EDIT_REMOVE)
    {
        return;
    }
    if (e->what == EDIT_REPLACE && e->other_at != 0)
    {
        record other = read_record(e, e->other_at, e->size);
        put_record(e, e->other_at, &other, false, depth);
        return;
    }
    put_record(e, at, r, e->what == EDIT_VALUES, depth);
    if (e->what == EDIT_REPEAT)
    {
        e->next = after;
        put_record(e, at, r, false, depth);
    }
}

// Copy a list of records, or only count it, and edit the one that is meant.
static void put_records(editor* e, size_t at, size_t end, uint32_t depth)
{
    while (at < end)
    {
        record r = read_record(e, at, end);
        if (!r.is_good || r.end == 0 || depth > DEEPEST)
        {
            break;
        }
        uint32_t number = e->next++;
        e->other_at = number == e->other && e->out == NULL ? at : e->other_at;
        if (e->out == NULL)
        {
            put_records(e, r.children, r.end, depth + 1);
        }
        else if (number == e->target)
        {
            put_edited(e, at, &r, depth);
        }
        else
        {
            put_record(e, at, &r, false, depth);
        }
        at = r.end;
    }
    if (e->out != NULL)
    {
        // The empty record, and whatever follows the last one of all.
        mutator_put(e->out, e->data + at, end - at);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    editor e = {.data = data, .size = size, .state = seed};
    mutator_bytes out = {.data = malloc(max_size), .room = max_size};
    bool is_binary = size > HEADER_SIZE && memcmp(data, "Kaydara FBX Binary", 18) == 0;
    if (out.data == NULL || !is_binary || mutator_pick(&e.state, 8) == 0)
    {
        free(out.data);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    e.word = mutator_read(data + 23, 4) >= 7500 ? 8 : 4;
    put_records(&e, HEADER_SIZE, size, 0);
    uint32_t count = e.next;
    if (count > 0)
    {
        e.target = mutator_pick(&e.state, count);
        e.other = mutator_pick(&e.state, count);
        e.next = 0;
        put_records(&e, HEADER_SIZE, size, 0); // again, to find the offset of `other`
        uint32_t pick = mutator_pick(&e.state, 8);
        e.what = pick < 5 ? EDIT_VALUES : (edit)(pick - 4);
        e.next = 0;
        e.out = &out;
        mutator_put(&out, data, HEADER_SIZE);
        put_records(&e, HEADER_SIZE, size, 0);
    }
    if (count == 0 || out.is_full)
    {
        free(out.data);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    memcpy(data, out.data, out.size);
    free(out.data);
    return out.size;
}
