// SPDX-License-Identifier: MIT
// The kernels of deformers, written once over a wide float; deformer_base.c and others compile
// them. Matrix entries and quaternions of a joint are broadcast to all vertices of a block, which
// share the list of joints and have a plane of weights for each. A method is one function.
#include "../base/wide_kernel.h"

// Consecutive blocks that share their joints, in a pose. Planes and slots are those of the next
// block.
typedef struct block_run
{
    const pelt_palette* palette;
    const uint16_t* joints;
    uint32_t joint_count;
    uint32_t block_count;
    bool is_rigid; // but for a scale, which all joints have:
    float scale;
    bool is_relative;     // means are those of the first joint, and differences from it
    float least_square;   // of a normal, to be trusted
    const float* weights; // or NULL:
    const uint16_t* weights_u16;
    const float* positions;
    const float* normals;  // or NULL: not wanted
    const float* tangents; // or NULL: not wanted
    const float* cors;
    const float* mix_factors; // or NULL:
    float mix;
    bool is_local;      // joints scale about the vertex or its center, not about the origin
    float handedness;   // -1 where all joints mirror
    const float* signs; // of quaternions
    float *moved_positions, *moved_normals, *moved_tangents;
    bool is_streamed;              // positions and normals go past the caches
    float* factor_planes;          // of accurate normals
    const pelti_factor_rows* rows; // among them
} block_run;

PELTI_INLINE void step(const float** planes, size_t count)
{
    *planes = *planes != NULL ? *planes + count * PELTI_BLOCK : NULL;
}

PELTI_INLINE void next_block(block_run* run)
{
    step(&run->weights, run->joint_count);
    run->weights_u16 +=
        run->weights_u16 != NULL ? (size_t)run->joint_count * PELTI_BLOCK : (size_t)0;
    step(&run->positions, 3);
    step(&run->normals, 3);
    step(&run->tangents, 4);
    step(&run->cors, 3);
    step(&run->mix_factors, 1);
    run->moved_positions += 3 * PELTI_BLOCK;
    run->moved_normals += run->normals != NULL ? 3 * PELTI_BLOCK : 0;
    run->moved_tangents += run->tangents != NULL ? 4 * PELTI_BLOCK : 0;
}

enum
{
    BLOCK_VECTORS = PELTI_BLOCK / PELTI_WIDE_LANES
};

typedef struct wide3
{
    wide x, y, z;
} wide3;

typedef struct wide_matrix
{
    wide m[3][4];
} wide_matrix;

typedef struct wide_quat
{
    wide x, y, z, w;
} wide_quat;

PELTI_INLINE wide3 load3(const float* planes, uint32_t lane)
{
    return (wide3){wide_load(planes + lane), wide_load(planes + PELTI_BLOCK + lane),
                   wide_load(planes + 2 * PELTI_BLOCK + lane)};
}

// To a slot among packed vectors.
PELTI_INLINE void put3(const block_run* run, float* packed, uint32_t lane, wide3 value)
{
    wide_store3(packed + 3 * lane, value.x, value.y, value.z, run->is_streamed);
}

PELTI_INLINE wide3 add3(wide3 a, wide3 b)
{
    return (wide3){a.x + b.x, a.y + b.y, a.z + b.z};
}

PELTI_INLINE wide3 sub3(wide3 a, wide3 b)
{
    return (wide3){a.x - b.x, a.y - b.y, a.z - b.z};
}

PELTI_INLINE wide3 scale3(wide3 a, wide s)
{
    return (wide3){a.x * s, a.y * s, a.z * s};
}

// a s + b
PELTI_INLINE wide3 mad3(wide3 a, wide s, wide3 b)
{
    return (wide3){wide_mad(a.x, s, b.x), wide_mad(a.y, s, b.y), wide_mad(a.z, s, b.z)};
}

PELTI_INLINE wide dot3(wide3 a, wide3 b)
{
    return wide_mad(a.x, b.x, wide_mad(a.y, b.y, a.z * b.z));
}

