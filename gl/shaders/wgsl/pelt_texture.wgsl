// SPDX-License-Identifier: MIT
// Animation textures of pelt: the motion of a joint, or a vertex, at a moment of its clips.
// Goes after pelt_skin, and needs pelt_baked_texel() as well. docs/texture_format.md defines the
// format. Written by hand: compilers of WGSL inline every call, so that each function is called
// from one place, in a loop, and browsers compile this in less than a second.

// Animation textures: 32-bit words per texel (4, 2 or 1); width in texels (0: that of the texture);
// encoding of motions; and layout.
override PELT_BAKED_TEXEL_WORDS: i32 = 4;
override PELT_BAKED_WIDTH: i32 = 0;
const PELT_BAKED_POSE: i32 = 0;   // rotation, position and stretch; encodings qt and local
const PELT_BAKED_MATRIX: i32 = 1; // encoding matrix
const PELT_BAKED_DUAL: i32 = 2;   // encoding dq
override PELT_BAKED_KIND: i32 = PELT_BAKED_POSE;
const PELT_BAKED_MODERN: i32 = 0;
const PELT_BAKED_THESIS: i32 = 1; // encodings matrix, dq and vertex, with one word per texel
override PELT_BAKED_LAYOUT: i32 = PELT_BAKED_MODERN;

const pelt_identity = vec4f(0.0, 0.0, 0.0, 1.0);
const pelt_identity_matrix = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);

// A moment of a clip: the table of its run, the two keys next to it, and the position between them.
struct pelt_moment {
    table: u32, // in the thesis layout: words per row
    key: u32,
    next: u32,
    u: f32,
}

// What an instance plays; the same for all of its joints.
struct pelt_playing {
    moments: array<pelt_moment, 4>, // base, next, first key of the additive clip, additive
    fade: f32,                      // from base to next
    weight: f32,                    // of the additive clip
    joints: u32,                    // first word of the joint table
    joint_count: u32,
    units: vec2f,                   // of positions, and of stretches
    is_spherical: bool,             // columns of matrices are interpolated along arcs
}

// The motion of a joint relative to its parent, in the encoding in which it is stored and blended.
struct pelt_local {
    rotation: vec4f,  // unit quaternion; encoding dq: the real part
    position: vec4f,  // of the pivot; encoding dq: the dual part
    stretch: mat3x3f, // symmetric; encoding matrix: the whole linear part
    is_skewed: bool,  // the stretch is not uniform
}

// The motion of a joint from bind pose to current pose, as in a palette.
struct pelt_joint {
    x: vec4f, // rows of its matrix, translation last
    y: vec4f,
    z: vec4f,
    rotation: vec4f, // unit quaternion, without the stretch
}

// ---------------------------------------------------------------------------------------------
// Words

fn pelt_word(at: u32) -> u32 {
    let texel = pelt_baked_texel(at / u32(PELT_BAKED_TEXEL_WORDS));
    if PELT_BAKED_TEXEL_WORDS == 4 {
        return texel[at & 3u];
    }
    if PELT_BAKED_TEXEL_WORDS == 2 {
        let halves = select(texel.zw, texel.xy, (at & 1u) == 0u);
        return halves.x | (halves.y << 16u);
    }
    return texel.x | (texel.y << 8u) | (texel.z << 16u) | (texel.w << 24u);
}

fn pelt_word_float(at: u32) -> f32 {
    return bitcast<f32>(pelt_word(at));
}

// A number of 0 to 32 bits in a list of bits that begins at a word.
fn pelt_bits(first: u32, bit: u32, width: u32) -> u32 {
    var value = 0u;
    let shift = bit & 31u;
    // A loop, so that there is one call.
    for (var i = 0u; i < 2u && width > i * (32u - shift); i++) {
        let word = pelt_word(first + (bit >> 5u) + i);
        value |= select(word << ((32u - shift) & 31u), word >> shift, i == 0u);
    }
    return select(value & ((1u << (width & 31u)) - 1u), value, width > 31u);
}

