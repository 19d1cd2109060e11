// SPDX-License-Identifier: MIT
// Accurate normals with compact factors of pelt, translated from its GLSL by tools/shaders.
// Goes after pelt_skin, and needs pelt_normal_words() as well.

// Accurate normals: slots for factors per vertex, and whether the texture has centers of rotation
// (0 or 1).
#ifndef PELT_NORMAL_SLOTS
#define PELT_NORMAL_SLOTS 4
#endif
#ifndef PELT_NORMAL_CENTERS
#define PELT_NORMAL_CENTERS 0
#endif

struct pelt_factor
{
    uint joint;
    float weight;
    float2 gradient;
    float4 moments;
};

struct pelt_packed
{
    spvUnsafeArray<uint, 10> words;
};

struct pelt_gradients
{
    float2x3 axes;
    float3 normal;
    float3 center;
    float2x3 center_derivatives;
    short is_constant;
    int count;
    spvUnsafeArray<pelt_factor, 4> factors;
};

struct pelt_mean
{
    float4 sum;
    float3x3 rotation;
    short is_canceled;
    float3x3 stretch;
};

static inline __attribute__((always_inline))
pelt_packed pelt_packed_at(thread const int& vertex0, texture2d<uint> pelt_normal_factors)
{
    pelt_packed stored;
    for (int i = 0; i < 5; i++)
    {
        int param = (5 * vertex0) + i;
        uint2 pair = pelt_normal_words(param, pelt_normal_factors);
        stored.words[2 * i] = pair.x;
        stored.words[(2 * i) + 1] = pair.y;
    }
    return stored;
}

static inline __attribute__((always_inline))
uint pelt_packed_bits(thread const pelt_packed& stored, thread const int& at, thread const int& count)
{
    int word = at >> 5;
    int shift = at & 31;
    uint bits = stored.words[word] >> uint(shift);
    if ((shift + count) > 32)
    {
        bits |= (stored.words[word + 1] << uint(32 - shift));
    }
    return bits & ((1u << uint(count)) - 1u);
}

static inline __attribute__((always_inline))
float pelt_packed_fraction(thread const pelt_packed& stored, thread const int& at, thread const int& count)
{
    int whole = (1 << (count - 1)) - 1;
    pelt_packed param = stored;
    int param_1 = at;
    int param_2 = count;
    int bits = int(pelt_packed_bits(param, param_1, param_2));
    int _2389;
    if (bits > whole)
    {
        _2389 = (bits - (2 * whole)) - 2;
    }
    else
    {
        _2389 = bits;
    }
    return float(_2389) / float(whole);
}

static inline __attribute__((always_inline))
float3x3 pelt_plane_axes(thread const float3& tangent, thread const float3& normal, thread const float2& projected)
{
    float3 bitangent = cross(normal, tangent);
    float k = 2.0 / (1.0 + dot(projected, projected));
    float3 offset = (tangent * projected.x) + (bitangent * projected.y);
    float3 sum = (offset + normal) * k;
    return float3x3(float3(tangent - (sum * projected.x)), float3(bitangent - (sum * projected.y)), float3(sum - normal));
}

static inline __attribute__((always_inline))
float pelt_packed_size(thread const pelt_packed& stored, thread const int& at)
{
    pelt_packed param = stored;
    int param_1 = at;
    int param_2 = 8;
    return exp2((0.25 * float(pelt_packed_bits(param, param_1, param_2))) - 32.0);
}

static inline __attribute__((always_inline))
uint pelt_packed_joint(thread const pelt_packed& stored, thread const int& i)
{
    pelt_packed param = stored;
    int param_1 = 56 + (16 * i);
    int param_2 = 16;
    return pelt_packed_bits(param, param_1, param_2);
}

static inline __attribute__((always_inline))
pelt_factor pelt_packed_factor(thread const pelt_packed& stored, thread const int& i, thread const int& at, thread const int& bits, thread const float2& sizes)
{
    pelt_packed param = stored;
    int param_1 = i;
    pelt_factor factor;
    factor.joint = pelt_packed_joint(param, param_1);
    pelt_packed param_2 = stored;
    int param_3 = at;
    int param_4 = bits;
    factor.weight = float(pelt_packed_bits(param_2, param_3, param_4)) / float((1 << bits) - 1);
    pelt_packed param_5 = stored;
    int param_6 = at + bits;
    int param_7 = bits;
    pelt_packed param_8 = stored;
    int param_9 = at + (2 * bits);
    int param_10 = bits;
    factor.gradient = float2(pelt_packed_fraction(param_5, param_6, param_7), pelt_packed_fraction(param_8, param_9, param_10)) * sizes.x;
    pelt_packed param_11 = stored;
    int param_12 = at + (3 * bits);
    int param_13 = bits;
    pelt_packed param_14 = stored;
    int param_15 = at + (4 * bits);
    int param_16 = bits;
    pelt_packed param_17 = stored;
    int param_18 = at + (5 * bits);
    int param_19 = bits;
    pelt_packed param_20 = stored;
    int param_21 = at + (6 * bits);
    int param_22 = bits;
    factor.moments = float4(pelt_packed_fraction(param_11, param_12, param_13), pelt_packed_fraction(param_14, param_15, param_16), pelt_packed_fraction(param_17, param_18, param_19), pelt_packed_fraction(param_20, param_21, param_22)) * sizes.y;
    return factor;
}

