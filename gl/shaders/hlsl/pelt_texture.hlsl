// SPDX-License-Identifier: MIT
// Animation textures of pelt, translated from its GLSL by tools/shaders.
// Goes after pelt_skin, and wants pelt_baked_texel() as well.

// Animation textures: words in a texel, 4, 2 or 1; its width, 0 to ask the texture; and the form in
// which motions are stored.
#ifndef PELT_BAKED_TEXEL_WORDS
#define PELT_BAKED_TEXEL_WORDS 4
#endif
#ifndef PELT_BAKED_WIDTH
#define PELT_BAKED_WIDTH 0
#endif
#define PELT_BAKED_POSE 0   // rotation, position and stretch: qt, local
#define PELT_BAKED_MATRIX 1 // matrix
#define PELT_BAKED_DUAL 2   // dq
#ifndef PELT_BAKED_KIND
#define PELT_BAKED_KIND PELT_BAKED_POSE
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
    pelt_moment moments[4];
    float fade;
    float weight;
    uint joints;
    uint joint_count;
    float unit;
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
    bool is_skewed;
};

struct pelt_joint
{
    float4 x;
    float4 y;
    float4 z;
    float4 rotation;
};

pelt_words pelt_words_make()
{
    pelt_words words;
    words.texel = 4294967295u;
    words.channels = uint4(0u, 0u, 0u, 0u);
    return words;
}

uint pelt_word(inout pelt_words words, uint at)
{
    uint texel = at / (uint(PELT_BAKED_TEXEL_WORDS) + 0u);
    if (texel != words.texel)
    {
        words.texel = texel;
        uint param = texel;
        words.channels = pelt_baked_texel(param);
    }
    uint4 channels = words.channels;
    if (PELT_BAKED_TEXEL_WORDS == 4)
    {
        uint2 _3967;
        if ((at & 2u) == 0u)
        {
            _3967 = channels.xy;
        }
        else
        {
            _3967 = channels.zw;
        }
        uint2 pair = _3967;
        uint _3979;
        if ((at & 1u) == 0u)
        {
            _3979 = pair.x;
        }
        else
        {
            _3979 = pair.y;
        }
        return _3979;
    }
    if (PELT_BAKED_TEXEL_WORDS == 2)
    {
        uint2 _3996;
        if ((at & 1u) == 0u)
        {
            _3996 = channels.xy;
        }
        else
        {
            _3996 = channels.zw;
        }
        uint2 halves = _3996;
        return halves.x | (halves.y << 16u);
    }
    return ((channels.x | (channels.y << 8u)) | (channels.z << 16u)) | (channels.w << 24u);
}

float pelt_word_float(inout pelt_words words, uint at)
{
    pelt_words param = words;
    uint param_1 = at;
    uint _4034 = pelt_word(param, param_1);
    words = param;
    return asfloat(_4034);
}

pelt_moment pelt_moment_at(inout pelt_words words, uint clip, float time, bool repeats)
{
    pelt_words param = words;
    uint param_1 = clip;
    uint _4635 = pelt_word(param, param_1);
    words = param;
    uint run = _4635;
    pelt_words param_2 = words;
    uint param_3 = clip + 1u;
    uint _4644 = pelt_word(param_2, param_3);
    words = param_2;
    uint last_run = run + (8u * (_4644 - 1u));
    pelt_words param_4 = words;
    uint param_5 = clip + 2u;
    float _4655 = pelt_word_float(param_4, param_5);
    words = param_4;
    float duration = _4655;
    pelt_words param_6 = words;
    uint param_7 = clip + 3u;
    uint _4663 = pelt_word(param_6, param_7);
    words = param_6;
    bool wraps = (_4663 & 1u) != 0u;
    float t = clamp(time, 0.0f, duration);
    if (repeats)
    {
        float _4676;
        if (duration > 0.0f)
        {
            _4676 = time - (floor(time / duration) * duration);
        }
        else
        {
            _4676 = 0.0f;
        }
        t = _4676;
        float _4692;
        if (t >= duration)
        {
            _4692 = t - duration;
        }
        else
        {
            _4692 = t;
        }
        t = _4692;
    }
    for (;;)
    {
        bool _4708 = run < last_run;
        bool _4720;
        if (_4708)
        {
            pelt_words param_8 = words;
            uint param_9 = run + 8u;
            float _4716 = pelt_word_float(param_8, param_9);
            words = param_8;
            _4720 = _4716 <= t;
        }
        else
        {
            _4720 = _4708;
        }
        if (_4720)
        {
            run += 8u;
            continue;
        }
        else
        {
            break;
        }
    }
    pelt_words param_10 = words;
    uint param_11 = run;
    float _4728 = pelt_word_float(param_10, param_11);
    words = param_10;
    float start = _4728;
    pelt_words param_12 = words;
    uint param_13 = run + 1u;
    float _4736 = pelt_word_float(param_12, param_13);
    words = param_12;
    float rate = _4736;
    pelt_words param_14 = words;
    uint param_15 = run + 2u;
    uint _4744 = pelt_word(param_14, param_15);
    words = param_14;
    uint count = _4744;
    pelt_words param_16 = words;
    uint param_17 = run + 3u;
    uint _4752 = pelt_word(param_16, param_17);
    words = param_16;
    uint first = _4752;
    pelt_words param_18 = words;
    uint param_19 = run + 4u;
    uint _4760 = pelt_word(param_18, param_19);
    words = param_18;
    uint stride = _4760;
    pelt_words param_20 = words;
    uint param_21 = run + 5u;
    uint _4768 = pelt_word(param_20, param_21);
    words = param_20;
    uint table = _4768;
    pelt_words param_22 = words;
    uint param_23 = run + 6u;
    uint _4777 = pelt_word(param_22, param_23);
    words = param_22;
    bool is_held = (_4777 & 1u) != 0u;
    uint _4788;
    if (wraps)
    {
        _4788 = count;
    }
    else
    {
        _4788 = count - 1u;
    }
    float x = clamp((t - start) * rate, 0.0f, float(_4788));
    uint key = min(uint(x), (count - 1u));
    uint _4809;
    if ((key + 1u) < count)
    {
        _4809 = key + 1u;
    }
    else
    {
        _4809 = wraps ? 0u : key;
    }
    uint next = _4809;
    float _4831;
    if (is_held)
    {
        _4831 = 0.0f;
    }
    else
    {
        _4831 = x - float(key);
    }
    pelt_moment _4840 = { table, first + (key * stride), first + (next * stride), _4831 };
    return _4840;
}

