// SPDX-License-Identifier: MIT
// Files of pictures, made by the libraries of their formats.
#ifndef PELT_PICTURE_SAMPLES_H
#define PELT_PICTURE_SAMPLES_H

#include "picture_fixture.h"

typedef struct picture_sample
{
    const char* name;
    uint8_t* bytes; ///< to free
    size_t size;
} picture_sample;

/// @param path  of a file that is gone afterwards
picture_sample picture_make_png(const pelt_picture* picture, const char* path);
picture_sample picture_make_jpeg(const pelt_picture* picture, bool is_progressive);
picture_sample picture_make_webp(const pelt_picture* picture); ///< lossless

#endif
