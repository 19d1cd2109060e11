// SPDX-License-Identifier: MIT
// The pose pass: an invocation is a joint of an instance. Dispatch ceil(instances * joints / 64)
// workgroups, of which the first dimension has at most 65535: the second one continues.

// The texture as a buffer, row after row: PELT_BAKED_TEXEL_WORDS is 4 whatever its format was, as its
// words are the same.
@group(0) @binding(0) var<storage, read> pelt_baked: array<vec4u>;
// The pelt_gpu_playback of each instance: 32 bytes.
@group(0) @binding(1) var<storage, read> pelt_playbacks: array<vec4u>;
// 4 for each joint, instance after instance: rows of its matrix, then its rotation.
@group(0) @binding(2) var<storage, read_write> pelt_palette: array<vec4f>;

fn pelt_baked_texel(at: u32) -> vec4u {
    return pelt_baked[min(at, arrayLength(&pelt_baked) - 1u)];
}

fn pelt_palette_texel(joint: u32, texel: u32) -> vec4f {
    return pelt_palette[4u * joint + texel];
}

@compute @workgroup_size(64)
fn pose(@builtin(global_invocation_id) id: vec3u) {
    let at = id.x + 64u * 65535u * id.y;
    let joint_count = pelt_baked_joint_count();
    let instance = at / joint_count;
    if 2u * instance >= arrayLength(&pelt_playbacks) || 4u * at >= arrayLength(&pelt_palette) {
        return;
    }
    let playing = pelt_play(pelt_playbacks[2u * instance],
                            bitcast<vec4f>(pelt_playbacks[2u * instance + 1u]));
    let joint = pelt_joint_at(at % joint_count, playing);
    pelt_palette[4u * at] = joint.x;
    pelt_palette[4u * at + 1u] = joint.y;
    pelt_palette[4u * at + 2u] = joint.z;
    pelt_palette[4u * at + 3u] = joint.rotation;
}
