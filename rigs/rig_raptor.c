// SPDX-License-Identifier: MIT
// A two-legged dinosaur, 2.4 m from nose to tail: 79 joints, three clips.
#include "implicit/cone_table.h"
#include "rig_character.h"
#include "rig_clips.h"

#define RAPTOR_TAIL_COUNT 18
#define RAPTOR_SPINE_COUNT 4
#define RAPTOR_NECK_COUNT 6
#define RAPTOR_TOE_COUNT 4

// Rows of the joint table. A finger has two joints and a tip, a toe two joints.
typedef enum raptor_row
{
    RAPTOR_HIPS,
    RAPTOR_TAIL,
    RAPTOR_SPINE = RAPTOR_TAIL + RAPTOR_TAIL_COUNT,
    RAPTOR_NECK = RAPTOR_SPINE + RAPTOR_SPINE_COUNT,
    RAPTOR_HEAD = RAPTOR_NECK + RAPTOR_NECK_COUNT,
    RAPTOR_JAW,
    RAPTOR_SCAPULA,
    RAPTOR_UPPER_ARM,
    RAPTOR_FOREARM,
    RAPTOR_HAND,
    RAPTOR_FINGER_1,
    RAPTOR_FINGER_2 = RAPTOR_FINGER_1 + 3,
    RAPTOR_FINGER_3 = RAPTOR_FINGER_2 + 3,
    RAPTOR_THIGH = RAPTOR_FINGER_3 + 3,
    RAPTOR_SHIN,
    RAPTOR_FOOT,
    RAPTOR_TOE_1,                    // the small one behind
    RAPTOR_TOE_2 = RAPTOR_TOE_1 + 2, // with the sickle claw
    RAPTOR_TOE_3 = RAPTOR_TOE_2 + 2,
    RAPTOR_TOE_4 = RAPTOR_TOE_3 + 2,
    RAPTOR_ROW_COUNT = RAPTOR_TOE_4 + 2
} raptor_row;

// ---------------------------------------------------------------------------------------------
// Joints and charts

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

// ---------------------------------------------------------------------------------------------
// Shape
//
// The body of the raptor: squeezed cones, in millimeters, left side only.

