// SPDX-License-Identifier: MIT
// The derivative of the mix. That factors vary from vertex to vertex is left out: they are painted
// to vary slowly.

// What the position does along both axes, as vertex and weights change over the surface.
mat2x3 pelt_jacobian_mix(vec3 position, pelt_influences influences, pelt_gradients gradients,
                         float factor)
{
    return (1.0 - factor) * pelt_jacobian_lbs(position, influences, gradients) +
           factor * pelt_jacobian_dqs(position, influences, gradients);
}

pelt_vertex pelt_deform_mix_accurate(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_free(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    pelt_motion motion = pelt_skin_mix(rest.position, influences, rest.mix_factor);
    float side = pelt_strongest_side(influences);
    pelt_gradients gradients = pelt_gradients_at(rest, pelt_is_bent(influences));
    if (gradients.count > 0)
    {
        mat2x3 images =
            pelt_jacobian_mix(rest.position, influences, gradients, rest.mix_factor);
        motion.linear = pelt_map_of(gradients, images, side);
    }
    return pelt_move_vertex(rest, motion, side, pelt_strongest_mix(influences));
}
