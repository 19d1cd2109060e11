// SPDX-License-Identifier: MIT
// A vertex shader of pelt, translated from its GLSL by tools/shaders.

#pragma clang diagnostic ignored "-Wmissing-prototypes"
#pragma clang diagnostic ignored "-Wmissing-braces"

#include <metal_stdlib>
#include <simd/simd.h>

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

struct pelt_dquat
{
    float4 real;
    float4 dual;
};

struct pelt_influences
{
    spvUnsafeArray<uint, 8> joints;
    spvUnsafeArray<float, 8> weights;
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

struct pelt_blend
{
    float pelt_mix;
};

struct pelt_view
{
    float4x4 pelt_clip_from_model;
};

struct pelt_main_out
{
    float3 pelt_out_normal [[user(locn0)]];
    float4 pelt_out_tangent [[user(locn1)]];
    float2 pelt_out_uv [[user(locn2)]];
    float4 gl_Position [[position]];
};

struct pelt_main_in
{
    float3 pelt_position [[attribute(0)]];
    float3 pelt_normal [[attribute(1)]];
    float4 pelt_tangent [[attribute(2)]];
    float2 pelt_uv [[attribute(3)]];
    uint4 pelt_joints [[attribute(5)]];
    float4 pelt_weights [[attribute(6)]];
    uint4 pelt_joints_2 [[attribute(7)]];
    float4 pelt_weights_2 [[attribute(8)]];
};

static inline __attribute__((always_inline))
pelt_influences pelt_gather_influences(thread uint4& pelt_joints, thread float4& pelt_weights, thread uint4& pelt_joints_2, thread float4& pelt_weights_2)
{
    pelt_influences influences;
    for (int i = 0; i < 4; i++)
    {
        influences.joints[i] = pelt_joints[i];
        influences.weights[i] = pelt_weights[i];
    }
    for (int i_1 = 4; i_1 < 8; i_1++)
    {
        influences.joints[i_1] = pelt_joints_2[i_1 - 4];
        influences.weights[i_1] = pelt_weights_2[i_1 - 4];
    }
    return influences;
}

static inline __attribute__((always_inline))
float4 pelt_palette_texel(thread const uint& joint, thread const uint& texel, texture2d<float> pelt_palette)
{
    int at = int((joint * 5u) + texel);
    return pelt_palette.read(uint2(int2(at % 1024, at / 1024)), 0);
}

static inline __attribute__((always_inline))
float3x4 pelt_palette_matrix(thread const uint& joint, texture2d<float> pelt_palette)
{
    uint param = joint;
    uint param_1 = 0u;
    uint param_2 = joint;
    uint param_3 = 1u;
    uint param_4 = joint;
    uint param_5 = 2u;
    return float3x4(float4(pelt_palette_texel(param, param_1, pelt_palette)), float4(pelt_palette_texel(param_2, param_3, pelt_palette)), float4(pelt_palette_texel(param_4, param_5, pelt_palette)));
}

static inline __attribute__((always_inline))
pelt_motion pelt_skin_lbs(thread const float3& position, thread const pelt_influences& influences, texture2d<float> pelt_palette)
{
    float3x4 sum = float3x4(float4(0.0), float4(0.0), float4(0.0));
    for (int i = 0; i < 8; i++)
    {
        uint param = influences.joints[i];
        float3x4 _436 = pelt_palette_matrix(param, pelt_palette) * influences.weights[i];
        sum = float3x4(sum[0] + _436[0], sum[1] + _436[1], sum[2] + _436[2]);
    }
    return pelt_motion{ transpose(float3x3(sum[0].xyz, sum[1].xyz, sum[2].xyz)), float4(position, 1.0) * sum };
}

static inline __attribute__((always_inline))
pelt_dquat pelt_palette_motion(thread const uint& joint, texture2d<float> pelt_palette)
{
    uint param = joint;
    uint param_1 = 3u;
    uint param_2 = joint;
    uint param_3 = 4u;
    return pelt_dquat{ pelt_palette_texel(param, param_1, pelt_palette), pelt_palette_texel(param_2, param_3, pelt_palette) };
}

static inline __attribute__((always_inline))
pelt_dquat pelt_motion_at(thread const float3& position, thread const uint& joint, texture2d<float> pelt_palette)
{
    uint param = joint;
    return pelt_palette_motion(param, pelt_palette);
}

static inline __attribute__((always_inline))
float pelt_sign_of(thread const float4& q, thread const float4& strongest)
{
    return (dot(strongest, q) < 0.0) ? (-1.0) : 1.0;
}

static inline __attribute__((always_inline))
bool pelt_is_cancelled(thread const float4& sum)
{
    return !(dot(sum, sum) > 9.9999999600419720025001879548654e-13);
}

static inline __attribute__((always_inline))
pelt_dquat pelt_blend_motion(thread const float3& position, thread const pelt_influences& influences, texture2d<float> pelt_palette)
{
    float3 param = position;
    uint param_1 = influences.joints[0];
    pelt_dquat strongest = pelt_motion_at(param, param_1, pelt_palette);
    pelt_dquat sum = pelt_dquat{ strongest.real * influences.weights[0], strongest.dual * influences.weights[0] };
    for (int i = 1; i < 8; i++)
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
    if (pelt_is_cancelled(param_6))
    {
        return strongest;
    }
    float scale = 1.0 / length(sum.real);
    return pelt_dquat{ sum.real * scale, sum.dual * scale };
}

static inline __attribute__((always_inline))
float3 pelt_dquat_translation(thread const pelt_dquat& d)
{
    return (((d.dual.xyz * d.real.w) - (d.real.xyz * d.dual.w)) + cross(d.real.xyz, d.dual.xyz)) * 2.0;
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
    return float3x3(float3(1.0 - (yy + zz), x.y + w.z, x.z - w.y), float3(x.y - w.z, 1.0 - (x.x + zz), yz + w.x), float3(x.z + w.y, yz - w.x, 1.0 - (x.x + yy)));
}

static inline __attribute__((always_inline))
pelt_motion pelt_skin_dqs(thread const float3& position, thread const pelt_influences& influences, texture2d<float> pelt_palette)
{
    float3 param = position;
    pelt_influences param_1 = influences;
    pelt_dquat blend = pelt_blend_motion(param, param_1, pelt_palette);
    pelt_dquat param_2 = blend;
    float3 translation = pelt_dquat_translation(param_2);
    float4 param_3 = blend.real;
    float3x3 linear = pelt_mat3_from_quat(param_3);
    return pelt_motion{ linear, (linear * position) + translation };
}

static inline __attribute__((always_inline))
pelt_motion pelt_skin_mix(thread const float3& position, thread const pelt_influences& influences, thread const float& factor, texture2d<float> pelt_palette)
{
    float3 param = position;
    pelt_influences param_1 = influences;
    pelt_motion lbs = pelt_skin_lbs(param, param_1, pelt_palette);
    float3 param_2 = position;
    pelt_influences param_3 = influences;
    pelt_motion dqs = pelt_skin_dqs(param_2, param_3, pelt_palette);
    float3x3 _629 = lbs.linear * (1.0 - factor);
    float3x3 _633 = dqs.linear * factor;
    return pelt_motion{ float3x3(_629[0] + _633[0], _629[1] + _633[1], _629[2] + _633[2]), (lbs.position * (1.0 - factor)) + (dqs.position * factor) };
}

static inline __attribute__((always_inline))
pelt_motion pelt_find_motion(thread const pelt_influences& influences, texture2d<float> pelt_palette, thread float3& pelt_position, constant pelt_blend& v_717)
{
    float3 param = pelt_position;
    pelt_influences param_1 = influences;
    float param_2 = v_717.pelt_mix;
    return pelt_skin_mix(param, param_1, param_2, pelt_palette);
}

static inline __attribute__((always_inline))
float pelt_find_side(thread const pelt_influences& influences)
{
    return 1.0;
}

static inline __attribute__((always_inline))
float3x3 pelt_find_strongest(thread const pelt_influences& influences, texture2d<float> pelt_palette)
{
    uint param = influences.joints[0];
    float3x4 _732 = pelt_palette_matrix(param, pelt_palette);
    return transpose(float3x3(_732[0].xyz, _732[1].xyz, _732[2].xyz));
}

static inline __attribute__((always_inline))
float3 pelt_normalize(thread const float3& v)
{
    float largest = fast::max(abs(v.x), fast::max(abs(v.y), abs(v.z)));
    float3 _242;
    if (largest > 0.0)
    {
        _242 = fast::normalize(v / float3(largest));
    }
    else
    {
        _242 = float3(0.0);
    }
    return _242;
}

static inline __attribute__((always_inline))
float3 pelt_unit_or(thread const float3& moved, thread const float3& by_strongest, thread const float3& rest)
{
    if (any(moved != float3(0.0)))
    {
        float3 param = moved;
        return pelt_normalize(param);
    }
    float3 _268;
    if (any(by_strongest != float3(0.0)))
    {
        float3 param_1 = by_strongest;
        _268 = pelt_normalize(param_1);
    }
    else
    {
        _268 = rest;
    }
    return _268;
}

static inline __attribute__((always_inline))
float3 pelt_move_normal(thread const float3x3& linear, thread const float& side, thread const float3x3& strongest, thread const float3& n)
{
    float3x3 cofactor = float3x3(float3(cross(linear[1], linear[2])), float3(cross(linear[2], linear[0])), float3(cross(linear[0], linear[1])));
    float3 param = (cofactor * n) * side;
    float3 param_1 = strongest * n;
    float3 param_2 = n;
    return pelt_unit_or(param, param_1, param_2);
}

static inline __attribute__((always_inline))
float4 pelt_move_tangent(thread const float3x3& linear, thread const float& side, thread const float3x3& strongest, thread const float4& t)
{
    float3 param = linear * t.xyz;
    float3 param_1 = strongest * t.xyz;
    float3 param_2 = t.xyz;
    return float4(pelt_unit_or(param, param_1, param_2), side * t.w);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_skin(texture2d<float> pelt_palette, thread uint4& pelt_joints, thread float4& pelt_weights, thread uint4& pelt_joints_2, thread float4& pelt_weights_2, thread float3& pelt_position, constant pelt_blend& v_717, thread float3& pelt_normal, thread float4& pelt_tangent)
{
    pelt_influences influences = pelt_gather_influences(pelt_joints, pelt_weights, pelt_joints_2, pelt_weights_2);
    if (influences.weights[0] == 0.0)
    {
        return pelt_vertex{ pelt_position, pelt_normal, pelt_tangent };
    }
    pelt_influences param = influences;
    pelt_motion motion = pelt_find_motion(param, pelt_palette, pelt_position, v_717);
    pelt_influences param_1 = influences;
    float side = pelt_find_side(param_1);
    pelt_influences param_2 = influences;
    float3x3 strongest = pelt_find_strongest(param_2, pelt_palette);
    float3x3 param_3 = motion.linear;
    float param_4 = side;
    float3x3 param_5 = strongest;
    float3 param_6 = pelt_normal;
    float3x3 param_7 = motion.linear;
    float param_8 = side;
    float3x3 param_9 = strongest;
    float4 param_10 = pelt_tangent;
    return pelt_vertex{ motion.position, pelt_move_normal(param_3, param_4, param_5, param_6), pelt_move_tangent(param_7, param_8, param_9, param_10) };
}

vertex pelt_main_out pelt_main(pelt_main_in in [[stage_in]], constant pelt_view& _820 [[buffer(1)]], constant pelt_blend& v_717 [[buffer(2)]], texture2d<float> pelt_palette [[texture(0)]])
{
    pelt_main_out out = {};
    pelt_vertex vertex0 = pelt_skin(pelt_palette, in.pelt_joints, in.pelt_weights, in.pelt_joints_2, in.pelt_weights_2, in.pelt_position, v_717, in.pelt_normal, in.pelt_tangent);
    out.pelt_out_normal = vertex0.normal;
    out.pelt_out_tangent = vertex0.tangent;
    out.pelt_out_uv = in.pelt_uv;
    out.gl_Position = _820.pelt_clip_from_model * float4(vertex0.position, 1.0);
    return out;
}

