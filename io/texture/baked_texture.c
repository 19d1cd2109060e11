// SPDX-License-Identifier: MIT
// The texture of a bake, compared word by word with the JSON file next to it:
// docs/texture_format.md says what the words are.
#include "baked_file.h"

#include <inttypes.h>
#include <string.h>

enum
{
    MAGIC = 0x544C4550, // "PELT"
    VERSION = 1,
    HEADER_WORDS = 12,
    JOINT_WORDS = 4,
    CLIP_WORDS = 4,
    RUN_WORDS = 8,
};

typedef struct word_check
{
    pelti_baked_reader* r;
    const uint32_t* words;
    uint64_t count;
} word_check;

static pelt_result fail_word(const word_check* c, const pelti_json_path* at, uint64_t word,
                             const char* said, const char* found)
{
    return pelti_gltf_fail(&c->r->g, at, "this is %s, and word %" PRIu64 " of the texture says %s",
                           said, word, found);
}

static pelt_result check_integer(const word_check* c, const pelti_json_path* at, uint64_t word,
                                 uint32_t value)
{
    char said[16], found[16];
    if (c->words[word] == value)
    {
        return PELT_OK;
    }
    snprintf(said, sizeof said, "%u", value);
    snprintf(found, sizeof found, "%u", c->words[word]);
    return fail_word(c, at, word, said, found);
}

static pelt_result check_float(const word_check* c, const pelti_json_path* at, uint64_t word,
                               float value)
{
    char said[32], found[32];
    float stored;
    memcpy(&stored, &c->words[word], sizeof stored);
    if (stored == value)
    {
        return PELT_OK;
    }
    snprintf(said, sizeof said, "%.9g", (double)value);
    snprintf(found, sizeof found, "%.9g", (double)stored);
    return fail_word(c, at, word, said, found);
}

// Whether a table lies inside the texture.
static pelt_result check_table(const word_check* c, const pelti_json_path* at, uint32_t first,
                               uint64_t words)
{
    return first <= c->count && words <= c->count - first
               ? PELT_OK
               : pelti_gltf_fail(&c->r->g, at,
                                 "the texture has these from word %u on, and %" PRIu64
                                 " words in all",
                                 first, c->count);
}

// ---------------------------------------------------------------------------------------------

static pelt_result check_joints(const word_check* c)
{
    const pelt_baked* baked = c->r->baked;
    const pelti_json_path list = {.member = "joints"};
    uint64_t at = c->words[4];
    pelt_result result =
        check_table(c, &list, c->words[4], (uint64_t)baked->joint_count * JOINT_WORDS);
    for (uint32_t i = 0; i < baked->joint_count && result == PELT_OK; ++i, at += JOINT_WORDS)
    {
        const pelt_baked_joint* joint = &baked->joints[i];
        pelti_json_path here = pelti_json_element(&list, i);
        pelti_json_path parent = pelti_json_member(&here, "parent");
        pelti_json_path pivot = pelti_json_member(&here, "pivot");
        const float values[3] = {joint->pivot.x, joint->pivot.y, joint->pivot.z};
        result = check_integer(c, &parent, at, joint->parent);
        for (uint32_t k = 0; k < 3 && result == PELT_OK; ++k)
        {
            result = check_float(c, &pivot, at + 1 + k, values[k]);
        }
    }
    return result;
}

static pelt_result check_run(const word_check* c, const pelt_baked_run* run, uint64_t word,
                             const pelti_json_path* at)
{
    const struct
    {
        const char* member;
        uint32_t value;
    } integers[] = {{"keys", run->key_count},
                    {"first_word", run->first_word},
                    {"key_words", run->key_words},
                    {"table", run->table},
                    {"held", run->is_held ? 1 : 0}};
    pelti_json_path start = pelti_json_member(at, "start"), rate = pelti_json_member(at, "rate");
    PELT_TRY(check_float(c, &start, word, run->start));
    PELT_TRY(check_float(c, &rate, word + 1, run->rate));
    for (uint32_t i = 0; i < 5; ++i)
    {
        pelti_json_path here = pelti_json_member(at, integers[i].member);
        PELT_TRY(check_integer(c, &here, word + 2 + i, integers[i].value));
    }
    return PELT_OK;
}

static pelt_result check_clip(const word_check* c, const pelt_baked_clip* clip, uint64_t word,
                              const pelti_json_path* at)
{
    pelti_json_path runs = pelti_json_member(at, "runs");
    pelti_json_path duration = pelti_json_member(at, "duration");
    pelti_json_path loops = pelti_json_member(at, "loops");
    uint32_t flags = (clip->wraps ? 1u : 0u) | (clip->loops ? 2u : 0u);
    uint64_t first = c->words[word];
    PELT_TRY(check_table(c, &runs, c->words[word], (uint64_t)clip->run_count * RUN_WORDS));
    PELT_TRY(check_integer(c, &runs, word + 1, clip->run_count));
    PELT_TRY(check_float(c, &duration, word + 2, clip->duration));
    PELT_TRY(check_integer(c, &loops, word + 3, flags));
    for (uint32_t i = 0; i < clip->run_count; ++i)
    {
        pelti_json_path here = pelti_json_element(&runs, i);
        PELT_TRY(check_run(c, &clip->runs[i], first + (uint64_t)i * RUN_WORDS, &here));
    }
    return PELT_OK;
}

