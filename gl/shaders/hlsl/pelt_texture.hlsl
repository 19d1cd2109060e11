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
    float2 units;
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
        uint2 _3976;
        if ((at & 2u) == 0u)
        {
            _3976 = channels.xy;
        }
        else
        {
            _3976 = channels.zw;
        }
        uint2 pair = _3976;
        uint _3988;
        if ((at & 1u) == 0u)
        {
            _3988 = pair.x;
        }
        else
        {
            _3988 = pair.y;
        }
        return _3988;
    }
    if (PELT_BAKED_TEXEL_WORDS == 2)
    {
        uint2 _4005;
        if ((at & 1u) == 0u)
        {
            _4005 = channels.xy;
        }
        else
        {
            _4005 = channels.zw;
        }
        uint2 halves = _4005;
        return halves.x | (halves.y << 16u);
    }
    return ((channels.x | (channels.y << 8u)) | (channels.z << 16u)) | (channels.w << 24u);
}

float pelt_word_float(inout pelt_words words, uint at)
{
    pelt_words param = words;
    uint param_1 = at;
    uint _4043 = pelt_word(param, param_1);
    words = param;
    return asfloat(_4043);
}

pelt_moment pelt_moment_at(inout pelt_words words, uint clip, float time, bool repeats)
{
    pelt_words param = words;
    uint param_1 = clip;
    uint _4644 = pelt_word(param, param_1);
    words = param;
    uint run = _4644;
    pelt_words param_2 = words;
    uint param_3 = clip + 1u;
    uint _4653 = pelt_word(param_2, param_3);
    words = param_2;
    uint last_run = run + (8u * (_4653 - 1u));
    pelt_words param_4 = words;
    uint param_5 = clip + 2u;
    float _4664 = pelt_word_float(param_4, param_5);
    words = param_4;
    float duration = _4664;
    pelt_words param_6 = words;
    uint param_7 = clip + 3u;
    uint _4672 = pelt_word(param_6, param_7);
    words = param_6;
    bool wraps = (_4672 & 1u) != 0u;
    float t = clamp(time, 0.0f, duration);
    if (repeats)
    {
        float _4685;
        if (duration > 0.0f)
        {
            _4685 = time - (floor(time / duration) * duration);
        }
        else
        {
            _4685 = 0.0f;
        }
        t = _4685;
        float _4701;
        if (t >= duration)
        {
            _4701 = t - duration;
        }
        else
        {
            _4701 = t;
        }
        t = _4701;
    }
    for (;;)
    {
        bool _4717 = run < last_run;
        bool _4729;
        if (_4717)
        {
            pelt_words param_8 = words;
            uint param_9 = run + 8u;
            float _4725 = pelt_word_float(param_8, param_9);
            words = param_8;
            _4729 = _4725 <= t;
        }
        else
        {
            _4729 = _4717;
        }
        if (_4729)
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
    float _4737 = pelt_word_float(param_10, param_11);
    words = param_10;
    float start = _4737;
    pelt_words param_12 = words;
    uint param_13 = run + 1u;
    float _4745 = pelt_word_float(param_12, param_13);
    words = param_12;
    float rate = _4745;
    pelt_words param_14 = words;
    uint param_15 = run + 2u;
    uint _4753 = pelt_word(param_14, param_15);
    words = param_14;
    uint count = _4753;
    pelt_words param_16 = words;
    uint param_17 = run + 3u;
    uint _4761 = pelt_word(param_16, param_17);
    words = param_16;
    uint first = _4761;
    pelt_words param_18 = words;
    uint param_19 = run + 4u;
    uint _4769 = pelt_word(param_18, param_19);
    words = param_18;
    uint stride = _4769;
    pelt_words param_20 = words;
    uint param_21 = run + 5u;
    uint _4777 = pelt_word(param_20, param_21);
    words = param_20;
    uint table = _4777;
    pelt_words param_22 = words;
    uint param_23 = run + 6u;
    uint _4786 = pelt_word(param_22, param_23);
    words = param_22;
    bool is_held = (_4786 & 1u) != 0u;
    uint _4797;
    if (wraps)
    {
        _4797 = count;
    }
    else
    {
        _4797 = count - 1u;
    }
    float x = clamp((t - start) * rate, 0.0f, float(_4797));
    uint key = min(uint(x), (count - 1u));
    uint _4818;
    if ((key + 1u) < count)
    {
        _4818 = key + 1u;
    }
    else
    {
        _4818 = wraps ? 0u : key;
    }
    uint next = _4818;
    float _4840;
    if (is_held)
    {
        _4840 = 0.0f;
    }
    else
    {
        _4840 = x - float(key);
    }
    pelt_moment _4849 = { table, first + (key * stride), first + (next * stride), _4840 };
    return _4849;
}

pelt_moment pelt_clip_at(inout pelt_words words, uint clips, uint clip, float time)
{
    pelt_words param = words;
    uint param_1 = clips + (4u * (clip & 32767u));
    float param_2 = time;
    bool param_3 = (clip & 32768u) != 0u;
    pelt_moment _4868 = pelt_moment_at(param, param_1, param_2, param_3);
    words = param;
    return _4868;
}

pelt_playing pelt_play(uint4 playback, float4 times)
{
    pelt_words words = pelt_words_make();
    pelt_words param = words;
    uint param_1 = 3u;
    uint _4878 = pelt_word(param, param_1);
    words = param;
    pelt_playing playing;
    playing.joint_count = _4878;
    pelt_words param_2 = words;
    uint param_3 = 4u;
    uint _4884 = pelt_word(param_2, param_3);
    words = param_2;
    playing.joints = _4884;
    pelt_words param_4 = words;
    uint param_5 = 6u;
    uint _4891 = pelt_word(param_4, param_5);
    words = param_4;
    uint clips = _4891;
    pelt_words param_6 = words;
    uint param_7 = 7u;
    float _4897 = pelt_word_float(param_6, param_7);
    words = param_6;
    pelt_words param_8 = words;
    uint param_9 = 8u;
    float _4902 = pelt_word_float(param_8, param_9);
    words = param_8;
    playing.units = float2(_4897, _4902);
    playing.fade = asfloat(playback.z);
    playing.weight = asfloat(playback.w);
    pelt_words param_10 = words;
    uint param_11 = clips;
    uint param_12 = playback.x & 65535u;
    float param_13 = times.x;
    pelt_moment _4926 = pelt_clip_at(param_10, param_11, param_12, param_13);
    words = param_10;
    playing.moments[0] = _4926;
    playing.moments[1] = playing.moments[0];
    playing.moments[2] = playing.moments[0];
    playing.moments[3] = playing.moments[0];
    if (playing.fade != 0.0f)
    {
        pelt_words param_14 = words;
        uint param_15 = clips;
        uint param_16 = playback.x >> 16u;
        float param_17 = times.y;
        pelt_moment _4954 = pelt_clip_at(param_14, param_15, param_16, param_17);
        words = param_14;
        playing.moments[1] = _4954;
    }
    if (playing.weight != 0.0f)
    {
        pelt_words param_18 = words;
        uint param_19 = clips + (4u * (playback.y & 32767u));
        uint _4972 = pelt_word(param_18, param_19);
        words = param_18;
        uint run = _4972;
        pelt_words param_20 = words;
        uint param_21 = run + 3u;
        uint _4980 = pelt_word(param_20, param_21);
        words = param_20;
        uint first = _4980;
        pelt_words param_22 = words;
        uint param_23 = run + 5u;
        uint _4988 = pelt_word(param_22, param_23);
        words = param_22;
        uint table = _4988;
        pelt_moment _4993 = { table, first, first, 0.0f };
        playing.moments[2] = _4993;
        pelt_words param_24 = words;
        uint param_25 = clips;
        uint param_26 = playback.y & 65535u;
        float param_27 = times.z;
        pelt_moment _5006 = pelt_clip_at(param_24, param_25, param_26, param_27);
        words = param_24;
        playing.moments[3] = _5006;
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
    uint _4067 = pelt_word(param, param_1);
    words = param;
    uint value = _4067 >> shift;
    if ((shift + width) > 32u)
    {
        pelt_words param_2 = words;
        uint param_3 = at + 1u;
        uint _4083 = pelt_word(param_2, param_3);
        words = param_2;
        value |= (_4083 << (32u - shift));
    }
    uint _4092;
    if (width < 32u)
    {
        _4092 = value & ((1u << width) - 1u);
    }
    else
    {
        _4092 = value;
    }
    return _4092;
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
    uint _5019 = pelt_word(param, param_1);
    record.words = param;
    uint component = _5019;
    uint width = component & 31u;
    width = (width == 31u) ? 32u : width;
    pelt_words param_2 = record.key;
    uint param_3 = moment.key;
    uint param_4 = record.bit;
    uint param_5 = width;
    uint _5041 = pelt_bits(param_2, param_3, param_4, param_5);
    record.key = param_2;
    uint first = _5041;
    pelt_words param_6 = record.next;
    uint param_7 = moment.next;
    uint param_8 = record.bit;
    uint param_9 = width;
    uint _5056 = pelt_bits(param_6, param_7, param_8, param_9);
    record.next = param_6;
    uint second = _5056;
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
    float2 _5092 = pelt_take(param, param_1, param_2);
    record = param;
    float2 x = _5092;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = scale;
    float2 _5101 = pelt_take(param_3, param_4, param_5);
    record = param_3;
    float2 y = _5101;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = scale;
    float2 _5110 = pelt_take(param_6, param_7, param_8);
    record = param_6;
    float2 z = _5110;
    pelt_key_pair _5126 = { float3(x.x, y.x, z.x), float3(x.y, y.y, z.y) };
    return _5126;
}

float3 pelt_take_between(inout pelt_record record, pelt_moment moment, float scale)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = scale;
    pelt_key_pair _5137 = pelt_take_vector(param, param_1, param_2);
    record = param;
    pelt_key_pair keys = _5137;
    return (keys.first * (1.0f - moment.u)) + (keys.second * moment.u);
}

void pelt_take_matrix(inout pelt_local pose, inout pelt_record record, pelt_moment moment, float2 units)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = units.y;
    float3 _5603 = pelt_take_between(param, param_1, param_2);
    record = param;
    float3 x = _5603;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = units.y;
    float3 _5613 = pelt_take_between(param_3, param_4, param_5);
    record = param_3;
    float3 y = _5613;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = units.y;
    float3 _5623 = pelt_take_between(param_6, param_7, param_8);
    record = param_6;
    float3 z = _5623;
    pose.stretch = transpose(float3x3(float3(x), float3(y), float3(z)));
    pelt_record param_9 = record;
    pelt_moment param_10 = moment;
    float param_11 = units.x;
    float3 _5650 = pelt_take_between(param_9, param_10, param_11);
    record = param_9;
    pose.position = float4(_5650, 0.0f);
    pose.is_skewed = true;
}

