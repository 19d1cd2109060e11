// SPDX-License-Identifier: MIT
// Helper joints: transforms that follow from those of two other joints.
#include "../base/exact.h"

#include "pose_private.h"

static pelt_quat blend_rotation(pelt_quat q, float factor)
{
    pelt_quat near = pelt_quat_scale(q, q.w < 0.0f ? -factor : factor);
    near.w += 1.0f - factor;
    return pelt_quat_normalize(near);
}

static float blend_scale(float stretch, float factor)
{
    return 1.0f - factor + factor * stretch;
}

pelt_transform pelt_helper_evaluate(const pelt_helper* helper, const pelt_mat34* model_from_parent,
                                    const pelt_mat34* model_from_source)
{
    pelt_transform out = {helper->center, pelt_quat_identity(), {1.0f, 1.0f, 1.0f}};
    pelt_mat34 parent_from_model;
    if (!pelt_mat34_inverse(&parent_from_model, model_from_parent))
    {
        return out;
    }
    pelt_mat34 motion = pelt_mat34_mul(&parent_from_model, model_from_source);
    motion = pelt_mat34_mul(&motion, &helper->source_from_parent);
    pelt_mat3 linear = pelt_mat34_linear(&motion), rotation, stretch;
    if (!(pelt_mat3_determinant(&linear) > 0.0f))
    {
        return out;
    }
    float x = helper->factor;
    pelt_mat3_polar(&rotation, &stretch, &linear);
    out.rotation = blend_rotation(pelt_quat_from_mat3(&rotation), x);
    out.translation = pelt_vec3_lerp(helper->center, pelt_mat34_point(&motion, helper->center), x);
    out.scale = pelt_vec3_make(blend_scale(stretch.m[0][0], x), blend_scale(stretch.m[1][1], x),
                               blend_scale(stretch.m[2][2], x));
    return out;
}

void pelti_helpers_to_model(pelt_mat34* model_from_node, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->helper_count; ++i)
    {
        const pelt_helper* helper = &scene->helpers[i];
        const pelt_mat34* model_from_parent = &model_from_node[scene->nodes[helper->node].parent];
        pelt_mat34 local = pelt_mat34_from_transform(
            pelt_helper_evaluate(helper, model_from_parent, &model_from_node[helper->source]));
        model_from_node[helper->node] = pelt_mat34_mul(model_from_parent, &local);
    }
}

void pelti_helpers_to_rotations(pelt_quat* rotations, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->helper_count; ++i)
    {
        const pelt_helper* helper = &scene->helpers[i];
        pelt_mat3 linear = pelt_mat34_linear(&helper->source_from_parent), rotation, stretch;
        pelt_mat3_polar(&rotation, &stretch, &linear);
        pelt_quat parent = rotations[scene->nodes[helper->node].parent];
        pelt_quat motion =
            pelt_quat_mul(pelt_quat_mul(pelt_quat_conjugate(parent), rotations[helper->source]),
                          pelt_quat_from_mat3(&rotation));
        rotations[helper->node] = pelt_quat_mul(parent, blend_rotation(motion, helper->factor));
    }
}
