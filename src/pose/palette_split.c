// SPDX-License-Identifier: MIT
// The polar decomposition of joints that scale, two at a time. pelt_mat3_polar() is the definition,
// by principal axes. For well-conditioned joints, which nearly all are, Newton's iteration (Higham
// 1986) gives the same rotation without them: no steps for a uniform scale, four or five where axes
// scale differently.
#include "../base/exact.h"

#include "palette.h"

#include "../base/wide.h"

typedef double lanes __attribute__((vector_size(16)));
typedef float float_lanes __attribute__((vector_size(8)));
typedef int64_t lane_mask __attribute__((vector_size(16)));

typedef struct matrix_pair
{
    lanes m[3][3];
} matrix_pair;

// Lanes must not depend on each other: a joint has the same result next to any neighbor.
PELTI_INLINE lanes choose(lane_mask is_first, lanes first, lanes second)
{
    return (lanes)((is_first & (lane_mask)first) | (~is_first & (lane_mask)second));
}

PELTI_INLINE lanes root(lanes a)
{
    return (lanes){sqrt(a[0]), sqrt(a[1])};
}

PELTI_INLINE bool is_everywhere(lane_mask a)
{
    return (a[0] & a[1]) != 0;
}

PELTI_INLINE matrix_pair load_linear(const pelt_mat34* first, const pelt_mat34* second)
{
    matrix_pair out;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            out.m[i][j] = (lanes){first->m[i][j], second->m[i][j]};
        }
    }
    return out;
}

PELTI_INLINE matrix_pair cofactors_of(const matrix_pair* a)
{
    matrix_pair c;
    for (int i = 0; i < 3; ++i)
    {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j)
        {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c.m[i][j] = a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1];
        }
    }
    return c;
}

PELTI_INLINE lanes determinant_of(const matrix_pair* a)
{
    matrix_pair c = cofactors_of(a);
    return a->m[0][0] * c.m[0][0] + a->m[0][1] * c.m[0][1] + a->m[0][2] * c.m[0][2];
}

PELTI_INLINE lanes square_of(const matrix_pair* a)
{
    lanes sum = {0.0, 0.0};
    for (int i = 0; i < 3; ++i)
    {
        sum += a->m[i][0] * a->m[i][0] + a->m[i][1] * a->m[i][1] + a->m[i][2] * a->m[i][2];
    }
    return sum;
}

// Upper triangle of transpose(a) * b, which is symmetric but for rounding.
PELTI_INLINE matrix_pair symmetric_product(const matrix_pair* a, const matrix_pair* b)
{
    matrix_pair out;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = i; j < 3; ++j)
        {
            out.m[i][j] = out.m[j][i] =
                a->m[0][i] * b->m[0][j] + a->m[1][i] * b->m[1][j] + a->m[2][i] * b->m[2][j];
        }
    }
    return out;
}

PELTI_INLINE matrix_pair scaled(const matrix_pair* a, lanes scale)
{
    matrix_pair out;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            out.m[i][j] = a->m[i][j] * scale;
        }
    }
    return out;
}

// ---------------------------------------------------------------------------------------------

// e in transpose(x) * x = 1 + e.
PELTI_INLINE matrix_pair excess_of(const matrix_pair* x)
{
    matrix_pair e = symmetric_product(x, x);
    for (int i = 0; i < 3; ++i)
    {
        e.m[i][i] -= 1.0;
    }
    return e;
}

// The orthogonal factor is x (1 - e / 2) up to 3/8 of the square of e. With e no longer than 3e-5
// that is below 3.4e-10, far below the last digit of a float near one.
PELTI_INLINE lane_mask is_orthogonal(const matrix_pair* e)
{
    return square_of(e) < 9e-10;
}

PELTI_INLINE void correct(matrix_pair* x, const matrix_pair* e)
{
    for (int i = 0; i < 3; ++i)
    {
        lanes row[3] = {x->m[i][0], x->m[i][1], x->m[i][2]};
        for (int j = 0; j < 3; ++j)
        {
            x->m[i][j] -= 0.5 * (row[0] * e->m[0][j] + row[1] * e->m[1][j] + row[2] * e->m[2][j]);
        }
    }
}

