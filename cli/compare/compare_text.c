// SPDX-License-Identifier: MIT
// A comparison on the terminal: one table and the recommendation.
#include "compare_report.h"

#include "output.h"
#include "terminal.h"
#include "wording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LINE_LENGTH = 98,
};

// In lines that a terminal holds.
static void put_wrapped(FILE* out, const char* text)
{
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", text);
    terminal_text_clean(copy);
    size_t used = 0;
    for (char* word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
    {
        bool is_first = used == 0;
        bool fits = used + 1 + strlen(word) <= LINE_LENGTH;
        used = is_first || !fits ? strlen(word) : used + 1 + strlen(word);
        fprintf(out, "%s%s", is_first ? "" : fits ? " " : "\n", word);
    }
    fputc('\n', out);
}

static void put_cell(table* list, double value, const char* unit)
{
    bool is_known = isfinite(value);
    table_cell(list, "%s%s%s", wording_number(value).text, is_known ? " " : "",
               is_known ? unit : "");
}

static bool put_table(FILE* out, const compare_report* r)
{
    const comparison* in = r->data;
    const char* length = wording_length_unit(in);
    table list;
    table_begin(&list, "lrrrrrr",
                (const char* const[]){"METHOD", "SHAPE ERROR", "RADIUS LOST", "BULGE",
                                      "VOLUME FROM", "TO", "CPU PER VERTEX"});
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        double values[3], volume[2];
        for (int k = 0; k < 3; ++k)
        {
            double value = comparison_summary(in, i, PELT_NONE, 0, (quantity)k);
            values[k] = wording_scaled(in, (quantity)k, value);
        }
        compare_volume_range(volume, in, i);
        table_cell(&list, "%s%s", in->contenders.items[i].name,
                   i == r->why->choice ? " (recommended)" : "");
        put_cell(&list, values[0], length);
        put_cell(&list, values[1], "%");
        put_cell(&list, values[2], length);
        put_cell(&list, 100.0 * volume[0], "%");
        put_cell(&list, 100.0 * volume[1], "%");
        put_cell(&list, 1e9 * r->costs[i].cpu_seconds, "ns");
    }
    return table_end(&list, out);
}

bool compare_as_text(FILE* out, const compare_report* r)
{
    const verdict* why = r->why;
    bool is_whole = put_table(out, r);
    fputc('\n', out);
    put_wrapped(out, why->headline);
    put_wrapped(out, why->summary);
    for (uint32_t i = 0; i < why->reason_count; ++i)
    {
        put_wrapped(out, why->reasons[i]->text);
    }
    put_wrapped(out, why->cost);
    if (why->sampling[0] != '\0')
    {
        put_wrapped(out, why->sampling);
    }
    return is_whole;
}
