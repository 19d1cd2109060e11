// SPDX-License-Identifier: MIT
// A vertex shader of pelt, translated from its GLSL by tools/shaders.

struct pelt_dquat
{
    float4 real;
    float4 dual;
};

struct pelt_influences
{
    uint joints[8];
    float weights[8];
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

cbuffer pelt_blend : register(b2)
{
    float pelt_mix : packoffset(c0);
};

cbuffer pelt_view : register(b1)
{
    row_major float4x4 pelt_clip_from_model : packoffset(c0);
};

Texture2D<float4> pelt_palette : register(t0);

static float4 gl_Position;
static uint4 pelt_joints;
static float4 pelt_weights;
static uint4 pelt_joints_2;
static float4 pelt_weights_2;
static float3 pelt_position;
static float3 pelt_normal;
static float4 pelt_tangent;
static float3 pelt_out_normal;
static float4 pelt_out_tangent;
static float2 pelt_out_uv;
static float2 pelt_uv;

struct pelt_input
{
    float3 pelt_position : POSITION;
    float3 pelt_normal : NORMAL;
    float4 pelt_tangent : TANGENT;
    float2 pelt_uv : TEXCOORD0;
    uint4 pelt_joints : BLENDINDICES0;
    float4 pelt_weights : BLENDWEIGHT0;
    uint4 pelt_joints_2 : BLENDINDICES1;
    float4 pelt_weights_2 : BLENDWEIGHT1;
};

struct pelt_output
{
    float3 pelt_out_normal : TEXCOORD0;
    float4 pelt_out_tangent : TEXCOORD1;
    float2 pelt_out_uv : TEXCOORD2;
    float4 gl_Position : SV_Position;
};

pelt_influences pelt_gather_influences()
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

float4 pelt_palette_texel(uint joint, uint texel)
{
    int at = int((joint * 5u) + texel);
    return pelt_palette.Load(int3(int2(at % 1024, at / 1024), 0));
}

float3x4 pelt_palette_matrix(uint joint)
{
    uint param = joint;
    uint param_1 = 0u;
    uint param_2 = joint;
    uint param_3 = 1u;
    uint param_4 = joint;
    uint param_5 = 2u;
    return float3x4(float4(pelt_palette_texel(param, param_1)), float4(pelt_palette_texel(param_2, param_3)), float4(pelt_palette_texel(param_4, param_5)));
}

pelt_motion pelt_skin_lbs(float3 position, pelt_influences influences)
{
    float3x4 sum = float3x4(0.0f.xxxx, 0.0f.xxxx, 0.0f.xxxx);
    for (int i = 0; i < 8; i++)
    {
        uint param = influences.joints[i];
        float3x4 _436 = pelt_palette_matrix(param) * influences.weights[i];
        sum = float3x4(sum[0] + _436[0], sum[1] + _436[1], sum[2] + _436[2]);
    }
    pelt_motion _466 = { transpose(float3x3(sum[0].xyz, sum[1].xyz, sum[2].xyz)), mul(sum, float4(position, 1.0f)) };
    return _466;
}

pelt_dquat pelt_palette_motion(uint joint)
{
    uint param = joint;
    uint param_1 = 3u;
    uint param_2 = joint;
    uint param_3 = 4u;
    pelt_dquat _412 = { pelt_palette_texel(param, param_1), pelt_palette_texel(param_2, param_3) };
    return _412;
}

pelt_dquat pelt_motion_at(float3 position, uint joint)
{
    uint param = joint;
    return pelt_palette_motion(param);
}

float pelt_sign_of(float4 q, float4 strongest)
{
    return (dot(strongest, q) < 0.0f) ? (-1.0f) : 1.0f;
}

bool pelt_is_cancelled(float4 sum)
{
    return !(dot(sum, sum) > 9.9999999600419720025001879548654e-13f);
}

pelt_dquat pelt_blend_motion(float3 position, pelt_influences influences)
{
    float3 param = position;
    uint param_1 = influences.joints[0];
    pelt_dquat strongest = pelt_motion_at(param, param_1);
    pelt_dquat _492 = { strongest.real * influences.weights[0], strongest.dual * influences.weights[0] };
    pelt_dquat sum = _492;
    for (int i = 1; i < 8; i++)
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
    if (pelt_is_cancelled(param_6))
    {
        return strongest;
    }
    float scale = 1.0f / length(sum.real);
    pelt_dquat _560 = { sum.real * scale, sum.dual * scale };
    return _560;
}

float3 pelt_dquat_translation(pelt_dquat d)
{
    return (((d.dual.xyz * d.real.w) - (d.real.xyz * d.dual.w)) + cross(d.real.xyz, d.dual.xyz)) * 2.0f;
}

float3x3 pelt_mat3_from_quat(float4 q)
{
    float3 d = q.xyz + q.xyz;
    float3 x = d * q.x;
    float3 w = d * q.w;
    float yy = q.y * d.y;
    float yz = q.y * d.z;
    float zz = q.z * d.z;
    return float3x3(float3(1.0f - (yy + zz), x.y + w.z, x.z - w.y), float3(x.y - w.z, 1.0f - (x.x + zz), yz + w.x), float3(x.z + w.y, yz - w.x, 1.0f - (x.x + yy)));
}

pelt_motion pelt_skin_dqs(float3 position, pelt_influences influences)
{
    float3 param = position;
    pelt_influences param_1 = influences;
    pelt_dquat blend = pelt_blend_motion(param, param_1);
    pelt_dquat param_2 = blend;
    float3 translation = pelt_dquat_translation(param_2);
    float4 param_3 = blend.real;
    float3x3 _linear = pelt_mat3_from_quat(param_3);
    pelt_motion _609 = { _linear, mul(position, _linear) + translation };
    return _609;
}

pelt_motion pelt_skin_mix(float3 position, pelt_influences influences, float factor)
{
    float3 param = position;
    pelt_influences param_1 = influences;
    pelt_motion lbs = pelt_skin_lbs(param, param_1);
    float3 param_2 = position;
    pelt_influences param_3 = influences;
    pelt_motion dqs = pelt_skin_dqs(param_2, param_3);
    float3x3 _629 = lbs._linear * (1.0f - factor);
    float3x3 _633 = dqs._linear * factor;
    pelt_motion _654 = { float3x3(_629[0] + _633[0], _629[1] + _633[1], _629[2] + _633[2]), (lbs.position * (1.0f - factor)) + (dqs.position * factor) };
    return _654;
}

pelt_motion pelt_find_motion(pelt_influences influences)
{
    float3 param = pelt_position;
    pelt_influences param_1 = influences;
    float param_2 = pelt_mix;
    return pelt_skin_mix(param, param_1, param_2);
}

float pelt_find_side(pelt_influences influences)
{
    return 1.0f;
}

float3x3 pelt_find_strongest(pelt_influences influences)
{
    uint param = influences.joints[0];
    float3x4 _732 = pelt_palette_matrix(param);
    return transpose(float3x3(_732[0].xyz, _732[1].xyz, _732[2].xyz));
}

float3 pelt_normalize(float3 v)
{
    float largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
    float3 _242;
    if (largest > 0.0f)
    {
        _242 = normalize(v / largest.xxx);
    }
    else
    {
        _242 = 0.0f.xxx;
    }
    return _242;
}

float3 pelt_unit_or(float3 moved, float3 by_strongest, float3 rest)
{
    if (any(bool3(moved.x != 0.0f.xxx.x, moved.y != 0.0f.xxx.y, moved.z != 0.0f.xxx.z)))
    {
        float3 param = moved;
        return pelt_normalize(param);
    }
    float3 _268;
    if (any(bool3(by_strongest.x != 0.0f.xxx.x, by_strongest.y != 0.0f.xxx.y, by_strongest.z != 0.0f.xxx.z)))
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

float3 pelt_move_normal(float3x3 _linear, float side, float3x3 strongest, float3 n)
{
    float3x3 cofactor = float3x3(float3(cross(_linear[1], _linear[2])), float3(cross(_linear[2], _linear[0])), float3(cross(_linear[0], _linear[1])));
    float3 param = mul(n, cofactor) * side;
    float3 param_1 = mul(n, strongest);
    float3 param_2 = n;
    return pelt_unit_or(param, param_1, param_2);
}

float4 pelt_move_tangent(float3x3 _linear, float side, float3x3 strongest, float4 t)
{
    float3 param = mul(t.xyz, _linear);
    float3 param_1 = mul(t.xyz, strongest);
    float3 param_2 = t.xyz;
    return float4(pelt_unit_or(param, param_1, param_2), side * t.w);
}

pelt_vertex pelt_skin()
{
    pelt_influences influences = pelt_gather_influences();
    if (influences.weights[0] == 0.0f)
    {
        pelt_vertex _757 = { pelt_position, pelt_normal, pelt_tangent };
        return _757;
    }
    pelt_influences param = influences;
    pelt_motion motion = pelt_find_motion(param);
    pelt_influences param_1 = influences;
    float side = pelt_find_side(param_1);
    pelt_influences param_2 = influences;
    float3x3 strongest = pelt_find_strongest(param_2);
    float3x3 param_3 = motion._linear;
    float param_4 = side;
    float3x3 param_5 = strongest;
    float3 param_6 = pelt_normal;
    float3x3 param_7 = motion._linear;
    float param_8 = side;
    float3x3 param_9 = strongest;
    float4 param_10 = pelt_tangent;
    pelt_vertex _793 = { motion.position, pelt_move_normal(param_3, param_4, param_5, param_6), pelt_move_tangent(param_7, param_8, param_9, param_10) };
    return _793;
}

void vert_main()
{
    pelt_vertex vertex = pelt_skin();
    pelt_out_normal = vertex.normal;
    pelt_out_tangent = vertex.tangent;
    pelt_out_uv = pelt_uv;
    gl_Position = mul(float4(vertex.position, 1.0f), pelt_clip_from_model);
}

pelt_output main(pelt_input stage_input)
{
    pelt_joints = stage_input.pelt_joints;
    pelt_weights = stage_input.pelt_weights;
    pelt_joints_2 = stage_input.pelt_joints_2;
    pelt_weights_2 = stage_input.pelt_weights_2;
    pelt_position = stage_input.pelt_position;
    pelt_normal = stage_input.pelt_normal;
    pelt_tangent = stage_input.pelt_tangent;
    pelt_uv = stage_input.pelt_uv;
    vert_main();
    pelt_output stage_output;
    stage_output.gl_Position = gl_Position;
    stage_output.pelt_out_normal = pelt_out_normal;
    stage_output.pelt_out_tangent = pelt_out_tangent;
    stage_output.pelt_out_uv = pelt_out_uv;
    return stage_output;
}
