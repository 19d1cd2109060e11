// SPDX-License-Identifier: MIT
// How far a character reaches over a clip: its box, and points that are farthest out in many
// directions, for a camera that has all of it in view.
#ifndef PELT_OUTLINE_H
#define PELT_OUTLINE_H

#include "pelt/pelt.h"

enum
{
    OUTLINE_AXES = 13, ///< edges, face diagonals and body diagonals of a cube, both ways
    OUTLINE_POINTS = 2 * OUTLINE_AXES,
};

typedef struct outline
{
    pelt_bounds box;
    pelt_vec3 points[OUTLINE_POINTS]; ///< relative to the root where it travels
    uint32_t count;                   ///< 0: not known
    bool is_traveling;                ///< the root leaves its place by half the height or more
} outline;

outline outline_empty(void);

/// Add the vertices of one moment. @param shift  is added to each
void outline_add(outline* inout, const pelt_vec3* positions, uint32_t count, pelt_vec3 shift);

/// The node that a character walks with: the highest joint of its first skin, or PELT_NONE.
uint32_t outline_root(const pelt_scene* scene);

/// Where the root is on the ground. @param model_from_node  of a frame
pelt_vec3 outline_place(const pelt_scene* scene, const pelt_mat34* model_from_node);

#endif
