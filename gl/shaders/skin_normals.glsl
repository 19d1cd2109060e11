// SPDX-License-Identifier: MIT
// Accurate normals: the derivative of a method along two axes in the plane of a vertex's triangles,
// from the gradients of the weights. Factors come from a texture of floats, or, with
// PELT_NORMAL_COMPACT, of ten words per vertex: see pelt_gpu_normals_write(),
// pelt_gpu_normals_pack() and docs/normals.md.

// The weight of one joint near a vertex. The moments are the derivatives of weight times position,
// in coordinates of the axes: two numbers along axis 0, two along axis 1. They are not a mat2,
// because some translators do not support it in a structure.
struct pelt_factor
{
    uint joint;
    float weight;
    vec2 gradient;
    vec4 moments;
};

// The outer product: columns a * b.x and a * b.y.
mat2x3 pelt_outer(vec3 a, vec2 b)
{
    return mat2x3(b.x * a, b.y * a);
}

mat2x4 pelt_outer_quat(vec4 a, vec2 b)
{
    return mat2x4(b.x * a, b.y * a);
}

// The axes of the factors, and the normal of their plane. It is stored as its stereographic
// projection about the normal of the vertex. The shortest rotation from the normal n to the normal
// p of the plane takes from a vector perpendicular to n twice its projection onto n + p.
mat3 pelt_plane_axes(vec3 tangent, vec3 normal, vec2 projected)
{
    vec3 bitangent = cross(normal, tangent);
    float k = 2.0 / (1.0 + dot(projected, projected));
    vec3 offset = projected.x * tangent + projected.y * bitangent;
    vec3 sum = k * (offset + normal);
    return mat3(tangent - projected.x * sum, bitangent - projected.y * sum, sum - normal);
}

// Whether the derivative of dqs differs from the linear part of the motion although weights are
// constant: if several joints stretch about the vertex.
bool pelt_is_bent_by_stretch(pelt_influences influences)
{
    return PELT_SCALE == PELT_GPU_SCALE_LOCAL && PELT_INFLUENCES > 1 && influences.weights[1] > 0.0;
}

// Where weights are constant, factors are the influences.
pelt_factor pelt_factor_of_influence(pelt_influences influences, int i)
{
    float weight = influences.weights[i];
    return pelt_factor(influences.joints[i], weight, vec2(0.0), vec4(weight, 0.0, 0.0, weight));
}

#if defined(PELT_NORMAL_COMPACT)

#if defined(VULKAN)
layout(set = 0, binding = 3) uniform utexture2D pelt_normal_factors;
#else
uniform highp usampler2D pelt_normal_factors;
#endif

// Two of the ten words of a vertex. The texture has two words per texel.
uvec2 pelt_normal_words(int at)
{
    ivec2 texel = ivec2(at % PELT_NORMAL_WIDTH, at / PELT_NORMAL_WIDTH);
    return texelFetch(pelt_normal_factors, texel, 0).xy;
}

// The words of a vertex: 2 bits name the coordinate axis whose projection is the tangent, 2 are the
// number of factors after the first, 28 are the projected normal of the plane, 24 three sizes. Then
// come the joints of these factors and their numbers, and derivatives of the center, all of one
// number of bits.
struct pelt_packed
{
    uint words[10];
};

pelt_packed pelt_packed_at(int vertex)
{
    pelt_packed stored;
    for (int i = 0; i < 5; ++i)
    {
        uvec2 pair = pelt_normal_words(5 * vertex + i);
        stored.words[2 * i] = pair.x;
        stored.words[2 * i + 1] = pair.y;
    }
    return stored;
}

uint pelt_packed_bits(pelt_packed stored, int at, int count)
{
    int word = at >> 5, shift = at & 31;
    uint bits = stored.words[word] >> uint(shift);
    if (shift + count > 32)
    {
        bits |= stored.words[word + 1] << uint(32 - shift);
    }
    return bits & ((1u << uint(count)) - 1u);
}

// A fraction from -1 to 1.
float pelt_packed_fraction(pelt_packed stored, int at, int count)
{
    int whole = (1 << (count - 1)) - 1;
    int bits = int(pelt_packed_bits(stored, at, count));
    return float(bits > whole ? bits - 2 * whole - 2 : bits) / float(whole);
}

