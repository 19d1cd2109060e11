// SPDX-License-Identifier: MIT
// Accurate normals of pelt, translated from its GLSL by tools/shaders.
// Goes after pelt_skin, and needs pelt_normal_texel() as well.

// Accurate normals: slots for factors per vertex, and whether the texture has centers of rotation
// (0 or 1).
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
    let _e15 = b_1;
    let _e17 = a_1;
    let _e18 = (_e15.x * _e17);
    let _e19 = b_1;
    let _e21 = a_1;
    let _e22 = (_e19.y * _e21);
    return mat2x3<f32>(vec3<f32>(_e18.x, _e18.y, _e18.z), vec3<f32>(_e22.x, _e22.y, _e22.z));
}

fn pelt_outer_quat(a: vec4<f32>, b: vec2<f32>) -> mat2x4<f32> {
    var a_1: vec4<f32>;
    var b_1: vec2<f32>;

    a_1 = a;
    b_1 = b;
    let _e15 = b_1;
    let _e17 = a_1;
    let _e18 = (_e15.x * _e17);
    let _e19 = b_1;
    let _e21 = a_1;
    let _e22 = (_e19.y * _e21);
    return mat2x4<f32>(vec4<f32>(_e18.x, _e18.y, _e18.z, _e18.w), vec4<f32>(_e22.x, _e22.y, _e22.z, _e22.w));
}

fn pelt_plane_axes(gradients: ptr<function, pelt_gradients>, tangent: vec3<f32>, normal: vec3<f32>, projected: vec2<f32>) {
    var tangent_1: vec3<f32>;
    var normal_1: vec3<f32>;
    var projected_1: vec2<f32>;
    var bitangent: vec3<f32>;
    var k: f32;
    var offset: vec3<f32>;
    var sum: vec3<f32>;

    tangent_1 = tangent;
    normal_1 = normal;
    projected_1 = projected;
    let _e18 = normal_1;
    let _e19 = tangent_1;
    bitangent = cross(_e18, _e19);
    let _e24 = projected_1;
    let _e25 = projected_1;
    k = (2f / (1f + dot(_e24, _e25)));
    let _e30 = projected_1;
    let _e32 = tangent_1;
    let _e34 = projected_1;
    let _e36 = bitangent;
    offset = ((_e30.x * _e32) + (_e34.y * _e36));
    let _e40 = k;
    let _e41 = offset;
    let _e42 = normal_1;
    sum = (_e40 * (_e41 + _e42));
    let _e47 = tangent_1;
    let _e48 = projected_1;
    let _e50 = sum;
    let _e52 = (_e47 - (_e48.x * _e50));
    let _e53 = bitangent;
    let _e54 = projected_1;
    let _e56 = sum;
    let _e58 = (_e53 - (_e54.y * _e56));
    (*gradients).axes = mat2x3<f32>(vec3<f32>(_e52.x, _e52.y, _e52.z), vec3<f32>(_e58.x, _e58.y, _e58.z));
    let _e69 = sum;
    let _e70 = normal_1;
    (*gradients).normal = (_e69 - _e70);
    return;
}

fn pelt_is_bent_by_stretch(influences: pelt_influences) -> bool {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e21 = influences_1.weights[1];
    return (((PELT_SCALE == 1i) && (PELT_INFLUENCES > 1i)) && (_e21 > 0f));
}

fn pelt_gradients_at(rest: pelt_rest, is_bent: bool) -> pelt_gradients {
    var rest_1: pelt_rest;
    var is_bent_1: bool;
    var local: i32;
    var header: i32;
    var at: i32;
    var tangent_count: vec4<f32>;
    var projected: vec4<f32>;
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
    let _e20 = local;
    header = _e20;
    let _e22 = rest_1;
    let _e24 = header;
    at = (_e22.index * (_e24 + (2i * PELT_NORMAL_SLOTS)));
    let _e30 = at;
    let _e31 = pelt_normal_texel(_e30);
    tangent_count = _e31;
    let _e33 = at;
    let _e36 = pelt_normal_texel((_e33 + 1i));
    projected = _e36;
    let _e40 = tangent_count;
    gradients.count = i32(_e40.w);
    let _e44 = gradients;
    if (_e44.count > 0i) {
        let _e48 = at;
        let _e49 = header;
        local_1 = (_e48 + _e49);
    } else {
        local_1 = -1i;
    }
    let _e54 = local_1;
    gradients.first = _e54;
    let _e55 = is_bent_1;
    let _e56 = gradients;
    if (_e55 && (_e56.count == 0i)) {
        {
            gradients.count = PELT_INFLUENCES;
        }
    }
    let _e62 = rest_1;
    let _e64 = pelt_normalize(_e62.normal);
    n = _e64;
    let _e66 = tangent_count;
    t = _e66.xyz;
    let _e70 = t;
    let _e71 = t;
    let _e72 = n;
    let _e74 = n;
    let _e77 = pelt_normalize((_e70 - (dot(_e71, _e72) * _e74)));
    let _e78 = n;
    let _e79 = projected;
    pelt_plane_axes((&gradients), _e77, _e78, _e79.xy);
    let _e83 = rest_1;
    gradients.center = _e83.center;
    gradients.center_derivatives = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    if (PELT_NORMAL_CENTERS != 0i) {
        {
            let _e93 = at;
            let _e96 = pelt_normal_texel((_e93 + 2i));
            more = _e96;
            let _e99 = projected;
            let _e100 = _e99.zw;
            let _e101 = more;
            gradients.center = vec3<f32>(_e100.x, _e100.y, _e101.x);
            let _e107 = more;
            let _e108 = _e107.yzw;
            let _e109 = at;
            let _e112 = pelt_normal_texel((_e109 + 3i));
            let _e113 = _e112.xyz;
            gradients.center_derivatives = mat2x3<f32>(vec3<f32>(_e108.x, _e108.y, _e108.z), vec3<f32>(_e113.x, _e113.y, _e113.z));
        }
    }
    let _e123 = gradients;
    return _e123;
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
    let _e19 = gradients_1;
    if ((PELT_SCALE == 1i) && (_e19.first < 0i)) {
        {
            let _e24 = i_1;
            let _e27 = influences_1.weights[_e24];
            weight = _e27;
            let _e29 = i_1;
            let _e32 = influences_1.joints[_e29];
            let _e33 = weight;
            let _e36 = weight;
            let _e39 = weight;
            return pelt_factor(_e32, _e33, vec2(0f), vec4<f32>(_e36, 0f, 0f, _e39));
        }
    }
    let _e42 = gradients_1;
    let _e45 = i_1;
    let _e48 = pelt_normal_texel((_e42.first + (2i * _e45)));
    head = _e48;
    let _e50 = gradients_1;
    let _e53 = i_1;
    let _e58 = pelt_normal_texel(((_e50.first + (2i * _e53)) + 1i));
    moments = _e58;
    let _e60 = head;
    let _e63 = head;
    let _e65 = head;
    let _e67 = moments;
    return pelt_factor(u32(_e60.x), _e63.y, _e65.zw, _e67);
}

