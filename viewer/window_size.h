// SPDX-License-Identifier: MIT
// The size of the window in units of the layout, which are pixels on an ordinary screen and several
// on a dense one. Sizes are kept in this unit, on every system.
#ifndef PELT_WINDOW_SIZE_H
#define PELT_WINDOW_SIZE_H

#include <stdbool.h>

typedef struct GLFWwindow GLFWwindow;

enum
{
    WINDOW_MIN_WIDTH = 840, ///< the toolbar fits
    WINDOW_MIN_HEIGHT = 480,
};

/// The size that a window has now.
void window_size_read(int out[2], GLFWwindow* window);

/// Make a window that is not shown yet as small as the screen, where it is larger.
void window_size_fit(GLFWwindow* window);

/// Keep the window at least as large as the minimum, or as it is now.
void window_size_limit(GLFWwindow* window);

#endif
