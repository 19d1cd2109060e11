// SPDX-License-Identifier: MIT
// A vertex function that skins by @NAME@, to be adapted. It defines the options, the source of joints and
// the attributes, and includes the functions.
#include <metal_stdlib>
using namespace metal;

#define PELT_INFLUENCES @INFLUENCES@
#define PELT_SCALE @SCALE@
#define PELT_LAYOUT @LAYOUT@
#define PELT_SIGNS @SIGNS@
@?floats #define PELT_NORMAL_SLOTS @SLOTS@
@?accurate #define PELT_NORMAL_CENTERS @CENTERS@
@?baked #define PELT_BAKED_TEXEL_WORDS @TEXEL_WORDS@
@?baked #define PELT_BAKED_KIND @BAKED_KIND@
@?baked #define PELT_BAKED_LAYOUT @BAKED_LAYOUT@

@?block typedef constant float4* pelt_palette_source;
@?unposed typedef texture2d<float> pelt_palette_source;
@?posed struct pelt_palette_source
@?posed {
@?posed     texture2d<float> texels;
@?posed     uint first_joint; // joint 0 of the mesh in the palette
@?posed };
@?baked typedef thread const float4* pelt_palette_source; // joints of this vertex, by influence

// One of the @JOINT_TEXELS@ texels of a joint. To keep joints elsewhere, rewrite this function and the type.
static inline float4 pelt_palette_texel(uint joint, uint texel, pelt_palette_source palette)
{
    uint at = @JOINT_TEXELS@u * joint + texel;
@?block     return palette[at];
@?baked     return palette[at];
@?posed     at += 4u * palette.first_joint;
@?posed     return palette.texels.read(uint2(at % 1024u, at / 1024u), 0);
@?unposed     return palette.read(uint2(at % 1024u, at / 1024u), 0);
}
@?baked
@?baked static inline uint4 pelt_baked_texel(uint at, texture2d<uint> baked)
@?baked {
@?baked     uint width = baked.get_width();
@?baked     return baked.read(uint2(at % width, at / width), 0);
@?baked }
@?crowd
@?crowd struct pelt_instance_joints
@?crowd {
@?crowd     uint first_joint; // joint 0 of the mesh, of the first instance
@?crowd     uint joint_count; // joints from one instance to the next, where they are posed
@?crowd };

@?floats static inline float4 pelt_normal_texel(int at, texture2d<float> factors)
@?floats {
@?floats     return factors.read(uint2(at % 1024, at / 1024), 0);
@?floats }
@?compact static inline uint2 pelt_normal_words(int at, texture2d<uint> factors)
@?compact {
@?compact     return factors.read(uint2(at % 1024, at / 1024), 0).xy;
@?compact }
@?accurate
#include "pelt_skin.metal"
@?floats #include "pelt_normals.metal"
@?compact #include "pelt_normals_compact.metal"
@?baked #include "pelt_texture.metal"

struct pelt_input
{
    float3 position [[attribute(0)]];
    float3 normal [[attribute(1)]];
    float4 tangent [[attribute(2)]];
    float2 uv [[attribute(3)]];
@?skinned     uint4 joints [[attribute(5)]];
@?skinned     float4 weights [[attribute(6)]];
@?vertices     uint vertex_id [[attribute(11)]];
@?baked     uint4 playback [[attribute(12)]]; // of the instance
@?baked     float4 times [[attribute(13)]];
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
@?unposed                              texture2d<float> palette [[texture(0)]],
@?posed                              texture2d<float> texels [[texture(0)]],
@?posed                              uint instance [[instance_id]],
@?baked                              texture2d<uint> baked [[texture(0)]],
@?crowd                              constant pelt_instance_joints& instances [[buffer(3)]],
@?mix                              constant float& mix_factor [[buffer(2)]],
@?floats                              texture2d<float> factors [[texture(1)]],
@?compact                              texture2d<uint> factors [[texture(1)]],
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
@?posed     pelt_palette_source palette = {
@?posed         texels, instances.first_joint + instances.joint_count * instance};
@?baked     uint4 playback = input.playback;
@?baked     float4 times = input.times;
@?baked     pelt_playing playing = pelt_play(playback, times, baked);
@?decoded     float4 palette[@DECODED_TEXELS@];
@?decoded     for (uint i = 0u; i < uint(PELT_INFLUENCES); ++i)
@?decoded     {
@?decoded         // An index beyond the last joint is not decoded.
@?decoded         uint number = influences.weights[i] != 0.0
@?decoded             ? instances.first_joint + influences.joints[i] : 0xFFFFFFFFu;
@?decoded         pelt_joint joint = pelt_joint_at(number, playing, baked);
@?decoded         palette[4u * i] = joint.x;
@?decoded         palette[4u * i + 1u] = joint.y;
@?decoded         palette[4u * i + 2u] = joint.z;
@?decoded         palette[4u * i + 3u] = joint.rotation;
@?decoded         influences.joints[i] = i;
@?decoded     }
@?vertices     uint vertex_id = input.vertex_id;
@?vertices     pelt_vertex skinned = pelt_baked_vertex(rest, vertex_id, playing, baked);
@?plainly     pelt_vertex skinned = @DEFORM@(rest, influences, palette);
@?accurate     pelt_vertex skinned = @DEFORM@(rest, influences, palette, factors);

    pelt_output output;
    output.position = clip_from_model * float4(skinned.position, 1.0);
    output.normal = skinned.normal;
    output.tangent = skinned.tangent;
    output.uv = input.uv;
    return output;
}
