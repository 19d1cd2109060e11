// SPDX-License-Identifier: MIT
// Textures of integers as files: the same words from every format, also in the eyes of other
// programs, and a sentence for whatever is not such a file.
#define _XOPEN_SOURCE 700
#include "texture/texture_file.h"

#include "failing_heap.h"
#include "subprocess.h"

#include <stdlib.h>
#include <string.h>

enum
{
    WORDS_MAX = 1 << 14,
};

static const pelt_texel texels[] = {PELT_TEXEL_RGBA32UI, PELT_TEXEL_RGBA16UI, PELT_TEXEL_RGBA8UI};

// Of 0, runs, small numbers and noise, so that lines both pack and do not.
static pelti_texture make_texture(uint32_t* words, pelt_texel texel, uint32_t width,
                                  uint32_t height)
{
    pelti_texture out = {texel, width, height, words};
    uint64_t state = 88172645463325252u + width;
    for (size_t i = 0; i < pelti_texture_words(&out); ++i)
    {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        uint32_t noise = (uint32_t)(state >> 16), kind = (uint32_t)(i / 64) % 4;
        words[i] = kind == 0 ? noise : kind == 1 ? 0 : kind == 2 ? noise % 300 : (uint32_t)i;
    }
    return out;
}

// A copy of exactly this size, so that a sanitizer sees the first byte too far.
static pelt_result read_copy(const pelti_texture* out, pelt_texture_format format,
                             const void* bytes, size_t size, pelt_error* error)
{
    uint8_t* copy = malloc(size > 0 ? size : 1);
    pelt_arena* scratch = copy != NULL ? pelt_arena_create() : NULL;
    if (scratch == NULL)
    {
        free(copy);
        return PELT_ERROR_MEMORY;
    }
    memcpy(copy, bytes, size);
    const pelti_texture_source source = {"a file", copy, size, scratch, error};
    pelt_result result = pelti_texture_read(out, format, &source);
    pelt_arena_destroy(scratch);
    free(copy);
    return result;
}

static int every_format_holds_every_word(void)
{
    static const uint32_t sizes[][2] = {{1, 1}, {3, 5}, {17, 33}, {64, 2}, {1, 100}, {40, 40}};
    static uint32_t words[WORDS_MAX], again[WORDS_MAX];
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0] * 3 * PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        pelt_texture_format format = (pelt_texture_format)(i % PELT_TEXTURE_FORMAT_COUNT);
        const uint32_t* size = sizes[i / PELT_TEXTURE_FORMAT_COUNT / 3];
        pelti_texture texture =
            make_texture(words, texels[i / PELT_TEXTURE_FORMAT_COUNT % 3], size[0], size[1]);
        pelti_blob file;
        pelt_error error = {{0}};
        ENSURE(pelti_texture_write(&file, &texture, format, &error) == PELT_OK);
        memset(again, 0xA5, sizeof again);
        pelti_texture out = texture;
        out.words = again;
        ENSURE(read_copy(&out, format, file.data, file.size, &error) == PELT_OK);
        ENSURE(memcmp(words, again, pelti_texture_size(&texture)) == 0);
        pelti_blob_release(&file);
    }
    return 0;
}

static int names_of_formats_are_found(void)
{
    for (uint32_t i = 0; i < PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        pelt_texture_format format = (pelt_texture_format)i;
        ENSURE(pelt_texture_format_find(pelt_texture_format_name(format)) == format);
    }
    ENSURE(pelt_texture_format_find("tga") == PELT_TEXTURE_FORMAT_COUNT);
    return 0;
}

