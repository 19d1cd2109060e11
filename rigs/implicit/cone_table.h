// SPDX-License-Identifier: MIT
// Short names for tables of cones, so that a row fits on a line.
#ifndef PELT_CONE_TABLE_H
#define PELT_CONE_TABLE_H

#include "implicit.h"

#define MIDDLE IMPLICIT_MIDDLE
#define PAIR IMPLICIT_PAIR
#define LEFT IMPLICIT_LEFT
#define ADD false
#define CARVE true
#define ROUND                                                                                      \
    {                                                                                              \
        1, 1, 1                                                                                    \
    }

#endif
