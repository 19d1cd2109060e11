// SPDX-License-Identifier: MIT
// The parts of helper joints: what is fitted, to what, and how.
#ifndef PELTI_HELPERS_H
#define PELTI_HELPERS_H

#include "../../include/pelt/helpers.h"
#include "../base/double3.h"

enum
{
    PELTI_HELPER_COLUMNS = 24,    ///< joints and helpers that a vertex may choose from
    PELTI_HELPER_JOINTS = 12,     ///< of these, its own joints, the strongest ones
    PELTI_HELPER_INFLUENCES = 16, ///< that it may keep
    PELTI_HELPER_RANGE = 64,      ///< points of a task
};

/// 3x4 matrix in double precision.
typedef struct pelti_affine
{
    double m[3][4];
} pelti_affine;

static inline pelti_double3 pelti_affine_point(const pelti_affine* a, pelti_double3 p)
{
    return (pelti_double3){
        a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->m[0][3],
        a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->m[1][3],
        a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->m[2][3],
    };
}

pelti_affine pelti_affine_from(const pelt_mat34* a);
pelti_affine pelti_affine_mul(const pelti_affine* a, const pelti_affine* b);

// ---------------------------------------------------------------------------------------------
// What is fitted

/// A mesh on the skin of its instances.
typedef struct pelti_helper_part
{
    uint32_t mesh, skin, instance;
    uint32_t* points; ///< of each vertex: equal positions and weights are one point
} pelti_helper_part;

/// A pair of joints at a point.
typedef struct pelti_point_pair
{
    uint32_t pair;
    uint32_t influence; ///< of the first joint of the pair, among those of the point
    float product;      ///< of the two weights
} pelti_point_pair;

typedef struct pelti_helper_point
{
    uint32_t part, vertex; ///< the first vertex of the point
} pelti_helper_point;

/// One of the joints and helpers that move a point.
typedef struct pelti_term
{
    uint32_t index;     ///< joint of the fit, or joint_count + helper
    uint32_t influence; ///< of the point, in whose joint space the position is
    double weight;
} pelti_term;

typedef struct pelti_blend
{
    uint32_t count; ///< 0: the weights of the mesh
    pelti_term terms[PELTI_HELPER_INFLUENCES];
} pelti_blend;

/// Two joints that share vertices. The first is above the second, or has the smaller node.
typedef struct pelti_helper_pair
{
    uint32_t joints[2]; ///< of the fit
    pelt_mat34 source_from_parent;
    double error;         ///< part of the squared error that the pair carries
    uint32_t count;       ///< of its helpers
    pelti_double3 center; ///< where vertices between the two joints rotate, in the first's space
    double center_weight;
    double radius; ///< root mean square of the distance of these vertices from there
    struct pelti_pair_motion* motions; ///< pose_count; NULL: not needed yet
} pelti_helper_pair;

/// The motion of the second joint relative to the first, in the first's space.
typedef struct pelti_pair_motion
{
    pelti_affine motion;
    double rotation[4]; ///< x y z w, w >= 0
    double stretch[3];
} pelti_pair_motion;

typedef struct pelti_fit_helper
{
    uint32_t pair;
    double factor;
    pelti_double3 center;
    pelti_affine* matrices; ///< by pose: the first joint's space to the model
} pelti_fit_helper;

/// A pose to measure at: poses for the fit come first.
typedef struct pelti_helper_pose
{
    uint32_t clip; ///< PELT_NONE: bends and twists
    float time;
    bool is_held_out;
} pelti_helper_pose;

