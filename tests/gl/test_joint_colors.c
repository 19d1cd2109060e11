// SPDX-License-Identifier: MIT
#include "pelt/render.h"
#include "rigs.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static bool is_color(pelt_color a, pelt_color b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static double linear_of(uint8_t value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static uint8_t srgb_of(double light)
{
    double v = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1.0 / 2.4) - 0.055;
    return (uint8_t)(255.0 * v + 0.5);
}

// Hue in Oklab by Ottosson's published matrices, degrees.
static double hue_of(pelt_color c)
{
    double r = linear_of(c.r), g = linear_of(c.g), b = linear_of(c.b);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return atan2(0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
                 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s) *
           180.0 / 3.14159265358979;
}

// Rounding to bytes rotates a hue by up to 2 degrees.
static int joints_differ_from_those_above_and_beside(void)
{
    static const char* const rigs[] = {"rig:arm", "rig:human?vertices=2000"};
    for (uint32_t r = 0; r < 2; ++r)
    {
        pelt_scene* scene;
        ENSURE(pelt_rig_build(&scene, rigs[r], NULL) == PELT_OK);
        pelt_color* colors = malloc(scene->node_count * sizeof *colors);
        ENSURE(colors != NULL && pelt_joint_colors(colors, scene) == PELT_OK);
        const pelt_skin* skin = &scene->skins[0];
        uint32_t pair_count = 0;
        for (uint32_t j = 0; j < skin->joint_count; ++j)
        {
            uint32_t node = skin->joints[j], parent = scene->nodes[node].parent;
            for (uint32_t k = 0; k < skin->joint_count && parent != PELT_NONE; ++k)
            {
                uint32_t other = skin->joints[k];
                double apart = fabs(remainder(hue_of(colors[node]) - hue_of(colors[other]), 360.0));
                bool is_above = other == parent;
                bool is_beside = other != node && scene->nodes[other].parent == parent;
                ENSURE(!is_above || apart > 86.0);
                ENSURE(!is_beside || apart > 10.0);
                pair_count += is_above;
            }
        }
        ENSURE(pair_count == skin->joint_count - 1);
        free(colors);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// A mesh on two joints: one vertex of each, one of both by halves, one of neither.
typedef struct blend_scene
{
    pelt_vec3 positions[4];
    uint32_t first[5];
    pelt_influence influences[4];
    uint32_t joints[2];
    pelt_mat34 inverse_binds[2];
    pelt_node nodes[3];
    pelt_skin skin;
    pelt_mesh mesh;
    pelt_instance instances[2];
    pelt_scene scene;
} blend_scene;

static void make_blend(blend_scene* out)
{
    *out = (blend_scene){.first = {0, 1, 2, 4, 4},
                         .influences = {{.joint = 0, .weight = 1.0f},
                                        {.joint = 1, .weight = 1.0f},
                                        {.joint = 0, .weight = 0.5f},
                                        {.joint = 1, .weight = 0.5f}},
                         .joints = {1, 2}};
    for (uint32_t i = 0; i < 3; ++i)
    {
        out->nodes[i] =
            (pelt_node){.parent = i > 0 ? i - 1 : PELT_NONE, .rest = pelt_transform_identity()};
    }
    out->inverse_binds[0] = out->inverse_binds[1] = pelt_mat34_identity();
    out->skin =
        (pelt_skin){.joint_count = 2, .joints = out->joints, .inverse_binds = out->inverse_binds};
    out->mesh = (pelt_mesh){.vertex_count = 4,
                            .positions = out->positions,
                            .weights = {.vertex_count = 4,
                                        .joint_count = 2,
                                        .influence_count = 4,
                                        .max_influences = 2,
                                        .first = out->first,
                                        .influences = out->influences}};
    out->instances[1] = (pelt_instance){.skin = PELT_NONE, .node = 2};
    out->scene = (pelt_scene){.node_count = 3,
                              .mesh_count = 1,
                              .skin_count = 1,
                              .instance_count = 2,
                              .nodes = out->nodes,
                              .meshes = &out->mesh,
                              .skins = &out->skin,
                              .instances = out->instances};
}

static int weights_mix_colors_as_light(void)
{
    blend_scene blend;
    pelt_color joints[3];
    const pelt_color* const* colors;
    pelt_arena* arena = pelt_arena_create();
    make_blend(&blend);
    ENSURE(pelt_joint_colors(joints, &blend.scene) == PELT_OK);
    ENSURE(pelt_weight_colors(&colors, &blend.scene, joints, arena) == PELT_OK);
    ENSURE(is_color(colors[0][0], joints[1]) && is_color(colors[0][1], joints[2]));
    pelt_color a = joints[1], b = joints[2], mean = colors[0][2];
    ENSURE_NEAR(mean.r, srgb_of(0.5 * (linear_of(a.r) + linear_of(b.r))), 1);
    ENSURE_NEAR(mean.g, srgb_of(0.5 * (linear_of(a.g) + linear_of(b.g))), 1);
    ENSURE_NEAR(mean.b, srgb_of(0.5 * (linear_of(a.b) + linear_of(b.b))), 1);
    ENSURE(mean.a == 255);
    // No joint is above the first node: it is gray, as what nothing moves.
    ENSURE(joints[0].r == joints[0].g && joints[0].g == joints[0].b);
    ENSURE(is_color(colors[0][3], joints[0]));
    for (uint32_t v = 0; v < 4; ++v)
    {
        ENSURE(is_color(colors[1][v], joints[2])); // without a skin, it follows that node
    }
    pelt_arena_destroy(arena);
    return 0;
}

void test_joint_colors(void)
{
    RUN(joints_differ_from_those_above_and_beside);
    RUN(weights_mix_colors_as_light);
}