pelt_moment pelt_clip_at(inout pelt_words words, uint clips, uint clip, float time)
{
    pelt_words param = words;
    uint param_1 = clips + (4u * (clip & 32767u));
    float param_2 = time;
    bool param_3 = (clip & 32768u) != 0u;
    pelt_moment _4859 = pelt_moment_at(param, param_1, param_2, param_3);
    words = param;
    return _4859;
}

pelt_playing pelt_play(uint4 playback, float4 times)
{
    pelt_words words = pelt_words_make();
    pelt_words param = words;
    uint param_1 = 3u;
    uint _4869 = pelt_word(param, param_1);
    words = param;
    pelt_playing playing;
    playing.joint_count = _4869;
    pelt_words param_2 = words;
    uint param_3 = 4u;
    uint _4875 = pelt_word(param_2, param_3);
    words = param_2;
    playing.joints = _4875;
    pelt_words param_4 = words;
    uint param_5 = 6u;
    uint _4882 = pelt_word(param_4, param_5);
    words = param_4;
    uint clips = _4882;
    pelt_words param_6 = words;
    uint param_7 = 7u;
    float _4888 = pelt_word_float(param_6, param_7);
    words = param_6;
    playing.unit = _4888;
    playing.fade = asfloat(playback.z);
    playing.weight = asfloat(playback.w);
    pelt_words param_8 = words;
    uint param_9 = clips;
    uint param_10 = playback.x & 65535u;
    float param_11 = times.x;
    pelt_moment _4911 = pelt_clip_at(param_8, param_9, param_10, param_11);
    words = param_8;
    playing.moments[0] = _4911;
    playing.moments[1] = playing.moments[0];
    playing.moments[2] = playing.moments[0];
    playing.moments[3] = playing.moments[0];
    if (playing.fade != 0.0f)
    {
        pelt_words param_12 = words;
        uint param_13 = clips;
        uint param_14 = playback.x >> 16u;
        float param_15 = times.y;
        pelt_moment _4939 = pelt_clip_at(param_12, param_13, param_14, param_15);
        words = param_12;
        playing.moments[1] = _4939;
    }
    if (playing.weight != 0.0f)
    {
        pelt_words param_16 = words;
        uint param_17 = clips + (4u * (playback.y & 32767u));
        uint _4957 = pelt_word(param_16, param_17);
        words = param_16;
        uint run = _4957;
        pelt_words param_18 = words;
        uint param_19 = run + 3u;
        uint _4965 = pelt_word(param_18, param_19);
        words = param_18;
        uint first = _4965;
        pelt_words param_20 = words;
        uint param_21 = run + 5u;
        uint _4973 = pelt_word(param_20, param_21);
        words = param_20;
        uint table = _4973;
        pelt_moment _4978 = { table, first, first, 0.0f };
        playing.moments[2] = _4978;
        pelt_words param_22 = words;
        uint param_23 = clips;
        uint param_24 = playback.y & 65535u;
        float param_25 = times.z;
        pelt_moment _4991 = pelt_clip_at(param_22, param_23, param_24, param_25);
        words = param_22;
        playing.moments[3] = _4991;
    }
    return playing;
}

uint pelt_bits(inout pelt_words words, uint first, uint bit, uint width)
{
    if (width == 0u)
    {
        return 0u;
    }
    uint at = first + (bit >> 5u);
    uint shift = bit & 31u;
    pelt_words param = words;
    uint param_1 = at;
    uint _4058 = pelt_word(param, param_1);
    words = param;
    uint value = _4058 >> shift;
    if ((shift + width) > 32u)
    {
        pelt_words param_2 = words;
        uint param_3 = at + 1u;
        uint _4074 = pelt_word(param_2, param_3);
        words = param_2;
        value |= (_4074 << (32u - shift));
    }
    uint _4083;
    if (width < 32u)
    {
        _4083 = value & ((1u << width) - 1u);
    }
    else
    {
        _4083 = value;
    }
    return _4083;
}

float pelt_power_of_two(uint exponent)
{
    return asfloat(exponent << 23u);
}

