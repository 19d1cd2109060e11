// SPDX-License-Identifier: MIT
// Centers of rotation as their authors compute them, private: the parts of the paper solver.
// Functions that return a bool return false when out of memory; what they made is then released
// as after success.
#ifndef PELTI_COR_PAPER_H
#define PELTI_COR_PAPER_H

#include "cor.h"

// ---------------------------------------------------------------------------------------------
// Values at edges

/// A hash table from edges, whose two ends have no order, to numbers. {0} is empty.
typedef struct pelti_cor_edges
{
    struct pelti_cor_edge* slots;
    size_t slot_count; ///< a power of two
    size_t count;
} pelti_cor_edges;

/// The value at an edge between different vertices: PELT_NONE when it is new.
/// @return NULL: out of memory. The next call may move values.
uint32_t* pelti_cor_edges_at(pelti_cor_edges* edges, pelti_cor_problem* problem, uint32_t a,
                             uint32_t b);
void pelti_cor_edges_release(pelti_cor_edges* edges, pelti_cor_problem* problem);

// ---------------------------------------------------------------------------------------------
// The halved mesh

/// The triangles of a problem that have two joints or more, halved until no edge spans more weight
/// than epsilon. Those with fewer are left out: Eq. 1 goes over pairs of joints, so that they
/// resemble nothing, neither count nor let a search through.
///
/// The first vertices are those of the surface. Neighbors share the middles of their edges.
typedef struct pelti_cor_mesh
{
    uint32_t vertex_count, triangle_count;
    double (*positions)[3];
    uint32_t* first;           ///< vertex_count + 1 offsets into weights
    pelti_cor_weight* weights; ///< of each vertex by ascending joint
    uint32_t* indices;         ///< three per triangle, in the order of the surface's triangles
    double* areas;
} pelti_cor_mesh;

/// When the problem is canceled meanwhile, the rest is missing.
bool pelti_cor_mesh_create(pelti_cor_mesh* out, pelti_cor_problem* problem);
void pelti_cor_mesh_release(pelti_cor_mesh* mesh, pelti_cor_problem* problem);

// ---------------------------------------------------------------------------------------------
// The triangle adjacency graph

/// The terms of the sums, and adjacency of triangles.
typedef struct pelti_cor_graph
{
    uint32_t triangle_count;
    uint32_t* first;           ///< triangle_count + 1 offsets into weights
    pelti_cor_weight* weights; ///< mean of the corners', by ascending joint
    double (*moments)[4];      ///< area times centroid, and area

    /// Halfedge 3 t + k of triangle t is the edge from its corner k to the next. The halfedges at
    /// one edge form a ring: as many as there are, so that no edge is too much.
    uint32_t* next_halfedge;

    uint32_t* corner_first;     ///< vertex_count + 1 offsets into corner_triangles
    uint32_t* corner_triangles; ///< triangles at each vertex
} pelti_cor_graph;

bool pelti_cor_graph_create(pelti_cor_graph* out, pelti_cor_problem* problem,
                            const pelti_cor_mesh* mesh);
void pelti_cor_graph_release(pelti_cor_graph* graph, pelti_cor_problem* problem);

// ---------------------------------------------------------------------------------------------
// Neighbors in weight space

/// The weights of one vertex, spread out: a list is compared with them by walking along the list
/// alone. It starts with joint_count zeros.
typedef struct pelti_cor_probe
{
    double* weights; ///< of every joint
    double norm2;
} pelti_cor_probe;

/// Number that all joints of the surface are below.
uint32_t pelti_cor_joint_limit(const pelti_cor_surface* surface);

void pelti_cor_probe_set(pelti_cor_probe* probe, const pelti_cor_weight* list, uint32_t count);
void pelti_cor_probe_clear(pelti_cor_probe* probe, const pelti_cor_weight* list, uint32_t count);

typedef struct pelti_cor_member
{
    uint32_t vertex;
    float distance; ///< from the center of its cluster
} pelti_cor_member;

/// The vertices that have triangles, in groups of similar weights.
typedef struct pelti_cor_clusters
{
    uint32_t cluster_count;
    uint32_t* centers; ///< vertices
    double* radii;     ///< distance of the farthest member
    uint32_t* first;   ///< cluster_count + 1 offsets into members
    uint32_t member_count;
    pelti_cor_member* members;
} pelti_cor_clusters;

bool pelti_cor_clusters_create(pelti_cor_clusters* out, pelti_cor_problem* problem,
                               const pelti_cor_mesh* mesh, const pelti_cor_graph* graph);
void pelti_cor_clusters_release(pelti_cor_clusters* clusters, pelti_cor_problem* problem);

/// The vertices nearer than omega to the probe, in no particular order.
/// @param out  room for member_count
/// @return how many
uint32_t pelti_cor_clusters_query(uint32_t* out, const pelti_cor_clusters* clusters,
                                  const pelti_cor_mesh* mesh, const pelti_cor_probe* probe,
                                  double omega);

#endif
