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
        let _e20 = i;
        if !((_e20 < 4i)) {
            break;
        }
        {
            let _e27 = i;
            let _e30 = i;
            let _e32 = joints_1[_e30];
            influences.joints[_e27] = _e32;
            let _e33 = i;
            let _e36 = i;
            let _e38 = weights_1[_e36];
            influences.weights[_e33] = _e38;
            let _e39 = i;
            let _e44 = i;
            let _e46 = more_joints_1[_e44];
            influences.joints[(_e39 + 4i)] = _e46;
            let _e47 = i;
            let _e52 = i;
            let _e54 = more_weights_1[_e52];
            influences.weights[(_e47 + 4i)] = _e54;
        }
        continuing {
            let _e24 = i;
            i = (_e24 + 1i);
        }
    }
    let _e55 = influences;
    return _e55;
}

fn pelt_quat_mul(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    var a_1: vec4<f32>;
    var b_1: vec4<f32>;

    a_1 = a;
    b_1 = b;
    let _e13 = a_1;
    let _e15 = b_1;
    let _e18 = b_1;
    let _e20 = a_1;
    let _e24 = a_1;
    let _e26 = b_1;
    let _e29 = (((_e13.w * _e15.xyz) + (_e18.w * _e20.xyz)) + cross(_e24.xyz, _e26.xyz));
    let _e30 = a_1;
    let _e32 = b_1;
    let _e35 = a_1;
    let _e37 = b_1;
    return vec4<f32>(_e29.x, _e29.y, _e29.z, ((_e30.w * _e32.w) - dot(_e35.xyz, _e37.xyz)));
}

fn pelt_quat_conjugate(q: vec4<f32>) -> vec4<f32> {
    var q_1: vec4<f32>;

    q_1 = q;
    let _e11 = q_1;
    let _e13 = -(_e11.xyz);
    let _e14 = q_1;
    return vec4<f32>(_e13.x, _e13.y, _e13.z, _e14.w);
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
    let _e11 = q_1;
    let _e13 = q_1;
    d = (_e11.xyz + _e13.xyz);
    let _e17 = q_1;
    let _e19 = d;
    x = (_e17.x * _e19);
    let _e22 = q_1;
    let _e24 = d;
    w = (_e22.w * _e24);
    let _e27 = q_1;
    let _e29 = d;
    yy = (_e27.y * _e29.y);
    let _e33 = q_1;
    let _e35 = d;
    yz = (_e33.y * _e35.z);
    let _e39 = q_1;
    let _e41 = d;
    zz = (_e39.z * _e41.z);
    let _e46 = yy;
    let _e47 = zz;
    let _e50 = x;
    let _e52 = w;
    let _e55 = x;
    let _e57 = w;
    let _e60 = vec3<f32>((1f - (_e46 + _e47)), (_e50.y + _e52.z), (_e55.z - _e57.y));
    let _e61 = x;
    let _e63 = w;
    let _e67 = x;
    let _e69 = zz;
    let _e72 = yz;
    let _e73 = w;
    let _e76 = vec3<f32>((_e61.y - _e63.z), (1f - (_e67.x + _e69)), (_e72 + _e73.x));
    let _e77 = x;
    let _e79 = w;
    let _e82 = yz;
    let _e83 = w;
    let _e87 = x;
    let _e89 = yy;
    let _e92 = vec3<f32>((_e77.z + _e79.y), (_e82 - _e83.x), (1f - (_e87.x + _e89)));
    return mat3x3<f32>(vec3<f32>(_e60.x, _e60.y, _e60.z), vec3<f32>(_e76.x, _e76.y, _e76.z), vec3<f32>(_e92.x, _e92.y, _e92.z));
}

fn pelt_dquat_make(rotation: vec4<f32>, translation: vec3<f32>) -> pelt_dquat {
    var rotation_1: vec4<f32>;
    var translation_1: vec3<f32>;
    var dual: vec3<f32>;

    rotation_1 = rotation;
    translation_1 = translation;
    let _e13 = rotation_1;
    let _e15 = translation_1;
    let _e17 = translation_1;
    let _e18 = rotation_1;
    dual = ((_e13.w * _e15) + cross(_e17, _e18.xyz));
    let _e23 = rotation_1;
    let _e25 = dual;
    let _e26 = translation_1;
    let _e27 = rotation_1;
    return pelt_dquat(_e23, (0.5f * vec4<f32>(_e25.x, _e25.y, _e25.z, -(dot(_e26, _e27.xyz)))));
}