// Four sizes per factor of two, from 2^-32 on.
float pelt_packed_size(pelt_packed stored, int at)
{
    return exp2(0.25 * float(pelt_packed_bits(stored, at, 8)) - 32.0);
}

uint pelt_packed_joint(pelt_packed stored, int i)
{
    return pelt_packed_bits(stored, 56 + 16 * i, 16);
}

// Gradients of the weights at a vertex, along two axes in the plane of its triangles.
struct pelt_gradients
{
    mat2x3 axes;               // unit, perpendicular
    vec3 normal;               // of the plane
    vec3 center;               // of rotation
    mat2x3 center_derivatives; // of the center along both axes
    bool is_constant;          // use the influences instead
    int count;                 // of joints, see pelt_factor_at(); 0: weights are constant
    pelt_factor factors[4];
};

// Numbers of a factor from bit `at` on. Moments and gradients come in units of their sizes.
pelt_factor pelt_packed_factor(pelt_packed stored, int i, int at, int bits, vec2 sizes)
{
    pelt_factor factor;
#if defined(PELT_PALETTE_BAKED)
    factor.joint = uint(PELT_INFLUENCES + i);
#else
    factor.joint = pelt_packed_joint(stored, i);
#endif
    factor.weight = float(pelt_packed_bits(stored, at, bits)) / float((1 << bits) - 1);
    factor.gradient = sizes.x * vec2(pelt_packed_fraction(stored, at + bits, bits),
                                     pelt_packed_fraction(stored, at + 2 * bits, bits));
    factor.moments = sizes.y * vec4(pelt_packed_fraction(stored, at + 3 * bits, bits),
                                    pelt_packed_fraction(stored, at + 4 * bits, bits),
                                    pelt_packed_fraction(stored, at + 5 * bits, bits),
                                    pelt_packed_fraction(stored, at + 6 * bits, bits));
    return factor;
}

mat2x3 pelt_packed_derivatives(pelt_packed stored, int at, int bits)
{
    mat2x3 derivatives;
    for (int axis = 0; axis < 2; ++axis)
    {
        int first = at + 3 * axis * bits;
        derivatives[axis] = vec3(pelt_packed_fraction(stored, first, bits),
                                 pelt_packed_fraction(stored, first + bits, bits),
                                 pelt_packed_fraction(stored, first + 2 * bits, bits));
    }
    return pelt_packed_size(stored, 48) * derivatives;
}

// Factors sum to constants, from which the first one follows.
void pelt_packed_factors(inout pelt_gradients gradients, pelt_packed stored, uint strongest,
                         int count)
{
    int numbers = 7 * count + 6 * PELT_NORMAL_CENTERS;
    int first = 56 + 16 * count;
    int bits = min(16, (320 - first) / numbers);
    vec2 sizes = vec2(pelt_packed_size(stored, 32), pelt_packed_size(stored, 40));
    gradients.factors[0] = pelt_factor(strongest, 1.0, vec2(0.0), vec4(1.0, 0.0, 0.0, 1.0));
    for (int i = 0; i < count; ++i)
    {
        pelt_factor factor = pelt_packed_factor(stored, i, first + 7 * i * bits, bits, sizes);
        gradients.factors[0].weight -= factor.weight;
        gradients.factors[0].gradient -= factor.gradient;
        gradients.factors[0].moments -= factor.moments;
        gradients.factors[i + 1] = factor;
    }
    if (PELT_NORMAL_CENTERS != 0)
    {
        gradients.center_derivatives =
            pelt_packed_derivatives(stored, first + 7 * count * bits, bits);
    }
}

// The gradients at a vertex. If a morph target has rotated the normal, the axes follow it.
// is_bent  see pelt_is_bent_by_stretch(): constant weights need gradients too
pelt_gradients pelt_gradients_at(pelt_rest rest, pelt_influences influences, bool is_bent)
{
    pelt_packed stored = pelt_packed_at(rest.index);
    int count = int(pelt_packed_bits(stored, 2, 2));
    uint axis = pelt_packed_bits(stored, 0, 2);
    pelt_gradients gradients;
    gradients.is_constant = count == 0;
    gradients.count = count > 0 ? count + 1 : is_bent ? PELT_INFLUENCES : 0;
    gradients.center = rest.center;
    gradients.center_derivatives = mat2x3(0.0);
    vec3 n = pelt_normalize(rest.normal);
    vec3 t = vec3(axis == 0u ? 1.0 : 0.0, axis == 1u ? 1.0 : 0.0, axis == 2u ? 1.0 : 0.0);
    vec2 projected =
        vec2(pelt_packed_fraction(stored, 4, 14), pelt_packed_fraction(stored, 18, 14));
    mat3 axes = pelt_plane_axes(pelt_normalize(t - dot(t, n) * n), n, projected);
    gradients.axes = mat2x3(axes[0], axes[1]);
    gradients.normal = axes[2];
    if (count > 0)
    {
        pelt_packed_factors(gradients, stored, influences.joints[0], count);
    }
    return gradients;
}

