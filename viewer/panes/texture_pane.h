// SPDX-License-Identifier: MIT
// The Texture pane: the animation texture of a viewport, texel by texel, with the play-head on what
// is being read.
#ifndef PELT_TEXTURE_PANE_H
#define PELT_TEXTURE_PANE_H

#include "app.h"

void texture_pane_show(view_app* inout, gui_rect rect);

/// The viewport whose texture is shown: the chosen one, or else the first that plays one.
/// @return its index, or PELT_NONE
uint32_t texture_pane_view(const view_app* in);

/// Move the texture, and zoom about the middle of the pane; it no longer follows the play-head
/// then.
void texture_pane_move(view_app* inout, const gui_drag* drag);

/// As it was at first: 4 pixels per texel, following the play-head.
void texture_pane_reset(view_app* inout);

/// Pause, and go to the next key of the texture or to the one before; at the ends around to the
/// other.
/// @param way  1 or -1
void texture_pane_step(view_app* inout, int way);

#endif