fn pelt_dquat_translation(d: pelt_dquat) -> vec3<f32> {
    var d_1: pelt_dquat;

    d_1 = d;
    let _e12 = d_1;
    let _e15 = d_1;
    let _e19 = d_1;
    let _e22 = d_1;
    let _e27 = d_1;
    let _e30 = d_1;
    return (2f * (((_e12.real.w * _e15.dual.xyz) - (_e19.dual.w * _e22.real.xyz)) + cross(_e27.real.xyz, _e30.dual.xyz)));
}

fn pelt_sign_of(q: vec4<f32>, strongest: vec4<f32>) -> f32 {
    var q_1: vec4<f32>;
    var strongest_1: vec4<f32>;
    var local: f32;

    q_1 = q;
    strongest_1 = strongest;
    let _e13 = strongest_1;
    let _e14 = q_1;
    if (dot(_e13, _e14) < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e22 = local;
    return _e22;
}

fn pelt_is_canceled(sum: vec4<f32>) -> bool {
    var sum_1: vec4<f32>;

    sum_1 = sum;
    let _e11 = sum_1;
    let _e12 = sum_1;
    return !((dot(_e11, _e12) > 0.000000000001f));
}

fn pelt_normalize(v: vec3<f32>) -> vec3<f32> {
    var v_1: vec3<f32>;
    var largest: f32;
    var local: vec3<f32>;

    v_1 = v;
    let _e11 = v_1;
    let _e14 = v_1;
    let _e17 = v_1;
    largest = max(abs(_e11.x), max(abs(_e14.y), abs(_e17.z)));
    let _e23 = largest;
    if (_e23 > 0f) {
        let _e26 = v_1;
        let _e27 = largest;
        local = normalize((_e26 / vec3(_e27)));
    } else {
        local = vec3(0f);
    }
    let _e34 = local;
    return _e34;
}

fn pelt_unit_or(moved: vec3<f32>, by_strongest: vec3<f32>, rest: vec3<f32>) -> vec3<f32> {
    var moved_1: vec3<f32>;
    var by_strongest_1: vec3<f32>;
    var rest_1: vec3<f32>;
    var local: vec3<f32>;

    moved_1 = moved;
    by_strongest_1 = by_strongest;
    rest_1 = rest;
    let _e15 = moved_1;
    if any((_e15 != vec3(0f))) {
        {
            let _e20 = moved_1;
            let _e21 = pelt_normalize(_e20);
            return _e21;
        }
    }
    let _e22 = by_strongest_1;
    if any((_e22 != vec3(0f))) {
        let _e27 = by_strongest_1;
        let _e28 = pelt_normalize(_e27);
        local = _e28;
    } else {
        let _e29 = rest_1;
        local = _e29;
    }
    let _e31 = local;
    return _e31;
}

fn pelt_handedness_of(linear: mat3x3<f32>) -> f32 {
    var linear_1: mat3x3<f32>;
    var local: f32;

    linear_1 = linear;
    let _e13 = linear_1[0];
    let _e16 = linear_1[1];
    let _e19 = linear_1[2];
    if (dot(_e13, cross(_e16, _e19)) < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e28 = local;
    return _e28;
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
    let _e19 = linear_1[1];
    let _e22 = linear_1[2];
    let _e23 = cross(_e19, _e22);
    let _e26 = linear_1[2];
    let _e29 = linear_1[0];
    let _e30 = cross(_e26, _e29);
    let _e33 = linear_1[0];
    let _e36 = linear_1[1];
    let _e37 = cross(_e33, _e36);
    cofactor = mat3x3<f32>(vec3<f32>(_e23.x, _e23.y, _e23.z), vec3<f32>(_e30.x, _e30.y, _e30.z), vec3<f32>(_e37.x, _e37.y, _e37.z));
    let _e52 = handedness_1;
    let _e53 = cofactor;
    let _e54 = n_1;
    let _e57 = strongest_1;
    let _e58 = n_1;
    let _e60 = n_1;
    let _e61 = pelt_unit_or((_e52 * (_e53 * _e54)), (_e57 * _e58), _e60);
    return _e61;
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
    let _e17 = linear_1;
    let _e18 = t_1;
    let _e21 = strongest_1;
    let _e22 = t_1;
    let _e25 = t_1;
    let _e27 = pelt_unit_or((_e17 * _e18.xyz), (_e21 * _e22.xyz), _e25.xyz);
    let _e28 = handedness_1;
    let _e29 = t_1;
    return vec4<f32>(_e27.x, _e27.y, _e27.z, (_e28 * _e29.w));
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
    let _e17 = motion_1;
    let _e19 = motion_1;
    let _e21 = handedness_1;
    let _e22 = strongest_1;
    let _e23 = rest_1;
    let _e25 = pelt_move_normal(_e19.linear, _e21, _e22, _e23.normal);
    let _e26 = motion_1;
    let _e28 = handedness_1;
    let _e29 = strongest_1;
    let _e30 = rest_1;
    let _e32 = pelt_move_tangent(_e26.linear, _e28, _e29, _e30.tangent);
    return pelt_vertex(_e17.position, _e25, _e32);
}

fn pelt_is_unweighted(influences: pelt_influences) -> bool {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e14 = influences_1.weights[0];
    return (_e14 == 0f);
}

fn pelt_vertex_at_rest(rest: pelt_rest) -> pelt_vertex {
    var rest_1: pelt_rest;

    rest_1 = rest;
    let _e11 = rest_1;
    let _e13 = rest_1;
    let _e15 = rest_1;
    return pelt_vertex(_e11.position, _e13.normal, _e15.tangent);
}

fn pelt_palette_rotation(joint: u32) -> vec4<f32> {
    var joint_1: u32;

    joint_1 = joint;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e14 = joint_1;
            let _e16 = pelt_palette_texel(_e14, 0u);
            return _e16;
        }
    }
    let _e17 = joint_1;
    let _e19 = pelt_palette_texel(_e17, 3u);
    return _e19;
}

