// SPDX-License-Identifier: MIT
// Picture formats behind pelt_picture_save() and pelt_picture_decode(): one function per format.
#ifndef PELT_PICTURE_CODEC_H
#define PELT_PICTURE_CODEC_H

#include "picture.h"

/// A file that an encoder made.
typedef struct pelti_picture_file
{
    uint8_t* bytes;
    size_t size;
} pelti_picture_file;

/// A whole file in memory, and what it is called in sentences.
typedef struct pelti_picture_source
{
    const uint8_t* bytes;
    size_t size;
    const char* name;
    uint64_t most_pixels; ///< larger pictures are refused
} pelti_picture_source;

/// pelt_picture_decode() of a picture that may have so many pixels.
pelt_result pelti_picture_decode(pelt_picture* out, const pelti_picture_source* source,
                                 pelt_error* error);

/// Each fills a {0}; what it holds after a failure is for pelt_picture_destroy().
pelt_result pelti_png_decode(pelt_picture* out, const pelti_picture_source* source,
                             pelt_error* error);
pelt_result pelti_jpeg_decode(pelt_picture* out, const pelti_picture_source* source,
                              pelt_error* error);
pelt_result pelti_webp_decode(pelt_picture* out, const pelti_picture_source* source,
                              pelt_error* error);

/// "name: the PNG picture is broken: reason"
pelt_result pelti_picture_broken(const pelti_picture_source* source, const char* format,
                                 const char* reason, pelt_error* error);

/// pelt_picture_create() for a picture that a file says it holds: a refusal names the file.
pelt_result pelti_picture_make(pelt_picture* out, const pelti_picture_source* source,
                               uint32_t width, uint32_t height, pelt_error* error);

/// @param out  bytes to free with pelt_release()
pelt_result pelti_png_encode(pelti_picture_file* out, const pelt_picture* picture,
                             const char* software, pelt_error* error);

#endif
