// SPDX-License-Identifier: MIT
// Surfaces whose distances are known, as skinned meshes.
#ifndef PELT_SHEETS_H
#define PELT_SHEETS_H

#include "edit/surface_walk.h"
#include "test.h"

enum
{
    SHEET_SQUARES = 25, ///< on a side
    SHEET_SIDE = SHEET_SQUARES + 1,
};

/// Sheets of squares, each a mesh with one joint; {0}: none.
typedef struct sheets
{
    pelt_mesh meshes[2];
    pelt_instance instances[2];
    pelt_node node;
    pelt_skin skin;
    uint32_t joint;
    pelt_scene scene;
} sheets;

/// A plane of 1 m across z with its lower left corner at (x, 0, z); inside, vertices are off their
/// grid by up to a quarter of a square.
void sheets_add_plane(sheets* inout, float x, float z);

/// A cylinder about y, 1.04 m high, whose last column of vertices are copies of the first.
void sheets_add_cylinder(sheets* inout, float radius);

void sheets_destroy(sheets* in);

/// The middle of a triangle.
surface_point sheets_point(const sheets* in, uint32_t mesh, uint32_t triangle);

#endif
