// SPDX-License-Identifier: MIT
// Kernels of accurate normals, for joints that are rigid: what methods do to the two axes of each
// vertex. They are the formulas of src/deform, taken relative to the first joint of a block and,
// for rotations, before the mean rotation; docs/speed.md derives them.
//
// Part of deformer_kernel.h. A job here has the joints around its vertices, whose weights are those
// of pelt_normal_factors.

// A change of the mean quaternion s, as the vector part of conjugate(s) change.
PELTI_INLINE wide3 turn_before(const wide_quat* s, const float* q)
{
    wide3 v = {wide_all(q[0]), wide_all(q[1]), wide_all(q[2])}, u = {s->x, s->y, s->z};
    wide3 across = cross3(v, u);
    return mad3(v, s->w, mad3(u, wide_all(-q[3]), across));
}

PELTI_INLINE wide3 slopes_of(const block_job* job, wide3 sum, int axis, uint32_t at, wide3 of_axis0,
                             wide3 of_axis1, wide3 of_weight)
{
    const pelti_factor_rows* rows = &job->rows;
    sum = mad3(of_axis0, wide_load(rows->excess[axis][0] + at), sum);
    sum = mad3(of_axis1, wide_load(rows->excess[axis][1] + at), sum);
    return mad3(of_weight, wide_load(rows->slopes[axis] + at), sum);
}

// x = sum w T x0.
PELTI_INLINE void derive_lbs(wide3 out[2], const block_terms* matrices, const block_job* job,
                             uint32_t lane)
{
    wide3 x = load3(job->positions, lane);
    wide3 axes[2] = {load3(job->rows.axes[0], lane), load3(job->rows.axes[1], lane)};
    out[0] = turn_by(matrices->base, axes[0]);
    out[1] = turn_by(matrices->base, axes[1]);
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        const float* term = matrices->of[joint];
        uint32_t at = (joint - 1) * PELTI_BLOCK + lane;
        wide weight = wide_load(job->rows.weights + at);
        wide3 first = turn_by(term, axes[0]), second = turn_by(term, axes[1]);
        wide3 away = move_by(term, x);
        out[0] = slopes_of(job, mad3(first, weight, out[0]), 0, at, first, second, away);
        out[1] = slopes_of(job, mad3(second, weight, out[1]), 1, at, first, second, away);
    }
}

// x = R x0 + t. With s and d the means of real and dual parts, conjugate(s) times a change of
// either tells how fast the mean motion turns, and where it goes, seen from before it.
PELTI_INLINE wide_bits derive_dqs(wide3 out[2], const block_terms* motions, const block_job* job,
                                  uint32_t lane)
{
    wide sum[8];
    blend(sum, motions, 8, job, lane);
    wide_quat s = {sum[0], sum[1], sum[2], sum[3]}, d = {sum[4], sum[5], sum[6], sum[7]};
    wide square = square_of(&s), one = 1.0f / square;
    wide3 u = {s.x, s.y, s.z}, v = {d.x, d.y, d.z};
    // conjugate(s) d
    wide real = one * wide_mad(s.w, d.w, dot3(u, v));
    wide3 shift = scale3(mad3(v, s.w, mad3(u, -d.w, cross3(v, u))), one);
    wide3 arm = add3(load3(job->positions, lane), shift);
    wide3 axes[2] = {load3(job->rows.axes[0], lane), load3(job->rows.axes[1], lane)};
    wide3 slopes[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        const float* term = motions->of[joint];
        uint32_t at = (joint - 1) * PELTI_BLOCK + lane;
        wide3 turn = turn_before(&s, term), first = cross3(turn, axes[0]);
        wide3 second = cross3(turn, axes[1]),
              away = add3(cross3(turn, arm), turn_before(&s, term + 4));
        wide along = wide_mad(
            s.w, wide_all(term[3]),
            wide_mad(s.x, wide_all(term[0]), wide_mad(s.y, wide_all(term[1]), s.z * term[2])));
        away = mad3(turn, -real, mad3(shift, -along, away));
        slopes[0] = slopes_of(job, slopes[0], 0, at, first, second, away);
        slopes[1] = slopes_of(job, slopes[1], 1, at, first, second, away);
    }
    wide_turn rotation;
    turn_of_quat(&rotation, &s, 2.0f * one);
    out[0] = turn_vector(&rotation, mad3(slopes[0], rotation.two, axes[0]));
    out[1] = turn_vector(&rotation, mad3(slopes[1], rotation.two, axes[1]));
    return is_short(square);
}

