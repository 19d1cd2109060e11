// SPDX-License-Identifier: MIT
// Triangles of a rectangular grid of vertices, for tubes and sheets.
#ifndef PELT_RIG_GRID_H
#define PELT_RIG_GRID_H

#include <stdint.h>

/// Cut the quads of a grid into triangles: rows one after the other, column_count + 1 vertices
/// each. Seen from the outside, the row direction is 90 degrees left of the column direction.
/// @param out    6 * column_count * row_count indices
/// @param first  first vertex of the grid
static inline void rig_grid_indices(uint32_t* out, uint32_t first, uint32_t column_count,
                                    uint32_t row_count)
{
    for (uint32_t row = 0; row < row_count; ++row)
    {
        for (uint32_t column = 0; column < column_count; ++column)
        {
            uint32_t a = first + row * (column_count + 1) + column;
            uint32_t b = a + column_count + 1;
            const uint32_t quad[6] = {a, a + 1, b + 1, a, b + 1, b};
            for (int i = 0; i < 6; ++i)
            {
                *out++ = quad[i];
            }
        }
    }
}

#endif
