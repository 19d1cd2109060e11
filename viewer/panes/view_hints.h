// SPDX-License-Identifier: MIT
// What a person should know about the picture of a viewport: what is missing in it, and why.
#ifndef PELT_VIEW_HINTS_H
#define PELT_VIEW_HINTS_H

#include "app.h"

enum
{
    VIEW_HINT_MAX = 3,
    VIEW_HINT_BYTES = 80,
};

/// @return number of lines
uint32_t view_hints_write(char out[VIEW_HINT_MAX][VIEW_HINT_BYTES], const view_app* in,
                          uint32_t view);

#endif
