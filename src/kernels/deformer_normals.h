// SPDX-License-Identifier: MIT
// Kernels of accurate normals: what methods do to the two axes of each vertex. They are the
// formulas of src/deform, taken relative to the first joint of a block and, for rotations, before
// the mean rotation; docs/speed.md derives them.
//
// Part of deformer_kernel.h. A job here has the joints around its vertices, whose weights are those
// of pelt_normal_factors, and which are no more than a few times larger than each other: what is
// relative to the first of them keeps its digits.

enum
{
    PAIR_JOINTS_MAX = 4 // around a block; of more, pairs take longer than products do
};

// How the mean motion turns and moves as the weight of a joint grows, seen from before it: with s
// and d the means of real and dual parts, and q and r what this joint has more than the first, the
// vector parts of s* q and s* r + d* q. Of a joint with itself there is none, so that they are sums
// over the others, of which each has a vector for all vertices.
typedef struct pair_terms
{
    float turns[PAIR_JOINTS_MAX][PAIR_JOINTS_MAX][4]; // [other][joint]
    float moves[PAIR_JOINTS_MAX][PAIR_JOINTS_MAX][4];
} pair_terms;

// How joints stretch.
typedef enum stretch_kind
{
    STRETCH_NONE, // all are rigid
    STRETCH_AT,   // about the vertex, or its center
    STRETCH_AT_ORIGIN
} stretch_kind;

// Those that a method needs.
typedef struct derive_terms
{
    method_terms joints;
    place_terms places; // where they stretch about the vertex
    pair_terms pairs;   // of few joints
} derive_terms;

// The vector part of conjugate(a) b.
PELTI_INLINE four part_before(four a, four b)
{
    const four a1 = {a[1], a[2], a[0], a[3]}, a2 = {a[2], a[0], a[1], a[3]};
    const four b1 = {b[1], b[2], b[0], b[3]}, b2 = {b[2], b[0], b[1], b[3]};
    return b * a[3] - a * b[3] + (b1 * a2 - b2 * a1);
}

// @param has_moves  motions are dual quaternions, and not their real parts alone
PELTI_INLINE void fill_pairs(pair_terms* out, const block_terms* motions, uint32_t joint_count,
                             bool has_moves)
{
    for (uint32_t joint = 1; joint < joint_count; ++joint)
    {
        const four* b = (const four*)motions->of[joint];
        for (uint32_t other = 0; other < joint; ++other)
        {
            const four* a = (const four*)(other == 0 ? motions->base : motions->of[other]);
            four turn = part_before(a[0], b[0]);
            *(four*)out->turns[other][joint] = turn;
            *(four*)out->turns[joint][other] = -turn;
            if (has_moves)
            {
                four move = part_before(a[0], b[1]) + part_before(a[1], b[0]);
                *(four*)out->moves[other][joint] = move;
                *(four*)out->moves[joint][other] = -move;
            }
        }
    }
}

