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

// What the weight of a joint, as it changes along an axis, has to do with: an arm by its slope, and
// both axes by its moments.
// @param weights  a part of the moments; NULL: without
PELTI_INLINE wide3 change_along(const block_job* job, int axis, uint32_t at, const wide3 axes[2],
                                wide3 arm, const float* weights)
{
    const pelti_factor_rows* rows = job->rows;
    wide3 change = scale3(arm, wide_load(rows->slopes[axis] + at));
    for (int part = 0; part < 2; ++part)
    {
        wide moment = wide_load(rows->excess[axis][part] + at);
        moment = weights != NULL && part == axis ? moment + wide_load(weights + at) : moment;
        change = mad3(axes[part], moment, change);
    }
    return change;
}

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

// The first phase of two: what the mean stretch, which changes along the axes, does to them and to
// an arm.
typedef struct wide_stretch
{
    wide_matrix mean; // where joints are not rigid
    wide3 axes[2], arm;
    wide3 images[2]; // of the axes, where the arm does what the vertex does
} wide_stretch;

// @param terms  NULL: rigid
PELTI_INLINE void stretch_axes(wide_stretch* out, const block_terms* terms, wide3 arm,
                               const block_job* job, uint32_t lane)
{
    wide3 axes[2] = {load3(job->rows->axes[0], lane), load3(job->rows->axes[1], lane)};
    if (terms == NULL)
    {
        wide scale = wide_all(job->scale);
        out->axes[0] = out->images[0] = scale3(axes[0], scale);
        out->axes[1] = out->images[1] = scale3(axes[1], scale);
        out->arm = scale3(arm, scale);
        return;
    }
    for (int i = 0; i < 9; ++i)
    {
        out->mean.m[i / 3][i % 3] = wide_all(terms->base[i]);
    }
    wide3 changes[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        const float* term = terms->of[joint];
        uint32_t at = (joint - 1) * PELTI_BLOCK + lane;
        wide weight = wide_load(job->rows->weights + at);
        for (int i = 0; i < 9; ++i)
        {
            wide* to = &out->mean.m[i / 3][i % 3];
            *to = wide_mad(weight, wide_all(term[i]), *to);
        }
        for (int axis = 0; axis < 2; ++axis)
        {
            wide3 change = change_along(job, axis, at, axes, arm, NULL);
            changes[axis] = add3(changes[axis], stretch_by(term, change));
        }
    }
    out->arm = linear_of(&out->mean, arm);
    for (int axis = 0; axis < 2; ++axis)
    {
        out->axes[axis] = linear_of(&out->mean, axes[axis]);
        out->images[axis] = add3(out->axes[axis], changes[axis]);
    }
}

// sum + a x b
PELTI_INLINE wide3 add_cross(wide3 sum, wide3 a, wide3 b)
{
    return (wide3){wide_mad(a.y, b.z, wide_nmad(a.z, b.y, sum.x)),
                   wide_mad(a.z, b.x, wide_nmad(a.x, b.z, sum.y)),
                   wide_mad(a.x, b.y, wide_nmad(a.y, b.x, sum.z))};
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
    wide3 x = load3(job->positions, lane);
    wide3 axes[2] = {load3(rows->axes[0], lane), load3(rows->axes[1], lane)};
    out[0] = turn_by(matrices->base, axes[0]);
    out[1] = turn_by(matrices->base, axes[1]);
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        uint32_t at = (joint - 1) * PELTI_BLOCK + lane;
        for (int axis = 0; axis < 2; ++axis)
        {
            wide3 change = change_along(job, axis, at, axes, x, rows->weights);
            wide slope = wide_load(rows->slopes[axis] + at);
            out[axis] = add_moved(out[axis], matrices->of[joint], change, slope);
        }
    }
}

