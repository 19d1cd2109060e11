// SPDX-License-Identifier: MIT
// A scene as one run of bytes, from one process of a program to another.
#ifndef PELT_SCENE_TRANSFER_H
#define PELT_SCENE_TRANSFER_H

#include "pelt/pelt.h"

#include <stdio.h>

/// How many bytes pelti_scene_write() writes.
/// @param scene  its arrays are writable, and stay as they are
size_t pelti_scene_size(pelt_scene* scene);

/// Write everything that a scene holds: structs as they lie in memory, then what they refer to.
/// Errors show in the stream.
void pelti_scene_write(FILE* stream, pelt_scene* scene);

/// Make a scene of such bytes, in place. They may come from a process under attack: no pointer of
/// the scene leads outside of them. pelt_scene_validate() has to follow.
/// @param bytes  aligned to 16; the scene uses them
/// @return NULL: they are not a scene
pelt_scene* pelti_scene_read(void* bytes, size_t size);

#endif