PELTI_INLINE wide3 sum_pairs(const float pairs[PAIR_JOINTS_MAX][PAIR_JOINTS_MAX][4],
                             const block_job* job, uint32_t joint, uint32_t lane)
{
    const float* first = pairs[0][joint];
    wide3 sum = {wide_all(first[0]), wide_all(first[1]), wide_all(first[2])};
    for (uint32_t other = 1; other < job->joint_count; ++other)
    {
        if (other != joint)
        {
            const float* pair = pairs[other][joint];
            wide3 term = {wide_all(pair[0]), wide_all(pair[1]), wide_all(pair[2])};
            sum = mad3(term, stored_weights(job, other, lane), sum);
        }
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Quaternions

// Three columns of four numbers times v.
PELTI_INLINE wide_quat columns_of(const wide columns[12], wide3 v)
{
    wide out[4];
    for (int i = 0; i < 4; ++i)
    {
        out[i] = wide_mad(columns[i], v.x, wide_mad(columns[4 + i], v.y, columns[8 + i] * v.z));
    }
    return quat_of(out);
}

PELTI_INLINE wide_quat columns_by(const float columns[12], wide3 v)
{
    wide out[4];
    for (int i = 0; i < 4; ++i)
    {
        out[i] = wide_mad(v.x, wide_all(columns[i]),
                          wide_mad(v.y, wide_all(columns[4 + i]), v.z * columns[8 + i]));
    }
    return quat_of(out);
}

// A change of the mean quaternion s, as the vector part of conjugate(s) change.
PELTI_INLINE wide3 turn_before(const wide_quat* s, const float* q)
{
    wide3 v = {wide_all(q[0]), wide_all(q[1]), wide_all(q[2])}, u = {s->x, s->y, s->z};
    wide3 across = cross3(v, u);
    return mad3(v, s->w, mad3(u, wide_all(-q[3]), across));
}

// ---------------------------------------------------------------------------------------------
// Methods

PELTI_INLINE wide slope_along(const block_job* job, int axis, uint32_t joint, uint32_t lane)
{
    return wide_load(job->rows->slopes[axis] + (size_t)(joint - 1) * PELTI_BLOCK + lane);
}

// What a joint moves as its weight changes along an axis, see pelti_factor_rows: the vertex seen
// from its center, if it has one.
PELTI_INLINE wide3 arm_change_along(const block_job* job, int axis, uint32_t joint, uint32_t lane)
{
    return load3(job->rows->changes[axis] + 3 * (size_t)(joint - 1) * PELTI_BLOCK, lane);
}

// The same with the vertex seen from the origin.
PELTI_INLINE wide3 change_along(const block_job* job, int axis, uint32_t joint, uint32_t lane)
{
    const float* center = job->rows->center;
    wide3 change = arm_change_along(job, axis, joint, lane);
    return center == NULL ? change
                          : mad3(load3(center, lane), slope_along(job, axis, joint, lane), change);
}

typedef wide3 (*change_getter)(const block_job* job, int axis, uint32_t joint, uint32_t lane);

// By one matrix of three columns for all.
PELTI_INLINE wide3 stretch_by(const float a[9], wide3 v)
{
    wide out[3];
    for (int i = 0; i < 3; ++i, a += 3)
    {
        out[i] = wide_mad(v.x, wide_all(a[0]), wide_mad(v.y, wide_all(a[1]), v.z * a[2]));
    }
    return (wide3){out[0], out[1], out[2]};
}

// The first phase of two: what the mean stretch, which changes along the axes, does to them.
typedef struct wide_stretch
{
    wide_matrix mean; // where joints are not rigid
    wide3 images[2];  // of the axes
} wide_stretch;

// @param terms  NULL: rigid
PELTI_INLINE wide3 stretch_of(const wide_stretch* stretch, const block_terms* terms, wide3 v,
                              const block_job* job)
{
    return terms != NULL ? linear_of(&stretch->mean, v) : scale3(v, wide_all(job->scale));
}

// @param terms  NULL: rigid
PELTI_INLINE void stretch_axes(wide_stretch* out, const block_terms* terms, change_getter change,
                               const block_job* job, uint32_t lane)
{
    if (terms != NULL)
    {
        blend_stretches(&out->mean, terms, job, lane);
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        out->images[axis] = stretch_of(out, terms, load3(job->rows->axes[axis], lane), job);
        for (uint32_t joint = 1; joint < job->joint_count && terms != NULL; ++joint)
        {
            wide3 changed = stretch_by(terms->of[joint], change(job, axis, joint, lane));
            out->images[axis] = add3(out->images[axis], changed);
        }
    }
}

// sum + a (v, w), with three rows of four numbers.
PELTI_INLINE wide3 add_moved(wide3 sum, const float* a, wide3 v, wide w)
{
    wide* to[3] = {&sum.x, &sum.y, &sum.z};
    for (int i = 0; i < 3; ++i, a += 4)
    {
        *to[i] = wide_mad(v.x, wide_all(a[0]), *to[i]);
        *to[i] = wide_mad(v.y, wide_all(a[1]), *to[i]);
        *to[i] = wide_mad(v.z, wide_all(a[2]), *to[i]);
        *to[i] = wide_mad(w, wide_all(a[3]), *to[i]);
    }
    return sum;
}

// x = sum w T x0.
PELTI_INLINE void derive_lbs(wide3 out[2], const block_terms* matrices, const block_job* job,
                             uint32_t lane)
{
    const pelti_factor_rows* rows = job->rows;
    wide3 axes[2] = {load3(rows->axes[0], lane), load3(rows->axes[1], lane)};
    out[0] = turn_by(matrices->base, axes[0]);
    out[1] = turn_by(matrices->base, axes[1]);
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        wide weight = wide_load(rows->weights + (size_t)(joint - 1) * PELTI_BLOCK + lane);
        for (int axis = 0; axis < 2; ++axis)
        {
            wide3 change = mad3(axes[axis], weight, change_along(job, axis, joint, lane));
            wide slope = slope_along(job, axis, joint, lane);
            out[axis] = add_moved(out[axis], matrices->of[joint], change, slope);
        }
    }
}

// x = R S x0 + t, of which the mean motion turns and moves.
// @param out        before R
// @param turn       R
// @param stretches  about the origin; NULL: rigid
PELTI_INLINE wide_bits derive_dqs(wide3 out[2], wide_turn* turn, const derive_terms* terms,
                                  const block_terms* stretches, const block_job* job, uint32_t lane)
{
    wide sum[8];
    blend(sum, &terms->joints.motions, 8, job, lane);
    wide_quat s = quat_of(sum), d = quat_of(sum + 4);
    wide_bits outside = turn_of(turn, &s);
    wide along = turn->two * quat_dot(s, d); // the dual part is not perpendicular to the real
    wide_stretch before;
    stretch_axes(&before, stretches, change_along, job, lane);
    wide3 slopes[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        const float* term = terms->joints.motions.of[joint];
        wide3 spin, move;
        if (job->joint_count <= PAIR_JOINTS_MAX)
        {
            spin = sum_pairs(terms->pairs.turns, job, joint, lane);
            move = sum_pairs(terms->pairs.moves, job, joint, lane);
        }
        else
        {
            spin = turn_before(&s, term);
            move = add3(turn_before(&s, term + 4), turn_before(&d, term));
        }
        move = mad3(spin, -along, move);
        for (int axis = 0; axis < 2; ++axis)
        {
            wide3 change =
                stretch_of(&before, stretches, change_along(job, axis, joint, lane), job);
            wide3 moved = mad3(move, slope_along(job, axis, joint, lane), slopes[axis]);
            slopes[axis] = add_cross(moved, spin, change);
        }
    }
    out[0] = mad3(slopes[0], turn->two, before.images[0]);
    out[1] = mad3(slopes[1], turn->two, before.images[1]);
    return outside;
}

// The same where joints stretch about the vertex: x = vector part of (sum w y q) s* / |s|^2, with y
// where each takes it. Written for z = y - x the derivative of |s|^2 falls out; see deform_dqs.c.
PELTI_INLINE wide_bits derive_dqs_at(wide3 out[2], const place_terms* places, const block_job* job,
                                     uint32_t lane)
{
    const wide_quat zero = {{0}, {0}, {0}, {0}};
    const wide3 none = {{0}, {0}, {0}};
    wide mean[20];
    blend_places(mean, places, job, lane);
    wide3 p = load3(job->positions, lane);
    wide_quat s = quat_of(mean + 16), place = quat_add(columns_of(mean, p), quat_of(mean + 12));
    wide square = square_of(&s), one = 1.0f / square;
    wide3 back = scale3(shift_of(&s, &place), -one); // to the origin of z
    place = add_product(place, back, s);

    for (int axis = 0; axis < 2; ++axis)
    {
        wide_quat turn = zero, move = zero;
        wide3 sum = none, excess = load3(job->rows->axes[axis], lane);
        for (uint32_t joint = 1; joint < job->joint_count; ++joint)
        {
            const float *term = places->columns.of[joint], *offset = places->offsets.of[joint];
            wide_quat q = quat_by(offset + 4);
            wide slope = slope_along(job, axis, joint, lane);
            wide3 change = change_along(job, axis, joint, lane), flat = mad3(p, -slope, change);
            wide_quat image = columns_of(mean, flat);
            turn = quat_mad(q, slope, turn);
            move = quat_add(quat_mad(quat_by(offset), slope, move), columns_by(term, change));
            excess = mad3(flat, -2.0f * one * quat_dot(s, q), excess);
            sum = add3(sum, shift_of(&q, &image));
        }
        wide_quat first = quat_add(columns_of(mean, excess), add_product(move, back, turn));
        sum = add3(sum, shift_of(&turn, &place));
        out[axis] = scale3(add3(sum, shift_of(&s, &first)), one);
    }
    return is_short(square);
}

// x = sum w T c + R S (x0 - c), with the stretch about the center.
// @param stretches  NULL: rigid
PELTI_INLINE wide_bits derive_crs(wide3 out[2], const derive_terms* terms,
                                  const block_terms* stretches, const block_job* job, uint32_t lane)
{
    wide_turn turn;
    wide_matrix mean;
    wide_bits outside = blend_rotations(&turn, &terms->joints.motions, job, lane);
    blend_matrices(&mean, &terms->joints.matrices, job, lane);
    wide3 center = load3(job->rows->center, lane);
    wide_stretch before;
    stretch_axes(&before, stretches, arm_change_along, job, lane);
    wide3 slopes[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}}, drifts[2];
    for (int axis = 0; axis < 2; ++axis)
    {
        drifts[axis] = linear_of(&mean, load3(job->rows->centers[axis], lane));
    }
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        wide3 spin = job->joint_count <= PAIR_JOINTS_MAX
                         ? sum_pairs(terms->pairs.turns, job, joint, lane)
                         : turn_before(&turn.q, terms->joints.motions.of[joint]);
        wide3 away = move_by(terms->joints.matrices.of[joint], center);
        for (int axis = 0; axis < 2; ++axis)
        {
            wide3 change = arm_change_along(job, axis, joint, lane);
            change = stretch_of(&before, stretches, change, job);
            slopes[axis] = add_cross(slopes[axis], spin, change);
            drifts[axis] = mad3(away, slope_along(job, axis, joint, lane), drifts[axis]);
        }
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        // The arm loses where the center gains.
        wide3 lost = load3(job->rows->centers[axis], lane);
        lost = stretch_of(&before, stretches, lost, job);
        wide3 rest = mad3(slopes[axis], turn.two, sub3(before.images[axis], lost));
        out[axis] = add3(turn_vector(&turn, rest), drifts[axis]);
    }
    return outside;
}