// Dequantize a value of a key.
// component  the word that describes its range and width
fn pelt_component_value(component: u32, scale: f32, value: u32) -> f32 {
    let width = component & 31u;
    let range = scale * f32(32u + ((component >> 5u) & 31u)) *
                bitcast<f32>((((component >> 10u) & 31u) + 99u) << 23u);
    let steps = f32((1u << (width & 31u)) - 1u);
    let quantized = bitcast<f32>(component & 0xFFFF8000u) + range * (f32(value) / max(steps, 1.0));
    let exact = bitcast<f32>(select(component, value, width == 31u));
    return select(quantized, exact, width == 0u || width == 31u);
}

// ---------------------------------------------------------------------------------------------
// Rotations

// The coefficients of spherical interpolation between two unit vectors that are at most a right
// angle apart, up to a common factor, by polynomials.
// square  of the distance between the vectors
fn pelt_arc_parts(square: f32, t: f32) -> vec2f {
    // The square of the angle, 4 asin(chord / 2)^2, for chords up to sqrt(2): relative error 4e-7.
    var series = 0.0006734252 + square * (-0.00016328846 + square * 7.1624935e-05);
    series = 0.083320483 + square * (0.011208956 + square * (0.0015111944 + square * series));
    let angle_square = square * (1.0000003 + square * series);
    // sin(x) / x of the angle to each end, by its series in x^2: error 1e-7 for x up to pi.
    let parts = vec2f(1.0 - t, t);
    let x = parts * parts * angle_square;
    var sine = 1.6059044e-10 + x * (-7.6471637e-13 + x * 2.8114573e-15);
    sine = -1.0 / 5040.0 + x * (1.0 / 362880.0 + x * (-2.5052108e-8 + x * sine));
    sine = 1.0 + x * (-1.0 / 6.0 + x * (1.0 / 120.0 + x * sine));
    return parts * sine;
}

// Spherical interpolation along the shorter arc.
fn pelt_quat_slerp(a: vec4f, b: vec4f, t: f32) -> vec4f {
    let end = select(b, -b, dot(a, b) < 0.0);
    let parts = pelt_arc_parts(dot(end - a, end - a), t);
    return normalize(parts.x * a + parts.y * end);
}

// The unit quaternion of a rotation vector, axis times tan(angle / 4).
fn pelt_quat_from_vector(v: vec3f) -> vec4f {
    let square = dot(v, v);
    return vec4f(2.0 * v, 1.0 - square) / (1.0 + square);
}

fn pelt_quat_rotate(q: vec4f, v: vec3f) -> vec3f {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// Shepperd's method: divide by the largest of the four.
fn pelt_quat_from_mat3(m: mat3x3f) -> vec4f {
    let x = m[0];
    let y = m[1];
    let z = m[2];
    let trace = x.x + y.y + z.z;
    var q = vec4f(z.x + x.z, z.y + y.z, 1.0 - x.x - y.y + z.z, x.y - y.x);
    if trace > x.x && trace > y.y && trace > z.z {
        q = vec4f(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace);
    } else if x.x >= y.y && x.x >= z.z {
        q = vec4f(1.0 + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y);
    } else if y.y >= z.z {
        q = vec4f(y.x + x.y, 1.0 - x.x + y.y - z.z, z.y + y.z, z.x - x.z);
    }
    return normalize(q);
}

fn pelt_cofactor(a: mat3x3f) -> mat3x3f {
    return mat3x3f(cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1]));
}

fn pelt_norm(a: mat3x3f) -> f32 {
    return sqrt(dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]));
}

// The rotation of a polar decomposition, as in pelt_mat3_polar(): a matrix that mirrors is a
// rotation times a negative stretch. Newton's iteration, scaled as in Higham, "Computing the Polar
// Decomposition", 1986, with cofactors instead of the inverse.
fn pelt_polar_rotation(linear: mat3x3f) -> vec4f {
    let size = max(abs(linear[0]), max(abs(linear[1]), abs(linear[2])));
    let largest = max(size.x, max(size.y, size.z));
    if !(largest > 0.0) {
        return pelt_identity;
    }
    var a = linear * (1.0 / largest);
    for (var i = 0; i < 8; i++) {
        let cofactor = pelt_cofactor(a);
        let norm = pelt_norm(a);
        let cofactor_norm = pelt_norm(cofactor);
        // A matrix that is singular up to rounding does not mirror.
        let is_mirror = i == 0 && dot(a[0], cofactor[0]) < -1e-5 * norm * cofactor_norm;
        // The cofactors of a matrix of rank 1 are zero.
        let other = select(0.0, 1.0 / cofactor_norm, cofactor_norm > 1e-30);
        a = a * (select(1.0, -1.0, is_mirror) / norm) + cofactor * other;
    }
    return pelt_quat_from_mat3(a * (sqrt(3.0) / pelt_norm(a)));
}

