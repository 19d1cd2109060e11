// SPDX-License-Identifier: MIT
// Vertices and normals in the layout of the animation texture thesis (2021), read by a second
// decoder that follows docs/texture_format.md, against deformed surfaces.
#include "pelt/bake.h"
#include "rigs.h"
#include "test.h"

#include <string.h>

static pelt_baked* bake(const pelt_scene* scene, bool is_padded)
{
    const uint32_t first = 0;
    pelt_baked* baked = NULL;
    pelt_error error = {0};
    const pelt_bake_options options = {.encoding = PELT_ENCODING_VERTEX,
                                       .layout = PELT_BAKE_LAYOUT_THESIS,
                                       .is_padded = is_padded,
                                       .clip_count = 1,
                                       .clips = &first};
    if (pelt_bake(&baked, scene, &options, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
    }
    return baked;
}

static double value_at(const pelt_baked* baked, uint32_t column, uint32_t row, int channel)
{
    uint32_t word = baked->words[(size_t)row * baked->width + column];
    return ((double)(word >> 8 * channel & 255) - 128.0) / 127.0;
}

// Number i of the box in the first column: its center, then its bounds, in meters.
static double box_number(const pelt_baked* baked, uint32_t i)
{
    float value;
    memcpy(&value, &baked->words[(size_t)(3 + i) * baked->width], sizeof value);
    return (double)baked->unit * (double)value;
}

// A key of an instance: the second decoder against the deformed surface, and that of the library
// against the second.
static int check_key(const pelt_scene* scene, const pelt_baked* baked, const pelt_frame* frame,
                     uint32_t instance, uint32_t key, const pelt_surface* decoded)
{
    const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
    const pelt_surface* exact = &frame->surfaces[instance];
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t row = 2 + baked->instances[instance].vertex_ids[v];
        for (int i = 0; i < 3; ++i)
        {
            double bounds = box_number(baked, 3 + (uint32_t)i);
            double value =
                box_number(baked, (uint32_t)i) + bounds * value_at(baked, 1 + key, row, i);
            double offset = (double)pelt_vec3_component(exact->positions[v], i) -
                            (double)pelt_vec3_component(mesh->positions[v], i);
            ENSURE_NEAR(value, offset, 0.5 * bounds / 127.0 + 1e-6);
            ENSURE_NEAR((double)pelt_vec3_component(decoded->positions[v], i) -
                            (double)pelt_vec3_component(mesh->positions[v], i),
                        value, 1e-4);
            double normal = value_at(baked, 1 + key, row + baked->vertex_count, i);
            // Normals are sampled in 16 bits.
            ENSURE_NEAR(normal, (double)pelt_vec3_component(exact->normals[v], i),
                        0.5 / 127.0 + 1e-4);
            // Half a step on each axis changes the length by 0.7 % at most.
            ENSURE_NEAR((double)pelt_vec3_component(decoded->normals[v], i), normal, 0.01);
        }
    }
    return 0;
}

static int check_bake(const pelt_scene* scene, const pelt_baked* baked)
{
    pelt_pose pose;
    pelt_frame frame, decoded;
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&decoded, scene) == PELT_OK);
    const pelt_baked_run* run = &baked->clips[0].runs[0];
    int failed = 0;
    for (uint32_t key = 0; key < run->key_count && !failed; key += 7)
    {
        float time = (float)key / run->rate;
        pelt_pose_sample(&pose, scene, &scene->clips[0], time, PELT_WRAP_CLAMP);
        pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){.is_exact = true});
        for (uint32_t i = 0; i < scene->instance_count && !failed; ++i)
        {
            const pelt_playback playback = {.base = {0, time, PELT_WRAP_CLAMP}};
            pelt_unbake_vertices(&decoded.surfaces[i], baked, i,
                                 &scene->meshes[scene->instances[i].mesh], &playback);
            failed = check_key(scene, baked, &frame, i, key, &decoded.surfaces[i]);
        }
    }
    pelt_frame_destroy(&frame);
    pelt_frame_destroy(&decoded);
    pelt_pose_destroy(&pose);
    return failed;
}

static int vertices_are_within_half_a_step_of_one_box(void)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, "box", NULL) == PELT_OK);
    for (uint32_t i = 0; i < 2; ++i)
    {
        pelt_baked* baked = bake(scene, i == 1);
        ENSURE(baked != NULL && pelt_baked_validate(baked, NULL) == PELT_OK);
        uint32_t count = baked->vertex_count, key_count = baked->clips[0].key_count;
        ENSURE(baked->words[2 * (size_t)baked->width] == (count | 0x80000000u));
        ENSURE(i == 1 || (baked->width == 1 + key_count && baked->height == 2 + 2 * count));
        ENSURE(i == 0 || (baked->width == 256 && baked->height == 1024));
        ENSURE(check_bake(scene, baked) == 0);
        pelt_baked_destroy(baked);
    }
    pelt_scene_destroy(scene);
    return 0;
}

// Counts and numbers that cannot be are refused.
static int a_box_of_vertices_is_checked(void)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, "box", NULL) == PELT_OK);
    pelt_baked* baked = bake(scene, false);
    ENSURE(baked != NULL);
    uint32_t head = baked->words[2 * (size_t)baked->width];
    const uint32_t changes[][2] = {{2, head + 1},    {2, head & 0x7FFFFFFFu}, {2, 0},
                                   {3, 0x7FC00000u}, {8, 0x7F800000u},        {0, 1u << 16}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i)
    {
        uint32_t* word = (uint32_t*)&baked->words[changes[i][0] * baked->width];
        uint32_t kept = *word;
        *word = i == 5 ? kept + changes[i][1] : changes[i][1];
        ENSURE(pelt_baked_validate(baked, NULL) == PELT_ERROR_DATA);
        *word = kept;
    }
    ENSURE(pelt_baked_validate(baked, NULL) == PELT_OK);
    pelt_baked_destroy(baked);
    pelt_scene_destroy(scene);
    return 0;
}

void test_thesis_vertices(void)
{
    RUN(vertices_are_within_half_a_step_of_one_box);
    RUN(a_box_of_vertices_is_checked);
}
