// SPDX-License-Identifier: MIT
// A person of 1.75 m in T-pose: 65 joints, a modeled body with hands, five clips.
#include "implicit/cone_table.h"
#include "rig_character.h"
#include "rig_clips.h"

// Rows of the joint table. A finger has three joints and a tip, one after the other.
typedef enum human_row
{
    HUMAN_HIPS,
    HUMAN_SPINE,
    HUMAN_WAIST,
    HUMAN_CHEST,
    HUMAN_NECK,
    HUMAN_HEAD,
    HUMAN_JAW,
    HUMAN_CLAVICLE,
    HUMAN_UPPER_ARM,
    HUMAN_FOREARM,
    HUMAN_HAND,
    HUMAN_THUMB,
    HUMAN_INDEX = HUMAN_THUMB + 4,
    HUMAN_MIDDLE = HUMAN_INDEX + 4,
    HUMAN_RING = HUMAN_MIDDLE + 4,
    HUMAN_LITTLE = HUMAN_RING + 4,
    HUMAN_THIGH = HUMAN_LITTLE + 4,
    HUMAN_SHIN,
    HUMAN_FOOT,
    HUMAN_TOE,
    HUMAN_TOE_TIP,
    HUMAN_ROW_COUNT
} human_row;

// ---------------------------------------------------------------------------------------------
// Joints and charts

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

// ---------------------------------------------------------------------------------------------
// Shape
//
// The body of the human: muscles and bones as squeezed cones, in millimeters, left side only.

