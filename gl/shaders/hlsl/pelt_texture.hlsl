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
    bool is_spherical;
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
        uint2 _3989;
        if ((at & 2u) == 0u)
        {
            _3989 = channels.xy;
        }
        else
        {
            _3989 = channels.zw;
        }
        uint2 pair = _3989;
        uint _4001;
        if ((at & 1u) == 0u)
        {
            _4001 = pair.x;
        }
        else
        {
            _4001 = pair.y;
        }
        return _4001;
    }
    if (PELT_BAKED_TEXEL_WORDS == 2)
    {
        uint2 _4018;
        if ((at & 1u) == 0u)
        {
            _4018 = channels.xy;
        }
        else
        {
            _4018 = channels.zw;
        }
        uint2 halves = _4018;
        return halves.x | (halves.y << 16u);
    }
    return ((channels.x | (channels.y << 8u)) | (channels.z << 16u)) | (channels.w << 24u);
}

float pelt_word_float(inout pelt_words words, uint at)
{
    pelt_words param = words;
    uint param_1 = at;
    uint _4056 = pelt_word(param, param_1);
    words = param;
    return asfloat(_4056);
}

pelt_moment pelt_moment_at(inout pelt_words words, uint clip, float time, bool repeats)
{
    pelt_words param = words;
    uint param_1 = clip;
    uint _4663 = pelt_word(param, param_1);
    words = param;
    uint run = _4663;
    pelt_words param_2 = words;
    uint param_3 = clip + 1u;
    uint _4672 = pelt_word(param_2, param_3);
    words = param_2;
    uint last_run = run + (8u * (_4672 - 1u));
    pelt_words param_4 = words;
    uint param_5 = clip + 2u;
    float _4683 = pelt_word_float(param_4, param_5);
    words = param_4;
    float duration = _4683;
    pelt_words param_6 = words;
    uint param_7 = clip + 3u;
    uint _4691 = pelt_word(param_6, param_7);
    words = param_6;
    bool wraps = (_4691 & 1u) != 0u;
    float t = clamp(time, 0.0f, duration);
    if (repeats)
    {
        float _4704;
        if (duration > 0.0f)
        {
            _4704 = time - (floor(time / duration) * duration);
        }
        else
        {
            _4704 = 0.0f;
        }
        t = _4704;
        float _4720;
        if (t >= duration)
        {
            _4720 = t - duration;
        }
        else
        {
            _4720 = t;
        }
        t = _4720;
    }
    for (;;)
    {
        bool _4736 = run < last_run;
        bool _4748;
        if (_4736)
        {
            pelt_words param_8 = words;
            uint param_9 = run + 8u;
            float _4744 = pelt_word_float(param_8, param_9);
            words = param_8;
            _4748 = _4744 <= t;
        }
        else
        {
            _4748 = _4736;
        }
        if (_4748)
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
    float _4756 = pelt_word_float(param_10, param_11);
    words = param_10;
    float start = _4756;
    pelt_words param_12 = words;
    uint param_13 = run + 1u;
    float _4764 = pelt_word_float(param_12, param_13);
    words = param_12;
    float rate = _4764;
    pelt_words param_14 = words;
    uint param_15 = run + 2u;
    uint _4772 = pelt_word(param_14, param_15);
    words = param_14;
    uint count = _4772;
    pelt_words param_16 = words;
    uint param_17 = run + 3u;
    uint _4780 = pelt_word(param_16, param_17);
    words = param_16;
    uint first = _4780;
    pelt_words param_18 = words;
    uint param_19 = run + 4u;
    uint _4788 = pelt_word(param_18, param_19);
    words = param_18;
    uint stride = _4788;
    pelt_words param_20 = words;
    uint param_21 = run + 5u;
    uint _4796 = pelt_word(param_20, param_21);
    words = param_20;
    uint table = _4796;
    pelt_words param_22 = words;
    uint param_23 = run + 6u;
    uint _4805 = pelt_word(param_22, param_23);
    words = param_22;
    bool is_held = (_4805 & 1u) != 0u;
    uint _4816;
    if (wraps)
    {
        _4816 = count;
    }
    else
    {
        _4816 = count - 1u;
    }
    float x = clamp((t - start) * rate, 0.0f, float(_4816));
    uint key = min(uint(x), (count - 1u));
    uint _4837;
    if ((key + 1u) < count)
    {
        _4837 = key + 1u;
    }
    else
    {
        _4837 = wraps ? 0u : key;
    }
    uint next = _4837;
    float _4859;
    if (is_held)
    {
        _4859 = 0.0f;
    }
    else
    {
        _4859 = x - float(key);
    }
    pelt_moment _4868 = { table, first + (key * stride), first + (next * stride), _4859 };
    return _4868;
}

pelt_moment pelt_clip_at(inout pelt_words words, uint clips, uint clip, float time)
{
    pelt_words param = words;
    uint param_1 = clips + (4u * (clip & 32767u));
    float param_2 = time;
    bool param_3 = (clip & 32768u) != 0u;
    pelt_moment _4887 = pelt_moment_at(param, param_1, param_2, param_3);
    words = param;
    return _4887;
}

pelt_playing pelt_play(uint4 playback, float4 times)
{
    pelt_words words = pelt_words_make();
    pelt_words param = words;
    uint param_1 = 3u;
    uint _4897 = pelt_word(param, param_1);
    words = param;
    pelt_playing playing;
    playing.joint_count = _4897;
    pelt_words param_2 = words;
    uint param_3 = 4u;
    uint _4903 = pelt_word(param_2, param_3);
    words = param_2;
    playing.joints = _4903;
    pelt_words param_4 = words;
    uint param_5 = 6u;
    uint _4910 = pelt_word(param_4, param_5);
    words = param_4;
    uint clips = _4910;
    pelt_words param_6 = words;
    uint param_7 = 7u;
    float _4916 = pelt_word_float(param_6, param_7);
    words = param_6;
    pelt_words param_8 = words;
    uint param_9 = 8u;
    float _4921 = pelt_word_float(param_8, param_9);
    words = param_8;
    playing.units = float2(_4916, _4921);
    playing.is_spherical = (playback.y & 65536u) != 0u;
    playing.fade = asfloat(playback.z);
    playing.weight = asfloat(playback.w);
    pelt_words param_10 = words;
    uint param_11 = clips;
    uint param_12 = playback.x & 65535u;
    float param_13 = times.x;
    pelt_moment _4952 = pelt_clip_at(param_10, param_11, param_12, param_13);
    words = param_10;
    playing.moments[0] = _4952;
    playing.moments[1] = playing.moments[0];
    playing.moments[2] = playing.moments[0];
    playing.moments[3] = playing.moments[0];
    if (playing.fade != 0.0f)
    {
        pelt_words param_14 = words;
        uint param_15 = clips;
        uint param_16 = playback.x >> 16u;
        float param_17 = times.y;
        pelt_moment _4980 = pelt_clip_at(param_14, param_15, param_16, param_17);
        words = param_14;
        playing.moments[1] = _4980;
    }
    if (playing.weight != 0.0f)
    {
        pelt_words param_18 = words;
        uint param_19 = clips + (4u * (playback.y & 32767u));
        uint _4998 = pelt_word(param_18, param_19);
        words = param_18;
        uint run = _4998;
        pelt_words param_20 = words;
        uint param_21 = run + 3u;
        uint _5006 = pelt_word(param_20, param_21);
        words = param_20;
        uint first = _5006;
        pelt_words param_22 = words;
        uint param_23 = run + 5u;
        uint _5014 = pelt_word(param_22, param_23);
        words = param_22;
        uint table = _5014;
        pelt_moment _5019 = { table, first, first, 0.0f };
        playing.moments[2] = _5019;
        pelt_words param_24 = words;
        uint param_25 = clips;
        uint param_26 = playback.y & 65535u;
        float param_27 = times.z;
        pelt_moment _5032 = pelt_clip_at(param_24, param_25, param_26, param_27);
        words = param_24;
        playing.moments[3] = _5032;
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
    uint _4080 = pelt_word(param, param_1);
    words = param;
    uint value = _4080 >> shift;
    if ((shift + width) > 32u)
    {
        pelt_words param_2 = words;
        uint param_3 = at + 1u;
        uint _4096 = pelt_word(param_2, param_3);
        words = param_2;
        value |= (_4096 << (32u - shift));
    }
    uint _4105;
    if (width < 32u)
    {
        _4105 = value & ((1u << width) - 1u);
    }
    else
    {
        _4105 = value;
    }
    return _4105;
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
    uint _5045 = pelt_word(param, param_1);
    record.words = param;
    uint component = _5045;
    uint width = component & 31u;
    width = (width == 31u) ? 32u : width;
    pelt_words param_2 = record.key;
    uint param_3 = moment.key;
    uint param_4 = record.bit;
    uint param_5 = width;
    uint _5067 = pelt_bits(param_2, param_3, param_4, param_5);
    record.key = param_2;
    uint first = _5067;
    pelt_words param_6 = record.next;
    uint param_7 = moment.next;
    uint param_8 = record.bit;
    uint param_9 = width;
    uint _5082 = pelt_bits(param_6, param_7, param_8, param_9);
    record.next = param_6;
    uint second = _5082;
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
    float2 _5118 = pelt_take(param, param_1, param_2);
    record = param;
    float2 x = _5118;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = scale;
    float2 _5127 = pelt_take(param_3, param_4, param_5);
    record = param_3;
    float2 y = _5127;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = scale;
    float2 _5136 = pelt_take(param_6, param_7, param_8);
    record = param_6;
    float2 z = _5136;
    pelt_key_pair _5152 = { float3(x.x, y.x, z.x), float3(x.y, y.y, z.y) };
    return _5152;
}

float2 pelt_arc_parts(float square, float t)
{
    float series = 0.0006734252092428505420684814453125f + (square * ((-0.00016328846686519682407379150390625f) + (square * 7.16249342076480388641357421875e-05f)));
    series = 0.08332048356533050537109375f + (square * (0.011208956129848957061767578125f + (square * (0.001511194393970072269439697265625f + (square * series)))));
    float angle_square = square * (1.00000035762786865234375f + (square * series));
    float2 parts = float2(1.0f - t, t);
    float2 x = (parts * parts) * angle_square;
    float2 sine = 1.6059044372074282591711380518973e-10f.xx + (x * ((-7.6471636098127127034729255683487e-13f).xx + (x * 2.8114573589663703623298118827734e-15f)));
    sine = (-0.00019841270113829523324966430664062f).xx + (x * (2.7557318844628753140568733215332e-06f.xx + (x * ((-2.5052107943679402524139732122421e-08f).xx + (x * sine)))));
    sine = 1.0f.xx + (x * ((-0.16666667163372039794921875f).xx + (x * (0.008333333767950534820556640625f.xx + (x * sine)))));
    return parts * sine;
}

float3 pelt_bend(float3 a, float3 b, float u)
{
    float3 param = a;
    float3 from = pelt_normalize(param);
    float3 param_1 = b;
    float3 to = pelt_normalize(param_1);
    if (dot(from, to) < 0.0f)
    {
        return (a * (1.0f - u)) + (b * u);
    }
    float param_2 = dot(to - from, to - from);
    float param_3 = u;
    float2 parts = pelt_arc_parts(param_2, param_3);
    float size = ((1.0f - u) * length(a)) + (u * length(b));
    float3 param_4 = (from * parts.x) + (to * parts.y);
    return pelt_normalize(param_4) * size;
}

float3 pelt_take_between(inout pelt_record record, pelt_moment moment, float scale)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = scale;
    pelt_key_pair _5163 = pelt_take_vector(param, param_1, param_2);
    record = param;
    pelt_key_pair keys = _5163;
    return (keys.first * (1.0f - moment.u)) + (keys.second * moment.u);
}

void pelt_take_matrix(inout pelt_local pose, inout pelt_record record, pelt_moment moment, float2 units, bool is_spherical)
{
    pelt_record param = record;
    pelt_moment param_1 = moment;
    float param_2 = units.y;
    pelt_key_pair _5690 = pelt_take_vector(param, param_1, param_2);
    record = param;
    pelt_key_pair x = _5690;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = units.y;
    pelt_key_pair _5700 = pelt_take_vector(param_3, param_4, param_5);
    record = param_3;
    pelt_key_pair y = _5700;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = units.y;
    pelt_key_pair _5710 = pelt_take_vector(param_6, param_7, param_8);
    record = param_6;
    pelt_key_pair z = _5710;
    float3x3 first = transpose(float3x3(float3(x.first), float3(y.first), float3(z.first)));
    float3x3 second = transpose(float3x3(float3(x.second), float3(y.second), float3(z.second)));
    float3x3 _5758 = first * (1.0f - moment.u);
    float3x3 _5762 = second * moment.u;
    pose.stretch = float3x3(_5758[0] + _5762[0], _5758[1] + _5762[1], _5758[2] + _5762[2]);
    if (is_spherical)
    {
        float3 param_9 = first[0];
        float3 param_10 = second[0];
        float param_11 = moment.u;
        float3 param_12 = first[1];
        float3 param_13 = second[1];
        float param_14 = moment.u;
        float3 param_15 = first[2];
        float3 param_16 = second[2];
        float param_17 = moment.u;
        pose.stretch = float3x3(float3(pelt_bend(param_9, param_10, param_11)), float3(pelt_bend(param_12, param_13, param_14)), float3(pelt_bend(param_15, param_16, param_17)));
    }
    pelt_record param_18 = record;
    pelt_moment param_19 = moment;
    float param_20 = units.x;
    float3 _5828 = pelt_take_between(param_18, param_19, param_20);
    record = param_18;
    pose.position = float4(_5828, 0.0f);
    pose.is_skewed = true;
}

pelt_dquat pelt_mix_duals(pelt_dquat a, pelt_dquat b, float u)
{
    float _5843;
    if (dot(a.real, b.real) < 0.0f)
    {
        _5843 = -u;
    }
    else
    {
        _5843 = u;
    }
    float other = _5843;
    float4 real = (a.real * (1.0f - u)) + (b.real * other);
    float4 dual = (a.dual * (1.0f - u)) + (b.dual * other);
    float size = length(real);
    pelt_dquat _5884 = { real / size.xxxx, dual / size.xxxx };
    return _5884;
}

void pelt_take_stretch(inout pelt_local pose, inout pelt_record record, pelt_moment moment, uint flags, float unit)
{
    uint stretch = (flags >> 25u) & 3u;
    if (stretch == 1u)
    {
        pelt_record param = record;
        pelt_moment param_1 = moment;
        float param_2 = unit;
        float2 _5368 = pelt_take(param, param_1, param_2);
        record = param;
        float2 keys = _5368;
        pose.stretch = float3x3(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f), float3(0.0f, 0.0f, 1.0f)) * (((1.0f - moment.u) * keys.x) + (moment.u * keys.y));
    }
    else
    {
        if (stretch == 2u)
        {
            pelt_record param_3 = record;
            pelt_moment param_4 = moment;
            float param_5 = unit;
            float3 _5396 = pelt_take_between(param_3, param_4, param_5);
            record = param_3;
            float3 same = _5396;
            pelt_record param_6 = record;
            pelt_moment param_7 = moment;
            float param_8 = unit;
            float3 _5405 = pelt_take_between(param_6, param_7, param_8);
            record = param_6;
            float3 other = _5405;
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
    pelt_key_pair _5893 = pelt_take_vector(param, param_1, param_2);
    record = param;
    pelt_key_pair real = _5893;
    pelt_record param_3 = record;
    pelt_moment param_4 = moment;
    float param_5 = 1.0f;
    float2 _5901 = pelt_take(param_3, param_4, param_5);
    record = param_3;
    float2 real_w = _5901;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    float param_8 = units.x;
    pelt_key_pair _5911 = pelt_take_vector(param_6, param_7, param_8);
    record = param_6;
    pelt_key_pair dual = _5911;
    pelt_record param_9 = record;
    pelt_moment param_10 = moment;
    float param_11 = units.x;
    float2 _5921 = pelt_take(param_9, param_10, param_11);
    record = param_9;
    float2 dual_w = _5921;
    pelt_dquat _5940 = { float4(real.first, real_w.x), float4(dual.first, dual_w.x) };
    pelt_dquat _5957 = { float4(real.second, real_w.y), float4(dual.second, dual_w.y) };
    pelt_dquat param_12 = _5940;
    pelt_dquat param_13 = _5957;
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
    uint _5322 = pelt_word(param, param_1);
    record.words = param;
    uint word = _5322;
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
    float4 _4271;
    if (dot(a, b) < 0.0f)
    {
        _4271 = -b;
    }
    else
    {
        _4271 = b;
    }
    float4 end = _4271;
    float param = dot(end - a, end - a);
    float param_1 = t;
    float2 parts = pelt_arc_parts(param, param_1);
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
    uint _5200 = pelt_bits(param, param_1, param_2, param_3);
    record.key = param;
    uint value = _5200;
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
    uint _5248 = pelt_word(param, param_1);
    record.words = param;
    uint path = _5248;
    record.at++;
    pelt_record param_2 = record;
    pelt_moment param_3 = moment;
    uint param_4 = path & 1023u;
    float param_5 = scale;
    float _5266 = pelt_take_step(param_2, param_3, param_4, param_5);
    record = param_2;
    float x = _5266;
    pelt_record param_6 = record;
    pelt_moment param_7 = moment;
    uint param_8 = (path >> 10u) & 1023u;
    float param_9 = scale;
    float _5279 = pelt_take_step(param_6, param_7, param_8, param_9);
    record = param_6;
    float y = _5279;
    pelt_record param_10 = record;
    pelt_moment param_11 = moment;
    uint param_12 = (path >> 20u) & 1023u;
    float param_13 = scale;
    float _5293 = pelt_take_step(param_10, param_11, param_12, param_13);
    record = param_10;
    float z = _5293;
    return float3(x, y, z) * ((4.0f * moment.u) * (1.0f - moment.u));
}

void pelt_take_pose(inout pelt_local pose, inout pelt_record record, pelt_moment moment, uint flags, float2 units)
{
    pelt_record param = record;
    bool param_1 = (flags & 4194304u) != 0u;
    float4 _5451 = pelt_take_axes(param, param_1);
    record = param;
    pose.rotation = _5451;
    pelt_record param_2 = record;
    bool param_3 = (flags & 536870912u) != 0u;
    float4 _5462 = pelt_take_axes(param_2, param_3);
    record = param_2;
    float4 turn_axes = _5462;
    pelt_record param_4 = record;
    bool param_5 = (flags & 1073741824u) != 0u;
    float4 _5472 = pelt_take_axes(param_4, param_5);
    record = param_4;
    float4 axes = _5472;
    if ((flags & 8388608u) != 0u)
    {
        pelt_record param_6 = record;
        pelt_moment param_7 = moment;
        float param_8 = 1.0f;
        pelt_key_pair _5486 = pelt_take_vector(param_6, param_7, param_8);
        record = param_6;
        pelt_key_pair keys = _5486;
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
        float3 _5534 = pelt_take_between(param_20, param_21, param_22);
        record = param_20;
        float3 place = _5534;
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
        float3 _5572 = pelt_take_path(param_30, param_31, param_32);
        record = param_30;
        float3 path = _5572;
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
        float3 _5605 = pelt_take_path(param_37, param_38, param_39);
        record = param_37;
        float4 param_40 = axes;
        float3 param_41 = _5605;
        float4 _5612 = pose.position;
        float3 _5614 = _5612.xyz + pelt_quat_rotate(param_40, param_41);
        pose.position.x = _5614.x;
        pose.position.y = _5614.y;
        pose.position.z = _5614.z;
    }
}

pelt_local pelt_local_stored(uint joint, float3 pivot, pelt_moment moment, float2 units, bool is_spherical)
{
    bool is_dual = (PELT_BAKED_KIND == 2);
    pelt_local pose;
    pose.rotation = float4(0.0f, 0.0f, 0.0f, 1.0f);
    float3 _5990;
    if (is_dual)
    {
        _5990 = pivot * 0.5f;
    }
    else
    {
        _5990 = pivot;
    }
    pose.position = float4(_5990, 0.0f);
    pose.stretch = float3x3(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f), float3(0.0f, 0.0f, 1.0f));
    pose.is_skewed = false;
    pelt_record record;
    record.words = pelt_words_make();
    record.key = pelt_words_make();
    record.next = pelt_words_make();
    pelt_words param = record.words;
    uint param_1 = moment.table + (joint >> 1u);
    uint _6022 = pelt_word(param, param_1);
    record.words = param;
    uint pair = _6022;
    uint _6029;
    if ((joint & 1u) == 0u)
    {
        _6029 = pair & 65535u;
    }
    else
    {
        _6029 = pair >> 16u;
    }
    uint place = _6029;
    if (place == 0u)
    {
        return pose;
    }
    record.at = moment.table + place;
    pelt_words param_2 = record.words;
    uint param_3 = record.at;
    uint _6056 = pelt_word(param_2, param_3);
    record.words = param_2;
    uint flags = _6056;
    record.at++;
    record.bit = flags & 1048575u;
    if (PELT_BAKED_KIND == 1)
    {
        pelt_local param_4 = pose;
        pelt_record param_5 = record;
        pelt_moment param_6 = moment;
        float2 param_7 = units;
        bool param_8 = is_spherical;
        pelt_take_matrix(param_4, param_5, param_6, param_7, param_8);
        pose = param_4;
        record = param_5;
    }
    else
    {
        if (PELT_BAKED_KIND == 2)
        {
            pelt_local param_9 = pose;
            pelt_record param_10 = record;
            pelt_moment param_11 = moment;
            uint param_12 = flags;
            float2 param_13 = units;
            pelt_take_dual(param_9, param_10, param_11, param_12, param_13);
            pose = param_9;
            record = param_10;
        }
        else
        {
            pelt_local param_14 = pose;
            pelt_record param_15 = record;
            pelt_moment param_16 = moment;
            uint param_17 = flags;
            float2 param_18 = units;
            pelt_take_pose(param_14, param_15, param_16, param_17, param_18);
            pose = param_14;
            record = param_15;
        }
    }
    return pose;
}

pelt_local pelt_local_fade(pelt_local a, pelt_local b, float factor)
{
    float3x3 _6122 = a.stretch * (1.0f - factor);
    float3x3 _6126 = b.stretch * factor;
    float3x3 stretch = float3x3(_6122[0] + _6126[0], _6122[1] + _6126[1], _6122[2] + _6126[2]);
    bool is_skewed = a.is_skewed || b.is_skewed;
    if (PELT_BAKED_KIND == 2)
    {
        pelt_dquat _6151 = { a.rotation, a.position };
        pelt_dquat _6156 = { b.rotation, b.position };
        pelt_dquat param = _6151;
        pelt_dquat param_1 = _6156;
        float param_2 = factor;
        pelt_dquat between = pelt_mix_duals(param, param_1, param_2);
        pelt_local _6168 = { between.real, between.dual, stretch, is_skewed };
        return _6168;
    }
    float4 param_3 = a.rotation;
    float4 param_4 = b.rotation;
    float param_5 = factor;
    pelt_local _6191 = { pelt_quat_slerp(param_3, param_4, param_5), (a.position * (1.0f - factor)) + (b.position * factor), stretch, is_skewed };
    return _6191;
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
    float3x3 _6243 = float3x3(now.stretch[0] - first.stretch[0], now.stretch[1] - first.stretch[1], now.stretch[2] - first.stretch[2]) * weight;
    pelt_local _6262 = { pelt_quat_mul(param_6, param_7), pose.position + ((now.position - first.position) * weight), float3x3(pose.stretch[0] + _6243[0], pose.stretch[1] + _6243[1], pose.stretch[2] + _6243[2]), (pose.is_skewed || first.is_skewed) || now.is_skewed };
    return _6262;
}

pelt_local pelt_local_at(uint joint, float3 pivot, pelt_playing playing)
{
    bool is_added = (playing.weight != 0.0f) && (PELT_BAKED_KIND == 0);
    pelt_local pose;
    pelt_local first;
    for (int i = 0; i < (is_added ? 4 : 2); i++)
    {
        bool _6282 = i == 1;
        bool _6288;
        if (_6282)
        {
            _6288 = playing.fade == 0.0f;
        }
        else
        {
            _6288 = _6282;
        }
        if (_6288)
        {
            continue;
        }
        uint param = joint;
        float3 param_1 = pivot;
        pelt_moment param_2 = playing.moments[i];
        float2 param_3 = playing.units;
        bool param_4 = playing.is_spherical;
        pelt_local stored = pelt_local_stored(param, param_1, param_2, param_3, param_4);
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

bool pelt_is_positive(float3x3 a)
{
    bool _6353 = a[0].x > 0.0f;
    bool _6367;
    if (_6353)
    {
        _6367 = (a[0].x * a[1].y) > (a[0].y * a[0].y);
    }
    else
    {
        _6367 = _6353;
    }
    bool _6379;
    if (_6367)
    {
        _6379 = dot(a[0], cross(a[1], a[2])) > 0.0f;
    }
    else
    {
        _6379 = _6367;
    }
    return _6379;
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
    bool _4359 = trace > x.x;
    bool _4366;
    if (_4359)
    {
        _4366 = trace > y.y;
    }
    else
    {
        _4366 = _4359;
    }
    bool _4373;
    if (_4366)
    {
        _4373 = trace > z.z;
    }
    else
    {
        _4373 = _4366;
    }
    float4 q;
    if (_4373)
    {
        q = float4(y.z - z.y, z.x - x.z, x.y - y.x, 1.0f + trace);
    }
    else
    {
        bool _4400 = x.x >= y.y;
        bool _4408;
        if (_4400)
        {
            _4408 = x.x >= z.z;
        }
        else
        {
            _4408 = _4400;
        }
        if (_4408)
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
    float _4619;
    for (int i = 0; i < 8; i++)
    {
        float3x3 cofactor = float3x3(float3(cross(a[1], a[2])), float3(cross(a[2], a[0])), float3(cross(a[0], a[1])));
        float3x3 param = a;
        float norm = pelt_norm(param);
        float3x3 param_1 = cofactor;
        float cofactor_norm = pelt_norm(param_1);
        bool _4600 = i == 0;
        bool _4614;
        if (_4600)
        {
            _4614 = dot(a[0], cofactor[0]) < (((-9.9999997473787516355514526367188e-06f) * norm) * cofactor_norm);
        }
        else
        {
            _4614 = _4600;
        }
        bool is_mirror = _4614;
        if (cofactor_norm > 1.0000000031710768509710513471353e-30f)
        {
            _4619 = 1.0f / cofactor_norm;
        }
        else
        {
            _4619 = 0.0f;
        }
        float other = _4619;
        float3x3 _4631 = a * ((is_mirror ? (-1.0f) : 1.0f) / norm);
        float3x3 _4634 = cofactor * other;
        a = float3x3(_4631[0] + _4634[0], _4631[1] + _4634[1], _4631[2] + _4634[2]);
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
        bool _6399 = i < playing.joint_count;
        bool _6406;
        if (_6399)
        {
            _6406 = link < playing.joint_count;
        }
        else
        {
            _6406 = _6399;
        }
        if (_6406)
        {
            uint at = playing.joints + (4u * link);
            pelt_words param = words;
            uint param_1 = at;
            uint _6418 = pelt_word(param, param_1);
            words = param;
            uint parent = _6418;
            pelt_words param_2 = words;
            uint param_3 = at + 1u;
            float _6426 = pelt_word_float(param_2, param_3);
            words = param_2;
            pelt_words param_4 = words;
            uint param_5 = at + 2u;
            float _6433 = pelt_word_float(param_4, param_5);
            words = param_4;
            pelt_words param_6 = words;
            uint param_7 = at + 3u;
            float _6440 = pelt_word_float(param_6, param_7);
            words = param_6;
            float3 pivot = float3(_6426, _6433, _6440);
            uint param_8 = link;
            float3 param_9 = pivot;
            pelt_playing param_10 = playing;
            pelt_local pose = pelt_local_at(param_8, param_9, param_10);
            float4 param_11 = pose.rotation;
            float3x3 map = mul(pose.stretch, pelt_mat3_from_quat(param_11));
            float3 position = pose.position.xyz;
            if (PELT_BAKED_KIND == 2)
            {
                pelt_dquat _6470 = { pose.rotation, pose.position };
                pelt_dquat param_12 = _6470;
                position = pelt_dquat_translation(param_12);
            }
            _linear = mul(_linear, map);
            translation = mul(translation - pivot, map) + position;
            float4 param_13 = pose.rotation;
            float4 param_14 = rotation;
            rotation = pelt_quat_mul(param_13, param_14);
            bool is_first = (i == 0u) && (PELT_BAKED_KIND != 1);
            bool _6512;
            if (!is_skewed)
            {
                bool _6511;
                if (pose.is_skewed)
                {
                    bool _6509;
                    if (is_first)
                    {
                        float3x3 param_15 = pose.stretch;
                        _6509 = pelt_is_positive(param_15);
                    }
                    else
                    {
                        _6509 = is_first;
                    }
                    _6511 = !_6509;
                }
                else
                {
                    _6511 = pose.is_skewed;
                }
                _6512 = _6511;
            }
            else
            {
                _6512 = is_skewed;
            }
            is_skewed = _6512;
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
    pelt_joint _6550 = { float4(rows[0], translation.x), float4(rows[1], translation.y), float4(rows[2], translation.z), rotation };
    return _6550;
}

float3 pelt_octahedron(float2 e)
{
    float z = (1.0f - abs(e.x)) - abs(e.y);
    float2 side = float2((e.x < 0.0f) ? (-1.0f) : 1.0f, (e.y < 0.0f) ? (-1.0f) : 1.0f);
    float2 _6575;
    if (z < 0.0f)
    {
        _6575 = (1.0f.xx - abs(e.yx)) * side;
    }
    else
    {
        _6575 = e;
    }
    float2 folded = _6575;
    return normalize(float3(folded, z));
}

float3 pelt_stored_normal(inout pelt_words words, uint key, uint bit, uint width)
{
    pelt_words param = words;
    uint param_1 = key;
    uint param_2 = bit;
    uint param_3 = width;
    uint _6605 = pelt_bits(param, param_1, param_2, param_3);
    words = param;
    pelt_words param_4 = words;
    uint param_5 = key;
    uint param_6 = bit + width;
    uint param_7 = width;
    uint _6618 = pelt_bits(param_4, param_5, param_6, param_7);
    words = param_4;
    float2 steps = float2(float(_6605), float(_6618));
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
    uint _6648 = pelt_word(param, param_1);
    words = param;
    uint header = _6648;
    uint width = header & 255u;
    uint normal_width = (header >> 8u) & 255u;
    bool is_shared = (header & 65536u) != 0u;
    uint _6667;
    if (is_shared)
    {
        _6667 = 0u;
    }
    else
    {
        _6667 = 3u * vertex;
    }
    uint component = (moment.table + 1u) + _6667;
    uint bit = vertex * ((3u * width) + (2u * normal_width));
    float3 place = rest.position;
    for (int i = 0; i < 3; i++)
    {
        pelt_words param_2 = words;
        uint param_3 = component + uint(i);
        uint _6702 = pelt_word(param_2, param_3);
        words = param_2;
        uint word = _6702;
        pelt_words param_4 = key;
        uint param_5 = moment.key;
        uint param_6 = bit;
        uint param_7 = width;
        uint _6714 = pelt_bits(param_4, param_5, param_6, param_7);
        key = param_4;
        uint param_8 = word;
        float param_9 = unit;
        uint param_10 = _6714;
        float first = pelt_component_value(param_8, param_9, param_10);
        pelt_words param_11 = next;
        uint param_12 = moment.next;
        uint param_13 = bit;
        uint param_14 = width;
        uint _6732 = pelt_bits(param_11, param_12, param_13, param_14);
        next = param_11;
        uint param_15 = word;
        float param_16 = unit;
        uint param_17 = _6732;
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
        float3 _6777 = pelt_stored_normal(param_18, param_19, param_20, param_21);
        key = param_18;
        float3 first_1 = _6777;
        pelt_words param_22 = next;
        uint param_23 = moment.next;
        uint param_24 = bit;
        uint param_25 = normal_width;
        float3 _6789 = pelt_stored_normal(param_22, param_23, param_24, param_25);
        next = param_22;
        float3 second_1 = _6789;
        normal = normalize((first_1 * (1.0f - moment.u)) + (second_1 * moment.u));
    }
    pelt_vertex _6806 = { place, normal, rest.tangent };
    return _6806;
}

pelt_vertex pelt_baked_vertex(pelt_rest rest, uint vertex, pelt_playing playing)
{
    pelt_rest param = rest;
    pelt_vertex result = pelt_vertex_at_rest(param);
    float _6842;
    float3 _6862;
    for (int i = 0; i < ((playing.fade != 0.0f) ? 2 : 1); i++)
    {
        pelt_rest param_1 = rest;
        uint param_2 = vertex;
        pelt_moment param_3 = playing.moments[i];
        float param_4 = playing.units.x;
        pelt_vertex stored = pelt_vertex_stored(param_1, param_2, param_3, param_4);
        if (i == 0)
        {
            _6842 = 1.0f;
        }
        else
        {
            _6842 = playing.fade;
        }
        float factor = _6842;
        result.position = (result.position * (1.0f - factor)) + (stored.position * factor);
        if (i == 0)
        {
            _6862 = stored.normal;
        }
        else
        {
            _6862 = normalize((result.normal * (1.0f - factor)) + (stored.normal * factor));
        }
        result.normal = _6862;
    }
    return result;
}
