// SPDX-License-Identifier: MIT
// Measurements on deformed meshes: what a skinning method does to a surface, in numbers. Link
// libpelt. docs/metrics.md has the formulas, and what the numbers are on known bodies.
#ifndef PELT_METRICS_H
#define PELT_METRICS_H

#include "pelt.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Single meshes

/// Distances between corresponding vertices of two versions of a mesh, in meters.
typedef struct pelt_difference
{
    double mean, rms, max;
    uint32_t worst_vertex;
} pelt_difference;

PELT_API pelt_difference pelt_positions_compare(const pelt_vec3* a, const pelt_vec3* b,
                                                uint32_t count);

/// Signed volume enclosed by a triangle mesh, in cubic meters; meaningful only if it is closed.
PELT_API double pelt_mesh_volume(const pelt_vec3* positions, const uint32_t* indices,
                                 uint32_t index_count);

/// Area of a triangle mesh, in square meters.
PELT_API double pelt_mesh_area(const pelt_vec3* positions, const uint32_t* indices,
                               uint32_t index_count);

// =============================================================================================
// Metrics
//
// Each is one number per vertex, and 0 where the deformation is rigid. All compare a pose with the
// bind pose, except JUMP, which compares two frames, and DISTANCE, which compares two
// deformations.

typedef enum pelt_metric
{
    /// Change of the volume between the surface and its bones, per area of the surface: how far the
    /// surface has moved outwards, in meters. Times area, it sums up to the change of volume.
    PELT_METRIC_VOLUME = 0,
    PELT_METRIC_RADIUS, ///< change of the radius of the cross-section of the bone, relative
    PELT_METRIC_BULGE,  ///< change of the distance to the nearest bone, in meters; may be negative
    PELT_METRIC_COLLAPSE, ///< the part of that distance that is lost, 0 to 1
    PELT_METRIC_EDGE,     ///< strain of edges: the largest in magnitude at the vertex
    PELT_METRIC_AREA,     ///< strain of the area of the triangles at the vertex
    PELT_METRIC_RIGIDITY, ///< rms strain that remains when the best rotation of the edges at the
                          ///< vertex is taken out: the as-rigid-as-possible energy, as a length
    PELT_METRIC_NORMAL,   ///< angle between the normal and that of the deformed surface, in radians
    PELT_METRIC_FOLD, ///< largest change of the angle between two triangles at the vertex, radians
    PELT_METRIC_GAP,  ///< width of the crack between vertices with equal positions at rest, meters
    PELT_METRIC_JUMP, ///< how much farther the vertex has moved since the previous frame than any
                      ///< of its joints would carry it, in meters: a flip
    PELT_METRIC_INTERSECTION, ///< triangles at the vertex that cross others, which they do not
                              ///< touch
    PELT_METRIC_DISTANCE,     ///< to a reference deformation, in meters
    PELT_METRIC_COUNT
} pelt_metric;

typedef struct pelt_metric_info
{
    const char* name;  ///< "bulge"
    const char* title; ///< "distance to the bone": for tables and legends
    const char* unit;  ///< "m", "rad", "1" for ratios, "count"
    bool is_signed;    ///< values below 0 occur
} pelt_metric_info;

PELT_API const pelt_metric_info* pelt_metric_describe(pelt_metric metric);

/// @return PELT_METRIC_COUNT when there is none of that name
PELT_API pelt_metric pelt_metric_find(const char* name);

/// A set of metrics, as bits.
#define PELT_METRIC_BIT(metric) (1u << (metric))
#define PELT_METRICS_ALL ((1u << PELT_METRIC_COUNT) - 1u)

// =============================================================================================
// Bodies
//
// All skinned meshes of a scene are one body, prepared once: vertices are numbered end to end over
// the instances, copies of a vertex along seams are welded, bones and regions are found. Meshes
// without a skin move rigidly and are left out.
//
// The surface at rest is the bind pose, moved and scaled as a whole to where the stored pose has
// it, so that a skeleton in centimeters below a node that scales by 0.01 has no strain.
//
// A bone goes from a joint to each joint below it, of the same skin; one without any to where
// pelt_joint_shapes() ends it. A vertex belongs to the bones of those of its joints that have at
// least a quarter of its largest weight.

/// The part of a body that is attributed to one joint: what bends when the joint moves, and what
/// follows it rigidly.
///
/// With W the sum of the weights of a joint and of all below it, 4 W (1 - W) tells how much a
/// vertex takes part in the bend at that joint. It belongs to the joint where this is largest, or,
/// where nothing bends, to that of its largest weight. The skin on both sides of an elbow is thus
/// that of the forearm.
typedef struct pelt_metric_region
{
    uint32_t node;         ///< of the joint; PELT_NONE: the whole body
    uint32_t vertex_count; ///< 0 for joints that move nothing
    double area;           ///< at rest, in square meters
    double volume;         ///< between the surface at rest and its bones, in cubic meters
} pelt_metric_region;

