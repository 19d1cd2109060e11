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
    let _e11 = b_1;
    let _e13 = a_1;
    let _e14 = (_e11.x * _e13);
    let _e15 = b_1;
    let _e17 = a_1;
    let _e18 = (_e15.y * _e17);
    return mat2x3<f32>(vec3<f32>(_e14.x, _e14.y, _e14.z), vec3<f32>(_e18.x, _e18.y, _e18.z));
}

fn pelt_outer_quat(a: vec4<f32>, b: vec2<f32>) -> mat2x4<f32> {
    var a_1: vec4<f32>;
    var b_1: vec2<f32>;

    a_1 = a;
    b_1 = b;
    let _e11 = b_1;
    let _e13 = a_1;
    let _e14 = (_e11.x * _e13);
    let _e15 = b_1;
    let _e17 = a_1;
    let _e18 = (_e15.y * _e17);
    return mat2x4<f32>(vec4<f32>(_e14.x, _e14.y, _e14.z, _e14.w), vec4<f32>(_e18.x, _e18.y, _e18.z, _e18.w));
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
    let _e14 = normal_1;
    let _e15 = tangent_1;
    bitangent = cross(_e14, _e15);
    let _e20 = tilt_1;
    let _e21 = tilt_1;
    k = (2f / (1f + dot(_e20, _e21)));
    let _e26 = tilt_1;
    let _e28 = tangent_1;
    let _e30 = tilt_1;
    let _e32 = bitangent;
    lean = ((_e26.x * _e28) + (_e30.y * _e32));
    let _e36 = k;
    let _e38 = lean;
    let _e39 = normal_1;
    back = (-(_e36) * (_e38 + _e39));
    let _e44 = tangent_1;
    let _e45 = tilt_1;
    let _e47 = back;
    let _e49 = (_e44 + (_e45.x * _e47));
    let _e50 = bitangent;
    let _e51 = tilt_1;
    let _e53 = back;
    let _e55 = (_e50 + (_e51.y * _e53));
    (*gradients).axes = mat2x3<f32>(vec3<f32>(_e49.x, _e49.y, _e49.z), vec3<f32>(_e55.x, _e55.y, _e55.z));
    let _e66 = k;
    let _e67 = lean;
    let _e68 = normal_1;
    let _e71 = normal_1;
    (*gradients).normal = ((_e66 * (_e67 + _e68)) - _e71);
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
    let _e16 = local;
    header = _e16;
    let _e18 = rest_1;
    let _e20 = header;
    at = (_e18.index * (_e20 + (2i * PELT_NORMAL_SLOTS)));
    let _e26 = at;
    let _e27 = pelt_normal_texel(_e26);
    tangent_count = _e27;
    let _e29 = at;
    let _e32 = pelt_normal_texel((_e29 + 1i));
    tilt = _e32;
    let _e36 = tangent_count;
    gradients.count = i32(_e36.w);
    let _e40 = gradients;
    if (_e40.count > 0i) {
        let _e44 = at;
        let _e45 = header;
        local_1 = (_e44 + _e45);
    } else {
        local_1 = -1i;
    }
    let _e50 = local_1;
    gradients.first = _e50;
    let _e51 = is_bent_1;
    let _e52 = gradients;
    if (_e51 && (_e52.count == 0i)) {
        {
            gradients.count = PELT_INFLUENCES;
        }
    }
    let _e58 = rest_1;
    let _e60 = pelt_normalize(_e58.normal);
    n = _e60;
    let _e62 = tangent_count;
    t = _e62.xyz;
    let _e66 = t;
    let _e67 = t;
    let _e68 = n;
    let _e70 = n;
    let _e73 = pelt_normalize((_e66 - (dot(_e67, _e68) * _e70)));
    let _e74 = n;
    let _e75 = tilt;
    pelt_tilt_axes((&gradients), _e73, _e74, _e75.xy);
    let _e79 = rest_1;
    gradients.center = _e79.center;
    gradients.center_derivatives = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    if (PELT_NORMAL_CENTERS != 0i) {
        {
            let _e89 = at;
            let _e92 = pelt_normal_texel((_e89 + 2i));
            more = _e92;
            let _e95 = tilt;
            let _e96 = _e95.zw;
            let _e97 = more;
            gradients.center = vec3<f32>(_e96.x, _e96.y, _e97.x);
            let _e103 = more;
            let _e104 = _e103.yzw;
            let _e105 = at;
            let _e108 = pelt_normal_texel((_e105 + 3i));
            let _e109 = _e108.xyz;
            gradients.center_derivatives = mat2x3<f32>(vec3<f32>(_e104.x, _e104.y, _e104.z), vec3<f32>(_e109.x, _e109.y, _e109.z));
        }
    }
    let _e119 = gradients;
    return _e119;
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
    let _e15 = gradients_1;
    if ((PELT_SCALE == PELT_SCALE_LOCAL) && (_e15.first < 0i)) {
        {
            let _e20 = i_1;
            let _e23 = influences_1.weights[_e20];
            weight = _e23;
            let _e25 = i_1;
            let _e28 = influences_1.joints[_e25];
            let _e29 = weight;
            let _e32 = weight;
            let _e35 = weight;
            return pelt_factor(_e28, _e29, vec2(0f), vec4<f32>(_e32, 0f, 0f, _e35));
        }
    }
    let _e38 = gradients_1;
    let _e41 = i_1;
    let _e44 = pelt_normal_texel((_e38.first + (2i * _e41)));
    head = _e44;
    let _e46 = gradients_1;
    let _e49 = i_1;
    let _e54 = pelt_normal_texel(((_e46.first + (2i * _e49)) + 1i));
    moments = _e54;
    let _e56 = head;
    let _e59 = head;
    let _e61 = head;
    let _e63 = moments;
    return pelt_factor(u32(_e56.x), _e59.y, _e61.zw, _e63);
}

