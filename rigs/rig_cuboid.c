// SPDX-License-Identifier: MIT
// The cuboid of Bittner et al. 2019, Table 2 and Figure 6: 16 800 vertices, 8 400 triangles, 5
// bones. The counts fit 10 x 10 x 100 quads, 4 200 on the surface, each with four vertices of its
// own.
#include "rig_params.h"
#include "rig_parts.h"

#define BONE_COUNT 5

// Meters. The cuboid lies along x, ten times as long as wide.
static const float half_length = 1.0f;
static const float half_width = 0.1f;

static void add_joints(rig_builder* rig, rig_link* links)
{
    static const char* const names[BONE_COUNT] = {"bone0", "bone1", "bone2", "bone3", "bone4"};
    float length = 2.0f * half_length / BONE_COUNT;
    uint32_t parent = PELT_NONE;

    for (uint32_t i = 0; i < BONE_COUNT; ++i)
    {
        // The same formula as for rows of vertices in rig_block, so that a row is exactly at each
        // joint.
        float t = (float)i / BONE_COUNT;
        float x = (1.0f - t) * -half_length + t * half_length;
        parent = rig_joint(rig, names[i], parent, pelt_vec3_make(x, 0.0f, 0.0f));
        // The blends of neighbors touch in the middle of a bone: smooth, and never three joints.
        links[i] = (rig_link){parent, 0.5f * length};
    }
}

static void add_clips(rig_builder* rig, uint32_t first, uint32_t second)
{
    const pelt_vec3 along = {1.0f, 0.0f, 0.0f}, across = {0.0f, 0.0f, 1.0f};
    rig_clip(rig, "pose", 1.0f);
    rig_chain_rotate(rig, first, along, 180.0f);
    rig_chain_rotate(rig, second, across, 120.0f);
    rig_clip(rig, "twist", 1.0f);
    rig_chain_rotate(rig, first, along, 180.0f);
    rig_clip(rig, "bend", 1.0f);
    rig_chain_rotate(rig, second, across, 120.0f);
}

pelt_result rig_build_cuboid(pelt_scene** out, const rig_params* params, pelt_error* error)
{
    // n x n x 10n quads have 42 n^2 on the surface, and 168 n^2 vertices.
    uint32_t n = (uint32_t)fmax(1.0, round(sqrt(params->values[0] / 168.0)));
    rig_block block = {.name = "cuboid",
                       .min = {-half_length, -half_width, -half_width},
                       .max = {half_length, half_width, half_width},
                       .segments = {10 * n, n, n},
                       .stride = 2,
                       .color = {0.35f, 0.5f, 0.7f}};

    rig_builder* rig = rig_begin("cuboid");
    rig_link links[BONE_COUNT];
    add_joints(rig, links);
    rig_mesh* mesh = rig_block_add(rig, &block);
    rig_chain_weights(rig, mesh, pelt_vec3_make(1.0f, 0.0f, 0.0f), links, BONE_COUNT);
    add_clips(rig, links[1].joint, links[2].joint);
    return rig_finish(rig, out, error);
}
