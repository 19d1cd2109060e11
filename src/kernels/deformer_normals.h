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

// How the mean motion rotates and moves as the weight of a joint grows, seen from before it: with s
// and d the means of real and dual parts, and q and r what this joint has more than the first, the
// vector parts of s* q and s* r + d* q. There is none for a joint with itself, so that they are
// sums over the others, of which each has a vector for all vertices.
typedef struct pair_terms
{
    float angular[PAIR_JOINTS_MAX][PAIR_JOINTS_MAX][4]; // [other][joint]
    float linear[PAIR_JOINTS_MAX][PAIR_JOINTS_MAX][4];
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
    product_terms products; // where they stretch about the vertex
    pair_terms pairs;       // of few joints
} derive_terms;

// The vector part of conjugate(a) b.
PELTI_INLINE four conjugate_product(four a, four b)
{
    const four a1 = {a[1], a[2], a[0], a[3]}, a2 = {a[2], a[0], a[1], a[3]};
    const four b1 = {b[1], b[2], b[0], b[3]}, b2 = {b[2], b[0], b[1], b[3]};
    return b * a[3] - a * b[3] + (b1 * a2 - b2 * a1);
}

// @param has_dual  motions are dual quaternions, and not their real parts alone
PELTI_INLINE void fill_pairs(pair_terms* out, const block_terms* motions, uint32_t joint_count,
                             bool has_dual)
{
    for (uint32_t joint = 1; joint < joint_count; ++joint)
    {
        const four* b = (const four*)motions->of[joint];
        for (uint32_t other = 0; other < joint; ++other)
        {
            const four* a = (const four*)(other == 0 ? motions->base : motions->of[other]);
            four angular = conjugate_product(a[0], b[0]);
            *(four*)out->angular[other][joint] = angular;
            *(four*)out->angular[joint][other] = -angular;
            if (has_dual)
            {
                four linear = conjugate_product(a[0], b[1]) + conjugate_product(a[1], b[0]);
                *(four*)out->linear[other][joint] = linear;
                *(four*)out->linear[joint][other] = -linear;
            }
        }
    }
}

