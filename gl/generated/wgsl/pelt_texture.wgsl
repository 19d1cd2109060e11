// SPDX-License-Identifier: MIT
// Animation textures of pelt, translated from its GLSL by tools/shaders.
// Goes after pelt_skin, and needs pelt_baked_texel() as well.

// Animation textures: 32-bit words per texel (4, 2 or 1); width in texels (0: that of the texture);
// encoding of motions; and layout.
override PELT_BAKED_TEXEL_WORDS: i32 = 4;
override PELT_BAKED_WIDTH: i32 = 0;
const PELT_BAKED_POSE: i32 = 0;   // rotation, position and stretch; encodings qt and local
const PELT_BAKED_MATRIX: i32 = 1; // encoding matrix
const PELT_BAKED_DUAL: i32 = 2;   // encoding dq
override PELT_BAKED_KIND: i32 = PELT_BAKED_POSE;
const PELT_BAKED_MODERN: i32 = 0;
const PELT_BAKED_THESIS: i32 = 1; // encodings matrix and dq, with one word per texel
override PELT_BAKED_LAYOUT: i32 = PELT_BAKED_MODERN;

struct pelt_words {
    texel: u32,
    channels: vec4<u32>,
}

struct pelt_moment {
    table: u32,
    key: u32,
    next: u32,
    u: f32,
}

struct pelt_playing {
    moments: array<pelt_moment, 4>,
    fade: f32,
    weight: f32,
    joints: u32,
    joint_count: u32,
    units: vec2<f32>,
    is_spherical: bool,
}

struct pelt_thesis_box {
    center: vec4<f32>,
    bounds: vec4<f32>,
}

struct pelt_thesis_matrix {
    linear: mat3x3<f32>,
    position: vec3<f32>,
}

struct pelt_local {
    rotation: vec4<f32>,
    position: vec4<f32>,
    stretch: mat3x3<f32>,
    is_skewed: bool,
}

struct pelt_record {
    at: u32,
    bit: u32,
    words: pelt_words,
    key: pelt_words,
    next: pelt_words,
}

struct pelt_key_pair {
    first: vec3<f32>,
    second: vec3<f32>,
}

struct pelt_joint {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
    rotation: vec4<f32>,
}

fn pelt_words_make() -> pelt_words {
    var words: pelt_words;

    words.texel = 4294967295u;
    words.channels = vec4(0u);
    let _e18 = words;
    return _e18;
}

fn pelt_word(words: ptr<function, pelt_words>, at: u32) -> u32 {
    var at_1: u32;
    var texel: u32;
    var channels: vec4<u32>;
    var local: vec2<u32>;
    var pair: vec2<u32>;
    var local_1: u32;
    var local_2: vec2<u32>;
    var halves: vec2<u32>;

    at_1 = at;
    let _e15 = at_1;
    texel = (_e15 / u32(PELT_BAKED_TEXEL_WORDS));
    let _e19 = texel;
    let _e20 = (*words);
    if (_e19 != _e20.texel) {
        {
            let _e24 = texel;
            (*words).texel = _e24;
            let _e26 = texel;
            let _e27 = pelt_baked_texel(_e26);
            (*words).channels = _e27;
        }
    }
    let _e28 = (*words);
    channels = _e28.channels;
    if (PELT_BAKED_TEXEL_WORDS == 4i) {
        {
            let _e33 = at_1;
            if ((_e33 & 2u) == 0u) {
                let _e38 = channels;
                local = _e38.xy;
            } else {
                let _e40 = channels;
                local = _e40.zw;
            }
            let _e43 = local;
            pair = _e43;
            let _e45 = at_1;
            if ((_e45 & 1u) == 0u) {
                let _e50 = pair;
                local_1 = _e50.x;
            } else {
                let _e52 = pair;
                local_1 = _e52.y;
            }
            let _e55 = local_1;
            return _e55;
        }
    }
    if (PELT_BAKED_TEXEL_WORDS == 2i) {
        {
            let _e58 = at_1;
            if ((_e58 & 1u) == 0u) {
                let _e63 = channels;
                local_2 = _e63.xy;
            } else {
                let _e65 = channels;
                local_2 = _e65.zw;
            }
            let _e68 = local_2;
            halves = _e68;
            let _e70 = halves;
            let _e72 = halves;
            return (_e70.x | (_e72.y << 16u));
        }
    }
    let _e77 = channels;
    let _e79 = channels;
    let _e84 = channels;
    let _e89 = channels;
    return (((_e77.x | (_e79.y << 8u)) | (_e84.z << 16u)) | (_e89.w << 24u));
}

fn pelt_word_float(words: ptr<function, pelt_words>, at: u32) -> f32 {
    var at_1: u32;

    at_1 = at;
    let _e16 = at_1;
    let _e18 = pelt_word(words, _e16);
    return bitcast<f32>(_e18);
}

fn pelt_bits(words: ptr<function, pelt_words>, first: u32, bit: u32, width: u32) -> u32 {
    var first_1: u32;
    var bit_1: u32;
    var width_1: u32;
    var at: u32;
    var shift: u32;
    var value: u32;
    var local: u32;

    first_1 = first;
    bit_1 = bit;
    width_1 = width;
    let _e19 = width_1;
    if (_e19 == 0u) {
        {
            return 0u;
        }
    }
    let _e23 = first_1;
    let _e24 = bit_1;
    at = (_e23 + (_e24 >> 5u));
    let _e29 = bit_1;
    shift = (_e29 & 31u);
    let _e34 = at;
    let _e36 = pelt_word(words, _e34);
    let _e37 = shift;
    value = (_e36 >> _e37);
    let _e40 = shift;
    let _e41 = width_1;
    if ((_e40 + _e41) > 32u) {
        {
            let _e45 = value;
            let _e47 = at;
            let _e51 = pelt_word(words, (_e47 + 1u));
            let _e53 = shift;
            value = (_e45 | (_e51 << (32u - _e53)));
        }
    }
    let _e57 = width_1;
    if (_e57 < 32u) {
        let _e60 = value;
        let _e62 = width_1;
        local = (_e60 & ((1u << _e62) - 1u));
    } else {
        let _e67 = value;
        local = _e67;
    }
    let _e69 = local;
    return _e69;
}

fn pelt_power_of_two(exponent: u32) -> f32 {
    var exponent_1: u32;

    exponent_1 = exponent;
    let _e14 = exponent_1;
    return bitcast<f32>((_e14 << 23u));
}

fn pelt_component_value(component: u32, scale: f32, value: u32) -> f32 {
    var component_1: u32;
    var scale_1: f32;
    var value_1: u32;
    var width: u32;
    var low: f32;
    var range: f32;

    component_1 = component;
    scale_1 = scale;
    value_1 = value;
    let _e18 = component_1;
    width = (_e18 & 31u);
    let _e22 = width;
    if (_e22 == 0u) {
        {
            let _e25 = component_1;
            return bitcast<f32>(_e25);
        }
    }
    let _e27 = width;
    if (_e27 == 31u) {
        {
            let _e30 = value_1;
            return bitcast<f32>(_e30);
        }
    }
    let _e32 = component_1;
    low = bitcast<f32>((_e32 & 4294934528u));
    let _e37 = scale_1;
    let _e39 = component_1;
    let _e47 = component_1;
    let _e54 = pelt_power_of_two((((_e47 >> 10u) & 31u) + 99u));
    range = ((_e37 * f32((32u + ((_e39 >> 5u) & 31u)))) * _e54);
    let _e57 = low;
    let _e58 = range;
    let _e59 = value_1;
    let _e62 = width;
    return (_e57 + (_e58 * (f32(_e59) / f32(((1u << _e62) - 1u)))));
}

fn pelt_arc_parts(square: f32, t: f32) -> vec2<f32> {
    var square_1: f32;
    var t_1: f32;
    var series: f32;
    var angle_square: f32;
    var parts: vec2<f32>;
    var x: vec2<f32>;
    var sine: vec2<f32>;

    square_1 = square;
    t_1 = t;
    let _e17 = square_1;
    let _e20 = square_1;
    series = (0.0006734252f + (_e17 * (-0.00016328847f + (_e20 * 0.000071624934f))));
    let _e28 = square_1;
    let _e30 = square_1;
    let _e32 = square_1;
    let _e33 = series;
    series = (0.08332048f + (_e28 * (0.011208956f + (_e30 * (0.0015111944f + (_e32 * _e33))))));
    let _e40 = square_1;
    let _e42 = square_1;
    let _e43 = series;
    angle_square = (_e40 * (1.0000004f + (_e42 * _e43)));
    let _e49 = t_1;
    let _e51 = t_1;
    parts = vec2<f32>((1f - _e49), _e51);
    let _e54 = parts;
    let _e55 = parts;
    let _e57 = angle_square;
    x = ((_e54 * _e55) * _e57);
    let _e61 = x;
    let _e64 = x;
    sine = (vec2(0.00000000016059044f) + (_e61 * (vec2(-0.00000000000076471636f) + (_e64 * 0.0000000000000028114574f))));
    let _e77 = x;
    let _e81 = x;
    let _e84 = x;
    let _e85 = sine;
    sine = (vec2(-0.0001984127f) + (_e77 * (vec2(0.0000027557319f) + (_e81 * (vec2(-0.000000025052108f) + (_e84 * _e85))))));
    let _e96 = x;
    let _e101 = x;
    let _e105 = x;
    let _e106 = sine;
    sine = (vec2(1f) + (_e96 * (vec2(-0.16666667f) + (_e101 * (vec2(0.008333334f) + (_e105 * _e106))))));
    let _e116 = parts;
    let _e117 = sine;
    return (_e116 * _e117);
}

fn pelt_quat_slerp(a: vec4<f32>, b: vec4<f32>, t: f32) -> vec4<f32> {
    var a_1: vec4<f32>;
    var b_1: vec4<f32>;
    var t_1: f32;
    var local: vec4<f32>;
    var end: vec4<f32>;
    var parts: vec2<f32>;

    a_1 = a;
    b_1 = b;
    t_1 = t;
    let _e18 = a_1;
    let _e19 = b_1;
    if (dot(_e18, _e19) < 0f) {
        let _e23 = b_1;
        local = -(_e23);
    } else {
        let _e25 = b_1;
        local = _e25;
    }
    let _e27 = local;
    end = _e27;
    let _e29 = end;
    let _e30 = a_1;
    let _e32 = end;
    let _e33 = a_1;
    let _e36 = t_1;
    let _e37 = pelt_arc_parts(dot((_e29 - _e30), (_e32 - _e33)), _e36);
    parts = _e37;
    let _e39 = parts;
    let _e41 = a_1;
    let _e43 = parts;
    let _e45 = end;
    return normalize(((_e39.x * _e41) + (_e43.y * _e45)));
}