// By any method.
// @param turn  of dqs, which has yet to turn them; of others not written
PELTI_INLINE wide_bits derive_axes(wide3 out[2], wide_turn* turn, const derive_terms* terms,
                                   const block_job* job, uint32_t lane, pelt_method method,
                                   stretch_kind kind)
{
    const block_terms* stretches = kind == STRETCH_NONE ? NULL : &terms->joints.stretches;
    if (method == PELT_METHOD_LBS)
    {
        derive_lbs(out, &terms->joints.matrices, job, lane);
        return (wide_bits){0};
    }
    if (method == PELT_METHOD_CRS)
    {
        return derive_crs(out, terms, stretches, job, lane);
    }
    wide_bits outside = kind == STRETCH_AT ? derive_dqs_at(out, &terms->places, job, lane)
                                           : derive_dqs(out, turn, terms, stretches, job, lane);
    if (method == PELT_METHOD_MIX)
    {
        wide3 linear[2];
        wide f = mix_of(job, lane);
        derive_lbs(linear, &terms->joints.matrices, job, lane);
        for (int axis = 0; axis < 2; ++axis)
        {
            out[axis] = kind == STRETCH_AT ? out[axis] : turn_vector(turn, out[axis]);
            out[axis] = mad3(sub3(out[axis], linear[axis]), f, linear[axis]);
        }
    }
    return outside;
}

