// SPDX-License-Identifier: MIT
// Skinning functions of pelt, translated from its GLSL by tools/shaders.

// Influences per vertex that are read: 1 to 8.
override PELT_INFLUENCES: i32 = 4;

// How dqs, mix and crs treat scale, shear and mirrors of joints; lbs includes them. The values are
// those of pelt_gpu_scale.
const PELT_GPU_SCALE_NONE: i32 = 0;   // joints are rigid; if they do scale, it is ignored
const PELT_GPU_SCALE_LOCAL: i32 = 1;  // about the vertex (crs: about its center)
const PELT_GPU_SCALE_ORIGIN: i32 = 2; // about the origin, as in Maya and UsdSkel
override PELT_SCALE: i32 = PELT_GPU_SCALE_NONE;

// Texels of four floats that the palette has per joint.
const PELT_LAYOUT_SHARED: i32 = 0;        // 4: rows of the matrix, rotation; all methods, all scales
const PELT_LAYOUT_MATRIX: i32 = 1;        // 3: rows of the matrix; lbs
const PELT_LAYOUT_MOTION: i32 = 2;        // 2: rotation, dual part; dqs without scale
const PELT_LAYOUT_MATRIX_MOTION: i32 = 3; // 5: rows of the matrix, rotation, dual part; mix without scale
override PELT_LAYOUT: i32 = PELT_LAYOUT_SHARED;

// The sign with which the quaternion of a joint enters a blend.
const PELT_SIGNS_HEAVIEST: i32 = 0; // into the hemisphere of the strongest influence
const PELT_SIGNS_PALETTE: i32 = 1;  // as in the palette, for twists beyond 180 degrees
override PELT_SIGNS: i32 = PELT_SIGNS_HEAVIEST;

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
        let _e21 = i;
        if !((_e21 < 4i)) {
            break;
        }
        {
            let _e28 = i;
            let _e31 = i;
            let _e33 = joints_1[_e31];
            influences.joints[_e28] = _e33;
            let _e34 = i;
            let _e37 = i;
            let _e39 = weights_1[_e37];
            influences.weights[_e34] = _e39;
            let _e40 = i;
            let _e45 = i;
            let _e47 = more_joints_1[_e45];
            influences.joints[(_e40 + 4i)] = _e47;
            let _e48 = i;
            let _e53 = i;
            let _e55 = more_weights_1[_e53];
            influences.weights[(_e48 + 4i)] = _e55;
        }
        continuing {
            let _e25 = i;
            i = (_e25 + 1i);
        }
    }
    let _e56 = influences;
    return _e56;
}

fn pelt_quat_mul(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    var a_1: vec4<f32>;
    var b_1: vec4<f32>;

    a_1 = a;
    b_1 = b;
    let _e14 = a_1;
    let _e16 = b_1;
    let _e19 = b_1;
    let _e21 = a_1;
    let _e25 = a_1;
    let _e27 = b_1;
    let _e30 = (((_e14.w * _e16.xyz) + (_e19.w * _e21.xyz)) + cross(_e25.xyz, _e27.xyz));
    let _e31 = a_1;
    let _e33 = b_1;
    let _e36 = a_1;
    let _e38 = b_1;
    return vec4<f32>(_e30.x, _e30.y, _e30.z, ((_e31.w * _e33.w) - dot(_e36.xyz, _e38.xyz)));
}

fn pelt_quat_conjugate(q: vec4<f32>) -> vec4<f32> {
    var q_1: vec4<f32>;

    q_1 = q;
    let _e12 = q_1;
    let _e14 = -(_e12.xyz);
    let _e15 = q_1;
    return vec4<f32>(_e14.x, _e14.y, _e14.z, _e15.w);
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
    let _e12 = q_1;
    let _e14 = q_1;
    d = (_e12.xyz + _e14.xyz);
    let _e18 = q_1;
    let _e20 = d;
    x = (_e18.x * _e20);
    let _e23 = q_1;
    let _e25 = d;
    w = (_e23.w * _e25);
    let _e28 = q_1;
    let _e30 = d;
    yy = (_e28.y * _e30.y);
    let _e34 = q_1;
    let _e36 = d;
    yz = (_e34.y * _e36.z);
    let _e40 = q_1;
    let _e42 = d;
    zz = (_e40.z * _e42.z);
    let _e47 = yy;
    let _e48 = zz;
    let _e51 = x;
    let _e53 = w;
    let _e56 = x;
    let _e58 = w;
    let _e61 = vec3<f32>((1f - (_e47 + _e48)), (_e51.y + _e53.z), (_e56.z - _e58.y));
    let _e62 = x;
    let _e64 = w;
    let _e68 = x;
    let _e70 = zz;
    let _e73 = yz;
    let _e74 = w;
    let _e77 = vec3<f32>((_e62.y - _e64.z), (1f - (_e68.x + _e70)), (_e73 + _e74.x));
    let _e78 = x;
    let _e80 = w;
    let _e83 = yz;
    let _e84 = w;
    let _e88 = x;
    let _e90 = yy;
    let _e93 = vec3<f32>((_e78.z + _e80.y), (_e83 - _e84.x), (1f - (_e88.x + _e90)));
    return mat3x3<f32>(vec3<f32>(_e61.x, _e61.y, _e61.z), vec3<f32>(_e77.x, _e77.y, _e77.z), vec3<f32>(_e93.x, _e93.y, _e93.z));
}

