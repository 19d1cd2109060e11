// SPDX-License-Identifier: MIT
// pelt_skin(), which a main() calls: from vertex attributes to a skinned vertex. An engine with its
// own attributes leaves this file out, fills a pelt_rest and a pelt_influences, and calls
// pelt_deform_X().

// Locations are those of pelt_attribute. To bind attributes by name instead, as three.js does,
// define PELT_LOCATION(n) as empty.
#ifndef PELT_LOCATION
#define PELT_LOCATION(n) layout(location = n)
#endif

PELT_LOCATION(0) in vec3 pelt_position;
PELT_LOCATION(1) in vec3 pelt_normal;
PELT_LOCATION(2) in vec4 pelt_tangent;
PELT_LOCATION(3) in vec2 pelt_uv;
PELT_LOCATION(4) in vec4 pelt_color;
#if defined(PELT_BAKED_VERTICES)
PELT_LOCATION(11) in uint pelt_vertex_id;
#else
PELT_LOCATION(5) in uvec4 pelt_joints;
PELT_LOCATION(6) in vec4 pelt_weights;
#endif
#if PELT_INFLUENCES > 4 && !defined(PELT_BAKED_VERTICES)
PELT_LOCATION(7) in uvec4 pelt_joints_2;
PELT_LOCATION(8) in vec4 pelt_weights_2;
#endif
#if defined(PELT_HAS_CENTERS)
PELT_LOCATION(9) in vec3 pelt_cor;
#endif
#if defined(PELT_HAS_MIX_FACTOR) && defined(PELT_MIX_FACTORS)
PELT_LOCATION(10) in float pelt_mix;
#elif defined(PELT_HAS_MIX_FACTOR) && defined(VULKAN)
layout(std140, set = 0, binding = 2) uniform pelt_blend
{
    float pelt_mix;
};
#elif defined(PELT_HAS_MIX_FACTOR)
uniform float pelt_mix;
#endif
#if defined(PELT_PALETTE_BAKED)
PELT_LOCATION(12) in uvec4 pelt_playback; // of the instance
PELT_LOCATION(13) in vec4 pelt_times;
#endif

#if !defined(PELT_BAKED_VERTICES)

pelt_influences pelt_gather_influences()
{
#if PELT_INFLUENCES > 4
    return pelt_influences_make(pelt_joints, pelt_weights, pelt_joints_2, pelt_weights_2);
#else
    return pelt_influences_make(pelt_joints, pelt_weights, uvec4(0u), vec4(0.0));
#endif
}

#endif

pelt_rest pelt_gather_rest()
{
    pelt_rest rest = pelt_rest(pelt_position, pelt_normal, pelt_tangent, vec3(0.0), 0.0, 0);
#if defined(PELT_HAS_CENTERS)
    rest.center = pelt_cor;
#endif
#if defined(PELT_HAS_MIX_FACTOR)
    rest.mix_factor = pelt_mix;
#endif
#if defined(VULKAN)
    rest.index = gl_VertexIndex;
#else
    rest.index = gl_VertexID;
#endif
    return rest;
}

#if defined(PELT_BAKED_VERTICES)

pelt_vertex pelt_skin()
{
    return pelt_baked_vertex(pelt_gather_rest(), pelt_vertex_id,
                             pelt_play(pelt_playback, pelt_times));
}

#else

#if defined(PELT_PALETTE_BAKED)

// Decode the joints of the vertex. The influences refer to the decoded joints from here on.
pelt_influences pelt_decode(pelt_influences influences, int vertex)
{
    uint joints[PELT_DECODED_JOINTS];
    int count = PELT_INFLUENCES;
    for (int i = 0; i < PELT_INFLUENCES; ++i)
    {
        // An index beyond the last joint is not decoded.
        uint joint = pelt_instance_joint() + influences.joints[i];
        joints[i] = influences.weights[i] != 0.0 ? joint : 0xFFFFFFFFu;
        influences.joints[i] = uint(i);
    }
#if defined(PELT_NORMAL_COMPACT)
    pelt_packed stored = pelt_packed_at(vertex);
    count += int(pelt_packed_bits(stored, 2, 2));
    for (int i = PELT_INFLUENCES; i < count; ++i)
    {
        joints[i] = pelt_instance_joint() + pelt_packed_joint(stored, i - PELT_INFLUENCES);
    }
#elif defined(PELT_NORMAL_WIDTH)
    int at = vertex * ((PELT_NORMAL_CENTERS != 0 ? 4 : 2) + 2 * PELT_NORMAL_SLOTS);
    int first = at + (PELT_NORMAL_CENTERS != 0 ? 4 : 2) - 2 * PELT_INFLUENCES;
    count += int(pelt_normal_texel(at).w);
    for (int i = PELT_INFLUENCES; i < count; ++i)
    {
        joints[i] = pelt_instance_joint() + uint(pelt_normal_texel(first + 2 * i).x);
    }
#endif
    pelt_playing playing = pelt_play(pelt_playback, pelt_times);
    for (int i = 0; i < count; ++i)
    {
        pelt_decoded_set(i, pelt_joint_at(joints[i], playing));
    }
    return influences;
}

#endif

// The vertex in the current pose, in model space. PELT_DEFORM is the function of the method:
// pelt_deform_dqs, or pelt_deform_dqs_accurate.
pelt_vertex pelt_skin()
{
    pelt_rest rest = pelt_gather_rest();
    pelt_influences influences = pelt_gather_influences();
#if defined(PELT_PALETTE_BAKED)
    influences = pelt_decode(influences, rest.index);
#endif
    return PELT_DEFORM(rest, influences);
}

#endif
