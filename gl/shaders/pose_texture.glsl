// SPDX-License-Identifier: MIT
// The pose pass: each fragment is one texel of a palette texture, which has the joints of all
// instances in PELT_LAYOUT_SHARED, instance after instance. Uses skin_texture_joint.glsl.

#if defined(VULKAN)
layout(set = 0, binding = 5) uniform utexture2D pelt_playbacks;
#else
uniform highp usampler2D pelt_playbacks; // PELT_PALETTE_WIDTH texels wide, two per instance
#endif

layout(location = 0) out vec4 pelt_out_texel;

uvec4 pelt_playback_texel(uint at)
{
    int column = int(at) % PELT_PALETTE_WIDTH, row = int(at) / PELT_PALETTE_WIDTH;
    return texelFetch(pelt_playbacks, ivec2(column, row), 0);
}

void main()
{
    uint at = uint(gl_FragCoord.y) * uint(PELT_PALETTE_WIDTH) + uint(gl_FragCoord.x);
    pelt_words words = pelt_words_make();
    uint joint_count = pelt_baked_joint_count(words);
    uint instance = (at >> 2u) / joint_count, joint = (at >> 2u) % joint_count;
    uvec4 playback = pelt_playback_texel(2u * instance);
    vec4 times = uintBitsToFloat(pelt_playback_texel(2u * instance + 1u));
    pelt_joint pose = pelt_joint_at(joint, pelt_play(playback, times));
    uint texel = at & 3u;
    vec4 upper = texel == 0u ? pose.x : pose.y, lower = texel == 2u ? pose.z : pose.rotation;
    pelt_out_texel = texel < 2u ? upper : lower;
}
