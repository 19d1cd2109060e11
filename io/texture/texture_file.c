// SPDX-License-Identifier: MIT
// Which format a texture has, and what the formats share.
#include "texture_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
    SIDE_MAX = 32768, // more than any GPU has
    SIZE_LIMIT = INT32_MAX,
};

// ---------------------------------------------------------------------------------------------
// Texels

static const struct
{
    const char* name;
    uint32_t words;
} texels[] = {[PELT_TEXEL_RGBA32UI] = {"rgba32ui", 4},
              [PELT_TEXEL_RGBA16UI] = {"rgba16ui", 2},
              [PELT_TEXEL_RGBA8UI] = {"rgba8ui", 1}};

const char* pelti_texel_name(pelt_texel texel)
{
    return texels[texel].name;
}

uint32_t pelti_channel_size(pelt_texel texel)
{
    return texels[texel].words; // four channels share as many words of four bytes
}

size_t pelti_texture_words(const pelti_texture* texture)
{
    return (size_t)texture->width * texture->height * texels[texture->texel].words;
}

size_t pelti_texture_size(const pelti_texture* texture)
{
    bool is_fitting = texture->width > 0 && texture->width <= SIDE_MAX && texture->height > 0 &&
                      texture->height <= SIDE_MAX;
    uint64_t size = (uint64_t)texture->width * texture->height * 4 * texels[texture->texel].words;
    return is_fitting && size <= SIZE_LIMIT ? (size_t)size : 0;
}

// ---------------------------------------------------------------------------------------------
// Formats

static pelt_result write_raw(pelti_blob* out, const pelti_texture* texture)
{
    out->size = pelti_texture_size(texture);
    out->data = pelt_allocate(out->size, 1);
    if (out->data == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelti_words_store(out->data, texture->words, pelti_texture_words(texture));
    return PELT_OK;
}

static pelt_result read_raw(const pelti_texture* out, const pelti_texture_source* source)
{
    size_t size = pelti_texture_size(out);
    if (source->size != size)
    {
        return pelti_texture_fail(source, "has %zu bytes; %u x %u texels of %s are %zu",
                                  source->size, out->width, out->height,
                                  pelti_texel_name(out->texel), size);
    }
    pelti_words_load(out->words, pelti_texture_words(out), source->bytes);
    return PELT_OK;
}

static const struct
{
    const char* name;
    pelt_result (*write)(pelti_blob* out, const pelti_texture* texture);
    pelt_result (*read)(const pelti_texture* out, const pelti_texture_source* source);
} formats[PELT_TEXTURE_FORMAT_COUNT] = {
    [PELT_TEXTURE_KTX2] = {"ktx2", pelti_ktx2_write, pelti_ktx2_read},
    [PELT_TEXTURE_PNG] = {"png", pelti_png_write, pelti_png_read},
    [PELT_TEXTURE_EXR] = {"exr", pelti_exr_write, pelti_exr_read},
    [PELT_TEXTURE_DDS] = {"dds", pelti_dds_write, pelti_dds_read},
    [PELT_TEXTURE_RAW] = {"raw", write_raw, read_raw},
};

const char* pelt_texture_format_name(pelt_texture_format format)
{
    PELT_ASSERT(format < PELT_TEXTURE_FORMAT_COUNT);
    return formats[format].name;
}

pelt_texture_format pelt_texture_format_find(const char* name)
{
    PELT_ASSERT(name != NULL);
    uint32_t i = 0;
    while (i < PELT_TEXTURE_FORMAT_COUNT && strcmp(formats[i].name, name) != 0)
    {
        ++i;
    }
    return (pelt_texture_format)i;
}

pelt_result pelti_texture_write(pelti_blob* out, const pelti_texture* texture,
                                pelt_texture_format format, pelt_error* error)
{
    *out = (pelti_blob){0};
    if (pelti_texture_size(texture) == 0)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "a texture of %u x %u texels of %s cannot be written: 1 to %u on a "
                              "side and 2 GB are possible",
                              texture->width, texture->height, pelti_texel_name(texture->texel),
                              SIDE_MAX);
    }
    pelt_result result = formats[format].write(out, texture);
    if (result != PELT_OK)
    {
        pelti_blob_release(out);
        return pelt_error_memory(error);
    }
    return PELT_OK;
}

pelt_result pelti_texture_read(const pelti_texture* out, pelt_texture_format format,
                               const pelti_texture_source* source)
{
    return formats[format].read(out, source);
}

// ---------------------------------------------------------------------------------------------
// Checks

pelt_result pelti_texture_fail(const pelti_texture_source* source, const char* format, ...)
{
    char sentence[320];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    return pelt_error_set(source->error, PELT_ERROR_DATA, "%s: %s", source->path, sentence);
}

pelt_result pelti_texture_check(const pelti_texture_source* source, size_t size,
                                const pelti_texture_field* fields, size_t count)
{
    if (source->size < size)
    {
        return pelti_texture_fail(source, "ends after %zu bytes, inside its header of %zu",
                                  source->size, size);
    }
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t value = pelti_load_u32(source->bytes + fields[i].offset);
        if (value != fields[i].expected)
        {
            return pelti_texture_fail(source, "%s at byte %zu is %u and must be %u", fields[i].name,
                                      fields[i].offset, value, fields[i].expected);
        }
    }
    return PELT_OK;
}

pelt_result pelti_texture_check_size(const pelti_texture_source* source, uint32_t width,
                                     uint32_t height, uint32_t expected_width,
                                     uint32_t expected_height)
{
    return width == expected_width && height == expected_height
               ? PELT_OK
               : pelti_texture_fail(source, "is %u x %u and must be %u x %u", width, height,
                                    expected_width, expected_height);
}

// ---------------------------------------------------------------------------------------------
// Bytes

uint32_t pelti_load_u32(const uint8_t* bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint64_t pelti_load_u64(const uint8_t* bytes)
{
    return pelti_load_u32(bytes) | (uint64_t)pelti_load_u32(bytes + 4) << 32;
}

uint8_t* pelti_store_u32(uint8_t* at, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
    {
        *at++ = (uint8_t)(value >> 8 * i);
    }
    return at;
}

uint8_t* pelti_store_u64(uint8_t* at, uint64_t value)
{
    return pelti_store_u32(pelti_store_u32(at, (uint32_t)value), (uint32_t)(value >> 32));
}

void pelti_words_load(uint32_t* words, size_t count, const uint8_t* bytes)
{
    for (size_t i = 0; i < count; ++i)
    {
        words[i] = pelti_load_u32(bytes + 4 * i);
    }
}

void pelti_words_store(uint8_t* bytes, const uint32_t* words, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        pelti_store_u32(bytes + 4 * i, words[i]);
    }
}
