// SPDX-License-Identifier: MIT
#include "bake_plot.h"

#include <stdio.h>
#include <string.h>

static const struct
{
    plot_mark mark;
    plot_color color;
    plot_side side; // of labels: away from the line
} styles[PELT_ENCODING_COUNT] = {
    [PELT_ENCODING_QT] = {PLOT_CIRCLE, PLOT_BLUE, PLOT_RIGHT},
    [PELT_ENCODING_LOCAL] = {PLOT_SQUARE, PLOT_VERMILION, PLOT_RIGHT},
    [PELT_ENCODING_MATRIX] = {PLOT_TRIANGLE, PLOT_GREEN, PLOT_ABOVE},
    [PELT_ENCODING_DQ] = {PLOT_DIAMOND, PLOT_PURPLE, PLOT_ABOVE},
    [PELT_ENCODING_VERTEX] = {PLOT_STAR, PLOT_BLACK, PLOT_ABOVE},
};

void bake_plot_begin(plot* out)
{
    *out = (plot){.title = "Largest error of animation textures",
                  .x_title = "bytes per joint and key of the source",
                  .y_title = "millimeters per meter of height",
                  .notes = {"lines: the human, by bits or budget", "loose marks: other characters",
                            "hollow: fewer keys, or a variant"}};
    // Loose marks first, so that lines and their labels cover them.
    for (int i = 0; i < PELT_ENCODING_COUNT; ++i)
    {
        plot_series_add(out, NULL, styles[i].mark, styles[i].color);
    }
    for (int i = 0; i < PELT_ENCODING_COUNT; ++i)
    {
        const char* label = pelt_encoding_name((pelt_encoding)i);
        plot_series_add(out, label, styles[i].mark, styles[i].color)->is_line = true;
    }
}

void bake_plot_add(plot* out, const char* subject, const char* encoding, bool is_variant,
                   const bake_trial* trial)
{
    char name[16];
    size_t length = strcspn(encoding, " ");
    snprintf(name, sizeof name, "%.*s", (int)length, encoding);
    pelt_encoding found = pelt_encoding_find(name);
    bool is_line = strcmp(subject, "rig:human") == 0 && !is_variant;
    if (found == PELT_ENCODING_COUNT || strcmp(subject, "rig:box") == 0)
    {
        return;
    }
    plot_series* series = &out->series[(is_line ? PELT_ENCODING_COUNT : 0) + (int)found];
    if (series->point_count < PLOT_POINT_MAX)
    {
        plot_point_add(series, (plot_point){.x = trial->bytes_per_joint_key,
                                            .y = trial->everywhere.max,
                                            .label = is_line ? encoding + length + 1 : NULL,
                                            .side = styles[found].side,
                                            .is_hollow = is_variant});
    }
}
