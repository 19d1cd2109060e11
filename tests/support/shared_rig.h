// SPDX-License-Identifier: MIT
// Rigs for facts that only read them, each built once: a character takes as long as many a fact.
#ifndef PELT_SHARED_RIG_H
#define PELT_SHARED_RIG_H

#include "test.h"

/// A rig that belongs to the program and stays as it was built.
/// @return NULL where there is no such rig
const pelt_scene* shared_rig(const char* name);

#endif