fn pelt_quat_from_vector(v: vec3<f32>) -> vec4<f32> {
    var v_1: vec3<f32>;
    var square: f32;

    v_1 = v;
    let _e14 = v_1;
    let _e15 = v_1;
    square = dot(_e14, _e15);
    let _e19 = v_1;
    let _e20 = (2f * _e19);
    let _e22 = square;
    let _e29 = square;
    return (vec4<f32>(_e20.x, _e20.y, _e20.z, (1f - _e22)) / vec4((1f + _e29)));
}

fn pelt_quat_rotate(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    var q_1: vec4<f32>;
    var v_1: vec3<f32>;

    q_1 = q;
    v_1 = v;
    let _e16 = v_1;
    let _e18 = q_1;
    let _e20 = q_1;
    let _e22 = v_1;
    let _e24 = q_1;
    let _e26 = v_1;
    return (_e16 + (2f * cross(_e18.xyz, (cross(_e20.xyz, _e22) + (_e24.w * _e26)))));
}

fn pelt_norm(a: mat3x3<f32>) -> f32 {
    var a_1: mat3x3<f32>;

    a_1 = a;
    let _e16 = a_1[0];
    let _e19 = a_1[0];
    let _e23 = a_1[1];
    let _e26 = a_1[1];
    let _e31 = a_1[2];
    let _e34 = a_1[2];
    return sqrt(((dot(_e16, _e19) + dot(_e23, _e26)) + dot(_e31, _e34)));
}

fn pelt_polar_rotation(linear: mat3x3<f32>) -> vec4<f32> {
    var linear_1: mat3x3<f32>;
    var size: vec3<f32>;
    var largest: f32;
    var a: mat3x3<f32>;
    var i: i32 = 0i;
    var cofactor: mat3x3<f32>;
    var norm: f32;
    var cofactor_norm: f32;
    var is_mirror: bool;
    var local: f32;
    var other: f32;
    var local_1: f32;

    linear_1 = linear;
    let _e16 = linear_1[0];
    let _e20 = linear_1[1];
    let _e24 = linear_1[2];
    size = max(abs(_e16), max(abs(_e20), abs(_e24)));
    let _e29 = size;
    let _e31 = size;
    let _e33 = size;
    largest = max(_e29.x, max(_e31.y, _e33.z));
    let _e38 = largest;
    if !((_e38 > 0f)) {
        {
            return vec4<f32>(0f, 0f, 0f, 1f);
        }
    }
    let _e47 = linear_1;
    let _e48 = largest;
    let _e49 = vec3(_e48);
    a = mat3x3<f32>((_e47[0] / _e49), (_e47[1] / _e49), (_e47[2] / _e49));
    loop {
        let _e60 = i;
        if !((_e60 < 8i)) {
            break;
        }
        {
            let _e69 = a[1];
            let _e72 = a[2];
            let _e73 = cross(_e69, _e72);
            let _e76 = a[2];
            let _e79 = a[0];
            let _e80 = cross(_e76, _e79);
            let _e83 = a[0];
            let _e86 = a[1];
            let _e87 = cross(_e83, _e86);
            cofactor = mat3x3<f32>(vec3<f32>(_e73.x, _e73.y, _e73.z), vec3<f32>(_e80.x, _e80.y, _e80.z), vec3<f32>(_e87.x, _e87.y, _e87.z));
            let _e102 = a;
            let _e103 = pelt_norm(_e102);
            norm = _e103;
            let _e105 = cofactor;
            let _e106 = pelt_norm(_e105);
            cofactor_norm = _e106;
            let _e108 = i;
            let _e113 = a[0];
            let _e116 = cofactor[0];
            let _e120 = norm;
            let _e122 = cofactor_norm;
            is_mirror = ((_e108 == 0i) && (dot(_e113, _e116) < ((-0.00001f * _e120) * _e122)));
            let _e127 = cofactor_norm;
            if (_e127 > 0.000000000000000000000000000001f) {
                let _e131 = cofactor_norm;
                local = (1f / _e131);
            } else {
                local = 0f;
            }
            let _e135 = local;
            other = _e135;
            let _e137 = a;
            let _e138 = is_mirror;
            if _e138 {
                local_1 = -1f;
            } else {
                local_1 = 1f;
            }
            let _e143 = local_1;
            let _e144 = norm;
            let _e147 = cofactor;
            let _e148 = other;
            a = ((_e137 * (_e143 / _e144)) + (_e147 * _e148));
        }
        continuing {
            let _e64 = i;
            i = (_e64 + 1i);
        }
    }
    let _e151 = a;
    let _e154 = a;
    let _e155 = pelt_norm(_e154);
    let _e158 = pelt_quat_from_mat3_((_e151 * (1.7320508f / _e155)));
    return _e158;
}

fn pelt_clip_time(time: f32, duration: f32, repeats: bool) -> f32 {
    var time_1: f32;
    var duration_1: f32;
    var repeats_1: bool;
    var local: f32;
    var t: f32;
    var local_1: f32;

    time_1 = time;
    duration_1 = duration;
    repeats_1 = repeats;
    let _e18 = repeats_1;
    if !(_e18) {
        {
            let _e20 = time_1;
            let _e22 = duration_1;
            return clamp(_e20, 0f, _e22);
        }
    }
    let _e24 = duration_1;
    if (_e24 > 0f) {
        let _e27 = time_1;
        let _e28 = time_1;
        let _e29 = duration_1;
        let _e32 = duration_1;
        local = (_e27 - (floor((_e28 / _e29)) * _e32));
    } else {
        local = 0f;
    }
    let _e37 = local;
    t = _e37;
    let _e39 = t;
    let _e40 = duration_1;
    if (_e39 >= _e40) {
        let _e42 = t;
        let _e43 = duration_1;
        local_1 = (_e42 - _e43);
    } else {
        let _e45 = t;
        local_1 = _e45;
    }
    let _e47 = local_1;
    return _e47;
}

fn pelt_moment_make(table: u32, first: u32, stride: u32, count: u32, wraps: bool, position: f32) -> pelt_moment {
    var table_1: u32;
    var first_1: u32;
    var stride_1: u32;
    var count_1: u32;
    var wraps_1: bool;
    var position_1: f32;
    var local: u32;
    var x: f32;
    var key: u32;
    var local_1: u32;
    var local_2: u32;
    var next: u32;

    table_1 = table;
    first_1 = first;
    stride_1 = stride;
    count_1 = count;
    wraps_1 = wraps;
    position_1 = position;
    let _e24 = position_1;
    let _e26 = wraps_1;
    if _e26 {
        let _e27 = count_1;
        local = _e27;
    } else {
        let _e28 = count_1;
        local = (_e28 - 1u);
    }
    let _e32 = local;
    x = clamp(_e24, 0f, f32(_e32));
    let _e36 = x;
    let _e38 = count_1;
    key = min(u32(_e36), (_e38 - 1u));
    let _e43 = key;
    let _e46 = count_1;
    if ((_e43 + 1u) < _e46) {
        let _e48 = key;
        local_2 = (_e48 + 1u);
    } else {
        let _e51 = wraps_1;
        if _e51 {
            local_1 = 0u;
        } else {
            let _e53 = key;
            local_1 = _e53;
        }
        let _e55 = local_1;
        local_2 = _e55;
    }
    let _e57 = local_2;
    next = _e57;
    let _e59 = table_1;
    let _e60 = first_1;
    let _e61 = key;
    let _e62 = stride_1;
    let _e65 = first_1;
    let _e66 = next;
    let _e67 = stride_1;
    let _e70 = x;
    let _e71 = key;
    return pelt_moment(_e59, (_e60 + (_e61 * _e62)), (_e65 + (_e66 * _e67)), (_e70 - f32(_e71)));
}

fn pelt_moment_at(words: ptr<function, pelt_words>, clip: u32, time: f32, repeats: bool) -> pelt_moment {
    var clip_1: u32;
    var time_1: f32;
    var repeats_1: bool;
    var run: u32;
    var last_run: u32;
    var duration: f32;
    var wraps: bool;
    var t: f32;
    var start: f32;
    var rate: f32;
    var count: u32;
    var first: u32;
    var stride: u32;
    var table: u32;
    var is_held: bool;
    var moment: pelt_moment;
    var local: f32;

    clip_1 = clip;
    time_1 = time;
    repeats_1 = repeats;
    let _e20 = clip_1;
    let _e22 = pelt_word(words, _e20);
    run = _e22;
    let _e24 = run;
    let _e27 = clip_1;
    let _e31 = pelt_word(words, (_e27 + 1u));
    last_run = (_e24 + (8u * (_e31 - 1u)));
    let _e38 = clip_1;
    let _e42 = pelt_word_float(words, (_e38 + 2u));
    duration = _e42;
    let _e45 = clip_1;
    let _e49 = pelt_word(words, (_e45 + 3u));
    wraps = ((_e49 & 1u) != 0u);
    let _e55 = time_1;
    let _e56 = duration;
    let _e57 = repeats_1;
    let _e58 = pelt_clip_time(_e55, _e56, _e57);
    t = _e58;
    loop {
        let _e60 = run;
        let _e61 = last_run;
        let _e64 = run;
        let _e68 = pelt_word_float(words, (_e64 + 8u));
        let _e69 = t;
        if !(((_e60 < _e61) && (_e68 <= _e69))) {
            break;
        }
        {
            let _e73 = run;
            run = (_e73 + 8u);
        }
    }
    let _e77 = run;
    let _e79 = pelt_word_float(words, _e77);
    start = _e79;
    let _e82 = run;
    let _e86 = pelt_word_float(words, (_e82 + 1u));
    rate = _e86;
    let _e89 = run;
    let _e93 = pelt_word(words, (_e89 + 2u));
    count = _e93;
    let _e96 = run;
    let _e100 = pelt_word(words, (_e96 + 3u));
    first = _e100;
    let _e103 = run;
    let _e107 = pelt_word(words, (_e103 + 4u));
    stride = _e107;
    let _e110 = run;
    let _e114 = pelt_word(words, (_e110 + 5u));
    table = _e114;
    let _e117 = run;
    let _e121 = pelt_word(words, (_e117 + 6u));
    is_held = ((_e121 & 1u) != 0u);
    let _e127 = table;
    let _e128 = first;
    let _e129 = stride;
    let _e130 = count;
    let _e131 = wraps;
    let _e132 = t;
    let _e133 = start;
    let _e135 = rate;
    let _e137 = pelt_moment_make(_e127, _e128, _e129, _e130, _e131, ((_e132 - _e133) * _e135));
    moment = _e137;
    let _e140 = is_held;
    if _e140 {
        local = 0f;
    } else {
        let _e142 = moment;
        local = _e142.u;
    }
    let _e145 = local;
    moment.u = _e145;
    let _e146 = moment;
    return _e146;
}

