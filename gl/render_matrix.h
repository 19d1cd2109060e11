// SPDX-License-Identifier: MIT
// From the model to the picture: 4x4 matrices as OpenGL needs them, and the two kinds of view.
#ifndef PELTI_RENDER_MATRIX_H
#define PELTI_RENDER_MATRIX_H

#include "pelt/pelt.h"

/// m[4 * column + row].
typedef struct pelti_mat4
{
    float m[16];
} pelti_mat4;

/// Axes of a view: x to the right, y up and z towards the eye. They are the columns of a rotation.
typedef struct pelti_view
{
    pelt_vec3 right, up, back;
} pelti_view;

/// Axes of a camera that looks along -back, with +Y upwards as far as that goes.
pelti_view pelti_view_toward(pelt_vec3 back);

/// A point along the axes.
pelt_vec3 pelti_view_point(const pelti_view* view, pelt_vec3 p);

/// The eight corners of a box.
void pelti_box_corners(pelt_vec3 out[8], const pelt_bounds* box);

pelti_mat4 pelti_mat4_mul(const pelti_mat4* a, const pelti_mat4* b);
pelti_mat4 pelti_mat4_perspective(float field_of_view, float aspect, float near, float far);

/// From the model to a view at an eye.
pelti_mat4 pelti_mat4_view(const pelti_view* view, pelt_vec3 eye);

/// Parallel light: from the model to a square around a box, -1 to 1 in all directions.
/// @param side    out: meters from -1 to 1
/// @param margin  around the box, as part of the side
pelti_mat4 pelti_mat4_parallel(float* side, const pelt_bounds* box, pelt_vec3 to_light,
                               float margin);

/// From -1 .. 1 to 0 .. 1, as textures are read.
pelti_mat4 pelti_mat4_to_texture(const pelti_mat4* clip_from_model);

#endif
