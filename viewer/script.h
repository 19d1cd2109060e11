// SPDX-License-Identifier: MIT
// Timed actions, for tests and for pictures: lines like
//
//     frame 10 key space
//     frame 20 set mix 0.3
//     frame 30 open hero.glb
//
// The verbs are key, set, open, clip, fade, time, joint, twist, bend, side, save, mix,
// savemodel, benchmark, camera, screenshot and quit. What follows a # is left out.
#ifndef PELT_SCRIPT_H
#define PELT_SCRIPT_H

#include "app.h"

typedef struct script_line
{
    uint64_t frame;
    uint32_t number; ///< of the line, from 1
    char verb[16];
    char* text; ///< the rest of the line
} script_line;

typedef struct script
{
    script_line* lines;
    uint32_t count;
    uint32_t next; ///< to be run
} script;

/// @return PELT_OK, PELT_ERROR_READ, PELT_ERROR_DATA or PELT_ERROR_MEMORY
pelt_result script_read(script* out, const char* path, pelt_error* error);
void script_destroy(script* in);

/// Run the actions that are due.
/// @param screenshot  path of a picture to take of this frame; NULL: none
pelt_result script_run(script* inout, view_app* app, const char** screenshot, pelt_error* error);

#endif
