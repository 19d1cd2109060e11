// SPDX-License-Identifier: MIT
// Plots as SVG, read as text.
#define _POSIX_C_SOURCE 200809L
#include "plot.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The text of the picture in a static buffer; NULL when it cannot be written.
static const char* draw(const plot* in)
{
    static char text[65536];
    char path[] = "/tmp/pelt_test_XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor < 0)
    {
        return NULL;
    }
    close(descriptor);
    bool is_ok = plot_save(path, in, NULL) == PELT_OK;
    FILE* file = fopen(path, "rb");
    size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = '\0';
    if (file != NULL)
    {
        fclose(file);
    }
    remove(path);
    return is_ok ? text : NULL;
}

static plot* make_plot(plot_series** series)
{
    static plot out;
    out = (plot){.title = "title", .x_title = "x", .y_title = "y"};
    *series = plot_series_add(&out, "curve", PLOT_CIRCLE, PLOT_BLUE);
    (*series)->is_line = true;
    return &out;
}

// Two decades each way: three points on a line stay on one, the middle in the middle of the
// picture, which goes from (84, 492) to (700, 62) with a margin of 0.15 of a decade at each end.
static int decades_are_equally_long(void)
{
    plot_series* series;
    plot* p = make_plot(&series);
    plot_point_add(series, (plot_point){.x = 10, .y = 0.1});
    plot_point_add(series, (plot_point){.x = 100, .y = 1});
    plot_point_add(series, (plot_point){.x = 1000, .y = 10});
    char line[96];
    double dx = (700.0 - 84.0) / 2.3, dy = (492.0 - 62.0) / 2.3;
    snprintf(line, sizeof line, "M%.1f %.1fL392.0 277.0L%.1f %.1f", 392.0 - dx, 277.0 + dy,
             392.0 + dx, 277.0 - dy);
    const char* text = draw(p);
    ENSURE(text != NULL && strstr(text, line) != NULL);
    ENSURE(strstr(text, ">0.1</text>") != NULL && strstr(text, ">10</text>") != NULL);
    ENSURE(strstr(text, ">1\xe2\x80\x89\x30\x30\x30</text>") != NULL);
    ENSURE(strstr(text, ">0.01</text>") == NULL);
    return 0;
}

// From 0 to 105 % of the largest value, each way: 0 is at (84, 492), a half of 8 in the middle of
// what 8 is.
static int linear_axes_begin_at_zero(void)
{
    plot p = {.title = "title", .x_title = "x", .y_title = "y", .is_linear = true};
    plot_series* series = plot_series_add(&p, "curve", PLOT_CIRCLE, PLOT_BLUE);
    series->is_line = true;
    plot_point_add(series, (plot_point){.x = 0, .y = 0});
    plot_point_add(series, (plot_point){.x = 4, .y = 50});
    plot_point_add(series, (plot_point){.x = 8, .y = 100});
    plot_point_add(series, (plot_point){.x = -1, .y = 1});
    ENSURE(series->point_count == 3);
    char line[96];
    double dx = (700.0 - 84.0) / 1.05, dy = (492.0 - 62.0) / 1.05;
    snprintf(line, sizeof line, "M84.0 492.0L%.1f %.1fL%.1f %.1f", 84.0 + dx / 2, 492.0 - dy / 2,
             84.0 + dx, 492.0 - dy);
    const char* text = draw(&p);
    ENSURE(text != NULL && strstr(text, line) != NULL);
    ENSURE(strstr(text, ">0</text>") != NULL && strstr(text, ">20</text>") != NULL);
    ENSURE(strstr(text, ">100</text>") != NULL && strstr(text, ">2</text>") != NULL);
    ENSURE(strstr(text, ">10</text>") == NULL && strstr(text, ">120</text>") == NULL);
    return 0;
}

static int points_without_a_logarithm_are_left_out(void)
{
    plot_series* series;
    make_plot(&series);
    plot_point_add(series, (plot_point){.x = 0, .y = 1});
    plot_point_add(series, (plot_point){.x = 1, .y = -1});
    plot_point_add(series, (plot_point){.x = (double)NAN, .y = 1});
    plot_point_add(series, (plot_point){.x = 1, .y = (double)INFINITY});
    ENSURE(series->point_count == 0);
    return 0;
}

static int plot_without_points_is_a_whole_picture(void)
{
    plot_series* series;
    const char* text = draw(make_plot(&series));
    ENSURE(text != NULL && strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
    ENSURE(strncmp(text, "<svg ", 5) == 0 && strstr(text, "</svg>\n") != NULL);
    return 0;
}

static int names_cannot_break_the_file(void)
{
    plot_series* series;
    plot* p = make_plot(&series);
    series->label = "a < b & c > d\x01";
    plot_point_add(series, (plot_point){.x = 1, .y = 1});
    const char* text = draw(p);
    ENSURE(text != NULL && strstr(text, ">a &lt; b &amp; c &gt; d?</text>") != NULL);
    return 0;
}

// Axes of two decades with a margin and of five: a short axis needs more labels than its powers of
// ten.
static int short_axes_have_labels_between_powers_of_ten(void)
{
    plot_series* series;
    plot* p = make_plot(&series);
    plot_point_add(series, (plot_point){.x = 1, .y = 0.1});
    plot_point_add(series, (plot_point){.x = 1, .y = 10});
    const char* text = draw(p);
    ENSURE(text != NULL && strstr(text, ">0.2</text>") != NULL);
    ENSURE(strstr(text, ">5</text>") != NULL && strstr(text, ">3</text>") == NULL);
    plot_point_add(series, (plot_point){.x = 1, .y = 10000});
    text = draw(p);
    ENSURE(text != NULL && strstr(text, ">0.2</text>") == NULL);
    ENSURE(strstr(text, ">0.1</text>") != NULL);
    return 0;
}

static int series_without_points_are_not_in_the_legend(void)
{
    plot_series* series;
    plot* p = make_plot(&series);
    plot_point_add(series, (plot_point){.x = 1, .y = 1});
    plot_series_add(p, "nothing", PLOT_SQUARE, PLOT_BLACK);
    const char* text = draw(p);
    ENSURE(text != NULL && strstr(text, ">curve</text>") != NULL);
    ENSURE(strstr(text, ">nothing</text>") == NULL);
    return 0;
}

static int picture_that_cannot_be_written_is_an_error(void)
{
    plot_series* series;
    plot* p = make_plot(&series);
    pelt_error error = {0};
    ENSURE(plot_save("/tmp/pelt_no_such_folder/x.svg", p, &error) == PELT_ERROR_WRITE);
    ENSURE(strstr(error.message, "x.svg") != NULL);
    return 0;
}

void test_plot(void)
{
    RUN(decades_are_equally_long);
    RUN(linear_axes_begin_at_zero);
    RUN(points_without_a_logarithm_are_left_out);
    RUN(plot_without_points_is_a_whole_picture);
    RUN(names_cannot_break_the_file);
    RUN(short_axes_have_labels_between_powers_of_ten);
    RUN(series_without_points_are_not_in_the_legend);
    RUN(picture_that_cannot_be_written_is_an_error);
}
