// SPDX-License-Identifier: MIT
// Animation textures of pelt, translated from its GLSL by tools/shaders.
// Goes after pelt_skin, and wants pelt_baked_texel() as well.

// Animation textures: words in a texel, 4, 2 or 1; its width, 0 to ask the texture; and the form in
// which motions are stored.
override PELT_BAKED_TEXEL_WORDS: i32 = 4;
override PELT_BAKED_WIDTH: i32 = 0;
const PELT_BAKED_POSE: i32 = 0;   // rotation, position and stretch: qt, local
const PELT_BAKED_MATRIX: i32 = 1; // matrix
const PELT_BAKED_DUAL: i32 = 2;   // dq
override PELT_BAKED_KIND: i32 = PELT_BAKED_POSE;

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
    let _e17 = words;
    return _e17;
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
    let _e14 = at_1;
    texel = (_e14 / u32(PELT_BAKED_TEXEL_WORDS));
    let _e18 = texel;
    let _e19 = (*words);
    if (_e18 != _e19.texel) {
        {
            let _e23 = texel;
            (*words).texel = _e23;
            let _e25 = texel;
            let _e26 = pelt_baked_texel(_e25);
            (*words).channels = _e26;
        }
    }
    let _e27 = (*words);
    channels = _e27.channels;
    if (PELT_BAKED_TEXEL_WORDS == 4i) {
        {
            let _e32 = at_1;
            if ((_e32 & 2u) == 0u) {
                let _e37 = channels;
                local = _e37.xy;
            } else {
                let _e39 = channels;
                local = _e39.zw;
            }
            let _e42 = local;
            pair = _e42;
            let _e44 = at_1;
            if ((_e44 & 1u) == 0u) {
                let _e49 = pair;
                local_1 = _e49.x;
            } else {
                let _e51 = pair;
                local_1 = _e51.y;
            }
            let _e54 = local_1;
            return _e54;
        }
    }
    if (PELT_BAKED_TEXEL_WORDS == 2i) {
        {
            let _e57 = at_1;
            if ((_e57 & 1u) == 0u) {
                let _e62 = channels;
                local_2 = _e62.xy;
            } else {
                let _e64 = channels;
                local_2 = _e64.zw;
            }
            let _e67 = local_2;
            halves = _e67;
            let _e69 = halves;
            let _e71 = halves;
            return (_e69.x | (_e71.y << 16u));
        }
    }
    let _e76 = channels;
    let _e78 = channels;
    let _e83 = channels;
    let _e88 = channels;
    return (((_e76.x | (_e78.y << 8u)) | (_e83.z << 16u)) | (_e88.w << 24u));
}

fn pelt_word_float(words: ptr<function, pelt_words>, at: u32) -> f32 {
    var at_1: u32;

    at_1 = at;
    let _e15 = at_1;
    let _e17 = pelt_word(words, _e15);
    return bitcast<f32>(_e17);
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
    let _e18 = width_1;
    if (_e18 == 0u) {
        {
            return 0u;
        }
    }
    let _e22 = first_1;
    let _e23 = bit_1;
    at = (_e22 + (_e23 >> 5u));
    let _e28 = bit_1;
    shift = (_e28 & 31u);
    let _e33 = at;
    let _e35 = pelt_word(words, _e33);
    let _e36 = shift;
    value = (_e35 >> _e36);
    let _e39 = shift;
    let _e40 = width_1;
    if ((_e39 + _e40) > 32u) {
        {
            let _e44 = value;
            let _e46 = at;
            let _e50 = pelt_word(words, (_e46 + 1u));
            let _e52 = shift;
            value = (_e44 | (_e50 << (32u - _e52)));
        }
    }
    let _e56 = width_1;
    if (_e56 < 32u) {
        let _e59 = value;
        let _e61 = width_1;
        local = (_e59 & ((1u << _e61) - 1u));
    } else {
        let _e66 = value;
        local = _e66;
    }
    let _e68 = local;
    return _e68;
}

fn pelt_power_of_two(exponent: u32) -> f32 {
    var exponent_1: u32;

    exponent_1 = exponent;
    let _e13 = exponent_1;
    return bitcast<f32>((_e13 << 23u));
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
    let _e17 = component_1;
    width = (_e17 & 31u);
    let _e21 = width;
    if (_e21 == 0u) {
        {
            let _e24 = component_1;
            return bitcast<f32>(_e24);
        }
    }
    let _e26 = width;
    if (_e26 == 31u) {
        {
            let _e29 = value_1;
            return bitcast<f32>(_e29);
        }
    }
    let _e31 = component_1;
    low = bitcast<f32>((_e31 & 4294934528u));
    let _e36 = scale_1;
    let _e38 = component_1;
    let _e46 = component_1;
    let _e53 = pelt_power_of_two((((_e46 >> 10u) & 31u) + 99u));
    range = ((_e36 * f32((32u + ((_e38 >> 5u) & 31u)))) * _e53);
    let _e56 = low;
    let _e57 = range;
    let _e58 = value_1;
    let _e61 = width;
    return (_e56 + (_e57 * (f32(_e58) / f32(((1u << _e61) - 1u)))));
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
    let _e16 = square_1;
    let _e19 = square_1;
    series = (0.0006734252f + (_e16 * (-0.00016328847f + (_e19 * 0.000071624934f))));
    let _e27 = square_1;
    let _e29 = square_1;
    let _e31 = square_1;
    let _e32 = series;
    series = (0.08332048f + (_e27 * (0.011208956f + (_e29 * (0.0015111944f + (_e31 * _e32))))));
    let _e39 = square_1;
    let _e41 = square_1;
    let _e42 = series;
    angle_square = (_e39 * (1.0000004f + (_e41 * _e42)));
    let _e48 = t_1;
    let _e50 = t_1;
    parts = vec2<f32>((1f - _e48), _e50);
    let _e53 = parts;
    let _e54 = parts;
    let _e56 = angle_square;
    x = ((_e53 * _e54) * _e56);
    let _e60 = x;
    let _e63 = x;
    sine = (vec2(0.00000000016059044f) + (_e60 * (vec2(-0.00000000000076471636f) + (_e63 * 0.0000000000000028114574f))));
    let _e76 = x;
    let _e80 = x;
    let _e83 = x;
    let _e84 = sine;
    sine = (vec2(-0.0001984127f) + (_e76 * (vec2(0.0000027557319f) + (_e80 * (vec2(-0.000000025052108f) + (_e83 * _e84))))));
    let _e95 = x;
    let _e100 = x;
    let _e104 = x;
    let _e105 = sine;
    sine = (vec2(1f) + (_e95 * (vec2(-0.16666667f) + (_e100 * (vec2(0.008333334f) + (_e104 * _e105))))));
    let _e115 = parts;
    let _e116 = sine;
    return (_e115 * _e116);
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
    let _e17 = a_1;
    let _e18 = b_1;
    if (dot(_e17, _e18) < 0f) {
        let _e22 = b_1;
        local = -(_e22);
    } else {
        let _e24 = b_1;
        local = _e24;
    }
    let _e26 = local;
    end = _e26;
    let _e28 = end;
    let _e29 = a_1;
    let _e31 = end;
    let _e32 = a_1;
    let _e35 = t_1;
    let _e36 = pelt_arc_parts(dot((_e28 - _e29), (_e31 - _e32)), _e35);
    parts = _e36;
    let _e38 = parts;
    let _e40 = a_1;
    let _e42 = parts;
    let _e44 = end;
    return normalize(((_e38.x * _e40) + (_e42.y * _e44)));
}

