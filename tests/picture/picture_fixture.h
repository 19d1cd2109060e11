// SPDX-License-Identifier: MIT
// Small pictures for tests, and files of them.
#ifndef PELT_PICTURE_FIXTURE_H
#define PELT_PICTURE_FIXTURE_H

#include "picture.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

// Noise with smooth parts; alpha is mixed, or 255 everywhere.
static inline bool picture_fill_noise(pelt_picture* out, uint32_t width, uint32_t height,
                                      bool is_opaque, uint64_t seed)
{
    test_random random = {seed};
    if (pelt_picture_create(out, width, height, NULL) != PELT_OK)
    {
        return false;
    }
    for (uint32_t i = 0; i < width * height; ++i)
    {
        bool is_smooth = i % width < width / 2;
        pelt_color* p = &out->pixels[i];
        p->r = (uint8_t)(is_smooth ? i : (uint32_t)test_uniform(&random, 0.0f, 255.9f));
        p->g = (uint8_t)(is_smooth ? i / 7 : (uint32_t)test_uniform(&random, 0.0f, 255.9f));
        p->b = (uint8_t)(is_smooth ? 200 : (uint32_t)test_uniform(&random, 0.0f, 255.9f));
        p->a = (uint8_t)(is_opaque ? 255 : (uint32_t)test_uniform(&random, 0.0f, 255.9f));
    }
    return true;
}

static inline bool picture_is_same(const pelt_picture* a, const pelt_picture* b)
{
    return a->width == b->width && a->height == b->height &&
           memcmp(a->pixels, b->pixels, (size_t)a->width * a->height * sizeof *a->pixels) == 0;
}

// A whole file; free the result.
static inline uint8_t* picture_read_file(size_t* size, const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t* bytes = malloc(*size + 1);
    *size = fread(bytes, 1, *size, file);
    fclose(file);
    return bytes;
}

#endif
