// SPDX-License-Identifier: MIT
// The number of triangles over each pixel of a picture or shadow map, and the limit of drawing
// them.
#include "stage.h"

#include <float.h>

// A vertex in pixels.
typedef struct pixel_point
{
    float x, y;
    bool is_before; // in front of the eye
} pixel_point;

static pixel_point project(const pelti_mat4* clip, pelt_vec3 p, float width, float height)
{
    const float* m = clip->m;
    float x = m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12];
    float y = m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13];
    float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    return (pixel_point){(0.5f + 0.5f * x / w) * width, (0.5f + 0.5f * y / w) * height, w > 0.0f};
}

// Length that an interval has in common with 0 .. end.
static float common_length(float a, float b, float c, float end)
{
    float low = fminf(a, fminf(b, c)), high = fmaxf(a, fmaxf(b, c));
    return fmaxf(fminf(high, end) - fmaxf(low, 0.0f), 0.0f);
}

// An upper bound on the pixels of a triangle: its area, and no more than its box has in common with
// the picture. Triangles that reach behind the eye do not count: cameras that frame a character
// have none, and a camera inside of it must not lose triangles.
static float count_pixels(const pixel_point p[3], float width, float height)
{
    if (!p[0].is_before || !p[1].is_before || !p[2].is_before)
    {
        return 0.0f;
    }
    float area =
        0.5f * fabsf((p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y));
    float box = common_length(p[0].x, p[1].x, p[2].x, width) *
                common_length(p[0].y, p[1].y, p[2].y, height);
    // NaN: nothing is drawn.
    return area <= FLT_MAX ? fminf(area, box) : box <= FLT_MAX ? box : 0.0f;
}

uint32_t pelti_cover_add(double* inout, const pelt_stage* stage, uint32_t index,
                         const pelti_mat4* clip_from_model, uint32_t width, uint32_t height)
{
    const pelt_mesh* mesh = &stage->scene->meshes[stage->scene->instances[index].mesh];
    const pelt_vec3* positions = stage->frame->surfaces[index].positions;
    double most = (double)PELTI_LAYER_COUNT * width * height;
    uint32_t i = 0;
    for (; i + 2 < mesh->index_count && *inout <= most; i += 3)
    {
        pixel_point points[3];
        for (uint32_t k = 0; k < 3; ++k)
        {
            points[k] = project(clip_from_model, positions[mesh->indices[i + k]], (float)width,
                                (float)height);
        }
        *inout += (double)count_pixels(points, (float)width, (float)height);
    }
    return i;
}