// Branch 1 is the leg, 2 to 6 are the fingers: they join the trunk, never each other.
// branch, symmetry, carve, from, to, radius at each, fillet, scale
static const implicit_cone cones[] = {
    // torso: rib cage, belly, pelvis
    {0, MIDDLE, ADD, {0, 1200, -8}, {0, 1335, -14}, 136, 142, 20, {1, 1, 0.76f}},
    {0, MIDDLE, ADD, {0, 1020, 2}, {0, 1160, 0}, 126, 127, 80, {1, 1, 0.74f}},
    {0, PAIR, ADD, {34, 965, -8}, {46, 925, -8}, 108, 104, 70, {1, 1, 0.86f}},
    // shoulder girdle, neck, trapezius
    {0, PAIR, ADD, {30, 1395, -20}, {145, 1412, -24}, 66, 52, 70, ROUND},
    {0, MIDDLE, ADD, {0, 1420, -28}, {0, 1570, -4}, 62, 56, 50, ROUND},
    {0, PAIR, ADD, {30, 1505, -30}, {140, 1440, -28}, 30, 30, 50, ROUND},
    // breast, flank, shoulder blade, buttock, belly
    {0, PAIR, ADD, {52, 1328, 70}, {105, 1352, 58}, 60, 52, 45, {1, 0.88f, 0.52f}},
    {0, PAIR, ADD, {100, 1180, -30}, {142, 1360, -40}, 34, 48, 60, ROUND},
    {0, PAIR, ADD, {75, 1330, -85}, {90, 1380, -80}, 50, 50, 50, {1, 1.2f, 0.7f}},
    {0, PAIR, ADD, {68, 905, -58}, {78, 925, -50}, 78, 72, 60, {0.95f, 1, 0.95f}},
    {0, PAIR, ADD, {30, 1060, 62}, {32, 1190, 70}, 34, 36, 40, {1, 1, 0.8f}},
    {0, MIDDLE, CARVE, {0, 1060, 118}, {0, 1300, 122}, 12, 12, 30, {0.8f, 1, 1}},
    {0, MIDDLE, CARVE, {0, 1060, -125}, {0, 1300, -150}, 24, 24, 50, ROUND},
    // breast to arm, shoulder, upper arm
    {0, PAIR, ADD, {95, 1372, 45}, {180, 1418, 12}, 40, 34, 50, ROUND},
    {0, LEFT, ADD, {172, 1428, -16}, {262, 1428, -18}, 64, 46, 50, ROUND},
    {0, LEFT, ADD, {200, 1427, -18}, {435, 1427, -20}, 48, 36, 40, ROUND},
    {0, LEFT, ADD, {280, 1432, 2}, {385, 1430, -6}, 32, 27, 50, ROUND},
    {0, LEFT, ADD, {250, 1422, -38}, {365, 1424, -34}, 34, 26, 50, ROUND},
    // elbow, forearm, wrist
    {0, LEFT, ADD, {440, 1427, -32}, {450, 1427, -32}, 24, 24, 50, ROUND},
    {0, LEFT, ADD, {430, 1427, -18}, {665, 1428, -6}, 36, 24, 40, {1, 0.95f, 1}},
    {0, LEFT, ADD, {430, 1432, -10}, {505, 1433, -2}, 20, 29, 50, ROUND},
    {0, LEFT, ADD, {505, 1433, -2}, {620, 1430, 0}, 29, 16, 0, ROUND},
    {0, LEFT, ADD, {480, 1424, -30}, {600, 1426, -18}, 23, 16, 50, ROUND},
    {0, LEFT, ADD, {640, 1428, -6}, {705, 1428, -1}, 29, 31, 30, {1, 0.72f, 1}},
    // palm: four bones of the hand, the ball of the thumb, the heel of the hand
    {0, LEFT, ADD, {705, 1428, 12}, {787, 1430, 36}, 22, 15, 20, {1, 0.82f, 1}},
    {0, LEFT, ADD, {705, 1429, 4}, {793, 1433, 12}, 22, 15, 20, {1, 0.82f, 1}},
    {0, LEFT, ADD, {705, 1429, -4}, {786, 1431, -12}, 22, 14.5f, 20, {1, 0.82f, 1}},
    {0, LEFT, ADD, {705, 1428, -12}, {773, 1428, -35}, 21, 13.5f, 20, {1, 0.82f, 1}},
    {0, LEFT, ADD, {712, 1419, 24}, {745, 1416, 46}, 21, 16.5f, 20, {1, 0.9f, 1}},
    {0, LEFT, ADD, {712, 1420, -18}, {750, 1420, -30}, 17, 14, 20, {1, 0.9f, 1}},
    // head: skull, face, jaw, chin, cheek
    {0, MIDDLE, ADD, {0, 1662, -30}, {0, 1664, -4}, 88, 86, 30, {0.86f, 1, 1}},
    {0, MIDDLE, ADD, {0, 1660, 22}, {0, 1588, 34}, 69, 53, 30, {0.92f, 1, 1}},
    {0, PAIR, ADD, {46, 1594, 0}, {18, 1553, 60}, 20, 20, 50, ROUND},
    {0, MIDDLE, ADD, {0, 1549, 68}, {0, 1553, 70}, 20, 19, 30, {1.1f, 0.9f, 1}},
    {0, PAIR, ADD, {38, 1622, 54}, {52, 1628, 26}, 20, 18, 45, ROUND},
    // eyes: socket, brow, lid
    {0, PAIR, CARVE, {30, 1645, 102}, {38, 1644, 96}, 15, 15, 24, {1.2f, 0.85f, 1}},
    {0, PAIR, ADD, {12, 1668, 80}, {48, 1670, 58}, 9, 7, 24, ROUND},
    {0, PAIR, ADD, {31.5f, 1644, 66}, {33.5f, 1644, 65}, 14.5f, 14.5f, 10, {1.1f, 0.85f, 1}},
    // nose and lips
    {0, MIDDLE, ADD, {0, 1660, 82}, {0, 1620, 103}, 7, 10, 20, ROUND},
    {0, PAIR, ADD, {8, 1616, 91}, {9, 1615, 88}, 8, 8, 14, ROUND},
    {0, PAIR, ADD, {3, 1590, 82.5f}, {22, 1586, 76.5f}, 7, 4.8f, 12, {1, 0.8f, 1}},
    {0, PAIR, ADD, {3, 1575, 81}, {19, 1579, 75.5f}, 8, 4.8f, 12, {1, 0.8f, 1}},
    // ear
    {0, PAIR, ADD, {78, 1652, -18}, {73, 1620, -6}, 24, 13, 12, {0.34f, 1, 0.75f}},
    // leg: thigh, its front, back, inner and outer part
    {1, PAIR, ADD, {92, 900, -2}, {100, 520, 0}, 78, 45, 70, ROUND},
    {1, PAIR, ADD, {100, 850, 20}, {103, 730, 25}, 44, 45, 70, ROUND},
    {1, PAIR, ADD, {103, 730, 25}, {101, 500, 8}, 45, 26, 0, ROUND},
    {1, PAIR, ADD, {96, 810, -24}, {100, 680, -20}, 50, 44, 70, ROUND},
    {1, PAIR, ADD, {100, 680, -20}, {100, 470, -8}, 44, 22, 0, ROUND},
    {1, PAIR, ADD, {78, 830, -4}, {96, 500, 0}, 45, 20, 70, ROUND},
    {1, PAIR, ADD, {122, 850, 2}, {108, 500, 4}, 42, 18, 80, ROUND},
    // knee, shin, the two heads of the calf
    {1, PAIR, ADD, {100, 520, 20}, {100, 494, 19}, 22, 22, 40, {1.1f, 1, 1}},
    {1, PAIR, ADD, {100, 520, 0}, {104, 110, -26}, 44, 28, 50, ROUND},
    {1, PAIR, ADD, {104, 500, -10}, {112, 375, -24}, 16, 31, 60, ROUND},
    {1, PAIR, ADD, {112, 375, -24}, {106, 190, -28}, 31, 18, 0, ROUND},
    {1, PAIR, ADD, {96, 500, -10}, {89, 360, -26}, 16, 33, 60, ROUND},
    {1, PAIR, ADD, {89, 360, -26}, {100, 170, -28}, 33, 18, 0, ROUND},
    // ankle, heel, instep, ball, toes
    {1, PAIR, ADD, {86, 98, -22}, {122, 90, -30}, 18, 17, 20, ROUND},
    {1, PAIR, ADD, {104, 106, -44}, {104, 42, -56}, 24, 36, 30, {0.95f, 1, 1}},
    {1, PAIR, ADD, {104, 94, -12}, {110, 42, 85}, 36, 30, 40, ROUND},
    {1, PAIR, ADD, {106, 36, -50}, {120, 32, 90}, 30, 26, 30, {1.1f, 1, 1}},
    {1, PAIR, ADD, {90, 34, 95}, {132, 30, 80}, 28, 24, 30, ROUND},
    {1, PAIR, ADD, {88, 28, 105}, {90, 24, 160}, 20, 17.5f, 12, {1.1f, 1, 1}},
    {1, PAIR, ADD, {110, 26, 100}, {113, 21, 158}, 14, 12.5f, 10, ROUND},
    {1, PAIR, ADD, {124, 25, 96}, {128, 20, 148}, 14, 12, 10, ROUND},
    {1, PAIR, ADD, {136, 24, 88}, {141, 20, 134}, 14, 11.5f, 10, ROUND},
    {1, PAIR, ADD, {146, 24, 74}, {152, 19, 116}, 14, 11, 10, ROUND},
    // thumb, index, middle, ring and little finger
    {2, LEFT, ADD, {735, 1416, 44}, {764, 1410, 72}, 15, 12.5f, 16, ROUND},
    {2, LEFT, ADD, {764, 1410, 72}, {789, 1405, 92}, 12.2f, 11.2f, 5, ROUND},
    {2, LEFT, ADD, {789, 1405, 92}, {806, 1402, 104}, 11.2f, 8.5f, 4, ROUND},
    {3, LEFT, ADD, {782, 1430, 35.5f}, {832, 1430, 42.5f}, 11.6f, 10, 12, ROUND},
    {3, LEFT, ADD, {832, 1430, 42.5f}, {859, 1427, 46}, 10.1f, 9, 3, ROUND},
    {3, LEFT, ADD, {859, 1427, 46}, {878, 1424, 48.3f}, 9.2f, 7.4f, 3, ROUND},
    {4, LEFT, ADD, {788, 1432, 12}, {843, 1432, 14.2f}, 11.8f, 10.2f, 12, ROUND},
    {4, LEFT, ADD, {843, 1432, 14.2f}, {873, 1429, 15.4f}, 10.3f, 9.2f, 3, ROUND},
    {4, LEFT, ADD, {873, 1429, 15.4f}, {894, 1426, 16.2f}, 9.4f, 7.6f, 3, ROUND},
    {5, LEFT, ADD, {781, 1430, -11.8f}, {833, 1430, -15}, 11.4f, 9.8f, 12, ROUND},
    {5, LEFT, ADD, {833, 1430, -15}, {862, 1427, -16.8f}, 9.9f, 8.8f, 3, ROUND},
    {5, LEFT, ADD, {862, 1427, -16.8f}, {882, 1424, -18}, 9, 7.3f, 3, ROUND},
    {6, LEFT, ADD, {768, 1427, -34.5f}, {808, 1427, -42.5f}, 10.4f, 8.7f, 12, ROUND},
    {6, LEFT, ADD, {808, 1427, -42.5f}, {830, 1425, -46.8f}, 8.8f, 7.9f, 3, ROUND},
    {6, LEFT, ADD, {830, 1425, -46.8f}, {847, 1423, -50.2f}, 8.1f, 6.6f, 3, ROUND},
};

