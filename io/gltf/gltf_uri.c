// SPDX-License-Identifier: MIT
// What a URI of a glTF stands for: bytes in the text itself, or a file below its folder.
#include "../path_below.h"
#include "gltf_read.h"

#include <ctype.h>
#include <string.h>

bool pelti_uri_is_data(const char* uri)
{
    return strncmp(uri, "data:", 5) == 0;
}

// ---------------------------------------------------------------------------------------------
// Base64

enum
{
    NOT_A_DIGIT = 64,
};

static void fill_digits(uint8_t digits[256])
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    memset(digits, NOT_A_DIGIT, 256);
    for (uint8_t i = 0; i < 64; ++i)
    {
        digits[(uint8_t)alphabet[i]] = i;
    }
    // The variant for file names.
    digits['-'] = 62;
    digits['_'] = 63;
}

// Up to four digits as up to three bytes; returns false for a character that is no digit.
static bool decode_group(uint8_t out[3], const char* text, size_t count, const uint8_t* digits)
{
    uint32_t bits = 0;
    uint8_t seen = 0;
    for (size_t i = 0; i < 4; ++i)
    {
        uint8_t digit = i < count ? digits[(uint8_t)text[i]] : 0;
        seen |= digit;
        bits = bits << 6 | (digit & 63u);
    }
    out[0] = (uint8_t)(bits >> 16);
    out[1] = (uint8_t)(bits >> 8);
    out[2] = (uint8_t)bits;
    return (seen & NOT_A_DIGIT) == 0;
}

static bool decode_base64(uint8_t* out, const char* text, size_t length)
{
    uint8_t digits[256];
    fill_digits(digits);
    bool is_good = length % 4 != 1;
    size_t whole = length / 4 * 4;
    for (size_t i = 0; i < whole && is_good; i += 4, out += 3)
    {
        is_good = decode_group(out, text + i, 4, digits);
    }
    if (is_good && whole < length)
    {
        uint8_t last[3];
        is_good = decode_group(last, text + whole, length - whole, digits);
        memcpy(out, last, length - whole - 1);
    }
    return is_good;
}

pelt_result pelti_uri_decode(pelti_blob* out, pelti_gltf* g, const char* uri, const pelti_place* at)
{
    const char* comma = strchr(uri, ',');
    const char* mark = strstr(uri, ";base64,");
    if (comma == NULL || mark == NULL || comma != mark + 7)
    {
        return pelti_gltf_fail(g, at, "this data URI is not base64");
    }
    const char* text = comma + 1;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '=')
    {
        --length;
    }
    pelti_blob blob = {.size = length / 4 * 3 + (length % 4 > 1 ? length % 4 - 1 : 0)};
    blob.data = pelt_allocate(blob.size + 1, 1);
    if (blob.data == NULL)
    {
        return pelt_error_memory(g->error);
    }
    if (!decode_base64(blob.data, text, length))
    {
        pelti_blob_release(&blob);
        return pelti_gltf_fail(g, at, "this data URI holds characters that are not base64");
    }
    *out = blob;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Files

static int hex_digit(char c)
{
    const char* digits = "0123456789abcdef";
    const char* found = c != '\0' ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

void pelti_uri_unescape(char* text)
{
    char* out = text;
    while (*text != '\0')
    {
        int high = text[0] == '%' ? hex_digit(text[1]) : -1;
        int low = high >= 0 ? hex_digit(text[2]) : -1;
        if (low >= 0 && (high > 0 || low > 0))
        {
            *out++ = (char)(high * 16 + low);
            text += 3;
            continue;
        }
        *out++ = *text++;
    }
    *out = '\0';
}

pelt_result pelti_uri_path(char** out, pelti_gltf* g, const char* uri, const pelti_place* at)
{
    size_t folder = pelti_path_folder(g->path);
    size_t size = folder + strlen(uri) + 1;
    char* path = pelt_allocate(size, 1);
    if (path == NULL)
    {
        return pelt_error_memory(g->error);
    }
    memcpy(path, g->path, folder);
    memcpy(path + folder, uri, size - folder);
    pelti_uri_unescape(path + folder);
    pelt_error reason = {{0}};
    pelt_result result = pelti_path_below(path, folder, &reason);
    if (result != PELT_OK)
    {
        pelt_release(path);
        return result == PELT_ERROR_DATA ? pelti_gltf_fail(g, at, "%s", reason.message)
                                         : pelt_error_set(g->error, result, "%s", reason.message);
    }
    *out = path;
    return PELT_OK;
}