fn pelt_thesis_has_room(keys: u32, joints: u32) -> bool {
    var keys_1: u32;
    var joints_1: u32;

    keys_1 = keys;
    joints_1 = joints;
    let _e17 = joints_1;
    let _e23 = keys_1;
    return ((1u + ((_e17 + 1u) >> 1u)) <= _e23);
}

fn pelt_thesis_row(words: ptr<function, pelt_words>) -> u32 {
    var head: u32;
    var row: u32;
    var local: u32;

    let _e16 = pelt_word(words, 0u);
    head = _e16;
    let _e18 = head;
    row = (_e18 & 65535u);
    let _e22 = row;
    let _e23 = row;
    let _e24 = head;
    let _e29 = pelt_thesis_has_room(_e23, ((_e24 >> 16u) & 16383u));
    if _e29 {
        local = 0u;
    } else {
        local = 1u;
    }
    let _e33 = local;
    row = (_e22 + _e33);
    let _e35 = head;
    if ((_e35 & 2147483648u) != 0u) {
        {
            let _e40 = row;
            let _e41 = row;
            row = (_e40 | (_e41 >> 1u));
            let _e45 = row;
            let _e46 = row;
            row = (_e45 | (_e46 >> 2u));
            let _e50 = row;
            let _e51 = row;
            row = (_e50 | (_e51 >> 4u));
            let _e55 = row;
            let _e56 = row;
            row = (_e55 | (_e56 >> 8u));
        }
    }
    let _e60 = row;
    return (_e60 + 1u);
}

fn pelt_thesis_at(words: ptr<function, pelt_words>, time: f32, repeats: bool) -> pelt_moment {
    var time_1: f32;
    var repeats_1: bool;
    var head: u32;
    var row: u32;
    var rate: f32;
    var duration: f32;
    var t: f32;

    time_1 = time;
    repeats_1 = repeats;
    let _e20 = pelt_word(words, 0u);
    head = _e20;
    let _e24 = pelt_thesis_row(words);
    row = _e24;
    let _e27 = row;
    let _e29 = pelt_word_float(words, _e27);
    rate = _e29;
    let _e32 = row;
    let _e36 = pelt_word_float(words, (_e32 + 1u));
    duration = _e36;
    let _e38 = time_1;
    let _e39 = duration;
    let _e40 = repeats_1;
    let _e41 = pelt_clip_time(_e38, _e39, _e40);
    t = _e41;
    let _e43 = row;
    let _e46 = head;
    let _e49 = head;
    let _e54 = t;
    let _e55 = rate;
    let _e57 = pelt_moment_make(_e43, 1u, 1u, (_e46 & 65535u), ((_e49 & 1073741824u) != 0u), (_e54 * _e55));
    return _e57;
}

fn pelt_clip_at(words: ptr<function, pelt_words>, clips: u32, clip: u32, time: f32) -> pelt_moment {
    var clips_1: u32;
    var clip_1: u32;
    var time_1: f32;
    var repeats: bool;

    clips_1 = clips;
    clip_1 = clip;
    time_1 = time;
    let _e19 = clip_1;
    repeats = ((_e19 & 32768u) != 0u);
    if (PELT_BAKED_LAYOUT == 1i) {
        {
            let _e28 = time_1;
            let _e29 = repeats;
            let _e31 = pelt_thesis_at(words, _e28, _e29);
            return _e31;
        }
    }
    let _e33 = clips_1;
    let _e35 = clip_1;
    let _e40 = time_1;
    let _e41 = repeats;
    let _e43 = pelt_moment_at(words, (_e33 + (4u * (_e35 & 32767u))), _e40, _e41);
    return _e43;
}

fn pelt_baked_joint_count(words: ptr<function, pelt_words>) -> u32 {
    var is_thesis: bool;
    var local: u32;
    var word: u32;
    var local_1: u32;

    is_thesis = (PELT_BAKED_LAYOUT == 1i);
    let _e17 = is_thesis;
    if _e17 {
        local = 0u;
    } else {
        local = 3u;
    }
    let _e21 = local;
    let _e23 = pelt_word(words, _e21);
    word = _e23;
    let _e25 = is_thesis;
    if _e25 {
        let _e26 = word;
        local_1 = ((_e26 >> 16u) & 16383u);
    } else {
        let _e31 = word;
        local_1 = _e31;
    }
    let _e33 = local_1;
    return _e33;
}

fn pelt_play(playback: vec4<u32>, times: vec4<f32>) -> pelt_playing {
    var playback_1: vec4<u32>;
    var times_1: vec4<f32>;
    var words: pelt_words;
    var playing: pelt_playing;
    var is_thesis: bool;
    var local: u32;
    var local_1: u32;
    var clips: u32;
    var local_2: u32;
    var run: u32;
    var first: u32;
    var table: u32;

    playback_1 = playback;
    times_1 = times;
    let _e16 = pelt_words_make();
    words = _e16;
    is_thesis = (PELT_BAKED_LAYOUT == 1i);
    let _e25 = pelt_baked_joint_count((&words));
    playing.joint_count = _e25;
    let _e27 = is_thesis;
    if _e27 {
        local = 0u;
    } else {
        let _e32 = pelt_word((&words), 4u);
        local = _e32;
    }
    let _e34 = local;
    playing.joints = _e34;
    let _e35 = is_thesis;
    if _e35 {
        local_1 = 0u;
    } else {
        let _e40 = pelt_word((&words), 6u);
        local_1 = _e40;
    }
    let _e42 = local_1;
    clips = _e42;
    let _e46 = is_thesis;
    if _e46 {
        local_2 = 1u;
    } else {
        local_2 = 7u;
    }
    let _e50 = local_2;
    let _e52 = pelt_word_float((&words), _e50);
    playing.units = vec2<f32>(_e52, 1f);
    let _e55 = is_thesis;
    if !(_e55) {
        {
            let _e62 = pelt_word_float((&words), 8u);
            playing.units.y = _e62;
        }
    }
    let _e64 = playback_1;
    playing.is_spherical = ((_e64.y & 65536u) != 0u);
    let _e71 = playback_1;
    playing.fade = bitcast<f32>(_e71.z);
    let _e75 = playback_1;
    playing.weight = bitcast<f32>(_e75.w);
    let _e82 = clips;
    let _e83 = playback_1;
    let _e87 = times_1;
    let _e90 = pelt_clip_at((&words), _e82, (_e83.x & 65535u), _e87.x);
    playing.moments[0i] = _e90;
    let _e97 = playing.moments[0];
    playing.moments[1i] = _e97;
    let _e104 = playing.moments[0];
    playing.moments[2i] = _e104;
    let _e111 = playing.moments[0];
    playing.moments[3i] = _e111;
    let _e112 = playing;
    if (_e112.fade != 0f) {
        {
            let _e120 = clips;
            let _e121 = playback_1;
            let _e125 = times_1;
            let _e128 = pelt_clip_at((&words), _e120, (_e121.x >> 16u), _e125.y);
            playing.moments[1i] = _e128;
        }
    }
    let _e129 = playing;
    if ((_e129.weight != 0f) && (PELT_BAKED_KIND == 0i)) {
        {
            let _e137 = clips;
            let _e139 = playback_1;
            let _e146 = pelt_word((&words), (_e137 + (4u * (_e139.y & 32767u))));
            run = _e146;
            let _e149 = run;
            let _e153 = pelt_word((&words), (_e149 + 3u));
            first = _e153;
            let _e156 = run;
            let _e160 = pelt_word((&words), (_e156 + 5u));
            table = _e160;
            let _e165 = table;
            let _e166 = first;
            let _e167 = first;
            playing.moments[2i] = pelt_moment(_e165, _e166, _e167, 0f);
            let _e174 = clips;
            let _e175 = playback_1;
            let _e179 = times_1;
            let _e182 = pelt_clip_at((&words), _e174, (_e175.y & 65535u), _e179.z);
            playing.moments[3i] = _e182;
        }
    }
    let _e183 = playing;
    return _e183;
}

fn pelt_thesis_bytes(at: u32) -> vec4<f32> {
    var at_1: u32;

    at_1 = at;
    let _e14 = at_1;
    let _e15 = pelt_baked_texel(_e14);
    return vec4<f32>(_e15);
}

fn pelt_thesis_values(at: u32) -> vec4<f32> {
    var at_1: u32;

    at_1 = at;
    let _e14 = at_1;
    let _e15 = pelt_thesis_bytes(_e14);
    return ((_e15 - vec4(128f)) / vec4(127f));
}

fn pelt_thesis_pivot_bytes(joint: u32, row: u32) -> vec4<u32> {
    var joint_1: u32;
    var row_1: u32;
    var head: vec4<u32>;
    var keys: u32;
    var joints: u32;
    var local: u32;
    var rows: u32;
    var above: u32;
    var after: u32;
    var local_1: u32;

    joint_1 = joint;
    row_1 = row;
    let _e17 = pelt_baked_texel(0u);
    head = _e17;
    let _e19 = head;
    let _e21 = head;
    keys = (_e19.x | (_e21.y << 8u));
    let _e27 = head;
    let _e29 = head;
    joints = ((_e27.z | (_e29.w << 8u)) & 16383u);
    if (PELT_BAKED_KIND == 1i) {
        local = 3u;
    } else {
        local = 2u;
    }
    let _e42 = local;
    rows = _e42;
    let _e44 = joint_1;
    let _e47 = row_1;
    let _e51 = joint_1;
    above = ((((_e44 & 1u) * _e47) + 2u) + (_e51 >> 1u));
    let _e57 = rows;
    let _e58 = joint_1;
    let _e61 = row_1;
    let _e65 = keys;
    after = ((((2u + (_e57 * _e58)) * _e61) + 1u) + _e65);
    let _e68 = keys;
    let _e69 = joints;
    let _e70 = pelt_thesis_has_room(_e68, _e69);
    if _e70 {
        let _e71 = above;
        local_1 = _e71;
    } else {
        let _e72 = after;
        local_1 = _e72;
    }
    let _e74 = local_1;
    let _e75 = pelt_baked_texel(_e74);
    return _e75;
}

fn pelt_thesis_pivot(joint: u32, row: u32, unit: f32) -> vec3<f32> {
    var joint_1: u32;
    var row_1: u32;
    var unit_1: f32;

    joint_1 = joint;
    row_1 = row;
    unit_1 = unit;
    let _e19 = unit_1;
    let _e21 = joint_1;
    let _e22 = row_1;
    let _e23 = pelt_thesis_pivot_bytes(_e21, _e22);
    return ((2f * _e19) * (vec3<f32>(_e23.xyz) - vec3(128f)));
}

fn pelt_thesis_stretch(joint: u32, row: u32) -> f32 {
    var joint_1: u32;
    var row_1: u32;

    joint_1 = joint;
    row_1 = row;
    let _e17 = joint_1;
    let _e18 = row_1;
    let _e19 = pelt_thesis_pivot_bytes(_e17, _e18);
    let _e24 = pelt_power_of_two((127u + (_e19.w & 31u)));
    return _e24;
}

