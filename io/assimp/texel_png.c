// SPDX-License-Identifier: MIT
// Bare texels as a PNG file (ISO/IEC 15948), so that they are like all other images of a scene.
#include "texel_png.h"

#include "../packed/packed.h"

#include <string.h>

enum
{
    SIDE_MAX = 16384,
};

// Rows of RGBA, each after the number of its filter, which is none.
static uint8_t* make_rows(const uint8_t* rgba, uint32_t width, uint32_t height)
{
    size_t row = 4 * (size_t)width;
    uint8_t* rows = pelt_allocate(row + 1, height);
    for (uint32_t y = 0; rows != NULL && y < height; ++y)
    {
        rows[y * (row + 1)] = 0;
        memcpy(rows + y * (row + 1) + 1, rgba + y * row, row);
    }
    return rows;
}

pelt_result pelti_texel_png(uint8_t** out, size_t* out_size, const uint8_t* rgba, uint32_t width,
                            uint32_t height, pelt_error* error)
{
    *out = NULL;
    if (width == 0 || height == 0 || width > SIDE_MAX || height > SIDE_MAX)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "an image of %u x %u texels cannot be kept: 1 to %u on a side are "
                              "possible",
                              width, height, SIDE_MAX);
    }
    uint8_t* rows = make_rows(rgba, width, height);
    pelt_result result = PELT_ERROR_MEMORY;
    if (rows != NULL)
    {
        result = pelti_png_pack(out, out_size, rows, width, height, 8);
    }
    pelt_release(rows);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}