// ---------------------------------------------------------------------------------------------
// Time

// first     first word of the first key; keys are stride words apart
// position  in intervals from the first key
fn pelt_moment_make(table: u32, first: u32, stride: u32, count: u32, wraps: bool,
                    position: f32) -> pelt_moment {
    let x = clamp(position, 0.0, f32(select(count - 1u, count, wraps)));
    let key = min(u32(x), count - 1u);
    let next = select(select(key, 0u, wraps), key + 1u, key + 1u < count);
    return pelt_moment(table, first + key * stride, first + next * stride, x - f32(key));
}

fn pelt_clip_time(time: f32, duration: f32, repeats: bool) -> f32 {
    if !repeats {
        return clamp(time, 0.0, duration);
    }
    var t = 0.0;
    if duration > 0.0 {
        t = time - floor(time / duration) * duration;
    }
    // Rounding of the division may make the floor too small by one.
    return select(t, t - duration, t >= duration);
}

// clip  its first word
fn pelt_moment_at(clip: u32, time: f32, repeats: bool) -> pelt_moment {
    var run = pelt_word(clip);
    let last_run = run + 8u * (pelt_word(clip + 1u) - 1u);
    let t = pelt_clip_time(time, pelt_word_float(clip + 2u), repeats);
    while run < last_run && pelt_word_float(run + 8u) <= t {
        run += 8u;
    }
    let position = (t - pelt_word_float(run)) * pelt_word_float(run + 1u);
    var moment = pelt_moment_make(pelt_word(run + 5u), pelt_word(run + 3u), pelt_word(run + 4u),
                                  pelt_word(run + 2u), (pelt_word(clip + 3u) & 1u) != 0u, position);
    if (pelt_word(run + 6u) & 1u) != 0u {
        moment.u = 0.0;
    }
    return moment;
}

// playback, times  the pelt_gpu_playback of an instance: two texels, or two attributes
fn pelt_play(playback: vec4u, times: vec4f) -> pelt_playing {
    let is_thesis = PELT_BAKED_LAYOUT == PELT_BAKED_THESIS;
    var playing: pelt_playing;
    playing.joint_count = pelt_baked_joint_count();
    playing.units = vec2f(pelt_word_float(select(7u, 1u, is_thesis)), 1.0);
    playing.is_spherical = (playback.y & 0x10000u) != 0u;
    playing.fade = bitcast<f32>(playback.z);
    playing.weight = select(0.0, bitcast<f32>(playback.w), PELT_BAKED_KIND == PELT_BAKED_POSE);
    if !is_thesis {
        playing.joints = pelt_word(4u);
        playing.units.y = pelt_word_float(8u);
    }
    let clips = array<u32, 4>(playback.x & 0xFFFFu, playback.x >> 16u, playback.y & 0x7FFFu,
                              playback.y & 0xFFFFu);
    let at = array<f32, 4>(times.x, times.y, 0.0, times.z);
    for (var i = 0u; i < 4u; i++) {
        if (i == 1u && playing.fade == 0.0) || (i > 1u && playing.weight == 0.0) {
            continue;
        }
        // Bit 15 of a clip is set if it repeats.
        let repeats = (clips[i] & 0x8000u) != 0u;
        if is_thesis {
            playing.moments[i] = pelt_thesis_at(at[i], repeats);
            continue;
        }
        let clip = pelt_word(6u) + 4u * (clips[i] & 0x7FFFu);
        playing.moments[i] = pelt_moment_at(clip, at[i], repeats);
        if i == 2u {
            // The first key of the first run, whenever that begins.
            let run = pelt_word(clip);
            let key = pelt_word(run + 3u);
            playing.moments[2] = pelt_moment(pelt_word(run + 5u), key, key, 0.0);
        }
    }
    return playing;
}

// ---------------------------------------------------------------------------------------------
// The thesis layout: bytes per joint, relative to the box of its positions

