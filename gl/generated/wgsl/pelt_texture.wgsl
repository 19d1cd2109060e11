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
    let _e19 = words;
    return _e19;
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
    let _e16 = at_1;
    texel = (_e16 / u32(PELT_BAKED_TEXEL_WORDS));
    let _e20 = texel;
    let _e21 = (*words);
    if (_e20 != _e21.texel) {
        {
            let _e25 = texel;
            (*words).texel = _e25;
            let _e27 = texel;
            let _e28 = pelt_baked_texel(_e27);
            (*words).channels = _e28;
        }
    }
    let _e29 = (*words);
    channels = _e29.channels;
    if (PELT_BAKED_TEXEL_WORDS == 4i) {
        {
            let _e34 = at_1;
            if ((_e34 & 2u) == 0u) {
                let _e39 = channels;
                local = _e39.xy;
            } else {
                let _e41 = channels;
                local = _e41.zw;
            }
            let _e44 = local;
            pair = _e44;
            let _e46 = at_1;
            if ((_e46 & 1u) == 0u) {
                let _e51 = pair;
                local_1 = _e51.x;
            } else {
                let _e53 = pair;
                local_1 = _e53.y;
            }
            let _e56 = local_1;
            return _e56;
        }
    }
    if (PELT_BAKED_TEXEL_WORDS == 2i) {
        {
            let _e59 = at_1;
            if ((_e59 & 1u) == 0u) {
                let _e64 = channels;
                local_2 = _e64.xy;
            } else {
                let _e66 = channels;
                local_2 = _e66.zw;
            }
            let _e69 = local_2;
            halves = _e69;
            let _e71 = halves;
            let _e73 = halves;
            return (_e71.x | (_e73.y << 16u));
        }
    }
    let _e78 = channels;
    let _e80 = channels;
    let _e85 = channels;
    let _e90 = channels;
    return (((_e78.x | (_e80.y << 8u)) | (_e85.z << 16u)) | (_e90.w << 24u));
}

fn pelt_word_float(words: ptr<function, pelt_words>, at: u32) -> f32 {
    var at_1: u32;

    at_1 = at;
    let _e17 = at_1;
    let _e19 = pelt_word(words, _e17);
    return bitcast<f32>(_e19);
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
    let _e20 = width_1;
    if (_e20 == 0u) {
        {
            return 0u;
        }
    }
    let _e24 = first_1;
    let _e25 = bit_1;
    at = (_e24 + (_e25 >> 5u));
    let _e30 = bit_1;
    shift = (_e30 & 31u);
    let _e35 = at;
    let _e37 = pelt_word(words, _e35);
    let _e38 = shift;
    value = (_e37 >> _e38);
    let _e41 = shift;
    let _e42 = width_1;
    if ((_e41 + _e42) > 32u) {
        {
            let _e46 = value;
            let _e48 = at;
            let _e52 = pelt_word(words, (_e48 + 1u));
            let _e54 = shift;
            value = (_e46 | (_e52 << (32u - _e54)));
        }
    }
    let _e58 = width_1;
    if (_e58 < 32u) {
        let _e61 = value;
        let _e63 = width_1;
        local = (_e61 & ((1u << _e63) - 1u));
    } else {
        let _e68 = value;
        local = _e68;
    }
    let _e70 = local;
    return _e70;
}

fn pelt_power_of_two(exponent: u32) -> f32 {
    var exponent_1: u32;

    exponent_1 = exponent;
    let _e15 = exponent_1;
    return bitcast<f32>((_e15 << 23u));
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
    let _e19 = component_1;
    width = (_e19 & 31u);
    let _e23 = width;
    if (_e23 == 0u) {
        {
            let _e26 = component_1;
            return bitcast<f32>(_e26);
        }
    }
    let _e28 = width;
    if (_e28 == 31u) {
        {
            let _e31 = value_1;
            return bitcast<f32>(_e31);
        }
    }
    let _e33 = component_1;
    low = bitcast<f32>((_e33 & 4294934528u));
    let _e38 = scale_1;
    let _e40 = component_1;
    let _e48 = component_1;
    let _e55 = pelt_power_of_two((((_e48 >> 10u) & 31u) + 99u));
    range = ((_e38 * f32((32u + ((_e40 >> 5u) & 31u)))) * _e55);
    let _e58 = low;
    let _e59 = range;
    let _e60 = value_1;
    let _e63 = width;
    return (_e58 + (_e59 * (f32(_e60) / f32(((1u << _e63) - 1u)))));
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
    let _e18 = square_1;
    let _e21 = square_1;
    series = (0.0006734252f + (_e18 * (-0.00016328847f + (_e21 * 0.000071624934f))));
    let _e29 = square_1;
    let _e31 = square_1;
    let _e33 = square_1;
    let _e34 = series;
    series = (0.08332048f + (_e29 * (0.011208956f + (_e31 * (0.0015111944f + (_e33 * _e34))))));
    let _e41 = square_1;
    let _e43 = square_1;
    let _e44 = series;
    angle_square = (_e41 * (1.0000004f + (_e43 * _e44)));
    let _e50 = t_1;
    let _e52 = t_1;
    parts = vec2<f32>((1f - _e50), _e52);
    let _e55 = parts;
    let _e56 = parts;
    let _e58 = angle_square;
    x = ((_e55 * _e56) * _e58);
    let _e62 = x;
    let _e65 = x;
    sine = (vec2(0.00000000016059044f) + (_e62 * (vec2(-0.00000000000076471636f) + (_e65 * 0.0000000000000028114574f))));
    let _e78 = x;
    let _e82 = x;
    let _e85 = x;
    let _e86 = sine;
    sine = (vec2(-0.0001984127f) + (_e78 * (vec2(0.0000027557319f) + (_e82 * (vec2(-0.000000025052108f) + (_e85 * _e86))))));
    let _e97 = x;
    let _e102 = x;
    let _e106 = x;
    let _e107 = sine;
    sine = (vec2(1f) + (_e97 * (vec2(-0.16666667f) + (_e102 * (vec2(0.008333334f) + (_e106 * _e107))))));
    let _e117 = parts;
    let _e118 = sine;
    return (_e117 * _e118);
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
    let _e19 = a_1;
    let _e20 = b_1;
    if (dot(_e19, _e20) < 0f) {
        let _e24 = b_1;
        local = -(_e24);
    } else {
        let _e26 = b_1;
        local = _e26;
    }
    let _e28 = local;
    end = _e28;
    let _e30 = end;
    let _e31 = a_1;
    let _e33 = end;
    let _e34 = a_1;
    let _e37 = t_1;
    let _e38 = pelt_arc_parts(dot((_e30 - _e31), (_e33 - _e34)), _e37);
    parts = _e38;
    let _e40 = parts;
    let _e42 = a_1;
    let _e44 = parts;
    let _e46 = end;
    return normalize(((_e40.x * _e42) + (_e44.y * _e46)));
}

fn pelt_quat_from_vector(v: vec3<f32>) -> vec4<f32> {
    var v_1: vec3<f32>;
    var square: f32;

    v_1 = v;
    let _e15 = v_1;
    let _e16 = v_1;
    square = dot(_e15, _e16);
    let _e20 = v_1;
    let _e21 = (2f * _e20);
    let _e23 = square;
    let _e30 = square;
    return (vec4<f32>(_e21.x, _e21.y, _e21.z, (1f - _e23)) / vec4((1f + _e30)));
}

fn pelt_quat_rotate(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    var q_1: vec4<f32>;
    var v_1: vec3<f32>;

    q_1 = q;
    v_1 = v;
    let _e17 = v_1;
    let _e19 = q_1;
    let _e21 = q_1;
    let _e23 = v_1;
    let _e25 = q_1;
    let _e27 = v_1;
    return (_e17 + (2f * cross(_e19.xyz, (cross(_e21.xyz, _e23) + (_e25.w * _e27)))));
}

