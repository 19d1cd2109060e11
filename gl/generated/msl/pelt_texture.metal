// SPDX-License-Identifier: MIT
// Animation textures of pelt, translated from its GLSL by tools/shaders.
// Goes after pelt_skin, and needs pelt_baked_texel() as well.

// Animation textures: 32-bit words per texel (4, 2 or 1); width in texels (0: that of the texture);
// encoding of motions; and layout.
#ifndef PELT_BAKED_TEXEL_WORDS
#define PELT_BAKED_TEXEL_WORDS 4
#endif
#ifndef PELT_BAKED_WIDTH
#define PELT_BAKED_WIDTH 0
#endif
#define PELT_BAKED_POSE 0   // rotation, position and stretch; encodings qt and local
#define PELT_BAKED_MATRIX 1 // encoding matrix
#define PELT_BAKED_DUAL 2   // encoding dq
#ifndef PELT_BAKED_KIND
#define PELT_BAKED_KIND PELT_BAKED_POSE
#endif
#define PELT_BAKED_MODERN 0
#define PELT_BAKED_THESIS 1 // encodings matrix, dq and vertex, with one word per texel
#ifndef PELT_BAKED_LAYOUT
#define PELT_BAKED_LAYOUT PELT_BAKED_MODERN
#endif

struct pelt_words
{
    uint texel;
    uint4 channels;
};

struct pelt_moment
{
    uint table;
    uint key;
    uint next;
    float u;
};

struct pelt_playing
{
    spvUnsafeArray<pelt_moment, 4> moments;
    float fade;
    float weight;
    uint joints;
    uint joint_count;
    float2 units;
    short is_spherical;
};

struct pelt_thesis_box
{
    float4 center;
    float4 bounds;
};

struct pelt_thesis_matrix
{
    float3x3 linear;
    float3 position;
};

struct pelt_record
{
    uint at;
    uint bit;
    pelt_words words;
    pelt_words key;
    pelt_words next;
};

struct pelt_key_pair
{
    float3 first;
    float3 second;
};

struct pelt_local
{
    float4 rotation;
    float4 position;
    float3x3 stretch;
    short is_skewed;
};

struct pelt_joint
{
    float4 x;
    float4 y;
    float4 z;
    float4 rotation;
};

static inline __attribute__((always_inline))
pelt_words pelt_words_make()
{
    pelt_words words;
    words.texel = 4294967295u;
    words.channels = uint4(0u);
    return words;
}

static inline __attribute__((always_inline))
uint pelt_word(thread pelt_words& words, thread const uint& at, texture2d<uint> pelt_baked)
{
    uint texel = at / (uint(PELT_BAKED_TEXEL_WORDS) + 0u);
    if (texel != words.texel)
    {
        words.texel = texel;
        uint param = texel;
        words.channels = pelt_baked_texel(param, pelt_baked);
    }
    uint4 channels = words.channels;
    if (PELT_BAKED_TEXEL_WORDS == 4)
    {
        uint2 _4178;
        if ((at & 2u) == 0u)
        {
            _4178 = channels.xy;
        }
        else
        {
            _4178 = channels.zw;
        }
        uint2 pair = _4178;
        uint _4190;
        if ((at & 1u) == 0u)
        {
            _4190 = pair.x;
        }
        else
        {
            _4190 = pair.y;
        }
        return _4190;
    }
    if (PELT_BAKED_TEXEL_WORDS == 2)
    {
        uint2 _4207;
        if ((at & 1u) == 0u)
        {
            _4207 = channels.xy;
        }
        else
        {
            _4207 = channels.zw;
        }
        uint2 halves = _4207;
        return halves.x | (halves.y << 16u);
    }
    return ((channels.x | (channels.y << 8u)) | (channels.z << 16u)) | (channels.w << 24u);
}

static inline __attribute__((always_inline))
uint pelt_baked_joint_count(thread pelt_words& words, texture2d<uint> pelt_baked)
{
    bool is_thesis = (PELT_BAKED_LAYOUT == 1);
    pelt_words param = words;
    uint param_1 = is_thesis ? 0u : 3u;
    uint _5243 = pelt_word(param, param_1, pelt_baked);
    words = param;
    uint word = _5243;
    uint _5246;
    if (is_thesis)
    {
        _5246 = (word >> 16u) & 16383u;
    }
    else
    {
        _5246 = word;
    }
    return _5246;
}

static inline __attribute__((always_inline))
float pelt_word_float(thread pelt_words& words, thread const uint& at, texture2d<uint> pelt_baked)
{
    pelt_words param = words;
    uint param_1 = at;
    uint _4245 = pelt_word(param, param_1, pelt_baked);
    words = param;
    return as_type<float>(_4245);
}

static inline __attribute__((always_inline))
bool pelt_thesis_has_room(thread const uint& keys, thread const uint& joints)
{
    return (1u + ((joints + 1u) >> 1u)) <= keys;
}

static inline __attribute__((always_inline))
uint pelt_thesis_row(thread pelt_words& words, texture2d<uint> pelt_baked)
{
    pelt_words param = words;
    uint param_1 = 0u;
    uint _5104 = pelt_word(param, param_1, pelt_baked);
    words = param;
    uint head = _5104;
    uint row = head & 65535u;
    uint param_2 = row;
    uint param_3 = (head >> 16u) & 16383u;
    row += (pelt_thesis_has_room(param_2, param_3) ? 0u : 1u);
    if ((head & 2147483648u) != 0u)
    {
        row |= (row >> 1u);
        row |= (row >> 2u);
        row |= (row >> 4u);
        row |= (row >> 8u);
    }
    return row + 1u;
}

static inline __attribute__((always_inline))
float pelt_clip_time(thread const float& time, thread const float& duration, thread const bool& repeats)
{
    if (!repeats)
    {
        return fast::clamp(time, 0.0, duration);
    }
    float _4858;
    if (duration > 0.0)
    {
        _4858 = time - (floor(time / duration) * duration);
    }
    else
    {
        _4858 = 0.0;
    }
    float t = _4858;
    float _4874;
    if (t >= duration)
    {
        _4874 = t - duration;
    }
    else
    {
        _4874 = t;
    }
    return _4874;
}

static inline __attribute__((always_inline))
pelt_moment pelt_moment_make(thread const uint& table, thread const uint& first, thread const uint& stride, thread const uint& count, thread const bool& wraps, thread const float& position)
{
    uint _4888;
    if (wraps)
    {
        _4888 = count;
    }
    else
    {
        _4888 = count - 1u;
    }
    float x = fast::clamp(position, 0.0, float(_4888));
    uint key = min(uint(x), (count - 1u));
    uint _4909;
    if ((key + 1u) < count)
    {
        _4909 = key + 1u;
    }
    else
    {
        _4909 = wraps ? 0u : key;
    }
    uint next = _4909;
    return pelt_moment{ table, first + (key * stride), first + (next * stride), x - float(key) };
}

static inline __attribute__((always_inline))
pelt_moment pelt_thesis_at(thread pelt_words& words, thread const float& time, thread const bool& repeats, texture2d<uint> pelt_baked)
{
    pelt_words param = words;
    uint param_1 = 0u;
    uint _5151 = pelt_word(param, param_1, pelt_baked);
    words = param;
    uint head = _5151;
    pelt_words param_2 = words;
    uint _5156 = pelt_thesis_row(param_2, pelt_baked);
    words = param_2;
    uint row = _5156;
    pelt_words param_3 = words;
    uint param_4 = row;
    float _5163 = pelt_word_float(param_3, param_4, pelt_baked);
    words = param_3;
    float rate = _5163;
    pelt_words param_5 = words;
    uint param_6 = row + 1u;
    float _5171 = pelt_word_float(param_5, param_6, pelt_baked);
    words = param_5;
    float duration = _5171;
    float param_7 = time;
    float param_8 = duration;
    bool param_9 = repeats;
    float t = pelt_clip_time(param_7, param_8, param_9);
    uint param_10 = row;
    uint param_11 = 1u;
    uint param_12 = 1u;
    uint param_13 = head & 65535u;
    bool param_14 = (head & 1073741824u) != 0u;
    float param_15 = t * rate;
    return pelt_moment_make(param_10, param_11, param_12, param_13, param_14, param_15);
}