fn pelt_dquat_make(rotation: vec4<f32>, translation: vec3<f32>) -> pelt_dquat {
    var rotation_1: vec4<f32>;
    var translation_1: vec3<f32>;
    var dual: vec3<f32>;

    rotation_1 = rotation;
    translation_1 = translation;
    let _e14 = rotation_1;
    let _e16 = translation_1;
    let _e18 = translation_1;
    let _e19 = rotation_1;
    dual = ((_e14.w * _e16) + cross(_e18, _e19.xyz));
    let _e24 = rotation_1;
    let _e26 = dual;
    let _e27 = translation_1;
    let _e28 = rotation_1;
    return pelt_dquat(_e24, (0.5f * vec4<f32>(_e26.x, _e26.y, _e26.z, -(dot(_e27, _e28.xyz)))));
}

fn pelt_dquat_translation(d: pelt_dquat) -> vec3<f32> {
    var d_1: pelt_dquat;

    d_1 = d;
    let _e13 = d_1;
    let _e16 = d_1;
    let _e20 = d_1;
    let _e23 = d_1;
    let _e28 = d_1;
    let _e31 = d_1;
    return (2f * (((_e13.real.w * _e16.dual.xyz) - (_e20.dual.w * _e23.real.xyz)) + cross(_e28.real.xyz, _e31.dual.xyz)));
}

fn pelt_sign_of(q: vec4<f32>, strongest: vec4<f32>) -> f32 {
    var q_1: vec4<f32>;
    var strongest_1: vec4<f32>;
    var local: f32;

    q_1 = q;
    strongest_1 = strongest;
    let _e16 = strongest_1;
    let _e17 = q_1;
    if ((PELT_SIGNS == PELT_SIGNS_HEAVIEST) && (dot(_e16, _e17) < 0f)) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e26 = local;
    return _e26;
}

fn pelt_is_canceled(sum: vec4<f32>) -> bool {
    var sum_1: vec4<f32>;

    sum_1 = sum;
    let _e12 = sum_1;
    let _e13 = sum_1;
    return !((dot(_e12, _e13) > 0.000000000001f));
}

fn pelt_normalize(v: vec3<f32>) -> vec3<f32> {
    var v_1: vec3<f32>;
    var largest: f32;
    var local: vec3<f32>;

    v_1 = v;
    let _e12 = v_1;
    let _e15 = v_1;
    let _e18 = v_1;
    largest = max(abs(_e12.x), max(abs(_e15.y), abs(_e18.z)));
    let _e24 = largest;
    if (_e24 > 0f) {
        let _e27 = v_1;
        let _e28 = largest;
        local = normalize((_e27 / vec3(_e28)));
    } else {
        local = vec3(0f);
    }
    let _e35 = local;
    return _e35;
}

fn pelt_unit_or(moved: vec3<f32>, by_strongest: vec3<f32>, rest: vec3<f32>) -> vec3<f32> {
    var moved_1: vec3<f32>;
    var by_strongest_1: vec3<f32>;
    var rest_1: vec3<f32>;
    var local: vec3<f32>;

    moved_1 = moved;
    by_strongest_1 = by_strongest;
    rest_1 = rest;
    let _e16 = moved_1;
    if any((_e16 != vec3(0f))) {
        {
            let _e21 = moved_1;
            let _e22 = pelt_normalize(_e21);
            return _e22;
        }
    }
    let _e23 = by_strongest_1;
    if any((_e23 != vec3(0f))) {
        let _e28 = by_strongest_1;
        let _e29 = pelt_normalize(_e28);
        local = _e29;
    } else {
        let _e30 = rest_1;
        local = _e30;
    }
    let _e32 = local;
    return _e32;
}

