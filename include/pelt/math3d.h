// SPDX-License-Identifier: MIT
// The small mathematics of pelt: vectors, quaternions, dual quaternions, 3x3 and 3x4 matrices.
// Everything is a plain struct passed by value. Column vectors: a point p becomes M * p.
#ifndef PELT_MATH3D_H
#define PELT_MATH3D_H

#include "base.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PELT_PI 3.14159265358979323846f

typedef struct pelt_vec2
{
    float x, y;
} pelt_vec2;

typedef struct pelt_vec3
{
    float x, y, z;
} pelt_vec3;

typedef struct pelt_vec4
{
    float x, y, z, w;
} pelt_vec4;

/// Quaternion x i + y j + z k + w. Unit length where it represents a rotation; q and -q are
/// then the same rotation.
typedef struct pelt_quat
{
    float x, y, z, w;
} pelt_quat;

/// Dual quaternion real + epsilon * dual. Unit (real of length one, real . dual = 0) where it
/// represents a rigid motion: rotate by real, then translate by 2 * dual * conjugate(real).
typedef struct pelt_dquat
{
    pelt_quat real, dual;
} pelt_dquat;

/// m[row][column].
typedef struct pelt_mat3
{
    float m[3][3];
} pelt_mat3;

/// Affine map, m[row][column]: a 3x3 linear part and a translation in column 3. The three rows
/// are three four-component vectors on the GPU.
typedef struct pelt_mat34
{
    float m[3][4];
} pelt_mat34;

/// Scale, then rotate, then translate. Scales may be negative, zero or different per axis.
typedef struct pelt_transform
{
    pelt_vec3 translation;
    pelt_quat rotation;
    pelt_vec3 scale;
} pelt_transform;

// ---------------------------------------------------------------------------------------------
// Vectors

static inline pelt_vec3 pelt_vec3_make(float x, float y, float z)
{
    pelt_vec3 v = {x, y, z};
    return v;
}

