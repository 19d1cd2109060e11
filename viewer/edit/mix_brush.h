// SPDX-License-Identifier: MIT
// A brush that paints factors between LBS and DQS on a character: soft at its rim, by the distance
// along the surface, so that a finger takes no paint from its neighbor.
#ifndef PELT_MIX_BRUSH_H
#define PELT_MIX_BRUSH_H

#include "model/joint_mix.h"
#include "surface_walk.h"

enum
{
    MIX_UNDO_MAX = 64,
};

/// Vertices as they were before a stroke.
typedef struct mix_stroke
{
    uint32_t count, capacity;
    uint32_t* vertices; ///< of all meshes, see surface_walk
    float* painted;     ///< below 0: there was no paint
} mix_stroke;

typedef struct mix_brush
{
    surface_walk walk; ///< {0}: nothing was painted yet
    float* masks;      ///< of each point: how much of this stroke it has, 0 to 1
    float* before;     ///< of each point of this stroke: its factor at the start
    mix_stroke stroke; ///< that is being made
    mix_stroke undo[MIX_UNDO_MAX];
    uint32_t undo_count;
} mix_brush;

typedef struct mix_dab
{
    float radius;   ///< meters along the surface
    float strength; ///< 0 to 1: how much of the way to `value` a stroke goes at its center
    float value;    ///< factor
} mix_dab;

/// Paint around a point. However many dabs a stroke has, a vertex gets what the one nearest to it
/// gives: at distance d it goes by strength * (1 - (d / radius)^2)^2 from its factor at the start
/// of the stroke to the value. Copies of a vertex get the same.
/// @param positions  see surface_walk_from()
/// @param inout      brought up to date by joint_mix_fill()
/// @return false: no memory
bool mix_brush_dab(mix_brush* brush, joint_mix* inout, const pelt_scene* scene,
                   const pelt_vec3* const* positions, const surface_point* from,
                   const mix_dab* dab);

/// Remove all paint, as a stroke of its own.
/// @return as mix_brush_lift()
bool mix_brush_clear(mix_brush* brush, joint_mix* inout, const pelt_scene* scene);

/// End a stroke. @return false: it has changed nothing, so that there is nothing to undo
bool mix_brush_lift(mix_brush* brush);

/// Undo the last stroke.
/// @return false: there is none
bool mix_brush_undo(mix_brush* brush, joint_mix* inout);

void mix_brush_destroy(mix_brush* in);

#endif
