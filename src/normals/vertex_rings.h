// SPDX-License-Identifier: MIT
// Welded vertices and their triangles, over which normals, stencils and metrics are averaged.
#ifndef PELTI_VERTEX_RINGS_H
#define PELTI_VERTEX_RINGS_H

#include "../../include/pelt/prepare.h"
#include "../base/double3.h"

/// Groups of vertices with equal position and weights, and with normals that agree to a degree:
/// the copies that file formats make along UV seams.
typedef struct pelti_weld
{
    uint32_t group_count;
    uint32_t* vertex_first; ///< group_count + 1 offsets
    uint32_t* vertices;     ///< of each group, ascending
    uint32_t* corner_first; ///< group_count + 1 offsets
    uint32_t* corners;      ///< of each group, ascending: indices into mesh->indices
} pelti_weld;

/// @return false when out of memory
bool pelti_weld_vertices(pelti_weld* out, const pelt_mesh* mesh, pelt_arena* scratch);

/// As pelt_normals_recompute(), without allocations.
/// @param out   unchanged where triangles have no area
/// @param weld  of the mesh
void pelti_normals_recompute(pelt_vec3* out, const pelt_mesh* mesh, const pelt_vec3* positions,
                             const pelti_weld* weld);

/// The geometry of a triangle, beginning with a given corner.
typedef struct pelti_triangle
{
    uint32_t vertices[3];
    pelti_double3 edges[3]; ///< opposite to each, counterclockwise
    pelti_double3 normal;   ///< unit
    double area;
    pelti_double3 gradients[3]; ///< of the hat functions: 1 at one corner, 0 at the others
} pelti_triangle;

/// Fill in vertices and edges alone.
/// @param corner  index into indices
void pelti_triangle_edges(pelti_triangle* out, const pelt_vec3* positions, const uint32_t* indices,
                          uint32_t corner);

/// @return false: in float precision the triangle has no area; only edges are filled in
bool pelti_triangle_at(pelti_triangle* out, const pelt_vec3* positions, const uint32_t* indices,
                       uint32_t corner);

/// The unit normal of the mean plane of triangles; zero where they cancel out.
/// @param sum   of their normals, weighted by area
/// @param area  of all of them
pelti_double3 pelti_plane_normal(pelti_double3 sum, double area);

/// Limit of moments, which are weight gradients times offsets and below 3 on real characters. The
/// moments of triangles that are a thousand times as long as high reach the limit and cancel in
/// every sum, so that float keeps few digits of the result.
static const double pelti_moment_limit = 1e3;

/// Invert the mean Jacobian of the position within the mean plane. It is smaller than the identity
/// where triangles are inclined to that plane; the inverse corrects mean derivatives for it.
/// @return false: the triangles are folded on each other or have no plane
bool pelti_plane_flatten(double out[2][2], double jacobian[2][2]);

// ---------------------------------------------------------------------------------------------
// Derivatives of displacements: stencils.c

/// The Jacobian of a displaced mesh at a vertex: that of the triangles within their plane; the
/// normal of the plane is mapped to the normal of the displaced plane. The identity where all
/// neighbors have the same displacement as the vertex.
pelt_mat3 pelti_stencil_map(const pelt_stencils* stencils, const pelt_vec3* displacements,
                            uint32_t vertex);

// ---------------------------------------------------------------------------------------------
// Weight gradients: weight_gradients.c

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
    bool has_cotangents;   ///< triangles count by their part in the Voronoi cell of the vertex
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
