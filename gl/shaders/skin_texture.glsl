// SPDX-License-Identifier: MIT
// Animation textures: decodes the motion of a joint at a moment of its clips.
// docs/texture_format.md defines the format; pelt_unbake() does the same on the CPU. To keep the
// texture elsewhere, define PELT_BAKED_OWN and pelt_baked_texel() before this text.

#if !defined(PELT_BAKED_OWN)

#if defined(VULKAN)
layout(set = 0, binding = 4) uniform utexture2D pelt_baked;
#else
uniform highp usampler2D pelt_baked;
#endif

uvec4 pelt_baked_texel(uint at)
{
    int width = PELT_BAKED_WIDTH > 0 ? PELT_BAKED_WIDTH : textureSize(pelt_baked, 0).x;
    return texelFetch(pelt_baked, ivec2(int(at) % width, int(at) / width), 0);
}

#endif

// ---------------------------------------------------------------------------------------------
// Words

// The texel that was fetched last, so that its other words need no fetch.
struct pelt_words
{
    uint texel;
    uvec4 channels;
};

pelt_words pelt_words_make()
{
    pelt_words words;
    words.texel = 0xFFFFFFFFu;
    words.channels = uvec4(0u);
    return words;
}

uint pelt_word(inout pelt_words words, uint at)
{
    uint texel = at / uint(PELT_BAKED_TEXEL_WORDS);
    if (texel != words.texel)
    {
        words.texel = texel;
        words.channels = pelt_baked_texel(texel);
    }
    uvec4 channels = words.channels;
    if (PELT_BAKED_TEXEL_WORDS == 4)
    {
        uvec2 pair = (at & 2u) == 0u ? channels.xy : channels.zw;
        return (at & 1u) == 0u ? pair.x : pair.y;
    }
    if (PELT_BAKED_TEXEL_WORDS == 2)
    {
        uvec2 halves = (at & 1u) == 0u ? channels.xy : channels.zw;
        return halves.x | (halves.y << 16u);
    }
    return channels.x | (channels.y << 8u) | (channels.z << 16u) | (channels.w << 24u);
}

float pelt_word_float(inout pelt_words words, uint at)
{
    return uintBitsToFloat(pelt_word(words, at));
}

// A number in a bit stream.
// first  word where the stream begins
// width  of the number: 0 to 32 bits
uint pelt_bits(inout pelt_words words, uint first, uint bit, uint width)
{
    if (width == 0u)
    {
        return 0u;
    }
    uint at = first + (bit >> 5u), shift = bit & 31u;
    uint value = pelt_word(words, at) >> shift;
    if (shift + width > 32u)
    {
        value |= pelt_word(words, at + 1u) << (32u - shift);
    }
    return width < 32u ? value & ((1u << width) - 1u) : value;
}

// 2^(exponent - 127), exactly, which exp2() need not be.
float pelt_power_of_two(uint exponent)
{
    return uintBitsToFloat(exponent << 23u);
}

// Dequantize a value of a key.
// component  the word that describes its range and width
float pelt_component_value(uint component, float scale, uint value)
{
    uint width = component & 31u;
    if (width == 0u)
    {
        return uintBitsToFloat(component);
    }
    if (width == 31u)
    {
        return uintBitsToFloat(value);
    }
    float low = uintBitsToFloat(component & 0xFFFF8000u);
    float range = scale * float(32u + ((component >> 5u) & 31u)) *
                  pelt_power_of_two(((component >> 10u) & 31u) + 99u);
    return low + range * (float(value) / float((1u << width) - 1u));
}

// ---------------------------------------------------------------------------------------------
// Rotations

// The coefficients of spherical interpolation between two unit vectors that are at most a right
// angle apart, up to a common factor. Polynomials replace acos() and sin(), which have three or
// four digits on many GPUs, and nothing is divided by a small sine.
// square  of the distance between the vectors
vec2 pelt_arc_parts(float square, float t)
{
    // The square of the angle, 4 asin(chord / 2)^2, for chords up to sqrt(2): relative error 4e-7.
    float series = 0.0006734252 + square * (-0.00016328846 + square * 7.1624935e-05);
    series = 0.083320483 + square * (0.011208956 + square * (0.0015111944 + square * series));
    float angle_square = square * (1.0000003 + square * series);
    // sin(x) / x of the angle to each end, by its series in x^2: error 1e-7 for x up to pi.
    vec2 parts = vec2(1.0 - t, t);
    vec2 x = parts * parts * angle_square;
    vec2 sine = 1.6059044e-10 + x * (-7.6471637e-13 + x * 2.8114573e-15);
    sine = -1.0 / 5040.0 + x * (1.0 / 362880.0 + x * (-2.5052108e-8 + x * sine));
    sine = 1.0 + x * (-1.0 / 6.0 + x * (1.0 / 120.0 + x * sine));
    return parts * sine;
}

