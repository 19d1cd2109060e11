// SPDX-License-Identifier: MIT
// A scene with the images that are copied with it, and the messages about losses.
#ifndef PELT_PACKED_SCENE_H
#define PELT_PACKED_SCENE_H

#include "pelt/io.h"

#include <jansson.h>

typedef struct packed_scene
{
    pelt_scene scene; ///< to be written; refers to the one it was made of
    pelt_arena* arena;
    const char* lost; ///< in words; empty: nothing
} packed_scene;

/// @param source  the user's input; that of a rig has no folder
/// @return the exit code
int packed_scene_create(packed_scene* out, const pelt_scene* scene, const char* source,
                        const char* path);

/// The same for a scene whose glTF file is copied: nothing is lost.
/// @return the exit code
int packed_scene_create_copy(packed_scene* out, const pelt_scene* scene);
void packed_scene_destroy(packed_scene* in); ///< {0} is allowed

/// Something else that is lost.
/// @param what  is copied
/// @return the exit code
int packed_scene_add_loss(packed_scene* inout, const char* what);

/// Report losses on stderr, if there are any: "not carried over: ...".
/// @param reason  start of the sentence, or ""
void packed_scene_print_lost(const packed_scene* in, const char* reason);

/// All of it as a list of strings.
json_t* packed_scene_describe_lost(const packed_scene* in);

#endif
