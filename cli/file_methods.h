// SPDX-License-Identifier: MIT
// The methods that the meshes of a file name, for commands that were given none by --method.
#ifndef PELT_FILE_METHODS_H
#define PELT_FILE_METHODS_H

#include "method_list.h"

#include <jansson.h>

/// Take over what the skinned meshes of a scene name, lbs where one names nothing. A scene that
/// names nothing leaves the list as it is.
void file_methods_choose(method_list* inout, const pelt_scene* scene);

/// Let each mesh of a frame follow its own method where the list does.
void file_methods_attach(pelt_frame* frame, const pelt_scene* scene, const method_list* in);

/// Say on stderr what the file chose, unless it is lbs for all.
void file_methods_note(const method_list* in);

/// The name of each mesh's method, null without a skin; null when one method is that of all.
json_t* file_methods_describe(const method_list* in, const pelt_scene* scene);

#endif