fn pelt_moments_of(gradients: pelt_gradients, factor: pelt_factor) -> mat2x3<f32> {
    var gradients_1: pelt_gradients;
    var factor_1: pelt_factor;

    gradients_1 = gradients;
    factor_1 = factor;
    let _e15 = gradients_1;
    let _e17 = factor_1;
    let _e19 = _e17.moments.xy;
    let _e20 = factor_1;
    let _e22 = _e20.moments.zw;
    return (_e15.axes * mat2x2<f32>(vec2<f32>(_e19.x, _e19.y), vec2<f32>(_e22.x, _e22.y)));
}

fn pelt_map_of(gradients: pelt_gradients, jacobian: mat2x3<f32>, handedness: f32) -> mat3x3<f32> {
    var gradients_1: pelt_gradients;
    var jacobian_1: mat2x3<f32>;
    var handedness_1: f32;
    var product: vec3<f32>;
    var size: f32;
    var local: vec3<f32>;
    var normal: vec3<f32>;

    gradients_1 = gradients;
    jacobian_1 = jacobian;
    handedness_1 = handedness;
    let _e19 = jacobian_1[0];
    let _e22 = jacobian_1[1];
    product = cross(_e19, _e22);
    let _e25 = product;
    size = length(_e25);
    let _e28 = size;
    if (_e28 > 0f) {
        let _e31 = product;
        let _e32 = handedness_1;
        let _e33 = size;
        local = (_e31 * (_e32 / sqrt(_e33)));
    } else {
        local = vec3(0f);
    }
    let _e40 = local;
    normal = _e40;
    let _e42 = jacobian_1;
    let _e43 = gradients_1;
    let _e47 = gradients_1;
    let _e50 = normal;
    let _e51 = (_e47.normal.x * _e50);
    let _e52 = gradients_1;
    let _e55 = normal;
    let _e56 = (_e52.normal.y * _e55);
    let _e57 = gradients_1;
    let _e60 = normal;
    let _e61 = (_e57.normal.z * _e60);
    return ((_e42 * transpose(_e43.axes)) + mat3x3<f32>(vec3<f32>(_e51.x, _e51.y, _e51.z), vec3<f32>(_e56.x, _e56.y, _e56.z), vec3<f32>(_e61.x, _e61.y, _e61.z)));
}

fn pelt_signed_rotation(influences: pelt_influences, joint: u32) -> vec4<f32> {
    var influences_1: pelt_influences;
    var joint_1: u32;
    var q: vec4<f32>;

    influences_1 = influences;
    joint_1 = joint;
    let _e15 = joint_1;
    let _e16 = pelt_palette_rotation(_e15);
    q = _e16;
    let _e18 = q;
    let _e22 = influences_1.joints[0];
    let _e23 = pelt_palette_rotation(_e22);
    let _e24 = pelt_sign_of(_e18, _e23);
    let _e25 = q;
    return (_e24 * _e25);
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
        let _e28 = i;
        let _e29 = gradients_1;
        if !((_e28 < _e29.count)) {
            break;
        }
        {
            let _e36 = gradients_1;
            let _e37 = influences_1;
            let _e38 = i;
            let _e39 = pelt_factor_at(_e36, _e37, _e38);
            factor = _e39;
            let _e42 = mean;
            let _e44 = factor;
            let _e46 = influences_1;
            let _e47 = factor;
            let _e49 = pelt_signed_rotation(_e46, _e47.joint);
            mean.sum = (_e42.sum + (_e44.weight * _e49));
            let _e53 = mean;
            let _e55 = factor;
            let _e57 = factor;
            let _e59 = pelt_joint_stretch(_e57.joint);
            mean.stretch = (_e53.stretch + (_e55.weight * _e59));
        }
        continuing {
            let _e33 = i;
            i = (_e33 + 1i);
        }
    }
    if (PELT_SCALE == 0i) {
        {
            mean.stretch = mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
        }
    }
    let _e72 = mean;
    let _e74 = pelt_is_canceled(_e72.sum);
    mean.is_canceled = _e74;
    let _e78 = influences_1.joints[0];
    let _e79 = pelt_palette_rotation(_e78);
    strongest = _e79;
    let _e82 = mean;
    if _e82.is_canceled {
        let _e84 = strongest;
        local = _e84;
    } else {
        let _e85 = mean;
        local = normalize(_e85.sum);
    }
    let _e89 = local;
    let _e90 = pelt_mat3_from_quat(_e89);
    mean.rotation = _e90;
    let _e91 = mean;
    return _e91;
}

