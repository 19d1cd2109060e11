// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "typed_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int hex_digit(char digit)
{
    static const char digits[] = "0123456789abcdef";
    char lower = digit >= 'A' && digit <= 'F' ? (char)(digit - 'A' + 'a') : digit;
    const char* found = lower != '\0' ? strchr(digits, lower) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

// %20 and the like; what is not two digits stays, as does %00.
static void decode_percent(char* inout)
{
    char* to = inout;
    for (const char* from = inout; *from != '\0';)
    {
        int high = from[0] == '%' ? hex_digit(from[1]) : -1;
        int low = high >= 0 ? hex_digit(from[2]) : -1;
        bool is_code = low >= 0 && 16 * high + low > 0;
        *to++ = is_code ? (char)(16 * high + low) : *from;
        from += is_code ? 3 : 1;
    }
    *to = '\0';
}

// Remove spaces around a text, then a pair of quotes.
static void strip(char* inout)
{
    size_t length = strlen(inout), skipped = strspn(inout, " \t\r\n");
    while (length > skipped && strchr(" \t\r\n", inout[length - 1]) != NULL)
    {
        --length;
    }
    char first = inout[skipped];
    bool is_quoted =
        length >= skipped + 2 && (first == '"' || first == '\'') && inout[length - 1] == first;
    skipped += is_quoted ? 1 : 0;
    length -= is_quoted ? 1 : 0;
    memmove(inout, inout + skipped, length - skipped);
    inout[length - skipped] = '\0';
}

bool typed_path_read(char* out, size_t size, const char* text)
{
    if (strlen(text) >= size)
    {
        return false;
    }
    strcpy(out, text);
    strip(out);
    if (strncasecmp(out, "file://", 7) == 0)
    {
        // Between the slashes may be the name of this machine.
        const char* path = strchr(out + 7, '/');
        path = path != NULL ? path : out + 7;
        memmove(out, path, strlen(path) + 1);
        decode_percent(out);
        return true;
    }
    const char* home = getenv("HOME");
    if (home == NULL || out[0] != '~' || (out[1] != '/' && out[1] != '\0'))
    {
        return true;
    }
    size_t home_length = strlen(home), rest = strlen(out + 1) + 1;
    if (home_length + rest > size)
    {
        return false;
    }
    memmove(out + home_length, out + 1, rest);
    memcpy(out, home, home_length);
    return true;
}