fn pelt_thesis_matrix_box(at: u32, row: u32, unit: f32) -> pelt_thesis_box {
    var at_1: u32;
    var row_1: u32;
    var unit_1: f32;
    var a: vec4<f32>;
    var b: vec4<f32>;
    var c: vec4<f32>;
    var fraction: vec3<f32>;
    var local: f32;
    var local_1: f32;
    var local_2: f32;
    var signs: vec3<f32>;

    at_1 = at;
    row_1 = row;
    unit_1 = unit;
    let _e18 = at_1;
    let _e19 = pelt_thesis_bytes(_e18);
    a = _e19;
    let _e21 = at_1;
    let _e22 = row_1;
    let _e24 = pelt_thesis_bytes((_e21 + _e22));
    b = _e24;
    let _e26 = at_1;
    let _e28 = row_1;
    let _e31 = pelt_thesis_bytes((_e26 + (2u * _e28)));
    c = _e31;
    let _e33 = a;
    let _e35 = b;
    let _e36 = _e35.xy;
    fraction = ((vec3<f32>(_e33.w, _e36.x, _e36.y) - vec3(128f)) / vec3(127f));
    let _e47 = fraction;
    if (_e47.x < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e55 = local;
    let _e56 = fraction;
    if (_e56.y < 0f) {
        local_1 = -1f;
    } else {
        local_1 = 1f;
    }
    let _e64 = local_1;
    let _e65 = fraction;
    if (_e65.z < 0f) {
        local_2 = -1f;
    } else {
        local_2 = 1f;
    }
    let _e73 = local_2;
    signs = vec3<f32>(_e55, _e64, _e73);
    let _e76 = unit_1;
    let _e77 = fraction;
    let _e78 = signs;
    let _e79 = a;
    let _e83 = (_e76 * (_e77 + (_e78 * _e79.xyz)));
    let _e89 = unit_1;
    let _e90 = b;
    let _e91 = _e90.zw;
    let _e92 = c;
    let _e97 = c;
    let _e103 = (_e89 * (vec3<f32>(_e91.x, _e91.y, _e92.x) + (_e97.yzw / vec3(255f))));
    return pelt_thesis_box(vec4<f32>(_e83.x, _e83.y, _e83.z, 0f), vec4<f32>(_e103.x, _e103.y, _e103.z, 0f));
}

fn pelt_thesis_dual_box(at: u32, row: u32, unit: f32) -> pelt_thesis_box {
    var at_1: u32;
    var row_1: u32;
    var unit_1: f32;

    at_1 = at;
    row_1 = row;
    unit_1 = unit;
    let _e18 = unit_1;
    let _e19 = at_1;
    let _e20 = pelt_thesis_bytes(_e19);
    let _e25 = unit_1;
    let _e26 = at_1;
    let _e27 = row_1;
    let _e29 = pelt_thesis_bytes((_e26 + _e27));
    return pelt_thesis_box((_e18 * (_e20 - vec4(128f))), (_e25 * _e29));
}

fn pelt_thesis_matrix_at(at: u32, row: u32, box: pelt_thesis_box) -> pelt_thesis_matrix {
    var at_1: u32;
    var row_1: u32;
    var box_1: pelt_thesis_box;
    var x: vec4<f32>;
    var y: vec4<f32>;
    var z: vec4<f32>;

    at_1 = at;
    row_1 = row;
    box_1 = box;
    let _e18 = at_1;
    let _e19 = pelt_thesis_values(_e18);
    x = _e19;
    let _e21 = at_1;
    let _e22 = row_1;
    let _e24 = pelt_thesis_values((_e21 + _e22));
    y = _e24;
    let _e26 = at_1;
    let _e28 = row_1;
    let _e31 = pelt_thesis_values((_e26 + (2u * _e28)));
    z = _e31;
    let _e33 = x;
    let _e34 = _e33.xyz;
    let _e35 = y;
    let _e36 = _e35.xyz;
    let _e37 = z;
    let _e38 = _e37.xyz;
    let _e53 = box_1;
    let _e56 = box_1;
    let _e59 = x;
    let _e61 = y;
    let _e63 = z;
    return pelt_thesis_matrix(transpose(mat3x3<f32>(vec3<f32>(_e34.x, _e34.y, _e34.z), vec3<f32>(_e36.x, _e36.y, _e36.z), vec3<f32>(_e38.x, _e38.y, _e38.z))), (_e53.center.xyz + (_e56.bounds.xyz * vec3<f32>(_e59.w, _e61.w, _e63.w))));
}

fn pelt_thesis_dual_at(at: u32, row: u32, box: pelt_thesis_box) -> pelt_dquat {
    var at_1: u32;
    var row_1: u32;
    var box_1: pelt_thesis_box;

    at_1 = at;
    row_1 = row;
    box_1 = box;
    let _e18 = at_1;
    let _e19 = pelt_thesis_values(_e18);
    let _e20 = box_1;
    let _e22 = box_1;
    let _e24 = at_1;
    let _e25 = row_1;
    let _e27 = pelt_thesis_values((_e24 + _e25));
    return pelt_dquat(_e19, (_e20.center + (_e22.bounds * _e27)));
}

fn pelt_take(record: ptr<function, pelt_record>, moment: pelt_moment, scale: f32) -> vec2<f32> {
    var moment_1: pelt_moment;
    var scale_1: f32;
    var component: u32;
    var width: u32;
    var local: u32;
    var first: u32;
    var second: u32;

    moment_1 = moment;
    scale_1 = scale;
    let _e17 = (*record);
    let _e19 = (*record);
    let _e23 = pelt_word((&(*record).words), _e19.at);
    component = _e23;
    let _e25 = component;
    width = (_e25 & 31u);
    let _e29 = width;
    if (_e29 == 31u) {
        local = 32u;
    } else {
        let _e33 = width;
        local = _e33;
    }
    let _e35 = local;
    width = _e35;
    let _e36 = (*record);
    let _e38 = moment_1;
    let _e40 = (*record);
    let _e42 = width;
    let _e45 = pelt_bits((&(*record).key), _e38.key, _e40.bit, _e42);
    first = _e45;
    let _e47 = (*record);
    let _e49 = moment_1;
    let _e51 = (*record);
    let _e53 = width;
    let _e56 = pelt_bits((&(*record).next), _e49.next, _e51.bit, _e53);
    second = _e56;
    let _e59 = (*record);
    (*record).at = (_e59.at + 1u);
    let _e64 = (*record);
    let _e66 = width;
    (*record).bit = (_e64.bit + _e66);
    let _e68 = component;
    let _e69 = scale_1;
    let _e70 = first;
    let _e71 = pelt_component_value(_e68, _e69, _e70);
    let _e72 = component;
    let _e73 = scale_1;
    let _e74 = second;
    let _e75 = pelt_component_value(_e72, _e73, _e74);
    return vec2<f32>(_e71, _e75);
}

fn pelt_take_vector(record: ptr<function, pelt_record>, moment: pelt_moment, scale: f32) -> pelt_key_pair {
    var moment_1: pelt_moment;
    var scale_1: f32;
    var x: vec2<f32>;
    var y: vec2<f32>;
    var z: vec2<f32>;

    moment_1 = moment;
    scale_1 = scale;
    let _e18 = moment_1;
    let _e19 = scale_1;
    let _e21 = pelt_take(record, _e18, _e19);
    x = _e21;
    let _e24 = moment_1;
    let _e25 = scale_1;
    let _e27 = pelt_take(record, _e24, _e25);
    y = _e27;
    let _e30 = moment_1;
    let _e31 = scale_1;
    let _e33 = pelt_take(record, _e30, _e31);
    z = _e33;
    let _e35 = x;
    let _e37 = y;
    let _e39 = z;
    let _e42 = x;
    let _e44 = y;
    let _e46 = z;
    return pelt_key_pair(vec3<f32>(_e35.x, _e37.x, _e39.x), vec3<f32>(_e42.y, _e44.y, _e46.y));
}

fn pelt_take_between(record: ptr<function, pelt_record>, moment: pelt_moment, scale: f32) -> vec3<f32> {
    var moment_1: pelt_moment;
    var scale_1: f32;
    var keys: pelt_key_pair;

    moment_1 = moment;
    scale_1 = scale;
    let _e18 = moment_1;
    let _e19 = scale_1;
    let _e21 = pelt_take_vector(record, _e18, _e19);
    keys = _e21;
    let _e24 = moment_1;
    let _e27 = keys;
    let _e30 = moment_1;
    let _e32 = keys;
    return (((1f - _e24.u) * _e27.first) + (_e30.u * _e32.second));
}

fn pelt_take_step(record: ptr<function, pelt_record>, moment: pelt_moment, code: u32, scale: f32) -> f32 {
    var moment_1: pelt_moment;
    var code_1: u32;
    var scale_1: f32;
    var width: u32;
    var value: u32;
    var range: f32;
    var middle: f32;

    moment_1 = moment;
    code_1 = code;
    scale_1 = scale;
    let _e19 = code_1;
    width = (_e19 & 15u);
    let _e23 = width;
    if (_e23 == 0u) {
        {
            return 0f;
        }
    }
    let _e27 = (*record);
    let _e29 = moment_1;
    let _e31 = (*record);
    let _e33 = width;
    let _e36 = pelt_bits((&(*record).key), _e29.key, _e31.bit, _e33);
    value = _e36;
    let _e39 = (*record);
    let _e41 = width;
    (*record).bit = (_e39.bit + _e41);
    let _e43 = scale_1;
    let _e45 = code_1;
    let _e53 = code_1;
    let _e60 = pelt_power_of_two((((_e53 >> 5u) & 31u) + 97u));
    range = ((_e43 * f32((2u + ((_e45 >> 4u) & 1u)))) * _e60);
    let _e64 = width;
    middle = f32((1u << (_e64 - 1u)));
    let _e70 = range;
    let _e71 = value;
    let _e73 = middle;
    let _e75 = middle;
    let _e76 = middle;
    return (_e70 * ((f32(_e71) - _e73) / (_e75 + _e76)));
}

fn pelt_take_path(record: ptr<function, pelt_record>, moment: pelt_moment, scale: f32) -> vec3<f32> {
    var moment_1: pelt_moment;
    var scale_1: f32;
    var path: u32;
    var x: f32;
    var y: f32;
    var z: f32;

    moment_1 = moment;
    scale_1 = scale;
    let _e17 = (*record);
    let _e19 = (*record);
    let _e23 = pelt_word((&(*record).words), _e19.at);
    path = _e23;
    let _e26 = (*record);
    (*record).at = (_e26.at + 1u);
    let _e31 = moment_1;
    let _e32 = path;
    let _e35 = scale_1;
    let _e37 = pelt_take_step(record, _e31, (_e32 & 1023u), _e35);
    x = _e37;
    let _e40 = moment_1;
    let _e41 = path;
    let _e46 = scale_1;
    let _e48 = pelt_take_step(record, _e40, ((_e41 >> 10u) & 1023u), _e46);
    y = _e48;
    let _e51 = moment_1;
    let _e52 = path;
    let _e57 = scale_1;
    let _e59 = pelt_take_step(record, _e51, ((_e52 >> 20u) & 1023u), _e57);
    z = _e59;
    let _e62 = moment_1;
    let _e66 = moment_1;
    let _e70 = x;
    let _e71 = y;
    let _e72 = z;
    return (((4f * _e62.u) * (1f - _e66.u)) * vec3<f32>(_e70, _e71, _e72));
}

fn pelt_take_axes(record: ptr<function, pelt_record>, has_axes: bool) -> vec4<f32> {
    var has_axes_1: bool;
    var word: u32;
    var steps: vec3<f32>;

    has_axes_1 = has_axes;
    let _e15 = has_axes_1;
    if !(_e15) {
        {
            return vec4<f32>(0f, 0f, 0f, 1f);
        }
    }
    let _e22 = (*record);
    let _e24 = (*record);
    let _e28 = pelt_word((&(*record).words), _e24.at);
    word = _e28;
    let _e31 = (*record);
    (*record).at = (_e31.at + 1u);
    let _e35 = word;
    let _e39 = word;
    let _e45 = word;
    steps = vec3<f32>(f32((_e35 & 1023u)), f32(((_e39 >> 10u) & 1023u)), f32(((_e45 >> 20u) & 1023u)));
    let _e53 = steps;
    let _e60 = pelt_quat_from_vector(((_e53 - vec3(511f)) / vec3(511f)));
    return _e60;
}

fn pelt_take_stretch(pose: ptr<function, pelt_local>, record: ptr<function, pelt_record>, moment: pelt_moment, flags: u32, unit: f32) {
    var moment_1: pelt_moment;
    var flags_1: u32;
    var unit_1: f32;
    var stretch: u32;
    var keys: vec2<f32>;
    var same: vec3<f32>;
    var other: vec3<f32>;

    moment_1 = moment;
    flags_1 = flags;
    unit_1 = unit;
    let _e20 = flags_1;
    stretch = ((_e20 >> 25u) & 3u);
    let _e26 = stretch;
    if (_e26 == 1u) {
        {
            let _e30 = moment_1;
            let _e31 = unit_1;
            let _e33 = pelt_take(record, _e30, _e31);
            keys = _e33;
            let _e43 = moment_1;
            let _e46 = keys;
            let _e49 = moment_1;
            let _e51 = keys;
            (*pose).stretch = (mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f)) * (((1f - _e43.u) * _e46.x) + (_e49.u * _e51.y)));
            return;
        }
    } else {
        let _e56 = stretch;
        if (_e56 == 2u) {
            {
                let _e60 = moment_1;
                let _e61 = unit_1;
                let _e63 = pelt_take_between(record, _e60, _e61);
                same = _e63;
                let _e66 = moment_1;
                let _e67 = unit_1;
                let _e69 = pelt_take_between(record, _e66, _e67);
                other = _e69;
                let _e72 = same;
                let _e74 = other;
                let _e76 = other;
                let _e78 = vec3<f32>(_e72.x, _e74.z, _e76.y);
                let _e79 = other;
                let _e81 = same;
                let _e83 = other;
                let _e85 = vec3<f32>(_e79.z, _e81.y, _e83.x);
                let _e86 = other;
                let _e88 = other;
                let _e90 = same;
                let _e92 = vec3<f32>(_e86.y, _e88.x, _e90.z);
                (*pose).stretch = mat3x3<f32>(vec3<f32>(_e78.x, _e78.y, _e78.z), vec3<f32>(_e85.x, _e85.y, _e85.z), vec3<f32>(_e92.x, _e92.y, _e92.z));
                (*pose).is_skewed = true;
                return;
            }
        } else {
            return;
        }
    }
}

