// SPDX-License-Identifier: MIT
// The Heat map pane: what is measured, where its colors end, how many vertices have which value,
// and the way to the worst moment. The timeline has its plot over the clip.
#include "panes.h"

#include "glyphs.h"
#include "quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_length(const view_settings* in)
{
    return strcmp(pelt_metric_describe(settings_metric(in))->unit, "m") == 0;
}

const char* heat_value(char out[HEAT_TEXT_BYTES], const view_app* in, double value)
{
    char figure[QUANTITY_BYTES], part[QUANTITY_BYTES];
    if (!is_length(&in->settings))
    {
        snprintf(out, HEAT_TEXT_BYTES, "%s %%", quantity_number(figure, 100.0 * value));
        return out;
    }
    pelt_bounds box = character_box(in->model->character, PELT_NONE);
    double height = fmax((double)(box.max.y - box.min.y), 1e-9);
    snprintf(out, HEAT_TEXT_BYTES, "%s (%s %% of the height)", quantity_length(figure, value),
             quantity_number(part, 100.0 * value / height));
    return out;
}

static void show_histogram(const view_app* in)
{
    const view_model* model = in->model;
    pelt_color_map map = model_color_map((view_colors)in->settings.colors);
    gui_rect area = gui_area("histogram", gui_width_left(), 48.0f * in->scale);
    uint32_t most = 1;
    for (uint32_t i = 1; i < HEAT_BINS; ++i) // most vertices are at 0
    {
        most = model->histogram[i] > most ? model->histogram[i] : most;
    }
    gui_fill(area, (pelt_color){252, 252, 250, 255});
    for (uint32_t i = 0; i < HEAT_BINS; ++i)
    {
        float part = fminf((float)model->histogram[i] / (float)most, 1.0f);
        float at = ((float)i + 0.5f) / (float)HEAT_BINS;
        float width = area.width / (float)HEAT_BINS, height = part * area.height;
        float color = map == PELT_COLOR_MAP_SIGNED ? 0.5f + 0.5f * at : at;
        gui_fill((gui_rect){area.x + (float)i * width, area.y + area.height - height, width - 1.0f,
                            height},
                 pelt_color_map_at(map, color));
    }
    char high[HEAT_TEXT_BYTES];
    gui_muted("0 to %s, vertices", heat_value(high, in, (double)model->scale));
}

static void show_worst(view_app* inout)
{
    const view_model* model = inout->model;
    const profile* found = &model->profile;
    if (!model_has_profile(model, &inout->settings, &inout->playback))
    {
        gui_muted("worst of the clip: %s",
                  inout->playback.clip == PELT_NONE ? "there is no clip" : "being measured");
        return;
    }
    if (found->worst == PELT_NONE)
    {
        gui_muted("nothing differs in this clip");
        return;
    }
    char value[HEAT_TEXT_BYTES];
    const profile_place* place = &found->places[found->worst_view][found->worst];
    gui_text("worst: %s", heat_value(value, inout, (double)place->value));
    gui_muted("%s at %.2f s, vertex %u of mesh %u",
              settings_method_name(inout->settings.methods[found->worst_view]), (double)place->time,
              place->vertex, place->instance);
    if (gui_toggle("Jump to worst (L)##worst", true,
                   "Go to the worst moment of the clip, and close to the worst place."))
    {
        app_run_command(inout, COMMAND_WORST);
    }
}

