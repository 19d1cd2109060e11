// SPDX-License-Identifier: MIT
// Joints that scale, shear or mirror: matrix = motion * stretch. The matrix and the rotation tell
// both, so that a joint need not carry them. Reads pelt_palette_matrix(), pelt_palette_rotation().

// Linear part = rotation * stretch. The columns here are rows of the matrix, and the stretch is
// symmetric, so that it comes from the right.
mat3 pelt_palette_stretch(uint joint)
{
    return mat3(pelt_palette_matrix(joint)) * pelt_mat3_from_quat(pelt_palette_rotation(joint));
}

vec3 pelt_palette_translation(uint joint)
{
    mat3x4 matrix = pelt_palette_matrix(joint);
    return vec3(matrix[0].w, matrix[1].w, matrix[2].w);
}

// The dual part is translation * rotation / 2.
pelt_dquat pelt_dquat_make(vec4 rotation, vec3 translation)
{
    vec3 dual = rotation.w * translation + cross(translation, rotation.xyz);
    return pelt_dquat(rotation, 0.5 * vec4(dual, -dot(translation, rotation.xyz)));
}

// The first phase: stretches are averaged linearly, whatever the method does to motions.
mat3 pelt_blend_stretch(pelt_influences influences)
{
    mat3 sum = mat3(0.0);
    for (int i = 0; i < PELT_INFLUENCES; ++i)
    {
        sum += influences.weights[i] * pelt_palette_stretch(influences.joints[i]);
    }
    return sum;
}