fn pelt_norm(a: mat3x3<f32>) -> f32 {
    var a_1: mat3x3<f32>;

    a_1 = a;
    let _e17 = a_1[0];
    let _e20 = a_1[0];
    let _e24 = a_1[1];
    let _e27 = a_1[1];
    let _e32 = a_1[2];
    let _e35 = a_1[2];
    return sqrt(((dot(_e17, _e20) + dot(_e24, _e27)) + dot(_e32, _e35)));
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
    let _e17 = linear_1[0];
    let _e21 = linear_1[1];
    let _e25 = linear_1[2];
    size = max(abs(_e17), max(abs(_e21), abs(_e25)));
    let _e30 = size;
    let _e32 = size;
    let _e34 = size;
    largest = max(_e30.x, max(_e32.y, _e34.z));
    let _e39 = largest;
    if !((_e39 > 0f)) {
        {
            return vec4<f32>(0f, 0f, 0f, 1f);
        }
    }
    let _e48 = linear_1;
    let _e49 = largest;
    let _e50 = vec3(_e49);
    a = mat3x3<f32>((_e48[0] / _e50), (_e48[1] / _e50), (_e48[2] / _e50));
    loop {
        let _e61 = i;
        if !((_e61 < 8i)) {
            break;
        }
        {
            let _e70 = a[1];
            let _e73 = a[2];
            let _e74 = cross(_e70, _e73);
            let _e77 = a[2];
            let _e80 = a[0];
            let _e81 = cross(_e77, _e80);
            let _e84 = a[0];
            let _e87 = a[1];
            let _e88 = cross(_e84, _e87);
            cofactor = mat3x3<f32>(vec3<f32>(_e74.x, _e74.y, _e74.z), vec3<f32>(_e81.x, _e81.y, _e81.z), vec3<f32>(_e88.x, _e88.y, _e88.z));
            let _e103 = a;
            let _e104 = pelt_norm(_e103);
            norm = _e104;
            let _e106 = cofactor;
            let _e107 = pelt_norm(_e106);
            cofactor_norm = _e107;
            let _e109 = i;
            let _e114 = a[0];
            let _e117 = cofactor[0];
            let _e121 = norm;
            let _e123 = cofactor_norm;
            is_mirror = ((_e109 == 0i) && (dot(_e114, _e117) < ((-0.00001f * _e121) * _e123)));
            let _e128 = cofactor_norm;
            if (_e128 > 0.000000000000000000000000000001f) {
                let _e132 = cofactor_norm;
                local = (1f / _e132);
            } else {
                local = 0f;
            }
            let _e136 = local;
            other = _e136;
            let _e138 = a;
            let _e139 = is_mirror;
            if _e139 {
                local_1 = -1f;
            } else {
                local_1 = 1f;
            }
            let _e144 = local_1;
            let _e145 = norm;
            let _e148 = cofactor;
            let _e149 = other;
            a = ((_e138 * (_e144 / _e145)) + (_e148 * _e149));
        }
        continuing {
            let _e65 = i;
            i = (_e65 + 1i);
        }
    }
    let _e152 = a;
    let _e155 = a;
    let _e156 = pelt_norm(_e155);
    let _e159 = pelt_quat_from_mat3_((_e152 * (1.7320508f / _e156)));
    return _e159;
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
    let _e19 = repeats_1;
    if !(_e19) {
        {
            let _e21 = time_1;
            let _e23 = duration_1;
            return clamp(_e21, 0f, _e23);
        }
    }
    let _e25 = duration_1;
    if (_e25 > 0f) {
        let _e28 = time_1;
        let _e29 = time_1;
        let _e30 = duration_1;
        let _e33 = duration_1;
        local = (_e28 - (floor((_e29 / _e30)) * _e33));
    } else {
        local = 0f;
    }
    let _e38 = local;
    t = _e38;
    let _e40 = t;
    let _e41 = duration_1;
    if (_e40 >= _e41) {
        let _e43 = t;
        let _e44 = duration_1;
        local_1 = (_e43 - _e44);
    } else {
        let _e46 = t;
        local_1 = _e46;
    }
    let _e48 = local_1;
    return _e48;
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
    let _e25 = position_1;
    let _e27 = wraps_1;
    if _e27 {
        let _e28 = count_1;
        local = _e28;
    } else {
        let _e29 = count_1;
        local = (_e29 - 1u);
    }
    let _e33 = local;
    x = clamp(_e25, 0f, f32(_e33));
    let _e37 = x;
    let _e39 = count_1;
    key = min(u32(_e37), (_e39 - 1u));
    let _e44 = key;
    let _e47 = count_1;
    if ((_e44 + 1u) < _e47) {
        let _e49 = key;
        local_2 = (_e49 + 1u);
    } else {
        let _e52 = wraps_1;
        if _e52 {
            local_1 = 0u;
        } else {
            let _e54 = key;
            local_1 = _e54;
        }
        let _e56 = local_1;
        local_2 = _e56;
    }
    let _e58 = local_2;
    next = _e58;
    let _e60 = table_1;
    let _e61 = first_1;
    let _e62 = key;
    let _e63 = stride_1;
    let _e66 = first_1;
    let _e67 = next;
    let _e68 = stride_1;
    let _e71 = x;
    let _e72 = key;
    return pelt_moment(_e60, (_e61 + (_e62 * _e63)), (_e66 + (_e67 * _e68)), (_e71 - f32(_e72)));
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
    let _e21 = clip_1;
    let _e23 = pelt_word(words, _e21);
    run = _e23;
    let _e25 = run;
    let _e28 = clip_1;
    let _e32 = pelt_word(words, (_e28 + 1u));
    last_run = (_e25 + (8u * (_e32 - 1u)));
    let _e39 = clip_1;
    let _e43 = pelt_word_float(words, (_e39 + 2u));
    duration = _e43;
    let _e46 = clip_1;
    let _e50 = pelt_word(words, (_e46 + 3u));
    wraps = ((_e50 & 1u) != 0u);
    let _e56 = time_1;
    let _e57 = duration;
    let _e58 = repeats_1;
    let _e59 = pelt_clip_time(_e56, _e57, _e58);
    t = _e59;
    loop {
        let _e61 = run;
        let _e62 = last_run;
        let _e65 = run;
        let _e69 = pelt_word_float(words, (_e65 + 8u));
        let _e70 = t;
        if !(((_e61 < _e62) && (_e69 <= _e70))) {
            break;
        }
        {
            let _e74 = run;
            run = (_e74 + 8u);
        }
    }
    let _e78 = run;
    let _e80 = pelt_word_float(words, _e78);
    start = _e80;
    let _e83 = run;
    let _e87 = pelt_word_float(words, (_e83 + 1u));
    rate = _e87;
    let _e90 = run;
    let _e94 = pelt_word(words, (_e90 + 2u));
    count = _e94;
    let _e97 = run;
    let _e101 = pelt_word(words, (_e97 + 3u));
    first = _e101;
    let _e104 = run;
    let _e108 = pelt_word(words, (_e104 + 4u));
    stride = _e108;
    let _e111 = run;
    let _e115 = pelt_word(words, (_e111 + 5u));
    table = _e115;
    let _e118 = run;
    let _e122 = pelt_word(words, (_e118 + 6u));
    is_held = ((_e122 & 1u) != 0u);
    let _e128 = table;
    let _e129 = first;
    let _e130 = stride;
    let _e131 = count;
    let _e132 = wraps;
    let _e133 = t;
    let _e134 = start;
    let _e136 = rate;
    let _e138 = pelt_moment_make(_e128, _e129, _e130, _e131, _e132, ((_e133 - _e134) * _e136));
    moment = _e138;
    let _e141 = is_held;
    if _e141 {
        local = 0f;
    } else {
        let _e143 = moment;
        local = _e143.u;
    }
    let _e146 = local;
    moment.u = _e146;
    let _e147 = moment;
    return _e147;
}

fn pelt_thesis_has_room(keys: u32, joints: u32) -> bool {
    var keys_1: u32;
    var joints_1: u32;

    keys_1 = keys;
    joints_1 = joints;
    let _e18 = joints_1;
    let _e24 = keys_1;
    return ((1u + ((_e18 + 1u) >> 1u)) <= _e24);
}

fn pelt_thesis_row(words: ptr<function, pelt_words>) -> u32 {
    var head: u32;
    var row: u32;
    var local: u32;

    let _e17 = pelt_word(words, 0u);
    head = _e17;
    let _e19 = head;
    row = (_e19 & 65535u);
    let _e23 = row;
    let _e24 = row;
    let _e25 = head;
    let _e30 = pelt_thesis_has_room(_e24, ((_e25 >> 16u) & 16383u));
    if _e30 {
        local = 0u;
    } else {
        local = 1u;
    }
    let _e34 = local;
    row = (_e23 + _e34);
    let _e36 = head;
    if ((_e36 & 2147483648u) != 0u) {
        {
            let _e41 = row;
            let _e42 = row;
            row = (_e41 | (_e42 >> 1u));
            let _e46 = row;
            let _e47 = row;
            row = (_e46 | (_e47 >> 2u));
            let _e51 = row;
            let _e52 = row;
            row = (_e51 | (_e52 >> 4u));
            let _e56 = row;
            let _e57 = row;
            row = (_e56 | (_e57 >> 8u));
        }
    }
    let _e61 = row;
    return (_e61 + 1u);
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
    let _e21 = pelt_word(words, 0u);
    head = _e21;
    let _e25 = pelt_thesis_row(words);
    row = _e25;
    let _e28 = row;
    let _e30 = pelt_word_float(words, _e28);
    rate = _e30;
    let _e33 = row;
    let _e37 = pelt_word_float(words, (_e33 + 1u));
    duration = _e37;
    let _e39 = time_1;
    let _e40 = duration;
    let _e41 = repeats_1;
    let _e42 = pelt_clip_time(_e39, _e40, _e41);
    t = _e42;
    let _e44 = row;
    let _e47 = head;
    let _e50 = head;
    let _e55 = t;
    let _e56 = rate;
    let _e58 = pelt_moment_make(_e44, 1u, 1u, (_e47 & 65535u), ((_e50 & 1073741824u) != 0u), (_e55 * _e56));
    return _e58;
}

