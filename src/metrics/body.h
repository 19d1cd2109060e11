// SPDX-License-Identifier: MIT
// A body as it is prepared, and the steps of preparing and measuring it.
#ifndef PELTI_BODY_H
#define PELTI_BODY_H

#include "../../include/pelt/metrics.h"
#include "../base/double3.h"
#include "../normals/vertex_rings.h"

// ---------------------------------------------------------------------------------------------
// Pairs of triangles that cross each other: intersection.c

/// A tree of boxes over the triangles of a mesh. Its shape is that of the mesh at rest; boxes are
/// fitted to each pose.
typedef struct pelti_box_tree
{
    uint32_t triangle_count;
    uint32_t* triangles;     ///< in the order of leaves
    pelt_bounds* boxes;      ///< of nodes: see intersection.c
    pelt_bounds* leaf_boxes; ///< of triangles, in the same order
    const uint32_t* corners; ///< triangle_count * 3 vertices
    const uint32_t* points;  ///< by vertex: triangles that share one are not tested
    double tolerance;        ///< meters: what crosses by less only touches
} pelti_box_tree;

/// @param positions  at rest
/// @param corners    kept, as are points
/// @return false when out of memory
bool pelti_box_tree_build(pelti_box_tree* out, const pelt_vec3* positions, const uint32_t* corners,
                          uint32_t triangle_count, const uint32_t* points, double tolerance,
                          pelt_arena* arena);

/// Another handle to a tree, with boxes of its own. @return false when out of memory
bool pelti_box_tree_share(pelti_box_tree* out, const pelti_box_tree* other, pelt_arena* arena);

/// Called with each pair that crosses, first < second.
typedef void (*pelti_crossing)(uint32_t first, uint32_t second, void* user);

/// Find all pairs. Allocates nothing. Stops early after 2^17 + 48 triangle_count tests of boxes,
/// which only meshes with many triangles at one point take.
void pelti_box_tree_cross(pelti_box_tree* tree, const pelt_vec3* positions, pelti_crossing found,
                          void* user);

/// Whether two triangles cross: each has corners on both sides of the other's plane, farther than
/// the tolerance, and they share a piece of the line between the planes that is longer than it.
bool pelti_triangles_cross(const pelt_vec3 a[3], const pelt_vec3 b[3], double tolerance);

// ---------------------------------------------------------------------------------------------
// Bodies

/// An instance with a skin.
typedef struct pelti_body_part
{
    uint32_t instance, skin;
    pelt_range vertices;
} pelti_body_part;

/// A bone in the bind space of its skin. Each end follows its own joint, so that bones may stretch.
typedef struct pelti_bone
{
    uint32_t slots[2]; ///< of head and tail
    pelt_vec3 ends[2];
    bool has_tail_joint;
} pelti_bone;

/// A bone in a pose, or at rest.
typedef struct pelti_segment
{
    pelti_double3 ends[2];
} pelti_segment;

/// The point on the skeleton that a group of vertices is nearest to at rest; in a pose it is at the
/// same fraction of the same bone.
typedef struct pelti_anchor
{
    uint32_t bone; ///< PELT_NONE: it has none, and is its own anchor
    double along;  ///< 0 at the head, 1 at the tail
} pelti_anchor;

typedef struct pelti_edge
{
    uint32_t groups[2];
    uint32_t triangles[2]; ///< in which it goes from group 0 to 1, and back; PELT_NONE: not exactly
                           ///< one
    double length;
    double weight; ///< cotangents, not negative
    double angle;  ///< between the triangles, signed
} pelti_edge;

typedef struct pelti_neighbor
{
    uint32_t group, edge;
} pelti_neighbor;

/// For percentiles.
typedef struct pelti_weighted
{
    float magnitude, weight;
} pelti_weighted;

/// Moments of the points around a section, from the bone.
typedef struct pelti_section_sum
{
    uint32_t count;
    double weight, square;
    pelti_double3 mean;
} pelti_section_sum;

