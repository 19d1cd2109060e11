// SPDX-License-Identifier: MIT
// Files of pelt-view: its state, for tests and diagnosis, and the configuration for the next
// session.
#ifndef PELT_STATE_FILE_H
#define PELT_STATE_FILE_H

#include "app.h"

// ---------------------------------------------------------------------------------------------
// State

pelt_result state_file_save(const char* path, const view_app* in, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Configuration

/// @param size  of the window, in pixels: kept as it is where the file has none
void config_file_read(view_app* inout, int size[2]);
void config_file_write(const view_app* in, const int size[2]);

#endif