static inline __attribute__((always_inline))
float2x3 pelt_packed_derivatives(thread const pelt_packed& stored, thread const int& at, thread const int& bits)
{
    float2x3 derivatives;
    for (int axis = 0; axis < 2; axis++)
    {
        int first = at + ((3 * axis) * bits);
        pelt_packed param = stored;
        int param_1 = first;
        int param_2 = bits;
        pelt_packed param_3 = stored;
        int param_4 = first + bits;
        int param_5 = bits;
        pelt_packed param_6 = stored;
        int param_7 = first + (2 * bits);
        int param_8 = bits;
        derivatives[axis] = float3(pelt_packed_fraction(param, param_1, param_2), pelt_packed_fraction(param_3, param_4, param_5), pelt_packed_fraction(param_6, param_7, param_8));
    }
    pelt_packed param_9 = stored;
    int param_10 = 48;
    return derivatives * pelt_packed_size(param_9, param_10);
}

static inline __attribute__((always_inline))
void pelt_packed_factors(thread pelt_gradients& gradients, thread const pelt_packed& stored, thread const uint& strongest, thread const int& count)
{
    int numbers = (7 * count) + (6 * PELT_NORMAL_CENTERS);
    int first = 56 + (16 * count);
    int bits = min(16, ((320 - first) / numbers));
    pelt_packed param = stored;
    int param_1 = 32;
    pelt_packed param_2 = stored;
    int param_3 = 40;
    float2 sizes = float2(pelt_packed_size(param, param_1), pelt_packed_size(param_2, param_3));
    gradients.factors[0] = pelt_factor{ strongest, 1.0, float2(0.0), float4(1.0, 0.0, 0.0, 1.0) };
    for (int i = 0; i < count; i++)
    {
        pelt_packed param_4 = stored;
        int param_5 = i;
        int param_6 = first + ((7 * i) * bits);
        int param_7 = bits;
        float2 param_8 = sizes;
        pelt_factor factor = pelt_packed_factor(param_4, param_5, param_6, param_7, param_8);
        gradients.factors[0].weight -= factor.weight;
        gradients.factors[0].gradient -= factor.gradient;
        gradients.factors[0].moments -= factor.moments;
        gradients.factors[i + 1] = factor;
    }
    if (PELT_NORMAL_CENTERS != 0)
    {
        pelt_packed param_9 = stored;
        int param_10 = first + ((7 * count) * bits);
        int param_11 = bits;
        gradients.center_derivatives = pelt_packed_derivatives(param_9, param_10, param_11);
    }
}

static inline __attribute__((always_inline))
pelt_gradients pelt_gradients_at(thread const pelt_rest& rest, thread const pelt_influences& influences, thread const bool& is_bent, texture2d<uint> pelt_normal_factors)
{
    int param = rest.index;
    pelt_packed stored = pelt_packed_at(param, pelt_normal_factors);
    pelt_packed param_1 = stored;
    int param_2 = 2;
    int param_3 = 2;
    int count = int(pelt_packed_bits(param_1, param_2, param_3));
    pelt_packed param_4 = stored;
    int param_5 = 0;
    int param_6 = 2;
    uint axis = pelt_packed_bits(param_4, param_5, param_6);
    pelt_gradients gradients;
    gradients.is_constant = short(count == 0);
    int _2706;
    if (count > 0)
    {
        _2706 = count + 1;
    }
    else
    {
        _2706 = is_bent ? PELT_INFLUENCES : 0;
    }
    gradients.count = _2706;
    gradients.center = rest.center;
    gradients.center_derivatives = float2x3(float3(0.0), float3(0.0));
    float3 param_7 = rest.normal;
    float3 n = pelt_normalize(param_7);
    float3 t = float3(float(axis == 0u), float(axis == 1u), float(axis == 2u));
    pelt_packed param_8 = stored;
    int param_9 = 4;
    int param_10 = 14;
    pelt_packed param_11 = stored;
    int param_12 = 18;
    int param_13 = 14;
    float2 projected = float2(pelt_packed_fraction(param_8, param_9, param_10), pelt_packed_fraction(param_11, param_12, param_13));
    float3 param_14 = t - (n * dot(t, n));
    float3 param_15 = pelt_normalize(param_14);
    float3 param_16 = n;
    float2 param_17 = projected;
    float3x3 axes = pelt_plane_axes(param_15, param_16, param_17);
    gradients.axes = float2x3(float3(axes[0]), float3(axes[1]));
    gradients.normal = axes[2];
    if (count > 0)
    {
        pelt_gradients param_18 = gradients;
        pelt_packed param_19 = stored;
        uint param_20 = influences.joints[0];
        int param_21 = count;
        pelt_packed_factors(param_18, param_19, param_20, param_21);
        gradients = param_18;
    }
    return gradients;
}

static inline __attribute__((always_inline))
pelt_factor pelt_factor_of_influence(thread const pelt_influences& influences, thread const int& i)
{
    float weight = influences.weights[i];
    return pelt_factor{ influences.joints[i], weight, float2(0.0), float4(weight, 0.0, 0.0, weight) };
}

