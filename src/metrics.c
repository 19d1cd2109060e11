// SPDX-License-Identifier: MIT
// Measures of meshes and of the difference between two versions of one.
#include "../include/pelt/pelt.h"

pelt_difference pelt_positions_compare(const pelt_vec3* a, const pelt_vec3* b, uint32_t count)
{
    pelt_difference d = {.worst_vertex = PELT_NONE};
    double sum = 0.0, sum_of_squares = 0.0;
    for (uint32_t v = 0; v < count; ++v)
    {
        double x = (double)a[v].x - (double)b[v].x;
        double y = (double)a[v].y - (double)b[v].y;
        double z = (double)a[v].z - (double)b[v].z;
        double square = x * x + y * y + z * z;
        double distance = sqrt(square);
        sum += distance;
        sum_of_squares += square;
        // Written so that a NaN counts as the worst, instead of slipping through.
        if (d.worst_vertex == PELT_NONE || !(distance <= d.max))
        {
            d.max = distance;
            d.worst_vertex = v;
        }
    }
    if (count > 0)
    {
        d.mean = sum / count;
        d.rms = sqrt(sum_of_squares / count);
    }
    return d;
}

// Six times the signed volume of the tetrahedron between a triangle and a point.
static double determinant(pelt_vec3 a, pelt_vec3 b, pelt_vec3 c, pelt_vec3 origin)
{
    double ax = a.x - origin.x, ay = a.y - origin.y, az = a.z - origin.z;
    double bx = b.x - origin.x, by = b.y - origin.y, bz = b.z - origin.z;
    double cx = c.x - origin.x, cy = c.y - origin.y, cz = c.z - origin.z;
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

double pelt_mesh_volume(const pelt_vec3* positions, const uint32_t* indices, uint32_t index_count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i + 2 < index_count; i += 3)
    {
        // Any origin gives the same volume; one on the mesh keeps the terms small.
        sum += determinant(positions[indices[i]], positions[indices[i + 1]],
                           positions[indices[i + 2]], positions[indices[0]]);
    }
    return sum / 6.0;
}

double pelt_mesh_area(const pelt_vec3* positions, const uint32_t* indices, uint32_t index_count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i + 2 < index_count; i += 3)
    {
        pelt_vec3 a = positions[indices[i]];
        pelt_vec3 n = pelt_vec3_cross(pelt_vec3_sub(positions[indices[i + 1]], a),
                                      pelt_vec3_sub(positions[indices[i + 2]], a));
        sum += 0.5 * sqrt((double)n.x * n.x + (double)n.y * n.y + (double)n.z * n.z);
    }
    return sum;
}
