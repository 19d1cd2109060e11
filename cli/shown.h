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
    SHOWN_WEIGHTS,    ///< of one joint
    SHOWN_DIFFERENCE, ///< the distance to the result of another method
} shown_colors;

typedef struct shown
{
    uint32_t bits; ///< of pelt_show
    shown_colors colors;
    char joint[160];       ///< SHOWN_WEIGHTS: its name
    uint32_t node;         ///< SHOWN_WEIGHTS: set by shown_find_joint()
    pelt_method reference; ///< SHOWN_DIFFERENCE
} shown;

/// Read the list; NULL is the ground alone.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int shown_choose(shown* out, const char* list);

/// Methods that the pictures need besides those they show, as bits 1 << method.
uint32_t shown_methods(const shown* in);

/// Find the joint of the scene that was named.
int shown_find_joint(shown* inout, const pelt_scene* scene);

#endif
