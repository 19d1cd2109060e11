// SPDX-License-Identifier: MIT
// Tables of the page: methods, costs, and every quantity by joint and by motion.
#include "compare_report.h"

#include "html.h"
#include "wording.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// One row for each joint or motion, one column for each contender

typedef struct matrix_row
{
    const char* name;
    uint32_t motion; // PELT_NONE: all
    uint32_t row;    // of the comparison
} matrix_row;

// Whether no number is smaller in the digits that are shown, and one is larger: the
// one to print bold.
static bool is_least(const double* values, uint32_t stride, uint32_t count, uint32_t own)
{
    double value = fabs(values[(size_t)own * stride]);
    wording text = wording_number(value);
    bool is_beaten = false, differs = false;
    for (uint32_t i = 0; i < count; ++i)
    {
        double other = fabs(values[(size_t)i * stride]);
        bool is_equal = strcmp(wording_number(other).text, text.text) == 0;
        is_beaten = is_beaten || (!is_equal && other < value);
        differs = differs || !is_equal;
    }
    return differs && !is_beaten;
}

static void put_matrix_row(FILE* out, const comparison* in, const matrix_row* row, quantity what)
{
    double values[CONTENDER_MAX] = {0.0};
    uint32_t count = in->contenders.count;
    for (uint32_t i = 0; i < count; ++i)
    {
        double value = comparison_summary(in, i, row->motion, row->row, what);
        values[i] = wording_scaled(in, what, value);
    }
    html_table_row(out, false);
    html_table_name(out, row->name, NULL);
    for (uint32_t i = 0; i < count; ++i)
    {
        double value = comparison_summary(in, i, row->motion, row->row, what);
        html_number number = {.value = values[i],
                              .is_best = is_least(values, 1, count, i),
                              .is_marked = comparison_exceeds(in, row->row, what, value)};
        wording text = wording_number(values[i]);
        number.text = text.text;
        html_table_number(out, number);
    }
}

static void begin_matrix(FILE* out, const comparison* in, quantity what, const char* by,
                         const char* first)
{
    char caption[160];
    snprintf(caption, sizeof caption, "%s by %s, %s (%s)", quantity_infos[what].title, by,
             what == QUANTITY_SHAPE ? "root mean square" : "worst moment", wording_unit(in, what));
    html_table_begin(out, caption);
    html_table_heading(out, first, NULL, false);
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        html_table_heading(out, in->contenders.items[i].name, NULL, true);
    }
    html_table_body(out);
}

enum
{
    TABLE_ROW_MAX = 500, // of more, a page takes too long to open
};

static uint32_t row_limit(uint32_t count)
{
    return count < TABLE_ROW_MAX ? count : TABLE_ROW_MAX;
}

static void put_joints(FILE* out, const comparison* in)
{
    for (int what = 0; what < QUANTITY_COUNT; ++what)
    {
        begin_matrix(out, in, (quantity)what, "joint", "joint");
        for (uint32_t i = 1; i < row_limit(in->row_count); ++i)
        {
            matrix_row row = {in->rows[i].name, PELT_NONE, i};
            put_matrix_row(out, in, &row, (quantity)what);
        }
        html_table_end(out);
    }
}

static void put_motions(FILE* out, const comparison* in)
{
    bool has_clips = in->motions.items[0].kind == MOTION_CLIP;
    for (int what = 0; what < QUANTITY_COUNT; ++what)
    {
        begin_matrix(out, in, (quantity)what, has_clips ? "clip" : "motion",
                     has_clips ? "clip" : "motion");
        for (uint32_t i = 0; i < row_limit(in->motions.count); ++i)
        {
            matrix_row row = {in->motions.items[i].name, i, 0};
            put_matrix_row(out, in, &row, (quantity)what);
        }
        html_table_end(out);
    }
}

void compare_html_tables(FILE* out, const compare_report* r)
{
    const comparison* in = r->data;
    fputs("<details><summary>By joint</summary>\n", out);
    put_joints(out, in);
    fprintf(out, "</details>\n<details><summary>By %s</summary>\n",
            in->motions.items[0].kind == MOTION_CLIP ? "clip" : "motion");
    put_motions(out, in);
    fputs("</details>\n", out);
}

// ---------------------------------------------------------------------------------------------
// One row for each contender

void compare_volume_range(double out[2], const comparison* in, uint32_t contender)
{
    bool has_volume = in->info->regions[0].volume > 0.0;
    out[0] = has_volume ? (double)INFINITY : (double)NAN;
    out[1] = has_volume ? -(double)INFINITY : (double)NAN;
    for (uint32_t i = 0; has_volume && i < in->motions.frame_count; ++i)
    {
        double change = comparison_value(in, contender, i, 0, QUANTITY_VOLUME);
        out[0] = fmin(out[0], change);
        out[1] = fmax(out[1], change);
    }
}

enum
{
    COLUMN_COUNT = 10,
};