fn pelt_clip_at(words: ptr<function, pelt_words>, clips: u32, clip: u32, time: f32) -> pelt_moment {
    var clips_1: u32;
    var clip_1: u32;
    var time_1: f32;
    var repeats: bool;

    clips_1 = clips;
    clip_1 = clip;
    time_1 = time;
    let _e20 = clip_1;
    repeats = ((_e20 & 32768u) != 0u);
    if (PELT_BAKED_LAYOUT == 1i) {
        {
            let _e29 = time_1;
            let _e30 = repeats;
            let _e32 = pelt_thesis_at(words, _e29, _e30);
            return _e32;
        }
    }
    let _e34 = clips_1;
    let _e36 = clip_1;
    let _e41 = time_1;
    let _e42 = repeats;
    let _e44 = pelt_moment_at(words, (_e34 + (4u * (_e36 & 32767u))), _e41, _e42);
    return _e44;
}

fn pelt_baked_joint_count(words: ptr<function, pelt_words>) -> u32 {
    var is_thesis: bool;
    var local: u32;
    var word: u32;
    var local_1: u32;

    is_thesis = (PELT_BAKED_LAYOUT == 1i);
    let _e18 = is_thesis;
    if _e18 {
        local = 0u;
    } else {
        local = 3u;
    }
    let _e22 = local;
    let _e24 = pelt_word(words, _e22);
    word = _e24;
    let _e26 = is_thesis;
    if _e26 {
        let _e27 = word;
        local_1 = ((_e27 >> 16u) & 16383u);
    } else {
        let _e32 = word;
        local_1 = _e32;
    }
    let _e34 = local_1;
    return _e34;
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
    let _e17 = pelt_words_make();
    words = _e17;
    is_thesis = (PELT_BAKED_LAYOUT == 1i);
    let _e26 = pelt_baked_joint_count((&words));
    playing.joint_count = _e26;
    let _e28 = is_thesis;
    if _e28 {
        local = 0u;
    } else {
        let _e33 = pelt_word((&words), 4u);
        local = _e33;
    }
    let _e35 = local;
    playing.joints = _e35;
    let _e36 = is_thesis;
    if _e36 {
        local_1 = 0u;
    } else {
        let _e41 = pelt_word((&words), 6u);
        local_1 = _e41;
    }
    let _e43 = local_1;
    clips = _e43;
    let _e47 = is_thesis;
    if _e47 {
        local_2 = 1u;
    } else {
        local_2 = 7u;
    }
    let _e51 = local_2;
    let _e53 = pelt_word_float((&words), _e51);
    playing.units = vec2<f32>(_e53, 1f);
    let _e56 = is_thesis;
    if !(_e56) {
        {
            let _e63 = pelt_word_float((&words), 8u);
            playing.units.y = _e63;
        }
    }
    let _e65 = playback_1;
    playing.is_spherical = ((_e65.y & 65536u) != 0u);
    let _e72 = playback_1;
    playing.fade = bitcast<f32>(_e72.z);
    let _e76 = playback_1;
    playing.weight = bitcast<f32>(_e76.w);
    let _e83 = clips;
    let _e84 = playback_1;
    let _e88 = times_1;
    let _e91 = pelt_clip_at((&words), _e83, (_e84.x & 65535u), _e88.x);
    playing.moments[0i] = _e91;
    let _e98 = playing.moments[0];
    playing.moments[1i] = _e98;
    let _e105 = playing.moments[0];
    playing.moments[2i] = _e105;
    let _e112 = playing.moments[0];
    playing.moments[3i] = _e112;
    let _e113 = playing;
    if (_e113.fade != 0f) {
        {
            let _e121 = clips;
            let _e122 = playback_1;
            let _e126 = times_1;
            let _e129 = pelt_clip_at((&words), _e121, (_e122.x >> 16u), _e126.y);
            playing.moments[1i] = _e129;
        }
    }
    let _e130 = playing;
    if ((_e130.weight != 0f) && (PELT_BAKED_KIND == 0i)) {
        {
            let _e138 = clips;
            let _e140 = playback_1;
            let _e147 = pelt_word((&words), (_e138 + (4u * (_e140.y & 32767u))));
            run = _e147;
            let _e150 = run;
            let _e154 = pelt_word((&words), (_e150 + 3u));
            first = _e154;
            let _e157 = run;
            let _e161 = pelt_word((&words), (_e157 + 5u));
            table = _e161;
            let _e166 = table;
            let _e167 = first;
            let _e168 = first;
            playing.moments[2i] = pelt_moment(_e166, _e167, _e168, 0f);
            let _e175 = clips;
            let _e176 = playback_1;
            let _e180 = times_1;
            let _e183 = pelt_clip_at((&words), _e175, (_e176.y & 65535u), _e180.z);
            playing.moments[3i] = _e183;
        }
    }
    let _e184 = playing;
    return _e184;
}

fn pelt_thesis_bytes(at: u32) -> vec4<f32> {
    var at_1: u32;

    at_1 = at;
    let _e15 = at_1;
    let _e16 = pelt_baked_texel(_e15);
    return vec4<f32>(_e16);
}

fn pelt_thesis_values(at: u32) -> vec4<f32> {
    var at_1: u32;

    at_1 = at;
    let _e15 = at_1;
    let _e16 = pelt_thesis_bytes(_e15);
    return ((_e16 - vec4(128f)) / vec4(127f));
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
    let _e18 = pelt_baked_texel(0u);
    head = _e18;
    let _e20 = head;
    let _e22 = head;
    keys = (_e20.x | (_e22.y << 8u));
    let _e28 = head;
    let _e30 = head;
    joints = ((_e28.z | (_e30.w << 8u)) & 16383u);
    if (PELT_BAKED_KIND == 1i) {
        local = 3u;
    } else {
        local = 2u;
    }
    let _e43 = local;
    rows = _e43;
    let _e45 = joint_1;
    let _e48 = row_1;
    let _e52 = joint_1;
    above = ((((_e45 & 1u) * _e48) + 2u) + (_e52 >> 1u));
    let _e58 = rows;
    let _e59 = joint_1;
    let _e62 = row_1;
    let _e66 = keys;
    after = ((((2u + (_e58 * _e59)) * _e62) + 1u) + _e66);
    let _e69 = keys;
    let _e70 = joints;
    let _e71 = pelt_thesis_has_room(_e69, _e70);
    if _e71 {
        let _e72 = above;
        local_1 = _e72;
    } else {
        let _e73 = after;
        local_1 = _e73;
    }
    let _e75 = local_1;
    let _e76 = pelt_baked_texel(_e75);
    return _e76;
}

fn pelt_thesis_pivot(joint: u32, row: u32, unit: f32) -> vec3<f32> {
    var joint_1: u32;
    var row_1: u32;
    var unit_1: f32;

    joint_1 = joint;
    row_1 = row;
    unit_1 = unit;
    let _e20 = unit_1;
    let _e22 = joint_1;
    let _e23 = row_1;
    let _e24 = pelt_thesis_pivot_bytes(_e22, _e23);
    return ((2f * _e20) * (vec3<f32>(_e24.xyz) - vec3(128f)));
}

