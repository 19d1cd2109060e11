// SPDX-License-Identifier: MIT
// Dual quaternion skinning (Kavan et al. 2008): the weighted mean of the joints' rigid motions as
// unit dual quaternions. Reads pelt_palette_motion(), and skin_stretch.glsl where joints scale.

// The rigid motion of a joint as this vertex feels it. With the vertex as the pivot of scale, a
// joint is replaced by the rigid motion of the same rotation that takes the vertex where the joint
// takes it; such motions are written for a vertex at the origin.
pelt_dquat pelt_motion_at(vec3 position, uint joint)
{
    if (PELT_SCALE == PELT_SCALE_LOCAL)
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

pelt_motion pelt_skin_dqs(vec3 position, pelt_influences influences)
{
    pelt_dquat blend = pelt_blend_motion(position, influences);
    vec3 translation = pelt_dquat_translation(blend);
    mat3 linear = pelt_mat3_from_quat(blend.real);
    if (PELT_SCALE != PELT_SCALE_NONE)
    {
        linear = linear * pelt_blend_stretch(influences);
    }
    if (PELT_SCALE == PELT_SCALE_LOCAL)
    {
        return pelt_motion(linear, translation);
    }
    return pelt_motion(linear, linear * position + translation);
}

pelt_vertex pelt_deform_dqs(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_free(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    return pelt_move_vertex(rest, pelt_skin_dqs(rest.position, influences),
                            pelt_strongest_side(influences), pelt_strongest_rotation(influences));
}
