// SPDX-License-Identifier: MIT
// A vertex function that skins by @NAME@, to take over and change. What it is compiled for, where joints
// are and which attributes there are stands here; the functions are in what it includes.
#include <metal_stdlib>
using namespace metal;

#define PELT_INFLUENCES @INFLUENCES@
#define PELT_SCALE @SCALE@
#define PELT_LAYOUT @LAYOUT@
@?accurate #define PELT_NORMAL_SLOTS @SLOTS@
@?accurate #define PELT_NORMAL_CENTERS @CENTERS@

@?block typedef constant float4* pelt_palette_source;
@?texture typedef texture2d<float> pelt_palette_source;

// One of the @JOINT_TEXELS@ texels of a joint. For joints that lie elsewhere, write this and the type anew.
static inline float4 pelt_palette_texel(uint joint, uint texel, pelt_palette_source palette)
{
    uint at = @JOINT_TEXELS@u * joint + texel;
@?block     return palette[at];
@?texture     return palette.read(uint2(at % 1024u, at / 1024u), 0);
}

@?accurate static inline float4 pelt_normal_texel(int at, texture2d<float> factors)
@?accurate {
@?accurate     return factors.read(uint2(at % 1024, at / 1024), 0);
@?accurate }
@?accurate
#include "pelt_skin.metal"
@?accurate #include "pelt_normals.metal"

struct pelt_input
{
    float3 position [[attribute(0)]];
    float3 normal [[attribute(1)]];
    float4 tangent [[attribute(2)]];
    float2 uv [[attribute(3)]];
    uint4 joints [[attribute(5)]];
    float4 weights [[attribute(6)]];
@?more     uint4 more_joints [[attribute(7)]];
@?more     float4 more_weights [[attribute(8)]];
@?crs     float3 center [[attribute(9)]];
};

struct pelt_output
{
    float4 position [[position]];
    float3 normal;
    float4 tangent;
    float2 uv;
};

vertex pelt_output pelt_main(pelt_input input [[stage_in]],
@?block                              constant float4* palette [[buffer(0)]],
@?texture                              texture2d<float> palette [[texture(0)]],
@?mix                              constant float& mix_factor [[buffer(2)]],
@?accurate                              texture2d<float> factors [[texture(1)]],
@?accurate                              uint index [[vertex_id]],
                             constant float4x4& clip_from_model [[buffer(1)]])
{
    pelt_rest rest = {};
    rest.position = input.position;
    rest.normal = input.normal;
    rest.tangent = input.tangent;
@?crs     rest.center = input.center;
@?mix     rest.mix_factor = mix_factor;
@?accurate     rest.index = int(index);
@?few     uint4 no_joints = uint4(0);
@?few     float4 no_weights = float4(0.0);
@?few     pelt_influences influences =
@?few         pelt_influences_make(input.joints, input.weights, no_joints, no_weights);
@?more     pelt_influences influences = pelt_influences_make(input.joints, input.weights,
@?more                                                       input.more_joints, input.more_weights);
@?standard     pelt_vertex skinned = @DEFORM@(rest, influences, palette);
@?accurate     pelt_vertex skinned = @DEFORM@(rest, influences, palette, factors);

    pelt_output output;
    output.position = clip_from_model * float4(skinned.position, 1.0);
    output.normal = skinned.normal;
    output.tangent = skinned.tangent;
    output.uv = input.uv;
    return output;
}
