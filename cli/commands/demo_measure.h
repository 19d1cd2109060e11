// SPDX-License-Identifier: MIT
// Measurements of pelt demo: one pose deformed by every method.
#ifndef PELT_DEMO_MEASURE_H
#define PELT_DEMO_MEASURE_H

#include "pelt/pelt.h"

/// One method against linear blending and against rest.
typedef struct demo_row
{
    pelt_method method;
    double mean, max;    ///< meters to the vertices of lbs
    double volume_ratio; ///< to the volume at rest; NaN when the meshes are not closed
    double seconds;      ///< best of several updates of the frame
} demo_row;

/// Positions of all instances, one after the other, in memory of their own; free() them.
pelt_vec3* demo_positions_copy(const pelt_scene* scene, const pelt_frame* frame);

/// Update the frame several times and measure it.
/// @param rest  positions at rest, of demo_positions_copy()
/// @param lbs   positions under linear blending; NULL: this is it
demo_row demo_measure(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                      pelt_method method, const pelt_vec3* rest, const pelt_vec3* lbs);

/// The time of a clip that is farthest from the stored pose on average: the end of a bend, the
/// middle of a loop.
float demo_pick_time(pelt_frame* frame, const pelt_scene* scene, pelt_pose* scratch,
                     const pelt_clip* clip, const pelt_vec3* rest);

#endif