typedef struct pelti_fit
{
    const pelt_scene* scene;
    const pelt_helpers_options* options;
    pelt_arena* arena; ///< for working memory
    double size;       ///< diagonal of the bind pose
    float told;        ///< the part that is done

    uint32_t joint_count; ///< nodes that are joints
    uint32_t* joint_nodes;
    uint32_t* node_joints; ///< by node, or PELT_NONE
    pelti_affine** binds;  ///< by skin and slot: inverse bind matrices

    uint32_t part_count, point_count;
    pelti_helper_part* parts;
    pelti_helper_point* points;
    uint32_t* first_neighbors; ///< point_count + 1
    uint32_t* neighbors;
    uint32_t* first_pairs; ///< point_count + 1
    pelti_point_pair* point_pairs;

    uint32_t pose_count, training_count;
    pelti_helper_pose* poses;
    pelti_affine* joint_matrices; ///< [pose][joint]: its own space to the model
    pelt_vec3* targets;           ///< [point][pose]

    uint32_t pair_count;
    pelti_helper_pair* pairs;
    uint32_t helper_count, helper_room;
    pelti_fit_helper* helpers;

    uint32_t sample_count;
    uint32_t* sample;      ///< points at which helpers are fitted
    double* sample_errors; ///< working memory of pelti_fit_error(): by range
    pelti_blend* blends;   ///< by point
} pelti_fit;

/// @return false: the caller cancels
bool pelti_fit_tell(pelti_fit* inout, float part);

static inline const pelt_weights* pelti_fit_weights(const pelti_fit* fit, uint32_t point)
{
    return &fit->scene->meshes[fit->parts[fit->points[point].part].mesh].weights;
}

/// The number of influences of a point, and the first of them.
static inline uint32_t pelti_fit_influences(const pelt_influence** out, const pelti_fit* fit,
                                            uint32_t point)
{
    const pelt_weights* weights = pelti_fit_weights(fit, point);
    uint32_t v = fit->points[point].vertex;
    *out = weights->influences + weights->first[v];
    return weights->first[v + 1] - weights->first[v];
}

/// The position of a point in the space of one of its joints.
pelti_double3 pelti_fit_local(const pelti_fit* fit, uint32_t point, uint32_t influence);

/// Where lbs without helpers has a point.
pelti_double3 pelti_fit_lbs(const pelti_fit* fit, uint32_t point, uint32_t pose);

/// Where its blend has a point: lbs without helpers, if it has none.
pelti_double3 pelti_fit_blended(const pelti_fit* fit, uint32_t point, uint32_t pose);

// ---------------------------------------------------------------------------------------------
// Steps

/// Parts, points and poses with their targets: helper_poses.c.
pelt_result pelti_fit_prepare(pelti_fit* inout, pelt_error* error);

/// Pairs of joints, and the error that each carries: helper_pairs.c. @return false: out of memory
bool pelti_fit_find_pairs(pelti_fit* inout);

/// Add helpers to the pairs that promise the largest gain.
/// @return PELT_OK or PELT_ERROR_MEMORY; fewer than `count` are added where no pair has an error
pelt_result pelti_fit_add_helpers(pelti_fit* inout, uint32_t count);

/// Matrices of a helper at all poses, from its pair, factor and center.
void pelti_fit_move(pelti_affine* out, const pelti_fit* fit, const pelti_fit_helper* helper);

/// Find the blends of a list of points, in parallel: helper_weights.c.
/// @param points      NULL: all
/// @param smoothness  attraction to the mean of the neighbors' blends; 0: none
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_fit_solve(pelti_fit* inout, const uint32_t* points, uint32_t count,
                            double smoothness);

/// Restore the weights of points that gain too little. @return their number
uint32_t pelti_fit_keep(pelti_fit* inout);

/// Mean squared error over the sample.
double pelti_fit_error(const pelti_fit* fit, uint32_t first_pose, uint32_t end_pose);

/// Improve factors and centers for the blends of the sample: helper_refine.c.
/// @param rounds  at most
pelt_result pelti_fit_refine(pelti_fit* inout, uint32_t rounds);

/// Tracks of helpers in all clips of a scene that has their rules: helper_tracks.c.
pelt_result pelti_helpers_add_tracks(pelt_scene* inout, uint32_t* track_count, double size);

/// Errors of the scene with helpers, as other programs play it: helper_report.c.
pelt_result pelti_helpers_measure(pelt_helpers_report* out, const pelti_fit* fit,
                                  const pelt_scene* scene, pelt_arena* arena);

#endif
