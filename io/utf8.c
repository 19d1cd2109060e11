// SPDX-License-Identifier: MIT
#include "utf8.h"

#include <stdint.h>

size_t pelti_utf8_size(const char* at, const char* end)
{
    uint32_t first = (uint8_t)*at;
    if (first < 0x80)
    {
        return 1;
    }
    size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    // Shorter forms of the same code are not UTF-8, nor are halves of surrogate pairs.
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code = first & (0xFFu >> (size + 1));
    bool is_good = first >= 0xC2 && first <= 0xF4 && (size_t)(end - at) >= size;
    for (size_t i = 1; i < size && is_good; ++i)
    {
        uint32_t next = (uint8_t)at[i];
        is_good = (next & 0xC0) == 0x80;
        code = code << 6 | (next & 0x3F);
    }
    is_good = is_good && code >= least[size] && code <= 0x10FFFF;
    return is_good && !(code >= 0xD800 && code <= 0xDFFF) ? size : 0;
}

bool pelti_utf8_is_valid(const char* text, size_t size)
{
    const char* end = text + size;
    while (text < end)
    {
        size_t step = pelti_utf8_size(text, end);
        if (step == 0)
        {
            return false;
        }
        text += step;
    }
    return true;
}