fn pelt_angular_velocity(mean: pelt_mean, change: vec4<f32>) -> vec3<f32> {
    var mean_1: pelt_mean;
    var change_1: vec4<f32>;
    var product: vec3<f32>;
    var local: vec3<f32>;

    mean_1 = mean;
    change_1 = change;
    let _e15 = change_1;
    let _e16 = mean_1;
    let _e18 = pelt_quat_conjugate(_e16.sum);
    let _e19 = pelt_quat_mul(_e15, _e18);
    product = _e19.xyz;
    let _e22 = mean_1;
    if _e22.is_canceled {
        local = vec3(0f);
    } else {
        let _e26 = product;
        let _e28 = mean_1;
        let _e30 = mean_1;
        local = (_e26 * (2f / dot(_e28.sum, _e30.sum)));
    }
    let _e36 = local;
    return _e36;
}

fn pelt_derive_map(influences: pelt_influences, gradients: pelt_gradients, mean: pelt_mean) -> mat2x3<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean_1: pelt_mean;
    var stretched: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var rotated: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var moments: mat2x3<f32>;
    var moved: mat2x3<f32>;
    var change: vec4<f32>;
    var velocity: vec3<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    loop {
        let _e31 = i;
        let _e32 = gradients_1;
        if !((_e31 < _e32.count)) {
            break;
        }
        {
            let _e39 = gradients_1;
            let _e40 = influences_1;
            let _e41 = i;
            let _e42 = pelt_factor_at(_e39, _e40, _e41);
            factor = _e42;
            let _e44 = gradients_1;
            let _e45 = factor;
            let _e46 = pelt_moments_of(_e44, _e45);
            moments = _e46;
            let _e48 = mean_1;
            let _e50 = mean_1;
            let _e52 = moments;
            moved = (_e48.rotation * (_e50.stretch * _e52));
            let _e56 = influences_1;
            let _e57 = factor;
            let _e59 = pelt_signed_rotation(_e56, _e57.joint);
            change = _e59;
            let _e61 = mean_1;
            let _e62 = change;
            let _e63 = pelt_angular_velocity(_e61, _e62);
            velocity = _e63;
            let _e65 = stretched;
            let _e66 = factor;
            let _e68 = pelt_joint_stretch(_e66.joint);
            let _e69 = moments;
            stretched = (_e65 + (_e68 * _e69));
            let _e72 = rotated;
            let _e73 = velocity;
            let _e76 = moved[0];
            let _e77 = cross(_e73, _e76);
            let _e78 = velocity;
            let _e81 = moved[1];
            let _e82 = cross(_e78, _e81);
            rotated = (_e72 + mat2x3<f32>(vec3<f32>(_e77.x, _e77.y, _e77.z), vec3<f32>(_e82.x, _e82.y, _e82.z)));
        }
        continuing {
            let _e36 = i;
            i = (_e36 + 1i);
        }
    }
    let _e93 = mean_1;
    let _e95 = stretched;
    let _e97 = rotated;
    return ((_e93.rotation * _e95) + _e97);
}

fn pelt_derive_stretch(influences: pelt_influences, gradients: pelt_gradients, v: vec3<f32>) -> mat2x3<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var v_1: vec3<f32>;
    var sum: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;

    influences_1 = influences;
    gradients_1 = gradients;
    v_1 = v;
    if (PELT_SCALE == 0i) {
        {
            let _e25 = sum;
            return _e25;
        }
    }
    loop {
        let _e28 = i;
        let _e29 = gradients_1;
        if !((_e28 < _e29.count)) {
            break;
        }
        {
            let _e36 = gradients_1;
            let _e37 = influences_1;
            let _e38 = i;
            let _e39 = pelt_factor_at(_e36, _e37, _e38);
            factor = _e39;
            let _e41 = sum;
            let _e42 = factor;
            let _e44 = pelt_joint_stretch(_e42.joint);
            let _e45 = v_1;
            let _e47 = factor;
            let _e49 = pelt_outer((_e44 * _e45), _e47.gradient);
            sum = (_e41 + _e49);
        }
        continuing {
            let _e33 = i;
            i = (_e33 + 1i);
        }
    }
    let _e51 = sum;
    return _e51;
}