// Branch 1 is the lower jaw, 2 to 4 are fingers, 5 to 8 toes: they join the trunk, never each
// other. branch, symmetry, carve, from, to, radius at each, fillet, scale
static const implicit_cone cones[] = {
    // tail, root to end
    {0, MIDDLE, ADD, {0, 880, 20}, {0, 890, -350}, 125, 72, 20, {0.80f, 1, 1}},
    {0, MIDDLE, ADD, {0, 890, -350}, {0, 870, -800}, 72, 36, 0, {0.85f, 1, 1}},
    {0, MIDDLE, ADD, {0, 870, -800}, {0, 840, -1340}, 36, 12, 0, {0.85f, 1, 1}},
    // hips, belly, ribs, shoulders, breast, withers
    {0, MIDDLE, ADD, {0, 870, 0}, {0, 870, 140}, 140, 140, 60, {0.80f, 1, 1}},
    {0, MIDDLE, ADD, {0, 855, 160}, {0, 850, 380}, 140, 150, 60, {0.84f, 1, 1}},
    {0, MIDDLE, ADD, {0, 870, 400}, {0, 900, 500}, 138, 100, 60, {0.86f, 1, 1}},
    {0, PAIR, ADD, {70, 900, 420}, {95, 840, 480}, 60, 52, 50, {0.8f, 1, 1}},
    {0, PAIR, ADD, {30, 800, 470}, {30, 760, 360}, 60, 50, 60, ROUND},
    {0, MIDDLE, ADD, {0, 980, 120}, {0, 975, 440}, 34, 36, 60, {0.8f, 1, 1}},
    // neck, an S from the shoulders up
    {0, MIDDLE, ADD, {0, 905, 500}, {0, 1010, 625}, 98, 74, 60, {0.86f, 1, 1}},
    {0, MIDDLE, ADD, {0, 1010, 625}, {0, 1150, 672}, 74, 61, 0, {0.88f, 1, 1}},
    {0, MIDDLE, ADD, {0, 1150, 672}, {0, 1320, 715}, 61, 54, 0, {0.9f, 1, 1}},
    // skull, cheek, snout, nose, brow, eye, hollow before the eye
    {0, MIDDLE, ADD, {0, 1345, 725}, {0, 1352, 790}, 62, 58, 40, {0.9f, 1, 1}},
    {0, PAIR, ADD, {30, 1325, 760}, {26, 1335, 820}, 34, 30, 30, ROUND},
    {0, MIDDLE, ADD, {0, 1352, 790}, {0, 1330, 980}, 48, 26, 40, {0.82f, 1, 1}},
    {0, MIDDLE, ADD, {0, 1322, 860}, {0, 1312, 1000}, 30, 21, 20, {1, 0.8f, 1}},
    {0, PAIR, ADD, {12, 1346, 975}, {10, 1344, 990}, 10, 10, 15, ROUND},
    {0, PAIR, CARVE, {62, 1350, 870}, {52, 1345, 930}, 18, 16, 30, ROUND},
    {0, PAIR, ADD, {34, 1388, 770}, {32, 1380, 850}, 14, 9, 22, ROUND},
    {0, PAIR, ADD, {38, 1364, 800}, {38, 1364, 804}, 19, 19, 8, {0.8f, 1, 1}},
    // arm: upper arm, forearm, wrist, palm
    {0, PAIR, ADD, {112, 830, 490}, {140, 715, 435}, 44, 30, 40, ROUND},
    {0, LEFT, ADD, {140, 715, 435}, {142, 670, 550}, 31, 22, 20, ROUND},
    {0, LEFT, ADD, {142, 670, 550}, {142, 648, 592}, 22, 20, 20, {1.35f, 1, 1}},
    {0, LEFT, ADD, {120, 640, 602}, {168, 640, 598}, 16, 16, 20, ROUND},
    // leg: thigh, its back, knee, calf, shin, ankle, metatarsus, ball
    {0, PAIR, ADD, {98, 830, 10}, {120, 600, 130}, 118, 58, 50, {0.62f, 1, 1}},
    {0, PAIR, ADD, {100, 800, -60}, {122, 640, 40}, 90, 50, 50, {0.62f, 1, 1}},
    {0, PAIR, ADD, {122, 605, 135}, {122, 520, 60}, 56, 56, 50, {0.85f, 1, 1}},
    {0, PAIR, ADD, {122, 540, 60}, {122, 330, -90}, 60, 24, 40, {0.85f, 1, 1}},
    {0, PAIR, ADD, {122, 345, -100}, {122, 315, -98}, 27, 26, 30, ROUND},
    {0, PAIR, ADD, {122, 320, -94}, {122, 70, -4}, 26, 24, 30, ROUND},
    {0, PAIR, ADD, {104, 52, 4}, {142, 50, 4}, 24, 24, 30, ROUND},
    // lower jaw
    {1, MIDDLE, ADD, {0, 1296, 765}, {0, 1272, 860}, 36, 26, 30, {1, 0.8f, 1}},
    {1, MIDDLE, ADD, {0, 1272, 860}, {0, 1258, 975}, 26, 17, 20, {1, 0.7f, 1}},
    // fingers with claws, inner to outer
    {2, LEFT, ADD, {114, 636, 608}, {104, 606, 650}, 15, 12, 12, ROUND},
    {2, LEFT, ADD, {104, 606, 650}, {99, 572, 668}, 12, 10.5f, 4, ROUND},
    {2, LEFT, ADD, {99, 572, 668}, {97, 532, 660}, 11.5f, 5.5f, 3, ROUND},
    {3, LEFT, ADD, {144, 634, 610}, {145, 600, 662}, 15, 12, 12, ROUND},
    {3, LEFT, ADD, {145, 600, 662}, {146, 560, 684}, 12, 10.5f, 4, ROUND},
    {3, LEFT, ADD, {146, 560, 684}, {146, 516, 676}, 11.5f, 5.5f, 3, ROUND},
    {4, LEFT, ADD, {174, 636, 604}, {186, 606, 644}, 14.5f, 11.5f, 12, ROUND},
    {4, LEFT, ADD, {186, 606, 644}, {193, 572, 660}, 11.5f, 10, 4, ROUND},
    {4, LEFT, ADD, {193, 572, 660}, {196, 534, 652}, 11, 5.5f, 3, ROUND},
    // toes: hind, sickle, middle, outer
    {5, LEFT, ADD, {108, 62, -10}, {94, 30, -44}, 15, 12, 15, ROUND},
    {5, LEFT, ADD, {94, 30, -44}, {88, 10, -74}, 12, 5.5f, 4, ROUND},
    {6, LEFT, ADD, {98, 56, 12}, {80, 78, 62}, 19, 15, 15, ROUND},
    {6, LEFT, ADD, {80, 78, 62}, {74, 102, 96}, 15, 13, 6, ROUND},
    {6, LEFT, ADD, {74, 102, 96}, {71, 92, 134}, 13, 11, 8, ROUND},
    {6, LEFT, ADD, {71, 92, 134}, {70, 56, 154}, 10.5f, 5, 6, ROUND},
    {7, LEFT, ADD, {122, 44, 14}, {122, 26, 90}, 21, 18, 15, ROUND},
    {7, LEFT, ADD, {122, 26, 90}, {122, 21, 150}, 18, 14, 8, ROUND},
    {7, LEFT, ADD, {122, 21, 150}, {122, 10, 188}, 13, 5.5f, 8, ROUND},
    {8, LEFT, ADD, {144, 44, 10}, {168, 25, 74}, 20, 17, 15, ROUND},
    {8, LEFT, ADD, {168, 25, 74}, {184, 20, 122}, 17, 13, 8, ROUND},
    {8, LEFT, ADD, {184, 20, 122}, {196, 10, 154}, 12, 5.5f, 8, ROUND},
};

