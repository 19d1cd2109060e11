// SPDX-License-Identifier: MIT
// A viewport: its picture, its technique in the corner, and at its foot what that costs and shows.
#include "panes.h"

#include "camera.h"
#include "edit/edit_tools.h"
#include "glyphs.h"
#include "quantity.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Technique

// A row of the menu: the label on the left.
static void begin_own_row(const char* label, float scale)
{
    gui_text("%s", label);
    gui_same_line(104.0f * scale);
    gui_row_width(144.0f * scale);
}

static void show_own_choice(const char* label, const char* name, uint32_t index, int* value,
                            const char* (*name_of)(int), int count, const char* tip, float scale)
{
    char id[32];
    snprintf(id, sizeof id, "##own_%s_%u", name, index + 1);
    begin_own_row(label, scale);
    choice_combo(id, value, name_of, count, tip);
}

static void show_own_factors(view_app* inout, uint32_t index)
{
    view_settings* settings = &inout->settings;
    char id[32];
    float shown = settings->mixes[index] >= 0.0f ? settings->mixes[index] : settings->mix;
    snprintf(id, sizeof id, "##own_mix_%u", index + 1);
    begin_own_row("ratio on DQS", inout->scale);
    if (gui_slider(id, &shown,
                   &(gui_slider_range){0.0f, 1.0f, -1.0f,
                                       settings->mixes[index] >= 0.0f ? "%.3f" : "(%.3f)", false},
                   "For mix: the factor of this viewport alone, everywhere; double click: that of "
                   "all viewports, with what was painted."))
    {
        settings->mixes[index] = shown;
    }
    snprintf(id, sizeof id, "##own_correction_%u", index + 1);
    begin_own_row("correction", inout->scale);
    gui_slider(id, &settings->corrections[index],
               &(gui_slider_range){0.0f, 1.0f, 0.0f, "%.2f", false},
               "Distance correction: moves vertices that bulge back to their bones; on the CPU.");
}

// What this viewport may have in another way than the others.
static void show_own(view_app* inout, uint32_t index)
{
    view_settings* settings = &inout->settings;
    char name[32];
    snprintf(name, sizeof name, "##own_%u", index + 1);
    if (!gui_menu_begin(name, "What this viewport alone has: its ratio on DQS, conventions of "
                              "another program, and the viewport that it is compared with."))
    {
        return;
    }
    show_own_factors(inout, index);
    float scale = inout->scale;
    show_own_choice("convention", "convention", index, &settings->own_conventions[index],
                    settings_own_convention_name, 1 + PELT_CONVENTION_COUNT,
                    "Deform as another program does: its sign rule, pivot of scale and normals.",
                    scale);
    show_own_choice("signs", "sign", index, &settings->own_signs[index], settings_own_sign_name,
                    1 + PELT_SIGN_RULE_COUNT, "Which of q and -q enters a blend of quaternions.",
                    scale);
    show_own_choice("DQS variant", "variant", index, &settings->variants[index],
                    settings_variant_name, PELT_DQS_VARIANT_COUNT,
                    "Signs per vertex, or one of the other two shaders of Kavan et al.; on the "
                    "CPU.",
                    scale);
    show_own_choice("compare with", "with", index, &settings->references[index],
                    settings_viewport_name, (int)settings_view_count(settings),
                    "The viewport that distances of this one are measured to.", scale);
    gui_menu_end();
}