fn pelt_take_pose(pose: ptr<function, pelt_local>, record: ptr<function, pelt_record>, moment: pelt_moment, flags: u32, units: vec2<f32>) {
    var moment_1: pelt_moment;
    var flags_1: u32;
    var units_1: vec2<f32>;
    var rotation_axes: vec4<f32>;
    var axes: vec4<f32>;
    var keys: pelt_key_pair;
    var first: vec4<f32>;
    var second: vec4<f32>;
    var position: vec3<f32>;
    var path: vec3<f32>;
    var change: vec4<f32>;

    moment_1 = moment;
    flags_1 = flags;
    units_1 = units;
    let _e22 = flags_1;
    let _e28 = pelt_take_axes(record, ((_e22 & 4194304u) != 0u));
    (*pose).rotation = _e28;
    let _e30 = flags_1;
    let _e36 = pelt_take_axes(record, ((_e30 & 536870912u) != 0u));
    rotation_axes = _e36;
    let _e39 = flags_1;
    let _e45 = pelt_take_axes(record, ((_e39 & 1073741824u) != 0u));
    axes = _e45;
    let _e47 = flags_1;
    if ((_e47 & 8388608u) != 0u) {
        {
            let _e53 = moment_1;
            let _e56 = pelt_take_vector(record, _e53, 1f);
            keys = _e56;
            let _e58 = rotation_axes;
            let _e59 = keys;
            let _e61 = pelt_quat_rotate(_e58, _e59.first);
            let _e62 = pelt_quat_from_vector(_e61);
            first = _e62;
            let _e64 = rotation_axes;
            let _e65 = keys;
            let _e67 = pelt_quat_rotate(_e64, _e65.second);
            let _e68 = pelt_quat_from_vector(_e67);
            second = _e68;
            let _e71 = (*pose);
            let _e73 = first;
            let _e74 = second;
            let _e75 = moment_1;
            let _e77 = pelt_quat_slerp(_e73, _e74, _e75.u);
            let _e78 = pelt_quat_mul(_e71.rotation, _e77);
            (*pose).rotation = _e78;
        }
    }
    let _e79 = flags_1;
    if ((_e79 & 16777216u) != 0u) {
        {
            let _e85 = moment_1;
            let _e86 = units_1;
            let _e89 = pelt_take_between(record, _e85, _e86.x);
            position = _e89;
            let _e92 = axes;
            let _e93 = position;
            let _e94 = pelt_quat_rotate(_e92, _e93);
            (*pose).position = vec4<f32>(_e94.x, _e94.y, _e94.z, 0f);
        }
    }
    let _e102 = moment_1;
    let _e103 = flags_1;
    let _e104 = units_1;
    pelt_take_stretch(pose, record, _e102, _e103, _e104.y);
    let _e108 = flags_1;
    if ((_e108 & 134217728u) != 0u) {
        {
            let _e114 = moment_1;
            let _e117 = pelt_take_path(record, _e114, 1f);
            path = _e117;
            let _e119 = rotation_axes;
            let _e120 = path;
            let _e121 = pelt_quat_rotate(_e119, _e120);
            change = vec4<f32>(_e121.x, _e121.y, _e121.z, 1f);
            let _e129 = (*pose);
            let _e131 = change;
            let _e132 = pelt_quat_mul(_e129.rotation, _e131);
            (*pose).rotation = normalize(_e132);
        }
    }
    let _e134 = flags_1;
    if ((_e134 & 268435456u) != 0u) {
        {
            let _e140 = (*pose).position;
            let _e142 = (*pose);
            let _e145 = axes;
            let _e147 = moment_1;
            let _e148 = units_1;
            let _e151 = pelt_take_path(record, _e147, _e148.x);
            let _e152 = pelt_quat_rotate(_e145, _e151);
            let _e153 = (_e142.position.xyz + _e152);
            (*pose).position.x = _e153.x;
            (*pose).position.y = _e153.y;
            (*pose).position.z = _e153.z;
            return;
        }
    } else {
        return;
    }
}

fn pelt_mix_column(a: vec3<f32>, b: vec3<f32>, u: f32) -> vec3<f32> {
    var a_1: vec3<f32>;
    var b_1: vec3<f32>;
    var u_1: f32;
    var from_: vec3<f32>;
    var to: vec3<f32>;
    var parts: vec2<f32>;
    var size: f32;

    a_1 = a;
    b_1 = b;
    u_1 = u;
    let _e18 = a_1;
    let _e19 = pelt_normalize(_e18);
    from_ = _e19;
    let _e21 = b_1;
    let _e22 = pelt_normalize(_e21);
    to = _e22;
    let _e24 = from_;
    let _e25 = to;
    if (dot(_e24, _e25) < 0f) {
        {
            let _e30 = u_1;
            let _e32 = a_1;
            let _e34 = u_1;
            let _e35 = b_1;
            return (((1f - _e30) * _e32) + (_e34 * _e35));
        }
    }
    let _e38 = to;
    let _e39 = from_;
    let _e41 = to;
    let _e42 = from_;
    let _e45 = u_1;
    let _e46 = pelt_arc_parts(dot((_e38 - _e39), (_e41 - _e42)), _e45);
    parts = _e46;
    let _e49 = u_1;
    let _e51 = a_1;
    let _e54 = u_1;
    let _e55 = b_1;
    size = (((1f - _e49) * length(_e51)) + (_e54 * length(_e55)));
    let _e60 = size;
    let _e61 = parts;
    let _e63 = from_;
    let _e65 = parts;
    let _e67 = to;
    let _e70 = pelt_normalize(((_e61.x * _e63) + (_e65.y * _e67)));
    return (_e60 * _e70);
}

fn pelt_mix_linear(pose: ptr<function, pelt_local>, first: mat3x3<f32>, second: mat3x3<f32>, u: f32, is_spherical: bool) {
    var first_1: mat3x3<f32>;
    var second_1: mat3x3<f32>;
    var u_1: f32;
    var is_spherical_1: bool;

    first_1 = first;
    second_1 = second;
    u_1 = u;
    is_spherical_1 = is_spherical;
    let _e23 = u_1;
    let _e25 = first_1;
    let _e27 = u_1;
    let _e28 = second_1;
    (*pose).stretch = (((1f - _e23) * _e25) + (_e27 * _e28));
    let _e31 = is_spherical_1;
    if _e31 {
        {
            let _e35 = first_1[0];
            let _e38 = second_1[0];
            let _e39 = u_1;
            let _e40 = pelt_mix_column(_e35, _e38, _e39);
            let _e43 = first_1[1];
            let _e46 = second_1[1];
            let _e47 = u_1;
            let _e48 = pelt_mix_column(_e43, _e46, _e47);
            let _e51 = first_1[2];
            let _e54 = second_1[2];
            let _e55 = u_1;
            let _e56 = pelt_mix_column(_e51, _e54, _e55);
            (*pose).stretch = mat3x3<f32>(vec3<f32>(_e40.x, _e40.y, _e40.z), vec3<f32>(_e48.x, _e48.y, _e48.z), vec3<f32>(_e56.x, _e56.y, _e56.z));
        }
    }
    (*pose).is_skewed = true;
    return;
}

