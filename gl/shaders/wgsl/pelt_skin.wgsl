// SPDX-License-Identifier: MIT
// Skinning functions of pelt, translated from its GLSL by tools/shaders.

// Influences of a vertex that count: 1 to 8.
override PELT_INFLUENCES: i32 = 4;

// What joints do under dqs, mix and crs besides turning and moving; lbs carries everything.
const PELT_SCALE_NONE: i32 = 0;   // nothing: if they do scale, it is left out
const PELT_SCALE_LOCAL: i32 = 1;  // scale, shear or mirror about the vertex (crs: about its center)
const PELT_SCALE_ORIGIN: i32 = 2; // the same about the origin, as Maya and UsdSkel
override PELT_SCALE: i32 = PELT_SCALE_NONE;

// What the palette holds of a joint, in texels of four floats.
const PELT_LAYOUT_SHARED: i32 = 0;        // 4: rows of the matrix, rotation. All methods, all scales
const PELT_LAYOUT_MATRIX: i32 = 1;        // 3: rows of the matrix. lbs
const PELT_LAYOUT_MOTION: i32 = 2;        // 2: rotation, dual part. dqs without scale
const PELT_LAYOUT_MATRIX_MOTION: i32 = 3; // 5: rows of the matrix, rotation, dual part. mix without scale
override PELT_LAYOUT: i32 = PELT_LAYOUT_SHARED;

struct pelt_motion {
    linear: mat3x3<f32>,
    position: vec3<f32>,
}

struct pelt_influences {
    joints: array<u32, 8>,
    weights: array<f32, 8>,
}

