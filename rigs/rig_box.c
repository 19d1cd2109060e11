// SPDX-License-Identifier: MIT
// The Box of the animation texture thesis (2021), Table 1: 312 vertices, 116 triangles, 4 bones.
// The counts fit a box of 1 x 4 x 1 quads (18, of 4 vertices) and a flat-shaded icosahedron cut
// once (80 triangles, of 3 vertices): 72 + 240 vertices, 36 + 80 triangles.
#include "rig_params.h"
#include "rig_parts.h"

#define BONE_COUNT 4

// Meters. The box is on the ground, with one bone per quad of its height; the ball is on top.
static const float bone_length = 0.4f;
static const float half_width = 0.2f;
static const float ball_radius = 0.25f;

static void add_box(rig_builder* rig, rig_link* links)
{
    static const char* const names[BONE_COUNT] = {"base", "lower", "upper", "top"};
    uint32_t parent = PELT_NONE;
    for (uint32_t i = 0; i < BONE_COUNT; ++i)
    {
        pelt_vec3 position = {0.0f, (float)i * bone_length, 0.0f};
        parent = rig_joint(rig, names[i], parent, position);
        links[i] = (rig_link){parent, 0.5f * bone_length};
    }

    rig_block block = {.name = "box",
                       .min = {-half_width, 0.0f, -half_width},
                       .max = {half_width, BONE_COUNT * bone_length, half_width},
                       .segments = {1, BONE_COUNT, 1},
                       .stride = 2,
                       .color = {0.7f, 0.3f, 0.2f}};
    rig_mesh* mesh = rig_block_add(rig, &block);
    rig_chain_weights(rig, mesh, pelt_vec3_make(0.0f, 1.0f, 0.0f), links, BONE_COUNT);
}

// ---------------------------------------------------------------------------------------------
// Ball

static const float golden = 1.61803398875f;

static pelt_vec3 icosahedron_corner(uint32_t corner)
{
    // Three golden rectangles, one in each plane of two axes.
    float a = (corner & 1) != 0 ? -1.0f : 1.0f;
    float b = (corner & 2) != 0 ? -golden : golden;
    pelt_vec3 p = corner < 4   ? pelt_vec3_make(0.0f, a, b)
                  : corner < 8 ? pelt_vec3_make(a, b, 0.0f)
                               : pelt_vec3_make(b, 0.0f, a);
    return pelt_vec3_normalize(p);
}

// Longitude and latitude of a direction. Corners near the cut take the side of the middle of their
// triangle, and a pole takes its longitude.
static pelt_vec2 ball_uv(pelt_vec3 p, pelt_vec3 middle)
{
    float longitude = atan2f(p.x, p.z) / (2.0f * PELT_PI);
    float anchor = atan2f(middle.x, middle.z) / (2.0f * PELT_PI);
    if (p.x * p.x + p.z * p.z < 1e-6f)
    {
        longitude = anchor;
    }
    longitude -= roundf(longitude - anchor);
    return (pelt_vec2){0.5f + longitude, acosf(fminf(fmaxf(p.y, -1.0f), 1.0f)) / PELT_PI};
}

// Corners are directions from the middle of the ball, anticlockwise from outside.
static void fill_triangle(rig_mesh* mesh, uint32_t triangle, const pelt_vec3 corners[3])
{
    pelt_vec3 middle = pelt_vec3_add(pelt_vec3_add(corners[0], corners[1]), corners[2]);
    for (uint32_t i = 0; i < 3; ++i)
    {
        uint32_t vertex = 3 * triangle + i;
        mesh->positions[vertex] = pelt_vec3_scale(corners[i], ball_radius);
        mesh->positions[vertex].y += BONE_COUNT * bone_length + ball_radius;
        mesh->normals[vertex] = pelt_vec3_normalize(pelt_vec3_cross(
            pelt_vec3_sub(corners[1], corners[0]), pelt_vec3_sub(corners[2], corners[0])));
        mesh->uvs[vertex] = ball_uv(corners[i], middle);
        mesh->indices[vertex] = vertex;
    }
}