static inline __attribute__((always_inline))
pelt_factor pelt_factor_at(thread const pelt_gradients& gradients, thread const pelt_influences& influences, thread const int& i)
{
    if ((PELT_SCALE == 1) && bool(gradients.is_constant))
    {
        pelt_influences param = influences;
        int param_1 = i;
        return pelt_factor_of_influence(param, param_1);
    }
    return gradients.factors[i];
}

static inline __attribute__((always_inline))
float2x3 pelt_moments_of(thread const pelt_gradients& gradients, thread const pelt_factor& factor)
{
    return gradients.axes * float2x2(float2(factor.moments.xy), float2(factor.moments.zw));
}

static inline __attribute__((always_inline))
float2x3 pelt_outer(thread const float3& a, thread const float2& b)
{
    return float2x3(float3(a * b.x), float3(a * b.y));
}

static inline __attribute__((always_inline))
float2x3 pelt_jacobian_lbs(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, pelt_palette_source pelt_palette)
{
    uint param = influences.joints[0];
    float3 origin = float4(position, 1.0) * pelt_palette_matrix(param, pelt_palette);
    float2x3 jacobian = float2x3(float3(0.0), float3(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param_1 = gradients;
        pelt_influences param_2 = influences;
        int param_3 = i;
        pelt_factor factor = pelt_factor_at(param_1, param_2, param_3);
        uint param_4 = factor.joint;
        float3x4 matrix = pelt_palette_matrix(param_4, pelt_palette);
        float3 offset = (float4(position, 1.0) * matrix) - origin;
        pelt_gradients param_5 = gradients;
        pelt_factor param_6 = factor;
        float2x3 _3243 = transpose(float3x3(matrix[0].xyz, matrix[1].xyz, matrix[2].xyz)) * pelt_moments_of(param_5, param_6);
        float3 param_7 = offset;
        float2 param_8 = factor.gradient;
        float2x3 _3249 = pelt_outer(param_7, param_8);
        float2x3 _3256 = float2x3(_3243[0] + _3249[0], _3243[1] + _3249[1]);
        jacobian = float2x3(jacobian[0] + _3256[0], jacobian[1] + _3256[1]);
    }
    return jacobian;
}

static inline __attribute__((always_inline))
float3x3 pelt_map_of(thread const pelt_gradients& gradients, thread const float2x3& jacobian, thread const float& handedness)
{
    float3 product = cross(jacobian[0], jacobian[1]);
    float size = length(product);
    float3 _2850;
    if (size > 0.0)
    {
        _2850 = product * (handedness / sqrt(size));
    }
    else
    {
        _2850 = float3(0.0);
    }
    float3 normal = _2850;
    float3x3 _2866 = jacobian * transpose(gradients.axes);
    float3x3 _2891 = float3x3(float3(normal * gradients.normal.x), float3(normal * gradients.normal.y), float3(normal * gradients.normal.z));
    return float3x3(_2866[0] + _2891[0], _2866[1] + _2891[1], _2866[2] + _2891[2]);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_lbs_accurate(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette, texture2d<uint> pelt_normal_factors)
{
    pelt_influences param = influences;
    if (pelt_is_unweighted(param))
    {
        pelt_rest param_1 = rest;
        return pelt_vertex_at_rest(param_1);
    }
    pelt_rest param_2 = rest;
    pelt_influences param_3 = influences;
    pelt_motion motion = pelt_skin_lbs(param_2, param_3, pelt_palette);
    pelt_influences param_4 = influences;
    float3x3 param_5 = pelt_strongest_matrix(param_4, pelt_palette);
    float handedness = pelt_handedness_of(param_5);
    pelt_rest param_6 = rest;
    pelt_influences param_7 = influences;
    bool param_8 = false;
    pelt_gradients gradients = pelt_gradients_at(param_6, param_7, param_8, pelt_normal_factors);
    if (gradients.count > 0)
    {
        float3 param_9 = rest.position;
        pelt_influences param_10 = influences;
        pelt_gradients param_11 = gradients;
        float2x3 jacobian = pelt_jacobian_lbs(param_9, param_10, param_11, pelt_palette);
        pelt_gradients param_12 = gradients;
        float2x3 param_13 = jacobian;
        float param_14 = handedness;
        motion.linear = pelt_map_of(param_12, param_13, param_14);
    }
    pelt_rest param_15 = rest;
    pelt_motion param_16 = motion;
    pelt_influences param_17 = influences;
    return pelt_move_lbs(param_15, param_16, param_17, pelt_palette);
}

static inline __attribute__((always_inline))
bool pelt_is_bent_by_stretch(thread const pelt_influences& influences)
{
    bool _2265;
    if ((PELT_SCALE == 1) && (PELT_INFLUENCES > 1))
    {
        _2265 = influences.weights[1] > 0.0;
    }
    else
    {
        _2265 = ((PELT_SCALE == 1) && (PELT_INFLUENCES > 1));
    }
    return _2265;
}

static inline __attribute__((always_inline))
float4 pelt_signed_rotation(thread const pelt_influences& influences, thread const uint& joint, pelt_palette_source pelt_palette)
{
    uint param = joint;
    float4 q = pelt_palette_rotation(param, pelt_palette);
    uint param_1 = influences.joints[0];
    float4 param_2 = q;
    float4 param_3 = pelt_palette_rotation(param_1, pelt_palette);
    return q * pelt_sign_of(param_2, param_3);
}

static inline __attribute__((always_inline))
pelt_mean pelt_mean_at(thread const pelt_influences& influences, thread const pelt_gradients& gradients, pelt_palette_source pelt_palette)
{
    pelt_mean mean;
    mean.sum = float4(0.0);
    mean.stretch = float3x3(float3(0.0), float3(0.0), float3(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param = gradients;
        pelt_influences param_1 = influences;
        int param_2 = i;
        pelt_factor factor = pelt_factor_at(param, param_1, param_2);
        pelt_influences param_3 = influences;
        uint param_4 = factor.joint;
        mean.sum += (pelt_signed_rotation(param_3, param_4, pelt_palette) * factor.weight);
        uint param_5 = factor.joint;
        float3x3 _2960 = pelt_joint_stretch(param_5, pelt_palette) * factor.weight;
        mean.stretch = float3x3(mean.stretch[0] + _2960[0], mean.stretch[1] + _2960[1], mean.stretch[2] + _2960[2]);
    }
    if (PELT_SCALE == 0)
    {
        mean.stretch = float3x3(float3(1.0, 0.0, 0.0), float3(0.0, 1.0, 0.0), float3(0.0, 0.0, 1.0));
    }
    float4 param_6 = mean.sum;
    mean.is_canceled = short(pelt_is_canceled(param_6));
    uint param_7 = influences.joints[0];
    float4 strongest = pelt_palette_rotation(param_7, pelt_palette);
    float4 _2992;
    if (bool(mean.is_canceled))
    {
        _2992 = strongest;
    }
    else
    {
        _2992 = fast::normalize(mean.sum);
    }
    float4 param_8 = _2992;
    mean.rotation = pelt_mat3_from_quat(param_8);
    return mean;
}

static inline __attribute__((always_inline))
float3 pelt_angular_velocity(thread const pelt_mean& mean, thread const float4& change)
{
    float4 param = mean.sum;
    float4 param_1 = change;
    float4 param_2 = pelt_quat_conjugate(param);
    float3 product = pelt_quat_mul(param_1, param_2).xyz;
    float3 _3019;
    if (bool(mean.is_canceled))
    {
        _3019 = float3(0.0);
    }
    else
    {
        _3019 = product * (2.0 / dot(mean.sum, mean.sum));
    }
    return _3019;
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_map(thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, pelt_palette_source pelt_palette)
{
    float2x3 stretched = float2x3(float3(0.0), float3(0.0));
    float2x3 rotated = float2x3(float3(0.0), float3(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param = gradients;
        pelt_influences param_1 = influences;
        int param_2 = i;
        pelt_factor factor = pelt_factor_at(param, param_1, param_2);
        pelt_gradients param_3 = gradients;
        pelt_factor param_4 = factor;
        float2x3 moments = pelt_moments_of(param_3, param_4);
        float2x3 moved = mean.rotation * (mean.stretch * moments);
        pelt_influences param_5 = influences;
        uint param_6 = factor.joint;
        float4 change = pelt_signed_rotation(param_5, param_6, pelt_palette);
        pelt_mean param_7 = mean;
        float4 param_8 = change;
        float3 velocity = pelt_angular_velocity(param_7, param_8);
        uint param_9 = factor.joint;
        float2x3 _3086 = pelt_joint_stretch(param_9, pelt_palette) * moments;
        stretched = float2x3(stretched[0] + _3086[0], stretched[1] + _3086[1]);
        float2x3 _3111 = float2x3(float3(cross(velocity, moved[0])), float3(cross(velocity, moved[1])));
        rotated = float2x3(rotated[0] + _3111[0], rotated[1] + _3111[1]);
    }
    float2x3 _3125 = mean.rotation * stretched;
    return float2x3(_3125[0] + rotated[0], _3125[1] + rotated[1]);
}

static inline __attribute__((always_inline))
float3 pelt_joint_target(thread const uint& joint, thread const float3& position, thread const float3x3& stretch, pelt_palette_source pelt_palette)
{
    if (PELT_SCALE == 1)
    {
        uint param = joint;
        return float4(position, 1.0) * pelt_palette_matrix(param, pelt_palette);
    }
    if (PELT_SCALE == 2)
    {
        uint param_1 = joint;
        float4 param_2 = pelt_palette_rotation(param_1, pelt_palette);
        uint param_3 = joint;
        return (pelt_mat3_from_quat(param_2) * (stretch * position)) + pelt_joint_translation(param_3, pelt_palette);
    }
    uint param_4 = joint;
    pelt_dquat motion = pelt_palette_motion(param_4, pelt_palette);
    float4 param_5 = motion.real;
    pelt_dquat param_6 = motion;
    return (pelt_mat3_from_quat(param_5) * position) + pelt_dquat_translation(param_6);
}

static inline __attribute__((always_inline))
float4 pelt_times_vector(thread const float3& v, thread const float4& q)
{
    float4 param = float4(v, 0.0);
    float4 param_1 = q;
    return pelt_quat_mul(param, param_1);
}

static inline __attribute__((always_inline))
float2x4 pelt_outer_quat(thread const float4& a, thread const float2& b)
{
    return float2x4(float4(a * b.x), float4(a * b.y));
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_weights(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, pelt_palette_source pelt_palette)
{
    uint param = influences.joints[0];
    float3 param_1 = position;
    float3x3 param_2 = mean.stretch;
    float3 origin = pelt_joint_target(param, param_1, param_2, pelt_palette);
    float4 mean_moment = float4(0.0);
    float2x4 sums = float2x4(float4(0.0), float4(0.0));
    float2x4 moments = float2x4(float4(0.0), float4(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param_3 = gradients;
        pelt_influences param_4 = influences;
        int param_5 = i;
        pelt_factor factor = pelt_factor_at(param_3, param_4, param_5);
        pelt_influences param_6 = influences;
        uint param_7 = factor.joint;
        float4 q = pelt_signed_rotation(param_6, param_7, pelt_palette);
        uint param_8 = factor.joint;
        float3 param_9 = position;
        float3x3 param_10 = mean.stretch;
        float3 offset = pelt_joint_target(param_8, param_9, param_10, pelt_palette) - origin;
        float3 param_11 = offset;
        float4 param_12 = q;
        float4 moment = pelt_times_vector(param_11, param_12);
        mean_moment += (moment * factor.weight);
        float4 param_13 = q;
        float2 param_14 = factor.gradient;
        float2x4 _3456 = pelt_outer_quat(param_13, param_14);
        sums = float2x4(sums[0] + _3456[0], sums[1] + _3456[1]);
        float4 param_15 = moment;
        float2 param_16 = factor.gradient;
        float2x4 _3470 = pelt_outer_quat(param_15, param_16);
        moments = float2x4(moments[0] + _3470[0], moments[1] + _3470[1]);
    }
    float scale = 1.0 / dot(mean.sum, mean.sum);
    float4 param_17 = mean.sum;
    float4 back = pelt_quat_conjugate(param_17);
    float4 param_18 = mean_moment;
    float4 param_19 = back;
    float3 x = pelt_quat_mul(param_18, param_19).xyz * scale;
    float3 param_20 = x;
    float4 param_21 = mean.sum;
    mean_moment -= pelt_times_vector(param_20, param_21);
    float2x3 changes;
    for (int axis = 0; axis < 2; axis++)
    {
        float3 param_22 = x;
        float4 param_23 = sums[axis];
        float4 moment_1 = moments[axis] - pelt_times_vector(param_22, param_23);
        float4 param_24 = moment_1;
        float4 param_25 = back;
        float4 param_26 = sums[axis];
        float4 param_27 = mean_moment;
        float4 param_28 = pelt_quat_conjugate(param_26);
        float4 change = pelt_quat_mul(param_24, param_25) + pelt_quat_mul(param_27, param_28);
        changes[axis] = change.xyz * scale;
    }
    return changes;
}

static inline __attribute__((always_inline))
float3x4 pelt_blend_columns(thread const pelt_influences& influences, thread const pelt_gradients& gradients, pelt_palette_source pelt_palette)
{
    float3x4 columns = float3x4(float4(0.0), float4(0.0), float4(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param = gradients;
        pelt_influences param_1 = influences;
        int param_2 = i;
        pelt_factor factor = pelt_factor_at(param, param_1, param_2);
        pelt_influences param_3 = influences;
        uint param_4 = factor.joint;
        float4 q = pelt_signed_rotation(param_3, param_4, pelt_palette) * factor.weight;
        uint param_5 = factor.joint;
        float3x4 _3591 = pelt_palette_matrix(param_5, pelt_palette);
        float3x3 linear = transpose(float3x3(_3591[0].xyz, _3591[1].xyz, _3591[2].xyz));
        float3 param_6 = linear[0];
        float4 param_7 = q;
        float3 param_8 = linear[1];
        float4 param_9 = q;
        float3 param_10 = linear[2];
        float4 param_11 = q;
        float3x4 _3633 = float3x4(float4(pelt_times_vector(param_6, param_7)), float4(pelt_times_vector(param_8, param_9)), float4(pelt_times_vector(param_10, param_11)));
        columns = float3x4(columns[0] + _3633[0], columns[1] + _3633[1], columns[2] + _3633[2]);
    }
    return columns;
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_position(thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    pelt_gradients param_1 = gradients;
    float3x4 columns = pelt_blend_columns(param, param_1, pelt_palette);
    float2x4 firsts = float2x4(float4(0.0), float4(0.0));
    float2x4 seconds = float2x4(float4(0.0), float4(0.0));
    float2x3 thirds = float2x3(float3(0.0), float3(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param_2 = gradients;
        pelt_influences param_3 = influences;
        int param_4 = i;
        pelt_factor factor = pelt_factor_at(param_2, param_3, param_4);
        pelt_influences param_5 = influences;
        uint param_6 = factor.joint;
        float4 q = pelt_signed_rotation(param_5, param_6, pelt_palette);
        pelt_gradients param_7 = gradients;
        pelt_factor param_8 = factor;
        float2x3 moments = pelt_moments_of(param_7, param_8);
        float2x3 _3696 = gradients.axes * factor.weight;
        float2x3 excess = float2x3(moments[0] - _3696[0], moments[1] - _3696[1]);
        uint param_9 = factor.joint;
        float3x4 _3708 = pelt_palette_matrix(param_9, pelt_palette);
        float2x3 moved = transpose(float3x3(_3708[0].xyz, _3708[1].xyz, _3708[2].xyz)) * moments;
        float2x4 blended = columns * excess;
        float4 param_10 = q;
        float4 back = pelt_quat_conjugate(param_10);
        float3 param_11 = moved[0];
        float4 param_12 = q;
        float3 param_13 = moved[1];
        float4 param_14 = q;
        float2x4 _3749 = float2x4(float4(pelt_times_vector(param_11, param_12)), float4(pelt_times_vector(param_13, param_14)));
        firsts = float2x4(firsts[0] + _3749[0], firsts[1] + _3749[1]);
        float4 param_15 = blended[0];
        float4 param_16 = back;
        float4 param_17 = blended[1];
        float4 param_18 = back;
        float2x4 _3780 = float2x4(float4(pelt_quat_mul(param_15, param_16)), float4(pelt_quat_mul(param_17, param_18)));
        seconds = float2x4(seconds[0] + _3780[0], seconds[1] + _3780[1]);
        float2x3 _3794 = excess * dot(mean.sum, q);
        thirds = float2x3(thirds[0] + _3794[0], thirds[1] + _3794[1]);
    }
    float scale = 1.0 / dot(mean.sum, mean.sum);
    float2x4 _3819 = (columns * thirds) * (2.0 * scale);
    float2x4 whole = float2x4(firsts[0] - _3819[0], firsts[1] - _3819[1]);
    float4 param_19 = mean.sum;
    float4 back_1 = pelt_quat_conjugate(param_19);
    float4 param_20 = whole[0];
    float4 param_21 = back_1;
    float4 param_22 = whole[1];
    float4 param_23 = back_1;
    return float2x3(float3(pelt_quat_mul(param_20, param_21).xyz + seconds[0].xyz), float3(pelt_quat_mul(param_22, param_23).xyz + seconds[1].xyz)) * scale;
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_stretch(thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const float3& v, pelt_palette_source pelt_palette)
{
    float2x3 sum = float2x3(float3(0.0), float3(0.0));
    if (PELT_SCALE == 0)
    {
        return sum;
    }
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param = gradients;
        pelt_influences param_1 = influences;
        int param_2 = i;
        pelt_factor factor = pelt_factor_at(param, param_1, param_2);
        uint param_3 = factor.joint;
        float3 param_4 = pelt_joint_stretch(param_3, pelt_palette) * v;
        float2 param_5 = factor.gradient;
        float2x3 _3170 = pelt_outer(param_4, param_5);
        sum = float2x3(sum[0] + _3170[0], sum[1] + _3170[1]);
    }
    return sum;
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_phases(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    pelt_gradients param_1 = gradients;
    pelt_mean param_2 = mean;
    float2x3 _3873 = pelt_derive_map(param, param_1, param_2, pelt_palette);
    pelt_influences param_3 = influences;
    pelt_gradients param_4 = gradients;
    float3 param_5 = position;
    float2x3 _3883 = mean.rotation * pelt_derive_stretch(param_3, param_4, param_5, pelt_palette);
    return float2x3(_3873[0] + _3883[0], _3873[1] + _3883[1]);
}

static inline __attribute__((always_inline))
float2x3 pelt_jacobian_dqs(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    pelt_gradients param_1 = gradients;
    pelt_mean mean = pelt_mean_at(param, param_1, pelt_palette);
    if (bool(mean.is_canceled))
    {
        pelt_influences param_2 = influences;
        pelt_gradients param_3 = gradients;
        pelt_mean param_4 = mean;
        return pelt_derive_map(param_2, param_3, param_4, pelt_palette);
    }
    float3 param_5 = position;
    pelt_influences param_6 = influences;
    pelt_gradients param_7 = gradients;
    pelt_mean param_8 = mean;
    float2x3 changes = pelt_derive_weights(param_5, param_6, param_7, param_8, pelt_palette);
    if (PELT_SCALE == 1)
    {
        pelt_influences param_9 = influences;
        pelt_gradients param_10 = gradients;
        pelt_mean param_11 = mean;
        float2x3 _3930 = pelt_derive_position(param_9, param_10, param_11, pelt_palette);
        return float2x3(_3930[0] + changes[0], _3930[1] + changes[1]);
    }
    float3 param_12 = position;
    pelt_influences param_13 = influences;
    pelt_gradients param_14 = gradients;
    pelt_mean param_15 = mean;
    float2x3 _3948 = pelt_derive_phases(param_12, param_13, param_14, param_15, pelt_palette);
    return float2x3(_3948[0] + changes[0], _3948[1] + changes[1]);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_dqs_accurate(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette, texture2d<uint> pelt_normal_factors)
{
    pelt_influences param = influences;
    if (pelt_is_unweighted(param))
    {
        pelt_rest param_1 = rest;
        return pelt_vertex_at_rest(param_1);
    }
    pelt_rest param_2 = rest;
    pelt_influences param_3 = influences;
    pelt_motion motion = pelt_skin_dqs(param_2, param_3, pelt_palette);
    pelt_influences param_4 = influences;
    float handedness = pelt_strongest_handedness(param_4, pelt_palette);
    pelt_influences param_5 = influences;
    pelt_rest param_6 = rest;
    pelt_influences param_7 = influences;
    bool param_8 = pelt_is_bent_by_stretch(param_5);
    pelt_gradients gradients = pelt_gradients_at(param_6, param_7, param_8, pelt_normal_factors);
    if (gradients.count > 0)
    {
        float3 param_9 = rest.position;
        pelt_influences param_10 = influences;
        pelt_gradients param_11 = gradients;
        float2x3 jacobian = pelt_jacobian_dqs(param_9, param_10, param_11, pelt_palette);
        pelt_gradients param_12 = gradients;
        float2x3 param_13 = jacobian;
        float param_14 = handedness;
        motion.linear = pelt_map_of(param_12, param_13, param_14);
    }
    pelt_rest param_15 = rest;
    pelt_motion param_16 = motion;
    pelt_influences param_17 = influences;
    return pelt_move_dqs(param_15, param_16, param_17, pelt_palette);
}

static inline __attribute__((always_inline))
float2x3 pelt_jacobian_mix(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const float& factor, pelt_palette_source pelt_palette)
{
    float3 param = position;
    pelt_influences param_1 = influences;
    pelt_gradients param_2 = gradients;
    float2x3 _4028 = pelt_jacobian_lbs(param, param_1, param_2, pelt_palette) * (1.0 - factor);
    float3 param_3 = position;
    pelt_influences param_4 = influences;
    pelt_gradients param_5 = gradients;
    float2x3 _4037 = pelt_jacobian_dqs(param_3, param_4, param_5, pelt_palette) * factor;
    return float2x3(_4028[0] + _4037[0], _4028[1] + _4037[1]);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_mix_accurate(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette, texture2d<uint> pelt_normal_factors)
{
    pelt_influences param = influences;
    if (pelt_is_unweighted(param))
    {
        pelt_rest param_1 = rest;
        return pelt_vertex_at_rest(param_1);
    }
    pelt_rest param_2 = rest;
    pelt_influences param_3 = influences;
    pelt_motion motion = pelt_skin_mix(param_2, param_3, pelt_palette);
    pelt_influences param_4 = influences;
    float handedness = pelt_strongest_handedness(param_4, pelt_palette);
    pelt_influences param_5 = influences;
    pelt_rest param_6 = rest;
    pelt_influences param_7 = influences;
    bool param_8 = pelt_is_bent_by_stretch(param_5);
    pelt_gradients gradients = pelt_gradients_at(param_6, param_7, param_8, pelt_normal_factors);
    if (gradients.count > 0)
    {
        float3 param_9 = rest.position;
        pelt_influences param_10 = influences;
        pelt_gradients param_11 = gradients;
        float param_12 = rest.mix_factor;
        float2x3 jacobian = pelt_jacobian_mix(param_9, param_10, param_11, param_12, pelt_palette);
        pelt_gradients param_13 = gradients;
        float2x3 param_14 = jacobian;
        float param_15 = handedness;
        motion.linear = pelt_map_of(param_13, param_14, param_15);
    }
    pelt_rest param_16 = rest;
    pelt_motion param_17 = motion;
    pelt_influences param_18 = influences;
    return pelt_move_mix(param_16, param_17, param_18, pelt_palette);
}

static inline __attribute__((always_inline))
float3x4 pelt_center_matrix(thread const uint& joint, pelt_palette_source pelt_palette)
{
    if (PELT_SCALE == 2)
    {
        uint param = joint;
        float4 param_1 = pelt_palette_rotation(param, pelt_palette);
        float3x3 rows = transpose(pelt_mat3_from_quat(param_1));
        uint param_2 = joint;
        float3 translation = pelt_joint_translation(param_2, pelt_palette);
        return float3x4(float4(float4(rows[0], translation.x)), float4(float4(rows[1], translation.y)), float4(float4(rows[2], translation.z)));
    }
    uint param_3 = joint;
    return pelt_palette_matrix(param_3, pelt_palette);
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_center(thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, pelt_palette_source pelt_palette)
{
    float4 start = float4(gradients.center, 1.0);
    float2x3 derivatives = gradients.center_derivatives;
    if (PELT_SCALE == 2)
    {
        float3 _4187 = mean.stretch * gradients.center;
        start.x = _4187.x;
        start.y = _4187.y;
        start.z = _4187.z;
        float2x3 _4197 = mean.stretch * derivatives;
        pelt_influences param = influences;
        pelt_gradients param_1 = gradients;
        float3 param_2 = gradients.center;
        float2x3 _4205 = pelt_derive_stretch(param, param_1, param_2, pelt_palette);
        derivatives = float2x3(_4197[0] + _4205[0], _4197[1] + _4205[1]);
    }
    uint param_3 = influences.joints[0];
    float3 origin = start * pelt_center_matrix(param_3, pelt_palette);
    float3x3 linear = float3x3(float3(0.0), float3(0.0), float3(0.0));
    float2x3 changes = float2x3(float3(0.0), float3(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param_4 = gradients;
        pelt_influences param_5 = influences;
        int param_6 = i;
        pelt_factor factor = pelt_factor_at(param_4, param_5, param_6);
        uint param_7 = factor.joint;
        float3x4 matrix = pelt_center_matrix(param_7, pelt_palette);
        float3x3 _4256 = transpose(float3x3(matrix[0].xyz, matrix[1].xyz, matrix[2].xyz)) * factor.weight;
        linear = float3x3(linear[0] + _4256[0], linear[1] + _4256[1], linear[2] + _4256[2]);
        float3 param_8 = (start * matrix) - origin;
        float2 param_9 = factor.gradient;
        float2x3 _4277 = pelt_outer(param_8, param_9);
        changes = float2x3(changes[0] + _4277[0], changes[1] + _4277[1]);
    }
    float2x3 _4291 = linear * derivatives;
    return float2x3(changes[0] + _4291[0], changes[1] + _4291[1]);
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_rotation(thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, thread const float3& offset, pelt_palette_source pelt_palette)
{
    float2x4 change = float2x4(float4(0.0), float4(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param = gradients;
        pelt_influences param_1 = influences;
        int param_2 = i;
        pelt_factor factor = pelt_factor_at(param, param_1, param_2);
        pelt_influences param_3 = influences;
        uint param_4 = factor.joint;
        float4 param_5 = pelt_signed_rotation(param_3, param_4, pelt_palette);
        float2 param_6 = factor.gradient;
        float2x4 _4330 = pelt_outer_quat(param_5, param_6);
        change = float2x4(change[0] + _4330[0], change[1] + _4330[1]);
    }
    float3 moved = mean.rotation * (mean.stretch * offset);
    pelt_mean param_7 = mean;
    float4 param_8 = change[0];
    pelt_mean param_9 = mean;
    float4 param_10 = change[1];
    return float2x3(float3(cross(pelt_angular_velocity(param_7, param_8), moved)), float3(cross(pelt_angular_velocity(param_9, param_10), moved)));
}

static inline __attribute__((always_inline))
float2x3 pelt_jacobian_crs(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, pelt_palette_source pelt_palette)
{
    pelt_influences param = influences;
    pelt_gradients param_1 = gradients;
    pelt_mean mean = pelt_mean_at(param, param_1, pelt_palette);
    float3 offset = position - gradients.center;
    pelt_influences param_2 = influences;
    pelt_gradients param_3 = gradients;
    float3 param_4 = offset;
    float2x3 _4394 = pelt_derive_stretch(param_2, param_3, param_4, pelt_palette);
    float2x3 _4399 = mean.stretch * gradients.center_derivatives;
    float2x3 along = float2x3(_4394[0] - _4399[0], _4394[1] - _4399[1]);
    pelt_influences param_5 = influences;
    pelt_gradients param_6 = gradients;
    pelt_mean param_7 = mean;
    float2x3 _4413 = pelt_derive_map(param_5, param_6, param_7, pelt_palette);
    float2x3 _4417 = mean.rotation * along;
    float2x3 _4424 = float2x3(_4413[0] + _4417[0], _4413[1] + _4417[1]);
    pelt_influences param_8 = influences;
    pelt_gradients param_9 = gradients;
    pelt_mean param_10 = mean;
    float2x3 _4431 = pelt_derive_center(param_8, param_9, param_10, pelt_palette);
    float2x3 _4438 = float2x3(_4424[0] + _4431[0], _4424[1] + _4431[1]);
    pelt_influences param_11 = influences;
    pelt_gradients param_12 = gradients;
    pelt_mean param_13 = mean;
    float3 param_14 = offset;
    float2x3 _4447 = pelt_derive_rotation(param_11, param_12, param_13, param_14, pelt_palette);
    return float2x3(_4438[0] + _4447[0], _4438[1] + _4447[1]);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_crs_accurate(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette, texture2d<uint> pelt_normal_factors)
{
    pelt_influences param = influences;
    if (pelt_is_unweighted(param))
    {
        pelt_rest param_1 = rest;
        return pelt_vertex_at_rest(param_1);
    }
    pelt_rest param_2 = rest;
    pelt_influences param_3 = influences;
    pelt_motion motion = pelt_skin_crs(param_2, param_3, pelt_palette);
    pelt_influences param_4 = influences;
    float handedness = pelt_strongest_handedness(param_4, pelt_palette);
    pelt_rest param_5 = rest;
    pelt_influences param_6 = influences;
    bool param_7 = false;
    pelt_gradients gradients = pelt_gradients_at(param_5, param_6, param_7, pelt_normal_factors);
    if (gradients.count > 0)
    {
        float3 param_8 = rest.position;
        pelt_influences param_9 = influences;
        pelt_gradients param_10 = gradients;
        float2x3 jacobian = pelt_jacobian_crs(param_8, param_9, param_10, pelt_palette);
        pelt_gradients param_11 = gradients;
        float2x3 param_12 = jacobian;
        float param_13 = handedness;
        motion.linear = pelt_map_of(param_11, param_12, param_13);
    }
    pelt_rest param_14 = rest;
    pelt_motion param_15 = motion;
    pelt_influences param_16 = influences;
    return pelt_move_crs(param_14, param_15, param_16, pelt_palette);
}
