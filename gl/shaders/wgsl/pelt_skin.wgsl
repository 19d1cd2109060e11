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
        let _e19 = i;
        if !((_e19 < 4i)) {
            break;
        }
        {
            let _e26 = i;
            let _e29 = i;
            let _e31 = joints_1[_e29];
            influences.joints[_e26] = _e31;
            let _e32 = i;
            let _e35 = i;
            let _e37 = weights_1[_e35];
            influences.weights[_e32] = _e37;
            let _e38 = i;
            let _e43 = i;
            let _e45 = more_joints_1[_e43];
            influences.joints[(_e38 + 4i)] = _e45;
            let _e46 = i;
            let _e51 = i;
            let _e53 = more_weights_1[_e51];
            influences.weights[(_e46 + 4i)] = _e53;
        }
        continuing {
            let _e23 = i;
            i = (_e23 + 1i);
        }
    }
    let _e54 = influences;
    return _e54;
}

fn pelt_quat_mul(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    var a_1: vec4<f32>;
    var b_1: vec4<f32>;

    a_1 = a;
    b_1 = b;
    let _e12 = a_1;
    let _e14 = b_1;
    let _e17 = b_1;
    let _e19 = a_1;
    let _e23 = a_1;
    let _e25 = b_1;
    let _e28 = (((_e12.w * _e14.xyz) + (_e17.w * _e19.xyz)) + cross(_e23.xyz, _e25.xyz));
    let _e29 = a_1;
    let _e31 = b_1;
    let _e34 = a_1;
    let _e36 = b_1;
    return vec4<f32>(_e28.x, _e28.y, _e28.z, ((_e29.w * _e31.w) - dot(_e34.xyz, _e36.xyz)));
}

fn pelt_quat_conjugate(q: vec4<f32>) -> vec4<f32> {
    var q_1: vec4<f32>;

    q_1 = q;
    let _e10 = q_1;
    let _e12 = -(_e10.xyz);
    let _e13 = q_1;
    return vec4<f32>(_e12.x, _e12.y, _e12.z, _e13.w);
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
    let _e10 = q_1;
    let _e12 = q_1;
    d = (_e10.xyz + _e12.xyz);
    let _e16 = q_1;
    let _e18 = d;
    x = (_e16.x * _e18);
    let _e21 = q_1;
    let _e23 = d;
    w = (_e21.w * _e23);
    let _e26 = q_1;
    let _e28 = d;
    yy = (_e26.y * _e28.y);
    let _e32 = q_1;
    let _e34 = d;
    yz = (_e32.y * _e34.z);
    let _e38 = q_1;
    let _e40 = d;
    zz = (_e38.z * _e40.z);
    let _e45 = yy;
    let _e46 = zz;
    let _e49 = x;
    let _e51 = w;
    let _e54 = x;
    let _e56 = w;
    let _e59 = vec3<f32>((1f - (_e45 + _e46)), (_e49.y + _e51.z), (_e54.z - _e56.y));
    let _e60 = x;
    let _e62 = w;
    let _e66 = x;
    let _e68 = zz;
    let _e71 = yz;
    let _e72 = w;
    let _e75 = vec3<f32>((_e60.y - _e62.z), (1f - (_e66.x + _e68)), (_e71 + _e72.x));
    let _e76 = x;
    let _e78 = w;
    let _e81 = yz;
    let _e82 = w;
    let _e86 = x;
    let _e88 = yy;
    let _e91 = vec3<f32>((_e76.z + _e78.y), (_e81 - _e82.x), (1f - (_e86.x + _e88)));
    return mat3x3<f32>(vec3<f32>(_e59.x, _e59.y, _e59.z), vec3<f32>(_e75.x, _e75.y, _e75.z), vec3<f32>(_e91.x, _e91.y, _e91.z));
}

