// SPDX-License-Identifier: MIT
// The buffers with which one thread deforms and measures a pose of a comparison.
#ifndef PELT_PROBE_H
#define PELT_PROBE_H

#include "comparison.h"

typedef struct probe
{
    const comparison* in;
    pelt_body* body; ///< shares what the body of the comparison has prepared
    pelt_pose pose;
    pelt_frame frames[2];
    pelt_pose_metrics metrics;
    pelt_surface* surfaces[2]; ///< those of the frames, with normals and tangents
    pelt_arena* arena;
} probe;

/// @param in  outlives the probe; its body is prepared
/// @param out  free with probe_destroy(), also after a failure
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result probe_create(probe* out, const comparison* in);
void probe_destroy(probe* p); ///< {0} is allowed

/// What to deform.
typedef struct probe_pose
{
    uint32_t contender;
    const compare_motion* motion;
    uint32_t frame;   ///< among those of the motion
    bool has_normals; ///< false: positions alone, which is faster
} probe_pose;

/// @param slot  of inout->frames
void probe_deform(probe* inout, uint32_t slot, const probe_pose* at);

#endif
