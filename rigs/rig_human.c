// SPDX-License-Identifier: MIT
// A person of 1.75 m in T-pose: 65 joints, a modeled body with hands, five clips.
#include "rig_human.h"

// Three joints and a tip; r is the radius in the middle.
#define FINGER(name, row, p1, p2, p3, tip, r)                                                      \
    {name "_1", HUMAN_HAND, true, p1, 1.15f * r, {0, 0, 0}, 2, 1.2f * r, 2, 0},                    \
        {name "_2", row, true, p2, r, {0, 0, 0}, 0, 0.9f * r, 0, 0},                               \
        {name "_3", row + 1, true, p3, 0.9f * r, {0, 0, 0}, 0, 0.8f * r, 0, 0},                    \
    {                                                                                              \
        name "_tip", row + 2, true, tip, 0.8f * r, {0, 0, 0}, 0, 0, 0, 0                           \
    }
#define AT(x, y, z)                                                                                \
    {                                                                                              \
        x, y, z                                                                                    \
    }

// name, parent, pair, position, radius of the limb, axis, shift and width of the passage, rival,
// reach
static const rig_character_joint joints[HUMAN_ROW_COUNT] = {
    {"hips", PELT_NONE, false, {0, 950, 0}, 130, {0, 0, 0}, 0, 0, 0, 0},
    {"spine", HUMAN_HIPS, false, {0, 1040, -5}, 120, {0, 1, 0}, 0, 75, 0, 0},
    {"waist", HUMAN_SPINE, false, {0, 1140, -10}, 120, {0, 1, 0}, 0, 70, 0, 0},
    {"chest", HUMAN_WAIST, false, {0, 1250, -15}, 130, {0, 1, 0}, 0, 75, 0, 0},
    {"neck", HUMAN_CHEST, false, {0, 1465, -25}, 60, {0, 1, 0.1f}, 12, 42, 0, 2.2f},
    {"head", HUMAN_NECK, false, {0, 1560, -5}, 130, {0, 1, -0.35f}, 4, 36, 0, 0},
    {"jaw", HUMAN_HEAD, false, {0, 1590, 10}, 30, {0, -0.75f, 0.66f}, 35, 28, 0, 0},
    {"clavicle", HUMAN_CHEST, true, {25, 1420, 15}, 62, {1, 0.25f, 0}, 55, 70, 0, 2.1f},
    {"upper_arm", HUMAN_CLAVICLE, true, {175, 1428, -16}, 62, {1, 0.15f, 0}, 6, 58, 0, 1.8f},
    {"forearm", HUMAN_UPPER_ARM, true, {445, 1427, -20}, 40, {1, 0, 0}, 0, 45, 0, 0},
    {"hand", HUMAN_FOREARM, true, {695, 1428, -2}, 28, {1, 0, 0}, -4, 36, 0, 0},
    {"thumb_1", HUMAN_HAND, true, {722, 1418, 30}, 18, {0.72f, 0, 0.7f}, 8, 16, 2, 1.9f},
    {"thumb_2", HUMAN_THUMB, true, {764, 1410, 72}, 12.5f, {0, 0, 0}, 0, 11, 0, 0},
    {"thumb_3", HUMAN_THUMB + 1, true, {789, 1405, 92}, 11.2f, {0, 0, 0}, 0, 9, 0, 0},
    {"thumb_tip", HUMAN_THUMB + 2, true, {806, 1402, 104}, 8.5f, {0, 0, 0}, 0, 0, 0, 0},
    FINGER("index", HUMAN_INDEX, AT(785, 1430, 35.5f), AT(832, 1430, 42.5f), AT(859, 1427, 46),
           AT(878, 1424, 48.3f), 10),
    FINGER("middle", HUMAN_MIDDLE, AT(791, 1432, 12), AT(843, 1432, 14.2f), AT(873, 1429, 15.4f),
           AT(894, 1426, 16.2f), 10.2f),
    FINGER("ring", HUMAN_RING, AT(784, 1430, -11.8f), AT(833, 1430, -15), AT(862, 1427, -16.8f),
           AT(882, 1424, -18), 9.8f),
    FINGER("little", HUMAN_LITTLE, AT(771, 1427, -34.5f), AT(808, 1427, -42.5f),
           AT(830, 1425, -46.8f), AT(847, 1423, -50.2f), 8.7f),
    {"thigh", HUMAN_HIPS, true, {92, 915, 0}, 90, {0.42f, -0.91f, 0}, 6, 82, 1, 0},
    {"shin", HUMAN_THIGH, true, {100, 505, 2}, 52, {0, -1, 0}, 0, 62, 0, 0},
    {"foot", HUMAN_SHIN, true, {104, 94, -28}, 36, {0, -0.9f, 0.43f}, 2, 42, 0, 0},
    {"toe", HUMAN_FOOT, true, {112, 32, 92}, 28, {0.15f, 0, 1}, 4, 28, 0, 0},
    {"toe_tip", HUMAN_TOE, true, {112, 24, 165}, 16, {0, 0, 0}, 0, 0, 0, 0},
};

