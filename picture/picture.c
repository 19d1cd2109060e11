// SPDX-License-Identifier: MIT
// Pictures in memory, and the way from and to files.
#include "picture.h"
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
    PELT_TRY(pelt_source_read(&file, path, error));
    pelt_result result = pelt_picture_decode(out, file.bytes, file.size, path, error);
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
    PELT_TRY(pelti_png_encode(&file, picture, software, error));
    pelt_result result = pelt_save_bytes(path, file.bytes, file.size, error);
    pelt_release(file.bytes);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Drawing

// From the first to before the last pixel on one axis.
typedef struct span
{
    uint32_t first, end;
} span;

static span clip(int32_t start, uint32_t length, uint32_t limit)
{
    int64_t first = start > 0 ? start : 0, end = (int64_t)start + length;
    end = end < limit ? end : limit;
    return first < end ? (span){(uint32_t)first, (uint32_t)end} : (span){0, 0};
}

// The exact quotient by 255, rounded, for any product of two bytes.
static uint32_t divide_255(uint32_t value)
{
    value += 128;
    return (value + (value >> 8)) >> 8;
}

pelt_color pelt_color_over(pelt_color below, pelt_color above)
{
    if (above.a == 255 || below.a == 0)
    {
        return above.a > 0 ? above : below;
    }
    // What of the color below is still seen, and how much color there is then in all.
    uint32_t seen = divide_255((255u - above.a) * below.a);
    uint32_t sum = seen + above.a;
    uint32_t half = sum / 2;
    return (pelt_color){(uint8_t)((above.r * (uint32_t)above.a + below.r * seen + half) / sum),
                        (uint8_t)((above.g * (uint32_t)above.a + below.g * seen + half) / sum),
                        (uint8_t)((above.b * (uint32_t)above.a + below.b * seen + half) / sum),
                        (uint8_t)sum};
}

void pelt_picture_clear(pelt_picture* picture, pelt_color color)
{
    PELT_ASSERT(picture != NULL);
    for (size_t i = 0; i < (size_t)picture->width * picture->height; ++i)
    {
        picture->pixels[i] = color;
    }
}

void pelt_picture_fill(pelt_picture* picture, pelt_rect rect, pelt_color color)
{
    PELT_ASSERT(picture != NULL);
    span xs = clip(rect.x, rect.width, picture->width);
    span ys = clip(rect.y, rect.height, picture->height);
    for (uint32_t y = ys.first; y < ys.end; ++y)
    {
        pelt_color* row = picture->pixels + (size_t)y * picture->width;
        for (uint32_t x = xs.first; x < xs.end; ++x)
        {
            row[x] = pelt_color_over(row[x], color);
        }
    }
}

void pelt_picture_outline(pelt_picture* picture, pelt_rect rect, uint32_t thickness,
                          pelt_color color)
{
    if (2 * (uint64_t)thickness >= rect.width || 2 * (uint64_t)thickness >= rect.height)
    {
        pelt_picture_fill(picture, rect, color);
        return;
    }
    // Edges that do not overlap, so that a color that is half seen is so everywhere.
    int32_t inner_y = rect.y + (int32_t)thickness;
    uint32_t inner_height = rect.height - 2 * thickness;
    int32_t right = rect.x + (int32_t)(rect.width - thickness);
    int32_t bottom = rect.y + (int32_t)(rect.height - thickness);
    pelt_picture_fill(picture, (pelt_rect){rect.x, rect.y, rect.width, thickness}, color);
    pelt_picture_fill(picture, (pelt_rect){rect.x, bottom, rect.width, thickness}, color);
    pelt_picture_fill(picture, (pelt_rect){rect.x, inner_y, thickness, inner_height}, color);
    pelt_picture_fill(picture, (pelt_rect){right, inner_y, thickness, inner_height}, color);
}

void pelt_picture_blit(pelt_picture* picture, int32_t x, int32_t y, const pelt_picture* source)
{
    PELT_ASSERT(picture != NULL && source != NULL && picture->pixels != source->pixels);
    span xs = clip(x, source->width, picture->width);
    span ys = clip(y, source->height, picture->height);
    for (uint32_t row = ys.first; row < ys.end && xs.first < xs.end; ++row)
    {
        size_t from = (size_t)((int64_t)row - y) * source->width + (size_t)((int64_t)xs.first - x);
        memcpy(picture->pixels + (size_t)row * picture->width + xs.first, source->pixels + from,
               (xs.end - xs.first) * sizeof *source->pixels);
    }
}

void pelt_picture_blend(pelt_picture* picture, int32_t x, int32_t y, const pelt_picture* source)
{
    PELT_ASSERT(picture != NULL && source != NULL && picture->pixels != source->pixels);
    span xs = clip(x, source->width, picture->width);
    span ys = clip(y, source->height, picture->height);
    for (uint32_t row = ys.first; row < ys.end; ++row)
    {
        pelt_color* below = picture->pixels + (size_t)row * picture->width;
        const pelt_color* above = source->pixels + (size_t)((int64_t)row - y) * source->width;
        for (uint32_t column = xs.first; column < xs.end; ++column)
        {
            below[column] = pelt_color_over(below[column], above[(int64_t)column - x]);
        }
    }
}