struct pelt_rest {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec4<f32>,
    center: vec3<f32>,
    mix_factor: f32,
    index: i32,
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

fn pelt_influences_make(joints: vec4<u32>, weights: vec4<f32>, more_joints: vec4<u32>, more_weights: vec4<f32>) -> pelt_influences {
    var joints_1: vec4<u32>;
    var weights_1: vec4<f32>;
    var more_joints_1: vec4<u32>;
    var more_weights_1: vec4<f32>;
    var influences: pelt_influences;
    var i: i32 = 0i;

    joints_1 = joints;
    weights_1 = weights;
    more_joints_1 = more_joints;
    more_weights_1 = more_weights;
    loop {
        let _e16 = i;
        if !((_e16 < 4i)) {
            break;
        }
        {
            let _e23 = i;
            let _e26 = i;
            let _e28 = joints_1[_e26];
            influences.joints[_e23] = _e28;
            let _e29 = i;
            let _e32 = i;
            let _e34 = weights_1[_e32];
            influences.weights[_e29] = _e34;
            let _e35 = i;
            let _e40 = i;
            let _e42 = more_joints_1[_e40];
            influences.joints[(_e35 + 4i)] = _e42;
            let _e43 = i;
            let _e48 = i;
            let _e50 = more_weights_1[_e48];
            influences.weights[(_e43 + 4i)] = _e50;
        }
        continuing {
            let _e20 = i;
            i = (_e20 + 1i);
        }
    }
    let _e51 = influences;
    return _e51;
}

fn pelt_mat3_from_quat(q: vec4<f32>) -> mat3x3<f32> {
    var q_1: vec4<f32>;
    var d: vec3<f32>;
    var x: vec3<f32>;
    var w: vec3<f32>;
    var yy: f32;
    var yz: f32;
    var zz: f32;

    q_1 = q;
    let _e7 = q_1;
    let _e9 = q_1;
    d = (_e7.xyz + _e9.xyz);
    let _e13 = q_1;
    let _e15 = d;
    x = (_e13.x * _e15);
    let _e18 = q_1;
    let _e20 = d;
    w = (_e18.w * _e20);
    let _e23 = q_1;
    let _e25 = d;
    yy = (_e23.y * _e25.y);
    let _e29 = q_1;
    let _e31 = d;
    yz = (_e29.y * _e31.z);
    let _e35 = q_1;
    let _e37 = d;
    zz = (_e35.z * _e37.z);
    let _e42 = yy;
    let _e43 = zz;
    let _e46 = x;
    let _e48 = w;
    let _e51 = x;
    let _e53 = w;
    let _e56 = x;
    let _e58 = w;
    let _e62 = x;
    let _e64 = zz;
    let _e67 = yz;
    let _e68 = w;
    let _e71 = x;
    let _e73 = w;
    let _e76 = yz;
    let _e77 = w;
    let _e81 = x;
    let _e83 = yy;
    return mat3x3<f32>(vec3<f32>((1f - (_e42 + _e43)), (_e46.y + _e48.z), (_e51.z - _e53.y)), vec3<f32>((_e56.y - _e58.z), (1f - (_e62.x + _e64)), (_e67 + _e68.x)), vec3<f32>((_e71.z + _e73.y), (_e76 - _e77.x), (1f - (_e81.x + _e83))));
}

fn pelt_dquat_make(rotation: vec4<f32>, translation: vec3<f32>) -> pelt_dquat {
    var rotation_1: vec4<f32>;
    var translation_1: vec3<f32>;
    var dual: vec3<f32>;

    rotation_1 = rotation;
    translation_1 = translation;
    let _e9 = rotation_1;
    let _e11 = translation_1;
    let _e13 = translation_1;
    let _e14 = rotation_1;
    dual = ((_e9.w * _e11) + cross(_e13, _e14.xyz));
    let _e19 = rotation_1;
    let _e21 = dual;
    let _e22 = translation_1;
    let _e23 = rotation_1;
    return pelt_dquat(_e19, (0.5f * vec4<f32>(_e21.x, _e21.y, _e21.z, -(dot(_e22, _e23.xyz)))));
}

fn pelt_dquat_translation(d: pelt_dquat) -> vec3<f32> {
    var d_1: pelt_dquat;

    d_1 = d;
    let _e8 = d_1;
    let _e11 = d_1;
    let _e15 = d_1;
    let _e18 = d_1;
    let _e23 = d_1;
    let _e26 = d_1;
    return (2f * (((_e8.real.w * _e11.dual.xyz) - (_e15.dual.w * _e18.real.xyz)) + cross(_e23.real.xyz, _e26.dual.xyz)));
}

fn pelt_sign_of(q: vec4<f32>, strongest: vec4<f32>) -> f32 {
    var q_1: vec4<f32>;
    var strongest_1: vec4<f32>;
    var local: f32;

    q_1 = q;
    strongest_1 = strongest;
    let _e9 = strongest_1;
    let _e10 = q_1;
    if (dot(_e9, _e10) < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e18 = local;
    return _e18;
}

fn pelt_is_canceled(sum: vec4<f32>) -> bool {
    var sum_1: vec4<f32>;

    sum_1 = sum;
    let _e7 = sum_1;
    let _e8 = sum_1;
    return !((dot(_e7, _e8) > 0.000000000001f));
}

fn pelt_normalize(v: vec3<f32>) -> vec3<f32> {
    var v_1: vec3<f32>;
    var largest: f32;
    var local: vec3<f32>;

    v_1 = v;
    let _e7 = v_1;
    let _e10 = v_1;
    let _e13 = v_1;
    largest = max(abs(_e7.x), max(abs(_e10.y), abs(_e13.z)));
    let _e19 = largest;
    if (_e19 > 0f) {
        let _e22 = v_1;
        let _e23 = largest;
        local = normalize((_e22 / vec3(_e23)));
    } else {
        local = vec3(0f);
    }
    let _e30 = local;
    return _e30;
}

fn pelt_unit_or(moved: vec3<f32>, by_strongest: vec3<f32>, rest: vec3<f32>) -> vec3<f32> {
    var moved_1: vec3<f32>;
    var by_strongest_1: vec3<f32>;
    var rest_1: vec3<f32>;
    var local: vec3<f32>;

    moved_1 = moved;
    by_strongest_1 = by_strongest;
    rest_1 = rest;
    let _e11 = moved_1;
    if any((_e11 != vec3(0f))) {
        {
            let _e16 = moved_1;
            let _e17 = pelt_normalize(_e16);
            return _e17;
        }
    }
    let _e18 = by_strongest_1;
    if any((_e18 != vec3(0f))) {
        let _e23 = by_strongest_1;
        let _e24 = pelt_normalize(_e23);
        local = _e24;
    } else {
        let _e25 = rest_1;
        local = _e25;
    }
    let _e27 = local;
    return _e27;
}

fn pelt_side_of(linear: mat3x3<f32>) -> f32 {
    var linear_1: mat3x3<f32>;
    var local: f32;

    linear_1 = linear;
    let _e9 = linear_1[0];
    let _e12 = linear_1[1];
    let _e15 = linear_1[2];
    if (dot(_e9, cross(_e12, _e15)) < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e24 = local;
    return _e24;
}

fn pelt_move_normal(linear: mat3x3<f32>, side: f32, strongest: mat3x3<f32>, n: vec3<f32>) -> vec3<f32> {
    var linear_1: mat3x3<f32>;
    var side_1: f32;
    var strongest_1: mat3x3<f32>;
    var n_1: vec3<f32>;
    var cofactor: mat3x3<f32>;

    linear_1 = linear;
    side_1 = side;
    strongest_1 = strongest;
    n_1 = n;
    let _e15 = linear_1[1];
    let _e18 = linear_1[2];
    let _e19 = cross(_e15, _e18);
    let _e22 = linear_1[2];
    let _e25 = linear_1[0];
    let _e26 = cross(_e22, _e25);
    let _e29 = linear_1[0];
    let _e32 = linear_1[1];
    let _e33 = cross(_e29, _e32);
    cofactor = mat3x3<f32>(vec3<f32>(_e19.x, _e19.y, _e19.z), vec3<f32>(_e26.x, _e26.y, _e26.z), vec3<f32>(_e33.x, _e33.y, _e33.z));
    let _e48 = side_1;
    let _e49 = cofactor;
    let _e50 = n_1;
    let _e53 = strongest_1;
    let _e54 = n_1;
    let _e56 = n_1;
    let _e57 = pelt_unit_or((_e48 * (_e49 * _e50)), (_e53 * _e54), _e56);
    return _e57;
}

fn pelt_move_tangent(linear: mat3x3<f32>, side: f32, strongest: mat3x3<f32>, t: vec4<f32>) -> vec4<f32> {
    var linear_1: mat3x3<f32>;
    var side_1: f32;
    var strongest_1: mat3x3<f32>;
    var t_1: vec4<f32>;

    linear_1 = linear;
    side_1 = side;
    strongest_1 = strongest;
    t_1 = t;
    let _e13 = linear_1;
    let _e14 = t_1;
    let _e17 = strongest_1;
    let _e18 = t_1;
    let _e21 = t_1;
    let _e23 = pelt_unit_or((_e13 * _e14.xyz), (_e17 * _e18.xyz), _e21.xyz);
    let _e24 = side_1;
    let _e25 = t_1;
    return vec4<f32>(_e23.x, _e23.y, _e23.z, (_e24 * _e25.w));
}

fn pelt_move_vertex(rest: pelt_rest, motion: pelt_motion, side: f32, strongest: mat3x3<f32>) -> pelt_vertex {
    var rest_1: pelt_rest;
    var motion_1: pelt_motion;
    var side_1: f32;
    var strongest_1: mat3x3<f32>;

    rest_1 = rest;
    motion_1 = motion;
    side_1 = side;
    strongest_1 = strongest;
    let _e13 = motion_1;
    let _e15 = motion_1;
    let _e17 = side_1;
    let _e18 = strongest_1;
    let _e19 = rest_1;
    let _e21 = pelt_move_normal(_e15.linear, _e17, _e18, _e19.normal);
    let _e22 = motion_1;
    let _e24 = side_1;
    let _e25 = strongest_1;
    let _e26 = rest_1;
    let _e28 = pelt_move_tangent(_e22.linear, _e24, _e25, _e26.tangent);
    return pelt_vertex(_e13.position, _e21, _e28);
}

fn pelt_is_free(influences: pelt_influences) -> bool {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e10 = influences_1.weights[0];
    return (_e10 == 0f);
}

fn pelt_vertex_at_rest(rest: pelt_rest) -> pelt_vertex {
    var rest_1: pelt_rest;

    rest_1 = rest;
    let _e7 = rest_1;
    let _e9 = rest_1;
    let _e11 = rest_1;
    return pelt_vertex(_e7.position, _e9.normal, _e11.tangent);
}

fn pelt_palette_rotation(joint: u32) -> vec4<f32> {
    var joint_1: u32;

    joint_1 = joint;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e10 = joint_1;
            let _e12 = pelt_palette_texel(_e10, 0u);
            return _e12;
        }
    }
    let _e13 = joint_1;
    let _e15 = pelt_palette_texel(_e13, 3u);
    return _e15;
}

fn pelt_palette_motion(joint: u32) -> pelt_dquat {
    var joint_1: u32;
    var rotation: vec4<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    let _e8 = joint_1;
    let _e9 = pelt_palette_rotation(_e8);
    rotation = _e9;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e13 = rotation;
            let _e14 = joint_1;
            let _e16 = pelt_palette_texel(_e14, 1u);
            return pelt_dquat(_e13, _e16);
        }
    }
    if (PELT_LAYOUT == PELT_LAYOUT_MATRIX_MOTION) {
        {
            let _e20 = rotation;
            let _e21 = joint_1;
            let _e23 = pelt_palette_texel(_e21, 4u);
            return pelt_dquat(_e20, _e23);
        }
    }
    let _e25 = joint_1;
    let _e27 = pelt_palette_texel(_e25, 0u);
    let _e29 = joint_1;
    let _e31 = pelt_palette_texel(_e29, 1u);
    let _e33 = joint_1;
    let _e35 = pelt_palette_texel(_e33, 2u);
    translation = vec3<f32>(_e27.w, _e31.w, _e35.w);
    let _e39 = rotation;
    let _e40 = translation;
    let _e41 = pelt_dquat_make(_e39, _e40);
    return _e41;
}

