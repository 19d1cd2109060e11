// SPDX-License-Identifier: MIT
// The kernels of deformers, written once over a wide float; deformer_base.c and others compile
// them. Matrix entries and quaternions of a joint are broadcast to all vertices of a block, which
// share the list of joints and have a plane of weights for each. A method is one function.
#include "../base/wide_kernel.h"

// Blocks that share their joints, one after the other, in a pose. Planes and places are those of
// the block that is next.
typedef struct block_job
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
    float side;         // -1 where all joints mirror
    const float* signs; // of quaternions
    float *moved_positions, *moved_normals, *moved_tangents;
    bool is_streamed;              // positions and normals go past the caches
    float* factor_planes;          // of accurate normals
    const pelti_factor_rows* rows; // among them
} block_job;

PELTI_INLINE void step(const float** planes, size_t count)
{
    *planes = *planes != NULL ? *planes + count * PELTI_BLOCK : NULL;
}

PELTI_INLINE void next_block(block_job* job)
{
    step(&job->weights, job->joint_count);
    job->weights_u16 +=
        job->weights_u16 != NULL ? (size_t)job->joint_count * PELTI_BLOCK : (size_t)0;
    step(&job->positions, 3);
    step(&job->normals, 3);
    step(&job->tangents, 4);
    step(&job->cors, 3);
    step(&job->mix_factors, 1);
    job->moved_positions += 3 * PELTI_BLOCK;
    job->moved_normals += job->normals != NULL ? 3 * PELTI_BLOCK : 0;
    job->moved_tangents += job->tangents != NULL ? 4 * PELTI_BLOCK : 0;
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

// To a place among packed vectors.
PELTI_INLINE void put3(const block_job* job, float* packed, uint32_t lane, wide3 value)
{
    wide_store3(packed + 3 * lane, value.x, value.y, value.z, job->is_streamed);
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

// The highest bit where a square is not between two numbers above 0, or not a number: such floats
// are ordered as their bits are, and of two differences that wrap around one is negative then.
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

// A rotation by a quaternion q of any length is v + two (w q x v + q x (q x v)): so the quotient
// `two`, 2 / its square, is needed last, when it has long been there.
typedef struct wide_turn
{
    wide_quat q;
    wide two;
} wide_turn;

// Returns where quaternions cancel.
PELTI_INLINE wide_bits turn_of(wide_turn* out, const wide_quat* q)
{
    wide square = square_of(q);
    *out = (wide_turn){*q, 2.0f / square};
    return is_short(square);
}

PELTI_INLINE wide3 turn_vector(const wide_turn* turn, wide3 v)
{
    wide3 q = {turn->q.x, turn->q.y, turn->q.z}, across = cross3(q, v);
    return mad3(add_cross(scale3(across, turn->q.w), q, across), turn->two, v);
}

// A turn and a shift, as a dual quaternion.
typedef struct wide_motion
{
    wide_turn turn;
    wide_quat dual;
} wide_motion;

PELTI_INLINE wide3 move_point(const wide_motion* motion, wide3 p)
{
    const wide_quat *q = &motion->turn.q, *dual = &motion->dual;
    wide3 real = {q->x, q->y, q->z}, d = {dual->x, dual->y, dual->z};
    wide3 across = add_cross(d, real, p);
    wide3 sum = add_cross(scale3(across, q->w), real, across);
    return mad3(mad3(real, -dual->w, sum), motion->turn.two, p);
}

// The matrix of a turn less the identity, divided by two.
PELTI_INLINE void lever_of(wide_matrix* out, const wide_quat* q)
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

PELTI_INLINE void matrix_of_turn(wide_matrix* out, const wide_turn* turn)
{
    lever_of(out, &turn->q);
    WIDE_WHOLE
    for (int i = 0; i < 9; ++i)
    {
        wide* to = &out->m[i / 3][i % 3];
        *to = wide_mad(*to, turn->two, wide_all(i % 4 == 0 ? 1.0f : 0.0f));
    }
}

// The vector part of dual * conjugate(real).
PELTI_INLINE wide3 shift_of(const wide_quat* real, const wide_quat* dual)
{
    wide3 r = {real->x, real->y, real->z}, d = {dual->x, dual->y, dual->z};
    wide3 turned = cross3(r, d);
    return (wide3){wide_mad(real->w, d.x, wide_nmad(dual->w, r.x, turned.x)),
                   wide_mad(real->w, d.y, wide_nmad(dual->w, r.y, turned.y)),
                   wide_mad(real->w, d.z, wide_nmad(dual->w, r.z, turned.z))};
}

// The mean motion of dual quaternions. Returns where quaternions cancel.
PELTI_INLINE wide_bits blend_motions(wide_motion* out, const block_terms* terms,
                                     const block_job* job, uint32_t lane)
{
    wide sum[8];
    blend(sum, terms, 8, job, lane);
    wide_quat real = quat_of(sum);
    out->dual = quat_of(sum + 4);
    return turn_of(&out->turn, &real);
}

// The same for rotations alone.
PELTI_INLINE wide_bits blend_rotations(wide_turn* out, const block_terms* terms,
                                       const block_job* job, uint32_t lane)
{
    wide sum[4];
    blend(sum, terms, 4, job, lane);
    wide_quat real = quat_of(sum);
    return turn_of(out, &real);
}

// By one matrix of three rows for all.
PELTI_INLINE wide3 turn_by(const float* a, wide3 v)
{
    wide out[3];
    for (int i = 0; i < 3; ++i, a += 4)
    {
        out[i] = wide_mad(v.x, wide_all(a[0]), wide_mad(v.y, wide_all(a[1]), v.z * a[2]));
    }
    return (wide3){out[0], out[1], out[2]};
}

PELTI_INLINE wide3 move_by(const float* a, wide3 p)
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

// The mean of motions about the vertex, see pelti_motion_at(): its rotation, and the place to which
// it takes the vertex.
PELTI_INLINE wide_bits blend_motions_at(wide_turn* out, wide3* place, const block_job* job,
                                        uint32_t lane)
{
    wide_quat real = {{0}, {0}, {0}, {0}}, dual = {{0}, {0}, {0}, {0}};
    wide3 p = load3(job->positions, lane);
    for (uint32_t i = 0; i < job->joint_count; ++i)
    {
        wide_quat q = quat_by(&job->palette->motions[job->joints[i]].real.x);
        wide weight = stored_weights(job, i, lane) * (weight_unit(job) * job->signs[i]);
        wide3 y = move_by(job->palette->matrices[job->joints[i]].m[0], p);
        real = quat_mad(q, weight, real);
        dual = add_product(dual, scale3(y, weight), q);
    }
    wide_bits outside = turn_of(out, &real);
    *place = scale3(shift_of(&real, &dual), 0.5f * out->two);
    return outside;
}

// What a method has of the joints of a block.
typedef struct method_terms
{
    block_terms matrices, motions, stretches;
} method_terms;

PELTI_INLINE void fill_method_terms(method_terms* out, const block_job* job, pelt_method method)
{
    if (method != PELT_METHOD_DQS)
    {
        fill_matrices(&out->matrices, job);
    }
    if (method == PELT_METHOD_LBS)
    {
        return;
    }
    if (job->is_rigid || !job->is_local || method == PELT_METHOD_CRS)
    {
        fill_motions(&out->motions, job, method != PELT_METHOD_CRS);
    }
    if (!job->is_rigid)
    {
        fill_stretches(&out->stretches, job);
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
PELTI_INLINE wide_bits blend_phases(wide_matrix* out, wide3* place, const method_terms* terms,
                                    const block_job* job, uint32_t lane)
{
    wide_matrix stretch;
    wide_motion motion;
    wide_bits outside;
    blend_stretches(&stretch, &terms->stretches, job, lane);
    if (job->is_local)
    {
        outside = blend_motions_at(&motion.turn, place, job, lane);
    }
    else
    {
        outside = blend_motions(&motion, &terms->motions, job, lane);
        *place = move_point(&motion, linear_of(&stretch, load3(job->positions, lane)));
    }
    matrix_of_turn(out, &motion.turn);
    multiply(out, &stretch);
    return outside;
}

// ---------------------------------------------------------------------------------------------
// Directions

PELTI_INLINE void put_tangent(const block_job* job, uint32_t lane, wide3 value, float side)
{
    wide w = wide_load(job->tangents + 3 * PELTI_BLOCK + lane) * side;
    wide_store4(job->moved_tangents + 4 * lane, value.x, value.y, value.z, w);
}

// By a rotation, which keeps their length.
PELTI_INLINE void turn_directions(const block_job* job, const wide_turn* turn, uint32_t lane)
{
    if (job->normals != NULL)
    {
        put3(job, job->moved_normals, lane, turn_vector(turn, load3(job->normals, lane)));
    }
    if (job->tangents != NULL)
    {
        put_tangent(job, lane, turn_vector(turn, load3(job->tangents, lane)), 1.0f);
    }
}

// A mean of rotations that leaves less of a normal than a thousandth has no digits left to tell its
// direction by. Of joints that scale only the ends of float are known, as in deform_each.h.
// @param whole  the square of what rotations would leave, all alike
PELTI_INLINE wide_bits is_lost(wide square, const block_job* job, float whole)
{
    return outside_of(square, job->is_rigid ? 1e-6f * whole : 1e-30f, 1e30f);
}

PELTI_INLINE wide_bits put_unit_tangent(const block_job* job, uint32_t lane, wide3 moved)
{
    wide square = dot3(moved, moved);
    put_tangent(job, lane, scale3(moved, 1.0f / wide_root(square)), job->side);
    return is_lost(square, job, job->scale * job->scale);
}

// Normals of a block before they get their length. Roots take long, and a processor looks ahead by
// about as many instructions as one vector of vertices takes: so the roots of a block come after
// all that leads to them, next to each other.
typedef struct long_normals
{
    wide3 of[BLOCK_VECTORS];
} long_normals;

// By any map; see pelti_carry_normal(). Returns where squares cannot be trusted.
PELTI_INLINE wide_bits carry_directions(long_normals* out, const block_job* job,
                                        const wide_matrix* map, uint32_t lane)
{
    out->of[lane / PELTI_WIDE_LANES] =
        job->normals != NULL ? cofactor_of(map, load3(job->normals, lane)) : (wide3){{0}, {0}, {0}};
    if (job->tangents == NULL)
    {
        return (wide_bits){0};
    }
    return put_unit_tangent(job, lane, linear_of(map, load3(job->tangents, lane)));
}

PELTI_INLINE wide_bits put_normals(const block_job* job, const long_normals* normals)
{
    wide_bits outside = {0};
    const float area = job->scale * job->scale;
    if (job->normals == NULL)
    {
        return outside;
    }
    WIDE_PAIRS
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide3 moved = normals->of[lane / PELTI_WIDE_LANES];
        wide square = dot3(moved, moved);
        outside |= is_lost(square, job, area * area);
        put3(job, job->moved_normals, lane, scale3(moved, job->side / wide_root(square)));
    }
    return outside;
}

// ---------------------------------------------------------------------------------------------
// Methods

// By one rigid joint, there is nothing to blend.
PELTI_INLINE uint32_t move_rigid(block_job job)
{
    const pelt_mat34* joint = &job.palette->matrices[job.joints[0]];
    const float unit = 1.0f / job.scale;
    wide_matrix matrix;
    // All at once: behind a store, compilers would have to load them again.
    for (int i = 0; i < 12; ++i)
    {
        matrix.m[i / 4][i % 4] = wide_all(joint->m[i / 4][i % 4]);
    }
    for (uint32_t block = 0; block < job.block_count; ++block, next_block(&job))
    {
        WIDE_FOURS
        for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
        {
            put3(&job, job.moved_positions, lane, point_of(&matrix, load3(job.positions, lane)));
            if (job.normals != NULL)
            {
                wide3 n = scale3(load3(job.normals, lane), wide_all(unit));
                put3(&job, job.moved_normals, lane, linear_of(&matrix, n));
            }
            if (job.tangents != NULL)
            {
                wide3 t = scale3(load3(job.tangents, lane), wide_all(unit));
                put_tangent(&job, lane, linear_of(&matrix, t), 1.0f);
            }
        }
    }
    return job.block_count;
}

// Move a vector of vertices of the next block, where joints are rigid and where they are not.
// Returns where the outcome cannot be trusted.
// @param out  normals of methods that do not turn them
typedef wide_bits (*vector_mover)(long_normals* out, const method_terms* terms,
                                  const block_job* job, uint32_t lane);

PELTI_INLINE wide_bits move_lbs(long_normals* out, const method_terms* terms, const block_job* job,
                                uint32_t lane)
{
    wide_matrix sum;
    blend_matrices(&sum, &terms->matrices, job, lane);
    put3(job, job->moved_positions, lane, point_of(&sum, load3(job->positions, lane)));
    return carry_directions(out, job, &sum, lane);
}

PELTI_INLINE wide_bits move_dqs(long_normals* out, const method_terms* terms, const block_job* job,
                                uint32_t lane)
{
    (void)out;
    wide_motion motion;
    wide_bits outside = blend_motions(&motion, &terms->motions, job, lane);
    wide3 p = scale3(load3(job->positions, lane), wide_all(job->scale));
    put3(job, job->moved_positions, lane, move_point(&motion, p));
    turn_directions(job, &motion.turn, lane);
    return outside;
}

PELTI_INLINE wide mix_of(const block_job* job, uint32_t lane)
{
    return job->mix_factors != NULL ? wide_load(job->mix_factors + lane) : wide_all(job->mix);
}

PELTI_INLINE wide_bits move_mix(long_normals* out, const method_terms* terms, const block_job* job,
                                uint32_t lane)
{
    wide_matrix sum, lever;
    wide_motion motion;
    wide f = mix_of(job, lane), rest = 1.0f - f;
    wide_bits outside = blend_motions(&motion, &terms->motions, job, lane);
    wide3 shift = shift_of(&motion.turn.q, &motion.dual);
    lever_of(&lever, &motion.turn.q);
    blend_matrices(&sum, &terms->matrices, job, lane);
    lever.m[0][3] = shift.x;
    lever.m[1][3] = shift.y;
    lever.m[2][3] = shift.z;
    wide part = f * motion.turn.two, scaled = f * job->scale, part_scaled = part * job->scale;
    WIDE_WHOLE
    for (int i = 0; i < 12; ++i)
    {
        wide* to = &sum.m[i / 4][i % 4];
        wide other = i % 5 == 0 ? wide_mad(*to, rest, scaled) : *to * rest; // of the identity
        *to = wide_mad(lever.m[i / 4][i % 4], i % 4 == 3 ? part : part_scaled, other);
    }
    put3(job, job->moved_positions, lane, point_of(&sum, load3(job->positions, lane)));
    return outside | carry_directions(out, job, &sum, lane);
}

PELTI_INLINE wide_bits move_crs(long_normals* out, const method_terms* terms, const block_job* job,
                                uint32_t lane)
{
    (void)out;
    wide_matrix sum;
    wide_turn rotation;
    wide3 p = load3(job->positions, lane), c = load3(job->cors, lane);
    blend_matrices(&sum, &terms->matrices, job, lane);
    wide3 center = point_of(&sum, c);
    wide_bits outside = blend_rotations(&rotation, &terms->motions, job, lane);
    wide3 arm = scale3(sub3(p, c), wide_all(job->scale));
    put3(job, job->moved_positions, lane, add3(center, turn_vector(&rotation, arm)));
    turn_directions(job, &rotation, lane);
    return outside;
}

PELTI_INLINE wide_bits move_dqs_scaled(long_normals* out, const method_terms* terms,
                                       const block_job* job, uint32_t lane)
{
    wide_matrix map;
    wide3 place;
    wide_bits outside = blend_phases(&map, &place, terms, job, lane);
    put3(job, job->moved_positions, lane, place);
    return outside | carry_directions(out, job, &map, lane);
}

PELTI_INLINE wide_bits move_mix_scaled(long_normals* out, const method_terms* terms,
                                       const block_job* job, uint32_t lane)
{
    wide_matrix sum, map;
    wide3 place;
    wide f = mix_of(job, lane), rest = 1.0f - f;
    wide_bits outside = blend_phases(&map, &place, terms, job, lane);
    blend_matrices(&sum, &terms->matrices, job, lane);
    wide3 linear = point_of(&sum, load3(job->positions, lane));
    put3(job, job->moved_positions, lane, add3(scale3(linear, rest), scale3(place, f)));
    WIDE_WHOLE
    for (int i = 0; i < 9; ++i)
    {
        wide* to = &sum.m[i / 3][i % 3];
        *to = wide_mad(map.m[i / 3][i % 3], f, *to * rest);
    }
    return outside | carry_directions(out, job, &sum, lane);
}

PELTI_INLINE wide_bits move_crs_scaled(long_normals* out, const method_terms* terms,
                                       const block_job* job, uint32_t lane)
{
    wide_matrix sum, map, stretch;
    wide_turn rotation;
    wide3 p = load3(job->positions, lane), c = load3(job->cors, lane);
    blend_matrices(&sum, &terms->matrices, job, lane);
    wide3 center = point_of(&sum, c);
    wide_bits outside = blend_rotations(&rotation, &terms->motions, job, lane);
    blend_stretches(&stretch, &terms->stretches, job, lane);
    matrix_of_turn(&map, &rotation);
    multiply(&map, &stretch);
    put3(job, job->moved_positions, lane, add3(center, linear_of(&map, sub3(p, c))));
    return outside | carry_directions(out, job, &map, lane);
}

#include "deformer_normals.h"

#include "deformer_shapes.h"

#include "deformer_blocks.h"
