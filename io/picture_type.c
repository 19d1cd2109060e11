// SPDX-License-Identifier: MIT
// What kind of picture some bytes are, also of kinds that pelt does not decode.
#include "picture_codec.h"

#include <string.h>

const char* pelti_picture_type(const uint8_t* bytes, size_t size)
{
    static const char* const decoded[] = {[PELTI_PICTURE_PNG] = "image/png",
                                          [PELTI_PICTURE_JPEG] = "image/jpeg",
                                          [PELTI_PICTURE_WEBP] = "image/webp"};
    pelti_picture_format format = pelti_picture_format_of(bytes, size);
    if (format != PELTI_PICTURE_UNKNOWN)
    {
        return decoded[format];
    }
    if (size >= 12 && memcmp(bytes, "\xabKTX 20\xbb\r\n\x1a\n", 12) == 0)
    {
        return "image/ktx2";
    }
    if (size >= 4 && memcmp(bytes, "DDS ", 4) == 0)
    {
        return "image/vnd-ms.dds";
    }
    return size >= 12 && memcmp(bytes + 4, "ftypavif", 8) == 0 ? "image/avif" : NULL;
}