uint32_t rig_raptor_cones(const implicit_cone** out)
{
    *out = cones;
    return (uint32_t)(sizeof cones / sizeof cones[0]);
}

pelt_vec3 rig_raptor_warp(pelt_vec3 p)
{
    // Before the breast there are only neck, head and hands, behind the thighs only the tail.
    static const implicit_ramp front = {0.26f, 0.62f, 0.40f};
    static const implicit_ramp back = {-0.35f, -1.10f, 0.45f};
    static const implicit_ramp foot = {0.30f, 0.11f, 0.40f};
    // Cells at the feet shrink towards a point outside of the other two regions.
    const float front_y = 0.90f, back_y = 0.86f, foot_x = 0.09f, foot_z = 0.12f;

    float front_slope, back_slope, foot_slope;
    float z = implicit_ramp_at(&front, p.z, &front_slope);
    z += implicit_ramp_at(&back, p.z, &back_slope) - p.z;
    float x = fabsf(p.x) * front_slope * back_slope;
    float y = front_y + (p.y - front_y) * front_slope;
    y = back_y + (y - back_y) * back_slope;

    y = implicit_ramp_at(&foot, y, &foot_slope);
    x = foot_x + (x - foot_x) * foot_slope;
    z = foot_z + (z - foot_z) * foot_slope;
    return pelt_vec3_make(p.x < 0.0f ? -x : x, y, z);
}

// ---------------------------------------------------------------------------------------------
// Clips
//
// Clips of the raptor. Angles in degrees: a leg along -y swings forwards about -x, the head along
// +z rises about -x.

// A wave that runs down the tail and grows towards its end.
static void wave_tail(const rig_moment* m, float swing, float lift, float lag)
{
    for (uint32_t i = 0; i < RAPTOR_TAIL_COUNT; ++i)
    {
        float along = (float)i / (float)(RAPTOR_TAIL_COUNT - 1);
        float strength = 0.4f + 0.6f * along;
        float angle = swing * strength * rig_sine(m->phase - lag * along);
        float rise = lift * strength * rig_cosine(m->phase - lag * along);
        rig_pose_angles(m, RAPTOR_TAIL + i, RIG_LEFT, rise, angle, 0.0f);
    }
}

// @param base  angle between toes and foot
// @param curl  angle within the toes
static void pose_toes(const rig_moment* m, rig_side side, float base, float curl)
{
    for (uint32_t i = 1; i < RAPTOR_TOE_COUNT; ++i)
    {
        rig_pose_angles(m, RAPTOR_TOE_1 + 2 * i, side, base, 0.0f, 0.0f);
        rig_pose_angles(m, RAPTOR_TOE_1 + 2 * i + 1, side, curl, 0.0f, 0.0f);
    }
}