/// A piece of a bone: up to 16 of equal length, fewer where vertices are few.
typedef struct pelt_metric_section
{
    uint32_t head, tail;   ///< nodes of the bone; tail is PELT_NONE where it ends without a joint
    float fraction;        ///< position of its middle: 0 at the head, 1 at the tail
    uint32_t vertex_count; ///< nearest to it
    double radius; ///< at rest, in meters: rms distance from the center. 0: fewer than 8 vertices,
                   ///< or all on one side of the bone, have none, and their RADIUS is 0
} pelt_metric_section;

typedef struct pelt_body_info
{
    uint32_t vertex_count;
    uint32_t triangle_count; ///< that are measured: of a mesh with more than four for each vertex,
                             ///< which is no surface, so many, evenly spread
    uint32_t triangle_total; ///< of all skinned instances
    uint32_t instance_count;
    const uint32_t* first_vertices; ///< by instance; PELT_NONE: it has no skin
    const float* vertex_areas;      ///< its part of the area at rest; copies of a vertex share it
    const uint32_t* vertex_regions;
    uint32_t region_count;             ///< 1 + joints
    const pelt_metric_region* regions; ///< the first is the whole body
    uint32_t section_count;
    const pelt_metric_section* sections;
    double size;                 ///< diagonal of the box at rest, in meters
    bool is_closed;              ///< the surface has no border, so that it encloses a volume
    double enclosed_volume;      ///< at rest, in cubic meters; NaN unless is_closed
    uint32_t intersection_count; ///< pairs of triangles that cross at rest; fewer than there are
                                 ///< where many triangles overlap: counting is bounded
} pelt_body_info;

typedef struct pelt_body pelt_body;

/// Prepare the body of a scene. Nothing of the scene is kept.
/// @param scene  valid: see pelt_scene_validate()
/// @param out    free with pelt_body_destroy(); NULL after a failure
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED for more than PELT_MAX_JOINTS
///         joints in all skins, or 2^32 vertices
PELT_API pelt_result pelt_body_create(pelt_body** out, const pelt_scene* scene, pelt_error* error);
PELT_API void pelt_body_destroy(pelt_body* body); ///< NULL is allowed

/// Leave instances out that add nothing to a measurement: those with the mesh and the skin of
/// another one and without morph targets, which deform in the same way; and, once instances have
/// `max_vertices` vertices together, further instances of meshes that have one already.
/// @param inout         a copy of the struct of a valid scene; its instances are replaced, and the
///                      clips where tracks of morph targets refer to them; it stays valid
/// @param max_vertices  UINT64_MAX: all instances that differ stay
/// @param arena         owns what is new; must live as long as *inout is used
/// @return PELT_OK, or PELT_ERROR_MEMORY with *inout unchanged
PELT_API pelt_result pelt_scene_skip_copies(pelt_scene* inout, uint64_t max_vertices,
                                            pelt_arena* arena);

/// Another handle to a prepared body, with working memory of its own: one thread can measure with
/// each. Its results are the same to the bit.
/// @param prepared  must outlive *out
/// @param out       free with pelt_body_destroy(); NULL after a failure
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_body_share(pelt_body** out, const pelt_body* prepared);
PELT_API const pelt_body_info* pelt_body_get_info(const pelt_body* body);

// =============================================================================================
// Poses

/// What to measure. pelt_frame has these arrays: `.surfaces = frame.surfaces` and so on.
typedef struct pelt_metric_input
{
    uint32_t metrics;             ///< PELT_METRIC_BIT() of each that is wanted; 0: all
    const pelt_surface* surfaces; ///< one per instance; without normals there is no NORMAL
    const pelt_palette* palettes; ///< one per skin; only matrices are read

    /// The frame before, for JUMP; or NULL.
    const pelt_surface* previous_surfaces;
    const pelt_palette* previous_palettes;

    const pelt_surface* reference; ///< for DISTANCE; or NULL

    /// Where to write the numbers of all vertices: body_info.vertex_count each, or NULL.
    float* values[PELT_METRIC_COUNT];
} pelt_metric_input;

/// One metric over one region. Means are by area at rest.
typedef struct pelt_metric_summary
{
    double mean, rms;
    double percentile95;             ///< of the magnitude: 95 % of the area have this or less
    float min, max;                  ///< 0 for a region without vertices
    uint32_t min_vertex, max_vertex; ///< the first that has it; PELT_NONE: the region is empty
} pelt_metric_summary;

