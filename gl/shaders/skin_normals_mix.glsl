// SPDX-License-Identifier: MIT
// The derivative of the mix. It ignores that mix factors vary over the surface: they are meant to
// vary slowly.

// The derivative of the position along both axes.
mat2x3 pelt_jacobian_mix(vec3 position, pelt_influences influences, pelt_gradients gradients,
                         float factor)
{
    return (1.0 - factor) * pelt_jacobian_lbs(position, influences, gradients) +
           factor * pelt_jacobian_dqs(position, influences, gradients);
}

pelt_vertex pelt_deform_mix_accurate(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_unweighted(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    pelt_motion motion = pelt_skin_mix(rest, influences);
    float handedness = pelt_strongest_handedness(influences);
    pelt_gradients gradients =
        pelt_gradients_at(rest, influences, pelt_is_bent_by_stretch(influences));
    if (gradients.count > 0)
    {
        mat2x3 jacobian =
            pelt_jacobian_mix(rest.position, influences, gradients, rest.mix_factor);
        motion.linear = pelt_map_of(gradients, jacobian, handedness);
    }
    return pelt_move_mix(rest, motion, influences);
}