pelt_dquat pelt_mix_duals(pelt_dquat a, pelt_dquat b, float u)
{
    float _5665;
    if (dot(a.real, b.real) < 0.0f)
    {
        _5665 = -u;
    }
    else
    {
        _5665 = u;
    }
    float other = _5665;
    float4 real = (a.real * (1.0f - u)) + (b.real * other);
    float4 dual = (a.dual * (1.0f - u)) + (b.dual * other);
    float size = length(real);
    pelt_dquat _5706 = { real / size.xxxx, dual / size.xxxx };
    return _5706;
}

void pelt_take_stretch(inout pelt_local pose, inout pelt_record record, pelt_moment moment, uint flags, float unit)
{
    uint stretch = (flags >> 25u) & 3u;
    if (stretch == 1u)
    {
        pelt_record param = record;
        pelt_moment param_1 = moment;
        float param_2 = unit;
        float2 _5342 = pelt_take(param, param_1, param_2);
        record = param;
        float2 keys = _5342;
        pose.stretch = float3x3(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f), float3(0.0f, 0.0f, 1.0f)) * (((1.0f - moment.u) * keys.x) + (moment.u * keys.y));
    }
    else
    {
        if (stretch == 2u)
        {
            pelt_record param_3 = record;
            pelt_moment param_4 = moment;
            float param_5 = unit;
            float3 _5370 = pelt_take_between(param_3, param_4, param_5);
            record = param_3;
            float3 same = _5370;
            pelt_record param_6 = record;
            pelt_moment param_7 = moment;
            float param_8 = unit;
            float3 _5379 = pelt_take_between(param_6, param_7, param_8);
            record = param_6;
            float3 other = _5379;
            pose.stretch = float3x3(float3(float3(same.x, other.z, other.y)), float3(float3(other.z, same.y, other.x)), float3(float3(other.y, other.x, same.z)));
            pose.is_skewed = true;
        }
    }
}