fn pelt_dquat_make(rotation: vec4<f32>, translation: vec3<f32>) -> pelt_dquat {
    var rotation_1: vec4<f32>;
    var translation_1: vec3<f32>;
    var dual: vec3<f32>;

    rotation_1 = rotation;
    translation_1 = translation;
    let _e12 = rotation_1;
    let _e14 = translation_1;
    let _e16 = translation_1;
    let _e17 = rotation_1;
    dual = ((_e12.w * _e14) + cross(_e16, _e17.xyz));
    let _e22 = rotation_1;
    let _e24 = dual;
    let _e25 = translation_1;
    let _e26 = rotation_1;
    return pelt_dquat(_e22, (0.5f * vec4<f32>(_e24.x, _e24.y, _e24.z, -(dot(_e25, _e26.xyz)))));
}

fn pelt_dquat_translation(d: pelt_dquat) -> vec3<f32> {
    var d_1: pelt_dquat;

    d_1 = d;
    let _e11 = d_1;
    let _e14 = d_1;
    let _e18 = d_1;
    let _e21 = d_1;
    let _e26 = d_1;
    let _e29 = d_1;
    return (2f * (((_e11.real.w * _e14.dual.xyz) - (_e18.dual.w * _e21.real.xyz)) + cross(_e26.real.xyz, _e29.dual.xyz)));
}

fn pelt_sign_of(q: vec4<f32>, strongest: vec4<f32>) -> f32 {
    var q_1: vec4<f32>;
    var strongest_1: vec4<f32>;
    var local: f32;

    q_1 = q;
    strongest_1 = strongest;
    let _e12 = strongest_1;
    let _e13 = q_1;
    if (dot(_e12, _e13) < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e21 = local;
    return _e21;
}

fn pelt_is_canceled(sum: vec4<f32>) -> bool {
    var sum_1: vec4<f32>;

    sum_1 = sum;
    let _e10 = sum_1;
    let _e11 = sum_1;
    return !((dot(_e10, _e11) > 0.000000000001f));
}

fn pelt_normalize(v: vec3<f32>) -> vec3<f32> {
    var v_1: vec3<f32>;
    var largest: f32;
    var local: vec3<f32>;

    v_1 = v;
    let _e10 = v_1;
    let _e13 = v_1;
    let _e16 = v_1;
    largest = max(abs(_e10.x), max(abs(_e13.y), abs(_e16.z)));
    let _e22 = largest;
    if (_e22 > 0f) {
        let _e25 = v_1;
        let _e26 = largest;
        local = normalize((_e25 / vec3(_e26)));
    } else {
        local = vec3(0f);
    }
    let _e33 = local;
    return _e33;
}

fn pelt_unit_or(moved: vec3<f32>, by_strongest: vec3<f32>, rest: vec3<f32>) -> vec3<f32> {
    var moved_1: vec3<f32>;
    var by_strongest_1: vec3<f32>;
    var rest_1: vec3<f32>;
    var local: vec3<f32>;

    moved_1 = moved;
    by_strongest_1 = by_strongest;
    rest_1 = rest;
    let _e14 = moved_1;
    if any((_e14 != vec3(0f))) {
        {
            let _e19 = moved_1;
            let _e20 = pelt_normalize(_e19);
            return _e20;
        }
    }
    let _e21 = by_strongest_1;
    if any((_e21 != vec3(0f))) {
        let _e26 = by_strongest_1;
        let _e27 = pelt_normalize(_e26);
        local = _e27;
    } else {
        let _e28 = rest_1;
        local = _e28;
    }
    let _e30 = local;
    return _e30;
}

fn pelt_side_of(linear: mat3x3<f32>) -> f32 {
    var linear_1: mat3x3<f32>;
    var local: f32;

    linear_1 = linear;
    let _e12 = linear_1[0];
    let _e15 = linear_1[1];
    let _e18 = linear_1[2];
    if (dot(_e12, cross(_e15, _e18)) < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e27 = local;
    return _e27;
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
    let _e18 = linear_1[1];
    let _e21 = linear_1[2];
    let _e22 = cross(_e18, _e21);
    let _e25 = linear_1[2];
    let _e28 = linear_1[0];
    let _e29 = cross(_e25, _e28);
    let _e32 = linear_1[0];
    let _e35 = linear_1[1];
    let _e36 = cross(_e32, _e35);
    cofactor = mat3x3<f32>(vec3<f32>(_e22.x, _e22.y, _e22.z), vec3<f32>(_e29.x, _e29.y, _e29.z), vec3<f32>(_e36.x, _e36.y, _e36.z));
    let _e51 = side_1;
    let _e52 = cofactor;
    let _e53 = n_1;
    let _e56 = strongest_1;
    let _e57 = n_1;
    let _e59 = n_1;
    let _e60 = pelt_unit_or((_e51 * (_e52 * _e53)), (_e56 * _e57), _e59);
    return _e60;
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
    let _e16 = linear_1;
    let _e17 = t_1;
    let _e20 = strongest_1;
    let _e21 = t_1;
    let _e24 = t_1;
    let _e26 = pelt_unit_or((_e16 * _e17.xyz), (_e20 * _e21.xyz), _e24.xyz);
    let _e27 = side_1;
    let _e28 = t_1;
    return vec4<f32>(_e26.x, _e26.y, _e26.z, (_e27 * _e28.w));
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
    let _e16 = motion_1;
    let _e18 = motion_1;
    let _e20 = side_1;
    let _e21 = strongest_1;
    let _e22 = rest_1;
    let _e24 = pelt_move_normal(_e18.linear, _e20, _e21, _e22.normal);
    let _e25 = motion_1;
    let _e27 = side_1;
    let _e28 = strongest_1;
    let _e29 = rest_1;
    let _e31 = pelt_move_tangent(_e25.linear, _e27, _e28, _e29.tangent);
    return pelt_vertex(_e16.position, _e24, _e31);
}

fn pelt_is_free(influences: pelt_influences) -> bool {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e13 = influences_1.weights[0];
    return (_e13 == 0f);
}

fn pelt_vertex_at_rest(rest: pelt_rest) -> pelt_vertex {
    var rest_1: pelt_rest;

    rest_1 = rest;
    let _e10 = rest_1;
    let _e12 = rest_1;
    let _e14 = rest_1;
    return pelt_vertex(_e10.position, _e12.normal, _e14.tangent);
}

fn pelt_palette_rotation(joint: u32) -> vec4<f32> {
    var joint_1: u32;

    joint_1 = joint;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e13 = joint_1;
            let _e15 = pelt_palette_texel(_e13, 0u);
            return _e15;
        }
    }
    let _e16 = joint_1;
    let _e18 = pelt_palette_texel(_e16, 3u);
    return _e18;
}

