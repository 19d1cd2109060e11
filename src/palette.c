// SPDX-License-Identifier: MIT
// Palettes: the motion of every joint from the bind pose to the current one, split into a rigid
// motion and a stretch.
#include "../include/pelt/pelt.h"

pelt_result pelt_palette_create(pelt_palette* out, uint32_t joint_count)
{
    *out = (pelt_palette){.joint_count = joint_count};
    out->matrices = pelt_allocate(joint_count, sizeof *out->matrices);
    out->motions = pelt_allocate(joint_count, sizeof *out->motions);
    out->stretches = pelt_allocate(joint_count, sizeof *out->stretches);
    if (out->matrices == NULL || out->motions == NULL || out->stretches == NULL)
    {
        pelt_palette_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    return PELT_OK;
}

void pelt_palette_destroy(pelt_palette* palette)
{
    pelt_release(palette->matrices);
    pelt_release(palette->motions);
    pelt_release(palette->stretches);
    *palette = (pelt_palette){0};
}

// A few roundings of float, as a chain of joints collects them; real scale is far above.
static bool is_identity(const pelt_mat3* a)
{
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            if (fabsf(a->m[i][j] - (i == j ? 1.0f : 0.0f)) > 2e-6f)
            {
                return false;
            }
        }
    }
    return true;
}

void pelt_palette_split(pelt_palette* palette)
{
    palette->is_rigid = true;
    for (uint32_t joint = 0; joint < palette->joint_count; ++joint)
    {
        const pelt_mat34* matrix = &palette->matrices[joint];
        pelt_mat3 linear = pelt_mat34_linear(matrix), rotation;
        pelt_mat3_polar(&rotation, &palette->stretches[joint], &linear);
        palette->motions[joint] =
            pelt_dquat_make(pelt_quat_from_mat3(&rotation), pelt_mat34_translation(matrix));
        palette->is_rigid = palette->is_rigid && is_identity(&palette->stretches[joint]);
    }
}

void pelt_palette_build(pelt_palette* out, const pelt_skin* skin, const pelt_mat34* model_from_node)
{
    PELT_ASSERT(out->joint_count == skin->joint_count);

    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        out->matrices[joint] =
            pelt_mat34_mul(&model_from_node[skin->joints[joint]], &skin->inverse_binds[joint]);
    }
    pelt_palette_split(out);
}
