// SPDX-License-Identifier: MIT
// From vertex attributes to a skinned vertex: what a main() calls. Locations are fixed.

layout(location = 0) in vec3 pelt_position;
layout(location = 1) in vec3 pelt_normal;
layout(location = 2) in vec4 pelt_tangent;
layout(location = 3) in vec2 pelt_uv;
layout(location = 4) in vec4 pelt_color;
layout(location = 5) in uvec4 pelt_joints;
layout(location = 6) in vec4 pelt_weights;
#if PELT_INFLUENCES > 4
layout(location = 7) in uvec4 pelt_joints_2;
layout(location = 8) in vec4 pelt_weights_2;
#endif
#if defined(PELT_METHOD_CRS)
layout(location = 9) in vec3 pelt_cor;
#endif
#if defined(PELT_METHOD_MIX) && defined(PELT_MIX_FACTORS)
layout(location = 10) in float pelt_mix;
#elif defined(PELT_METHOD_MIX) && defined(VULKAN)
layout(std140, set = 0, binding = 2) uniform pelt_blend
{
    float pelt_mix;
};
#elif defined(PELT_METHOD_MIX)
uniform float pelt_mix;
#endif

pelt_influences pelt_gather_influences()
{
    pelt_influences influences;
    for (int i = 0; i < min(PELT_INFLUENCES, 4); ++i)
    {
        influences.joints[i] = pelt_joints[i];
        influences.weights[i] = pelt_weights[i];
    }
#if PELT_INFLUENCES > 4
    for (int i = 4; i < PELT_INFLUENCES; ++i)
    {
        influences.joints[i] = pelt_joints_2[i - 4];
        influences.weights[i] = pelt_weights_2[i - 4];
    }
#endif
    return influences;
}

pelt_motion pelt_find_motion(pelt_influences influences)
{
#if defined(PELT_METHOD_DQS)
    return pelt_skin_dqs(pelt_position, influences);
#elif defined(PELT_METHOD_MIX)
    return pelt_skin_mix(pelt_position, influences, pelt_mix);
#elif defined(PELT_METHOD_CRS)
    return pelt_skin_crs(pelt_position, pelt_cor, influences);
#else
    return pelt_skin_lbs(pelt_position, influences);
#endif
}

#if defined(PELT_NORMAL_ACCURATE)

mat2x3 pelt_find_images(pelt_influences influences, pelt_rates rates)
{
#if defined(PELT_METHOD_DQS)
    return pelt_jacobian_dqs(pelt_position, influences, rates);
#elif defined(PELT_METHOD_MIX)
    return pelt_jacobian_mix(pelt_position, influences, rates, pelt_mix);
#elif defined(PELT_METHOD_CRS)
    return pelt_jacobian_crs(pelt_position, influences, rates);
#else
    return pelt_jacobian_lbs(pelt_position, influences, rates);
#endif
}

#endif

#if defined(PELT_NORMAL_SLOTS)

// The map of a motion, with what weights add to it as they change.
mat3 pelt_complete_map(pelt_motion motion, float side, pelt_influences influences)
{
#if defined(VULKAN)
    int vertex = int(gl_VertexIndex); // of no sign in WGSL
#else
    int vertex = gl_VertexID;
#endif
#if defined(PELT_METHOD_CRS)
    pelt_rates rates = pelt_rates_at(vertex, pelt_normal, pelt_cor);
#else
    pelt_rates rates = pelt_rates_at(vertex, pelt_normal, vec3(0.0));
#endif
    if (pelt_is_even(rates))
    {
        return motion.linear;
    }
#if defined(PELT_NORMAL_PAPER)
    return pelt_map_paper(motion, pelt_position, influences, rates);
#else
    return pelt_map_of(rates, pelt_find_images(influences, rates), side);
#endif
}

#endif

// What the strongest joint alone does to directions. Where the motion is rigid, and its map all
// there is, nothing is flattened, and it is not asked for.
mat3 pelt_find_strongest(pelt_influences influences)
{
#if defined(PELT_METHOD_LBS) || (defined(PELT_METHOD_MIX) && !defined(PELT_HAS_STRETCH))
    return transpose(mat3(pelt_palette_matrix(influences.joints[0])));
#elif defined(PELT_HAS_STRETCH) || defined(PELT_NORMAL_SLOTS)
    return pelt_mat3_from_quat(pelt_palette_rotation(influences.joints[0]));
#else
    return mat3(1.0);
#endif
}

// -1 where joints mirror, which the strongest tells: a blend that collapses may look like a mirror.
float pelt_find_side(pelt_influences influences)
{
#if defined(PELT_METHOD_LBS) || defined(PELT_HAS_STRETCH)
    return pelt_side_of(mat3(pelt_palette_matrix(influences.joints[0])));
#else
    return 1.0;
#endif
}

// The vertex in the current pose, in model space. Without weights it stays where it is.
pelt_vertex pelt_skin()
{
    pelt_influences influences = pelt_gather_influences();
    if (influences.weights[0] == 0.0)
    {
        return pelt_vertex(pelt_position, pelt_normal, pelt_tangent);
    }
    pelt_motion motion = pelt_find_motion(influences);
    float side = pelt_find_side(influences);
    mat3 strongest = pelt_find_strongest(influences);
#if defined(PELT_NORMAL_SLOTS)
    motion.linear = pelt_complete_map(motion, side, influences);
#endif
    return pelt_vertex(motion.position,
                       pelt_move_normal(motion.linear, side, strongest, pelt_normal),
                       pelt_move_tangent(motion.linear, side, strongest, pelt_tangent));
}