// x = R S x0 + t, of which the mean motion turns and moves.
// @param stretches  about the origin; NULL: rigid
PELTI_INLINE wide_bits derive_dqs(wide3 out[2], const derive_terms* terms,
                                  const block_terms* stretches, const block_job* job, uint32_t lane)
{
    wide sum[8];
    blend(sum, &terms->joints.motions, 8, job, lane);
    wide_quat s = quat_of(sum), d = quat_of(sum + 4);
    wide square = square_of(&s), two = 2.0f / square;
    wide along = two * quat_dot(s, d); // by which the dual part is not perpendicular to the real
    wide_stretch before;
    stretch_axes(&before, stretches, load3(job->positions, lane), job, lane);
    wide3 slopes[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        uint32_t at = (joint - 1) * PELTI_BLOCK + lane;
        const float* term = terms->joints.motions.of[joint];
        wide3 turn, move;
        if (job->joint_count <= PAIR_JOINTS_MAX)
        {
            turn = sum_pairs(terms->pairs.turns, job, joint, lane);
            move = sum_pairs(terms->pairs.moves, job, joint, lane);
        }
        else
        {
            turn = turn_before(&s, term);
            move = add3(turn_before(&s, term + 4), turn_before(&d, term));
        }
        move = mad3(turn, -along, move);
        for (int axis = 0; axis < 2; ++axis)
        {
            wide3 change = change_along(job, axis, at, before.axes, before.arm, NULL);
            wide3 moved = mad3(move, wide_load(job->rows->slopes[axis] + at), slopes[axis]);
            slopes[axis] = add_cross(moved, turn, change);
        }
    }
    wide_turn rotation;
    turn_of_quat(&rotation, &s, two);
    out[0] = turn_vector(&rotation, mad3(slopes[0], two, before.images[0]));
    out[1] = turn_vector(&rotation, mad3(slopes[1], two, before.images[1]));
    return is_short(square);
}

// The same where joints stretch about the vertex: x = vector part of (sum w y q) s* / |s|^2, with y
// where each takes it. Written for z = y - x the derivative of |s|^2 falls out; see deform_dqs.c.
PELTI_INLINE wide_bits derive_dqs_at(wide3 out[2], const place_terms* places, const block_job* job,
                                     uint32_t lane)
{
    const wide_quat zero = {{0}, {0}, {0}, {0}};
    wide mean[20];
    blend_places(mean, places, job, lane);
    wide3 p = load3(job->positions, lane);
    wide3 axes[2] = {load3(job->rows->axes[0], lane), load3(job->rows->axes[1], lane)};
    wide_quat s = quat_of(mean + 16), place = quat_add(columns_of(mean, p), quat_of(mean + 12));
    wide square = square_of(&s), one = 1.0f / square;
    wide3 back = scale3(shift_of(&s, &place), -one); // to the origin of z
    place = add_product(place, back, s);

    wide_quat turns[2] = {zero, zero}, moves[2] = {zero, zero}, moments[2] = {zero, zero};
    wide_quat excess[2][2] = {{zero, zero}, {zero, zero}};
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        const float *term = places->columns.of[joint], *offset = places->offsets.of[joint];
        uint32_t at = (joint - 1) * PELTI_BLOCK + lane;
        wide_quat q = quat_by(offset + 4), away = quat_add(columns_by(term, p), quat_by(offset));
        away = add_product(away, back, q);
        for (int axis = 0; axis < 2; ++axis)
        {
            wide slope = wide_load(job->rows->slopes[axis] + at);
            turns[axis] = quat_mad(q, slope, turns[axis]);
            moves[axis] = quat_mad(away, slope, moves[axis]);
        }
        for (int part = 0; part < 2; ++part)
        {
            wide_quat image = columns_by(term, axes[part]);
            for (int axis = 0; axis < 2; ++axis)
            {
                wide e = wide_load(job->rows->excess[axis][part] + at);
                moments[axis] = quat_mad(image, e, moments[axis]);
                excess[axis][part] = quat_mad(q, e, excess[axis][part]);
            }
        }
    }
    wide_quat images[2] = {columns_of(mean, axes[0]), columns_of(mean, axes[1])};
    for (int axis = 0; axis < 2; ++axis)
    {
        wide3 sum = shift_of(&turns[axis], &place);
        wide_quat first = quat_add(quat_add(images[axis], moments[axis]), moves[axis]);
        for (int part = 0; part < 2; ++part)
        {
            wide along = -2.0f * one * quat_dot(s, excess[axis][part]);
            first = quat_mad(images[part], along, first);
            sum = add3(sum, shift_of(&excess[axis][part], &images[part]));
        }
        out[axis] = scale3(add3(sum, shift_of(&s, &first)), one);
    }
    return is_short(square);
}

