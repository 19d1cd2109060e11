// SPDX-License-Identifier: MIT
// The derivative of dual quaternion skinning. With y = T x0, the vertex moved by one joint, it is
//     x = vector part of (sum w y q) s* / |s|^2,   s = sum w q,
// where q has the sign that it has in the blend. With y - x instead of y the vector part vanishes,
// and with it the derivative of |s|^2.

// The vertex moved by one joint, after the first phase, which stretches it.
vec3 pelt_joint_target(uint joint, vec3 position, mat3 stretch)
{
    if (PELT_SCALE == PELT_GPU_SCALE_LOCAL)
    {
        return vec4(position, 1.0) * pelt_palette_matrix(joint);
    }
    if (PELT_SCALE == PELT_GPU_SCALE_ORIGIN)
    {
        return pelt_mat3_from_quat(pelt_palette_rotation(joint)) * (stretch * position) +
               pelt_joint_translation(joint);
    }
    pelt_dquat motion = pelt_palette_motion(joint);
    return pelt_mat3_from_quat(motion.real) * position + pelt_dquat_translation(motion);
}

vec4 pelt_times_vector(vec3 v, vec4 q)
{
    return pelt_quat_mul(vec4(v, 0.0), q);
}

// The derivative with respect to the weights, for a fixed vertex. Sums are relative to the vertex
// moved by the strongest joint, and then to x.
mat2x3 pelt_derive_weights(vec3 position, pelt_influences influences, pelt_gradients gradients,
                           pelt_mean mean)
{
    vec3 origin = pelt_joint_target(influences.joints[0], position, mean.stretch);
    vec4 mean_moment = vec4(0.0);
    mat2x4 sums = mat2x4(0.0), moments = mat2x4(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        vec4 q = pelt_signed_rotation(influences, factor.joint);
        vec3 offset = pelt_joint_target(factor.joint, position, mean.stretch) - origin;
        vec4 moment = pelt_times_vector(offset, q);
        mean_moment += factor.weight * moment;
        sums += pelt_outer_quat(q, factor.gradient);
        moments += pelt_outer_quat(moment, factor.gradient);
    }
    float scale = 1.0 / dot(mean.sum, mean.sum);
    vec4 back = pelt_quat_conjugate(mean.sum);
    vec3 x = scale * pelt_quat_mul(mean_moment, back).xyz;
    mean_moment -= pelt_times_vector(x, mean.sum);
    mat2x3 changes;
    for (int axis = 0; axis < 2; ++axis)
    {
        vec4 moment = moments[axis] - pelt_times_vector(x, sums[axis]);
        vec4 change = pelt_quat_mul(moment, back) +
                      pelt_quat_mul(mean_moment, pelt_quat_conjugate(sums[axis]));
        changes[axis] = scale * change.xyz;
    }
    return changes;
}

// If joints stretch about the vertex, the derivative is not the mean rotation of the mean stretch.
// Columns: sum w (T e) q for each unit vector e.
mat3x4 pelt_blend_columns(pelt_influences influences, pelt_gradients gradients)
{
    mat3x4 columns = mat3x4(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        vec4 q = factor.weight * pelt_signed_rotation(influences, factor.joint);
        mat3 linear = transpose(mat3(pelt_palette_matrix(factor.joint)));
        columns += mat3x4(pelt_times_vector(linear[0], q), pelt_times_vector(linear[1], q),
                          pelt_times_vector(linear[2], q));
    }
    return columns;
}

// The derivative with respect to the vertex, if joints stretch about it.
mat2x3 pelt_derive_position(pelt_influences influences, pelt_gradients gradients, pelt_mean mean)
{
    mat3x4 columns = pelt_blend_columns(influences, gradients);
    mat2x4 firsts = mat2x4(0.0), seconds = mat2x4(0.0);
    mat2x3 thirds = mat2x3(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        vec4 q = pelt_signed_rotation(influences, factor.joint);
        mat2x3 moments = pelt_moments_of(gradients, factor);
        mat2x3 excess = moments - factor.weight * gradients.axes;
        mat2x3 moved = transpose(mat3(pelt_palette_matrix(factor.joint))) * moments;
        mat2x4 blended = columns * excess;
        vec4 back = pelt_quat_conjugate(q);
        firsts += mat2x4(pelt_times_vector(moved[0], q), pelt_times_vector(moved[1], q));
        seconds += mat2x4(pelt_quat_mul(blended[0], back), pelt_quat_mul(blended[1], back));
        thirds += dot(mean.sum, q) * excess;
    }
    float scale = 1.0 / dot(mean.sum, mean.sum);
    mat2x4 whole = firsts - 2.0 * scale * (columns * thirds);
    vec4 back = pelt_quat_conjugate(mean.sum);
    return scale * mat2x3(pelt_quat_mul(whole[0], back).xyz + seconds[0].xyz,
                          pelt_quat_mul(whole[1], back).xyz + seconds[1].xyz);
}

// If joints stretch about the origin, the mean stretch of the whole vertex varies with the weights.
mat2x3 pelt_derive_phases(vec3 position, pelt_influences influences, pelt_gradients gradients,
                          pelt_mean mean)
{
    return pelt_derive_map(influences, gradients, mean) +
           mean.rotation * pelt_derive_stretch(influences, gradients, position);
}

// The derivative of the position along both axes.
mat2x3 pelt_jacobian_dqs(vec3 position, pelt_influences influences, pelt_gradients gradients)
{
    pelt_mean mean = pelt_mean_at(influences, gradients);
    if (mean.is_canceled)
    {
        // The strongest joint alone is used, and weights do not matter.
        return pelt_derive_map(influences, gradients, mean);
    }
    mat2x3 changes = pelt_derive_weights(position, influences, gradients, mean);
    if (PELT_SCALE == PELT_GPU_SCALE_LOCAL)
    {
        return pelt_derive_position(influences, gradients, mean) + changes;
    }
    return pelt_derive_phases(position, influences, gradients, mean) + changes;
}

pelt_vertex pelt_deform_dqs_accurate(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_unweighted(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    pelt_motion motion = pelt_skin_dqs(rest, influences);
    float handedness = pelt_strongest_handedness(influences);
    pelt_gradients gradients =
        pelt_gradients_at(rest, influences, pelt_is_bent_by_stretch(influences));
    if (gradients.count > 0)
    {
        mat2x3 jacobian = pelt_jacobian_dqs(rest.position, influences, gradients);
        motion.linear = pelt_map_of(gradients, jacobian, handedness);
    }
    return pelt_move_dqs(rest, motion, influences);
}
