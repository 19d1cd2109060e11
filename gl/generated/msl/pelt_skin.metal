// SPDX-License-Identifier: MIT
// Skinning functions of pelt, translated from its GLSL by tools/shaders.

// Influences per vertex that are read: 1 to 8.
#ifndef PELT_INFLUENCES
#define PELT_INFLUENCES 4
#endif

// How dqs, mix and crs treat scale, shear and mirrors of joints; lbs includes them. The values are
// those of pelt_gpu_scale.
#define PELT_GPU_SCALE_NONE 0   // joints are rigid; if they do scale, it is ignored
#define PELT_GPU_SCALE_LOCAL 1  // about the vertex (crs: about its center)
#define PELT_GPU_SCALE_ORIGIN 2 // about the origin, as in Maya and UsdSkel
#ifndef PELT_SCALE
#define PELT_SCALE PELT_GPU_SCALE_NONE
#endif

// Texels of four floats that the palette has per joint.
#define PELT_LAYOUT_SHARED 0        // 4: rows of the matrix, rotation; all methods, all scales
#define PELT_LAYOUT_MATRIX 1        // 3: rows of the matrix; lbs
#define PELT_LAYOUT_MOTION 2        // 2: rotation, dual part; dqs without scale
#define PELT_LAYOUT_MATRIX_MOTION 3 // 5: rows of the matrix, rotation, dual part; mix without scale
#ifndef PELT_LAYOUT
#define PELT_LAYOUT PELT_LAYOUT_SHARED
#endif

// The sign with which the quaternion of a joint enters a blend.
#define PELT_SIGNS_HEAVIEST 0 // into the hemisphere of the strongest influence
#define PELT_SIGNS_PALETTE 1  // as in the palette, for twists beyond 180 degrees
#ifndef PELT_SIGNS
#define PELT_SIGNS PELT_SIGNS_HEAVIEST
#endif

#pragma clang diagnostic ignored "-Wmissing-prototypes"
#pragma clang diagnostic ignored "-Wmissing-braces"
#include <metal_stdlib>
using namespace metal;

template<typename T, size_t Num>
struct spvUnsafeArray
{
    T elements[Num ? Num : 1];

    thread T& operator [] (size_t pos) thread
    {
        return elements[pos];
    }
    constexpr const thread T& operator [] (size_t pos) const thread
    {
        return elements[pos];
    }

    device T& operator [] (size_t pos) device
    {
        return elements[pos];
    }
    constexpr const device T& operator [] (size_t pos) const device
    {
        return elements[pos];
    }

    constexpr const constant T& operator [] (size_t pos) const constant
    {
        return elements[pos];
    }

    threadgroup T& operator [] (size_t pos) threadgroup
    {
        return elements[pos];
    }
    constexpr const threadgroup T& operator [] (size_t pos) const threadgroup
    {
        return elements[pos];
    }
};

struct pelt_influences
{
    spvUnsafeArray<uint, 8> joints;
    spvUnsafeArray<float, 8> weights;
};

struct pelt_dquat
{
    float4 real;
    float4 dual;
};

struct pelt_rest
{
    float3 position;
    float3 normal;
    float4 tangent;
    float3 center;
    float mix_factor;
    int index;
};

struct pelt_motion
{
    float3x3 linear;
    float3 position;
};

struct pelt_vertex
{
    float3 position;
    float3 normal;
    float4 tangent;
};

static inline __attribute__((always_inline))
pelt_influences pelt_influences_make(thread const uint4& joints, thread const float4& weights, thread const uint4& more_joints, thread const float4& more_weights)
{
    pelt_influences influences;
    for (int i = 0; i < 4; i++)
    {
        influences.joints[i] = joints[i];
        influences.weights[i] = weights[i];
        influences.joints[i + 4] = more_joints[i];
        influences.weights[i + 4] = more_weights[i];
    }
    return influences;
}

static inline __attribute__((always_inline))
float3 pelt_normalize(thread const float3& v)
{
    float largest = fast::max(abs(v.x), fast::max(abs(v.y), abs(v.z)));
    float3 _1028;
    if (largest > 0.0)
    {
        _1028 = fast::normalize(v / float3(largest));
    }
    else
    {
        _1028 = float3(0.0);
    }
    return _1028;
}

