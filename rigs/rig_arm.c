// SPDX-License-Identifier: MIT
// An arm of human size along x, palm up: shoulder ball, upper arm, forearm, and a hand like a
// mitten. The elbow bends and the forearm twists, where skinning methods differ most.
#include "rig_params.h"
#include "rig_parts.h"

// Cross-sections in meters. Between them the outline is a smooth cubic.
typedef struct arm_section
{
    float x, y, radius_y, radius_z;
} arm_section;

static const arm_section sections[] = {
    {-0.080f, 0.000f, 0.070f, 0.068f},                                    // behind the shoulder
    {0.000f, 0.000f, 0.072f, 0.070f},                                     // shoulder joint
    {0.060f, 0.001f, 0.060f, 0.058f},  {0.140f, 0.005f, 0.056f, 0.050f},  // biceps
    {0.230f, 0.001f, 0.045f, 0.043f},  {0.300f, -0.002f, 0.041f, 0.042f}, // elbow joint
    {0.370f, 0.001f, 0.043f, 0.047f},                                     // forearm
    {0.460f, 0.002f, 0.035f, 0.040f},  {0.560f, 0.000f, 0.024f, 0.031f},  // wrist joint
    {0.610f, 0.000f, 0.021f, 0.040f},  {0.660f, 0.000f, 0.019f, 0.045f},  // knuckles
    {0.720f, 0.000f, 0.016f, 0.043f},  {0.780f, 0.000f, 0.013f, 0.036f},  // finger tips
};
#define SECTION_COUNT ((int)(sizeof(sections) / sizeof(sections[0])))

// Length of the round ends; within it the outline closes like an ellipse.
static const float left_cap = 0.070f;
static const float right_cap = 0.036f;

static float section_value(int section, int field)
{
    const arm_section* s = &sections[section];
    const float values[3] = {s->y, s->radius_y, s->radius_z};
    return values[field];
}

// Slope through the neighbors; one-sided at the ends.
static float section_slope(int section, int field)
{
    int left = section > 0 ? section - 1 : section;
    int right = section < SECTION_COUNT - 1 ? section + 1 : section;
    return (section_value(right, field) - section_value(left, field)) /
           (sections[right].x - sections[left].x);
}

// Hermite curve through the sections (Catmull-Rom for uneven steps).
static float outline(float x, int field)
{
    int i = 0;
    while (i < SECTION_COUNT - 2 && x > sections[i + 1].x)
    {
        ++i;
    }
    float step = sections[i + 1].x - sections[i].x;
    float t = (x - sections[i].x) / step, r = 1.0f - t;
    return r * r * (1.0f + 2.0f * t) * section_value(i, field) +
           t * t * (1.0f + 2.0f * r) * section_value(i + 1, field) +
           step * t * r * (r * section_slope(i, field) - t * section_slope(i + 1, field));
}

static float straight_length(void)
{
    return sections[SECTION_COUNT - 1].x - sections[0].x - left_cap - right_cap;
}

// The caps get rings by the angle of a quarter circle, the rest by length.
static float profile_length(void)
{
    return 0.5f * PELT_PI * (left_cap + right_cap) + straight_length();
}

static rig_ring arm_profile(float s)
{
    float from_left = 0.5f * (s + 1.0f) * profile_length();
    float from_right = 0.5f * (1.0f - s) * profile_length();
    float x = sections[0].x + left_cap + (from_left - 0.5f * PELT_PI * left_cap);
    float shape = 1.0f;
    if (from_left < 0.5f * PELT_PI * left_cap)
    {
        x = sections[0].x + left_cap * (1.0f - cosf(from_left / left_cap));
        shape = sinf(from_left / left_cap);
    }
    else if (from_right < 0.5f * PELT_PI * right_cap)
    {
        x = sections[SECTION_COUNT - 1].x - right_cap * (1.0f - cosf(from_right / right_cap));
        shape = sinf(from_right / right_cap);
    }
    return (rig_ring){pelt_vec3_make(x, outline(x, 0), 0.0f), shape * outline(x, 1),
                      shape * outline(x, 2)};
}

static void add_clips(rig_builder* rig, uint32_t elbow, uint32_t wrist)
{
    const pelt_vec3 along = {1.0f, 0.0f, 0.0f}, across = {0.0f, 0.0f, 1.0f};
    rig_clip(rig, "bend", 1.0f);
    rig_chain_rotate(rig, elbow, across, 135.0f);
    rig_clip(rig, "twist", 1.0f);
    rig_chain_rotate(rig, wrist, along, 170.0f);
    rig_clip(rig, "curl", 1.0f);
    rig_chain_rotate(rig, elbow, across, 135.0f);
    rig_chain_rotate(rig, wrist, along, 170.0f);
}

pelt_result rig_build_arm(pelt_scene** out, const rig_params* params, pelt_error* error)
{
    rig_builder* rig = rig_begin("arm");
    uint32_t shoulder = rig_joint(rig, "shoulder", PELT_NONE, pelt_vec3_make(0.0f, 0.0f, 0.0f));
    uint32_t elbow = rig_joint(rig, "elbow", shoulder, pelt_vec3_make(0.30f, 0.0f, 0.0f));
    uint32_t wrist = rig_joint(rig, "wrist", elbow, pelt_vec3_make(0.56f, 0.0f, 0.0f));
    uint32_t hand = rig_joint(rig, "hand", wrist, pelt_vec3_make(0.66f, 0.0f, 0.0f));
    rig_joint(rig, "tip", hand, pelt_vec3_make(0.78f, 0.0f, 0.0f)); // end of a bone: no weights

    rig_tube tube = {
        .name = "arm", .profile = arm_profile, .stride = 3, .color = {0.8f, 0.55f, 0.45f}};
    float mean_girth = 2.0f * PELT_PI * 0.045f;
    rig_tube_resolve(&tube, (uint32_t)params->values[0], profile_length() / mean_girth);

    // The wrist reaches far up the forearm, as skin does in a twist, and its blend overlaps that of
    // the hand: some vertices have three joints.
    const rig_link links[4] = {{shoulder, 0.0f}, {elbow, 0.10f}, {wrist, 0.10f}, {hand, 0.05f}};
    rig_mesh* mesh = rig_tube_add(rig, &tube);
    rig_chain_weights(rig, mesh, pelt_vec3_make(1.0f, 0.0f, 0.0f), links, 4);
    add_clips(rig, elbow, wrist);
    return rig_finish(rig, out, error);
}
