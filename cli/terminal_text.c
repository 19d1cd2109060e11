// SPDX-License-Identifier: MIT
#include "terminal_text.h"

#include <stdint.h>

// One character of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing past U+10FFFF.
// @return its length in bytes; 0 when there is none
static int decode(uint32_t* out, const char* text)
{
    const unsigned char* bytes = (const unsigned char*)text;
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = bytes[0] < 0x80             ? 1
                 : (bytes[0] & 0xe0) == 0xc0 ? 2
                 : (bytes[0] & 0xf0) == 0xe0 ? 3
                 : (bytes[0] & 0xf8) == 0xf0 ? 4
                                             : 0;
    *out = length < 2 ? bytes[0] : bytes[0] & (0x7fu >> length);
    for (int i = 1; i < length; ++i)
    {
        if ((bytes[i] & 0xc0) != 0x80) // the final zero among others
        {
            return 0;
        }
        *out = *out << 6 | (bytes[i] & 0x3fu);
    }
    bool is_surrogate = *out >= 0xd800 && *out <= 0xdfff;
    return length > 0 && *out >= smallest[length] && *out <= 0x10ffff && !is_surrogate ? length : 0;
}

static bool is_letter(uint32_t c)
{
    bool is_control = c < 0x20 || (c >= 0x7f && c <= 0x9f);
    bool is_line_end = c == 0x2028 || c == 0x2029;
    // Unicode, "Bidirectional Algorithm", table 4: marks, embeddings, overrides and isolates.
    bool is_direction = c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
                        (c >= 0x2066 && c <= 0x2069);
    return !is_control && !is_line_end && !is_direction;
}

void terminal_text_clean(char* text)
{
    char* out = text;
    while (*text != '\0')
    {
        uint32_t c;
        int length = decode(&c, text);
        if (length == 0 || !is_letter(c))
        {
            *out++ = '?';
            text += length > 0 ? length : 1;
            continue;
        }
        for (int i = 0; i < length; ++i)
        {
            *out++ = *text++;
        }
    }
    *out = '\0';
}

bool terminal_text_is_clean(const char* text)
{
    while (*text != '\0')
    {
        uint32_t c;
        int length = decode(&c, text);
        if (length == 0 || !(is_letter(c) || c == '\n'))
        {
            return false;
        }
        text += length;
    }
    return true;
}
