// SPDX-License-Identifier: MIT
// KTX 2.0 (Khronos, KTX File Format Specification, version 2): one level, nothing packed.
#include "texture_file.h"

#include <string.h>

enum
{
    HEADER_SIZE = 80, // identifier, header, index
    LEVEL_SIZE = 24,
    LEVEL_OFFSET = HEADER_SIZE,
    // Data format descriptor (Khronos Data Format Specification 1.3, section 5).
    BLOCK_SIZE = 24 + 4 * 16,
    DESCRIPTOR_SIZE = 4 + BLOCK_SIZE,
    DESCRIPTOR_OFFSET = HEADER_SIZE + LEVEL_SIZE,
    NOTES_OFFSET = DESCRIPTOR_OFFSET + DESCRIPTOR_SIZE,
};

static const uint8_t identifier[12] = {0xAB, 'K',  'T',  'X',  ' ',  '2',
                                       '0',  0xBB, '\r', '\n', 0x1A, '\n'};

// Key and value, each with its zero.
static const char note[] = "KTXwriter\0pelt " PELT_VERSION_STRING;

static uint32_t vulkan_format(pelt_texel texel)
{
    return texel == PELT_TEXEL_RGBA32UI   ? 107 // VK_FORMAT_R32G32B32A32_UINT
           : texel == PELT_TEXEL_RGBA16UI ? 95  // VK_FORMAT_R16G16B16A16_UINT
                                          : 41; // VK_FORMAT_R8G8B8A8_UINT
}

static uint8_t* store_descriptor(uint8_t* at, uint32_t channel_size)
{
    enum
    {
        MODEL_RGBSDA = 1,
        PRIMARIES_BT709 = 1,
        TRANSFER_LINEAR = 1,
        CHANNEL_ALPHA = 15,
    };
    at = pelti_store_u32(at, DESCRIPTOR_SIZE);
    at = pelti_store_u32(at, 0); // vendor Khronos, type basic
    at = pelti_store_u32(at, 2 | BLOCK_SIZE << 16);
    at = pelti_store_u32(at, MODEL_RGBSDA | PRIMARIES_BT709 << 8 | TRANSFER_LINEAR << 16);
    at = pelti_store_u32(at, 0); // blocks of one texel
    at = pelti_store_u32(at, 4 * channel_size);
    at = pelti_store_u32(at, 0);
    for (uint32_t i = 0; i < 4; ++i)
    {
        uint32_t bits = 8 * channel_size, channel = i < 3 ? i : CHANNEL_ALPHA;
        at = pelti_store_u32(at, i * bits | (bits - 1) << 16 | channel << 24);
        at = pelti_store_u32(at, 0); // position in the texel
        at = pelti_store_u32(at, 0); // 0 and 1 represent themselves
        at = pelti_store_u32(at, 1);
    }
    return at;
}

pelt_result pelti_ktx2_write(pelti_blob* out, const pelti_texture* texture)
{
    const uint32_t notes_size = 4 + (sizeof note + 3) / 4 * 4;
    uint32_t channel_size = pelti_channel_size(texture->texel), texel_size = 4 * channel_size;
    // A level starts at a multiple of its texels, of which 4 is a divisor.
    size_t size = pelti_texture_size(texture), start = NOTES_OFFSET + notes_size;
    start = (start + texel_size - 1) / texel_size * texel_size;
    out->size = start + size;
    out->data = pelt_allocate(out->size, 1);
    if (out->data == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memset(out->data, 0, start);
    memcpy(out->data, identifier, sizeof identifier);
    uint8_t* at = out->data + sizeof identifier;
    const uint32_t header[] = {vulkan_format(texture->texel),
                               channel_size,
                               texture->width,
                               texture->height,
                               0, // depth: none
                               0, // layers: no array
                               1, // face
                               1, // level
                               0, // supercompression: none
                               DESCRIPTOR_OFFSET,
                               DESCRIPTOR_SIZE,
                               NOTES_OFFSET,
                               notes_size};
    for (size_t i = 0; i < sizeof header / sizeof header[0]; ++i)
    {
        at = pelti_store_u32(at, header[i]);
    }
    at = out->data + LEVEL_OFFSET;
    at = pelti_store_u64(pelti_store_u64(pelti_store_u64(at, start), size), size);
    at = pelti_store_u32(store_descriptor(at, channel_size), sizeof note);
    memcpy(at, note, sizeof note);
    pelti_words_store(out->data + start, texture->words, pelti_texture_words(texture));
    return PELT_OK;
}

// The layers of an array and the levels of a single image may be said to be 0 or 1.
static pelt_result check_counts(const pelti_texture_source* source)
{
    static const struct
    {
        const char* name;
        size_t offset;
    } counts[] = {{"the number of layers", 32}, {"the number of levels", 40}};
    for (size_t i = 0; i < 2; ++i)
    {
        uint32_t count = pelti_load_u32(source->bytes + counts[i].offset);
        if (count > 1)
        {
            return pelti_texture_fail(source, "%s at byte %zu is %u and must be 1", counts[i].name,
                                      counts[i].offset, count);
        }
    }
    return PELT_OK;
}

// The offset after the index of levels, the descriptor and the notes.
static uint64_t find_end(const pelti_texture_source* source)
{
    uint64_t end = HEADER_SIZE + LEVEL_SIZE;
    for (int i = 0; i < 2; ++i)
    {
        const uint8_t* part = source->bytes + 48 + 8 * i;
        uint64_t part_end = (uint64_t)pelti_load_u32(part) + pelti_load_u32(part + 4);
        end = part_end > end ? part_end : end;
    }
    return end;
}

pelt_result pelti_ktx2_read(const pelti_texture* out, const pelti_texture_source* source)
{
    if (source->size < sizeof identifier ||
        memcmp(source->bytes, identifier, sizeof identifier) != 0)
    {
        return pelti_texture_fail(source, "is no KTX2 file: it does not begin with \"KTX 20\"");
    }
    const pelti_texture_field fields[] = {
        {"the format", 12, vulkan_format(out->texel)},
        {"the size of a channel", 16, pelti_channel_size(out->texel)},
        {"the width", 20, out->width},
        {"the height", 24, out->height},
        {"the depth", 28, 0},
        {"the number of faces", 36, 1},
        {"the scheme of supercompression", 44, 0},
    };
    PELT_TRY(pelti_texture_check(source, HEADER_SIZE + LEVEL_SIZE, fields,
                                 sizeof fields / sizeof fields[0]));
    PELT_TRY(check_counts(source));
    size_t size = pelti_texture_size(out);
    uint64_t start = pelti_load_u64(source->bytes + LEVEL_OFFSET);
    uint64_t length = pelti_load_u64(source->bytes + LEVEL_OFFSET + 8);
    if (length != size)
    {
        return pelti_texture_fail(source,
                                  "the length of the level at byte %d is %llu and must be %zu",
                                  LEVEL_OFFSET + 8, (unsigned long long)length, size);
    }
    uint64_t first = find_end(source);
    if (start < first || start > source->size || size > source->size - start)
    {
        return pelti_texture_fail(
            source, "the level at byte %llu, of %zu bytes, is not between %llu and the end at %zu",
            (unsigned long long)start, size, (unsigned long long)first, source->size);
    }
    pelti_words_load(out->words, pelti_texture_words(out), source->bytes + start);
    return PELT_OK;
}