// Factor i of the vertex. If weights are constant these are its influences.
pelt_factor pelt_factor_at(pelt_gradients gradients, pelt_influences influences, int i)
{
    if (PELT_SCALE == PELT_GPU_SCALE_LOCAL && gradients.is_constant)
    {
        return pelt_factor_of_influence(influences, i);
    }
    return gradients.factors[i];
}

#else

#if defined(VULKAN)
layout(set = 0, binding = 3) uniform texture2D pelt_normal_factors;
#else
uniform sampler2D pelt_normal_factors;
#endif

vec4 pelt_normal_texel(int at)
{
    ivec2 texel = ivec2(at % PELT_NORMAL_WIDTH, at / PELT_NORMAL_WIDTH);
    return texelFetch(pelt_normal_factors, texel, 0);
}

// Gradients of the weights at a vertex, along two axes in the plane of its triangles.
struct pelt_gradients
{
    mat2x3 axes;               // unit, perpendicular
    vec3 normal;               // of the plane
    vec3 center;               // of rotation
    mat2x3 center_derivatives; // of the center along both axes
    int first;                 // texel of the first slot; -1: use the influences instead
    int count;                 // of joints, see pelt_factor_at(); 0: weights are constant
};

// The gradients at a vertex. If a morph target has rotated the normal, the axes follow it. Texels
// of a vertex: tangent and number of slots in use; projected normal of the plane; two more with
// centers; two for each slot.
// is_bent  see pelt_is_bent_by_stretch(): constant weights need gradients too
pelt_gradients pelt_gradients_at(pelt_rest rest, pelt_influences influences, bool is_bent)
{
    int header = PELT_NORMAL_CENTERS != 0 ? 4 : 2;
    int at = rest.index * (header + 2 * PELT_NORMAL_SLOTS);
    vec4 tangent_count = pelt_normal_texel(at);
    vec4 projected = pelt_normal_texel(at + 1);
    pelt_gradients gradients;
    gradients.count = int(tangent_count.w);
    gradients.first = gradients.count > 0 ? at + header : -1;
    if (is_bent && gradients.count == 0)
    {
        gradients.count = PELT_INFLUENCES;
    }
    vec3 n = pelt_normalize(rest.normal);
    vec3 t = tangent_count.xyz;
    mat3 axes = pelt_plane_axes(pelt_normalize(t - dot(t, n) * n), n, projected.xy);
    gradients.axes = mat2x3(axes[0], axes[1]);
    gradients.normal = axes[2];
    gradients.center = rest.center;
    gradients.center_derivatives = mat2x3(0.0);
    if (PELT_NORMAL_CENTERS != 0)
    {
        vec4 more = pelt_normal_texel(at + 2);
        gradients.center = vec3(projected.zw, more.x);
        gradients.center_derivatives = mat2x3(more.yzw, pelt_normal_texel(at + 3).xyz);
    }
    return gradients;
}

// Factor i of the vertex. If weights are constant these are its influences.
pelt_factor pelt_factor_at(pelt_gradients gradients, pelt_influences influences, int i)
{
    if (PELT_SCALE == PELT_GPU_SCALE_LOCAL && gradients.first < 0)
    {
        return pelt_factor_of_influence(influences, i);
    }
    vec4 head = pelt_normal_texel(gradients.first + 2 * i);
    vec4 moments = pelt_normal_texel(gradients.first + 2 * i + 1);
#if defined(PELT_PALETTE_BAKED)
    return pelt_factor(uint(PELT_INFLUENCES + i), head.y, head.zw, moments);
#else
    return pelt_factor(uint(head.x), head.y, head.zw, moments);
#endif
}

