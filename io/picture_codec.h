// SPDX-License-Identifier: MIT
// Picture formats behind pelt_picture_save() and pelt_picture_decode(): one function per format.
#ifndef PELT_PICTURE_CODEC_H
#define PELT_PICTURE_CODEC_H

#include "pelt/picture.h"

#include "readers.h"

/// A whole file in memory, and what it is called in sentences.
typedef struct pelti_picture_source
{
    const uint8_t* bytes;
    size_t size;
    const char* name;
} pelti_picture_source;

typedef enum pelti_picture_format
{
    PELTI_PICTURE_UNKNOWN = 0,
    PELTI_PICTURE_PNG,
    PELTI_PICTURE_JPEG,
    PELTI_PICTURE_WEBP,
} pelti_picture_format;

/// By the first bytes.
pelti_picture_format pelti_picture_format_of(const uint8_t* bytes, size_t size);

/// The MIME type by the first bytes, of every kind of picture that a glTF may hold: PNG, JPEG,
/// WebP, KTX2, DDS, AVIF. @return NULL: it is none of them
const char* pelti_picture_type(const uint8_t* bytes, size_t size);

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

/// The file beside a source that a texture stands for, see pelt_texture_load().
/// @param out  the folder of the source, then the name of the file below it; free with
/// pelt_release()
/// @return PELT_OK, PELT_ERROR_READ when there is none, or PELT_ERROR_MEMORY
pelt_result pelti_texture_path(char** out, const char* source, const char* texture,
                               pelt_error* error);

/// @param out  free with pelti_blob_release()
pelt_result pelti_png_encode(pelti_blob* out, const pelt_picture* picture, const char* software,
                             pelt_error* error);

#endif
