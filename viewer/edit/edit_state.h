// SPDX-License-Identifier: MIT
// What the mouse does to a character in a viewport, and the order of changes, for undo.
#ifndef PELT_EDIT_STATE_H
#define PELT_EDIT_STATE_H

#include "projection.h"

enum
{
    EDIT_HISTORY_MAX = 128,
};

typedef enum edit_kind
{
    EDIT_POSE = 0,
    EDIT_PAINT,
} edit_kind;

typedef struct edit_state
{
    edit_kind history[EDIT_HISTORY_MAX]; ///< oldest first
    uint32_t history_count;

    bool is_joint_picked;  ///< by a person: then it has a gizmo
    bool is_list_scrolled; ///< the list of joints is to show the chosen one
    uint32_t hot_ring;     ///< below the mouse, or PELT_NONE
    uint32_t held_ring;    ///< that is being dragged, or PELT_NONE
    bool is_painting;
    uint32_t view; ///< in which it is dragged
    pixel last;    ///< where the mouse was

    bool had_brush;    ///< as of the last frame
    int colors_before; ///< that the brush has replaced
} edit_state;

#endif
