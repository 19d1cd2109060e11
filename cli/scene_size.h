// SPDX-License-Identifier: MIT
// How much a scene becomes when every instance is deformed: a small file can ask for any amount.
#ifndef PELT_PROPORTION_H
#define PELT_PROPORTION_H

#include "pelt/pelt.h"

/// Before any work: say when the instances have far more vertices than the meshes, and refuse what
/// neither a mesh file nor the machine can hold.
/// @param input  named in the sentence
/// @return EXIT_DONE, or EXIT_INPUT after a sentence on stderr
int scene_size_check(const pelt_scene* scene, const char* input);

#endif
