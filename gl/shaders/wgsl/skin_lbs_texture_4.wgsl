// SPDX-License-Identifier: MIT
// A vertex shader of pelt, translated from its GLSL by tools/shaders.

struct pelt_motion {
    linear: mat3x3<f32>,
    position: vec3<f32>,
}

struct pelt_influences {
    joints: array<u32, 4>,
    weights: array<f32, 4>,
}

struct pelt_vertex {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec4<f32>,
}

struct pelt_dquat {
    real: vec4<f32>,
    dual: vec4<f32>,
}

struct pelt_view {
    pelt_clip_from_model: mat4x4<f32>,
}

struct VertexOutput {
    @location(0) pelt_out_normal: vec3<f32>,
    @location(1) pelt_out_tangent: vec4<f32>,
    @location(2) pelt_out_uv: vec2<f32>,
    @builtin(position) gl_Position: vec4<f32>,
}

@group(0) @binding(0)
var pelt_palette: texture_2d<f32>;
var<private> pelt_position_1: vec3<f32>;
var<private> pelt_normal_1: vec3<f32>;
var<private> pelt_tangent_1: vec4<f32>;
var<private> pelt_uv_1: vec2<f32>;
var<private> pelt_joints_1: vec4<u32>;
var<private> pelt_weights_1: vec4<f32>;
@group(0) @binding(1)
var<uniform> pelt_view_block: pelt_view;
var<private> pelt_out_normal: vec3<f32>;
var<private> pelt_out_tangent: vec4<f32>;
var<private> pelt_out_uv: vec2<f32>;
var<private> gl_Position: vec4<f32>;

fn pelt_mat3_from_quat(q: vec4<f32>) -> mat3x3<f32> {
    var q_1: vec4<f32>;
    var d: vec3<f32>;
    var x: vec3<f32>;
    var w: vec3<f32>;
    var yy: f32;
    var yz: f32;
    var zz: f32;

    q_1 = q;
    let _e2 = q_1;
    let _e4 = q_1;
    d = (_e2.xyz + _e4.xyz);
    let _e8 = q_1;
    let _e10 = d;
    x = (_e8.x * _e10);
    let _e13 = q_1;
    let _e15 = d;
    w = (_e13.w * _e15);
    let _e18 = q_1;
    let _e20 = d;
    yy = (_e18.y * _e20.y);
    let _e24 = q_1;
    let _e26 = d;
    yz = (_e24.y * _e26.z);
    let _e30 = q_1;
    let _e32 = d;
    zz = (_e30.z * _e32.z);
    let _e37 = yy;
    let _e38 = zz;
    let _e41 = x;
    let _e43 = w;
    let _e46 = x;
    let _e48 = w;
    let _e51 = x;
    let _e53 = w;
    let _e57 = x;
    let _e59 = zz;
    let _e62 = yz;
    let _e63 = w;
    let _e66 = x;
    let _e68 = w;
    let _e71 = yz;
    let _e72 = w;
    let _e76 = x;
    let _e78 = yy;
    return mat3x3<f32>(vec3<f32>((1f - (_e37 + _e38)), (_e41.y + _e43.z), (_e46.z - _e48.y)), vec3<f32>((_e51.y - _e53.z), (1f - (_e57.x + _e59)), (_e62 + _e63.x)), vec3<f32>((_e66.z + _e68.y), (_e71 - _e72.x), (1f - (_e76.x + _e78))));
}

