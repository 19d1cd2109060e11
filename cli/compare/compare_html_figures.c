// SPDX-License-Identifier: MIT
// Pictures, legends and plots of the page.
#include "compare_report.h"

#include "html.h"
#include "line_plot.h"
#include "pelt/color.h"
#include "wording.h"

#include <math.h>
#include <stdlib.h>

enum
{
    PLOT_MOTION_MAX = 6,
    LEGEND_STOP_COUNT = 13,
};

// ---------------------------------------------------------------------------------------------
// Pictures

// The picture of a contender, with its name and a number.
static void put_panel(FILE* out, const compare_report* r, const figure* f, uint32_t contender,
                      const figure_picture* picture, const char* number)
{
    const char* name = r->data->contenders.items[contender].name;
    bool is_worst = contender == f->about.at.worst && picture == &f->shaded[contender];
    const char* state = contender == r->why->choice ? " choice" : "";
    fprintf(out, "<div class=\"panel%s%s\">", state, is_worst ? " worst" : "");
    if (picture->bytes != NULL)
    {
        fprintf(out, "<img alt=\"%s\" width=\"%d\" height=\"%d\" src=\"", name, FIGURE_SIDE,
                FIGURE_SIDE);
        html_data_uri(out, picture->bytes, picture->size);
        fputs("\">", out);
    }
    fprintf(out, "<p><b>%s</b> <span>%s</span></p></div>\n", name, number);
}

// The picture without colors, and what the figure shows.
static void put_shaded(FILE* out, const compare_report* r, const figure* f, uint32_t contender)
{
    const moment* at = &f->about.at;
    double value = comparison_value(r->data, contender, at->frame, at->row, at->what);
    wording number = wording_value(r->data, at->what, value, at->what == QUANTITY_VOLUME);
    put_panel(out, r, f, contender, &f->shaded[contender], number.text);
}

typedef struct map_words
{
    const char* title;
    double factor; // from the unit of the metric to the one shown
    const char* unit;
} map_words;

static map_words words_for(const comparison* in, pelt_metric metric)
{
    switch (metric)
    {
    case PELT_METRIC_COLLAPSE:
        return (map_words){"Collapse: part of the distance to the bone that is lost", 100.0, "%"};
    case PELT_METRIC_BULGE:
        return (map_words){"Bulge: change of the distance to the bone", wording_length(in, 1.0),
                           wording_length_unit(in)};
    case PELT_METRIC_VOLUME:
        return (map_words){"Volume: how far the surface has moved outwards",
                           wording_length(in, 1.0), wording_length_unit(in)};
    default:
        return (map_words){"Rigidity: strain that is left when the best rotation is taken out",
                           100.0, "%"};
    }
}

static void put_legend(FILE* out, const comparison* in, const figure_map* map)
{
    bool is_signed = pelt_metric_describe(map->metric)->is_signed;
    map_words words = words_for(in, map->metric);
    double end = words.factor * (double)map->end;
    fprintf(out,
            "<div class=\"legend\"><p>%s (%s)</p><div style=\"background:linear-gradient(90deg",
            words.title, words.unit);
    for (int i = 0; i < LEGEND_STOP_COUNT; ++i)
    {
        pelt_color c = pelt_color_map_at(is_signed ? PELT_COLOR_MAP_SIGNED : PELT_COLOR_MAP_UNIFORM,
                                         (float)i / (LEGEND_STOP_COUNT - 1));
        fprintf(out, ",#%02x%02x%02x", c.r, c.g, c.b);
    }
    fprintf(
        out,
        ")\"></div><p><span>%s%.4g</span><span>%.4g</span><span>%s%.4g or more</span></p></div>\n",
        is_signed ? "\u2212" : "", is_signed ? end : 0.0, is_signed ? 0.0 : 0.5 * end,
        is_signed ? "+" : "", end);
}

static void put_map(FILE* out, const compare_report* r, const figure* f, const figure_map* map)
{
    map_words words = words_for(r->data, map->metric);
    put_legend(out, r->data, map);
    fputs("<div class=\"strip heat\">", out);
    for (uint32_t i = 0; i < r->data->contenders.count; ++i)
    {
        char number[300];
        snprintf(number, sizeof number, "%s %s", wording_number(words.factor * map->within[i]).text,
                 words.unit);
        put_panel(out, r, f, i, &map->pictures[i], number);
    }
    fputs("</div>\n", out);
}

