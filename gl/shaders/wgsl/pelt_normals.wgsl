// SPDX-License-Identifier: MIT
// Accurate normals of pelt, translated from its GLSL by tools/shaders.
// Goes after pelt_skin, and wants pelt_normal_texel() as well.

// Accurate normals: factors that a vertex has room for, and whether its center of rotation is among
// them (0 or 1).
override PELT_NORMAL_SLOTS: i32 = 4;
override PELT_NORMAL_CENTERS: i32 = 0;

struct pelt_gradients {
    axes: mat2x3<f32>,
    normal: vec3<f32>,
    center: vec3<f32>,
    center_derivatives: mat2x3<f32>,
    first: i32,
    count: i32,
}

struct pelt_factor {
    joint: u32,
    weight: f32,
    gradient: vec2<f32>,
    moments: vec4<f32>,
}

struct pelt_mean {
    sum: vec4<f32>,
    rotation: mat3x3<f32>,
    is_canceled: bool,
    stretch: mat3x3<f32>,
}

fn pelt_outer(a: vec3<f32>, b: vec2<f32>) -> mat2x3<f32> {
    var a_1: vec3<f32>;
    var b_1: vec2<f32>;

    a_1 = a;
    b_1 = b;
    let _e14 = b_1;
    let _e16 = a_1;
    let _e17 = (_e14.x * _e16);
    let _e18 = b_1;
    let _e20 = a_1;
    let _e21 = (_e18.y * _e20);
    return mat2x3<f32>(vec3<f32>(_e17.x, _e17.y, _e17.z), vec3<f32>(_e21.x, _e21.y, _e21.z));
}

fn pelt_outer_quat(a: vec4<f32>, b: vec2<f32>) -> mat2x4<f32> {
    var a_1: vec4<f32>;
    var b_1: vec2<f32>;

    a_1 = a;
    b_1 = b;
    let _e14 = b_1;
    let _e16 = a_1;
    let _e17 = (_e14.x * _e16);
    let _e18 = b_1;
    let _e20 = a_1;
    let _e21 = (_e18.y * _e20);
    return mat2x4<f32>(vec4<f32>(_e17.x, _e17.y, _e17.z, _e17.w), vec4<f32>(_e21.x, _e21.y, _e21.z, _e21.w));
}

fn pelt_tilt_axes(gradients: ptr<function, pelt_gradients>, tangent: vec3<f32>, normal: vec3<f32>, tilt: vec2<f32>) {
    var tangent_1: vec3<f32>;
    var normal_1: vec3<f32>;
    var tilt_1: vec2<f32>;
    var bitangent: vec3<f32>;
    var k: f32;
    var lean: vec3<f32>;
    var back: vec3<f32>;

    tangent_1 = tangent;
    normal_1 = normal;
    tilt_1 = tilt;
    let _e17 = normal_1;
    let _e18 = tangent_1;
    bitangent = cross(_e17, _e18);
    let _e23 = tilt_1;
    let _e24 = tilt_1;
    k = (2f / (1f + dot(_e23, _e24)));
    let _e29 = tilt_1;
    let _e31 = tangent_1;
    let _e33 = tilt_1;
    let _e35 = bitangent;
    lean = ((_e29.x * _e31) + (_e33.y * _e35));
    let _e39 = k;
    let _e41 = lean;
    let _e42 = normal_1;
    back = (-(_e39) * (_e41 + _e42));
    let _e47 = tangent_1;
    let _e48 = tilt_1;
    let _e50 = back;
    let _e52 = (_e47 + (_e48.x * _e50));
    let _e53 = bitangent;
    let _e54 = tilt_1;
    let _e56 = back;
    let _e58 = (_e53 + (_e54.y * _e56));
    (*gradients).axes = mat2x3<f32>(vec3<f32>(_e52.x, _e52.y, _e52.z), vec3<f32>(_e58.x, _e58.y, _e58.z));
    let _e69 = k;
    let _e70 = lean;
    let _e71 = normal_1;
    let _e74 = normal_1;
    (*gradients).normal = ((_e69 * (_e70 + _e71)) - _e74);
    return;
}

fn pelt_gradients_at(rest: pelt_rest, is_bent: bool) -> pelt_gradients {
    var rest_1: pelt_rest;
    var is_bent_1: bool;
    var local: i32;
    var header: i32;
    var at: i32;
    var tangent_count: vec4<f32>;
    var tilt: vec4<f32>;
    var gradients: pelt_gradients;
    var local_1: i32;
    var n: vec3<f32>;
    var t: vec3<f32>;
    var more: vec4<f32>;

    rest_1 = rest;
    is_bent_1 = is_bent;
    if (PELT_NORMAL_CENTERS != 0i) {
        local = 4i;
    } else {
        local = 2i;
    }
    let _e19 = local;
    header = _e19;
    let _e21 = rest_1;
    let _e23 = header;
    at = (_e21.index * (_e23 + (2i * PELT_NORMAL_SLOTS)));
    let _e29 = at;
    let _e30 = pelt_normal_texel(_e29);
    tangent_count = _e30;
    let _e32 = at;
    let _e35 = pelt_normal_texel((_e32 + 1i));
    tilt = _e35;
    let _e39 = tangent_count;
    gradients.count = i32(_e39.w);
    let _e43 = gradients;
    if (_e43.count > 0i) {
        let _e47 = at;
        let _e48 = header;
        local_1 = (_e47 + _e48);
    } else {
        local_1 = -1i;
    }
    let _e53 = local_1;
    gradients.first = _e53;
    let _e54 = is_bent_1;
    let _e55 = gradients;
    if (_e54 && (_e55.count == 0i)) {
        {
            gradients.count = PELT_INFLUENCES;
        }
    }
    let _e61 = rest_1;
    let _e63 = pelt_normalize(_e61.normal);
    n = _e63;
    let _e65 = tangent_count;
    t = _e65.xyz;
    let _e69 = t;
    let _e70 = t;
    let _e71 = n;
    let _e73 = n;
    let _e76 = pelt_normalize((_e69 - (dot(_e70, _e71) * _e73)));
    let _e77 = n;
    let _e78 = tilt;
    pelt_tilt_axes((&gradients), _e76, _e77, _e78.xy);
    let _e82 = rest_1;
    gradients.center = _e82.center;
    gradients.center_derivatives = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    if (PELT_NORMAL_CENTERS != 0i) {
        {
            let _e92 = at;
            let _e95 = pelt_normal_texel((_e92 + 2i));
            more = _e95;
            let _e98 = tilt;
            let _e99 = _e98.zw;
            let _e100 = more;
            gradients.center = vec3<f32>(_e99.x, _e99.y, _e100.x);
            let _e106 = more;
            let _e107 = _e106.yzw;
            let _e108 = at;
            let _e111 = pelt_normal_texel((_e108 + 3i));
            let _e112 = _e111.xyz;
            gradients.center_derivatives = mat2x3<f32>(vec3<f32>(_e107.x, _e107.y, _e107.z), vec3<f32>(_e112.x, _e112.y, _e112.z));
        }
    }
    let _e122 = gradients;
    return _e122;
}