fn pelt_jacobian_lbs(position: vec3<f32>, influences: pelt_influences, gradients: pelt_gradients) -> mat2x3<f32> {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var origin: vec3<f32>;
    var jacobian: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var matrix: mat3x4<f32>;
    var offset: vec3<f32>;

    position_1 = position;
    influences_1 = influences;
    gradients_1 = gradients;
    let _e17 = position_1;
    let _e26 = influences_1.joints[0];
    let _e27 = pelt_palette_matrix(_e26);
    origin = (vec4<f32>(_e17.x, _e17.y, _e17.z, 1f) * _e27);
    loop {
        let _e38 = i;
        let _e39 = gradients_1;
        if !((_e38 < _e39.count)) {
            break;
        }
        {
            let _e46 = gradients_1;
            let _e47 = influences_1;
            let _e48 = i;
            let _e49 = pelt_factor_at(_e46, _e47, _e48);
            factor = _e49;
            let _e51 = factor;
            let _e53 = pelt_palette_matrix(_e51.joint);
            matrix = _e53;
            let _e55 = position_1;
            let _e61 = matrix;
            let _e63 = origin;
            offset = ((vec4<f32>(_e55.x, _e55.y, _e55.z, 1f) * _e61) - _e63);
            let _e66 = jacobian;
            let _e67 = matrix;
            let _e78 = gradients_1;
            let _e79 = factor;
            let _e80 = pelt_moments_of(_e78, _e79);
            let _e82 = offset;
            let _e83 = factor;
            let _e85 = pelt_outer(_e82, _e83.gradient);
            jacobian = (_e66 + ((transpose(mat3x3<f32>(_e67[0].xyz, _e67[1].xyz, _e67[2].xyz)) * _e80) + _e85));
        }
        continuing {
            let _e43 = i;
            i = (_e43 + 1i);
        }
    }
    let _e88 = jacobian;
    return _e88;
}

fn pelt_deform_lbs_accurate(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var motion: pelt_motion;
    var handedness: f32;
    var gradients: pelt_gradients;
    var jacobian: mat2x3<f32>;

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
    let _e20 = influences_1;
    let _e21 = pelt_skin_lbs(_e19, _e20);
    motion = _e21;
    let _e23 = influences_1;
    let _e24 = pelt_strongest_matrix(_e23);
    let _e25 = pelt_handedness_of(_e24);
    handedness = _e25;
    let _e27 = rest_1;
    let _e29 = pelt_gradients_at(_e27, false);
    gradients = _e29;
    let _e31 = gradients;
    if (_e31.count > 0i) {
        {
            let _e35 = rest_1;
            let _e37 = influences_1;
            let _e38 = gradients;
            let _e39 = pelt_jacobian_lbs(_e35.position, _e37, _e38);
            jacobian = _e39;
            let _e42 = gradients;
            let _e43 = jacobian;
            let _e44 = handedness;
            let _e45 = pelt_map_of(_e42, _e43, _e44);
            motion.linear = _e45;
        }
    }
    let _e46 = rest_1;
    let _e47 = motion;
    let _e48 = influences_1;
    let _e49 = pelt_move_lbs(_e46, _e47, _e48);
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
    if (PELT_SCALE == 1i) {
        {
            let _e19 = position_1;
            let _e25 = joint_1;
            let _e26 = pelt_palette_matrix(_e25);
            return (vec4<f32>(_e19.x, _e19.y, _e19.z, 1f) * _e26);
        }
    }
    if (PELT_SCALE == 2i) {
        {
            let _e30 = joint_1;
            let _e31 = pelt_palette_rotation(_e30);
            let _e32 = pelt_mat3_from_quat(_e31);
            let _e33 = stretch_1;
            let _e34 = position_1;
            let _e37 = joint_1;
            let _e38 = pelt_joint_translation(_e37);
            return ((_e32 * (_e33 * _e34)) + _e38);
        }
    }
    let _e40 = joint_1;
    let _e41 = pelt_palette_motion(_e40);
    motion = _e41;
    let _e43 = motion;
    let _e45 = pelt_mat3_from_quat(_e43.real);
    let _e46 = position_1;
    let _e48 = motion;
    let _e49 = pelt_dquat_translation(_e48);
    return ((_e45 * _e46) + _e49);
}

