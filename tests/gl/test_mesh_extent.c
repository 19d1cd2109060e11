// SPDX-License-Identifier: MIT
#include "joints/mesh_extent.h"
#include "rigs.h"
#include "test.h"

// The box of all vertices, and the one of the few, which lies in it.
static int compare_boxes(const pelt_scene* scene, const pelt_frame* frame,
                         pelti_mesh_extent* extent, const pelt_deform_options* options)
{
    pelt_bounds all = pelt_bounds_empty(), few = pelt_bounds_empty();
    pelt_bounds_add(&all, frame->surfaces[0].positions, scene->meshes[0].vertex_count);
    const pelt_deform_input input = {.cors = frame->cors[0],
                                     .mix_factors = frame->mix_factors[0],
                                     .palette = &frame->palettes[0]};
    pelti_mesh_extent_add(&few, extent, &input, options);
    const float outside[6] = {few.min.x - all.min.x, few.min.y - all.min.y, few.min.z - all.min.z,
                              all.max.x - few.max.x, all.max.y - few.max.y, all.max.z - few.max.z};
    for (int i = 0; i < 6; ++i)
    {
        // The same vertices by the same function: not even rounding differs. What the directions
        // leave out is most where dual quaternions bulge on a folded elbow of 4 cm: a quarter.
        ENSURE(outside[i] >= 0.0f && outside[i] < 1e-2f);
    }
    // The ground is at the lowest point, and feet touch it.
    ENSURE(outside[1] < 1e-3f);
    return 0;
}

static int boxes_are_those_of_all_vertices_within_a_centimeter(void)
{
    static const char* const rigs[] = {"rig:arm", "rig:human?vertices=2000"};
    static const pelt_deform_options options[] = {{.method = PELT_METHOD_LBS},
                                                  {.method = PELT_METHOD_DQS},
                                                  {.method = PELT_METHOD_MIX, .mix = 0.3f}};
    for (uint32_t r = 0; r < 2; ++r)
    {
        pelt_scene* scene;
        pelt_pose pose;
        pelt_frame frame;
        pelti_mesh_extent extent;
        ENSURE(pelt_rig_build(&scene, rigs[r], NULL) == PELT_OK && scene->instance_count == 1);
        ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
        ENSURE(pelt_frame_create(&frame, scene) == PELT_OK);
        ENSURE(pelti_mesh_extent_create(&extent, &scene->meshes[0]) == PELT_OK);
        ENSURE(extent.count > 10 && extent.count < scene->meshes[0].vertex_count);
        for (uint32_t i = 0; i < 5 * scene->clip_count; ++i)
        {
            const pelt_clip* clip = &scene->clips[i / 5];
            const pelt_deform_options* by = &options[i % 3];
            pelt_pose_sample(&pose, scene, clip, clip->duration * (float)(i % 5) / 4.0f,
                             PELT_WRAP_CLAMP);
            pelt_frame_update(&frame, scene, &pose, by);
            ENSURE(compare_boxes(scene, &frame, &extent, by) == 0);
        }
        pelti_mesh_extent_destroy(&extent);
        pelt_frame_destroy(&frame);
        pelt_pose_destroy(&pose);
        pelt_scene_destroy(scene);
    }
    return 0;
}

void test_mesh_extent(void)
{
    RUN(boxes_are_those_of_all_vertices_within_a_centimeter);
}
