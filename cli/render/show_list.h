// SPDX-License-Identifier: MIT
// What a picture shall show: the list of --show.
#ifndef PELT_SHOWN_H
#define PELT_SHOWN_H

#include "args.h"
#include "pelt/pelt.h"

/// Where the colours of the surface come from.
typedef enum shown_colors
{
    SHOWN_MATERIALS = 0,
    SHOWN_WEIGHTS,      ///< of one joint
    SHOWN_DIFFERENCE,   ///< the distance to the result of another method
    SHOWN_NORMAL_ERROR, ///< the angle of normals to those of the deformed triangles
} shown_colors;

typedef struct shown
{
    uint32_t bits; ///< of pelt_show
    shown_colors colors;
    char joint[160];       ///< SHOWN_WEIGHTS: its name
    uint32_t node;         ///< SHOWN_WEIGHTS: of the joint, by shown_find_joint()
    pelt_method reference; ///< SHOWN_DIFFERENCE
    float range;           ///< the end of the scale, metres or degrees; 0: chosen by what is seen
    uint32_t focus;        ///< node of the joint that fills the picture; PELT_NONE: all
} shown;

/// Read the list; NULL is the ground alone.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int shown_choose(shown* out, const char* list);

/// Methods that the pictures need besides those they show, as bits 1 << method.
uint32_t shown_methods(const shown* in);

/// Find a joint of the scene by its name.
int shown_find_joint(uint32_t* node, const char* name, const pelt_scene* scene);

/// For SHOWN_NORMAL_ERROR: refuse a scene without skinned normals, name meshes that have none.
int shown_check_normals(const pelt_scene* scene);

#endif