fn pelt_times_vector(v: vec3<f32>, q: vec4<f32>) -> vec4<f32> {
    var v_1: vec3<f32>;
    var q_1: vec4<f32>;

    v_1 = v;
    q_1 = q;
    let _e15 = v_1;
    let _e21 = q_1;
    let _e22 = pelt_quat_mul(vec4<f32>(_e15.x, _e15.y, _e15.z, 0f), _e21);
    return _e22;
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
    var offset: vec3<f32>;
    var moment: vec4<f32>;
    var scale: f32;
    var back: vec4<f32>;
    var x: vec3<f32>;
    var changes: mat2x3<f32>;
    var axis: i32 = 0i;
    var moment_1: vec4<f32>;
    var change: vec4<f32>;

    position_1 = position;
    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    let _e22 = influences_1.joints[0];
    let _e23 = position_1;
    let _e24 = mean_1;
    let _e26 = pelt_joint_target(_e22, _e23, _e24.stretch);
    origin = _e26;
    loop {
        let _e45 = i;
        let _e46 = gradients_1;
        if !((_e45 < _e46.count)) {
            break;
        }
        {
            let _e53 = gradients_1;
            let _e54 = influences_1;
            let _e55 = i;
            let _e56 = pelt_factor_at(_e53, _e54, _e55);
            factor = _e56;
            let _e58 = influences_1;
            let _e59 = factor;
            let _e61 = pelt_signed_rotation(_e58, _e59.joint);
            q = _e61;
            let _e63 = factor;
            let _e65 = position_1;
            let _e66 = mean_1;
            let _e68 = pelt_joint_target(_e63.joint, _e65, _e66.stretch);
            let _e69 = origin;
            offset = (_e68 - _e69);
            let _e72 = offset;
            let _e73 = q;
            let _e74 = pelt_times_vector(_e72, _e73);
            moment = _e74;
            let _e76 = mean_moment;
            let _e77 = factor;
            let _e79 = moment;
            mean_moment = (_e76 + (_e77.weight * _e79));
            let _e82 = sums;
            let _e83 = q;
            let _e84 = factor;
            let _e86 = pelt_outer_quat(_e83, _e84.gradient);
            sums = (_e82 + _e86);
            let _e88 = moments;
            let _e89 = moment;
            let _e90 = factor;
            let _e92 = pelt_outer_quat(_e89, _e90.gradient);
            moments = (_e88 + _e92);
        }
        continuing {
            let _e50 = i;
            i = (_e50 + 1i);
        }
    }
    let _e95 = mean_1;
    let _e97 = mean_1;
    scale = (1f / dot(_e95.sum, _e97.sum));
    let _e102 = mean_1;
    let _e104 = pelt_quat_conjugate(_e102.sum);
    back = _e104;
    let _e106 = scale;
    let _e107 = mean_moment;
    let _e108 = back;
    let _e109 = pelt_quat_mul(_e107, _e108);
    x = (_e106 * _e109.xyz);
    let _e113 = mean_moment;
    let _e114 = x;
    let _e115 = mean_1;
    let _e117 = pelt_times_vector(_e114, _e115.sum);
    mean_moment = (_e113 - _e117);
    loop {
        let _e122 = axis;
        if !((_e122 < 2i)) {
            break;
        }
        {
            let _e129 = axis;
            let _e131 = moments[_e129];
            let _e132 = x;
            let _e133 = axis;
            let _e135 = sums[_e133];
            let _e136 = pelt_times_vector(_e132, _e135);
            moment_1 = (_e131 - _e136);
            let _e139 = moment_1;
            let _e140 = back;
            let _e141 = pelt_quat_mul(_e139, _e140);
            let _e142 = mean_moment;
            let _e143 = axis;
            let _e145 = sums[_e143];
            let _e146 = pelt_quat_conjugate(_e145);
            let _e147 = pelt_quat_mul(_e142, _e146);
            change = (_e141 + _e147);
            let _e150 = axis;
            let _e152 = scale;
            let _e153 = change;
            changes[_e150] = (_e152 * _e153.xyz);
        }
        continuing {
            let _e126 = axis;
            axis = (_e126 + 1i);
        }
    }
    let _e156 = changes;
    return _e156;
}

fn pelt_blend_columns(influences: pelt_influences, gradients: pelt_gradients) -> mat3x4<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var columns: mat3x4<f32> = mat3x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var q: vec4<f32>;
    var linear: mat3x3<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
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
            let _e37 = factor;
            let _e39 = influences_1;
            let _e40 = factor;
            let _e42 = pelt_signed_rotation(_e39, _e40.joint);
            q = (_e37.weight * _e42);
            let _e45 = factor;
            let _e47 = pelt_palette_matrix(_e45.joint);
            linear = transpose(mat3x3<f32>(_e47[0].xyz, _e47[1].xyz, _e47[2].xyz));
            let _e59 = columns;
            let _e62 = linear[0];
            let _e63 = q;
            let _e64 = pelt_times_vector(_e62, _e63);
            let _e67 = linear[1];
            let _e68 = q;
            let _e69 = pelt_times_vector(_e67, _e68);
            let _e72 = linear[2];
            let _e73 = q;
            let _e74 = pelt_times_vector(_e72, _e73);
            columns = (_e59 + mat3x4<f32>(vec4<f32>(_e64.x, _e64.y, _e64.z, _e64.w), vec4<f32>(_e69.x, _e69.y, _e69.z, _e69.w), vec4<f32>(_e74.x, _e74.y, _e74.z, _e74.w)));
        }
        continuing {
            let _e29 = i;
            i = (_e29 + 1i);
        }
    }
    let _e92 = columns;
    return _e92;
}