fn pelt_palette_matrix(joint: u32) -> mat3x4<f32> {
    var joint_1: u32;
    var motion: pelt_dquat;
    var rows: mat3x3<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e10 = joint_1;
            let _e11 = pelt_palette_motion(_e10);
            motion = _e11;
            let _e13 = motion;
            let _e15 = pelt_mat3_from_quat(_e13.real);
            rows = transpose(_e15);
            let _e18 = motion;
            let _e19 = pelt_dquat_translation(_e18);
            translation = _e19;
            let _e23 = rows[0];
            let _e24 = translation;
            let _e29 = vec4<f32>(_e23.x, _e23.y, _e23.z, _e24.x);
            let _e32 = rows[1];
            let _e33 = translation;
            let _e38 = vec4<f32>(_e32.x, _e32.y, _e32.z, _e33.y);
            let _e41 = rows[2];
            let _e42 = translation;
            let _e47 = vec4<f32>(_e41.x, _e41.y, _e41.z, _e42.z);
            return mat3x4<f32>(vec4<f32>(_e29.x, _e29.y, _e29.z, _e29.w), vec4<f32>(_e38.x, _e38.y, _e38.z, _e38.w), vec4<f32>(_e47.x, _e47.y, _e47.z, _e47.w));
        }
    }
    let _e64 = joint_1;
    let _e66 = pelt_palette_texel(_e64, 0u);
    let _e67 = joint_1;
    let _e69 = pelt_palette_texel(_e67, 1u);
    let _e70 = joint_1;
    let _e72 = pelt_palette_texel(_e70, 2u);
    return mat3x4<f32>(vec4<f32>(_e66.x, _e66.y, _e66.z, _e66.w), vec4<f32>(_e69.x, _e69.y, _e69.z, _e69.w), vec4<f32>(_e72.x, _e72.y, _e72.z, _e72.w));
}