fn pelt_palette_motion(joint: u32) -> pelt_dquat {
    var joint_1: u32;
    var rotation: vec4<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    let _e11 = joint_1;
    let _e12 = pelt_palette_rotation(_e11);
    rotation = _e12;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e16 = rotation;
            let _e17 = joint_1;
            let _e19 = pelt_palette_texel(_e17, 1u);
            return pelt_dquat(_e16, _e19);
        }
    }
    if (PELT_LAYOUT == PELT_LAYOUT_MATRIX_MOTION) {
        {
            let _e23 = rotation;
            let _e24 = joint_1;
            let _e26 = pelt_palette_texel(_e24, 4u);
            return pelt_dquat(_e23, _e26);
        }
    }
    let _e28 = joint_1;
    let _e30 = pelt_palette_texel(_e28, 0u);
    let _e32 = joint_1;
    let _e34 = pelt_palette_texel(_e32, 1u);
    let _e36 = joint_1;
    let _e38 = pelt_palette_texel(_e36, 2u);
    translation = vec3<f32>(_e30.w, _e34.w, _e38.w);
    let _e42 = rotation;
    let _e43 = translation;
    let _e44 = pelt_dquat_make(_e42, _e43);
    return _e44;
}

fn pelt_palette_matrix(joint: u32) -> mat3x4<f32> {
    var joint_1: u32;
    var motion: pelt_dquat;
    var rows: mat3x3<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION) {
        {
            let _e13 = joint_1;
            let _e14 = pelt_palette_motion(_e13);
            motion = _e14;
            let _e16 = motion;
            let _e18 = pelt_mat3_from_quat(_e16.real);
            rows = transpose(_e18);
            let _e21 = motion;
            let _e22 = pelt_dquat_translation(_e21);
            translation = _e22;
            let _e26 = rows[0];
            let _e27 = translation;
            let _e32 = vec4<f32>(_e26.x, _e26.y, _e26.z, _e27.x);
            let _e35 = rows[1];
            let _e36 = translation;
            let _e41 = vec4<f32>(_e35.x, _e35.y, _e35.z, _e36.y);
            let _e44 = rows[2];
            let _e45 = translation;
            let _e50 = vec4<f32>(_e44.x, _e44.y, _e44.z, _e45.z);
            return mat3x4<f32>(vec4<f32>(_e32.x, _e32.y, _e32.z, _e32.w), vec4<f32>(_e41.x, _e41.y, _e41.z, _e41.w), vec4<f32>(_e50.x, _e50.y, _e50.z, _e50.w));
        }
    }
    let _e67 = joint_1;
    let _e69 = pelt_palette_texel(_e67, 0u);
    let _e70 = joint_1;
    let _e72 = pelt_palette_texel(_e70, 1u);
    let _e73 = joint_1;
    let _e75 = pelt_palette_texel(_e73, 2u);
    return mat3x4<f32>(vec4<f32>(_e69.x, _e69.y, _e69.z, _e69.w), vec4<f32>(_e72.x, _e72.y, _e72.z, _e72.w), vec4<f32>(_e75.x, _e75.y, _e75.z, _e75.w));
}

