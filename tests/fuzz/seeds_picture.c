// SPDX-License-Identifier: MIT
// Pictures of a few pixels in every form that the decoders tell apart.
#include "seeds.h"

#include "picture_samples.h"

#include <zlib.h>

static void check_and_write(const char* name, const uint8_t* bytes, size_t size)
{
    pelt_picture picture;
    pelt_error error = {""};
    pelt_result result = pelt_picture_decode(&picture, bytes, size, name, &error);
    seed_require(result == PELT_OK, error.message);
    pelt_picture_destroy(&picture);
    seed_write("picture", name, bytes, size);
}

// ---------------------------------------------------------------------------------------------
// PNG of every color type

static void put_big_endian(uint8_t* out, size_t number)
{
    for (int i = 0; i < 4; ++i)
    {
        out[i] = (uint8_t)(number >> (24 - 8 * i));
    }
}

static size_t put_chunk(uint8_t* out, const char* type, const void* data, size_t size)
{
    put_big_endian(out, size);
    memcpy(out + 4, type, 4);
    memcpy(out + 8, data, size);
    put_big_endian(out + 8 + size, crc32(0, out + 4, (uInt)size + 4));
    return size + 12;
}

static void write_png(const char* name, uint8_t depth, uint8_t color_type, uint8_t is_interlaced)
{
    // 8 x 8 pixels, or the seven passes of such a square: width and height.
    static const uint8_t passes[8][2] = {{1, 1}, {1, 1}, {2, 1}, {2, 2},
                                         {4, 2}, {4, 4}, {8, 4}, {8, 8}};
    static const uint8_t channels[] = {1, 0, 3, 1, 2, 0, 4};
    uint8_t plain[1024] = {0}, packed[1024], file[2048] = "\x89PNG\r\n\x1a\n";
    size_t size = 0;
    for (int i = is_interlaced ? 0 : 7; i < (is_interlaced ? 7 : 8); ++i)
    {
        size_t row = ((size_t)passes[i][0] * depth * channels[color_type] + 7) / 8;
        for (int y = 0; y < passes[i][1]; ++y)
        {
            plain[size] = (uint8_t)(y % 5); // each filter one after another
            size += 1 + row;
        }
    }
    uLongf packed_size = sizeof packed;
    seed_require(compress(packed, &packed_size, plain, (uLong)size) == Z_OK, "zlib failed");
    const uint8_t header[13] = {0, 0, 0, 8, 0, 0, 0, 8, depth, color_type, 0, 0, is_interlaced};
    static const uint8_t colors[6] = {10, 20, 30, 200, 100, 0};
    size_t at = 8 + put_chunk(file + 8, "IHDR", header, sizeof header);
    if (color_type == 3)
    {
        at += put_chunk(file + at, "PLTE", colors, sizeof colors);
        at += put_chunk(file + at, "tRNS", colors, 2);
    }
    at += put_chunk(file + at, "IDAT", packed, packed_size);
    at += put_chunk(file + at, "IEND", "", 0);
    check_and_write(name, file, at);
}

static void write_samples(void)
{
    pelt_picture picture;
    char path[1024];
    strcpy(path, seed_path("picture", "sample"));
    seed_require(pelt_picture_create(&picture, 12, 9, NULL) == PELT_OK, "out of memory");
    for (uint32_t i = 0; i < 12 * 9; ++i)
    {
        picture.pixels[i] = (pelt_color){(uint8_t)(7 * i), (uint8_t)(i / 2), 200, (uint8_t)(3 * i)};
    }
    picture_sample samples[] = {picture_make_png(&picture, path),
                                picture_make_jpeg(&picture, false),
                                picture_make_jpeg(&picture, true), picture_make_webp(&picture)};
    for (int i = 0; i < 4; ++i)
    {
        check_and_write(samples[i].name, samples[i].bytes, samples[i].size);
        free(samples[i].bytes);
    }
    pelt_picture_destroy(&picture);
}

void seeds_picture(void)
{
    write_samples();
    write_png("gray_1.png", 1, 0, 0);
    write_png("gray_16.png", 16, 0, 1);
    write_png("color_8.png", 8, 2, 1);
    write_png("color_16.png", 16, 2, 0);
    write_png("palette_4.png", 4, 3, 0);
    write_png("palette_2.png", 2, 3, 1);
    write_png("gray_alpha.png", 8, 4, 0);
    write_png("color_alpha_16.png", 16, 6, 1);
}
