// SPDX-License-Identifier: MIT
// What programs do with a scene after they have read it, with the promises of each stage checked.
#ifndef PELT_SCENE_STAGES_H
#define PELT_SCENE_STAGES_H

#include "pelt/io.h"

#include "scene_compare.h"

#include <stdio.h>
#include <stdlib.h>

/// A promise that was broken ends the run, as any other fault does.
#define REQUIRE(condition)                                                                         \
    do                                                                                             \
    {                                                                                              \
        if (!(condition))                                                                          \
        {                                                                                          \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/// Whether all stages together take milliseconds. Larger scenes are read, and that is all.
bool stages_are_short(const pelt_scene* scene);

/// Pose, deform by every method and rule of normals, centers, normal factors, twist joints, bakes,
/// writers; what is written as glTF is read again, and is the same.
/// @param freedom  what the way through glTF may change: see scene_freedom
void stages_run(const pelt_scene* scene, uint32_t freedom);

/// Add centers and normal factors to a glTF file: what is read then has them, and all else as
/// before.
void stages_add(const uint8_t* bytes, size_t size);

#endif