float pelt_component_value(uint component, float scale, uint value)
{
    uint width = component & 31u;
    if (width == 0u)
    {
        return asfloat(component);
    }
    if (width == 31u)
    {
        return asfloat(value);
    }
    float low = asfloat(component & 4294934528u);
    uint param = ((component >> 10u) & 31u) + 99u;
    float range = (scale * float(32u + ((component >> 5u) & 31u))) * pelt_power_of_two(param);
    return low + (range * (float(value) / float((1u << width) - 1u)));
}

float2 pelt_take(inout pelt_record record, pelt_moment moment, float scale)
{
    pelt_words param = record.words;
    uint param_1 = record.at;
    uint _5004 = pelt_word(param, param_1);
    record.words = param;
    uint component = _5004;
    uint width = component & 31u;
    width = (width == 31u) ? 32u : width;
    pelt_words param_2 = record.key;
    uint param_3 = moment.key;
    uint param_4 = record.bit;
    uint param_5 = width;
    uint _5026 = pelt_bits(param_2, param_3, param_4, param_5);
    record.key = param_2;
    uint first = _5026;
    pelt_words param_6 = record.next;
    uint param_7 = moment.next;
    uint param_8 = record.bit;
    uint param_9 = width;
    uint _5041 = pelt_bits(param_6, param_7, param_8, param_9);
    record.next = param_6;
    uint second = _5041;
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

pelt_key_pair pelt_take_vector(inout pelt_record record, pelt_moment moment, float scale)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = scale;
    float2 _5077 = pelt_take(param, param_1, param_2);
    record = param;
    float2 x = _5077;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = scale;
    float2 _5086 = pelt_take(param_3, param_4, param_5);
    record = param_3;
    float2 y = _5086;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = scale;
    float2 _5095 = pelt_take(param_6, param_7, param_8);
    record = param_6;
    float2 z = _5095;
    pelt_key_pair _5111 = { float3(x.x, y.x, z.x), float3(x.y, y.y, z.y) };
    return _5111;
}

float3 pelt_take_between(inout pelt_record record, pelt_moment moment, float scale)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = scale;
    pelt_key_pair _5122 = pelt_take_vector(param, param_1, param_2);
    record = param;
    pelt_key_pair keys = _5122;
    return (keys.first * (1.0f - moment.u)) + (keys.second * moment.u);
}

void pelt_take_matrix(inout pelt_local pose, inout pelt_record record, pelt_moment moment, float unit)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = 1.0f;
    float3 _5567 = pelt_take_between(param, param_1, param_2);
    record = param;
    float3 x = _5567;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = 1.0f;
    float3 _5575 = pelt_take_between(param_3, param_4, param_5);
    record = param_3;
    float3 y = _5575;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = 1.0f;
    float3 _5583 = pelt_take_between(param_6, param_7, param_8);
    record = param_6;
    float3 z = _5583;
    pose.stretch = transpose(float3x3(float3(x), float3(y), float3(z)));
    pelt_record param_9 = record;
    pelt_moment param_10 = moment;
    float param_11 = unit;
    float3 _5609 = pelt_take_between(param_9, param_10, param_11);
    record = param_9;
    pose.position = float4(_5609, 0.0f);
    pose.is_skewed = true;
}

pelt_dquat pelt_mix_duals(pelt_dquat a, pelt_dquat b, float u)
{
    float _5624;
    if (dot(a.real, b.real) < 0.0f)
    {
        _5624 = -u;
    }
    else
    {
        _5624 = u;
    }
    float other = _5624;
    float4 real = (a.real * (1.0f - u)) + (b.real * other);
    float4 dual = (a.dual * (1.0f - u)) + (b.dual * other);
    float size = length(real);
    pelt_dquat _5665 = { real / size.xxxx, dual / size.xxxx };
    return _5665;
}

void pelt_take_dual(inout pelt_local pose, inout pelt_record record, pelt_moment moment, float unit)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = 1.0f;
    pelt_key_pair _5674 = pelt_take_vector(param, param_1, param_2);
    record = param;
    pelt_key_pair real = _5674;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = 1.0f;
    float2 _5682 = pelt_take(param_3, param_4, param_5);
    record = param_3;
    float2 real_w = _5682;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = unit;
    pelt_key_pair _5691 = pelt_take_vector(param_6, param_7, param_8);
    record = param_6;
    pelt_key_pair dual = _5691;
    pelt_record param_9 = record;
    pelt_moment param_10 = moment;
    float param_11 = unit;
    float2 _5700 = pelt_take(param_9, param_10, param_11);
    record = param_9;
    float2 dual_w = _5700;
    pelt_dquat _5719 = { float4(real.first, real_w.x), float4(dual.first, dual_w.x) };
    pelt_dquat _5736 = { float4(real.second, real_w.y), float4(dual.second, dual_w.y) };
    pelt_dquat param_12 = _5719;
    pelt_dquat param_13 = _5736;
    float param_14 = moment.u;
    pelt_dquat between = pelt_mix_duals(param_12, param_13, param_14);
    pose.rotation = between.real;
    pose.position = between.dual;
}

float4 pelt_quat_from_vector(float3 v)
{
    float square = dot(v, v);
    return float4(v * 2.0f, 1.0f - square) / (1.0f + square).xxxx;
}

