// SPDX-License-Identifier: MIT
// Accurate normals of pelt, translated from its GLSL by tools/shaders.
// Goes after pelt_skin, and needs pelt_normal_texel() as well.

// Accurate normals: slots for factors per vertex, and whether the texture has centers of rotation
// (0 or 1).
override PELT_NORMAL_SLOTS: i32 = 4;
override PELT_NORMAL_CENTERS: i32 = 0;

struct pelt_factor {
    joint: u32,
    weight: f32,
    gradient: vec2<f32>,
    moments: vec4<f32>,
}

struct pelt_gradients {
    axes: mat2x3<f32>,
    normal: vec3<f32>,
    center: vec3<f32>,
    center_derivatives: mat2x3<f32>,
    first: i32,
    count: i32,
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

fn pelt_plane_axes(tangent: vec3<f32>, normal: vec3<f32>, projected: vec2<f32>) -> mat3x3<f32> {
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
    let _e17 = normal_1;
    let _e18 = tangent_1;
    bitangent = cross(_e17, _e18);
    let _e23 = projected_1;
    let _e24 = projected_1;
    k = (2f / (1f + dot(_e23, _e24)));
    let _e29 = projected_1;
    let _e31 = tangent_1;
    let _e33 = projected_1;
    let _e35 = bitangent;
    offset = ((_e29.x * _e31) + (_e33.y * _e35));
    let _e39 = k;
    let _e40 = offset;
    let _e41 = normal_1;
    sum = (_e39 * (_e40 + _e41));
    let _e45 = tangent_1;
    let _e46 = projected_1;
    let _e48 = sum;
    let _e50 = (_e45 - (_e46.x * _e48));
    let _e51 = bitangent;
    let _e52 = projected_1;
    let _e54 = sum;
    let _e56 = (_e51 - (_e52.y * _e54));
    let _e57 = sum;
    let _e58 = normal_1;
    let _e59 = (_e57 - _e58);
    return mat3x3<f32>(vec3<f32>(_e50.x, _e50.y, _e50.z), vec3<f32>(_e56.x, _e56.y, _e56.z), vec3<f32>(_e59.x, _e59.y, _e59.z));
}

fn pelt_is_bent_by_stretch(influences: pelt_influences) -> bool {
    var influences_1: pelt_influences;

    influences_1 = influences;
    let _e21 = influences_1.weights[1];
    return (((PELT_SCALE == 1i) && (PELT_INFLUENCES > 1i)) && (_e21 > 0f));
}

fn pelt_factor_of_influence(influences: pelt_influences, i: i32) -> pelt_factor {
    var influences_1: pelt_influences;
    var i_1: i32;
    var weight: f32;

    influences_1 = influences;
    i_1 = i;
    let _e15 = i_1;
    let _e18 = influences_1.weights[_e15];
    weight = _e18;
    let _e20 = i_1;
    let _e23 = influences_1.joints[_e20];
    let _e24 = weight;
    let _e27 = weight;
    let _e30 = weight;
    return pelt_factor(_e23, _e24, vec2(0f), vec4<f32>(_e27, 0f, 0f, _e30));
}

fn pelt_gradients_at(rest: pelt_rest, influences: pelt_influences, is_bent: bool) -> pelt_gradients {
    var rest_1: pelt_rest;
    var influences_1: pelt_influences;
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
    var axes: mat3x3<f32>;
    var more: vec4<f32>;

    rest_1 = rest;
    influences_1 = influences;
    is_bent_1 = is_bent;
    if (PELT_NORMAL_CENTERS != 0i) {
        local = 4i;
    } else {
        local = 2i;
    }
    let _e23 = local;
    header = _e23;
    let _e25 = rest_1;
    let _e27 = header;
    at = (_e25.index * (_e27 + (2i * PELT_NORMAL_SLOTS)));
    let _e33 = at;
    let _e34 = pelt_normal_texel(_e33);
    tangent_count = _e34;
    let _e36 = at;
    let _e39 = pelt_normal_texel((_e36 + 1i));
    projected = _e39;
    let _e43 = tangent_count;
    gradients.count = i32(_e43.w);
    let _e47 = gradients;
    if (_e47.count > 0i) {
        let _e51 = at;
        let _e52 = header;
        local_1 = (_e51 + _e52);
    } else {
        local_1 = -1i;
    }
    let _e57 = local_1;
    gradients.first = _e57;
    let _e58 = is_bent_1;
    let _e59 = gradients;
    if (_e58 && (_e59.count == 0i)) {
        {
            gradients.count = PELT_INFLUENCES;
        }
    }
    let _e65 = rest_1;
    let _e67 = pelt_normalize(_e65.normal);
    n = _e67;
    let _e69 = tangent_count;
    t = _e69.xyz;
    let _e72 = t;
    let _e73 = t;
    let _e74 = n;
    let _e76 = n;
    let _e79 = pelt_normalize((_e72 - (dot(_e73, _e74) * _e76)));
    let _e80 = n;
    let _e81 = projected;
    let _e83 = pelt_plane_axes(_e79, _e80, _e81.xy);
    axes = _e83;
    let _e88 = axes[0];
    let _e91 = axes[1];
    gradients.axes = mat2x3<f32>(vec3<f32>(_e88.x, _e88.y, _e88.z), vec3<f32>(_e91.x, _e91.y, _e91.z));
    let _e104 = axes[2];
    gradients.normal = _e104;
    let _e106 = rest_1;
    gradients.center = _e106.center;
    gradients.center_derivatives = mat2x3<f32>(vec3<f32>(0f, 0f, 0f), vec3<f32>(0f, 0f, 0f));
    if (PELT_NORMAL_CENTERS != 0i) {
        {
            let _e116 = at;
            let _e119 = pelt_normal_texel((_e116 + 2i));
            more = _e119;
            let _e122 = projected;
            let _e123 = _e122.zw;
            let _e124 = more;
            gradients.center = vec3<f32>(_e123.x, _e123.y, _e124.x);
            let _e130 = more;
            let _e131 = _e130.yzw;
            let _e132 = at;
            let _e135 = pelt_normal_texel((_e132 + 3i));
            let _e136 = _e135.xyz;
            gradients.center_derivatives = mat2x3<f32>(vec3<f32>(_e131.x, _e131.y, _e131.z), vec3<f32>(_e136.x, _e136.y, _e136.z));
        }
    }
    let _e146 = gradients;
    return _e146;
}

fn pelt_factor_at(gradients: pelt_gradients, influences: pelt_influences, i: i32) -> pelt_factor {
    var gradients_1: pelt_gradients;
    var influences_1: pelt_influences;
    var i_1: i32;
    var head: vec4<f32>;
    var moments: vec4<f32>;

    gradients_1 = gradients;
    influences_1 = influences;
    i_1 = i;
    let _e20 = gradients_1;
    if ((PELT_SCALE == 1i) && (_e20.first < 0i)) {
        {
            let _e25 = influences_1;
            let _e26 = i_1;
            let _e27 = pelt_factor_of_influence(_e25, _e26);
            return _e27;
        }
    }
    let _e28 = gradients_1;
    let _e31 = i_1;
    let _e34 = pelt_normal_texel((_e28.first + (2i * _e31)));
    head = _e34;
    let _e36 = gradients_1;
    let _e39 = i_1;
    let _e44 = pelt_normal_texel(((_e36.first + (2i * _e39)) + 1i));
    moments = _e44;
    let _e46 = head;
    let _e49 = head;
    let _e51 = head;
    let _e53 = moments;
    return pelt_factor(u32(_e46.x), _e49.y, _e51.zw, _e53);
}

fn pelt_moments_of(gradients: pelt_gradients, factor: pelt_factor) -> mat2x3<f32> {
    var gradients_1: pelt_gradients;
    var factor_1: pelt_factor;

    gradients_1 = gradients;
    factor_1 = factor;
    let _e16 = gradients_1;
    let _e18 = factor_1;
    let _e20 = _e18.moments.xy;
    let _e21 = factor_1;
    let _e23 = _e21.moments.zw;
    return (_e16.axes * mat2x2<f32>(vec2<f32>(_e20.x, _e20.y), vec2<f32>(_e23.x, _e23.y)));
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
    let _e20 = jacobian_1[0];
    let _e23 = jacobian_1[1];
    product = cross(_e20, _e23);
    let _e26 = product;
    size = length(_e26);
    let _e29 = size;
    if (_e29 > 0f) {
        let _e32 = product;
        let _e33 = handedness_1;
        let _e34 = size;
        local = (_e32 * (_e33 / sqrt(_e34)));
    } else {
        local = vec3(0f);
    }
    let _e41 = local;
    normal = _e41;
    let _e43 = jacobian_1;
    let _e44 = gradients_1;
    let _e48 = gradients_1;
    let _e51 = normal;
    let _e52 = (_e48.normal.x * _e51);
    let _e53 = gradients_1;
    let _e56 = normal;
    let _e57 = (_e53.normal.y * _e56);
    let _e58 = gradients_1;
    let _e61 = normal;
    let _e62 = (_e58.normal.z * _e61);
    return ((_e43 * transpose(_e44.axes)) + mat3x3<f32>(vec3<f32>(_e52.x, _e52.y, _e52.z), vec3<f32>(_e57.x, _e57.y, _e57.z), vec3<f32>(_e62.x, _e62.y, _e62.z)));
}

fn pelt_signed_rotation(influences: pelt_influences, joint: u32) -> vec4<f32> {
    var influences_1: pelt_influences;
    var joint_1: u32;
    var q: vec4<f32>;

    influences_1 = influences;
    joint_1 = joint;
    let _e16 = joint_1;
    let _e17 = pelt_palette_rotation(_e16);
    q = _e17;
    let _e19 = q;
    let _e23 = influences_1.joints[0];
    let _e24 = pelt_palette_rotation(_e23);
    let _e25 = pelt_sign_of(_e19, _e24);
    let _e26 = q;
    return (_e25 * _e26);
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
        let _e29 = i;
        let _e30 = gradients_1;
        if !((_e29 < _e30.count)) {
            break;
        }
        {
            let _e37 = gradients_1;
            let _e38 = influences_1;
            let _e39 = i;
            let _e40 = pelt_factor_at(_e37, _e38, _e39);
            factor = _e40;
            let _e43 = mean;
            let _e45 = factor;
            let _e47 = influences_1;
            let _e48 = factor;
            let _e50 = pelt_signed_rotation(_e47, _e48.joint);
            mean.sum = (_e43.sum + (_e45.weight * _e50));
            let _e54 = mean;
            let _e56 = factor;
            let _e58 = factor;
            let _e60 = pelt_joint_stretch(_e58.joint);
            mean.stretch = (_e54.stretch + (_e56.weight * _e60));
        }
        continuing {
            let _e34 = i;
            i = (_e34 + 1i);
        }
    }
    if (PELT_SCALE == 0i) {
        {
            mean.stretch = mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
        }
    }
    let _e73 = mean;
    let _e75 = pelt_is_canceled(_e73.sum);
    mean.is_canceled = _e75;
    let _e79 = influences_1.joints[0];
    let _e80 = pelt_palette_rotation(_e79);
    strongest = _e80;
    let _e83 = mean;
    if _e83.is_canceled {
        let _e85 = strongest;
        local = _e85;
    } else {
        let _e86 = mean;
        local = normalize(_e86.sum);
    }
    let _e90 = local;
    let _e91 = pelt_mat3_from_quat(_e90);
    mean.rotation = _e91;
    let _e92 = mean;
    return _e92;
}