static void put_crossings(FILE* out, const compare_report* r, const figure* f)
{
    const comparison* in = r->data;
    fprintf(out,
            "<p class=\"note\">Below colored surfaces is the value that 95 %% of the skin around "
            "the joint "
            "stay within. Pairs of triangles that cross at this moment (%u at rest):",
            in->info->intersection_count);
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        fprintf(out, "%s %s %u", i > 0 ? "," : "", in->contenders.items[i].name, f->crossings[i]);
    }
    fputs(".</p>\n", out);
}

static void put_numbers(FILE* out, const compare_report* r, const figure* f)
{
    fputs("<div class=\"strip bare\">", out);
    for (uint32_t i = 0; i < r->data->contenders.count; ++i)
    {
        put_shaded(out, r, f, i);
    }
    fputs("</div>\n", out);
}

// Large pictures: the worst contender, and the choice, or the best one if the choice is the worst.
static void put_pair(FILE* out, const compare_report* r, const figure* f)
{
    const moment* at = &f->about.at;
    uint32_t second = at->worst != r->why->choice ? r->why->choice : at->best;
    fputs("<div class=\"pair\">", out);
    put_shaded(out, r, f, at->worst);
    if (second != at->worst)
    {
        put_shaded(out, r, f, second);
    }
    fputs("</div>\n<div class=\"strip\">", out);
    for (uint32_t i = 0; i < r->data->contenders.count; ++i)
    {
        if (i != at->worst && i != second)
        {
            put_shaded(out, r, f, i);
        }
    }
    fputs("</div>\n", out);
}

void compare_html_figure(FILE* out, const compare_report* r, const figure* f)
{
    fputs("<figure><figcaption>", out);
    html_text(out, f->about.text);
    fputs("</figcaption>\n", out);
    bool has_pictures = f < r->figures->items + r->figures->picture_count;
    if (has_pictures)
    {
        put_pair(out, r, f);
    }
    else
    {
        put_numbers(out, r, f);
    }
    for (uint32_t map = 0; has_pictures && map < FIGURE_MAP_COUNT; ++map)
    {
        put_map(out, r, f, &f->maps[map]);
    }
    put_crossings(out, r, f);
    fputs("</figure>\n", out);
}

// ---------------------------------------------------------------------------------------------
// Plots

static void put_plot(FILE* out, const comparison* in, const compare_motion* m, quantity what,
                     double* values)
{
    char title[96], styles[CONTENDER_MAX][16];
    bool is_rotation = m->kind == MOTION_BEND || m->kind == MOTION_TWIST;
    snprintf(title, sizeof title, "%s, %s", quantity_infos[what].title, wording_unit(in, what));
    line_plot plot = {.title = title,
                      .x_unit = is_rotation ? "degrees" : "seconds",
                      .x_end = is_rotation ? MOTION_DEGREES : (double)m->clip->duration,
                      .point_count = m->frame_count,
                      .series_count = in->contenders.count};
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        double* own = values + (size_t)i * m->frame_count;
        for (uint32_t k = 0; k < m->frame_count; ++k)
        {
            double value = comparison_value(in, i, m->first_frame + k, 0, what);
            own[k] = wording_scaled(in, what, value);
        }
        snprintf(styles[i], sizeof styles[i], "c%u", i);
        plot.series[i] = (line_series){in->contenders.items[i].name, styles[i], own};
    }
    line_plot_draw(out, &plot);
}

static bool put_motion(FILE* out, const comparison* in, const compare_motion* m)
{
    double* values = malloc((size_t)in->contenders.count * m->frame_count * sizeof *values);
    if (values == NULL)
    {
        return false;
    }
    fputs("<section class=\"plots\"><h3>", out);
    html_text(out, m->name);
    fputs("</h3><div>", out);
    put_plot(out, in, m, QUANTITY_RADIUS, values);
    put_plot(out, in, m, QUANTITY_BULGE, values);
    put_plot(out, in, m, QUANTITY_VOLUME, values);
    put_plot(out, in, m, QUANTITY_SHAPE, values);
    fputs("</div></section>\n", out);
    free(values);
    return true;
}

