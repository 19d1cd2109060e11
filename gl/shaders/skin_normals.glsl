// SPDX-License-Identifier: MIT
// Accurate normals: how weights change around a vertex, and what that does to the plane
// of its triangles. Reads factors from a texture, see pelt_gpu_normals_write() and docs/normals.md.

#if defined(VULKAN)
layout(set = 0, binding = 3) uniform texture2D pelt_normal_factors;
#else
uniform sampler2D pelt_normal_factors;
#endif

vec4 pelt_normal_texel(int at)
{
    ivec2 place = ivec2(at % PELT_NORMAL_WIDTH, at / PELT_NORMAL_WIDTH);
    return texelFetch(pelt_normal_factors, place, 0);
}

// How weights change around a vertex, along two axes in the plane of its triangles.
struct pelt_gradients
{
    mat2x3 axes;         // unit, perpendicular
    vec3 normal;         // of the plane
    vec3 center;         // of rotation
    mat2x3 center_derivatives; // of that center along both axes
    int first;           // texel of the first slot; -1: there is none, and influences serve
    int count;           // of joints, see pelt_factor_at(); 0: weights are constant
};

// The weight of one joint around a vertex. Moments are what the weight times the place does: two
// numbers along axis 0, two along axis 1. Not a mat2, which some translators refuse in a structure.
struct pelt_factor
{
    uint joint;
    float weight;
    vec2 gradient;
    vec4 moments;
};

// Columns a * b.x and a * b.y: what a gradient along both axes does to a vector.
mat2x3 pelt_outer(vec3 a, vec2 b)
{
    return mat2x3(b.x * a, b.y * a);
}

mat2x4 pelt_outer_quat(vec4 a, vec2 b)
{
    return mat2x4(b.x * a, b.y * a);
}

// The axes of the factors, and the normal of their plane. The shortest rotation from the normal to
// that of the plane moves every vector along these two: by how much it looks into their direction.
void pelt_tilt_axes(inout pelt_gradients gradients, vec3 tangent, vec3 normal, vec2 tilt)
{
    vec3 bitangent = cross(normal, tangent);
    float k = 2.0 / (1.0 + dot(tilt, tilt));
    vec3 lean = tilt.x * tangent + tilt.y * bitangent;
    vec3 back = -k * (lean + normal);
    gradients.axes = mat2x3(tangent + tilt.x * back, bitangent + tilt.y * back);
    gradients.normal = k * (lean + normal) - normal;
}

// Whether the derivative of dqs bends away from the motion's map even where weights are constant:
// where several joints stretch about the vertex.
bool pelt_is_bent(pelt_influences influences)
{
    return PELT_SCALE == PELT_SCALE_LOCAL && PELT_INFLUENCES > 1 && influences.weights[1] > 0.0;
}

// The gradients at a vertex. Where a morph target has rotated the normal, the axes follow. Texels
// of a vertex: tangent and number of slots in use, tilt; two more with centers; two for each slot.
// is_bent  wanted even where weights are constant
pelt_gradients pelt_gradients_at(pelt_rest rest, bool is_bent)
{
    int header = PELT_NORMAL_CENTERS != 0 ? 4 : 2;
    int at = rest.index * (header + 2 * PELT_NORMAL_SLOTS);
    vec4 tangent_count = pelt_normal_texel(at);
    vec4 tilt = pelt_normal_texel(at + 1);
    pelt_gradients gradients;
    gradients.count = int(tangent_count.w);
    gradients.first = gradients.count > 0 ? at + header : -1;
    if (is_bent && gradients.count == 0)
    {
        gradients.count = PELT_INFLUENCES;
    }
    vec3 n = pelt_normalize(rest.normal);
    vec3 t = tangent_count.xyz;
    pelt_tilt_axes(gradients, pelt_normalize(t - dot(t, n) * n), n, tilt.xy);
    gradients.center = rest.center;
    gradients.center_derivatives = mat2x3(0.0);
    if (PELT_NORMAL_CENTERS != 0)
    {
        vec4 more = pelt_normal_texel(at + 2);
        gradients.center = vec3(tilt.zw, more.x);
        gradients.center_derivatives = mat2x3(more.yzw, pelt_normal_texel(at + 3).xyz);
    }
    return gradients;
}