fn pelt_angular_velocity(mean: pelt_mean, change: vec4<f32>) -> vec3<f32> {
    var mean_1: pelt_mean;
    var change_1: vec4<f32>;
    var product: vec3<f32>;
    var local: vec3<f32>;

    mean_1 = mean;
    change_1 = change;
    let _e16 = change_1;
    let _e17 = mean_1;
    let _e19 = pelt_quat_conjugate(_e17.sum);
    let _e20 = pelt_quat_mul(_e16, _e19);
    product = _e20.xyz;
    let _e23 = mean_1;
    if _e23.is_canceled {
        local = vec3(0f);
    } else {
        let _e27 = product;
        let _e29 = mean_1;
        let _e31 = mean_1;
        local = (_e27 * (2f / dot(_e29.sum, _e31.sum)));
    }
    let _e37 = local;
    return _e37;
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
        let _e32 = i;
        let _e33 = gradients_1;
        if !((_e32 < _e33.count)) {
            break;
        }
        {
            let _e40 = gradients_1;
            let _e41 = influences_1;
            let _e42 = i;
            let _e43 = pelt_factor_at(_e40, _e41, _e42);
            factor = _e43;
            let _e45 = gradients_1;
            let _e46 = factor;
            let _e47 = pelt_moments_of(_e45, _e46);
            moments = _e47;
            let _e49 = mean_1;
            let _e51 = mean_1;
            let _e53 = moments;
            moved = (_e49.rotation * (_e51.stretch * _e53));
            let _e57 = influences_1;
            let _e58 = factor;
            let _e60 = pelt_signed_rotation(_e57, _e58.joint);
            change = _e60;
            let _e62 = mean_1;
            let _e63 = change;
            let _e64 = pelt_angular_velocity(_e62, _e63);
            velocity = _e64;
            let _e66 = stretched;
            let _e67 = factor;
            let _e69 = pelt_joint_stretch(_e67.joint);
            let _e70 = moments;
            stretched = (_e66 + (_e69 * _e70));
            let _e73 = rotated;
            let _e74 = velocity;
            let _e77 = moved[0];
            let _e78 = cross(_e74, _e77);
            let _e79 = velocity;
            let _e82 = moved[1];
            let _e83 = cross(_e79, _e82);
            rotated = (_e73 + mat2x3<f32>(vec3<f32>(_e78.x, _e78.y, _e78.z), vec3<f32>(_e83.x, _e83.y, _e83.z)));
        }
        continuing {
            let _e37 = i;
            i = (_e37 + 1i);
        }
    }
    let _e94 = mean_1;
    let _e96 = stretched;
    let _e98 = rotated;
    return ((_e94.rotation * _e96) + _e98);
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
            let _e26 = sum;
            return _e26;
        }
    }
    loop {
        let _e29 = i;
        let _e30 = gradients_1;
        if !((_e29 < _e30.count)) {
            break;
        }
        {
            let _e37 = gradients_1;
            let _e38 = influences_1;
            let _e39 = i;
            let _e40 = pelt_factor_at(_e37, _e38, _e39);
            factor = _e40;
            let _e42 = sum;
            let _e43 = factor;
            let _e45 = pelt_joint_stretch(_e43.joint);
            let _e46 = v_1;
            let _e48 = factor;
            let _e50 = pelt_outer((_e45 * _e46), _e48.gradient);
            sum = (_e42 + _e50);
        }
        continuing {
            let _e34 = i;
            i = (_e34 + 1i);
        }
    }
    let _e52 = sum;
    return _e52;
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
    let _e18 = position_1;
    let _e27 = influences_1.joints[0];
    let _e28 = pelt_palette_matrix(_e27);
    origin = (vec4<f32>(_e18.x, _e18.y, _e18.z, 1f) * _e28);
    loop {
        let _e39 = i;
        let _e40 = gradients_1;
        if !((_e39 < _e40.count)) {
            break;
        }
        {
            let _e47 = gradients_1;
            let _e48 = influences_1;
            let _e49 = i;
            let _e50 = pelt_factor_at(_e47, _e48, _e49);
            factor = _e50;
            let _e52 = factor;
            let _e54 = pelt_palette_matrix(_e52.joint);
            matrix = _e54;
            let _e56 = position_1;
            let _e62 = matrix;
            let _e64 = origin;
            offset = ((vec4<f32>(_e56.x, _e56.y, _e56.z, 1f) * _e62) - _e64);
            let _e67 = jacobian;
            let _e68 = matrix;
            let _e79 = gradients_1;
            let _e80 = factor;
            let _e81 = pelt_moments_of(_e79, _e80);
            let _e83 = offset;
            let _e84 = factor;
            let _e86 = pelt_outer(_e83, _e84.gradient);
            jacobian = (_e67 + ((transpose(mat3x3<f32>(_e68[0].xyz, _e68[1].xyz, _e68[2].xyz)) * _e81) + _e86));
        }
        continuing {
            let _e44 = i;
            i = (_e44 + 1i);
        }
    }
    let _e89 = jacobian;
    return _e89;
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
    let _e16 = influences_1;
    let _e17 = pelt_is_unweighted(_e16);
    if _e17 {
        {
            let _e18 = rest_1;
            let _e19 = pelt_vertex_at_rest(_e18);
            return _e19;
        }
    }
    let _e20 = rest_1;
    let _e21 = influences_1;
    let _e22 = pelt_skin_lbs(_e20, _e21);
    motion = _e22;
    let _e24 = influences_1;
    let _e25 = pelt_strongest_matrix(_e24);
    let _e26 = pelt_handedness_of(_e25);
    handedness = _e26;
    let _e28 = rest_1;
    let _e29 = influences_1;
    let _e31 = pelt_gradients_at(_e28, _e29, false);
    gradients = _e31;
    let _e33 = gradients;
    if (_e33.count > 0i) {
        {
            let _e37 = rest_1;
            let _e39 = influences_1;
            let _e40 = gradients;
            let _e41 = pelt_jacobian_lbs(_e37.position, _e39, _e40);
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
    let _e51 = pelt_move_lbs(_e48, _e49, _e50);
    return _e51;
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
            let _e20 = position_1;
            let _e26 = joint_1;
            let _e27 = pelt_palette_matrix(_e26);
            return (vec4<f32>(_e20.x, _e20.y, _e20.z, 1f) * _e27);
        }
    }
    if (PELT_SCALE == 2i) {
        {
            let _e31 = joint_1;
            let _e32 = pelt_palette_rotation(_e31);
            let _e33 = pelt_mat3_from_quat(_e32);
            let _e34 = stretch_1;
            let _e35 = position_1;
            let _e38 = joint_1;
            let _e39 = pelt_joint_translation(_e38);
            return ((_e33 * (_e34 * _e35)) + _e39);
        }
    }
    let _e41 = joint_1;
    let _e42 = pelt_palette_motion(_e41);
    motion = _e42;
    let _e44 = motion;
    let _e46 = pelt_mat3_from_quat(_e44.real);
    let _e47 = position_1;
    let _e49 = motion;
    let _e50 = pelt_dquat_translation(_e49);
    return ((_e46 * _e47) + _e50);
}