// Words per row: one per key, one for metadata and one for pivots that have no room above, or the
// next power of two.
fn pelt_thesis_row(head: u32) -> u32 {
    let keys = head & 0xFFFFu;
    var row = keys + select(1u, 0u, pelt_thesis_has_room(head));
    if (head & 0x80000000u) != 0u {
        row |= row >> 1u;
        row |= row >> 2u;
        row |= row >> 4u;
        row |= row >> 8u;
    }
    return row + 1u;
}

// Whether the first rows have room for all pivots above the keys.
fn pelt_thesis_has_room(head: u32) -> bool {
    return 1u + ((((head >> 16u) & 0x3FFFu) + 1u) >> 1u) <= (head & 0xFFFFu);
}

fn pelt_thesis_at(time: f32, repeats: bool) -> pelt_moment {
    let head = pelt_word(0u);
    let row = pelt_thesis_row(head);
    let t = pelt_clip_time(time, pelt_word_float(row + 1u), repeats);
    return pelt_moment_make(row, 1u, 1u, head & 0xFFFFu, (head & 0x40000000u) != 0u,
                            t * pelt_word_float(row));
}

// Three bytes of the pivot and one of the stretch.
fn pelt_thesis_pivot_bytes(joint: u32, row: u32) -> vec4f {
    let head = pelt_word(0u);
    let rows = select(2u, 3u, PELT_BAKED_KIND == PELT_BAKED_MATRIX);
    let above = (joint & 1u) * row + 2u + (joint >> 1u);
    let after = (2u + rows * joint) * row + 1u + (head & 0xFFFFu);
    return vec4f(pelt_baked_texel(select(after, above, pelt_thesis_has_room(head))));
}

fn pelt_take_thesis(joint: u32, moment: pelt_moment, unit: f32, is_spherical: bool) -> pelt_local {
    let row = moment.table;
    let is_matrix = PELT_BAKED_KIND == PELT_BAKED_MATRIX;
    let first = (2u + select(2u, 3u, is_matrix) * joint) * row;
    var bytes: array<vec4f, 9>; // of the box, of the key, of the next one
    for (var i = 0u; i < 9u; i++) {
        let column = select(select(moment.next, moment.key, i < 6u), 0u, i < 3u);
        bytes[i] = vec4f(pelt_baked_texel(first + (i % 3u) * row + column));
        if i >= 3u {
            bytes[i] = (bytes[i] - 128.0) / 127.0;
        }
    }
    if !is_matrix {
        let center = unit * (bytes[0] - 128.0);
        let bounds = unit * bytes[1];
        let between = pelt_mix_duals(pelt_dquat(bytes[3], center + bounds * bytes[4]),
                                     pelt_dquat(bytes[6], center + bounds * bytes[7]), moment.u);
        return pelt_local(between.real, between.dual, pelt_identity_matrix, false);
    }
    // The integer part has the sign of the fraction.
    let fraction = (vec3f(bytes[0].w, bytes[1].xy) - 128.0) / 127.0;
    let center = unit * (fraction + select(vec3f(1.0), vec3f(-1.0), fraction < vec3f()) * bytes[0].xyz);
    let bounds = unit * (vec3f(bytes[1].zw, bytes[2].x) + bytes[2].yzw / 255.0);
    let stretch = exp2(f32(u32(pelt_thesis_pivot_bytes(joint, row).w) & 31u));
    let x = transpose(mat3x3f(bytes[3].xyz, bytes[4].xyz, bytes[5].xyz)) * stretch;
    let y = transpose(mat3x3f(bytes[6].xyz, bytes[7].xyz, bytes[8].xyz)) * stretch;
    let p = mix(vec3f(bytes[3].w, bytes[4].w, bytes[5].w), vec3f(bytes[6].w, bytes[7].w, bytes[8].w),
                moment.u);
    return pelt_local(pelt_identity, vec4f(center + bounds * p, 0.0),
                      pelt_mix_linear(x, y, moment.u, is_spherical), true);
}

// ---------------------------------------------------------------------------------------------
// Joints

// Dual quaternions between two keys or two moments: a linear blend in the hemisphere of the first,
// divided by the length of the real part.
fn pelt_mix_duals(a: pelt_dquat, b: pelt_dquat, u: f32) -> pelt_dquat {
    let other = select(u, -u, dot(a.real, b.real) < 0.0);
    let real = (1.0 - u) * a.real + other * b.real;
    let size = length(real);
    return pelt_dquat(real / size, ((1.0 - u) * a.dual + other * b.dual) / size);
}

