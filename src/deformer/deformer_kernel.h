// SPDX-License-Identifier: MIT
// The kernels of deformers, written once over a wide float; deformer_base.c and others compile
// them. Matrix entries and quaternions of a joint are broadcast to all vertices of a block, which
// share the list of joints and have a plane of weights for each. A method is one function.
#include "../base/wide_kernel.h"

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

PELTI_INLINE void store3(float planes[3][PELTI_BLOCK], uint32_t lane, wide3 value)
{
    wide_store(&planes[0][lane], value.x);
    wide_store(&planes[1][lane], value.y);
    wide_store(&planes[2][lane], value.z);
}

PELTI_INLINE wide dot3(wide3 a, wide3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

PELTI_INLINE wide3 scale3(wide3 a, wide s)
{
    return (wide3){a.x * s, a.y * s, a.z * s};
}

PELTI_INLINE wide3 linear_of(const wide_matrix* a, wide3 v)
{
    return (wide3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                   a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                   a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

PELTI_INLINE wide3 point_of(const wide_matrix* a, wide3 p)
{
    wide3 out = linear_of(a, p);
    return (wide3){out.x + a->m[0][3], out.y + a->m[1][3], out.z + a->m[2][3]};
}

PELTI_INLINE wide3 cofactor_of(const wide_matrix* a, wide3 v)
{
    wide out[3];
    for (int i = 0; i < 3; ++i)
    {
        const wide *b = a->m[(i + 1) % 3], *c = a->m[(i + 2) % 3];
        out[i] = (b[1] * c[2] - b[2] * c[1]) * v.x + (b[2] * c[0] - b[0] * c[2]) * v.y +
                 (b[0] * c[1] - b[1] * c[0]) * v.z;
    }
    return (wide3){out[0], out[1], out[2]};
}

// 1 / sqrt(a) to 7e-7, the same bits everywhere: the logarithm of a number is nearly its bits, and
// half of it, negated, a first guess. One step with the constants of Jan Kadlec (2010) leaves
// 6.5e-4, one of Newton the square of that.
PELTI_INLINE wide reciprocal_root(wide a)
{
    wide y = (wide)(0x5f1ffff9 - ((wide_int)a >> 1));
    y = y * (0.703952253f * (2.38924456f - a * y * y));
    return y * (1.5f - 0.5f * a * (y * y));
}

// Whether all squares are far enough from both ends of float to be trusted, as in deform_each.h.
PELTI_INLINE wide_int is_trusted(wide square)
{
    return (square > 1e-30f) & (square < 1e30f);
}

PELTI_INLINE bool is_everywhere(wide_int a)
{
    uint64_t words[PELTI_WIDE_LANES / 2], all = UINT64_MAX;
    memcpy(words, &a, sizeof words);
    for (int i = 0; i < PELTI_WIDE_LANES / 2; ++i)
    {
        all &= words[i];
    }
    return all == UINT64_MAX;
}

PELTI_INLINE wide weights_of(const pelti_block_job* job, uint32_t joint, uint32_t lane)
{
    size_t at = (size_t)joint * PELTI_BLOCK + lane;
    return job->weights != NULL ? wide_load(job->weights + at)
                                : wide_load_u16(job->weights_u16 + at) * (1.0f / 65535.0f);
}

// ---------------------------------------------------------------------------------------------
// Blends

PELTI_INLINE void blend_matrices(wide_matrix* out, const pelti_block_job* job, uint32_t lane)
{
    const pelt_mat34* matrix = &job->palette->matrices[job->joints[0]];
    wide weight = weights_of(job, 0, lane);
    for (int i = 0; i < 12; ++i)
    {
        out->m[i / 4][i % 4] = weight * matrix->m[i / 4][i % 4];
    }
    for (uint32_t joint = 1; joint < job->joint_count; ++joint)
    {
        matrix = &job->palette->matrices[job->joints[joint]];
        weight = weights_of(job, joint, lane);
        for (int i = 0; i < 12; ++i)
        {
            out->m[i / 4][i % 4] += weight * matrix->m[i / 4][i % 4];
        }
    }
}

PELTI_INLINE void add_quat(wide_quat* sum, wide weight, pelt_quat q)
{
    sum->x += weight * q.x;
    sum->y += weight * q.y;
    sum->z += weight * q.z;
    sum->w += weight * q.w;
}

PELTI_INLINE wide square_of(const wide_quat* q)
{
    return q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w;
}

// The matrix of a quaternion of any length: `two` is 2 / its square.
PELTI_INLINE void matrix_of_quat(wide_matrix* out, const wide_quat* q, wide two)
{
    wide x = q->x * two, y = q->y * two, z = q->z * two;
    wide xx = q->x * x, yy = q->y * y, zz = q->z * z;
    wide xy = q->x * y, xz = q->x * z, yz = q->y * z;
    wide wx = q->w * x, wy = q->w * y, wz = q->w * z;
    out->m[0][0] = 1.0f - (yy + zz);
    out->m[0][1] = xy - wz;
    out->m[0][2] = xz + wy;
    out->m[1][0] = xy + wz;
    out->m[1][1] = 1.0f - (xx + zz);
    out->m[1][2] = yz - wx;
    out->m[2][0] = xz - wy;
    out->m[2][1] = yz + wx;
    out->m[2][2] = 1.0f - (xx + yy);
}

// The mean motion as dual quaternions. Returns where quaternions do not cancel.
PELTI_INLINE wide_int blend_motions(wide_matrix* out, const pelti_block_job* job, uint32_t lane)
{
    wide_quat real = {{0}, {0}, {0}, {0}}, dual = {{0}, {0}, {0}, {0}};
    for (uint32_t i = 0; i < job->joint_count; ++i)
    {
        const pelt_dquat* motion = &job->palette->motions[job->joints[i]];
        wide weight = weights_of(job, i, lane) * job->signs[i];
        add_quat(&real, weight, motion->real);
        add_quat(&dual, weight, motion->dual);
    }
    wide square = square_of(&real), two = 2.0f / square;
    matrix_of_quat(out, &real, two);
    out->m[0][3] = two * (real.w * dual.x - dual.w * real.x + dual.z * real.y - dual.y * real.z);
    out->m[1][3] = two * (real.w * dual.y - dual.w * real.y + dual.x * real.z - dual.z * real.x);
    out->m[2][3] = two * (real.w * dual.z - dual.w * real.z + dual.y * real.x - dual.x * real.y);
    return square > 1e-6f;
}

// The same for rotations alone.
PELTI_INLINE wide_int blend_rotations(wide_matrix* out, const pelti_block_job* job, uint32_t lane)
{
    wide_quat sum = {{0}, {0}, {0}, {0}};
    for (uint32_t i = 0; i < job->joint_count; ++i)
    {
        wide weight = weights_of(job, i, lane) * job->signs[i];
        add_quat(&sum, weight, job->palette->motions[job->joints[i]].real);
    }
    wide square = square_of(&sum);
    matrix_of_quat(out, &sum, 2.0f / square);
    return square > 1e-6f;
}

// The mean stretch.
PELTI_INLINE void blend_stretches(wide_matrix* out, const pelti_block_job* job, uint32_t lane)
{
    *out = (wide_matrix){0};
    for (uint32_t joint = 0; joint < job->joint_count; ++joint)
    {
        const pelt_mat3* stretch = &job->palette->stretches[job->joints[joint]];
        wide weight = weights_of(job, joint, lane);
        for (int i = 0; i < 9; ++i)
        {
            out->m[i / 3][i % 3] += weight * stretch->m[i / 3][i % 3];
        }
    }
}

PELTI_INLINE wide3 turn_by(const pelt_mat34* a, wide3 v)
{
    return (wide3){v.x * a->m[0][0] + v.y * a->m[0][1] + v.z * a->m[0][2],
                   v.x * a->m[1][0] + v.y * a->m[1][1] + v.z * a->m[1][2],
                   v.x * a->m[2][0] + v.y * a->m[2][1] + v.z * a->m[2][2]};
}

// The mean of motions about the vertex, see pelti_motion_at(): its rotation, and the place to which
// it takes the vertex.
PELTI_INLINE wide_int blend_motions_at(wide_matrix* out, wide3* place, const pelti_block_job* job,
                                       uint32_t lane)
{
    wide_quat real = {{0}, {0}, {0}, {0}}, dual = {{0}, {0}, {0}, {0}};
    wide3 p = load3(job->positions, lane);
    for (uint32_t i = 0; i < job->joint_count; ++i)
    {
        const pelt_mat34* matrix = &job->palette->matrices[job->joints[i]];
        pelt_quat q = job->palette->motions[job->joints[i]].real;
        wide weight = weights_of(job, i, lane) * job->signs[i];
        wide3 y = turn_by(matrix, p);
        y = (wide3){y.x + matrix->m[0][3], y.y + matrix->m[1][3], y.z + matrix->m[2][3]};
        add_quat(&real, weight, q);
        dual.x += weight * (y.x * q.w + y.y * q.z - y.z * q.y);
        dual.y += weight * (y.y * q.w - y.x * q.z + y.z * q.x);
        dual.z += weight * (y.x * q.y - y.y * q.x + y.z * q.w);
        dual.w -= weight * (y.x * q.x + y.y * q.y + y.z * q.z);
    }
    wide square = square_of(&real), one = 1.0f / square;
    matrix_of_quat(out, &real, 2.0f * one);
    place->x = one * (real.w * dual.x - dual.w * real.x + dual.z * real.y - dual.y * real.z);
    place->y = one * (real.w * dual.y - dual.w * real.y + dual.x * real.z - dual.z * real.x);
    place->z = one * (real.w * dual.z - dual.w * real.z + dual.y * real.x - dual.x * real.y);
    return square > 1e-6f;
}

// a = a * b, of linear parts.
PELTI_INLINE void multiply(wide_matrix* a, const wide_matrix* b)
{
    for (int i = 0; i < 3; ++i)
    {
        wide x = a->m[i][0], y = a->m[i][1], z = a->m[i][2];
        for (int j = 0; j < 3; ++j)
        {
            a->m[i][j] = x * b->m[0][j] + y * b->m[1][j] + z * b->m[2][j];
        }
    }
}

// Both phases of dqs: the map of the vertex's surroundings, and where it goes.
PELTI_INLINE wide_int blend_phases(wide_matrix* out, wide3* place, const pelti_block_job* job,
                                   uint32_t lane)
{
    wide_matrix stretch;
    wide_int is_sound;
    blend_stretches(&stretch, job, lane);
    if (job->is_local)
    {
        is_sound = blend_motions_at(out, place, job, lane);
    }
    else
    {
        is_sound = blend_motions(out, job, lane);
        *place = point_of(out, linear_of(&stretch, load3(job->positions, lane)));
    }
    multiply(out, &stretch);
    return is_sound;
}

// ---------------------------------------------------------------------------------------------
// Directions

// By a rotation, which keeps their length.
PELTI_INLINE void turn_directions(pelti_block_result* out, const pelti_block_job* job,
                                  const wide_matrix* rotation, uint32_t lane)
{
    if (job->normals != NULL)
    {
        store3(out->normals, lane, linear_of(rotation, load3(job->normals, lane)));
    }
    if (job->tangents != NULL)
    {
        store3(out->tangents, lane, linear_of(rotation, load3(job->tangents, lane)));
        wide_store(&out->tangents[3][lane], wide_load(job->tangents + 3 * PELTI_BLOCK + lane));
    }
}

// By any map; see pelti_carry_normal(). Returns where squares can be trusted.
PELTI_INLINE wide_int carry_directions(pelti_block_result* out, const pelti_block_job* job,
                                       const wide_matrix* map, uint32_t lane)
{
    wide_int is_sound = (wide_int){0} - 1;
    if (job->normals != NULL)
    {
        wide3 moved = cofactor_of(map, load3(job->normals, lane));
        wide square = dot3(moved, moved);
        is_sound &= is_trusted(square);
        store3(out->normals, lane, scale3(moved, job->side * reciprocal_root(square)));
    }
    if (job->tangents != NULL)
    {
        wide3 moved = linear_of(map, load3(job->tangents, lane));
        wide square = dot3(moved, moved);
        is_sound &= is_trusted(square);
        store3(out->tangents, lane, scale3(moved, reciprocal_root(square)));
        wide_store(&out->tangents[3][lane],
                   job->side * wide_load(job->tangents + 3 * PELTI_BLOCK + lane));
    }
    return is_sound;
}

// ---------------------------------------------------------------------------------------------
// Methods

// All methods agree on a vertex that follows one joint, and there is nothing to blend.
static bool move_rigid(pelti_block_result* out, const pelti_block_job* job)
{
    const pelt_mat34* matrix = &job->palette->matrices[job->joints[0]];
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide3 p = turn_by(matrix, load3(job->positions, lane));
        store3(out->positions, lane,
               (wide3){p.x + matrix->m[0][3], p.y + matrix->m[1][3], p.z + matrix->m[2][3]});
        if (job->normals != NULL)
        {
            store3(out->normals, lane, turn_by(matrix, load3(job->normals, lane)));
        }
        if (job->tangents != NULL)
        {
            store3(out->tangents, lane, turn_by(matrix, load3(job->tangents, lane)));
            wide_store(&out->tangents[3][lane], wide_load(job->tangents + 3 * PELTI_BLOCK + lane));
        }
    }
    return true;
}

static bool move_lbs(pelti_block_result* out, const pelti_block_job* job)
{
    wide_int is_sound = (wide_int){0} - 1;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide_matrix sum;
        blend_matrices(&sum, job, lane);
        store3(out->positions, lane, point_of(&sum, load3(job->positions, lane)));
        is_sound &= carry_directions(out, job, &sum, lane);
    }
    return is_everywhere(is_sound);
}

static bool move_dqs(pelti_block_result* out, const pelti_block_job* job)
{
    wide_int is_sound = (wide_int){0} - 1;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide_matrix motion;
        is_sound &= blend_motions(&motion, job, lane);
        store3(out->positions, lane, point_of(&motion, load3(job->positions, lane)));
        turn_directions(out, job, &motion, lane);
    }
    return is_everywhere(is_sound);
}