static inline __attribute__((always_inline))
pelt_moment pelt_moment_at(thread pelt_words& words, thread const uint& clip, thread const float& time, thread const bool& repeats, texture2d<uint> pelt_baked)
{
    pelt_words param = words;
    uint param_1 = clip;
    uint _4942 = pelt_word(param, param_1, pelt_baked);
    words = param;
    uint run = _4942;
    pelt_words param_2 = words;
    uint param_3 = clip + 1u;
    uint _4951 = pelt_word(param_2, param_3, pelt_baked);
    words = param_2;
    uint last_run = run + (8u * (_4951 - 1u));
    pelt_words param_4 = words;
    uint param_5 = clip + 2u;
    float _4962 = pelt_word_float(param_4, param_5, pelt_baked);
    words = param_4;
    float duration = _4962;
    pelt_words param_6 = words;
    uint param_7 = clip + 3u;
    uint _4970 = pelt_word(param_6, param_7, pelt_baked);
    words = param_6;
    bool wraps = (_4970 & 1u) != 0u;
    float param_8 = time;
    float param_9 = duration;
    bool param_10 = repeats;
    float t = pelt_clip_time(param_8, param_9, param_10);
    for (;;)
    {
        bool _4989 = run < last_run;
        bool _5001;
        if (_4989)
        {
            pelt_words param_11 = words;
            uint param_12 = run + 8u;
            float _4997 = pelt_word_float(param_11, param_12, pelt_baked);
            words = param_11;
            _5001 = _4997 <= t;
        }
        else
        {
            _5001 = _4989;
        }
        if (_5001)
        {
            run += 8u;
            continue;
        }
        else
        {
            break;
        }
    }
    pelt_words param_13 = words;
    uint param_14 = run;
    float _5009 = pelt_word_float(param_13, param_14, pelt_baked);
    words = param_13;
    float start = _5009;
    pelt_words param_15 = words;
    uint param_16 = run + 1u;
    float _5017 = pelt_word_float(param_15, param_16, pelt_baked);
    words = param_15;
    float rate = _5017;
    pelt_words param_17 = words;
    uint param_18 = run + 2u;
    uint _5025 = pelt_word(param_17, param_18, pelt_baked);
    words = param_17;
    uint count = _5025;
    pelt_words param_19 = words;
    uint param_20 = run + 3u;
    uint _5033 = pelt_word(param_19, param_20, pelt_baked);
    words = param_19;
    uint first = _5033;
    pelt_words param_21 = words;
    uint param_22 = run + 4u;
    uint _5041 = pelt_word(param_21, param_22, pelt_baked);
    words = param_21;
    uint stride = _5041;
    pelt_words param_23 = words;
    uint param_24 = run + 5u;
    uint _5049 = pelt_word(param_23, param_24, pelt_baked);
    words = param_23;
    uint table = _5049;
    pelt_words param_25 = words;
    uint param_26 = run + 6u;
    uint _5058 = pelt_word(param_25, param_26, pelt_baked);
    words = param_25;
    bool is_held = (_5058 & 1u) != 0u;
    uint param_27 = table;
    uint param_28 = first;
    uint param_29 = stride;
    uint param_30 = count;
    bool param_31 = wraps;
    float param_32 = (t - start) * rate;
    pelt_moment moment = pelt_moment_make(param_27, param_28, param_29, param_30, param_31, param_32);
    float _5081;
    if (is_held)
    {
        _5081 = 0.0;
    }
    else
    {
        _5081 = moment.u;
    }
    moment.u = _5081;
    return moment;
}

static inline __attribute__((always_inline))
pelt_moment pelt_clip_at(thread pelt_words& words, thread const uint& clips, thread const uint& clip, thread const float& time, texture2d<uint> pelt_baked)
{
    bool repeats = (clip & 32768u) != 0u;
    if (PELT_BAKED_LAYOUT == 1)
    {
        pelt_words param = words;
        float param_1 = time;
        bool param_2 = repeats;
        pelt_moment _5215 = pelt_thesis_at(param, param_1, param_2, pelt_baked);
        words = param;
        return _5215;
    }
    pelt_words param_3 = words;
    uint param_4 = clips + (4u * (clip & 32767u));
    float param_5 = time;
    bool param_6 = repeats;
    pelt_moment _5231 = pelt_moment_at(param_3, param_4, param_5, param_6, pelt_baked);
    words = param_3;
    return _5231;
}

static inline __attribute__((always_inline))
pelt_playing pelt_play(thread const uint4& playback, thread const float4& times, texture2d<uint> pelt_baked)
{
    pelt_words words = pelt_words_make();
    bool is_thesis = (PELT_BAKED_LAYOUT == 1);
    pelt_words param = words;
    uint _5264 = pelt_baked_joint_count(param, pelt_baked);
    words = param;
    pelt_playing playing;
    playing.joint_count = _5264;
    uint _5268;
    if (is_thesis)
    {
        _5268 = 0u;
    }
    else
    {
        pelt_words param_1 = words;
        uint param_2 = 4u;
        uint _5275 = pelt_word(param_1, param_2, pelt_baked);
        words = param_1;
        _5268 = _5275;
    }
    playing.joints = _5268;
    uint _5281;
    if (is_thesis)
    {
        _5281 = 0u;
    }
    else
    {
        pelt_words param_3 = words;
        uint param_4 = 6u;
        uint _5288 = pelt_word(param_3, param_4, pelt_baked);
        words = param_3;
        _5281 = _5288;
    }
    uint clips = _5281;
    pelt_words param_5 = words;
    uint param_6 = is_thesis ? 1u : 7u;
    float _5297 = pelt_word_float(param_5, param_6, pelt_baked);
    words = param_5;
    playing.units = float2(_5297, 1.0);
    if (!is_thesis)
    {
        pelt_words param_7 = words;
        uint param_8 = 8u;
        float _5308 = pelt_word_float(param_7, param_8, pelt_baked);
        words = param_7;
        playing.units.y = _5308;
    }
    playing.is_spherical = short((playback.y & 65536u) != 0u);
    playing.fade = as_type<float>(playback.z);
    playing.weight = as_type<float>(playback.w);
    pelt_words param_9 = words;
    uint param_10 = clips;
    uint param_11 = playback.x & 65535u;
    float param_12 = times.x;
    pelt_moment _5337 = pelt_clip_at(param_9, param_10, param_11, param_12, pelt_baked);
    words = param_9;
    playing.moments[0] = _5337;
    playing.moments[1] = playing.moments[0];
    playing.moments[2] = playing.moments[0];
    playing.moments[3] = playing.moments[0];
    if (playing.fade != 0.0)
    {
        pelt_words param_13 = words;
        uint param_14 = clips;
        uint param_15 = playback.x >> 16u;
        float param_16 = times.y;
        pelt_moment _5365 = pelt_clip_at(param_13, param_14, param_15, param_16, pelt_baked);
        words = param_13;
        playing.moments[1] = _5365;
    }
    if ((playing.weight != 0.0) && (PELT_BAKED_KIND == 0))
    {
        pelt_words param_17 = words;
        uint param_18 = clips + (4u * (playback.y & 32767u));
        uint _5386 = pelt_word(param_17, param_18, pelt_baked);
        words = param_17;
        uint run = _5386;
        pelt_words param_19 = words;
        uint param_20 = run + 3u;
        uint _5394 = pelt_word(param_19, param_20, pelt_baked);
        words = param_19;
        uint first = _5394;
        pelt_words param_21 = words;
        uint param_22 = run + 5u;
        uint _5402 = pelt_word(param_21, param_22, pelt_baked);
        words = param_21;
        uint table = _5402;
        playing.moments[2] = pelt_moment{ table, first, first, 0.0 };
        pelt_words param_23 = words;
        uint param_24 = clips;
        uint param_25 = playback.y & 65535u;
        float param_26 = times.z;
        pelt_moment _5420 = pelt_clip_at(param_23, param_24, param_25, param_26, pelt_baked);
        words = param_23;
        playing.moments[3] = _5420;
    }
    return playing;
}

static inline __attribute__((always_inline))
uint4 pelt_thesis_pivot_bytes(thread const uint& joint, thread const uint& row, texture2d<uint> pelt_baked)
{
    uint param = 0u;
    uint4 head = pelt_baked_texel(param, pelt_baked);
    uint keys = head.x | (head.y << 8u);
    uint joints = (head.z | (head.w << 8u)) & 16383u;
    uint rows = ((PELT_BAKED_KIND == 1) ? 3u : 2u);
    uint above = (((joint & 1u) * row) + 2u) + (joint >> 1u);
    uint after = (((2u + (rows * joint)) * row) + 1u) + keys;
    uint param_1 = keys;
    uint param_2 = joints;
    uint param_3 = pelt_thesis_has_room(param_1, param_2) ? above : after;
    return pelt_baked_texel(param_3, pelt_baked);
}

