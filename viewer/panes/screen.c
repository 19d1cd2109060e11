// SPDX-License-Identifier: MIT
#include "panes.h"

#include "desktop.h"
#include "glyphs.h"
#include "keys.h"
#include "quantity.h"
#include "rigs.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Layout

static const float toolbar_height = 28.0f, timeline_height = 56.0f, bottom_height = 136.0f;
static const float side_width = 320.0f, gap = 1.0f, rate_width = 80.0f;

// Performance and Texture, where there is room.
static bool has_bottom(const view_settings* in, float scale, float height)
{
    bool has_any = in->has_performance || in->has_texture;
    return has_any && height >= 2.5f * bottom_height * scale;
}

// One view, its results below, and no timeline.
static screen_layout arrange_benchmark(const view_app* in, float width, float height)
{
    float scale = in->scale;
    float side = width >= 1.5f * side_width * scale ? side_width * scale : 0.0f;
    float top = toolbar_height * scale, left = fmaxf(width - side, 1.0f);
    bool has_pane = has_bottom(&in->settings, scale, height);
    float pane = has_pane ? bottom_height * scale : 0.0f;
    float middle = fmaxf(height - top - pane, 1.0f), view = fmaxf(floorf(0.56f * middle), 1.0f);
    return (screen_layout){.toolbar = {0.0f, 0.0f, width, top},
                           .views = {{0.0f, top, left, view}},
                           .view_count = 1,
                           .side = {left, top, side, middle},
                           .results = {0.0f, top + view, left, middle - view},
                           .bottom = {0.0f, top + middle, has_pane ? width : 0.0f, pane}};
}