fn pelt_take_matrix(pose: ptr<function, pelt_local>, record: ptr<function, pelt_record>, moment: pelt_moment, units: vec2<f32>, is_spherical: bool) {
    var moment_1: pelt_moment;
    var units_1: vec2<f32>;
    var is_spherical_1: bool;
    var x: pelt_key_pair;
    var y: pelt_key_pair;
    var z: pelt_key_pair;

    moment_1 = moment;
    units_1 = units;
    is_spherical_1 = is_spherical;
    let _e21 = moment_1;
    let _e22 = units_1;
    let _e25 = pelt_take_vector(record, _e21, _e22.y);
    x = _e25;
    let _e28 = moment_1;
    let _e29 = units_1;
    let _e32 = pelt_take_vector(record, _e28, _e29.y);
    y = _e32;
    let _e35 = moment_1;
    let _e36 = units_1;
    let _e39 = pelt_take_vector(record, _e35, _e36.y);
    z = _e39;
    let _e42 = x;
    let _e44 = y;
    let _e46 = z;
    let _e62 = x;
    let _e64 = y;
    let _e66 = z;
    let _e82 = moment_1;
    let _e84 = is_spherical_1;
    pelt_mix_linear(pose, transpose(mat3x3<f32>(vec3<f32>(_e42.first.x, _e42.first.y, _e42.first.z), vec3<f32>(_e44.first.x, _e44.first.y, _e44.first.z), vec3<f32>(_e46.first.x, _e46.first.y, _e46.first.z))), transpose(mat3x3<f32>(vec3<f32>(_e62.second.x, _e62.second.y, _e62.second.z), vec3<f32>(_e64.second.x, _e64.second.y, _e64.second.z), vec3<f32>(_e66.second.x, _e66.second.y, _e66.second.z))), _e82.u, _e84);
    let _e88 = moment_1;
    let _e89 = units_1;
    let _e92 = pelt_take_between(record, _e88, _e89.x);
    (*pose).position = vec4<f32>(_e92.x, _e92.y, _e92.z, 0f);
    return;
}

fn pelt_mix_duals(a: pelt_dquat, b: pelt_dquat, u: f32) -> pelt_dquat {
    var a_1: pelt_dquat;
    var b_1: pelt_dquat;
    var u_1: f32;
    var local: f32;
    var other: f32;
    var real: vec4<f32>;
    var dual: vec4<f32>;
    var size: f32;

    a_1 = a;
    b_1 = b;
    u_1 = u;
    let _e18 = a_1;
    let _e20 = b_1;
    if (dot(_e18.real, _e20.real) < 0f) {
        let _e25 = u_1;
        local = -(_e25);
    } else {
        let _e27 = u_1;
        local = _e27;
    }
    let _e29 = local;
    other = _e29;
    let _e32 = u_1;
    let _e34 = a_1;
    let _e37 = other;
    let _e38 = b_1;
    real = (((1f - _e32) * _e34.real) + (_e37 * _e38.real));
    let _e44 = u_1;
    let _e46 = a_1;
    let _e49 = other;
    let _e50 = b_1;
    dual = (((1f - _e44) * _e46.dual) + (_e49 * _e50.dual));
    let _e55 = real;
    size = length(_e55);
    let _e58 = real;
    let _e59 = size;
    let _e62 = dual;
    let _e63 = size;
    return pelt_dquat((_e58 / vec4(_e59)), (_e62 / vec4(_e63)));
}

fn pelt_take_dual(pose: ptr<function, pelt_local>, record: ptr<function, pelt_record>, moment: pelt_moment, flags: u32, units: vec2<f32>) {
    var moment_1: pelt_moment;
    var flags_1: u32;
    var units_1: vec2<f32>;
    var real: pelt_key_pair;
    var real_w: vec2<f32>;
    var dual: pelt_key_pair;
    var dual_w: vec2<f32>;
    var between: pelt_dquat;

    moment_1 = moment;
    flags_1 = flags;
    units_1 = units;
    let _e21 = moment_1;
    let _e24 = pelt_take_vector(record, _e21, 1f);
    real = _e24;
    let _e27 = moment_1;
    let _e30 = pelt_take(record, _e27, 1f);
    real_w = _e30;
    let _e33 = moment_1;
    let _e34 = units_1;
    let _e37 = pelt_take_vector(record, _e33, _e34.x);
    dual = _e37;
    let _e40 = moment_1;
    let _e41 = units_1;
    let _e44 = pelt_take(record, _e40, _e41.x);
    dual_w = _e44;
    let _e46 = real;
    let _e48 = real_w;
    let _e54 = dual;
    let _e56 = dual_w;
    let _e63 = real;
    let _e65 = real_w;
    let _e71 = dual;
    let _e73 = dual_w;
    let _e80 = moment_1;
    let _e82 = pelt_mix_duals(pelt_dquat(vec4<f32>(_e46.first.x, _e46.first.y, _e46.first.z, _e48.x), vec4<f32>(_e54.first.x, _e54.first.y, _e54.first.z, _e56.x)), pelt_dquat(vec4<f32>(_e63.second.x, _e63.second.y, _e63.second.z, _e65.y), vec4<f32>(_e71.second.x, _e71.second.y, _e71.second.z, _e73.y)), _e80.u);
    between = _e82;
    let _e85 = between;
    (*pose).rotation = _e85.real;
    let _e88 = between;
    (*pose).position = _e88.dual;
    let _e92 = moment_1;
    let _e93 = flags_1;
    let _e94 = units_1;
    pelt_take_stretch(pose, record, _e92, _e93, _e94.y);
    return;
}

fn pelt_take_thesis(pose: ptr<function, pelt_local>, joint: u32, moment: pelt_moment, unit: f32, is_spherical: bool) {
    var joint_1: u32;
    var moment_1: pelt_moment;
    var unit_1: f32;
    var is_spherical_1: bool;
    var row: u32;
    var local: u32;
    var rows: u32;
    var at: u32;
    var box: pelt_thesis_box;
    var a: pelt_thesis_matrix;
    var b: pelt_thesis_matrix;
    var stretch: f32;
    var box_1: pelt_thesis_box;
    var between: pelt_dquat;

    joint_1 = joint;
    moment_1 = moment;
    unit_1 = unit;
    is_spherical_1 = is_spherical;
    let _e21 = moment_1;
    row = _e21.table;
    if (PELT_BAKED_KIND == 1i) {
        local = 3u;
    } else {
        local = 2u;
    }
    let _e29 = local;
    rows = _e29;
    let _e32 = rows;
    let _e33 = joint_1;
    let _e36 = row;
    at = ((2u + (_e32 * _e33)) * _e36);
    if (PELT_BAKED_KIND == 1i) {
        {
            let _e41 = at;
            let _e42 = row;
            let _e43 = unit_1;
            let _e44 = pelt_thesis_matrix_box(_e41, _e42, _e43);
            box = _e44;
            let _e46 = at;
            let _e47 = moment_1;
            let _e50 = row;
            let _e51 = box;
            let _e52 = pelt_thesis_matrix_at((_e46 + _e47.key), _e50, _e51);
            a = _e52;
            let _e54 = at;
            let _e55 = moment_1;
            let _e58 = row;
            let _e59 = box;
            let _e60 = pelt_thesis_matrix_at((_e54 + _e55.next), _e58, _e59);
            b = _e60;
            let _e62 = joint_1;
            let _e63 = row;
            let _e64 = pelt_thesis_stretch(_e62, _e63);
            stretch = _e64;
            let _e67 = stretch;
            let _e68 = a;
            let _e71 = stretch;
            let _e72 = b;
            let _e75 = moment_1;
            let _e77 = is_spherical_1;
            pelt_mix_linear(pose, (_e67 * _e68.linear), (_e71 * _e72.linear), _e75.u, _e77);
            let _e81 = moment_1;
            let _e84 = a;
            let _e87 = moment_1;
            let _e89 = b;
            let _e92 = (((1f - _e81.u) * _e84.position) + (_e87.u * _e89.position));
            (*pose).position = vec4<f32>(_e92.x, _e92.y, _e92.z, 0f);
            return;
        }
    }
    let _e98 = at;
    let _e99 = row;
    let _e100 = unit_1;
    let _e101 = pelt_thesis_dual_box(_e98, _e99, _e100);
    box_1 = _e101;
    let _e103 = at;
    let _e104 = moment_1;
    let _e107 = row;
    let _e108 = box_1;
    let _e109 = pelt_thesis_dual_at((_e103 + _e104.key), _e107, _e108);
    let _e110 = at;
    let _e111 = moment_1;
    let _e114 = row;
    let _e115 = box_1;
    let _e116 = pelt_thesis_dual_at((_e110 + _e111.next), _e114, _e115);
    let _e117 = moment_1;
    let _e119 = pelt_mix_duals(_e109, _e116, _e117.u);
    between = _e119;
    let _e122 = between;
    (*pose).rotation = _e122.real;
    let _e125 = between;
    (*pose).position = _e125.dual;
    return;
}