fn pelt_derive_position(influences: pelt_influences, gradients: pelt_gradients, mean: pelt_mean) -> mat2x3<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean_1: pelt_mean;
    var columns: mat3x4<f32>;
    var firsts: mat2x4<f32> = mat2x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var seconds: mat2x4<f32> = mat2x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var thirds: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var q: vec4<f32>;
    var moments: mat2x3<f32>;
    var excess: mat2x3<f32>;
    var moved: mat2x3<f32>;
    var blended: mat2x4<f32>;
    var back: vec4<f32>;
    var scale: f32;
    var whole: mat2x4<f32>;
    var back_1: vec4<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    let _e17 = influences_1;
    let _e18 = gradients_1;
    let _e19 = pelt_blend_columns(_e17, _e18);
    columns = _e19;
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
            let _e59 = gradients_1;
            let _e60 = factor;
            let _e61 = pelt_moments_of(_e59, _e60);
            moments = _e61;
            let _e63 = moments;
            let _e64 = factor;
            let _e66 = gradients_1;
            excess = (_e63 - (_e64.weight * _e66.axes));
            let _e71 = factor;
            let _e73 = pelt_palette_matrix(_e71.joint);
            let _e84 = moments;
            moved = (transpose(mat3x3<f32>(_e73[0].xyz, _e73[1].xyz, _e73[2].xyz)) * _e84);
            let _e87 = columns;
            let _e88 = excess;
            blended = (_e87 * _e88);
            let _e91 = q;
            let _e92 = pelt_quat_conjugate(_e91);
            back = _e92;
            let _e94 = firsts;
            let _e97 = moved[0];
            let _e98 = q;
            let _e99 = pelt_times_vector(_e97, _e98);
            let _e102 = moved[1];
            let _e103 = q;
            let _e104 = pelt_times_vector(_e102, _e103);
            firsts = (_e94 + mat2x4<f32>(vec4<f32>(_e99.x, _e99.y, _e99.z, _e99.w), vec4<f32>(_e104.x, _e104.y, _e104.z, _e104.w)));
            let _e117 = seconds;
            let _e120 = blended[0];
            let _e121 = back;
            let _e122 = pelt_quat_mul(_e120, _e121);
            let _e125 = blended[1];
            let _e126 = back;
            let _e127 = pelt_quat_mul(_e125, _e126);
            seconds = (_e117 + mat2x4<f32>(vec4<f32>(_e122.x, _e122.y, _e122.z, _e122.w), vec4<f32>(_e127.x, _e127.y, _e127.z, _e127.w)));
            let _e140 = thirds;
            let _e141 = mean_1;
            let _e143 = q;
            let _e145 = excess;
            thirds = (_e140 + (dot(_e141.sum, _e143) * _e145));
        }
        continuing {
            let _e46 = i;
            i = (_e46 + 1i);
        }
    }
    let _e149 = mean_1;
    let _e151 = mean_1;
    scale = (1f / dot(_e149.sum, _e151.sum));
    let _e156 = firsts;
    let _e158 = scale;
    let _e160 = columns;
    let _e161 = thirds;
    whole = (_e156 - ((2f * _e158) * (_e160 * _e161)));
    let _e166 = mean_1;
    let _e168 = pelt_quat_conjugate(_e166.sum);
    back_1 = _e168;
    let _e170 = scale;
    let _e173 = whole[0];
    let _e174 = back_1;
    let _e175 = pelt_quat_mul(_e173, _e174);
    let _e179 = seconds[0];
    let _e181 = (_e175.xyz + _e179.xyz);
    let _e184 = whole[1];
    let _e185 = back_1;
    let _e186 = pelt_quat_mul(_e184, _e185);
    let _e190 = seconds[1];
    let _e192 = (_e186.xyz + _e190.xyz);
    return (_e170 * mat2x3<f32>(vec3<f32>(_e181.x, _e181.y, _e181.z), vec3<f32>(_e192.x, _e192.y, _e192.z)));
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
    let _e19 = influences_1;
    let _e20 = gradients_1;
    let _e21 = mean_1;
    let _e22 = pelt_derive_map(_e19, _e20, _e21);
    let _e23 = mean_1;
    let _e25 = influences_1;
    let _e26 = gradients_1;
    let _e27 = position_1;
    let _e28 = pelt_derive_stretch(_e25, _e26, _e27);
    return (_e22 + (_e23.rotation * _e28));
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
    let _e17 = influences_1;
    let _e18 = gradients_1;
    let _e19 = pelt_mean_at(_e17, _e18);
    mean = _e19;
    let _e21 = mean;
    if _e21.is_canceled {
        {
            let _e23 = influences_1;
            let _e24 = gradients_1;
            let _e25 = mean;
            let _e26 = pelt_derive_map(_e23, _e24, _e25);
            return _e26;
        }
    }
    let _e27 = position_1;
    let _e28 = influences_1;
    let _e29 = gradients_1;
    let _e30 = mean;
    let _e31 = pelt_derive_weights(_e27, _e28, _e29, _e30);
    changes = _e31;
    if (PELT_SCALE == 1i) {
        {
            let _e35 = influences_1;
            let _e36 = gradients_1;
            let _e37 = mean;
            let _e38 = pelt_derive_position(_e35, _e36, _e37);
            let _e39 = changes;
            return (_e38 + _e39);
        }
    }
    let _e41 = position_1;
    let _e42 = influences_1;
    let _e43 = gradients_1;
    let _e44 = mean;
    let _e45 = pelt_derive_phases(_e41, _e42, _e43, _e44);
    let _e46 = changes;
    return (_e45 + _e46);
}

fn pelt_deform_dqs_accurate(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var motion: pelt_motion;
    var handedness: f32;
    var gradients: pelt_gradients;
    var jacobian: mat2x3<f32>;

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
    let _e20 = influences_1;
    let _e21 = pelt_skin_dqs(_e19, _e20);
    motion = _e21;
    let _e23 = influences_1;
    let _e24 = pelt_strongest_handedness(_e23);
    handedness = _e24;
    let _e26 = rest_1;
    let _e27 = influences_1;
    let _e28 = pelt_is_bent_by_stretch(_e27);
    let _e29 = pelt_gradients_at(_e26, _e28);
    gradients = _e29;
    let _e31 = gradients;
    if (_e31.count > 0i) {
        {
            let _e35 = rest_1;
            let _e37 = influences_1;
            let _e38 = gradients;
            let _e39 = pelt_jacobian_dqs(_e35.position, _e37, _e38);
            jacobian = _e39;
            let _e42 = gradients;
            let _e43 = jacobian;
            let _e44 = handedness;
            let _e45 = pelt_map_of(_e42, _e43, _e44);
            motion.linear = _e45;
        }
    }
    let _e46 = rest_1;
    let _e47 = motion;
    let _e48 = influences_1;
    let _e49 = pelt_move_dqs(_e46, _e47, _e48);
    return _e49;
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
    let _e20 = factor_1;
    let _e22 = position_1;
    let _e23 = influences_1;
    let _e24 = gradients_1;
    let _e25 = pelt_jacobian_lbs(_e22, _e23, _e24);
    let _e27 = factor_1;
    let _e28 = position_1;
    let _e29 = influences_1;
    let _e30 = gradients_1;
    let _e31 = pelt_jacobian_dqs(_e28, _e29, _e30);
    return (((1f - _e20) * _e25) + (_e27 * _e31));
}