void pelt_take_dual(inout pelt_local pose, inout pelt_record record, pelt_moment moment, uint flags, float2 units)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = 1.0f;
    pelt_key_pair _5715 = pelt_take_vector(param, param_1, param_2);
    record = param;
    pelt_key_pair real = _5715;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = 1.0f;
    float2 _5723 = pelt_take(param_3, param_4, param_5);
    record = param_3;
    float2 real_w = _5723;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = units.x;
    pelt_key_pair _5733 = pelt_take_vector(param_6, param_7, param_8);
    record = param_6;
    pelt_key_pair dual = _5733;
    pelt_record param_9 = record;
    pelt_moment param_10 = moment;
    float param_11 = units.x;
    float2 _5743 = pelt_take(param_9, param_10, param_11);
    record = param_9;
    float2 dual_w = _5743;
    pelt_dquat _5762 = { float4(real.first, real_w.x), float4(dual.first, dual_w.x) };
    pelt_dquat _5779 = { float4(real.second, real_w.y), float4(dual.second, dual_w.y) };
    pelt_dquat param_12 = _5762;
    pelt_dquat param_13 = _5779;
    float param_14 = moment.u;
    pelt_dquat between = pelt_mix_duals(param_12, param_13, param_14);
    pose.rotation = between.real;
    pose.position = between.dual;
    pelt_local param_15 = pose;
    pelt_record param_16 = record;
    pelt_moment param_17 = moment;
    uint param_18 = flags;
    float param_19 = units.y;
    pelt_take_stretch(param_15, param_16, param_17, param_18, param_19);
    pose = param_15;
    record = param_16;
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
    uint _5296 = pelt_word(param, param_1);
    record.words = param;
    uint word = _5296;
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
    float4 _4168;
    if (dot(a, b) < 0.0f)
    {
        _4168 = -b;
    }
    else
    {
        _4168 = b;
    }
    float4 end = _4168;
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
    uint _5174 = pelt_bits(param, param_1, param_2, param_3);
    record.key = param;
    uint value = _5174;
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
    uint _5222 = pelt_word(param, param_1);
    record.words = param;
    uint path = _5222;
    record.at++;
    pelt_record param_2 = record;
    pelt_moment param_3 = moment;
    uint param_4 = path & 1023u;
    float param_5 = scale;
    float _5240 = pelt_take_step(param_2, param_3, param_4, param_5);
    record = param_2;
    float x = _5240;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    uint param_8 = (path >> 10u) & 1023u;
    float param_9 = scale;
    float _5253 = pelt_take_step(param_6, param_7, param_8, param_9);
    record = param_6;
    float y = _5253;
    pelt_record param_10 = record;
    pelt_moment param_11 = moment;
    uint param_12 = (path >> 20u) & 1023u;
    float param_13 = scale;
    float _5267 = pelt_take_step(param_10, param_11, param_12, param_13);
    record = param_10;
    float z = _5267;
    return float3(x, y, z) * ((4.0f * moment.u) * (1.0f - moment.u));
}

