// SPDX-License-Identifier: MIT
// The interface: the window, and the panes that can be shown and hidden.
#ifndef PELT_PANES_H
#define PELT_PANES_H

#include "app.h"

/// Parameters, Pose, Show and Debug, one below the other.
void panes_show_side(view_app* inout, gui_rect rect);

/// Elements that are drawn: for the pane and for the menu.
void panes_show_list(view_app* inout);

/// Encoding and keys of textures.
void panes_show_baking(view_app* inout);

/// The bar at the foot of the window begins with a button to play or pause; end it as a panel.
void panes_begin_timeline(view_app* inout, gui_rect rect);

/// The speed of playback.
void panes_show_speed(view_app* inout);

// ---------------------------------------------------------------------------------------------
// Performance

/// The costs of frames, as graphs and figures.
void performance_pane_show(view_app* inout, gui_rect rect);

// ---------------------------------------------------------------------------------------------
// Texture

/// The animation texture of a viewport, texel by texel, with the texels of the current time marked.
void texture_pane_show(view_app* inout, gui_rect rect);
void texture_pane_destroy(texel_picture* in);

/// The texture that is shown, in any mode.
typedef struct texel_source
{
    const pelt_baked* baked;
    pelt_moment moment;    ///< that is played; clip PELT_NONE: none of its clips
    const bake_slot* slot; ///< of a viewport; NULL: of a crowd
    uint32_t index;        ///< of the viewport, or level of detail
    uint32_t revision;     ///< another number for another texture at the same address
} texel_source;

/// @return false: nothing plays a texture
bool texture_pane_find(texel_source* out, const view_app* in);

/// The viewport whose texture is shown: the chosen one, or else the first that plays one.
/// @return its index, or PELT_NONE
uint32_t texture_pane_view(const view_app* in);

/// Move the texture, and zoom about the middle of the pane; it no longer follows the play-head
/// then.
void texture_pane_move(view_app* inout, const gui_drag* drag);

/// The initial view: 4 pixels per texel, following the play-head.
void texture_pane_reset(view_app* inout);

/// Pause, and go to the next key of the texture or to the one before; at the ends around to the
/// other.
/// @param way  1 or -1
void texture_pane_step(view_app* inout, int way);

/// A menu of choices that have a function for their names.
bool choice_combo(const char* label, int* value, const char* (*name_of)(int), int count,
                  const char* tip);

// ---------------------------------------------------------------------------------------------
// Heat map

enum
{
    HEAT_TEXT_BYTES = 96,
};

void heat_pane_show(view_app* inout);

/// The values of the heat map over the clip, with the worst moment marked.
/// @param rect  above the slider of the time, as wide as its way
void heat_timeline_show(view_app* inout, gui_rect rect, float duration);

/// A ring around the worst place of the clip, at its moment.
void heat_mark_show(const view_app* in, uint32_t view, gui_rect rect);

/// A value with its unit, and lengths as a part of the height too. @return out
const char* heat_value(char out[HEAT_TEXT_BYTES], const view_app* in, double value);

// ---------------------------------------------------------------------------------------------
// Doctor

void doctor_pane_show(view_app* inout);

// ---------------------------------------------------------------------------------------------
// Crowd mode

void crowd_pane_show_view(view_app* inout, gui_rect rect);
void crowd_pane_show_side(view_app* inout, gui_rect rect);
void crowd_pane_show_timeline(view_app* inout, gui_rect rect);

// ---------------------------------------------------------------------------------------------
// Benchmark mode

/// @param side  of width 0: not shown
void benchmark_pane_show(view_app* inout, gui_rect view, gui_rect side, gui_rect results);

// ---------------------------------------------------------------------------------------------
// Hints

enum
{
    VIEW_HINT_MAX = 3,
    VIEW_HINT_BYTES = 80,
};

/// Notes about the picture of a viewport: what is missing in it, and why.
/// @return number of lines
uint32_t view_hints_write(char out[VIEW_HINT_MAX][VIEW_HINT_BYTES], const view_app* in,
                          uint32_t view);

// ---------------------------------------------------------------------------------------------
// Files

/// Open the file browser, for files to open or for the one to save.
void file_browser_open(view_app* inout, bool is_saving);
void file_browser_show(view_app* inout, gui_rect window);

/// The question before what was painted is lost.
void unsaved_show(view_app* inout, gui_rect window);

// ---------------------------------------------------------------------------------------------
// Viewports

/// A viewport with its technique and its foot.
void view_pane_show(view_app* inout, uint32_t index, gui_rect rect);

// ---------------------------------------------------------------------------------------------
// Window

/// The layout, in pixels.
typedef struct screen_layout
{
    // Of width 0: not shown.
    gui_rect toolbar, views[VIEW_MAX], side, bottom, timeline;
    gui_rect results; ///< of a benchmark
    uint32_t view_count;
} screen_layout;

screen_layout screen_arrange(const view_app* in, float width, float height);

/// Build the interface of a frame; changes the state by user input.
void screen_show(view_app* inout, const screen_layout* layout);

#endif