fn pelt_moments_of(gradients: pelt_gradients, factor: pelt_factor) -> mat2x3<f32> {
    var gradients_1: pelt_gradients;
    var factor_1: pelt_factor;

    gradients_1 = gradients;
    factor_1 = factor;
    let _e11 = gradients_1;
    let _e13 = factor_1;
    let _e15 = _e13.moments.xy;
    let _e16 = factor_1;
    let _e18 = _e16.moments.zw;
    return (_e11.axes * mat2x2<f32>(vec2<f32>(_e15.x, _e15.y), vec2<f32>(_e18.x, _e18.y)));
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
    let _e15 = images_1[0];
    let _e18 = images_1[1];
    across = cross(_e15, _e18);
    let _e21 = across;
    size = length(_e21);
    let _e24 = size;
    if (_e24 > 0f) {
        let _e27 = across;
        let _e28 = side_1;
        let _e29 = size;
        local = (_e27 * (_e28 / sqrt(_e29)));
    } else {
        local = vec3(0f);
    }
    let _e36 = local;
    image = _e36;
    let _e38 = images_1;
    let _e39 = gradients_1;
    let _e43 = gradients_1;
    let _e46 = image;
    let _e47 = (_e43.normal.x * _e46);
    let _e48 = gradients_1;
    let _e51 = image;
    let _e52 = (_e48.normal.y * _e51);
    let _e53 = gradients_1;
    let _e56 = image;
    let _e57 = (_e53.normal.z * _e56);
    return ((_e38 * transpose(_e39.axes)) + mat3x3<f32>(vec3<f32>(_e47.x, _e47.y, _e47.z), vec3<f32>(_e52.x, _e52.y, _e52.z), vec3<f32>(_e57.x, _e57.y, _e57.z)));
}

fn pelt_quat_mul(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    var a_1: vec4<f32>;
    var b_1: vec4<f32>;

    a_1 = a;
    b_1 = b;
    let _e11 = a_1;
    let _e13 = b_1;
    let _e16 = b_1;
    let _e18 = a_1;
    let _e22 = a_1;
    let _e24 = b_1;
    let _e27 = (((_e11.w * _e13.xyz) + (_e16.w * _e18.xyz)) + cross(_e22.xyz, _e24.xyz));
    let _e28 = a_1;
    let _e30 = b_1;
    let _e33 = a_1;
    let _e35 = b_1;
    return vec4<f32>(_e27.x, _e27.y, _e27.z, ((_e28.w * _e30.w) - dot(_e33.xyz, _e35.xyz)));
}

fn pelt_quat_conjugate(q: vec4<f32>) -> vec4<f32> {
    var q_1: vec4<f32>;

    q_1 = q;
    let _e9 = q_1;
    let _e11 = -(_e9.xyz);
    let _e12 = q_1;
    return vec4<f32>(_e11.x, _e11.y, _e11.z, _e12.w);
}