// Columns of matrices between two keys: linear, or the direction by spherical and the length by
// linear interpolation, where they are at most a right angle apart.
fn pelt_mix_linear(a: mat3x3f, b: mat3x3f, u: f32, is_spherical: bool) -> mat3x3f {
    var out = a * (1.0 - u) + b * u;
    for (var i = 0; i < 3 && is_spherical; i++) {
        let start = pelt_normalize(a[i]);
        let end = pelt_normalize(b[i]);
        if dot(start, end) >= 0.0 {
            let parts = pelt_arc_parts(dot(end - start, end - start), u);
            let size = (1.0 - u) * length(a[i]) + u * length(b[i]);
            out[i] = size * pelt_normalize(parts.x * start + parts.y * end);
        }
    }
    return out;
}

// A rotation stored in one word.
fn pelt_axes_of(word: u32) -> vec4f {
    let steps = vec3f(f32(word & 1023u), f32((word >> 10u) & 1023u), f32((word >> 20u) & 1023u));
    return pelt_quat_from_vector((steps - 511.0) / 511.0);
}

// The stored motion of a joint at a moment; a joint without a record does not move.
fn pelt_local_stored(joint: u32, pivot: vec3f, moment: pelt_moment, units: vec2f,
                     is_spherical: bool) -> pelt_local {
    let is_dual = PELT_BAKED_KIND == PELT_BAKED_DUAL;
    let is_matrix = PELT_BAKED_KIND == PELT_BAKED_MATRIX;
    let is_pose = PELT_BAKED_KIND == PELT_BAKED_POSE;
    if PELT_BAKED_LAYOUT == PELT_BAKED_THESIS {
        return pelt_take_thesis(joint, moment, units.x, is_spherical);
    }
    let offset = (pelt_word(moment.table + (joint >> 1u)) >> (16u * (joint & 1u))) & 0xFFFFu;
    if offset == 0u {
        return pelt_local(pelt_identity, vec4f(select(1.0, 0.5, is_dual) * pivot, 0.0),
                          pelt_identity_matrix, false);
    }
    var at = moment.table + offset;
    let flags = pelt_word(at);
    var bit = flags & 0xFFFFFu;
    at += 1u;

    // Rotations of one word: the reference, and the axes of the rotation and of the position.
    var axes = array<vec4f, 3>(pelt_identity, pelt_identity, pelt_identity);
    let axis_bits = array<u32, 3>(22u, 29u, 30u);
    for (var i = 0u; i < 3u && is_pose; i++) {
        if ((flags >> axis_bits[i]) & 1u) != 0u {
            axes[i] = pelt_axes_of(pelt_word(at));
            at += 1u;
        }
    }

    // Numbers at both keys. Rotation or real part from 0 on, position or dual part from 4 on,
    // stretch from 8 on; or a matrix: its linear part from 0 on, the position from 9 on.
    let stretch_kind = select((flags >> 25u) & 3u, 0u, is_matrix);
    var slots = select(0u, 0x3F00u, stretch_kind == 2u) | select(0u, 0x100u, stretch_kind == 1u);
    slots |= select(0u, 0xFFFu, is_matrix) | select(0u, 0xFFu, is_dual);
    slots |= select(0u, 0x7u, is_pose && (flags & 0x800000u) != 0u);
    slots |= select(0u, 0x70u, is_pose && (flags & 0x1000000u) != 0u);
    let position_slot = select(4u, 9u, is_matrix);
    var keys: array<vec2f, 14>;
    for (var slot = 0u; slot < 14u; slot++) {
        if ((slots >> slot) & 1u) == 0u {
            continue;
        }
        let component = pelt_word(at);
        let width = select(component & 31u, 32u, (component & 31u) == 31u);
        var scale = select(1.0, units.y, is_matrix || slot >= 8u);
        scale = select(scale, units.x, slot >= position_slot && (is_matrix || slot < 8u));
        for (var i = 0; i < 2; i++) {
            let value = pelt_bits(select(moment.next, moment.key, i == 0), bit, width);
            keys[slot][i] = pelt_component_value(component, scale, value);
        }
        at += 1u;
        bit += width;
    }

    // Deviations of both paths.
    var paths: array<f32, 6>;
    for (var i = 0u; i < 6u && is_pose; i++) {
        let which = i / 3u;
        if ((flags >> (27u + which)) & 1u) == 0u {
            continue;
        }
        let code = pelt_word(at) >> (10u * (i % 3u));
        let width = code & 15u;
        let value = pelt_bits(moment.key, bit, width);
        let range = select(1.0, units.x, which == 1u) * f32(2u + ((code >> 4u) & 1u)) *
                    bitcast<f32>((((code >> 5u) & 31u) + 97u) << 23u);
        let steps = f32(1u << width);
        paths[i] = select(0.0, range * (f32(value) - 0.5 * steps) / steps, width != 0u);
        bit += width;
        at += select(0u, 1u, i % 3u == 2u);
    }

    let u = moment.u;
    var now: array<f32, 14>;
    for (var slot = 0u; slot < 14u; slot++) {
        now[slot] = (1.0 - u) * keys[slot].x + u * keys[slot].y;
    }
    if is_matrix {
        var linear: array<mat3x3f, 2>;
        for (var i = 0; i < 2; i++) {
            linear[i] = transpose(mat3x3f(keys[0][i], keys[1][i], keys[2][i], keys[3][i], keys[4][i],
                                          keys[5][i], keys[6][i], keys[7][i], keys[8][i]));
        }
        return pelt_local(pelt_identity, vec4f(now[9], now[10], now[11], 0.0),
                          pelt_mix_linear(linear[0], linear[1], u, is_spherical), true);
    }
    var pose = pelt_local(axes[0], vec4f(pivot, 0.0), pelt_identity_matrix, stretch_kind == 2u);
    if stretch_kind == 1u {
        pose.stretch = pelt_identity_matrix * now[8];
    } else if stretch_kind == 2u {
        pose.stretch = mat3x3f(now[8], now[13], now[12], now[13], now[9], now[11], now[12], now[11], now[10]);
    }
    if is_dual {
        let between = pelt_mix_duals(
            pelt_dquat(vec4f(keys[0].x, keys[1].x, keys[2].x, keys[3].x),
                       vec4f(keys[4].x, keys[5].x, keys[6].x, keys[7].x)),
            pelt_dquat(vec4f(keys[0].y, keys[1].y, keys[2].y, keys[3].y),
                       vec4f(keys[4].y, keys[5].y, keys[6].y, keys[7].y)), u);
        pose.rotation = between.real;
        pose.position = between.dual;
        return pose;
    }
    let bend = 4.0 * u * (1.0 - u);
    if (slots & 7u) != 0u {
        let first = pelt_quat_rotate(axes[1], vec3f(keys[0].x, keys[1].x, keys[2].x));
        let second = pelt_quat_rotate(axes[1], vec3f(keys[0].y, keys[1].y, keys[2].y));
        pose.rotation = pelt_quat_mul(axes[0], pelt_quat_slerp(pelt_quat_from_vector(first),
                                                               pelt_quat_from_vector(second), u));
    }
    if (slots & 0x70u) != 0u {
        pose.position = vec4f(pelt_quat_rotate(axes[2], vec3f(now[4], now[5], now[6])), 0.0);
    }
    let rotation = bend * pelt_quat_rotate(axes[1], vec3f(paths[0], paths[1], paths[2]));
    let shift = bend * pelt_quat_rotate(axes[2], vec3f(paths[3], paths[4], paths[5]));
    pose.rotation = normalize(pelt_quat_mul(pose.rotation, vec4f(rotation, 1.0)));
    pose.position += vec4f(shift, 0.0);
    return pose;
}