PELTI_INLINE void fill_derive_terms(derive_terms* out, const block_job* job, pelt_method method,
                                    stretch_kind kind)
{
    fill_method_terms(&out->joints, job, method);
    bool has_motions = method == PELT_METHOD_DQS || method == PELT_METHOD_MIX;
    if (has_motions && kind == STRETCH_AT)
    {
        fill_places(&out->places, job);
    }
    else if (method != PELT_METHOD_LBS && job->joint_count <= PAIR_JOINTS_MAX)
    {
        fill_pairs(&out->pairs, &out->joints.motions, job->joint_count, method != PELT_METHOD_CRS);
    }
}

// ---------------------------------------------------------------------------------------------
// Directions

// Of numbers above 0, to 7e-5. The bits of a float are nearly its logarithm, a fourth of which is
// taken away; that is off by 3 %, of which the series of (1 - e)^(-1/4) leaves the rest, with
// coefficients for the least error. Roots by the processor would take longer than all else here.
PELTI_INLINE wide inverse_fourth_root(wide a)
{
    wide guess = (wide)(0x4f587eacu - ((wide_bits)a >> 2)), square = guess * guess;
    wide e = wide_nmad(a, square * square, wide_all(1.0f));
    wide series = wide_mad(e, wide_all(0.1544571f), wide_all(0.2513544f));
    return guess * wide_mad(series, e, wide_all(1.0000113f));
}

