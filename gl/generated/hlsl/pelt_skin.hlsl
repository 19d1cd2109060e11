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

struct pelt_influences
{
    uint joints[8];
    float weights[8];
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
    float3x3 _linear;
    float3 position;
};

struct pelt_vertex
{
    float3 position;
    float3 normal;
    float4 tangent;
};

pelt_influences pelt_influences_make(uint4 joints, float4 weights, uint4 more_joints, float4 more_weights)
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

float3 pelt_normalize(float3 v)
{
    float largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
    float3 _1028;
    if (largest > 0.0f)
    {
        _1028 = normalize(v / largest.xxx);
    }
    else
    {
        _1028 = 0.0f.xxx;
    }
    return _1028;
}

float4 pelt_quat_mul(float4 a, float4 b)
{
    return float4(((b.xyz * a.w) + (a.xyz * b.w)) + cross(a.xyz, b.xyz), (a.w * b.w) - dot(a.xyz, b.xyz));
}

float4 pelt_quat_conjugate(float4 q)
{
    return float4(-q.xyz, q.w);
}

float3x3 pelt_mat3_from_quat(float4 q)
{
    float3 d = q.xyz + q.xyz;
    float3 x = d * q.x;
    float3 w = d * q.w;
    float yy = q.y * d.y;
    float yz = q.y * d.z;
    float zz = q.z * d.z;
    return float3x3(float3(float3(1.0f - (yy + zz), x.y + w.z, x.z - w.y)), float3(float3(x.y - w.z, 1.0f - (x.x + zz), yz + w.x)), float3(float3(x.z + w.y, yz - w.x, 1.0f - (x.x + yy))));
}

float3 pelt_dquat_translation(pelt_dquat d)
{
    return (((d.dual.xyz * d.real.w) - (d.real.xyz * d.dual.w)) + cross(d.real.xyz, d.dual.xyz)) * 2.0f;
}

pelt_vertex pelt_vertex_at_rest(pelt_rest rest)
{
    pelt_vertex _1184 = { rest.position, rest.normal, rest.tangent };
    return _1184;
}

bool pelt_is_unweighted(pelt_influences influences)
{
    return influences.weights[0] == 0.0f;
}

float4 pelt_palette_rotation(uint joint)
{
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION)
    {
        uint param = joint;
        uint param_1 = 0u;
        return pelt_palette_texel(param, param_1);
    }
    uint param_2 = joint;
    uint param_3 = 3u;
    return pelt_palette_texel(param_2, param_3);
}

pelt_dquat pelt_dquat_make(float4 rotation, float3 translation)
{
    float3 dual = (translation * rotation.w) + cross(translation, rotation.xyz);
    pelt_dquat _965 = { rotation, float4(dual, -dot(translation, rotation.xyz)) * 0.5f };
    return _965;
}

pelt_dquat pelt_palette_motion(uint joint)
{
    uint param = joint;
    float4 rotation = pelt_palette_rotation(param);
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION)
    {
        uint param_1 = joint;
        uint param_2 = 1u;
        pelt_dquat _1274 = { rotation, pelt_palette_texel(param_1, param_2) };
        return _1274;
    }
    if (PELT_LAYOUT == PELT_LAYOUT_MATRIX_MOTION)
    {
        uint param_3 = joint;
        uint param_4 = 4u;
        pelt_dquat _1284 = { rotation, pelt_palette_texel(param_3, param_4) };
        return _1284;
    }
    uint param_5 = joint;
    uint param_6 = 0u;
    uint param_7 = joint;
    uint param_8 = 1u;
    uint param_9 = joint;
    uint param_10 = 2u;
    float3 translation = float3(pelt_palette_texel(param_5, param_6).w, pelt_palette_texel(param_7, param_8).w, pelt_palette_texel(param_9, param_10).w);
    float4 param_11 = rotation;
    float3 param_12 = translation;
    return pelt_dquat_make(param_11, param_12);
}

float3x4 pelt_palette_matrix(uint joint)
{
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION)
    {
        uint param = joint;
        pelt_dquat motion = pelt_palette_motion(param);
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
    return float3x4(float4(pelt_palette_texel(param_3, param_4)), float4(pelt_palette_texel(param_5, param_6)), float4(pelt_palette_texel(param_7, param_8)));
}

pelt_motion pelt_skin_lbs(pelt_rest rest, pelt_influences influences)
{
    float3x4 sum = float3x4(0.0f.xxxx, 0.0f.xxxx, 0.0f.xxxx);
    for (int i = 0; i < PELT_INFLUENCES; i++)
    {
        uint param = influences.joints[i];
        float3x4 _1539 = pelt_palette_matrix(param) * influences.weights[i];
        sum = float3x4(sum[0] + _1539[0], sum[1] + _1539[1], sum[2] + _1539[2]);
    }
    pelt_motion _1570 = { transpose(float3x3(sum[0].xyz, sum[1].xyz, sum[2].xyz)), mul(sum, float4(rest.position, 1.0f)) };
    return _1570;
}