static void show_technique(view_app* inout, uint32_t index, gui_rect rect)
{
    view_settings* settings = &inout->settings;
    char name[32], method[32], skinning[32], normals[32];
    snprintf(name, sizeof name, "technique%u", index + 1);
    snprintf(method, sizeof method, "##method_%u", index + 1);
    snprintf(skinning, sizeof skinning, "##skinning_%u", index + 1);
    snprintf(normals, sizeof normals, "##normals_%u", index + 1);
    gui_rect corner = {rect.x + 8.0f * inout->scale, rect.y + 8.0f * inout->scale, 0.0f, 0.0f};
    gui_panel_begin(name, corner, GUI_PANEL_FLOATING);
    glyphs_swatch(pelt_series_color((uint32_t)settings->methods[index]), gui_control_height(),
                  inout->scale);
    float second = settings->skinnings[index] > SKINNING_GPU ? 128.0f : 68.0f;
    float sum = 18.0f + 72.0f + second + 104.0f, room = rect.width / inout->scale - 74.0f;
    float scale = inout->scale * fminf(1.0f, fmaxf(room, 64.0f) / sum); // of narrow viewports
    gui_row_width(72.0f * scale);
    choice_combo(method, &settings->methods[index], settings_method_name, PELT_METHOD_COUNT,
                 "The skinning method of this viewport.");
    gui_same_line(0.0f);
    gui_row_width(second * scale);
    gui_combo(skinning, &settings->skinnings[index], settings_skinnings, SKINNING_COUNT,
              "Who moves the vertices: the CPU's reference, the GPU's shaders, or shaders that "
              "play an animation texture of joints or of vertices.");
    gui_same_line(0.0f);
    gui_row_width(104.0f * scale);
    choice_combo(normals, &settings->normals[index], settings_normals_name, PELT_NORMAL_RULE_COUNT,
                 "How normals are found: as if weights were constant, or with their gradients.");
    gui_same_line(0.0f);
    show_own(inout, index);
    gui_panel_end();
}

// ---------------------------------------------------------------------------------------------
// Foot

// The colors of joints in the order of the file, as far as they fit.
static void show_joint_legend(const view_app* in)
{
    const pelt_scene* scene = in->model->character->scene;
    pelt_color colors[64];
    uint32_t count = 0, joint_count = scene->skin_count > 0 ? scene->skins[0].joint_count : 0;
    for (; count < joint_count && count < 64; ++count)
    {
        colors[count] = in->model->joint_colors[scene->skins[0].joints[count]];
    }
    glyphs_legend(colors, count, "weights:", "a color for each joint", in->scale);
}

// The method of a viewport.
static const char* view_label(const view_app* in, uint32_t view)
{
    return settings_method_name(in->settings.methods[view]);
}

static bool has_one_reference(const view_app* in)
{
    bool is_one = true;
    for (uint32_t i = 1; i < settings_view_count(&in->settings); ++i)
    {
        is_one =
            is_one && settings_reference(&in->settings, i) == settings_reference(&in->settings, 0);
    }
    return is_one;
}

static void show_legend(const view_app* in)
{
    if (in->settings.colors == COLORS_JOINTS)
    {
        show_joint_legend(in);
        return;
    }
    pelt_color colors[32];
    pelt_color_map map = model_color_map((view_colors)in->settings.colors);
    for (uint32_t i = 0; i < 32; ++i)
    {
        colors[i] = pelt_color_map_at(map, ((float)i + 0.5f) / 32.0f);
    }
    char low[16] = "0", high[64], figure[QUANTITY_BYTES];
    pelt_metric metric = settings_metric(&in->settings);
    bool is_length =
        metric != PELT_METRIC_COUNT && strcmp(pelt_metric_describe(metric)->unit, "m") == 0;
    double scale = (double)in->model->scale;
    switch (in->settings.colors)
    {
    case COLORS_DIFFERENCE:
        snprintf(high, sizeof high, "%s from %s", quantity_length(figure, scale),
                 has_one_reference(in) ? view_label(in, settings_reference(&in->settings, 0))
                                       : "its reference");
        break;
    case COLORS_NORMAL_ERROR:
        snprintf(high, sizeof high, "%s degrees", quantity_number(figure, scale));
        break;
    case COLORS_MIX:
        snprintf(high, sizeof high, "1 on DQS");
        break;
    case COLORS_WEIGHTS:
        snprintf(high, sizeof high, "1");
        break;
    default:
        snprintf(low, sizeof low, "%s", map == PELT_COLOR_MAP_SIGNED ? "less" : "0");
        snprintf(high, sizeof high, "%s %s", settings_colors[in->settings.colors],
                 is_length ? quantity_length(figure, scale) : quantity_number(figure, 100 * scale));
        snprintf(high + strlen(high), sizeof high - strlen(high), "%s", is_length ? "" : " %");
        break;
    }
    glyphs_legend(colors, 32, low, high, in->scale);
}