static inline __attribute__((always_inline))
float3 pelt_thesis_pivot(thread const uint& joint, thread const uint& row, thread const float& unit, texture2d<uint> pelt_baked)
{
    uint param = joint;
    uint param_1 = row;
    return (float3(pelt_thesis_pivot_bytes(param, param_1, pelt_baked).xyz) - float3(128.0)) * (2.0 * unit);
}

static inline __attribute__((always_inline))
uint pelt_parent(thread float3& pivot, thread pelt_words& words, thread const uint& joint, thread const pelt_playing& playing, texture2d<uint> pelt_baked)
{
    if (PELT_BAKED_LAYOUT == 1)
    {
        uint param = joint;
        uint param_1 = playing.moments[0].table;
        float param_2 = playing.units.x;
        pivot = pelt_thesis_pivot(param, param_1, param_2, pelt_baked);
        return 4294967295u;
    }
    uint at = playing.joints + (4u * joint);
    pelt_words param_3 = words;
    uint param_4 = at;
    uint _7212 = pelt_word(param_3, param_4, pelt_baked);
    words = param_3;
    uint parent = _7212;
    pelt_words param_5 = words;
    uint param_6 = at + 1u;
    float _7219 = pelt_word_float(param_5, param_6, pelt_baked);
    words = param_5;
    pelt_words param_7 = words;
    uint param_8 = at + 2u;
    float _7226 = pelt_word_float(param_7, param_8, pelt_baked);
    words = param_7;
    pelt_words param_9 = words;
    uint param_10 = at + 3u;
    float _7233 = pelt_word_float(param_9, param_10, pelt_baked);
    words = param_9;
    pivot = float3(_7219, _7226, _7233);
    return parent;
}

static inline __attribute__((always_inline))
float4 pelt_thesis_bytes(thread const uint& at, texture2d<uint> pelt_baked)
{
    uint param = at;
    return float4(pelt_baked_texel(param, pelt_baked));
}

static inline __attribute__((always_inline))
pelt_thesis_box pelt_thesis_matrix_box(thread const uint& at, thread const uint& row, thread const float& unit, texture2d<uint> pelt_baked)
{
    uint param = at;
    float4 a = pelt_thesis_bytes(param, pelt_baked);
    uint param_1 = at + row;
    float4 b = pelt_thesis_bytes(param_1, pelt_baked);
    uint param_2 = at + (2u * row);
    float4 c = pelt_thesis_bytes(param_2, pelt_baked);
    float3 fraction = (float3(a.w, b.xy) - float3(128.0)) / float3(127.0);
    float3 signs = float3((fraction.x < 0.0) ? (-1.0) : 1.0, (fraction.y < 0.0) ? (-1.0) : 1.0, (fraction.z < 0.0) ? (-1.0) : 1.0);
    return pelt_thesis_box{ float4((fraction + (signs * a.xyz)) * unit, 0.0), float4((float3(b.zw, c.x) + (c.yzw / float3(255.0))) * unit, 0.0) };
}

static inline __attribute__((always_inline))
float4 pelt_thesis_values(thread const uint& at, texture2d<uint> pelt_baked)
{
    uint param = at;
    return (pelt_thesis_bytes(param, pelt_baked) - float4(128.0)) / float4(127.0);
}

static inline __attribute__((always_inline))
pelt_thesis_matrix pelt_thesis_matrix_at(thread const uint& at, thread const uint& row, thread const pelt_thesis_box& box, texture2d<uint> pelt_baked)
{
    uint param = at;
    float4 x = pelt_thesis_values(param, pelt_baked);
    uint param_1 = at + row;
    float4 y = pelt_thesis_values(param_1, pelt_baked);
    uint param_2 = at + (2u * row);
    float4 z = pelt_thesis_values(param_2, pelt_baked);
    return pelt_thesis_matrix{ transpose(float3x3(float3(x.xyz), float3(y.xyz), float3(z.xyz))), box.center.xyz + (box.bounds.xyz * float3(x.w, y.w, z.w)) };
}

static inline __attribute__((always_inline))
float pelt_power_of_two(thread const uint& exponent)
{
    return as_type<float>(exponent << 23u);
}

static inline __attribute__((always_inline))
float pelt_thesis_stretch(thread const uint& joint, thread const uint& row, texture2d<uint> pelt_baked)
{
    uint param = joint;
    uint param_1 = row;
    uint param_2 = 127u + (pelt_thesis_pivot_bytes(param, param_1, pelt_baked).w & 31u);
    return pelt_power_of_two(param_2);
}

static inline __attribute__((always_inline))
float2 pelt_arc_parts(thread const float& square, thread const float& t)
{
    float series = 0.0006734252092428505420684814453125 + (square * ((-0.00016328846686519682407379150390625) + (square * 7.16249342076480388641357421875e-05)));
    series = 0.08332048356533050537109375 + (square * (0.011208956129848957061767578125 + (square * (0.001511194393970072269439697265625 + (square * series)))));
    float angle_square = square * (1.00000035762786865234375 + (square * series));
    float2 parts = float2(1.0 - t, t);
    float2 x = (parts * parts) * angle_square;
    float2 sine = float2(1.6059044372074282591711380518973e-10) + (x * (float2(-7.6471636098127127034729255683487e-13) + (x * 2.8114573589663703623298118827734e-15)));
    sine = float2(-0.00019841270113829523324966430664062) + (x * (float2(2.7557318844628753140568733215332e-06) + (x * (float2(-2.5052107943679402524139732122421e-08) + (x * sine)))));
    sine = float2(1.0) + (x * (float2(-0.16666667163372039794921875) + (x * (float2(0.008333333767950534820556640625) + (x * sine)))));
    return parts * sine;
}

static inline __attribute__((always_inline))
float3 pelt_mix_column(thread const float3& a, thread const float3& b, thread const float& u)
{
    float3 param = a;
    float3 from = pelt_normalize(param);
    float3 param_1 = b;
    float3 to = pelt_normalize(param_1);
    if (dot(from, to) < 0.0)
    {
        return (a * (1.0 - u)) + (b * u);
    }
    float param_2 = dot(to - from, to - from);
    float param_3 = u;
    float2 parts = pelt_arc_parts(param_2, param_3);
    float size = ((1.0 - u) * length(a)) + (u * length(b));
    float3 param_4 = (from * parts.x) + (to * parts.y);
    return pelt_normalize(param_4) * size;
}

static inline __attribute__((always_inline))
void pelt_mix_linear(thread pelt_local& pose, thread const float3x3& first, thread const float3x3& second, thread const float& u, thread const bool& is_spherical)
{
    float3x3 _6335 = first * (1.0 - u);
    float3x3 _6338 = second * u;
    pose.stretch = float3x3(_6335[0] + _6338[0], _6335[1] + _6338[1], _6335[2] + _6338[2]);
    if (is_spherical)
    {
        float3 param = first[0];
        float3 param_1 = second[0];
        float param_2 = u;
        float3 param_3 = first[1];
        float3 param_4 = second[1];
        float param_5 = u;
        float3 param_6 = first[2];
        float3 param_7 = second[2];
        float param_8 = u;
        pose.stretch = float3x3(float3(pelt_mix_column(param, param_1, param_2)), float3(pelt_mix_column(param_3, param_4, param_5)), float3(pelt_mix_column(param_6, param_7, param_8)));
    }
    pose.is_skewed = short(true);
}

static inline __attribute__((always_inline))
pelt_thesis_box pelt_thesis_dual_box(thread const uint& at, thread const uint& row, thread const float& unit, texture2d<uint> pelt_baked)
{
    uint param = at;
    uint param_1 = at + row;
    return pelt_thesis_box{ (pelt_thesis_bytes(param, pelt_baked) - float4(128.0)) * unit, pelt_thesis_bytes(param_1, pelt_baked) * unit };
}

