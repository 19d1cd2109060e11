// SPDX-License-Identifier: MIT
// The camera of the viewports: where it begins, what keys and menus do to it, and drags.
#ifndef PELT_CAMERA_H
#define PELT_CAMERA_H

#include "app.h"

/// Place the camera for a new character, mode or clip, unless it was moved.
/// @param width,height  of a viewport, pixels
void camera_place(view_app* inout, float width, float height);

/// COMMAND_FRAME and views from a side.
void camera_run_command(view_app* inout, app_command command);

/// The drags and the wheel over a viewport, but for those of tools.
/// @param is_left_here  the left button went down in this one
void camera_drag_over(view_app* inout, const gui_drag* drag, gui_rect rect, bool is_left_here);

/// A drag with the left button has begun: find what it is for.
/// @param is_free  it began where no tool uses it
void camera_drag_begin(view_app* inout, bool is_free);

/// Bring the place that was asked for into view, close up: its moment is on show now.
void camera_look_at_worst(view_app* inout);

/// The part of the viewport that the character takes now, across and high.
void camera_measure(float out[2], const view_app* in);

#endif
