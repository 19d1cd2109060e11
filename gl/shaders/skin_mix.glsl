// SPDX-License-Identifier: MIT
// The mix of linear blend and dual quaternion skinning by a factor, 0 to 1: their matrices are
// averaged, so that normals follow from the mean matrix and not from a mean of normals.

pelt_motion pelt_skin_mix(vec3 position, pelt_influences influences, float factor)
{
    pelt_motion lbs = pelt_skin_lbs(position, influences);
    pelt_motion dqs = pelt_skin_dqs(position, influences);
    return pelt_motion((1.0 - factor) * lbs.linear + factor * dqs.linear,
                       (1.0 - factor) * lbs.position + factor * dqs.position);
}

// What the strongest joint does to directions.
mat3 pelt_strongest_mix(pelt_influences influences)
{
    if (PELT_SCALE == PELT_SCALE_NONE)
    {
        return pelt_strongest_matrix(influences);
    }
    return pelt_strongest_rotation(influences);
}

pelt_vertex pelt_deform_mix(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_free(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    return pelt_move_vertex(rest, pelt_skin_mix(rest.position, influences, rest.mix_factor),
                            pelt_strongest_side(influences), pelt_strongest_mix(influences));
}
