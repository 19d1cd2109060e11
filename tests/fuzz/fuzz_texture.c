// SPDX-License-Identifier: MIT
// Any bytes as a texture file: refused with a sentence, or words that are all there. The first byte
// is the format, the second the texel and two sizes; the rest is the file.
#include "texture/texture_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void check(const pelti_texture* texture, pelt_texture_format format, pelt_result result,
                  const pelt_error* error)
{
    if (result != PELT_OK)
    {
        if (error->message[0] == '\0')
        {
            abort();
        }
        return;
    }
    // What was read can be written, and read again.
    pelti_blob file = {0};
    if (pelti_texture_write(&file, texture, format, NULL) != PELT_OK)
    {
        abort();
    }
    pelti_blob_release(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 2)
    {
        return 0;
    }
    pelt_texture_format format = (pelt_texture_format)(data[0] % PELT_TEXTURE_FORMAT_COUNT);
    pelti_texture texture = {.texel = (pelt_texel)(PELT_TEXEL_RGBA32UI + data[1] % 3),
                             .width = 1 + (data[1] >> 2) % 8,
                             .height = 1 + (data[1] >> 5)};
    // Copies of exactly these sizes, so that the first byte too far is seen.
    uint8_t* copy = malloc(size - 2 > 0 ? size - 2 : 1);
    memcpy(copy, data + 2, size - 2);
    texture.words = calloc(pelti_texture_words(&texture), sizeof *texture.words);
    pelt_arena* scratch = pelt_arena_create();
    pelt_error error = {{0}};
    const pelti_texture_source source = {"fuzz", copy, size - 2, scratch, &error};
    check(&texture, format, pelti_texture_read(&texture, format, &source), &error);
    pelt_arena_destroy(scratch);
    free(texture.words);
    free(copy);
    return 0;
}
