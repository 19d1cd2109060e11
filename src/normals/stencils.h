// SPDX-License-Identifier: MIT
// What displacements do to the surroundings of a vertex.
#ifndef PELTI_STENCILS_H
#define PELTI_STENCILS_H

#include "../../include/pelt/prepare.h"

/// The linear map of the surroundings of a vertex when its mesh is displaced: that of the triangles
/// in their plane, and of its normal to the normal of the image. The unit matrix where nothing
/// around the vertex moves against it.
pelt_mat3 pelti_stencil_map(const pelt_stencils* stencils, const pelt_vec3* displacements,
                            uint32_t vertex);

#endif