PELTI_INLINE wide3 cross3(wide3 a, wide3 b)
{
    return (wide3){wide_nmad(a.z, b.y, a.y * b.z), wide_nmad(a.x, b.z, a.z * b.x),
                   wide_nmad(a.y, b.x, a.x * b.y)};
}

PELTI_INLINE wide3 row_of(const wide_matrix* a, int row)
{
    return (wide3){a->m[row][0], a->m[row][1], a->m[row][2]};
}

PELTI_INLINE wide3 linear_of(const wide_matrix* a, wide3 v)
{
    return (wide3){dot3(row_of(a, 0), v), dot3(row_of(a, 1), v), dot3(row_of(a, 2), v)};
}

PELTI_INLINE wide3 point_of(const wide_matrix* a, wide3 p)
{
    wide out[3];
    for (int i = 0; i < 3; ++i)
    {
        out[i] = wide_mad(a->m[i][0], p.x,
                          wide_mad(a->m[i][1], p.y, wide_mad(a->m[i][2], p.z, a->m[i][3])));
    }
    return (wide3){out[0], out[1], out[2]};
}

// Triple products of two rows and v, from two crosses instead of three.
PELTI_INLINE wide3 cofactor_of(const wide_matrix* a, wide3 v)
{
    wide3 first = row_of(a, 0), second = row_of(a, 1), third = row_of(a, 2);
    wide3 from_third = cross3(third, v);
    return (wide3){dot3(second, from_third), -dot3(first, from_third),
                   dot3(first, cross3(second, v))};
}

// The highest bit is set where a square is not between two positive numbers, or is NaN: the bits of
// such floats are ordered like the floats, and one of the two differences is then negative.
PELTI_INLINE wide_bits outside_of(wide square, float low, float high)
{
    wide_bits bits = (wide_bits)square;
    return (bits - (wide_bits)wide_all(low)) | ((wide_bits)wide_all(high) - bits);
}

PELTI_INLINE wide square_of(const wide_quat* q)
{
    return wide_mad(q->x, q->x, wide_mad(q->y, q->y, wide_mad(q->z, q->z, q->w * q->w)));
}

PELTI_INLINE wide_quat quat_of(const wide numbers[4])
{
    return (wide_quat){numbers[0], numbers[1], numbers[2], numbers[3]};
}