// x = sum w T c + R (x0 - c).
PELTI_INLINE wide_bits derive_crs(wide3 out[2], const block_terms* matrices,
                                  const block_terms* rotations, const block_job* job, uint32_t lane)
{
    wide sum[4];
    wide_matrix mean;
    blend(sum, rotations, 4, job, lane);
    blend_matrices(&mean, matrices, job, lane);
    wide_quat s = {sum[0], sum[1], sum[2], sum[3]};
    wide square = square_of(&s);
    wide3 center = load3(job->rows.center, lane);
    wide3 arm = sub3(load3(job->positions, lane), center);
    wide3 axes[2] = {load3(job->rows.axes[0], lane), load3(job->rows.axes[1], lane)};
    wide3 slopes[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}}, drifts[2];
    for (int axis = 0; axis < 2; ++axis)
    {
        drifts[axis] = linear_of(&mean, load3(job->rows.centers[axis], lane));
    }
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        uint32_t at = (joint - 1) * PELTI_BLOCK + lane;
        wide3 turn = turn_before(&s, rotations->of[joint]), first = cross3(turn, axes[0]);
        wide3 second = cross3(turn, axes[1]), around = cross3(turn, arm);
        wide3 away = move_by(matrices->of[joint], center);
        for (int axis = 0; axis < 2; ++axis)
        {
            slopes[axis] = slopes_of(job, slopes[axis], axis, at, first, second, around);
            drifts[axis] = mad3(away, wide_load(job->rows.slopes[axis] + at), drifts[axis]);
        }
    }
    wide_turn rotation;
    turn_of_quat(&rotation, &s, 2.0f / square);
    for (int axis = 0; axis < 2; ++axis)
    {
        // The arm loses where the center gains.
        wide3 rest = sub3(axes[axis], load3(job->rows.centers[axis], lane));
        rest = mad3(slopes[axis], rotation.two, rest);
        out[axis] = add3(turn_vector(&rotation, rest), drifts[axis]);
    }
    return is_short(square);
}

PELTI_INLINE wide_bits derive_mix(wide3 out[2], const block_terms* matrices,
                                  const block_terms* motions, const block_job* job, uint32_t lane)
{
    wide3 linear[2];
    wide f = mix_of(job, lane);
    wide_bits outside = derive_dqs(out, motions, job, lane);
    derive_lbs(linear, matrices, job, lane);
    for (int axis = 0; axis < 2; ++axis)
    {
        out[axis] = mad3(sub3(out[axis], linear[axis]), f, linear[axis]);
    }
    return outside;
}

// What becomes of normals when the axes do, see map_axes() of src/deform: the cofactors of a map
// that stretches along the normal of their plane by the mean of what it does across. Returns where
// little is left of their plane.
PELTI_INLINE wide_bits carry_normals(const block_job* job, const float* images)
{
    wide_bits outside = {0};
    WIDE_PAIRS
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide3 first = load3(images, lane), second = load3(images + 3 * PELTI_BLOCK, lane);
        wide3 n = load3(job->rows.normal, lane), cross = cross3(first, second);
        wide square = dot3(cross, cross);
        wide3 lean = mad3(first, n.y, scale3(second, -n.x));
        wide3 moved = mad3(cross, n.z * wide_root(wide_root(square)), cross3(cross, lean));
        keep3(job->scratch, lane, moved);
        outside |= outside_of(square, 1e-4f, 1e30f);
    }
    return outside;
}

PELTI_INLINE bool derive_normals(const block_job* job, pelt_method method)
{
    wide_bits outside = {0};
    block_terms matrices, motions;
    if (method != PELT_METHOD_DQS)
    {
        fill_matrices(&matrices, job);
    }
    if (method != PELT_METHOD_LBS)
    {
        fill_motions(&motions, job, method == PELT_METHOD_CRS ? 1 : 2);
    }
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide3 images[2];
        if (method == PELT_METHOD_LBS)
        {
            derive_lbs(images, &matrices, job, lane);
        }
        else if (method == PELT_METHOD_DQS)
        {
            outside |= derive_dqs(images, &motions, job, lane);
        }
        else if (method == PELT_METHOD_MIX)
        {
            outside |= derive_mix(images, &matrices, &motions, job, lane);
        }
        else
        {
            outside |= derive_crs(images, &matrices, &motions, job, lane);
        }
        keep3(job->scratch, lane, images[0]);
        keep3(job->scratch + 3 * PELTI_BLOCK, lane, images[1]);
    }
    outside |= carry_normals(job, job->scratch);
    outside |= normalize_normals(job);
    return !wide_has_high_bit(outside);
}