screen_layout screen_arrange(const view_app* in, float width, float height)
{
    float scale = in->scale;
    if (in->settings.mode == MODE_BENCHMARK)
    {
        return arrange_benchmark(in, width, height);
    }
    // Panes leave room for the viewports, or are hidden until the window is larger.
    bool has_side = in->settings.has_side && width >= 1.5f * side_width * scale;
    float side = has_side ? side_width * scale : 0.0f;
    float bottom = has_bottom(&in->settings, scale, height) ? bottom_height * scale : 0.0f;
    float top = toolbar_height * scale, foot = timeline_height * scale;
    float middle = fmaxf(height - top - bottom - foot, 1.0f);
    float left = fmaxf(width - side, 1.0f);
    screen_layout out = {
        .toolbar = {0.0f, 0.0f, width, top},
        .side = {left, top, side, middle},
        .bottom = {0.0f, top + middle, bottom > 0.0f ? width : 0.0f, bottom},
        .timeline = {0.0f, height - foot, width, foot},
        .view_count = in->settings.mode == MODE_COMPARE ? settings_view_count(&in->settings) : 1,
    };
    if (settings_overlay(&in->settings) != OVERLAY_NONE)
    {
        out.view_count = 1; // where both are drawn
    }
    uint32_t columns = out.view_count > 1 ? 2 : 1, rows = out.view_count > 2 ? 2 : 1;
    float view_width = floorf((left - gap * (float)(columns - 1)) / (float)columns);
    float view_height = floorf((middle - gap * (float)(rows - 1)) / (float)rows);
    for (uint32_t i = 0; i < out.view_count; ++i)
    {
        float x = (float)(i % columns) * (view_width + gap);
        float y = (float)(i / columns) * (view_height + gap);
        out.views[i] = (gui_rect){x, top + y, fmaxf(view_width, 1.0f), fmaxf(view_height, 1.0f)};
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Toolbar

static void open_typed(view_app* inout)
{
    char path[PATH_BYTES];
    gui_menu_close();
    if (!typed_path_read(path, sizeof path, inout->open_path))
    {
        app_fail(inout, "this path is longer than 1000 characters");
    }
    else if (path[0] != '\0')
    {
        app_open(inout, path);
    }
}

static void show_file_menu(view_app* inout)
{
    char shown[GLYPHS_TEXT_BYTES], label[GLYPHS_TEXT_BYTES + 8];
    // The width of the rest of the toolbar, with Cancel.
    float room = gui_width_left() / inout->scale - 880.0f;
    glyphs_cut(shown, app_model_name(inout), inout->scale * fminf(fmaxf(room, 56.0f), 280.0f));
    snprintf(label, sizeof label, "%s##file", shown);
    if (!gui_menu_begin(label, "Open a recent file, a built-in character, or a path; files can "
                               "also be dropped on the window."))
    {
        return;
    }
    gui_row_width(360.0f * inout->scale);
    if (gui_menu_has_opened())
    {
        gui_focus_next();
    }
    if (gui_field("##path", inout->open_path, sizeof inout->open_path, "path of a file, then Enter",
                  "The path of a .glb, .gltf, .fbx or other file."))
    {
        open_typed(inout);
    }
    if (gui_menu_item("Open ... (Ctrl+O)##open"))
    {
        app_run_command(inout, COMMAND_OPEN);
    }
    if (gui_menu_item("Save as ... (Ctrl+S)##save_as"))
    {
        app_run_command(inout, COMMAND_SAVE);
    }
    gui_muted("Recent");
    for (uint32_t i = 0; i < inout->recent_count; ++i)
    {
        if (gui_menu_item(inout->recent[i]))
        {
            app_open(inout, inout->recent[i]);
            break;
        }
    }
    gui_muted("Built-in");
    const pelt_rig_info* rigs;
    uint32_t count = pelt_rig_list(&rigs);
    for (uint32_t i = 0; i < count; ++i)
    {
        char name[64], item[160];
        snprintf(name, sizeof name, "rig:%s", rigs[i].name);
        snprintf(item, sizeof item, "%s##builtin_%s", name, rigs[i].name); // may be recent, too
        if (gui_menu_item(item))
        {
            app_open(inout, name);
        }
    }
    gui_menu_end();
}

static void show_pane_menu(view_app* inout)
{
    view_settings* settings = &inout->settings;
    if (gui_menu_begin("Panes##panes", "Show or hide panes."))
    {
        gui_check("Right side (Tab)##pane_side", &settings->has_side, "All panes on the right.");
        gui_check("Parameters##pane_parameters", &settings->has_parameters,
                  "Mix, centers of rotation, conventions.");
        gui_check("Heat map##pane_heat", &settings->has_heat,
                  "What colors measure, their range, and the worst moment.");
        gui_check("Doctor##pane_doctor", &settings->has_doctor,
                  "What will go wrong with this character.");
        gui_check("Pose##pane_pose", &settings->has_pose, "Rotate joints.");
        gui_check("Show##pane_show", &settings->has_show, "What is drawn, and in which colors.");
        gui_check("Debug##pane_debug", &settings->has_debug, "The transform of a joint.");
        gui_check("Performance (P)##pane_performance", &settings->has_performance,
                  "What frames cost.");
        gui_check("Texture (Y)##pane_texture", &settings->has_texture,
                  "The animation texture of a viewport, texel by texel.");
        gui_check("Wait for the screen##vsync", &settings->has_vsync,
                  "Draw no faster than the screen shows (vsync).");
        gui_menu_end();
    }
}

static void show_mode_buttons(view_app* inout)
{
    static const char* const tips[MODE_COUNT] = {
        "Compare methods side by side (M).",
        "Many of the character, who play from one texture (M).",
        "Measure how many of the character this machine draws, by each technique (M)."};
    for (int i = 0; i < MODE_COUNT; ++i)
    {
        char label[48];
        snprintf(label, sizeof label, "%s##mode_%d", settings_modes[i], i);
        gui_same_line(0.0f);
        if (gui_toggle(label, inout->settings.mode == i, tips[i]))
        {
            inout->settings.mode = i;
        }
    }
}

static void show_camera_menu(view_app* inout)
{
    static const struct
    {
        const char* label;
        app_command command;
    } items[] = {{"frame the joint or all (F)##frame", COMMAND_FRAME},
                 {"from the front (KP1)##front", COMMAND_FRONT},
                 {"from the side (KP3)##side_view", COMMAND_SIDE_VIEW},
                 {"from the top (KP7)##top", COMMAND_TOP},
                 {"three-quarter (KP0)##three_quarter", COMMAND_THREE_QUARTER},
                 {"as at first (R)##reset_camera", COMMAND_RESET_CAMERA}};
    view_settings* settings = &inout->settings;
    gui_muted("Camera");
    for (size_t i = 0; i < sizeof items / sizeof *items; ++i)
    {
        if (gui_menu_item(items[i].label))
        {
            app_run_command(inout, items[i].command);
        }
    }
    gui_check("orthographic (KP5)##orthographic", &settings->is_orthographic,
              "No perspective: what is far away is as large as what is near.");
    gui_check("follow##follow_camera", &settings->is_following,
              "The camera moves along with a character that walks away in its clip.");
    gui_row_width(176.0f * inout->scale);
    gui_slider("##lens", &settings->lens,
               &(gui_slider_range){5.0f, 100.0f, 28.65f, "field of view %.0f deg", false},
               "The vertical field of view; the character keeps its size; double click: 29.");
}

// What concerns all viewports.
static void show_view_menu(view_app* inout)
{
    static const char* const tips[PRESET_COUNT] = {
        "Four viewports: LBS, DQS, CRS and mix.", "Four viewports: mix by 0, 1/3, 2/3 and 1.",
        "Two viewports: standard and accurate normals of the method in the first.",
        "Four viewports: that method by CPU, GPU, bone texture and vertex texture."};
    if (!gui_menu_begin("View##view", "Sets of techniques for several viewports."))
    {
        return;
    }
    gui_muted("Presets");
    for (int i = 0; i < PRESET_COUNT; ++i)
    {
        char label[48];
        snprintf(label, sizeof label, "%s##preset_%d", settings_presets[i], i);
        if (gui_menu_item(label))
        {
            settings_apply_preset(&inout->settings, (view_preset)i);
        }
        gui_finish("", tips[i]);
    }
    show_camera_menu(inout);
    gui_muted("Together");
    bool is_wipe = settings_overlay(&inout->settings) == OVERLAY_WIPE;
    bool is_onion = settings_overlay(&inout->settings) == OVERLAY_ONION;
    if (gui_check("wipe (K)##wipe", &is_wipe,
                  "The first two viewports on the two sides of a line; drag it."))
    {
        app_run_command(inout, COMMAND_WIPE);
    }
    if (gui_check("onion skin (O)##onion", &is_onion,
                  "The second viewport half transparent over the first."))
    {
        app_run_command(inout, COMMAND_ONION);
    }
    gui_muted("Picture");
    if (gui_menu_item("save as PNG (F12)##picture"))
    {
        app_run_command(inout, COMMAND_PICTURE);
    }
    gui_row_width(176.0f * inout->scale);
    gui_field("##picture_path", inout->picture_path, sizeof inout->picture_path, "pelt.png",
              "The file that pictures are written to; a number is added where there is one.");
    gui_menu_end();
}

static void show_layout_buttons(view_app* inout)
{
    static const char* const labels[] = {"1##views_1", "2##views_2", "4##views_4"};
    static const char* const tips[] = {"One viewport (1).", "Two viewports, side by side (2).",
                                       "Four viewports (4)."};
    show_view_menu(inout);
    for (int i = 0; i < 3; ++i)
    {
        gui_same_line(0.0f);
        if (gui_toggle(labels[i], inout->settings.layout == i, tips[i]))
        {
            inout->settings.layout = i;
        }
    }
}

static void show_job(view_app* inout)
{
    if (inout->job.kind == JOB_NONE)
    {
        return;
    }
    const char* what = atomic_load(&inout->job.what);
    gui_same_line(0.0f);
    // As wide as Cancel and the frame rate leave room for.
    float room = gui_width_left() - (72.0f + rate_width) * inout->scale;
    if (room >= 32.0f * inout->scale)
    {
        gui_progress(atomic_load(&inout->job.part), what != NULL ? what : "",
                     fminf(room, 280.0f * inout->scale));
        gui_same_line(0.0f);
    }
    if (gui_button("Cancel##cancel", "Stop this and keep what is shown.") && inout->model != NULL)
    {
        atomic_store(&inout->job.is_canceled, true);
    }
}

// Controls of viewports.
static void show_view_buttons(view_app* inout)
{
    view_settings* settings = &inout->settings;
    show_layout_buttons(inout);
    gui_same_line(0.0f);
    if (gui_toggle("Heat map##heat", settings->colors == COLORS_DIFFERENCE,
                   "Color each vertex by its distance to the first viewport (H)."))
    {
        app_run_command(inout, COMMAND_HEAT_MAP);
    }
    gui_same_line(0.0f);
    if (gui_menu_begin("Show##show", "What is drawn, and in which colors."))
    {
        panes_show_list(inout);
        gui_menu_end();
    }
    gui_same_line(0.0f);
    show_pane_menu(inout);
    gui_same_line(0.0f);
}

static void show_toolbar(view_app* inout, gui_rect rect)
{
    view_settings* settings = &inout->settings;
    gui_panel_begin("toolbar", rect, GUI_PANEL_BAR);
    show_file_menu(inout);
    show_mode_buttons(inout);
    gui_same_line(0.0f);
    if (settings->mode == MODE_COMPARE)
    {
        show_view_buttons(inout);
    }
    else
    {
        show_pane_menu(inout);
        gui_same_line(0.0f);
    }
    if (gui_toggle("?##help", settings->has_help, "Keys and mouse (?)."))
    {
        app_run_command(inout, COMMAND_HELP);
    }
    show_job(inout);
    gui_same_line(0.0f);
    float room = gui_width_left() - rate_width * inout->scale;
    if (inout->note[0] != '\0' && room > 48.0f * inout->scale)
    {
        glyphs_note(inout->note, room);
    }
    if (room >= 0.0f)
    {
        gui_same_line(rect.width - (rate_width - 8.0f) * inout->scale);
        gui_text("%.1f FPS",
                 frame_rate(inout->performance.values[PART_FRAME], inout->performance.count));
        gui_finish("fps", "Frames per second, over the last second.");
    }
    gui_panel_end();
}

// ---------------------------------------------------------------------------------------------
// Timeline

static void show_clips(view_app* inout)
{
    const pelt_scene* scene = inout->model->character->scene;
    float scale = inout->scale;
    int clip = inout->playback.clip != PELT_NONE ? (int)inout->playback.clip : -1;
    gui_same_line(0.0f);
    gui_row_width(136.0f * scale);
    if (gui_combo("##clip", &clip, inout->clip_names, (int)scene->clip_count,
                  "The clip that is played."))
    {
        app_choose_clip(inout, (uint32_t)clip, 0.0f);
    }
    gui_same_line(0.0f);
    panes_show_speed(inout);
    gui_same_line(0.0f);
    gui_check("loop##loop", &inout->settings.is_looping, "Start again at the end.");
    gui_same_line(0.0f);
    gui_row_width(136.0f * scale);
    int next = inout->playback.next_clip != PELT_NONE ? (int)inout->playback.next_clip : -1;
    gui_text("fade");
    gui_same_line(0.0f);
    gui_row_width(gui_width_left());
    if (gui_combo("##fade", &next, inout->clip_names, (int)scene->clip_count,
                  "Cross-fade into another clip, blending the two poses joint by joint."))
    {
        app_choose_clip(inout, (uint32_t)next, inout->settings.fade);
    }
}

static void show_timeline(view_app* inout, gui_rect rect)
{
    panes_begin_timeline(inout, rect);
    if (glyphs_button("back", GLYPH_BACK, "One key back (left arrow).", inout->scale))
    {
        app_run_command(inout, COMMAND_STEP_BACK);
    }
    gui_same_line(0.0f);
    if (glyphs_button("forward", GLYPH_FORWARD, "One key forward (right arrow).", inout->scale))
    {
        app_run_command(inout, COMMAND_STEP_FORWARD);
    }
    bool has_clip = inout->model != NULL && inout->playback.clip != PELT_NONE;
    gui_same_line(0.0f);
    if (has_clip)
    {
        float duration = playback_duration(&inout->playback, inout->model->character->scene);
        gui_row_width(fmaxf(gui_width_left() - 520.0f * inout->scale, 64.0f));
        gui_slider("##time", &inout->playback.time,
                   &(gui_slider_range){0.0f, fmaxf(duration, 1e-3f), 0.0f, "%.2f s", false},
                   "The moment of the clip; drag to look for one. Above it: the heat map over "
                   "the clip, and its worst moment.");
        gui_rect slider = gui_last_rect();
        float way = 12.0f * inout->scale; // of the grab, which stays inside
        heat_timeline_show(inout,
                           (gui_rect){slider.x + 0.5f * way, slider.y - 10.0f * inout->scale,
                                      slider.width - way, 8.0f * inout->scale},
                           duration);
        show_clips(inout);
    }
    else
    {
        gui_muted("no clips: the stored pose");
    }
    gui_panel_end();
}

// ---------------------------------------------------------------------------------------------

static void show_help(view_app* inout, const screen_layout* layout)
{
    const key_binding* bindings;
    uint32_t count = keys_list(&bindings);
    gui_rect corner = {layout->views[0].x + 64.0f * inout->scale,
                       layout->views[0].y + 56.0f * inout->scale, 0.0f, 0.0f};
    gui_panel_begin("help", corner, GUI_PANEL_PAGE);
    // Two columns, the first half of the list in the left one.
    uint32_t row_count = (count + 1) / 2;
    for (uint32_t row = 0; row < row_count; ++row)
    {
        for (uint32_t i = row; i < count; i += row_count)
        {
            float left = i == row ? 0.0f : 416.0f * inout->scale;
            if (i > row)
            {
                gui_same_line(left);
            }
            gui_text("%s", bindings[i].name);
            gui_same_line(left + 104.0f * inout->scale);
            gui_muted("%s", bindings[i].text);
        }
    }
    gui_panel_end();
}

// Clips that were added are of a skeleton with other proportions.
static void show_proportions(view_app* inout, const screen_layout* layout)
{
    const other_clips* clips = &inout->other_clips;
    gui_rect corner = {layout->views[0].x + 8.0f * inout->scale,
                       layout->views[0].y + 44.0f * inout->scale, 0.0f, 0.0f};
    gui_panel_begin("proportions", corner, GUI_PANEL_PAGE);
    gui_text("%s", clips->warning);
    gui_text("Their translations put joints elsewhere, which crumples this character.");
    if (gui_toggle("Rotations only##rotations_only", true,
                   "Remove translations and scales from the clips that were added."))
    {
        app_keep_rotations(inout);
    }
    gui_same_line(0.0f);
    if (gui_button("Keep as they are##keep_clips", "Play all tracks of these clips."))
    {
        inout->other_clips = (other_clips){0};
    }
    gui_panel_end();
}

static void show_bottom(view_app* inout, gui_rect rect)
{
    const view_settings* settings = &inout->settings;
    bool has_both = settings->has_performance && settings->has_texture;
    gui_rect left = rect, right = rect;
    left.width = has_both ? floorf(0.5f * rect.width) : rect.width;
    right.x = has_both ? left.width : 0.0f;
    right.width = rect.width - right.x;
    if (settings->has_performance)
    {
        performance_pane_show(inout, left);
    }
    if (settings->has_texture)
    {
        texture_pane_show(inout, right);
    }
}

static void show_comparison(view_app* inout, const screen_layout* layout)
{
    for (uint32_t i = 0; i < layout->view_count; ++i)
    {
        view_pane_show(inout, i, layout->views[i]);
    }
    if (layout->side.width > 0.0f)
    {
        panes_show_side(inout, layout->side);
    }
    if (layout->bottom.width > 0.0f)
    {
        show_bottom(inout, layout->bottom);
    }
    show_timeline(inout, layout->timeline);
}

static void show_crowd(view_app* inout, const screen_layout* layout)
{
    crowd_pane_show_view(inout, layout->views[0]);
    if (layout->side.width > 0.0f)
    {
        crowd_pane_show_side(inout, layout->side);
    }
    if (layout->bottom.width > 0.0f)
    {
        show_bottom(inout, layout->bottom);
    }
    crowd_pane_show_timeline(inout, layout->timeline);
}

void screen_show(view_app* inout, const screen_layout* layout)
{
    show_toolbar(inout, layout->toolbar);
    switch ((view_mode)inout->settings.mode)
    {
    case MODE_CROWD:
        show_crowd(inout, layout);
        break;
    case MODE_BENCHMARK:
        benchmark_pane_show(inout, layout->views[0], layout->side, layout->results);
        if (layout->bottom.width > 0.0f)
        {
            show_bottom(inout, layout->bottom);
        }
        break;
    case MODE_COMPARE:
    case MODE_COUNT:
        show_comparison(inout, layout);
        break;
    }
    if (inout->settings.has_help)
    {
        show_help(inout, layout);
    }
    if (inout->other_clips.count > 0)
    {
        show_proportions(inout, layout);
    }
    gui_rect window = layout->toolbar;
    window.height = layout->views[0].y + fmaxf(layout->side.height, layout->views[0].height);
    file_browser_show(inout, window);
    unsaved_show(inout, window);
    bool has_error = inout->error[0] != '\0';
    if (gui_message("This did not work", has_error ? inout->error : NULL))
    {
        inout->error[0] = '\0';
    }
}