PELTI_INLINE wide_quat quat_add(wide_quat a, wide_quat b)
{
    return (wide_quat){a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

// a s + b
PELTI_INLINE wide_quat quat_mad(wide_quat a, wide s, wide_quat b)
{
    return (wide_quat){wide_mad(a.x, s, b.x), wide_mad(a.y, s, b.y), wide_mad(a.z, s, b.z),
                       wide_mad(a.w, s, b.w)};
}

PELTI_INLINE wide quat_dot(wide_quat a, wide_quat b)
{
    return wide_mad(a.x, b.x, wide_mad(a.y, b.y, wide_mad(a.z, b.z, a.w * b.w)));
}

// a + v b
PELTI_INLINE wide_quat add_product(wide_quat a, wide3 v, wide_quat b)
{
    return (wide_quat){
        wide_mad(v.x, b.w, wide_mad(v.y, b.z, wide_nmad(v.z, b.y, a.x))),
        wide_mad(v.y, b.w, wide_mad(v.z, b.x, wide_nmad(v.x, b.z, a.y))),
        wide_mad(v.z, b.w, wide_mad(v.x, b.y, wide_nmad(v.y, b.x, a.z))),
        wide_nmad(v.x, b.x, wide_nmad(v.y, b.y, wide_nmad(v.z, b.z, a.w))),
    };
}

PELTI_INLINE wide_quat quat_by(const float* numbers)
{
    return (wide_quat){wide_all(numbers[0]), wide_all(numbers[1]), wide_all(numbers[2]),
                       wide_all(numbers[3])};
}

// sum + a x b
PELTI_INLINE wide3 add_cross(wide3 sum, wide3 a, wide3 b)
{
    return (wide3){wide_mad(a.y, b.z, wide_nmad(a.z, b.y, sum.x)),
                   wide_mad(a.z, b.x, wide_nmad(a.x, b.z, sum.y)),
                   wide_mad(a.x, b.y, wide_nmad(a.y, b.x, sum.z))};
}

#include "deformer_terms.h"

// ---------------------------------------------------------------------------------------------
// Blends

// Where quaternions cancel.
PELTI_INLINE wide_bits is_short(wide square)
{
    return outside_of(square, 1e-6f, 1e30f);
}

// A rotation by a quaternion q of any length is v + two (w q x v + q x (q x v)). The quotient
// `two`, 2 / its square, is needed last, when its division has finished.
typedef struct wide_rotation
{
    wide_quat q;
    wide two;
} wide_rotation;

// Returns where quaternions cancel.
PELTI_INLINE wide_bits rotation_of(wide_rotation* out, const wide_quat* q)
{
    wide square = square_of(q);
    *out = (wide_rotation){*q, 2.0f / square};
    return is_short(square);
}

PELTI_INLINE wide3 rotate_vector(const wide_rotation* rotation, wide3 v)
{
    wide3 q = {rotation->q.x, rotation->q.y, rotation->q.z}, across = cross3(q, v);
    return mad3(add_cross(scale3(across, rotation->q.w), q, across), rotation->two, v);
}

// A rotation and a translation, as a dual quaternion.
typedef struct wide_motion
{
    wide_rotation rotation;
    wide_quat dual;
} wide_motion;

PELTI_INLINE wide3 move_point(const wide_motion* motion, wide3 p)
{
    const wide_quat *q = &motion->rotation.q, *dual = &motion->dual;
    wide3 real = {q->x, q->y, q->z}, d = {dual->x, dual->y, dual->z};
    wide3 across = add_cross(d, real, p);
    wide3 sum = add_cross(scale3(across, q->w), real, across);
    return mad3(mad3(real, -dual->w, sum), motion->rotation.two, p);
}

// The matrix of a rotation less the identity, divided by two.
PELTI_INLINE void rotation_minus_identity(wide_matrix* out, const wide_quat* q)
{
    wide wx = q->w * q->x, wy = q->w * q->y, wz = q->w * q->z;
    wide yy = q->y * q->y, zz = q->z * q->z;
    out->m[0][0] = -(yy + zz);
    out->m[0][1] = wide_mad(q->x, q->y, -wz);
    out->m[0][2] = wide_mad(q->x, q->z, wy);
    out->m[1][0] = wide_mad(q->x, q->y, wz);
    out->m[1][1] = -wide_mad(q->x, q->x, zz);
    out->m[1][2] = wide_mad(q->y, q->z, -wx);
    out->m[2][0] = wide_mad(q->x, q->z, -wy);
    out->m[2][1] = wide_mad(q->y, q->z, wx);
    out->m[2][2] = -wide_mad(q->x, q->x, yy);
}

PELTI_INLINE void matrix_of_rotation(wide_matrix* out, const wide_rotation* rotation)
{
    rotation_minus_identity(out, &rotation->q);
    WIDE_WHOLE
    for (int i = 0; i < 9; ++i)
    {
        wide* to = &out->m[i / 3][i % 3];
        *to = wide_mad(*to, rotation->two, wide_all(i % 4 == 0 ? 1.0f : 0.0f));
    }
}

// The vector part of dual * conjugate(real).
PELTI_INLINE wide3 shift_of(const wide_quat* real, const wide_quat* dual)
{
    wide3 r = {real->x, real->y, real->z}, d = {dual->x, dual->y, dual->z};
    wide3 crossed = cross3(r, d);
    return (wide3){wide_mad(real->w, d.x, wide_nmad(dual->w, r.x, crossed.x)),
                   wide_mad(real->w, d.y, wide_nmad(dual->w, r.y, crossed.y)),
                   wide_mad(real->w, d.z, wide_nmad(dual->w, r.z, crossed.z))};
}

// The mean motion of dual quaternions. Returns where quaternions cancel.
PELTI_INLINE wide_bits blend_motions(wide_motion* out, const block_terms* terms,
                                     const block_run* run, uint32_t lane)
{
    wide sum[8];
    blend(sum, terms, 8, run, lane);
    wide_quat real = quat_of(sum);
    out->dual = quat_of(sum + 4);
    return rotation_of(&out->rotation, &real);
}

// The same for rotations alone.
PELTI_INLINE wide_bits blend_rotations(wide_rotation* out, const block_terms* terms,
                                       const block_run* run, uint32_t lane)
{
    wide sum[4];
    blend(sum, terms, 4, run, lane);
    wide_quat real = quat_of(sum);
    return rotation_of(out, &real);
}

// By one matrix of three rows for all.
PELTI_INLINE wide3 linear_by(const float* a, wide3 v)
{
    wide out[3];
    for (int i = 0; i < 3; ++i, a += 4)
    {
        out[i] = wide_mad(v.x, wide_all(a[0]), wide_mad(v.y, wide_all(a[1]), v.z * a[2]));
    }
    return (wide3){out[0], out[1], out[2]};
}

PELTI_INLINE wide3 point_by(const float* a, wide3 p)
{
    wide out[3];
    for (int i = 0; i < 3; ++i, a += 4)
    {
        out[i] =
            wide_mad(p.x, wide_all(a[0]),
                     wide_mad(p.y, wide_all(a[1]), wide_mad(p.z, wide_all(a[2]), wide_all(a[3]))));
    }
    return (wide3){out[0], out[1], out[2]};
}

// The mean of motions about the vertex, see pelti_motion_at(): its rotation, and the position to
// which it takes the vertex.
PELTI_INLINE wide_bits blend_motions_at(wide_rotation* out, wide3* position, const block_run* run,
                                        uint32_t lane)
{
    wide_quat real = {{0}, {0}, {0}, {0}}, dual = {{0}, {0}, {0}, {0}};
    wide3 p = load3(run->positions, lane);
    for (uint32_t i = 0; i < run->joint_count; ++i)
    {
        wide_quat q = quat_by(&run->palette->motions[run->joints[i]].real.x);
        wide weight = stored_weights(run, i, lane) * (weight_unit(run) * run->signs[i]);
        wide3 y = point_by(run->palette->matrices[run->joints[i]].m[0], p);
        real = quat_mad(q, weight, real);
        dual = add_product(dual, scale3(y, weight), q);
    }
    wide_bits outside = rotation_of(out, &real);
    *position = scale3(shift_of(&real, &dual), 0.5f * out->two);
    return outside;
}

// What a method computes for a vertex. Kernels are compiled for constants of it; the runtime table
// is pelt_method_info().
typedef struct kernel_method
{
    bool blends_matrices;  // the mean of joint matrices
    bool blends_rotations; // the mean of joint rotations: dual quaternions, unless it has centers
    bool has_centers;      // rotates about the center of the vertex
    bool has_mix_factor;   // between the mean matrix and the mean motion
} kernel_method;

static const kernel_method kernel_LBS = {.blends_matrices = true};
static const kernel_method kernel_DQS = {.blends_rotations = true};
static const kernel_method kernel_MIX = {
    .blends_matrices = true, .blends_rotations = true, .has_mix_factor = true};
static const kernel_method kernel_CRS = {
    .blends_matrices = true, .blends_rotations = true, .has_centers = true};

// Whether the method blends dual quaternions.
PELTI_INLINE bool blends_motions(const kernel_method* method)
{
    return method->blends_rotations && !method->has_centers;
}

// The terms of the joints of a block that a method needs.
typedef struct method_terms
{
    block_terms matrices, motions, stretches;
} method_terms;

PELTI_INLINE void fill_method_terms(method_terms* out, const block_run* run,
                                    const kernel_method* method)
{
    if (method->blends_matrices)
    {
        fill_matrices(&out->matrices, run);
    }
    if (!method->blends_rotations)
    {
        return;
    }
    if (run->is_rigid || !run->is_local || method->has_centers)
    {
        fill_motions(&out->motions, run, !method->has_centers);
    }
    if (!run->is_rigid)
    {
        fill_stretches(&out->stretches, run);
    }
}

// a = a * b, of linear parts.
PELTI_INLINE void multiply(wide_matrix* a, const wide_matrix* b)
{
    for (int i = 0; i < 3; ++i)
    {
        wide x = a->m[i][0], y = a->m[i][1], z = a->m[i][2];
        for (int j = 0; j < 3; ++j)
        {
            a->m[i][j] = wide_mad(x, b->m[0][j], wide_mad(y, b->m[1][j], z * b->m[2][j]));
        }
    }
}

// Both phases of dqs: the map of the vertex's surroundings, and where it goes.
PELTI_INLINE wide_bits blend_phases(wide_matrix* out, wide3* position, const method_terms* terms,
                                    const block_run* run, uint32_t lane)
{
    wide_matrix stretch;
    wide_motion motion;
    wide_bits outside;
    blend_stretches(&stretch, &terms->stretches, run, lane);
    if (run->is_local)
    {
        outside = blend_motions_at(&motion.rotation, position, run, lane);
    }
    else
    {
        outside = blend_motions(&motion, &terms->motions, run, lane);
        *position = move_point(&motion, linear_of(&stretch, load3(run->positions, lane)));
    }
    matrix_of_rotation(out, &motion.rotation);
    multiply(out, &stretch);
    return outside;
}

// ---------------------------------------------------------------------------------------------
// Directions

PELTI_INLINE void put_tangent(const block_run* run, uint32_t lane, wide3 value, float handedness)
{
    wide w = wide_load(run->tangents + 3 * PELTI_BLOCK + lane) * handedness;
    wide_store4(run->moved_tangents + 4 * lane, value.x, value.y, value.z, w);
}

// By a rotation, which keeps their length.
PELTI_INLINE void rotate_directions(const block_run* run, const wide_rotation* rotation,
                                    uint32_t lane)
{
    if (run->normals != NULL)
    {
        put3(run, run->moved_normals, lane, rotate_vector(rotation, load3(run->normals, lane)));
    }
    if (run->tangents != NULL)
    {
        put_tangent(run, lane, rotate_vector(rotation, load3(run->tangents, lane)), 1.0f);
    }
}

// A mean of rotations that leaves less than a thousandth of a normal has no digits left for its
// direction. For joints that scale, only the range of float limits it, as in deform_each.h.
// @param whole  the squared length that equal rotations would leave
PELTI_INLINE wide_bits is_lost(wide square, const block_run* run, float whole)
{
    return outside_of(square, run->is_rigid ? 1e-6f * whole : 1e-30f, 1e30f);
}

PELTI_INLINE wide_bits put_unit_tangent(const block_run* run, uint32_t lane, wide3 moved)
{
    wide square = dot3(moved, moved);
    put_tangent(run, lane, scale3(moved, 1.0f / wide_root(square)), run->handedness);
    return is_lost(square, run, run->scale * run->scale);
}

// Normals of a block before normalization. Roots have a long latency, and a processor looks ahead
// by about as many instructions as one vector of vertices takes: the roots of a block are therefore
// computed together, after everything else.
typedef struct unscaled_normals
{
    wide3 of[BLOCK_VECTORS];
} unscaled_normals;

// Transform normals by any map; see pelti_carry_normal(). Returns where squares overflow or
// underflow.
PELTI_INLINE wide_bits transform_directions(unscaled_normals* out, const block_run* run,
                                            const wide_matrix* map, uint32_t lane)
{
    out->of[lane / PELTI_WIDE_LANES] =
        run->normals != NULL ? cofactor_of(map, load3(run->normals, lane)) : (wide3){{0}, {0}, {0}};
    if (run->tangents == NULL)
    {
        return (wide_bits){0};
    }
    return put_unit_tangent(run, lane, linear_of(map, load3(run->tangents, lane)));
}

PELTI_INLINE wide_bits put_normals(const block_run* run, const unscaled_normals* normals)
{
    wide_bits outside = {0};
    const float area = run->scale * run->scale;
    if (run->normals == NULL)
    {
        return outside;
    }
    WIDE_PAIRS
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide3 moved = normals->of[lane / PELTI_WIDE_LANES];
        wide square = dot3(moved, moved);
        outside |= is_lost(square, run, area * area);
        put3(run, run->moved_normals, lane, scale3(moved, run->handedness / wide_root(square)));
    }
    return outside;
}

// ---------------------------------------------------------------------------------------------
// Methods

// One rigid joint: nothing is blended.
PELTI_INLINE uint32_t move_rigid(block_run run)
{
    const pelt_mat34* joint = &run.palette->matrices[run.joints[0]];
    const float unit = 1.0f / run.scale;
    wide_matrix matrix;
    // All loads before the first store: compilers would otherwise load them again.
    for (int i = 0; i < 12; ++i)
    {
        matrix.m[i / 4][i % 4] = wide_all(joint->m[i / 4][i % 4]);
    }
    for (uint32_t block = 0; block < run.block_count; ++block, next_block(&run))
    {
        WIDE_FOURS
        for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
        {
            put3(&run, run.moved_positions, lane, point_of(&matrix, load3(run.positions, lane)));
            if (run.normals != NULL)
            {
                wide3 n = scale3(load3(run.normals, lane), wide_all(unit));
                put3(&run, run.moved_normals, lane, linear_of(&matrix, n));
            }
            if (run.tangents != NULL)
            {
                wide3 t = scale3(load3(run.tangents, lane), wide_all(unit));
                put_tangent(&run, lane, linear_of(&matrix, t), 1.0f);
            }
        }
    }
    return run.block_count;
}

// Move a vector of vertices of the next block, for rigid joints and for others. Returns where the
// result is not reliable.
// @param out  normals of methods that do not rotate them
typedef wide_bits (*vector_mover)(unscaled_normals* out, const method_terms* terms,
                                  const block_run* run, uint32_t lane);

PELTI_INLINE wide_bits move_lbs(unscaled_normals* out, const method_terms* terms,
                                const block_run* run, uint32_t lane)
{
    wide_matrix sum;
    blend_matrices(&sum, &terms->matrices, run, lane);
    put3(run, run->moved_positions, lane, point_of(&sum, load3(run->positions, lane)));
    return transform_directions(out, run, &sum, lane);
}

PELTI_INLINE wide_bits move_dqs(unscaled_normals* out, const method_terms* terms,
                                const block_run* run, uint32_t lane)
{
    (void)out;
    wide_motion motion;
    wide_bits outside = blend_motions(&motion, &terms->motions, run, lane);
    wide3 p = scale3(load3(run->positions, lane), wide_all(run->scale));
    put3(run, run->moved_positions, lane, move_point(&motion, p));
    rotate_directions(run, &motion.rotation, lane);
    return outside;
}

PELTI_INLINE wide mix_of(const block_run* run, uint32_t lane)
{
    return run->mix_factors != NULL ? wide_load(run->mix_factors + lane) : wide_all(run->mix);
}

PELTI_INLINE wide_bits move_mix(unscaled_normals* out, const method_terms* terms,
                                const block_run* run, uint32_t lane)
{
    wide_matrix sum, difference;
    wide_motion motion;
    wide f = mix_of(run, lane), rest = 1.0f - f;
    wide_bits outside = blend_motions(&motion, &terms->motions, run, lane);
    wide3 shift = shift_of(&motion.rotation.q, &motion.dual);
    rotation_minus_identity(&difference, &motion.rotation.q);
    blend_matrices(&sum, &terms->matrices, run, lane);
    difference.m[0][3] = shift.x;
    difference.m[1][3] = shift.y;
    difference.m[2][3] = shift.z;
    wide part = f * motion.rotation.two, scaled = f * run->scale, part_scaled = part * run->scale;
    WIDE_WHOLE
    for (int i = 0; i < 12; ++i)
    {
        wide* to = &sum.m[i / 4][i % 4];
        wide other = i % 5 == 0 ? wide_mad(*to, rest, scaled) : *to * rest; // of the identity
        *to = wide_mad(difference.m[i / 4][i % 4], i % 4 == 3 ? part : part_scaled, other);
    }
    put3(run, run->moved_positions, lane, point_of(&sum, load3(run->positions, lane)));
    return outside | transform_directions(out, run, &sum, lane);
}

PELTI_INLINE wide_bits move_crs(unscaled_normals* out, const method_terms* terms,
                                const block_run* run, uint32_t lane)
{
    (void)out;
    wide_matrix sum;
    wide_rotation rotation;
    wide3 p = load3(run->positions, lane), c = load3(run->cors, lane);
    blend_matrices(&sum, &terms->matrices, run, lane);
    wide3 center = point_of(&sum, c);
    wide_bits outside = blend_rotations(&rotation, &terms->motions, run, lane);
    wide3 offset = scale3(sub3(p, c), wide_all(run->scale));
    put3(run, run->moved_positions, lane, add3(center, rotate_vector(&rotation, offset)));
    rotate_directions(run, &rotation, lane);
    return outside;
}

PELTI_INLINE wide_bits move_dqs_scaled(unscaled_normals* out, const method_terms* terms,
                                       const block_run* run, uint32_t lane)
{
    wide_matrix map;
    wide3 position;
    wide_bits outside = blend_phases(&map, &position, terms, run, lane);
    put3(run, run->moved_positions, lane, position);
    return outside | transform_directions(out, run, &map, lane);
}

PELTI_INLINE wide_bits move_mix_scaled(unscaled_normals* out, const method_terms* terms,
                                       const block_run* run, uint32_t lane)
{
    wide_matrix sum, map;
    wide3 position;
    wide f = mix_of(run, lane), rest = 1.0f - f;
    wide_bits outside = blend_phases(&map, &position, terms, run, lane);
    blend_matrices(&sum, &terms->matrices, run, lane);
    wide3 linear = point_of(&sum, load3(run->positions, lane));
    put3(run, run->moved_positions, lane, add3(scale3(linear, rest), scale3(position, f)));
    WIDE_WHOLE
    for (int i = 0; i < 9; ++i)
    {
        wide* to = &sum.m[i / 3][i % 3];
        *to = wide_mad(map.m[i / 3][i % 3], f, *to * rest);
    }
    return outside | transform_directions(out, run, &sum, lane);
}

PELTI_INLINE wide_bits move_crs_scaled(unscaled_normals* out, const method_terms* terms,
                                       const block_run* run, uint32_t lane)
{
    wide_matrix sum, map, stretch;
    wide_rotation rotation;
    wide3 p = load3(run->positions, lane), c = load3(run->cors, lane);
    blend_matrices(&sum, &terms->matrices, run, lane);
    wide3 center = point_of(&sum, c);
    wide_bits outside = blend_rotations(&rotation, &terms->motions, run, lane);
    blend_stretches(&stretch, &terms->stretches, run, lane);
    matrix_of_rotation(&map, &rotation);
    multiply(&map, &stretch);
    put3(run, run->moved_positions, lane, add3(center, linear_of(&map, sub3(p, c))));
    return outside | transform_directions(out, run, &map, lane);
}

// One more method is one more row, a kernel_method and its functions.
#define KERNEL_METHODS(ROW)                                                                        \
    ROW(LBS, move_lbs, move_lbs)                                                                   \
    ROW(DQS, move_dqs, move_dqs_scaled)                                                            \
    ROW(MIX, move_mix, move_mix_scaled)                                                            \
    ROW(CRS, move_crs, move_crs_scaled)

#include "deformer_normals.h"

#include "deformer_morph_kernel.h"

#include "deformer_blocks.h"
