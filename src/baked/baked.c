// SPDX-License-Identifier: MIT
// A baked animation texture as a whole: names, sizes, and whether decoders may trust it.
#include "../base/exact.h"

#include "baked_texels.h"

#include <string.h>

static const char* const encoding_names[] = {"qt", "local", "matrix", "dq", "vertex"};

const char* pelt_encoding_name(pelt_encoding encoding)
{
    PELT_ASSERT((unsigned)encoding < PELT_ENCODING_COUNT);
    return encoding_names[encoding];
}

pelt_encoding pelt_encoding_find(const char* name)
{
    int encoding = 0;
    while (encoding < PELT_ENCODING_COUNT && strcmp(name, encoding_names[encoding]) != 0)
    {
        ++encoding;
    }
    return (pelt_encoding)encoding;
}

static const char* const layout_names[] = {"modern", "thesis"};

const char* pelt_bake_layout_name(pelt_bake_layout layout)
{
    PELT_ASSERT((unsigned)layout < PELT_BAKE_LAYOUT_COUNT);
    return layout_names[layout];
}

pelt_bake_layout pelt_bake_layout_find(const char* name)
{
    int layout = 0;
    while (layout < PELT_BAKE_LAYOUT_COUNT && strcmp(name, layout_names[layout]) != 0)
    {
        ++layout;
    }
    return (pelt_bake_layout)layout;
}

const char* pelt_texel_name(pelt_texel texel)
{
    static const char* const names[] = {"auto", "rgba32ui", "rgba16ui", "rgba8ui"};
    PELT_ASSERT((unsigned)texel < PELT_TEXEL_COUNT);
    return names[texel];
}

uint32_t pelt_texel_words(pelt_texel texel)
{
    return texel == PELT_TEXEL_RGBA8UI ? 1 : texel == PELT_TEXEL_RGBA16UI ? 2 : 4;
}

void pelt_baked_destroy(pelt_baked* baked)
{
    if (baked != NULL)
    {
        pelt_arena_destroy(baked->arena);
    }
}

static size_t word_count(const pelt_baked* baked)
{
    return (size_t)baked->width * baked->height * pelt_texel_words(baked->texel);
}

size_t pelt_baked_bytes(const pelt_baked* baked)
{
    return word_count(baked) * sizeof *baked->words;
}

uint32_t pelt_baked_find_clip(const pelt_baked* baked, const char* name)
{
    for (uint32_t clip = 0; clip < baked->clip_count; ++clip)
    {
        if (strcmp(baked->clips[clip].name, name) == 0)
        {
            return clip;
        }
    }
    return PELT_NONE;
}
