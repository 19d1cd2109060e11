// SPDX-License-Identifier: MIT
// The distance of the normals of a frame from those of its triangles: figures, and the end of a
// scale of colors for them.
#ifndef PELT_NORMAL_ERROR_SCALE_H
#define PELT_NORMAL_ERROR_SCALE_H

#include "normal_error.h"

enum
{
    NORMAL_ERROR_SCALE_END_COUNT = 10,
};

/// Results for one method and rule, over all moments.
typedef struct normal_error_scale
{
    normal_error error;
    uint64_t
        within[NORMAL_ERROR_SCALE_END_COUNT]; ///< angles that each end of a scale is enough for
} normal_error_scale;

/// Normals of the triangles of a frame, as the normals of another frame of the scene.
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result normal_error_scale_recompute(pelt_frame* truth, const pelt_scene* scene,
                                         const pelt_frame* frame);

/// Add the angles at vertices whose weights vary.
/// @param frame  has the factors of all meshes that count
void normal_error_scale_add(normal_error_scale* inout, const pelt_scene* scene,
                            const pelt_frame* frame, const pelt_frame* truth);

/// The end of a scale in degrees: a round number above 9 of 10 angles. The largest angle would not
/// be useful: it is near 180 wherever a surface folds.
float normal_error_scale_end(const normal_error_scale* in);

#endif