fn pelt_factor_at(gradients: pelt_gradients, influences: pelt_influences, i: i32) -> pelt_factor {
    var gradients_1: pelt_gradients;
    var influences_1: pelt_influences;
    var i_1: i32;
    var weight: f32;
    var head: vec4<f32>;
    var moments: vec4<f32>;

    gradients_1 = gradients;
    influences_1 = influences;
    i_1 = i;
    let _e18 = gradients_1;
    if ((PELT_SCALE == PELT_SCALE_LOCAL) && (_e18.first < 0i)) {
        {
            let _e23 = i_1;
            let _e26 = influences_1.weights[_e23];
            weight = _e26;
            let _e28 = i_1;
            let _e31 = influences_1.joints[_e28];
            let _e32 = weight;
            let _e35 = weight;
            let _e38 = weight;
            return pelt_factor(_e31, _e32, vec2(0f), vec4<f32>(_e35, 0f, 0f, _e38));
        }
    }
    let _e41 = gradients_1;
    let _e44 = i_1;
    let _e47 = pelt_normal_texel((_e41.first + (2i * _e44)));
    head = _e47;
    let _e49 = gradients_1;
    let _e52 = i_1;
    let _e57 = pelt_normal_texel(((_e49.first + (2i * _e52)) + 1i));
    moments = _e57;
    let _e59 = head;
    let _e62 = head;
    let _e64 = head;
    let _e66 = moments;
    return pelt_factor(u32(_e59.x), _e62.y, _e64.zw, _e66);
}

fn pelt_moments_of(gradients: pelt_gradients, factor: pelt_factor) -> mat2x3<f32> {
    var gradients_1: pelt_gradients;
    var factor_1: pelt_factor;

    gradients_1 = gradients;
    factor_1 = factor;
    let _e14 = gradients_1;
    let _e16 = factor_1;
    let _e18 = _e16.moments.xy;
    let _e19 = factor_1;
    let _e21 = _e19.moments.zw;
    return (_e14.axes * mat2x2<f32>(vec2<f32>(_e18.x, _e18.y), vec2<f32>(_e21.x, _e21.y)));
}

fn pelt_map_of(gradients: pelt_gradients, images: mat2x3<f32>, side: f32) -> mat3x3<f32> {
    var gradients_1: pelt_gradients;
    var images_1: mat2x3<f32>;
    var side_1: f32;
    var across: vec3<f32>;
    var size: f32;
    var local: vec3<f32>;
    var image: vec3<f32>;

    gradients_1 = gradients;
    images_1 = images;
    side_1 = side;
    let _e18 = images_1[0];
    let _e21 = images_1[1];
    across = cross(_e18, _e21);
    let _e24 = across;
    size = length(_e24);
    let _e27 = size;
    if (_e27 > 0f) {
        let _e30 = across;
        let _e31 = side_1;
        let _e32 = size;
        local = (_e30 * (_e31 / sqrt(_e32)));
    } else {
        local = vec3(0f);
    }
    let _e39 = local;
    image = _e39;
    let _e41 = images_1;
    let _e42 = gradients_1;
    let _e46 = gradients_1;
    let _e49 = image;
    let _e50 = (_e46.normal.x * _e49);
    let _e51 = gradients_1;
    let _e54 = image;
    let _e55 = (_e51.normal.y * _e54);
    let _e56 = gradients_1;
    let _e59 = image;
    let _e60 = (_e56.normal.z * _e59);
    return ((_e41 * transpose(_e42.axes)) + mat3x3<f32>(vec3<f32>(_e50.x, _e50.y, _e50.z), vec3<f32>(_e55.x, _e55.y, _e55.z), vec3<f32>(_e60.x, _e60.y, _e60.z)));
}

fn pelt_signed_rotation(influences: pelt_influences, joint: u32) -> vec4<f32> {
    var influences_1: pelt_influences;
    var joint_1: u32;
    var q: vec4<f32>;

    influences_1 = influences;
    joint_1 = joint;
    let _e14 = joint_1;
    let _e15 = pelt_palette_rotation(_e14);
    q = _e15;
    let _e17 = q;
    let _e21 = influences_1.joints[0];
    let _e22 = pelt_palette_rotation(_e21);
    let _e23 = pelt_sign_of(_e17, _e22);
    let _e24 = q;
    return (_e23 * _e24);
}