fn pelt_local_stored(joint: u32, pivot: vec3<f32>, moment: pelt_moment, units: vec2<f32>, is_spherical: bool) -> pelt_local {
    var joint_1: u32;
    var pivot_1: vec3<f32>;
    var moment_1: pelt_moment;
    var units_1: vec2<f32>;
    var is_spherical_1: bool;
    var is_dual: bool;
    var pose: pelt_local;
    var local: vec3<f32>;
    var record: pelt_record;
    var pair: u32;
    var local_1: u32;
    var offset: u32;
    var flags: u32;

    joint_1 = joint;
    pivot_1 = pivot;
    moment_1 = moment;
    units_1 = units;
    is_spherical_1 = is_spherical;
    is_dual = (PELT_BAKED_KIND == 2i);
    pose.rotation = vec4<f32>(0f, 0f, 0f, 1f);
    let _e33 = is_dual;
    if _e33 {
        let _e35 = pivot_1;
        local = (0.5f * _e35);
    } else {
        let _e37 = pivot_1;
        local = _e37;
    }
    let _e39 = local;
    pose.position = vec4<f32>(_e39.x, _e39.y, _e39.z, 0f);
    pose.stretch = mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
    pose.is_skewed = false;
    if (PELT_BAKED_LAYOUT == 1i) {
        {
            let _e57 = joint_1;
            let _e58 = moment_1;
            let _e59 = units_1;
            let _e61 = is_spherical_1;
            pelt_take_thesis((&pose), _e57, _e58, _e59.x, _e61);
            let _e63 = pose;
            return _e63;
        }
    }
    let _e66 = pelt_words_make();
    record.words = _e66;
    let _e68 = pelt_words_make();
    record.key = _e68;
    let _e70 = pelt_words_make();
    record.next = _e70;
    let _e71 = record;
    let _e73 = moment_1;
    let _e75 = joint_1;
    let _e81 = pelt_word((&record.words), (_e73.table + (_e75 >> 1u)));
    pair = _e81;
    let _e83 = joint_1;
    if ((_e83 & 1u) == 0u) {
        let _e88 = pair;
        local_1 = (_e88 & 65535u);
    } else {
        let _e91 = pair;
        local_1 = (_e91 >> 16u);
    }
    let _e95 = local_1;
    offset = _e95;
    let _e97 = offset;
    if (_e97 == 0u) {
        {
            let _e100 = pose;
            return _e100;
        }
    }
    let _e102 = moment_1;
    let _e104 = offset;
    record.at = (_e102.table + _e104);
    let _e106 = record;
    let _e108 = record;
    let _e112 = pelt_word((&record.words), _e108.at);
    flags = _e112;
    let _e115 = record;
    record.at = (_e115.at + 1u);
    let _e120 = flags;
    record.bit = (_e120 & 1048575u);
    if (PELT_BAKED_KIND == 1i) {
        {
            let _e127 = moment_1;
            let _e128 = units_1;
            let _e129 = is_spherical_1;
            pelt_take_matrix((&pose), (&record), _e127, _e128, _e129);
        }
    } else {
        if (PELT_BAKED_KIND == 2i) {
            {
                let _e136 = moment_1;
                let _e137 = flags;
                let _e138 = units_1;
                pelt_take_dual((&pose), (&record), _e136, _e137, _e138);
            }
        } else {
            {
                let _e143 = moment_1;
                let _e144 = flags;
                let _e145 = units_1;
                pelt_take_pose((&pose), (&record), _e143, _e144, _e145);
            }
        }
    }
    let _e148 = pose;
    return _e148;
}

fn pelt_local_fade(a: pelt_local, b: pelt_local, factor: f32) -> pelt_local {
    var a_1: pelt_local;
    var b_1: pelt_local;
    var factor_1: f32;
    var stretch: mat3x3<f32>;
    var is_skewed: bool;
    var between: pelt_dquat;

    a_1 = a;
    b_1 = b;
    factor_1 = factor;
    let _e19 = factor_1;
    let _e21 = a_1;
    let _e24 = factor_1;
    let _e25 = b_1;
    stretch = (((1f - _e19) * _e21.stretch) + (_e24 * _e25.stretch));
    let _e30 = a_1;
    let _e32 = b_1;
    is_skewed = (_e30.is_skewed || _e32.is_skewed);
    if (PELT_BAKED_KIND == 2i) {
        {
            let _e38 = a_1;
            let _e40 = a_1;
            let _e43 = b_1;
            let _e45 = b_1;
            let _e48 = factor_1;
            let _e49 = pelt_mix_duals(pelt_dquat(_e38.rotation, _e40.position), pelt_dquat(_e43.rotation, _e45.position), _e48);
            between = _e49;
            let _e51 = between;
            let _e53 = between;
            let _e55 = stretch;
            let _e56 = is_skewed;
            return pelt_local(_e51.real, _e53.dual, _e55, _e56);
        }
    }
    let _e58 = a_1;
    let _e60 = b_1;
    let _e62 = factor_1;
    let _e63 = pelt_quat_slerp(_e58.rotation, _e60.rotation, _e62);
    let _e65 = factor_1;
    let _e67 = a_1;
    let _e70 = factor_1;
    let _e71 = b_1;
    let _e75 = stretch;
    let _e76 = is_skewed;
    return pelt_local(_e63, (((1f - _e65) * _e67.position) + (_e70 * _e71.position)), _e75, _e76);
}

fn pelt_local_add(pose: pelt_local, first: pelt_local, now: pelt_local, weight: f32) -> pelt_local {
    var pose_1: pelt_local;
    var first_1: pelt_local;
    var now_1: pelt_local;
    var weight_1: f32;
    var change: vec4<f32>;

    pose_1 = pose;
    first_1 = first;
    now_1 = now;
    weight_1 = weight;
    let _e20 = first_1;
    let _e22 = pelt_quat_conjugate(_e20.rotation);
    let _e23 = now_1;
    let _e25 = pelt_quat_mul(_e22, _e23.rotation);
    change = _e25;
    let _e32 = change;
    let _e33 = weight_1;
    let _e34 = pelt_quat_slerp(vec4<f32>(0f, 0f, 0f, 1f), _e32, _e33);
    change = _e34;
    let _e35 = pose_1;
    let _e37 = change;
    let _e38 = pelt_quat_mul(_e35.rotation, _e37);
    let _e39 = pose_1;
    let _e41 = weight_1;
    let _e42 = now_1;
    let _e44 = first_1;
    let _e49 = pose_1;
    let _e51 = weight_1;
    let _e52 = now_1;
    let _e54 = first_1;
    let _e59 = pose_1;
    let _e61 = first_1;
    let _e64 = now_1;
    return pelt_local(_e38, (_e39.position + (_e41 * (_e42.position - _e44.position))), (_e49.stretch + (_e51 * (_e52.stretch - _e54.stretch))), ((_e59.is_skewed || _e61.is_skewed) || _e64.is_skewed));
}

fn pelt_local_at(joint: u32, pivot: vec3<f32>, playing: pelt_playing) -> pelt_local {
    var joint_1: u32;
    var pivot_1: vec3<f32>;
    var playing_1: pelt_playing;
    var is_added: bool;
    var pose: pelt_local;
    var first: pelt_local;
    var i: i32 = 0i;
    var local: i32;
    var stored: pelt_local;

    joint_1 = joint;
    pivot_1 = pivot;
    playing_1 = playing;
    let _e18 = playing_1;
    is_added = ((_e18.weight != 0f) && (PELT_BAKED_KIND == 0i));
    loop {
        let _e30 = i;
        let _e31 = is_added;
        if _e31 {
            local = 4i;
        } else {
            local = 2i;
        }
        let _e35 = local;
        if !((_e30 < _e35)) {
            break;
        }
        {
            let _e41 = i;
            let _e44 = playing_1;
            if ((_e41 == 1i) && (_e44.fade == 0f)) {
                {
                    continue;
                }
            }
            let _e49 = joint_1;
            let _e50 = pivot_1;
            let _e51 = i;
            let _e54 = playing_1.moments[_e51];
            let _e55 = playing_1;
            let _e57 = playing_1;
            let _e59 = pelt_local_stored(_e49, _e50, _e54, _e55.units, _e57.is_spherical);
            stored = _e59;
            let _e61 = i;
            if (_e61 == 0i) {
                {
                    let _e64 = stored;
                    pose = _e64;
                    let _e65 = stored;
                    first = _e65;
                }
            } else {
                let _e66 = i;
                if (_e66 == 1i) {
                    {
                        let _e69 = pose;
                        let _e70 = stored;
                        let _e71 = playing_1;
                        let _e73 = pelt_local_fade(_e69, _e70, _e71.fade);
                        pose = _e73;
                    }
                } else {
                    let _e74 = i;
                    if (_e74 == 2i) {
                        {
                            let _e77 = stored;
                            first = _e77;
                        }
                    } else {
                        {
                            let _e78 = pose;
                            let _e79 = first;
                            let _e80 = stored;
                            let _e81 = playing_1;
                            let _e83 = pelt_local_add(_e78, _e79, _e80, _e81.weight);
                            pose = _e83;
                        }
                    }
                }
            }
        }
        continuing {
            let _e38 = i;
            i = (_e38 + 1i);
        }
    }
    let _e84 = pose;
    return _e84;
}

fn pelt_is_positive(a: mat3x3<f32>) -> bool {
    var a_1: mat3x3<f32>;

    a_1 = a;
    let _e16 = a_1[0];
    let _e22 = a_1[0];
    let _e26 = a_1[1];
    let _e31 = a_1[0];
    let _e35 = a_1[0];
    let _e42 = a_1[0];
    let _e45 = a_1[1];
    let _e48 = a_1[2];
    return (((_e16.x > 0f) && ((_e22.x * _e26.y) > (_e31.y * _e35.y))) && (dot(_e42, cross(_e45, _e48)) > 0f));
}

fn pelt_parent(pivot: ptr<function, vec3<f32>>, words: ptr<function, pelt_words>, joint: u32, playing: pelt_playing) -> u32 {
    var joint_1: u32;
    var playing_1: pelt_playing;
    var at: u32;
    var parent: u32;

    joint_1 = joint;
    playing_1 = playing;
    if (PELT_BAKED_LAYOUT == 1i) {
        {
            let _e20 = joint_1;
            let _e24 = playing_1.moments[0];
            let _e26 = playing_1;
            let _e29 = pelt_thesis_pivot(_e20, _e24.table, _e26.units.x);
            (*pivot) = _e29;
            return 4294967295u;
        }
    }
    let _e31 = playing_1;
    let _e34 = joint_1;
    at = (_e31.joints + (4u * _e34));
    let _e39 = at;
    let _e41 = pelt_word(words, _e39);
    parent = _e41;
    let _e44 = at;
    let _e48 = pelt_word_float(words, (_e44 + 1u));
    let _e50 = at;
    let _e54 = pelt_word_float(words, (_e50 + 2u));
    let _e56 = at;
    let _e60 = pelt_word_float(words, (_e56 + 3u));
    (*pivot) = vec3<f32>(_e48, _e54, _e60);
    let _e62 = parent;
    return _e62;
}