// Angles of a leg about x, each against its parent.
typedef struct leg_pose
{
    float thigh, knee, ankle;
} leg_pose;

// One leg of a run, touching down in front at phase 0 and pushing off near 0.4.
static leg_pose run_leg(float phase)
{
    leg_pose leg;
    leg.thigh = -8.0f - 32.0f * rig_cosine(phase);
    leg.knee = 8.0f + 42.0f * rig_bump(phase, 0.68f, 0.17f) - 22.0f * rig_bump(phase, 0.40f, 0.14f);
    leg.ankle = 12.0f + 18.0f * rig_cosine(phase) + 26.0f * rig_bump(phase, 0.42f, 0.12f) -
                20.0f * rig_bump(phase, 0.20f, 0.12f) - 30.0f * rig_bump(phase, 0.72f, 0.15f);
    return leg;
}

static void pose_leg(const rig_moment* m, rig_side side, const leg_pose* leg, float phase)
{
    rig_pose_angles(m, RAPTOR_THIGH, side, leg->thigh, 0.0f, 0.0f);
    rig_pose_angles(m, RAPTOR_SHIN, side, leg->knee, 0.0f, 0.0f);
    rig_pose_angles(m, RAPTOR_FOOT, side, leg->ankle, 0.0f, 0.0f);
    // Toes on the ground compensate the rotation of the leg; those in the air hang.
    float stance = rig_bump(phase, 0.17f, 0.20f), swing = 1.0f - stance;
    float flat = -(leg->thigh + leg->knee + leg->ankle);
    pose_toes(m, side, 10.0f * swing + flat * stance, 14.0f * swing);
}

static pelt_vec3 bone(const rig_moment* m, uint32_t from, uint32_t to)
{
    return pelt_vec3_sub(rig_joint_position(m->rig, m->map->left[to]),
                         rig_joint_position(m->rig, m->map->left[from]));
}

// How far a pose lifts the root of the middle toe against the hips.
static float toe_rise(const rig_moment* m, const leg_pose* leg)
{
    static const uint32_t rows[4] = {RAPTOR_THIGH, RAPTOR_SHIN, RAPTOR_FOOT, RAPTOR_TOE_3};
    const float angles[3] = {leg->thigh, leg->knee, leg->ankle};
    float rise = 0.0f, angle = 0.0f;
    for (int i = 0; i < 3; ++i)
    {
        angle += angles[i];
        pelt_vec3 rest = bone(m, rows[i], rows[i + 1]);
        rise += pelt_quat_rotate(rig_rotation(angle, 0.0f, 0.0f), rest).y - rest.y;
    }
    return rise;
}

static void run_keys(const rig_moment* m)
{
    float sway = rig_sine(m->phase), step = rig_cosine(2.0f * m->phase);
    leg_pose left = run_leg(m->phase), right = run_leg(m->phase + 0.5f);
    // The lower foot is on the floor, but for a moment of flight after each push.
    float lift = -fminf(toe_rise(m, &left), toe_rise(m, &right)) + 0.03f + 0.02f * step;
    rig_pose_offset(m, RAPTOR_HIPS, RIG_LEFT, pelt_vec3_make(0.012f * sway, lift, 0.0f));
    pose_leg(m, RIG_LEFT, &left, m->phase);
    pose_leg(m, RIG_RIGHT, &right, m->phase + 0.5f);
    rig_pose_angles(m, RAPTOR_HIPS, RIG_LEFT, 3.0f * step, -5.0f * rig_cosine(m->phase),
                    3.0f * sway);
    wave_tail(m, 4.0f, 0.8f, 0.5f);
    for (uint32_t i = 0; i < RAPTOR_SPINE_COUNT; ++i)
    {
        rig_pose_angles(m, RAPTOR_SPINE + i, RIG_LEFT, -0.5f * step, 1.5f * rig_cosine(m->phase),
                        0.0f);
    }
    for (uint32_t i = 0; i < RAPTOR_NECK_COUNT; ++i)
    {
        // The lower neck reaches forwards, the upper keeps the head level.
        float reach = i < 3 ? 7.0f : -5.0f;
        rig_pose_angles(m, RAPTOR_NECK + i, RIG_LEFT, reach + 1.0f * step, 0.0f, -0.6f * sway);
    }
    rig_pose_angles(m, RAPTOR_HEAD, RIG_LEFT, -6.0f - 2.0f * step, 0.0f, 0.0f);
    for (rig_side side = RIG_LEFT; side <= RIG_RIGHT; ++side)
    {
        rig_pose_angles(m, RAPTOR_UPPER_ARM, side, 14.0f + 4.0f * step, 0.0f, 0.0f);
        rig_pose_angles(m, RAPTOR_FOREARM, side, -16.0f, 0.0f, 0.0f);
        rig_pose_angles(m, RAPTOR_HAND, side, 22.0f + 5.0f * step, 0.0f, 0.0f);
    }
}

