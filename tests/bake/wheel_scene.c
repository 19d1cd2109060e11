// SPDX-License-Identifier: MIT
// The wheel: random points, a track of rotation and one of a morph target.
#include "wheel_scene.h"

#include <string.h>

void wheel_make(wheel* out, float angle)
{
    test_random random = {7};
    *out = (wheel){.node = {.name = "hub", .parent = PELT_NONE, .rest = pelt_transform_identity()},
                   .instance = {.skin = PELT_NONE}};
    for (int i = 0; i < WHEEL_VERTICES; ++i)
    {
        out->positions[i] = test_point(&random, 1.0f);
        out->normals[i] = pelt_vec3_normalize(test_point(&random, 1.0f));
        out->deltas[i] = pelt_vec3_make(0.0f, 0.0f, 0.01f * (float)i);
    }
    for (int i = 0; i < WHEEL_KEYS; ++i)
    {
        out->times[i] = (float)i / (WHEEL_KEYS - 1);
        pelt_quat rotation = pelt_quat_axis_angle(pelt_vec3_make(0, 0, 1), angle * out->times[i]);
        memcpy(out->rotations[i], &rotation, sizeof rotation);
        out->morph_weights[i] = (float)(i % 3) / 2.0f;
    }
    out->morph = (pelt_morph){.name = "up", .positions = out->deltas};
    out->mesh = (pelt_mesh){.name = "wheel",
                            .vertex_count = WHEEL_VERTICES,
                            .positions = out->positions,
                            .normals = out->normals,
                            .material = PELT_NONE};
    out->tracks[0] = (pelt_track){.path = PELT_PATH_ROTATION,
                                  .key_count = WHEEL_KEYS,
                                  .width = 4,
                                  .times = out->times,
                                  .values = &out->rotations[0][0]};
    out->tracks[1] = (pelt_track){.path = PELT_PATH_MORPH,
                                  .key_count = WHEEL_KEYS,
                                  .width = 1,
                                  .times = out->times,
                                  .values = out->morph_weights};
    out->clip =
        (pelt_clip){.name = "rotation", .duration = 1.0f, .track_count = 1, .tracks = out->tracks};
    out->scene = (pelt_scene){.node_count = 1,
                              .mesh_count = 1,
                              .instance_count = 1,
                              .clip_count = 1,
                              .nodes = &out->node,
                              .meshes = &out->mesh,
                              .instances = &out->instance,
                              .clips = &out->clip};
}

void wheel_make_morph(wheel* out)
{
    wheel_make(out, 0.0f);
    out->mesh.morph_count = 1;
    out->mesh.morphs = &out->morph;
    out->scene.morph_weight_count = 1;
    out->clip.tracks = &out->tracks[1];
}
