// SPDX-License-Identifier: MIT
// Normals by the formula of Tarini et al. 2014, for comparison: the derivatives of the methods are
// closer to the surface. Reads skin_normals.glsl.

// A change of a vector is kept below its length under the strongest joint, so that folds do not
// turn normals over.
vec3 pelt_limit_change(vec3 change, vec3 whole)
{
    float most = 0.9 * length(whole);
    float size = length(change);
    return size > most ? change * (most / size) : change;
}

// Tarini et al. 2014, Eq. 13: the vertex's own map, and the gradients of the joints' weights. Exact
// for lbs; section 4.5 takes it for dqs as well. The limit is that of section 4.4.
mat3 pelt_map_paper(pelt_rest rest, pelt_motion motion, pelt_influences influences)
{
    pelt_gradients gradients = pelt_gradients_at(rest, false);
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
