// SPDX-License-Identifier: MIT
// Mix factors from the motion of a character, and the steps of finding them.
#ifndef PELTI_MIX_H
#define PELTI_MIX_H

#include "../../include/pelt/prepare.h"
#include "../metrics/body.h"

/// A triangle at a group, with its other corners as neighbors of the group.
typedef struct pelti_mix_corner
{
    uint32_t triangle;
    uint32_t slots[3]; ///< indices into body->neighbors; PELT_NONE: the group itself, or none
} pelti_mix_corner;

/// First and second derivative of the energy. Second ones are those of an upper bound that is a
/// parabola in each direction, so that a step along it does not go too far.
typedef struct pelti_mix_slope
{
    double slope, curve;
} pelti_mix_slope;

/// Groups in one position, and groups of one mesh vertex in several instances, are a class, which
/// has one factor. The position of a group in a frame is that of LBS and DQS, averaged by it.
typedef struct pelti_mix
{
    const pelt_scene* scene;
    const pelt_mix_options* options;
    pelt_scene_mix_report* report;
    pelt_body* body;
    pelt_arena* arena; ///< for working memory
    float told;        ///< the part that is done

    double volume_weight, bulge_weight, rigidity_weight, smoothness_weight;

    uint32_t class_count;
    uint32_t* group_classes;
    double* lower;   ///< by class: the least factor that does not bulge too much
    double* factors; ///< by class

    uint32_t clip_count; ///< of the motion
    const pelt_clip* clips;
    uint32_t frame_count;    ///< that are kept
    uint32_t stride;         ///< groups are measured at one of so many frames
    pelt_vec3 *lbs, *dqs;    ///< [frame][group]
    pelti_double3* now;      ///< the same, averaged
    pelti_segment* segments; ///< [frame][bone]

    double area;               ///< of the body, in square meters
    double reach;              ///< mean distance to the bone, in meters
    double spread;             ///< mean squared distance between LBS and DQS, in square meters
    uint32_t* first_corners;   ///< group_count + 1
    pelti_mix_corner* corners; ///< by group
    bool* is_moved;            ///< groups that LBS and DQS move to different positions
    uint32_t active_count;
    uint32_t* active; ///< groups that are moved, or have such a neighbor
    bool is_measured; ///< with this sample: also the groups that are not active, which stay as they
                      ///< are
    double* energies; ///< by group: its part of the energy
    pelti_mix_slope* own;    ///< by group: of its part by its own factor
    pelti_mix_slope* others; ///< by neighbor: of its part by the neighbor's factor
    double* crosses;         ///< by neighbor: mixed derivative by both
    double* volume_rows;     ///< by neighbor: derivative of the volume of a frame
    double gradient_weight;  ///< of squared differences of factors along edges
} pelti_mix;

/// The clips of the scene, or a generated one. All their frames are played twice: to find the
/// largest bulge of DQS, and to bound factors by it. A sample of the frames is kept.
pelt_result pelti_mix_play(pelti_mix* inout, pelt_error* error);

/// Bound the factor of a group so that it is not farther from its bones than `limit` in this pose.
/// @return the smallest factor
double pelti_mix_bound(const pelt_body* body, uint32_t group, pelti_double3 lbs, pelti_double3 dqs,
                       const pelti_segment* segments, double limit, double lower);

/// Prepare what follows from the frames. @return false when out of memory
bool pelti_mix_prepare(pelti_mix* inout);

/// Measure about `pair_count` pairs of a group and a frame from now on, or all if these are fewer,
/// but each group in at least `least` of the frames that are kept.
void pelti_mix_sample(pelti_mix* inout, uint32_t pair_count, uint32_t least);

/// Set other factors.
/// @param is_derived  also compute derivatives
/// @return the energy without the term of smoothness
double pelti_mix_measure(pelti_mix* inout, const double* factors, bool is_derived);

/// Find the factors: inout->factors.
pelt_result pelti_mix_descend(pelti_mix* inout);

/// @return false: the caller cancels
bool pelti_mix_tell(pelti_mix* inout, float part);

#endif