fn pelt_mean_at(influences: pelt_influences, gradients: pelt_gradients) -> pelt_mean {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean: pelt_mean;
    var i: i32 = 0i;
    var factor: pelt_factor;
    var strongest: vec4<f32>;
    var local: vec4<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
    mean.sum = vec4(0f);
    mean.stretch = mat3x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    loop {
        let _e27 = i;
        let _e28 = gradients_1;
        if !((_e27 < _e28.count)) {
            break;
        }
        {
            let _e35 = gradients_1;
            let _e36 = influences_1;
            let _e37 = i;
            let _e38 = pelt_factor_at(_e35, _e36, _e37);
            factor = _e38;
            let _e41 = mean;
            let _e43 = factor;
            let _e45 = influences_1;
            let _e46 = factor;
            let _e48 = pelt_signed_rotation(_e45, _e46.joint);
            mean.sum = (_e41.sum + (_e43.weight * _e48));
            let _e52 = mean;
            let _e54 = factor;
            let _e56 = factor;
            let _e58 = pelt_joint_stretch(_e56.joint);
            mean.stretch = (_e52.stretch + (_e54.weight * _e58));
        }
        continuing {
            let _e32 = i;
            i = (_e32 + 1i);
        }
    }
    if (PELT_SCALE == PELT_SCALE_NONE) {
        {
            mean.stretch = mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
        }
    }
    let _e71 = mean;
    let _e73 = pelt_is_canceled(_e71.sum);
    mean.is_canceled = _e73;
    let _e77 = influences_1.joints[0];
    let _e78 = pelt_palette_rotation(_e77);
    strongest = _e78;
    let _e81 = mean;
    if _e81.is_canceled {
        let _e83 = strongest;
        local = _e83;
    } else {
        let _e84 = mean;
        local = normalize(_e84.sum);
    }
    let _e88 = local;
    let _e89 = pelt_mat3_from_quat(_e88);
    mean.rotation = _e89;
    let _e90 = mean;
    return _e90;
}

fn pelt_turn_of(mean: pelt_mean, change: vec4<f32>) -> vec3<f32> {
    var mean_1: pelt_mean;
    var change_1: vec4<f32>;
    var product: vec3<f32>;
    var local: vec3<f32>;

    mean_1 = mean;
    change_1 = change;
    let _e14 = change_1;
    let _e15 = mean_1;
    let _e17 = pelt_quat_conjugate(_e15.sum);
    let _e18 = pelt_quat_mul(_e14, _e17);
    product = _e18.xyz;
    let _e21 = mean_1;
    if _e21.is_canceled {
        local = vec3(0f);
    } else {
        let _e25 = product;
        let _e27 = mean_1;
        let _e29 = mean_1;
        local = (_e25 * (2f / dot(_e27.sum, _e29.sum)));
    }
    let _e35 = local;
    return _e35;
}

fn pelt_derive_map(influences: pelt_influences, gradients: pelt_gradients, mean: pelt_mean) -> mat2x3<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean_1: pelt_mean;
    var stretched: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var turned: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var moments: mat2x3<f32>;
    var arms: mat2x3<f32>;
    var turn: vec3<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    loop {
        let _e30 = i;
        let _e31 = gradients_1;
        if !((_e30 < _e31.count)) {
            break;
        }
        {
            let _e38 = gradients_1;
            let _e39 = influences_1;
            let _e40 = i;
            let _e41 = pelt_factor_at(_e38, _e39, _e40);
            factor = _e41;
            let _e43 = gradients_1;
            let _e44 = factor;
            let _e45 = pelt_moments_of(_e43, _e44);
            moments = _e45;
            let _e47 = mean_1;
            let _e49 = mean_1;
            let _e51 = moments;
            arms = (_e47.rotation * (_e49.stretch * _e51));
            let _e55 = mean_1;
            let _e56 = influences_1;
            let _e57 = factor;
            let _e59 = pelt_signed_rotation(_e56, _e57.joint);
            let _e60 = pelt_turn_of(_e55, _e59);
            turn = _e60;
            let _e62 = stretched;
            let _e63 = factor;
            let _e65 = pelt_joint_stretch(_e63.joint);
            let _e66 = moments;
            stretched = (_e62 + (_e65 * _e66));
            let _e69 = turned;
            let _e70 = turn;
            let _e73 = arms[0];
            let _e74 = cross(_e70, _e73);
            let _e75 = turn;
            let _e78 = arms[1];
            let _e79 = cross(_e75, _e78);
            turned = (_e69 + mat2x3<f32>(vec3<f32>(_e74.x, _e74.y, _e74.z), vec3<f32>(_e79.x, _e79.y, _e79.z)));
        }
        continuing {
            let _e35 = i;
            i = (_e35 + 1i);
        }
    }
    let _e90 = mean_1;
    let _e92 = stretched;
    let _e94 = turned;
    return ((_e90.rotation * _e92) + _e94);
}

fn pelt_derive_stretch(influences: pelt_influences, gradients: pelt_gradients, arm: vec3<f32>) -> mat2x3<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var arm_1: vec3<f32>;
    var sum: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;

    influences_1 = influences;
    gradients_1 = gradients;
    arm_1 = arm;
    if (PELT_SCALE == PELT_SCALE_NONE) {
        {
            let _e24 = sum;
            return _e24;
        }
    }
    loop {
        let _e27 = i;
        let _e28 = gradients_1;
        if !((_e27 < _e28.count)) {
            break;
        }
        {
            let _e35 = gradients_1;
            let _e36 = influences_1;
            let _e37 = i;
            let _e38 = pelt_factor_at(_e35, _e36, _e37);
            factor = _e38;
            let _e40 = sum;
            let _e41 = factor;
            let _e43 = pelt_joint_stretch(_e41.joint);
            let _e44 = arm_1;
            let _e46 = factor;
            let _e48 = pelt_outer((_e43 * _e44), _e46.gradient);
            sum = (_e40 + _e48);
        }
        continuing {
            let _e32 = i;
            i = (_e32 + 1i);
        }
    }
    let _e50 = sum;
    return _e50;
}

