// SPDX-License-Identifier: MIT
// The motions of a comparison: the clips of a character, or bends and twists of its joints.
#ifndef PELT_MOTION_H
#define PELT_MOTION_H

#include "pelt/metrics.h"

typedef enum motion_kind
{
    MOTION_CLIP = 0,
    MOTION_BEND,   ///< of one joint, toward the front
    MOTION_TWIST,  ///< of one joint, about its bone
    MOTION_STORED, ///< the stored pose, where there is neither clip nor joint to move
} motion_kind;

typedef struct compare_motion
{
    const char* name;
    motion_kind kind;
    const pelt_clip* clip; ///< NULL: MOTION_STORED
    const char* joint;     ///< that bends or twists; NULL: a clip
    uint32_t first_frame;  ///< among the frames of all motions
    uint32_t frame_count;
} compare_motion;

typedef struct motion_list
{
    uint32_t count;
    compare_motion* items;
    uint32_t frame_count; ///< of all
    uint32_t clip_total;  ///< clips that were asked for; `count` of them are played
    double frame_total;   ///< frames that the motions have at MOTION_RATE
} motion_list;

typedef struct motion_request
{
    const uint32_t* clips; ///< indices of the scene's clips; clip_count 0: all
    uint32_t clip_count;
    uint32_t clip_limit;  ///< where there are more clips, as many are played, evenly spread
    uint32_t frame_limit; ///< frames of all motions together, shared out by their lengths; at least
                          ///< MOTION_FRAME_MIN of each
} motion_request;

enum
{
    MOTION_JOINT_MAX = 12, ///< joints with most skin, that bend and twist where there are no clips
    MOTION_DEGREES = 90,   ///< how far
    MOTION_RATE = 30,      ///< most frames per second
    MOTION_FRAME_MIN = 5,  ///< fewest frames of one motion
};

/// @param arena  owns the motions
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result motion_list_create(motion_list* out, const pelt_scene* scene,
                               const pelt_body_info* body, const motion_request* request,
                               pelt_arena* arena);

/// Seconds from the beginning of its motion.
float motion_time(const compare_motion* in, uint32_t frame);

extern const char* const motion_kind_names[]; ///< by kind

#endif
