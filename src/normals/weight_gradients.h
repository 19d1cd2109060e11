// SPDX-License-Identifier: MIT
// How weights change around the vertices of a mesh, one group of welded vertices at a time.
#ifndef PELTI_NORMAL_SLOPES_H
#define PELTI_NORMAL_SLOPES_H

#include "../base/double3.h"
#include "weld.h"

/// The weight of a joint around a vertex: means over its triangles, by area.
typedef struct pelti_slope
{
    uint32_t joint;
    float weight;         ///< at the vertex; 0 for a joint that only neighbours have
    double mean;          ///< of the weight; then the weight to expand methods at
    double rates[2];      ///< of the weight along both axes, per metre
    double moments[2][2]; ///< [i][k]: rate along axis i of the weight times x[k] from the vertex
    double product_rate;  ///< of the weight times how far all weights went along their rates
    double steepness;     ///< how far the weight is from constant
    bool is_kept;         ///< under the limit
} pelti_slope;

typedef struct pelti_slopes
{
    const pelt_mesh* mesh;
    const pelt_vec3* cors; ///< or NULL
    uint32_t limit;        ///< of the number of slopes
    pelti_weld weld;
    uint32_t* places; ///< of each joint in slopes, plus one; 0: not there

    // Of the group at hand.
    double area;           ///< of its triangles
    pelti_double3 normal;  ///< of its triangles, unit; zero where they cancel out
    pelti_double3 axes[2]; ///< unit, across the normal
    uint32_t count;
    pelti_slope* slopes;           ///< in the order of pelt_normal_factors, and with their sums
    pelti_double3 center;          ///< of rotation, if there are cors
    pelti_double3 center_rates[2]; ///< of the centre along both axes
} pelti_slopes;

/// @return false when out of memory
bool pelti_slopes_create(pelti_slopes* out, const pelt_mesh* mesh, const pelt_vec3* cors,
                         uint32_t limit, pelt_arena* scratch);

/// Find the slopes of a group; none where weights are constant, or triangles say nothing: where
/// they are slivers, or folded on each other.
void pelti_slopes_gather(pelti_slopes* s, uint32_t group);

// ---------------------------------------------------------------------------------------------
// slope_list.c

/// Find the weights at which to expand methods, in place of the means.
void pelti_slopes_solve(pelti_slopes* s);

/// Make the rates of the place itself those of a plane, and see how steep weights are.
/// @return false: weights are constant, but for rounding, or there is no plane
bool pelti_slopes_flatten(pelti_slopes* s);

/// Sort the neighbours' joints, keep to the limit, and let all weights together be one again.
/// @param own_count  influences of the vertex itself, which come first
/// @return false: triangles are slivers, so that float has no digits for the result
bool pelti_slopes_prune(pelti_slopes* s, uint32_t own_count);

#endif
