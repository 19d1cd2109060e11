// SPDX-License-Identifier: MIT
// A crowd on the GPU and by the CPU: pelt_unbake(), then pelt_deform().
#ifndef PELT_CROWD_COMPARE_H
#define PELT_CROWD_COMPARE_H

#include "gl_compare.h"

typedef struct crowd_case
{
    const pelt_baked* baked;
    const pelt_playback* playbacks;
    uint32_t count;    ///< of playbacks
    uint32_t instance; ///< of the bake, whose mesh is drawn; PELT_NONE: joints from 0 on
    gl_case how;       ///< mesh, method, pivot, rule for normals
    pelt_gpu_scale scale;
    pelt_palette_kind kind;
} crowd_case;

/// @param cases  of one bake with one kind of palette and the same playbacks: they are posed once
/// @return 0 when the GPU did its work; differences are the largest of *worst and these cases
int crowd_compare(gl_difference* worst, pelt_gl* gl, const crowd_case* cases, uint32_t case_count);

#endif