fn pelt_handedness_of(linear: mat3x3<f32>) -> f32 {
    var linear_1: mat3x3<f32>;
    var local: f32;

    linear_1 = linear;
    let _e14 = linear_1[0];
    let _e17 = linear_1[1];
    let _e20 = linear_1[2];
    if (dot(_e14, cross(_e17, _e20)) < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e29 = local;
    return _e29;
}

fn pelt_move_normal(linear: mat3x3<f32>, handedness: f32, strongest: mat3x3<f32>, n: vec3<f32>) -> vec3<f32> {
    var linear_1: mat3x3<f32>;
    var handedness_1: f32;
    var strongest_1: mat3x3<f32>;
    var n_1: vec3<f32>;
    var cofactor: mat3x3<f32>;

    linear_1 = linear;
    handedness_1 = handedness;
    strongest_1 = strongest;
    n_1 = n;
    let _e20 = linear_1[1];
    let _e23 = linear_1[2];
    let _e24 = cross(_e20, _e23);
    let _e27 = linear_1[2];
    let _e30 = linear_1[0];
    let _e31 = cross(_e27, _e30);
    let _e34 = linear_1[0];
    let _e37 = linear_1[1];
    let _e38 = cross(_e34, _e37);
    cofactor = mat3x3<f32>(vec3<f32>(_e24.x, _e24.y, _e24.z), vec3<f32>(_e31.x, _e31.y, _e31.z), vec3<f32>(_e38.x, _e38.y, _e38.z));
    let _e53 = handedness_1;
    let _e54 = cofactor;
    let _e55 = n_1;
    let _e58 = strongest_1;
    let _e59 = n_1;
    let _e61 = n_1;
    let _e62 = pelt_unit_or((_e53 * (_e54 * _e55)), (_e58 * _e59), _e61);
    return _e62;
}

fn pelt_move_tangent(linear: mat3x3<f32>, handedness: f32, strongest: mat3x3<f32>, t: vec4<f32>) -> vec4<f32> {
    var linear_1: mat3x3<f32>;
    var handedness_1: f32;
    var strongest_1: mat3x3<f32>;
    var t_1: vec4<f32>;

    linear_1 = linear;
    handedness_1 = handedness;
    strongest_1 = strongest;
    t_1 = t;
    let _e18 = linear_1;
    let _e19 = t_1;
    let _e22 = strongest_1;
    let _e23 = t_1;
    let _e26 = t_1;
    let _e28 = pelt_unit_or((_e18 * _e19.xyz), (_e22 * _e23.xyz), _e26.xyz);
    let _e29 = handedness_1;
    let _e30 = t_1;
    return vec4<f32>(_e28.x, _e28.y, _e28.z, (_e29 * _e30.w));
}

fn pelt_move_vertex(rest: pelt_rest, motion: pelt_motion, handedness: f32, strongest: mat3x3<f32>) -> pelt_vertex {
    var rest_1: pelt_rest;
    var motion_1: pelt_motion;
    var handedness_1: f32;
    var strongest_1: mat3x3<f32>;

    rest_1 = rest;
    motion_1 = motion;
    handedness_1 = handedness;
    strongest_1 = strongest;
    let _e18 = motion_1;
    let _e20 = motion_1;
    let _e22 = handedness_1;
    let _e23 = strongest_1;
    let _e24 = rest_1;
    let _e26 = pelt_move_normal(_e20.linear, _e22, _e23, _e24.normal);
    let _e27 = motion_1;
    let _e29 = handedness_1;
    let _e30 = strongest_1;
    let _e31 = rest_1;
    let _e33 = pelt_move_tangent(_e27.linear, _e29, _e30, _e31.tangent);
    return pelt_vertex(_e18.position, _e26, _e33);
}

fn pelt_is_unweighted(influences: pelt_influences) -> bool {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e15 = influences_1.weights[0];
    return (_e15 == 0f);
}

fn pelt_vertex_at_rest(rest: pelt_rest) -> pelt_vertex {
    var rest_1: pelt_rest;

    rest_1 = rest;
    let _e12 = rest_1;
    let _e14 = rest_1;
    let _e16 = rest_1;
    return pelt_vertex(_e12.position, _e14.normal, _e16.tangent);
}

fn pelt_palette_rotation(joint: u32) -> vec4<f32> {
    var joint_1: u32;

    joint_1 = joint;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e15 = joint_1;
            let _e17 = pelt_palette_texel(_e15, 0u);
            return _e17;
        }
    }
    let _e18 = joint_1;
    let _e20 = pelt_palette_texel(_e18, 3u);
    return _e20;
}

