// SPDX-License-Identifier: MIT
// Compute skinning: an invocation is a vertex. The text above consists of functions, and of constants
// that createComputePipeline() can override by name. Dispatch ceil(vertex_count / 64) workgroups.

struct pelt_skinning {
    vertex_count: u32,
    target_count: u32, // morph targets
    mix_factor: f32,   // mix
    padding: u32,
}

@group(0) @binding(0) var<uniform> pelt_skinning_of: pelt_skinning;
// 4 for each joint: rows of its matrix, then its rotation.
@group(0) @binding(1) var<storage, read> pelt_palette: array<vec4f>;
// 4 for each vertex: position, normal, tangent, center of rotation with the mix factor as w. A
// negative mix factor means that of the structure.
@group(0) @binding(2) var<storage, read> pelt_rest_vertices: array<vec4f>;
// For each vertex: 4 joints, 4 weights as bits; with PELT_INFLUENCES above 4 two times so.
@group(0) @binding(3) var<storage, read> pelt_vertex_influences: array<vec4u>;
// For each morph target and vertex the change of the position and of the normal, and one weight for
// each target.
@group(0) @binding(4) var<storage, read> pelt_targets: array<vec4f>;
@group(0) @binding(5) var<storage, read> pelt_target_weights: array<f32>;
// 3 for each vertex: position, normal, tangent.
@group(0) @binding(6) var<storage, read_write> pelt_skinned: array<vec4f>;
@?floats @group(0) @binding(7) var<storage, read> pelt_normal_factors: array<vec4f>;
@?compact @group(0) @binding(7) var<storage, read> pelt_normal_factors: array<vec2u>;

fn pelt_palette_texel(joint: u32, texel: u32) -> vec4f {
    return pelt_palette[4u * joint + texel];
}

@?floats fn pelt_normal_texel(at: i32) -> vec4f {
@?floats     return pelt_normal_factors[at];
@?floats }
@?compact fn pelt_normal_words(at: i32) -> vec2u {
@?compact     return pelt_normal_factors[at];
@?compact }
@?accurate
@compute @workgroup_size(64)
fn skin(@builtin(global_invocation_id) id: vec3u) {
    let vertex = id.x;
    let count = pelt_skinning_of.vertex_count;
    if vertex >= count {
        return;
    }
    var rest: pelt_rest;
    rest.position = pelt_rest_vertices[4u * vertex].xyz;
    rest.normal = pelt_rest_vertices[4u * vertex + 1u].xyz;
    rest.tangent = pelt_rest_vertices[4u * vertex + 2u];
    let center = pelt_rest_vertices[4u * vertex + 3u];
    rest.center = center.xyz;
    rest.mix_factor = select(center.w, pelt_skinning_of.mix_factor, center.w < 0.0);
    rest.index = i32(vertex);
    for (var i = 0u; i < pelt_skinning_of.target_count; i++) {
        let weight = pelt_target_weights[i];
        let at = 2u * (i * count + vertex);
        if weight != 0.0 {
            rest.position += weight * pelt_targets[at].xyz;
            rest.normal += weight * pelt_targets[at + 1u].xyz;
        }
    }
    let many = PELT_INFLUENCES > 4;
    let first = vertex * select(2u, 4u, many);
    let more = first + select(0u, 2u, many);
    let skinned = @DEFORM@(rest, pelt_influences_make(
        pelt_vertex_influences[first], bitcast<vec4f>(pelt_vertex_influences[first + 1u]),
        pelt_vertex_influences[more], bitcast<vec4f>(pelt_vertex_influences[more + 1u])));
    pelt_skinned[3u * vertex] = vec4f(skinned.position, 1.0);
    pelt_skinned[3u * vertex + 1u] = vec4f(skinned.normal, 0.0);
    pelt_skinned[3u * vertex + 2u] = skinned.tangent;
}
