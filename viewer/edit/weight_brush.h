// SPDX-License-Identifier: MIT
// A brush that paints the weights of one joint. The weights of a vertex always sum to 1: what the
// joint gets the others lose, in proportion.
#ifndef PELT_WEIGHT_BRUSH_H
#define PELT_WEIGHT_BRUSH_H

#include "brush_mask.h"
#include "mesh_mirror.h"
#include "model/live_weights.h"

enum
{
    WEIGHT_UNDO_MAX = 64,
};

typedef enum weight_tool
{
    WEIGHT_ADD = 0,
    WEIGHT_SUBTRACT,
    WEIGHT_SMOOTH, ///< toward the mean of the points around
    WEIGHT_TOOL_COUNT
} weight_tool;

/// Vertices as they were before a stroke.
typedef struct weight_stroke
{
    uint32_t count, capacity;
    uint32_t* vertices; ///< of all meshes, see surface_walk
    uint32_t* first;    ///< of their influences
    uint32_t* counts;
    pelt_influence* influences;
    uint32_t influence_count, influence_capacity;
} weight_stroke;

typedef struct weight_brush
{
    uint32_t* slots; ///< of each vertex in the stroke, plus 1; 0: it is not in it; NULL: none yet
    weight_stroke stroke; ///< that is being made
    weight_stroke undo[WEIGHT_UNDO_MAX];
    uint32_t undo_count;
    mesh_mirror mirror;
} weight_brush;

typedef struct weight_dab
{
    float radius;   ///< meters along the surface
    float strength; ///< 0 to 1: what a stroke adds or takes at its center, or how far it smooths
    weight_tool tool;
    uint32_t node;    ///< of the joint
    bool is_mirrored; ///< the other side gets the same, with the joint that mirrors this one
} weight_dab;

/// Paint around a point, by masks and weights as they were at the start of the stroke. Where a
/// vertex has only this joint, what is taken goes to the joint above it, or else below. Copies of a
/// vertex get the same. A vertex keeps the strongest influences up to live_weights_limit().
/// @param mask       of this stroke
/// @param positions  see surface_walk_from()
/// @return false: no memory
bool weight_brush_dab(weight_brush* brush, brush_mask* mask, live_weights* inout,
                      const pelt_scene* scene, const pelt_vec3* const* positions,
                      const surface_point* from, const weight_dab* dab);

/// End a stroke. @return false: it has changed nothing, so that there is nothing to undo
bool weight_brush_lift(weight_brush* brush, brush_mask* mask);

/// Take the last stroke back. @return false: there is none, or no memory
bool weight_brush_undo(weight_brush* brush, const brush_mask* mask, live_weights* inout);

void weight_brush_destroy(weight_brush* in);

#endif
