// SPDX-License-Identifier: MIT
// The derivative of skinning with centers of rotation, x = sum w T p + R S (x0 - p), by the product
// rule.

// The matrix by which a joint moves the center: its own, or its rigid motion if the center has been
// stretched about the origin before.
mat3x4 pelt_center_matrix(uint joint)
{
    if (PELT_SCALE == PELT_GPU_SCALE_ORIGIN)
    {
        mat3 rows = transpose(pelt_mat3_from_quat(pelt_palette_rotation(joint)));
        vec3 translation = pelt_joint_translation(joint);
        return mat3x4(vec4(rows[0], translation.x), vec4(rows[1], translation.y),
                      vec4(rows[2], translation.z));
    }
    return pelt_palette_matrix(joint);
}

// The derivative of the moved center along both axes: weights vary, and so does the center in the
// bind pose.
mat2x3 pelt_derive_center(pelt_influences influences, pelt_gradients gradients, pelt_mean mean)
{
    vec4 start = vec4(gradients.center, 1.0);
    mat2x3 derivatives = gradients.center_derivatives;
    if (PELT_SCALE == PELT_GPU_SCALE_ORIGIN)
    {
        start.xyz = mean.stretch * gradients.center;
        derivatives = mean.stretch * derivatives +
                      pelt_derive_stretch(influences, gradients, gradients.center);
    }
    // Gradients sum to zero, so the origin is arbitrary; a near one reduces rounding.
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
    return changes + linear * derivatives;
}

// The derivative of the mean rotation along both axes, times a stretched offset.
mat2x3 pelt_derive_rotation(pelt_influences influences, pelt_gradients gradients, pelt_mean mean,
                            vec3 offset)
{
    mat2x4 change = mat2x4(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        change += pelt_outer_quat(pelt_signed_rotation(influences, factor.joint), factor.gradient);
    }
    vec3 moved = mean.rotation * (mean.stretch * offset);
    return mat2x3(cross(pelt_angular_velocity(mean, change[0]), moved),
                  cross(pelt_angular_velocity(mean, change[1]), moved));
}

// The derivative of the position along both axes. The offset from the center varies as x0 - p does.
mat2x3 pelt_jacobian_crs(vec3 position, pelt_influences influences, pelt_gradients gradients)
{
    pelt_mean mean = pelt_mean_at(influences, gradients);
    vec3 offset = position - gradients.center;
    mat2x3 along = pelt_derive_stretch(influences, gradients, offset) -
                   mean.stretch * gradients.center_derivatives;
    return pelt_derive_map(influences, gradients, mean) + mean.rotation * along +
           pelt_derive_center(influences, gradients, mean) +
           pelt_derive_rotation(influences, gradients, mean, offset);
}

pelt_vertex pelt_deform_crs_accurate(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_unweighted(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    pelt_motion motion = pelt_skin_crs(rest, influences);
    float handedness = pelt_strongest_handedness(influences);
    pelt_gradients gradients = pelt_gradients_at(rest, influences, false);
    if (gradients.count > 0)
    {
        mat2x3 jacobian = pelt_jacobian_crs(rest.position, influences, gradients);
        motion.linear = pelt_map_of(gradients, jacobian, handedness);
    }
    return pelt_move_crs(rest, motion, influences);
}