fn pelt_joint_stretch(joint: u32) -> mat3x3<f32> {
    var joint_1: u32;

    joint_1 = joint;
    if (PELT_SCALE == PELT_SCALE_NONE) {
        {
            return mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
        }
    }
    let _e19 = joint_1;
    let _e20 = pelt_palette_matrix(_e19);
    let _e30 = joint_1;
    let _e31 = pelt_palette_rotation(_e30);
    let _e32 = pelt_mat3_from_quat(_e31);
    return (mat3x3<f32>(_e20[0].xyz, _e20[1].xyz, _e20[2].xyz) * _e32);
}

fn pelt_joint_translation(joint: u32) -> vec3<f32> {
    var joint_1: u32;
    var matrix: mat3x4<f32>;

    joint_1 = joint;
    let _e11 = joint_1;
    let _e12 = pelt_palette_matrix(_e11);
    matrix = _e12;
    let _e16 = matrix[0];
    let _e20 = matrix[1];
    let _e24 = matrix[2];
    return vec3<f32>(_e16.w, _e20.w, _e24.w);
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
        let _e28 = i;
        if !((_e28 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e34 = sum;
            let _e35 = i;
            let _e38 = influences_1.weights[_e35];
            let _e39 = i;
            let _e42 = influences_1.joints[_e39];
            let _e43 = pelt_joint_stretch(_e42);
            sum = (_e34 + (_e38 * _e43));
        }
        continuing {
            let _e31 = i;
            i = (_e31 + 1i);
        }
    }
    let _e46 = sum;
    return _e46;
}

fn pelt_strongest_matrix(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e14 = influences_1.joints[0];
    let _e15 = pelt_palette_matrix(_e14);
    return transpose(mat3x3<f32>(_e15[0].xyz, _e15[1].xyz, _e15[2].xyz));
}

fn pelt_strongest_rotation(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e14 = influences_1.joints[0];
    let _e15 = pelt_palette_rotation(_e14);
    let _e16 = pelt_mat3_from_quat(_e15);
    return _e16;
}

fn pelt_strongest_side(influences: pelt_influences) -> f32 {
    var influences_1: pelt_influences;

    influences_1 = influences;
    if (PELT_SCALE == PELT_SCALE_NONE) {
        {
            return 1f;
        }
    }
    let _e17 = influences_1.joints[0];
    let _e18 = pelt_palette_matrix(_e17);
    let _e28 = pelt_side_of(mat3x3<f32>(_e18[0].xyz, _e18[1].xyz, _e18[2].xyz));
    return _e28;
}