// Spherical interpolation along the shorter arc.
vec4 pelt_quat_slerp(vec4 a, vec4 b, float t)
{
    vec4 end = dot(a, b) < 0.0 ? -b : b;
    vec2 parts = pelt_arc_parts(dot(end - a, end - a), t);
    return normalize(parts.x * a + parts.y * end);
}

// The unit quaternion of a rotation vector, axis times tan(angle / 4).
vec4 pelt_quat_from_vector(vec3 v)
{
    float square = dot(v, v);
    return vec4(2.0 * v, 1.0 - square) / (1.0 + square);
}

vec3 pelt_quat_rotate(vec4 q, vec3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// Shepperd's method: divide by the largest of the four.
// columns  of a rotation
vec4 pelt_quat_from_mat3(mat3 columns)
{
    vec3 x = columns[0], y = columns[1], z = columns[2];
    float trace = x.x + y.y + z.z;
    vec4 q;
    if (trace > x.x && trace > y.y && trace > z.z)
    {
        q = vec4(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace);
    }
    else if (x.x >= y.y && x.x >= z.z)
    {
        q = vec4(1.0 + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y);
    }
    else if (y.y >= z.z)
    {
        q = vec4(y.x + x.y, 1.0 - x.x + y.y - z.z, z.y + y.z, z.x - x.z);
    }
    else
    {
        q = vec4(z.x + x.z, z.y + y.z, 1.0 - x.x - y.y + z.z, x.y - y.x);
    }
    return normalize(q);
}

float pelt_norm(mat3 a)
{
    return sqrt(dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]));
}

// The rotation of a polar decomposition, as in pelt_mat3_polar(): a matrix that mirrors is a
// rotation times a negative stretch. Newton's iteration, scaled as in Higham, "Computing the Polar
// Decomposition", 1986, with cofactors instead of the inverse, so that matrices of rank 2 have a
// rotation too.
vec4 pelt_polar_rotation(mat3 linear)
{
    vec3 size = max(abs(linear[0]), max(abs(linear[1]), abs(linear[2])));
    float largest = max(size.x, max(size.y, size.z));
    if (!(largest > 0.0))
    {
        return vec4(0.0, 0.0, 0.0, 1.0);
    }
    mat3 a = linear / largest;
    for (int i = 0; i < 8; ++i)
    {
        mat3 cofactor = mat3(cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1]));
        float norm = pelt_norm(a), cofactor_norm = pelt_norm(cofactor);
        // A matrix that is singular up to rounding does not mirror.
        bool is_mirror = i == 0 && dot(a[0], cofactor[0]) < -1e-5 * norm * cofactor_norm;
        // The cofactors of a matrix of rank 1 are zero.
        float other = cofactor_norm > 1e-30 ? 1.0 / cofactor_norm : 0.0;
        a = a * ((is_mirror ? -1.0 : 1.0) / norm) + cofactor * other;
    }
    return pelt_quat_from_mat3(a * (sqrt(3.0) / pelt_norm(a)));
}

// ---------------------------------------------------------------------------------------------
// Time

// A moment of a clip: the table of its run, the two keys next to it, and the position between them.
struct pelt_moment
{
    uint table; // in the thesis layout: words per row
    uint key;
    uint next;
    float u;
};

// What an instance plays; the same for all of its joints.
struct pelt_playing
{
    pelt_moment moments[4]; // base, next, first key of the additive clip, additive
    float fade;             // from base to next
    float weight;           // of the additive clip
    uint joints;            // first word of the joint table
    uint joint_count;
    vec2 units;             // of positions, and of stretches
    bool is_spherical;      // columns of matrices are interpolated along arcs
};

float pelt_clip_time(float time, float duration, bool repeats)
{
    if (!repeats)
    {
        return clamp(time, 0.0, duration);
    }
    float t = duration > 0.0 ? time - floor(time / duration) * duration : 0.0;
    // Rounding of the division may make the floor too small by one.
    return t >= duration ? t - duration : t;
}

// first     first word of the first key; keys are stride words apart
// position  in intervals from the first key
pelt_moment pelt_moment_make(uint table, uint first, uint stride, uint count, bool wraps,
                             float position)
{
    float x = clamp(position, 0.0, float(wraps ? count : count - 1u));
    uint key = min(uint(x), count - 1u);
    uint next = key + 1u < count ? key + 1u : (wraps ? 0u : key);
    return pelt_moment(table, first + key * stride, first + next * stride, x - float(key));
}