PELTI_INLINE wide mix_of(const pelti_block_job* job, uint32_t lane)
{
    return job->mix_factors != NULL ? wide_load(job->mix_factors + lane) : wide_all(job->mix);
}

static bool move_mix(pelti_block_result* out, const pelti_block_job* job)
{
    wide_int is_sound = (wide_int){0} - 1;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide_matrix sum, motion;
        wide f = mix_of(job, lane), rest = 1.0f - f;
        is_sound &= blend_motions(&motion, job, lane);
        blend_matrices(&sum, job, lane);
        for (int i = 0; i < 12; ++i)
        {
            wide* to = &sum.m[i / 4][i % 4];
            *to = *to * rest + motion.m[i / 4][i % 4] * f;
        }
        store3(out->positions, lane, point_of(&sum, load3(job->positions, lane)));
        is_sound &= carry_directions(out, job, &sum, lane);
    }
    return is_everywhere(is_sound);
}

static bool move_crs(pelti_block_result* out, const pelti_block_job* job)
{
    wide_int is_sound = (wide_int){0} - 1;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide_matrix sum, rotation;
        wide3 p = load3(job->positions, lane), c = load3(job->cors, lane);
        blend_matrices(&sum, job, lane);
        wide3 center = point_of(&sum, c);
        is_sound &= blend_rotations(&rotation, job, lane);
        wide3 arm = linear_of(&rotation, (wide3){p.x - c.x, p.y - c.y, p.z - c.z});
        store3(out->positions, lane, (wide3){center.x + arm.x, center.y + arm.y, center.z + arm.z});
        turn_directions(out, job, &rotation, lane);
    }
    return is_everywhere(is_sound);
}