static inline __attribute__((always_inline))
float4 pelt_quat_mul(thread const float4& a, thread const float4& b)
{
    return float4(((b.xyz * a.w) + (a.xyz * b.w)) + cross(a.xyz, b.xyz), (a.w * b.w) - dot(a.xyz, b.xyz));
}

static inline __attribute__((always_inline))
float4 pelt_quat_conjugate(thread const float4& q)
{
    return float4(-q.xyz, q.w);
}

static inline __attribute__((always_inline))
float3x3 pelt_mat3_from_quat(thread const float4& q)
{
    float3 d = q.xyz + q.xyz;
    float3 x = d * q.x;
    float3 w = d * q.w;
    float yy = q.y * d.y;
    float yz = q.y * d.z;
    float zz = q.z * d.z;
    return float3x3(float3(float3(1.0 - (yy + zz), x.y + w.z, x.z - w.y)), float3(float3(x.y - w.z, 1.0 - (x.x + zz), yz + w.x)), float3(float3(x.z + w.y, yz - w.x, 1.0 - (x.x + yy))));
}

static inline __attribute__((always_inline))
float3 pelt_dquat_translation(thread const pelt_dquat& d)
{
    return (((d.dual.xyz * d.real.w) - (d.real.xyz * d.dual.w)) + cross(d.real.xyz, d.dual.xyz)) * 2.0;
}

static inline __attribute__((always_inline))
pelt_vertex pelt_vertex_at_rest(thread const pelt_rest& rest)
{
    return pelt_vertex{ rest.position, rest.normal, rest.tangent };
}

static inline __attribute__((always_inline))
bool pelt_is_unweighted(thread const pelt_influences& influences)
{
    return influences.weights[0] == 0.0;
}

static inline __attribute__((always_inline))
float4 pelt_palette_rotation(thread const uint& joint, pelt_palette_source pelt_palette)
{
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION)
    {
        uint param = joint;
        uint param_1 = 0u;
        return pelt_palette_texel(param, param_1, pelt_palette);
    }
    uint param_2 = joint;
    uint param_3 = 3u;
    return pelt_palette_texel(param_2, param_3, pelt_palette);
}

static inline __attribute__((always_inline))
pelt_dquat pelt_dquat_make(thread const float4& rotation, thread const float3& translation)
{
    float3 dual = (translation * rotation.w) + cross(translation, rotation.xyz);
    return pelt_dquat{ rotation, float4(dual, -dot(translation, rotation.xyz)) * 0.5 };
}

static inline __attribute__((always_inline))
pelt_dquat pelt_palette_motion(thread const uint& joint, pelt_palette_source pelt_palette)
{
    uint param = joint;
    float4 rotation = pelt_palette_rotation(param, pelt_palette);
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION)
    {
        uint param_1 = joint;
        uint param_2 = 1u;
        return pelt_dquat{ rotation, pelt_palette_texel(param_1, param_2, pelt_palette) };
    }
    if (PELT_LAYOUT == PELT_LAYOUT_MATRIX_MOTION)
    {
        uint param_3 = joint;
        uint param_4 = 4u;
        return pelt_dquat{ rotation, pelt_palette_texel(param_3, param_4, pelt_palette) };
    }
    uint param_5 = joint;
    uint param_6 = 0u;
    uint param_7 = joint;
    uint param_8 = 1u;
    uint param_9 = joint;
    uint param_10 = 2u;
    float3 translation = float3(pelt_palette_texel(param_5, param_6, pelt_palette).w, pelt_palette_texel(param_7, param_8, pelt_palette).w, pelt_palette_texel(param_9, param_10, pelt_palette).w);
    float4 param_11 = rotation;
    float3 param_12 = translation;
    return pelt_dquat_make(param_11, param_12);
}

static inline __attribute__((always_inline))
float3x4 pelt_palette_matrix(thread const uint& joint, pelt_palette_source pelt_palette)
{
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION)
    {
        uint param = joint;
        pelt_dquat motion = pelt_palette_motion(param, pelt_palette);
        float4 param_1 = motion.real;
        float3x3 rows = transpose(pelt_mat3_from_quat(param_1));
        pelt_dquat param_2 = motion;
        float3 translation = pelt_dquat_translation(param_2);
        return float3x4(float4(float4(rows[0], translation.x)), float4(float4(rows[1], translation.y)), float4(float4(rows[2], translation.z)));
    }
    uint param_3 = joint;
    uint param_4 = 0u;
    uint param_5 = joint;
    uint param_6 = 1u;
    uint param_7 = joint;
    uint param_8 = 2u;
    return float3x4(float4(pelt_palette_texel(param_3, param_4, pelt_palette)), float4(pelt_palette_texel(param_5, param_6, pelt_palette)), float4(pelt_palette_texel(param_7, param_8, pelt_palette)));
}