fn pelt_quat_from_vector(v: vec3<f32>) -> vec4<f32> {
    var v_1: vec3<f32>;
    var square: f32;

    v_1 = v;
    let _e13 = v_1;
    let _e14 = v_1;
    square = dot(_e13, _e14);
    let _e18 = v_1;
    let _e19 = (2f * _e18);
    let _e21 = square;
    let _e28 = square;
    return (vec4<f32>(_e19.x, _e19.y, _e19.z, (1f - _e21)) / vec4((1f + _e28)));
}

fn pelt_quat_rotate(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    var q_1: vec4<f32>;
    var v_1: vec3<f32>;

    q_1 = q;
    v_1 = v;
    let _e15 = v_1;
    let _e17 = q_1;
    let _e19 = q_1;
    let _e21 = v_1;
    let _e23 = q_1;
    let _e25 = v_1;
    return (_e15 + (2f * cross(_e17.xyz, (cross(_e19.xyz, _e21) + (_e23.w * _e25)))));
}

fn pelt_norm(a: mat3x3<f32>) -> f32 {
    var a_1: mat3x3<f32>;

    a_1 = a;
    let _e15 = a_1[0];
    let _e18 = a_1[0];
    let _e22 = a_1[1];
    let _e25 = a_1[1];
    let _e30 = a_1[2];
    let _e33 = a_1[2];
    return sqrt(((dot(_e15, _e18) + dot(_e22, _e25)) + dot(_e30, _e33)));
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
    let _e15 = linear_1[0];
    let _e19 = linear_1[1];
    let _e23 = linear_1[2];
    size = max(abs(_e15), max(abs(_e19), abs(_e23)));
    let _e28 = size;
    let _e30 = size;
    let _e32 = size;
    largest = max(_e28.x, max(_e30.y, _e32.z));
    let _e37 = largest;
    if !((_e37 > 0f)) {
        {
            return vec4<f32>(0f, 0f, 0f, 1f);
        }
    }
    let _e46 = linear_1;
    let _e47 = largest;
    let _e48 = vec3(_e47);
    a = mat3x3<f32>((_e46[0] / _e48), (_e46[1] / _e48), (_e46[2] / _e48));
    loop {
        let _e59 = i;
        if !((_e59 < 8i)) {
            break;
        }
        {
            let _e68 = a[1];
            let _e71 = a[2];
            let _e72 = cross(_e68, _e71);
            let _e75 = a[2];
            let _e78 = a[0];
            let _e79 = cross(_e75, _e78);
            let _e82 = a[0];
            let _e85 = a[1];
            let _e86 = cross(_e82, _e85);
            cofactor = mat3x3<f32>(vec3<f32>(_e72.x, _e72.y, _e72.z), vec3<f32>(_e79.x, _e79.y, _e79.z), vec3<f32>(_e86.x, _e86.y, _e86.z));
            let _e101 = a;
            let _e102 = pelt_norm(_e101);
            norm = _e102;
            let _e104 = cofactor;
            let _e105 = pelt_norm(_e104);
            cofactor_norm = _e105;
            let _e107 = i;
            let _e112 = a[0];
            let _e115 = cofactor[0];
            let _e119 = norm;
            let _e121 = cofactor_norm;
            is_mirror = ((_e107 == 0i) && (dot(_e112, _e115) < ((-0.00001f * _e119) * _e121)));
            let _e126 = cofactor_norm;
            if (_e126 > 0.000000000000000000000000000001f) {
                let _e130 = cofactor_norm;
                local = (1f / _e130);
            } else {
                local = 0f;
            }
            let _e134 = local;
            other = _e134;
            let _e136 = a;
            let _e137 = is_mirror;
            if _e137 {
                local_1 = -1f;
            } else {
                local_1 = 1f;
            }
            let _e142 = local_1;
            let _e143 = norm;
            let _e146 = cofactor;
            let _e147 = other;
            a = ((_e136 * (_e142 / _e143)) + (_e146 * _e147));
        }
        continuing {
            let _e63 = i;
            i = (_e63 + 1i);
        }
    }
    let _e150 = a;
    let _e153 = a;
    let _e154 = pelt_norm(_e153);
    let _e157 = pelt_quat_from_mat3_((_e150 * (1.7320508f / _e154)));
    return _e157;
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
    var local: f32;
    var local_1: f32;
    var start: f32;
    var rate: f32;
    var count: u32;
    var first: u32;
    var stride: u32;
    var table: u32;
    var is_held: bool;
    var local_2: u32;
    var x: f32;
    var key: u32;
    var local_3: u32;
    var local_4: u32;
    var next: u32;
    var local_5: f32;

    clip_1 = clip;
    time_1 = time;
    repeats_1 = repeats;
    let _e19 = clip_1;
    let _e21 = pelt_word(words, _e19);
    run = _e21;
    let _e23 = run;
    let _e26 = clip_1;
    let _e30 = pelt_word(words, (_e26 + 1u));
    last_run = (_e23 + (8u * (_e30 - 1u)));
    let _e37 = clip_1;
    let _e41 = pelt_word_float(words, (_e37 + 2u));
    duration = _e41;
    let _e44 = clip_1;
    let _e48 = pelt_word(words, (_e44 + 3u));
    wraps = ((_e48 & 1u) != 0u);
    let _e54 = time_1;
    let _e56 = duration;
    t = clamp(_e54, 0f, _e56);
    let _e59 = repeats_1;
    if _e59 {
        {
            let _e60 = duration;
            if (_e60 > 0f) {
                let _e63 = time_1;
                let _e64 = time_1;
                let _e65 = duration;
                let _e68 = duration;
                local = (_e63 - (floor((_e64 / _e65)) * _e68));
            } else {
                local = 0f;
            }
            let _e73 = local;
            t = _e73;
            let _e74 = t;
            let _e75 = duration;
            if (_e74 >= _e75) {
                let _e77 = t;
                let _e78 = duration;
                local_1 = (_e77 - _e78);
            } else {
                let _e80 = t;
                local_1 = _e80;
            }
            let _e82 = local_1;
            t = _e82;
        }
    }
    loop {
        let _e83 = run;
        let _e84 = last_run;
        let _e87 = run;
        let _e91 = pelt_word_float(words, (_e87 + 8u));
        let _e92 = t;
        if !(((_e83 < _e84) && (_e91 <= _e92))) {
            break;
        }
        {
            let _e96 = run;
            run = (_e96 + 8u);
        }
    }
    let _e100 = run;
    let _e102 = pelt_word_float(words, _e100);
    start = _e102;
    let _e105 = run;
    let _e109 = pelt_word_float(words, (_e105 + 1u));
    rate = _e109;
    let _e112 = run;
    let _e116 = pelt_word(words, (_e112 + 2u));
    count = _e116;
    let _e119 = run;
    let _e123 = pelt_word(words, (_e119 + 3u));
    first = _e123;
    let _e126 = run;
    let _e130 = pelt_word(words, (_e126 + 4u));
    stride = _e130;
    let _e133 = run;
    let _e137 = pelt_word(words, (_e133 + 5u));
    table = _e137;
    let _e140 = run;
    let _e144 = pelt_word(words, (_e140 + 6u));
    is_held = ((_e144 & 1u) != 0u);
    let _e150 = t;
    let _e151 = start;
    let _e153 = rate;
    let _e156 = wraps;
    if _e156 {
        let _e157 = count;
        local_2 = _e157;
    } else {
        let _e158 = count;
        local_2 = (_e158 - 1u);
    }
    let _e162 = local_2;
    x = clamp(((_e150 - _e151) * _e153), 0f, f32(_e162));
    let _e166 = x;
    let _e168 = count;
    key = min(u32(_e166), (_e168 - 1u));
    let _e173 = key;
    let _e176 = count;
    if ((_e173 + 1u) < _e176) {
        let _e178 = key;
        local_4 = (_e178 + 1u);
    } else {
        let _e181 = wraps;
        if _e181 {
            local_3 = 0u;
        } else {
            let _e183 = key;
            local_3 = _e183;
        }
        let _e185 = local_3;
        local_4 = _e185;
    }
    let _e187 = local_4;
    next = _e187;
    let _e189 = table;
    let _e190 = first;
    let _e191 = key;
    let _e192 = stride;
    let _e195 = first;
    let _e196 = next;
    let _e197 = stride;
    let _e200 = is_held;
    if _e200 {
        local_5 = 0f;
    } else {
        let _e202 = x;
        let _e203 = key;
        local_5 = (_e202 - f32(_e203));
    }
    let _e207 = local_5;
    return pelt_moment(_e189, (_e190 + (_e191 * _e192)), (_e195 + (_e196 * _e197)), _e207);
}