float3x3 pelt_strongest_matrix(pelt_influences influences)
{
    uint param = influences.joints[0];
    float3x4 _1482 = pelt_palette_matrix(param);
    return transpose(float3x3(_1482[0].xyz, _1482[1].xyz, _1482[2].xyz));
}

float pelt_handedness_of(float3x3 _linear)
{
    return (dot(_linear[0], cross(_linear[1], _linear[2])) < 0.0f) ? (-1.0f) : 1.0f;
}

float3 pelt_unit_or(float3 moved, float3 by_strongest, float3 rest)
{
    if (any(bool3(moved.x != 0.0f.xxx.x, moved.y != 0.0f.xxx.y, moved.z != 0.0f.xxx.z)))
    {
        float3 param = moved;
        return pelt_normalize(param);
    }
    float3 _1054;
    if (any(bool3(by_strongest.x != 0.0f.xxx.x, by_strongest.y != 0.0f.xxx.y, by_strongest.z != 0.0f.xxx.z)))
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

float3 pelt_move_normal(float3x3 _linear, float handedness, float3x3 strongest, float3 n)
{
    float3x3 cofactor = float3x3(float3(cross(_linear[1], _linear[2])), float3(cross(_linear[2], _linear[0])), float3(cross(_linear[0], _linear[1])));
    float3 param = mul(n, cofactor) * handedness;
    float3 param_1 = mul(n, strongest);
    float3 param_2 = n;
    return pelt_unit_or(param, param_1, param_2);
}

float4 pelt_move_tangent(float3x3 _linear, float handedness, float3x3 strongest, float4 t)
{
    float3 param = mul(t.xyz, _linear);
    float3 param_1 = mul(t.xyz, strongest);
    float3 param_2 = t.xyz;
    return float4(pelt_unit_or(param, param_1, param_2), handedness * t.w);
}

pelt_vertex pelt_move_vertex(pelt_rest rest, pelt_motion motion, float handedness, float3x3 strongest)
{
    float3x3 param = motion._linear;
    float param_1 = handedness;
    float3x3 param_2 = strongest;
    float3 param_3 = rest.normal;
    float3x3 param_4 = motion._linear;
    float param_5 = handedness;
    float3x3 param_6 = strongest;
    float4 param_7 = rest.tangent;
    pelt_vertex _1170 = { motion.position, pelt_move_normal(param, param_1, param_2, param_3), pelt_move_tangent(param_4, param_5, param_6, param_7) };
    return _1170;
}

pelt_vertex pelt_move_lbs(pelt_rest rest, pelt_motion motion, pelt_influences influences)
{
    pelt_influences param = influences;
    float3x3 strongest = pelt_strongest_matrix(param);
    float3x3 param_1 = strongest;
    pelt_rest param_2 = rest;
    pelt_motion param_3 = motion;
    float param_4 = pelt_handedness_of(param_1);
    float3x3 param_5 = strongest;
    return pelt_move_vertex(param_2, param_3, param_4, param_5);
}

pelt_vertex pelt_deform_lbs(pelt_rest rest, pelt_influences influences)
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
    pelt_motion param_5 = pelt_skin_lbs(param_2, param_3);
    pelt_influences param_6 = influences;
    return pelt_move_lbs(param_4, param_5, param_6);
}

pelt_dquat pelt_motion_at(float3 position, uint joint)
{
    if (PELT_SCALE == 1)
    {
        uint param = joint;
        float3 moved = mul(pelt_palette_matrix(param), float4(position, 1.0f));
        uint param_1 = joint;
        float4 param_2 = pelt_palette_rotation(param_1);
        float3 param_3 = moved;
        return pelt_dquat_make(param_2, param_3);
    }
    uint param_4 = joint;
    return pelt_palette_motion(param_4);
}

float pelt_sign_of(float4 q, float4 strongest)
{
    bool _1001;
    if (PELT_SIGNS == PELT_SIGNS_HEAVIEST)
    {
        _1001 = dot(strongest, q) < 0.0f;
    }
    else
    {
        _1001 = (PELT_SIGNS == PELT_SIGNS_HEAVIEST);
    }
    return _1001 ? (-1.0f) : 1.0f;
}

bool pelt_is_canceled(float4 sum)
{
    return !(dot(sum, sum) > 9.9999999600419720025001879548654e-13f);
}