typedef struct pelt_region_metrics
{
    double volume; ///< between the surface and its bones, in cubic meters; with METRIC_VOLUME
    pelt_metric_summary metrics[PELT_METRIC_COUNT];
} pelt_region_metrics;

typedef struct pelt_pose_metrics
{
    uint32_t metrics;             ///< bits of those that were measured; others are 0
    uint32_t region_count;        ///< of the body
    pelt_region_metrics* regions; ///< the first is the whole body
    uint32_t section_count;
    double* section_radii;  ///< in meters; with METRIC_RADIUS
    double enclosed_volume; ///< in cubic meters; NaN unless the body is closed; with METRIC_VOLUME
    uint32_t intersection_count; ///< pairs of triangles that cross; with METRIC_INTERSECTION
} pelt_pose_metrics;

/// Allocate results for a body. @return PELT_OK or PELT_ERROR_MEMORY; *out is then {0}
PELT_API pelt_result pelt_pose_metrics_create(pelt_pose_metrics* out, const pelt_body* body);
PELT_API void pelt_pose_metrics_destroy(pelt_pose_metrics* metrics); ///< {0} is allowed

/// Measure a deformed body. Allocates nothing, and gives the same bits on any thread. One thread
/// at a time for each body, since it has the working memory.
///
/// Results are finite for finite surfaces. A number that is not becomes infinite, so that it is the
/// worst of its region; NaN never leaves.
PELT_API void pelt_body_measure(pelt_pose_metrics* out, pelt_body* body,
                                const pelt_metric_input* input);

// =============================================================================================
// Clips

/// The least or largest number of a clip, and where it is.
typedef struct pelt_metric_extreme
{
    float value;
    float time;      ///< in seconds, of the first frame that has it
    uint32_t vertex; ///< PELT_NONE: there is none
} pelt_metric_extreme;

/// One metric over one region and many frames.
typedef struct pelt_clip_summary
{
    double mean, rms;    ///< over area and frames
    double percentile95; ///< largest of any frame
    pelt_metric_extreme min, max;
} pelt_clip_summary;

typedef struct pelt_clip_region
{
    double min_volume, max_volume;
    float min_volume_time, max_volume_time;
    pelt_clip_summary metrics[PELT_METRIC_COUNT];
} pelt_clip_region;

typedef struct pelt_clip_metrics
{
    uint32_t metrics; ///< bits of those that were measured in any frame
    uint32_t frame_count;
    uint32_t frame_counts[PELT_METRIC_COUNT]; ///< that had the metric
    uint32_t region_count;
    pelt_clip_region* regions;                       ///< the first is the whole body
    double min_enclosed_volume, max_enclosed_volume; ///< NaN unless the body is closed
    float min_enclosed_time, max_enclosed_time;
    uint32_t max_intersection_count;
    float max_intersection_time;
} pelt_clip_metrics;

/// Allocate for a body, without frames. @return PELT_OK or PELT_ERROR_MEMORY; *out is then {0}
PELT_API pelt_result pelt_clip_metrics_create(pelt_clip_metrics* out, const pelt_body* body);
PELT_API void pelt_clip_metrics_destroy(pelt_clip_metrics* metrics); ///< {0} is allowed

/// Add a frame. Allocates nothing.
PELT_API void pelt_clip_metrics_add(pelt_clip_metrics* inout, const pelt_pose_metrics* pose,
                                    float time);

/// How a clip is sampled, and who is told.
typedef struct pelt_clip_request
{
    uint32_t metrics;                     ///< as in pelt_metric_input; 0: all
    pelt_deform_options deform;           ///< the method
    const pelt_deform_options* reference; ///< for DISTANCE; or NULL
    float rate;          ///< frames per second, from 0 to the end of the clip; 0: 30
    uint32_t max_frames; ///< the rate is lowered to stay within; 0: 1000

    /// Called after each frame, with what was measured; return false to cancel. May be NULL.
    bool (*frame)(const pelt_pose_metrics* pose, float time, uint32_t index, uint32_t count,
                  void* user);
    void* user; ///< handed to `frame`
} pelt_clip_request;

/// Play a clip and measure all of it.
/// @param inout  created for the body; frames are added
/// @param body   of this scene, or of one with the same meshes, instances and skins
/// @param scene  with centers of rotation in its skinned meshes, if the method needs them
/// @param clip   of the scene; NULL: its stored pose, as one frame at time 0
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_ARGUMENT where centers are missing, or
///         PELT_ERROR_CANCELED
PELT_API pelt_result pelt_body_measure_clip(pelt_clip_metrics* inout, pelt_body* body,
                                            const pelt_scene* scene, const pelt_clip* clip,
                                            const pelt_clip_request* request, pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