fn pelt_local_fade(a: pelt_local, b: pelt_local, factor: f32) -> pelt_local {
    let stretch = a.stretch * (1.0 - factor) + b.stretch * factor;
    let is_skewed = a.is_skewed || b.is_skewed;
    if PELT_BAKED_KIND == PELT_BAKED_DUAL {
        let between = pelt_mix_duals(pelt_dquat(a.rotation, a.position),
                                     pelt_dquat(b.rotation, b.position), factor);
        return pelt_local(between.real, between.dual, stretch, is_skewed);
    }
    return pelt_local(pelt_quat_slerp(a.rotation, b.rotation, factor),
                      (1.0 - factor) * a.position + factor * b.position, stretch, is_skewed);
}

// Add the change of a clip since its first key to a motion.
fn pelt_local_add(pose: pelt_local, first: pelt_local, now: pelt_local, weight: f32) -> pelt_local {
    let change = pelt_quat_mul(pelt_quat_conjugate(first.rotation), now.rotation);
    return pelt_local(pelt_quat_mul(pose.rotation, pelt_quat_slerp(pelt_identity, change, weight)),
                      pose.position + weight * (now.position - first.position),
                      pose.stretch + (now.stretch - first.stretch) * weight,
                      pose.is_skewed || first.is_skewed || now.is_skewed);
}

