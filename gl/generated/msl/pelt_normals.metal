// SPDX-License-Identifier: MIT
// Accurate normals of pelt, translated from its GLSL by tools/shaders.
// Goes after pelt_skin, and needs pelt_normal_texel() as well.

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

struct pelt_gradients
{
    float2x3 axes;
    float3 normal;
    float3 center;
    float2x3 center_derivatives;
    int first;
    int count;
};

struct pelt_mean
{
    float4 sum;
    float3x3 rotation;
    short is_canceled;
    float3x3 stretch;
};

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
pelt_gradients pelt_gradients_at(thread const pelt_rest& rest, thread const pelt_influences& influences, thread const bool& is_bent, texture2d<float> pelt_normal_factors)
{
    int header = ((PELT_NORMAL_CENTERS != 0) ? 4 : 2);
    int at = rest.index * (header + (2 * PELT_NORMAL_SLOTS));
    int param = at;
    float4 tangent_count = pelt_normal_texel(param, pelt_normal_factors);
    int param_1 = at + 1;
    float4 projected = pelt_normal_texel(param_1, pelt_normal_factors);
    pelt_gradients gradients;
    gradients.count = int(tangent_count.w);
    int _2273;
    if (gradients.count > 0)
    {
        _2273 = at + header;
    }
    else
    {
        _2273 = -1;
    }
    gradients.first = _2273;
    bool _2289;
    if (is_bent)
    {
        _2289 = gradients.count == 0;
    }
    else
    {
        _2289 = is_bent;
    }
    if (_2289)
    {
        gradients.count = PELT_INFLUENCES;
    }
    float3 param_2 = rest.normal;
    float3 n = pelt_normalize(param_2);
    float3 t = tangent_count.xyz;
    float3 param_3 = t - (n * dot(t, n));
    float3 param_4 = pelt_normalize(param_3);
    float3 param_5 = n;
    float2 param_6 = projected.xy;
    float3x3 axes = pelt_plane_axes(param_4, param_5, param_6);
    gradients.axes = float2x3(float3(axes[0]), float3(axes[1]));
    gradients.normal = axes[2];
    gradients.center = rest.center;
    gradients.center_derivatives = float2x3(float3(0.0), float3(0.0));
    if (PELT_NORMAL_CENTERS != 0)
    {
        int param_7 = at + 2;
        float4 more = pelt_normal_texel(param_7, pelt_normal_factors);
        gradients.center = float3(projected.zw, more.x);
        int param_8 = at + 3;
        gradients.center_derivatives = float2x3(float3(more.yzw), float3(pelt_normal_texel(param_8, pelt_normal_factors).xyz));
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
pelt_factor pelt_factor_at(thread const pelt_gradients& gradients, thread const pelt_influences& influences, thread const int& i, texture2d<float> pelt_normal_factors)
{
    bool _2382;
    if (PELT_SCALE == 1)
    {
        _2382 = gradients.first < 0;
    }
    else
    {
        _2382 = (PELT_SCALE == 1);
    }
    if (_2382)
    {
        pelt_influences param = influences;
        int param_1 = i;
        return pelt_factor_of_influence(param, param_1);
    }
    int param_2 = gradients.first + (2 * i);
    float4 head = pelt_normal_texel(param_2, pelt_normal_factors);
    int param_3 = (gradients.first + (2 * i)) + 1;
    float4 moments = pelt_normal_texel(param_3, pelt_normal_factors);
    return pelt_factor{ uint(head.x), head.y, head.zw, moments };
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
float2x3 pelt_jacobian_lbs(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    uint param = influences.joints[0];
    float3 origin = float4(position, 1.0) * pelt_palette_matrix(param, pelt_palette);
    float2x3 jacobian = float2x3(float3(0.0), float3(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param_1 = gradients;
        pelt_influences param_2 = influences;
        int param_3 = i;
        pelt_factor factor = pelt_factor_at(param_1, param_2, param_3, pelt_normal_factors);
        uint param_4 = factor.joint;
        float3x4 matrix = pelt_palette_matrix(param_4, pelt_palette);
        float3 offset = (float4(position, 1.0) * matrix) - origin;
        pelt_gradients param_5 = gradients;
        pelt_factor param_6 = factor;
        float2x3 _2843 = transpose(float3x3(matrix[0].xyz, matrix[1].xyz, matrix[2].xyz)) * pelt_moments_of(param_5, param_6);
        float3 param_7 = offset;
        float2 param_8 = factor.gradient;
        float2x3 _2849 = pelt_outer(param_7, param_8);
        float2x3 _2856 = float2x3(_2843[0] + _2849[0], _2843[1] + _2849[1]);
        jacobian = float2x3(jacobian[0] + _2856[0], jacobian[1] + _2856[1]);
    }
    return jacobian;
}

static inline __attribute__((always_inline))
float3x3 pelt_map_of(thread const pelt_gradients& gradients, thread const float2x3& jacobian, thread const float& handedness)
{
    float3 product = cross(jacobian[0], jacobian[1]);
    float size = length(product);
    float3 _2450;
    if (size > 0.0)
    {
        _2450 = product * (handedness / sqrt(size));
    }
    else
    {
        _2450 = float3(0.0);
    }
    float3 normal = _2450;
    float3x3 _2466 = jacobian * transpose(gradients.axes);
    float3x3 _2491 = float3x3(float3(normal * gradients.normal.x), float3(normal * gradients.normal.y), float3(normal * gradients.normal.z));
    return float3x3(_2466[0] + _2491[0], _2466[1] + _2491[1], _2466[2] + _2491[2]);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_lbs_accurate(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
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
        float2x3 jacobian = pelt_jacobian_lbs(param_9, param_10, param_11, pelt_palette, pelt_normal_factors);
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
    bool _2212;
    if ((PELT_SCALE == 1) && (PELT_INFLUENCES > 1))
    {
        _2212 = influences.weights[1] > 0.0;
    }
    else
    {
        _2212 = ((PELT_SCALE == 1) && (PELT_INFLUENCES > 1));
    }
    return _2212;
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
pelt_mean pelt_mean_at(thread const pelt_influences& influences, thread const pelt_gradients& gradients, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    pelt_mean mean;
    mean.sum = float4(0.0);
    mean.stretch = float3x3(float3(0.0), float3(0.0), float3(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param = gradients;
        pelt_influences param_1 = influences;
        int param_2 = i;
        pelt_factor factor = pelt_factor_at(param, param_1, param_2, pelt_normal_factors);
        pelt_influences param_3 = influences;
        uint param_4 = factor.joint;
        mean.sum += (pelt_signed_rotation(param_3, param_4, pelt_palette) * factor.weight);
        uint param_5 = factor.joint;
        float3x3 _2560 = pelt_joint_stretch(param_5, pelt_palette) * factor.weight;
        mean.stretch = float3x3(mean.stretch[0] + _2560[0], mean.stretch[1] + _2560[1], mean.stretch[2] + _2560[2]);
    }
    if (PELT_SCALE == 0)
    {
        mean.stretch = float3x3(float3(1.0, 0.0, 0.0), float3(0.0, 1.0, 0.0), float3(0.0, 0.0, 1.0));
    }
    float4 param_6 = mean.sum;
    mean.is_canceled = short(pelt_is_canceled(param_6));
    uint param_7 = influences.joints[0];
    float4 strongest = pelt_palette_rotation(param_7, pelt_palette);
    float4 _2592;
    if (bool(mean.is_canceled))
    {
        _2592 = strongest;
    }
    else
    {
        _2592 = fast::normalize(mean.sum);
    }
    float4 param_8 = _2592;
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
    float3 _2619;
    if (bool(mean.is_canceled))
    {
        _2619 = float3(0.0);
    }
    else
    {
        _2619 = product * (2.0 / dot(mean.sum, mean.sum));
    }
    return _2619;
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_map(thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    float2x3 stretched = float2x3(float3(0.0), float3(0.0));
    float2x3 rotated = float2x3(float3(0.0), float3(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param = gradients;
        pelt_influences param_1 = influences;
        int param_2 = i;
        pelt_factor factor = pelt_factor_at(param, param_1, param_2, pelt_normal_factors);
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
        float2x3 _2686 = pelt_joint_stretch(param_9, pelt_palette) * moments;
        stretched = float2x3(stretched[0] + _2686[0], stretched[1] + _2686[1]);
        float2x3 _2711 = float2x3(float3(cross(velocity, moved[0])), float3(cross(velocity, moved[1])));
        rotated = float2x3(rotated[0] + _2711[0], rotated[1] + _2711[1]);
    }
    float2x3 _2725 = mean.rotation * stretched;
    return float2x3(_2725[0] + rotated[0], _2725[1] + rotated[1]);
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
float2x3 pelt_derive_weights(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
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
        pelt_factor factor = pelt_factor_at(param_3, param_4, param_5, pelt_normal_factors);
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
        float2x4 _3056 = pelt_outer_quat(param_13, param_14);
        sums = float2x4(sums[0] + _3056[0], sums[1] + _3056[1]);
        float4 param_15 = moment;
        float2 param_16 = factor.gradient;
        float2x4 _3070 = pelt_outer_quat(param_15, param_16);
        moments = float2x4(moments[0] + _3070[0], moments[1] + _3070[1]);
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
float3x4 pelt_blend_columns(thread const pelt_influences& influences, thread const pelt_gradients& gradients, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    float3x4 columns = float3x4(float4(0.0), float4(0.0), float4(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param = gradients;
        pelt_influences param_1 = influences;
        int param_2 = i;
        pelt_factor factor = pelt_factor_at(param, param_1, param_2, pelt_normal_factors);
        pelt_influences param_3 = influences;
        uint param_4 = factor.joint;
        float4 q = pelt_signed_rotation(param_3, param_4, pelt_palette) * factor.weight;
        uint param_5 = factor.joint;
        float3x4 _3191 = pelt_palette_matrix(param_5, pelt_palette);
        float3x3 linear = transpose(float3x3(_3191[0].xyz, _3191[1].xyz, _3191[2].xyz));
        float3 param_6 = linear[0];
        float4 param_7 = q;
        float3 param_8 = linear[1];
        float4 param_9 = q;
        float3 param_10 = linear[2];
        float4 param_11 = q;
        float3x4 _3233 = float3x4(float4(pelt_times_vector(param_6, param_7)), float4(pelt_times_vector(param_8, param_9)), float4(pelt_times_vector(param_10, param_11)));
        columns = float3x4(columns[0] + _3233[0], columns[1] + _3233[1], columns[2] + _3233[2]);
    }
    return columns;
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_position(thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    pelt_influences param = influences;
    pelt_gradients param_1 = gradients;
    float3x4 columns = pelt_blend_columns(param, param_1, pelt_palette, pelt_normal_factors);
    float2x4 firsts = float2x4(float4(0.0), float4(0.0));
    float2x4 seconds = float2x4(float4(0.0), float4(0.0));
    float2x3 thirds = float2x3(float3(0.0), float3(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param_2 = gradients;
        pelt_influences param_3 = influences;
        int param_4 = i;
        pelt_factor factor = pelt_factor_at(param_2, param_3, param_4, pelt_normal_factors);
        pelt_influences param_5 = influences;
        uint param_6 = factor.joint;
        float4 q = pelt_signed_rotation(param_5, param_6, pelt_palette);
        pelt_gradients param_7 = gradients;
        pelt_factor param_8 = factor;
        float2x3 moments = pelt_moments_of(param_7, param_8);
        float2x3 _3296 = gradients.axes * factor.weight;
        float2x3 excess = float2x3(moments[0] - _3296[0], moments[1] - _3296[1]);
        uint param_9 = factor.joint;
        float3x4 _3308 = pelt_palette_matrix(param_9, pelt_palette);
        float2x3 moved = transpose(float3x3(_3308[0].xyz, _3308[1].xyz, _3308[2].xyz)) * moments;
        float2x4 blended = columns * excess;
        float4 param_10 = q;
        float4 back = pelt_quat_conjugate(param_10);
        float3 param_11 = moved[0];
        float4 param_12 = q;
        float3 param_13 = moved[1];
        float4 param_14 = q;
        float2x4 _3349 = float2x4(float4(pelt_times_vector(param_11, param_12)), float4(pelt_times_vector(param_13, param_14)));
        firsts = float2x4(firsts[0] + _3349[0], firsts[1] + _3349[1]);
        float4 param_15 = blended[0];
        float4 param_16 = back;
        float4 param_17 = blended[1];
        float4 param_18 = back;
        float2x4 _3380 = float2x4(float4(pelt_quat_mul(param_15, param_16)), float4(pelt_quat_mul(param_17, param_18)));
        seconds = float2x4(seconds[0] + _3380[0], seconds[1] + _3380[1]);
        float2x3 _3394 = excess * dot(mean.sum, q);
        thirds = float2x3(thirds[0] + _3394[0], thirds[1] + _3394[1]);
    }
    float scale = 1.0 / dot(mean.sum, mean.sum);
    float2x4 _3419 = (columns * thirds) * (2.0 * scale);
    float2x4 whole = float2x4(firsts[0] - _3419[0], firsts[1] - _3419[1]);
    float4 param_19 = mean.sum;
    float4 back_1 = pelt_quat_conjugate(param_19);
    float4 param_20 = whole[0];
    float4 param_21 = back_1;
    float4 param_22 = whole[1];
    float4 param_23 = back_1;
    return float2x3(float3(pelt_quat_mul(param_20, param_21).xyz + seconds[0].xyz), float3(pelt_quat_mul(param_22, param_23).xyz + seconds[1].xyz)) * scale;
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_stretch(thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const float3& v, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
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
        pelt_factor factor = pelt_factor_at(param, param_1, param_2, pelt_normal_factors);
        uint param_3 = factor.joint;
        float3 param_4 = pelt_joint_stretch(param_3, pelt_palette) * v;
        float2 param_5 = factor.gradient;
        float2x3 _2770 = pelt_outer(param_4, param_5);
        sum = float2x3(sum[0] + _2770[0], sum[1] + _2770[1]);
    }
    return sum;
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_phases(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    pelt_influences param = influences;
    pelt_gradients param_1 = gradients;
    pelt_mean param_2 = mean;
    float2x3 _3473 = pelt_derive_map(param, param_1, param_2, pelt_palette, pelt_normal_factors);
    pelt_influences param_3 = influences;
    pelt_gradients param_4 = gradients;
    float3 param_5 = position;
    float2x3 _3483 = mean.rotation * pelt_derive_stretch(param_3, param_4, param_5, pelt_palette, pelt_normal_factors);
    return float2x3(_3473[0] + _3483[0], _3473[1] + _3483[1]);
}

static inline __attribute__((always_inline))
float2x3 pelt_jacobian_dqs(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    pelt_influences param = influences;
    pelt_gradients param_1 = gradients;
    pelt_mean mean = pelt_mean_at(param, param_1, pelt_palette, pelt_normal_factors);
    if (bool(mean.is_canceled))
    {
        pelt_influences param_2 = influences;
        pelt_gradients param_3 = gradients;
        pelt_mean param_4 = mean;
        return pelt_derive_map(param_2, param_3, param_4, pelt_palette, pelt_normal_factors);
    }
    float3 param_5 = position;
    pelt_influences param_6 = influences;
    pelt_gradients param_7 = gradients;
    pelt_mean param_8 = mean;
    float2x3 changes = pelt_derive_weights(param_5, param_6, param_7, param_8, pelt_palette, pelt_normal_factors);
    if (PELT_SCALE == 1)
    {
        pelt_influences param_9 = influences;
        pelt_gradients param_10 = gradients;
        pelt_mean param_11 = mean;
        float2x3 _3530 = pelt_derive_position(param_9, param_10, param_11, pelt_palette, pelt_normal_factors);
        return float2x3(_3530[0] + changes[0], _3530[1] + changes[1]);
    }
    float3 param_12 = position;
    pelt_influences param_13 = influences;
    pelt_gradients param_14 = gradients;
    pelt_mean param_15 = mean;
    float2x3 _3548 = pelt_derive_phases(param_12, param_13, param_14, param_15, pelt_palette, pelt_normal_factors);
    return float2x3(_3548[0] + changes[0], _3548[1] + changes[1]);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_dqs_accurate(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
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
        float2x3 jacobian = pelt_jacobian_dqs(param_9, param_10, param_11, pelt_palette, pelt_normal_factors);
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
float2x3 pelt_jacobian_mix(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const float& factor, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    float3 param = position;
    pelt_influences param_1 = influences;
    pelt_gradients param_2 = gradients;
    float2x3 _3628 = pelt_jacobian_lbs(param, param_1, param_2, pelt_palette, pelt_normal_factors) * (1.0 - factor);
    float3 param_3 = position;
    pelt_influences param_4 = influences;
    pelt_gradients param_5 = gradients;
    float2x3 _3637 = pelt_jacobian_dqs(param_3, param_4, param_5, pelt_palette, pelt_normal_factors) * factor;
    return float2x3(_3628[0] + _3637[0], _3628[1] + _3637[1]);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_mix_accurate(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
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
        float2x3 jacobian = pelt_jacobian_mix(param_9, param_10, param_11, param_12, pelt_palette, pelt_normal_factors);
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
float2x3 pelt_derive_center(thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    float4 start = float4(gradients.center, 1.0);
    float2x3 derivatives = gradients.center_derivatives;
    if (PELT_SCALE == 2)
    {
        float3 _3787 = mean.stretch * gradients.center;
        start.x = _3787.x;
        start.y = _3787.y;
        start.z = _3787.z;
        float2x3 _3797 = mean.stretch * derivatives;
        pelt_influences param = influences;
        pelt_gradients param_1 = gradients;
        float3 param_2 = gradients.center;
        float2x3 _3805 = pelt_derive_stretch(param, param_1, param_2, pelt_palette, pelt_normal_factors);
        derivatives = float2x3(_3797[0] + _3805[0], _3797[1] + _3805[1]);
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
        pelt_factor factor = pelt_factor_at(param_4, param_5, param_6, pelt_normal_factors);
        uint param_7 = factor.joint;
        float3x4 matrix = pelt_center_matrix(param_7, pelt_palette);
        float3x3 _3856 = transpose(float3x3(matrix[0].xyz, matrix[1].xyz, matrix[2].xyz)) * factor.weight;
        linear = float3x3(linear[0] + _3856[0], linear[1] + _3856[1], linear[2] + _3856[2]);
        float3 param_8 = (start * matrix) - origin;
        float2 param_9 = factor.gradient;
        float2x3 _3877 = pelt_outer(param_8, param_9);
        changes = float2x3(changes[0] + _3877[0], changes[1] + _3877[1]);
    }
    float2x3 _3891 = linear * derivatives;
    return float2x3(changes[0] + _3891[0], changes[1] + _3891[1]);
}

static inline __attribute__((always_inline))
float2x3 pelt_derive_rotation(thread const pelt_influences& influences, thread const pelt_gradients& gradients, thread const pelt_mean& mean, thread const float3& offset, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    float2x4 change = float2x4(float4(0.0), float4(0.0));
    for (int i = 0; i < gradients.count; i++)
    {
        pelt_gradients param = gradients;
        pelt_influences param_1 = influences;
        int param_2 = i;
        pelt_factor factor = pelt_factor_at(param, param_1, param_2, pelt_normal_factors);
        pelt_influences param_3 = influences;
        uint param_4 = factor.joint;
        float4 param_5 = pelt_signed_rotation(param_3, param_4, pelt_palette);
        float2 param_6 = factor.gradient;
        float2x4 _3930 = pelt_outer_quat(param_5, param_6);
        change = float2x4(change[0] + _3930[0], change[1] + _3930[1]);
    }
    float3 moved = mean.rotation * (mean.stretch * offset);
    pelt_mean param_7 = mean;
    float4 param_8 = change[0];
    pelt_mean param_9 = mean;
    float4 param_10 = change[1];
    return float2x3(float3(cross(pelt_angular_velocity(param_7, param_8), moved)), float3(cross(pelt_angular_velocity(param_9, param_10), moved)));
}

static inline __attribute__((always_inline))
float2x3 pelt_jacobian_crs(thread const float3& position, thread const pelt_influences& influences, thread const pelt_gradients& gradients, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
{
    pelt_influences param = influences;
    pelt_gradients param_1 = gradients;
    pelt_mean mean = pelt_mean_at(param, param_1, pelt_palette, pelt_normal_factors);
    float3 offset = position - gradients.center;
    pelt_influences param_2 = influences;
    pelt_gradients param_3 = gradients;
    float3 param_4 = offset;
    float2x3 _3994 = pelt_derive_stretch(param_2, param_3, param_4, pelt_palette, pelt_normal_factors);
    float2x3 _3999 = mean.stretch * gradients.center_derivatives;
    float2x3 along = float2x3(_3994[0] - _3999[0], _3994[1] - _3999[1]);
    pelt_influences param_5 = influences;
    pelt_gradients param_6 = gradients;
    pelt_mean param_7 = mean;
    float2x3 _4013 = pelt_derive_map(param_5, param_6, param_7, pelt_palette, pelt_normal_factors);
    float2x3 _4017 = mean.rotation * along;
    float2x3 _4024 = float2x3(_4013[0] + _4017[0], _4013[1] + _4017[1]);
    pelt_influences param_8 = influences;
    pelt_gradients param_9 = gradients;
    pelt_mean param_10 = mean;
    float2x3 _4031 = pelt_derive_center(param_8, param_9, param_10, pelt_palette, pelt_normal_factors);
    float2x3 _4038 = float2x3(_4024[0] + _4031[0], _4024[1] + _4031[1]);
    pelt_influences param_11 = influences;
    pelt_gradients param_12 = gradients;
    pelt_mean param_13 = mean;
    float3 param_14 = offset;
    float2x3 _4047 = pelt_derive_rotation(param_11, param_12, param_13, param_14, pelt_palette, pelt_normal_factors);
    return float2x3(_4038[0] + _4047[0], _4038[1] + _4047[1]);
}

static inline __attribute__((always_inline))
pelt_vertex pelt_deform_crs_accurate(thread const pelt_rest& rest, thread const pelt_influences& influences, pelt_palette_source pelt_palette, texture2d<float> pelt_normal_factors)
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
        float2x3 jacobian = pelt_jacobian_crs(param_8, param_9, param_10, pelt_palette, pelt_normal_factors);
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