// The cost of deforming, and the distance of the surface from that of the first viewport.
static void describe_view(char out[VIEW_HINT_BYTES], const view_app* in, uint32_t index)
{
    const viewport* view = &in->model->views[index];
    char length[QUANTITY_BYTES], time[QUANTITY_BYTES];
    uint32_t reference = settings_reference(&in->settings, index);
    if (index == reference)
    {
        snprintf(out, VIEW_HINT_BYTES, "%s vertices, %s",
                 quantity_grouped(length, in->model->character->vertex_count),
                 quantity_duration(time, view->skin_ms));
        return;
    }
    // Rounding of CPU and GPU differs by nanometers, which is no difference.
    double farthest = view->farthest > 1e-6f ? (double)view->farthest : 0.0;
    // Surfaces of shaders stay on the GPU: the CPU's surface by the same method is measured.
    bool is_reference = view->is_on_gpu || in->model->views[reference].is_on_gpu;
    snprintf(out, VIEW_HINT_BYTES, "max %s from %s%s, %s", quantity_length(length, farthest),
             view_label(in, reference), is_reference ? " (on the CPU)" : "",
             quantity_duration(time, view->skin_ms));
}

// Lines of text at the foot of a viewport, no wider than that.
static void show_foot(const view_app* in, uint32_t index, gui_rect rect)
{
    char name[32], lines[VIEW_HINT_MAX + 1][VIEW_HINT_BYTES];
    bool has_legend = in->settings.colors != COLORS_MATERIALS && index == 0; // the same for all
    describe_view(lines[0], in, index);
    uint32_t line_count = 1 + view_hints_write(lines + 1, in, index), row_count = has_legend;
    const float margin = 12.0f * in->scale, most = rect.width - 16.0f * in->scale;
    float width = (has_legend ? 304.0f : 208.0f) * in->scale;
    for (uint32_t i = 0; i < line_count; ++i)
    {
        row_count += glyphs_wrap(lines[i], most - margin);
        width = fmaxf(width, gui_label_width(lines[i]) + margin);
    }
    snprintf(name, sizeof name, "foot%u", index + 1);
    float gaps = 3.0f + 5.0f * (float)(line_count + has_legend);
    float height = (float)row_count * gui_line_height() + gaps * in->scale;
    gui_rect corner = {rect.x + 8.0f * in->scale, rect.y + rect.height - height - 8.0f * in->scale,
                       fminf(width, most), height};
    gui_panel_begin(name, corner, GUI_PANEL_FLOATING);
    if (has_legend)
    {
        show_legend(in);
    }
    for (uint32_t i = 0; i < line_count; ++i)
    {
        gui_text("%s", lines[i]);
        snprintf(name, sizeof name, "foot_%u_%u", index + 1, i + 1);
        gui_record(name, gui_last_rect());
    }
    gui_panel_end();
}

// Whether a drag that begins here is for the camera, and not for a brush or a ring.
static bool is_free(const view_app* in, uint32_t index, const gui_drag* drag)
{
    model_hit hit;
    bool is_brush = in->settings.has_brush && !gui_is_control_down();
    bool is_ring = in->tools.hot_ring != PELT_NONE && in->tools.view == index;
    return is_brush ? !model_find(&hit, in->model, index, drag->x, drag->y) : !is_ring;
}

// The line between two viewports. @return whether the mouse has it
static bool drag_split(view_app* inout, const gui_drag* drag, gui_rect rect)
{
    view_settings* settings = &inout->settings;
    float line = settings->split * rect.width;
    bool is_near = fabsf(drag->x - line) < 6.0f * inout->scale;
    bool is_wipe = settings_overlay(settings) == OVERLAY_WIPE;
    inout->tools.is_splitting = is_wipe && drag->is_left_down &&
                                (inout->tools.is_splitting || (drag->is_left_begun && is_near));
    if (inout->tools.is_splitting)
    {
        settings->split = fminf(fmaxf(drag->x / fmaxf(rect.width, 1.0f), 0.0f), 1.0f);
    }
    return inout->tools.is_splitting;
}