// clip  its first word
pelt_moment pelt_moment_at(inout pelt_words words, uint clip, float time, bool repeats)
{
    uint run = pelt_word(words, clip);
    uint last_run = run + 8u * (pelt_word(words, clip + 1u) - 1u);
    float duration = pelt_word_float(words, clip + 2u);
    bool wraps = (pelt_word(words, clip + 3u) & 1u) != 0u;
    float t = pelt_clip_time(time, duration, repeats);
    while (run < last_run && pelt_word_float(words, run + 8u) <= t)
    {
        run += 8u;
    }
    float start = pelt_word_float(words, run), rate = pelt_word_float(words, run + 1u);
    uint count = pelt_word(words, run + 2u), first = pelt_word(words, run + 3u);
    uint stride = pelt_word(words, run + 4u), table = pelt_word(words, run + 5u);
    bool is_held = (pelt_word(words, run + 6u) & 1u) != 0u;
    pelt_moment moment =
        pelt_moment_make(table, first, stride, count, wraps, (t - start) * rate);
    moment.u = is_held ? 0.0 : moment.u;
    return moment;
}

// Whether the first rows of the thesis layout have room for all pivots above the keys. Else, they
// have a column of their own after the keys.
bool pelt_thesis_has_room(uint keys, uint joints)
{
    return 1u + ((joints + 1u) >> 1u) <= keys;
}

// Words per row in the thesis layout: one per key, one for metadata and one for pivots that have no
// room above, or the next power of two.
uint pelt_thesis_row(inout pelt_words words)
{
    uint head = pelt_word(words, 0u), row = head & 0xFFFFu;
    row += pelt_thesis_has_room(row, (head >> 16u) & 0x3FFFu) ? 0u : 1u;
    if ((head & 0x80000000u) != 0u)
    {
        row |= row >> 1u;
        row |= row >> 2u;
        row |= row >> 4u;
        row |= row >> 8u;
    }
    return row + 1u;
}

pelt_moment pelt_thesis_at(inout pelt_words words, float time, bool repeats)
{
    uint head = pelt_word(words, 0u), row = pelt_thesis_row(words);
    float rate = pelt_word_float(words, row), duration = pelt_word_float(words, row + 1u);
    float t = pelt_clip_time(time, duration, repeats);
    return pelt_moment_make(row, 1u, 1u, head & 0xFFFFu, (head & 0x40000000u) != 0u, t * rate);
}

// clip  its number in bits 0 to 14; bit 15 is set if it repeats
pelt_moment pelt_clip_at(inout pelt_words words, uint clips, uint clip, float time)
{
    bool repeats = (clip & 0x8000u) != 0u;
    if (PELT_BAKED_LAYOUT == PELT_BAKED_THESIS)
    {
        return pelt_thesis_at(words, time, repeats);
    }
    return pelt_moment_at(words, clips + 4u * (clip & 0x7FFFu), time, repeats);
}

uint pelt_baked_joint_count(inout pelt_words words)
{
    bool is_thesis = PELT_BAKED_LAYOUT == PELT_BAKED_THESIS;
    uint word = pelt_word(words, is_thesis ? 0u : 3u);
    return is_thesis ? (word >> 16u) & 0x3FFFu : word;
}

// playback, times  the pelt_gpu_playback of an instance: two texels, or two attributes
pelt_playing pelt_play(uvec4 playback, vec4 times)
{
    pelt_words words = pelt_words_make();
    pelt_playing playing;
    bool is_thesis = PELT_BAKED_LAYOUT == PELT_BAKED_THESIS;
    playing.joint_count = pelt_baked_joint_count(words);
    playing.joints = is_thesis ? 0u : pelt_word(words, 4u);
    uint clips = is_thesis ? 0u : pelt_word(words, 6u);
    playing.units = vec2(pelt_word_float(words, is_thesis ? 1u : 7u), 1.0);
    if (!is_thesis)
    {
        playing.units.y = pelt_word_float(words, 8u);
    }
    playing.is_spherical = (playback.y & 0x10000u) != 0u;
    playing.fade = uintBitsToFloat(playback.z);
    playing.weight = uintBitsToFloat(playback.w);
    playing.moments[0] = pelt_clip_at(words, clips, playback.x & 0xFFFFu, times.x);
    playing.moments[1] = playing.moments[0];
    playing.moments[2] = playing.moments[0];
    playing.moments[3] = playing.moments[0];
    if (playing.fade != 0.0)
    {
        playing.moments[1] = pelt_clip_at(words, clips, playback.x >> 16u, times.y);
    }
    if (playing.weight != 0.0 && PELT_BAKED_KIND == PELT_BAKED_POSE)
    {
        uint run = pelt_word(words, clips + 4u * (playback.y & 0x7FFFu));
        uint first = pelt_word(words, run + 3u), table = pelt_word(words, run + 5u);
        playing.moments[2] = pelt_moment(table, first, first, 0.0);
        playing.moments[3] = pelt_clip_at(words, clips, playback.y & 0xFFFFu, times.z);
    }
    return playing;
}