void pelt_take_pose(inout pelt_local pose, inout pelt_record record, pelt_moment moment, uint flags, float2 units)
{
    pelt_record param = record;
    bool param_1 = (flags & 4194304u) != 0u;
    float4 _5425 = pelt_take_axes(param, param_1);
    record = param;
    pose.rotation = _5425;
    pelt_record param_2 = record;
    bool param_3 = (flags & 536870912u) != 0u;
    float4 _5436 = pelt_take_axes(param_2, param_3);
    record = param_2;
    float4 turn_axes = _5436;
    pelt_record param_4 = record;
    bool param_5 = (flags & 1073741824u) != 0u;
    float4 _5446 = pelt_take_axes(param_4, param_5);
    record = param_4;
    float4 axes = _5446;
    if ((flags & 8388608u) != 0u)
    {
        pelt_record param_6 = record;
        pelt_moment param_7 = moment;
        float param_8 = 1.0f;
        pelt_key_pair _5460 = pelt_take_vector(param_6, param_7, param_8);
        record = param_6;
        pelt_key_pair keys = _5460;
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
        float param_22 = units.x;
        float3 _5508 = pelt_take_between(param_20, param_21, param_22);
        record = param_20;
        float3 place = _5508;
        float4 param_23 = axes;
        float3 param_24 = place;
        pose.position = float4(pelt_quat_rotate(param_23, param_24), 0.0f);
    }
    pelt_local param_25 = pose;
    pelt_record param_26 = record;
    pelt_moment param_27 = moment;
    uint param_28 = flags;
    float param_29 = units.y;
    pelt_take_stretch(param_25, param_26, param_27, param_28, param_29);
    pose = param_25;
    record = param_26;
    if ((flags & 134217728u) != 0u)
    {
        pelt_record param_30 = record;
        pelt_moment param_31 = moment;
        float param_32 = 1.0f;
        float3 _5546 = pelt_take_path(param_30, param_31, param_32);
        record = param_30;
        float3 path = _5546;
        float4 param_33 = turn_axes;
        float3 param_34 = path;
        float4 turn = float4(pelt_quat_rotate(param_33, param_34), 1.0f);
        float4 param_35 = pose.rotation;
        float4 param_36 = turn;
        pose.rotation = normalize(pelt_quat_mul(param_35, param_36));
    }
    if ((flags & 268435456u) != 0u)
    {
        pelt_record param_37 = record;
        pelt_moment param_38 = moment;
        float param_39 = units.x;
        float3 _5579 = pelt_take_path(param_37, param_38, param_39);
        record = param_37;
        float4 param_40 = axes;
        float3 param_41 = _5579;
        float4 _5586 = pose.position;
        float3 _5588 = _5586.xyz + pelt_quat_rotate(param_40, param_41);
        pose.position.x = _5588.x;
        pose.position.y = _5588.y;
        pose.position.z = _5588.z;
    }
}