uint32_t rig_human_cones(const implicit_cone** out)
{
    *out = cones;
    return (uint32_t)(sizeof cones / sizeof cones[0]);
}

pelt_vec3 rig_human_warp(pelt_vec3 p)
{
    // Beyond the elbow there is nothing but forearm and hand, so cells may shrink about their axis.
    static const implicit_ramp arm = {0.42f, 0.72f, 0.36f};
    static const implicit_ramp head = {1.50f, 1.60f, 0.48f};
    static const implicit_ramp foot = {0.22f, 0.08f, 0.62f};
    const float arm_y = 1.428f, foot_x = 0.11f, foot_z = 0.04f;

    float slope;
    float x = implicit_ramp_at(&arm, fabsf(p.x), &slope);
    float y = arm_y + (p.y - arm_y) * slope;
    float z = p.z * slope;

    float head_slope, foot_slope;
    float head_y = implicit_ramp_at(&head, y, &head_slope);
    float foot_y = implicit_ramp_at(&foot, y, &foot_slope);
    y = head_y + foot_y - y;
    x = foot_x + (x * head_slope - foot_x) * foot_slope;
    z = foot_z + (z * head_slope - foot_z) * foot_slope;
    return pelt_vec3_make(p.x < 0.0f ? -x : x, y, z);
}

