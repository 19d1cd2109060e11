// SPDX-License-Identifier: MIT
// The data of the joints of a block, as terms of means. Part of deformer_kernel.h.

// Terms of the mean of the numbers that joints have: matrices, motions, stretches or slots. Weights
// sum to one: the mean is that of the first joint plus weighted differences from it, which is one
// term less. If scales of joints differ much, a difference would lose the smaller one; the mean
// then starts at zero.
typedef struct block_terms
{
    uint32_t start; // of joints that have a term
    float base[12];
    float of[PELTI_BLOCK_JOINTS_MAX][12];
} block_terms;

typedef float four __attribute__((vector_size(16), aligned(4), may_alias));

// As they are stored: divided by the part that is not in a term.
PELTI_INLINE float weight_unit(const block_run* run)
{
    return run->weights != NULL ? 1.0f : 1.0f / 65535.0f;
}

PELTI_INLINE wide stored_weights(const block_run* run, uint32_t joint, uint32_t lane)
{
    size_t at = (size_t)joint * PELTI_BLOCK + lane;
    return run->weights != NULL ? wide_load(run->weights + at)
                                : wide_load_u16(run->weights_u16 + at);
}

// Joints that stretch about the vertex: with T x the position to which a joint of rotation q takes
// it, T x q is linear in x.
typedef struct product_terms
{
    block_terms columns, offsets;
} product_terms;

// The numbers of joint i of a block, in fours.
typedef void (*joint_numbers)(four* out, const block_run* run, uint32_t i);

PELTI_INLINE void get_matrix(four* out, const block_run* run, uint32_t i)
{
    const four* rows = (const four*)run->palette->matrices[run->joints[i]].m;
    out[0] = rows[0];
    out[1] = rows[1];
    out[2] = rows[2];
}

PELTI_INLINE void get_rotation(four* out, const block_run* run, uint32_t i)
{
    out[0] = *(const four*)&run->palette->motions[run->joints[i]].real * run->signs[i];
}

PELTI_INLINE void get_motion(four* out, const block_run* run, uint32_t i)
{
    get_rotation(out, run, i);
    out[1] = *(const four*)&run->palette->motions[run->joints[i]].dual * run->signs[i];
}

PELTI_INLINE void get_stretch(four* out, const block_run* run, uint32_t i)
{
    const float* m = run->palette->stretches[run->joints[i]].m[0];
    out[0] = *(const four*)m;
    out[1] = *(const four*)(m + 4);
    out[2] = (four){m[8]};
}

PELTI_INLINE four column_times(const pelt_mat34* a, int column, four q)
{
    // The products of the three axes with q.
    const four x = {q[3], -q[2], q[1], -q[0]}, y = {q[2], q[3], -q[0], -q[1]};
    const four z = {-q[1], q[0], q[3], -q[2]};
    return a->m[0][column] * x + a->m[1][column] * y + a->m[2][column] * z;
}

// Three columns of a joint's matrix, each as a quaternion times that of its rotation.
PELTI_INLINE void get_columns(four* out, const block_run* run, uint32_t i)
{
    const pelt_mat34* a = &run->palette->matrices[run->joints[i]];
    four q;
    get_rotation(&q, run, i);
    for (int k = 0; k < 3; ++k)
    {
        out[k] = column_times(a, k, q);
    }
}

// The rotation, and before it the fourth column times it.
PELTI_INLINE void get_offset(four* out, const block_run* run, uint32_t i)
{
    const pelt_mat34* a = &run->palette->matrices[run->joints[i]];
    get_rotation(out + 1, run, i);
    out[0] = column_times(a, 3, out[1]);
}

// @param count  of fours
PELTI_INLINE void fill_terms(block_terms* out, const block_run* run, joint_numbers get, int count)
{
    four base[3] = {{0}}, numbers[3];
    if (run->is_relative)
    {
        get(base, run, 0);
    }
    out->start = run->is_relative ? 1 : 0;
    memcpy(out->base, base, (size_t)count * sizeof *base);
    for (uint32_t i = out->start; i < run->joint_count; ++i)
    {
        get(numbers, run, i);
        for (int k = 0; k < count; ++k)
        {
            ((four*)out->of[i])[k] = (numbers[k] - base[k]) * weight_unit(run);
        }
    }
}

PELTI_INLINE void fill_matrices(block_terms* out, const block_run* run)
{
    fill_terms(out, run, get_matrix, 3);
}

PELTI_INLINE void fill_stretches(block_terms* out, const block_run* run)
{
    fill_terms(out, run, get_stretch, 3);
}

PELTI_INLINE void fill_products(product_terms* out, const block_run* run)
{
    fill_terms(&out->columns, run, get_columns, 3);
    fill_terms(&out->offsets, run, get_offset, 2);
}

// @param has_dual  dual quaternions, and not their real parts alone
PELTI_INLINE void fill_motions(block_terms* out, const block_run* run, bool has_dual)
{
    if (has_dual)
    {
        fill_terms(out, run, get_motion, 2);
    }
    else
    {
        fill_terms(out, run, get_rotation, 1);
    }
}

// The mean of `count` numbers.
PELTI_INLINE void blend(wide* out, const block_terms* terms, int count, const block_run* run,
                        uint32_t lane)
{
    for (int i = 0; i < count; ++i)
    {
        out[i] = wide_all(terms->base[i]);
    }
    for (uint32_t joint = terms->start; joint < run->joint_count; ++joint)
    {
        wide weight = stored_weights(run, joint, lane);
        for (int i = 0; i < count; ++i)
        {
            out[i] = wide_mad(weight, wide_all(terms->of[joint][i]), out[i]);
        }
    }
}

PELTI_INLINE void blend_matrices(wide_matrix* out, const block_terms* terms, const block_run* run,
                                 uint32_t lane)
{
    blend(&out->m[0][0], terms, 12, run, lane);
}

PELTI_INLINE void blend_stretches(wide_matrix* out, const block_terms* terms, const block_run* run,
                                  uint32_t lane)
{
    wide mean[9];
    blend(mean, terms, 9, run, lane);
    for (int i = 0; i < 9; ++i)
    {
        out->m[i / 3][i % 3] = mean[i];
    }
}

// Columns, offset and rotation: twenty numbers.
PELTI_INLINE void blend_products(wide out[20], const product_terms* terms, const block_run* run,
                                 uint32_t lane)
{
    blend(out, &terms->columns, 12, run, lane);
    blend(out + 12, &terms->offsets, 8, run, lane);
}