fn pelt_skin_lbs(position: vec3<f32>, influences: pelt_influences) -> pelt_motion {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var sum: mat3x4<f32> = mat3x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var i: i32 = 0i;

    position_1 = position;
    influences_1 = influences;
    loop {
        let _e22 = i;
        if !((_e22 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e28 = sum;
            let _e29 = i;
            let _e32 = influences_1.weights[_e29];
            let _e33 = i;
            let _e36 = influences_1.joints[_e33];
            let _e37 = pelt_palette_matrix(_e36);
            sum = (_e28 + (_e32 * _e37));
        }
        continuing {
            let _e25 = i;
            i = (_e25 + 1i);
        }
    }
    let _e40 = sum;
    let _e51 = position_1;
    let _e57 = sum;
    return pelt_motion(transpose(mat3x3<f32>(_e40[0].xyz, _e40[1].xyz, _e40[2].xyz)), (vec4<f32>(_e51.x, _e51.y, _e51.z, 1f) * _e57));
}

fn pelt_deform_lbs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var strongest: mat3x3<f32>;

    rest_1 = rest;
    influences_1 = influences;
    let _e13 = influences_1;
    let _e14 = pelt_is_free(_e13);
    if _e14 {
        {
            let _e15 = rest_1;
            let _e16 = pelt_vertex_at_rest(_e15);
            return _e16;
        }
    }
    let _e17 = influences_1;
    let _e18 = pelt_strongest_matrix(_e17);
    strongest = _e18;
    let _e20 = rest_1;
    let _e21 = rest_1;
    let _e23 = influences_1;
    let _e24 = pelt_skin_lbs(_e21.position, _e23);
    let _e25 = strongest;
    let _e26 = pelt_side_of(_e25);
    let _e27 = strongest;
    let _e28 = pelt_move_vertex(_e20, _e24, _e26, _e27);
    return _e28;
}