// ---------------------------------------------------------------------------------------------
// Clips
//
// Clips of the human. Angles in degrees, for the left side: an arm along +x is lowered by a
// rotation about -z and bent forwards about -y, a leg along -y swings forwards about -x.

// Bend the joints of every finger of a hand; 0 straight, 1 a fist.
static void curl_fingers(const rig_moment* m, rig_side side, float curl)
{
    static const uint32_t rows[4] = {HUMAN_INDEX, HUMAN_MIDDLE, HUMAN_RING, HUMAN_LITTLE};
    for (int i = 0; i < 4; ++i)
    {
        // Fingers that spread at rest close up as they bend.
        float close = curl * (1.5f - (float)i) * 4.0f;
        rig_pose_angles(m, rows[i], side, 0.0f, close, -80.0f * curl);
        rig_pose_angles(m, rows[i] + 1, side, 0.0f, 0.0f, -95.0f * curl);
        rig_pose_angles(m, rows[i] + 2, side, 0.0f, 0.0f, -65.0f * curl);
    }
    rig_pose_angles(m, HUMAN_THUMB, side, 10.0f * curl, 12.0f * curl, -38.0f * curl);
    rig_pose_angles(m, HUMAN_THUMB + 1, side, 0.0f, 32.0f * curl, -12.0f * curl);
    rig_pose_angles(m, HUMAN_THUMB + 2, side, 0.0f, 48.0f * curl, 0.0f);
}