static inline __attribute__((always_inline))
pelt_dquat pelt_thesis_dual_at(thread const uint& at, thread const uint& row, thread const pelt_thesis_box& box, texture2d<uint> pelt_baked)
{
    uint param = at;
    uint param_1 = at + row;
    return pelt_dquat{ pelt_thesis_values(param, pelt_baked), box.center + (box.bounds * pelt_thesis_values(param_1, pelt_baked)) };
}

static inline __attribute__((always_inline))
pelt_dquat pelt_mix_duals(thread const pelt_dquat& a, thread const pelt_dquat& b, thread const float& u)
{
    float _6497;
    if (dot(a.real, b.real) < 0.0)
    {
        _6497 = -u;
    }
    else
    {
        _6497 = u;
    }
    float other = _6497;
    float4 real = (a.real * (1.0 - u)) + (b.real * other);
    float4 dual = (a.dual * (1.0 - u)) + (b.dual * other);
    float size = length(real);
    return pelt_dquat{ real / float4(size), dual / float4(size) };
}

static inline __attribute__((always_inline))
void pelt_take_thesis(thread pelt_local& pose, thread const uint& joint, thread const pelt_moment& moment, thread const float& unit, thread const bool& is_spherical, texture2d<uint> pelt_baked)
{
    uint row = moment.table;
    uint rows = ((PELT_BAKED_KIND == 1) ? 3u : 2u);
    uint at = (2u + (rows * joint)) * row;
    if (PELT_BAKED_KIND == 1)
    {
        uint param = at;
        uint param_1 = row;
        float param_2 = unit;
        pelt_thesis_box box = pelt_thesis_matrix_box(param, param_1, param_2, pelt_baked);
        uint param_3 = at + moment.key;
        uint param_4 = row;
        pelt_thesis_box param_5 = box;
        pelt_thesis_matrix a = pelt_thesis_matrix_at(param_3, param_4, param_5, pelt_baked);
        uint param_6 = at + moment.next;
        uint param_7 = row;
        pelt_thesis_box param_8 = box;
        pelt_thesis_matrix b = pelt_thesis_matrix_at(param_6, param_7, param_8, pelt_baked);
        uint param_9 = joint;
        uint param_10 = row;
        float stretch = pelt_thesis_stretch(param_9, param_10, pelt_baked);
        pelt_local param_11 = pose;
        float3x3 param_12 = a.linear * stretch;
        float3x3 param_13 = b.linear * stretch;
        float param_14 = moment.u;
        bool param_15 = is_spherical;
        pelt_mix_linear(param_11, param_12, param_13, param_14, param_15);
        pose = param_11;
        pose.position = float4((a.position * (1.0 - moment.u)) + (b.position * moment.u), 0.0);
        return;
    }
    uint param_16 = at;
    uint param_17 = row;
    float param_18 = unit;
    pelt_thesis_box box_1 = pelt_thesis_dual_box(param_16, param_17, param_18, pelt_baked);
    uint param_19 = at + moment.key;
    uint param_20 = row;
    pelt_thesis_box param_21 = box_1;
    pelt_dquat a_1 = pelt_thesis_dual_at(param_19, param_20, param_21, pelt_baked);
    uint param_22 = at + moment.next;
    uint param_23 = row;
    pelt_thesis_box param_24 = box_1;
    pelt_dquat b_1 = pelt_thesis_dual_at(param_22, param_23, param_24, pelt_baked);
    pelt_dquat param_25 = a_1;
    pelt_dquat param_26 = b_1;
    float param_27 = moment.u;
    pelt_dquat between = pelt_mix_duals(param_25, param_26, param_27);
    pose.rotation = between.real;
    pose.position = between.dual;
}

static inline __attribute__((always_inline))
uint pelt_bits(thread pelt_words& words, thread const uint& first, thread const uint& bit, thread const uint& width, texture2d<uint> pelt_baked)
{
    if (width == 0u)
    {
        return 0u;
    }
    uint at = first + (bit >> 5u);
    uint shift = bit & 31u;
    pelt_words param = words;
    uint param_1 = at;
    uint _4269 = pelt_word(param, param_1, pelt_baked);
    words = param;
    uint value = _4269 >> shift;
    if ((shift + width) > 32u)
    {
        pelt_words param_2 = words;
        uint param_3 = at + 1u;
        uint _4285 = pelt_word(param_2, param_3, pelt_baked);
        words = param_2;
        value |= (_4285 << (32u - shift));
    }
    uint _4294;
    if (width < 32u)
    {
        _4294 = value & ((1u << width) - 1u);
    }
    else
    {
        _4294 = value;
    }
    return _4294;
}

static inline __attribute__((always_inline))
float pelt_component_value(thread const uint& component, thread const float& scale, thread const uint& value)
{
    uint width = component & 31u;
    if (width == 0u)
    {
        return as_type<float>(component);
    }
    if (width == 31u)
    {
        return as_type<float>(value);
    }
    float low = as_type<float>(component & 4294934528u);
    uint param = ((component >> 10u) & 31u) + 99u;
    float range = (scale * float(32u + ((component >> 5u) & 31u))) * pelt_power_of_two(param);
    return low + (range * (float(value) / float((1u << width) - 1u)));
}

static inline __attribute__((always_inline))
float2 pelt_take(thread pelt_record& record, thread const pelt_moment& moment, thread const float& scale, texture2d<uint> pelt_baked)
{
    pelt_words param = record.words;
    uint param_1 = record.at;
    uint _5696 = pelt_word(param, param_1, pelt_baked);
    record.words = param;
    uint component = _5696;
    uint width = component & 31u;
    width = (width == 31u) ? 32u : width;
    pelt_words param_2 = record.key;
    uint param_3 = moment.key;
    uint param_4 = record.bit;
    uint param_5 = width;
    uint _5718 = pelt_bits(param_2, param_3, param_4, param_5, pelt_baked);
    record.key = param_2;
    uint first = _5718;
    pelt_words param_6 = record.next;
    uint param_7 = moment.next;
    uint param_8 = record.bit;
    uint param_9 = width;
    uint _5733 = pelt_bits(param_6, param_7, param_8, param_9, pelt_baked);
    record.next = param_6;
    uint second = _5733;
    record.at++;
    record.bit += width;
    uint param_10 = component;
    float param_11 = scale;
    uint param_12 = first;
    uint param_13 = component;
    float param_14 = scale;
    uint param_15 = second;
    return float2(pelt_component_value(param_10, param_11, param_12), pelt_component_value(param_13, param_14, param_15));
}

static inline __attribute__((always_inline))
pelt_key_pair pelt_take_vector(thread pelt_record& record, thread const pelt_moment& moment, thread const float& scale, texture2d<uint> pelt_baked)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = scale;
    float2 _5769 = pelt_take(param, param_1, param_2, pelt_baked);
    record = param;
    float2 x = _5769;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = scale;
    float2 _5778 = pelt_take(param_3, param_4, param_5, pelt_baked);
    record = param_3;
    float2 y = _5778;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = scale;
    float2 _5787 = pelt_take(param_6, param_7, param_8, pelt_baked);
    record = param_6;
    float2 z = _5787;
    return pelt_key_pair{ float3(x.x, y.x, z.x), float3(x.y, y.y, z.y) };
}

static inline __attribute__((always_inline))
float3 pelt_take_between(thread pelt_record& record, thread const pelt_moment& moment, thread const float& scale, texture2d<uint> pelt_baked)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = scale;
    pelt_key_pair _5814 = pelt_take_vector(param, param_1, param_2, pelt_baked);
    record = param;
    pelt_key_pair keys = _5814;
    return (keys.first * (1.0 - moment.u)) + (keys.second * moment.u);
}

static inline __attribute__((always_inline))
void pelt_take_matrix(thread pelt_local& pose, thread pelt_record& record, thread const pelt_moment& moment, thread const float2& units, thread const bool& is_spherical, texture2d<uint> pelt_baked)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = units.y;
    pelt_key_pair _6403 = pelt_take_vector(param, param_1, param_2, pelt_baked);
    record = param;
    pelt_key_pair x = _6403;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = units.y;
    pelt_key_pair _6413 = pelt_take_vector(param_3, param_4, param_5, pelt_baked);
    record = param_3;
    pelt_key_pair y = _6413;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = units.y;
    pelt_key_pair _6423 = pelt_take_vector(param_6, param_7, param_8, pelt_baked);
    record = param_6;
    pelt_key_pair z = _6423;
    pelt_local param_9 = pose;
    float3x3 param_10 = transpose(float3x3(float3(x.first), float3(y.first), float3(z.first)));
    float3x3 param_11 = transpose(float3x3(float3(x.second), float3(y.second), float3(z.second)));
    float param_12 = moment.u;
    bool param_13 = is_spherical;
    pelt_mix_linear(param_9, param_10, param_11, param_12, param_13);
    pose = param_9;
    pelt_record param_14 = record;
    pelt_moment param_15 = moment;
    float param_16 = units.x;
    float3 _6483 = pelt_take_between(param_14, param_15, param_16, pelt_baked);
    record = param_14;
    pose.position = float4(_6483, 0.0);
}

