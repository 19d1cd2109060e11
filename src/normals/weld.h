// SPDX-License-Identifier: MIT
// Vertices that are one: copies along UV seams, which file formats make.
#ifndef PELTI_WELD_H
#define PELTI_WELD_H

#include "../../include/pelt/pelt.h"

/// Groups of vertices with equal position and weights, and with normals that agree to a degree.
typedef struct pelti_weld
{
    uint32_t group_count;
    uint32_t* vertex_first; ///< group_count + 1 offsets
    uint32_t* vertices;     ///< of each group, ascending
    uint32_t* corner_first; ///< group_count + 1 offsets
    uint32_t* corners;      ///< of each group, ascending: places in mesh->indices
} pelti_weld;

/// @return false when out of memory
bool pelti_weld_vertices(pelti_weld* out, const pelt_mesh* mesh, pelt_arena* scratch);

#endif
