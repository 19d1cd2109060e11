// SPDX-License-Identifier: MIT
// The Texture pane: the animation texture of a viewport, texel by texel, with the play-head on what
// is being read.
#ifndef PELT_TEXTURE_PANE_H
#define PELT_TEXTURE_PANE_H

#include "app.h"

void texture_pane_show(view_app* inout, gui_rect rect);

#endif