fn pelt_palette_motion(joint: u32) -> pelt_dquat {
    var joint_1: u32;
    var rotation: vec4<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    let _e12 = joint_1;
    let _e13 = pelt_palette_rotation(_e12);
    rotation = _e13;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e17 = rotation;
            let _e18 = joint_1;
            let _e20 = pelt_palette_texel(_e18, 1u);
            return pelt_dquat(_e17, _e20);
        }
    }
    if (PELT_LAYOUT == PELT_LAYOUT_MATRIX_MOTION) {
        {
            let _e24 = rotation;
            let _e25 = joint_1;
            let _e27 = pelt_palette_texel(_e25, 4u);
            return pelt_dquat(_e24, _e27);
        }
    }
    let _e29 = joint_1;
    let _e31 = pelt_palette_texel(_e29, 0u);
    let _e33 = joint_1;
    let _e35 = pelt_palette_texel(_e33, 1u);
    let _e37 = joint_1;
    let _e39 = pelt_palette_texel(_e37, 2u);
    translation = vec3<f32>(_e31.w, _e35.w, _e39.w);
    let _e43 = rotation;
    let _e44 = translation;
    let _e45 = pelt_dquat_make(_e43, _e44);
    return _e45;
}

fn pelt_palette_matrix(joint: u32) -> mat3x4<f32> {
    var joint_1: u32;
    var motion: pelt_dquat;
    var rows: mat3x3<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e14 = joint_1;
            let _e15 = pelt_palette_motion(_e14);
            motion = _e15;
            let _e17 = motion;
            let _e19 = pelt_mat3_from_quat(_e17.real);
            rows = transpose(_e19);
            let _e22 = motion;
            let _e23 = pelt_dquat_translation(_e22);
            translation = _e23;
            let _e27 = rows[0];
            let _e28 = translation;
            let _e33 = vec4<f32>(_e27.x, _e27.y, _e27.z, _e28.x);
            let _e36 = rows[1];
            let _e37 = translation;
            let _e42 = vec4<f32>(_e36.x, _e36.y, _e36.z, _e37.y);
            let _e45 = rows[2];
            let _e46 = translation;
            let _e51 = vec4<f32>(_e45.x, _e45.y, _e45.z, _e46.z);
            return mat3x4<f32>(vec4<f32>(_e33.x, _e33.y, _e33.z, _e33.w), vec4<f32>(_e42.x, _e42.y, _e42.z, _e42.w), vec4<f32>(_e51.x, _e51.y, _e51.z, _e51.w));
        }
    }
    let _e68 = joint_1;
    let _e70 = pelt_palette_texel(_e68, 0u);
    let _e71 = joint_1;
    let _e73 = pelt_palette_texel(_e71, 1u);
    let _e74 = joint_1;
    let _e76 = pelt_palette_texel(_e74, 2u);
    return mat3x4<f32>(vec4<f32>(_e70.x, _e70.y, _e70.z, _e70.w), vec4<f32>(_e73.x, _e73.y, _e73.z, _e73.w), vec4<f32>(_e76.x, _e76.y, _e76.z, _e76.w));
}

