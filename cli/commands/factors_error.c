// SPDX-License-Identifier: MIT
#include "factors_error.h"

enum
{
    CLIP_MAX = 4,
    MOMENT_COUNT = 2,
};

typedef struct factors_test
{
    const pelt_scene* scene; // with exact factors
    bool has_crs;
    pelt_pose pose;
    pelt_frame exact, rounded;
} factors_test;

static bool has_all_cors(const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        if (scene->meshes[i].weights.vertex_count > 0 && scene->meshes[i].cors == NULL)
        {
            return false;
        }
    }
    return true;
}

static pelt_result create_test(factors_test* out, const pelt_scene* exact,
                               const pelt_scene* rounded)
{
    *out = (factors_test){.scene = exact, .has_crs = has_all_cors(exact)};
    return pelt_pose_create(&out->pose, exact) == PELT_OK &&
                   pelt_frame_create(&out->exact, exact) == PELT_OK &&
                   pelt_frame_create(&out->rounded, rounded) == PELT_OK
               ? PELT_OK
               : PELT_ERROR_MEMORY;
}

static void destroy_test(factors_test* test)
{
    pelt_frame_destroy(&test->rounded);
    pelt_frame_destroy(&test->exact);
    pelt_pose_destroy(&test->pose);
}

static void add_pose(normal_error* inout, factors_test* test)
{
    static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_CRS};
    uint32_t method_count = test->has_crs ? 3 : 2;
    for (uint32_t i = 0; i < method_count; ++i)
    {
        const pelt_deform_options how = {.method = methods[i], .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_frame_update(&test->exact, test->scene, &test->pose, &how);
        pelt_frame_update(&test->rounded, test->scene, &test->pose, &how);
        for (uint32_t k = 0; k < test->scene->instance_count; ++k)
        {
            const pelt_instance* instance = &test->scene->instances[k];
            const pelt_normal_factors* factors = test->exact.normal_factors[instance->mesh];
            if (factors != NULL && instance->skin != PELT_NONE)
            {
                normal_error_add(inout, factors, test->rounded.surfaces[k].normals,
                                 test->exact.surfaces[k].normals);
            }
        }
    }
}

static void turn_joints(factors_test* test)
{
    const pelt_quat turn =
        pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), 30.0f * PELT_PI / 180.0f);
    pelt_pose_rest(&test->pose, test->scene);
    for (uint32_t i = 0; i < test->scene->skin_count; ++i)
    {
        const pelt_skin* skin = &test->scene->skins[i];
        for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
        {
            uint32_t node = skin->joints[joint];
            test->pose.locals[node].rotation =
                pelt_quat_mul(test->scene->nodes[node].rest.rotation, turn);
        }
    }
}

pelt_result factors_error_measure(normal_error* out, const pelt_scene* exact,
                                  const pelt_scene* rounded)
{
    *out = (normal_error){0};
    factors_test test;
    pelt_result result = create_test(&test, exact, rounded);
    uint32_t clip_count = exact->clip_count < CLIP_MAX ? exact->clip_count : CLIP_MAX;
    for (uint32_t i = 0; i < clip_count * MOMENT_COUNT && result == PELT_OK; ++i)
    {
        // From all over the list.
        uint64_t index = (uint64_t)(i / MOMENT_COUNT) * exact->clip_count / clip_count;
        const pelt_clip* clip = &exact->clips[index];
        float part = (float)(i % MOMENT_COUNT + 1) / (MOMENT_COUNT + 1);
        pelt_pose_sample(&test.pose, exact, clip, part * clip->duration, PELT_WRAP_CLAMP);
        add_pose(out, &test);
    }
    if (clip_count == 0 && result == PELT_OK)
    {
        turn_joints(&test);
        add_pose(out, &test);
    }
    destroy_test(&test);
    return result;
}
