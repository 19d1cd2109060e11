// SPDX-License-Identifier: MIT
// The target of a viewport: a multisampled framebuffer, and a texture that it is resolved to.
#ifndef PELT_VIEW_TARGET_H
#define PELT_VIEW_TARGET_H

#include "pelt/base.h"

typedef struct view_target
{
    uint32_t width, height;
    uint32_t framebuffer, color, depth; ///< with samples
    uint32_t resolved, texture;         ///< without
} view_target;

/// Create it with one pixel. Its names stay the same for any size: the interface of a frame is
/// built before its viewports are drawn, and refers to the texture by name.
void view_target_create(view_target* out);

/// Make it of this size, unless it is already, and bind it.
/// @return PELT_OK, or PELT_ERROR_UNSUPPORTED
pelt_result view_target_bind(view_target* inout, uint32_t width, uint32_t height,
                             pelt_error* error);

/// Bring what was drawn into the texture; binds the window.
void view_target_resolve(const view_target* in);

void view_target_destroy(view_target* in); ///< {0} is allowed, and remains

#endif
