// SPDX-License-Identifier: MIT
// The body of the human: muscles and bones as squeezed cones, in millimeters, left side only.
#include "implicit/cone_table.h"
#include "rig_human.h"

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
    // leg: thigh, its front, back, inner and outer side
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