fn pelt_clip_at(words: ptr<function, pelt_words>, clips: u32, clip: u32, time: f32) -> pelt_moment {
    var clips_1: u32;
    var clip_1: u32;
    var time_1: f32;

    clips_1 = clips;
    clip_1 = clip;
    time_1 = time;
    let _e19 = clips_1;
    let _e21 = clip_1;
    let _e26 = time_1;
    let _e27 = clip_1;
    let _e33 = pelt_moment_at(words, (_e19 + (4u * (_e21 & 32767u))), _e26, ((_e27 & 32768u) != 0u));
    return _e33;
}

fn pelt_play(playback: vec4<u32>, times: vec4<f32>) -> pelt_playing {
    var playback_1: vec4<u32>;
    var times_1: vec4<f32>;
    var words: pelt_words;
    var playing: pelt_playing;
    var clips: u32;
    var run: u32;
    var first: u32;
    var table: u32;

    playback_1 = playback;
    times_1 = times;
    let _e15 = pelt_words_make();
    words = _e15;
    let _e22 = pelt_word((&words), 3u);
    playing.joint_count = _e22;
    let _e27 = pelt_word((&words), 4u);
    playing.joints = _e27;
    let _e31 = pelt_word((&words), 6u);
    clips = _e31;
    let _e37 = pelt_word_float((&words), 7u);
    let _e41 = pelt_word_float((&words), 8u);
    playing.units = vec2<f32>(_e37, _e41);
    let _e44 = playback_1;
    playing.is_spherical = ((_e44.y & 65536u) != 0u);
    let _e51 = playback_1;
    playing.fade = bitcast<f32>(_e51.z);
    let _e55 = playback_1;
    playing.weight = bitcast<f32>(_e55.w);
    let _e62 = clips;
    let _e63 = playback_1;
    let _e67 = times_1;
    let _e70 = pelt_clip_at((&words), _e62, (_e63.x & 65535u), _e67.x);
    playing.moments[0i] = _e70;
    let _e77 = playing.moments[0];
    playing.moments[1i] = _e77;
    let _e84 = playing.moments[0];
    playing.moments[2i] = _e84;
    let _e91 = playing.moments[0];
    playing.moments[3i] = _e91;
    let _e92 = playing;
    if (_e92.fade != 0f) {
        {
            let _e100 = clips;
            let _e101 = playback_1;
            let _e105 = times_1;
            let _e108 = pelt_clip_at((&words), _e100, (_e101.x >> 16u), _e105.y);
            playing.moments[1i] = _e108;
        }
    }
    let _e109 = playing;
    if (_e109.weight != 0f) {
        {
            let _e114 = clips;
            let _e116 = playback_1;
            let _e123 = pelt_word((&words), (_e114 + (4u * (_e116.y & 32767u))));
            run = _e123;
            let _e126 = run;
            let _e130 = pelt_word((&words), (_e126 + 3u));
            first = _e130;
            let _e133 = run;
            let _e137 = pelt_word((&words), (_e133 + 5u));
            table = _e137;
            let _e142 = table;
            let _e143 = first;
            let _e144 = first;
            playing.moments[2i] = pelt_moment(_e142, _e143, _e144, 0f);
            let _e151 = clips;
            let _e152 = playback_1;
            let _e156 = times_1;
            let _e159 = pelt_clip_at((&words), _e151, (_e152.y & 65535u), _e156.z);
            playing.moments[3i] = _e159;
        }
    }
    let _e160 = playing;
    return _e160;
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
    let _e16 = (*record);
    let _e18 = (*record);
    let _e22 = pelt_word((&(*record).words), _e18.at);
    component = _e22;
    let _e24 = component;
    width = (_e24 & 31u);
    let _e28 = width;
    if (_e28 == 31u) {
        local = 32u;
    } else {
        let _e32 = width;
        local = _e32;
    }
    let _e34 = local;
    width = _e34;
    let _e35 = (*record);
    let _e37 = moment_1;
    let _e39 = (*record);
    let _e41 = width;
    let _e44 = pelt_bits((&(*record).key), _e37.key, _e39.bit, _e41);
    first = _e44;
    let _e46 = (*record);
    let _e48 = moment_1;
    let _e50 = (*record);
    let _e52 = width;
    let _e55 = pelt_bits((&(*record).next), _e48.next, _e50.bit, _e52);
    second = _e55;
    let _e58 = (*record);
    (*record).at = (_e58.at + 1u);
    let _e63 = (*record);
    let _e65 = width;
    (*record).bit = (_e63.bit + _e65);
    let _e67 = component;
    let _e68 = scale_1;
    let _e69 = first;
    let _e70 = pelt_component_value(_e67, _e68, _e69);
    let _e71 = component;
    let _e72 = scale_1;
    let _e73 = second;
    let _e74 = pelt_component_value(_e71, _e72, _e73);
    return vec2<f32>(_e70, _e74);
}

