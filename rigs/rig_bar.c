// SPDX-License-Identifier: MIT
// The toy bar of Le and Hodgins 2016, Figure 2: a round bar of 2 m along x that rotates about its
// middle. Every cross-section has one set of weights.
#include "rig_params.h"
#include "rig_parts.h"

// Meters. The edges are rounded, so that normals are smooth everywhere.
static const float half_length = 1.0f;
static const float radius = 0.2f;
static const float edge = 0.05f;

// Lengths along the profile, from the middle of the bar to the center of its end: the straight
// part, the rounded edge, the flat end.
static float straight_length(void)
{
    return half_length - edge;
}

static float profile_length(void)
{
    return straight_length() + 0.5f * PELT_PI * edge + (radius - edge);
}

static rig_ring bar_profile(float s)
{
    float rest = fabsf(s) * profile_length() - straight_length();
    float x = straight_length() + rest, r = radius;
    if (rest > 0.5f * PELT_PI * edge)
    {
        x = half_length;
        r = radius - edge - (rest - 0.5f * PELT_PI * edge);
    }
    else if (rest > 0.0f)
    {
        x = straight_length() + edge * sinf(rest / edge);
        r = radius - edge + edge * cosf(rest / edge);
    }
    return (rig_ring){pelt_vec3_make(s < 0.0f ? -x : x, 0.0f, 0.0f), r, r};
}

// The five manipulations of Figure 2, and the twist by 180 degrees at which LBS collapses to a
// point.
static void add_clips(rig_builder* rig, uint32_t joint)
{
    const pelt_vec3 along = {1.0f, 0.0f, 0.0f}, across = {0.0f, 0.0f, 1.0f};
    rig_clip(rig, "twist90", 1.0f);
    rig_chain_rotate(rig, joint, along, 90.0f);
    rig_clip(rig, "twist135", 1.0f);
    rig_chain_rotate(rig, joint, along, 135.0f);
    rig_clip(rig, "twist180", 1.0f);
    rig_chain_rotate(rig, joint, along, 180.0f);
    rig_clip(rig, "bend90", 1.0f);
    rig_chain_rotate(rig, joint, across, 90.0f);
    rig_clip(rig, "bend120", 1.0f);
    rig_chain_rotate(rig, joint, across, 120.0f);

    // One radius out and one up: the joint is pulled off, and the right half follows.
    rig_clip(rig, "bend90_translate", 1.0f);
    rig_chain_rotate(rig, joint, across, 90.0f);
    rig_key_offset(rig, joint, 0.0f, pelt_vec3_make(0.0f, 0.0f, 0.0f));
    rig_key_offset(rig, joint, 1.0f, pelt_vec3_make(radius, radius, 0.0f));
}

pelt_result rig_build_bar(pelt_scene** out, const rig_params* params, pelt_error* error)
{
    rig_builder* rig = rig_begin("bar");
    uint32_t root = rig_joint(rig, "root", PELT_NONE, pelt_vec3_make(-half_length, 0.0f, 0.0f));
    uint32_t joint = rig_joint(rig, "joint", root, pelt_vec3_make(0.0f, 0.0f, 0.0f));

    rig_tube tube = {
        .name = "bar", .profile = bar_profile, .stride = 2, .color = {0.75f, 0.45f, 0.2f}};
    float girth = 2.0f * PELT_PI * radius;
    rig_tube_resolve(&tube, (uint32_t)params->values[0], 2.0f * profile_length() / girth);

    // Two radii in each direction: wide enough for a bend by 120 degrees not to fold.
    const rig_link links[2] = {{root, 0.0f}, {joint, 2.0f * radius}};
    rig_mesh* mesh = rig_tube_add(rig, &tube);
    rig_chain_weights(rig, mesh, pelt_vec3_make(1.0f, 0.0f, 0.0f), links, 2);
    add_clips(rig, joint);
    return rig_finish(rig, out, error);
}
