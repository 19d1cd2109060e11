// SPDX-License-Identifier: MIT
// To be adapted: the source of joints, the attributes, and an entry point. The text above consists of
// functions, and of constants that createRenderPipeline() can override by name.

@?block struct pelt_palette {
@?block     texels: array<vec4f, 1024>,
@?block }
@?block @group(0) @binding(0) var<uniform> pelt_palette_block: pelt_palette;
@?texture @group(0) @binding(0) var pelt_palette: texture_2d<f32>;
@?baked @group(0) @binding(0) var pelt_baked: texture_2d<u32>;
@group(0) @binding(1) var<uniform> pelt_clip_from_model: mat4x4f;
@?mix @group(0) @binding(2) var<uniform> pelt_mix: f32;
@?floats @group(0) @binding(3) var pelt_normal_factors: texture_2d<f32>;
@?compact @group(0) @binding(3) var pelt_normal_factors: texture_2d<u32>;
@?crowd
@?crowd struct pelt_instance_joints {
@?crowd     first_joint: u32, // joint 0 of the mesh, of the first instance
@?crowd     joint_count: u32, // joints from one instance to the next, where they are posed
@?crowd }
@?crowd @group(0) @binding(4) var<uniform> pelt_instances: pelt_instance_joints;
@?posed var<private> pelt_instance_joint: u32; // joint 0 of the mesh in the palette
@?baked var<private> pelt_decoded: array<vec4f, @DECODED_TEXELS@>; // joints of this vertex
@?baked
@?baked fn pelt_baked_texel(at: u32) -> vec4u {
@?baked     let width = textureDimensions(pelt_baked).x;
@?baked     return textureLoad(pelt_baked, vec2u(at % width, at / width), 0);
@?baked }

// One of the @JOINT_TEXELS@ texels of a joint. To keep joints elsewhere, rewrite this function.
fn pelt_palette_texel(joint: u32, texel: u32) -> vec4f {
    let at = @JOINT_TEXELS@u * joint + texel;
@?baked     return pelt_decoded[at];
@?block     return pelt_palette_block.texels[at];
@?posed     let texel_index = at + 4u * pelt_instance_joint;
@?posed     return textureLoad(pelt_palette, vec2u(texel_index % 1024u, texel_index / 1024u), 0);
@?unposed     return textureLoad(pelt_palette, vec2u(at % 1024u, at / 1024u), 0);
}

@?floats fn pelt_normal_texel(at: i32) -> vec4f {
@?floats     return textureLoad(pelt_normal_factors, vec2i(at % 1024, at / 1024), 0);
@?floats }
@?compact fn pelt_normal_words(at: i32) -> vec2u {
@?compact     return textureLoad(pelt_normal_factors, vec2i(at % 1024, at / 1024), 0).xy;
@?compact }
@?accurate
struct pelt_input {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) tangent: vec4f,
    @location(3) uv: vec2f,
@?skinned     @location(5) joints: vec4u,
@?skinned     @location(6) weights: vec4f,
@?vertices     @location(11) vertex: u32,
@?more     @location(7) more_joints: vec4u,
@?more     @location(8) more_weights: vec4f,
@?crs     @location(9) center: vec3f,
@?baked     @location(12) playback: vec4u, // of the instance
@?baked     @location(13) times: vec4f,
@?accurate     @builtin(vertex_index) index: u32,
@?posed     @builtin(instance_index) instance: u32,
}

struct pelt_output {
    @builtin(position) position: vec4f,
    @location(0) normal: vec3f,
    @location(1) tangent: vec4f,
    @location(2) uv: vec2f,
}

@vertex
fn main(input: pelt_input) -> pelt_output {
    var rest: pelt_rest;
    rest.position = input.position;
    rest.normal = input.normal;
    rest.tangent = input.tangent;
@?crs     rest.center = input.center;
@?mix     rest.mix_factor = pelt_mix;
@?accurate     rest.index = i32(input.index);
@?few     var influences = pelt_influences_make(input.joints, input.weights, vec4u(), vec4f());
@?more     var influences = pelt_influences_make(input.joints, input.weights,
@?more                                           input.more_joints, input.more_weights);
@?posed     pelt_instance_joint =
@?posed         pelt_instances.first_joint + pelt_instances.joint_count * input.instance;
@?baked     let playing = pelt_play(input.playback, input.times);
@?decoded     for (var i = 0u; i < u32(PELT_INFLUENCES); i++) {
@?decoded         // An index beyond the last joint is not decoded.
@?decoded         let number = select(0xFFFFFFFFu, pelt_instances.first_joint + influences.joints[i],
@?decoded                             influences.weights[i] != 0.0);
@?decoded         let joint = pelt_joint_at(number, playing);
@?decoded         pelt_decoded[4u * i] = joint.x;
@?decoded         pelt_decoded[4u * i + 1u] = joint.y;
@?decoded         pelt_decoded[4u * i + 2u] = joint.z;
@?decoded         pelt_decoded[4u * i + 3u] = joint.rotation;
@?decoded         influences.joints[i] = i;
@?decoded     }
@?skinned     let skinned = @DEFORM@(rest, influences);
@?vertices     let skinned = pelt_baked_vertex(rest, input.vertex, playing);
    return pelt_output(pelt_clip_from_model * vec4f(skinned.position, 1.0), skinned.normal,
                       skinned.tangent, input.uv);
}