fn pelt_palette_motion(joint: u32) -> pelt_dquat {
    var joint_1: u32;
    var rotation: vec4<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    let _e13 = joint_1;
    let _e14 = pelt_palette_rotation(_e13);
    rotation = _e14;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e18 = rotation;
            let _e19 = joint_1;
            let _e21 = pelt_palette_texel(_e19, 1u);
            return pelt_dquat(_e18, _e21);
        }
    }
    if (PELT_LAYOUT == PELT_LAYOUT_MATRIX_MOTION) {
        {
            let _e25 = rotation;
            let _e26 = joint_1;
            let _e28 = pelt_palette_texel(_e26, 4u);
            return pelt_dquat(_e25, _e28);
        }
    }
    let _e30 = joint_1;
    let _e32 = pelt_palette_texel(_e30, 0u);
    let _e34 = joint_1;
    let _e36 = pelt_palette_texel(_e34, 1u);
    let _e38 = joint_1;
    let _e40 = pelt_palette_texel(_e38, 2u);
    translation = vec3<f32>(_e32.w, _e36.w, _e40.w);
    let _e44 = rotation;
    let _e45 = translation;
    let _e46 = pelt_dquat_make(_e44, _e45);
    return _e46;
}

fn pelt_palette_matrix(joint: u32) -> mat3x4<f32> {
    var joint_1: u32;
    var motion: pelt_dquat;
    var rows: mat3x3<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e15 = joint_1;
            let _e16 = pelt_palette_motion(_e15);
            motion = _e16;
            let _e18 = motion;
            let _e20 = pelt_mat3_from_quat(_e18.real);
            rows = transpose(_e20);
            let _e23 = motion;
            let _e24 = pelt_dquat_translation(_e23);
            translation = _e24;
            let _e28 = rows[0];
            let _e29 = translation;
            let _e34 = vec4<f32>(_e28.x, _e28.y, _e28.z, _e29.x);
            let _e37 = rows[1];
            let _e38 = translation;
            let _e43 = vec4<f32>(_e37.x, _e37.y, _e37.z, _e38.y);
            let _e46 = rows[2];
            let _e47 = translation;
            let _e52 = vec4<f32>(_e46.x, _e46.y, _e46.z, _e47.z);
            return mat3x4<f32>(vec4<f32>(_e34.x, _e34.y, _e34.z, _e34.w), vec4<f32>(_e43.x, _e43.y, _e43.z, _e43.w), vec4<f32>(_e52.x, _e52.y, _e52.z, _e52.w));
        }
    }
    let _e69 = joint_1;
    let _e71 = pelt_palette_texel(_e69, 0u);
    let _e72 = joint_1;
    let _e74 = pelt_palette_texel(_e72, 1u);
    let _e75 = joint_1;
    let _e77 = pelt_palette_texel(_e75, 2u);
    return mat3x4<f32>(vec4<f32>(_e71.x, _e71.y, _e71.z, _e71.w), vec4<f32>(_e74.x, _e74.y, _e74.z, _e74.w), vec4<f32>(_e77.x, _e77.y, _e77.z, _e77.w));
}

fn pelt_joint_stretch(joint: u32) -> mat3x3<f32> {
    var joint_1: u32;

    joint_1 = joint;
    if (PELT_SCALE == 0i) {
        {
            return mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
        }
    }
    let _e21 = joint_1;
    let _e22 = pelt_palette_matrix(_e21);
    let _e32 = joint_1;
    let _e33 = pelt_palette_rotation(_e32);
    let _e34 = pelt_mat3_from_quat(_e33);
    return (mat3x3<f32>(_e22[0].xyz, _e22[1].xyz, _e22[2].xyz) * _e34);
}

fn pelt_joint_translation(joint: u32) -> vec3<f32> {
    var joint_1: u32;
    var matrix: mat3x4<f32>;

    joint_1 = joint;
    let _e13 = joint_1;
    let _e14 = pelt_palette_matrix(_e13);
    matrix = _e14;
    let _e18 = matrix[0];
    let _e22 = matrix[1];
    let _e26 = matrix[2];
    return vec3<f32>(_e18.w, _e22.w, _e26.w);
}