pelt_local pelt_local_stored(uint joint, float3 pivot, pelt_moment moment, float2 units)
{
    bool is_dual = (PELT_BAKED_KIND == 2);
    pelt_local pose;
    pose.rotation = float4(0.0f, 0.0f, 0.0f, 1.0f);
    float3 _5812;
    if (is_dual)
    {
        _5812 = pivot * 0.5f;
    }
    else
    {
        _5812 = pivot;
    }
    pose.position = float4(_5812, 0.0f);
    pose.stretch = float3x3(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f), float3(0.0f, 0.0f, 1.0f));
    pose.is_skewed = false;
    pelt_record record;
    record.words = pelt_words_make();
    record.key = pelt_words_make();
    record.next = pelt_words_make();
    pelt_words param = record.words;
    uint param_1 = moment.table + (joint >> 1u);
    uint _5844 = pelt_word(param, param_1);
    record.words = param;
    uint pair = _5844;
    uint _5851;
    if ((joint & 1u) == 0u)
    {
        _5851 = pair & 65535u;
    }
    else
    {
        _5851 = pair >> 16u;
    }
    uint place = _5851;
    if (place == 0u)
    {
        return pose;
    }
    record.at = moment.table + place;
    pelt_words param_2 = record.words;
    uint param_3 = record.at;
    uint _5878 = pelt_word(param_2, param_3);
    record.words = param_2;
    uint flags = _5878;
    record.at++;
    record.bit = flags & 1048575u;
    if (PELT_BAKED_KIND == 1)
    {
        pelt_local param_4 = pose;
        pelt_record param_5 = record;
        pelt_moment param_6 = moment;
        float2 param_7 = units;
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
            uint param_11 = flags;
            float2 param_12 = units;
            pelt_take_dual(param_8, param_9, param_10, param_11, param_12);
            pose = param_8;
            record = param_9;
        }
        else
        {
            pelt_local param_13 = pose;
            pelt_record param_14 = record;
            pelt_moment param_15 = moment;
            uint param_16 = flags;
            float2 param_17 = units;
            pelt_take_pose(param_13, param_14, param_15, param_16, param_17);
            pose = param_13;
            record = param_14;
        }
    }
    return pose;
}