/// Joints of all skins are numbered end to end: slots. Copies of a vertex, which have equal
/// positions and weights, are a group; vertices with equal positions are a point.
struct pelt_body
{
    pelt_body_info info;
    pelt_arena* arena;

    uint32_t part_count;
    pelti_body_part* parts;
    uint32_t skin_count;
    uint32_t* first_slots; ///< skin_count + 1
    uint32_t slot_count;
    uint32_t* slot_nodes;
    uint32_t* slot_regions;
    pelt_mat34* placements; ///< by skin: from bind space to rest

    pelt_mesh mesh;            ///< at rest, all parts in one; joints are slots
    pelt_vec3* bind_positions; ///< of its vertices, in the bind space of their skins
    uint32_t triangle_count;
    pelti_weld normal_weld; ///< split at creases

    uint32_t group_count;
    uint32_t* vertex_groups;
    uint32_t* group_vertices; ///< the first of each
    double* group_areas;
    pelti_double3* rest; ///< of groups
    uint32_t* triangle_groups;
    double* triangle_areas;
    double* triangle_volumes;
    uint32_t edge_count;
    pelti_edge* edges;
    uint32_t* first_neighbors; ///< group_count + 1
    pelti_neighbor* neighbors;

    uint32_t point_count;
    uint32_t* vertex_points;
    uint32_t* point_vertices; ///< the first of each

    uint32_t bone_count;
    pelti_bone* bones;     ///< by slots of their heads
    uint32_t* first_bones; ///< slot_count + 1
    pelti_segment* rest_segments;
    pelti_anchor* anchors;    ///< of groups
    double* bone_distances;   ///< of groups, at rest; below 0: there is no bone
    uint32_t* first_sections; ///< by bone
    uint32_t* group_sections; ///< or PELT_NONE

    pelti_box_tree tree;
    pelt_metric_region* regions; ///< those of info

    uint32_t* region_vertices; ///< by region
    uint32_t* first_in_region; ///< region_count + 1

    // What a pose needs.
    pelt_vec3* positions;
    pelti_double3* deformed; ///< of groups
    pelt_vec3* normals;
    pelti_segment* segments;
    double* pose_volumes; ///< of triangles
    pelt_mat34* motions;  ///< of slots, since the previous frame
    double* handedness;   ///< of slots: -1 where they mirror
    double* values;       ///< of groups, or of points
    pelti_double3* point_sums;
    float* vertex_values;
    pelti_weighted* sorted;
    pelti_section_sum* section_sums;
    bool* is_crossing; ///< triangles
};

// ---------------------------------------------------------------------------------------------
// Preparation: each step needs the results of those before. @return false when out of memory

bool pelti_body_merge(pelt_body* out, const pelt_scene* scene);
bool pelti_body_connect(pelt_body* inout);                            ///< groups, points, edges
bool pelti_body_add_bones(pelt_body* inout, const pelt_scene* scene); ///< and anchors, sections
bool pelti_body_add_regions(pelt_body* inout, const pelt_scene* scene);

// ---------------------------------------------------------------------------------------------
// Measuring, after positions, deformed and segments are those of the pose

/// NaN counts as the worst value.
static inline double pelti_number(double value)
{
    return isnan(value) ? (double)INFINITY : value;
}

/// Use the positions of a pose: body->positions and body->deformed.
void pelti_body_gather(pelt_body* inout, const pelt_surface* surfaces);

/// The number of frames of a clip, evenly spaced from 0 to its end.
/// @param clip        NULL: the stored pose, as one frame
/// @param rate        per second; 0: 30
/// @param max_frames  0: 1000
uint32_t pelti_clip_frame_count(const pelt_clip* clip, float rate, uint32_t max_frames);

/// The time of a frame.
float pelti_clip_frame_time(const pelt_clip* clip, uint32_t frame, uint32_t count);