fn pelt_joint_stretch(joint: u32) -> mat3x3<f32> {
    var joint_1: u32;

    joint_1 = joint;
    if (PELT_SCALE == PELT_SCALE_NONE) {
        {
            return mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
        }
    }
    let _e16 = joint_1;
    let _e17 = pelt_palette_matrix(_e16);
    let _e27 = joint_1;
    let _e28 = pelt_palette_rotation(_e27);
    let _e29 = pelt_mat3_from_quat(_e28);
    return (mat3x3<f32>(_e17[0].xyz, _e17[1].xyz, _e17[2].xyz) * _e29);
}

fn pelt_joint_translation(joint: u32) -> vec3<f32> {
    var joint_1: u32;
    var matrix: mat3x4<f32>;

    joint_1 = joint;
    let _e8 = joint_1;
    let _e9 = pelt_palette_matrix(_e8);
    matrix = _e9;
    let _e13 = matrix[0];
    let _e17 = matrix[1];
    let _e21 = matrix[2];
    return vec3<f32>(_e13.w, _e17.w, _e21.w);
}

fn pelt_blend_stretch(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;
    var sum: mat3x3<f32> = mat3x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;

    influences_1 = influences;
    if (PELT_SCALE == PELT_SCALE_NONE) {
        {
            return mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
        }
    }
    loop {
        let _e25 = i;
        if !((_e25 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e31 = sum;
            let _e32 = i;
            let _e35 = influences_1.weights[_e32];
            let _e36 = i;
            let _e39 = influences_1.joints[_e36];
            let _e40 = pelt_joint_stretch(_e39);
            sum = (_e31 + (_e35 * _e40));
        }
        continuing {
            let _e28 = i;
            i = (_e28 + 1i);
        }
    }
    let _e43 = sum;
    return _e43;
}

fn pelt_strongest_matrix(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e11 = influences_1.joints[0];
    let _e12 = pelt_palette_matrix(_e11);
    return transpose(mat3x3<f32>(_e12[0].xyz, _e12[1].xyz, _e12[2].xyz));
}

fn pelt_strongest_rotation(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e11 = influences_1.joints[0];
    let _e12 = pelt_palette_rotation(_e11);
    let _e13 = pelt_mat3_from_quat(_e12);
    return _e13;
}

fn pelt_strongest_side(influences: pelt_influences) -> f32 {
    var influences_1: pelt_influences;

    influences_1 = influences;
    if (PELT_SCALE == PELT_SCALE_NONE) {
        {
            return 1f;
        }
    }
    let _e14 = influences_1.joints[0];
    let _e15 = pelt_palette_matrix(_e14);
    let _e25 = pelt_side_of(mat3x3<f32>(_e15[0].xyz, _e15[1].xyz, _e15[2].xyz));
    return _e25;
}

fn pelt_skin_lbs(position: vec3<f32>, influences: pelt_influences) -> pelt_motion {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var sum: mat3x4<f32> = mat3x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var i: i32 = 0i;

    position_1 = position;
    influences_1 = influences;
    loop {
        let _e19 = i;
        if !((_e19 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e25 = sum;
            let _e26 = i;
            let _e29 = influences_1.weights[_e26];
            let _e30 = i;
            let _e33 = influences_1.joints[_e30];
            let _e34 = pelt_palette_matrix(_e33);
            sum = (_e25 + (_e29 * _e34));
        }
        continuing {
            let _e22 = i;
            i = (_e22 + 1i);
        }
    }
    let _e37 = sum;
    let _e48 = position_1;
    let _e54 = sum;
    return pelt_motion(transpose(mat3x3<f32>(_e37[0].xyz, _e37[1].xyz, _e37[2].xyz)), (vec4<f32>(_e48.x, _e48.y, _e48.z, 1f) * _e54));
}

fn pelt_deform_lbs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var strongest: mat3x3<f32>;

    rest_1 = rest;
    influences_1 = influences;
    let _e10 = influences_1;
    let _e11 = pelt_is_free(_e10);
    if _e11 {
        {
            let _e12 = rest_1;
            let _e13 = pelt_vertex_at_rest(_e12);
            return _e13;
        }
    }
    let _e14 = influences_1;
    let _e15 = pelt_strongest_matrix(_e14);
    strongest = _e15;
    let _e17 = rest_1;
    let _e18 = rest_1;
    let _e20 = influences_1;
    let _e21 = pelt_skin_lbs(_e18.position, _e20);
    let _e22 = strongest;
    let _e23 = pelt_side_of(_e22);
    let _e24 = strongest;
    let _e25 = pelt_move_vertex(_e17, _e21, _e23, _e24);
    return _e25;
}

fn pelt_motion_at(position: vec3<f32>, joint: u32) -> pelt_dquat {
    var position_1: vec3<f32>;
    var joint_1: u32;
    var moved: vec3<f32>;

    position_1 = position;
    joint_1 = joint;
    if (PELT_SCALE == PELT_SCALE_LOCAL) {
        {
            let _e12 = position_1;
            let _e18 = joint_1;
            let _e19 = pelt_palette_matrix(_e18);
            moved = (vec4<f32>(_e12.x, _e12.y, _e12.z, 1f) * _e19);
            let _e22 = joint_1;
            let _e23 = pelt_palette_rotation(_e22);
            let _e24 = moved;
            let _e25 = pelt_dquat_make(_e23, _e24);
            return _e25;
        }
    }
    let _e26 = joint_1;
    let _e27 = pelt_palette_motion(_e26);
    return _e27;
}

fn pelt_blend_motion(position: vec3<f32>, influences: pelt_influences) -> pelt_dquat {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var strongest: pelt_dquat;
    var sum: pelt_dquat;
    var i: i32 = 1i;
    var motion: pelt_dquat;
    var weight: f32;
    var scale: f32;

    position_1 = position;
    influences_1 = influences;
    let _e10 = position_1;
    let _e14 = influences_1.joints[0];
    let _e15 = pelt_motion_at(_e10, _e14);
    strongest = _e15;
    let _e20 = influences_1.weights[0];
    let _e21 = strongest;
    let _e27 = influences_1.weights[0];
    let _e28 = strongest;
    sum = pelt_dquat((_e20 * _e21.real), (_e27 * _e28.dual));
    loop {
        let _e35 = i;
        if !((_e35 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e41 = position_1;
            let _e42 = i;
            let _e45 = influences_1.joints[_e42];
            let _e46 = pelt_motion_at(_e41, _e45);
            motion = _e46;
            let _e48 = motion;
            let _e50 = strongest;
            let _e52 = pelt_sign_of(_e48.real, _e50.real);
            let _e53 = i;
            let _e56 = influences_1.weights[_e53];
            weight = (_e52 * _e56);
            let _e60 = sum;
            let _e62 = weight;
            let _e63 = motion;
            sum.real = (_e60.real + (_e62 * _e63.real));
            let _e68 = sum;
            let _e70 = weight;
            let _e71 = motion;
            sum.dual = (_e68.dual + (_e70 * _e71.dual));
        }
        continuing {
            let _e38 = i;
            i = (_e38 + 1i);
        }
    }
    let _e75 = sum;
    let _e77 = pelt_is_canceled(_e75.real);
    if _e77 {
        {
            let _e78 = strongest;
            return _e78;
        }
    }
    let _e80 = sum;
    scale = (1f / length(_e80.real));
    let _e85 = scale;
    let _e86 = sum;
    let _e89 = scale;
    let _e90 = sum;
    return pelt_dquat((_e85 * _e86.real), (_e89 * _e90.dual));
}

fn pelt_skin_dqs(position: vec3<f32>, influences: pelt_influences) -> pelt_motion {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var blend: pelt_dquat;
    var translation: vec3<f32>;
    var linear: mat3x3<f32>;

    position_1 = position;
    influences_1 = influences;
    let _e10 = position_1;
    let _e11 = influences_1;
    let _e12 = pelt_blend_motion(_e10, _e11);
    blend = _e12;
    let _e14 = blend;
    let _e15 = pelt_dquat_translation(_e14);
    translation = _e15;
    let _e17 = blend;
    let _e19 = pelt_mat3_from_quat(_e17.real);
    linear = _e19;
    if (PELT_SCALE != PELT_SCALE_NONE) {
        {
            let _e23 = linear;
            let _e24 = influences_1;
            let _e25 = pelt_blend_stretch(_e24);
            linear = (_e23 * _e25);
        }
    }
    if (PELT_SCALE == PELT_SCALE_LOCAL) {
        {
            let _e29 = linear;
            let _e30 = translation;
            return pelt_motion(_e29, _e30);
        }
    }
    let _e32 = linear;
    let _e33 = linear;
    let _e34 = position_1;
    let _e36 = translation;
    return pelt_motion(_e32, ((_e33 * _e34) + _e36));
}

fn pelt_deform_dqs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e10 = influences_1;
    let _e11 = pelt_is_free(_e10);
    if _e11 {
        {
            let _e12 = rest_1;
            let _e13 = pelt_vertex_at_rest(_e12);
            return _e13;
        }
    }
    let _e14 = rest_1;
    let _e15 = rest_1;
    let _e17 = influences_1;
    let _e18 = pelt_skin_dqs(_e15.position, _e17);
    let _e19 = influences_1;
    let _e20 = pelt_strongest_side(_e19);
    let _e21 = influences_1;
    let _e22 = pelt_strongest_rotation(_e21);
    let _e23 = pelt_move_vertex(_e14, _e18, _e20, _e22);
    return _e23;
}

fn pelt_skin_mix(position: vec3<f32>, influences: pelt_influences, factor: f32) -> pelt_motion {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var factor_1: f32;
    var lbs: pelt_motion;
    var dqs: pelt_motion;

    position_1 = position;
    influences_1 = influences;
    factor_1 = factor;
    let _e12 = position_1;
    let _e13 = influences_1;
    let _e14 = pelt_skin_lbs(_e12, _e13);
    lbs = _e14;
    let _e16 = position_1;
    let _e17 = influences_1;
    let _e18 = pelt_skin_dqs(_e16, _e17);
    dqs = _e18;
    let _e21 = factor_1;
    let _e23 = lbs;
    let _e26 = factor_1;
    let _e27 = dqs;
    let _e32 = factor_1;
    let _e34 = lbs;
    let _e37 = factor_1;
    let _e38 = dqs;
    return pelt_motion((((1f - _e21) * _e23.linear) + (_e26 * _e27.linear)), (((1f - _e32) * _e34.position) + (_e37 * _e38.position)));
}

fn pelt_strongest_mix(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;

    influences_1 = influences;
    if (PELT_SCALE == PELT_SCALE_NONE) {
        {
            let _e10 = influences_1;
            let _e11 = pelt_strongest_matrix(_e10);
            return _e11;
        }
    }
    let _e12 = influences_1;
    let _e13 = pelt_strongest_rotation(_e12);
    return _e13;
}

fn pelt_deform_mix(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e10 = influences_1;
    let _e11 = pelt_is_free(_e10);
    if _e11 {
        {
            let _e12 = rest_1;
            let _e13 = pelt_vertex_at_rest(_e12);
            return _e13;
        }
    }
    let _e14 = rest_1;
    let _e15 = rest_1;
    let _e17 = influences_1;
    let _e18 = rest_1;
    let _e20 = pelt_skin_mix(_e15.position, _e17, _e18.mix_factor);
    let _e21 = influences_1;
    let _e22 = pelt_strongest_side(_e21);
    let _e23 = influences_1;
    let _e24 = pelt_strongest_mix(_e23);
    let _e25 = pelt_move_vertex(_e14, _e20, _e22, _e24);
    return _e25;
}

fn pelt_blend_rotation(influences: pelt_influences) -> vec4<f32> {
    var influences_1: pelt_influences;
    var strongest: vec4<f32>;
    var sum: vec4<f32>;
    var i: i32 = 1i;
    var q: vec4<f32>;
    var local: vec4<f32>;

    influences_1 = influences;
    let _e11 = influences_1.joints[0];
    let _e12 = pelt_palette_rotation(_e11);
    strongest = _e12;
    let _e17 = influences_1.weights[0];
    let _e18 = strongest;
    sum = (_e17 * _e18);
    loop {
        let _e23 = i;
        if !((_e23 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e29 = i;
            let _e32 = influences_1.joints[_e29];
            let _e33 = pelt_palette_rotation(_e32);
            q = _e33;
            let _e35 = sum;
            let _e36 = q;
            let _e37 = strongest;
            let _e38 = pelt_sign_of(_e36, _e37);
            let _e39 = i;
            let _e42 = influences_1.weights[_e39];
            let _e44 = q;
            sum = (_e35 + ((_e38 * _e42) * _e44));
        }
        continuing {
            let _e26 = i;
            i = (_e26 + 1i);
        }
    }
    let _e47 = sum;
    let _e48 = pelt_is_canceled(_e47);
    if _e48 {
        let _e49 = strongest;
        local = _e49;
    } else {
        let _e50 = sum;
        local = normalize(_e50);
    }
    let _e53 = local;
    return _e53;
}

fn pelt_blend_point(point: vec3<f32>, influences: pelt_influences) -> vec3<f32> {
    var point_1: vec3<f32>;
    var influences_1: pelt_influences;
    var sum: vec3<f32> = vec3(0f);
    var i: i32 = 0i;
    var moved: vec3<f32>;

    point_1 = point;
    influences_1 = influences;
    loop {
        let _e15 = i;
        if !((_e15 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e21 = point_1;
            let _e27 = i;
            let _e30 = influences_1.joints[_e27];
            let _e31 = pelt_palette_matrix(_e30);
            moved = (vec4<f32>(_e21.x, _e21.y, _e21.z, 1f) * _e31);
            let _e34 = sum;
            let _e35 = i;
            let _e38 = influences_1.weights[_e35];
            let _e39 = moved;
            sum = (_e34 + (_e38 * _e39));
        }
        continuing {
            let _e18 = i;
            i = (_e18 + 1i);
        }
    }
    let _e42 = sum;
    return _e42;
}

fn pelt_blend_rigid(point: vec3<f32>, influences: pelt_influences) -> vec3<f32> {
    var point_1: vec3<f32>;
    var influences_1: pelt_influences;
    var sum: vec3<f32> = vec3(0f);
    var i: i32 = 0i;
    var joint: u32;
    var rotation: mat3x3<f32>;

    point_1 = point;
    influences_1 = influences;
    loop {
        let _e15 = i;
        if !((_e15 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e21 = i;
            let _e24 = influences_1.joints[_e21];
            joint = _e24;
            let _e26 = joint;
            let _e27 = pelt_palette_rotation(_e26);
            let _e28 = pelt_mat3_from_quat(_e27);
            rotation = _e28;
            let _e30 = sum;
            let _e31 = i;
            let _e34 = influences_1.weights[_e31];
            let _e35 = rotation;
            let _e36 = point_1;
            let _e38 = joint;
            let _e39 = pelt_joint_translation(_e38);
            sum = (_e30 + (_e34 * ((_e35 * _e36) + _e39)));
        }
        continuing {
            let _e18 = i;
            i = (_e18 + 1i);
        }
    }
    let _e43 = sum;
    return _e43;
}

fn pelt_skin_crs(position: vec3<f32>, center: vec3<f32>, influences: pelt_influences) -> pelt_motion {
    var position_1: vec3<f32>;
    var center_1: vec3<f32>;
    var influences_1: pelt_influences;
    var linear: mat3x3<f32>;
    var stretch: mat3x3<f32>;
    var arm: vec3<f32>;

    position_1 = position;
    center_1 = center;
    influences_1 = influences;
    let _e12 = influences_1;
    let _e13 = pelt_blend_rotation(_e12);
    let _e14 = pelt_mat3_from_quat(_e13);
    linear = _e14;
    let _e16 = influences_1;
    let _e17 = pelt_blend_stretch(_e16);
    stretch = _e17;
    if (PELT_SCALE != PELT_SCALE_NONE) {
        {
            let _e21 = linear;
            let _e22 = stretch;
            linear = (_e21 * _e22);
        }
    }
    let _e24 = linear;
    let _e25 = position_1;
    let _e26 = center_1;
    arm = (_e24 * (_e25 - _e26));
    if (PELT_SCALE == PELT_SCALE_ORIGIN) {
        {
            let _e32 = linear;
            let _e33 = stretch;
            let _e34 = center_1;
            let _e36 = influences_1;
            let _e37 = pelt_blend_rigid((_e33 * _e34), _e36);
            let _e38 = arm;
            return pelt_motion(_e32, (_e37 + _e38));
        }
    }
    let _e41 = linear;
    let _e42 = center_1;
    let _e43 = influences_1;
    let _e44 = pelt_blend_point(_e42, _e43);
    let _e45 = arm;
    return pelt_motion(_e41, (_e44 + _e45));
}

fn pelt_deform_crs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e10 = influences_1;
    let _e11 = pelt_is_free(_e10);
    if _e11 {
        {
            let _e12 = rest_1;
            let _e13 = pelt_vertex_at_rest(_e12);
            return _e13;
        }
    }
    let _e14 = rest_1;
    let _e15 = rest_1;
    let _e17 = rest_1;
    let _e19 = influences_1;
    let _e20 = pelt_skin_crs(_e15.position, _e17.center, _e19);
    let _e21 = influences_1;
    let _e22 = pelt_strongest_side(_e21);
    let _e23 = influences_1;
    let _e24 = pelt_strongest_rotation(_e23);
    let _e25 = pelt_move_vertex(_e14, _e20, _e22, _e24);
    return _e25;
}