#endif

// The moments of a joint as vectors in the space of the bind pose.
mat2x3 pelt_moments_of(pelt_gradients gradients, pelt_factor factor)
{
    return gradients.axes * mat2(factor.moments.xy, factor.moments.zw);
}

// The linear map that takes the axes of a vertex to the columns of the Jacobian, and the normal of
// their plane to the normal of these columns. The normal is scaled by the geometric mean of the
// scales in the plane, so that authored normals, which differ from those of the triangles, keep
// their angles under uniform scale.
mat3 pelt_map_of(pelt_gradients gradients, mat2x3 jacobian, float handedness)
{
    vec3 product = cross(jacobian[0], jacobian[1]);
    float size = length(product);
    vec3 normal = size > 0.0 ? product * (handedness / sqrt(size)) : vec3(0.0);
    return jacobian * transpose(gradients.axes) +
           mat3(gradients.normal.x * normal, gradients.normal.y * normal,
                gradients.normal.z * normal);
}

// The rotation of a joint with the sign that it has in blends at the vertex, also for joints
// without weight there.
vec4 pelt_signed_rotation(pelt_influences influences, uint joint)
{
    vec4 q = pelt_palette_rotation(joint);
    return pelt_sign_of(q, pelt_palette_rotation(influences.joints[0])) * q;
}

// Weighted means over the factors of a vertex.
struct pelt_mean
{
    vec4 sum;         // of quaternions, with the signs of the blend
    mat3 rotation;    // of the normalized sum
    bool is_canceled; // the sum has no direction: the rotation is that of the strongest influence
    mat3 stretch;
};

pelt_mean pelt_mean_at(pelt_influences influences, pelt_gradients gradients)
{
    pelt_mean mean;
    mean.sum = vec4(0.0);
    mean.stretch = mat3(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        mean.sum += factor.weight * pelt_signed_rotation(influences, factor.joint);
        mean.stretch += factor.weight * pelt_joint_stretch(factor.joint);
    }
    if (PELT_SCALE == PELT_GPU_SCALE_NONE)
    {
        mean.stretch = mat3(1.0); // exactly
    }
    mean.is_canceled = pelt_is_canceled(mean.sum);
    vec4 strongest = pelt_palette_rotation(influences.joints[0]);
    mean.rotation = pelt_mat3_from_quat(mean.is_canceled ? strongest : normalize(mean.sum));
    return mean;
}

// The angular velocity of the mean rotation when its sum of quaternions changes. With the sum s and
// its change ds, the unit quaternion q changes by (ds - q (q . ds)) / |s|. The part of ds along q
// does not contribute to the vector part. It is zero if one joint alone is used.
vec3 pelt_angular_velocity(pelt_mean mean, vec4 change)
{
    vec3 product = pelt_quat_mul(change, pelt_quat_conjugate(mean.sum)).xyz;
    return mean.is_canceled ? vec3(0.0) : product * (2.0 / dot(mean.sum, mean.sum));
}

// The derivative of the mean rotation of the mean stretch about the vertex, both of which vary. The
// mean of all angular velocities is zero, so the mean need not be subtracted from the moments.
mat2x3 pelt_derive_map(pelt_influences influences, pelt_gradients gradients, pelt_mean mean)
{
    mat2x3 stretched = mat2x3(0.0), rotated = mat2x3(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        mat2x3 moments = pelt_moments_of(gradients, factor);
        mat2x3 moved = mean.rotation * (mean.stretch * moments);
        vec4 change = pelt_signed_rotation(influences, factor.joint);
        vec3 velocity = pelt_angular_velocity(mean, change);
        stretched += pelt_joint_stretch(factor.joint) * moments;
        rotated += mat2x3(cross(velocity, moved[0]), cross(velocity, moved[1]));
    }
    return mean.rotation * stretched + rotated;
}

// The derivative of the mean stretch along both axes, times a vector.
mat2x3 pelt_derive_stretch(pelt_influences influences, pelt_gradients gradients, vec3 v)
{
    mat2x3 sum = mat2x3(0.0);
    if (PELT_SCALE == PELT_GPU_SCALE_NONE)
    {
        return sum;
    }
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        sum += pelt_outer(pelt_joint_stretch(factor.joint) * v, factor.gradient);
    }
    return sum;
}
