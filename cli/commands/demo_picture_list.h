// SPDX-License-Identifier: MIT
// The pictures of pelt demo, as data.
#ifndef PELT_DEMO_PICTURE_LIST_H
#define PELT_DEMO_PICTURE_LIST_H

#include "method_list.h"
#include "render/camera_view.h"

enum
{
    DEMO_ROW_MAX = 5,
};

/// A row of panels: a time of a clip, the stored pose with changes, or both.
typedef struct demo_picture_row
{
    const char* clip; ///< NULL: the stored pose
    float time;       ///< seconds
    const char* note; ///< what labels say about it; NULL: nothing
    const char* pose; ///< changes as for --pose; NULL: none
    pelt_convention convention;
    uint32_t
        twist_count; ///< of joints along the left forearm, whose hand is rotated by 180 degrees
} demo_picture_row;

/// One file: rows from top to bottom, methods from left to right; or all in rows of `columns`,
/// and then under one camera.
typedef struct demo_picture
{
    const char* file;
    const char* about; ///< said about it when it is written
    const char* rig;   ///< NULL: the user's own character
    const char* methods;
    uint32_t rule_count; ///< of normals; 0: the standard one
    uint32_t rules[METHOD_LIST_RULE_MAX];
    const char* show;
    const char* focus; ///< joint that fills the panels; NULL: all
    camera_view view;
    uint32_t width, height; ///< pixels of a panel
    pelt_color background;  ///< {0}: that of the library
    uint32_t columns;       ///< 0: one per method
    uint32_t row_count;
    demo_picture_row rows[DEMO_ROW_MAX];
} demo_picture;

/// @return their number; those of one rig follow each other
uint32_t demo_picture_list(const demo_picture** out);

/// The picture of a character from the user, in its pose.
extern const demo_picture demo_picture_of_input;

#endif
