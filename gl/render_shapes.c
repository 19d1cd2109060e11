// SPDX-License-Identifier: MIT
// The shapes of bones, joints and boxes, of size one, as render_mark_vertex.glsl transforms them.
#include "stage.h"

// Two pyramids, one long and one short, over a square at an eighth of the length.
static pelt_vec3* add_bone(pelt_vec3* out)
{
    static const pelt_vec3 ring[4] = {
        {1.0f, 0.0f, 0.125f}, {0.0f, 1.0f, 0.125f}, {-1.0f, 0.0f, 0.125f}, {0.0f, -1.0f, 0.125f}};
    const pelt_vec3 root = {0.0f, 0.0f, 0.0f}, tip = {0.0f, 0.0f, 1.0f};
    for (int i = 0; i < 4; ++i)
    {
        pelt_vec3 a = ring[i], b = ring[(i + 1) % 4];
        *out++ = root;
        *out++ = b;
        *out++ = a;
        *out++ = tip;
        *out++ = a;
        *out++ = b;
    }
    return out;
}

static pelt_vec3 ball_point(int ring, int side)
{
    float down = PELT_PI * (float)ring / PELTI_BALL_RINGS;
    float azimuth = 2.0f * PELT_PI * (float)side / PELTI_BALL_SIDES;
    return pelt_vec3_make(sinf(down) * cosf(azimuth), cosf(down), -sinf(down) * sinf(azimuth));
}

static pelt_vec3* add_ball(pelt_vec3* out)
{
    for (int ring = 0; ring < PELTI_BALL_RINGS; ++ring)
    {
        for (int side = 0; side < PELTI_BALL_SIDES; ++side)
        {
            pelt_vec3 a = ball_point(ring, side), b = ball_point(ring + 1, side);
            pelt_vec3 c = ball_point(ring + 1, side + 1), d = ball_point(ring, side + 1);
            const pelt_vec3 quad[6] = {a, b, c, a, c, d};
            for (int i = 0; i < 6; ++i)
            {
                *out++ = quad[i];
            }
        }
    }
    return out;
}

// Edges: corners that differ in one bit.
static pelt_vec3* add_box(pelt_vec3* out)
{
    const pelt_bounds unit = {{0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
    pelt_vec3 corners[8];
    pelti_box_corners(corners, &unit);
    for (int corner = 0; corner < 8; ++corner)
    {
        for (int bit = 1; bit < 8; bit *= 2)
        {
            if (!(corner & bit))
            {
                *out++ = corners[corner];
                *out++ = corners[corner | bit];
            }
        }
    }
    return out;
}

void pelti_shapes_write(pelt_vec3 out[PELTI_SHAPE_VERTICES])
{
    add_box(add_ball(add_bone(out)));
}
