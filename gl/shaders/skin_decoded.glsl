// SPDX-License-Identifier: MIT
// A palette of the joints of one vertex, which are decoded from an animation texture once and read
// several times. Influence i of the vertex is joint i, and factor i of accurate normals is joint
// PELT_INFLUENCES + i. Must precede skin_palette.glsl.

#if defined(PELT_PALETTE_BAKED)

#if defined(PELT_NORMAL_WIDTH)
#define PELT_DECODED_JOINTS (PELT_INFLUENCES + PELT_NORMAL_SLOTS)
#else
#define PELT_DECODED_JOINTS PELT_INFLUENCES
#endif

vec4 pelt_decoded[4 * PELT_DECODED_JOINTS];

vec4 pelt_palette_texel(uint joint, uint texel)
{
    return pelt_decoded[4u * joint + texel];
}

void pelt_decoded_set(int index, pelt_joint joint)
{
    pelt_decoded[4 * index] = joint.x;
    pelt_decoded[4 * index + 1] = joint.y;
    pelt_decoded[4 * index + 2] = joint.z;
    pelt_decoded[4 * index + 3] = joint.rotation;
}

#endif