fn pelt_joint_at(joint: u32, playing: pelt_playing) -> pelt_joint {
    var joint_1: u32;
    var playing_1: pelt_playing;
    var linear: mat3x3<f32> = mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
    var translation: vec3<f32> = vec3(0f);
    var rotation: vec4<f32> = vec4<f32>(0f, 0f, 0f, 1f);
    var is_skewed: bool = false;
    var words: pelt_words;
    var link: u32;
    var i: u32 = 0u;
    var pivot: vec3<f32>;
    var parent: u32;
    var pose: pelt_local;
    var map: mat3x3<f32>;
    var position: vec3<f32>;
    var is_first: bool;
    var rows: mat3x3<f32>;

    joint_1 = joint;
    playing_1 = playing;
    let _e34 = pelt_words_make();
    words = _e34;
    let _e36 = joint_1;
    link = _e36;
    loop {
        let _e40 = i;
        let _e41 = playing_1;
        let _e44 = link;
        let _e45 = playing_1;
        if !(((_e40 < _e41.joint_count) && (_e44 < _e45.joint_count))) {
            break;
        }
        {
            let _e56 = link;
            let _e57 = playing_1;
            let _e60 = pelt_parent((&pivot), (&words), _e56, _e57);
            parent = _e60;
            let _e62 = link;
            let _e63 = pivot;
            let _e64 = playing_1;
            let _e65 = pelt_local_at(_e62, _e63, _e64);
            pose = _e65;
            let _e67 = pose;
            let _e69 = pelt_mat3_from_quat(_e67.rotation);
            let _e70 = pose;
            map = (_e69 * _e70.stretch);
            let _e74 = pose;
            position = _e74.position.xyz;
            if (PELT_BAKED_KIND == 2i) {
                {
                    let _e80 = pose;
                    let _e82 = pose;
                    let _e85 = pelt_dquat_translation(pelt_dquat(_e80.rotation, _e82.position));
                    position = _e85;
                }
            }
            let _e86 = map;
            let _e87 = linear;
            linear = (_e86 * _e87);
            let _e89 = map;
            let _e90 = translation;
            let _e91 = pivot;
            let _e94 = position;
            translation = ((_e89 * (_e90 - _e91)) + _e94);
            let _e96 = pose;
            let _e98 = rotation;
            let _e99 = pelt_quat_mul(_e96.rotation, _e98);
            rotation = _e99;
            let _e100 = i;
            is_first = ((_e100 == 0u) && (PELT_BAKED_KIND != 1i));
            let _e107 = is_skewed;
            let _e108 = pose;
            let _e110 = is_first;
            let _e111 = pose;
            let _e113 = pelt_is_positive(_e111.stretch);
            is_skewed = (_e107 || (_e108.is_skewed && !((_e110 && _e113))));
            let _e118 = parent;
            link = _e118;
        }
        continuing {
            let _e50 = i;
            i = (_e50 + 1u);
        }
    }
    let _e119 = is_skewed;
    if _e119 {
        {
            let _e120 = linear;
            let _e121 = pelt_polar_rotation(_e120);
            rotation = _e121;
        }
    }
    let _e122 = linear;
    rows = transpose(_e122);
    let _e127 = rows[0];
    let _e128 = translation;
    let _e136 = rows[1];
    let _e137 = translation;
    let _e145 = rows[2];
    let _e146 = translation;
    let _e152 = rotation;
    return pelt_joint(vec4<f32>(_e127.x, _e127.y, _e127.z, _e128.x), vec4<f32>(_e136.x, _e136.y, _e136.z, _e137.y), vec4<f32>(_e145.x, _e145.y, _e145.z, _e146.z), _e152);
}

fn pelt_octahedron(e: vec2<f32>) -> vec3<f32> {
    var e_1: vec2<f32>;
    var z: f32;
    var local: f32;
    var local_1: f32;
    var signs: vec2<f32>;
    var local_2: vec2<f32>;
    var folded: vec2<f32>;

    e_1 = e;
    let _e15 = e_1;
    let _e19 = e_1;
    z = ((1f - abs(_e15.x)) - abs(_e19.y));
    let _e24 = e_1;
    if (_e24.x < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e32 = local;
    let _e33 = e_1;
    if (_e33.y < 0f) {
        local_1 = -1f;
    } else {
        local_1 = 1f;
    }
    let _e41 = local_1;
    signs = vec2<f32>(_e32, _e41);
    let _e44 = z;
    if (_e44 < 0f) {
        let _e48 = e_1;
        let _e53 = signs;
        local_2 = ((vec2(1f) - abs(_e48.yx)) * _e53);
    } else {
        let _e55 = e_1;
        local_2 = _e55;
    }
    let _e57 = local_2;
    folded = _e57;
    let _e59 = folded;
    let _e60 = z;
    return normalize(vec3<f32>(_e59.x, _e59.y, _e60));
}

fn pelt_stored_normal(words: ptr<function, pelt_words>, key: u32, bit: u32, width: u32) -> vec3<f32> {
    var key_1: u32;
    var bit_1: u32;
    var width_1: u32;
    var steps: vec2<f32>;

    key_1 = key;
    bit_1 = bit;
    width_1 = width;
    let _e20 = key_1;
    let _e21 = bit_1;
    let _e22 = width_1;
    let _e24 = pelt_bits(words, _e20, _e21, _e22);
    let _e27 = key_1;
    let _e28 = bit_1;
    let _e29 = width_1;
    let _e31 = width_1;
    let _e33 = pelt_bits(words, _e27, (_e28 + _e29), _e31);
    steps = vec2<f32>(f32(_e24), f32(_e33));
    let _e38 = steps;
    let _e41 = width_1;
    let _e51 = pelt_octahedron((((2f * _e38) / vec2(f32(((1u << _e41) - 1u)))) - vec2(1f)));
    return _e51;
}

fn pelt_vertex_stored(rest: pelt_rest, vertex: u32, moment: pelt_moment, unit: f32) -> pelt_vertex {
    var rest_1: pelt_rest;
    var vertex_1: u32;
    var moment_1: pelt_moment;
    var unit_1: f32;
    var words: pelt_words;
    var key: pelt_words;
    var next: pelt_words;
    var header: u32;
    var width: u32;
    var normal_width: u32;
    var is_shared: bool;
    var local: u32;
    var component: u32;
    var bit: u32;
    var position: vec3<f32>;
    var i: i32 = 0i;
    var word: u32;
    var first: f32;
    var second: f32;
    var normal: vec3<f32>;
    var first_1: vec3<f32>;
    var second_1: vec3<f32>;

    rest_1 = rest;
    vertex_1 = vertex;
    moment_1 = moment;
    unit_1 = unit;
    let _e20 = pelt_words_make();
    words = _e20;
    let _e22 = pelt_words_make();
    key = _e22;
    let _e24 = pelt_words_make();
    next = _e24;
    let _e27 = moment_1;
    let _e30 = pelt_word((&words), _e27.table);
    header = _e30;
    let _e32 = header;
    width = (_e32 & 255u);
    let _e36 = header;
    normal_width = ((_e36 >> 8u) & 255u);
    let _e42 = header;
    is_shared = ((_e42 & 65536u) != 0u);
    let _e48 = moment_1;
    let _e52 = is_shared;
    if _e52 {
        local = 0u;
    } else {
        let _e55 = vertex_1;
        local = (3u * _e55);
    }
    let _e58 = local;
    component = ((_e48.table + 1u) + _e58);
    let _e61 = vertex_1;
    let _e63 = width;
    let _e66 = normal_width;
    bit = (_e61 * ((3u * _e63) + (2u * _e66)));
    let _e71 = rest_1;
    position = _e71.position;
    loop {
        let _e76 = i;
        if !((_e76 < 3i)) {
            break;
        }
        {
            let _e84 = component;
            let _e85 = i;
            let _e89 = pelt_word((&words), (_e84 + u32(_e85)));
            word = _e89;
            let _e91 = word;
            let _e92 = unit_1;
            let _e94 = moment_1;
            let _e96 = bit;
            let _e97 = width;
            let _e99 = pelt_bits((&key), _e94.key, _e96, _e97);
            let _e100 = pelt_component_value(_e91, _e92, _e99);
            first = _e100;
            let _e102 = word;
            let _e103 = unit_1;
            let _e105 = moment_1;
            let _e107 = bit;
            let _e108 = width;
            let _e110 = pelt_bits((&next), _e105.next, _e107, _e108);
            let _e111 = pelt_component_value(_e102, _e103, _e110);
            second = _e111;
            let _e113 = i;
            let _e115 = i;
            let _e117 = position[_e115];
            let _e119 = moment_1;
            let _e122 = first;
            let _e124 = moment_1;
            let _e126 = second;
            position[_e113] = (_e117 + (((1f - _e119.u) * _e122) + (_e124.u * _e126)));
            let _e130 = bit;
            let _e131 = width;
            bit = (_e130 + _e131);
        }
        continuing {
            let _e80 = i;
            i = (_e80 + 1i);
        }
    }
    let _e133 = rest_1;
    normal = _e133.normal;
    let _e136 = normal_width;
    if (_e136 > 0u) {
        {
            let _e140 = moment_1;
            let _e142 = bit;
            let _e143 = normal_width;
            let _e145 = pelt_stored_normal((&key), _e140.key, _e142, _e143);
            first_1 = _e145;
            let _e148 = moment_1;
            let _e150 = bit;
            let _e151 = normal_width;
            let _e153 = pelt_stored_normal((&next), _e148.next, _e150, _e151);
            second_1 = _e153;
            let _e156 = moment_1;
            let _e159 = first_1;
            let _e161 = moment_1;
            let _e163 = second_1;
            normal = normalize((((1f - _e156.u) * _e159) + (_e161.u * _e163)));
        }
    }
    let _e167 = position;
    let _e168 = normal;
    let _e169 = rest_1;
    return pelt_vertex(_e167, _e168, _e169.tangent);
}

fn pelt_baked_vertex(rest: pelt_rest, vertex: u32, playing: pelt_playing) -> pelt_vertex {
    var rest_1: pelt_rest;
    var vertex_1: u32;
    var playing_1: pelt_playing;
    var result: pelt_vertex;
    var i: i32 = 0i;
    var local: i32;
    var stored: pelt_vertex;
    var local_1: f32;
    var factor: f32;
    var local_2: vec3<f32>;

    rest_1 = rest;
    vertex_1 = vertex;
    playing_1 = playing;
    let _e18 = rest_1;
    let _e19 = pelt_vertex_at_rest(_e18);
    result = _e19;
    loop {
        let _e23 = i;
        let _e24 = playing_1;
        if (_e24.fade != 0f) {
            local = 2i;
        } else {
            local = 1i;
        }
        let _e31 = local;
        if !((_e23 < _e31)) {
            break;
        }
        {
            let _e37 = rest_1;
            let _e38 = vertex_1;
            let _e39 = i;
            let _e42 = playing_1.moments[_e39];
            let _e43 = playing_1;
            let _e46 = pelt_vertex_stored(_e37, _e38, _e42, _e43.units.x);
            stored = _e46;
            let _e48 = i;
            if (_e48 == 0i) {
                local_1 = 1f;
            } else {
                let _e52 = playing_1;
                local_1 = _e52.fade;
            }
            let _e55 = local_1;
            factor = _e55;
            let _e59 = factor;
            let _e61 = result;
            let _e64 = factor;
            let _e65 = stored;
            result.position = (((1f - _e59) * _e61.position) + (_e64 * _e65.position));
            let _e70 = i;
            if (_e70 == 0i) {
                let _e73 = stored;
                local_2 = _e73.normal;
            } else {
                let _e76 = factor;
                let _e78 = result;
                let _e81 = factor;
                let _e82 = stored;
                local_2 = normalize((((1f - _e76) * _e78.normal) + (_e81 * _e82.normal)));
            }
            let _e88 = local_2;
            result.normal = _e88;
        }
        continuing {
            let _e34 = i;
            i = (_e34 + 1i);
        }
    }
    let _e89 = result;
    return _e89;
}