float4 pelt_take_axes(inout pelt_record record, bool has_axes)
{
    if (!has_axes)
    {
        return float4(0.0f, 0.0f, 0.0f, 1.0f);
    }
    pelt_words param = record.words;
    uint param_1 = record.at;
    uint _5281 = pelt_word(param, param_1);
    record.words = param;
    uint word = _5281;
    record.at++;
    float3 steps = float3(float(word & 1023u), float((word >> 10u) & 1023u), float((word >> 20u) & 1023u));
    float3 param_2 = (steps - 511.0f.xxx) / 511.0f.xxx;
    return pelt_quat_from_vector(param_2);
}

float3 pelt_quat_rotate(float4 q, float3 v)
{
    return v + (cross(q.xyz, cross(q.xyz, v) + (v * q.w)) * 2.0f);
}

float4 pelt_quat_slerp(float4 a, float4 b, float t)
{
    float4 _4159;
    if (dot(a, b) < 0.0f)
    {
        _4159 = -b;
    }
    else
    {
        _4159 = b;
    }
    float4 end = _4159;
    float4 chord = end - a;
    float square = dot(chord, chord);
    float series = 0.0006734252092428505420684814453125f + (square * ((-0.00016328846686519682407379150390625f) + (square * 7.16249342076480388641357421875e-05f)));
    series = 0.08332048356533050537109375f + (square * (0.011208956129848957061767578125f + (square * (0.001511194393970072269439697265625f + (square * series)))));
    float angle_square = square * (1.00000035762786865234375f + (square * series));
    float2 parts = float2(1.0f - t, t);
    float2 x = (parts * parts) * angle_square;
    float2 sine = 1.6059044372074282591711380518973e-10f.xx + (x * ((-7.6471636098127127034729255683487e-13f).xx + (x * 2.8114573589663703623298118827734e-15f)));
    sine = (-0.00019841270113829523324966430664062f).xx + (x * (2.7557318844628753140568733215332e-06f.xx + (x * ((-2.5052107943679402524139732122421e-08f).xx + (x * sine)))));
    sine = 1.0f.xx + (x * ((-0.16666667163372039794921875f).xx + (x * (0.008333333767950534820556640625f.xx + (x * sine)))));
    parts *= sine;
    return normalize((a * parts.x) + (end * parts.y));
}

float pelt_take_step(inout pelt_record record, pelt_moment moment, uint code, float scale)
{
    uint width = code & 15u;
    if (width == 0u)
    {
        return 0.0f;
    }
    pelt_words param = record.key;
    uint param_1 = moment.key;
    uint param_2 = record.bit;
    uint param_3 = width;
    uint _5159 = pelt_bits(param, param_1, param_2, param_3);
    record.key = param;
    uint value = _5159;
    record.bit += width;
    uint param_4 = ((code >> 5u) & 31u) + 97u;
    float range = (scale * float(2u + ((code >> 4u) & 1u))) * pelt_power_of_two(param_4);
    float middle = float(1u << (width - 1u));
    return range * ((float(value) - middle) / (middle + middle));
}

float3 pelt_take_path(inout pelt_record record, pelt_moment moment, float scale)
{
    pelt_words param = record.words;
    uint param_1 = record.at;
    uint _5207 = pelt_word(param, param_1);
    record.words = param;
    uint path = _5207;
    record.at++;
    pelt_record param_2 = record;
    pelt_moment param_3 = moment;
    uint param_4 = path & 1023u;
    float param_5 = scale;
    float _5225 = pelt_take_step(param_2, param_3, param_4, param_5);
    record = param_2;
    float x = _5225;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    uint param_8 = (path >> 10u) & 1023u;
    float param_9 = scale;
    float _5238 = pelt_take_step(param_6, param_7, param_8, param_9);
    record = param_6;
    float y = _5238;
    pelt_record param_10 = record;
    pelt_moment param_11 = moment;
    uint param_12 = (path >> 20u) & 1023u;
    float param_13 = scale;
    float _5252 = pelt_take_step(param_10, param_11, param_12, param_13);
    record = param_10;
    float z = _5252;
    return float3(x, y, z) * ((4.0f * moment.u) * (1.0f - moment.u));
}