fn pelt_take_vector(record: ptr<function, pelt_record>, moment: pelt_moment, scale: f32) -> pelt_key_pair {
    var moment_1: pelt_moment;
    var scale_1: f32;
    var x: vec2<f32>;
    var y: vec2<f32>;
    var z: vec2<f32>;

    moment_1 = moment;
    scale_1 = scale;
    let _e17 = moment_1;
    let _e18 = scale_1;
    let _e20 = pelt_take(record, _e17, _e18);
    x = _e20;
    let _e23 = moment_1;
    let _e24 = scale_1;
    let _e26 = pelt_take(record, _e23, _e24);
    y = _e26;
    let _e29 = moment_1;
    let _e30 = scale_1;
    let _e32 = pelt_take(record, _e29, _e30);
    z = _e32;
    let _e34 = x;
    let _e36 = y;
    let _e38 = z;
    let _e41 = x;
    let _e43 = y;
    let _e45 = z;
    return pelt_key_pair(vec3<f32>(_e34.x, _e36.x, _e38.x), vec3<f32>(_e41.y, _e43.y, _e45.y));
}

fn pelt_take_between(record: ptr<function, pelt_record>, moment: pelt_moment, scale: f32) -> vec3<f32> {
    var moment_1: pelt_moment;
    var scale_1: f32;
    var keys: pelt_key_pair;

    moment_1 = moment;
    scale_1 = scale;
    let _e17 = moment_1;
    let _e18 = scale_1;
    let _e20 = pelt_take_vector(record, _e17, _e18);
    keys = _e20;
    let _e23 = moment_1;
    let _e26 = keys;
    let _e29 = moment_1;
    let _e31 = keys;
    return (((1f - _e23.u) * _e26.first) + (_e29.u * _e31.second));
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
    let _e18 = code_1;
    width = (_e18 & 15u);
    let _e22 = width;
    if (_e22 == 0u) {
        {
            return 0f;
        }
    }
    let _e26 = (*record);
    let _e28 = moment_1;
    let _e30 = (*record);
    let _e32 = width;
    let _e35 = pelt_bits((&(*record).key), _e28.key, _e30.bit, _e32);
    value = _e35;
    let _e38 = (*record);
    let _e40 = width;
    (*record).bit = (_e38.bit + _e40);
    let _e42 = scale_1;
    let _e44 = code_1;
    let _e52 = code_1;
    let _e59 = pelt_power_of_two((((_e52 >> 5u) & 31u) + 97u));
    range = ((_e42 * f32((2u + ((_e44 >> 4u) & 1u)))) * _e59);
    let _e63 = width;
    middle = f32((1u << (_e63 - 1u)));
    let _e69 = range;
    let _e70 = value;
    let _e72 = middle;
    let _e74 = middle;
    let _e75 = middle;
    return (_e69 * ((f32(_e70) - _e72) / (_e74 + _e75)));
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
    let _e16 = (*record);
    let _e18 = (*record);
    let _e22 = pelt_word((&(*record).words), _e18.at);
    path = _e22;
    let _e25 = (*record);
    (*record).at = (_e25.at + 1u);
    let _e30 = moment_1;
    let _e31 = path;
    let _e34 = scale_1;
    let _e36 = pelt_take_step(record, _e30, (_e31 & 1023u), _e34);
    x = _e36;
    let _e39 = moment_1;
    let _e40 = path;
    let _e45 = scale_1;
    let _e47 = pelt_take_step(record, _e39, ((_e40 >> 10u) & 1023u), _e45);
    y = _e47;
    let _e50 = moment_1;
    let _e51 = path;
    let _e56 = scale_1;
    let _e58 = pelt_take_step(record, _e50, ((_e51 >> 20u) & 1023u), _e56);
    z = _e58;
    let _e61 = moment_1;
    let _e65 = moment_1;
    let _e69 = x;
    let _e70 = y;
    let _e71 = z;
    return (((4f * _e61.u) * (1f - _e65.u)) * vec3<f32>(_e69, _e70, _e71));
}

