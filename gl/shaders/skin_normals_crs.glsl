// SPDX-License-Identifier: MIT
// The derivative of skinning with centers of rotation, x = sum w T p + R S (x0 - p): every factor
// by its own gradient.

// How a joint moves the center: with its matrix, or rigidly where that was stretched about the
// origin before.
mat3x4 pelt_center_matrix(uint joint)
{
    if (PELT_SCALE == PELT_SCALE_ORIGIN)
    {
        mat3 rows = transpose(pelt_mat3_from_quat(pelt_palette_rotation(joint)));
        vec3 translation = pelt_joint_translation(joint);
        return mat3x4(vec4(rows[0], translation.x), vec4(rows[1], translation.y),
                      vec4(rows[2], translation.z));
    }
    return pelt_palette_matrix(joint);
}

// What the moved center does along both axes: as weights change, and as it drifts over the rest
// pose.
mat2x3 pelt_derive_center(pelt_influences influences, pelt_gradients gradients, pelt_mean mean)
{
    vec4 start = vec4(gradients.center, 1.0);
    mat2x3 drift = gradients.center_derivatives;
    if (PELT_SCALE == PELT_SCALE_ORIGIN)
    {
        start.xyz = mean.stretch * gradients.center;
        drift = mean.stretch * drift + pelt_derive_stretch(influences, gradients, gradients.center);
    }
    // Gradients sum to zero, so any origin serves; one nearby keeps digits.
    vec3 origin = start * pelt_center_matrix(influences.joints[0]);
    mat3 linear = mat3(0.0);
    mat2x3 changes = mat2x3(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        mat3x4 matrix = pelt_center_matrix(factor.joint);
        linear += factor.weight * transpose(mat3(matrix));
        changes += pelt_outer(start * matrix - origin, factor.gradient);
    }
    return changes + linear * drift;
}

// What the mean rotation does to the arm as its sum of quaternions changes.
mat2x3 pelt_derive_turn(pelt_influences influences, pelt_gradients gradients, pelt_mean mean,
                        vec3 arm)
{
    mat2x4 change = mat2x4(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        change += pelt_outer_quat(pelt_signed_rotation(influences, factor.joint), factor.gradient);
    }
    vec3 moved_arm = mean.rotation * (mean.stretch * arm);
    return mat2x3(cross(pelt_turn_of(mean, change[0]), moved_arm),
                  cross(pelt_turn_of(mean, change[1]), moved_arm));
}

// What the position does along both axes, as vertex and weights change over the surface. The arm
// loses where the center gains.
mat2x3 pelt_jacobian_crs(vec3 position, pelt_influences influences, pelt_gradients gradients)
{
    pelt_mean mean = pelt_mean_at(influences, gradients);
    vec3 arm = position - gradients.center;
    mat2x3 along = pelt_derive_stretch(influences, gradients, arm) -
                   mean.stretch * gradients.center_derivatives;
    return pelt_derive_map(influences, gradients, mean) + mean.rotation * along +
           pelt_derive_center(influences, gradients, mean) +
           pelt_derive_turn(influences, gradients, mean, arm);
}

pelt_vertex pelt_deform_crs_accurate(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_free(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    pelt_motion motion = pelt_skin_crs(rest.position, rest.center, influences);
    float side = pelt_strongest_side(influences);
    pelt_gradients gradients = pelt_gradients_at(rest, false);
    if (gradients.count > 0)
    {
        mat2x3 images = pelt_jacobian_crs(rest.position, influences, gradients);
        motion.linear = pelt_map_of(gradients, images, side);
    }
    return pelt_move_vertex(rest, motion, side, pelt_strongest_rotation(influences));
}
