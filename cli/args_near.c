// SPDX-License-Identifier: MIT
// Which valid names a mistyped one may have meant.
#include "args.h"

#include <string.h>

enum
{
    WORD_MAX = 48,
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Letters to insert, delete or replace (Levenshtein), of words cut to WORD_MAX.
static uint32_t edit_distance(const char* a, const char* b)
{
    size_t a_length = strlen(a) < WORD_MAX ? strlen(a) : WORD_MAX;
    size_t b_length = strlen(b) < WORD_MAX ? strlen(b) : WORD_MAX;
    uint32_t row[WORD_MAX + 1];

    for (size_t j = 0; j <= b_length; ++j)
    {
        row[j] = (uint32_t)j;
    }
    for (size_t i = 1; i <= a_length; ++i)
    {
        uint32_t diagonal = row[0];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= b_length; ++j)
        {
            uint32_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

args_near args_find_near(const char* word, const char* const* names, uint32_t count)
{
    args_near near = {{0}};
    size_t used = 0;
    // A third of the letters may be wrong, and at least two.
    uint32_t limit = strlen(word) > 6 ? (uint32_t)strlen(word) / 3 : 2;

    for (uint32_t distance = 0; distance <= limit; ++distance)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            bool is_prefix = word[0] != '\0' && strncmp(names[i], word, strlen(word)) == 0;
            uint32_t found = is_prefix ? 0 : edit_distance(word, names[i]);
            if (found == distance && used + strlen(names[i]) + 3 < sizeof near.names)
            {
                used += (size_t)snprintf(near.names + used, sizeof near.names - used, "%s%s",
                                         used > 0 ? ", " : "", names[i]);
            }
        }
        // Worse guesses beside a good one only confuse.
        if (used > 0)
        {
            break;
        }
    }
    return near;
}