// An arm that hangs down.
static void hang_arm(const rig_moment* m, rig_side side, float swing, float elbow)
{
    rig_pose_angles(m, HUMAN_CLAVICLE, side, 0.0f, 0.0f, -7.0f);
    rig_pose_angles(m, HUMAN_UPPER_ARM, side, swing, 0.0f, -68.0f);
    rig_pose_angles(m, HUMAN_FOREARM, side, 0.0f, -elbow, 0.0f);
    rig_pose_angles(m, HUMAN_HAND, side, 0.0f, 0.0f, -6.0f);
    curl_fingers(m, side, 0.22f);
}

// Angles of a leg about x: hips, thigh, knee and ankle, each against its parent.
typedef struct leg_pose
{
    float hips, thigh, knee, foot;
    float spread; ///< of the thigh outwards; the foot stays vertical
} leg_pose;

static pelt_vec3 bone(const rig_moment* m, uint32_t from, uint32_t to)
{
    return pelt_vec3_sub(rig_joint_position(m->rig, m->map->left[to]),
                         rig_joint_position(m->rig, m->map->left[from]));
}

// Where a posed leg puts its heel or its ball, relative to the hips.
static pelt_vec3 sole_point(const rig_moment* m, const leg_pose* leg, pelt_vec3 from_ankle)
{
    pelt_quat q = rig_rotation(leg->hips, 0.0f, 0.0f);
    pelt_vec3 p = pelt_quat_rotate(q, bone(m, HUMAN_HIPS, HUMAN_THIGH));
    q = pelt_quat_mul(q, rig_twist_lift(leg->thigh, leg->spread));
    p = pelt_vec3_add(p, pelt_quat_rotate(q, bone(m, HUMAN_THIGH, HUMAN_SHIN)));
    q = pelt_quat_mul(q, rig_rotation(leg->knee, 0.0f, 0.0f));
    p = pelt_vec3_add(p, pelt_quat_rotate(q, bone(m, HUMAN_SHIN, HUMAN_FOOT)));
    q = pelt_quat_mul(q, rig_rotation(leg->foot, 0.0f, -leg->spread));
    return pelt_vec3_add(p, pelt_quat_rotate(q, from_ankle));
}

static void pose_leg(const rig_moment* m, rig_side side, const leg_pose* leg)
{
    rig_pose_quat(m, HUMAN_THIGH, side, rig_twist_lift(leg->thigh, leg->spread));
    rig_pose_angles(m, HUMAN_SHIN, side, leg->knee, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_FOOT, side, leg->foot, 0.0f, -leg->spread);
}

// The lower of heel and ball, as a height above the hips.
static float sole_height(const rig_moment* m, const leg_pose* leg)
{
    pelt_vec3 heel = sole_point(m, leg, pelt_vec3_make(0.0f, -0.094f, -0.030f));
    pelt_vec3 ball = sole_point(m, leg, pelt_vec3_make(0.0f, -0.094f, 0.120f));
    return fminf(heel.y, ball.y);
}

