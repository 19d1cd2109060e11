// SPDX-License-Identifier: MIT
// Where everything goes in the texture: header, joints, clips and tables, then the keys. With keys
// of one size each key starts a row, so that x is the joint and y the key; keys that were packed by
// a budget follow each other without gaps.
#include "../base/exact.h"

#include "bake_layout.h"

#include <string.h>

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

// Places in words.
typedef struct places
{
    uint32_t joints, clips, runs, tables;
    uint64_t keys; // first word after the tables, at a row if has_rows
    uint64_t end;
} places;

static bool has_own_table(const pelti_run_keys* keys, uint32_t run)
{
    return run == 0 || keys[run].code != keys[run - 1].code;
}

// Vertices move without joints.
static uint32_t joints_in(const pelt_baked* baked)
{
    return baked->encoding == PELT_ENCODING_VERTEX ? 0 : baked->joint_count;
}

static places find_places(const pelt_baked* baked, const pelti_run_keys* keys, uint32_t run_count)
{
    places at = {.joints = PELTI_BAKE_HEADER_WORDS};
    at.clips = at.joints + PELTI_BAKE_JOINT_WORDS * joints_in(baked);
    at.runs = at.clips + PELTI_BAKE_CLIP_WORDS * baked->clip_count;
    at.tables = at.runs + PELTI_BAKE_RUN_WORDS * run_count;
    at.keys = at.tables;
    for (uint32_t i = 0; i < run_count; ++i)
    {
        at.keys += has_own_table(keys, i) ? keys[i].code->table_words : 0;
    }
    return at;
}

// The width that gives each key whole rows; several keys share one where rows would be too many.
static bool size_rows(pelt_baked* baked, places* at, pelt_baked_run* runs,
                      const pelti_run_keys* keys, uint32_t run_count, uint32_t max_size)
{
    uint32_t texel_words = pelt_texel_words(baked->texel);
    uint64_t widest = 1, key_count = 0;
    for (uint32_t i = 0; i < run_count; ++i)
    {
        uint64_t texels = divide_up(keys[i].code->key_words, texel_words);
        widest = texels > widest ? texels : widest;
        key_count += keys[i].key_count;
    }
    uint64_t rows = divide_up(widest, max_size), width = divide_up(widest, rows);
    uint64_t stride = rows * width * texel_words; // words of a key
    uint64_t per_row = 1;
    at->keys = divide_up(at->keys, width * texel_words) * width * texel_words;
    at->end = at->keys + key_count * stride;
    while (divide_up(at->end, per_row * width * texel_words) > max_size)
    {
        ++per_row;
    }
    baked->width = (uint32_t)(per_row * width);
    baked->height = (uint32_t)divide_up(at->end, (uint64_t)baked->width * texel_words);
    uint64_t place = at->keys;
    for (uint32_t i = 0; i < run_count; ++i)
    {
        runs[i].first_word = (uint32_t)place;
        runs[i].key_words = (uint32_t)stride;
        place += keys[i].key_count * stride;
    }
    return per_row * width <= max_size && at->end <= UINT32_MAX;
}

// As square as it gets.
static bool size_packed(pelt_baked* baked, places* at, pelt_baked_run* runs,
                        const pelti_run_keys* keys, uint32_t run_count, uint32_t max_size)
{
    uint64_t place = at->keys;
    for (uint32_t i = 0; i < run_count; ++i)
    {
        runs[i].first_word = (uint32_t)place;
        runs[i].key_words = keys[i].code->key_words;
        place += (uint64_t)keys[i].key_count * keys[i].code->key_words;
    }
    at->end = place;
    uint64_t texels = divide_up(place, pelt_texel_words(baked->texel)), width = 1;
    while (width * width < texels)
    {
        ++width;
    }
    baked->width = (uint32_t)width;
    baked->height = (uint32_t)divide_up(texels, width);
    return width <= max_size && at->end <= UINT32_MAX;
}

