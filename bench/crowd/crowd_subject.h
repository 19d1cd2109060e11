// SPDX-License-Identifier: MIT
// The character of a crowd on the CPU, and the transforms of its instances: the instance manager of
// the animation texture thesis (2021), section 3.6.6.
#ifndef PELT_CROWD_SUBJECT_H
#define PELT_CROWD_SUBJECT_H

#include "pelt/prepare.h"

typedef struct crowd_subject
{
    const pelt_scene* source;
    pelt_scene prepared; ///< the source; after crowd_subject_add_centers() with centers
    bool has_centers;
    pelt_arena* arena;
    pelt_pose pose;
    pelt_frame frame; ///< palettes and nodes of the last pose; surfaces as the clip begins
    uint32_t clip;    ///< "walk", or else the first
    float duration;   ///< of the clip, in seconds
    uint32_t part_count;
    uint32_t* parts; ///< instances of the scene with a skin; the others are left out
    uint32_t vertex_count, triangle_count, joint_count;
    pelt_bounds bounds; ///< over the sampled moments of the clip
    float spacing;      ///< of a crowd, in meters
    bool is_rigid;      ///< no joint scales at any time that was sampled
} crowd_subject;

/// @param out    free with crowd_subject_destroy()
/// @param scene  must outlive it
/// @param name   for messages
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_DATA without a clip or a skinned mesh
pelt_result crowd_subject_create(crowd_subject* out, const pelt_scene* scene, const char* name,
                                 pelt_error* error);
void crowd_subject_destroy(crowd_subject* subject);

/// Find centers of rotation, once.
pelt_result crowd_subject_add_centers(crowd_subject* inout, pelt_error* error);

/// Compute palettes at a time of the clip, which loops: the work of the CPU for each instance that
/// the GPU skins.
void crowd_subject_pose(crowd_subject* inout, double time);

// ---------------------------------------------------------------------------------------------
// Instances

typedef struct crowd_instances
{
    uint32_t capacity;
    uint32_t count;         ///< of the last arrangement
    float (*transforms)[4]; ///< x, z, cosine and sine of the heading
    float* offsets;         ///< from 0 to 1, of the clip
} crowd_instances;

/// @param out  free with crowd_instances_destroy()
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result crowd_instances_create(crowd_instances* out, uint32_t capacity);
void crowd_instances_destroy(crowd_instances* instances);

/// Arrange instances in rows and columns that are centered at the origin. Headings and offsets are
/// random; those of an instance are the same in every crowd.
/// @param count    up to the capacity
/// @param spacing  meters
void crowd_instances_arrange(crowd_instances* instances, uint32_t count, float spacing);

/// The box of a whole crowd.
/// @param one  of one character; any heading is covered
pelt_bounds crowd_instances_bounds(const crowd_instances* instances, const pelt_bounds* one);

#endif