void pelt_take_pose(inout pelt_local pose, inout pelt_record record, pelt_moment moment, uint flags, float unit)
{
    pelt_record param = record;
    bool param_1 = (flags & 4194304u) != 0u;
    float4 _5318 = pelt_take_axes(param, param_1);
    record = param;
    pose.rotation = _5318;
    pelt_record param_2 = record;
    bool param_3 = (flags & 536870912u) != 0u;
    float4 _5329 = pelt_take_axes(param_2, param_3);
    record = param_2;
    float4 turn_axes = _5329;
    pelt_record param_4 = record;
    bool param_5 = (flags & 1073741824u) != 0u;
    float4 _5339 = pelt_take_axes(param_4, param_5);
    record = param_4;
    float4 axes = _5339;
    if ((flags & 8388608u) != 0u)
    {
        pelt_record param_6 = record;
        pelt_moment param_7 = moment;
        float param_8 = 1.0f;
        pelt_key_pair _5353 = pelt_take_vector(param_6, param_7, param_8);
        record = param_6;
        pelt_key_pair keys = _5353;
        float4 param_9 = turn_axes;
        float3 param_10 = keys.first;
        float3 param_11 = pelt_quat_rotate(param_9, param_10);
        float4 first = pelt_quat_from_vector(param_11);
        float4 param_12 = turn_axes;
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
        float param_22 = unit;
        float3 _5400 = pelt_take_between(param_20, param_21, param_22);
        record = param_20;
        float3 place = _5400;
        float4 param_23 = axes;
        float3 param_24 = place;
        pose.position = float4(pelt_quat_rotate(param_23, param_24), 0.0f);
    }
    uint stretch = (flags >> 25u) & 3u;
    if (stretch == 1u)
    {
        pelt_record param_25 = record;
        pelt_moment param_26 = moment;
        float param_27 = 1.0f;
        float2 _5427 = pelt_take(param_25, param_26, param_27);
        record = param_25;
        float2 keys_1 = _5427;
        pose.stretch = float3x3(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f), float3(0.0f, 0.0f, 1.0f)) * (((1.0f - moment.u) * keys_1.x) + (moment.u * keys_1.y));
    }
    else
    {
        if (stretch == 2u)
        {
            pelt_record param_28 = record;
            pelt_moment param_29 = moment;
            float param_30 = 1.0f;
            float3 _5454 = pelt_take_between(param_28, param_29, param_30);
            record = param_28;
            float3 same = _5454;
            pelt_record param_31 = record;
            pelt_moment param_32 = moment;
            float param_33 = 1.0f;
            float3 _5462 = pelt_take_between(param_31, param_32, param_33);
            record = param_31;
            float3 other = _5462;
            pose.stretch = float3x3(float3(float3(same.x, other.z, other.y)), float3(float3(other.z, same.y, other.x)), float3(float3(other.y, other.x, same.z)));
            pose.is_skewed = true;
        }
    }
    if ((flags & 134217728u) != 0u)
    {
        pelt_record param_34 = record;
        pelt_moment param_35 = moment;
        float param_36 = 1.0f;
        float3 _5513 = pelt_take_path(param_34, param_35, param_36);
        record = param_34;
        float3 path = _5513;
        float4 param_37 = turn_axes;
        float3 param_38 = path;
        float4 turn = float4(pelt_quat_rotate(param_37, param_38), 1.0f);
        float4 param_39 = pose.rotation;
        float4 param_40 = turn;
        pose.rotation = normalize(pelt_quat_mul(param_39, param_40));
    }
    if ((flags & 268435456u) != 0u)
    {
        pelt_record param_41 = record;
        pelt_moment param_42 = moment;
        float param_43 = unit;
        float3 _5545 = pelt_take_path(param_41, param_42, param_43);
        record = param_41;
        float4 param_44 = axes;
        float3 param_45 = _5545;
        float4 _5552 = pose.position;
        float3 _5554 = _5552.xyz + pelt_quat_rotate(param_44, param_45);
        pose.position.x = _5554.x;
        pose.position.y = _5554.y;
        pose.position.z = _5554.z;
    }
}

pelt_local pelt_local_stored(uint joint, float3 pivot, pelt_moment moment, float unit)
{
    bool is_dual = (PELT_BAKED_KIND == 2);
    pelt_local pose;
    pose.rotation = float4(0.0f, 0.0f, 0.0f, 1.0f);
    float3 _5755;
    if (is_dual)
    {
        _5755 = pivot * 0.5f;
    }
    else
    {
        _5755 = pivot;
    }
    pose.position = float4(_5755, 0.0f);
    pose.stretch = float3x3(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f), float3(0.0f, 0.0f, 1.0f));
    pose.is_skewed = false;
    pelt_record record;
    record.words = pelt_words_make();
    record.key = pelt_words_make();
    record.next = pelt_words_make();
    pelt_words param = record.words;
    uint param_1 = moment.table + (joint >> 1u);
    uint _5787 = pelt_word(param, param_1);
    record.words = param;
    uint pair = _5787;
    uint _5794;
    if ((joint & 1u) == 0u)
    {
        _5794 = pair & 65535u;
    }
    else
    {
        _5794 = pair >> 16u;
    }
    uint place = _5794;
    if (place == 0u)
    {
        return pose;
    }
    record.at = moment.table + place;
    pelt_words param_2 = record.words;
    uint param_3 = record.at;
    uint _5821 = pelt_word(param_2, param_3);
    record.words = param_2;
    uint flags = _5821;
    record.at++;
    record.bit = flags & 1048575u;
    if (PELT_BAKED_KIND == 1)
    {
        pelt_local param_4 = pose;
        pelt_record param_5 = record;
        pelt_moment param_6 = moment;
        float param_7 = unit;
        pelt_take_matrix(param_4, param_5, param_6, param_7);
        pose = param_4;
        record = param_5;
    }
    else
    {
        if (PELT_BAKED_KIND == 2)
        {
            pelt_local param_8 = pose;
            pelt_record param_9 = record;
            pelt_moment param_10 = moment;
            float param_11 = unit;
            pelt_take_dual(param_8, param_9, param_10, param_11);
            pose = param_8;
            record = param_9;
        }
        else
        {
            pelt_local param_12 = pose;
            pelt_record param_13 = record;
            pelt_moment param_14 = moment;
            uint param_15 = flags;
            float param_16 = unit;
            pelt_take_pose(param_12, param_13, param_14, param_15, param_16);
            pose = param_12;
            record = param_13;
        }
    }
    return pose;
}

