// SPDX-License-Identifier: MIT
#include "picture_samples.h"

#include <jpeglib.h>
#include <webp/encode.h>

picture_sample picture_make_png(const pelt_picture* picture, const char* path)
{
    picture_sample s = {.name = "sample.png"};
    pelt_picture_save(path, picture, NULL, NULL);
    s.bytes = picture_read_file(&s.size, path);
    remove(path);
    return s;
}

picture_sample picture_make_jpeg(const pelt_picture* picture, bool is_progressive)
{
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr manager;
    unsigned char* bytes = NULL;
    unsigned long size = 0;
    info.err = jpeg_std_error(&manager);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &bytes, &size);
    info.image_width = picture->width;
    info.image_height = picture->height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 95, TRUE);
    if (is_progressive)
    {
        jpeg_simple_progression(&info);
    }
    jpeg_start_compress(&info, TRUE);
    uint8_t* row = malloc((size_t)picture->width * 3);
    for (uint32_t y = 0; y < picture->height; ++y)
    {
        for (uint32_t x = 0; x < picture->width; ++x)
        {
            memcpy(row + (size_t)x * 3, &picture->pixels[y * picture->width + x], 3);
        }
        JSAMPROW rows[1] = {row};
        jpeg_write_scanlines(&info, rows, 1);
    }
    free(row);
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return (picture_sample){is_progressive ? "slow.jpg" : "sample.jpg", bytes, size};
}

picture_sample picture_make_webp(const pelt_picture* picture)
{
    uint8_t* bytes = NULL;
    size_t size = WebPEncodeLosslessRGBA((const uint8_t*)picture->pixels, (int)picture->width,
                                         (int)picture->height, (int)picture->width * 4, &bytes);
    picture_sample s = {"sample.webp", malloc(size), size};
    memcpy(s.bytes, bytes, size);
    WebPFree(bytes);
    return s;
}
