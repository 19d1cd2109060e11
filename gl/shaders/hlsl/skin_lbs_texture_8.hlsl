// SPDX-License-Identifier: MIT
// A vertex shader of pelt, translated from its GLSL by tools/shaders.

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
    int at = int((joint * 3u) + texel);
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
        float3x4 _299 = pelt_palette_matrix(param) * influences.weights[i];
        sum = float3x4(sum[0] + _299[0], sum[1] + _299[1], sum[2] + _299[2]);
    }
    pelt_motion _329 = { transpose(float3x3(sum[0].xyz, sum[1].xyz, sum[2].xyz)), mul(sum, float4(position, 1.0f)) };
    return _329;
}

pelt_motion pelt_find_motion(pelt_influences influences)
{
    float3 param = pelt_position;
    pelt_influences param_1 = influences;
    return pelt_skin_lbs(param, param_1);
}

float pelt_side_of(float3x3 _linear)
{
    return (dot(_linear[0], cross(_linear[1], _linear[2])) < 0.0f) ? (-1.0f) : 1.0f;
}

float pelt_find_side(pelt_influences influences)
{
    uint param = influences.joints[0];
    float3x4 _414 = pelt_palette_matrix(param);
    float3x3 param_1 = float3x3(_414[0].xyz, _414[1].xyz, _414[2].xyz);
    return pelt_side_of(param_1);
}

float3x3 pelt_find_strongest(pelt_influences influences)
{
    uint param = influences.joints[0];
    float3x4 _400 = pelt_palette_matrix(param);
    return transpose(float3x3(_400[0].xyz, _400[1].xyz, _400[2].xyz));
}

float3 pelt_normalize(float3 v)
{
    float largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
    float3 _103;
    if (largest > 0.0f)
    {
        _103 = normalize(v / largest.xxx);
    }
    else
    {
        _103 = 0.0f.xxx;
    }
    return _103;
}

float3 pelt_unit_or(float3 moved, float3 by_strongest, float3 rest)
{
    if (any(bool3(moved.x != 0.0f.xxx.x, moved.y != 0.0f.xxx.y, moved.z != 0.0f.xxx.z)))
    {
        float3 param = moved;
        return pelt_normalize(param);
    }
    float3 _129;
    if (any(bool3(by_strongest.x != 0.0f.xxx.x, by_strongest.y != 0.0f.xxx.y, by_strongest.z != 0.0f.xxx.z)))
    {
        float3 param_1 = by_strongest;
        _129 = pelt_normalize(param_1);
    }
    else
    {
        _129 = rest;
    }
    return _129;
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
        pelt_vertex _438 = { pelt_position, pelt_normal, pelt_tangent };
        return _438;
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
    pelt_vertex _475 = { motion.position, pelt_move_normal(param_3, param_4, param_5, param_6), pelt_move_tangent(param_7, param_8, param_9, param_10) };
    return _475;
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
