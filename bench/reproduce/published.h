// SPDX-License-Identifier: MIT
// Run-time algorithms as they are published, in double precision, written from the pages.
#ifndef PELT_PUBLISHED_H
#define PELT_PUBLISHED_H

#include "reproduce.h"

typedef enum published_algorithm
{
    PUBLISHED_DQS = 0, ///< Bittner et al. 2019, Algorithm 1
    PUBLISHED_CRS,     ///< Le and Hodgins 2016, Algorithm 1; Bittner et al. 2019, Algorithm 2
    PUBLISHED_MIX,     ///< the deform factor thesis (2019), Algorithm 1, at factor 0.5
} published_algorithm;

/// The largest differences between pelt and a published algorithm.
typedef struct published_distance
{
    double position; ///< relative to the diagonal of the character
    double normal;   ///< degrees; PUBLISHED_MIX only
} published_distance;

/// Deform the present pose, whose joints are rigid, by both.
published_distance published_compare(reproduction* job, reproduce_body* inout,
                                     published_algorithm algorithm);

#endif