pelt_local pelt_local_fade(pelt_local a, pelt_local b, float factor)
{
    float3x3 _5942 = a.stretch * (1.0f - factor);
    float3x3 _5946 = b.stretch * factor;
    float3x3 stretch = float3x3(_5942[0] + _5946[0], _5942[1] + _5946[1], _5942[2] + _5946[2]);
    bool is_skewed = a.is_skewed || b.is_skewed;
    if (PELT_BAKED_KIND == 2)
    {
        pelt_dquat _5971 = { a.rotation, a.position };
        pelt_dquat _5976 = { b.rotation, b.position };
        pelt_dquat param = _5971;
        pelt_dquat param_1 = _5976;
        float param_2 = factor;
        pelt_dquat between = pelt_mix_duals(param, param_1, param_2);
        pelt_local _5988 = { between.real, between.dual, stretch, is_skewed };
        return _5988;
    }
    float4 param_3 = a.rotation;
    float4 param_4 = b.rotation;
    float param_5 = factor;
    pelt_local _6011 = { pelt_quat_slerp(param_3, param_4, param_5), (a.position * (1.0f - factor)) + (b.position * factor), stretch, is_skewed };
    return _6011;
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
    float3x3 _6063 = float3x3(now.stretch[0] - first.stretch[0], now.stretch[1] - first.stretch[1], now.stretch[2] - first.stretch[2]) * weight;
    pelt_local _6082 = { pelt_quat_mul(param_6, param_7), pose.position + ((now.position - first.position) * weight), float3x3(pose.stretch[0] + _6063[0], pose.stretch[1] + _6063[1], pose.stretch[2] + _6063[2]), (pose.is_skewed || first.is_skewed) || now.is_skewed };
    return _6082;
}

