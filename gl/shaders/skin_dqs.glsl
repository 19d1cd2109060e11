// SPDX-License-Identifier: MIT
// Dual quaternion skinning (Kavan et al., "Geometric Skinning with Approximate Dual Quaternion
// Blending", 2008): the weighted mean of the joints' rigid motions as unit dual quaternions. Uses
// skin_palette.glsl and skin_stretch.glsl.

// The rigid motion of a joint that enters the blend. If the vertex is the pivot of scale, the joint
// is replaced by the rigid motion with the same rotation that moves the vertex to the same
// position, in coordinates whose origin is the vertex.
pelt_dquat pelt_motion_at(vec3 position, uint joint)
{
    if (PELT_SCALE == PELT_GPU_SCALE_LOCAL)
    {
        vec3 moved = vec4(position, 1.0) * pelt_palette_matrix(joint);
        return pelt_dquat_make(pelt_palette_rotation(joint), moved);
    }
    return pelt_palette_motion(joint);
}

pelt_dquat pelt_blend_motion(vec3 position, pelt_influences influences)
{
    pelt_dquat strongest = pelt_motion_at(position, influences.joints[0]);
    pelt_dquat sum = pelt_dquat(influences.weights[0] * strongest.real,
                                influences.weights[0] * strongest.dual);
    for (int i = 1; i < PELT_INFLUENCES; ++i)
    {
        pelt_dquat motion = pelt_motion_at(position, influences.joints[i]);
        float weight = pelt_sign_of(motion.real, strongest.real) * influences.weights[i];
        sum.real += weight * motion.real;
        sum.dual += weight * motion.dual;
    }
    if (pelt_is_canceled(sum.real))
    {
        return strongest;
    }
    float scale = 1.0 / length(sum.real);
    return pelt_dquat(scale * sum.real, scale * sum.dual);
}

pelt_motion pelt_skin_dqs(pelt_rest rest, pelt_influences influences)
{
    pelt_dquat blend = pelt_blend_motion(rest.position, influences);
    vec3 translation = pelt_dquat_translation(blend);
    mat3 linear = pelt_mat3_from_quat(blend.real);
    if (PELT_SCALE != PELT_GPU_SCALE_NONE)
    {
        linear = linear * pelt_blend_stretch(influences);
    }
    if (PELT_SCALE == PELT_GPU_SCALE_LOCAL)
    {
        return pelt_motion(linear, translation);
    }
    return pelt_motion(linear, linear * rest.position + translation);
}

pelt_vertex pelt_move_dqs(pelt_rest rest, pelt_motion motion, pelt_influences influences)
{
    return pelt_move_vertex(rest, motion, pelt_strongest_handedness(influences),
                            pelt_strongest_rotation(influences));
}

pelt_vertex pelt_deform_dqs(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_unweighted(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    return pelt_move_dqs(rest, pelt_skin_dqs(rest, influences), influences);
}
