// SPDX-License-Identifier: MIT
// A vertex shader of pelt, translated from its GLSL by tools/shaders.

struct pelt_influences
{
    uint joints[4];
    float weights[4];
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

cbuffer pelt_palette : register(b0)
{
    float4 pelt_palette_texels[1024] : packoffset(c0);
};

cbuffer pelt_view : register(b1)
{
    row_major float4x4 pelt_clip_from_model : packoffset(c0);
};


static float4 gl_Position;
static uint4 pelt_joints;
static float4 pelt_weights;
static float3 pelt_position;
static float3 pelt_cor;
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
    float3 pelt_cor : TEXCOORD1;
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
    return influences;
}

float4 pelt_palette_texel(uint joint, uint texel)
{
    return pelt_palette_texels[(joint * 4u) + texel];
}

float4 pelt_palette_rotation(uint joint)
{
    uint param = joint;
    uint param_1 = 3u;
    return pelt_palette_texel(param, param_1);
}

float pelt_sign_of(float4 q, float4 strongest)
{
    return (dot(strongest, q) < 0.0f) ? (-1.0f) : 1.0f;
}

bool pelt_is_cancelled(float4 sum)
{
    return !(dot(sum, sum) > 9.9999999600419720025001879548654e-13f);
}

float4 pelt_blend_rotation(pelt_influences influences)
{
    uint param = influences.joints[0];
    float4 strongest = pelt_palette_rotation(param);
    float4 sum = strongest * influences.weights[0];
    for (int i = 1; i < 4; i++)
    {
        uint param_1 = influences.joints[i];
        float4 q = pelt_palette_rotation(param_1);
        float4 param_2 = q;
        float4 param_3 = strongest;
        sum += (q * (pelt_sign_of(param_2, param_3) * influences.weights[i]));
    }
    float4 param_4 = sum;
    float4 _429;
    if (pelt_is_cancelled(param_4))
    {
        _429 = strongest;
    }
    else
    {
        _429 = normalize(sum);
    }
    return _429;
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

float3 pelt_blend_point(float3 _point, pelt_influences influences)
{
    float3 sum = 0.0f.xxx;
    for (int i = 0; i < 4; i++)
    {
        uint param = influences.joints[i];
        float3 moved = mul(pelt_palette_matrix(param), float4(_point, 1.0f));
        sum += (moved * influences.weights[i]);
    }
    return sum;
}

pelt_motion pelt_skin_crs(float3 position, float3 center, pelt_influences influences)
{
    pelt_influences param = influences;
    float4 param_1 = pelt_blend_rotation(param);
    float3x3 _linear = pelt_mat3_from_quat(param_1);
    float3 param_2 = center;
    pelt_influences param_3 = influences;
    float3 moved_center = pelt_blend_point(param_2, param_3);
    pelt_motion _492 = { _linear, moved_center + mul(position - center, _linear) };
    return _492;
}

pelt_motion pelt_find_motion(pelt_influences influences)
{
    float3 param = pelt_position;
    float3 param_1 = pelt_cor;
    pelt_influences param_2 = influences;
    return pelt_skin_crs(param, param_1, param_2);
}

float pelt_find_side(pelt_influences influences)
{
    return 1.0f;
}

float3x3 pelt_find_strongest(pelt_influences influences)
{
    return float3x3(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f), float3(0.0f, 0.0f, 1.0f));
}

float3 pelt_normalize(float3 v)
{
    float largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
    float3 _226;
    if (largest > 0.0f)
    {
        _226 = normalize(v / largest.xxx);
    }
    else
    {
        _226 = 0.0f.xxx;
    }
    return _226;
}

float3 pelt_unit_or(float3 moved, float3 by_strongest, float3 rest)
{
    if (any(bool3(moved.x != 0.0f.xxx.x, moved.y != 0.0f.xxx.y, moved.z != 0.0f.xxx.z)))
    {
        float3 param = moved;
        return pelt_normalize(param);
    }
    float3 _252;
    if (any(bool3(by_strongest.x != 0.0f.xxx.x, by_strongest.y != 0.0f.xxx.y, by_strongest.z != 0.0f.xxx.z)))
    {
        float3 param_1 = by_strongest;
        _252 = pelt_normalize(param_1);
    }
    else
    {
        _252 = rest;
    }
    return _252;
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
        pelt_vertex _558 = { pelt_position, pelt_normal, pelt_tangent };
        return _558;
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
    pelt_vertex _595 = { motion.position, pelt_move_normal(param_3, param_4, param_5, param_6), pelt_move_tangent(param_7, param_8, param_9, param_10) };
    return _595;
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
    pelt_position = stage_input.pelt_position;
    pelt_cor = stage_input.pelt_cor;
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
