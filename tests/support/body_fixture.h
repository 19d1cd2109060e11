// SPDX-License-Identifier: MIT
// A body with all that is needed to deform and measure it.
#ifndef PELT_BODY_FIXTURE_H
#define PELT_BODY_FIXTURE_H

#include "pelt/metrics.h"
#include "test.h"

typedef struct body_fixture
{
    const pelt_scene* rig; ///< as it was built, which is shared; NULL for other scenes
    pelt_scene scene;      ///< with centers of rotation
    pelt_arena* arena;
    pelt_body* body;
    const pelt_body_info* info;
    pelt_pose pose;
    pelt_frame frame, previous;
    pelt_pose_metrics metrics;
    float* values[PELT_METRIC_COUNT];
} body_fixture;

bool body_fixture_open(body_fixture* out, const char* rig);

/// @param scene  must outlive the fixture
bool body_fixture_wrap(body_fixture* out, const pelt_scene* scene);
void body_fixture_close(body_fixture* f);

/// The surfaces of a clip at a part of its duration.
bool body_fixture_pose(body_fixture* f, const char* clip, float part,
                       const pelt_deform_options* options);

/// The surfaces of f->pose; those before become the previous ones.
void body_fixture_step(body_fixture* f, const pelt_deform_options* options);

/// Surfaces and bones moved by one map.
void body_fixture_map(body_fixture* f, const pelt_mat34* map);

/// Everything that needs no previous frame and no reference.
void body_fixture_measure(body_fixture* f);

/// The metric of the whole body.
const pelt_metric_summary* body_fixture_whole(const body_fixture* f, pelt_metric metric);

/// A skin over a chain of joints.
typedef struct chain_scene
{
    pelt_mesh mesh;
    pelt_node nodes[4];
    uint32_t joints[4];
    pelt_mat34 inverse_binds[4];
    pelt_skin skin;
    pelt_instance instance;
    pelt_scene scene;
} chain_scene;

/// @param heads  positions of up to 4 joints, each below the one before
void chain_scene_make(chain_scene* out, const pelt_mesh* mesh, const pelt_vec3* heads,
                      uint32_t count);

#endif