fn pelt_sign_of(q_2: vec4<f32>, strongest: vec4<f32>) -> f32 {
    var q_3: vec4<f32>;
    var strongest_1: vec4<f32>;
    var local: f32;

    q_3 = q_2;
    strongest_1 = strongest;
    let _e4 = strongest_1;
    let _e5 = q_3;
    if (dot(_e4, _e5) < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e13 = local;
    return _e13;
}

fn pelt_is_cancelled(sum: vec4<f32>) -> bool {
    var sum_1: vec4<f32>;

    sum_1 = sum;
    let _e2 = sum_1;
    let _e3 = sum_1;
    return !((dot(_e2, _e3) > 0.000000000001f));
}

fn pelt_normalize(v: vec3<f32>) -> vec3<f32> {
    var v_1: vec3<f32>;
    var largest: f32;
    var local_1: vec3<f32>;

    v_1 = v;
    let _e2 = v_1;
    let _e5 = v_1;
    let _e8 = v_1;
    largest = max(abs(_e2.x), max(abs(_e5.y), abs(_e8.z)));
    let _e14 = largest;
    if (_e14 > 0f) {
        let _e17 = v_1;
        let _e18 = largest;
        local_1 = normalize((_e17 / vec3(_e18)));
    } else {
        local_1 = vec3(0f);
    }
    let _e25 = local_1;
    return _e25;
}

fn pelt_unit_or(moved: vec3<f32>, by_strongest: vec3<f32>, rest: vec3<f32>) -> vec3<f32> {
    var moved_1: vec3<f32>;
    var by_strongest_1: vec3<f32>;
    var rest_1: vec3<f32>;
    var local_2: vec3<f32>;

    moved_1 = moved;
    by_strongest_1 = by_strongest;
    rest_1 = rest;
    let _e6 = moved_1;
    if any((_e6 != vec3(0f))) {
        {
            let _e11 = moved_1;
            let _e12 = pelt_normalize(_e11);
            return _e12;
        }
    }
    let _e13 = by_strongest_1;
    if any((_e13 != vec3(0f))) {
        let _e18 = by_strongest_1;
        let _e19 = pelt_normalize(_e18);
        local_2 = _e19;
    } else {
        let _e20 = rest_1;
        local_2 = _e20;
    }
    let _e22 = local_2;
    return _e22;
}

fn pelt_side_of(linear: mat3x3<f32>) -> f32 {
    var linear_1: mat3x3<f32>;
    var local_3: f32;

    linear_1 = linear;
    let _e4 = linear_1[0];
    let _e7 = linear_1[1];
    let _e10 = linear_1[2];
    if (dot(_e4, cross(_e7, _e10)) < 0f) {
        local_3 = -1f;
    } else {
        local_3 = 1f;
    }
    let _e19 = local_3;
    return _e19;
}

fn pelt_move_normal(linear_2: mat3x3<f32>, side: f32, strongest_2: mat3x3<f32>, n: vec3<f32>) -> vec3<f32> {
    var linear_3: mat3x3<f32>;
    var side_1: f32;
    var strongest_3: mat3x3<f32>;
    var n_1: vec3<f32>;
    var cofactor: mat3x3<f32>;

    linear_3 = linear_2;
    side_1 = side;
    strongest_3 = strongest_2;
    n_1 = n;
    let _e10 = linear_3[1];
    let _e13 = linear_3[2];
    let _e14 = cross(_e10, _e13);
    let _e17 = linear_3[2];
    let _e20 = linear_3[0];
    let _e21 = cross(_e17, _e20);
    let _e24 = linear_3[0];
    let _e27 = linear_3[1];
    let _e28 = cross(_e24, _e27);
    cofactor = mat3x3<f32>(vec3<f32>(_e14.x, _e14.y, _e14.z), vec3<f32>(_e21.x, _e21.y, _e21.z), vec3<f32>(_e28.x, _e28.y, _e28.z));
    let _e43 = side_1;
    let _e44 = cofactor;
    let _e45 = n_1;
    let _e48 = strongest_3;
    let _e49 = n_1;
    let _e51 = n_1;
    let _e52 = pelt_unit_or((_e43 * (_e44 * _e45)), (_e48 * _e49), _e51);
    return _e52;
}

fn pelt_move_tangent(linear_4: mat3x3<f32>, side_2: f32, strongest_4: mat3x3<f32>, t: vec4<f32>) -> vec4<f32> {
    var linear_5: mat3x3<f32>;
    var side_3: f32;
    var strongest_5: mat3x3<f32>;
    var t_1: vec4<f32>;

    linear_5 = linear_4;
    side_3 = side_2;
    strongest_5 = strongest_4;
    t_1 = t;
    let _e8 = linear_5;
    let _e9 = t_1;
    let _e12 = strongest_5;
    let _e13 = t_1;
    let _e16 = t_1;
    let _e18 = pelt_unit_or((_e8 * _e9.xyz), (_e12 * _e13.xyz), _e16.xyz);
    let _e19 = side_3;
    let _e20 = t_1;
    return vec4<f32>(_e18.x, _e18.y, _e18.z, (_e19 * _e20.w));
}

fn pelt_palette_texel(joint: u32, texel: u32) -> vec4<f32> {
    var joint_1: u32;
    var texel_1: u32;
    var at: i32;

    joint_1 = joint;
    texel_1 = texel;
    let _e5 = joint_1;
    let _e8 = texel_1;
    at = i32(((_e5 * 3u) + _e8));
    let _e12 = at;
    let _e15 = at;
    let _e20 = textureLoad(pelt_palette, vec2<i32>((_e12 % 1024i), (_e15 / 1024i)), 0i);
    return _e20;
}

fn pelt_palette_matrix(joint_2: u32) -> mat3x4<f32> {
    var joint_3: u32;

    joint_3 = joint_2;
    let _e3 = joint_3;
    let _e5 = pelt_palette_texel(_e3, 0u);
    let _e6 = joint_3;
    let _e8 = pelt_palette_texel(_e6, 1u);
    let _e9 = joint_3;
    let _e11 = pelt_palette_texel(_e9, 2u);
    return mat3x4<f32>(vec4<f32>(_e5.x, _e5.y, _e5.z, _e5.w), vec4<f32>(_e8.x, _e8.y, _e8.z, _e8.w), vec4<f32>(_e11.x, _e11.y, _e11.z, _e11.w));
}

fn pelt_skin_lbs(position: vec3<f32>, influences: pelt_influences) -> pelt_motion {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var sum_2: mat3x4<f32> = mat3x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var i: i32 = 0i;

    position_1 = position;
    influences_1 = influences;
    loop {
        let _e14 = i;
        if !((_e14 < 4i)) {
            break;
        }
        {
            let _e21 = sum_2;
            let _e22 = i;
            let _e25 = influences_1.weights[_e22];
            let _e26 = i;
            let _e29 = influences_1.joints[_e26];
            let _e30 = pelt_palette_matrix(_e29);
            sum_2 = (_e21 + (_e25 * _e30));
        }
        continuing {
            let _e18 = i;
            i = (_e18 + 1i);
        }
    }
    let _e33 = sum_2;
    let _e44 = position_1;
    let _e50 = sum_2;
    return pelt_motion(transpose(mat3x3<f32>(_e33[0].xyz, _e33[1].xyz, _e33[2].xyz)), (vec4<f32>(_e44.x, _e44.y, _e44.z, 1f) * _e50));
}

fn pelt_gather_influences() -> pelt_influences {
    var influences_2: pelt_influences;
    var i_1: i32 = 0i;

    loop {
        let _e10 = i_1;
        if !((_e10 < 4i)) {
            break;
        }
        {
            let _e19 = i_1;
            let _e22 = i_1;
            let _e24 = pelt_joints_1[_e22];
            influences_2.joints[_e19] = _e24;
            let _e25 = i_1;
            let _e28 = i_1;
            let _e30 = pelt_weights_1[_e28];
            influences_2.weights[_e25] = _e30;
        }
        continuing {
            let _e16 = i_1;
            i_1 = (_e16 + 1i);
        }
    }
    let _e31 = influences_2;
    return _e31;
}

fn pelt_find_motion(influences_3: pelt_influences) -> pelt_motion {
    var influences_4: pelt_influences;

    influences_4 = influences_3;
    let _e9 = pelt_position_1;
    let _e10 = influences_4;
    let _e11 = pelt_skin_lbs(_e9, _e10);
    return _e11;
}

fn pelt_find_strongest(influences_5: pelt_influences) -> mat3x3<f32> {
    var influences_6: pelt_influences;

    influences_6 = influences_5;
    let _e12 = influences_6.joints[0];
    let _e13 = pelt_palette_matrix(_e12);
    return transpose(mat3x3<f32>(_e13[0].xyz, _e13[1].xyz, _e13[2].xyz));
}

fn pelt_find_side(influences_7: pelt_influences) -> f32 {
    var influences_8: pelt_influences;

    influences_8 = influences_7;
    let _e12 = influences_8.joints[0];
    let _e13 = pelt_palette_matrix(_e12);
    let _e23 = pelt_side_of(mat3x3<f32>(_e13[0].xyz, _e13[1].xyz, _e13[2].xyz));
    return _e23;
}

fn pelt_skin() -> pelt_vertex {
    var influences_9: pelt_influences;
    var motion: pelt_motion;
    var side_4: f32;
    var strongest_6: mat3x3<f32>;

    let _e7 = pelt_gather_influences();
    influences_9 = _e7;
    let _e12 = influences_9.weights[0];
    if (_e12 == 0f) {
        {
            let _e15 = pelt_position_1;
            let _e16 = pelt_normal_1;
            let _e17 = pelt_tangent_1;
            return pelt_vertex(_e15, _e16, _e17);
        }
    }
    let _e19 = influences_9;
    let _e20 = pelt_find_motion(_e19);
    motion = _e20;
    let _e22 = influences_9;
    let _e23 = pelt_find_side(_e22);
    side_4 = _e23;
    let _e25 = influences_9;
    let _e26 = pelt_find_strongest(_e25);
    strongest_6 = _e26;
    let _e28 = motion;
    let _e30 = motion;
    let _e32 = side_4;
    let _e33 = strongest_6;
    let _e34 = pelt_normal_1;
    let _e35 = pelt_move_normal(_e30.linear, _e32, _e33, _e34);
    let _e36 = motion;
    let _e38 = side_4;
    let _e39 = strongest_6;
    let _e40 = pelt_tangent_1;
    let _e41 = pelt_move_tangent(_e36.linear, _e38, _e39, _e40);
    return pelt_vertex(_e28.position, _e35, _e41);
}

fn main_1() {
    var vertex: pelt_vertex;

    let _e12 = pelt_skin();
    vertex = _e12;
    let _e14 = vertex;
    pelt_out_normal = _e14.normal;
    let _e16 = vertex;
    pelt_out_tangent = _e16.tangent;
    let _e18 = pelt_uv_1;
    pelt_out_uv = _e18;
    let _e20 = pelt_view_block.pelt_clip_from_model;
    let _e21 = vertex;
    gl_Position = (_e20 * vec4<f32>(_e21.position.x, _e21.position.y, _e21.position.z, 1f));
    return;
}

@vertex
fn main(@location(0) pelt_position: vec3<f32>, @location(1) pelt_normal: vec3<f32>, @location(2) pelt_tangent: vec4<f32>, @location(3) pelt_uv: vec2<f32>, @location(5) pelt_joints: vec4<u32>, @location(6) pelt_weights: vec4<f32>) -> VertexOutput {
    pelt_position_1 = pelt_position;
    pelt_normal_1 = pelt_normal;
    pelt_tangent_1 = pelt_tangent;
    pelt_uv_1 = pelt_uv;
    pelt_joints_1 = pelt_joints;
    pelt_weights_1 = pelt_weights;
    main_1();
    let _e35 = pelt_out_normal;
    let _e37 = pelt_out_tangent;
    let _e39 = pelt_out_uv;
    let _e41 = gl_Position;
    return VertexOutput(_e35, _e37, _e39, _e41);
}
