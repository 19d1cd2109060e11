// SPDX-License-Identifier: MIT
// Panels of methods next to each other, with a legend.
#include "panel_grid.h"

#include "terminal.h"

#include <ctype.h>
#include <string.h>

static const pelt_color ink = {36, 38, 42, 255};
static const pelt_color paper = {255, 255, 255, 255};

// Pixels: readable, and in proportion to the panel.
static float text_size(const pelt_picture* panel)
{
    return fmaxf(15.0f, roundf((float)panel->height / 30.0f));
}

static void write_name(char* out, size_t size, const char* name)
{
    snprintf(out, size, "%s", name);
    for (; *out != '\0'; ++out)
    {
        *out = (char)toupper((unsigned char)*out);
    }
}

// The text after the name if there is room: the rule of the normals if panels differ in it,
// otherwise the full name of the method.
static void write_details(char* out, size_t size, const method_renderer* renderer, uint32_t index)
{
    bool is_recomputed = method_list_is_recomputed(renderer->how, index);
    const char* rule = is_recomputed ? "recomputed" : method_list_rule_name(renderer->how, index);
    if (renderer->show.colors == SHOW_NORMAL_ERROR)
    {
        snprintf(out, size, "%s normals: mean %.2g\u00b0", rule,
                 normal_error_mean(&renderer->scales[index].error));
    }
    else if (renderer->how->rule_count > 1)
    {
        snprintf(out, size, "%s normals", rule);
    }
    else
    {
        snprintf(out, size, "%s", pelt_method_info(renderer->how->methods[index].method)->title);
    }
}

// "LBS" with its note, and with details where they fit.
static void write_label(char* out, size_t size, const panel_row* in, uint32_t index)
{
    char name[METHOD_LIST_NAME_SIZE], plain[METHOD_LIST_NAME_SIZE], details[48];
    const method_renderer* renderer = in->renderer;
    method_list_write_name(plain, renderer->how, index);
    write_name(name, sizeof name, plain);
    if (in->note != NULL)
    {
        snprintf(out, size, "%s, %s", name, in->note);
        return;
    }
    write_details(details, sizeof details, renderer, index);
    snprintf(out, size, "%s, %s", name, details);
    pelt_picture panel = {.height = in->height};
    if (pelt_text_width(out, text_size(&panel)) > in->width)
    {
        snprintf(out, size, "%s",
                 renderer->how->rule_count > 1 ? method_list_rule_name(renderer->how, index)
                                               : name);
    }
}

int panel_row_draw(pelt_picture* out, char (*labels)[64], const panel_row* in, float time,
                   const pelt_camera* camera)
{
    for (uint32_t i = 0; i < in->renderer->how->count; ++i)
    {
        pelt_error error = {0};
        write_label(labels[i], sizeof labels[i], in, i);
        pelt_result result = pelt_picture_create(&out[i], in->width, in->height, &error);
        if (result != PELT_OK)
        {
            return message_error(result, &error);
        }
        TRY(method_renderer_draw(in->renderer, &out[i], i, time, camera));
    }
    return EXIT_DONE;
}

static uint32_t margin_of(uint32_t height)
{
    return height / 30;
}

float panel_grid_legend_part(const method_renderer* renderer, uint32_t height)
{
    method_renderer_legend legend;
    method_renderer_legend_make(&legend, renderer);
    pelt_picture panel = {.height = height};
    legend.legend.size = text_size(&panel);
    bool is_over = legend.is_needed && renderer->how->count == 1;
    return is_over ? (float)(pelt_legend_height(&legend.legend) + margin_of(height)) / (float)height
                   : 0.0f;
}

static void overlay_legend(pelt_picture* picture, pelt_legend* legend)
{
    legend->size = text_size(picture);
    legend->ink = ink;
    uint32_t margin = margin_of(picture->height);
    uint32_t height = pelt_legend_height(legend);
    // Wide enough for its title, and no wider than necessary; for names, as wide as possible.
    bool has_names = legend->part_count > 0 && picture->width > 2 * margin;
    uint32_t width = has_names ? picture->width - 2 * margin : picture->width * 2 / 5;
    uint32_t least = legend->title != NULL ? pelt_text_width(legend->title, legend->size) : 0;
    width = width < least ? least : width;
    if (width + 2 * margin <= picture->width && height + 2 * margin <= picture->height)
    {
        pelt_rect rect = {(int32_t)margin, (int32_t)(picture->height - height - margin), width,
                          height};
        pelt_legend_draw(picture, rect, legend);
    }
}

int panel_grid_compose(pelt_picture* out, pelt_picture* pictures, char (*labels)[64],
                       uint32_t count, uint32_t columns, const method_renderer* renderer)
{
    enum
    {
        PANEL_MAX = 64,
    };
    PELT_ASSERT(count <= PANEL_MAX);
    method_renderer_legend legend;
    method_renderer_legend_make(&legend, renderer);
    if (count == 1)
    {
        *out = pictures[0];
        pictures[0] = (pelt_picture){0};
        if (legend.is_needed)
        {
            overlay_legend(out, &legend.legend);
        }
        return EXIT_DONE;
    }
    pelt_panel panels[PANEL_MAX];
    for (uint32_t i = 0; i < count; ++i)
    {
        panels[i] = (pelt_panel){&pictures[i], labels[i]};
    }
    legend.legend.size = text_size(&pictures[0]);
    legend.legend.ink = ink;
    pelt_panel_options options = {
        .columns = columns,
        .size = text_size(&pictures[0]),
        .ink = ink,
        .paper = paper,
        .legend = legend.is_needed ? &legend.legend : NULL,
    };
    pelt_error error = {0};
    return message_error(pelt_panels_compose(out, panels, count, &options, &error), &error);
}