static inline __attribute__((always_inline))
pelt_motion pelt_skin_lbs(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    float3x4 sum = float3x4(float4(0.0), float4(0.0), float4(0.0));
    for (int i = 0; i < PELT_INFLUENCES; i++)
    {
        uint param = influences.joints[i];
        float3x4 _1539 = pelt_palette_matrix(param, pelt_palette) * influences.weights[i];
        sum = float3x4(sum[0] + _1539[0], sum[1] + _1539[1], sum[2] + _1539[2]);
    }
    return pelt_motion{ transpose(float3x3(sum[0].xyz, sum[1].xyz, sum[2].xyz)), float4(rest.position, 1.0) * sum };
}

static inline __attribute__((always_inline))
float3x3 pelt_strongest_matrix(thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    uint param = influences.joints[0];
    float3x4 _1482 = pelt_palette_matrix(param, pelt_palette);
    return transpose(float3x3(_1482[0].xyz, _1482[1].xyz, _1482[2].xyz));
}

static inline __attribute__((always_inline))
float pelt_handedness_of(thread const float3x3& linear)
{
    return (dot(linear[0], cross(linear[1], linear[2])) < 0.0) ? (-1.0) : 1.0;
}

static inline __attribute__((always_inline))
float3 pelt_unit_or(thread const float3& moved, thread const float3& by_strongest, thread const float3& rest)
{
    if (any(moved != float3(0.0)))
    {
        float3 param = moved;
        return pelt_normalize(param);
    }
    float3 _1054;
    if (any(by_strongest != float3(0.0)))
    {
        float3 param_1 = by_strongest;
        _1054 = pelt_normalize(param_1);
    }
    else
    {
        _1054 = rest;
    }
    return _1054;
}

static inline __attribute__((always_inline))
float3 pelt_move_normal(thread const float3x3& linear, thread const float& handedness, thread const float3x3& strongest, thread const float3& n)
{
    float3x3 cofactor = float3x3(float3(cross(linear[1], linear[2])), float3(cross(linear[2], linear[0])), float3(cross(linear[0], linear[1])));
    float3 param = (cofactor * n) * handedness;
    float3 param_1 = strongest * n;
    float3 param_2 = n;
    return pelt_unit_or(param, param_1, param_2);
}