fn pelt_jacobian_lbs(position: vec3<f32>, influences: pelt_influences, gradients: pelt_gradients) -> mat2x3<f32> {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var origin: vec3<f32>;
    var images: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var matrix: mat3x4<f32>;
    var away: vec3<f32>;

    position_1 = position;
    influences_1 = influences;
    gradients_1 = gradients;
    let _e16 = position_1;
    let _e25 = influences_1.joints[0];
    let _e26 = pelt_palette_matrix(_e25);
    origin = (vec4<f32>(_e16.x, _e16.y, _e16.z, 1f) * _e26);
    loop {
        let _e37 = i;
        let _e38 = gradients_1;
        if !((_e37 < _e38.count)) {
            break;
        }
        {
            let _e45 = gradients_1;
            let _e46 = influences_1;
            let _e47 = i;
            let _e48 = pelt_factor_at(_e45, _e46, _e47);
            factor = _e48;
            let _e50 = factor;
            let _e52 = pelt_palette_matrix(_e50.joint);
            matrix = _e52;
            let _e54 = position_1;
            let _e60 = matrix;
            let _e62 = origin;
            away = ((vec4<f32>(_e54.x, _e54.y, _e54.z, 1f) * _e60) - _e62);
            let _e65 = images;
            let _e66 = matrix;
            let _e77 = gradients_1;
            let _e78 = factor;
            let _e79 = pelt_moments_of(_e77, _e78);
            let _e81 = away;
            let _e82 = factor;
            let _e84 = pelt_outer(_e81, _e82.gradient);
            images = (_e65 + ((transpose(mat3x3<f32>(_e66[0].xyz, _e66[1].xyz, _e66[2].xyz)) * _e79) + _e84));
        }
        continuing {
            let _e42 = i;
            i = (_e42 + 1i);
        }
    }
    let _e87 = images;
    return _e87;
}

fn pelt_deform_lbs_accurate(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var motion: pelt_motion;
    var strongest: mat3x3<f32>;
    var side: f32;
    var gradients: pelt_gradients;
    var images: mat2x3<f32>;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = influences_1;
    let _e15 = pelt_is_free(_e14);
    if _e15 {
        {
            let _e16 = rest_1;
            let _e17 = pelt_vertex_at_rest(_e16);
            return _e17;
        }
    }
    let _e18 = rest_1;
    let _e20 = influences_1;
    let _e21 = pelt_skin_lbs(_e18.position, _e20);
    motion = _e21;
    let _e23 = influences_1;
    let _e24 = pelt_strongest_matrix(_e23);
    strongest = _e24;
    let _e26 = strongest;
    let _e27 = pelt_side_of(_e26);
    side = _e27;
    let _e29 = rest_1;
    let _e31 = pelt_gradients_at(_e29, false);
    gradients = _e31;
    let _e33 = gradients;
    if (_e33.count > 0i) {
        {
            let _e37 = rest_1;
            let _e39 = influences_1;
            let _e40 = gradients;
            let _e41 = pelt_jacobian_lbs(_e37.position, _e39, _e40);
            images = _e41;
            let _e44 = gradients;
            let _e45 = images;
            let _e46 = side;
            let _e47 = pelt_map_of(_e44, _e45, _e46);
            motion.linear = _e47;
        }
    }
    let _e48 = rest_1;
    let _e49 = motion;
    let _e50 = side;
    let _e51 = strongest;
    let _e52 = pelt_move_vertex(_e48, _e49, _e50, _e51);
    return _e52;
}

fn pelt_joint_target(joint: u32, position: vec3<f32>, stretch: mat3x3<f32>) -> vec3<f32> {
    var joint_1: u32;
    var position_1: vec3<f32>;
    var stretch_1: mat3x3<f32>;
    var motion: pelt_dquat;

    joint_1 = joint;
    position_1 = position;
    stretch_1 = stretch;
    if (PELT_SCALE == PELT_SCALE_LOCAL) {
        {
            let _e18 = position_1;
            let _e24 = joint_1;
            let _e25 = pelt_palette_matrix(_e24);
            return (vec4<f32>(_e18.x, _e18.y, _e18.z, 1f) * _e25);
        }
    }
    if (PELT_SCALE == PELT_SCALE_ORIGIN) {
        {
            let _e29 = joint_1;
            let _e30 = pelt_palette_rotation(_e29);
            let _e31 = pelt_mat3_from_quat(_e30);
            let _e32 = stretch_1;
            let _e33 = position_1;
            let _e36 = joint_1;
            let _e37 = pelt_joint_translation(_e36);
            return ((_e31 * (_e32 * _e33)) + _e37);
        }
    }
    let _e39 = joint_1;
    let _e40 = pelt_palette_motion(_e39);
    motion = _e40;
    let _e42 = motion;
    let _e44 = pelt_mat3_from_quat(_e42.real);
    let _e45 = position_1;
    let _e47 = motion;
    let _e48 = pelt_dquat_translation(_e47);
    return ((_e44 * _e45) + _e48);
}

fn pelt_times_vector(v: vec3<f32>, q: vec4<f32>) -> vec4<f32> {
    var v_1: vec3<f32>;
    var q_1: vec4<f32>;

    v_1 = v;
    q_1 = q;
    let _e14 = v_1;
    let _e20 = q_1;
    let _e21 = pelt_quat_mul(vec4<f32>(_e14.x, _e14.y, _e14.z, 0f), _e20);
    return _e21;
}