// One leg of a walk, its heel touching the floor at phase 0. The bumps follow the usual curves of
// gait analysis: the knee gives a little under the load and folds in the swing; the ankle rolls
// over the standing foot, pushes off, and lifts the toes.
static leg_pose walk_leg(float phase)
{
    leg_pose leg = {0};
    leg.thigh = -6.0f - 23.0f * rig_cosine(phase + 0.03f);
    leg.knee = 5.0f + 12.0f * rig_bump(phase, 0.13f, 0.10f) + 55.0f * rig_bump(phase, 0.73f, 0.15f);
    leg.foot = 6.0f * rig_bump(phase, 0.07f, 0.05f) - 9.0f * rig_bump(phase, 0.42f, 0.14f) +
               17.0f * rig_bump(phase, 0.64f, 0.07f);
    return leg;
}

static void walk_keys(const rig_moment* m)
{
    float sway = rig_sine(m->phase), swing = rig_cosine(m->phase);
    leg_pose left = walk_leg(m->phase), right = walk_leg(m->phase + 0.5f);
    // The lower foot is on the floor: this lifts and lowers the body by itself.
    float hips = rig_joint_position(m->rig, m->map->left[HUMAN_HIPS]).y;
    float lift = -hips - fminf(sole_height(m, &left), sole_height(m, &right));
    rig_pose_offset(m, HUMAN_HIPS, RIG_LEFT, pelt_vec3_make(0.018f * sway, lift, 0.0f));
    rig_pose_angles(m, HUMAN_HIPS, RIG_LEFT, 0.0f, -6.0f * swing, -2.5f * sway);
    rig_pose_angles(m, HUMAN_SPINE, RIG_LEFT, 2.0f, 4.0f * swing, 1.5f * sway);
    rig_pose_angles(m, HUMAN_WAIST, RIG_LEFT, 1.0f, 5.0f * swing, 1.5f * sway);
    rig_pose_angles(m, HUMAN_CHEST, RIG_LEFT, 1.0f, 5.0f * swing, 1.0f * sway);
    rig_pose_angles(m, HUMAN_NECK, RIG_LEFT, -1.0f, -4.0f * swing, -0.5f * sway);
    rig_pose_angles(m, HUMAN_HEAD, RIG_LEFT, -2.0f, -4.0f * swing, -1.0f * sway);
    pose_leg(m, RIG_LEFT, &left);
    pose_leg(m, RIG_RIGHT, &right);
    rig_pose_angles(m, HUMAN_TOE, RIG_LEFT, -28.0f * rig_bump(m->phase, 0.58f, 0.08f), 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_TOE, RIG_RIGHT, -28.0f * rig_bump(m->phase, 0.08f, 0.08f), 0.0f, 0.0f);
    hang_arm(m, RIG_LEFT, 4.0f + 22.0f * swing, 22.0f - 12.0f * swing);
    hang_arm(m, RIG_RIGHT, 4.0f - 22.0f * swing, 22.0f + 12.0f * swing);
}

static void wave_keys(const rig_moment* m)
{
    float beat = rig_sine(2.0f * m->phase), breath = rig_sine(m->phase);
    hang_arm(m, RIG_LEFT, 3.0f * breath, 14.0f);
    rig_pose_angles(m, HUMAN_CLAVICLE, RIG_RIGHT, 0.0f, 0.0f, 12.0f);
    rig_pose_quat(m, HUMAN_UPPER_ARM, RIG_RIGHT, rig_twist_lift(-78.0f, 12.0f + 4.0f * beat));
    rig_pose_angles(m, HUMAN_FOREARM, RIG_RIGHT, 0.0f, -80.0f + 22.0f * beat, 0.0f);
    // The hand trails behind the forearm.
    float late = rig_sine(2.0f * m->phase - 0.12f);
    rig_pose_angles(m, HUMAN_HAND, RIG_RIGHT, 0.0f, 16.0f * late, 8.0f);
    curl_fingers(m, RIG_RIGHT, 0.10f + 0.08f * rig_cosine(2.0f * m->phase));
    rig_pose_angles(m, HUMAN_SPINE, RIG_LEFT, 0.0f, 0.0f, 1.5f + 1.0f * breath);
    rig_pose_angles(m, HUMAN_CHEST, RIG_LEFT, -2.0f, -5.0f, 2.0f + 1.0f * beat);
    rig_pose_angles(m, HUMAN_NECK, RIG_LEFT, 0.0f, -4.0f, -3.0f);
    rig_pose_angles(m, HUMAN_HEAD, RIG_LEFT, 0.0f, -6.0f, -5.0f - 2.0f * breath);
}