// The rows of the next block.
// @param out  where the job has them from then on
PELTI_INLINE void find_rows(block_job* job, pelti_factor_rows* out)
{
    *out = pelti_factor_rows_of(job->factor_planes, job->joint_count, job->cors != NULL);
    job->rows = out;
    job->weights = out->weights - PELTI_BLOCK; // the first joint has none
}

// What becomes of directions when the axes do, see map_axes() of src/deform: by a map that
// stretches along the normal of their plane by the mean of what it does across. Returns where
// little is left of a plane.
// @param turn  which comes after the map; NULL: none
PELTI_INLINE wide_bits carry_normal(long_normals* out, const wide3 images[2], const wide_turn* turn,
                                    const block_job* job, uint32_t lane)
{
    wide3 cross = cross3(images[0], images[1]);
    wide square = dot3(cross, cross);
    // Cofactors of the map take the normal, which leans along the first axis, to these.
    wide3 upright = scale3(cross, wide_load(job->rows->upright + lane));
    wide lean = wide_load(job->rows->lean + lane) * job->side * inverse_fourth_root(square);
    wide3 normal = mad3(cross3(images[1], cross), lean, upright);
    out->of[lane / PELTI_WIDE_LANES] = turn != NULL ? turn_vector(turn, normal) : normal;
    return outside_of(square, job->least_square, 1e30f);
}

// The same for tangents.
PELTI_INLINE wide_bits carry_tangent(const wide3 images[2], const wide_turn* turn,
                                     const block_job* job, uint32_t lane)
{
    wide3 axes[2] = {load3(job->rows->axes[0], lane), load3(job->rows->axes[1], lane)};
    wide3 t = load3(job->tangents, lane), cross = cross3(images[0], images[1]);
    wide shrink = inverse_fourth_root(dot3(cross, cross)) * job->side;
    wide3 moved = scale3(cross, dot3(cross3(axes[0], axes[1]), t) * shrink);
    moved = mad3(images[0], dot3(axes[0], t), mad3(images[1], dot3(axes[1], t), moved));
    return put_unit_tangent(job, lane, turn != NULL ? turn_vector(turn, moved) : moved);
}