fn pelt_motion_at(position: vec3<f32>, joint: u32) -> pelt_dquat {
    var position_1: vec3<f32>;
    var joint_1: u32;
    var moved: vec3<f32>;

    position_1 = position;
    joint_1 = joint;
    if (PELT_SCALE == PELT_SCALE_LOCAL) {
        {
            let _e15 = position_1;
            let _e21 = joint_1;
            let _e22 = pelt_palette_matrix(_e21);
            moved = (vec4<f32>(_e15.x, _e15.y, _e15.z, 1f) * _e22);
            let _e25 = joint_1;
            let _e26 = pelt_palette_rotation(_e25);
            let _e27 = moved;
            let _e28 = pelt_dquat_make(_e26, _e27);
            return _e28;
        }
    }
    let _e29 = joint_1;
    let _e30 = pelt_palette_motion(_e29);
    return _e30;
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
    let _e13 = position_1;
    let _e17 = influences_1.joints[0];
    let _e18 = pelt_motion_at(_e13, _e17);
    strongest = _e18;
    let _e23 = influences_1.weights[0];
    let _e24 = strongest;
    let _e30 = influences_1.weights[0];
    let _e31 = strongest;
    sum = pelt_dquat((_e23 * _e24.real), (_e30 * _e31.dual));
    loop {
        let _e38 = i;
        if !((_e38 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e44 = position_1;
            let _e45 = i;
            let _e48 = influences_1.joints[_e45];
            let _e49 = pelt_motion_at(_e44, _e48);
            motion = _e49;
            let _e51 = motion;
            let _e53 = strongest;
            let _e55 = pelt_sign_of(_e51.real, _e53.real);
            let _e56 = i;
            let _e59 = influences_1.weights[_e56];
            weight = (_e55 * _e59);
            let _e63 = sum;
            let _e65 = weight;
            let _e66 = motion;
            sum.real = (_e63.real + (_e65 * _e66.real));
            let _e71 = sum;
            let _e73 = weight;
            let _e74 = motion;
            sum.dual = (_e71.dual + (_e73 * _e74.dual));
        }
        continuing {
            let _e41 = i;
            i = (_e41 + 1i);
        }
    }
    let _e78 = sum;
    let _e80 = pelt_is_canceled(_e78.real);
    if _e80 {
        {
            let _e81 = strongest;
            return _e81;
        }
    }
    let _e83 = sum;
    scale = (1f / length(_e83.real));
    let _e88 = scale;
    let _e89 = sum;
    let _e92 = scale;
    let _e93 = sum;
    return pelt_dquat((_e88 * _e89.real), (_e92 * _e93.dual));
}

fn pelt_skin_dqs(position: vec3<f32>, influences: pelt_influences) -> pelt_motion {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var blend: pelt_dquat;
    var translation: vec3<f32>;
    var linear: mat3x3<f32>;

    position_1 = position;
    influences_1 = influences;
    let _e13 = position_1;
    let _e14 = influences_1;
    let _e15 = pelt_blend_motion(_e13, _e14);
    blend = _e15;
    let _e17 = blend;
    let _e18 = pelt_dquat_translation(_e17);
    translation = _e18;
    let _e20 = blend;
    let _e22 = pelt_mat3_from_quat(_e20.real);
    linear = _e22;
    if (PELT_SCALE != PELT_SCALE_NONE) {
        {
            let _e26 = linear;
            let _e27 = influences_1;
            let _e28 = pelt_blend_stretch(_e27);
            linear = (_e26 * _e28);
        }
    }
    if (PELT_SCALE == PELT_SCALE_LOCAL) {
        {
            let _e32 = linear;
            let _e33 = translation;
            return pelt_motion(_e32, _e33);
        }
    }
    let _e35 = linear;
    let _e36 = linear;
    let _e37 = position_1;
    let _e39 = translation;
    return pelt_motion(_e35, ((_e36 * _e37) + _e39));
}

fn pelt_deform_dqs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e13 = influences_1;
    let _e14 = pelt_is_free(_e13);
    if _e14 {
        {
            let _e15 = rest_1;
            let _e16 = pelt_vertex_at_rest(_e15);
            return _e16;
        }
    }
    let _e17 = rest_1;
    let _e18 = rest_1;
    let _e20 = influences_1;
    let _e21 = pelt_skin_dqs(_e18.position, _e20);
    let _e22 = influences_1;
    let _e23 = pelt_strongest_side(_e22);
    let _e24 = influences_1;
    let _e25 = pelt_strongest_rotation(_e24);
    let _e26 = pelt_move_vertex(_e17, _e21, _e23, _e25);
    return _e26;
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
    let _e15 = position_1;
    let _e16 = influences_1;
    let _e17 = pelt_skin_lbs(_e15, _e16);
    lbs = _e17;
    let _e19 = position_1;
    let _e20 = influences_1;
    let _e21 = pelt_skin_dqs(_e19, _e20);
    dqs = _e21;
    let _e24 = factor_1;
    let _e26 = lbs;
    let _e29 = factor_1;
    let _e30 = dqs;
    let _e35 = factor_1;
    let _e37 = lbs;
    let _e40 = factor_1;
    let _e41 = dqs;
    return pelt_motion((((1f - _e24) * _e26.linear) + (_e29 * _e30.linear)), (((1f - _e35) * _e37.position) + (_e40 * _e41.position)));
}

fn pelt_strongest_mix(influences: pelt_influences) -> mat3x3<f32> {
    var influences_1: pelt_influences;

    influences_1 = influences;
    if (PELT_SCALE == PELT_SCALE_NONE) {
        {
            let _e13 = influences_1;
            let _e14 = pelt_strongest_matrix(_e13);
            return _e14;
        }
    }
    let _e15 = influences_1;
    let _e16 = pelt_strongest_rotation(_e15);
    return _e16;
}

fn pelt_deform_mix(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e13 = influences_1;
    let _e14 = pelt_is_free(_e13);
    if _e14 {
        {
            let _e15 = rest_1;
            let _e16 = pelt_vertex_at_rest(_e15);
            return _e16;
        }
    }
    let _e17 = rest_1;
    let _e18 = rest_1;
    let _e20 = influences_1;
    let _e21 = rest_1;
    let _e23 = pelt_skin_mix(_e18.position, _e20, _e21.mix_factor);
    let _e24 = influences_1;
    let _e25 = pelt_strongest_side(_e24);
    let _e26 = influences_1;
    let _e27 = pelt_strongest_mix(_e26);
    let _e28 = pelt_move_vertex(_e17, _e23, _e25, _e27);
    return _e28;
}

