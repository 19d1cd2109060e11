// SPDX-License-Identifier: MIT
// A two-legged dinosaur, 2.4 m from nose to tail: 79 joints, three clips.
#include "rig_raptor.h"

#define TAIL(number, y, z, r)                                                                      \
    {                                                                                              \
        "tail_" #number, RAPTOR_TAIL + number - 2, false, {0, y, z}, r, {0, 0, 0}, 0, 42, 0, 0     \
    }
#define SPINE(number, y, z, r)                                                                     \
    {                                                                                              \
        "spine_" #number, RAPTOR_SPINE + number - 2, false, {0, y, z}, r, {0, 0, 1}, 0, 70, 0, 0   \
    }
#define NECK(number, y, z, r)                                                                      \
    {                                                                                              \
        "neck_" #number, RAPTOR_NECK + number - 2, false, {0, y, z}, r, {0, 0, 0}, 0, 50, 0, 0     \
    }
#define LIMB(name, parent, x, y, z, r, width, rival, reach)                                        \
    {                                                                                              \
        name, parent, true, {x, y, z}, r, {0, 0, 0}, 0, width, rival, reach                        \
    }

// name, parent, pair, position, radius of the limb, axis, shift and width of the passage, rival,
// reach
static const rig_character_joint joints[RAPTOR_ROW_COUNT] = {
    {"hips", PELT_NONE, false, {0, 880, 0}, 140, {0, 0, 0}, 0, 0, 0, 0},
    {"tail_1", RAPTOR_HIPS, false, {0, 890, -160}, 100, {0, 0.1f, -1}, 0, 70, 1, 0},
    TAIL(2, 892, -240, 88),
    TAIL(3, 892, -320, 76),
    TAIL(4, 890, -395, 68),
    TAIL(5, 887, -470, 60),
    TAIL(6, 884, -540, 55),
    TAIL(7, 881, -610, 50),
    TAIL(8, 878, -675, 45),
    TAIL(9, 875, -740, 40),
    TAIL(10, 872, -800, 36),
    TAIL(11, 868, -860, 34),
    TAIL(12, 865, -920, 32),
    TAIL(13, 862, -980, 29),
    TAIL(14, 858, -1040, 26),
    TAIL(15, 855, -1100, 23),
    TAIL(16, 851, -1160, 20),
    TAIL(17, 848, -1220, 17),
    TAIL(18, 844, -1280, 14),
    {"spine_1", RAPTOR_HIPS, false, {0, 885, 150}, 140, {0, 0, 1}, 0, 80, 1, 0},
    SPINE(2, 888, 250, 145),
    SPINE(3, 890, 340, 145),
    SPINE(4, 895, 430, 130),
    {"neck_1", RAPTOR_SPINE + 3, false, {0, 940, 545}, 95, {0, 0.45f, 0.9f}, 0, 60, 4, 0},
    NECK(2, 1010, 620, 76),
    NECK(3, 1080, 650, 68),
    NECK(4, 1150, 672, 62),
    NECK(5, 1215, 690, 58),
    NECK(6, 1275, 705, 56),
    {"head", RAPTOR_NECK + 5, false, {0, 1330, 735}, 60, {0, 0.75f, 0.66f}, 0, 45, 0, 0},
    {"jaw", RAPTOR_HEAD, false, {0, 1305, 775}, 40, {0, -0.994f, -0.11f}, 0, 9, 0, 0},
    {"scapula", RAPTOR_SPINE + 3, true, {70, 920, 430}, 60, {0.8f, -0.6f, 0.1f}, 35, 50, 4, 1.9f},
    {"upper_arm", RAPTOR_SCAPULA, true, {112, 835, 490}, 46, {0.55f, -0.8f, 0}, 8, 42, 0, 2.0f},
    {"forearm", RAPTOR_UPPER_ARM, true, {140, 715, 435}, 30, {0, -0.35f, 0.94f}, 0, 30, 0, 0},
    LIMB("hand", RAPTOR_FOREARM, 142, 670, 550, 22, 22, 0, 0),
    LIMB("finger_1_1", RAPTOR_HAND, 114, 636, 608, 15, 16, 2, 0),
    LIMB("finger_1_2", RAPTOR_FINGER_1, 104, 606, 650, 12, 12, 0, 0),
    LIMB("finger_1_tip", RAPTOR_FINGER_1 + 1, 99, 572, 668, 14, 0, 0, 0),
    LIMB("finger_2_1", RAPTOR_HAND, 144, 634, 610, 15, 16, 2, 0),
    LIMB("finger_2_2", RAPTOR_FINGER_2, 145, 600, 662, 12, 12, 0, 0),
    LIMB("finger_2_tip", RAPTOR_FINGER_2 + 1, 146, 560, 684, 14, 0, 0, 0),
    LIMB("finger_3_1", RAPTOR_HAND, 174, 636, 604, 15, 16, 2, 0),
    LIMB("finger_3_2", RAPTOR_FINGER_3, 186, 606, 644, 12, 12, 0, 0),
    LIMB("finger_3_tip", RAPTOR_FINGER_3 + 1, 193, 572, 660, 14, 0, 0, 0),
    {"thigh", RAPTOR_HIPS, true, {98, 830, 10}, 100, {0.55f, -0.8f, 0.15f}, 10, 85, 1, 1.9f},
    {"shin", RAPTOR_THIGH, true, {122, 600, 125}, 56, {0, -0.94f, -0.34f}, 4, 55, 0, 0},
    {"foot", RAPTOR_SHIN, true, {122, 330, -95}, 26, {0, -1, 0.05f}, 0, 34, 0, 0},
    LIMB("toe_1_1", RAPTOR_FOOT, 108, 62, -10, 15, 16, 3, 2.0f),
    LIMB("toe_1_2", RAPTOR_TOE_1, 94, 30, -44, 14, 12, 0, 0),
    LIMB("toe_2_1", RAPTOR_FOOT, 98, 56, 14, 19, 18, 3, 0),
    LIMB("toe_2_2", RAPTOR_TOE_2, 78, 86, 74, 20, 15, 0, 0),
    LIMB("toe_3_1", RAPTOR_FOOT, 122, 44, 18, 21, 20, 3, 0),
    LIMB("toe_3_2", RAPTOR_TOE_3, 122, 26, 94, 24, 18, 0, 0),
    LIMB("toe_4_1", RAPTOR_FOOT, 146, 44, 14, 20, 20, 3, 0),
    LIMB("toe_4_2", RAPTOR_TOE_4, 170, 25, 78, 22, 17, 0, 0),
};

