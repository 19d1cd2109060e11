// SPDX-License-Identifier: MIT
#include "bake_plot.h"

#include <string.h>

// A series for the lines, and right after it one for loose marks.
static const struct
{
    pelt_encoding encoding;
    plot_mark mark;
    plot_color color;
} styles[] = {
    {PELT_ENCODING_QT, PLOT_CIRCLE, PLOT_BLUE},
    {PELT_ENCODING_LOCAL, PLOT_SQUARE, PLOT_VERMILION},
    {PELT_ENCODING_MATRIX, PLOT_TRIANGLE, PLOT_GREEN},
    {PELT_ENCODING_DQ, PLOT_DIAMOND, PLOT_PURPLE},
    {PELT_ENCODING_VERTEX, PLOT_STAR, PLOT_BLACK},
};

enum
{
    STYLE_COUNT = sizeof styles / sizeof styles[0],
};

void bake_plot_begin(plot* out)
{
    *out = (plot){.title = "Largest error of animation textures",
                  .x_title = "bytes per joint and key of the source",
                  .y_title = "millimeters per meter of height",
                  .notes = {"lines: the built-in human, with bits", "loose marks: other characters",
                            "hollow: half the keys, or variants"}};
    for (int i = 0; i < STYLE_COUNT; ++i)
    {
        const char* label = pelt_encoding_name(styles[i].encoding);
        plot_series_add(out, label, styles[i].mark, styles[i].color)->is_line = true;
        plot_series_add(out, NULL, styles[i].mark, styles[i].color);
    }
}

static plot_series* find_series(plot* out, const char* encoding, bool is_line)
{
    size_t length = strcspn(encoding, " ");
    for (uint32_t i = 0; i < out->series_count; i += 2)
    {
        const char* label = out->series[i].label;
        if (strlen(label) == length && memcmp(label, encoding, length) == 0)
        {
            return &out->series[i + (is_line ? 0 : 1)];
        }
    }
    return NULL;
}

void bake_plot_add(plot* out, const char* subject, const char* encoding, bool is_half,
                   const bake_trial* trial)
{
    const char* bits = strchr(encoding, ' ') + 1;
    bool is_variant = is_half || strchr(bits, ' ') != NULL;
    bool is_line = strcmp(subject, "rig:human") == 0 && !is_variant;
    plot_series* series = find_series(out, encoding, is_line);
    if (strcmp(subject, "rig:box") != 0 && series != NULL && series->point_count < PLOT_POINT_MAX)
    {
        plot_point_add(series, (plot_point){.x = trial->bytes_per_joint_key,
                                            .y = trial->everywhere.max,
                                            .label = is_line ? bits : NULL,
                                            .side = PLOT_ABOVE,
                                            .is_hollow = is_variant});
    }
}