pelt_local pelt_local_at(uint joint, float3 pivot, pelt_playing playing)
{
    bool is_added = (playing.weight != 0.0f) && (PELT_BAKED_KIND == 0);
    pelt_local pose;
    pelt_local first;
    for (int i = 0; i < (is_added ? 4 : 2); i++)
    {
        bool _6102 = i == 1;
        bool _6108;
        if (_6102)
        {
            _6108 = playing.fade == 0.0f;
        }
        else
        {
            _6108 = _6102;
        }
        if (_6108)
        {
            continue;
        }
        uint param = joint;
        float3 param_1 = pivot;
        pelt_moment param_2 = playing.moments[i];
        float2 param_3 = playing.units;
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
    bool _6170 = a[0].x > 0.0f;
    bool _6184;
    if (_6170)
    {
        _6184 = (a[0].x * a[1].y) > (a[0].y * a[0].y);
    }
    else
    {
        _6184 = _6170;
    }
    bool _6196;
    if (_6184)
    {
        _6196 = dot(a[0], cross(a[1], a[2])) > 0.0f;
    }
    else
    {
        _6196 = _6184;
    }
    return _6196;
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
    bool _4340 = trace > x.x;
    bool _4347;
    if (_4340)
    {
        _4347 = trace > y.y;
    }
    else
    {
        _4347 = _4340;
    }
    bool _4354;
    if (_4347)
    {
        _4354 = trace > z.z;
    }
    else
    {
        _4354 = _4347;
    }
    float4 q;
    if (_4354)
    {
        q = float4(y.z - z.y, z.x - x.z, x.y - y.x, 1.0f + trace);
    }
    else
    {
        bool _4381 = x.x >= y.y;
        bool _4389;
        if (_4381)
        {
            _4389 = x.x >= z.z;
        }
        else
        {
            _4389 = _4381;
        }
        if (_4389)
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
    float _4600;
    for (int i = 0; i < 8; i++)
    {
        float3x3 cofactor = float3x3(float3(cross(a[1], a[2])), float3(cross(a[2], a[0])), float3(cross(a[0], a[1])));
        float3x3 param = a;
        float norm = pelt_norm(param);
        float3x3 param_1 = cofactor;
        float cofactor_norm = pelt_norm(param_1);
        bool _4581 = i == 0;
        bool _4595;
        if (_4581)
        {
            _4595 = dot(a[0], cofactor[0]) < (((-9.9999997473787516355514526367188e-06f) * norm) * cofactor_norm);
        }
        else
        {
            _4595 = _4581;
        }
        bool is_mirror = _4595;
        if (cofactor_norm > 1.0000000031710768509710513471353e-30f)
        {
            _4600 = 1.0f / cofactor_norm;
        }
        else
        {
            _4600 = 0.0f;
        }
        float other = _4600;
        float3x3 _4612 = a * ((is_mirror ? (-1.0f) : 1.0f) / norm);
        float3x3 _4615 = cofactor * other;
        a = float3x3(_4612[0] + _4615[0], _4612[1] + _4615[1], _4612[2] + _4615[2]);
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
        bool _6216 = i < playing.joint_count;
        bool _6223;
        if (_6216)
        {
            _6223 = link < playing.joint_count;
        }
        else
        {
            _6223 = _6216;
        }
        if (_6223)
        {
            uint at = playing.joints + (4u * link);
            pelt_words param = words;
            uint param_1 = at;
            uint _6235 = pelt_word(param, param_1);
            words = param;
            uint parent = _6235;
            pelt_words param_2 = words;
            uint param_3 = at + 1u;
            float _6243 = pelt_word_float(param_2, param_3);
            words = param_2;
            pelt_words param_4 = words;
            uint param_5 = at + 2u;
            float _6250 = pelt_word_float(param_4, param_5);
            words = param_4;
            pelt_words param_6 = words;
            uint param_7 = at + 3u;
            float _6257 = pelt_word_float(param_6, param_7);
            words = param_6;
            float3 pivot = float3(_6243, _6250, _6257);
            uint param_8 = link;
            float3 param_9 = pivot;
            pelt_playing param_10 = playing;
            pelt_local pose = pelt_local_at(param_8, param_9, param_10);
            float4 param_11 = pose.rotation;
            float3x3 map = mul(pose.stretch, pelt_mat3_from_quat(param_11));
            float3 position = pose.position.xyz;
            if (PELT_BAKED_KIND == 2)
            {
                pelt_dquat _6287 = { pose.rotation, pose.position };
                pelt_dquat param_12 = _6287;
                position = pelt_dquat_translation(param_12);
            }
            _linear = mul(_linear, map);
            translation = mul(translation - pivot, map) + position;
            float4 param_13 = pose.rotation;
            float4 param_14 = rotation;
            rotation = pelt_quat_mul(param_13, param_14);
            bool is_first = (i == 0u) && (PELT_BAKED_KIND != 1);
            bool _6329;
            if (!is_skewed)
            {
                bool _6328;
                if (pose.is_skewed)
                {
                    bool _6326;
                    if (is_first)
                    {
                        float3x3 param_15 = pose.stretch;
                        _6326 = pelt_is_positive(param_15);
                    }
                    else
                    {
                        _6326 = is_first;
                    }
                    _6328 = !_6326;
                }
                else
                {
                    _6328 = pose.is_skewed;
                }
                _6329 = _6328;
            }
            else
            {
                _6329 = is_skewed;
            }
            is_skewed = _6329;
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
    pelt_joint _6367 = { float4(rows[0], translation.x), float4(rows[1], translation.y), float4(rows[2], translation.z), rotation };
    return _6367;
}

float3 pelt_octahedron(float2 e)
{
    float z = (1.0f - abs(e.x)) - abs(e.y);
    float2 side = float2((e.x < 0.0f) ? (-1.0f) : 1.0f, (e.y < 0.0f) ? (-1.0f) : 1.0f);
    float2 _6392;
    if (z < 0.0f)
    {
        _6392 = (1.0f.xx - abs(e.yx)) * side;
    }
    else
    {
        _6392 = e;
    }
    float2 folded = _6392;
    return normalize(float3(folded, z));
}

float3 pelt_stored_normal(inout pelt_words words, uint key, uint bit, uint width)
{
    pelt_words param = words;
    uint param_1 = key;
    uint param_2 = bit;
    uint param_3 = width;
    uint _6422 = pelt_bits(param, param_1, param_2, param_3);
    words = param;
    pelt_words param_4 = words;
    uint param_5 = key;
    uint param_6 = bit + width;
    uint param_7 = width;
    uint _6435 = pelt_bits(param_4, param_5, param_6, param_7);
    words = param_4;
    float2 steps = float2(float(_6422), float(_6435));
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
    uint _6465 = pelt_word(param, param_1);
    words = param;
    uint header = _6465;
    uint width = header & 255u;
    uint normal_width = (header >> 8u) & 255u;
    bool is_shared = (header & 65536u) != 0u;
    uint _6485;
    if (is_shared)
    {
        _6485 = 0u;
    }
    else
    {
        _6485 = 3u * vertex;
    }
    uint component = (moment.table + 1u) + _6485;
    uint bit = vertex * ((3u * width) + (2u * normal_width));
    float3 place = rest.position;
    for (int i = 0; i < 3; i++)
    {
        pelt_words param_2 = words;
        uint param_3 = component + uint(i);
        uint _6520 = pelt_word(param_2, param_3);
        words = param_2;
        uint word = _6520;
        pelt_words param_4 = key;
        uint param_5 = moment.key;
        uint param_6 = bit;
        uint param_7 = width;
        uint _6532 = pelt_bits(param_4, param_5, param_6, param_7);
        key = param_4;
        uint param_8 = word;
        float param_9 = unit;
        uint param_10 = _6532;
        float first = pelt_component_value(param_8, param_9, param_10);
        pelt_words param_11 = next;
        uint param_12 = moment.next;
        uint param_13 = bit;
        uint param_14 = width;
        uint _6550 = pelt_bits(param_11, param_12, param_13, param_14);
        next = param_11;
        uint param_15 = word;
        float param_16 = unit;
        uint param_17 = _6550;
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
        float3 _6595 = pelt_stored_normal(param_18, param_19, param_20, param_21);
        key = param_18;
        float3 first_1 = _6595;
        pelt_words param_22 = next;
        uint param_23 = moment.next;
        uint param_24 = bit;
        uint param_25 = normal_width;
        float3 _6607 = pelt_stored_normal(param_22, param_23, param_24, param_25);
        next = param_22;
        float3 second_1 = _6607;
        normal = normalize((first_1 * (1.0f - moment.u)) + (second_1 * moment.u));
    }
    pelt_vertex _6624 = { place, normal, rest.tangent };
    return _6624;
}

pelt_vertex pelt_baked_vertex(pelt_rest rest, uint vertex, pelt_playing playing)
{
    pelt_rest param = rest;
    pelt_vertex result = pelt_vertex_at_rest(param);
    float _6660;
    float3 _6680;
    for (int i = 0; i < ((playing.fade != 0.0f) ? 2 : 1); i++)
    {
        pelt_rest param_1 = rest;
        uint param_2 = vertex;
        pelt_moment param_3 = playing.moments[i];
        float param_4 = playing.units.x;
        pelt_vertex stored = pelt_vertex_stored(param_1, param_2, param_3, param_4);
        if (i == 0)
        {
            _6660 = 1.0f;
        }
        else
        {
            _6660 = playing.fade;
        }
        float factor = _6660;
        result.position = (result.position * (1.0f - factor)) + (stored.position * factor);
        if (i == 0)
        {
            _6680 = stored.normal;
        }
        else
        {
            _6680 = normalize((result.normal * (1.0f - factor)) + (stored.normal * factor));
        }
        result.normal = _6680;
    }
    return result;
}