// Charts: each part of the body has a front and a back that meet along its outline.
typedef enum chart_part
{
    PART_HEAD,
    PART_TORSO,
    PART_ARM_L,
    PART_ARM_R,
    PART_HAND_L,
    PART_HAND_R,
    PART_LEG_L,
    PART_LEG_R,
    PART_FOOT_L,
    PART_FOOT_R,
    PART_COUNT
} chart_part;

static uint32_t part_chart(chart_part part, bool is_second)
{
    return 2u * (uint32_t)part + (is_second ? 1u : 0u);
}

static uint32_t chart_at(pelt_vec3 center)
{
    bool is_left = center.x > 0.0f;
    float x = fabsf(center.x);
    if (center.y > 1.50f)
    {
        return part_chart(PART_HEAD, center.z < -0.01f);
    }
    if (x > 0.70f)
    {
        return part_chart(is_left ? PART_HAND_L : PART_HAND_R,
                          center.y < 1.427f - 0.35f * fmaxf(center.z - 0.03f, 0.0f));
    }
    if (x > 0.185f && center.y > 1.2f)
    {
        return part_chart(is_left ? PART_ARM_L : PART_ARM_R, center.y < 1.428f);
    }
    if (center.y < 0.09f)
    {
        return part_chart(is_left ? PART_FOOT_L : PART_FOOT_R, x > 0.108f);
    }
    if (center.y < 0.84f + 0.3f * x)
    {
        return part_chart(is_left ? PART_LEG_L : PART_LEG_R, center.z < -0.01f);
    }
    return part_chart(PART_TORSO, center.z < -0.01f);
}

static pelt_vec2 chart_uv(uint32_t chart, pelt_vec3 p)
{
    float sign = chart % 2 ? -1.0f : 1.0f;
    float x = fabsf(p.x);
    pelt_vec2 uv = {0.0f, 0.0f};
    switch (chart / 2)
    {
    case PART_HEAD:
        uv = (pelt_vec2){rig_chart_half_circle(sign * (p.z + 0.01f) + 0.02f, sign * p.x),
                         (1.76f - p.y) / 0.27f};
        break;
    case PART_TORSO:
        uv = (pelt_vec2){0.5f + sign * p.x / 0.46f, (1.52f - p.y) / 0.70f};
        break;
    case PART_ARM_L:
    case PART_ARM_R:
        uv = (pelt_vec2){rig_chart_half_circle(sign * (p.y - 1.428f) + 0.01f, p.z + 0.015f),
                         (x - 0.18f) / 0.54f};
        break;
    case PART_HAND_L:
    case PART_HAND_R:
        uv = (pelt_vec2){0.5f + (p.z - 0.025f) / 0.2f, (x - 0.69f) / 0.23f};
        break;
    case PART_LEG_L:
    case PART_LEG_R:
        uv = (pelt_vec2){rig_chart_half_circle(sign * (p.z + 0.01f) + 0.02f, sign * (x - 0.1f)),
                         (0.92f - p.y) / 0.86f};
        break;
    default:
        uv = (pelt_vec2){(p.z + 0.11f) / 0.31f, (0.12f - p.y) / 0.13f};
        break;
    }
    return uv;
}

pelt_result rig_build_human(pelt_scene** out, const rig_params* params, pelt_error* error)
{
    rig_character human = {.name = "human",
                           .joints = joints,
                           .joint_row_count = HUMAN_ROW_COUNT,
                           .bounds = {{0.0f, -0.2f, -0.5f}, {1.6f, 2.1f, 0.6f}},
                           .warp = rig_human_warp,
                           .chart_count = 2 * PART_COUNT,
                           .chart_columns = 5,
                           .chart_at = chart_at,
                           .chart_uv = chart_uv,
                           .grid_area = 4.884f,
                           .seam_density = 13.4f,
                           .grid_vertices_min = 14500,
                           .color = {0.62f, 0.46f, 0.36f},
                           .add_clips = rig_human_clips};
    human.cone_count = rig_human_cones(&human.cones);
    return rig_character_build(out, &human, params, error);
}
