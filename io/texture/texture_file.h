// SPDX-License-Identifier: MIT
// Textures of integers as files. The words of a texture are the same in every format; formats
// without compression store them as in memory, lowest byte first.
#ifndef PELT_TEXTURE_FILE_H
#define PELT_TEXTURE_FILE_H

#include "../readers.h"

typedef struct pelti_texture
{
    pelt_texel texel;
    uint32_t width, height; ///< in texels
    uint32_t* words;        ///< pelti_texture_words()
} pelti_texture;

/// Bytes of the words, or 0: a side is 0 or above 32768, or they are more than 2 GB, which not all
/// formats can hold.
size_t pelti_texture_size(const pelti_texture* texture);
size_t pelti_texture_words(const pelti_texture* texture);
const char* pelti_texel_name(pelt_texel texel); ///< "rgba32ui" ...
uint32_t pelti_channel_size(pelt_texel texel);  ///< bytes of one of the four: 4, 2 or 1

/// A file that is read as a texture.
typedef struct pelti_texture_source
{
    const char* path; ///< for messages
    const uint8_t* bytes;
    size_t size;
    pelt_arena* scratch; ///< until the end of the reading, within limits
    pelt_error* error;
} pelti_texture_source;

/// @param out  free with pelti_blob_release()
/// @return PELT_OK, PELT_ERROR_UNSUPPORTED or PELT_ERROR_MEMORY
pelt_result pelti_texture_write(pelti_blob* out, const pelti_texture* texture,
                                pelt_texture_format format, pelt_error* error);

/// Fill the words from a file, which must hold a texture of just this texel and size.
/// @return PELT_OK, PELT_ERROR_DATA, PELT_ERROR_UNSUPPORTED or PELT_ERROR_MEMORY
pelt_result pelti_texture_read(const pelti_texture* out, pelt_texture_format format,
                               const pelti_texture_source* source);

// ---------------------------------------------------------------------------------------------
// One pair for each format

pelt_result pelti_ktx2_write(pelti_blob* out, const pelti_texture* texture);
pelt_result pelti_ktx2_read(const pelti_texture* out, const pelti_texture_source* source);
pelt_result pelti_png_write(pelti_blob* out, const pelti_texture* texture);
pelt_result pelti_png_read(const pelti_texture* out, const pelti_texture_source* source);
pelt_result pelti_exr_write(pelti_blob* out, const pelti_texture* texture);
pelt_result pelti_exr_read(const pelti_texture* out, const pelti_texture_source* source);
pelt_result pelti_dds_write(pelti_blob* out, const pelti_texture* texture);
pelt_result pelti_dds_read(const pelti_texture* out, const pelti_texture_source* source);

// ---------------------------------------------------------------------------------------------
// What they share

/// "file: sentence" as PELT_ERROR_DATA.
pelt_result pelti_texture_fail(const pelti_texture_source* source, const char* format, ...)
    PELT_PRINTF(2, 3);

/// A number of the header that has only one valid value.
typedef struct pelti_texture_field
{
    const char* name;
    size_t offset; ///< of 32 bits, lowest byte first
    uint32_t expected;
} pelti_texture_field;

/// The file has at least `size` bytes, and every field its value.
pelt_result pelti_texture_check(const pelti_texture_source* source, size_t size,
                                const pelti_texture_field* fields, size_t count);

/// Sides of a texture, where the file says another size than expected.
pelt_result pelti_texture_check_size(const pelti_texture_source* source, uint32_t width,
                                     uint32_t height, uint32_t expected_width,
                                     uint32_t expected_height);

uint32_t pelti_load_u32(const uint8_t* bytes);
uint64_t pelti_load_u64(const uint8_t* bytes);
uint8_t* pelti_store_u32(uint8_t* at, uint32_t value); ///< @return behind it
uint8_t* pelti_store_u64(uint8_t* at, uint64_t value);

void pelti_words_load(uint32_t* words, size_t count, const uint8_t* bytes);
void pelti_words_store(uint8_t* bytes, const uint32_t* words, size_t count);

#endif
