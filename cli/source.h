// SPDX-License-Identifier: MIT
// The INPUT of a command: a built-in rig or a file.
#ifndef PELT_SOURCE_H
#define PELT_SOURCE_H

#include "pelt/io.h"

/// Load and check a scene; free it with pelt_scene_destroy(). "-" is the standard input.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int source_load(pelt_scene** out, const char* input);

/// The same, and the file itself, for commands that copy it.
/// @param file  free with pelt_source_release(); {0} for a rig
int source_load_keep(pelt_scene** out, pelt_source* file, const char* input);

/// The same for commands that deform meshes: there must be some, and no
/// more than a mesh file and the machine can hold.
int source_load_mesh(pelt_scene** out, const char* input);

/// The same, and the file itself; free it with pelt_source_release(); {0} for a rig.
int source_load_mesh_keep(pelt_scene** out, pelt_source* file, const char* input);

/// A whole text file of up to 4 MB, "-" being the standard input; free() it.
int source_read_text(char** out, const char* path);

/// Meshes whose data of that kind were left out.
uint32_t source_count_stale(const pelt_scene* scene, pelt_repair_kind kind);

/// Report that such data are computed again, if there were any.
void source_note_stale(const pelt_scene* scene, pelt_repair_kind kind);

#endif