fn pelt_signed_rotation(influences: pelt_influences, joint: u32) -> vec4<f32> {
    var influences_1: pelt_influences;
    var joint_1: u32;
    var q: vec4<f32>;

    influences_1 = influences;
    joint_1 = joint;
    let _e11 = joint_1;
    let _e12 = pelt_palette_rotation(_e11);
    q = _e12;
    let _e14 = q;
    let _e18 = influences_1.joints[0];
    let _e19 = pelt_palette_rotation(_e18);
    let _e20 = pelt_sign_of(_e14, _e19);
    let _e21 = q;
    return (_e20 * _e21);
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
        let _e24 = i;
        let _e25 = gradients_1;
        if !((_e24 < _e25.count)) {
            break;
        }
        {
            let _e32 = gradients_1;
            let _e33 = influences_1;
            let _e34 = i;
            let _e35 = pelt_factor_at(_e32, _e33, _e34);
            factor = _e35;
            let _e38 = mean;
            let _e40 = factor;
            let _e42 = influences_1;
            let _e43 = factor;
            let _e45 = pelt_signed_rotation(_e42, _e43.joint);
            mean.sum = (_e38.sum + (_e40.weight * _e45));
            let _e49 = mean;
            let _e51 = factor;
            let _e53 = factor;
            let _e55 = pelt_joint_stretch(_e53.joint);
            mean.stretch = (_e49.stretch + (_e51.weight * _e55));
        }
        continuing {
            let _e29 = i;
            i = (_e29 + 1i);
        }
    }
    if (PELT_SCALE == PELT_SCALE_NONE) {
        {
            mean.stretch = mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
        }
    }
    let _e68 = mean;
    let _e70 = pelt_is_canceled(_e68.sum);
    mean.is_canceled = _e70;
    let _e74 = influences_1.joints[0];
    let _e75 = pelt_palette_rotation(_e74);
    strongest = _e75;
    let _e78 = mean;
    if _e78.is_canceled {
        let _e80 = strongest;
        local = _e80;
    } else {
        let _e81 = mean;
        local = normalize(_e81.sum);
    }
    let _e85 = local;
    let _e86 = pelt_mat3_from_quat(_e85);
    mean.rotation = _e86;
    let _e87 = mean;
    return _e87;
}

fn pelt_turn_of(mean: pelt_mean, change: vec4<f32>) -> vec3<f32> {
    var mean_1: pelt_mean;
    var change_1: vec4<f32>;
    var product: vec3<f32>;
    var local: vec3<f32>;

    mean_1 = mean;
    change_1 = change;
    let _e11 = change_1;
    let _e12 = mean_1;
    let _e14 = pelt_quat_conjugate(_e12.sum);
    let _e15 = pelt_quat_mul(_e11, _e14);
    product = _e15.xyz;
    let _e18 = mean_1;
    if _e18.is_canceled {
        local = vec3(0f);
    } else {
        let _e22 = product;
        let _e24 = mean_1;
        let _e26 = mean_1;
        local = (_e22 * (2f / dot(_e24.sum, _e26.sum)));
    }
    let _e32 = local;
    return _e32;
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
            let _e40 = gradients_1;
            let _e41 = factor;
            let _e42 = pelt_moments_of(_e40, _e41);
            moments = _e42;
            let _e44 = mean_1;
            let _e46 = mean_1;
            let _e48 = moments;
            arms = (_e44.rotation * (_e46.stretch * _e48));
            let _e52 = mean_1;
            let _e53 = influences_1;
            let _e54 = factor;
            let _e56 = pelt_signed_rotation(_e53, _e54.joint);
            let _e57 = pelt_turn_of(_e52, _e56);
            turn = _e57;
            let _e59 = stretched;
            let _e60 = factor;
            let _e62 = pelt_joint_stretch(_e60.joint);
            let _e63 = moments;
            stretched = (_e59 + (_e62 * _e63));
            let _e66 = turned;
            let _e67 = turn;
            let _e70 = arms[0];
            let _e71 = cross(_e67, _e70);
            let _e72 = turn;
            let _e75 = arms[1];
            let _e76 = cross(_e72, _e75);
            turned = (_e66 + mat2x3<f32>(vec3<f32>(_e71.x, _e71.y, _e71.z), vec3<f32>(_e76.x, _e76.y, _e76.z)));
        }
        continuing {
            let _e32 = i;
            i = (_e32 + 1i);
        }
    }
    let _e87 = mean_1;
    let _e89 = stretched;
    let _e91 = turned;
    return ((_e87.rotation * _e89) + _e91);
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
            let _e21 = sum;
            return _e21;
        }
    }
    loop {
        let _e24 = i;
        let _e25 = gradients_1;
        if !((_e24 < _e25.count)) {
            break;
        }
        {
            let _e32 = gradients_1;
            let _e33 = influences_1;
            let _e34 = i;
            let _e35 = pelt_factor_at(_e32, _e33, _e34);
            factor = _e35;
            let _e37 = sum;
            let _e38 = factor;
            let _e40 = pelt_joint_stretch(_e38.joint);
            let _e41 = arm_1;
            let _e43 = factor;
            let _e45 = pelt_outer((_e40 * _e41), _e43.gradient);
            sum = (_e37 + _e45);
        }
        continuing {
            let _e29 = i;
            i = (_e29 + 1i);
        }
    }
    let _e47 = sum;
    return _e47;
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
    let _e13 = position_1;
    let _e22 = influences_1.joints[0];
    let _e23 = pelt_palette_matrix(_e22);
    origin = (vec4<f32>(_e13.x, _e13.y, _e13.z, 1f) * _e23);
    loop {
        let _e34 = i;
        let _e35 = gradients_1;
        if !((_e34 < _e35.count)) {
            break;
        }
        {
            let _e42 = gradients_1;
            let _e43 = influences_1;
            let _e44 = i;
            let _e45 = pelt_factor_at(_e42, _e43, _e44);
            factor = _e45;
            let _e47 = factor;
            let _e49 = pelt_palette_matrix(_e47.joint);
            matrix = _e49;
            let _e51 = position_1;
            let _e57 = matrix;
            let _e59 = origin;
            away = ((vec4<f32>(_e51.x, _e51.y, _e51.z, 1f) * _e57) - _e59);
            let _e62 = images;
            let _e63 = matrix;
            let _e74 = gradients_1;
            let _e75 = factor;
            let _e76 = pelt_moments_of(_e74, _e75);
            let _e78 = away;
            let _e79 = factor;
            let _e81 = pelt_outer(_e78, _e79.gradient);
            images = (_e62 + ((transpose(mat3x3<f32>(_e63[0].xyz, _e63[1].xyz, _e63[2].xyz)) * _e76) + _e81));
        }
        continuing {
            let _e39 = i;
            i = (_e39 + 1i);
        }
    }
    let _e84 = images;
    return _e84;
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
    let _e11 = influences_1;
    let _e12 = pelt_is_free(_e11);
    if _e12 {
        {
            let _e13 = rest_1;
            let _e14 = pelt_vertex_at_rest(_e13);
            return _e14;
        }
    }
    let _e15 = rest_1;
    let _e17 = influences_1;
    let _e18 = pelt_skin_lbs(_e15.position, _e17);
    motion = _e18;
    let _e20 = influences_1;
    let _e21 = pelt_strongest_matrix(_e20);
    strongest = _e21;
    let _e23 = strongest;
    let _e24 = pelt_side_of(_e23);
    side = _e24;
    let _e26 = rest_1;
    let _e28 = pelt_gradients_at(_e26, false);
    gradients = _e28;
    let _e30 = gradients;
    if (_e30.count > 0i) {
        {
            let _e34 = rest_1;
            let _e36 = influences_1;
            let _e37 = gradients;
            let _e38 = pelt_jacobian_lbs(_e34.position, _e36, _e37);
            images = _e38;
            let _e41 = gradients;
            let _e42 = images;
            let _e43 = side;
            let _e44 = pelt_map_of(_e41, _e42, _e43);
            motion.linear = _e44;
        }
    }
    let _e45 = rest_1;
    let _e46 = motion;
    let _e47 = side;
    let _e48 = strongest;
    let _e49 = pelt_move_vertex(_e45, _e46, _e47, _e48);
    return _e49;
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
            let _e15 = position_1;
            let _e21 = joint_1;
            let _e22 = pelt_palette_matrix(_e21);
            return (vec4<f32>(_e15.x, _e15.y, _e15.z, 1f) * _e22);
        }
    }
    if (PELT_SCALE == PELT_SCALE_ORIGIN) {
        {
            let _e26 = joint_1;
            let _e27 = pelt_palette_rotation(_e26);
            let _e28 = pelt_mat3_from_quat(_e27);
            let _e29 = stretch_1;
            let _e30 = position_1;
            let _e33 = joint_1;
            let _e34 = pelt_joint_translation(_e33);
            return ((_e28 * (_e29 * _e30)) + _e34);
        }
    }
    let _e36 = joint_1;
    let _e37 = pelt_palette_motion(_e36);
    motion = _e37;
    let _e39 = motion;
    let _e41 = pelt_mat3_from_quat(_e39.real);
    let _e42 = position_1;
    let _e44 = motion;
    let _e45 = pelt_dquat_translation(_e44);
    return ((_e41 * _e42) + _e45);
}

