// SPDX-License-Identifier: MIT
// Decomposition of joints that neither scale nor mirror, four at a time: such a matrix is a
// rotation up to rounding, which is corrected to first order.
#include "../base/exact.h"

#include "palette.h"

#include "../base/four.h"
#include "../base/wide.h"

typedef struct matrix_lanes
{
    pelti_four m[3][3];
} matrix_lanes;

typedef struct quat_lanes
{
    pelti_four x, y, z, w;
} quat_lanes;

PELTI_INLINE pelti_four choose(pelti_four_mask is_first, pelti_four first, pelti_four second)
{
    return (pelti_four)((is_first & (pelti_four_mask)first) |
                        (~is_first & (pelti_four_mask)second));
}

PELTI_INLINE quat_lanes choose_quat(pelti_four_mask is_first, const quat_lanes* a,
                                    const quat_lanes* b)
{
    return (quat_lanes){choose(is_first, a->x, b->x), choose(is_first, a->y, b->y),
                        choose(is_first, a->z, b->z), choose(is_first, a->w, b->w)};
}

// Column j of row i of four matrices.
PELTI_INLINE pelti_four gather(const pelt_mat34* const matrices[4], int i, int j)
{
    return (pelti_four){matrices[0]->m[i][j], matrices[1]->m[i][j], matrices[2]->m[i][j],
                        matrices[3]->m[i][j]};
}

// e in transpose(a) * a = 1 + e.
PELTI_INLINE matrix_lanes excess_of(const matrix_lanes* a)
{
    matrix_lanes e;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = i; j < 3; ++j)
        {
            e.m[i][j] = e.m[j][i] =
                a->m[0][i] * a->m[0][j] + a->m[1][i] * a->m[1][j] + a->m[2][i] * a->m[2][j];
        }
        e.m[i][i] -= 1.0f;
    }
    return e;
}

// The rotation is a (1 - e / 2) and the stretch 1 + e / 2, up to 3/8 of the square of e: with e no
// longer than 3e-5 that is 3.4e-10, far below the last digit of float.
PELTI_INLINE pelti_four_mask is_small(const matrix_lanes* e)
{
    pelti_four square = e->m[0][0] * e->m[0][0] + e->m[1][1] * e->m[1][1] + e->m[2][2] * e->m[2][2];
    square += 2.0f * (e->m[0][1] * e->m[0][1] + e->m[0][2] * e->m[0][2] + e->m[1][2] * e->m[1][2]);
    return square < 9e-10f;
}

PELTI_INLINE pelti_four determinant_of(const matrix_lanes* a)
{
    return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) +
           a->m[0][1] * (a->m[1][2] * a->m[2][0] - a->m[1][0] * a->m[2][2]) +
           a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]);
}

PELTI_INLINE void correct(matrix_lanes* a, const matrix_lanes* e)
{
    for (int i = 0; i < 3; ++i)
    {
        pelti_four x = a->m[i][0], y = a->m[i][1], z = a->m[i][2];
        for (int j = 0; j < 3; ++j)
        {
            a->m[i][j] -= 0.5f * (x * e->m[0][j] + y * e->m[1][j] + z * e->m[2][j]);
        }
    }
}

// As pelt_quat_from_mat3(): by the largest component.
PELTI_INLINE quat_lanes quat_of(const matrix_lanes* r)
{
    pelti_four xx = r->m[0][0], yy = r->m[1][1], zz = r->m[2][2];
    pelti_four yz = r->m[1][2] + r->m[2][1], zx = r->m[0][2] + r->m[2][0],
               xy = r->m[0][1] + r->m[1][0];
    pelti_four x = r->m[2][1] - r->m[1][2], y = r->m[0][2] - r->m[2][0],
               z = r->m[1][0] - r->m[0][1];
    quat_lanes by_w = {x, y, z, 1.0f + (xx + yy + zz)};
    quat_lanes by_x = {1.0f + xx - yy - zz, xy, zx, x};
    quat_lanes by_y = {xy, 1.0f - xx + yy - zz, yz, y};
    quat_lanes by_z = {zx, yz, 1.0f - xx - yy + zz, z};
    pelti_four trace = xx + yy + zz;

    quat_lanes q = choose_quat(yy >= zz, &by_y, &by_z);
    q = choose_quat((xx >= yy) & (xx >= zz), &by_x, &q);
    q = choose_quat((trace > xx) & (trace > yy) & (trace > zz), &by_w, &q);
    pelti_four length = pelti_four_root(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    pelti_four scale = choose(q.w < 0.0f, (pelti_four){0} - 1.0f, (pelti_four){0} + 1.0f) / length;
    return (quat_lanes){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

// As pelt_dquat_make().
PELTI_INLINE quat_lanes dual_of(const quat_lanes* q, const pelt_mat34* const matrices[4])
{
    pelti_four x = 0.5f * gather(matrices, 0, 3), y = 0.5f * gather(matrices, 1, 3);
    pelti_four z = 0.5f * gather(matrices, 2, 3);
    return (quat_lanes){x * q->w + y * q->z - z * q->y, y * q->w - x * q->z + z * q->x,
                        x * q->y - y * q->x + z * q->w,
                        (pelti_four){0} - x * q->x - y * q->y - z * q->z};
}

// Real scale is far above the rounding of float along a chain of joints.
PELTI_INLINE pelti_four_mask is_identity(const matrix_lanes* e)
{
    pelti_four_mask is_near = {-1, -1, -1, -1};
    for (int i = 0; i < 3; ++i)
    {
        for (int j = i; j < 3; ++j)
        {
            pelti_four half = 0.5f * e->m[i][j];
            is_near &= (half <= PELTI_STRETCH_TOLERANCE) & (half >= -PELTI_STRETCH_TOLERANCE);
        }
    }
    return is_near;
}

PELTI_INLINE uint32_t bits_of(pelti_four_mask a)
{
    return (uint32_t)((a[0] & 1) | (a[1] & 2) | (a[2] & 4) | (a[3] & 8));
}

pelti_rigid_joints pelti_split_rigid(pelti_joint_split out[4], const pelt_mat34* const matrices[4])
{
    matrix_lanes a;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            a.m[i][j] = gather(matrices, i, j);
        }
    }
    matrix_lanes e = excess_of(&a);
    pelti_four_mask is_found = is_small(&e) & (determinant_of(&a) > 0.0f);
    if (bits_of(is_found) == 0)
    {
        return (pelti_rigid_joints){0};
    }
    correct(&a, &e);
    quat_lanes real = quat_of(&a), dual = dual_of(&real, matrices);
    for (int lane = 0; lane < 4; ++lane)
    {
        out[lane].motion = (pelt_dquat){
            {real.x[lane], real.y[lane], real.z[lane], real.w[lane]},
            {dual.x[lane], dual.y[lane], dual.z[lane], dual.w[lane]},
        };
        for (int i = 0; i < 3; ++i)
        {
            for (int j = 0; j < 3; ++j)
            {
                out[lane].stretch.m[i][j] = 0.5f * e.m[i][j][lane] + (i == j ? 1.0f : 0.0f);
            }
        }
    }
    return (pelti_rigid_joints){.found = bits_of(is_found),
                                .identities = bits_of(is_found & is_identity(&e))};
}
