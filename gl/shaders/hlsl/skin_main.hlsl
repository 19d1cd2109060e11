// SPDX-License-Identifier: MIT
// A vertex shader that skins by @NAME@, to take over and change. What it is compiled for, where joints
// are and which attributes there are stands here; the functions are in what it includes.

#define PELT_INFLUENCES @INFLUENCES@
#define PELT_SCALE @SCALE@
#define PELT_LAYOUT @LAYOUT@
@?accurate #define PELT_NORMAL_SLOTS @SLOTS@
@?accurate #define PELT_NORMAL_CENTERS @CENTERS@

@?block cbuffer pelt_palette : register(b0)
@?block {
@?block     float4 pelt_palette_texels[1024];
@?block };
@?texture Texture2D<float4> pelt_palette : register(t0);

// One of the @JOINT_TEXELS@ texels of a joint. For joints that lie elsewhere, write this anew.
float4 pelt_palette_texel(uint joint, uint texel)
{
    uint at = @JOINT_TEXELS@u * joint + texel;
@?block     return pelt_palette_texels[at];
@?texture     return pelt_palette.Load(int3(at % 1024u, at / 1024u, 0));
}

@?accurate Texture2D<float4> pelt_normal_factors : register(t1);
@?accurate
@?accurate float4 pelt_normal_texel(int at)
@?accurate {
@?accurate     return pelt_normal_factors.Load(int3(at % 1024, at / 1024, 0));
@?accurate }
@?accurate
#include "pelt_skin.hlsl"
@?accurate #include "pelt_normals.hlsl"

cbuffer pelt_view : register(b1)
{
    column_major float4x4 pelt_clip_from_model;
};
@?mix
@?mix cbuffer pelt_blend : register(b2)
@?mix {
@?mix     float pelt_mix;
@?mix };

struct pelt_input
{
    float3 position : POSITION;
    float3 normal : NORMAL;
    float4 tangent : TANGENT;
    float2 uv : TEXCOORD0;
    uint4 joints : BLENDINDICES0;
    float4 weights : BLENDWEIGHT0;
@?more     uint4 more_joints : BLENDINDICES1;
@?more     float4 more_weights : BLENDWEIGHT1;
@?crs     float3 center : TEXCOORD1;
@?accurate     uint index : SV_VertexID;
};

struct pelt_output
{
    float4 position : SV_Position;
    float3 normal : TEXCOORD0;
    float4 tangent : TEXCOORD1;
    float2 uv : TEXCOORD2;
};

pelt_output main(pelt_input input)
{
    pelt_rest rest = (pelt_rest)0;
    rest.position = input.position;
    rest.normal = input.normal;
    rest.tangent = input.tangent;
@?crs     rest.center = input.center;
@?mix     rest.mix_factor = pelt_mix;
@?accurate     rest.index = int(input.index);
@?few     pelt_influences influences = pelt_influences_make(input.joints, input.weights, 0, 0.0);
@?more     pelt_influences influences = pelt_influences_make(input.joints, input.weights,
@?more                                                       input.more_joints, input.more_weights);
    pelt_vertex skinned = @DEFORM@(rest, influences);

    pelt_output output;
    output.position = mul(pelt_clip_from_model, float4(skinned.position, 1.0));
    output.normal = skinned.normal;
    output.tangent = skinned.tangent;
    output.uv = input.uv;
    return output;
}
