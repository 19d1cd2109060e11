// SPDX-License-Identifier: MIT
// Numbers, frame rates and table rows as people read them.
#include "panes/quantity.h"
#include "test.h"

#include <string.h>

static bool is_text(const char* text, const char* expected)
{
    bool is_same = strcmp(text, expected) == 0;
    if (!is_same)
    {
        printf("\"%s\" instead of \"%s\"\n", text, expected);
    }
    return is_same;
}

static int lengths_have_three_digits_and_a_unit_that_suits(void)
{
    char out[QUANTITY_BYTES];
    ENSURE(is_text(quantity_length(out, 0.0), "0 mm"));
    ENSURE(is_text(quantity_length(out, 4e-7), "below 0.001 mm"));
    ENSURE(is_text(quantity_length(out, 4.112e-4), "0.411 mm"));
    ENSURE(is_text(quantity_length(out, 0.01114), "11.1 mm"));
    ENSURE(is_text(quantity_length(out, 0.9994), "999 mm"));
    ENSURE(is_text(quantity_length(out, 0.9996), "1.00 m"));
    ENSURE(is_text(quantity_length(out, 1.2345), "1.23 m"));
    ENSURE(is_text(quantity_length(out, 156000.0), "156 km"));
    return 0;
}

static int sizes_are_megabytes_above_a_thousand_kilobytes(void)
{
    char out[QUANTITY_BYTES];
    ENSURE(is_text(quantity_size(out, 512), "512 bytes"));
    ENSURE(is_text(quantity_size(out, 1540), "1.54 kB"));
    ENSURE(is_text(quantity_size(out, 999400), "999 kB"));
    ENSURE(is_text(quantity_size(out, 1000000), "1.00 MB"));
    ENSURE(is_text(quantity_size(out, 12345678), "12.3 MB"));
    ENSURE(is_text(quantity_size(out, 5000000000u), "5.00 GB"));
    return 0;
}

static int durations_are_seconds_above_a_thousand_milliseconds(void)
{
    char out[QUANTITY_BYTES];
    ENSURE(is_text(quantity_duration(out, 0.4512), "0.45 ms"));
    ENSURE(is_text(quantity_duration(out, 27.21), "27.2 ms"));
    ENSURE(is_text(quantity_duration(out, 12345.0), "12.3 s"));
    return 0;
}

static int no_number_has_an_exponent(void)
{
    char out[QUANTITY_BYTES];
    for (double number = 1e-9; number < 1e12; number *= 3.7)
    {
        ENSURE(strpbrk(quantity_number(out, number), "eE") == NULL);
        ENSURE(strchr(quantity_length(out, number), 'e') == NULL || number < 1e-6);
        ENSURE(strspn(quantity_size(out, (uint64_t)number), "0123456789.") < strlen(out));
    }
    ENSURE(is_text(quantity_number(out, 1230.0), "1230"));
    ENSURE(is_text(quantity_grouped(out, 20015), "20 015"));
    return 0;
}

static int the_frame_rate_is_that_of_the_last_second(void)
{
    float frames[240];
    for (int i = 0; i < 240; ++i)
    {
        frames[i] = i < 100 ? 15000.0f : 10.0f;
    }
    ENSURE_NEAR((float)frame_rate(frames, 240), 100.0f, 1e-3f);
    frames[239] = 2000.0f; // longer than a second: it alone counts
    ENSURE_NEAR((float)frame_rate(frames, 240), 0.5f, 1e-6f);
    frames[238] = 15000.0f;
    frames[239] = 10.0f;
    ENSURE_NEAR((float)frame_rate(frames, 240), 100.0f, 1e-3f);
    ENSURE(frame_rate(frames, 0) == 0.0);
    return 0;
}

// Where the words or numbers of a row end.
static uint32_t find_ends(size_t out[16], const char* row, size_t from)
{
    uint32_t count = 0;
    for (size_t i = from; row[i] != '\0'; ++i)
    {
        bool is_end = row[i] != ' ' && (row[i + 1] == ' ' || row[i + 1] == '\0');
        if (is_end)
        {
            out[count++] = i;
        }
    }
    return count;
}

static int heads_of_tables_are_over_their_columns(void)
{
    char head[BENCHMARK_ROW_BYTES], text[BENCHMARK_ROW_BYTES];
    size_t ends[16], of_row[16];
    benchmark_row row = {.technique = "matrix-texture",
                         .is_measured = true,
                         .instance_count = 4096,
                         .frame_ms = 33.41,
                         .rating = 1234567.0,
                         .breakpoints = {100.0, 2000.0, 4096.0},
                         .part = 1.0};
    benchmark_rows_head(head);
    benchmark_rows_write(text, &row);
    // "crowd", "frame ms", "rating", and the three rates: the last word of each ends its column.
    uint32_t count = find_ends(ends, head, 14), row_count = find_ends(of_row, text, 14);
    ENSURE(count == 10 && row_count == 7);
    const uint32_t last_words[6] = {0, 2, 3, 5, 7, 9};
    for (uint32_t i = 0; i < 6; ++i)
    {
        ENSURE(ends[last_words[i]] == of_row[i]);
    }
    benchmark_rows_trial_head(head);
    benchmark_rows_trial(text, "matrix-texture", "interpolation", 123456.0, 1.234);
    ENSURE(strstr(head, "without") - head == strstr(text, "interpolation") - text);
    ENSURE(strstr(head, "rating") + 6 - head == strstr(text, "123456") + 6 - text);
    ENSURE(strlen(head) == strlen(text));
    return 0;
}

static int a_row_that_is_not_measured_is_empty(void)
{
    char text[BENCHMARK_ROW_BYTES];
    benchmark_rows_write(text, &(benchmark_row){.technique = "control", .part = 0.5});
    ENSURE(strncmp(text, "control", 7) == 0 && strspn(text + 7, " ") == strlen(text + 7));
    return 0;
}

void test_quantity(void)
{
    RUN(lengths_have_three_digits_and_a_unit_that_suits);
    RUN(sizes_are_megabytes_above_a_thousand_kilobytes);
    RUN(durations_are_seconds_above_a_thousand_milliseconds);
    RUN(no_number_has_an_exponent);
    RUN(the_frame_rate_is_that_of_the_last_second);
    RUN(heads_of_tables_are_over_their_columns);
    RUN(a_row_that_is_not_measured_is_empty);
}