fn pelt_take_axes(record: ptr<function, pelt_record>, has_axes: bool) -> vec4<f32> {
    var has_axes_1: bool;
    var word: u32;
    var steps: vec3<f32>;

    has_axes_1 = has_axes;
    let _e14 = has_axes_1;
    if !(_e14) {
        {
            return vec4<f32>(0f, 0f, 0f, 1f);
        }
    }
    let _e21 = (*record);
    let _e23 = (*record);
    let _e27 = pelt_word((&(*record).words), _e23.at);
    word = _e27;
    let _e30 = (*record);
    (*record).at = (_e30.at + 1u);
    let _e34 = word;
    let _e38 = word;
    let _e44 = word;
    steps = vec3<f32>(f32((_e34 & 1023u)), f32(((_e38 >> 10u) & 1023u)), f32(((_e44 >> 20u) & 1023u)));
    let _e52 = steps;
    let _e59 = pelt_quat_from_vector(((_e52 - vec3(511f)) / vec3(511f)));
    return _e59;
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
    let _e19 = flags_1;
    stretch = ((_e19 >> 25u) & 3u);
    let _e25 = stretch;
    if (_e25 == 1u) {
        {
            let _e29 = moment_1;
            let _e30 = unit_1;
            let _e32 = pelt_take(record, _e29, _e30);
            keys = _e32;
            let _e42 = moment_1;
            let _e45 = keys;
            let _e48 = moment_1;
            let _e50 = keys;
            (*pose).stretch = (mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f)) * (((1f - _e42.u) * _e45.x) + (_e48.u * _e50.y)));
            return;
        }
    } else {
        let _e55 = stretch;
        if (_e55 == 2u) {
            {
                let _e59 = moment_1;
                let _e60 = unit_1;
                let _e62 = pelt_take_between(record, _e59, _e60);
                same = _e62;
                let _e65 = moment_1;
                let _e66 = unit_1;
                let _e68 = pelt_take_between(record, _e65, _e66);
                other = _e68;
                let _e71 = same;
                let _e73 = other;
                let _e75 = other;
                let _e77 = vec3<f32>(_e71.x, _e73.z, _e75.y);
                let _e78 = other;
                let _e80 = same;
                let _e82 = other;
                let _e84 = vec3<f32>(_e78.z, _e80.y, _e82.x);
                let _e85 = other;
                let _e87 = other;
                let _e89 = same;
                let _e91 = vec3<f32>(_e85.y, _e87.x, _e89.z);
                (*pose).stretch = mat3x3<f32>(vec3<f32>(_e77.x, _e77.y, _e77.z), vec3<f32>(_e84.x, _e84.y, _e84.z), vec3<f32>(_e91.x, _e91.y, _e91.z));
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
    var turn_axes: vec4<f32>;
    var axes: vec4<f32>;
    var keys: pelt_key_pair;
    var first: vec4<f32>;
    var second: vec4<f32>;
    var place: vec3<f32>;
    var path: vec3<f32>;
    var turn: vec4<f32>;

    moment_1 = moment;
    flags_1 = flags;
    units_1 = units;
    let _e21 = flags_1;
    let _e27 = pelt_take_axes(record, ((_e21 & 4194304u) != 0u));
    (*pose).rotation = _e27;
    let _e29 = flags_1;
    let _e35 = pelt_take_axes(record, ((_e29 & 536870912u) != 0u));
    turn_axes = _e35;
    let _e38 = flags_1;
    let _e44 = pelt_take_axes(record, ((_e38 & 1073741824u) != 0u));
    axes = _e44;
    let _e46 = flags_1;
    if ((_e46 & 8388608u) != 0u) {
        {
            let _e52 = moment_1;
            let _e55 = pelt_take_vector(record, _e52, 1f);
            keys = _e55;
            let _e57 = turn_axes;
            let _e58 = keys;
            let _e60 = pelt_quat_rotate(_e57, _e58.first);
            let _e61 = pelt_quat_from_vector(_e60);
            first = _e61;
            let _e63 = turn_axes;
            let _e64 = keys;
            let _e66 = pelt_quat_rotate(_e63, _e64.second);
            let _e67 = pelt_quat_from_vector(_e66);
            second = _e67;
            let _e70 = (*pose);
            let _e72 = first;
            let _e73 = second;
            let _e74 = moment_1;
            let _e76 = pelt_quat_slerp(_e72, _e73, _e74.u);
            let _e77 = pelt_quat_mul(_e70.rotation, _e76);
            (*pose).rotation = _e77;
        }
    }
    let _e78 = flags_1;
    if ((_e78 & 16777216u) != 0u) {
        {
            let _e84 = moment_1;
            let _e85 = units_1;
            let _e88 = pelt_take_between(record, _e84, _e85.x);
            place = _e88;
            let _e91 = axes;
            let _e92 = place;
            let _e93 = pelt_quat_rotate(_e91, _e92);
            (*pose).position = vec4<f32>(_e93.x, _e93.y, _e93.z, 0f);
        }
    }
    let _e101 = moment_1;
    let _e102 = flags_1;
    let _e103 = units_1;
    pelt_take_stretch(pose, record, _e101, _e102, _e103.y);
    let _e107 = flags_1;
    if ((_e107 & 134217728u) != 0u) {
        {
            let _e113 = moment_1;
            let _e116 = pelt_take_path(record, _e113, 1f);
            path = _e116;
            let _e118 = turn_axes;
            let _e119 = path;
            let _e120 = pelt_quat_rotate(_e118, _e119);
            turn = vec4<f32>(_e120.x, _e120.y, _e120.z, 1f);
            let _e128 = (*pose);
            let _e130 = turn;
            let _e131 = pelt_quat_mul(_e128.rotation, _e130);
            (*pose).rotation = normalize(_e131);
        }
    }
    let _e133 = flags_1;
    if ((_e133 & 268435456u) != 0u) {
        {
            let _e139 = (*pose).position;
            let _e141 = (*pose);
            let _e144 = axes;
            let _e146 = moment_1;
            let _e147 = units_1;
            let _e150 = pelt_take_path(record, _e146, _e147.x);
            let _e151 = pelt_quat_rotate(_e144, _e150);
            let _e152 = (_e141.position.xyz + _e151);
            (*pose).position.x = _e152.x;
            (*pose).position.y = _e152.y;
            (*pose).position.z = _e152.z;
            return;
        }
    } else {
        return;
    }
}

fn pelt_bend(a: vec3<f32>, b: vec3<f32>, u: f32) -> vec3<f32> {
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
    let _e17 = a_1;
    let _e18 = pelt_normalize(_e17);
    from_ = _e18;
    let _e20 = b_1;
    let _e21 = pelt_normalize(_e20);
    to = _e21;
    let _e23 = from_;
    let _e24 = to;
    if (dot(_e23, _e24) < 0f) {
        {
            let _e29 = u_1;
            let _e31 = a_1;
            let _e33 = u_1;
            let _e34 = b_1;
            return (((1f - _e29) * _e31) + (_e33 * _e34));
        }
    }
    let _e37 = to;
    let _e38 = from_;
    let _e40 = to;
    let _e41 = from_;
    let _e44 = u_1;
    let _e45 = pelt_arc_parts(dot((_e37 - _e38), (_e40 - _e41)), _e44);
    parts = _e45;
    let _e48 = u_1;
    let _e50 = a_1;
    let _e53 = u_1;
    let _e54 = b_1;
    size = (((1f - _e48) * length(_e50)) + (_e53 * length(_e54)));
    let _e59 = size;
    let _e60 = parts;
    let _e62 = from_;
    let _e64 = parts;
    let _e66 = to;
    let _e69 = pelt_normalize(((_e60.x * _e62) + (_e64.y * _e66)));
    return (_e59 * _e69);
}

fn pelt_take_matrix(pose: ptr<function, pelt_local>, record: ptr<function, pelt_record>, moment: pelt_moment, units: vec2<f32>, is_spherical: bool) {
    var moment_1: pelt_moment;
    var units_1: vec2<f32>;
    var is_spherical_1: bool;
    var x: pelt_key_pair;
    var y: pelt_key_pair;
    var z: pelt_key_pair;
    var first: mat3x3<f32>;
    var second: mat3x3<f32>;

    moment_1 = moment;
    units_1 = units;
    is_spherical_1 = is_spherical;
    let _e20 = moment_1;
    let _e21 = units_1;
    let _e24 = pelt_take_vector(record, _e20, _e21.y);
    x = _e24;
    let _e27 = moment_1;
    let _e28 = units_1;
    let _e31 = pelt_take_vector(record, _e27, _e28.y);
    y = _e31;
    let _e34 = moment_1;
    let _e35 = units_1;
    let _e38 = pelt_take_vector(record, _e34, _e35.y);
    z = _e38;
    let _e40 = x;
    let _e42 = y;
    let _e44 = z;
    first = transpose(mat3x3<f32>(vec3<f32>(_e40.first.x, _e40.first.y, _e40.first.z), vec3<f32>(_e42.first.x, _e42.first.y, _e42.first.z), vec3<f32>(_e44.first.x, _e44.first.y, _e44.first.z)));
    let _e61 = x;
    let _e63 = y;
    let _e65 = z;
    second = transpose(mat3x3<f32>(vec3<f32>(_e61.second.x, _e61.second.y, _e61.second.z), vec3<f32>(_e63.second.x, _e63.second.y, _e63.second.z), vec3<f32>(_e65.second.x, _e65.second.y, _e65.second.z)));
    let _e84 = moment_1;
    let _e87 = first;
    let _e89 = moment_1;
    let _e91 = second;
    (*pose).stretch = (((1f - _e84.u) * _e87) + (_e89.u * _e91));
    let _e94 = is_spherical_1;
    if _e94 {
        {
            let _e98 = first[0];
            let _e101 = second[0];
            let _e102 = moment_1;
            let _e104 = pelt_bend(_e98, _e101, _e102.u);
            let _e107 = first[1];
            let _e110 = second[1];
            let _e111 = moment_1;
            let _e113 = pelt_bend(_e107, _e110, _e111.u);
            let _e116 = first[2];
            let _e119 = second[2];
            let _e120 = moment_1;
            let _e122 = pelt_bend(_e116, _e119, _e120.u);
            (*pose).stretch = mat3x3<f32>(vec3<f32>(_e104.x, _e104.y, _e104.z), vec3<f32>(_e113.x, _e113.y, _e113.z), vec3<f32>(_e122.x, _e122.y, _e122.z));
        }
    }
    let _e138 = moment_1;
    let _e139 = units_1;
    let _e142 = pelt_take_between(record, _e138, _e139.x);
    (*pose).position = vec4<f32>(_e142.x, _e142.y, _e142.z, 0f);
    (*pose).is_skewed = true;
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
    let _e17 = a_1;
    let _e19 = b_1;
    if (dot(_e17.real, _e19.real) < 0f) {
        let _e24 = u_1;
        local = -(_e24);
    } else {
        let _e26 = u_1;
        local = _e26;
    }
    let _e28 = local;
    other = _e28;
    let _e31 = u_1;
    let _e33 = a_1;
    let _e36 = other;
    let _e37 = b_1;
    real = (((1f - _e31) * _e33.real) + (_e36 * _e37.real));
    let _e43 = u_1;
    let _e45 = a_1;
    let _e48 = other;
    let _e49 = b_1;
    dual = (((1f - _e43) * _e45.dual) + (_e48 * _e49.dual));
    let _e54 = real;
    size = length(_e54);
    let _e57 = real;
    let _e58 = size;
    let _e61 = dual;
    let _e62 = size;
    return pelt_dquat((_e57 / vec4(_e58)), (_e61 / vec4(_e62)));
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
    let _e20 = moment_1;
    let _e23 = pelt_take_vector(record, _e20, 1f);
    real = _e23;
    let _e26 = moment_1;
    let _e29 = pelt_take(record, _e26, 1f);
    real_w = _e29;
    let _e32 = moment_1;
    let _e33 = units_1;
    let _e36 = pelt_take_vector(record, _e32, _e33.x);
    dual = _e36;
    let _e39 = moment_1;
    let _e40 = units_1;
    let _e43 = pelt_take(record, _e39, _e40.x);
    dual_w = _e43;
    let _e45 = real;
    let _e47 = real_w;
    let _e53 = dual;
    let _e55 = dual_w;
    let _e62 = real;
    let _e64 = real_w;
    let _e70 = dual;
    let _e72 = dual_w;
    let _e79 = moment_1;
    let _e81 = pelt_mix_duals(pelt_dquat(vec4<f32>(_e45.first.x, _e45.first.y, _e45.first.z, _e47.x), vec4<f32>(_e53.first.x, _e53.first.y, _e53.first.z, _e55.x)), pelt_dquat(vec4<f32>(_e62.second.x, _e62.second.y, _e62.second.z, _e64.y), vec4<f32>(_e70.second.x, _e70.second.y, _e70.second.z, _e72.y)), _e79.u);
    between = _e81;
    let _e84 = between;
    (*pose).rotation = _e84.real;
    let _e87 = between;
    (*pose).position = _e87.dual;
    let _e91 = moment_1;
    let _e92 = flags_1;
    let _e93 = units_1;
    pelt_take_stretch(pose, record, _e91, _e92, _e93.y);
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
    var place: u32;
    var flags: u32;

    joint_1 = joint;
    pivot_1 = pivot;
    moment_1 = moment;
    units_1 = units;
    is_spherical_1 = is_spherical;
    is_dual = (PELT_BAKED_KIND == 2i);
    pose.rotation = vec4<f32>(0f, 0f, 0f, 1f);
    let _e32 = is_dual;
    if _e32 {
        let _e34 = pivot_1;
        local = (0.5f * _e34);
    } else {
        let _e36 = pivot_1;
        local = _e36;
    }
    let _e38 = local;
    pose.position = vec4<f32>(_e38.x, _e38.y, _e38.z, 0f);
    pose.stretch = mat3x3<f32>(vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 1f, 0f), vec3<f32>(0f, 0f, 1f));
    pose.is_skewed = false;
    let _e55 = pelt_words_make();
    record.words = _e55;
    let _e57 = pelt_words_make();
    record.key = _e57;
    let _e59 = pelt_words_make();
    record.next = _e59;
    let _e60 = record;
    let _e62 = moment_1;
    let _e64 = joint_1;
    let _e70 = pelt_word((&record.words), (_e62.table + (_e64 >> 1u)));
    pair = _e70;
    let _e72 = joint_1;
    if ((_e72 & 1u) == 0u) {
        let _e77 = pair;
        local_1 = (_e77 & 65535u);
    } else {
        let _e80 = pair;
        local_1 = (_e80 >> 16u);
    }
    let _e84 = local_1;
    place = _e84;
    let _e86 = place;
    if (_e86 == 0u) {
        {
            let _e89 = pose;
            return _e89;
        }
    }
    let _e91 = moment_1;
    let _e93 = place;
    record.at = (_e91.table + _e93);
    let _e95 = record;
    let _e97 = record;
    let _e101 = pelt_word((&record.words), _e97.at);
    flags = _e101;
    let _e104 = record;
    record.at = (_e104.at + 1u);
    let _e109 = flags;
    record.bit = (_e109 & 1048575u);
    if (PELT_BAKED_KIND == 1i) {
        {
            let _e116 = moment_1;
            let _e117 = units_1;
            let _e118 = is_spherical_1;
            pelt_take_matrix((&pose), (&record), _e116, _e117, _e118);
        }
    } else {
        if (PELT_BAKED_KIND == 2i) {
            {
                let _e125 = moment_1;
                let _e126 = flags;
                let _e127 = units_1;
                pelt_take_dual((&pose), (&record), _e125, _e126, _e127);
            }
        } else {
            {
                let _e132 = moment_1;
                let _e133 = flags;
                let _e134 = units_1;
                pelt_take_pose((&pose), (&record), _e132, _e133, _e134);
            }
        }
    }
    let _e137 = pose;
    return _e137;
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
    let _e18 = factor_1;
    let _e20 = a_1;
    let _e23 = factor_1;
    let _e24 = b_1;
    stretch = (((1f - _e18) * _e20.stretch) + (_e23 * _e24.stretch));
    let _e29 = a_1;
    let _e31 = b_1;
    is_skewed = (_e29.is_skewed || _e31.is_skewed);
    if (PELT_BAKED_KIND == 2i) {
        {
            let _e37 = a_1;
            let _e39 = a_1;
            let _e42 = b_1;
            let _e44 = b_1;
            let _e47 = factor_1;
            let _e48 = pelt_mix_duals(pelt_dquat(_e37.rotation, _e39.position), pelt_dquat(_e42.rotation, _e44.position), _e47);
            between = _e48;
            let _e50 = between;
            let _e52 = between;
            let _e54 = stretch;
            let _e55 = is_skewed;
            return pelt_local(_e50.real, _e52.dual, _e54, _e55);
        }
    }
    let _e57 = a_1;
    let _e59 = b_1;
    let _e61 = factor_1;
    let _e62 = pelt_quat_slerp(_e57.rotation, _e59.rotation, _e61);
    let _e64 = factor_1;
    let _e66 = a_1;
    let _e69 = factor_1;
    let _e70 = b_1;
    let _e74 = stretch;
    let _e75 = is_skewed;
    return pelt_local(_e62, (((1f - _e64) * _e66.position) + (_e69 * _e70.position)), _e74, _e75);
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
    let _e19 = first_1;
    let _e21 = pelt_quat_conjugate(_e19.rotation);
    let _e22 = now_1;
    let _e24 = pelt_quat_mul(_e21, _e22.rotation);
    change = _e24;
    let _e31 = change;
    let _e32 = weight_1;
    let _e33 = pelt_quat_slerp(vec4<f32>(0f, 0f, 0f, 1f), _e31, _e32);
    change = _e33;
    let _e34 = pose_1;
    let _e36 = change;
    let _e37 = pelt_quat_mul(_e34.rotation, _e36);
    let _e38 = pose_1;
    let _e40 = weight_1;
    let _e41 = now_1;
    let _e43 = first_1;
    let _e48 = pose_1;
    let _e50 = weight_1;
    let _e51 = now_1;
    let _e53 = first_1;
    let _e58 = pose_1;
    let _e60 = first_1;
    let _e63 = now_1;
    return pelt_local(_e37, (_e38.position + (_e40 * (_e41.position - _e43.position))), (_e48.stretch + (_e50 * (_e51.stretch - _e53.stretch))), ((_e58.is_skewed || _e60.is_skewed) || _e63.is_skewed));
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
    let _e17 = playing_1;
    is_added = ((_e17.weight != 0f) && (PELT_BAKED_KIND == 0i));
    loop {
        let _e29 = i;
        let _e30 = is_added;
        if _e30 {
            local = 4i;
        } else {
            local = 2i;
        }
        let _e34 = local;
        if !((_e29 < _e34)) {
            break;
        }
        {
            let _e40 = i;
            let _e43 = playing_1;
            if ((_e40 == 1i) && (_e43.fade == 0f)) {
                {
                    continue;
                }
            }
            let _e48 = joint_1;
            let _e49 = pivot_1;
            let _e50 = i;
            let _e53 = playing_1.moments[_e50];
            let _e54 = playing_1;
            let _e56 = playing_1;
            let _e58 = pelt_local_stored(_e48, _e49, _e53, _e54.units, _e56.is_spherical);
            stored = _e58;
            let _e60 = i;
            if (_e60 == 0i) {
                {
                    let _e63 = stored;
                    pose = _e63;
                    let _e64 = stored;
                    first = _e64;
                }
            } else {
                let _e65 = i;
                if (_e65 == 1i) {
                    {
                        let _e68 = pose;
                        let _e69 = stored;
                        let _e70 = playing_1;
                        let _e72 = pelt_local_fade(_e68, _e69, _e70.fade);
                        pose = _e72;
                    }
                } else {
                    let _e73 = i;
                    if (_e73 == 2i) {
                        {
                            let _e76 = stored;
                            first = _e76;
                        }
                    } else {
                        {
                            let _e77 = pose;
                            let _e78 = first;
                            let _e79 = stored;
                            let _e80 = playing_1;
                            let _e82 = pelt_local_add(_e77, _e78, _e79, _e80.weight);
                            pose = _e82;
                        }
                    }
                }
            }
        }
        continuing {
            let _e37 = i;
            i = (_e37 + 1i);
        }
    }
    let _e83 = pose;
    return _e83;
}

fn pelt_is_positive(a: mat3x3<f32>) -> bool {
    var a_1: mat3x3<f32>;

    a_1 = a;
    let _e15 = a_1[0];
    let _e21 = a_1[0];
    let _e25 = a_1[1];
    let _e30 = a_1[0];
    let _e34 = a_1[0];
    let _e41 = a_1[0];
    let _e44 = a_1[1];
    let _e47 = a_1[2];
    return (((_e15.x > 0f) && ((_e21.x * _e25.y) > (_e30.y * _e34.y))) && (dot(_e41, cross(_e44, _e47)) > 0f));
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
    var at: u32;
    var parent: u32;
    var pivot: vec3<f32>;
    var pose: pelt_local;
    var map: mat3x3<f32>;
    var position: vec3<f32>;
    var is_first: bool;
    var rows: mat3x3<f32>;

    joint_1 = joint;
    playing_1 = playing;
    let _e33 = pelt_words_make();
    words = _e33;
    let _e35 = joint_1;
    link = _e35;
    loop {
        let _e39 = i;
        let _e40 = playing_1;
        let _e43 = link;
        let _e44 = playing_1;
        if !(((_e39 < _e40.joint_count) && (_e43 < _e44.joint_count))) {
            break;
        }
        {
            let _e52 = playing_1;
            let _e55 = link;
            at = (_e52.joints + (4u * _e55));
            let _e60 = at;
            let _e62 = pelt_word((&words), _e60);
            parent = _e62;
            let _e65 = at;
            let _e69 = pelt_word_float((&words), (_e65 + 1u));
            let _e71 = at;
            let _e75 = pelt_word_float((&words), (_e71 + 2u));
            let _e77 = at;
            let _e81 = pelt_word_float((&words), (_e77 + 3u));
            pivot = vec3<f32>(_e69, _e75, _e81);
            let _e84 = link;
            let _e85 = pivot;
            let _e86 = playing_1;
            let _e87 = pelt_local_at(_e84, _e85, _e86);
            pose = _e87;
            let _e89 = pose;
            let _e91 = pelt_mat3_from_quat(_e89.rotation);
            let _e92 = pose;
            map = (_e91 * _e92.stretch);
            let _e96 = pose;
            position = _e96.position.xyz;
            if (PELT_BAKED_KIND == 2i) {
                {
                    let _e102 = pose;
                    let _e104 = pose;
                    let _e107 = pelt_dquat_translation(pelt_dquat(_e102.rotation, _e104.position));
                    position = _e107;
                }
            }
            let _e108 = map;
            let _e109 = linear;
            linear = (_e108 * _e109);
            let _e111 = map;
            let _e112 = translation;
            let _e113 = pivot;
            let _e116 = position;
            translation = ((_e111 * (_e112 - _e113)) + _e116);
            let _e118 = pose;
            let _e120 = rotation;
            let _e121 = pelt_quat_mul(_e118.rotation, _e120);
            rotation = _e121;
            let _e122 = i;
            is_first = ((_e122 == 0u) && (PELT_BAKED_KIND != 1i));
            let _e129 = is_skewed;
            let _e130 = pose;
            let _e132 = is_first;
            let _e133 = pose;
            let _e135 = pelt_is_positive(_e133.stretch);
            is_skewed = (_e129 || (_e130.is_skewed && !((_e132 && _e135))));
            let _e140 = parent;
            link = _e140;
        }
        continuing {
            let _e49 = i;
            i = (_e49 + 1u);
        }
    }
    let _e141 = is_skewed;
    if _e141 {
        {
            let _e142 = linear;
            let _e143 = pelt_polar_rotation(_e142);
            rotation = _e143;
        }
    }
    let _e144 = linear;
    rows = transpose(_e144);
    let _e149 = rows[0];
    let _e150 = translation;
    let _e158 = rows[1];
    let _e159 = translation;
    let _e167 = rows[2];
    let _e168 = translation;
    let _e174 = rotation;
    return pelt_joint(vec4<f32>(_e149.x, _e149.y, _e149.z, _e150.x), vec4<f32>(_e158.x, _e158.y, _e158.z, _e159.y), vec4<f32>(_e167.x, _e167.y, _e167.z, _e168.z), _e174);
}

fn pelt_octahedron(e: vec2<f32>) -> vec3<f32> {
    var e_1: vec2<f32>;
    var z: f32;
    var local: f32;
    var local_1: f32;
    var side: vec2<f32>;
    var local_2: vec2<f32>;
    var folded: vec2<f32>;

    e_1 = e;
    let _e14 = e_1;
    let _e18 = e_1;
    z = ((1f - abs(_e14.x)) - abs(_e18.y));
    let _e23 = e_1;
    if (_e23.x < 0f) {
        local = -1f;
    } else {
        local = 1f;
    }
    let _e31 = local;
    let _e32 = e_1;
    if (_e32.y < 0f) {
        local_1 = -1f;
    } else {
        local_1 = 1f;
    }
    let _e40 = local_1;
    side = vec2<f32>(_e31, _e40);
    let _e43 = z;
    if (_e43 < 0f) {
        let _e47 = e_1;
        let _e52 = side;
        local_2 = ((vec2(1f) - abs(_e47.yx)) * _e52);
    } else {
        let _e54 = e_1;
        local_2 = _e54;
    }
    let _e56 = local_2;
    folded = _e56;
    let _e58 = folded;
    let _e59 = z;
    return normalize(vec3<f32>(_e58.x, _e58.y, _e59));
}

fn pelt_stored_normal(words: ptr<function, pelt_words>, key: u32, bit: u32, width: u32) -> vec3<f32> {
    var key_1: u32;
    var bit_1: u32;
    var width_1: u32;
    var steps: vec2<f32>;

    key_1 = key;
    bit_1 = bit;
    width_1 = width;
    let _e19 = key_1;
    let _e20 = bit_1;
    let _e21 = width_1;
    let _e23 = pelt_bits(words, _e19, _e20, _e21);
    let _e26 = key_1;
    let _e27 = bit_1;
    let _e28 = width_1;
    let _e30 = width_1;
    let _e32 = pelt_bits(words, _e26, (_e27 + _e28), _e30);
    steps = vec2<f32>(f32(_e23), f32(_e32));
    let _e37 = steps;
    let _e40 = width_1;
    let _e50 = pelt_octahedron((((2f * _e37) / vec2(f32(((1u << _e40) - 1u)))) - vec2(1f)));
    return _e50;
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
    var place: vec3<f32>;
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
    let _e19 = pelt_words_make();
    words = _e19;
    let _e21 = pelt_words_make();
    key = _e21;
    let _e23 = pelt_words_make();
    next = _e23;
    let _e26 = moment_1;
    let _e29 = pelt_word((&words), _e26.table);
    header = _e29;
    let _e31 = header;
    width = (_e31 & 255u);
    let _e35 = header;
    normal_width = ((_e35 >> 8u) & 255u);
    let _e41 = header;
    is_shared = ((_e41 & 65536u) != 0u);
    let _e47 = moment_1;
    let _e51 = is_shared;
    if _e51 {
        local = 0u;
    } else {
        let _e54 = vertex_1;
        local = (3u * _e54);
    }
    let _e57 = local;
    component = ((_e47.table + 1u) + _e57);
    let _e60 = vertex_1;
    let _e62 = width;
    let _e65 = normal_width;
    bit = (_e60 * ((3u * _e62) + (2u * _e65)));
    let _e70 = rest_1;
    place = _e70.position;
    loop {
        let _e75 = i;
        if !((_e75 < 3i)) {
            break;
        }
        {
            let _e83 = component;
            let _e84 = i;
            let _e88 = pelt_word((&words), (_e83 + u32(_e84)));
            word = _e88;
            let _e90 = word;
            let _e91 = unit_1;
            let _e93 = moment_1;
            let _e95 = bit;
            let _e96 = width;
            let _e98 = pelt_bits((&key), _e93.key, _e95, _e96);
            let _e99 = pelt_component_value(_e90, _e91, _e98);
            first = _e99;
            let _e101 = word;
            let _e102 = unit_1;
            let _e104 = moment_1;
            let _e106 = bit;
            let _e107 = width;
            let _e109 = pelt_bits((&next), _e104.next, _e106, _e107);
            let _e110 = pelt_component_value(_e101, _e102, _e109);
            second = _e110;
            let _e112 = i;
            let _e114 = i;
            let _e116 = place[_e114];
            let _e118 = moment_1;
            let _e121 = first;
            let _e123 = moment_1;
            let _e125 = second;
            place[_e112] = (_e116 + (((1f - _e118.u) * _e121) + (_e123.u * _e125)));
            let _e129 = bit;
            let _e130 = width;
            bit = (_e129 + _e130);
        }
        continuing {
            let _e79 = i;
            i = (_e79 + 1i);
        }
    }
    let _e132 = rest_1;
    normal = _e132.normal;
    let _e135 = normal_width;
    if (_e135 > 0u) {
        {
            let _e139 = moment_1;
            let _e141 = bit;
            let _e142 = normal_width;
            let _e144 = pelt_stored_normal((&key), _e139.key, _e141, _e142);
            first_1 = _e144;
            let _e147 = moment_1;
            let _e149 = bit;
            let _e150 = normal_width;
            let _e152 = pelt_stored_normal((&next), _e147.next, _e149, _e150);
            second_1 = _e152;
            let _e155 = moment_1;
            let _e158 = first_1;
            let _e160 = moment_1;
            let _e162 = second_1;
            normal = normalize((((1f - _e155.u) * _e158) + (_e160.u * _e162)));
        }
    }
    let _e166 = place;
    let _e167 = normal;
    let _e168 = rest_1;
    return pelt_vertex(_e166, _e167, _e168.tangent);
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
    let _e17 = rest_1;
    let _e18 = pelt_vertex_at_rest(_e17);
    result = _e18;
    loop {
        let _e22 = i;
        let _e23 = playing_1;
        if (_e23.fade != 0f) {
            local = 2i;
        } else {
            local = 1i;
        }
        let _e30 = local;
        if !((_e22 < _e30)) {
            break;
        }
        {
            let _e36 = rest_1;
            let _e37 = vertex_1;
            let _e38 = i;
            let _e41 = playing_1.moments[_e38];
            let _e42 = playing_1;
            let _e45 = pelt_vertex_stored(_e36, _e37, _e41, _e42.units.x);
            stored = _e45;
            let _e47 = i;
            if (_e47 == 0i) {
                local_1 = 1f;
            } else {
                let _e51 = playing_1;
                local_1 = _e51.fade;
            }
            let _e54 = local_1;
            factor = _e54;
            let _e58 = factor;
            let _e60 = result;
            let _e63 = factor;
            let _e64 = stored;
            result.position = (((1f - _e58) * _e60.position) + (_e63 * _e64.position));
            let _e69 = i;
            if (_e69 == 0i) {
                let _e72 = stored;
                local_2 = _e72.normal;
            } else {
                let _e75 = factor;
                let _e77 = result;
                let _e80 = factor;
                let _e81 = stored;
                local_2 = normalize((((1f - _e75) * _e77.normal) + (_e80 * _e81.normal)));
            }
            let _e87 = local_2;
            result.normal = _e87;
        }
        continuing {
            let _e33 = i;
            i = (_e33 + 1i);
        }
    }
    let _e88 = result;
    return _e88;
}
