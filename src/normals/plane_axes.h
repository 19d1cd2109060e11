// SPDX-License-Identifier: MIT
// The mean plane of a vertex's triangles and its two axes. pelt_normal_factors stores the normal of
// the plane as (a, b), its stereographic projection about the normal of the vertex.
#ifndef PELTI_PLANE_AXES_H
#define PELTI_PLANE_AXES_H

#include "../../include/pelt/prepare.h"

/// The axes of pelt_normal_factors, and the normal of their plane.
/// @param projected  (a, b)
static inline void pelti_plane_axes(pelt_vec3 axes[2], pelt_vec3* plane, pelt_vec3 tangent,
                                    pelt_vec3 normal, pelt_vec2 projected)
{
    pelt_vec3 bitangent = pelt_vec3_cross(normal, tangent);
    float a = projected.x, b = projected.y, k = 2.0f / (1.0f + a * a + b * b);
    // The shortest rotation from the normal n to the normal p of the plane takes from a vector
    // perpendicular to n twice its projection onto n + p.
    pelt_vec3 offset = pelt_vec3_mad(pelt_vec3_scale(tangent, a), b, bitangent);
    pelt_vec3 sum = pelt_vec3_scale(pelt_vec3_add(offset, normal), k);
    axes[0] = pelt_vec3_mad(tangent, -a, sum);
    axes[1] = pelt_vec3_mad(bitangent, -b, sum);
    *plane = pelt_vec3_sub(sum, normal);
}

/// Two perpendicular unit vectors of the plane, in coordinates of its axes: the direction of the
/// vertex normal's projection onto the plane, and the one across.
static inline void pelti_projection_directions(pelt_vec2 out[2], pelt_vec2 projected)
{
    float square = projected.x * projected.x + projected.y * projected.y;
    float scale = square > 1e-30f ? -1.0f / sqrtf(square) : 0.0f;
    out[0] = scale < 0.0f ? (pelt_vec2){projected.x * scale, projected.y * scale}
                          : (pelt_vec2){1.0f, 0.0f};
    out[1] = (pelt_vec2){-out[0].y, out[0].x};
}

/// The vector with these coordinates along two axes.
static inline pelt_vec3 pelti_vec3_along(pelt_vec2 coordinates, const pelt_vec3 axes[2])
{
    return pelt_vec3_mad(pelt_vec3_scale(axes[0], coordinates.x), coordinates.y, axes[1]);
}

/// pelt_vec3_normalize() of a vector that usually is of unit length up to rounding, and is then
/// returned as it is.
static inline pelt_vec3 pelti_normalize_drift(pelt_vec3 a)
{
    return fabsf(pelt_vec3_dot(a, a) - 1.0f) < 1e-6f ? a : pelt_vec3_normalize(a);
}

/// pelti_plane_axes() about a normal that morph targets may have rotated: the tangent is made
/// perpendicular to it again.
/// @param normal  unit
static inline void pelti_plane_axes_about(pelt_vec3 axes[2], pelt_vec3* plane, pelt_vec3 tangent,
                                          pelt_vec3 normal, pelt_vec2 projected)
{
    pelt_vec3 across = pelt_vec3_mad(tangent, -pelt_vec3_dot(tangent, normal), normal);
    pelti_plane_axes(axes, plane, pelti_normalize_drift(across), normal, projected);
}

#endif
