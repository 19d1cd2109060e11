// SPDX-License-Identifier: MIT
// Normals by the formula of Tarini et al., "Accurate and Efficient Lighting for Skinned Models",
// 2014, for comparison: the derivatives of the methods are closer to the surface. Uses
// skin_normals.glsl. PELT_SKIN and PELT_MOVE are the functions of the method: pelt_skin_dqs,
// pelt_move_dqs.

// The change of a vector is limited to 0.9 of its length under the strongest joint, so that folds
// do not flip normals.
vec3 pelt_limit_change(vec3 change, vec3 whole)
{
    float most = 0.9 * length(whole);
    float size = length(change);
    return size > most ? change * (most / size) : change;
}

// Eq. 13: the linear map of the vertex, and the gradients of the weights. It is exact for lbs;
// section 4.5 uses it for dqs as well. The limit is that of section 4.4.
mat3 pelt_map_paper(pelt_rest rest, pelt_motion motion, pelt_influences influences)
{
    pelt_gradients gradients = pelt_gradients_at(rest, influences, false);
    if (gradients.count == 0)
    {
        return motion.linear;
    }
    mat2x3 changes = mat2x3(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        vec3 moved = vec4(rest.position, 1.0) * pelt_palette_matrix(factor.joint);
        changes += pelt_outer(moved - motion.position, factor.gradient);
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        vec3 whole = vec4(gradients.axes[axis], 0.0) * pelt_palette_matrix(influences.joints[0]);
        changes[axis] = pelt_limit_change(changes[axis], whole);
    }
    return motion.linear + changes * transpose(gradients.axes);
}

#if defined(PELT_SKIN)

pelt_vertex pelt_deform_paper(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_unweighted(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    pelt_motion motion = PELT_SKIN(rest, influences);
    motion.linear = pelt_map_paper(rest, motion, influences);
    return PELT_MOVE(rest, motion, influences);
}

#endif
