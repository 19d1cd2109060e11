// SPDX-License-Identifier: MIT
// Any bytes as a picture: refused, or pixels that can all be read.
#include "picture.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// So that the compiler cannot do without the pixels.
static volatile uint32_t seen;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    uint8_t* copy = malloc(size + 1);
    memcpy(copy, data, size);

    pelt_picture picture;
    pelt_error error = {{0}};
    uint32_t sum = 0;
    if (pelt_picture_decode(&picture, copy, size, "fuzz", &error) == PELT_OK)
    {
        for (size_t i = 0; i < (size_t)picture.width * picture.height; ++i)
        {
            sum += picture.pixels[i].r + picture.pixels[i].a;
        }
    }
    else if (picture.pixels != NULL || error.message[0] == '\0')
    {
        abort();
    }
    pelt_picture_destroy(&picture);
    free(copy);
    seen = sum;
    return 0;
}