// One joint around the vertex. Where weights are constant these are its influences.
pelt_factor pelt_factor_at(pelt_gradients gradients, pelt_influences influences, int i)
{
    if (PELT_SCALE == PELT_SCALE_LOCAL && gradients.first < 0)
    {
        float weight = influences.weights[i];
        return pelt_factor(influences.joints[i], weight, vec2(0.0),
                           vec4(weight, 0.0, 0.0, weight));
    }
    vec4 head = pelt_normal_texel(gradients.first + 2 * i);
    vec4 moments = pelt_normal_texel(gradients.first + 2 * i + 1);
#if defined(PELT_PALETTE_BAKED)
    return pelt_factor(uint(PELT_INFLUENCES + i), head.y, head.zw, moments);
#else
    return pelt_factor(uint(head.x), head.y, head.zw, moments);
#endif
}

// What the weight of a joint times the place does along both axes, as vectors of bind space.
mat2x3 pelt_moments_of(pelt_gradients gradients, pelt_factor factor)
{
    return gradients.axes * mat2(factor.moments.xy, factor.moments.zw);
}

// The map that takes the axes of a vertex to their images, and the normal of their plane to the
// normal of the images. Along it, the map stretches as much as it does on average across: authored
// normals that are not those of the triangles keep their angles when all is scaled.
mat3 pelt_map_of(pelt_gradients gradients, mat2x3 images, float side)
{
    vec3 across = cross(images[0], images[1]);
    float size = length(across);
    vec3 image = size > 0.0 ? across * (side / sqrt(size)) : vec3(0.0);
    return images * transpose(gradients.axes) +
           mat3(gradients.normal.x * image, gradients.normal.y * image, gradients.normal.z * image);
}

// The quaternion of a joint in the sign with which it enters a blend at the vertex, or would if it
// had any weight.
vec4 pelt_signed_rotation(pelt_influences influences, uint joint)
{
    vec4 q = pelt_palette_rotation(joint);
    return pelt_sign_of(q, pelt_palette_rotation(influences.joints[0])) * q;
}

// The weighted means of joints around a vertex.
struct pelt_mean
{
    vec4 sum;          // of quaternions, in the signs of the blend
    mat3 rotation;     // its direction
    bool is_canceled; // it has none: rotation is that of the strongest influence
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
    if (PELT_SCALE == PELT_SCALE_NONE)
    {
        mean.stretch = mat3(1.0); // exactly
    }
    mean.is_canceled = pelt_is_canceled(mean.sum);
    vec4 strongest = pelt_palette_rotation(influences.joints[0]);
    mean.rotation = pelt_mat3_from_quat(mean.is_canceled ? strongest : normalize(mean.sum));
    return mean;
}

// How fast the mean rotation turns, as a vector, when its sum changes. With the sum s and its
// change ds, the unit quaternion q changes by (ds - q (q . ds)) / |s|. The part of ds along q falls
// out of the vector part by itself. Where one joint alone decides nothing turns.
vec3 pelt_turn_of(pelt_mean mean, vec4 change)
{
    vec3 product = pelt_quat_mul(change, pelt_quat_conjugate(mean.sum)).xyz;
    return mean.is_canceled ? vec3(0.0) : product * (2.0 / dot(mean.sum, mean.sum));
}

// The derivative of mean stretch, then mean rotation about the vertex, both of which vary. All
// turns together, by mean weights, are none: so it makes no difference that moments are not taken
// without their mean.
mat2x3 pelt_derive_map(pelt_influences influences, pelt_gradients gradients, pelt_mean mean)
{
    mat2x3 stretched = mat2x3(0.0), turned = mat2x3(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        mat2x3 moments = pelt_moments_of(gradients, factor);
        mat2x3 arms = mean.rotation * (mean.stretch * moments);
        vec3 turn = pelt_turn_of(mean, pelt_signed_rotation(influences, factor.joint));
        stretched += pelt_joint_stretch(factor.joint) * moments;
        turned += mat2x3(cross(turn, arms[0]), cross(turn, arms[1]));
    }
    return mean.rotation * stretched + turned;
}

// What becomes of a vector along both axes because the mean stretch varies, before it is turned.
mat2x3 pelt_derive_stretch(pelt_influences influences, pelt_gradients gradients, vec3 arm)
{
    mat2x3 sum = mat2x3(0.0);
    if (PELT_SCALE == PELT_SCALE_NONE)
    {
        return sum;
    }
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        sum += pelt_outer(pelt_joint_stretch(factor.joint) * arm, factor.gradient);
    }
    return sum;
}
