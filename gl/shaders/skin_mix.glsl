// SPDX-License-Identifier: MIT
// The mix of linear blend and dual quaternion skinning by a factor, 0 to 1. The matrices are
// averaged, so that normals are those of the mean matrix. Uses skin_lbs.glsl and skin_dqs.glsl.

pelt_motion pelt_skin_mix(pelt_rest rest, pelt_influences influences)
{
    float factor = rest.mix_factor;
    pelt_motion lbs = pelt_skin_lbs(rest, influences);
    pelt_motion dqs = pelt_skin_dqs(rest, influences);
    return pelt_motion((1.0 - factor) * lbs.linear + factor * dqs.linear,
                       (1.0 - factor) * lbs.position + factor * dqs.position);
}

pelt_vertex pelt_move_mix(pelt_rest rest, pelt_motion motion, pelt_influences influences)
{
    mat3 strongest = pelt_strongest_rotation(influences);
    if (PELT_SCALE == PELT_GPU_SCALE_NONE)
    {
        strongest = pelt_strongest_matrix(influences);
    }
    return pelt_move_vertex(rest, motion, pelt_strongest_handedness(influences), strongest);
}

pelt_vertex pelt_deform_mix(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_unweighted(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    return pelt_move_mix(rest, pelt_skin_mix(rest, influences), influences);
}