static void show_overlay(const view_app* in, gui_rect rect)
{
    const view_settings* settings = &in->settings;
    uint32_t texture = in->model->views[1].target.texture;
    bool is_wipe = settings_overlay(settings) == OVERLAY_WIPE;
    gui_picture_over(texture, rect, is_wipe ? settings->split : 0.0f, is_wipe ? 1.0f : 0.5f);
    if (is_wipe)
    {
        float x = rect.x + floorf(settings->split * rect.width);
        const float line[4] = {x, rect.y, x, rect.y + rect.height};
        gui_curve(line, 2, (gui_pen){255, 255, 255, 255, 3.0f * in->scale});
        gui_curve(line, 2, (gui_pen){30, 60, 110, 255, 1.0f * in->scale});
        gui_record("split", (gui_rect){x - 2.0f, rect.y, 4.0f, rect.height});
    }
}

// Technique and foot of the second, on the right side of the viewport that it shares.
static void show_second(view_app* inout, gui_rect rect)
{
    float half = floorf(0.5f * rect.width);
    gui_rect right = {rect.x + half, rect.y, rect.width - half, rect.height};
    show_technique(inout, 1, right);
    show_foot(inout, 1, right);
}

static void move_camera(view_app* inout, const gui_drag* drag, uint32_t index, gui_rect rect)
{
    bool is_moved = drag->wheel != 0.0f || drag->pan_x != 0.0f || drag->pan_y != 0.0f;
    if (is_moved && gui_is_control_down() && inout->settings.has_texture)
    {
        texture_pane_move(inout, drag);
        return;
    }
    edit_state* tools = &inout->tools;
    if (drag_split(inout, drag, rect))
    {
        return;
    }
    if (drag->is_left_begun)
    {
        camera_drag_begin(inout, is_free(inout, index, drag));
    }
    bool was_camera = tools->camera_drag != CAMERA_DRAG_NONE;
    tools->camera_view = drag->is_left_begun ? index : tools->camera_view;
    bool is_mine = tools->camera_view == index;
    bool has_camera = was_camera && is_mine;
    camera_drag_over(inout, drag, rect, is_mine);
    bool is_tool = !has_camera && edit_tools_use(inout, index, drag, rect);
    bool is_plain = !gui_is_alt_down() && !gui_is_shift_down();
    if (drag->is_clicked && !is_tool && is_plain)
    {
        model_hit hit;
        bool is_hit = model_find(&hit, inout->model, index, drag->x, drag->y);
        edit_tools_pick(inout, is_hit ? model_joint_at(inout->model, &hit) : PELT_NONE);
    }
}

void view_pane_show(view_app* inout, uint32_t index, gui_rect rect)
{
    char name[32];
    snprintf(name, sizeof name, "view_%u", index + 1);
    gui_panel_begin(name, rect, GUI_PANEL_VIEW);
    if (inout->model == NULL)
    {
        gui_space(0.45f * rect.height);
        gui_same_line(0.4f * rect.width);
        gui_muted("Loading ...");
        gui_panel_end();
        return;
    }
    gui_drag drag =
        gui_picture(name, inout->model->views[index].target.texture, rect.width, rect.height);
    bool has_overlay = settings_overlay(&inout->settings) != OVERLAY_NONE;
    if (has_overlay)
    {
        show_overlay(inout, rect);
    }
    move_camera(inout, &drag, index, rect);
    edit_tools_show(inout, index, &drag, rect);
    heat_mark_show(inout, index, rect);
    gui_panel_end();
    gui_rect own = rect;
    own.width = has_overlay ? floorf(0.5f * rect.width) : rect.width;
    show_technique(inout, index, own);
    show_foot(inout, index, own);
    if (has_overlay)
    {
        show_second(inout, rect);
    }
}