/// The point of a bone at a fraction of its length.
pelti_double3 pelti_segment_point(const pelti_segment* segment, double along);

/// The positions of bones in a pose.
void pelti_bones_pose(pelti_segment* out, const pelt_body* body, const pelt_palette* palettes);

/// The position of the anchor of a group in a pose.
pelti_double3 pelti_anchor_point(const pelt_body* body, uint32_t group,
                                 const pelti_double3* positions, const pelti_segment* segments);

/// Volume of the solid between a triangle p and the triangle q of its anchors.
/// @param gradient  by the corners of p; or NULL
double pelti_solid_volume(pelti_double3 gradient[3], const pelti_double3 p[3],
                          const pelti_double3 q[3]);

/// Volume between each triangle and the anchors of its corners.
void pelti_triangle_volumes(double* out, const pelt_body* body, const pelti_double3* positions,
                            const pelti_segment* segments);

/// Radius of each section.
void pelti_section_radii(double* out, pelt_body* body, const pelti_double3* positions,
                         const pelti_segment* segments);

/// Distance of a group to the nearest bone of its joints. @return below 0: there is none
double pelti_bone_distance(const pelt_body* body, uint32_t group, pelti_double3 position,
                           const pelti_segment* segments);

/// The distance from one bone of a group within which a and b are, and thus all points between
/// them.
double pelti_bone_reach(const pelt_body* body, uint32_t group, pelti_double3 a, pelti_double3 b,
                        const pelti_segment* segments);

/// The point of the bones of a group that is nearest to a position. Bone PELT_NONE: there is no
/// bone, and *distance is -1.
pelti_anchor pelti_anchor_find(double* distance, const pelt_body* body, uint32_t group,
                               pelti_double3 position, const pelti_segment* segments);

/// The edges at a group, and the rotation that fits them best in a pose.
typedef struct pelti_ring
{
    double rotation[3][3];
    double squares;   ///< of the edges at rest, by their weights; 0: there is no edge
    bool has_weights; ///< false: all cotangents are zero, and edges count equally
} pelti_ring;

/// @return the rigidity of the group
double pelti_ring_fit(pelti_ring* out, const pelt_body* body, uint32_t group,
                      const pelti_double3* positions);
double pelti_ring_weight(const pelti_ring* ring, const pelt_body* body, const pelti_neighbor* to);

/// The length of the residual of an edge after the rotation, in meters.
pelti_double3 pelti_ring_strain(const pelti_ring* ring, const pelt_body* body, uint32_t group,
                                const pelti_neighbor* to, const pelti_double3* positions);

/// The angle between the triangles of an edge, signed; 0 where there are not two with an area.
double pelti_edge_angle(const pelt_body* body, const pelti_edge* edge,
                        const pelti_double3* positions);

// One number for each group.
void pelti_measure_volume(double* out, pelt_pose_metrics* pose, pelt_body* body);
void pelti_measure_radius(double* out, pelt_pose_metrics* pose, pelt_body* body);
void pelti_measure_bulge(double* out, const pelt_body* body);
void pelti_measure_collapse(double* out, const pelt_body* body);
void pelti_measure_edges(double* out, const pelt_body* body);
void pelti_measure_area(double* out, const pelt_body* body);
void pelti_measure_rigidity(double* out, const pelt_body* body);
void pelti_measure_folds(double* out, const pelt_body* body);
void pelti_measure_jumps(double* out, pelt_body* body, const pelt_metric_input* input);

// One number for each vertex.
void pelti_measure_normals(float* out, pelt_body* body, const pelt_metric_input* input);
void pelti_measure_gaps(float* out, pelt_body* body);
void pelti_measure_distances(float* out, const pelt_body* body, const pelt_metric_input* input);

/// One metric over all regions, from body->vertex_values.
void pelti_summarize(pelt_pose_metrics* out, pelt_body* body, pelt_metric metric);

#endif
