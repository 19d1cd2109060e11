// SPDX-License-Identifier: MIT
// The command line of pelt-view.
#ifndef PELT_VIEW_OPTIONS_H
#define PELT_VIEW_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Exit codes, as those of `pelt`.
enum
{
    VIEW_DONE = 0,
    VIEW_USAGE = 1,
    VIEW_INPUT = 2,
    VIEW_UNSUPPORTED = 3,
    VIEW_WRITE = 4,
};

typedef struct view_options
{
    const char* const* files;
    uint32_t file_count; ///< 0: the built-in human
    uint32_t frames;     ///< to draw before it ends; 0: until someone ends it
    const char* screenshot;
    const char* state;
    const char* script;
    int width, height; ///< of the window; 0: as last time
    bool is_help, is_version;
} view_options;

/// @return VIEW_DONE, or VIEW_USAGE after a sentence on stderr
int view_options_parse(view_options* out, int count, char** words);

void view_options_help(void);

#endif