pelt_dquat pelt_blend_motion(float3 position, pelt_influences influences)
{
    float3 param = position;
    uint param_1 = influences.joints[0];
    pelt_dquat strongest = pelt_motion_at(param, param_1);
    pelt_dquat _1656 = { strongest.real * influences.weights[0], strongest.dual * influences.weights[0] };
    pelt_dquat sum = _1656;
    for (int i = 1; i < PELT_INFLUENCES; i++)
    {
        float3 param_2 = position;
        uint param_3 = influences.joints[i];
        pelt_dquat motion = pelt_motion_at(param_2, param_3);
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
    float scale = 1.0f / length(sum.real);
    pelt_dquat _1724 = { sum.real * scale, sum.dual * scale };
    return _1724;
}

float3x3 pelt_joint_stretch(uint joint)
{
    if (PELT_SCALE == 0)
    {
        return float3x3(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f), float3(0.0f, 0.0f, 1.0f));
    }
    uint param = joint;
    float3x4 _1409 = pelt_palette_matrix(param);
    uint param_1 = joint;
    float4 param_2 = pelt_palette_rotation(param_1);
    return mul(pelt_mat3_from_quat(param_2), float3x3(_1409[0].xyz, _1409[1].xyz, _1409[2].xyz));
}

float3x3 pelt_blend_stretch(pelt_influences influences)
{
    if (PELT_SCALE == 0)
    {
        return float3x3(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f), float3(0.0f, 0.0f, 1.0f));
    }
    float3x3 sum = float3x3(0.0f.xxx, 0.0f.xxx, 0.0f.xxx);
    for (int i = 0; i < PELT_INFLUENCES; i++)
    {
        uint param = influences.joints[i];
        float3x3 _1462 = pelt_joint_stretch(param) * influences.weights[i];
        sum = float3x3(sum[0] + _1462[0], sum[1] + _1462[1], sum[2] + _1462[2]);
    }
    return sum;
}

pelt_motion pelt_skin_dqs(pelt_rest rest, pelt_influences influences)
{
    float3 param = rest.position;
    pelt_influences param_1 = influences;
    pelt_dquat blend = pelt_blend_motion(param, param_1);
    pelt_dquat param_2 = blend;
    float3 translation = pelt_dquat_translation(param_2);
    float4 param_3 = blend.real;
    float3x3 _linear = pelt_mat3_from_quat(param_3);
    if (PELT_SCALE != 0)
    {
        pelt_influences param_4 = influences;
        _linear = mul(pelt_blend_stretch(param_4), _linear);
    }
    if (PELT_SCALE == 1)
    {
        pelt_motion _1756 = { _linear, translation };
        return _1756;
    }
    pelt_motion _1765 = { _linear, mul(rest.position, _linear) + translation };
    return _1765;
}

float pelt_strongest_handedness(pelt_influences influences)
{
    if (PELT_SCALE == 0)
    {
        return 1.0f;
    }
    uint param = influences.joints[0];
    float3x4 _1508 = pelt_palette_matrix(param);
    float3x3 param_1 = float3x3(_1508[0].xyz, _1508[1].xyz, _1508[2].xyz);
    return pelt_handedness_of(param_1);
}

float3x3 pelt_strongest_rotation(pelt_influences influences)
{
    uint param = influences.joints[0];
    float4 param_1 = pelt_palette_rotation(param);
    return pelt_mat3_from_quat(param_1);
}

pelt_vertex pelt_move_dqs(pelt_rest rest, pelt_motion motion, pelt_influences influences)
{
    pelt_influences param = influences;
    pelt_influences param_1 = influences;
    pelt_rest param_2 = rest;
    pelt_motion param_3 = motion;
    float param_4 = pelt_strongest_handedness(param);
    float3x3 param_5 = pelt_strongest_rotation(param_1);
    return pelt_move_vertex(param_2, param_3, param_4, param_5);
}

pelt_vertex pelt_deform_dqs(pelt_rest rest, pelt_influences influences)
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
    pelt_motion param_5 = pelt_skin_dqs(param_2, param_3);
    pelt_influences param_6 = influences;
    return pelt_move_dqs(param_4, param_5, param_6);
}

float3 pelt_joint_translation(uint joint)
{
    uint param = joint;
    float3x4 _matrix = pelt_palette_matrix(param);
    return float3(_matrix[0].w, _matrix[1].w, _matrix[2].w);
}