static inline __attribute__((always_inline))
float4 pelt_move_tangent(thread const float3x3& linear, thread const float& handedness, thread const float3x3& strongest, thread const float4& t)
{
    float3 param = linear * t.xyz;
    float3 param_1 = strongest * t.xyz;
    float3 param_2 = t.xyz;
    return float4(pelt_unit_or(param, param_1, param_2), handedness * t.w);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_move_vertex(thread const pelt_rest& rest, thread const pelt_motion& motion, thread const float& handedness, thread const float3x3& strongest)
{
    float3x3 param = motion.linear;
    float param_1 = handedness;
    float3x3 param_2 = strongest;
    float3 param_3 = rest.normal;
    float3x3 param_4 = motion.linear;
    float param_5 = handedness;
    float3x3 param_6 = strongest;
    float4 param_7 = rest.tangent;
    return pelt_vertex{ motion.position, pelt_move_normal(param, param_1, param_2, param_3), pelt_move_tangent(param_4, param_5, param_6, param_7) };
}

static inline __attribute__((always_inline))
pelt_vertex pelt_move_lbs(thread const pelt_rest& rest, thread const pelt_motion& motion, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    float3x3 strongest = pelt_strongest_matrix(param, pelt_palette);
    float3x3 param_1 = strongest;
    pelt_rest param_2 = rest;
    pelt_motion param_3 = motion;
    float param_4 = pelt_handedness_of(param_1);
    float3x3 param_5 = strongest;
    return pelt_move_vertex(param_2, param_3, param_4, param_5);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_lbs(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    if (pelt_is_unweighted(param))
    {
        pelt_rest param_1 = rest;
        return pelt_vertex_at_rest(param_1);
    }
    pelt_rest param_2 = rest;
    pelt_influences param_3 = influences;
    pelt_rest param_4 = rest;
    pelt_motion param_5 = pelt_skin_lbs(param_2, param_3, pelt_palette);
    pelt_influences param_6 = influences;
    return pelt_move_lbs(param_4, param_5, param_6, pelt_palette);
}

static inline __attribute__((always_inline))
pelt_dquat pelt_motion_at(thread const float3& position, thread const uint& joint, pelt_palette_source pelt_palette)
{
    if (PELT_SCALE == 1)
    {
        uint param = joint;
        float3 moved = float4(position, 1.0) * pelt_palette_matrix(param, pelt_palette);
        uint param_1 = joint;
        float4 param_2 = pelt_palette_rotation(param_1, pelt_palette);
        float3 param_3 = moved;
        return pelt_dquat_make(param_2, param_3);
    }
    uint param_4 = joint;
    return pelt_palette_motion(param_4, pelt_palette);
}

static inline __attribute__((always_inline))
float pelt_sign_of(thread const float4& q, thread const float4& strongest)
{
    bool _1001;
    if (PELT_SIGNS == PELT_SIGNS_HEAVIEST)
    {
        _1001 = dot(strongest, q) < 0.0;
    }
    else
    {
        _1001 = (PELT_SIGNS == PELT_SIGNS_HEAVIEST);
    }
    return _1001 ? (-1.0) : 1.0;
}

static inline __attribute__((always_inline))
bool pelt_is_canceled(thread const float4& sum)
{
    return !(dot(sum, sum) > 9.9999999600419720025001879548654e-13);
}

static inline __attribute__((always_inline))
pelt_dquat pelt_blend_motion(thread const float3& position, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    float3 param = position;
    uint param_1 = influences.joints[0];
    pelt_dquat strongest = pelt_motion_at(param, param_1, pelt_palette);
    pelt_dquat sum = pelt_dquat{ strongest.real * influences.weights[0], strongest.dual * influences.weights[0] };
    for (int i = 1; i < PELT_INFLUENCES; i++)
    {
        float3 param_2 = position;
        uint param_3 = influences.joints[i];
        pelt_dquat motion = pelt_motion_at(param_2, param_3, pelt_palette);
        float4 param_4 = motion.real;
        float4 param_5 = strongest.real;
        float weight = pelt_sign_of(param_4, param_5) * influences.weights[i];
        sum.real += (motion.real * weight);
        sum.dual += (motion.dual * weight);
    }
    float4 param_6 = sum.real;
    if (pelt_is_canceled(param_6))
    {
        return strongest;
    }
    float scale = 1.0 / length(sum.real);
    return pelt_dquat{ sum.real * scale, sum.dual * scale };
}

static inline __attribute__((always_inline))
float3x3 pelt_joint_stretch(thread const uint& joint, pelt_palette_source pelt_palette)
{
    if (PELT_SCALE == 0)
    {
        return float3x3(float3(1.0, 0.0, 0.0), float3(0.0, 1.0, 0.0), float3(0.0, 0.0, 1.0));
    }
    uint param = joint;
    float3x4 _1409 = pelt_palette_matrix(param, pelt_palette);
    uint param_1 = joint;
    float4 param_2 = pelt_palette_rotation(param_1, pelt_palette);
    return float3x3(_1409[0].xyz, _1409[1].xyz, _1409[2].xyz) * pelt_mat3_from_quat(param_2);
}

static inline __attribute__((always_inline))
float3x3 pelt_blend_stretch(thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    if (PELT_SCALE == 0)
    {
        return float3x3(float3(1.0, 0.0, 0.0), float3(0.0, 1.0, 0.0), float3(0.0, 0.0, 1.0));
    }
    float3x3 sum = float3x3(float3(0.0), float3(0.0), float3(0.0));
    for (int i = 0; i < PELT_INFLUENCES; i++)
    {
        uint param = influences.joints[i];
        float3x3 _1462 = pelt_joint_stretch(param, pelt_palette) * influences.weights[i];
        sum = float3x3(sum[0] + _1462[0], sum[1] + _1462[1], sum[2] + _1462[2]);
    }
    return sum;
}

static inline __attribute__((always_inline))
pelt_motion pelt_skin_dqs(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    float3 param = rest.position;
    pelt_influences param_1 = influences;
    pelt_dquat blend = pelt_blend_motion(param, param_1, pelt_palette);
    pelt_dquat param_2 = blend;
    float3 translation = pelt_dquat_translation(param_2);
    float4 param_3 = blend.real;
    float3x3 linear = pelt_mat3_from_quat(param_3);
    if (PELT_SCALE != 0)
    {
        pelt_influences param_4 = influences;
        linear = linear * pelt_blend_stretch(param_4, pelt_palette);
    }
    if (PELT_SCALE == 1)
    {
        return pelt_motion{ linear, translation };
    }
    return pelt_motion{ linear, (linear * rest.position) + translation };
}

static inline __attribute__((always_inline))
float pelt_strongest_handedness(thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    if (PELT_SCALE == 0)
    {
        return 1.0;
    }
    uint param = influences.joints[0];
    float3x4 _1508 = pelt_palette_matrix(param, pelt_palette);
    float3x3 param_1 = float3x3(_1508[0].xyz, _1508[1].xyz, _1508[2].xyz);
    return pelt_handedness_of(param_1);
}

static inline __attribute__((always_inline))
float3x3 pelt_strongest_rotation(thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    uint param = influences.joints[0];
    float4 param_1 = pelt_palette_rotation(param, pelt_palette);
    return pelt_mat3_from_quat(param_1);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_move_dqs(thread const pelt_rest& rest, thread const pelt_motion& motion, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    pelt_influences param_1 = influences;
    pelt_rest param_2 = rest;
    pelt_motion param_3 = motion;
    float param_4 = pelt_strongest_handedness(param, pelt_palette);
    float3x3 param_5 = pelt_strongest_rotation(param_1, pelt_palette);
    return pelt_move_vertex(param_2, param_3, param_4, param_5);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_dqs(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    if (pelt_is_unweighted(param))
    {
        pelt_rest param_1 = rest;
        return pelt_vertex_at_rest(param_1);
    }
    pelt_rest param_2 = rest;
    pelt_influences param_3 = influences;
    pelt_rest param_4 = rest;
    pelt_motion param_5 = pelt_skin_dqs(param_2, param_3, pelt_palette);
    pelt_influences param_6 = influences;
    return pelt_move_dqs(param_4, param_5, param_6, pelt_palette);
}

static inline __attribute__((always_inline))
float3 pelt_joint_translation(thread const uint& joint, pelt_palette_source pelt_palette)
{
    uint param = joint;
    float3x4 matrix = pelt_palette_matrix(param, pelt_palette);
    return float3(matrix[0].w, matrix[1].w, matrix[2].w);
}

static inline __attribute__((always_inline))
pelt_motion pelt_skin_mix(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    float factor = rest.mix_factor;
    pelt_rest param = rest;
    pelt_influences param_1 = influences;
    pelt_motion lbs = pelt_skin_lbs(param, param_1, pelt_palette);
    pelt_rest param_2 = rest;
    pelt_influences param_3 = influences;
    pelt_motion dqs = pelt_skin_dqs(param_2, param_3, pelt_palette);
    float3x3 _1824 = lbs.linear * (1.0 - factor);
    float3x3 _1828 = dqs.linear * factor;
    return pelt_motion{ float3x3(_1824[0] + _1828[0], _1824[1] + _1828[1], _1824[2] + _1828[2]), (lbs.position * (1.0 - factor)) + (dqs.position * factor) };
}

static inline __attribute__((always_inline))
pelt_vertex pelt_move_mix(thread const pelt_rest& rest, thread const pelt_motion& motion, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    float3x3 strongest = pelt_strongest_rotation(param, pelt_palette);
    if (PELT_SCALE == 0)
    {
        pelt_influences param_1 = influences;
        strongest = pelt_strongest_matrix(param_1, pelt_palette);
    }
    pelt_influences param_2 = influences;
    pelt_rest param_3 = rest;
    pelt_motion param_4 = motion;
    float param_5 = pelt_strongest_handedness(param_2, pelt_palette);
    float3x3 param_6 = strongest;
    return pelt_move_vertex(param_3, param_4, param_5, param_6);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_mix(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    if (pelt_is_unweighted(param))
    {
        pelt_rest param_1 = rest;
        return pelt_vertex_at_rest(param_1);
    }
    pelt_rest param_2 = rest;
    pelt_influences param_3 = influences;
    pelt_rest param_4 = rest;
    pelt_motion param_5 = pelt_skin_mix(param_2, param_3, pelt_palette);
    pelt_influences param_6 = influences;
    return pelt_move_mix(param_4, param_5, param_6, pelt_palette);
}

static inline __attribute__((always_inline))
float4 pelt_blend_rotation(thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    uint param = influences.joints[0];
    float4 strongest = pelt_palette_rotation(param, pelt_palette);
    float4 sum = strongest * influences.weights[0];
    for (int i = 1; i < PELT_INFLUENCES; i++)
    {
        uint param_1 = influences.joints[i];
        float4 q = pelt_palette_rotation(param_1, pelt_palette);
        float4 param_2 = q;
        float4 param_3 = strongest;
        sum += (q * (pelt_sign_of(param_2, param_3) * influences.weights[i]));
    }
    float4 param_4 = sum;
    float4 _1939;
    if (pelt_is_canceled(param_4))
    {
        _1939 = strongest;
    }
    else
    {
        _1939 = fast::normalize(sum);
    }
    return _1939;
}

static inline __attribute__((always_inline))
float3 pelt_blend_rigid(thread const float3& point, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    float3 sum = float3(0.0);
    for (int i = 0; i < PELT_INFLUENCES; i++)
    {
        uint joint = influences.joints[i];
        uint param = joint;
        float4 param_1 = pelt_palette_rotation(param, pelt_palette);
        float3x3 rotation = pelt_mat3_from_quat(param_1);
        uint param_2 = joint;
        sum += (((rotation * point) + pelt_joint_translation(param_2, pelt_palette)) * influences.weights[i]);
    }
    return sum;
}

static inline __attribute__((always_inline))
float3 pelt_blend_point(thread const float3& point, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    float3 sum = float3(0.0);
    for (int i = 0; i < PELT_INFLUENCES; i++)
    {
        uint param = influences.joints[i];
        float3 moved = float4(point, 1.0) * pelt_palette_matrix(param, pelt_palette);
        sum += (moved * influences.weights[i]);
    }
    return sum;
}

static inline __attribute__((always_inline))
pelt_motion pelt_skin_crs(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    float4 param_1 = pelt_blend_rotation(param, pelt_palette);
    float3x3 linear = pelt_mat3_from_quat(param_1);
    pelt_influences param_2 = influences;
    float3x3 stretch = pelt_blend_stretch(param_2, pelt_palette);
    if (PELT_SCALE != 0)
    {
        linear = linear * stretch;
    }
    float3 offset = linear * (rest.position - rest.center);
    if (PELT_SCALE == 2)
    {
        float3 param_3 = stretch * rest.center;
        pelt_influences param_4 = influences;
        return pelt_motion{ linear, pelt_blend_rigid(param_3, param_4, pelt_palette) + offset };
    }
    float3 param_5 = rest.center;
    pelt_influences param_6 = influences;
    return pelt_motion{ linear, pelt_blend_point(param_5, param_6, pelt_palette) + offset };
}

static inline __attribute__((always_inline))
pelt_vertex pelt_move_crs(thread const pelt_rest& rest, thread const pelt_motion& motion, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    pelt_influences param_1 = influences;
    pelt_rest param_2 = rest;
    pelt_motion param_3 = motion;
    float param_4 = pelt_strongest_handedness(param, pelt_palette);
    float3x3 param_5 = pelt_strongest_rotation(param_1, pelt_palette);
    return pelt_move_vertex(param_2, param_3, param_4, param_5);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_crs(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    if (pelt_is_unweighted(param))
    {
        pelt_rest param_1 = rest;
        return pelt_vertex_at_rest(param_1);
    }
    pelt_rest param_2 = rest;
    pelt_influences param_3 = influences;
    pelt_rest param_4 = rest;
    pelt_motion param_5 = pelt_skin_crs(param_2, param_3, pelt_palette);
    pelt_influences param_6 = influences;
    return pelt_move_crs(param_4, param_5, param_6, pelt_palette);
}