fn pelt_derive_weights(position: vec3<f32>, influences: pelt_influences, gradients: pelt_gradients, mean: pelt_mean) -> mat2x3<f32> {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean_1: pelt_mean;
    var origin: vec3<f32>;
    var mean_moment: vec4<f32> = vec4(0f);
    var sums: mat2x4<f32> = mat2x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var moments: mat2x4<f32> = mat2x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var q: vec4<f32>;
    var away: vec3<f32>;
    var moment: vec4<f32>;
    var scale: f32;
    var back: vec4<f32>;
    var image: vec3<f32>;
    var changes: mat2x3<f32>;
    var axis: i32 = 0i;
    var moment_1: vec4<f32>;
    var change: vec4<f32>;

    position_1 = position;
    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    let _e21 = influences_1.joints[0];
    let _e22 = position_1;
    let _e23 = mean_1;
    let _e25 = pelt_joint_target(_e21, _e22, _e23.stretch);
    origin = _e25;
    loop {
        let _e44 = i;
        let _e45 = gradients_1;
        if !((_e44 < _e45.count)) {
            break;
        }
        {
            let _e52 = gradients_1;
            let _e53 = influences_1;
            let _e54 = i;
            let _e55 = pelt_factor_at(_e52, _e53, _e54);
            factor = _e55;
            let _e57 = influences_1;
            let _e58 = factor;
            let _e60 = pelt_signed_rotation(_e57, _e58.joint);
            q = _e60;
            let _e62 = factor;
            let _e64 = position_1;
            let _e65 = mean_1;
            let _e67 = pelt_joint_target(_e62.joint, _e64, _e65.stretch);
            let _e68 = origin;
            away = (_e67 - _e68);
            let _e71 = away;
            let _e72 = q;
            let _e73 = pelt_times_vector(_e71, _e72);
            moment = _e73;
            let _e75 = mean_moment;
            let _e76 = factor;
            let _e78 = moment;
            mean_moment = (_e75 + (_e76.weight * _e78));
            let _e81 = sums;
            let _e82 = q;
            let _e83 = factor;
            let _e85 = pelt_outer_quat(_e82, _e83.gradient);
            sums = (_e81 + _e85);
            let _e87 = moments;
            let _e88 = moment;
            let _e89 = factor;
            let _e91 = pelt_outer_quat(_e88, _e89.gradient);
            moments = (_e87 + _e91);
        }
        continuing {
            let _e49 = i;
            i = (_e49 + 1i);
        }
    }
    let _e94 = mean_1;
    let _e96 = mean_1;
    scale = (1f / dot(_e94.sum, _e96.sum));
    let _e101 = mean_1;
    let _e103 = pelt_quat_conjugate(_e101.sum);
    back = _e103;
    let _e105 = scale;
    let _e106 = mean_moment;
    let _e107 = back;
    let _e108 = pelt_quat_mul(_e106, _e107);
    image = (_e105 * _e108.xyz);
    let _e112 = mean_moment;
    let _e113 = image;
    let _e114 = mean_1;
    let _e116 = pelt_times_vector(_e113, _e114.sum);
    mean_moment = (_e112 - _e116);
    loop {
        let _e121 = axis;
        if !((_e121 < 2i)) {
            break;
        }
        {
            let _e128 = axis;
            let _e130 = moments[_e128];
            let _e131 = image;
            let _e132 = axis;
            let _e134 = sums[_e132];
            let _e135 = pelt_times_vector(_e131, _e134);
            moment_1 = (_e130 - _e135);
            let _e138 = moment_1;
            let _e139 = back;
            let _e140 = pelt_quat_mul(_e138, _e139);
            let _e141 = mean_moment;
            let _e142 = axis;
            let _e144 = sums[_e142];
            let _e145 = pelt_quat_conjugate(_e144);
            let _e146 = pelt_quat_mul(_e141, _e145);
            change = (_e140 + _e146);
            let _e149 = axis;
            let _e151 = scale;
            let _e152 = change;
            changes[_e149] = (_e151 * _e152.xyz);
        }
        continuing {
            let _e125 = axis;
            axis = (_e125 + 1i);
        }
    }
    let _e155 = changes;
    return _e155;
}

fn pelt_blend_images(influences: pelt_influences, gradients: pelt_gradients) -> mat3x4<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var images: mat3x4<f32> = mat3x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var q: vec4<f32>;
    var linear: mat3x3<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
    loop {
        let _e23 = i;
        let _e24 = gradients_1;
        if !((_e23 < _e24.count)) {
            break;
        }
        {
            let _e31 = gradients_1;
            let _e32 = influences_1;
            let _e33 = i;
            let _e34 = pelt_factor_at(_e31, _e32, _e33);
            factor = _e34;
            let _e36 = factor;
            let _e38 = influences_1;
            let _e39 = factor;
            let _e41 = pelt_signed_rotation(_e38, _e39.joint);
            q = (_e36.weight * _e41);
            let _e44 = factor;
            let _e46 = pelt_palette_matrix(_e44.joint);
            linear = transpose(mat3x3<f32>(_e46[0].xyz, _e46[1].xyz, _e46[2].xyz));
            let _e58 = images;
            let _e61 = linear[0];
            let _e62 = q;
            let _e63 = pelt_times_vector(_e61, _e62);
            let _e66 = linear[1];
            let _e67 = q;
            let _e68 = pelt_times_vector(_e66, _e67);
            let _e71 = linear[2];
            let _e72 = q;
            let _e73 = pelt_times_vector(_e71, _e72);
            images = (_e58 + mat3x4<f32>(vec4<f32>(_e63.x, _e63.y, _e63.z, _e63.w), vec4<f32>(_e68.x, _e68.y, _e68.z, _e68.w), vec4<f32>(_e73.x, _e73.y, _e73.z, _e73.w)));
        }
        continuing {
            let _e28 = i;
            i = (_e28 + 1i);
        }
    }
    let _e91 = images;
    return _e91;
}