fn pelt_joint_stretch(joint: u32) -> mat3x3<f32> {
    var joint_1: u32;

    joint_1 = joint;
    if (PELT_SCALE == 0i) {
        {
            return mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
        }
    }
    let _e20 = joint_1;
    let _e21 = pelt_palette_matrix(_e20);
    let _e31 = joint_1;
    let _e32 = pelt_palette_rotation(_e31);
    let _e33 = pelt_mat3_from_quat(_e32);
    return (mat3x3<f32>(_e21[0].xyz, _e21[1].xyz, _e21[2].xyz) * _e33);
}

fn pelt_joint_translation(joint: u32) -> vec3<f32> {
    var joint_1: u32;
    var matrix: mat3x4<f32>;

    joint_1 = joint;
    let _e12 = joint_1;
    let _e13 = pelt_palette_matrix(_e12);
    matrix = _e13;
    let _e17 = matrix[0];
    let _e21 = matrix[1];
    let _e25 = matrix[2];
    return vec3<f32>(_e17.w, _e21.w, _e25.w);
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
        let _e29 = i;
        if !((_e29 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e35 = sum;
            let _e36 = i;
            let _e39 = influences_1.weights[_e36];
            let _e40 = i;
            let _e43 = influences_1.joints[_e40];
            let _e44 = pelt_joint_stretch(_e43);
            sum = (_e35 + (_e39 * _e44));
        }
        continuing {
            let _e32 = i;
            i = (_e32 + 1i);
        }
    }
    let _e47 = sum;
    return _e47;
}

fn pelt_strongest_matrix(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e15 = influences_1.joints[0];
    let _e16 = pelt_palette_matrix(_e15);
    return transpose(mat3x3<f32>(_e16[0].xyz, _e16[1].xyz, _e16[2].xyz));
}

fn pelt_strongest_rotation(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e15 = influences_1.joints[0];
    let _e16 = pelt_palette_rotation(_e15);
    let _e17 = pelt_mat3_from_quat(_e16);
    return _e17;
}

fn pelt_strongest_handedness(influences: pelt_influences) -> f32 {
    var influences_1: pelt_influences;

    influences_1 = influences;
    if (PELT_SCALE == 0i) {
        {
            return 1f;
        }
    }
    let _e18 = influences_1.joints[0];
    let _e19 = pelt_palette_matrix(_e18);
    let _e29 = pelt_handedness_of(mat3x3<f32>(_e19[0].xyz, _e19[1].xyz, _e19[2].xyz));
    return _e29;
}

