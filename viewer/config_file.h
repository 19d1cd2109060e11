// SPDX-License-Identifier: MIT
// What is remembered from session to session, in the user's configuration folder (XDG): the
// window, panes and recent files. A file that is missing or broken means defaults.
#ifndef PELT_CONFIG_FILE_H
#define PELT_CONFIG_FILE_H

#include "app.h"

/// @param size  of the window, in pixels: kept as it is where the file has none
void config_file_read(view_app* inout, int size[2]);
void config_file_write(const view_app* in, const int size[2]);

#endif
