// SPDX-License-Identifier: MIT
// Derivatives of displacements at vertices.
#ifndef PELTI_STENCILS_H
#define PELTI_STENCILS_H

#include "../../include/pelt/prepare.h"

/// The Jacobian of a displaced mesh at a vertex: that of the triangles within their plane; the
/// normal of the plane is mapped to the normal of the displaced plane. The identity where all
/// neighbors have the same displacement as the vertex.
pelt_mat3 pelti_stencil_map(const pelt_stencils* stencils, const pelt_vec3* displacements,
                            uint32_t vertex);

#endif
