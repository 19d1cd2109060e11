// SPDX-License-Identifier: MIT
// An FBX file with a long clip, to be read by suite `load`.
#ifndef PELT_LOAD_FBX_H
#define PELT_LOAD_FBX_H

#include "pelt/base.h"

/// A dance as motion capture leaves it: a binary FBX file of joints alone, all of which turn, with
/// 30 keys a second on each of their angles and automatic slopes.
typedef struct load_dance
{
    uint32_t joint_count;
    double seconds;
} load_dance;

pelt_result load_dance_write(const char* path, load_dance dance, pelt_error* error);

#endif