pelt_local pelt_local_fade(pelt_local a, pelt_local b, float factor)
{
    if (PELT_BAKED_KIND == 2)
    {
        pelt_dquat _5886 = { a.rotation, a.position };
        pelt_dquat _5891 = { b.rotation, b.position };
        pelt_dquat param = _5886;
        pelt_dquat param_1 = _5891;
        float param_2 = factor;
        pelt_dquat between = pelt_mix_duals(param, param_1, param_2);
        pelt_local _5903 = { between.real, between.dual, a.stretch, false };
        return _5903;
    }
    float4 param_3 = a.rotation;
    float4 param_4 = b.rotation;
    float param_5 = factor;
    float3x3 _5928 = a.stretch * (1.0f - factor);
    float3x3 _5932 = b.stretch * factor;
    pelt_local _5948 = { pelt_quat_slerp(param_3, param_4, param_5), (a.position * (1.0f - factor)) + (b.position * factor), float3x3(_5928[0] + _5932[0], _5928[1] + _5932[1], _5928[2] + _5932[2]), a.is_skewed || b.is_skewed };
    return _5948;
}

pelt_local pelt_local_add(pelt_local pose, pelt_local first, pelt_local now, float weight)
{
    float4 param = first.rotation;
    float4 param_1 = pelt_quat_conjugate(param);
    float4 param_2 = now.rotation;
    float4 change = pelt_quat_mul(param_1, param_2);
    float4 param_3 = float4(0.0f, 0.0f, 0.0f, 1.0f);
    float4 param_4 = change;
    float param_5 = weight;
    change = pelt_quat_slerp(param_3, param_4, param_5);
    float4 param_6 = pose.rotation;
    float4 param_7 = change;
    float3x3 _6000 = float3x3(now.stretch[0] - first.stretch[0], now.stretch[1] - first.stretch[1], now.stretch[2] - first.stretch[2]) * weight;
    pelt_local _6019 = { pelt_quat_mul(param_6, param_7), pose.position + ((now.position - first.position) * weight), float3x3(pose.stretch[0] + _6000[0], pose.stretch[1] + _6000[1], pose.stretch[2] + _6000[2]), (pose.is_skewed || first.is_skewed) || now.is_skewed };
    return _6019;
}

pelt_local pelt_local_at(uint joint, float3 pivot, pelt_playing playing)
{
    bool is_added = (playing.weight != 0.0f) && (PELT_BAKED_KIND == 0);
    pelt_local pose;
    pelt_local first;
    for (int i = 0; i < (is_added ? 4 : 2); i++)
    {
        bool _6039 = i == 1;
        bool _6045;
        if (_6039)
        {
            _6045 = playing.fade == 0.0f;
        }
        else
        {
            _6045 = _6039;
        }
        if (_6045)
        {
            continue;
        }
        uint param = joint;
        float3 param_1 = pivot;
        pelt_moment param_2 = playing.moments[i];
        float param_3 = playing.unit;
        pelt_local stored = pelt_local_stored(param, param_1, param_2, param_3);
        if (i == 0)
        {
            pose = stored;
            first = stored;
        }
        else
        {
            if (i == 1)
            {
                pelt_local param_4 = pose;
                pelt_local param_5 = stored;
                float param_6 = playing.fade;
                pose = pelt_local_fade(param_4, param_5, param_6);
            }
            else
            {
                if (i == 2)
                {
                    first = stored;
                }
                else
                {
                    pelt_local param_7 = pose;
                    pelt_local param_8 = first;
                    pelt_local param_9 = stored;
                    float param_10 = playing.weight;
                    pose = pelt_local_add(param_7, param_8, param_9, param_10);
                }
            }
        }
    }
    return pose;
}

bool pelt_is_positive(float3x3 a)
{
    bool _6107 = a[0].x > 0.0f;
    bool _6121;
    if (_6107)
    {
        _6121 = (a[0].x * a[1].y) > (a[0].y * a[0].y);
    }
    else
    {
        _6121 = _6107;
    }
    bool _6133;
    if (_6121)
    {
        _6133 = dot(a[0], cross(a[1], a[2])) > 0.0f;
    }
    else
    {
        _6133 = _6121;
    }
    return _6133;
}

float pelt_norm(float3x3 a)
{
    return sqrt((dot(a[0], a[0]) + dot(a[1], a[1])) + dot(a[2], a[2]));
}

float4 pelt_quat_from_mat3(float3x3 columns)
{
    float3 x = columns[0];
    float3 y = columns[1];
    float3 z = columns[2];
    float trace = (x.x + y.y) + z.z;
    bool _4331 = trace > x.x;
    bool _4338;
    if (_4331)
    {
        _4338 = trace > y.y;
    }
    else
    {
        _4338 = _4331;
    }
    bool _4345;
    if (_4338)
    {
        _4345 = trace > z.z;
    }
    else
    {
        _4345 = _4338;
    }
    float4 q;
    if (_4345)
    {
        q = float4(y.z - z.y, z.x - x.z, x.y - y.x, 1.0f + trace);
    }
    else
    {
        bool _4372 = x.x >= y.y;
        bool _4380;
        if (_4372)
        {
            _4380 = x.x >= z.z;
        }
        else
        {
            _4380 = _4372;
        }
        if (_4380)
        {
            q = float4(((1.0f + x.x) - y.y) - z.z, y.x + x.y, z.x + x.z, y.z - z.y);
        }
        else
        {
            if (y.y >= z.z)
            {
                q = float4(y.x + x.y, ((1.0f - x.x) + y.y) - z.z, z.y + y.z, z.x - x.z);
            }
            else
            {
                q = float4(z.x + x.z, z.y + y.z, ((1.0f - x.x) - y.y) + z.z, x.y - y.x);
            }
        }
    }
    return normalize(q);
}