fn pelt_blend_rotation(influences: pelt_influences) -> vec4<f32> {
    var influences_1: pelt_influences;
    var strongest: vec4<f32>;
    var sum: vec4<f32>;
    var i: i32 = 1i;
    var q: vec4<f32>;
    var local: vec4<f32>;

    influences_1 = influences;
    let _e14 = influences_1.joints[0];
    let _e15 = pelt_palette_rotation(_e14);
    strongest = _e15;
    let _e20 = influences_1.weights[0];
    let _e21 = strongest;
    sum = (_e20 * _e21);
    loop {
        let _e26 = i;
        if !((_e26 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e32 = i;
            let _e35 = influences_1.joints[_e32];
            let _e36 = pelt_palette_rotation(_e35);
            q = _e36;
            let _e38 = sum;
            let _e39 = q;
            let _e40 = strongest;
            let _e41 = pelt_sign_of(_e39, _e40);
            let _e42 = i;
            let _e45 = influences_1.weights[_e42];
            let _e47 = q;
            sum = (_e38 + ((_e41 * _e45) * _e47));
        }
        continuing {
            let _e29 = i;
            i = (_e29 + 1i);
        }
    }
    let _e50 = sum;
    let _e51 = pelt_is_canceled(_e50);
    if _e51 {
        let _e52 = strongest;
        local = _e52;
    } else {
        let _e53 = sum;
        local = normalize(_e53);
    }
    let _e56 = local;
    return _e56;
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
        let _e18 = i;
        if !((_e18 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e24 = point_1;
            let _e30 = i;
            let _e33 = influences_1.joints[_e30];
            let _e34 = pelt_palette_matrix(_e33);
            moved = (vec4<f32>(_e24.x, _e24.y, _e24.z, 1f) * _e34);
            let _e37 = sum;
            let _e38 = i;
            let _e41 = influences_1.weights[_e38];
            let _e42 = moved;
            sum = (_e37 + (_e41 * _e42));
        }
        continuing {
            let _e21 = i;
            i = (_e21 + 1i);
        }
    }
    let _e45 = sum;
    return _e45;
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
        let _e18 = i;
        if !((_e18 < PELT_INFLUENCES)) {
            break;
        }
        {
            let _e24 = i;
            let _e27 = influences_1.joints[_e24];
            joint = _e27;
            let _e29 = joint;
            let _e30 = pelt_palette_rotation(_e29);
            let _e31 = pelt_mat3_from_quat(_e30);
            rotation = _e31;
            let _e33 = sum;
            let _e34 = i;
            let _e37 = influences_1.weights[_e34];
            let _e38 = rotation;
            let _e39 = point_1;
            let _e41 = joint;
            let _e42 = pelt_joint_translation(_e41);
            sum = (_e33 + (_e37 * ((_e38 * _e39) + _e42)));
        }
        continuing {
            let _e21 = i;
            i = (_e21 + 1i);
        }
    }
    let _e46 = sum;
    return _e46;
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
    let _e15 = influences_1;
    let _e16 = pelt_blend_rotation(_e15);
    let _e17 = pelt_mat3_from_quat(_e16);
    linear = _e17;
    let _e19 = influences_1;
    let _e20 = pelt_blend_stretch(_e19);
    stretch = _e20;
    if (PELT_SCALE != PELT_SCALE_NONE) {
        {
            let _e24 = linear;
            let _e25 = stretch;
            linear = (_e24 * _e25);
        }
    }
    let _e27 = linear;
    let _e28 = position_1;
    let _e29 = center_1;
    arm = (_e27 * (_e28 - _e29));
    if (PELT_SCALE == PELT_SCALE_ORIGIN) {
        {
            let _e35 = linear;
            let _e36 = stretch;
            let _e37 = center_1;
            let _e39 = influences_1;
            let _e40 = pelt_blend_rigid((_e36 * _e37), _e39);
            let _e41 = arm;
            return pelt_motion(_e35, (_e40 + _e41));
        }
    }
    let _e44 = linear;
    let _e45 = center_1;
    let _e46 = influences_1;
    let _e47 = pelt_blend_point(_e45, _e46);
    let _e48 = arm;
    return pelt_motion(_e44, (_e47 + _e48));
}

