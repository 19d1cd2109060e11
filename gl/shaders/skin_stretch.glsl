// SPDX-License-Identifier: MIT
// Joints that scale, shear or mirror: matrix = motion * stretch. The matrix and the rotation tell
// both, so that a joint need not carry them. Reads pelt_palette_matrix(), pelt_palette_rotation().

// Linear part = rotation * stretch. The columns here are rows of the matrix, and the stretch is
// symmetric, so that it comes from the right.
mat3 pelt_joint_stretch(uint joint)
{
    if (PELT_SCALE == PELT_SCALE_NONE)
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

// The first phase: stretches are averaged linearly, whatever the method does to motions.
mat3 pelt_blend_stretch(pelt_influences influences)
{
    if (PELT_SCALE == PELT_SCALE_NONE)
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

// What the strongest joint does to directions: its matrix, or its rotation.
mat3 pelt_strongest_matrix(pelt_influences influences)
{
    return transpose(mat3(pelt_palette_matrix(influences.joints[0])));
}

mat3 pelt_strongest_rotation(pelt_influences influences)
{
    return pelt_mat3_from_quat(pelt_palette_rotation(influences.joints[0]));
}

// -1 where joints mirror; without scale they do not.
float pelt_strongest_side(pelt_influences influences)
{
    if (PELT_SCALE == PELT_SCALE_NONE)
    {
        return 1.0;
    }
    return pelt_side_of(mat3(pelt_palette_matrix(influences.joints[0])));
}