// x = sum w T c + R S (x0 - c), with the stretch about the center.
// @param stretches  NULL: rigid
PELTI_INLINE wide_bits derive_crs(wide3 out[2], const derive_terms* terms,
                                  const block_terms* stretches, const block_job* job, uint32_t lane)
{
    wide sum[4];
    wide_matrix mean;
    blend(sum, &terms->joints.motions, 4, job, lane);
    blend_matrices(&mean, &terms->joints.matrices, job, lane);
    wide_quat s = quat_of(sum);
    wide square = square_of(&s);
    wide3 center = load3(job->rows->center, lane);
    wide_stretch before;
    stretch_axes(&before, stretches, sub3(load3(job->positions, lane), center), job, lane);
    wide3 slopes[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}}, drifts[2];
    for (int axis = 0; axis < 2; ++axis)
    {
        drifts[axis] = linear_of(&mean, load3(job->rows->centers[axis], lane));
    }
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        uint32_t at = (joint - 1) * PELTI_BLOCK + lane;
        wide3 turn = job->joint_count <= PAIR_JOINTS_MAX
                         ? sum_pairs(terms->pairs.turns, job, joint, lane)
                         : turn_before(&s, terms->joints.motions.of[joint]);
        wide3 away = move_by(terms->joints.matrices.of[joint], center);
        for (int axis = 0; axis < 2; ++axis)
        {
            wide3 change = change_along(job, axis, at, before.axes, before.arm, NULL);
            slopes[axis] = add_cross(slopes[axis], turn, change);
            drifts[axis] = mad3(away, wide_load(job->rows->slopes[axis] + at), drifts[axis]);
        }
    }
    wide_turn rotation;
    turn_of_quat(&rotation, &s, 2.0f / square);
    for (int axis = 0; axis < 2; ++axis)
    {
        // The arm loses where the center gains.
        wide3 lost = load3(job->rows->centers[axis], lane);
        lost =
            stretches != NULL ? linear_of(&before.mean, lost) : scale3(lost, wide_all(job->scale));
        wide3 rest = mad3(slopes[axis], rotation.two, sub3(before.images[axis], lost));
        out[axis] = add3(turn_vector(&rotation, rest), drifts[axis]);
    }
    return is_short(square);
}

