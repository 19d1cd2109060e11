// SPDX-License-Identifier: MIT
// Palettes: the motion of every joint from the bind pose to the current one, split into a rigid
// motion and a stretch.
#include "../base/exact.h"

#include "palette.h"

#include "../base/rescale.h"

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

static float norm_of(const pelt_mat3* a)
{
    float square = 0.0f;
    for (int i = 0; i < 9; ++i)
    {
        square += a->m[i / 3][i % 3] * a->m[i / 3][i % 3];
    }
    return sqrtf(square);
}

// 1, or -1 for a joint that mirrors. 0 when it flattens space, which is left of both; by the same
// measure as in pelt_mat3_polar(), smallest against largest stretch, up to a factor of 3.
static int handedness_of(const pelt_mat3* stretch)
{
    pelt_mat3 near = pelti_mat3_rescale(stretch), cofactor = pelt_mat3_cofactor(&near);
    float determinant = pelt_mat3_determinant(&near);
    bool is_flat = !(fabsf(determinant) > 1e-5f * norm_of(&cofactor) * norm_of(&near));
    return is_flat ? 0 : determinant < 0.0f ? -1 : 1;
}

bool pelti_palette_mixes(const pelt_palette* palette, const pelt_influence* influences,
                         uint32_t count)
{
    int first = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        int handedness = handedness_of(&palette->stretches[influences[i].joint]);
        if (handedness * first < 0)
        {
            return true;
        }
        first = first == 0 ? handedness : first;
    }
    return false;
}

uint32_t pelt_weights_count_mixed(const pelt_weights* weights, const pelt_palette* palette)
{
    PELT_ASSERT(weights->joint_count <= palette->joint_count);
    uint32_t count = 0;
    for (uint32_t v = 0; palette->is_mixed && v < weights->vertex_count; ++v)
    {
        uint32_t first = weights->first[v];
        count += pelti_palette_mixes(palette, weights->influences + first,
                                     weights->first[v + 1] - first);
    }
    return count;
}

void pelt_palette_decompose(pelt_palette* palette)
{
    palette->is_rigid = true;
    bool has_plain = false, has_mirror = false;
    for (uint32_t joint = 0; joint < palette->joint_count; ++joint)
    {
        const pelt_mat34* matrix = &palette->matrices[joint];
        pelt_mat3 linear = pelt_mat34_linear(matrix), rotation;
        pelt_mat3_polar(&rotation, &palette->stretches[joint], &linear);
        palette->motions[joint] =
            pelt_dquat_make(pelt_quat_from_mat3(&rotation), pelt_mat34_translation(matrix));
        bool is_plain = is_identity(&palette->stretches[joint]);
        int handedness = is_plain ? 1 : handedness_of(&palette->stretches[joint]);
        palette->is_rigid = palette->is_rigid && is_plain;
        has_plain = has_plain || handedness > 0;
        has_mirror = has_mirror || handedness < 0;
    }
    palette->is_mixed = has_plain && has_mirror;
}

void pelt_palette_build(pelt_palette* out, const pelt_skin* skin, const pelt_mat34* model_from_node)
{
    PELT_ASSERT(out->joint_count == skin->joint_count);

    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        out->matrices[joint] =
            pelt_mat34_mul(&model_from_node[skin->joints[joint]], &skin->inverse_binds[joint]);
    }
    pelt_palette_decompose(out);
}
