// SPDX-License-Identifier: MIT
// The rotation gizmo and the brushes in a viewport.
#ifndef PELT_EDIT_TOOLS_H
#define PELT_EDIT_TOOLS_H

#include "app.h"

/// Choose a joint, which shows its gizmo. @param node  PELT_NONE: hide the gizmo, and keep the
/// joint
void edit_tools_pick(view_app* inout, uint32_t node);

/// Save the state of the chosen joint for undo: when a change begins.
void edit_tools_remember(view_app* inout);

/// Undo the last change of the pose or of the paint.
void edit_tools_undo(view_app* inout);

/// Remove all paint.
void edit_tools_clear_paint(view_app* inout);

/// Set the colors of factors or weights while a brush is used: the brush shows what it paints. Do
/// undos that had to wait for a job.
void edit_tools_update(view_app* inout);

/// Whether weights are being painted or wait for it: no job may read them.
bool edit_tools_hold_weights(const view_app* in);

/// Use the mouse to paint, or to drag the gizmo.
/// @return false: it is free for other uses
bool edit_tools_use(view_app* inout, uint32_t view, const gui_drag* drag, gui_rect rect);

/// Draw the gizmo and the rim of the brush over a viewport.
void edit_tools_show(view_app* inout, uint32_t view, const gui_drag* drag, gui_rect rect);

/// A stroke of the brush in the first viewport, for scripts.
/// @param points  count pairs of x and y, in parts of the viewport
void edit_tools_stroke(view_app* inout, const float* points, uint32_t count);

#endif
