// SPDX-License-Identifier: MIT
// The body of the raptor: squeezed cones, in millimeters, left side only.
#include "implicit/cone_table.h"
#include "rig_raptor.h"

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