fn pelt_blend_stretch(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;
    var sum: mat3x3<f32> = mat3x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;

    influences_1 = influences;
    if (PELT_SCALE == 0i) {
        {
            return mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
        }
    }
    loop {
        let _e30 = i;
        if !((_e30 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e36 = sum;
            let _e37 = i;
            let _e40 = influences_1.weights[_e37];
            let _e41 = i;
            let _e44 = influences_1.joints[_e41];
            let _e45 = pelt_joint_stretch(_e44);
            sum = (_e36 + (_e40 * _e45));
        }
        continuing {
            let _e33 = i;
            i = (_e33 + 1i);
        }
    }
    let _e48 = sum;
    return _e48;
}

fn pelt_strongest_matrix(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e16 = influences_1.joints[0];
    let _e17 = pelt_palette_matrix(_e16);
    return transpose(mat3x3<f32>(_e17[0].xyz, _e17[1].xyz, _e17[2].xyz));
}

fn pelt_strongest_rotation(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e16 = influences_1.joints[0];
    let _e17 = pelt_palette_rotation(_e16);
    let _e18 = pelt_mat3_from_quat(_e17);
    return _e18;
}

fn pelt_strongest_handedness(influences: pelt_influences) -> f32 {
    var influences_1: pelt_influences;

    influences_1 = influences;
    if (PELT_SCALE == 0i) {
        {
            return 1f;
        }
    }
    let _e19 = influences_1.joints[0];
    let _e20 = pelt_palette_matrix(_e19);
    let _e30 = pelt_handedness_of(mat3x3<f32>(_e20[0].xyz, _e20[1].xyz, _e20[2].xyz));
    return _e30;
}

fn pelt_skin_lbs(rest: pelt_rest, influences: pelt_influences) -> pelt_motion {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var sum: mat3x4<f32> = mat3x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var i: i32 = 0i;

    rest_1 = rest;
    influences_1 = influences;
    loop {
        let _e24 = i;
        if !((_e24 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e30 = sum;
            let _e31 = i;
            let _e34 = influences_1.weights[_e31];
            let _e35 = i;
            let _e38 = influences_1.joints[_e35];
            let _e39 = pelt_palette_matrix(_e38);
            sum = (_e30 + (_e34 * _e39));
        }
        continuing {
            let _e27 = i;
            i = (_e27 + 1i);
        }
    }
    let _e42 = sum;
    let _e53 = rest_1;
    let _e60 = sum;
    return pelt_motion(transpose(mat3x3<f32>(_e42[0].xyz, _e42[1].xyz, _e42[2].xyz)), (vec4<f32>(_e53.position.x, _e53.position.y, _e53.position.z, 1f) * _e60));
}

fn pelt_move_lbs(rest: pelt_rest, motion: pelt_motion, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var motion_1: pelt_motion;
    var influences_1: pelt_influences;
    var strongest: mat3x3<f32>;

    rest_1 = rest;
    motion_1 = motion;
    influences_1 = influences;
    let _e17 = influences_1;
    let _e18 = pelt_strongest_matrix(_e17);
    strongest = _e18;
    let _e20 = rest_1;
    let _e21 = motion_1;
    let _e22 = strongest;
    let _e23 = pelt_handedness_of(_e22);
    let _e24 = strongest;
    let _e25 = pelt_move_vertex(_e20, _e21, _e23, _e24);
    return _e25;
}

fn pelt_deform_lbs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e15 = influences_1;
    let _e16 = pelt_is_unweighted(_e15);
    if _e16 {
        {
            let _e17 = rest_1;
            let _e18 = pelt_vertex_at_rest(_e17);
            return _e18;
        }
    }
    let _e19 = rest_1;
    let _e20 = rest_1;
    let _e21 = influences_1;
    let _e22 = pelt_skin_lbs(_e20, _e21);
    let _e23 = influences_1;
    let _e24 = pelt_move_lbs(_e19, _e22, _e23);
    return _e24;
}

fn pelt_motion_at(position: vec3<f32>, joint: u32) -> pelt_dquat {
    var position_1: vec3<f32>;
    var joint_1: u32;
    var moved: vec3<f32>;

    position_1 = position;
    joint_1 = joint;
    if (PELT_SCALE == 1i) {
        {
            let _e17 = position_1;
            let _e23 = joint_1;
            let _e24 = pelt_palette_matrix(_e23);
            moved = (vec4<f32>(_e17.x, _e17.y, _e17.z, 1f) * _e24);
            let _e27 = joint_1;
            let _e28 = pelt_palette_rotation(_e27);
            let _e29 = moved;
            let _e30 = pelt_dquat_make(_e28, _e29);
            return _e30;
        }
    }
    let _e31 = joint_1;
    let _e32 = pelt_palette_motion(_e31);
    return _e32;
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
    let _e15 = position_1;
    let _e19 = influences_1.joints[0];
    let _e20 = pelt_motion_at(_e15, _e19);
    strongest = _e20;
    let _e25 = influences_1.weights[0];
    let _e26 = strongest;
    let _e32 = influences_1.weights[0];
    let _e33 = strongest;
    sum = pelt_dquat((_e25 * _e26.real), (_e32 * _e33.dual));
    loop {
        let _e40 = i;
        if !((_e40 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e46 = position_1;
            let _e47 = i;
            let _e50 = influences_1.joints[_e47];
            let _e51 = pelt_motion_at(_e46, _e50);
            motion = _e51;
            let _e53 = motion;
            let _e55 = strongest;
            let _e57 = pelt_sign_of(_e53.real, _e55.real);
            let _e58 = i;
            let _e61 = influences_1.weights[_e58];
            weight = (_e57 * _e61);
            let _e65 = sum;
            let _e67 = weight;
            let _e68 = motion;
            sum.real = (_e65.real + (_e67 * _e68.real));
            let _e73 = sum;
            let _e75 = weight;
            let _e76 = motion;
            sum.dual = (_e73.dual + (_e75 * _e76.dual));
        }
        continuing {
            let _e43 = i;
            i = (_e43 + 1i);
        }
    }
    let _e80 = sum;
    let _e82 = pelt_is_canceled(_e80.real);
    if _e82 {
        {
            let _e83 = strongest;
            return _e83;
        }
    }
    let _e85 = sum;
    scale = (1f / length(_e85.real));
    let _e90 = scale;
    let _e91 = sum;
    let _e94 = scale;
    let _e95 = sum;
    return pelt_dquat((_e90 * _e91.real), (_e94 * _e95.dual));
}

fn pelt_skin_dqs(rest: pelt_rest, influences: pelt_influences) -> pelt_motion {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var blend: pelt_dquat;
    var translation: vec3<f32>;
    var linear: mat3x3<f32>;

    rest_1 = rest;
    influences_1 = influences;
    let _e15 = rest_1;
    let _e17 = influences_1;
    let _e18 = pelt_blend_motion(_e15.position, _e17);
    blend = _e18;
    let _e20 = blend;
    let _e21 = pelt_dquat_translation(_e20);
    translation = _e21;
    let _e23 = blend;
    let _e25 = pelt_mat3_from_quat(_e23.real);
    linear = _e25;
    if (PELT_SCALE != 0i) {
        {
            let _e29 = linear;
            let _e30 = influences_1;
            let _e31 = pelt_blend_stretch(_e30);
            linear = (_e29 * _e31);
        }
    }
    if (PELT_SCALE == 1i) {
        {
            let _e35 = linear;
            let _e36 = translation;
            return pelt_motion(_e35, _e36);
        }
    }
    let _e38 = linear;
    let _e39 = linear;
    let _e40 = rest_1;
    let _e43 = translation;
    return pelt_motion(_e38, ((_e39 * _e40.position) + _e43));
}

fn pelt_move_dqs(rest: pelt_rest, motion: pelt_motion, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var motion_1: pelt_motion;
    var influences_1: pelt_influences;

    rest_1 = rest;
    motion_1 = motion;
    influences_1 = influences;
    let _e17 = rest_1;
    let _e18 = motion_1;
    let _e19 = influences_1;
    let _e20 = pelt_strongest_handedness(_e19);
    let _e21 = influences_1;
    let _e22 = pelt_strongest_rotation(_e21);
    let _e23 = pelt_move_vertex(_e17, _e18, _e20, _e22);
    return _e23;
}

fn pelt_deform_dqs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e15 = influences_1;
    let _e16 = pelt_is_unweighted(_e15);
    if _e16 {
        {
            let _e17 = rest_1;
            let _e18 = pelt_vertex_at_rest(_e17);
            return _e18;
        }
    }
    let _e19 = rest_1;
    let _e20 = rest_1;
    let _e21 = influences_1;
    let _e22 = pelt_skin_dqs(_e20, _e21);
    let _e23 = influences_1;
    let _e24 = pelt_move_dqs(_e19, _e22, _e23);
    return _e24;
}

fn pelt_skin_mix(rest: pelt_rest, influences: pelt_influences) -> pelt_motion {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var factor: f32;
    var lbs: pelt_motion;
    var dqs: pelt_motion;

    rest_1 = rest;
    influences_1 = influences;
    let _e15 = rest_1;
    factor = _e15.mix_factor;
    let _e18 = rest_1;
    let _e19 = influences_1;
    let _e20 = pelt_skin_lbs(_e18, _e19);
    lbs = _e20;
    let _e22 = rest_1;
    let _e23 = influences_1;
    let _e24 = pelt_skin_dqs(_e22, _e23);
    dqs = _e24;
    let _e27 = factor;
    let _e29 = lbs;
    let _e32 = factor;
    let _e33 = dqs;
    let _e38 = factor;
    let _e40 = lbs;
    let _e43 = factor;
    let _e44 = dqs;
    return pelt_motion((((1f - _e27) * _e29.linear) + (_e32 * _e33.linear)), (((1f - _e38) * _e40.position) + (_e43 * _e44.position)));
}

fn pelt_move_mix(rest: pelt_rest, motion: pelt_motion, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var motion_1: pelt_motion;
    var influences_1: pelt_influences;
    var strongest: mat3x3<f32>;

    rest_1 = rest;
    motion_1 = motion;
    influences_1 = influences;
    let _e17 = influences_1;
    let _e18 = pelt_strongest_rotation(_e17);
    strongest = _e18;
    if (PELT_SCALE == 0i) {
        {
            let _e22 = influences_1;
            let _e23 = pelt_strongest_matrix(_e22);
            strongest = _e23;
        }
    }
    let _e24 = rest_1;
    let _e25 = motion_1;
    let _e26 = influences_1;
    let _e27 = pelt_strongest_handedness(_e26);
    let _e28 = strongest;
    let _e29 = pelt_move_vertex(_e24, _e25, _e27, _e28);
    return _e29;
}

fn pelt_deform_mix(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e15 = influences_1;
    let _e16 = pelt_is_unweighted(_e15);
    if _e16 {
        {
            let _e17 = rest_1;
            let _e18 = pelt_vertex_at_rest(_e17);
            return _e18;
        }
    }
    let _e19 = rest_1;
    let _e20 = rest_1;
    let _e21 = influences_1;
    let _e22 = pelt_skin_mix(_e20, _e21);
    let _e23 = influences_1;
    let _e24 = pelt_move_mix(_e19, _e22, _e23);
    return _e24;
}

fn pelt_blend_rotation(influences: pelt_influences) -> vec4<f32> {
    var influences_1: pelt_influences;
    var strongest: vec4<f32>;
    var sum: vec4<f32>;
    var i: i32 = 1i;
    var q: vec4<f32>;
    var local: vec4<f32>;

    influences_1 = influences;
    let _e16 = influences_1.joints[0];
    let _e17 = pelt_palette_rotation(_e16);
    strongest = _e17;
    let _e22 = influences_1.weights[0];
    let _e23 = strongest;
    sum = (_e22 * _e23);
    loop {
        let _e28 = i;
        if !((_e28 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e34 = i;
            let _e37 = influences_1.joints[_e34];
            let _e38 = pelt_palette_rotation(_e37);
            q = _e38;
            let _e40 = sum;
            let _e41 = q;
            let _e42 = strongest;
            let _e43 = pelt_sign_of(_e41, _e42);
            let _e44 = i;
            let _e47 = influences_1.weights[_e44];
            let _e49 = q;
            sum = (_e40 + ((_e43 * _e47) * _e49));
        }
        continuing {
            let _e31 = i;
            i = (_e31 + 1i);
        }
    }
    let _e52 = sum;
    let _e53 = pelt_is_canceled(_e52);
    if _e53 {
        let _e54 = strongest;
        local = _e54;
    } else {
        let _e55 = sum;
        local = normalize(_e55);
    }
    let _e58 = local;
    return _e58;
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
        let _e20 = i;
        if !((_e20 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e26 = point_1;
            let _e32 = i;
            let _e35 = influences_1.joints[_e32];
            let _e36 = pelt_palette_matrix(_e35);
            moved = (vec4<f32>(_e26.x, _e26.y, _e26.z, 1f) * _e36);
            let _e39 = sum;
            let _e40 = i;
            let _e43 = influences_1.weights[_e40];
            let _e44 = moved;
            sum = (_e39 + (_e43 * _e44));
        }
        continuing {
            let _e23 = i;
            i = (_e23 + 1i);
        }
    }
    let _e47 = sum;
    return _e47;
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
        let _e20 = i;
        if !((_e20 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e26 = i;
            let _e29 = influences_1.joints[_e26];
            joint = _e29;
            let _e31 = joint;
            let _e32 = pelt_palette_rotation(_e31);
            let _e33 = pelt_mat3_from_quat(_e32);
            rotation = _e33;
            let _e35 = sum;
            let _e36 = i;
            let _e39 = influences_1.weights[_e36];
            let _e40 = rotation;
            let _e41 = point_1;
            let _e43 = joint;
            let _e44 = pelt_joint_translation(_e43);
            sum = (_e35 + (_e39 * ((_e40 * _e41) + _e44)));
        }
        continuing {
            let _e23 = i;
            i = (_e23 + 1i);
        }
    }
    let _e48 = sum;
    return _e48;
}

fn pelt_skin_crs(rest: pelt_rest, influences: pelt_influences) -> pelt_motion {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var linear: mat3x3<f32>;
    var stretch: mat3x3<f32>;
    var offset: vec3<f32>;

    rest_1 = rest;
    influences_1 = influences;
    let _e15 = influences_1;
    let _e16 = pelt_blend_rotation(_e15);
    let _e17 = pelt_mat3_from_quat(_e16);
    linear = _e17;
    let _e19 = influences_1;
    let _e20 = pelt_blend_stretch(_e19);
    stretch = _e20;
    if (PELT_SCALE != 0i) {
        {
            let _e24 = linear;
            let _e25 = stretch;
            linear = (_e24 * _e25);
        }
    }
    let _e27 = linear;
    let _e28 = rest_1;
    let _e30 = rest_1;
    offset = (_e27 * (_e28.position - _e30.center));
    if (PELT_SCALE == 2i) {
        {
            let _e37 = linear;
            let _e38 = stretch;
            let _e39 = rest_1;
            let _e42 = influences_1;
            let _e43 = pelt_blend_rigid((_e38 * _e39.center), _e42);
            let _e44 = offset;
            return pelt_motion(_e37, (_e43 + _e44));
        }
    }
    let _e47 = linear;
    let _e48 = rest_1;
    let _e50 = influences_1;
    let _e51 = pelt_blend_point(_e48.center, _e50);
    let _e52 = offset;
    return pelt_motion(_e47, (_e51 + _e52));
}

fn pelt_move_crs(rest: pelt_rest, motion: pelt_motion, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var motion_1: pelt_motion;
    var influences_1: pelt_influences;

    rest_1 = rest;
    motion_1 = motion;
    influences_1 = influences;
    let _e17 = rest_1;
    let _e18 = motion_1;
    let _e19 = influences_1;
    let _e20 = pelt_strongest_handedness(_e19);
    let _e21 = influences_1;
    let _e22 = pelt_strongest_rotation(_e21);
    let _e23 = pelt_move_vertex(_e17, _e18, _e20, _e22);
    return _e23;
}

fn pelt_deform_crs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e15 = influences_1;
    let _e16 = pelt_is_unweighted(_e15);
    if _e16 {
        {
            let _e17 = rest_1;
            let _e18 = pelt_vertex_at_rest(_e17);
            return _e18;
        }
    }
    let _e19 = rest_1;
    let _e20 = rest_1;
    let _e21 = influences_1;
    let _e22 = pelt_skin_crs(_e20, _e21);
    let _e23 = influences_1;
    let _e24 = pelt_move_crs(_e19, _e22, _e23);
    return _e24;
}

fn pelt_quat_from_mat3_(columns: mat3x3<f32>) -> vec4<f32> {
    var columns_1: mat3x3<f32>;
    var x: vec3<f32>;
    var y: vec3<f32>;
    var z: vec3<f32>;
    var trace: f32;
    var q: vec4<f32>;

    columns_1 = columns;
    let _e17 = columns_1[0];
    x = _e17;
    let _e21 = columns_1[1];
    y = _e21;
    let _e25 = columns_1[2];
    z = _e25;
    let _e27 = x;
    let _e29 = y;
    let _e32 = z;
    trace = ((_e27.x + _e29.y) + _e32.z);
    let _e37 = trace;
    let _e38 = x;
    let _e41 = trace;
    let _e42 = y;
    let _e46 = trace;
    let _e47 = z;
    if (((_e37 > _e38.x) && (_e41 > _e42.y)) && (_e46 > _e47.z)) {
        {
            let _e51 = y;
            let _e53 = z;
            let _e56 = z;
            let _e58 = x;
            let _e61 = x;
            let _e63 = y;
            let _e67 = trace;
            q = vec4<f32>((_e51.z - _e53.y), (_e56.x - _e58.z), (_e61.y - _e63.x), (1f + _e67));
        }
    } else {
        let _e70 = x;
        let _e72 = y;
        let _e75 = x;
        let _e77 = z;
        if ((_e70.x >= _e72.y) && (_e75.x >= _e77.z)) {
            {
                let _e82 = x;
                let _e85 = y;
                let _e88 = z;
                let _e91 = y;
                let _e93 = x;
                let _e96 = z;
                let _e98 = x;
                let _e101 = y;
                let _e103 = z;
                q = vec4<f32>((((1f + _e82.x) - _e85.y) - _e88.z), (_e91.x + _e93.y), (_e96.x + _e98.z), (_e101.z - _e103.y));
            }
        } else {
            let _e107 = y;
            let _e109 = z;
            if (_e107.y >= _e109.z) {
                {
                    let _e112 = y;
                    let _e114 = x;
                    let _e118 = x;
                    let _e121 = y;
                    let _e124 = z;
                    let _e127 = z;
                    let _e129 = y;
                    let _e132 = z;
                    let _e134 = x;
                    q = vec4<f32>((_e112.x + _e114.y), (((1f - _e118.x) + _e121.y) - _e124.z), (_e127.y + _e129.z), (_e132.x - _e134.z));
                }
            } else {
                {
                    let _e138 = z;
                    let _e140 = x;
                    let _e143 = z;
                    let _e145 = y;
                    let _e149 = x;
                    let _e152 = y;
                    let _e155 = z;
                    let _e158 = x;
                    let _e160 = y;
                    q = vec4<f32>((_e138.x + _e140.z), (_e143.y + _e145.z), (((1f - _e149.x) - _e152.y) + _e155.z), (_e158.y - _e160.x));
                }
            }
        }
    }
    let _e164 = q;
    return normalize(_e164);
}