pelt_motion pelt_skin_mix(pelt_rest rest, pelt_influences influences)
{
    float factor = rest.mix_factor;
    pelt_rest param = rest;
    pelt_influences param_1 = influences;
    pelt_motion lbs = pelt_skin_lbs(param, param_1);
    pelt_rest param_2 = rest;
    pelt_influences param_3 = influences;
    pelt_motion dqs = pelt_skin_dqs(param_2, param_3);
    float3x3 _1824 = lbs._linear * (1.0f - factor);
    float3x3 _1828 = dqs._linear * factor;
    pelt_motion _1849 = { float3x3(_1824[0] + _1828[0], _1824[1] + _1828[1], _1824[2] + _1828[2]), (lbs.position * (1.0f - factor)) + (dqs.position * factor) };
    return _1849;
}

pelt_vertex pelt_move_mix(pelt_rest rest, pelt_motion motion, pelt_influences influences)
{
    pelt_influences param = influences;
    float3x3 strongest = pelt_strongest_rotation(param);
    if (PELT_SCALE == 0)
    {
        pelt_influences param_1 = influences;
        strongest = pelt_strongest_matrix(param_1);
    }
    pelt_influences param_2 = influences;
    pelt_rest param_3 = rest;
    pelt_motion param_4 = motion;
    float param_5 = pelt_strongest_handedness(param_2);
    float3x3 param_6 = strongest;
    return pelt_move_vertex(param_3, param_4, param_5, param_6);
}

pelt_vertex pelt_deform_mix(pelt_rest rest, pelt_influences influences)
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
    pelt_motion param_5 = pelt_skin_mix(param_2, param_3);
    pelt_influences param_6 = influences;
    return pelt_move_mix(param_4, param_5, param_6);
}

float4 pelt_blend_rotation(pelt_influences influences)
{
    uint param = influences.joints[0];
    float4 strongest = pelt_palette_rotation(param);
    float4 sum = strongest * influences.weights[0];
    for (int i = 1; i < PELT_INFLUENCES; i++)
    {
        uint param_1 = influences.joints[i];
        float4 q = pelt_palette_rotation(param_1);
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
        _1939 = normalize(sum);
    }
    return _1939;
}

float3 pelt_blend_rigid(float3 _point, pelt_influences influences)
{
    float3 sum = 0.0f.xxx;
    for (int i = 0; i < PELT_INFLUENCES; i++)
    {
        uint joint = influences.joints[i];
        uint param = joint;
        float4 param_1 = pelt_palette_rotation(param);
        float3x3 rotation = pelt_mat3_from_quat(param_1);
        uint param_2 = joint;
        sum += ((mul(_point, rotation) + pelt_joint_translation(param_2)) * influences.weights[i]);
    }
    return sum;
}

float3 pelt_blend_point(float3 _point, pelt_influences influences)
{
    float3 sum = 0.0f.xxx;
    for (int i = 0; i < PELT_INFLUENCES; i++)
    {
        uint param = influences.joints[i];
        float3 moved = mul(pelt_palette_matrix(param), float4(_point, 1.0f));
        sum += (moved * influences.weights[i]);
    }
    return sum;
}

pelt_motion pelt_skin_crs(pelt_rest rest, pelt_influences influences)
{
    pelt_influences param = influences;
    float4 param_1 = pelt_blend_rotation(param);
    float3x3 _linear = pelt_mat3_from_quat(param_1);
    pelt_influences param_2 = influences;
    float3x3 stretch = pelt_blend_stretch(param_2);
    if (PELT_SCALE != 0)
    {
        _linear = mul(stretch, _linear);
    }
    float3 offset = mul(rest.position - rest.center, _linear);
    if (PELT_SCALE == 2)
    {
        float3 param_3 = mul(rest.center, stretch);
        pelt_influences param_4 = influences;
        pelt_motion _2057 = { _linear, pelt_blend_rigid(param_3, param_4) + offset };
        return _2057;
    }
    float3 param_5 = rest.center;
    pelt_influences param_6 = influences;
    pelt_motion _2068 = { _linear, pelt_blend_point(param_5, param_6) + offset };
    return _2068;
}

pelt_vertex pelt_move_crs(pelt_rest rest, pelt_motion motion, pelt_influences influences)
{
    pelt_influences param = influences;
    pelt_influences param_1 = influences;
    pelt_rest param_2 = rest;
    pelt_motion param_3 = motion;
    float param_4 = pelt_strongest_handedness(param);
    float3x3 param_5 = pelt_strongest_rotation(param_1);
    return pelt_move_vertex(param_2, param_3, param_4, param_5);
}

pelt_vertex pelt_deform_crs(pelt_rest rest, pelt_influences influences)
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
    pelt_motion param_5 = pelt_skin_crs(param_2, param_3);
    pelt_influences param_6 = influences;
    return pelt_move_crs(param_4, param_5, param_6);
}