fn pelt_times_vector(v: vec3<f32>, q: vec4<f32>) -> vec4<f32> {
    var v_1: vec3<f32>;
    var q_1: vec4<f32>;

    v_1 = v;
    q_1 = q;
    let _e16 = v_1;
    let _e22 = q_1;
    let _e23 = pelt_quat_mul(vec4<f32>(_e16.x, _e16.y, _e16.z, 0f), _e22);
    return _e23;
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
    let _e23 = influences_1.joints[0];
    let _e24 = position_1;
    let _e25 = mean_1;
    let _e27 = pelt_joint_target(_e23, _e24, _e25.stretch);
    origin = _e27;
    loop {
        let _e46 = i;
        let _e47 = gradients_1;
        if !((_e46 < _e47.count)) {
            break;
        }
        {
            let _e54 = gradients_1;
            let _e55 = influences_1;
            let _e56 = i;
            let _e57 = pelt_factor_at(_e54, _e55, _e56);
            factor = _e57;
            let _e59 = influences_1;
            let _e60 = factor;
            let _e62 = pelt_signed_rotation(_e59, _e60.joint);
            q = _e62;
            let _e64 = factor;
            let _e66 = position_1;
            let _e67 = mean_1;
            let _e69 = pelt_joint_target(_e64.joint, _e66, _e67.stretch);
            let _e70 = origin;
            offset = (_e69 - _e70);
            let _e73 = offset;
            let _e74 = q;
            let _e75 = pelt_times_vector(_e73, _e74);
            moment = _e75;
            let _e77 = mean_moment;
            let _e78 = factor;
            let _e80 = moment;
            mean_moment = (_e77 + (_e78.weight * _e80));
            let _e83 = sums;
            let _e84 = q;
            let _e85 = factor;
            let _e87 = pelt_outer_quat(_e84, _e85.gradient);
            sums = (_e83 + _e87);
            let _e89 = moments;
            let _e90 = moment;
            let _e91 = factor;
            let _e93 = pelt_outer_quat(_e90, _e91.gradient);
            moments = (_e89 + _e93);
        }
        continuing {
            let _e51 = i;
            i = (_e51 + 1i);
        }
    }
    let _e96 = mean_1;
    let _e98 = mean_1;
    scale = (1f / dot(_e96.sum, _e98.sum));
    let _e103 = mean_1;
    let _e105 = pelt_quat_conjugate(_e103.sum);
    back = _e105;
    let _e107 = scale;
    let _e108 = mean_moment;
    let _e109 = back;
    let _e110 = pelt_quat_mul(_e108, _e109);
    x = (_e107 * _e110.xyz);
    let _e114 = mean_moment;
    let _e115 = x;
    let _e116 = mean_1;
    let _e118 = pelt_times_vector(_e115, _e116.sum);
    mean_moment = (_e114 - _e118);
    loop {
        let _e123 = axis;
        if !((_e123 < 2i)) {
            break;
        }
        {
            let _e130 = axis;
            let _e132 = moments[_e130];
            let _e133 = x;
            let _e134 = axis;
            let _e136 = sums[_e134];
            let _e137 = pelt_times_vector(_e133, _e136);
            moment_1 = (_e132 - _e137);
            let _e140 = moment_1;
            let _e141 = back;
            let _e142 = pelt_quat_mul(_e140, _e141);
            let _e143 = mean_moment;
            let _e144 = axis;
            let _e146 = sums[_e144];
            let _e147 = pelt_quat_conjugate(_e146);
            let _e148 = pelt_quat_mul(_e143, _e147);
            change = (_e142 + _e148);
            let _e151 = axis;
            let _e153 = scale;
            let _e154 = change;
            changes[_e151] = (_e153 * _e154.xyz);
        }
        continuing {
            let _e127 = axis;
            axis = (_e127 + 1i);
        }
    }
    let _e157 = changes;
    return _e157;
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
        let _e25 = i;
        let _e26 = gradients_1;
        if !((_e25 < _e26.count)) {
            break;
        }
        {
            let _e33 = gradients_1;
            let _e34 = influences_1;
            let _e35 = i;
            let _e36 = pelt_factor_at(_e33, _e34, _e35);
            factor = _e36;
            let _e38 = factor;
            let _e40 = influences_1;
            let _e41 = factor;
            let _e43 = pelt_signed_rotation(_e40, _e41.joint);
            q = (_e38.weight * _e43);
            let _e46 = factor;
            let _e48 = pelt_palette_matrix(_e46.joint);
            linear = transpose(mat3x3<f32>(_e48[0].xyz, _e48[1].xyz, _e48[2].xyz));
            let _e60 = columns;
            let _e63 = linear[0];
            let _e64 = q;
            let _e65 = pelt_times_vector(_e63, _e64);
            let _e68 = linear[1];
            let _e69 = q;
            let _e70 = pelt_times_vector(_e68, _e69);
            let _e73 = linear[2];
            let _e74 = q;
            let _e75 = pelt_times_vector(_e73, _e74);
            columns = (_e60 + mat3x4<f32>(vec4<f32>(_e65.x, _e65.y, _e65.z, _e65.w), vec4<f32>(_e70.x, _e70.y, _e70.z, _e70.w), vec4<f32>(_e75.x, _e75.y, _e75.z, _e75.w)));
        }
        continuing {
            let _e30 = i;
            i = (_e30 + 1i);
        }
    }
    let _e93 = columns;
    return _e93;
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
    let _e18 = influences_1;
    let _e19 = gradients_1;
    let _e20 = pelt_blend_columns(_e18, _e19);
    columns = _e20;
    loop {
        let _e42 = i;
        let _e43 = gradients_1;
        if !((_e42 < _e43.count)) {
            break;
        }
        {
            let _e50 = gradients_1;
            let _e51 = influences_1;
            let _e52 = i;
            let _e53 = pelt_factor_at(_e50, _e51, _e52);
            factor = _e53;
            let _e55 = influences_1;
            let _e56 = factor;
            let _e58 = pelt_signed_rotation(_e55, _e56.joint);
            q = _e58;
            let _e60 = gradients_1;
            let _e61 = factor;
            let _e62 = pelt_moments_of(_e60, _e61);
            moments = _e62;
            let _e64 = moments;
            let _e65 = factor;
            let _e67 = gradients_1;
            excess = (_e64 - (_e65.weight * _e67.axes));
            let _e72 = factor;
            let _e74 = pelt_palette_matrix(_e72.joint);
            let _e85 = moments;
            moved = (transpose(mat3x3<f32>(_e74[0].xyz, _e74[1].xyz, _e74[2].xyz)) * _e85);
            let _e88 = columns;
            let _e89 = excess;
            blended = (_e88 * _e89);
            let _e92 = q;
            let _e93 = pelt_quat_conjugate(_e92);
            back = _e93;
            let _e95 = firsts;
            let _e98 = moved[0];
            let _e99 = q;
            let _e100 = pelt_times_vector(_e98, _e99);
            let _e103 = moved[1];
            let _e104 = q;
            let _e105 = pelt_times_vector(_e103, _e104);
            firsts = (_e95 + mat2x4<f32>(vec4<f32>(_e100.x, _e100.y, _e100.z, _e100.w), vec4<f32>(_e105.x, _e105.y, _e105.z, _e105.w)));
            let _e118 = seconds;
            let _e121 = blended[0];
            let _e122 = back;
            let _e123 = pelt_quat_mul(_e121, _e122);
            let _e126 = blended[1];
            let _e127 = back;
            let _e128 = pelt_quat_mul(_e126, _e127);
            seconds = (_e118 + mat2x4<f32>(vec4<f32>(_e123.x, _e123.y, _e123.z, _e123.w), vec4<f32>(_e128.x, _e128.y, _e128.z, _e128.w)));
            let _e141 = thirds;
            let _e142 = mean_1;
            let _e144 = q;
            let _e146 = excess;
            thirds = (_e141 + (dot(_e142.sum, _e144) * _e146));
        }
        continuing {
            let _e47 = i;
            i = (_e47 + 1i);
        }
    }
    let _e150 = mean_1;
    let _e152 = mean_1;
    scale = (1f / dot(_e150.sum, _e152.sum));
    let _e157 = firsts;
    let _e159 = scale;
    let _e161 = columns;
    let _e162 = thirds;
    whole = (_e157 - ((2f * _e159) * (_e161 * _e162)));
    let _e167 = mean_1;
    let _e169 = pelt_quat_conjugate(_e167.sum);
    back_1 = _e169;
    let _e171 = scale;
    let _e174 = whole[0];
    let _e175 = back_1;
    let _e176 = pelt_quat_mul(_e174, _e175);
    let _e180 = seconds[0];
    let _e182 = (_e176.xyz + _e180.xyz);
    let _e185 = whole[1];
    let _e186 = back_1;
    let _e187 = pelt_quat_mul(_e185, _e186);
    let _e191 = seconds[1];
    let _e193 = (_e187.xyz + _e191.xyz);
    return (_e171 * mat2x3<f32>(vec3<f32>(_e182.x, _e182.y, _e182.z), vec3<f32>(_e193.x, _e193.y, _e193.z)));
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
    let _e20 = influences_1;
    let _e21 = gradients_1;
    let _e22 = mean_1;
    let _e23 = pelt_derive_map(_e20, _e21, _e22);
    let _e24 = mean_1;
    let _e26 = influences_1;
    let _e27 = gradients_1;
    let _e28 = position_1;
    let _e29 = pelt_derive_stretch(_e26, _e27, _e28);
    return (_e23 + (_e24.rotation * _e29));
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
    let _e18 = influences_1;
    let _e19 = gradients_1;
    let _e20 = pelt_mean_at(_e18, _e19);
    mean = _e20;
    let _e22 = mean;
    if _e22.is_canceled {
        {
            let _e24 = influences_1;
            let _e25 = gradients_1;
            let _e26 = mean;
            let _e27 = pelt_derive_map(_e24, _e25, _e26);
            return _e27;
        }
    }
    let _e28 = position_1;
    let _e29 = influences_1;
    let _e30 = gradients_1;
    let _e31 = mean;
    let _e32 = pelt_derive_weights(_e28, _e29, _e30, _e31);
    changes = _e32;
    if (PELT_SCALE == 1i) {
        {
            let _e36 = influences_1;
            let _e37 = gradients_1;
            let _e38 = mean;
            let _e39 = pelt_derive_position(_e36, _e37, _e38);
            let _e40 = changes;
            return (_e39 + _e40);
        }
    }
    let _e42 = position_1;
    let _e43 = influences_1;
    let _e44 = gradients_1;
    let _e45 = mean;
    let _e46 = pelt_derive_phases(_e42, _e43, _e44, _e45);
    let _e47 = changes;
    return (_e46 + _e47);
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
    let _e16 = influences_1;
    let _e17 = pelt_is_unweighted(_e16);
    if _e17 {
        {
            let _e18 = rest_1;
            let _e19 = pelt_vertex_at_rest(_e18);
            return _e19;
        }
    }
    let _e20 = rest_1;
    let _e21 = influences_1;
    let _e22 = pelt_skin_dqs(_e20, _e21);
    motion = _e22;
    let _e24 = influences_1;
    let _e25 = pelt_strongest_handedness(_e24);
    handedness = _e25;
    let _e27 = rest_1;
    let _e28 = influences_1;
    let _e29 = influences_1;
    let _e30 = pelt_is_bent_by_stretch(_e29);
    let _e31 = pelt_gradients_at(_e27, _e28, _e30);
    gradients = _e31;
    let _e33 = gradients;
    if (_e33.count > 0i) {
        {
            let _e37 = rest_1;
            let _e39 = influences_1;
            let _e40 = gradients;
            let _e41 = pelt_jacobian_dqs(_e37.position, _e39, _e40);
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
    let _e51 = pelt_move_dqs(_e48, _e49, _e50);
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
    let _e21 = factor_1;
    let _e23 = position_1;
    let _e24 = influences_1;
    let _e25 = gradients_1;
    let _e26 = pelt_jacobian_lbs(_e23, _e24, _e25);
    let _e28 = factor_1;
    let _e29 = position_1;
    let _e30 = influences_1;
    let _e31 = gradients_1;
    let _e32 = pelt_jacobian_dqs(_e29, _e30, _e31);
    return (((1f - _e21) * _e26) + (_e28 * _e32));
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
    let _e16 = influences_1;
    let _e17 = pelt_is_unweighted(_e16);
    if _e17 {
        {
            let _e18 = rest_1;
            let _e19 = pelt_vertex_at_rest(_e18);
            return _e19;
        }
    }
    let _e20 = rest_1;
    let _e21 = influences_1;
    let _e22 = pelt_skin_mix(_e20, _e21);
    motion = _e22;
    let _e24 = influences_1;
    let _e25 = pelt_strongest_handedness(_e24);
    handedness = _e25;
    let _e27 = rest_1;
    let _e28 = influences_1;
    let _e29 = influences_1;
    let _e30 = pelt_is_bent_by_stretch(_e29);
    let _e31 = pelt_gradients_at(_e27, _e28, _e30);
    gradients = _e31;
    let _e33 = gradients;
    if (_e33.count > 0i) {
        {
            let _e37 = rest_1;
            let _e39 = influences_1;
            let _e40 = gradients;
            let _e41 = rest_1;
            let _e43 = pelt_jacobian_mix(_e37.position, _e39, _e40, _e41.mix_factor);
            jacobian = _e43;
            let _e46 = gradients;
            let _e47 = jacobian;
            let _e48 = handedness;
            let _e49 = pelt_map_of(_e46, _e47, _e48);
            motion.linear = _e49;
        }
    }
    let _e50 = rest_1;
    let _e51 = motion;
    let _e52 = influences_1;
    let _e53 = pelt_move_mix(_e50, _e51, _e52);
    return _e53;
}

fn pelt_center_matrix(joint: u32) -> mat3x4<f32> {
    var joint_1: u32;
    var rows: mat3x3<f32>;
    var translation: vec3<f32>;

    joint_1 = joint;
    if (PELT_SCALE == 2i) {
        {
            let _e16 = joint_1;
            let _e17 = pelt_palette_rotation(_e16);
            let _e18 = pelt_mat3_from_quat(_e17);
            rows = transpose(_e18);
            let _e21 = joint_1;
            let _e22 = pelt_joint_translation(_e21);
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
    let _e68 = pelt_palette_matrix(_e67);
    return _e68;
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
    let _e18 = gradients_1;
    start = vec4<f32>(_e18.center.x, _e18.center.y, _e18.center.z, 1f);
    let _e26 = gradients_1;
    derivatives = _e26.center_derivatives;
    if (PELT_SCALE == 2i) {
        {
            let _e31 = start;
            let _e33 = mean_1;
            let _e35 = gradients_1;
            let _e37 = (_e33.stretch * _e35.center);
            start.x = _e37.x;
            start.y = _e37.y;
            start.z = _e37.z;
            let _e44 = mean_1;
            let _e46 = derivatives;
            let _e48 = influences_1;
            let _e49 = gradients_1;
            let _e50 = gradients_1;
            let _e52 = pelt_derive_stretch(_e48, _e49, _e50.center);
            derivatives = ((_e44.stretch * _e46) + _e52);
        }
    }
    let _e54 = start;
    let _e58 = influences_1.joints[0];
    let _e59 = pelt_center_matrix(_e58);
    origin = (_e54 * _e59);
    loop {
        let _e77 = i;
        let _e78 = gradients_1;
        if !((_e77 < _e78.count)) {
            break;
        }
        {
            let _e85 = gradients_1;
            let _e86 = influences_1;
            let _e87 = i;
            let _e88 = pelt_factor_at(_e85, _e86, _e87);
            factor = _e88;
            let _e90 = factor;
            let _e92 = pelt_center_matrix(_e90.joint);
            matrix = _e92;
            let _e94 = linear;
            let _e95 = factor;
            let _e97 = matrix;
            linear = (_e94 + (_e95.weight * transpose(mat3x3<f32>(_e97[0].xyz, _e97[1].xyz, _e97[2].xyz))));
            let _e110 = changes;
            let _e111 = start;
            let _e112 = matrix;
            let _e114 = origin;
            let _e116 = factor;
            let _e118 = pelt_outer(((_e111 * _e112) - _e114), _e116.gradient);
            changes = (_e110 + _e118);
        }
        continuing {
            let _e82 = i;
            i = (_e82 + 1i);
        }
    }
    let _e120 = changes;
    let _e121 = linear;
    let _e122 = derivatives;
    return (_e120 + (_e121 * _e122));
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
            let _e41 = change;
            let _e42 = influences_1;
            let _e43 = factor;
            let _e45 = pelt_signed_rotation(_e42, _e43.joint);
            let _e46 = factor;
            let _e48 = pelt_outer_quat(_e45, _e46.gradient);
            change = (_e41 + _e48);
        }
        continuing {
            let _e33 = i;
            i = (_e33 + 1i);
        }
    }
    let _e50 = mean_1;
    let _e52 = mean_1;
    let _e54 = offset_1;
    moved = (_e50.rotation * (_e52.stretch * _e54));
    let _e58 = mean_1;
    let _e61 = change[0];
    let _e62 = pelt_angular_velocity(_e58, _e61);
    let _e63 = moved;
    let _e64 = cross(_e62, _e63);
    let _e65 = mean_1;
    let _e68 = change[1];
    let _e69 = pelt_angular_velocity(_e65, _e68);
    let _e70 = moved;
    let _e71 = cross(_e69, _e70);
    return mat2x3<f32>(vec3<f32>(_e64.x, _e64.y, _e64.z), vec3<f32>(_e71.x, _e71.y, _e71.z));
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
    let _e18 = influences_1;
    let _e19 = gradients_1;
    let _e20 = pelt_mean_at(_e18, _e19);
    mean = _e20;
    let _e22 = position_1;
    let _e23 = gradients_1;
    offset = (_e22 - _e23.center);
    let _e27 = influences_1;
    let _e28 = gradients_1;
    let _e29 = offset;
    let _e30 = pelt_derive_stretch(_e27, _e28, _e29);
    let _e31 = mean;
    let _e33 = gradients_1;
    along = (_e30 - (_e31.stretch * _e33.center_derivatives));
    let _e38 = influences_1;
    let _e39 = gradients_1;
    let _e40 = mean;
    let _e41 = pelt_derive_map(_e38, _e39, _e40);
    let _e42 = mean;
    let _e44 = along;
    let _e47 = influences_1;
    let _e48 = gradients_1;
    let _e49 = mean;
    let _e50 = pelt_derive_center(_e47, _e48, _e49);
    let _e52 = influences_1;
    let _e53 = gradients_1;
    let _e54 = mean;
    let _e55 = offset;
    let _e56 = pelt_derive_rotation(_e52, _e53, _e54, _e55);
    return (((_e41 + (_e42.rotation * _e44)) + _e50) + _e56);
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
    let _e16 = influences_1;
    let _e17 = pelt_is_unweighted(_e16);
    if _e17 {
        {
            let _e18 = rest_1;
            let _e19 = pelt_vertex_at_rest(_e18);
            return _e19;
        }
    }
    let _e20 = rest_1;
    let _e21 = influences_1;
    let _e22 = pelt_skin_crs(_e20, _e21);
    motion = _e22;
    let _e24 = influences_1;
    let _e25 = pelt_strongest_handedness(_e24);
    handedness = _e25;
    let _e27 = rest_1;
    let _e28 = influences_1;
    let _e30 = pelt_gradients_at(_e27, _e28, false);
    gradients = _e30;
    let _e32 = gradients;
    if (_e32.count > 0i) {
        {
            let _e36 = rest_1;
            let _e38 = influences_1;
            let _e39 = gradients;
            let _e40 = pelt_jacobian_crs(_e36.position, _e38, _e39);
            jacobian = _e40;
            let _e43 = gradients;
            let _e44 = jacobian;
            let _e45 = handedness;
            let _e46 = pelt_map_of(_e43, _e44, _e45);
            motion.linear = _e46;
        }
    }
    let _e47 = rest_1;
    let _e48 = motion;
    let _e49 = influences_1;
    let _e50 = pelt_move_crs(_e47, _e48, _e49);
    return _e50;
}