fn pelt_skin_lbs(rest: pelt_rest, influences: pelt_influences) -> pelt_motion {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var sum: mat3x4<f32> = mat3x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var i: i32 = 0i;

    rest_1 = rest;
    influences_1 = influences;
    loop {
        let _e23 = i;
        if !((_e23 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e29 = sum;
            let _e30 = i;
            let _e33 = influences_1.weights[_e30];
            let _e34 = i;
            let _e37 = influences_1.joints[_e34];
            let _e38 = pelt_palette_matrix(_e37);
            sum = (_e29 + (_e33 * _e38));
        }
        continuing {
            let _e26 = i;
            i = (_e26 + 1i);
        }
    }
    let _e41 = sum;
    let _e52 = rest_1;
    let _e59 = sum;
    return pelt_motion(transpose(mat3x3<f32>(_e41[0].xyz, _e41[1].xyz, _e41[2].xyz)), (vec4<f32>(_e52.position.x, _e52.position.y, _e52.position.z, 1f) * _e59));
}

fn pelt_move_lbs(rest: pelt_rest, motion: pelt_motion, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var motion_1: pelt_motion;
    var influences_1: pelt_influences;
    var strongest: mat3x3<f32>;

    rest_1 = rest;
    motion_1 = motion;
    influences_1 = influences;
    let _e16 = influences_1;
    let _e17 = pelt_strongest_matrix(_e16);
    strongest = _e17;
    let _e19 = rest_1;
    let _e20 = motion_1;
    let _e21 = strongest;
    let _e22 = pelt_handedness_of(_e21);
    let _e23 = strongest;
    let _e24 = pelt_move_vertex(_e19, _e20, _e22, _e23);
    return _e24;
}

fn pelt_deform_lbs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = influences_1;
    let _e15 = pelt_is_unweighted(_e14);
    if _e15 {
        {
            let _e16 = rest_1;
            let _e17 = pelt_vertex_at_rest(_e16);
            return _e17;
        }
    }
    let _e18 = rest_1;
    let _e19 = rest_1;
    let _e20 = influences_1;
    let _e21 = pelt_skin_lbs(_e19, _e20);
    let _e22 = influences_1;
    let _e23 = pelt_move_lbs(_e18, _e21, _e22);
    return _e23;
}

fn pelt_motion_at(position: vec3<f32>, joint: u32) -> pelt_dquat {
    var position_1: vec3<f32>;
    var joint_1: u32;
    var moved: vec3<f32>;

    position_1 = position;
    joint_1 = joint;
    if (PELT_SCALE == 1i) {
        {
            let _e16 = position_1;
            let _e22 = joint_1;
            let _e23 = pelt_palette_matrix(_e22);
            moved = (vec4<f32>(_e16.x, _e16.y, _e16.z, 1f) * _e23);
            let _e26 = joint_1;
            let _e27 = pelt_palette_rotation(_e26);
            let _e28 = moved;
            let _e29 = pelt_dquat_make(_e27, _e28);
            return _e29;
        }
    }
    let _e30 = joint_1;
    let _e31 = pelt_palette_motion(_e30);
    return _e31;
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
    let _e14 = position_1;
    let _e18 = influences_1.joints[0];
    let _e19 = pelt_motion_at(_e14, _e18);
    strongest = _e19;
    let _e24 = influences_1.weights[0];
    let _e25 = strongest;
    let _e31 = influences_1.weights[0];
    let _e32 = strongest;
    sum = pelt_dquat((_e24 * _e25.real), (_e31 * _e32.dual));
    loop {
        let _e39 = i;
        if !((_e39 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e45 = position_1;
            let _e46 = i;
            let _e49 = influences_1.joints[_e46];
            let _e50 = pelt_motion_at(_e45, _e49);
            motion = _e50;
            let _e52 = motion;
            let _e54 = strongest;
            let _e56 = pelt_sign_of(_e52.real, _e54.real);
            let _e57 = i;
            let _e60 = influences_1.weights[_e57];
            weight = (_e56 * _e60);
            let _e64 = sum;
            let _e66 = weight;
            let _e67 = motion;
            sum.real = (_e64.real + (_e66 * _e67.real));
            let _e72 = sum;
            let _e74 = weight;
            let _e75 = motion;
            sum.dual = (_e72.dual + (_e74 * _e75.dual));
        }
        continuing {
            let _e42 = i;
            i = (_e42 + 1i);
        }
    }
    let _e79 = sum;
    let _e81 = pelt_is_canceled(_e79.real);
    if _e81 {
        {
            let _e82 = strongest;
            return _e82;
        }
    }
    let _e84 = sum;
    scale = (1f / length(_e84.real));
    let _e89 = scale;
    let _e90 = sum;
    let _e93 = scale;
    let _e94 = sum;
    return pelt_dquat((_e89 * _e90.real), (_e93 * _e94.dual));
}

fn pelt_skin_dqs(rest: pelt_rest, influences: pelt_influences) -> pelt_motion {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var blend: pelt_dquat;
    var translation: vec3<f32>;
    var linear: mat3x3<f32>;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = rest_1;
    let _e16 = influences_1;
    let _e17 = pelt_blend_motion(_e14.position, _e16);
    blend = _e17;
    let _e19 = blend;
    let _e20 = pelt_dquat_translation(_e19);
    translation = _e20;
    let _e22 = blend;
    let _e24 = pelt_mat3_from_quat(_e22.real);
    linear = _e24;
    if (PELT_SCALE != 0i) {
        {
            let _e28 = linear;
            let _e29 = influences_1;
            let _e30 = pelt_blend_stretch(_e29);
            linear = (_e28 * _e30);
        }
    }
    if (PELT_SCALE == 1i) {
        {
            let _e34 = linear;
            let _e35 = translation;
            return pelt_motion(_e34, _e35);
        }
    }
    let _e37 = linear;
    let _e38 = linear;
    let _e39 = rest_1;
    let _e42 = translation;
    return pelt_motion(_e37, ((_e38 * _e39.position) + _e42));
}

fn pelt_move_dqs(rest: pelt_rest, motion: pelt_motion, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var motion_1: pelt_motion;
    var influences_1: pelt_influences;

    rest_1 = rest;
    motion_1 = motion;
    influences_1 = influences;
    let _e16 = rest_1;
    let _e17 = motion_1;
    let _e18 = influences_1;
    let _e19 = pelt_strongest_handedness(_e18);
    let _e20 = influences_1;
    let _e21 = pelt_strongest_rotation(_e20);
    let _e22 = pelt_move_vertex(_e16, _e17, _e19, _e21);
    return _e22;
}

fn pelt_deform_dqs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = influences_1;
    let _e15 = pelt_is_unweighted(_e14);
    if _e15 {
        {
            let _e16 = rest_1;
            let _e17 = pelt_vertex_at_rest(_e16);
            return _e17;
        }
    }
    let _e18 = rest_1;
    let _e19 = rest_1;
    let _e20 = influences_1;
    let _e21 = pelt_skin_dqs(_e19, _e20);
    let _e22 = influences_1;
    let _e23 = pelt_move_dqs(_e18, _e21, _e22);
    return _e23;
}