static void write_header(uint32_t* words, const pelt_baked* baked, const places* at)
{
    bool has_vertices = baked->encoding == PELT_ENCODING_VERTEX;
    words[0] = PELTI_BAKE_MAGIC;
    words[1] = PELTI_BAKE_VERSION;
    words[2] = has_vertices ? 1 : 0;
    words[3] = has_vertices ? baked->vertex_count : baked->joint_count;
    words[4] = has_vertices ? 0 : at->joints;
    words[5] = baked->clip_count;
    words[6] = at->clips;
    words[7] = pelti_float_word(baked->unit);
    words[8] = pelti_float_word(baked->stretch_unit);
    for (uint32_t i = 0; i < joints_in(baked); ++i)
    {
        uint32_t* entry = words + at->joints + (size_t)PELTI_BAKE_JOINT_WORDS * i;
        entry[0] = baked->joints[i].parent;
        entry[1] = pelti_float_word(baked->joints[i].pivot.x);
        entry[2] = pelti_float_word(baked->joints[i].pivot.y);
        entry[3] = pelti_float_word(baked->joints[i].pivot.z);
    }
    uint32_t run = at->runs;
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        const pelt_baked_clip* clip = &baked->clips[i];
        uint32_t* entry = words + at->clips + (size_t)PELTI_BAKE_CLIP_WORDS * i;
        entry[0] = run;
        entry[1] = clip->run_count;
        entry[2] = pelti_float_word(clip->duration);
        entry[3] = (clip->wraps ? (uint32_t)PELTI_CLIP_WRAPS : 0) |
                   (clip->loops ? (uint32_t)PELTI_CLIP_LOOPS : 0);
        run += PELTI_BAKE_RUN_WORDS * clip->run_count;
    }
}

static void write_run(uint32_t* words, const pelt_baked_run* run, uint32_t entry,
                      const pelti_run_keys* keys)
{
    const pelti_code* code = keys->code;
    uint32_t* own = words + entry;
    own[0] = pelti_float_word(run->start);
    own[1] = pelti_float_word(run->rate);
    own[2] = run->key_count;
    own[3] = run->first_word;
    own[4] = run->key_words;
    own[5] = run->table;
    own[6] = run->is_held ? PELTI_RUN_HELD : 0;
    memcpy(words + run->table, code->table, code->table_words * sizeof *words);
    for (uint32_t key = 0; key < keys->key_count; ++key)
    {
        memcpy(words + run->first_word + (size_t)key * run->key_words,
               code->keys + (size_t)(keys->first_key + key) * code->key_words,
               code->key_words * sizeof *words);
    }
}

pelt_result pelti_layout_refuse(uint64_t words, uint32_t max_size, pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                          "the animation takes %.1f MB, more than a texture of %u x %u texels "
                          "holds; bake fewer clips, at a lower rate, or allow a larger max_size "
                          "(--max-size)",
                          (double)words * 4e-6, max_size, max_size);
}

pelt_result pelti_layout_write(pelt_baked* inout, pelt_baked_run* runs, const pelti_run_keys* keys,
                               uint32_t run_count, bool has_rows, uint32_t max_size,
                               pelt_error* error)
{
    places at = find_places(inout, keys, run_count);
    bool fits = has_rows ? size_rows(inout, &at, runs, keys, run_count, max_size)
                         : size_packed(inout, &at, runs, keys, run_count, max_size);
    if (!fits)
    {
        return pelti_layout_refuse(at.end, max_size, error);
    }
    uint32_t* words = pelt_arena_alloc(
        inout->arena, (size_t)inout->width * inout->height * pelt_texel_words(inout->texel),
        sizeof *words);
    if (words == NULL)
    {
        return pelt_error_memory(error);
    }
    inout->words = words;
    write_header(words, inout, &at);
    uint32_t table = at.tables;
    for (uint32_t i = 0; i < run_count; ++i)
    {
        runs[i].table = has_own_table(keys, i) ? table : runs[i - 1].table;
        table += has_own_table(keys, i) ? keys[i].code->table_words : 0;
        write_run(words, &runs[i], at.runs + PELTI_BAKE_RUN_WORDS * i, &keys[i]);
    }
    return PELT_OK;
}
