// SPDX-License-Identifier: MIT
// A C interface to Dear ImGui: set-up, a few kinds of panels, and the controls that the viewer
// uses. Every control has a tooltip, and its rectangle on the screen is recorded, for tests that
// move a real mouse. The part of a label after "##" is its name there and is not shown.
#ifndef PELT_GUI_H
#define PELT_GUI_H

#include "pelt/color.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GUI_FORMAT __attribute__((format(printf, 1, 2)))
#else
#define GUI_FORMAT
#endif

typedef struct GLFWwindow GLFWwindow;

/// Pixels, from the upper left corner of the window.
typedef struct gui_rect
{
    float x, y, width, height;
} gui_rect;

// ---------------------------------------------------------------------------------------------
// Frames

/// Set up for a window whose context is current. The font is a TrueType font of the system, or the
/// built-in bitmap font where there is none.
/// @param scale  pixels per unit of the layout: 1, or more on dense screens
void gui_create(GLFWwindow* window, float scale);
void gui_destroy(void);

void gui_frame_begin(float seconds); ///< @param seconds since the last; 0: by the clock
void gui_frame_build(void);          ///< all controls are there: list what to draw of them
void gui_frame_end(void);            ///< draws into the bound framebuffer

/// The rectangle of a control of this frame.
typedef struct gui_control
{
    char name[40];
    gui_rect rect;
} gui_control;

/// Record a rectangle that is not a control.
void gui_record(const char* name, gui_rect rect);

/// @return number of controls of this frame; *out points to static data
uint32_t gui_controls(const gui_control** out);

// ---------------------------------------------------------------------------------------------
// Input that no control takes

bool gui_is_typing(void);                    ///< keys belong to a text field
bool gui_key_pressed(int key, bool repeats); ///< @param key  of GLFW
bool gui_key_down(int key);
bool gui_is_control_down(void);
bool gui_is_shift_down(void);
bool gui_is_alt_down(void);
bool gui_character_typed(uint32_t character);
bool gui_had_input(void); ///< mouse or keyboard did anything in this frame

// ---------------------------------------------------------------------------------------------
// Panels and layout

typedef enum gui_panel
{
    GUI_PANEL_BAR = 0,  ///< one row, no scrolling
    GUI_PANEL_SIDE,     ///< scrolls
    GUI_PANEL_VIEW,     ///< without margin, for a picture
    GUI_PANEL_FLOATING, ///< over a picture, half transparent; of height 0: as large as its content
                        ///< of the last frame, or wider
    GUI_PANEL_PAGE,     ///< the same, opaque
} gui_panel;

void gui_panel_begin(const char* name, gui_rect rect, gui_panel kind);
void gui_panel_end(void);

void gui_same_line(float x); ///< @param x  from the left of the panel; 0: after the last control
void gui_space(float height);
void gui_row_width(float width); ///< of the next control; below 0: up to so far from the right
float gui_width_left(void);
float gui_height_left(void);
float gui_line_height(void);    ///< of text
float gui_control_height(void); ///< of a button or a field

/// A heading that folds its content. @return whether it is open
bool gui_section(const char* label, bool* is_open, const char* tip);

bool gui_menu_begin(const char* label, const char* tip); ///< a button that opens a list
void gui_menu_end(void);
bool gui_menu_item(const char* label);
bool gui_menu_has_opened(void); ///< within a menu: this is its first frame
void gui_menu_close(void);      ///< within a menu; Escape and a click elsewhere close it, too
bool gui_has_menu(void);        ///< a menu, a list or a message is open

/// A message in the middle, until it is closed.
/// @param text  NULL: close it
/// @return true when it was closed
bool gui_message(const char* title, const char* text);

// ---------------------------------------------------------------------------------------------
// Controls. Each returns whether it was used.

void gui_text(const char* format, ...) GUI_FORMAT;
void gui_muted(const char* format, ...) GUI_FORMAT; ///< less important
void gui_mono(const char* format, ...) GUI_FORMAT;  ///< figures in columns

