// SPDX-License-Identifier: MIT
// Joints that scale, shear or mirror: matrix = rigid motion * stretch. The stretch follows from the
// matrix and the rotation and is not stored. Uses skin_palette.glsl.

// The linear part is rotation * stretch. pelt_palette_matrix() is the transpose, and the stretch is
// symmetric: stretch = transpose(linear) * rotation.
mat3 pelt_joint_stretch(uint joint)
{
    if (PELT_SCALE == PELT_GPU_SCALE_NONE)
    {
        return mat3(1.0);
    }
    return mat3(pelt_palette_matrix(joint)) * pelt_mat3_from_quat(pelt_palette_rotation(joint));
}

vec3 pelt_joint_translation(uint joint)
{
    mat3x4 matrix = pelt_palette_matrix(joint);
    return vec3(matrix[0].w, matrix[1].w, matrix[2].w);
}

// The first phase of all methods but lbs: the linear blend of the stretches.
mat3 pelt_blend_stretch(pelt_influences influences)
{
    if (PELT_SCALE == PELT_GPU_SCALE_NONE)
    {
        return mat3(1.0);
    }
    mat3 sum = mat3(0.0);
    for (int i = 0; i < PELT_INFLUENCES; ++i)
    {
        sum += influences.weights[i] * pelt_joint_stretch(influences.joints[i]);
    }
    return sum;
}

// The linear map of the strongest joint, with and without its stretch.
mat3 pelt_strongest_matrix(pelt_influences influences)
{
    return transpose(mat3(pelt_palette_matrix(influences.joints[0])));
}

mat3 pelt_strongest_rotation(pelt_influences influences)
{
    return pelt_mat3_from_quat(pelt_palette_rotation(influences.joints[0]));
}

// -1 if the strongest joint mirrors. Rigid joints do not.
float pelt_strongest_handedness(pelt_influences influences)
{
    if (PELT_SCALE == PELT_GPU_SCALE_NONE)
    {
        return 1.0;
    }
    return pelt_handedness_of(mat3(pelt_palette_matrix(influences.joints[0])));
}