fn pelt_derive_place(influences: pelt_influences, gradients: pelt_gradients, mean: pelt_mean) -> mat2x3<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean_1: pelt_mean;
    var images: mat3x4<f32>;
    var firsts: mat2x4<f32> = mat2x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var seconds: mat2x4<f32> = mat2x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var thirds: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var q: vec4<f32>;
    var moments: mat2x3<f32>;
    var excess: mat2x3<f32>;
    var moved: mat2x3<f32>;
    var seen: mat2x4<f32>;
    var back: vec4<f32>;
    var scale: f32;
    var whole: mat2x4<f32>;
    var back_1: vec4<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    let _e16 = influences_1;
    let _e17 = gradients_1;
    let _e18 = pelt_blend_images(_e16, _e17);
    images = _e18;
    loop {
        let _e40 = i;
        let _e41 = gradients_1;
        if !((_e40 < _e41.count)) {
            break;
        }
        {
            let _e48 = gradients_1;
            let _e49 = influences_1;
            let _e50 = i;
            let _e51 = pelt_factor_at(_e48, _e49, _e50);
            factor = _e51;
            let _e53 = influences_1;
            let _e54 = factor;
            let _e56 = pelt_signed_rotation(_e53, _e54.joint);
            q = _e56;
            let _e58 = gradients_1;
            let _e59 = factor;
            let _e60 = pelt_moments_of(_e58, _e59);
            moments = _e60;
            let _e62 = moments;
            let _e63 = factor;
            let _e65 = gradients_1;
            excess = (_e62 - (_e63.weight * _e65.axes));
            let _e70 = factor;
            let _e72 = pelt_palette_matrix(_e70.joint);
            let _e83 = moments;
            moved = (transpose(mat3x3<f32>(_e72[0].xyz, _e72[1].xyz, _e72[2].xyz)) * _e83);
            let _e86 = images;
            let _e87 = excess;
            seen = (_e86 * _e87);
            let _e90 = q;
            let _e91 = pelt_quat_conjugate(_e90);
            back = _e91;
            let _e93 = firsts;
            let _e96 = moved[0];
            let _e97 = q;
            let _e98 = pelt_times_vector(_e96, _e97);
            let _e101 = moved[1];
            let _e102 = q;
            let _e103 = pelt_times_vector(_e101, _e102);
            firsts = (_e93 + mat2x4<f32>(vec4<f32>(_e98.x, _e98.y, _e98.z, _e98.w), vec4<f32>(_e103.x, _e103.y, _e103.z, _e103.w)));
            let _e116 = seconds;
            let _e119 = seen[0];
            let _e120 = back;
            let _e121 = pelt_quat_mul(_e119, _e120);
            let _e124 = seen[1];
            let _e125 = back;
            let _e126 = pelt_quat_mul(_e124, _e125);
            seconds = (_e116 + mat2x4<f32>(vec4<f32>(_e121.x, _e121.y, _e121.z, _e121.w), vec4<f32>(_e126.x, _e126.y, _e126.z, _e126.w)));
            let _e139 = thirds;
            let _e140 = mean_1;
            let _e142 = q;
            let _e144 = excess;
            thirds = (_e139 + (dot(_e140.sum, _e142) * _e144));
        }
        continuing {
            let _e45 = i;
            i = (_e45 + 1i);
        }
    }
    let _e148 = mean_1;
    let _e150 = mean_1;
    scale = (1f / dot(_e148.sum, _e150.sum));
    let _e155 = firsts;
    let _e157 = scale;
    let _e159 = images;
    let _e160 = thirds;
    whole = (_e155 - ((2f * _e157) * (_e159 * _e160)));
    let _e165 = mean_1;
    let _e167 = pelt_quat_conjugate(_e165.sum);
    back_1 = _e167;
    let _e169 = scale;
    let _e172 = whole[0];
    let _e173 = back_1;
    let _e174 = pelt_quat_mul(_e172, _e173);
    let _e178 = seconds[0];
    let _e180 = (_e174.xyz + _e178.xyz);
    let _e183 = whole[1];
    let _e184 = back_1;
    let _e185 = pelt_quat_mul(_e183, _e184);
    let _e189 = seconds[1];
    let _e191 = (_e185.xyz + _e189.xyz);
    return (_e169 * mat2x3<f32>(vec3<f32>(_e180.x, _e180.y, _e180.z), vec3<f32>(_e191.x, _e191.y, _e191.z)));
}

fn pelt_derive_phases(position: vec3<f32>, influences: pelt_influences, gradients: pelt_gradients, mean: pelt_mean) -> mat2x3<f32> {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean_1: pelt_mean;

    position_1 = position;
    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    let _e18 = influences_1;
    let _e19 = gradients_1;
    let _e20 = mean_1;
    let _e21 = pelt_derive_map(_e18, _e19, _e20);
    let _e22 = mean_1;
    let _e24 = influences_1;
    let _e25 = gradients_1;
    let _e26 = position_1;
    let _e27 = pelt_derive_stretch(_e24, _e25, _e26);
    return (_e21 + (_e22.rotation * _e27));
}

fn pelt_jacobian_dqs(position: vec3<f32>, influences: pelt_influences, gradients: pelt_gradients) -> mat2x3<f32> {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean: pelt_mean;
    var changes: mat2x3<f32>;

    position_1 = position;
    influences_1 = influences;
    gradients_1 = gradients;
    let _e16 = influences_1;
    let _e17 = gradients_1;
    let _e18 = pelt_mean_at(_e16, _e17);
    mean = _e18;
    let _e20 = mean;
    if _e20.is_canceled {
        {
            let _e22 = influences_1;
            let _e23 = gradients_1;
            let _e24 = mean;
            let _e25 = pelt_derive_map(_e22, _e23, _e24);
            return _e25;
        }
    }
    let _e26 = position_1;
    let _e27 = influences_1;
    let _e28 = gradients_1;
    let _e29 = mean;
    let _e30 = pelt_derive_weights(_e26, _e27, _e28, _e29);
    changes = _e30;
    if (PELT_SCALE == PELT_SCALE_LOCAL) {
        {
            let _e34 = influences_1;
            let _e35 = gradients_1;
            let _e36 = mean;
            let _e37 = pelt_derive_place(_e34, _e35, _e36);
            let _e38 = changes;
            return (_e37 + _e38);
        }
    }
    let _e40 = position_1;
    let _e41 = influences_1;
    let _e42 = gradients_1;
    let _e43 = mean;
    let _e44 = pelt_derive_phases(_e40, _e41, _e42, _e43);
    let _e45 = changes;
    return (_e44 + _e45);
}

fn pelt_deform_dqs_accurate(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var motion: pelt_motion;
    var side: f32;
    var gradients: pelt_gradients;
    var images: mat2x3<f32>;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = influences_1;
    let _e15 = pelt_is_free(_e14);
    if _e15 {
        {
            let _e16 = rest_1;
            let _e17 = pelt_vertex_at_rest(_e16);
            return _e17;
        }
    }
    let _e18 = rest_1;
    let _e20 = influences_1;
    let _e21 = pelt_skin_dqs(_e18.position, _e20);
    motion = _e21;
    let _e23 = influences_1;
    let _e24 = pelt_strongest_side(_e23);
    side = _e24;
    let _e26 = rest_1;
    let _e29 = pelt_gradients_at(_e26, (PELT_SCALE == PELT_SCALE_LOCAL));
    gradients = _e29;
    let _e31 = gradients;
    if (_e31.count > 0i) {
        {
            let _e35 = rest_1;
            let _e37 = influences_1;
            let _e38 = gradients;
            let _e39 = pelt_jacobian_dqs(_e35.position, _e37, _e38);
            images = _e39;
            let _e42 = gradients;
            let _e43 = images;
            let _e44 = side;
            let _e45 = pelt_map_of(_e42, _e43, _e44);
            motion.linear = _e45;
        }
    }
    let _e46 = rest_1;
    let _e47 = motion;
    let _e48 = side;
    let _e49 = influences_1;
    let _e50 = pelt_strongest_rotation(_e49);
    let _e51 = pelt_move_vertex(_e46, _e47, _e48, _e50);
    return _e51;
}

