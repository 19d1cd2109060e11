// SPDX-License-Identifier: MIT
// A brush that paints factors between LBS and DQS on a character.
#ifndef PELT_MIX_BRUSH_H
#define PELT_MIX_BRUSH_H

#include "brush_mask.h"
#include "model/joint_mix.h"

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
    float* before;     ///< of each point of this stroke: its factor at the start; NULL: none yet
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

/// Paint around a point: a vertex goes by its mask from its factor at the start of the stroke to
/// the value. Copies of a vertex get the same.
/// @param mask       of this stroke; brush_mask_lift() ends it, too
/// @param positions  see surface_walk_from()
/// @param inout      brought up to date by joint_mix_fill()
/// @return false: no memory
bool mix_brush_dab(mix_brush* brush, brush_mask* mask, joint_mix* inout, const pelt_scene* scene,
                   const pelt_vec3* const* positions, const surface_point* from,
                   const mix_dab* dab);

/// Remove all paint, as a stroke of its own. @return as mix_brush_lift()
bool mix_brush_clear(mix_brush* brush, brush_mask* mask, joint_mix* inout, const pelt_scene* scene);

/// End a stroke. @return false: it has changed nothing, so that there is nothing to undo
bool mix_brush_lift(mix_brush* brush, brush_mask* mask);

/// Undo the last stroke. @return false: there is none
bool mix_brush_undo(mix_brush* brush, const brush_mask* mask, joint_mix* inout);

void mix_brush_destroy(mix_brush* in);

#endif