static bool move_dqs_scaled(pelti_block_result* out, const pelti_block_job* job)
{
    wide_int is_sound = (wide_int){0} - 1;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide_matrix map;
        wide3 place;
        is_sound &= blend_phases(&map, &place, job, lane);
        store3(out->positions, lane, place);
        is_sound &= carry_directions(out, job, &map, lane);
    }
    return is_everywhere(is_sound);
}

static bool move_mix_scaled(pelti_block_result* out, const pelti_block_job* job)
{
    wide_int is_sound = (wide_int){0} - 1;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide_matrix sum, map;
        wide3 place;
        wide f = mix_of(job, lane), rest = 1.0f - f;
        is_sound &= blend_phases(&map, &place, job, lane);
        blend_matrices(&sum, job, lane);
        wide3 linear = point_of(&sum, load3(job->positions, lane));
        store3(out->positions, lane,
               (wide3){rest * linear.x + f * place.x, rest * linear.y + f * place.y,
                       rest * linear.z + f * place.z});
        for (int i = 0; i < 9; ++i)
        {
            wide* to = &sum.m[i / 3][i % 3];
            *to = *to * rest + map.m[i / 3][i % 3] * f;
        }
        is_sound &= carry_directions(out, job, &sum, lane);
    }
    return is_everywhere(is_sound);
}