fn pelt_deform_mix_accurate(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var motion: pelt_motion;
    var handedness: f32;
    var gradients: pelt_gradients;
    var jacobian: mat2x3<f32>;

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
    let _e20 = influences_1;
    let _e21 = pelt_skin_mix(_e19, _e20);
    motion = _e21;
    let _e23 = influences_1;
    let _e24 = pelt_strongest_handedness(_e23);
    handedness = _e24;
    let _e26 = rest_1;
    let _e27 = influences_1;
    let _e28 = pelt_is_bent_by_stretch(_e27);
    let _e29 = pelt_gradients_at(_e26, _e28);
    gradients = _e29;
    let _e31 = gradients;
    if (_e31.count > 0i) {
        {
            let _e35 = rest_1;
            let _e37 = influences_1;
            let _e38 = gradients;
            let _e39 = rest_1;
            let _e41 = pelt_jacobian_mix(_e35.position, _e37, _e38, _e39.mix_factor);
            jacobian = _e41;
            let _e44 = gradients;
            let _e45 = jacobian;
            let _e46 = handedness;
            let _e47 = pelt_map_of(_e44, _e45, _e46);
            motion.linear = _e47;
        }
    }
    let _e48 = rest_1;
    let _e49 = motion;
    let _e50 = influences_1;
    let _e51 = pelt_move_mix(_e48, _e49, _e50);
    return _e51;
}

fn pelt_center_matrix(joint: u32) -> mat3x4<f32> {
    var joint_1: u32;
    var rows: mat3x3<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    if (PELT_SCALE == 2i) {
        {
            let _e15 = joint_1;
            let _e16 = pelt_palette_rotation(_e15);
            let _e17 = pelt_mat3_from_quat(_e16);
            rows = transpose(_e17);
            let _e20 = joint_1;
            let _e21 = pelt_joint_translation(_e20);
            translation = _e21;
            let _e25 = rows[0];
            let _e26 = translation;
            let _e31 = vec4<f32>(_e25.x, _e25.y, _e25.z, _e26.x);
            let _e34 = rows[1];
            let _e35 = translation;
            let _e40 = vec4<f32>(_e34.x, _e34.y, _e34.z, _e35.y);
            let _e43 = rows[2];
            let _e44 = translation;
            let _e49 = vec4<f32>(_e43.x, _e43.y, _e43.z, _e44.z);
            return mat3x4<f32>(vec4<f32>(_e31.x, _e31.y, _e31.z, _e31.w), vec4<f32>(_e40.x, _e40.y, _e40.z, _e40.w), vec4<f32>(_e49.x, _e49.y, _e49.z, _e49.w));
        }
    }
    let _e66 = joint_1;
    let _e67 = pelt_palette_matrix(_e66);
    return _e67;
}

fn pelt_derive_center(influences: pelt_influences, gradients: pelt_gradients, mean: pelt_mean) -> mat2x3<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean_1: pelt_mean;
    var start: vec4<f32>;
    var derivatives: mat2x3<f32>;
    var origin: vec3<f32>;
    var linear: mat3x3<f32> = mat3x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var changes: mat2x3<f32> = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var matrix: mat3x4<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    let _e17 = gradients_1;
    start = vec4<f32>(_e17.center.x, _e17.center.y, _e17.center.z, 1f);
    let _e25 = gradients_1;
    derivatives = _e25.center_derivatives;
    if (PELT_SCALE == 2i) {
        {
            let _e30 = start;
            let _e32 = mean_1;
            let _e34 = gradients_1;
            let _e36 = (_e32.stretch * _e34.center);
            start.x = _e36.x;
            start.y = _e36.y;
            start.z = _e36.z;
            let _e43 = mean_1;
            let _e45 = derivatives;
            let _e47 = influences_1;
            let _e48 = gradients_1;
            let _e49 = gradients_1;
            let _e51 = pelt_derive_stretch(_e47, _e48, _e49.center);
            derivatives = ((_e43.stretch * _e45) + _e51);
        }
    }
    let _e53 = start;
    let _e57 = influences_1.joints[0];
    let _e58 = pelt_center_matrix(_e57);
    origin = (_e53 * _e58);
    loop {
        let _e76 = i;
        let _e77 = gradients_1;
        if !((_e76 < _e77.count)) {
            break;
        }
        {
            let _e84 = gradients_1;
            let _e85 = influences_1;
            let _e86 = i;
            let _e87 = pelt_factor_at(_e84, _e85, _e86);
            factor = _e87;
            let _e89 = factor;
            let _e91 = pelt_center_matrix(_e89.joint);
            matrix = _e91;
            let _e93 = linear;
            let _e94 = factor;
            let _e96 = matrix;
            linear = (_e93 + (_e94.weight * transpose(mat3x3<f32>(_e96[0].xyz, _e96[1].xyz, _e96[2].xyz))));
            let _e109 = changes;
            let _e110 = start;
            let _e111 = matrix;
            let _e113 = origin;
            let _e115 = factor;
            let _e117 = pelt_outer(((_e110 * _e111) - _e113), _e115.gradient);
            changes = (_e109 + _e117);
        }
        continuing {
            let _e81 = i;
            i = (_e81 + 1i);
        }
    }
    let _e119 = changes;
    let _e120 = linear;
    let _e121 = derivatives;
    return (_e119 + (_e120 * _e121));
}

