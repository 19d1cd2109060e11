// SPDX-License-Identifier: MIT
// The pose pass: each fragment is one texel of a palette texture, which has the joints of all
// instances in PELT_LAYOUT_SHARED, instance after instance. With PELT_POSE_TARGETS a fragment is a
// joint, and its four texels go to four textures: a quarter of the work. Uses
// skin_texture_joint.glsl.

#if defined(VULKAN)
layout(set = 0, binding = 5) uniform utexture2D pelt_playbacks;
#else
uniform highp usampler2D pelt_playbacks; // PELT_PALETTE_WIDTH texels wide, two per instance
#endif

#if defined(PELT_POSE_TARGETS)
layout(location = 0) out vec4 pelt_out_x;
layout(location = 1) out vec4 pelt_out_y;
layout(location = 2) out vec4 pelt_out_z;
layout(location = 3) out vec4 pelt_out_rotation;
#else
layout(location = 0) out vec4 pelt_out_texel;
#endif

uvec4 pelt_playback_texel(uint at)
{
    int column = int(at) % PELT_PALETTE_WIDTH, row = int(at) / PELT_PALETTE_WIDTH;
    return texelFetch(pelt_playbacks, ivec2(column, row), 0);
}

pelt_joint pelt_posed_joint(uint at)
{
    pelt_words words = pelt_words_make();
    uint joint_count = pelt_baked_joint_count(words);
    uint instance = at / joint_count, joint = at % joint_count;
    uvec4 playback = pelt_playback_texel(2u * instance);
    vec4 times = uintBitsToFloat(pelt_playback_texel(2u * instance + 1u));
    return pelt_joint_at(joint, pelt_play(playback, times));
}

void main()
{
    uint at = uint(gl_FragCoord.y) * uint(PELT_PALETTE_WIDTH) + uint(gl_FragCoord.x);
#if defined(PELT_POSE_TARGETS)
    pelt_joint pose = pelt_posed_joint(at);
    pelt_out_x = pose.x;
    pelt_out_y = pose.y;
    pelt_out_z = pose.z;
    pelt_out_rotation = pose.rotation;
#else
    pelt_joint pose = pelt_posed_joint(at >> 2u);
    uint texel = at & 3u;
    vec4 upper = texel == 0u ? pose.x : pose.y, lower = texel == 2u ? pose.z : pose.rotation;
    pelt_out_texel = texel < 2u ? upper : lower;
#endif
}
