// SPDX-License-Identifier: MIT
// Key bindings: for the keyboard, for scripts, and for the page that `?` shows.
#ifndef PELT_KEYS_H
#define PELT_KEYS_H

#include "app.h"

typedef struct key_binding
{
    const char* name; ///< "space"
    int key;          ///< of GLFW; 0: the mouse, or something that keys_poll() does by itself
    bool needs_control;
    app_command command;
    const char* text; ///< what it does
} key_binding;

/// @return number of bindings; *out points to static data
uint32_t keys_list(const key_binding** out);

/// @return COMMAND_NONE when no key has that name
app_command keys_find(const char* name);

/// Run the commands of the keys of this frame.
void keys_poll(view_app* inout, float seconds);

#endif
