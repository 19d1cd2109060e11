// SPDX-License-Identifier: MIT
#include "panes/panes.h"

#include "camera.h"
#include "panes/glyphs.h"
#include "panes/quantity.h"

// ---------------------------------------------------------------------------------------------
// View

// The summary of a crowd, at the foot of its picture.
static void show_counts(const view_app* in, gui_rect rect)
{
    char visible[QUANTITY_BYTES], members[QUANTITY_BYTES], triangles[QUANTITY_BYTES];
    const crowd_counts* counts = &in->crowd.stage->counts;
    bool has_levels = in->settings.crowd_has_levels;
    gui_rect corner = {rect.x + 8.0f * in->scale,
                       rect.y + rect.height - (has_levels ? 90.0f : 72.0f) * in->scale,
                       260.0f * in->scale, 0.0f};
    gui_panel_begin("crowd_foot", corner, GUI_PANEL_FLOATING);
    bool lacks_centers = app_crowd_settings(in).crowd_method != in->settings.crowd_method;
    gui_text("%s%s", settings_method_name(app_crowd_settings(in).crowd_method),
             lacks_centers ? " until centers of rotation are solved" : "");
    gui_text("%s of %s in view, %u fading", quantity_grouped(visible, counts->visible),
             quantity_grouped(members, counts->members), counts->fading);
    if (has_levels)
    {
        gui_text("%u near, %u far", counts->by_level[0], counts->by_level[1]);
    }
    gui_text("%s triangles in %u draw%s", quantity_grouped(triangles, counts->triangles),
             counts->draw_calls, counts->draw_calls == 1 ? "" : "s");
    gui_panel_end();
}

void crowd_pane_show_view(view_app* inout, gui_rect rect)
{
    gui_panel_begin("view_1", rect, GUI_PANEL_VIEW);
    if (inout->crowd.stage == NULL)
    {
        gui_space(0.45f * rect.height / inout->scale);
        gui_space(1.0f);
        gui_same_line(0.4f * rect.width);
        gui_muted("Baking ...");
        gui_panel_end();
        return;
    }
    gui_drag drag = gui_picture("view_1", inout->crowd.target.texture, rect.width, rect.height);
    gui_panel_end();
    if (drag.is_left_begun)
    {
        camera_drag_begin(inout, true);
    }
    camera_drag_over(inout, &drag, rect, true);
    show_counts(inout, rect);
}

// ---------------------------------------------------------------------------------------------
// Side

static void show_members(view_app* inout)
{
    view_settings* settings = &inout->settings;
    choice_combo("method##crowd_method", &settings->crowd_method, settings_method_name,
                 PELT_METHOD_COUNT,
                 "The skinning method of all members; those without shaders come from a texture of "
                 "vertices.");
    if (pelt_method_info((pelt_method)settings->crowd_method)->has_mix_factor)
    {
        gui_slider("ratio on DQS##crowd_mix", &settings->mix,
                   &(gui_slider_range){0.0f, 1.0f, 0.5f, "%.3f", false},
                   "For mix: 0 is LBS, 1 is DQS; double click for 0.5.");
    }
    gui_slider("members##crowd_count", &settings->crowd_count,
               &(gui_slider_range){1.0f, 20000.0f, 500.0f, "%.0f", true},
               "How many there are; Ctrl+click to type, double click: 500.");
    settings->crowd_count = floorf(settings->crowd_count);
    gui_slider("spacing##crowd_spacing", &settings->crowd_spacing,
               &(gui_slider_range){0.0f, 20.0f, 0.0f,
                                   settings->crowd_spacing > 0.0f ? "%.2f m" : "as they need",
                                   false},
               "From one to the next; double click: as much room as they need.");
    gui_slider("seed##crowd_seed", &settings->crowd_seed,
               &(gui_slider_range){0.0f, 999.0f, 1.0f, "%.0f", false},
               "Another number is another crowd; the same one does the same again.");
    settings->crowd_seed = floorf(settings->crowd_seed);
}