static bool move_crs_scaled(pelti_block_result* out, const pelti_block_job* job)
{
    wide_int is_sound = (wide_int){0} - 1;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide_matrix sum, map, stretch;
        wide3 p = load3(job->positions, lane), c = load3(job->cors, lane);
        blend_matrices(&sum, job, lane);
        wide3 center = point_of(&sum, c);
        is_sound &= blend_rotations(&map, job, lane);
        blend_stretches(&stretch, job, lane);
        multiply(&map, &stretch);
        wide3 arm = linear_of(&map, (wide3){p.x - c.x, p.y - c.y, p.z - c.z});
        store3(out->positions, lane, (wide3){center.x + arm.x, center.y + arm.y, center.z + arm.z});
        is_sound &= carry_directions(out, job, &map, lane);
    }
    return is_everywhere(is_sound);
}

static void pack3(float* out, const float* planes)
{
    for (uint32_t i = 0; i < PELTI_BLOCK; ++i)
    {
        out[3 * i] = planes[i];
        out[3 * i + 1] = planes[PELTI_BLOCK + i];
        out[3 * i + 2] = planes[2 * PELTI_BLOCK + i];
    }
}

static void pack4(float* out, const float* planes)
{
    for (uint32_t i = 0; i < PELTI_BLOCK; ++i)
    {
        out[4 * i] = planes[i];
        out[4 * i + 1] = planes[PELTI_BLOCK + i];
        out[4 * i + 2] = planes[2 * PELTI_BLOCK + i];
        out[4 * i + 3] = planes[3 * PELTI_BLOCK + i];
    }
}

static const pelti_block_kernels kernels = {
    .move = {[PELT_METHOD_LBS] = move_lbs,
             [PELT_METHOD_DQS] = move_dqs,
             [PELT_METHOD_MIX] = move_mix,
             [PELT_METHOD_CRS] = move_crs},
    .move_scaled = {[PELT_METHOD_LBS] = move_lbs,
                    [PELT_METHOD_DQS] = move_dqs_scaled,
                    [PELT_METHOD_MIX] = move_mix_scaled,
                    [PELT_METHOD_CRS] = move_crs_scaled},
    .move_rigid = move_rigid,
    .pack3 = pack3,
    .pack4 = pack4,
};
