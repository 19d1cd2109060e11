// SPDX-License-Identifier: MIT
// Linear blend skinning (Magnenat-Thalmann et al. 1988): the weighted mean of the joint matrices.
// Uses skin_palette.glsl.

pelt_motion pelt_skin_lbs(pelt_rest rest, pelt_influences influences)
{
    mat3x4 sum = mat3x4(0.0);
    for (int i = 0; i < PELT_INFLUENCES; ++i)
    {
        sum += influences.weights[i] * pelt_palette_matrix(influences.joints[i]);
    }
    return pelt_motion(transpose(mat3(sum)), vec4(rest.position, 1.0) * sum);
}

pelt_vertex pelt_move_lbs(pelt_rest rest, pelt_motion motion, pelt_influences influences)
{
    mat3 strongest = pelt_strongest_matrix(influences);
    return pelt_move_vertex(rest, motion, pelt_handedness_of(strongest), strongest);
}

pelt_vertex pelt_deform_lbs(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_unweighted(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    return pelt_move_lbs(rest, pelt_skin_lbs(rest, influences), influences);
}