static void show_play(view_app* inout)
{
    view_settings* settings = &inout->settings;
    gui_check("cross-fades##crowd_fades", &settings->crowd_has_fades,
              "Every few seconds each member fades into another clip.");
    gui_slider("every##crowd_period", &settings->crowd_period,
               &(gui_slider_range){0.5f, 30.0f, 4.0f, "%.1f s", true},
               "Mean time from one clip to the next; double click: 4 s.");
    gui_slider("fade##crowd_fade_seconds", &settings->fade,
               &(gui_slider_range){0.0f, 2.0f, 0.3f, "%.2f s", false},
               "How long a cross-fade takes; double click: 0.3 s.");
}

static void show_culling(view_app* inout)
{
    view_settings* settings = &inout->settings;
    gui_check("culling##crowd_culling", &settings->crowd_has_culling,
              "Draw only members whose box, as baked, meets what the camera sees.");
    gui_check("freeze##crowd_freeze", &settings->crowd_is_frozen,
              "Keep culling by the camera as it is now, to see from elsewhere who is left out.");
    gui_check("level of detail##crowd_levels", &settings->crowd_has_levels,
              "Bone textures near, vertex textures far away; needs a second bake.");
    gui_slider("far from##crowd_distance", &settings->crowd_distance,
               &(gui_slider_range){0.5f, 500.0f, 15.0f, "%.1f m", true},
               "Where vertex textures begin; members change 5 % later; double click: 15 m.");
    gui_check("colors by level##crowd_colors", &settings->crowd_has_colors,
              "Show which level each member is drawn by.");
    if (settings->crowd_has_colors)
    {
        bool has_joints = inout->crowd.stage == NULL ||
                          inout->crowd.stage->baked->encoding != PELT_ENCODING_VERTEX;
        glyphs_legend(&crowd_level_colors[0], 1, "",
                      has_joints ? "near: bone texture" : "near: vertex texture", inout->scale);
        glyphs_legend(&crowd_level_colors[1], 1, "", "far: vertex texture", inout->scale);
    }
}

static void show_bytes(const view_crowd* in)
{
    for (uint32_t i = 0; i < CROWD_LEVELS; ++i)
    {
        if (in->bakes[i] != NULL)
        {
            char bytes[QUANTITY_BYTES];
            gui_muted("%s texture: %s, %s", i == 0 ? "near" : "far",
                      pelt_encoding_name(in->bakes[i]->encoding),
                      quantity_size(bytes, pelt_baked_bytes(in->bakes[i])));
        }
    }
    if (in->stage != NULL)
    {
        gui_muted("playing and culling: %.2f ms", in->cull_ms);
        char margin[QUANTITY_BYTES];
        gui_muted("fades may reach %s out of boxes",
                  quantity_length(margin, (double)in->stage->bounds.fade_margin));
    }
}

void crowd_pane_show_side(view_app* inout, gui_rect rect)
{
    gui_panel_begin("side", rect, GUI_PANEL_SIDE);
    gui_text("Crowd");
    show_members(inout);
    gui_space(4.0f);
    gui_text("Playing");
    show_play(inout);
    gui_space(4.0f);
    gui_text("Culling and detail");
    show_culling(inout);
    gui_space(4.0f);
    gui_text("Texture");
    panes_show_baking(inout);
    show_bytes(&inout->crowd);
    gui_panel_end();
}

// ---------------------------------------------------------------------------------------------
// Timeline

void crowd_pane_show_timeline(view_app* inout, gui_rect rect)
{
    panes_begin_timeline(inout, rect);
    float time = (float)inout->crowd.time;
    gui_row_width(fmaxf(gui_width_left() - 112.0f * inout->scale, 64.0f));
    if (gui_slider("##time", &time,
                   &(gui_slider_range){0.0f, fmaxf(60.0f, time), 0.0f, "%.2f s", false},
                   "Time since the crowd began; any moment can be looked at again."))
    {
        inout->crowd.time = (double)time;
    }
    gui_same_line(0.0f);
    panes_show_speed(inout);
    gui_panel_end();
}