fn pelt_skin_mix(rest: pelt_rest, influences: pelt_influences) -> pelt_motion {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var factor: f32;
    var lbs: pelt_motion;
    var dqs: pelt_motion;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = rest_1;
    factor = _e14.mix_factor;
    let _e17 = rest_1;
    let _e18 = influences_1;
    let _e19 = pelt_skin_lbs(_e17, _e18);
    lbs = _e19;
    let _e21 = rest_1;
    let _e22 = influences_1;
    let _e23 = pelt_skin_dqs(_e21, _e22);
    dqs = _e23;
    let _e26 = factor;
    let _e28 = lbs;
    let _e31 = factor;
    let _e32 = dqs;
    let _e37 = factor;
    let _e39 = lbs;
    let _e42 = factor;
    let _e43 = dqs;
    return pelt_motion((((1f - _e26) * _e28.linear) + (_e31 * _e32.linear)), (((1f - _e37) * _e39.position) + (_e42 * _e43.position)));
}

fn pelt_move_mix(rest: pelt_rest, motion: pelt_motion, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var motion_1: pelt_motion;
    var influences_1: pelt_influences;
    var strongest: mat3x3<f32>;

    rest_1 = rest;
    motion_1 = motion;
    influences_1 = influences;
    let _e16 = influences_1;
    let _e17 = pelt_strongest_rotation(_e16);
    strongest = _e17;
    if (PELT_SCALE == 0i) {
        {
            let _e21 = influences_1;
            let _e22 = pelt_strongest_matrix(_e21);
            strongest = _e22;
        }
    }
    let _e23 = rest_1;
    let _e24 = motion_1;
    let _e25 = influences_1;
    let _e26 = pelt_strongest_handedness(_e25);
    let _e27 = strongest;
    let _e28 = pelt_move_vertex(_e23, _e24, _e26, _e27);
    return _e28;
}

fn pelt_deform_mix(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = influences_1;
    let _e15 = pelt_is_unweighted(_e14);
    if _e15 {
        {
            let _e16 = rest_1;
            let _e17 = pelt_vertex_at_rest(_e16);
            return _e17;
        }
    }
    let _e18 = rest_1;
    let _e19 = rest_1;
    let _e20 = influences_1;
    let _e21 = pelt_skin_mix(_e19, _e20);
    let _e22 = influences_1;
    let _e23 = pelt_move_mix(_e18, _e21, _e22);
    return _e23;
}

