// SPDX-License-Identifier: MIT
// PNG, by libspng.
#include "picture_codec.h"

#include <spng.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// libspng's memory through pelt's hooks. It needs realloc(), which the hooks do not have, so every
// block knows its size; 16 bytes keep the alignment of malloc().

enum
{
    HEADER_SIZE = 16,
};

// zlib has several codes for a failed allocation, and libspng reports most of them as broken data.
// The functions below get no pointer of the caller's, so they record the failure here during one
// call.
static _Thread_local bool is_out_of_memory;

static void* take(size_t size)
{
    uint8_t* block = size < SIZE_MAX - HEADER_SIZE ? pelt_allocate(size + HEADER_SIZE, 1) : NULL;
    if (block == NULL)
    {
        is_out_of_memory = true;
        return NULL;
    }
    memcpy(block, &size, sizeof size);
    return block + HEADER_SIZE;
}

static void give_back(void* memory)
{
    if (memory != NULL)
    {
        pelt_release((uint8_t*)memory - HEADER_SIZE);
    }
}

static void* take_zeroed(size_t count, size_t size)
{
    void* memory = size == 0 || count <= SIZE_MAX / size ? take(count * size) : NULL;
    if (memory != NULL)
    {
        memset(memory, 0, count * size);
    }
    return memory;
}

static void* take_more(void* memory, size_t size)
{
    void* larger = take(size);
    if (larger != NULL && memory != NULL)
    {
        size_t before;
        memcpy(&before, (uint8_t*)memory - HEADER_SIZE, sizeof before);
        memcpy(larger, memory, before < size ? before : size);
        give_back(memory);
    }
    return larger;
}

static spng_ctx* open_context(int flags)
{
    struct spng_alloc memory = {take, take_more, take_zeroed, give_back};
    is_out_of_memory = false;
    return spng_ctx_new2(&memory, flags);
}

// ---------------------------------------------------------------------------------------------
// Reading

enum
{
    CHUNK_LIMIT = 1 << 24, // bytes of profiles and notes, which are not used
};

// One byte of deflate gives 1032 at most (RFC 1951: 258 for two bits), and a pixel has at least one
// bit: a file much smaller than that cannot be whole, and need not cost the memory it asks for.
static bool is_possible(const struct spng_ihdr* header, size_t size)
{
    return (uint64_t)header->width * header->height / 8 <= (uint64_t)size * 1100;
}

static int read_pixels(pelt_picture* out, spng_ctx* context, const pelti_picture_source* source,
                       pelt_result* result, pelt_error* error)
{
    struct spng_ihdr header;
    int code;
    if ((code = spng_set_crc_action(context, SPNG_CRC_ERROR, SPNG_CRC_DISCARD)) != 0 ||
        (code = spng_set_chunk_limits(context, CHUNK_LIMIT, CHUNK_LIMIT)) != 0 ||
        (code = spng_set_png_buffer(context, source->bytes, source->size)) != 0 ||
        (code = spng_get_ihdr(context, &header)) != 0)
    {
        return code;
    }
    if (!is_possible(&header, source->size))
    {
        return SPNG_EIDAT_TOO_SHORT;
    }
    *result = pelti_picture_make(out, source, header.width, header.height, error);
    if (*result != PELT_OK)
    {
        return 0;
    }
    size_t size = (size_t)out->width * out->height * sizeof *out->pixels;
    return spng_decode_image(context, out->pixels, size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
}

pelt_result pelti_png_decode(pelt_picture* out, const pelti_picture_source* source,
                             pelt_error* error)
{
    spng_ctx* context = open_context(0);
    if (context == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = PELT_OK;
    int code = read_pixels(out, context, source, &result, error);
    spng_ctx_free(context);
    if (code != 0 && (is_out_of_memory || code == SPNG_EMEM))
    {
        return pelt_error_memory(error);
    }
    return code == 0 ? result : pelti_picture_broken(source, "PNG", spng_strerror(code), error);
}

// ---------------------------------------------------------------------------------------------
// Writing

static bool is_opaque(const pelt_picture* picture)
{
    size_t count = (size_t)picture->width * picture->height, i = 0;
    while (i < count && picture->pixels[i].a == 255)
    {
        ++i;
    }
    return i == count;
}

static int write_header(spng_ctx* context, const pelt_picture* picture, const char* software)
{
    uint8_t color =
        is_opaque(picture) ? SPNG_COLOR_TYPE_TRUECOLOR : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
    struct spng_ihdr header = {
        .width = picture->width, .height = picture->height, .bit_depth = 8, .color_type = color};
    int code;
    // Perceptual sRGB: what screens and browsers take for granted.
    if ((code = spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1)) != 0 ||
        (code = spng_set_ihdr(context, &header)) != 0 || (code = spng_set_srgb(context, 0)) != 0)
    {
        return code;
    }
    if (software == NULL || software[0] == '\0')
    {
        return 0;
    }
    struct spng_text note = {.type = SPNG_TEXT, .keyword = "Software"};
    note.text = (char*)(uintptr_t)software; // libspng only reads it
    note.length = strlen(software);
    return spng_set_text(context, &note, 1);
}

// Row by row, so that leaving out alpha needs no second picture.
static int write_rows(spng_ctx* context, const pelt_picture* picture, uint8_t* row)
{
    const int flags = SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE;
    struct spng_ihdr header;
    int code;
    if ((code = spng_get_ihdr(context, &header)) != 0 ||
        (code = spng_encode_image(context, NULL, 0, SPNG_FMT_PNG, flags)) != 0)
    {
        return code;
    }
    uint32_t width = header.color_type == SPNG_COLOR_TYPE_TRUECOLOR ? 3 : 4;
    for (uint32_t y = 0; y < picture->height && code == 0; ++y)
    {
        const pelt_color* pixels = picture->pixels + (size_t)y * picture->width;
        for (uint32_t x = 0; x < picture->width; ++x)
        {
            memcpy(row + (size_t)x * width, &pixels[x], width);
        }
        code = spng_encode_row(context, row, (size_t)picture->width * width);
    }
    return code == SPNG_EOI ? 0 : code;
}

static int write_picture(pelti_picture_file* out, spng_ctx* context, const pelt_picture* picture,
                         const char* software)
{
    void* file = NULL;
    size_t size = 0;
    uint8_t* row = pelt_allocate(picture->width, 4);
    int code = SPNG_EMEM;
    if (row == NULL || (code = write_header(context, picture, software)) != 0 ||
        (code = write_rows(context, picture, row)) != 0)
    {
        goto done;
    }
    file = spng_get_png_buffer(context, &size, &code);
    if (file == NULL)
    {
        goto done;
    }
    // A copy: the caller frees with pelt_release(), which needs the start of the block.
    out->bytes = pelt_allocate(size, 1);
    if (out->bytes == NULL)
    {
        code = SPNG_EMEM;
        goto done;
    }
    memcpy(out->bytes, file, size);
    out->size = size;
done:
    give_back(file);
    pelt_release(row);
    return code;
}

pelt_result pelti_png_encode(pelti_picture_file* out, const pelt_picture* picture,
                             const char* software, pelt_error* error)
{
    *out = (pelti_picture_file){0};
    spng_ctx* context = open_context(SPNG_CTX_ENCODER);
    if (context == NULL)
    {
        return pelt_error_memory(error);
    }
    int code = write_picture(out, context, picture, software);
    spng_ctx_free(context);
    if (code != 0 && (is_out_of_memory || code == SPNG_EMEM))
    {
        return pelt_error_memory(error);
    }
    return code == 0
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                "this picture cannot be written as PNG: %s", spng_strerror(code));
}