fn pelt_local_at(joint: u32, pivot: vec3f, playing: pelt_playing) -> pelt_local {
    var all = playing; // arrays are indexed by variables only
    var pose: pelt_local;
    var first: pelt_local;
    for (var i = 0; i < 4; i++) {
        if (i == 1 && playing.fade == 0.0) || (i > 1 && playing.weight == 0.0) {
            continue;
        }
        let stored = pelt_local_stored(joint, pivot, all.moments[i], playing.units,
                                       playing.is_spherical);
        if i == 0 {
            pose = stored;
        } else if i == 1 {
            pose = pelt_local_fade(pose, stored, playing.fade);
        } else if i == 2 {
            first = stored;
        } else {
            pose = pelt_local_add(pose, first, stored, playing.weight);
        }
    }
    return pose;
}

// Whether a symmetric matrix is positive definite.
fn pelt_is_positive(a: mat3x3f) -> bool {
    return a[0].x > 0.0 && a[0].x * a[1].y > a[0].y * a[0].y && dot(a[0], cross(a[1], a[2])) > 0.0;
}

fn pelt_baked_joint_count() -> u32 {
    let is_thesis = PELT_BAKED_LAYOUT == PELT_BAKED_THESIS;
    let word = pelt_word(select(3u, 0u, is_thesis));
    return select(word, (word >> 16u) & 0x3FFFu, is_thesis);
}

// Concatenate the motions from the joint up to its root.
fn pelt_joint_at(joint: u32, playing: pelt_playing) -> pelt_joint {
    var linear = pelt_identity_matrix;
    var translation = vec3f();
    var rotation = pelt_identity;
    var is_skewed = false;
    var link = joint;
    for (var i = 0u; i < playing.joint_count && link < playing.joint_count; i++) {
        var pivot: vec3f;
        var parent = 0xFFFFFFFFu;
        if PELT_BAKED_LAYOUT == PELT_BAKED_THESIS {
            pivot = 2.0 * playing.units.x *
                    (pelt_thesis_pivot_bytes(link, playing.moments[0].table).xyz - 128.0);
        } else {
            let at = playing.joints + 4u * link;
            parent = pelt_word(at);
            pivot = vec3f(pelt_word_float(at + 1u), pelt_word_float(at + 2u), pelt_word_float(at + 3u));
        }
        let pose = pelt_local_at(link, pivot, playing);
        let map = pelt_mat3_from_quat(pose.rotation) * pose.stretch;
        var position = pose.position.xyz;
        if PELT_BAKED_KIND == PELT_BAKED_DUAL {
            position = pelt_dquat_translation(pelt_dquat(pose.rotation, pose.position));
        }
        linear = map * linear;
        translation = map * (translation - pivot) + position;
        rotation = pelt_quat_mul(pose.rotation, rotation);
        // The joint's own stretch is applied first and does not change the rotation unless it
        // mirrors.
        let is_first = i == 0u && PELT_BAKED_KIND != PELT_BAKED_MATRIX;
        is_skewed = is_skewed || (pose.is_skewed && !(is_first && pelt_is_positive(pose.stretch)));
        link = parent;
    }
    if is_skewed {
        rotation = pelt_polar_rotation(linear);
    }
    let rows = transpose(linear);
    return pelt_joint(vec4f(rows[0], translation.x), vec4f(rows[1], translation.y),
                      vec4f(rows[2], translation.z), rotation);
}

// ---------------------------------------------------------------------------------------------
// Vertices

