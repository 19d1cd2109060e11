// SPDX-License-Identifier: MIT
// Normals and gradients of a triangle.
#include "../base/exact.h"

#include "triangle.h"

// The height over the longest edge, relative to it, below which a triangle is a line: the rounding
// of its corners.
static const double flat_height = 1e-7;

// Triangles that turn their sides against each other, as both sides of a sheet do: what is left of
// the sum of their normals, by area, is the rounding of corners.
static const double canceled_normal = 1e-6;

void pelti_triangle_edges(pelti_triangle* out, const pelt_vec3* positions, const uint32_t* indices,
                          uint32_t corner)
{
    uint32_t first = corner - corner % 3;
    pelti_double3 p[3];
    for (uint32_t k = 0; k < 3; ++k)
    {
        out->vertices[k] = indices[first + (corner + k) % 3];
        p[k] = pelti_double3_from(positions[out->vertices[k]]);
    }
    for (int k = 0; k < 3; ++k)
    {
        out->edges[k] = pelti_double3_sub(p[(k + 2) % 3], p[(k + 1) % 3]);
    }
}

bool pelti_triangle_at(pelti_triangle* out, const pelt_vec3* positions, const uint32_t* indices,
                       uint32_t corner)
{
    pelti_triangle_edges(out, positions, indices, corner);
    double longest2 = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        longest2 = fmax(longest2, pelti_double3_dot(out->edges[k], out->edges[k]));
    }
    pelti_double3 cross = pelti_double3_cross(out->edges[0], out->edges[1]);
    double twice = pelti_double3_length(cross);
    if (!(twice > flat_height * longest2))
    {
        return false;
    }
    out->normal = pelti_double3_scale(cross, 1.0 / twice);
    out->area = 0.5 * twice;
    for (int k = 0; k < 3; ++k)
    {
        pelti_double3 inwards = pelti_double3_cross(out->normal, out->edges[k]);
        out->gradients[k] = pelti_double3_scale(inwards, 1.0 / twice);
    }
    return true;
}

pelti_double3 pelti_plane_normal(pelti_double3 sum, double area)
{
    bool is_canceled = pelti_double3_length(sum) <= canceled_normal * area;
    return is_canceled ? (pelti_double3){0.0, 0.0, 0.0} : pelti_double3_unit(sum);
}

bool pelti_plane_flatten(double out[2][2], double gradients[2][2])
{
    double determinant = gradients[0][0] * gradients[1][1] - gradients[0][1] * gradients[1][0];
    if (!(determinant > 1e-6))
    {
        return false;
    }
    out[0][0] = gradients[1][1] / determinant;
    out[1][1] = gradients[0][0] / determinant;
    out[0][1] = -gradients[0][1] / determinant;
    out[1][0] = -gradients[1][0] / determinant;
    return true;
}
