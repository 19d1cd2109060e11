// SPDX-License-Identifier: MIT
// The plane of a vertex's triangles, as pelt_normal_factors stores it: a tilt of the normal.
#ifndef PELTI_TILT_H
#define PELTI_TILT_H

#include "../../include/pelt/prepare.h"

/// The axes of pelt_normal_factors, and the normal of their plane.
static inline void pelti_tilt_axes(pelt_vec3 axes[2], pelt_vec3* plane, pelt_vec3 tangent,
                                   pelt_vec3 normal, pelt_vec2 tilt)
{
    pelt_vec3 bitangent = pelt_vec3_cross(normal, tangent);
    float a = tilt.x, b = tilt.y, k = 2.0f / (1.0f + a * a + b * b);
    // The shortest rotation from the normal to the normal of the plane moves every vector along
    // these two: by how much it looks into their direction.
    pelt_vec3 lean = pelt_vec3_mad(pelt_vec3_scale(tangent, a), b, bitangent);
    pelt_vec3 ahead = pelt_vec3_scale(pelt_vec3_add(lean, normal), k);
    axes[0] = pelt_vec3_mad(tangent, -a, ahead);
    axes[1] = pelt_vec3_mad(bitangent, -b, ahead);
    *plane = pelt_vec3_sub(ahead, normal);
}

/// Two perpendicular directions of a plane, along its axes: to where the normal leans, and across.
static inline void pelti_lean_directions(pelt_vec2 out[2], pelt_vec2 tilt)
{
    float square = tilt.x * tilt.x + tilt.y * tilt.y;
    float scale = square > 1e-30f ? -1.0f / sqrtf(square) : 0.0f;
    out[0] = scale < 0.0f ? (pelt_vec2){tilt.x * scale, tilt.y * scale} : (pelt_vec2){1.0f, 0.0f};
    out[1] = (pelt_vec2){-out[0].y, out[0].x};
}

static inline pelt_vec3 pelti_vector_along(pelt_vec2 direction, const pelt_vec3 axes[2])
{
    return pelt_vec3_mad(pelt_vec3_scale(axes[0], direction.x), direction.y, axes[1]);
}

/// pelt_vec3_normalize() for what nearly always is a unit vector already, but for rounding.
static inline pelt_vec3 pelti_unit_of(pelt_vec3 a)
{
    return fabsf(pelt_vec3_dot(a, a) - 1.0f) < 1e-6f ? a : pelt_vec3_normalize(a);
}

/// The same about a normal that morph targets may have turned: the axes are turned along.
/// @param normal  unit
static inline void pelti_turned_axes(pelt_vec3 axes[2], pelt_vec3* plane, pelt_vec3 tangent,
                                     pelt_vec3 normal, pelt_vec2 tilt)
{
    pelt_vec3 across = pelt_vec3_mad(tangent, -pelt_vec3_dot(tangent, normal), normal);
    pelti_tilt_axes(axes, plane, pelti_unit_of(across), normal, tilt);
}

#endif
