// SPDX-License-Identifier: MIT
// The window: toolbar, viewports, panes on the right, pane above the timeline, timeline.
#ifndef PELT_SCREEN_H
#define PELT_SCREEN_H

#include "app.h"

/// Where everything is, in pixels.
typedef struct screen_layout
{
    gui_rect toolbar, views[VIEW_MAX], side, bottom, timeline; ///< of width 0: not shown
    uint32_t view_count;
} screen_layout;

screen_layout screen_arrange(const view_app* in, float width, float height);

/// Build the interface of a frame; changes the state by what people do.
void screen_show(view_app* inout, const screen_layout* layout);

#endif
