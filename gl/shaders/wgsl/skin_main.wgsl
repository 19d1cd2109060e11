// SPDX-License-Identifier: MIT
// To take over and change: where joints are, which attributes there are, and an entry point. What is
// above are functions, and constants that createRenderPipeline() may set by their names.

@?block struct pelt_palette {
@?block     texels: array<vec4f, 1024>,
@?block }
@?block @group(0) @binding(0) var<uniform> pelt_palette_block: pelt_palette;
@?texture @group(0) @binding(0) var pelt_palette: texture_2d<f32>;
@group(0) @binding(1) var<uniform> pelt_clip_from_model: mat4x4f;
@?mix @group(0) @binding(2) var<uniform> pelt_mix: f32;
@?accurate @group(0) @binding(3) var pelt_normal_factors: texture_2d<f32>;

// One of the @JOINT_TEXELS@ texels of a joint. For joints that lie elsewhere, write this anew.
fn pelt_palette_texel(joint: u32, texel: u32) -> vec4f {
    let at = @JOINT_TEXELS@u * joint + texel;
@?block     return pelt_palette_block.texels[at];
@?texture     return textureLoad(pelt_palette, vec2u(at % 1024u, at / 1024u), 0);
}

@?accurate fn pelt_normal_texel(at: i32) -> vec4f {
@?accurate     return textureLoad(pelt_normal_factors, vec2i(at % 1024, at / 1024), 0);
@?accurate }
@?accurate
struct pelt_input {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) tangent: vec4f,
    @location(3) uv: vec2f,
    @location(5) joints: vec4u,
    @location(6) weights: vec4f,
@?more     @location(7) more_joints: vec4u,
@?more     @location(8) more_weights: vec4f,
@?crs     @location(9) center: vec3f,
@?accurate     @builtin(vertex_index) index: u32,
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
@?few     let influences = pelt_influences_make(input.joints, input.weights, vec4u(), vec4f());
@?more     let influences = pelt_influences_make(input.joints, input.weights,
@?more                                           input.more_joints, input.more_weights);
    let skinned = @DEFORM@(rest, influences);
    return pelt_output(pelt_clip_from_model * vec4f(skinned.position, 1.0), skinned.normal,
                       skinned.tangent, input.uv);
}
