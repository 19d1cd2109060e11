// SPDX-License-Identifier: MIT
// A vertex shader that skins by @NAME@, to be adapted. It defines the options, the source of joints and
// the attributes, and includes the functions.

#define PELT_INFLUENCES @INFLUENCES@
#define PELT_SCALE @SCALE@
#define PELT_LAYOUT @LAYOUT@
#define PELT_SIGNS @SIGNS@
@?floats #define PELT_NORMAL_SLOTS @SLOTS@
@?accurate #define PELT_NORMAL_CENTERS @CENTERS@
@?baked #define PELT_BAKED_TEXEL_WORDS @TEXEL_WORDS@
@?baked #define PELT_BAKED_KIND @BAKED_KIND@
@?baked #define PELT_BAKED_LAYOUT @BAKED_LAYOUT@

@?block cbuffer pelt_palette : register(b0)
@?block {
@?block     float4 pelt_palette_texels[1024];
@?block };
@?texture Texture2D<float4> pelt_palette : register(t0);
@?crowd cbuffer pelt_instance_joints : register(b3)
@?crowd {
@?crowd     uint pelt_first_joint; // joint 0 of the mesh, of the first instance
@?crowd     uint pelt_joint_count; // joints from one instance to the next, where they are posed
@?crowd };
@?posed static uint pelt_instance_joint; // joint 0 of the mesh in the palette
@?baked Texture2D<uint4> pelt_baked : register(t0);
@?baked static float4 pelt_decoded[@DECODED_TEXELS@]; // joints of this vertex, by influence
@?baked
@?baked uint4 pelt_baked_texel(uint at)
@?baked {
@?baked     uint width, height;
@?baked     pelt_baked.GetDimensions(width, height);
@?baked     return pelt_baked.Load(int3(at % width, at / width, 0));
@?baked }

// One of the @JOINT_TEXELS@ texels of a joint. To keep joints elsewhere, rewrite this function.
float4 pelt_palette_texel(uint joint, uint texel)
{
    uint at = @JOINT_TEXELS@u * joint + texel;
@?baked     return pelt_decoded[at];
@?posed     at += 4u * pelt_instance_joint;
@?block     return pelt_palette_texels[at];
@?texture     return pelt_palette.Load(int3(at % 1024u, at / 1024u, 0));
}

@?floats Texture2D<float4> pelt_normal_factors : register(t1);
@?floats
@?floats float4 pelt_normal_texel(int at)
@?floats {
@?floats     return pelt_normal_factors.Load(int3(at % 1024, at / 1024, 0));
@?floats }
@?compact Texture2D<uint2> pelt_normal_factors : register(t1);
@?compact
@?compact uint2 pelt_normal_words(int at)
@?compact {
@?compact     return pelt_normal_factors.Load(int3(at % 1024, at / 1024, 0));
@?compact }
@?accurate
#include "pelt_skin.hlsl"
@?floats #include "pelt_normals.hlsl"
@?compact #include "pelt_normals_compact.hlsl"
@?baked #include "pelt_texture.hlsl"

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
@?skinned     uint4 joints : BLENDINDICES0;
@?skinned     float4 weights : BLENDWEIGHT0;
@?vertices     uint vertex : TEXCOORD1;
@?more     uint4 more_joints : BLENDINDICES1;
@?more     float4 more_weights : BLENDWEIGHT1;
@?crs     float3 center : TEXCOORD1;
@?baked     uint4 playback : TEXCOORD2; // of the instance
@?baked     float4 times : TEXCOORD3;
@?accurate     uint index : SV_VertexID;
@?posed     uint instance : SV_InstanceID;
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
@?posed     pelt_instance_joint = pelt_first_joint + pelt_joint_count * input.instance;
@?baked     pelt_playing playing = pelt_play(input.playback, input.times);
@?decoded     for (uint i = 0u; i < uint(PELT_INFLUENCES); ++i)
@?decoded     {
@?decoded         // An index beyond the last joint is not decoded.
@?decoded         uint number = influences.weights[i] != 0.0
@?decoded             ? pelt_first_joint + influences.joints[i] : 0xFFFFFFFFu;
@?decoded         pelt_joint joint = pelt_joint_at(number, playing);
@?decoded         pelt_decoded[4u * i] = joint.x;
@?decoded         pelt_decoded[4u * i + 1u] = joint.y;
@?decoded         pelt_decoded[4u * i + 2u] = joint.z;
@?decoded         pelt_decoded[4u * i + 3u] = joint.rotation;
@?decoded         influences.joints[i] = i;
@?decoded     }
@?skinned     pelt_vertex skinned = @DEFORM@(rest, influences);
@?vertices     pelt_vertex skinned = pelt_baked_vertex(rest, input.vertex, playing);

    pelt_output output;
    output.position = mul(pelt_clip_from_model, float4(skinned.position, 1.0));
    output.normal = skinned.normal;
    output.tangent = skinned.tangent;
    output.uv = input.uv;
    return output;
}