// From hanging (0) to held out in front (1).
static void reach_ahead(const rig_moment* m, rig_side side, float reach)
{
    pelt_quat down = rig_rotation(0.0f, 0.0f, -68.0f);
    // The last rotation compensates that the trunk bends forwards.
    pelt_quat ahead =
        pelt_quat_mul(rig_rotation(-24.0f, 0.0f, 0.0f), rig_rotation(0.0f, -80.0f, 0.0f));
    rig_pose_angles(m, HUMAN_CLAVICLE, side, 0.0f, -12.0f * reach, -7.0f * (1.0f - reach));
    rig_pose_quat(m, HUMAN_UPPER_ARM, side, pelt_quat_slerp(down, ahead, reach));
    rig_pose_angles(m, HUMAN_FOREARM, side, 0.0f, -14.0f, 0.0f);
    rig_pose_angles(m, HUMAN_HAND, side, 0.0f, 0.0f, -4.0f);
    curl_fingers(m, side, 0.15f);
}

static void squat_keys(const rig_moment* m)
{
    float depth = 0.5f - 0.5f * rig_cosine(m->phase);
    // Thigh and shin rotate in opposite directions; the ankle keeps the foot flat.
    leg_pose leg = {.hips = 24.0f * depth, .spread = 14.0f * depth};
    float shin = 32.0f * depth;
    leg.thigh = -88.0f * depth - leg.hips;
    leg.knee = shin - leg.thigh - leg.hips;
    leg.foot = -shin;
    pelt_vec3 rest =
        pelt_vec3_add(bone(m, HUMAN_HIPS, HUMAN_SHIN), bone(m, HUMAN_SHIN, HUMAN_FOOT));
    pelt_vec3 ankle = sole_point(m, &leg, pelt_vec3_make(0.0f, 0.0f, 0.0f));
    rig_pose_offset(m, HUMAN_HIPS, RIG_LEFT,
                    pelt_vec3_make(0.0f, rest.y - ankle.y, rest.z - ankle.z));
    rig_pose_angles(m, HUMAN_HIPS, RIG_LEFT, leg.hips, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_SPINE, RIG_LEFT, 4.0f * depth, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_WAIST, RIG_LEFT, 3.0f * depth, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_CHEST, RIG_LEFT, -4.0f * depth, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_NECK, RIG_LEFT, -9.0f * depth, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_HEAD, RIG_LEFT, -12.0f * depth, 0.0f, 0.0f);
    for (rig_side side = RIG_LEFT; side <= RIG_RIGHT; ++side)
    {
        pose_leg(m, side, &leg);
        reach_ahead(m, side, depth);
    }
}