// x = (f x + transpose(inverse(x)) / f) / 2. At first f makes both summands equally long, which
// saves steps; near the solution f is one, and each step doubles the digits. Lanes that have
// converged do not change.
PELTI_INLINE void step(matrix_pair* x, const matrix_pair* e, lane_mask is_there)
{
    const lanes one = {1.0, 1.0}, zero = {0.0, 0.0};
    matrix_pair c = cofactors_of(x);
    lanes determinant = determinant_of(x), f = one;
    lane_mask is_near = square_of(e) < 0.1;
    if (!is_everywhere(is_near))
    {
        lanes ratio = square_of(&c) / (square_of(x) * determinant * determinant);
        f = choose(is_near, one, root(root(ratio)));
    }
    lanes own = choose(is_there, one, 0.5 * f);
    lanes other = choose(is_there, zero, 0.5 / (f * determinant));
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            x->m[i][j] = own * x->m[i][j] + other * c.m[i][j];
        }
    }
}

// Whether the largest stretch is at most 1000 times the smallest. Flat or zero matrices are left to
// the definition.
PELTI_INLINE lane_mask is_well_conditioned(const matrix_pair* x)
{
    matrix_pair c = cofactors_of(x);
    lanes determinant = determinant_of(x);
    return square_of(x) * square_of(&c) < 1e6 * (determinant * determinant);
}

typedef struct split_pair
{
    matrix_pair rotation, stretch;
    lanes handedness;   // 1, or -1 for a mirror
    lane_mask is_found; // the other lanes are undefined
} split_pair;

static split_pair split(const matrix_pair* a)
{
    enum
    {
        STEPS_MAX = 12
    };
    split_pair out;
    lanes square = square_of(a);
    matrix_pair x = scaled(a, 1.0 / root(square * (1.0 / 3.0)));
    matrix_pair e = excess_of(&x);
    // Matrices beyond the range of float and NaN are left to the definition.
    out.is_found = is_orthogonal(&e) & (square < 1e76);
    if (!is_everywhere(out.is_found))
    {
        lane_mask is_sound = is_well_conditioned(&x) & (square < 1e76);
        for (int i = 0; i < STEPS_MAX && !is_everywhere(out.is_found | ~is_sound); ++i)
        {
            step(&x, &e, out.is_found);
            e = excess_of(&x);
            out.is_found |= is_orthogonal(&e) & is_sound;
        }
    }
    correct(&x, &e);

    // For a mirror the negative is the rotation, with a negative definite stretch.
    out.handedness = choose(determinant_of(&x) < 0.0, (lanes){-1.0, -1.0}, (lanes){1.0, 1.0});
    out.rotation = scaled(&x, out.handedness);
    out.stretch = symmetric_product(&out.rotation, a);
    return out;
}

PELTI_INLINE void unload(pelt_mat3 out[2], const matrix_pair* from)
{
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            float_lanes value = __builtin_convertvector(from->m[i][j], float_lanes);
            out[0].m[i][j] = value[0];
            out[1].m[i][j] = value[1];
        }
    }
}

void pelti_split_two(pelti_joint_split out[2], int handedness[2],
                     const pelt_mat34* const matrices[2])
{
    matrix_pair linear = load_linear(matrices[0], matrices[1]);
    split_pair both = split(&linear);
    pelt_mat3 rotations[2], stretches[2];
    unload(rotations, &both.rotation);
    unload(stretches, &both.stretch);
    for (int i = 0; i < 2; ++i)
    {
        handedness[i] = both.handedness[i] < 0.0 ? -1 : 1;
        if (both.is_found[i] == 0)
        {
            pelt_mat3 own = pelt_mat34_linear(matrices[i]);
            pelt_mat3_polar(&rotations[i], &stretches[i], &own);
            handedness[i] = pelti_handedness_of(&stretches[i]);
        }
        out[i].motion = pelt_dquat_make(pelt_quat_from_mat3(&rotations[i]),
                                        pelt_mat34_translation(matrices[i]));
        out[i].stretch = stretches[i];
    }
}
