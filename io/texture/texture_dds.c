// SPDX-License-Identifier: MIT
// DDS with the header of Direct3D 10 (Microsoft, "Programming Guide for DDS"): one level.
#include "texture_file.h"

#include <string.h>

enum
{
    FILE_HEADER_SIZE = 4 + 124 + 20, // "DDS ", DDS_HEADER, DDS_HEADER_DXT10
    MAGIC = 0x20534444,
    DX10 = 0x30315844,
    // DDSD_CAPS, _HEIGHT, _WIDTH, _PITCH and _PIXELFORMAT
    FLAGS = 0x1 | 0x2 | 0x4 | 0x8 | 0x1000,
    PIXEL_FORMAT_SIZE = 32,
    PIXEL_FORMAT_FOURCC = 0x4,
    CAPS_TEXTURE = 0x1000,
    DIMENSION_TEXTURE2D = 3,
};

// Offsets in the file
enum
{
    AT_HEADER_SIZE = 4,
    AT_FLAGS = 8,
    AT_HEIGHT = 12,
    AT_WIDTH = 16,
    AT_PITCH = 20,
    AT_LEVELS = 28,
    AT_PIXEL_FORMAT = 76,
    AT_FOURCC = 84,
    AT_CAPS = 108,
    AT_FORMAT = 128,
    AT_DIMENSION = 132,
    AT_ARRAY_SIZE = 140,
};

static uint32_t dxgi_format(pelt_texel texel)
{
    return texel == PELT_TEXEL_RGBA32UI   ? 3   // DXGI_FORMAT_R32G32B32A32_UINT
           : texel == PELT_TEXEL_RGBA16UI ? 12  // DXGI_FORMAT_R16G16B16A16_UINT
                                          : 30; // DXGI_FORMAT_R8G8B8A8_UINT
}

pelt_result pelti_dds_write(pelti_blob* out, const pelti_texture* texture)
{
    out->size = FILE_HEADER_SIZE + pelti_texture_size(texture);
    out->data = pelt_allocate(out->size, 1);
    if (out->data == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    const struct
    {
        uint32_t offset, value;
    } header[] = {
        {0, MAGIC},
        {AT_HEADER_SIZE, 124},
        {AT_FLAGS, FLAGS},
        {AT_HEIGHT, texture->height},
        {AT_WIDTH, texture->width},
        {AT_PITCH, 4 * pelti_channel_size(texture->texel) * texture->width},
        {AT_PIXEL_FORMAT, PIXEL_FORMAT_SIZE},
        {AT_PIXEL_FORMAT + 4, PIXEL_FORMAT_FOURCC},
        {AT_FOURCC, DX10},
        {AT_CAPS, CAPS_TEXTURE},
        {AT_FORMAT, dxgi_format(texture->texel)},
        {AT_DIMENSION, DIMENSION_TEXTURE2D},
        {AT_ARRAY_SIZE, 1},
    };
    memset(out->data, 0, FILE_HEADER_SIZE);
    for (size_t i = 0; i < sizeof header / sizeof header[0]; ++i)
    {
        pelti_store_u32(out->data + header[i].offset, header[i].value);
    }
    pelti_words_store(out->data + FILE_HEADER_SIZE, texture->words, pelti_texture_words(texture));
    return PELT_OK;
}

pelt_result pelti_dds_read(const pelti_texture* out, const pelti_texture_source* source)
{
    const pelti_texture_field fields[] = {
        {"the signature", 0, MAGIC},
        {"the size of the header", AT_HEADER_SIZE, 124},
        {"the height", AT_HEIGHT, out->height},
        {"the width", AT_WIDTH, out->width},
        {"the name of the pixel format", AT_FOURCC, DX10},
        {"the DXGI format", AT_FORMAT, dxgi_format(out->texel)},
        {"the dimension", AT_DIMENSION, DIMENSION_TEXTURE2D},
        {"the size of the array", AT_ARRAY_SIZE, 1},
    };
    PELT_TRY(
        pelti_texture_check(source, FILE_HEADER_SIZE, fields, sizeof fields / sizeof fields[0]));
    uint32_t levels = pelti_load_u32(source->bytes + AT_LEVELS);
    if (levels > 1) // 0 and 1 are both in use for none but the first
    {
        return pelti_texture_fail(source, "the number of levels at byte %d is %u and must be 1",
                                  AT_LEVELS, levels);
    }
    size_t size = pelti_texture_size(out);
    if (source->size - FILE_HEADER_SIZE != size)
    {
        return pelti_texture_fail(source, "has %zu bytes after its header and must have %zu",
                                  source->size - FILE_HEADER_SIZE, size);
    }
    pelti_words_load(out->words, pelti_texture_words(out), source->bytes + FILE_HEADER_SIZE);
    return PELT_OK;
}
