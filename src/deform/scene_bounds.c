// SPDX-License-Identifier: MIT
// The box of a scene in one pose.
#include "../base/exact.h"

#include "../../include/pelt/pelt.h"

pelt_result pelt_scene_bounds(pelt_bounds* out, const pelt_scene* scene, const pelt_pose* pose)
{
    PELT_ASSERT(out != NULL && scene != NULL);
    *out = pelt_bounds_empty();
    static const pelt_deform_options lbs;
    pelt_frame frame = {0};
    pelt_pose rest = {0};
    pelt_result result;
    PELT_TRY_OR(cleanup, result, pelt_frame_create(&frame, scene));
    if (pose == NULL)
    {
        PELT_TRY_OR(cleanup, result, pelt_pose_create(&rest, scene));
        pose = &rest;
    }
    pelt_frame_update(&frame, scene, pose, &lbs);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        pelt_bounds_add(out, frame.surfaces[i].positions, mesh->vertex_count);
    }
cleanup:
    pelt_pose_destroy(&rest);
    pelt_frame_destroy(&frame);
    return result;
}
