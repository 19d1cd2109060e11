// SPDX-License-Identifier: MIT
// The derivative of linear blend skinning: x = sum w T x0 is linear in the weights and in the
// weights times x0, and so is its derivative in their gradients.

// What the position does along both axes, as vertex and weights change over the surface.
mat2x3 pelt_jacobian_lbs(vec3 position, pelt_influences influences, pelt_gradients gradients)
{
    // Gradients sum to zero, so any origin serves; one nearby keeps digits.
    vec3 origin = vec4(position, 1.0) * pelt_palette_matrix(influences.joints[0]);
    mat2x3 images = mat2x3(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        mat3x4 matrix = pelt_palette_matrix(factor.joint);
        vec3 away = vec4(position, 1.0) * matrix - origin;
        images += transpose(mat3(matrix)) * pelt_moments_of(gradients, factor) +
                  pelt_outer(away, factor.gradient);
    }
    return images;
}

pelt_vertex pelt_deform_lbs_accurate(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_free(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    pelt_motion motion = pelt_skin_lbs(rest.position, influences);
    mat3 strongest = pelt_strongest_matrix(influences);
    float side = pelt_side_of(strongest);
    pelt_gradients gradients = pelt_gradients_at(rest, false);
    if (gradients.count > 0)
    {
        mat2x3 images = pelt_jacobian_lbs(rest.position, influences, gradients);
        motion.linear = pelt_map_of(gradients, images, side);
    }
    return pelt_move_vertex(rest, motion, side, strongest);
}