// The cells of one contender in the table of methods.
static void fill_columns(double out[COLUMN_COUNT], const comparison* in, uint32_t contender)
{
    const double degrees = 57.29577951;
    comparison_surface surface = comparison_surface_summary(in, contender);
    double volume[2];
    compare_volume_range(volume, in, contender);
    for (int i = 0; i < 3; ++i)
    {
        double value = comparison_summary(in, contender, PELT_NONE, 0, (quantity)i);
        out[i] = wording_scaled(in, (quantity)i, value);
    }
    out[3] = 100.0 * volume[0];
    out[4] = 100.0 * volume[1];
    out[5] = 100.0 * surface.strain_rms;
    out[6] = degrees * surface.fold_95;
    out[7] = degrees * surface.normal_95;
    out[8] = wording_length(in, surface.jump);
    out[9] = wording_length(in, surface.gap);
}

static bool is_column_marked(const comparison* in, uint32_t contender, int column)
{
    static const quantity whats[] = {QUANTITY_SHAPE, QUANTITY_RADIUS, QUANTITY_BULGE};
    double volume[2];
    compare_volume_range(volume, in, contender);
    if (column < 3)
    {
        double value = comparison_summary(in, contender, PELT_NONE, 0, whats[column]);
        return comparison_exceeds(in, 0, whats[column], value);
    }
    return column < 5 && comparison_exceeds(in, 0, QUANTITY_VOLUME, volume[column - 3]);
}

void compare_html_methods(FILE* out, const compare_report* r)
{
    static const char* const names[COLUMN_COUNT] = {
        "Shape error", "Radius lost", "Bulge",   "Volume from", "to",
        "Strain",      "Creases",     "Normals", "Jumps",       "Cracks"};
    const comparison* in = r->data;
    const char* length = wording_length_unit(in);
    const char* const units[COLUMN_COUNT] = {length, "%",       length,    "%",    "%",
                                             "%",    "degrees", "degrees", length, length};
    double columns[CONTENDER_MAX][COLUMN_COUNT] = {{0.0}};
    html_table_begin(out, "All methods over all frames; the best of a column is bold");
    html_table_heading(out, "method", NULL, false);
    for (int k = 0; k < COLUMN_COUNT; ++k)
    {
        html_table_heading(out, names[k], units[k], true);
    }
    html_table_body(out);
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        fill_columns(columns[i], in, i);
    }
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        html_table_row(out, i == r->why->choice);
        html_table_name(out, in->contenders.items[i].name, in->contenders.items[i].title);
        for (int k = 0; k < COLUMN_COUNT; ++k)
        {
            wording text = wording_number(columns[i][k]);
            html_table_number(
                out, (html_number){columns[i][k], text.text,
                                   is_least(&columns[0][k], COLUMN_COUNT, in->contenders.count, i),
                                   is_column_marked(in, i, k)});
        }
    }
    html_table_end(out);
}

// ---------------------------------------------------------------------------------------------
// Costs

static void put_cost(FILE* out, double value, bool is_known)
{
    wording text = wording_number(value);
    html_table_number(out, (html_number){is_known ? value : (double)NAN, text.text, false, false});
}

static void put_count(FILE* out, uint64_t count, bool is_known)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)count);
    html_table_number(out,
                      (html_number){is_known ? (double)count : (double)NAN, text, false, false});
}

void compare_html_costs(FILE* out, const compare_report* r)
{
    static const char* const headings[][2] = {{"CPU", "ns per vertex"},
                                              {"more memory", "bytes per vertex"},
                                              {"GPU palette", "bytes per joint"},
                                              {"if joints scale", "bytes per joint"},
                                              {"GPU skinning data", "bytes per vertex"},
                                              {"GPU in all", "kB"},
                                              {"GPU", "ns per vertex"}};
    const comparison* in = r->data;
    html_table_begin(out, "Time and memory");
    html_table_heading(out, "method", NULL, false);
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; ++i)
    {
        html_table_heading(out, headings[i][0], headings[i][1], true);
    }
    html_table_body(out);
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        const contender_cost* cost = &r->costs[i];
        double total = 1e-3 * (double)(cost->gpu.palette_total + cost->gpu.vertex_total);
        html_table_row(out, i == r->why->choice);
        html_table_name(out, in->contenders.items[i].name, in->contenders.items[i].title);
        put_cost(out, 1e9 * cost->cpu_seconds, true);
        put_count(out, cost->vertex_bytes, true);
        put_count(out, cost->gpu.joint_bytes, cost->is_on_gpu);
        put_count(out, cost->gpu.scaled_joint_bytes, cost->is_on_gpu);
        put_count(out, cost->gpu.skin_bytes, cost->is_on_gpu);
        put_cost(out, total, cost->is_on_gpu);
        put_cost(out, 1e9 * cost->gpu_seconds, isfinite(cost->gpu_seconds));
    }
    html_table_end(out);
}