static inline __attribute__((always_inline))
void pelt_take_stretch(thread pelt_local& pose, thread pelt_record& record, thread const pelt_moment& moment, thread const uint& flags, thread const float& unit, texture2d<uint> pelt_baked)
{
    uint stretch = (flags >> 25u) & 3u;
    if (stretch == 1u)
    {
        pelt_record param = record;
        pelt_moment param_1 = moment;
        float param_2 = unit;
        float2 _6019 = pelt_take(param, param_1, param_2, pelt_baked);
        record = param;
        float2 keys = _6019;
        pose.stretch = float3x3(float3(1.0, 0.0, 0.0), float3(0.0, 1.0, 0.0), float3(0.0, 0.0, 1.0)) * (((1.0 - moment.u) * keys.x) + (moment.u * keys.y));
    }
    else
    {
        if (stretch == 2u)
        {
            pelt_record param_3 = record;
            pelt_moment param_4 = moment;
            float param_5 = unit;
            float3 _6047 = pelt_take_between(param_3, param_4, param_5, pelt_baked);
            record = param_3;
            float3 same = _6047;
            pelt_record param_6 = record;
            pelt_moment param_7 = moment;
            float param_8 = unit;
            float3 _6056 = pelt_take_between(param_6, param_7, param_8, pelt_baked);
            record = param_6;
            float3 other = _6056;
            pose.stretch = float3x3(float3(float3(same.x, other.z, other.y)), float3(float3(other.z, same.y, other.x)), float3(float3(other.y, other.x, same.z)));
            pose.is_skewed = short(true);
        }
    }
}

static inline __attribute__((always_inline))
void pelt_take_dual(thread pelt_local& pose, thread pelt_record& record, thread const pelt_moment& moment, thread const uint& flags, thread const float2& units, texture2d<uint> pelt_baked)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = 1.0;
    pelt_key_pair _6547 = pelt_take_vector(param, param_1, param_2, pelt_baked);
    record = param;
    pelt_key_pair real = _6547;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = 1.0;
    float2 _6555 = pelt_take(param_3, param_4, param_5, pelt_baked);
    record = param_3;
    float2 real_w = _6555;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = units.x;
    pelt_key_pair _6565 = pelt_take_vector(param_6, param_7, param_8, pelt_baked);
    record = param_6;
    pelt_key_pair dual = _6565;
    pelt_record param_9 = record;
    pelt_moment param_10 = moment;
    float param_11 = units.x;
    float2 _6575 = pelt_take(param_9, param_10, param_11, pelt_baked);
    record = param_9;
    float2 dual_w = _6575;
    pelt_dquat param_12 = pelt_dquat{ float4(real.first, real_w.x), float4(dual.first, dual_w.x) };
    pelt_dquat param_13 = pelt_dquat{ float4(real.second, real_w.y), float4(dual.second, dual_w.y) };
    float param_14 = moment.u;
    pelt_dquat between = pelt_mix_duals(param_12, param_13, param_14);
    pose.rotation = between.real;
    pose.position = between.dual;
    pelt_local param_15 = pose;
    pelt_record param_16 = record;
    pelt_moment param_17 = moment;
    uint param_18 = flags;
    float param_19 = units.y;
    pelt_take_stretch(param_15, param_16, param_17, param_18, param_19, pelt_baked);
    pose = param_15;
    record = param_16;
}

static inline __attribute__((always_inline))
float4 pelt_quat_from_vector(thread const float3& v)
{
    float square = dot(v, v);
    return float4(v * 2.0, 1.0 - square) / float4(1.0 + square);
}

static inline __attribute__((always_inline))
float4 pelt_take_axes(thread pelt_record& record, thread const bool& has_axes, texture2d<uint> pelt_baked)
{
    if (!has_axes)
    {
        return float4(0.0, 0.0, 0.0, 1.0);
    }
    pelt_words param = record.words;
    uint param_1 = record.at;
    uint _5973 = pelt_word(param, param_1, pelt_baked);
    record.words = param;
    uint word = _5973;
    record.at++;
    float3 steps = float3(float(word & 1023u), float((word >> 10u) & 1023u), float((word >> 20u) & 1023u));
    float3 param_2 = (steps - float3(511.0)) / float3(511.0);
    return pelt_quat_from_vector(param_2);
}

static inline __attribute__((always_inline))
float3 pelt_quat_rotate(thread const float4& q, thread const float3& v)
{
    return v + (cross(q.xyz, cross(q.xyz, v) + (v * q.w)) * 2.0);
}

static inline __attribute__((always_inline))
float4 pelt_quat_slerp(thread const float4& a, thread const float4& b, thread const float& t)
{
    float4 _4460;
    if (dot(a, b) < 0.0)
    {
        _4460 = -b;
    }
    else
    {
        _4460 = b;
    }
    float4 end = _4460;
    float param = dot(end - a, end - a);
    float param_1 = t;
    float2 parts = pelt_arc_parts(param, param_1);
    return fast::normalize((a * parts.x) + (end * parts.y));
}

static inline __attribute__((always_inline))
float pelt_take_step(thread pelt_record& record, thread const pelt_moment& moment, thread const uint& code, thread const float& scale, texture2d<uint> pelt_baked)
{
    uint width = code & 15u;
    if (width == 0u)
    {
        return 0.0;
    }
    pelt_words param = record.key;
    uint param_1 = moment.key;
    uint param_2 = record.bit;
    uint param_3 = width;
    uint _5851 = pelt_bits(param, param_1, param_2, param_3, pelt_baked);
    record.key = param;
    uint value = _5851;
    record.bit += width;
    uint param_4 = ((code >> 5u) & 31u) + 97u;
    float range = (scale * float(2u + ((code >> 4u) & 1u))) * pelt_power_of_two(param_4);
    float middle = float(1u << (width - 1u));
    return range * ((float(value) - middle) / (middle + middle));
}

static inline __attribute__((always_inline))
float3 pelt_take_path(thread pelt_record& record, thread const pelt_moment& moment, thread const float& scale, texture2d<uint> pelt_baked)
{
    pelt_words param = record.words;
    uint param_1 = record.at;
    uint _5899 = pelt_word(param, param_1, pelt_baked);
    record.words = param;
    uint path = _5899;
    record.at++;
    pelt_record param_2 = record;
    pelt_moment param_3 = moment;
    uint param_4 = path & 1023u;
    float param_5 = scale;
    float _5917 = pelt_take_step(param_2, param_3, param_4, param_5, pelt_baked);
    record = param_2;
    float x = _5917;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    uint param_8 = (path >> 10u) & 1023u;
    float param_9 = scale;
    float _5930 = pelt_take_step(param_6, param_7, param_8, param_9, pelt_baked);
    record = param_6;
    float y = _5930;
    pelt_record param_10 = record;
    pelt_moment param_11 = moment;
    uint param_12 = (path >> 20u) & 1023u;
    float param_13 = scale;
    float _5944 = pelt_take_step(param_10, param_11, param_12, param_13, pelt_baked);
    record = param_10;
    float z = _5944;
    return float3(x, y, z) * ((4.0 * moment.u) * (1.0 - moment.u));
}