fn pelt_jacobian_mix(position: vec3<f32>, influences: pelt_influences, gradients: pelt_gradients, factor: f32) -> mat2x3<f32> {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var factor_1: f32;

    position_1 = position;
    influences_1 = influences;
    gradients_1 = gradients;
    factor_1 = factor;
    let _e19 = factor_1;
    let _e21 = position_1;
    let _e22 = influences_1;
    let _e23 = gradients_1;
    let _e24 = pelt_jacobian_lbs(_e21, _e22, _e23);
    let _e26 = factor_1;
    let _e27 = position_1;
    let _e28 = influences_1;
    let _e29 = gradients_1;
    let _e30 = pelt_jacobian_dqs(_e27, _e28, _e29);
    return (((1f - _e19) * _e24) + (_e26 * _e30));
}

fn pelt_deform_mix_accurate(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var motion: pelt_motion;
    var side: f32;
    var gradients: pelt_gradients;
    var images: mat2x3<f32>;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = influences_1;
    let _e15 = pelt_is_free(_e14);
    if _e15 {
        {
            let _e16 = rest_1;
            let _e17 = pelt_vertex_at_rest(_e16);
            return _e17;
        }
    }
    let _e18 = rest_1;
    let _e20 = influences_1;
    let _e21 = rest_1;
    let _e23 = pelt_skin_mix(_e18.position, _e20, _e21.mix_factor);
    motion = _e23;
    let _e25 = influences_1;
    let _e26 = pelt_strongest_side(_e25);
    side = _e26;
    let _e28 = rest_1;
    let _e31 = pelt_gradients_at(_e28, (PELT_SCALE == PELT_SCALE_LOCAL));
    gradients = _e31;
    let _e33 = gradients;
    if (_e33.count > 0i) {
        {
            let _e37 = rest_1;
            let _e39 = influences_1;
            let _e40 = gradients;
            let _e41 = rest_1;
            let _e43 = pelt_jacobian_mix(_e37.position, _e39, _e40, _e41.mix_factor);
            images = _e43;
            let _e46 = gradients;
            let _e47 = images;
            let _e48 = side;
            let _e49 = pelt_map_of(_e46, _e47, _e48);
            motion.linear = _e49;
        }
    }
    let _e50 = rest_1;
    let _e51 = motion;
    let _e52 = side;
    let _e53 = influences_1;
    let _e54 = pelt_strongest_mix(_e53);
    let _e55 = pelt_move_vertex(_e50, _e51, _e52, _e54);
    return _e55;
}

fn pelt_center_matrix(joint: u32) -> mat3x4<f32> {
    var joint_1: u32;
    var rows: mat3x3<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    if (PELT_SCALE == PELT_SCALE_ORIGIN) {
        {
            let _e14 = joint_1;
            let _e15 = pelt_palette_rotation(_e14);
            let _e16 = pelt_mat3_from_quat(_e15);
            rows = transpose(_e16);
            let _e19 = joint_1;
            let _e20 = pelt_joint_translation(_e19);
            translation = _e20;
            let _e24 = rows[0];
            let _e25 = translation;
            let _e30 = vec4<f32>(_e24.x, _e24.y, _e24.z, _e25.x);
            let _e33 = rows[1];
            let _e34 = translation;
            let _e39 = vec4<f32>(_e33.x, _e33.y, _e33.z, _e34.y);
            let _e42 = rows[2];
            let _e43 = translation;
            let _e48 = vec4<f32>(_e42.x, _e42.y, _e42.z, _e43.z);
            return mat3x4<f32>(vec4<f32>(_e30.x, _e30.y, _e30.z, _e30.w), vec4<f32>(_e39.x, _e39.y, _e39.z, _e39.w), vec4<f32>(_e48.x, _e48.y, _e48.z, _e48.w));
        }
    }
    let _e65 = joint_1;
    let _e66 = pelt_palette_matrix(_e65);
    return _e66;
}

fn pelt_derive_center(influences: pelt_influences, gradients: pelt_gradients, mean: pelt_mean) -> mat2x3<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean_1: pelt_mean;
    var start: vec4<f32>;
    var drift: mat2x3<f32>;
    var origin: vec3<f32>;
    var linear: mat3x3<f32> = mat3x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var changes: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var matrix: mat3x4<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    let _e16 = gradients_1;
    start = vec4<f32>(_e16.center.x, _e16.center.y, _e16.center.z, 1f);
    let _e24 = gradients_1;
    drift = _e24.center_derivatives;
    if (PELT_SCALE == PELT_SCALE_ORIGIN) {
        {
            let _e29 = start;
            let _e31 = mean_1;
            let _e33 = gradients_1;
            let _e35 = (_e31.stretch * _e33.center);
            start.x = _e35.x;
            start.y = _e35.y;
            start.z = _e35.z;
            let _e42 = mean_1;
            let _e44 = drift;
            let _e46 = influences_1;
            let _e47 = gradients_1;
            let _e48 = gradients_1;
            let _e50 = pelt_derive_stretch(_e46, _e47, _e48.center);
            drift = ((_e42.stretch * _e44) + _e50);
        }
    }
    let _e52 = start;
    let _e56 = influences_1.joints[0];
    let _e57 = pelt_center_matrix(_e56);
    origin = (_e52 * _e57);
    loop {
        let _e75 = i;
        let _e76 = gradients_1;
        if !((_e75 < _e76.count)) {
            break;
        }
        {
            let _e83 = gradients_1;
            let _e84 = influences_1;
            let _e85 = i;
            let _e86 = pelt_factor_at(_e83, _e84, _e85);
            factor = _e86;
            let _e88 = factor;
            let _e90 = pelt_center_matrix(_e88.joint);
            matrix = _e90;
            let _e92 = linear;
            let _e93 = factor;
            let _e95 = matrix;
            linear = (_e92 + (_e93.weight * transpose(mat3x3<f32>(_e95[0].xyz, _e95[1].xyz, _e95[2].xyz))));
            let _e108 = changes;
            let _e109 = start;
            let _e110 = matrix;
            let _e112 = origin;
            let _e114 = factor;
            let _e116 = pelt_outer(((_e109 * _e110) - _e112), _e114.gradient);
            changes = (_e108 + _e116);
        }
        continuing {
            let _e80 = i;
            i = (_e80 + 1i);
        }
    }
    let _e118 = changes;
    let _e119 = linear;
    let _e120 = drift;
    return (_e118 + (_e119 * _e120));
}

