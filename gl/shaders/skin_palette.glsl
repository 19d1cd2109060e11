// SPDX-License-Identifier: MIT
// The palette: motions of all joints from the bind pose to the current pose. To keep joints
// elsewhere, define PELT_PALETTE_OWN and pelt_palette_texel() before this text. Compilers to SPIR-V
// define VULKAN and need an explicit binding for every resource.

#if !defined(PELT_PALETTE_OWN)
#if defined(PELT_PALETTE_TEXTURE)

#if defined(VULKAN)
layout(set = 0, binding = 0) uniform texture2D pelt_palette;
#else
uniform sampler2D pelt_palette;
#endif

vec4 pelt_palette_fetch(uint at)
{
#if defined(PELT_PALETTE_POSED)
    at += 4u * pelt_instance_joint();
#endif
    int column = int(at) % PELT_PALETTE_WIDTH, row = int(at) / PELT_PALETTE_WIDTH;
    return texelFetch(pelt_palette, ivec2(column, row), 0);
}

#else

#if defined(VULKAN)
layout(std140, set = 0, binding = 0) uniform pelt_palette
#else
layout(std140) uniform pelt_palette
#endif
{
    vec4 pelt_palette_texels[PELT_PALETTE_BLOCK_TEXELS];
};

vec4 pelt_palette_fetch(uint at)
{
    return pelt_palette_texels[at];
}

#endif

// One of the texels of a joint, see PELT_LAYOUT.
vec4 pelt_palette_texel(uint joint, uint texel)
{
    if (PELT_LAYOUT == PELT_LAYOUT_MATRIX)
    {
        return pelt_palette_fetch(3u * joint + texel);
    }
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION)
    {
        return pelt_palette_fetch(2u * joint + texel);
    }
    if (PELT_LAYOUT == PELT_LAYOUT_MATRIX_MOTION)
    {
        return pelt_palette_fetch(5u * joint + texel);
    }
    return pelt_palette_fetch(4u * joint + texel);
}

#endif

// A unit quaternion, x y z w. PELT_LAYOUT_MATRIX has none.
vec4 pelt_palette_rotation(uint joint)
{
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION)
    {
        return pelt_palette_texel(joint, 0u);
    }
    return pelt_palette_texel(joint, 3u);
}

// The rigid motion of the joint, without scale.
pelt_dquat pelt_palette_motion(uint joint)
{
    vec4 rotation = pelt_palette_rotation(joint);
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION)
    {
        return pelt_dquat(rotation, pelt_palette_texel(joint, 1u));
    }
    if (PELT_LAYOUT == PELT_LAYOUT_MATRIX_MOTION)
    {
        return pelt_dquat(rotation, pelt_palette_texel(joint, 4u));
    }
    vec3 translation = vec3(pelt_palette_texel(joint, 0u).w, pelt_palette_texel(joint, 1u).w,
                            pelt_palette_texel(joint, 2u).w);
    return pelt_dquat_make(rotation, translation);
}

// The three rows of the joint's matrix as columns: vec4(p, 1.0) * matrix moves a point.
mat3x4 pelt_palette_matrix(uint joint)
{
    if (PELT_LAYOUT == PELT_LAYOUT_MOTION)
    {
        pelt_dquat motion = pelt_palette_motion(joint);
        mat3 rows = transpose(pelt_mat3_from_quat(motion.real));
        vec3 translation = pelt_dquat_translation(motion);
        return mat3x4(vec4(rows[0], translation.x), vec4(rows[1], translation.y),
                      vec4(rows[2], translation.z));
    }
    return mat3x4(pelt_palette_texel(joint, 0u), pelt_palette_texel(joint, 1u),
                  pelt_palette_texel(joint, 2u));
}
