// SPDX-License-Identifier: MIT
// The derivative of dual quaternion skinning. With y where each joint takes the vertex, that is
//     x = vector part of (sum w y q) s* / |s|^2,   s = sum w q,
// q with the signs of the blend. Written for y - x instead of y, the vector part vanishes and with
// it the derivative of |s|^2.

// Where the motion of a joint takes the vertex, from where the first phase left it.
vec3 pelt_joint_target(uint joint, vec3 position, mat3 stretch)
{
    if (PELT_SCALE == PELT_SCALE_LOCAL)
    {
        return vec4(position, 1.0) * pelt_palette_matrix(joint);
    }
    if (PELT_SCALE == PELT_SCALE_ORIGIN)
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

// What changes because weights do, the vertex staying where it is. Sums are taken about where the
// strongest joint takes the vertex, and then moved to x.
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
        vec3 away = pelt_joint_target(factor.joint, position, mean.stretch) - origin;
        vec4 moment = pelt_times_vector(away, q);
        mean_moment += factor.weight * moment;
        sums += pelt_outer_quat(q, factor.gradient);
        moments += pelt_outer_quat(moment, factor.gradient);
    }
    float scale = 1.0 / dot(mean.sum, mean.sum);
    vec4 back = pelt_quat_conjugate(mean.sum);
    vec3 image = scale * pelt_quat_mul(mean_moment, back).xyz;
    mean_moment -= pelt_times_vector(image, mean.sum);
    mat2x3 changes;
    for (int axis = 0; axis < 2; ++axis)
    {
        vec4 moment = moments[axis] - pelt_times_vector(image, sums[axis]);
        vec4 change = pelt_quat_mul(moment, back) +
                      pelt_quat_mul(mean_moment, pelt_quat_conjugate(sums[axis]));
        changes[axis] = scale * change.xyz;
    }
    return changes;
}

// Joints that stretch about the vertex take it apart as it moves: more happens than the mean
// rotation of the mean stretch. Columns: sum w (T e) q for each unit vector e.
mat3x4 pelt_blend_images(pelt_influences influences, pelt_gradients gradients)
{
    mat3x4 images = mat3x4(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        vec4 q = factor.weight * pelt_signed_rotation(influences, factor.joint);
        mat3 linear = transpose(mat3(pelt_palette_matrix(factor.joint)));
        images += mat3x4(pelt_times_vector(linear[0], q), pelt_times_vector(linear[1], q),
                         pelt_times_vector(linear[2], q));
    }
    return images;
}

// What changes because the vertex moves, where joints stretch about it.
mat2x3 pelt_derive_place(pelt_influences influences, pelt_gradients gradients, pelt_mean mean)
{
    mat3x4 images = pelt_blend_images(influences, gradients);
    mat2x4 firsts = mat2x4(0.0), seconds = mat2x4(0.0);
    mat2x3 thirds = mat2x3(0.0);
    for (int i = 0; i < gradients.count; ++i)
    {
        pelt_factor factor = pelt_factor_at(gradients, influences, i);
        vec4 q = pelt_signed_rotation(influences, factor.joint);
        mat2x3 moments = pelt_moments_of(gradients, factor);
        mat2x3 excess = moments - factor.weight * gradients.axes;
        mat2x3 moved = transpose(mat3(pelt_palette_matrix(factor.joint))) * moments;
        mat2x4 seen = images * excess;
        vec4 back = pelt_quat_conjugate(q);
        firsts += mat2x4(pelt_times_vector(moved[0], q), pelt_times_vector(moved[1], q));
        seconds += mat2x4(pelt_quat_mul(seen[0], back), pelt_quat_mul(seen[1], back));
        thirds += dot(mean.sum, q) * excess;
    }
    float scale = 1.0 / dot(mean.sum, mean.sum);
    mat2x4 whole = firsts - 2.0 * scale * (images * thirds);
    vec4 back = pelt_quat_conjugate(mean.sum);
    return scale * mat2x3(pelt_quat_mul(whole[0], back).xyz + seconds[0].xyz,
                          pelt_quat_mul(whole[1], back).xyz + seconds[1].xyz);
}

// About the origin, the vertex is first stretched as a whole: that changes with the weights too.
mat2x3 pelt_derive_phases(vec3 position, pelt_influences influences, pelt_gradients gradients,
                          pelt_mean mean)
{
    return pelt_derive_map(influences, gradients, mean) +
           mean.rotation * pelt_derive_stretch(influences, gradients, position);
}

// What the position does along both axes, as vertex and weights change over the surface.
mat2x3 pelt_jacobian_dqs(vec3 position, pelt_influences influences, pelt_gradients gradients)
{
    pelt_mean mean = pelt_mean_at(influences, gradients);
    if (mean.is_canceled)
    {
        // One joint alone decides, however the weights change.
        return pelt_derive_map(influences, gradients, mean);
    }
    mat2x3 changes = pelt_derive_weights(position, influences, gradients, mean);
    if (PELT_SCALE == PELT_SCALE_LOCAL)
    {
        return pelt_derive_place(influences, gradients, mean) + changes;
    }
    return pelt_derive_phases(position, influences, gradients, mean) + changes;
}

pelt_vertex pelt_deform_dqs_accurate(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_free(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    pelt_motion motion = pelt_skin_dqs(rest.position, influences);
    float side = pelt_strongest_side(influences);
    pelt_gradients gradients = pelt_gradients_at(rest, pelt_is_bent(influences));
    if (gradients.count > 0)
    {
        mat2x3 images = pelt_jacobian_dqs(rest.position, influences, gradients);
        motion.linear = pelt_map_of(gradients, images, side);
    }
    return pelt_move_vertex(rest, motion, side, pelt_strongest_rotation(influences));
}
