// SPDX-License-Identifier: MIT
// What kind of picture some bytes are.
#include "writers.h"

#include <string.h>

const char* pelt_image_type(const void* bytes, size_t size)
{
    static const struct
    {
        uint32_t offset, length;
        const char* magic;
        const char* type;
    } rows[] = {
        {0, 8, "\x89PNG\r\n\x1a\n", "image/png"},
        {0, 3, "\xff\xd8\xff", "image/jpeg"},
        {8, 4, "WEBP", "image/webp"},
        {0, 12, "\xabKTX 20\xbb\r\n\x1a\n", "image/ktx2"},
        {0, 4, "DDS ", "image/vnd-ms.dds"},
        {4, 8, "ftypavif", "image/avif"},
    };
    for (size_t i = 0; bytes != NULL && i < sizeof rows / sizeof *rows; ++i)
    {
        if (size >= rows[i].offset + rows[i].length &&
            memcmp((const uint8_t*)bytes + rows[i].offset, rows[i].magic, rows[i].length) == 0 &&
            (rows[i].offset != 8 || memcmp(bytes, "RIFF", 4) == 0))
        {
            return rows[i].type;
        }
    }
    return NULL;
}

const char* pelti_gltf_image_type(const void* bytes, size_t size)
{
    const char* type = pelt_image_type(bytes, size);
    bool is_held =
        type != NULL && (strcmp(type, "image/png") == 0 || strcmp(type, "image/jpeg") == 0 ||
                         strcmp(type, "image/webp") == 0);
    return is_held ? type : NULL;
}