float4 pelt_polar_rotation(float3x3 _linear)
{
    float3 size = max(abs(_linear[0]), max(abs(_linear[1]), abs(_linear[2])));
    float largest = max(size.x, max(size.y, size.z));
    if (!(largest > 0.0f))
    {
        return float4(0.0f, 0.0f, 0.0f, 1.0f);
    }
    float3x3 a = _linear * (1.0f / largest);
    float _4591;
    for (int i = 0; i < 8; i++)
    {
        float3x3 cofactor = float3x3(float3(cross(a[1], a[2])), float3(cross(a[2], a[0])), float3(cross(a[0], a[1])));
        float3x3 param = a;
        float norm = pelt_norm(param);
        float3x3 param_1 = cofactor;
        float cofactor_norm = pelt_norm(param_1);
        bool _4572 = i == 0;
        bool _4586;
        if (_4572)
        {
            _4586 = dot(a[0], cofactor[0]) < (((-9.9999997473787516355514526367188e-06f) * norm) * cofactor_norm);
        }
        else
        {
            _4586 = _4572;
        }
        bool is_mirror = _4586;
        if (cofactor_norm > 1.0000000031710768509710513471353e-30f)
        {
            _4591 = 1.0f / cofactor_norm;
        }
        else
        {
            _4591 = 0.0f;
        }
        float other = _4591;
        float3x3 _4603 = a * ((is_mirror ? (-1.0f) : 1.0f) / norm);
        float3x3 _4606 = cofactor * other;
        a = float3x3(_4603[0] + _4606[0], _4603[1] + _4606[1], _4603[2] + _4606[2]);
    }
    float3x3 param_2 = a;
    float3x3 param_3 = a * (1.73205077648162841796875f / pelt_norm(param_2));
    return pelt_quat_from_mat3(param_3);
}

pelt_joint pelt_joint_at(uint joint, pelt_playing playing)
{
    float3x3 _linear = float3x3(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f), float3(0.0f, 0.0f, 1.0f));
    float3 translation = 0.0f.xxx;
    float4 rotation = float4(0.0f, 0.0f, 0.0f, 1.0f);
    bool is_skewed = false;
    pelt_words words = pelt_words_make();
    uint link = joint;
    uint i = 0u;
    for (;;)
    {
        bool _6153 = i < playing.joint_count;
        bool _6160;
        if (_6153)
        {
            _6160 = link < playing.joint_count;
        }
        else
        {
            _6160 = _6153;
        }
        if (_6160)
        {
            uint at = playing.joints + (4u * link);
            pelt_words param = words;
            uint param_1 = at;
            uint _6172 = pelt_word(param, param_1);
            words = param;
            uint parent = _6172;
            pelt_words param_2 = words;
            uint param_3 = at + 1u;
            float _6180 = pelt_word_float(param_2, param_3);
            words = param_2;
            pelt_words param_4 = words;
            uint param_5 = at + 2u;
            float _6187 = pelt_word_float(param_4, param_5);
            words = param_4;
            pelt_words param_6 = words;
            uint param_7 = at + 3u;
            float _6194 = pelt_word_float(param_6, param_7);
            words = param_6;
            float3 pivot = float3(_6180, _6187, _6194);
            uint param_8 = link;
            float3 param_9 = pivot;
            pelt_playing param_10 = playing;
            pelt_local pose = pelt_local_at(param_8, param_9, param_10);
            float4 param_11 = pose.rotation;
            float3x3 map = mul(pose.stretch, pelt_mat3_from_quat(param_11));
            float3 position = pose.position.xyz;
            if (PELT_BAKED_KIND == 2)
            {
                pelt_dquat _6224 = { pose.rotation, pose.position };
                pelt_dquat param_12 = _6224;
                position = pelt_dquat_translation(param_12);
            }
            _linear = mul(_linear, map);
            translation = mul(translation - pivot, map) + position;
            float4 param_13 = pose.rotation;
            float4 param_14 = rotation;
            rotation = pelt_quat_mul(param_13, param_14);
            bool is_first = (i == 0u) && (PELT_BAKED_KIND == 0);
            bool _6266;
            if (!is_skewed)
            {
                bool _6265;
                if (pose.is_skewed)
                {
                    bool _6263;
                    if (is_first)
                    {
                        float3x3 param_15 = pose.stretch;
                        _6263 = pelt_is_positive(param_15);
                    }
                    else
                    {
                        _6263 = is_first;
                    }
                    _6265 = !_6263;
                }
                else
                {
                    _6265 = pose.is_skewed;
                }
                _6266 = _6265;
            }
            else
            {
                _6266 = is_skewed;
            }
            is_skewed = _6266;
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
        float3x3 param_16 = _linear;
        rotation = pelt_polar_rotation(param_16);
    }
    float3x3 rows = transpose(_linear);
    pelt_joint _6304 = { float4(rows[0], translation.x), float4(rows[1], translation.y), float4(rows[2], translation.z), rotation };
    return _6304;
}

