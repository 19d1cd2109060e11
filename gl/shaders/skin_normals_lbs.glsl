// SPDX-License-Identifier: MIT
// The derivative of linear blend skinning: x = sum w T x0 is linear in the weights w and in the
// products w x0, so its derivative is linear in the gradients of both.

// The derivative of the position along both axes.
mat2x3 pelt_jacobian_lbs(vec3 position, pelt_influences influences, pelt_gradients gradients)
{
    // Gradients sum to zero, so the origin is arbitrary; a near one reduces rounding.
    vec3 origin = vec4(position, 1.0) * pelt_palette_matrix(influences.joints[0]);
    mat2x3 jacobian = mat2x3(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        mat3x4 matrix = pelt_palette_matrix(factor.joint);
        vec3 offset = vec4(position, 1.0) * matrix - origin;
        jacobian += transpose(mat3(matrix)) * pelt_moments_of(gradients, factor) +
                    pelt_outer(offset, factor.gradient);
    }
    return jacobian;
}

pelt_vertex pelt_deform_lbs_accurate(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_unweighted(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    pelt_motion motion = pelt_skin_lbs(rest, influences);
    float handedness = pelt_handedness_of(pelt_strongest_matrix(influences));
    pelt_gradients gradients = pelt_gradients_at(rest, influences, false);
    if (gradients.count > 0)
    {
        mat2x3 jacobian = pelt_jacobian_lbs(rest.position, influences, gradients);
        motion.linear = pelt_map_of(gradients, jacobian, handedness);
    }
    return pelt_move_lbs(rest, motion, influences);
}
