// SPDX-License-Identifier: MIT
// Smooth implicit bodies, symmetric in x, made of round cones, and triangle meshes of them.
#ifndef PELT_IMPLICIT_H
#define PELT_IMPLICIT_H

#include "pelt/pelt.h"

typedef enum implicit_symmetry
{
    IMPLICIT_MIDDLE = 0, ///< symmetric by itself: both ends at x = 0
    IMPLICIT_PAIR,       ///< the solid and its mirror image, which may touch
    IMPLICIT_LEFT,       ///< as a pair, but so far from x = 0 that the mirror image has no effect
} implicit_symmetry;

/// The hull of two balls, squeezed along the axes of the model: a ball or ellipsoid when its ends
/// are equal. Lengths in millimeters, which keeps tables narrow; all else here is in meters.
typedef struct implicit_cone
{
    uint32_t branch; ///< 0: trunk; others join the trunk but never one another. Ascending.
    implicit_symmetry symmetry; ///< of a branch: that of its first cone
    bool is_carved;             ///< takes away instead of adding; trunk only
    pelt_vec3 a, b;
    float radius_a, radius_b; ///< along an axis whose scale is one
    float blend;     ///< width of the fillet to what came before, of a branch's first cone to the
                     ///< trunk; 0: goes on from the cone before, and the two meet the rest as one
    pelt_vec3 scale; ///< of the cross section; all 0 means 1
} implicit_cone;

/// A cone prepared for evaluation, in coordinates divided by its scale.
typedef struct implicit_solid
{
    pelt_vec3 origin, direction, inverse_scale;
    float length, radius, radius_change, tangent;
    float blend, join; ///< fillet to what came before in the branch, and of the branch to the trunk
    float steepness;   ///< most that the value changes per distance moved, where it is above `core`
    float core;
    uint32_t branch, chain; ///< solids of one chain go on from one another
    implicit_symmetry symmetry;
    bool is_round, is_carved;
} implicit_solid;

/// The solids that matter in some region, in the order of the shape.
typedef struct implicit_shape
{
    uint32_t solid_count;
    const implicit_solid* solids;
} implicit_shape;

/// @param arena  owns the result
pelt_result implicit_shape_create(implicit_shape* out, const implicit_cone* cones, uint32_t count,
                                  pelt_arena* arena);

/// Roughly the distance to the surface, negative inside; exact for a single unscaled cone.
/// Symmetric in x to the last bit. Changes by at most IMPLICIT_LIPSCHITZ times the distance moved.
float implicit_value(const implicit_shape* shape, pelt_vec3 p);

#define IMPLICIT_LANES 8

/// The values at IMPLICIT_LANES points, in about the time of one.
void implicit_values(float* out, const implicit_shape* shape, const pelt_vec3* points);

#define IMPLICIT_SOLIDS_MAX 128

/// A shape as seen from a point: within the radius fewer solids give the same values, to the
/// last bit. Useful for more than two values.
typedef struct implicit_focus
{
    const implicit_shape* shape;
    pelt_vec3 center;
    float radius;
    implicit_shape near;
    implicit_solid solids[IMPLICIT_SOLIDS_MAX]; ///< those of `near`
} implicit_focus;

void implicit_focus_set(implicit_focus* out, const implicit_shape* shape, pelt_vec3 center,
                        float radius);

/// A shape for the values within `radius` of p: the near one, or where that is not enough, all.
const implicit_shape* implicit_focus_shape(const implicit_focus* focus, pelt_vec3 p, float radius);

/// Direction of steepest ascent, not normalized; x is exactly 0 where p.x is 0.
/// @param value  that of p; may be NULL
pelt_vec3 implicit_gradient(const implicit_focus* focus, pelt_vec3 p, float* value);

/// Move p onto the surface by Newton steps, at most `limit` away from where it was.
/// @param gradient  where it comes out; may be NULL
pelt_vec3 implicit_project(const implicit_focus* focus, pelt_vec3 p, float limit, int step_count,
                           pelt_vec3* gradient);

/// The squeezed cones are first-order distances; the factor covers their error for scales down to
/// about 0.35.
#define IMPLICIT_LIPSCHITZ 1.4f

/// Keep only the solids that can change the value within `radius` of the center.
/// @param out  room for shape->solid_count
/// @return number of solids kept
uint32_t implicit_cull(implicit_solid* out, const implicit_shape* shape, pelt_vec3 center,
                       float radius);

/// From the coordinates of the grid to the model. Must be odd in x near x = 0, and one to one.
/// Cells are uniform in the grid's coordinates, so where the map shrinks, the mesh is finer.
typedef pelt_vec3 (*implicit_warp)(pelt_vec3 p);

/// One axis of a warp: the integral of a slope that goes smoothly from 1 at `begin` to `slope` at
/// `end` and is constant below and above.
typedef struct implicit_ramp
{
    float begin, end, slope;
} implicit_ramp;

/// Inline, because warps evaluate it at many points.
/// @param slope  of the ramp at t
static inline float implicit_ramp_at(const implicit_ramp* ramp, float t, float* slope)
{
    float width = ramp->end - ramp->begin;
    float x = (t - ramp->begin) / width;
    x = x > 0.0f ? x : 0.0f;
    x = x < 1.0f ? x : 1.0f;
    float change = ramp->slope - 1.0f;
    *slope = 1.0f + change * x * x * (3.0f - 2.0f * x);
    // Integral of the cubic smoothstep, and of its constant end.
    float integral = width * (x * x * x * (1.0f - 0.5f * x));
    float past = width > 0.0f ? t - ramp->end : ramp->end - t;
    float beyond = past > 0.0f ? past : 0.0f;
    return t + change * (width > 0.0f ? integral + beyond : integral - beyond);
}

typedef struct implicit_grid_desc
{
    pelt_bounds bounds; ///< in the coordinates of the grid; only x >= 0 is used
    float spacing;
    implicit_warp warp;
} implicit_grid_desc;

/// A closed mesh, or its left half with its border exactly at x = 0.
typedef struct implicit_mesh
{
    uint32_t vertex_count, index_count;
    pelt_vec3* positions;
    pelt_vec3* normals;
    uint32_t* indices;
} implicit_mesh;

/// The left half, x >= 0. Two-manifold with boundary; normals are those of the field.
/// @param out  free with implicit_mesh_destroy(), whatever the result
pelt_result implicit_mesh_create(implicit_mesh* out, const implicit_shape* shape,
                                 const implicit_grid_desc* desc);

/// Collapse edges of a half until at most vertex_count are left, or until any collapse would fold
/// the surface. Keeps it manifold and its border on x = 0.
pelt_result implicit_mesh_simplify(implicit_mesh* mesh, const implicit_shape* shape,
                                   uint32_t vertex_count);

/// Add the mirror image of a half, joined at x = 0.
pelt_result implicit_mesh_mirror(implicit_mesh* mesh);

void implicit_mesh_destroy(implicit_mesh* mesh);

#endif