fn pelt_blend_rotation(influences: pelt_influences) -> vec4<f32> {
    var influences_1: pelt_influences;
    var strongest: vec4<f32>;
    var sum: vec4<f32>;
    var i: i32 = 1i;
    var q: vec4<f32>;
    var local: vec4<f32>;

    influences_1 = influences;
    let _e15 = influences_1.joints[0];
    let _e16 = pelt_palette_rotation(_e15);
    strongest = _e16;
    let _e21 = influences_1.weights[0];
    let _e22 = strongest;
    sum = (_e21 * _e22);
    loop {
        let _e27 = i;
        if !((_e27 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e33 = i;
            let _e36 = influences_1.joints[_e33];
            let _e37 = pelt_palette_rotation(_e36);
            q = _e37;
            let _e39 = sum;
            let _e40 = q;
            let _e41 = strongest;
            let _e42 = pelt_sign_of(_e40, _e41);
            let _e43 = i;
            let _e46 = influences_1.weights[_e43];
            let _e48 = q;
            sum = (_e39 + ((_e42 * _e46) * _e48));
        }
        continuing {
            let _e30 = i;
            i = (_e30 + 1i);
        }
    }
    let _e51 = sum;
    let _e52 = pelt_is_canceled(_e51);
    if _e52 {
        let _e53 = strongest;
        local = _e53;
    } else {
        let _e54 = sum;
        local = normalize(_e54);
    }
    let _e57 = local;
    return _e57;
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
        let _e19 = i;
        if !((_e19 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e25 = point_1;
            let _e31 = i;
            let _e34 = influences_1.joints[_e31];
            let _e35 = pelt_palette_matrix(_e34);
            moved = (vec4<f32>(_e25.x, _e25.y, _e25.z, 1f) * _e35);
            let _e38 = sum;
            let _e39 = i;
            let _e42 = influences_1.weights[_e39];
            let _e43 = moved;
            sum = (_e38 + (_e42 * _e43));
        }
        continuing {
            let _e22 = i;
            i = (_e22 + 1i);
        }
    }
    let _e46 = sum;
    return _e46;
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
        let _e19 = i;
        if !((_e19 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e25 = i;
            let _e28 = influences_1.joints[_e25];
            joint = _e28;
            let _e30 = joint;
            let _e31 = pelt_palette_rotation(_e30);
            let _e32 = pelt_mat3_from_quat(_e31);
            rotation = _e32;
            let _e34 = sum;
            let _e35 = i;
            let _e38 = influences_1.weights[_e35];
            let _e39 = rotation;
            let _e40 = point_1;
            let _e42 = joint;
            let _e43 = pelt_joint_translation(_e42);
            sum = (_e34 + (_e38 * ((_e39 * _e40) + _e43)));
        }
        continuing {
            let _e22 = i;
            i = (_e22 + 1i);
        }
    }
    let _e47 = sum;
    return _e47;
}

fn pelt_skin_crs(rest: pelt_rest, influences: pelt_influences) -> pelt_motion {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var linear: mat3x3<f32>;
    var stretch: mat3x3<f32>;
    var offset: vec3<f32>;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = influences_1;
    let _e15 = pelt_blend_rotation(_e14);
    let _e16 = pelt_mat3_from_quat(_e15);
    linear = _e16;
    let _e18 = influences_1;
    let _e19 = pelt_blend_stretch(_e18);
    stretch = _e19;
    if (PELT_SCALE != 0i) {
        {
            let _e23 = linear;
            let _e24 = stretch;
            linear = (_e23 * _e24);
        }
    }
    let _e26 = linear;
    let _e27 = rest_1;
    let _e29 = rest_1;
    offset = (_e26 * (_e27.position - _e29.center));
    if (PELT_SCALE == 2i) {
        {
            let _e36 = linear;
            let _e37 = stretch;
            let _e38 = rest_1;
            let _e41 = influences_1;
            let _e42 = pelt_blend_rigid((_e37 * _e38.center), _e41);
            let _e43 = offset;
            return pelt_motion(_e36, (_e42 + _e43));
        }
    }
    let _e46 = linear;
    let _e47 = rest_1;
    let _e49 = influences_1;
    let _e50 = pelt_blend_point(_e47.center, _e49);
    let _e51 = offset;
    return pelt_motion(_e46, (_e50 + _e51));
}

fn pelt_move_crs(rest: pelt_rest, motion: pelt_motion, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var motion_1: pelt_motion;
    var influences_1: pelt_influences;

    rest_1 = rest;
    motion_1 = motion;
    influences_1 = influences;
    let _e16 = rest_1;
    let _e17 = motion_1;
    let _e18 = influences_1;
    let _e19 = pelt_strongest_handedness(_e18);
    let _e20 = influences_1;
    let _e21 = pelt_strongest_rotation(_e20);
    let _e22 = pelt_move_vertex(_e16, _e17, _e19, _e21);
    return _e22;
}

fn pelt_deform_crs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = influences_1;
    let _e15 = pelt_is_unweighted(_e14);
    if _e15 {
        {
            let _e16 = rest_1;
            let _e17 = pelt_vertex_at_rest(_e16);
            return _e17;
        }
    }
    let _e18 = rest_1;
    let _e19 = rest_1;
    let _e20 = influences_1;
    let _e21 = pelt_skin_crs(_e19, _e20);
    let _e22 = influences_1;
    let _e23 = pelt_move_crs(_e18, _e21, _e22);
    return _e23;
}

