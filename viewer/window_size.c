// SPDX-License-Identifier: MIT
#include "window_size.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>

// A window is measured in pixels on some systems and in larger units on others, a framebuffer
// always in pixels. @return units of the window per unit of the layout
static double units_of(GLFWwindow* window)
{
    int window_size[2], pixels[2];
    float scale[2];
    glfwGetWindowSize(window, &window_size[0], &window_size[1]);
    glfwGetFramebufferSize(window, &pixels[0], &pixels[1]);
    glfwGetWindowContentScale(window, &scale[0], &scale[1]);
    double density = pixels[0] > 0 ? (double)window_size[0] / pixels[0] : 1.0;
    return fmax((double)scale[0], 1.0) * density;
}

void window_size_read(int out[2], GLFWwindow* window)
{
    double units = units_of(window);
    int size[2];
    glfwGetWindowSize(window, &size[0], &size[1]);
    out[0] = (int)lround(size[0] / units);
    out[1] = (int)lround(size[1] / units);
}

void window_size_fit(GLFWwindow* window)
{
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    int size[2], area[4] = {0}, frame[4] = {0};
    if (monitor == NULL)
    {
        return;
    }
    glfwGetMonitorWorkarea(monitor, &area[0], &area[1], &area[2], &area[3]);
    glfwGetWindowFrameSize(window, &frame[0], &frame[1], &frame[2], &frame[3]);
    glfwGetWindowSize(window, &size[0], &size[1]);
    int width = area[2] - frame[0] - frame[2], height = area[3] - frame[1] - frame[3];
    bool is_known = width > 0 && height > 0;
    if (is_known && (size[0] > width || size[1] > height))
    {
        glfwSetWindowSize(window, size[0] < width ? size[0] : width,
                          size[1] < height ? size[1] : height);
    }
}

void window_size_limit(GLFWwindow* window)
{
    const double units = units_of(window);
    int least[2] = {(int)(WINDOW_MIN_WIDTH * units), (int)(WINDOW_MIN_HEIGHT * units)}, size[2];
    glfwGetWindowSize(window, &size[0], &size[1]);
    // A small screen, or --size.
    least[0] = size[0] < least[0] ? size[0] : least[0];
    least[1] = size[1] < least[1] ? size[1] : least[1];
    glfwSetWindowSizeLimits(window, least[0], least[1], GLFW_DONT_CARE, GLFW_DONT_CARE);
}