enum
{
    SWEEP_POINTS = 41,
};

// Contenders that differ in the factor of mix, in their order.
static uint32_t find_sweep(uint32_t out[CONTENDER_MAX], const comparison* in)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        const compare_contender* c = &in->contenders.items[i];
        if (pelt_method_info(c->deform.method)->has_mix_factor && !c->is_painted)
        {
            out[count++] = i;
        }
    }
    return count;
}

static float factor_of(const comparison* in, uint32_t contender)
{
    return in->contenders.items[contender].deform.mix;
}

// One quantity, by straight lines between the factors that were measured.
static void put_sweep(FILE* out, const comparison* in, const uint32_t* sweep, uint32_t count,
                      quantity what)
{
    char title[96], style[16];
    double values[SWEEP_POINTS], end = (double)factor_of(in, sweep[count - 1]);
    for (uint32_t i = 0, k = 0; i < SWEEP_POINTS; ++i)
    {
        double factor = end * i / (SWEEP_POINTS - 1);
        while (k + 2 < count && factor > (double)factor_of(in, sweep[k + 1]))
        {
            ++k;
        }
        double from = (double)factor_of(in, sweep[k]), to = (double)factor_of(in, sweep[k + 1]);
        double a = comparison_summary(in, sweep[k], PELT_NONE, 0, what);
        double b = comparison_summary(in, sweep[k + 1], PELT_NONE, 0, what);
        values[i] = wording_scaled(in, what, a + (factor - from) / (to - from) * (b - a));
    }
    snprintf(title, sizeof title, "%s, %s", quantity_infos[what].title, wording_unit(in, what));
    snprintf(style, sizeof style, "c%u", sweep[count - 1]);
    const line_plot plot = {.title = title,
                            .x_unit = "factor",
                            .x_end = end,
                            .point_count = SWEEP_POINTS,
                            .series_count = 1,
                            .series = {{"mix", style, values}}};
    line_plot_draw(out, &plot);
}

void compare_html_sweep(FILE* out, const compare_report* r)
{
    const comparison* in = r->data;
    uint32_t sweep[CONTENDER_MAX], count = find_sweep(sweep, in);
    bool ascends = count > 2 && factor_of(in, sweep[0]) == 0.0f;
    for (uint32_t i = 1; ascends && i < count; ++i)
    {
        ascends = factor_of(in, sweep[i]) > factor_of(in, sweep[i - 1]);
    }
    if (!ascends)
    {
        return;
    }
    fputs("<section class=\"plots\" id=\"sweep\"><h3>By the factor of mix, over all motions</h3>"
          "<div>",
          out);
    put_sweep(out, in, sweep, count, QUANTITY_SHAPE);
    put_sweep(out, in, sweep, count, QUANTITY_BULGE);
    put_sweep(out, in, sweep, count, QUANTITY_RADIUS);
    put_sweep(out, in, sweep, count, QUANTITY_VOLUME);
    fputs("</div></section>\n", out);
}

// Motions with the largest findings first.
bool compare_html_plots(FILE* out, const compare_report* r)
{
    const comparison* in = r->data;
    uint32_t shown[PLOT_MOTION_MAX], count = 0;
    bool is_whole = true;
    for (uint32_t i = 0; i < r->why->finding_count && count < PLOT_MOTION_MAX; ++i)
    {
        uint32_t motion = r->why->findings[i].at.motion, k = 0;
        while (k < count && shown[k] != motion)
        {
            ++k;
        }
        if (k == count && in->motions.items[motion].frame_count > 1)
        {
            shown[count++] = motion;
            is_whole = is_whole && put_motion(out, in, &in->motions.items[motion]);
        }
    }
    fprintf(
        out,
        "<p class=\"note\">%u of %u %s, those in which methods differ most. Curves are those of "
        "the whole body: its thinnest cross-section, its largest bulge, its volume, and the "
        "shape error. report.json has the numbers of all frames.</p>\n",
        count, in->motions.count, in->motions.count == 1 ? "motion" : "motions");
    return is_whole;
}