static inline __attribute__((always_inline))
void pelt_take_pose(thread pelt_local& pose, thread pelt_record& record, thread const pelt_moment& moment, thread const uint& flags, thread const float2& units, texture2d<uint> pelt_baked)
{
    pelt_record param = record;
    bool param_1 = (flags & 4194304u) != 0u;
    float4 _6102 = pelt_take_axes(param, param_1, pelt_baked);
    record = param;
    pose.rotation = _6102;
    pelt_record param_2 = record;
    bool param_3 = (flags & 536870912u) != 0u;
    float4 _6113 = pelt_take_axes(param_2, param_3, pelt_baked);
    record = param_2;
    float4 rotation_axes = _6113;
    pelt_record param_4 = record;
    bool param_5 = (flags & 1073741824u) != 0u;
    float4 _6122 = pelt_take_axes(param_4, param_5, pelt_baked);
    record = param_4;
    float4 axes = _6122;
    if ((flags & 8388608u) != 0u)
    {
        pelt_record param_6 = record;
        pelt_moment param_7 = moment;
        float param_8 = 1.0;
        pelt_key_pair _6136 = pelt_take_vector(param_6, param_7, param_8, pelt_baked);
        record = param_6;
        pelt_key_pair keys = _6136;
        float4 param_9 = rotation_axes;
        float3 param_10 = keys.first;
        float3 param_11 = pelt_quat_rotate(param_9, param_10);
        float4 first = pelt_quat_from_vector(param_11);
        float4 param_12 = rotation_axes;
        float3 param_13 = keys.second;
        float3 param_14 = pelt_quat_rotate(param_12, param_13);
        float4 second = pelt_quat_from_vector(param_14);
        float4 param_15 = first;
        float4 param_16 = second;
        float param_17 = moment.u;
        float4 param_18 = pose.rotation;
        float4 param_19 = pelt_quat_slerp(param_15, param_16, param_17);
        pose.rotation = pelt_quat_mul(param_18, param_19);
    }
    if ((flags & 16777216u) != 0u)
    {
        pelt_record param_20 = record;
        pelt_moment param_21 = moment;
        float param_22 = units.x;
        float3 _6184 = pelt_take_between(param_20, param_21, param_22, pelt_baked);
        record = param_20;
        float3 position = _6184;
        float4 param_23 = axes;
        float3 param_24 = position;
        pose.position = float4(pelt_quat_rotate(param_23, param_24), 0.0);
    }
    pelt_local param_25 = pose;
    pelt_record param_26 = record;
    pelt_moment param_27 = moment;
    uint param_28 = flags;
    float param_29 = units.y;
    pelt_take_stretch(param_25, param_26, param_27, param_28, param_29, pelt_baked);
    pose = param_25;
    record = param_26;
    if ((flags & 134217728u) != 0u)
    {
        pelt_record param_30 = record;
        pelt_moment param_31 = moment;
        float param_32 = 1.0;
        float3 _6222 = pelt_take_path(param_30, param_31, param_32, pelt_baked);
        record = param_30;
        float3 path = _6222;
        float4 param_33 = rotation_axes;
        float3 param_34 = path;
        float4 change = float4(pelt_quat_rotate(param_33, param_34), 1.0);
        float4 param_35 = pose.rotation;
        float4 param_36 = change;
        pose.rotation = fast::normalize(pelt_quat_mul(param_35, param_36));
    }
    if ((flags & 268435456u) != 0u)
    {
        pelt_record param_37 = record;
        pelt_moment param_38 = moment;
        float param_39 = units.x;
        float3 _6255 = pelt_take_path(param_37, param_38, param_39, pelt_baked);
        record = param_37;
        float4 param_40 = axes;
        float3 param_41 = _6255;
        float4 _6262 = pose.position;
        float3 _6264 = _6262.xyz + pelt_quat_rotate(param_40, param_41);
        pose.position.x = _6264.x;
        pose.position.y = _6264.y;
        pose.position.z = _6264.z;
    }
}

static inline __attribute__((always_inline))
pelt_local pelt_local_stored(thread const uint& joint, thread const float3& pivot, thread const pelt_moment& moment, thread const float2& units, thread const bool& is_spherical, texture2d<uint> pelt_baked)
{
    bool is_dual = (PELT_BAKED_KIND == 2);
    pelt_local pose;
    pose.rotation = float4(0.0, 0.0, 0.0, 1.0);
    float3 _6778;
    if (is_dual)
    {
        _6778 = pivot * 0.5;
    }
    else
    {
        _6778 = pivot;
    }
    pose.position = float4(_6778, 0.0);
    pose.stretch = float3x3(float3(1.0, 0.0, 0.0), float3(0.0, 1.0, 0.0), float3(0.0, 0.0, 1.0));
    pose.is_skewed = short(false);
    if (PELT_BAKED_LAYOUT == 1)
    {
        pelt_local param = pose;
        uint param_1 = joint;
        pelt_moment param_2 = moment;
        float param_3 = units.x;
        bool param_4 = is_spherical;
        pelt_take_thesis(param, param_1, param_2, param_3, param_4, pelt_baked);
        pose = param;
        return pose;
    }
    pelt_record record;
    record.words = pelt_words_make();
    record.key = pelt_words_make();
    record.next = pelt_words_make();
    pelt_words param_5 = record.words;
    uint param_6 = moment.table + (joint >> 1u);
    uint _6828 = pelt_word(param_5, param_6, pelt_baked);
    record.words = param_5;
    uint pair = _6828;
    uint _6835;
    if ((joint & 1u) == 0u)
    {
        _6835 = pair & 65535u;
    }
    else
    {
        _6835 = pair >> 16u;
    }
    uint offset = _6835;
    if (offset == 0u)
    {
        return pose;
    }
    record.at = moment.table + offset;
    pelt_words param_7 = record.words;
    uint param_8 = record.at;
    uint _6862 = pelt_word(param_7, param_8, pelt_baked);
    record.words = param_7;
    uint flags = _6862;
    record.at++;
    record.bit = flags & 1048575u;
    if (PELT_BAKED_KIND == 1)
    {
        pelt_local param_9 = pose;
        pelt_record param_10 = record;
        pelt_moment param_11 = moment;
        float2 param_12 = units;
        bool param_13 = is_spherical;
        pelt_take_matrix(param_9, param_10, param_11, param_12, param_13, pelt_baked);
        pose = param_9;
        record = param_10;
    }
    else
    {
        if (PELT_BAKED_KIND == 2)
        {
            pelt_local param_14 = pose;
            pelt_record param_15 = record;
            pelt_moment param_16 = moment;
            uint param_17 = flags;
            float2 param_18 = units;
            pelt_take_dual(param_14, param_15, param_16, param_17, param_18, pelt_baked);
            pose = param_14;
            record = param_15;
        }
        else
        {
            pelt_local param_19 = pose;
            pelt_record param_20 = record;
            pelt_moment param_21 = moment;
            uint param_22 = flags;
            float2 param_23 = units;
            pelt_take_pose(param_19, param_20, param_21, param_22, param_23, pelt_baked);
            pose = param_19;
            record = param_20;
        }
    }
    return pose;
}

static inline __attribute__((always_inline))
pelt_local pelt_local_fade(thread const pelt_local& a, thread const pelt_local& b, thread const float& factor)
{
    float3x3 _6928 = a.stretch * (1.0 - factor);
    float3x3 _6932 = b.stretch * factor;
    float3x3 stretch = float3x3(_6928[0] + _6932[0], _6928[1] + _6932[1], _6928[2] + _6932[2]);
    bool is_skewed = bool(a.is_skewed) || bool(b.is_skewed);
    if (PELT_BAKED_KIND == 2)
    {
        pelt_dquat param = pelt_dquat{ a.rotation, a.position };
        pelt_dquat param_1 = pelt_dquat{ b.rotation, b.position };
        float param_2 = factor;
        pelt_dquat between = pelt_mix_duals(param, param_1, param_2);
        return pelt_local{ between.real, between.dual, stretch, is_skewed };
    }
    float4 param_3 = a.rotation;
    float4 param_4 = b.rotation;
    float param_5 = factor;
    return pelt_local{ pelt_quat_slerp(param_3, param_4, param_5), (a.position * (1.0 - factor)) + (b.position * factor), stretch, is_skewed };
}

static inline __attribute__((always_inline))
pelt_local pelt_local_add(thread const pelt_local& pose, thread const pelt_local& first, thread const pelt_local& now, thread const float& weight)
{
    float4 param = first.rotation;
    float4 param_1 = pelt_quat_conjugate(param);
    float4 param_2 = now.rotation;
    float4 change = pelt_quat_mul(param_1, param_2);
    float4 param_3 = float4(0.0, 0.0, 0.0, 1.0);
    float4 param_4 = change;
    float param_5 = weight;
    change = pelt_quat_slerp(param_3, param_4, param_5);
    float4 param_6 = pose.rotation;
    float4 param_7 = change;
    float3x3 _7049 = float3x3(now.stretch[0] - first.stretch[0], now.stretch[1] - first.stretch[1], now.stretch[2] - first.stretch[2]) * weight;
    return pelt_local{ pelt_quat_mul(param_6, param_7), pose.position + ((now.position - first.position) * weight), float3x3(pose.stretch[0] + _7049[0], pose.stretch[1] + _7049[1], pose.stretch[2] + _7049[2]), (bool(pose.is_skewed) || bool(first.is_skewed)) || bool(now.is_skewed) };
}

