// SPDX-License-Identifier: MIT
// --textures and --max-texture: where the images of a written character go, and how large they are.
#ifndef PELT_TEXTURE_REQUEST_H
#define PELT_TEXTURE_REQUEST_H

#include "args.h"
#include "output_file.h"
#include "packed_scene.h"

extern const arg_option texture_request_options[]; ///< --textures, --max-texture

/// Whether any of the options is given.
bool texture_request_is_set(const args* arguments);

/// packed_scene_create() with the images that the options ask for. With --textures copy the files
/// are written here, so that the character that refers to them comes last.
/// @param source  the user's input
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int texture_request_pack(packed_scene* out, const pelt_scene* scene, const char* source,
                         const output_file* file, const args* arguments);

#endif
