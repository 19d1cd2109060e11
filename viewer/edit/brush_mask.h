// SPDX-License-Identifier: MIT
// How much of a stroke of a brush each point of a surface has: soft at its rim, by the distance
// along the surface, so that a finger takes nothing from its neighbor.
#ifndef PELT_BRUSH_MASK_H
#define PELT_BRUSH_MASK_H

#include "surface_walk.h"

typedef struct brush_mask
{
    surface_walk walk; ///< {0}: there was no stroke yet
    float* masks;      ///< of each point: how much of this stroke it has, 0 to 1
    uint32_t* touched; ///< points with a mask above 0
    uint32_t touched_count;
    uint32_t* raised; ///< points whose mask the last dab has raised
    uint32_t raised_count;
} brush_mask;

/// Compute connectivity, when the first stroke begins. @return false: no memory
bool brush_mask_prepare(brush_mask* inout, const pelt_scene* scene);

/// Raise masks around a point. However many dabs a stroke has, a point has what the one nearest to
/// it gives: strength * (1 - (d / radius)^2)^2 at distance d.
/// @param inout      prepared
/// @param positions  see surface_walk_from()
/// @param radius     meters along the surface
void brush_mask_dab(brush_mask* inout, const pelt_vec3* const* positions, const surface_point* from,
                    float radius, float strength);

/// End a stroke.
void brush_mask_lift(brush_mask* inout);

void brush_mask_destroy(brush_mask* in); ///< {0} is allowed, and remains

#endif
