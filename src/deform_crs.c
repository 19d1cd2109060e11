// SPDX-License-Identifier: MIT
// Skinning with optimised centres of rotation (Le and Hodgins 2016, Algorithm 1): the mean rotation
// about the vertex's own centre, which was found beforehand and moves as under linear blending.
#include "deform_vertex.h"

static pelti_motion motion_crs(const pelti_vertex* vertex, const pelt_deform_input* input,
                               const pelt_deform_options* options)
{
    return pelti_motion_about(vertex, input->cors[vertex->index], options);
}

void pelt_deform_crs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    PELT_ASSERT(input->cors != NULL);
    pelti_deform_each(out, input, options, range, motion_crs);
}
