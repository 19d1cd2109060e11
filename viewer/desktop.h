// SPDX-License-Identifier: MIT
// Integration into a desktop: paths as users type them, JSON files, mouse clicks, fonts of the
// system and colors. Nothing here needs a window.
#ifndef PELT_DESKTOP_H
#define PELT_DESKTOP_H

#include "pelt/base.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Paths

/// The path that a text means: without spaces around it and quotes, with ~ as $HOME, and a URI such
/// as file:///users/me/my%20hero.glb as the path of the file.
/// @return false: it does not fit into out
bool typed_path_read(char* out, size_t size, const char* text);

// ---------------------------------------------------------------------------------------------
// JSON files

/// Write an object by pelt_save_bytes(): through links, into pipes, over regular files. Releases
/// the object, also on failure.
/// @param object  NULL: out of memory
pelt_result json_file_save(const char* path, json_t* object, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Clicks

enum
{
    CLICK_QUEUE_MAX = 16,
};

typedef struct click_event
{
    bool is_press;
    bool is_double; ///< the second press of a double click
} click_event;

/// {0} is a button that is up.
typedef struct click_queue
{
    click_event events[CLICK_QUEUE_MAX]; ///< oldest first
    uint32_t count;
    bool is_down;      ///< in this frame
    bool is_double;    ///< a double click in this frame
    bool has_press;    ///< the last press can be the first of a double click
    double press_time; ///< of the last press, seconds
    float press_position[2];
} click_queue;

/// Add an event.
///
/// Events are seen when a frame begins, so that the time between two of them is known to within the
/// duration of a frame: a double click is allowed so much more than the usual 0.3 s.
///
/// @param time           when it was seen, seconds
/// @param frame_seconds  duration of the last frame
/// @param position       of the mouse, pixels
void click_queue_add(click_queue* inout, bool is_press, double time, double frame_seconds,
                     const float position[2]);

/// Begin a frame: take the next event, if there is one, into is_down and is_double.
void click_queue_next(click_queue* inout);

// ---------------------------------------------------------------------------------------------
// Fonts

typedef enum font_style
{
    FONT_PLAIN = 0,
    FONT_MONO
} font_style;

/// @return a path that can be read, or NULL where there is none
const char* font_file_find(font_style style);

// ---------------------------------------------------------------------------------------------
// Colors

/// sRGB, 0 to 1.
typedef struct theme_color
{
    float red, green, blue;
} theme_color;

/// Text has a contrast of at least 4.5 : 1 to everything that is drawn below it.
typedef struct theme_colors
{
    theme_color ink;   ///< text
    theme_color muted; ///< less important text, on paper and fields
    theme_color light; ///< text on the accent
    theme_color accent;
    theme_color paper, field, edge; ///< panels, fields and lists, outlines

    // Below text, too.
    theme_color button, hovered, chosen, field_hovered;
    theme_color section, title;
    theme_color grab, grab_active; ///< of sliders, with the number over it
    theme_color progress;          ///< the part of a progress bar that is done
} theme_colors;

extern const theme_colors theme;

#ifdef __cplusplus
}
#endif

#endif
