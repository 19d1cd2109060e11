// SPDX-License-Identifier: MIT
// Skinning with optimized centers of rotation (Le and Hodgins, "Real-time Skeletal Skinning with
// Optimized Centers of Rotation", 2016, Algorithm 1): the vertex rotates by the mean rotation about
// its precomputed center, which moves as under linear blend skinning. Uses skin_palette.glsl and
// skin_stretch.glsl.

vec4 pelt_blend_rotation(pelt_influences influences)
{
    vec4 strongest = pelt_palette_rotation(influences.joints[0]);
    vec4 sum = influences.weights[0] * strongest;
    for (int i = 1; i < PELT_INFLUENCES; ++i)
    {
        vec4 q = pelt_palette_rotation(influences.joints[i]);
        sum += pelt_sign_of(q, strongest) * influences.weights[i] * q;
    }
    return pelt_is_canceled(sum) ? strongest : normalize(sum);
}

// Linear blend skinning of a point.
vec3 pelt_blend_point(vec3 point, pelt_influences influences)
{
    vec3 sum = vec3(0.0);
    for (int i = 0; i < PELT_INFLUENCES; ++i)
    {
        vec3 moved = vec4(point, 1.0) * pelt_palette_matrix(influences.joints[i]);
        sum += influences.weights[i] * moved;
    }
    return sum;
}

// Linear blend of the rigid motions of a point, without stretches.
vec3 pelt_blend_rigid(vec3 point, pelt_influences influences)
{
    vec3 sum = vec3(0.0);
    for (int i = 0; i < PELT_INFLUENCES; ++i)
    {
        uint joint = influences.joints[i];
        mat3 rotation = pelt_mat3_from_quat(pelt_palette_rotation(joint));
        sum += influences.weights[i] * (rotation * point + pelt_joint_translation(joint));
    }
    return sum;
}

pelt_motion pelt_skin_crs(pelt_rest rest, pelt_influences influences)
{
    mat3 linear = pelt_mat3_from_quat(pelt_blend_rotation(influences));
    mat3 stretch = pelt_blend_stretch(influences);
    if (PELT_SCALE != PELT_GPU_SCALE_NONE)
    {
        linear = linear * stretch;
    }
    vec3 offset = linear * (rest.position - rest.center);
    if (PELT_SCALE == PELT_GPU_SCALE_ORIGIN)
    {
        return pelt_motion(linear, pelt_blend_rigid(stretch * rest.center, influences) + offset);
    }
    return pelt_motion(linear, pelt_blend_point(rest.center, influences) + offset);
}

pelt_vertex pelt_move_crs(pelt_rest rest, pelt_motion motion, pelt_influences influences)
{
    return pelt_move_vertex(rest, motion, pelt_strongest_handedness(influences),
                            pelt_strongest_rotation(influences));
}

pelt_vertex pelt_deform_crs(pelt_rest rest, pelt_influences influences)
{
    if (pelt_is_unweighted(influences))
    {
        return pelt_vertex_at_rest(rest);
    }
    return pelt_move_crs(rest, pelt_skin_crs(rest, influences), influences);
}