fn pelt_deform_crs(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;

    rest_1 = rest;
    influences_1 = influences;
    let _e13 = influences_1;
    let _e14 = pelt_is_free(_e13);
    if _e14 {
        {
            let _e15 = rest_1;
            let _e16 = pelt_vertex_at_rest(_e15);
            return _e16;
        }
    }
    let _e17 = rest_1;
    let _e18 = rest_1;
    let _e20 = rest_1;
    let _e22 = influences_1;
    let _e23 = pelt_skin_crs(_e18.position, _e20.center, _e22);
    let _e24 = influences_1;
    let _e25 = pelt_strongest_side(_e24);
    let _e26 = influences_1;
    let _e27 = pelt_strongest_rotation(_e26);
    let _e28 = pelt_move_vertex(_e17, _e23, _e25, _e27);
    return _e28;
}

fn pelt_quat_from_mat3_(columns: mat3x3<f32>) -> vec4<f32> {
    var columns_1: mat3x3<f32>;
    var x: vec3<f32>;
    var y: vec3<f32>;
    var z: vec3<f32>;
    var trace: f32;
    var q: vec4<f32>;

    columns_1 = columns;
    let _e15 = columns_1[0];
    x = _e15;
    let _e19 = columns_1[1];
    y = _e19;
    let _e23 = columns_1[2];
    z = _e23;
    let _e25 = x;
    let _e27 = y;
    let _e30 = z;
    trace = ((_e25.x + _e27.y) + _e30.z);
    let _e35 = trace;
    let _e36 = x;
    let _e39 = trace;
    let _e40 = y;
    let _e44 = trace;
    let _e45 = z;
    if (((_e35 > _e36.x) && (_e39 > _e40.y)) && (_e44 > _e45.z)) {
        {
            let _e49 = y;
            let _e51 = z;
            let _e54 = z;
            let _e56 = x;
            let _e59 = x;
            let _e61 = y;
            let _e65 = trace;
            q = vec4<f32>((_e49.z - _e51.y), (_e54.x - _e56.z), (_e59.y - _e61.x), (1f + _e65));
        }
    } else {
        let _e68 = x;
        let _e70 = y;
        let _e73 = x;
        let _e75 = z;
        if ((_e68.x >= _e70.y) && (_e73.x >= _e75.z)) {
            {
                let _e80 = x;
                let _e83 = y;
                let _e86 = z;
                let _e89 = y;
                let _e91 = x;
                let _e94 = z;
                let _e96 = x;
                let _e99 = y;
                let _e101 = z;
                q = vec4<f32>((((1f + _e80.x) - _e83.y) - _e86.z), (_e89.x + _e91.y), (_e94.x + _e96.z), (_e99.z - _e101.y));
            }
        } else {
            let _e105 = y;
            let _e107 = z;
            if (_e105.y >= _e107.z) {
                {
                    let _e110 = y;
                    let _e112 = x;
                    let _e116 = x;
                    let _e119 = y;
                    let _e122 = z;
                    let _e125 = z;
                    let _e127 = y;
                    let _e130 = z;
                    let _e132 = x;
                    q = vec4<f32>((_e110.x + _e112.y), (((1f - _e116.x) + _e119.y) - _e122.z), (_e125.y + _e127.z), (_e130.x - _e132.z));
                }
            } else {
                {
                    let _e136 = z;
                    let _e138 = x;
                    let _e141 = z;
                    let _e143 = y;
                    let _e147 = x;
                    let _e150 = y;
                    let _e153 = z;
                    let _e156 = x;
                    let _e158 = y;
                    q = vec4<f32>((_e136.x + _e138.z), (_e141.y + _e143.z), (((1f - _e147.x) - _e150.y) + _e153.z), (_e156.y - _e158.x));
                }
            }
        }
    }
    let _e162 = q;
    return normalize(_e162);
}