static inline __attribute__((always_inline))
pelt_local pelt_local_at(thread const uint& joint, thread const float3& pivot, thread const pelt_playing& playing, texture2d<uint> pelt_baked)
{
    bool is_added = (playing.weight != 0.0) && (PELT_BAKED_KIND == 0);
    pelt_local pose;
    pelt_local first;
    for (int i = 0; i < (is_added ? 4 : 2); i++)
    {
        bool _7088 = i == 1;
        bool _7094;
        if (_7088)
        {
            _7094 = playing.fade == 0.0;
        }
        else
        {
            _7094 = _7088;
        }
        if (_7094)
        {
            continue;
        }
        uint param = joint;
        float3 param_1 = pivot;
        pelt_moment param_2 = playing.moments[i];
        float2 param_3 = playing.units;
        bool param_4 = bool(playing.is_spherical);
        pelt_local stored = pelt_local_stored(param, param_1, param_2, param_3, param_4, pelt_baked);
        if (i == 0)
        {
            pose = stored;
            first = stored;
        }
        else
        {
            if (i == 1)
            {
                pelt_local param_5 = pose;
                pelt_local param_6 = stored;
                float param_7 = playing.fade;
                pose = pelt_local_fade(param_5, param_6, param_7);
            }
            else
            {
                if (i == 2)
                {
                    first = stored;
                }
                else
                {
                    pelt_local param_8 = pose;
                    pelt_local param_9 = first;
                    pelt_local param_10 = stored;
                    float param_11 = playing.weight;
                    pose = pelt_local_add(param_8, param_9, param_10, param_11);
                }
            }
        }
    }
    return pose;
}

static inline __attribute__((always_inline))
bool pelt_is_positive(thread const float3x3& a)
{
    bool _7159 = a[0].x > 0.0;
    bool _7173;
    if (_7159)
    {
        _7173 = (a[0].x * a[1].y) > (a[0].y * a[0].y);
    }
    else
    {
        _7173 = _7159;
    }
    bool _7185;
    if (_7173)
    {
        _7185 = dot(a[0], cross(a[1], a[2])) > 0.0;
    }
    else
    {
        _7185 = _7173;
    }
    return _7185;
}

static inline __attribute__((always_inline))
float pelt_norm(thread const float3x3& a)
{
    return sqrt((dot(a[0], a[0]) + dot(a[1], a[1])) + dot(a[2], a[2]));
}

static inline __attribute__((always_inline))
float4 pelt_quat_from_mat3(thread const float3x3& columns)
{
    float3 x = columns[0];
    float3 y = columns[1];
    float3 z = columns[2];
    float trace = (x.x + y.y) + z.z;
    bool _4548 = trace > x.x;
    bool _4555;
    if (_4548)
    {
        _4555 = trace > y.y;
    }
    else
    {
        _4555 = _4548;
    }
    bool _4562;
    if (_4555)
    {
        _4562 = trace > z.z;
    }
    else
    {
        _4562 = _4555;
    }
    float4 q;
    if (_4562)
    {
        q = float4(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace);
    }
    else
    {
        bool _4589 = x.x >= y.y;
        bool _4597;
        if (_4589)
        {
            _4597 = x.x >= z.z;
        }
        else
        {
            _4597 = _4589;
        }
        if (_4597)
        {
            q = float4(((1.0 + x.x) - y.y) - z.z, y.x + x.y, z.x + x.z, y.z - z.y);
        }
        else
        {
            if (y.y >= z.z)
            {
                q = float4(y.x + x.y, ((1.0 - x.x) + y.y) - z.z, z.y + y.z, z.x - x.z);
            }
            else
            {
                q = float4(z.x + x.z, z.y + y.z, ((1.0 - x.x) - y.y) + z.z, x.y - y.x);
            }
        }
    }
    return fast::normalize(q);
}

static inline __attribute__((always_inline))
float4 pelt_polar_rotation(thread const float3x3& linear)
{
    float3 size = fast::max(abs(linear[0]), fast::max(abs(linear[1]), abs(linear[2])));
    float largest = fast::max(size.x, fast::max(size.y, size.z));
    if (!(largest > 0.0))
    {
        return float4(0.0, 0.0, 0.0, 1.0);
    }
    float3x3 a = linear * (1.0 / largest);
    float _4808;
    for (int i = 0; i < 8; i++)
    {
        float3x3 cofactor = float3x3(float3(cross(a[1], a[2])), float3(cross(a[2], a[0])), float3(cross(a[0], a[1])));
        float3x3 param = a;
        float norm = pelt_norm(param);
        float3x3 param_1 = cofactor;
        float cofactor_norm = pelt_norm(param_1);
        bool _4789 = i == 0;
        bool _4803;
        if (_4789)
        {
            _4803 = dot(a[0], cofactor[0]) < (((-9.9999997473787516355514526367188e-06) * norm) * cofactor_norm);
        }
        else
        {
            _4803 = _4789;
        }
        bool is_mirror = _4803;
        if (cofactor_norm > 1.0000000031710768509710513471353e-30)
        {
            _4808 = 1.0 / cofactor_norm;
        }
        else
        {
            _4808 = 0.0;
        }
        float other = _4808;
        float3x3 _4820 = a * ((is_mirror ? (-1.0) : 1.0) / norm);
        float3x3 _4823 = cofactor * other;
        a = float3x3(_4820[0] + _4823[0], _4820[1] + _4823[1], _4820[2] + _4823[2]);
    }
    float3x3 param_2 = a;
    float3x3 param_3 = a * (1.73205077648162841796875 / pelt_norm(param_2));
    return pelt_quat_from_mat3(param_3);
}

static inline __attribute__((always_inline))
pelt_joint pelt_joint_at(thread const uint& joint, thread const pelt_playing& playing, texture2d<uint> pelt_baked)
{
    float3x3 linear = float3x3(float3(1.0, 0.0, 0.0), float3(0.0, 1.0, 0.0), float3(0.0, 0.0, 1.0));
    float3 translation = float3(0.0);
    float4 rotation = float4(0.0, 0.0, 0.0, 1.0);
    bool is_skewed = false;
    pelt_words words = pelt_words_make();
    uint link = joint;
    float3 param;
    uint i = 0u;
    for (;;)
    {
        bool _7256 = i < playing.joint_count;
        bool _7263;
        if (_7256)
        {
            _7263 = link < playing.joint_count;
        }
        else
        {
            _7263 = _7256;
        }
        if (_7263)
        {
            pelt_words param_1 = words;
            uint param_2 = link;
            pelt_playing param_3 = playing;
            uint _7273 = pelt_parent(param, param_1, param_2, param_3, pelt_baked);
            float3 pivot = param;
            words = param_1;
            uint parent = _7273;
            uint param_4 = link;
            float3 param_5 = pivot;
            pelt_playing param_6 = playing;
            pelt_local pose = pelt_local_at(param_4, param_5, param_6, pelt_baked);
            float4 param_7 = pose.rotation;
            float3x3 map = pelt_mat3_from_quat(param_7) * pose.stretch;
            float3 position = pose.position.xyz;
            if (PELT_BAKED_KIND == 2)
            {
                pelt_dquat param_8 = pelt_dquat{ pose.rotation, pose.position };
                position = pelt_dquat_translation(param_8);
            }
            linear = map * linear;
            translation = (map * (translation - pivot)) + position;
            float4 param_9 = pose.rotation;
            float4 param_10 = rotation;
            rotation = pelt_quat_mul(param_9, param_10);
            bool is_first = (i == 0u) && (PELT_BAKED_KIND != 1);
            bool _7345;
            if (!is_skewed)
            {
                bool _7344;
                if (bool(pose.is_skewed))
                {
                    bool _7342;
                    if (is_first)
                    {
                        float3x3 param_11 = pose.stretch;
                        _7342 = pelt_is_positive(param_11);
                    }
                    else
                    {
                        _7342 = is_first;
                    }
                    _7344 = !_7342;
                }
                else
                {
                    _7344 = bool(pose.is_skewed);
                }
                _7345 = _7344;
            }
            else
            {
                _7345 = is_skewed;
            }
            is_skewed = _7345;
            link = parent;
            i++;
            continue;
        }
        else
        {
            break;
        }
    }
    if (is_skewed)
    {
        float3x3 param_12 = linear;
        rotation = pelt_polar_rotation(param_12);
    }
    float3x3 rows = transpose(linear);
    return pelt_joint{ float4(rows[0], translation.x), float4(rows[1], translation.y), float4(rows[2], translation.z), rotation };
}

