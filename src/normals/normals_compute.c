// SPDX-License-Identifier: MIT
// Vertex normals from triangles.
#include "../base/exact.h"

#include "../../include/pelt/pelt.h"

#include "../base/rescale.h"

void pelt_normals_compute(pelt_vec3* out, const pelt_vec3* positions, uint32_t vertex_count,
                          const uint32_t* indices, uint32_t index_count)
{
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        out[v] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    }
    float scale = pelti_scale_to_one((const float*)positions, 3 * (size_t)vertex_count);
    if (scale > 1e-15f && scale < 1e15f)
    {
        // Areas are within float as they are, also those of triangles much smaller than the mesh.
        scale = 1.0f;
    }
    for (uint32_t i = 0; i + 2 < index_count; i += 3)
    {
        const uint32_t* t = indices + i;
        pelt_vec3 a = pelt_vec3_scale(positions[t[0]], scale);
        // The cross product is twice the area long: larger triangles count for more.
        pelt_vec3 n = pelt_vec3_cross(pelt_vec3_sub(pelt_vec3_scale(positions[t[1]], scale), a),
                                      pelt_vec3_sub(pelt_vec3_scale(positions[t[2]], scale), a));
        for (int k = 0; k < 3; ++k)
        {
            out[t[k]] = pelt_vec3_add(out[t[k]], n);
        }
    }
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        out[v] = pelt_vec3_normalize(out[v]);
        if (pelt_vec3_dot(out[v], out[v]) == 0.0f)
        {
            out[v] = pelt_vec3_make(0.0f, 1.0f, 0.0f);
        }
    }
}