// Four triangles out of one face of the icosahedron.
static void fill_face(rig_mesh* mesh, uint32_t face, const pelt_vec3 corner[3])
{
    pelt_vec3 mid[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        mid[i] = pelt_vec3_normalize(pelt_vec3_add(corner[i], corner[(i + 1) % 3]));
    }
    const pelt_vec3 parts[4][3] = {{corner[0], mid[0], mid[2]},
                                   {corner[1], mid[1], mid[0]},
                                   {corner[2], mid[2], mid[1]},
                                   {mid[0], mid[1], mid[2]}};
    for (uint32_t i = 0; i < 4; ++i)
    {
        fill_triangle(mesh, 4 * face + i, parts[i]);
    }
}

// Do three corners lie next to each other, counterclockwise? Neighbors are 63.4 degrees apart,
// cosine 0.45, all others at least 116.6 degrees.
static bool is_face(const pelt_vec3 c[3])
{
    bool is_close = pelt_vec3_dot(c[0], c[1]) > 0.0f && pelt_vec3_dot(c[1], c[2]) > 0.0f &&
                    pelt_vec3_dot(c[2], c[0]) > 0.0f;
    return is_close && pelt_vec3_dot(pelt_vec3_cross(c[0], c[1]), c[2]) > 0.0f;
}

static void add_ball(rig_builder* rig, uint32_t joint)
{
    rig_mesh* mesh = rig_mesh_add(rig, "ball", 240, 240, 1, pelt_vec3_make(0.25f, 0.5f, 0.7f));
    uint32_t face = 0;
    for (uint32_t i = 0; mesh != NULL && i < 12 * 12 * 12; ++i)
    {
        uint32_t a = i / 144, b = i / 12 % 12, c = i % 12;
        const pelt_vec3 corners[3] = {icosahedron_corner(a), icosahedron_corner(b),
                                      icosahedron_corner(c)};
        // Start each face with its lowest corner.
        if (a < b && a < c && b != c && is_face(corners))
        {
            fill_face(mesh, face++, corners);
        }
    }
    for (uint32_t vertex = 0; mesh != NULL && vertex < mesh->vertex_count; ++vertex)
    {
        mesh->joints[vertex] = joint;
        mesh->weights[vertex] = 1.0f;
    }
}

// ---------------------------------------------------------------------------------------------
// Clip

// 248 frames at 30 per second: textures of Table 2 are 249 wide, and their first column has
// metadata. One swing and back: the box sways, twists, hops and breathes, and ends as it began.
static void add_clip(rig_builder* rig, const rig_link* links)
{
    const float duration = 248.0f / 30.0f;
    const int step_count = 16;
    const pelt_vec3 forward = {0.0f, 0.0f, 1.0f}, up = {0.0f, 1.0f, 0.0f};

    rig_clip(rig, "test", duration);
    for (int step = 0; step <= step_count; ++step)
    {
        // The last step is the first one again, bit by bit.
        float phase = 2.0f * PELT_PI * (float)(step % step_count) / (float)step_count;
        float time = duration * (float)step / (float)step_count;
        float swing = sinf(phase), rise = 0.5f - 0.5f * cosf(phase);
        float breath = 1.0f + 0.25f * sinf(2.0f * phase);

        pelt_vec3 hop = {0.5f * swing, 0.3f * rise, 0.0f};
        rig_key_offset(rig, links[0].joint, time, hop);
        rig_key_rotation(rig, links[0].joint, time, pelt_quat_axis_angle(up, 0.5f * swing));
        rig_key_rotation(rig, links[1].joint, time, pelt_quat_axis_angle(forward, -0.6f * swing));
        rig_key_rotation(rig, links[2].joint, time, pelt_quat_axis_angle(up, 2.0f * rise));
        rig_key_rotation(rig, links[3].joint, time, pelt_quat_axis_angle(forward, 0.9f * swing));
        rig_key_scale(rig, links[3].joint, time, pelt_vec3_make(breath, 2.0f - breath, breath));
    }
}

pelt_result rig_build_box(pelt_scene** out, const rig_params* params, pelt_error* error)
{
    (void)params;
    rig_builder* rig = rig_begin("box");
    rig_link links[BONE_COUNT];
    add_box(rig, links);
    add_ball(rig, links[BONE_COUNT - 1].joint);
    add_clip(rig, links);
    return rig_finish(rig, out, error);
}