bool gui_button(const char* label, const char* tip);
bool gui_toggle(const char* label, bool is_on, const char* tip); ///< a button that stays down
bool gui_check(const char* label, bool* value, const char* tip);
gui_rect gui_last_rect(void); ///< of the last control or text

/// Record the last text under a name, and set a tooltip.
/// @param label  "": it is on record already
/// @param tip    may be NULL
void gui_finish(const char* label, const char* tip);

typedef struct gui_slider_range
{
    float low, high;
    float reset;        ///< where a double click leads
    const char* format; ///< of printf
    bool is_logarithmic;
} gui_slider_range;

/// Takes typed numbers after Ctrl+click. The label is on its left; none: the slider alone.
bool gui_slider(const char* label, float* value, const gui_slider_range* range, const char* tip);
bool gui_slider_began(void); ///< the last slider was taken hold of

bool gui_combo(const char* label, int* value, const char* const* names, int count, const char* tip);

/// A field for text, which is selected when the field gets the focus. @return Enter was pressed
bool gui_field(const char* label, char* text, uint32_t size, const char* hint, const char* tip);
void gui_focus_next(void); ///< the next field gets the focus

/// @param is_scrolled_to  bring the row into view
bool gui_list_row(const char* label, bool is_chosen, bool is_scrolled_to);
void gui_list_begin(const char* name, float height);
void gui_list_begin_sized(const char* name, float width, float height); ///< @param width  pixels
bool gui_was_double_clicked(void); ///< the last row or control, in this frame
void gui_list_end(const char* tip);
void gui_progress(float part, const char* text, float width); ///< @param width  pixels
/// As wide as gui_row_width() says, with its label in it.
void gui_plot(const char* name, const float* values, uint32_t count, float high, float height);

// ---------------------------------------------------------------------------------------------
// Drawing over the panel, in pixels of the window

typedef struct gui_pen
{
    uint8_t red, green, blue, alpha;
    float width; ///< pixels
} gui_pen;

/// Reserve space in the layout.
/// @param name  for the record of tests; may be NULL
gui_rect gui_area(const char* name, float width, float height);

void gui_curve(const float* xy, uint32_t count, gui_pen pen); ///< @param xy  count pairs

void gui_fill(gui_rect rect, pelt_color color);

/// A filled convex polygon. @param count  of corners, up to 16
void gui_polygon(const float* xy, uint32_t count, pelt_color color);

void gui_label(float x, float y, pelt_color color, const char* text); ///< upper left corner
float gui_label_width(const char* text);

// ---------------------------------------------------------------------------------------------
// Pictures

/// The state of the mouse on a picture.
typedef struct gui_drag
{
    bool is_hovered;
    bool is_clicked;          ///< left button, without dragging
    bool is_left_down;        ///< since it went down on the picture
    bool is_left_begun;       ///< it went down in this frame
    float x, y;               ///< of the mouse, from the upper left corner of the picture
    float rotate_x, rotate_y; ///< right drag since the last frame
    float pan_x, pan_y;       ///< middle drag
    float left_x, left_y;     ///< left drag
    float wheel;
} gui_drag;

/// Show a texture with its origin at the lower left over the whole panel.
gui_drag gui_picture(const char* name, uint32_t texture, float width, float height);

/// Draw a part of another texture over a picture of the same size.
/// @param from   0 to 1: where it begins, from the left
/// @param alpha  0 to 1
void gui_picture_over(uint32_t texture, gui_rect rect, float from, float alpha);

void gui_tip(const char* text); ///< next to the mouse, in this frame

/// A texture at texel scale, and texels that are marked in green.
typedef struct gui_texels
{
    uint32_t texture;
    float width, height;   ///< in texels
    float zoom;            ///< pixels per texel
    float x, y;            ///< of its upper left corner in the field, pixels
    const gui_rect* marks; ///< in texels
    uint32_t mark_count;
} gui_texels;

/// Show it in a field over the rest of the panel, first row at the top.
gui_drag gui_texels_show(const char* name, const gui_texels* texels);

#ifdef __cplusplus
}
#endif

#endif
