// SPDX-License-Identifier: MIT
// Pictures in memory, and the way from and to files.
#include "picture_codec.h"

#include <string.h>

pelt_result pelt_picture_create(pelt_picture* out, uint32_t width, uint32_t height,
                                pelt_error* error)
{
    PELT_ASSERT(out != NULL);
    *out = (pelt_picture){0};

    if (width == 0 || height == 0 || width > PELT_PICTURE_MAX_SIDE ||
        height > PELT_PICTURE_MAX_SIDE || (uint64_t)width * height > PELT_PICTURE_MAX_PIXELS)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "a picture of %u x %u pixels cannot be made: 1 to %u on a side and "
                              "%u million in all are possible",
                              width, height, PELT_PICTURE_MAX_SIDE,
                              PELT_PICTURE_MAX_PIXELS / 1000000u);
    }
    size_t count = (size_t)width * height;
    pelt_color* pixels = pelt_allocate(count, sizeof *pixels);
    if (pixels == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(pixels, 0, count * sizeof *pixels);
    *out = (pelt_picture){width, height, pixels};
    return PELT_OK;
}

void pelt_picture_destroy(pelt_picture* picture)
{
    PELT_ASSERT(picture != NULL);
    pelt_release(picture->pixels);
    *picture = (pelt_picture){0};
}

// ---------------------------------------------------------------------------------------------
// Files

pelt_result pelti_picture_broken(const pelti_picture_source* source, const char* format,
                                 const char* reason, pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_DATA, "%s: the %s picture is broken: %s", source->name,
                          format, reason);
}

pelt_result pelti_picture_make(pelt_picture* out, const pelti_picture_source* source,
                               uint32_t width, uint32_t height, pelt_error* error)
{
    uint64_t pixels = (uint64_t)width * height;
    if (pixels > PELT_PICTURE_FREE_PIXELS && pixels / PELT_PICTURE_PIXELS_PER_BYTE > source->size)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%s: a picture of %u x %u pixels in %zu bytes can show next to "
                              "nothing; make it smaller",
                              source->name, width, height, source->size);
    }
    if (pixels > source->most_pixels)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%s: with a picture of %u x %u pixels the pictures of the scene have "
                              "more pixels than their files explain; make them smaller",
                              source->name, width, height);
    }
    pelt_error reason = {{0}};
    pelt_result result = pelt_picture_create(out, width, height, &reason);
    return result == PELT_OK ? PELT_OK
           : result == PELT_ERROR_MEMORY
               ? pelt_error_memory(error)
               : pelt_error_set(error, result, "%s: %s", source->name, reason.message);
}

static pelt_result refuse(pelt_picture* out, const pelti_picture_source* source, pelt_error* error)
{
    (void)out;
    return pelt_error_set(error, source->size == 0 ? PELT_ERROR_DATA : PELT_ERROR_UNSUPPORTED,
                          source->size == 0
                              ? "%s is empty"
                              : "%s is no picture that pelt reads: PNG, JPEG or WebP; convert it",
                          source->name);
}

typedef pelt_result decoder(pelt_picture*, const pelti_picture_source*, pelt_error*);

static decoder* find_decoder(const pelti_picture_source* source)
{
    static const struct
    {
        const char* type;
        decoder* decode;
    } rows[] = {{"image/png", pelti_png_decode},
                {"image/jpeg", pelti_jpeg_decode},
                {"image/webp", pelti_webp_decode}};
    const char* type = pelt_image_type(source->bytes, source->size);
    for (size_t i = 0; type != NULL && i < sizeof rows / sizeof *rows; ++i)
    {
        if (strcmp(rows[i].type, type) == 0)
        {
            return rows[i].decode;
        }
    }
    return refuse;
}

pelt_result pelti_picture_decode(pelt_picture* out, const pelti_picture_source* source,
                                 pelt_error* error)
{
    *out = (pelt_picture){0};
    pelt_result result = find_decoder(source)(out, source, error);
    if (result != PELT_OK)
    {
        pelt_picture_destroy(out);
    }
    return result;
}

pelt_result pelt_picture_decode(pelt_picture* out, const void* bytes, size_t size, const char* name,
                                pelt_error* error)
{
    PELT_ASSERT(out != NULL && name != NULL && (bytes != NULL || size == 0));
    const pelti_picture_source source = {bytes, size, name, PELT_PICTURE_MAX_PIXELS};
    return pelti_picture_decode(out, &source, error);
}

pelt_result pelt_picture_load(pelt_picture* out, const char* path, pelt_error* error)
{
    PELT_ASSERT(out != NULL && path != NULL);
    *out = (pelt_picture){0};

    pelt_source file;
    pelt_result result = pelt_source_read(&file, path, error);
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelt_picture_decode(out, file.bytes, file.size, path, error);
    pelt_source_release(&file);
    return result;
}

pelt_result pelt_picture_encode(uint8_t** bytes, size_t* size, const pelt_picture* picture,
                                const char* software, pelt_error* error)
{
    PELT_ASSERT(bytes != NULL && size != NULL && picture != NULL && picture->pixels != NULL);

    pelti_picture_file file = {0};
    pelt_result result = pelti_png_encode(&file, picture, software, error);
    *bytes = result == PELT_OK ? file.bytes : NULL;
    *size = result == PELT_OK ? file.size : 0;
    return result;
}

pelt_result pelt_picture_save(const char* path, const pelt_picture* picture, const char* software,
                              pelt_error* error)
{
    PELT_ASSERT(path != NULL && picture != NULL && picture->pixels != NULL);

    pelti_picture_file file;
    pelt_result result = pelti_png_encode(&file, picture, software, error);
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelt_save_bytes(path, file.bytes, file.size, error);
    pelt_release(file.bytes);
    return result;
}
