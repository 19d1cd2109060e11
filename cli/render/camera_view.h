// SPDX-License-Identifier: MIT
// Cameras of pictures.
#ifndef PELT_CAMERA_VIEW_H
#define PELT_CAMERA_VIEW_H

#include "pelt/render.h"

typedef enum camera_view
{
    VIEW_THREE_QUARTER = 0,
    VIEW_FRONT,
    VIEW_SIDE,
    VIEW_BACK,
    VIEW_ORBIT, ///< once around, over all frames of an animation
    VIEW_COUNT
} camera_view;

/// The rotation from the axes of the model to those of the picture: x to its right, y up.
pelt_quat camera_view_from_model(camera_view view);

/// The camera of one of so many frames: all of the box is in the picture, and under VIEW_ORBIT the
/// distance is constant.
/// @param box  along the axes of the picture
pelt_camera camera_view_make(camera_view view, const pelt_bounds* box, float aspect, uint32_t frame,
                             uint32_t frame_count);

#endif