static void tail_keys(const rig_moment* m)
{
    wave_tail(m, 22.0f, 7.0f, 0.8f);
    rig_pose_angles(m, RAPTOR_HIPS, RIG_LEFT, 0.0f, 5.0f * rig_sine(m->phase + 0.1f), 0.0f);
    for (uint32_t i = 0; i < RAPTOR_NECK_COUNT; ++i)
    {
        rig_pose_angles(m, RAPTOR_NECK + i, RIG_LEFT, 0.0f, -3.0f * rig_sine(m->phase), 0.0f);
    }
}

static void roar_keys(const rig_moment* m)
{
    // Draw back, then thrust and hold, then settle.
    float draw = rig_bump(m->phase, 0.22f, 0.11f);
    float roar = rig_bump(m->phase, 0.55f, 0.19f);
    float shake = roar * rig_sine(9.0f * m->phase);
    rig_pose_angles(m, RAPTOR_HIPS, RIG_LEFT, -4.0f * draw + 5.0f * roar, 0.0f, 0.0f);
    for (uint32_t i = 0; i < RAPTOR_SPINE_COUNT; ++i)
    {
        rig_pose_angles(m, RAPTOR_SPINE + i, RIG_LEFT, -3.0f * draw - 2.0f * roar, 0.0f, 0.0f);
    }
    for (uint32_t i = 0; i < RAPTOR_NECK_COUNT; ++i)
    {
        float bend = i < 3 ? -8.0f * draw + 11.0f * roar : 9.0f * draw - 10.0f * roar;
        rig_pose_angles(m, RAPTOR_NECK + i, RIG_LEFT, bend, 1.2f * shake, 0.8f * shake);
    }
    rig_pose_angles(m, RAPTOR_HEAD, RIG_LEFT, 14.0f * draw - 16.0f * roar, 3.0f * shake, 0.0f);
    rig_pose_angles(m, RAPTOR_JAW, RIG_LEFT, 34.0f * roar + 2.0f * shake, 0.0f, 0.0f);
    wave_tail(m, 3.0f, 0.6f, 0.6f);
    for (rig_side side = RIG_LEFT; side <= RIG_RIGHT; ++side)
    {
        rig_pose_angles(m, RAPTOR_UPPER_ARM, side, -24.0f * roar, 0.0f, 18.0f * roar);
        rig_pose_angles(m, RAPTOR_FOREARM, side, -20.0f * roar, 0.0f, 0.0f);
        for (uint32_t row = RAPTOR_FINGER_1; row <= RAPTOR_FINGER_3; row += 3)
        {
            rig_pose_angles(m, row, side, -22.0f * roar, 0.0f, 0.0f);
            rig_pose_angles(m, row + 1, side, -14.0f * roar, 0.0f, 0.0f);
        }
    }
}

static void add_clips(rig_builder* rig, const rig_character_map* map)
{
    rig_clip_sample(rig, map, "run", 0.64f, 24, run_keys);
    rig_clip_sample(rig, map, "tail", 2.0f, 32, tail_keys);
    rig_clip_sample(rig, map, "roar", 2.6f, 48, roar_keys);
}

// ---------------------------------------------------------------------------------------------

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
                            .add_clips = add_clips};
    raptor.cone_count = rig_raptor_cones(&raptor.cones);
    return rig_character_build(out, &raptor, params, error);
}