/// Component 0 to 2. Indexing a pointer to x is undefined, and compilers may conclude that y and z
/// are not read or written.
static inline float pelt_vec3_component(pelt_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static inline float* pelt_vec3_component_at(pelt_vec3* v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static inline pelt_vec3 pelt_vec3_add(pelt_vec3 a, pelt_vec3 b)
{
    return pelt_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline pelt_vec3 pelt_vec3_sub(pelt_vec3 a, pelt_vec3 b)
{
    return pelt_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline pelt_vec3 pelt_vec3_scale(pelt_vec3 a, float s)
{
    return pelt_vec3_make(a.x * s, a.y * s, a.z * s);
}

/// a + s * b
static inline pelt_vec3 pelt_vec3_mad(pelt_vec3 a, float s, pelt_vec3 b)
{
    return pelt_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/// (1 - t) * a + t * b; exactly a at 0 and exactly b at 1.
static inline pelt_vec3 pelt_vec3_lerp(pelt_vec3 a, pelt_vec3 b, float t)
{
    return pelt_vec3_mad(pelt_vec3_scale(a, 1.0f - t), t, b);
}

static inline float pelt_vec3_dot(pelt_vec3 a, pelt_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline pelt_vec3 pelt_vec3_cross(pelt_vec3 a, pelt_vec3 b)
{
    return pelt_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/// Also of vectors whose square would leave the range of float.
static inline float pelt_vec3_length(pelt_vec3 a)
{
    float square = pelt_vec3_dot(a, a);
    if (!(square > 1e-30f && square < 1e30f))
    {
        float largest = fmaxf(fabsf(a.x), fmaxf(fabsf(a.y), fabsf(a.z)));
        if (largest > 0.0f && largest < INFINITY)
        {
            pelt_vec3 b = pelt_vec3_make(a.x / largest, a.y / largest, a.z / largest);
            return largest * sqrtf(pelt_vec3_dot(b, b));
        }
    }
    return sqrtf(square);
}

static inline float pelt_vec3_distance(pelt_vec3 a, pelt_vec3 b)
{
    return pelt_vec3_length(pelt_vec3_sub(a, b));
}

/// Unit vector along a. Zero stays zero. Components far from one are scaled first, so that a
/// tiny or huge vector keeps its direction where its square would leave the range of float.
static inline pelt_vec3 pelt_vec3_normalize(pelt_vec3 a)
{
    float largest = fmaxf(fabsf(a.x), fmaxf(fabsf(a.y), fabsf(a.z)));
    if (!(largest > 0.0f))
    {
        return pelt_vec3_make(0.0f, 0.0f, 0.0f);
    }
    pelt_vec3 b = pelt_vec3_make(a.x / largest, a.y / largest, a.z / largest);
    return pelt_vec3_scale(b, 1.0f / pelt_vec3_length(b));
}

// ---------------------------------------------------------------------------------------------
// Quaternions

static inline pelt_quat pelt_quat_make(float x, float y, float z, float w)
{
    pelt_quat q = {x, y, z, w};
    return q;
}

static inline pelt_quat pelt_quat_identity(void)
{
    return pelt_quat_make(0.0f, 0.0f, 0.0f, 1.0f);
}

static inline pelt_quat pelt_quat_conjugate(pelt_quat q)
{
    return pelt_quat_make(-q.x, -q.y, -q.z, q.w);
}

static inline pelt_quat pelt_quat_add(pelt_quat a, pelt_quat b)
{
    return pelt_quat_make(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

static inline pelt_quat pelt_quat_scale(pelt_quat q, float s)
{
    return pelt_quat_make(q.x * s, q.y * s, q.z * s, q.w * s);
}

static inline float pelt_quat_dot(pelt_quat a, pelt_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// a * b: rotate by b first, then by a.
static inline pelt_quat pelt_quat_mul(pelt_quat a, pelt_quat b)
{
    return pelt_quat_make(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                          a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

/// Unit quaternion along q, of any size; the identity when q is zero.
static inline pelt_quat pelt_quat_normalize(pelt_quat q)
{
    float square = pelt_quat_dot(q, q);
    if (!(square > 1e-30f && square < 1e30f))
    {
        float largest = fmaxf(fmaxf(fabsf(q.x), fabsf(q.y)), fmaxf(fabsf(q.z), fabsf(q.w)));
        if (!(largest > 0.0f))
        {
            return pelt_quat_identity();
        }
        q = pelt_quat_make(q.x / largest, q.y / largest, q.z / largest, q.w / largest);
        square = pelt_quat_dot(q, q);
    }
    return pelt_quat_scale(q, 1.0f / sqrtf(square));
}

/// v rotated by the unit quaternion q.
static inline pelt_vec3 pelt_quat_rotate(pelt_quat q, pelt_vec3 v)
{
    pelt_vec3 u = pelt_vec3_make(q.x, q.y, q.z);
    pelt_vec3 t = pelt_vec3_mad(pelt_vec3_cross(u, v), q.w, v);
    return pelt_vec3_mad(v, 2.0f, pelt_vec3_cross(u, t));
}

/// Rotation by angle (radians, right-handed) about axis, which need not have unit length.
static inline pelt_quat pelt_quat_axis_angle(pelt_vec3 axis, float angle)
{
    pelt_vec3 u = pelt_vec3_scale(pelt_vec3_normalize(axis), sinf(0.5f * angle));
    return pelt_quat_make(u.x, u.y, u.z, cosf(0.5f * angle));
}

/// Constant-speed interpolation on the shorter arc between unit quaternions.
PELT_API pelt_quat pelt_quat_slerp(pelt_quat a, pelt_quat b, float t);

/// The unit quaternion, w >= 0, of a rotation matrix.
PELT_API pelt_quat pelt_quat_from_mat3(const pelt_mat3* rotation);

// ---------------------------------------------------------------------------------------------
// Dual quaternions

/// The rigid motion that rotates, then translates.
static inline pelt_dquat pelt_dquat_make(pelt_quat rotation, pelt_vec3 translation)
{
    // Halved first, so that no sum is longer than the translation.
    pelt_quat half =
        pelt_quat_make(0.5f * translation.x, 0.5f * translation.y, 0.5f * translation.z, 0.0f);
    pelt_dquat d = {rotation, pelt_quat_mul(half, rotation)};
    return d;
}

static inline pelt_dquat pelt_dquat_add(pelt_dquat a, pelt_dquat b)
{
    pelt_dquat d = {pelt_quat_add(a.real, b.real), pelt_quat_add(a.dual, b.dual)};
    return d;
}

static inline pelt_dquat pelt_dquat_scale(pelt_dquat a, float s)
{
    pelt_dquat d = {pelt_quat_scale(a.real, s), pelt_quat_scale(a.dual, s)};
    return d;
}

/// a * b: move by b first, then by a.
static inline pelt_dquat pelt_dquat_mul(pelt_dquat a, pelt_dquat b)
{
    pelt_dquat d = {pelt_quat_mul(a.real, b.real),
                    pelt_quat_add(pelt_quat_mul(a.real, b.dual), pelt_quat_mul(a.dual, b.real))};
    return d;
}

/// Divide by the length of the real part, which is what blending needs: the part of the dual
/// quaternion along the real one does not move points. Zero becomes the identity.
static inline pelt_dquat pelt_dquat_normalize(pelt_dquat a)
{
    float length = sqrtf(pelt_quat_dot(a.real, a.real));
    if (!(length > 0.0f))
    {
        pelt_dquat identity = {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};
        return identity;
    }
    return pelt_dquat_scale(a, 1.0f / length);
}

/// The translation of a unit dual quaternion: the vector part of 2 * dual * conjugate(real).
static inline pelt_vec3 pelt_dquat_translation(pelt_dquat a)
{
    pelt_quat t = pelt_quat_mul(a.dual, pelt_quat_conjugate(a.real));
    return pelt_vec3_make(2.0f * t.x, 2.0f * t.y, 2.0f * t.z);
}

/// p moved by the unit dual quaternion a.
static inline pelt_vec3 pelt_dquat_point(pelt_dquat a, pelt_vec3 p)
{
    return pelt_vec3_add(pelt_quat_rotate(a.real, p), pelt_dquat_translation(a));
}

// ---------------------------------------------------------------------------------------------
// 3x3 matrices

static inline pelt_mat3 pelt_mat3_identity(void)
{
    pelt_mat3 a = {{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
    return a;
}

static inline pelt_vec3 pelt_mat3_vector(const pelt_mat3* a, pelt_vec3 v)
{
    return pelt_vec3_make(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                          a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                          a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

static inline pelt_mat3 pelt_mat3_mul(const pelt_mat3* a, const pelt_mat3* b)
{
    pelt_mat3 c;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        }
    }
    return c;
}

/// a + s * b
static inline pelt_mat3 pelt_mat3_mad(const pelt_mat3* a, float s, const pelt_mat3* b)
{
    pelt_mat3 c;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            c.m[i][j] = a->m[i][j] + s * b->m[i][j];
        }
    }
    return c;
}

/// a times the transpose of b: takes b to a, if b is a unit vector.
static inline pelt_mat3 pelt_mat3_outer(pelt_vec3 a, pelt_vec3 b)
{
    pelt_mat3 c = {{{a.x * b.x, a.x * b.y, a.x * b.z},
                    {a.y * b.x, a.y * b.y, a.y * b.z},
                    {a.z * b.x, a.z * b.y, a.z * b.z}}};
    return c;
}

static inline pelt_mat3 pelt_mat3_transpose(const pelt_mat3* a)
{
    pelt_mat3 t;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            t.m[i][j] = a->m[j][i];
        }
    }
    return t;
}

/// The matrix of cofactors, det(a) * inverse(transpose(a)): what carries normals. It exists for
/// singular matrices too, and equals a for rotations.
static inline pelt_mat3 pelt_mat3_cofactor(const pelt_mat3* a)
{
    pelt_mat3 c;
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

static inline float pelt_mat3_determinant(const pelt_mat3* a)
{
    pelt_mat3 c = pelt_mat3_cofactor(a);
    return a->m[0][0] * c.m[0][0] + a->m[0][1] * c.m[0][1] + a->m[0][2] * c.m[0][2];
}

/// Rotation matrix of a unit quaternion.
static inline pelt_mat3 pelt_mat3_from_quat(pelt_quat q)
{
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    pelt_mat3 a = {{{1.0f - (q.y * y2 + q.z * z2), q.x * y2 - q.w * z2, q.x * z2 + q.w * y2},
                    {q.x * y2 + q.w * z2, 1.0f - (q.x * x2 + q.z * z2), q.y * z2 - q.w * x2},
                    {q.x * z2 - q.w * y2, q.y * z2 + q.w * x2, 1.0f - (q.x * x2 + q.y * y2)}}};
    return a;
}

/// Polar decomposition a = rotation * stretch, with a proper rotation and a symmetric stretch.
///
/// The rotation is the one nearest to a. When a mirrors (negative determinant) the reflection
/// stays in the stretch, which is then negative definite; this choice moves along when the
/// world is rotated or mirrored. Any direction that a singular matrix flattens is completed to
/// some rotation; the zero matrix gives the identity and zero. Finite in, finite out: a stretch
/// beyond FLT_MAX is cut off there.
PELT_API void pelt_mat3_polar(pelt_mat3* rotation, pelt_mat3* stretch, const pelt_mat3* a);

// ---------------------------------------------------------------------------------------------
// 3x4 matrices and transforms

static inline pelt_mat34 pelt_mat34_identity(void)
{
    pelt_mat34 a = {{{1.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f, 0.0f}}};
    return a;
}

static inline pelt_mat34 pelt_mat34_make(const pelt_mat3* linear, pelt_vec3 t)
{
    pelt_mat34 a = {{{linear->m[0][0], linear->m[0][1], linear->m[0][2], t.x},
                     {linear->m[1][0], linear->m[1][1], linear->m[1][2], t.y},
                     {linear->m[2][0], linear->m[2][1], linear->m[2][2], t.z}}};
    return a;
}

/// From the 16 floats of a 4x4 matrix, column after column, as OpenGL, glTF and most engines store
/// it. Its last row is assumed to be 0 0 0 1.
static inline pelt_mat34 pelt_mat34_from_columns(const float columns[16])
{
    pelt_mat34 a;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 4; ++j)
        {
            a.m[i][j] = columns[4 * j + i];
        }
    }
    return a;
}

/// To the 16 floats of a 4x4 matrix, column after column.
static inline void pelt_mat34_to_columns(float columns[16], const pelt_mat34* a)
{
    for (int j = 0; j < 4; ++j)
    {
        for (int i = 0; i < 3; ++i)
        {
            columns[4 * j + i] = a->m[i][j];
        }
        columns[4 * j + 3] = j == 3 ? 1.0f : 0.0f;
    }
}

/// How the matrices of other programs lie in memory. The last row of 4x4 matrices is not read:
/// 0 0 0 1, for matrices that act on column vectors.
typedef enum pelt_matrix_layout
{
    PELT_MATRIX_ROWS_3X4 = 0, ///< 12 floats, row after row: pelt_mat34
    PELT_MATRIX_ROWS_4X4,     ///< 16 floats, row after row: numpy, C arrays
    PELT_MATRIX_COLUMNS_4X4,  ///< 16 floats, column after column: OpenGL, glTF, most engines
    PELT_MATRIX_LAYOUT_COUNT
} pelt_matrix_layout;

/// Matrix number `index` of an array.
PELT_API pelt_mat34 pelt_mat34_load(const float* matrices, pelt_matrix_layout layout, size_t index);

static inline pelt_mat3 pelt_mat34_linear(const pelt_mat34* a)
{
    pelt_mat3 b = {{{a->m[0][0], a->m[0][1], a->m[0][2]},
                    {a->m[1][0], a->m[1][1], a->m[1][2]},
                    {a->m[2][0], a->m[2][1], a->m[2][2]}}};
    return b;
}

static inline pelt_vec3 pelt_mat34_translation(const pelt_mat34* a)
{
    return pelt_vec3_make(a->m[0][3], a->m[1][3], a->m[2][3]);
}

static inline pelt_vec3 pelt_mat34_point(const pelt_mat34* a, pelt_vec3 p)
{
    return pelt_vec3_make(a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->m[0][3],
                          a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->m[1][3],
                          a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->m[2][3]);
}

/// a + s * b
static inline pelt_mat34 pelt_mat34_mad(const pelt_mat34* a, float s, const pelt_mat34* b)
{
    pelt_mat34 c;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 4; ++j)
        {
            c.m[i][j] = a->m[i][j] + s * b->m[i][j];
        }
    }
    return c;
}

/// a * b: apply b first, then a.
static inline pelt_mat34 pelt_mat34_mul(const pelt_mat34* a, const pelt_mat34* b)
{
    pelt_mat34 c;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 4; ++j)
        {
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] +
                        a->m[i][2] * b->m[2][j] + (j == 3 ? a->m[i][3] : 0.0f);
        }
    }
    return c;
}

static inline pelt_mat34 pelt_mat34_from_transform(pelt_transform t)
{
    pelt_mat3 r = pelt_mat3_from_quat(t.rotation);
    for (int i = 0; i < 3; ++i)
    {
        r.m[i][0] *= t.scale.x;
        r.m[i][1] *= t.scale.y;
        r.m[i][2] *= t.scale.z;
    }
    return pelt_mat34_make(&r, t.translation);
}

/// Inverse of an affine map, computed in double precision.
/// @return false, with *out the identity, when there is none that float can hold
PELT_API bool pelt_mat34_inverse(pelt_mat34* out, const pelt_mat34* a);

static inline pelt_transform pelt_transform_identity(void)
{
    pelt_transform t = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};
    return t;
}

/// From a to b: translation and scale on a line, rotation on the shorter arc.
PELT_API pelt_transform pelt_transform_blend(pelt_transform a, pelt_transform b, float t);

#ifdef __cplusplus
}
#endif

#endif
