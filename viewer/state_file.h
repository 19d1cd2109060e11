// SPDX-License-Identifier: MIT
// What pelt-view shows, as JSON: for tests, and to see what a session was.
#ifndef PELT_STATE_FILE_H
#define PELT_STATE_FILE_H

#include "app.h"

pelt_result state_file_save(const char* path, const view_app* in, pelt_error* error);

#endif