static pelt_result check_clips(const word_check* c)
{
    const pelt_baked* baked = c->r->baked;
    const pelti_json_path list = {.member = "clips"};
    uint64_t first = c->words[6];
    PELT_TRY(check_table(c, &list, c->words[6], (uint64_t)baked->clip_count * CLIP_WORDS));
    PELT_TRY(check_integer(c, &list, 5, baked->clip_count));
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        pelti_json_path here = pelti_json_element(&list, i);
        PELT_TRY(check_clip(c, &baked->clips[i], first + (uint64_t)i * CLIP_WORDS, &here));
    }
    return PELT_OK;
}

static pelt_result check_words(const word_check* c)
{
    const pelt_baked* baked = c->r->baked;
    bool is_vertex = baked->encoding == PELT_ENCODING_VERTEX;
    const pelti_json_path texture = {.member = "texture"}, encoding = {.member = "encoding"};
    const pelti_json_path unit = {.member = "unit"}, stretch_unit = {.member = "stretch_unit"};
    const pelti_json_path elements = {.member = is_vertex ? "vertices" : "joints"};
    if (c->count < HEADER_WORDS || c->words[0] != MAGIC || c->words[1] != VERSION)
    {
        return pelti_gltf_fail(&c->r->g, &texture,
                               "the texture does not begin as one of version 1 does");
    }
    PELT_TRY(check_integer(c, &encoding, 2, is_vertex ? 1 : 0));
    PELT_TRY(check_integer(c, &elements, 3, is_vertex ? baked->vertex_count : baked->joint_count));
    PELT_TRY(check_float(c, &unit, 7, baked->unit));
    PELT_TRY(check_float(c, &stretch_unit, 8, baked->stretch_unit));
    if (!is_vertex)
    {
        PELT_TRY(check_joints(c));
    }
    return check_clips(c);
}

// ---------------------------------------------------------------------------------------------

typedef struct texture_description
{
    const char* file;
    pelt_texture_format format;
    pelti_texture texture;
    uint64_t digest;
} texture_description;

static pelt_texel find_texel(const char* name)
{
    static const pelt_texel texels[] = {PELT_TEXEL_RGBA32UI, PELT_TEXEL_RGBA16UI,
                                        PELT_TEXEL_RGBA8UI};
    for (uint32_t i = 0; i < 3; ++i)
    {
        if (strcmp(name, pelti_texel_name(texels[i])) == 0)
        {
            return texels[i];
        }
    }
    return PELT_TEXEL_AUTO;
}

static pelt_result read_description(texture_description* out, pelti_baked_reader* r,
                                    const pelti_json_path* at)
{
    const pelti_json* object = NULL;
    const char *format = NULL, *texel = NULL;
    pelti_texture* texture = &out->texture;
    PELT_TRY(pelti_baked_need(&object, r, r->g.root, "texture", NULL));
    PELT_TRY(pelti_baked_need_text(&out->file, r, object, "file", at));
    PELT_TRY(pelti_baked_need_text(&format, r, object, "format", at));
    PELT_TRY(pelti_baked_need_text(&texel, r, object, "texel", at));
    PELT_TRY(pelti_baked_need_u32(&texture->width, r, object, "width", at));
    PELT_TRY(pelti_baked_need_u32(&texture->height, r, object, "height", at));
    PELT_TRY(pelti_baked_need_digest(&out->digest, r, object, at));
    out->format = pelt_texture_format_find(format);
    texture->texel = find_texel(texel);
    if (out->format == PELT_TEXTURE_FORMAT_COUNT || texture->texel == PELT_TEXEL_AUTO)
    {
        return pelti_gltf_fail(&r->g, at,
                               "the format \"%.20s\" with the texel \"%.20s\" is not "
                               "known",
                               format, texel);
    }
    return pelti_texture_size(texture) > 0
               ? PELT_OK
               : pelti_gltf_fail(&r->g, at, "there is no texture of %u x %u texels of %s",
                                 texture->width, texture->height, texel);
}

static pelt_result read_words(texture_description* inout, pelti_baked_reader* r,
                              const pelti_json_path* at)
{
    pelti_blob file;
    const char* path;
    void* words = NULL;
    pelti_texture* texture = &inout->texture;
    PELT_TRY(pelti_baked_read_file(&file, &path, r, inout->file, at));
    pelt_result result =
        pelti_gltf_alloc(&words, &r->g, pelti_texture_words(texture), sizeof(uint32_t));
    texture->words = words;
    if (result == PELT_OK)
    {
        const pelti_texture_source source = {path, file.data, file.size, r->g.scratch, r->g.error};
        result = pelti_texture_read(texture, inout->format, &source);
    }
    pelti_blob_release(&file);
    if (result == PELT_OK &&
        pelti_words_digest(texture->words, pelti_texture_words(texture)) != inout->digest)
    {
        result = pelt_error_set(r->g.error, PELT_ERROR_DATA,
                                "%s: the words of this texture are not those that %.200s was "
                                "written with: their digest differs",
                                path, r->g.path);
    }
    return result;
}

pelt_result pelti_baked_read_texture(pelti_baked_reader* r)
{
    const pelti_json_path at = {.member = "texture"};
    texture_description d = {0};
    PELT_TRY(read_description(&d, r, &at));
    PELT_TRY(read_words(&d, r, &at));
    r->baked->texel = d.texture.texel;
    r->baked->width = d.texture.width;
    r->baked->height = d.texture.height;
    r->baked->words = d.texture.words;
    // The layout of the animation texture thesis (2021) is small enough for pelt_baked_validate()
    // alone.
    return r->baked->layout == PELT_BAKE_LAYOUT_THESIS
               ? PELT_OK
               : check_words(&(word_check){r, d.texture.words, pelti_texture_words(&d.texture)});
}
