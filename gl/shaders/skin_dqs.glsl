// SPDX-License-Identifier: MIT
// Dual quaternion skinning (Kavan et al. 2008): the weighted mean of the joints' rigid motions as
// unit dual quaternions. Reads pelt_palette_motion().

pelt_dquat pelt_blend_motion(pelt_influences influences)
{
    pelt_dquat strongest = pelt_palette_motion(influences.joints[0]);
    pelt_dquat sum = pelt_dquat(influences.weights[0] * strongest.real,
                                influences.weights[0] * strongest.dual);
    for (int i = 1; i < PELT_INFLUENCES; ++i)
    {
        pelt_dquat motion = pelt_palette_motion(influences.joints[i]);
        float weight = pelt_sign_of(motion.real, strongest.real) * influences.weights[i];
        sum.real += weight * motion.real;
        sum.dual += weight * motion.dual;
    }
    if (pelt_is_cancelled(sum.real))
    {
        return strongest;
    }
    float scale = 1.0 / length(sum.real);
    return pelt_dquat(scale * sum.real, scale * sum.dual);
}

// The vector part of 2 * dual * conjugate(real).
vec3 pelt_dquat_translation(pelt_dquat d)
{
    return 2.0 * (d.real.w * d.dual.xyz - d.dual.w * d.real.xyz + cross(d.real.xyz, d.dual.xyz));
}

pelt_motion pelt_skin_dqs(vec3 position, pelt_influences influences)
{
    pelt_dquat blend = pelt_blend_motion(influences);
    mat3 rotation = pelt_mat3_from_quat(blend.real);
    return pelt_motion(rotation, rotation * position + pelt_dquat_translation(blend));
}