PELTI_INLINE wide3 sum_pairs(const float pairs[PAIR_JOINTS_MAX][PAIR_JOINTS_MAX][4],
                             const block_run* run, uint32_t joint, uint32_t lane)
{
    const float* first = pairs[0][joint];
    wide3 sum = {wide_all(first[0]), wide_all(first[1]), wide_all(first[2])};
    for (uint32_t other = 1; other < run->joint_count; ++other)
    {
        if (other != joint)
        {
            const float* pair = pairs[other][joint];
            wide3 term = {wide_all(pair[0]), wide_all(pair[1]), wide_all(pair[2])};
            sum = mad3(term, stored_weights(run, other, lane), sum);
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
PELTI_INLINE wide3 angular_change(const wide_quat* s, const float* q)
{
    wide3 v = {wide_all(q[0]), wide_all(q[1]), wide_all(q[2])}, u = {s->x, s->y, s->z};
    wide3 across = cross3(v, u);
    return mad3(v, s->w, mad3(u, wide_all(-q[3]), across));
}

// ---------------------------------------------------------------------------------------------
// Methods

PELTI_INLINE wide slope_along(const block_run* run, int axis, uint32_t joint, uint32_t lane)
{
    return wide_load(run->rows->slopes[axis] + (size_t)(joint - 1) * PELTI_BLOCK + lane);
}

// What a joint moves as its weight changes along an axis, see pelti_factor_rows: the vertex seen
// from its center, if it has one.
PELTI_INLINE wide3 offset_change_along(const block_run* run, int axis, uint32_t joint,
                                       uint32_t lane)
{
    return load3(run->rows->changes[axis] + 3 * (size_t)(joint - 1) * PELTI_BLOCK, lane);
}

// The same with the vertex seen from the origin.
PELTI_INLINE wide3 change_along(const block_run* run, int axis, uint32_t joint, uint32_t lane)
{
    const float* center = run->rows->center;
    wide3 change = offset_change_along(run, axis, joint, lane);
    return center == NULL ? change
                          : mad3(load3(center, lane), slope_along(run, axis, joint, lane), change);
}

typedef wide3 (*change_getter)(const block_run* run, int axis, uint32_t joint, uint32_t lane);

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

// The first phase of two: the effect of the mean stretch, which changes along the axes.
typedef struct wide_stretch
{
    wide_matrix mean; // where joints are not rigid
    wide3 axes[2];    // stretched
} wide_stretch;

// @param terms  NULL: rigid
PELTI_INLINE wide3 stretch_of(const wide_stretch* stretch, const block_terms* terms, wide3 v,
                              const block_run* run)
{
    return terms != NULL ? linear_of(&stretch->mean, v) : scale3(v, wide_all(run->scale));
}

// @param terms  NULL: rigid
PELTI_INLINE void stretch_axes(wide_stretch* out, const block_terms* terms, change_getter change,
                               const block_run* run, uint32_t lane)
{
    if (terms != NULL)
    {
        blend_stretches(&out->mean, terms, run, lane);
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        out->axes[axis] = stretch_of(out, terms, load3(run->rows->axes[axis], lane), run);
        for (uint32_t joint = 1; joint < run->joint_count && terms != NULL; ++joint)
        {
            wide3 changed = stretch_by(terms->of[joint], change(run, axis, joint, lane));
            out->axes[axis] = add3(out->axes[axis], changed);
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
PELTI_INLINE void derive_lbs(wide3 out[2], const block_terms* matrices, const block_run* run,
                             uint32_t lane)
{
    const pelti_factor_rows* rows = run->rows;
    wide3 axes[2] = {load3(rows->axes[0], lane), load3(rows->axes[1], lane)};
    out[0] = linear_by(matrices->base, axes[0]);
    out[1] = linear_by(matrices->base, axes[1]);
    for (uint32_t joint = 1; joint < run->joint_count; ++joint)
    {
        wide weight = wide_load(rows->weights + (size_t)(joint - 1) * PELTI_BLOCK + lane);
        for (int axis = 0; axis < 2; ++axis)
        {
            wide3 change = mad3(axes[axis], weight, change_along(run, axis, joint, lane));
            wide slope = slope_along(run, axis, joint, lane);
            out[axis] = add_moved(out[axis], matrices->of[joint], change, slope);
        }
    }
}

// x = R S x0 + t, of which the mean motion rotates and moves.
// @param out        before R
// @param rotation   R
// @param stretches  about the origin; NULL: rigid
PELTI_INLINE wide_bits derive_dqs(wide3 out[2], wide_rotation* rotation, const derive_terms* terms,
                                  const block_terms* stretches, const block_run* run, uint32_t lane)
{
    wide sum[8];
    blend(sum, &terms->joints.motions, 8, run, lane);
    wide_quat s = quat_of(sum), d = quat_of(sum + 4);
    wide_bits outside = rotation_of(rotation, &s);
    wide along = rotation->two * quat_dot(s, d); // the dual part is not perpendicular to the real
    wide_stretch before;
    stretch_axes(&before, stretches, change_along, run, lane);
    wide3 slopes[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
    for (uint32_t joint = 1; joint < run->joint_count; ++joint)
    {
        const float* term = terms->joints.motions.of[joint];
        wide3 angular, move;
        if (run->joint_count <= PAIR_JOINTS_MAX)
        {
            angular = sum_pairs(terms->pairs.angular, run, joint, lane);
            move = sum_pairs(terms->pairs.linear, run, joint, lane);
        }
        else
        {
            angular = angular_change(&s, term);
            move = add3(angular_change(&s, term + 4), angular_change(&d, term));
        }
        move = mad3(angular, -along, move);
        for (int axis = 0; axis < 2; ++axis)
        {
            wide3 change =
                stretch_of(&before, stretches, change_along(run, axis, joint, lane), run);
            wide3 moved = mad3(move, slope_along(run, axis, joint, lane), slopes[axis]);
            slopes[axis] = add_cross(moved, angular, change);
        }
    }
    out[0] = mad3(slopes[0], rotation->two, before.axes[0]);
    out[1] = mad3(slopes[1], rotation->two, before.axes[1]);
    return outside;
}

// The same where joints stretch about the vertex: x = vector part of (sum w y q) s* / |s|^2, with y
// where each takes it. Written for z = y - x the derivative of |s|^2 falls out; see deform_dqs.c.
PELTI_INLINE wide_bits derive_dqs_at(wide3 out[2], const product_terms* products,
                                     const block_run* run, uint32_t lane)
{
    const wide_quat zero = {{0}, {0}, {0}, {0}};
    const wide3 none = {{0}, {0}, {0}};
    wide mean[20];
    blend_products(mean, products, run, lane);
    wide3 p = load3(run->positions, lane);
    wide_quat s = quat_of(mean + 16), product = quat_add(columns_of(mean, p), quat_of(mean + 12));
    wide square = square_of(&s), one = 1.0f / square;
    wide3 back = scale3(shift_of(&s, &product), -one); // to the origin of z
    product = add_product(product, back, s);

    for (int axis = 0; axis < 2; ++axis)
    {
        wide_quat rotation_change = zero, product_change = zero;
        wide3 sum = none, excess = load3(run->rows->axes[axis], lane);
        for (uint32_t joint = 1; joint < run->joint_count; ++joint)
        {
            const float *term = products->columns.of[joint], *offset = products->offsets.of[joint];
            wide_quat q = quat_by(offset + 4);
            wide slope = slope_along(run, axis, joint, lane);
            wide3 change = change_along(run, axis, joint, lane), flat = mad3(p, -slope, change);
            wide_quat moved = columns_of(mean, flat);
            rotation_change = quat_mad(q, slope, rotation_change);
            product_change = quat_add(quat_mad(quat_by(offset), slope, product_change),
                                      columns_by(term, change));
            excess = mad3(flat, -2.0f * one * quat_dot(s, q), excess);
            sum = add3(sum, shift_of(&q, &moved));
        }
        wide_quat first =
            quat_add(columns_of(mean, excess), add_product(product_change, back, rotation_change));
        sum = add3(sum, shift_of(&rotation_change, &product));
        out[axis] = scale3(add3(sum, shift_of(&s, &first)), one);
    }
    return is_short(square);
}

// x = sum w T c + R S (x0 - c), with the stretch about the center.
// @param stretches  NULL: rigid
PELTI_INLINE wide_bits derive_crs(wide3 out[2], const derive_terms* terms,
                                  const block_terms* stretches, const block_run* run, uint32_t lane)
{
    wide_rotation rotation;
    wide_matrix mean;
    wide_bits outside = blend_rotations(&rotation, &terms->joints.motions, run, lane);
    blend_matrices(&mean, &terms->joints.matrices, run, lane);
    wide3 center = load3(run->rows->center, lane);
    wide_stretch before;
    stretch_axes(&before, stretches, offset_change_along, run, lane);
    wide3 slopes[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}}, center_derivatives[2];
    for (int axis = 0; axis < 2; ++axis)
    {
        center_derivatives[axis] = linear_of(&mean, load3(run->rows->centers[axis], lane));
    }
    for (uint32_t joint = 1; joint < run->joint_count; ++joint)
    {
        wide3 angular = run->joint_count <= PAIR_JOINTS_MAX
                            ? sum_pairs(terms->pairs.angular, run, joint, lane)
                            : angular_change(&rotation.q, terms->joints.motions.of[joint]);
        wide3 away = point_by(terms->joints.matrices.of[joint], center);
        for (int axis = 0; axis < 2; ++axis)
        {
            wide3 change = offset_change_along(run, axis, joint, lane);
            change = stretch_of(&before, stretches, change, run);
            slopes[axis] = add_cross(slopes[axis], angular, change);
            center_derivatives[axis] =
                mad3(away, slope_along(run, axis, joint, lane), center_derivatives[axis]);
        }
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        // The derivative of the offset is that of the vertex minus that of the center.
        wide3 lost = load3(run->rows->centers[axis], lane);
        lost = stretch_of(&before, stretches, lost, run);
        wide3 rest = mad3(slopes[axis], rotation.two, sub3(before.axes[axis], lost));
        out[axis] = add3(rotate_vector(&rotation, rest), center_derivatives[axis]);
    }
    return outside;
}

// By any method.
// @param rotation  of dqs, which is still to be applied; not written for other methods
PELTI_INLINE wide_bits derive_axes(wide3 out[2], wide_rotation* rotation, const derive_terms* terms,
                                   const block_run* run, uint32_t lane, const kernel_method* method,
                                   stretch_kind kind)
{
    const block_terms* stretches = kind == STRETCH_NONE ? NULL : &terms->joints.stretches;
    if (!method->blends_rotations)
    {
        derive_lbs(out, &terms->joints.matrices, run, lane);
        return (wide_bits){0};
    }
    if (method->has_centers)
    {
        return derive_crs(out, terms, stretches, run, lane);
    }
    wide_bits outside = kind == STRETCH_AT ? derive_dqs_at(out, &terms->products, run, lane)
                                           : derive_dqs(out, rotation, terms, stretches, run, lane);
    if (method->has_mix_factor)
    {
        wide3 linear[2];
        wide f = mix_of(run, lane);
        derive_lbs(linear, &terms->joints.matrices, run, lane);
        for (int axis = 0; axis < 2; ++axis)
        {
            out[axis] = kind == STRETCH_AT ? out[axis] : rotate_vector(rotation, out[axis]);
            out[axis] = mad3(sub3(out[axis], linear[axis]), f, linear[axis]);
        }
    }
    return outside;
}

PELTI_INLINE void fill_derive_terms(derive_terms* out, const block_run* run,
                                    const kernel_method* method, stretch_kind kind)
{
    fill_method_terms(&out->joints, run, method);
    if (blends_motions(method) && kind == STRETCH_AT)
    {
        fill_products(&out->products, run);
    }
    else if (method->blends_rotations && run->joint_count <= PAIR_JOINTS_MAX)
    {
        fill_pairs(&out->pairs, &out->joints.motions, run->joint_count, !method->has_centers);
    }
}

// ---------------------------------------------------------------------------------------------
// Directions

// The root of the root of numbers above 0, to 7e-5. The bits of a float are nearly its logarithm,
// of which a fourth is subtracted; that is off by 3 %, and the series of (1 - e)^(-1/4) corrects
// it, with coefficients for the least error. Roots by the processor would take longer than
// everything else here.
PELTI_INLINE wide inverse_fourth_root(wide a)
{
    wide guess = (wide)(0x4f587eacu - ((wide_bits)a >> 2)), square = guess * guess;
    wide e = wide_nmad(a, square * square, wide_all(1.0f));
    wide series = wide_mad(e, wide_all(0.1544571f), wide_all(0.2513544f));
    return guess * wide_mad(series, e, wide_all(1.0000113f));
}

// The rows of the next block.
// @param out  where the job then has them
PELTI_INLINE void find_rows(block_run* run, pelti_factor_rows* out)
{
    *out = pelti_factor_rows_of(run->factor_planes, run->joint_count, run->cors != NULL);
    run->rows = out;
    run->weights = out->weights - PELTI_BLOCK; // the first joint has none
}

// Directions, from the derivatives along both axes (see deform_each.h): mapped by a map that
// stretches along the normal of their plane by the mean of what it does across. Returns where
// little is left of a plane.
// @param rotation  which comes after the map; NULL: none
PELTI_INLINE wide_bits derive_normal(unscaled_normals* out, const wide3 derivatives[2],
                                     const wide_rotation* rotation, const block_run* run,
                                     uint32_t lane)
{
    wide3 cross = cross3(derivatives[0], derivatives[1]);
    wide square = dot3(cross, cross);
    // Cofactors of the map take the normal, which has a slope along the first axis, to these.
    wide3 normal_z = scale3(cross, wide_load(run->rows->normal_z + lane));
    wide normal_x =
        wide_load(run->rows->normal_x + lane) * run->handedness * inverse_fourth_root(square);
    wide3 normal = mad3(cross3(derivatives[1], cross), normal_x, normal_z);
    out->of[lane / PELTI_WIDE_LANES] = rotation != NULL ? rotate_vector(rotation, normal) : normal;
    return outside_of(square, run->least_square, 1e30f);
}

// The same for tangents.
PELTI_INLINE wide_bits derive_tangent(const wide3 derivatives[2], const wide_rotation* rotation,
                                      const block_run* run, uint32_t lane)
{
    wide3 axes[2] = {load3(run->rows->axes[0], lane), load3(run->rows->axes[1], lane)};
    wide3 t = load3(run->tangents, lane), cross = cross3(derivatives[0], derivatives[1]);
    wide shrink = inverse_fourth_root(dot3(cross, cross)) * run->handedness;
    wide3 moved = scale3(cross, dot3(cross3(axes[0], axes[1]), t) * shrink);
    moved = mad3(derivatives[0], dot3(axes[0], t), mad3(derivatives[1], dot3(axes[1], t), moved));
    return put_unit_tangent(run, lane, rotation != NULL ? rotate_vector(rotation, moved) : moved);
}

// Each step for all vectors of a block before the next one: the steps of a single vector would each
// wait for the one before.
// @param joint_count  of the run, which may be known where this is compiled
PELTI_INLINE uint32_t derive_directions(block_run run, const kernel_method* method,
                                        stretch_kind kind, uint32_t joint_count)
{
    const bool is_rotated = !method->blends_matrices && kind != STRETCH_AT;
    const uint32_t plane_count = pelti_factor_plane_count(joint_count, run.cors != NULL);
    derive_terms terms;
    pelti_factor_rows rows;
    run.joint_count = joint_count;
    find_rows(&run, &rows); // which have the weights that terms are for
    fill_derive_terms(&terms, &run, method, kind);
    uint32_t block = 0;
    for (; block < run.block_count; ++block, next_block(&run))
    {
        find_rows(&run, &rows);
        wide_bits outside = {0};
        wide3 derivatives[BLOCK_VECTORS][2];
        wide_rotation rotations[BLOCK_VECTORS];
        unscaled_normals normals;
        WIDE_PAIRS
        for (uint32_t i = 0; i < BLOCK_VECTORS; ++i)
        {
            outside |= derive_axes(derivatives[i], &rotations[i], &terms, &run,
                                   i * PELTI_WIDE_LANES, method, kind);
        }
        WIDE_PAIRS
        for (uint32_t i = 0; i < BLOCK_VECTORS; ++i)
        {
            outside |= derive_normal(&normals, derivatives[i], is_rotated ? &rotations[i] : NULL,
                                     &run, i * PELTI_WIDE_LANES);
        }
        if (run.tangents != NULL)
        {
            WIDE_PAIRS
            for (uint32_t i = 0; i < BLOCK_VECTORS; ++i)
            {
                outside |= derive_tangent(derivatives[i], is_rotated ? &rotations[i] : NULL, &run,
                                          i * PELTI_WIDE_LANES);
            }
        }
        outside |= put_normals(&run, &normals);
        if (wide_has_high_bit(outside))
        {
            break;
        }
        run.factor_planes += (size_t)plane_count * PELTI_BLOCK;
    }
    return block;
}

// Where weights are constant, but joints stretch about the vertex and so bend dqs and mix: then the
// map is that of a plane, whose normal is p. As above, v without its part along p is in
// the plane, and the cross product of n with p is the slope of n.
PELTI_INLINE wide_bits derive_constant_vector(unscaled_normals* out, const product_terms* products,
                                              const block_terms* matrices, const block_run* run,
                                              uint32_t lane, const kernel_method* method)
{
    wide mean[20];
    wide_matrix map, linear;
    blend_products(mean, products, run, lane);
    wide_quat s = quat_of(mean + 16);
    const float handedness = run->handedness;
    wide square = square_of(&s), one = 1.0f / square;
    wide_bits outside = is_short(square);
    for (int column = 0; column < 3; ++column)
    {
        wide_quat to = quat_of(mean + 4 * column);
        wide3 moved = scale3(shift_of(&s, &to), one);
        map.m[0][column] = moved.x;
        map.m[1][column] = moved.y;
        map.m[2][column] = moved.z;
    }
    if (method->has_mix_factor)
    {
        wide f = mix_of(run, lane), rest = 1.0f - f;
        blend_matrices(&linear, matrices, run, lane);
        for (int i = 0; i < 9; ++i)
        {
            wide* to = &map.m[i / 3][i % 3];
            *to = wide_mad(*to, f, linear.m[i / 3][i % 3] * rest);
        }
    }
    wide3 p = load3(run->factor_planes, lane), cross = cofactor_of(&map, p);
    square = dot3(cross, cross);
    outside |= outside_of(square, run->least_square, 1e30f);
    wide shrink = inverse_fourth_root(square);
    if (run->tangents != NULL)
    {
        wide3 t = load3(run->tangents, lane);
        wide along = dot3(p, t);
        wide3 moved = linear_of(&map, mad3(p, -along, t));
        outside |= put_unit_tangent(run, lane, mad3(cross, handedness * along * shrink, moved));
    }
    if (run->normals != NULL)
    {
        wide3 n = load3(run->normals, lane);
        wide3 tangential = scale3(linear_of(&map, cross3(n, p)), wide_all(handedness));
        out->of[lane / PELTI_WIDE_LANES] =
            mad3(cross3(cross, tangential), shrink, scale3(cross, dot3(n, p)));
    }
    return outside;
}

PELTI_INLINE uint32_t derive_constant(block_run* run, const kernel_method* method)
{
    block_terms matrices;
    product_terms products;
    fill_matrices(&matrices, run);
    fill_products(&products, run);
    uint32_t block = 0;
    for (; block < run->block_count; ++block, next_block(run))
    {
        wide_bits outside = {0};
        unscaled_normals normals;
        for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
        {
            outside |= derive_constant_vector(&normals, &products, &matrices, run, lane, method);
        }
        outside |= put_normals(run, &normals);
        if (wide_has_high_bit(outside))
        {
            break;
        }
        run->factor_planes += pelti_factor_plane_count(0, false) * PELTI_BLOCK;
    }
    return block;
}
