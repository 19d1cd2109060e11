// SPDX-License-Identifier: MIT
// Gradients of weights at the vertices of a mesh, one group of welded vertices at a time.
#ifndef PELTI_WEIGHT_GRADIENTS_H
#define PELTI_WEIGHT_GRADIENTS_H

#include "../base/double3.h"
#include "vertex_rings.h"

/// The weight of a joint near a vertex: means over its triangles, weighted by area.
typedef struct pelti_weight_gradient
{
    pelt_joint_index joint;
    float weight;        ///< at the vertex; 0 for a joint that only neighbors have
    double mean;         ///< of the weight; then the weight to expand methods at
    double gradients[2]; ///< of the weight along both axes, per meter
    double moments[2]
                  [2]; ///< [i][k]: gradient along axis i of the weight times x[k] from the vertex
    double
        product_derivative; ///< of the weight times how far all weights went along their gradients
    double steepness;       ///< how far the weight is from constant
    bool is_kept;           ///< under the limit
} pelti_weight_gradient;

typedef struct pelti_weight_gradients
{
    const pelt_mesh* mesh;
    const pelt_vec3* cors; ///< or NULL
    uint32_t limit;        ///< of the number of entries
    pelti_weld weld;
    uint32_t* slots; ///< by joint: index into entries plus 1; 0: none

    // State of the current group:
    double area;           ///< of its triangles
    pelti_double3 normal;  ///< of its triangles, unit; zero where they cancel out
    pelti_double3 axes[2]; ///< unit, across the normal
    uint32_t count;
    pelti_weight_gradient* entries; ///< in the order of pelt_normal_factors, and with their sums
    pelti_double3 center;           ///< of rotation, if there are cors
    pelti_double3 center_derivatives[2]; ///< of the center along both axes
} pelti_weight_gradients;

/// @return false when out of memory
bool pelti_weight_gradients_create(pelti_weight_gradients* out, const pelt_mesh* mesh,
                                   const pelt_vec3* cors, uint32_t limit, pelt_arena* scratch);

/// Compute the entries of a group. There are none where weights are constant or triangles define no
/// derivative, because they are slivers or folded on each other.
void pelti_weight_gradients_gather(pelti_weight_gradients* s, uint32_t group);

/// Replace the means by the weights at which methods are expanded.
void pelti_weight_gradients_solve(pelti_weight_gradients* s);

/// Correct gradients such that the Jacobian of the position is the identity; compute steepness.
/// @return false: weights are constant up to rounding, or there is no plane
bool pelti_weight_gradients_flatten(pelti_weight_gradients* s);

/// Sort the joints of neighbors, apply the limit, and make weights sum to 1 again.
/// @param own_count  influences of the vertex itself, which come first
/// @return false: triangles are slivers, and float cannot represent the result
bool pelti_weight_gradients_prune(pelti_weight_gradients* s, uint32_t own_count);

#endif