fn pelt_quat_from_mat3_(columns: mat3x3<f32>) -> vec4<f32> {
    var columns_1: mat3x3<f32>;
    var x: vec3<f32>;
    var y: vec3<f32>;
    var z: vec3<f32>;
    var trace: f32;
    var q: vec4<f32>;

    columns_1 = columns;
    let _e16 = columns_1[0];
    x = _e16;
    let _e20 = columns_1[1];
    y = _e20;
    let _e24 = columns_1[2];
    z = _e24;
    let _e26 = x;
    let _e28 = y;
    let _e31 = z;
    trace = ((_e26.x + _e28.y) + _e31.z);
    let _e36 = trace;
    let _e37 = x;
    let _e40 = trace;
    let _e41 = y;
    let _e45 = trace;
    let _e46 = z;
    if (((_e36 > _e37.x) && (_e40 > _e41.y)) && (_e45 > _e46.z)) {
        {
            let _e50 = y;
            let _e52 = z;
            let _e55 = z;
            let _e57 = x;
            let _e60 = x;
            let _e62 = y;
            let _e66 = trace;
            q = vec4<f32>((_e50.z - _e52.y), (_e55.x - _e57.z), (_e60.y - _e62.x), (1f + _e66));
        }
    } else {
        let _e69 = x;
        let _e71 = y;
        let _e74 = x;
        let _e76 = z;
        if ((_e69.x >= _e71.y) && (_e74.x >= _e76.z)) {
            {
                let _e81 = x;
                let _e84 = y;
                let _e87 = z;
                let _e90 = y;
                let _e92 = x;
                let _e95 = z;
                let _e97 = x;
                let _e100 = y;
                let _e102 = z;
                q = vec4<f32>((((1f + _e81.x) - _e84.y) - _e87.z), (_e90.x + _e92.y), (_e95.x + _e97.z), (_e100.z - _e102.y));
            }
        } else {
            let _e106 = y;
            let _e108 = z;
            if (_e106.y >= _e108.z) {
                {
                    let _e111 = y;
                    let _e113 = x;
                    let _e117 = x;
                    let _e120 = y;
                    let _e123 = z;
                    let _e126 = z;
                    let _e128 = y;
                    let _e131 = z;
                    let _e133 = x;
                    q = vec4<f32>((_e111.x + _e113.y), (((1f - _e117.x) + _e120.y) - _e123.z), (_e126.y + _e128.z), (_e131.x - _e133.z));
                }
            } else {
                {
                    let _e137 = z;
                    let _e139 = x;
                    let _e142 = z;
                    let _e144 = y;
                    let _e148 = x;
                    let _e151 = y;
                    let _e154 = z;
                    let _e157 = x;
                    let _e159 = y;
                    q = vec4<f32>((_e137.x + _e139.z), (_e142.y + _e144.z), (((1f - _e148.x) - _e151.y) + _e154.z), (_e157.y - _e159.x));
                }
            }
        }
    }
    let _e163 = q;
    return normalize(_e163);
}