fn pelt_thesis_stretch(joint: u32, row: u32) -> f32 {
    var joint_1: u32;
    var row_1: u32;

    joint_1 = joint;
    row_1 = row;
    let _e18 = joint_1;
    let _e19 = row_1;
    let _e20 = pelt_thesis_pivot_bytes(_e18, _e19);
    let _e25 = pelt_power_of_two((127u + (_e20.w & 31u)));
    return _e25;
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
    let _e19 = at_1;
    let _e20 = pelt_thesis_bytes(_e19);
    a = _e20;
    let _e22 = at_1;
    let _e23 = row_1;
    let _e25 = pelt_thesis_bytes((_e22 + _e23));
    b = _e25;
    let _e27 = at_1;
    let _e29 = row_1;
    let _e32 = pelt_thesis_bytes((_e27 + (2u * _e29)));
    c = _e32;
    let _e34 = a;
    let _e36 = b;
    let _e37 = _e36.xy;
    fraction = ((vec3<f32>(_e34.w, _e37.x, _e37.y) - vec3(128f)) / vec3(127f));
    let _e48 = fraction;
    if (_e48.x < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e56 = local;
    let _e57 = fraction;
    if (_e57.y < 0f) {
        local_1 = -1f;
    } else {
        local_1 = 1f;
    }
    let _e65 = local_1;
    let _e66 = fraction;
    if (_e66.z < 0f) {
        local_2 = -1f;
    } else {
        local_2 = 1f;
    }
    let _e74 = local_2;
    signs = vec3<f32>(_e56, _e65, _e74);
    let _e77 = unit_1;
    let _e78 = fraction;
    let _e79 = signs;
    let _e80 = a;
    let _e84 = (_e77 * (_e78 + (_e79 * _e80.xyz)));
    let _e90 = unit_1;
    let _e91 = b;
    let _e92 = _e91.zw;
    let _e93 = c;
    let _e98 = c;
    let _e104 = (_e90 * (vec3<f32>(_e92.x, _e92.y, _e93.x) + (_e98.yzw / vec3(255f))));
    return pelt_thesis_box(vec4<f32>(_e84.x, _e84.y, _e84.z, 0f), vec4<f32>(_e104.x, _e104.y, _e104.z, 0f));
}

fn pelt_thesis_dual_box(at: u32, row: u32, unit: f32) -> pelt_thesis_box {
    var at_1: u32;
    var row_1: u32;
    var unit_1: f32;

    at_1 = at;
    row_1 = row;
    unit_1 = unit;
    let _e19 = unit_1;
    let _e20 = at_1;
    let _e21 = pelt_thesis_bytes(_e20);
    let _e26 = unit_1;
    let _e27 = at_1;
    let _e28 = row_1;
    let _e30 = pelt_thesis_bytes((_e27 + _e28));
    return pelt_thesis_box((_e19 * (_e21 - vec4(128f))), (_e26 * _e30));
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
    let _e19 = at_1;
    let _e20 = pelt_thesis_values(_e19);
    x = _e20;
    let _e22 = at_1;
    let _e23 = row_1;
    let _e25 = pelt_thesis_values((_e22 + _e23));
    y = _e25;
    let _e27 = at_1;
    let _e29 = row_1;
    let _e32 = pelt_thesis_values((_e27 + (2u * _e29)));
    z = _e32;
    let _e34 = x;
    let _e35 = _e34.xyz;
    let _e36 = y;
    let _e37 = _e36.xyz;
    let _e38 = z;
    let _e39 = _e38.xyz;
    let _e54 = box_1;
    let _e57 = box_1;
    let _e60 = x;
    let _e62 = y;
    let _e64 = z;
    return pelt_thesis_matrix(transpose(mat3x3<f32>(vec3<f32>(_e35.x, _e35.y, _e35.z), vec3<f32>(_e37.x, _e37.y, _e37.z), vec3<f32>(_e39.x, _e39.y, _e39.z))), (_e54.center.xyz + (_e57.bounds.xyz * vec3<f32>(_e60.w, _e62.w, _e64.w))));
}

fn pelt_thesis_dual_at(at: u32, row: u32, box: pelt_thesis_box) -> pelt_dquat {
    var at_1: u32;
    var row_1: u32;
    var box_1: pelt_thesis_box;

    at_1 = at;
    row_1 = row;
    box_1 = box;
    let _e19 = at_1;
    let _e20 = pelt_thesis_values(_e19);
    let _e21 = box_1;
    let _e23 = box_1;
    let _e25 = at_1;
    let _e26 = row_1;
    let _e28 = pelt_thesis_values((_e25 + _e26));
    return pelt_dquat(_e20, (_e21.center + (_e23.bounds * _e28)));
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
    let _e18 = (*record);
    let _e20 = (*record);
    let _e24 = pelt_word((&(*record).words), _e20.at);
    component = _e24;
    let _e26 = component;
    width = (_e26 & 31u);
    let _e30 = width;
    if (_e30 == 31u) {
        local = 32u;
    } else {
        let _e34 = width;
        local = _e34;
    }
    let _e36 = local;
    width = _e36;
    let _e37 = (*record);
    let _e39 = moment_1;
    let _e41 = (*record);
    let _e43 = width;
    let _e46 = pelt_bits((&(*record).key), _e39.key, _e41.bit, _e43);
    first = _e46;
    let _e48 = (*record);
    let _e50 = moment_1;
    let _e52 = (*record);
    let _e54 = width;
    let _e57 = pelt_bits((&(*record).next), _e50.next, _e52.bit, _e54);
    second = _e57;
    let _e60 = (*record);
    (*record).at = (_e60.at + 1u);
    let _e65 = (*record);
    let _e67 = width;
    (*record).bit = (_e65.bit + _e67);
    let _e69 = component;
    let _e70 = scale_1;
    let _e71 = first;
    let _e72 = pelt_component_value(_e69, _e70, _e71);
    let _e73 = component;
    let _e74 = scale_1;
    let _e75 = second;
    let _e76 = pelt_component_value(_e73, _e74, _e75);
    return vec2<f32>(_e72, _e76);
}

fn pelt_take_vector(record: ptr<function, pelt_record>, moment: pelt_moment, scale: f32) -> pelt_key_pair {
    var moment_1: pelt_moment;
    var scale_1: f32;
    var x: vec2<f32>;
    var y: vec2<f32>;
    var z: vec2<f32>;

    moment_1 = moment;
    scale_1 = scale;
    let _e19 = moment_1;
    let _e20 = scale_1;
    let _e22 = pelt_take(record, _e19, _e20);
    x = _e22;
    let _e25 = moment_1;
    let _e26 = scale_1;
    let _e28 = pelt_take(record, _e25, _e26);
    y = _e28;
    let _e31 = moment_1;
    let _e32 = scale_1;
    let _e34 = pelt_take(record, _e31, _e32);
    z = _e34;
    let _e36 = x;
    let _e38 = y;
    let _e40 = z;
    let _e43 = x;
    let _e45 = y;
    let _e47 = z;
    return pelt_key_pair(vec3<f32>(_e36.x, _e38.x, _e40.x), vec3<f32>(_e43.y, _e45.y, _e47.y));
}

fn pelt_take_between(record: ptr<function, pelt_record>, moment: pelt_moment, scale: f32) -> vec3<f32> {
    var moment_1: pelt_moment;
    var scale_1: f32;
    var keys: pelt_key_pair;

    moment_1 = moment;
    scale_1 = scale;
    let _e19 = moment_1;
    let _e20 = scale_1;
    let _e22 = pelt_take_vector(record, _e19, _e20);
    keys = _e22;
    let _e25 = moment_1;
    let _e28 = keys;
    let _e31 = moment_1;
    let _e33 = keys;
    return (((1f - _e25.u) * _e28.first) + (_e31.u * _e33.second));
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
    let _e20 = code_1;
    width = (_e20 & 15u);
    let _e24 = width;
    if (_e24 == 0u) {
        {
            return 0f;
        }
    }
    let _e28 = (*record);
    let _e30 = moment_1;
    let _e32 = (*record);
    let _e34 = width;
    let _e37 = pelt_bits((&(*record).key), _e30.key, _e32.bit, _e34);
    value = _e37;
    let _e40 = (*record);
    let _e42 = width;
    (*record).bit = (_e40.bit + _e42);
    let _e44 = scale_1;
    let _e46 = code_1;
    let _e54 = code_1;
    let _e61 = pelt_power_of_two((((_e54 >> 5u) & 31u) + 97u));
    range = ((_e44 * f32((2u + ((_e46 >> 4u) & 1u)))) * _e61);
    let _e65 = width;
    middle = f32((1u << (_e65 - 1u)));
    let _e71 = range;
    let _e72 = value;
    let _e74 = middle;
    let _e76 = middle;
    let _e77 = middle;
    return (_e71 * ((f32(_e72) - _e74) / (_e76 + _e77)));
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
    let _e18 = (*record);
    let _e20 = (*record);
    let _e24 = pelt_word((&(*record).words), _e20.at);
    path = _e24;
    let _e27 = (*record);
    (*record).at = (_e27.at + 1u);
    let _e32 = moment_1;
    let _e33 = path;
    let _e36 = scale_1;
    let _e38 = pelt_take_step(record, _e32, (_e33 & 1023u), _e36);
    x = _e38;
    let _e41 = moment_1;
    let _e42 = path;
    let _e47 = scale_1;
    let _e49 = pelt_take_step(record, _e41, ((_e42 >> 10u) & 1023u), _e47);
    y = _e49;
    let _e52 = moment_1;
    let _e53 = path;
    let _e58 = scale_1;
    let _e60 = pelt_take_step(record, _e52, ((_e53 >> 20u) & 1023u), _e58);
    z = _e60;
    let _e63 = moment_1;
    let _e67 = moment_1;
    let _e71 = x;
    let _e72 = y;
    let _e73 = z;
    return (((4f * _e63.u) * (1f - _e67.u)) * vec3<f32>(_e71, _e72, _e73));
}

fn pelt_take_axes(record: ptr<function, pelt_record>, has_axes: bool) -> vec4<f32> {
    var has_axes_1: bool;
    var word: u32;
    var steps: vec3<f32>;

    has_axes_1 = has_axes;
    let _e16 = has_axes_1;
    if !(_e16) {
        {
            return vec4<f32>(0f, 0f, 0f, 1f);
        }
    }
    let _e23 = (*record);
    let _e25 = (*record);
    let _e29 = pelt_word((&(*record).words), _e25.at);
    word = _e29;
    let _e32 = (*record);
    (*record).at = (_e32.at + 1u);
    let _e36 = word;
    let _e40 = word;
    let _e46 = word;
    steps = vec3<f32>(f32((_e36 & 1023u)), f32(((_e40 >> 10u) & 1023u)), f32(((_e46 >> 20u) & 1023u)));
    let _e54 = steps;
    let _e61 = pelt_quat_from_vector(((_e54 - vec3(511f)) / vec3(511f)));
    return _e61;
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
    let _e21 = flags_1;
    stretch = ((_e21 >> 25u) & 3u);
    let _e27 = stretch;
    if (_e27 == 1u) {
        {
            let _e31 = moment_1;
            let _e32 = unit_1;
            let _e34 = pelt_take(record, _e31, _e32);
            keys = _e34;
            let _e44 = moment_1;
            let _e47 = keys;
            let _e50 = moment_1;
            let _e52 = keys;
            (*pose).stretch = (mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f)) * (((1f - _e44.u) * _e47.x) + (_e50.u * _e52.y)));
            return;
        }
    } else {
        let _e57 = stretch;
        if (_e57 == 2u) {
            {
                let _e61 = moment_1;
                let _e62 = unit_1;
                let _e64 = pelt_take_between(record, _e61, _e62);
                same = _e64;
                let _e67 = moment_1;
                let _e68 = unit_1;
                let _e70 = pelt_take_between(record, _e67, _e68);
                other = _e70;
                let _e73 = same;
                let _e75 = other;
                let _e77 = other;
                let _e79 = vec3<f32>(_e73.x, _e75.z, _e77.y);
                let _e80 = other;
                let _e82 = same;
                let _e84 = other;
                let _e86 = vec3<f32>(_e80.z, _e82.y, _e84.x);
                let _e87 = other;
                let _e89 = other;
                let _e91 = same;
                let _e93 = vec3<f32>(_e87.y, _e89.x, _e91.z);
                (*pose).stretch = mat3x3<f32>(vec3<f32>(_e79.x, _e79.y, _e79.z), vec3<f32>(_e86.x, _e86.y, _e86.z), vec3<f32>(_e93.x, _e93.y, _e93.z));
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
    let _e23 = flags_1;
    let _e29 = pelt_take_axes(record, ((_e23 & 4194304u) != 0u));
    (*pose).rotation = _e29;
    let _e31 = flags_1;
    let _e37 = pelt_take_axes(record, ((_e31 & 536870912u) != 0u));
    rotation_axes = _e37;
    let _e40 = flags_1;
    let _e46 = pelt_take_axes(record, ((_e40 & 1073741824u) != 0u));
    axes = _e46;
    let _e48 = flags_1;
    if ((_e48 & 8388608u) != 0u) {
        {
            let _e54 = moment_1;
            let _e57 = pelt_take_vector(record, _e54, 1f);
            keys = _e57;
            let _e59 = rotation_axes;
            let _e60 = keys;
            let _e62 = pelt_quat_rotate(_e59, _e60.first);
            let _e63 = pelt_quat_from_vector(_e62);
            first = _e63;
            let _e65 = rotation_axes;
            let _e66 = keys;
            let _e68 = pelt_quat_rotate(_e65, _e66.second);
            let _e69 = pelt_quat_from_vector(_e68);
            second = _e69;
            let _e72 = (*pose);
            let _e74 = first;
            let _e75 = second;
            let _e76 = moment_1;
            let _e78 = pelt_quat_slerp(_e74, _e75, _e76.u);
            let _e79 = pelt_quat_mul(_e72.rotation, _e78);
            (*pose).rotation = _e79;
        }
    }
    let _e80 = flags_1;
    if ((_e80 & 16777216u) != 0u) {
        {
            let _e86 = moment_1;
            let _e87 = units_1;
            let _e90 = pelt_take_between(record, _e86, _e87.x);
            position = _e90;
            let _e93 = axes;
            let _e94 = position;
            let _e95 = pelt_quat_rotate(_e93, _e94);
            (*pose).position = vec4<f32>(_e95.x, _e95.y, _e95.z, 0f);
        }
    }
    let _e103 = moment_1;
    let _e104 = flags_1;
    let _e105 = units_1;
    pelt_take_stretch(pose, record, _e103, _e104, _e105.y);
    let _e109 = flags_1;
    if ((_e109 & 134217728u) != 0u) {
        {
            let _e115 = moment_1;
            let _e118 = pelt_take_path(record, _e115, 1f);
            path = _e118;
            let _e120 = rotation_axes;
            let _e121 = path;
            let _e122 = pelt_quat_rotate(_e120, _e121);
            change = vec4<f32>(_e122.x, _e122.y, _e122.z, 1f);
            let _e130 = (*pose);
            let _e132 = change;
            let _e133 = pelt_quat_mul(_e130.rotation, _e132);
            (*pose).rotation = normalize(_e133);
        }
    }
    let _e135 = flags_1;
    if ((_e135 & 268435456u) != 0u) {
        {
            let _e141 = (*pose).position;
            let _e143 = (*pose);
            let _e146 = axes;
            let _e148 = moment_1;
            let _e149 = units_1;
            let _e152 = pelt_take_path(record, _e148, _e149.x);
            let _e153 = pelt_quat_rotate(_e146, _e152);
            let _e154 = (_e143.position.xyz + _e153);
            (*pose).position.x = _e154.x;
            (*pose).position.y = _e154.y;
            (*pose).position.z = _e154.z;
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
    let _e19 = a_1;
    let _e20 = pelt_normalize(_e19);
    from_ = _e20;
    let _e22 = b_1;
    let _e23 = pelt_normalize(_e22);
    to = _e23;
    let _e25 = from_;
    let _e26 = to;
    if (dot(_e25, _e26) < 0f) {
        {
            let _e31 = u_1;
            let _e33 = a_1;
            let _e35 = u_1;
            let _e36 = b_1;
            return (((1f - _e31) * _e33) + (_e35 * _e36));
        }
    }
    let _e39 = to;
    let _e40 = from_;
    let _e42 = to;
    let _e43 = from_;
    let _e46 = u_1;
    let _e47 = pelt_arc_parts(dot((_e39 - _e40), (_e42 - _e43)), _e46);
    parts = _e47;
    let _e50 = u_1;
    let _e52 = a_1;
    let _e55 = u_1;
    let _e56 = b_1;
    size = (((1f - _e50) * length(_e52)) + (_e55 * length(_e56)));
    let _e61 = size;
    let _e62 = parts;
    let _e64 = from_;
    let _e66 = parts;
    let _e68 = to;
    let _e71 = pelt_normalize(((_e62.x * _e64) + (_e66.y * _e68)));
    return (_e61 * _e71);
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
    let _e24 = u_1;
    let _e26 = first_1;
    let _e28 = u_1;
    let _e29 = second_1;
    (*pose).stretch = (((1f - _e24) * _e26) + (_e28 * _e29));
    let _e32 = is_spherical_1;
    if _e32 {
        {
            let _e36 = first_1[0];
            let _e39 = second_1[0];
            let _e40 = u_1;
            let _e41 = pelt_mix_column(_e36, _e39, _e40);
            let _e44 = first_1[1];
            let _e47 = second_1[1];
            let _e48 = u_1;
            let _e49 = pelt_mix_column(_e44, _e47, _e48);
            let _e52 = first_1[2];
            let _e55 = second_1[2];
            let _e56 = u_1;
            let _e57 = pelt_mix_column(_e52, _e55, _e56);
            (*pose).stretch = mat3x3<f32>(vec3<f32>(_e41.x, _e41.y, _e41.z), vec3<f32>(_e49.x, _e49.y, _e49.z), vec3<f32>(_e57.x, _e57.y, _e57.z));
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
    let _e22 = moment_1;
    let _e23 = units_1;
    let _e26 = pelt_take_vector(record, _e22, _e23.y);
    x = _e26;
    let _e29 = moment_1;
    let _e30 = units_1;
    let _e33 = pelt_take_vector(record, _e29, _e30.y);
    y = _e33;
    let _e36 = moment_1;
    let _e37 = units_1;
    let _e40 = pelt_take_vector(record, _e36, _e37.y);
    z = _e40;
    let _e43 = x;
    let _e45 = y;
    let _e47 = z;
    let _e63 = x;
    let _e65 = y;
    let _e67 = z;
    let _e83 = moment_1;
    let _e85 = is_spherical_1;
    pelt_mix_linear(pose, transpose(mat3x3<f32>(vec3<f32>(_e43.first.x, _e43.first.y, _e43.first.z), vec3<f32>(_e45.first.x, _e45.first.y, _e45.first.z), vec3<f32>(_e47.first.x, _e47.first.y, _e47.first.z))), transpose(mat3x3<f32>(vec3<f32>(_e63.second.x, _e63.second.y, _e63.second.z), vec3<f32>(_e65.second.x, _e65.second.y, _e65.second.z), vec3<f32>(_e67.second.x, _e67.second.y, _e67.second.z))), _e83.u, _e85);
    let _e89 = moment_1;
    let _e90 = units_1;
    let _e93 = pelt_take_between(record, _e89, _e90.x);
    (*pose).position = vec4<f32>(_e93.x, _e93.y, _e93.z, 0f);
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
    let _e19 = a_1;
    let _e21 = b_1;
    if (dot(_e19.real, _e21.real) < 0f) {
        let _e26 = u_1;
        local = -(_e26);
    } else {
        let _e28 = u_1;
        local = _e28;
    }
    let _e30 = local;
    other = _e30;
    let _e33 = u_1;
    let _e35 = a_1;
    let _e38 = other;
    let _e39 = b_1;
    real = (((1f - _e33) * _e35.real) + (_e38 * _e39.real));
    let _e45 = u_1;
    let _e47 = a_1;
    let _e50 = other;
    let _e51 = b_1;
    dual = (((1f - _e45) * _e47.dual) + (_e50 * _e51.dual));
    let _e56 = real;
    size = length(_e56);
    let _e59 = real;
    let _e60 = size;
    let _e63 = dual;
    let _e64 = size;
    return pelt_dquat((_e59 / vec4(_e60)), (_e63 / vec4(_e64)));
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
    let _e22 = moment_1;
    let _e25 = pelt_take_vector(record, _e22, 1f);
    real = _e25;
    let _e28 = moment_1;
    let _e31 = pelt_take(record, _e28, 1f);
    real_w = _e31;
    let _e34 = moment_1;
    let _e35 = units_1;
    let _e38 = pelt_take_vector(record, _e34, _e35.x);
    dual = _e38;
    let _e41 = moment_1;
    let _e42 = units_1;
    let _e45 = pelt_take(record, _e41, _e42.x);
    dual_w = _e45;
    let _e47 = real;
    let _e49 = real_w;
    let _e55 = dual;
    let _e57 = dual_w;
    let _e64 = real;
    let _e66 = real_w;
    let _e72 = dual;
    let _e74 = dual_w;
    let _e81 = moment_1;
    let _e83 = pelt_mix_duals(pelt_dquat(vec4<f32>(_e47.first.x, _e47.first.y, _e47.first.z, _e49.x), vec4<f32>(_e55.first.x, _e55.first.y, _e55.first.z, _e57.x)), pelt_dquat(vec4<f32>(_e64.second.x, _e64.second.y, _e64.second.z, _e66.y), vec4<f32>(_e72.second.x, _e72.second.y, _e72.second.z, _e74.y)), _e81.u);
    between = _e83;
    let _e86 = between;
    (*pose).rotation = _e86.real;
    let _e89 = between;
    (*pose).position = _e89.dual;
    let _e93 = moment_1;
    let _e94 = flags_1;
    let _e95 = units_1;
    pelt_take_stretch(pose, record, _e93, _e94, _e95.y);
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
    let _e22 = moment_1;
    row = _e22.table;
    if (PELT_BAKED_KIND == 1i) {
        local = 3u;
    } else {
        local = 2u;
    }
    let _e30 = local;
    rows = _e30;
    let _e33 = rows;
    let _e34 = joint_1;
    let _e37 = row;
    at = ((2u + (_e33 * _e34)) * _e37);
    if (PELT_BAKED_KIND == 1i) {
        {
            let _e42 = at;
            let _e43 = row;
            let _e44 = unit_1;
            let _e45 = pelt_thesis_matrix_box(_e42, _e43, _e44);
            box = _e45;
            let _e47 = at;
            let _e48 = moment_1;
            let _e51 = row;
            let _e52 = box;
            let _e53 = pelt_thesis_matrix_at((_e47 + _e48.key), _e51, _e52);
            a = _e53;
            let _e55 = at;
            let _e56 = moment_1;
            let _e59 = row;
            let _e60 = box;
            let _e61 = pelt_thesis_matrix_at((_e55 + _e56.next), _e59, _e60);
            b = _e61;
            let _e63 = joint_1;
            let _e64 = row;
            let _e65 = pelt_thesis_stretch(_e63, _e64);
            stretch = _e65;
            let _e68 = stretch;
            let _e69 = a;
            let _e72 = stretch;
            let _e73 = b;
            let _e76 = moment_1;
            let _e78 = is_spherical_1;
            pelt_mix_linear(pose, (_e68 * _e69.linear), (_e72 * _e73.linear), _e76.u, _e78);
            let _e82 = moment_1;
            let _e85 = a;
            let _e88 = moment_1;
            let _e90 = b;
            let _e93 = (((1f - _e82.u) * _e85.position) + (_e88.u * _e90.position));
            (*pose).position = vec4<f32>(_e93.x, _e93.y, _e93.z, 0f);
            return;
        }
    }
    let _e99 = at;
    let _e100 = row;
    let _e101 = unit_1;
    let _e102 = pelt_thesis_dual_box(_e99, _e100, _e101);
    box_1 = _e102;
    let _e104 = at;
    let _e105 = moment_1;
    let _e108 = row;
    let _e109 = box_1;
    let _e110 = pelt_thesis_dual_at((_e104 + _e105.key), _e108, _e109);
    let _e111 = at;
    let _e112 = moment_1;
    let _e115 = row;
    let _e116 = box_1;
    let _e117 = pelt_thesis_dual_at((_e111 + _e112.next), _e115, _e116);
    let _e118 = moment_1;
    let _e120 = pelt_mix_duals(_e110, _e117, _e118.u);
    between = _e120;
    let _e123 = between;
    (*pose).rotation = _e123.real;
    let _e126 = between;
    (*pose).position = _e126.dual;
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
    let _e34 = is_dual;
    if _e34 {
        let _e36 = pivot_1;
        local = (0.5f * _e36);
    } else {
        let _e38 = pivot_1;
        local = _e38;
    }
    let _e40 = local;
    pose.position = vec4<f32>(_e40.x, _e40.y, _e40.z, 0f);
    pose.stretch = mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
    pose.is_skewed = false;
    if (PELT_BAKED_LAYOUT == 1i) {
        {
            let _e58 = joint_1;
            let _e59 = moment_1;
            let _e60 = units_1;
            let _e62 = is_spherical_1;
            pelt_take_thesis((&pose), _e58, _e59, _e60.x, _e62);
            let _e64 = pose;
            return _e64;
        }
    }
    let _e67 = pelt_words_make();
    record.words = _e67;
    let _e69 = pelt_words_make();
    record.key = _e69;
    let _e71 = pelt_words_make();
    record.next = _e71;
    let _e72 = record;
    let _e74 = moment_1;
    let _e76 = joint_1;
    let _e82 = pelt_word((&record.words), (_e74.table + (_e76 >> 1u)));
    pair = _e82;
    let _e84 = joint_1;
    if ((_e84 & 1u) == 0u) {
        let _e89 = pair;
        local_1 = (_e89 & 65535u);
    } else {
        let _e92 = pair;
        local_1 = (_e92 >> 16u);
    }
    let _e96 = local_1;
    offset = _e96;
    let _e98 = offset;
    if (_e98 == 0u) {
        {
            let _e101 = pose;
            return _e101;
        }
    }
    let _e103 = moment_1;
    let _e105 = offset;
    record.at = (_e103.table + _e105);
    let _e107 = record;
    let _e109 = record;
    let _e113 = pelt_word((&record.words), _e109.at);
    flags = _e113;
    let _e116 = record;
    record.at = (_e116.at + 1u);
    let _e121 = flags;
    record.bit = (_e121 & 1048575u);
    if (PELT_BAKED_KIND == 1i) {
        {
            let _e128 = moment_1;
            let _e129 = units_1;
            let _e130 = is_spherical_1;
            pelt_take_matrix((&pose), (&record), _e128, _e129, _e130);
        }
    } else {
        if (PELT_BAKED_KIND == 2i) {
            {
                let _e137 = moment_1;
                let _e138 = flags;
                let _e139 = units_1;
                pelt_take_dual((&pose), (&record), _e137, _e138, _e139);
            }
        } else {
            {
                let _e144 = moment_1;
                let _e145 = flags;
                let _e146 = units_1;
                pelt_take_pose((&pose), (&record), _e144, _e145, _e146);
            }
        }
    }
    let _e149 = pose;
    return _e149;
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
    let _e20 = factor_1;
    let _e22 = a_1;
    let _e25 = factor_1;
    let _e26 = b_1;
    stretch = (((1f - _e20) * _e22.stretch) + (_e25 * _e26.stretch));
    let _e31 = a_1;
    let _e33 = b_1;
    is_skewed = (_e31.is_skewed || _e33.is_skewed);
    if (PELT_BAKED_KIND == 2i) {
        {
            let _e39 = a_1;
            let _e41 = a_1;
            let _e44 = b_1;
            let _e46 = b_1;
            let _e49 = factor_1;
            let _e50 = pelt_mix_duals(pelt_dquat(_e39.rotation, _e41.position), pelt_dquat(_e44.rotation, _e46.position), _e49);
            between = _e50;
            let _e52 = between;
            let _e54 = between;
            let _e56 = stretch;
            let _e57 = is_skewed;
            return pelt_local(_e52.real, _e54.dual, _e56, _e57);
        }
    }
    let _e59 = a_1;
    let _e61 = b_1;
    let _e63 = factor_1;
    let _e64 = pelt_quat_slerp(_e59.rotation, _e61.rotation, _e63);
    let _e66 = factor_1;
    let _e68 = a_1;
    let _e71 = factor_1;
    let _e72 = b_1;
    let _e76 = stretch;
    let _e77 = is_skewed;
    return pelt_local(_e64, (((1f - _e66) * _e68.position) + (_e71 * _e72.position)), _e76, _e77);
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
    let _e21 = first_1;
    let _e23 = pelt_quat_conjugate(_e21.rotation);
    let _e24 = now_1;
    let _e26 = pelt_quat_mul(_e23, _e24.rotation);
    change = _e26;
    let _e33 = change;
    let _e34 = weight_1;
    let _e35 = pelt_quat_slerp(vec4<f32>(0f, 0f, 0f, 1f), _e33, _e34);
    change = _e35;
    let _e36 = pose_1;
    let _e38 = change;
    let _e39 = pelt_quat_mul(_e36.rotation, _e38);
    let _e40 = pose_1;
    let _e42 = weight_1;
    let _e43 = now_1;
    let _e45 = first_1;
    let _e50 = pose_1;
    let _e52 = weight_1;
    let _e53 = now_1;
    let _e55 = first_1;
    let _e60 = pose_1;
    let _e62 = first_1;
    let _e65 = now_1;
    return pelt_local(_e39, (_e40.position + (_e42 * (_e43.position - _e45.position))), (_e50.stretch + (_e52 * (_e53.stretch - _e55.stretch))), ((_e60.is_skewed || _e62.is_skewed) || _e65.is_skewed));
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
    let _e19 = playing_1;
    is_added = ((_e19.weight != 0f) && (PELT_BAKED_KIND == 0i));
    loop {
        let _e31 = i;
        let _e32 = is_added;
        if _e32 {
            local = 4i;
        } else {
            local = 2i;
        }
        let _e36 = local;
        if !((_e31 < _e36)) {
            break;
        }
        {
            let _e42 = i;
            let _e45 = playing_1;
            if ((_e42 == 1i) && (_e45.fade == 0f)) {
                {
                    continue;
                }
            }
            let _e50 = joint_1;
            let _e51 = pivot_1;
            let _e52 = i;
            let _e55 = playing_1.moments[_e52];
            let _e56 = playing_1;
            let _e58 = playing_1;
            let _e60 = pelt_local_stored(_e50, _e51, _e55, _e56.units, _e58.is_spherical);
            stored = _e60;
            let _e62 = i;
            if (_e62 == 0i) {
                {
                    let _e65 = stored;
                    pose = _e65;
                    let _e66 = stored;
                    first = _e66;
                }
            } else {
                let _e67 = i;
                if (_e67 == 1i) {
                    {
                        let _e70 = pose;
                        let _e71 = stored;
                        let _e72 = playing_1;
                        let _e74 = pelt_local_fade(_e70, _e71, _e72.fade);
                        pose = _e74;
                    }
                } else {
                    let _e75 = i;
                    if (_e75 == 2i) {
                        {
                            let _e78 = stored;
                            first = _e78;
                        }
                    } else {
                        {
                            let _e79 = pose;
                            let _e80 = first;
                            let _e81 = stored;
                            let _e82 = playing_1;
                            let _e84 = pelt_local_add(_e79, _e80, _e81, _e82.weight);
                            pose = _e84;
                        }
                    }
                }
            }
        }
        continuing {
            let _e39 = i;
            i = (_e39 + 1i);
        }
    }
    let _e85 = pose;
    return _e85;
}

fn pelt_is_positive(a: mat3x3<f32>) -> bool {
    var a_1: mat3x3<f32>;

    a_1 = a;
    let _e17 = a_1[0];
    let _e23 = a_1[0];
    let _e27 = a_1[1];
    let _e32 = a_1[0];
    let _e36 = a_1[0];
    let _e43 = a_1[0];
    let _e46 = a_1[1];
    let _e49 = a_1[2];
    return (((_e17.x > 0f) && ((_e23.x * _e27.y) > (_e32.y * _e36.y))) && (dot(_e43, cross(_e46, _e49)) > 0f));
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
            let _e21 = joint_1;
            let _e25 = playing_1.moments[0];
            let _e27 = playing_1;
            let _e30 = pelt_thesis_pivot(_e21, _e25.table, _e27.units.x);
            (*pivot) = _e30;
            return 4294967295u;
        }
    }
    let _e32 = playing_1;
    let _e35 = joint_1;
    at = (_e32.joints + (4u * _e35));
    let _e40 = at;
    let _e42 = pelt_word(words, _e40);
    parent = _e42;
    let _e45 = at;
    let _e49 = pelt_word_float(words, (_e45 + 1u));
    let _e51 = at;
    let _e55 = pelt_word_float(words, (_e51 + 2u));
    let _e57 = at;
    let _e61 = pelt_word_float(words, (_e57 + 3u));
    (*pivot) = vec3<f32>(_e49, _e55, _e61);
    let _e63 = parent;
    return _e63;
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
    let _e35 = pelt_words_make();
    words = _e35;
    let _e37 = joint_1;
    link = _e37;
    loop {
        let _e41 = i;
        let _e42 = playing_1;
        let _e45 = link;
        let _e46 = playing_1;
        if !(((_e41 < _e42.joint_count) && (_e45 < _e46.joint_count))) {
            break;
        }
        {
            let _e57 = link;
            let _e58 = playing_1;
            let _e61 = pelt_parent((&pivot), (&words), _e57, _e58);
            parent = _e61;
            let _e63 = link;
            let _e64 = pivot;
            let _e65 = playing_1;
            let _e66 = pelt_local_at(_e63, _e64, _e65);
            pose = _e66;
            let _e68 = pose;
            let _e70 = pelt_mat3_from_quat(_e68.rotation);
            let _e71 = pose;
            map = (_e70 * _e71.stretch);
            let _e75 = pose;
            position = _e75.position.xyz;
            if (PELT_BAKED_KIND == 2i) {
                {
                    let _e81 = pose;
                    let _e83 = pose;
                    let _e86 = pelt_dquat_translation(pelt_dquat(_e81.rotation, _e83.position));
                    position = _e86;
                }
            }
            let _e87 = map;
            let _e88 = linear;
            linear = (_e87 * _e88);
            let _e90 = map;
            let _e91 = translation;
            let _e92 = pivot;
            let _e95 = position;
            translation = ((_e90 * (_e91 - _e92)) + _e95);
            let _e97 = pose;
            let _e99 = rotation;
            let _e100 = pelt_quat_mul(_e97.rotation, _e99);
            rotation = _e100;
            let _e101 = i;
            is_first = ((_e101 == 0u) && (PELT_BAKED_KIND != 1i));
            let _e108 = is_skewed;
            let _e109 = pose;
            let _e111 = is_first;
            let _e112 = pose;
            let _e114 = pelt_is_positive(_e112.stretch);
            is_skewed = (_e108 || (_e109.is_skewed && !((_e111 && _e114))));
            let _e119 = parent;
            link = _e119;
        }
        continuing {
            let _e51 = i;
            i = (_e51 + 1u);
        }
    }
    let _e120 = is_skewed;
    if _e120 {
        {
            let _e121 = linear;
            let _e122 = pelt_polar_rotation(_e121);
            rotation = _e122;
        }
    }
    let _e123 = linear;
    rows = transpose(_e123);
    let _e128 = rows[0];
    let _e129 = translation;
    let _e137 = rows[1];
    let _e138 = translation;
    let _e146 = rows[2];
    let _e147 = translation;
    let _e153 = rotation;
    return pelt_joint(vec4<f32>(_e128.x, _e128.y, _e128.z, _e129.x), vec4<f32>(_e137.x, _e137.y, _e137.z, _e138.y), vec4<f32>(_e146.x, _e146.y, _e146.z, _e147.z), _e153);
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
    let _e16 = e_1;
    let _e20 = e_1;
    z = ((1f - abs(_e16.x)) - abs(_e20.y));
    let _e25 = e_1;
    if (_e25.x < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e33 = local;
    let _e34 = e_1;
    if (_e34.y < 0f) {
        local_1 = -1f;
    } else {
        local_1 = 1f;
    }
    let _e42 = local_1;
    signs = vec2<f32>(_e33, _e42);
    let _e45 = z;
    if (_e45 < 0f) {
        let _e49 = e_1;
        let _e54 = signs;
        local_2 = ((vec2(1f) - abs(_e49.yx)) * _e54);
    } else {
        let _e56 = e_1;
        local_2 = _e56;
    }
    let _e58 = local_2;
    folded = _e58;
    let _e60 = folded;
    let _e61 = z;
    return normalize(vec3<f32>(_e60.x, _e60.y, _e61));
}

fn pelt_stored_normal(words: ptr<function, pelt_words>, key: u32, bit: u32, width: u32) -> vec3<f32> {
    var key_1: u32;
    var bit_1: u32;
    var width_1: u32;
    var steps: vec2<f32>;

    key_1 = key;
    bit_1 = bit;
    width_1 = width;
    let _e21 = key_1;
    let _e22 = bit_1;
    let _e23 = width_1;
    let _e25 = pelt_bits(words, _e21, _e22, _e23);
    let _e28 = key_1;
    let _e29 = bit_1;
    let _e30 = width_1;
    let _e32 = width_1;
    let _e34 = pelt_bits(words, _e28, (_e29 + _e30), _e32);
    steps = vec2<f32>(f32(_e25), f32(_e34));
    let _e39 = steps;
    let _e42 = width_1;
    let _e52 = pelt_octahedron((((2f * _e39) / vec2(f32(((1u << _e42) - 1u)))) - vec2(1f)));
    return _e52;
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
    let _e21 = pelt_words_make();
    words = _e21;
    let _e23 = pelt_words_make();
    key = _e23;
    let _e25 = pelt_words_make();
    next = _e25;
    let _e28 = moment_1;
    let _e31 = pelt_word((&words), _e28.table);
    header = _e31;
    let _e33 = header;
    width = (_e33 & 255u);
    let _e37 = header;
    normal_width = ((_e37 >> 8u) & 255u);
    let _e43 = header;
    is_shared = ((_e43 & 65536u) != 0u);
    let _e49 = moment_1;
    let _e53 = is_shared;
    if _e53 {
        local = 0u;
    } else {
        let _e56 = vertex_1;
        local = (3u * _e56);
    }
    let _e59 = local;
    component = ((_e49.table + 1u) + _e59);
    let _e62 = vertex_1;
    let _e64 = width;
    let _e67 = normal_width;
    bit = (_e62 * ((3u * _e64) + (2u * _e67)));
    let _e72 = rest_1;
    position = _e72.position;
    loop {
        let _e77 = i;
        if !((_e77 < 3i)) {
            break;
        }
        {
            let _e85 = component;
            let _e86 = i;
            let _e90 = pelt_word((&words), (_e85 + u32(_e86)));
            word = _e90;
            let _e92 = word;
            let _e93 = unit_1;
            let _e95 = moment_1;
            let _e97 = bit;
            let _e98 = width;
            let _e100 = pelt_bits((&key), _e95.key, _e97, _e98);
            let _e101 = pelt_component_value(_e92, _e93, _e100);
            first = _e101;
            let _e103 = word;
            let _e104 = unit_1;
            let _e106 = moment_1;
            let _e108 = bit;
            let _e109 = width;
            let _e111 = pelt_bits((&next), _e106.next, _e108, _e109);
            let _e112 = pelt_component_value(_e103, _e104, _e111);
            second = _e112;
            let _e114 = i;
            let _e116 = i;
            let _e118 = position[_e116];
            let _e120 = moment_1;
            let _e123 = first;
            let _e125 = moment_1;
            let _e127 = second;
            position[_e114] = (_e118 + (((1f - _e120.u) * _e123) + (_e125.u * _e127)));
            let _e131 = bit;
            let _e132 = width;
            bit = (_e131 + _e132);
        }
        continuing {
            let _e81 = i;
            i = (_e81 + 1i);
        }
    }
    let _e134 = rest_1;
    normal = _e134.normal;
    let _e137 = normal_width;
    if (_e137 > 0u) {
        {
            let _e141 = moment_1;
            let _e143 = bit;
            let _e144 = normal_width;
            let _e146 = pelt_stored_normal((&key), _e141.key, _e143, _e144);
            first_1 = _e146;
            let _e149 = moment_1;
            let _e151 = bit;
            let _e152 = normal_width;
            let _e154 = pelt_stored_normal((&next), _e149.next, _e151, _e152);
            second_1 = _e154;
            let _e157 = moment_1;
            let _e160 = first_1;
            let _e162 = moment_1;
            let _e164 = second_1;
            normal = normalize((((1f - _e157.u) * _e160) + (_e162.u * _e164)));
        }
    }
    let _e168 = position;
    let _e169 = normal;
    let _e170 = rest_1;
    return pelt_vertex(_e168, _e169, _e170.tangent);
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
    let _e19 = rest_1;
    let _e20 = pelt_vertex_at_rest(_e19);
    result = _e20;
    loop {
        let _e24 = i;
        let _e25 = playing_1;
        if (_e25.fade != 0f) {
            local = 2i;
        } else {
            local = 1i;
        }
        let _e32 = local;
        if !((_e24 < _e32)) {
            break;
        }
        {
            let _e38 = rest_1;
            let _e39 = vertex_1;
            let _e40 = i;
            let _e43 = playing_1.moments[_e40];
            let _e44 = playing_1;
            let _e47 = pelt_vertex_stored(_e38, _e39, _e43, _e44.units.x);
            stored = _e47;
            let _e49 = i;
            if (_e49 == 0i) {
                local_1 = 1f;
            } else {
                let _e53 = playing_1;
                local_1 = _e53.fade;
            }
            let _e56 = local_1;
            factor = _e56;
            let _e60 = factor;
            let _e62 = result;
            let _e65 = factor;
            let _e66 = stored;
            result.position = (((1f - _e60) * _e62.position) + (_e65 * _e66.position));
            let _e71 = i;
            if (_e71 == 0i) {
                let _e74 = stored;
                local_2 = _e74.normal;
            } else {
                let _e77 = factor;
                let _e79 = result;
                let _e82 = factor;
                let _e83 = stored;
                local_2 = normalize((((1f - _e77) * _e79.normal) + (_e82 * _e83.normal)));
            }
            let _e89 = local_2;
            result.normal = _e89;
        }
        continuing {
            let _e35 = i;
            i = (_e35 + 1i);
        }
    }
    let _e90 = result;
    return _e90;
}