// The unit vector of octahedral coordinates (Meyer et al., "On Floating-Point Normal Vectors",
// 2010).
fn pelt_octahedron(e: vec2f) -> vec3f {
    let z = 1.0 - abs(e.x) - abs(e.y);
    let folded = (1.0 - abs(e.yx)) * select(vec2f(1.0), vec2f(-1.0), e < vec2f());
    return normalize(vec3f(select(e, folded, z < 0.0), z));
}

// Three bytes of a texel in the layout of the thesis, from -1 to 1.
fn pelt_thesis_value(at: u32) -> vec3f {
    return (vec3f(pelt_baked_texel(at).xyz) - 128.0) / 127.0;
}

// One box of all vertices, then a row for each position, and one for each normal.
fn pelt_thesis_vertex(rest: pelt_rest, vertex: u32, moment: pelt_moment, unit: f32) -> pelt_vertex {
    let row = moment.table;
    let box = 2u * row;
    let at = box + vertex * row;
    let head = pelt_word(box);
    var values: array<f32, 6>;
    for (var i = 0u; i < 6u; i++) {
        values[i] = unit * pelt_word_float(box + (1u + i) * row);
    }
    let part = mix(pelt_thesis_value(at + moment.key), pelt_thesis_value(at + moment.next), moment.u);
    var result = pelt_vertex_at_rest(rest);
    result.position += vec3f(values[0], values[1], values[2]) + vec3f(values[3], values[4], values[5]) * part;
    if (head & 0x80000000u) != 0u {
        let below = at + (head & 0x7FFFFFFFu) * row;
        result.normal = normalize(mix(pelt_thesis_value(below + moment.key),
                                      pelt_thesis_value(below + moment.next), moment.u));
    }
    return result;
}

// The rest position plus the stored offset, and the stored normal, or else the rest normal.
fn pelt_vertex_stored(rest: pelt_rest, vertex: u32, moment: pelt_moment, unit: f32) -> pelt_vertex {
    let header = pelt_word(moment.table);
    let width = header & 255u;
    let normal_width = (header >> 8u) & 255u;
    let component = moment.table + 1u + select(3u * vertex, 0u, (header & 0x10000u) != 0u);
    // Three coordinates and two numbers of the normal, at both keys.
    var values: array<array<f32, 5>, 2>;
    for (var k = 0u; k < 10u; k++) {
        let which = k % 5u;
        let is_normal = which > 2u;
        let bit = vertex * (3u * width + 2u * normal_width) + min(which, 3u) * width +
                  select(0u, normal_width, which == 4u);
        let own = select(width, normal_width, is_normal);
        let value = pelt_bits(select(moment.next, moment.key, k < 5u), bit, own);
        if is_normal {
            values[k / 5u][which] = 2.0 * f32(value) / max(1.0, f32((1u << own) - 1u)) - 1.0;
        } else {
            values[k / 5u][which] =
                pelt_component_value(pelt_word(component + which), unit, value);
        }
    }
    let a = values[0];
    let b = values[1];
    var result = pelt_vertex_at_rest(rest);
    result.position += mix(vec3f(a[0], a[1], a[2]), vec3f(b[0], b[1], b[2]), moment.u);
    if normal_width > 0u {
        result.normal = normalize(mix(pelt_octahedron(vec2f(a[3], a[4])),
                                      pelt_octahedron(vec2f(b[3], b[4])), moment.u));
    }
    return result;
}

// vertex  its index in the texture: see pelt_baked_instance.vertex_ids
fn pelt_baked_vertex(rest: pelt_rest, vertex: u32, playing: pelt_playing) -> pelt_vertex {
    var all = playing;
    var result = pelt_vertex_at_rest(rest);
    for (var i = 0; i < select(1, 2, playing.fade != 0.0); i++) {
        let moment = all.moments[i];
        var stored: pelt_vertex;
        if PELT_BAKED_LAYOUT == PELT_BAKED_THESIS {
            stored = pelt_thesis_vertex(rest, vertex, moment, playing.units.x);
        } else {
            stored = pelt_vertex_stored(rest, vertex, moment, playing.units.x);
        }
        let factor = select(playing.fade, 1.0, i == 0);
        result.position = (1.0 - factor) * result.position + factor * stored.position;
        result.normal = select(normalize((1.0 - factor) * result.normal + factor * stored.normal),
                               stored.normal, i == 0);
    }
    return result;
}
