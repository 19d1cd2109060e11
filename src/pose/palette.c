// SPDX-License-Identifier: MIT
// Palettes: the motion of every joint from the bind pose to the current one, split into a rigid
// motion and a stretch.
#include "../base/exact.h"

#include "palette.h"

#include "../base/rescale.h"

pelt_result pelt_palette_create(pelt_palette* out, uint32_t joint_count)
{
    PELT_ASSERT(out != NULL);
    *out = (pelt_palette){.joint_count = joint_count};
    out->matrices = pelt_allocate(joint_count, sizeof *out->matrices);
    out->motions = pelt_allocate(joint_count, sizeof *out->motions);
    out->stretches = pelt_allocate(joint_count, sizeof *out->stretches);
    if (out->matrices == NULL || out->motions == NULL || out->stretches == NULL)
    {
        pelt_palette_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t joint = 0; joint < joint_count; ++joint)
    {
        out->matrices[joint] = pelt_mat34_identity();
    }
    pelt_palette_decompose(out);
    return PELT_OK;
}

void pelt_palette_destroy(pelt_palette* palette)
{
    pelt_release(palette->matrices);
    pelt_release(palette->motions);
    pelt_release(palette->stretches);
    *palette = (pelt_palette){0};
}

static bool is_identity(const pelt_mat3* a)
{
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            if (fabsf(a->m[i][j] - (i == j ? 1.0f : 0.0f)) > PELTI_STRETCH_TOLERANCE)
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

// Flat by the same measure as in pelt_mat3_polar(): the smallest stretch against the largest, up to
// a factor of 3.
int pelti_handedness_of(const pelt_mat3* stretch)
{
    pelt_mat3 near = pelti_mat3_rescale(stretch), cofactor = pelt_mat3_cofactor(&near);
    float determinant = pelt_mat3_determinant(&near);
    bool is_flat = !(fabsf(determinant) > 1e-5f * norm_of(&cofactor) * norm_of(&near));
    return is_flat ? 0 : determinant < 0.0f ? -1 : 1;
}

bool pelti_palette_mixes_handedness(const pelt_palette* palette, const pelt_influence* influences,
                                    uint32_t count)
{
    int first = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        int handedness = pelti_handedness_of(&palette->stretches[influences[i].joint]);
        if (handedness * first < 0)
        {
            return true;
        }
        first = first == 0 ? handedness : first;
    }
    return false;
}

uint32_t pelt_weights_count_mixed_handedness(const pelt_weights* weights,
                                             const pelt_palette* palette)
{
    PELT_ASSERT(weights->joint_count <= palette->joint_count);
    uint32_t count = 0;
    for (uint32_t v = 0; palette->has_mixed_handedness && v < weights->vertex_count; ++v)
    {
        uint32_t first = weights->first[v];
        count += pelti_palette_mixes_handedness(palette, weights->influences + first,
                                                weights->first[v + 1] - first);
    }
    return count;
}

// What the joints of a palette are, taken together.
typedef struct joint_kinds
{
    bool is_rigid, has_plain, has_mirror;
} joint_kinds;

static void store_split(pelt_palette* out, uint32_t joint, const pelti_joint_split* split)
{
    out->motions[joint] = split->motion;
    out->stretches[joint] = split->stretch;
}

// Split those of the four joints from first on whose bits are set.
static void split_others(pelt_palette* palette, joint_kinds* kinds, uint32_t first, uint32_t bits)
{
    uint32_t joints[4], count = 0;
    for (uint32_t i = 0; i < 4; ++i)
    {
        joints[count] = first + i;
        count += bits >> i & 1u;
    }
    for (uint32_t i = 0; i < count; i += 2)
    {
        uint32_t pair[2] = {joints[i], joints[i + 1 < count ? i + 1 : i]};
        const pelt_mat34* matrices[2] = {&palette->matrices[pair[0]], &palette->matrices[pair[1]]};
        pelti_joint_split splits[2];
        int handedness[2];
        pelti_split_two(splits, handedness, matrices);
        for (int k = 0; k < 2; ++k)
        {
            store_split(palette, pair[k], &splits[k]);
            kinds->is_rigid = kinds->is_rigid && is_identity(&splits[k].stretch);
            kinds->has_plain = kinds->has_plain || handedness[k] > 0;
            kinds->has_mirror = kinds->has_mirror || handedness[k] < 0;
        }
    }
}

void pelt_palette_decompose(pelt_palette* palette)
{
    PELT_ASSERT(palette != NULL);
    PELT_ASSERT((palette->motions == NULL) == (palette->stretches == NULL));
    joint_kinds kinds = {.is_rigid = true};
    if (palette->motions == NULL)
    {
        palette->is_rigid = palette->has_mixed_handedness = false;
        return;
    }
    for (uint32_t first = 0; first < palette->joint_count; first += 4)
    {
        uint32_t left = palette->joint_count - first, count = left < 4 ? left : 4;
        const pelt_mat34* matrices[4];
        pelti_joint_split splits[4];
        for (uint32_t i = 0; i < 4; ++i)
        {
            matrices[i] = &palette->matrices[first + (i < count ? i : 0)];
        }
        pelti_rigid_joints rigid = pelti_split_rigid(splits, matrices);
        for (uint32_t i = 0; i < count && rigid.found != 0; ++i)
        {
            store_split(palette, first + i, &splits[i]);
        }
        uint32_t all = (1u << count) - 1u;
        kinds.has_plain = kinds.has_plain || (rigid.found & all) != 0;
        kinds.is_rigid = kinds.is_rigid && (rigid.found & ~rigid.identities) == 0;
        split_others(palette, &kinds, first, all & ~rigid.found);
    }
    palette->is_rigid = kinds.is_rigid;
    palette->has_mixed_handedness = kinds.has_plain && kinds.has_mirror;
}

void pelt_palette_build(pelt_palette* out, const pelt_skin* skin, const pelt_mat34* model_from_node)
{
    PELT_ASSERT(out != NULL && skin != NULL && model_from_node != NULL);
    PELT_ASSERT(out->joint_count == skin->joint_count);

    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        out->matrices[joint] =
            pelt_mat34_mul(&model_from_node[skin->joints[joint]], &skin->inverse_binds[joint]);
    }
    pelt_palette_decompose(out);
}

void pelt_palette_set(pelt_palette* palette, const float* matrices, pelt_matrix_layout layout)
{
    PELT_ASSERT(palette != NULL && (uint32_t)layout < PELT_MATRIX_LAYOUT_COUNT);
    PELT_ASSERT(matrices != NULL || palette->joint_count == 0);

    for (uint32_t joint = 0; joint < palette->joint_count; ++joint)
    {
        palette->matrices[joint] = pelt_mat34_load(matrices, layout, joint);
    }
    pelt_palette_decompose(palette);
}