// By any method.
PELTI_INLINE wide_bits derive_axes(wide3 out[2], const derive_terms* terms, const block_job* job,
                                   uint32_t lane, pelt_method method, stretch_kind kind)
{
    const block_terms* stretches = kind == STRETCH_NONE ? NULL : &terms->joints.stretches;
    if (method == PELT_METHOD_CRS)
    {
        return derive_crs(out, terms, stretches, job, lane);
    }
    wide_bits outside = {0};
    if (method != PELT_METHOD_LBS)
    {
        outside = kind == STRETCH_AT ? derive_dqs_at(out, &terms->places, job, lane)
                                     : derive_dqs(out, terms, stretches, job, lane);
    }
    if (method != PELT_METHOD_DQS)
    {
        wide3 linear[2];
        wide f = method == PELT_METHOD_MIX ? mix_of(job, lane) : wide_all(0.0f);
        derive_lbs(linear, &terms->joints.matrices, job, lane);
        for (int axis = 0; axis < 2; ++axis)
        {
            out[axis] = method == PELT_METHOD_LBS
                            ? linear[axis]
                            : mad3(sub3(out[axis], linear[axis]), f, linear[axis]);
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

PELTI_INLINE void next_factor_block(block_job* job, pelti_factor_rows* rows)
{
    uint32_t plane_count = pelti_factor_plane_count(job->joint_count, job->cors != NULL);
    next_block(job);
    job->factor_planes += (size_t)plane_count * PELTI_BLOCK;
    job->scratch += 6 * PELTI_BLOCK;
    find_rows(job, rows);
}

// What becomes of directions when the axes do, see map_axes() of src/deform: by a map that
// stretches along the normal of their plane by the mean of what it does across. The images of the
// axes are in the scratch, where the normal takes their place. Returns where little is left of a
// plane.
PELTI_INLINE wide_bits carry_vector(const block_job* job, uint32_t lane)
{
    const float side = job->side;
    wide3 first = load3(job->scratch, lane);
    wide3 second = load3(job->scratch + 3 * PELTI_BLOCK, lane);
    wide3 cross = cross3(first, second);
    wide square = dot3(cross, cross), shrink = inverse_fourth_root(square);
    wide_bits outside = outside_of(square, job->least_square, 1e30f);
    if (job->tangents != NULL)
    {
        wide3 axes[2] = {load3(job->rows->axes[0], lane), load3(job->rows->axes[1], lane)};
        wide3 t = load3(job->tangents, lane);
        wide3 moved = scale3(cross, side * dot3(cross3(axes[0], axes[1]), t) * shrink);
        moved = mad3(first, dot3(axes[0], t), mad3(second, dot3(axes[1], t), moved));
        outside |= put_unit_tangent(job, lane, moved);
    }
    // Cofactors of the map take the normal, along the axes, to these.
    wide3 n = load3(job->rows->normal, lane);
    wide3 lean = mad3(first, n.y * side, scale3(second, -side * n.x));
    keep3(job->scratch, lane, mad3(cross3(cross, lean), shrink, scale3(cross, n.z)));
    return outside;
}

// Blocks whose axes have images, each step of all of them before the next one: in one block alone,
// all would wait for each other. Not inlined, as it is the same for all methods. Returns how many,
// before the first for the reference.
static __attribute__((noinline)) uint32_t carry_around(const block_job* alike)
{
    block_job job = *alike;
    pelti_factor_rows rows;
    uint32_t count = 0, block = 0;
    for (find_rows(&job, &rows); count < job.block_count; ++count, next_factor_block(&job, &rows))
    {
        wide_bits outside = {0};
        WIDE_PAIRS
        for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
        {
            outside |= carry_vector(&job, lane);
        }
        if (wide_has_high_bit(outside))
        {
            break;
        }
    }
    for (job = *alike; block < count; ++block, next_factor_block(&job, &rows))
    {
        if (wide_has_high_bit(normalize_normals(&job)))
        {
            break;
        }
    }
    return block;
}

PELTI_INLINE uint32_t derive_directions(const block_job* alike, pelt_method method,
                                        stretch_kind kind)
{
    block_job job = *alike, derived = *alike;
    derive_terms terms;
    pelti_factor_rows rows;
    find_rows(&job, &rows);
    fill_derive_terms(&terms, &job, method, kind);
    uint32_t block = 0;
    for (; block < job.block_count; ++block, next_factor_block(&job, &rows))
    {
        wide_bits outside = {0};
        WIDE_PAIRS
        for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
        {
            wide3 images[2];
            outside |= derive_axes(images, &terms, &job, lane, method, kind);
            keep3(job.scratch, lane, images[0]);
            keep3(job.scratch + 3 * PELTI_BLOCK, lane, images[1]);
        }
        if (wide_has_high_bit(outside))
        {
            break;
        }
    }
    derived.block_count = block;
    return carry_around(&derived);
}

// Where weights are constant, but joints stretch about the vertex and so bend dqs and mix: then the
// map is that of a plane, whose normal is p. See map_axes() again; v without its part along p is in
// the plane, and the cross product of n with p is what n leans by.
PELTI_INLINE wide_bits bend_vector(const place_terms* places, const block_terms* matrices,
                                   const block_job* job, uint32_t lane, pelt_method method)
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
        keep3(job->scratch, lane, mad3(cross3(cross, lean), shrink, scale3(cross, dot3(n, p))));
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
        for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
        {
            outside |= bend_vector(&places, &matrices, job, lane, method);
        }
        outside |= normalize_normals(job);
        if (wide_has_high_bit(outside))
        {
            break;
        }
        job->factor_planes += pelti_factor_plane_count(0, false) * PELTI_BLOCK;
    }
    return block;
}