fn pelt_times_vector(v: vec3<f32>, q: vec4<f32>) -> vec4<f32> {
    var v_1: vec3<f32>;
    var q_1: vec4<f32>;

    v_1 = v;
    q_1 = q;
    let _e11 = v_1;
    let _e17 = q_1;
    let _e18 = pelt_quat_mul(vec4<f32>(_e11.x, _e11.y, _e11.z, 0f), _e17);
    return _e18;
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
    let _e18 = influences_1.joints[0];
    let _e19 = position_1;
    let _e20 = mean_1;
    let _e22 = pelt_joint_target(_e18, _e19, _e20.stretch);
    origin = _e22;
    loop {
        let _e41 = i;
        let _e42 = gradients_1;
        if !((_e41 < _e42.count)) {
            break;
        }
        {
            let _e49 = gradients_1;
            let _e50 = influences_1;
            let _e51 = i;
            let _e52 = pelt_factor_at(_e49, _e50, _e51);
            factor = _e52;
            let _e54 = influences_1;
            let _e55 = factor;
            let _e57 = pelt_signed_rotation(_e54, _e55.joint);
            q = _e57;
            let _e59 = factor;
            let _e61 = position_1;
            let _e62 = mean_1;
            let _e64 = pelt_joint_target(_e59.joint, _e61, _e62.stretch);
            let _e65 = origin;
            away = (_e64 - _e65);
            let _e68 = away;
            let _e69 = q;
            let _e70 = pelt_times_vector(_e68, _e69);
            moment = _e70;
            let _e72 = mean_moment;
            let _e73 = factor;
            let _e75 = moment;
            mean_moment = (_e72 + (_e73.weight * _e75));
            let _e78 = sums;
            let _e79 = q;
            let _e80 = factor;
            let _e82 = pelt_outer_quat(_e79, _e80.gradient);
            sums = (_e78 + _e82);
            let _e84 = moments;
            let _e85 = moment;
            let _e86 = factor;
            let _e88 = pelt_outer_quat(_e85, _e86.gradient);
            moments = (_e84 + _e88);
        }
        continuing {
            let _e46 = i;
            i = (_e46 + 1i);
        }
    }
    let _e91 = mean_1;
    let _e93 = mean_1;
    scale = (1f / dot(_e91.sum, _e93.sum));
    let _e98 = mean_1;
    let _e100 = pelt_quat_conjugate(_e98.sum);
    back = _e100;
    let _e102 = scale;
    let _e103 = mean_moment;
    let _e104 = back;
    let _e105 = pelt_quat_mul(_e103, _e104);
    image = (_e102 * _e105.xyz);
    let _e109 = mean_moment;
    let _e110 = image;
    let _e111 = mean_1;
    let _e113 = pelt_times_vector(_e110, _e111.sum);
    mean_moment = (_e109 - _e113);
    loop {
        let _e118 = axis;
        if !((_e118 < 2i)) {
            break;
        }
        {
            let _e125 = axis;
            let _e127 = moments[_e125];
            let _e128 = image;
            let _e129 = axis;
            let _e131 = sums[_e129];
            let _e132 = pelt_times_vector(_e128, _e131);
            moment_1 = (_e127 - _e132);
            let _e135 = moment_1;
            let _e136 = back;
            let _e137 = pelt_quat_mul(_e135, _e136);
            let _e138 = mean_moment;
            let _e139 = axis;
            let _e141 = sums[_e139];
            let _e142 = pelt_quat_conjugate(_e141);
            let _e143 = pelt_quat_mul(_e138, _e142);
            change = (_e137 + _e143);
            let _e146 = axis;
            let _e148 = scale;
            let _e149 = change;
            changes[_e146] = (_e148 * _e149.xyz);
        }
        continuing {
            let _e122 = axis;
            axis = (_e122 + 1i);
        }
    }
    let _e152 = changes;
    return _e152;
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
        let _e20 = i;
        let _e21 = gradients_1;
        if !((_e20 < _e21.count)) {
            break;
        }
        {
            let _e28 = gradients_1;
            let _e29 = influences_1;
            let _e30 = i;
            let _e31 = pelt_factor_at(_e28, _e29, _e30);
            factor = _e31;
            let _e33 = factor;
            let _e35 = influences_1;
            let _e36 = factor;
            let _e38 = pelt_signed_rotation(_e35, _e36.joint);
            q = (_e33.weight * _e38);
            let _e41 = factor;
            let _e43 = pelt_palette_matrix(_e41.joint);
            linear = transpose(mat3x3<f32>(_e43[0].xyz, _e43[1].xyz, _e43[2].xyz));
            let _e55 = images;
            let _e58 = linear[0];
            let _e59 = q;
            let _e60 = pelt_times_vector(_e58, _e59);
            let _e63 = linear[1];
            let _e64 = q;
            let _e65 = pelt_times_vector(_e63, _e64);
            let _e68 = linear[2];
            let _e69 = q;
            let _e70 = pelt_times_vector(_e68, _e69);
            images = (_e55 + mat3x4<f32>(vec4<f32>(_e60.x, _e60.y, _e60.z, _e60.w), vec4<f32>(_e65.x, _e65.y, _e65.z, _e65.w), vec4<f32>(_e70.x, _e70.y, _e70.z, _e70.w)));
        }
        continuing {
            let _e25 = i;
            i = (_e25 + 1i);
        }
    }
    let _e88 = images;
    return _e88;
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
    let _e13 = influences_1;
    let _e14 = gradients_1;
    let _e15 = pelt_blend_images(_e13, _e14);
    images = _e15;
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
            let _e50 = influences_1;
            let _e51 = factor;
            let _e53 = pelt_signed_rotation(_e50, _e51.joint);
            q = _e53;
            let _e55 = gradients_1;
            let _e56 = factor;
            let _e57 = pelt_moments_of(_e55, _e56);
            moments = _e57;
            let _e59 = moments;
            let _e60 = factor;
            let _e62 = gradients_1;
            excess = (_e59 - (_e60.weight * _e62.axes));
            let _e67 = factor;
            let _e69 = pelt_palette_matrix(_e67.joint);
            let _e80 = moments;
            moved = (transpose(mat3x3<f32>(_e69[0].xyz, _e69[1].xyz, _e69[2].xyz)) * _e80);
            let _e83 = images;
            let _e84 = excess;
            seen = (_e83 * _e84);
            let _e87 = q;
            let _e88 = pelt_quat_conjugate(_e87);
            back = _e88;
            let _e90 = firsts;
            let _e93 = moved[0];
            let _e94 = q;
            let _e95 = pelt_times_vector(_e93, _e94);
            let _e98 = moved[1];
            let _e99 = q;
            let _e100 = pelt_times_vector(_e98, _e99);
            firsts = (_e90 + mat2x4<f32>(vec4<f32>(_e95.x, _e95.y, _e95.z, _e95.w), vec4<f32>(_e100.x, _e100.y, _e100.z, _e100.w)));
            let _e113 = seconds;
            let _e116 = seen[0];
            let _e117 = back;
            let _e118 = pelt_quat_mul(_e116, _e117);
            let _e121 = seen[1];
            let _e122 = back;
            let _e123 = pelt_quat_mul(_e121, _e122);
            seconds = (_e113 + mat2x4<f32>(vec4<f32>(_e118.x, _e118.y, _e118.z, _e118.w), vec4<f32>(_e123.x, _e123.y, _e123.z, _e123.w)));
            let _e136 = thirds;
            let _e137 = mean_1;
            let _e139 = q;
            let _e141 = excess;
            thirds = (_e136 + (dot(_e137.sum, _e139) * _e141));
        }
        continuing {
            let _e42 = i;
            i = (_e42 + 1i);
        }
    }
    let _e145 = mean_1;
    let _e147 = mean_1;
    scale = (1f / dot(_e145.sum, _e147.sum));
    let _e152 = firsts;
    let _e154 = scale;
    let _e156 = images;
    let _e157 = thirds;
    whole = (_e152 - ((2f * _e154) * (_e156 * _e157)));
    let _e162 = mean_1;
    let _e164 = pelt_quat_conjugate(_e162.sum);
    back_1 = _e164;
    let _e166 = scale;
    let _e169 = whole[0];
    let _e170 = back_1;
    let _e171 = pelt_quat_mul(_e169, _e170);
    let _e175 = seconds[0];
    let _e177 = (_e171.xyz + _e175.xyz);
    let _e180 = whole[1];
    let _e181 = back_1;
    let _e182 = pelt_quat_mul(_e180, _e181);
    let _e186 = seconds[1];
    let _e188 = (_e182.xyz + _e186.xyz);
    return (_e166 * mat2x3<f32>(vec3<f32>(_e177.x, _e177.y, _e177.z), vec3<f32>(_e188.x, _e188.y, _e188.z)));
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
    let _e15 = influences_1;
    let _e16 = gradients_1;
    let _e17 = mean_1;
    let _e18 = pelt_derive_map(_e15, _e16, _e17);
    let _e19 = mean_1;
    let _e21 = influences_1;
    let _e22 = gradients_1;
    let _e23 = position_1;
    let _e24 = pelt_derive_stretch(_e21, _e22, _e23);
    return (_e18 + (_e19.rotation * _e24));
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
    let _e13 = influences_1;
    let _e14 = gradients_1;
    let _e15 = pelt_mean_at(_e13, _e14);
    mean = _e15;
    let _e17 = mean;
    if _e17.is_canceled {
        {
            let _e19 = influences_1;
            let _e20 = gradients_1;
            let _e21 = mean;
            let _e22 = pelt_derive_map(_e19, _e20, _e21);
            return _e22;
        }
    }
    let _e23 = position_1;
    let _e24 = influences_1;
    let _e25 = gradients_1;
    let _e26 = mean;
    let _e27 = pelt_derive_weights(_e23, _e24, _e25, _e26);
    changes = _e27;
    if (PELT_SCALE == PELT_SCALE_LOCAL) {
        {
            let _e31 = influences_1;
            let _e32 = gradients_1;
            let _e33 = mean;
            let _e34 = pelt_derive_place(_e31, _e32, _e33);
            let _e35 = changes;
            return (_e34 + _e35);
        }
    }
    let _e37 = position_1;
    let _e38 = influences_1;
    let _e39 = gradients_1;
    let _e40 = mean;
    let _e41 = pelt_derive_phases(_e37, _e38, _e39, _e40);
    let _e42 = changes;
    return (_e41 + _e42);
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
    let _e11 = influences_1;
    let _e12 = pelt_is_free(_e11);
    if _e12 {
        {
            let _e13 = rest_1;
            let _e14 = pelt_vertex_at_rest(_e13);
            return _e14;
        }
    }
    let _e15 = rest_1;
    let _e17 = influences_1;
    let _e18 = pelt_skin_dqs(_e15.position, _e17);
    motion = _e18;
    let _e20 = influences_1;
    let _e21 = pelt_strongest_side(_e20);
    side = _e21;
    let _e23 = rest_1;
    let _e26 = pelt_gradients_at(_e23, (PELT_SCALE == PELT_SCALE_LOCAL));
    gradients = _e26;
    let _e28 = gradients;
    if (_e28.count > 0i) {
        {
            let _e32 = rest_1;
            let _e34 = influences_1;
            let _e35 = gradients;
            let _e36 = pelt_jacobian_dqs(_e32.position, _e34, _e35);
            images = _e36;
            let _e39 = gradients;
            let _e40 = images;
            let _e41 = side;
            let _e42 = pelt_map_of(_e39, _e40, _e41);
            motion.linear = _e42;
        }
    }
    let _e43 = rest_1;
    let _e44 = motion;
    let _e45 = side;
    let _e46 = influences_1;
    let _e47 = pelt_strongest_rotation(_e46);
    let _e48 = pelt_move_vertex(_e43, _e44, _e45, _e47);
    return _e48;
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
    let _e16 = factor_1;
    let _e18 = position_1;
    let _e19 = influences_1;
    let _e20 = gradients_1;
    let _e21 = pelt_jacobian_lbs(_e18, _e19, _e20);
    let _e23 = factor_1;
    let _e24 = position_1;
    let _e25 = influences_1;
    let _e26 = gradients_1;
    let _e27 = pelt_jacobian_dqs(_e24, _e25, _e26);
    return (((1f - _e16) * _e21) + (_e23 * _e27));
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
    let _e11 = influences_1;
    let _e12 = pelt_is_free(_e11);
    if _e12 {
        {
            let _e13 = rest_1;
            let _e14 = pelt_vertex_at_rest(_e13);
            return _e14;
        }
    }
    let _e15 = rest_1;
    let _e17 = influences_1;
    let _e18 = rest_1;
    let _e20 = pelt_skin_mix(_e15.position, _e17, _e18.mix_factor);
    motion = _e20;
    let _e22 = influences_1;
    let _e23 = pelt_strongest_side(_e22);
    side = _e23;
    let _e25 = rest_1;
    let _e28 = pelt_gradients_at(_e25, (PELT_SCALE == PELT_SCALE_LOCAL));
    gradients = _e28;
    let _e30 = gradients;
    if (_e30.count > 0i) {
        {
            let _e34 = rest_1;
            let _e36 = influences_1;
            let _e37 = gradients;
            let _e38 = rest_1;
            let _e40 = pelt_jacobian_mix(_e34.position, _e36, _e37, _e38.mix_factor);
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
    let _e51 = pelt_strongest_mix(_e50);
    let _e52 = pelt_move_vertex(_e47, _e48, _e49, _e51);
    return _e52;
}

fn pelt_center_matrix(joint: u32) -> mat3x4<f32> {
    var joint_1: u32;
    var rows: mat3x3<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    if (PELT_SCALE == PELT_SCALE_ORIGIN) {
        {
            let _e11 = joint_1;
            let _e12 = pelt_palette_rotation(_e11);
            let _e13 = pelt_mat3_from_quat(_e12);
            rows = transpose(_e13);
            let _e16 = joint_1;
            let _e17 = pelt_joint_translation(_e16);
            translation = _e17;
            let _e21 = rows[0];
            let _e22 = translation;
            let _e27 = vec4<f32>(_e21.x, _e21.y, _e21.z, _e22.x);
            let _e30 = rows[1];
            let _e31 = translation;
            let _e36 = vec4<f32>(_e30.x, _e30.y, _e30.z, _e31.y);
            let _e39 = rows[2];
            let _e40 = translation;
            let _e45 = vec4<f32>(_e39.x, _e39.y, _e39.z, _e40.z);
            return mat3x4<f32>(vec4<f32>(_e27.x, _e27.y, _e27.z, _e27.w), vec4<f32>(_e36.x, _e36.y, _e36.z, _e36.w), vec4<f32>(_e45.x, _e45.y, _e45.z, _e45.w));
        }
    }
    let _e62 = joint_1;
    let _e63 = pelt_palette_matrix(_e62);
    return _e63;
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
    let _e13 = gradients_1;
    start = vec4<f32>(_e13.center.x, _e13.center.y, _e13.center.z, 1f);
    let _e21 = gradients_1;
    drift = _e21.center_derivatives;
    if (PELT_SCALE == PELT_SCALE_ORIGIN) {
        {
            let _e26 = start;
            let _e28 = mean_1;
            let _e30 = gradients_1;
            let _e32 = (_e28.stretch * _e30.center);
            start.x = _e32.x;
            start.y = _e32.y;
            start.z = _e32.z;
            let _e39 = mean_1;
            let _e41 = drift;
            let _e43 = influences_1;
            let _e44 = gradients_1;
            let _e45 = gradients_1;
            let _e47 = pelt_derive_stretch(_e43, _e44, _e45.center);
            drift = ((_e39.stretch * _e41) + _e47);
        }
    }
    let _e49 = start;
    let _e53 = influences_1.joints[0];
    let _e54 = pelt_center_matrix(_e53);
    origin = (_e49 * _e54);
    loop {
        let _e72 = i;
        let _e73 = gradients_1;
        if !((_e72 < _e73.count)) {
            break;
        }
        {
            let _e80 = gradients_1;
            let _e81 = influences_1;
            let _e82 = i;
            let _e83 = pelt_factor_at(_e80, _e81, _e82);
            factor = _e83;
            let _e85 = factor;
            let _e87 = pelt_center_matrix(_e85.joint);
            matrix = _e87;
            let _e89 = linear;
            let _e90 = factor;
            let _e92 = matrix;
            linear = (_e89 + (_e90.weight * transpose(mat3x3<f32>(_e92[0].xyz, _e92[1].xyz, _e92[2].xyz))));
            let _e105 = changes;
            let _e106 = start;
            let _e107 = matrix;
            let _e109 = origin;
            let _e111 = factor;
            let _e113 = pelt_outer(((_e106 * _e107) - _e109), _e111.gradient);
            changes = (_e105 + _e113);
        }
        continuing {
            let _e77 = i;
            i = (_e77 + 1i);
        }
    }
    let _e115 = changes;
    let _e116 = linear;
    let _e117 = drift;
    return (_e115 + (_e116 * _e117));
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
            let _e36 = change;
            let _e37 = influences_1;
            let _e38 = factor;
            let _e40 = pelt_signed_rotation(_e37, _e38.joint);
            let _e41 = factor;
            let _e43 = pelt_outer_quat(_e40, _e41.gradient);
            change = (_e36 + _e43);
        }
        continuing {
            let _e28 = i;
            i = (_e28 + 1i);
        }
    }
    let _e45 = mean_1;
    let _e47 = mean_1;
    let _e49 = arm_1;
    moved_arm = (_e45.rotation * (_e47.stretch * _e49));
    let _e53 = mean_1;
    let _e56 = change[0];
    let _e57 = pelt_turn_of(_e53, _e56);
    let _e58 = moved_arm;
    let _e59 = cross(_e57, _e58);
    let _e60 = mean_1;
    let _e63 = change[1];
    let _e64 = pelt_turn_of(_e60, _e63);
    let _e65 = moved_arm;
    let _e66 = cross(_e64, _e65);
    return mat2x3<f32>(vec3<f32>(_e59.x, _e59.y, _e59.z), vec3<f32>(_e66.x, _e66.y, _e66.z));
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
    let _e13 = influences_1;
    let _e14 = gradients_1;
    let _e15 = pelt_mean_at(_e13, _e14);
    mean = _e15;
    let _e17 = position_1;
    let _e18 = gradients_1;
    arm = (_e17 - _e18.center);
    let _e22 = influences_1;
    let _e23 = gradients_1;
    let _e24 = arm;
    let _e25 = pelt_derive_stretch(_e22, _e23, _e24);
    let _e26 = mean;
    let _e28 = gradients_1;
    along = (_e25 - (_e26.stretch * _e28.center_derivatives));
    let _e33 = influences_1;
    let _e34 = gradients_1;
    let _e35 = mean;
    let _e36 = pelt_derive_map(_e33, _e34, _e35);
    let _e37 = mean;
    let _e39 = along;
    let _e42 = influences_1;
    let _e43 = gradients_1;
    let _e44 = mean;
    let _e45 = pelt_derive_center(_e42, _e43, _e44);
    let _e47 = influences_1;
    let _e48 = gradients_1;
    let _e49 = mean;
    let _e50 = arm;
    let _e51 = pelt_derive_turn(_e47, _e48, _e49, _e50);
    return (((_e36 + (_e37.rotation * _e39)) + _e45) + _e51);
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
    let _e11 = influences_1;
    let _e12 = pelt_is_free(_e11);
    if _e12 {
        {
            let _e13 = rest_1;
            let _e14 = pelt_vertex_at_rest(_e13);
            return _e14;
        }
    }
    let _e15 = rest_1;
    let _e17 = rest_1;
    let _e19 = influences_1;
    let _e20 = pelt_skin_crs(_e15.position, _e17.center, _e19);
    motion = _e20;
    let _e22 = influences_1;
    let _e23 = pelt_strongest_side(_e22);
    side = _e23;
    let _e25 = rest_1;
    let _e27 = pelt_gradients_at(_e25, false);
    gradients = _e27;
    let _e29 = gradients;
    if (_e29.count > 0i) {
        {
            let _e33 = rest_1;
            let _e35 = influences_1;
            let _e36 = gradients;
            let _e37 = pelt_jacobian_crs(_e33.position, _e35, _e36);
            images = _e37;
            let _e40 = gradients;
            let _e41 = images;
            let _e42 = side;
            let _e43 = pelt_map_of(_e40, _e41, _e42);
            motion.linear = _e43;
        }
    }
    let _e44 = rest_1;
    let _e45 = motion;
    let _e46 = side;
    let _e47 = influences_1;
    let _e48 = pelt_strongest_rotation(_e47);
    let _e49 = pelt_move_vertex(_e44, _e45, _e46, _e48);
    return _e49;
}