float3 pelt_octahedron(float2 e)
{
    float z = (1.0f - abs(e.x)) - abs(e.y);
    float2 side = float2((e.x < 0.0f) ? (-1.0f) : 1.0f, (e.y < 0.0f) ? (-1.0f) : 1.0f);
    float2 _6329;
    if (z < 0.0f)
    {
        _6329 = (1.0f.xx - abs(e.yx)) * side;
    }
    else
    {
        _6329 = e;
    }
    float2 folded = _6329;
    return normalize(float3(folded, z));
}

float3 pelt_stored_normal(inout pelt_words words, uint key, uint bit, uint width)
{
    pelt_words param = words;
    uint param_1 = key;
    uint param_2 = bit;
    uint param_3 = width;
    uint _6359 = pelt_bits(param, param_1, param_2, param_3);
    words = param;
    pelt_words param_4 = words;
    uint param_5 = key;
    uint param_6 = bit + width;
    uint param_7 = width;
    uint _6372 = pelt_bits(param_4, param_5, param_6, param_7);
    words = param_4;
    float2 steps = float2(float(_6359), float(_6372));
    float2 param_8 = ((steps * 2.0f) / float((1u << width) - 1u).xx) - 1.0f.xx;
    return pelt_octahedron(param_8);
}

pelt_vertex pelt_vertex_stored(pelt_rest rest, uint vertex, pelt_moment moment, float unit)
{
    pelt_words words = pelt_words_make();
    pelt_words key = pelt_words_make();
    pelt_words next = pelt_words_make();
    pelt_words param = words;
    uint param_1 = moment.table;
    uint _6402 = pelt_word(param, param_1);
    words = param;
    uint header = _6402;
    uint width = header & 255u;
    uint normal_width = (header >> 8u) & 255u;
    bool is_shared = (header & 65536u) != 0u;
    uint _6422;
    if (is_shared)
    {
        _6422 = 0u;
    }
    else
    {
        _6422 = 3u * vertex;
    }
    uint component = (moment.table + 1u) + _6422;
    uint bit = vertex * ((3u * width) + (2u * normal_width));
    float3 place = rest.position;
    for (int i = 0; i < 3; i++)
    {
        pelt_words param_2 = words;
        uint param_3 = component + uint(i);
        uint _6457 = pelt_word(param_2, param_3);
        words = param_2;
        uint word = _6457;
        pelt_words param_4 = key;
        uint param_5 = moment.key;
        uint param_6 = bit;
        uint param_7 = width;
        uint _6469 = pelt_bits(param_4, param_5, param_6, param_7);
        key = param_4;
        uint param_8 = word;
        float param_9 = unit;
        uint param_10 = _6469;
        float first = pelt_component_value(param_8, param_9, param_10);
        pelt_words param_11 = next;
        uint param_12 = moment.next;
        uint param_13 = bit;
        uint param_14 = width;
        uint _6487 = pelt_bits(param_11, param_12, param_13, param_14);
        next = param_11;
        uint param_15 = word;
        float param_16 = unit;
        uint param_17 = _6487;
        float second = pelt_component_value(param_15, param_16, param_17);
        place[i] += (((1.0f - moment.u) * first) + (moment.u * second));
        bit += width;
    }
    float3 normal = rest.normal;
    if (normal_width > 0u)
    {
        pelt_words param_18 = key;
        uint param_19 = moment.key;
        uint param_20 = bit;
        uint param_21 = normal_width;
        float3 _6532 = pelt_stored_normal(param_18, param_19, param_20, param_21);
        key = param_18;
        float3 first_1 = _6532;
        pelt_words param_22 = next;
        uint param_23 = moment.next;
        uint param_24 = bit;
        uint param_25 = normal_width;
        float3 _6544 = pelt_stored_normal(param_22, param_23, param_24, param_25);
        next = param_22;
        float3 second_1 = _6544;
        normal = normalize((first_1 * (1.0f - moment.u)) + (second_1 * moment.u));
    }
    pelt_vertex _6561 = { place, normal, rest.tangent };
    return _6561;
}

pelt_vertex pelt_baked_vertex(pelt_rest rest, uint vertex, pelt_playing playing)
{
    pelt_rest param = rest;
    pelt_vertex result = pelt_vertex_at_rest(param);
    float _6597;
    float3 _6617;
    for (int i = 0; i < ((playing.fade != 0.0f) ? 2 : 1); i++)
    {
        pelt_rest param_1 = rest;
        uint param_2 = vertex;
        pelt_moment param_3 = playing.moments[i];
        float param_4 = playing.unit;
        pelt_vertex stored = pelt_vertex_stored(param_1, param_2, param_3, param_4);
        if (i == 0)
        {
            _6597 = 1.0f;
        }
        else
        {
            _6597 = playing.fade;
        }
        float factor = _6597;
        result.position = (result.position * (1.0f - factor)) + (stored.position * factor);
        if (i == 0)
        {
            _6617 = stored.normal;
        }
        else
        {
            _6617 = normalize((result.normal * (1.0f - factor)) + (stored.normal * factor));
        }
        result.normal = _6617;
    }
    return result;
}