fn pelt_derive_turn(influences: pelt_influences, gradients: pelt_gradients, mean: pelt_mean, arm: vec3<f32>) -> mat2x3<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean_1: pelt_mean;
    var arm_1: vec3<f32>;
    var change: mat2x4<f32> = mat2x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var moved_arm: vec3<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    arm_1 = arm;
    loop {
        let _e26 = i;
        let _e27 = gradients_1;
        if !((_e26 < _e27.count)) {
            break;
        }
        {
            let _e34 = gradients_1;
            let _e35 = influences_1;
            let _e36 = i;
            let _e37 = pelt_factor_at(_e34, _e35, _e36);
            factor = _e37;
            let _e39 = change;
            let _e40 = influences_1;
            let _e41 = factor;
            let _e43 = pelt_signed_rotation(_e40, _e41.joint);
            let _e44 = factor;
            let _e46 = pelt_outer_quat(_e43, _e44.gradient);
            change = (_e39 + _e46);
        }
        continuing {
            let _e31 = i;
            i = (_e31 + 1i);
        }
    }
    let _e48 = mean_1;
    let _e50 = mean_1;
    let _e52 = arm_1;
    moved_arm = (_e48.rotation * (_e50.stretch * _e52));
    let _e56 = mean_1;
    let _e59 = change[0];
    let _e60 = pelt_turn_of(_e56, _e59);
    let _e61 = moved_arm;
    let _e62 = cross(_e60, _e61);
    let _e63 = mean_1;
    let _e66 = change[1];
    let _e67 = pelt_turn_of(_e63, _e66);
    let _e68 = moved_arm;
    let _e69 = cross(_e67, _e68);
    return mat2x3<f32>(vec3<f32>(_e62.x, _e62.y, _e62.z), vec3<f32>(_e69.x, _e69.y, _e69.z));
}

fn pelt_jacobian_crs(position: vec3<f32>, influences: pelt_influences, gradients: pelt_gradients) -> mat2x3<f32> {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean: pelt_mean;
    var arm: vec3<f32>;
    var along: mat2x3<f32>;

    position_1 = position;
    influences_1 = influences;
    gradients_1 = gradients;
    let _e16 = influences_1;
    let _e17 = gradients_1;
    let _e18 = pelt_mean_at(_e16, _e17);
    mean = _e18;
    let _e20 = position_1;
    let _e21 = gradients_1;
    arm = (_e20 - _e21.center);
    let _e25 = influences_1;
    let _e26 = gradients_1;
    let _e27 = arm;
    let _e28 = pelt_derive_stretch(_e25, _e26, _e27);
    let _e29 = mean;
    let _e31 = gradients_1;
    along = (_e28 - (_e29.stretch * _e31.center_derivatives));
    let _e36 = influences_1;
    let _e37 = gradients_1;
    let _e38 = mean;
    let _e39 = pelt_derive_map(_e36, _e37, _e38);
    let _e40 = mean;
    let _e42 = along;
    let _e45 = influences_1;
    let _e46 = gradients_1;
    let _e47 = mean;
    let _e48 = pelt_derive_center(_e45, _e46, _e47);
    let _e50 = influences_1;
    let _e51 = gradients_1;
    let _e52 = mean;
    let _e53 = arm;
    let _e54 = pelt_derive_turn(_e50, _e51, _e52, _e53);
    return (((_e39 + (_e40.rotation * _e42)) + _e48) + _e54);
}

fn pelt_deform_crs_accurate(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var motion: pelt_motion;
    var side: f32;
    var gradients: pelt_gradients;
    var images: mat2x3<f32>;

    rest_1 = rest;
    influences_1 = influences;
    let _e14 = influences_1;
    let _e15 = pelt_is_free(_e14);
    if _e15 {
        {
            let _e16 = rest_1;
            let _e17 = pelt_vertex_at_rest(_e16);
            return _e17;
        }
    }
    let _e18 = rest_1;
    let _e20 = rest_1;
    let _e22 = influences_1;
    let _e23 = pelt_skin_crs(_e18.position, _e20.center, _e22);
    motion = _e23;
    let _e25 = influences_1;
    let _e26 = pelt_strongest_side(_e25);
    side = _e26;
    let _e28 = rest_1;
    let _e30 = pelt_gradients_at(_e28, false);
    gradients = _e30;
    let _e32 = gradients;
    if (_e32.count > 0i) {
        {
            let _e36 = rest_1;
            let _e38 = influences_1;
            let _e39 = gradients;
            let _e40 = pelt_jacobian_crs(_e36.position, _e38, _e39);
            images = _e40;
            let _e43 = gradients;
            let _e44 = images;
            let _e45 = side;
            let _e46 = pelt_map_of(_e43, _e44, _e45);
            motion.linear = _e46;
        }
    }
    let _e47 = rest_1;
    let _e48 = motion;
    let _e49 = side;
    let _e50 = influences_1;
    let _e51 = pelt_strongest_rotation(_e50);
    let _e52 = pelt_move_vertex(_e47, _e48, _e49, _e51);
    return _e52;
}
