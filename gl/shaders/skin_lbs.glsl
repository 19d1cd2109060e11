// SPDX-License-Identifier: MIT
// Linear blend skinning (Magnenat-Thalmann et al. 1988): the weighted mean of the joint matrices.
// Reads pelt_palette_matrix().

pelt_motion pelt_skin_lbs(vec3 position, pelt_influences influences)
{
    mat3x4 sum = mat3x4(0.0);
    for (int i = 0; i < PELT_INFLUENCES; ++i)
    {
        sum += influences.weights[i] * pelt_palette_matrix(influences.joints[i]);
    }
    return pelt_motion(transpose(mat3(sum)), vec4(position, 1.0) * sum);
}

pelt_vertex pelt_deform_lbs(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_free(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    mat3 strongest = pelt_strongest_matrix(influences);
    return pelt_move_vertex(rest, pelt_skin_lbs(rest.position, influences),
                            pelt_side_of(strongest), strongest);
}