static void twist_keys(const rig_moment* m)
{
    float twist = rig_sine(m->phase);
    rig_pose_angles(m, HUMAN_SPINE, RIG_LEFT, 0.0f, 20.0f * twist, 0.0f);
    rig_pose_angles(m, HUMAN_WAIST, RIG_LEFT, 0.0f, 25.0f * twist, 0.0f);
    rig_pose_angles(m, HUMAN_CHEST, RIG_LEFT, 0.0f, 25.0f * twist, 0.0f);
    rig_pose_angles(m, HUMAN_NECK, RIG_LEFT, 0.0f, -35.0f * twist, 0.0f);
    rig_pose_angles(m, HUMAN_HEAD, RIG_LEFT, 0.0f, -40.0f * twist, 0.0f);
    for (rig_side side = RIG_LEFT; side <= RIG_RIGHT; ++side)
    {
        // Both arms twist inwards together, then outwards.
        rig_pose_angles(m, HUMAN_UPPER_ARM, side, 35.0f * twist, 0.0f, -15.0f);
        rig_pose_angles(m, HUMAN_FOREARM, side, 80.0f * twist, 0.0f, 0.0f);
        rig_pose_angles(m, HUMAN_HAND, side, 75.0f * twist, 0.0f, 0.0f);
    }
}

// An arm that reaches up and folds behind the head.
static void fold_arm(const rig_moment* m, rig_side side, float fold, float lift)
{
    rig_pose_angles(m, HUMAN_CLAVICLE, side, 0.0f, 0.0f, 0.22f * lift);
    rig_pose_quat(m, HUMAN_UPPER_ARM, side, rig_twist_lift(-70.0f * fold, lift));
    rig_pose_angles(m, HUMAN_FOREARM, side, 0.0f, -135.0f * fold, 0.0f);
    rig_pose_angles(m, HUMAN_HAND, side, 0.0f, 0.0f, -70.0f * fold);
    curl_fingers(m, side, fold);
}

static void extreme_keys(const rig_moment* m)
{
    float left = 0.5f - 0.5f * rig_cosine(m->phase);
    float right = 0.5f - 0.5f * rig_cosine(2.0f * m->phase);
    fold_arm(m, RIG_LEFT, left, 60.0f * left);
    fold_arm(m, RIG_RIGHT, right, -75.0f * right);
    leg_pose high = {.thigh = -110.0f * left, .knee = 130.0f * left, .foot = 35.0f * left};
    leg_pose back = {.thigh = 25.0f * right, .knee = 100.0f * right, .foot = -20.0f * right};
    high.spread = 20.0f * left;
    pose_leg(m, RIG_LEFT, &high);
    pose_leg(m, RIG_RIGHT, &back);
    rig_pose_angles(m, HUMAN_TOE, RIG_LEFT, 40.0f * left, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_TOE, RIG_RIGHT, -45.0f * right, 0.0f, 0.0f);
    float bend = rig_sine(m->phase);
    rig_pose_angles(m, HUMAN_SPINE, RIG_LEFT, 22.0f * left, 0.0f, 14.0f * bend);
    rig_pose_angles(m, HUMAN_WAIST, RIG_LEFT, 22.0f * left, 10.0f * bend, 14.0f * bend);
    rig_pose_angles(m, HUMAN_CHEST, RIG_LEFT, 16.0f * left, 10.0f * bend, 8.0f * bend);
    rig_pose_angles(m, HUMAN_NECK, RIG_LEFT, -25.0f * left, 0.0f, -20.0f * bend);
    rig_pose_angles(m, HUMAN_HEAD, RIG_LEFT, -30.0f * left, 0.0f, -20.0f * bend);
    rig_pose_angles(m, HUMAN_JAW, RIG_LEFT, 8.0f * left, 0.0f, 0.0f);
}

static void add_clips(rig_builder* rig, const rig_character_map* map)
{
    rig_clip_sample(rig, map, "walk", 1.1f, 24, walk_keys);
    rig_clip_sample(rig, map, "wave", 2.0f, 32, wave_keys);
    rig_clip_sample(rig, map, "squat", 2.4f, 24, squat_keys);
    rig_clip_sample(rig, map, "twist", 3.0f, 24, twist_keys);
    rig_clip_sample(rig, map, "extreme", 4.0f, 32, extreme_keys);
}

// ---------------------------------------------------------------------------------------------

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
                           .add_clips = add_clips};
    human.cone_count = rig_human_cones(&human.cones);
    return rig_character_build(out, &human, params, error);
}