// Charts: the trunk is cut along its middle, each limb into its outer and inner half.
typedef enum chart_part
{
    PART_TAIL,
    PART_BODY,
    PART_HEAD,
    PART_LEG_L,
    PART_LEG_R,
    PART_ARM_L,
    PART_ARM_R,
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
    if (center.y < 0.66f && center.z < 0.4f)
    {
        return part_chart(is_left ? PART_LEG_L : PART_LEG_R, x < 0.122f);
    }
    if (center.z > 0.38f && center.y < 0.86f && x > 0.095f)
    {
        return part_chart(is_left ? PART_ARM_L : PART_ARM_R, x < 0.142f);
    }
    uint32_t part = center.z < -0.16f ? PART_TAIL : center.z < 0.52f ? PART_BODY : PART_HEAD;
    return part_chart(part, !is_left);
}

static pelt_vec2 chart_uv(uint32_t chart, pelt_vec3 p)
{
    float x = fabsf(p.x);
    switch (chart / 2)
    {
    case PART_TAIL:
        return (pelt_vec2){(p.z + 1.40f) / 1.28f, rig_chart_half_circle(x + 0.005f, 0.870f - p.y)};
    case PART_BODY:
        return (pelt_vec2){(p.z + 0.22f) / 0.80f, rig_chart_half_circle(x + 0.02f, 0.860f - p.y)};
    case PART_HEAD:
        return (pelt_vec2){(p.z - 0.48f) / 0.60f, (1.44f - p.y) / 0.70f};
    case PART_LEG_L:
    case PART_LEG_R:
        return (pelt_vec2){(p.z + 0.20f) / 0.42f, (0.72f - p.y) / 0.74f};
    default:
        return (pelt_vec2){(p.z - 0.34f) / 0.38f, (0.90f - p.y) / 0.42f};
    }
}

pelt_result rig_build_raptor(pelt_scene** out, const rig_params* params, pelt_error* error)
{
    rig_character raptor = {.name = "raptor",
                            .joints = joints,
                            .joint_row_count = RAPTOR_ROW_COUNT,
                            .bounds = {{0.0f, -0.6f, -2.4f}, {0.9f, 2.6f, 2.1f}},
                            .warp = rig_raptor_warp,
                            .chart_count = 2 * PART_COUNT,
                            .chart_columns = 4,
                            .chart_at = chart_at,
                            .chart_uv = chart_uv,
                            .grid_area = 8.5f,
                            .seam_density = 12.4f,
                            .grid_vertices_min = 13500,
                            .color = {0.34f, 0.42f, 0.26f},
                            .add_clips = rig_raptor_clips};
    raptor.cone_count = rig_raptor_cones(&raptor.cones);
    return rig_character_build(out, &raptor, params, error);
}