// Each step for all vectors of a block before the next one: in one vector alone, each would wait
// for the last.
// @param joint_count  of the job, which may be known where this is compiled
PELTI_INLINE uint32_t derive_directions(block_job job, pelt_method method, stretch_kind kind,
                                        uint32_t joint_count)
{
    const bool has_turn = method == PELT_METHOD_DQS && kind != STRETCH_AT;
    const uint32_t plane_count = pelti_factor_plane_count(joint_count, job.cors != NULL);
    derive_terms terms;
    pelti_factor_rows rows;
    job.joint_count = joint_count;
    find_rows(&job, &rows); // which have the weights that terms are for
    fill_derive_terms(&terms, &job, method, kind);
    uint32_t block = 0;
    for (; block < job.block_count; ++block, next_block(&job))
    {
        find_rows(&job, &rows);
        wide_bits outside = {0};
        wide3 images[BLOCK_VECTORS][2];
        wide_turn turns[BLOCK_VECTORS];
        long_normals normals;
        WIDE_PAIRS
        for (uint32_t i = 0; i < BLOCK_VECTORS; ++i)
        {
            outside |=
                derive_axes(images[i], &turns[i], &terms, &job, i * PELTI_WIDE_LANES, method, kind);
        }
        WIDE_PAIRS
        for (uint32_t i = 0; i < BLOCK_VECTORS; ++i)
        {
            outside |= carry_normal(&normals, images[i], has_turn ? &turns[i] : NULL, &job,
                                    i * PELTI_WIDE_LANES);
        }
        if (job.tangents != NULL)
        {
            WIDE_PAIRS
            for (uint32_t i = 0; i < BLOCK_VECTORS; ++i)
            {
                outside |= carry_tangent(images[i], has_turn ? &turns[i] : NULL, &job,
                                         i * PELTI_WIDE_LANES);
            }
        }
        outside |= put_normals(&job, &normals);
        if (wide_has_high_bit(outside))
        {
            break;
        }
        job.factor_planes += (size_t)plane_count * PELTI_BLOCK;
    }
    return block;
}

// Where weights are constant, but joints stretch about the vertex and so bend dqs and mix: then the
// map is that of a plane, whose normal is p. See map_axes() again; v without its part along p is in
// the plane, and the cross product of n with p is what n leans by.
PELTI_INLINE wide_bits bend_vector(long_normals* out, const place_terms* places,
                                   const block_terms* matrices, const block_job* job, uint32_t lane,
                                   pelt_method method)
{
    wide mean[20];
    wide_matrix map, linear;
    blend_places(mean, places, job, lane);
    wide_quat s = quat_of(mean + 16);
    const float side = job->side;
    wide square = square_of(&s), one = 1.0f / square;
    wide_bits outside = is_short(square);
    for (int column = 0; column < 3; ++column)
    {
        wide_quat to = quat_of(mean + 4 * column);
        wide3 image = scale3(shift_of(&s, &to), one);
        map.m[0][column] = image.x;
        map.m[1][column] = image.y;
        map.m[2][column] = image.z;
    }
    if (method == PELT_METHOD_MIX)
    {
        wide f = mix_of(job, lane), rest = 1.0f - f;
        blend_matrices(&linear, matrices, job, lane);
        for (int i = 0; i < 9; ++i)
        {
            wide* to = &map.m[i / 3][i % 3];
            *to = wide_mad(*to, f, linear.m[i / 3][i % 3] * rest);
        }
    }
    wide3 p = load3(job->factor_planes, lane), cross = cofactor_of(&map, p);
    square = dot3(cross, cross);
    outside |= outside_of(square, job->least_square, 1e30f);
    wide shrink = inverse_fourth_root(square);
    if (job->tangents != NULL)
    {
        wide3 t = load3(job->tangents, lane);
        wide along = dot3(p, t);
        wide3 moved = linear_of(&map, mad3(p, -along, t));
        outside |= put_unit_tangent(job, lane, mad3(cross, side * along * shrink, moved));
    }
    if (job->normals != NULL)
    {
        wide3 n = load3(job->normals, lane);
        wide3 lean = scale3(linear_of(&map, cross3(n, p)), wide_all(side));
        out->of[lane / PELTI_WIDE_LANES] =
            mad3(cross3(cross, lean), shrink, scale3(cross, dot3(n, p)));
    }
    return outside;
}

PELTI_INLINE uint32_t derive_even(block_job* job, pelt_method method)
{
    block_terms matrices;
    place_terms places;
    fill_matrices(&matrices, job);
    fill_places(&places, job);
    uint32_t block = 0;
    for (; block < job->block_count; ++block, next_block(job))
    {
        wide_bits outside = {0};
        long_normals normals;
        for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
        {
            outside |= bend_vector(&normals, &places, &matrices, job, lane, method);
        }
        outside |= put_normals(job, &normals);
        if (wide_has_high_bit(outside))
        {
            break;
        }
        job->factor_planes += pelti_factor_plane_count(0, false) * PELTI_BLOCK;
    }
    return block;
}