void heat_pane_show(view_app* inout)
{
    static const char* const ranges[HEAT_RANGE_COUNT] = {"largest of the clip", "95 % of vertices",
                                                         "fixed"};
    view_settings* settings = &inout->settings;
    gui_combo("shows##heat_colors", &settings->colors, settings_colors, COLORS_COUNT,
              "Distance to another viewport; or against the bind pose: bulge (distance to the "
              "bone), radius of the limb, volume, strain of edges.");
    if (settings_metric(settings) == PELT_METRIC_COUNT)
    {
        gui_muted("choose difference, bulge, radius, volume or strain");
        return;
    }
    gui_combo("range##heat_range", &settings->heat_range, ranges, HEAT_RANGE_COUNT,
              "Where colors end: at the largest value of the clip, where 95 % of the vertices are "
              "at this moment, or at a value of yours.");
    if (settings->heat_range == HEAT_RANGE_FIXED)
    {
        gui_slider("up to##heat_high", &settings->heat_high,
                   &(gui_slider_range){0.01f, 1000.0f, 10.0f,
                                       is_length(settings) ? "%.2f mm" : "%.2f %%", true},
                   "Where colors end; Ctrl+click to type, double click: 10.");
    }
    show_histogram(inout);
    show_worst(inout);
}

// ---------------------------------------------------------------------------------------------
// Timeline

static void draw_curve(const view_app* in, uint32_t view, gui_rect rect, float duration)
{
    const profile* found = &in->model->profile;
    float xy[2 * PROFILE_MOMENTS];
    for (uint32_t i = 0; i < found->count; ++i)
    {
        float part = fabsf(found->places[view][i].value) / fmaxf(found->high, 1e-9f);
        xy[2 * i] = rect.x + rect.width * found->times[i] / duration;
        xy[2 * i + 1] = rect.y + rect.height * (1.0f - part);
    }
    pelt_color color = pelt_series_color((uint32_t)in->settings.methods[view]);
    gui_curve(xy, found->count, (gui_pen){color.r, color.g, color.b, 255, 1.5f * in->scale});
}

void heat_timeline_show(view_app* inout, gui_rect rect, float duration)
{
    const profile* found = &inout->model->profile;
    if (!model_has_profile(inout->model, &inout->settings, &inout->playback) ||
        found->worst == PELT_NONE || found->count < 2 || !(duration > 0.0f))
    {
        return;
    }
    for (uint32_t i = 0; i < found->key.view_count; ++i)
    {
        if (found->key.is_measured[i])
        {
            draw_curve(inout, i, rect, duration);
        }
    }
    // A triangle that points at the worst moment.
    float x = rect.x + rect.width * found->times[found->worst] / duration, r = 4.0f * inout->scale;
    const float mark[6] = {x - r, rect.y - r, x + r, rect.y - r, x, rect.y + r};
    gui_polygon(mark, 3, (pelt_color){190, 40, 30, 255});
    gui_record("worst_moment", (gui_rect){x - r, rect.y - r, 2.0f * r, 2.0f * r});
}

void heat_mark_show(const view_app* in, uint32_t view, gui_rect rect)
{
    const profile* found = &in->model->profile;
    if (!model_has_profile(in->model, &in->settings, &in->playback) || found->worst == PELT_NONE)
    {
        return;
    }
    const profile_place* place = &found->places[found->worst_view][found->worst];
    bool is_now = fabsf(place->time - in->playback.time) < 1e-4f && place->vertex != PELT_NONE;
    if (!is_now)
    {
        return;
    }
    orbit from = model_camera(in->model, &in->camera);
    projection camera = orbit_project(&from, rect.width, rect.height);
    pixel at;
    const pelt_surface* surface = &in->model->views[view].frame.surfaces[place->instance];
    if (!projection_find(&at, &camera, surface->positions[place->vertex]))
    {
        return;
    }
    float xy[2 * 33];
    for (uint32_t i = 0; i < 33; ++i)
    {
        float angle = 2.0f * PELT_PI * (float)i / 32.0f, r = 12.0f * in->scale;
        xy[2 * i] = rect.x + at.x + r * cosf(angle);
        xy[2 * i + 1] = rect.y + at.y + r * sinf(angle);
    }
    gui_curve(xy, 33, (gui_pen){255, 255, 255, 220, 4.0f * in->scale});
    gui_curve(xy, 33, (gui_pen){190, 40, 30, 255, 2.0f * in->scale});
}
