// SPDX-License-Identifier: MIT
// Three rings around a joint, one for each number of its edit: a drag along a ring rotates the
// joint about the axis of that number, as its slider does.
#ifndef PELT_GIZMO_H
#define PELT_GIZMO_H

#include "pose_edit.h"
#include "projection.h"

enum
{
    GIZMO_POINT_COUNT = 65, ///< of a ring, the last is the first
};

typedef struct gizmo
{
    pelt_vec3 center;
    pelt_vec3 axes[POSE_AXIS_COUNT]; ///< unit: twist, bend, side
    float radius;                    ///< meters
    float sense;                     ///< -1 where the joint is mirrored: rotations go the other way
} gizmo;

/// @param model_from_node  of the joint as it is posed, its edit included
/// @param edit             of the joint
/// @param pixels           radius of the rings in the picture
gizmo gizmo_of(const pelt_scene* scene, const pelt_mat34* model_from_node, const joint_edit* edit,
               const projection* view, float pixels);

typedef struct gizmo_point
{
    pixel at;
    bool is_front; ///< on the half that is towards the eye
} gizmo_point;

/// The picture of a ring. @return false: it is not before the eye
bool gizmo_draw(gizmo_point out[GIZMO_POINT_COUNT], const gizmo* in, uint32_t ring,
                const projection* view);

/// The ring whose front half is nearest to a pixel.
/// @param reach  pixels that it may be away
/// @return ring, or PELT_NONE
uint32_t gizmo_pick(const gizmo* in, const projection* view, pixel at, float reach);

/// Degrees by which a drag from one pixel to another rotates a ring.
float gizmo_rotate(const gizmo* in, uint32_t ring, const projection* view, pixel from, pixel to);

/// Add them to an edit, which stays between -180 and 180.
void gizmo_apply(joint_edit* inout, uint32_t ring, float degrees);

#endif
