// SPDX-License-Identifier: MIT
// The palette: what every joint does from the bind pose to the current one. Methods know it by the
// accessors at the end only; whoever keeps joints elsewhere writes those, and leaves this file out.
// VULKAN is defined by compilers to SPIR-V, which want a binding for whatever comes from outside.

// Place of the rotation quaternion in a joint, and texels (vec4) of a joint.
#if defined(PELT_METHOD_LBS)
#define PELT_PALETTE_TEXELS 3u
#elif defined(PELT_METHOD_CRS) || defined(PELT_HAS_STRETCH)
#define PELT_PALETTE_ROTATION 3u
#define PELT_PALETTE_TEXELS 4u
#elif defined(PELT_METHOD_DQS)
#define PELT_PALETTE_ROTATION 0u
#define PELT_PALETTE_TEXELS 2u
#elif defined(PELT_METHOD_MIX)
#define PELT_PALETTE_ROTATION 3u
#define PELT_PALETTE_TEXELS 5u
#endif

#if defined(PELT_PALETTE_TEXTURE)

#if defined(VULKAN)
layout(set = 0, binding = 0) uniform texture2D pelt_palette;
#else
uniform sampler2D pelt_palette;
#endif

vec4 pelt_palette_texel(uint joint, uint texel)
{
    int at = int(joint * PELT_PALETTE_TEXELS + texel);
    return texelFetch(pelt_palette, ivec2(at % PELT_PALETTE_WIDTH, at / PELT_PALETTE_WIDTH), 0);
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

vec4 pelt_palette_texel(uint joint, uint texel)
{
    return pelt_palette_texels[joint * PELT_PALETTE_TEXELS + texel];
}

#endif

#if !defined(PELT_METHOD_DQS) || defined(PELT_HAS_STRETCH)

// The three rows of the joint's matrix as columns: `vec4(p, 1.0) * matrix` moves a point.
mat3x4 pelt_palette_matrix(uint joint)
{
    return mat3x4(pelt_palette_texel(joint, 0u), pelt_palette_texel(joint, 1u),
                  pelt_palette_texel(joint, 2u));
}

#endif

#if !defined(PELT_METHOD_LBS)

vec4 pelt_palette_rotation(uint joint)
{
    return pelt_palette_texel(joint, PELT_PALETTE_ROTATION);
}

#endif

#if (defined(PELT_METHOD_DQS) || defined(PELT_METHOD_MIX)) && !defined(PELT_HAS_STRETCH)

pelt_dquat pelt_palette_motion(uint joint)
{
    return pelt_dquat(pelt_palette_texel(joint, PELT_PALETTE_ROTATION),
                      pelt_palette_texel(joint, PELT_PALETTE_ROTATION + 1u));
}

#endif