static inline __attribute__((always_inline))
pelt_vertex pelt_thesis_vertex(thread const pelt_rest& rest, thread const uint& vertex0, thread const pelt_moment& moment, thread const float& unit, texture2d<uint> pelt_baked)
{
    uint row = moment.table;
    uint box = 2u * row;
    uint at = box + (vertex0 * row);
    pelt_words words = pelt_words_make();
    pelt_words param = words;
    uint param_1 = box;
    uint _7488 = pelt_word(param, param_1, pelt_baked);
    words = param;
    uint head = _7488;
    float3 center;
    float3 bounds;
    for (int i = 0; i < 3; i++)
    {
        pelt_words param_2 = words;
        uint param_3 = box + ((1u + uint(i)) * row);
        float _7511 = pelt_word_float(param_2, param_3, pelt_baked);
        words = param_2;
        center[i] = unit * _7511;
        pelt_words param_4 = words;
        uint param_5 = box + ((4u + uint(i)) * row);
        float _7528 = pelt_word_float(param_4, param_5, pelt_baked);
        words = param_4;
        bounds[i] = unit * _7528;
    }
    uint param_6 = at + moment.key;
    float3 first = pelt_thesis_values(param_6, pelt_baked).xyz;
    uint param_7 = at + moment.next;
    float3 second = pelt_thesis_values(param_7, pelt_baked).xyz;
    float3 offset = center + (bounds * ((first * (1.0 - moment.u)) + (second * moment.u)));
    float3 normal = rest.normal;
    if ((head & 2147483648u) != 0u)
    {
        at += ((head & 2147483647u) * row);
        uint param_8 = at + moment.key;
        first = pelt_thesis_values(param_8, pelt_baked).xyz;
        uint param_9 = at + moment.next;
        second = pelt_thesis_values(param_9, pelt_baked).xyz;
        normal = fast::normalize((first * (1.0 - moment.u)) + (second * moment.u));
    }
    return pelt_vertex{ rest.position + offset, normal, rest.tangent };
}

static inline __attribute__((always_inline))
float3 pelt_octahedron(thread const float2& e)
{
    float z = (1.0 - abs(e.x)) - abs(e.y);
    float2 signs = float2((e.x < 0.0) ? (-1.0) : 1.0, (e.y < 0.0) ? (-1.0) : 1.0);
    float2 _7408;
    if (z < 0.0)
    {
        _7408 = (float2(1.0) - abs(e.yx)) * signs;
    }
    else
    {
        _7408 = e;
    }
    float2 folded = _7408;
    return fast::normalize(float3(folded, z));
}

static inline __attribute__((always_inline))
float3 pelt_stored_normal(thread pelt_words& words, thread const uint& key, thread const uint& bit, thread const uint& width, texture2d<uint> pelt_baked)
{
    pelt_words param = words;
    uint param_1 = key;
    uint param_2 = bit;
    uint param_3 = width;
    uint _7438 = pelt_bits(param, param_1, param_2, param_3, pelt_baked);
    words = param;
    pelt_words param_4 = words;
    uint param_5 = key;
    uint param_6 = bit + width;
    uint param_7 = width;
    uint _7451 = pelt_bits(param_4, param_5, param_6, param_7, pelt_baked);
    words = param_4;
    float2 steps = float2(float(_7438), float(_7451));
    float2 param_8 = ((steps * 2.0) / float2(float((1u << width) - 1u))) - float2(1.0);
    return pelt_octahedron(param_8);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_vertex_stored(thread const pelt_rest& rest, thread const uint& vertex0, thread const pelt_moment& moment, thread const float& unit, texture2d<uint> pelt_baked)
{
    if (PELT_BAKED_LAYOUT == 1)
    {
        pelt_rest param = rest;
        uint param_1 = vertex0;
        pelt_moment param_2 = moment;
        float param_3 = unit;
        return pelt_thesis_vertex(param, param_1, param_2, param_3, pelt_baked);
    }
    pelt_words words = pelt_words_make();
    pelt_words key = pelt_words_make();
    pelt_words next = pelt_words_make();
    pelt_words param_4 = words;
    uint param_5 = moment.table;
    uint _7640 = pelt_word(param_4, param_5, pelt_baked);
    words = param_4;
    uint header = _7640;
    uint width = header & 255u;
    uint normal_width = (header >> 8u) & 255u;
    bool is_shared = (header & 65536u) != 0u;
    uint _7659;
    if (is_shared)
    {
        _7659 = 0u;
    }
    else
    {
        _7659 = 3u * vertex0;
    }
    uint component = (moment.table + 1u) + _7659;
    uint bit = vertex0 * ((3u * width) + (2u * normal_width));
    float3 position = rest.position;
    for (int i = 0; i < 3; i++)
    {
        pelt_words param_6 = words;
        uint param_7 = component + uint(i);
        uint _7694 = pelt_word(param_6, param_7, pelt_baked);
        words = param_6;
        uint word = _7694;
        pelt_words param_8 = key;
        uint param_9 = moment.key;
        uint param_10 = bit;
        uint param_11 = width;
        uint _7706 = pelt_bits(param_8, param_9, param_10, param_11, pelt_baked);
        key = param_8;
        uint param_12 = word;
        float param_13 = unit;
        uint param_14 = _7706;
        float first = pelt_component_value(param_12, param_13, param_14);
        pelt_words param_15 = next;
        uint param_16 = moment.next;
        uint param_17 = bit;
        uint param_18 = width;
        uint _7724 = pelt_bits(param_15, param_16, param_17, param_18, pelt_baked);
        next = param_15;
        uint param_19 = word;
        float param_20 = unit;
        uint param_21 = _7724;
        float second = pelt_component_value(param_19, param_20, param_21);
        position[i] += (((1.0 - moment.u) * first) + (moment.u * second));
        bit += width;
    }
    float3 normal = rest.normal;
    if (normal_width > 0u)
    {
        pelt_words param_22 = key;
        uint param_23 = moment.key;
        uint param_24 = bit;
        uint param_25 = normal_width;
        float3 _7769 = pelt_stored_normal(param_22, param_23, param_24, param_25, pelt_baked);
        key = param_22;
        float3 first_1 = _7769;
        pelt_words param_26 = next;
        uint param_27 = moment.next;
        uint param_28 = bit;
        uint param_29 = normal_width;
        float3 _7781 = pelt_stored_normal(param_26, param_27, param_28, param_29, pelt_baked);
        next = param_26;
        float3 second_1 = _7781;
        normal = fast::normalize((first_1 * (1.0 - moment.u)) + (second_1 * moment.u));
    }
    return pelt_vertex{ position, normal, rest.tangent };
}

static inline __attribute__((always_inline))
pelt_vertex pelt_baked_vertex(thread const pelt_rest& rest, thread const uint& vertex0, thread const pelt_playing& playing, texture2d<uint> pelt_baked)
{
    pelt_rest param = rest;
    pelt_vertex result = pelt_vertex_at_rest(param);
    float _7834;
    float3 _7854;
    for (int i = 0; i < ((playing.fade != 0.0) ? 2 : 1); i++)
    {
        pelt_rest param_1 = rest;
        uint param_2 = vertex0;
        pelt_moment param_3 = playing.moments[i];
        float param_4 = playing.units.x;
        pelt_vertex stored = pelt_vertex_stored(param_1, param_2, param_3, param_4, pelt_baked);
        if (i == 0)
        {
            _7834 = 1.0;
        }
        else
        {
            _7834 = playing.fade;
        }
        float factor = _7834;
        result.position = (result.position * (1.0 - factor)) + (stored.position * factor);
        if (i == 0)
        {
            _7854 = stored.normal;
        }
        else
        {
            _7854 = fast::normalize((result.normal * (1.0 - factor)) + (stored.normal * factor));
        }
        result.normal = _7854;
    }
    return result;
}