static int what_no_format_holds_is_refused(void)
{
    uint32_t word = 0;
    const pelti_texture wrong[] = {{PELT_TEXEL_RGBA8UI, 0, 1, &word},
                                   {PELT_TEXEL_RGBA8UI, 1, 32769, &word},
                                   {PELT_TEXEL_RGBA32UI, 16384, 16384, &word}};
    for (size_t i = 0; i < 3; ++i)
    {
        pelti_blob file;
        pelt_error error = {{0}};
        ENSURE(pelti_texture_write(&file, &wrong[i], PELT_TEXTURE_KTX2, &error) ==
               PELT_ERROR_UNSUPPORTED);
        ENSURE(file.data == NULL && strstr(error.message, "32768 on a side") != NULL);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Other programs

typedef struct outside_case
{
    pelti_texture texture;
    pelt_texture_format format;
    char file[256], words[256];
} outside_case;

// The file and its words in the temporary folder.
static bool write_case(outside_case* out, uint32_t* words, pelt_texel texel,
                       pelt_texture_format format)
{
    out->texture = make_texture(words, texel, 19, 23);
    out->format = format;
    snprintf(out->file, sizeof out->file, "%s/texture.%s", subprocess_folder(),
             pelt_texture_format_name(format));
    snprintf(out->words, sizeof out->words, "%s/texture.words", subprocess_folder());
    pelti_blob file, raw;
    bool is_ok = pelti_texture_write(&file, &out->texture, format, NULL) == PELT_OK &&
                 pelti_texture_write(&raw, &out->texture, PELT_TEXTURE_RAW, NULL) == PELT_OK &&
                 pelt_save_bytes(out->file, file.data, file.size, NULL) == PELT_OK &&
                 pelt_save_bytes(out->words, raw.data, raw.size, NULL) == PELT_OK;
    pelti_blob_release(&file);
    pelti_blob_release(&raw);
    return is_ok;
}

static bool is_same_again(const outside_case* c, const char* path)
{
    static uint32_t again[WORDS_MAX];
    pelti_texture out = c->texture;
    pelti_blob file = {0};
    pelt_error error = {{0}};
    out.words = again;
    bool is_ok = pelti_blob_read(&file, path, &error) == PELT_OK &&
                 read_copy(&out, c->format, file.data, file.size, &error) == PELT_OK &&
                 memcmp(again, c->texture.words, pelti_texture_size(&out)) == 0;
    if (!is_ok)
    {
        printf("  %s %s\n", path, error.message);
    }
    pelti_blob_release(&file);
    return is_ok;
}

static bool run(const char* command)
{
    return system(command) == 0;
}

static bool run_python(const outside_case* c, const char* file)
{
    char command[1024];
    snprintf(command, sizeof command,
             "python3 '%s/../outside/texture_outside.py' '%s' '%s' %s %u %u", test_data_folder,
             file, c->words, pelti_texel_name(c->texture.texel), c->texture.width,
             c->texture.height);
    return run(command);
}

// texture_outside.py knows the formats from their specifications.
static int files_are_what_their_specifications_say(void)
{
    static uint32_t words[WORDS_MAX];
    for (uint32_t i = 0; i < 3 * PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        outside_case c;
        ENSURE(write_case(&c, words, texels[i / PELT_TEXTURE_FORMAT_COUNT],
                          (pelt_texture_format)(i % PELT_TEXTURE_FORMAT_COUNT)));
        ENSURE(run_python(&c, c.file));
    }
    return 0;
}

static int ktx_parse_reads_and_writes_the_same_words(void)
{
    static uint32_t words[WORDS_MAX];
    static const uint32_t formats[] = {107, 95, 41};
    for (uint32_t i = 0; i < 3; ++i)
    {
        outside_case c;
        char command[1024];
        ENSURE(write_case(&c, words, texels[i], PELT_TEXTURE_KTX2));
        snprintf(command, sizeof command,
                 "node '%s/../outside/ktx_parse.mjs' \"$PELT_NPM\" '%s' '%s' %u %u %u",
                 test_data_folder, c.file, c.words, formats[i], c.texture.width, c.texture.height);
        ENSURE(run(command));
        ENSURE(is_same_again(&c, c.file));
    }
    return 0;
}

// OpenEXR's own library unpacks the lines; pelt's reader then gets them packed by it.
static int openexr_reads_the_same_words(void)
{
    static uint32_t words[WORDS_MAX];
    for (uint32_t i = 0; i < 3; ++i)
    {
        outside_case c;
        char command[1024], tiled[256];
        ENSURE(write_case(&c, words, texels[i], PELT_TEXTURE_EXR));
        snprintf(tiled, sizeof tiled, "%s/tiled.exr", subprocess_folder());
        snprintf(command, sizeof command, "exrmaketiled -z none -t 64 64 '%s' '%s'", c.file, tiled);
        ENSURE(run(command));
        ENSURE(run_python(&c, tiled));
        snprintf(command, sizeof command, "exrstdattr -owner someone '%s' '%s'", c.file, tiled);
        ENSURE(run(command));
        ENSURE(is_same_again(&c, tiled));
        remove(tiled);
    }
    return 0;
}

// ImageMagick writes other filters, several chunks, and notes of its own.
static int a_png_that_imagemagick_saved_again_is_the_same(void)
{
    static uint32_t words[WORDS_MAX];
    static const char* const filters[] = {"0", "1", "2", "3", "4", "5"};
    for (uint32_t i = 0; i < 18; ++i)
    {
        outside_case c;
        char command[1024], saved[256];
        ENSURE(write_case(&c, words, texels[i / 6], PELT_TEXTURE_PNG));
        snprintf(saved, sizeof saved, "%s/saved.png", subprocess_folder());
        snprintf(command, sizeof command,
                 "convert-im6.q16 '%s' -define png:color-type=6 -define png:compression-filter=%s "
                 "-define png:compression-level=9 '%s'",
                 c.file, filters[i % 6], saved);
        ENSURE(run(command));
        ENSURE(is_same_again(&c, saved));
        remove(saved);
    }
    return 0;
}

// It has no decoder for four integers of 32 bits.
static int ffmpeg_reads_the_same_words_from_dds(void)
{
    static uint32_t words[WORDS_MAX];
    static const pelt_texel known[] = {PELT_TEXEL_RGBA16UI, PELT_TEXEL_RGBA8UI};
    for (uint32_t i = 0; i < 2; ++i)
    {
        outside_case c;
        char command[1024];
        ENSURE(write_case(&c, words, known[i], PELT_TEXTURE_DDS));
        snprintf(command, sizeof command,
                 "ffmpeg -v error -i '%s' -f rawvideo - < /dev/null | cmp - '%s'", c.file, c.words);
        ENSURE(run(command));
    }
    return 0;
}

static bool has(const char* command)
{
    char text[256];
    snprintf(text, sizeof text, "{ %s; } >/dev/null 2>&1", command);
    return run(text);
}

static void run_outside(void)
{
    RUN(files_are_what_their_specifications_say);
    if (has("node --version && test -d \"${PELT_NPM:-none}/node_modules/ktx-parse\""))
    {
        RUN(ktx_parse_reads_and_writes_the_same_words);
    }
    else
    {
        test_skip("ktx-parse", "there is no node, or no ktx-parse in PELT_NPM");
    }
    if (has("command -v exrmaketiled exrstdattr"))
    {
        RUN(openexr_reads_the_same_words);
    }
    else
    {
        test_skip("OpenEXR", "there is no exrmaketiled");
    }
    if (has("command -v convert-im6.q16"))
    {
        RUN(a_png_that_imagemagick_saved_again_is_the_same);
    }
    else
    {
        test_skip("ImageMagick", "there is no convert-im6.q16");
    }
    if (has("command -v ffmpeg"))
    {
        RUN(ffmpeg_reads_the_same_words_from_dds);
    }
    else
    {
        test_skip("DDS", "there is no ffmpeg");
    }
}

// ---------------------------------------------------------------------------------------------
// Broken files

// Bytes before the first that is a part of a word.
static size_t header_size(const pelti_blob* file, const pelti_texture* texture,
                          pelt_texture_format format)
{
    switch (format)
    {
    case PELT_TEXTURE_PNG:
        return file->size; // every byte has its checksum
    case PELT_TEXTURE_EXR:
        for (size_t i = 0; i + 8 < file->size; ++i)
        {
            if (memcmp(file->data + i, "\0\0\x80\x3F\0", 5) == 0 &&
                pelti_load_u64(file->data + i + 5) == i + 5 + 8 * (size_t)texture->height)
            {
                return i + 5 + 8 * (size_t)texture->height;
            }
        }
        return 0;
    default:
        return file->size - pelti_texture_size(texture);
    }
}

static bool is_sentence(const pelt_error* error)
{
    return strncmp(error->message, "a file: ", 8) == 0 && strlen(error->message) > 20;
}

static int a_changed_header_gives_the_same_words_or_a_sentence(void)
{
    uint32_t words[64], again[64];
    for (uint32_t i = 0; i < 3 * PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        pelt_texture_format format = (pelt_texture_format)(i % PELT_TEXTURE_FORMAT_COUNT);
        pelti_texture texture = make_texture(words, texels[i / PELT_TEXTURE_FORMAT_COUNT], 3, 2);
        pelti_texture out = texture;
        pelti_blob file;
        out.words = again;
        ENSURE(pelti_texture_write(&file, &texture, format, NULL) == PELT_OK);
        size_t end = header_size(&file, &texture, format);
        ENSURE(end > 0 || format == PELT_TEXTURE_RAW);
        for (size_t bit = 0; bit < 8 * end; ++bit)
        {
            pelt_error error = {{0}};
            file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            pelt_result result = read_copy(&out, format, file.data, file.size, &error);
            file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            bool is_same = memcmp(words, again, pelti_texture_size(&texture)) == 0;
            if (result == PELT_OK ? !is_same : result != PELT_ERROR_DATA || !is_sentence(&error))
            {
                printf("  %s, bit %zu: %d %s\n", pelt_texture_format_name(format), bit, result,
                       error.message);
                return 1;
            }
        }
        pelti_blob_release(&file);
    }
    return 0;
}

static int a_file_that_is_cut_off_is_refused(void)
{
    uint32_t words[64], again[64];
    for (uint32_t i = 0; i < 3 * PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        pelt_texture_format format = (pelt_texture_format)(i % PELT_TEXTURE_FORMAT_COUNT);
        pelti_texture texture = make_texture(words, texels[i / PELT_TEXTURE_FORMAT_COUNT], 3, 2);
        pelti_texture out = texture;
        pelti_blob file;
        out.words = again;
        ENSURE(pelti_texture_write(&file, &texture, format, NULL) == PELT_OK);
        for (size_t size = 0; size < file.size; ++size)
        {
            pelt_error error = {{0}};
            ENSURE(read_copy(&out, format, file.data, size, &error) == PELT_ERROR_DATA);
            ENSURE(is_sentence(&error));
        }
        pelti_blob_release(&file);
    }
    return 0;
}

static int a_texture_of_another_size_or_texel_is_refused(void)
{
    uint32_t words[64], again[64] = {0};
    const pelti_texture others[] = {{PELT_TEXEL_RGBA16UI, 4, 2, again},
                                    {PELT_TEXEL_RGBA16UI, 2, 4, again},
                                    {PELT_TEXEL_RGBA32UI, 2, 3, again},
                                    {PELT_TEXEL_RGBA8UI, 3, 3, again}};
    for (uint32_t i = 0; i < 4 * PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        pelt_texture_format format = (pelt_texture_format)(i % PELT_TEXTURE_FORMAT_COUNT);
        pelti_texture texture = make_texture(words, PELT_TEXEL_RGBA16UI, 3, 3);
        pelti_blob file;
        pelt_error error = {{0}};
        ENSURE(pelti_texture_write(&file, &texture, format, NULL) == PELT_OK);
        const pelti_texture* other = &others[i / PELT_TEXTURE_FORMAT_COUNT];
        ENSURE(read_copy(other, format, file.data, file.size, &error) == PELT_ERROR_DATA);
        ENSURE(is_sentence(&error));
        pelti_blob_release(&file);
    }
    return 0;
}

static pelt_result write_and_read(const void* context)
{
    uint32_t words[64], again[64];
    pelt_texture_format format = *(const pelt_texture_format*)context;
    pelti_texture texture = make_texture(words, PELT_TEXEL_RGBA16UI, 3, 3), out = texture;
    out.words = again;
    pelti_blob file;
    pelt_result result = pelti_texture_write(&file, &texture, format, NULL);
    if (result == PELT_OK)
    {
        result = read_copy(&out, format, file.data, file.size, NULL);
        pelti_blob_release(&file);
    }
    return result;
}

static int out_of_memory_is_a_result(void)
{
    for (uint32_t i = 0; i < PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        pelt_texture_format format = (pelt_texture_format)i;
        ENSURE(failing_heap_check(write_and_read, &format, UINT32_MAX) == 0);
    }
    return 0;
}

void test_texture_file(void)
{
    RUN(every_format_holds_every_word);
    RUN(names_of_formats_are_found);
    RUN(what_no_format_holds_is_refused);
    run_outside();
    RUN(a_changed_header_gives_the_same_words_or_a_sentence);
    RUN(a_file_that_is_cut_off_is_refused);
    RUN(a_texture_of_another_size_or_texel_is_refused);
    RUN(out_of_memory_is_a_result);
    subprocess_remove_folder();
}