fn pelt_derive_rotation(influences: pelt_influences, gradients: pelt_gradients, mean: pelt_mean, offset: vec3<f32>) -> mat2x3<f32> {
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean_1: pelt_mean;
    var offset_1: vec3<f32>;
    var change: mat2x4<f32> = mat2x4<f32>(vec4<f32>(0f, 0f, 0f, 0f), vec4<f32>(0f, 0f, 0f, 0f));
    var i: i32 = 0i;
    var factor: pelt_factor;
    var moved: vec3<f32>;

    influences_1 = influences;
    gradients_1 = gradients;
    mean_1 = mean;
    offset_1 = offset;
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
            let _e40 = change;
            let _e41 = influences_1;
            let _e42 = factor;
            let _e44 = pelt_signed_rotation(_e41, _e42.joint);
            let _e45 = factor;
            let _e47 = pelt_outer_quat(_e44, _e45.gradient);
            change = (_e40 + _e47);
        }
        continuing {
            let _e32 = i;
            i = (_e32 + 1i);
        }
    }
    let _e49 = mean_1;
    let _e51 = mean_1;
    let _e53 = offset_1;
    moved = (_e49.rotation * (_e51.stretch * _e53));
    let _e57 = mean_1;
    let _e60 = change[0];
    let _e61 = pelt_angular_velocity(_e57, _e60);
    let _e62 = moved;
    let _e63 = cross(_e61, _e62);
    let _e64 = mean_1;
    let _e67 = change[1];
    let _e68 = pelt_angular_velocity(_e64, _e67);
    let _e69 = moved;
    let _e70 = cross(_e68, _e69);
    return mat2x3<f32>(vec3<f32>(_e63.x, _e63.y, _e63.z), vec3<f32>(_e70.x, _e70.y, _e70.z));
}

fn pelt_jacobian_crs(position: vec3<f32>, influences: pelt_influences, gradients: pelt_gradients) -> mat2x3<f32> {
    var position_1: vec3<f32>;
    var influences_1: pelt_influences;
    var gradients_1: pelt_gradients;
    var mean: pelt_mean;
    var offset: vec3<f32>;
    var along: mat2x3<f32>;

    position_1 = position;
    influences_1 = influences;
    gradients_1 = gradients;
    let _e17 = influences_1;
    let _e18 = gradients_1;
    let _e19 = pelt_mean_at(_e17, _e18);
    mean = _e19;
    let _e21 = position_1;
    let _e22 = gradients_1;
    offset = (_e21 - _e22.center);
    let _e26 = influences_1;
    let _e27 = gradients_1;
    let _e28 = offset;
    let _e29 = pelt_derive_stretch(_e26, _e27, _e28);
    let _e30 = mean;
    let _e32 = gradients_1;
    along = (_e29 - (_e30.stretch * _e32.center_derivatives));
    let _e37 = influences_1;
    let _e38 = gradients_1;
    let _e39 = mean;
    let _e40 = pelt_derive_map(_e37, _e38, _e39);
    let _e41 = mean;
    let _e43 = along;
    let _e46 = influences_1;
    let _e47 = gradients_1;
    let _e48 = mean;
    let _e49 = pelt_derive_center(_e46, _e47, _e48);
    let _e51 = influences_1;
    let _e52 = gradients_1;
    let _e53 = mean;
    let _e54 = offset;
    let _e55 = pelt_derive_rotation(_e51, _e52, _e53, _e54);
    return (((_e40 + (_e41.rotation * _e43)) + _e49) + _e55);
}

fn pelt_deform_crs_accurate(rest: pelt_rest, influences: pelt_influences) -> pelt_vertex {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
    var motion: pelt_motion;
    var handedness: f32;
    var gradients: pelt_gradients;
    var jacobian: mat2x3<f32>;

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
    let _e20 = influences_1;
    let _e21 = pelt_skin_crs(_e19, _e20);
    motion = _e21;
    let _e23 = influences_1;
    let _e24 = pelt_strongest_handedness(_e23);
    handedness = _e24;
    let _e26 = rest_1;
    let _e28 = pelt_gradients_at(_e26, false);
    gradients = _e28;
    let _e30 = gradients;
    if (_e30.count > 0i) {
        {
            let _e34 = rest_1;
            let _e36 = influences_1;
            let _e37 = gradients;
            let _e38 = pelt_jacobian_crs(_e34.position, _e36, _e37);
            jacobian = _e38;
            let _e41 = gradients;
            let _e42 = jacobian;
            let _e43 = handedness;
            let _e44 = pelt_map_of(_e41, _e42, _e43);
            motion.linear = _e44;
        }
    }
    let _e45 = rest_1;
    let _e46 = motion;
    let _e47 = influences_1;
    let _e48 = pelt_move_crs(_e45, _e46, _e47);
    return _e48;
}
